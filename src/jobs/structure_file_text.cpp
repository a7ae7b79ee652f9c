#include <algorithm>

#include "jobs/structure_form.hpp"
#include "microslip/jobs/respond.hpp"

namespace microslip::jobs {
namespace {

/// Keys of a structure file that hold numbers: there a text names a column beside the request.
constexpr std::string_view keys_of_lists[] = {
    "M", "C", "K",  "row",        "column", "value",  "damping", "stuck_damping", "along", "t",
    "f", "a", "mu", "amplitudes", "omegas", "phases", "at",      "levels",        "x0",    "v0"};

void put_columns(Json& json, const Columns& beside) {
  if (json.is_array())
    for (Json& entry : json) put_columns(entry, beside);
  if (!json.is_object()) return;
  for (const auto& item : json.items()) {
    Json& entry = item.value();
    const bool list = std::find(std::begin(keys_of_lists), std::end(keys_of_lists), item.key()) !=
                      std::end(keys_of_lists);
    if (!list || !entry.is_string()) {
      put_columns(entry, beside);
      continue;
    }
    const auto column = beside.find(entry.get_ref<const std::string&>());
    if (column != beside.end()) entry = column->second;
  }
}

}  // namespace

template <>
void read(const Json& json, catalog::StructureFile& to, const std::string& where,
          const Columns& beside) {
  if (!json.is_object()) throw Error(where + " must be a table, not " + kind_text(json));
  if (json.contains("schema")) {
    read_members(json, to, where, beside);
    return;
  }
  Json document = json;
  if (!beside.empty()) put_columns(document, beside);
  to = catalog::parse_structure(document.dump(), {where, false});
}

MICROSLIP_TEXT_FORM(catalog::StructureFile)
MICROSLIP_TEXT_FORM(RespondRequest)
MICROSLIP_TEXT_FORM(RespondResult)

}  // namespace microslip::jobs
