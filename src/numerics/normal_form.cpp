#include "microslip/detail/numerics/normal_form.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace microslip {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr std::size_t most_terms = 200;

std::string short_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", x);
  return text;
}

double product(double x, double y) { return x == 0 || y == 0 ? 0 : x * y; }

Range operator*(Range a, Range b) {
  const double ends[] = {product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo),
                         product(a.hi, b.hi)};
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
}

Range magnitudes(Range x) {
  if (x.lo >= 0) return x;
  if (x.hi <= 0) return {-x.hi, -x.lo};
  return {0, std::max(-x.lo, x.hi)};
}

/// Where the power is a real number.
Range power_of(Range x, double power) {
  if (power == 0) return {1, 1};
  const bool whole = power == std::trunc(power);
  const bool even = whole && std::fmod(power, 2) == 0;
  if (even)
    x = magnitudes(x);
  else if (!whole)
    x = {std::max(x.lo, 0.0), std::max(x.hi, 0.0)};
  if (power < 0) {
    if (x.lo < 0 && x.hi > 0) return {-inf, inf};
    // 1/0 at the end of a range is infinity of its sign.
    const double at_lo = x.lo == 0 ? inf : std::pow(x.lo, power);
    const double at_hi = x.hi == 0 ? -inf : std::pow(x.hi, power);
    return {std::min(at_lo, at_hi), std::max(at_lo, at_hi)};
  }
  return {std::pow(x.lo, power), std::pow(x.hi, power)};
}

bool is_odd(expression_detail::Op op) {
  using Op = expression_detail::Op;
  return op == Op::sin || op == Op::tan || op == Op::asin || op == Op::atan || op == Op::sinh ||
         op == Op::tanh || op == Op::triangle;
}

}  // namespace

/// A variable, or a function of others.
struct NormalForm::Atom {
  Op op;
  std::string text;
  std::vector<NormalForm> arguments;
  double value;  ///< the exponent of a power
  Range range;   ///< of a variable
};

NormalForm::NormalForm(double value) {
  if (value != 0) add({value, {}});
}

NormalForm::NormalForm(std::string name, Range range) {
  const auto atom = std::make_shared<const Atom>(Atom{Op::variable, name, {}, 0, range});
  add({1, {{std::move(name), {atom, 1}}}});
}

NormalForm::NormalForm(const Expression& formula, std::span<const NormalForm> variables) {
  std::vector<NormalForm> stack;
  for (const expression_detail::Instruction& step : formula.code) {
    if (step.op == Op::constant) {
      stack.emplace_back(step.value);
    } else if (step.op == Op::variable) {
      stack.push_back(variables[static_cast<std::size_t>(step.index)]);
    } else if (expression_detail::is_binary(step.op)) {
      const NormalForm y = std::move(stack.back());
      stack.pop_back();
      stack.back() = apply(step.op, stack.back(), y);
    } else {
      stack.back() = apply(step, stack.back());
    }
  }
  *this = std::move(stack.back());
}

void NormalForm::add(Term term) {
  std::string key;
  for (const auto& [name, factor] : term.factors)
    key += "*(" + name + ")^" + short_text(factor.power);
  const auto [place, is_new] = terms_.try_emplace(key, std::move(term));
  if (!is_new) {
    const double before = place->second.coefficient, more = term.coefficient;
    place->second.coefficient += more;
    // What is left of a difference may be rounding.
    if (std::abs(before + more) <= 1e-14 * std::abs(before)) terms_.erase(place);
  }
  if (terms_.size() > most_terms) {
    too_long_ = true;
    terms_.clear();
  }
}

NormalForm NormalForm::operator+(const NormalForm& other) const {
  NormalForm sum = *this;
  sum.too_long_ = too_long_ || other.too_long_;
  for (const auto& [key, term] : other.terms_) sum.add(term);
  return sum;
}

NormalForm NormalForm::operator*(const NormalForm& other) const {
  NormalForm result;
  result.too_long_ = too_long_ || other.too_long_;
  for (const auto& [key, a] : terms_)
    for (const auto& [other_key, b] : other.terms_) {
      Term term{a.coefficient * b.coefficient, a.factors};
      for (const auto& [name, factor] : b.factors) {
        const auto [place, is_new] = term.factors.try_emplace(name, factor);
        if (is_new) continue;
        place->second.power += factor.power;
        if (place->second.power == 0) term.factors.erase(place);
      }
      result.add(std::move(term));
      if (result.too_long_) return result;
    }
  return result;
}

NormalForm NormalForm::times(double factor) const {
  NormalForm result = *this;
  for (auto& [key, term] : result.terms_) term.coefficient *= factor;
  return result;
}

/// Whole powers; one product is raised factor by factor, a sum multiplied out while that is short.
NormalForm NormalForm::to_power(double power) const {
  if (too_long_ || power == 0) return too_long_ ? *this : NormalForm(1.0);
  if (terms_.size() == 1) {
    Term term = terms_.begin()->second;
    term.coefficient = std::pow(term.coefficient, power);
    for (auto& [name, factor] : term.factors) factor.power *= power;
    NormalForm result;
    result.add(std::move(term));
    return result;
  }
  if (power > 0 && power <= 4) {
    NormalForm result = *this;
    for (int i = 1; i < static_cast<int>(power); ++i) result = result * *this;
    return result;
  }
  if (terms_.empty()) return NormalForm(power > 0 ? 0.0 : inf);
  NormalForm sum = function(Op::add, {times(1 / leading())});
  sum = sum.to_power(power);
  return sum.times(std::pow(leading(), power));
}

double NormalForm::number() const {
  if (too_long_) return std::numeric_limits<double>::quiet_NaN();
  if (terms_.empty()) return 0;
  const Term& first = terms_.begin()->second;
  return terms_.size() == 1 && first.factors.empty() ? first.coefficient
                                                     : std::numeric_limits<double>::quiet_NaN();
}

