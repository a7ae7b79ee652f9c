#pragma once

#include <string_view>
#include <tuple>

#include "microslip/core/field.hpp"

/// Rows of parameters that Bouc–Wen laws have in common.
namespace microslip::bouc_wen_rows {

template <class P>
constexpr auto A() {
  return field(&P::A, "A", "1", positive, "slope of z against u at z = 0");
}
template <class P>
constexpr auto beta() {
  return field(&P::beta, "beta", "L^-n", non_negative,
               "part of the slope lost with |z|^n in loading and gained in unloading");
}
template <class P>
constexpr auto gamma(std::string_view sentence =
                         "part of the slope lost with |z|^n in both; between -beta and beta") {
  return field(&P::gamma, "gamma", "L^-n", any_number, sentence);
}
template <class P>
constexpr auto n(Interval bounds = positive) {
  return field(&P::n, "n", "1", bounds, "sharpness of the knee");
}
template <class P>
constexpr auto k(std::string_view sentence = "stiffness at rest when A = 1") {
  return field(&P::k, "k", "F/L", positive, sentence);
}
template <class P>
constexpr auto a() {
  return field(&P::a, "a", "1", closed_interval(0, 1),
               "share of the stiffness that is a plain spring");
}
template <class P>
constexpr auto uy() {
  return field(&P::uy, "uy", "L", positive, "yield displacement");
}
template <class P>
constexpr auto kappa() {
  return field(&P::kappa, "kappa", "1", closed_interval(0, 1),
               "stiffness after yield over stiffness before");
}
/// Of laws in ductility, where γ = 1 − β.
template <class P>
constexpr auto shape() {
  return field(&P::beta, "beta", "1", Interval{.lo = 0.5, .lo_open = false},
               "shape of unloading: straight at 1/2, steeper above");
}

}  // namespace microslip::bouc_wen_rows

namespace microslip {

/// Of Bouc–Wen laws in ductility with a stiffness after yield, on a line and in the plane.
template <class Real>
struct HardeningParams {
  Real fp{1};
  Real uy{1};
  Real kappa{0.1};
  Real beta{0.5};
  Real n{2};

  static constexpr auto fields = std::tuple{
      field(&HardeningParams::fp, "fp", "F", positive, "plastic force"),
      bouc_wen_rows::uy<HardeningParams>(),
      bouc_wen_rows::kappa<HardeningParams>(),
      bouc_wen_rows::shape<HardeningParams>(),
      bouc_wen_rows::n<HardeningParams>(),
  };
};

}  // namespace microslip
