#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "identify/modal_step.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/identify/identify.hpp"

/// Modal curves, loops, bands and records that repeat.
namespace microslip::identify {
namespace kinds_test {

using Vector = Eigen::VectorXd;

/// q = t² is the answer to p = 2 + 2γt + λt² from rest, whatever λ and γ.
TEST(ModalStep, is_exact_for_parabolas) {
  for (const double lambda : {0.0, 1e-6, 1.0, 400.0, 1e8, -3.0})
    for (const double gamma : {0.0, 0.01, 1.0, 300.0, 1e5})
      for (const double t : {1e-4, 0.02, 0.7}) {
        ModalStep step;
        step.set(Eigen::ArrayXd::Constant(1, lambda), Eigen::ArrayXd::Constant(1, gamma), t);
        const double q = 2 * step.r0[0] + 2 * gamma * step.r1[0] + 2 * lambda * step.r2[0];
        const double v = 2 * step.h[0] + 2 * gamma * step.r0[0] + 2 * lambda * step.r1[0];
        EXPECT_NEAR(q, t * t, 1e-9 * t * t) << lambda << " " << gamma << " " << t;
        EXPECT_NEAR(v, 2 * t, 1e-9 * t) << lambda << " " << gamma << " " << t;
      }
}
TEST(ModalStep, decays_as_the_closed_form_does) {
  const double omega = 7, rate = 0.3, t = 0.4;
  ModalStep step;
  step.set(Eigen::ArrayXd::Constant(1, omega * omega + rate * rate),
           Eigen::ArrayXd::Constant(1, 2 * rate), t);
  const double e = std::exp(-rate * t), c = std::cos(omega * t), s = std::sin(omega * t) / omega;
  EXPECT_NEAR(step.a[0], e * (c + rate * s), 1e-14);
  EXPECT_NEAR(step.h[0], e * s, 1e-14);
  EXPECT_NEAR(step.d[0], e * (c - rate * s), 1e-14);
}

constexpr double m = 2, c = 0.4, k = 30, kj = 20, phi = 1.5;

dynamics::Structure mass(const Vector& p) {
  dynamics::Structure s;
  for (dynamics::SparseMatrix* matrix : {&s.M, &s.C, &s.K}) matrix->resize(1, 1);
  s.M.coeffRef(0, 0) = m;
  s.C.coeffRef(0, 0) = c;
  s.K.coeffRef(0, 0) = p[0];
  const Vector w = Vector::Ones(1);
  s.joints.push_back(
      {catalog::make({"jenkins", {{"k", p[1]}, {"phi", p[2]}}, {}}), dynamics::Direction(w)});
  s.loads.push_back({w, dynamics::Constant{0}});
  return s;
}
std::vector<Unknown> unknowns(double factor) {
  std::vector<Unknown> all(3);
  const double starts[] = {k, kj, phi};
  for (std::size_t i = 0; i < 3; ++i) {
    all[i].name = i == 0 ? "spring[1].k" : i == 1 ? "joint[1].k" : "joint[1].phi";
    all[i].start = starts[i] * factor;
    all[i].upper = 1e300;
    all[i].logarithmic = true;
    all[i].given = true;
    if (i > 0) all[i].joint = 0;
  }
  all[1].parameter = "k";
  all[2].parameter = "phi";
  return all;
}
void expect_truth(const Result& result) {
  ASSERT_EQ(result.outcome, fit::Outcome::converged) << result.message;
  const double truth[] = {k, kj, phi};
  for (Eigen::Index i = 0; i < 3; ++i) {
    const auto& error = result.errors[static_cast<std::size_t>(i)];
    ASSERT_TRUE(error.has_value());
    // Three normal numbers stay within 4 in 9998 of 10 000 draws.
    EXPECT_LT(std::abs(result.p[i] - truth[i]), 4 * *error) << i;
    EXPECT_LT(*error, 0.1 * truth[i]) << i;
  }
}

/// Frequency and damping of the mode at amplitude a, from the describing function of an elastic slider.
struct Printed {
  double omega, energy, decrement;
};
Printed printed(double a) {
  const double angle = std::acos(1 - 2 * phi / (kj * a));
  const double spring = kj / M_PI * (angle - 0.5 * std::sin(2 * angle));
  const double omega = std::sqrt((k + spring) / m);
  const double lost = M_PI * c * omega * a * a + 4 * phi * (a - phi / kj);
  return {omega, lost / (2 * M_PI * m * omega * omega * a * a),
          lost / (2 * M_PI * a * (k * a + phi))};
}

TEST(Curve, is_that_of_the_describing_function) {
  const Vector p = (Vector(3) << k, kj, phi).finished();
  const auto all = unknowns(1);
  const System system = system_at(mass, all, p, false);
  CurveTask task;
  task.amplitude = {0.05, 0.1, 0.3, 1.0};
  task.place = {Vector::Ones(1), 0};
  const Curve decrement = curve(system, task);
  task.energy = true;
  const Curve energy = curve(system, task);
  ASSERT_EQ(energy.failure, "");
  // Below phi/k, 0.075, the joint is a spring.
  EXPECT_NEAR(energy.omega[0], std::sqrt((k + kj) / m), 1e-9);
  EXPECT_NEAR(energy.zeta[0], c / (2 * std::sqrt((k + kj) * m)), 1e-9);
  EXPECT_NEAR(decrement.zeta[0], energy.zeta[0], 1e-9);
  // 256 samples of a kinked force leave some 1e-4.
  for (Eigen::Index i = 1; i < 4; ++i) {
    const Printed truth = printed(task.amplitude[static_cast<std::size_t>(i)]);
    EXPECT_NEAR(energy.omega[i], truth.omega, 1e-3 * truth.omega);
    EXPECT_NEAR(energy.zeta[i], truth.energy, 2e-3 * truth.energy);
    EXPECT_NEAR(decrement.zeta[i], truth.decrement, 2e-3 * truth.decrement);
  }
}

TEST(Curve, gives_the_joint_and_the_spring) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Datum datum;
  datum.name = "curve.csv";
  datum.channels = {"omega", "zeta"};
  datum.curve.emplace();
  datum.curve->place = {Vector::Ones(1), 0};
  datum.measured.resize(30, 2);
  for (Eigen::Index i = 0; i < 30; ++i) {
    const double a = 0.08 * std::pow(12.0, static_cast<double>(i) / 29);
    const Printed truth = printed(a);
    datum.curve->amplitude.push_back(a);
    datum.measured(i, 0) = truth.omega + 0.01 * normal(random);
    datum.measured(i, 1) = truth.decrement + 0.002 * normal(random);
  }
  expect_truth(identify(mass, unknowns(1.6), {datum}));
}

TEST(LoopDatum, and_a_record_count_together) {
  // The joint alone on a rig: a clamped integral, with noise.
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  Datum loop;
  loop.name = "loop.csv";
  loop.channels = {"f"};
  loop.loop.emplace();
  loop.measured.resize(300, 1);
  double f = 0, before = 0;
  for (Eigen::Index i = 0; i < 300; ++i) {
    const double u = 0.2 * std::sin(0.06 * static_cast<double>(i));
    f = std::clamp(f + kj * (u - before), -phi, phi);
    before = u;
    loop.loop->u.push_back(u);
    loop.measured(i, 0) = f + 0.02 * normal(random);
  }
  // The frequency of small motions knows the sum of the springs.
  Datum curve;
  curve.name = "curve.csv";
  curve.channels = {"omega"};
  curve.curve.emplace();
  curve.curve->place = {Vector::Ones(1), 0};
  curve.measured.resize(6, 1);
  for (Eigen::Index i = 0; i < 6; ++i) {
    curve.curve->amplitude.push_back(0.01 + 0.005 * static_cast<double>(i));
    curve.measured(i, 0) = std::sqrt((k + kj) / m) + 0.005 * normal(random);
  }
  expect_truth(identify(mass, unknowns(0.6), {loop, curve}));
}

/// Verlet's rule with a hundred steps a row, from rest; rows from `first` on.
Datum record(std::size_t first, std::size_t rows, double hum) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  Datum d;
  d.name = "record.csv";
  d.channels = {"x1"};
  const double row = 2 * M_PI / 200;
  const auto force = [](double t) {
    return 5 * (std::sin(3 * t) + std::sin(5 * t + 1) + std::sin(t + 2));
  };
  std::vector<double> f;
  d.motion.emplace();
  d.measured.resize(static_cast<Eigen::Index>(rows), 1);
  double x = 0, v = 0, joint = 0;
  for (std::size_t i = 0; i < first + rows; ++i) {
    const double start = row * static_cast<double>(i);
    if (i >= first) {
      d.motion->t.push_back(start);
      f.push_back(force(start));
      d.measured(static_cast<Eigen::Index>(i - first), 0) =
          x + hum * std::sin(29 * start) + 1e-3 * normal(random);
    }
    for (int part = 0; part < 100; ++part) {
      const double h = row / 100, t = start + h * part;
      const auto a = [&](double at) { return (force(at) - c * v - k * x - joint) / m; };
      v += 0.5 * h * a(t);
      x += h * v;
      joint = std::clamp(joint + kj * h * v, -phi, phi);
      v += 0.5 * h * a(t + h);
    }
  }
  d.motion->forces.emplace_back(d.motion->t, f, true);
  d.motion->places = {{Vector::Ones(1), 0}};
  return d;
}

