#include "microslip/catalog/files/structure_file.hpp"

#include <algorithm>
#include <cmath>

#include "catalog/files/joints_file.hpp"
#include "catalog/files/massless.hpp"
#include "catalog/files/springs_file.hpp"
#include "catalog/files/structure_parts.hpp"
#include "microslip/catalog/files/error_place.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/dynamics/structure/modes.hpp"
#include "microslip/dynamics/structure/reduction.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "microslip/io/file.hpp"

namespace microslip::catalog {
namespace {

using Index = Eigen::Index;

void reduce(const TomlTable& table, const Places& places, StructureFile& file) {
  table.allow({"modes", "keep"});
  const int modes = table.whole("modes");
  if (modes < 0) table.refuse("modes", "modes must not be negative");
  std::vector<Index> keep;
  if (table.has("keep"))
    for (const Index dof : places.dofs(table, "keep", 1)) keep.push_back(dof - 1);
  dynamics::Reduced reduced = dynamics::craig_bampton(file.structure, modes, keep);
  file.labels.clear();
  for (const Index dof : reduced.kept) file.labels.push_back(places.name(dof));
  for (Index i = 1; i <= reduced.frequencies.size(); ++i)
    file.labels.push_back("m" + std::to_string(i));
  file.structure = std::move(reduced.structure);
  file.physical = static_cast<Index>(reduced.kept.size());
  if (std::isfinite(reduced.left_out)) file.left_out = reduced.left_out;
}

void read_sensors(const TomlTable& root, const Places& places, dynamics::Structure& s) {
  for (const TomlTable& table : root.tables("sensor")) {
    table.allow({"name", "dof", "between", "along", "row"});
    const std::string name = table.text("name");
    if (name.empty() || name.find_first_of(" ,;\t\"") != std::string::npos)
      table.refuse("name", "name = '" + name + "' must be a word: it becomes a heading");
    for (const dynamics::Sensor& other : s.sensors)
      if (other.name == name) table.refuse("name", "there are two sensors '" + name + "'");
    s.sensors.push_back(
        {name, table.has("dof") ? places.dof_or_along(table) : places.between_or_along(table)});
  }
}

/// The ratios of modal damping, refused where a joint has no stiffness at rest.
void read_modal_damping(const TomlTable& root, StructureFile& file) {
  if (root.has("damping")) file.parts.damping = root.numbers("damping");
  if (!root.has("stuck_damping")) return;
  for (const dynamics::JointElement& joint : file.structure.joints)
    if (joint.model.rigid())
      root.refuse("stuck_damping", "stuck_damping needs joints with a stiffness at rest, which '" +
                                       joint.model.description().name + "' has not: it is rigid");
  file.parts.stuck_damping = root.numbers("stuck_damping");
}

void refuse_overflow(const dynamics::Structure& s, const std::string& source) {
  const std::pair<const char*, const dynamics::SparseMatrix*> matrices[] = {
      {"M", &s.M}, {"C", &s.C}, {"K", &s.K}};
  for (const auto& [name, matrix] : matrices)
    for (Index j = 0; j < matrix->outerSize(); ++j)
      for (dynamics::SparseMatrix::InnerIterator it(*matrix, j); it; ++it)
        if (!(std::abs(it.value()) < most_coefficient))
          throw Error(source + ": " + name + "(" + std::to_string(it.row() + 1) + "," +
                      std::to_string(it.col() + 1) + ") = " + number_text(it.value()) +
                      " must be less than 1e150; choose larger units");
}

}  // namespace

void add_modal_damping(const StructureParts& parts, dynamics::Structure& s) {
  if (!parts.damping.empty()) s.C += dynamics::modal_damping(s.M, s.K, parts.damping);
  if (parts.stuck_damping.empty()) return;
  dynamics::SparseMatrix stuck = s.K;
  for (const dynamics::JointElement& joint : s.joints)
    dynamics::add_along(stuck, joint.w, dynamics::tangent_at_rest(joint.model));
  if (!s.interfaces.empty()) {
    const dynamics::StaticState rest = dynamics::static_equilibrium(s);
    if (!rest.converged)
      throw Error(
          "stuck_damping: no equilibrium was found under the static loads, about which joints with "
          "several directions are stuck");
    Eigen::MatrixXd joints = Eigen::MatrixXd::Zero(s.size(), s.size());
    for (const dynamics::InterfaceElement& interface : s.interfaces) {
      const Eigen::MatrixXd T =
          dynamics::tangent_about(*interface.law, dynamics::displacements(interface, rest.x));
      dynamics::add_along(joints, interface.w, 0.5 * (T + T.transpose()));
    }
    stuck += joints.sparseView(0, 0);
  }
  s.C += dynamics::modal_damping(s.M, stuck, parts.stuck_damping);
}

StructureFile structure_of(const TomlTable& root, Places& places) {
  const std::string name = io::source_name(root.file());
  root.allow({"M", "C", "K", "damping", "stuck_damping", "spring", "springs", "damper", "joint",
              "joints", "interface", "load", "sensor", "reduction", "analysis", "title", "units",
              "unknown", "data"});
  StructureFile file;
  dynamics::Structure& s = file.structure;
  if (root.has("units")) {
    const std::string units = root.text("units");
    try {
      file.units = parse_units(units);
    } catch (const Error& error) {
      root.refuse("units", error.what());
    }
  }
  Matrices matrices = read_matrices(root);
  const Index size = matrices.M.rows();
  places = Places(size, std::move(matrices.labels));
  s.M = std::move(matrices.M);
  s.C = std::move(matrices.C);
  s.K = std::move(matrices.K);
  file.parts.M = s.M;
  file.parts.C = s.C;
  file.parts.K = s.K;
  read_springs(root, places, file.parts, s);
  refuse_overflow(s, name);
  read_joints(root, places, file);
  read_sensors(root, places, s);
  // Modes of a large structure are taken after its reduction, which keeps the lowest.
  const bool large = size > most_by_dense_modes;
  for (const char* key : {"damping", "stuck_damping"})
    if (root.has(key) && large && !root.has("reduction"))
      root.refuse(key, std::string(key) + " by the modes of more than " +
                           std::to_string(most_by_dense_modes) +
                           " degrees of freedom needs a [reduction], or give C instead");
  for (const TomlTable& table : root.tables("load")) {
    s.loads.push_back(load_of(table, places, file));
    file.load_units.push_back(table.text("kind") == "base" ? "L/T^2" : "F");
    if (table.text("kind") == "base" && root.has("interface"))
      table.refuse("kind", "kind = 'base' does not reach the masses of an [[interface]]");
  }
  read_interfaces(root, places, s);
  const Index interface_size = s.size() - size;
  std::vector<Index> kept;
  condense_massless(root, places, file, kept);
  read_modal_damping(root, file);
  if (!large) add_modal_damping(file.parts, s);
  try {
    dynamics::check_parts(s);
  } catch (const Error& error) {
    const std::string sentence = error.what();
    for (const char* key : {"M", "C", "K"})
      if (root.has(key) && (sentence.starts_with(key + std::string(" ")) ||
                            (key[0] == 'M' && sentence.starts_with("the mass "))))
        root.refuse(key, sentence);
    throw Error(name + ": " + sentence);
  }
  for (const char* key : {"M", "K", "C"})
    file.has_matrices = file.has_matrices || (root.has(key) && root.node(key).is_string());
  file.own_size = s.size() - interface_size;
  file.whole_size = s.size();
  file.physical = interface_size == 0 ? s.size() : file.own_size;
  for (const Index i : kept)
    file.labels.push_back(i < size ? places.name(i) : std::to_string(i + 1));
  if (root.has("reduction") && root.has("interface"))
    root.refuse("reduction", "a [reduction] cannot be combined with an [[interface]]");
  if (root.has("reduction")) reduce(root.table("reduction"), places, file);
  if (large) add_modal_damping(file.parts, s);
  if (root.has("reduction"))
    file.parts.fixed = "it has a [reduction]";
  else if (root.has("interface"))
    file.parts.fixed = "it has an [[interface]]";
  else if (file.own_size != size)
    file.parts.fixed = "it has degrees of freedom without mass";
  for (const TomlTable& table : root.tables("analysis"))
    file.analyses.push_back(analysis_of(table, places, file));
  file.files = root.files_read();
  return file;
}

StructureFile parse_structure(std::string_view text, const TextSource& source) {
  const toml::table parsed = parse_document(text, source);
  Places places;
  return structure_of(TomlTable(parsed, source, ""), places);
}

StructureFile read_structure(const std::filesystem::path& path) {
  try {
    return parse_structure(io::read_file(path), path);
  } catch (const Error& error) {
    throw at_key(path, error);
  }
}

}  // namespace microslip::catalog
