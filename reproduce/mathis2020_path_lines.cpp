#include "mathis2020_path_lines.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/catalog/catalog.hpp"

namespace microslip::reproduce::path_lines {
namespace {

/// (37) and (38): they differ in sign for z < 0 because zⁿ does.
double eta(int n, double d, double sign_z) {
  const double even = d * sign_z > 0 ? -(alpha - beta) : alpha + beta;
  return n == 1 ? even * sign_z : even;
}

/// One path line from (u0, z0): z(u), and where it meets z = 0.
struct PathLine {
  int n;
  double e;         // η
  double constant;  // of (43) or (45)

  PathLine(int exponent, double d, double sign_z, double u0, double z0)
      : n(exponent), e(eta(exponent, d, sign_z)) {
    if (n == 1)
      constant = (1 + e * z0 / A) * std::exp(-e * u0);
    else
      constant = (e < 0 ? std::atanh(z0 / scale()) : std::atan(z0 / scale())) - rate() * u0;
  }
  double z(double u) const {
    if (n == 1) return A / e * (constant * std::exp(e * u) - 1);
    const double argument = rate() * u + constant;
    return scale() * (e < 0 ? std::tanh(argument) : std::tan(argument));
  }
  double zero() const { return n == 1 ? -std::log(constant) / e : -constant / rate(); }

 private:
  double scale() const { return std::sqrt(A / std::abs(e)); }
  double rate() const { return std::sqrt(A * std::abs(e)); }
};

/// From an independent program.
struct Expected {
  std::vector<double> extremes;  // z at u = 1, −1, 1, … from rest
  double steady, zero_crossing, energy;
};

Expected expected_for(int n) {
  if (n == 1)
    return {{0.632120558829, -0.765597305547, 0.741221058751, -0.745762760753, 0.744919613635,
             -0.745076245719},
            0.745051709371,
            0.450714726240,
            0.7963006713};
  return {{0.761594155956, -0.862080081519, 0.841359342526, -0.845744652727, 0.844821214376,
           -0.845015877885},
          0.844981993267,
          0.301388124696,
          0.6411957192};
}

/// Where z vanishes on the first unloading from u = 1; the law is not smooth there.
double first_zero(int n) {
  const AnyModel model = catalog::make(law(n));
  AnyState state = model.rest();
  model.step(state, 1, 1, state);
  return model.next_kink(state, -1);
}

}  // namespace

ModelSpec law(int n) { return bouc_wen(A, alpha, -beta, n); }

std::vector<double> printed_solution(int n, const std::vector<double>& u) {
  std::vector<double> all{0};
  double d = 0, sign_z = 0;
  PathLine line(n, 1, 1, 0, 0);
  for (std::size_t i = 1; i < u.size(); ++i) {
    const double direction = u[i] > u[i - 1] ? 1 : -1;
    if (direction != d) {
      d = direction;
      sign_z = all.back() == 0 ? d : std::copysign(1, all.back());
      line = PathLine(n, d, sign_z, u[i - 1], all.back());
    }
    if (d * sign_z < 0 && d * (u[i] - line.zero()) > 0) {
      sign_z = d;
      line = PathLine(n, d, sign_z, line.zero(), 0);
    }
    all.push_back(line.z(u[i]));
  }
  return all;
}

std::vector<Comparison> comparisons(int n, const Run& drawn) {
  const Expected expected = expected_for(n);
  const std::string equation = n == 1 ? "(43)" : "(45)";
  const Run steady = simulate(law(n), "sin(t)", 62 * pi, pi / 100);
  const auto extremes = at(steady.history.f, steady.turns());

  std::vector<Comparison> all;
  all.push_back(printed("largest deviation from the path lines " + equation, 0, 1e-12,
                        largest_difference(drawn.history.f, printed_solution(n, drawn.history.u))));
  append_derived(all, "z at turning point", expected.extremes, 1e-11, extremes);
  all.push_back(
      derived("u at z = 0 on the first unloading", expected.zero_crossing, 1e-11, first_zero(n)));
  all.push_back(derived("|z| at u = ±1 after many periods", expected.steady, 1e-11,
                        std::abs(extremes.back())));
  all.push_back(derived("energy of a steady cycle", expected.energy, 1e-9,
                        steady.work(steady.row_at(60 * pi), steady.row_at(62 * pi))));
  all.push_back(derived("what the loop misses to close after one period",
                        expected.extremes[2] - expected.extremes[0], 1e-11,
                        extremes[2] - extremes[0]));
  return all;
}

}  // namespace microslip::reproduce::path_lines
