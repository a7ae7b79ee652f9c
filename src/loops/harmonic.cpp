#include "microslip/loops/harmonic.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::loops {
namespace {

using std::numbers::pi;
using Kronrod = boost::math::quadrature::gauss_kronrod<double, 31>;

void check(const AnyModel& model, double amplitude, double omega) {
  const Description& law = model.description();
  if (!law.directions.empty())
    throw Error(law.name + " has several directions; a first harmonic needs one displacement");
  if (!(amplitude > 0) || !std::isfinite(amplitude))
    throw Error("amplitude = " + number_text(amplitude) + " must be positive");
  if (!(omega > 0) || !std::isfinite(omega))
    throw Error("omega = " + number_text(omega) + " must be positive");
}

/// What a cycle leaves behind, to see whether the next one does the same.
struct CycleAnswer {
  double top = 0, bottom = 0;  ///< answers at A and −A
  double energy = 0;

  bool repeats(const CycleAnswer& before, double amplitude) const {
    const double force = std::max(std::abs(top), std::abs(bottom));
    const double tolerance = 1e-13 * std::max(force, std::abs(energy) / amplitude);
    return std::abs(top - before.top) <= tolerance &&
           std::abs(bottom - before.bottom) <= tolerance &&
           std::abs(energy - before.energy) <= tolerance * amplitude;
  }
};

// --------------------------------------------------------------- laws that do not see velocity

class Quasistatic {
 public:
  Quasistatic(const AnyModel& model, double amplitude, const HarmonicOptions& options)
      : model_(model), A_(amplitude), options_(options), state_(model.rest()), scratch_(state_) {}

  FirstHarmonic compute() {
    result_.amplitude = A_;
    result_.driven = model_.description().driven;
    const bool by_force = result_.driven == Driven::force;
    go_to(A_);
    const CycleAnswer cycle = settle();
    if (result_.status != Status::ok) return result_;
    result_.energy = cycle.energy;
    result_.a1 = cycle.energy / (pi * A_);
    const double range = cycle.top - cycle.bottom;
    result_.secant = by_force ? 2 * A_ / range : range / (2 * A_);
    if (options_.energy_only) return result_;
    scale_ = std::max({std::abs(cycle.top), std::abs(cycle.bottom), std::abs(result_.a1)});
    leg(-A_);
    leg(A_);
    result_.b1 = sine_ / pi;
    result_.mean = sum_ / (2 * pi);
    use_area((by_force ? -cosine_ : cosine_) / pi);
    return result_;
  }

 private:
  double go_to(double u) {
    const Response<double> response = model_.step(state_, u, 0, state_);
    if (response.status != Status::ok) result_.status = response.status;
    energy_ += response.dissipated;
    return response.force;
  }

  CycleAnswer one_cycle() {
    CycleAnswer cycle;
    energy_ = 0;
    const double stored = model_.stored(state_);
    cycle.bottom = go_to(-A_);
    cycle.top = go_to(A_);
    cycle.energy = energy_ + model_.stored(state_) - stored;  // work
    return cycle;
  }

  CycleAnswer settle() {
    CycleAnswer last = one_cycle();
    for (result_.cycles = 1; result_.cycles < options_.most_cycles; ++result_.cycles) {
      if (result_.status != Status::ok) break;
      const CycleAnswer next = one_cycle();
      result_.closed = next.repeats(last, A_);
      last = next;
      if (result_.closed) break;
    }
    return last;
  }

  /// The energy that the law tells and the area of its loop are computed independently. They agree
  /// to rounding; where a law loses digits of its energy (extreme exponents) the area is better.
  void use_area(double area) {
    if (!(scale_ > 0)) return;
    const double by_quadrature = quadrature_error_ / pi / scale_;
    result_.error = std::max(std::abs(area - result_.a1) / scale_, by_quadrature);
    if (result_.error <= 100 * std::max(options_.tolerance, by_quadrature)) return;
    result_.a1 = area;
    result_.energy = pi * A_ * area;
    result_.error = by_quadrature;
  }

