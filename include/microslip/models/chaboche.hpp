#pragma once

/// # chaboche: several back stresses and isotropic hardening
///
///     f = k (u − p),   |f − Σ X_i| ≤ fy + R(q)
///     X_i' = C_i p' − γ_i X_i |p'|,   R = Q (1 − exp(−b q)),   q' = |p'|
///
/// Cyclic plasticity of metals as a law of force against displacement: X_i are the back forces of
/// Armstrong and Frederick, of which Chaboche takes several, and R is Voce's isotropic hardening
/// (Q > 0) or softening (Q < 0). γ_i = 0 makes a back force linear.
///
/// Over a plastic motion each X_i forgets with the plastic way x, exactly as a Maxwell spring
/// forgets with time (kernels/relaxation.hpp), and R is an exponential of it. Yield begins where the
/// elastic line meets the limit, and from there
///
///     x + Σ_j (A_j x φ(g_j x))/k = |Δu|,   φ(y) = (1 − exp(−y))/y,
///
/// with (A, g) = (C_i − γ_i X_i d, γ_i) and (Q b exp(−b q), b): one increasing function, whose root
/// is found by Newton's method in a bracket. The step is exact for any size.
///
/// Admissible: Q > −fy, so that an elastic range is left, and Q b > −k, so that the displacement
/// grows with the plastic one.
///
/// Energy: Ψ = f²/(2k) + Σ X_i²/(2C_i). A plastic motion loses (fy + R + Σ γ_i X_i²/C_i) |p'| > 0;
/// what isotropic hardening takes is counted as lost.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/relaxation.hpp"
#include "microslip/detail/numerics/bracket.hpp"

namespace microslip {

template <Number Real>
class Chaboche {
 public:
  using Scalar = Real;

  struct Params {
    Real k{1};
    Real fy{1};
    std::vector<Real> C{Real(1), Real(0.2)};
    std::vector<Real> gamma{Real(2), Real(0.2)};
    Real Q{0.2};
    Real b{0.5};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "elastic stiffness"),
        field(&Params::fy, "fy", "F", positive, "yield force before any hardening"),
        field(&Params::C, "C", "F/L", positive, "stiffness of each back force"),
        field(&Params::gamma, "gamma", "1/L", non_negative,
              "rate at which each back force forgets; 0: linear hardening"),
        field(&Params::Q, "Q", "F", any_number,
              "yield force gained by isotropic hardening; negative: softening, more than -fy"),
        field(&Params::b, "b", "1/L", non_negative, "rate of isotropic hardening"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    std::vector<Real> stretch;
    Real q{0};
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::stretch, "stretch", "L", "each back force over its stiffness"),
        state_field(&State::q, "q", "L", "accumulated plastic displacement", Parity::even),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "chaboche",
      .sentence = "Plasticity of metals: back forces that forget, and isotropic hardening.",
      .equation =
          "f = k(u − p),  |f − ΣX_i| ≤ fy + R,  X_i' = C_i p' − γ_i X_i|p'|,  "
          "R = Q(1 − exp(−b q)),  q' = |p'|",
      .citation =
          "J. L. Chaboche, Constitutive equations for cyclic plasticity and cyclic "
          "viscoplasticity, International Journal of Plasticity 5 (1989) 247–302",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = depends("every gamma = 0, and Q = 0 or b = 0"),
                 .return_point_memory = depends("every gamma = 0, and Q = 0 or b = 0"),
                 .minor_loops_close = depends("every gamma = 0, and Q = 0 or b = 0"),
                 .dissipative = holds,
                 .bounded = depends("every gamma > 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.ratios = {{"Q", "fy", Interval{.lo = -1}}},
            .look = {{"Q", closed_interval(-0.5, 2)}},
            .elements = {{.by = "gamma"}}};
  }

  explicit Chaboche(const Params& params, const Options& = {}) : p_(checked(params)) {}

