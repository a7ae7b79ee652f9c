#pragma once

/// # jenkins-planar: a spring and a slider in the plane
///
///     f' = k u'                       inside the circle |f| < φ, or moving inwards
///     f' = k (u' − (u'·n) n),  n = f/φ    on the circle, moving outwards
///
/// The slider follows the force: slip is along n, and the force turns towards the motion. Over a
/// straight motion the step is exact for any size: an elastic ride to the circle, then slip, during
/// which the angle ψ between force and motion obeys
///
///     tan(ψ/2) ← tan(ψ/2) exp(−k x/φ),   x the length of the slip motion
///
/// (the force is dragged along a tractrix), and the energy φ²/k · ln(cosh X + cos ψ₀ sinh X),
/// X = k x/φ, is lost. In the code this is the linear-fractional map of numerics/projective.hpp.
///
/// `method = return-mapping` is what most codes do instead: the elastic trial, scaled back to the
/// circle. That is one step of the backward Euler method: tan ψ ← sin ψ₀/(cos ψ₀ + X). Per step of
/// X = k x/φ on the circle its direction is wrong by X² sin ψ cos ψ/2 at most X²/4; it is exact
/// only along a radius. Its account of energy is that of its own end point.
///
/// Energy: the spring stores |f|²/(2k).

#include <cmath>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/numerics/planar.hpp"
#include "microslip/detail/numerics/projective.hpp"

namespace microslip {

template <Number Real>
class JenkinsPlanar {
 public:
  using Scalar = Real;
  static constexpr auto directions = microslip::directions::plane;

