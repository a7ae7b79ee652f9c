#include "dynamics/body/sliding_body.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "dynamics/fourier/fourier.hpp"
#include "dynamics/support.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::dynamics {
namespace sliding_body_test {

double largest(const Eigen::MatrixXd& matrix) { return matrix.cwiseAbs().maxCoeff(); }

/// One joint on a mass of 1.
SlidingBody on_mass(const AnyModel& model, int harmonics, double damping, double stiffness,
                    double at) {
  const auto number = [](double value) { return Eigen::MatrixXd::Constant(1, 1, value); };
  return {{{model, Eigen::VectorXd::Ones(1)}},
          harmonics,
          number(damping),
          number(stiffness),
          Eigen::VectorXd::Constant(1, at)};
}

/// Coefficients of friction on a mass under an excitation, and how far its derivatives are from
/// differences.
struct Pushed {
  PeriodicForce force;
  double error;
};

Pushed excitation(const AnyModel& model, const Eigen::VectorXd& p) {
  SlidingBody mass = on_mass(model, 3, 0.05, 1, 0);
  const double omega = 0.3, h = 1e-6;
  mass.respond_closed(p, omega, true);
  const PeriodicForce here = mass.reply();
  const auto slope = [&](const Eigen::VectorXd& more, double faster) {
    mass.respond_closed(p + more, omega + faster, false);
    const Eigen::VectorXd up = mass.reply().coefficients;
    mass.respond_closed(p - more, omega - faster, false);
    return Eigen::VectorXd((up - mass.reply().coefficients) / (2 * h));
  };
  double error = largest(slope(Eigen::VectorXd::Zero(7), h) - here.wrt_omega);
  for (Eigen::Index i = 0; i < 7; ++i)
    error =
        std::max(error, largest(slope(h * Eigen::VectorXd::Unit(7, i), 0) - here.jacobian.col(i)));
  return {here, error};
}

TEST(SlidingBody, one_joint_derivatives_agree_with_differences) {
  Eigen::VectorXd p(7);
  p << 0.07, 2, 0, 0.1, 0, 0, -0.05;
  for (const char* name : {"coulomb", "coulomb-viscous", "stribeck", "prager", "reid"}) {
    const Pushed slow = excitation(law(name), p);
    EXPECT_TRUE(slow.force.closed) << name;
    EXPECT_GT(slow.force.energy, 0.1) << name;
    EXPECT_LT(slow.error, 2e-5) << name;  // the differences, where the motion stops
  }
  // Held for the whole period, and pushed to where it is held.
  EXPECT_LT(excitation(law("coulomb"), 1e-2 * p).error, 1e-8);
  p[0] = 0.9;
  EXPECT_LT(
      excitation(law("coulomb"), Eigen::VectorXd(p.cwiseProduct(
                                     (Eigen::VectorXd(7) << 1, 0.1, 1, 1, 1, 1, 1).finished())))
          .error,
      1e-8);
}

/// Coefficients of the force and the end of a period, one below the other, and their derivatives by
/// the excitation, the start and ω.
struct OpenPeriod {
  Eigen::VectorXd value;
  Eigen::MatrixXd derivatives;
};

OpenPeriod open_period(const PeriodicForce& force, const PeriodEnd& end) {
  const Eigen::Index size = force.coefficients.size(), ways = end.at.size();
  OpenPeriod period{Eigen::VectorXd(size + ways), {}};
  period.value << force.coefficients, end.at;
  period.derivatives.resize(size + ways, size + ways + 1);
  period.derivatives << force.jacobian, end.force_wrt_start, force.wrt_omega, end.wrt_input,
      end.wrt_start, end.wrt_omega;
  return period;
}

/// How far the derivatives are from differences. `from` begins a period with an excitation, a start and ω,
/// one below the other.
template <class Period>
double error_of_derivatives(const Period& from, const Eigen::VectorXd& at) {
  const double h = 1e-6;
  const OpenPeriod here = from(at);
  double error = 0;
  for (Eigen::Index i = 0; i < at.size(); ++i) {
    const Eigen::VectorXd more = h * Eigen::VectorXd::Unit(at.size(), i);
    const Eigen::VectorXd difference = (from(at + more).value - from(at - more).value) / (2 * h);
    error = std::max(error, largest(difference - here.derivatives.col(i)));
  }
  return error;
}

auto mass_from(SlidingBody& mass) {
  return [&mass](const Eigen::VectorXd& at) {
    mass.respond_open(at.head(7), at.segment(7, 2), at[9], true);
    EXPECT_EQ(mass.reply().status, Status::ok);
    return open_period(mass.reply(), mass.end());
  };
}

TEST(SlidingBody, one_joint_from_anywhere_has_derivatives) {
  Eigen::VectorXd at(10);
  for (const auto& [name, held] :
       {std::pair{"coulomb", 1.5}, std::pair{"coulomb-viscous", 1.5}, std::pair{"stribeck", 1.5},
        std::pair{"prager", 1.1}, std::pair{"reid", 1.1}}) {
    SlidingBody mass = on_mass(law(name), 3, 0.05, 1, 0);
    // It slips at the start, or it sticks there, which takes what it has of velocity.
    at << 0.07, 2, 0, 0.1, 0, 0, -0.05, 0.4, 0.3, 0.3;
    EXPECT_LT(error_of_derivatives(mass_from(mass), at), 2e-5) << name;
    at.tail(3) << held, 0, 0.3;
    EXPECT_LT(error_of_derivatives(mass_from(mass), at), 2e-5) << name;
    mass_from(mass)(at);
    EXPECT_TRUE(mass.answers()[0].course.rests_at(0)) << name;
  }
  // Wherever it begins, it comes to rest, where the excitation has moved it to until it is held.
  SlidingBody held = on_mass(law("stribeck"), 3, 0.05, 1, 0);
  at << 1.6, 0.1, 0, 0.1, 0, 0, -0.05, 0.4, 0.01, 0.3;
  EXPECT_LT(error_of_derivatives(mass_from(held), at), 1e-8);
  EXPECT_GT(held.end().at[0], 0.01);
  EXPECT_EQ(held.end().at[1], 0);
}

TEST(SlidingBody, a_period_from_where_it_closes_is_closed) {
  Eigen::VectorXd p(7);
  p << 0.07, 2, 0, 0.1, 0, 0, -0.05;
  for (const char* name : {"coulomb", "stribeck", "reid"}) {
    SlidingBody mass = on_mass(law(name), 3, 0.05, 1, 0);
    mass.respond_closed(p, 0.3, true);
    const PeriodicForce closed = mass.reply();
    Eigen::VectorXd start;
    ASSERT_TRUE(mass.close(p, 0.3, start));
    mass.respond_open(p, start, 0.3, true);
    const PeriodicForce& open = mass.reply();
    EXPECT_LT(largest(mass.end().at - start), 1e-9) << name;
    EXPECT_LT(largest(open.coefficients - closed.coefficients), 1e-9) << name;
    // The start follows the excitation.
    const PeriodEnd& end = mass.end();
    const Eigen::Matrix2d left = Eigen::Matrix2d::Identity() - end.wrt_start;
    const Eigen::MatrixXd follows = left.inverse() * end.wrt_input;
    EXPECT_LT(largest(open.jacobian + end.force_wrt_start * follows - closed.jacobian), 1e-6);
  }
}

TEST(SlidingBody, friction_takes_what_the_push_gives) {
  // Without a dashpot all work of the excitation is lost in friction: ∮ p du = ∮ f du.
  SlidingBody mass = on_mass(law("coulomb"), 1, 0, 1, 0);
  Eigen::VectorXd p(3);
  p << 0, 1.5, 0;
  const double omega = 0.3;
  mass.respond_closed(p, omega, false);
  const PeriodicForce force = mass.reply();
  // (k − mω²) u = p − f, first harmonics.
  const double b = (p[2] - force.coefficients[2]) / (1 - omega * omega);
  EXPECT_NEAR(force.energy, std::numbers::pi * p[1] * b, 1e-8);
  // Stuck where the preload left it, with what the spring leaves.
  p[1] = 0.5;
  SlidingBody preloaded = on_mass(law("coulomb"), 1, 0, 1, 0.2);
  preloaded.respond_closed(p, omega, false);
  EXPECT_LT(largest(preloaded.reply().coefficients - Eigen::Vector3d(-0.2, 0.5, 0)), 1e-15);
}

TEST(SlidingBody, balances_its_energy_under_any_push) {
  // Each excitation begins with the motion of the one before, which may be far off and fast.
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const auto any = [&] { return std::exp(normal(random)) * normal(random); };
  for (const char* name : {"coulomb", "prager", "reid"}) {
    SlidingBody mass = on_mass(law(name), 3, 0, 0.5, 0);
    for (int i = 0; i < 500; ++i) {
      const Eigen::VectorXd p = Eigen::VectorXd::NullaryExpr(7, any);
      const double omega = std::exp(normal(random));
      mass.respond_closed(p, omega, false);
      const PeriodicForce& force = mass.reply();
      ASSERT_EQ(force.status, Status::ok) << name << ' ' << i;
      EXPECT_TRUE(force.closed) << name << ' ' << i;
      const Eigen::VectorXd& f = force.coefficients;
      double work = 0, size = 0;
      for (int h = 1; h <= 3; ++h) {
        const double impedance = 0.5 - h * h * omega * omega;
        work += pi * h * (p[2 * h] * f[2 * h - 1] - p[2 * h - 1] * f[2 * h]) / impedance;
        size += pi * h * p.squaredNorm() / std::abs(impedance);
      }
      EXPECT_NEAR(force.energy, work, 1e-9 * size) << name << ' ' << i;
    }
  }
}

/// Three joints on a body that moves in two ways.
SlidingBody triangle(const char* first, const char* second, const char* third) {
  const Eigen::Vector2d a(1, 0), b(0.3, 1);
  Eigen::Matrix2d damping, stiffness;
  damping << 0.1, 0.02, 0.02, 0.05;
  stiffness << 1, 0.2, 0.2, 1.5;
  return {{{law(first), a}, {law(second), b}, {law(third), a - b}},
          3,
          damping,
          stiffness,
          Eigen::Vector2d::Zero()};
}

Eigen::VectorXd push_in_two_ways() {
  Eigen::VectorXd p(14);
  p << 0, 0, 3, 1, 0.5, 2, 0.1, 0, 0, 0.1, 0.3, -0.2, 0.1, 0.2;
  return p;
}

/// How far derivatives are from differences, and how many stops are turns.
struct PushedBody {
  double error = 0;
  int turns = 0;
};

PushedBody excitation(SlidingBody body, const Eigen::VectorXd& p, double omega) {
  const double h = 1e-6;
  body.respond_closed(p, omega, true);
  const PeriodicForce here = body.reply();
  EXPECT_EQ(here.status, Status::ok);
  EXPECT_TRUE(here.closed);
  PushedBody result;
  for (const SlidingBody::Answer& answer : body.answers())
    for (const SlidingCourse::Stop& stop : answer.course.stops) result.turns += stop.kept > 0.01;
  const auto differ = [&](const Eigen::VectorXd& more, double faster, const auto& slope) {
    body.respond_closed(p + more, omega + faster, false);
    const Eigen::VectorXd up = body.reply().coefficients;
    body.respond_closed(p - more, omega - faster, false);
    const Eigen::VectorXd difference = (up - body.reply().coefficients) / (2 * h);
    result.error = std::max(result.error, largest(difference - slope));
  };
  differ(Eigen::VectorXd::Zero(p.size()), h, here.wrt_omega);
  for (Eigen::Index i = 0; i < p.size(); ++i)
    differ(h * Eigen::VectorXd::Unit(p.size(), i), 0, here.jacobian.col(i));
  return result;
}

TEST(SlidingBody, derivatives_agree_with_differences) {
  using Names = std::array<const char*, 3>;
  for (const auto& [a, b, c] :
       {Names{"coulomb", "coulomb", "coulomb"}, Names{"prager", "coulomb-viscous", "reid"}}) {
    // Slow, joints stick; fast and pushed hard, they turn.
    EXPECT_LT(excitation(triangle(a, b, c), push_in_two_ways(), 0.3).error, 2e-5) << a;
    const PushedBody fast = excitation(triangle(a, b, c), 3 * push_in_two_ways(), 1.4);
    EXPECT_LT(fast.error, 2e-5) << a;
    EXPECT_GT(fast.turns, 1) << a;
  }
}

TEST(SlidingBody, a_period_from_anywhere_has_derivatives) {
  SlidingBody body = triangle("stribeck", "coulomb", "prager");
  const auto from = [&](const Eigen::VectorXd& at) {
    body.respond_open(at.head(14), at.segment(14, 4), at[18], true);
    EXPECT_EQ(body.reply().status, Status::ok);
    return open_period(body.reply(), body.end());
  };
  Eigen::VectorXd at(19);
  at << push_in_two_ways(), 0.4, 0.2, 0.3, -0.1, 0.3;
  EXPECT_LT(error_of_derivatives(from, at), 1e-4);
  // One joint sticks at the start.
  at.segment(14, 4) << 2, 0.2, 0, 0.5;
  EXPECT_LT(error_of_derivatives(from, at), 1e-4);
  from(at);
  EXPECT_TRUE(body.answers()[0].course.rests_at(0));
}

TEST(SlidingBody, joints_take_what_the_push_leaves) {
  SlidingBody body = triangle("coulomb", "prager", "coulomb");
  const Eigen::VectorXd p = push_in_two_ways();
  body.respond_closed(p, 0.3, false);
  // The first two joints tell the motion: q₁ = u₁, q₂ = u₂ − 0.3 u₁.
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(2, 7);
  int stops = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    const SlidingBody::Answer& answer = body.answers()[j];
    stops += static_cast<int>(answer.course.stops.size());
    Eigen::RowVectorXd row(7);
    for (std::size_t i = 0; j < 2 && i < answer.loop.u.size(); ++i) {
      fourier_row(answer.loop.theta[i], 3, row);
      row[0] /= 2;
      u.row(static_cast<Eigen::Index>(j)) += answer.loop.weight[i] / pi * answer.loop.u[i] * row;
    }
    if (j == 1) continue;
    for (const double f : answer.loop.f) EXPECT_LE(std::abs(f), 1 + 1e-9);
  }
  EXPECT_GE(stops, 6);
  u.row(1) -= 0.3 * u.row(0);
  const Eigen::MatrixXd left = p.reshaped(2, 7) - body.through(u, 0.3);
  EXPECT_LT(largest(left.reshaped() - body.reply().coefficients), 1e-8);
}

