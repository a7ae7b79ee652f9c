#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>

#include "command.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/figure.hpp"
#include "microslip/io/file.hpp"
#include "simulate/fitted.hpp"
#include "simulate/input.hpp"
#include "simulate/jobs.hpp"
#include "simulate/output.hpp"
#include "simulate/slip_map.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* details = R"(Laws
  MODEL is a law (see 'microslip models') or a sum of laws, jenkins(k=1,phi=0.5)+iwan4(KT=2).
  Several MODELs follow the same history and are compared in one picture and one table.
  --set KT=2 goes to every law that has KT; --set iwan4.KT=2 to one of them. Lists are written
  k=1,2,3. What --set says goes before what a file says.
  A parameter file is {"model": ..., "parameters": {...}, "options": {...}} in JSON or TOML.
  A fit result works too: its best fit is taken, or those of the laws named here or by --fit. The
  fitted offset and gain belong to it, and the record that was fitted starts as the fit found it.
  If the fit had covariates, --covariate preload=40 gives the law at another preload: displacement
  and force scale together. Covariates that are left out stay as in the fit.

History
  A CSV file with columns u, or t,u (t,u,f is fine: f is drawn as measured), or f with
  --drive force; ux,uy for planar laws, ut,un or ux,uy,un for contact (un > 0 presses). Units in
  the heading, u [mm], label the picture.
  A column mu is a factor on all friction limits of sliders, linear between rows; their parameter
  mu_factor is the same as a formula of t.
  --input - reads standard input; compressed files and MAT files are read as by 'microslip loops'.
  --signal is a formula in t. Its turning points become rows of their own, so that no peak is
  cut off whatever the step. Laws with several directions take one for each, 'cos(t);sin(t)'.
  It starts from rest at u = 0 and is driven to the first row; --start first-row takes the first
  row as the place of rest.

Simulated
  t,u,f,energy, where energy is what was dissipated so far, to standard output or to -o FILE.
  Several laws stand side by side: t,u,f_jenkins,energy_jenkins,f_iwan4,... Where {model} stands
  in the name of FILE, each law gets a file of its own with the columns t,u,f,energy.
  --period T also prints the energy of each period.
  --uncertainty adds the columns f_sd and energy_sd to the law of a fit result: standard deviations
  that follow from those of its parameters and their correlations, to first order. That the law
  itself may be wrong is not in them.
  Planar laws answer t,ux,uy,fx,fy,energy.
  --columns x adds the state x, or x1, x2, ... if it is a list. With -o such columns are written
  as they are computed and never held in memory.
  --json writes one document to standard output instead; its columns are left out when -o has
  written them.
  --save-state keeps where the history stopped, and --resume goes on from there as if it had
  never stopped. The state file knows law and parameters.
  Files appear whole or not at all. Exit code: 0 fine, 1 the computation failed, 2 bad input.

Examples
  microslip simulate jenkins --set k=2 --set phi=0.5 --signal 'sin(t)' --until 10 --step 0.01
  microslip simulate iwan4 --params joint.json --input load.csv -o answer.csv --plot answer.png
  microslip simulate jenkins iwan4 --signal '2*sin(2*pi*t)+sin(8*pi*t)' --until 3 --step 0.001 \
    --period 1 -o '{model}.csv' --plot compare.svg
  microslip simulate sliders --params joint.toml --input load.csv -o answer.csv --columns x \
    --slip-map slips.png
  microslip simulate iwan4 --drive force --signal '0.9*sin(t)' --until 20 --step 0.1 -o creep.csv
  microslip simulate bouc-wen-planar --signal 'cos(t);sin(t)' --until 10 --step 0.1 -o orbit.csv
  microslip simulate iwan4 --input monday.csv -o a.csv --save-state joint.state
  microslip simulate --resume joint.state --input tuesday.csv -o b.csv
  microslip simulate --params bolt.json --covariate preload=40 --uncertainty --input load.csv
)";

/// Each step cut into equal parts; between rows u is linear in t.
std::vector<double> cut(const std::vector<double>& column, std::size_t parts) {
  std::vector<double> fine;
  for (std::size_t i = 0; i + 1 < column.size(); ++i)
    for (std::size_t k = 0; k < parts; ++k)
      fine.push_back(column[i] + (column[i + 1] - column[i]) * static_cast<double>(k) /
                                     static_cast<double>(parts));
  if (!column.empty()) fine.push_back(column.back());
  return fine;
}

