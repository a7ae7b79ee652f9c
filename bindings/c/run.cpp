#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>

#include "handles.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/parallel.hpp"
#include "microslip/io/json.hpp"

namespace microslip::c {
namespace {

/// Rows pass through buffers that stay in the cache: no array of the caller is ever copied whole,
/// whatever its strides.
constexpr std::size_t rows_at_once = 4096;

class Ticker {
 public:
  Ticker(microslip_progress call, void* user, std::size_t all)
      : call_(call), user_(user), all_(all) {}

  void advance(std::size_t rows) {
    const std::size_t done = done_ += rows;
    if (!call_) return;
    const std::lock_guard lock(mutex_);
    if (stop_) throw Interrupted{};
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(50)) return;
    last_ = now;
    stop_ = call_(user_, done, all_) != 0;
    if (stop_) throw Interrupted{};
  }

 private:
  using Clock = std::chrono::steady_clock;
  microslip_progress call_;
  void* user_;
  std::size_t all_;
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
  bool stop_ = false;
  Clock::time_point last_ = Clock::now();
};

std::ptrdiff_t stride_of(std::ptrdiff_t stride) { return stride == 0 ? 1 : stride; }

void take(const microslip_input& column, std::size_t first, std::size_t rows, const char* name,
          std::vector<double>& out) {
  if (!column.data) return out.clear();
  out.resize(rows);
  const std::ptrdiff_t stride = stride_of(column.stride);
  const double* from = column.data + static_cast<std::ptrdiff_t>(first) * stride;
  for (std::size_t i = 0; i < rows; ++i, from += stride) out[i] = *from;
  for (std::size_t i = 0; i < rows; ++i)
    if (!std::isfinite(out[i]))
      throw Error(std::string(name) + " of row " + std::to_string(first + i + 1) +
                  " must be a finite number");
}

void put(const std::vector<double>& values, const microslip_output& column, std::size_t first) {
  if (!column.data) return;
  const std::ptrdiff_t stride = stride_of(column.stride);
  double* to = column.data + static_cast<std::ptrdiff_t>(first) * stride;
  for (const double x : values) {
    *to = x;
    to += stride;
  }
}

void put(const std::vector<StateColumn>& columns, const microslip_history& out, std::size_t first) {
  if (!out.states.data) return;
  const std::ptrdiff_t stride = stride_of(out.states.stride);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    double* to = out.states.data + static_cast<std::ptrdiff_t>(i) * stride +
                 static_cast<std::ptrdiff_t>(first) * out.states_row;
    for (const double x : columns[i].values) {
      *to = x;
      to += out.states_row;
    }
  }
}

std::string place(std::size_t row, const std::vector<double>& t, std::size_t index) {
  std::string text = "row " + std::to_string(row + 1);
  if (index < t.size()) text += ", t = " + number_text(t[index]);
  return text;
}

/// Rows of `t` must increase, also across pieces and runs.
void check_time(const std::vector<double>& t, std::size_t first, const microslip_state& state) {
  for (std::size_t i = 0; i < t.size(); ++i) {
    const bool begins = first + i == 0;
    const double before = i > 0 ? t[i - 1] : state.at.t;
    if (begins && !state.has_time) continue;
    if (!(t[i] > before))
      throw Error("t must increase strictly: row " + std::to_string(first + i + 1) +
                  " has t = " + number_text(t[i]) + " after t = " + number_text(before));
  }
}

/// How many rows have numbers; those from an overflow on have none.
std::size_t finite_rows(const History& rows) {
  std::size_t good = rows.f.size();
  for (const auto* column :
       {&rows.u, &rows.uy, &rows.un, &rows.f, &rows.fy, &rows.fn, &rows.energy})
    for (std::size_t i = 0; i < std::min(good, column->size()); ++i)
      if (!std::isfinite((*column)[i])) good = i;
  return good;
}

void shorten(Path& path, std::size_t rows) {
  for (auto* column : {&path.t, &path.u, &path.uy, &path.un})
    if (column->size() > rows) column->resize(rows);
}

/// What a run reads and writes, for laws with any number of directions.
struct Motion {
  std::size_t rows;
  microslip_input t;
  std::array<microslip_input, 3> u;
  int drive;
};
struct Answers {
  microslip_output u;
  std::array<microslip_output, 3> f;
  microslip_output energy, tangent, stored;
};

