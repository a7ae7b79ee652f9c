#include <algorithm>
#include <map>

#include "catalog/files/structure_parts.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::catalog {
namespace {

using Index = Eigen::Index;

Eigen::VectorXd vector_of(const TomlTable& table, const std::string& key, Index size) {
  const std::vector<double> list = table.numbers(key);
  if (static_cast<Index>(list.size()) != size)
    table.refuse(key, key + " has " + std::to_string(list.size()) + " numbers; there are " +
                          std::to_string(size) + " degrees of freedom");
  return Eigen::Map<const Eigen::VectorXd>(list.data(), size);
}

const std::map<std::string, std::vector<std::string>>& analysis_keys() {
  static const std::map<std::string, std::vector<std::string>> keys{
      {"frequency-response",
       {"omega", "harmonics", "periods", "at", "samples", "tolerance", "stability", "levels", "dof",
        "scale", "quantity"}},
      {"load-response",
       {"omega", "level", "amplitude", "dof", "harmonics", "at", "samples", "tolerance",
        "stability", "scale"}},
      {"modes", {"modes"}},
      {"modal-joints", {"omega", "modes", "harmonics", "tolerance", "dof"}},
      {"time", {"until", "step", "tolerance", "x0", "v0", "at", "method", "dof", "columns"}},
      {"nonlinear-mode", {"mode", "amplitude", "harmonics", "at", "tolerance"}},
      {"quasi-static", {"mode", "amplitude", "at"}},
      {"averaging", {"omega", "amplitude", "at", "levels"}},
      {"slow-flow", {"until", "step", "tolerance", "x0", "v0"}}};
  return keys;
}

std::vector<double> range_of(const TomlTable& table, const std::string& key) {
  if (!table.has(key)) return {};
  const std::vector<double> range = table.numbers(key);
  if (range.size() != 2 || !(range[0] > 0) || !(range[1] > 0) || range[0] == range[1])
    table.refuse(key, key + " must be a range of two different positive numbers");
  return range;
}

std::optional<int> positive_whole(const TomlTable& table, const std::string& key) {
  if (!table.has(key)) return std::nullopt;
  const int value = table.whole(key);
  if (value < 1) table.refuse(key, key + " = " + std::to_string(value) + " must be 1 or more");
  return value;
}

std::optional<double> positive_number(const TomlTable& table, const std::string& key) {
  if (!table.has(key)) return std::nullopt;
  const double value = table.number(key);
  if (!(value > 0)) table.refuse(key, key + " = " + number_text(value) + " must be positive");
  return value;
}

/// The place, from 1, of a degree of freedom that goes by its name in the whole structure.
int place_of(const TomlTable& table, const Places& places, const StructureFile& file) {
  const std::string name = places.name(places.dof(table, "dof", 1) - 1);
  const auto found = std::find(file.labels.begin(), file.labels.end(), name);
  if (found != file.labels.end()) return static_cast<int>(found - file.labels.begin()) + 1;
  if (places.size() != file.own_size)
    table.refuse("dof", "dof = " + name + " has no mass: it was condensed");
  table.refuse("dof", "dof = " + name + " is not kept by the reduction; add it to its keep");
}

bool single_tone(const dynamics::Structure& structure) {
  if (structure.loads.size() != 1) return false;
  const auto* tones = std::get_if<dynamics::Tones>(&structure.loads.front().signal);
  return tones && tones->list.size() == 1 && tones->list.front().amplitude != 0;
}

}  // namespace

