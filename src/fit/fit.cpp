#include "microslip/fit/fit.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <set>

#include "assess.hpp"
#include "design.hpp"
#include "kinks.hpp"
#include "least_squares.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/parallel.hpp"
#include "microslip/loops/loops.hpp"
#include "reach.hpp"
#include "redundancy.hpp"
#include "valley.hpp"

namespace microslip::fit {
namespace {

using Clock = std::chrono::steady_clock;

/// The rest of the time is for the best ones on all rows: a start that was not followed costs less
/// than a minimum that was not reached.
constexpr double search_share = 0.7;

struct Candidate {
  std::vector<double> x;
  double cost = infinity;
};

/// The search for one law, from the first look at the region to the minimum.
class Search {
 public:
  Search(const AnyModel& model, const std::vector<Data>& records, const Settings& settings)
      : settings_(settings),
        threads_(thread_count(settings.threads)),
        begin_(Clock::now()),
        problem_(model, records, settings.setup),
        coarse_(problem_.thinned(std::max<std::size_t>(300, 10 * problem_.unknowns().size()))) {
    for (std::size_t r = 0; r < records.size(); ++r)
      noisy_ = noisy_ || loops::noise_level(records[r].f) > 1e-4 * problem_.force_range(r);
  }

  Fit run() {
    Fit fit;
    fit.model = problem_.model().description().name;
    fit.options = problem_.model().options();
    std::vector<std::vector<double>> starts = choose_starts();
    if (starts.empty()) {
      fit.message = "the law has no answer for any of the numbers tried";
      return fit;
    }
    // A look at so many points is worth it only if most of the time is left for the search.
    const auto stop = [this] { return out_of_time(search_share); };
    inert_ = pin_inert(coarse_, everywhere_, stop);
    const Problem nothing_held = problem_;
    redundant_ = pin_redundant(coarse_, everywhere_, starts, stop);
    reserve_for_the_end(starts.front());
    problem_.hold_as(coarse_);
    search_from(starts);
    times_found_ = times_found();
    polish();
    compare_with_guesses(nothing_held);
    if (best_.end == Solution::End::infeasible) {
      fit.message = stopped_
                        ? "stopped before a start gave parameters for which the law has a result"
                    : cut_short_ ? "the time was over before a start gave parameters for which the "
                                   "law has a result; --time-budget gives it more"
                                 : "no start gave parameters for which the law has a result";
      return fit;
    }
    double robust_scale = 0;
    if (settings_.robust) robust_scale = resist_outliers();
    if (settings_.canonical) make_canonical(robust_scale);
    finish(robust_scale, fit);
    return fit;
  }

 private:
  /// Asked when there is work to do: yes means that it is left undone.
  bool out_of_time(double share = 1) {
    const std::chrono::duration<double> passed = Clock::now() - begin_;
    const bool over = stopped_ || passed.count() > share * (settings_.seconds - reserve_);
    if (over) cut_short_ = true;
    return over;
  }

  /// The end needs derivatives on all rows once or twice, and the force: that time is kept.
  void reserve_for_the_end(const std::vector<double>& x) {
    if (!std::isfinite(settings_.seconds)) return;
    const auto before = Clock::now();
    Eigen::VectorXd r;
    Eigen::MatrixXd jacobian;
    coarse_.evaluate(x, r, &jacobian);
    const std::chrono::duration<double> one = Clock::now() - before;
    reserve_ = 3 * one.count() * static_cast<double>(problem_.rows()) /
               static_cast<double>(std::max<std::size_t>(coarse_.rows(), 1));
    reserve_ = std::min(reserve_, 0.5 * settings_.seconds);
  }

  /// For the middle of a search, which may take long.
  bool should_stop(double share = 1) {
    if (out_of_time(share)) return true;
    if (!settings_.progress) return false;
    const std::lock_guard lock(mutex_);
    if (!settings_.progress(told_)) stopped_ = cut_short_ = true;
    return stopped_;
  }

