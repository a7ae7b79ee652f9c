#include <cmath>
#include <utility>

#include "jobs/structure_form.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/coupled_joints.hpp"
#include "microslip/catalog/two_sided.hpp"
#include "microslip/catalog/vector_joint.hpp"

namespace microslip::jobs {
namespace {

using Index = Eigen::Index;

/// Entries of a matrix.
struct Entries {
  Index rows = 0;
  std::vector<double> row, column, value;
  static constexpr auto members =
      std::tuple{member("rows", &Entries::rows), member("row", &Entries::row),
                 member("column", &Entries::column), member("value", &Entries::value)};
};

struct Weights {
  Index size = 0;
  std::vector<double> dof, weight;
  static constexpr auto members =
      std::tuple{member("size", &Weights::size), member("dof", &Weights::dof),
                 member("weight", &Weights::weight)};
};

struct SliderRow {
  double k = 1, k_end = 1;
  Eigen::VectorXd phi{};
  static constexpr auto members =
      std::tuple{member("k", &SliderRow::k), member("k_end", &SliderRow::k_end),
                 member("phi", &SliderRow::phi)};
};

struct CoupledJoints {
  std::vector<AnyModel> laws;
  std::vector<std::vector<double>> compliance;
  static constexpr auto members = std::tuple{member("laws", &CoupledJoints::laws),
                                             member("compliance", &CoupledJoints::compliance)};
};

Index place_in(double number, Index size, const std::string& where) {
  if (!(number >= 1 && number <= static_cast<double>(size)) || number != std::floor(number))
    throw Error(where + " = " + number_text(number) + " must be a whole number from 1 to " +
                std::to_string(size));
  return static_cast<Index>(number) - 1;
}

void check_lengths(const std::string& where, std::initializer_list<std::size_t> lengths) {
  for (const std::size_t length : lengths)
    if (length != *lengths.begin()) throw Error(where + ": its lists must have the same length");
}

/// Of a table with a `kind` and the members of what it is.
std::string kind_in(const Json& json, const std::string& where) {
  if (!json.is_object()) throw Error(where + " must be a table, not " + kind_text(json));
  std::string kind;
  read(json.value("kind", Json()), kind, where + ".kind", {});
  return kind;
}

Json without_kind(Json json) {
  json.erase("kind");
  return json;
}

Json with_kind(std::string_view kind, const Json& members) {
  Json json{{"kind", kind}};
  json.update(members);
  return json;
}

template <class T>
T read_as(const Json& json, const std::string& where, const Columns& beside) {
  T value;
  read(json, value, where, beside);
  return value;
}

}  // namespace

template <>
AnyModel blank<AnyModel>() {
  static const AnyModel law = catalog::make({"linear", {}, {}});
  return law;
}

// ------------------------------------------------------------------------------- matrices, weights

Json FileForm<dynamics::SparseMatrix>::write(const dynamics::SparseMatrix& matrix) {
  Entries all{matrix.rows(), {}, {}, {}};
  for (Index j = 0; j < matrix.outerSize(); ++j)
    for (dynamics::SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
      all.row.push_back(static_cast<double>(entry.row() + 1));
      all.column.push_back(static_cast<double>(entry.col() + 1));
      all.value.push_back(entry.value());
    }
  return to_json(all);
}

void FileForm<dynamics::SparseMatrix>::read(const Json& json, dynamics::SparseMatrix& to,
                                            const std::string& where, const Columns& beside) {
  const auto all = read_as<Entries>(json, where, beside);
  check_lengths(where, {all.value.size(), all.row.size(), all.column.size()});
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(all.value.size());
  for (std::size_t i = 0; i < all.value.size(); ++i)
    entries.emplace_back(place_in(all.row[i], all.rows, where + ".row"),
                         place_in(all.column[i], all.rows, where + ".column"), all.value[i]);
  to = dynamics::SparseMatrix(all.rows, all.rows);
  to.setFromTriplets(entries.begin(), entries.end());
}

Json FileForm<dynamics::Direction>::write(const dynamics::Direction& w) {
  Weights all{w.size(), {}, {}};
  for (dynamics::Direction::InnerIterator entry(w); entry; ++entry) {
    all.dof.push_back(static_cast<double>(entry.index() + 1));
    all.weight.push_back(entry.value());
  }
  return to_json(all);
}

void FileForm<dynamics::Direction>::read(const Json& json, dynamics::Direction& to,
                                         const std::string& where, const Columns& beside) {
  const auto all = read_as<Weights>(json, where, beside);
  check_lengths(where, {all.weight.size(), all.dof.size()});
  Eigen::SparseVector<double> w(all.size);
  for (std::size_t i = 0; i < all.dof.size(); ++i)
    w.coeffRef(place_in(all.dof[i], all.size, where + ".dof")) = all.weight[i];
  to = w;
}

Json FileForm<Eigen::VectorXd>::write(const Eigen::VectorXd& v) {
  return to_json(std::vector<double>(v.data(), v.data() + v.size()));
}

void FileForm<Eigen::VectorXd>::read(const Json& json, Eigen::VectorXd& to,
                                     const std::string& where, const Columns& beside) {
  const auto list = read_as<std::vector<double>>(json, where, beside);
  to = Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Index>(list.size()));
}

