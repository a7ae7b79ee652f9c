#include "microslip/friction/builders.hpp"

#include <gtest/gtest.h>

#include "cases.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/canonical_form.hpp"

namespace microslip::friction::testing {
namespace builders_test {

TEST(Builders, random_is_that_of_the_footnote) {
  const System system = random_system(80, 4);
  const Vector eigenvalues = symmetric_eigen_pairs(system.dense()).values;
  EXPECT_GT(eigenvalues.minCoeff(), 0);
  EXPECT_LT(eigenvalues.maxCoeff(), 3);
  EXPECT_NEAR(eigenvalues.mean(), 1.5, 0.3);  // 3/√12 /√80 = 0.1 is one standard deviation
  EXPECT_GT(system.mu().minCoeff(), 0);
  EXPECT_LT(system.mu().maxCoeff(), 1);
  EXPECT_NEAR(system.b().mean(), 0, 0.35);  // 1/√80 = 0.11
  EXPECT_NEAR(system.b().squaredNorm() / 80, 1, 0.5);
  EXPECT_EQ(system.b(), random_system(80, 4).b());
  EXPECT_NE(system.b(), random_system(80, 5).b());
}

TEST(Builders, iwan_is_that_of_the_thesis) {
  // Each slider j slips where u = j μ0 n/n: f = u − Σ(u − j μ0)₊/n on the virgin curve.
  const Index n = 50;
  const double mu0 = 0.02;
  const System system = iwan_system(n, mu0);
  const std::vector<double> u{0.3, 0.7, 1.2};
  const Result result = run(system, u);
  for (std::size_t i = 0; i < u.size(); ++i) {
    double slip = 0;
    for (Index j = 1; j <= n; ++j) slip += std::max(0.0, u[i] - double(j) * mu0) / double(n);
    EXPECT_NEAR(result.xi[i], slip, 1e-14);
  }
}

/// Energy per steady cycle of amplitude F0 as Miller and Quinn scale it: F_c = nμ, K_eq = k/(n − 1)
/// with their k, which is twice ours.
double chain_dissipation(Index n, double amplitude, Method method = Method::event) {
  const double mu = 0.7, k = 3;
  const System chain = chain_system(n, k / 2, std::vector{mu});
  const double fc = double(n) * mu, lc = fc * double(n - 1) / k;
  const double f = amplitude * fc;
  const Result result = run(chain, std::vector{f, -f, f, -f}, {.method = method});
  EXPECT_EQ(result.status, Status::ok);
  return (result.energy[3] - result.energy[1]) / (fc * lc);
}

TEST(Builders, the_chain_dissipates_as_its_closed_form) {
  // D* = (8/3) F*³ n/(n − 1) (1 − 1/m²) exactly at F* = m/n.
  for (const Index n : {8, 40, 100})
    for (Index m = 1; 2 * m < n; m += 1 + n / 12) {
      const double F = double(m) / double(n);
      const double expected =
          8.0 / 3 * F * F * F * double(n) / double(n - 1) * (1 - 1 / double(m * m));
      EXPECT_NEAR(chain_dissipation(n, F), expected, 1e-12 * std::max(expected, 1e-3))
          << n << ' ' << m;
    }
  EXPECT_NEAR(chain_dissipation(20, 0.35, Method::lemke), chain_dissipation(20, 0.35), 1e-12);
}

TEST(Builders, the_chain_floats_at_half_its_friction) {
  const System chain = chain_system(10, 1, std::vector{1.0});
  EXPECT_EQ(run(chain, std::vector{4.99}).status, Status::ok);
  const Result floats = run(chain, std::vector{5.01});
  EXPECT_EQ(floats.status, Status::macroslip);
  EXPECT_TRUE(floats.trouble.starts_with("sliders 1–10 slide as a whole")) << floats.trouble;
}

TEST(Builders, a_chain_pulled_at_its_end_is_a_stack_of_plays) {
  // Spring j carries play_{T_j}(F), T_j the friction between it and the end.
  const Index n = 30;
  const double k = 2, mu = 0.1;
  std::vector<double> load(std::size_t(n), 0.0);
  load.back() = 1;
  const System chain = chain_system(n, k, std::vector{mu}, load);
  const std::vector<double> f{1.9, -1.2, 0.4, 1.5, -1.9};
  const Result result = run(chain, f);
  std::vector<double> play(std::size_t(n), 0.0);
  for (std::size_t i = 0; i < f.size(); ++i) {
    double end = 0;
    for (Index j = 1; j < n; ++j) {
      double& p = play[std::size_t(j)];
      const double T = double(j) * mu;
      p = std::max(f[i] - T, std::min(f[i] + T, p));
      end += p / k;
    }
    EXPECT_NEAR(result.xi[i], end, 1e-12);
  }
}

TEST(Builders, bad_numbers_are_explained) {
  EXPECT_THROW(random_system(0, 1), Error);
  EXPECT_THROW(iwan_system(3, -1), Error);
  EXPECT_THROW(chain_system(1, 1, std::vector{1.0}), Error);
  EXPECT_THROW(chain_system(4, 1, std::vector{1.0, 2.0}), Error);
}

}  // namespace builders_test
}  // namespace microslip::friction::testing
