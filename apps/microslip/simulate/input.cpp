#include "simulate/input.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/record_file.hpp"
#include "microslip/numerics/signal.hpp"
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

bool is_sliders(const Job& job) { return job.spec.model == "sliders"; }

/// Factors on friction are not negative. They change in time: without a column t rows are counted.
void check_friction_column(Input& input, std::optional<double> resumed) {
  for (std::size_t row = 0; row < input.mu.size(); ++row)
    if (!(input.mu[row] >= 0))
      throw Error(input.source + " line " + std::to_string(input.table.line(row)) +
                  ": mu = " + number_text(input.mu[row]) +
                  " must not be negative: it is a factor on all friction limits");
  if (!input.path.t.empty()) return;
  for (std::size_t row = 0; row < input.mu.size(); ++row)
    input.path.t.push_back(static_cast<double>(row) + (resumed ? *resumed + 1 : 0));
}

Input from_file(const SimulateSettings& settings, const std::vector<Job>& jobs, Drive drive) {
  io::Wanted wanted;
  if (is_planar(jobs))
    wanted = {.required = {"ux", "uy"}, .optional = {"t"}};
  else if (drive == Drive::force)
    wanted = {.required = {"f"}, .optional = {"t", "u"}};
  if (std::any_of(jobs.begin(), jobs.end(), is_sliders)) wanted.optional.emplace_back("mu");
  if (is_planar(jobs) && !(settings.record.u.empty() && settings.record.f.empty()))
    throw Error(jobs.front().label +
                " is a planar law, which follows the columns ux and uy; --u and --f name columns "
                "of scalar laws");
  settings.record.name_columns(wanted);
  Input input;
  input.drive = drive;
  input.table = io::read_record(settings.input, wanted);
  input.source = input.table.source;
  io::Table& table = input.table;
  input.path.t = take(table, "t", &input.t_unit);
  input.mu = take(table, "mu");
  check_friction_column(input, resumed_time(jobs));
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

/// Rows of both components: at the multiples of the step and at the turning points of each.
Path sample_plane(const Expression& x, const Expression& y, double until, double step) {
  const SampledSignal of_x = sample_signal(x, until, step), of_y = sample_signal(y, until, step);
  Path path;
  std::set_union(of_x.t.begin(), of_x.t.end(), of_y.t.begin(), of_y.t.end(),
                 std::back_inserter(path.t));
  const auto evaluate = [&](const Expression& expression, const SampledSignal& known) {
    std::vector<double> values;
    std::size_t i = 0;
    for (const double t : path.t) {
      const bool is_row = i < known.size() && known.t[i] == t;
      values.push_back(is_row ? known.u[i++] : expression(t));
    }
    return values;
  };
  path.u = evaluate(x, of_x);
  path.uy = evaluate(y, of_y);
  return path;
}

Path sample(const SimulateSettings& settings, const std::vector<Job>& jobs) {
  const double until = number("--until", settings.until), step = number("--step", settings.step);
  // The components of a motion in the plane are separated by a semicolon.
  const std::vector<std::string> parts = cut_at(';', settings.signal);
  const std::string& law = jobs.front().label;
  if (is_planar(jobs)) {
    if (parts.size() != 2)
      throw Error(law + " is a planar law: give --signal as 'EXPR;EXPR' for ux and uy, or " +
                  "--input with the columns ux and uy");
    return sample_plane(Expression::parse(parts[0], {"t"}), Expression::parse(parts[1], {"t"}),
                        until, step);
  }
  if (parts.size() != 1)
    throw Error("--signal '" + settings.signal + "' has " + std::to_string(parts.size()) +
                " components, but " + law + " is a scalar law: it needs one");
  SampledSignal samples = sample_signal(Expression::parse(settings.signal, {"t"}), until, step);
  return {std::move(samples.t), std::move(samples.u), {}};
}

/// A signal that is continued begins after the rows that are done.
Input from_signal(const SimulateSettings& settings, const std::vector<Job>& jobs, Drive drive) {
  if (settings.until.empty() || settings.step.empty())
    throw Error("--signal needs --until and --step");
  Input input;
  input.drive = drive;
  input.path = sample(settings, jobs);
  if (const auto t = resumed_time(jobs)) {
    Path& path = input.path;
    const auto done = std::upper_bound(path.t.begin(), path.t.end(), *t) - path.t.begin();
    for (auto* column : {&path.t, &path.u, &path.uy})
      if (!column->empty()) column->erase(column->begin(), column->begin() + done);
  }
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

std::string Input::place(std::size_t row, const std::vector<double>& t) const {
  std::string text = "row " + std::to_string(row + 1);
  if (!t.empty()) text += ", t = " + number_text(t[row]);
  if (!source.empty()) text += ", " + source + " line " + std::to_string(table.line(row));
  return text;
}

Input make_input(const SimulateSettings& settings, const std::vector<Job>& jobs) {
  const bool file = !settings.input.empty();
  if (file == !settings.signal.empty())
    throw Error(file ? "give either --input or --signal, not both"
                     : "no history is given; use --input FILE.csv, or --signal with --until and "
                       "--step");
  if (!file && settings.record.given())
    throw Error(
        "--u, --t, --f, --rows, --from and --to belong to --input; a signal has its own rows");
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
