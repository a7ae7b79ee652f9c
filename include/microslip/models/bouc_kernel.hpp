#pragma once

/// # bouc-kernel: Bouc's operator with a fading memory of the path
///
///     f = k u + z,   z = ∫ G(V(t) − V(s)) φ(u(s)) u'(s) ds,   G(v) = Σ_i A_i e^(−α_i v)
///
/// V is the total variation of u: the law forgets with the distance travelled, not with time. Bouc
/// wrote it for any kernel G; here G is a sum of exponentials, to which any completely monotone
/// kernel tends as terms are added, and φ is a formula. One exponential and φ = 1 are the law `bouc`.
///
/// Each exponential has a state of its own, z = Σ z_i, with z_i' = (A_i φ(u) − α_i d z_i) u', d = sgn u',
/// so that over a leg of length x
///
///     z_i ← z_i e^(−α_i x) + d A_i ∫₀ˣ e^(−α_i r) φ(u − d r) dr:
///
/// closed for constant φ (kernels/relaxation.hpp), else by quadrature with error control.
///
/// Energy: Ψ = ½ k u² + Σ z_i²/(2 A_i φ(0)), which for constant φ is what the exponentials store, at
/// a loss of Σ α_i z_i²/(A_i φ) per displacement. For other φ nothing is stored in a natural way;
/// where φ(0) ≤ 0 the second part of Ψ is left out. What a step loses is work − ΔΨ.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/relaxation.hpp"
#include "microslip/detail/numerics/integral.hpp"

namespace microslip {

template <Number Real>
class BoucKernel {
 public:
  using Scalar = Real;

  struct Params {
    std::vector<Real> A{Real(1), Real(0.5)};
    std::vector<Real> alpha{Real(1), Real(4)};
    Expression phi = Expression::parse("1", {"u"});
    Real k{0.1};

    static constexpr auto fields = std::tuple{
        field(&Params::A, "A", "F/L", positive, "factor of each exponential of the kernel"),
        field(&Params::alpha, "alpha", "1/L", positive,
              "rate at which each exponential forgets the path"),
        field(&Params::phi, "phi", "1", Variables{"u"}, "weight of the motion at the place u"),
        field(&Params::k, "k", "F/L", non_negative, "stiffness of the spring beside"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    std::vector<Real> z;
    int direction = 0;  ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::z, "z", "F", "force of each exponential of the kernel"),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "bouc-kernel",
      .sentence = "Bouc's operator: a memory that fades with the path, weighted by a formula.",
      .equation = "f = k u + ∫ G(∫|u'|) φ(u) u' ds,  G(v) = Σ_i A_i e^(−α_i v)",
      .citation = "R. Bouc, Modèle mathématique d'hystérésis, Acustica 24 (1971) 16–25",
      .claims = {.odd = depends("phi(-u) = phi(u)"),
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = depends("phi is constant and positive"),
                 .bounded = depends("k = 0 and phi is bounded"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() { return {.springs = {"k"}}; }

  explicit BoucKernel(const Params& params, const Options& = {}) : p_(params) {
    check_fields(info.name, params);
    check_same_length(info.name, "A", p_.A.size(), "alpha", p_.alpha.size());
    constant_ = p_.phi.is_constant();
    weight_ = p_.phi(0.0);
    if (!std::isfinite(weight_))
      throw Error("bouc-kernel.phi = " + p_.phi.text() + " must have a value at u = 0");
  }

  bool odd() const { return is_even(p_.phi); }

  State rest() const {
    State state;
    state.z.assign(p_.A.size(), Real(0));
    return state;
  }

  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    const int direction = u > from.u ? 1 : u < from.u ? -1 : from.direction;
    const double d = direction;
    to.z.resize(p_.A.size());
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from, direction), Real(0)};
      if (&to != &from) to = from;
      return unchanged;
    }
    const Real du = u - from.u, way = d * du;
    Real force = p_.k * u, lost(0);
    for (std::size_t i = 0; i < p_.A.size(); ++i) {
      const Real before = from.z[i];
      const auto decay = relaxation::decay(Real(p_.alpha[i] * way));
      if (constant_) {
        const Real stiffness = weight_ * p_.A[i];
        const Real stretch = stiffness == 0.0 ? Real(0) : before / stiffness;
        to.z[i] = stiffness * decay.stretch(stretch, du);
        lost += stiffness * decay.lost(stretch, du);
      } else {
        const Real& alpha = p_.alpha[i];
        const Real gained = integral(u, du, alpha, [&](const Real& r) {
          using std::exp;
          return Real(exp(-alpha * r));
        });
        const Real passed = integral(u, du, alpha, [&](const Real& r) {
          using std::expm1;
          return Real(-expm1(-alpha * r) / alpha);
        });
        to.z[i] = before * decay.keep + d * p_.A[i] * gained;
        lost += before * decay.ramp * du + p_.A[i] * passed;  // the work ∫z du, less Ψ
        if (weight_ > 0)
          lost -= (to.z[i] - before) * (to.z[i] + before) / (2.0 * weight_ * p_.A[i]);
      }
      force += to.z[i];
    }
    to.u = u;
    to.f = force;
    to.direction = direction;
    Response<Real> reply{force, tangent(to, direction), lost};
    if (!std::isfinite(value_of(force))) reply.status = Status::undefined;
    return reply;
  }

  Real stored(const State& state) const noexcept {
    Real energy = 0.5 * p_.k * square(state.u);
    if (weight_ > 0)
      for (std::size_t i = 0; i < p_.A.size(); ++i)
        energy += square(state.z[i]) / (2.0 * weight_ * p_.A[i]);
    return energy;
  }

  Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 private:
  /// ∫₀ˣ w(r) φ(u − d r) dr, in pieces that grow fourfold away from the end, where exponentials
  /// change, and away from u = 0, where weights do. A feature of φ far from 0 that is narrow beside
  /// its distance may be passed over by a step that is longer still.
  template <class Weight>
  Real integral(const Real& u, const Real& du, const Real& alpha, const Weight& weight) const {
    const double d = du > 0.0 ? 1 : -1, x = std::abs(value_of(du)), unit = 1 / value_of(alpha);
    Real sum(0), begin(0);
    for (;;) {
      const double r = value_of(begin), place = d * (value_of(u) - d * r);  // > 0: towards 0
      const double to_zero = place > unit ? 0.75 * place : place;
      const double piece = std::min(std::max(unit, 3 * r),
                                    place > 1e-9 * unit ? to_zero : std::max(unit, -3 * place));
      const bool last = r + 1.01 * piece >= x;
      const Real end = last ? Real(d * du) : Real(begin + piece);
      const Real length = end - begin;
      sum += length * unit_integral<Real>([&](double s) {
               const Real at = begin + s * length;
               return Real(weight(at) * p_.phi(Real(u - d * at)));
             });
      if (last) return sum;
      begin = end;
    }
  }

  Real tangent(const State& state, int direction) const noexcept {
    const Real phi = p_.phi(state.u);
    Real sum = p_.k;
    for (std::size_t i = 0; i < p_.A.size(); ++i)
      sum += p_.A[i] * phi - static_cast<double>(direction) * p_.alpha[i] * state.z[i];
    return sum;
  }

  Params p_;
  bool constant_ = false;
  double weight_ = 1;  ///< φ(0)
};

}  // namespace microslip
