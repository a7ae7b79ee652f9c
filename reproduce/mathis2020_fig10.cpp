#include "mathis2020_path_lines.hpp"

namespace microslip::reproduce {
namespace mathis2020_fig10_parts {

Outcome compute() {
  const Run run = simulate(path_lines::law(1), "sin(t)", 2.5 * pi, pi / 1000);
  const auto on = [&](bool rising, bool positive) {
    return [&run, rising, positive](std::size_t i) {
      return (run.history.u[i] > run.history.u[i - 1]) == rising &&
             (run.history.f[i] + run.history.f[i - 1] > 0) == positive;
    };
  };
  Outcome out;
  out.comparisons = path_lines::comparisons(1, run);
  io::Panel panel{
      "",
      {"displacement u"},
      {"z"},
      {pieces(run, "u̇ > 0, z > 0", on(true, true)), pieces(run, "u̇ < 0, z > 0", on(false, true)),
       pieces(run, "u̇ < 0, z < 0", on(false, false)),
       pieces(run, "u̇ > 0, z < 0", on(true, false))}};
  out.figures = {{"", {"", {{{panel}, 8}}, 12}}};
  out.remark = path_lines::remark;
  return out;
}

}  // namespace mathis2020_fig10_parts

Entry mathis2020_fig10() {
  using namespace mathis2020_fig10_parts;
  return {"mathis2020-fig10",
          "Mathis et al. (2020), fig. 10, eqs (34), (37), (43)",
          "Loop of Bouc–Wen with n = 1, path line by path line.",
          compute,
          {"bouc-wen.gamma", 1.05, "largest deviation from the path lines, by (43)"}};
}

}  // namespace microslip::reproduce
