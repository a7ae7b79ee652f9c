#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "microslip/detail/catalog/erasure/erased.hpp"
#include "microslip/detail/numerics/signal.hpp"
#include "microslip/friction/builders.hpp"
#include "microslip/models/ellipsoid.hpp"
#include "microslip/models/jenkins.hpp"
#include "microslip/models/m_state.hpp"
#include "microslip/models/zonotope.hpp"
#include "microslip/reduce/study.hpp"
#include "support/message_of.hpp"

namespace microslip::reduce {
namespace {

AnyModel build(const ModelSpec& spec) {
  if (spec.model == "zonotope")
    return catalog::make_any<Zonotope<double>>(spec.parameters, spec.options);
  if (spec.model == "jenkins")
    return catalog::make_any<Jenkins<double>>(spec.parameters, spec.options);
  if (spec.model == "m-state")
    return catalog::make_any<MState<double>>(spec.parameters, spec.options);
  return catalog::make_any<Ellipsoid<double>>(spec.parameters, spec.options);
}

std::vector<double> load(const char* formula, double until = 15, double step = 0.05) {
  return sample_signal(Expression::parse(formula, {"t"}), until, step).u;
}
const char* two_frequencies = "sin(t)+0.4*sin(4.16753*t)";

using testing::message_of;

// Thesis, section 3.3: four printed digits.
TEST(AnalyticModes, give_the_printed_coupling) {
  for (const auto& [alpha, b1, b2] :
       {std::tuple{0.0008, 0.0326, 0.0068}, std::tuple{0.0012, 0.0285, 0.0059}}) {
    const Eigen::MatrixXd phi = analytic_modes(500, 2, alpha);
    EXPECT_NEAR((phi.transpose() * phi - Eigen::Matrix2d::Identity()).norm(), 0, 1e-13);
    const Eigen::VectorXd b = phi.transpose() * Eigen::VectorXd::Constant(500, 1. / 500);
    EXPECT_NEAR(b[0], b1, 5e-5);
    EXPECT_NEAR(b[1], b2, 5e-5);
  }
}

TEST(AnalyticModes, stay_orthonormal_when_there_are_many) {
  const Eigen::MatrixXd phi = analytic_modes(300, 6, 0.001);
  EXPECT_NEAR((phi.transpose() * phi - Eigen::MatrixXd::Identity(6, 6)).norm(), 0, 1e-12);
}

// Thesis, section 3.3, α = 0.0008; the thesis took a million random directions, whose scatter is
// 0.002, 0.001, 0.001: three of it.
TEST(EllipsoidFit, gives_the_printed_matrix) {
  const auto system = friction::iwan_system(500, 1);
  const Projected p = project(system, analytic_modes(500, 2, 0.0008));
  const EllipsoidFit fit = fit_ellipsoid(p.generators, {.directions = 5000});
  EXPECT_NEAR(fit.A(0, 0), 24.8170, 0.006);
  EXPECT_NEAR(fit.A(0, 1), -10.0836, 0.003);
  EXPECT_NEAR(fit.A(1, 1), 6.2967, 0.003);
  EXPECT_NEAR(p.K(0, 0), 1. / 500, 1e-15);
}

TEST(EllipsoidFit, is_exact_in_one_dimension_and_for_a_disc) {
  const Eigen::MatrixXd line = Eigen::RowVector3d(0.5, -0.2, 0.1);
  EXPECT_NEAR(fit_ellipsoid(line, {.directions = 200}).A(0, 0), 0.64, 1e-12);  // (Σ|g|)²
  Eigen::MatrixXd disc(2, 400);
  for (Index j = 0; j < 400; ++j) {
    const double angle = 3.141592653589793 * static_cast<double>(j) / 400;
    disc.col(j) << 3 * std::cos(angle), 3 * std::sin(angle);
  }
  const double radius = 2 * 3 * 400 / 3.141592653589793;  // Σ|g·η|
  const EllipsoidFit fit = fit_ellipsoid(disc, {.directions = 1000});
  EXPECT_NEAR(fit.A(0, 0) / (radius * radius), 1, 1e-4);
  EXPECT_NEAR(fit.A(0, 1) / (radius * radius), 0, 1e-4);
  EXPECT_LT(fit.error, 1e-4);
}

TEST(EllipsoidFit, does_not_depend_on_the_seed_beyond_sampling) {
  const auto system = friction::random_system(40, 3);
  const Projected p = project(system, Eigen::MatrixXd::Identity(40, 3));
  const auto one = fit_ellipsoid(p.generators, {.directions = 50000, .seed = 1});
  const auto other = fit_ellipsoid(p.generators, {.directions = 50000, .seed = 2});
  EXPECT_GT((one.A - other.A).norm(), 0);
  EXPECT_LT((one.A - other.A).norm() / one.A.norm(), 0.02);
  EXPECT_EQ((fit_ellipsoid(p.generators, {.directions = 50000, .seed = 1}).A - one.A).norm(), 0);
}

// The mean over a hundred thousand directions scatters by about 0.5 % of its size.
TEST(EllipsoidFit, closed_form_moments_are_those_of_many_directions) {
  const Eigen::MatrixXd G = Eigen::MatrixXd::Random(3, 12);
  const Eigen::MatrixXd T = friction_moments(G);
  std::mt19937_64 rng(7);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(3, 3);
  constexpr int count = 100000;
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d eta(normal(rng), normal(rng), normal(rng));
    const double friction = friction_along(G, eta);
    sum += friction * friction * eta * eta.transpose() / count;
  }
  EXPECT_LT((sum - T).norm(), 0.02 * T.norm());
  // A = T by its normal equations, and where √(ηᵀAη) is exact, it is found.
  const Eigen::MatrixXd A = fit_ellipsoid(G, {1000, 1, EllipsoidBy::moments}).A;
  EXPECT_LT((2 * A + A.trace() * Eigen::MatrixXd::Identity(3, 3) - T).norm(), 1e-12 * T.norm());
  Eigen::MatrixXd line(1, 3);
  line << 1, -2, 0.5;
  EXPECT_NEAR(fit_ellipsoid(line, {1000, 1, EllipsoidBy::moments}).A(0, 0), 3.5 * 3.5, 1e-12);
}

TEST(GeneratorFit, is_exact_with_one_generator_for_each_direction) {
  Eigen::MatrixXd G(2, 6);
  G << 1, -2, 0, 0, 0.5, -0.5, 0, 0, 1, 3, 0.5, -0.5;  // three directions, two of each
  const GeneratorFit fit = fit_generators(G, 3, {.directions = 1000});
  EXPECT_EQ(fit.generators.cols(), 3);
  EXPECT_NEAR(fit.error, 0, 1e-12);
  EXPECT_LT(fit_generators(G, 2, {.directions = 1000}).error, 0.2);
  EXPECT_EQ(message_of([&] { fit_generators(G, 1); }),
            "reduce.generators = 1 must be at least the number of modes, 2");
}

TEST(GeneratorFit, improves_with_their_number) {
  const auto system = friction::iwan_system(200, 1);
  const Projected p = project(system, analytic_modes(200, 2, 0.003));
  double before = fit_ellipsoid(p.generators, {.directions = 4000}).error;
  for (const Index count : {4, 8, 16, 32}) {
    const double error = fit_generators(p.generators, count, {.directions = 4000}).error;
    EXPECT_LT(error, 0.6 * before) << count;
    before = error;
  }
}

// Thesis, fig. 2.7: β = ½ is close to the best of its family. For smaller ones A is not positive
// definite, and the error is NaN.
TEST(BetaStudy, one_half_is_the_best_that_is_positive) {
  const auto system = friction::random_system(60, 1);
  const std::vector<std::vector<double>> loads{load(two_frequencies)};
  const SliderModes modes =
      proper_orthogonal_modes(system, loads, {.main = 3, .after_reversals = 3});
  const auto errors = error_against_beta(project(system, modes.basis).generators,
                                         {0.3, 0.5, 0.7, 1, 2}, {.directions = 20000});
  EXPECT_TRUE(std::isnan(errors[0]));
  EXPECT_LT(errors[1], 0.01);  // Σ(Ĝ − G)²/ΣG²
  for (std::size_t i = 2; i < errors.size(); ++i) EXPECT_GT(errors[i], errors[i - 1]);
}

// With all modes there is no reduction: the zonotope law is the many-slider system itself. Two
// solvers that share nothing.
TEST(Reduction, with_all_modes_is_the_full_system) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const auto system = friction::random_system(9, seed);
    const Projected p = project(system, Eigen::MatrixXd::Identity(9, 9));
    const ReducedModel model = reduced_model(p, Shape::zonotope, {}, 0);
    const FullRun full = run_full(system, {}, "validation", load("sin(t)+1.5*sin(pi*t)"));
    const Misfit misfit = compare(full, build(model.spec));
    EXPECT_LT(misfit.rms, 1e-12);
    EXPECT_NEAR(misfit.energy, 0, 1e-11);
    EXPECT_GT(full.energy.back(), 0);
  }
}