// -------------------------------------------------------------------------------------- laws, loads

Json FileForm<AnyModel>::write(const AnyModel& law) {
  return to_json(ModelSpec{law.description().name, law.parameters(), law.options()});
}

void FileForm<AnyModel>::read(const Json& json, AnyModel& to, const std::string& where,
                              const Columns& beside) {
  const auto spec = read_as<ModelSpec>(json, where, beside);
  try {
    to = catalog::make(spec);
  } catch (const Error& error) {
    throw Error(where + ": " + error.what());
  }
}

Json FileForm<Expression>::write(const Expression& formula) { return formula.text(); }

void FileForm<Expression>::read(const Json& json, Expression& to, const std::string& where,
                                const Columns& beside) {
  try {
    to = Expression::parse(read_as<std::string>(json, where, beside), {"t"});
  } catch (const Error& error) {
    throw Error(where + ": " + error.what());
  }
}

namespace {

/// The alternative number `which`, empty.
template <std::size_t... all>
dynamics::Signal signal_of(std::size_t which, std::index_sequence<all...>) {
  dynamics::Signal signal;
  ((which == all ? void(signal.emplace<all>()) : void()), ...);
  return signal;
}

}  // namespace

Json FileForm<dynamics::Signal>::write(const dynamics::Signal& signal) {
  return std::visit(
      [&](const auto& one) { return with_kind(signal_kinds.at(signal.index()), to_json(one)); },
      signal);
}

void FileForm<dynamics::Signal>::read(const Json& json, dynamics::Signal& to,
                                      const std::string& where, const Columns& beside) {
  constexpr std::size_t count = std::variant_size_v<dynamics::Signal>;
  static_assert(count == signal_kinds.size());
  const std::string kind = kind_in(json, where);
  const auto found = std::find(signal_kinds.begin(), signal_kinds.end(), kind);
  if (found == signal_kinds.end())
    throw Error("unknown choice '" + kind + "' for " + where + ".kind" +
                suggestion(kind, {signal_kinds.begin(), signal_kinds.end()}));
  to = signal_of(static_cast<std::size_t>(found - signal_kinds.begin()),
                 std::make_index_sequence<count>());
  std::visit([&](auto& one) { jobs::read(without_kind(json), one, where, beside); }, to);
}

// --------------------------------------------------------------------------------------- interfaces

using InterfacePointer = std::shared_ptr<const dynamics::InterfaceLaw>;

Json FileForm<InterfacePointer>::write(const InterfacePointer& law) {
  if (!law) return nullptr;
  if (const auto* chain = catalog::chain_of(*law))
    return with_kind("slider-row", to_json(SliderRow{chain->k(), chain->k_end(), chain->phi()}));
  if (law->model()) return with_kind("law", FileForm<AnyModel>::write(*law->model()));
  const auto coupled = catalog::coupled_laws_of(*law);
  if (!coupled) throw Error("this interface has no text form: " + law->name());
  CoupledJoints joints{coupled->laws, {}};
  for (Index i = 0; i < coupled->compliance.rows(); ++i) {
    const Eigen::VectorXd row = coupled->compliance.row(i);
    joints.compliance.emplace_back(row.begin(), row.end());
  }
  return with_kind("coupled-joints", to_json(joints));
}

void FileForm<InterfacePointer>::read(const Json& json, InterfacePointer& to,
                                      const std::string& where, const Columns& beside) {
  const std::string kind = kind_in(json, where);
  if (kind == "slider-row") {
    const auto row = read_as<SliderRow>(without_kind(json), where, beside);
    to = catalog::slider_row(friction::HeldChain(row.k, row.k_end, row.phi));
    return;
  }
  if (kind == "law") {
    AnyModel model = blank<AnyModel>();
    FileForm<AnyModel>::read(without_kind(json), model, where, beside);
    to = catalog::vector_joint(std::move(model));
    return;
  }
  if (kind != "coupled-joints")
    throw Error(where + ".kind = '" + kind + "' must be law, slider-row or coupled-joints");
  auto joints = read_as<CoupledJoints>(without_kind(json), where, beside);
  const auto size = static_cast<Index>(joints.laws.size());
  Eigen::MatrixXd compliance(size, size);
  if (joints.compliance.size() != joints.laws.size())
    throw Error(where + ".compliance must have a row for each law");
  for (Index i = 0; i < size; ++i) {
    const std::vector<double>& row = joints.compliance[static_cast<std::size_t>(i)];
    check_lengths(where + ".compliance", {joints.laws.size(), row.size()});
    compliance.row(i) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), size);
  }
  to = catalog::coupled_joints({std::move(joints.laws), std::move(compliance)});
}

MICROSLIP_TEXT_FORM(dynamics::Structure)
MICROSLIP_TEXT_FORM(DrivenStructure)

}  // namespace microslip::jobs
