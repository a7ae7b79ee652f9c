#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/joint/periodic_joint.hpp"
#include "dynamics/periodic/stability.hpp"
#include "dynamics/support.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "support/random.hpp"

/// What a response prints of itself is true: estimates, stability, resonances, energies; and it ends.
namespace microslip::dynamics {
namespace silent_answers_test {

using microslip::testing::Rng;

double largest_difference(const FrequencyResponse& a, const FrequencyResponse& b) {
  double error = 0;
  for (std::size_t i = 0; i < a.at.size(); ++i)
    error = std::max(error, std::abs(a.at[i].first[0].amplitude / b.at[i].first[0].amplitude - 1));
  return error;
}

/// The estimate of 7 harmonics against 63. It was 15 to 130 times too small for stiff sliders.
TEST(Truncation, covers_the_error_of_stiff_sliders) {
  Rng random(4403);
  const int draws = microslip::testing::full_sweep() ? 100 : 3;
  int covered = 0, sharp = 0, cases = 0;
  for (int draw = 0; draw < draws; ++draw) {
    const Structure s = oscillator(jenkins(random.log_uniform(1, 1e4), random.uniform(0.1, 0.5)),
                                   random.uniform(0.6, 1), 1, random.uniform(0.05, 0.1), 1);
    FrequencyResponseOptions options;
    options.from = 0.4;
    options.to = 1.8;
    options.at = {0.5, 0.7, 0.9, 1.0, 1.1, 1.4};
    options.stability = false;
    options.harmonics = 7;
    const FrequencyResponse few = frequency_response(s, options);
    options.harmonics = 63;
    const FrequencyResponse many = frequency_response(s, options);
    if (few.at.size() != options.at.size() || many.at.size() != options.at.size()) continue;
    ++cases;
    const double error = largest_difference(few, many);
    covered += error <= few.truncation;
    sharp += few.truncation <= 30 * error;
  }
  RecordProperty("cases", cases);
  RecordProperty("covered", covered);
  RecordProperty("sharp", sharp);
  EXPECT_GE(cases, draws / 2);
  // An estimate may miss one case in twenty, none of some.
  EXPECT_GE(covered, cases - cases / 20);
  // And one that is mostly more than 30 times the error says little; three draws are too few to tell.
  if (cases > 20) {
    EXPECT_GT(sharp, cases / 2);
  }
}

/// Two one-sided stops and a gap: with 128 steps the multiplier was 1.015 (0.9584 is that of 8192), because
/// jumps of the tangents had been moved to the ends of steps.
TEST(Stability, of_a_motion_with_stops_does_not_depend_on_where_steps_end) {
  Structure s = oscillator(law("unilateral(k=0.9656,gap=0.2835)"), 0.3, 1, 0.05, 1);
  for (const char* model : {"unilateral(k=0.6755,gap=0.4398)", "gap(k=0.4435,gap=0.3744)"})
    s.joints.push_back({law(model), Eigen::VectorXd::Ones(1)});
  FrequencyResponseOptions options;
  options.from = 0.6;
  options.to = 1.8;
  options.harmonics = 9;
  options.stability = false;
  const FrequencyResponse r = frequency_response(s, options);
  HarmonicBalance balance(s, 9);
  double coarse = 0, fine = 0;
  for (std::size_t i = 0; i < r.branch.size(); i += 4) {
    const double exact = std::abs(floquet(balance, r.branch[i].y, 4096).multipliers[0]);
    coarse = std::max(
        coarse, std::abs(std::abs(floquet(balance, r.branch[i].y, 256).multipliers[0]) - exact));
    fine = std::max(
        fine, std::abs(std::abs(floquet(balance, r.branch[i].y, 1024).multipliers[0]) - exact));
  }
  // Of order two, where the steps of 4096 leave a 15th of that of 1024; it was of order one.
  EXPECT_LT(fine, 0.12 * coarse);
}

/// Nothing vibrates but rounding: these were up to 14 resonances, with an energy error of 1.
TEST(Resonances, of_a_stuck_structure_are_none) {
  const Eigen::Index n = 4;
  Structure s{
      diagonal({1.71, 1.941, 0.934, 1.649}), SparseMatrix(n, n), SparseMatrix(n, n), {}, {}};
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  const double springs[] = {1.556, 1.492, 0.665, 0.54};
  for (Eigen::Index i = 0; i < n; ++i) {
    K(i, i) += springs[i];
    if (i == 0) continue;
    K(i - 1, i - 1) += springs[i];
    K(i - 1, i) = K(i, i - 1) = -springs[i];
  }
  s.K = K.sparseView();
  const AnyModel friction = law("coulomb-viscous(fc=5,c=0.1)");
  for (Eigen::Index i = 0; i < n; ++i) s.joints.push_back({friction, Eigen::VectorXd::Unit(n, i)});
  s.loads.push_back({Eigen::VectorXd::Unit(n, 1), Tones{{{0.85, 0, 1, 0}}}});
  FrequencyResponseOptions options;
  options.from = 0.4;
  options.to = 2.2;
  const FrequencyResponse r = frequency_response(s, options);
  for (const auto& peaks : r.peaks) EXPECT_TRUE(peaks.empty());
  EXPECT_EQ(r.energy_balance, 0);
}

/// A law that loses twice what its force does.
class Overstated final : public AnyModel::Interface {
 public:
  explicit Overstated(AnyModel inside) : inside_(std::move(inside)) {}
  AnyModel make(const ParameterValues&, const OptionValues&) const override {
    return AnyModel(std::make_shared<Overstated>(inside_), {}, {});
  }
  AnyDualModel make_dual(const ParameterValues&, const OptionValues&,
                         const DualValues& derivatives) const override {
    return inside_.dual(derivatives);
  }
  const Description& description() const override { return inside_.description(); }
  AnyState rest() const override { return inside_.rest(); }
  StateRecord save(const AnyState& state) const override { return inside_.save(state); }
  AnyState load(const StateRecord& record) const override { return inside_.load(record); }
  double stored(const AnyState& state) const override { return inside_.stored(state); }
  Response<double> step(const AnyState& from, double u, double dt, AnyState& to) const override {
    Response<double> reply = inside_.step(from, u, dt, to);
    reply.dissipated *= 2;
    return reply;
  }
  ForceInMotion<double> force(const AnyState& at, double v) const override {
    return inside_.force(at, v);
  }
  double next_kink(const AnyState& state, int direction) const override {
    return inside_.next_kink(state, direction);
  }
  void run(const Path& path, Drive drive, const Record& record, Checkpoint& at,
           History& out) const override {
    inside_.run(path, drive, record, at, out);
  }

