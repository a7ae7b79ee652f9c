#include "microslip/models/preisach.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "microslip/models/preisach_table.hpp"
#include "support/random.hpp"

namespace microslip {
namespace preisach_test {

using Law = Preisach<double>;
using Table = PreisachTable<double>;
Law law_of(double k, const std::string& density) {
  return Law({.k = k, .density = Expression::parse(density, {"a", "b"})});
}

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

TEST(Preisach, is_what_a_grid_of_relays_does) {
  const std::string densities[] = {"0.3", "exp(-a^2-2*b^2)", "0.2*(1+tanh(2*a))", "0.1*(a-b)^2"};
  for (const std::string& text : densities) {
    const Expression density = Expression::parse(text, {"a", "b"});
    const Law law = law_of(1.5, text);
    Relays grid(1.5, 2, 600, [&](double a, double b) { return density(a, b); });
    testing::Rng rng(7);
    auto state = law.rest();
    for (int i = 0; i < 30; ++i) {
      const double u = rng.uniform(-1.9, 1.9);
      // A front that lies between two relays of the grid leaves a strip of 4/600.
      ASSERT_NEAR(law.step(state, u, state).force, grid.force(u), 0.02) << text << " at row " << i;
    }
  }
}

TEST(Preisach, has_the_closed_form_of_a_linear_density) {
  // μ = a: E = ∫ from b to a of s (s − b) ds = (a³ − b³)/3 − b (a² − b²)/2, and the loss
  // ∬ a (a − b) = ∫ s (s − b)²/2 ds. A law whose loops differ from place to place.
  const Law law = law_of(1, "a");
  auto state = law.rest();
  law.step(state, 2, state);
  const double low = 0.5, high = 1.7;
  law.step(state, low, state);
  const double start = state.f;
  const auto reply = law.step(state, high, state);
  const auto primitive = [&](double s) { return s * s * s / 3 - low * s * s / 2; };
  EXPECT_NEAR(reply.force, start + (high - low) - 2 * (primitive(high) - primitive(low)), 1e-12);
  const auto loss = [&](double s) {
    return (s * s * s * s / 4 - 2 * low * s * s * s / 3 + low * low * s * s / 2) / 2;
  };
  EXPECT_NEAR(reply.dissipated, loss(high) - loss(low), 1e-12);
  EXPECT_NEAR(reply.tangent, 1 - 2 * high * (high - low), 1e-12);
}

TEST(Preisach, loops_between_the_same_ends_have_one_shape_whatever_the_force) {
  const Law law = law_of(1, "exp(-a^2-b^2)*(1+0.5*tanh(a+b))");
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

TEST(PreisachTable, is_the_formula_where_that_is_constant) {
  const Table table({.k = 1, .at = {-2, -0.3, 0.4, 2}, .density = {0.2, 0.2, 0.2, 0.2, 0.2, 0.2}});
  const Law law = law_of(1, "0.2");
  testing::Rng rng(5);
  auto state = law.rest();
  auto cells = table.rest();
  for (int i = 0; i < 500; ++i) {
    const double u = rng.uniform(-1.99, 1.99) * rng.log_uniform(0.01, 1);
    const auto wanted = law.step(state, u, state), reply = table.step(cells, u, cells);
    ASSERT_NEAR(reply.force, wanted.force, 1e-11);
    ASSERT_NEAR(reply.tangent, wanted.tangent, 1e-11);
    ASSERT_NEAR(reply.dissipated, wanted.dissipated, 1e-11);
    ASSERT_NEAR(table.stored(cells), law.stored(state), 1e-11);
  }
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
