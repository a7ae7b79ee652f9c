#include "dynamics/joint/periodic_interface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "dynamics/fourier/fourier.hpp"
#include "dynamics/periodic/stability.hpp"
#include "microslip/catalog/by_displacement.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/structure_file.hpp"
#include "microslip/catalog/two_sided.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/structure/modes.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "microslip/friction/sliders.hpp"
#include "support/message_of.hpp"

namespace microslip::catalog {
namespace periodic_interface_test {

using dynamics::Direction;
using dynamics::PeriodicForce;
using dynamics::PeriodicInterface;
using dynamics::Structure;
using Index = Eigen::Index;

TwoSided row_of(int n, int modes = 4) {
  return {.K_eq = 10,
          .M_eq = 0.1,
          .mu = friction::friction_limits(n, 1.0, friction::Distribution::parabolic),
          .reduced = true,
          .modes = modes};
}

/// The sliders of an interface, as the law that a structure has.
std::shared_ptr<const dynamics::InterfaceLaw> law_of(const TwoSided& interface) {
  Structure s;
  for (auto* matrix : {&s.M, &s.C, &s.K}) matrix->resize(2, 2);
  s.M.setIdentity();
  add_two_sided(s, interface, 1, 2);
  return s.interfaces.at(0).law;
}

/// Coefficients of two inputs, side by side for each Fourier function.
Eigen::VectorXd both(const Eigen::VectorXd& first, const Eigen::VectorXd& second) {
  Eigen::VectorXd input(2 * first.size());
  for (Index k = 0; k < first.size(); ++k) {
    input[2 * k] = first[k];
    input[2 * k + 1] = second[k];
  }
  return input;
}

/// Motions of both ends: partial slip, all sliders in step, ends against each other, minor loops, a mean.
/// The row slides as a whole from |d| about 0.25 on.
std::vector<Eigen::VectorXd> motions() {
  Eigen::VectorXd a(11), b(11), c(11), d(11);
  a << 0, 1, 0.1, 0, 0, 0.1, 0.05, 0, 0, 0.02, 0;
  b << 0, 0.9, -0.3, 0, 0, -0.05, 0.1, 0, 0, 0, 0.03;
  c << 0, -0.4, 0.8, 0, 0, 0.2, 0, 0, 0, 0.05, 0;
  d << 0.3, 0.8, 0.3, 0.1, 0, 0.7, 0.2, 0, 0, 0.1, 0.1;
  return {both(0.1 * a, 0.08 * b), both(0.6 * a, 0.6 * a), both(0.6 * a, 0.5 * b),
          both(0.5 * a, 0.5 * c),  both(0.3 * d, 0.5 * b), both(0.5 * d, -0.5 * c)};
}

/// Coefficients of the forces from many steps of the row along the motion, the second of two periods.
Eigen::VectorXd by_steps(const dynamics::InterfaceLaw& law, const Eigen::VectorXd& input, int steps,
                         double& lost) {
  const Index width = input.size() / 2;
  const int harmonics = static_cast<int>(width / 2);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(2 * width), row(width);
  AnyState state = law.rest();
  lost = 0;
  for (int i = 0; i < 3 * steps; ++i) {
    dynamics::fourier_row(2 * pi * i / steps, harmonics, row);
    Eigen::Vector2d u(0, 0);
    for (Index k = 0; k < width; ++k) u += row[k] * input.segment<2>(2 * k);
    const auto reply = law.step(state, u, state);
    if (i < 2 * steps) continue;
    lost += reply.dissipated;
    for (Index k = 0; k < width; ++k)
      sum.segment<2>(2 * k) += (k == 0 ? 1.0 : 2.0) / steps * row[k] * reply.force;
  }
  return sum;
}

TEST(PeriodicInterface, forces_are_those_of_many_small_steps) {
  const auto law = law_of(row_of(12));
  const auto all = motions();
  for (std::size_t i = 0; i < all.size(); ++i) {
    PeriodicInterface element(*law, 5, {});
    element.respond(all[i], {}, 1, false);
    const PeriodicForce& reply = element.reply();
    ASSERT_EQ(reply.status, Status::ok);
    EXPECT_TRUE(reply.closed);
    double lost = 0;
    const Eigen::VectorXd steps = by_steps(*law, all[i], 10000, lost);
    const double error = (reply.coefficients - steps).norm() / steps.norm();
    // Partial slip and ends in step: steps are exact but where a slider turns, which costs the square of the
    // step. Where the ends of a sliding row move against each other, sliders turn all the time: first order.
    EXPECT_LT(error, i < 3 ? 2e-6 : 5e-5) << i;
    EXPECT_NEAR(reply.energy, lost, (i < 3 ? 1e-5 : 1e-4) * lost) << i;
  }
}

TEST(PeriodicInterface, what_is_lost_is_the_work_of_the_forces) {
  const auto law = law_of(row_of(20));
  for (const Eigen::VectorXd& input : motions()) {
    PeriodicInterface element(*law, 5, {});
    element.respond(input, {}, 1, false);
    const Eigen::VectorXd& f = element.reply().coefficients;
    double work = 0;
    for (int h = 1; h <= 5; ++h)
      work += pi * h *
              (f.segment<2>(2 * (2 * h - 1)).dot(input.segment<2>(2 * 2 * h)) -
               f.segment<2>(2 * 2 * h).dot(input.segment<2>(2 * (2 * h - 1))));
    EXPECT_GT(element.reply().energy, 0);
    EXPECT_NEAR(element.reply().energy, work, 1e-12 * work);
  }
}

TEST(PeriodicInterface, derivatives_are_those_of_differences) {
  const auto law = law_of(row_of(12));
  for (const Eigen::VectorXd& input : motions()) {
    PeriodicInterface element(*law, 5, {});
    element.respond(input, {}, 1, true);
    const Eigen::MatrixXd jacobian = element.reply().jacobian;
    const double h = 1e-6 * input.norm();
    // An odd motion and others: each coefficient is moved, also the mean.
    for (Index k = 0; k < input.size(); ++k) {
      Eigen::VectorXd moved = input;
      moved[k] += h;
      element.respond(moved, {}, 1, false);
      Eigen::VectorXd difference = element.reply().coefficients;
      moved[k] -= 2 * h;
      element.respond(moved, {}, 1, false);
      difference = (difference - element.reply().coefficients) / (2 * h);
      EXPECT_LT((difference - jacobian.col(k)).norm(), 1e-5 * jacobian.norm()) << k;
    }
  }
}

TEST(PeriodicInterface, harmonics_left_out_are_those_that_more_would_have) {
  const auto law = law_of(row_of(12));
  for (const Eigen::VectorXd& input : motions()) {
    PeriodicInterface few(*law, 5, {}), many(*law, 11, {});
    Eigen::VectorXd padded = Eigen::VectorXd::Zero(46);
    padded.head(input.size()) = input;
    many.respond(padded, {}, 1, false);
    const Eigen::VectorXd f = many.reply().coefficients;
    double largest = 0;
    for (int h = 6; h <= 11; ++h)
      for (Index i = 0; i < 2; ++i)
        largest = std::max(largest, std::hypot(f[2 * (2 * h - 1) + i], f[2 * 2 * h + i]));
    const double estimate =
        few.truncation(input, 1, {1, [](Index, int, double force) { return force; }});
    EXPECT_NEAR(estimate, largest, 1e-12 * f.norm());
  }
}

// ------------------------------------------------------------------------------- structures

/// Three masses in a row on springs, an interface between the second and the third, a load at the end.
Structure jointed(const TwoSided& interface, double load, double force = 1, double length = 1) {
  Structure s;
  for (auto* matrix : {&s.M, &s.C, &s.K}) matrix->resize(3, 3);
  s.M.setIdentity();
  s.M *= 0.5 * force / length;
  dynamics::add_along(s.K, dynamics::between(3, 0, 1), 10 * force / length);
  dynamics::add_along(s.K, dynamics::between(3, 1, 2), 10 * force / length);
  for (const Index dof : {1, 3})
    dynamics::add_along(s.C, dynamics::between(3, 0, dof), 0.05 * force / length);
  Eigen::VectorXd end = Eigen::VectorXd::Zero(3);
  end[2] = 1;
  s.loads.push_back({end, dynamics::Tones{{{load * force, 0, 1, 0}}}});
  TwoSided p = interface;
  p.K_eq *= force / length;
  p.M_eq *= force / length;
  for (double& mu : p.mu) mu *= force;
  add_two_sided(s, p, 2, 3);
  // Modes of the interface without damping would answer some high harmonic in resonance.
  for (Index dof = 3; dof < s.size(); ++dof) s.C.coeffRef(dof, dof) = 0.5;
  return s;
}

/// Around a frequency.
dynamics::FrequencyResponse response_of(const Structure& s, double omega, int harmonics) {
  dynamics::FrequencyResponseOptions options;
  options.from = 0.97 * omega;
  options.to = 1.03 * omega;
  options.at = {omega};
  options.harmonics = harmonics;
  return dynamics::frequency_response(s, options);
}

TEST(PeriodicInterface, frequency_response_is_the_steady_motion_in_time) {
  // The first is partial slip, the others slide as a whole.
  for (const auto& [load, omega] : {std::pair{0.12, 2.0}, {0.6, 1.9}, {2.0, 2.2}}) {
    const Structure s = jointed(row_of(10), load);
    const auto response = response_of(s, omega, 21);
    EXPECT_EQ(response.end, dynamics::CurveEnd::reached);
    EXPECT_LT(response.energy_balance, 1e-9);
    EXPECT_TRUE(response.loops_closed);
    // A load that grows slowly: more slip on the way would leave its mark on sliders that stick then.
    Structure driven = s;
    driven.loads[0].signal = dynamics::Formula{Expression::parse(
        number_text(load) + "*(1-exp(-t/40))*cos(" + number_text(omega) + "*t)", {"t"})};
    constexpr int steps = 1600, periods = 150;
    const double period = 2 * pi / omega;
    dynamics::TimeOptions options;
    options.method = dynamics::Method::midpoint;
    options.step = period / steps;
    options.until = periods * period;
    options.every_step = false;
    std::complex<double> sum = 0;
    double lost = 0, before = 0;
    options.row = [&](const dynamics::TimeRow& row) {
      const double passed = row.t - (periods - 1) * period;
      if (passed < 0.5 * options.step) before = row.energy;
      if (passed < 0.5 * options.step) return;
      sum += row.x[2] * std::polar(2.0 / steps, -omega * row.t);
      lost = row.energy - before;
    };
    ASSERT_EQ(dynamics::integrate(driven, options).message, "");
    const auto& first = response.at.at(0).first[2];
    // From 800 to 1600 steps the motion in time changes by 4e-4 and its loss by 5e-3 in the last case.
    EXPECT_LT(std::abs(std::polar(first.amplitude, first.phase) - sum), 3e-4 * first.amplitude);
    EXPECT_NEAR(response.at[0].energy.at(0), lost, 2e-3 * lost);
  }
}

/// Eqs (2)–(8) as a structure with Jenkins joints: means w and halves of differences z, whose mass is a part of
/// what they have in the full form. Without it they are the row of sliders.
Structure with_light_differences(const TwoSided& p, double load, double part) {
  Structure s = jointed({.K_eq = 1, .M_eq = 1, .mu = {1, 1}, .modes = 1}, load);
  s.interfaces.clear();
  const Index left = 1, right = 2, first = 3;
  const auto n = static_cast<Index>(p.mu.size());
  const double k = static_cast<double>(n - 1) * p.K_eq;
  const double m = p.M_eq / static_cast<double>(2 * (n - 1));
  const double k_e = 2 * p.K_eq / (1 + 1 / static_cast<double>(n - 1));
  const Index size = first + 2 * (n - 1);
  for (auto* matrix : {&s.M, &s.C, &s.K}) {
    matrix->conservativeResize(3, 3);
    matrix->conservativeResize(size, size);
  }
  s.loads[0].direction.conservativeResize(size);
  s.loads[0].direction.tail(size - 3).setZero();
  const auto w = [&](Index i) { return first + i - 1; };
  const auto z = [&](Index i) { return first + n - 1 + i - 1; };
  const auto along = [&](const std::vector<std::pair<Index, double>>& weights) {
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(size);
    for (const auto& [dof, weight] : weights) direction[dof] += weight;
    return Direction(direction);
  };
  for (Index i = 1; i < n; ++i) {
    s.M.coeffRef(w(i), w(i)) = 2 * m;
    s.M.coeffRef(z(i), z(i)) = 2 * m * part;
    s.C.coeffRef(w(i), w(i)) = 0.5 * 2 * m;  // 0.5 for each mode, which has mass 1
  }
  const auto slider = [&](Index i, double stiffness, const Direction& direction) {
    const ParameterValues values{{"k", stiffness},
                                 {"phi", 2 * p.mu[static_cast<std::size_t>(i - 1)]}};
    s.joints.push_back({make({"jenkins", values, {}}), direction});
  };
  for (Index i = 2; i < n; ++i) {
    dynamics::add_along(s.K, along({{w(i), 1}, {w(i - 1), -1}}), k);
    dynamics::add_along(s.K, along({{z(i), 1}, {z(i - 1), -1}}), k);
    slider(i, 4 * k, along({{z(i), 0.5}, {z(i - 1), 0.5}}));
  }
  const double both_springs = 2 * k + k_e, beside = 2 * k * k_e / both_springs;
  dynamics::add_along(s.K, along({{left, 1}, {w(1), -1}, {z(1), 1}}), beside);
  slider(
      1, both_springs,
      along(
          {{z(1), 2 * k / both_springs}, {left, -k_e / both_springs}, {w(1), k_e / both_springs}}));
  dynamics::add_along(s.K, along({{right, 1}, {w(n - 1), -1}, {z(n - 1), -1}}), beside);
  slider(n, both_springs,
         along({{z(n - 1), 2 * k / both_springs},
                {right, k_e / both_springs},
                {w(n - 1), -k_e / both_springs}}));
  return s;
}

TEST(PeriodicInterface, with_all_modes_it_is_the_full_form_without_the_mass_of_the_sliders) {
  const TwoSided p = row_of(4, 3);
  std::vector<double> errors;
  for (const int harmonics : {5, 21}) {
    const auto reduced = response_of(jointed(p, 0.3), 2, harmonics);
    const auto full = response_of(with_light_differences(p, 0.3, 1e-4), 2, harmonics);
    errors.push_back(
        std::abs(full.at.at(0).first[2].amplitude / reduced.at.at(0).first[2].amplitude - 1));
    EXPECT_GT(reduced.at[0].energy[0], 1e-3);
  }
  // The full form cuts the motion of each slider off at the last harmonic, the reduced one does not: they come
  // together with more of them, up to the mass that is left.
  EXPECT_LT(errors[1], 2e-4);
  EXPECT_LT(errors[1], 0.3 * errors[0]);
}

TEST(PeriodicInterface, modes_begin_linear_and_soften) {
  Structure s = jointed(row_of(10), 0);
  s.C.setZero();
  dynamics::ModeOptions options;
  options.from = 1e-4;
  options.to = 0.12;
  options.at = {0.03, 0.1};
  options.harmonics = 5;
  const auto curve = dynamics::nonlinear_mode(s, options);
  ASSERT_EQ(curve.end, dynamics::CurveEnd::reached);
  const auto linear = dynamics::modes_at_rest(s);
  EXPECT_NEAR(curve.points.front().omega, linear.omega[0], 1e-9);
  EXPECT_NEAR(curve.points.front().zeta, 0, 1e-12);
  EXPECT_LT(curve.points.back().omega, 0.99 * linear.omega[0]);
  ASSERT_EQ(curve.at.size(), 2u);
  for (const auto& point : curve.at) {
    // ζ = D/(2πω²a²) in the definition of the mode.
    EXPECT_NEAR(point.zeta,
                point.energy.at(0) /
                    (2 * pi * point.omega * point.omega * point.amplitude * point.amplitude),
                1e-3 * point.zeta);
    EXPECT_GT(point.zeta, 1e-4);
  }
}

TEST(PeriodicInterface, load_responses_end_where_frequency_responses_are) {
  const Structure s = jointed(row_of(10), 1);
  dynamics::FrequencyResponseOptions options;
  options.along = dynamics::Along::level;
  options.omega = 2;
  options.from = 0.05;
  options.to = 1.5;
  options.harmonics = 7;
  const auto levels = dynamics::frequency_response(s, options);
  ASSERT_EQ(levels.end, dynamics::CurveEnd::reached);
  const auto response = response_of(jointed(row_of(10), 1.5), 2, 7);
  EXPECT_NEAR(levels.branch.back().first[2].amplitude, response.at.at(0).first[2].amplitude,
              1e-5 * response.at[0].first[2].amplitude);
}

TEST(PeriodicInterface, other_units_give_the_same_response) {
  const auto one = response_of(jointed(row_of(10), 1.2), 2.1, 7);
  const double force = 3.7e5, length = 1e-6;
  const auto other = response_of(jointed(row_of(10), 1.2, force, length), 2.1, 7);
  EXPECT_EQ(one.branch.size(), other.branch.size());
  EXPECT_NEAR(other.at.at(0).first[2].amplitude / length, one.at.at(0).first[2].amplitude,
              1e-9 * one.at[0].first[2].amplitude);
}

/// Two masses with friction to the ground: a row of two sliders that hardly feel each other, or two Jenkins joints.
Structure two_masses(bool interface) {
  Structure s;
  for (auto* matrix : {&s.M, &s.C, &s.K}) matrix->resize(2, 2);
  s.M.setIdentity();
  for (const auto& [from, to] : {std::pair{0, 1}, {1, 2}, {0, 2}}) {
    dynamics::add_along(s.K, dynamics::between(2, from, to), 1);
    dynamics::add_along(s.C, dynamics::between(2, from, to), 0.02);
  }
  s.loads.push_back({Eigen::Vector2d(1, 0.3), dynamics::Tones{{{0.3, 0, 1, 0}}}});
  const Direction first = dynamics::between(2, 0, 1), second = dynamics::between(2, 0, 2);
  if (interface) {
    s.interfaces.push_back(
        {slider_row(friction::HeldChain(1e-9, 0.5, Eigen::Vector2d(0.2, 0.1))), {first, second}});
  } else {
    s.joints.push_back({make({"jenkins", {{"k", 0.5}, {"phi", 0.2}}, {}}), first});
    s.joints.push_back({make({"jenkins", {{"k", 0.5}, {"phi", 0.1}}, {}}), second});
  }
  return s;
}

TEST(PeriodicInterface, two_sliders_by_themselves_are_two_jenkins_joints) {
  const auto both_forms = [](const auto& analyse) {
    return std::pair{analyse(two_masses(true)), analyse(two_masses(false))};
  };
  const auto [row, single] = both_forms([](const Structure& s) { return response_of(s, 1.2, 9); });
  ASSERT_EQ(row.at.size(), 1u);
  EXPECT_NEAR(row.at[0].first[0].amplitude, single.at.at(0).first[0].amplitude, 1e-8);
  EXPECT_NEAR(row.at[0].energy.at(0), single.at[0].energy[0] + single.at[0].energy[1], 1e-8);
  EXPECT_GT(row.at[0].energy[0], 0.1);
  EXPECT_EQ(row.at[0].stability, single.at[0].stability);
  // Disturbances die out alike, the memory of both included.
  dynamics::HarmonicBalance of_row(two_masses(true), 9), of_joints(two_masses(false), 9);
  const auto a = dynamics::floquet(of_row, row.at[0].y, 256).multipliers;
  const auto b = dynamics::floquet(of_joints, single.at[0].y, 256).multipliers;
  for (Index i = 0; i < 6; ++i) EXPECT_NEAR(std::abs(a[i]), std::abs(b[i]), 1e-6) << i;
  // And so are modes.
  dynamics::ModeOptions options;
  options.from = 0.01;
  options.to = 2;
  options.at = {1};
  options.harmonics = 5;
  const auto [mode, other] =
      both_forms([&](const Structure& s) { return dynamics::nonlinear_mode(s, options); });
  EXPECT_NEAR(mode.at.at(0).omega, other.at.at(0).omega, 1e-8);
  EXPECT_NEAR(mode.at[0].zeta, other.at[0].zeta, 1e-8);
}

// ---------------------------------------------------------------------- chains as joints

const std::string chain_joint =
    "M = [1.0]\n[[spring]]\nbetween = [0, 1]\nk = 1\n[[damper]]\nbetween = [0, 1]\nc = 0.02\n"
    "[[joint]]\nmodel = \"sliders\"\nset = { kind = \"chain\", n = 12, k = 12.0, mu = 0.1 }\n"
    "between = [0, 1]\n[[load]]\nkind = \"harmonic\"\ndof = 1\namplitude = 0.8\nomega = 1.1\n";

TEST(ChainJoint, is_rigid_friction_beside_plays) {
  const auto chain = [](double n) {
    return make(
        {"sliders", {{"kind", std::string("chain")}, {"n", n}, {"k", 2.0}, {"mu", 0.1}}, {}});
  };
  for (const double n : {5.0, 7.0, 12.0, 60.0}) {
    const AnyModel law = by_displacement(chain(n));
    const auto parts = parallel_parts(chain(n));
    ASSERT_EQ(parts.size(), 2u) << n;
    EXPECT_TRUE(parts[0].rigid());
    AnyState state = law.rest(), first = parts[0].rest(), second = parts[1].rest();
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 200; ++i) {
      const double u = 0.02 * n * n * normal(random);
      const auto whole = law.step(state, u, 0, state);
      const auto a = parts[0].step(first, u, 1, first), b = parts[1].step(second, u, 0, second);
      // Of many sliders rounding decides the last digits of the force at which all slide.
      const double digits = n < 20 ? 1e-10 : 1e-6;
      ASSERT_EQ(whole.status, Status::ok) << n << ' ' << i;
      EXPECT_NEAR(whole.force, a.force + b.force, digits);
      EXPECT_NEAR(whole.dissipated, a.dissipated + b.dissipated, 10 * n * digits);
    }
  }
  EXPECT_TRUE(parallel_parts(make({"jenkins", {{"k", 1.0}, {"phi", 1.0}}, {}})).empty());
}

TEST(ChainJoint, responses_are_those_in_time) {
  // Over the resonance; it ended with one point after half a minute when the chain was one joint.
  const auto file = parse_structure(chain_joint, "test.toml");
  dynamics::FrequencyResponseOptions options;
  options.from = 0.7;
  options.to = 1.6;
  options.at = {1.1};
  options.harmonics = 15;
  const auto response = dynamics::frequency_response(file.structure, options);
  EXPECT_EQ(response.end, dynamics::CurveEnd::reached);
  EXPECT_LT(response.energy_balance, 1e-6);
  ASSERT_EQ(response.at.size(), 1u);
  EXPECT_EQ(response.at[0].energy.size(), 1u);  // the two parts are one joint
  const double period = 2 * pi / 1.1;
  dynamics::TimeOptions time;
  time.method = dynamics::Method::midpoint;
  time.step = period / 200;
  time.until = 40 * period;
  time.every_step = false;
  std::complex<double> sum = 0;
  time.row = [&](const dynamics::TimeRow& row) {
    if (row.t > 39 * period + 0.5 * time.step)
      sum += row.x[0] * std::polar(2.0 / 200, -1.1 * row.t);
  };
  ASSERT_EQ(dynamics::integrate(file.structure, time).message, "");
  EXPECT_NEAR(response.at[0].first[0].amplitude, std::abs(sum), 1e-3 * std::abs(sum));
  const auto loops = dynamics::joint_loops(file.structure, options, 15, response.at[0]);
  ASSERT_EQ(loops.size(), 1u);
  // All of the force, not that of the rigid part alone.
  EXPECT_NEAR(*std::max_element(loops[0].f.begin(), loops[0].f.end()), 0.6, 1e-3);
}

TEST(ChainJoint, sums_with_rigid_friction_are_taken_apart_too) {
  const std::string text =
      "M = [1.0]\n[[spring]]\nbetween = [0, 1]\nk = 1\n[[damper]]\nbetween = [0, 1]\nc = 0.02\n"
      "[[joint]]\nmodel = \"coulomb(fc=0.2)+jenkins(k=2,phi=0.4)\"\nbetween = [0, 1]\n"
      "[[load]]\nkind = \"harmonic\"\ndof = 1\namplitude = 0.8\n";
  const auto file = parse_structure(text, "test.toml");
  dynamics::FrequencyResponseOptions options;
  options.from = 0.7;
  options.to = 1.6;
  options.harmonics = 5;
  EXPECT_EQ(dynamics::frequency_response(file.structure, options).end, dynamics::CurveEnd::reached);
}

TEST(PeriodicInterface, static_loads_come_first) {
  // The mean of the motion is where both forms get under the static load, and the memory of it stays.
  const auto loaded = [](bool interface) {
    Structure s = two_masses(interface);
    s.loads.push_back({Eigen::Vector2d(0, 1), dynamics::Constant{0.8}});
    return response_of(s, 1.2, 7);
  };
  const auto row = loaded(true), single = loaded(false);
  EXPECT_GT(std::abs(single.at.at(0).y[1]), 0.2);
  for (Index i = 0; i < 2; ++i) EXPECT_NEAR(row.at.at(0).y[i], single.at[0].y[i], 1e-8);
  EXPECT_NEAR(row.at[0].first[0].amplitude, single.at[0].first[0].amplitude, 1e-8);
}

}  // namespace periodic_interface_test
}  // namespace microslip::catalog