void run(const microslip_model& model, const Motion& path, microslip_state& state,
         const Answers& out, microslip_history& history, Ticker& ticker) {
  history.rows = 0;
  check_owner(model, state);
  if (path.rows == 0) return;
  if (!path.u[0].data) throw Error("the column u is not given");
  if (path.drive != MICROSLIP_DRIVE_DISPLACEMENT && path.drive != MICROSLIP_DRIVE_FORCE)
    throw Error("drive = " + std::to_string(path.drive) + " must be 0 (displacement) or 1 (force)");
  // A scalar law reads the first column; a second one is then refused as a direction y.
  static const std::vector<std::string> scalar{"x", "y"};
  const auto& own = model.law.directions();
  const std::vector<std::string>& directions = own.empty() ? scalar : own;
  if (out.tangent.data && !own.empty())
    throw Error("tangent: " + model.name() +
                " has several directions, and its tangent is a matrix; only laws with one "
                "displacement have that column");
  const Drive drive = path.drive == MICROSLIP_DRIVE_FORCE ? Drive::force : Drive::displacement;
  const Record record{out.tangent.data != nullptr, out.stored.data != nullptr,
                      history.states.data != nullptr};
  Path piece;
  History rows;
  for (std::size_t first = 0; first < path.rows; first += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, path.rows - first);
    take(path.t, first, count, "t", piece.t);
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const std::string name =
          own.empty() && i == 0 ? (drive == Drive::force ? "f" : "u") : "u" + directions[i];
      take(path.u[i], first, count, name.c_str(), piece.along(directions[i]));
    }
    check_time(piece.t, first, state);
    if (!piece.t.empty() && !state.has_time) {
      state.at.t = piece.t.front();
      state.has_time = true;
    }
    const Checkpoint before = state.at;
    model.law.run(piece, drive, record, state.at, rows);
    const std::size_t good = finite_rows(rows);
    const bool overflow = good < rows.f.size();
    const std::string here = overflow ? place(first + good, piece.t, good) : "";
    if (overflow) {  // again, up to the row before
      shorten(piece, good);
      state.at = before;
      rows = {};
      if (good > 0) model.law.run(piece, drive, record, state.at, rows);
    }
    put(rows.u, out.u, first);
    for (std::size_t i = 0; i < directions.size(); ++i)
      put(rows.f_along(directions[i]), out.f[i], first);
    put(rows.energy, out.energy, first);
    put(rows.tangent, out.tangent, first);
    put(rows.stored, out.stored, first);
    put(rows.states, history, first);
    history.rows = first + rows.f.size();
    if (overflow)
      throw Stopped{
          MICROSLIP_STATUS_INFINITE, history.rows,
          model.name() + " stopped at " + here + ": force or energy is too large for a number"};
    if (rows.status != Status::ok)
      throw Stopped{static_cast<int>(rows.status), history.rows,
                    model.name() + " stopped at " + place(history.rows, piece.t, rows.f.size()) +
                        ": " + std::string(explain(rows.status)) +
                        (rows.reason.empty() ? "" : "; " + rows.reason)};
    ticker.advance(count);
  }
}

void run(const microslip_model& model, const microslip_path& path, microslip_state& state,
         microslip_history& out, Ticker& ticker) {
  if (model.law.directions().size() > 2)
    throw Error(model.name() + " has three directions: use microslip_run_vector");
  run(model, Motion{path.rows, path.t, {path.u, path.uy, {}}, path.drive}, state,
      Answers{out.u, {out.f, out.fy, {}}, out.energy, out.tangent, out.stored}, out, ticker);
}

// --------------------------------------------------------------------------------- derivatives

struct Direction {
  std::string parameter;
  std::size_t element = 0;
};

