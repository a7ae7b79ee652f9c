#pragma once

/// # iwan4: Segalman's four-parameter Iwan model of a bolted joint
///
/// A continuum of Jenkins elements in parallel. The density of elements that slip at the
/// displacement φ is
///
///     ρ(φ) = R φ^χ on (0, φmax),  plus  S δ(φ − φmax),
///
/// so that the energy lost in small cycles grows like amplitude^(3+χ), and all elements slip
/// together at φmax. With q = β + (χ+1)/(χ+2):
///
///     φmax = Fs (1+β)/(KT q),   R = Fs (χ+1)/(φmax^(χ+2) q),   S = (Fs/φmax) β/q.
///
/// Check: the tangent at rest is ∫ρ dφ = KT, the slip force is ∫φρ dφ = Fs.
///
/// The backbone is g(x) = KT x − R x^(χ+2)/((χ+1)(χ+2)) up to φmax, then Fs. Any history follows
/// from it by Masing's rules (kernels/masing.hpp): exact, and O(1) a step, whatever the number of
/// sliders.
///
/// Energy lost on the virgin curve: D(x) = R x^(χ+3)/((χ+2)(χ+3)) up to φmax, then
/// x Fs − R φmax^(χ+3)/(χ+3) − S φmax². A steady cycle of amplitude U loses 4 D(U).
///
/// The method history-free is for comparison. It follows the two assumptions that the review by
/// Mathis et al. reports (sec. 4.8.3, after Brake): the second of Masing's rules is dropped, and
/// after a reversal the sliders still to slip are distributed as before it, but scaled. So only the
/// last reversal is remembered, and the branch from it is the virgin curve scaled such that it ends
/// at full slip,
///
///     f = f_r + d s g(|u − u_r|/s),   s = 1 − d f_r/Fs.
///
/// From full slip s = 2, Masing's branch; from smaller reversals the branch is too short, and loops
/// inside the range of microslip are too thin. A branch loses s D.

#include <limits>
#include <optional>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/first_harmonic.hpp"
#include "microslip/detail/kernels/iwan4_backbone.hpp"
#include "microslip/detail/kernels/masing.hpp"

namespace microslip {

template <Number Real>
class Iwan4 : public MasingLaw<Iwan4Backbone<Real>> {
  using Base = MasingLaw<Iwan4Backbone<Real>>;

 public:
  using typename Base::State;

  struct Params {
    Real Fs{1};
    Real KT{1};
    Real chi{-0.5};
    Real beta{0.1};

    static constexpr auto fields = std::tuple{
        field(&Params::Fs, "Fs", "F", positive, "force at which the whole joint slips"),
        field(&Params::KT, "KT", "F/L", positive, "tangent stiffness at rest"),
        field(&Params::chi, "chi", "1", left_open_interval(-1, 0),
              "exponent of the slider density: small cycles lose energy like amplitude^(3+chi)"),
        field(&Params::beta, "beta", "1", non_negative,
              "stiffness lost at once at full slip, relative to that lost before"),
    };
  };

  enum class Method { exact, history_free };
  struct Options {
    Method method = Method::exact;

    static constexpr auto fields = std::tuple{
        option(&Options::method, "method", {"exact", "history-free"},
               "all reversals that still matter, or only the last one, for comparison; the claims "
               "are those of exact"),
    };
  };

  static constexpr Info info{
      .name = "iwan4",
      .sentence = "A continuum of sliders with a power-law density: microslip of a bolted joint.",
      .equation = "f = ∫ρ(φ) stop_φ[u] dφ,  ρ = R φ^χ on (0, φmax) + S δ(φ − φmax)",
      .citation =
          "D. J. Segalman, A four-parameter Iwan model for lap-type joints, Journal of "
          "Applied Mechanics 72 (2005) 752–760",
      .claims = masing_claims,
  };

