#pragma once

#include <array>
#include <string>
#include <string_view>

/// The readers of files that come from elsewhere, as a fuzzer calls them.
namespace microslip::fuzz {

struct Reader {
  std::string_view name;  ///< also the folder of its seeds
  void (*read)(std::string_view bytes);
};

extern const std::array<Reader, 9> readers;

/// Whether the bytes are a file of this kind. A refusal is one Error of one line that can be printed; whatever
/// else is thrown, or what is read and does not stand its check, throws std::logic_error.
bool accepted(const Reader& reader, std::string_view bytes);

}  // namespace microslip::fuzz
