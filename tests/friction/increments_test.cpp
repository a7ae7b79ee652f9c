#include <gtest/gtest.h>

#include "cases.hpp"

/// Lemke, active set and event against each other: three methods that share nothing but the system.
namespace microslip::friction::testing {
namespace increments_test {

TEST(Increments, lemke_and_active_set_agree) {
  // Up to 100 here; 500 is in slow_large_test.cpp.
  for (const Index n : {1, 2, 3, 5, 8, 13, 21, 34, 55, 100}) {
    const System system = random_system(n, base_seed() + std::uint64_t(n));
    const auto f = two_frequencies(n > 50 ? 12 : 30);
    const Result a = run(system, f, {.method = Method::active_set});
    const Result b = run(system, f, {.method = Method::lemke});
    ASSERT_EQ(a.status, Status::ok);
    ASSERT_EQ(b.status, Status::ok);
    const double scale = std::max(1.0, range(a.xi));
    EXPECT_LT(largest_difference(a.xi, b.xi), 1e-9 * scale) << "n = " << n;
    EXPECT_LT(largest_difference(a.energy, b.energy), 1e-9 * scale) << "n = " << n;
    EXPECT_LT((a.end.x - b.end.x).lpNorm<Eigen::Infinity>(), 1e-9 * scale);
    EXPECT_LT(beyond_limits(system, a.end), 1e-11);
    EXPECT_EQ(a.events, b.events);
  }
}

TEST(Increments, converge_to_event_at_first_order) {
  // Sliders that stick again on the way make increments first order: half the step, half the
  // error. One system alone is erratic, so the errors of several are added.
  std::vector<double> errors;
  for (const int rows : {50, 100, 200, 400, 800}) {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const System system = random_system(40, seed);
      const auto f = two_frequencies(rows);
      const Result exact = run(system, f);
      const Result steps = run(system, f, {.method = Method::active_set});
      sum += largest_difference(exact.xi, steps.xi) / range(exact.xi);
    }
    errors.push_back(sum);
  }
  const double order = std::log2(errors.front() / errors.back()) / 4;
  EXPECT_GT(order, 0.7);
  EXPECT_LT(order, 1.5);
  EXPECT_GT(errors.back(), 1e-6);  // there is an error to speak of
}

TEST(Increments, are_exact_for_networks_pulled_one_way) {
  Rng rng(base_seed());
  for (int k = 0; k < 12; ++k) {
    const System system = random_network(rng, 2 + 3 * k);
    ASSERT_TRUE(system.monotone());
    const auto f = random_turns(rng, 40, 4);
    // log_slips keeps `event` from using the short cut, so that it goes from event to event.
    const Result path = run(system, f, {.log_slips = true});
    const Result jumps = run(system, f);
    const Result steps = run(system, f, {.method = Method::active_set});
    const double scale = std::max(1.0, range(path.xi));
    EXPECT_LT(largest_difference(path.xi, steps.xi), 1e-9 * scale);
    EXPECT_LT(largest_difference(path.xi, jumps.xi), 1e-9 * scale);
    EXPECT_LT(largest_difference(path.energy, jumps.energy), 1e-9 * scale);
    EXPECT_EQ(path.events, jumps.events);
    if (system.size() > 12) continue;
    const Result lemke = run(system, f, {.method = Method::lemke});
    EXPECT_LT(largest_difference(path.xi, lemke.xi), 1e-9 * scale);
  }
}

TEST(Increments, sparse_tridiagonal_and_dense_solvers_agree) {
  Rng rng(base_seed() + 1);
  const Index n = 30;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (Index i = 0; i < n; ++i) K(i, i) = rng.uniform(2.1, 3);
  for (Index i = 0; i + 1 < n; ++i) K(i, i + 1) = K(i + 1, i) = rng.uniform(-1, 1);
  const Vector mu = Vector::NullaryExpr(n, [&](Index) { return rng.uniform(0.1, 1); });
  const Vector b = Vector::NullaryExpr(n, [&](Index) { return rng.uniform(-1, 1); });
  const System band(K, mu, b);
  ASSERT_EQ(band.sparsity(), Sparsity::tridiagonal);
  // The same sliders in another order are no longer neighbours: the sparse factor.
  std::vector<Index> order(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) order[std::size_t(i)] = (7 * i) % n;
  const System mixed(K(order, order), mu(order), b(order));
  ASSERT_EQ(mixed.sparsity(), Sparsity::sparse);
  const auto f = random_turns(rng, 60, 5);
  for (const Method method : {Method::event, Method::active_set}) {
    const Result one = run(band, f, {.method = method});
    const Result other = run(mixed, f, {.method = method});
    EXPECT_LT(largest_difference(one.xi, other.xi), 1e-11);
    EXPECT_LT(largest_difference(one.energy, other.energy), 1e-11);
  }
  // Nearly the same stiffness, filled with entries too small to matter: the dense factor.
  const System full(K + Eigen::MatrixXd::Constant(n, n, 1e-14), mu, b);
  ASSERT_EQ(full.sparsity(), Sparsity::dense);
  EXPECT_LT(largest_difference(run(band, f).xi, run(full, f).xi), 1e-9);
}

// A square of sliders that pull at their neighbours, pulled both ways: sliders stick again all the
// time, and many more change than the sparse factor takes before it is made anew. Without springs
// to the ground K is semidefinite, and b, of sum zero, keeps the whole in place.
TEST(Increments, a_sparse_square_moves_as_the_same_dense_one) {
  constexpr int side = 12, n = side * side;
  for (const double ground : {0.1, 0.0}) {
    Rng rng(base_seed());
    Eigen::MatrixXd K = ground * Eigen::MatrixXd::Identity(n, n);
    const auto link = [&](Index i, Index j) {
      const double k = rng.uniform(0.5, 1.5);
      K(i, i) += k;
      K(j, j) += k;
      K(i, j) = K(j, i) = -k;
    };
    for (Index i = 0; i < n; ++i) {
      if ((i + 1) % side != 0) link(i, i + 1);
      if (i + side < n) link(i, i + side);
    }
    Vector mu(n), b(n);
    for (Index i = 0; i < n; ++i) {
      mu[i] = rng.uniform(0.5, 1.5);
      b[i] = rng.uniform(-1, 1);
    }
    b.array() -= b.mean();
    const System sparse(K, mu, b), dense(K + Eigen::MatrixXd::Constant(n, n, 1e-20), mu, b);
    ASSERT_EQ(sparse.sparsity(), Sparsity::sparse);
    ASSERT_EQ(dense.sparsity(), Sparsity::dense);
    const auto turns = random_turns(rng, 20, 8);
    for (const Method method : {Method::event, Method::active_set}) {
      SolverOptions options;
      options.method = method;
      const Result one = run(dense, turns, options), other = run(sparse, turns, options);
      ASSERT_EQ(one.status, Status::ok);
      ASSERT_EQ(other.status, Status::ok);
      EXPECT_GT(one.events, 5 * n);
      EXPECT_LT(largest_difference(one.xi, other.xi), 1e-11 * range(one.xi)) << ground;
      EXPECT_NEAR(other.energy.back(), one.energy.back(), 1e-11 * one.energy.back()) << ground;
    }
  }
}

TEST(Increments, active_set_goes_on_from_a_state) {
  const System system = random_system(25, 3);
  const auto f = two_frequencies(40);
  const Result whole = run(system, f, {.method = Method::active_set});
  const std::span<const double> all(f);
  const Result head = run(system, all.first(17), {.method = Method::active_set});
  const Result tail = run(system, head.end, all.subspan(17), {.method = Method::active_set});
  EXPECT_NEAR(tail.xi.back(), whole.xi.back(), 1e-12 * range(whole.xi));
  EXPECT_NEAR(head.energy.back() + tail.energy.back(), whole.energy.back(), 1e-11);
}

}  // namespace increments_test
}  // namespace microslip::friction::testing
