#include "microslip/dynamics/structure/reduction.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>

#include "dynamics/balance/harmonic_balance.hpp"
#include "dynamics/support.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/structure/modes.hpp"
#include "microslip/dynamics/time/shooting.hpp"

namespace microslip::dynamics {
namespace reduction_test {

/// A rod of n unit masses and springs, clamped on the left, with a joint near the middle and a
/// force at the end.
Structure rod(Eigen::Index n) {
  Structure s{diagonal(std::vector<double>(static_cast<std::size_t>(n), 1)),
              SparseMatrix(n, n),
              SparseMatrix(n, n),
              {},
              {}};
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index i = 0; i < n; ++i) {
    entries.emplace_back(i, i, i + 1 < n ? 2 : 1);
    if (i + 1 < n) {
      entries.emplace_back(i, i + 1, -1);
      entries.emplace_back(i + 1, i, -1);
    }
  }
  s.K.setFromTriplets(entries.begin(), entries.end());
  s.C = 0.002 * s.K;
  s.joints.push_back({jenkins(0.5, 0.05), between(n, 0, n / 2)});
  s.loads.push_back({Eigen::VectorXd::Unit(n, n - 1), Tones{{{0.02, 0, 1, 0}}}});
  return s;
}

TEST(Reduction, reduced_response_converges_to_the_full_one) {
  const Structure full = rod(40);
  FrequencyResponseOptions options;
  options.from = 0.03;
  options.to = 0.05;
  options.harmonics = 1;
  options.stability = options.peaks = false;
  options.at = {0.04};
  const FrequencyResponse exact = frequency_response(full, options);
  double error[2];
  int i = 0;
  for (const int modes : {8, 24}) {
    const Reduced small = craig_bampton(full, modes);
    EXPECT_EQ(small.kept, (std::vector<Eigen::Index>{19, 39}));
    EXPECT_EQ(small.structure.size(), 2 + modes);
    const FrequencyResponse r = frequency_response(small.structure, options);
    error[i++] = std::abs(r.at.at(0).first[1].amplitude / exact.at.at(0).first[39].amplitude - 1);
  }
  EXPECT_LT(error[0], 1e-4);
  // What is left out falls with the cube of the number of modes; three times as many: 27.
  EXPECT_LT(error[1], error[0] / 20);
}

/// A dense structure of 14 degrees of freedom with five joints that slip, some of them rigid.
Structure with_joints(const std::vector<Eigen::Index>& rigid = {}) {
  Structure s = rod(60);
  s.joints.clear();
  for (const Eigen::Index i : {10, 20, 30, 40, 50})
    s.joints.push_back({jenkins(0.05, 0.02), between(60, 0, i)});
  for (const Eigen::Index i : rigid)
    s.joints[static_cast<std::size_t>(i)].model = law("coulomb", {{"fc", 3e-4}});
  return craig_bampton(s, 8).structure;
}

void expect_same_at(HarmonicBalance& plain, HarmonicBalance& condensed, double omega) {
  Eigen::VectorXd y[2], step[2];
  // From the response without friction, two rigid joints take 20 to 40 damped steps of Newton's method
  // near ω = 0.02; how many is a matter of rounding.
  const NewtonOptions patient{.most_iterations = 200};
  int i = 0;
  for (HarmonicBalance* balance : {&plain, &condensed}) {
    y[i] = balance->starts().linear_response(omega);
    EXPECT_TRUE(solve_at(*balance, y[i], patient).converged);
    // A bordered system of no meaning, with everything in it.
    WideJacobian jacobian;
    Eigen::VectorXd residual;
    ASSERT_TRUE(balance->evaluate(y[i], residual, &jacobian));
    EXPECT_EQ(jacobian.structured(), balance == &condensed);
    const Eigen::VectorXd row = Eigen::VectorXd::LinSpaced(y[i].size(), -1, 2);
    ASSERT_TRUE(jacobian.solve(row, Eigen::VectorXd::LinSpaced(y[i].size(), 0.5, 3), step[i]));
    ++i;
  }
  EXPECT_LT((y[0] - y[1]).norm(), 1e-11 * y[0].norm());
  EXPECT_LT((step[0] - step[1]).norm(), 1e-9 * step[0].norm());
}

/// One after the other, so that what is kept of the first system serves the others.
void expect_same_condensed(const Structure& s) {
  HarmonicBalance plain(s, 7), condensed(s, 7);
  EXPECT_FALSE(condensed.condense(true));
  for (const double omega : {0.045, 0.02, 0.06, 0.3}) expect_same_at(plain, condensed, omega);
}

void expect_same_with_more_borders(const Structure& s) {
  HarmonicBalance plain(s, 7), condensed(s, 7);
  condensed.condense(true);
  const Eigen::VectorXd y = plain.starts().linear_response(0.045);
  const Eigen::Index size = plain.size();
  Eigen::VectorXd step[2], product[2];
  int i = 0;
  for (HarmonicBalance* balance : {&plain, &condensed}) {
    WideJacobian jacobian;
    Eigen::VectorXd residual;
    jacobian.reset(size + 2, true);
    ASSERT_TRUE(balance->accumulate(y, residual, &jacobian));
    EXPECT_EQ(jacobian.structured(), balance == &condensed);
    jacobian.scale_columns(Eigen::VectorXd::LinSpaced(size + 3, 0.5, 2));
    product[i] = jacobian.times(Eigen::VectorXd::LinSpaced(size + 3, -1, 1)).head(size);
    for (Eigen::Index k = 0; k < size; ++k) {
      jacobian.add(k, size + 1, 0.1 * std::sin(1.0 + static_cast<double>(k)));
      jacobian.add(k, size + 2, 0.1 * std::cos(2.0 * static_cast<double>(k)));
      jacobian.add(size, k, std::cos(3.0 * static_cast<double>(k)));
      jacobian.add(size + 1, k, std::sin(0.5 * static_cast<double>(k)));
    }
    jacobian.add(size, size + 2, 0.7);
    jacobian.add(size + 1, size, -0.4);
    ASSERT_TRUE(jacobian.solve(Eigen::VectorXd::LinSpaced(size + 3, -1, 2),
                               Eigen::VectorXd::LinSpaced(size + 3, 0.5, 3), step[i]));
    ++i;
  }
  EXPECT_LT((product[0] - product[1]).norm(), 1e-12 * product[0].norm());
  EXPECT_LT((step[0] - step[1]).norm(), 1e-8 * step[0].norm());
}

/// The linear systems themselves: Newton's method would forgive a wrong border.
TEST(Reduction, systems_with_more_borders_and_other_units_are_the_same) {
  expect_same_with_more_borders(with_joints());
  expect_same_with_more_borders(with_joints({1, 4}));
}

TEST(Reduction, systems_condensed_to_the_joints_are_the_same) {
  Structure s = with_joints();
  expect_same_condensed(s);
  expect_same_condensed(with_joints({0, 3}));
  // Dampers that mix the modes, and one that is not symmetric.
  add_along(s.C, Eigen::VectorXd::Unit(s.size(), 2), 0.1);
  s.C.coeffRef(1, 3) += 0.05;
  expect_same_condensed(s);
}

TEST(Reduction, a_structure_that_moves_freely_is_not_condensed) {
  Structure s = with_joints();
  s.K = SparseMatrix(s.size(), s.size());
  HarmonicBalance balance(s, 1);
  balance.condense(true);
  EXPECT_FALSE(balance.condense(true));
}

TEST(Reduction, a_large_reduced_structure_is_followed_over_its_resonance) {
  // 34 degrees of freedom and 20 joints: more unknowns than are solved directly.
  Structure s = rod(400);
  s.joints.clear();
  for (Eigen::Index i = 20; i <= 400; i += 20)
    s.joints.push_back({jenkins(0.001, 0.001), between(400, 0, i)});
  FrequencyResponseOptions options;
  options.from = 0.007;
  options.to = 0.01;
  options.harmonics = 5;
  options.largest_step = 0.2;
  options.stability = options.peaks = false;
  const FrequencyResponse r = frequency_response(craig_bampton(s, 14).structure, options);
  EXPECT_EQ(r.end, CurveEnd::reached);
  EXPECT_GT(r.branch.size(), 10u);
  EXPECT_LT(r.energy_balance, 1e-8);
}

/// A long rod with rigid friction all along, reduced: its fast modes are far above what is asked.
Structure rubbing_rod(Eigen::Index joints, int modes, double damping) {
  Structure s = rod(400);
  s.C = damping * s.K;
  s.loads[0].signal = Tones{{{1e-3, 0, 1, 0}}};
  s.joints.clear();
  for (Eigen::Index i = 1; i <= joints; ++i)
    s.joints.push_back({law("coulomb", {{"fc", 1e-3 / static_cast<double>(joints)}}),
                        between(400, 0, i * 400 / joints)});
  return craig_bampton(s, modes).structure;
}

TEST(Reduction, rigid_friction_all_along_a_reduced_structure_is_followed) {
  const auto expect_whole = [](Eigen::Index joints, double from, double to) {
    FrequencyResponseOptions options;
    options.from = from;
    options.to = to;
    options.harmonics = 3;
    options.stability = options.peaks = false;
    const FrequencyResponse r = frequency_response(rubbing_rod(joints, 20, 0.2), options);
    EXPECT_EQ(r.end, CurveEnd::reached);
    EXPECT_TRUE(r.leaps.empty());
    EXPECT_LT(r.energy_balance, 1e-8);
  };
  expect_whole(5, 0.002, 0.008);
  expect_whole(25, 0.004, 0.0045);
}

TEST(Reduction, rigid_friction_on_a_reduced_structure_agrees_with_time) {
  const Structure s = rubbing_rod(3, 3, 2);
  FrequencyResponseOptions options;
  options.from = 0.006;
  options.to = 0.0061;
  options.harmonics = 15;
  options.stability = options.peaks = false;
  const FrequencyResponse r = frequency_response(s, options);
  ASSERT_FALSE(r.branch.empty());
  const ShootingOptions shooting{.tolerance = 1e-9, .warm_up = 20};
  const ShootingResult shot = shoot(s, 0.006, shooting);
  ASSERT_TRUE(shot.converged);
  for (const Eigen::Index i : {0, 2})
    EXPECT_NEAR(r.branch[0].first[static_cast<std::size_t>(i)].amplitude /
                    harmonic_of(s, shot, 0.006, i, 1, shooting).norm(),
                1, 5e-4);
}

/// A rod with joints that slip, and the same in other coordinates, whose matrices are full and
/// whose systems are therefore condensed.
struct Twins {
  Structure sparse, full;
};
Twins rods_with_joints(Eigen::Index n, double spring_to_ground = 1) {
  Structure s = rod(n);
  add_along(s.K, between(n, 0, 1), spring_to_ground - 1);
  s.joints.clear();
  for (Eigen::Index i = n / 6; i <= n; i += n / 6)
    s.joints.push_back({jenkins(0.05, 0.02), between(n, 0, i)});
  const Structure full = craig_bampton(s, static_cast<int>(n)).structure;
  return {s, full};
}

/// Asks for three amplitudes: at the first all joints of the rods stick, at the others they slip.
ModeOptions stuck_and_slipping(double largest) {
  ModeOptions options;
  options.from = 1;
  options.to = 1.1 * largest;
  options.harmonics = 3;
  options.largest_step = 0.2;
  options.at = {1.5, 4, largest};
  return options;
}

void expect_same_mode(const Twins& twins, double largest) {
  const ModeOptions options = stuck_and_slipping(largest);
  const ModeCurve a = nonlinear_mode(twins.sparse, options);
  const ModeCurve b = nonlinear_mode(twins.full, options);
  ASSERT_EQ(a.end, CurveEnd::reached);
  ASSERT_EQ(b.end, CurveEnd::reached);
  ASSERT_EQ(a.at.size(), 3u);
  ASSERT_EQ(b.at.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(b.at[i].omega / a.at[i].omega, 1, 1e-9) << a.at[i].amplitude;
    EXPECT_NEAR(b.at[i].zeta, a.at[i].zeta, 1e-9) << a.at[i].amplitude;
  }
  // Stuck, slipping, and slipping far more: not three times the same.
  EXPECT_LT(a.at[0].zeta, a.at[1].zeta);
  EXPECT_GT(a.at[0].omega, 1.05 * a.at[2].omega);
}

TEST(Reduction, quasi_static_loops_of_many_joints_pass_the_middle) {
  const Twins twins = rods_with_joints(60);
  const ModeOptions options = stuck_and_slipping(20);
  const ModeCurve slow = nonlinear_mode(twins.sparse, options);
  const ModeCurve fast = quasi_static_mode(twins.sparse, options);
  const ModeCurve full = quasi_static_mode(twins.full, options);
  ASSERT_EQ(fast.end, CurveEnd::reached);
  ASSERT_EQ(fast.at.size(), 3u);
  EXPECT_NEAR(fast.at[0].omega / slow.at.at(0).omega, 1, 1e-9);  // stuck: linear
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(fast.at[i].omega / full.at.at(i).omega, 1, 1e-9);
    EXPECT_NEAR(fast.at[i].zeta, full.at.at(i).zeta, 1e-9);
  }
  // While the joints hold most of the stiffness; 13 % later, when the shape has changed.
  EXPECT_NEAR(fast.at[1].omega / slow.at.at(1).omega, 1, 0.05);
}

