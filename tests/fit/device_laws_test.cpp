#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"
#include "microslip/fit/fit.hpp"
#include "support/independent_laws.hpp"

/// Laws of steel, walls, rocking joints and friction, found again from records that integrators of
/// their printed equations have made, each with a load of its kind.
namespace microslip::fit {
namespace device_laws_test {

/// Cycles that grow, as tests of specimens have.
std::vector<double> growing_cycles(double amplitude, int cycles, int rows_per_cycle) {
  std::vector<double> u;
  for (int i = 1; i <= cycles * rows_per_cycle; ++i) {
    const double cycle = static_cast<double>(i) / rows_per_cycle;
    u.push_back(amplitude * std::ceil(cycle) / cycles * std::sin(2 * std::numbers::pi * cycle));
  }
  return u;
}

Data record(const std::vector<double>& u, const std::function<double(double)>& move) {
  Data data{"record", {}, u, {}};
  for (const double x : u) data.f.push_back(move(x));
  return data;
}

Fit found(const char* law, const Data& data, Settings settings) {
  const AnyModel model = catalog::make({law, {}, {}});
  return fit(model, {data}, catalog::with_hints(std::move(settings), model, {data}));
}
double value(const Fit& fit, const std::string& name) {
  return std::get<double>(fit.parameters.front().at(name));
}
double value(const Fit& fit, const std::string& name, std::size_t i) {
  return std::get<std::vector<double>>(fit.parameters.front().at(name)).at(i);
}

// Mild steel in mm and kN, the coupon's load: hardening over the cycles.
TEST(DeviceLaws, chaboche_of_a_steel_coupon) {
  testing::PrintedChaboche steel{200, 90, {1500, 40}, {25, 1.2}, 15, 0.8};
  steel.steps = 40;  // a row: 1e-9
  const Data data = record(growing_cycles(3, 5, 60), [&](double u) { return steel.move(u); });
  const Fit fit = found("chaboche", data, {.starts = 8, .seed = 1});
  EXPECT_LT(fit.rms_relative, 1e-8) << fit.message;
  EXPECT_NEAR(value(fit, "k"), 200, 1e-4);
  EXPECT_NEAR(value(fit, "fy"), 90, 1e-4);
  EXPECT_NEAR(value(fit, "gamma", 0), 1.2, 1e-4);
  EXPECT_NEAR(value(fit, "gamma", 1), 25, 1e-2);
  EXPECT_NEAR(value(fit, "Q"), 15, 1e-3);
}

TEST(DeviceLaws, menegotto_pinto_of_a_reinforcing_bar) {
  testing::PrintedMenegottoPinto bar{200, 100, 0.02, 18, 0.92, 0.12, 0, 1, 0.03, 1};
  const Data data = record(growing_cycles(4, 5, 60), [&](double u) { return bar.move(u); });
  const Fit fit = found("menegotto-pinto", data, {.starts = 8, .seed = 1});
  EXPECT_LT(fit.rms_relative, 1e-9) << fit.message;
  EXPECT_NEAR(value(fit, "k"), 200, 1e-4);
  EXPECT_NEAR(value(fit, "fy"), 100, 1e-4);
  EXPECT_NEAR(value(fit, "b"), 0.02, 1e-6);
  EXPECT_NEAR(value(fit, "R0"), 18, 1e-3);
  EXPECT_NEAR(value(fit, "a3"), 0.03, 1e-5);
}

TEST(DeviceLaws, baber_noori_of_a_timber_wall) {
  testing::PrintedBaberNoori wall{2,    0.08, 0.6, 0.3, 1,    0.002, 0.004,
                                  0.85, 0.1,  0.3, 0.3, 0.01, 0.2};
  wall.steps = 40;
  const Data data = record(growing_cycles(6, 6, 60), [&](double u) { return wall.move(u); });
  Settings settings{.starts = 16, .seed = 1};
  settings.setup.fixed["n"] = 1;
  // Of the parameters that count energy no record tells the size at first sight.
  settings.setup.bounds["p"] = closed_interval(0.05, 2);
  settings.setup.bounds["delta_nu"] = settings.setup.bounds["delta_eta"] = closed_interval(0, 0.02);
  const Fit fit = found("baber-noori", data, settings);
  EXPECT_LT(fit.rms_relative, 1e-6) << fit.message;
  EXPECT_NEAR(value(fit, "k"), 2, 1e-4);
  EXPECT_NEAR(value(fit, "zeta_s"), 0.85, 1e-3);
  EXPECT_NEAR(value(fit, "delta_eta"), 0.004, 1e-5);
}

TEST(DeviceLaws, baber_noori_of_a_timber_wall_without_a_word_from_the_user) {
  testing::PrintedBaberNoori wall{2,    0.08, 0.6, 0.3, 1,    0.002, 0.004,
                                  0.85, 0.1,  0.3, 0.3, 0.01, 0.2};
  wall.steps = 40;
  const Data data = record(growing_cycles(6, 6, 60), [&](double u) { return wall.move(u); });
  const Fit fit = found("baber-noori", data, {.starts = 16, .seed = 1});
  EXPECT_LT(fit.rms_relative, 1e-5) << fit.message;
  EXPECT_NEAR(value(fit, "k"), 2, 1e-2);
  EXPECT_NEAR(value(fit, "zeta_s"), 0.85, 1e-2);
}

TEST(DeviceLaws, flag_of_a_ring_spring) {
  testing::PrintedFlag spring{12, 1.5, 30, 0.7};
  const Data data = record(growing_cycles(8, 4, 60), [&](double u) { return spring.move(u); });
  const Fit fit = found("flag", data, {.starts = 8, .seed = 1});
  EXPECT_LT(fit.rms_relative, 1e-9) << fit.message;
  EXPECT_NEAR(value(fit, "k1"), 12, 1e-6);
  EXPECT_NEAR(value(fit, "k2"), 1.5, 1e-6);
  EXPECT_NEAR(value(fit, "fa"), 30, 1e-6);
  EXPECT_NEAR(value(fit, "beta"), 0.7, 1e-6);
}

TEST(DeviceLaws, rocking_of_a_pier_that_tips) {
  testing::PrintedRocking pier{40, 20, -0.6, 2.2, 15, 6, 1.6};
  pier.steps = 100;
  const Data data = record(growing_cycles(5, 4, 80), [&](double u) { return pier.move(u); });
  const Fit fit = found("rocking", data, {.starts = 8, .seed = 1});
  EXPECT_LT(fit.rms_relative, 1e-7) << fit.message;
  EXPECT_NEAR(value(fit, "fl"), 20, 1e-3);
  EXPECT_NEAR(value(fit, "k2"), -0.6, 1e-4);
  EXPECT_NEAR(value(fit, "fd"), 6, 1e-3);
}

TEST(DeviceLaws, maxwell_slip_of_a_slow_and_fast_slide) {
  testing::PrintedMaxwellSlip slide{{8, 4, 2}, {0.2, 0.3, 0.5}, 6, 10, 2, 2, 60, 0.4};
  slide.steps = 2000;  // of order one at the onset of slip
  Data data{"record", {0}, {0}, {0}};
  for (int i = 1; i <= 400; ++i) {
    const double t = 0.05 * i;
    data.t.push_back(t);
    data.u.push_back(3 * std::sin(t) + 1.2 * std::sin(3.7 * t));
    data.f.push_back(slide.move(data.u.back(), 0.05));
  }
  const Fit fit = found("maxwell-slip", data, {.starts = 32, .seed = 1});
  EXPECT_LT(fit.rms_relative, 1e-4) << fit.message;
  EXPECT_NEAR(value(fit, "ratio"), 0.6, 1e-2);
  EXPECT_NEAR(value(fit, "sigma2"), 0.4, 1e-2);
  EXPECT_NEAR(value(fit, "C"), 60, 3);
}

}  // namespace device_laws_test
}  // namespace microslip::fit
