#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "dynamics/balance/harmonic_balance.hpp"
#include "microslip/catalog/files/structure_file.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/periodic/small_vibrations.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

/// contact-planar in structures against small steps that share nothing with this program: the leapfrog method
/// and one projection of the elastic trial on the circle a step, without events. Their error falls with the step
/// and is extrapolated from two.
namespace microslip::catalog {
namespace planar_in_structures_test {

constexpr double kt = 5, kn = 21, mu = 0.85;
constexpr std::array<double, 3> k{12, 14, 21}, c{0.34641, 0.4, 2};

struct Load {
  std::array<double, 3> amplitude, phase;
  double weight, N0;
};

struct Point {
  std::array<double, 3> x{}, f{};
};

/// Unit masses x, y, n. `see` is called after each step.
template <class See>
Point small_steps(const Load& load, double omega, double h, long steps, const See& see) {
  Point p;
  std::array<double, 3> v{};
  const double held = std::max(load.N0, 0.0);
  p.x[2] = (load.weight - (load.N0 - held)) / (k[2] + kn);
  p.f[2] = load.N0 + kn * p.x[2] - held;
  if (load.N0 + kn * p.x[2] < 0) {
    p.x[2] = (load.weight + held) / k[2];
    p.f[2] = -held;
  }
  for (long i = 0; i < steps; ++i) {
    const double middle = (static_cast<double>(i) + 0.5) * h;
    const std::array<double, 3> before = p.x;
    for (std::size_t j = 0; j < 3; ++j) p.x[j] += 0.5 * h * v[j];
    const auto trial = [&](const std::array<double, 3>& from) {
      Point at = p;
      const double N = std::max(0.0, load.N0 + kn * p.x[2]);
      at.f[2] = N - held;
      double size = 0;
      for (std::size_t j = 0; j < 2; ++j) at.f[j] = p.f[j] + kt * (p.x[j] - from[j]);
      size = std::hypot(at.f[0], at.f[1]);
      if (size > mu * N)
        for (std::size_t j = 0; j < 2; ++j) at.f[j] *= mu * N / size;
      return at.f;
    };
    p.f = trial(before);
    const std::array<double, 3> half = p.x;
    for (std::size_t j = 0; j < 3; ++j) {
      const double force = load.amplitude[j] * std::cos(omega * middle + load.phase[j]) +
                           (j == 2 ? load.weight : 0) - k[j] * p.x[j] - p.f[j];
      // Damping by the trapezoidal rule.
      v[j] = ((1 - 0.5 * h * c[j]) * v[j] + h * force) / (1 + 0.5 * h * c[j]);
      p.x[j] += 0.5 * h * v[j];
    }
    p.f = trial(half);
    see(i, p);
  }
  return p;
}

std::string file_text(const Load& load, double omega) {
  std::string text =
      "M = [1.0, 1.0, 1.0]\nK = [12.0, 14.0, 21.0]\n"
      "C = [[0.34641, 0.0, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 2.0]]\n[[joint]]\n"
      "model = \"contact-planar\"\nset = { kt = 5.0, kn = 21.0, mu = 0.85, N0 = " +
      number_text(load.N0) + " }\nbetween = [[0, 1], [0, 2], [0, 3]]\n";
  for (std::size_t j = 0; j < 3; ++j)
    text += "[[load]]\nkind = \"harmonic\"\ndof = " + std::to_string(j + 1) +
            "\namplitude = " + number_text(load.amplitude[j]) +
            "\nphase = " + number_text(load.phase[j]) + "\n" +
            (omega > 0 ? "omega = " + number_text(omega) + "\n" : "");
  return text + "[[load]]\nkind = \"static\"\ndof = 3\namplitude = " + number_text(load.weight) +
         "\n";
}
StructureFile file_of(const Load& load, double omega = 0) {
  return parse_structure(file_text(load, omega), std::string("s.toml"));
}

/// Slips under a load that changes, slips all around, opens, and begins with a gap.
const std::vector<Load>& loads() {
  static const std::vector<Load> all{{{60, 50, 30}, {0, 0.5, 0.8}, 100, 0},
                                     {{150, 140, 10}, {0, 1.5, 0}, 60, 10},
                                     {{60, 50, 160}, {0, 0.5, 0.8}, 100, 0},
                                     {{20, 30, 60}, {0, 1, 0.3}, 10, -4}};
  return all;
}

/// An isotropic law: with the axes exchanged everything is as before. An estimate with the impedance of the first
/// direction alone would be 50 times as large in one of both structures.
TEST(PlanarInStructures, harmonics_left_out_meet_the_impedance_of_their_own_direction) {
  const auto truncation = [](double kx, double ky, double x, double y) {
    const auto file =
        parse_structure("M = [1.0, 1.0]\nK = [" + number_text(kx) + ", " + number_text(ky) +
                            "]\n[[joint]]\nmodel = \"jenkins-planar\"\n"
                            "between = [[0, 1], [0, 2]]\n",
                        std::string("s.toml"));
    dynamics::HarmonicBalance balance(file.structure, 3);
    return balance.truncation(balance.starts().cosine_motion(Eigen::Vector2d(x, y), 0.3));
  };
  const double estimate = truncation(2, 100, 5, 3);
  EXPECT_GT(estimate, 1e-3);
  EXPECT_NEAR(truncation(100, 2, 3, 5), estimate, 1e-9 * estimate);
}

TEST(PlanarInStructures, motions_in_time_are_those_of_small_steps) {
  const double omega = 3.8, until = 12;
  for (const Load& load : loads()) {
    const auto end = [&](long steps) {
      return small_steps(load, omega, until / static_cast<double>(steps), steps,
                         [](long, const Point&) {});
    };
    const Point coarse = end(100000), fine = end(200000);
    Eigen::Vector3d known;
    for (std::size_t j = 0; j < 3; ++j)
      known[static_cast<Eigen::Index>(j)] = 2 * fine.x[j] - coarse.x[j];
    const auto file = file_of(load, omega);
    dynamics::TimeOptions options;
    options.until = until;
    options.every_step = false;
    options.x0 = dynamics::static_equilibrium(file.structure).x;
    options.tolerance = 1e-6;
    const auto error = [&] {
      const auto run = dynamics::integrate(file.structure, options);
      EXPECT_TRUE(run.message.empty()) << run.message;
      return (run.x.back() - known).norm() / known.norm();
    };
    EXPECT_LT(error(), 3e-5) << load.weight;
    options.step = 1e-3;
    for (const auto method : {dynamics::Method::midpoint, dynamics::Method::newmark}) {
      options.method = method;
      EXPECT_LT(error(), 1e-4) << load.weight;
    }
  }
}

/// First harmonics of the last period, extrapolated.
std::array<double, 3> steady(const Load& load, double omega) {
  const auto one = [&](long steps) {
    constexpr long periods = 60;
    std::array<std::complex<double>, 3> sum{};
    const double h = 2 * pi / omega / static_cast<double>(steps);
    small_steps(load, omega, h, periods * steps, [&](long i, const Point& p) {
      if (i < (periods - 1) * steps) return;
      for (std::size_t j = 0; j < 3; ++j)
        sum[j] +=
            std::polar(2.0 / static_cast<double>(steps), -omega * h * static_cast<double>(i + 1)) *
            p.x[j];
    });
    return sum;
  };
  const auto coarse = one(4000), fine = one(8000);
  std::array<double, 3> size{};
  for (std::size_t j = 0; j < 3; ++j) size[j] = std::abs(2.0 * fine[j] - coarse[j]);
  return size;
}

TEST(PlanarInStructures, responses_are_those_of_small_steps) {
  for (const Load& load : loads())
    for (const double omega : {3.0, 4.4}) {
      const auto known = steady(load, omega);
      dynamics::FrequencyResponseOptions options;
      options.from = 0.98 * omega;
      options.to = 1.02 * omega;
      options.at = {omega};
      options.harmonics = 31;
      const auto response = dynamics::frequency_response(file_of(load).structure, options);
      ASSERT_EQ(response.at.size(), 1U) << load.weight << " " << omega;
      for (std::size_t j = 0; j < 3; ++j)
        EXPECT_NEAR(response.at[0].first[j].amplitude, known[j],
                    2e-4 * std::max(known[j], 0.1 * known[0]))
            << load.weight << " " << omega << " " << j;
      EXPECT_FALSE(response.unbalanced);
      EXPECT_LT(response.energy_balance, 1e-6);
    }
}

/// From stuck to slip all around. Where it begins to slip, offsets across the motion fade slowly.
TEST(PlanarInStructures, a_response_goes_on_through_the_beginning_of_slip) {
  dynamics::FrequencyResponseOptions options;
  options.along = dynamics::Along::level;
  options.from = 0.1;
  options.to = 2;
  options.omega = 3.8;
  options.harmonics = 5;
  const auto response = dynamics::frequency_response(file_of(loads()[2]).structure, options);
  EXPECT_EQ(response.end, dynamics::CurveEnd::reached);
  EXPECT_EQ(response.branch.front().energy[0], 0);
  EXPECT_GT(response.branch.back().energy[0], 100);
  EXPECT_LT(response.energy_balance, 1e-5);
}

/// What moves along a line, with a constant normal force, is a joint along one direction.
TEST(PlanarInStructures, a_line_is_the_joint_along_one_direction) {
  dynamics::FrequencyResponseOptions options;
  options.from = 0.9;
  options.to = 1.4;
  options.at = {1.15};
  options.harmonics = 9;
  const auto plane = dynamics::frequency_response(
      parse_structure("M = [1.0, 1.0, 1.0]\nK = [1.0, 1.0, 1.0]\ndamping = [0.05, 0.05, 0.05]\n"
                      "[[joint]]\nmodel = \"contact-planar\"\n"
                      "set = { kt = 1.0, kn = 4.0, mu = 0.3, N0 = 2.0 }\n"
                      "between = [[0, 1], [0, 2], [0, 3]]\n"
                      "[[load]]\nkind = \"harmonic\"\nalong = [0.8, 0.6, 0]\namplitude = 0.5\n",
                      std::string("s.toml"))
          .structure,
      options);
  const auto line = dynamics::frequency_response(
      parse_structure("M = [1.0]\nK = [1.0]\nC = [0.1]\n[[joint]]\nmodel = \"jenkins\"\n"
                      "set = { k = 1.0, phi = 0.6 }\nbetween = [0, 1]\n"
                      "[[load]]\nkind = \"harmonic\"\ndof = 1\namplitude = 0.5\n",
                      std::string("s.toml"))
          .structure,
      options);
  ASSERT_EQ(plane.at.size(), 1U);
  ASSERT_EQ(line.at.size(), 1U);
  EXPECT_GT(line.at[0].energy[0], 0.1);
  EXPECT_NEAR(std::hypot(plane.at[0].first[0].amplitude, plane.at[0].first[1].amplitude),
              line.at[0].first[0].amplitude, 1e-8);
  EXPECT_NEAR(plane.at[0].energy[0], line.at[0].energy[0], 1e-8);
}

/// Slip begins at μ N/kt = 0.85 · 4/5.
TEST(PlanarInStructures, modes_go_from_far_below_slip_to_far_beyond) {
  const Load load{{0, 0, 0}, {0, 0, 0}, 8, 0};
  dynamics::ModeOptions options;
  options.mode = 1;
  options.from = 0.68e-8;
  options.to = 0.68e3;
  options.harmonics = 3;
  const auto curve = dynamics::nonlinear_mode(file_of(load).structure, options);
  EXPECT_EQ(curve.end, dynamics::CurveEnd::reached);
  ASSERT_FALSE(curve.points.empty());
  EXPECT_NEAR(curve.points.front().omega, std::sqrt(17.0), 1e-9);
  EXPECT_NEAR(curve.points.back().omega, std::sqrt(12.0), 1e-3);
}

TEST(PlanarInStructures, small_loads_give_the_linear_response) {
  for (const double size : {1e-8, 1e-4}) {
    const Load load{{size, 0.7 * size, 0.1 * size}, {0, 0.4, 0}, 100, 0};
    dynamics::FrequencyResponseOptions options;
    options.from = 3.7;
    options.to = 3.9;
    options.at = {3.8};
    options.harmonics = 3;
    const auto response = dynamics::frequency_response(file_of(load).structure, options);
    ASSERT_EQ(response.at.size(), 1U) << size;
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(response.at[0].first[j].amplitude,
                  load.amplitude[j] / std::hypot(k[j] + (j < 2 ? kt : kn) - 3.8 * 3.8, c[j] * 3.8),
                  1e-6 * size);
  }
}

}  // namespace planar_in_structures_test
}  // namespace microslip::catalog
