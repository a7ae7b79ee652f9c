#pragma once

#include "laws/cases.hpp"
#include "laws/checks_mechanics.hpp"

/// Tangents and parameter sensitivities: dual numbers, differences and the law's own tangent agree.
namespace microslip::laws {

template <class L>
inline constexpr int dimensions = PlanarLaw<ModelOf<L>> ? 2 : 1;

template <class L>
using DualModel = ModelOf<L, Dual<dimensions<L>>>;

inline Dual<1> constant_dual(double x) { return Dual<1>(x); }
inline Vec2<Dual<2>> constant_dual(const Vec2<double>& x) { return {Dual<2>(x[0]), Dual<2>(x[1])}; }
inline Dual<1> variable_dual(double x) { return Dual<1>(x, 0); }
inline Vec2<Dual<2>> variable_dual(const Vec2<double>& x) {
  return {Dual<2>(x[0], 0), Dual<2>(x[1], 1)};
}
inline double derivative(const Dual<1>& f) { return f.v[0]; }
inline Mat2<double> derivative(const Vec2<Dual<2>>& f) {
  Mat2<double> result;
  result << f[0].v[0], f[0].v[1], f[1].v[0], f[1].v[1];
  return result;
}
inline double value(const Dual<1>& f) { return f.a; }
inline Vec2<double> value(const Vec2<Dual<2>>& f) { return {f[0].a, f[1].a}; }
inline std::string text(const Mat2<double>& x) {
  return "[" + text(x(0, 0)) + ", " + text(x(0, 1)) + "; " + text(x(1, 0)) + ", " + text(x(1, 1)) +
         "]";
}

/// A scalar law has a kink within `distance` of u on the way there from `from` or beyond.
template <class M>
bool kink_near(const M& law, typename M::State from, double u, double distance) {
  const int direction = u > from.u ? 1 : -1;
  for (int i = 0; i < 10000; ++i) {
    const double kink = law.next_kink(from, direction);
    if (std::abs(kink - u) <= distance) return true;
    if (!(direction * (kink - u) < 0) || !(direction * (kink - from.u) > 0)) return false;
    step(law, from, kink, 1.0, from);
  }
  return true;
}

/// One-sided difference quotients of the force in the direction of the motion, at h and h/2.
template <class M>
std::pair<double, double> one_sided(const M& law, const typename M::State& from, double u,
                                    double force, double dt, double h) {
  const double d = u > from.u ? 1 : -1;
  auto to = from;
  const auto quotient = [&](double x) {
    return d * (step(law, from, u + d * x, dt, to).force - force) / x;
  };
  return {quotient(h), quotient(h / 2)};
}

/// Tangent = derivative by dual numbers = one-sided difference; and the power is balanced:
/// d(stored + dissipated)/du = f, or u df/du if driven by force.
template <class L>
Fault tangents(const Case<L>& c) {
  using D = DualModel<L>;
  const auto law = c.law();
  const D dual_law(lift<typename D::Params>(c.params), lift<typename D::Options>(c.options));
  auto state = law.rest();
  auto dual_state = dual_law.rest();
  const double k = c.scale.k();
  for (const auto& move : c.path) {
    auto to = state;
    const auto reply = step(law, state, move.u, move.dt, to);
    const bool moved = magnitude(move.u - state.u) > 1e-9 * c.scale.u;
    bool smooth = moved;
    if constexpr (!PlanarLaw<ModelOf<L>>)
      smooth = moved && !kink_near(law, state, move.u, 1e-7 * c.scale.u);
    if (smooth) {
      auto dual_to = dual_state;
      const auto dual = step(dual_law, dual_state, variable_dual(move.u), move.dt, dual_to);
      const auto by_dual = derivative(dual.force);
      const double largest = std::max(magnitude(reply.tangent), k);
      if (!(magnitude(value(dual.force) - reply.force) <=
            1e-12 * std::max(magnitude(reply.force), c.scale.f)))
        return "at " + text(move.u) + ": force " + text(reply.force) + " with double, " +
               text(value(dual.force)) + " with dual numbers";
      if (!(magnitude(by_dual - reply.tangent) <= 1e-8 * largest))
        return "at " + text(move.u) + ": tangent " + text(reply.tangent) + ", by dual numbers " +
               text(by_dual);
      if constexpr (!PlanarLaw<ModelOf<L>>) {
        const double h = 1e-6 * c.scale.u;
        const auto [coarse, fine] = one_sided(law, state, move.u, reply.force, move.dt, h);
        const double doubt = std::abs(coarse - fine);
        if (doubt < 0.05 * largest && !kink_near(law, state, move.u, 2 * h) &&
            !(std::abs(2 * fine - coarse - reply.tangent) <= 2 * doubt + 1e-6 * largest))
          return "at " + text(move.u) + ": tangent " + text(reply.tangent) +
                 ", by one-sided difference " + text(2 * fine - coarse);
        const double power = derivative(dual_law.stored(dual_to) + dual.dissipated);
        const double expected = driven_by_force(law) ? move.u * reply.tangent : reply.force;
        if (!RateDependentLaw<ModelOf<L>> &&
            !(std::abs(power - expected) <= 1e-8 * std::max(magnitude(expected), c.scale.f)))
          return "at " + text(move.u) + ": d(stored + dissipated)/du = " + text(power) +
                 ", work per displacement " + text(expected);
      }
    }
    if constexpr (RateIndependentLaw<ModelOf<L>>) {
      auto still = to;
      const double after = step(law, to, move.u, 0.0, still).tangent;
      if (moved && !(std::abs(after - reply.tangent) <= 1e-8 * std::max(std::abs(after), k)))
        return "at " + text(move.u) + ": tangent " + text(reply.tangent) + " after the step, " +
               text(after) + " on a zero step there";
    }
    state = to;
    step(dual_law, dual_state, constant_dual(move.u), move.dt, dual_state);
  }
  return {};
}

/// The tangent of the virgin law is the elastic one: that of a motion without size.
template <class L>
Fault virgin_tangent(const Case<L>& c) {
  if (jumps<L>()) return {};  // the elastic slope beyond the jump
  const auto law = c.law();
  auto to = law.rest();
  const double at_rest = step(law, law.rest(), law.rest().u, 0.0, to).tangent;
  const double secant =
      step(law, law.rest(), 1e-290 * c.scale.u, 0.0, to).force / (1e-290 * c.scale.u);
  // With chi near -1 the tangent of iwan4 falls like u^0.02, hence the extreme step and 1e-4.
  if (!(std::abs(at_rest - secant) <= 1e-4 * std::abs(secant)))
    return "virgin tangent " + text(at_rest) + ", force over displacement " + text(secant);
  return {};
}

struct Trace {
  std::vector<double> values;  ///< force and energy so far, row by row
};

template <class L>
Trace trace(const Case<L>& c, const ParamsOf<L>& params) {
  const ModelOf<L> law(params, c.options);
  auto state = law.rest();
  Trace result;
  double lost = 0;
  for (const auto& move : c.path) {
    const auto reply = step(law, state, move.u, move.dt, state);
    lost += reply.dissipated;
    catalog::to_numbers(reply.force, result.values);
    result.values.push_back(lost / c.scale.u);
    result.values.push_back(law.stored(state) / c.scale.u);
  }
  return result;
}

/// Values and derivatives with respect to entry `index`, in the order of `trace`.
template <class L>
std::vector<double> dual_trace(const Case<L>& c, std::size_t index) {
  using D = DualModel<L>;
  const D law(lift_seeded<typename D::Params>(c.params, index),
              lift<typename D::Options>(c.options));
  auto state = law.rest();
  std::vector<double> result;
  typename D::Scalar lost(0);
  for (const auto& move : c.path) {
    const auto reply = step(law, state, constant_dual(move.u), move.dt, state);
    lost += reply.dissipated;
    if constexpr (PlanarLaw<D>) {
      result.push_back(reply.force[0].v[0]);
      result.push_back(reply.force[1].v[0]);
    } else {
      result.push_back(reply.force.v[0]);
    }
    result.push_back(lost.v[0] / c.scale.u);
    result.push_back(law.stored(state).v[0] / c.scale.u);
  }
  return result;
}

/// Derivatives of forces and energies of a whole history with respect to each parameter.
template <class L>
Fault sensitivities(const Case<L>& c) {
  const Trace middle = trace(c, c.params);
  std::vector<std::pair<std::string, double>> entries;
  for_each_entry(c.params, [&](const std::string& name, const Interval&, double x) {
    entries.emplace_back(name, x);
  });
  for (std::size_t index = 0; index < entries.size(); ++index) {
    const auto& [name, p] = entries[index];
    const double unit = p != 0 ? std::abs(p) : 1;
    const double h = 1e-5 * unit;
    const auto shifted = [&](double by) {
      ParamsOf<L> params = c.params;
      std::size_t i = 0;
      for_each_entry(params, [&](const std::string&, const Interval&, double& x) {
        if (i++ == index) x += by;
      });
      return trace(c, params);
    };
    const std::vector<double> dual = dual_trace(c, index);
    for (const double d : dual)
      if (!std::isfinite(d)) return "derivative with respect to " + name + " is " + text(d);
    Trace up, down, half_up, half_down;
    try {
      up = shifted(h), down = shifted(-h), half_up = shifted(h / 2), half_down = shifted(-h / 2);
    } catch (const Error&) {  // at a bound there are no two sides
      continue;
    }
    for (std::size_t i = 0; i < dual.size(); ++i) {
      const double size_here = std::max(c.scale.f, std::abs(middle.values[i])) / unit;
      const double bend = (up.values[i] - 2 * middle.values[i] + down.values[i]) / h;
      // A kink that the parameter moves across this point: no derivative to compare with.
      if (std::abs(bend) > 1e-2 * std::max(size_here, std::abs(dual[i]))) continue;
      const double coarse = (up.values[i] - down.values[i]) / (2 * h);
      const double fine = (half_up.values[i] - half_down.values[i]) / h;
      const double best = (4 * fine - coarse) / 3;
      const double tolerance = 2 * std::abs(fine - coarse) + std::abs(bend) +
                               1e-6 * std::max(size_here, std::abs(dual[i]));
      if (!(std::abs(dual[i] - best) <= tolerance))
        return "derivative of value " + std::to_string(i) + " of the history with respect to " +
               name + ": " + text(dual[i]) + " by dual numbers, " + text(best) + " by differences";
    }
  }
  return {};
}

}  // namespace microslip::laws
