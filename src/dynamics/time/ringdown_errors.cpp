#include "ringdown_errors.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/detail/numerics/constants.hpp"
#include "ringdown_band.hpp"

namespace microslip::dynamics {
namespace {

/// Of the correction for what changes within the window, so much is taken as its error besides what
/// a second correction adds.
constexpr double remainder = 0.25;

/// The nearest ascending sequence (pool adjacent violators), one value after the other.
class Ascending {
 public:
  void add(double y, double weight) {
    Block block{1, weight, weight * y, weight * y * y};
    while (!blocks_.empty() && blocks_.back().mean() >= block.mean()) {
      misfit_ -= blocks_.back().misfit();
      block.join(blocks_.back());
      blocks_.pop_back();
    }
    misfit_ += block.misfit();
    blocks_.push_back(block);
  }
  double misfit() const { return misfit_; }
  std::vector<double> values() const {
    std::vector<double> result;
    for (const Block& block : blocks_) result.insert(result.end(), block.count, block.mean());
    return result;
  }

 private:
  struct Block {
    std::size_t count;
    double weight, sum, square;
    double mean() const { return sum / weight; }
    double misfit() const { return std::max(0.0, square - sum * sum / weight); }
    void join(const Block& other) {
      count += other.count;
      weight += other.weight;
      sum += other.sum;
      square += other.square;
    }
  };
  std::vector<Block> blocks_;
  double misfit_ = 0;
};

/// The nearest sequence that rises, or falls.
std::vector<double> in_one_direction(const std::vector<double>& y,
                                     const std::vector<double>& weight) {
  Ascending up, down;
  for (std::size_t i = 0; i < y.size(); ++i) {
    up.add(y[i], weight[i]);
    down.add(-y[i], weight[i]);
  }
  if (up.misfit() <= down.misfit()) return up.values();
  std::vector<double> values = down.values();
  for (double& value : values) value = -value;
  return values;
}

/// Up to a place and down from there; `side` = −1 turns it over.
std::vector<double> one_extremum(const std::vector<double>& y, const std::vector<double>& weight,
                                 double side, double& misfit) {
  const std::size_t n = y.size();
  std::vector<double> before(n + 1, 0.0), after(n + 1, 0.0);
  Ascending up, down;
  for (std::size_t i = 0; i < n; ++i) {
    up.add(side * y[i], weight[i]);
    before[i + 1] = up.misfit();
    down.add(side * y[n - 1 - i], weight[n - 1 - i]);
    after[n - 1 - i] = down.misfit();
  }
  std::size_t top = 0;
  for (std::size_t i = 0; i <= n; ++i)
    if (before[i] + after[i] < before[top] + after[top]) top = i;
  misfit = before[top] + after[top];
  Ascending before_top, after_top;
  for (std::size_t i = 0; i < top; ++i) before_top.add(side * y[i], weight[i]);
  for (std::size_t i = n; i-- > top;) after_top.add(side * y[i], weight[i]);
  std::vector<double> values = before_top.values(), rest = after_top.values();
  values.insert(values.end(), rest.rbegin(), rest.rend());
  for (double& value : values) value *= side;
  return values;
}

/// What the window adds to λ of a mode that changes within it: of λ(t + τ) = λ + λ₁τ + λ₂τ²/2, it
/// finds λ + λ₁⟨τ⟩ + λ₂⟨τ²⟩/2. The parabola through three places over half a window has λ₁ and λ₂.
struct AddedByWindow {
  std::size_t place[3];
  Complex weight[3];  ///< of λ at these places

