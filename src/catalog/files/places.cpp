#include "catalog/files/places.hpp"

#include <algorithm>
#include <cmath>

#include "catalog/files/listed_matrix.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::catalog {
namespace {

using dynamics::Direction;
using dynamics::SparseMatrix;
using Index = Eigen::Index;

/// A number or a text as text.
std::string word_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* number = node.as_floating_point()) return number_text(number->get());
  return "";
}

io::MatrixFile matrix_of(const TomlTable& table, const std::string& key) {
  const toml::node& node = table.node(key);
  if (node.is_string()) return io::read_matrix_file(table.file_beside(key), key);
  if (node.is_table()) return {listed_matrix(table.table(key))};
  const auto* array = node.as_array();
  const bool rows = array && !array->empty() && array->front().is_array();
  Eigen::MatrixXd dense;
  if (rows) {
    const auto lines = table.rows(key);
    dense.resize(static_cast<Index>(lines.size()), static_cast<Index>(lines.front().size()));
    for (Index i = 0; i < dense.rows(); ++i)
      dense.row(i) = Eigen::Map<const Eigen::RowVectorXd>(lines[static_cast<std::size_t>(i)].data(),
                                                          dense.cols());
  } else {
    const std::vector<double> diagonal = table.numbers(key);
    dense = Eigen::Map<const Eigen::VectorXd>(diagonal.data(), static_cast<Index>(diagonal.size()))
                .asDiagonal();
  }
  return {dense.sparseView(0, 0)};
}

/// A matrix in the numbering of other labels, which contain its own.
SparseMatrix renumbered(const io::MatrixFile& file, const std::vector<io::NodeDof>& labels) {
  if (file.labels == labels) return file.matrix;
  std::vector<int> place;
  for (const io::NodeDof& label : file.labels)
    place.push_back(
        static_cast<int>(std::lower_bound(labels.begin(), labels.end(), label) - labels.begin()));
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < file.matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(file.matrix, j); entry; ++entry)
      entries.emplace_back(place[static_cast<std::size_t>(entry.row())],
                           place[static_cast<std::size_t>(entry.col())], entry.value());
  const auto size = static_cast<Index>(labels.size());
  SparseMatrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace

Matrices read_matrices(const TomlTable& root) {
  std::vector<std::string> keys{"M"};
  std::vector<io::MatrixFile> files{matrix_of(root, "M")};
  if (files[0].matrix.rows() != files[0].matrix.cols()) root.refuse("M", "M must be square");
  for (const char* key : {"C", "K"}) {
    if (!root.has(key)) continue;
    keys.emplace_back(key);
    files.push_back(matrix_of(root, key));
  }
  // Files that name their rows are put into one order; the same names in the same order stay.
  Matrices result;
  const bool named = std::any_of(files.begin(), files.end(),
                                 [](const io::MatrixFile& file) { return !file.labels.empty(); });
  if (named) {
    for (std::size_t i = 0; i < files.size(); ++i)
      if (files[i].labels.empty())
        root.refuse(keys[i], keys[i] +
                                 " does not name its degrees of freedom by node and direction, as "
                                 "the other matrices do");
    result.labels = files[0].labels;
    const bool differ = std::any_of(files.begin(), files.end(), [&](const io::MatrixFile& file) {
      return file.labels != result.labels;
    });
    if (differ) {
      for (const io::MatrixFile& file : files)
        result.labels.insert(result.labels.end(), file.labels.begin(), file.labels.end());
      std::sort(result.labels.begin(), result.labels.end());
      result.labels.erase(std::unique(result.labels.begin(), result.labels.end()),
                          result.labels.end());
    }
    for (io::MatrixFile& file : files) file.matrix = renumbered(file, result.labels);
  }
  Index size = 0;
  for (const io::MatrixFile& file : files) size = std::max(size, file.matrix.rows());
  for (io::MatrixFile& file : files)
    if (!file.sized && !named) file.matrix.conservativeResize(size, size);
  size = files[0].matrix.rows();
  result.C.resize(size, size);
  result.K.resize(size, size);
  result.M = std::move(files[0].matrix);
  for (std::size_t i = 1; i < files.size(); ++i) {
    const SparseMatrix& matrix = files[i].matrix;
    if (matrix.rows() != size || matrix.cols() != size)
      root.refuse(keys[i], keys[i] + " has " + std::to_string(matrix.rows()) + " rows and " +
                               std::to_string(matrix.cols()) + " columns; M has " +
                               std::to_string(size));
    (keys[i] == "C" ? result.C : result.K) = matrix;
  }
  return result;
}

