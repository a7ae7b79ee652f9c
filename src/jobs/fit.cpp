#include "microslip/jobs/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <tuple>

#include "jobs/fit_parts.hpp"
#include "jobs/progress.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/special_cases.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/parallel.hpp"
#include "microslip/version.hpp"

namespace microslip::jobs {
namespace {

using Clock = std::chrono::steady_clock;

/// All laws, several at a time; a law waits for those from which its own search starts.
class Fitter {
 public:
  Fitter(const FitRequest& request, FitResult& result, const Control& control)
      : request_(request), result_(result), control_(control), begin_(Clock::now()) {
    for (const FitRecord& record : result.records) data_.push_back(record.data);
    if (!(budget_ > 0))
      throw Error("--time-budget = " + number_text(budget_) + " must be positive");
  }

  void run(const std::vector<FitJob>& jobs) {
    // Bad input is found before the first search, which may take a while.
    std::vector<fit::Settings> settings;
    for (const FitJob& job : jobs) settings.push_back(settings_for(request_, job, result_.records));
    if (jobs.size() == 1) fit::Problem(jobs[0].model, data_, settings[0].setup);
    result_.seed = settings.front().seed;
    Progress progress(control_, jobs.size() * 100);
    progress_ = &progress;
    std::mutex mutex;  // of what is left
    std::vector<std::optional<FittedLaw>> done(jobs.size());
    std::size_t left = jobs.size();
    const std::size_t threads = thread_count(settings.front().threads);
    const auto follow = [&](std::size_t i, std::size_t at_once) {
      {
        const std::lock_guard lock(mutex);
        // What is left of the time is too little for another law, unless there is none yet.
        if (left < jobs.size() && (progress_->stopped() || passed() > budget_)) return;
        // What quick laws leave goes to slow ones; nobody takes all of it.
        const double share = static_cast<double>(at_once) / static_cast<double>(left--);
        settings[i].seconds = (budget_ - passed()) * std::clamp(share, 0.2, 1.0);
        progress.stage(jobs[i].text);
      }
      // Twice as many as there are, because the last laws of a round are alone.
      settings[i].threads = std::clamp<std::size_t>(2 * threads / at_once, 1, threads);
      start_from_special_cases(jobs, done, i, settings[i]);
      std::size_t shown = 0;
      settings[i].progress = [&](const fit::Progress& p) {
        if (std::isfinite(p.best_rms_relative))
          progress.stage(fmt::format("{}: {:.3g} %", jobs[i].text, 100 * p.best_rms_relative));
        // The fit that predicts held-out rows counts its starts from the beginning.
        const std::size_t now =
            std::min<std::size_t>(100 * p.starts_done / std::max<std::size_t>(p.starts, 1), 100);
        progress.advance(now > shown ? now - shown : 0);
        shown = std::max(shown, now);
        return !progress_->stopped();
      };
      done[i] = one(jobs[i], settings[i], jobs.size() > 1);
      progress.advance(100 - shown);
    };
    for (const std::vector<std::size_t>& round : rounds(jobs, settings)) {
      const std::size_t at_once = std::min(threads, round.size());
      in_parallel(round.size(), at_once, [&](std::size_t k) { follow(round[k], at_once); });
    }
    result_.interrupted = progress_->stopped();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (done[i])
        result_.fits.push_back(std::move(*done[i]));
      else
        result_.left_out.push_back(jobs[i].text + (result_.interrupted
                                                       ? " (stopped before its turn)"
                                                       : " (the time was over before its turn)"));
    }
    compare_with_special_cases();
    rank();
    judge();
    for (FittedLaw& law : result_.fits) complete(law, result_);
    result_.seconds = passed();
  }

