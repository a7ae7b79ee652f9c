#include "microslip/models/preisach_table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "support/random.hpp"

namespace microslip {
namespace preisach_test {

using Table = PreisachTable<double>;

/// The definition: a grid of relays, each of which remembers its own state.
class Relays {
 public:
  Relays(double k, double range, int n, const std::function<double(double, double)>& density)
      : k_(k) {
    const double side = 2 * range / n;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) {
        const double a = -range + (i + 0.5) * side, b = -range + (j + 0.5) * side;
        const double weight = density(a, b) * side * side * (i == j ? 0.5 : 1);
        relays_.push_back({a, b, weight, a + b > 0 ? -1 : 1});
        f_ += weight * relays_.back().state;
      }
  }
  double force(double u) {
    double sum = 0;
    for (Relay& relay : relays_) {
      if (u >= relay.a) relay.state = 1;
      if (u <= relay.b) relay.state = -1;
      sum += relay.weight * relay.state;
    }
    return k_ * u - sum + f_;
  }

 private:
  struct Relay {
    double a, b, weight;
    int state;
  };
  double k_, f_ = 0;
  std::vector<Relay> relays_;
};

/// A density of a − b alone, cell by cell on a fine grid, is an Iwan law with Masing's rules: with
/// μ = exp(b − a) and k = 2 the virgin curve is 1 − exp(−2u).
TEST(PreisachTable, of_a_minus_b_alone_follows_the_rules_of_Masing) {
  const int n = 120;
  Table::Params params{.k = 2, .at = {}, .density = {}};
  const double side = 2.0 / n;
  for (int i = 0; i <= n; ++i) params.at.push_back(-1 + side * i);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) params.density.push_back(std::exp(-side * (i - j)));
  const Table law(params);
  const auto backbone = [](double x) { return 1 - std::exp(-2 * x); };
  auto state = law.rest();
  // Midpoints of cells: the error of a sum of second order, side²/24 of what is summed, and of half cells.
  EXPECT_NEAR(law.step(state, 0.9, state).force, backbone(0.9), 1e-2 * side);
  const double high = state.f;
  EXPECT_NEAR(law.step(state, -0.5, state).force, high - 2 * backbone(0.7), 1e-2 * side);
  const double low = state.f;
  EXPECT_NEAR(law.step(state, 0.2, state).force, low + 2 * backbone(0.35), 1e-2 * side);
}

// Beyond the places there are no relays, and the density is not one of a − b alone any more.
TEST(PreisachTable, follows_the_rules_of_Masing_between_its_places_only) {
  const Table law({.k = 0, .at = {-9, 9}, .density = {0.2}});
  const auto off = [&](double top, double bottom) {
    const auto virgin = [&](double u) {
      auto state = law.rest();
      return law.step(state, u, state).force;
    };
    auto state = law.rest();
    law.step(state, top, state);
    return law.step(state, bottom, state).force - (virgin(top) + 2 * virgin((bottom - top) / 2));
  };
  EXPECT_NEAR(off(9, -6), 0, 1e-12);
  EXPECT_NEAR(off(-8.5, 8), 0, 1e-12);
  // Half a square of side 1 switches back, where the virgin curve has a whole one, twice.
  EXPECT_NEAR(off(10, 8), 0.2 - 0.8, 1e-12);
}

TEST(PreisachTable, has_the_closed_form_of_one_cell) {
  // μ constant: E = μ (a − b)²/2, the loss μ (a − b)³/6.
  const Table law({.k = 1, .at = {-2, 2}, .density = {0.2}});
  auto state = law.rest();
  law.step(state, 1.5, state);
  law.step(state, -0.4, state);
  const double start = state.f;
  const auto reply = law.step(state, 0.7, state);
  EXPECT_NEAR(reply.force, start + 1.1 - 0.2 * 1.1 * 1.1, 1e-14);
  EXPECT_NEAR(reply.dissipated, 0.2 * 1.1 * 1.1 * 1.1 / 6, 1e-15);
  EXPECT_NEAR(reply.tangent, 1 - 0.4 * 1.1, 1e-14);
}

TEST(PreisachTable, loops_between_the_same_ends_have_one_shape_whatever_the_force) {
  const Table law({.k = 1, .at = {-2, -0.3, 0.5, 2}, .density = {0.3, 0.1, 0.4, 0, 0.2, 0.1}});
  std::vector<double> rises;
  for (const double before : {2.0, -2.0, 1.2}) {  // three histories
    auto state = law.rest();
    law.step(state, before, state);
    law.step(state, 0.1, state);
    if (before < 0) law.step(state, 1.1, state);
    law.step(state, 0.1, state);
    const double low = state.f;
    rises.push_back(law.step(state, 0.9, state).force - low);
  }
  EXPECT_NEAR(rises[0], rises[2], 1e-12);
  EXPECT_NEAR(rises[0], rises[1], 1e-12);
}

TEST(PreisachTable, is_what_a_grid_of_relays_does) {
  const std::vector<double> at{-1.5, -0.5, 0.5, 1.5}, density{0.3, 0.1, 0.6, 0.2, 0.4, 0.05};
  const Table law({.k = 1, .at = at, .density = density});
  const auto cell = [&](double x) { return x < -0.5 ? 0 : x < 0.5 ? 1 : 2; };
  Relays grid(1, 1.5, 600, [&](double a, double b) {
    const int i = cell(a);
    return density[static_cast<std::size_t>(i * (i + 1) / 2 + cell(b))];
  });
  testing::Rng rng(9);
  auto state = law.rest();
  for (int i = 0; i < 40; ++i) {
    const double u = rng.uniform(-1.7, 1.7);
    ASSERT_NEAR(law.step(state, u, state).force, grid.force(u), 0.02) << "at row " << i;
  }
}

TEST(PreisachTable, says_what_is_wrong_with_its_cells) {
  const auto message = [](const Table::Params& params) -> std::string {
    try {
      Table law(params);
      return "taken";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message({.k = 1, .at = {0, 1}, .density = {1, 2}}),
            "preisach-table.density has 2 elements; 2 places make 1 cells");
  EXPECT_EQ(message({.k = 1, .at = {0, 1, 1}, .density = {1, 2, 3}}),
            "preisach-table.at must ascend, but at[3] = 1 follows 1");
}

}  // namespace preisach_test
}  // namespace microslip
