// Laws against the same laws handed to a general adaptive solver of differential equations: the
// method of Dormand and Prince of order five, which is what most packages call by default. Both
// give the force at the rows of one load; the solver gets the loosest tolerance with which all its
// forces are right to 1e-8 of the largest.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "bench.hpp"
#include "microslip/models/bouc.hpp"
#include "microslip/models/bouc_wen.hpp"
#include "microslip/models/bouc_wen_park.hpp"
#include "microslip/models/bouc_wen_planar.hpp"
#include "microslip/models/dahl.hpp"
#include "microslip/models/generalized_maxwell.hpp"
#include "microslip/models/jenkins.hpp"
#include "microslip/models/jenkins_planar.hpp"
#include "microslip/models/lugre.hpp"
#include "microslip/models/pinched.hpp"
#include "microslip/models/valanis.hpp"

namespace microslip::bench {
namespace {

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

/// A load with minor loops, a hundred rows a period; the second component for laws in the plane.
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

template <class Law>
auto displacement(const Vec& u) {
  if constexpr (PlanarLaw<Law>)
    return u;
  else
    return u[0];
}

template <class Law>
void follow(const Law& law, const Load& load, std::vector<Vec>& force) {
  auto state = law.rest();
  for (std::size_t i = 1; i < load.u.size(); ++i) {
    const auto u = displacement<Law>(load.u[i]);
    if constexpr (PlanarLaw<Law>)
      force[i] = law.step(state, u, state).force;
    else if constexpr (RateDependentLaw<Law>)
      force[i] = Vec(law.step(state, u, Load::dt, state).force, 0);
    else
      force[i] = Vec(law.step(state, u, state).force, 0);
  }
}

/// rate(y, u, v) is dy/dt, force(y, u, v) the force: the law as a differential equation.
template <std::size_t N, class Rate, class Force>
void solve(double tolerance, const std::array<double, N>& start, const Load& load, const Rate& rate,
           const Force& force, std::vector<Vec>& forces) {
  DormandPrince<N> solver(tolerance);
  std::array<double, N> y = start;
  for (std::size_t i = 1; i < load.u.size(); ++i) {
    const Vec from = load.u[i - 1], v = (load.u[i] - from) / Load::dt;
    solver.advance(y, Load::dt, [&](double s, const std::array<double, N>& at) {
      return rate(at, Vec(from + s * v), v);
    });
    forces[i] = force(y, load.u[i], v);
  }
}

double largest_error(const std::vector<Vec>& one, const std::vector<Vec>& other) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    error = std::max(error, (one[i] - other[i]).norm());
    size = std::max(size, one[i].norm());
  }
  return error / size;
}

class Table {
 public:
  template <class Law, std::size_t N, class Rate, class Force>
  void add(const std::string& name, const Law& law, const std::array<double, N>& start,
           const Rate& rate, const Force& force) {
    std::vector<Vec> exact(load_.u.size(), Vec::Zero()), solved = exact;
    follow(law, load_, exact);
    std::optional<double> tolerance;
    for (double trial = 1e-6; trial > 1e-15 && !tolerance; trial /= 10) {
      solve(trial, start, load_, rate, force, solved);
      if (largest_error(exact, solved) <= 1e-8) tolerance = trial;
    }
    if (!tolerance) {
      const double reached = largest_error(exact, solved);
      fmt::print("  {:24} {:>9} {:>9} {:>8}   the solver reaches {:.0e}\n", name, "", "", "",
                 reached);
      json_[name] = {{"solver_reaches", reached}};
      return;
    }
    const auto time = medians({[&] { follow(law, load_, exact); },
                               [&] { solve(*tolerance, start, load_, rate, force, solved); }},
                              7);
    keep(exact.back()[0] + solved.back()[0]);
    const double rows = static_cast<double>(load_.u.size() - 1), ratio = time[1] / time[0];
    fmt::print("  {:24} {:9.1f} {:9.1f} {:8.1f}\n", name, time[0] / rows * 1e9,
               time[1] / rows * 1e9, ratio);
    json_[name] = {{"law_ns", time[0] / rows * 1e9},
                   {"solver_ns", time[1] / rows * 1e9},
                   {"tolerance", *tolerance},
                   {"ratio", ratio}};
    log_sum_ += std::log(ratio);
    ++count_;
  }

