#include "microslip/fit/problem.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "measurement.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/loops/loops.hpp"
#include "several_directions.hpp"
#include "unknowns.hpp"

namespace microslip::fit {
namespace {

/// Of the answers in rows that count: others may hold anything. Infinity and its negative if there
/// are none.
std::pair<double, double> answer_limits(const Data& data) {
  std::pair<double, double> limits{infinity, -infinity};
  for (std::size_t i = 0; i < data.rows(); ++i) {
    if (!data.counts(i)) continue;
    limits.first = std::min(limits.first, data.f[i]);
    limits.second = std::max(limits.second, data.f[i]);
  }
  return limits;
}

void check(const Data& data) {
  const std::string& name = data.name;
  if (data.f.size() != data.u.size() || (!data.t.empty() && data.t.size() != data.u.size()) ||
      (!data.weight.empty() && data.weight.size() != data.u.size()) ||
      (!data.held_out.empty() && data.held_out.size() != data.u.size()))
    throw Error(name + ": t, u, f and weights must have the same number of rows");
  if (data.rows() < 8)
    throw Error(name + " has " + std::to_string(data.rows()) + " rows; a fit needs at least 8");
  for (const double w : data.weight)
    if (!(w >= 0) || !std::isfinite(w)) throw Error(name + ": weights must not be negative");
  const auto [low, high] = std::minmax_element(data.u.begin(), data.u.end());
  const bool by_force = data.driven == Driven::force;
  const std::string input = by_force ? "force" : "displacement";
  if (!(*low < *high)) throw Error(name + ": the " + input + " does not change");
  const auto [least, most] = answer_limits(data);
  if (least > most) throw Error(name + ": no row has a weight above 0");
  if (!(least < most))
    throw Error(name + ": the " + (by_force ? "displacement" : "force") + " does not change");
}

/// Size of the input over its mean speed: the time of a quarter of a cycle, more or less.
double time_of(const Data& data, double size) {
  if (data.t.empty()) return 1;
  double way = 0;
  for (std::size_t i = 1; i < data.rows(); ++i) way += std::abs(data.u[i] - data.u[i - 1]);
  return size * (data.t.back() - data.t.front()) / way;
}

Beginning looks_like(const Data& data, const Scales& s) {
  const double u = data.u.front(), f = data.f.front();
  // In the middle of a loop a hysteretic force is not small.
  const double small = 0.05 * s.answer() + 3 * loops::noise_level(data.f);
  const bool no_answer = std::abs(f) < small;
  if (no_answer && std::abs(u) < 0.05 * s.input()) return Beginning::virgin;
  if (no_answer) return Beginning::first_row;
  // On the virgin curve already, when the first row was recorded a little late.
  if (std::abs(u) < 0.1 * s.input() && std::abs(f - s.slope() * u) < small)
    return Beginning::virgin;
  return Beginning::unknown;
}

/// A quarter of a cycle, more or less: from turn to turn, because noise makes the way longer.
double quarter_of(const Data& data, const std::vector<double>& clock, double size) {
  std::vector<std::size_t> rows{0};
  for (const std::size_t row : loops_of(data)->reversals) rows.push_back(row);
  rows.push_back(data.rows() - 1);
  double way = 0;
  for (std::size_t i = 1; i < rows.size(); ++i)
    way += std::abs(data.u[rows[i]] - data.u[rows[i - 1]]);
  return way > 0 ? size * clock.back() / way : clock.back();
}

/// The turning points of the first large cycle.
std::vector<double> first_cycle(const Data& data) {
  const auto found = loops_of(data);
  for (const loops::Cycle& cycle : found->cycles)
    if (cycle.amplitude > 0.9 * found->amplitude)
      return {data.u[cycle.first_row], data.u[cycle.middle_row], data.u[cycle.first_row]};
  throw Error(data.name + " has no closed cycle to run through before its first row");
}

}  // namespace

std::shared_ptr<const loops::Loops> loops_of(const Data& data) {
  if (data.loops) return data.loops;
  return std::make_shared<const loops::Loops>(loops_with(data, data.f));
}

loops::Loops loops_with(const Data& data, const std::vector<double>& answers,
                        loops::Options options) {
  if (data.driven == Driven::displacement) return loops::analyse(data.t, data.u, answers, options);
  const bool repair = std::exchange(options.repair_sign, false);
  loops::Loops found = loops::analyse(data.t, data.u, answers, options);
  double energy = 0, slope = 0;
  for (const loops::Cycle& cycle : found.cycles) {
    energy -= cycle.energy;
    slope += cycle.secant;
  }
  // As for laws driven by displacement: the whole record has to agree.
  if (repair && energy < 0 && slope < 0 && loops::correlation(data.u, answers) < 0.3) {
    std::vector<double> turned = answers;
    for (double& x : turned) x = -x;
    found = loops::analyse(data.t, data.u, turned, options);
    found.sign_flipped = true;
  }
  for (loops::Cycle& cycle : found.cycles) cycle.energy = -cycle.energy;
  for (double& x : found.tips.energy) x = -x;
  found.total_energy = -found.total_energy;
  found.pinched = false;  // compliance that grows on the way is slip
  return found;
}

Scales scales_of(const Data& data) {
  check(data);
  const auto found = loops_of(data);
  Scales s;
  s.driven = data.driven;
  const auto [u_low, u_high] = std::minmax_element(data.u.begin(), data.u.end());
  const auto [f_low, f_high] = answer_limits(data);
  const bool by_force = s.by_force();
  (by_force ? s.force : s.length) = 0.5 * (*u_high - *u_low);
  (by_force ? s.length : s.force) = 0.5 * (f_high - f_low);
  (by_force ? s.force_center : s.length_center) = 0.5 * (*u_high + *u_low);
  (by_force ? s.length_center : s.force_center) = 0.5 * (f_high + f_low);
  // No law of friction is softer at a reversal than on the way from tip to tip.
  const double secant = s.force / s.length, slope = found->initial_stiffness;
  // Rigid until it slips, as a rod on friction: what a record shows of that is its sampling.
  const double stiffness = by_force ? std::min(1 / slope, 100 * secant) : slope;
  s.stiffness = std::max(stiffness, secant);
  if (!std::isfinite(s.stiffness)) s.stiffness = secant;
  s.time = time_of(data, s.input());
  return s;
}

Problem::Problem(AnyModel model, std::vector<Data> records, Setup setup)
    : model_(std::move(model)), records_(std::move(records)), setup_(std::move(setup)) {
  const Description& law = model_.description();
  if (records_.empty()) throw Error("there is no record to fit");
  common_ = {0, 0, 0, 0, 0, 0, law.driven};
  const double share = 1.0 / static_cast<double>(records_.size());
  Clock clock;
  clock.quarter = clock.whole = 0;
  for (Data& data : records_) {
    if (data.driven != law.driven)
      throw Error(law.name + " is driven by " +
                  (law.driven == Driven::force ? "force" : "displacement") + "; " + data.name +
                  " has the other quantity as its input");
    check_directions(law, data, setup_);
    check(data);
    data.loops = loops_of(data);
    const Scales s = scales_of(data);
    if (law.family == Family::rate_dependent && data.t.empty())
      throw Error(law.name + " depends on the rate: " + data.name + " needs the column t");
    scales_.push_back(s);
    ranges_.push_back(2 * s.answer());
    Beginning beginning = setup_.beginning;
    if (data.path)
      beginning = beginning_in_space(data, beginning);
    else if (beginning == Beginning::automatic)
      beginning = looks_like(data, s);
    beginnings_.push_back(beginning);
    lead_.push_back(beginning == Beginning::cycled ? first_cycle(data) : std::vector<double>{});
    common_.force = std::max(common_.force, s.force);
    common_.length = std::max(common_.length, s.length);
    common_.stiffness += share * s.stiffness;
    common_.time += share * s.time;
    common_.force_center += share * s.force_center;
    common_.length_center += share * s.length_center;
    clocks_.push_back(clock_of(data));
    clock.whole = std::max(clock.whole, clocks_.back().back());
    clock.quarter += share * quarter_of(data, clocks_.back(), s.input());
    clock.times = clock.times && !data.t.empty();
  }
  unknowns_ = list_unknowns(model_, setup_, common_, clock, records_.size(), beginnings_);
  leave_room_for_delay();
  weigh_rows();
  if (unknowns_.empty())
    throw Error(law.name + ": every parameter is fixed; nothing is left to fit");
  if (compared_ <= unknowns_.size())
    throw Error(std::to_string(compared_) + " rows are too few for the " +
                std::to_string(unknowns_.size()) + " numbers of " + law.name);
  ParameterValues fixed;
  for (const auto& [name, value] : setup_.fixed) {
    if (is_measurement(name)) continue;
    const auto bracket = name.find('[');
    const std::string parameter = name.substr(0, bracket);
    auto& all = fixed.try_emplace(parameter, model_.parameters().at(parameter)).first->second;
    if (auto* list = std::get_if<std::vector<double>>(&all)) {
      if (bracket == std::string::npos)
        std::fill(list->begin(), list->end(), value);
      else
        (*list)[std::stoul(name.substr(bracket + 1)) - 1] = value;
    } else {
      all = value;
    }
  }
  if (!fixed.empty()) {
    // Fixed and free numbers may contradict each other until the free ones are found.
    fixed_ = std::move(fixed);
  }
}

void Problem::leave_room_for_delay() {
  bool any = false;
  for (std::size_t r = 0; r < records_.size(); ++r) {
    double least = 0, most = 0;
    if (const auto fixed = setup_.fixed.find("delay"); fixed != setup_.fixed.end())
      least = most = fixed->second;
    for (const Unknown& unknown : unknowns_)
      if (unknown.role == Unknown::Role::delay && applies(unknown, r)) {
        least = unknown.reference * unknown.lower;
        most = unknown.reference * unknown.upper;
      }
    any = any || least != 0 || most != 0;
    const std::vector<double>& clock = clocks_[r];
    std::size_t first = 0, end = clock.size();
    while (first < end && clock[first] < most) ++first;
    while (end > first && clock[end - 1] > clock.back() + least) --end;
    if (first == end)
      throw Error(records_[r].name + ": bounds of the delay as wide as the record leave no row");
    compared_rows_.emplace_back(first, end);
  }
  const auto timed = [](const Data& data) { return !data.t.empty(); };
  if (any && std::any_of(records_.begin(), records_.end(), timed) &&
      !std::all_of(records_.begin(), records_.end(), timed))
    throw Error("a delay needs times in all records or in none, where rows are counted");
}

void Problem::weigh_rows() {
  double largest = 0, sum = 0, counting = 0;
  for (const Data& data : records_) {
    if (data.weight.empty()) largest = std::max(largest, 1.0);
    for (const double w : data.weight) largest = std::max(largest, w);
  }
  // The largest first, so that the sum does not overflow.
  weight_unit_ = largest;
  for (const Data& data : records_)
    for (std::size_t i = 0; i < data.rows(); ++i) {
      if (!data.counts(i)) continue;
      sum += (data.weight.empty() ? 1 : data.weight[i]) / largest;
      counting += 1;
    }
  weight_scale_ = counting / sum;
  for (std::size_t r = 0; r < records_.size(); ++r) {
    rows_ += records_[r].rows();
    factors_.emplace_back();
    for (std::size_t i = 0; i < records_[r].rows(); ++i) {
      factors_[r].push_back(compares(r, i) ? std::sqrt(weight(r, i)) / ranges_[r] : 0);
      compared_ += compares(r, i) ? 1 : 0;
    }
  }
}

Problem Problem::thinned(std::size_t least_rows) const {
  Problem coarse = *this;
  if (records_.front().path) return coarse;
  coarse.rows_ = coarse.compared_ = 0;
  for (std::size_t r = 0; r < records_.size(); ++r) {
    const Data& all = records_[r];
    const auto turns = loops::find_reversals(all.u, loops::reversal_threshold(all.u));
    // Between rows a delayed force is a straight line, which ten rows a leg do not follow.
    const std::size_t a_leg = delays(r) ? 40 : 10;
    const std::size_t target = std::max(least_rows, a_leg * (turns.size() + 1));
    const double stride =
        std::max(1.0, static_cast<double>(all.rows()) / static_cast<double>(target));
    Data& few = coarse.records_[r] =
        Data{.name = all.name, .t = {}, .u = {}, .f = {}, .driven = all.driven};
    std::vector<double> factors, clock;
    double next = 0;
    for (std::size_t i = 0, turn = 0; i < all.rows(); ++i) {
      const bool due = compares(r, i) && static_cast<double>(i) >= next;
      const bool turning = turn < turns.size() && turns[turn] == i;
      turn += turning ? 1 : 0;
      // Half of the rows would not make up for what they miss.
      if (stride > 2 && !due && !turning && i > 0 && i + 1 < all.rows()) continue;
      if (due) next = std::max(next + stride, static_cast<double>(i) - stride);
      few.u.push_back(all.u[i]);
      few.f.push_back(all.f[i]);
      if (!all.t.empty()) few.t.push_back(all.t[i]);
      factors.push_back(factors_[r][i]);
      clock.push_back(clocks_[r][i]);
      coarse.compared_ += compares(r, i) ? 1 : 0;
    }
    coarse.rows_ += few.rows();
    coarse.factors_[r] = std::move(factors);
    coarse.clocks_[r] = std::move(clock);
    coarse.compared_rows_[r] = {0, few.rows()};  // others have the factor 0
  }
  return coarse;
}

void Problem::pin(std::size_t unknown, double x) {
  unknowns_[unknown].pinned = true;
  unknowns_[unknown].start = x;
}

void Problem::make_room(std::span<const double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    Unknown& unknown = unknowns_[i];
    const double room = unknown.log ? start_room : 1e6 * std::max(1.0, std::abs(x[i]));
    if (unknown.soft_lower) unknown.lower = std::min(unknown.lower, x[i] - room);
    if (unknown.soft_upper) unknown.upper = std::max(unknown.upper, x[i] + room);
  }
}

