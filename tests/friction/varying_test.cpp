#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "cases.hpp"
#include "microslip/friction/factor_history.hpp"
#include "microslip/friction/sliders.hpp"
#include "support/message_of.hpp"

/// Friction that changes in time: closed forms, increments by Lemke, and what must not depend on the rows.
namespace microslip::friction::testing {
namespace varying_test {

using microslip::testing::message_of;

System one_slider(double K, double mu) {
  return System(Eigen::MatrixXd::Constant(1, 1, K), Vector::Constant(1, mu), Vector::Ones(1));
}

TEST(VaryingFriction, a_slider_under_constant_load_slips_as_its_limit_falls) {
  // K x = f − γμ from γ = f/μ on; the energy is ∫ γμ dx = (μ²/K) ∫ γ dγ.
  const System slider = one_slider(2, 0.5);
  const Result run = friction::run(slider, std::vector<double>{0.5, 0.5, 0.5, -0.5, -0.5, -0.5},
                                   std::vector<double>{1.5, 0.5, 2, 2, 0, 1});
  ASSERT_EQ(run.status, Status::ok);
  EXPECT_EQ(run.xi[0], 0);  // 0.5 < 0.75
  EXPECT_NEAR(run.xi[1], (0.5 - 0.5 * 0.5) / 2, 1e-15);
  EXPECT_NEAR(run.energy[1], 0.25 / 2 * (1 - 0.25) / 2, 1e-15);
  EXPECT_EQ(run.xi[2], run.xi[1]);       // the limit rises: it sticks
  EXPECT_EQ(run.xi[3], run.xi[1]);       // |−0.5 − 0.25| < 1
  EXPECT_NEAR(run.xi[4], -0.25, 1e-15);  // without friction the spring carries the load
  EXPECT_EQ(run.xi[5], run.xi[4]);
  // From γμ = 0.75 down to nothing.
  EXPECT_NEAR(run.energy[4] - run.energy[3], 0.25 / 2 * 1.5 * 1.5 / 2, 1e-15);
}

TEST(VaryingFriction, the_front_of_an_end_loaded_chain_moves_in_as_friction_falls) {
  // Slip goes one way only, so that spring j carries F − jγμ, whatever came first.
  constexpr int n = 50;
  const double F = 10.3, k = 3;
  std::vector<double> b(n, 0.0);
  b[0] = 1;
  const System chain = chain_system(n, k, std::vector<double>{1.0}, b);
  const std::vector<double> factors{1, 0.8, 0.55, 0.3, 0.21};
  const Result run = friction::run(chain, std::vector<double>(factors.size(), F), factors);
  ASSERT_EQ(run.status, Status::ok);
  double xi_before = 0, stored_before = 0, work = 0;
  for (std::size_t row = 0; row < factors.size(); ++row) {
    double xi = 0, stored = 0;
    for (int j = 1; j <= n; ++j) {
      const double N = std::max(0.0, F - j * factors[row]);
      xi += N / k;
      stored += N * N / (2 * k);
    }
    EXPECT_NEAR(run.xi[row], xi, 1e-12 * xi) << row;
    // The load rests after the first row, so its work is F Δξ.
    if (row > 0) work += F * (xi - xi_before);
    if (row == 0) stored_before = stored;
    EXPECT_NEAR(run.energy[row] - run.energy[0], work - (stored - stored_before), 1e-11 * F * xi);
    xi_before = xi;
  }
}

TEST(VaryingFriction, a_constant_factor_is_a_factor_on_mu) {
  const System one = random_system(12, 3);
  for (const double factor : {0.5, 1.0, 2.0}) {
    const System scaled(one.dense(), factor * one.mu(), one.b());
    const auto loads = two_frequencies(40);
    const Result a = friction::run(one, loads, std::vector<double>(loads.size(), factor));
    const Result b = friction::run(scaled, loads);
    EXPECT_LT(largest_difference(a.xi, b.xi), 1e-13 * range(b.xi));
    EXPECT_LT(largest_difference(a.energy, b.energy), 1e-12 * b.energy.back());
    EXPECT_EQ(a.events, b.events);
  }
}

/// Rows at which both load and factor turn.
struct Rows {
  std::vector<double> f, factor;
};
Rows random_rows(Rng& rng, int n, double amplitude, double least) {
  Rows rows;
  for (int i = 0; i < n; ++i) {
    const bool rests = i == 0 || rng.chance(0.25);
    const double before = i == 0 ? 0 : rows.f.back();
    rows.f.push_back(rests ? before : rng.uniform(-amplitude, amplitude));
    rows.factor.push_back(rng.uniform(least, 1.5));
  }
  return rows;
}
Rows cut(const Rows& rows, int parts) {
  Rows fine{{rows.f[0]}, {rows.factor[0]}};
  for (std::size_t i = 1; i < rows.f.size(); ++i)
    for (int k = 1; k <= parts; ++k) {
      const double part = double(k) / parts;
      fine.f.push_back(rows.f[i - 1] + part * (rows.f[i] - rows.f[i - 1]));
      fine.factor.push_back(rows.factor[i - 1] + part * (rows.factor[i] - rows.factor[i - 1]));
    }
  return fine;
}
std::vector<double> every(const std::vector<double>& values, int parts) {
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); i += static_cast<std::size_t>(parts))
    result.push_back(values[i]);
  return result;
}