  nlohmann::json finish() const {
    const double mean = std::exp(log_sum_ / std::max(count_, 1));
    fmt::print("  geometric mean of the ratio: {:.1f}\n", mean);
    return {{"laws", json_}, {"geometric_mean_ratio", mean}};
  }

 private:
  Load load_;
  nlohmann::json json_ = nlohmann::json::object();
  double log_sum_ = 0;
  int count_ = 0;
};

double sign(double x) { return x < 0 ? -1 : 1; }

void add_bouc_wen(Table& table, const std::string& name, const BoucWen<double>::Params& p) {
  table.add(
      name, BoucWen<double>(p), std::array{0.0},
      [p](const std::array<double, 1>& z, const Vec&, const Vec& v) {
        const double power = std::pow(std::abs(z[0]), p.n);
        return std::array{v[0] * (p.A - power * (p.beta * sign(z[0] * v[0]) + p.gamma))};
      },
      [p](const std::array<double, 1>& z, const Vec& u, const Vec&) {
        return Vec(p.a * p.k * u[0] + (1 - p.a) * p.k * z[0], 0);
      });
}

template <class Law, class Bracket>
void add_planar(Table& table, const std::string& name, const typename Law::Params& p,
                const Bracket& bracket) {
  table.add(
      name, Law(p), std::array{0.0, 0.0},
      [p, bracket](const std::array<double, 2>& at, const Vec&, const Vec& v) {
        const Vec z(at[0], at[1]);
        const Vec rate = p.A * v - z * bracket(z, v);
        return std::array{rate[0], rate[1]};
      },
      [p](const std::array<double, 2>& z, const Vec& u, const Vec&) {
        return Vec(p.k * (p.a * u + (1 - p.a) * Vec(z[0], z[1])));
      });
}

const auto only_state = [](const auto& y, const Vec&, const Vec&) { return Vec(y[0], 0); };

void add_rate_independent(Table& table) {
  const Jenkins<double>::Params j{};
  table.add(
      "jenkins", Jenkins<double>(j), std::array{0.0},
      [j](const std::array<double, 1>& f, const Vec&, const Vec& v) {
        return std::array{std::abs(f[0]) >= j.phi && f[0] * v[0] > 0 ? 0.0 : j.k * v[0]};
      },
      only_state);
  const Bouc<double>::Params b{};
  table.add(
      "bouc", Bouc<double>(b), std::array{0.0},
      [b](const std::array<double, 1>& z, const Vec&, const Vec& v) {
        return std::array{b.A * v[0] - b.alpha * std::abs(v[0]) * z[0]};
      },
      [b](const std::array<double, 1>& z, const Vec& u, const Vec&) {
        return Vec(b.k * u[0] + z[0], 0);
      });
  add_bouc_wen(table, "bouc-wen, n = 1", {});
  add_bouc_wen(table, "bouc-wen, n = 1.5", {.n = 1.5});
  add_bouc_wen(table, "bouc-wen, n = 2", {.n = 2});
  const Dahl<double>::Params d{};
  table.add(
      "dahl", Dahl<double>(d), std::array{0.0},
      [d](const std::array<double, 1>& z, const Vec&, const Vec& v) {
        const double r = 1 - z[0] / d.zc * sign(v[0]);
        return std::array{d.sigma0 * std::pow(std::abs(r), d.n) * sign(r) * v[0]};
      },
      only_state);
  const Valanis<double>::Params w{};
  table.add(
      "valanis", Valanis<double>(w), std::array{0.0},
      [w](const std::array<double, 1>& f, const Vec& u, const Vec& v) {
        const double e = sign(v[0]) * w.lambda / w.E0 * (w.Et * u[0] - f[0]);
        return std::array{w.E0 * (1 + e) / (1 + w.kappa * e) * v[0]};
      },
      only_state);
  const Pinched<double>::Params p{};
  table.add(
      "pinched", Pinched<double>(p), std::array{p.theta_m},
      [p](const std::array<double, 1>& theta, const Vec& u, const Vec& v) {
        const double goal = p.theta_m + p.beta * sign(u[0] * v[0]);
        return std::array{p.K0 / (std::abs(u[0]) + p.eps) * (goal - theta[0]) * std::abs(v[0])};
      },
      [](const std::array<double, 1>& theta, const Vec& u, const Vec&) {
        return Vec(theta[0] * u[0], 0);
      });
}

