#include "reach.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <limits>

#include "assess.hpp"
#include "least_squares.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::fit {
namespace {

constexpr double normal_95 = 1.959963984540054;
constexpr double chi_square_95 = normal_95 * normal_95;
/// A parabola that reaches the level of the interval within so much of its own ends is one.
constexpr double as_a_parabola = 0.03;
/// The root of the rise is a straight line over so short a way.
constexpr double as_a_line = 0.08;

/// The root of the rise grows with the distance on a parabola, and with its square or cube in flatter
/// valleys. Where it is below `no_rise` after `most_of_the_way`, the record does not tell these values
/// apart, and where the search came to rest among them, with which slopes, is chance.
constexpr double no_rise = 0.3, most_of_the_way = 0.7;

/// The others follow along a straight line as long as the interval is small.
constexpr double small = 0.3;

/// One side of an interval.
struct Side {
  bool ends = false;      ///< the likelihood says where it ends, or a limit of the law does
  bool parabola = false;  ///< where standard errors end, too
  double x = 0;           ///< of the number
  bool limit = false;     ///< a limit of the law ends it, inside the likelihood
  bool flat = false;      ///< all values up to there describe the record alike
};

class Reaches {
 public:
  Reaches(const Likelihood& likelihood, const Covariance& covariance)
      : l_(likelihood), covariance_(covariance) {
    least_ = cost_at(l_.x);
    freedom_ = static_cast<double>(l_.problem.compared()) -
               static_cast<double>(std::max<std::size_t>(covariance.moving.size(), 1));
    variance_ = least_ / std::max(freedom_, 1.0);
    const boost::math::chi_squared all(std::max(1.0, double(covariance.moving.size())));
    together_ = boost::math::quantile(all, 0.95);
  }

  bool usable() const { return variance_ > 0 && std::isfinite(variance_); }
  const std::optional<std::vector<double>>& lower_point() const { return lower_; }

  /// How much the sum of squares rises up to the end of the interval of a number.
  double level(std::size_t i) const { return chi_square_95 * variance_ * inflation(i); }
  double inflation(std::size_t i) const {
    const auto k = static_cast<Eigen::Index>(i);
    const double white = covariance_.white(k, k);
    return white > 0 ? std::max(covariance_.of_x(k, k) / white, 1.0) : 1;
  }

  Side side(std::size_t i, int direction) {
    const Unknown& unknown = l_.problem.unknowns()[i];
    const double limit = direction < 0 ? unknown.lower : unknown.upper;
    const bool hard = !(direction < 0 ? unknown.soft_lower : unknown.soft_upper);
    const double room = std::abs(limit - l_.x[i]);
    if (hard && room <= 1e-5 * (1 + std::abs(l_.x[i]))) return {true, true, l_.x[i], true};
    const double most = std::min(room, farthest(unknown, l_.x[i]));
    const double linear = normal_95 * std::sqrt(covariance_.of_x(index(i), index(i)));
    double inside = 0, inside_ratio = 0, outside = infinity, flat_way = 0;
    // Where the derivative is zero but for rounding, as that of beta of iwan4 at 0, a parabola has no length.
    constexpr double without_parabola = 0.1, rounding = 1e-12;
    double distance =
        std::min(linear > rounding ? step(unknown, linear, direction) : without_parabola, most);
    bool ended = false;
    std::vector<double> nearest = l_.x;  // the farthest point inside, with the others at their best
    for (int round = 0; round < 14; ++round) {
      std::vector<double> x = leaning(i, l_.x[i] + direction * distance);
      const double on_line = height(x, i);
      if (round == 0 && distance < std::min(most, small) && std::abs(on_line - 1) < as_a_line)
        return end_at(i, direction, std::min(distance / on_line, most), linear);
      const double ratio = relaxed(i, x, on_line, nearest);
      if (lower_ || stopped()) return {};
      if (ratio < 1) {
        inside = distance;
        inside_ratio = ratio;
        nearest = x;
        if (ratio < no_rise) flat_way = distance;
        if (ratio > 0.3) inside_.push_back(x);
        if (distance >= most)
          return {hard && most == room, false, l_.x[i] + direction * most, true, ratio < no_rise};
      } else {
        outside = distance;
      }
      ended = ended || ratio > 0.95;
      if (std::abs(ratio - 1) < 0.05) {
        outside = std::min(distance / ratio, most);
        break;
      }
      if (std::isfinite(outside) && outside - inside < 0.05 * outside) {
        if (inside_ratio > 0.85) break;
        // The others had not found their best out there: further from this side.
        outside = infinity;
        distance = std::min(1.3 * inside, most);
        continue;
      }
      const double guess = std::isfinite(ratio) ? distance / std::max(ratio, 1e-3) : 0;
      const double low = inside > 0 ? inside : 0.1 * distance;
      const double high = std::isfinite(outside) ? outside : std::min(2.5 * distance, most);
      distance = guess > low && guess < high              ? guess
                 : std::isfinite(outside) || guess < high ? 0.5 * (low + high)
                                                          : high;
    }
    if (!ended) return {false, false, l_.x[i] + direction * distance};
    // The last point outside is the sure end.
    const double end = std::isfinite(outside) ? outside : distance;
    Side side = end_at(i, direction, end, linear);
    side.flat = flat_way > most_of_the_way * end;
    return side;
  }

