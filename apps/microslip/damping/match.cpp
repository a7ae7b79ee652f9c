#include <algorithm>
#include <filesystem>

#include "damping/damping.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/file.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

bool is_file(const std::string& text) {
  std::error_code ignored;
  return io::is_standard_stream(text) || text.ends_with(".csv") || text.ends_with(".txt") ||
         (text.find('(') == std::string::npos && std::filesystem::exists(text, ignored));
}

/// The amplitudes of a file: of force for a law driven by force, there also as half of force_range.
std::vector<double> amplitudes_in(const io::Table& table, bool by_force) {
  if (!by_force) return table.at("amplitude").values;
  if (const io::Column* given = table.find("force_amplitude")) return given->values;
  std::vector<double> half = table.at("force_range").values;
  for (double& x : half) x *= 0.5;
  return half;
}

/// Which heading of the file holds the amplitudes.
std::string heading_in(const std::string& file, bool by_force) {
  io::Wanted wanted{.required = {}, .optional = {"amplitude"}};
  if (by_force) wanted.optional = {"force_amplitude", "force_range"};
  const io::Table table = io::read_csv(file, wanted);
  for (const std::string& name : wanted.optional)
    if (table.find(name)) return name;
  throw Error(file + " has no column " +
              (by_force ? "'force_amplitude' or 'force_range', which a law driven by force needs"
                        : "'amplitude'") +
              "; of a record, 'microslip loops FILE.csv -o loops.csv' makes such a table");
}

/// Frequency and damping belong to a structure; what a joint does follows with its mass and stiffness.
void refuse_ringdown(const std::string& file) {
  const std::vector<std::string> columns{"mode", "omega", "zeta", "zeta_error"};
  if (io::read_csv(file, {.required = {}, .optional = columns}).columns.size() < columns.size())
    return;
  throw Error(
      file +
      " is a table of 'microslip ringdown': its omega and zeta are those of a structure, not of a "
      "joint. "
      "With the mass M and the stiffness K of the structure without the joint, 'python3 "
      "examples/records/joint_of_modes.py " +
      file +
      " joint.csv --mass M --stiffness K' makes a1 and b1 of the joint; then --match joint.csv "
      "--quantity a1,b1 (docs/tutorials/hammer.md)");
}

/// The curve in a file, with the quantities that are matched and the stiffness.
jobs::DampingTarget read_target(const std::string& file, const std::vector<std::string>& quantities,
                                bool by_force) {
  if (!io::is_standard_stream(file)) refuse_ringdown(file);
  const std::string heading = heading_in(file, by_force);
  io::Wanted wanted{.required = {heading}, .optional = {}};
  if (quantities.empty()) wanted.optional = jobs::damping_quantities();
  for (const std::string& name : quantities) wanted.required.push_back(name);
  const bool known = std::find(quantities.begin(), quantities.end(), "secant") != quantities.end();
  if (!known && !quantities.empty()) wanted.optional.emplace_back("secant");
  const io::Table table = io::read_csv(file, wanted);
  jobs::DampingTarget target{file, amplitudes_in(table, by_force), {}};
  for (std::size_t i = 0; i < target.amplitude.size(); ++i)
    if (!(target.amplitude[i] > 0))
      throw Error::at(file, table.line(i), table.at(heading).position,
                      "an amplitude must be positive");
  for (const std::string& name : jobs::damping_quantities())
    if (const io::Column* column = table.find(name))
      target.quantities.emplace_back(name, column->values);
  return target;
}

jobs::Limits limits_of(const std::string& text, std::size_t equals, std::size_t colon) {
  const double low = number("--bounds", text.substr(equals + 1, colon - equals - 1));
  const double high = number("--bounds", text.substr(colon + 1));
  if (!(low < high)) throw Error("--bounds " + text + ": LO must be smaller than HI");
  return {low, high};
}

}  // namespace

jobs::MatchRequest match_request(const DampingSettings& s, Driven driven) {
  jobs::MatchRequest request;
  for (const std::string& name : cut_lists({s.quantity})) {
    choice("--quantity", name, jobs::damping_quantities());
    request.quantity.push_back(name);
  }
  if (is_file(s.match))
    request.curve = read_target(s.match, request.quantity, driven == Driven::force);
  else
    request.law = s.match;
  if (!s.at.empty()) request.at = number("--at", s.at);
  if (!s.weight.empty()) request.weight = s.weight;
  request.free = cut_lists(s.free);
  for (const std::string& text : s.bounds) {
    const auto equals = text.find('='), colon = text.find(':', equals + 1);
    if (equals == std::string::npos || colon == std::string::npos)
      throw Error("--bounds " + text + " must be written NAME=LO:HI");
    request.bounds.emplace_back(text.substr(0, equals), limits_of(text, equals, colon));
  }
  request.relative = s.relative;
  return request;
}

}  // namespace microslip::app
