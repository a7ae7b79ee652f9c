#pragma once

/// # convolution: force as a fading memory of velocity
///
///     f(t) = ∫₀ᵗ G(t − s) u'(s) ds
///
/// The general linear law of damping, (6) of the review by Mathis et al., for four kernels:
///
///     exponentials  G = Σ k_i exp(−t/τ_i)               Maxwell branches
///     dirac         G = c δ(t)                          f = c u'
///     gaussian      G = 2c/(τ √π) exp(−(t/τ)²)
///     fractional    G = c t^(−a)/Γ(1−a), 0 < a < 1      c times the derivative of order a
///
/// Between rows the velocity is constant, so each kernel has an exact step: exponentials forget by
/// factors (kernels/relaxation.hpp), the last two sum differences of erf and of powers over all past
/// pieces of constant velocity. They keep that whole past, one piece per row (rows of one velocity
/// are one piece), and a step costs as much as it is long. The option `memory` caps it: when so
/// many pieces are kept, the oldest quarter is forgotten, exact for a gaussian once they are a few
/// τ old, a truncation of the slow tail for a fractional kernel.
///
/// A first row away from rest is reached infinitely slowly, and forgotten.
///
/// Energy: the springs of the exponentials store ½ Σ k_i e_i². A gaussian or fractional kernel has
/// no energy that its force alone determines: nothing is stored and the work of a step, which may
/// be negative though no cycle creates energy, is reported as lost. The claims are those of the
/// exponentials.

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/relaxation.hpp"
#include "microslip/detail/kernels/turning_points.hpp"
#include "microslip/detail/numerics/dawson.hpp"

namespace microslip {

template <Number Real>
class Convolution {
 public:
  using Scalar = Real;

  struct Params {
    Real c{1};
    Real a{0.5};
    std::vector<Real> k{Real(1)};
    std::vector<Real> tau{Real(1)};
    static constexpr auto fields = std::tuple{
        field(&Params::c, "c", "F T/L", positive,
              "coefficient of dirac and gaussian; of fractional in F T^a/L"),
        field(&Params::a, "a", "1", open_interval(0, 1), "order of the fractional kernel"),
        field(&Params::k, "k", "F/L", positive, "stiffness of each exponential"),
        field(&Params::tau, "tau", "T", positive,
              "relaxation time of each exponential; width of the gaussian"),
    };
  };

  enum class Kernel { exponentials, dirac, gaussian, fractional };
  struct Options {
    Kernel kernel = Kernel::exponentials;
    int memory = 100000;
    static constexpr auto fields = std::tuple{
        option(&Options::kernel, "kernel", {"exponentials", "dirac", "gaussian", "fractional"},
               "how the law forgets; the claims are those of exponentials"),
        option(&Options::memory, "memory", closed_interval(4, 1e9),
               "most pieces of the past that gaussian and fractional keep"),
    };
  };

