#pragma once

#include <Eigen/Core>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/jobs/text.hpp"

namespace microslip::study {

using jobs::Columns;
using Json = nlohmann::ordered_json;

/// What stands there, for "must be a number, not …".
std::string kind_text(const Json& json);

/// A table of a result: headings and columns.
using ResultTable = std::vector<std::pair<std::string, const std::vector<double>*>>;

/// What a job answered: its text as a tree, and the columns that it names.
struct Answer {
  Json json;
  Columns columns;

  /// In the order of the text.
  std::vector<ResultTable> tables() const;
};

/// Derivatives of the columns of a table with respect to the numbers that vary, rows × numbers; those of
/// columns that are not here vanish.
using TableSlopes = std::map<std::string, Eigen::MatrixXd, std::less<>>;

/// A place in a tree, "fits[1].parameters.k", entries of lists counted from 1. A key with other letters
/// stands in quotes: parameters."joint[1].k".
std::vector<std::string> path_steps(std::string_view path);
/// The text of JSON that stands there; nullptr if there is none.
const Json* at_path(const Json& root, const std::vector<std::string>& steps);
Json* at_path(Json& root, const std::vector<std::string>& steps);
bool is_path(std::string_view text);

}  // namespace microslip::study
