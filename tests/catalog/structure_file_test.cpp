#include "microslip/catalog/structure_file.hpp"

#include <gtest/gtest.h>

#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"

namespace microslip::catalog {
namespace {

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
  EXPECT_EQ(s.joints[0].w, Eigen::Vector2d(-1, 1));
  EXPECT_EQ(s.loads[0].direction, Eigen::Vector2d(0, 1));
  EXPECT_EQ(file.analyses[0].omega, (std::vector<double>{0.7, 1.2}));
  EXPECT_EQ(std::get<double>(file.laws[0].parameters.at("phi")), 0.2);
}

TEST(StructureFile, base_motion_is_the_inertia_of_the_masses) {
  const std::string text = replaced(two_masses, "kind = \"harmonic\"\ndof = 2", "kind = \"base\"");
  EXPECT_EQ(parse_structure(text, "s.toml").structure.loads[0].direction, Eigen::Vector2d(-1, -2));
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
            "s.toml, line 11, column 9: [[joint]] 1: jenkins.phi = -1 must lie in (0, inf)");
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
  EXPECT_NE(refusal(replaced(two_masses, "M = [1.0, 2.0]", "M = [1.0, 0.0]"))
                .find("mass of degree of freedom 2 = 0 must be positive"),
            std::string::npos);
  EXPECT_NE(refusal("M = [1.0\n").find("this is not TOML"), std::string::npos);
  EXPECT_NE(refusal("M = [1.0]\n").find("asks for nothing"), std::string::npos);
}

TEST(StructureFile, every_example_is_read) {
  int count = 0;
  const std::filesystem::path folder = std::filesystem::path(MICROSLIP_SOURCE_DIR) / "examples";
  for (const auto& entry : std::filesystem::directory_iterator(folder / "structures"))
    if (entry.path().extension() == ".toml") {
      EXPECT_NO_THROW(read_structure(entry.path())) << entry.path();
      ++count;
    }
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace microslip::catalog