TEST(VaryingFriction, rows_between_turning_points_leave_no_trace) {
  Rng rng(base_seed());
  for (int trial = 0; trial < 12; ++trial) {
    const System system = trial % 3 == 0   ? random_network(rng, 9)
                          : trial % 3 == 1 ? random_system(15, std::uint64_t(trial))
                                           : chain_system(20, 1, std::vector<double>{1.0}, {}, 0.3);
    const Rows rows = random_rows(rng, 12, trial % 3 == 2 ? 60 : 2, trial % 2 == 0 ? 0.2 : 0);
    const Rows fine = cut(rows, 7);
    const Result a = friction::run(system, rows.f, rows.factor);
    const Result b = friction::run(system, fine.f, fine.factor);
    ASSERT_EQ(a.status, Status::ok);
    ASSERT_EQ(b.status, Status::ok);
    EXPECT_LT(largest_difference(a.xi, every(b.xi, 7)), 1e-11 * range(a.xi)) << trial;
    EXPECT_LT(largest_difference(a.energy, every(b.energy, 7)), 1e-11 * a.energy.back()) << trial;
  }
}

TEST(VaryingFriction, increments_by_lemke_converge_to_the_events) {
  Rng rng(base_seed() + 7);
  for (int trial = 0; trial < 4; ++trial) {
    const System system = random_system(8, std::uint64_t(trial + 1));
    const Rows rows = random_rows(rng, 8, 1.5, 0);
    const Result exact = friction::run(system, rows.f, rows.factor);
    ASSERT_EQ(exact.status, Status::ok);
    std::vector<double> xi_error, energy_error;
    for (const int parts : {40, 160, 640}) {
      const Rows fine = cut(rows, parts);
      for (const Method method : {Method::lemke, Method::active_set}) {
        const Result run = friction::run(system, fine.f, fine.factor, {.method = method});
        ASSERT_EQ(run.status, Status::ok);
        if (method == Method::active_set) {
          EXPECT_NEAR(run.xi.back(), exact.xi.back(), xi_error.back() + 1e-9);
          continue;
        }
        xi_error.push_back(largest_difference(every(run.xi, parts), exact.xi));
        energy_error.push_back(std::abs(run.energy.back() - exact.energy.back()));
      }
    }
    // First order in the increment, and the error of the path may happen to be smaller still.
    EXPECT_LT(xi_error[2], 2e-3 * range(exact.xi)) << trial;
    EXPECT_LT(xi_error[2], 0.35 * xi_error[0] + 1e-9);
    EXPECT_LT(energy_error[2], 0.35 * energy_error[0]) << trial;
    EXPECT_LT(energy_error[2], 5e-3 * exact.energy.back());
  }
}

