#include "microslip/catalog/two_sided.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/structure_file.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "microslip/friction/held_chain.hpp"
#include "microslip/friction/sliders.hpp"
#include "support/message_of.hpp"

namespace microslip::catalog {
namespace two_sided_test {

using dynamics::Direction;
using dynamics::SparseMatrix;
using dynamics::Structure;
using testing::message_of;
using Index = Eigen::Index;

/// The rod of section 4 without its middle mass: nine masses 1/10, springs 10, fixed at its left end; the
/// free end is the last one. An interface goes between 5 and 6.
Structure rod(double delta) {
  Structure s;
  s.M.resize(9, 9);
  s.M.setIdentity();
  s.M *= 0.1;
  s.C.resize(9, 9);
  s.K.resize(9, 9);
  for (Index i = 1; i <= 9; ++i)
    if (i != 6) dynamics::add_along(s.K, dynamics::between(9, i - 1, i), 10);
  Eigen::VectorXd tip = Eigen::VectorXd::Zero(9);
  tip[8] = 1;
  // Eq. (30) with T = 4; its second branch is τ ≥ 3T.
  const std::string burst = "*(t/3)*(1-t/12)*sin(pi*t/2)*step(12-t)";
  s.loads.push_back(
      {tip, dynamics::Formula{Expression::parse(std::to_string(delta) + burst, {"t"})}});
  return s;
}

TwoSided joint_of(int n, bool reduced, int modes = 4) {
  return {.K_eq = 10,
          .M_eq = 0.1,
          .mu = friction::friction_limits(n, 1.0, friction::Distribution::uniform),
          .reduced = reduced,
          .modes = modes};
}

/// The motion of the free end at multiples of 0.5, and the energy lost.
struct Tip {
  std::vector<double> x;
  double lost = 0, error = 0;
};
Tip tip_of(const Structure& s, dynamics::Method method, double step, double until = 30) {
  dynamics::TimeOptions options;
  options.method = method;
  options.until = until;
  options.step = step;
  options.every_step = false;
  for (double t = 0.5; t <= until; t += 0.5) options.at.push_back(t);
  Tip tip;
  options.row = [&](const dynamics::TimeRow& row) {
    if (row.t > 0 && std::abs(2 * row.t - std::round(2 * row.t)) < 1e-9) tip.x.push_back(row.x[8]);
  };
  const auto result = dynamics::integrate(s, options);
  EXPECT_EQ(result.message, "");
  tip.lost = result.audit.joints;
  tip.error = result.audit.error();
  return tip;
}

double difference(const Tip& a, const Tip& b) {
  EXPECT_EQ(a.x.size(), b.x.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) worst = std::max(worst, std::abs(a.x[i] - b.x[i]));
  return worst;
}

// ------------------------------------------------------------------------- the row of sliders

TEST(HeldChain, follows_the_path_that_other_solvers_find) {
  // Both ends move by the same d: μ sgn q̇ + K q = k_end (e_1 + e_n) d, which the event solver follows.
  const Index n = 9;
  const double k = 1.3, k_end = 0.7;
  Eigen::VectorXd phi(n);
  for (Index i = 0; i < n; ++i) phi[i] = 0.1 + 0.03 * static_cast<double>(i);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (Index i = 0; i + 1 < n; ++i) {
    K(i, i) += k;
    K(i + 1, i + 1) += k;
    K(i, i + 1) -= k;
    K(i + 1, i) -= k;
  }
  K(0, 0) += k_end;
  K(n - 1, n - 1) += k_end;
  Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
  b[0] = b[n - 1] = k_end;
  const friction::System system(K, phi, b);
  const auto solver = friction::make_solver(system);
  solver->start(friction::rest(system));
  const friction::HeldChain chain(k, k_end, phi);
  auto state = chain.rest();
  double lost = 0;
  for (const double d : {0.5, 2.0, -1.0, 0.3, 0.1, 6.0, -5.0, 0.0}) {
    ASSERT_EQ(solver->advance(d).status, Status::ok);
    const auto reply = chain.step(state, {d, d}, state);
    EXPECT_EQ(reply.status, Status::ok);
    lost += reply.dissipated;
    EXPECT_LT((state.q - solver->x()).norm(), 1e-13) << d;
    EXPECT_NEAR(lost, solver->dissipated(), 1e-12) << d;
  }
}

TEST(HeldChain, solves_its_equations_on_random_paths) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const Index n = 15;
  Eigen::VectorXd phi(n);
  for (double& x : phi) x = 0.05 + 0.1 * std::abs(normal(random));
  const double k = 2, k_end = 0.9;
  const friction::HeldChain chain(k, k_end, phi);
  auto state = chain.rest();
  for (int step = 0; step < 300; ++step) {
    const auto before = state;
    const Eigen::Vector2d d(normal(random), normal(random));
    const auto reply = chain.step(state, d, state);
    ASSERT_EQ(reply.status, Status::ok);
    for (Index i = 0; i < n; ++i) {
      // The force on the ground, from the springs beside the slider.
      double force = 0;
      force += i > 0 ? k * (state.q[i - 1] - state.q[i]) : k_end * (d[0] - state.q[i]);
      force += i < n - 1 ? k * (state.q[i + 1] - state.q[i]) : k_end * (d[1] - state.q[i]);
      const double moved = state.q[i] - before.q[i];  // but for rounding
      EXPECT_LE(std::abs(force), phi[i] + 1e-13);
      if (std::abs(moved) > 1e-15) {
        EXPECT_NEAR(force, std::copysign(phi[i], moved), 1e-13);
      }
    }
    // Tangent by differences, work = stored + lost to second order in a small step.
    for (int column = 0; column < 2; ++column) {
      Eigen::Vector2d beside = d;
      beside[column] += 1e-7;
      auto there = before;
      const auto other = chain.step(before, beside, there);
      if (there.side != state.side) continue;
      for (int row = 0; row < 2; ++row)
        EXPECT_NEAR(reply.tangent(row, column), (other.force[row] - reply.force[row]) / 1e-7, 1e-6);
    }
  }
}

TEST(HeldChain, slides_as_a_whole_with_both_ends_coupled) {
  const Index n = 6;
  const friction::HeldChain chain(2, 0.9, Eigen::VectorXd::Constant(n, 0.1));
  auto state = chain.rest();
  ASSERT_EQ(chain.step(state, {5, 5}, state).status, Status::ok);
  const auto before = state;
  const Eigen::Vector2d d(6, 5.8);
  const auto reply = chain.step(before, d, state);
  for (const auto side : state.side) ASSERT_EQ(side, 1);
  for (int column = 0; column < 2; ++column) {
    Eigen::Vector2d beside = d;
    beside[column] += 1e-4;  // the equations are linear
    auto there = before;
    const auto other = chain.step(before, beside, there);
    for (int row = 0; row < 2; ++row)
      EXPECT_NEAR(reply.tangent(row, column), (other.force[row] - reply.force[row]) / 1e-4, 1e-9);
  }
  EXPECT_LT(reply.tangent(0, 1), -0.05);
}

TEST(HeldChain, fronts_move_by_many_sliders_in_a_few_solutions) {
  // Pulled at one end, a third of the sliders slip at once; one by one it took 110 solutions.
  const Index n = 300;
  const friction::HeldChain chain(1, 1, Eigen::VectorXd::Constant(n, 0.01));
  auto state = chain.rest();
  const auto reply = chain.step(state, {60, 0}, state);
  ASSERT_EQ(reply.status, Status::ok);
  EXPECT_GE(std::count(state.side.begin(), state.side.end(), 1), 90);
  EXPECT_LE(reply.solves, 30);
}

// --------------------------------------------------------------------------------- full form

/// Eqs (2)–(8) written out: means w and halves of differences z as coordinates, each of mass 2m, with the
/// massless sliders condensed there.
Structure decomposed(Structure s, const TwoSided& p, Index left, Index right) {
  const auto n = static_cast<Index>(p.mu.size());
  const double k = static_cast<double>(n - 1) * p.K_eq;
  const double m = p.M_eq / static_cast<double>(2 * (n - 1));
  const double k_e = 2 * p.K_eq / (1 + 1 / static_cast<double>(n - 1));  // (29)
  const Index first = s.size(), size = first + 2 * (n - 1);
  for (SparseMatrix* matrix : {&s.M, &s.C, &s.K}) matrix->conservativeResize(size, size);
  s.loads[0].direction.conservativeResize(size);
  s.loads[0].direction.tail(2 * (n - 1)).setZero();
  const auto w = [&](Index i) { return first + i - 1; };
  const auto z = [&](Index i) { return first + n - 1 + i - 1; };
  const auto along = [&](const std::vector<std::pair<Index, double>>& weights) {
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(size);
    for (const auto& [dof, weight] : weights) direction[dof] += weight;
    return Direction(direction);
  };
  for (Index i = 1; i < n; ++i) s.M.coeffRef(w(i), w(i)) = s.M.coeffRef(z(i), z(i)) = 2 * m;
  const auto slider = [&](Index i, double stiffness, const Direction& direction) {
    s.joints.push_back(
        {make({"jenkins",
               {{"k", stiffness}, {"phi", 2 * p.mu[static_cast<std::size_t>(i - 1)]}},
               {}}),
         direction});
  };
  for (Index i = 2; i < n; ++i) {
    dynamics::add_along(s.K, along({{w(i), 1}, {w(i - 1), -1}}), k);
    dynamics::add_along(s.K, along({{z(i), 1}, {z(i - 1), -1}}), k);
    slider(i, 4 * k, along({{z(i), 0.5}, {z(i - 1), 0.5}}));
  }
  const double both = 2 * k + k_e, beside = 2 * k * k_e / both;
  // g_0 = k_e (a_left − w_1 + q_1), f_n = k_e (a_right − w_{n−1} − q_n).
  dynamics::add_along(s.K, along({{left, 1}, {w(1), -1}, {z(1), 1}}), beside);
  slider(1, both, along({{z(1), 2 * k / both}, {left, -k_e / both}, {w(1), k_e / both}}));
  dynamics::add_along(s.K, along({{right, 1}, {w(n - 1), -1}, {z(n - 1), -1}}), beside);
  slider(n, both, along({{z(n - 1), 2 * k / both}, {right, k_e / both}, {w(n - 1), -k_e / both}}));
  return s;
}

TEST(TwoSided, means_and_differences_decouple_as_printed) {
  const TwoSided p = joint_of(6, false);
  Structure full = rod(0.6);
  EXPECT_EQ(add_two_sided(full, p, 5, 6), 10);
  const Tip a = tip_of(full, dynamics::Method::midpoint, 0.01, 15);
  const Tip b = tip_of(decomposed(rod(0.6), p, 4, 5), dynamics::Method::midpoint, 0.01, 15);
  EXPECT_GT(a.lost, 1);
  EXPECT_NEAR(a.lost, b.lost, 1e-10);
  EXPECT_LT(difference(a, b), 1e-10);
  // And by events, where steps have no size.
  const Tip exact = tip_of(full, dynamics::Method::events, 0.02, 15);
  // Joints far from the load hardly move at first and turn at no certain time.
  for (const double rows : {0.5, 0.1})
    EXPECT_LT(difference(exact,
                         tip_of(decomposed(rod(0.6), p, 4, 5), dynamics::Method::events, rows, 15)),
              1e-6)
        << rows;
  EXPECT_LT(difference(exact, tip_of(full, dynamics::Method::midpoint, 0.001, 15)), 1e-3);
}

TEST(TwoSided, stuck_it_is_two_springs_and_masses_in_a_row) {
  // Friction that never slips ties u_i to v_i: springs k_end, then the chain of both sides.
  TwoSided p = joint_of(2, false);
  p.mu = {1e6, 1e6};
  Structure full = rod(0.01);
  add_two_sided(full, p, 5, 6);

  Structure expected = rod(0.01);
  for (SparseMatrix* matrix : {&expected.M, &expected.C, &expected.K})
    matrix->conservativeResize(10, 10);
  expected.loads[0].direction.conservativeResize(10);
  expected.loads[0].direction[9] = 0;
  expected.M.coeffRef(9, 9) = 0.1;  // both masses of the one element, M_eq
  // k_end = 20 to a massless point, two springs k = 10 from there.
  dynamics::add_along(expected.K, dynamics::between(10, 5, 10), 10);
  dynamics::add_along(expected.K, dynamics::between(10, 10, 6), 10);
  EXPECT_LT(difference(tip_of(full, dynamics::Method::events, 0, 10),
                       tip_of(expected, dynamics::Method::events, 0, 10)),
            1e-9);
}

// ------------------------------------------------------------------------------ reduced form

TEST(TwoSided, the_reduced_form_follows_the_full_one) {
  Structure full = rod(0.25), reduced = rod(0.25);
  add_two_sided(full, joint_of(20, false), 5, 6);
  EXPECT_EQ(add_two_sided(reduced, joint_of(20, true), 5, 6), 4);
  const Tip a = tip_of(full, dynamics::Method::midpoint, 0.01);
  const Tip b = tip_of(reduced, dynamics::Method::midpoint, 0.01);
  double largest = 0;
  for (const double x : a.x) largest = std::max(largest, std::abs(x));
  // Fig. 16: almost identical.
  EXPECT_GT(largest, 0.3);
  EXPECT_LT(difference(a, b), 0.06 * largest);
  EXPECT_NEAR(a.lost, b.lost, 0.03 * a.lost);
  // More modes bring it nearer, up to what the masses of the sliders' side do.
  Structure finer = rod(0.25);
  add_two_sided(finer, joint_of(20, true, 8), 5, 6);
  EXPECT_LT(difference(a, tip_of(finer, dynamics::Method::midpoint, 0.01)), 0.02 * largest);
  EXPECT_NEAR(b.error, 0, 1e-10);
}

TEST(TwoSided, steps_of_the_reduced_form_converge_with_order_two) {
  std::vector<Tip> tips;
  for (const double step : {0.02, 0.01, 0.005, 0.00125}) {
    Structure s = rod(0.4);
    add_two_sided(s, joint_of(10, true, 9), 5, 6);
    tips.push_back(tip_of(s, dynamics::Method::midpoint, step, 20));
  }
  const double coarse = difference(tips[0], tips[3]), fine = difference(tips[2], tips[3]);
  EXPECT_GT(coarse / fine,
            8);  // 16 is the order; sliders that slip or stick inside a step cost some
  // Newmark's method comes to the same motion.
  Structure s = rod(0.4);
  add_two_sided(s, joint_of(10, true, 9), 5, 6);
  EXPECT_LT(difference(tip_of(s, dynamics::Method::newmark, 0.0025, 20), tips[3]), 3 * fine);
}

TEST(TwoSided, goes_on_in_macroslip) {
  for (const bool reduced : {false, true}) {
    Structure s = rod(20);
    add_two_sided(s, joint_of(10, reduced), 5, 6);
    const Tip tip = tip_of(s, dynamics::Method::midpoint, 0.01, 12);
    double largest = 0;
    for (const double x : tip.x) largest = std::max(largest, std::abs(x));
    EXPECT_GT(largest, 20) << reduced;  // elastic slip alone is of size 1
    EXPECT_NEAR(tip.error, 0, 1e-7) << reduced;
  }
}

TEST(TwoSided, refuses_what_makes_no_sense) {
  Structure s = rod(1);
  TwoSided p = joint_of(5, true, 5);
  EXPECT_NE(message_of([&] { add_two_sided(s, p, 5, 6); }).find("modes = 5"), std::string::npos);
  p.modes = 2;
  p.K_eq = -1;
  EXPECT_NE(message_of([&] { add_two_sided(s, p, 5, 6); }).find("K_eq = -1"), std::string::npos);
  EXPECT_NE(message_of([&] { friction::distribution_of("cubic"); }).find("cubic"),
            std::string::npos);
}

TEST(TwoSided, friction_is_spread_as_asked) {
  using friction::Distribution;
  for (const Distribution how : {Distribution::uniform, Distribution::linear,
                                 Distribution::parabolic, Distribution::power}) {
    const auto mu = friction::friction_limits(8, 2, how, 2);
    double sum = 0;
    for (const double x : mu) sum += x;
    EXPECT_NEAR(sum, 2, 1e-14);
    EXPECT_NEAR(mu.front(), mu.back(), 1e-15);
  }
  const auto linear = friction::friction_limits(4, 2, Distribution::linear);
  EXPECT_NEAR(linear[1] / linear[0], 3, 1e-14);
  const auto power = friction::friction_limits(4, 2, Distribution::power, 2);
  EXPECT_NEAR(power[1] / power[0], 9, 1e-14);
  EXPECT_NE(message_of([&] {
              friction::friction_limits(4, 1, Distribution::power, -1);
            }).find("exponent = -1"),
            std::string::npos);
}

// ------------------------------------------------------------------------------- from a file

const std::string head = "M = [0.1, 0.1]\n[[spring]]\nbetween = [0, 1]\nk = 10\n";
const std::string tail =
    "[[load]]\nkind = \"harmonic\"\ndof = 2\namplitude = 0.5\nomega = 3\n"
    "[[analysis]]\nkind = \"time\"\nuntil = 1\n";

TEST(InterfaceFile, reads_the_keys_of_an_interface) {
  const std::string interface =
      "[[interface]]\nkind = \"two-sided\"\nbetween = [1, 2]\nn = 6\nK_eq = 10\nM_eq = 0.1\nmu = "
      "1\n";
  const auto reduced = parse_structure(head + interface + tail, "test.toml");
  EXPECT_EQ(reduced.structure.size(), 6);
  EXPECT_EQ(reduced.structure.interfaces.size(), 1u);
  EXPECT_EQ(reduced.labels.size(), 6u);
  const auto full = parse_structure(head + interface + "form = \"full\"\n" + tail, "test.toml");
  EXPECT_EQ(full.structure.size(), 12);
  EXPECT_EQ(full.structure.joints.size(), 6u);
  const auto message = [&](const std::string& more) {
    return message_of([&] { parse_structure(head + interface + more + tail, "test.toml"); });
  };
  EXPECT_NE(message("form = \"half\"\n").find("reduced or full"), std::string::npos);
  EXPECT_NE(message("modes = 9\n").find("modes = 9 must lie in"), std::string::npos);
  EXPECT_NE(message("distribution = \"odd\"\n").find("uniform, linear, parabolic or power"),
            std::string::npos);
  EXPECT_NE(message("exponent = 2\n").find("belongs to distribution"), std::string::npos);
  EXPECT_NE(message("distribution = \"power\"\nexponent = -2\n").find("exponent = -2 must be"),
            std::string::npos);
  EXPECT_NE(message("size = 3\n").find("size"), std::string::npos);
  const auto asking = [&](const std::string& analysis) {
    return message_of([&] {
      parse_structure(head + interface + "[[analysis]]\nkind = " + analysis + "\n", "test.toml");
    });
  };
  EXPECT_EQ(asking("\"frequency-response\"\nomega = [1, 2]"), "no error");
  EXPECT_EQ(asking("\"nonlinear-mode\"\namplitude = [0.1, 0.2]"), "no error");
  const std::string refused = asking("\"quasi-static\"\namplitude = [0.1, 0.2]");
  EXPECT_NE(refused.find("use form = \"full\""), std::string::npos) << refused;
  EXPECT_NE(message("form = \"full\"\nstatic_correction = true\n")
                .find("static_correction belongs to form"),
            std::string::npos);
}

/// Limits that follow a load are those of the same interface with limits as large, while it is constant.
TEST(InterfaceFile, a_load_presses_the_sliders) {
  const auto file = [](const std::string& more) {
    return parse_structure(
        "M = [1.0, 1.0]\nK = [1.0, 1.0]\n[[interface]]\nkind = \"two-sided\"\nbetween = [1, 2]\n"
        "n = 4\nK_eq = 10\nM_eq = 0.1\nform = \"full\"\n" +
            more +
            "[[load]]\nkind = \"formula\"\ndof = 1\nforce = \"3*sin(2*t)\"\n[[analysis]]\n"
            "kind = \"time\"\nuntil = 5\n",
        std::string("test.toml"));
  };
  const auto end = [&](const std::string& more) {
    dynamics::TimeOptions options;
    options.until = 5;
    options.step = 0.005;
    options.method = dynamics::Method::midpoint;
    options.every_step = false;
    const auto run = dynamics::integrate(file(more).structure, options);
    EXPECT_EQ(run.status, Status::ok) << run.message;
    EXPECT_LT(std::abs(run.audit.error()), 1e-9 * std::abs(run.audit.input));
    return run;
  };
  const auto plain = end("mu = 0.5\n"), pressed = end("mu = 1\nN = \"3\"\nN_ref = 6\n");
  EXPECT_LT((plain.x.back() - pressed.x.back()).norm(), 1e-9);
  EXPECT_GT(plain.audit.joints, 0.1);
  const auto falling = end("mu = 0.5\nN = \"exp(-t)\"\n");
  EXPECT_GT((plain.x.back() - falling.x.back()).norm(), 1e-3);
  EXPECT_NE(message_of([&] {
              parse_structure(head +
                                  "[[interface]]\nkind = \"two-sided\"\nbetween = [1, 2]\nn = 4\n"
                                  "K_eq = 10\nM_eq = 0.1\nmu = 1\nN = \"1\"\n" +
                                  tail,
                              "test.toml");
            }).find("N belongs to form = \"full\""),
            std::string::npos);
}

TEST(InterfaceFile, takes_friction_from_a_list_or_a_file) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir());
  const std::string name = (folder / "limits_of_an_interface.txt").string();
  std::ofstream(name) << "# limits\n0.1, 0.2\n0.3 0.2 0.1\n";
  const auto with = [&](const std::string& mu) {
    const auto file =
        parse_structure(head +
                            "[[interface]]\nkind = \"two-sided\"\nbetween = [1, 2]\nn = 5\n"
                            "K_eq = 10\nM_eq = 0.1\nform = \"full\"\nmu = " +
                            mu + "\n" + tail,
                        (folder / "test.toml").string());
    std::vector<double> limits;
    for (const auto& joint : file.structure.joints)
      limits.push_back(std::get<double>(joint.model.parameters().at("phi")));
    std::sort(limits.begin(), limits.end());
    return limits;
  };
  EXPECT_EQ(with("[0.1, 0.2, 0.3, 0.2, 0.1]"), with("\"limits_of_an_interface.txt\""));
  EXPECT_EQ(with("\"limits_of_an_interface.txt\""), (std::vector<double>{0.1, 0.1, 0.2, 0.2, 0.3}));
  std::filesystem::remove(name);
}

