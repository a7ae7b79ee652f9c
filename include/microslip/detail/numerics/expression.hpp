#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace microslip {

namespace expression_detail {

/// Leaves, then operations of one argument, then of two; is_binary relies on the order.
enum class Op : std::uint8_t {
  constant,
  variable,
  negate,
  power_integer,  // exponent in Instruction::index
  power_real,     // exponent in Instruction::value
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  abs,
  sign,
  floor,
  ceil,
  step,
  square,
  triangle,
  sawtooth,
  add,
  subtract,
  multiply,
  divide,
  power,
  atan2,
  min,
  max,
  mod
};

constexpr bool is_binary(Op op) { return op >= Op::add; }

struct Instruction {
  Op op = Op::constant;
  std::int32_t index = 0;
  double value = 0;
};

/// A constant as Real; a dual number of dual numbers takes its scalar type first.
template <class Real>
Real constant(double x) {
  if constexpr (std::is_constructible_v<Real, double>) {
    return Real(x);
  } else {
    return Real(constant<typename Real::Scalar>(x));
  }
}

/// By multiplication, so that derivatives of all orders are right at x = 0.
template <class Real>
Real integer_power(Real x, std::int32_t n) {
  Real product = constant<Real>(1);
  for (std::uint32_t rest = static_cast<std::uint32_t>(n < 0 ? -n : n); rest != 0; rest /= 2) {
    if (rest % 2 == 1) product = product * x;
    if (rest > 1) x = x * x;
  }
  return n < 0 ? constant<Real>(1) / product : product;
}

/// For dual numbers of dual numbers, whose pow has no overload; derivatives at x = 0 are dropped.
template <class Real>
Real nested_power(const Real& x, const Real& exponent) {
  using std::exp, std::log;
  return x == constant<Real>(0) ? constant<Real>(0) : exp(exponent * log(x));
}

template <class Real>
Real real_power(const Real& x, double exponent) {
  using std::pow;
  if constexpr (std::is_constructible_v<Real, double>) {
    return pow(x, exponent);
  } else {
    return nested_power(x, constant<Real>(exponent));
  }
}

template <class Real>
Real power(const Real& x, const Real& y) {
  using std::pow;
  if constexpr (std::is_constructible_v<Real, double>) {
    return pow(x, y);
  } else {
    return nested_power(x, y);
  }
}

/// The mean of both where they meet: min and max take the mean of the two derivatives there.
template <class Real>
Real mean(const Real& x, const Real& y) {
  return constant<Real>(0.5) * x + constant<Real>(0.5) * y;
}

template <class Real>
Real smaller(const Real& x, const Real& y) {
  if (x < y) return x;
  if (y < x) return y;
  return mean(x, y);  // equal, or not a number
}

template <class Real>
Real larger(const Real& x, const Real& y) {
  if (x < y) return y;
  if (y < x) return x;
  return mean(x, y);
}

template <class Real>
Real magnitude(const Real& x) {
  const Real zero = constant<Real>(0);
  if (x < zero) return -x;
  return x == zero ? zero : x;
}

/// Keeps "not a number", has no derivative elsewhere.
template <class Real>
Real sign_of(const Real& x) {
  const Real zero = constant<Real>(0);
  if (x < zero) return constant<Real>(-1);
  if (x > zero) return constant<Real>(1);
  return x == zero ? zero : x;
}

/// The part of a period (2π) that has passed, in [0, 1], counted from `offset` periods before 0.
template <class Real>
Real phase(const Real& x, double offset) {
  using std::floor;
  const Real periods = x / constant<Real>(6.283185307179586476925) + constant<Real>(offset);
  return periods - floor(periods);
}

template <class Real>
Real triangle_wave(const Real& x) {
  const Real p = phase(x, 0.25);
  const Real zero = constant<Real>(0), half = constant<Real>(0.5);
  if (p == zero) return constant<Real>(-1);  // the kinks: derivative 0
  if (p == half) return constant<Real>(1);
  const Real four_p = constant<Real>(4) * p;
  return p < half ? four_p - constant<Real>(1) : constant<Real>(3) - four_p;
}

template <class Real>
Real square_wave(const Real& x) {
  const Real p = phase(x, 0);
  if (p != p) return p;
  return constant<Real>(p < constant<Real>(0.5) ? 1 : -1);
}

template <class Real>
Real unit_step(const Real& x) {
  if (x != x) return x;
  return constant<Real>(x < constant<Real>(0) ? 0 : 1);
}

template <class Real>
Real apply(const Instruction& instruction, const Real& x) {
  using std::acos, std::asin, std::atan, std::ceil, std::cos, std::cosh, std::exp, std::floor,
      std::log, std::log10, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;
  switch (instruction.op) {
    case Op::negate:
      return -x;
    case Op::power_integer:
      return integer_power(x, instruction.index);
    case Op::power_real:
      return real_power(x, instruction.value);
    case Op::sin:
      return sin(x);
    case Op::cos:
      return cos(x);
    case Op::tan:
      return tan(x);
    case Op::asin:
      return asin(x);
    case Op::acos:
      return acos(x);
    case Op::atan:
      return atan(x);
    case Op::sinh:
      return sinh(x);
    case Op::cosh:
      return cosh(x);
    case Op::tanh:
      return tanh(x);
    case Op::exp:
      return exp(x);
    case Op::log:
      return log(x);
    case Op::log10:
      return log10(x);
    case Op::sqrt:
      return sqrt(x);
    case Op::abs:
      return magnitude(x);
    case Op::sign:
      return sign_of(x);
    case Op::floor:
      return floor(x);
    case Op::ceil:
      return ceil(x);
    case Op::step:
      return unit_step(x);
    case Op::square:
      return square_wave(x);
    case Op::triangle:
      return triangle_wave(x);
    case Op::sawtooth:
      return constant<Real>(2) * phase(x, 0.5) - constant<Real>(1);
    default:
      return constant<Real>(std::numeric_limits<double>::quiet_NaN());
  }
}

template <class Real>
[[gnu::noinline]] Real apply_rare(Op op, const Real& x, const Real& y) {
  using std::atan2, std::floor;
  switch (op) {
    case Op::power:
      return power(x, y);
    case Op::atan2:
      return atan2(x, y);
    case Op::min:
      return smaller(x, y);
    case Op::max:
      return larger(x, y);
    case Op::mod:
      return x - y * floor(x / y);
    default:
      return constant<Real>(std::numeric_limits<double>::quiet_NaN());
  }
}

/// What most formulas consist of is inlined, the rest is a call.
template <class Real>
Real apply(Op op, const Real& x, const Real& y) {
  switch (op) {
    case Op::add:
      return x + y;
    case Op::subtract:
      return x - y;
    case Op::multiply:
      return x * y;
    case Op::divide:
      return x / y;
    default:
      return apply_rare(op, x, y);
  }
}

}  // namespace expression_detail

