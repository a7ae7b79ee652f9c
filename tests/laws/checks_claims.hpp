#pragma once

#include "laws/cases.hpp"

/// What a law claims about itself, tested both ways: a claim that holds must hold on every case;
/// one that fails must be seen broken; one that depends must do both, on the law's own sample sets.
/// A violation is relative to the scales of the case.
namespace microslip::laws {

/// A claim that fails must be broken by at least this much somewhere: clearly physics, not
/// rounding.
inline constexpr double visible = 1e-3;

template <class L>
double force_after(const ModelOf<L>& law, typename ModelOf<L>::State& state,
                   const typename Case<L>::P& u) {
  return step(law, state, u, 1.0, state).force;
}

/// f[−u] = −f[u]
template <class L>
double odd_violation(const Case<L>& c) {
  const auto law = c.law();
  auto one = law.rest();
  auto other = law.rest();
  double worst = 0;
  for (const auto& move : c.path) {
    const auto f = step(law, one, move.u, move.dt, one).force;
    const typename Case<L>::P opposite = -move.u;
    const auto g = step(law, other, opposite, move.dt, other).force;
    worst = std::max(worst, magnitude(f + g) / std::max(magnitude(f), c.scale.f));
  }
  return worst;
}

/// The same path at another speed.
template <class L>
double rate_violation(const Case<L>& c) {
  const auto law = c.law();
  auto slow = law.rest();
  auto fast = law.rest();
  double worst = 0;
  for (const auto& move : c.path) {
    const auto f = step(law, slow, move.u, 3 * move.dt, slow).force;
    const auto g = step(law, fast, move.u, move.dt, fast).force;
    worst = std::max(worst, magnitude(f - g) / std::max(magnitude(f), c.scale.f));
  }
  return worst;
}

/// Branches are the doubled backbone: the first branch after a virgin loading, and a reloading.
template <class L>
double masing_violation(const Case<L>& c) {
  const auto law = c.law();
  const auto backbone = [&](double x, double d) {
    auto state = law.rest();
    return force_after<L>(law, state, d * x) - law.rest().f;
  };
  Rng rng(c.seed);
  double worst = 0;
  for (const auto& move : c.path) {
    const double top = move.u;
    if (top == 0) continue;
    const double d = top > 0 ? 1 : -1;
    auto state = law.rest();
    const double f_top = force_after<L>(law, state, top);
    const double bottom = top * rng.uniform(-1, 0.9);
    const double f_bottom = force_after<L>(law, state, bottom);
    const double expected = f_top + 2 * backbone(std::abs(top - bottom) / 2, -d);
    const double back = bottom + rng.uniform(0, 1) * (top - bottom);
    const double f_back = force_after<L>(law, state, back);
    const double expected_back = f_bottom + 2 * backbone(std::abs(back - bottom) / 2, d);
    worst = std::max({worst, std::abs(f_bottom - expected), std::abs(f_back - expected_back)});
  }
  return worst / c.scale.f;
}

/// The state after the path, and how far its last motion went back to: the room for an excursion
/// that forgets nothing else.
template <class L>
double room_of_last_leg(const Case<L>& c) {
  double start = 0, at = 0;
  for (const auto& move : c.path) {
    if ((move.u - at) * (at - start) < 0) start = at;
    at = move.u;
  }
  return start - at;
}

/// A reversal and the return to where it began: the force must be the old one.
template <class L>
double closing_violation(const Case<L>& c) {
  const auto law = c.law();
  Rng rng(c.seed);
  auto state = law.rest();
  for (const auto& move : c.path) step(law, state, move.u, 1.0, state);
  const double u = state.u, f = state.f;
  force_after<L>(law, state, u + rng.uniform(0.05, 0.6) * room_of_last_leg(c));
  return std::abs(force_after<L>(law, state, u) - f) / c.scale.f;
}

/// An excursion with loops of its own; then the law goes on as if it had not been.
template <class L>
double memory_violation(const Case<L>& c) {
  const auto law = c.law();
  Rng rng(c.seed);
  auto state = law.rest();
  for (const auto& move : c.path) step(law, state, move.u, 1.0, state);
  const double u = state.u, room = room_of_last_leg(c);
  auto direct = state;
  const double depth = rng.uniform(0.3, 0.95);
  for (int i = 0; i < 4; ++i) force_after<L>(law, state, u + depth * rng.uniform(0, 1) * room);
  double worst = std::abs(force_after<L>(law, state, u) - direct.f);
  for (const double on : {0.1, 0.5, 2.0}) {
    const double target = u - on * room;
    worst = std::max(
        worst, std::abs(force_after<L>(law, state, target) - force_after<L>(law, direct, target)));
  }
  return worst / c.scale.f;
}

/// No step loses a negative energy, and nothing is owed to the store.
template <class L>
double dissipation_violation(const Case<L>& c) {
  const auto law = c.law();
  auto state = law.rest();
  double worst = 0, largest = c.scale.energy();
  for (const auto& move : c.path) {
    const auto before = state.u;
    const auto reply = step(law, state, move.u, move.dt, state);
    largest = std::max(largest, magnitude(reply.force) * magnitude(move.u - before));
    worst = std::max({worst, -reply.dissipated, -law.stored(state)});
    if (std::isnan(reply.dissipated)) return reply.dissipated;
  }
  return worst / largest;
}

/// Energy created by repeating the path as a cycle, once it is steady.
template <class L>
double creation_violation(const Case<L>& c) {
  const auto law = c.law();
  auto state = law.rest();
  double lost = 0;
  for (int cycle = 0; cycle < 8; ++cycle)
    for (const auto& move : c.path) {
      const double energy = step(law, state, move.u, move.dt, state).dissipated;
      if (cycle >= 4) lost += energy;
    }
  return std::max(0.0, -lost) / c.scale.energy();
}

/// How the force grows far out, as an exponent of the displacement: 1 for a spring, and for a
/// dashpot, since the time stays the same. A law that saturates slowly still shows a little growth
/// between 1e8 and 1e12 slip displacements.
template <class L>
double bound_violation(const Case<L>& c) {
  const auto law = c.law();
  auto state = law.rest();
  for (const auto& move : c.path) step(law, state, move.u, move.dt, state);
  double worst = 0;
  for (const double side : {1.0, -1.0}) {
    const auto near = along_x<ModelOf<L>>(side * 1e8 * c.scale.u);
    const auto far = along_x<ModelOf<L>>(side * 1e12 * c.scale.u);
    auto at = state;
    const double f = magnitude(step(law, at, near, 1.0, at).force);
    const double f_far = magnitude(step(law, at, far, 1.0, at).force);
    if (!std::isfinite(f_far)) return std::numeric_limits<double>::infinity();
    worst = std::max(worst, std::log(f_far / std::max(f, c.scale.f)) / std::log(1e4));
  }
  return worst;
}

/// Turning the path turns the force.
template <class L>
double isotropy_violation(const Case<L>& c) {
  const auto law = c.law();
  const double angle = Rng(c.seed).uniform(0, 6.28);
  Mat2<double> turn;
  turn << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
  auto one = law.rest();
  auto other = law.rest();
  double worst = 0;
  for (const auto& move : c.path) {
    const Vec2<double> f = law.step(one, move.u, one).force;
    const Vec2<double> g = law.step(other, turn * move.u, other).force;
    worst = std::max(worst, (turn * f - g).norm() / std::max(f.norm(), c.scale.f));
  }
  return worst;
}

// -------------------------------------------------------------------------- both ways

/// The violation stays below the tolerance on all given cases.
template <class L, class Violation>
Fault must_hold(std::string_view claim, double tolerance, const Violation& violation,
                const std::vector<ParamsOf<L>>& sets, std::size_t count) {
  const auto check = [&](const Case<L>& c) -> Fault {
    const double v = violation(c);
    if (v <= tolerance) return {};
    return "violated by " + text(v) + " of the scale";
  };
  if (sets.empty()) return on_random_cases<L>(claim, count, check);
  for (const auto& params : sets) {
    const auto with_these = [&](const Case<L>& c) {
      Case<L> fixed = case_with<L>(params, c.seed);
      return check(fixed);
    };
    if (Fault fault = on_random_cases<L>(claim, count / sets.size() + 1, with_these);
        !fault.empty())
      return "where it should hold, " + text_of(params) + ": " + fault;
  }
  return {};
}

/// Some case shows it broken.
template <class L, class Violation, class Draw>
Fault some_case_breaks(std::string_view claim, const Violation& violation, std::size_t count,
                       const Draw& draw) {
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double v = violation(draw(seed_for(base_seed(), claim, i)));
    if (v > visible) return {};
    worst = std::max(worst, v);
  }
  return "should fail, yet the largest violation in " + std::to_string(count) + " cases is " +
         text(worst) + " of the scale (MICROSLIP_SEED=" + std::to_string(base_seed()) + ")";
}

