#pragma once

#include <Eigen/Core>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

/// The window that slides along a free decay (ringdown_modes.hpp).
namespace microslip::dynamics {

using Complex = std::complex<double>;
using Motions = std::span<const std::vector<double>>;

/// Nuttall's window of four cosines with continuous slope, on [0, 1].
struct Nuttall {
  static constexpr double part[] = {0.355768, -0.487396, 0.144232, -0.012604};
  /// What it lets through of louder motion at any distance from its centre.
  static constexpr double leakage = 2.2e-5;

  static double value(double y);
  static double slope(double y);
  /// √(∫w'² / ∫w²): how much louder white noise is in the slope of z than in z, times T.
  static double noise_of_slope();
  /// ∫ w'(τ) w'(τ + lag) dτ over that without lag, with the lag as a part of T: how white noise in
  /// the slopes of z at two places is related.
  static double correlation_of_slope(double lag);
};

/// z of some motions and its slope, less that of exp(iωt), at one place of the window.
struct Sums {
  Eigen::VectorXcd z, slope;

  /// λ − iω of the motion that all of them share.
  Complex rate() const { return z.dot(slope) / z.squaredNorm(); }
};

/// W = ∫ w exp(μτ) dτ and the means of τ and τ² that it weighs.
struct Gain {
  Complex whole, shift, spread;
};

/// Rows times the window times exp(−iωτ).
class SlidingWindow {
 public:
  SlidingWindow(double band, double step);

  std::size_t intervals() const { return window_.size() - 1; }
  double length() const { return static_cast<double>(intervals()) * step_; }

  Sums sums(Motions motions, std::size_t first, double omega) const;
  /// Amplitude of what passes at ω.
  double amplitude(const std::vector<double>& x, std::size_t first, double omega) const;
  /// The largest that may leak into any band.
  double leakage(const std::vector<double>& x, std::size_t first) const;

  /// What it makes of exp(iωτ), and of exp((iω + μ)τ).
  double gain() const { return total_; }
  Gain gain(Complex mu) const;

 private:
  /// exp(rate τ) at each row.
  std::vector<Complex> exponential(Complex rate) const;

  double step_;
  double total_ = 0;
  std::vector<double> window_, slope_;
};

}  // namespace microslip::dynamics
