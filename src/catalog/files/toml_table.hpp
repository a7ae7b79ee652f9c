#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/catalog/files/text_source.hpp"
#include "microslip/core/description.hpp"

namespace microslip::catalog {

/// The root of a document: TOML, whose messages name line and column, or JSON, which begins with a brace.
/// What is null in a JSON object is left out.
toml::table parse_document(std::string_view text, const TextSource& source);

/// A table of a TOML file with answers in the types we need and refusals that name file, line, key
/// and what is allowed.
class TomlTable {
 public:
  TomlTable(const toml::table& table, TextSource source, std::string title)
      : table_(&table), source_(std::move(source)), title_(std::move(title)) {}

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

  const std::filesystem::path& file() const { return source_.name; }
  std::filesystem::path file_beside(std::string_view key) const;
  /// Refuses a text that names a file where no files are read.
  void refuse_file(std::string_view key) const;
  /// This file and those that its texts name, but for results (`output`, `plot`).
  std::vector<std::filesystem::path> files_read() const;
  std::string place() const;  ///< file and line; of JSON the table
  [[noreturn]] void refuse(std::string_view key, const std::string& sentence) const;

 private:
  const toml::table* table_;
  TextSource source_;
  std::string title_;  ///< "[[joint]] 2"
};

}  // namespace microslip::catalog