  double cost_of(const std::vector<double>& x) const {
    Eigen::VectorXd r;
    return coarse_.evaluate(x, r) ? 0.5 * r.squaredNorm() : infinity;
  }

  /// Many points are looked at, few are followed: a look costs one run of the law, a search fifty.
  std::vector<std::vector<double>> choose_starts() {
    const std::vector<Unknown>& unknowns = problem_.unknowns();
    std::vector<double> own(unknowns.size()), middle(unknowns.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      own[i] = unknowns[i].start;
      middle[i] = 0.5 * (unknowns[i].from + unknowns[i].to);
    }
    std::vector<Candidate> candidates{{middle}, {own}};
    for (const ParameterValues& guess : settings_.guesses)
      candidates.push_back({problem_.coordinates(guess, middle)});
    const std::size_t given = candidates.size();
    const Design design(unknowns, settings_.seed);
    const std::size_t looks = std::min<std::size_t>(60 * (own.size() + 1), 600);
    for (std::size_t i = 0; i < looks; ++i) candidates.push_back({design.point(i)});
    in_parallel(candidates.size(), threads_, [&](std::size_t i) {
      if (i > 8 && out_of_time(0.3)) return;  // slow laws need their time for the search
      candidates[i].cost = cost_of(candidates[i].x);
    });
    std::vector<std::vector<double>> starts;
    for (std::size_t i = 2; i < given; ++i)
      if (candidates[i].cost < infinity) starts.push_back(candidates[i].x);
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    while (!candidates.empty() && candidates.back().cost == infinity) candidates.pop_back();
    for (std::size_t i = 0; i < 24; ++i)
      if (!candidates.empty())
        everywhere_.push_back(candidates[i * (candidates.size() - 1) / 23].x);
    // The best ones, and between them some from the better half, since the best may all lie in the
    // same valley.
    const std::size_t half = std::max<std::size_t>(candidates.size() / 2, 1);
    for (std::size_t i = 0; starts.size() < settings_.starts && i < candidates.size(); ++i) {
      starts.push_back(candidates[i].x);
      const std::size_t other = (i + 1) * half / std::max<std::size_t>(settings_.starts, 1);
      if (i % 2 == 1 && other > i && other < half && starts.size() < settings_.starts)
        starts.push_back(candidates[other].x);
    }
    return starts;
  }

  bool same(double a, double b) const {
    return std::abs(a - b) <= 1e-4 * std::max(a, b) || std::max(a, b) < rounding_cost(coarse_);
  }
  /// Σ r² at which the residuals are rounding.
  static double rounding_cost(const Problem& problem) {
    return 1e-22 * static_cast<double>(problem.compared());
  }

  void search_from(const std::vector<std::vector<double>>& starts) {
    // Batches of a fixed size make the result independent of the number of threads.
    constexpr std::size_t batch = 4;
    SolveOptions options;
    options.iterations = 60;
    options.tolerance = 1e-7;
    options.stop = [this] { return should_stop(search_share); };
    // One is followed in any case, as far as it comes.
    for (std::size_t first = 0; first < starts.size() && (first == 0 || !out_of_time(search_share));
         first += batch) {
      const std::size_t count = std::min(batch, starts.size() - first);
      std::vector<Solution> solutions(count);
      // Twice the error of the best after a quarter of the way is no longer made good. Without
      // noise it is: the best one goes on to zero, along a slow valley if need be.
      if (!found_.empty() && noisy_) options.hopeless = 4 * found_.front().cost;
      in_parallel(count, threads_, [&](std::size_t i) {
        if (first + i > 0 && out_of_time(search_share)) return;
        SolveOptions own = options;
        if ((first + i) % 2 == 0) own.first_radius = 1e4;
        solutions[i] = solve(coarse_, starts[first + i], own);
        report(solutions[i], starts.size());
      });
      for (Solution& solution : solutions) {
        tally(solution);
        if (solution.end != Solution::End::infeasible) found_.push_back(std::move(solution));
      }
      starts_done_ = first + count;
      std::stable_sort(found_.begin(), found_.end(),
                       [](const Solution& a, const Solution& b) { return a.cost < b.cost; });
      if (agreed()) break;
    }
  }

