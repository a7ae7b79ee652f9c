#include "dynamics/time/refined_midpoint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "microslip/core/text.hpp"

namespace microslip::dynamics {
namespace {

constexpr int most_halvings = 10;
constexpr double best_tolerance = 1e-7;

/// Gives rows that were kept to the one who asked for them.
void hand_over(const std::function<void(const TimeRow&)>& row, TimeResult& result) {
  for (std::size_t i = 0; i < result.t.size(); ++i) {
    const std::vector<double> f(result.f[i].begin(), result.f[i].end());
    row({result.t[i], result.x[i], result.v[i], f, result.energy[i]});
  }
  result.t.clear();
  result.x.clear();
  result.v.clear();
  result.f.clear();
  result.energy.clear();
}

/// The times of the rows: every `distance` from the start on, those asked for, and the end.
std::vector<double> times_of_rows(double t0, double distance, const TimeOptions& options) {
  const double end = t0 + options.until;
  std::vector<double> times;
  for (long i = 0; t0 + static_cast<double>(i) * distance < end; ++i)
    times.push_back(t0 + static_cast<double>(i) * distance);
  times.push_back(end);
  times.insert(times.end(), options.at.begin(), options.at.end());
  std::sort(times.begin(), times.end());
  const double same = 1e-9 * distance;
  times.erase(
      std::unique(times.begin(), times.end(), [&](double a, double b) { return b - a <= same; }),
      times.end());
  return times;
}

/// Keeps the row at each of some times; steps end there.
class KeptRows {
 public:
  KeptRows(std::vector<double> times, double same) : times_(std::move(times)), same_(same) {}

  void take(const TimeRow& row) {
    while (next_ < times_.size() && times_[next_] < row.t - same_) ++next_;
    if (next_ == times_.size() || times_[next_] > row.t + same_) return;
    ++next_;
    rows_.t.push_back(row.t);
    rows_.x.push_back(row.x);
    rows_.v.push_back(row.v);
    rows_.f.emplace_back(
        Eigen::Map<const Eigen::VectorXd>(row.f.data(), static_cast<Eigen::Index>(row.f.size())));
    rows_.energy.push_back(row.energy);
  }
  TimeResult& rows() { return rows_; }

 private:
  std::vector<double> times_;
  double same_;
  std::size_t next_ = 0;
  TimeResult rows_;
};

/// Rows of which the worse ones have `factor` + 1 times the error of the better ones, without it.
TimeResult extrapolated(const TimeResult& worse, const TimeResult& better, double factor) {
  const auto at = [&](const auto& w, const auto& b) { return b + (b - w) / factor; };
  TimeResult rows;
  rows.t = better.t;
  for (std::size_t i = 0; i < std::min(worse.t.size(), better.t.size()); ++i) {
    rows.x.push_back(at(worse.x[i], better.x[i]));
    rows.v.push_back(at(worse.v[i], better.v[i]));
    rows.f.push_back(at(worse.f[i], better.f[i]));
    rows.energy.push_back(at(worse.energy[i], better.energy[i]));
  }
  return rows;
}

/// The largest change of the motion, relative to the largest motion.
double change_of_motion(const TimeResult& before, const TimeResult& now) {
  double change = 0, size = 0;
  for (std::size_t i = 0; i < std::min(before.x.size(), now.x.size()); ++i) {
    change = std::max(change, (now.x[i] - before.x[i]).lpNorm<Eigen::Infinity>());
    size = std::max(size, now.x[i].lpNorm<Eigen::Infinity>());
  }
  return size > 0 ? change / size : 0;
}

/// One way to extrapolate, level by level, with the change of its last ones.
struct Extrapolation {
  TimeResult rows;
  double change = std::numeric_limits<double>::infinity();
  double error = std::numeric_limits<double>::infinity();

  /// What further halvings would change, if the changes go on to fall as the last two did; a factor beyond
  /// that of h² is chance.
  void go_on(TimeResult better) {
    const double last = change;
    if (rows.x.empty()) {
      rows = std::move(better);
      return;
    }
    change = change_of_motion(rows, better);
    const double factor = std::isinf(last) || change == 0 ? 4 : std::clamp(last / change, 1.1, 4.0);
    error = change / (factor - 1);
    rows = std::move(better);
  }
};

/// To one digit, not less than it is.
std::string rounded_up(double error) {
  int exponent = static_cast<int>(std::floor(std::log10(error)));
  double digit = std::ceil(error / std::pow(10.0, exponent));
  if (digit > 9) {
    digit = 1;
    ++exponent;
  }
  return number_text(digit) + "e" + std::to_string(exponent);
}

}  // namespace

TimeResult refined_midpoint(const Structure& structure, TimeOptions options, double t0,
                            const std::vector<AnyState>& joints) {
  options.method = Method::midpoint;
  const auto sink = std::exchange(options.row, nullptr);  // rows are compared before they are final
  if (!(options.step > 0)) {
    const double frequency = std::max(1 / options.until, highest_frequency(structure));
    options.step = std::min(0.1 / frequency, options.until / 10);
  }
  check(structure, options);
  const double same_time = 1e-9 * options.step;
  const std::vector<double> times = times_of_rows(t0, options.step, options);
  const double tolerance = std::max(options.tolerance, best_tolerance);
  // The midpoint rule is symmetric, so that its error has even powers of h alone, where the law is smooth.
  // Where the state of a law follows its velocity at once, as bristles that slide do, it is of the first
  // order. The one that changes less is the right one.
  Extrapolation even, any;
  TimeResult coarse, without_first, best;
  for (int halving = 0; halving <= most_halvings; ++halving) {
    KeptRows kept(times, same_time);
    options.row = [&](const TimeRow& row) { kept.take(row); };
    TimeRun run(structure, options, t0, joints);
    run.ends_at_events = true;
    best = whole(std::move(run));
    TimeResult fine = std::move(kept.rows());
    if (halving == 0) {
      even.go_on(fine);
    } else {
      TimeResult once = extrapolated(coarse, fine, 1);
      even.go_on(extrapolated(coarse, fine, 3));
      if (halving > 1) any.go_on(extrapolated(without_first, once, 3));
      without_first = std::move(once);
    }
    coarse = std::move(fine);
    options.step /= 2;
    if (!best.message.empty() || std::min(even.error, any.error) <= tolerance) break;
  }
  const Extrapolation& final = any.error < even.error ? any : even;
  const TimeResult& rows = best.message.empty() ? final.rows : coarse;
  best.t = rows.t;
  best.x = rows.x;
  best.v = rows.v;
  best.f = rows.f;
  best.energy = rows.energy;
  best.rows = static_cast<long>(best.t.size());
  if (best.message.empty() && final.error > tolerance) {
    best.status = Status::not_converged;
    best.message = "after " + std::to_string(most_halvings) +
                   " halvings of the step the motion is known to " + rounded_up(final.error) +
                   " of its largest displacement, not to " + number_text(tolerance) +
                   "; give a larger 'tolerance' or a smaller 'step'";
  }
  if (sink) hand_over(sink, best);
  return best;
}

}  // namespace microslip::dynamics
