#include "microslip/dynamics/time/stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "dynamics/support.hpp"
#include "microslip/core/error.hpp"
#include "support/message_of.hpp"

namespace microslip::dynamics {
namespace stepper_test {

using testing::message_of;

/// Two masses in a row, with a joint to the ground and one between them, shaken.
Structure two_masses(const AnyModel& first, const AnyModel& second) {
  Structure s{diagonal({1, 0.7}), diagonal({0.02, 0.03}), diagonal({1, 0}), {}, {}};
  add_along(s.K, between(2, 1, 2), 0.8);
  s.joints.push_back({first, between(2, 0, 1)});
  s.joints.push_back({second, between(2, 1, 2)});
  s.loads.push_back({Eigen::Vector2d(0, 1.3), Tones{{Tone{1, 0, 1, 0.6}}}});
  return s;
}

struct Case {
  std::string name;
  Structure structure;
  StepperOptions options;
};

std::vector<Case> cases() {
  const AnyModel rigid = law("coulomb", {{"fc", 0.4}}), falling = law("stribeck", {{"c", 0.0}});
  const StepperOptions events{.method = Method::events, .tolerance = 1e-8};
  const StepperOptions midpoint{.method = Method::midpoint, .step = 0.03};
  const StepperOptions newmark{.method = Method::newmark, .step = 0.03};
  std::vector<Case> all;
  for (const auto& [name, options] :
       {std::pair{"events", events}, {"midpoint", midpoint}, {"newmark", newmark}}) {
    all.push_back(
        {std::string(name) + " jenkins", two_masses(jenkins(2, 0.3), law("iwan4")), options});
    all.push_back({std::string(name) + " rigid", two_masses(rigid, falling), options});
  }
  all.push_back({"midpoint maxwell", two_masses(law("maxwell"), law("lugre")), midpoint});
  return all;
}

/// All that a host sees.
std::vector<double> seen(const Stepper& stepper) {
  std::vector<double> numbers{stepper.t(), stepper.audit().input, stepper.audit().viscous,
                              stepper.audit().joints, stepper.joint_energy(0)};
  for (const Eigen::VectorXd& v : {stepper.x(), stepper.v(), stepper.joint_forces()})
    numbers.insert(numbers.end(), v.begin(), v.end());
  return numbers;
}

TEST(Stepper, going_on_from_a_restored_copy_gives_the_same_bits) {
  for (const auto& [name, structure, options] : cases()) {
    SCOPED_TRACE(name);
    Stepper stepper(structure, options);
    ASSERT_TRUE(stepper.advance(2.3)) << stepper.message();
    const Stepper saved = stepper;
    std::vector<std::vector<double>> first, second;
    for (std::vector<std::vector<double>>* rows : {&first, &second}) {
      for (int i = 1; i <= 8; ++i) {
        ASSERT_TRUE(stepper.advance(2.3 + 0.7 * i)) << stepper.message();
        rows->push_back(seen(stepper));
      }
      stepper = saved;
    }
    EXPECT_EQ(first, second);
    EXPECT_EQ(seen(saved), seen(stepper));
    EXPECT_NE(first.front(), first.back());
  }
}

TEST(Stepper, going_on_from_saved_numbers_gives_the_same_bits) {
  std::vector<Case> all = cases();
  for (const auto& [name, method] :
       {std::pair{"hht", Method::hht}, {"generalized-alpha", Method::generalized_alpha}})
    all.push_back(
        {name, two_masses(law("bouc-wen"), law("dahl")), {.method = method, .step = 0.05}});
  // More than the largest structure that is factorised as a whole.
  Case chain{"chain",
             {diagonal(std::vector<double>(70, 1.0)),
              diagonal(std::vector<double>(70, 0.01)),
              diagonal(std::vector<double>(70, 0.1)),
              {},
              {}},
             {.method = Method::midpoint, .step = 0.03}};
  for (Eigen::Index i = 1; i < 70; ++i) add_along(chain.structure.K, between(70, i, i + 1), 1);
  chain.structure.joints.push_back({jenkins(2, 0.3), between(70, 0, 70)});
  chain.structure.loads.push_back({Eigen::VectorXd::Unit(70, 69), Tones{{Tone{1, 0, 1, 0.6}}}});
  all.push_back(chain);
  for (const auto& [name, structure, options] : all) {
    SCOPED_TRACE(name);
    Stepper stepper(structure, options);
    ASSERT_TRUE(stepper.advance(2.3)) << stepper.message();
    const StateRecord numbers = stepper.save();
    Stepper other(structure, options);
    other.load(numbers);
    EXPECT_EQ(other.save(), numbers);
    for (int i = 1; i <= 8; ++i) {
      ASSERT_TRUE(stepper.advance(2.3 + 0.7 * i)) << stepper.message();
      ASSERT_TRUE(other.advance(2.3 + 0.7 * i)) << other.message();
      ASSERT_EQ(seen(stepper), seen(other)) << i;
    }
    std::size_t before = 0, after = 0;
    for (const auto& [field, list] : numbers) before += list.size();
    for (const auto& [field, list] : stepper.save()) after += list.size();
    EXPECT_LE(after, before + 40);  // what sticks differs; nothing grows with time
  }
}

TEST(Stepper, numbers_of_another_structure_are_refused) {
  const std::vector<Case> all = cases();
  const StateRecord numbers = Stepper(all[0].structure, all[0].options).save();
  Structure larger{diagonal({1, 1, 1}), diagonal({0, 0, 0}), diagonal({1, 1, 1}), {}, {}};
  Stepper stepper(larger, all[0].options);
  EXPECT_NE(message_of([&] { stepper.load(numbers); }).find("no state of this structure"),
            std::string::npos);
}

TEST(Stepper, goes_as_the_run_of_a_whole_motion_does) {
  for (const auto& [name, structure, options] : cases()) {
    SCOPED_TRACE(name);
    const double interval = 0.3;
    TimeOptions whole;
    whole.method = options.method;
    whole.until = 6;
    whole.step = options.method == Method::events ? interval : options.step;
    whole.tolerance = options.tolerance;
    const TimeResult run = integrate(structure, whole);
    ASSERT_EQ(run.message, "");
    StepperOptions same = options;
    same.span = whole.until;
    Stepper stepper(structure, same);
    for (int i = 1; i <= 20; ++i) ASSERT_TRUE(stepper.advance(interval * i)) << stepper.message();
    EXPECT_NEAR((stepper.x() - run.x.back()).norm(), 0, 1e-12);
    EXPECT_NEAR((stepper.v() - run.v.back()).norm(), 0, 1e-12);
    EXPECT_NEAR(stepper.joint_energy(1), run.joint_energy[1], 1e-12);
    EXPECT_NEAR(stepper.audit().input, run.audit.input, 1e-12);
  }
}

TEST(Stepper, a_force_acts_from_when_it_is_set) {
  // A mass on a spring, at rest until t = 1: x = F/k (1 − cos ω(t − 1)).
  Structure s{diagonal({2}), diagonal({0}), diagonal({8}), {}, {}};
  for (const Method method : {Method::events, Method::midpoint}) {
    Stepper stepper(s, {.method = method, .step = 1e-3});
    ASSERT_TRUE(stepper.advance(1));
    EXPECT_EQ(stepper.x()[0], 0);
    stepper.set_force(Eigen::VectorXd::Constant(1, 4));
    ASSERT_TRUE(stepper.advance(1.7));
    EXPECT_NEAR(stepper.x()[0], 0.5 * (1 - std::cos(2 * 0.7)),
                method == Method::events ? 1e-8 : 1e-6);
    EXPECT_NEAR(stepper.audit().input, 4 * stepper.x()[0], 1e-8);
  }
}

TEST(Stepper, a_force_that_is_set_releases_a_stuck_joint) {
  Structure s{diagonal({1}), diagonal({0}), diagonal({1}), {}, {}};
  s.joints.push_back({law("coulomb", {{"fc", 0.5}}), Eigen::VectorXd::Ones(1)});
  for (const Method method : {Method::events, Method::midpoint}) {
    Stepper stepper(s, {.method = method, .step = 1e-3});
    stepper.set_force(Eigen::VectorXd::Constant(1, 0.4));
    ASSERT_TRUE(stepper.advance(1));
    EXPECT_NEAR(stepper.x()[0], 0, 1e-12);
    EXPECT_NEAR(stepper.joint_forces()[0], 0.4, 1e-9);
    stepper.set_force(Eigen::VectorXd::Constant(1, 0.9));
    ASSERT_TRUE(stepper.advance(1.5));
    // x″ + x = 0.9 − 0.5
    EXPECT_NEAR(stepper.x()[0], 0.4 * (1 - std::cos(0.5)), method == Method::events ? 1e-8 : 1e-4);
  }
}

TEST(Stepper, says_what_it_cannot_take) {
  Structure s = problem_a();
  std::get<Tones>(s.loads[0].signal).list[0].omega = 0.9;
  const auto says = [](const Structure& structure, const StepperOptions& options) {
    return message_of([&] { Stepper(structure, options); });
  };
  EXPECT_NE(says(s, {.method = Method::cvode}).find("cvode"), std::string::npos);
  EXPECT_NE(says(s, {.method = Method::midpoint}).find("step"), std::string::npos);
  EXPECT_NE(says(oscillator(law("maxwell")), {}).find("use midpoint"), std::string::npos);
  Stepper stepper(s, {});
  EXPECT_NE(message_of([&] { stepper.set_force(Eigen::Vector2d(1, 2)); }).find("1 numbers"),
            std::string::npos);
  s.K = diagonal({0});
  EXPECT_NE(says(s, {}).find("span"), std::string::npos);
}

}  // namespace stepper_test
}  // namespace microslip::dynamics