// --------------------------------------------------------------------------------- massless

dynamics::TimeResult run(const std::string& text, double step = 0) {
  const auto file = parse_structure(text, "test.toml");
  dynamics::TimeOptions options;
  options.until = 10;
  options.method = step > 0 ? dynamics::Method::midpoint : dynamics::Method::events;
  options.step = step;
  options.every_step = false;
  return dynamics::integrate(file.structure, options);
}

TEST(Massless, springs_in_a_row_become_one) {
  const auto a = run(
      "M = [1.0, 0.0]\n[[spring]]\nbetween = [0, 2]\nk = 3\n[[spring]]\nbetween = [2, 1]\nk = 6\n"
      "[[load]]\nkind = \"harmonic\"\ndof = 2\namplitude = 0.5\nomega = 3\n"
      "[[analysis]]\nkind = \"time\"\nuntil = 10\n");
  const auto b =
      run("M = [1.0]\n[[spring]]\nbetween = [0, 1]\nk = 2\n"
          "[[load]]\nkind = \"harmonic\"\ndof = 1\namplitude = 0.3333333333333333\nomega = 3\n"
          "[[analysis]]\nkind = \"time\"\nuntil = 10\n");
  ASSERT_EQ(a.x.back().size(), 1);
  EXPECT_NEAR(a.x.back()[0], b.x.back()[0], 1e-9);
}

