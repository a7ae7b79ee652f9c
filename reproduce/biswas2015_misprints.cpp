#include <Eigen/Eigenvalues>
#include <cmath>
#include <random>

#include "misprints.hpp"

// The code of App. B.2 of the two-state paper loops over the first m of the 2m eigenvectors.

namespace microslip::reproduce {
namespace biswas2015_misprints_parts {

using Vector = Eigen::Vector2d;

/// The printed code, with its loop over the first `count` eigenvectors; zero if none is real.
Vector slip_direction(const Vector& a, const Vector& c, int count) {
  Eigen::Matrix4d B;
  const Eigen::Matrix2d A = a.asDiagonal();
  B << A, c * c.transpose(), A, A;
  const Eigen::EigenSolver<Eigen::Matrix4d> solver(B);
  Vector best = Vector::Zero();
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < count; ++k) {
    if (solver.eigenvalues()[k].imag() != 0) continue;
    Vector eta = solver.eigenvectors().col(k).head<2>().real();
    eta *= (eta.dot(c) > 0 ? -1 : 1) / eta.norm();
    const double y = std::sqrt(eta.dot(A * eta)) + eta.dot(c);
    if (y < least) {
      least = y;
      best = eta;
    }
  }
  return best;
}

/// The same by looking at all directions, then by golden section: no eigenvalue.
Vector by_search(const Vector& a, const Vector& c) {
  const auto y = [&](double angle) {
    const Vector eta(std::cos(angle), std::sin(angle));
    return std::sqrt(eta.dot(a.cwiseProduct(eta))) + eta.dot(c);
  };
  constexpr int directions = 720;
  int best = 0;
  for (int i = 1; i < directions; ++i)
    if (y(2 * pi * i / directions) < y(2 * pi * best / directions)) best = i;
  double low = 2 * pi * (best - 1) / directions, high = 2 * pi * (best + 1) / directions;
  for (int i = 0; i < 60; ++i) {
    const double third = (high - low) / 3;
    if (y(low + third) < y(high - third))
      high -= third;
    else
      low += third;
  }
  const double angle = (low + high) / 2;
  return {std::cos(angle), std::sin(angle)};
}

/// Share of slipping states, c outside its ellipse, whose direction is wrong.
double share_wrong(int count) {
  std::mt19937_64 random(1);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  int wrong = 0;
  constexpr int states = 4000;
  for (int i = 0; i < states; ++i) {
    const Vector a(0.02 + 0.96 * uniform(), input("mu", 1));
    const double angle = 2 * pi * uniform(), reach = 1 + 0.5 * uniform();
    const Vector c = reach * a.cwiseSqrt().cwiseProduct(Vector(std::cos(angle), std::sin(angle)));
    const Vector right = by_search(Vector(a[0], 1), c), found = slip_direction(a, c, count);
    wrong += (found - right).norm() > 1e-4 ? 1 : 0;
  }
  return static_cast<double>(wrong) / states;
}

Outcome compute() {
  using enum Comparison::Against;
  const double mu = 0.1506, alpha = 1.4728, b1 = -1.7047, b2 = -1.4578;
  const auto half_gap = [&](double sigma) {
    return std::sqrt(mu * (sigma * b1 * b1 + b2 * b2)) / alpha;
  };
  Outcome out = decided({
      {"App. B.2, Matlab code", "for k=1:m", "for k=1:2*m",
       "share of 4000 random slipping states with a wrong direction, eigenvectors in the order of "
       "Eigen (in that of LAPACK and Matlab 22 %)",
       "the minimum over all directions, by search; the share as printed is that of one library",
       independent, 0, 1e-12, share_wrong(2), share_wrong(4), true},
      {"Table 1, case 3", "σ = 2.9925", "σ = 0.9925, as in Table E.1 of the thesis",
       "half gap √(b'Ab)/α of the saturated loop", "the same from Table E.1", independent,
       half_gap(0.9925), 1e-4, half_gap(2.9925), half_gap(0.9925), true},
  });
  // Where the printed loop fails, over the plane of c.
  io::Curve good{"right", {}, {}, io::Style::points},
      bad{"wrong as printed", {}, {}, io::Style::points};
  const Vector a(0.25, 1);
  for (int i = 0; i < 90; ++i)
    for (const double reach : {1.05, 1.3, 1.6}) {
      const double angle = (i + 0.37) * 2 * pi / 90;
      const Vector c = reach * a.cwiseSqrt().cwiseProduct(Vector(std::cos(angle), std::sin(angle)));
      io::Curve& to = (slip_direction(a, c, 2) - by_search(a, c)).norm() > 1e-4 ? bad : good;
      to.x.push_back(c[0]);
      to.y.push_back(c[1]);
    }
  io::Panel panel{"σ = 0.25", {"c1"}, {"c2"}, {good}};
  if (bad.x.size() > 1) panel.curves.push_back(bad);
  out.figures = {{"", {"", {{{panel}, 8}}, 12}}};
  out.remark =
      "σ uniform in (0.02, 0.98), c at any angle, up to 1.5 times its ellipse. How often the first "
      "two eigenvectors hold the right one depends on the order in which a library returns them, "
      "which no standard fixes. Eigen, used here, is less lucky than LAPACK, which Matlab and "
      "numpy "
      "call: with the same distribution of states `tests/reference/slip_direction.py` finds 22 % "
      "wrong, and none with the loop to 2m. 13.5 % were found with states of another distribution.";
  return out;
}

}  // namespace biswas2015_misprints_parts

Entry biswas2015_misprints() {
  using namespace biswas2015_misprints_parts;
  return {"biswas2015-misprints",
          "Biswas and Chatterjee (2015)",
          "The loop of the printed code and a digit of Table 1.",
          compute,
          {"mu", 1.05,
           "App. B.2, Matlab code, as meant: share of 4000 random slipping states with a wrong "
           "direction, eigenvectors in the order of Eigen (in that of LAPACK and Matlab 22 %)"}};
}

}  // namespace microslip::reproduce
