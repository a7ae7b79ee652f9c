#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "dynamics/balance_against_time.hpp"
#include "dynamics/joint/periodic_joint.hpp"
#include "support/runge_kutta.hpp"

/// Periodic motions and motions in time of laws that depend on the rate.
namespace microslip::dynamics {
namespace rate_dependent_test {

using Complex = std::complex<double>;

AnyModel text(const std::string& model) { return catalog::make({model, {}, {}}); }

struct LinearCase {
  std::string law;
  std::function<Complex(double)> stiffness;
};

Complex branch(double k, double tau, double omega) {
  const Complex x(0, omega * tau);
  return k * x / (1.0 + x);
}

std::vector<LinearCase> linear_cases() {
  const auto maxwell = [](double w) { return branch(0.5, 0.8, w); };
  const auto voigts = [](double w) {
    return 1.0 /
           (1.0 / Complex(2, 0.3 * w) + 1.0 / Complex(1, 0.7 * w) + 1.0 / Complex(3, 0.05 * w));
  };
  return {
      {"maxwell(k=0.5,c=0.4)", maxwell},
      {"zener(e1=0.3,e2=0.5,tau=0.8)", [=](double w) { return 0.3 + maxwell(w); }},
      {"generalized-maxwell(k0=0.2,k=[0.5,0.1],tau=[0.8,5])",
       [=](double w) { return 0.2 + maxwell(w) + branch(0.1, 5, w); }},
      {"generalized-kelvin-voigt(k=[2,1,3],c=[0.3,0.7,0.05])", voigts},
      {"kelvin-voigt(k=0.2,c=0.1)", [](double w) { return Complex(0.2, 0.1 * w); }},
      {"viscous(c=0.1)", [](double w) { return Complex(0, 0.1 * w); }},
      {"maxwell(k=0.5,c=0.4)+linear(k=0.3)", [=](double w) { return 0.3 + maxwell(w); }},
      {"maxwell(k=0.5,c=0.4)+power(k=0.3,n=1)", [=](double w) { return 0.3 + maxwell(w); }},
      {"maxwell(k=0.5,c=0.4)+jenkins(k=0.3,phi=1e6)", [=](double w) { return 0.3 + maxwell(w); }},
      {"convolution(k=[0.5],tau=[0.8])+viscous(c=0.1)",
       [=](double w) { return maxwell(w) + Complex(0, 0.1 * w); }},
      {"scaled(maxwell(k=0.5,c=0.4)+jenkins(k=0.3,phi=1e6),input_gain=2,output_gain=0.5)",
       [=](double w) { return 0.3 + maxwell(w); }},
      {"scaled(zener(e1=0.3,e2=0.5,tau=0.8),input_gain=2,output_gain=0.5)",
       [=](double w) { return 0.3 + maxwell(w); }},
  };
}

TEST(RateDependent, linear_laws_have_the_exact_transfer_function) {
  for (const LinearCase& c : linear_cases()) {
    SCOPED_TRACE(c.law);
    const Structure s = oscillator(text(c.law), 0.5, 1, 0.02, 1);
    FrequencyResponseOptions options;
    options.from = 0.8;
    options.to = 1.5;
    options.at = {0.9, 1.1, 1.3};
    options.stability = options.peaks = false;
    const FrequencyResponse r = frequency_response(s, options);
    ASSERT_EQ(r.at.size(), 3u);
    for (const ResponsePoint& point : r.at) {
      const double w = point.omega;
      const Complex exact = 0.5 / (1 - w * w + Complex(0, 0.02 * w) + c.stiffness(w));
      const Complex found = std::polar(point.first[0].amplitude, point.first[0].phase);
      EXPECT_LE(std::abs(found - exact), 1e-9 * std::abs(exact)) << w;
    }
  }
}

TEST(RateDependent, a_lightly_damped_resonance_is_as_exact) {
  const Structure s = oscillator(text("maxwell(k=0.5,c=0.005)"), 0.5, 1, 0.001, 1);
  FrequencyResponseOptions options;
  options.from = 0.95;
  options.to = 1.05;
  options.at = {1};
  const FrequencyResponse r = frequency_response(s, options);
  ASSERT_EQ(r.at.size(), 1u);
  const Complex exact = 0.5 / (Complex(0, 0.001) + branch(0.5, 0.01, 1));
  const Complex found = std::polar(r.at[0].first[0].amplitude, r.at[0].first[0].phase);
  EXPECT_LE(std::abs(found - exact), 1e-8 * std::abs(exact));
}

TEST(RateDependent, first_harmonics_of_linear_laws_are_formulas) {
  for (const LinearCase& c : linear_cases()) {
    const auto formula = text(c.law).first_harmonic(0.3, 1.1);
    const bool linear =
        c.law.find("jenkins") == std::string::npos && c.law.find("power") == std::string::npos;
    EXPECT_EQ(formula.has_value(), linear || formula.has_value()) << c.law;
    if (!linear) continue;
    ASSERT_TRUE(formula.has_value()) << c.law;
    EXPECT_NEAR(formula->b1, 0.3 * c.stiffness(1.1).real(), 1e-14) << c.law;
    EXPECT_NEAR(formula->a1, 0.3 * c.stiffness(1.1).imag(), 1e-14) << c.law;
  }
}

/// LuGre's bristles under x = a cos θ + b cos 3θ, by equations of this test.
struct Bristles {
  double sigma0 = 5, sigma1 = 0.3, sigma2 = 0.2, zc = 1, zs = 1.3, vs = 0.5, omega = 1.2;
  double velocity(double t) const {
    return -omega * (0.9 * std::sin(omega * t) + 0.3 * 0.4 * 3 * std::sin(3 * omega * t) / 3);
  }
  double rate(double z, double v) const {
    const double limit = zc + (zs - zc) * std::exp(-v * v / (vs * vs));
    return v - sigma0 * std::abs(v) * z / limit;
  }
};

TEST(RateDependent, force_of_lugre_is_that_of_its_own_equation) {
  const Bristles b;
  const AnyModel lugre = law("lugre", {{"sigma0", b.sigma0},
                                       {"sigma1", b.sigma1},
                                       {"sigma2", b.sigma2},
                                       {"zc", b.zc},
                                       {"zs", b.zs},
                                       {"vs", b.vs}});
  constexpr int harmonics = 7, steps = 20000;
  Eigen::VectorXd q = Eigen::VectorXd::Zero(2 * harmonics + 1);
  q[1] = 0.9;
  q[5] = 0.04;  // x' = −ω (0.9 sin θ + 0.12 sin 3θ), which has no minor loops
  PeriodicJoint joint(lugre, harmonics);
  const Eigen::VectorXd found = joint.evaluate(q, b.omega, false).coefficients;
  // Two periods from rest; the bristles forget over a few hundredths of one. Velocity is zero at 0, π, …
  const double period = 2 * pi / b.omega, h = period / steps;
  std::array<double, 2> y{0, 0};
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(2 * harmonics + 1);
  const auto slope = [&](const std::array<double, 2>& at) {
    return std::array<double, 2>{b.rate(at[0], b.velocity(at[1])), 1};
  };
  for (int i = 0; i < 3 * steps; ++i) {
    const double v = b.velocity(y[1]);
    const double f = b.sigma0 * y[0] + b.sigma1 * b.rate(y[0], v) + b.sigma2 * v;
    if (i >= 2 * steps) {
      const double theta = b.omega * y[1];
      sums[0] += f / steps;
      for (int k = 1; k <= harmonics; ++k) {
        sums[2 * k - 1] += 2 * f * std::cos(k * theta) / steps;
        sums[2 * k] += 2 * f * std::sin(k * theta) / steps;
      }
    }
    y = testing::runge_kutta(y, h, 1, slope);
  }
  // The sums converge with the square of a step at the corners of the force.
  EXPECT_LE((found - sums).lpNorm<Eigen::Infinity>(), 1e-7);
}

TEST(RateDependent, harmonic_balance_is_the_motion_in_time) {
  testing::Rng rng(44);
  std::vector<AnyModel> laws;
  for (const char* model : {"duhem-rate", "maxwell+jenkins(k=0.5,phi=0.2)"})
    laws.push_back(text(model));
  for (const AnyModel& model : laws) {
    const double omega = rng.uniform(0.7, 1.6);
    EXPECT_TRUE(agrees_with_time(random_structure(model, omega, rng), omega))
        << model.description().name;
  }
}

TEST(RateDependent, rows_in_time_have_the_force_at_their_time) {
  // A free oscillator whose damping is all in the joint.
  const double c = 0.1, k = 1;
  for (const Method method : {Method::events, Method::midpoint, Method::newmark}) {
    Structure s = oscillator(text("viscous(c=0.1)"), 0, 1, 0, k);
    s.loads.clear();
    TimeOptions options;
    options.method = method;
    options.until = 3;
    options.step = method == Method::events ? 0.1 : 1e-3;
    options.x0 = Eigen::VectorXd::Ones(1);
    options.v0 = Eigen::VectorXd::Constant(1, 0.5);
    const TimeResult run = integrate(s, options);
    double worst = 0;
    for (std::size_t i = 0; i < run.t.size(); ++i)
      worst = std::max(worst, std::abs(run.f[i][0] - c * run.v[i][0]));
    EXPECT_LE(worst, 2e-8) << static_cast<int>(method);
  }
}

}  // namespace rate_dependent_test
}  // namespace microslip::dynamics
