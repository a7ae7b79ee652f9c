#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "command.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/json.hpp"
#include "microslip/version.hpp"
#include "respond/analyses.hpp"
#include "respond/page.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using Json = nlohmann::ordered_json;

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
  harmonic (and the damping of a mode) by less than 1e-4; from 15 on 1e-3 is enough, and more than
  31 are not taken. `tolerance` counts for the whole motion, with up to 63. The result says what is
  left out, as `truncation`. A line every few seconds says how far the work is, how many harmonics
  it takes and how long it will be (not with --quiet).

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
                       stability
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
)";

struct Settings {
  std::string file;
  std::string page;
  bool json = false, quiet = false, resume = false;
};

std::string resume_name(const catalog::Analysis& analysis) { return analysis.output + ".resume"; }

io::Comments head_of(const catalog::StructureFile& file, const catalog::Analysis& analysis,
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

Report report_of(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                 const std::string& resume, const Settings& settings,
                 const std::string& command_line) {
  if (analysis.kind == "frequency-response" || analysis.kind == "load-response")
    return frequency_response_report(file, analysis, resume);
  if (analysis.kind == "time")
    return time_report(file, analysis, head_of(file, analysis, {}, command_line),
                       analysis.output.empty() || !analysis.plot.empty() || !settings.page.empty());
  if (analysis.kind == "averaging") return averaging_report(file, analysis);
  if (analysis.kind == "slow-flow") return slow_flow_report(file, analysis);
  if (analysis.kind == "modes") return linear_modes_report(file, analysis);
  if (analysis.kind == "modal-joints") return modal_joints_report(file, analysis);
  return mode_report(file, analysis, resume);
}

std::string csv_of(const Report& report, const io::Comments& head) {
  std::vector<io::ColumnView> columns;
  for (std::size_t i = 0; i < report.columns.size(); ++i)
    columns.push_back({report.headings[i], "", report.columns[i]});
  return io::csv_text(head, columns);
}

/// Everything that is wrong with the names of files is said before the work.
void check_files(const catalog::StructureFile& file, const Settings& settings) {
  int to_stdout = 0;
  std::vector<io::Output> all{{settings.page}};
  for (const catalog::Analysis& analysis : file.analyses) {
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

/// What an analysis needs of the structure. It is said of all of them before the first begins, so
/// that no result is there when the file is refused.
void check_analysis(const catalog::StructureFile& file, const catalog::Analysis& a) {
  const dynamics::Structure& s = file.structure;
  const auto refuse = [&](const std::string& sentence) { throw Error(a.where + ": " + sentence); };
  const auto tones_of = [](const dynamics::Load& load) {
    return std::get_if<dynamics::Tones>(&load.signal);
  };
  const bool shaken = std::any_of(s.loads.begin(), s.loads.end(), tones_of);
  if (a.kind == "frequency-response" || a.kind == "load-response" || a.kind == "modal-joints") {
    for (const dynamics::Load& load : s.loads) {
      if (!tones_of(load) && !std::holds_alternative<dynamics::Constant>(load.signal))
        refuse("a " + a.kind +
               " takes loads of kind harmonic, multisine, base and static; sweeps, stepped sines, "
               "impulses, records and formulas belong to kind = \"time\"");
      if (const dynamics::Tones* tones = tones_of(load))
        for (const dynamics::Tone& tone : tones->list)
          if (a.harmonics && tone.harmonic > *a.harmonics)
            refuse("a load has harmonic " + std::to_string(tone.harmonic) +
                   ", but harmonics = " + std::to_string(*a.harmonics));
    }
    if (!shaken)
      refuse(
          "nothing shakes the structure: a steady response needs a [[load]] of kind harmonic, "
          "multisine or base");
  }
  if (a.kind == "time") check_time(file, a);
  if (a.mode && *a.mode > s.size())
    refuse("mode = " + std::to_string(*a.mode) + " must be from 1 to " + std::to_string(s.size()));
  if (a.kind == "quasi-static")
    for (const dynamics::JointElement& joint : s.joints)
      if (joint.model.rate_dependent())
        refuse("a quasi-static analysis has no time, but the law " +
               joint.model.description().name + " depends on the rate");
  if (a.kind == "averaging" || a.kind == "slow-flow") {
    const std::string name = a.kind == "averaging" ? "averaging" : "a slow flow";
    if (s.size() != 1)
      refuse(name + " is for one degree of freedom; this structure has " +
             std::to_string(s.size()));
    if (!(s.K.coeff(0, 0) > 0)) refuse(name + " needs a spring besides the joints");
    if (!a.omega.empty() && !shaken) refuse("averaging over omega needs a harmonic load");
  }
}

/// The highest frequency that an analysis asks about, of those that are known before it.
double highest_frequency(const catalog::StructureFile& file, const catalog::Analysis& a) {
  double highest = 0;
  const bool steady = !a.omega.empty();
  if (steady) highest = *std::max_element(a.omega.begin(), a.omega.end());
  double harmonic = 1;
  for (const dynamics::Load& load : file.structure.loads) {
    if (const auto* tones = std::get_if<dynamics::Tones>(&load.signal))
      for (const dynamics::Tone& tone : tones->list) {
        if (tone.amplitude == 0) continue;
        harmonic = std::max<double>(harmonic, tone.harmonic);
        if (a.kind == "time") highest = std::max(highest, tone.omega);
      }
    if (a.kind != "time") continue;
    if (const auto* sweep = std::get_if<dynamics::Sweep>(&load.signal))
      highest = std::max({highest, sweep->omega_from, sweep->omega_to});
    if (const auto* sines = std::get_if<dynamics::SteppedSine>(&load.signal))
      for (const double omega : sines->omega) highest = std::max(highest, omega);
  }
  return steady ? harmonic * highest : highest;
}

/// A reduction knows nothing of the modes that it left out.
void check_reduction(const catalog::StructureFile& file, const catalog::Analysis& a) {
  const double highest = highest_frequency(file, a);
  if (highest < file.left_out) return;
  throw Error(a.where + fmt::format(": the frequency {:.6g} is asked for, but the [reduction] ends "
                                    "below omega = {:.6g}, the first mode that it leaves out; give "
                                    "it more 'modes', up to one and a half times the frequency",
                                    highest, file.left_out));
}

/// The same of a frequency that is known afterwards, and of one that lies near the end.
void add_end_of_reduction(const catalog::StructureFile& file, const catalog::Analysis& a,
                          Report& report) {
  double highest = highest_frequency(file, a);
  if (a.kind == "nonlinear-mode" || a.kind == "quasi-static")
    if (const auto* omega = report.column("omega"); omega && !omega->empty())
      highest = *std::max_element(omega->begin(), omega->end());
  if (!(1.5 * highest > file.left_out)) return;
  const std::string sentence = fmt::format(
      "the [reduction] ends near here: omega goes up to {:.6g}, and the first mode that "
      "is left out lies at {:.6g}; compare with more 'modes'",
      highest, file.left_out);
  report.summary += sentence + "\n";
  report.notes.emplace_back("reduction", sentence);
  report.json["reduction"] = {{"highest", highest}, {"left_out", file.left_out}};
  if (highest >= file.left_out && report.failure.empty()) report.failure = sentence;
}

int respond(const Settings& settings, const std::string& command_line) {
  ProgressBar::silence(settings.quiet);
  const catalog::StructureFile file = catalog::read_structure(settings.file);
  if (file.analyses.empty())
    throw Error(io::source_name(settings.file) + " asks for nothing: add an [[analysis]]");
  check_files(file, settings);
  if (!settings.quiet)
    for (const std::string& note : file.notes) say("microslip: " + note + "\n");
  for (const catalog::Analysis& analysis : file.analyses) {
    check_analysis(file, analysis);
    check_reduction(file, analysis);
  }
  Json json{{"version", version}, {"command", command_line}, {"analyses", Json::array()}};
  if (const bool asked = std::any_of(file.analyses.begin(), file.analyses.end(),
                                     [](const catalog::Analysis& a) { return a.kind == "modes"; });
      file.has_matrices && !asked && (!settings.quiet || settings.json)) {
    const LinearModes modes = linear_modes_before(file);
    json["modes"] = modes.json;
    if (!settings.quiet) say(modes.text);
  }
  std::string failure;
  std::string talk;
  bool complete = true;
  std::vector<PageEntry> entries;
  for (const catalog::Analysis& analysis : file.analyses) {
    std::string resume;
    std::error_code ignored;
    const bool resumable = settings.resume && !analysis.output.empty() &&
                           std::filesystem::exists(resume_name(analysis), ignored);
    if (resumable) resume = io::read_file(resume_name(analysis));
    Report report;
    {
      const StopOnRequest on_request;
      try {
        report = report_of(file, analysis, resume, settings, command_line);
      } catch (const io::WriteError&) {
        throw;
      } catch (const Error& error) {
        const std::string sentence = error.what();
        throw Error(sentence.starts_with(analysis.where) ? sentence
                                                         : analysis.where + ": " + sentence);
      }
    }
    add_end_of_reduction(file, analysis, report);
    const io::Comments head = head_of(file, analysis, report.notes, command_line);
    if (!analysis.output.empty()) {
      if (!report.streamed) io::write_file(analysis.output, csv_of(report, head));
      if (!report.resume.empty()) {
        io::write_file(resume_name(analysis), report.resume);
        say("microslip: stopped; " + analysis.output +
            " has the branch so far, and --resume goes on "
            "from there\n");
      } else if (resumable) {
        std::filesystem::remove(resume_name(analysis), ignored);
      }
    } else if (!settings.json) {
      print(csv_of(report, head));
    }
    if (!analysis.plot.empty())
      complete = drawn([&] { io::draw(report.figure, analysis.plot); }) && complete;
    if (analysis.output.empty())
      for (std::size_t i = 0; i < report.columns.size(); ++i)
        report.json["columns"][report.headings[i]] = report.columns[i];
    json["analyses"].push_back(report.json);
    talk += analysis.kind + (analysis.output.empty() ? "" : " → " + analysis.output) + "\n" +
            report.summary;
    if (!report.failure.empty()) failure = analysis.where + ": " + report.failure;
    if (!settings.page.empty()) entries.push_back({&analysis, std::move(report)});
    if (interrupted()) break;
  }
  if (!settings.page.empty())
    io::write_file(settings.page, respond_page(settings.file, file, entries, command_line));
  json["interrupted"] = interrupted();
  if (settings.json) print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  const bool all_in_files =
      std::all_of(file.analyses.begin(), file.analyses.end(),
                  [](const catalog::Analysis& a) { return !a.output.empty(); });
  if (!settings.quiet) {
    if (all_in_files && !settings.json)
      print(talk);
    else
      say(talk);
  }
  if (!failure.empty()) throw Failure(failure);
  return interrupted() || !complete ? 1 : 0;
}

Run declare(CLI::App& options, const Context& context) {
  const auto s = std::make_shared<Settings>();
  OptionGroup group(options, "Options");
  group.word("FILE", s->file, "FILE.toml",
             "the structure, its joints and loads, and what is asked for", true);
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
