#include "laws/checks_mechanics.hpp"

#include <algorithm>
#include <functional>

#include "laws/quadrature.hpp"

namespace microslip::laws {
namespace {

/// Sum of |Δu| along the path: with the force scale, a bound of the energy that flows.
template <class P>
double length(const Case<P>& c) {
  double sum = c.scale.u;
  auto u = along_x<P>(0);
  for (const auto& move : c.path) {
    sum += magnitude(move.u - u);
    u = move.u;
  }
  return sum;
}

/// Where a step is cut: anywhere, near the ends, and more than once at the same place.
/// With time, du/dt of a very short piece is rounding, so pieces stay longer than 1e-3.
std::vector<double> draw_cuts(Rng& rng, bool timed) {
  std::vector<double> cuts;
  for (std::size_t n = rng.below(7); n > 0; --n) {
    const double cut = rng.uniform(0, 1);
    cuts.push_back(timed ? std::floor(1 + 998 * cut) / 1000 : cut);
  }
  if (!timed) {
    if (rng.chance(0.2)) cuts.push_back(rng.log_uniform(1e-15, 1e-3));
    if (rng.chance(0.2)) cuts.push_back(1 - rng.log_uniform(1e-15, 1e-3));
  }
  if (!cuts.empty() && rng.chance(0.2)) cuts.push_back(cuts.front());
  std::sort(cuts.begin(), cuts.end());
  cuts.push_back(1);
  return cuts;
}

/// Calls visit(state, end, dt) on each piece of a leg that the law declares smooth.
template <class P, class Visit>
Fault along_pieces(const Model<P>& law, const State<P>& start, const P& target, double dt,
                   Visit&& visit) {
  State<P> state = start;
  double left = 1;
  for (int pieces = 0; left > 0 && state.u != target; ++pieces) {
    const double part = law.smooth_part(state, target);
    if (!(part > 0)) return "the kink after " + text(state.u) + " is not ahead";
    if (pieces > 10000) return "more than 10000 kinks on one leg";
    P end = target;
    if (part < 1) {
      if constexpr (planar<P>)
        end = state.u + part * (target - state.u);
      else
        end = law.next_kink(state, target > state.u ? 1 : -1);
    }
    const double time = dt * part * left;
    if (Fault fault = visit(state, end, time); !fault.empty()) return fault;
    law.step(state, end, time, state);
    left *= 1 - part;
  }
  return {};
}

/// Force on the straight way from `state` to `end`, as a function of the fraction done.
template <class P>
std::function<P(double)> force_on_way(const Model<P>& law, const State<P>& state, const P& end,
                                      double dt) {
  return [&law, &state, end, dt, to = state](double fraction) mutable {
    const P way = end - state.u;
    const P at = state.u + fraction * way;
    return P(law.step(state, at, fraction * dt, to).force);
  };
}

/// ∫ f du over a leg, cut at its kinks. `parts` refines the rule.
template <class P>
double work_between_kinks(const Model<P>& law, const State<P>& start, const P& target, double dt,
                          int parts, Fault& fault) {
  double sum = 0;
  fault = along_pieces(
      law, start, target, dt, [&](const auto& state, const P& end, double time) -> Fault {
        const P way = end - state.u;
        auto force = force_on_way(law, state, end, time);
        sum += graded_integral([&](double x) { return dot(way, P(force(x))); }, parts);
        return {};
      });
  return sum;
}

/// The same where nobody tells the kinks.
template <class P>
double work(const Model<P>& law, const State<P>& start, const P& target, double dt,
            double tolerance) {
  const P way = target - start.u;
  auto force = force_on_way(law, start, target, dt);
  const auto power = [&](double x) { return dot(force(x), way); };
  std::vector<double> cells{0, 0.25, 0.5, 0.75, 1};  // rules on a wide one may miss what is inside
  // A start close to sliding is a spike that no rule sees: its height times the length it has at
  // least is what it is worth.
  const double later = power(0.01), smooth = 4 * std::abs(power(0.02) - later);
  for (double x = 1e-3; x > 1e-10; x /= 10)
    if (const double height = std::abs(power(x) - later) - smooth; height * x > 0.1 * tolerance) {
      for (double edge = 0.1 * x; edge < 0.1; edge *= 10) cells.push_back(edge);
      break;
    }
  std::sort(cells.begin(), cells.end());
  double sum = 0;
  for (std::size_t i = 0; i + 1 < cells.size(); ++i)
    sum += adaptive_integral(power, cells[i], cells[i + 1], tolerance / 4);
  return sum;
}

/// The force jumps at the very end of a step, which a law with kinks that depend on the velocity
/// may do, and `force` is one of its sides: rounding decides between them.
template <class P>
bool is_side_of_jump(const Case<P>& c, const Model<P>& law, const State<P>& from,
                     const Move<P>& move, const P& force) {
  if (!c.subject->samples.kinks_depend_on_velocity) return false;
  State<P> to = from;
  for (const double by : {-1e-12, 1e-12}) {
    const P beside = move.u + along_x<P>(by * c.scale.u);
    const double slope = magnitude(law.step(from, beside, move.dt, to).tangent);
    if (magnitude(to.f - force) <= c.precision() * c.scale.f + 1e-11 * slope * c.scale.u)
      return true;
  }
  return false;
}

/// Does the work of a leg agree with the account? `done` is the work; driven by force, it is
/// ∫ u df = [u f] − ∫ f du.
template <class P>
bool balanced(const Case<P>& c, const Model<P>& law, const State<P>& start, const Move<P>& move,
              const State<P>& end, double account, double flow, double& done, Fault& fault) {
  // A finer rule only where the first is not good enough: steep laws need it.
  for (int parts = 1; parts <= 256; parts *= 4) {
    done = work_between_kinks(law, start, move.u, move.dt, parts, fault);
    if (!fault.empty()) return false;
    if (law.driven_by_force()) done = dot(end.u, end.f) - dot(start.u, start.f) - done;
    if (std::abs(done - account) <= 0.1 * c.precision() * flow) return true;
  }
  return false;
}

}  // namespace

template <class P>
Fault substeps(const Case<P>& c) {
  const Model<P> law = c.law();
  Rng rng(c.seed);
  State<P> whole = law.rest();
  State<P> fine = law.rest();
  double lost_whole = 0, lost_fine = 0;
  double largest = c.scale.f;
  const double way = length(c);
  for (const auto& move : c.path) {
    const auto start = whole.u;
    const State<P> before = whole;
    const auto reply = law.step(whole, move.u, move.dt, whole);
    lost_whole += reply.dissipated;
    largest = std::max(largest, magnitude(reply.force));
    auto last = reply;
    double done = 0;
    for (const double cut : draw_cuts(rng, c.timed())) {
      const P target = cut == 1 ? move.u : P(start + cut * (move.u - start));
      last = law.step(fine, target, (cut - done) * move.dt, fine);
      lost_fine += last.dissipated;
      done = cut;
    }
    if (!(magnitude(last.force - reply.force) <= c.precision() * largest) &&
        !is_side_of_jump(c, law, before, move, P(last.force)))
      return "force " + text(reply.force) + " in one step, " + text(last.force) + " in several";
    if (!(std::abs(lost_fine - lost_whole) <= c.precision() * largest * way))
      return "energy " + text(lost_whole) + " in one step, " + text(lost_fine) + " in several";
    const double stored = law.stored(whole), stored_fine = law.stored(fine);
    if (!(std::abs(stored_fine - stored) <= c.precision() * largest * way))
      return "stored " + text(stored) + " in one step, " + text(stored_fine) + " in several";
  }
  return {};
}

template <class P>
Fault energy_balance(const Case<P>& c) {
  const Model<P> law = c.law();
  State<P> state = law.rest();
  for (const auto& move : c.path) {
    State<P> to = state;
    const auto reply = law.step(state, move.u, move.dt, to);
    const double account = law.stored(to) - law.stored(state) + reply.dissipated;
    const double flow = std::max({magnitude(state.f), magnitude(reply.force), c.scale.f}) *
                            magnitude(move.u - state.u) +
                        std::abs(law.stored(to)) + std::abs(law.stored(state)) +
                        std::abs(reply.dissipated);
    double done = 0;
    bool right = false;
    Fault fault;
    if (!c.subject->tells_kinks()) {
      done = work(law, state, move.u, move.dt, 1e-9 * flow);
      right = std::abs(done - account) <= 1e-8 * flow;
    } else {
      right = balanced(c, law, state, move, to, account, flow, done, fault);
    }
    if (!fault.empty()) return fault;
    if (!right)
      return "from " + text(state.u) + " to " + text(move.u) + ": work " + text(done) +
             ", stored and dissipated " + text(account);
    state = to;
  }
  return {};
}

template <class P>
Fault kinks(const Case<P>& c) {
  const Model<P> law = c.law();
  const std::vector<double> cells = graded_cells();
  State<P> state = law.rest();
  for (const auto& move : c.path) {
    const Fault fault = along_pieces(
        law, state, move.u, move.dt, [&](const auto& from, const P& end, double time) -> Fault {
          const P way = end - from.u;
          if (magnitude(way) < 1e-9 * c.scale.u) return {};
          auto force = force_on_way(law, from, end, time);
          const auto f = [&](double x) { return dot(everywhere<P>(1), P(force(x))); };
          // With time, du/dt of a very short motion is rounding.
          const double least = c.timed() ? 1e-3 : 0;
          for (std::size_t i = 0; i + 1 < cells.size(); ++i)
            if (cells[i] >= least && !is_smooth(f, cells[i], cells[i + 1], 1e-9 * c.scale.f))
              return "not smooth between " + text(P(from.u + cells[i] * way)) + " and " +
                     text(P(from.u + cells[i + 1] * way)) + ", where next_kink tells of no kink";
          return {};
        });
    if (!fault.empty()) return fault;
    law.step(state, move.u, move.dt, state);
  }
  return {};
}

template <class P>
Fault huge_steps(const Case<P>& c) {
  const Model<P> law = c.law();
  State<P> state = law.rest();
  for (const auto& move : c.path) law.step(state, move.u, move.dt, state);
  for (const double side : {1.0, -1.0, 1.0}) {
    const auto far = along_x<P>(side * 1e6 * c.scale.u);
    State<P> whole = state;
    State<P> fine = state;
    if constexpr (!planar<P>) {
      // A law that slides as a whole under a limited load has no such step.
      AnyState trial = state.hidden;
      if (law.any().step(state.hidden, far, 1e6, trial).status == Status::macroslip) return {};
    }
    const auto once = law.step(state, far, 1e6, whole);
    if (once.status != Status::ok || !finite_reply(once) || !std::isfinite(law.stored(whole)))
      return "a step to " + text(far) + " answers force " + text(once.force) + ", energy " +
             text(once.dissipated) + ", " + std::string(explain(once.status));
    double lost = 0;
    auto last = once;
    constexpr int cuts = 40;
    for (int i = 0; i <= cuts; ++i) {  // 1e-6 of the way, then a factor of 1.41 each
      const double fraction = i == cuts ? 1 : std::pow(10.0, 6.0 * (i - cuts) / cuts);
      const double before = i == 0 ? 0 : std::pow(10.0, 6.0 * (i - 1 - cuts) / cuts);
      const P at = i == cuts ? far : P(state.u + fraction * (far - state.u));
      last = law.step(fine, at, 1e6 * (fraction - before), fine);
      lost += last.dissipated;
    }
    const double force = std::max(magnitude(once.force), c.scale.f);
    if (!(magnitude(last.force - once.force) <= c.precision() * force))
      return "to " + text(far) + ": force " + text(once.force) + " in one step, " +
             text(last.force) + " in many";
    if (!(std::abs(lost - once.dissipated) <=
          c.precision() * (force * magnitude(far - state.u) + std::abs(law.stored(whole)))))
      return "to " + text(far) + ": energy " + text(once.dissipated) + " in one step, " +
             text(lost) + " in many";
    state = whole;
  }
  return {};
}

template <class P>
Fault tiny_steps(const Case<P>& c) {
  const Model<P> law = c.law();
  State<P> state = law.rest();
  const auto tremble = [&](double dt) -> Fault {
    const auto centre = state.u;
    State<P> shaken = state;
    for (int i = 0; i < 60; ++i) {
      const double side = i % 2 == 0 ? 1 : -1;
      const double unit = magnitude(centre) > 0 ? 0x1p-51 * magnitude(centre) : 1e-300;
      const P at = centre + along_x<P>(side * unit * (1 + i % 7));
      const auto reply = law.step(shaken, at, dt, shaken);
      if (reply.status != Status::ok || !finite_reply(reply) || !std::isfinite(law.stored(shaken)))
        return "a tiny step from " + text(centre) + " to " + text(at) + " answers force " +
               text(reply.force) + ", energy " + text(reply.dissipated) + ", " +
               std::string(explain(reply.status));
      // A branch may start with infinite slope, never with a jump: 1e-6 of the scale is a jump.
      if (!c.timed() && !c.subject->law.description.rigid &&
          magnitude(reply.force - state.f) > 1e-6 * c.scale.f)
        return "a tiny step from " + text(centre) + " changes the force by " +
               text(P(reply.force - state.f));
    }
    if (c.timed() || c.subject->samples.trembling_matters) return {};
    const P on = centre + along_x<P>(0.1 * c.scale.u);
    State<P> calm = state;
    const auto expected = law.step(calm, on, dt, calm).force;
    const auto reply = law.step(shaken, on, dt, shaken);
    if (!(magnitude(reply.force - expected) <= 1e-6 * c.scale.f))
      return "after trembling at " + text(centre) + " the force at " + text(on) + " is " +
             text(reply.force) + ", not " + text(expected);
    return {};
  };
  for (const double side : {1.0, -1.0}) {  // where numbers end, their inverses are none
    State<P> to = state;
    const P least = along_x<P>(side * std::numeric_limits<double>::denorm_min());
    const auto reply = law.step(state, least, 0.1, to);
    if (reply.status != Status::ok || !finite_reply(reply) || !std::isfinite(law.stored(to)))
      return "the smallest step answers force " + text(reply.force) + ", tangent " +
             text(reply.tangent) + ", " + std::string(explain(reply.status));
  }
  if (Fault fault = tremble(1.0); !fault.empty()) return fault;
  for (const auto& move : c.path) {
    law.step(state, move.u, move.dt, state);
    if (Fault fault = tremble(move.dt); !fault.empty()) return fault;
  }
  return {};
}

template <class P>
Fault exact_returns(const Case<P>& c) {
  if (c.subject->samples.trembling_matters || c.subject->samples.creeping_matters) return {};
  const Model<P> law = c.law();
  const auto last_force = [&](const P& end, double factor) {
    State<P> state = law.rest();
    for (const auto& move : c.path) law.step(state, move.u, move.dt, state);
    const P near = factor * end;
    law.step(state, near, 1.0, state);
    const P beyond = 1.3 * end;
    return law.step(state, beyond, 1.0, state).force;
  };
  for (const auto& move : c.path) {
    const auto exact = last_force(move.u, 1);
    for (const double factor : {1 - 1e-9, 1 + 1e-9})
      if (!(magnitude(last_force(move.u, factor) - exact) <= 1e-6 * c.scale.f))
        return "passing " + text(move.u) + " exactly or beside it differs";
  }
  return {};
}

namespace {

/// Rigid friction after a step from `from` to `state`: sliding, at its limits, and its derivatives.
Fault slides_as_it_steps(const Case<double>& c, const Model<double>& law, const State<double>& from,
                         const State<double>& state, double dt) {
  const AnyModel& any = law.any();
  AnyState scratch = any.rest();
  const int side = state.u > from.u ? 1 : -1;
  const double v = (state.u - from.u) / dt;
  const auto slip = [&](double du, double dv) {
    return any.slip(from.hidden, {side, state.u + du, v + dv, dt, c.scale.u}, scratch);
  };
  const SlipForce<double> at = slip(0, 0);
  if (!(std::abs(at.force - state.f) <= 1e-12 * c.scale.f))
    return "slides to " + text(state.u) + " with force " + text(at.force) + ", steps there with " +
           text(state.f);
  // Against differences, as well as these are known: the spring of a law may be nothing beside its
  // friction. Slip forces of laws are linear in u.
  const double du = 0.1 * std::abs(state.u - from.u), dv = 1e-5 * std::abs(v);
  const double by_u = (slip(du, 0).force - slip(-du, 0).force) / (2 * du);
  const double by_v = (slip(0, dv).force - slip(0, -dv).force) / (2 * dv);
  const auto differ = [&](double x, double y, double step) {
    return !(std::abs(x - y) <= 1e-6 * std::abs(y) + 4e-15 * std::abs(at.force) / step);
  };
  // A kink between the two places, as Reid's at the origin, is no derivative.
  const bool kink = std::abs(state.u) <= du;
  if (!kink && differ(at.by_u, by_u, du))
    return "slip force by u: " + text(at.by_u) + ", by differences " + text(by_u);
  if (differ(at.by_v, by_v, dv))
    return "slip force by v: " + text(at.by_v) + ", by differences " + text(by_v);
  for (const int to : {-1, 1}) {
    State<double> onset = state;
    const double limit = any.slip(state.hidden, {to, state.u, 0, 0, c.scale.u}, scratch).force;
    const double way = to * 1e-12 * (c.scale.u + std::abs(state.u));
    const double slow = std::numeric_limits<double>::infinity();
    const double begins = law.step(state, state.u + way, slow, onset).force;
    if (!(std::abs(limit - begins) <= 1e-9 * (c.scale.f + std::abs(begins))))
      return "begins to slip towards " + text(to) + " at " + text(limit) + ", steps with " +
             text(begins);
  }
  return {};
}

/// A hundred times the way changes a force that does not jump by much more.
bool jumps_back(const Case<double>& c, const Model<double>& law, const State<double>& from,
                const State<double>& state) {
  State<double> to = state;
  const double slow = std::numeric_limits<double>::infinity();
  const double back = state.u > from.u ? -1 : 1;
  const auto change = [&](double way) {
    return std::abs(law.step(state, state.u + back * way, slow, to).force -
                    law.step(state, state.u, slow, to).force);
  };
  const double way = 1e-14 * c.scale.u + 1e-13 * std::abs(state.u);
  return change(way) > 1e-6 * c.scale.f && change(way) > 0.5 * change(100 * way);
}

}  // namespace

Fault rigidity(const Case<double>& c) {
  const Model<double> law = c.law();
  const bool rigid = law.any().rigid();
  if (rigid && !c.subject->law.description.rigid) return "rigid, but its description denies it";
  State<double> state = law.rest();
  for (const auto& move : c.path) {
    const State<double> from = state;
    law.step(state, move.u, move.dt, state);
    if (state.u == from.u) continue;
    if (rigid) {
      if (Fault fault = slides_as_it_steps(c, law, from, state, move.dt); !fault.empty())
        return fault;
    } else if (!c.subject->samples.creeping_matters && jumps_back(c, law, from, state)) {
      return "the force jumps where the motion turns at " + text(state.u) +
             ", but the law is not declared rigid";
    }
  }
  return {};
}

template Fault substeps(const Case<double>&);
template Fault substeps(const Case<Vec2<double>>&);
template Fault substeps(const Case<Vec<double, 3>>&);
template Fault energy_balance(const Case<double>&);
template Fault energy_balance(const Case<Vec2<double>>&);
template Fault energy_balance(const Case<Vec<double, 3>>&);
template Fault kinks(const Case<double>&);
template Fault kinks(const Case<Vec2<double>>&);
template Fault kinks(const Case<Vec<double, 3>>&);
template Fault huge_steps(const Case<double>&);
template Fault huge_steps(const Case<Vec2<double>>&);
template Fault huge_steps(const Case<Vec<double, 3>>&);
template Fault tiny_steps(const Case<double>&);
template Fault tiny_steps(const Case<Vec2<double>>&);
template Fault tiny_steps(const Case<Vec<double, 3>>&);
template Fault exact_returns(const Case<double>&);
template Fault exact_returns(const Case<Vec2<double>>&);
template Fault exact_returns(const Case<Vec<double, 3>>&);

}  // namespace microslip::laws
