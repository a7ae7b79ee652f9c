#pragma once

#include <memory>
#include <span>
#include <utility>

#include "catalog/composition/series.hpp"
#include "microslip/core/any_dual_model.hpp"

namespace microslip::catalog {

/// A law driven by force, driven by displacement through a spring (`Series`), on dual numbers: derivatives
/// by the motion. The force f is found in double; with v = N[f] on dual numbers, one step of Newton's method,
///
///     f ← f + (u − slid − c f − N[f]) / (N'[f] + c),
///
/// carries the derivatives of u and of the reversals that the law remembers. In macroslip the force does not
/// change with the motion.
class InverseDual final : public AnyDualModel::Interface {
  using Plain = Series<double, AnyModel>;

 public:
  InverseDual(const AnyModel& law, double compliance)
      : plain_(law, {compliance}, false), law_(law.dual({})), c_(compliance) {}

  AnyState rest() const override { return AnyState(std::make_unique<Hidden>(start())); }
  WideDual next_kink(const AnyState& state, int direction) const override {
    return WideDual(plain_.next_kink(open(state).plain, direction));
  }
  Response<WideDual> step(const AnyState& from, const WideDual& u, double /*dt*/,
                          AnyState& to) const override {
    const State& before = open(from);
    State& after = open(to);
    const AnyState law = before.law;  // `to` may be `from`
    const WideDual f_before = before.f, slid = before.slid;
    const double slid_before = before.plain.slid;
    const Response<double> reply = plain_.step(before.plain, u.a, 0, after.plain);
    WideDual f(reply.force);
    if (reply.status != Status::ok) return {f, WideDual(0), WideDual(0), reply.status};
    Response<WideDual> inside = law_.step(law, f, 0, after.law);
    const double compliance = inside.tangent.a + c_;
    const bool slides = reply.tangent == 0 && after.plain.slid != slid_before;
    if (slides) {
      after.slid = u - c_ * f - inside.force;
    } else {
      f.v = compliance > 0 ? ((u - slid - inside.force).v / compliance).eval() : f_before.v;
      inside = law_.step(law, f, 0, after.law);
      after.slid = slid;
    }
    after.slid.a = after.plain.slid;
    after.f = f;
    // The energy that macroslip loses is the force times the distance.
    WideDual lost = inside.dissipated;
    if (slides) lost += abs(f * (after.slid - slid));
    lost.a = reply.dissipated;
    return {f, WideDual(reply.tangent), lost, inside.status};
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
    Plain::State plain;
    AnyState law;
    WideDual f, slid;
  };
  struct Hidden final : AnyState::Interface {
    State state;
    explicit Hidden(State s) : state(std::move(s)) {}
    std::unique_ptr<AnyState::Interface> clone() const override {
      return std::make_unique<Hidden>(state);
    }
    void assign(const AnyState::Interface& other) override {
      const State& from = static_cast<const Hidden&>(other).state;
      state.plain.assign(from.plain);
      state.law.get().assign(from.law.get());
      state.f = from.f;
      state.slid = from.slid;
    }
  };
  static const State& open(const AnyState& s) { return static_cast<const Hidden&>(s.get()).state; }
  static State& open(AnyState& s) { return static_cast<Hidden&>(s.get()).state; }

  State start() const {
    State state{plain_.rest(), law_.rest(), WideDual(0), WideDual(0)};
    state.f.a = state.plain.f;
    state.slid.a = state.plain.slid;
    return state;
  }

  Plain plain_;
  AnyDualModel law_;
  double c_;
};

}  // namespace microslip::catalog
