#include "microslip/jobs/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "jobs/progress.hpp"
#include "jobs/summing.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/version.hpp"

namespace microslip::jobs {
namespace {

/// Short enough for a bar that moves, long enough to cost nothing.
constexpr std::size_t rows_at_once = 1 << 16;

/// States make wide tables: pieces short enough to hold a thousand columns.
constexpr std::size_t wide_rows_at_once = 1 << 10;

/// What --columns asks for; single states by their names.
struct WantedColumns {
  microslip::Record record;
  std::vector<std::string> states;  ///< empty: all of them
};

WantedColumns wanted_columns(const std::vector<std::string>& lists) {
  WantedColumns columns;
  bool all = false;
  for (const std::string& list : lists) {
    for (const std::string& name : cut_at(',', list)) {
      if (name == "tangent")
        columns.record.tangent = true;
      else if (name == "stored")
        columns.record.stored = true;
      else if (name == "states")
        columns.record.states = all = true;
      else
        columns.states.push_back(name);
    }
  }
  if (all) columns.states.clear();
  if (!columns.states.empty()) columns.record.states = true;
  return columns;
}

/// A law of the request, built.
struct BuiltLaw {
  std::string label;
  ModelSpec spec;  ///< with all values
  AnyModel model;
  const SimulatedLaw* asked;
};

/// `x` means x itself or all of x1, x2, …; `x1` means that one.
bool is_asked_for(const std::string& column, const std::vector<std::string>& names) {
  constexpr std::string_view digits = "0123456789";
  if (names.empty()) return true;
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    if (column == name) return true;
    return column.starts_with(name) && digits.find(name.back()) == std::string_view::npos &&
           column.find_first_not_of(digits, name.size()) == std::string::npos;
  });
}

void refuse_unknown_columns(const std::vector<BuiltLaw>& jobs, const WantedColumns& columns) {
  std::vector<std::string> known{"tangent", "stored", "states"};
  for (const BuiltLaw& job : jobs)
    for (const StateInfo& state : job.model.description().states)
      if (state.name != "u" && state.name != "f") known.push_back(state.name);
  for (const std::string& name : columns.states)
    if (std::none_of(known.begin(), known.end(),
                     [&](const std::string& state) { return is_asked_for(name, {state}); }))
      throw Error("unknown choice '" + name + "' for --columns" + suggestion(name, known));
  for (const BuiltLaw& job : jobs)
    if (columns.record.tangent && !job.model.directions().empty())
      throw Error("--columns tangent: " + job.spec.model +
                  " has several directions, and its tangent is a matrix; only laws with one " +
                  "displacement have that column");
}

Path rows_of(const SimulateRequest& request, std::size_t begin, std::size_t end) {
  const auto part = [&](const std::vector<double>& all) {
    if (all.empty()) return all;
    return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(begin),
                               all.begin() + static_cast<std::ptrdiff_t>(end));
  };
  return {part(request.t), part(request.u), part(request.uy), part(request.un)};
}

template <class T>
void append(const std::vector<T>& part, std::vector<T>& whole) {
  whole.insert(whole.end(), part.begin(), part.end());
}

void append(const History& part, History& whole) {
  append(part.u, whole.u);
  append(part.uy, whole.uy);
  append(part.un, whole.un);
  append(part.f, whole.f);
  append(part.fy, whole.fy);
  append(part.fn, whole.fn);
  append(part.energy, whole.energy);
  append(part.tangent, whole.tangent);
  append(part.stored, whole.stored);
  whole.states.resize(part.states.size());
  for (std::size_t i = 0; i < part.states.size(); ++i) {
    whole.states[i].name = part.states[i].name;
    append(part.states[i].values, whole.states[i].values);
  }
  whole.status = part.status;
  whole.reason = part.reason;
}

std::string place_of(const SimulateRequest& request, std::size_t row) {
  if (request.place) return request.place(row);
  std::string text = "row " + std::to_string(row + 1);
  if (!request.t.empty()) text += ", t = " + number_text(request.t[row]);
  return text;
}

Checkpoint begin(const BuiltLaw& law, const SimulateRequest& request) {
  Checkpoint at = law.model.begin(rows_of(request, 0, std::min<std::size_t>(request.u.size(), 1)),
                                  request.start);
  if (!law.asked->resumed) {
    at.origin += law.asked->origin;
    const std::vector<double>& lead = law.asked->lead;
    if (!lead.empty()) {
      // No time passes: reached infinitely slowly, as in the fit.
      Path path{{}, lead};
      if (!request.t.empty()) path.t.assign(lead.size(), request.t.front());
      law.model.run(path, Drive::displacement, {}, at);
    }
    return at;
  }
  const SavedPoint& saved = *law.asked->resumed;
  return {law.model.load(saved.state), saved.energy,  saved.origin, saved.origin_y,
          saved.t.value_or(at.t),      saved.origin_n};
}

