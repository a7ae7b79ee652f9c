#include "microslip/dynamics/time/shooting.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "dynamics/fourier/fourier.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::dynamics {
namespace {

Structure driven_at(Structure structure, double omega) {
  for (Load& load : structure.loads) {
    if (auto* tones = std::get_if<Tones>(&load.signal)) {
      for (Tone& tone : tones->list) tone.omega = tone.harmonic * omega;
    } else if (!std::holds_alternative<Constant>(load.signal)) {
      throw Error("shooting takes periodic loads only");
    }
  }
  return structure;
}

/// Maps x and v/ω at the start of a period to its end: both are lengths.
class Period {
 public:
  Period(const Structure& structure, double omega, const ShootingOptions& options)
      : structure_(structure), n_(structure.size()), omega_(omega) {
    time_.until = 2 * pi / omega;
    time_.tolerance = options.tolerance;
    time_.every_step = false;
  }

  TimeResult run(const Eigen::VectorXd& z, const std::vector<AnyState>& joints) const {
    TimeOptions options = time_;
    options.x0 = z.head(n_);
    options.v0 = omega_ * z.tail(n_);
    return integrate(structure_, options, 0, joints);
  }
  Eigen::VectorXd end(const TimeResult& result) const {
    Eigen::VectorXd z(2 * n_);
    z << result.x.back(), result.v.back() / omega_;
    return z;
  }

 private:
  const Structure& structure_;
  Eigen::Index n_;
  double omega_;
  TimeOptions time_;
};

}  // namespace

ShootingResult shoot(const Structure& structure, double omega, const ShootingOptions& options) {
  refuse_interfaces(structure, "shooting");
  const Structure driven = driven_at(structure, omega);
  const Period period(driven, omega, options);
  const Eigen::Index n = structure.size();
  Eigen::VectorXd z = Eigen::VectorXd::Zero(2 * n);
  std::vector<AnyState> joints;
  for (const JointElement& joint : structure.joints) joints.push_back(joint.model.rest());
  ShootingResult result;
  for (int i = 0; i < options.warm_up; ++i) {
    TimeResult run = period.run(z, joints);
    z = period.end(run);
    joints = std::move(run.states);
  }
  for (; result.iterations < options.most_iterations; ++result.iterations) {
    result.period = period.run(z, joints);
    if (!result.period.message.empty()) return result;
    const Eigen::VectorXd end = period.end(result.period);
    const double size = std::max(end.lpNorm<Eigen::Infinity>(), z.lpNorm<Eigen::Infinity>());
    result.error = size > 0 ? (end - z).lpNorm<Eigen::Infinity>() / size : 0;
    if (result.period.f.front().size() > 0) {
      // Of rigid joints that stick, more than are needed, the shares may differ.
      const double force = std::max(result.period.f.back().lpNorm<Eigen::Infinity>(), 1e-300);
      Eigen::VectorXd change = Eigen::VectorXd::Zero(n);
      for (std::size_t j = 0; j < structure.joints.size(); ++j) {
        const auto place = static_cast<Eigen::Index>(j);
        change += (result.period.f.back()[place] - result.period.f.front()[place]) *
                  structure.joints[j].w;
      }
      result.error = std::max(result.error, change.lpNorm<Eigen::Infinity>() / force);
    }
    result.x0 = z.head(n);
    result.v0 = omega * z.tail(n);
    if (result.error <= options.closure) {
      result.converged = true;
      return result;
    }
    // Newton's step for the memory at hand; the memory follows.
    Eigen::MatrixXd jacobian(2 * n, 2 * n);
    for (Eigen::Index k = 0; k < 2 * n; ++k) {
      const double h = 1e-6 * size;
      Eigen::VectorXd moved = z;
      moved[k] += h;
      jacobian.col(k) = (period.end(period.run(moved, joints)) - end) / h;
      jacobian(k, k) -= 1;
    }
    // A joint that sticks throughout may do so anywhere: it stays where it is.
    Eigen::VectorXd step = -dense::shortest_least_squares(jacobian, end - z, 1e-5);
    if (!step.allFinite()) step = end - z;
    const double length = step.lpNorm<Eigen::Infinity>();
    if (length > 0.5 * size) step *= 0.5 * size / length;
    z += step;
    joints = period.run(z, joints).states;
  }
  return result;
}

SettledMotion settle(const Structure& structure, double omega, int harmonics, int periods,
                     const std::function<bool()>& go_on) {
  const int samples = 16 * (harmonics + 1);
  const double period = 2 * pi / omega;
  TimeOptions time;
  time.until = periods * period;
  time.tolerance = 1e-8;
  time.every_step = false;
  for (int i = 0; i < samples; ++i)
    time.at.push_back(time.until - period * (samples - i) / samples);
  time.progress = [&](double) { return go_on(); };
  const TimeResult run = integrate(driven_at(structure, omega), time);
  if (!run.message.empty()) return {};
  const Eigen::Index size = fourier_size(harmonics);
  SettledMotion motion{
      Eigen::MatrixXd::Zero(structure.size(), size),
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(structure.joints.size()), size)};
  Eigen::RowVectorXd row(size);
  for (std::size_t i = 0; i < run.t.size(); ++i) {
    if (!std::binary_search(time.at.begin(), time.at.end(), run.t[i])) continue;
    fourier_row(omega * run.t[i], harmonics, row);
    row *= 2.0 / samples;
    row[0] /= 2;
    motion.x += run.x[i] * row;
    motion.f += run.f[i].head(motion.f.rows()) * row;
  }
  return motion;
}

Eigen::Vector2d harmonic_of(const Structure& structure, const ShootingResult& result, double omega,
                            Eigen::Index dof, int harmonic, const ShootingOptions& options) {
  // The memory of the joints at the start of the period is that at its end.
  TimeOptions time;
  time.until = 2 * pi / omega;
  time.tolerance = options.tolerance;
  time.every_step = false;
  time.x0 = result.x0;
  time.v0 = result.v0;
  // Equal samples of a smooth periodic motion: the trapezoidal rule converges faster than the kinks
  // of its third derivative allow to matter.
  const int samples = 512;
  for (int i = 0; i < samples; ++i) time.at.push_back(time.until * i / samples);
  const TimeResult run = integrate(driven_at(structure, omega), time, 0, result.period.states);
  Eigen::Vector2d sum(0, 0);
  for (std::size_t i = 0; i + 1 < run.t.size(); ++i) {
    const double angle = harmonic * omega * run.t[i];
    sum += run.x[i][dof] * Eigen::Vector2d(std::cos(angle), std::sin(angle));
  }
  return 2 * sum / samples;
}

}  // namespace microslip::dynamics
