#include "microslip/study/study.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/study/run.hpp"
#include "study/commands.hpp"
#include "study/output.hpp"

namespace microslip::app {
namespace {

constexpr const char* study_details = R"help(Study
  A TOML file: a job, what varies in it, and what is kept of each run.

    seed = 7
    samples = 2000
    design = "sobol"
    [job]
    kind = "respond"
    file = "ring.toml"
    [vary]
    "joint[*].phi" = { lognormal = [1.0, 0.2] }
    "spring[1..24].k" = { factor = { normal = [1.0, 0.02] } }
    "joint[1]" = { fit = "fit.json" }
    [[collect]]
    name = "peak"
    value = "max(x5)"
    limit = 1.2
    [[collect]]
    name = "x5"
    on = { omega = [0.8, 1.2, 200] }
    [fail]
    most = 0.05

Design
  sobol (left out), latin-hypercube, random, grid (samples for each input), list (list =
  "draws.csv", a column for each address). Run i depends on the seed and on i alone. indices = true
  takes samples times (inputs + 2) runs and gives Sobol' indices.

Job
  kind is any job of docs/jobs.md. respond and identify take file = "structure.toml", joint, cracks
  and reduce their file; the others the keys of their request, in [job] itself or in a file.
  simulate also takes input = "FILE.csv", or signal, until and step; fit takes records =
  ["FILE.csv"].

Vary
  Addresses as of identify: "joint[1].phi", "spring[*].k", "M[2]"; "law[1].phi" of simulate and
  damping; of other jobs a path in the file or request, "contact.mu". Distributions: normal =
  [mean, deviation], lognormal = [median, deviation of the logarithm], uniform = [a, b], values =
  [1, 2, 3]; truncated = [a, b] beside one of them; factor = { ... } multiplies what stands there.
  A range draws for each of its members, with each = false once for all. "joint[1]" = { fit =
  "fit.json" } draws the parameters of a fit or posterior with their correlations, "*" those of
  identify. A draw that a law refuses is a failed run.

Collect
  value: a formula of max, min, mean, first, last and at(x5, omega=0.9) of formulas of columns, with
  level=2 for the rows of a level, max(x*) for x1, x2, ...; or a path into the result,
  "results[1].summary.dissipated". on takes a curve over a grid. limit asks for the probability to
  exceed it. table = 2 takes the second table.

Store
  Runs go to FILE.study, those of a shard to FILE.3-of-64.study, at once, and stay there. The same
  call goes on where the last one ended; --merge takes what other stores have. A study that changed
  needs another store; more samples can be added to sobol and random. Failed runs are counted; exit
  code 1 if they are more than `most` of [fail], 5 % if left out.

Examples
  microslip study ring-study.toml --threads 2 --report ring.html --plot ring.svg
  microslip study ring-study.toml --shard 2/4
  microslip study ring-study.toml --merge ring-study.2-of-4.study --table ring.csv
)help";

struct StudySettings {
  std::vector<std::string> words, curves;
  std::string shard, threads, store, output, table, plot, report;
  bool merge = false, json = false, quiet = false;
};

std::filesystem::path store_name(const StudySettings& s) {
  if (!s.store.empty()) return s.store;
  std::filesystem::path name = std::filesystem::path(s.words.front()).stem();
  if (!s.shard.empty()) {
    const study::Shard shard = study::shard_of(s.shard);
    name += fmt::format(".{}-of-{}", shard.place + 1, shard.count);
  }
  return name += ".study";
}

/// "x5=FILE.csv", or the file alone where there is one curve.
std::pair<const study::Quantity*, std::string> curve_of(const study::Study& study,
                                                        const std::string& word) {
  const auto equal = word.find('=');
  const std::string name = equal == std::string::npos ? "" : word.substr(0, equal);
  const study::Quantity* found = nullptr;
  std::size_t count = 0;
  for (const study::Quantity& q : study.quantities()) {
    if (!q.is_curve()) continue;
    ++count;
    if (name.empty() || q.name == name) found = &q;
  }
  if (!found || (name.empty() && count > 1))
    throw Error(
        "--curve " + word +
        (count == 0 ? ": the study collects no curve" : ": name one of its curves, NAME=FILE.csv"));
  return {found, equal == std::string::npos ? word : word.substr(equal + 1)};
}

template <class Write>
void write_rows(const std::string& name, Write&& write) {
  io::AtomicFile file(name);
  write([&](std::string_view text) { file.write(text); });
  file.commit();
}

int run_study(const StudySettings& s, const std::string& command_line) {
  ProgressBar::silence(s.quiet);
  const std::string& name = s.words.front();
  if (!s.merge && s.words.size() > 1)
    throw Error("unexpected '" + s.words[1] + "': stores follow --merge");
  if (s.merge && s.words.size() < 2) throw Error("--merge needs the stores of the shards");
  if (s.merge && !s.shard.empty()) throw Error("--merge and --shard: only one of them");
  const bool answered = s.shard.empty();
  if (!answered && (!s.output.empty() || !s.table.empty() || !s.plot.empty() || !s.report.empty() ||
                    s.json || !s.curves.empty()))
    throw Error("--shard does a part of the runs; answers come after --merge");
  const study::Study study = study::Study::read(name);
  std::vector<io::Output> outputs{{s.output}, {s.table}, {s.plot, true}, {s.report}};
  for (const std::string& curve : s.curves) outputs.push_back({curve_of(study, curve).second});
  const bool table_on_stdout = check_outputs(outputs, {name, store_name(s)}, s.json);
  std::size_t threads = 0;
  if (!s.threads.empty()) {
    const double count = number("--threads", s.threads);
    if (!(count >= 1 && count <= 1024) || count != std::floor(count))
      throw Error("--threads = " + s.threads + " must be a whole number from 1 to 1024");
    threads = static_cast<std::size_t>(count);
  }
  const study::Shard shard = answered ? study::Shard{} : study::shard_of(s.shard);
  study::Store store(store_name(s), study);
  if (s.merge) {
    for (std::size_t k = 1; k < s.words.size(); ++k) {
      const std::uint64_t added = store.merge(s.words[k]);
      if (!s.quiet) say(fmt::format("{}: {} runs taken over\n", s.words[k], added));
    }
  } else {
    if (!s.quiet)
      say(study.indices() ? fmt::format("{} × ({} + 2) = {} runs of {}\n", study.samples(),
                                        study.groups().size(), study.runs(), study.kind())
                          : fmt::format("{} runs of {}\n", study.runs(), study.kind()));
    study::Progress done;
    try {
      const StopOnRequest on_request;
      done = with_progress([&](const jobs::Control& control) {
        return study::run_missing(study, store, shard, threads, control);
      });
    } catch (const jobs::Interrupted&) {
      ProgressBar::clear();
      throw Failure("interrupted; what was done is stored, and the same call goes on from there");
    }
    ProgressBar::clear();
    if (!answered) {
      if (!s.quiet)
        say(fmt::format("shard {}: {} runs, {} of them new, {} of these failed; in {}\n", s.shard,
                        done.wanted, done.done, done.failed, store_name(s).string()));
      return 0;
    }
  }
  study::StudyResult result = study::answers(study, store);
  result.command = command_line;
  if (!s.table.empty())
    write_rows(s.table, [&](const auto& to) { study::write_table(study, store, to); });
  for (const std::string& word : s.curves) {
    const auto curve = curve_of(study, word);
    write_rows(curve.second,
               [&](const auto& to) { study::write_curve(study, store, *curve.first, to); });
  }
  if (!s.output.empty()) io::write_file(s.output, jobs::to_text(result));
  bool pictures = true;
  if (!s.plot.empty() || !s.report.empty()) {
    const io::Figure figure = study_figure(study, store, result);
    if (!s.report.empty()) io::write_file(s.report, study_page(result, figure, command_line));
    if (!s.plot.empty()) {
      if (figure.rows.empty()) throw Failure("there is nothing to draw: no run has a value");
      pictures = drawn([&] { io::draw(figure, s.plot); });
    }
  }
  if (s.json)
    print(jobs::to_text(result));
  else if (!s.quiet && table_on_stdout)
    print(study_text(result));
  if (!s.quiet) say_notes(result.notes);
  const double share =
      result.done > 0 ? static_cast<double>(result.failed) / static_cast<double>(result.done) : 0;
  if (share > study.most_failures())
    throw Failure(fmt::format("{} of {} runs failed, more than most = {} of [fail]", result.failed,
                              result.done, study.most_failures()));
  return pictures ? 0 : 1;
}

Run declare_study(CLI::App& options, const Context& context) {
  const auto s = std::make_shared<StudySettings>();
  OptionGroup(options, "Options")
      .words("FILE", s->words, "FILE.toml",
             "the study: a job, what varies, what is kept; after --merge also stores", true);
  OptionGroup runs(options, "Runs");
  runs.text("--shard", s->shard, "a/b", "do part a of b, 3/64; answers come after --merge");
  runs.text("--threads", s->threads, "N", "how many runs at a time; all processors if left out");
  runs.text("--store", s->store, "FILE", "where the runs are kept; FILE.study if left out");
  runs.flag("--merge", s->merge, "take the runs of the stores that follow, and run nothing");
  OptionGroup result(options, "Result");
  result.text("-o,--output", s->output, "FILE.json", "the answers");
  result.text("--table", s->table, "FILE.csv", "a row for each run: what was drawn and collected");
  result.list("--curve", s->curves, "[NAME=]FILE.csv", "a row for each run: a collected curve");
  result.text("--plot", s->plot, "FILE", "distributions and bands: svg, png or pdf");
  result.text("--report", s->report, "FILE.html", "a page with all answers and pictures");
  result.flag("--json", s->json, "write JSON to standard output");
  result.flag("-q,--quiet", s->quiet, "no table, no notes and no progress");
  const std::string command_line = context.command_line;
  return [s, command_line] { return run_study(*s, command_line); };
}

}  // namespace

Command study_command() {
  return {"study", "Thousands of runs of a job: bands, probabilities, sensitivities.",
          study_details, declare_study};
}

}  // namespace microslip::app
