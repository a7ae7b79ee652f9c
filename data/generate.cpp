// Writes the data sets of this folder: generate FOLDER. The same numbers every time: the random
// numbers are those of mt19937, which every library has alike, made normal by Box and Muller.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "microslip/models/masing.hpp"

namespace {

constexpr double pi = std::numbers::pi;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform() { return (static_cast<double>(engine_()) + 0.5) / 4294967296.0; }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * pi * uniform());
  }

 private:
  std::mt19937 engine_;
};

struct Record {
  std::vector<double> t, u, f;
};

/// Whole periods of amplitude · shape(phase), one after the other.
template <class Shape>
void add_periods(Record& record, double dt, double period, int periods, double amplitude,
                 Shape shape) {
  const double start = record.t.empty() ? 0 : record.t.back() + dt;
  const int rows = static_cast<int>(std::lround(periods * period / dt));
  for (int i = 0; i < rows; ++i) {
    record.t.push_back(start + i * dt);
    record.u.push_back(amplitude * shape(i * dt / period));
  }
}

double sine(double phase) { return std::sin(2 * pi * phase); }

template <class Law>
std::vector<double> forces(const Law& law, const std::vector<double>& u) {
  auto state = law.rest();
  std::vector<double> f;
  for (const double at : u) f.push_back(law.step(state, at, state).force);
  return f;
}

/// Sliders whose slip displacements follow a Weibull distribution, with stiffnesses that vary by
/// half around their mean; no law of the catalogue has this density.
microslip::Masing<double> sliders(Random& random, int n, double stiffness, double slip,
                                  double shape) {
  microslip::Masing<double>::Params params{.k = {}, .phi = {}};
  for (int i = 0; i < n; ++i) {
    const double k = stiffness / n * std::exp(0.5 * random.normal() - 0.125);
    params.k.push_back(k);
    params.phi.push_back(k * slip * std::pow(-std::log(random.uniform()), 1 / shape));
  }
  return microslip::Masing<double>(params);
}

void add_noise(Random& random, double deviation, std::vector<double>& column) {
  for (double& value : column) value += deviation * random.normal();
}

std::ofstream create(const std::string& folder, const std::string& name) {
  std::ofstream file(folder + "/" + name, std::ios::binary);
  if (!file) throw std::runtime_error("cannot write " + folder + "/" + name);
  return file;
}