TEST(Reduction, modes_condensed_to_the_joints_are_the_same) {
  expect_same_mode(rods_with_joints(48), 20);
  // Held by its joints alone, which must not all slip.
  expect_same_mode(rods_with_joints(48, 0), 5);
}

TEST(Reduction, responses_against_amplitude_condensed_to_the_joints_are_the_same) {
  const Twins twins = rods_with_joints(48);
  FrequencyResponseOptions options;
  options.along = Along::amplitude;
  options.omega = 0.05;
  options.from = 0.05;
  options.to = 3;
  options.harmonics = 3;
  options.largest_step = 0.2;
  options.stability = options.peaks = false;
  options.at = {1.0};
  double level[2];
  int i = 0;
  for (const Structure* s : {&twins.sparse, &twins.full}) {
    options.dof = s == &twins.sparse ? 47 : 5;  // the end, the sixth that is kept
    const FrequencyResponse r = frequency_response(*s, options);
    ASSERT_EQ(r.end, CurveEnd::reached);
    level[i++] = r.at.at(0).level;
  }
  EXPECT_NEAR(level[1] / level[0], 1, 1e-9);
}

TEST(Reduction, a_mode_that_turns_back_where_a_joint_begins_to_slip_is_followed) {
  // Modes of a uniform rod on many joints meet in a ratio of 1 to 3, and where joints join in with
  // slip the curve has corners sharper than a right angle.
  Structure s = rod(400);
  s.joints.clear();
  for (Eigen::Index j = 1; j <= 25; ++j)
    s.joints.push_back({jenkins(0.005, 0.02), between(400, 0, 16 * j)});
  ModeOptions options;
  options.from = 30;
  options.to = 300;
  options.harmonics = 3;
  const ModeCurve curve = nonlinear_mode(craig_bampton(s, 20).structure, options);
  EXPECT_EQ(curve.end, CurveEnd::reached);
  double back = 0;  // the amplitude falls on the way
  for (std::size_t i = 1; i < curve.points.size(); ++i)
    back = std::max(back, curve.points[i - 1].amplitude - curve.points[i].amplitude);
  EXPECT_GT(back, 0.1);
}

