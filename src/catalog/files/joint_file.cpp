#include "microslip/catalog/files/joint_file.hpp"

#include <algorithm>
#include <memory>

#include "catalog/files/drive_history.hpp"
#include "catalog/files/matrix_joint_file.hpp"
#include "catalog/files/toml_table.hpp"
#include "microslip/catalog/files/error_place.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/expression.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/file.hpp"

namespace microslip::catalog {
namespace {

using contact::Bolt;

contact::LapPlates plates_of(const TomlTable& table) {
  table.allow({"length", "overlap", "thickness", "width", "E", "nu", "plane", "mesh", "support"});
  contact::LapPlates plates;
  plates.length = table.number("length");
  plates.overlap = table.number("overlap");
  plates.thickness = table.number("thickness");
  plates.width = table.number("width");
  plates.E = table.number("E");
  plates.nu = table.number("nu");
  plates.plane = choice_of(table, "plane", {"stress", "strain"}) == 0 ? contact::Plane::stress
                                                                      : contact::Plane::strain;
  plates.support = choice_of(table, "support", {"axial", "bending"}) == 0
                       ? contact::Support::axial
                       : contact::Support::bending;
  if (table.has("mesh")) {
    const std::vector<double> mesh = table.numbers("mesh");
    const bool whole = std::all_of(mesh.begin(), mesh.end(), [](double n) {
      return n == static_cast<double>(static_cast<int>(n)) && n >= 1 && n <= 1e6;
    });
    if (mesh.size() != 2 || !whole)
      table.refuse("mesh",
                   "mesh must be two whole numbers: elements along a plate, through its thickness");
    plates.mesh = {static_cast<int>(mesh[0]), static_cast<int>(mesh[1])};
  }
  return plates;
}

Bolt bolt_of(const TomlTable& table) {
  table.allow({"force", "at", "washer", "head_mu", "shear_stiffness"});
  return {.force = table.number("force"),
          .at = table.number("at"),
          .washer = table.number("washer"),
          .head_mu = table.number_or("head_mu", 0),
          .shear_stiffness = table.number_or("shear_stiffness", 0)};
}

void check_places(const TomlTable& table, const std::string& source, const std::vector<double>& x,
                  double overlap) {
  if (x.size() < 2 || !std::is_sorted(x.begin(), x.end(), std::less_equal<>()) || x.front() > 0 ||
      x.back() < overlap)
    table.refuse("pressure", "x in " + source + " must increase and reach from 0 to the overlap, " +
                                 number_text(overlap));
}

PressureProfile pressure_of(const TomlTable& table, double overlap) {
  if (table.is_table("pressure")) {
    const TomlTable profile = table.table("pressure");
    profile.allow({"x", "p"});
    PressureProfile out{.x = profile.numbers("x"), .p = profile.numbers("p")};
    if (out.x.size() != out.p.size()) profile.refuse("p", "x and p must have the same length");
    check_places(table, "pressure", out.x, overlap);
    return out;
  }
  if (!table.node("pressure").is_string()) return {.p = {table.number("pressure")}};
  const std::string text = table.text("pressure");
  if (text.ends_with(".csv") || text.ends_with(".txt")) {
    const io::Table csv =
        io::read_csv(table.file_beside("pressure"), {.required = {"x", "p"}, .optional = {}});
    check_places(table, "'" + text + "'", csv.at("x").values, overlap);
    return {.x = csv.at("x").values, .p = csv.at("p").values};
  }
  PressureProfile formula{.formula = text};
  formula.function();  // refuses what is no formula
  return formula;
}

}  // namespace

std::function<double(double)> PressureProfile::function() const {
  if (!formula.empty()) {
    const auto parsed = std::make_shared<Expression>(Expression::parse(formula, {"x"}));
    return [parsed](double at) { return (*parsed)(at); };
  }
  if (p.size() == 1) return [all = p.front()](double) { return all; };
  if (x.size() != p.size() || p.empty())
    throw Error("contact.pressure must have as many x as p, at least one");
  return [x = x, p = p](double at) {
    const auto after = std::upper_bound(x.begin() + 1, x.end() - 1, at);
    const auto i = static_cast<std::size_t>(after - x.begin());
    const double share = (at - x[i - 1]) / (x[i] - x[i - 1]);
    return p[i - 1] + share * (p[i] - p[i - 1]);
  };
}

contact::Clamping JointFile::clamping() const {
  contact::Clamping clamping;
  if (pressure) clamping.pressure = pressure->function();
  clamping.bolts = bolts;
  return clamping;
}

JointFile parse_joint(std::string_view text, const TextSource& source) {
  const toml::table root = parse_document(text, source);
  const TomlTable file(root, source, "");
  const bool matrices = file.has("matrices");
  if (matrices && (file.has("plates") || file.has("bolt")))
    file.refuse("matrices", "give either [plates] (and bolts) or [matrices], not both");
  file.allow({"plates", "matrices", "contact", "bolt", "load"});
  for (const char* key : {"plates", "contact", "load"})
    if (!file.has(key) && !(matrices && std::string_view(key) == "plates"))
      file.refuse(key, std::string("[") + key + "] is missing");
  const TomlTable contact = file.table("contact"), load = file.table("load");
  if (matrices) {
    JointFile out;
    out.matrices = matrix_joint_of(file.table("matrices"), contact, load);
    out.mu = contact.number_or("mu", 0);
    out.unilateral = choice_of(contact, "normal", {"tied", "unilateral"}) == 1;
    out.drive = history_of(load, "u");
    out.files = file.files_read();
    return out;
  }
  contact.allow({"mu", "pressure", "normal"});
  load.allow(history_keys("u"));
  JointFile out;
  out.plates = plates_of(file.table("plates"));
  out.mu = contact.number("mu");
  out.unilateral = choice_of(contact, "normal", {"tied", "unilateral"}) == 1;
  if (file.has("bolt"))
    for (const TomlTable& bolt : file.tables("bolt")) out.bolts.push_back(bolt_of(bolt));
  if (contact.has("pressure")) {
    if (contact.is_table("pressure") && !contact.table("pressure").has("x"))
      out.bolts.push_back(bolt_of(contact.table("pressure")));
    else
      out.pressure = pressure_of(contact, out.plates.overlap);
  }
  out.drive = history_of(load, "u");
  out.files = file.files_read();
  return out;
}

JointFile read_joint(const std::filesystem::path& path) {
  try {
    return parse_joint(io::read_file(path), path);
  } catch (const Error& error) {
    throw at_key(path, error);
  }
}

}  // namespace microslip::catalog
