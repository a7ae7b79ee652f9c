#include "microslip/contact/matrix_joint.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/friction/solver.hpp"
#include "support/message_of.hpp"
#include "support/random.hpp"

namespace microslip::contact {
namespace matrix_joint_test {

std::vector<double> cycles(double amplitude, int rows = 40, int count = 2) {
  std::vector<double> u;
  for (int i = 0; i <= rows * count; ++i) u.push_back(amplitude * std::sin(2 * pi * i / rows));
  return u;
}

SparseMatrix sparse(const Matrix& dense) { return dense.sparseView(); }

/// Springs in three directions: ground – k1 – node A (rows 0–2) and node B (rows 3–5) – k2 – node C
/// (rows 6–8). A and B are the pair, C is driven along a direction of the plane.
struct Chain {
  double k1 = 3, k2 = 2, normal = 50;
  MatrixJointInput input(double angle) const {
    Matrix K = Matrix::Zero(9, 9);
    for (Index k = 0; k < 3; ++k) {
      const double a = k == 2 ? normal : k1, b = k == 2 ? normal : k2;
      K(k, k) += a;
      K(3 + k, 3 + k) += b;
      K(6 + k, 6 + k) += b;
      K(3 + k, 6 + k) -= b;
      K(6 + k, 3 + k) -= b;
    }
    // C moves along (cos, sin): its rows turned into that direction.
    Matrix turn = Matrix::Identity(9, 9);
    turn(6, 6) = turn(7, 7) = std::cos(angle);
    turn(7, 6) = std::sin(angle);
    turn(6, 7) = -std::sin(angle);
    MatrixJointInput in;
    in.K = sparse(turn.transpose() * K * turn);
    in.pairs = {{.from = {0, 1, 2},
                 .to = {3, 4, 5},
                 .normal = {0, 0, 1},
                 .mu = 0.3,
                 .force = 2,
                 .name = "pair 1"}};
    in.driven = {6};
    in.held = {7, 8};
    return in;
  }
};

// A spring and a slider in series: stiffness k1 k2/(k1 + k2), limit μP = 0.6.
double jenkins_force(double k, double limit, double& anchor, double u) {
  const double trial = k * (u - anchor);
  if (std::abs(trial) <= limit) return trial;
  anchor = u - std::copysign(limit / k, trial);
  return std::copysign(limit, trial);
}

TEST(MatrixJoint, a_pair_between_springs_is_a_jenkins_element_in_any_direction_of_the_plane) {
  const Chain chain;
  const double k = 1 / (1 / chain.k1 + 1 / chain.k2), limit = 0.6;
  const auto u = cycles(1);
  for (const double angle : {0.0, 0.5, 2.0}) {
    const MatrixJoint joint(chain.input(angle));
    ASSERT_TRUE(joint.planar());
    EXPECT_NEAR(joint.condensed().c0(), k, 1e-12);
    const PlanarResult run = contact::run(joint.planar_problem(false), u, 1);
    ASSERT_EQ(run.status, Status::ok) << run.trouble;
    double anchor = 0, loss = 0, before = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double f = jenkins_force(k, limit, anchor, u[i]);
      loss += limit * std::abs(anchor - before);
      before = anchor;
      EXPECT_NEAR(joint.condensed().c0() * u[i] - run.xi[i], f, 1e-9) << angle << " row " << i;
      EXPECT_NEAR(run.energy[i], loss, 1e-9);
    }
  }
}

TEST(MatrixJoint, with_one_direction_of_slip_it_is_a_system_of_sliders) {
  Chain chain;
  MatrixJointInput in = chain.input(0);
  in.slip = {1, 0, 0};
  const MatrixJoint joint(in);
  ASSERT_FALSE(joint.planar());
  const TiedInterface tied = joint.tied();
  const auto u = cycles(1);
  const friction::Result run = friction::run(tied.system, u);
  double anchor = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    EXPECT_NEAR(tied.c0 * u[i] - run.xi[i], jenkins_force(1.2, 0.6, anchor, u[i]), 1e-12);
}

// A block pushed against the ground through a spring k: it moves freely until the gap is closed,
// then f = k (u − gap). Row 0 is the block, row 1 the driven end; a weak spring c holds the block.
TEST(MatrixJoint, a_gap_closes) {
  const double k = 5, c = 1e-3, gap = 0.2;
  MatrixJointInput in;
  in.K = sparse((Matrix(2, 2) << k + c, -k, -k, k).finished());
  // The ground lies in the direction −x of the block.
  in.pairs = {{.from = {-1, -1, -1},
               .to = {0, -1, -1},
               .normal = {1, 0, 0},
               .mu = 0.3,
               .gap = gap,
               .name = "pair 1"}};
  in.driven = {1};
  const MatrixJoint joint(in);
  const Problem problem = joint.problem();
  const std::vector<double> u{-0.1, -0.2, -0.3, -0.5, -0.1, 0.3};
  const Result run = contact::run(problem, u);
  ASSERT_EQ(run.status, Status::ok) << run.trouble;
  const double together = k * c / (k + c);
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double block = k * u[i] / (k + c);
    const double f = block > -gap ? together * u[i] : k * (u[i] + gap);
    EXPECT_NEAR(joint.force(u[i], run.xi[i]), f, 1e-12) << u[i];
  }
}

