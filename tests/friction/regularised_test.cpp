#include <gtest/gtest.h>

#include "cases.hpp"
#include "microslip/core/error.hpp"

namespace microslip::friction::testing {
namespace regularised_test {

TEST(Regularised, one_slider_has_a_closed_form) {
  // y = r/μ obeys y' = b/μ − (K/μ) e^{(y − 1)/ε} once it is positive; in steady creep K x' = b, so
  // r = μ(1 + ε ln(b/K)) and ξ' = b²/K.
  const double K = 2, mu = 0.6, b = 3, epsilon = 0.02;
  const System system(Eigen::MatrixXd::Constant(1, 1, K), Vector::Constant(1, mu),
                      Vector::Constant(1, b));
  const Result result =
      run(system, std::vector{1.0, 2.0},
          {.method = Method::regularised, .epsilon = epsilon, .tolerance = 1e-10});
  ASSERT_EQ(result.status, Status::ok);
  EXPECT_EQ(result.epsilon, epsilon);
  const double creep = mu * (1 + epsilon * std::log(b / K));
  for (const std::size_t row : {0u, 1u})
    EXPECT_NEAR(result.xi[row], b * (b * (1.0 + double(row)) - creep) / K, 1e-7);
}

TEST(Regularised, work_is_stored_or_lost) {
  const System system = random_system(6, 3);
  const int rows = 4000;
  const auto f = two_frequencies(rows, 0.5);
  const Result result =
      run(system, f, {.method = Method::regularised, .epsilon = 0.05, .tolerance = 1e-9});
  double work = 0, f_before = 0, xi_before = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    work += 0.5 * (f[i] + f_before) * (result.xi[i] - xi_before);
    f_before = f[i];
    xi_before = result.xi[i];
  }
  // The trapezoid rule over smooth rows: (2π/4000)² is 2e-6.
  EXPECT_NEAR(work, result.energy.back() + system.elastic_energy(result.end.x), 1e-5 * work);
}

TEST(Regularised, converges_to_event_at_first_order_in_epsilon) {
  const System system = random_system(8, 2);
  const auto f = two_frequencies(24);
  const Result exact = run(system, f);
  std::vector<double> errors;
  for (const double epsilon : {0.04, 0.02, 0.01, 0.005}) {
    const Result smooth =
        run(system, f, {.method = Method::regularised, .epsilon = epsilon, .tolerance = 1e-9});
    ASSERT_EQ(smooth.status, Status::ok);
    errors.push_back(largest_difference(exact.xi, smooth.xi) / range(exact.xi));
  }
  const double order = std::log2(errors.front() / errors.back()) / 3;
  EXPECT_NEAR(order, 1, 0.25);
  EXPECT_LT(errors.back(), 0.02);
}

TEST(Regularised, the_speed_of_the_load_does_not_matter) {
  // More rows, the same path: only the tolerance of the integrator is left.
  const System system = random_system(5, 6);
  const SolverOptions options{.method = Method::regularised, .epsilon = 0.01, .tolerance = 1e-9};
  const double few = run(system, std::vector{1.0, -1.0}, options).xi.back();
  std::vector<double> fine;
  for (int i = 1; i <= 20; ++i) fine.push_back(i / 20.0);
  for (int i = 1; i <= 20; ++i) fine.push_back(1 - i / 10.0);
  EXPECT_NEAR(run(system, fine, options).xi.back(), few, 1e-6 * std::abs(few));
}

TEST(Regularised, epsilon_must_be_positive) {
  const System system = random_system(2, 1);
  EXPECT_THROW(run(system, std::vector{1.0}, {.method = Method::regularised, .epsilon = 0}), Error);
}

}  // namespace regularised_test
}  // namespace microslip::friction::testing
