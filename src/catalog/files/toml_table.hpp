#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/core/description.hpp"

namespace microslip::catalog {

/// A table of a TOML file with answers in the types we need and refusals that name file, line, key
/// and what is allowed.
class TomlTable {
 public:
  TomlTable(const toml::table& table, std::filesystem::path file, std::string title)
      : table_(&table), file_(std::move(file)), title_(std::move(title)) {}

  /// Refuses every other key.
  void allow(const std::vector<std::string>& keys) const;

  bool has(std::string_view key) const { return table_->contains(key); }
  const toml::node& node(std::string_view key) const;

  std::string text(std::string_view key) const;
  std::string text_or(std::string_view key, std::string otherwise) const;
  double number(std::string_view key) const;
  double number_or(std::string_view key, double otherwise) const;
  int whole(std::string_view key) const;
  bool truth_or(std::string_view key, bool otherwise) const;
  /// A list, or one number as a list of one.
  std::vector<double> numbers(std::string_view key) const;
  std::vector<double> numbers_or_none(std::string_view key) const;
  /// Rows of equal length.
  std::vector<std::vector<double>> rows(std::string_view key) const;
  Value value(std::string_view key) const;

  /// The tables of [[key]].
  std::vector<TomlTable> tables(std::string_view key) const;
  TomlTable table(std::string_view key) const;
  bool is_table(std::string_view key) const;
  std::vector<std::string> keys() const;

  const std::filesystem::path& file() const { return file_; }
  std::filesystem::path file_beside(std::string_view key) const;
  /// This file and those that its texts name, but for results (`output`, `plot`).
  std::vector<std::filesystem::path> files_read() const;
  std::string place() const;  ///< file and line
  [[noreturn]] void refuse(std::string_view key, const std::string& sentence) const;

 private:
  const toml::table* table_;
  std::filesystem::path file_;
  std::string title_;  ///< "[[joint]] 2"
};

}  // namespace microslip::catalog
