#pragma once

/// # maxwell-slip: the generalized Maxwell-slip law of friction
///
///     f = Σ F_i + σ2 u'
///     an element that sticks:   F_i' = k_i u', until |F_i| = α_i s(u')
///     an element that slides:   F_i' = sgn(u') C (α_i − |F_i|/s(u')), until u' changes sign
///     s(v) = Σφ (ratio + (1 − ratio) exp(−(|v|/vs)^δ)),   α_i = φ_i/Σφ
///
/// Elements of a Masing model, each with its share α_i of one Stribeck curve s. Small motions have the
/// hysteresis and the memory of `masing`, steady sliding has the friction s(v) + σ2 v, and between
/// two speeds friction follows with a lag: a sliding element is drawn to its limit at the rate C,
/// however far it moves. The source names s(0), the shares α_i and the friction of fast sliding; here
/// φ_i = α_i s(0) is the slip force of element i in slow motion, and `ratio` that of fast sliding
/// over that at rest, so that k and φ are the elements of `masing`.
///
/// At constant velocity an element sticks along a line, reaches its limit at a known place and stays
/// there, or relaxes to it as an exponential of time: a step is exact for any size. An infinitely slow
/// motion meets s(0). An element whose limit has fallen below its force slides at once; rest makes
/// all elements stick.
///
/// Energy: Ψ = Σ F_i²/(2k_i). An element that is drawn up to a limit that grew while the motion
/// slowed gains energy without work, so that cycles may create energy unless ratio = 1; this is a
/// fault of the law, and the tests show it.
///
/// Where an element begins to slide depends on the velocity, which next_kink is not told: it answers
/// infinity.

#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/relaxation.hpp"
#include "microslip/detail/kernels/sliding.hpp"
#include "microslip/detail/numerics/with_tangent.hpp"

namespace microslip {

template <Number Real>
class MaxwellSlip {
 public:
  using Scalar = Real;

  struct Params {
    std::vector<Real> k{Real(0.5), Real(0.3), Real(0.2)};
    std::vector<Real> phi{Real(0.25), Real(0.3), Real(0.45)};
    Real ratio{0.8};
    Real vs{0.5};
    Real delta{2};
    Real C{10};
    Real sigma2{0.1};

    static constexpr auto fields = std::tuple{
        field(&Params::k, "k", "F/L", positive, "stiffness of each element while it sticks"),
        field(&Params::phi, "phi", "F", positive, "slip force of each element in slow motion"),
        field(&Params::ratio, "ratio", "1", positive,
              "friction of fast sliding over friction of slow sliding"),
        field(&Params::vs, "vs", "L/T", positive, "velocity of the transition"),
        field(&Params::delta, "delta", "1", positive, "sharpness of the transition"),
        field(&Params::C, "C", "F/T", positive,
              "rate at which sliding elements are drawn to their limits"),
        field(&Params::sigma2, "sigma2", "F T/L", non_negative, "viscous coefficient"),
    };
  };
  using Options = NoOptions;

