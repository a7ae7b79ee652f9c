#include "mathis2020_path_lines.hpp"

namespace microslip::reproduce {
namespace mathis2020_fig11_parts {

Outcome compute() {
  const Run run = simulate(path_lines::law(2), "sin(t)", 2.5 * pi, pi / 1000);
  const auto loading = [&](std::size_t i) {
    return (run.history.u[i] - run.history.u[i - 1]) * (run.history.f[i] + run.history.f[i - 1]) >
           0;
  };
  const auto unloading = [&](std::size_t i) { return !loading(i); };
  Outcome out;
  out.comparisons = path_lines::comparisons(2, run);
  io::Panel panel{"",
                  {"displacement u"},
                  {"z"},
                  {pieces(run, "u̇ z > 0", loading), pieces(run, "u̇ z < 0", unloading)}};
  out.figures = {{"", {"", {{{panel}, 8}}, 12}}};
  out.remark = std::string(path_lines::remark) + " The amplitude is taken as 1.";
  return out;
}

}  // namespace mathis2020_fig11_parts

Entry mathis2020_fig11() {
  using namespace mathis2020_fig11_parts;
  return {"mathis2020-fig11",
          "Mathis et al. (2020), fig. 11, eqs (34), (38), (45)",
          "Loop of Bouc–Wen with n = 2, path line by path line.",
          compute,
          {"bouc-wen.gamma", 1.05, "largest deviation from the path lines, by (45)"}};
}

}  // namespace microslip::reproduce
