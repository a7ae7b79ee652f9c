#pragma once

// A law against the same law handed to a general adaptive solver of differential equations: the
// method of Dormand and Prince of order five, which is what most packages call by default. Both
// give force and work at the rows of one load; the solver gets the loosest tolerance with which all
// its forces are right to 1e-8 of the largest.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "bench.hpp"
#include "microslip/core/concepts.hpp"

namespace microslip::bench {

using Vec = Vec2<double>;

/// y' = rate(s, y) with an error per step below tolerance · (1 + |y|), step sizes kept from call to
/// call.
template <std::size_t N>
class DormandPrince {
 public:
  using Y = std::array<double, N>;
  explicit DormandPrince(double tolerance) : tolerance_(tolerance) {}

  template <class Rate>
  void advance(Y& y, double length, const Rate& rate) {
    double s = 0;
    h_ = std::min(h_, length);
    while (s < length) {
      const bool last = s + h_ >= length * (1 - 1e-14);
      const double h = last ? length - s : h_;
      const auto at = [&](double part, std::initializer_list<std::pair<double, const Y*>> terms) {
        Y point = y;
        for (const auto& [weight, slope] : terms)
          for (std::size_t i = 0; i < N; ++i) point[i] += h * weight * (*slope)[i];
        return rate(s + part * h, point);
      };
      const Y a = rate(s, y);
      const Y b = at(0.2, {{1.0 / 5, &a}});
      const Y c = at(0.3, {{3.0 / 40, &a}, {9.0 / 40, &b}});
      const Y d = at(0.8, {{44.0 / 45, &a}, {-56.0 / 15, &b}, {32.0 / 9, &c}});
      const Y e = at(
          8.0 / 9,
          {{19372.0 / 6561, &a}, {-25360.0 / 2187, &b}, {64448.0 / 6561, &c}, {-212.0 / 729, &d}});
      const Y f = at(1, {{9017.0 / 3168, &a},
                         {-355.0 / 33, &b},
                         {46732.0 / 5247, &c},
                         {49.0 / 176, &d},
                         {-5103.0 / 18656, &e}});
      Y next = y;
      for (std::size_t i = 0; i < N; ++i)
        next[i] += h * (35.0 / 384 * a[i] + 500.0 / 1113 * c[i] + 125.0 / 192 * d[i] -
                        2187.0 / 6784 * e[i] + 11.0 / 84 * f[i]);
      const Y g = rate(s + h, next);
      double error = 0;
      for (std::size_t i = 0; i < N; ++i)
        error = std::max(
            error, std::abs(h * (71.0 / 57600 * a[i] - 71.0 / 16695 * c[i] + 71.0 / 1920 * d[i] -
                                 17253.0 / 339200 * e[i] + 22.0 / 525 * f[i] - g[i] / 40)) /
                       (1 + std::abs(next[i])));
      const double factor = 0.9 * std::pow(tolerance_ / std::max(error, 1e-300), 0.2);
      if (error <= tolerance_ || h < 1e-12 * length) {
        y = next;
        s = last ? length : s + h;
      }
      if (!last || error > tolerance_ || factor > 1) h_ = h * std::clamp(factor, 0.2, 5.0);
    }
  }

 private:
  double tolerance_;
  double h_ = 1;
};

/// A load with minor loops, a hundred rows a period; the second component for planar laws.
struct Load {
  static constexpr double dt = 0.01;
  std::vector<Vec> u;
  Load() {
    using std::numbers::pi;
    for (int i = 0; i <= 1000; ++i) {
      const double t = i * dt;
      u.emplace_back(1.1255 * (2 * std::sin(2 * pi * t) + std::sin(8 * pi * t)),
                     1.5 * std::sin(3 * pi * t));
    }
  }
};

/// For laws without memory besides their state.
struct NoMemory {
  template <class... T>
  void operator()(const T&...) const {}
};

/// The rows so far, and the means to add one.
class Table {
 public:
  /// rate(y, u, v) is dy/dt and force(y, u, v) the force, the law as a differential equation from
  /// `start`; begin(y, u, v) is called where a row begins, and handed on to both if they ask for
  /// it.
  template <class Law, std::size_t N, class Rate, class Force, class Begin = NoMemory>
  void add(const typename Law::Params& params, const std::array<double, N>& start, const Rate& rate,
           const Force& force, const Begin& begin = {}, const std::string& variant = "") {
    const Law law(params);
    const std::string name = std::string(Law::info.name) + variant;
    std::vector<Vec> exact(load_.u.size(), Vec::Zero()), solved = exact;
    const auto solve_to = [&](double tolerance) {
      solve<Law>(tolerance, start, rate, force, begin, solved);
    };
    follow(law, exact);
    std::optional<double> tolerance;
    for (double trial = 1e-6; trial > 1e-15 && !tolerance; trial /= 10) {
      solve_to(trial);
      if (largest_error(exact, solved) <= 1e-8) tolerance = trial;
    }
    if (!tolerance) return missing(name, largest_error(exact, solved));
    const auto time = medians({[&] { follow(law, exact); }, [&] { solve_to(*tolerance); }}, 7);
    keep(exact.back()[0] + solved.back()[0]);
    const double rows = static_cast<double>(load_.u.size() - 1), ratio = time[1] / time[0];
    fmt::print("  {:28} {:9.1f} {:9.1f} {:8.1f}\n", name, time[0] / rows * 1e9,
               time[1] / rows * 1e9, ratio);
    json_[name] = {{"law_ns", time[0] / rows * 1e9},
                   {"solver_ns", time[1] / rows * 1e9},
                   {"tolerance", *tolerance},
                   {"ratio", ratio}};
    log_sum_ += std::log(ratio);
    ++count_;
  }