  /// A minimum that was found elsewhere and is as good as this one.
  void include(const std::vector<double>& other, std::size_t i, Side& low, Side& high) const {
    // Which of several minima is the lowest is decided by all numbers at once.
    if (cost_at(other) - least_ > std::max(level(i), together_ * variance_ * inflation(i))) return;
    Side& side = other[i] < l_.x[i] ? low : high;
    if (std::abs(other[i] - l_.x[i]) <= std::abs(side.x - l_.x[i])) return;
    const bool far = std::abs(other[i] - l_.x[i]) > farthest(l_.problem.unknowns()[i], l_.x[i]);
    side = {!far, false, other[i], false, side.flat};
  }

  const std::vector<std::vector<double>>& inside() const { return inside_; }
  bool stopped() const { return l_.stop && l_.stop(); }

 private:
  static Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

  double cost_at(const std::vector<double>& x) const {
    Eigen::VectorXd r;
    if (!l_.problem.evaluate(x, r)) return infinity;
    apply_loss(l_.robust_scale, r, nullptr);
    return r.squaredNorm();
  }

  /// Twice the way on which a number changes by a factor e or crosses its region.
  static double farthest(const Unknown& unknown, double x) {
    return normal_95 *
           (unknown.log
                ? 1
                : std::max({1.0, std::abs(unknown.from), std::abs(unknown.to), std::abs(x)}));
  }

  /// Equal steps of the number itself, in which many laws are nearly linear, as long as they are small.
  static double step(const Unknown& unknown, double distance, int direction) {
    if (!unknown.log || distance > 0.7) return distance;
    return std::abs(std::log1p(direction * distance));
  }

  Side end_at(std::size_t i, int direction, double end, double linear) const {
    const double parabola = step(l_.problem.unknowns()[i], linear, direction);
    return {true, std::abs(end - parabola) < as_a_parabola * end, l_.x[i] + direction * end};
  }

  /// The others where a parabola has them.
  std::vector<double> leaning(std::size_t i, double place) const {
    std::vector<double> x = l_.x;
    const double own = covariance_.white(index(i), index(i));
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Unknown& unknown = l_.problem.unknowns()[j];
      if (unknown.pinned) continue;
      if (own > 0) x[j] += covariance_.white(index(j), index(i)) / own * (place - l_.x[i]);
      x[j] = std::clamp(x[j], unknown.lower, unknown.upper);
    }
    x[i] = place;
    return x;
  }

  /// Root of the rise of the sum of squares over the level: 1 at the end of the interval.
  double height(const std::vector<double>& x, std::size_t i) const {
    const double rise = cost_at(x) - least_;
    return std::isfinite(rise) ? std::sqrt(std::max(rise, 0.0) / level(i)) : infinity;
  }

