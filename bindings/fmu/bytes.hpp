#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "microslip/core/error.hpp"

/// Numbers as bytes, lowest first on every machine.
namespace microslip::fmu {

inline void put_number(std::string& bytes, double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(bits >> (8 * i)));
}

inline double take_number(std::string_view& bytes) {
  if (bytes.size() < 8) throw Error("these bytes are no state of this FMU");
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i)
    bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  bytes.remove_prefix(8);
  double x = 0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

}  // namespace microslip::fmu
