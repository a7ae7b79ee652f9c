#include "microslip/catalog/files/units.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/read_number.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/io/file.hpp"

namespace microslip::catalog {
namespace {

using UnitTable = std::vector<std::pair<std::string_view, double>>;

constexpr double pound_force = 4.4482216152605, inch = 0.0254, foot = 0.3048;
constexpr double gravity = 9.80665;

const UnitTable forces{{"N", 1},
                       {"kN", 1e3},
                       {"MN", 1e6},
                       {"mN", 1e-3},
                       {"lbf", pound_force},
                       {"kip", 1e3 * pound_force},
                       {"lb", pound_force},
                       {"lbs", pound_force},
                       {"kips", 1e3 * pound_force}};
const UnitTable lengths{{"m", 1},     {"cm", 1e-2}, {"mm", 1e-3},  {"um", 1e-6},
                        {"µm", 1e-6}, {"μm", 1e-6}, {"nm", 1e-9},  {"km", 1e3},
                        {"in", inch}, {"ft", foot}, {"inch", inch}};
const UnitTable times{{"s", 1},     {"sec", 1},   {"ms", 1e-3}, {"us", 1e-6},
                      {"µs", 1e-6}, {"μs", 1e-6}, {"min", 60}};

std::optional<double> unit_in(const UnitTable& table, std::string_view word) {
  for (const auto& [name, size] : table)
    if (name == word) return size;
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

double size_of(const std::string& quantity, const UnitTable& table, std::string_view unit) {
  if (const auto size = unit_in(table, trimmed(unit))) return *size;
  std::string names;
  for (const auto& [name, size] : table) names += (names.empty() ? "" : ", ") + std::string(name);
  throw Error("'" + std::string(unit) + "' is no unit of " + quantity +
              " that is known; there are " + names);
}

}  // namespace

Units parse_units(std::string_view text) {
  Units units;
  units.text = std::string(text);
  int forces_given = 0, lengths_given = 0, times_given = 0;
  for (const std::string& part : cut_at(',', std::string(text))) {
    const std::string_view word = trimmed(part);
    if (const auto force = unit_in(forces, word)) {
      units.force = *force;
      ++forces_given;
    } else if (const auto length = unit_in(lengths, word)) {
      units.length = *length;
      ++lengths_given;
    } else if (const auto time = unit_in(times, word)) {
      units.time = *time;
      ++times_given;
    } else {
      throw Error(
          "units: '" + std::string(word) +
          "' is not known; give a force (N, kN, MN, mN, lbf, kip), a length (m, cm, mm, um, "
          "nm, km, in, ft) and a time (s, ms, us, min), as \"N, m, s\"");
    }
  }
  if (forces_given != 1 || lengths_given != 1 || times_given != 1)
    throw Error("units = '" + std::string(text) +
                "' must name one force, one length and one time, as \"N, m, s\"");
  return units;
}

namespace {

/// Of a dimension, with exponents that are parameters of the law taken from `exponent_of`.
template <class ExponentOf>
std::optional<double> factor_of(std::string_view dimension, const Units& from, const Units& to,
                                const ExponentOf& exponent_of) {
  double factor = 1;
  bool below = false;
  while (!dimension.empty()) {
    const std::size_t end = dimension.find_first_of(" /");
    std::string_view part = dimension.substr(0, end);
    const double side = below ? -1 : 1;
    if (end != std::string_view::npos) below = below || dimension[end] == '/';
    dimension.remove_prefix(end == std::string_view::npos ? dimension.size() : end + 1);
    double exponent = 1;
    if (const std::size_t hat = part.find('^'); hat != std::string_view::npos) {
      std::string_view power = part.substr(hat + 1);
      part = part.substr(0, hat);
      const double sign = power.starts_with('-') ? -1 : 1;
      if (sign < 0) power.remove_prefix(1);
      const auto [length, error] = read_number(power, exponent);
      if (error != std::errc{} || length != power.size()) {
        const std::optional<double> value = exponent_of(power);
        if (!value) return std::nullopt;
        exponent = *value;
      }
      exponent *= sign;
    }
    double base = 1;
    if (part == "F")
      base = from.force / to.force;
    else if (part == "L")
      base = from.length / to.length;
    else if (part == "T")
      base = from.time / to.time;
    else if (part != "1")
      return std::nullopt;
    factor *= std::pow(base, side * exponent);
  }
  return factor;
}

}  // namespace

std::optional<double> unit_factor(std::string_view dimension, const Units& from, const Units& to) {
  return factor_of(dimension, from, to, [](std::string_view) { return std::optional<double>(); });
}

double force_in(const std::string& unit, const Units& to) {
  return size_of("force", forces, unit) / to.force;
}

double time_in(const std::string& unit, const Units& to) {
  return size_of("time", times, unit) / to.time;
}

double angle_in(const std::string& unit) {
  if (unit == "rad") return 1;
  if (unit == "deg" || unit == "°") return pi / 180;
  throw Error("'" + unit + "' is no unit of angle that is known; there are rad, deg");
}

double rate_in(const std::string& unit, const Units& to) {
  if (unit == "Hz") return to.time;
  if (unit == "kHz") return 1e3 * to.time;
  const std::size_t slash = unit.find('/');
  const std::string above = unit.substr(0, slash);
  if (slash == std::string::npos || (above != "1" && above != "rad"))
    throw Error("'" + unit + "' is no unit of a rate that is known; there are Hz, kHz, rad/s, 1/s");
  return 1 / time_in(unit.substr(slash + 1), to);
}

double motion_in(const std::string& unit, int order, const Units& to) {
  if (order == 2 && !unit.starts_with("rad") && !unit.starts_with("deg"))
    return acceleration_in(unit, to);
  const std::size_t slash = unit.find('/');
  const std::string above = unit.substr(0, slash);
  const double size = above == "rad" || above == "deg"
                          ? angle_in(above)
                          : size_of("length", lengths, above) / to.length;
  if (order == 0 && slash == std::string::npos) return size;
  const std::string times = order == 2 ? "^2" : "";
  if (slash == std::string::npos || order == 0 || !unit.ends_with(times))
    throw Error("'" + unit + "' is no unit of a " +
                (order == 0   ? "displacement"
                 : order == 1 ? "velocity"
                              : "acceleration") +
                ", as mm" + (order == 0 ? "" : "/s" + times));
  const std::string below = unit.substr(slash + 1, unit.size() - slash - 1 - times.size());
  return size / std::pow(time_in(below, to), order);
}

double acceleration_in(const std::string& unit, const Units& to) {
  const double one = to.length / (to.time * to.time);
  if (unit == "g" || unit == "G") return gravity / one;
  const std::size_t slash = unit.find('/');
  std::string below = slash == std::string::npos ? "" : unit.substr(slash + 1);
  for (const std::string square : {"^2", "2", "²"})
    if (below.ends_with(square)) {
      below.resize(below.size() - square.size());
      const double time = size_of("time", times, below);
      return size_of("length", lengths, unit.substr(0, slash)) / (time * time) / one;
    }
  throw Error("'" + unit +
              "' is no unit of acceleration that is known; there are g and m/s^2, mm/s^2, …");
}

std::optional<Units> units_of_fit(const std::filesystem::path& fit_result) {
  using Json = nlohmann::ordered_json;
  const Json json = Json::parse(io::read_file(fit_result), nullptr, false);
  if (!json.is_object() || !json.contains("data") || !json.at("data").is_object())
    return std::nullopt;
  Json data = json.at("data");
  if (data.contains("files") && data.at("files").is_array() && !data.at("files").empty())
    data = data.at("files").front();
  const auto word = [&](const char* key) {
    return data.contains(key) && data.at(key).is_string() ? data.at(key).get<std::string>() : "";
  };
  const bool by_force = word("driven") == "force";
  const std::string force = word(by_force ? "u_unit" : "f_unit");
  const std::string length = word(by_force ? "f_unit" : "u_unit");
  if (force.empty() || length.empty()) return std::nullopt;
  const std::string time = word("t_unit");
  // A unit that is not known cannot be converted, as stresses over strains.
  const auto size = [](const UnitTable& table, const std::string& unit) {
    return unit_in(table, unit).value_or(std::numeric_limits<double>::quiet_NaN());
  };
  return Units{size(forces, force), size(lengths, length), time.empty() ? 1 : size(times, time),
               force + ", " + length + (time.empty() || time == "s" ? "" : ", " + time)};
}

ModelSpec in_units(ModelSpec spec, const Units& from, const Units& to) {
  const Description law = describe_model(spec.model);
  for (auto& [name, value] : spec.parameters) {
    const ParameterInfo* info = nullptr;
    for (const ParameterInfo& parameter : law.parameters)
      if (parameter.name == name || (parameter.name.ends_with("." + name))) info = &parameter;
    if (!info) continue;  // the law says that it has no such parameter
    const std::size_t dot = name.rfind('.');
    const std::string prefix = dot == std::string::npos ? "" : name.substr(0, dot + 1);
    const auto factor =
        factor_of(info->unit, from, to, [&](std::string_view exponent) -> std::optional<double> {
          std::optional<double> number;
          const auto found = spec.parameters.find(prefix + std::string(exponent));
          if (found != spec.parameters.end())
            if (const auto* given = std::get_if<double>(&found->second)) number.emplace(*given);
          return number;
        });
    double* number = std::get_if<double>(&value);
    auto* list = std::get_if<std::vector<double>>(&value);
    if (!factor || (*factor != 1 && !number && !list))
      throw Error(name + " (" + info->unit + ") of " + spec.model + " cannot be converted from " +
                  from.text + " to " + to.text + "; fit it in the units of the structure");
    if (number) *number *= *factor;
    if (list)
      for (double& entry : *list) entry *= *factor;
  }
  return spec;
}

}  // namespace microslip::catalog