std::vector<double> Problem::values(std::span<const double> x) const {
  return values_at(unknowns_, std::vector<double>(x.begin(), x.end()));
}

Eigen::MatrixXd Problem::value_derivatives(std::span<const double> x) const {
  const std::size_t n = unknowns_.size();
  Eigen::MatrixXd result(n, n);
  for (std::size_t first = 0; first < n; first += dual_width) {
    std::vector<WideDual> seeds(x.begin(), x.end());
    const std::size_t width = std::min<std::size_t>(dual_width, n - first);
    for (std::size_t j = 0; j < width; ++j) seeds[first + j].v[static_cast<int>(j)] = 1;
    const auto p = values_at(unknowns_, seeds);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < width; ++j)
        result(static_cast<int>(i), static_cast<int>(first + j)) = p[i].v[static_cast<int>(j)];
  }
  return result;
}

namespace {

double* place_of(ParameterValues& all, const Unknown& unknown) {
  Value& value = all.at(unknown.parameter);
  if (auto* list = std::get_if<std::vector<double>>(&value)) return &(*list)[unknown.element];
  return &std::get<double>(value);
}

}  // namespace

ParameterValues Problem::parameters(std::span<const double> x, std::size_t record) const {
  ParameterValues all = model_.parameters();
  for (const auto& [name, value] : fixed_) all[name] = value;
  const std::vector<double> p = values(x);
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (unknowns_[i].role == Unknown::Role::parameter && applies(unknowns_[i], record))
      *place_of(all, unknowns_[i]) = p[i];
  return all;
}

