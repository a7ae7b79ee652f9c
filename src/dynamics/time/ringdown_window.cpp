#include "ringdown_window.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/detail/numerics/constants.hpp"

namespace microslip::dynamics {

double Nuttall::value(double y) {
  double sum = 0;
  for (int k = 0; k < 4; ++k) sum += part[k] * std::cos(2 * pi * k * y);
  return sum;
}

double Nuttall::slope(double y) {
  double sum = 0;
  for (int k = 1; k < 4; ++k) sum -= part[k] * 2 * pi * k * std::sin(2 * pi * k * y);
  return sum;
}

double Nuttall::noise_of_slope() {
  double square = part[0] * part[0];
  double of_slope = 0;
  for (int k = 1; k < 4; ++k) {
    square += part[k] * part[k] / 2;
    of_slope += std::pow(2 * pi * k * part[k], 2) / 2;
  }
  return std::sqrt(of_slope / square);
}

double Nuttall::correlation_of_slope(double lag) {
  // Sums over whole periods of these cosines are exact; of a part of the window they are smooth.
  constexpr int steps = 64;
  double with_lag = 0, square = 0;
  for (int i = 0; i < steps; ++i) {
    const double y = (i + 0.5) / steps;
    square += slope(y) * slope(y);
    if (y + std::abs(lag) < 1) with_lag += slope(y) * slope(y + std::abs(lag));
  }
  return with_lag / square;
}

SlidingWindow::SlidingWindow(double band, double step) : step_(step) {
  const auto half = static_cast<std::size_t>(std::ceil(4 * pi / (band * step)));
  const std::size_t count = 2 * half;
  const double length = static_cast<double>(count) * step;
  for (std::size_t j = 0; j <= count; ++j) {
    const double y = static_cast<double>(j) / static_cast<double>(count);
    window_.push_back(Nuttall::value(y));
    slope_.push_back(-Nuttall::slope(y) / length);
    total_ += window_.back();
  }
}

std::vector<Complex> SlidingWindow::exponential(Complex rate) const {
  std::vector<Complex> turns(window_.size());
  const Complex factor = std::exp(rate * step_);
  turns.front() = std::exp(-rate * (length() / 2));
  for (std::size_t j = 1; j < turns.size(); ++j) turns[j] = turns[j - 1] * factor;
  return turns;
}

Sums SlidingWindow::sums(Motions motions, std::size_t first, double omega) const {
  const std::vector<Complex> turns = exponential(Complex(0, -omega));
  const auto channels = static_cast<Eigen::Index>(motions.size());
  Sums sums{Eigen::VectorXcd(channels), Eigen::VectorXcd(channels)};
  for (Eigen::Index c = 0; c < channels; ++c) {
    const double* const x = motions[static_cast<std::size_t>(c)].data() + first;
    double re = 0, im = 0, slope_re = 0, slope_im = 0;
    for (std::size_t j = 0; j < turns.size(); ++j) {
      const double a = x[j] * turns[j].real(), b = x[j] * turns[j].imag();
      re += window_[j] * a;
      im += window_[j] * b;
      slope_re += slope_[j] * a;
      slope_im += slope_[j] * b;
    }
    sums.z[c] = {re, im};
    sums.slope[c] = {slope_re, slope_im};
  }
  return sums;
}

double SlidingWindow::amplitude(const std::vector<double>& x, std::size_t first,
                                double omega) const {
  const std::vector<Complex> turns = exponential(Complex(0, -omega));
  double re = 0, im = 0;
  for (std::size_t j = 0; j < turns.size(); ++j) {
    const double weighted = window_[j] * x[first + j];
    re += weighted * turns[j].real();
    im += weighted * turns[j].imag();
  }
  return 2 * std::hypot(re, im) / total_;
}

double SlidingWindow::leakage(const std::vector<double>& x, std::size_t first) const {
  double loudest = 0;
  for (std::size_t j = 0; j < window_.size(); ++j)
    loudest = std::max(loudest, std::abs(x[first + j]));
  return Nuttall::leakage * loudest;
}

Gain SlidingWindow::gain(Complex mu) const {
  const std::vector<Complex> turns = exponential(mu);
  Gain gain{};
  for (std::size_t j = 0; j < turns.size(); ++j) {
    const double t = static_cast<double>(j) * step_ - length() / 2;
    const Complex part = window_[j] * turns[j];
    gain.whole += part;
    gain.shift += t * part;
    gain.spread += t * t * part;
  }
  gain.shift /= gain.whole;
  gain.spread /= gain.whole;
  return gain;
}

}  // namespace microslip::dynamics
