#include "mathis2020_path_lines.hpp"

namespace microslip::reproduce {
namespace mathis2020_fig9_parts {

Outcome compute() {
  const Run run = simulate(path_lines::law(2), "sin(t)", 6 * pi, pi / 1000);
  Outcome out;
  out.comparisons = path_lines::comparisons(2, run);
  out.figures = {{"", {"", {{{{"", {"displacement u"}, {"z"}, {loop(run)}}}, 8}}, 12}}};
  out.remark = std::string(path_lines::remark) +
               " \"Several periods\" is taken as three, and the amplitude as 1.";
  return out;
}

}  // namespace mathis2020_fig9_parts

Entry mathis2020_fig9() {
  using namespace mathis2020_fig9_parts;
  return {"mathis2020-fig9",
          "Mathis et al. (2020), fig. 9, eqs (34), (45)",
          "Loop of Bouc–Wen with n = 2 over several periods.",
          compute,
          {"bouc-wen.gamma", 1.05, "largest deviation from the path lines, by (45)"}};
}

}  // namespace microslip::reproduce
