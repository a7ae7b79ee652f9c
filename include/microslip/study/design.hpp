#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Where the runs of a study lie in the unit cube. Point i follows from the seed and i alone, so any
/// thread or machine can do any run.
namespace microslip::study {

/// 128 random bits of a key and a counter: Philox 4x32-10 (Salmon et al., 2011).
std::array<std::uint32_t, 4> philox(std::uint64_t key, std::array<std::uint32_t, 4> counter);
/// A number in (0, 1) that belongs to (seed, stream, i, j).
double uniform(std::uint64_t seed, std::uint32_t stream, std::uint64_t i, std::uint32_t j);

enum class DesignKind {
  sobol,            ///< Sobol' points, scrambled by the seed (Owen)
  latin_hypercube,  ///< one point in each of `samples` strata of each input
  random,
  grid,  ///< the middles of `samples` equal parts of each input, all combinations
};
std::string_view text_of(DesignKind kind);

class Design {
 public:
  /// Throws Error where there are too many inputs or points.
  Design(DesignKind kind, std::uint64_t seed, std::uint64_t samples, std::size_t dimension);

  std::uint64_t points() const { return points_; }
  std::size_t dimension() const { return dimension_; }
  /// u in (0, 1) for each input.
  void point(std::uint64_t i, std::span<double> u) const;

  static constexpr std::size_t most_sobol_inputs = 3667;

 private:
  DesignKind kind_;
  std::uint64_t seed_, samples_, points_;
  std::size_t dimension_;
  std::vector<std::array<std::uint64_t, 40>> directions_;  ///< of Sobol' points, by input
};

/// A permutation of 0 … count − 1, evaluated one by one.
std::uint64_t permuted(std::uint64_t i, std::uint64_t count, std::uint64_t seed,
                       std::uint32_t stream);

}  // namespace microslip::study
