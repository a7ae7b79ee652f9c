#include "simulate/input.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/signal.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/record_file.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

/// Of the laws with several directions; empty for scalar laws.
const std::vector<std::string>& directions_of(const std::vector<Job>& jobs) {
  return jobs.front().model.directions();
}

/// "ux, uy and un"
std::string names_of(const std::vector<std::string>& directions) {
  std::string text;
  for (std::size_t i = 0; i < directions.size(); ++i)
    text += (i == 0 ? "u" : i + 1 == directions.size() ? " and u" : ", u") + directions[i];
  return text;
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
  const std::vector<std::string>& directions = directions_of(jobs);
  if (!directions.empty()) {
    wanted = {.required = {}, .optional = {"t"}};
    for (const std::string& direction : directions) wanted.required.push_back("u" + direction);
  } else if (drive == Drive::force) {
    wanted = {.required = {"f"}, .optional = {"t", "u"}};
  }
  if (std::any_of(jobs.begin(), jobs.end(), is_sliders)) wanted.optional.emplace_back("mu");
  if (!directions.empty() && !(settings.record.u.empty() && settings.record.f.empty()))
    throw Error(jobs.front().label + " has several directions and follows the columns " +
                names_of(directions) + "; --u and --f name columns of scalar laws");
  settings.record.name_columns(wanted);
  Input input;
  input.drive = drive;
  input.table = io::read_record(settings.input, wanted);
  input.source = input.table.source;
  io::Table& table = input.table;
  input.path.t = take(table, "t", &input.t_unit);
  input.mu = take(table, "mu");
  check_friction_column(input, resumed_time(jobs));
  if (!directions.empty()) {
    for (const std::string& direction : directions)
      input.path.along(direction) = take(table, ("u" + direction).c_str(),
                                         direction == directions[0] ? &input.u_unit : nullptr);
  } else if (drive == Drive::force) {
    input.path.u = take(table, "f", &input.f_unit);
    take(table, "u", &input.u_unit);
  } else {
    input.path.u = take(table, "u", &input.u_unit);
    input.measured_force = take(table, "f", &input.f_unit);
  }
  return input;
}

/// Rows of all components: at the multiples of the step and at the turning points of each.
Path sample_together(const std::vector<std::string>& formulas,
                     const std::vector<std::string>& directions, double until, double step) {
  std::vector<Expression> all;
  std::vector<SampledSignal> samples;
  Path path;
  for (const std::string& formula : formulas) {
    all.push_back(Expression::parse(formula, {"t"}));
    samples.push_back(sample_signal(all.back(), until, step));
    std::vector<double> both;
    std::set_union(path.t.begin(), path.t.end(), samples.back().t.begin(), samples.back().t.end(),
                   std::back_inserter(both));
    path.t = std::move(both);
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    const SampledSignal& known = samples[k];
    std::vector<double>& values = path.along(directions[k]);
    std::size_t i = 0;
    for (const double t : path.t) {
      const bool is_row = i < known.size() && known.t[i] == t;
      values.push_back(is_row ? known.u[i++] : all[k](t));
    }
  }
  return path;
}

Path sample(const SimulateSettings& settings, const std::vector<Job>& jobs) {
  const double until = number("--until", settings.until), step = number("--step", settings.step);
  // The components of a motion in several directions are separated by semicolons.
  const std::vector<std::string> parts = cut_at(';', settings.signal);
  const std::string& law = jobs.front().label;
  if (const auto& directions = directions_of(jobs); !directions.empty()) {
    if (parts.size() != directions.size()) {
      std::string form = "EXPR";
      for (std::size_t i = 1; i < directions.size(); ++i) form += ";EXPR";
      throw Error(law + " has several directions: give --signal as '" + form + "' for " +
                  names_of(directions) + ", or --input with these columns");
    }
    return sample_together(parts, directions, until, step);
  }
  if (parts.size() != 1)
    throw Error("--signal '" + settings.signal + "' has " + std::to_string(parts.size()) +
                " components, but " + law + " is a scalar law: it needs one");
  SampledSignal samples = sample_signal(Expression::parse(settings.signal, {"t"}), until, step);
  return {std::move(samples.t), std::move(samples.u)};
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
    for (auto* column : {&path.t, &path.u, &path.uy, &path.un})
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