 private:
  /// A fit that starts from that of a special case ends no worse. Those that are not among the laws
  /// asked for are fitted beside it, for a part of its time.
  void start_from_special_cases(const std::vector<FitJob>& jobs,
                                const std::vector<std::optional<FittedLaw>>& done, std::size_t i,
                                fit::Settings& settings) {
    const auto special_cases = catalog::special_cases(jobs[i].text);
    for (const catalog::SpecialCase& special : special_cases) {
      const double share = 0.3 / static_cast<double>(special_cases.size());
      const fit::Fit* known = nullptr;
      for (std::size_t j = 0; j < jobs.size(); ++j)
        if (jobs[j].text == special.law && done[j] && special.fixed.empty()) known = &done[j]->fit;
      fit::Fit fresh;
      if (!known) {
        const double begin = passed();
        try {
          const FitJob job{special.law, catalog::make({special.law, {}, {}})};
          fit::Settings quick = settings_for(request_, job, result_.records);
          // Names of the general law need not exist here.
          const auto of_law = [](const auto& entry) { return !fit::is_measurement(entry.first); };
          std::erase_if(quick.setup.fixed, of_law);
          for (const auto& [name, value] : special.fixed)
            quick.setup.fixed[name] = std::get<double>(value);
          std::erase_if(quick.setup.bounds, of_law);
          quick.setup.separate.clear();
          quick.starts = std::min<std::size_t>(quick.starts, 12);
          quick.seconds = share * settings.seconds;
          quick.progress = [this](const fit::Progress&) { return progress_->advance(0); };
          fresh = fit::fit(job.model, data_, quick);
        } catch (const Error&) {
          continue;  // the special case cannot be fitted to this record
        }
        settings.seconds -= passed() - begin;
        known = &fresh;
      }
      if (known->outcome == fit::Outcome::failed) continue;
      ParameterValues guess = special.lifted(known->parameters.front());
      for (const fit::Estimate& e : known->estimates)
        if (fit::is_measurement(e.name)) guess.emplace(e.name, e.value);
      settings.guesses.push_back(std::move(guess));
    }
  }

  /// Special cases in rounds before the laws that contain them; in a round by the time of one run of the
  /// law. The results do not depend on the order of others, unless time runs out.
  std::vector<std::vector<std::size_t>> rounds(const std::vector<FitJob>& jobs,
                                               const std::vector<fit::Settings>& settings) const {
    if (jobs.size() == 1) return {{0}};
    std::vector<std::tuple<std::size_t, double, std::size_t>> cost;
    const auto depth_of = [](const std::string& law) {
      std::size_t depth = 0;
      for (std::vector<std::string> level{law}; depth < 8; ++depth) {
        std::vector<std::string> next;
        for (const std::string& name : level)
          for (const auto& special : catalog::special_cases(name)) next.push_back(special.law);
        if (next.empty()) break;
        level = std::move(next);
      }
      return depth;
    };
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const double before = passed();
      try {
        const fit::Problem problem(jobs[i].model, data_, settings[i].setup);
        std::vector<double> middle, f;
        for (const fit::Unknown& u : problem.unknowns()) middle.push_back(0.5 * (u.from + u.to));
        problem.predict(middle, 0, f);
        cost.emplace_back(depth_of(jobs[i].text),
                          (passed() - before) * static_cast<double>(middle.size()), i);
      } catch (const Error&) {
        cost.emplace_back(0, 0, i);  // it cannot take part, which is soon said
      }
    }
    std::sort(cost.begin(), cost.end());
    std::vector<std::vector<std::size_t>> order;
    for (std::size_t k = 0; k < cost.size(); ++k) {
      if (k == 0 || std::get<0>(cost[k]) > std::get<0>(cost[k - 1])) order.emplace_back();
      order.back().push_back(std::get<2>(cost[k]));
    }
    return order;
  }
  double passed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  FittedLaw one(const FitJob& job, fit::Settings settings, bool one_of_many) {
    FittedLaw result;
    const double end = passed() + settings.seconds;
    const auto remaining = [&](double share) { return share * std::max(end - passed(), 0.0); };
    // The prediction of held-out rows and profiles come out of the same time.
    const bool predicts = std::any_of(result_.records.begin(), result_.records.end(),
                                      [](const FitRecord& r) { return !r.held_out.empty(); });
    settings.seconds *= request_.profile.empty() ? (predicts ? 0.85 : 1) : 0.5;
    try {
      result.fit = fit::fit(job.model, data_, settings);
    } catch (const Error& reason) {
      if (!one_of_many) throw;
      result.fit.message = reason.what();  // this law cannot take part, others can
    }
    result.fit.model = job.text;
    if (result.fit.outcome == fit::Outcome::failed) return result;
    settings.seconds = remaining(request_.profile.empty() ? 1 : 0.3);
    predict_the_rest(job.model, settings, result);
    if (!result_.predicted.empty()) {
      const fit::Misfit misfit = fit::misfit_of(job.model, with_gaps(), settings, result.fit);
      for (const FitRecord& record : result_.predicted)
        result.predicted.push_back(fit::predict(job.model, result.fit, misfit, record.data));
    }
    if (progress_->stopped()) return result;
    std::size_t profiles = request_.profile.size();
    for (const std::string& list : request_.profile) {
      settings.seconds = remaining(1 / static_cast<double>(profiles--));
      if (const std::string name = full_name(job, list); !name.empty())
        result.profiled.push_back(fit::profile(job.model, data_, settings, result.fit, name));
    }
    return result;
  }

