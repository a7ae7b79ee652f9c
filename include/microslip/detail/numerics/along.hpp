#pragma once

#include <type_traits>

#include "microslip/core/dual.hpp"
#include "microslip/core/response.hpp"

/// For laws with K directions: the tangent, a K×K matrix, from the lines that give the force, run with K
/// more derivatives.
namespace microslip {

template <class Real, int K>
struct AlongOf {
  using Type = Dual<K>;
};
template <int N, int K>
struct AlongOf<Dual<N>, K> {
  using Type = Dual<N + K>;
};

/// `Real` and its derivatives with respect to the displacement at the end of the step, the last K.
template <Number Real, int K>
using Along = typename AlongOf<Real, K>::Type;

template <int K, Number Real>
constexpr Along<Real, K> along_fixed(const Real& x) {
  Along<Real, K> result(value_of(x));
  if constexpr (!std::is_same_v<Real, double>) result.v.template head<Real::DIMENSION>() = x.v;
  return result;
}

/// The displacement itself.
template <Number Real, int K>
constexpr Vec<Along<Real, K>, K> along_moving(const Eigen::Matrix<Real, K, 1>& u) {
  Vec<Along<Real, K>, K> result;
  for (int i = 0; i < K; ++i) {
    result[i] = along_fixed<K, Real>(u[i]);
    result[i].v[result[i].v.size() - K + i] = 1;
  }
  return result;
}

/// Without the derivatives along the motion.
template <Number Real, int K>
constexpr Real along_settled(const Along<Real, K>& x) {
  if constexpr (std::is_same_v<Real, double>) {
    return x.a;
  } else {
    Real result(x.a);
    result.v = x.v.template head<Real::DIMENSION>();
    return result;
  }
}

/// ∂f_i/∂u_j for one component, a plain number: it carries no derivatives of its own.
template <Number Real, int K>
constexpr double along_slope(const Along<Real, K>& f, int j) {
  return f.v[f.v.size() - K + j];
}

}  // namespace microslip
