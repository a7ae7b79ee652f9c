#include "laws/checks_derivatives.hpp"

#include <algorithm>

namespace microslip::laws {
namespace {

// --------------------------------------------------------- numbers and vectors alike, dual

WideDual constant_dual(double x) { return WideDual(x); }
template <int N>
Vec<WideDual, N> constant_dual(const Eigen::Matrix<double, N, 1>& x) {
  return x.template cast<WideDual>();
}
/// Carries the derivatives with respect to displacement in the first directions.
WideDual variable_dual(double x) { return WideDual(x, 0); }
template <int N>
Vec<WideDual, N> variable_dual(const Eigen::Matrix<double, N, 1>& x) {
  Vec<WideDual, N> result = constant_dual(x);
  for (int i = 0; i < N; ++i) result[i].v[i] = 1;
  return result;
}
double derivative(const WideDual& f) { return f.v[0]; }
AnyMat<double> derivative(const AnyVec<WideDual>& f) {
  AnyMat<double> result(f.size(), f.size());
  for (Eigen::Index i = 0; i < f.size(); ++i) result.row(i) = f[i].v.head(f.size());
  return result;
}
double value(const WideDual& f) { return f.a; }
AnyVec<double> value(const AnyVec<WideDual>& f) {
  AnyVec<double> result(f.size());
  for (Eigen::Index i = 0; i < f.size(); ++i) result[i] = f[i].a;
  return result;
}

Response<WideDual> step(const AnyDualModel& law, const AnyState& from, const WideDual& u, double dt,
                        AnyState& to) {
  return law.step(from, u, dt, to);
}
AnyResponse<WideDual> step(const AnyDualModel& law, const AnyState& from, const AnyVec<WideDual>& u,
                           double /*dt*/, AnyState& to) {
  return law.step(from, u, to);
}

// --------------------------------------------------------------------------- tangents

/// Where the law cannot tell its kinks. A smooth tangent changes half as much over half the
/// distance and secants of both lengths agree, to second order; after a kink or a jump one of the
/// two is not so. What the law says of its tangent at u itself does not enter.
bool looks_kinked(const Case<double>& c, const Model<double>& law, const State<double>& from,
                  double u, double dt, double distance) {
  State<double> to = from;
  struct Change {
    double tangent, secant;
  };
  const auto change = [&](double x) -> Change {
    const auto before = law.step(from, u - x, dt, to), after = law.step(from, u + x, dt, to);
    return {after.tangent - before.tangent, (after.force - before.force) / (2 * x)};
  };
  const Change whole = change(distance), half = change(distance / 2);
  const double largest = std::max(std::abs(whole.secant), c.scale.k());
  return !(std::abs(half.tangent - 0.5 * whole.tangent) <= 1e-7 * largest &&
           std::abs(half.secant - whole.secant) <= 1e-7 * largest);
}

/// There is a kink within `distance` of u on the way there from `from` or beyond.
bool kink_near(const Case<double>& c, const Model<double>& law, State<double> from, double u,
               double dt, double distance) {
  const int direction = u > from.u ? 1 : -1;
  if (!c.subject->tells_kinks()) return looks_kinked(c, law, from, u, dt, distance);
  for (int i = 0; i < 10000; ++i) {
    const double kink = law.next_kink(from, direction);
    if (std::abs(kink - u) <= distance) return true;
    if (!(direction * (kink - u) < 0) || !(direction * (kink - from.u) > 0)) return false;
    law.step(from, kink, 1.0, from);
  }
  return true;
}

/// One-sided difference quotients of the force in the direction of the motion, at h and h/2.
std::pair<double, double> one_sided(const Model<double>& law, const State<double>& from, double u,
                                    double force, double dt, double h) {
  const double d = u > from.u ? 1 : -1;
  State<double> to = from;
  const auto quotient = [&](double x) {
    return d * (law.step(from, u + d * x, dt, to).force - force) / x;
  };
  return {quotient(h), quotient(h / 2)};
}

Fault against_differences(const Case<double>& c, const Model<double>& law,
                          const State<double>& from, const Move<double>& move,
                          const Response<double>& reply) {
  const double h = 1e-6 * c.scale.u;
  const double largest = std::max(std::abs(reply.tangent), c.scale.k());
  const auto [coarse, fine] = one_sided(law, from, move.u, reply.force, move.dt, h);
  const double doubt = std::abs(coarse - fine);
  if (doubt < 0.05 * largest && !kink_near(c, law, from, move.u, move.dt, 2 * h) &&
      !(std::abs(2 * fine - coarse - reply.tangent) <= 2 * doubt + 1e-6 * largest))
    return "at " + text(move.u) + ": tangent " + text(reply.tangent) +
           ", by one-sided difference " + text(2 * fine - coarse);
  return {};
}

template <class P>
Fault against_duals(const Case<P>& c, const Model<P>& law, const AnyDualModel& dual_law,
                    const AnyState& from, const Move<P>& move, const Reply<P>& reply) {
  AnyState to = from;
  const auto dual = step(dual_law, from, variable_dual(move.u), move.dt, to);
  const double force = std::max(magnitude(reply.force), c.scale.f);
  const double slope = std::max(magnitude(reply.tangent), c.scale.k());
  const P by_value = value(dual.force);
  if (!(magnitude(by_value - reply.force) <= 1e-12 * force))
    return "at " + text(move.u) + ": force " + text(reply.force) + " with double, " +
           text(by_value) + " with dual numbers";
  const Tangent<P> by_dual = derivative(dual.force);
  if (!(magnitude(by_dual - reply.tangent) <= 1e-8 * slope))
    return "at " + text(move.u) + ": tangent " + text(reply.tangent) + ", by dual numbers " +
           text(by_dual);
  if constexpr (!planar<P>) {
    const double power = derivative(dual_law.stored(to) + dual.dissipated);
    const double expected = law.driven_by_force() ? move.u * reply.tangent : reply.force;
    if (!c.timed() &&
        !(std::abs(power - expected) <= 1e-8 * std::max(std::abs(expected), c.scale.f)))
      return "at " + text(move.u) + ": d(stored + dissipated)/du = " + text(power) +
             ", work per displacement " + text(expected);
  }
  return {};
}

/// A zero step answers the tangent of the step before it.
Fault against_zero_step(const Case<double>& c, const Model<double>& law, const State<double>& at,
                        double tangent) {
  State<double> still = at;
  const double after = law.step(at, at.u, 0.0, still).tangent;
  if (!(std::abs(after - tangent) <= 1e-8 * std::max(std::abs(after), c.scale.k())))
    return "at " + text(at.u) + ": tangent " + text(tangent) + " after the step, " + text(after) +
           " on a zero step there";
  return {};
}

}  // namespace

template <class P>
Fault tangents(const Case<P>& c) {
  const Model<P> law = c.law();
  const AnyDualModel dual_law = law.any().dual({});
  State<P> state = law.rest();
  State<P> to = state;
  AnyState dual_state = dual_law.rest();
  for (const auto& move : c.path) {
    const auto reply = law.step(state, move.u, move.dt, to);
    const bool moved = magnitude(move.u - state.u) > 1e-9 * c.scale.u;
    bool smooth = moved;
    if constexpr (!planar<P>)
      smooth = moved && !kink_near(c, law, state, move.u, move.dt, 1e-7 * c.scale.u);
    Fault fault;
    if (smooth) fault = against_duals(c, law, dual_law, dual_state, move, reply);
    if constexpr (!planar<P>) {
      if (fault.empty() && smooth) fault = against_differences(c, law, state, move, reply);
      if (fault.empty() && moved && !c.timed())
        fault = against_zero_step(c, law, to, reply.tangent);
    }
    if (!fault.empty()) return fault;
    state = to;
    step(dual_law, dual_state, constant_dual(move.u), move.dt, dual_state);
  }
  return {};
}

Fault virgin_tangent(const Case<double>& c) {
  if (c.subject->law.description.rigid) return {};  // the elastic slope beyond the jump
  const Model<double> law = c.law();
  State<double> to = law.rest();
  const Response<double> at_rest = law.step(law.rest(), law.rest().u, 0.0, to);
  // With chi near -1 the tangent of iwan4 falls like u^0.02, hence the extreme step and 1e-4. A law
  // with a force at rest has no digits left for such a step.
  const double way = (at_rest.force == 0 ? 1e-290 : 1e-6) * c.scale.u;
  const double secant = (law.step(law.rest(), way, 0.0, to).force - at_rest.force) / way;
  // Only a law without stiffness at rest is compared with what it has further out.
  const double size = at_rest.tangent == 0 ? c.scale.k() : std::abs(secant);
  if (!(std::abs(at_rest.tangent - secant) <= 1e-4 * size))
    return "virgin tangent " + text(at_rest.tangent) + ", force over displacement " + text(secant);
  return {};
}

Fault dual_runs(const Case<double>& c) {
  const AnyDualModel law = c.law().any().dual({});
  std::vector<double> dt;
  std::vector<WideDual> u;
  for (const auto& move : c.path) {
    dt.push_back(move.dt);
    u.emplace_back(move.u, static_cast<int>(u.size()) % dual_width);
  }
  std::vector<WideDual> stepped(u.size()), lost(u.size()), at_once(u.size());
  AnyState state = law.rest(), other = law.rest();
  const Status status = law.run(dt, u, state, stepped, lost);
  if (law.run(dt, u, other, at_once) != status) return "another status without losses";
  if (status != Status::ok) return {};
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double slope = std::max(stepped[i].v.cwiseAbs().maxCoeff(), c.scale.k());
    if (!(std::abs(at_once[i].a - stepped[i].a) <=
          1e-12 * std::max(std::abs(stepped[i].a), c.scale.f)))
      return "at " + text(u[i].a) + ": force " + text(stepped[i].a) + " by steps, " +
             text(at_once[i].a) + " at once";
    if (!((at_once[i].v - stepped[i].v).cwiseAbs().maxCoeff() <= 1e-9 * slope))
      return "at " + text(u[i].a) + ": other derivatives at once than by steps";
  }
  return {};
}

