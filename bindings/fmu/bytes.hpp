#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "microslip/core/error.hpp"

/// Numbers as bytes, lowest first on every machine.
namespace microslip::fmu {

inline void put_bits(std::string& bytes, std::uint64_t bits) {
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(bits >> (8 * i)));
}

inline std::uint64_t take_bits(std::string_view& bytes) {
  if (bytes.size() < 8) throw Error("these bytes are no state of this FMU");
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i)
    bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  bytes.remove_prefix(8);
  return bits;
}

/// Of all bytes (FNV-1a), so that cut or damaged ones are noticed.
inline std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return hash;
}

inline void put_number(std::string& bytes, double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  put_bits(bytes, bits);
}

inline double take_number(std::string_view& bytes) {
  const std::uint64_t bits = take_bits(bytes);
  double x = 0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// A count of what takes at least a byte each.
inline std::size_t take_count(std::string_view& bytes) {
  const std::uint64_t count = take_bits(bytes);
  if (count > bytes.size()) throw Error("these bytes are no state of this FMU");
  return count;
}

inline void put_text(std::string& bytes, std::string_view text) {
  put_bits(bytes, text.size());
  bytes += text;
}

inline std::string_view take_text(std::string_view& bytes) {
  const std::size_t size = take_count(bytes);
  const std::string_view text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return text;
}

}  // namespace microslip::fmu
