#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

/// A clamped beam of point masses with a spring, a damper and two joints, by explicit steps so small that their error
/// is far below the noise. It shares nothing with the engine: no matrix, no mode, no law of it.
namespace beam_truth {

struct Beam {
  static constexpr int n = 20;
  double stiffness = 4.66e7, damping = 2e-4;  ///< EI/h³; C = damping · K of the beam alone
  double spring = 5000, damper = 10;          ///< to ground at the 15th and at the 12th mass
  double k1 = 6000, phi1 = 8;                 ///< friction damper at the tip
  double k2 = 4e4, beta2 = 800,
         gamma2 = 400;  ///< z′ = u′ − β|u′|z − γu′|z| to ground at the 10th mass
};

class Motion {
 public:
  explicit Motion(const Beam& beam) : b_(beam) {}

  /// Leapfrog, with the velocity of damping half a step old at first and then centred.
  void step(double h, double force, int at) {
    double f[Beam::n];
    const double old9 = x_[9], old19 = x_[19];
    for (int i = 0; i < Beam::n; ++i) x_[i] += h * v_[i];
    advance(x_[19] - old19, x_[9] - old9);
    double d[Beam::n];
    for (int i = 0; i < Beam::n; ++i) d[i] = x_[i] + b_.damping * v_[i];
    bend(d, f);
    for (int i = 0; i < Beam::n; ++i) f[i] *= -b_.stiffness;
    f[at] += force;
    f[14] -= b_.spring * x_[14];
    f[11] -= b_.damper * v_[11];
    f[19] -= joint1_;
    f[9] -= b_.k2 * z_;
    for (int i = 0; i < Beam::n; ++i) {
      a_[i] = f[i];
      v_[i] += h * f[i];
    }
  }
  double x(int i) const { return x_[i]; }
  double a(int i) const { return a_[i]; }

