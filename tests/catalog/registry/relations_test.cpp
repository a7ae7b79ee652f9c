#include "microslip/catalog/registry/relations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "microslip/catalog/catalog.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"

namespace microslip::catalog {
namespace relations_test {

/// Reversals of all sizes, from deep inside the elastic range to far beyond slip, in uneven time,
/// each leg in `parts` rows.
Path random_path(std::uint64_t seed, int legs = 400, int parts = 1) {
  testing::Rng rng(seed);
  Path path;
  double t = 0, u = 0;
  for (int i = 0; i < legs; ++i) {
    const double way = rng.uniform(-1, 1) * rng.log_uniform(0.02, 3) - u;
    const double dt = rng.uniform(0.05, 0.5);
    for (int j = 0; j < parts; ++j) {
      path.t.push_back(t += dt / parts);
      path.u.push_back(u += way / parts);
    }
  }
  return path;
}

/// Largest difference of the forces over the largest force.
double difference(const std::string& one, const std::string& other, const Path& path) {
  const auto a = make({one, {}, {}}).run(path);
  const auto b = make({other, {}, {}}).run(path);
  EXPECT_EQ(a.status, Status::ok) << one;
  EXPECT_EQ(b.status, Status::ok) << other;
  double most = 0, worst = 0;
  for (std::size_t i = 0; i < b.f.size(); ++i) {
    most = std::max(most, std::abs(b.f[i]));
    worst = std::max(worst, std::abs(a.f[i] - b.f[i]));
  }
  return worst / most;
}

class Relations : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Relations, holds) {
  const Relation& relation = relations()[GetParam()];
  // How far a limit is still away shows at single knees, so its rows are dense.
  const Path path =
      relation.limit() ? random_path(GetParam() + 1, 40, 100) : random_path(GetParam() + 1);
  const double last = difference(relation.models.back(), relation.equals, path);
  EXPECT_LE(last, relation.tolerance) << relation.special << " and " << relation.general;
  if (!relation.limit()) return;
  // A limit is approached: not there yet, and half as far with the next of the models.
  const double before =
      difference(relation.models[relation.models.size() - 2], relation.equals, path);
  EXPECT_NEAR(last / before, 0.5, 0.05) << relation.special << " from " << relation.general;
}

std::string test_name(const ::testing::TestParamInfo<std::size_t>& info) {
  const Relation& relation = relations()[info.param];
  std::string name =
      std::to_string(info.param) + "_" + relation.special + "_in_" + relation.general;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Map, Relations, ::testing::Range<std::size_t>(0, relations().size()),
                         test_name);

TEST(RelationsPicture, shows_every_law_and_every_arrow) {
  std::ifstream file(std::filesystem::path(source_dir) / "docs" / "relations.svg");
  const std::string picture(std::istreambuf_iterator<char>(file), {});
  const auto occurs = [&](const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = picture.find(text); at != std::string::npos;
         at = picture.find(text, at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(occurs("marker-end"), relations().size()) << "run scripts/relations.py";
  for (const Relation& relation : relations())
    for (const std::string& law : {relation.special, relation.general})
      EXPECT_EQ(occurs(">" + law + "</text>"), 1u) << law << ": run scripts/relations.py";
}

TEST(RelationsOfIwanUniform, discrete_sliders_are_too_strong_by_half_a_share) {
  // Full slip of N sliders at (1 … N)/N of u_max: k u_max (N + 1)/(2N) instead of k u_max/2.
  for (const Relation& relation : relations()) {
    if (relation.special != "iwan-uniform" || !relation.limit()) continue;
    const auto sliders = make({relation.models.back(), {}, {}}).run({{}, {5.0}, {}});
    EXPECT_NEAR(sliders.f[0] - 0.8, 2 * 0.8 / (2 * 40), 1e-12);
  }
}

// ------------------------------------ every Masing law rebuilt from its own virgin curve

/// Masing's rules over a list of reversals, with the virgin curve as a function.
class Rebuilt {
 public:
  explicit Rebuilt(const AnyModel& law) : law_(law), trial_(law.rest()), rest_(law.rest()) {}

  double move_to(double u) {
    if (u == u_) return f_;
    const int d = u > u_ ? 1 : -1;
    if (d_ != 0 && d != d_) reversals_.push_back({u_, f_});
    d_ = d;
    // A loop closes where it passes the reversal before the last; a single one where |u| passes it.
    while (!reversals_.empty()) {
      const std::size_t n = reversals_.size();
      const double closing = n == 1 ? -reversals_[0].u : reversals_[n - 2].u;
      if (d * (u - closing) < 0) break;
      reversals_.resize(n > 1 ? n - 2 : 0);
    }
    u_ = u;
    f_ = reversals_.empty() ? virgin(u)
                            : reversals_.back().f + 2 * virgin((u - reversals_.back().u) / 2);
    return f_;
  }

 private:
  struct Point {
    double u, f;
  };
  double virgin(double x) { return law_.step(rest_, x, 0, trial_).force; }

  const AnyModel& law_;
  AnyState trial_, rest_;
  std::vector<Point> reversals_;
  double u_ = 0, f_ = 0;
  int d_ = 0;
};

TEST(MasingLaws, are_their_virgin_curves_continued) {
  int tested = 0;
  for (const Law& law : laws()) {
    const Description& d = law.description;
    if (d.claims.masing.verdict != Verdict::holds || d.family != Family::rate_independent ||
        d.driven != Driven::displacement)
      continue;
    ++tested;
    const AnyModel model = make({d.name, {}, {}});
    Rebuilt rebuilt(model);
    AnyState state = model.rest();
    double most = 0, worst = 0;
    for (const double u : random_path(11).u) {
      const double f = model.step(state, u, 0, state).force;
      most = std::max(most, std::abs(f));
      worst = std::max(worst, std::abs(f - rebuilt.move_to(u)));
    }
    EXPECT_LE(worst, 1e-12 * most) << d.name;
  }
  EXPECT_GE(tested, 4);
}

}  // namespace relations_test
}  // namespace microslip::catalog