  AddedByWindow(const DecayRates& rates, std::size_t k) {
    const std::size_t n = rates.lambda.size(), h = rates.in_window / 4;
    const std::size_t i = std::clamp(k, h, n - 1 - h);
    const double step = static_cast<double>(h) * rates.spacing;
    const double beside = (static_cast<double>(k) - static_cast<double>(i)) * rates.spacing;
    const Complex of_slope = rates.gain[k].shift / (2 * step);
    const Complex of_curvature =
        (beside * rates.gain[k].shift + 0.5 * rates.gain[k].spread) / (step * step);
    for (std::size_t j = 0; j < 3; ++j) place[j] = i + j * h - h;
    weight[0] = of_curvature - of_slope;
    weight[1] = -2.0 * of_curvature;
    weight[2] = of_curvature + of_slope;
  }
  Complex operator()(const std::vector<Complex>& lambda) const {
    Complex sum;
    for (std::size_t j = 0; j < 3; ++j) sum += weight[j] * lambda[place[j]];
    return sum;
  }
};

/// λ without what the window adds, what a second correction would change, and the noise of the first.
struct Corrected {
  std::vector<Complex> lambda, added, added_again;
  std::vector<double> noise;
};

Corrected corrected(const DecayRates& rates) {
  const std::size_t n = rates.lambda.size();
  Corrected result{rates.lambda, std::vector<Complex>(n), std::vector<Complex>(n), rates.noise};
  if (n < 2 * (rates.in_window / 4) + 1) return result;
  std::vector<AddedByWindow> window;
  for (std::size_t k = 0; k < n; ++k) window.emplace_back(rates, k);
  for (std::size_t k = 0; k < n; ++k) {
    result.added[k] = window[k](rates.lambda);
    result.lambda[k] -= result.added[k];
  }
  for (std::size_t k = 0; k < n; ++k) result.added_again[k] = window[k](result.added);

  std::vector<double> correlation;
  for (std::size_t lag = 0; lag <= rates.in_window; ++lag)
    correlation.push_back(Nuttall::correlation_of_slope(static_cast<double>(lag) /
                                                        static_cast<double>(rates.in_window)));
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t places[] = {k, window[k].place[0], window[k].place[1], window[k].place[2]};
    const Complex weights[] = {1, -window[k].weight[0], -window[k].weight[1], -window[k].weight[2]};
    double variance = 0;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < 4; ++b) {
        const std::size_t lag = std::max(places[a], places[b]) - std::min(places[a], places[b]);
        if (lag > rates.in_window) continue;
        variance += (weights[a] * std::conj(weights[b])).real() * correlation[lag] *
                    rates.noise[places[a]] * rates.noise[places[b]];
      }
    result.noise[k] = std::sqrt(std::max(variance, 0.0));
  }
  return result;
}

/// The largest size of one part of the numbers within a quarter of the window.
std::vector<double> largest_near(const std::vector<double>& y, std::size_t reach) {
  std::vector<double> result;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const std::size_t end = std::min(y.size(), k + reach + 1);
    double largest = 0;
    for (std::size_t i = k < reach ? 0 : k - reach; i < end; ++i)
      largest = std::max(largest, std::abs(y[i]));
    result.push_back(largest);
  }
  return result;
}

/// The curves that one mode may have: joints change the frequency in one direction, the damping may
/// have a maximum.
using Plain = std::vector<double> (*)(const std::vector<double>&, const std::vector<double>&);

/// How often y swings about a plain curve, in radians in a unit of time: from swings that are clearly
/// larger than the errors. 0 if there are fewer than three of them.
double swings_of(const std::vector<double>& y, const std::vector<double>& plain,
                 const std::vector<double>& error, double spacing) {
  std::size_t swings = 0, first = 0, last = 0;
  double side = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double off = y[k] - plain[k];
    if (std::abs(off) < 3 * error[k] || off * side > 0) continue;
    side = off;
    if (swings++ == 0) first = k;
    last = k;
  }
  if (swings < 3) return 0;
  return pi * static_cast<double>(swings - 1) / (static_cast<double>(last - first) * spacing);
}

/// Errors of y by noise and by what changes within the window, widened where y moves to and fro by
/// more than they allow: another mode is then in the band. `widening` is the median of how much.
struct Errors {
  std::vector<double> size, off;  ///< off: from the plain curve
  double widened, beat;
};

Errors errors_of(const std::vector<double>& y, const std::vector<double>& by_window,
                 const std::vector<double>& noise, const DecayRates& rates, Plain nearest_plain) {
  const std::size_t in_window = rates.in_window;
  std::vector<double> error = largest_near(by_window, in_window / 4), weight;
  for (std::size_t k = 0; k < y.size(); ++k) {
    error[k] = std::hypot(error[k], noise[k]);
    weight.push_back(1 / (error[k] * error[k]));
  }
  const std::vector<double> plain = nearest_plain(y, weight);
  const std::size_t reach = 2 * in_window;
  std::vector<double> factor;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const std::size_t begin = k < reach ? 0 : k - reach, end = std::min(y.size(), k + reach + 1);
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += weight[i] * std::pow(y[i] - plain[i], 2);
    factor.push_back(std::max(1.0, std::sqrt(sum / static_cast<double>(end - begin))));
  }
  const double beat = swings_of(y, plain, error, rates.spacing);
  std::vector<double> off;
  for (std::size_t k = 0; k < y.size(); ++k) {
    error[k] *= factor[k];
    off.push_back(y[k] - plain[k]);
  }
  return {std::move(error), std::move(off), median_of(factor), beat};
}

