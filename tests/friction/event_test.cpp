#include <gtest/gtest.h>

#include "cases.hpp"

namespace microslip::friction::testing {
namespace event_test {

TEST(Event, one_slider_is_a_play_operator) {
  // x = (f ∓ ρ)·b/K with ρ = μ/b: slides up from f = ρ, sticks after a reversal over 2ρ.
  const System system(Eigen::MatrixXd::Constant(1, 1, 2.0), Vector::Constant(1, 0.6),
                      Vector::Constant(1, 3.0));
  const std::vector<double> f{0.1, 0.2, 1.0, 0.7, 0.6, -1.0, 0.0};
  const Result result = run(system, f, {.log_slips = true}, {.slips = true});
  const double rho = 0.2, w = 9.0 / 2;  // ξ = (b²/K) play
  const double up = w * (1 - rho);
  EXPECT_LT(largest_difference(result.xi, {0, 0, up, up, up, -up, -w * rho}), 1e-14);
  // Σ μ|Δx|: the play goes up by 0.8, down by 1.6, up by 0.6, and x is 3/2 of it.
  EXPECT_NEAR(result.energy.back(), 0.6 * 1.5 * (0.8 + 1.6 + 0.6), 1e-14);
  EXPECT_EQ(result.events, 3u);
  ASSERT_EQ(result.slips.size(), 3u);
  EXPECT_NEAR(result.slips[0].begin, 1, 1e-12);  // at f = ρ, which is row 1
  EXPECT_NEAR(result.slips[0].end, 2, 1e-12);
  EXPECT_EQ(result.slips[0].direction, 1);
  EXPECT_NEAR(result.slips[1].begin, 4, 1e-12);  // at f = 1 − 2ρ, which is row 4
  EXPECT_EQ(result.slips[1].direction, -1);
  EXPECT_NEAR(result.slips[2].begin, 5.4, 1e-12);  // at f = −1 + 2ρ
  EXPECT_EQ(result.end.side[0], 1);
}

TEST(Event, the_rows_of_a_history_leave_no_trace) {
  const System system = random_system(60, 5);
  const std::vector<double> turns{1.1, -0.7, 0.9, -1.2, 1.0};
  const Result few = run(system, turns);
  std::vector<double> fine;
  double before = 0;
  for (const double turn : turns) {
    for (int i = 1; i <= 97; ++i) fine.push_back(before + (turn - before) * i / 97);
    fine.back() = before = turn;
  }
  const Result many = run(system, fine);
  EXPECT_EQ(few.xi.back(), many.xi.back());  // the same bits: rows are read off, not stepped to
  EXPECT_EQ(few.energy.back(), many.energy.back());
  EXPECT_EQ(few.events, many.events);
}

TEST(Event, work_is_stored_or_lost) {
  // Between events ξ is linear in f, so with a row at each event the trapezoid rule is exact.
  const System system = random_system(30, 7);
  const auto solver = make_solver(system);
  solver->start(rest(system));
  double work = 0, f = 0, xi = 0;
  for (const double turn : {1.0, -0.8, 1.3}) {
    const int d = turn > f ? 1 : -1;
    while (f != turn) {
      const double kink = next_event(system, solver->state(), d);
      const double next = d * (kink - turn) < 0 ? kink : turn;
      const Step step = solver->advance(next);
      ASSERT_EQ(step.status, Status::ok);
      work += 0.5 * (f + next) * (step.xi - xi);
      f = next;
      xi = step.xi;
    }
  }
  const double stored = system.elastic_energy(solver->x());
  EXPECT_GT(solver->dissipated(), 1);
  EXPECT_NEAR(work, stored + solver->dissipated(), 1e-11 * work);
}

TEST(Event, tangent_is_the_slope_of_the_output) {
  const System system = random_system(20, 9);
  const auto solver = make_solver(system);
  solver->start(rest(system));
  EXPECT_EQ(solver->tangent(), 0);  // nobody slips yet
  solver->advance(0.9);
  const double slope = solver->tangent(), xi = solver->xi();
  const double kink = next_event(system, solver->state(), 1);
  ASSERT_GT(kink, 0.9);
  const double h = 0.5 * std::min(1e-3, kink - 0.9);
  EXPECT_NEAR((solver->advance(0.9 + h).xi - xi) / h, slope, 1e-9 * slope);
}

TEST(Event, two_equal_systems_side_by_side_give_twice) {
  // Every event is a tie of two.
  const System one = random_system(15, 11);
  const Index n = one.size();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  K.topLeftCorner(n, n) = K.bottomRightCorner(n, n) = one.dense();
  Vector mu(2 * n), b(2 * n);
  mu << one.mu(), one.mu();
  b << one.b(), one.b();
  const System two(K, mu, b);
  const auto f = two_frequencies(50);
  const Result single = run(one, f), twice = run(two, f);
  ASSERT_EQ(twice.status, Status::ok);
  for (std::size_t i = 0; i < f.size(); ++i)
    EXPECT_NEAR(twice.xi[i], 2 * single.xi[i], 1e-11 * range(single.xi));
  EXPECT_EQ(twice.events, 2 * single.events);
}

TEST(Event, sliders_that_cannot_be_told_apart_move_together) {
  // K = I + 11ᵀ, equal μ and b: x_i = x for all, (1 + n) x = f ∓ μ.
  for (const Index n : {2, 7, 40}) {
    const Eigen::MatrixXd K = Eigen::MatrixXd::Identity(n, n) + Eigen::MatrixXd::Ones(n, n);
    const System system(K, Vector::Constant(n, 0.3), Vector::Ones(n));
    const Result result = run(system, std::vector{2.0, 1.0, -2.0});
    ASSERT_EQ(result.status, Status::ok);
    const double factor = double(n) / double(n + 1);
    EXPECT_NEAR(result.xi[0], factor * 1.7, 1e-13);
    EXPECT_NEAR(result.xi[1], factor * 1.3, 1e-13);
    EXPECT_NEAR(result.xi[2], -factor * 1.7, 1e-13);
    EXPECT_EQ(result.events, 2 * std::size_t(n));
  }
}

TEST(Event, sliders_without_load_are_dragged_or_stay) {
  // The second slider has no load of its own and hangs on the first by a spring of stiffness 1:
  // it follows once that spring carries its μ. The third is alone and never moves.
  const Eigen::MatrixXd K = (Eigen::MatrixXd(3, 3) << 2, -1, 0, -1, 1, 0, 0, 0, 1).finished();
  const System system(K, Vector::Constant(3, 0.5), (Vector(3) << 1, 0, 0).finished());
  const Result result = run(system, std::vector{1.5, 3.0});
  // First alone: 2 x1 = f − 0.5, so at f = 1.5 x1 = 0.5 and the spring is at the limit of slider 2.
  EXPECT_NEAR(result.xi[0], 0.5, 1e-14);
  // Then x2 = x1 − 0.5 and 2 x1 − x2 = f − 0.5: x1 = f − 1.
  EXPECT_NEAR(result.xi[1], 2.0, 1e-14);
  EXPECT_NEAR(result.end.x[1], 1.5, 1e-14);
  EXPECT_EQ(result.end.x[2], 0);
}

TEST(Event, a_floating_part_is_named) {
  // Sliders 1 and 2 hang together and on nothing else; slider 3 has a spring to the ground.
  const Eigen::MatrixXd K = (Eigen::MatrixXd(3, 3) << 1, -1, 0, -1, 1, 0, 0, 0, 1).finished();
  const System system(K, (Vector(3) << 0.25, 0.75, 1).finished(),
                      (Vector(3) << 1, 0, 0.1).finished());
  // Both slip at f = 0.25 + 0.75.
  const std::vector<double> f{0.9, 0.999, 1.25};
  for (const Method method : {Method::event, Method::active_set, Method::lemke}) {
    const Result result = run(system, f, {.method = method});
    EXPECT_EQ(result.status, Status::macroslip) << text_of(method);
    EXPECT_EQ(result.xi.size(), 2u) << text_of(method);
    // x1 = f − 0.25 while slider 2 sticks.
    EXPECT_NEAR(result.xi[1], 0.749, 1e-12) << text_of(method);
    EXPECT_EQ(result.end.f, 0.999);
    EXPECT_TRUE(result.trouble.starts_with("sliders 1–2 slide as a whole")) << result.trouble;
  }
  const Result creeping = run(system, f, {.method = Method::regularised});
  EXPECT_EQ(creeping.status, Status::macroslip);
  EXPECT_TRUE(creeping.trouble.starts_with("sliders 1–2 slide as a whole")) << creeping.trouble;
  EXPECT_EQ(run(system, std::vector{-0.9, 0.9, -0.9, 0.3}).status, Status::ok);
}

TEST(Event, a_slider_without_a_spring_floats_by_itself) {
  const System system(Eigen::MatrixXd::Zero(1, 1), Vector::Ones(1), Vector::Ones(1));
  const Result result = run(system, std::vector{0.5, -1.0, 1.0, 1.5});
  EXPECT_EQ(result.status, Status::macroslip);
  EXPECT_EQ(result.xi, (std::vector{0.0, 0.0, 0.0}));
}

TEST(Event, long_histories_do_not_drift) {
  const System system = random_system(25, 13);
  Rng rng(base_seed());
  Result result = run(system, random_turns(rng, 3000, 1.5));
  ASSERT_EQ(result.status, Status::ok);
  EXPECT_GT(result.events, 20000u);
  EXPECT_LT(beyond_limits(system, result.end), 1e-12);
  // The slipping sliders are still at their limits, as the law says.
  const Vector r = system.b() * result.end.f - system.times(result.end.x);
  for (Index i = 0; i < system.size(); ++i)
    if (result.end.side[std::size_t(i)] != 0) {
      EXPECT_NEAR(std::abs(r[i]), system.mu()[i], 1e-12 * system.mu()[i]);
    }
  // Under a periodic load the response is periodic after the first reversals of the largest size.
  std::vector<double> periodic;
  for (int cycle = 0; cycle < 400; ++cycle)
    periodic.insert(periodic.end(), {2.0, 0.3, 1.1, -2.0, -0.5});
  const Result steady = run(system, result.end, periodic);
  const double early = steady.xi[5 * 10], late = steady.xi[5 * 399];
  EXPECT_NEAR(early, late, 1e-11 * range(steady.xi));
}

TEST(Event, goes_on_from_a_state) {
  const System system = random_system(30, 15);
  const auto f = two_frequencies(60);
  const Result whole = run(system, f);
  const std::span<const double> all(f);
  for (const std::size_t cut : {1u, 11u, 30u, 59u}) {
    const Result head = run(system, all.first(cut));
    const Result tail = run(system, head.end, all.subspan(cut));
    EXPECT_NEAR(tail.xi.back(), whole.xi.back(), 1e-12 * range(whole.xi));
    EXPECT_NEAR(head.energy.back() + tail.energy.back(), whole.energy.back(), 1e-11);
  }
}

TEST(Event, the_stack_of_a_diagonal_system_equals_its_sliders) {
  Rng rng(base_seed() + 2);
  const Index n = 40;
  const Vector k = Vector::NullaryExpr(n, [&](Index) { return rng.uniform(0.1, 2); });
  Vector mu = Vector::NullaryExpr(n, [&](Index) { return rng.uniform(0.01, 1); });
  Vector b = Vector::NullaryExpr(n, [&](Index) { return rng.uniform(-1, 1); });
  b[3] = 0;
  mu[5] = mu[6];
  b[5] = b[6];  // a tie
  const System system(Eigen::MatrixXd(k.asDiagonal()), mu, b);
  ASSERT_EQ(system.sparsity(), Sparsity::diagonal);
  const auto f = random_turns(rng, 300, 2);
  std::vector<Vector> x;
  const Result stack =
      run(system, f, {}, {.each_row = [&](std::size_t, const Vector& row) { x.push_back(row); }});
  const Result sliders = run(system, f, {.log_slips = true});
  EXPECT_LT(largest_difference(stack.xi, sliders.xi), 1e-12 * range(stack.xi));
  EXPECT_LT(largest_difference(stack.energy, sliders.energy), 1e-12 * stack.energy.back());
  EXPECT_EQ(stack.events, sliders.events);
  for (std::size_t i = 0; i < f.size(); ++i) EXPECT_NEAR(b.dot(x[i]), stack.xi[i], 1e-12);
  // From a state, and from a state that is no history of loads.
  const std::span<const double> all(f);
  const Result head = run(system, all.first(150));
  EXPECT_NEAR(run(system, head.end, all.subspan(150)).xi.back(), stack.xi.back(), 1e-12);
  State foreign = rest(system);
  foreign.x = Vector::Constant(n, 1e-3);
  EXPECT_NEAR(run(system, foreign, f).xi.back(),
              run(system, foreign, f, {.method = Method::active_set}).xi.back(), 1e-12);
}

TEST(Event, the_slip_map_says_who_moves) {
  const System system = random_system(12, 17);
  const auto f = two_frequencies(40);
  std::vector<Vector> x{Vector::Zero(12)};
  const Result result =
      run(system, f, {.log_slips = true},
          {.slips = true, .each_row = [&](std::size_t, const Vector& row) { x.push_back(row); }});
  // A slider moved between two rows if and only if a stretch of its slip meets that row.
  for (std::size_t row = 0; row < f.size(); ++row)
    for (Index i = 0; i < 12; ++i) {
      bool mapped = false;
      for (const Slip& s : result.slips)
        mapped = mapped || (s.slider == i && s.begin < double(row) && s.end > double(row) - 1);
      EXPECT_EQ(mapped, std::abs(x[row + 1][i] - x[row][i]) > 1e-12) << row << ' ' << i;
    }
}

}  // namespace event_test
}  // namespace microslip::friction::testing