  /// The best minimum has been found again and again, or nothing can be better.
  bool agreed() const {
    if (found_.empty()) return false;
    if (found_.front().cost < rounding_cost(coarse_)) return true;
    if (starts_done_ < 8 || times_found() < 3) return false;
    // A minimum where the law has lost one of its numbers attracts many starts and may hide a
    // better one.
    if (times_found() >= 16) return true;
    Flatness flat;
    return !flatness_at(coarse_, found_.front().x, flat) || flat.smallest > 1e-7 * flat.largest;
  }
  std::size_t times_found() const {
    std::size_t count = 0;
    for (const Solution& solution : found_) count += same(solution.cost, found_.front().cost);
    return count;
  }

  void report(const Solution& solution, std::size_t starts) {
    if (!settings_.progress) return;
    const std::lock_guard lock(mutex_);
    ++told_.starts_done;
    told_.starts = starts;
    if (solution.end != Solution::End::infeasible)
      told_.best_rms_relative =
          std::min(told_.best_rms_relative,
                   std::sqrt(2 * solution.cost / static_cast<double>(coarse_.compared())));
    if (!settings_.progress(told_)) stopped_ = true;
  }

  void tally(const Solution& solution) {
    fit_evaluations_ += static_cast<std::size_t>(solution.evaluations);
    fit_jacobians_ += static_cast<std::size_t>(solution.jacobians);
  }

  void improve(Solution& solution, const SolveOptions& options) {
    Solution further = solve(problem_, solution.x, options);
    tally(further);
    if (further.end == Solution::End::infeasible) return;
    if (options.robust_scale > 0 || further.cost <= solution.cost) solution = std::move(further);
  }

  /// The best few on all rows, where their order may change, and the best one to its last digits.
  void polish() {
    SolveOptions options{.iterations = 20, .tolerance = 1e-6};
    options.enough = 1e-9 * rounding_cost(problem_);
    options.stop = [this] { return should_stop(); };
    std::vector<Solution> few;
    double last = -1;
    for (const Solution& coarse : found_) {
      if (!few.empty() && same(coarse.cost, last)) continue;
      if (few.size() == 6 || (!few.empty() && out_of_time())) break;
      Solution fine = solve(problem_, coarse.x, options);
      tally(fine);
      if (fine.end == Solution::End::infeasible) continue;
      last = coarse.cost;
      few.push_back(std::move(fine));
    }
    const auto by_cost = [](const Solution& a, const Solution& b) { return a.cost < b.cost; };
    std::stable_sort(few.begin(), few.end(), by_cost);
    for (std::size_t i = 0; i < few.size(); ++i) {
      // Without noise only the last digits tell which minimum is the true one.
      if (i > 0 && (i > 2 || noisy_ || out_of_time())) continue;
      options.iterations = 300;
      options.tolerance = 1e-14;
      improve(few[i], options);
    }
    if (few.empty()) return;
    best_ = *std::min_element(few.begin(), few.end(), by_cost);
    // Kinks make the steps shorter and shorter: long ones again may lead on.
    for (int round = 0; round < 3 && best_.cost > options.enough && !out_of_time(); ++round) {
      const double before = best_.cost;
      options.first_radius = round % 2 == 0 ? 1e4 : 10;
      improve(best_, options);
      if (!(best_.cost < before * (1 - 1e-9))) break;
    }
    // Residuals of less than 1e-6 of the range come from the law itself: rounding is in reach.
    if (best_.cost < 1e-12 * static_cast<double>(problem_.compared()) &&
        best_.cost > 1e-6 * rounding_cost(problem_))
      follow_valley(problem_, options, best_);
  }

