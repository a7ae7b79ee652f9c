#include "microslip/dynamics/time/ringdown_modes.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <unsupported/Eigen/FFT>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip::dynamics {
namespace {

using Complex = std::complex<double>;

/// Nuttall's window of four cosines with continuous slope, on [0, 1].
struct Nuttall {
  static constexpr double part[] = {0.355768, -0.487396, 0.144232, -0.012604};

  static double value(double y) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += part[k] * std::cos(2 * pi * k * y);
    return sum;
  }
  static double slope(double y) {
    double sum = 0;
    for (int k = 1; k < 4; ++k) sum -= part[k] * 2 * pi * k * std::sin(2 * pi * k * y);
    return sum;
  }
  /// √(∫w'² / ∫w²): how much louder white noise is in the slope of z than in z, times T.
  static double noise_of_slope() {
    double square = part[0] * part[0];
    double of_slope = 0;
    for (int k = 1; k < 4; ++k) {
      square += part[k] * part[k] / 2;
      of_slope += std::pow(2 * pi * k * part[k], 2) / 2;
    }
    return std::sqrt(of_slope / square);
  }
};

/// z and its slope, less that of exp(iωt), at one place of the window.
struct Sums {
  Complex z, slope;
};

/// Rows times the window times exp(−iωτ).
class BandFilter {
 public:
  BandFilter(double omega, double band, double step) {
    const auto half = static_cast<std::size_t>(std::ceil(4 * pi / (band * step)));
    step_ = step;
    intervals_ = 2 * half;
    for (std::size_t j = 0; j <= intervals_; ++j) {
      const double y = static_cast<double>(j) / static_cast<double>(intervals_);
      const Complex turn = std::polar(1.0, -omega * time(j));
      window_.push_back(Nuttall::value(y));
      total_ += window_.back();
      value_.push_back(window_.back() * turn);
      slope_.push_back(-Nuttall::slope(y) / length() * turn);
    }
  }

  std::size_t intervals() const { return intervals_; }
  double length() const { return static_cast<double>(intervals_) * step_; }

  Sums operator()(const std::vector<double>& x, std::size_t first) const {
    Sums sums{};
    for (std::size_t j = 0; j <= intervals_; ++j) {
      sums.z += x[first + j] * value_[j];
      sums.slope += x[first + j] * slope_[j];
    }
    return sums;
  }
  Complex value(const std::vector<double>& x, std::size_t first) const {
    Complex z;
    for (std::size_t j = 0; j <= intervals_; ++j) z += x[first + j] * value_[j];
    return z;
  }
  /// What the filter makes of exp(iωτ), and of exp((iω + μ)τ): W.
  double gain() const { return total_; }
  Complex gain(Complex mu) const {
    Complex sum;
    for (std::size_t j = 0; j <= intervals_; ++j) sum += window_[j] * std::exp(mu * time(j));
    return sum;
  }

 private:
  double time(std::size_t j) const {
    return (static_cast<double>(j) - static_cast<double>(intervals_) / 2) * step_;
  }

