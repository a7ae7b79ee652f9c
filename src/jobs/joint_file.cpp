#include "jobs/file_form.hpp"
#include "microslip/jobs/joint.hpp"

namespace microslip::jobs {
namespace {

/// Rows count from 1 in the text.
template <class List>
Json row_numbers(const List& rows) {
  Json numbers = Json::array();
  for (const auto row : rows) numbers.push_back(row + 1);
  return numbers;
}

Json named_matrix(const std::string& name, const contact::SparseMatrix& matrix) {
  Json json = matrix_json(matrix);
  json["name"] = name;
  return json;
}

Json pair_json(const contact::NodePair& pair) {
  const auto& [from, to, normal, mu, gap, force, name] = pair;
  Json json{{"from", row_numbers(from)},
            {"to", row_numbers(to)},
            {"normal", normal},
            {"mu", mu},
            {"gap", gap}};
  if (std::isfinite(force)) json["force"] = force;
  json["name"] = name;
  return json;
}

void add_matrices(const catalog::MatrixJointFile& joint, Json& json) {
  const auto& [input, stiffness, place, place_label, increments] = joint;
  const auto& [K, pairs, held, driven, forces, slip, names] = input;
  Json& matrices = json["matrices"];
  matrices["stiffness"] = named_matrix(stiffness, K);
  if (!names.empty()) matrices["dofs"] = names;
  matrices["held"] = row_numbers(held);
  Json& contact = json["contact"];
  contact["pairs"] = Json::array();
  for (const contact::NodePair& pair : pairs) contact["pairs"].push_back(pair_json(pair));
  if (slip) contact["slip"] = *slip;
  contact["increments"] = increments;
  contact["place"] = place;
  contact["place_label"] = place_label;
  Json& load = json["load"];
  load["driven"] = row_numbers(driven);
  if (forces.size() > 0)
    load["forces"] = std::vector<double>(forces.data(), forces.data() + forces.size());
}

Json pressure_json(const catalog::PressureProfile& pressure) {
  const auto& [formula, x, p] = pressure;
  if (!formula.empty()) return formula;
  if (x.empty() && p.size() == 1) return p.front();
  return {{"x", x}, {"p", p}};
}

}  // namespace

// A member that is added to one of these structs and not written here does not compile.
Json FileForm<catalog::JointFile>::write(const catalog::JointFile& file) {
  const auto& [plates, pressure, bolts, matrices, mu, unilateral, drive, files] = file;
  Json json = Json::object();
  if (!matrices) json["plates"] = to_json(plates);
  json["contact"]["mu"] = mu;
  json["contact"]["normal"] = unilateral ? "unilateral" : "tied";
  if (pressure) json["contact"]["pressure"] = pressure_json(*pressure);
  if (!bolts.empty()) json["bolt"] = to_json(bolts);
  if (matrices) add_matrices(*matrices, json);
  add_history(drive, "u", json["load"]);
  return json;
}

void FileForm<catalog::JointFile>::read(const Json& json, catalog::JointFile& to,
                                        const std::string& where, const Columns& beside) {
  Json document = json;
  if (document.contains("load"))
    take_columns(document["load"], {"t", "u"}, where + ".load", beside);
  to = catalog::parse_joint(document.dump(), {where, false});
}

MICROSLIP_TEXT_FORM(JointRequest)
MICROSLIP_TEXT_FORM(JointResult)

}  // namespace microslip::jobs