Places::Places(Index size, std::vector<io::NodeDof> labels)
    : size_(size), labels_(std::move(labels)) {
  for (std::size_t i = 0; i < labels_.size(); ++i)
    by_label_.emplace_back(labels_[i], static_cast<Index>(i));
  std::sort(by_label_.begin(), by_label_.end());
}

std::string Places::name(Index dof) const {
  return labels_.empty() ? std::to_string(dof + 1) : labels_[static_cast<std::size_t>(dof)].text();
}

Index Places::find(const std::string& text, Index least) const {
  if (!labels_.empty() && text.find('.') != std::string::npos) {
    const io::NodeDof wanted = io::parse_dof_list(text, "degree of freedom").front();
    const auto found = std::lower_bound(by_label_.begin(), by_label_.end(),
                                        std::pair<io::NodeDof, Index>(wanted, 0));
    if (found != by_label_.end() && found->first == wanted) return found->second + 1;
    throw Error(text +
                " is no degree of freedom of the matrices (node.direction); those that are held "
                "are not among them");
  }
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || number != std::floor(number) ||
      number < static_cast<double>(least) || number > static_cast<double>(size_))
    throw Error((text.empty() ? "an empty cell" : text) + " must be a whole number from " +
                std::to_string(least) + " to " + std::to_string(size_) +
                (least == 0 ? " (0 is the ground)" : "") +
                (labels_.empty() ? "" : ", or node.direction"));
  return static_cast<Index>(number);
}

Index Places::dof(const TomlTable& table, const std::string& key, const toml::node& node,
                  Index least) const {
  try {
    return find(word_of(node), least);
  } catch (const Error& error) {
    table.refuse(key, key + " = " + error.what());
  }
}

Index Places::dof(const TomlTable& table, const std::string& key, Index least) const {
  return dof(table, key, table.node(key), least);
}

std::vector<Index> Places::dofs(const TomlTable& table, const std::string& key, Index least) const {
  std::vector<Index> list;
  if (const auto* array = table.node(key).as_array())
    for (const toml::node& node : *array) list.push_back(dof(table, key, node, least));
  else
    list.push_back(dof(table, key, least));
  return list;
}

std::vector<Direction> Places::rows_of(const TomlTable& table, const std::string& key) const {
  // Row by row, which a matrix that is stored by columns is not.
  const SparseMatrix columns = io::read_matrix_file(table.file_beside(key), key).matrix.transpose();
  if (columns.rows() != size_)
    table.refuse(key, key + " has " + std::to_string(columns.rows()) + " columns; there are " +
                          std::to_string(size_) + " degrees of freedom");
  std::vector<Direction> rows;
  for (Index i = 0; i < columns.cols(); ++i) rows.emplace_back(columns.col(i));
  return rows;
}

Direction Places::along(const TomlTable& table) const {
  if (table.node("along").is_string()) {
    const std::vector<Direction> rows = rows_of(table, "along");
    const int row = table.has("row") ? table.whole("row") : 1;
    if (!table.has("row") && rows.size() > 1)
      table.refuse("along", "along has " + std::to_string(rows.size()) +
                                " rows; 'row' must say which one is meant");
    if (row < 1 || static_cast<std::size_t>(row) > rows.size())
      table.refuse("row", "row = " + std::to_string(row) + " must be from 1 to " +
                              std::to_string(rows.size()));
    return rows[static_cast<std::size_t>(row) - 1];
  }
  const std::vector<double> list = table.numbers("along");
  if (static_cast<Index>(list.size()) != size_)
    table.refuse("along", "along has " + std::to_string(list.size()) + " numbers; there are " +
                              std::to_string(size_) + " degrees of freedom");
  return Eigen::Map<const Eigen::VectorXd>(list.data(), size_);
}

Direction Places::between_or_along(const TomlTable& table) const {
  if (table.has("along") && table.has("between"))
    table.refuse("along", "give either 'between' or 'along'");
  if (table.has("along")) {
    const Direction w = along(table);
    if (w.is_zero()) table.refuse("along", "along must not be all zeros");
    return w;
  }
  const std::vector<Index> ends = dofs(table, "between", 0);
  if (ends.size() != 2)
    table.refuse("between", "between must be two degrees of freedom, for example [0, 1]");
  const Direction w = dynamics::between(size_, ends[0], ends[1]);
  if (w.is_zero()) table.refuse("between", "between must name two different places");
  return w;
}

Direction Places::dof_or_along(const TomlTable& table) const {
  if (table.has("along") && table.has("dof")) table.refuse("along", "give either 'dof' or 'along'");
  if (table.has("along")) return along(table);
  return dynamics::between(size_, 0, dof(table, "dof", 1));
}

}  // namespace microslip::catalog