/// A law bends between rows, and a line from row to row would cut its corners. Short histories are
/// computed again with more rows for the picture: laws are exact for any step.
void draw_finely(const std::string& plot, const std::vector<Job>& jobs,
                 const std::vector<Simulated>& results, const Input& input,
                 jobs::SimulateRequest request) {
  constexpr std::size_t enough = 20000;
  const Path& rows = input.path;
  const std::size_t parts = std::min<std::size_t>(enough / rows.u.size(), 32);
  const bool exact = std::all_of(jobs.begin(), jobs.end(), [](const Job& job) {
    const auto method = job.model.options().find("method");
    const auto* name =
        method == job.model.options().end() ? nullptr : std::get_if<std::string>(&method->second);
    return !name || *name == "exact" || *name == "event";
  });
  const bool band = std::any_of(results.begin(), results.end(),
                                [](const Simulated& result) { return !result.answer_sd.empty(); });
  if (parts < 2 || !exact || band) return draw(plot, jobs, results, rows, input);
  // The column mu keeps its own rows.
  if (!request.mu.empty())
    for (jobs::SimulatedLaw& law : request.laws)
      if (law.model == "sliders")
        law.parameters["mu_factor"] = jobs::friction_factor(rows.t, request.mu);
  request.mu.clear();
  request.t = cut(rows.t, parts);
  request.u = cut(rows.u, parts);
  request.uy = cut(rows.uy, parts);
  request.un = cut(rows.un, parts);
  request.columns.clear();
  request.period.reset();
  std::vector<Simulated> again;
  try {
    again = jobs::simulate(request).results;
  } catch (const Failure&) {
    return draw(plot, jobs, results, rows, input);
  }
  draw(plot, jobs, again, {request.t, request.u, request.uy, request.un}, input);
}

std::string state_text(const std::vector<Job>& jobs, const std::vector<Simulated>& results,
                       const Input& input, const std::string& command_line) {
  std::vector<io::SavedHistory> histories;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Checkpoint& end = *results[i].end;
    histories.push_back(
        {jobs[i].spec, results[i].state, end.energy, end.origin, end.origin_y, {}, end.origin_n});
    if (!input.path.t.empty()) histories.back().t = end.t;
  }
  return io::saved_histories_text(histories, command_line);
}

// ---------------------------------------------------------------------------------- files

/// Where each law goes: one file for all, or one each if the name has a place for the law's name.
std::vector<std::string> output_names(const std::string& output, const std::vector<Job>& jobs) {
  if (output.empty() || output == "-") return {};
  const std::string mark = "{model}";
  const auto at = output.find(mark);
  if (at == std::string::npos) {
    if (const auto open = output.find('{'); open != std::string::npos)
      if (const auto close = output.find('}', open); close != std::string::npos)
        throw Error("-o " + output + ": '" + output.substr(open, close - open + 1) +
                    "' has no meaning; {model} stands for the name of a law");
    return {output};
  }
  std::vector<std::string> names;
  for (const Job& job : jobs)
    names.push_back(output.substr(0, at) + job.label + output.substr(at + mark.size()));
  return names;
}

void check_files(const SimulateSettings& settings, const std::vector<std::string>& outputs,
                 const std::vector<Job>& jobs) {
  std::vector<io::Output> written{{settings.plot, true}, {settings.slip_map, true}};
  for (const std::string& name : outputs) written.push_back({name});
  std::vector<fs::path> read(settings.parameter_files.begin(), settings.parameter_files.end());
  read.emplace_back(settings.input);
  for (const Job& job : jobs)
    for (const fs::path& file : files_of(job.spec)) read.push_back(file);
  // Without -o the table goes to standard output.
  const bool to_standard_output = settings.json || outputs.empty();
  written.push_back({settings.save_state});
  check_outputs(written, read, to_standard_output);
  // A state may be replaced by the state that follows it.
  written.pop_back();
  read.emplace_back(settings.resume);
  io::check_outputs(written, read);
}

/// Opened before the work, so that a folder that cannot be written to is known at once, and named
/// after it, so that all files appear or none.
class Files {
 public:
  void open(const std::string& name) { files_.push_back(std::make_unique<io::AtomicFile>(name)); }
  io::AtomicFile& operator[](std::size_t i) { return *files_[i]; }
  void commit() {
    for (auto& file : files_) file->commit();
  }

 private:
  std::vector<std::unique_ptr<io::AtomicFile>> files_;
};

std::vector<std::string> headings_of(const Sheet& sheet) {
  std::vector<std::string> headings;
  for (const auto& column : sheet.columns)
    headings.push_back(io::axis_label(column.name, column.unit));
  return headings;
}

void write_rows(const Sheet& sheet, std::size_t rows, io::CsvWriter& writer) {
  std::vector<double> cells(sheet.columns.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = sheet.columns[i].values[row];
    writer.row(cells);
  }
}

/// A whole table, piece by piece: its text would take more memory than its numbers.
void write_sheet(const Sheet& sheet, const io::CsvWriter::Sink& to) {
  io::CsvWriter writer(to, sheet.comments, headings_of(sheet));
  write_rows(sheet, sheet.columns.empty() ? 0 : sheet.columns.front().values.size(), writer);
  writer.finish();
}