/// A formula in named variables, read from text: `2*sin(2*pi*t)`, `1 - abs(z)^1.5`.
///
///   sum     = product { ("+" | "-") product }
///   product = signed { ("*" | "/") signed }
///   signed  = ("+" | "-") signed | power
///   power   = primary [ "^" signed ]                     -x^2 = -(x^2), 2^3^2 = 2^9, 2^-1
///   primary = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
///
/// Names are the variables, then `pi` and `e`; a variable hides a constant of the same name.
/// Functions, angles in radians:
///   sin cos tan asin acos atan atan2(y,x) sinh cosh tanh exp log (= ln) log10 sqrt pow(x,y)
///   abs, sign (= sgn, sign(0) = 0), floor, ceil, min(x,y,…), max(x,y,…)
///   mod(x,y) = x - y·floor(x/y)
///   step (= heaviside): 0 for x < 0, else 1
///   square, triangle, sawtooth: waves of amplitude 1 and period 2π with the phase of sin:
///     square is 1 on [0,π) and -1 on [π,2π); triangle is 0 at 0, 1 at π/2, -1 at 3π/2;
///     sawtooth is x/π on [-π,π)
///
/// Derivatives (with dual numbers): at a kink of abs, min, max, triangle the mean of both sides,
/// so abs'(0) = 0; at a jump of sign, floor, ceil, step, square, sawtooth, mod that of the smooth
/// part. Outside a function's domain the value is not a number; a derivative may be infinite or
/// not a number where the function has none (sqrt at 0).
class Expression {
  friend class NormalForm;

 public:
  static constexpr std::size_t max_nesting = 64;  ///< parentheses, signs, powers within each other
  static constexpr std::size_t max_stack = 64;    ///< intermediate values waiting for an operator

  /// The constant 0.
  Expression();

  /// Throws Error with the column, what stands there and what is allowed.
  /// Empty names at the end of `variables` are ignored.
  static Expression parse(std::string_view text, std::span<const std::string_view> variables);
  static Expression parse(std::string_view text, std::initializer_list<std::string_view> variables);

  /// One value per variable, in the order given to parse. Allocates nothing.
  template <class Real>
  [[gnu::noinline]] Real evaluate(std::span<const Real> values) const noexcept {
    assert(values.size() >= names.size());
    // A dual number sets itself to zero when made, so the common case gets a short stack.
    return stack_needed <= short_stack ? run<Real, short_stack>(values)
                                       : run<Real, max_stack>(values);
  }

  /// The same with the values as arguments: g(u, z).
  template <class Real, std::same_as<Real>... Rest>
  Real operator()(const Real& first, const Rest&... rest) const noexcept {
    const std::array<Real, 1 + sizeof...(Rest)> values{first, rest...};
    return evaluate(std::span<const Real>(values));
  }

  /// As it was written.
  const std::string& text() const { return source; }
  const std::vector<std::string>& variables() const { return names; }

  /// True if no variable occurs in it.
  bool is_constant() const;

  /// Same text, same variables.
  friend bool operator==(const Expression& a, const Expression& b) {
    return a.source == b.source && a.names == b.names;
  }

 private:
  static constexpr std::size_t short_stack = 8;

  template <class Real, std::size_t Size>
  Real run(std::span<const Real> values) const {
    using expression_detail::Op;
    std::array<Real, Size> stack;
    stack[0] = expression_detail::constant<Real>(0);  // g++ cannot know that code is not empty
    std::size_t count = 0;
    for (const expression_detail::Instruction& instruction : code) {
      if (instruction.op == Op::constant) {
        stack[count++] = expression_detail::constant<Real>(instruction.value);
      } else if (instruction.op == Op::variable) {
        stack[count++] = values[static_cast<std::size_t>(instruction.index)];
      } else if (expression_detail::is_binary(instruction.op)) {
        --count;
        stack[count - 1] = expression_detail::apply(instruction.op, stack[count - 1], stack[count]);
      } else {
        stack[count - 1] = expression_detail::apply(instruction, stack[count - 1]);
      }
    }
    return stack[0];
  }

  std::string source;
  std::vector<std::string> names;
  std::vector<expression_detail::Instruction> code;  ///< postfix, constants folded; never empty
  std::size_t stack_needed = 1;
};

/// Whether a formula of one variable is even, as its form tells (numerics/normal_form.hpp).
bool is_even(const Expression& formula);

/// Compiled once, in expression.cpp: of copies in many files the linker would keep any.
extern template double Expression::evaluate<double>(std::span<const double> values) const noexcept;

}  // namespace microslip
