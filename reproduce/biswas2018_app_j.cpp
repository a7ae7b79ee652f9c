#include <cmath>

#include "own_joints.hpp"

// App. J: a joint with two bolts, whose heads rub on the plates with friction coefficients of their
// own. A joint of ours, for which shapes and ratios can be compared: slopes do not depend on
// friction, and the gap is proportional to it.

namespace microslip::reproduce {
namespace biswas2018_app_j_parts {

struct Case {
  double mu0, mu1, mu2, PL1, PL2;  // Table J.1
  const char* signal;
  double a0, a1, a2;           // Table J.2
  double alpha, sigma, wider;  // found here before; printed α and σ in Table J.3
  const char* printed;
};
constexpr Case cases[] = {{0.10, 0.10, 0.10, 20e3, 20e3, joint_inputs[0], 3.3689, 4.0765, 0.7565,
                           0.651, 0.019, 2, "printed (0.7223, 0.0627)"},
                          {0.20, 0.20, 0.20, 40e3, 40e3, joint_inputs[4], 5.0186, 6.9464, 1.0560,
                           0.6677, 0.0529, 2, "printed (0.6818, 0.1206)"},
                          {0.15, 0.15, 0.15, 40e3, 20e3, joint_inputs[0], 4.5717, 6.0402, 1.1333,
                           0.6612, 0.0531, 1.892, "printed (0.6554, 0.0587)"},
                          {0.15, 0.10, 0.20, 20e3, 40e3, joint_inputs[4], 6.4280, 8.4465, 1.1111,
                           0.7205, 0.0205, 1.631, "printed (0.6267, 0.0898)"},
                          {0.15, 0.20, 0.10, 40e3, 20e3, joint_inputs[0], 4.2293, 5.5430, 1.1224,
                           0.7079, 0.0512, 1.611, "printed (0.6584, 0.0597)"},
                          {0.15, 0.20, 0.10, 20e3, 40e3, joint_inputs[4], 4.1501, 5.4446, 1.1429,
                           0.7277, 0.0512, 2.194, "printed (0.6223, 0.0872)"}};

/// A steel bolt of 10 mm between faces 8 mm apart: bending and shear in series, N/mm.
double shear_stiffness() {
  const double d = 10, h = 8, E = 210e3, G = E / 2.6;
  const double bending = 12 * E * pi * std::pow(d, 4) / 64 / std::pow(h, 3);
  const double shear = 0.9 * G * pi * d * d / 4 / h;
  return 1 / (1 / bending + 1 / shear);
}

contact::TiedInterface joint(const Case& one, double heads) {
  const double k = shear_stiffness(), scale = input("friction over that of Table J.1", 1);
  return contact::LapJoint(steel_plates(120, 80, 4),
                           {.bolts = {{one.PL1, 20, 16, heads * one.mu1, k},
                                      {one.PL2, 60, 16, heads * one.mu2, k}}},
                           scale * one.mu0)
      .tied();
}

Outcome compute() {
  Outcome outcome;
  auto& to = outcome.comparisons;
  std::vector<io::Panel> panels;
  std::vector<Saturation> found;
  std::vector<double> alpha;
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    const Case& one = cases[i];
    const std::string name = "case " + std::to_string(i + 1) + ": ";
    const contact::TiedInterface own = joint(one, 1);
    found.push_back(saturation(own));
    const loops::Normalization exact = found.back().normalization();
    const JointLoop loop = follow(own, one.signal, one.a2 / exact.a2);
    const SharedFit fit = fit_shared({loop});
    to.push_back(judged(name + "rms of the two-state fit / gap",
                        rms_over_gap(loop, fit.force.front(), 2 / exact.a0),
                        "\"an excellent fit is obtained in every case\""));
    to.push_back(recorded(name + "α", one.alpha, 0.01, fit.alpha, one.printed));
    to.push_back(recorded(name + "σ", one.sigma, 0.005, fit.sigma));
    const double bare = saturation(joint(one, 0)).gap;
    const double wider = found.back().gap / bare;
    const std::string gap = name + "gap over that without friction under the heads";
    if (i < 2)
      to.push_back(independent(gap, one.wider, 0.005, wider,
                               "plates that bend slip under a head as far as between them, so the "
                               "friction of both adds: 1 + μ1/μ0"));
    else
      to.push_back(recorded(gap, one.wider, 0.01, wider));
    alpha.push_back(fit.alpha);
    panels.push_back(
        normalised_panel("case " + std::to_string(i + 1), exact, loop, fit.force.front()));
  }
  to.push_back(judged("largest less smallest α", largest(alpha) - smallest(alpha),
                      "\"these fitted parameters vary with joint details\"; printed 0.100"));
  // What can be compared with another joint: ratios of the cases, the third being the unit.
  const Saturation& unit = found[2];
  const Case& third = cases[2];
  for (const std::size_t i : {0u, 1u, 3u, 4u, 5u}) {
    const Case& one = cases[i];
    const std::string name = "case " + std::to_string(i + 1) + " over case 3: ";
    Comparison slope = printed(name + "final slope a1/a0", one.a1 / one.a0 * third.a0 / third.a1,
                               0.01, found[i].final_slope / unit.final_slope);
    if (i < 2)
      slope = differs(slope, "where all slips, the slope knows neither friction nor preload: 1");
    to.push_back(slope);
  }
  to.push_back(
      differs(printed("case 2 over case 1: gap 2/a0", cases[0].a0 / cases[1].a0, 0.01,
                      found[1].gap / found[0].gap),
              "friction limits of case 2 are four times those of case 1, and so is the gap "
              "of saturated loops; a loop of ±2.6 mm need not be saturated"));
  to.push_back(at_least("case 6 over case 4: gap", 1, found[5].gap / found[3].gap,
                        "more friction under the head of the weaker bolt widens the loop; printed "
                        "2/a0: 1.55"));
  outcome.figures.push_back({"", in_pairs(panels)});
  outcome.remark =
      "Dimensions are ours: plates of 120 × 4 mm, overlap 80 mm, bolts of 10 mm at 20 and 60 mm "
      "with washers of 16 mm, tied normals. Friction under head and nut acts through the shear "
      "stiffness of the bolt, 5.5e5 N/mm. The printed a0, a1 are those of another joint, so ratios "
      "between cases are compared; a2 sets how far the inputs go in normalised displacement.";
  return outcome;
}

}  // namespace biswas2018_app_j_parts

Entry biswas2018_app_j() {
  using namespace biswas2018_app_j_parts;
  return {"biswas2018-appJ",
          "Biswas 2018, figs J.1 and J.2, Tables J.1 and J.2",
          "A lap joint with two bolts and friction under their heads, computed here from geometry.",
          compute,
          {"friction over that of Table J.1", 1.05,
           "case 1: gap over that without friction under the heads"}};
}

}  // namespace microslip::reproduce
