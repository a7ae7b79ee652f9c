#pragma once

/// # iwan-density: sliders with any density, given as a formula
///
///     f = ∫ρ(φ) stop_φ[u] dφ,   ρ(φ) a formula on (0, φmax), plus S δ(φ − φmax)
///
/// Elements that slip at the displacement φ have the stiffness ρ dφ. `iwan4` is the case
/// ρ = R φ^χ; a formula that ends smoothly at φmax replaces Segalman's peak by what one likes. The
/// formula must not be negative; at φ = 0 it may be infinite as long as ∫ρ is not.
///
/// The backbone has g'' = −ρ, so with K = ∫ρ dφ + S
///
///     g = K x − ∫₀ˣ (x − φ) ρ dφ,   g' = K − ∫₀ˣ ρ dφ,   D = ∫₀ˣ φ (x − φ) ρ dφ,
///
/// and beyond φmax g = Fs = ∫φρ dφ + S φmax, D = x Fs − ∫φ²ρ dφ − S φmax². The integrals are kept
/// at points that approach 0 by factors of four; from the nearest of them on they are quadrature with
/// error control (numerics/integral.hpp). Any history follows by Masing's rules.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/masing.hpp"
#include "microslip/detail/numerics/integral.hpp"

namespace microslip {

/// The formula has no parameters, so derivatives enter through x, φmax and S alone: integrals are
/// plain numbers, and g' = K − ∫ρ, g'' = −ρ, D' = g − x g' carry the rest.
template <Number Real>
class DensityBackbone {
 public:
  using Scalar = Real;

  DensityBackbone(const Expression& rho, const Real& phi_max, const Real& S)
      : rho_(rho), phi_max_(phi_max), end_(value_of(phi_max)) {
    constexpr int panels = 26;  // 4^−25 of φmax: 1e-15
    for (int i = panels - 1; i >= 0; --i) knots_.push_back({std::pow(0.25, i) * end_, {}});
    Moments sum{};
    double from = 0;
    for (Knot& knot : knots_) {
      sum = joined(sum, moments(from, knot.x), from, knot.x);
      knot.until = sum;
      from = knot.x;
    }
    const Real beyond = rho_(end_) * (phi_max_ - end_);  // 0, with its derivative
    K_ = sum.rho + beyond + S;
    Fs_ = sum.slipped + end_ * beyond + S * phi_max_;
    unspent_ = end_ * sum.slipped - sum.lost + end_ * end_ * beyond + S * square(phi_max_);
  }

  const Real& stiffness() const { return K_; }
  const Real& slip_force() const { return Fs_; }

  BackbonePoint<Real> at(const Real& x) const noexcept {
    if (x >= phi_max_) return {Fs_, Real(0), x * Fs_ - unspent_};
    const double place = value_of(x);
    const Moments m = up_to(place);
    if constexpr (std::is_same_v<Real, double>) {
      return {K_ * x - (place * m.rho - m.slipped), K_ - m.rho, m.lost};
    } else {
      const Real dx = x - place;
      const double density = place > 0 ? rho_(place) : 0;
      return {K_ * x - (place * m.rho - m.slipped) - m.rho * dx, K_ - m.rho - density * dx,
              m.lost + m.slipped * dx};
    }
  }
  Real next_kink(const Real& x) const noexcept {
    return x < phi_max_ ? phi_max_ : Real(std::numeric_limits<double>::infinity());
  }

 private:
  struct Moments {
    double rho;      ///< ∫ρ
    double slipped;  ///< ∫φρ
    double lost;     ///< ∫φ(x − φ)ρ, x the end
  };
  struct Knot {
    double x;
    Moments until;
  };

  /// From `from` to `x` alone.
  Moments moments(double from, double x) const noexcept {
    const double way = x - from;
    if (!(way > 0)) return {};
    const auto at = [&](double phi, double weight) {
      const double density = weight * rho_(phi);
      return Integrands<3>{{density, phi * density, phi * (x - phi) * density}};
    };
    const auto sum = unit_integral<Integrands<3>>([&](double s) {
      if (from > 0) return at(from + s * way, way);
      // At the origin φ = x s⁸ makes powers down to φ^−0.87 harmless.
      const double s2 = s * s, s4 = s2 * s2, phi = x * s4 * s4;
      return phi > 0 ? at(phi, 8 * x * s4 * s2 * s) : Integrands<3>{};
    });
    return {sum.values[0], sum.values[1], sum.values[2]};
  }
  /// ∫₀ˣφ(x − φ)ρ = ∫₀^from φ(from − φ)ρ + (x − from) ∫₀^from φρ + the rest.
  static Moments joined(const Moments& before, const Moments& rest, double from, double x) {
    return {before.rho + rest.rho, before.slipped + rest.slipped,
            before.lost + (x - from) * before.slipped + rest.lost};
  }
  Moments up_to(double x) const noexcept {
    const auto next = std::upper_bound(knots_.begin(), knots_.end(), x,
                                       [](double y, const Knot& knot) { return y < knot.x; });
    if (next == knots_.begin()) return moments(0, x);
    const Knot& knot = *(next - 1);
    return joined(knot.until, moments(knot.x, x), knot.x, x);
  }

  Expression rho_;
  Real phi_max_;
  double end_;
  Real K_, Fs_, unspent_;
  std::vector<Knot> knots_;
};

template <Number Real>
class IwanDensity : public MasingLaw<DensityBackbone<Real>> {
 public:
  struct Params {
    Expression rho = Expression::parse("2*(1-phi)", {"phi"});
    Real phi_max{1};
    Real S{0};

    static constexpr auto fields = std::tuple{
        field(&Params::rho, "rho", "F/L^2", Variables{"phi"},
              "density of sliders that slip at the displacement phi; not negative"),
        field(&Params::phi_max, "phi_max", "L", positive,
              "displacement at which the last slider slips"),
        field(&Params::S, "S", "F/L", non_negative,
              "stiffness of the sliders that slip at phi_max"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "iwan-density",
      .sentence = "A continuum of sliders with any density, given as a formula.",
      .equation = "f = ∫ρ(φ) stop_φ[u] dφ,  ρ(φ) on (0, φmax) + S δ(φ − φmax)",
      .citation =
          "W. D. Iwan, A distributed-element model for hysteresis and its steady-state dynamic "
          "response, Journal of Applied Mechanics 33 (1966) 893–900",
      .claims = masing_claims,
  };

  explicit IwanDensity(const Params& params, const Options& = {})
      : MasingLaw<DensityBackbone<Real>>(built(params)) {}

 private:
  static DensityBackbone<Real> built(const Params& p) {
    check_fields(info.name, p);
    const double end = value_of(p.phi_max);
    for (int i = 0; i < 400; ++i) {
      const double phi = end * (i < 200 ? std::pow(0.9, 200 - i) : (i - 199) / 201.0);
      const double rho = p.rho(phi);
      if (!(rho >= 0) || !std::isfinite(rho))
        throw Error("iwan-density.rho = " + p.rho.text() +
                    " must be 0 or more up to phi_max; at phi = " + number_text(phi) + " it is " +
                    number_text(rho));
    }
    if (!std::isfinite(p.rho(end)))
      throw Error("iwan-density.rho = " + p.rho.text() + " must have a value at phi_max");
    DensityBackbone<Real> backbone(p.rho, p.phi_max, p.S);
    if (!(backbone.stiffness() > 0.0) || !std::isfinite(value_of(backbone.stiffness())))
      throw Error("iwan-density.rho = " + p.rho.text() +
                  " must have an integral above 0 that is finite");
    return backbone;
  }
};

}  // namespace microslip
