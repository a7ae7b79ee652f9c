#include "microslip/models/zonotope.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/models/m_state.hpp"

namespace microslip {
namespace zonotope_test {

using Law = Zonotope<double>;
using Params = Law::Params;

Params random_params(Eigen::Index m, Eigen::Index n, unsigned seed, bool unit_K) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto draw = [&](Eigen::Index rows, Eigen::Index columns) {
    Matrix<double> B(rows, columns);
    for (Eigen::Index i = 0; i < B.size(); ++i) B.data()[i] = normal(random);
    return B;
  };
  Params p;
  p.generators = draw(m, n);
  const Matrix<double> B = draw(m, m);
  p.K = Matrix<double>::Identity(m, m);
  if (!unit_K) p.K = B * B.transpose() + 0.5 * p.K;
  p.b.clear();
  for (Eigen::Index i = 0; i < m; ++i) p.b.push_back(normal(random));
  return p;
}

double support(const Matrix<double>& G, const Eigen::VectorXd& eta) {
  return (G.transpose() * eta).cwiseAbs().sum();
}

// What defines the path, tested apart from how it was found: s stays in Z, and between kinks each
// slip is in the normal cone, sᵀΔq = h_Z(Δq), which is also the energy lost. Only one path does so.
TEST(Zonotope, obeys_its_flow_rule) {
  for (const Eigen::Index m : {1, 2, 3, 6, 14})  // 14 states need more room than the stack has
    for (const Eigen::Index n : {m, 2 * m, Eigen::Index(60)}) {
      const Params p = random_params(m, n, static_cast<unsigned>(10 * m + n), true);
      const Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(p.b.data(), m);
      const Law law(p);
      std::mt19937 random(1);
      std::normal_distribution<double> normal;
      auto state = law.rest();
      const double yield = law.next_kink(state, 1);
      int slips = 0;
      for (int leg = 0; leg < 12; ++leg) {
        const double target = 3 * yield * normal(random);
        const int d = target > state.u ? 1 : -1;
        while (d * (target - state.u) > 0) {
          const auto before = state;
          const double kink = law.next_kink(state, d);
          ASSERT_GT(d * (kink - state.u), 0);
          const auto reply = law.step(state, d * (kink - target) < 0 ? kink : target, state);
          ASSERT_EQ(reply.status, Status::ok);
          const Eigen::VectorXd q0 = Eigen::Map<const Eigen::VectorXd>(before.q.data(), m);
          const Eigen::VectorXd q1 = Eigen::Map<const Eigen::VectorXd>(state.q.data(), m);
          const Eigen::VectorXd s = b * state.u - q1;
          const double size = p.generators.cwiseAbs().sum();
          for (int i = 0; i < 20; ++i) {
            Eigen::VectorXd eta(m);
            for (Eigen::Index k = 0; k < m; ++k) eta[k] = normal(random);
            ASSERT_LE(eta.dot(s), support(p.generators, eta) + 1e-12 * size);
          }
          const double friction = support(p.generators, q1 - q0);
          ASSERT_NEAR(s.dot(q1 - q0), friction, 1e-11 * size * (1 + friction));
          ASSERT_NEAR(reply.dissipated, friction, 1e-11 * size * (1 + friction));
          if (friction > 0) ++slips;
        }
      }
      EXPECT_GT(slips, 5);
    }
}

// All sliders slip: s = Σ g_j sgn(g_jᵀK⁻¹b).
TEST(Zonotope, saturates_in_a_corner) {
  for (const Eigen::Index m : {1, 2, 5}) {
    const Params p = random_params(m, 40, static_cast<unsigned>(m), false);
    const Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(p.b.data(), m);
    const Eigen::VectorXd v = p.K.ldlt().solve(b);
    const double gap = support(p.generators, v);  // vᵀs
    const Law law(p);
    auto state = law.rest();
    for (const double u : {1e4, -1e4}) {
      const auto reply = law.step(state, u, state);
      EXPECT_NEAR(reply.force, v.dot(b) * u - std::copysign(gap, u), 1e-9 * (1 + v.dot(b)));
      EXPECT_NEAR(reply.tangent, v.dot(b), 1e-11 * v.dot(b));
      EXPECT_TRUE(std::isinf(law.next_kink(state, u > 0 ? 1 : -1)));
    }
  }
}

// With one mode: a slider of limit Σ|g_j| beside a spring, ξ = play_φ(b u)·b/K.
TEST(Zonotope, in_one_dimension_is_a_play) {
  Params p;
  p.generators = Eigen::RowVector3d(0.5, -0.2, 0.1);
  p.K = Matrix<double>::Constant(1, 1, 2);
  p.b = {0.7};
  const Law law(p);
  auto state = law.rest();
  double play = 0;
  for (const double u : {1., 2., 1.5, -0.2, -3., 0.4, 5., 4.9}) {
    play = std::max(0.7 * u - 0.8, std::min(0.7 * u + 0.8, play));
    EXPECT_NEAR(law.step(state, u, state).force, play * 0.7 / 2, 1e-14);
  }
}

/// Largest difference between a disc of n generators and the law of a round disc.
double off_the_disc(int n) {
  Params p;
  p.generators.resize(2, n);
  for (int j = 0; j < n; ++j)  // Σ |cos| over the half circle is 2n/π
    p.generators.col(j) =
        Eigen::Vector2d(std::cos(pi * j / n), std::sin(pi * j / n)) * pi / (2 * n);
  p.K = Eigen::Vector2d(1, 4).asDiagonal();
  p.b = {0.8, 0.9};
  const Law law(p, {.output = Law::Output::u_bq});
  // In coordinates where K = I: A = diag(1, 1/4), b = (0.8, 0.45).
  const MState<double> disc({.a = {1, 0.25}, .alpha = 1, .b = {0.8, 0.45}, .ks = 0});
  auto state = law.rest();
  auto s = disc.rest();
  double most = 0;
  for (const double u : {2., 1., 4., -3., -1., 0.5, -6.})
    most = std::max(most, std::abs(law.step(state, u, state).force - disc.step(s, u, s).force));
  return most;
}

// Many short generators round a disc: the law tends to m-state. The angle between two of them is
// π/n, so the error falls at least like 1/n.
TEST(Zonotope, a_disc_of_many_generators_tends_to_the_m_state_law) {
  const double coarse = off_the_disc(100), fine = off_the_disc(1600);
  EXPECT_LT(coarse, 1e-2);
  EXPECT_LT(fine, coarse / 15);
}

TEST(Zonotope, does_not_depend_on_the_cutting_of_the_path) {
  const Params p = random_params(4, 80, 9, false);
  const Law law(p);
  std::mt19937 random(9);
  auto whole = law.rest();
  auto cut = law.rest();
  const double yield = law.next_kink(whole, 1);
  double before = 0, lost_whole = 0, lost_cut = 0;
  for (int leg = 0; leg < 60; ++leg) {
    const double u = 5 * yield * std::sin(1.7 * leg) * std::cos(0.3 * leg);
    lost_whole += law.step(whole, u, whole).dissipated;
    const int pieces = 1 + static_cast<int>(random() % 40);
    for (int i = 1; i <= pieces; ++i)
      lost_cut +=
          law.step(cut, i == pieces ? u : before + (u - before) * i / pieces, cut).dissipated;
    before = u;
    ASSERT_NEAR(cut.f, whole.f, 1e-11 * (1 + std::abs(whole.f)));
    ASSERT_NEAR(lost_cut, lost_whole, 1e-11 * (1 + lost_whole));
  }
}

// A slider that the modes do not move: its row of the modes is rounding.
TEST(Zonotope, a_generator_of_rounding_size_does_not_stall_the_walk) {
  Params p = random_params(3, 20, 5, false);
  const Law without(p);
  p.generators.conservativeResize(3, 21);
  p.generators.col(20) << 3e-47, -1e-47, 2e-48;
  const Law with(p);
  auto s = with.rest();
  auto t = without.rest();
  for (const double u : {3., -2., 5., 1., 6., -8., 30.}) {
    const auto reply = with.step(s, u, s);
    EXPECT_EQ(reply.status, Status::ok);
    EXPECT_NEAR(reply.force, without.step(t, u, t).force, 1e-12);
  }
}

TEST(Zonotope, refuses_what_does_not_fit) {
  const auto message = [](const Params& p) -> std::string {
    try {
      Law{p};
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  Params p;
  p.generators.resize(3, 4);
  p.generators.setOnes();
  EXPECT_EQ(message(p), "zonotope.generators has 3 rows; with 2 states it must have 2");
  p.generators.resize(2, 4);
  p.generators.setOnes();
  EXPECT_EQ(message(p),
            "zonotope.generators must span all 2 dimensions, or some slip would meet no friction");
  p = {};
  p.b = {0, 0};
  EXPECT_EQ(message(p), "zonotope.b = 0 must have an element different from 0");
}

}  // namespace zonotope_test
}  // namespace microslip
