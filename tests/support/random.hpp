#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace microslip::testing {

/// SplitMix64: small, and the same numbers on every machine, unlike std::uniform_real_distribution.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  double uniform(double lo, double hi) {
    return lo + (hi - lo) * (static_cast<double>(bits() >> 11) * 0x1p-53);
  }
  double log_uniform(double lo, double hi) { return std::exp(uniform(std::log(lo), std::log(hi))); }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(bits() % n); }

 private:
  std::uint64_t state_;
};

/// Fixed, so that a failure comes again; MICROSLIP_SEED draws other cases.
inline std::uint64_t base_seed() {
  const char* given = std::getenv("MICROSLIP_SEED");
  return given ? std::strtoull(given, nullptr, 10) : 1;
}

/// Whether a test that usually draws a part of its cases runs all of them: `make test-slow` does.
inline bool full_sweep() { return std::getenv("MICROSLIP_SWEEP") != nullptr; }

/// A seed of its own for each use of the base seed.
inline std::uint64_t seed_for(std::uint64_t seed, std::string_view text, std::uint64_t index) {
  for (const char c : text) seed = Rng(seed ^ static_cast<unsigned char>(c)).bits();
  return Rng(seed + index).bits();
}

}  // namespace microslip::testing
