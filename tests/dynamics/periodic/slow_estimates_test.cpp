#include <gtest/gtest.h>

#include <cstdio>

#include "dynamics/balance_against_time.hpp"
#include "dynamics/joint/periodic_joint.hpp"

/// How often what a response prints of its own errors is at least the error, over random cases.
namespace microslip::dynamics {
namespace slow_estimates_test {

using microslip::testing::Rng;

struct Share {
  int cases = 0, covered = 0;
  double worst = 0;  ///< error over estimate

  void add(double error, double estimate) {
    ++cases;
    covered += error <= estimate;
    if (estimate > 0) worst = std::max(worst, error / estimate);
  }
  void show(const std::string& what) const {
    std::printf("%-46s %3d of %3d covered, the error at most %.3g of the estimate\n", what.c_str(),
                covered, cases, worst);
    std::fflush(stdout);
  }
  /// 19 of 20, three standard deviations of the count below.
  void expect(const std::string& what) const {
    show(what);
    EXPECT_GE(covered, 0.95 * cases - 3 * std::sqrt(0.05 * 0.95 * cases)) << what;
  }
};

/// Of the first harmonics that were asked for, relative to the largest of them.
double change(const FrequencyResponse& few, const FrequencyResponse& many) {
  double error = 0;
  for (std::size_t i = 0; i < few.at.size(); ++i) {
    double size = 0, difference = 0;
    for (std::size_t dof = 0; dof < few.at[i].first.size(); ++dof) {
      const Phasor &a = few.at[i].first[dof], &b = many.at[i].first[dof];
      size = std::max(size, b.amplitude);
      difference = std::max(difference, std::abs(std::polar(a.amplitude, a.phase) -
                                                 std::polar(b.amplitude, b.phase)));
    }
    error = std::max(error, difference / size);
  }
  return error;
}

/// A few harmonics against 63. Laws are those that have no rigid friction, whose estimate is another one.
TEST(SlowEstimates, truncation_covers_the_error_of_random_structures) {
  Rng random(4405);
  Share share;
  for (const AnyModel& model : laws_that_repeat()) {
    if (!model.repeats()) continue;
    for (const int harmonics : {3, 9}) {
      const double omega = random.uniform(0.6, 1.8);
      const Structure s = random_structure(model, omega, random);
      FrequencyResponseOptions options;
      options.from = 0.8 * omega;
      options.to = 1.2 * omega;
      options.at = {0.85 * omega, omega, 1.15 * omega};
      options.stability = options.peaks = false;
      options.harmonics = harmonics;
      const FrequencyResponse few = frequency_response(s, options);
      options.harmonics = 47;
      const FrequencyResponse many = frequency_response(s, options);
      if (few.at.size() != options.at.size() || many.at.size() != options.at.size()) continue;
      const double error = change(few, many);
      // What both are solved for, and what is left of 47 harmonics.
      if (error < 1e-8 || error < 3 * many.truncation) continue;
      share.add(error, few.truncation);
      if (error > few.truncation)
        std::printf("  %s, %d harmonics: %.2g for %.2g\n", model.description().name.c_str(),
                    harmonics, few.truncation, error);
    }
  }
  EXPECT_GE(share.cases, 40);
  share.expect("truncation");
}

/// The integrals of a loop against those with pieces of an eighth. Rounding of velocities is no error of theirs.
TEST(SlowEstimates, quadrature_covers_the_error_of_random_motions) {
  Rng random(4406);
  Share share;
  for (const AnyModel& model : laws_that_repeat()) {
    if (!model.repeats()) continue;
    for (int draw = 0; draw < 6; ++draw) {
      constexpr int harmonics = 5;
      Eigen::VectorXd q = Eigen::VectorXd::Zero(2 * harmonics + 1);
      const double size = random.log_uniform(0.1, 5);
      for (int h = 1; h <= harmonics; h += draw % 2 == 0 ? 2 : 1)
        for (const int part : {2 * h - 1, 2 * h}) q[part] = size * random.uniform(-1, 1) / (h * h);
      const double omega = random.uniform(0.5, 2);
      PeriodicJoint joint(model, harmonics), fine(model, harmonics, {.level = 3});
      const double estimate = joint.quadrature(q, omega);
      const PeriodicForce &a = joint.evaluate(q, omega, false), &b = fine.evaluate(q, omega, false);
      if (a.status != Status::ok || b.status != Status::ok || !a.closed || !b.closed) continue;
      const double force = b.coefficients.lpNorm<Eigen::Infinity>();
      ASSERT_TRUE(a.coefficients.allFinite() && std::isfinite(force)) << model.description().name;
      if (force == 0) continue;
      const double error = (a.coefficients - b.coefficients).lpNorm<Eigen::Infinity>() / force;
      if (error < 1e-9) continue;  // what is aimed at
      share.add(error, estimate);
      if (error > estimate)
        std::printf("  %s: %.2g for %.2g\n", model.description().name.c_str(), estimate, error);
    }
  }
  share.expect("quadrature");
}

}  // namespace slow_estimates_test
}  // namespace microslip::dynamics
