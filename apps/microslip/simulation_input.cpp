#include <algorithm>

#include "microslip/core/error.hpp"
#include "microslip/core/signal.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"
#include "simulation.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

bool is_planar(const std::vector<Job>& jobs) {
  return jobs.front().model.description().family == Family::planar;
}

/// When the histories that are continued have ended; they all ended together.
std::optional<double> resumed_time(const std::vector<Job>& jobs) {
  return jobs.front().resumed ? jobs.front().resumed->t : std::nullopt;
}

std::vector<double> take(io::Table& table, const char* name, std::string* unit = nullptr) {
  for (io::Column& column : table.columns) {
    if (column.name != name) continue;
    if (unit) *unit = column.unit;
    return std::move(column.values);
  }
  return {};
}

Input from_file(const SimulateSettings& settings, const std::vector<Job>& jobs, Drive drive) {
  io::Wanted wanted;
  if (is_planar(jobs))
    wanted = {.required = {"ux", "uy"}, .optional = {"t"}};
  else if (drive == Drive::force)
    wanted = {.required = {"f"}, .optional = {"t", "u"}};
  Input input;
  input.drive = drive;
  input.source = settings.input;
  if (settings.input == "-") {
    input.source = "standard input";
    input.table = io::read_table(io::read_file("/dev/stdin"), input.source, wanted);
  } else {
    input.table = io::read_csv(settings.input, wanted);
  }
  io::Table& table = input.table;
  input.path.t = take(table, "t", &input.t_unit);
  if (is_planar(jobs)) {
    input.path.u = take(table, "ux", &input.u_unit);
    input.path.uy = take(table, "uy");
  } else if (drive == Drive::force) {
    input.path.u = take(table, "f", &input.f_unit);
    take(table, "u", &input.u_unit);
  } else {
    input.path.u = take(table, "u", &input.u_unit);
    input.measured_force = take(table, "f", &input.f_unit);
  }
  return input;
}

/// A signal that is continued begins after the rows that are done.
Input from_signal(const SimulateSettings& settings, const std::vector<Job>& jobs, Drive drive) {
  if (is_planar(jobs))
    throw Error(jobs.front().label + " is a law in the plane: give ux and uy with --input");
  if (settings.until.empty() || settings.step.empty())
    throw Error("--signal needs --until and --step");
  const Samples samples =
      sample_signal(Expression::parse(settings.signal, {"t"}), number("--until", settings.until),
                    number("--step", settings.step));
  std::ptrdiff_t first = 0;
  if (const auto t = resumed_time(jobs))
    first = std::upper_bound(samples.t.begin(), samples.t.end(), *t) - samples.t.begin();
  Input input;
  input.drive = drive;
  input.path.t.assign(samples.t.begin() + first, samples.t.end());
  input.path.u.assign(samples.u.begin() + first, samples.u.end());
  return input;
}

void check_continues(const Input& input, const std::vector<Job>& jobs, const std::string& file) {
  const auto t = resumed_time(jobs);
  if (!t) return;
  if (input.path.u.empty())
    throw Error("the history in " + file + " has already reached t = " + number_text(*t) +
                "; give a later --until");
  if (!input.path.t.empty() && input.path.t.front() <= *t)
    throw Error(input.source + " starts at t = " + number_text(input.path.t.front()) +
                ", but the history in " + file + " has already reached t = " + number_text(*t));
}

}  // namespace

std::string Input::place(std::size_t row) const {
  std::string text = "row " + std::to_string(row + 1);
  if (!path.t.empty()) text += ", t = " + number_text(path.t[row]);
  if (!source.empty()) text += ", " + source + " line " + std::to_string(table.line(row));
  return text;
}

Input make_input(const SimulateSettings& settings, const std::vector<Job>& jobs) {
  const bool file = !settings.input.empty();
  if (file == !settings.signal.empty())
    throw Error(file ? "give either --input or --signal, not both"
                     : "no history is given; use --input FILE.csv, or --signal with --until and "
                       "--step");
  if (file && !(settings.until.empty() && settings.step.empty()))
    throw Error("--until and --step belong to --signal; a file has its own rows");
  const Drive drive = choice("--drive", settings.drive, {"displacement", "force"}) == 1
                          ? Drive::force
                          : Drive::displacement;
  Input input = file ? from_file(settings, jobs, drive) : from_signal(settings, jobs, drive);
  if (!settings.resume.empty()) check_continues(input, jobs, settings.resume);
  return input;
}

}  // namespace microslip::app