/// A hum at 29 rad/s, ten times the noise, is outside of the band.
TEST(Band, leaves_out_what_moves_elsewhere) {
  Datum d = record(0, 800, 1e-2);
  d.band = {0.05, 2.5};
  const Result result = identify(mass, unknowns(1.4), {d});
  expect_truth(result);
  EXPECT_LT(result.channels[0].rms, 2e-3);
}

/// One period after fifty: the state at its first row is none of rest, and follows from the periods before.
TEST(Periodic, one_period_of_many) {
  Datum d = record(50 * 200, 200, 0);
  const std::vector<double> t = d.motion->t;
  const Datum last = d;
  std::vector<double> f;
  MotionTask task;
  for (int period = 0; period < 6; ++period)
    for (std::size_t i = 0; i < t.size(); ++i) {
      task.t.push_back(2 * M_PI / 200 * static_cast<double>(task.t.size()));
      f.push_back(last.motion->forces[0].at(std::min(i, t.size() - 2), i + 1 < t.size() ? 0 : 1));
    }
  task.forces.emplace_back(task.t, f, true);
  task.places = last.motion->places;
  task.lead = 5 * t.size();
  d.motion = task;
  expect_truth(identify(mass, unknowns(1.4), {d}));
}

}  // namespace kinds_test
}  // namespace microslip::identify
