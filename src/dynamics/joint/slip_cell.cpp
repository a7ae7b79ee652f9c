#include "dynamics/joint/slip_cell.hpp"

#include <cmath>
#include <vector>

#include "dynamics/fourier/gauss.hpp"

namespace microslip::dynamics {

GaussStages::GaussStages() {
  const GaussRule& rule = gauss(count);
  for (int i = 0; i < count; ++i) {
    c[i] = 0.5 * (1 + rule.x[static_cast<std::size_t>(i)]);
    b[i] = 0.5 * rule.w[static_cast<std::size_t>(i)];
  }
  tail = rule.tail.bottomRows<2>();
  // Lagrange's polynomials in Legendre's, whose integrals are differences of two of these.
  const auto legendre = [](double x) {
    Eigen::Matrix<double, count + 1, 1> P;
    P[0] = 1;
    P[1] = x;
    for (int k = 1; k < count; ++k) P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1);
    return P;
  };
  for (int i = 0; i < count; ++i) {
    const auto here = legendre(2 * c[i] - 1);
    for (int j = 0; j < count; ++j) {
      const auto there = legendre(2 * c[j] - 1);
      double sum = 0;
      for (int k = 0; k < count; ++k) {
        const double integral = k == 0 ? 2 * c[i] : (here[k + 1] - here[k - 1]) / (2 * k + 1);
        sum += (2 * k + 1) * there[k] * integral;
      }
      A(i, j) = 0.5 * b[j] * sum;
    }
  }
}

const GaussStages& gauss_stages() {
  static const GaussStages stages;
  return stages;
}

void SlipCell::find_rates() {
  for (int i = 0; i < GaussStages::count; ++i) {
    const double c = std::cos(phi[i]), s = std::sin(phi[i]);
    rate[i] = (slopes(1, i) * c - slopes(0, i) * s) / L[i];
    stiffness[i] = -(slopes(0, i) * c + slopes(1, i) * s) / L[i];
  }
}

bool SlipCell::solve(double start) {
  const GaussStages& gauss = gauss_stages();
  phi.setConstant(start);
  find_rates();
  // Along the tangent, where the equation is not stiff.
  if (length * stiffness.cwiseAbs().maxCoeff() < 1 && length * rate.cwiseAbs().maxCoeff() < 1) {
    phi += length * rate[0] * gauss.c;
    find_rates();
  }
  const GaussStages::Matrix scaled = length * gauss.A;
  for (int iteration = 0; iteration < 25; ++iteration) {
    factor.compute(GaussStages::Matrix::Identity() -
                   GaussStages::Matrix(scaled * stiffness.asDiagonal()));
    const Vector residual = (phi.array() - start).matrix() - scaled * rate;
    Vector change = factor.solve(residual);
    const double largest = change.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(largest)) return false;
    if (largest > 1) change /= largest;  // φ is an angle
    phi -= change;
    find_rates();
    // What is left is the square of that.
    if (largest > 1e-7) continue;
    end = start + length * gauss.b.dot(rate);
    return true;
  }
  return false;
}

double SlipCell::velocity(int stage) const {
  return slopes(0, stage) * std::cos(phi[stage]) + slopes(1, stage) * std::sin(phi[stage]) -
         L_slopes[stage];
}

double SlipCell::error() const {
  return length * (gauss_stages().tail * rate).lpNorm<Eigen::Infinity>();
}

}  // namespace microslip::dynamics
