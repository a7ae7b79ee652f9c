#include "laws/checks_claims.hpp"

#include <algorithm>

namespace microslip::laws {
namespace {

/// A claim that fails must be broken by at least this much somewhere: clearly physics, not
/// rounding.
constexpr double visible = 1e-3;

double force_after(const Model<double>& law, State<double>& state, double u) {
  return law.step(state, u, 1.0, state).force;
}

/// How far back the last motion of the path began: the room for an excursion that forgets nothing
/// else.
double room_of_last_leg(const Case<double>& c) {
  double start = 0, at = 0;
  for (const auto& move : c.path) {
    if ((move.u - at) * (at - start) < 0) start = at;
    at = move.u;
  }
  return start - at;
}

}  // namespace

template <class P>
double odd_violation(const Case<P>& c) {
  const Model<P> law = c.law();
  State<P> one = law.rest();
  State<P> other = law.rest();
  double worst = 0;
  for (const auto& move : c.path) {
    const auto f = law.step(one, move.u, move.dt, one).force;
    const P opposite = -move.u;
    const auto g = law.step(other, opposite, move.dt, other).force;
    worst = std::max(worst, magnitude(f + g) / std::max(magnitude(f), c.scale.f));
  }
  return worst;
}

double rate_violation(const Case<double>& c) {
  const Model<double> law = c.law();
  State<double> slow = law.rest();
  State<double> fast = law.rest();
  double worst = 0;
  for (const auto& move : c.path) {
    const auto f = law.step(slow, move.u, 3 * move.dt, slow).force;
    const auto g = law.step(fast, move.u, move.dt, fast).force;
    worst = std::max(worst, magnitude(f - g) / std::max(magnitude(f), c.scale.f));
  }
  return worst;
}

double masing_violation(const Case<double>& c) {
  const Model<double> law = c.law();
  const auto backbone = [&](double x, double d) {
    State<double> state = law.rest();
    return force_after(law, state, d * x) - law.rest().f;
  };
  Rng rng(c.seed);
  double worst = 0;
  for (const auto& move : c.path) {
    const double top = move.u;
    if (top == 0) continue;
    const double d = top > 0 ? 1 : -1;
    State<double> state = law.rest();
    const double f_top = force_after(law, state, top);
    const double bottom = top * rng.uniform(-1, 0.9);
    const double f_bottom = force_after(law, state, bottom);
    const double expected = f_top + 2 * backbone(std::abs(top - bottom) / 2, -d);
    const double back = bottom + rng.uniform(0, 1) * (top - bottom);
    const double f_back = force_after(law, state, back);
    const double expected_back = f_bottom + 2 * backbone(std::abs(back - bottom) / 2, d);
    worst = std::max({worst, std::abs(f_bottom - expected), std::abs(f_back - expected_back)});
  }
  return worst / c.scale.f;
}

double closing_violation(const Case<double>& c) {
  const Model<double> law = c.law();
  Rng rng(c.seed);
  State<double> state = law.rest();
  for (const auto& move : c.path) law.step(state, move.u, 1.0, state);
  const double u = state.u, f = state.f;
  force_after(law, state, u + rng.uniform(0.05, 0.6) * room_of_last_leg(c));
  return std::abs(force_after(law, state, u) - f) / c.scale.f;
}

double memory_violation(const Case<double>& c) {
  const Model<double> law = c.law();
  Rng rng(c.seed);
  State<double> state = law.rest();
  for (const auto& move : c.path) law.step(state, move.u, 1.0, state);
  const double u = state.u, room = room_of_last_leg(c);
  State<double> direct = state;
  const double depth = rng.uniform(0.3, 0.95);
  for (int i = 0; i < 4; ++i) force_after(law, state, u + depth * rng.uniform(0, 1) * room);
  double worst = std::abs(force_after(law, state, u) - direct.f);
  for (const double on : {0.1, 0.5, 2.0}) {
    const double target = u - on * room;
    worst = std::max(worst,
                     std::abs(force_after(law, state, target) - force_after(law, direct, target)));
  }
  return worst / c.scale.f;
}

template <class P>
double dissipation_violation(const Case<P>& c) {
  const Model<P> law = c.law();
  State<P> state = law.rest();
  double worst = 0, largest = c.scale.energy();
  for (const auto& move : c.path) {
    const auto before = state.u;
    const auto reply = law.step(state, move.u, move.dt, state);
    largest = std::max(largest, magnitude(reply.force) * magnitude(move.u - before));
    worst = std::max({worst, -reply.dissipated, -law.stored(state)});
    if (std::isnan(reply.dissipated)) return reply.dissipated;
  }
  return worst / largest;
}

template <class P>
double creation_violation(const Case<P>& c) {
  const Model<P> law = c.law();
  State<P> state = law.rest();
  double lost = 0;
  for (int cycle = 0; cycle < 8; ++cycle)
    for (const auto& move : c.path) {
      const double energy = law.step(state, move.u, move.dt, state).dissipated;
      if (cycle >= 4) lost += energy;
    }
  return std::max(0.0, -lost) / c.scale.energy();
}

template <class P>
double bound_violation(const Case<P>& c) {
  const Model<P> law = c.law();
  State<P> state = law.rest();
  for (const auto& move : c.path) law.step(state, move.u, move.dt, state);
  double worst = 0;
  for (const double side : {1.0, -1.0}) {
    const auto near = everywhere<P>(side * 1e8 * c.scale.u);
    const auto far = everywhere<P>(side * 1e12 * c.scale.u);
    State<P> at = state;
    const double f = magnitude(law.step(at, near, 1.0, at).force);
    const double f_far = magnitude(law.step(at, far, 1.0, at).force);
    if (!std::isfinite(f_far)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, std::log(f_far / std::max(f, c.scale.f)) / std::log(1e4));
  }
  return worst;
}

template <class P>
double isotropy_violation(const Case<P>& c) {
  const Model<P> law = c.law();
  const double angle = Rng(c.seed).uniform(0, 6.28);
  Tangent<P> turn = Tangent<P>::Identity();
  turn.template topLeftCorner<2, 2>() << std::cos(angle), -std::sin(angle), std::sin(angle),
      std::cos(angle);
  State<P> one = law.rest();
  State<P> other = law.rest();
  double worst = 0;
  for (const auto& move : c.path) {
    const P f = law.step(one, move.u, 0, one).force;
    const P g = law.step(other, turn * move.u, 0, other).force;
    worst = std::max(worst, (turn * f - g).norm() / std::max(f.norm(), c.scale.f));
  }
  return worst;
}

// -------------------------------------------------------------------------- both ways

namespace {

/// The violation stays below the tolerance on all given cases.
template <class P>
Fault must_hold(const Subject& subject, std::string_view claim, double tolerance,
                const Violation<P>& violation, const Sets& sets, std::size_t count) {
  const Check<P> check = [&](const Case<P>& c) -> Fault {
    const double v = violation(c);
    if (v <= tolerance) return {};
    return "violated by " + text(v) + " of the scale";
  };
  if (sets.empty()) return on_random_cases<P>(subject, claim, count, check);
  for (const ParameterValues& params : sets) {
    if (Fault fault = on_random_cases<P>(subject, claim, count / sets.size() + 1, check, &params);
        !fault.empty())
      return "where it should hold, " + text_of(subject, subject.complete(params)) + ": " + fault;
  }
  return {};
}

/// Some case shows it broken.
template <class P>
Fault some_case_breaks(std::string_view claim, const Violation<P>& violation, std::size_t count,
                       const std::function<Case<P>(std::uint64_t)>& draw) {
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    try {
      const double v = violation(draw(seed_for(base_seed(), claim, i)));
      if (v > visible) return {};
      worst = std::max(worst, v);
    } catch (const Undefined&) {  // breaks nothing
    }
  }
  return "should fail, yet the largest violation in " + std::to_string(count) + " cases is " +
         text(worst) + " of the scale (MICROSLIP_SEED=" + std::to_string(base_seed()) + ")";
}

/// Broken with each of the given sets, or with some random one.
template <class P>
Fault must_break(const Subject& subject, std::string_view claim, const Violation<P>& violation,
                 const Sets& sets, std::size_t count) {
  if (sets.empty())
    return some_case_breaks<P>(claim, violation, count,
                               [&](std::uint64_t seed) { return draw_case<P>(subject, seed); });
  for (const ParameterValues& params : sets) {
    const auto draw = [&](std::uint64_t seed) {
      Case<P> c = case_with<P>(subject, params, seed);
      const auto witness = subject.samples.witness;
      const auto path = witness ? witness(claim) : std::vector<std::pair<double, double>>{};
      if (!path.empty()) c.path.clear();
      for (const auto& [u, dt] : path) c.path.push_back({along_x<P>(u * c.scale.u), dt});
      return c;
    };
    if (Fault fault = some_case_breaks<P>(claim, violation, count, draw); !fault.empty())
      return "with " + text_of(subject, subject.complete(params)) + " it " + fault;
  }
  return {};
}

Sets sample_sets(const Subject& subject, std::string_view claim, bool holding) {
  return subject.samples.sets ? subject.samples.sets(claim, holding) : Sets{};
}

}  // namespace