  /// The records without the rows that are held out.
  std::vector<fit::Data> with_gaps() const {
    std::vector<fit::Data> gaps = data_;
    for (std::size_t i = 0; i < gaps.size(); ++i) gaps[i].held_out = result_.records[i].held_out;
    return gaps;
  }

  void predict_the_rest(const AnyModel& model, const fit::Settings& settings,
                        FittedLaw& result) const {
    const std::vector<fit::Data> gaps = with_gaps();
    if (std::all_of(gaps.begin(), gaps.end(), [](const auto& d) { return d.held_out.empty(); }))
      return;
    try {
      result.fit.holdout_rms_relative = fit::holdout_error(model, gaps, settings, result.fit);
    } catch (const Error&) {
      // Too few rows are left for this many numbers: there is no such error.
    }
  }

  /// A law that contains another one can do what that does: if it ended worse, its search did not end.
  void compare_with_special_cases() {
    for (FittedLaw& law : result_.fits) {
      fit::Fit& general = law.fit;
      if (general.outcome == fit::Outcome::failed) continue;
      for (const catalog::SpecialCase& special : catalog::special_cases(general.model)) {
        if (!special.fixed.empty()) continue;  // it contains only a part of that law
        for (const FittedLaw& other : result_.fits) {
          if (other.fit.model != special.law || other.fit.outcome == fit::Outcome::failed) continue;
          if (general.rms_relative <= 1.001 * other.fit.rms_relative + 1e-9) continue;
          general.message += "; worse than " + special.law +
                             ", which it contains: its search did not find the way";
          if (general.outcome != fit::Outcome::budget) general.outcome = fit::Outcome::stalled;
        }
      }
    }
  }

  void rank() {
    std::vector<const fit::Fit*> fits;
    for (const FittedLaw& law : result_.fits) fits.push_back(&law.fit);
    std::vector<FittedLaw> ranked;
    for (const std::size_t i : fit::ranking(fits)) ranked.push_back(std::move(result_.fits[i]));
    result_.fits = std::move(ranked);
  }

