#include "microslip/jobs/respond.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "command.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/json.hpp"
#include "microslip/io/text_table.hpp"
#include "microslip/jobs/identify.hpp"
#include "microslip/version.hpp"
#include "respond/page.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr const char* details = R"(Structure
  A TOML file: M, C, K (diagonal, rows, or files: Matrix Market, MAT, CalculiX, Abaqus), springs,
  dampers, joints between degrees of freedom, loads, and what is asked for. Degrees of freedom count
  from 1, ground is 0; where the files name them, "12.3" is node 12, direction 3. Hundreds of joints
  come from a table, joints = "interface.csv", and springs from springs = "springs.csv".

    M = [1.0]
    [[spring]]
    between = [0, 1]
    k = 0.75
    [[damper]]
    between = [0, 1]
    c = 0.01
    [[joint]]
    model = "jenkins"
    set = { k = 0.25, phi = 0.2 }       # or params = "fit.json"
    between = [0, 1]                    # or along = [w1, ...], or mode = 1: acts on that mode
    [[load]]
    kind = "harmonic"                   # multisine, sweep, stepped, impulse, base, record, static,
                                        # formula, with force = "0.1*t^2"
    dof = 1
    amplitude = 0.2
    [[analysis]]
    kind = "frequency-response"
    omega = [0.7, 1.2]
    harmonics = 7                       # left out: as many as needed for 1e-4 of the motion
    output = "frf.csv"
    plot = "frf.svg"

  units = "N, mm, s" says what the numbers are in: laws of fit results and loads from files whose
  headings have units are then converted.

  Left out, harmonics grow and shrink along the branch until those left out change the first
  harmonic (and the damping of a mode) by less than 1e-4 of itself; from 15 harmonics on 1e-3 of it
  is enough (1e-2 of the damping), and more than 31 are not taken. `tolerance` counts for the whole
  motion, up to 63.
  The result says what is left out, as `truncation`. A line every few seconds says how far the work
  is, how many harmonics it takes and how long it will be (not with --quiet).

  A row of sliders between two degrees of freedom is one element:

    [[interface]]
    kind = "two-sided"
    between = [5, 6]
    n = 40                              # sliders
    K_eq = 10.0                         # stiffness and mass of the whole
    M_eq = 0.1
    mu = 1.0                            # sum of the friction limits
    form = "reduced"                    # or "full"; modes = 4 of the reduced form

  Time, frequency and load responses and nonlinear modes take both forms; energy_interface1 is
  what the reduced one loses in a period.

Analyses and what they write
  frequency-response   omega, x1, phase1, ..., energy1, ..., stable
                       omega = [from, to], harmonics, at, levels, dof, samples, tolerance,
                       stability; periods = 2 (of the load, after which the motion repeats itself)
  load-response        level, x1, phase1, ..., energy1, ..., stable   at one frequency
                       omega, level = [from, to] (factors of the load) or amplitude = [from, to]
                       (of the first harmonic of dof: the level that it takes), harmonics, at,
                       samples, tolerance, stability
  modes                joints, mode, omega, frequency, zeta, x1, phase1, ...   linear modes with
                       the joints 0 free, 1 stuck, 2 as small loops under the static loads
                       modes (how many, 10); before other analyses of a model with matrices they
                       go to standard error and --json
  time                 t, x1, ..., v1, ..., f1, ..., energy
                       until, step or tolerance, x0, v0, at, method, dof
  nonlinear-mode       amplitude, omega, zeta, ...
                       amplitude = [from, to], mode, harmonics, at, tolerance
  quasi-static         amplitude, omega, zeta, ...   the fast approximation of the same
                       amplitude = [from, to], mode, at
  averaging            one degree of freedom: stiffness and damping against amplitude, response
                       amplitude = [from, to], at; or omega = [from, to], levels
  slow-flow            t, amplitude, phase, x, x_full, amplitude_full   one degree of freedom:
                       averaged amplitude and phase against time, next to the motion itself
                       until, step (of rows), x0, v0, tolerance
  modal-joints         omega, x1, x1_coupled, x1_decoupled, ...   joints that act on modes, next to
                       the physical ones; omega = [from, to], modes, harmonics, tolerance, dof

  Without `output` the table goes to standard output. Ctrl-C during a response against frequency or
  load or a nonlinear mode keeps the branch so far and leaves OUTPUT.resume beside it; --resume
  goes on from there. --report puts everything on one page.

Examples
  microslip respond structure.toml
  microslip respond structure.toml --json
  microslip respond structure.toml --report structure.html
  microslip respond structure.toml --params identified.json
)";

