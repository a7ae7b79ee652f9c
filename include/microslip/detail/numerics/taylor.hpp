#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "microslip/core/dual.hpp"
#include "microslip/detail/numerics/expression.hpp"

/// Power series of the solution of z' = g(u, z), g a formula. The formula is evaluated once with
/// numbers that write down what is done to them; the list then gives the coefficients of all
/// intermediate results order by order (Moore's recurrences), each new one of g the next one of z.
///
/// A kink of the formula (abs, min, sign …) keeps the side on which the series begins.
namespace microslip::taylor {

inline constexpr std::size_t most_terms = 20, most_nodes = 40;

/// 1/k, and 0 for k = 0.
inline constexpr auto inverse = [] {
  std::array<double, most_terms + 2> result{};
  for (std::size_t k = 1; k < result.size(); ++k) result[k] = 1.0 / static_cast<double>(k);
  return result;
}();

/// How the coefficients r_k, k ≥ 1, of a node follow from those of the nodes a and b.
enum class Rule : std::uint8_t {
  given,
  scale,     ///< r = c a, up to a constant
  sum,       ///< r = a + c b
  product,   ///< r = a b
  quotient,  ///< r = a/b; without a, a constant over b
  integral,  ///< r' = c b a'
  power,     ///< r = a^c
};

template <Number Real>
class Tape {
 public:
  static constexpr int none = -1;

  int record(Rule rule, const Real& value, int a = none, int b = none, double c = 1) noexcept {
    if (count_ == most_nodes) {
      full_ = true;
      return 0;
    }
    nodes_[count_] = {rule, static_cast<std::int8_t>(a), static_cast<std::int8_t>(b), c};
    terms_[count_][0] = value;
    return static_cast<int>(count_++);
  }
  /// For rules that need a node recorded later.
  void refer(int node, int b) noexcept { nodes_[index(node)].b = static_cast<std::int8_t>(b); }

  bool full() const noexcept { return full_; }
  Real& term(int node, std::size_t k) noexcept { return terms_[index(node)][k]; }

  /// The k-th coefficient of all nodes that follow a rule.
  void extend(std::size_t k) noexcept {
    for (std::size_t i = 0; i < count_; ++i)
      if (nodes_[i].rule != Rule::given) terms_[i][k] = coefficient(nodes_[i], terms_[i], k);
  }

 private:
  using Series = std::array<Real, most_terms + 1>;
  struct Node {
    Rule rule;
    std::int8_t a, b;
    double c;
  };
  static std::size_t index(int node) { return static_cast<std::size_t>(node); }

  /// Σ term(j), j = 1 … k − 1, which waits for no coefficient of order k, in two sums that do not
  /// wait for each other.
  template <class Of>
  static Real inner(std::size_t k, const Of& term) noexcept {
    Real even(0), odd(0);
    std::size_t j = 1;
    for (; j + 1 < k; j += 2) {
      odd += term(j);
      even += term(j + 1);
    }
    if (j < k) odd += term(j);
    return even + odd;
  }

  Real coefficient(const Node& node, const Series& r, std::size_t k) const noexcept {
    const Series& a = terms_[index(node.a == none ? 0 : node.a)];
    const Series& b = terms_[index(node.b == none ? 0 : node.b)];
    const auto number = [](std::size_t i) { return static_cast<double>(i); };
    switch (node.rule) {
      case Rule::scale:
        return node.c * a[k];
      case Rule::sum:
        return a[k] + node.c * b[k];
      case Rule::product:
        return inner(k, [&](std::size_t j) { return a[j] * b[k - j]; }) +
               (a[0] * b[k] + a[k] * b[0]);
      case Rule::quotient: {
        const Real known = inner(k, [&](std::size_t j) { return b[j] * r[k - j]; });
        return ((node.a == none ? Real(0) : a[k]) - known - b[k] * r[0]) / b[0];
      }
      case Rule::integral:
        return node.c *
               (inverse[k] * inner(k, [&](std::size_t j) { return number(j) * a[j] * b[k - j]; }) +
                a[k] * b[0]);
      case Rule::power:
        return (inverse[k] * inner(k,
                                   [&](std::size_t j) {
                                     return ((node.c + 1) * number(j) - number(k)) * a[j] *
                                            r[k - j];
                                   }) +
                node.c * a[k] * r[0]) /
               a[0];
      case Rule::given:
        break;
    }
    return Real(0);
  }

  std::array<Node, most_nodes> nodes_;
  std::array<Series, most_nodes> terms_;
  std::size_t count_ = 0;
  bool full_ = false;
};

/// A number that writes on a tape, or a constant.
template <Number Real>
struct Term {
  Real value;
  Tape<Real>* tape = nullptr;
  int node = Tape<Real>::none;

  Term() : value(0) {}
  explicit Term(double x) : value(x) {}
  Term(const Real& x, Tape<Real>* on, int at) : value(x), tape(on), node(at) {}

