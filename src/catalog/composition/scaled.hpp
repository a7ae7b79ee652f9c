#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "catalog/composition/wrapped.hpp"
#include "microslip/core/any_dual_model.hpp"
#include "microslip/core/any_model.hpp"

namespace microslip::catalog {

/// f = output_gain · law[input_gain · u + input_offset] + output_offset. At rest the law has been
/// brought to input_offset, slowly, from its own rest.
///
/// Energy: work is output_gain/input_gain times that of the law, plus output_offset · u, which is
/// stored.
template <class Real, class Model>
class Scaled {
 public:
  using Scalar = Real;
  struct State {
    AnyState law;
    Real u{0}, f{0};

    /// Copies, reusing memory.
    void assign(const State& other) {
      law.get().assign(other.law.get());
      u = other.u;
      f = other.f;
    }
    std::vector<Real*> numbers() { return {&u, &f}; }
  };

  /// The numbers are input gain and offset, output gain and offset.
  Scaled(Model law, const std::vector<Real>& own, bool /*rate_dependent*/)
      : law_(std::move(law)),
        gain_(own[0]),
        offset_(own[1]),
        output_gain_(own[2]),
        output_offset_(own[3]) {}

  /// With these numbers all claims are those of the law inside.
  static bool keeps_claims(const std::vector<double>& own) { return own[1] == 0 && own[3] == 0; }

  State rest() const {
    State state;
    state.law = law_.rest();
    const double slowly = std::numeric_limits<double>::infinity();
    const auto reply = offset_ == 0.0 ? law_.step(state.law, Real(0), 0, state.law)
                                      : law_.step(state.law, offset_, slowly, state.law);
    state.f = output_gain_ * reply.force + output_offset_;
    return state;
  }

  Response<Real> step(const State& from, const Real& u, double dt, State& to) const {
    const auto reply = law_.step(from.law, gain_ * u + offset_, dt, to.law);
    to.u = u;
    to.f = output_gain_ * reply.force + output_offset_;
    return {to.f, output_gain_ * gain_ * reply.tangent, output_gain_ / gain_ * reply.dissipated,
            reply.status};
  }

  ForceInMotion<Real> force(const State& at, const Real& v) const {
    const auto inside = law_.force(at.law, gain_ * v);
    return {output_gain_ * inside.force + output_offset_, output_gain_ * gain_ * inside.by_v,
            inside.status};
  }

  /// Offsets move terms by different amounts.
  bool adds_terms() const { return offset_ == 0.0 && output_offset_ == 0.0; }
  std::optional<HarmonicForce> first_harmonic(double amplitude, double omega) const {
    if (!adds_terms()) return {};
    auto force = law_.first_harmonic(gain_ * amplitude, omega);
    if (force)
      *force = {output_gain_ * force->b1, output_gain_ * force->a1, output_gain_ * force->tip};
    return force;
  }
  std::optional<std::complex<double>> dynamic_stiffness(double omega) const {
    auto stiffness = law_.dynamic_stiffness(omega);
    if (!adds_terms()) return {};
    if (stiffness) *stiffness *= output_gain_ * gain_;
    return stiffness;
  }

  SlipForce<double> slip(const State& from, const Sliding& at, State& scratch) const {
    Sliding inside = at;
    inside.u = gain_ * at.u + offset_;
    inside.v = gain_ * at.v;
    inside.length = gain_ * at.length;
    const SlipForce<double> law = law_.slip(from.law, inside, scratch.law);
    const double gains = output_gain_ * gain_;
    return {output_gain_ * law.force + output_offset_, gains * law.by_u, gains * law.by_v};
  }

  Real next_kink(const State& state, int direction) const {
    const double d = direction;
    const Real kink = (law_.next_kink(state.law, direction) - offset_) / gain_;
    if (d * (kink - state.u) > 0.0) return kink;
    return Real(std::nextafter(value(state.u), d * std::numeric_limits<double>::infinity()));
  }

  double stored(const State& state) const {
    return output_gain_ / gain_ * law_.stored(state.law) + output_offset_ * state.u;
  }

  static void save(const State&, StateRecord&) {}
  static void load(const StateRecord&, State&) {}

 private:
  static double value(double x) { return x; }
  static double value(const WideDual& x) { return x.a; }

  Model law_;
  Real gain_, offset_, output_gain_, output_offset_;
};

}  // namespace microslip::catalog