  /// From the present tip to the other one, piece by piece between kinks.
  void leg(double end) {
    const int direction = end > 0 ? 1 : -1;
    AnyState from = state_;
    double theta = -direction * pi / 2, u = -end;
    for (int pieces = 0; pieces < 1000; ++pieces) {
      double kink = model_.next_kink(from, direction);
      const auto ahead = [&] { return direction * (kink - u) > 1e-15 * A_; };
      if (!ahead()) {
        // Reached but for rounding, which a large displacement does not resolve: a little beyond.
        model_.step(from, u + direction * 1e-15 * A_, 0, from);
        kink = model_.next_kink(from, direction);
      }
      const bool last = !ahead() || !(direction * (end - kink) > 1e-12 * A_);
      const double next = last ? direction * pi / 2 : std::asin(std::clamp(kink / A_, -1.0, 1.0));
      integrate(from, theta, next, direction);
      if (last) break;
      const Response<double> response = model_.step(from, kink, 0, from);
      if (response.status != Status::ok) result_.status = response.status;
      theta = next;
      u = kink;
    }
    go_to(end);
  }

  /// On the way down θ runs on from π/2 to 3π/2; with θ' = π − θ the sine is the same and the
  /// cosine changes its sign, so both ways are written in θ' from −π/2 to π/2.
  void integrate(const AnyState& from, double begin, double end, int direction) {
    const double low = std::min(begin, end), high = std::max(begin, end);
    if (!(high > low)) return;
    const auto force = [&](double theta) {
      const double u = std::clamp(A_ * std::sin(theta), -A_, A_);
      return model_.step(from, u, 0, scratch_).force;
    };
    const double tolerance = options_.tolerance;
    const auto add = [&](auto weight, double& to, double sign) {
      double error = 0;
      to += sign * Kronrod::integrate([&](double theta) { return force(theta) * weight(theta); },
                                      low, high, 12, tolerance, &error);
      quadrature_error_ = std::max(quadrature_error_, error);
    };
    add([](double theta) { return std::sin(theta); }, sine_, 1);
    add([](double theta) { return std::cos(theta); }, cosine_, direction);
    add([](double) { return 1.0; }, sum_, 1);
  }

  const AnyModel& model_;
  double A_;
  const HarmonicOptions& options_;
  AnyState state_, scratch_;
  FirstHarmonic result_;
  double energy_ = 0, scale_ = 0, sine_ = 0, cosine_ = 0, sum_ = 0, quadrature_error_ = 0;
};

// ------------------------------------------------------------------------- rate-dependent laws

class Moving {
 public:
  Moving(const AnyModel& model, double amplitude, double omega, const HarmonicOptions& options)
      : model_(model),
        A_(amplitude),
        omega_(omega),
        options_(options),
        state_(model.rest()),
        scratch_(state_) {}

  FirstHarmonic compute() {
    FirstHarmonic result;
    Sums rows[levels][levels]{};
    start(first_steps);
    std::size_t steps = first_steps;
    for (int level = 0; level < levels; ++level, steps *= 2) {
      Sums now = settle(steps, result);
      if (status_ != Status::ok) break;
      rows[level][0] = now;
      // Errors go with even powers of the step: Richardson's table. At the tips the velocity of the last
      // step enters, with any power.
      for (int k = 1; k <= level; ++k) {
        const Sums change = rows[level][k - 1] - rows[level - 1][k - 1];
        rows[level][k] = rows[level][k - 1] + change * (1 / (std::pow(4.0, k) - 1));
        rows[level][k].secant = rows[level][k - 1].secant + change.secant / (std::pow(2.0, k) - 1);
      }
      const Sums& best = rows[level][level];
      result.a1 = best.a1;
      result.b1 = best.b1;
      result.mean = best.mean;
      result.secant = best.secant;
      const double scale = std::max({std::abs(best.a1), std::abs(best.b1), now.largest});
      if (level > 0 && scale > 0) {
        const Sums change = best - rows[level - 1][level - 1];
        result.error = std::max(std::abs(change.a1), std::abs(change.b1)) / scale;
        const double at_tips = std::abs(change.secant) * A_ / scale;
        if (level > 1 && result.error <= options_.tolerance && at_tips <= 100 * options_.tolerance)
          break;
      }
    }
    result.status = status_;
    result.amplitude = A_;
    result.omega = omega_;
    result.energy = pi * A_ * result.a1;
    return result;
  }

 private:
  static constexpr int levels = 7;
  static constexpr std::size_t first_steps = 128;