  void leave_out(const std::string& name, const std::string& reason) {
    fmt::print("  {:28} {:>9} {:>9} {:>8}   {}\n", name, "", "", "", reason);
    json_[name] = {{"left_out", reason}};
  }

  bool has(const std::string& name) const { return json_.contains(name); }

  nlohmann::json finish() const {
    const double mean = std::exp(log_sum_ / std::max(count_, 1));
    fmt::print("  geometric mean of the ratio over {} rows: {:.1f}\n", count_, mean);
    return {{"laws", json_}, {"geometric_mean_ratio", mean}};
  }

 private:
  void missing(const std::string& name, double reached) {
    leave_out(name, fmt::format("the solver reaches {:.0e}", reached));
  }

  template <class Law>
  static auto in(const Vec& u) {
    if constexpr (VectorLaw<Law>)
      return u;
    else
      return u[0];
  }
  static Vec out(const Vec& f) { return f; }
  static Vec out(double f) { return {f, 0}; }
  static double power(const Vec& f, const Vec& v) { return f.dot(v); }
  static double power(double f, double v) { return f * v; }

  template <class Law>
  void follow(const Law& law, std::vector<Vec>& force) const {
    auto state = law.rest();
    double work = 0;
    for (std::size_t i = 1; i < load_.u.size(); ++i) {
      const auto u = in<Law>(load_.u[i]);
      const auto reply = [&] {
        if constexpr (RateDependentLaw<Law>)
          return law.step(state, u, Load::dt, state);
        else
          return law.step(state, u, state);
      }();
      force[i] = out(reply.force);
      work += reply.dissipated;
    }
    keep(work);
  }

  template <class F, class Y, class U, class Begin>
  static auto call(const F& f, const Y& y, const U& u, const U& v, const Begin& memory) {
    if constexpr (std::is_invocable_v<F, Y, U, U, Begin>)
      return f(y, u, v, memory);
    else
      return f(y, u, v);
  }

  /// The last unknown is the work.
  template <class Law, std::size_t N, class Rate, class Force, class Begin>
  void solve(double tolerance, const std::array<double, N>& start, const Rate& rate,
             const Force& force, const Begin& begin, std::vector<Vec>& forces) const {
    DormandPrince<N + 1> solver(tolerance);
    Begin at_row = begin;  // its memory begins anew
    std::array<double, N + 1> y{};
    std::copy(start.begin(), start.end(), y.begin());
    const auto state = [](const std::array<double, N + 1>& all) {
      std::array<double, N> result;
      std::copy_n(all.begin(), N, result.begin());
      return result;
    };
    for (std::size_t i = 1; i < load_.u.size(); ++i) {
      const auto from = in<Law>(load_.u[i - 1]), to = in<Law>(load_.u[i]);
      const decltype(from) v = (to - from) / Load::dt;
      at_row(state(y), from, v);
      solver.advance(y, Load::dt, [&](double s, const std::array<double, N + 1>& all) {
        const std::array<double, N> at = state(all);
        const decltype(from) u = from + s * v;
        const std::array<double, N> rates = call(rate, at, u, v, at_row);
        std::array<double, N + 1> result;
        std::copy(rates.begin(), rates.end(), result.begin());
        result[N] = power(call(force, at, u, v, at_row), v);
        return result;
      });
      forces[i] = out(call(force, state(y), to, v, at_row));
    }
    keep(y[N]);
  }

  static double largest_error(const std::vector<Vec>& one, const std::vector<Vec>& other) {
    double error = 0, size = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
      error = std::max(error, (one[i] - other[i]).norm());
      size = std::max(size, one[i].norm());
    }
    return error / size;
  }

  Load load_;
  nlohmann::json json_ = nlohmann::json::object();
  double log_sum_ = 0;
  int count_ = 0;
};

inline double sign(double x) { return x < 0 ? -1 : 1; }

/// A Jenkins element: its rate at force f. The solver is forgiven a rounding at the limit.
inline double stop(double f, double k, double phi, double v) {
  return std::abs(f) >= phi * (1 - 1e-10) && f * v > 0 ? 0 : k * v;
}

/// Laws that depend on displacement alone, on velocity, and in the plane.
void add_displacement_laws(Table& table);
void add_masing_laws(Table& table);
void add_velocity_laws(Table& table);
void add_planar_laws(Table& table);

}  // namespace microslip::bench