  /// A guess, such as the fit of a special case, may lie where the numbers that are held are others:
  /// then nothing is held, and the search goes on from there.
  void compare_with_guesses(const Problem& nothing_held) {
    if (inert_.empty() && redundant_.empty()) return;
    SolveOptions options{.iterations = 300, .tolerance = 1e-14};
    options.enough = 1e-9 * rounding_cost(problem_);
    options.stop = [this] { return should_stop(); };
    for (const ParameterValues& guess : settings_.guesses) {
      std::vector<double> middle;
      for (const Unknown& u : nothing_held.unknowns()) middle.push_back(0.5 * (u.from + u.to));
      const std::vector<double> x = nothing_held.coordinates(guess, middle);
      Eigen::VectorXd r;
      if (!nothing_held.evaluate(x, r)) continue;
      const bool none = best_.end == Solution::End::infeasible;
      if (!none && 0.5 * r.squaredNorm() > best_.cost * (1 - 1e-9) - rounding_cost(problem_))
        continue;
      Solution from_guess = solve(nothing_held, x, options);
      tally(from_guess);
      if (from_guess.end == Solution::End::infeasible) continue;
      best_ = std::move(from_guess);
      problem_.hold_as(nothing_held);
      inert_.clear();
      redundant_.clear();
      found_.clear();
    }
  }

  /// The scale of the loss follows the residuals, twice.
  double resist_outliers() {
    double scale = 0;
    for (int round = 0; round < 3; ++round) {
      Eigen::VectorXd r;
      problem_.evaluate(best_.x, r);
      std::vector<double> size;
      for (const double value : r)
        if (value != 0) size.push_back(std::abs(value));
      if (size.empty()) return 0;
      const auto middle = size.begin() + static_cast<std::ptrdiff_t>(size.size() / 2);
      std::nth_element(size.begin(), middle, size.end());
      scale = 1.5 * 1.4826 * *middle;  // 1.4826: from the median to the standard deviation
      SolveOptions options{.iterations = 200, .tolerance = 1e-13, .robust_scale = scale};
      options.stop = [this] { return should_stop(); };
      improve(best_, options);
    }
    return scale;
  }

  void make_canonical(double robust_scale) {
    ParameterValues values = settings_.canonical(problem_.parameters(best_.x));
    Solution other = best_;
    other.x = problem_.coordinates(values, best_.x);
    for (std::size_t i = 0; i < other.x.size(); ++i)
      if (problem_.unknowns()[i].pinned) other.x[i] = problem_.unknowns()[i].start;
    SolveOptions options{.iterations = 100, .tolerance = 1e-14, .robust_scale = robust_scale};
    options.stop = [this] { return should_stop(); };
    other = solve(problem_, other.x, options);
    const double slack = 1e-9 * best_.cost + rounding_cost(problem_);
    if (other.end != Solution::End::infeasible && other.cost <= best_.cost + slack) best_ = other;
  }

  void finish(double robust_scale, Fit& fit) {
    SolveOptions options{.iterations = 200, .robust_scale = robust_scale};
    options.stop = [this] { return should_stop(); };
    best_.evaluations = best_.jacobians = 0;
    // Residuals of rounding have no slope that means anything.
    const bool exact = best_.cost < 1e-18 * static_cast<double>(problem_.compared());
    const Fit blank = fit;
    for (int round = 0;; ++round) {
      rest_ = exact ? Rest::smooth : settle(problem_, options, best_);
      fit = blank;
      const RowNoise noise = assess(problem_, best_.x, robust_scale, fit);
      if (exact || cut_short_) {
        if (!stopped_) set_axes({problem_, best_.x, robust_scale, noise, {}, {}}, fit);
        break;
      }
      // What the end of the intervals costs comes out of the time that is left, if there is any.
      const Likelihood likelihood{
          problem_,
          best_.x,
          robust_scale,
          noise,
          round < 3 ? other_minima(robust_scale) : std::vector<std::vector<double>>{},
          [this] { return no_time_for_intervals(); }};
      const auto lower = widen_errors(likelihood, fit);
      if (!lower || round == 3) {
        set_axes(likelihood, fit);
        break;
      }
      best_ = solve(problem_, *lower, options);  // the search had not found the way
    }
    tally(best_);
    fit.starts = starts_done_;
    fit.starts_at_best = times_found_;
    fit.evaluations = fit_evaluations_;
    fit.jacobians = fit_jacobians_;
    forget_vague_numbers(problem_, fit);
    fit.outcome = outcome_of(fit, rest_ != Rest::slope);
    if (cut_short_ && fit.outcome != Outcome::failed) fit.outcome = Outcome::budget;
    fit.message = message(fit);
  }

