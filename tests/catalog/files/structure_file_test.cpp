#include "microslip/catalog/files/structure_file.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/dynamics/structure/modes.hpp"
#include "microslip/io/file.hpp"
#include "support/paths.hpp"

namespace microslip::catalog {
namespace structure_file_test {

constexpr const char* two_masses = R"(
M = [1.0, 2.0]
K = [[3, -1], [-1, 1]]
[[spring]]
between = [0, 2]
k = 0.5
[[damper]]
along = [1, -2]
c = 0.1
[[joint]]
model = "jenkins"
set = { k = 0.25, phi = 0.2 }
between = [1, 2]
[[load]]
kind = "harmonic"
dof = 2
amplitude = 0.2
[[analysis]]
kind = "frequency-response"
omega = [0.7, 1.2]
)";

std::string refusal(const std::string& text) {
  try {
    parse_structure(text, "s.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(StructureFile, puts_the_structure_together) {
  const StructureFile file = parse_structure(two_masses, "s.toml");
  const dynamics::Structure& s = file.structure;
  EXPECT_EQ(Eigen::MatrixXd(s.M), (Eigen::Matrix2d() << 1, 0, 0, 2).finished());
  EXPECT_EQ(Eigen::MatrixXd(s.K), (Eigen::Matrix2d() << 3, -1, -1, 1.5).finished());
  EXPECT_TRUE(
      Eigen::MatrixXd(s.C).isApprox((Eigen::Matrix2d() << 0.1, -0.2, -0.2, 0.4).finished()));
  ASSERT_EQ(s.joints.size(), 1u);
  EXPECT_EQ(s.joints[0].w.dense(), Eigen::Vector2d(-1, 1));
  EXPECT_EQ(s.loads[0].direction, Eigen::Vector2d(0, 1));
  EXPECT_EQ(file.analyses[0].omega, (std::vector<double>{0.7, 1.2}));
  EXPECT_EQ(std::get<double>(file.laws[0].parameters.at("phi")), 0.2);
}

TEST(StructureFile, dotted_names_of_a_sum_are_names) {
  std::string text = replaced(two_masses, "\"jenkins\"", "\"jenkins+linear\"");
  text = replaced(text, "k = 0.25, phi = 0.2", "jenkins.k = 0.25, phi = 0.2, linear = { k = 3 }");
  const ParameterValues parameters = parse_structure(text, "s.toml").laws[0].parameters;
  EXPECT_EQ(std::get<double>(parameters.at("jenkins.k")), 0.25);
  EXPECT_EQ(std::get<double>(parameters.at("linear.k")), 3);
}

TEST(StructureFile, a_joint_of_a_mode_raises_the_square_of_its_frequency_alone) {
  const std::string text = replaced(two_masses, "between = [1, 2]\n[[load]]", "mode = 2\n[[load]]");
  const dynamics::Structure s = parse_structure(text, "s.toml").structure;
  ASSERT_EQ(s.joints.size(), 1u);
  const Eigen::MatrixXd M = s.M, K = s.K;
  Eigen::MatrixXd stuck = K;
  const Eigen::VectorXd w = s.joints[0].w.dense();
  stuck += 0.25 * w * w.transpose();  // jenkins k
  const auto free = dynamics::linear_modes(M, K), held = dynamics::linear_modes(M, stuck);
  EXPECT_NEAR(held.omega[0] * held.omega[0], free.omega[0] * free.omega[0], 1e-12);
  EXPECT_NEAR(held.omega[1] * held.omega[1], free.omega[1] * free.omega[1] + 0.25, 1e-12);
  EXPECT_EQ(refusal(replaced(text, "mode = 2", "mode = 3")),
            "s.toml, line 13, column 8: [[joint]] 1: mode = 3 must be from 1 to 2");
  EXPECT_NE(refusal(replaced(text, "mode = 2", "mode = 2\nbetween = [0, 1]"))
                .find("give either 'between' or 'mode'"),
            std::string::npos);
}

TEST(StructureFile, base_motion_is_the_inertia_of_the_masses) {
  const std::string text = replaced(two_masses, "kind = \"harmonic\"\ndof = 2", "kind = \"base\"");
  EXPECT_EQ(parse_structure(text, "s.toml").structure.loads[0].direction, Eigen::Vector2d(-1, -2));
}

/// A fixed-free chain of unit masses and springs, joint and load at its end, reduced.
std::string chain(int masses, const std::string& reduction, const std::string& analysis) {
  std::string text = "damping = [0.01, 0.02]\nM = [1";
  for (int i = 1; i < masses; ++i) text += ",1";
  text += "]\n";
  for (int i = 0; i < masses; ++i)
    text +=
        "[[spring]]\nbetween = [" + std::to_string(i) + ", " + std::to_string(i + 1) + "]\nk = 1\n";
  const std::string end = std::to_string(masses);
  return text + "[[joint]]\nmodel = \"jenkins\"\nbetween = [0, " + end +
         "]\n[[load]]\nkind = \"harmonic\"\namplitude = 1\ndof = " + end + "\n" + reduction +
         "[[analysis]]\nkind = \"frequency-response\"\nomega = [0.1, 1]\n" + analysis;
}

TEST(StructureFile, a_reduced_structure_keeps_the_numbers_of_the_whole) {
  const std::string kept = "[reduction]\nmodes = 2\nkeep = [3]\n";
  const StructureFile file = parse_structure(chain(6, kept, "dof = 6\n"), "s.toml");
  EXPECT_EQ(file.labels, (std::vector<std::string>{"3", "6", "m1", "m2"}));
  EXPECT_EQ(file.analyses[0].dof, 2);
  EXPECT_NE(refusal(chain(6, kept, "dof = 4\n"))
                .find("dof = 4 is not kept by the reduction; add it to its keep"),
            std::string::npos);
  EXPECT_NE(refusal(chain(6, kept, "dof = 7\n")).find("dof = 7 must be a whole number from 1 to 6"),
            std::string::npos);
}

TEST(StructureFile, damping_ratios_of_a_large_structure_are_those_of_its_reduction) {
  const StructureFile file =
      parse_structure(chain(2001, "[reduction]\nmodes = 40\n", ""), "s.toml");
  const dynamics::Structure& s = file.structure;
  const dynamics::Modes modes = dynamics::linear_modes(s.M, s.K);
  // Frequencies of the chain: 2 sin((2j − 1) π/(4n + 2)); those of a reduction lie above, by some
  // modes⁻³.
  for (int j = 0; j < 2; ++j) {
    EXPECT_NEAR(modes.omega[j] / (2 * std::sin((2 * j + 1) * 3.14159265358979 / 8006)), 1, 1.6e-5);
    const double c = modes.shapes.col(j).dot(s.C * modes.shapes.col(j));
    EXPECT_NEAR(c, 2 * 0.01 * (j + 1) * modes.omega[j], 1e-12);
  }
  EXPECT_NE(
      refusal(chain(2001, "", "")).find("more than 2000 degrees of freedom needs a [reduction]"),
      std::string::npos);
}

TEST(StructureFile, stepped_sine_holds_each_frequency_for_its_cycles) {
  const std::string text =
      replaced(replaced(two_masses, "kind = \"harmonic\"",
                        "kind = \"stepped\"\nomegas = [1.0, 2.0]\ncycles = 3"),
               "kind = \"frequency-response\"\nomega = [0.7, 1.2]", "kind = \"time\"\nuntil = 1");
  const StructureFile file = parse_structure(text, "s.toml");
  const auto& sine = std::get<dynamics::SteppedSine>(file.structure.loads[0].signal);
  EXPECT_EQ(sine.amplitude, 0.2);
  ASSERT_EQ(sine.start.size(), 3u);
  EXPECT_NEAR(sine.start[1], 3 * 2 * 3.14159265358979, 1e-12);
  EXPECT_NEAR(sine.start[2], 4.5 * 2 * 3.14159265358979, 1e-12);
  EXPECT_NE(refusal(replaced(text, "cycles = 3", "cycles = 0")).find("cycles"), std::string::npos);
  EXPECT_NE(refusal(replaced(text, "2.0]\ncycles", "-2.0]\ncycles")).find("omegas"),
            std::string::npos);
}

TEST(StructureFile, modal_damping_gives_its_ratios) {
  const std::string text =
      "M = [2.0]\nK = [8.0]\ndamping = [0.05]\n[[analysis]]\nkind = \"time\"\nuntil = 1\n";
  // c = 2 ζ ω m = 2 · 0.05 · 2 · 2
  EXPECT_NEAR(parse_structure(text, "s.toml").structure.C.coeff(0, 0), 0.4, 1e-15);
}

TEST(StructureFile, refusals_name_the_place_the_key_and_what_is_allowed) {
  EXPECT_EQ(refusal(replaced(two_masses, "phi = 0.2", "phi = -1")),
            "s.toml, line 12, column 7: [[joint]] 1: jenkins.phi = -1 must lie in (0, inf)");
  EXPECT_NE(refusal(replaced(two_masses, "amplitude", "amplitud"))
                .find("unknown key 'amplitud'; did you mean 'amplitude'?"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(two_masses, "between = [1, 2]", "between = [1, 3]"))
                .find("between = 3 must be a whole number from 0 to 2 (0 is the ground)"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(two_masses, "frequency-response", "frequency-respons"))
                .find("did you mean 'frequency-response'?"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(two_masses, "[0.7, 1.2]", "0.7")).find("omega must be a range"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(two_masses, "M = [1.0, 2.0]", "M = [1.0, -2.0]"))
                .find("mass of degree of freedom 2 = -2 must be positive"),
            std::string::npos);
  EXPECT_NE(refusal("M = [1.0\n").find("this is not TOML"), std::string::npos);
}

TEST(StructureFile, every_example_is_read) {
  int count = 0;
  const std::filesystem::path folder = std::filesystem::path(source_dir) / "examples";
  for (const auto& entry : std::filesystem::directory_iterator(folder / "structures"))
    if (entry.path().extension() == ".toml") {
      EXPECT_NO_THROW(read_structure(entry.path())) << entry.path();
      ++count;
    }
  EXPECT_GT(count, 0);
}

}  // namespace structure_file_test
}  // namespace microslip::catalog