  struct Sums {
    double a1 = 0, b1 = 0, mean = 0, secant = 0, largest = 0;
    Sums operator+(const Sums& y) const {
      return {a1 + y.a1, b1 + y.b1, mean + y.mean, secant + y.secant, largest};
    }
    Sums operator-(const Sums& y) const {
      return {a1 - y.a1, b1 - y.b1, mean - y.mean, secant - y.secant, largest};
    }
    Sums operator*(double x) const { return {a1 * x, b1 * x, mean * x, secant * x, largest}; }
  };

  double u_at(std::size_t i, std::size_t steps) const {
    // From the top, exact at the turning points, symmetric in between.
    const std::size_t half = steps / 2;
    if (i == half) return -A_;
    if (i == 0 || i == steps) return A_;
    return A_ * std::cos(2 * pi * static_cast<double>(i) / static_cast<double>(steps));
  }

  Response<double> step(double u, double dt, AnyState& to) {
    const Response<double> response = model_.step(state_, u, dt, to);
    if (response.status != Status::ok) status_ = response.status;
    return response;
  }

  /// A quarter of a period up to the first tip.
  void start(std::size_t steps) {
    const double dt = 2 * pi / omega_ / static_cast<double>(steps);
    for (std::size_t i = steps - steps / 4 + 1; i <= steps; ++i) step(u_at(i, steps), dt, state_);
  }

  Sums one_cycle(std::size_t steps) {
    Sums sums;
    const double n = static_cast<double>(steps), dt = 2 * pi / omega_ / n;
    double top = 0, bottom = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      const double from = u_at(i, steps), to = u_at(i + 1, steps);
      // In the middle of the step the velocity is that of the sine up to the square of the step.
      const double force = step(0.5 * (from + to), 0.5 * dt, scratch_).force;
      const double end = step(to, dt, state_).force;
      const double theta = 2 * pi * (static_cast<double>(i) + 0.5) / n;  // u = A cos θ
      sums.b1 += 2 / n * force * std::cos(theta);
      sums.a1 -= 2 / n * force * std::sin(theta);
      sums.mean += force / n;
      sums.largest = std::max(sums.largest, std::abs(force));
      if (i + 1 == steps / 2) bottom = end;
      if (i + 1 == steps) top = end;
    }
    sums.secant = (top - bottom) / (2 * A_);
    return sums;
  }

  Sums settle(std::size_t steps, FirstHarmonic& result) {
    Sums last = one_cycle(steps);
    // What is left of the start decays; finer steps only have to follow a small change.
    const std::size_t most = std::max<std::size_t>(20, options_.most_cycles * first_steps / steps);
    for (std::size_t n = 1; n < most && status_ == Status::ok; ++n) {
      const Sums next = one_cycle(steps);
      ++result.cycles;
      const double tolerance = 1e-12 * std::max(next.largest, std::abs(next.secant) * A_);
      const Sums change = next - last;
      result.closed = std::abs(change.a1) <= tolerance && std::abs(change.b1) <= tolerance &&
                      std::abs(change.mean) <= tolerance;
      last = next;
      if (result.closed) break;
    }
    return last;
  }

  const AnyModel& model_;
  double A_, omega_;
  const HarmonicOptions& options_;
  AnyState state_, scratch_;
  Status status_ = Status::ok;
};

}  // namespace

std::optional<FirstHarmonic> closed_form(const AnyModel& model, double amplitude, double omega) {
  const auto force = model.first_harmonic(amplitude, omega);
  if (!force) return {};
  FirstHarmonic result;
  result.amplitude = amplitude;
  result.omega = omega;
  result.a1 = force->a1;
  result.b1 = force->b1;
  result.energy = pi * amplitude * force->a1;
  result.secant = force->tip / amplitude;
  result.closed = result.closed_form = true;
  return result;
}

FirstHarmonic first_harmonic(const AnyModel& model, double amplitude, double omega,
                             const HarmonicOptions& options) {
  check(model, amplitude, omega);
  if (options.use_closed_form)
    if (const auto known = closed_form(model, amplitude, omega)) return *known;
  if (model.description().family == Family::rate_dependent)
    return Moving(model, amplitude, omega, options).compute();
  FirstHarmonic result = Quasistatic(model, amplitude, options).compute();
  result.omega = omega;
  return result;
}

}  // namespace microslip::loops
