#include "ringdown_band.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "ringdown_errors.hpp"

namespace microslip::dynamics {
namespace {

constexpr double least = 20;  ///< times the noise; below this a damping ratio is mostly noise
constexpr std::size_t places_in_window = 8;

/// What passes the band at every place of the window.
struct Ridge {
  std::vector<double> omega;  ///< centre of the band
  std::vector<Sums> sums;
};

class Band {
 public:
  Band(double step, std::size_t rows, const BandChoice& choice)
      : step_(step), choice_(choice), window_(choice.band, step) {
    const std::size_t stride = std::max<std::size_t>(1, window_.intervals() / places_in_window);
    for (std::size_t i = 0; i + window_.intervals() < rows; i += stride) first_.push_back(i);
  }

  const SlidingWindow& window() const { return window_; }
  const std::vector<std::size_t>& first() const { return first_; }

  /// From the place where most passes at the frequency asked for, forwards and backwards.
  Ridge follow(Motions motions) const {
    const std::size_t count = first_.size();
    Ridge ridge{std::vector<double>(count, choice_.omega), {}};
    ridge.sums.reserve(count);
    std::size_t loudest = 0;
    for (std::size_t k = 0; k < count; ++k) {
      ridge.sums.push_back(window_.sums(motions, first_[k], choice_.omega));
      if (ridge.sums[k].z.squaredNorm() > ridge.sums[loudest].z.squaredNorm()) loudest = k;
    }
    for (int i = 0; i < 3; ++i) centre(motions, loudest, ridge);
    for (std::size_t k = loudest + 1; k < count; ++k) follow_to(motions, k, k - 1, ridge);
    for (std::size_t k = loudest; k-- > 0;) follow_to(motions, k, k + 1, ridge);
    return ridge;
  }

  /// Standard deviation of real and imaginary part of the noise in the band, relative to amplitude 1:
  /// what bands beside it hold, over three lengths of the window around each place. The median is
  /// noise even where some of them hold another mode.
  std::vector<double> noise(const std::vector<double>& q, const std::vector<double>& omega) const {
    std::vector<std::vector<double>> beside(first_.size());
    for (std::size_t k = 0; k < first_.size(); ++k)
      for (const double offset : {-2.5, -2.0, -1.5, -1.0, 1.0, 1.5, 2.0, 2.5}) {
        const double at = omega[k] + offset * choice_.band;
        if (at >= choice_.band / 2 && at <= pi / step_ - choice_.band / 2)
          beside[k].push_back(window_.amplitude(q, first_[k], at));
      }
    constexpr std::size_t reach = 3 * places_in_window / 2;
    std::vector<double> noise;
    for (std::size_t k = 0; k < first_.size(); ++k) {
      const std::size_t begin = k < reach ? 0 : k - reach;
      const std::size_t end = std::min(first_.size(), k + reach + 1);
      std::vector<double> sizes;
      for (std::size_t i = begin; i < end; ++i)
        sizes.insert(sizes.end(), beside[i].begin(), beside[i].end());
      // The median of the size of complex noise is √(2 ln 2) of the deviation of either part. Of the
      // sizes some eighth are independent: neighbours share half of their band or of their rows.
      const double few = sizes.empty() ? 1 : 1 + 8 / static_cast<double>(sizes.size());
      noise.push_back(few * median_of(sizes) / std::sqrt(2 * std::numbers::ln2));
    }
    return noise;
  }

 private:
  void centre(Motions motions, std::size_t k, Ridge& ridge) const {
    const double shift = ridge.sums[k].rate().imag();
    // A ridge stays above the frequency zero and below that of the rows.
    ridge.omega[k] =
        std::clamp(ridge.omega[k] + std::clamp(shift, -choice_.band / 4, choice_.band / 4),
                   choice_.band / 2, std::max(choice_.band / 2, pi / step_ - choice_.band / 2));
    ridge.sums[k] = window_.sums(motions, first_[k], ridge.omega[k]);
  }

  void follow_to(Motions motions, std::size_t k, std::size_t from, Ridge& ridge) const {
    ridge.omega[k] = ridge.omega[from];
    ridge.sums[k] = window_.sums(motions, first_[k], ridge.omega[k]);
    centre(motions, k, ridge);
  }

