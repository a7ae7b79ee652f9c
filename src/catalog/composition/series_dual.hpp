#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "catalog/composition/series.hpp"
#include "microslip/core/any_dual_model.hpp"
#include "microslip/core/state_numbers.hpp"

namespace microslip::catalog {

/// A law driven by displacement behind a spring (`Series`), on dual numbers. The displacement v of the
/// law is found in double; one step of Newton's method,
///
///     v ← v + (u − v − c N[v]) / (1 + c N'[v]),
///
/// carries the derivatives of u, of c and of what the law remembers. Not for rigid friction behind a
/// spring, whose law may stand still.
class SeriesDual final : public AnyDualModel::Interface {
 public:
  SeriesDual(AnyDualModel law, const WideDual& compliance)
      : law_(std::move(law)), c_(compliance), stiff_(c_.a == 0 && c_.v.isZero(0)) {}

  AnyState rest() const override {
    State state{law_.rest(), WideDual(0), WideDual(0), WideDual(0), WideDual(0)};
    AnyState trial = state.law;
    const WideDual pushes = law_.step(state.law, WideDual(0), 0, trial).force;
    state.f = pushes;
    state.u = c_ * pushes;
    if (state.u.a != 0) step_from(State(state), WideDual(0), state);
    return AnyState(std::make_unique<Hidden>(std::move(state)));
  }

  WideDual stored(const AnyState& state) const override {
    const State& now = open(state);
    return law_.stored(now.law) + 0.5 * c_ * now.f * now.f;
  }

  WideDual next_kink(const AnyState& state, int direction) const override {
    const State& now = open(state);
    const WideDual kink = law_.next_kink(now.law, direction);
    if (stiff_ || !std::isfinite(kink.a)) return kink;
    AnyState trial = now.law;
    WideDual there = kink + c_ * law_.step(now.law, kink, 0, trial).force;
    if (!(direction * (there.a - now.u.a) > 0))
      there.a = std::nextafter(now.u.a, direction * std::numeric_limits<double>::infinity());
    return there;
  }

  Response<WideDual> step(const AnyState& from, const WideDual& u, double /*dt*/,
                          AnyState& to) const override {
    if (&from == &to) return step_from(State(open(from)), u, open(to));
    return step_from(open(from), u, open(to));
  }

  ForceInMotion<WideDual> force(const AnyState& at, const WideDual& /*v*/) const override {
    return {open(at).f, WideDual(0)};
  }

  Status run(std::span<const double> /*dt*/, std::span<const WideDual> u, AnyState& at,
             std::span<WideDual> f, std::span<WideDual> dissipated) const override {
    for (std::size_t row = 0; row < u.size(); ++row) {
      const Response<WideDual> reply = step(at, u[row], 0, at);
      if (reply.status != Status::ok) return reply.status;
      f[row] = reply.force;
      if (!dissipated.empty()) dissipated[row] = reply.dissipated;
    }
    return Status::ok;
  }

 private:
  struct State {
    AnyState law;
    WideDual u, f, v, slid;
  };
  /// Its numbers are those of the plain law.
  struct Hidden final : AnyState::Interface, StateNumbers<WideDual> {
    State state;
    explicit Hidden(State s) : state(std::move(s)) {}
    std::unique_ptr<AnyState::Interface> clone() const override {
      return std::make_unique<Hidden>(state);
    }
    void assign(const AnyState::Interface& other) override {
      const State& from = static_cast<const Hidden&>(other).state;
      state.law.get().assign(from.law.get());
      state.u = from.u;
      state.f = from.f;
      state.v = from.v;
      state.slid = from.slid;
    }
    Memory find_numbers(Numbers which, std::vector<WideDual*>& numbers) override {
      return numbers_around(state.law, {&state.u, &state.f, &state.v, &state.slid}, which, numbers);
    }
    void find_switches(std::vector<int*>& switches) override {
      switches.clear();
      if (auto* numbered = dynamic_cast<StateNumbers<WideDual>*>(&state.law.get()))
        numbered->find_switches(switches);
    }
    void find_parities(std::vector<Parity>& parities) override {
      parities_around<WideDual>(state.law, 4, parities);
    }
  };
  static const State& open(const AnyState& s) { return static_cast<const Hidden&>(s.get()).state; }
  static State& open(AnyState& s) { return static_cast<Hidden&>(s.get()).state; }

  Response<WideDual> step_from(const State& from, const WideDual& u, State& to) const {
    const AnyState start = from.law;
    WideDual v = stiff_ ? u : WideDual(place_of(from, start, u.a, to));
    Response<WideDual> inside = law_.step(start, v, 0, to.law);
    if (!stiff_) {
      v.v = (u - c_ * inside.force).v / (1 + c_.a * inside.tangent.a);
      inside = law_.step(start, v, 0, to.law);
    }
    to.u = u;
    to.v = v;
    to.f = inside.force;
    to.slid = from.slid;
    const WideDual tangent = std::isfinite(inside.tangent.a)
                                 ? WideDual(inside.tangent / (1.0 + c_ * inside.tangent))
                                 : WideDual(1.0 / c_);
    return {inside.force, tangent, inside.dissipated, inside.status};
  }

  /// Of the law, where the whole is at u.
  double place_of(const State& from, const AnyState& start, double u, State& to) const {
    if (u == from.u.a || c_.a == 0) return c_.a == 0 ? u : from.v.a;
    const auto at = [&](double v) -> RootValue {
      const Response<WideDual> reply = law_.step(start, WideDual(v), 0, to.law);
      return {v + c_.a * reply.force.a - u, 1 + c_.a * reply.tangent.a};
    };
    return place_behind_spring(from.v.a, u - from.u.a,
                               std::abs(u) + std::abs(from.v.a) + std::abs(c_.a * from.f.a), at);
  }

  AnyDualModel law_;
  WideDual c_;
  bool stiff_;  ///< c is nothing and does not vary
};

}  // namespace microslip::catalog
