#include "biswas2018_six_state.hpp"

#include <algorithm>

#include "microslip/detail/numerics/canonical_form.hpp"

namespace microslip::reproduce {
namespace biswas2018_six_state_parts {

constexpr double until = 20;
constexpr double step = 0.01;

Matrix<double> symmetric(std::initializer_list<double> upper_rows) {
  Matrix<double> matrix(6, 6);
  auto next = upper_rows.begin();
  for (Eigen::Index i = 0; i < 6; ++i)
    for (Eigen::Index j = i; j < 6; ++j) matrix(i, j) = matrix(j, i) = *next++;
  return matrix;
}

/// (2.23)–(2.25)
const Matrix<double>& printed_A() {
  static const Matrix<double> A =
      symmetric({69.7660, -16.7609, 5.0974, -0.4140, 6.0795,  0.0735,  54.7643,
                 21.1285, -11.5050, 9.9094, 1.1897,  53.1705, 29.9240, -1.0899,
                 1.6273,  60.6932,  0.2900, -1.1642, 79.8739, 0.7324,  83.5902});
  return A;
}
const Matrix<double>& printed_K() {
  static const Matrix<double> K =
      symmetric({0.3887,  0.5313,  -0.1284, 0.0080,  -0.0117, 0.0328,  1.2884,
                 -0.5771, -0.0405, -0.3183, 0.0362,  1.3397,  -0.9649, 0.1496,
                 0.0970,  1.4136,  0.2534,  -0.1983, 1.1416,  -0.2764, 1.1035});
  return K;
}
const std::vector<double>& printed_b() {
  static const std::vector<double> b{-25.6657, -25.5468, 8.7604, -0.9557, 1.6718, 0.1085};
  return b;
}

/// The canonical form, computed apart from this code; it exists only if A and K as printed are
/// positive definite.
void compare_canonical_form(std::vector<Comparison>& to) {
  const CanonicalForm form =
      canonical_form("six-state", printed_A(), printed_K(),
                     Eigen::Map<const Eigen::VectorXd>(printed_b().data(), 6));
  append(
      to, independent, "canonical λ",
      {4.0421049754, 31.5225683703, 69.3239054589, 102.7715323539, 316.4429618726, 1113.8378031746},
      1e-8, {form.lambda.begin(), form.lambda.end()});
  append(to, independent, "canonical b",
         {15.9591139326, 17.4553640980, 12.6317783546, 10.9502149814, 17.9573181542, 30.1967364039},
         1e-8, {form.b.begin(), form.b.end()});
}

io::Panel compare(const SixStateCase& one, std::vector<Comparison>& to) {
  const Run run = simulate(six_state(), one.signal, until, step);
  auto rows = run.turns();
  to.push_back(independent(one.title + ": turning points of the load",
                           static_cast<double>(one.turns), 0.5, static_cast<double>(rows.size())));
  const auto first = std::vector<std::size_t>(
      rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(one.loads.size()));
  append(to, independent, one.title + ": load at turning point", one.loads, 1e-9,
         at(run.history.u, first));
  // The independent program is good to about 3e-6.
  append(to, independent, one.title + ": displacement at turning point", one.responses, 1e-4,
         at(run.history.f, first));
  rows.push_back(run.history.f.size() - 1);
  const std::vector<double> extremes = at(run.history.f, rows);
  to.push_back(
      independent(one.title + ": lowest displacement", one.lowest, 1e-4, smallest(extremes)));
  to.push_back(
      independent(one.title + ": highest displacement", one.highest, 1e-4, largest(extremes)));
  return {one.title,
          {"displacement ξ"},
          {"load f"},
          {{"", run.history.f, run.history.u, io::Style::solid}}};
}

}  // namespace biswas2018_six_state_parts

ModelSpec six_state() {
  using namespace biswas2018_six_state_parts;
  return {"ellipsoid", {{"A", printed_A()}, {"K", printed_K()}, {"b", printed_b()}}, {}};
}

Outcome six_state_loops(const std::vector<SixStateCase>& cases) {
  using namespace biswas2018_six_state_parts;
  Outcome out;
  compare_canonical_form(out.comparisons);
  std::vector<io::Row> rows;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (i % 2 == 0) rows.push_back({{}, 4.5});
    rows.back().panels.push_back(compare(cases[i], out.comparisons));
  }
  out.figures = {{"", {"", rows}}};
  out.remark =
      "The six-state side, with A, K and b as printed. The source follows a penalty form with "
      "gains "
      "of 1000 to 10000; here its limit is followed to rounding. No number of the curves is "
      "printed; the numbers compared are those of tests/reference/six_state.py. Not printed and "
      "chosen here: "
      "the duration 20.";
  return out;
}

}  // namespace microslip::reproduce
