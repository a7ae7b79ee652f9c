#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>

#include "command.hpp"
#include "fit/report.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/special_cases.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/figure.hpp"
#include "microslip/io/file.hpp"
#include "microslip/numerics/parallel.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr const char* details = R"(Input
  Files with displacement and force, and time if there is any, read as 'microslip loops' reads them.
  Several files are fitted together: all parameters are shared, but those of --separate, or all but
  those of --share. Errors are relative to the range of the force of each file. Laws driven by
  force (slip-front, sliders, ellipsoid, zonotope) answer a displacement to the measured force, and
  errors are those of the displacement; they are fitted when --model names them, not together with
  other laws. It does not matter which column the file says was driven.
  --weight NAME is a column, in each file, of numbers that say how much a row counts: 1/variance of
  its noise, in any unit, the same in all files. A row of weight 0 moves the law, but is compared
  with nothing.

Laws
  --model NAME, repeated or separated by commas; sums such as jenkins+iwan4 work too. 'all', which
  is the default, takes every law that makes sense for the record: those that depend on the rate
  need t. Lists (the elements of masing, for example) get 4 elements, or --elements N.

Another preload
  --covariate preload: files say '# preload: 30' above their table (or --covariate preload=20,30,
  one value for each file, those of --predict behind them). Coulomb friction makes displacement and
  force scale together with preload and friction coefficient, f(u) = s g(u/s), so that one law is
  fitted to all files, each divided by its s; several covariates multiply. The law is that of the
  first file; 'simulate' and 'damping --params FILE.json --covariate preload=40' give another.
  --predict FILE.csv is not fitted: reported are its error, and what the standard errors of the
  parameters make uncertain in force and energy. A wrong law is not part of that.

Search
  Least squares from many starts, spread over the region that the record suggests: stiffness,
  force, amplitude, speed. It ends early when the best minimum is found again and again.
  --fix phi=2 holds a parameter, --bounds chi=-0.9:-0.1 limits it (either side may be empty); a
  name goes to every law that has it, iwan4.chi to one law.
  --free offset,gain,offset_u,spring,backlash: f = offset + gain law(u - offset_u), with a spring
  beside the law or a gap in front of it.
  --start says what was before the first row: virgin (at rest at u = 0), first-row (at rest there),
  cycled (once through the first large cycle), unknown (two reversals, which are fitted), or auto:
  virgin or first-row if the record looks like it, else unknown.
  All laws together have 60 seconds, or --time-budget; what quick laws leave is for slow ones.
  --robust makes outliers count less. Ctrl-C ends the search: the best so far is written all the
  same, marked as interrupted.

Result
  A ranking by AICc: error (rms / force range), error of the energy of the cycles, error on rows
  that were held out from a second fit, number of fitted numbers. Parameters with standard errors;
  what the data do not determine is said, and has none. A number that only acts together with
  others (mu of two-state) is held and said.
  --holdout auto|minor|last|none|0.3|2,4-6: minor loops, the last third of the cycles, the last 30 %
  of the rows, these cycles. auto takes minor loops that have 1 % of the rows, else the last cycles.
  --profile NAME: how the error rises when NAME is held elsewhere; 95 % interval.
  -o FILE.json keeps all fits, and 'microslip simulate --params FILE.json' runs the best one.
  --report FILE.html is a page with pictures that needs nothing else.
  Exit code: 0 fine, 1 no law could be fitted or Ctrl-C, 2 bad input.

Examples
  microslip fit bolt.csv
  microslip fit bolt.csv --model iwan4,two-state --free offset -o bolt.json --report bolt.html
  microslip fit bolt.csv --model bouc-wen --fix n=1 --profile beta --start unknown
  microslip fit low.csv high.csv --model iwan4 --separate Fs
  microslip fit low.csv --covariate preload=20,40 --predict high.csv --model iwan4 -o bolt.json
  microslip simulate --params bolt.json --signal 'sin(t)' --until 10 --step 0.01
)";

/// True if standard output is free for the table.
bool check_files(const FitCommand& command, const std::vector<FitRecord>& records) {
  std::vector<std::filesystem::path> read;
  for (const FitRecord& record : records) read.emplace_back(record.data.name);
  return check_outputs({{command.output}, {command.report}, {command.plot, true}}, read,
                       command.json);
}

using Clock = std::chrono::steady_clock;

/// All laws, several at a time; a law waits for those from which its own search starts.
class Fitter {
 public:
  Fitter(const FitCommand& command, FitAnswer& answer)
      : command_(command), answer_(answer), begin_(Clock::now()) {
    for (const FitRecord& record : answer.records) data_.push_back(record.data);
    if (!command.budget.empty()) {
      budget_ = number("--time-budget", command.budget);
      if (!(budget_ > 0)) throw Error("--time-budget = " + command.budget + " must be positive");
    }
  }