Analysis analysis_of(const TomlTable& table, const Places& places, const StructureFile& file) {
  const Index size = file.structure.size();
  Analysis a;
  a.kind = table.text("kind");
  a.where = table.place();
  const auto found = analysis_keys().find(a.kind);
  if (found == analysis_keys().end()) {
    std::vector<std::string> names;
    for (const auto& [name, keys] : analysis_keys()) names.push_back(name);
    table.refuse("kind", "unknown kind of analysis '" + a.kind + "'" + suggestion(a.kind, names));
  }
  if (a.kind != "time") try {
      const bool periodic = a.kind == "frequency-response" || a.kind == "load-response" ||
                            a.kind == "nonlinear-mode" || a.kind == "modes";
      if (a.kind == "quasi-static")
        dynamics::refuse_other_interfaces(file.structure, "kind = '" + a.kind + "'");
      else if (periodic)
        dynamics::check(file.structure);
      else
        dynamics::refuse_interfaces(file.structure, "kind = '" + a.kind + "'");
    } catch (const Error& error) {
      table.refuse("kind", error.what());
    }
  std::vector<std::string> allowed = found->second;
  allowed.insert(allowed.end(), {"kind", "output", "plot"});
  table.allow(allowed);
  a.output = table.text_or("output", "");
  a.plot = table.text_or("plot", "");
  const auto one_of = [&](const std::string& key, const std::string& usual,
                          const std::string& other) {
    const std::string word = table.text_or(key, usual);
    if (word != usual && word != other)
      table.refuse(key, key + " = '" + word + "' must be " + usual + " or " + other);
    return word == other;
  };
  a.logarithmic = one_of("scale", "linear", "logarithmic");
  a.receptance = one_of("quantity", "amplitude", "receptance");
  if (a.receptance && !single_tone(file.structure))
    table.refuse("quantity",
                 "quantity = 'receptance' divides by the load: it needs one harmonic load");
  if (a.kind == "load-response") {
    a.omega = {positive_number(table, "omega").value_or(0)};
    if (!table.has("omega")) table.refuse("omega", "the key 'omega' is missing");
    if (table.has("level") == table.has("amplitude"))
      table.refuse("level", "give either 'level' or 'amplitude', the range of what runs");
  } else {
    a.omega = range_of(table, "omega");
  }
  a.level = range_of(table, "level");
  a.amplitude = range_of(table, "amplitude");
  a.at = table.numbers_or_none("at");
  a.levels = table.numbers_or_none("levels");
  if (table.has("levels") && a.levels.empty())
    table.refuse("levels", "levels = [] asks for no curve; give factors of the load");
  a.harmonics = positive_whole(table, "harmonics");
  a.samples = positive_whole(table, "samples");
  a.periods = positive_whole(table, "periods");
  a.mode = positive_whole(table, "mode");
  a.modes = positive_whole(table, "modes");
  a.until = positive_number(table, "until");
  a.step = positive_number(table, "step");
  a.tolerance = positive_number(table, "tolerance");
  a.method = table.text_or("method", "");
  if (table.has("stability")) a.stability = table.truth_or("stability", true);
  for (const char* key : {"x0", "v0"})
    if (table.has(key)) {
      // Interfaces begin at rest unless their degrees of freedom are given too.
      const bool short_of = static_cast<Index>(table.numbers(key).size()) == file.own_size;
      Eigen::VectorXd start = Eigen::VectorXd::Zero(size);
      const Index given = short_of ? file.own_size : size;
      start.head(given) = vector_of(table, key, given);
      (key[0] == 'x' ? a.x0 : a.v0).assign(start.begin(), start.end());
    }
  if (table.has("dof")) a.dof = place_of(table, places, file);
  a.columns = table.text_or("columns", "all");
  if (a.columns != "all" && a.columns != "sensors")
    table.refuse("columns", "columns = '" + a.columns + "' must be all or sensors");
  if (a.columns == "sensors" && file.structure.sensors.empty())
    table.refuse("columns", "columns = 'sensors', but there is no [[sensor]]");
  const auto need = [&](bool given, const std::string& key) {
    if (!given) table.refuse(key, "the key '" + key + "' is missing");
  };
  if (a.kind == "frequency-response" || a.kind == "modal-joints") need(!a.omega.empty(), "omega");
  if (a.kind == "modal-joints") need(a.modes.has_value(), "modes");
  if (a.kind == "time" || a.kind == "slow-flow") need(a.until.has_value(), "until");
  if (a.kind == "nonlinear-mode" || a.kind == "quasi-static")
    need(!a.amplitude.empty(), "amplitude");
  if (a.kind == "averaging") need(!a.omega.empty() || !a.amplitude.empty(), "omega");
  return a;
}

}  // namespace microslip::catalog
