#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/balance/condensed.hpp"
#include "dynamics/balance/harmonic_balance.hpp"
#include "dynamics/support.hpp"

/// What balances with several numbers of harmonics share, and that elements answer a question once.
namespace microslip::dynamics {
namespace shared_structure_test {

TEST(SharedStructure, balances_with_other_harmonics_are_those_of_their_own) {
  const Structure s = problem_a();
  const auto whole = std::make_shared<const BalancedStructure>(s, PeriodicOptions{});
  std::shared_ptr<const CondensedShare> first;
  for (const int harmonics : {3, 9}) {
    HarmonicBalance shared(whole, harmonics, {}), own(s, harmonics);
    for (HarmonicBalance* balance : {&shared, &own}) balance->condense(true);
    ASSERT_NE(shared.condensed(), nullptr);
    if (!first) first = whole->condensed();
    EXPECT_EQ(whole->condensed(), first);  // the modes were found once
    Eigen::VectorXd y = own.starts().linear_response(0.9), r, expected;
    EXPECT_EQ(shared.starts().linear_response(0.9), y);
    WideJacobian jacobian, expected_jacobian;
    ASSERT_TRUE(shared.evaluate(y, r, &jacobian));
    ASSERT_TRUE(own.evaluate(y, expected, &expected_jacobian));
    EXPECT_EQ(r, expected);
    Eigen::VectorXd step, expected_step, rhs = Eigen::VectorXd::Ones(y.size());
    const Eigen::VectorXd last = Eigen::VectorXd::Unit(y.size(), y.size() - 1);
    ASSERT_TRUE(jacobian.solve(last, rhs, step));
    ASSERT_TRUE(expected_jacobian.solve(last, rhs, expected_step));
    EXPECT_EQ(step, expected_step);
  }
}

/// A spring that counts.
class Counting final : public PeriodicElement {
 public:
  int answers = 0;
  const PeriodicForce& reply() const override { return reply_; }
  const PeriodicForce& force(std::size_t) const override { return reply_; }
  const JointLoop& loop(std::size_t) const override { return loop_; }
  LinearisedLoop linearise(std::size_t, const Eigen::VectorXd&, int) override {
    forget();
    return {};
  }
  bool depends_on_frequency() const override { return false; }
  double truncation(const Eigen::VectorXd&, double, const Surroundings&) override { return 0; }

 private:
  void answer(const Eigen::VectorXd& input, const Eigen::VectorXd&, double, bool) override {
    ++answers;
    reply_.coefficients = 2 * input;
  }
  PeriodicForce reply_;
  JointLoop loop_;
};

TEST(PeriodicElement, answers_a_question_once) {
  Counting element;
  const Eigen::VectorXd q = Eigen::Vector3d(1, 2, 3);
  element.respond(q, {}, 0.5, true);
  element.respond(q, {}, 0.5, true);
  element.respond(q, {}, 0.5, false);
  EXPECT_EQ(element.answers, 1);
  element.respond(q, {}, 0.6, false);
  EXPECT_EQ(element.answers, 2);
  element.respond(q, {}, 0.6, true);  // the Jacobian is not there
  EXPECT_EQ(element.answers, 3);
  element.respond(1.5 * q, {}, 0.6, true);
  EXPECT_EQ(element.answers, 4);
  EXPECT_EQ(element.reply().coefficients, 3 * q);
  element.linearise(0, q, 1);
  element.respond(1.5 * q, {}, 0.6, true);
  EXPECT_EQ(element.answers, 5);
  const Eigen::VectorXd none = Eigen::Vector3d::Constant(std::nan(""));
  element.respond(none, {}, 0.6, true);
  element.respond(none, {}, 0.6, true);
  EXPECT_EQ(element.answers, 7);
}

}  // namespace shared_structure_test
}  // namespace microslip::dynamics