/// A definite stiffness of n pairs whose second tangents are coupled to nothing.
struct Random {
  Index n;
  Matrix K;  // normal, tangential
  Vector g, b, mu;
  Random(Index size, std::uint64_t seed) : n(size), g(2 * n), b(2 * n), mu(n) {
    testing::Rng draw(seed);
    const Matrix A =
        Matrix::NullaryExpr(2 * n, 2 * n, [&](Index, Index) { return draw.uniform(-1, 1); });
    K = Matrix::Identity(2 * n, 2 * n) + 0.3 / double(n) * (A * A.transpose());
    for (Index i = 0; i < n; ++i) {
      g[2 * i] = -draw.uniform(0, 1);
      g[2 * i + 1] = draw.uniform(-0.2, 0.2);
      b[2 * i] = draw.uniform(-0.4, 0.6);
      b[2 * i + 1] = draw.uniform(-1, 1);
      mu[i] = draw.uniform(0, 0.6);
    }
  }
  PlanarProblem planar() const {
    PlanarProblem p;
    p.K = Matrix::Identity(3 * n, 3 * n);
    p.g = p.b = Vector::Zero(3 * n);
    p.mu = mu;
    for (Index i = 0; i < n; ++i)
      for (const Index a : {0, 1}) {
        p.g[3 * i + a] = g[2 * i + a];
        p.b[3 * i + a] = b[2 * i + a];
        for (Index j = 0; j < n; ++j)
          for (const Index c : {0, 1}) p.K(3 * i + a, 3 * j + c) = K(2 * i + a, 2 * j + c);
      }
    return p;
  }
};

// Where slip cannot turn, increments approach the exact path as they become smaller. The two
// methods share nothing but the problem.
TEST(MatrixJoint, increments_approach_the_exact_path_of_unilateral_contact) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Random random(6, seed);
    const Problem exact(random.K, random.g, random.b, random.mu);
    const auto f = cycles(1, 20, 1);
    const Result path = contact::run(exact, f);
    ASSERT_EQ(path.status, Status::ok) << path.trouble;
    ASSERT_GT(path.energy.back(), 0);
    double before = 0;
    for (const int increments : {4, 64}) {
      const PlanarResult run = contact::run(random.planar(), f, increments);
      ASSERT_EQ(run.status, Status::ok) << run.trouble;
      double error = 0;
      for (std::size_t i = 0; i < f.size(); ++i)
        error = std::max(error, std::abs(run.energy[i] - path.energy[i]));
      if (increments == 64) {
        EXPECT_LT(error, 2e-3 * path.energy.back()) << seed;
        EXPECT_LT(error, 0.3 * before + 1e-9) << seed;
      }
      before = error;
    }
  }
}

// A disc knows no direction: turning the tangents of all pairs together changes nothing.
TEST(MatrixJoint, friction_in_the_plane_is_isotropic) {
  const Random random(4, 9);
  const PlanarProblem plain = random.planar();
  PlanarProblem turned = plain;
  Matrix R = Matrix::Identity(12, 12);
  for (Index i = 0; i < 4; ++i) {
    const double angle = 0.3 + 0.5 * double(i);
    R(3 * i + 1, 3 * i + 1) = R(3 * i + 2, 3 * i + 2) = std::cos(angle);
    R(3 * i + 2, 3 * i + 1) = std::sin(angle);
    R(3 * i + 1, 3 * i + 2) = -std::sin(angle);
  }
  turned.K = R * plain.K * R.transpose();
  turned.g = R * plain.g;
  turned.b = R * plain.b;
  const auto f = cycles(1, 20, 1);
  const PlanarResult one = contact::run(plain, f, 4), other = contact::run(turned, f, 4);
  ASSERT_EQ(other.status, Status::ok) << other.trouble;
  for (std::size_t i = 0; i < f.size(); ++i) EXPECT_NEAR(one.xi[i], other.xi[i], 1e-8);
}

TEST(MatrixJoint, says_what_is_wrong) {
  const Chain chain;
  const auto message = [](const MatrixJointInput& in) {
    return testing::message_of([&] { MatrixJoint joint(in); });
  };
  const auto expect = [&](const MatrixJointInput& in, const std::string& part) {
    EXPECT_NE(message(in).find(part), std::string::npos) << message(in);
  };
  MatrixJointInput in = chain.input(0);
  in.K.coeffRef(0, 1) = 1;
  expect(in, "the stiffness is not symmetric: between row 2 and row 1 stands 0");
  in = chain.input(0);
  in.pairs[0].gap = -0.1;
  expect(in, "pair 1: gap = -0.1 must not be negative");
  in = chain.input(0);
  in.pairs.push_back(in.pairs[0]);
  in.pairs[1].name = "pair 2";
  expect(in, "pair 2 and pair 1 share a node");
  in = chain.input(0);
  in.driven = {3};
  expect(in, "is driven and belongs to pair 1");
  in = chain.input(0);
  in.driven.clear();
  expect(in, "no degree of freedom is driven");
  in = chain.input(0);
  in.pairs.clear();
  expect(in, "no pair of nodes");
  in = chain.input(0);
  in.slip = {0, 0, 1};
  expect(in, "contact.slip must not be parallel to its normal");
  in = chain.input(0);
  in.held = {2, 5, 7, 8};
  expect(in, "neither node can move");
  in = chain.input(0);
  in.K = sparse(Matrix::Zero(9, 9));
  expect(in, "not positive definite");
}

}  // namespace matrix_joint_test
}  // namespace microslip::contact
