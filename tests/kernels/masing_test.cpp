// Masing's rules against explicit sliders, and at the limits of memory.
#include "microslip/detail/kernels/masing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/allocations.hpp"
#include "support/random.hpp"

namespace microslip {
namespace masing_test {

/// Jenkins elements in parallel, each with a stiffness and a slip displacement.
struct Sliders {
  std::vector<double> k, slip, f;
  double u = 0, lost = 0;

  double move_to(double target) {
    double total = 0;
    for (std::size_t i = 0; i < k.size(); ++i) {
      const double limit = k[i] * slip[i];
      const double elastic = f[i] + k[i] * (target - u);
      const double force = std::clamp(elastic, -limit, limit);
      lost += force * (elastic - force) / k[i];
      f[i] = force;
      total += force;
    }
    u = target;
    return total;
  }
  double stored() const {
    double sum = 0;
    for (std::size_t i = 0; i < k.size(); ++i) sum += f[i] * f[i] / (2 * k[i]);
    return sum;
  }
};

/// Their backbone by plain sums.
struct SliderBackbone {
  using Scalar = double;
  std::vector<double> k, slip;

  BackbonePoint<double> at(double x) const noexcept {
    BackbonePoint<double> sum{0, 0, 0};
    for (std::size_t i = 0; i < k.size(); ++i) {
      sum.force += k[i] * std::min(slip[i], x);
      if (x < slip[i])
        sum.slope += k[i];
      else
        sum.dissipated += k[i] * slip[i] * (x - slip[i]);
    }
    return sum;
  }
  double next_kink(double x) const noexcept {
    double next = std::numeric_limits<double>::infinity();
    for (const double s : slip)
      if (s > x) next = std::min(next, s);
    return next;
  }
};
static_assert(Backbone<SliderBackbone>);

struct SliderLaw : MasingLaw<SliderBackbone> {
  explicit SliderLaw(const SliderBackbone& backbone) : MasingLaw(backbone) {}
};

class MasingRules : public ::testing::Test {
 protected:
  MasingRules() {
    testing::Rng rng(testing::seed_for(testing::base_seed(), "masing", 0));
    for (int i = 0; i < 7; ++i) {
      g.k.push_back(rng.log_uniform(0.2, 5));
      g.slip.push_back(rng.log_uniform(0.1, 3));
    }
    sliders.k = g.k;
    sliders.slip = g.slip;
    sliders.f.assign(g.k.size(), 0);
  }
  SliderBackbone g;
  Sliders sliders;
  MasingState<double> state;
};

TEST_F(MasingRules, equal_explicit_sliders_on_random_paths) {
  testing::Rng rng(testing::seed_for(testing::base_seed(), "masing paths", 0));
  const SliderLaw law(g);
  double lost = 0;
  for (int i = 0; i < 20000; ++i) {
    // Mostly a walk with small nested loops, now and then a jump that wipes them out.
    const double u = rng.chance(0.05) ? rng.uniform(-6, 6) : sliders.u + rng.uniform(-0.7, 0.7);
    const double expected = sliders.move_to(u);
    const auto reply = masing::step(g, state, u, state);
    lost += reply.dissipated;
    ASSERT_EQ(reply.status, Status::ok);
    // 20000 increments of explicit sliders carry their own rounding: 1e-16 each.
    ASSERT_NEAR(reply.force, expected, 1e-10) << "row " << i << ", seed " << testing::base_seed();
    ASSERT_NEAR(lost, sliders.lost, 1e-10 * (1 + lost)) << "row " << i;
    ASSERT_NEAR(law.stored(state), sliders.stored(), 1e-10) << "row " << i;
  }
}

TEST_F(MasingRules, forget_a_minor_loop_when_it_closes) {
  for (const double u : {3.0, -1.0, 2.0, 0.0, 1.0}) masing::step(g, state, u, state);
  EXPECT_EQ(state.reversals.size(), 4u);
  masing::step(g, state, 2.0, state);  // closes the loop 2, 0, 1, 2 exactly at its tip
  EXPECT_EQ(state.reversals.size(), 2u);
  masing::step(g, state, 3.0, state);  // closes the loop 3, −1, 3; back on the virgin curve
  EXPECT_EQ(state.reversals.size(), 0u);
  EXPECT_DOUBLE_EQ(state.f, g.at(3).force);
}

TEST_F(MasingRules, forget_the_first_reversal_at_its_mirror_point) {
  masing::step(g, state, 2.0, state);
  masing::step(g, state, -1.999, state);
  EXPECT_EQ(state.reversals.size(), 1u);
  masing::step(g, state, -2.0, state);
  EXPECT_EQ(state.reversals.size(), 0u);
  EXPECT_DOUBLE_EQ(state.f, -g.at(2).force);
}

TEST_F(MasingRules, nested_reversals_beyond_any_inline_memory_are_remembered) {
  constexpr int n = 100000;
  std::vector<double> turns, forces;
  for (int i = 0; i < n; ++i) {
    turns.push_back((i % 2 == 0 ? 1 : -1) * (2.0 - i * 1e-5));
    forces.push_back(masing::step(g, state, turns.back(), state).force);
  }
  EXPECT_EQ(state.reversals.size(), static_cast<std::size_t>(n - 1));
  // Unwinding passes every turning point again, with the force it had (return-point memory).
  for (int i = n - 3; i >= 0; --i) {
    const auto j = static_cast<std::size_t>(i);
    ASSERT_NEAR(masing::step(g, state, turns[j], state).force, forces[j], 1e-9) << i;
  }
}

TEST_F(MasingRules, kinks_are_those_of_the_sliders) {
  std::vector<double> slips = g.slip;
  std::sort(slips.begin(), slips.end());
  EXPECT_DOUBLE_EQ(masing::next_kink(g, state, 1), slips[0]);
  EXPECT_DOUBLE_EQ(masing::next_kink(g, state, -1), -slips[0]);
  masing::step(g, state, 4.0, state);
  // Beyond all slips nothing more happens ahead; behind, the first slider slips back after 2 slips.
  EXPECT_EQ(masing::next_kink(g, state, 1), std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(masing::next_kink(g, state, -1), 4 - 2 * slips[0]);
  masing::step(g, state, 3.99, state);
  EXPECT_DOUBLE_EQ(masing::next_kink(g, state, 1), 4.0);  // the loop closes
}

TEST_F(MasingRules, exhausted_memory_is_a_status_and_the_state_stands) {
  MasingState<double> to;
  for (std::size_t i = 0; i <= TurningPoints<double>::inline_capacity; ++i)
    masing::step(g, state, (i % 2 == 0 ? 1 : -1) * (2 - 0.01 * static_cast<double>(i)), state);
  ASSERT_EQ(state.reversals.size(), TurningPoints<double>::inline_capacity);
  const double u = state.u, f = state.f;
  {
    const testing::NoMemory no_memory;
    const double back = -u / 2;
    EXPECT_EQ(masing::step(g, state, back, to).status, Status::out_of_memory);
    EXPECT_EQ(masing::step(g, state, back, state).status, Status::out_of_memory);
  }
  EXPECT_EQ(state.u, u);
  EXPECT_EQ(state.f, f);
  EXPECT_EQ(masing::step(g, state, -u / 2, to).status, Status::ok);
}

}  // namespace masing_test
}  // namespace microslip
