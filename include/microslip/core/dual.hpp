#pragma once

#include <ceres/jet.h>

#include <concepts>
#include <type_traits>

namespace microslip {

/// A number that carries its derivatives with respect to N chosen quantities.
/// Laws are written once, for `Real`; with Dual<N> the same lines give sensitivities.
template <int N>
using Dual = ceres::Jet<double, N>;

template <class T>
struct IsDual : std::false_type {};
template <int N>
struct IsDual<Dual<N>> : std::true_type {};

/// What a law may be instantiated with.
template <class T>
concept Number = std::same_as<T, double> || IsDual<T>::value;

/// The plain number, derivatives dropped: for branches and for root finding.
constexpr double value_of(double x) noexcept { return x; }
template <int N>
constexpr double value_of(const Dual<N>& x) noexcept {
  return x.a;
}

template <Number Real>
constexpr Real square(const Real& x) {
  return x * x;
}

}  // namespace microslip
