#pragma once

/// # linear: a spring
///
///     f = k u
///
/// No memory and no loss: the part that stays elastic when other laws are added to it.

#include <complex>
#include <limits>
#include <tuple>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"

namespace microslip {

template <Number Real>
class Linear {
 public:
  using Scalar = Real;

  struct Params {
    Real k{1};
    static constexpr auto fields =
        std::tuple{field(&Params::k, "k", "F/L", non_negative, "stiffness")};
  };
  using Options = NoOptions;
  struct State {
    Real u{0};
    Real f{0};
    static constexpr auto fields = std::tuple{state_field(&State::u, "u", "L", "displacement"),
                                              state_field(&State::f, "f", "F", "force")};
  };

  static constexpr Info info{
      .name = "linear",
      .sentence = "A spring: the elastic part of a sum of laws.",
      .equation = "f = k u",
      .citation = "R. Hooke, De Potentia Restitutiva, London (1678)",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = holds,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() { return {.spring = true}; }

  explicit constexpr Linear(const Params& params, const Options& options = {})
      : Linear(checked_fields(info.name, params), options, were_checked) {}
  constexpr Linear(const Params& params, const Options&, WereChecked) noexcept : k_(params.k) {}

  constexpr State rest() const { return {}; }
  constexpr Response<Real> step(const State&, const Real& u, State& to) const noexcept {
    to.u = u;
    to.f = k_ * u;
    return {to.f, k_, Real(0)};
  }
  constexpr Real stored(const State& state) const noexcept { return 0.5 * k_ * state.u * state.u; }
  constexpr Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }
  std::complex<double> dynamic_stiffness(double /*omega*/) const { return value_of(k_); }

 private:
  Real k_;
};

}  // namespace microslip
