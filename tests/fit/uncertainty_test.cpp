#include "microslip/fit/uncertainty.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"
#include "microslip/core/error.hpp"
#include "microslip/fit/prediction.hpp"
#include "support/random.hpp"

namespace microslip::fit {
namespace uncertainty_test {

/// Box and Muller: the same numbers on every machine.
double normal(microslip::testing::Rng& rng) {
  return std::sqrt(-2 * std::log(rng.uniform(1e-300, 1))) *
         std::cos(2 * std::numbers::pi * rng.uniform(0, 1));
}

double number(const ParameterValues& values, const std::string& name) {
  return std::get<double>(values.at(name));
}

TEST(Uncertainty, of_a_linear_answer_is_the_quadratic_form_of_the_covariance) {
  // y = 3a − 2b₂ with standard deviations 0.2 and 0.5 and correlation −0.4:
  // σ² = 9·0.04 + 4·0.25 − 2·3·2·(−0.4·0.2·0.5) = 1.84.
  Eigen::MatrixXd r(2, 2);
  r << 1, -0.4, -0.4, 1;
  const Uncertainty two = Uncertainty::from({"a", "b[2]"}, Eigen::Vector2d(0.2, 0.5), r);
  const ParameterValues at{{"a", 7.0}, {"b", std::vector{1.0, 2.0}}};
  const auto sd = standard_deviations(two, at, [](const ParameterValues& p) {
    const auto& b = std::get<std::vector<double>>(p.at("b"));
    return std::vector{3 * number(p, "a") - 2 * b[1], b[0]};
  });
  ASSERT_EQ(sd.size(), 2u);
  EXPECT_NEAR(sd[0], std::sqrt(1.84), 1e-12);
  EXPECT_EQ(sd[1], 0);
}

TEST(Uncertainty, near_a_bound_of_the_law_takes_smaller_and_one_sided_steps) {
  const Uncertainty one =
      Uncertainty::from({"x"}, Eigen::VectorXd::Constant(1, 0.5), Eigen::MatrixXd::Identity(1, 1));
  const auto slope_three = [](const ParameterValues& p) {
    if (number(p, "x") < 0) throw Error("x must not be negative");
    return std::vector{3 * number(p, "x")};
  };
  for (const double x : {0.1, 1e-9, 0.0})
    EXPECT_NEAR(standard_deviations(one, {{"x", x}}, slope_three).front(), 1.5, 1e-9) << x;
  const auto nowhere = [](const ParameterValues& p) {
    if (number(p, "x") != 1) throw Error("only 1");
    return std::vector{1.0};
  };
  EXPECT_THROW(standard_deviations(one, {{"x", 1.0}}, nowhere), Error);
}

/// A noisy record, fitted; then another motion, predicted to first order and by
/// drawing parameters from their covariance.
TEST(Uncertainty, agrees_with_parameters_drawn_from_their_covariance) {
  microslip::testing::Rng rng(7);
  const AnyModel law =
      catalog::make({"two-state-normalized", {{"alpha", 0.6}, {"sigma", 0.1}}, {}});
  Data seen{"seen", {}, {}, {}};
  for (int i = 0; i < 300; ++i) seen.u.push_back(2 * std::sin(0.05 * i) + 0.6 * std::sin(0.2 * i));
  seen.f = law.run({{}, seen.u, {}}).f;
  for (double& f : seen.f) f += 0.03 * normal(rng);
  Settings settings;
  settings.setup.beginning = Beginning::virgin;
  const Fit found = fit(law, {seen}, catalog::with_hints(std::move(settings), law, {seen}));
  ASSERT_EQ(found.outcome, Outcome::converged);

  Data unseen{"unseen", {}, {}, {}};
  for (int i = 0; i < 200; ++i) unseen.u.push_back(1.5 * std::sin(0.07 * i));
  unseen.f = law.run({{}, unseen.u, {}}).f;
  const Prediction predicted = predict(law, found, {}, unseen);

  const Uncertainty u = uncertainty_of(found);
  ASSERT_EQ(u.names.size(), 2u);
  const Eigen::MatrixXd root = u.covariance.llt().matrixL();
  const auto loops = loops::analyse({}, unseen.u, unseen.f);
  const loops::Cycle& cycle = *loops.largest();
  const std::size_t rows = unseen.rows();
  constexpr int draws = 3000;
  std::vector<double> sum(rows + 1), squares(rows + 1);
  for (int k = 0; k < draws; ++k) {
    const Eigen::Vector2d by = root * Eigen::Vector2d(normal(rng), normal(rng));
    ParameterValues values = found.parameters.front();
    for (int i = 0; i < 2; ++i) std::get<double>(values.at(u.names[std::size_t(i)])) += by[i];
    std::vector<double> f = law.with(values).run({{}, unseen.u, {}}).f;
    double energy = 0;
    for (std::size_t i = cycle.first_row + 1; i <= cycle.last_row; ++i)
      energy += 0.5 * (f[i] + f[i - 1]) * (unseen.u[i] - unseen.u[i - 1]);
    f.push_back(energy);
    for (std::size_t i = 0; i <= rows; ++i) {
      const double from_middle = f[i] - (i < rows ? predicted.force[i] : predicted.energy);
      sum[i] += from_middle;
      squares[i] += from_middle * from_middle;
    }
  }
  const auto drawn = [&](std::size_t i) {
    return std::sqrt(squares[i] / draws - std::pow(sum[i] / draws, 2));
  };
  // The standard deviation of 3000 draws is itself known to 1.3 %; the rest is curvature.
  const double largest = *std::max_element(predicted.deviation.begin(), predicted.deviation.end());
  ASSERT_GT(largest, 1e-4);
  double linear = 0, sampled = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    // At a row where slip begins the force has a kink in the parameters.
    EXPECT_NEAR(predicted.deviation[i], drawn(i), 0.15 * largest) << i;
    linear += std::pow(predicted.deviation[i], 2);
    sampled += std::pow(drawn(i), 2);
  }
  EXPECT_NEAR(std::sqrt(linear / sampled), 1, 0.03);
  EXPECT_NEAR(predicted.energy_deviation, drawn(rows), 0.06 * drawn(rows));
}

}  // namespace uncertainty_test
}  // namespace microslip::fit