  /// In the agreed form, so that equivalent numbers are the same.
  std::vector<std::vector<double>> other_minima(double robust_scale) const {
    std::vector<std::vector<double>> result;
    if (robust_scale > 0) return result;
    for (const Solution& solution : found_) {
      if (solution.cost > 2 * found_.front().cost) break;
      std::vector<double> x = solution.x;
      if (settings_.canonical) {
        x = problem_.coordinates(settings_.canonical(problem_.parameters(x)), x);
        for (std::size_t i = 0; i < x.size(); ++i)
          if (problem_.unknowns()[i].pinned) x[i] = problem_.unknowns()[i].start;
      }
      result.push_back(std::move(x));
    }
    return result;
  }

  bool no_time_for_intervals() {
    const std::chrono::duration<double> passed = Clock::now() - begin_;
    if (!stopped_ && passed.count() < settings_.seconds) return false;
    return without_intervals_ = true;
  }

  static std::string list(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
      text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
  }

  std::string message(const Fit& fit) const {
    std::string text = std::to_string(fit.starts_at_best) + " of " + std::to_string(fit.starts) +
                       (fit.starts == 1 ? " start" : " starts") + " found this minimum";
    if (!inert_.empty())
      text += "; " + list(inert_) + (inert_.size() == 1 ? " changes" : " change") +
              " nothing and " + (inert_.size() == 1 ? "is" : "are") + " held";
    for (const Redundancy& r : redundant_)
      text += "; " + r.pinned + " only acts together with " + list(r.others) +
              " and is held at its own value";
    std::vector<std::string> loose, limits, away;
    std::set<std::string> named;
    for (Combination c : fit.combinations) {
      if (c.determined) continue;
      // What happened before the first row is wiped out by the record, which is no fault. What has
      // a standard error is determined, even if it takes a small part in this combination.
      const auto has_error = [&](const auto& part) {
        return std::any_of(fit.estimates.begin(), fit.estimates.end(), [&](const Estimate& e) {
          return e.name == part.first && e.error.has_value();
        });
      };
      const auto known = std::remove_if(c.parts.begin(), c.parts.end(), [&](const auto& part) {
        return part.first.starts_with("before[") || has_error(part);
      });
      c.parts.erase(known, c.parts.end());
      for (const auto& [name, power] : c.parts) named.insert(name);
      if (c.parts.empty()) continue;
      if (const std::string text_of_it = combination_text(c);
          std::find(loose.begin(), loose.end(), text_of_it) == loose.end())
        loose.push_back(text_of_it);
    }
    for (std::size_t i = 0; i < fit.estimates.size(); ++i) {
      const Estimate& e = fit.estimates[i];
      if (e.runs_away)
        away.push_back(e.name);
      else if (e.at_limit)
        limits.push_back(e.name + " = " + rounded(e.value) + " (" + problem_.unknowns()[i].limits +
                         ")");
      else if (!e.error && !named.contains(e.name) && !e.name.starts_with("before["))
        loose.push_back(e.name);
    }
    if (!loose.empty()) text += "; the data do not determine " + list(loose);
    if (!away.empty())
      text += "; " + list(away) + (away.size() == 1 ? " runs" : " run") +
              " away: the data set no end to " + (away.size() == 1 ? "it" : "them");
    if (!limits.empty()) text += "; at the limit of what is allowed: " + list(limits);
    text += beyond_the_record(fit);
    if (fit.row_correlation > 0.5 && fit.rms_relative > 1e-6)
      text += "; residuals of neighbouring rows are alike (correlation " +
              rounded(fit.row_correlation) + "): " + rounded(std::round(fit.effective_rows)) +
              " independent row" + (std::round(fit.effective_rows) == 1 ? "" : "s") +
              " would say as much, and the standard errors take that into account";
    if (without_intervals_)
      text += "; no time was left to look beyond a parabola, so that errors may be too small";
    if (fit.outcome == Outcome::budget)
      text += stopped_ ? "; the search was stopped" : "; the time was over before the search was";
    if (rest_ == Rest::kink)
      text +=
          "; the minimum lies at a kink, where slopes differ from side to side and none leads down";
    if (rest_ == Rest::jump)
      text += "; the minimum lies at a jump of the law: no step to any side leads down";
    if (fit.outcome == Outcome::stalled) text += "; no minimum yet: the last steps still led down";
    return text;
  }

