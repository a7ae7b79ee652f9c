#pragma once

#include <concepts>
#include <filesystem>
#include <utility>

namespace microslip::catalog {

/// Where a text comes from: a name for messages, and whether files that it names are read, which lie
/// beside it. A request of a job names no files: what a file would hold stands in it.
struct TextSource {
  template <class Name>
  requires std::convertible_to<Name, std::filesystem::path> TextSource(Name&& of, bool files = true)
      : name(std::forward<Name>(of)), with_files(files) {}

  std::filesystem::path name;
  bool with_files;
};

}  // namespace microslip::catalog