  explicit constexpr Iwan4(const Params& params, const Options& options = {})
      : Iwan4(checked_fields(info.name, params), options, were_checked) {}
  constexpr Iwan4(const Params& params, const Options& options, WereChecked) noexcept
      : Base({params.Fs, params.KT, params.chi, params.beta}), method_(options.method) {}

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    return method_ == Method::exact ? Base::step(from, u, to) : forgetful_step(from, u, to);
  }
  constexpr Real stored(const State& state) const noexcept {
    return method_ == Method::exact ? Base::stored(state) : forgetful_energy(state);
  }
  constexpr Real next_kink(const State& state, int direction) const noexcept {
    if (method_ == Method::exact) return Base::next_kink(state, direction);
    Branch on = branch(state);
    if (direction * state.direction < 0) on = after_reversal(state, direction);
    const double d = direction;
    const Real kink = on.u + d * on.scale * this->backbone().phi_max;
    return d * (kink - state.u) > 0.0 ? kink : Real(d * std::numeric_limits<double>::infinity());
  }

  std::optional<HarmonicForce> first_harmonic(double A, double /*omega*/) const {
    if (method_ == Method::history_free) return {};
    return iwan4_first_harmonic(this->backbone(), A);
  }

  /// Displacement at which the last slider slips.
  constexpr Real slip_displacement() const noexcept { return this->backbone().phi_max; }

 private:
  /// f = force + d·scale·g(|u − u_r|/scale): the virgin curve has scale 1, the branch after a
  /// reversal the one with which it ends at full slip.
  struct Branch {
    Real u, force, stored, scale;
  };
  constexpr Branch after_reversal(const State& s, int direction) const noexcept {
    return {s.u, s.f, forgetful_energy(s),
            1.0 - static_cast<double>(direction) * s.f / this->backbone().Fs};
  }
  constexpr Branch branch(const State& s) const noexcept {
    if (s.reversals.empty()) return {Real(0), Real(0), Real(0), Real(1)};
    const auto& r = s.reversals.back();
    return {r.u, r.f, r.stored, 1.0 - static_cast<double>(s.direction) * r.f / this->backbone().Fs};
  }

  constexpr Response<Real> forgetful_step(const State& from, const Real& u,
                                          State& to) const noexcept {
    const int direction = u > from.u ? 1 : u < from.u ? -1 : from.direction;
    if (&to != &from) {
      if (!to.reversals.assign(from.reversals))
        return {from.f, Real(0), Real(0), Status::out_of_memory};
      to.u = from.u;
      to.f = from.f;
      to.lost = from.lost;
      to.direction = from.direction;
    }
    if (u != to.u) {
      if (direction * to.direction < 0) {
        const Real stored = forgetful_energy(to);
        to.reversals.clear();
        if (!to.reversals.push({to.u, to.f, stored}))
          return {to.f, Real(0), Real(0), Status::out_of_memory};
        to.lost = Real(0);
      }
      to.direction = direction;
    }
    const double d = direction;
    const Branch on = branch(to);
    // Back at a limit there is nothing left to scale.
    if (!(on.scale > 0.0)) return {to.f, Real(0), Real(0)};
    const auto end = this->backbone().at(d * (u - on.u) / on.scale);
    if (u == to.u) return {to.f, end.slope, Real(0)};
    const Real lost = on.scale * (end.dissipated - to.lost);
    to.u = u;
    to.f = on.force + d * on.scale * end.force;
    to.lost = end.dissipated;
    return {to.f, end.slope, lost};
  }

  /// Work less what was lost: ∫g = ½(D + x g).
  constexpr Real forgetful_energy(const State& s) const noexcept {
    const Branch on = branch(s);
    const double d = s.direction;
    if (!(on.scale > 0.0)) return on.stored;
    const Real way = d * (s.u - on.u) / on.scale, g = d * (s.f - on.force) / on.scale;
    return on.stored + on.force * (s.u - on.u) + 0.5 * square(on.scale) * (s.lost + way * g) -
           on.scale * s.lost;
  }

  Method method_;
};

}  // namespace microslip
