#include "dynamics/joint/periodic_planar.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/fourier/fourier.hpp"

namespace microslip::dynamics {

PeriodicPlanar::PeriodicPlanar(const InterfaceLaw& law, int harmonics, int level,
                               std::vector<Eigen::VectorXd> before)
    : PeriodicVector(law.size()),
      law_(law),
      harmonics_(harmonics),
      level_(level),
      sliders_(law.sliders()),
      before_(std::move(before)),
      motion_(static_cast<std::size_t>(law.size()), PeriodicMotion(harmonics)),
      stiffness_(tangent_at_rest(law).diagonal()) {
  for (const PlanarSlider& slider : sliders_) loops_.emplace_back(slider, size_, harmonics);
}

Eigen::VectorXd PeriodicPlanar::follow(const Eigen::VectorXd& input,
                                       const PlanarLoop::Wanted& wanted) {
  const Eigen::Map<const Eigen::MatrixXd> q(input.data(), size_, input.size() / size_);
  double start = 0, largest = -1;
  for (Eigen::Index i = 0; i < size_; ++i) {
    PeriodicMotion& motion = motion_[static_cast<std::size_t>(i)];
    motion.set(q.row(i));
    if (motion.reversals().empty()) continue;
    const double out = stiffness_[i] * std::abs(motion.turning_values().front());
    if (!(out > largest * (1 + 1e-9))) continue;
    largest = out;
    start = motion.reversals().front();
  }
  result_.status = Status::ok;
  result_.energy = result_.drift = 0;
  result_.rounds = 0;
  result_.closed = true;
  if (largest < 0) {
    rest_motion(wanted.with_jacobian);
    Eigen::VectorXd all = Eigen::VectorXd::Zero(size_ * fourier_size(wanted.harmonics));
    all.head(size_) = result_.coefficients.head(size_);
    return all;
  }
  AnyVec<double> place(size_);
  for (Eigen::Index i = 0; i < size_; ++i)
    place[i] = motion_[static_cast<std::size_t>(i)].at(start).value;
  Eigen::MatrixXd force = Eigen::MatrixXd::Zero(size_, fourier_size(wanted.harmonics));
  if (wanted.with_jacobian) result_.jacobian.setZero(input.size(), input.size());
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    const AnyModel& law = sliders_[i].law;
    AnyState state = law.rest();
    for (const Eigen::VectorXd& there : before_) law.step(state, AnyVec<double>(there), state);
    const AnyResponse<double> reply = law.step(state, place, state);
    PlanarLoop& loop = loops_[i];
    if (!loop.follow(q, start, reply.force.head<2>(), reply.tangent.topRows<2>(), wanted))
      result_.status = Status::not_converged;
    force += loop.force();
    if (wanted.with_jacobian) result_.jacobian += loop.jacobian();
    result_.energy += loop.energy();
    result_.rounds = std::max(result_.rounds, loop.rounds());
    result_.closed = result_.closed && loop.closed();
    result_.drift = std::max(result_.drift, loop.drift());
  }
  return force.reshaped();
}

void PeriodicPlanar::answer(const Eigen::VectorXd& input, const Eigen::VectorXd& /*own*/,
                            double /*omega*/, bool with_jacobian) {
  result_.coefficients = follow(input, {harmonics_, level_, with_jacobian});
}

/// Nothing moves but for the mean.
void PeriodicPlanar::rest_motion(bool with_jacobian) {
  const Eigen::Index width = fourier_size(harmonics_);
  Eigen::VectorXd u(size_);
  for (Eigen::Index i = 0; i < size_; ++i) u[i] = motion_[static_cast<std::size_t>(i)].q()[0];
  AnyState state = law_.rest();
  for (const Eigen::VectorXd& place : before_) law_.step(state, place, state);
  const InterfaceReply reply = law_.step(state, u, state);
  result_.status = reply.status;
  result_.coefficients.setZero(size_ * width);
  result_.coefficients.head(size_) = reply.force;
  if (!with_jacobian) return;
  const Eigen::MatrixXd T = tangent_about(law_, u);
  result_.jacobian.setZero(size_ * width, size_ * width);
  for (Eigen::Index k = 0; k < width; ++k)
    result_.jacobian.block(k * size_, k * size_, size_, size_) = T;
}

/// Twice what two digits more change.
double PeriodicPlanar::quadrature(const Eigen::VectorXd& input, double /*omega*/) {
  forget();
  const Eigen::VectorXd usual = follow(input, {harmonics_, level_, false});
  const Eigen::VectorXd finer = follow(input, {harmonics_, level_ + 2, false});
  const double size = finer.lpNorm<Eigen::Infinity>();
  return size > 0 ? 2 * (finer - usual).lpNorm<Eigen::Infinity>() / size : 0;
}

/// The forces of harmonics left out are known as well as the others.
double PeriodicPlanar::truncation(const Eigen::VectorXd& input, double /*omega*/,
                                  const Surroundings& s) {
  forget();
  const int more = 2 * harmonics_ + 1;
  const Eigen::VectorXd f = follow(input, {more, level_, false});
  if (result_.status != Status::ok) return 0;
  double largest = 0;
  for (int h = harmonics_ + 1; h <= more; ++h)
    for (Eigen::Index i = 0; i < size_; ++i)
      largest = std::max(
          largest, s.moves(h, std::hypot(f[(2 * h - 1) * size_ + i], f[2 * h * size_ + i]), i));
  return largest;
}

}  // namespace microslip::dynamics