 private:
  AnyModel inside_;
};

TEST(EnergyBalance, that_fails_is_reported_with_its_place) {
  const AnyModel wrong(std::make_shared<Overstated>(jenkins(0.25, 0.2)), {}, {});
  FrequencyResponseOptions options;
  options.from = 0.7;
  options.to = 1.2;
  options.harmonics = 7;
  EXPECT_FALSE(frequency_response(problem_a(), options).unbalanced);
  const FrequencyResponse r = frequency_response(oscillator(wrong), options);
  ASSERT_TRUE(r.unbalanced);
  EXPECT_GT(std::abs(r.unbalanced->balance), 0.1);
}

/// Rounding of a large motion roughens the force; pieces were halved for ever, 0.6 GB a second.
TEST(Memory, of_nodes_is_bounded_however_rough_the_force) {
  PeriodicJoint joint(jenkins(0.5, 0.01), 7, {.level = 1});
  for (const double size : {1e3, 1e8, 1e15, 1e100}) {
    Eigen::VectorXd q = Eigen::VectorXd::Zero(15);
    q[1] = size;
    q[5] = 0.2 * size;
    joint.evaluate(q, 1, true);
    EXPECT_LT(joint.loop().theta.size(), 100000u) << size;
  }
}

/// A joint of 1e12 times the stiffness of its spring: the start of a branch was looked for in time, with
/// steps of its own vibration.
TEST(FrequencyResponse, of_a_nearly_rigid_slider_ends) {
  FrequencyResponseOptions options;
  options.from = 0.4;
  options.to = 2;
  options.harmonics = 7;
  int calls = 0;
  options.progress = [&](double) { return ++calls < 1000000; };
  const FrequencyResponse r =
      frequency_response(oscillator(jenkins(1e12, 0.3), 1, 1, 0.05, 1), options);
  EXPECT_LT(calls, 1000000);
  // What slides is 1e12 times what moves while it sticks; that is no vibration that knows no damping.
  EXPECT_NE(r.end, CurveEnd::unbounded);
}

/// No dashpot, and sliders take less than the load gives at a resonance: the branch went on over 5693 points,
/// to energies of 1e112.
TEST(FrequencyResponse, ends_where_a_vibration_grows_without_bound) {
  Structure s{diagonal({1, 1}), SparseMatrix(2, 2), diagonal({2, 1}), {}, {}};
  s.K.coeffRef(0, 1) = s.K.coeffRef(1, 0) = -1;
  for (Eigen::Index i = 0; i < 2; ++i)
    s.joints.push_back({jenkins(0.5, 0.01), Eigen::VectorXd::Unit(2, i)});
  s.loads.push_back({Eigen::VectorXd::Unit(2, 1), Tones{{{0.5, 0, 1, 0}}}});
  FrequencyResponseOptions options;
  options.from = 0.4;
  options.to = 2;
  options.harmonics = 3;
  options.stability = false;
  const FrequencyResponse r = frequency_response(s, options);
  EXPECT_EQ(r.end, CurveEnd::unbounded);
  EXPECT_LT(r.branch.size(), 1500u);
  ASSERT_FALSE(r.branch.empty());
  // Of the springs alone.
  EXPECT_NEAR(r.branch.back().omega, std::sqrt((3 - std::sqrt(5.0)) / 2), 1e-6);
  EXPECT_LT(r.branch.back().first[1].amplitude, 1e12);
}

}  // namespace silent_answers_test
}  // namespace microslip::dynamics
