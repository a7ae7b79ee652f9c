#include "microslip/catalog/files/cracks_file.hpp"

#include <algorithm>

#include "catalog/files/drive_history.hpp"
#include "catalog/files/toml_table.hpp"
#include "microslip/catalog/files/error_place.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/file.hpp"

namespace microslip::catalog {
namespace {

using contact::Crack;

template <std::size_t n>
std::array<double, n> fixed_list(const TomlTable& table, std::string_view key,
                                 const std::string& what) {
  const std::vector<double> list = table.numbers(key);
  if (list.size() != n)
    table.refuse(
        key, std::string(key) + " must be a list of " + std::to_string(n) + " numbers: " + what);
  std::array<double, n> result{};
  std::copy(list.begin(), list.end(), result.begin());
  return result;
}

/// [from, to], or one number for both.
std::array<double, 2> range_or(const TomlTable& table, std::string_view key,
                               std::array<double, 2> otherwise) {
  if (!table.has(key)) return otherwise;
  const std::vector<double> list = table.numbers(key);
  if (list.empty() || list.size() > 2)
    table.refuse(key, std::string(key) + " must be a number or a list [from, to]");
  return {list.front(), list.back()};
}

contact::RandomCracks drawn(const TomlTable& table, double plate_length) {
  table.allow({"n", "seed", "half_length", "angle", "mu", "region", "gap"});
  contact::RandomCracks random;
  // The proportions of the thesis: cracks of 0.1 to 1 mm, centres in ±4 mm of a plate of 10 mm.
  random.half_length = range_or(table, "half_length", {0.005 * plate_length, 0.05 * plate_length});
  random.region = table.number_or("region", 0.4 * plate_length);
  random.angle = range_or(table, "angle", random.angle);
  random.mu = range_or(table, "mu", random.mu);
  random.gap = table.number_or("gap", random.gap);
  if (table.has("n")) random.n = table.whole("n");
  if (table.has("seed")) {
    if (table.whole("seed") < 0) table.refuse("seed", "seed must not be negative");
    random.seed = static_cast<std::uint64_t>(table.whole("seed"));
  }
  return random;
}

std::vector<Crack> from_table(const TomlTable& table) {
  const io::Table csv = io::read_csv(table.file_beside("cracks"),
                                     {.required = {"x", "y", "a", "angle", "mu"}, .optional = {}});
  std::vector<Crack> cracks;
  for (std::size_t i = 0; i < csv.rows(); ++i)
    cracks.push_back({csv.at("x").values[i], csv.at("y").values[i], csv.at("a").values[i],
                      csv.at("angle").values[i], csv.at("mu").values[i]});
  return cracks;
}

std::vector<Crack> listed(const TomlTable& file) {
  std::vector<Crack> cracks;
  for (const TomlTable& table : file.tables("crack")) {
    table.allow({"at", "half_length", "angle", "mu"});
    const auto at = fixed_list<2>(table, "at", "the middle of the crack, x and y");
    cracks.push_back({at[0], at[1], table.number("half_length"), table.number_or("angle", 0),
                      table.number("mu")});
  }
  return cracks;
}

std::vector<Crack> cracks_of(const TomlTable& file, const TomlTable& plate, double length,
                             std::optional<contact::RandomCracks>& random) {
  int ways = file.has("crack") ? 1 : 0;
  for (const TomlTable* table : {&file, &plate})
    for (const char* key : {"cracks", "random"}) ways += table->has(key) ? 1 : 0;
  if (ways != 1)
    file.refuse("crack",
                "give the cracks in one way: as [[crack]] tables, as cracks = "
                "\"field.csv\", or as random = { n = 32, seed = 1 }");
  if (file.has("crack")) return listed(file);
  for (const TomlTable* table : {&file, &plate}) {
    if (table->has("cracks")) return from_table(*table);
    if (table->has("random"))
      return contact::random_cracks(random.emplace(drawn(table->table("random"), length)));
  }
  return {};
}

contact::CrackOptions options_of(const TomlTable& file) {
  contact::CrackOptions options;
  if (!file.has("options")) return options;
  const TomlTable table = file.table("options");
  table.allow({"nodes", "most_nodes", "edge_elements", "interaction"});
  if (table.has("nodes")) options.nodes = table.whole("nodes");
  options.most_nodes = table.has("most_nodes") ? table.whole("most_nodes")
                                               : std::max(options.nodes, options.most_nodes);
  if (table.has("edge_elements")) options.edge_elements = table.whole("edge_elements");
  options.interaction = table.truth_or("interaction", true);
  return options;
}

}  // namespace

CracksFile parse_cracks(std::string_view text, const TextSource& source) {
  const toml::table root = parse_document(text, source);
  const TomlTable file(root, source, "");
  file.allow({"plate", "crack", "cracks", "random", "load", "options"});
  for (const char* key : {"plate", "load"})
    if (!file.has(key)) file.refuse(key, std::string("[") + key + "] is missing");
  const TomlTable plate = file.table("plate"), load = file.table("load");
  plate.allow({"E", "nu", "plane", "length", "finite", "cracks", "random"});
  load.allow(history_keys("f", {"stress"}));
  CracksFile out;
  out.plate.E = plate.number("E");
  out.plate.nu = plate.number("nu");
  out.plate.plane = choice_of(plate, "plane", {"stress", "strain"}) == 0 ? contact::Plane::stress
                                                                         : contact::Plane::strain;
  out.plate.length = plate.number("length");
  out.plate.finite = plate.truth_or("finite", false);
  out.options = options_of(file);
  out.cracks = cracks_of(file, plate, out.plate.length, out.random);
  out.stress = fixed_list<3>(load, "stress", "σx, σy and σxy for f = 1");
  out.load = history_of(load, "f");
  out.files = file.files_read();
  return out;
}

CracksFile read_cracks(const std::filesystem::path& path) {
  try {
    return parse_cracks(io::read_file(path), path);
  } catch (const Error& error) {
    throw at_key(path, error);
  }
}

}  // namespace microslip::catalog
