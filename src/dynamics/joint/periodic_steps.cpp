#include "dynamics/joint/periodic_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/fourier/fourier.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::dynamics {
namespace {

using Index = Eigen::Index;

/// Displacements at equal angles, a column for each; the first is at θ = 0.
Eigen::MatrixXd displacements_at(const Eigen::VectorXd& input, Index size, int steps) {
  const Index width = input.size() / size;
  const auto harmonics = static_cast<int>(width / 2);
  const Eigen::Map<const Eigen::MatrixXd> q(input.data(), size, width);
  Eigen::MatrixXd u(size, steps);
  Eigen::VectorXd row(width);
  for (int i = 0; i < steps; ++i) {
    fourier_row(2 * pi * i / steps, harmonics, row);
    u.col(i) = q * row;
  }
  return u;
}

/// Coefficients of values at equal angles.
template <class Values>
Eigen::VectorXd coefficients_of(const Values& f, int harmonics) {
  const Index steps = f.cols();
  Eigen::MatrixXd c = Eigen::MatrixXd::Zero(f.rows(), fourier_size(harmonics));
  Eigen::VectorXd row(c.cols());
  for (Index i = 0; i < steps; ++i) {
    fourier_row(2 * pi * static_cast<double>(i) / static_cast<double>(steps), harmonics, row);
    c += f.col(i) * row.transpose();
  }
  c *= 2.0 / static_cast<double>(steps);
  c.col(0) /= 2;
  return c.reshaped();
}

constexpr int most_rounds = 200, most_dual_rounds = 8, most_dual_steps = 256;

}  // namespace

PeriodicSteps::PeriodicSteps(const AnyModel& law, Index inputs, int harmonics,
                             const PeriodicOptions& options, std::vector<Eigen::VectorXd> before)
    : PeriodicVector(inputs),
      law_(law),
      dual_(law.dual({})),
      harmonics_(harmonics),
      options_(options),
      before_(std::move(before)) {}

int PeriodicSteps::steps() const {
  if (options_.rule == Rule::sampled) return options_.samples;
  return std::max(256, 32 * harmonics_) << options_.level;
}

Eigen::VectorXd PeriodicSteps::march(const Eigen::VectorXd& input, int steps, int harmonics) {
  const Eigen::MatrixXd u = displacements_at(input, size_, steps);
  AnyState state = law_.rest();
  result_.status = Status::ok;
  const auto go = [&](const Eigen::VectorXd& to) {
    AnyResponse<double> reply = law_.step(state, AnyVec<double>(to), state);
    if (reply.status != Status::ok) result_.status = reply.status;
    return reply;
  };
  for (const Eigen::VectorXd& place : before_) go(place);
  Eigen::VectorXd last = go(u.col(0)).force;
  Eigen::MatrixXd f(size_, steps), again(size_, steps);
  result_.closed = false;
  for (result_.rounds = 0; result_.rounds < most_rounds && !result_.closed; ++result_.rounds) {
    result_.energy = 0;
    again.col(0) = last;
    for (int i = 1; i <= steps; ++i) {
      const AnyResponse<double> reply = go(u.col(i % steps));
      result_.energy += reply.dissipated;
      if (i < steps)
        again.col(i) = reply.force;
      else
        last = reply.force;
    }
    if (result_.status != Status::ok) break;
    const double size = again.cwiseAbs().maxCoeff();
    // The end of the round against its start, and the round against the one before.
    double change = (last - again.col(0)).lpNorm<Eigen::Infinity>();
    if (result_.rounds > 0) change = std::max(change, (again - f).cwiseAbs().maxCoeff());
    result_.closed = result_.rounds > 0 && change <= std::max(1e-12, options_.closure) * size;
    result_.drift = size > 0 ? change / size : 0;
    f.swap(again);
  }
  return coefficients_of(f, harmonics);
}