// Three periods of a second, the small oscillation crossing the middle as well: not more than three
// cycles. Then half a period, which is none.
TEST(Cycles, rise_through_the_middle_after_both_ends) {
  std::vector<double> loads;
  const auto add = [&](double from, double to) {
    for (int i = 0; i < 10; ++i) loads.push_back(from + (to - from) * i / 10);
  };
  for (int period = 0; period < 3; ++period) {
    add(0, 0.2), add(0.2, -0.2), add(-0.2, 1);  // three crossings, one rise that counts
    add(1, -1), add(-1, 0);
  }
  add(0, 1), add(1, 0.5);
  EXPECT_EQ(cycle_rows(loads), (std::vector<std::size_t>{0, 50, 100, 150}));
  // From the other side: half a period first, and no cycle until the rise after it.
  for (double& x : loads) x = -x;
  EXPECT_EQ(cycle_rows(loads).size(), 3u);
  EXPECT_TRUE(cycle_rows({}).empty());
  EXPECT_EQ(cycle_rows({1, 1, 1}).size(), 0u);
}

// Wrong by a sixth in one of three cycles is wrong by a sixteenth over all of them.
TEST(Cycles, tell_what_the_whole_history_averages_out) {
  const auto run = [](double second) {  // energy of Coulomb friction, 4 f a cycle
    const auto model = build({"jenkins", {{"k", 1e9}, {"phi", 1.0}}, {}});
    FullRun full{"", {0, 1, -1, 0, 1, -1, 0, 1, -1, 0}, {}, {}, 0};
    full.answer = full.energy = {0, 1, 3, 4, 5, 7, 8, 9, 11, 12};
    for (std::size_t i = 4; i < 7; ++i) full.energy[i] += second * (static_cast<double>(i) - 3) / 3;
    for (std::size_t i = 7; i < 10; ++i) full.energy[i] += second;
    return compare(full, model);
  };
  EXPECT_NEAR(run(0).cycle_energy.at(1), 0, 1e-8);
  const Misfit misfit = run(0.8);  // 4 instead of 4.8 in the second of three cycles
  ASSERT_EQ(misfit.cycle_energy.size(), 3u);
  EXPECT_NEAR(misfit.cycle_energy[0], 0, 1e-8);
  EXPECT_NEAR(misfit.cycle_energy[1], -0.8 / 4.8, 1e-8);
  EXPECT_NEAR(misfit.energy, -0.8 / 12.8, 1e-8);
  EXPECT_NEAR(worst_cycle_energy({run(0), misfit}), -0.8 / 4.8, 1e-8);
  EXPECT_NEAR(rms_cycle_energy({run(0), misfit}), 0.8 / 4.8 / std::sqrt(6.0), 1e-8);
  EXPECT_TRUE(std::isnan(worst_cycle_energy({})) && std::isnan(rms_cycle_energy({})));
}