/// "k", "jenkins.k" or "k[2]".
Direction direction(const microslip_model& model, const std::string& text) {
  const Description& law = model.law.description();
  std::string name = text;
  std::optional<std::size_t> element;
  if (const auto open = text.find('['); open != std::string::npos && text.ends_with("]")) {
    const std::string digits = text.substr(open + 1, text.size() - open - 2);
    if (digits.empty() || digits.size() > 9 ||
        digits.find_first_not_of("0123456789") != std::string::npos || std::stoul(digits) == 0)
      throw Error("'" + text + "' must name an element of a list as name[1], name[2], …");
    name = text.substr(0, open);
    element = std::stoul(digits) - 1;
  }
  std::vector<std::string> known, meant;
  for (const ParameterInfo& info : law.parameters) {
    known.push_back(info.name);
    if (info.name == name) meant.assign(1, name);
    if (info.name == name) break;
    if (info.name.ends_with("." + name)) meant.push_back(info.name);
  }
  if (meant.empty())
    throw Error("unknown parameter '" + name + "' for " + model.name() + suggestion(name, known));
  if (meant.size() > 1)
    throw Error("'" + name + "' could mean several parameters of " + model.name() + ": " +
                meant[0] + ", " + meant[1]);
  const Value& value = model.law.parameters().at(meant[0]);
  if (const auto* list = std::get_if<std::vector<double>>(&value)) {
    if (!element)
      throw Error(meant[0] + " is a list; name an element, " + meant[0] + "[1] to " + meant[0] +
                  "[" + std::to_string(list->size()) + "]");
    if (*element >= list->size())
      throw Error(text + ": " + meant[0] + " has " + std::to_string(list->size()) + " elements");
  } else if (!std::holds_alternative<double>(value) || element) {
    throw Error(text + ": derivatives exist for numbers and for elements of lists");
  }
  return {meant[0], element.value_or(0)};
}

std::vector<double> numbers_of(const Value& value) {
  if (const auto* x = std::get_if<double>(&value)) return {*x};
  return std::get<std::vector<double>>(value);
}

DualValues seeded(const microslip_model& model, const std::vector<Direction>& directions) {
  DualValues values;
  for (std::size_t slot = 0; slot < directions.size(); ++slot) {
    const Direction& d = directions[slot];
    auto& list = values[d.parameter];
    if (list.empty())
      for (const double x : numbers_of(model.law.parameters().at(d.parameter)))
        list.emplace_back(x);
    list[d.element].v[static_cast<Eigen::Index>(slot)] = 1;
  }
  return values;
}

struct Target {
  double* df;
  std::ptrdiff_t row, column;
};

/// One pass of at most dual_width directions.
void differentiate(const microslip_model& model, const microslip_path& path, double origin,
                   const std::vector<Direction>& directions, const Target& target,
                   const microslip_output& f_out) {
  constexpr std::size_t at_once = 512;  // a dual number has nine doubles
  const AnyDualModel law = model.law.dual(seeded(model, directions));
  const bool timed = model.law.description().family == Family::rate_dependent;
  AnyState at = law.rest();
  microslip_state clock;
  std::vector<double> t, u, dt, forces;
  std::vector<WideDual> motion, f;
  for (std::size_t first = 0; first < path.rows; first += at_once) {
    const std::size_t count = std::min(at_once, path.rows - first);
    take(path.t, first, count, "t", t);
    take(path.u, first, count, "u", u);
    check_time(t, first, clock);
    motion.clear();
    for (const double x : u) motion.emplace_back(x - origin);
    dt.clear();
    for (std::size_t i = 0; timed && i < count; ++i) {
      const double step = first + i == 0 ? 0 : t[i] - (i == 0 ? clock.at.t : t[i - 1]);
      dt.push_back(step > 0 ? step : std::numeric_limits<double>::infinity());
    }
    if (!t.empty()) {
      clock.at.t = t.back();
      clock.has_time = true;
    }
    f.assign(count, WideDual(0.0));
    const Status status = law.run(dt, motion, at, f);
    if (status != Status::ok)
      throw Stopped{static_cast<int>(status), first,
                    model.name() + " stopped between row " + std::to_string(first + 1) +
                        " and row " + std::to_string(first + count) + ": " +
                        std::string(explain(status))};
    forces.clear();
    for (std::size_t i = 0; i < count; ++i) {
      forces.push_back(f[i].a);
      double* row = target.df + static_cast<std::ptrdiff_t>(first + i) * target.row;
      for (std::size_t slot = 0; slot < directions.size(); ++slot)
        row[static_cast<std::ptrdiff_t>(slot) * target.column] =
            f[i].v[static_cast<Eigen::Index>(slot)];
    }
    put(forces, f_out, first);
  }
}

}  // namespace
}  // namespace microslip::c

using namespace microslip;
using namespace microslip::c;