using catalog::Analysis;
using jobs::AnalysisResult;
using jobs::RespondRequest;
using jobs::RespondResult;

struct Settings {
  std::string file;
  std::string page, params, law;
  bool json = false, quiet = false, resume = false;
};

std::string resume_name(const Analysis& analysis) { return analysis.output + ".resume"; }

io::Comments head_of(const catalog::StructureFile& file, const Analysis& analysis,
                     const io::Comments& notes, const std::string& command_line) {
  io::Comments head{
      {"microslip", std::string(version)}, {"command", command_line}, {"analysis", analysis.kind}};
  for (std::size_t j = 0; j < file.laws.size(); ++j) {
    const std::string number = std::to_string(j + 1);
    head.emplace_back("model " + number, file.laws[j].model);
    head.emplace_back("parameters " + number, io::values_json(file.laws[j].parameters));
    if (!file.laws[j].options.empty())
      head.emplace_back("options " + number, io::values_json(file.laws[j].options));
  }
  head.insert(head.end(), notes.begin(), notes.end());
  return head;
}

std::string csv_of(const AnalysisResult& result, const io::Comments& head) {
  std::vector<io::ColumnView> columns;
  for (const auto& [heading, values] : result.columns) columns.push_back({heading, "", values});
  return io::csv_text(head, columns);
}

/// Everything that is wrong with the names of files is said before the work.
void check_files(const catalog::StructureFile& file, const Settings& settings) {
  int to_stdout = 0;
  std::vector<io::Output> all{{settings.page}};
  for (const Analysis& analysis : file.analyses) {
    if (analysis.output.empty()) ++to_stdout;
    std::vector<io::Output> its{{analysis.output}, {analysis.plot, true}};
    // Left by an interrupted branch.
    const std::string& kind = analysis.kind;
    const bool resumes =
        kind == "frequency-response" || kind == "load-response" || kind == "nonlinear-mode";
    if (resumes && !analysis.output.empty()) its.push_back({resume_name(analysis)});
    try {
      io::check_outputs(its, file.files);
    } catch (const Error& error) {
      throw Error(analysis.where + ": " + error.what());
    }
    all.insert(all.end(), its.begin(), its.end());
  }
  io::check_outputs(all, file.files);
  if (to_stdout > 1 && !settings.json)
    throw Error(settings.file +
                ": only one analysis can write to standard output; give the others "
                "an 'output'");
}

/// What an interrupted run left of its branches.
std::vector<jobs::ResumePoint> resume_points(const catalog::StructureFile& file) {
  std::vector<jobs::ResumePoint> points;
  for (std::size_t i = 0; i < file.analyses.size(); ++i) {
    const Analysis& analysis = file.analyses[i];
    std::error_code ignored;
    if (analysis.output.empty() || !std::filesystem::exists(resume_name(analysis), ignored))
      continue;
    jobs::ResumePoint point{i + 1, analysis.output, io::read_file(resume_name(analysis)), {}};
    const std::vector<std::string> headings = io::read_text_table(analysis.output).headings;
    const io::Table table = io::read_csv(analysis.output, {headings, {}, {}});
    for (const std::string& heading : headings)
      point.columns.emplace_back(heading, table.at(heading).values);
    points.push_back(std::move(point));
  }
  return points;
}

/// Writes the tables and pictures of analyses as they come.
class Writer {
 public:
  Writer(const Settings& settings, const RespondRequest& request, std::string command_line)
      : settings_(settings), request_(request), command_line_(std::move(command_line)) {}

  jobs::RespondSinks sinks() {
    jobs::RespondSinks sinks;
    sinks.begun = [this](const RespondResult& result) {
      if (!settings_.quiet) say(result.modes_text);
    };
    sinks.rows = [this](std::size_t i, const std::vector<std::string>& headings) {
      return rows(file().analyses[i], headings);
    };
    sinks.finished = [this](std::size_t i, AnalysisResult& result) {
      ProgressBar::clear();
      finish(i, file().analyses[i], result);
    };
    return sinks;
  }

  const std::string& summary() const { return summary_; }
  const std::vector<PageEntry>& entries() const { return entries_; }
  bool complete() const { return complete_; }

 private:
  const catalog::StructureFile& file() const { return request_.structure; }

  /// Rows go to their file, unless they are needed for a picture, a page or standard output.
  jobs::RespondSinks::TakeRow rows(const Analysis& analysis,
                                   const std::vector<std::string>& headings) {
    if (analysis.output.empty() || !analysis.plot.empty() || !settings_.page.empty()) return {};
    output_.emplace(analysis.output);
    rows_.emplace([this](std::string_view text) { output_->write(text); },
                  head_of(file(), analysis, {}, command_line_), headings);
    return [this](const std::vector<double>& cells) { rows_->row(cells); };
  }