TEST(VaryingFriction, work_is_what_is_stored_and_lost) {
  Rng rng(base_seed() + 3);
  const System system = random_system(10, 5);
  // Load and factor take turns, and the load moves at constant friction by the exact path; while it rests
  // the work is f Δξ.
  Rows rows;
  for (int i = 0; i < 10; ++i) {
    rows.f.insert(rows.f.end(), 2, rng.uniform(-2, 2));
    rows.factor.push_back(i == 0 ? 1 : rows.factor.back());
    rows.factor.push_back(rng.uniform(0, 1.5));
  }
  std::vector<double> stored;
  const Result run = friction::run(system, rows.f, rows.factor, {},
                                   {.each_row = [&](std::size_t, const Vector& x) {
                                     stored.push_back(system.elastic_energy(x));
                                   }});
  ASSERT_EQ(run.status, Status::ok);
  for (std::size_t i = 1; i < rows.f.size(); i += 2) {
    const double work = rows.f[i] * (run.xi[i] - run.xi[i - 1]);
    EXPECT_NEAR(work, stored[i] - stored[i - 1] + run.energy[i] - run.energy[i - 1], 1e-12);
  }
}

TEST(VaryingFriction, other_units_give_the_same_answer) {
  const System system = random_system(8, 2);
  const System large(1e9 * system.dense(), 1e6 * system.mu(), system.b());  // mm and μm, N and MN
  const Rows rows{{1, -0.5, -0.5, 2}, {1, 0.2, 1.2, 0}};
  const Result a = friction::run(system, rows.f, rows.factor);
  Rows scaled = rows;
  for (double& f : scaled.f) f *= 1e6;
  const Result b = friction::run(large, scaled.f, scaled.factor);
  for (std::size_t i = 0; i < a.xi.size(); ++i) {
    EXPECT_NEAR(b.xi[i], 1e-3 * a.xi[i], 1e-15 * range(a.xi));
    EXPECT_NEAR(b.energy[i], 1e3 * a.energy[i], 1e-9 * a.energy.back());
  }
}

TEST(VaryingFriction, a_loose_chain_slides_away_when_friction_falls) {
  const System chain = chain_system(10, 1, std::vector<double>{0.1});
  const Result run =
      friction::run(chain, std::vector<double>{0.3, 0.3, 0.3}, std::vector<double>{1, 0.7, 0.5});
  EXPECT_EQ(run.status, Status::macroslip);
  ASSERT_EQ(run.xi.size(), 2u);  // 0.3 at each end against 0.07 · 10
  EXPECT_NE(run.trouble.find("the factor 0.6 on friction"), std::string::npos) << run.trouble;
}

TEST(VaryingFriction, slips_are_told_with_their_place) {
  const System slider = one_slider(1, 1);
  const Result run =
      friction::run(slider, std::vector<double>{0.5, 0.5, 0.5}, std::vector<double>{1, 0, 1},
                    {.log_slips = true}, {.slips = true});
  ASSERT_EQ(run.slips.size(), 1u);
  EXPECT_NEAR(run.slips[0].begin, 0.5, 1e-14);  // where γ = 0.5
  EXPECT_NEAR(run.slips[0].end, 1, 1e-14);
}

TEST(VaryingFriction, wrong_factors_are_refused) {
  const System slider = one_slider(1, 1);
  EXPECT_NE(message_of([&] {
              friction::run(slider, std::vector<double>{1, 2}, std::vector<double>{1, -0.1});
            }).find("-0.1, must be finite and not negative"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              friction::run(slider, std::vector<double>{1, 2}, std::vector<double>{1});
            }).find("2 loads and 1 factors"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              friction::run(slider, std::vector<double>{1}, std::vector<double>{1},
                            {.method = Method::regularised});
            }).find("use event, active-set or lemke"),
            std::string::npos);
}

// ------------------------------------------------------------------------------- in time

