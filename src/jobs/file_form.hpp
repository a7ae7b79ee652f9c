#pragma once

#include "jobs/text_form.hpp"
#include "microslip/catalog/files/cracks_file.hpp"
#include "microslip/catalog/files/drive_history.hpp"
#include "microslip/catalog/files/joint_file.hpp"
#include "microslip/catalog/files/reduction_file.hpp"

/// Requests whose text is a file that a person writes: read by the reader of that file, in catalog/files,
/// and written beside it.
namespace microslip::jobs {

template <>
struct FileForm<catalog::JointFile> {
  static Json write(const catalog::JointFile& file);
  static void read(const Json& json, catalog::JointFile& to, const std::string& where,
                   const Columns& beside);
};

template <>
struct FileForm<catalog::CracksFile> {
  static Json write(const catalog::CracksFile& file);
  static void read(const Json& json, catalog::CracksFile& to, const std::string& where,
                   const Columns& beside);
};

template <>
struct FileForm<catalog::ReductionFile> {
  static Json write(const catalog::ReductionFile& file);
  static void read(const Json& json, catalog::ReductionFile& to, const std::string& where,
                   const Columns& beside);
};

/// The columns of a history, under the keys of [load].
inline void add_history(const catalog::DriveHistory& history, const char* quantity, Json& load) {
  const auto& [t, values, t_unit, unit, source, lines, notes] = history;
  if (!t.empty()) load["t"] = t;
  load[quantity] = values;
  if (!t_unit.empty()) load["t_unit"] = t_unit;
  if (!unit.empty()) load["unit"] = unit;
  if (!source.empty()) load["source"] = source;
  if (!lines.empty()) load["lines"] = lines;
  if (!notes.empty()) load["notes"] = notes;
}

/// A square matrix by its entries, counted from 1.
inline Json matrix_json(const Eigen::SparseMatrix<double>& matrix) {
  Json row = Json::array(), column = Json::array(), value = Json::array();
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, j); entry; ++entry) {
      row.push_back(entry.row() + 1);
      column.push_back(entry.col() + 1);
      value.push_back(entry.value());
    }
  return {{"rows", matrix.rows()},
          {"row", std::move(row)},
          {"column", std::move(column)},
          {"value", std::move(value)}};
}

/// Lists that name a column beside the request.
inline void take_columns(Json& table, std::initializer_list<const char*> keys,
                         const std::string& where, const Columns& beside) {
  for (const char* key : keys) {
    if (!table.is_object() || !table.contains(key) || !table[key].is_string()) continue;
    std::vector<double> values;
    read(table[key], values, where + "." + key, beside);
    table[key] = std::move(values);
  }
}

}  // namespace microslip::jobs
