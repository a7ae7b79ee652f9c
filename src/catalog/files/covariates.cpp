#include "microslip/catalog/files/covariates.hpp"

#include <cmath>
#include <cstdlib>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::catalog {

double covariate_scale(const Covariates& reference, const Covariates& wanted) {
  std::vector<std::string> known;
  for (const auto& [name, value] : reference) known.push_back(name);
  for (const auto& [name, value] : wanted)
    if (!reference.contains(name))
      throw Error("unknown covariate '" + name + "'" + suggestion(name, known));
  double scale = 1;
  for (const auto& [name, value] : reference) {
    const auto found = wanted.find(name);
    if (found == wanted.end()) continue;  // as in the fit
    if (!(found->second > 0) || !std::isfinite(found->second))
      throw Error("covariate " + name + " = " + number_text(found->second) + " must be positive");
    scale *= found->second / value;
  }
  return scale;
}

Covariates parse_covariates(const std::vector<std::string>& texts) {
  Covariates found;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    char* end = nullptr;
    const double value =
        equals == std::string::npos ? 0 : std::strtod(text.c_str() + equals + 1, &end);
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size() || *end != 0)
      throw Error("--covariate " + text + " must be written NAME=VALUE");
    if (!found.emplace(text.substr(0, equals), value).second)
      throw Error("--covariate " + text.substr(0, equals) + " is given twice");
  }
  return found;
}

}  // namespace microslip::catalog
