#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

/// The Bouc–Wen benchmark of the system-identification community, made anew: 2 ÿ + 10 ẏ + 5e4 y + z = u,
/// ż = 5e4 ẏ − 1e3 (0.8 |ẏ| z − 1.1 ẏ |z|), rows at 750 Hz, by the classical Runge–Kutta method with 20 steps a row.
namespace bouc_wen_benchmark {

struct Record {
  std::vector<double> t, f, y;
};

template <class Force>
Record record(const Force& force, int rows, double noise, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  constexpr int parts = 20;
  const double row = 1.0 / 750, h = row / parts;
  std::array<double, 3> s{0, 0, 0};
  const auto rate = [&](const std::array<double, 3>& x, double t) {
    const auto& [y, v, z] = x;
    return std::array<double, 3>{v, (force(t) - 10 * v - 5e4 * y - z) / 2,
                                 5e4 * v - 1e3 * (0.8 * std::abs(v) * z - 1.1 * v * std::abs(z))};
  };
  const auto ahead = [](std::array<double, 3> x, const std::array<double, 3>& k, double by) {
    for (std::size_t i = 0; i < 3; ++i) x[i] += by * k[i];
    return x;
  };
  Record r;
  for (int i = 0; i < rows; ++i) {
    r.t.push_back(i * row);
    r.f.push_back(force(i * row));
    r.y.push_back(s[0] + noise * normal(random));
    for (int part = 0; part < parts; ++part) {
      const double t = i * row + part * h;
      const auto k1 = rate(s, t), k2 = rate(ahead(s, k1, h / 2), t + h / 2),
                 k3 = rate(ahead(s, k2, h / 2), t + h / 2), k4 = rate(ahead(s, k3, h), t + h);
      for (std::size_t j = 0; j < 3; ++j) s[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
    }
  }
  return r;
}

/// 5 to 150 Hz, 50 N rms, random phases; every row of a period of 8192 has its own value.
class Multisine {
 public:
  explicit Multisine(unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> phase(0, 2 * M_PI);
    for (int k = 55; k <= 1638; ++k) {
      // A turning pointer, set anew now and then so that rounding does not grow.
      const double start = phase(random), turn = 2 * M_PI * k / (8192.0 * 40);
      const std::complex<double> step = std::polar(1.0, turn);
      std::complex<double> pointer;
      for (std::size_t i = 0; i < table_.size(); ++i) {
        if (i % 1024 == 0) pointer = std::polar(1.0, start + turn * static_cast<double>(i));
        table_[i] += 50 * std::sqrt(2.0 / 1584) * pointer.real();
        pointer = {pointer.real() * step.real() - pointer.imag() * step.imag(),
                   pointer.real() * step.imag() + pointer.imag() * step.real()};
      }
    }
  }
  /// Times are multiples of a fortieth of a row.
  double operator()(double t) const {
    const auto i = static_cast<std::size_t>(std::lround(t * 750 * 40));
    return table_[i % table_.size()];
  }

 private:
  std::vector<double> table_ = std::vector<double>(8192 * 40);
};

/// 20 to 50 Hz in 10 s, 40 N.
inline double sweep(double t) { return 40 * std::sin(2 * M_PI * (20 * t + 1.5 * t * t)); }

inline std::string data(const Record& r, bool holdout) {
  const auto list = [](const std::vector<double>& values) {
    std::string text = "[";
    char number[40];
    for (const double v : values) {
      std::snprintf(number, sizeof number, "%s%.12g", text.size() > 1 ? "," : "", v);
      text += number;
    }
    return text + "]";
  };
  return "[[data]]\nkind = \"record\"\n" + std::string(holdout ? "holdout = true\n" : "") +
         "columns = { t = " + list(r.t) + ", f = " + list(r.f) + ", x1 = " + list(r.y) + " }\n";
}

/// Mass, damper, spring and the law unknown; `A` too if asked.
inline std::string file(bool also_A, unsigned seed) {
  const Multisine estimation(seed), test(seed + 1);
  return std::string(R"toml(
M = [1.0]
[[spring]]
between = [0, 1]
k = 0
[[damper]]
between = [0, 1]
c = 0
[[joint]]
model = "bouc-wen(admissible=any)"
set = { A = 1, n = 1, a = 0 }
between = [0, 1]
[[load]]
kind = "static"
dof = 1
amplitude = 0
[unknown]
"M[1]" = {}
"spring[1].k" = {}
"damper[1].c" = {}
"joint[1].k" = {}
"joint[1].beta" = {}
"joint[1].gamma" = {}
)toml") + (also_A ? "\"joint[1].A\" = {}\n" : "") +
         data(record(estimation, 8192, 8e-6, seed + 2), false) +
         data(record(test, 8192, 0, 0), true) + data(record(sweep, 7500, 0, 0), true);
}

}  // namespace bouc_wen_benchmark
