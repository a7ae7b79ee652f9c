#include "laws/checks_declared.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/core/state_numbers.hpp"

namespace microslip::laws {
namespace {

StateNumbers<double>* numbered(AnyState& state) {
  return dynamic_cast<StateNumbers<double>*>(&state.get());
}

/// By central differences and as the law says.
Fault compare_slopes(const Case<double>& c, const AnyModel& law, const AnyState& at, double v) {
  const ForceInMotion<double> here = law.force(at, v);
  const double dv = 1e-5 * std::abs(v);
  const double on = (law.force(at, v + dv).force - here.force) / dv;
  const double back = (here.force - law.force(at, v - dv).force) / dv;
  // Where the law slides steadily its force may have a kink; elsewhere both are one, but for curvature.
  const double apart = std::abs(on - back),
               rounding = 4e-15 * (std::abs(here.force) + c.scale.f) / dv;
  if (!(std::abs(here.by_v - 0.5 * (on + back)) <= apart + 1e-8 * std::abs(on) + rounding))
    return "force by velocity " + text(here.by_v) + ", by differences " + text(on) + ", " +
           text(back);
  return {};
}

/// The force on dual numbers after the same steps.
Fault compare_duals(const Case<double>& c) {
  const AnyModel law = c.law().any();
  const AnyDualModel dual = law.dual({});
  AnyState state = law.rest(), dual_state = dual.rest();
  for (const auto& move : c.path) {
    const auto reply = law.step(state, move.u, move.dt, state);
    if (has_no_answer(reply.status)) throw Undefined{};
    dual.step(dual_state, WideDual(move.u), move.dt, dual_state);
    WideDual v(1.3 * c.scale.u / move.dt);
    v.v[2] = 1;
    const ForceInMotion<double> plain = law.force(state, v.a);
    const ForceInMotion<WideDual> wide = dual.force(dual_state, v);
    if (has_no_answer(plain.status)) continue;
    const double close = 1e-9 * (std::abs(plain.force) + c.scale.f);
    if (!(std::abs(wide.force.a - plain.force) <= close))
      return "force at a velocity " + text(plain.force) + ", on dual numbers " + text(wide.force.a);
    const double close_slope = 1e-9 * std::abs(plain.by_v) + close / v.a;
    if (!(std::abs(wide.force.v[2] - plain.by_v) <= close_slope))
      return "force by velocity " + text(plain.by_v) + ", on dual numbers " + text(wide.force.v[2]);
  }
  return {};
}

}  // namespace

Fault force_in_motion(const Case<double>& c) {
  const Model<double> law = c.law();
  State<double> state = law.rest();
  for (const auto& move : c.path) {
    const double way = move.u - state.u;
    const auto reply = law.step(state, move.u, move.dt, state);
    const bool moves = way != 0 && reply.status == Status::ok;
    const double v = c.timed() ? way / move.dt : way;
    const ForceInMotion<double> there = law.any().force(state.hidden, v);
    // The quotient has the rounding of both ends in it.
    const double rounding = 1e-15 * (std::abs(move.u) + std::abs(move.u - way)) / std::abs(way);
    const double close =
        1e-9 * c.scale.f + 10 * rounding * (std::abs(there.by_v * v) + std::abs(reply.force));
    if (moves && !(std::abs(there.force - reply.force) <= close))
      return "a step ends with force " + text(reply.force) +
             ", at its velocity the force there is " + text(there.force);
    if (!moves || !c.timed()) continue;
    if (Fault fault = compare_slopes(c, law.any(), state.hidden, v); !fault.empty()) return fault;
  }
  return c.timed() ? compare_duals(c) : Fault{};
}

template <class P>
Fault parities(const Case<P>& c) {
  const Model<P> law = c.law();
  if (!law.any().odd()) return {};
  State<P> one = law.rest(), other = law.rest();
  std::vector<double*> x, y;
  std::vector<Parity> parity;
  for (const auto& move : c.path) {
    law.step(one, move.u, move.dt, one);
    law.step(other, P(-move.u), move.dt, other);
    if (!numbered(one.hidden)) return {};
    numbered(one.hidden)->find_numbers(Numbers::without_reversals, x);
    numbered(other.hidden)->find_numbers(Numbers::without_reversals, y);
    if (x.empty()) return {};
    numbered(one.hidden)->find_parities(parity);
    if (x.size() != y.size() || x.size() != parity.size())
      return std::to_string(x.size()) + " numbers, " + std::to_string(parity.size()) + " parities";
    double largest = 0;
    for (const double* number : x) largest = std::max(largest, std::abs(*number));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t from = parity[i] == Parity::odd_of_next   ? i + 1
                               : parity[i] == Parity::odd_of_last ? i - 1
                                                                  : i;
      const double mirrored = (parity[i] == Parity::even ? 1 : -1) * *x[from];
      const double size = std::max(std::abs(mirrored), 1e-3 * largest);
      if (!(std::abs(*y[i] - mirrored) <= std::max(1e-9, c.precision()) * size))
        return "number " + std::to_string(i + 1) + " of the state is " + text(*x[i]) +
               ", under the mirrored motion " + text(*y[i]);
    }
  }
  return {};
}

template Fault parities(const Case<double>&);
template Fault parities(const Case<Vec2<double>>&);
template Fault parities(const Case<Vec<double, 3>>&);

}  // namespace microslip::laws
