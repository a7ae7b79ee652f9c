#include "microslip/contact/solver.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/friction/solver.hpp"
#include "support/message_of.hpp"
#include "support/random.hpp"

namespace microslip::contact {
namespace solver_test {

/// A definite stiffness, loads that press, open and shear, and friction that is not too large for
/// its coupling of normal and tangential motion.
Problem random_problem(Index n, std::uint64_t seed, double coupling = 0.3) {
  testing::Rng draw(seed);
  const auto entry = [&](Index, Index) { return draw.uniform(-1, 1); };
  const Matrix A = Matrix::NullaryExpr(2 * n, 2 * n, entry);
  const Matrix K =
      Matrix::Identity(2 * n, 2 * n) + coupling / static_cast<double>(n) * (A * A.transpose());
  Vector g(2 * n), b(2 * n), mu(n);
  for (Index i = 0; i < n; ++i) {
    g[2 * i] = -draw.uniform(0, 1);
    g[2 * i + 1] = draw.uniform(-0.2, 0.2);
    b[2 * i] = draw.uniform(-0.4, 0.6);
    b[2 * i + 1] = draw.uniform(-1, 1);
    mu[i] = draw.uniform(0, 0.8);
  }
  return Problem(K, g, b, mu);
}

/// Contact and friction hold at a point of the path.
void expect_admissible(const Problem& problem, const Solver& solver) {
  const Vector T = problem.g() + problem.b() * solver.state().f - problem.K() * solver.w();
  for (Index i = 0; i < problem.nodes(); ++i) {
    const double tol = 1e-10;
    EXPECT_GE(solver.w()[2 * i], -tol);
    EXPECT_LE(T[2 * i], tol);
    EXPECT_NEAR(T[2 * i] * solver.w()[2 * i], 0, tol);
    EXPECT_LE(std::abs(T[2 * i + 1]), -problem.mu()[i] * T[2 * i] + tol);
  }
}

std::vector<double> cycle(int rows, double amplitude) {
  std::vector<double> f;
  for (int i = 0; i <= rows; ++i) f.push_back(amplitude * std::sin(7 * i / double(rows)));
  return f;
}

// One node under a constant contact force P: a Jenkins element driven by force. It sticks up to
// μP, then slips (f − μP)/k.
TEST(Contact, one_node_is_a_spring_with_a_slider) {
  const double P = 2, mu = 0.3, k = 5;
  const Problem problem(Vector{{4, k}}.asDiagonal(), Vector{{-P, 0}}, Vector{{0, 1}}, Vector{{mu}});
  Solver solver(problem);
  ASSERT_EQ(solver.preload(), Status::ok);
  ASSERT_EQ(solver.advance(0.6), Status::ok);
  EXPECT_EQ(solver.xi(), 0);
  ASSERT_EQ(solver.advance(1), Status::ok);
  EXPECT_NEAR(solver.xi(), (1 - mu * P) / k, 1e-15);
  EXPECT_NEAR(solver.dissipated(), mu * P * (1 - mu * P) / k, 1e-15);
  EXPECT_NEAR(solver.tangent(), 1 / k, 1e-15);
  // Back slip starts after the load has fallen by 2 μP.
  ASSERT_EQ(solver.advance(1 - 2 * mu * P - 0.1), Status::ok);
  EXPECT_NEAR(solver.xi(), (1 - mu * P - 0.1) / k, 1e-15);
}

// Load that pulls the node off: it opens where P = 0 and closes at the same load.
TEST(Contact, a_node_opens_where_its_force_vanishes) {
  const Problem problem(Vector{{4, 5}}.asDiagonal(), Vector{{-2, 0}}, Vector{{1, 0}},
                        Vector{{0.3}});
  Solver solver(problem);
  ASSERT_EQ(solver.preload(), Status::ok);
  ASSERT_EQ(solver.advance(3), Status::ok);
  EXPECT_EQ(solver.nodes()[0], Contact::open);
  EXPECT_NEAR(solver.w()[0], (3 - 2) / 4.0, 1e-15);
  ASSERT_EQ(solver.advance(1.5), Status::ok);
  EXPECT_NE(solver.nodes()[0], Contact::open);
  EXPECT_NEAR(solver.T()[0], 1.5 - 2, 1e-15);
  EXPECT_EQ(solver.dissipated(), 0);
}

TEST(Contact, with_constant_pressure_it_is_a_system_of_sliders) {
  const Index n = 12;
  const friction::System sliders = [&] {
    testing::Rng draw(7);
    const Matrix A = Matrix::NullaryExpr(n, n, [&](Index, Index) { return draw.uniform(-1, 1); });
    Vector mu(n), b(n);
    for (Index i = 0; i < n; ++i) mu[i] = draw.uniform(0.1, 1), b[i] = draw.uniform(-1, 1);
    return friction::System(Matrix(A * A.transpose() + 0.5 * Matrix::Identity(n, n)), mu, b);
  }();
  Matrix K = Matrix::Identity(2 * n, 2 * n);
  Vector g = Vector::Zero(2 * n), b = Vector::Zero(2 * n), P(n), mu(n);
  for (Index i = 0; i < n; ++i) {
    P[i] = 1 + 0.1 * static_cast<double>(i);
    mu[i] = sliders.mu()[i] / P[i];
    g[2 * i] = -P[i];
    b[2 * i + 1] = sliders.b()[i];
    for (Index j = 0; j < n; ++j) K(2 * i + 1, 2 * j + 1) = sliders.entry(i, j);
  }
  const Problem problem(K, g, b, mu);
  const auto loads = cycle(90, 6);
  const Result here = run(problem, loads);
  const friction::Result there = friction::run(sliders, loads);
  const friction::Result as_tied = friction::run(tied(problem, P), loads);
  ASSERT_EQ(here.status, Status::ok) << here.trouble;
  ASSERT_GT(there.events, 20u);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    EXPECT_NEAR(here.xi[i], there.xi[i], 1e-11);
    EXPECT_NEAR(here.energy[i], there.energy[i], 1e-10);
    EXPECT_NEAR(as_tied.xi[i], there.xi[i], 1e-11);
  }
}

TEST(Contact, an_increment_is_that_of_lemke) {
  int slipping = 0, open = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Problem problem = random_problem(6, seed);
    Vector before = Vector::Zero(12);
    testing::Rng draw(seed + 100);
    for (Index i = 0; i < 6; ++i) before[2 * i + 1] = draw.uniform(-0.3, 0.3);
    const Vector q = problem.g() + 2 * problem.b();
    const Increment newton = increment(problem, q, before, rest(problem).nodes);
    const Increment lemke = lemke_increment(problem, q, before);
    ASSERT_EQ(newton.status, Status::ok) << seed;
    ASSERT_EQ(lemke.status, Status::ok) << seed;
    EXPECT_LT((newton.w - lemke.w).cwiseAbs().maxCoeff(), 1e-10) << seed;
    for (const Contact node : newton.nodes) {
      slipping += node == Contact::forward || node == Contact::backward;
      open += node == Contact::open;
    }
  }
  EXPECT_GT(slipping, 20);
  EXPECT_GT(open, 20);
}