  struct State {
    Real u{0};
    Real f{0};
    std::vector<Real> force;
    std::vector<Real> slides;  ///< 1 for an element that slides, 0 for one that sticks
    int direction = 0;         ///< of the last motion; 0 at rest

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::force, "force", "F", "force of each element"),
        state_field(&State::slides, "slides", "1", "1 for each element that slides, else 0",
                    Parity::even),
        state_field(&State::direction, "direction", "1", "sign of the last motion"),
    };
  };

  static constexpr Info info{
      .name = "maxwell-slip",
      .sentence = "Generalized Maxwell-slip: stick-slip elements that share one Stribeck curve.",
      .equation =
          "f = ΣF_i + σ2 u';  sticking F_i' = k_i u' up to α_i s(u'), "
          "sliding F_i' = sgn(u') C(α_i − |F_i|/s(u'))",
      .citation =
          "F. Al-Bender, V. Lampaert, J. Swevers, The generalized Maxwell-slip model: a novel "
          "model "
          "for friction simulation and compensation, IEEE Transactions on Automatic Control 50 "
          "(2005) 1883–1887",
      .claims = {.odd = holds,
                 .rate_independent = depends("ratio = 1 and sigma2 = 0"),
                 .masing = depends("ratio = 1 and sigma2 = 0"),
                 .return_point_memory = depends("ratio = 1 and sigma2 = 0"),
                 .minor_loops_close = depends("ratio = 1 and sigma2 = 0"),
                 .dissipative = depends("ratio = 1"),
                 .bounded = depends("sigma2 = 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() {
    return {.look = {{"ratio", closed_interval(0.3, 1.2)}, {"delta", closed_interval(0.5, 4)}},
            .elements = {{.by = "phi",
                          .over = "k",
                          .sliders = true,
                          .sliders_alone = {{"ratio", 1}, {"sigma2", 0}}}}};
  }

  explicit MaxwellSlip(const Params& params, const Options& = {})
      : C_(fixed(checked(params).C)), sigma2_(fixed(params.sigma2)) {
    T sum(0);
    for (std::size_t i = 0; i < params.k.size(); ++i) {
      k_.push_back(fixed(params.k[i]));
      share_.push_back(fixed(params.phi[i]));
      sum += share_.back();
    }
    for (T& share : share_) share = share / sum;
    curve_ = {fixed(params.ratio) * sum, sum, fixed(params.vs), fixed(params.delta)};
  }

  State rest() const {
    State state;
    state.force.assign(k_.size(), Real(0));
    state.slides.assign(k_.size(), Real(0));
    return state;
  }

  Response<Real> step(const State& from, const Real& u, double dt, State& to) const noexcept {
    if (&to != &from && !copied(from, to)) return {from.f, Real(0), Real(0), Status::out_of_memory};
    const double v_slope = relaxation::velocity_slope(dt);
    if (dt == 0 || u == to.u) {
      if (dt != 0) come_to_rest(to);
      T slope = sigma2_ * v_slope;
      for (const T& k : k_) slope += k;
      return {to.f, settled<Real>(slope), Real(0)};
    }
    const T du = moving(u) - fixed(to.u);
    const int direction = du > 0.0 ? 1 : -1;
    const double d = direction;
    const T v = relaxation::velocity(du, dt);
    const T limit = curve_.at(d * v).force;
    // Lengths of the decay towards the limit.
    const auto decay = relaxation::decay(std::isinf(dt) ? T(dt) : T(C_ * dt / limit));
    T force = sigma2_ * v, lost = sigma2_ * v * du;
    for (std::size_t i = 0; i < k_.size(); ++i) {
      const bool slid = direction == to.direction && to.slides[i] > 0.5;
      const Element end = moved(i, slid, d * fixed(to.force[i]), share_[i] * limit, d * du, decay);
      force += d * end.force;
      lost += end.lost;
      to.force[i] = d * settled<Real>(end.force);
      to.slides[i] = Real(end.slides ? 1 : 0);
    }
    to.direction = direction;
    to.u = u;
    to.f = settled<Real>(force);
    return {to.f, Real(slope_along(force)), settled<Real>(lost)};
  }

  constexpr ForceInMotion<Real> force(const State& at, const Real& v) const noexcept {
    Real sum = settled<Real>(sigma2_) * v;
    for (const Real& element : at.force) sum += element;
    return {sum, settled<Real>(sigma2_)};
  }

  Real stored(const State& state) const noexcept {
    Real sum(0);
    for (std::size_t i = 0; i < k_.size(); ++i)
      sum += square(state.force[i]) / (2.0 * settled<Real>(k_[i]));
    return sum;
  }
  Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 private:
  using T = WithTangent<Real>;
  struct Element {
    T force, lost;
    bool slides;
  };

  /// Element i after the way x, as the motion sees it, with its limit L of that velocity.
  Element moved(std::size_t i, bool slides, const T& y, const T& L, const T& x,
                const relaxation::Decay<T>& decay) const noexcept {
    if (!slides && !(y > L)) {
      const T elastic = y + k_[i] * x;
      // A motion may lead back to the limit but for rounding: it has been reached.
      if (!(elastic > (1 - 1e-14) * L)) return {elastic, T(0), false};
      return {L, elastic > L ? T(L * (elastic - L) / k_[i]) : T(0), true};
    }
    const T end = L + (y - L) * decay.keep;
    const T work = x * (L + (y - L) * decay.ramp);
    return {end, work - (end - y) * (end + y) / (2.0 * k_[i]), true};
  }

  void come_to_rest(State& s) const noexcept {
    s.f = Real(0);
    for (std::size_t i = 0; i < k_.size(); ++i) {
      s.f += s.force[i];
      s.slides[i] = Real(0);
    }
  }

  static bool copied(const State& from, State& to) noexcept {
    try {
      to.force = from.force;
      to.slides = from.slides;
    } catch (const std::bad_alloc&) {
      return false;
    }
    to.u = from.u;
    to.f = from.f;
    to.direction = from.direction;
    return true;
  }

  static const Params& checked(const Params& params) {
    check_fields(info.name, params);
    check_same_length(info.name, "k", params.k.size(), "phi", params.phi.size());
    return params;
  }

  std::vector<T> k_, share_;
  StribeckCurve<T> curve_;  ///< s against speed
  T C_, sigma2_;
};

}  // namespace microslip
