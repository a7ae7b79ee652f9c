#include "mathis2020_path_lines.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/catalog/catalog.hpp"

namespace microslip::reproduce::path_lines {
namespace mathis2020_path_lines_parts {

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

/// Energy of a steady cycle, from tests/reference/bouc_wen.py.
double steady_energy(int n) { return n == 1 ? 0.7963006713 : 0.6411957192; }

/// Where z vanishes on the first unloading from u = 1; the law is not smooth there.
double first_zero(int n) {
  const AnyModel model = make(law(n));
  AnyState state = model.rest();
  model.step(state, 1, 1, state);
  return model.next_kink(state, -1);
}

}  // namespace mathis2020_path_lines_parts

ModelSpec law(int n) { return bouc_wen(A, alpha, -beta, n); }

std::vector<double> printed_solution(int n, const std::vector<double>& u) {
  using namespace mathis2020_path_lines_parts;
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
  using namespace mathis2020_path_lines_parts;
  const std::string by = n == 1 ? ", by (43)" : ", by (45)";
  const Run steady = simulate(law(n), "sin(t)", 62 * pi, pi / 100);
  const auto extremes = at(steady.history.f, steady.turns());
  const auto by_print = at(printed_solution(n, steady.history.u), steady.turns());
  const PathLine virgin(n, 1, 1, 0, 0), unloading(n, -1, 1, 1, virgin.z(1));

  std::vector<Comparison> all;
  all.push_back(
      equation("largest deviation from the path lines" + by, 0, 1e-12,
               largest_difference(drawn.history.f, printed_solution(n, drawn.history.u))));
  append(all, equation, "z at turning point", {by_print.begin(), by_print.begin() + 6}, 1e-11,
         extremes);
  all.push_back(
      equation("u at z = 0 on the first unloading" + by, unloading.zero(), 1e-11, first_zero(n)));
  all.push_back(equation("|z| at u = ±1 after many periods" + by, std::abs(by_print.back()), 1e-11,
                         std::abs(extremes.back())));
  all.push_back(independent("energy of a steady cycle", steady_energy(n), 1e-9,
                            steady.work(steady.row_at(60 * pi), steady.row_at(62 * pi))));
  all.push_back(equation("what the loop misses to close after one period" + by,
                         by_print[2] - by_print[0], 1e-11, extremes[2] - extremes[0]));
  return all;
}

}  // namespace microslip::reproduce::path_lines
