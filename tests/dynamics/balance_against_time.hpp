#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "support.hpp"
#include "support/random.hpp"

/// Laws as joints of random structures: harmonic balance against a motion in time.
namespace microslip::dynamics {

/// Laws whose loops repeat, of any family; with friction that jumps they need longer runs in time than
/// tests have.
inline std::vector<AnyModel> laws_that_repeat() {
  std::vector<AnyModel> found;
  for (const catalog::Law& entry : catalog::laws()) {
    if (entry.description.family == Family::planar) continue;
    AnyModel model = entry.make({}, {});
    if (model.description().driven == Driven::force || model.rigid()) continue;
    if (entry.description.name == "bouc-wen-degrading") continue;  // has no steady loop
    // Remembers its largest displacements for ever: as many steady motions as ways to them.
    if (entry.description.name == "menegotto-pinto") continue;
    found.push_back(std::move(model));
  }
  return found;
}

/// A chain of one or two masses with the joint at its end, and a load of a size that moves the law
/// between its smallest and its largest slip.
inline Structure random_structure(const AnyModel& model, double omega, testing::Rng& rng) {
  const bool two = rng.uniform(0, 1) < 0.5;
  const double k = rng.uniform(0.6, 2);
  Structure s;
  if (two) {
    s.M = diagonal({1, rng.uniform(0.3, 1)});
    Eigen::MatrixXd K(2, 2);
    K << 2 * k, -k, -k, k;
    s.K = K.sparseView();
    s.C = (0.25 * K).sparseView();
  } else {
    s.M = diagonal({1});
    s.K = diagonal({k});
    s.C = diagonal({0.3});
  }
  const Eigen::Index n = s.M.rows();
  s.joints.push_back({model, Eigen::VectorXd::Unit(n, n - 1)});
  const double force = std::pow(10, rng.uniform(-0.7, 0.5));
  s.loads.push_back({Eigen::VectorXd::Unit(n, 0), Tones{{{force, 0, 1, omega}}}});
  return s;
}

/// First harmonics in time, once the motion repeats; empty if it does not within the periods given, or is
/// not known as exactly as was asked for. The load
/// grows slowly: after one that begins at once, sliders that slipped on the way may stick elsewhere, or slip on
/// (iwan5: with kinetic friction a slider that slips once needs less to go on), and the motion is another one.
inline std::vector<std::complex<double>> in_time(Structure s, double omega) {
  constexpr int rows = 64, periods = 60, growth = 12;  // 1 - exp(-25) at the end
  const double period = 2 * pi / omega;
  for (Load& load : s.loads) {
    const double force = std::get<Tones>(load.signal).list.at(0).amplitude;
    load.signal = Formula{Expression::parse(number_text(force) + "*(1-exp(-(t/" +
                                                number_text(growth * period) + ")^2))*cos(" +
                                                number_text(omega) + "*t)",
                                            {"t"})};
  }
  TimeOptions options;
  options.until = periods * period;
  options.every_step = false;
  for (int i = 0; i < 2 * rows; ++i)
    options.at.push_back(options.until - (2 * rows - i) * period / rows);
  const TimeResult run = integrate(s, options);
  if (run.status == Status::not_converged) return {};
  EXPECT_EQ(run.message, "");
  // The motions that fade lose a tenth and more a radian.
  std::vector<std::complex<double>> last;
  double change = 0, size = 0;
  for (Eigen::Index dof = 0; dof < s.size(); ++dof) {
    std::complex<double> sums[2] = {0, 0};
    for (std::size_t i = 0; i < run.t.size(); ++i) {
      const double before_end = (options.until - run.t[i]) / period * rows;
      const auto place = static_cast<int>(std::round(before_end));
      if (std::abs(before_end - place) > 1e-6 || place < 1 || place > 2 * rows) continue;
      sums[place <= rows] += 2.0 / rows * run.x[i][dof] * std::polar(1.0, -omega * run.t[i]);
    }
    last.push_back(sums[1]);
    change = std::max(change, std::abs(sums[1] - sums[0]));
    size = std::max(size, std::abs(sums[1]));
  }
  return change <= 1e-7 * size ? last : std::vector<std::complex<double>>{};
}

/// The first harmonic of the joint's force over that of the load.
inline double force_beside_load(const Structure& s, const ResponsePoint& point) {
  const std::complex<double> i(0, 1);
  const double omega = point.omega;
  Eigen::VectorXcd x(s.size());
  for (Eigen::Index dof = 0; dof < x.size(); ++dof) {
    const Phasor& phasor = point.first[static_cast<std::size_t>(dof)];
    x[dof] = std::polar(phasor.amplitude, phasor.phase);
  }
  const Eigen::MatrixXcd Z = (Eigen::MatrixXd(s.K) - omega * omega * Eigen::MatrixXd(s.M)) +
                             i * omega * Eigen::MatrixXd(s.C);
  const double load = std::get<Tones>(s.loads[0].signal).list.at(0).amplitude;
  Eigen::VectorXcd force = -Z * x;
  force[0] += load;
  return force.lpNorm<Eigen::Infinity>() / load;
}

/// Whether the two could be compared. Harmonic balance states 1e-6 of the motion for the harmonics that it
/// leaves out, the time integration of rate-dependent laws 1e-7. It also states how exactly it knows the forces;
/// their error is an error of the load, and the slope of a law may count twice as much as its chord.
inline bool agrees_with_time(const Structure& s, double omega) {
  const AnyModel& model = s.joints.front().model;
  FrequencyResponseOptions options;
  options.from = 0.9 * omega;
  options.to = 1.1 * omega;
  options.at = {omega};
  options.stability = options.peaks = false;
  options.tolerance = 1e-6;
  const FrequencyResponse r = frequency_response(s, options);
  if (r.at.size() != 1 || r.truncation > options.tolerance) return false;
  const auto time = in_time(s, omega);
  if (time.empty()) return false;
  const double known = r.quadrature * std::max(1.0, force_beside_load(s, r.at[0]));
  double size = 0;
  for (const auto& x : time) size = std::max(size, std::abs(x));
  for (std::size_t dof = 0; dof < time.size(); ++dof) {
    const Phasor& phasor = r.at[0].first[dof];
    const auto balance = std::polar(phasor.amplitude, phasor.phase);
    const double error = std::abs(balance - time[dof]) / size;
    EXPECT_LE(error, 2e-6 + 2 * known)
        << model.description().name << ", degree of freedom " << dof + 1 << ", omega " << omega;
    if (std::getenv("MICROSLIP_SHOW") != nullptr) {
      std::printf("%-60s %.1e, forces %.1e\n", model.description().name.c_str(), error,
                  r.quadrature);
      std::fflush(stdout);
    }
  }
  return true;
}

}  // namespace microslip::dynamics