  State rest() const {
    State state;
    state.stretch.assign(p_.C.size(), Real(0));
    return state;
  }

  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (&to != &from && !copied(from, to)) return {from.f, Real(0), Real(0), Status::out_of_memory};
    if (u == to.u) return {to.f, tangent(to, to.direction), Real(0)};
    const double d = u > to.u ? 1 : -1;
    const Real way = d * (u - to.u);
    to.direction = static_cast<int>(d);
    to.u = u;
    const Real onset = elastic_way(to, d);
    if (!(way > onset)) {
      to.f += d * p_.k * way;
      return {to.f, tangent(to, to.direction), Real(0)};
    }
    const Real x = plastic_way(to, d, way - onset);
    Real lost = (p_.fy + p_.Q) * x;
    for (std::size_t i = 0; i < p_.C.size(); ++i) {
      const auto decay = relaxation::decay(Real(p_.gamma[i] * x));
      lost += p_.C[i] * decay.lost(to.stretch[i], d * x);
      to.stretch[i] = decay.stretch(to.stretch[i], d * x);
    }
    lost -= p_.Q * left(to.q) * x * relaxation::decay(Real(p_.b * x)).ramp;
    to.q += x;
    to.f = d * limit(to, d);
    return {to.f, tangent(to, to.direction), lost};
  }

  Real stored(const State& state) const noexcept {
    Real sum = square(state.f) / p_.k;
    for (std::size_t i = 0; i < p_.C.size(); ++i) sum += p_.C[i] * square(state.stretch[i]);
    return 0.5 * sum;
  }

  /// The onset of yield.
  Real next_kink(const State& state, int direction) const noexcept {
    const double d = direction;
    const Real onset = state.u + d * elastic_way(state, d);
    return d * (onset - state.u) > 0.0 ? onset : Real(d * std::numeric_limits<double>::infinity());
  }

 private:
  static const Params& checked(const Params& params) {
    check_fields(info.name, params);
    check_same_length(info.name, "C", params.C.size(), "gamma", params.gamma.size());
    const double fy = value_of(params.fy), k = value_of(params.k), b = value_of(params.b);
    check_value(info.name, "Q", value_of(params.Q),
                Interval{.lo = b > 0 ? std::max(-fy, -k / b) : -fy});
    return params;
  }

  /// A state that holds its numbers elsewhere first takes room for them.
  static bool copied(const State& from, State& to) noexcept {
    try {
      to.stretch = from.stretch;
    } catch (const std::bad_alloc&) {
      return false;
    }
    to.u = from.u;
    to.f = from.f;
    to.q = from.q;
    to.direction = from.direction;
    return true;
  }

  /// exp(−b q), the part of isotropic hardening that is still to come.
  Real left(const Real& q) const noexcept {
    using std::exp;
    return exp(-p_.b * q);
  }
  /// d f while the state yields in the direction d.
  Real limit(const State& s, double d) const noexcept {
    Real sum = p_.fy + p_.Q * (1.0 - left(s.q));
    for (std::size_t i = 0; i < p_.C.size(); ++i) sum += d * p_.C[i] * s.stretch[i];
    return sum;
  }
  /// Up to the onset of yield; 0 on the way along the limit, which was computed in the same way.
  Real elastic_way(const State& s, double d) const noexcept {
    const Real way = (limit(s, d) - d * s.f) / p_.k;
    return way > 0.0 ? way : Real(0);
  }
  /// Slope of the limit force against the plastic way.
  Real hardening(const State& s, double d) const noexcept {
    Real sum = p_.Q * p_.b * left(s.q);
    for (std::size_t i = 0; i < p_.C.size(); ++i)
      sum += p_.C[i] * (1.0 - d * p_.gamma[i] * s.stretch[i]);
    return sum;
  }
  Real tangent(const State& s, int direction) const noexcept {
    const double d = direction;
    if (direction == 0 || elastic_way(s, d) > 0.0) return p_.k;
    const Real slope = hardening(s, d);
    return p_.k * slope / (p_.k + slope);
  }

  /// The displacement beyond the onset of yield, after the plastic way x, and its slope.
  template <class T>
  auto displacement(const State& s, double d, const T& x) const noexcept {
    const auto number = [](const Real& y) {
      if constexpr (std::is_same_v<T, double>)
        return value_of(y);
      else
        return y;
    };
    struct {
      T value, slope;
    } at{x, T(1)};
    const T compliance = 1.0 / number(p_.k);
    const auto add = [&](const T& A, const T& g) {
      using std::exp;
      const T share = A * compliance;
      at.value += share * (x * relaxation::decay(T(g * x)).ramp);
      at.slope += share * exp(-g * x);
    };
    for (std::size_t i = 0; i < p_.C.size(); ++i)
      add(number(p_.C[i] * (1.0 - d * p_.gamma[i] * s.stretch[i])), number(p_.gamma[i]));
    add(number(p_.Q * p_.b * left(s.q)), number(p_.b));
    return at;
  }

  /// Its inverse. Found in plain numbers; one Newton step carries the derivatives.
  Real plastic_way(const State& s, double d, const Real& beyond) const noexcept {
    const double target = value_of(beyond);
    Bracket bracket{0, target};
    if (value_of(p_.Q) < 0) bracket.above -= value_of(p_.Q) * value_of(left(s.q)) / value_of(p_.k);
    double x = 0;
    for (int i = 0; i < most_iterations; ++i) {
      const auto at = displacement(s, d, x);
      const double change = (at.value - target) / at.slope;
      if (std::abs(change) <= 1e-15 * x) break;
      x = bracket.next(x, change, change);
    }
    const auto at = displacement(s, d, Real(x));
    return x - (at.value - beyond) / at.slope;
  }
  static constexpr int most_iterations = 200;  ///< bisection alone needs fewer

  Params p_;
};

}  // namespace microslip
