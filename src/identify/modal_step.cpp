#include "identify/modal_step.hpp"

#include <array>
#include <cmath>

namespace microslip::identify {
namespace {

/// Responses of q″ + γ q′ + λ q = p at one time: to the impulse and its derivative, to 1, t and t²/2.
struct Responses {
  double d, h, r0, r1, r2;
};

/// h = Σ c_j t^j/j!, c_{j+2} = −γ c_{j+1} − λ c_j; each response is the integral of the one before.
Responses by_series(double lambda, double gamma, double t) {
  Responses sum{0, 0, 0, 0, 0};
  double before = 0, c = 1;  // c_{j−1}, c_j
  double power = 1;          // t^{j−1}/(j−1)!
  for (int j = 1; j < 40; ++j) {
    const double term = c * power;
    const auto x = static_cast<double>(j);
    sum.d += term;
    sum.h += term * t / x;
    sum.r0 += term * t * t / (x * (x + 1));
    sum.r1 += term * t * t * t / (x * (x + 1) * (x + 2));
    sum.r2 += term * t * t * t * t / (x * (x + 1) * (x + 2) * (x + 3));
    if (j > 3 && std::abs(term) + std::abs(before * power) < 1e-18 * std::abs(sum.d)) break;
    const double next = -gamma * c - lambda * before;
    before = c;
    c = next;
    power *= t / x;
  }
  return sum;
}

/// From those at t/2: what stands there moves on freely, and the force goes on from there.
Responses doubled(const Responses& half, double lambda, double gamma, double t) {
  const double a = half.d + gamma * half.h, l = -lambda * half.h, s = 0.5 * t;
  const auto on = [&](double q, double v, double p, double rate, double bend) {
    return std::array<double, 2>{a * q + half.h * v + p * half.r0 + rate * half.r1 + bend * half.r2,
                                 l * q + half.d * v + p * half.h + rate * half.r0 + bend * half.r1};
  };
  Responses whole{};
  const auto impulse = on(half.h, half.d, 0, 0, 0);
  whole.h = impulse[0];
  whole.d = impulse[1];
  whole.r0 = on(half.r0, half.h, 1, 0, 0)[0];
  whole.r1 = on(half.r1, half.r0, s, 1, 0)[0];
  whole.r2 = on(half.r2, half.r1, 0.5 * s * s, s, 1)[0];
  return whole;
}

Responses responses(double lambda, double gamma, double t) {
  const double turn = lambda - 0.25 * gamma * gamma;
  if (turn > 0 && lambda * t * t >= 0.25) {
    const double omega = std::sqrt(turn), decay = std::exp(-0.5 * gamma * t);
    Responses r{};
    r.h = decay * std::sin(omega * t) / omega;
    r.d = decay * std::cos(omega * t) - 0.5 * gamma * r.h;
    r.r0 = (1 - gamma * r.h - r.d) / lambda;
    r.r1 = (t - gamma * r.r0 - r.h) / lambda;
    r.r2 = (0.5 * t * t - gamma * r.r1 - r.r0) / lambda;
    return r;
  }
  if (std::abs(lambda) * t * t <= 1 && std::abs(gamma) * t <= 1) return by_series(lambda, gamma, t);
  return doubled(responses(lambda, gamma, 0.5 * t), lambda, gamma, t);
}

}  // namespace

void ModalStep::set(const Eigen::ArrayXd& lambda, const Eigen::ArrayXd& gamma, double t) {
  // Times between rows differ by rounding.
  if (std::abs(t - time) <= 1e-9 * t && a.size() == lambda.size()) return;
  time = t;
  for (Eigen::ArrayXd* to : {&a, &h, &l, &d, &r0, &r1, &r2}) to->resize(lambda.size());
  for (Eigen::Index i = 0; i < lambda.size(); ++i) {
    const Responses r = responses(lambda[i], gamma[i], t);
    a[i] = r.d + gamma[i] * r.h;
    h[i] = r.h;
    l[i] = -lambda[i] * r.h;
    d[i] = r.d;
    r0[i] = r.r0;
    r1[i] = r.r1;
    r2[i] = r.r2;
  }
}

}  // namespace microslip::identify
