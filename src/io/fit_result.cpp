#include "microslip/io/fit_result.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "json_values.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"

namespace microslip::io {
namespace {

/// The number at this name, "k" or "a[2]"; null where there is none.
Json number_at(const Json& values, const std::string& name) {
  const auto bracket = name.find('[');
  const auto found = values.find(name.substr(0, bracket));
  if (found == values.end()) return nullptr;
  if (bracket == std::string::npos) return *found;
  const std::size_t i = std::stoul(name.substr(bracket + 1)) - 1;
  return found->is_array() && i < found->size() ? (*found)[i] : Json(nullptr);
}

bool has(const Json& values, const std::string& name) {
  return values.contains(name.substr(0, name.find('[')));
}

}  // namespace

FitCovariates fit_covariates(const std::filesystem::path& fit_result) {
  FitCovariates found;
  const Json json = Json::parse(read_file(fit_result), nullptr, false);
  if (!json.is_object() || !json.contains("covariates")) return found;
  for (const auto& [name, value] : json.at("covariates").items())
    if (value.is_number()) {
      found.at[name] = value.get<double>();
      found.range[name] = {value.get<double>(), value.get<double>()};
    }
  const auto data = json.find("data");
  if (data == json.end() || !data->is_object()) return found;
  const auto add = [&](const Json& record) {
    found.amplitude = std::max(found.amplitude, record.value("amplitude", 0.0));
    const Json covariates = record.value("covariates", Json::object());
    for (const auto& [name, value] : covariates.items())
      if (auto range = found.range.find(name); range != found.range.end() && value.is_number()) {
        range->second.first = std::min(range->second.first, value.get<double>());
        range->second.second = std::max(range->second.second, value.get<double>());
      }
  };
  if (!data->contains("files")) {
    add(*data);
    return found;
  }
  for (const Json& record : data->at("files")) add(record);
  return found;
}

FitErrors fit_errors(const std::filesystem::path& fit_result, std::string_view model) try {
  FitErrors found;
  const Json json = Json::parse(read_file(fit_result), nullptr, false);
  if (!json.is_object() || !json.contains("fits")) return found;
  for (const Json& fit : json.at("fits")) {
    if (fit.value("model", "") != model || !fit.contains("standard_errors") ||
        !fit.at("standard_errors").is_object() || !fit.contains("correlation"))
      continue;
    found.given = true;
    const Json& errors = fit.at("standard_errors");
    const auto names = fit.at("correlation").at("names").get<std::vector<std::string>>();
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < names.size(); ++i) {
      // Numbers of the measurement are not the law's; of records that have their own, the first
      // counts.
      if (!has(errors, names[i]) || std::find(names.begin(), names.begin() + std::ptrdiff_t(i),
                                              names[i]) != names.begin() + std::ptrdiff_t(i))
        continue;
      const Json error = number_at(errors, names[i]);
      if (!error.is_number()) {
        found.unknown.push_back(names[i]);
      } else if (error.get<double>() > 0) {
        places.push_back(i);
        found.names.push_back(names[i]);
        found.errors.push_back(error.get<double>());
      }
    }
    const Json& rows = fit.at("correlation").at("matrix");
    for (const std::size_t i : places)
      for (const std::size_t j : places)
        found.correlation.push_back(rows.at(i).at(j).is_number()
                                        ? rows.at(i).at(j).get<double>()
                                        : std::numeric_limits<double>::quiet_NaN());
    return found;
  }
  return found;
} catch (const Json::exception&) {
  throw Error(source_name(fit_result.string()) +
              ": standard_errors and correlation are not as 'microslip fit' writes them");
}

}  // namespace microslip::io
