#pragma once

#include <cmath>
#include <type_traits>

#include "microslip/core/dual.hpp"

namespace microslip::affine {

using std::acos, std::asin, std::atan, std::atan2, std::ceil, std::cos, std::cosh, std::exp,
    std::floor, std::log, std::log10, std::pow, std::sin, std::sinh, std::sqrt, std::tan, std::tanh;

/// A number c + c_u Δu + c_z Δz. A formula of (u, z) that is evaluated with such numbers shows
/// whether it is of that form itself: every operation that leads out of it (a product of two of them,
/// a root, a comparison) raises a flag. What does not vary is a plain number.
template <Number Real>
struct Term {
  Real value, by_u{0}, by_z{0};
  bool* curved = nullptr;  ///< raised by all that is not affine; null if the number does not vary

  Term() : value(0) {}
  explicit Term(double x) : value(x) {}
  explicit Term(const Real& x) requires(!std::is_same_v<Real, double>) : value(x) {}
  Term(const Real& x, const Real& u, const Real& z, bool* flag)
      : value(x), by_u(u), by_z(z), curved(flag) {}

  friend Term operator-(const Term& x) { return x.scaled(Real(-1)); }
  friend Term operator+(const Term& x, const Term& y) { return x.plus(y, 1); }
  friend Term operator-(const Term& x, const Term& y) { return x.plus(y, -1); }
  friend Term operator*(const Term& x, const Term& y) {
    if (x.curved == nullptr) return y.scaled(x.value);
    if (y.curved != nullptr) return x.bend();
    return x.scaled(y.value);
  }
  friend Term operator/(const Term& x, const Term& y) {
    if (y.curved != nullptr) return y.bend();
    return {x.value / y.value, x.by_u / y.value, x.by_z / y.value, x.curved};
  }

  friend bool operator<(const Term& x, const Term& y) { return x.compared(y) < y.value; }
  friend bool operator>(const Term& x, const Term& y) { return x.compared(y) > y.value; }
  friend bool operator==(const Term& x, const Term& y) { return x.compared(y) == y.value; }
  friend bool operator!=(const Term& x, const Term& y) { return x.compared(y) != y.value; }

  friend Term sin(const Term& x) {
    return x.plain([](const Real& a) { return sin(a); });
  }
  friend Term cos(const Term& x) {
    return x.plain([](const Real& a) { return cos(a); });
  }
  friend Term tan(const Term& x) {
    return x.plain([](const Real& a) { return tan(a); });
  }
  friend Term asin(const Term& x) {
    return x.plain([](const Real& a) { return asin(a); });
  }
  friend Term acos(const Term& x) {
    return x.plain([](const Real& a) { return acos(a); });
  }
  friend Term atan(const Term& x) {
    return x.plain([](const Real& a) { return atan(a); });
  }
  friend Term sinh(const Term& x) {
    return x.plain([](const Real& a) { return sinh(a); });
  }
  friend Term cosh(const Term& x) {
    return x.plain([](const Real& a) { return cosh(a); });
  }
  friend Term tanh(const Term& x) {
    return x.plain([](const Real& a) { return tanh(a); });
  }
  friend Term exp(const Term& x) {
    return x.plain([](const Real& a) { return exp(a); });
  }
  friend Term log(const Term& x) {
    return x.plain([](const Real& a) { return log(a); });
  }
  friend Term log10(const Term& x) {
    return x.plain([](const Real& a) { return log10(a); });
  }
  friend Term sqrt(const Term& x) {
    return x.plain([](const Real& a) { return sqrt(a); });
  }
  friend Term floor(const Term& x) {
    return x.plain([](const Real& a) { return floor(a); });
  }
  friend Term ceil(const Term& x) {
    return x.plain([](const Real& a) { return ceil(a); });
  }

  friend Term pow(const Term& x, double c) {
    return x.plain([&](const Real& a) { return pow(a, c); });
  }
  friend Term pow(const Term& x, const Term& y) {
    if (y.curved != nullptr) return y.bend();
    return x.plain([&](const Real& a) { return pow(a, y.value); });
  }
  friend Term atan2(const Term& y, const Term& x) {
    if (x.curved != nullptr) return x.bend();
    return y.plain([&](const Real& a) { return atan2(a, x.value); });
  }

 private:
  template <class Function>
  Term plain(const Function& function) const {
    return curved != nullptr ? bend() : Term(Real(function(value)));
  }
  Term scaled(const Real& c) const { return {c * value, c * by_u, c * by_z, curved}; }
  Term plus(const Term& y, double c) const {
    return {value + c * y.value, by_u + c * y.by_u, by_z + c * y.by_z,
            curved != nullptr ? curved : y.curved};
  }
  Term bend() const {
    *curved = true;
    return *this;
  }
  const Real& compared(const Term& y) const {
    if (curved != nullptr) bend();
    if (y.curved != nullptr) y.bend();
    return value;
  }
};

}  // namespace microslip::affine