  struct State {
    Real u{0};
    Real f{0};
    Real t{0};
    std::vector<Real> stretch;
    TurningPoints<Real> past;
    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::t, "t", "T", "time since the start", Parity::even),
        state_field(&State::stretch, "stretch", "L", "elongation of each exponential's spring"),
        state_field(&State::past, "past", "L/T,T,T",
                    "past pieces of the motion: velocity, begin and end of each"),
    };
  };

  static constexpr Info info{
      .name = "convolution",
      .sentence = "Force as a fading memory of velocity, with a choice of kernels.",
      .equation = "f(t) = ∫ G(t − s) u'(s) ds",
      .citation =
          "J. Woodhouse, Linear damping models for structural vibration, Journal of Sound and "
          "Vibration 215 (1998) 547–569; gaussian kernel: S. Adhikari, Structural Dynamic Analysis "
          "with Generalized Damping Models, Wiley (2014)",
      .claims = relaxation_claims,
  };

  explicit Convolution(const Params& params, const Options& options = {})
      : p_(checked(params, options)),
        kernel_(options.kernel),
        memory_(static_cast<std::size_t>(options.memory)) {
    if (kernel_ != Kernel::exponentials) p_.k.clear();
  }

  State rest() const {
    State state;
    state.stretch.assign(p_.k.size(), Real(0));
    return state;
  }

  Response<Real> step(const State& from, const Real& u, double dt, State& to) const noexcept {
    if (&to != &from && !to.past.assign(from.past))
      return {from.f, Real(0), Real(0), Status::out_of_memory};
    to.stretch.resize(p_.k.size());
    if (dt == 0) {
      const Response<Real> unchanged{from.f, Real(0), Real(0)};
      if (&to != &from) std::tie(to.u, to.f, to.t, to.stretch) = parts(from);
      return unchanged;
    }
    const Real du = u - from.u;
    const Real v = relaxation::velocity(du, dt);
    Response<Real> reply{Real(0), Real(0), Real(0)};
    if (kernel_ == Kernel::exponentials) {
      reply = relax(from, du, dt, to);
      to.t = from.t;
    } else if (kernel_ == Kernel::dirac) {
      reply = {p_.c * v, p_.c * relaxation::velocity_slope(dt), p_.c * v * du};
      to.t = from.t;
    } else {
      const Real start = from.t;
      reply = remember(start, v, dt, to);
    }
    to.u = u;
    to.f = reply.force;
    return reply;
  }

  /// iω ∫₀^∞ G(s) exp(−iωs) ds.
  std::complex<double> dynamic_stiffness(double omega) const {
    const std::complex<double> i(0, 1);
    const double c = value_of(p_.c), a = value_of(p_.a);
    std::complex<double> sum = 0;
    switch (kernel_) {
      case Kernel::exponentials:
        for (std::size_t j = 0; j < p_.k.size(); ++j)
          sum += value_of(p_.k[j]) * relaxation::dynamic_stiffness(omega, value_of(p_.tau[j]));
        return sum;
      case Kernel::dirac:
        return i * omega * c;
      case Kernel::gaussian: {
        const double y = 0.5 * omega * value_of(p_.tau[0]);
        return omega * c *
               std::complex<double>(1.1283791670955125739 * dawson(y), std::exp(-y * y));
      }
      case Kernel::fractional:
        break;
    }
    return c * std::polar(std::pow(omega, a), 0.5 * std::numbers::pi * a);
  }

  constexpr ForceInMotion<Real> force(const State& at, const Real& v) const noexcept {
    if (kernel_ == Kernel::dirac) return {p_.c * v, p_.c};
    if (kernel_ != Kernel::exponentials) return {at.f, Real(0)};  // the piece begun has no length
    Real sum(0);
    for (std::size_t i = 0; i < p_.k.size(); ++i) sum += p_.k[i] * at.stretch[i];
    return {sum, Real(0)};
  }

  Real stored(const State& state) const noexcept {
    Real twice(0);
    for (std::size_t i = 0; i < p_.k.size(); ++i) twice += p_.k[i] * square(state.stretch[i]);
    return 0.5 * twice;
  }
  Real next_kink(const State&, int direction) const noexcept {
    return Real(direction * std::numeric_limits<double>::infinity());
  }

 private:
  static auto parts(const State& s) { return std::tie(s.u, s.f, s.t, s.stretch); }

  static const Params& checked(const Params& p, const Options& options) {
    check_fields(info.name, p);
    if (options.kernel == Kernel::exponentials)
      check_same_length(info.name, "k", p.k.size(), "tau", p.tau.size());
    if (options.kernel == Kernel::gaussian && p.tau.size() != 1)
      throw Error("convolution.tau has " + std::to_string(p.tau.size()) +
                  " elements; the gaussian kernel takes one");
    return p;
  }

  Response<Real> relax(const State& from, const Real& du, double dt, State& to) const noexcept {
    Response<Real> reply{Real(0), Real(0), Real(0)};
    for (std::size_t i = 0; i < p_.k.size(); ++i) {
      const auto decay = relaxation::decay(relaxation::ratio(dt, p_.tau[i]));
      const Real before = from.stretch[i];
      to.stretch[i] = decay.stretch(before, du);
      reply.force += p_.k[i] * to.stretch[i];
      reply.tangent += p_.k[i] * decay.ramp;
      reply.dissipated += p_.k[i] * decay.lost(before, du);
    }
    return reply;
  }

  /// One more piece of the past, and the force of all of them.
  [[gnu::noinline]] Response<Real> remember(const Real& start, const Real& v, double dt,
                                            State& to) const noexcept {
    if (std::isinf(dt)) {  // all is forgotten
      to.past.clear();
      to.t = start;
      return {Real(0), Real(0), Real(0)};
    }
    const Real now = start + dt;
    Response<Real> reply{v * once(Real(dt)), once(Real(dt)) / dt, square(v) * twice(Real(dt))};
    for (std::size_t i = 0; i < to.past.size(); ++i) {
      const auto& [velocity, begin, end] = to.past[i];
      reply.force += velocity * (once(now - begin) - once(now - end));
      reply.dissipated +=
          v * velocity *
          (twice(now - begin) - twice(start - begin) - twice(now - end) + twice(start - end));
    }
    if (!append({v, start, now}, to.past)) reply.status = Status::out_of_memory;
    to.t = now;
    return reply;
  }

  bool append(const TurningPoint<Real>& piece, TurningPoints<Real>& past) const noexcept {
    if (!past.empty()) {
      auto& last = past[past.size() - 1];
      // Rows on a straight line in time are one piece; 1e-13 is rounding.
      if (std::abs(value_of(piece.u - last.u)) <= 1e-13 * std::abs(value_of(last.u))) {
        last.stored = piece.stored;
        return true;
      }
    }
    if (past.size() >= memory_) {
      const std::size_t oldest = past.size() / 4;
      for (std::size_t i = oldest; i < past.size(); ++i) past[i - oldest] = past[i];
      past.drop(oldest);
    }
    return past.push(piece);
  }

  /// ∫₀ˢ G.
  Real once(const Real& s) const noexcept {
    using std::pow;
    if (!(value_of(s) > 0)) return Real(0);
    if (kernel_ == Kernel::gaussian) return p_.c * error_function(Real(s / p_.tau[0]));
    return p_.c * pow(s, Real(1.0 - p_.a)) / gamma(Real(2.0 - p_.a));
  }
  /// ∫₀ˢ once.
  Real twice(const Real& s) const noexcept {
    using std::exp, std::pow;
    if (!(value_of(s) > 0)) return Real(0);
    if (kernel_ == Kernel::gaussian) {
      const Real x = s / p_.tau[0];
      // x erf x + (exp(−x²) − 1)/√π
      return p_.c * p_.tau[0] *
             (x * error_function(x) + (exp(Real(-x * x)) - 1.0) * 0.56418958354775628695);
    }
    return p_.c * pow(s, Real(2.0 - p_.a)) / gamma(Real(3.0 - p_.a));
  }

  static Real error_function(const Real& x) noexcept {
    const double value = value_of(x);
    return chained(x, std::erf(value), 1.1283791670955125739 * std::exp(-value * value));
  }
  static Real gamma(const Real& x) noexcept {
    const double value = std::tgamma(value_of(x));
    return chained(x, value, value * boost::math::digamma(value_of(x)));
  }
  static Real chained([[maybe_unused]] const Real& x, double value,
                      [[maybe_unused]] double slope) noexcept {
    Real result(value);
    if constexpr (!std::is_same_v<Real, double>) result.v = slope * x.v;
    return result;
  }

  Params p_;
  Kernel kernel_;
  std::size_t memory_;
};

}  // namespace microslip