TEST(SlidingBody, side_by_side_is_one_joint_as_strong_as_all) {
  const Eigen::VectorXd along = Eigen::VectorXd::Constant(1, -2);
  const Eigen::MatrixXd damping = Eigen::MatrixXd::Constant(1, 1, 0.05);
  const Eigen::MatrixXd stiffness = Eigen::MatrixXd::Ones(1, 1);
  SlidingBody body({{law("coulomb", {{"fc", 0.1}}), along}, {law("coulomb", {{"fc", 0.4}}), along}},
                   3, damping, stiffness, Eigen::VectorXd::Zero(1));
  SlidingBody mass = on_mass(law("coulomb"), 3, 0.05, 1, 0);
  Eigen::VectorXd p(7);
  p << 0.07, 2, 0, 0.1, 0, 0, -0.05;
  mass.respond_closed(p, 0.3, true);
  const PeriodicForce& one = mass.reply();
  body.respond_closed(p, 0.3, true);
  EXPECT_LT(largest(one.coefficients - body.reply().coefficients), 1e-9);
  EXPECT_LT(largest(one.jacobian - body.reply().jacobian), 1e-7);
  // While they stick, each is as near to its limit as the other.
  const JointLoop &weak = body.answers()[0].loop, &strong = body.answers()[1].loop;
  for (std::size_t i = 0; i < weak.f.size(); ++i) EXPECT_NEAR(4 * weak.f[i], strong.f[i], 1e-12);
}

}  // namespace sliding_body_test
}  // namespace microslip::dynamics