/// x9 of 8 sliders: only a state tells how long its lists are.
void refuse_missing_states(const std::vector<BuiltLaw>& jobs, const SimulateRequest& request,
                           const WantedColumns& columns) {
  if (columns.states.empty()) return;
  std::vector<std::string> known;
  for (const BuiltLaw& job : jobs) {
    Checkpoint at = begin(job, request);
    const History row = job.model.run(rows_of(request, 0, 1), request.drive, columns.record, at);
    if (row.status != Status::ok) return;  // the run will say so
    for (const StateColumn& state : row.states) known.push_back(state.name);
  }
  for (const std::string& name : columns.states)
    if (!known.empty() && std::none_of(known.begin(), known.end(), [&](const std::string& state) {
          return is_asked_for(state, {name});
        }))
      throw Error("--columns " + name + ": there is no such state; there are " + known.front() +
                  " to " + known.back());
}

void refuse_infinite(const BuiltLaw& job, const History& h, const SimulateRequest& request,
                     std::size_t first_row) {
  for (const auto* column : {&h.u, &h.uy, &h.un, &h.f, &h.fy, &h.fn, &h.energy})
    for (std::size_t i = 0; i < column->size(); ++i)
      if (!std::isfinite((*column)[i]))
        throw Failure(job.label + " stopped at " + place_of(request, first_row + i) +
                      ": force or energy is too large for a number");
}

Simulated run_one(const BuiltLaw& law, const SimulateRequest& request, const WantedColumns& columns,
                  Progress& progress, const RowSink& sink) {
  Simulated result{law.label, law.spec.model, law.spec.parameters, law.spec.options};
  Summing sum(*law.asked, request);
  Checkpoint at = begin(law, request);
  const std::size_t rows = request.u.size();
  const std::size_t at_once = columns.record.states ? wide_rows_at_once : rows_at_once;
  for (std::size_t row = 0; row < rows; row += at_once) {
    const std::size_t end = std::min(rows, row + at_once);
    const Path piece = rows_of(request, row, end);
    Simulated part{law.label, law.spec.model};
    part.history = law.model.run(piece, request.drive, columns.record, at);
    std::erase_if(part.history.states, [&](const StateColumn& state) {
      return !is_asked_for(state.name, columns.states);
    });
    refuse_infinite(law, part.history, request, row);
    const History& h = part.history;
    if (h.status != Status::ok)
      throw Failure(law.label + " stopped at " + place_of(request, row + h.f.size()) + ": " +
                    std::string(explain(h.status)) + (h.reason.empty() ? "" : "; " + h.reason));
    sum.add(piece, h);
    const bool written = static_cast<bool>(sink);
    const bool needed = !written || sink(piece, part);
    if (written) part.history.states.clear();
    if (needed) append(part.history, result.history);
    if (!progress.advance(end - row)) throw Interrupted();
  }
  result.state = law.model.save(at.state);
  result.end = std::move(at);
  result.summary = sum.summary();
  return result;
}

/// What the uncertainty of the parameters makes of the answer and of the energy.
void add_deviations(const BuiltLaw& law, const SimulateRequest& request, Simulated& result) {
  if (!law.asked->uncertainty) return;
  const std::size_t rows = request.u.size();
  if (!law.model.directions().empty())
    throw Error(law.label + " has several directions: --uncertainty is for laws with one");
  const Path path{request.t, request.u};
  const auto answer = [&](const ParameterValues& parameters) {
    BuiltLaw moved = law;
    moved.model = law.model.with(parameters);
    Checkpoint at = begin(moved, request);
    const History h = moved.model.run(path, request.drive, {}, at);
    if (h.status != Status::ok) throw Error(law.label + ": " + std::string(explain(h.status)));
    std::vector<double> both = request.drive == Drive::force ? h.u : h.f;
    append(h.energy, both);
    return both;
  };
  const std::vector<double> both = fit::standard_deviations(
      uncertainty_of(law.label, *law.asked->uncertainty), law.spec.parameters, answer);
  const auto middle = both.begin() + static_cast<std::ptrdiff_t>(rows);
  result.answer_sd.assign(both.begin(), middle);
  result.energy_sd.assign(middle, both.end());
  if (!result.energy_sd.empty()) result.summary.dissipated_sd = result.energy_sd.back();
}

