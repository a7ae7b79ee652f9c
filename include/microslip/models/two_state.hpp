#pragma once

/// # two-state: plasticity with an elliptic elastic domain, from many sliders
///
/// Two slip states q stand for a whole frictional interface:
///
///     f = (1 + ks) u − bᵀq,   s = b u − α q,   A = μ diag(σ, 1).
///
/// No slip while s lies inside the ellipse sᵀA⁻¹s ≤ 1; otherwise q slips along the outward normal
/// A⁻¹s so that s stays on it. The papers find the slip direction by a 4×4 eigenproblem and advance
/// by an explicit map; this is the rate-independent limit of that map, integrated exactly
/// (kernels/ellipse_flow.hpp) for any size of step.
///
/// With k∞ = 1 + ks − |b|²/α and R = √(bᵀA b):
///
///     f = k∞ u + bᵀs/α,   Ψ = ½ k∞ u² + |s|²/(2α),   dissipation ∫ sᵀdq.
///
/// First slope 1 + ks, saturated slope k∞, saturated half gap R/α (thesis, eqs 4.12–4.17). With
/// b1 = √(α(1−α)/(1−σ)), b2 = √(α(α−σ)/(1−σ)), μ = 1 and ks = 0 (eqs 4.18–4.19) they are 1, 0 and
/// 1; the defaults are this with α = 2/3, σ = 1/16 (eq. 4.20, bolted lap joints).
///
/// Units: the law is written for a stiffness of 1 F/L, to which ks adds. (α, μ, b) → (r²α, r²μ, r
/// b) changes nothing, so μ is never fitted together with the others.
///
/// The law is not Masing unless b is an eigenvector of A: then it is a Jenkins element and a spring
/// in parallel.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/comparison/printed_two_state.hpp"
#include "microslip/detail/kernels/ellipse_flow.hpp"
#include "microslip/detail/kernels/slip_law.hpp"

namespace microslip {

template <Number Real>
class TwoState : public SlipLaw<Real, EllipseFlow<Real>> {
  using Base = SlipLaw<Real, EllipseFlow<Real>>;
  using Base::first_slope_, Base::last_slope_, Base::per_alpha_, Base::flow_;

 public:
  using typename Base::State;
  /// The law with the method exact alone; a TwoState is one, too.
  using Exact = Base;

  struct Params {
    Real mu{1};
    Real sigma{0.0625};
    Real alpha{0.6666666666666666};
    Real b1{0.48686449556014766};  // √(α(1−α)/(1−σ))
    Real b2{0.65546138683345};     // √(α(α−σ)/(1−σ))
    Real ks{0};

    static constexpr auto fields = std::tuple{
        field(&Params::mu, "mu", "F^2", positive,
              "size of the elastic domain, A = mu diag(sigma, 1)"),
        field(&Params::sigma, "sigma", "1", positive,
              "ratio of the squared half axes of the elastic domain"),
        field(&Params::alpha, "alpha", "F/L", positive, "stiffness against slip of each state"),
        field(&Params::b1, "b1", "F/L", any_number,
              "coupling of the displacement to the first state"),
        field(&Params::b2, "b2", "F/L", any_number,
              "coupling of the displacement to the second state; b1 and b2 must not both be 0"),
        field(&Params::ks, "ks", "F/L", any_number,
              "stiffness in parallel, added to the first slope of 1 F/L"),
    };
  };

  enum class Method { exact, incremental, ode, patched };
  struct Options {
    Method method = Method::exact;
    double tolerance = 1e-8;  // of ode: far below what the papers' figures show

    static constexpr auto fields = std::tuple{
        option(&Options::method, "method", {"exact", "incremental", "ode", "patched"},
               "exact flow, or a method of the papers: one explicit map a row, their differential "
               "equation, the map with an explicit slip direction"),
        option(&Options::tolerance, "tolerance", closed_interval(1e-13, 1e-1),
               "local error of the method ode relative to the size of the elastic domain"),
    };
  };

  static constexpr Info info{
      .name = "two-state",
      .sentence = "Two slip states inside an elliptic elastic domain: a reduced many-slider joint.",
      .equation =
          "f = (1 + ks) u − bᵀq,  s = b u − α q,  sᵀA⁻¹s ≤ 1,  dq = λ A⁻¹s,  λ ≥ 0,  "
          "A = mu diag(σ, 1)",
      .citation =
          "S. Biswas, A. Chatterjee, A two-state hysteresis model from high-dimensional friction, "
          "Royal Society Open Science 2 (2015) 150188; S. Biswas, PhD thesis, IIT Kanpur (2018)",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = depends("b is an eigenvector of A"),
                 .return_point_memory = depends("b is an eigenvector of A"),
                 .minor_loops_close = depends("b is an eigenvector of A"),
                 .dissipative = holds,
                 .bounded = depends("k∞ = 0, that is |b|² = α(1 + ks)"),
                 .planar_isotropic = not_applicable},
  };

