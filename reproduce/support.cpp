#include "support.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/signal.hpp"

namespace microslip::reproduce {
namespace {

Run run(const ModelSpec& law, Path path, Drive drive) {
  const Record everything{.tangent = true, .stored = true, .states = true};
  History history = make(law).run(path, Start::virgin, drive, everything);
  if (history.status != Status::ok)
    throw Error(law.model + " failed: " + std::string(explain(history.status)));
  return {std::move(path.t), std::move(history), drive};
}

}  // namespace

double Run::work(std::size_t from, std::size_t to) const {
  return history.energy[to] - history.energy[from] + history.stored[to] - history.stored[from];
}

std::size_t Run::row_at(double time) const {
  const auto after = std::lower_bound(t.begin(), t.end(), time);
  if (after == t.begin()) return 0;
  const auto row = static_cast<std::size_t>(after - t.begin());
  return row < t.size() && t[row] - time < time - t[row - 1] ? row : row - 1;
}

std::vector<std::size_t> Run::turns() const {
  const std::vector<double>& x = driven();
  std::vector<std::size_t> rows;
  double direction = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double change = x[i] - x[i - 1];
    if (change * direction < 0) rows.push_back(i - 1);
    if (change != 0) direction = change;
  }
  return rows;
}

const std::vector<double>& Run::state(std::string_view name) const {
  for (const StateColumn& column : history.states)
    if (column.name == name) return column.values;
  throw Error("the history has no state '" + std::string(name) + "'");
}

Run simulate(const ModelSpec& law, const std::string& signal, double until, double step,
             Drive drive) {
  SampledSignal samples = sample_signal(Expression::parse(signal, {"t"}), until, step);
  return run(law, {std::move(samples.t), std::move(samples.u), {}}, drive);
}

Run simulate(const ModelSpec& law, std::vector<double> rows, Drive drive) {
  return run(law, {{}, std::move(rows), {}}, drive);
}

Run simulate_uniform(const ModelSpec& law, const std::string& signal, double until, std::size_t n) {
  const Expression u_of_t = Expression::parse(signal, {"t"});
  std::vector<double> t = spaced(0, until, n);
  std::vector<double> u;
  for (const double time : t) u.push_back(u_of_t(time));
  return run(law, {std::move(t), std::move(u), {}}, Drive::displacement);
}

ModelSpec bouc_wen(double A, double beta, double gamma, double n) {
  return {"bouc-wen",
          {{"A", A}, {"beta", beta}, {"gamma", gamma}, {"n", n}, {"k", 1.0}, {"a", 0.0}},
          {}};
}

std::vector<double> bouc_wen_displacement(double A, double beta, double gamma, int n,
                                          const std::vector<double>& z) {
  // Distance from 0 to p: ∫ dp/(A − g pⁿ) loading, and the same with A + g pⁿ unloading.
  const auto loading = [&](double p) {
    const double g = beta + gamma;
    return n == 1 ? -std::log1p(-g * p / A) / g
                  : std::atanh(std::sqrt(g / A) * p) / std::sqrt(A * g);
  };
  const auto unloading = [&](double p) {
    const double g = beta - gamma;
    return n == 1 ? std::log1p(g * p / A) / g : std::atan(std::sqrt(g / A) * p) / std::sqrt(A * g);
  };
  std::vector<double> u;
  double here = 0, reached = 0;
  for (const double next : z) {
    const double d = next > reached ? 1 : -1;
    const auto place = [&](double x) { return d * x >= 0 ? loading(d * x) : -unloading(-d * x); };
    here += d * (place(next) - place(reached));
    reached = next;
    u.push_back(here);
  }
  return u;
}

ModelSpec two_state(double alpha, double sigma, double b1, double b2, const std::string& method) {
  return {"two-state",
          {{"mu", 1.0}, {"sigma", sigma}, {"alpha", alpha}, {"b1", b1}, {"b2", b2}, {"ks", 0.0}},
          {{"method", method}}};
}

std::array<double, 2> normalized_b(double alpha, double sigma) {
  return {std::sqrt(alpha * (1 - alpha) / (1 - sigma)),
          std::sqrt(alpha * (alpha - sigma) / (1 - sigma))};
}

std::vector<double> at(const std::vector<double>& column, const std::vector<std::size_t>& rows) {
  std::vector<double> values;
  for (const std::size_t row : rows) values.push_back(column.at(row));
  return values;
}

std::vector<double> spaced(double from, double to, std::size_t n) {
  std::vector<double> values(n + 1);
  for (std::size_t i = 0; i <= n; ++i)
    values[i] = from + (to - from) * static_cast<double>(i) / static_cast<double>(n);
  return values;
}

namespace {
using Against = Comparison::Against;
}

#define MICROSLIP_KIND(kind)                                                                    \
  Comparison kind(std::string what, double expected, double tolerance, double obtained,         \
                  std::string note) {                                                           \
    return {                                                                                    \
        std::move(what), Against::kind, expected, tolerance, obtained, false, std::move(note)}; \
  }
MICROSLIP_KIND(printed)
MICROSLIP_KIND(equation)
MICROSLIP_KIND(independent)
MICROSLIP_KIND(circular)
MICROSLIP_KIND(identity)
MICROSLIP_KIND(recorded)
#undef MICROSLIP_KIND

Comparison judged(std::string what, double obtained, std::string note) {
  return {std::move(what), Against::judged,           0, 0, obtained, false,
          std::move(note), Comparison::Relation::none};
}

Comparison at_most(std::string what, double bound, double obtained, std::string note) {
  return {std::move(what), Against::statement,           bound, 0, obtained, false,
          std::move(note), Comparison::Relation::at_most};
}

Comparison at_least(std::string what, double bound, double obtained, std::string note) {
  return {std::move(what), Against::statement,
          bound,           0,
          obtained,        false,
          std::move(note), Comparison::Relation::at_least};
}

Comparison differs(Comparison one, std::string note) {
  one.known_to_differ = true;
  one.note = std::move(note);
  return one;
}

void append(std::vector<Comparison>& to, Kind kind, const std::string& what,
            const std::vector<double>& expected, double tolerance,
            const std::vector<double>& obtained) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    to.push_back(
        kind(what + " " + std::to_string(i + 1), expected[i], tolerance, obtained.at(i), {}));
}

double largest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

double smallest(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

io::Curve loop(const Run& run, std::string name) {
  return {std::move(name), run.history.u, run.history.f, io::Style::solid};
}

io::Curve pieces(const Run& run, std::string name,
                 const std::function<bool(std::size_t row)>& belongs) {
  // A row that is not a number lifts the pen.
  const double gap = std::numeric_limits<double>::quiet_NaN();
  io::Curve curve{std::move(name), {}, {}, io::Style::solid};
  bool drawing = false;
  for (std::size_t i = 1; i < run.history.u.size(); ++i) {
    const bool draw = belongs(i);
    if (draw && !drawing) {
      curve.x.push_back(run.history.u[i - 1]);
      curve.y.push_back(run.history.f[i - 1]);
    }
    curve.x.push_back(draw ? run.history.u[i] : gap);
    curve.y.push_back(draw ? run.history.f[i] : gap);
    drawing = draw;
  }
  return curve;
}

}  // namespace microslip::reproduce