// Many small increments approach the path; their error is of first order in the step.
TEST(Contact, small_increments_approach_the_path) {
  for (const std::uint64_t seed : {3u, 11u}) {
    const Problem problem = random_problem(8, seed);
    const auto loads = cycle(12, 3);
    const Result exact = run(problem, loads);
    ASSERT_EQ(exact.status, Status::ok) << exact.trouble;
    ASSERT_GT(exact.events, 15u);
    const auto error = [&](int cuts) {
      const State begin = [&] {
        Solver solver(problem);
        EXPECT_EQ(solver.preload(), Status::ok);
        return solver.state();
      }();
      Vector w = begin.w;
      std::vector<Contact> nodes = begin.nodes;
      double f = 0, worst = 0;
      for (std::size_t row = 0; row < loads.size(); ++row) {
        for (int k = 1; k <= cuts; ++k) {
          const double load = f + (loads[row] - f) * k / cuts;
          const Increment step = increment(problem, problem.g() + problem.b() * load, w, nodes);
          EXPECT_EQ(step.status, Status::ok);
          w = step.w;
          nodes = step.nodes;
        }
        f = loads[row];
        worst = std::max(worst, std::abs(problem.b().dot(w) - exact.xi[row]));
      }
      return worst;
    };
    const double coarse = error(8), fine = error(256);
    EXPECT_LT(fine, 2e-4 * std::abs(exact.xi[2]) + 0.1 * coarse) << coarse;
    EXPECT_LT(fine, 1e-3);
  }
}

TEST(Contact, the_path_does_not_depend_on_its_rows) {
  for (const std::uint64_t seed : {1u, 2u, 5u}) {
    const Problem problem = random_problem(10, seed);
    const std::vector<double> turns{2.5, -1.5, 1, 0.2, 3};
    std::vector<double> fine;
    double from = 0;
    for (const double turn : turns) {
      for (int i = 1; i <= 97; ++i) fine.push_back(from + (turn - from) * i / 97);
      from = turn;
    }
    const Result few = run(problem, turns), many = run(problem, fine);
    ASSERT_EQ(few.status, Status::ok) << few.trouble;
    ASSERT_EQ(many.status, Status::ok) << many.trouble;
    for (std::size_t i = 0; i < turns.size(); ++i) {
      EXPECT_NEAR(few.xi[i], many.xi[97 * (i + 1) - 1], 1e-11);
      EXPECT_NEAR(few.energy[i], many.energy[97 * (i + 1) - 1], 1e-11);
    }
  }
}

