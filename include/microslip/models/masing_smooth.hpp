#pragma once

/// # masing-smooth: parallel sliders with rounded corners
///
///     z_i' = k_i (1 − ½(1 + sgn(u' z_i)) |z_i/φ_i|^m) u',   f = Σ z_i
///
/// `masing` with each Jenkins element replaced by a Bouc–Wen one: elastic with k_i whenever it
/// unloads, and approaching φ_i with a knee that sharpens with m; m → ∞ gives `masing` back. Being
/// Bouc–Wen elements they do not obey Masing's rules. In kernels/bouc_wen.hpp, for z_i/φ_i:
/// A = k_i/φ_i, which is the loading coefficient too, and unloading coefficient 0. (φ_i^m itself
/// leaves the range of numbers: 1000 N and m = 150.)
///
/// The source asks for m > 1, where its approximation of sgn is meant; any m ≥ 0.1 is a law here:
/// below, forces are of the size of m and mostly rounding.
///
/// Energy: Ψ = Σ z_i²/(2k_i); element i loses |z_i||z_i/φ_i|^m per displacement while it loads.

#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/bouc_wen.hpp"

namespace microslip {

template <Number Real>
class MasingSmooth {
 public:
  using Scalar = Real;

  struct Params {
    std::vector<Real> k{Real(0.5), Real(0.3), Real(0.2)};
    std::vector<Real> phi{Real(0.25), Real(0.3), Real(0.45)};
    Real m{4};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "stiffness of each element"),
        field(&Params::phi, "phi", "F", positive, "force that each element tends to"),
        field(&Params::m, "m", "1", Interval{.lo = 0.1, .lo_open = false},
              "sharpness of the knees"),
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
        state_field(&State::z, "z", "F", "force of each element"),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "masing-smooth",
      .sentence = "Parallel elastic-plastic elements with rounded knees.",
      .equation = "z_i' = k_i (1 − ½(1 + sgn(u' z_i))|z_i/φ_i|^m) u',  f = Σ z_i",
      .citation =
          "J. Awrejcewicz, L. Dzyubak, C.-H. Lamarque, Modelling of hysteresis using "
          "Masing–Bouc–Wen's framework and search of conditions for the chaotic responses, "
          "Communications in Nonlinear Science and Numerical Simulation 13 (2008) 939–958",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = fails,
                 .return_point_memory = fails,
                 .minor_loops_close = fails,
                 .dissipative = holds,
                 .bounded = holds,
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.elements = {{.by = "phi", .over = "k", .sliders = true}}};
  }

  explicit MasingSmooth(const Params& params, const Options& = {})
      : k_(checked(params).k), phi_(params.phi), flow_(params.m) {}

  State rest() const {
    State state;
    state.z.assign(k_.size(), Real(0));
    return state;
  }

  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (!resized(to.z, k_.size())) return {from.f, Real(0), Real(0), Status::out_of_memory};
    const bool still = u == from.u;
    const int direction = u > from.u ? 1 : u < from.u ? -1 : from.direction;
    const double d = direction;
    const Real length = d * (u - from.u);
    Real force = still ? from.f : Real(0);
    Real tangent(0), lost(0);
    for (std::size_t i = 0; i < k_.size(); ++i) {
      const Real slope = k_[i] / phi_[i];
      Real y = d * from.z[i] / phi_[i];
      if (still) {
        to.z[i] = from.z[i];
      } else {
        const auto leg = flow_.advance(slope, slope, Real(0), y, length);
        y = leg.y;
        to.z[i] = d * phi_[i] * y;
        force += to.z[i];
        lost += phi_[i] * leg.lost;
      }
      tangent += phi_[i] * flow_.rate(slope, slope, Real(0), y);
    }
    to.u = u;
    to.f = force;
    to.direction = direction;
    return {force, tangent, lost};
  }

  Real stored(const State& state) const noexcept {
    Real sum(0);
    for (std::size_t i = 0; i < k_.size(); ++i) sum += square(state.z[i]) / (2.0 * k_[i]);
    return sum;
  }

  /// The first element whose force changes sign.
  Real next_kink(const State& state, int direction) const noexcept {
    const double d = direction;
    Real nearest(d * std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < k_.size(); ++i) {
      const Real kink = state.u - state.z[i] / k_[i];
      if (d * (kink - state.u) > 0.0 && d * (kink - nearest) < 0.0) nearest = kink;
    }
    return nearest;
  }

 private:
  static const Params& checked(const Params& params) {
    check_fields(info.name, params);
    check_same_length(info.name, "k", params.k.size(), "phi", params.phi.size());
    return params;
  }
  static bool resized(std::vector<Real>& z, std::size_t size) noexcept {
    try {
      z.resize(size);
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  std::vector<Real> k_, phi_;
  bouc_wen::Flow<Real> flow_;
};

}  // namespace microslip
