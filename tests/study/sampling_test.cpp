#include "microslip/study/sampling.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "microslip/study/design.hpp"
#include "microslip/study/posterior.hpp"

namespace microslip::study {
namespace sampling_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double pi = std::numbers::pi;

/// A normal distribution with correlations and very different sizes.
TEST(sampling, nuts_draws_from_a_normal_distribution) {
  MatrixXd covariance(3, 3);
  covariance << 4, 1.8, 0.01, 1.8, 1, 0.004, 0.01, 0.004, 1e-4;
  const MatrixXd precision = covariance.ldlt().solve(MatrixXd::Identity(3, 3));
  VectorXd mean(3);
  mean << 1, -2, 3;
  Target target;
  target.dimension = 3;
  target.value = [&](const VectorXd& z, VectorXd* gradient) {
    const VectorXd pull = precision * (z - mean);
    if (gradient) *gradient = -pull;
    return Target::Value{-0.5 * (z - mean).dot(pull), 0};
  };
  SamplerOptions options;
  options.draws = 2000;
  // The covariance is learnt: it begins as another one.
  const Samples samples = nuts(target, VectorXd::Zero(3), MatrixXd::Identity(3, 3) * 0.01, options);
  ASSERT_EQ(samples.chains.size(), 4u);
  EXPECT_EQ(samples.divergences, 0u);
  EXPECT_NEAR(samples.acceptance, 0.85, 0.12);
  for (Index k = 0; k < 3; ++k) {
    std::vector<VectorXd> columns;
    double first = 0, second = 0;
    for (const MatrixXd& chain : samples.chains) {
      columns.emplace_back(chain.col(k));
      first += chain.col(k).mean() / 4;
    }
    for (const VectorXd& column : columns) second += (column.array() - first).square().mean() / 4;
    const double deviation = std::sqrt(covariance(k, k)), ess = effective_samples(columns);
    EXPECT_GT(ess, 1000);
    EXPECT_LT(split_r_hat(columns), 1.01);
    EXPECT_NEAR(first, mean[k], 5 * deviation / std::sqrt(ess));
    EXPECT_NEAR(std::sqrt(second), deviation, 0.07 * deviation);
  }
  // The same samples with another number of threads.
  options.threads = 1;
  options.draws = 20;
  const Samples one = nuts(target, mean, covariance, options);
  options.threads = 3;
  EXPECT_EQ(nuts(target, mean, covariance, options).chains[3], one.chains[3]);
}

/// Two peaks, one three times as heavy, with a uniform prior on [−10, 10]²: shares and evidence in closed form.
TEST(sampling, transitional_sampling_finds_both_peaks_and_the_evidence) {
  Target target;
  target.dimension = 2;
  const auto box = [](double z) { return -10 + 20 / (1 + std::exp(-z)); };
  target.value = [&](const VectorXd& z, VectorXd*) {
    const double x = box(z[0]), y = box(z[1]);
    const double a = std::exp(-0.5 * ((x - 4) * (x - 4) + (y - 4) * (y - 4)) / 0.04);
    const double b = std::exp(-0.5 * ((x + 4) * (x + 4) + (y + 4) * (y + 4)) / 0.04);
    Target::Value value{std::log(0.75 * a + 0.25 * b + 1e-300), 0};
    for (const double t : z) value.prior += -std::abs(t) - 2 * std::log1p(std::exp(-std::abs(t)));
    return value;
  };
  target.prior = [](const VectorXd& u) {
    return VectorXd((u.array() / (1 - u.array())).log().matrix());
  };
  SamplerOptions options;
  options.draws = 4000;
  const Samples samples = transitional(target, options);
  const double exact = std::log(2 * pi * 0.04 / 400);
  EXPECT_NEAR(samples.log_evidence, exact, 4 * samples.log_evidence_error + 0.05);
  EXPECT_LT(samples.log_evidence_error, 0.15);
  double upper = 0, spread = 0;
  for (Index r = 0; r < samples.chains[0].rows(); ++r) {
    const double x = box(samples.chains[0](r, 0));
    if (x > 0) upper += 1, spread += (x - 4) * (x - 4);
  }
  EXPECT_NEAR(upper / 4000, 0.75, 0.12);
  EXPECT_NEAR(std::sqrt(spread / upper), 0.2, 0.02);
}

/// Of x_{n+1} = ρ x_n + noise, n draws are worth n (1 − ρ)/(1 + ρ).
TEST(sampling, effective_samples_of_a_known_chain) {
  constexpr double rho = 0.8;
  std::vector<VectorXd> chains;
  for (std::uint32_t c = 0; c < 4; ++c) {
    VectorXd x(20000);
    double at = 0;
    for (Index i = 0; i < x.size(); ++i) {
      const double u = uniform(5, c, static_cast<std::uint64_t>(i), 0),
                   v = uniform(5, c, static_cast<std::uint64_t>(i), 1);
      at = rho * at + std::sqrt(-2 * std::log(u)) * std::cos(2 * pi * v);
      x[i] = at;
    }
    chains.push_back(std::move(x));
  }
  EXPECT_NEAR(effective_samples(chains), 80000 * (1 - rho) / (1 + rho), 900);
  EXPECT_NEAR(split_r_hat(chains), 1, 0.005);
  chains[0].array() += 1;
  EXPECT_GT(split_r_hat(chains), 1.02);
}

/// f = k u + noise of known draws.
jobs::FitRequest line(double k, double noise, std::uint64_t seed) {
  jobs::FitRequest request;
  jobs::Record record;
  for (int i = 0; i < 200; ++i) {
    record.u.push_back(std::sin(0.37 * i) * (1 + 0.01 * i));
    const double a = uniform(seed, 1, static_cast<std::uint64_t>(i), 0),
                 b = uniform(seed, 1, static_cast<std::uint64_t>(i), 1);
    record.f.push_back(k * record.u.back() +
                       noise * std::sqrt(-2 * std::log(a)) * std::cos(2 * pi * b));
  }
  request.records = {record};
  request.models = {"linear"};
  request.starts = 4;
  request.holdout = "none";
  request.start = fit::Beginning::virgin;
  request.sign = jobs::Sign::keep;
  return request;
}

/// Mean, deviation and evidence against a sum over a fine grid of (k, ln σ), which knows nothing of samplers.
TEST(posterior, of_a_line_is_that_of_a_grid) {
  const jobs::FitRequest request = line(2, 0.3, 3);
  const jobs::FitResult fitted = jobs::fit(request);
  PosteriorSettings settings;
  Distribution prior;
  prior.kind = Distribution::Kind::normal;
  prior.a = 2.1;
  prior.b = 0.05;
  settings.priors = {{"k", prior}};
  const PosteriorResult by_gradient = posterior(request, fitted, settings);
  settings.sampler = Sampler::transitional;
  const PosteriorResult by_weights = posterior(request, fitted, settings);
  const std::vector<double>& u = request.records[0].u;
  const std::vector<double>& f = request.records[0].f;
  const auto [low, high] = std::minmax_element(f.begin(), f.end());
  const double range = *high - *low, power = by_gradient.fits[0].rows / 200;
  double mass = 0, first = 0, second = 0;
  double most = -1e300;
  std::vector<std::array<double, 3>> points;
  for (int a = -400; a <= 400; ++a)
    for (int b = 0; b <= 800; ++b) {
      const double k = 2.02 + 0.0005 * a, log_sigma = std::log(0.15) + b * std::log(4.0) / 800;
      const double sigma = std::exp(log_sigma);
      double squares = 0;
      for (std::size_t i = 0; i < u.size(); ++i) squares += (f[i] - k * u[i]) * (f[i] - k * u[i]);
      const double value =
          power * (-200 * std::log(sigma * std::sqrt(2 * pi)) - 0.5 * squares / (sigma * sigma)) +
          prior.log_density(k);
      points.push_back({k, log_sigma, value});
      most = std::max(most, value);
    }
  const double cell = 0.0005 * std::log(4.0) / 800;
  for (const auto& [k, log_sigma, value] : points) {
    const double weight = std::exp(value - most);
    mass += weight;
    first += weight * k;
    second += weight * k * k;
  }
  const double mean = first / mass, deviation = std::sqrt(second / mass - mean * mean);
  // The noise is uniform in its logarithm from 1e-7 to 1 of the range.
  const double evidence = std::log(mass * cell) + most - std::log(std::log(1e7));
  for (const PosteriorResult* result : {&by_gradient, &by_weights}) {
    const PosteriorNumber& k = result->fits[0].numbers[0];
    ASSERT_EQ(k.name, "k");
    EXPECT_NEAR(k.mean, mean, 0.12 * deviation) << result->fits[0].sampler;
    EXPECT_NEAR(k.deviation, deviation, 0.07 * deviation) << result->fits[0].sampler;
  }
  EXPECT_GT(by_gradient.fits[0].numbers[0].effective, 500);
  EXPECT_LT(by_gradient.fits[0].numbers[0].r_hat, 1.01);
  EXPECT_NEAR(by_gradient.fits[0].coverage, 0.9, 0.06);
  EXPECT_EQ(by_gradient.fits[0].numbers[1].name, "sigma");
  EXPECT_NEAR(by_gradient.fits[0].numbers[1].median, 0.3, 0.05);
  EXPECT_NEAR(*by_weights.fits[0].log_evidence, evidence,
              4 * *by_weights.fits[0].log_evidence_error + 0.05)
      << range;
  const PosteriorResult read = jobs::from_text<PosteriorResult>(jobs::to_text(by_weights));
  EXPECT_EQ(read.fits[0].samples.rows, by_weights.fits[0].samples.rows);
}

/// Without a prior of weight, the deviation is the standard error of the fit.
TEST(posterior, deviations_are_the_errors_of_the_fit) {
  const jobs::FitRequest request = line(2, 0.3, 4);
  const PosteriorResult result = posterior(request, jobs::fit(request), {});
  const PosteriorNumber& k = result.fits[0].numbers[0];
  ASSERT_TRUE(k.gaussian.has_value());
  EXPECT_NEAR(k.deviation, *k.gaussian, 0.08 * *k.gaussian);
}

}  // namespace sampling_test
}  // namespace microslip::study
