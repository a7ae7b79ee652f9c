#include <cmath>

#include "microslip/detail/numerics/signal.hpp"
#include "microslip/friction/builders.hpp"
#include "microslip/reduce/reduced_sliders.hpp"
#include "support.hpp"

// The two-state model from 500 parallel sliders: b̄ and Ā of section 3.3.
// The printed Ā come from random directions, a million in chapter 2. With two modes the functional
// depends on the angle alone, so equal angles are the limit of infinitely many of them; the scatter
// of a million is 0.0021, 0.0011, 0.0012 for α = 0.0008 and 0.0009, 0.0005, 0.0005 for α = 0.0012.

namespace microslip::reproduce {
namespace biswas2018_sec3_3_parts {

struct Case {
  double alpha;
  double b[2], A[3];  // as printed
  double scatter[3];  // of A11, A12, A22
};
constexpr Case cases[] = {
    {0.0008, {0.0326, 0.0068}, {24.8170, -10.0836, 6.2967}, {0.0021, 0.0011, 0.0012}},
    {0.0012, {0.0285, 0.0059}, {11.1372, -4.5175, 2.8222}, {0.0009, 0.0005, 0.0005}},
};

/// The elastic domain: corners of the zonotope, and the ellipse.
io::Panel domain(const std::string& title, const Eigen::MatrixXd& G, const Eigen::MatrixXd& A) {
  io::Curve exact{"zonotope", {}, {}, io::Style::solid};
  io::Curve ellipse{"ellipse of Ā", {}, {}, io::Style::dashed};
  for (int i = 0; i <= 720; ++i) {
    const Eigen::Vector2d eta(std::cos(i * pi / 360), std::sin(i * pi / 360));
    Eigen::Vector2d corner = Eigen::Vector2d::Zero();
    for (Eigen::Index j = 0; j < G.cols(); ++j)
      corner += (G.col(j).dot(eta) < 0 ? -1.0 : 1.0) * G.col(j);
    const Eigen::Vector2d point = A * eta / std::sqrt(eta.dot(A * eta));
    exact.x.push_back(corner[0]);
    exact.y.push_back(corner[1]);
    ellipse.x.push_back(point[0]);
    ellipse.y.push_back(point[1]);
  }
  return {title, {"s1 / μ0"}, {"s2 / μ0"}, {exact, ellipse}};
}

Outcome compute() {
  Outcome out;
  std::vector<io::Panel> panels;
  const auto system = friction::iwan_system(500, 1);
  for (const Case& one : cases) {
    const std::string name = one.alpha == 0.0008 ? "α = 0.0008" : "α = 0.0012";
    const auto p =
        reduce::project(system, reduce::analytic_modes(500, 2, input("alpha", one.alpha)));
    const auto fit = reduce::fit_ellipsoid(p.generators, {.directions = 10000});
    for (int i = 0; i < 2; ++i)
      out.comparisons.push_back(
          printed(name + ": b̄" + std::to_string(i + 1), one.b[i], 5e-5, p.b[i]));
    const double A[] = {fit.A(0, 0), fit.A(0, 1), fit.A(1, 1)};
    const char* names[] = {"Ā11", "Ā12", "Ā22"};
    for (int i = 0; i < 3; ++i)
      out.comparisons.push_back(
          printed(name + ": " + names[i], one.A[i], 3 * one.scatter[i], A[i]));
    out.comparisons.push_back(
        independent(name + ": K̄ = I/n", 0, 1e-15,
                    (p.K - Eigen::Matrix2d::Identity() / 500).cwiseAbs().maxCoeff()));
    out.comparisons.push_back(recorded(name + ": rms error of √(ηᵀĀη) against G", 0.0298, 1e-4,
                                       fit.error, "3 %: what the ellipse gives away"));
    panels.push_back(domain(name, p.generators, fit.A));
  }
  // Two b̄, three Ā, two more for the first α; then two b̄ of the second.
  Comparison& first = out.comparisons[9];
  first.known_to_differ = true;
  first.note =
      "0.08 % off, ten times the scatter of a million directions; the other five elements "
      "agree";
  out.figures = {{"", {"", {{panels, 6.5}}}}};
  out.remark =
      "The printed numbers belong to x in equal steps from 0 to 500, not to x = 1, 2, … as the "
      "text "
      "says, to orthonormal vectors by singular value decomposition, and to relative least "
      "squares, "
      "Σ(ηᵀAη/G² − 1)² → min.";
  return out;
}

}  // namespace biswas2018_sec3_3_parts

Entry biswas2018_sec3_3() {
  using namespace biswas2018_sec3_3_parts;
  return {"biswas2018-sec3.3",
          "Biswas (2018), section 3.3, eqs (3.8), (3.14), (3.17); Biswas and Chatterjee (2015), "
          "section 3",
          "The two-state model from 500 parallel sliders: b̄ and Ā for two values of α.",
          compute,
          {"alpha", 1.05, "α = 0.0008: b̄1"},
          "biswas2015-sec3"};
}

}  // namespace microslip::reproduce