std::vector<double> Problem::coordinates(const ParameterValues& parameters,
                                         std::span<const double> rest) const {
  ParameterValues all = parameters;
  std::vector<double> x(rest.begin(), rest.end());
  // References between unknowns depend on x themselves: they settle from the first to the last.
  for (std::size_t round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      const Unknown& unknown = unknowns_[i];
      // An offset or gain of the measurement may be among the values, by its name.
      const bool measurement = unknown.role != Unknown::Role::parameter;
      if (!all.contains(measurement ? unknown.name : unknown.parameter)) continue;
      std::vector<double> probe = x;
      probe[i] = unknown.log ? 0 : 1;
      const double value =
          measurement ? std::get<double>(all.at(unknown.name)) : *place_of(all, unknown);
      const double relative = value / values(probe)[i];
      x[i] = unknown.log ? std::log(std::max(relative, 1e-300)) : relative;
      x[i] = std::clamp(x[i], unknown.lower, unknown.upper);
    }
  }
  return x;
}

bool Problem::stops(std::size_t record) const {
  return delays(record) && model_.description().family != Family::rate_dependent;
}

std::vector<double> clock_of(const Data& data) {
  std::vector<double> clock;
  for (std::size_t i = 0; i < data.rows(); ++i)
    clock.push_back(data.t.empty() ? static_cast<double>(i) : data.t[i] - data.t.front());
  return clock;
}