 private:
  /// Second differences of second differences; clamped on the left, free on the right.
  static void bend(const double* x, double* out) {
    constexpr int n = Beam::n;
    double m[n + 1];  // curvature at the clamp and at the masses
    m[0] = 2 * x[0];  // at the clamp
    for (int i = 0; i + 1 < n; ++i) m[i + 1] = (i > 0 ? x[i - 1] : 0) - 2 * x[i] + x[i + 1];
    m[n] = 0;  // the free end carries no moment
    for (int i = 0; i < n; ++i) out[i] = m[i] - 2 * m[i + 1] + (i + 2 <= n ? m[i + 2] : 0);
  }
  void advance(double du1, double du2) {
    joint1_ = std::clamp(joint1_ + b_.k1 * du1, -b_.phi1, b_.phi1);
    // Heun's method over the small way.
    const auto rate = [&](double z) {
      const double s = du2 > 0 ? 1 : -1;
      return 1 - b_.beta2 * s * z - b_.gamma2 * std::abs(z);
    };
    const double first = rate(z_);
    z_ += 0.5 * du2 * (first + rate(z_ + du2 * first));
  }
  Beam b_;
  double x_[Beam::n] = {}, v_[Beam::n] = {}, a_[Beam::n] = {};
  double joint1_ = 0, z_ = 0;
};

/// Rows t, then accelerations of the tip and of the 7th mass, from the end of a half-sine blow on the 17th mass.
struct Decay {
  std::vector<double> t, tip, seventh;
};
inline Decay blow(const Beam& beam, double impulse, double duration, double row, int rows,
                  double noise, unsigned seed) {
  const double h = 1e-5;
  const int first = static_cast<int>(std::lround(duration / h));
  const int each = static_cast<int>(std::lround(row / h));
  Motion motion(beam);
  Decay d;
  for (int k = 0; static_cast<int>(d.t.size()) < rows; ++k) {
    const double t = k * h;
    const double force =
        k < first ? impulse * M_PI / (2 * duration) * std::sin(M_PI * t / duration) : 0;
    motion.step(h, force, 16);
    if (k >= first && (k - first) % each == 0) {
      d.t.push_back(t - first * h);
      d.tip.push_back(motion.a(19));
      d.seventh.push_back(motion.a(6));
    }
  }
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  for (auto* x : {&d.tip, &d.seventh}) {
    double sum = 0;
    for (const double v : *x) sum += v * v;
    const double sigma = noise * std::sqrt(sum / static_cast<double>(x->size()));
    for (double& v : *x) v += sigma * normal(random);
  }
  return d;
}

/// Stepped sines of a force on the 18th mass: first harmonics of the accelerations, a = Re(A e^{iωt}) under cos ωt.
struct Steps {
  std::vector<double> omega, level, tip, tip_phase, seventh, seventh_phase;
};
inline void sines(const Beam& beam, double force, const std::vector<double>& omegas, int periods,
                  double noise, std::mt19937_64& random, Steps& to) {
  std::normal_distribution<double> normal;
  std::vector<double> parts[4];
  for (const double omega : omegas) {
    const int each = static_cast<int>(std::ceil(2 * M_PI / omega / 1e-5));
    const double h = 2 * M_PI / omega / each;
    Motion motion(beam);
    double sum[4] = {};
    for (int k = 0; k < periods * each; ++k) {
      motion.step(h, force * std::cos(omega * k * h), 17);
      if (k < (periods - 1) * each) continue;
      const double c = std::cos(omega * k * h) * 2 / each, s = -std::sin(omega * k * h) * 2 / each;
      sum[0] += motion.a(19) * c;
      sum[1] += motion.a(19) * s;
      sum[2] += motion.a(6) * c;
      sum[3] += motion.a(6) * s;
    }
    for (int i = 0; i < 4; ++i) parts[i].push_back(sum[i]);
  }
  for (int i = 0; i < 4; i += 2) {
    double size = 0;
    for (std::size_t k = 0; k < omegas.size(); ++k)
      size += parts[i][k] * parts[i][k] + parts[i + 1][k] * parts[i + 1][k];
    const double sigma = noise * std::sqrt(size / (2 * static_cast<double>(omegas.size())));
    for (std::size_t k = 0; k < omegas.size(); ++k) {
      parts[i][k] += sigma * normal(random);
      parts[i + 1][k] += sigma * normal(random);
    }
  }
  for (std::size_t k = 0; k < omegas.size(); ++k) {
    to.omega.push_back(omegas[k]);
    to.level.push_back(force);
    to.tip.push_back(std::hypot(parts[0][k], parts[1][k]));
    to.tip_phase.push_back(std::atan2(parts[1][k], parts[0][k]));
    to.seventh.push_back(std::hypot(parts[2][k], parts[3][k]));
    to.seventh_phase.push_back(std::atan2(parts[3][k], parts[2][k]));
  }
}

inline std::string list(const std::vector<double>& values) {
  std::string text = "[";
  char number[40];
  for (const double v : values) {
    std::snprintf(number, sizeof number, "%s%.9g", text.size() > 1 ? ", " : "", v);
    text += number;
  }
  return text + "]";
}

/// K of the beam alone as TOML rows, written out by the same differences.
inline std::string matrix(double factor) {
  constexpr int n = Beam::n;
  std::string text = "[";
  for (int i = 0; i < n; ++i) {
    std::vector<double> row(n, 0.0);
    const auto add = [&](int k, double value) {
      if (k >= 0 && k < n) row[static_cast<std::size_t>(k)] += factor * value;
    };
    // Curvatures at masses i − 1, i, i + 1 with weights 1, −2, 1; those from the last mass on are zero.
    const double weight[] = {1, -2, 1};
    for (int e = 0; e < 3; ++e) {
      const int at = i - 1 + e;
      if (at > n - 2) continue;
      if (at == -1) {
        add(0, 2 * weight[e]);
        continue;
      }
      add(at - 1, weight[e]);
      add(at, -2 * weight[e]);
      add(at + 1, weight[e]);
    }
    text += (i ? ", " : "") + list(row);
  }
  return text + "]";
}

/// A [[data]] of stepped sines.
inline std::string response_data(const Steps& s, bool holdout) {
  return "[[data]]\nkind = \"frequency-response\"\n" +
         std::string(holdout ? "holdout = true\n" : "") + "columns = { omega = " + list(s.omega) +
         ", level = " + list(s.level) + ", a20 = " + list(s.tip) +
         ", phase20 = " + list(s.tip_phase) + ", a7 = " + list(s.seventh) +
         ", phase7 = " + list(s.seventh_phase) + " }\n";
}

/// What a person knows: masses, the beam, where things are, a guess of its damping, and no number of the rest. Measured
/// are a blow and stepped sines at three levels, and one level that is held out.
inline std::string file(const Beam& beam, double noise, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> omegas;
  for (int i = 0; i < 14; ++i) omegas.push_back(52 + 2.2 * i);
  Steps steps, held;
  for (const double force : {0.1, 0.6, 3.0}) sines(beam, force, omegas, 150, noise, random, steps);
  sines(beam, 1.5, omegas, 150, noise, random, held);
  const Decay d = blow(beam, 0.6, 0.01, 5e-4, 2400, noise, seed + 1000);
  return "M = " + list(std::vector<double>(Beam::n, 1.0)) + "\nK = " + matrix(beam.stiffness) +
         "\nC = " + matrix(1e-4 * beam.stiffness) + R"(
[[spring]]
between = [0, 15]
k = 0
[[damper]]
between = [0, 12]
c = 0
[[joint]]
model = "jenkins"
between = [0, 20]
[[joint]]
model = "bouc-wen"
set = { A = 1, n = 1, a = 0 }
between = [0, 10]
[[load]]
kind = "harmonic"
dof = 18
amplitude = 1
[unknown]
"spring[1].k" = {}
"damper[1].c" = {}
"C" = {}
"joint[1].k" = {}
"joint[1].phi" = {}
"joint[2].k" = {}
"joint[2].beta" = {}
"joint[2].gamma" = {}
)" + response_data(steps, false) +
         response_data(held, true) +
         "[[data]]\nkind = \"ring-down\"\ncolumns = { t = " + list(d.t) + ", a20 = " + list(d.tip) +
         ", a7 = " + list(d.seventh) + " }\n";
}

}  // namespace beam_truth