  double step_;
  double total_ = 0;
  std::size_t intervals_;
  std::vector<double> window_;
  std::vector<Complex> value_, slope_;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Spectrum of all motions together, from zero to half of the sampling frequency. The second half of
/// the window leads the record to zero at its end.
std::vector<double> spectrum_of(std::span<const std::vector<double>> motions, std::size_t count) {
  Eigen::FFT<double> fft;
  std::vector<double> power(count / 2, 0.0);
  for (const std::vector<double>& x : motions) {
    std::vector<Complex> rows(count), spectrum;
    for (std::size_t i = 0; i < x.size(); ++i)
      rows[i] =
          x[i] * Nuttall::value(0.5 + 0.5 * static_cast<double>(i) / static_cast<double>(x.size()));
    fft.fwd(spectrum, rows);
    for (std::size_t k = 0; k < power.size(); ++k) power[k] += std::norm(spectrum[k]);
  }
  for (double& p : power) p = std::sqrt(p);
  return power;
}

/// True if the spectrum falls to half of the height on both sides before it rises above it.
bool stands_alone(const std::vector<double>& spectrum, std::size_t k) {
  const auto falls = [&](auto next) {
    for (std::size_t i = next(k); i > 0 && i < spectrum.size(); i = next(i)) {
      if (spectrum[i] < 0.5 * spectrum[k]) return true;
      if (spectrum[i] > spectrum[k]) return false;
    }
    return true;
  };
  return falls([](std::size_t i) { return i - 1; }) && falls([](std::size_t i) { return i + 1; });
}

/// Frequencies of the peaks of the spectrum, the highest first.
struct Peaks {
  std::vector<double> omegas;
  std::size_t high = 0;  ///< how many of them have a fiftieth of the highest: those that are modes
};

Peaks peaks_of(double step, std::span<const std::vector<double>> motions) {
  const std::size_t rows = motions.front().size();
  std::size_t count = 2;
  while (count < rows) count *= 2;
  const std::vector<double> spectrum = spectrum_of(motions, count);
  const double bin = 2 * pi / (static_cast<double>(count) * step);
  // Below ten periods there is no decay to be seen, and drift has its peaks there.
  const auto first = static_cast<std::size_t>(
      std::ceil(10 * static_cast<double>(count) / static_cast<double>(rows)));
  if (first + 1 >= spectrum.size()) return {};
  const auto begin = spectrum.begin() + static_cast<std::ptrdiff_t>(first);
  const double highest = *std::max_element(begin, spectrum.end());
  const double least = 10 * median(std::vector<double>(begin, spectrum.end()));
  std::vector<std::pair<double, double>> found;
  for (std::size_t k = first; k + 1 < spectrum.size(); ++k)
    if (spectrum[k] >= least && spectrum[k] >= spectrum[k - 1] && spectrum[k] > spectrum[k + 1] &&
        stands_alone(spectrum, k))
      found.emplace_back(-spectrum[k], static_cast<double>(k) * bin);
  std::sort(found.begin(), found.end());
  Peaks peaks;
  for (const auto& peak : found) {
    peaks.omegas.push_back(peak.second);
    if (-peak.first >= highest / 50) peaks.high = peaks.omegas.size();
  }
  return peaks;
}

/// Half of the frequency, or less to keep out all other modes and peaks. The peak of the mode itself
/// may lie 5 % beside the frequency that was given for it.
double band_around(double omega, const std::vector<double>& modes,
                   const std::vector<double>& peaks) {
  double band = omega / 2;
  for (const double other : modes)
    if (other != omega) band = std::min(band, std::abs(other - omega));
  const auto distance = [&](double peak) { return std::abs(peak - omega); };
  const auto nearest = std::min_element(
      peaks.begin(), peaks.end(), [&](double a, double b) { return distance(a) < distance(b); });
  for (auto peak = peaks.begin(); peak != peaks.end(); ++peak)
    if (peak != nearest || distance(*peak) > 0.05 * omega) band = std::min(band, distance(*peak));
  return band;
}

/// What passes the band around one frequency.
class ModeInBand {
 public:
  ModeInBand(double omega, double band, double step, std::span<const std::vector<double>> motions)
      : omega_(omega), step_(step), motions_(motions), filter_(omega, band, step) {
    const std::size_t rows = motions.front().size();
    const std::size_t stride = std::max<std::size_t>(1, filter_.intervals() / 8);
    for (std::size_t i = 0; i + filter_.intervals() < rows; i += stride) first_.push_back(i);
    // Bands beside that of the mode; the median of what is in them is noise even where some of
    // them hold another mode.
    for (const double offset : {-2.5, -2.0, -1.5, -1.0, 1.0, 1.5, 2.0, 2.5}) {
      const double beside = omega + offset * band;
      if (beside >= band / 2 && beside <= pi / step - band / 2)
        beside_.emplace_back(beside, band, step);
    }
  }