  /// What a reader has to know before the numbers.
  void judge() {
    if (result_.fits.empty()) return;
    const fit::Fit& best = result_.fits.front().fit;
    if (best.outcome == fit::Outcome::failed) return;
    const auto percent = [](double x) { return fmt::format("{:.3g} %", 100 * x); };
    std::vector<std::string> first;
    if (!fit::describes(best))
      first.push_back((result_.fits.size() > 1 ? "none of the laws describes the record: the best, "
                                               : "the law does not describe the record: ") +
                      best.model + ", misses the answer by " + percent(best.rms_relative) +
                      " of its range and the energy by " + percent(best.energy_error));
    if (!result_.predicted.empty() && best.outcome != fit::Outcome::converged)
      first.push_back("the prediction of " + best.model +
                      " rests on numbers that the record does " +
                      "not determine, or on a search that was not finished; compare it with those "
                      "of the other laws");
    if (std::string note = measurement_note(best); !note.empty()) first.push_back(std::move(note));
    result_.notes.insert(result_.notes.begin(), first.begin(), first.end());
  }

  /// What the best law would miss if one channel came later than the other, or if its zero moved, from where its
  /// search ended.
  std::string measurement_note(const fit::Fit& best) const {
    constexpr double seldom_worse = 0.01, much_better = 0.5;
    if (best.rms_relative < seldom_worse) return "";
    const fit::Fit late = with_free("delay", best), drifting = with_free("drift", best);
    const bool delayed = late.rms_relative <= drifting.rms_relative;
    const fit::Fit& other = delayed ? late : drifting;
    if (!(other.rms_relative < much_better * best.rms_relative)) return "";
    const std::string name = delayed ? "delay" : "drift";
    for (const fit::Estimate& e : other.estimates)
      if (e.name == name)
        return fmt::format(
            "with {}{:.3g}{} {} misses {:.2g} % instead of {:.2g} %: --free {} fits it",
            delayed ? "a delay between the channels of " : "a zero of the force that drifts by ",
            e.value,
            !result_.records.front().data.t.empty() ? ""
            : delayed                               ? " rows"
                                                    : " a row",
            best.model, 100 * other.rms_relative, 100 * best.rms_relative, name);
    return "";
  }

  /// The best law with another number of the measurement; of infinite error where that cannot be.
  fit::Fit with_free(const std::string& name, const fit::Fit& best) const {
    constexpr double most_seconds = 2, part = 0.05;
    fit::Fit none;
    none.rms_relative = std::numeric_limits<double>::infinity();
    if (frees(request_, name) || progress_->stopped()) return none;
    try {
      FitRequest request = request_;
      request.free.push_back(name);
      const FitJob job{best.model,
                       catalog::make({best.model, best.parameters.front(), best.options})};
      fit::Settings settings = settings_for(request, job, result_.records);
      ParameterValues guess = best.parameters.front();
      for (const fit::Estimate& e : best.estimates)
        if (fit::is_measurement(e.name)) guess.emplace(e.name, e.value);
      settings.guesses = {std::move(guess)};
      settings.starts = 1;
      settings.seconds = std::min(most_seconds, part * budget_);
      fit::Fit found = fit::fit(job.model, data_, settings);
      return found.outcome == fit::Outcome::failed ? none : found;
    } catch (const Error&) {
      return none;  // the bounds of a delay leave too few rows, or --fix holds it
    }
  }

  const FitRequest& request_;
  FitResult& result_;
  const Control& control_;
  Progress* progress_ = nullptr;  ///< of `run`
  Clock::time_point begin_;
  double budget_ = request_.time_budget;  ///< seconds
  std::vector<fit::Data> data_;
};

}  // namespace

FitResult fit(FitRequest request, const Control& control) {
  FitResult result;
  result.version = version;
  prepare_records(request, result);
  const std::vector<FitJob> jobs = make_fit_jobs(request, result.records, result.left_out);
  check_names(request, jobs);
  result.data = data_of(result.records.front());
  if (result.records.size() > 1)
    for (const FitRecord& record : result.records) result.data.files.push_back(data_of(record));
  result.covariates = result.records.front().covariates;
  Fitter(request, result, control).run(jobs);
  return result;
}

}  // namespace microslip::jobs