TEST(Contact, random_paths_are_admissible_and_balance_energy) {
  for (std::uint64_t seed = 20; seed < 40; ++seed) {
    const Problem problem = random_problem(7, seed);
    testing::Rng draw(seed);
    Solver solver(problem);
    ASSERT_EQ(solver.preload(), Status::ok);
    double before = 0;
    for (int row = 0; row < 30; ++row) {
      ASSERT_EQ(solver.advance(draw.uniform(-3, 3)), Status::ok) << solver.trouble();
      expect_admissible(problem, solver);
      EXPECT_GE(solver.dissipated(), before - 1e-13);
      before = solver.dissipated();
      EXPECT_LT(solver.energy_error(), 1e-12);
    }
  }
}

TEST(Contact, a_state_goes_on_as_if_it_had_not_been_interrupted) {
  const Problem problem = random_problem(9, 4);
  Solver whole(problem), again(problem);
  ASSERT_EQ(whole.preload(), Status::ok);
  for (const double f : {2.0, -1.0, 0.7}) ASSERT_EQ(whole.advance(f), Status::ok);
  again.start(whole.state());
  for (const double f : {1.5, -2.0, 0.3}) {
    ASSERT_EQ(whole.advance(f), Status::ok);
    ASSERT_EQ(again.advance(f), Status::ok);
    EXPECT_LT((whole.w() - again.w()).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(Contact, other_units_give_the_same_path) {
  const Problem one = random_problem(8, 6);
  const double force = 3e7, length = 1e-6;
  const Problem other(one.K() * (force / length), one.g() * force, one.b() * force, one.mu());
  const auto loads = cycle(40, 2.5);
  const Result a = run(one, loads), b = run(other, loads);
  ASSERT_EQ(a.status, Status::ok);
  ASSERT_EQ(b.status, Status::ok);
  EXPECT_EQ(a.events, b.events);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    EXPECT_NEAR(a.xi[i], b.xi[i] / (force * length), 1e-11);
    EXPECT_NEAR(a.energy[i], b.energy[i] / (force * length), 1e-11);
  }
}

// Slip that increases the contact force faster than the elastic force falls: K_tt − μK_nt < 0.
// There is no slow motion past the limit, and no state is returned.
TEST(Contact, a_jump_is_an_error_and_not_a_result) {
  const Problem problem(Matrix{{1, -0.9}, {-0.9, 1}}, Vector{{-1, 0}}, Vector{{0, 1}}, Vector{{2}});
  const Result result = run(problem, std::vector<double>{1.9, 2.5});
  EXPECT_EQ(result.xi.size(), 1u);
  EXPECT_EQ(result.status, Status::not_converged);
  EXPECT_NE(result.trouble.find("no motion meets contact and friction at the load 2"),
            std::string::npos)
      << result.trouble;
}

TEST(Contact, stretches_say_who_slips_when) {
  const Problem problem(Vector{{4, 5}}.asDiagonal(), Vector{{-2, 0}}, Vector{{0, 1}},
                        Vector{{0.5}});
  const Result result = run(problem, std::vector<double>{0, 2, 0, -1}, {.stretches = true});
  ASSERT_EQ(result.stretches.size(), 2u);
  EXPECT_EQ(result.stretches[0].contact, Contact::forward);
  EXPECT_NEAR(result.stretches[0].begin, 0.5, 1e-15);
  EXPECT_NEAR(result.stretches[0].end, 1, 1e-15);
  EXPECT_EQ(result.stretches[1].contact, Contact::backward);
  EXPECT_NEAR(result.stretches[1].begin, 2, 1e-15);
  EXPECT_NEAR(result.stretches[1].end, 3, 1e-15);
}

TEST(Contact, says_which_entry_is_wrong) {
  const Vector two = Vector::Ones(2), mu = Vector::Constant(1, 0.3);
  const auto message = [&](const Matrix& K, const Vector& b, const Vector& m) {
    return testing::message_of([&] { Problem(K, {}, b, m); });
  };
  EXPECT_EQ(message(Matrix{{1, 0.5}, {0.4, 1}}, two, mu),
            "contact.K is not symmetric: row 1, column 2 is 0.5, and its counterpart is 0.4");
  EXPECT_EQ(message(Matrix::Identity(2, 2), two, -mu),
            "contact.mu, entry 1 = -0.3 must not be negative");
  EXPECT_EQ(message(Matrix::Identity(2, 2), Vector::Ones(3), mu),
            "contact.b has 3 entries; it must have 2");
  EXPECT_EQ(message(Matrix::Identity(3, 3), two, mu),
            "contact.K is 3 by 3; 1 pairs of points need 2 by 2");
}

}  // namespace solver_test
}  // namespace microslip::contact
