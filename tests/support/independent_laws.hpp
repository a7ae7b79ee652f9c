#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "support/runge_kutta.hpp"

/// Laws as their sources print them, integrated row by row by simple methods that share nothing with
/// the library. `move` goes to a displacement and answers the force; `work` is ∫f du so far.
namespace microslip::testing {

inline double sign_of(double x) { return x < 0 ? -1 : 1; }

/// Armstrong–Frederick back forces and Voce's hardening, two back forces, in rates:
///     f' = k (u' − p'),  p' = k u'/(k + H) while f − ΣX = ±(fy + R).
struct PrintedChaboche {
  double k, fy;
  std::array<double, 2> C, gamma;
  double Q, b;
  int steps = 400;
  double u = 0, f = 0, q = 0, work = 0;
  std::array<double, 2> X{};

  double move(double to) {
    const double d = sign_of(to - u);
    const double limit = fy + Q * (1 - std::exp(-b * q)) + d * (X[0] + X[1]);
    const double elastic = std::min(std::max(0.0, (limit - d * f) / k), d * (to - u));
    work += (f + 0.5 * d * k * elastic) * d * elastic;
    f += d * k * elastic;
    const double way = d * (to - u) - elastic;
    const auto rate = [&](const std::array<double, 5>& y) {  // d f, d X1, d X2, q, work
      const double a1 = C[0] - gamma[0] * y[1], a2 = C[1] - gamma[1] * y[2];
      const double hardening = a1 + a2 + Q * b * std::exp(-b * y[3]);
      const double plastic = k / (k + hardening);
      return std::array<double, 5>{k * (1 - plastic), a1 * plastic, a2 * plastic, plastic, y[0]};
    };
    const auto end = runge_kutta<5>({d * f, d * X[0], d * X[1], q, work}, way, steps, rate);
    f = d * end[0];
    X = {d * end[1], d * end[2]};
    q = end[3];
    work = end[4];
    u = to;
    return f;
  }
};

/// In the normalised form of Menegotto and Pinto, σ* = b ε* + (1 − b) ε*/(1 + ε*^R)^(1/R), with the
/// asymptotes of each branch intersected anew. Work by Simpson's rule.
struct PrintedMenegottoPinto {
  double k, fy, b, R0, cR1, cR2, a1, a2, a3, a4;
  double u = 0, f = 0, work = 0;
  double ur = 0, fr = 0, u0 = 0, f0 = 0, plastic = 0, high = fy / k, low = -fy / k;
  int way = 0;

  double at(double x) const {
    const double uy = fy / k, xi = std::abs((plastic - u0) / uy);
    const double R = R0 * (1 - cR1 * xi / (cR2 + xi)), e = (x - ur) / (u0 - ur);
    return fr + (f0 - fr) * (b * e + (1 - b) * e / std::pow(1 + std::pow(e, R), 1 / R));
  }
  double move(double to) {
    const double uy = fy / k;
    const int d = to > u ? 1 : -1;
    if (way == 0) {
      u0 = plastic = d * uy;
      f0 = d * fy;
    } else if (d != way) {
      ur = u;
      fr = f;
      if (d > 0) low = std::min(low, u);
      if (d < 0) high = std::max(high, u);
      const double a = d > 0 ? a3 : a1, range = d > 0 ? a4 : a2;
      const double strength = fy * (1 + a * std::pow((high - low) / (2 * range * uy), 0.8));
      // d strength + b k (u − d uy strength/fy) = fr + k (u − ur)
      u0 = (d * strength * (1 - b) - fr + k * ur) / (k * (1 - b));
      f0 = fr + k * (u0 - ur);
      plastic = d > 0 ? high : low;
    }
    way = d;
    constexpr int pieces = 2000;
    const double h = (to - u) / pieces;
    double sum = at(u) + at(to);
    for (int i = 1; i < pieces; ++i) sum += (i % 2 == 1 ? 4 : 2) * at(u + i * h);
    work += h / 3 * sum;
    u = to;
    return f = at(to);
  }
};

/// Foliente's equations in the displacement; every row in two parts, before and after z = 0.
struct PrintedBaberNoori {
  double k, a, beta, gamma, n, delta_nu, delta_eta, zeta_s, q, p, psi, delta_psi, lambda;
  int steps = 400;
  double u = 0, z = 0, energy = 0, work = 0;