  bool varies() const { return tape != nullptr; }
  /// r = c (this) + anything constant.
  Term scaled(const Real& result, double c) const {
    if (c == 1 && result == value) return *this;
    return {result, tape, tape->record(Rule::scale, result, node, Tape<Real>::none, c)};
  }

  friend Term operator-(const Term& x) {
    return x.varies() ? x.scaled(-x.value, -1) : constant(-x.value);
  }
  friend Term operator+(const Term& x, const Term& y) { return x.plus(y, 1); }
  friend Term operator-(const Term& x, const Term& y) { return x.plus(y, -1); }
  friend Term operator*(const Term& x, const Term& y) {
    const Real result = x.value * y.value;
    if (!x.varies()) return y.varies() ? y.scaled(result, value_of(x.value)) : constant(result);
    if (!y.varies()) return x.scaled(result, value_of(y.value));
    return {result, x.tape, x.tape->record(Rule::product, result, x.node, y.node)};
  }
  friend Term operator/(const Term& x, const Term& y) {
    const Real result = x.value / y.value;
    if (!y.varies()) return x.varies() ? x.scaled(result, 1 / value_of(y.value)) : constant(result);
    return {result, y.tape, y.tape->record(Rule::quotient, result, x.node, y.node)};
  }

  friend bool operator<(const Term& x, const Term& y) { return x.value < y.value; }
  friend bool operator>(const Term& x, const Term& y) { return x.value > y.value; }
  friend bool operator==(const Term& x, const Term& y) { return x.value == y.value; }
  friend bool operator!=(const Term& x, const Term& y) { return x.value != y.value; }

  friend Term floor(const Term& x) { return Term(std::floor(value_of(x.value))); }
  friend Term ceil(const Term& x) { return Term(std::ceil(value_of(x.value))); }

  friend Term exp(const Term& x) {
    using std::exp;
    return x.integral(exp(x.value), [](const Term& r) { return r; });
  }
  friend Term log(const Term& x) {
    using std::log;
    return x.integral(log(x.value), [&x](const Term&) { return Term(1) / x; });
  }
  friend Term log10(const Term& x) { return Term(0.43429448190325182765) * log(x); }
  friend Term tan(const Term& x) {
    using std::tan;
    return x.integral(tan(x.value), [](const Term& r) { return Term(1) + r * r; });
  }
  friend Term tanh(const Term& x) {
    using std::tanh;
    return x.integral(tanh(x.value), [](const Term& r) { return Term(1) - r * r; });
  }
  friend Term atan(const Term& x) {
    using std::atan;
    return x.integral(atan(x.value), [&x](const Term&) { return Term(1) / (Term(1) + x * x); });
  }
  friend Term asin(const Term& x) {
    using std::asin;
    return x.integral(asin(x.value), [&x](const Term&) { return pow(Term(1) - x * x, -0.5); });
  }
  friend Term acos(const Term& x) { return Term(1.57079632679489661923) - asin(x); }
  friend Term sin(const Term& x) {
    return x.pair(-1, [](const Real& v) { return sines(v); }).first;
  }
  friend Term cos(const Term& x) {
    return x.pair(-1, [](const Real& v) { return sines(v); }).second;
  }
  friend Term sinh(const Term& x) {
    return x.pair(1, [](const Real& v) { return hyperbolic_sines(v); }).first;
  }
  friend Term cosh(const Term& x) {
    return x.pair(1, [](const Real& v) { return hyperbolic_sines(v); }).second;
  }

  friend Term sqrt(const Term& x) { return pow(x, 0.5); }
  friend Term pow(const Term& x, double c) {
    using std::pow;
    const Real result = pow(x.value, c);
    if (!x.varies()) return constant(result);
    return {result, x.tape, x.tape->record(Rule::power, result, x.node, Tape<Real>::none, c)};
  }
  friend Term pow(const Term& x, const Term& y) {
    using std::pow;
    if (!y.varies()) return pow(x, value_of(y.value));
    // Where the logarithm is none there is no series, but 0^0 is 1.
    return (y * log(x)).integral(pow(x.value, y.value), [](const Term& r) { return r; });
  }
  /// Of the point (x, y), which moves around the origin by (x y' − y x')/(x² + y²).
  friend Term atan2(const Term& y, const Term& x) {
    using std::atan2;
    const Real result = atan2(y.value, x.value);
    const Term square = x * x + y * y;
    if (!square.varies()) return constant(result);
    const auto along = [&](const Term& a, const Term& b) {
      return a.integral(result, [&](const Term&) { return b / square; });
    };
    const Term upwards = along(y, x), inwards = along(x, y);
    return upwards + (constant(result) - inwards);
  }

 private:
  struct Pair {
    Term first, second;
  };
  static Term constant(const Real& x) { return {x, nullptr, Tape<Real>::none}; }
  static std::array<Real, 2> sines(const Real& x) {
    using std::cos, std::sin;
    return {sin(x), cos(x)};
  }
  static std::array<Real, 2> hyperbolic_sines(const Real& x) {
    using std::cosh, std::sinh;
    return {sinh(x), cosh(x)};
  }