/// A second mode in the band turns λ about that of the first: c exp(iΩt), with |c| as its size.
struct Ripple {
  double rate = 0, size = 0;
};

/// The clearest ripple of λ about plain curves; size 0 if noise has as much. It is found where single
/// swings are not, because all of them count.
Ripple ripple_of(const std::vector<Complex>& off, const std::vector<double>& by_window,
                 const DecayRates& rates) {
  // Of all rates together noise exceeds this in one record of a thousand.
  constexpr double rare = 1e-3;
  const std::size_t n = off.size(), in_window = rates.in_window;
  if (n < in_window) return {};
  std::vector<double> correlation;
  for (std::size_t lag = 0; lag < in_window; ++lag)
    correlation.push_back(
        Nuttall::correlation_of_slope(static_cast<double>(lag) / static_cast<double>(in_window)));
  double total = 0, of_noise = 0, of_window = 0;
  std::vector<double> weight;
  for (std::size_t k = 0; k < n; ++k) {
    const double noise = rates.noise[k] * rates.noise[k], smooth = by_window[k] * by_window[k];
    weight.push_back(1 / (noise + smooth));
    total += weight[k];
    of_noise += weight[k] * weight[k] * noise;
    of_window += weight[k] * weight[k] * smooth;
  }
  const double span = static_cast<double>(n) * rates.spacing;
  const double band = 8 * pi / (static_cast<double>(in_window) * rates.spacing);
  const double step = pi / span;
  const auto steps = static_cast<int>(band / step);
  const double clear = std::log(2.0 * steps / rare);
  Ripple found;
  double clearest = clear;
  for (int i = -steps; i <= steps; ++i) {
    if (std::abs(i) < 3) continue;  // less than one and a half beats are seen
    const double rate = i * step;
    const Complex back = std::polar(1.0, -rate * rates.spacing);
    Complex sum, turn = 1;
    for (std::size_t k = 0; k < n; ++k, turn *= back) sum += weight[k] * off[k] * turn;
    // What noise has at this rate; what the window smooths away is alike all along it.
    double spectrum = correlation[0];
    for (std::size_t lag = 1; lag < in_window; ++lag)
      spectrum += 2 * correlation[lag] * std::cos(rate * rates.spacing * static_cast<double>(lag));
    const double variance =
        2 * (of_noise * std::max(spectrum, 0.05) + of_window * static_cast<double>(in_window));
    if (std::norm(sum) <= clearest * variance) continue;
    clearest = std::norm(sum) / variance;
    found = {std::abs(rate), std::abs(sum) / total};
  }
  return found;
}

/// Distance of a second mode in the band; 0 if none is seen.
double beat_of(const Errors& of_omega, const Errors& of_decay, const std::vector<double>& by_window,
               double visible_decay, const DecayRates& rates) {
  // A second mode turns about the first: frequency and damping swing at the same rate.
  const auto [slow, fast] = std::minmax(of_omega.beat, of_decay.beat);
  const double beat = fast <= 1.5 * slow ? slow : 0;
  std::vector<Complex> off;
  for (std::size_t k = 0; k < of_omega.off.size(); ++k)
    off.emplace_back(-of_decay.off[k], of_omega.off[k]);
  const Ripple ripple = ripple_of(off, by_window, rates);
  // A smaller one is left to the errors, which swings about a plain curve widen.
  return ripple.size > 0.2 * visible_decay ? std::max(beat, ripple.rate) : beat;
}

void set_precision(RingdownMode& mode) {
  std::vector<double> errors, sizes;
  std::size_t rising = 0;
  for (const RingdownPoint& point : mode.points) {
    rising += point.zeta < -2 * point.zeta_error ? 1 : 0;
    errors.push_back(point.zeta_error);
    sizes.push_back(std::abs(point.zeta));
  }
  mode.rising = static_cast<double>(rising) / static_cast<double>(mode.points.size());
  mode.precision = median_of(errors) / std::max(median_of(sizes), 1e-300);
}

/// The point that is nearest to a time.
const RingdownPoint& at_time(const std::vector<RingdownPoint>& points, double t) {
  const auto after = std::lower_bound(points.begin(), points.end(), t,
                                      [](const RingdownPoint& p, double at) { return p.t < at; });
  if (after == points.end()) return points.back();
  if (after == points.begin()) return points.front();
  return t - std::prev(after)->t < after->t - t ? *std::prev(after) : *after;
}

}  // namespace

