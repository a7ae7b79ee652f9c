#include "microslip/jobs/identify.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "command.hpp"
#include "identify/page.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/jobs/write_law.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr const char* details = R"(Structure
  A TOML file as for 'microslip respond', whose [[analysis]] is ignored here, with two things more:
  what is unknown, and what was measured.

    M = [2.0]
    [[spring]]
    between = [0, 1]
    k = 4e4
    [[damper]]
    between = [0, 1]
    c = 5
    [[joint]]
    model = "jenkins"
    between = [0, 1]
    [[load]]
    kind = "harmonic"
    dof = 1
    amplitude = 10
    [unknown]
    "spring[1].k" = {}
    "damper[1].c" = {}
    "joint[1].k" = { start = 1e4 }
    "joint[1].phi" = { start = 5, bounds = [0.1, 100] }
    [[data]]
    kind = "frequency-response"
    file = "levels.csv"

Unknown
  "spring[1].k", "damper[1].c", "M[2]" or "M[1,2]" (also K and C), "M", "K", "C" alone (a factor of
  the matrix of the file), "damping[1]", "stuck_damping[1]", "load[1].amplitude", "joint[1].NAME". A
  range, "spring[1..4].k" or "joint[*].phi", stands for several unknowns. Without a start, a number
  begins at the value of the file, or, of a law whose parameter was not set, at a size that the
  structure and the measurement suggest; more starts are tried around it.

Data
  record               t, f (or load1, load2, ...: of each [[load]], whose own signal does not
                       count), x1, v1, a1, ...: force and response in time, from rest.
                       interpolate = "linear" where the force is straight between rows, a spline if
                       left out; initial = "unknown" where the first row is not at rest
  ring-down            t, x1, v1, a1, ...: free motion; its initial state is unknown. start = 0.02
                       leaves out the rows before
  frequency-response   omega or frequency, level (a factor of the harmonic loads), x1 and phase1, or
                       re1 and im1, ...; v1, a1, ...; without phases the sizes are compared
  modal-curve          amplitude, omega or frequency, zeta (and omega_error, zeta_error) of a mode,
                       as 'microslip ringdown' writes them; mode = 1, at, zeta = "decrement" or
                       "energy"
  loop                 u, f of one joint, from rest; joint = 2; initial = "periodic"
  band = [60, 120] of a record or a ring-down compares what moves at these frequencies (periods per
  unit of time) alone; initial = "periodic" of a record says that it is one period of many.
  x1 is the displacement of degree of freedom 1, v velocity, a acceleration, x_tip that of a
  [[sensor]]. Other headings: channels = ["acc1"], quantity = "acceleration", at = { dof = 3 }
  ({ sensor = "tip" }, { mode = 1, shape = 0.8 }; a list for several). holdout = true: is predicted
  instead of fitted. Joints take laws that are not rigid; in responses, rate-independent ones.

Result
  The JSON of 'microslip fit' with parameters by their addresses. A standard error that the data do
  not determine is null. 'microslip respond FILE.toml --params result.json' runs the identified
  structure. Noise is estimated for each column, which is weighted by it; where differences of
  neighbouring rows are alike, errors are widened. --report is a page with what was measured beside
  what the structure answers. --write opensees prints the laws of the joints as that program takes
  them, or says that it has no such law.

Examples
  microslip identify structure.toml -o result.json
  microslip identify structure.toml --model jenkins,iwan4,bouc-wen --report structure.html
)";

struct Settings {
  std::string file, budget, starts, seed, output, report, write;
  std::vector<std::string> models;
  bool json = false, quiet = false;
};

std::string result_text(const jobs::FitResult& result) {
  std::string text;
  for (const jobs::FittedLaw& law : result.fits) {
    text += fmt::format("{}: {}, misses {:.3g} % of the measurement", law.model,
                        fit::text_of(law.status), 100 * law.rms_relative);
    if (law.holdout_rms_relative)
      text += fmt::format(", {:.3g} % of what was held out", 100 * *law.holdout_rms_relative);
    text += "\n";
    if (law.parameters && law.standard_errors)
      for (const auto& [name, error] : *law.standard_errors) {
        const double value = std::get<double>(law.parameters->at(name));
        const double deviation = std::get<double>(error);
        text += fmt::format("  {:<24} {:<14.7g} {}\n", name, value,
                            std::isfinite(deviation) ? fmt::format("± {:.3g}", deviation)
                                                     : std::string("not determined"));
      }
    if (!law.message.empty()) text += "  " + wrapped(law.message, 2) + "\n";
  }
  return text;
}

