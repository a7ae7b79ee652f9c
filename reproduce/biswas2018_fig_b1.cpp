#include <cmath>

#include "slider_histories.hpp"
#include "support.hpp"

// Complementarity against the regularised equation (also fig. 10 of Biswas and Chatterjee 2015).

namespace microslip::reproduce {
namespace biswas2018_fig_b1_parts {

constexpr const char* motion = "0.6748*sin(t) + 0.2887*sin(6.5581*t)";

Outcome compute() {
  const friction::System system = friction::iwan_system(50, 0.02);
  const std::size_t rows = 600;
  const double until = 12;
  const SliderHistory exact = follow(system, motion, until, rows);
  const double range = largest(exact.xi) - smallest(exact.xi);
  Outcome out;
  auto& to = out.comparisons;
  const SliderHistory lemke = follow(friction::iwan_system(50, input("mu0", 0.02)), motion, until,
                                     rows, rows, {.method = friction::Method::lemke});
  to.push_back(independent("largest difference of Lemke's increments to the exact path", 0, 1e-10,
                           largest_difference(lemke.xi, exact.xi)));
  std::vector<double> errors;
  SliderHistory printed_epsilon;
  for (const double epsilon : {0.012, 0.006, 0.003}) {
    printed_epsilon = follow(system, motion, until, rows, rows,
                             {friction::Method::regularised, epsilon, 1e-6, false});
    errors.push_back(largest_difference(printed_epsilon.xi, exact.xi) / range);
  }
  to.push_back(judged("difference of the regularised ξ over its range, ε = 0.003", errors.back(),
                      "the text: quite well"));
  to.push_back(independent("order of that difference in ε", 1, 0.2,
                           std::log2(errors.front() / errors.back()) / 2));
  std::vector<double> f, smooth;
  for (std::size_t i = 0; i < rows; ++i) {
    f.push_back(exact.f[i] - exact.xi[i]);
    smooth.push_back(exact.f[i] - printed_epsilon.xi[i]);
  }
  io::Panel panel{"",
                  {"u"},
                  {"f"},
                  {{"exact", exact.f, f, io::Style::solid, {}},
                   {"regularised, ε = 0.003", exact.f, smooth, io::Style::dashed, {}}}};
  out.figures = {{"", {"", {{{panel}, 8}}, 12}}};
  out.remark =
      "n = 50, μ0 = 0.02, ε = 0.003 and u(t) of eq. (3.6) are printed, the numbers of the curves "
      "are not; the text says that both match quite well. Eq. (3.5) as printed depends on the "
      "speed of u; ours is multiplied by |u̇|.";
  return out;
}

}  // namespace biswas2018_fig_b1_parts

Entry biswas2018_fig_b1() {
  using namespace biswas2018_fig_b1_parts;
  return {"biswas2018-figB.1",
          "Biswas (2018), fig. B.1, eq. (3.5); Biswas and Chatterjee (2015), fig. 10",
          "50 sliders: complementarity against the regularised equation.",
          compute,
          {"mu0", 1.05, "largest difference of Lemke's increments to the exact path"},
          "biswas2015-fig10"};
}

}  // namespace microslip::reproduce
