#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/core/any_model.hpp"

/// Histories of composed laws with several directions, row by row.
namespace microslip::catalog {

/// The numbers of a composed law's state as columns, by the names and lengths they have at rest; a memory
/// that is empty at rest is recorded by its length.
class SavedColumns {
 public:
  /// `left_out` says which names have no column.
  SavedColumns(const AnyModel::Interface& law, bool wanted,
               const std::function<bool(std::string_view)>& left_out);
  void put(const AnyState& state, History& out) const;

 private:
  const AnyModel::Interface& law_;
  std::vector<std::pair<std::string, std::size_t>> lengths_;
};

/// AnyModel::Interface::run of a law with several directions, by its steps. `energy` answers what was
/// dissipated so far, from the state and the loss of the step.
void run_vector(const AnyModel::Interface& law, const Path& path, Drive drive, const Record& record,
                Checkpoint& at, History& out, const std::function<bool(std::string_view)>& left_out,
                const std::function<double(const Checkpoint&, double lost)>& energy);

}  // namespace microslip::catalog
