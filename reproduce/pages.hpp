#pragma once

#include <string>
#include <vector>

#include "reproduction.hpp"

/// Results as text: cells of tables for the command, and the pages of the documentation.
namespace microslip::reproduce {

/// A reproduction that was run.
struct Result {
  const Entry* entry;
  Outcome outcome;
  std::vector<std::string> pictures{};  ///< files, as drawn
};

/// Decimals that matter at this tolerance; zeros at the end are left out.
std::string rounded(double x, double tolerance);

std::string expected_text(const Comparison& one);
std::string tolerance_text(const Comparison& one);
std::string obtained_text(const Comparison& one);
std::string verdict_text(const Comparison& one);

bool as_recorded(const std::vector<Result>& results);

/// How many reproductions have which verdict, and whether all are as recorded.
std::string summary(const std::vector<Result>& results);
/// How many reproductions are covered, and how many are not.
std::string coverage_summary(const std::vector<Result>& results);
/// How many comparisons there are of each kind.
std::string kinds_summary(const std::vector<Result>& results);

struct Page {
  std::string path;  ///< from the folder of the documentation
  std::string text;
};
/// The index, `reproductions.md`, and one page for each result, `reproductions/ID.md`.
std::vector<Page> pages(const std::vector<Result>& results);

/// The picture of an entry in the documentation, from the same folder; "" if it has none.
std::string picture_path(const Result& result);

}  // namespace microslip::reproduce
