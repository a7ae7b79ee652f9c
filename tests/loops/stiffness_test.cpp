#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "microslip/models/iwan4.hpp"
#include "microslip/models/jenkins.hpp"
#include "record.hpp"

namespace microslip::loops {
namespace stiffness_test {

/// f of a slider of stiffness k that slips at 1.
std::vector<double> slider(double k, const std::vector<double>& u) {
  std::vector<double> f;
  double force = 0, before = 0;
  for (const double at : u) {
    force = std::clamp(force + k * (at - before), -1.0, 1.0);
    before = at;
    f.push_back(force);
  }
  return f;
}

bool mentions(const std::vector<std::string>& warnings, const std::string& part) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const auto& w) { return w.find(part) != std::string::npos; });
}

TEST(InitialStiffness, that_the_rows_do_not_show_was_0_12_for_1000) {
  std::vector<double> u;
  for (int i = 0; i <= 2000; ++i) u.push_back(0.002 * i);
  const Loops loops = analyse({}, u, slider(1000, u));
  EXPECT_TRUE(std::isinf(loops.initial_stiffness_error));
  EXPECT_NEAR(loops.initial_stiffness, 500, 1e-9);  // it slips within the first row
  EXPECT_TRUE(mentions(loops.warnings, "do not show the initial stiffness"));
}

TEST(InitialStiffness, under_a_growing_sine_was_3_51_for_1000) {
  std::vector<double> u;
  for (int i = 0; i < 4000; ++i) u.push_back(5e-4 * i * std::sin(2 * pi * i / 400));
  const Loops loops = analyse({}, u, slider(1000, u));
  EXPECT_NEAR(loops.initial_stiffness, 1000, 1e-6);
  EXPECT_LT(loops.initial_stiffness_error, 1);
}

TEST(InitialStiffness, its_error_covers) {
  // Masing loops of g(x) = k x/(1 + x/c) + s x, in closed form; steady sines from a tip on.
  std::mt19937 random(11);
  std::uniform_real_distribution<double> part;
  int shown = 0, covered = 0, hidden = 0, below = 0;
  for (int record = 0; record < 120; ++record) {
    const double k = 1, c = 0.05 * std::pow(20, part(random)), s = 0.2 * part(random);
    const double noise = record % 3 == 0 ? 0 : 0.01 * part(random);
    const int rows = 60 + static_cast<int>(600 * part(random));
    const double phase = part(random);
    const auto g = [&](double x) { return k * x / (1 + x / c) + s * x; };
    std::vector<double> u, f;
    for (int i = 0; i < 4 * rows; ++i) {
      const double turn = (i + phase) / rows, at = std::cos(2 * pi * turn);
      const bool falls = turn - std::floor(turn) < 0.5;
      u.push_back(at);
      f.push_back(falls ? g(1) - 2 * g((1 - at) / 2) : -g(1) + 2 * g((1 + at) / 2));
    }
    add_noise(f, noise * g(1), static_cast<unsigned>(record));
    if (record % 2 == 0) add_noise(u, noise, static_cast<unsigned>(1000 + record));
    const Loops loops = analyse({}, u, f);
    if (std::isfinite(loops.initial_stiffness_error)) {
      ++shown;
      covered += std::abs(loops.initial_stiffness - k - s) <= 2 * loops.initial_stiffness_error;
    } else {
      ++hidden;
      below += loops.initial_stiffness <= k + s;
    }
  }
  RecordProperty("shown", shown);
  EXPECT_GT(shown, 50);
  EXPECT_GE(covered, shown * 90 / 100) << shown;
  EXPECT_GE(below, hidden * 90 / 100) << hidden;
}

TEST(RepeatedRows, were_taken_for_noise_and_smoothed) {
  const TestRecord once = swings(Jenkins<double>({.k = 2, .phi = 0.5}), {1, 1, 1}, 80);
  TestRecord twice;
  for (std::size_t i = 0; i < once.u.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      twice.t.push_back(once.t[i] + 0.003 * k);
      twice.u.push_back(once.u[i]);
      twice.f.push_back(once.f[i]);
    }
  const Loops one = once.analyse(), four = twice.analyse();
  ASSERT_EQ(one.cycles.size(), four.cycles.size());
  EXPECT_EQ(four.amplitude, one.amplitude);                    // 4 % less
  EXPECT_NEAR(four.noise_u, one.noise_u, 1e-3 * one.noise_u);  // its last row is kept
  EXPECT_TRUE(mentions(four.warnings, "repeat the row before"));
}

TEST(Masing, tiny_noisy_loops_do_not_decide) {
  const Iwan4<double> law({.Fs = 1, .KT = 2, .chi = -0.3, .beta = 0.5});
  TestRecord record = swings(law, {1.5, 1, 0.5, 0.2, 0.05, 0.02, 0.01, 0.005}, 200);
  add_noise(record.f, 0.002, 4);
  EXPECT_FALSE(mentions(record.analyse().warnings, "cannot describe"));
}

}  // namespace stiffness_test
}  // namespace microslip::loops