  void finish(std::size_t index, const Analysis& analysis, AnalysisResult& result) {
    for (const std::string& warning : result.warnings) say("microslip: " + warning + "\n");
    write_table(index, analysis, result);
    if (!analysis.plot.empty())
      complete_ = drawn([&] { io::draw(result.figure, analysis.plot); }) && complete_;
    summary_ += analysis.kind + (analysis.output.empty() ? "" : " → " + analysis.output) + "\n" +
                result.summary;
    if (!analysis.output.empty()) result.columns.clear();
    if (!settings_.page.empty()) entries_.push_back({&analysis, result});
  }

  void write_table(std::size_t index, const Analysis& analysis, const AnalysisResult& result) {
    if (result.streamed) {
      rows_->finish();
      output_->commit();
      return;
    }
    const io::Comments head = head_of(file(), analysis, result.notes, command_line_);
    if (analysis.output.empty()) {
      if (!settings_.json) print(csv_of(result, head));
      return;
    }
    io::write_file(analysis.output, csv_of(result, head));
    if (!result.resume.empty()) {
      io::write_file(resume_name(analysis), result.resume);
      say("microslip: stopped; " + analysis.output +
          " has the branch so far, and --resume goes on from there\n");
    } else if (std::any_of(request_.resume.begin(), request_.resume.end(),
                           [&](const auto& point) { return point.analysis == index + 1; })) {
      std::error_code ignored;
      std::filesystem::remove(resume_name(analysis), ignored);
    }
  }

  const Settings& settings_;
  const RespondRequest& request_;
  std::string command_line_;
  std::optional<io::AtomicFile> output_{};
  std::optional<io::CsvWriter> rows_{};
  std::string summary_{};
  std::vector<PageEntry> entries_{};
  bool complete_ = true;
};

int respond(const Settings& settings, const std::string& command_line) {
  ProgressBar::silence(settings.quiet);
  RespondRequest request;
  request.name = io::source_name(settings.file);
  request.structure = catalog::read_structure(settings.file);
  if (!settings.params.empty())
    jobs::apply(io::read_file(settings.params), settings.law, request.structure);
  const catalog::StructureFile& file = request.structure;
  if (!file.analyses.empty()) check_files(file, settings);
  if (!settings.quiet)
    for (const std::string& note : file.notes) say("microslip: " + note + "\n");
  jobs::check_analyses(file);
  if (settings.resume) request.resume = resume_points(file);
  request.linear_modes = !settings.quiet || settings.json;
  Writer writer(settings, request, command_line);
  RespondResult result;
  {
    const StopOnRequest on_request;
    result = with_progress([&](const jobs::Control& control) {
      return jobs::respond(request, control, writer.sinks());
    });
  }
  result.command = command_line;
  if (!settings.page.empty())
    io::write_file(settings.page,
                   respond_page(settings.file, file, writer.entries(), command_line));
  if (settings.json) print(jobs::to_text(result));
  const bool all_in_files = std::all_of(file.analyses.begin(), file.analyses.end(),
                                        [](const Analysis& a) { return !a.output.empty(); });
  if (!settings.quiet) {
    if (all_in_files && !settings.json)
      print(writer.summary());
    else
      say(writer.summary());
  }
  if (!result.failure.empty()) throw Failure(result.failure);
  return result.interrupted || !writer.complete() ? 1 : 0;
}

Run declare(CLI::App& options, const Context& context) {
  const auto s = std::make_shared<Settings>();
  OptionGroup group(options, "Options");
  group.word("FILE", s->file, "FILE.toml",
             "the structure, its joints and loads, and what is asked for", true);
  group.text("--params", s->params, "FILE.json",
             "numbers of the structure from a result of 'microslip identify' for the same file");
  group.text("--fit", s->law, "MODEL", "which law of that result; the best if left out");
  group.flag("--resume", s->resume, "go on with branches that were interrupted");
  group.text("--report", s->page, "FILE.html", "a page with all pictures and numbers");
  group.flag("--json", s->json, "write JSON to standard output");
  group.flag("-q,--quiet", s->quiet, "no summary");
  const std::string command_line = context.command_line;
  return [s, command_line] { return run_file(s->file, [&] { return respond(*s, command_line); }); };
}

}  // namespace

Command respond_command() {
  return {"respond", "Ring-down, frequency response and modes of a structure with joints.", details,
          declare};
}

}  // namespace microslip::app
