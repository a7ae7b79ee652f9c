#include <nlohmann/json.hpp>

#include "jobs/structure_form.hpp"
#include "microslip/jobs/identify.hpp"

namespace microslip::jobs {

template <>
void read(const Json& json, catalog::IdentificationFile& to, const std::string& where,
          const Columns& beside) {
  if (!json.is_object()) throw Error(where + " must be a table, not " + kind_text(json));
  if (json.contains("schema")) {
    read_members(json, to, where, beside);
    return;
  }
  Json document = json;
  // Columns of [[data]] may be named beside the request.
  if (document.contains("data") && document["data"].is_array())
    for (Json& data : document["data"])
      if (data.is_object() && data.contains("columns") && data["columns"].is_object())
        for (const auto& item : data["columns"].items()) {
          Json& entry = item.value();
          if (!entry.is_string()) continue;
          std::vector<double> values;
          read(entry, values, where + ".data.columns." + item.key(), beside);
          entry = std::move(values);
        }
  to = catalog::parse_identification(document.dump(), {where, false});
}

MICROSLIP_TEXT_FORM(catalog::IdentificationFile)
MICROSLIP_TEXT_FORM(IdentifyRequest)

}  // namespace microslip::jobs