// What the thesis holds to be impossible: more modes do make the reduced model better, if the
// friction is kept exact. The ellipsoid does not gain.
TEST(Reduction, more_modes_help_the_zonotope_not_the_ellipsoid) {
  const auto system = friction::iwan_system(60, 0.02);
  const std::vector<std::vector<double>> loads{load("0.6748*sin(t)+0.2887*sin(6.5581*t)")};
  const Output force{true, 1};
  const FullRun fresh =
      run_full(system, force, "fresh", load("0.4049*sin(t)+0.1732*sin(4.5581*t)"));
  std::vector<double> zonotope, few, ellipsoid;
  for (const Index m : {2, 4, 6}) {
    const SliderModes modes = proper_orthogonal_modes(system, loads, {.main = m});
    const Projected p = project(system, modes.basis);
    const auto error = [&](Shape shape) {
      const FitOptions options{.directions = 5000};
      return compare(fresh, build(reduced_model(p, shape, force, 3 * m, options).spec)).rms;
    };
    zonotope.push_back(error(Shape::zonotope));
    few.push_back(error(Shape::few_generators));
    ellipsoid.push_back(error(Shape::ellipsoid));
  }
  EXPECT_LT(zonotope[1], 0.5 * zonotope[0]);
  EXPECT_LT(zonotope[2], 0.7 * zonotope[1]);
  EXPECT_LT(zonotope[2], 0.01);
  EXPECT_GT(ellipsoid[2], 0.5 * ellipsoid[0]);
  EXPECT_GT(ellipsoid[2], 5 * zonotope[2]);
  EXPECT_LT(few[2], 0.5 * ellipsoid[2]);
}