int microslip_state_columns(const microslip_model* model, char** json, microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(json, "json");
    // The columns that a run of one row has.
    Path path{{0}, {0}, {}};
    for (const std::string& direction : model->law.directions()) path.along(direction) = {0};
    const History row =
        model->law.run(path, Start::virgin, Drive::displacement, {false, false, true});
    std::string text = "[";
    for (const StateColumn& column : row.states)
      text += (text.size() > 1 ? ",\"" : "\"") + column.name + "\"";
    *json = copied(text + "]");
  });
}

int microslip_run(const microslip_model* model, const microslip_path* path, microslip_state* state,
                  microslip_history* history, microslip_progress progress, void* user,
                  microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(path, "path");
    require(state, "state");
    require(history, "history");
    Ticker ticker(progress, user, path->rows);
    run(*model, *path, *state, *history, ticker);
  });
}

int microslip_run_vector(const microslip_model* model, const microslip_vector_path* path,
                         microslip_state* state, microslip_vector_history* history,
                         microslip_progress progress, void* user, microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(path, "path");
    require(state, "state");
    require(history, "history");
    if (model->law.directions().empty())
      throw Error(model->name() + " is a scalar law: use microslip_run");
    Ticker ticker(progress, user, path->rows);
    microslip_history rows{};
    rows.states = history->states;
    rows.states_row = history->states_row;
    history->rows = 0;
    const auto finish = [&] { history->rows = rows.rows; };
    try {
      run(*model,
          Motion{path->rows,
                 path->t,
                 {path->u[0], path->u[1], path->u[2]},
                 MICROSLIP_DRIVE_DISPLACEMENT},
          *state,
          Answers{{},
                  {history->f[0], history->f[1], history->f[2]},
                  history->energy,
                  {},
                  history->stored},
          rows, ticker);
    } catch (...) {
      finish();
      throw;
    }
    finish();
  });
}

int microslip_run_batch(microslip_job* jobs, std::size_t count, std::size_t threads,
                        microslip_progress progress, void* user, microslip_error* error) {
  std::size_t first = count;
  const int code = guarded(error, [&] {
    if (count > 0) require(jobs, "jobs");
    std::size_t rows = 0;
    for (std::size_t i = 0; i < count; ++i) rows += jobs[i].path.rows;
    Ticker ticker(progress, user, rows);
    in_parallel(count, thread_count(threads), [&](std::size_t i) {
      microslip_job& job = jobs[i];
      job.history.rows = 0;
      guarded(&job.error, [&] {
        require(job.model, "model");
        if (job.state) return run(*job.model, job.path, *job.state, job.history, ticker);
        microslip_state rest = rest_of(*job.model);
        run(*job.model, job.path, rest, job.history, ticker);
      });
    });
    for (first = 0; first < count && jobs[first].error.code == MICROSLIP_OK; ++first) {
    }
  });
  if (code != MICROSLIP_OK || first == count) return code;
  const microslip_error& failed = jobs[first].error;
  return report(error, failed.code, failed.sentence, failed.status, failed.row);
}

int microslip_gradient(const microslip_model* model, const microslip_path* path,
                       const double* origin, const char* const* names, std::size_t count,
                       double* df, std::ptrdiff_t df_row, std::ptrdiff_t df_column,
                       microslip_output f, microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(path, "path");
    if (count > 0) {
      require(names, "names");
      require(df, "df");
    }
    const Family family = model->law.description().family;
    if (family == Family::planar)
      throw Error(model->name() + " has several directions: derivatives are for scalar laws");
    if (path->drive != MICROSLIP_DRIVE_DISPLACEMENT)
      throw Error("derivatives are for histories that are driven by displacement");
    if (path->rows > 0 && !path->u.data) throw Error("the column u is not given");
    if (path->rows > 0 && family == Family::rate_dependent && !path->t.data)
      throw Error(model->name() + " depends on the rate: it needs the column t");
    std::vector<Direction> all;
    for (std::size_t i = 0; i < count; ++i) {
      require(names[i], "names[i]");
      all.push_back(direction(*model, names[i]));
    }
    for (std::size_t begin = 0; begin == 0 || begin < all.size(); begin += dual_width) {
      const std::size_t end = std::min<std::size_t>(all.size(), begin + dual_width);
      const std::vector<Direction> pass(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                        all.begin() + static_cast<std::ptrdiff_t>(end));
      const Target target{df + static_cast<std::ptrdiff_t>(begin) * df_column, df_row, df_column};
      differentiate(*model, *path, origin ? *origin : 0, pass, target,
                    begin == 0 ? f : microslip_output{nullptr, 0});
    }
  });
}