/// Broken with each of the given sets, or with some random one.
template <class L, class Violation>
Fault must_break(std::string_view claim, const Violation& violation,
                 const std::vector<ParamsOf<L>>& sets, std::size_t count) {
  if (sets.empty()) return some_case_breaks<L>(claim, violation, count, &draw_case<L>);
  for (const auto& params : sets) {
    const auto draw = [&](std::uint64_t seed) { return case_with<L>(params, seed); };
    if (Fault fault = some_case_breaks<L>(claim, violation, count, draw); !fault.empty())
      return "with " + text_of(params) + " it " + fault;
  }
  return {};
}

template <class L>
std::vector<ParamsOf<L>> sample_sets(std::string_view claim, bool holding) {
  if constexpr (requires { SamplesOf<L>::sets(claim, holding); })
    return SamplesOf<L>::sets(claim, holding);
  else
    return {};
}

/// `broken` measures the violation that a failing claim must show; mostly the same.
template <class L, class Violation, class Broken>
Fault check_claim(std::string_view name, const Claim& claim, double tolerance,
                  const Violation& violation, const Broken& broken) {
  constexpr std::size_t count = 150;
  switch (claim.verdict) {
    case Verdict::not_applicable:
      return {};
    case Verdict::holds:
      return must_hold<L>(name, tolerance, violation, {}, count);
    case Verdict::fails:
      return must_break<L>(name, broken, sample_sets<L>(name, false), 3 * count);
    case Verdict::depends:
      break;
  }
  const auto good = sample_sets<L>(name, true);
  const auto bad = sample_sets<L>(name, false);
  if (good.empty() || bad.empty())
    return "the claim '" + std::string(name) +
           "' depends: tests/laws/samples must give parameters where it holds and where not";
  Fault fault = must_hold<L>(name, tolerance, violation, good, count);
  return fault.empty() ? must_break<L>(name, broken, bad, 3 * count) : fault;
}
template <class L, class Violation>
Fault check_claim(std::string_view name, const Claim& claim, double tolerance,
                  const Violation& violation) {
  return check_claim<L>(name, claim, tolerance, violation, violation);
}

}  // namespace microslip::laws