TEST(FactorHistory, chords_of_a_formula_stay_within_the_tolerance) {
  const Expression formula = Expression::parse("1+0.3*sin(t)", {"t"});
  for (const double tolerance : {1e-4, 1e-8}) {
    const FactorHistory history(formula, tolerance);
    const auto pieces = history.pieces(0.2, 9);
    double begin = 0, value = formula(0.2), worst = 0;
    for (const auto& piece : pieces) {
      for (int i = 1; i < 10; ++i) {
        const double part = begin + i / 10.0 * (piece.part - begin);
        const double chord = value + i / 10.0 * (piece.factor - value);
        worst = std::max(worst, std::abs(chord - formula(0.2 + part * 8.8)));
      }
      begin = piece.part;
      value = piece.factor;
    }
    EXPECT_EQ(pieces.back().part, 1);
    EXPECT_LT(worst, 1.5 * tolerance);
    EXPECT_GT(worst, 0.05 * tolerance);  // and not finer than it must be
  }
  EXPECT_EQ(FactorHistory(Expression::parse("2-t/5", {"t"}), 1e-8).pieces(0, 3).size(), 1u);
}

TEST(FactorHistory, a_jump_is_passed_in_no_time) {
  const FactorHistory history(Expression::parse("1-0.5*step(t-0.3)", {"t"}), 1e-8);
  const auto pieces = history.pieces(0, 1);
  for (std::size_t i = 1; i < pieces.size(); ++i)
    if (pieces[i].factor != pieces[i - 1].factor) {
      EXPECT_NEAR(pieces[i].part, 0.3, 1e-15);
      EXPECT_LT(pieces[i].part - pieces[i - 1].part, 1e-15);
    }
  EXPECT_EQ(pieces.back().factor, 0.5);
}

TEST(FactorHistory, rows_are_pieces) {
  const FactorHistory history({0, 1, 3}, {1, 0.5, 1.5});
  EXPECT_EQ(history.at(-1), 1);
  EXPECT_EQ(history.at(2), 1);
  EXPECT_EQ(history.at(9), 1.5);
  const auto pieces = history.pieces(0.5, 2.5);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].part, 0.25);
  EXPECT_EQ(pieces[0].factor, 0.5);
  EXPECT_EQ(pieces[1].factor, 1.25);
  EXPECT_NE(message_of([] {
              FactorHistory({0, 1}, {1, -1});
            }).find("row 2: the factor -1 must"),
            std::string::npos);
  EXPECT_NE(message_of([] {
              FactorHistory({0, 0}, {1, 1});
            }).find("row 2: t = 0 must be larger"),
            std::string::npos);
}

TEST(FactorHistory, a_formula_is_followed_to_its_tolerance) {
  // f = 1 at rest, K = 1, μ = 1, γ = 1 + 0.5 sin t: slip while γ falls below 1 to its least value 0.5, then
  // stick for ever: x = 0.5, energy ∫ γ dγ from 0.5 to 1.
  const System slider = one_slider(1, 1);
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    const FactorHistory history(Expression::parse("1+0.5*sin(t)", {"t"}), tolerance);
    const auto solver = make_solver(slider, {.varying = true});
    State state = rest(slider);
    solver->start(state);
    std::string trouble;
    ASSERT_EQ(advance_in_time(*solver, history, 0, 0, 1, 0, trouble).status, Status::ok);
    ASSERT_EQ(advance_in_time(*solver, history, 1, 0, 1, 20, trouble).status, Status::ok);
    EXPECT_NEAR(solver->xi(), 0.5, 2 * tolerance);
    EXPECT_NEAR(solver->dissipated(), 0.375, 2 * tolerance);
  }
  const FactorHistory negative(Expression::parse("1-t", {"t"}), 1e-8);
  const auto solver = make_solver(slider, {.varying = true});
  solver->start(rest(slider));
  std::string trouble;
  EXPECT_EQ(advance_in_time(*solver, negative, 0, 0, 0, 3, trouble).status, Status::undefined);
  EXPECT_EQ(trouble, "mu_factor is -2 at t = 3; it must not be negative");
}

}  // namespace varying_test
}  // namespace microslip::friction::testing