TEST(Reduction, all_modes_change_nothing) {
  const Structure full = rod(8);
  const Reduced same = craig_bampton(full, 100);
  EXPECT_EQ(same.structure.size(), 8);
  const Modes a = linear_modes(full.M, full.K);
  const Modes b = linear_modes(same.structure.M, same.structure.K);
  EXPECT_LT((a.omega - b.omega).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Reduction, few_modes_of_a_large_matrix_are_found) {
  const Structure full = rod(400);
  const Reduced small = craig_bampton(full, 6);
  // With the joint at 200 and the end held: a clamped-clamped rod of 199 masses on either side,
  // ω = 2 sin(kπ/(2·200)), each twice (the left one has the same length).
  for (Eigen::Index i = 0; i < 6; ++i) {
    const double k = static_cast<double>(i / 2 + 1);
    EXPECT_NEAR(small.frequencies[i], 2 * std::sin(k * M_PI / 400), 1e-9);
  }
}

/// The modes that are left out had no part in what a load on many degrees of freedom does to the inner ones.
TEST(Reduction, loads_on_many_degrees_of_freedom_have_their_static_displacement) {
  Structure full = rod(40);
  full.joints.clear();
  full.joints.push_back({law("linear", {{"k", 0.5}}), between(40, 0, 20)});
  Eigen::VectorXd load(40);
  for (Eigen::Index i = 0; i < 40; ++i) load[i] = std::sin(2.5 * static_cast<double>(i));
  full.loads = {{load, Constant{1}},
                {load, Tones{{{0.3, 0, 1, 0}}}},
                {Eigen::VectorXd::Ones(40), Constant{0.01}}};
  const Reduced small = craig_bampton(full, 4, {39});
  // Three of them, but two are parallel.
  EXPECT_EQ(small.structure.size(), 2 + 4 + 2);
  Eigen::MatrixXd K = full.K;
  K(19, 19) += 0.5;
  const Eigen::VectorXd exact = K.ldlt().solve(load + 0.01 * Eigen::VectorXd::Ones(40));
  const Eigen::VectorXd got = small.basis * static_equilibrium(small.structure).x;
  EXPECT_LT((got - exact).norm(), 1e-9 * exact.norm());

  // At a third of the first frequency that is left out. Without these coordinates a mode n that is left out
  // lacks 1/(ω_n² − ω²), with them that less 1/ω_n²: a ninth of it at most, but for the ends, which move.
  const double omega = small.left_out / 3;
  const auto response = [&](const Eigen::MatrixXd& basis) {
    const Eigen::VectorXd w = full.joints[0].w.dense();
    const Eigen::MatrixXd stiffness =
        Eigen::MatrixXd(full.K) + 0.5 * w * w.transpose() - omega * omega * Eigen::MatrixXd(full.M);
    const Eigen::MatrixXd Z = basis.transpose() * stiffness * basis;
    return Eigen::VectorXd(basis * Z.partialPivLu().solve(basis.transpose() * load));
  };
  const Eigen::VectorXd whole = response(Eigen::MatrixXd::Identity(40, 40));
  const double with = (response(small.basis) - whole).norm(),
               without = (response(small.basis.leftCols(2 + 4)) - whole).norm();
  EXPECT_LT(with, without / 6);
}

TEST(Reduction, knows_where_it_ends) {
  // Held at 20 and at the end: two clamped rods of 19 masses, ω = 2 sin(kπ/40), each twice.
  const Structure full = rod(40);
  EXPECT_NEAR(craig_bampton(full, 2).left_out, 2 * std::sin(2 * M_PI / 40), 1e-12);
  EXPECT_NEAR(craig_bampton(full, 0).left_out, 2 * std::sin(M_PI / 40), 1e-12);
  EXPECT_EQ(craig_bampton(full, 38).left_out, infinity);
}

TEST(Reduction, says_what_still_moves) {
  Structure loose = rod(4);
  loose.K = SparseMatrix(4, 4);
  EXPECT_THROW(craig_bampton(loose, 2), Error);
}

TEST(Reduction, decoupled_modal_joints_agree_while_stuck) {
  Structure s = rod(5);
  s.loads[0].signal = Tones{{{0.4, 0, 1, 0}}};
  const Modal modal = modal_joints(s, 5);
  FrequencyResponseOptions options;
  options.from = 0.1;
  options.to = 0.2;
  options.harmonics = 1;
  options.stability = options.peaks = false;
  options.at = {0.15};
  s.joints[0].model = jenkins(0.5, 1e3);
  const Modal stuck = modal_joints(s, 5);
  const auto end_motion = [&](const Structure& m) {
    const FrequencyResponse r = frequency_response(m, options);
    const Eigen::VectorXd cosines = stuck.shapes * r.at[0].y.segment(5, 5);
    const Eigen::VectorXd sines = stuck.shapes * r.at[0].y.segment(10, 5);
    return std::hypot(cosines[4], sines[4]);
  };
  const FrequencyResponse physical = frequency_response(s, options);
  EXPECT_NEAR(end_motion(stuck.coupled), physical.at[0].first[4].amplitude, 1e-10);
  EXPECT_NEAR(end_motion(stuck.decoupled), physical.at[0].first[4].amplitude, 1e-10);
  // Slipping, the decoupled form is another structure.
  EXPECT_GT(std::abs(end_motion(modal.coupled) - end_motion(modal.decoupled)), 1e-6);
}

TEST(Shooting, agrees_with_harmonic_balance) {
  FrequencyResponseOptions options;
  options.from = 0.89;
  options.to = 0.91;
  options.harmonics = 47;
  options.stability = options.peaks = false;
  options.at = {0.9};
  const FrequencyResponse balance = frequency_response(problem_a(), options);
  const ShootingResult shot = shoot(problem_a(), 0.9);
  ASSERT_TRUE(shot.converged) << shot.error;
  EXPECT_NEAR(harmonic_of(problem_a(), shot, 0.9, 0, 1).norm(), balance.at[0].first[0].amplitude,
              1e-7);
  EXPECT_NEAR(shot.period.audit.joints, balance.at[0].energy[0], 1e-6);
}

TEST(Shooting, joints_that_stick_throughout_stay_where_they_are) {
  // The warm-up leaves the joints somewhere, and there they stay. Weak, they slip in what goes
  // before, and their displacements are small differences of large ones.
  const Eigen::Matrix4d K{
      {2, -0.7, 0, 0}, {-0.7, 1.6, -0.9, 0}, {0, -0.9, 1.5, -0.6}, {0, 0, -0.6, 0.6}};
  const Eigen::Matrix4d C = 0.03 * K;
  for (const double limit : {1.0, 0.4}) {
    Structure s{diagonal({1, 1, 1, 1}), C.sparseView(), K.sparseView(), {}, {}};
    for (const Eigen::Vector4d& w : {Eigen::Vector4d(1, -1, 0, 0), Eigen::Vector4d(0, 1, -1, 0)})
      s.joints.push_back({law("coulomb", {{"fc", limit}}), w});
    s.loads.push_back({Eigen::Vector4d(0, 0, 0, 0.3), Tones{{Tone{1}}}});
    const ShootingResult shot = shoot(s, 0.25);
    EXPECT_TRUE(shot.converged) << limit << ": " << shot.period.message;
    EXPECT_LE(shot.iterations, limit == 1 ? 4 : 30);
  }
}

TEST(Shooting, a_hold_that_only_grazes_its_limit_is_kept) {
  const Eigen::Matrix2d K{{1.35, -0.9984}, {-0.9984, 0.9984}};
  const Eigen::Matrix2d C = 0.03 * K + 0.02 * Eigen::Matrix2d::Identity();
  for (const double load : {3.4, 3.5, 3.6}) {
    Structure s{diagonal({1, 1}), C.sparseView(), K.sparseView(), {}, {}};
    s.joints.push_back({law("stribeck"), Eigen::Vector2d(-1, 1)});
    s.loads.push_back({Eigen::Vector2d(0, load), Tones{{Tone{1}}}});
    EXPECT_EQ(shoot(s, 0.5437).period.message, "") << load;
  }
}

}  // namespace reduction_test
}  // namespace microslip::dynamics
