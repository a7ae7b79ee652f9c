#include "microslip/contact/problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/contact/solver.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::contact {
namespace {

void check_size(const char* name, Index entries, Index needed) {
  if (entries != needed)
    throw Error(std::string("contact.") + name + " has " + std::to_string(entries) +
                " entries; it must have " + std::to_string(needed));
}

void check_finite(const char* name, const Vector& v) {
  for (Index i = 0; i < v.size(); ++i)
    if (!std::isfinite(v[i]))
      throw Error(std::string("contact.") + name + ", entry " + std::to_string(i + 1) + " = " +
                  number_text(v[i]) + " must be finite");
}

}  // namespace

Problem::Problem(Matrix K, Vector g, Vector b, Vector mu, const Vector& gap)
    : K_(std::move(K)), g_(std::move(g)), b_(std::move(b)), mu_(std::move(mu)) {
  const Index n = 2 * mu_.size();
  if (n == 0) throw Error("contact.mu is empty; there must be at least one pair of points");
  if (K_.rows() != n || K_.cols() != n)
    throw Error("contact.K is " + std::to_string(K_.rows()) + " by " + std::to_string(K_.cols()) +
                "; " + std::to_string(mu_.size()) + " pairs of points need " + std::to_string(n) +
                " by " + std::to_string(n));
  if (g_.size() == 0) g_ = Vector::Zero(n);
  check_size("g", g_.size(), n);
  check_size("b", b_.size(), n);
  check_finite("g", g_);
  check_finite("b", b_);
  check_finite("mu", mu_);
  for (Index i = 0; i < mu_.size(); ++i)
    if (mu_[i] < 0)
      throw Error("contact.mu, entry " + std::to_string(i + 1) + " = " + number_text(mu_[i]) +
                  " must not be negative");
  w0_ = Vector::Zero(n);
  if (gap.size() > 0) {
    check_size("gap", gap.size(), mu_.size());
    check_finite("gap", gap);
    for (Index i = 0; i < gap.size(); ++i) {
      if (gap[i] < 0)
        throw Error("contact.gap, entry " + std::to_string(i + 1) + " = " + number_text(gap[i]) +
                    " must not be negative");
      w0_[2 * i] = gap[i];
    }
  }
  for (Index c = 0; c < n; ++c)
    for (Index r = 0; r <= c; ++r) {
      const double here = K_(r, c), there = K_(c, r);
      if (!std::isfinite(here) || !std::isfinite(there))
        throw Error("contact.K, row " + std::to_string(r + 1) + ", column " +
                    std::to_string(c + 1) + " must be finite");
      // Rounding of a condensation is smaller by orders, an error in a matrix larger.
      if (std::abs(here - there) > 1e-8 * std::sqrt(std::abs(K_(r, r) * K_(c, c))))
        throw Error("contact.K is not symmetric: row " + std::to_string(r + 1) + ", column " +
                    std::to_string(c + 1) + " is " + number_text(here) +
                    ", and its counterpart is " + number_text(there));
      K_(r, c) = K_(c, r) = 0.5 * (here + there);
    }
}

friction::System tied(const Problem& problem, const Vector& pressure) {
  const Index n = problem.nodes();
  check_size("pressure", pressure.size(), n);
  Matrix K(n, n);
  Vector b(n), limit(n);
  for (Index c = 0; c < n; ++c) {
    for (Index r = 0; r < n; ++r) K(r, c) = problem.K()(2 * r + 1, 2 * c + 1);
    b[c] = problem.b()[2 * c + 1];
    limit[c] = problem.mu()[c] * pressure[c];
  }
  return friction::System(std::move(K), std::move(limit), std::move(b));
}

Vector normal_forces(const Matrix& K, const Vector& g, const Vector& gap) {
  // A tangential spring at each pair, coupled to nothing, completes the problem.
  const Index n = g.size();
  Matrix both = Matrix::Zero(2 * n, 2 * n);
  Vector load = Vector::Zero(2 * n);
  for (Index c = 0; c < n; ++c) {
    for (Index r = 0; r < n; ++r) both(2 * r, 2 * c) = K(r, c);
    both(2 * c + 1, 2 * c + 1) = K(c, c);
    load[2 * c] = g[c];
  }
  const Problem normal(std::move(both), std::move(load), Vector::Zero(2 * n), Vector::Zero(n), gap);
  Solver solver(normal);
  if (solver.preload() != Status::ok)
    throw Error("the contact of the parts under their preload was not found: " + solver.trouble());
  Vector P(n);
  for (Index i = 0; i < n; ++i)
    P[i] = solver.nodes()[std::size_t(i)] == Contact::open ? 0 : std::max(-solver.T()[2 * i], 0.0);
  return P;
}

}  // namespace microslip::contact
