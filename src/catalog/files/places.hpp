#pragma once

#include <string>
#include <vector>

#include "catalog/files/toml_table.hpp"
#include "microslip/dynamics/structure/structure.hpp"
#include "microslip/io/matrix_file.hpp"

namespace microslip::catalog {

/// The degrees of freedom of a structure file: by number from 1, 0 being the ground, or by the name
/// `node.direction` that a finite-element code gave them.
class Places {
 public:
  using Index = Eigen::Index;

  Places() = default;
  Places(Index size, std::vector<io::NodeDof> labels);

  Index size() const { return size_; }
  /// Whether degrees of freedom go by the names of nodes.
  bool named() const { return !labels_.empty(); }
  /// "12.3", or the number where there are no names.
  std::string name(Index dof) const;

  /// From 1, or 0 for the ground; an Error without a place if there is no such degree of freedom.
  Index find(const std::string& text, Index least) const;

  /// One of a list or a single value.
  Index dof(const TomlTable& table, const std::string& key, const toml::node& node,
            Index least) const;
  Index dof(const TomlTable& table, const std::string& key, Index least) const;
  std::vector<Index> dofs(const TomlTable& table, const std::string& key, Index least) const;

  /// `between = [a, b]`, or `along`: weights, or `row` of a matrix file.
  dynamics::Direction between_or_along(const TomlTable& table) const;
  /// `dof`, or `along`.
  dynamics::Direction dof_or_along(const TomlTable& table) const;
  dynamics::Direction along(const TomlTable& table) const;
  /// Rows of a matrix file with a column for each degree of freedom.
  std::vector<dynamics::Direction> rows_of(const TomlTable& table, const std::string& key) const;

 private:
  Index size_ = 0;
  std::vector<io::NodeDof> labels_;                      ///< of the degrees of freedom, or empty
  std::vector<std::pair<io::NodeDof, Index>> by_label_;  ///< sorted
};

/// M, C and K of a structure file in one numbering.
struct Matrices {
  dynamics::SparseMatrix M, C, K;
  std::vector<io::NodeDof> labels;
};
Matrices read_matrices(const TomlTable& root);

}  // namespace microslip::catalog
