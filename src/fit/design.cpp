#include "design.hpp"

#include <cmath>
#include <random>

namespace microslip::fit {
namespace {

std::vector<unsigned> primes(std::size_t count) {
  std::vector<unsigned> found;
  for (unsigned n = 2; found.size() < count; ++n) {
    bool prime = true;
    for (const unsigned p : found) prime = prime && n % p != 0;
    if (prime) found.push_back(n);
  }
  return found;
}

double radical_inverse(std::size_t index, unsigned base) {
  double value = 0, digit = 1.0 / base;
  for (; index > 0; index /= base, digit /= base)
    value += digit * static_cast<double>(index % base);
  return value;
}

}  // namespace

Design::Design(const std::vector<Unknown>& unknowns, std::uint64_t seed) : unknowns_(unknowns) {
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < unknowns.size(); ++i)
    shift_.push_back(std::ldexp(static_cast<double>(random() >> 11), -53));
}

std::vector<double> Design::point(std::size_t index) const {
  const std::vector<unsigned> bases = primes(unknowns_.size());
  std::vector<double> x(unknowns_.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    double where = radical_inverse(index + 1, bases[i]) + shift_[i];
    where -= std::floor(where);
    x[i] = unknowns_[i].from + where * (unknowns_[i].to - unknowns_[i].from);
  }
  return x;
}

}  // namespace microslip::fit