TEST(Reduction, m_state_is_the_ellipsoid_in_canonical_form) {
  const auto system = friction::iwan_system(50, 0.02);
  const Projected p = project(system, analytic_modes(50, 3, 0.02));
  const Output force{true, 1.4};
  const FullRun run = run_full(system, force, "x", load("0.5*sin(t)+0.2*sin(5*t)"));
  const FitOptions options{.directions = 5000};
  const auto m_state = reduced_model(p, Shape::m_state, force, 0, options);
  const auto ellipsoid = reduced_model(p, Shape::ellipsoid, force, 0, options);
  const Misfit one = compare(run, build(m_state.spec)), other = compare(run, build(ellipsoid.spec));
  for (std::size_t i = 0; i < one.answer.size(); ++i)
    ASSERT_NEAR(one.answer[i], other.answer[i], 1e-11);
  EXPECT_EQ(m_state.parameters, 6u);
  EXPECT_NE(message_of([&] {
              reduced_model(p, Shape::m_state, {}, 0, options);
            }).find("m-state answers a force"),
            std::string::npos);
}

TEST(Modes, are_orthonormal_and_fall) {
  const auto system = friction::random_system(30, 5);
  const std::vector<std::vector<double>> loads{load(two_frequencies), load("0.7*sin(t)")};
  const SliderModes modes =
      proper_orthogonal_modes(system, loads, {.main = 3, .after_reversals = 2});
  EXPECT_EQ(modes.basis.cols(), 5);
  EXPECT_NEAR((modes.basis.transpose() * modes.basis - Eigen::MatrixXd::Identity(5, 5)).norm(), 0,
              1e-12);
  for (Index i = 1; i < 30; ++i)
    EXPECT_LE(modes.singular_values[i], modes.singular_values[i - 1] * (1 + 1e-12));
  EXPECT_GE((modes.basis.transpose() * system.b()).minCoeff(), 0);
}

TEST(Modes, refuse_what_the_loads_do_not_show) {
  const auto system = friction::random_system(30, 5);
  const std::vector<std::vector<double>> tiny{load("1e-6*sin(t)")};
  EXPECT_EQ(message_of([&] { proper_orthogonal_modes(system, tiny, {.main = 2}); }),
            "the loads move the sliders in only 0 independent ways; 2 modes were asked for");
  EXPECT_EQ(message_of([&] { proper_orthogonal_modes(system, tiny, {.main = 40}); }),
            "reduce: 40 modes are more than the system has sliders, 30");
  EXPECT_EQ(message_of([] { shape_of("elipsoid"); }),
            "unknown reduced model 'elipsoid'; did you mean 'ellipsoid'?");
}

}  // namespace
}  // namespace microslip::reduce
