#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "dynamics/joint/periodic_joint.hpp"
#include "dynamics/support.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/dynamics/periodic/averaging.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "support/random.hpp"

/// A law inside wrappers and sums is the law that it equals, in every analysis.
namespace microslip::dynamics {
namespace wrapped_law_test {

using Random = microslip::testing::Rng;
double between(Random& random, double low, double high) { return random.uniform(low, high); }
std::string text(double x) { return number_text(x); }

/// The same law, written in two ways.
struct Pair {
  std::string one, other;
};

constexpr int pair_kinds = 9;

Pair drawn_pair(int which, Random& random) {
  const std::string k = text(between(random, 0.3, 2)), phi = text(between(random, 0.1, 0.6));
  const double gap = between(random, 0.1, 0.5), in = between(random, 0.5, 2),
               out = between(random, 0.5, 2);
  const std::string jenkins = "jenkins(k=" + k + ",phi=" + phi + ")";
  const std::string bouc = "bouc-wen(A=1,beta=0.5,gamma=0.5,n=1,k=" + k + ",a=0.1)";
  switch (which % pair_kinds) {
    case 0:
      return {"backlash(linear(k=" + k + "),gap=" + text(gap) + ")",
              "gap(k=" + k + ",gap=" + text(gap / 2) + ")"};
    case 1:
      return {"scaled(" + jenkins + ",input_gain=" + text(in) + ",output_gain=" + text(out) + ")",
              "jenkins(k=" + text(std::stod(k) * in * out) + ",phi=" + text(std::stod(phi) * out) +
                  ")"};
    case 2:
      return {jenkins + "+" + bouc, bouc + "+" + jenkins};
    case 3:
      return {"backlash(linear(k=" + k + "),gap=" + text(gap) + ")+" + jenkins,
              jenkins + "+gap(k=" + k + ",gap=" + text(gap / 2) + ")"};
    case 4:
      return {"scaled(backlash(linear(k=" + k + "),gap=" + text(gap) +
                  "),output_gain=" + text(out) + ")",
              "gap(k=" + text(std::stod(k) * out) + ",gap=" + text(gap / 2) + ")"};
    case 5:
      return {"backlash(" + bouc + ",gap=0)", bouc};
    case 6: {
      // A spring before a slider makes it softer.
      const double stiffness = std::stod(k), compliance = between(random, 0.2, 2);
      return {"series(" + jenkins + ",compliance=" + text(compliance) + ")",
              "jenkins(k=" + text(stiffness / (1 + compliance * stiffness)) + ",phi=" + phi + ")"};
    }
    case 7: {
      const std::string stiffer = text(std::stod(k) * out), larger = text(std::stod(phi) * in);
      return {jenkins + "+jenkins(k=" + stiffer + ",phi=" + larger + ")",
              "masing(k=[" + k + "," + stiffer + "],phi=[" + phi + "," + larger + "])"};
    }
    default: {
      const std::string iwan = "iwan4(Fs=" + phi + ",KT=" + k + ",chi=-0.4,beta=0.7)";
      return {bouc + "+series(" + iwan + ")", iwan + "+" + bouc};
    }
  }
}

/// One or two masses on springs and dashpots, with a joint to the ground.
Structure drawn_structure(int masses, Random& random) {
  Structure s{SparseMatrix(masses, masses),
              SparseMatrix(masses, masses),
              SparseMatrix(masses, masses),
              {},
              {}};
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(masses, masses);
  for (int i = 0; i < masses; ++i) {
    const double k = between(random, 0.5, 2);
    s.M.coeffRef(i, i) = between(random, 0.5, 2);
    K(i, i) += k;
    if (i > 0) {
      K(i - 1, i - 1) += k;
      K(i, i - 1) -= k;
      K(i - 1, i) -= k;
    }
  }
  s.K = K.sparseView();
  s.C = (0.08 * K).sparseView();
  Eigen::VectorXd last = Eigen::VectorXd::Unit(masses, masses - 1);
  s.loads.push_back({last, Tones{{{between(random, 0.2, 0.6), 0, 1, 0}}}});
  return s;
}

Structure with_joint(Structure s, const std::string& model) {
  s.joints.push_back({law(model), Eigen::VectorXd::Unit(s.size(), s.size() - 1)});
  return s;
}

double amplitude_of(const ResponsePoint& point) { return point.first.back().amplitude; }

/// How many curves there were, and how many of them did not come to the end of their range.
struct Curves {
  int all = 0, ended = 0;
};

/// Both ways of writing a law end alike, and most curves come to the end of their range.
bool same_end(CurveEnd a, CurveEnd b, Curves& curves) {
  EXPECT_EQ(a, b);
  ++curves.all;
  curves.ended += a != CurveEnd::reached;
  return a == CurveEnd::reached;
}

void same_responses(const Structure& one, const Structure& other, Along along, Curves& curves) {
  FrequencyResponseOptions options;
  options.along = along;
  options.omega = 0.7;
  options.harmonics = 9;
  options.dof = one.size() - 1;
  options.from = along == Along::frequency ? 0.3 : 0.2;
  options.to = 1.5;
  options.at = {0.4, 0.6, 0.75, 0.9, 1.1, 1.3};
  const FrequencyResponse a = frequency_response(one, options),
                          b = frequency_response(other, options);
  EXPECT_LT(a.energy_balance, 1e-6);
  EXPECT_LT(b.energy_balance, 1e-6);
  ASSERT_EQ(a.at.size(), b.at.size());
  if (same_end(a.end, b.end, curves)) {
    EXPECT_GE(a.at.size(), options.at.size());
  }
  // Both are solved to 1e-9 of the forces; a dashpot of 4 % multiplies that by some tens at most.
  for (std::size_t i = 0; i < a.at.size(); ++i) {
    EXPECT_EQ(a.at[i].stability, b.at[i].stability) << a.at[i].omega;
    EXPECT_NEAR(amplitude_of(a.at[i]) / amplitude_of(b.at[i]), 1, 1e-7) << a.at[i].omega;
  }
  if (along != Along::frequency) return;
  ASSERT_EQ(a.peaks.back().size(), b.peaks.back().size());
  for (std::size_t i = 0; i < a.peaks.back().size(); ++i)
    EXPECT_NEAR(amplitude_of(a.peaks.back()[i]) / amplitude_of(b.peaks.back()[i]), 1, 1e-7);
}

void same_modes(Structure one, Structure other, Curves& curves) {
  ModeOptions options;
  options.from = 0.05;
  options.to = 2;
  options.at = {0.1, 0.2, 0.35, 0.6, 1};
  options.harmonics = 7;
  const ModeCurve a = nonlinear_mode(one, options), b = nonlinear_mode(other, options);
  ASSERT_EQ(a.at.size(), b.at.size());
  // A mode may pass an amplitude several times.
  if (same_end(a.end, b.end, curves)) {
    EXPECT_GE(a.at.size(), options.at.size());
  }
  for (std::size_t i = 0; i < a.at.size(); ++i) {
    EXPECT_NEAR(a.at[i].omega / b.at[i].omega, 1, 1e-7) << a.at[i].amplitude;
    EXPECT_NEAR(a.at[i].zeta, b.at[i].zeta, 1e-7) << a.at[i].amplitude;
  }
  const ModeCurve c = quasi_static_mode(one, options), d = quasi_static_mode(other, options);
  ASSERT_EQ(c.points.size(), d.points.size());
  for (std::size_t i = 0; i < c.points.size(); ++i)
    EXPECT_NEAR(c.points[i].omega / d.points[i].omega, 1, 1e-9);
}

void same_histories(Structure one, Structure other) {
  for (Structure* s : {&one, &other})
    for (Load& load : s->loads)
      for (Tone& tone : std::get<Tones>(load.signal).list) tone.omega = 0.8;
  TimeOptions options;
  options.until = 20;
  const TimeResult a = integrate(one, options), b = integrate(other, options);
  ASSERT_FALSE(a.x.empty());
  ASSERT_FALSE(b.x.empty());
  EXPECT_NEAR(a.x.back()[one.size() - 1], b.x.back()[one.size() - 1], 1e-6);
}

TEST(WrappedLaw, is_the_law_that_it_equals_in_every_analysis) {
  Random random(4401);
  const int draws = microslip::testing::full_sweep() ? 63 : pair_kinds;
  Curves curves;
  for (int draw = 0; draw < draws; ++draw) {
    const Pair pair = drawn_pair(draw, random);
    SCOPED_TRACE(pair.one + " and " + pair.other);
    const Structure plain = drawn_structure(1 + draw % 2, random);
    const Structure one = with_joint(plain, pair.one), other = with_joint(plain, pair.other);
    same_responses(one, other, Along::frequency, curves);
    same_responses(one, other, Along::level, curves);
    same_responses(one, other, Along::amplitude, curves);
    same_modes(one, other, curves);
    same_histories(one, other);
    if (plain.size() == 1)
      for (const double a : {0.1, 0.4, 1.0}) {
        EXPECT_NEAR(averaged(one, a).omega, averaged(other, a).omega, 1e-8);
        EXPECT_NEAR(averaged(one, a).zeta, averaged(other, a).zeta, 1e-8);
      }
  }
  EXPECT_LE(curves.ended, curves.all / 20);
}

/// The table of the report of the defect: rows of `at`, of a mode and of the resonance were those of a law
/// whose gap was open at the outermost reversal. By the law `gap` on a converged number of harmonics.
TEST(WrappedLaw, backlash_of_a_spring_is_a_gap_at_the_rows_asked_for) {
  const AnyModel wrapped = law("backlash(linear(k=1.5),gap=0.35)");
  FrequencyResponseOptions options;
  options.along = Along::level;
  options.omega = 0.5;
  options.from = 0.1;
  options.to = 0.35;
  options.at = {0.15, 0.18, 0.2, 0.25, 0.3};
  const FrequencyResponse r = frequency_response(oscillator(wrapped, 1, 1, 0.1, 1), options);
  ASSERT_EQ(r.at.size(), options.at.size());
  const double expected[] = {0.1868, 0.2012, 0.2103, 0.2326, 0.2546};
  for (std::size_t i = 0; i < r.at.size(); ++i)
    EXPECT_NEAR(amplitude_of(r.at[i]), expected[i], 5e-5);
  EXPECT_LT(r.energy_balance, 1e-8);
}

/// The state at the start of the last loop is where the next is looked for. What is no number of it (side in
/// contact, direction) must not stay.
TEST(WrappedLaw, force_and_jacobian_do_not_depend_on_the_motion_before) {
  Random random(4402);
  const std::string models[] = {"backlash(linear(k=1.5),gap=0.4)",
                                "backlash(bouc-wen(A=1,beta=0.5,gamma=0.5,n=1,k=1,a=0.1),gap=0.4)",
                                "backlash(jenkins(k=1,phi=0.2),gap=0.4)+dahl",
                                "scaled(backlash(linear,gap=0.4))",
                                "backlash(linear,gap=0.3)+backlash(linear,gap=0.9)"};
  for (const std::string& model : models)
    for (const bool odd : {true, false}) {
      PeriodicJoint used(law(model), 5);
      for (int motion = 0; motion < 30; ++motion) {
        Eigen::VectorXd q = Eigen::VectorXd::Zero(11);
        const double size = between(random, 0.02, 1);
        q[1] = size;
        q[5] = 0.1 * size * between(random, -1, 1);
        q[6] = 0.1 * size * between(random, -1, 1);
        if (!odd) q[0] = 0.1 * size;
        PeriodicJoint fresh(law(model), 5), plain(law(model), 5);
        const PeriodicForce without = plain.evaluate(q, 1, false);
        const PeriodicForce& a = used.evaluate(q, 1, true);
        const PeriodicForce& b = fresh.evaluate(q, 1, true);
        ASSERT_EQ(a.status, Status::ok);
        EXPECT_LT((a.coefficients - b.coefficients).lpNorm<Eigen::Infinity>(), 1e-9) << model;
        EXPECT_LT((a.coefficients - without.coefficients).lpNorm<Eigen::Infinity>(), 1e-9) << model;
        EXPECT_LT((a.jacobian - b.jacobian).lpNorm<Eigen::Infinity>(), 1e-6)
            << model << ' ' << size;
      }
    }
}

template <class Analysis>
std::string refusal(const Analysis& analysis) {
  try {
    analysis();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(WrappedLaw, a_law_that_never_repeats_is_refused_wherever_it_stands) {
  const std::string sentence = "never repeats its loop, so there is no steady response";
  for (const std::string model :
       {"bouc-wen-degrading", "jenkins+bouc-wen-degrading", "coulomb+bouc-wen-degrading",
        "viscous+bouc-wen-degrading", "coulomb+viscous+bouc-wen-degrading",
        "backlash(bouc-wen-degrading,gap=0.1)", "scaled(bouc-wen-degrading,input_gain=2)",
        "backlash(linear+bouc-wen-degrading,gap=0.1)", "duhem(g1=1+sin(3*u),g2=1-sin(u))",
        "jenkins+duhem-rate(g1=1+sin(u)*v,g2=1)"}) {
    EXPECT_FALSE(law(model).repeats()) << model;
    const Structure s = oscillator(law(model));
    FrequencyResponseOptions response;
    response.from = 0.5;
    response.to = 1.5;
    EXPECT_NE(refusal([&] { frequency_response(s, response); }).find(sentence), std::string::npos)
        << model;
    ModeOptions mode;
    mode.from = 0.1;
    mode.to = 1;
    EXPECT_NE(refusal([&] { nonlinear_mode(s, mode); }).find(sentence), std::string::npos) << model;
    EXPECT_NE(refusal([&] { averaged(s, 1); }), "") << model;
  }
}

}  // namespace wrapped_law_test
}  // namespace microslip::dynamics