template <class P>
Fault check_claim(const Subject& subject, std::string_view name, const Claim& claim,
                  double tolerance, const Violation<P>& violation, const Violation<P>& broken) {
  const std::size_t count = cases_instead_of(150);
  constexpr std::size_t most = 450;  // until one breaks it
  switch (claim.verdict) {
    case Verdict::not_applicable:
      return {};
    case Verdict::holds:
      return must_hold(subject, name, tolerance, violation, {}, count);
    case Verdict::fails:
      return must_break(subject, name, broken, sample_sets(subject, name, false), most);
    case Verdict::depends:
      break;
  }
  const Sets good = sample_sets(subject, name, true);
  const Sets bad = sample_sets(subject, name, false);
  if (good.empty() || bad.empty())
    return "the claim '" + std::string(name) +
           "' depends: tests/laws/samples must give parameters where it holds and where not";
  Fault fault = must_hold(subject, name, tolerance, violation, good, count);
  return fault.empty() ? must_break(subject, name, broken, bad, most) : fault;
}

template double odd_violation(const Case<double>&);
template double odd_violation(const Case<Vec2<double>>&);
template double odd_violation(const Case<Vec<double, 3>>&);
template double dissipation_violation(const Case<double>&);
template double dissipation_violation(const Case<Vec2<double>>&);
template double dissipation_violation(const Case<Vec<double, 3>>&);
template double creation_violation(const Case<double>&);
template double creation_violation(const Case<Vec2<double>>&);
template double creation_violation(const Case<Vec<double, 3>>&);
template double isotropy_violation(const Case<Vec2<double>>&);
template double isotropy_violation(const Case<Vec<double, 3>>&);
template double bound_violation(const Case<double>&);
template double bound_violation(const Case<Vec2<double>>&);
template double bound_violation(const Case<Vec<double, 3>>&);
template Fault check_claim(const Subject&, std::string_view, const Claim&, double,
                           const Violation<double>&, const Violation<double>&);
template Fault check_claim(const Subject&, std::string_view, const Claim&, double,
                           const Violation<Vec2<double>>&, const Violation<Vec2<double>>&);
template Fault check_claim(const Subject&, std::string_view, const Claim&, double,
                           const Violation<Vec<double, 3>>&, const Violation<Vec<double, 3>>&);

}  // namespace microslip::laws
