#include "microslip/catalog/fitting/relay_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/models/preisach_table.hpp"
#include "microslip/models/two_state.hpp"
#include "support/random.hpp"

namespace microslip::catalog {
namespace {

/// First-order reversal curves: to the top, down to each place, back to the top.
std::vector<double> reversal_curves(const std::vector<double>& places, int rows) {
  std::vector<double> u{0};
  const double top = places.back();
  const auto go = [&](double to) {
    const double from = u.back();
    for (int i = 1; i <= rows; ++i) u.push_back(from + (to - from) * i / rows);
  };
  go(top);
  for (std::size_t i = places.size() - 1; i-- > 0;) {
    go(places[i]);
    go(top);
  }
  return u;
}

template <class Law>
std::vector<double> force(const Law& law, const std::vector<double>& u) {
  auto state = law.rest();
  std::vector<double> f;
  for (const double x : u) f.push_back(law.step(state, x, state).force);
  return f;
}

/// A smooth density, exp(−(a − 0.3)² − (b + 0.2)²), on a grid much finer than what is looked for.
PreisachTable<double>::Params smooth() {
  PreisachTable<double>::Params params{.k = 2, .at = {}, .density = {}};
  const int n = 60;
  const auto place = [](double i) { return -1.2 + 2.4 * i / n; };
  for (int i = 0; i <= n; ++i) params.at.push_back(place(i));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      params.density.push_back(
          std::exp(-std::pow(place(i + 0.5) - 0.3, 2) - std::pow(place(j + 0.5) + 0.2, 2)));
  return params;
}

TEST(RelayCells, finds_the_table_that_made_reversal_curves) {
  const PreisachTable<double>::Params truth{
      .k = 2,
      .at = {-1, -0.5, 0, 0.5, 1},
      .density = {0.3, 0.1, 0.2, 0, 0.4, 0.1, 0.2, 0.5, 0, 0.3}};
  const auto u = reversal_curves(truth.at, 23);
  const auto found = relay_cells(u, force(PreisachTable<double>(truth), u), 4);
  EXPECT_NEAR(found.k, truth.k, 1e-9);
  EXPECT_LT(found.rms, 1e-10);
  EXPECT_EQ(found.told_apart, 10u);
  ASSERT_EQ(found.at.size(), truth.at.size());
  ASSERT_EQ(found.density.size(), truth.density.size());
  for (std::size_t i = 0; i < truth.density.size(); ++i)
    EXPECT_NEAR(found.density[i], truth.density[i], 1e-8) << i;
}

TEST(RelayCells, from_noisy_curves_of_a_smooth_density_predict_another_history) {
  const PreisachTable<double> truth(smooth());
  const std::vector<double> places{-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1};
  const auto u = reversal_curves(places, 30);
  auto f = force(truth, u);
  testing::Rng rng(3);
  for (double& x : f) x += rng.uniform(-0.01, 0.01) * std::sqrt(3.0);
  const auto found = relay_cells(u, f, 8);
  EXPECT_NEAR(found.rms, 0.01, 0.002);
  const PreisachTable<double> law({.k = found.k, .at = found.at, .density = found.density});
  std::vector<double> path{0};
  for (int i = 0; i < 200; ++i) path.push_back(rng.uniform(-1, 1));
  const auto wanted = force(truth, path), predicted = force(law, path);
  // Cells of a quarter: a density that changes by its own size over 1 is off by an eighth inside one.
  for (std::size_t i = 0; i < path.size(); ++i) EXPECT_NEAR(predicted[i], wanted[i], 0.05) << i;
}

TEST(RelayCells, counts_what_a_record_tells_apart) {
  const PreisachTable<double> law({.k = 1, .at = {-1, 0, 1}, .density = {0.2, 0.3, 0.4}});
  // One large loop passes all cells of a column, or of a row, at the same time.
  std::vector<double> loop{0};
  for (const double end : {1.0, -1.0, 1.0})
    for (int i = 1; i <= 200; ++i) loop.push_back(-end + 2 * end * i / 200);
  const auto found = relay_cells(loop, force(law, loop), 10);
  EXPECT_LT(found.told_apart, 55u);
  EXPECT_GT(found.told_apart, 10u);
  EXPECT_THROW(relay_cells(std::vector<double>{1, 1, 1}, std::vector<double>{0, 1, 2}, 2), Error);
}

/// The table of docs/preisach.md.
TEST(RelayCells, do_not_become_two_states_however_many_there_are) {
  const TwoState<double> truth(TwoState<double>::Params{});
  std::vector<double> places;
  for (int i = 0; i <= 20; ++i) places.push_back(-1.5 + 0.15 * i);
  const auto u = reversal_curves(places, 40);
  const auto f = force(truth, u);
  testing::Rng rng(4);
  std::vector<double> path{0};
  for (int i = 0; i < 300; ++i) path.push_back(rng.uniform(-1.5, 1.5) * rng.log_uniform(0.1, 1));
  const auto wanted = force(truth, path);
  double range = 0;
  for (const double x : wanted) range = std::max(range, 2 * std::abs(x));
  const auto errors = [&](std::size_t cells) {
    const auto found = relay_cells(u, f, cells);
    const PreisachTable<double> law({.k = found.k, .at = found.at, .density = found.density});
    const auto predicted = force(law, path);
    double sum = 0;
    for (std::size_t i = 0; i < path.size(); ++i) sum += std::pow(predicted[i] - wanted[i], 2);
    const auto rows = static_cast<double>(path.size());
    return std::pair(100 * found.rms / range, 100 * std::sqrt(sum / rows) / range);
  };
  const auto few = errors(2), many = errors(20);
  EXPECT_NEAR(few.first, 3.3, 0.05);
  EXPECT_NEAR(few.second, 2.3, 0.06);
  EXPECT_NEAR(many.first, 2.8, 0.05);
  EXPECT_NEAR(many.second, 1.9, 0.05);
}

}  // namespace
}  // namespace microslip::catalog