const std::string pushed =
    "[[load]]\nkind = \"harmonic\"\ndof = 1\namplitude = 0.5\nomega = 1.2\n"
    "[[analysis]]\nkind = \"time\"\nuntil = 10\n";

TEST(Massless, a_joint_at_a_massless_point_gets_a_spring_in_series) {
  // k = 4 in front of a Jenkins element k = 2 and beside it a spring 1 to the ground: condensed by hand,
  // the point sits at the stiffness 5; G = 1/5, the remaining spring 4/5, direction 4/5 of the mass.
  const auto a = run(
      "M = [1.0, 0.0]\n[[spring]]\nbetween = [2, 1]\nk = 4\n[[spring]]\nbetween = [0, 2]\nk = 1\n"
      "[[joint]]\nmodel = \"jenkins\"\nset = { k = 2.0, phi = 0.1 }\nbetween = [0, 2]\n" +
      pushed);
  const auto b =
      run("M = [1.0]\n[[spring]]\nbetween = [0, 1]\nk = 0.8\n"
          "[[joint]]\nmodel = \"jenkins\"\nset = { k = 1.4285714285714286, phi = 0.1 }\nalong = "
          "[0.8]\n" +
          pushed);
  EXPECT_GT(a.audit.joints, 0.01);
  EXPECT_NEAR(a.x.back()[0], b.x.back()[0], 1e-8);
  EXPECT_NEAR(a.audit.joints, b.audit.joints, 1e-8);
}

