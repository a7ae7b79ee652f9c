#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <variant>
#include <vector>

#include "microslip/catalog/files/structure_file.hpp"
#include "microslip/core/text.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"

/// A joint behind a massless point, over a resonance, in modes and against the load: against the structure that
/// it is by hand.
namespace microslip::catalog {
namespace massless_in_responses_test {

struct Pair {
  std::string massless, by_hand;
};

std::string joint(const std::string& model, const std::string& place) {
  return "[[joint]]\nmodel = \"" + model + "\"\n" + place + "\n";
}
std::string spring(const std::string& between, double k) {
  return "[[spring]]\nbetween = " + between + "\nk = " + number_text(k) + "\n";
}

/// Two sliders in parallel, k = 0.5, 0.3 and φ = 0.1, 0.2, yield at u = 0.2 (f = 0.16) and 2/3 (0.3). Behind a
/// spring of 2 those are u + f/2, and the slopes in between are those of two other sliders.
std::string masing_behind_a_spring() {
  const double first = 0.2 + 0.16 / 2, second = 2.0 / 3 + 0.3 / 2;
  const double k2 = (0.3 - 0.16) / (second - first), k1 = 0.16 / first - k2;
  return "masing(k=[" + number_text(k1) + "," + number_text(k2) + "],phi=[" +
         number_text(k1 * first) + "," + number_text(k2 * second) + "])";
}

std::vector<Pair> pairs() {
  const std::string point = "M = [1.0, 0.0]\nC = [0.02, 0.0]\n", mass = "M = [1.0]\nC = [0.02]\n";
  const std::string held = spring("[0, 1]", 1), to_point = "between = [0, 2]",
                    to = "between = [0, 1]";
  const std::string two = "C = [0.02, 0.02]\nK = [[1.0, -0.5], [-0.5, 1.0]]\n";
  return {
      // The point sits at the stiffness 5: 4/5 of the spring of 4 and of the motion are left.
      {point + spring("[2, 1]", 4) + spring("[0, 2]", 1) + joint("jenkins(k=2,phi=0.1)", to_point),
       mass + spring("[0, 1]", 0.8) +
           joint("jenkins(k=1.4285714285714286,phi=0.1)", "along = [0.8]")},
      {"M = [1.0, 1.0, 0.0]\nC = [0.02, 0.02, 0.0]\nK = [[1.0, -0.5, 0.0], [-0.5, 1.0, 0.0], "
       "[0.0, 0.0, 0.0]]\n" +
           spring("[3, 1]", 4) + joint("jenkins(k=4,phi=0.1)", "between = [3, 2]"),
       "M = [1.0, 1.0]\n" + two + joint("jenkins(k=2,phi=0.1)", "between = [1, 2]")},
      {point + held + spring("[2, 1]", 2) + joint("masing(k=[0.5,0.3],phi=[0.1,0.2])", to_point),
       mass + held + joint(masing_behind_a_spring(), to)},
      {point + held + spring("[2, 1]", 2) +
           joint("backlash(jenkins(k=2,phi=0.2),gap=0.3)", to_point),
       mass + held + joint("backlash(jenkins(k=1,phi=0.2),gap=0.3)", to)},
  };
}

dynamics::Structure structure_of(const std::string& text) {
  return parse_structure(
             text +
                 "[[load]]\nkind = \"harmonic\"\ndof = 1\namplitude = 0.2\n[[analysis]]\n"
                 "kind = \"frequency-response\"\nomega = [0.5, 2.5]\n",
             "test.toml")
      .structure;
}

/// Newton's method ends at 1e-9 of the forces, which a dashpot of 2 % makes 2e-8 of the motion.
constexpr double precision = 1e-7;

TEST(MasslessInResponses, a_joint_behind_a_point_is_the_joint_by_hand) {
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.massless);
    const dynamics::Structure point = structure_of(pair.massless),
                              mass = structure_of(pair.by_hand);
    dynamics::FrequencyResponseOptions options;
    options.from = 0.5;
    options.to = 2.5;
    options.harmonics = 9;
    options.at = {0.7, 0.9, 1, 1.1, 1.2, 1.4, 1.6, 2};
    const auto a = dynamics::frequency_response(point, options),
               b = dynamics::frequency_response(mass, options);
    EXPECT_EQ(a.end, dynamics::CurveEnd::reached);
    EXPECT_TRUE(a.leaps.empty());
    ASSERT_EQ(a.at.size(), b.at.size());
    EXPECT_GE(a.at.size(), options.at.size());
    double lost = 0;
    for (std::size_t i = 0; i < a.at.size(); ++i) {
      const dynamics::Phasor &p = a.at[i].first[0], &q = b.at[i].first[0];
      EXPECT_LE(std::abs(std::polar(p.amplitude, p.phase) - std::polar(q.amplitude, q.phase)),
                precision * q.amplitude)
          << a.at[i].omega;
      EXPECT_EQ(a.at[i].stability, b.at[i].stability) << a.at[i].omega;
      EXPECT_NEAR(a.at[i].energy[0], b.at[i].energy[0], precision * (1 + b.at[i].energy[0]));
      lost += b.at[i].energy[0];
    }
    EXPECT_GT(lost, 1e-3);  // a joint that sticks loses nothing
  }
}

TEST(MasslessInResponses, and_in_modes) {
  for (const Pair& pair : pairs()) {
    SCOPED_TRACE(pair.massless);
    dynamics::ModeOptions options;
    options.from = 0.02;
    options.to = 2;
    options.at = {0.1, 0.5, 1};
    options.harmonics = 7;
    const auto a = dynamics::nonlinear_mode(structure_of(pair.massless), options),
               b = dynamics::nonlinear_mode(structure_of(pair.by_hand), options);
    EXPECT_EQ(a.end, dynamics::CurveEnd::reached);
    ASSERT_EQ(a.at.size(), options.at.size());
    ASSERT_EQ(b.at.size(), options.at.size());
    for (std::size_t i = 0; i < a.at.size(); ++i) {
      EXPECT_NEAR(a.at[i].omega, b.at[i].omega, precision * b.at[i].omega);
      EXPECT_NEAR(a.at[i].zeta, b.at[i].zeta, precision);
    }
  }
}

}  // namespace massless_in_responses_test
}  // namespace microslip::catalog