void add_rate_dependent(Table& table) {
  const GeneralizedMaxwell<double>::Params m{};
  table.add(
      "generalized-maxwell", GeneralizedMaxwell<double>(m), std::array{0.0, 0.0},
      [m](const std::array<double, 2>& e, const Vec&, const Vec& v) {
        return std::array{v[0] - e[0] / m.tau[0], v[0] - e[1] / m.tau[1]};
      },
      [m](const std::array<double, 2>& e, const Vec& u, const Vec&) {
        return Vec(m.k0 * u[0] + m.k[0] * e[0] + m.k[1] * e[1], 0);
      });
  const LuGre<double>::Params l{};
  const auto bristles = [l](double z, double v) {
    const double g = (l.zc + (l.zs - l.zc) * std::exp(-(v / l.vs) * (v / l.vs))) / l.sigma0;
    return v - std::abs(v) * z / g;
  };
  table.add(
      "lugre", LuGre<double>(l), std::array{0.0},
      [bristles](const std::array<double, 1>& z, const Vec&, const Vec& v) {
        return std::array{bristles(z[0], v[0])};
      },
      [l, bristles](const std::array<double, 1>& z, const Vec&, const Vec& v) {
        return Vec(l.sigma0 * z[0] + l.sigma1 * bristles(z[0], v[0]) + l.sigma2 * v[0], 0);
      });
}

void add_in_the_plane(Table& table) {
  const JenkinsPlanar<double>::Params j{};
  table.add(
      "jenkins-planar", JenkinsPlanar<double>(j), std::array{0.0, 0.0},
      [j](const std::array<double, 2>& at, const Vec&, const Vec& v) {
        const Vec f(at[0], at[1]);
        const bool slips = f.norm() >= j.phi && f.dot(v) > 0;
        const Vec rate = j.k * (slips ? Vec(v - v.dot(f) / f.squaredNorm() * f) : v);
        return std::array{rate[0], rate[1]};
      },
      [](const std::array<double, 2>& f, const Vec&, const Vec&) { return Vec(f[0], f[1]); });
  const BoucWenPlanar<double>::Params p{};
  add_planar<BoucWenPlanar<double>>(table, "bouc-wen-planar", p, [p](const Vec& z, const Vec& v) {
    return p.beta * std::abs(z.dot(v)) + p.gamma * z.dot(v);
  });
  const BoucWenPark<double>::Params q{};
  add_planar<BoucWenPark<double>>(table, "bouc-wen-park", q, [q](const Vec& z, const Vec& v) {
    const Vec each = z.cwiseProduct(v);
    return q.beta * each.cwiseAbs().sum() + q.gamma * each.sum();
  });
}

}  // namespace

nlohmann::json laws_against_ode_solver() {
  fmt::print("\nagainst a general ODE solver, ns a row at 1e-8\n");
  fmt::print("                                law    solver    ratio\n");
  Table table;
  add_rate_independent(table);
  add_rate_dependent(table);
  add_in_the_plane(table);
  return table.finish();
}

}  // namespace microslip::bench
