#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/io/figure.hpp"
#include "mutation.hpp"

/// The literature, recomputed: one file per figure or table.
namespace microslip::reproduce {

enum class Verdict { reproduced, differs, no_printed_value };
std::string_view text(Verdict verdict);

/// One number of a reproduction, compared with what the source prints or with what must follow.
struct Comparison {
  /// What stands behind the expected number.
  enum class Against {
    printed,      ///< a numeral of the source
    equation,     ///< a printed equation, evaluated apart from the law at stated numbers
    statement,    ///< a sentence or a drawn curve of the source, as an inequality
    independent,  ///< a second method: a closed form of ours, another algorithm, tests/reference
    circular,     ///< made with the printed result and found again: tests our tools, not the source
    identity,     ///< true of every law of the kind: tests our arithmetic
    judged,    ///< a word of the source without a number ("almost", "excellent"): the reader judges
    recorded,  ///< our own earlier value: guards against change, proves nothing
  };
  static constexpr std::size_t kinds = 8;

  enum class Relation { equal, at_most, at_least, none };

  std::string what;
  Against against;
  double expected;   ///< or the bound
  double tolerance;  ///< absolute; for printed numbers half of the last printed digit or wider
  double obtained;
  bool known_to_differ = false;  ///< recorded: the source is wrong or incomplete; `note` says why
  std::string note{};
  Relation relation = Relation::equal;

  bool agrees() const;
  Verdict verdict() const;
  /// What is expected does not come from what is obtained, so that the comparison could have failed.
  bool could_fail() const { return against <= Against::independent; }
  /// The verdict is the one on record.
  bool as_recorded() const { return agrees() != known_to_differ; }
};

std::string_view text(Comparison::Against kind);
/// What the kind means, for people who read a table.
std::string_view explanation(Comparison::Against kind);

/// Whether an entry shows something that could have failed.
enum class Coverage {
  covered,      ///< a comparison that could have failed notices a wrong input
  partly,       ///< comparisons that could have failed, but none notices the wrong input
  circular,     ///< nothing but what was made with the printed result, and identities
  undecidable,  ///< the text gives nothing to compare with: own values and words without a number
};
inline constexpr std::size_t coverages = 4;
std::string_view text(Coverage coverage);
std::string_view explanation(Coverage coverage);

/// A misprint or an open point of a source, decided by a number.
struct Misprint {
  std::string place;         ///< "eq. (25)"
  std::string printed;       ///< what stands there
  std::string meant;         ///< what must be meant, or what is right
  std::string quantity;      ///< the number that decides
  std::string why;           ///< where the expected number comes from
  Comparison::Against kind;  ///< of the expected number
  double expected, tolerance;
  std::optional<double> as_printed;  ///< the number that the print gives
  std::optional<double> as_meant;    ///< none where no repair is known
  bool one_sign = false;  ///< a lost dot, digit or radical: the text that we have may be at fault
};

/// How many comparisons of each kind there are, in the order of Against.
using KindCounts = std::array<std::size_t, Comparison::kinds>;

/// What a recomputation leaves behind.
struct Outcome {
  std::vector<Comparison> comparisons;
  std::vector<std::pair<std::string, io::Figure>> figures{};  ///< suffix of the file name, figure
  std::string remark{};                                       ///< assumptions, misprints, limits
  std::vector<Misprint> misprints{};                          ///< for the page that collects them
  std::string headline{};  ///< `what` of the number for the index; else the first that it rests on

  /// `differs` if one number differs, `reproduced` if a printed number or equation was met.
  Verdict verdict() const;
  /// The strongest kind among the comparisons: printed, equation, independent, statement, circular,
  /// identity, judged, recorded.
  Comparison::Against rests_on() const;
  /// The verdict with what it rests on: "reproduced (printed numbers)".
  std::string verdict_with_kind() const;
  KindCounts counts() const;
  bool as_recorded() const;
  /// The one number for the index: what differs from the source, else the headline.
  const Comparison& shown() const;
};

struct Entry {
  std::string_view id;        ///< publication and place, for example "biswas2018-fig4.7"
  std::string_view source;    ///< author, year, figure or table
  std::string_view sentence;  ///< what is computed
  Outcome (*compute)();
  Mutation mutation;        ///< a wrong input that its comparisons must notice
  std::string_view also{};  ///< identifier of the same figures in another publication
  bool slow = false;        ///< takes seconds: left to `make test-slow`
};

/// What an entry shows: its comparisons, and the one that notices its mutation.
Coverage coverage(const Entry& entry, const Outcome& outcome);

/// All reproductions, in the order of the list in registry.cpp.
std::span<const Entry> entries();

/// By either identifier. Throws with what is near when there is none such.
const Entry& find_entry(std::string_view id);

/// The publication in full, by the part of the identifier before the first dash.
std::string_view citation(const Entry& entry);
std::string_view citation(std::string_view id);

}  // namespace microslip::reproduce
