#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "microslip/dynamics/time/ringdown.hpp"

/// Modes of a free decay, measured or computed at one place or at several.
///
/// The record is filtered to a band around the frequency ω_c of a mode by a window w of length T that
/// slides along it, which at once gives the analytic signal (the motion and its Hilbert transform):
///
///     z(t) = ∫ w(τ) x(t + τ) exp(−iω_c τ) dτ,   λ(t) = iω_c − ∫ w'(τ) x(t + τ) exp(−iω_c τ) dτ / z.
///
/// Amplitude, frequency and damping at the time t are those of the exponential exp(λt) with this z:
/// 2|z|/|W|, Im λ and −Re λ/|λ|, where W = ∫ w(τ) exp((λ − iω_c)τ) dτ. They are exact for a linear
/// mode. Of a mode that changes with amplitude they are means over the window.
///
/// w is Nuttall's window of four cosines, which is 0 with its slope at both ends. Its transform is 0
/// at the distance 8π/T from ω_c and below 2.2e-5 beyond, so that the half width b of the band gives
/// T = 8π/b. A window lies within the record: at either end T/2 of it is cut off, and no point has
/// seen an end.
///
/// Several motions are combined to that of one mode by its shape (modal filter): the real shape φ
/// that takes most of what passes the band, q = φᵀx/φᵀφ. The largest component of φ is 1, so that
/// amplitudes are those of its motion.
namespace microslip::dynamics {

/// What was recorded. Amplitudes and damping are those of the displacement: a velocity is divided by
/// λ, an acceleration by λ².
enum class Quantity { displacement, velocity, acceleration };

struct RingdownOptions {
  std::size_t most_modes = 3;    ///< of the highest peaks of the spectrum
  std::vector<double> omegas{};  ///< of the modes, instead of peaks
  /// Half width; 0: to the nearest other peak, at most half of the frequency, which keeps the mean
  /// value and second harmonics out; halved until the mode stands out of the bands beside it.
  double band = 0;
  Quantity quantity = Quantity::displacement;
};

struct RingdownMode {
  double omega;               ///< ω_c
  double band;                ///< b
  double window;              ///< T
  std::vector<double> shape;  ///< of the motions; the largest is 1; empty if no window fits
  std::size_t largest;        ///< which one that is
  /// Part of the motion in the band, squared, that does not follow the shape, at the worst point:
  /// 1 minus the modal assurance criterion.
  double shape_change;
  /// From the first window to the last whose amplitude is at least twenty times that of the noise;
  /// none if the window is longer than the record. Errors are standard deviations by the motion in
  /// neighbouring bands, which is taken as noise.
  std::vector<RingdownPoint> points;
};

/// The step of evenly spaced times. Throws Error where a time is half a step away from its place.
double even_step(std::span<const double> t);

/// Where a decay begins: the first row whose motion is half of the largest, in squares summed over
/// the columns, each relative to its own largest. A blow there does no harm, since windows begin
/// with 0.
std::size_t start_of_decay(std::span<const std::vector<double>> motions);

/// Modes in the order of their peaks, the highest first, or of `omegas`. Times of points count from
/// the first row. Empty if no peak stands out. Throws Error for a frequency or band that the rows
/// cannot show.
std::vector<RingdownMode> ringdown_modes(double step, std::span<const std::vector<double>> motions,
                                         const RingdownOptions& options = {});

}  // namespace microslip::dynamics