  double step_;
  BandChoice choice_;
  SlidingWindow window_;
  std::vector<std::size_t> first_;  ///< rows at which windows begin
};

/// Real shapes of the modes in the band, in columns, and which of them is asked for.
struct Shapes {
  Eigen::MatrixXd all;
  Eigen::Index asked = 0;
  std::vector<double> others{};  ///< frequencies of those that are not asked for
};

/// z of all motions at all places is Φ q, and its slope Φ Λ q: both together give the shapes Φ, of
/// which there are as many as leading directions are taken of z.
std::optional<Shapes> shapes_of(const Ridge& ridge, double omega, std::size_t rank) {
  const Eigen::Index channels = ridge.sums.front().z.size();
  const auto places = static_cast<Eigen::Index>(ridge.sums.size());
  const auto r = static_cast<Eigen::Index>(rank);
  Eigen::MatrixXcd z(channels, places), slope(channels, places);
  for (Eigen::Index k = 0; k < places; ++k) {
    const auto i = static_cast<std::size_t>(k);
    z.col(k) = ridge.sums[i].z;
    slope.col(k) = ridge.sums[i].slope + Complex(0, ridge.omega[i]) * ridge.sums[i].z;
  }
  const Eigen::MatrixXd gram = (z * z.adjoint()).real();
  const Eigen::MatrixXd basis = dense::SymmetricModes(gram).vectors.rightCols(r);
  Shapes shapes{basis, 0, {}};
  if (rank == 1) return shapes;
  const Eigen::MatrixXcd y = basis.transpose() * z, dy = basis.transpose() * slope;
  const Eigen::MatrixXcd square = y * y.adjoint();
  const Eigen::MatrixXcd inverse = dense::ComplexLu(square).solve(Eigen::MatrixXcd::Identity(r, r));
  const Eigen::MatrixXcd rates = dy * y.adjoint() * inverse;
  if (!rates.allFinite()) return std::nullopt;
  // Of real shapes Φ, the imaginary part of Φ Λ Φ⁻¹ has the frequencies as eigenvalues.
  const dense::Modes modes(rates.imag());
  for (Eigen::Index j = 0; j < r; ++j) {
    if (modes.values[j].imag() != 0) return std::nullopt;
    if (std::abs(modes.values[j].real() - omega) <
        std::abs(modes.values[shapes.asked].real() - omega))
      shapes.asked = j;
  }
  for (Eigen::Index j = 0; j < r; ++j)
    if (j != shapes.asked) shapes.others.push_back(modes.values[j].real());
  shapes.all = basis * modes.vectors;
  return shapes;
}

/// First and last place around the loudest one at which the mode stands out.
std::pair<std::size_t, std::size_t> loud_places(const std::vector<double>& size,
                                                const std::vector<double>& background) {
  const auto loud = [&](std::size_t k) { return size[k] > 0 && size[k] >= least * background[k]; };
  std::size_t loudest = 0;
  for (std::size_t k = 0; k < size.size(); ++k)
    if (size[k] * background[loudest] > size[loudest] * background[k]) loudest = k;
  if (!loud(loudest)) return {0, 0};
  std::size_t begin = loudest, end = loudest + 1;
  while (begin > 0 && loud(begin - 1)) --begin;
  while (end < size.size() && loud(end)) ++end;
  return {begin, end};
}

/// Half a beat of two modes where the motion grows again after it was no longer followed, which that of
/// one mode does not; 0 if it does not. `size` is that at the last frequency which was followed.
double half_beat(const std::vector<double>& size, const std::vector<double>& noise,
                 const std::vector<double>& leakage, std::size_t end) {
  // Of some hundred sizes of noise none is four and a half deviations (e^(−4.5²/2) = 4e-5).
  constexpr double clear = 4.5;
  std::size_t lowest = end, highest = end;
  double most = 0;
  for (std::size_t k = end, low = end - 1; k < size.size(); ++k) {
    const double allowed = clear * (noise[low] + noise[k]) + leakage[low] + leakage[k];
    if (size[k] - size[low] > allowed && size[k] - size[low] > most) {
      most = size[k] - size[low];
      lowest = low;
      highest = k;
    }
    if (size[k] < size[low]) low = k;
  }
  return static_cast<double>(highest - lowest);
}

}  // namespace

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

RingdownMode mode_in_band(double step, Motions motions, const BandChoice& choice,
                          Quantity quantity) {
  const Band band(step, motions.front().size(), choice);
  const SlidingWindow& window = band.window();
  RingdownMode result;
  result.omega = choice.omega;
  result.band = choice.band;
  result.window = window.length();
  if (band.first().empty()) return result;
  const Ridge all = band.follow(motions);
  const std::optional<Shapes> shapes = shapes_of(all, choice.omega, choice.rank);
  if (!shapes) return result;
  result.separated = shapes->others;

  const Eigen::VectorXd shape = shapes->all.col(shapes->asked);
  Eigen::Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  const Eigen::VectorXd scaled = shape / shape[largest];
  result.shape.assign(scaled.begin(), scaled.end());
  result.largest = static_cast<std::size_t>(largest);
  const Eigen::VectorXd filter =
      dense::pseudo_inverse(shapes->all).row(shapes->asked).transpose() * shape[largest];
  std::vector<std::vector<double>> q(1, std::vector<double>(motions.front().size(), 0.0));
  for (std::size_t c = 0; c < motions.size(); ++c)
    for (std::size_t i = 0; i < q[0].size(); ++i)
      q[0][i] += filter[static_cast<Eigen::Index>(c)] * motions[c][i];

  const Ridge ridge = motions.size() == 1 ? all : band.follow(q);
  const std::vector<double> noise = band.noise(q[0], ridge.omega);
  std::vector<double> size, leakage, background;
  for (std::size_t k = 0; k < ridge.sums.size(); ++k) {
    size.push_back(2 * std::abs(ridge.sums[k].z[0]) / window.gain());
    leakage.push_back(window.leakage(q[0], band.first()[k]));
    background.push_back(std::max(leakage[k], std::sqrt(2 * std::numbers::ln2) * noise[k]));
  }
  const auto [begin, end] = loud_places(size, background);
  const Eigen::MatrixXd span = dense::ThinQr(shapes->all).Q;
  const double free_motions = static_cast<double>(motions.size() - choice.rank);
  std::size_t off_shape = 0;
  DecayRates rates;
  rates.in_window = places_in_window;
  if (band.first().size() > 1)
    rates.spacing = static_cast<double>(band.first()[1] - band.first()[0]) * step;
  for (std::size_t k = begin; k < end; ++k) {
    const Complex mu = ridge.sums[k].rate();
    const double of_slope = std::hypot(Nuttall::noise_of_slope() / window.length(), std::abs(mu));
    rates.lambda.push_back(mu + Complex(0, ridge.omega[k]));
    // What leaks comes from beyond the band, so that its slope is larger than that of noise.
    rates.noise.push_back(std::hypot(noise[k] * of_slope, leakage[k] * 8 * pi / window.length()) /
                          size[k]);
    RingdownPoint point{};
    point.t = static_cast<double>(band.first()[k]) * step + window.length() / 2;
    rates.gain.push_back(window.gain(mu));
    point.amplitude = size[k] * window.gain() / std::abs(rates.gain.back().whole);
    result.points.push_back(point);
    const Eigen::VectorXcd& z = all.sums[k].z;
    const double off = (z - span * (span.transpose() * z)).norm();
    double leaks = 0;
    for (const std::vector<double>& x : motions)
      leaks = std::max(leaks, window.leakage(x, band.first()[k]));
    if (2 * z.norm() >= least * leaks * window.gain())
      result.shape_change = std::max(result.shape_change, std::pow(off / z.norm(), 2));
    // Noise of a motion along the shape, of length 1, is that of any other direction.
    const double noise_off = 5 * std::sqrt(free_motions) * noise[k] / filter.norm() + 3 * leaks;
    off_shape += 2 * off / window.gain() > noise_off && off > 0.01 * z.norm() ? 1 : 0;
  }
  result.off_shape = result.points.empty() ? 0
                                           : static_cast<double>(off_shape) /
                                                 static_cast<double>(result.points.size());
  if (result.points.empty()) return result;
  set_motion(rates, quantity, result);
  for (std::size_t k = end; k < size.size(); ++k)
    size[k] = window.amplitude(q[0], band.first()[k], ridge.omega[end - 1]);
  const double grows_for = half_beat(size, noise, leakage, end) * rates.spacing;
  if (grows_for > 0) result.beat = std::max(result.beat, pi / grows_for);
  return result;
}

}  // namespace microslip::dynamics
