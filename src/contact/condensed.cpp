#include "microslip/contact/condensed.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <algorithm>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::contact {

struct Condensed::Factor {
  Eigen::SimplicialLLT<SparseMatrix> llt;
  template <class Right>
  auto solve(const Right& right) const {
    return llt.solve(right);
  }
};

Condensed::Condensed(const SparseMatrix& K, const SparseMatrix& B, const SparseMatrix& S,
                     const Vector& d, const Vector& f)
    : B_(B), S_(S), d_(d) {
  const SparseMatrix KB = K * B, KS = K * S;
  const SparseMatrix Kyy = SparseMatrix(B.transpose()) * KB;
  coupling_ = SparseMatrix(B.transpose()) * KS;
  const Vector Kd = K * d;
  coupling_d_ = B.transpose() * Kd;
  load_ = B.transpose() * f;
  const auto factor = std::make_shared<Factor>();
  factor->llt.compute(Kyy);
  if (factor->llt.info() != Eigen::Success)
    throw Error(
        "the stiffness is not positive definite with the interface closed and the drive held: a "
        "part is not supported, or the matrix is not a stiffness");
  factor_ = factor;
  K_ = Matrix(SparseMatrix(S.transpose()) * KS);
  // Columns in blocks, so that the solutions of a large interface need little room.
  constexpr Index block = 64;
  for (Index begin = 0; begin < K_.cols(); begin += block) {
    const Index n = std::min(block, K_.cols() - begin);
    const Matrix X = factor_->solve(Matrix(coupling_.middleCols(begin, n)));
    K_.middleCols(begin, n).noalias() -= coupling_.transpose() * X;
  }
  K_ = (0.5 * (K_ + K_.transpose())).eval();
  const Vector of_drive = factor_->solve(coupling_d_), of_load = factor_->solve(load_);
  b_ = coupling_.transpose() * of_drive - S.transpose() * Kd;
  g_ = S.transpose() * f - coupling_.transpose() * of_load;
  c0_ = d.dot(Kd) - coupling_d_.dot(of_drive);
  constant_force_ = coupling_d_.dot(of_load) - d.dot(f);
}

Vector Condensed::displacements(const Vector& w, double u) const {
  const Vector y = factor_->solve(Vector(load_ - coupling_ * w - coupling_d_ * u));
  return B_ * y + S_ * w + d_ * u;
}

TiedInterface tied_interface(const Matrix& K, const Vector& b, double c0, const Vector& limits) {
  const Index n = limits.size();
  const double largest = n == 0 ? 0 : limits.maxCoeff();
  std::vector<Index> held, free;
  for (Index i = 0; i < n; ++i) {
    if (limits[i] < -1e-12 * largest || !(limits[i] <= largest))
      throw Error("the friction limit of interface point " + std::to_string(i + 1) + " = " +
                  number_text(limits[i]) + " must not be negative");
    (limits[i] > 1e-12 * largest ? held : free).push_back(i);
  }
  if (held.empty())
    throw Error(
        "no point of the interface has a friction limit above zero: there is no contact pressure "
        "or no friction");
  const auto entries = [](const std::vector<Index>& points) {
    std::vector<Index> list;
    for (const Index i : points) list.push_back(2 * i + 1);
    return list;
  };
  const std::vector<Index> c = entries(held), f = entries(free);
  Matrix Kc = K(c, c), free_by_x;
  Vector bc = b(c), free_by_u;
  if (!f.empty()) {
    const Matrix Kfc = K(f, c);
    const Vector bf = b(f);
    const dense::Cholesky factors(K(f, f));
    if (!factors.positive())
      throw Error("points of the interface that slide freely are not held by any stiffness");
    free_by_x = factors.solve(Kfc);
    free_by_u = factors.solve(bf);
    Kc -= Kfc.transpose() * free_by_x;
    Kc = (0.5 * (Kc + Kc.transpose())).eval();
    bc -= Kfc.transpose() * free_by_u;
    c0 -= bf.dot(free_by_u);
  }
  return {friction::System(std::move(Kc), Vector(limits(held)), std::move(bc)),
          c0,
          std::move(held),
          std::move(free),
          std::move(free_by_u),
          std::move(free_by_x)};
}

Vector TiedInterface::w(const Vector& x, double u) const {
  Vector w = Vector::Zero(2 * static_cast<Index>(points.size() + free.size()));
  for (std::size_t k = 0; k < points.size(); ++k) w[2 * points[k] + 1] = x[Index(k)];
  if (free.empty()) return w;
  const Vector moved = free_by_u * u - free_by_x * x;
  for (std::size_t k = 0; k < free.size(); ++k) w[2 * free[k] + 1] = moved[Index(k)];
  return w;
}

}  // namespace microslip::contact