  /// The same with the others at their best, searched from the lowest of some points: on the line,
  /// where they were last, where other minima have them.
  double relaxed(std::size_t i, std::vector<double>& x, double on_line,
                 const std::vector<double>& nearest) {
    const double place = x[i];
    double lowest = on_line;
    const auto try_from = [&](std::vector<double> other) {
      other[i] = place;
      if (const double here = height(other, i); !(here >= lowest)) lowest = here, x = other;
    };
    try_from(nearest);
    for (const auto& other : l_.others) try_from(other);
    if (!std::isfinite(lowest)) return infinity;
    Problem held = l_.problem;
    held.pin(i, place);
    SolveOptions options{.iterations = 25, .tolerance = 0.01 / std::max(freedom_, 10.0)};
    options.robust_scale = l_.robust_scale;
    options.stop = l_.stop;
    const Solution best = levenberg_marquardt(held, x, options);
    if (best.end == Solution::End::infeasible) return infinity;
    x = best.x;
    const double cost = 2 * best.cost;
    // Lower than the minimum by more than a thirtieth of a standard error.
    if (cost < least_ - 1e-3 * variance_) lower_ = x;
    return std::sqrt(std::max(cost - least_, 0.0) / level(i));
  }

  const Likelihood& l_;
  const Covariance& covariance_;
  double least_ = 0, freedom_ = 1, variance_ = 0, together_ = 0;
  std::optional<std::vector<double>> lower_;
  std::vector<std::vector<double>> inside_;  ///< points that describe the record as well
};

/// Within a hundredth of the region of a number of a limit that the law sets.
bool near_limit(const Unknown& unknown, double x) {
  const double near = 0.01 * (unknown.to - unknown.from);
  return (!unknown.soft_lower && x < unknown.lower + near) ||
         (!unknown.soft_upper && x > unknown.upper - near);
}

}  // namespace

void set_axes(const Likelihood& likelihood, Fit& fit) {
  const Problem& problem = likelihood.problem;
  Eigen::VectorXd r;
  Eigen::MatrixXd jacobian;
  if (!problem.evaluate(likelihood.x, r, &jacobian)) return;
  apply_loss(likelihood.robust_scale, r, &jacobian);
  const double least = r.squaredNorm();
  const Covariance covariance = covariance_of(problem, likelihood.x, jacobian, likelihood.noise);
  for (Eigen::Index k = 0; k < covariance.axes.cols(); ++k) {
    // One standard deviation of correlated noise is so much more of the white one.
    const double allowed = 2 * covariance.rise[k];
    const auto at = [&](double share) {
      for (int shorter = 0; shorter < 8; ++shorter, share *= 0.6) {
        std::vector<double> x = likelihood.x;
        for (std::size_t i = 0; i < x.size(); ++i) {
          const Unknown& unknown = problem.unknowns()[i];
          if (!unknown.pinned)
            x[i] = std::clamp(x[i] + share * covariance.axes(static_cast<Eigen::Index>(i), k),
                              unknown.lower, unknown.upper);
        }
        if (!problem.evaluate(x, r)) continue;
        apply_loss(likelihood.robust_scale, r, nullptr);
        if (r.squaredNorm() - least <= allowed) return numbers_at(problem, x);
      }
      return numbers_at(problem, likelihood.x);
    };
    fit.axes.emplace_back(at(-1), at(1));
  }
}