  RingdownMode mode(double band, Quantity quantity) {
    RingdownMode result{omega_, band, filter_.length(), {}, 0, 0, {}};
    find_shape(result);
    if (first_.empty()) return result;
    const Eigen::VectorXd shape =
        Eigen::Map<const Eigen::VectorXd>(result.shape.data(), in_band_.rows());
    std::vector<double> q(motions_.front().size(), 0.0);
    for (std::size_t c = 0; c < motions_.size(); ++c)
      for (std::size_t i = 0; i < q.size(); ++i)
        q[i] += result.shape[c] / shape.squaredNorm() * motions_[c][i];
    std::vector<Complex> lambda;
    for (std::size_t k = 0; k < first_.size(); ++k) {
      const Sums sums = filter_(q, first_[k]);
      const double noise = noise_at(q, first_[k]);
      if (!(std::abs(2.0 * sums.z / filter_.gain()) >= least * noise)) break;
      const Complex mu = sums.slope / sums.z;
      lambda.push_back(mu + Complex(0, omega_));
      result.points.push_back(point_at(first_[k], 2 * std::abs(sums.z / filter_.gain(mu)), noise));
      const Eigen::VectorXcd z = in_band_.col(static_cast<Eigen::Index>(k));
      const double along = std::norm((shape.transpose() * z).value()) / shape.squaredNorm();
      double leaks = 0;
      for (const std::vector<double>& x : motions_) leaks = std::max(leaks, leakage(x, first_[k]));
      if (2 * z.norm() >= least * leaks * filter_.gain())
        result.shape_change = std::max(result.shape_change, 1 - along / z.squaredNorm());
    }
    for (std::size_t k = 0; k < lambda.size(); ++k)
      set_motion(lambda, k, quantity, result.points[k]);
    return result;
  }

 private:
  void find_shape(RingdownMode& result) {
    const auto channels = static_cast<Eigen::Index>(motions_.size());
    in_band_.resize(channels, static_cast<Eigen::Index>(first_.size()));
    for (Eigen::Index c = 0; c < channels; ++c)
      for (Eigen::Index k = 0; k < in_band_.cols(); ++k)
        in_band_(c, k) = filter_.value(motions_[static_cast<std::size_t>(c)],
                                       first_[static_cast<std::size_t>(k)]);
    const Eigen::MatrixXd gram = (in_band_ * in_band_.adjoint()).real();
    Eigen::VectorXd shape = dense::SymmetricModes(gram).vectors.col(channels - 1);
    Eigen::Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    shape /= shape[largest];
    result.shape.assign(shape.begin(), shape.end());
    result.largest = static_cast<std::size_t>(largest);
  }

  /// What a window of finite length lets through of louder motion at any frequency.
  double leakage(const std::vector<double>& x, std::size_t first) const {
    double loudest = 0;
    for (std::size_t j = 0; j <= filter_.intervals(); ++j)
      loudest = std::max(loudest, std::abs(x[first + j]));
    return 2.2e-5 * loudest;
  }

  /// Amplitude of the noise in the band: what leaks into it, and what neighbouring bands hold.
  double noise_at(const std::vector<double>& q, std::size_t first) const {
    if (beside_.empty()) return leakage(q, first);
    std::vector<double> sizes;
    for (const BandFilter& filter : beside_)
      sizes.push_back(2 * std::abs(filter.value(q, first)) / filter.gain());
    return std::max(leakage(q, first), median(std::move(sizes)));
  }

  /// Time and amplitude as recorded; the errors are those of λ.
  RingdownPoint point_at(std::size_t first, double amplitude, double noise) const {
    // The median of the size of complex noise is √(2 ln 2) of the deviation of either part.
    const double error = noise / amplitude / std::sqrt(2 * std::numbers::ln2) *
                         Nuttall::noise_of_slope() / filter_.length();
    return {
        static_cast<double>(first) * step_ + filter_.length() / 2, amplitude, 0, 0, error, error};
  }

