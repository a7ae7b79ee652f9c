#include "microslip/study/design.hpp"

#include <boost/random/sobol.hpp>
#include <cmath>

#include "microslip/core/error.hpp"

namespace microslip::study {
namespace {

constexpr unsigned index_bits = 40;

/// The points of Boost's engine stand in the order of Gray's code, so number 2^j is v_j + v_(j−1).
std::vector<std::array<std::uint64_t, 40>> sobol_directions(std::size_t dimension) {
  std::vector<std::array<std::uint64_t, 40>> directions(dimension);
  boost::random::sobol engine(dimension);
  for (unsigned j = 0; j < index_bits; ++j) {
    engine.seed((std::uint64_t{1} << j) - 1);  // what comes next is number 2^j: it leaves out 0
    for (auto& v : directions) v[j] = engine() ^ (j > 0 ? v[j - 1] : 0);
  }
  return directions;
}

/// Owen's nested scrambling: each bit is turned or not, by a choice that belongs to the bits before it.
std::uint64_t scrambled(std::uint64_t bits, std::uint64_t seed, std::uint32_t input) {
  std::uint64_t result = 0;
  for (unsigned b = 0; b < 53; ++b) {
    const std::uint64_t above = b == 0 ? 0 : bits >> (64 - b);
    const auto turn = philox(seed, {static_cast<std::uint32_t>(above),
                                    static_cast<std::uint32_t>(above >> 32), input, 0x50000 + b});
    const std::uint64_t bit = (bits >> (63 - b)) & 1;
    result = (result << 1) | (bit ^ (turn[0] & 1));
  }
  return result;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::uint64_t key, std::array<std::uint32_t, 4> counter) {
  auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ k0, static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ k1,
               static_cast<std::uint32_t>(a)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return counter;
}

double uniform(std::uint64_t seed, std::uint32_t stream, std::uint64_t i, std::uint32_t j) {
  const auto bits =
      philox(seed, {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32), j, stream});
  const std::uint64_t mantissa = (std::uint64_t{bits[0]} << 32 | bits[1]) >> 12;
  return (static_cast<double>(mantissa) + 0.5) * 0x1p-52;
}

std::uint64_t permuted(std::uint64_t i, std::uint64_t count, std::uint64_t seed,
                       std::uint32_t stream) {
  // A Feistel network permutes 2^(2h) numbers; it is repeated until the number is one of ours.
  unsigned half = 1;
  while ((std::uint64_t{1} << (2 * half)) < count) ++half;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = i >> half, right = i & mask;
    for (std::uint32_t round = 0; round < 6; ++round) {
      const auto mix =
          philox(seed, {static_cast<std::uint32_t>(right), static_cast<std::uint32_t>(right >> 32),
                        stream, 0x40000 + round});
      const std::uint64_t next = left ^ ((std::uint64_t{mix[1]} << 32 | mix[0]) & mask);
      left = right;
      right = next;
    }
    i = left << half | right;
  } while (i >= count);
  return i;
}

std::string_view text_of(DesignKind kind) {
  switch (kind) {
    case DesignKind::sobol:
      return "sobol";
    case DesignKind::latin_hypercube:
      return "latin-hypercube";
    case DesignKind::random:
      return "random";
    case DesignKind::grid:
      break;
  }
  return "grid";
}

Design::Design(DesignKind kind, std::uint64_t seed, std::uint64_t samples, std::size_t dimension)
    : kind_(kind), seed_(seed), samples_(samples), points_(samples), dimension_(dimension) {
  if (samples < 1 || samples > (std::uint64_t{1} << index_bits) - 1)
    throw Error("samples = " + std::to_string(samples) + " must be from 1 to 1e12");
  if (kind == DesignKind::sobol) {
    if (dimension > most_sobol_inputs)
      throw Error("design = 'sobol' takes up to " + std::to_string(most_sobol_inputs) +
                  " inputs, and there are " + std::to_string(dimension) +
                  "; 'latin-hypercube' takes any number");
    if (dimension > 0) directions_ = sobol_directions(dimension);
  }
  if (kind == DesignKind::grid) {
    double product = 1;
    for (std::size_t d = 0; d < dimension; ++d) product *= static_cast<double>(samples);
    if (product > 1e9)
      throw Error("a grid of " + std::to_string(samples) + " points in " +
                  std::to_string(dimension) + " inputs is more than 1e9 runs");
    points_ = static_cast<std::uint64_t>(product);
  }
}

void Design::point(std::uint64_t i, std::span<double> u) const {
  std::uint64_t rest = i;
  for (std::size_t d = 0; d < dimension_; ++d) {
    const auto input = static_cast<std::uint32_t>(d);
    switch (kind_) {
      case DesignKind::sobol: {
        std::uint64_t bits = 0;
        for (unsigned j = 0; j < index_bits; ++j)
          if ((i >> j) & 1) bits ^= directions_[d][j];
        u[d] = (static_cast<double>(scrambled(bits, seed_, input)) + 0.5) * 0x1p-53;
        if (u[d] >= 1) u[d] = 1 - 0x1p-53;
        break;
      }
      case DesignKind::latin_hypercube: {
        const std::uint64_t stratum = permuted(i, samples_, seed_, input);
        u[d] = (static_cast<double>(stratum) + uniform(seed_, 2, i, input)) /
               static_cast<double>(samples_);
        break;
      }
      case DesignKind::random:
        u[d] = uniform(seed_, 1, i, input);
        break;
      case DesignKind::grid:
        u[d] = (static_cast<double>(rest % samples_) + 0.5) / static_cast<double>(samples_);
        rest /= samples_;
        break;
    }
  }
}

}  // namespace microslip::study