  struct Params {
    Real k{1};
    Real phi{1};
    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "stiffness while the slider sticks"),
        field(&Params::phi, "phi", "F", positive, "magnitude of the force at which it slips"),
    };
  };

  enum class Method { exact, return_mapping };
  struct Options {
    Method method = Method::exact;
    static constexpr auto fields = std::tuple{
        option(&Options::method, "method", {"exact", "return-mapping"},
               "exact path of a straight motion, or one projection of the elastic trial per step"),
    };
  };

  struct State {
    Vec2<Real> u = zero_vector<Real>();
    Vec2<Real> f = zero_vector<Real>();
    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
    };
  };

  static constexpr Info info{
      .name = "jenkins-planar",
      .sentence = "A spring and a Coulomb slider in the plane, with a circular limit.",
      .equation = "f' = k (u' − s'),  s' = λ f,  |f| ≤ φ,  λ ≥ 0,  λ (|f| − φ) = 0",
      .citation =
          "planar form of the element of G. M. Jenkins, British Journal of Applied Physics 13 "
          "(1962) 30–32; return mapping: M. L. Wilkins, Calculation of elastic-plastic flow, "
          "Methods in Computational Physics 3 (1964) 211–263",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = not_applicable,
                 .return_point_memory = not_applicable,
                 .minor_loops_close = not_applicable,
                 .dissipative = holds,
                 .bounded = holds,
                 .planar_isotropic = holds},
  };

  explicit constexpr JenkinsPlanar(const Params& params, const Options& options = {})
      : JenkinsPlanar(checked_fields(info.name, params), options, were_checked) {}
  constexpr JenkinsPlanar(const Params& params, const Options& options, WereChecked) noexcept
      : k_(params.k), phi_(params.phi), method_(options.method) {}

  constexpr State rest() const { return {}; }

  constexpr PlanarResponse<Real> step(const State& from, const Vec2<Real>& u,
                                      State& to) const noexcept {
    if (u[0] == from.u[0] && u[1] == from.u[1]) {
      const PlanarResponse<Real> unchanged{from.f, tangent_at_rest(from.f), Real(0)};
      to = from;
      return unchanged;
    }
    const T k = plane_fixed<Real>(k_), phi = plane_fixed<Real>(phi_);
    const V f0 = plane_fixed<Real>(from.f), end = plane_moving<Real>(u);
    const V start = plane_fixed<Real>(from.u);
    const V pull{k * (end[0] - start[0]), k * (end[1] - start[1])};  // of the spring, were it alone
    const Leg leg = method_ == Method::exact ? slip(f0, pull, phi) : project(f0, pull, phi);
    const Vec2<Real> target = u;  // `to` may hold `u`
    to.u = target;
    to.f = plane_settled<Real>(leg.f);
    return {to.f, plane_tangent<Real>(leg.f), plane_settled<Real>(leg.lost) / k_};
  }

  constexpr Real stored(const State& state) const noexcept {
    return dot(state.f, state.f) / (2.0 * k_);
  }

  /// The onset of slip.
  constexpr Real next_kink(const State& state, const Vec2<Real>& along) const noexcept {
    const V pull = plane_fixed<Real>(Vec2<Real>(k_ * along));
    const T part =
        elastic_share(plane_fixed<Real>(state.f), pull, square(T(plane_fixed<Real>(phi_))));
    // An onset that rounds to the present place counts as passed.
    return value_of(part) * std::sqrt(value_of(dot(pull, pull))) > 1e-13 * value_of(phi_)
               ? plane_settled<Real>(part)
               : Real(std::numeric_limits<double>::infinity());
  }

 private:
  using T = AlongPlane<Real>;
  using V = Vec2<T>;
  struct Leg {
    V f;
    T lost;  ///< times k
  };

  static constexpr Leg slip(const V& f0, const V& pull, const T& phi) noexcept {
    const V elastic{f0[0] + pull[0], f0[1] + pull[1]};
    const T limit = square(phi);
    if (!(value_of(dot(elastic, elastic)) > value_of(limit))) return {elastic, T(0)};
    const T ride = elastic_share(f0, pull, limit);
    if (!(value_of(ride) < 1)) return {elastic, T(0)};
    const V on_circle{f0[0] + ride * pull[0], f0[1] + ride * pull[1]};
    const V rest{(1.0 - ride) * pull[0], (1.0 - ride) * pull[1]};
    // On the circle f' = pull − (f·pull/φ²) f, and f·pull/φ² integrates to ln w.
    const auto arc = projective::advance(rest, V{rest[0] / limit, rest[1] / limit}, on_circle);
    return {arc.z, limit * arc.log_w};
  }

  /// The part of the motion until |f0 + τ pull| = φ.
  static constexpr T elastic_share(const V& f0, const V& pull, const T& limit) noexcept {
    using std::sqrt;
    const T a = dot(pull, pull), b = dot(f0, pull), c = dot(f0, f0) - limit;
    // Already on the circle, to rounding.
    const bool at_limit = value_of(c) > -1e-14 * value_of(limit);
    if (at_limit && !(value_of(b) < 0)) return T(0);
    if (!(value_of(a) > 0)) return T(1);
    if (at_limit) return -2.0 * b / a;
    const T root = sqrt(b * b - a * c);
    return value_of(b) > 0 ? T(-c / (b + root)) : T((root - b) / a);
  }

  static constexpr Leg project(const V& f0, const V& pull, const T& phi) noexcept {
    using std::sqrt;
    const V trial{f0[0] + pull[0], f0[1] + pull[1]};
    const T size = sqrt(dot(trial, trial));
    if (!(value_of(size) > value_of(phi))) return {trial, T(0)};
    return {{phi * trial[0] / size, phi * trial[1] / size}, phi * (size - phi)};
  }

  /// Elastic inside the circle; on it, against a motion that goes on outwards.
  constexpr Mat2<Real> tangent_at_rest(const Vec2<Real>& f) const noexcept {
    const bool slips = value_of(dot(f, f)) >= value_of(square(phi_)) * (1 - 1e-14);
    const Real drop = slips ? k_ / square(phi_) : Real(0);
    Mat2<Real> tangent;
    tangent << k_ - drop * f[0] * f[0], -drop * f[0] * f[1], -drop * f[0] * f[1],
        k_ - drop * f[1] * f[1];
    return tangent;
  }

  Real k_, phi_;
  Method method_;
};

}  // namespace microslip