/// Writes a piece of a history; the first one brings the heading.
void write_rows(const Job& job, const Simulated& part, const Input& input, const Path& rows,
                const std::string& command_line, io::AtomicFile& file,
                std::optional<io::CsvWriter>& writer) {
  Input piece;
  piece.path = rows;
  piece.drive = input.drive;
  piece.t_unit = input.t_unit;
  piece.u_unit = input.u_unit;
  piece.f_unit = input.f_unit;
  const Sheet sheet = sheet_of(job, part, piece, command_line);
  if (!writer)
    writer.emplace([&file](std::string_view text) { file.write(text); }, sheet.comments,
                   headings_of(sheet));
  write_rows(sheet, part.history.f.size(), *writer);
}

jobs::SimulatedLaw law_of(const Job& job) {
  jobs::SimulatedLaw law{job.label, job.spec.model, job.spec.parameters, job.spec.options,
                         uncertainty_of(job)};
  law.origin = job.origin;
  law.lead = job.lead;
  if (job.resumed)
    law.resumed = {job.resumed->state,    job.resumed->energy, job.resumed->origin,
                   job.resumed->origin_y, job.resumed->t,      job.resumed->origin_n};
  return law;
}

/// Takes the columns of the input along.
jobs::SimulateRequest request_of(const SimulateSettings& settings, const std::vector<Job>& jobs,
                                 Input& input, Start start) {
  jobs::SimulateRequest request;
  for (const Job& job : jobs) request.laws.push_back(law_of(job));
  request.name = input.source;
  request.t = std::move(input.path.t);
  request.u = std::move(input.path.u);
  request.uy = std::move(input.path.uy);
  request.un = std::move(input.path.un);
  request.mu = input.mu;
  request.units = {input.t_unit, input.u_unit, input.f_unit};
  request.drive = input.drive;
  request.start = start;
  for (const std::string& list : settings.columns)
    for (const std::string& name : cut_at(',', list)) request.columns.push_back(name);
  if (!settings.period.empty()) request.period = number("--period", settings.period);
  return request;
}

std::vector<std::string> notes_on(const std::vector<Job>& jobs, const Input& input) {
  std::vector<std::string> notes;
  for (const std::string& note : input.table.notes) notes.push_back(input.source + ": " + note);
  for (const Job& job : jobs) {
    notes.insert(notes.end(), job.notes.begin(), job.notes.end());
    double amplitude = 0;
    for (const double u : input.path.u) amplitude = std::max(amplitude, std::abs(u));
    if (input.drive == Drive::force) continue;
    if (std::string note = beyond_the_records(job, amplitude); !note.empty())
      notes.push_back(std::move(note));
  }
  return notes;
}

int simulate(const SimulateSettings& settings, const std::string& command_line) {
  std::vector<Job> jobs = make_jobs(settings);
  const auto start = static_cast<Start>(choice(
      "--start", settings.start.empty() ? "virgin" : settings.start, {"virgin", "first-row"}));
  if (!settings.resume.empty() && !settings.start.empty())
    throw Error("--start has no meaning with --resume: that history has started already");
  if (!settings.slip_map.empty()) refuse_slip_map(jobs);
  const std::vector<std::string> outputs = output_names(settings.output, jobs);
  check_files(settings, outputs, jobs);
  Files files;
  for (const std::string& name : outputs) files.open(name);
  if (!settings.save_state.empty()) files.open(settings.save_state);
  Input input = make_input(settings, jobs);
  std::vector<std::string> notes = complete_fits(jobs, input, settings);
  for (std::string& note : notes_on(jobs, input)) notes.push_back(std::move(note));
  jobs::SimulateRequest request = request_of(settings, jobs, input, start);
  request.place = [&](std::size_t row) { return input.place(row, request.t); };
  const bool with_columns = settings.json && outputs.empty();
  request.with_columns = with_columns;

  // Rows go to the file as they come; only a picture needs them again.
  std::optional<io::CsvWriter> writer;
  jobs::RowSink sink;
  const bool streamed =
      jobs.size() == 1 && outputs.size() == 1 && !settings.json && !settings.uncertainty;
  if (streamed)
    sink = [&](const Path& rows, const Simulated& part) {
      write_rows(jobs.front(), part, input, rows, command_line, files[0], writer);
      return !settings.plot.empty();
    };
  ProgressBar::silence(settings.quiet);
  jobs::SimulateResult result = with_progress(
      [&](const jobs::Control& control) { return jobs::simulate(request, control, sink); });
  result.command = command_line;
  const std::vector<Simulated>& results = result.results;
  input.path = {std::move(request.t), std::move(request.u), std::move(request.uy),
                std::move(request.un)};

  const bool each = outputs.size() > 1;
  if (writer) writer->finish();
  for (std::size_t i = 0; !streamed && i < outputs.size(); ++i)
    write_sheet(each ? sheet_of(jobs[i], results[i], input, command_line)
                     : sheet_of(jobs, results, input, command_line),
                [&](std::string_view text) { files[i].write(text); });
  if (!settings.save_state.empty())
    files[outputs.size()].write(state_text(jobs, results, input, command_line));
  bool complete = true;
  if (!settings.plot.empty())
    complete = drawn([&] { draw_finely(settings.plot, jobs, results, input, request); });
  if (!settings.slip_map.empty())
    complete = drawn([&] {
                 draw_slip_map(settings.slip_map, jobs.front(), input, start == Start::first_row);
               }) &&
               complete;
  files.commit();

  const bool to_file = !outputs.empty();
  // Columns are long: one number a line would be no easier to read.
  if (settings.json)
    print(jobs::to_text(result, with_columns ? -1 : 2));
  else if (!to_file)
    write_sheet(sheet_of(jobs, results, input, command_line),
                [](std::string_view text) { print(std::string(text)); });
  if (settings.quiet) return complete ? 0 : 1;
  for (const std::string& note : notes) say("note: " + wrapped(note, 6) + "\n");
  const std::string text = summary_text(results);
  const bool standard_output_is_free =
      to_file && !settings.json && !io::is_standard_stream(settings.save_state) &&
      std::none_of(outputs.begin(), outputs.end(), io::is_standard_stream);
  if (standard_output_is_free)
    print(text);
  else
    say(text);
  return complete ? 0 : 1;
}

