#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "microslip/detail/numerics/expression.hpp"

namespace microslip {

/// Numbers from one to another, the ends included.
struct Range {
  double lo, hi;
};

/// A formula multiplied out: a sum of products of powers of variables and of functions, in one order.
/// Signs are taken out of functions that are odd or even, and factors out of absolute values. Two
/// formulas with one normal form have the same values, so that a formula tells by itself what would
/// take many trials: whether it is odd, or where its values lie. Formulas with different forms may be the same
/// all the same; what does not follow from the form is not claimed.
class NormalForm {
 public:
  explicit NormalForm(double value);
  /// A variable, and the numbers that it takes.
  NormalForm(std::string name, Range range);
  /// The formula with these in the place of its variables.
  NormalForm(const Expression& formula, std::span<const NormalForm> variables);
  NormalForm(const Expression& formula, std::initializer_list<NormalForm> variables)
      : NormalForm(formula, std::span<const NormalForm>(variables.begin(), variables.size())) {}

  NormalForm operator-() const { return times(-1); }
  NormalForm operator+(const NormalForm& other) const;
  NormalForm operator-(const NormalForm& other) const { return *this + -other; }
  NormalForm operator*(const NormalForm& other) const;
  NormalForm operator/(const NormalForm& other) const { return *this * other.to_power(-1); }

  /// Up to rounding of the coefficients.
  friend bool same(const NormalForm& a, const NormalForm& b);
  /// Its values lie here: as narrow as the sum of its terms tells.
  Range range() const;
  bool keeps_its_sign() const;

 private:
  using Op = expression_detail::Op;
  struct Atom;
  struct Factor {
    std::shared_ptr<const Atom> atom;
    double power;
  };
  struct Term {
    double coefficient;
    std::map<std::string, Factor> factors;  ///< by the text of the atom
  };

  NormalForm() = default;
  static NormalForm function(Op op, std::vector<NormalForm> arguments, double value = 0);
  static NormalForm apply(const expression_detail::Instruction& instruction, const NormalForm& x);
  static NormalForm apply(Op op, const NormalForm& x, const NormalForm& y);
  static NormalForm larger(const NormalForm& x, const NormalForm& y);
  NormalForm times(double factor) const;
  NormalForm to_power(double power) const;
  void add(Term term);
  /// The number that it is; not a number if it varies.
  double number() const;
  double leading() const { return terms_.empty() ? 0 : terms_.begin()->second.coefficient; }
  std::string text() const;
  static Range range_of(const Atom& atom);

  std::map<std::string, Term> terms_;  ///< by the text of their factors
  bool too_long_ = false;              ///< it was given up: nothing follows from its form
};

}  // namespace microslip
