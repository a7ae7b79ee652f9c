#pragma once

#include <cstddef>
#include <optional>
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
/// mode. Of a mode that changes with amplitude they are means over the window, from which the first
/// and second derivative of λ are taken away; what is left of that is part of the errors.
///
/// The centre of the band follows the frequency of the mode (its ridge), so that a band may be narrower
/// than the way that the frequency goes. ω_c is that centre.
///
/// w is Nuttall's window of four cosines, which is 0 with its slope at both ends. Its transform is 0
/// at the distance 8π/T from ω_c and below 2.2e-5 beyond, so that the half width b of the band gives
/// T = 8π/b. A window lies within the record: at either end T/2 of it is cut off, and no point has
/// seen an end.
///
/// Several motions are combined to that of one mode by its shape (modal filter): the real shape φ
/// that takes most of what passes the band, q = φᵀx/φᵀφ. The largest component of φ is 1, so that
/// amplitudes are those of its motion. Two or three modes in one band are separated: of their shapes
/// Φ, the z of all motions is Φq and its slope ΦΛq, so that the imaginary part of
/// (Σ z' z*)(Σ z z*)⁻¹ = ΦΛΦ⁻¹ has the frequencies as eigenvalues and the shapes as vectors.
///
/// A band is taken for that of one mode if its frequency moves in one direction, its damping has at
/// most one extremum, a narrower band finds the same, all within the errors, and the motion does not
/// grow again once it was quiet.
namespace microslip::dynamics {

/// What was recorded. Amplitudes and damping are those of the displacement: a velocity is divided by
/// λ, an acceleration by λ².
enum class Quantity { displacement, velocity, acceleration };

struct RingdownOptions {
  std::size_t most_modes = 3;    ///< of the highest peaks of the spectrum
  std::vector<double> omegas{};  ///< of the modes, instead of peaks
  /// Half width; 0: from half of the frequency downwards the widest in which ζ is known to 5 %, or
  /// else the one in which it is known best.
  double band = 0;
  Quantity quantity = Quantity::displacement;
};

struct RingdownMode {
  double omega = 0;           ///< of the peak, or as it was asked for: somewhere on the ridge
  double band = 0;            ///< b
  double window = 0;          ///< T
  std::vector<double> shape;  ///< of the motions; the largest is 1; empty if no window fits
  std::size_t largest = 0;    ///< which one that is
  /// Part of the motion in the band, squared, that does not follow the shape, at the worst point:
  /// 1 minus the modal assurance criterion. Where modes are separated, what follows none of them.
  double shape_change = 0;
  /// Frequencies of other modes in the band that were separated from this one by their shapes.
  std::vector<double> separated{};
  double off_shape = 0;  ///< part of the points at which more than noise does not follow the shape
  double rising = 0;     ///< part of the points at which the amplitude grows, beyond the errors
  /// How much the errors were widened because frequency and damping rise and fall again by more
  /// than noise and smoothing allow, as where another mode is in the band; 1: not at all.
  double widened = 1;
  /// Distance of another mode in the band, by how often frequency and damping move to and fro or how
  /// long the motion grows again after it was quiet; 0 if they do not.
  double beat = 0;
  double precision = 0;  ///< median error of ζ over the median of ζ
  /// False if the motion in the band is not that of one mode, or if its damping is not known to half
  /// of itself, so that nobody can tell. There are no points then, unless the band was given.
  bool resolved = true;
  /// From the first window to the last whose amplitude is at least twenty times that of the noise;
  /// none if the window is longer than the record. Errors are standard deviations by the motion in
  /// neighbouring bands, which is taken as noise, with what the window smooths away.
  std::vector<RingdownPoint> points;
};

/// The step of evenly spaced times. Throws Error where a time is half a step away from its place.
double even_step(std::span<const double> t);

/// Rows that a sensor at its limit cut off: exactly the largest or the smallest value for three rows
/// or more, with a kink at their end. What a resting sensor or a coarse resolution repeats has none.
struct Clipping {
  double limit;            ///< the value of the last of them
  std::size_t rows, last;  ///< how many there are; the last one, from 0
};
std::optional<Clipping> clipping(std::span<const double> motion);

/// Where a decay begins: the first row whose motion is half of the largest, in squares summed over
/// the columns, each relative to its own largest. A blow there does no harm, since windows begin
/// with 0. After the last row that is clipped in any of them.
std::size_t start_of_decay(std::span<const std::vector<double>> motions);

/// Modes in the order of their peaks, the highest first, or of `omegas`. Peaks that are the same mode,
/// whose frequency moves, are one. Times of points count from
/// the first row. Empty if no peak stands out. Throws Error for a frequency or band that the rows
/// cannot show.
std::vector<RingdownMode> ringdown_modes(double step, std::span<const std::vector<double>> motions,
                                         const RingdownOptions& options = {});

}  // namespace microslip::dynamics
