#pragma once

/// What every joint of a field does, on a processor or on a GPU: the same lines for both.

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "microslip/core/concepts.hpp"

namespace microslip {

/// A law that runs for many joints at once: one direction, and a state of fixed size that is plain numbers.
template <class Law>
concept FieldLaw = std::same_as<typename Law::Scalar, double> && state_size<Law>
== StateSize::fixed&& std::is_trivially_copyable_v<Law>&&
            std::is_trivially_copyable_v<typename Law::State> &&
    sizeof(Law) % sizeof(double) == 0 && sizeof(typename Law::State) % sizeof(double) == 0 &&
    requires(const Law& law, typename Law::State& state, double u) {
  { state.u } -> std::same_as<double&>;
  { law.rest() } -> std::same_as<typename Law::State>;
  requires requires {
    { law.step(state, u, state) } -> std::same_as<Response<double>>;
  } || requires {
    { law.step(state, u, u, state) } -> std::same_as<Response<double>>;
  };
};

namespace fields {

/// Values of one type, number by number: the k-th number of the i-th value is at [k · stride + i].
template <class T>
inline constexpr std::size_t words = sizeof(T) / sizeof(double);

template <class T>
constexpr T gather(const double* columns, std::size_t stride, std::size_t i) noexcept {
  std::array<double, words<T>> value;
  for (std::size_t k = 0; k < words<T>; ++k) value[k] = columns[k * stride + i];
  return std::bit_cast<T>(value);
}
template <class T>
constexpr void scatter(const T& x, double* columns, std::size_t stride, std::size_t i) noexcept {
  const auto value = std::bit_cast<std::array<double, words<T>>>(x);
  for (std::size_t k = 0; k < words<T>; ++k) columns[k * stride + i] = value[k];
}

/// dt is not looked at by a law without time.
template <class Law>
constexpr Response<double> step(const Law& law, const typename Law::State& from, double u,
                                double dt, typename Law::State& to) noexcept {
  if constexpr (requires { law.step(from, u, to); })
    return law.step(from, u, to);
  else
    return law.step(from, u, dt, to);
}

/// A signal for each joint: u(row, i) = scale[i] · u[row · width + i], or · u[row] where one is for all
/// (width 0). Without `scale` the factor is 1.
struct Signal {
  const double* u;
  std::size_t rows, width;
  const double* scale;
  double dt;  ///< between rows, for laws with time

  constexpr double at(std::size_t row, std::size_t i) const noexcept {
    const double value = u[width == 0 ? row : row * width + i];
    return scale ? scale[i] * value : value;
  }
};

/// What remains of a history.
struct Sums {
  double energy = 0;         ///< dissipated
  double largest_force = 0;  ///< in size
  int reversals = 0;         ///< of the displacement; two make a loop
  int before = 0;            ///< the sign of the last motion

  constexpr void add(const Response<double>& reply, double motion) noexcept {
    energy += reply.dissipated;
    const double size = reply.force < 0 ? -reply.force : reply.force;
    largest_force = size > largest_force ? size : largest_force;
    const int sign = motion > 0 ? 1 : motion < 0 ? -1 : before;
    reversals += sign * before < 0 ? 1 : 0;
    before = sign;
  }
};

}  // namespace fields
}  // namespace microslip