  /// A stiffness, force or length that is a thousand times what the record shows stands for
  /// "rigid" or "never reached": its size means nothing, however small its standard error.
  std::string beyond_the_record(const Fit& fit) const {
    constexpr double far = 1e3;
    double stiffness = 0, force = 0, length = 0;
    for (const Scales& s : problem_.scales()) {
      stiffness = std::max(stiffness, s.stiffness);
      force = std::max(force, s.force);
      length = std::max(length, s.length);
    }
    std::string text;
    for (const Estimate& e : fit.estimates) {
      const auto compare = [&](const char* unit, const char* what, double size) {
        if (e.unit != unit || e.pinned || e.runs_away || !(std::abs(e.value) > far * size)) return;
        text += "; " + e.name + " = " + rounded(e.value) + " is " +
                rounded(std::abs(e.value) / size) + " times the " + what + " of the record, " +
                rounded(size) + ": its size means nothing";
      };
      compare("F/L", "stiffness", stiffness);
      compare("F", "force", force);
      compare("L", "amplitude", length);
    }
    return text;
  }

  static std::string rounded(double x) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.4g", x);
    return buffer;
  }

  /// "b1^0.97 alpha^-0.25": a product of powers of which the force does not depend.
  static std::string combination_text(const Combination& c) {
    if (c.parts.size() == 1) return c.parts.front().first;
    std::string text;
    for (const auto& [name, power] : c.parts) {
      char buffer[16];
      std::snprintf(buffer, sizeof buffer, "%.2f", power);
      text += (text.empty() ? "" : " ") + name + "^" + buffer;
    }
    return text;
  }

  const Settings& settings_;
  std::size_t threads_;
  Clock::time_point begin_;
  Problem problem_;
  Problem coarse_;  ///< of fewer rows, for the search
  bool noisy_ = false;
  std::vector<std::vector<double>> everywhere_;  ///< points all over the region of starts
  std::vector<std::string> inert_;
  std::vector<Redundancy> redundant_;
  double reserve_ = 0;  ///< seconds
  Rest rest_ = Rest::slope;
  std::vector<Solution> found_;
  Solution best_;
  std::size_t starts_done_ = 0, times_found_ = 0, fit_evaluations_ = 0, fit_jacobians_ = 0;
  Progress told_;
  std::mutex mutex_;
  std::atomic<bool> stopped_{false}, cut_short_{false};
  bool without_intervals_ = false;  ///< standard errors are those of a parabola
};

}  // namespace

std::string_view text_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::converged:
      return "converged";
    case Outcome::budget:
      return "budget";
    case Outcome::stalled:
      return "stalled";
    case Outcome::undetermined:
      return "undetermined";
    case Outcome::failed:
      return "failed";
  }
  return "failed";
}

Fit fit(const AnyModel& model, const std::vector<Data>& records, const Settings& settings) {
  return Search(model, records, settings).run();
}

bool better(const Fit& a, const Fit& b) {
  const bool a_failed = a.outcome == Outcome::failed, b_failed = b.outcome == Outcome::failed;
  if (a_failed != b_failed) return b_failed;
  return a.aicc < b.aicc;
}

}  // namespace microslip::fit