// ---------------------------------------------------------------------- sensitivities

namespace {

/// Force and energies, row by row.
template <class P>
std::vector<double> trace(const Case<P>& c, const ParameterValues& params) {
  const Model<P> law = c.law(params);
  State<P> state = law.rest();
  std::vector<double> result;
  double lost = 0;
  for (const auto& move : c.path) {
    const auto reply = law.step(state, move.u, move.dt, state);
    lost += reply.dissipated;
    for (const double f : numbers(reply.force)) result.push_back(f);
    result.push_back(lost / c.scale.u);
    result.push_back(law.stored(state) / c.scale.u);
  }
  return result;
}

/// The parameters of the given entries, each entry with a direction of its own.
DualValues seeded(const ParameterValues& params, const std::vector<Entry>& entries) {
  DualValues seeds;
  int direction = 0;
  for (const Entry& e : entries) {
    std::vector<WideDual>& duals = seeds[e.parameter];
    if (duals.empty()) {
      const Value& value = params.at(e.parameter);
      if (const auto* numbers = std::get_if<std::vector<double>>(&value))
        for (const double x : *numbers) duals.emplace_back(x);
      else
        duals.emplace_back(std::get<double>(value));
    }
    duals[e.index] = WideDual(entry(params, e), direction++);
  }
  return seeds;
}

/// Derivatives with respect to the given entries, in the order of `trace`.
template <class P>
std::vector<WideDual> dual_trace(const Case<P>& c, const std::vector<Entry>& entries) {
  const AnyDualModel law = c.law().any().dual(seeded(c.params, entries));
  AnyState state = law.rest();
  std::vector<WideDual> result;
  WideDual lost(0);
  for (const auto& move : c.path) {
    const auto reply = step(law, state, constant_dual(move.u), move.dt, state);
    lost += reply.dissipated;
    if constexpr (planar<P>)
      result.insert(result.end(), reply.force.begin(), reply.force.end());
    else
      result.push_back(reply.force);
    result.push_back(lost / c.scale.u);
    result.push_back(law.stored(state) / c.scale.u);
  }
  return result;
}

double unit_of(double p) { return p != 0 ? std::abs(p) : 1; }

/// Central differences against dual numbers, for one entry.
template <class P>
Fault against_differences(const Case<P>& c, const Entry& which, const std::vector<double>& middle,
                          const std::vector<double>& dual) {
  const double unit = unit_of(entry(c.params, which));
  const double h = 1e-5 * unit;
  const auto shifted = [&](double by) {
    ParameterValues params = c.params;
    entry(params, which) += by;
    return trace(c, params);
  };
  for (const double d : dual)
    if (!std::isfinite(d)) return "derivative with respect to " + which.name + " is " + text(d);
  std::vector<double> up, down, half_up, half_down;
  try {
    up = shifted(h), down = shifted(-h), half_up = shifted(h / 2), half_down = shifted(-h / 2);
  } catch (const Error&) {  // at a bound there are no two sides
    return {};
  }
  for (std::size_t i = 0; i < dual.size(); ++i) {
    const double size_here = std::max(c.scale.f, std::abs(middle[i])) / unit;
    const double bend = (up[i] - 2 * middle[i] + down[i]) / h;
    // A kink that the parameter moves across this point: no derivative to compare with.
    if (std::abs(bend) > 1e-2 * std::max(size_here, std::abs(dual[i]))) continue;
    const double coarse = (up[i] - down[i]) / (2 * h);
    const double fine = (half_up[i] - half_down[i]) / h;
    const double best = (4 * fine - coarse) / 3;
    const double tolerance = 2 * std::abs(fine - coarse) + std::abs(bend) +
                             1e-6 * std::max(size_here, std::abs(dual[i]));
    if (!(std::abs(dual[i] - best) <= tolerance))
      return "derivative of value " + std::to_string(i) + " of the history with respect to " +
             which.name + ": " + text(dual[i]) + " by dual numbers, " + text(best) +
             " by differences";
  }
  return {};
}

std::vector<double> part_of(const std::vector<WideDual>& duals, std::size_t direction) {
  std::vector<double> result;
  for (const WideDual& x : duals) result.push_back(x.v[static_cast<Eigen::Index>(direction)]);
  return result;
}

/// The same with the entry a little larger or smaller: between two kinks closer than the
/// differences are long, the derivative is another than the differences, but not beside them.
template <class P>
bool agrees_nearby(const Case<P>& c, const Entry& which) {
  for (const double side : {1.0, -1.0}) {
    Case<P> near = c;
    double& p = entry(near.params, which);
    p += side * 1e-4 * unit_of(p);
    try {
      const std::vector<double> by_dual = part_of(dual_trace(near, {which}), 0);
      if (against_differences(near, which, trace(near, near.params), by_dual).empty()) return true;
    } catch (const Error&) {  // beyond a bound
    }
  }
  return false;
}

}  // namespace

template <class P>
Fault sensitivities(const Case<P>& c) {
  const std::vector<double> middle = trace(c, c.params);
  const std::vector<Entry> all = entries(*c.subject, c.params);
  for (std::size_t first = 0; first < all.size(); first += dual_width) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    const auto count = std::min<std::ptrdiff_t>(dual_width, all.end() - begin);
    const std::vector<Entry> some(begin, begin + count);
    const std::vector<WideDual> duals = dual_trace(c, some);
    for (std::size_t i = 0; i < some.size(); ++i) {
      Fault fault = against_differences(c, some[i], middle, part_of(duals, i));
      if (!fault.empty() && !agrees_nearby(c, some[i])) return fault;
    }
  }
  return {};
}

template Fault tangents(const Case<double>&);
template Fault tangents(const Case<Vec2<double>>&);
template Fault tangents(const Case<Vec<double, 3>>&);
template Fault sensitivities(const Case<double>&);
template Fault sensitivities(const Case<Vec2<double>>&);
template Fault sensitivities(const Case<Vec<double, 3>>&);

}  // namespace microslip::laws