  Term plus(const Term& y, double c) const {
    const Real sum = value + c * y.value;
    if (!y.varies()) return varies() ? scaled(sum, 1) : constant(sum);
    if (!varies()) return y.scaled(sum, c);
    return {sum, tape, tape->record(Rule::sum, sum, node, y.node, c)};
  }
  /// r' = q x', where q may depend on r.
  template <class Slope>
  Term integral(const Real& result, const Slope& slope) const {
    if (!varies()) return constant(result);
    const Term r{result, tape, tape->record(Rule::integral, result, node)};
    tape->refer(r.node, slope(r).node);
    return r;
  }
  /// s' = c x' and c' = sign s x'.
  template <class Both>
  Pair pair(double sign, const Both& both) const {
    const auto [s, c] = both(value);
    if (!varies()) return {constant(s), constant(c)};
    const int first = tape->record(Rule::integral, s, node);
    const int second = tape->record(Rule::integral, c, node, first, sign);
    tape->refer(first, second);
    return {{s, tape, first}, {c, tape, second}};
  }
};

/// z(u0 + h) = Σ z_k h^k.
template <Number Real>
class Solution {
 public:
  /// A formula of three variables has `constant` for the third: a series of one term, so that its
  /// derivatives are carried, which a number of a formula does not have.
  Solution(const Expression& slope, const Real& u, const Real& z,
           const Real* constant = nullptr) noexcept
      : has_constant_(constant != nullptr) {
    tape_.record(Rule::given, u);
    tape_.record(Rule::given, z);
    tape_.term(u_node, 1) = Real(1);
    const Term<Real> here(u, &tape_, u_node), force(z, &tape_, z_node);
    if (has_constant_) {
      tape_.record(Rule::given, *constant);
      slope_ = slope(here, force, Term<Real>(*constant, &tape_, constant_node));
    } else {
      slope_ = slope(here, force);
    }
    tape_.term(z_node, 1) = slope_.value;
  }

  bool defined() const noexcept { return std::isfinite(value_of(slope_.value)); }
  bool fits() const noexcept { return !tape_.full(); }
  double first_slope() const noexcept { return value_of(slope_.value); }

  std::size_t degree() const noexcept { return degree_; }
  bool complete() const noexcept { return degree_ == most_terms; }

  /// Adds terms, at least one, until the last is at most `small` at the distance h; answers how far
  /// they reach. A series with gaps may need more.
  double reach(double h, double small) noexcept {
    double power = h;
    for (std::size_t k = 1; k < degree_; ++k) power *= h;
    while (degree_ < most_terms) {
      power *= h;
      if (std::abs(add_term()) * power <= small) return h;
    }
    double length = h;
    for (const std::size_t k : {most_terms - 1, most_terms}) {
      const double size = std::abs(value_of(term(k)));
      if (!(size <= std::numeric_limits<double>::max())) return 0;
      if (size > 0) length = std::min(length, 0.9 * std::pow(small / size, 1.0 / double(k)));
    }
    return length;
  }

  struct Point {
    Real value, slope, integral;  ///< z, dz/du, ∫ z du from the start
  };
  Point at(const Real& h) noexcept {
    Point sum{term(degree_), static_cast<double>(degree_) * term(degree_),
              inverse[degree_ + 1] * term(degree_)};
    for (std::size_t k = degree_; k-- > 0;) {
      sum.value = sum.value * h + term(k);
      if (k > 0) sum.slope = sum.slope * h + static_cast<double>(k) * term(k);
      sum.integral = sum.integral * h + inverse[k + 1] * term(k);
    }
    sum.integral *= h;
    return sum;
  }

  struct Value {
    double value, slope;
  };
  Value value_at(double h) noexcept {
    Value sum{value_of(term(degree_)), 0};
    for (std::size_t k = degree_; k-- > 0;) {
      sum.slope = sum.slope * h + sum.value;
      sum.value = sum.value * h + value_of(term(k));
    }
    return sum;
  }

 private:
  static constexpr int u_node = 0, z_node = 1, constant_node = 2;

  Real& term(std::size_t k) noexcept { return tape_.term(z_node, k); }

  double add_term() noexcept {
    tape_.term(u_node, degree_) = Real(degree_ == 1 ? 1 : 0);
    if (has_constant_) tape_.term(constant_node, degree_) = Real(0);
    tape_.extend(degree_);
    ++degree_;
    const Real next =
        slope_.varies() ? inverse[degree_] * tape_.term(slope_.node, degree_ - 1) : Real(0);
    term(degree_) = next;
    return value_of(next);
  }

  Tape<Real> tape_;
  Term<Real> slope_;
  bool has_constant_;
  std::size_t degree_ = 1;
};

}  // namespace microslip::taylor