std::vector<double> with_one_extremum(const std::vector<double>& y,
                                      const std::vector<double>& weight) {
  double of_top = 0, of_bottom = 0;
  std::vector<double> top = one_extremum(y, weight, 1, of_top);
  std::vector<double> bottom = one_extremum(y, weight, -1, of_bottom);
  return of_top <= of_bottom ? top : bottom;
}

void set_motion(const DecayRates& rates, Quantity quantity, RingdownMode& mode) {
  const std::size_t n = rates.lambda.size();
  const auto p = static_cast<double>(quantity);
  const Corrected found = corrected(rates);
  const std::vector<Complex>& lambda = found.lambda;
  std::vector<double> omega, decay, of_omega, of_decay;
  for (std::size_t k = 0; k < n; ++k) {
    // x = z/λᵖ has the logarithmic derivative λ − pλ'/λ, with λ' from points half a window apart.
    const std::size_t before = k < 2 ? 0 : k - 2, after = std::min(k + 2, n - 1);
    const double duration = mode.points[after].t - mode.points[before].t;
    const Complex slope = after > before ? (lambda[after] - lambda[before]) / duration : 0;
    const Complex moving = lambda[k] - p * slope / lambda[k];
    mode.points[k].amplitude /= std::pow(std::abs(lambda[k]), p);
    omega.push_back(moving.imag());
    decay.push_back(-moving.real());
    of_omega.push_back(std::abs(found.added_again[k].imag()) +
                       remainder * std::abs(found.added[k].imag()));
    of_decay.push_back(std::abs(found.added_again[k].real()) +
                       remainder * std::abs(found.added[k].real()));
  }
  const Errors omega_error = errors_of(omega, of_omega, found.noise, rates, in_one_direction);
  const Errors decay_error = errors_of(decay, of_decay, found.noise, rates, with_one_extremum);
  for (std::size_t k = 0; k < n; ++k) {
    RingdownPoint& point = mode.points[k];
    const double size = std::hypot(omega[k], decay[k]);
    point.omega = omega[k];
    point.omega_error = omega_error.size[k];
    point.zeta = decay[k] / size;
    point.zeta_error =
        std::hypot(omega[k] * decay_error.size[k], decay[k] * omega_error.size[k]) / (size * size);
  }
  mode.widened = std::max(omega_error.widened, decay_error.widened);
  std::vector<double> by_window;
  for (std::size_t k = 0; k < n; ++k) by_window.push_back(std::hypot(of_omega[k], of_decay[k]));
  const double visible =
      std::max(std::abs(median_of(decay)), smallest_damping(mode) * mode.points[0].omega);
  mode.beat = beat_of(omega_error, decay_error, by_window, visible, rates);
  set_precision(mode);
}

double smallest_damping(const RingdownMode& mode) {
  const double seen = mode.points.back().t - mode.points.front().t + mode.window;
  return 1 / (mode.points.front().omega * seen);
}

void widen_to_reach(const RingdownMode& narrower, RingdownMode& mode) {
  std::vector<double> of_omega, of_zeta;
  std::size_t j = 0;
  for (const RingdownPoint& p : mode.points) {
    while (j + 1 < narrower.points.size() && narrower.points[j].t < p.t) ++j;
    // Between two places; before the first and after the last that is seen, as there.
    const RingdownPoint &high = narrower.points[j], &low = narrower.points[j > 0 ? j - 1 : 0];
    const double t = std::clamp(p.t, narrower.points.front().t, narrower.points.back().t);
    const double part = high.t > low.t ? std::min((t - low.t) / (high.t - low.t), 1.0) : 1;
    const RingdownPoint& same = at_time(mode.points, t);
    const auto beyond = [&](double RingdownPoint::*value, double RingdownPoint::*error) {
      const double there = low.*value + part * (high.*value - low.*value);
      return std::abs(same.*value - there) / (2 * std::hypot(same.*error, high.*error));
    };
    of_omega.push_back(beyond(&RingdownPoint::omega, &RingdownPoint::omega_error));
    of_zeta.push_back(beyond(&RingdownPoint::zeta, &RingdownPoint::zeta_error));
  }
  of_omega = largest_near(of_omega, 4);
  of_zeta = largest_near(of_zeta, 4);
  for (std::size_t k = 0; k < mode.points.size(); ++k) {
    mode.points[k].omega_error *= std::max(1.0, of_omega[k]);
    mode.points[k].zeta_error *= std::max(1.0, of_zeta[k]);
  }
  mode.widened = std::max({mode.widened, median_of(of_omega), median_of(of_zeta)});
  set_precision(mode);
}

}  // namespace microslip::dynamics
