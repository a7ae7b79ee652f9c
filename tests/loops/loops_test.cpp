#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "microslip/core/error.hpp"
#include "microslip/loops/jumps.hpp"
#include "microslip/models/bouc_wen.hpp"
#include "microslip/models/iwan4.hpp"
#include "microslip/models/jenkins.hpp"
#include "record.hpp"

namespace microslip::loops {
namespace loops_test {

bool has_warning(const Loops& loops, const std::string& part) {
  return std::any_of(loops.warnings.begin(), loops.warnings.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

const Jenkins<double> slider({.k = 2, .phi = 1});

/// Rows 900 to 1200 of six periods are missing: nine tenths of a swing. A loop was closed across them with half of the
/// energy, and another one gave energy.
TEST(Loops, a_loop_over_a_gap_is_no_loop) {
  TestRecord record = swings(slider, {2, 2, 2, 2, 2, 2});
  const auto cut = [&](std::vector<double>& column) {
    column.erase(column.begin() + 900, column.begin() + 1260);
  };
  cut(record.t), cut(record.u), cut(record.f);
  const Loops loops = record.analyse();
  ASSERT_EQ(loops.cycles.size(), 3u);
  for (const Cycle& cycle : loops.cycles) EXPECT_NEAR(cycle.energy, 6, 4e-3);
  EXPECT_TRUE(has_warning(loops, "The record has no rows between t = 2.25 and t = 3.15"));
  // A pause in which nothing moves is no gap.
  TestRecord paused = swings(slider, {2, 2, 2, 2, 2, 2});
  for (std::size_t i = 1300; i < paused.t.size(); ++i) paused.t[i] += 5;
  EXPECT_EQ(paused.analyse().gap, "");
  EXPECT_EQ(paused.analyse().cycles.size(), 5u);
}

TEST(Loops, measure_a_slider) {
  const Loops loops = swings(slider, {2, 2, 2, 2}).analyse();
  // Four periods from rest: the first and the last quarter belong to no whole loop.
  ASSERT_EQ(loops.cycles.size(), 3u);
  EXPECT_EQ(loops.reversals.size(), 8u);
  for (const Cycle& cycle : loops.cycles) {
    EXPECT_DOUBLE_EQ(cycle.amplitude, 2);
    EXPECT_NEAR(cycle.mean, 0, 1e-12);
    // 4φ(A − φ/k) = 6; the trapezoidal rule cuts the corner within one row, below 4e-3.
    EXPECT_NEAR(cycle.energy, 6, 4e-3);
    EXPECT_NEAR(cycle.secant, 0.5, 1e-12);  // φ/A
    EXPECT_NEAR(cycle.tangent, 2, 1e-9);    // k
    EXPECT_NEAR(cycle.final_slope, 0, 1e-12);
    EXPECT_NEAR(cycle.damping, 6 / (2 * pi * 0.5 * 4), 1e-3);
    EXPECT_NEAR(cycle.force_range, 2, 1e-12);
    EXPECT_NEAR(cycle.asymmetry, 0, 1e-9);
    EXPECT_NEAR(cycle.masing_defect, 0, 2e-3);  // corners fall between rows
    EXPECT_NEAR(cycle.closure, 0, 1e-12);
    EXPECT_NEAR(cycle.frequency, 1, 1e-9);
    EXPECT_FALSE(cycle.minor);
  }
  EXPECT_NEAR(loops.initial_stiffness, 2, 1e-9);
  EXPECT_NEAR(loops.half_gap, 1, 1e-12);
  EXPECT_NEAR(loops.force_level, 1, 1e-12);
  EXPECT_TRUE(loops.starts_at_rest);
  EXPECT_FALSE(loops.sign_flipped);
  EXPECT_FALSE(loops.dissipation.found);
  EXPECT_TRUE(loops.warnings.empty()) << loops.warnings.front();
}

TEST(Loops, energy_of_bouc_wen_in_closed_form) {
  // β = γ = ½, n = 1: unloading is straight, loading 1 − exp(−x) from z = 0. Between ±2 the loop
  // closes at Z = 1 − exp(−(4 − Z)) and loses 8 − 4Z − Z².
  double Z = 1;
  for (int i = 0; i < 100; ++i) Z = 1 - std::exp(Z - 4);
  const BoucWen<double> law({.A = 1, .beta = 0.5, .gamma = 0.5, .n = 1, .k = 1, .a = 0});
  const Loops loops = swings(law, {2, 2, 2, 2, 2, 2}, 2000).analyse();
  const Cycle& steady = loops.cycles.back();
  EXPECT_NEAR(steady.energy, 8 - 4 * Z - Z * Z, 1e-4);
  EXPECT_NEAR(steady.secant, Z / 2, 1e-6);
  EXPECT_NEAR(steady.tangent, 1, 1e-6);
}

TEST(Loops, growing_amplitudes_of_iwan4) {
  const Iwan4<double> law({.Fs = 1, .KT = 4, .chi = -0.5, .beta = 0.5});
  const std::vector<double> amplitudes{0.02, 0.04, 0.08, 0.16, 0.3, 0.3};
  const Loops loops = swings(law, amplitudes, 1000).analyse();
  ASSERT_EQ(loops.cycles.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(loops.cycles[i].amplitude, amplitudes[i], 1e-12);
    EXPECT_NEAR(loops.cycles[i].energy, law.energy_per_cycle(amplitudes[i]),
                2e-4 * law.energy_per_cycle(amplitudes[i]));
    EXPECT_LT(loops.cycles[i].masing_defect, 1e-3);      // the law follows Masing's rules
    EXPECT_LT(std::abs(loops.cycles[i].closure), 1e-5);  // it ends between two rows
    EXPECT_LT(loops.cycles[i].asymmetry, 1e-3);
  }
  // All amplitudes lie below φmax = Fs(1+β)/(KT(β + (χ+1)/(χ+2))) = 0.45, where D ∝ A^(χ+3).
  EXPECT_TRUE(loops.dissipation.found);
  EXPECT_NEAR(loops.dissipation.exponent, 2.5, 1e-3);
  EXPECT_LT(loops.dissipation.low, 2.5 + 1e-3);
  EXPECT_GT(loops.dissipation.high, 2.5 - 1e-3);
  EXPECT_FALSE(loops.dissipation.frequency_exponent.has_value());

  // Each loop returns to the curve from rest, so the backbone is known up to the largest one.
  EXPECT_EQ(loops.backbone.source, Backbone::Source::virgin);
  for (std::size_t i = 0; i < loops.backbone.x.size(); ++i)
    EXPECT_NEAR(loops.backbone.force[i], law.backbone().at(loops.backbone.x[i]).force, 1e-4);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(loops.tips.force[i], law.backbone().at(loops.tips.amplitude[i]).force, 1e-6);
}

TEST(Loops, falling_amplitudes_are_measured_at_their_tips) {
  const Loops loops = swings(slider, {2, 1.6, 1.2, 0.8}, 400).analyse();
  // Legs turn at 2, −2, 1.6, −1.6, …: 2 → −2 → 1.6 is an open loop between −2 and (2 + 1.6)/2.
  ASSERT_EQ(loops.cycles.size(), 3u);
  EXPECT_NEAR(loops.cycles[0].amplitude, 1.9, 1e-12);
  EXPECT_NEAR(loops.cycles[0].mean, -0.1, 1e-12);
  EXPECT_NEAR(loops.cycles[0].opening, -0.4 / 3.8, 1e-12);
  for (const Cycle& cycle : loops.cycles) {
    EXPECT_NEAR(cycle.closure, 0, 1e-12);  // all tips lie at ±φ
    EXPECT_NEAR(cycle.mean_force, 0, 1e-12);
    EXPECT_NEAR(cycle.secant, 1 / cycle.amplitude, 1e-12);
    // The mean of the closed loops of its legs, 4φ(A − φ/k); corners fall between rows.
    EXPECT_NEAR(cycle.energy, 4 * (cycle.amplitude - 0.5), 5e-3);
    EXPECT_NEAR(cycle.tangent, 2, 1e-9);
    // A corner between rows is off by at most k Δu/4 = 0.016 in one of 200 places, twice that of
    // the doubled backbone: 0.047 √(2/200)/2 of the force range 2.
    EXPECT_NEAR(cycle.masing_defect, 0, 4e-3);
  }
  EXPECT_NEAR(loops.initial_stiffness, 2, 1e-9);
  EXPECT_TRUE(loops.warnings.empty()) << loops.warnings.front();
  EXPECT_FALSE(loops.dissipation.found);  // tips differ by more than a tenth of their distance
}

TEST(Loops, a_decaying_swing_is_not_cut_on_its_unloading_branch) {
  // Was: ζ 0.81, secant 0.40, largest force 1.241 of a law bounded by 1, a0 1.317, a false drift.
  const Jenkins<double> law({.k = 10, .phi = 1});
  TestRecord record;
  for (int k = 0; k <= 2400; ++k) {
    record.t.push_back(0.005 * k);
    record.u.push_back(2 * std::exp(-0.05 * record.t.back()) * std::sin(2 * pi * record.t.back()));
  }
  record.f = forces(law, record.u);
  const Loops loops = record.analyse();
  ASSERT_GE(loops.cycles.size(), 10u);
  for (const Cycle& cycle : loops.cycles) {
    const double A = cycle.amplitude;
    EXPECT_NEAR(cycle.secant, 1 / A, 1e-9);
    EXPECT_NEAR(cycle.energy, 4 * (A - 0.1), 5e-3);  // corners between rows: k Δu²/8 each
    EXPECT_NEAR(cycle.damping, 4 * (A - 0.1) / (2 * pi * A), 1e-3);
    EXPECT_NEAR(cycle.frequency, 1, 1e-3);
  }
  EXPECT_NEAR(loops.cycles[0].damping, 0.6036, 1e-3);
  EXPECT_NEAR(loops.force_level, 1, 1e-9);
  EXPECT_NEAR(loops.f_center, 0, 1e-9);
  ASSERT_TRUE(loops.normalization.has_value());
  EXPECT_NEAR(loops.normalization->a0, 1, 1e-9);
  EXPECT_NEAR(loops.half_gap, 1 / loops.normalization->a0, 1e-12);
  EXPECT_TRUE(loops.warnings.empty()) << loops.warnings.front();
}

TEST(Loops, a_decaying_swing_of_a_smooth_law_has_its_energies) {
  const Iwan4<double> law({.Fs = 1, .KT = 4, .chi = -0.5, .beta = 0.5});
  TestRecord record;
  for (int k = 0; k <= 10000; ++k) {
    record.t.push_back(0.001 * k);
    record.u.push_back(0.3 * std::exp(-0.04 * record.t.back()) *
                       std::sin(2 * pi * record.t.back()));
  }
  record.f = forces(law, record.u);
  const Loops loops = record.analyse();
  ASSERT_GE(loops.cycles.size(), 8u);
  for (const Cycle& cycle : loops.cycles) {
    // The mean of two loops whose amplitudes differ by δ = 2 %: m(m − 1)δ²/8 with m = 2.5, 0.02 %,
    // and the slope at the tips, which is read from the last tenth of the branches.
    EXPECT_NEAR(cycle.energy / law.energy_per_cycle(cycle.amplitude), 1, 3e-3);
    EXPECT_NEAR(cycle.secant * cycle.amplitude / law.backbone().at(cycle.amplitude).force, 1, 1e-3);
  }
  EXPECT_TRUE(loops.dissipation.found);
  EXPECT_NEAR(loops.dissipation.exponent, 2.5, 0.02);
  EXPECT_TRUE(loops.warnings.empty()) << loops.warnings.front();
}

TEST(Loops, equal_loops_have_equal_damping_although_the_rig_does_not_repeat_exactly) {
  // Peaks that differ by a thousandth, up and down in turn: a friction damper unloads within that.
  const Jenkins<double> law({.k = 1000, .phi = 1});
  TestRecord record = swings(law, {2, 1.998, 2.001, 1.997, 2, 1.999}, 4000);
  const Loops loops = record.analyse();
  ASSERT_EQ(loops.cycles.size(), 5u);
  for (const Cycle& cycle : loops.cycles) EXPECT_NEAR(cycle.damping, 2 / pi, 2e-3);
}

TEST(Loops, a_noise_free_record_of_several_frequencies_does_not_depend_on_the_rate) {
  const Iwan4<double> law({.Fs = 1, .KT = 1, .chi = -0.5, .beta = 0.3});
  TestRecord record;
  for (int k = 0; k <= 200000; ++k) {
    const double t = 0.002 * k;
    record.t.push_back(t);
    record.u.push_back(1.5 * std::sin(2 * pi * 0.13 * t) + 0.7 * std::sin(2 * pi * 0.71 * t) +
                       0.2 * std::sin(2 * pi * 3.3 * t));
  }
  record.f = forces(law, record.u);
  const Loops loops = record.analyse();
  ASSERT_GT(loops.cycles.size(), 500u);
  EXPECT_FALSE(has_warning(loops, "depends on the rate"));
  EXPECT_FALSE(has_warning(loops, "miss their starting point"));
  // Loops inside a longer motion close exactly, and lose what a steady loop of their size loses.
  for (const Cycle& cycle : loops.cycles)
    if (cycle.minor && cycle.opening == 0 && cycle.out.u.size() > 50) {
      EXPECT_NEAR(cycle.energy / law.energy_per_cycle(cycle.amplitude), 1, 0.01) << cycle.amplitude;
    }
}

TEST(Loops, the_half_gap_is_that_of_the_normalisation) {
  const BoucWen<double> law({.A = 1, .beta = 0.5, .gamma = 0.5, .n = 1, .k = 1, .a = 0.1});
  const Loops loops = swings(law, {2, 2, 2, 2}, 2000).analyse();
  ASSERT_TRUE(loops.normalization.has_value());
  EXPECT_DOUBLE_EQ(loops.normalization->a0, 1 / loops.half_gap);
}

TEST(Loops, minor_loops_are_taken_out_of_the_large_ones) {
  const Iwan4<double> law({.Fs = 1, .KT = 1, .chi = -0.3, .beta = 0.2});
  TestRecord record;
  for (int k = 0; k <= 12000; ++k) {
    record.t.push_back(2 * pi * k / 3000);
    record.u.push_back(3 * std::sin(record.t.back()) + 1.5 * std::sin(5 * record.t.back()));
  }
  record.f = forces(law, record.u);
  const Loops loops = record.analyse();
  // Turning points 2.534, 0.8825, 4.5, 0.8825, 2.534 on each side: two minor loops a side and
  // period. Four periods from rest have three whole large loops.
  std::size_t large = 0;
  for (const Cycle& cycle : loops.cycles) {
    if (cycle.minor) {
      EXPECT_NEAR(cycle.amplitude, 0.5 * (2.534004854757 - 0.882507448166), 1e-5);
      EXPECT_LT(std::abs(cycle.closure), 1e-3);
    } else {
      ++large;
      EXPECT_NEAR(cycle.amplitude, 4.5, 1e-5);
    }
    EXPECT_NEAR(cycle.energy, law.energy_per_cycle(cycle.amplitude),
                1e-3 * law.energy_per_cycle(cycle.amplitude));
  }
  EXPECT_EQ(large, 3u);
  EXPECT_EQ(loops.minor_loops(), 16u);
}

TEST(Loops, a_block_of_small_swings_lies_inside_the_large_one) {
  // 1, −1, 1, [−½, ½, −½, ½], −1, 1 as turning points: the small ones interrupt 1 → −1.
  std::vector<double> u;
  const std::vector<double> turns{0, 1, -1, 1, -0.5, 0.5, -0.5, 0.5, -1, 1, -1};
  for (std::size_t i = 1; i < turns.size(); ++i)
    for (int k = 0; k < 50; ++k) u.push_back(turns[i - 1] + (turns[i] - turns[i - 1]) * k / 50);
  u.push_back(-1);
  const Jenkins<double> law({.k = 4, .phi = 1});
  const Loops loops = TestRecord{{}, u, forces(law, u)}.analyse();
  ASSERT_EQ(loops.cycles.size(), 4u);
  EXPECT_EQ(loops.minor_loops(), 2u);
  for (const Cycle& cycle : loops.cycles) {
    EXPECT_NEAR(cycle.amplitude, cycle.minor ? 0.5 : 1, 1e-12);
    EXPECT_NEAR(cycle.energy, 4 * (cycle.amplitude - 0.25), 0.02);
    if (cycle.minor) {
      EXPECT_NEAR(loops.cycles[cycle.inside.value()].amplitude, 1, 1e-12);
    }
  }
}

TEST(Loops, see_through_noise) {
  TestRecord record = swings(slider, {2, 2, 2, 2, 2}, 1000);
  add_noise(record.u, 0.02, 1);
  add_noise(record.f, 0.01, 2);
  const Loops loops = record.analyse();
  EXPECT_NEAR(loops.noise_u, 0.02, 0.002);
  EXPECT_NEAR(loops.noise_f, 0.01, 0.001);
  EXPECT_EQ(loops.reversals.size(), 10u);
  ASSERT_EQ(loops.cycles.size(), 4u);
  for (const Cycle& cycle : loops.cycles) {
    EXPECT_NEAR(cycle.energy, 6, 0.12);
    EXPECT_NEAR(cycle.tangent, 2, 4 * cycle.tangent_error + 0.1);
  }
  EXPECT_NEAR(loops.half_gap, 1, 0.02);
}

TEST(Loops, see_through_filtered_noise) {
  // A mean over ten rows hides most of the noise from differences between neighbours.
  TestRecord record = swings(slider, {2, 2, 2}, 2000);
  std::vector<double> noise(record.u.size() + 10);
  add_noise(noise, 0.1, 3);
  for (std::size_t i = 0; i < record.u.size(); ++i)
    for (std::size_t k = 0; k < 10; ++k) record.u[i] += noise[i + k] / 10;
  const Loops loops = record.analyse();
  EXPECT_EQ(loops.reversals.size(), 6u) << "threshold " << loops.threshold;
}

TEST(Loops, accept_offsets_and_say_drift) {
  TestRecord record = swings(slider, {2, 2, 2, 2});
  for (std::size_t i = 0; i < record.u.size(); ++i) {
    record.u[i] += 10;
    record.f[i] += -5 + 0.1 * record.t[i];
  }
  const Loops loops = record.analyse();
  ASSERT_EQ(loops.cycles.size(), 3u);
  EXPECT_NEAR(loops.u_center, 10, 1e-9);
  EXPECT_NEAR(loops.f_center, -5 + 0.1 * 2.75, 0.05);  // the last loop lasts from 2.25 to 3.25
  for (const Cycle& cycle : loops.cycles) EXPECT_NEAR(cycle.mean, 10, 1e-9);
  EXPECT_TRUE(has_warning(loops, "mean force drifts by 0.2"));  // over two periods
}

TEST(Loops, say_that_the_joint_softens) {
  TestRecord record = swings(slider, {2, 2, 2, 2});
  for (std::size_t i = 0; i < record.f.size(); ++i) record.f[i] *= 1 - 0.1 * record.t[i];
  EXPECT_TRUE(has_warning(record.analyse(), "not in a steady state"));
}

TEST(Loops, unequal_sampling) {
  std::mt19937 random(7);
  std::exponential_distribution<double> gap(400);
  TestRecord record;
  for (double t = 0; t < 4; t += gap(random)) {
    record.t.push_back(t);
    record.u.push_back(2 * std::sin(2 * pi * t));
  }
  record.f = forces(slider, record.u);
  const Loops loops = record.analyse();
  ASSERT_EQ(loops.cycles.size(), 3u);
  for (const Cycle& cycle : loops.cycles) EXPECT_NEAR(cycle.energy, 6, 0.05);
  EXPECT_TRUE(has_warning(loops, "sampling is uneven"));
}

TEST(Loops, turning_points_alone) {
  const std::vector<double> u{0, 1, -1, 2, -2, 3, -3, 3};
  const Loops loops = TestRecord{{}, u, forces(slider, u)}.analyse();
  EXPECT_EQ(loops.reversals.size(), 6u);
  ASSERT_EQ(loops.cycles.size(), 3u);
  EXPECT_NEAR(loops.cycles[0].amplitude, 1, 1e-12);
  EXPECT_NEAR(loops.cycles[1].amplitude, 2, 1e-12);
  EXPECT_NEAR(loops.cycles[2].amplitude, 3, 1e-12);
  EXPECT_TRUE(has_warning(loops, "fewer than 20 rows"));
}

TEST(Loops, records_that_start_in_the_middle_of_a_loop) {
  // From −2 on: the first leg is a whole one. From 0.9 on: it is not.
  TestRecord whole = swings(slider, {2, 2, 2, 2});
  const auto cut = [&](std::ptrdiff_t rows) {
    TestRecord rest = whole;
    for (auto* column : {&rest.t, &rest.u, &rest.f})
      column->erase(column->begin(), column->begin() + rows);
    return rest.analyse();
  };
  EXPECT_EQ(cut(300).cycles.size(), 3u);  // row 300 is the first −2
  EXPECT_FALSE(cut(300).starts_at_rest);
  EXPECT_EQ(cut(370).cycles.size(), 2u);
  EXPECT_EQ(cut(300).backbone.source, Backbone::Source::branch);
}

TEST(Loops, two_small_turns_of_a_long_pull_do_not_decide_the_sign) {
  // A pull to u = 2 that yields at 0.2, with two turns of 4e-3 on which noise of the force gives
  // energy: f falls while u goes back and forth.
  std::vector<double> u, f;
  for (int i = 0; i <= 200; ++i) {
    const double x = 0.01 * i;
    const double force = x < 0.2 ? 10 * x : 2 + 0.1 * (x - 0.2);
    u.push_back(x);
    f.push_back(force);
    if (i != 60 && i != 120) continue;
    for (int k = 1; k <= 8; ++k) {
      u.push_back(x - 1e-3 * (k <= 4 ? k : 8 - k));
      f.push_back(force + (k <= 4 ? 0.02 * k : 0.01 * (8 - k)));
    }
  }
  const Loops loops = analyse({}, u, f, {.threshold = 1e-3});
  ASSERT_EQ(loops.cycles.size(), 2u);
  EXPECT_LT(loops.cycles[0].energy, 0);
  EXPECT_LT(loops.cycles[0].secant, 0);
  EXPECT_FALSE(loops.sign_flipped);
}

TEST(Loops, repair_a_flipped_sign) {
  TestRecord record = swings(slider, {2, 2, 2});
  for (double& f : record.f) f = -f;
  const Loops loops = record.analyse();
  EXPECT_TRUE(loops.sign_flipped);
  EXPECT_TRUE(has_warning(loops, "opposite sign"));
  EXPECT_NEAR(loops.cycles.front().energy, 6, 4e-3);
  EXPECT_NEAR(loops.initial_stiffness, 2, 1e-9);

  const Loops left = record.analyse({.repair_sign = false});
  EXPECT_FALSE(left.sign_flipped);
  EXPECT_NEAR(left.cycles.front().energy, -6, 4e-3);
  EXPECT_TRUE(has_warning(left, "give energy"));
}

TEST(Loops, leave_out_rows_that_jump) {
  TestRecord record = swings(slider, {2, 2, 2});
  record.u[150] = 9;
  record.f[650] = -30;
  const Loops loops = record.analyse();
  EXPECT_EQ(loops.cycles.size(), 2u);
  EXPECT_NEAR(loops.amplitude, 2, 1e-12);
  EXPECT_NEAR(loops.force_level, 1, 1e-12);
  EXPECT_TRUE(has_warning(loops, "Row 151 and 1 more jump away")) << loops.warnings.front();
  // Rows are those of the record, also behind the ones left out: 2 sin has its last peak at 900.
  EXPECT_EQ(loops.reversals[4], 900u);
}

TEST(Loops, a_wild_value_does_not_hide_a_smaller_one) {
  TestRecord record = swings(slider, {2, 2, 2});
  record.f[650] = -3e6;
  record.f[150] = 9;
  EXPECT_EQ(rows_that_jump(record.u, record.f), (std::vector<std::size_t>{150, 650}));
  EXPECT_EQ(rows_that_jump(record.f), (std::vector<std::size_t>{150, 650}));
  EXPECT_EQ(jumping_rows_text({150, 650}), "row 151 and 1 more jump");
  // Cells without a number are no jumps, and neither is what both columns do, or a single step.
  record = swings(slider, {2, 2, 2});
  record.f[650] = std::numeric_limits<double>::quiet_NaN();
  record.u[150] += 3, record.f[150] += 3;
  for (std::size_t i = 400; i < 420; ++i) record.f[i] += 5;
  EXPECT_TRUE(rows_that_jump(record.u, record.f).empty());
}

TEST(Loops, repeated_rows_are_no_uneven_sampling) {
  TestRecord record = swings(slider, {2, 2, 2});
  record.t.clear();
  for (std::size_t i = 0; i < record.u.size(); ++i)
    record.t.push_back(0.01 * static_cast<double>(i));
  for (std::size_t i = 0; i + 8 < record.u.size(); ++i)
    if (i % 8 != 0) record.u[i] = record.u[i - i % 8], record.f[i] = record.f[i - i % 8];
  const Loops loops = record.analyse();
  EXPECT_TRUE(has_warning(loops, "repeat the row before")) << loops.warnings.size();
  EXPECT_FALSE(has_warning(loops, "uneven"));
}

TEST(Loops, say_that_the_sensor_was_at_its_limit) {
  TestRecord record = swings(Jenkins<double>({.k = 2, .phi = 3}), {1.4, 1.4, 1.4});
  add_noise(record.f, 0.02, 5);
  for (double& f : record.f) f = std::clamp(f, -2.5, 2.5);
  EXPECT_TRUE(has_warning(record.analyse(), "sensor"));
  // For most of the time: then the usual difference of neighbours is zero.
  for (double& f : record.f) f = std::clamp(f, -1.0, 1.0);
  EXPECT_TRUE(has_warning(record.analyse(), "sensor"));
  EXPECT_FALSE(has_warning(swings(slider, {2, 2, 2}).analyse(), "sensor"));
}

TEST(Loops, noise_is_no_hysteresis) {
  TestRecord record = swings(slider, {2, 2, 2});
  for (std::size_t i = 0; i < record.u.size(); ++i) record.f[i] = 3 * record.u[i];
  EXPECT_TRUE(has_warning(record.analyse(), "no hysteresis"));
  for (unsigned seed = 1; seed <= 6;
       ++seed) {  // some enclose a little more than nothing, some less
    TestRecord noisy = record;
    add_noise(noisy.f, 0.05, seed);
    EXPECT_FALSE(has_warning(noisy.analyse(), "give energy")) << seed;
    EXPECT_TRUE(has_warning(noisy.analyse(), "no hysteresis")) << seed;
  }
  for (double& f : record.f) f = 1.5;
  const Loops constant = record.analyse();
  ASSERT_EQ(constant.warnings.size(), 1u);
  EXPECT_TRUE(has_warning(constant, "The force does not change"));
}

TEST(Loops, frequency_is_told_from_amplitude) {
  // Viscous loops of amplitude A and frequency ω lose π c ω A²: exponents 2 and 1.
  TestRecord record;
  double start = 0;
  for (const double frequency : {1.0, 3.0})
    for (const double amplitude : {1.0, 2.0, 0.5}) {
      for (int k = 0; k < 800; ++k) {
        const double phase = 2 * pi * k / 400;
        record.t.push_back(start + k / 400.0 / frequency);
        record.u.push_back(amplitude * std::sin(phase));
        record.f.push_back(amplitude * std::sin(phase) +
                           0.1 * 2 * pi * frequency * amplitude * std::cos(phase));
      }
      start += 2 / frequency;
    }
  const Loops loops = record.analyse();
  ASSERT_TRUE(loops.dissipation.frequency_exponent.has_value());
  // Loops across a change of amplitude or frequency are mixed, hence not exact.
  EXPECT_NEAR(loops.dissipation.exponent, 2, 0.2);
  EXPECT_NEAR(*loops.dissipation.frequency_exponent, 1, 0.2);
}

TEST(Loops, few_rows_and_odd_records) {
  EXPECT_TRUE(has_warning(TestRecord{{}, {0, 1, 2}, {0, 1, 2}}.analyse(), "never turns"));
  const Loops constant = TestRecord{{}, {1, 1, 1, 1}, {2, 2, 2, 2}}.analyse();
  EXPECT_TRUE(constant.cycles.empty());
  EXPECT_TRUE(has_warning(TestRecord{{}, {0, 1, 0.5}, {0, 1, 0}}.analyse(), "No loop is closed"));
  EXPECT_THROW(TestRecord({}, {0, 1}, {0, 1}).analyse(), Error);
  EXPECT_THROW(TestRecord({}, {0, 1, 2}, {0, 1}).analyse(), Error);
  EXPECT_THROW(TestRecord({0, 1}, {0, 1, 2}, {0, 1, 2}).analyse(), Error);
  EXPECT_THROW(TestRecord({}, {0, 1, NAN}, {0, 1, 2}).analyse(), Error);
  EXPECT_THROW(TestRecord({}, {0, 1, 2}, {0, 1, 2}).analyse({.threshold = -1}), Error);
}

TEST(Loops, any_record_has_an_answer) {
  std::mt19937 random(17);
  for (int round = 0; round < 400; ++round) {
    const auto rows = 3 + random() % 60;
    TestRecord record;
    // Few different values, so that plateaus, repeated turns and exact ties are common.
    for (unsigned i = 0; i < rows; ++i) {
      record.u.push_back(static_cast<double>(random() % (2 + round % 9)) - 2);
      record.f.push_back(static_cast<double>(random() % 7) - 3);
    }
    const Loops loops =
        record.analyse({.threshold = round % 3 == 0 ? std::optional(0.0) : std::nullopt});
    for (const Cycle& cycle : loops.cycles) {
      EXPECT_GT(cycle.amplitude, 0);
      EXPECT_LE(cycle.first_row, cycle.middle_row);
      EXPECT_LE(cycle.middle_row, cycle.last_row);
      EXPECT_LT(cycle.last_row, rows);
      if (cycle.inside) {
        EXPECT_LE(loops.cycles[*cycle.inside].first_row, cycle.first_row);
        EXPECT_GE(loops.cycles[*cycle.inside].last_row, cycle.last_row);
      }
    }
    for (std::size_t i = 1; i < loops.reversals.size(); ++i)
      EXPECT_LT(loops.reversals[i - 1], loops.reversals[i]);
  }
}

TEST(Reversals, count_only_above_the_threshold) {
  const std::vector<double> u{0, 1, 0.95, 2, 0.5, 0.6, 0.4, 3};
  EXPECT_EQ(find_reversals(u, 0.2), (std::vector<std::size_t>{3, 6}));
  EXPECT_EQ(find_reversals(u, 0.01), (std::vector<std::size_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(find_reversals(u, 5), std::vector<std::size_t>{});
  EXPECT_EQ(find_reversals({}, 1), std::vector<std::size_t>{});
}

TEST(Reversals, noise_level_does_not_see_the_signal) {
  std::vector<double> u;
  for (int k = 0; k < 4000; ++k) u.push_back(std::sin(2 * pi * k / 40));
  EXPECT_LT(noise_level(u), 1e-5);
  add_noise(u, 0.01, 4);
  EXPECT_NEAR(noise_level(u), 0.01, 1e-3);
}

}  // namespace loops_test
}  // namespace microslip::loops
