#include "microslip/field/joint_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "microslip/core/joint.hpp"
#include "microslip/field/bounded_memory.hpp"
#include "microslip/models/dahl.hpp"
#include "microslip/models/iwan4.hpp"
#include "microslip/models/jenkins.hpp"
#include "microslip/models/lugre.hpp"

namespace microslip {
namespace {

constexpr double poison = std::numeric_limits<double>::quiet_NaN();
using Numbers = std::vector<double>;

Numbers random_numbers(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Numbers x(n);
  for (double& value : x) value = normal(random);
  return x;
}

struct Replies {
  Numbers force, tangent, dissipated;
  explicit Replies(std::size_t n) : force(n, poison), tangent(n, poison), dissipated(n, poison) {}
  FieldReply spans() { return {force, tangent, dissipated}; }
};

template <class Law>
Response<double> one_trial(Joint<Law>& joint, double u, double dt) {
  if constexpr (RateDependentLaw<Law>)
    return joint.trial(u, dt);
  else
    return joint.trial(u);
}

/// Random reversals: two trials a step, of which the second is accepted.
template <class Law>
void expect_joints(const std::vector<Law>& laws, bool own, const FieldOptions& options) {
  const std::size_t n = laws.size();
  JointField<Law> field = own ? JointField<Law>(std::span<const Law>(laws), options)
                              : JointField<Law>(laws[0], n, options);
  std::vector<Joint<Law>> joints;
  for (std::size_t i = 0; i < n; ++i) joints.emplace_back(laws[own ? i : 0]);
  for (unsigned k = 0; k < 6; ++k) {
    const Numbers rejected = random_numbers(n, 100 + k), u = random_numbers(n, k);
    Replies replies(n);
    field.trial(rejected, {replies.force}, 0.2);
    EXPECT_EQ(field.trial(u, replies.spans(), 0.1), Status::ok);
    field.commit();
    if (k % 2 == 0) field.commit();  // nothing new to accept
    for (std::size_t i = 0; i < n; ++i) {
      const auto expected = one_trial(joints[i], u[i], 0.1);
      joints[i].commit();
      ASSERT_EQ(replies.force[i], expected.force) << i;
      ASSERT_EQ(replies.tangent[i], expected.tangent) << i;
      ASSERT_EQ(replies.dissipated[i], expected.dissipated) << i;
      ASSERT_EQ(field.stored(i), joints[i].stored()) << i;
    }
  }
}

std::vector<Jenkins<double>> many_sliders(std::size_t n) {
  std::vector<Jenkins<double>> laws;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(i) / static_cast<double>(n);
    laws.emplace_back(Jenkins<double>::Params{.k = 1 + x, .phi = 0.2 + x * x});
  }
  return laws;
}

TEST(JointField, AnswersAsJointsDoToTheBit) {
  const auto sliders = many_sliders(1000);
  const std::vector<LuGre<double>> bristles(300, LuGre<double>(LuGre<double>::Params{}));
  const std::vector<Dahl<double>> dahl(300, Dahl<double>({.sigma0 = 2}));
  using Bounded = BoundedMemory<Iwan4<double>>;
  const std::vector<Bounded> iwan(300, Bounded(Iwan4<double>::Params{}));
  for (const Instructions set :
       {Instructions::baseline, Instructions::avx2, Instructions::avx512, Instructions::best})
    for (const std::size_t threads : {std::size_t{1}, std::size_t{3}})
      for (const bool own : {true, false}) {
        expect_joints(sliders, own, {threads, set});
        expect_joints(bristles, own, {threads, set});
        expect_joints(dahl, own, {threads, set});
        expect_joints(iwan, own, {threads, set});
      }
}

TEST(JointField, KeepsTheSumsOfWholeSignals) {
  const auto laws = many_sliders(700);
  const std::size_t n = laws.size(), rows = 500;
  Numbers u(rows), each(rows * n), scale(n);
  for (std::size_t row = 0; row < rows; ++row)
    u[row] = 2 * std::sin(0.1 * static_cast<double>(row + 1));  // 50 rad: 8 periods nearly
  for (std::size_t i = 0; i < n; ++i) scale[i] = 0.1 + static_cast<double>(i) / 100;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < n; ++i) each[row * n + i] = scale[i] * u[row];
  Numbers energy(n, poison), largest(n, poison), loops(n, poison), energy_each(n, poison);
  JointField<Jenkins<double>> field{std::span<const Jenkins<double>>(laws)};
  EXPECT_EQ(field.run(u, rows, {energy, largest, loops}, scale), Status::ok);
  JointField<Jenkins<double>> other{std::span<const Jenkins<double>>(laws)};
  EXPECT_EQ(other.run(each, rows, {energy_each}), Status::ok);
  for (std::size_t i = 0; i < n; ++i) {
    Joint<Jenkins<double>> joint(laws[i]);
    double lost = 0, force = 0;
    for (const double x : u) {
      const auto reply = joint.trial(scale[i] * x);
      joint.commit();
      lost += reply.dissipated;
      force = std::max(force, std::abs(reply.force));
    }
    ASSERT_EQ(energy[i], lost);
    ASSERT_EQ(energy_each[i], lost);
    ASSERT_EQ(largest[i], force);
    ASSERT_EQ(loops[i], 8);  // sin has turned 16 times by 50 rad
    ASSERT_EQ(field.committed(i).f, joint.committed().f);
  }
}