  /// Amplitude, frequency and damping of the displacement: x = z/λᵖ has the logarithmic derivative
  /// λ − pλ'/λ, with λ' from points that are half a window apart.
  void set_motion(const std::vector<Complex>& lambda, std::size_t k, Quantity quantity,
                  RingdownPoint& point) const {
    const std::size_t before = k < 2 ? 0 : k - 2, after = std::min(k + 2, lambda.size() - 1);
    const double duration = static_cast<double>(first_[after] - first_[before]) * step_;
    const Complex slope = after > before ? (lambda[after] - lambda[before]) / duration : 0;
    const auto p = static_cast<double>(quantity);
    const Complex moving = lambda[k] - p * slope / lambda[k];
    point.amplitude /= std::pow(std::abs(lambda[k]), p);
    point.omega = moving.imag();
    point.zeta = -moving.real() / std::abs(moving);
    point.zeta_error /= std::abs(moving);
  }

  static constexpr double least = 20;  ///< below this a damping ratio is mostly noise

  double omega_, step_;
  std::span<const std::vector<double>> motions_;
  BandFilter filter_;
  std::vector<BandFilter> beside_;
  std::vector<std::size_t> first_;  ///< rows at which windows begin
  Eigen::MatrixXcd in_band_;        ///< z of each motion at each window
};

}  // namespace

double even_step(std::span<const double> t) {
  if (t.size() < 3)
    throw Error("a ring-down of " + std::to_string(t.size()) + " rows is too short; at least 3");
  const double step = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double place = t.front() + static_cast<double>(i) * step;
    if (!(std::abs(t[i] - place) <= step / 2))
      throw Error("row " + std::to_string(i + 1) + ": t = " + number_text(t[i]) +
                  " is not evenly spaced (" + number_text(place) +
                  " would be); a ring-down needs rows at equal steps of time");
  }
  return step;
}

std::size_t start_of_decay(std::span<const std::vector<double>> motions) {
  std::vector<double> sum(motions.front().size(), 0.0);
  for (const std::vector<double>& x : motions) {
    double largest = 0;
    for (const double value : x) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < x.size() && largest > 0; ++i) sum[i] += std::pow(x[i] / largest, 2);
  }
  const double enough = 0.25 * *std::max_element(sum.begin(), sum.end());
  return static_cast<std::size_t>(
      std::find_if(sum.begin(), sum.end(), [&](double s) { return s >= enough; }) - sum.begin());
}

std::vector<RingdownMode> ringdown_modes(double step, std::span<const std::vector<double>> motions,
                                         const RingdownOptions& options) {
  std::vector<std::vector<double>> centred(motions.begin(), motions.end());
  for (std::vector<double>& x : centred) {
    double mean = 0;
    for (const double value : x) mean += value / static_cast<double>(x.size());
    for (double& value : x) value -= mean;
  }
  const Peaks peaks = peaks_of(step, centred);
  std::vector<double> omegas = options.omegas;
  if (omegas.empty()) {
    omegas = peaks.omegas;
    omegas.resize(std::min(options.most_modes, peaks.high));
  }
  std::vector<RingdownMode> modes;
  for (const double omega : omegas) {
    const auto hertz = [](double w) { return number_text(w / (2 * pi)); };
    if (!(omega > 0 && omega < 0.9 * pi / step))
      throw Error("the frequency " + hertz(omega) + " must lie between 0 and " +
                  hertz(0.9 * pi / step) + ", 0.45 of the rows in a unit of time");
    double band = options.band > 0 ? options.band : band_around(omega, omegas, peaks.omegas);
    if (!(band <= 0.9 * omega))
      throw Error("the band " + hertz(band) + " around the frequency " + hertz(omega) +
                  " must be at most 0.9 of it, so that it does not reach to zero");
    if (!(omega + band < pi / step))
      throw Error("the band " + hertz(band) + " around the frequency " + hertz(omega) +
                  " must end below " + hertz(pi / step) + ", half of the rows in a unit of time");
    const double duration = step * static_cast<double>(centred.front().size() - 1);
    modes.push_back({omega, band, 8 * pi / band, {}, 0, 0, {}});
    // Peaks too low to be seen may lie in a wide band, which is then halved.
    while (modes.back().points.empty() && 8 * pi / band < duration) {
      modes.back() = ModeInBand(omega, band, step, centred).mode(band, options.quantity);
      if (options.band > 0) break;
      band /= 2;
    }
  }
  return modes;
}

}  // namespace microslip::dynamics
