#include "dynamics/time/linear_forces.hpp"

#include <algorithm>
#include <cmath>

namespace microslip::dynamics {
namespace {

using ByRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

bool is_diagonal(const ByRows& M) {
  for (Eigen::Index i = 0; i < M.outerSize(); ++i)
    for (ByRows::InnerIterator entry(M, i); entry; ++entry)
      if (entry.col() != i && entry.value() != 0) return false;
  return true;
}

}  // namespace

LinearForces::LinearForces(const Structure& structure)
    : damped_(structure.C.nonZeros() > 0 && structure.C.norm() > 0) {
  const ByRows M = structure.M, C = structure.C, K = structure.K;
  diagonal_ = is_diagonal(M);
  const Eigen::Index n = structure.size();
  if (diagonal_) {
    const Eigen::VectorXd entries = structure.M.diagonal();
    mass_.assign(entries.begin(), entries.end());
  }
  start_.push_back(0);
  for (Eigen::Index i = 0; i < n; ++i) {
    ByRows::InnerIterator m(M, i), c(C, i), k(K, i);
    while (true) {
      Eigen::Index next = n;
      if (!diagonal_ && m) next = std::min<Eigen::Index>(next, m.col());
      if (damped_ && c) next = std::min<Eigen::Index>(next, c.col());
      if (k) next = std::min<Eigen::Index>(next, k.col());
      if (next == n) break;
      const auto take = [next](ByRows::InnerIterator& entry) {
        if (!entry || entry.col() != next) return 0.0;
        const double value = entry.value();
        ++entry;
        return value;
      };
      column_.push_back(static_cast<int>(next));
      if (!diagonal_) mass_.push_back(take(m));
      if (damped_) damping_.push_back(take(c));
      stiffness_.push_back(take(k));
    }
    start_.push_back(static_cast<int>(column_.size()));
  }
}

template <bool diagonal, bool damped, bool residual, bool summed>
void LinearForces::run(const Pass& pass, Sums& sums) const {
  const int *start = start_.data(), *column = column_.data();
  const double *m = mass_.data(), *c = damping_.data(), *k = stiffness_.data();
  Sums sum;
  for (Eigen::Index i = 0; i < pass.size; ++i) {
    double inertia = 0, momentum = 0, viscous = 0, elastic = 0;
    if constexpr (diagonal) {
      if constexpr (summed) momentum = m[i] * pass.v[i];
      if constexpr (residual) inertia = m[i] * pass.a[i];
    }
    for (int e = start[i]; e < start[i + 1]; ++e) {
      const int j = column[e];
      if constexpr (!diagonal) {
        if constexpr (summed) momentum += m[e] * pass.v[j];
        if constexpr (residual) inertia += m[e] * pass.a[j];
      }
      if constexpr (damped) viscous += c[e] * pass.v[j];
      elastic += k[e] * pass.x[j];
    }
    if constexpr (summed) {
      sum.kinetic += pass.v[i] * momentum;
      if constexpr (damped) sum.viscous += pass.v[i] * viscous;
      sum.elastic += pass.x[i] * elastic;
      sum.momentum = std::max(sum.momentum, std::abs(momentum));
      sum.spring = std::max(sum.spring, std::abs(elastic));
    }
    if constexpr (residual) pass.result[i] = inertia + viscous + elastic - pass.load[i];
  }
  if constexpr (summed) sums = sum;
}

template <bool residual, bool summed>
void LinearForces::choose(const Pass& pass, Sums& sums) const {
  if (diagonal_)
    damped_ ? run<true, true, residual, summed>(pass, sums)
            : run<true, false, residual, summed>(pass, sums);
  else
    damped_ ? run<false, true, residual, summed>(pass, sums)
            : run<false, false, residual, summed>(pass, sums);
}

LinearForces::Sums LinearForces::sums(const Eigen::VectorXd& v, const Eigen::VectorXd& x) const {
  Sums sums;
  choose<false, true>({nullptr, v.data(), x.data(), nullptr, nullptr, v.size()}, sums);
  return sums;
}

void LinearForces::residual(const Eigen::VectorXd& a, const Eigen::VectorXd& v,
                            const Eigen::VectorXd& x, const Eigen::VectorXd& load,
                            Eigen::VectorXd& result, Sums* sums) const {
  result.resize(v.size());
  const Pass pass{a.data(), v.data(), x.data(), load.data(), result.data(), v.size()};
  Sums none;
  if (sums)
    choose<true, true>(pass, *sums);
  else
    choose<true, false>(pass, none);
}

}  // namespace microslip::dynamics
