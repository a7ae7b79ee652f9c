#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "microslip/jobs/control.hpp"
#include "study/tables.hpp"

namespace microslip::study {

/// A job of which some numbers change from run to run. After `bind`, runs may be parallel.
class VariedJob {
 public:
  virtual ~VariedJob() = default;

  /// The addresses that a range or * stands for. Throws Error for what there is not.
  virtual std::vector<std::string> expanded(const std::string& address) const = 0;
  /// What stands at an address. Throws Error where there is no number.
  virtual double own(const std::string& address) const = 0;
  /// The model of a law, "joint[1]"; "" if the address names none.
  virtual std::string law_at(const std::string& address) const = 0;
  virtual void bind(const std::vector<std::string>& addresses) = 0;
  /// Throws Error or jobs::Failure where a run fails.
  virtual Answer run(std::span<const double> values, const jobs::Control& control) const = 0;
  /// Whether `run_with_slopes` has an answer.
  virtual bool differentiates() const { return false; }
  /// The derivatives of the tables of the answer, in their order.
  virtual Answer run_with_slopes(std::span<const double> /*values*/,
                                 std::vector<TableSlopes>& /*slopes*/) const {
    return {};
  }
  /// All that the answers depend on, as text.
  virtual std::string identity() const = 0;
  /// For messages and file names.
  virtual std::string kind() const = 0;
};

/// From the table [job] of a study: `kind`, and `file` or the keys of the request. Files lie beside `beside`.
std::unique_ptr<VariedJob> read_job(const Json& table, const std::filesystem::path& beside);

/// A job whose request is a structure file.
std::unique_ptr<VariedJob> structure_job(const std::string& kind, const std::filesystem::path& file,
                                         const Json& keys);

}  // namespace microslip::study