std::string NormalForm::text() const {
  std::string all;
  for (const auto& [key, term] : terms_) all += "+" + short_text(term.coefficient) + key;
  return all;
}

NormalForm NormalForm::function(Op op, std::vector<NormalForm> arguments, double value) {
  NormalForm result;
  std::string text = "f" + std::to_string(static_cast<int>(op));
  for (const NormalForm& x : arguments) {
    result.too_long_ = result.too_long_ || x.too_long_;
    text += "[" + x.text() + "]";
  }
  if (value != 0) text += short_text(value);
  const auto atom = std::make_shared<const Atom>(Atom{op, text, std::move(arguments), value, {}});
  result.add({1, {{text, {atom, 1}}}});
  return result;
}

NormalForm NormalForm::apply(const expression_detail::Instruction& step, const NormalForm& x) {
  const double number = x.number();
  if (step.op == Op::negate) return -x;
  if (step.op == Op::power_integer) return x.to_power(step.index);
  if (std::isfinite(number)) return NormalForm(expression_detail::apply(step, number));
  const double lead = x.leading();
  const NormalForm one = lead == 0 ? x : x.times(1 / lead);
  if (step.op == Op::abs) {
    if (x.range().lo >= 0) return x;
    return function(Op::abs, {one}).times(std::abs(lead));
  }
  if (step.op == Op::sign) return function(Op::sign, {one}).times(lead < 0 ? -1 : 1);
  const bool even = step.op == Op::cos || step.op == Op::cosh;
  if (is_odd(step.op) || even)
    return function(step.op, {lead < 0 ? -x : x}).times(lead < 0 && !even ? -1 : 1);
  if (step.op == Op::power_real) return function(step.op, {x}, step.value);
  return function(step.op, {x});
}

NormalForm NormalForm::apply(Op op, const NormalForm& x, const NormalForm& y) {
  switch (op) {
    case Op::add:
      return x + y;
    case Op::subtract:
      return x - y;
    case Op::multiply:
      return x * y;
    case Op::divide:
      return x / y;
    case Op::max:
      return larger(x, y);
    case Op::min:
      return -larger(-x, -y);
    default:
      break;
  }
  const double a = x.number(), b = y.number();
  if (std::isfinite(a) && std::isfinite(b)) return NormalForm(expression_detail::apply(op, a, b));
  if (op == Op::power && b == std::trunc(b) && std::abs(b) < 1e6) return x.to_power(b);
  if (op == Op::power && std::isfinite(b)) return function(Op::power_real, {x}, b);
  return function(op, {x, y});
}

NormalForm NormalForm::larger(const NormalForm& x, const NormalForm& y) {
  const double a = x.number(), b = y.number();
  if (std::isfinite(a) && std::isfinite(b)) return NormalForm(std::max(a, b));
  return x.text() < y.text() ? function(Op::max, {x, y}) : function(Op::max, {y, x});
}

bool same(const NormalForm& a, const NormalForm& b) {
  if (a.too_long_ || b.too_long_ || a.terms_.size() != b.terms_.size()) return false;
  return std::equal(a.terms_.begin(), a.terms_.end(), b.terms_.begin(),
                    [](const auto& x, const auto& y) {
                      const double c = x.second.coefficient, d = y.second.coefficient;
                      return x.first == y.first && std::abs(c - d) <= 1e-12 * std::abs(c);
                    });
}

Range NormalForm::range_of(const Atom& atom) {
  const Range all{-inf, inf};
  if (atom.op == Op::variable) return atom.range;
  const Range x = atom.arguments.front().range();
  switch (atom.op) {
    case Op::add:
      return x;
    case Op::abs:
      return magnitudes(x);
    case Op::sign:
      return {x.lo > 0 ? 1.0 : -1.0, x.hi < 0 ? -1.0 : 1.0};
    case Op::sin:
    case Op::cos:
    case Op::square:
    case Op::triangle:
    case Op::sawtooth:
      return {-1, 1};
    case Op::tanh:
      return {std::tanh(x.lo), std::tanh(x.hi)};
    case Op::atan:
      return {std::atan(x.lo), std::atan(x.hi)};
    case Op::sinh:
      return {std::sinh(x.lo), std::sinh(x.hi)};
    case Op::cosh:
      return {1, std::cosh(std::max(std::abs(x.lo), std::abs(x.hi)))};
    case Op::exp:  // never 0, however small
      return {std::max(std::exp(x.lo), std::numeric_limits<double>::denorm_min()), std::exp(x.hi)};
    case Op::step:
      return {0, 1};
    case Op::sqrt:
      return power_of(x, 0.5);
    case Op::power_real:
      return power_of(x, atom.value);
    case Op::max: {
      const Range y = atom.arguments.back().range();
      return {std::max(x.lo, y.lo), std::max(x.hi, y.hi)};
    }
    default:
      return all;
  }
}

Range NormalForm::range() const {
  if (too_long_) return {-inf, inf};
  Range sum{0, 0};
  for (const auto& [key, term] : terms_) {
    Range all{term.coefficient, term.coefficient};
    for (const auto& [name, factor] : term.factors)
      all = all * power_of(range_of(*factor.atom), factor.power);
    sum = {sum.lo + all.lo, sum.hi + all.hi};
  }
  return sum;
}

bool is_even(const Expression& formula) {
  const NormalForm x("x", {-inf, inf});
  return same(NormalForm(formula, {x}), NormalForm(formula, {-x}));
}

bool NormalForm::keeps_its_sign() const {
  const Range values = range();
  return values.lo > 0 || values.hi < 0;
}

}  // namespace microslip
