#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/core/any_model.hpp"

/// Histories row by row: one loop for laws of all kinds.
namespace microslip::catalog {

/// What the states of a history leave behind: a column for each of their numbers but for displacement
/// and force.
class StateColumns {
 public:
  virtual ~StateColumns() = default;
  virtual void begin(const AnyState& state, std::size_t rows, History& out) = 0;
  virtual void put(const AnyState& state, std::size_t row, History& out) = 0;
};

/// By the names and lengths that a saved state has at rest; a memory that is empty at rest is recorded by
/// its length.
class SavedColumns final : public StateColumns {
 public:
  /// `left_out` says which names have no column.
  explicit SavedColumns(const AnyModel::Interface& law,
                        std::function<bool(std::string_view)> left_out = &displacement_or_force)
      : law_(law), left_out_(std::move(left_out)) {}
  void begin(const AnyState& state, std::size_t rows, History& out) override;
  void put(const AnyState& state, std::size_t row, History& out) override;

  static bool displacement_or_force(std::string_view name) { return name == "u" || name == "f"; }

 private:
  const AnyModel::Interface& law_;
  std::function<bool(std::string_view)> left_out_;
  std::vector<std::pair<std::string, std::size_t>> lengths_{};
};

/// Throws unless the law can follow the path.
void check_path(const Description& law, const Path& path, Drive drive);
/// Gives the columns the length of the path, and cuts them to the rows that were good.
void begin_rows(const Description& law, const Path& path, const Record& record, History& out);
void end_rows(const Path& path, Drive drive, std::size_t good, Checkpoint& at, History& out);

/// The displacement of a scalar law at which it carries a force, from a state at u; its status says if there
/// is none.
struct Carried {
  double u;
  Status status;
};
Carried place_that_carries(const AnyModel::Interface& law, double force, const AnyState& from,
                           double u, double dt, AnyState& trial);

/// What differs from law to law.
struct RowsOf {
  const AnyModel::Interface& law;
  StateColumns& columns;
  /// Dissipated so far, from the last good row with its new state and from what the row lost; a running
  /// total if it is not given.
  std::function<double(const Checkpoint& now, double lost)> energy{};
};

/// Goes on over the rows until one fails, by steps of the law, and answers how many were good. The columns
/// have the length of the path.
std::size_t follow_rows(const RowsOf& rows, const Path& path, Drive drive, const Record& record,
                        Checkpoint& at, History& out);

/// All of it: AnyModel::Interface::run.
void run_rows(const RowsOf& rows, const Path& path, Drive drive, const Record& record,
              Checkpoint& at, History& out);

}  // namespace microslip::catalog