  /// (α, μ, b) → (r²α, r²μ, r b) and the exchange of the two states change nothing: the agreed
  /// parameters have μ = 1, σ ≤ 1 and b ≥ 0.
  static void choose_mu(const std::string& prefix, ParameterValues& all) {
    using std::abs, std::sqrt;
    const auto number = [&](const char* name) { return std::get<double>(all.at(prefix + name)); };
    double mu = number("mu"), sigma = number("sigma");
    double b1 = abs(number("b1")), b2 = abs(number("b2"));
    if (sigma > 1) {
      mu *= sigma;
      sigma = 1 / sigma;
      std::swap(b1, b2);
    }
    all[prefix + "alpha"] = number("alpha") / mu;
    all[prefix + "mu"] = 1.0;
    all[prefix + "sigma"] = sigma;
    all[prefix + "b1"] = b1 / sqrt(mu);
    all[prefix + "b2"] = b2 / sqrt(mu);
  }

  static FitHints fit_hints() {
    return {.bounds = {{"b1", positive}, {"b2", positive}},
            .look = {{"sigma", open_interval(1e-3, 1)}},
            .canonical = {{&choose_mu, {"mu", "sigma", "alpha", "b1", "b2"}}}};
  }

  explicit constexpr TwoState(const Params& params, const Options& options = {})
      : TwoState(checked(params, options), options, were_checked) {}
  constexpr TwoState(const Params& params, const Options& options, WereChecked) noexcept
      : Base(EllipseFlow<Real>(params.mu * params.sigma, params.mu, params.b1, params.b2),
             1.0 + params.ks,
             1.0 + params.ks - (square(params.b1) + square(params.b2)) / params.alpha,
             params.alpha),
        p_(params),
        options_(options) {}

  /// The papers' methods slip late, but next_kink answers as for the exact one.
  constexpr Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if constexpr (std::same_as<Real, double>)
      if (options_.method != Method::exact && u != from.u) return printed_step(from, u, to);
    return Base::step(from, u, to);
  }

 private:
  static constexpr const Params& checked(const Params& params, const Options& options) {
    check_fields(info.name, params);
    if (value_of(params.b1) == 0 && value_of(params.b2) == 0)
      throw Error("two-state.b1 = 0 and two-state.b2 = 0 must not both be 0");
    if (options.method != Method::exact) check_method(params, options);
    return params;
  }

  static void check_method(const Params& params, const Options& options) {
    const std::string name(
        std::get<0>(Options::fields).choices[static_cast<std::size_t>(options.method)]);
    if constexpr (!std::same_as<Real, double>)
      throw Error("two-state.method = " + name +
                  " has no derivatives; only the method exact has them");
    if (options.method == Method::patched && value_of(params.b1) * value_of(params.b2) == 0)
      throw Error("two-state.method = patched needs b1 and b2 different from 0");
  }

  /// The papers' methods give q and so f; what they lose is defined by the energy balance with the
  /// work of the mean force, ½(f₀ + f₁) Δu − ΔΨ.
  template <std::same_as<double> Plain>
  Response<Plain> printed_step(const State& from, const Plain& u, State& to) const noexcept {
    const double du = u - from.u;
    const double f_before = from.f;
    const double stored_before = this->stored(from);
    const auto [x1, x2] = flow_.on_axes(from);
    const PrintedTwoState printed({p_.mu * p_.sigma, p_.mu}, p_.alpha, {p_.b1, p_.b2});
    const PrintedTwoState::Move move = printed_move(printed, printed.s_at(x1, x2), du);
    const Vec2<double> x = printed.x_at(move.s);
    to = from;
    if (move.status != Status::ok) return {from.f, 0, 0, move.status};
    flow_.place(to, x[0], x[1]);
    to.slipping = move.slip_rate.isZero(0) ? 0 : du > 0 ? 1 : -1;
    to.u = u;
    to.f = last_slope_ * u + per_alpha_ * flow_.pull(to);
    return {to.f, first_slope_ - printed.b().dot(move.slip_rate),
            0.5 * (f_before + to.f) * du - (this->stored(to) - stored_before)};
  }

  PrintedTwoState::Move printed_move(const PrintedTwoState& printed, const Vec2<double>& s,
                                     double du) const noexcept {
    switch (options_.method) {
      case Method::ode:
        return printed.ode(s, du, options_.tolerance);
      case Method::patched:
        return printed.patched(s, du);
      default:
        return printed.incremental(s, du);
    }
  }

  Params p_;  ///< for the methods of the papers
  Options options_;
};

}  // namespace microslip
