#include <nlohmann/json.hpp>

#include "jobs/structure_form.hpp"
#include "microslip/catalog/files/addresses.hpp"
#include "microslip/core/error.hpp"
#include "microslip/jobs/identify.hpp"

namespace microslip::jobs {

void apply(const std::string& result_text, const std::string& law, catalog::StructureFile& file) {
  const Json result = parsed(result_text, "--params");
  const auto fits = result.find("fits");
  if (fits == result.end() || !fits->is_array() || fits->empty())
    throw Error("--params is not a result of 'microslip identify': it has no list 'fits'");
  const Json* chosen = &fits->front();
  if (!law.empty()) {
    chosen = nullptr;
    for (const Json& fit : *fits)
      if (fit.value("model", "") == law) chosen = &fit;
    if (!chosen) throw Error("--params has no fit of '" + law + "'");
  }
  const auto parameters = chosen->find("parameters");
  if (parameters == chosen->end() || !parameters->is_object())
    throw Error("the fit in --params has no parameters: it failed");
  // The law of the first joint may be another than that of the file.
  const std::string models = chosen->value("model", "");
  const std::string first = models.substr(0, models.find(", "));
  if (!file.laws.empty() && file.laws.front().model != first)
    throw Error("--params is for the law '" + first + "' of joint[1]; the file has '" +
                file.laws.front().model + "': write this model there");
  catalog::AddressedValues values;
  for (const auto& [name, value] : parameters->items()) {
    if (!value.is_number()) throw Error("--params: " + name + " must be a number");
    values.emplace_back(catalog::address_of(file, name), value.get<double>());
  }
  catalog::set_values(file, values);
}

}  // namespace microslip::jobs