void fill_columns(const SimulateRequest& request, Simulated& result) {
  std::vector<io::ColumnView> views;
  add_time(request.t, request.units, views);
  add_motion(result.history, request.units, "", views);
  add_answers(result, request.units, request.drive, "", views);
  result.columns.emplace();
  result.units.emplace();
  for (const io::ColumnView& view : views) {
    result.columns->push_back({view.name, {view.values.begin(), view.values.end()}});
    if (!view.unit.empty()) result.units->push_back({view.name, view.unit});
  }
}

/// Gives the column mu to the sliders among the laws, as their mu_factor.
void apply_friction(const SimulateRequest& request, std::vector<BuiltLaw>& laws) {
  if (request.mu.empty()) return;
  for (BuiltLaw& law : laws) {
    if (law.spec.model != "sliders") continue;
    if (law.asked->parameters.contains("mu_factor"))
      throw Error(law.label + ".mu_factor and the column mu of " + request.name +
                  " both say how friction changes; give one of them");
    // The parameters in the result stay as they are: the rows belong to the history.
    law.model = law.model.with({{"mu_factor", friction_factor(request.t, request.mu)}});
  }
}

void check_rows(const SimulateRequest& request) {
  const std::pair<const char*, const std::vector<double>*> columns[] = {
      {"t", &request.t}, {"uy", &request.uy}, {"un", &request.un}, {"mu", &request.mu}};
  for (const auto& [name, column] : columns)
    if (!column->empty() && column->size() != request.u.size())
      throw Error(request.name + ": columns must have the same length: u has " +
                  std::to_string(request.u.size()) + " rows, " + name + " has " +
                  std::to_string(column->size()) + " rows");
  if (!request.mu.empty() && request.t.empty())
    throw Error(request.name + ": the column mu needs the column t");
}

void check_period(const SimulateRequest& request) {
  if (!request.period) return;
  const std::string text = number_text(*request.period);
  if (!(*request.period > 0)) throw Error("--period = " + text + " must be positive");
  if (request.t.empty()) throw Error("--period needs the column t");
  if ((request.t.back() - request.t.front()) / *request.period > 1e6)
    throw Error("--period = " + text + " gives more than a million periods");
}

std::vector<BuiltLaw> built(const SimulateRequest& request) {
  if (request.laws.empty()) throw Error("no law is given");
  std::vector<BuiltLaw> laws;
  for (const SimulatedLaw& asked : request.laws) {
    AnyModel model = catalog::make({asked.model, asked.parameters, asked.options});
    ModelSpec spec{asked.model, model.parameters(), model.options()};
    std::string label = asked.label.empty() ? model.description().name : asked.label;
    laws.push_back({std::move(label), std::move(spec), std::move(model), &asked});
    if (laws.back().model.directions() != laws.front().model.directions())
      throw Error(laws.front().label + " and " + laws.back().label +
                  " cannot share a history: they have different directions");
    const std::size_t first = std::min<std::size_t>(request.u.size(), 1);
    catalog::check_columns(laws.back().model.description(), rows_of(request, 0, first));
  }
  return laws;
}

}  // namespace

Matrix<double> friction_factor(const std::vector<double>& t, const std::vector<double>& mu) {
  Matrix<double> rows(static_cast<Eigen::Index>(mu.size()), 2);
  for (std::size_t row = 0; row < mu.size(); ++row)
    rows.row(static_cast<Eigen::Index>(row)) << t[row], mu[row];
  return rows;
}

SimulateResult simulate(const SimulateRequest& request, const Control& control,
                        const RowSink& sink) {
  check_rows(request);
  std::vector<BuiltLaw> laws = built(request);
  apply_friction(request, laws);
  const WantedColumns columns = wanted_columns(request.columns);
  refuse_unknown_columns(laws, columns);
  refuse_missing_states(laws, request, columns);
  check_period(request);
  SimulateResult result;
  result.version = version;
  result.drive = request.drive;
  Progress progress(control, laws.size() * request.u.size());
  for (const BuiltLaw& law : laws) {
    progress.stage(law.label);
    result.results.push_back(run_one(law, request, columns, progress, sink));
    add_deviations(law, request, result.results.back());
    if (request.with_columns) fill_columns(request, result.results.back());
  }
  return result;
}

}  // namespace microslip::jobs