TEST(Massless, joints_that_share_a_point_are_solved_together) {
  const std::string joints =
      "[[spring]]\nbetween = [2, 1]\nk = 4\n"
      "[[joint]]\nmodel = \"jenkins\"\nset = { k = 2.0, phi = 0.1 }\nbetween = [0, 2]\n"
      "[[joint]]\nmodel = \"iwan4\"\nset = { KT = 1.0, Fs = 0.3, chi = -0.5, beta = 1.0 }\n"
      "between = [1, 2]\n" +
      pushed;
  const auto a = run("M = [1.0, 0.0]\n" + joints, 0.005);
  const auto b = run("M = [1.0, 1e-7]\n" + joints, 0.005);  // nearly massless
  ASSERT_EQ(a.message, "");
  EXPECT_GT(a.audit.joints, 0.01);
  EXPECT_NEAR(a.x.back()[0], b.x.back()[0], 1e-4);
  EXPECT_NEAR(a.audit.error(), 0, 1e-10);
}

TEST(Massless, is_refused_where_it_cannot_be_condensed) {
  const auto message = [&](const std::string& text) {
    return message_of([&] { parse_structure(text + pushed, "test.toml"); });
  };
  EXPECT_NE(message("M = [1.0, 0.0]\n[[joint]]\nmodel = \"jenkins\"\nbetween = [1, 2]\n")
                .find("degree of freedom 2 has no mass and no spring"),
            std::string::npos);
  EXPECT_NE(message("M = [1.0, 0.0]\n[[spring]]\nbetween = [1, 2]\nk = 1\n[[damper]]\n"
                    "between = [0, 2]\nc = 1\n")
                .find("a damper there"),
            std::string::npos);
}

}  // namespace two_sided_test
}  // namespace microslip::catalog
