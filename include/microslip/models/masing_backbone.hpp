#pragma once

/// # masing-backbone: any backbone with Masing's rules
///
///     virgin: f = sgn(u) g(|u|);   after a reversal: f = f_r + 2 d g(|u − u_r|/2)
///
/// g is a formula in u, used for u ≥ 0 and continued as an odd function: tanh(u), u/(1+u),
/// 1 - exp(-u) … It must start at the origin. Where it is concave the law is a parallel system of
/// sliders with the density −g''; where it is not, the same rules hold but energy may be created.
///
/// Energy needs G(x) = ∫₀ˣ g: by adaptive Gauss–Kronrod quadrature to rounding.

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <limits>
#include <tuple>
#include <utility>

#include "microslip/core/concepts.hpp"
#include "microslip/core/masing.hpp"

namespace microslip {

/// Backbone given by a formula.
template <Number Real>
struct FormulaBackbone {
  using Scalar = Real;
  Expression g;

  BackbonePoint<Real> at(const Real& x) const noexcept {
    const Real force = g(x);
    const Real slope = g(ceres::Jet<Real, 1>(x, 0)).v[0];
    const double end = value_of(x);
    const Real area = integral(end) + value_of(force) * (x - end);  // dG/dx = g
    return {force, slope, 2.0 * area - x * force};
  }
  Real next_kink(const Real&) const noexcept {
    return Real(std::numeric_limits<double>::infinity());
  }

 private:
  double integral(double end) const noexcept {
    using boost::math::quadrature::gauss_kronrod;
    if (end == 0) return 0;
    return gauss_kronrod<double, 31>::integrate([&](double s) { return g(s); }, 0.0, end, 15,
                                                4 * std::numeric_limits<double>::epsilon());
  }
};

template <Number Real>
class MasingBackbone : public MasingLaw<FormulaBackbone<Real>> {
 public:
  struct Params {
    Expression g = Expression::parse("tanh(u)", {"u"});

    static constexpr auto fields = std::tuple{
        field(&Params::g, "g", "F", Variables{"u"}, "virgin curve for u ≥ 0, with g(0) = 0"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "masing-backbone",
      .sentence = "Any virgin curve, given as a formula, continued by Masing's rules.",
      .equation = "virgin: f = sgn(u) g(|u|);  after a reversal: f = f_r + 2 d g(|u − u_r|/2)",
      .citation =
          "D. J. Segalman, M. J. Starr, Relationships among certain joint constitutive "
          "models, Sandia National Laboratories SAND2004-4321 (2004)",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = holds,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = depends("g is concave"),
                 .bounded = depends("g is bounded"),
                 .planar_isotropic = not_applicable},
  };

  explicit MasingBackbone(const Params& params, const Options& = {})
      : MasingLaw<FormulaBackbone<Real>>({params.g}) {
    check_fields(info.name, params);
    const double start = params.g(0.0);
    if (start != 0)
      throw Error("masing-backbone.g = " + params.g.text() + " must be 0 at u = 0; it is " +
                  number_text(start));
  }
};

}  // namespace microslip