/// The laws of the joints with the numbers that were found.
std::string laws_for(const std::string& program, catalog::StructureFile file,
                     const jobs::FitResult& result) {
  std::string text;
  if (result.fits.empty() || !result.fits.front().parameters) return text;
  const std::string models = result.fits.front().model;
  if (!file.laws.empty() && models.substr(0, models.find(", ")) != file.laws.front().model)
    throw Error("--write needs the law of the file: write the model '" +
                models.substr(0, models.find(", ")) + "' there");
  jobs::apply(jobs::to_text(result), "", file);
  for (std::size_t i = 0; i < file.laws.size(); ++i)
    text += jobs::written_law(file.laws[i], program, static_cast<int>(i) + 1);
  return text;
}

int run(const Settings& s, const std::string& command_line) {
  ProgressBar::silence(s.quiet);
  jobs::IdentifyRequest request;
  request.name = io::source_name(s.file);
  request.file = catalog::read_identification(s.file);
  io::check_outputs({{s.output}, {s.report}}, request.file.structure.files);
  request.models = cut_lists(s.models);
  if (!s.write.empty())
    static_cast<void>(jobs::written_law({"linear", {{"k", 1.0}}, {}}, s.write, 1));
  if (!s.budget.empty()) {
    request.time_budget = number("--time-budget", s.budget);
    if (!(request.time_budget > 0))
      throw Error("--time-budget = " + s.budget + " must be positive");
  }
  const auto whole = [](const std::string& option, const std::string& text, double least) {
    const double value = number(option, text);
    if (!(value >= least && value <= 1e6) || value != std::floor(value))
      throw Error(
          fmt::format("{} = {} must be a whole number from {} to 1000000", option, text, least));
    return value;
  };
  if (!s.starts.empty()) request.starts = static_cast<std::size_t>(whole("--starts", s.starts, 0));
  if (!s.seed.empty()) request.seed = static_cast<std::uint64_t>(whole("--seed", s.seed, 0));
  jobs::FitResult result;
  std::vector<jobs::ShownChannel> shown;
  {
    const StopOnRequest on_request;
    result = with_progress([&](const jobs::Control& control) {
      return jobs::identify_and_show(request, control, shown);
    });
  }
  ProgressBar::clear();
  result.command = command_line;
  if (!s.output.empty()) io::write_file(s.output, jobs::to_text(result));
  if (!s.report.empty()) io::write_file(s.report, identify_page(request.name, result, shown));
  if (!s.write.empty())
    print(laws_for(s.write, request.file.structure, result));
  else if (s.json)
    print(jobs::to_text(result));
  else if (!s.quiet)
    print(result_text(result));
  if (!s.quiet) say_notes(result.notes);
  if (result.fits.empty() || !result.fits.front().parameters)
    throw Failure(result.fits.empty() ? "interrupted" : result.fits.front().message);
  return result.interrupted ? 1 : 0;
}

Run declare(CLI::App& options, const Context& context) {
  const auto s = std::make_shared<Settings>();
  OptionGroup(options, "Options")
      .word("FILE", s->file, "FILE.toml", "the structure, what is unknown and what was measured",
            true);

  OptionGroup search(options, "Search");
  search.list(
      "--model", s->models, "MODEL,...",
      "laws for the first joint, which are ranked, or all; all their parameters are unknown");
  search.text("--starts", s->starts, "N", "at most, besides the first; 16 if left out");
  search.text("--seed", s->seed, "N", "of the spread of starts; 1 if left out");
  search.text("--time-budget", s->budget, "SECONDS", "for all laws together; 60 if left out");

  OptionGroup result(options, "Result");
  result.text("-o,--output", s->output, "FILE.json", "the result, best law first");
  result.text("--write", s->write, "PROGRAM",
              "print the best laws for mujoco, modelica, opensees or abaqus");
  result.text("--report", s->report, "FILE.html", "a page with pictures and numbers");
  result.flag("--json", s->json, "write JSON to standard output");
  result.flag("-q,--quiet", s->quiet, "no table and no notes");
  const std::string command_line = context.command_line;
  return [s, command_line] { return run_file(s->file, [&] { return run(*s, command_line); }); };
}

}  // namespace

Command identify_command() {
  return {"identify", "Laws of joints and numbers of a structure from measured vibration.", details,
          declare};
}

}  // namespace microslip::app