bool is_measurement(std::string_view name) {
  return std::find(std::begin(measurement_names), std::end(measurement_names), name) !=
         std::end(measurement_names);
}

bool Problem::delays(std::size_t record) const {
  if (const auto fixed = setup_.fixed.find("delay"); fixed != setup_.fixed.end())
    return fixed->second != 0;
  return std::any_of(unknowns_.begin(), unknowns_.end(), [&](const Unknown& unknown) {
    return unknown.role == Unknown::Role::delay && applies(unknown, record);
  });
}

bool Problem::predict(std::span<const double> x, std::size_t record, std::vector<double>& f) const {
  const Data& data = records_[record];
  using Role = Unknown::Role;
  const auto m =
      measurement_of(setup_, unknowns_, values(x), record, scales_[record].input_center());
  const std::vector<double>& clock = clocks_[record];
  if (data.path) {
    try {
      const bool at_first = beginnings_[record] == Beginning::first_row;
      const History history = model_.with(parameters(x, record))
                                  .run(*data.path, at_first ? Start::first_row : Start::virgin);
      if (history.status != Status::ok) return false;
      f = history.f_along(data.direction);
    } catch (const Error&) {
      return false;  // numbers that the law refuses
    }
    for (std::size_t i = 0; i < f.size(); ++i) {
      f[i] = m.answer(f[i], clock[i]);
      if (!std::isfinite(f[i])) return false;
    }
    return true;
  }
  std::vector<double> lead = lead_[record];
  lead.insert(lead.end(), m.before.begin(), m.before.end());
  const double origin =
      m.of(Role::offset_u) + (beginnings_[record] == Beginning::first_row ? data.u.front() : 0.0);
  std::vector<double> rows;
  for (std::size_t i = 0; i < data.rows(); ++i)
    rows.push_back(data.u[i] - origin - m.of(Role::drift_u) * clock[i]);
  std::optional<DelayedMotion<double>> delayed;
  if (delays(record)) delayed.emplace(clock, m.of(Role::delay), stops(record), rows);
  const std::vector<double>& motion = delayed ? delayed->motion() : rows;
  Path path;
  path.u.reserve(lead.size() + motion.size());
  for (const double u : lead) path.u.push_back(u - origin);
  path.u.insert(path.u.end(), motion.begin(), motion.end());
  if (!data.t.empty() && !stops(record)) {
    path.t.assign(lead.size(), data.t.front());  // no time passes: reached infinitely slowly
    path.t.insert(path.t.end(), data.t.begin(), data.t.end());
  }
  try {
    const AnyModel law = model_.with(parameters(x, record));
    const History history = law.run(path);
    if (history.status != Status::ok) return false;
    const std::span<const double> answers = std::span(history.f).subspan(lead.size());
    f = delayed ? delayed->answers(answers) : std::vector<double>(answers.begin(), answers.end());
    for (std::size_t i = 0; i < f.size(); ++i) {
      f[i] = m.answer(f[i], clock[i]);
      if (!std::isfinite(f[i])) return false;
    }
    return true;
  } catch (const Error&) {
    return false;  // numbers that the law refuses
  }
}