  void run(const std::vector<FitJob>& jobs) {
    // Bad input is found before the first search, which may take a while.
    std::vector<fit::Settings> settings;
    for (const FitJob& job : jobs) settings.push_back(settings_for(command_, job, answer_.records));
    if (jobs.size() == 1) fit::Problem(jobs[0].model, data_, settings[0].setup);
    answer_.seed = settings.front().seed;
    Progress progress(jobs.size() * 100);
    std::mutex mutex;  // of the progress and of what is left
    std::vector<std::optional<FitResult>> done(jobs.size());
    std::size_t left = jobs.size();
    const std::size_t threads = thread_count(settings.front().threads);
    const auto follow = [&](std::size_t i, std::size_t at_once) {
      {
        const std::lock_guard lock(mutex);
        // What is left of the time is too little for another law, unless there is none yet.
        if (left < jobs.size() && (StopOnRequest::asked() || passed() > budget_)) return;
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
        const std::lock_guard lock(mutex);
        if (std::isfinite(p.best_rms_relative))
          progress.stage(fmt::format("{}: {:.3g} %", jobs[i].text, 100 * p.best_rms_relative));
        // The fit that predicts held-out rows counts its starts from the beginning.
        const std::size_t now =
            std::min<std::size_t>(100 * p.starts_done / std::max<std::size_t>(p.starts, 1), 100);
        progress.advance(now > shown ? now - shown : 0);
        shown = std::max(shown, now);
        return !StopOnRequest::asked();
      };
      done[i] = one(jobs[i], settings[i], jobs.size() > 1);
      const std::lock_guard lock(mutex);
      progress.advance(100 - shown);
    };
    for (const std::vector<std::size_t>& round : rounds(jobs, settings)) {
      const std::size_t at_once = std::min(threads, round.size());
      in_parallel(round.size(), at_once, [&](std::size_t k) { follow(round[k], at_once); });
    }
    answer_.interrupted = StopOnRequest::asked();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (done[i])
        answer_.results.push_back(std::move(*done[i]));
      else
        answer_.left_out.push_back(jobs[i].text + (answer_.interrupted
                                                       ? " (stopped before its turn)"
                                                       : " (the time was over before its turn)"));
    }
    std::stable_sort(
        answer_.results.begin(), answer_.results.end(),
        [](const FitResult& a, const FitResult& b) { return fit::better(a.fit, b.fit); });
    answer_.seconds = passed();
  }

 private:
  /// A fit that starts from that of a special case ends no worse. Those that are not among the laws
  /// asked for are fitted beside it, for a part of its time.
  void start_from_special_cases(const std::vector<FitJob>& jobs,
                                const std::vector<std::optional<FitResult>>& done, std::size_t i,
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
          fit::Settings quick = settings_for(command_, job, answer_.records);
          quick.setup.fixed.clear();  // names of the general law need not exist here
          for (const auto& [name, value] : special.fixed)
            quick.setup.fixed[name] = std::get<double>(value);
          quick.setup.bounds.clear();
          quick.setup.separate.clear();
          quick.starts = std::min<std::size_t>(quick.starts, 12);
          quick.seconds = share * settings.seconds;
          quick.progress = [](const fit::Progress&) { return !StopOnRequest::asked(); };
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
        if (e.name == "offset" || e.name == "gain" || e.name == "offset_u")
          guess.emplace(e.name, e.value);
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

  FitResult one(const FitJob& job, fit::Settings settings, bool one_of_many) {
    FitResult result{job, {}, {}};
    const double end = passed() + settings.seconds;
    const auto remaining = [&](double share) { return share * std::max(end - passed(), 0.0); };
    // The prediction of held-out rows and profiles come out of the same time.
    const bool predicts = std::any_of(answer_.records.begin(), answer_.records.end(),
                                      [](const FitRecord& r) { return !r.held_out.empty(); });
    settings.seconds *= command_.profiles.empty() ? (predicts ? 0.85 : 1) : 0.5;
    try {
      result.fit = fit::fit(job.model, data_, settings);
    } catch (const Error& reason) {
      if (!one_of_many) throw;
      result.fit.message = reason.what();  // this law cannot take part, others can
    }
    result.fit.model = job.text;
    if (result.fit.outcome == fit::Outcome::failed) return result;
    settings.seconds = remaining(command_.profiles.empty() ? 1 : 0.3);
    predict_the_rest(settings, result);
    for (const FitRecord& record : answer_.predicted)
      result.predictions.push_back(fit::predict(job.model, result.fit, record.data));
    if (StopOnRequest::asked()) return result;
    std::size_t profiles = command_.profiles.size();
    for (const std::string& list : command_.profiles) {
      settings.seconds = remaining(1 / static_cast<double>(profiles--));
      if (const std::string name = full_name(job, list); !name.empty())
        result.profiles.push_back(fit::profile(job.model, data_, settings, result.fit, name));
    }
    return result;
  }

  void predict_the_rest(const fit::Settings& settings, FitResult& result) const {
    std::vector<fit::Data> gaps = data_;
    bool any = false;
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      gaps[i].held_out = answer_.records[i].held_out;
      any = any || !gaps[i].held_out.empty();
    }
    if (!any) return;
    try {
      result.fit.holdout_rms_relative =
          fit::holdout_error(result.job.model, gaps, settings, result.fit);
    } catch (const Error&) {
      // Too few rows are left for this many numbers: there is no such error.
    }
  }

  const FitCommand& command_;
  FitAnswer& answer_;
  Clock::time_point begin_;
  double budget_ = 60;  ///< seconds
  std::vector<fit::Data> data_;
};

