#pragma once

/// # bouc-wen: smooth hysteresis from one differential equation
///
///     z' = A u' − β |u'| |z|^(n−1) z − γ u' |z|^n
///     f  = a k u + (1 − a) k z
///
/// z is a length. Loading (z and u' of one sign) it tends to ±(A/(β+γ))^(1/n); unloading it moves
/// at A + (β−γ)|z|^n per displacement. n sets how sharp the knee is; a is the stiffness left after
/// yield, relative to k (at A = 1).
///
/// Conventions differ by sign. Here, and in Biswas's thesis with A = α₁, β = α₂, γ = α₃, the sum
/// β + γ limits z. The review by Mathis et al. prints (34) as z' = (A − (α sgn(z u') − β)|z|^n) u':
/// its α is β here, its β is −γ. Its figures 9–11 follow that; its Table 1 needs β = +γ.
///
/// Admissible: β ≥ |γ|. Otherwise unloading may never reach z = 0, and cycles create energy; the
/// condition A > 0, β + γ > 0 sometimes printed is not enough. `admissible = any` takes them all the same, as
/// system identification does with laws of measured records: energy is then gained in parts of a cycle, a state with
/// γ > β may never unload, and with γ < −β z grows without limit, for n > 1 to infinity at a finite
/// displacement, which is a status.
///
/// The step is exact for any size (kernels/bouc_wen.hpp), the crossing of z = 0 inside it included.
///
/// Energy: Ψ = ½ a k u² + ½ (1−a) k z²/A. The rest of the work is lost, at the rate
/// (1−a) k |z| |z|^n (β ± γ)/A per displacement, + loading and − unloading, never negative.

#include <optional>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/bouc_wen_free.hpp"
#include "microslip/detail/kernels/bouc_wen_law.hpp"
#include "microslip/detail/kernels/bouc_wen_params.hpp"

namespace microslip {

template <Number Real>
class BoucWen : public BoucWenLaw<Real, Hysteretic::length> {
  using Closed = BoucWenLaw<Real, Hysteretic::length>;

 public:
  using State = typename Closed::State;

  struct Params {
    Real A{1};
    Real beta{0.5};
    Real gamma{0.5};
    Real n{1};
    Real k{1};
    Real a{0.1};

    static constexpr auto fields = std::tuple{
        bouc_wen_rows::A<Params>(),
        bouc_wen_rows::beta<Params>(),
        bouc_wen_rows::gamma<Params>(
            "part of the slope lost with |z|^n in both; between -beta and beta unless admissible = "
            "any"),
        bouc_wen_rows::n<Params>(),
        bouc_wen_rows::k<Params>(),
        bouc_wen_rows::a<Params>(),
    };
  };
  enum class Admissible { dissipative, any };
  struct Options {
    Admissible admissible = Admissible::dissipative;

    static constexpr auto fields = std::tuple{
        option(
            &Options::admissible, "admissible", {"dissipative", "any"},
            "any: gamma beyond -beta and beta too, where cycles may create energy and z may grow "
            "without limit; the claims are those of dissipative"),
    };
  };

  static constexpr Info info{
      .name = "bouc-wen",
      .sentence = "Smooth hysteresis whose internal displacement obeys one differential equation.",
      .equation = "z' = A u' − β|u'||z|ⁿ⁻¹z − γ u'|z|ⁿ,  f = a k u + (1 − a) k z",
      .citation =
          "Y.-K. Wen, Method for random vibration of hysteretic systems, Journal of the "
          "Engineering Mechanics Division 102 (1976) 249–263",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = holds,
                 .bounded = depends("a = 0 and beta + gamma > 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.ratios = {{"gamma", "beta", closed_interval(-1, 1)}},
            .look = {{"n", open_interval(0.5, 4)}},
            .springs = {"a"}};
  }

  explicit constexpr BoucWen(const Params& params, const Options& options = {})
      : BoucWen(checked(params, options), options, were_checked) {}
  constexpr BoucWen(const Params& params, const Options&, WereChecked) noexcept
      : Closed({.A = params.A,
                .loading_down = params.beta + params.gamma,
                .loading_up = params.beta + params.gamma,
                .unloading = params.beta - params.gamma,
                .spring = params.a * params.k,
                .hysteretic = (1.0 - params.a) * params.k,
                .n = params.n}) {
    if (std::abs(value_of(params.gamma)) <= value_of(params.beta)) return;
    free_.emplace(params.A, params.beta + params.gamma, params.beta - params.gamma, params.n);
    spring_ = params.a * params.k;
    hysteretic_ = (1.0 - params.a) * params.k;
  }

  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (!free_) return Closed::step(from, u, to);
    const int direction = u > from.u ? 1 : u < from.u ? -1 : from.direction;
    const double d = direction;
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from.z, d), Real(0)};
      to = from;
      return unchanged;
    }
    const auto leg = free_->advance(Real(d * from.z), Real(d * (u - from.u)));
    to.u = u;
    to.z = d * leg.y;
    to.f = spring_ * u + hysteretic_ * to.z;
    to.direction = direction;
    return {to.f, tangent(to.z, d), hysteretic_ * leg.lost, leg.status};
  }

  constexpr Real next_kink(const State& state, int direction) const noexcept {
    if (!free_) return Closed::next_kink(state, direction);
    const double d = direction;
    const Real y = d * state.z;
    if (y < 0.0) {
      const Real kink = state.u + d * free_->crossing(y);
      if (kink != state.u) return kink;
    }
    return Real(d * std::numeric_limits<double>::infinity());
  }

  bool run(std::span<const Real> u, State& at, std::span<Real> f) const noexcept
      requires(!std::is_same_v<Real, double>) {
    // Clang 14 looks into this body for double, too, when the law is instantiated as a whole.
    if constexpr (std::is_same_v<Real, double>)
      return false;
    else
      return !free_ && Closed::run(u, at, f);
  }

 private:
  constexpr Real tangent(const Real& z, double direction) const noexcept {
    return spring_ + hysteretic_ * free_->slope(Real(direction * z));
  }

  static constexpr const Params& checked(const Params& params, const Options& options) {
    check_fields(info.name, params);
    if (options.admissible == Admissible::any) return params;
    const double beta = value_of(params.beta);
    check_value(info.name, "gamma", value_of(params.gamma), closed_interval(-beta, beta));
    return params;
  }

  std::optional<bouc_wen::FreeFlow<Real>> free_{};  ///< of parameters that are not dissipative
  Real spring_{0}, hysteretic_{0};
};

}  // namespace microslip
