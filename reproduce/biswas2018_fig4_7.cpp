#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "support.hpp"

// Two-state loops with prescribed final slope s0 = 0, gap h = 2 and first slope s1 = 1 (eq. 4.1).
// The numbers to 9 and more digits are from tests/reference/two_state.py, which integrates the slip
// direction as an ordinary differential equation.

namespace microslip::reproduce {
namespace biswas2018_fig4_7_parts {

constexpr double alpha = 0.5, sigma = 0.49;

/// Slopes and gap, far out where the loop is saturated.
void compare_shape(const ModelSpec& law, std::vector<Comparison>& to) {
  const Run run = simulate(law, {60, -60, -59});
  const auto& f = run.history.f;
  to.push_back(printed("s0: final slope", 0, 1e-10, run.history.tangent[0]));
  to.push_back(printed("h: gap between the saturated branches", 2, 1e-10, f[0] - f[1]));
  to.push_back(printed("s1: slope after a reversal", 1, 1e-9, f[2] - f[1]));
}

/// Where slip begins, from rest and after a reversal at saturation.
void compare_elastic_range(const ModelSpec& law, double b1, double b2,
                           std::vector<Comparison>& to) {
  const AnyModel model = make(law);
  AnyState state = model.rest();
  const double beta2 = b1 * b1 / sigma + b2 * b2;
  to.push_back(independent("first slip at u = 1/√(bᵀA⁻¹b)", 1 / std::sqrt(beta2), 1e-12,
                           model.next_kink(state, 1)));
  model.step(state, 60, 1, state);
  // Across the ellipse along A^{−1/2}b: 2|b|²/(√(bᵀAb) bᵀA⁻¹b), and |b|² = α here.
  const double across = 2 * alpha / (std::sqrt(sigma * b1 * b1 + b2 * b2) * beta2);
  to.push_back(independent("elastic range after a saturated reversal", across, 1e-10,
                           60 - model.next_kink(state, -1)));
}

void compare_a(const Run& run, std::vector<Comparison>& to) {
  append(to, independent, "(a) force at turning point",
         {0.999912121896058, -0.999994727115122, 0.999994146099003, -0.999994156462946}, 1e-11,
         at(run.history.f, run.turns()));
  to.push_back(independent("(a) force at u = 0, t = 4π", 0.999054556204, 1e-11,
                           run.history.f[run.row_at(4 * pi)]));
  to.push_back(independent("(a) energy of a steady cycle", 15.96130969, 1e-6,
                           run.work(run.row_at(6 * pi), run.row_at(8 * pi))));
}

void compare_b(const Run& run, std::vector<Comparison>& to) {
  auto turns = run.turns();
  turns.resize(10);
  append(to, independent, "(b) displacement of turning point",
         {2.534004854757, 0.882507448166, 4.5, 0.882507448166, 2.534004854757}, 1e-11,
         at(run.history.u, turns));
  append(to, independent, "(b) force at turning point",
         {0.998925771636, -0.652571634955, 0.999853850470, -0.996693419969, 0.654803986622,
          -0.999896147478, 0.651601259113, -0.999985979835, 0.996259014717, -0.655238391874},
         1e-11, at(run.history.f, turns));
  std::vector<double> works;
  for (const double cycle : {0, 1, 2})
    works.push_back(run.work(run.row_at(cycle * 2 * pi), run.row_at((cycle + 1) * 2 * pi)));
  append(to, independent, "(b) work in cycle", {13.461198, 13.962222, 13.962225}, 1e-5, works);
}

Outcome compute() {
  const auto [b1, b2] = normalized_b(alpha, sigma);
  const ModelSpec law = two_state(alpha, sigma, b1, b2);
  const Run a = simulate(law, "5*sin(t)", 8 * pi, pi / 1000);
  const Run b = simulate(law, "3*sin(t) + 1.5*sin(5*t)", 6 * pi, pi / 1000);

  Outcome out;
  compare_shape(law, out.comparisons);
  compare_elastic_range(law, b1, b2, out.comparisons);
  compare_a(a, out.comparisons);
  compare_b(b, out.comparisons);
  const io::Axis u{"displacement u"}, f{"force f"};
  out.figures = {
      {"",
       {"",
        {{{{"(a) u = 5 sin t", u, f, {loop(a)}}, {"(b) u = 3 sin t + 1.5 sin 5t", u, f, {loop(b)}}},
          6}}}}};
  out.remark =
      "The text announces different choices of α and σ and prints α = 0.5, σ = 0.49 for both "
      "parts; "
      "one of them is probably a misprint. Both parts are computed as printed.";
  return out;
}

}  // namespace biswas2018_fig4_7_parts

Entry biswas2018_fig4_7() {
  using namespace biswas2018_fig4_7_parts;
  return {"biswas2018-fig4.7",
          "Biswas (2018), fig. 4.7, eqs (4.1), (4.18)–(4.19)",
          "Two-state loops of prescribed final slope, gap and first slope.",
          compute,
          {"two-state.sigma", 1.05, "h: gap between the saturated branches"}};
}

}  // namespace microslip::reproduce
