#include "microslip/detail/kernels/comparison/printed_ellipsoid.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "microslip/detail/numerics/canonical_form.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip {
namespace {

/// Coefficients of a product of polynomials, lowest first.
std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size() + b.size() - 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) result[i + j] += a[i] * b[j];
  return result;
}

}  // namespace

PrintedEllipsoid::PrintedEllipsoid(const Matrix<double>& A, const Matrix<double>& K,
                                   const Vector& b, const Options& options)
    : K_(K), b_(b), options_(options) {
  const EigenPairs pairs = symmetric_eigen_pairs(A);
  lambda_ = pairs.values;
  Q_ = pairs.vectors;
}

PrintedEllipsoid::Slip PrintedEllipsoid::at_root(const Vector& c_bar, double root) const {
  const Vector w = (c_bar.array() / (root - lambda_.array())).matrix().normalized();
  return {Q_ * w, std::sqrt((w.array().square() * lambda_.array()).sum()) + w.dot(c_bar)};
}

PrintedEllipsoid::Slip PrintedEllipsoid::by_polynomial(const Vector& c) const {
  const Vector c_bar = Q_.transpose() * c;
  const auto m = static_cast<std::size_t>(lambda_.size());
  // Roots are counted in the largest Λ, so that coefficients are of the order of 1.
  const double unit = lambda_.maxCoeff();
  const auto square_of = [&](std::size_t i) {
    const double at = lambda_[static_cast<Eigen::Index>(i)] / unit;
    return std::vector<double>{at * at, -2 * at, 1};
  };
  std::vector<double> all{1};
  for (std::size_t i = 0; i < m; ++i) all = product(all, square_of(i));
  for (std::size_t i = 0; i < m; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    std::vector<double> others{c_bar[k] * c_bar[k] * lambda_[k] / (unit * unit)};
    for (std::size_t j = 0; j < m; ++j)
      if (j != i) others = product(others, square_of(j));
    for (std::size_t j = 0; j < others.size(); ++j) all[j] -= others[j];
  }
  const auto degree = static_cast<Eigen::Index>(2 * m);
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(degree, degree);
  for (Eigen::Index i = 0; i + 1 < degree; ++i) companion(i + 1, i) = 1;
  for (Eigen::Index i = 0; i < degree; ++i)
    companion(i, degree - 1) = -all[static_cast<std::size_t>(i)];  // the leading one is 1
  const Eigen::VectorXcd roots = dense::eigenvalues(companion);
  Slip best{{}, HUGE_VAL};
  for (const std::complex<double>& root : roots) {
    // Roots come in pairs; what rounding leaves of an imaginary part is below its square root.
    if (std::abs(root.imag()) > 1e-7 * (1 + std::abs(root))) continue;
    const Slip slip = at_root(c_bar, unit * root.real());
    if (slip.y < best.y) best = slip;
  }
  return best;
}

PrintedEllipsoid::Slip PrintedEllipsoid::by_one_root(const Vector& c) const {
  const Vector c_bar = Q_.transpose() * c;
  const auto a = lambda_.array();
  // Where one term alone is 1 the sum is at least 1.
  double t = (c_bar.array().abs() * a.sqrt() - a).maxCoeff();
  for (int i = 0; i < 100; ++i) {
    const Eigen::ArrayXd part = c_bar.array() / (a + t);
    const double sum = (part.square() * a).sum(), slope = (part.square() * a / (a + t)).sum();
    const double change = (std::sqrt(sum) - 1) * sum / slope;
    if (!(change > 0)) break;  // the climb has ended in rounding
    t += change;
  }
  return at_root(c_bar, -t);
}

PrintedEllipsoid::Move PrintedEllipsoid::penalty(const Vector& s, double du) const {
  const double d = du > 0 ? 1 : -1, length = std::abs(du), size = std::sqrt(lambda_.maxCoeff());
  const Eigen::Index m = s.size();
  // y = (s, lost); dq/d|u| along η.
  const auto speed = [&](const Vector& at) -> Vector {
    if (at.isZero(0)) return Vector::Zero(m);
    const Slip slip = by_one_root(-at);
    if (!(slip.y < 0)) return Vector::Zero(m);
    return options_.gain * std::pow(-slip.y, options_.power) * slip.direction;
  };
  const auto rate = [&](const Vector& y) {
    Vector result(m + 1);
    const Vector now = y.head(m), dq = speed(now);
    result.head(m) = d * b_ - K_ * dq;
    result[m] = now.dot(dq);
    return result;
  };
  // Error-controlled steps of order 3 with an embedded 2 (Bogacki and Shampine): explicit, since the
  // gain is no larger than a comparison needs.
  Vector y(m + 1);
  y.head(m) = s;
  y[m] = 0;
  double done = 0, h = std::min(length, 0.1 * size / (b_.norm() + 1e-300));
  Vector first = rate(y);
  for (int step = 0; done < length; ++step) {
    if (step == most_steps) return {s, 0, 0, Status::not_converged};
    h = std::min(h, length - done);
    const Vector second = rate(y + 0.5 * h * first), third = rate(y + 0.75 * h * second);
    const Vector next = y + h * (2.0 / 9 * first + 1.0 / 3 * second + 4.0 / 9 * third);
    const Vector last = rate(next);
    const Vector error =
        h * (-5.0 / 72 * first + 1.0 / 12 * second + 1.0 / 9 * third - 1.0 / 8 * last);
    const double ratio = error.head(m).lpNorm<Eigen::Infinity>() / (options_.tolerance * size);
    if (ratio <= 1 || h <= 1e-12 * length) {
      done = h == length - done ? length : done + h;
      y = next;
      first = last;
    }
    h *= std::clamp(0.9 * std::pow(std::max(ratio, 1e-12), -1.0 / 3), 0.2, 5.0);
  }
  return {y.head(m), y[m], b_.dot(speed(y.head(m)))};
}

}  // namespace microslip