std::optional<std::vector<double>> widen_errors(const Likelihood& likelihood, Fit& fit) {
  const Problem& problem = likelihood.problem;
  const std::vector<double>& x = likelihood.x;
  Eigen::VectorXd r;
  Eigen::MatrixXd jacobian;
  if (!problem.evaluate(x, r, &jacobian)) return {};
  apply_loss(likelihood.robust_scale, r, &jacobian);
  const Covariance covariance = covariance_of(problem, x, jacobian, likelihood.noise);
  Reaches reaches(likelihood, covariance);
  if (!reaches.usable()) return {};
  const std::size_t n = x.size();
  // What the noise hides from a parabola may still have an end; what no recorder resolves has none.
  const bool noisy = std::sqrt(likelihood.noise.white) >
                     least_sensitivity * std::sqrt(static_cast<double>(problem.compared()));
  const auto looked_at = [&](std::size_t i) {
    const Estimate& e = fit.estimates[i];
    const bool beginning = problem.unknowns()[i].role == Unknown::Role::before;
    return !e.pinned && !e.runs_away && !beginning && (noisy || e.error || e.at_limit);
  };
  Eigen::VectorXd widening = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(n));
  std::vector<std::optional<std::pair<double, double>>> ends(n);
  std::vector<bool> lost(n, false);
  std::vector<Side> lows(n), highs(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!looked_at(i)) continue;
    lows[i] = reaches.side(i, -1);
    if (!reaches.lower_point() && !reaches.stopped()) highs[i] = reaches.side(i, 1);
    if (reaches.lower_point() || reaches.stopped()) return reaches.lower_point();
  }
  for (const auto& x_inside : reaches.inside())
    fit.alternatives.push_back(numbers_at(problem, x_inside));
  for (std::size_t i = 0; i < n; ++i) {
    if (!looked_at(i)) continue;
    const Estimate& e = fit.estimates[i];
    Side &low = lows[i], &high = highs[i];
    for (const auto& other : likelihood.others) reaches.include(other, i, low, high);
    for (const auto& other : reaches.inside()) reaches.include(other, i, low, high);
    // From limit to limit: the record says nothing.
    lost[i] = !low.ends || !high.ends || (low.limit && high.limit) || low.flat || high.flat;
    if (low.parabola && high.parabola && !e.at_limit && e.error) continue;
    ends[i] = {low.x, high.x};
    const double longer = std::max(x[i] - low.x, high.x - x[i]);
    const auto k = static_cast<Eigen::Index>(i);
    const double linear = normal_95 * std::sqrt(covariance.of_x(k, k));
    if (linear > 0) widening[k] = longer / linear;
  }
  // Where one number has no end and another one lies at a limit, the law has degenerated (iwan4 with
  // KT to infinity and chi to -1): that limit is not known either.
  if (std::find(lost.begin(), lost.end(), true) != lost.end())
    for (std::size_t i = 0; i < n; ++i)
      lost[i] = lost[i] || (looked_at(i) && near_limit(problem.unknowns()[i], x[i]));
  // A number that is measured by another one inherits its doubt.
  const Eigen::MatrixXd slope = problem.value_derivatives(x);
  const Eigen::MatrixXd cx = widening.asDiagonal() * covariance.of_x * widening.asDiagonal();
  const Eigen::MatrixXd cp = slope * cx * slope.transpose();
  for (std::size_t i = 0; i < n; ++i) {
    Estimate& e = fit.estimates[i];
    const auto k = static_cast<Eigen::Index>(i);
    if (!looked_at(i)) continue;
    bool linked = false, doubtful = lost[i], wider = ends[i].has_value();
    for (std::size_t j = 0; j < n; ++j) {
      const auto m = static_cast<Eigen::Index>(j);
      if (j == i || slope(k, m) == 0 || problem.unknowns()[j].pinned) continue;
      linked = true;
      doubtful = doubtful || lost[j];
      wider = wider || ends[j];
    }
    if (doubtful) {
      e.error.reset();
      e.at_limit = false;  // the record does not keep it there
      continue;
    }
    if (!wider) continue;
    if (linked) {
      // Beyond a parabola their correlation is not that of the parabola either.
      const Eigen::VectorXd apart = slope.row(k).transpose().cwiseAbs2();
      e.error = std::sqrt(std::max(cp(k, k), apart.dot(cx.diagonal())));
      continue;
    }
    std::vector<double> there = x;
    const auto value_at = [&](double place) {
      there[i] = place;
      return problem.values(there)[i] - problem.values(x)[i];
    };
    const double below = value_at(ends[i]->first), above = value_at(ends[i]->second);
    e.low = e.value + below;
    e.high = e.value + above;
    e.error = std::max(std::abs(below), std::abs(above)) / normal_95;
  }
  return {};
}

}  // namespace microslip::fit
