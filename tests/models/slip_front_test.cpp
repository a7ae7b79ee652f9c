#include "microslip/models/slip_front.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "microslip/catalog/catalog.hpp"

namespace microslip {
namespace slip_front_test {

using Law = SlipFront<double>;

TEST(SlipFront, virgin_curve_is_that_of_a_front_at_depth_s) {
  for (const double p : {0.0, 0.5, 1.0, 3.0}) {
    const Law::Params params{.EA = 7, .t = 0.3, .p = p, .ell = 2.5};
    const Law law(params);
    for (const double s : {1e-6, 0.1, 1.0, 2.4, 2.5}) {
      // Friction and strain, integrated along the rod from the front to the end that is pulled.
      const double F = params.t * std::pow(s, p + 1) / ((p + 1) * std::pow(params.ell, p));
      const double u =
          params.t * std::pow(s, p + 2) / ((p + 2) * params.EA * std::pow(params.ell, p));
      auto state = law.rest();
      const auto reply = law.step(state, -std::min(F, law.macroslip()), state);
      EXPECT_NEAR(reply.force, -u, 1e-14 * u) << p << ' ' << s;
      EXPECT_NEAR(reply.tangent, s / params.EA, 1e-14 * s / params.EA) << p << ' ' << s;
      EXPECT_EQ(reply.status, Status::ok);
    }
    EXPECT_NEAR(law.macroslip(), params.t * params.ell / (p + 1), 1e-15);
  }
}

TEST(SlipFront, uniform_friction_is_the_square_root_of_the_displacement) {
  const Law law({.EA = 3, .t = 0.5, .p = 0, .ell = 4});
  auto state = law.rest();
  const double q = law.step(state, 1.2, state).force;
  EXPECT_NEAR(std::sqrt(2 * 3 * 0.5 * q), 1.2, 1e-15);  // F = √(2 EA t q)
}

TEST(SlipFront, a_cycle_loses_four_times_the_force_and_displacement_over_2p_plus_3) {
  for (const double p : {0.0, 1.0, 2.5}) {
    const Law law({.EA = 2, .t = 1, .p = p, .ell = 3});
    std::vector<double> losses;
    for (const double part : {0.2, 0.4}) {
      const double F = part * law.macroslip();
      auto state = law.rest();
      const double u = law.step(state, F, state).force;
      double lost = law.step(state, -F, state).dissipated;
      lost += law.step(state, F, state).dissipated;
      EXPECT_NEAR(lost, 4 * F * u / (2 * p + 3), 1e-14 * lost);
      EXPECT_NEAR(lost, law.energy_per_cycle(F), 1e-14 * lost);
      losses.push_back(lost);
    }
    // The exponent: 3 for uniform friction, towards 2 as it vanishes at the end that is pulled.
    EXPECT_NEAR(std::log2(losses[1] / losses[0]), (2 * p + 3) / (p + 1), 1e-12);
  }
}

/// Friction of the rod in cells, followed by hand: an independent way to a whole history. Every cell
/// carries the force of its friction between ±limits, and the strain is the force over EA.
double displacement_by_cells(const Law::Params& p, const std::vector<double>& loads, int cells) {
  const double h = p.ell / cells;
  std::vector<double> friction(static_cast<std::size_t>(cells), 0.0);
  double u = 0;
  for (const double load : loads) {
    double left = load;  // force that arrives at the cell
    for (const double r : friction) left -= r;
    // What is not yet balanced turns the friction of cells around, from the end that is pulled.
    for (int i = 0; i < cells && left != 0; ++i) {
      double& r = friction[static_cast<std::size_t>(i)];
      const double limit = p.t * std::pow((i + 0.5) / cells, p.p) * h;
      const double next = std::min(limit, std::max(-limit, r + left));
      left -= next - r;
      r = next;
    }
    u = 0;
    double force = load;
    for (const double r : friction) {
      u += (force - 0.5 * r) * h / p.EA;
      force -= r;
    }
  }
  return u;
}

TEST(SlipFront, a_history_with_minor_loops_agrees_with_a_rod_of_cells) {
  for (const double p : {0.0, 1.5}) {
    const Law::Params params{.EA = 1.7, .t = 0.8, .p = p, .ell = 2};
    const Law law(params);
    const double most = law.macroslip();
    std::vector<double> loads;
    auto state = law.rest();
    for (const double part : {0.8, -0.5, 0.3, -0.2, 0.25, -0.7, 0.9}) {
      loads.push_back(part * most);
      const double u = law.step(state, loads.back(), state).force;
      // Cells are second order, apart from the one in which the front lies.
      EXPECT_NEAR(u, displacement_by_cells(params, loads, 4000),
                  3e-4 * most * params.ell / params.EA)
          << p << ' ' << part;
    }
  }
}

TEST(SlipFront, beyond_macroslip_there_is_no_answer_and_the_state_stays) {
  const Law law({.EA = 1, .t = 1, .p = 0, .ell = 1});
  auto state = law.rest();
  law.step(state, 0.7, state);
  const double u = state.f;
  EXPECT_EQ(law.step(state, 1.0001, state).status, Status::macroslip);
  EXPECT_EQ(state.f, u);
  EXPECT_EQ(state.u, 0.7);
  EXPECT_EQ(law.step(state, 1.0, state).status, Status::ok);
}

TEST(SlipFront, work_is_stored_or_lost) {
  const Law law({.EA = 2, .t = 1, .p = 0.7, .ell = 1});
  auto state = law.rest();
  double work = 0, lost = 0;
  for (const double target : {0.5, -0.3, 0.2, 0.4, -0.55}) {
    const double from = state.u;
    const int n = 2000;
    for (int i = 1; i <= n; ++i) {
      const double before = state.f, load = state.u;
      lost += law.step(state, from + (target - from) * i / n, state).dissipated;
      work += 0.5 * (load + state.u) * (state.f - before);
    }
    EXPECT_NEAR(work, law.stored(state) + lost, 1e-7) << target;
    EXPECT_GT(law.stored(state), 0);
  }
}

}  // namespace slip_front_test
}  // namespace microslip