int run(FitCommand command, const std::string& command_line) {
  FitAnswer answer;
  answer.command_line = command_line;
  answer.records = read_records(command, answer.notes);
  answer.predicted = read_predicted(command, answer.records.front(), answer.records.size());
  if (!command.covariates.empty() && answer.records.size() > 1)
    answer.notes.push_back(
        "displacement and force of each file are divided by its covariate over that of " +
        answer.records.front().data.name + "; parameters and pictures are those of that file");
  const bool table = check_files(command, answer.records);
  const std::vector<FitJob> jobs = make_fit_jobs(command, answer.records, answer.left_out);
  check_names(command, jobs);
  std::unique_ptr<io::AtomicFile> output, report;
  {
    const StopOnRequest interruptible;
    // Opened before the work, so that a folder that cannot be written to is known at once.
    if (!command.output.empty()) output = std::make_unique<io::AtomicFile>(command.output);
    if (!command.report.empty()) report = std::make_unique<io::AtomicFile>(command.report);
    Fitter(command, answer).run(jobs);
  }
  const bool any = answer.results.front().fit.outcome != fit::Outcome::failed;
  if (output) {
    output->write(fit_json(answer));
    output->commit();
  }
  if (report && any) {
    report->write(fit_report(answer));
    report->commit();
  }
  bool complete = true;
  if (!command.plot.empty() && any) complete = drawn([&] { draw_fits(answer, command.plot); });
  if (command.json)
    print(fit_json(answer));
  else if (!command.quiet && table)
    print(fit_text(answer));
  if (!command.quiet)
    for (const std::string& note : answer.notes) say("note: " + wrapped(note, 6) + "\n");
  if (!any && !answer.interrupted)
    throw Failure(answer.results.size() == 1
                      ? answer.results.front().fit.model + ": " + answer.results.front().fit.message
                      : "no law could be fitted");
  if (answer.interrupted)
    throw Failure(any ? "interrupted; the result is the best so far"
                      : "interrupted before any law was fitted");
  return complete ? 0 : 1;
}

Run declare(CLI::App& options, const Context& context) {
  const auto c = std::make_shared<FitCommand>();
  OptionGroup(options, "Options")
      .words("FILE", c->words, "FILE.csv...", "records of displacement and force", true);

  OptionGroup input(options, "Input");
  c->record.declare(input);
  input.text("--weight", c->weight, "NAME",
             "heading or number of a column that says how much a row counts");
  input.text("--start", c->start, "WHEN",
             "before the first row: auto, virgin, first-row, cycled, unknown");

  input.list("--covariate", c->covariates, "NAME[=VALUES]",
             "preload or friction of each file, by which force and displacement scale");

  OptionGroup laws(options, "Laws");
  laws.list("--model", c->models, "MODEL,...", "laws, sums of laws, or all");
  laws.text("--elements", c->elements, "N", "of lists such as those of masing; 4 if left out");
  laws.list("--fix", c->fixes, "NAME=VALUE", "hold a parameter");
  laws.list("--bounds", c->bounds, "NAME=LOW:HIGH", "limits of a parameter");
  laws.list("--free", c->free, "offset|gain|offset_u|spring|backlash,...",
            "also fit these numbers of the measurement and of the rig");
  laws.list("--separate", c->separate, "NAMES", "one value for each file");
  laws.list("--share", c->share, "NAMES", "one value for all files, the others separate");

  OptionGroup search(options, "Search");
  search.text("--starts", c->starts, "N", "at most; 32 if left out");
  search.text("--seed", c->seed, "N", "of the spread of starts; 1 if left out");
  search.text("--time-budget", c->budget, "SECONDS", "for all laws together; 60 if left out");
  search.text("--threads", c->threads, "N", "as many as the machine has if left out");
  search.flag("--robust", c->robust, "outliers count less");

  OptionGroup judgement(options, "Judgement");
  judgement.text("--holdout", c->holdout, "ROWS", "auto, minor, last, none, 0.3 or 2,4-6");
  judgement.list("--predict", c->predicted, "FILE.csv",
                 "a record that is not fitted, but predicted; repeat it");
  judgement.list("--profile", c->profiles, "NAME", "profile likelihood of a parameter");

  OptionGroup result(options, "Result");
  result.text("-o,--output", c->output, "FILE.json", "all fits, best first");
  result.text("--report", c->report, "FILE.html", "one page with pictures");
  result.text("--plot", c->plot, "FILE.svg|png|pdf", "the record and the best fits");
  result.flag("--json", c->json, "write JSON to standard output");
  result.flag("-q,--quiet", c->quiet, "no table and no notes");
  const std::string command_line = context.command_line;
  return [c, command_line] { return run(*c, command_line); };
}

}  // namespace

Command fit_command() {
  return {"fit", "Explain a measured record: which law, which parameters, how sure.", details,
          declare};
}

}  // namespace microslip::app