void PeriodicSteps::answer(const Eigen::VectorXd& input, const Eigen::VectorXd& /*own*/,
                           double /*omega*/, bool with_jacobian) {
  const int n = steps();
  error_ = 0;
  if (options_.rule == Rule::sampled) {
    result_.coefficients = march(input, n, harmonics_);
  } else {
    const Eigen::VectorXd coarse = march(input, n, harmonics_);
    const double lost = result_.energy;
    const Eigen::VectorXd fine = march(input, 2 * n, harmonics_);
    result_.coefficients = fine + (fine - coarse) / 3;
    result_.energy += (result_.energy - lost) / 3;
    const double size = fine.lpNorm<Eigen::Infinity>();
    if (size > 0) error_ = (fine - coarse).lpNorm<Eigen::Infinity>() / size;
  }
  if (with_jacobian && result_.status == Status::ok) find_jacobian(input);
}

void PeriodicSteps::find_jacobian(const Eigen::VectorXd& input) {
  const int n = options_.rule == Rule::sampled ? steps() : std::min(steps(), most_dual_steps);
  const int rounds = std::clamp(result_.rounds, 2, most_dual_rounds);
  const Index width = fourier_size(harmonics_), all = size_ * width;
  result_.jacobian.setZero(all, all);
  Eigen::MatrixXd rows(width, n);
  for (int i = 0; i < n; ++i) fourier_row(2 * pi * i / n, harmonics_, rows.col(i));
  const Eigen::MatrixXd u = displacements_at(input, size_, n);
  AnyVec<WideDual> place(size_);
  Eigen::MatrixXd slopes(size_ * dual_width, n);
  for (Index first = 0; first < all; first += dual_width) {
    const Index count = std::min<Index>(dual_width, all - first);
    AnyState state = dual_.rest();
    for (const Eigen::VectorXd& there : before_) {
      for (Index i = 0; i < size_; ++i) place[i] = WideDual(there[i]);
      dual_.step(state, place, state);
    }
    const auto go = [&](int at) {
      for (Index i = 0; i < size_; ++i) {
        place[i] = WideDual(u(i, at));
        for (Index k = 0; k < count; ++k)
          if ((first + k) % size_ == i)
            place[i].v[static_cast<int>(k)] = rows((first + k) / size_, at);
      }
      return dual_.step(state, place, state);
    };
    for (int step = 0; step <= rounds * n; ++step) {
      const AnyResponse<WideDual> reply = go(step % n);
      if (step < (rounds - 1) * n || step == rounds * n) continue;
      for (Index i = 0; i < size_; ++i)
        for (Index k = 0; k < count; ++k)
          slopes(k * size_ + i, step % n) = reply.force[i].v[static_cast<int>(k)];
    }
    const Eigen::VectorXd c = coefficients_of(slopes, harmonics_);
    const Eigen::Map<const Eigen::MatrixXd> of(c.data(), slopes.rows(), width);
    for (Index k = 0; k < count; ++k)
      for (Index h = 0; h < width; ++h)
        result_.jacobian.block(h * size_, first + k, size_, 1) = of.block(k * size_, h, size_, 1);
  }
}

double PeriodicSteps::quadrature(const Eigen::VectorXd& input, double omega) {
  respond(input, {}, omega, false);
  return error_;
}

double PeriodicSteps::truncation(const Eigen::VectorXd& input, double /*omega*/,
                                 const Surroundings& s) {
  forget();
  const int more = 2 * harmonics_ + 1;
  const Eigen::VectorXd f = march(input, std::max(steps(), 8 * more), more);
  if (result_.status != Status::ok) return 0;
  double largest = 0;
  for (int h = harmonics_ + 1; h <= more; ++h)
    for (Index i = 0; i < size_; ++i)
      largest = std::max(
          largest, s.moves(h, std::hypot(f[(2 * h - 1) * size_ + i], f[2 * h * size_ + i]), i));
  return largest;
}

}  // namespace microslip::dynamics
