#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/table/csv_words.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/csv.hpp"

/// Which column of a file is which: named by a person, by its own name, by another name that people
/// use, or by one of the words of its heading.
namespace microslip::io {

class ColumnChoice {
 public:
  /// `line` is that of the headings, for messages; 0 in files that have no lines. What the columns
  /// are called there: "column", "variable".
  ColumnChoice(const std::vector<csv::Heading>& headings, const Wanted& wanted,
               std::string_view source, std::size_t line, std::string_view kind = "column")
      : headings_(headings), wanted_(wanted), source_(source), line_(line), kind_(kind) {}

  /// By position: the name that each column was asked for by; empty if nobody asked for it.
  std::vector<std::string> names() const;

  /// Without headings two columns are u,f and three are t,u,f.
  static void name_by_position(std::vector<csv::Heading>& headings, const Wanted& wanted);

 private:
  template <class Matches>
  std::size_t only(Matches&& matches, std::string_view name) const;
  std::size_t locate(const std::string& name, const std::vector<std::string>& taken) const;
  /// The column whose unit is of the kind, if there is one only.
  std::size_t only_by_unit(const std::string& name, const std::vector<std::string>& taken) const;
  std::size_t locate_given(const std::string& given, const std::string& name) const;
  bool has_names() const;
  std::string what_there_is() const;
  Error both(const std::string& column, const std::string& one, const std::string& other) const;
  Error missing(const std::string& name) const;

  const std::vector<csv::Heading>& headings_;
  const Wanted& wanted_;
  std::string_view source_;
  std::size_t line_;
  std::string_view kind_;
};

}  // namespace microslip::io