TEST(JointField, RefusesArraysOfAnotherLength) {
  JointField<Jenkins<double>> field(Jenkins<double>(Jenkins<double>::Params{}), 3);
  Numbers two(2), three(3);
  EXPECT_THROW(field.trial(two, {three}), Error);
  EXPECT_THROW(field.trial(three, {two}), Error);
  EXPECT_THROW(field.run(two, 1, {three}), Error);
  try {
    field.step(two, {three});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "field: u has 2 numbers for 3 joints");
  }
}

/// A spiral of nested loops, and out again.
Numbers spiral(int reversals) {
  Numbers u;
  for (int i = 0; i < reversals; ++i)
    u.push_back((i % 2 == 0 ? 2.0 : -2.0) * (1 - i / (reversals + 1.0)));
  u.push_back(3);
  return u;
}

TEST(BoundedMemory, IsTheLawItselfWhileThereIsRoom) {
  const Iwan4<double> law(Iwan4<double>::Params{});
  const BoundedMemory<Iwan4<double>> bounded(Iwan4<double>::Params{});
  auto state = law.rest();
  auto small = bounded.rest();
  for (const double u : spiral(9)) {  // the ninth point is an end, not a reversal yet
    const auto expected = law.step(state, u, state), reply = bounded.step(small, u, small);
    EXPECT_EQ(reply.force, expected.force);
    EXPECT_EQ(reply.tangent, expected.tangent);
    EXPECT_EQ(reply.dissipated, expected.dissipated);
    EXPECT_EQ(bounded.stored(small), law.stored(state));
    EXPECT_EQ(bounded.next_kink(small, 1), law.next_kink(state, 1));
  }
  EXPECT_EQ(small.reversals.forgotten(), 0);
}

TEST(BoundedMemory, ForgetsTheSmallestLoopsAndCountsThem) {
  const Iwan4<double> law(Iwan4<double>::Params{});
  const BoundedMemory<Iwan4<double>> bounded(Iwan4<double>::Params{});
  auto state = law.rest();
  auto small = bounded.rest();
  double lost = 0, lost_bounded = 0, width = 0;
  const Numbers path = spiral(16);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto expected = law.step(state, path[i], state);
    const auto reply = bounded.step(small, path[i], small);
    lost += expected.dissipated;
    lost_bounded += reply.dissipated;
    // The loops forgotten are inside the eighth reversal; outside them nothing differs.
    if (i < 9) {
      EXPECT_EQ(reply.force, expected.force);
    }
    if (i == 8) width = std::abs(path[8] - path[7]);
    EXPECT_NEAR(reply.force, expected.force, width * 1.0);  // KT = 1
  }
  EXPECT_GT(small.reversals.forgotten(), 0);
  EXPECT_EQ(small.f, state.f);  // on the virgin curve again
  EXPECT_NEAR(lost_bounded, lost, 0.1 * lost);
}

static_assert(FieldLaw<BoundedMemory<Iwan4<double>>> && !FieldLaw<Iwan4<double>>);

}  // namespace
}  // namespace microslip
