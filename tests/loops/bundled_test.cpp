#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "microslip/io/csv.hpp"
#include "microslip/loops/loops.hpp"
#include "support/paths.hpp"

/// The records of data/, about which data/generate.cpp knows the truth.
namespace microslip::loops {
namespace bundled_test {

Loops read(const std::string& name,
           const io::Wanted& wanted = {.required = {"u", "f"}, .optional = {"t"}}) {
  const auto file = std::filesystem::path(source_dir) / "data" / name;
  const io::Table table = io::read_csv(file, wanted);
  return analyse(table.at("t").values, table.at("u").values, table.at("f").values);
}

bool has_warning(const Loops& loops, const std::string& part) {
  return std::any_of(loops.warnings.begin(), loops.warnings.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST(Bundled, bolted_joint) {
  const Loops loops = read("bolted-joint.csv");
  EXPECT_NEAR(loops.noise_u, 2e-4, 3e-5);
  EXPECT_NEAR(loops.noise_f, 0.015, 0.002);
  // Two periods of each of five amplitudes; three with three minor loops each (at both ends and in
  // the middle), the first and last of which are cut by their neighbours; two more.
  EXPECT_EQ(loops.cycles.size() - loops.minor_loops(), 14u);
  EXPECT_EQ(loops.minor_loops(), 9u);
  EXPECT_NEAR(loops.amplitude, 0.16, 0.001);
  EXPECT_NEAR(loops.initial_stiffness, 66, 2);  // sliders of 60 and a spring of 6
  EXPECT_TRUE(loops.starts_at_rest);
  for (const Cycle& cycle : loops.cycles) EXPECT_LT(cycle.masing_defect, 0.02);
  EXPECT_NEAR(loops.dissipation.exponent, 2.9, 0.3);
}

TEST(Bundled, pinched) {
  const Loops loops = read("pinched.csv");
  EXPECT_EQ(loops.cycles.size(), 7u);
  EXPECT_TRUE(has_warning(loops, "Masing"));
}

TEST(Bundled, drifting) {
  const Loops loops = read("drifting.csv");
  EXPECT_EQ(loops.cycles.size(), 9u);
  EXPECT_TRUE(has_warning(loops, "mean force drifts"));
  // 0.06 mm/s over the 16 s between the first and the last loop.
  EXPECT_TRUE(has_warning(loops, "mean displacement drifts by 0.96"));
}

TEST(Bundled, every_defect_of_a_laboratory) {
  const Loops loops =
      read("defects.csv", {.required = {"u", "f"},
                           .optional = {"t"},
                           .named = {{"u", "Kanal 2"}, {"f", "Kanal 1"}, {"t", "Zeit"}}});
  EXPECT_TRUE(loops.sign_flipped);
  EXPECT_EQ(loops.cycles.size(), 5u);
  EXPECT_NEAR(loops.amplitude, 18, 0.1);
  EXPECT_NEAR(loops.u_center, 250, 0.1);
  EXPECT_TRUE(has_warning(loops, "1 more jump away and back"));
  EXPECT_TRUE(has_warning(loops, "sampling is uneven"));
  EXPECT_TRUE(has_warning(loops, "sensor"));
}

}  // namespace bundled_test
}  // namespace microslip::loops
