#include "microslip/io/fit_covariates.hpp"

#include <nlohmann/json.hpp>

#include "microslip/io/file.hpp"

namespace microslip::io {

std::map<std::string, double> fit_covariates(const std::filesystem::path& fit_result) {
  std::map<std::string, double> found;
  const auto json = nlohmann::json::parse(read_file(fit_result), nullptr, false);
  if (!json.is_object() || !json.contains("covariates")) return found;
  for (const auto& [name, value] : json.at("covariates").items())
    if (value.is_number()) found[name] = value.get<double>();
  return found;
}

}  // namespace microslip::io
