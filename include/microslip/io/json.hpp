#pragma once

/// What the library says in JSON, besides parameter files: descriptions of laws, and states from
/// which a history goes on. Only text crosses this header, so no JSON library does.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/core/description.hpp"

namespace microslip::io {

std::string_view text_of(Kind kind);
std::string_view text_of(Family family);
std::string_view text_of(Verdict verdict);

/// Values on one line: {"KT":2.0,"chi":-0.5}. Infinity and NaN, which JSON does not have, are the
/// texts "inf", "-inf" and "nan" here and below.
std::string values_json(const ParameterValues& values);
std::string values_json(const OptionValues& values);

/// Everything a law says about itself. An infinite bound is null.
std::string description_json(const Description& description);

/// A history that was stopped at a row and can go on from there.
struct SavedHistory {
  ModelSpec spec;
  StateRecord state;
  double energy = 0;                ///< dissipated so far
  double origin = 0, origin_y = 0;  ///< the displacement that the law takes as zero
  std::optional<double> t{};        ///< of the last row; none if the history has no time
  double origin_n = 0;              ///< the third number of the displacement
};

/// The text of a state file: the same doubles come back when it is read.
std::string saved_histories_text(std::span<const SavedHistory> histories, std::string_view command);
std::vector<SavedHistory> parse_saved_histories(std::string_view text, std::string_view name);
std::vector<SavedHistory> read_saved_histories(const std::filesystem::path& path);

}  // namespace microslip::io