  double dz(double d, double z_now, double e) const {
    const double nu = 1 + delta_nu * e, eta = 1 + delta_eta * e;
    const double zu = std::pow(1 / (nu * (beta + gamma)), 1 / n);
    const double zeta1 = zeta_s * (1 - std::exp(-p * e));
    const double zeta2 = (psi + delta_psi * e) * (lambda + zeta1);
    const double off = z_now * d - q * zu;
    const double h = 1 - zeta1 * std::exp(-off * off / (zeta2 * zeta2));
    const double zn = std::pow(std::abs(z_now), n);
    return h / eta * (1 - nu * (beta * sign_of(d * z_now) * zn + gamma * zn));
  }
  double force() const { return a * k * u + (1 - a) * k * z; }
  double move(double to) {
    const double d = sign_of(to - u);
    // By z to its zero, if the motion gets there: x' = 1/z'.
    double left = d * (to - u);
    const double before = u;
    const double energy_before = energy;
    if (d * z < 0) {
      const auto by_z = [&](const std::array<double, 3>& y) {
        const double per = 1 / dz(d, d * y[0], y[2]);
        return std::array<double, 3>{1, per, y[0] * per};
      };
      const auto zero = runge_kutta<3>({d * z, 0, energy}, -d * z, steps, by_z);
      if (zero[1] < left) {
        left -= zero[1];
        energy = zero[2];
        z = 0;
      }
    }
    const auto by_x = [&](const std::array<double, 2>& y) {
      return std::array<double, 2>{dz(d, d * y[0], y[1]), y[0]};
    };
    const auto end = runge_kutta<2>({d * z, energy}, left, steps, by_x);
    z = d * end[0];
    energy = end[1];
    u = to;
    work += 0.5 * a * k * (u * u - before * before) + (1 - a) * k * (energy - energy_before);
    return force();
  }
};

/// The flag as a band between two lines: an elastic step, cut off at the band.
struct PrintedFlag {
  double k1, k2, fa, beta;
  double u = 0, f = 0;

  double line(double height, double x) const {
    const double ux = height * fa / k1;
    return std::min(k1 * x, height * fa + k2 * (x - ux));
  }
  double upper(double x) const { return x > 0 ? line(1, x) : -line(1 - beta, -x); }
  double lower(double x) const { return x > 0 ? line(1 - beta, x) : -line(1, -x); }
  double move(double to) {
    f = std::clamp(f + k1 * (to - u), lower(to), upper(to));
    u = to;
    return f;
  }
};

/// The S as printed and Wen's equation with γ = β.
struct PrintedRocking {
  double k1, fl, k2, m, kd, fd, n;
  int steps = 400;
  double u = 0, z = 0, work = 0;

  double curve(double x) const {
    const double s = std::abs(k1 * x / fl);
    return k2 * x + (k1 - k2) * x / std::pow(1 + std::pow(s, m), 1 / m);
  }
  double move(double to) {
    const double d = sign_of(to - u);
    const double straight = std::clamp(-d * z * fd / kd, 0.0, d * (to - u));
    const double z_then = z + d * kd / fd * straight;
    // Work of the S by Simpson's rule, its kink at the origin on the grid.
    const auto s_work = [&](double from, double end) {
      constexpr int pieces = 2000;
      const double h = (end - from) / pieces;
      double sum = curve(from) + curve(end);
      for (int i = 1; i < pieces; ++i) sum += (i % 2 == 1 ? 4 : 2) * curve(from + i * h);
      return h / 3 * sum;
    };
    work += u * to < 0 ? s_work(u, 0) + s_work(0, to) : s_work(u, to);
    work += fd * 0.5 * (z + z_then) * d * straight;
    const auto rate = [&](const std::array<double, 2>& y) {
      return std::array<double, 2>{kd / fd * (1 - std::pow(std::abs(y[0]), n)), fd * y[0]};
    };
    const auto end = runge_kutta<2>({d * z_then, work}, d * (to - u) - straight, steps, rate);
    z = d * end[0];
    work = end[1];
    u = to;
    return curve(to) + fd * z;
  }
};

/// The generalized Maxwell-slip law as printed, by many short steps of time.
struct PrintedMaxwellSlip {
  std::vector<double> k, alpha;
  double fc, fs, vs, delta, C, sigma2;
  int steps = 4000;
  double u = 0, work = 0;
  std::vector<double> force = std::vector<double>(k.size());
  std::vector<bool> slides = std::vector<bool>(k.size());
  int way = 0;

  double move(double to, double dt) {
    const int d = to > u ? 1 : -1;
    if (d != way) slides.assign(k.size(), false);
    way = d;
    const double v = (to - u) / dt, h = dt / steps;
    const double s = fc + (fs - fc) * std::exp(-std::pow(std::abs(v) / vs, delta));
    double sum = 0;
    for (int step = 0; step < steps; ++step) {
      sum = 0;
      for (std::size_t i = 0; i < k.size(); ++i) {
        double y = d * force[i];
        const double before = y;
        if (!slides[i]) {
          slides[i] = y + k[i] * std::abs(v) * h >= alpha[i] * s;
          // The part of this short step that is left slides on the limit, unless it is above.
          if (!slides[i]) y += k[i] * std::abs(v) * h;
          if (slides[i] && y < alpha[i] * s) y = alpha[i] * s;
        }
        if (slides[i]) {  // Heun
          const double slope = C * (alpha[i] - y / s), then = C * (alpha[i] - (y + h * slope) / s);
          y += 0.5 * h * (slope + then);
        }
        work += 0.5 * (before + y) * std::abs(v) * h;
        sum += d * y;
        force[i] = d * y;
      }
      work += sigma2 * v * v * h;
    }
    u = to;
    return sum + sigma2 * v;
  }
};

}  // namespace microslip::testing