/// One record, eight directions a pass.
bool Problem::differentiate(std::size_t record, std::span<const double> x, Eigen::Index first_row,
                            Eigen::VectorXd& residuals, Eigen::MatrixXd& jacobian) const {
  using Role = Unknown::Role;
  const Data& data = records_[record];
  const std::vector<double>& clock = clocks_[record];
  std::vector<std::size_t> mine;
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (applies(unknowns_[i], record) && !unknowns_[i].pinned) mine.push_back(i);
  const bool at_first = beginnings_[record] == Beginning::first_row;

  for (std::size_t first = 0; first < mine.size(); first += dual_width) {
    const std::size_t width = std::min<std::size_t>(dual_width, mine.size() - first);
    std::vector<WideDual> seeds(x.begin(), x.end());
    for (std::size_t j = 0; j < width; ++j) seeds[mine[first + j]].v[static_cast<int>(j)] = 1;
    const auto p = values_at(unknowns_, seeds);
    const auto m = measurement_of(setup_, unknowns_, p, record, scales_[record].input_center());

    const WideDual origin = m.of(Role::offset_u) + (at_first ? data.u.front() : 0.0);
    std::vector<WideDual> u;
    for (const double lead : lead_[record]) u.push_back(lead - origin);
    for (const WideDual& before : m.before) u.push_back(before - origin);
    const std::size_t lead = u.size();
    std::vector<WideDual> rows;
    for (std::size_t i = 0; i < data.rows(); ++i)
      rows.push_back(data.u[i] - origin - m.of(Role::drift_u) * clock[i]);
    std::optional<DelayedMotion<WideDual>> delayed;
    if (delays(record)) delayed.emplace(clock, m.of(Role::delay), stops(record), rows);
    const std::vector<WideDual>& motion = delayed ? delayed->motion() : rows;
    u.insert(u.end(), motion.begin(), motion.end());
    std::vector<double> dt;
    if (!data.t.empty() && !stops(record)) {
      dt.assign(lead + 1, infinity);
      for (std::size_t i = 1; i < data.rows(); ++i) dt.push_back(data.t[i] - data.t[i - 1]);
    }

    DualValues derivatives;
    const ParameterValues plain = parameters(x, record);
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      const Unknown& unknown = unknowns_[i];
      if (unknown.role != Unknown::Role::parameter || !applies(unknown, record)) continue;
      auto& list = derivatives[unknown.parameter];
      const Value& value = plain.at(unknown.parameter);
      if (list.empty())
        for (std::size_t e = 0; e < std::max<std::size_t>(element_count(value), 1); ++e)
          list.emplace_back(element_of(value, e));
      list[unknown.element] = p[i];
    }
    std::vector<WideDual> f(u.size());
    try {
      ParameterValues changed;
      for (const auto& [name, value] : plain) changed.emplace(name, value);
      const AnyDualModel law = model_.with(changed).dual(derivatives);
      if (data.path) {
        if (!run_along(law, data, model_.directions(), at_first, f)) return false;
      } else {
        AnyState state = law.rest();
        if (law.run(dt, u, state, f) != Status::ok) return false;
      }
    } catch (const Error&) {
      return false;
    }
    const std::span<const WideDual> answers =
        std::span<const WideDual>(f).subspan(data.path ? 0 : lead);
    const std::vector<WideDual> by_row =
        delayed ? delayed->answers(answers) : std::vector<WideDual>(answers.begin(), answers.end());
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const Eigen::Index row = first_row + static_cast<Eigen::Index>(i);
      const double factor = factors_[record][i];
      const WideDual answer = m.answer(by_row[i], clock[i]);
      residuals[row] = factor * (answer.a - data.f[i]);
      if (!std::isfinite(residuals[row])) return false;
      for (std::size_t j = 0; j < width; ++j) {
        const double slope = factor * answer.v[static_cast<int>(j)];
        if (!std::isfinite(slope)) return false;
        jacobian(row, static_cast<Eigen::Index>(mine[first + j])) = slope;
      }
    }
  }
  return true;
}

bool Problem::evaluate(std::span<const double> x, Eigen::VectorXd& residuals,
                       Eigen::MatrixXd* jacobian) const {
  residuals.resize(static_cast<Eigen::Index>(rows_));
  if (jacobian) jacobian->setZero(residuals.size(), static_cast<Eigen::Index>(unknowns_.size()));
  Eigen::Index row = 0;
  std::vector<double> f;
  for (std::size_t r = 0; r < records_.size(); ++r) {
    const Data& data = records_[r];
    if (jacobian) {
      if (!differentiate(r, x, row, residuals, *jacobian)) return false;
      row += static_cast<Eigen::Index>(data.rows());
      continue;
    }
    if (!predict(x, r, f)) return false;
    for (std::size_t i = 0; i < f.size(); ++i, ++row)
      residuals[row] = factors_[r][i] * (f[i] - data.f[i]);
  }
  return true;
}

}  // namespace microslip::fit