std::string fixed(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

void write(const std::string& folder, const std::string& name, const std::string& head,
           const Record& record, int u_digits, int f_digits) {
  std::ofstream file = create(folder, name);
  file << head;
  for (std::size_t i = 0; i < record.u.size(); ++i)
    file << fixed(record.t[i], 3) << ',' << fixed(record.u[i], u_digits) << ','
         << fixed(record.f[i], f_digits) << '\n';
}

/// A lap joint in an amplitude step test, then a load of two frequencies with minor loops, then the
/// largest amplitude again.
void bolted_joint(const std::string& folder) {
  Random random(20180215);
  const auto joint = sliders(random, 200, 60, 0.09, 1.3);
  Record record;
  for (const double amplitude : {0.01, 0.02, 0.04, 0.08, 0.16})
    add_periods(record, 0.005, 1, 2, amplitude, sine);
  add_periods(record, 0.005, 1, 3, 0.1, [](double phase) {
    return std::sin(2 * pi * phase) + 0.5 * std::sin(8 * pi * phase);
  });
  add_periods(record, 0.005, 1, 2, 0.16, sine);
  record.f = forces(joint, record.u);
  for (std::size_t i = 0; i < record.u.size(); ++i) record.f[i] += 6 * record.u[i];
  add_noise(random, 0.0002, record.u);
  add_noise(random, 0.015, record.f);
  write(folder, "bolted-joint.csv",
        "# synthetic: 200 sliders and a spring, with noise; data/generate.cpp\n"
        "t [s],u [mm],f [kN]\n",
        record, 5, 4);
}

/// Bearing of a bolt in a hole that widens: elastic beyond the slack, which grows once the bearing
/// force passes its limit.
class WideningHole {
 public:
  double force(double u) { return side(u, upper_) - side(-u, lower_); }

 private:
  double side(double u, double& slack) const {
    if (stiffness_ * (u - slack) > limit_) slack = u - limit_ / stiffness_;
    return stiffness_ * std::max(0.0, u - slack);
  }
  double stiffness_ = 8, limit_ = 12;
  double upper_ = 0.5, lower_ = 0.5;
};

void pinched(const std::string& folder) {
  Random random(7);
  const auto friction = sliders(random, 30, 10, 0.2, 2);
  Record record;
  for (const double amplitude : {1.0, 2.0, 3.0, 4.0})
    add_periods(record, 0.02, 4, 2, amplitude, sine);
  record.f = forces(friction, record.u);
  WideningHole hole;
  for (std::size_t i = 0; i < record.u.size(); ++i) record.f[i] += hole.force(record.u[i]);
  add_noise(random, 0.003, record.u);
  add_noise(random, 0.05, record.f);
  write(folder, "pinched.csv",
        "# synthetic: a bolt in a widening hole, with friction and noise; data/generate.cpp\n"
        "Time (s),Displacement (mm),Force (kN)\n",
        record, 4, 3);
}

void drifting(const std::string& folder) {
  Random random(11);
  const auto isolator = sliders(random, 50, 4, 3, 1.5);
  Record record;
  add_periods(record, 0.01, 2, 10, 8, sine);
  record.f = forces(isolator, record.u);
  for (std::size_t i = 0; i < record.u.size(); ++i) {
    const double t = record.t[i];
    record.u[i] += 0.06 * t;                                 // the fixture creeps
    record.f[i] += 3 + 0.15 * t + 0.2 * std::sin(0.31 * t);  // the load cell warms up
  }
  add_noise(random, 0.01, record.u);
  add_noise(random, 0.05, record.f);
  write(folder, "drifting.csv",
        "# synthetic: 50 sliders, with creep, a warming load cell and noise; data/generate.cpp\n"
        "t [s],u [mm],f [kN]\n",
        record, 4, 3);
}

/// Everything that goes wrong in a laboratory, in one file: see README.md.
void defects(const std::string& folder) {
  Random random(13);
  const auto joint = sliders(random, 40, 900, 4, 1.4);
  Record record;
  for (const double amplitude : {6.0, 12.0, 18.0}) add_periods(record, 0.01, 3, 2, amplitude, sine);
  record.f = forces(joint, record.u);

  std::ofstream file = create(folder, "defects.csv");
  file << "# Pr\xfc"
          "fstand 3, Versuch 17\r\n"  // Latin-1
       << "# synthetic: 40 sliders and every defect of a laboratory; data/generate.cpp\r\n"
       << "Kanal 1 (kN);Bemerkung;Kanal 2 [\xb5m];Zeit [s]\r\n";
  const auto comma = [](double value, int digits) {
    std::string text = fixed(value, digits);
    std::replace(text.begin(), text.end(), '.', ',');
    return text;
  };
  const std::size_t begin = 40;  // the recorder was started late
  for (std::size_t i = begin; i < record.u.size(); ++i) {
    if (i % 97 == 0 || (i > 900 && i < 925)) continue;  // rows lost, once many in a row
    double u = 250 + record.u[i] + 0.03 * random.normal();
    double f = -(record.f[i] + 1.5 * random.normal()) / 1000 + 0.4;  // wrong sign, offset, N as kN
    u = std::round(u / 0.02) * 0.02;                                 // digital gauge
    if (i == 333) u = 0;                                             // a loose contact
    if (i == 777) f = 9.999;
    f = std::max(f, -2.55 + 0.4);  // the amplifier was at its limit
    file << comma(f, 4) << ';' << (i == 500 ? "\"Schraube nachgezogen; ok\"" : "") << ';'
         << comma(u, 2) << ';' << comma(record.t[i], 2) << "\r\n";
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string folder = argc > 1 ? argv[1] : ".";
  bolted_joint(folder);
  pinched(folder);
  drifting(folder);
  defects(folder);
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
