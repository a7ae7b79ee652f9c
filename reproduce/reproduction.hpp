#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/io/figure.hpp"

/// The literature, recomputed: one file per figure or table.
namespace microslip::reproduce {

enum class Verdict { reproduced, differs, no_printed_value };
std::string_view text(Verdict verdict);

/// One number of a reproduction, compared with what the source prints or with what must follow.
struct Comparison {
  enum class Against {
    printed,  ///< a number in the source
    derived,  ///< a closed form, an identity or an independent method; the source prints nothing
  };

  std::string what;
  Against against;
  double expected;
  double tolerance;  ///< absolute; for printed numbers half of the last printed digit or wider
  double obtained;
  bool known_to_differ = false;  ///< recorded: the source is wrong or incomplete; `note` says why
  std::string note{};

  bool agrees() const;
  Verdict verdict() const;
  /// The verdict is the one on record.
  bool as_recorded() const { return agrees() != known_to_differ; }
};

/// What a recomputation leaves behind.
struct Outcome {
  std::vector<Comparison> comparisons;
  std::vector<std::pair<std::string, io::Figure>> figures{};  ///< suffix of the file name, figure
  std::string remark{};                                       ///< assumptions, misprints, limits

  /// `differs` if one number differs, `reproduced` if a printed one was met.
  Verdict verdict() const;
  bool as_recorded() const;
};

struct Entry {
  std::string_view id;        ///< publication and place, for example "biswas2018-fig4.7"
  std::string_view source;    ///< author, year, figure or table
  std::string_view sentence;  ///< what is computed
  Outcome (*compute)();
  std::string_view also{};  ///< identifier of the same figures in another publication
};

/// All reproductions, in the order of the list in registry.cpp.
std::span<const Entry> entries();

/// By either identifier. Throws with what is near when there is none such.
const Entry& find_entry(std::string_view id);

/// The publication in full, by the part of the identifier before the first dash.
std::string_view citation(const Entry& entry);

}  // namespace microslip::reproduce