Run declare(CLI::App& options, const Context& context) {
  const auto s = std::make_shared<SimulateSettings>();
  s->drive = "displacement";
  OptionGroup(options, "Options")
      .words("MODEL", s->models, "[MODEL...]", "a law or a sum of laws; several are compared",
             false);

  OptionGroup laws(options, "Laws");
  const auto named = std::make_shared<std::vector<std::string>>();
  laws.list("--model", *named, "MODEL,...", "another way to write MODEL, as in 'microslip fit'");
  laws.list("--set", s->sets, "NAME=VALUE", "a parameter or option of the law; repeat it");
  laws.list("--params", s->parameter_files, "FILE", "values from JSON, TOML or a fit result");
  laws.list("--fit", s->fits, "MODEL", "which fit of a fit result; the best if left out");
  laws.list("--covariate", s->covariates, "NAME=VALUE",
            "preload, friction or the like at which the law of a fit is wanted");
  laws.text("--method", s->method, "NAME", "how the law is integrated; exact if left out");

  OptionGroup history(options, "History");
  history.text("--input", s->input, "FILE.csv", "rows of t, u or f; - for standard input");
  s->record.declare(history);
  history.text("--signal", s->signal, "EXPR",
               "a formula in t instead of a file; in the plane two, 'cos(t);sin(t)'");
  history.text("--until", s->until, "T", "end of the signal");
  history.text("--step", s->step, "DT", "time between rows of the signal");
  history.text("--drive", s->drive, "displacement|force",
               "which quantity the history gives; displacement if left out");
  history.text("--start", s->start, "virgin|first-row",
               "at rest at u = 0 and driven to the first row (virgin), or at rest there");
  history.text("--resume", s->resume, "FILE", "go on from a saved state");

  OptionGroup result(options, "Simulated");
  result.text("-o,--output", s->output, "FILE.csv",
              "write here, not to standard output; {model} in it gives one file per law");
  result.list("--columns", s->columns, "NAME,...",
              "further columns: tangent, stored, states, or single states such as x or x7");
  result.flag("--uncertainty", s->uncertainty,
              "columns f_sd, energy_sd: what the fit leaves uncertain");
  result.text("--period", s->period, "T", "print the energy of each period of this length");
  result.text("--plot", s->plot, "FILE.svg|png|pdf", "draw loop and time histories");
  result.text("--slip-map", s->slip_map, "FILE.svg|png|pdf",
              "draw which slider slips when (sliders only)");
  result.text("--save-state", s->save_state, "FILE", "keep the state of the last row");
  result.flag("--json", s->json, "write JSON to standard output");
  result.flag("-q,--quiet", s->quiet, "no summary");
  const std::string command_line = context.command_line;
  return [s, named, command_line] {
    for (const std::string& model : cut_lists(*named)) s->models.push_back(model);
    return simulate(*s, command_line);
  };
}

}  // namespace

Command simulate_command() {
  return {"simulate", "Compute what laws do under a load history.", details, declare};
}

}  // namespace microslip::app
