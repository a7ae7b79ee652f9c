#include "fit/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <utility>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/record_file.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

bool is_a_model(const std::string& word) {
  if (word == "all") return true;
  try {
    catalog::describe_model(word);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void check_weights(const io::Table& table, const io::Column& weight, const std::string& name) {
  bool any = false;
  for (std::size_t i = 0; i < weight.values.size(); ++i) {
    any = any || weight.values[i] > 0;
    if (weight.values[i] < 0)
      throw Error::at(
          table.source, table.line(i), weight.position,
          "the weight " + fmt::format("{:.5g}", weight.values[i]) + " must not be negative");
  }
  if (!any)
    throw Error(table.source + ": all weights in column '" + name +
                "' are 0; at least some rows must count");
}

/// The values of --covariate for the file of this place, from the option or from its metadata.
catalog::Covariates covariates_of(const FitCommand& command, const io::Table& table,
                                  std::size_t place) {
  catalog::Covariates found;
  for (const std::string& text : command.covariates) {
    const std::string name = text.substr(0, text.find('='));
    std::string value;
    if (name.size() < text.size()) {
      const std::vector<std::string> values = cut_at(',', text.substr(name.size() + 1));
      if (place >= values.size())
        throw Error("--covariate " + text + " has " + std::to_string(values.size()) +
                    " values; there must be one for each file");
      value = values[place];
    } else {
      const auto kept = table.metadata.find(name);
      if (kept == table.metadata.end())
        throw Error(table.source + " does not say its " + name + "; write '# " + name +
                    ": VALUE' above its table, or --covariate " + name + "=VALUE,VALUE,...");
      value = kept->second;
    }
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    // A unit may follow.
    if (end == value.c_str() || !(number > 0) || !std::isfinite(number))
      throw Error(table.source + ": " + name + " = '" + value + "' must be a positive number");
    found[name] = number;
  }
  return found;
}

std::size_t whole_number(const std::string& option, const std::string& text, std::size_t least,
                         std::size_t most) {
  const double x = number(option, text);
  if (!(x >= static_cast<double>(least) && x <= static_cast<double>(most)) || x != std::floor(x))
    throw Error(option + " = " + text + " must be a whole number from " + std::to_string(least) +
                " to " + std::to_string(most));
  return static_cast<std::size_t>(x);
}

std::pair<std::string, std::string> name_and_value(const std::string& option,
                                                   const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Error(option + " '" + text +
                "' must be NAME=" + (option == "--fix" ? "VALUE" : "LOW:HIGH"));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

jobs::Limits limits_of(const std::string& name, const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos)
    throw Error("--bounds '" + name + "=" + text + "' must be NAME=LOW:HIGH");
  jobs::Limits limits;
  const std::string low = text.substr(0, colon), high = text.substr(colon + 1);
  if (!low.empty()) limits.low = number("--bounds " + name, low);
  if (!high.empty()) limits.high = number("--bounds " + name, high);
  if (limits.low && limits.high && !(*limits.low < *limits.high))
    throw Error("--bounds " + name + "=" + text + ": the first must be smaller than the second");
  return limits;
}

/// Directions of the laws that are asked for; empty if they have one.
std::vector<std::string> common_directions(const std::vector<std::string>& models) {
  std::vector<std::string> all;
  for (const std::string& model : models)
    if (model != "all")
      if (const auto directions = catalog::describe_model(model).directions; !directions.empty())
        all = directions;
  return all;
}

/// Columns ux, uy, fx, fy, … of laws with several directions.
jobs::Record record_along(const io::Table& table, const std::vector<std::string>& directions) {
  jobs::Record record;
  record.name = table.source;
  const auto take = [&](const std::string& name, std::vector<double>& values) {
    const io::Column& column = table.at(name);
    values = column.values;
    record.taken += (record.taken.empty() ? "" : ", ") + taken_for(name, column);
    return column.unit;
  };
  for (const std::string& d : directions) {
    const bool first = d == "x" || d == "t";
    const std::string u = take("u" + d, first ? record.u : d == "y" ? record.uy : record.un);
    const std::string f = take("f" + d, first ? record.f : d == "y" ? record.fy : record.fn);
    if (first) {
      record.u_unit = u;
      record.f_unit = f;
    } else if (u != record.u_unit || f != record.f_unit) {
      throw Error(table.source + ": all directions must have the same units");
    }
  }
  if (const io::Column* t = table.find("t")) {
    record.t = t->values;
    record.t_unit = t->unit;
  }
  for (const std::string& note : table.notes) record.notes.push_back(table.source + ": " + note);
  return record;
}

jobs::Record read_record(const FitCommand& command, const std::string& file, std::size_t place,
                         const std::vector<std::string>& directions) {
  io::Wanted wanted = command.record.wanted();
  if (!directions.empty()) {
    wanted.required.clear();
    for (const std::string& d : directions)
      for (const char* kind : {"u", "f"}) wanted.required.push_back(kind + d);
  }
  if (!command.weight.empty()) wanted.named["weight"] = command.weight;
  const io::Table table = io::read_record(file, wanted);
  jobs::Record record = directions.empty() ? record_of(table) : record_along(table, directions);
  record.covariates = covariates_of(command, table, place);
  if (const io::Column* weight = table.find("weight")) {
    check_weights(table, *weight, command.weight);
    record.weight = weight->values;
    record.weight_name = command.weight;
  }
  return record;
}

fit::Beginning beginning_of(const std::string& word) {
  const auto& words = jobs::words_of<fit::Beginning>;
  return static_cast<fit::Beginning>(choice("--start", word, {words.begin(), words.end()}));
}

/// Files among the words, and laws behind the first --model: `--model jenkins iwan4`.
std::vector<std::string> files_among(const FitCommand& command, std::vector<std::string>& models) {
  std::vector<std::string> files;
  for (const std::string& word : command.words) {
    std::error_code unreadable;
    if (!command.models.empty() && !std::filesystem::exists(word, unreadable) && is_a_model(word))
      models.push_back(word);
    else
      files.push_back(word);
  }
  if (std::count(files.begin(), files.end(), "-") > 1)
    throw Error("two inputs would be read from standard input");
  return files;
}

void take_numbers(const FitCommand& command, FitRequest& request) {
  if (!command.elements.empty())
    request.elements = whole_number("--elements", command.elements, 1, 100);
  if (!command.starts.empty()) request.starts = whole_number("--starts", command.starts, 1, 100000);
  constexpr auto largest_seed = static_cast<std::size_t>(
      std::min<std::uint64_t>(std::uint64_t{1} << 53, std::numeric_limits<std::size_t>::max()));
  if (!command.seed.empty()) request.seed = whole_number("--seed", command.seed, 0, largest_seed);
  if (!command.threads.empty())
    request.threads = whole_number("--threads", command.threads, 1, 1024);
  if (!command.budget.empty()) {
    request.time_budget = number("--time-budget", command.budget);
    if (!(request.time_budget > 0))
      throw Error("--time-budget = " + command.budget + " must be positive");
  }
}

}  // namespace

FitRequest fit_request(const FitCommand& command) {
  FitRequest request;
  request.models = cut_lists(command.models);
  const std::vector<std::string> files = files_among(command, request.models);
  request.free = cut_lists(command.free);
  request.separate = cut_lists(command.separate);
  request.share = cut_lists(command.share);
  request.profile = cut_lists(command.profiles);
  for (const std::string& text : command.fixes) {
    const auto [name, value] = name_and_value("--fix", text);
    request.fix.emplace_back(name, number("--fix " + name, value));
  }
  for (const std::string& text : command.bounds) {
    const auto [name, value] = name_and_value("--bounds", text);
    request.bounds.emplace_back(name, limits_of(name, value));
  }
  request.start = beginning_of(command.start);
  request.sign = static_cast<jobs::Sign>(choice("--sign", command.sign, {"auto", "keep"}));
  if (!command.threshold.empty()) {
    request.threshold = number("--threshold", command.threshold);
    if (!(*request.threshold >= 0))
      throw Error("--threshold = " + command.threshold + " must not be negative");
  }
  request.holdout = command.holdout;
  request.robust = command.robust;
  take_numbers(command, request);
  const std::vector<std::string> directions = common_directions(request.models);
  for (const std::string& file : files)
    request.records.push_back(read_record(command, file, request.records.size(), directions));
  for (const std::string& file : command.predicted)
    request.predict.push_back(
        read_record(command, file, files.size() + request.predict.size(), directions));
  return request;
}

}  // namespace microslip::app
