#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/jobs/control.hpp"
#include "microslip/study/design.hpp"
#include "microslip/study/inputs.hpp"

/// The same job many times, with numbers that vary.
///
///     seed = 7
///     samples = 2000
///     design = "sobol"            # latin-hypercube, random, grid (samples for each input), list
///     list = "draws.csv"          # for design = "list": a column for each address
///     indices = true              # Saltelli's design: samples × (inputs + 2) runs
///     [job]
///     kind = "respond"            # any kind of job
///     file = "ring.toml"          # or the keys of its request
///     [vary]
///     "joint[*].phi" = { lognormal = [1.0, 0.2] }
///     "spring[1..24].k" = { factor = { normal = [1.0, 0.02] } }
///     "joint[1]" = { fit = "fit.json" }
///     [[collect]]
///     name = "peak"
///     value = "max(x5)"
///     limit = 1.2                 # the probability that it is larger
///     [[collect]]
///     name = "x5"
///     on = { omega = [0.8, 1.2, 200] }
///     [fail]
///     most = 0.05
///     value = "missing"
namespace microslip::study {

class VariedJob;

/// Something that is collected from each run: a number, or a curve over a grid.
struct Quantity {
  std::string name;
  std::string value;       ///< a formula or a path
  std::string abscissa{};  ///< of a curve
  std::vector<double> grid{};
  std::vector<std::pair<std::string, double>> keep{};  ///< of a curve: rows with these values
  std::size_t table = 0;  ///< of the result, from 1; 0: the first that has the columns
  std::optional<double> limit{};

  bool is_curve() const { return !grid.empty(); }
  std::size_t size() const { return is_curve() ? grid.size() : 1; }
};

/// What one run gave.
struct Outcome {
  std::string failure{};        ///< empty: none
  std::vector<double> numbers;  ///< the draws, in the order of Study::numbers
  std::vector<double> values;   ///< of all quantities, curves point by point; NaN: missing
  double seconds = 0;
};

/// Immutable; runs may be parallel.
class Study {
 public:
  /// Throws Error with the place for bad input. Files lie beside `name`.
  static Study parse(std::string_view text, const std::filesystem::path& name);
  static Study read(const std::filesystem::path& path);
  ~Study();
  Study(Study&&) noexcept;
  Study& operator=(Study&&) noexcept;

  const std::string& name() const { return name_; }
  const std::string& kind() const { return kind_; }
  const std::string& design() const { return design_; }
  std::uint64_t seed() const { return seed_; }
  std::uint64_t samples() const { return samples_; }
  bool indices() const { return indices_; }
  const std::vector<Group>& groups() const { return groups_; }
  /// The addresses that vary, group by group.
  const std::vector<std::string>& numbers() const { return numbers_; }
  /// Those that the file has.
  const std::vector<double>& own() const { return own_; }
  const std::vector<Quantity>& quantities() const { return quantities_; }
  std::size_t values() const;  ///< in all quantities
  double most_failures() const { return most_failures_; }
  const std::string& missing_text() const { return missing_text_; }

  std::uint64_t runs() const { return runs_; }
  /// Numbers of run i; they depend on the seed and i alone. Throws Error where there are none.
  std::vector<double> draw(std::uint64_t i) const;
  /// Throws Error for what is wrong with the study itself: a column that no result has.
  Outcome run(std::uint64_t i, const jobs::Control& control = {}) const;
  Outcome evaluate(std::vector<double> numbers, const jobs::Control& control = {}) const;

  /// Whether `jacobian` has an answer.
  bool differentiates() const;
  /// Exact derivatives of all values with respect to all numbers, values × numbers. Throws as a failed run
  /// would say.
  Eigen::MatrixXd jacobian(const std::vector<double>& numbers) const;

  /// 128 bits of all that the results depend on, but for the version.
  const std::string& fingerprint() const { return fingerprint_; }
  /// The study as JSON, for readers of a store.
  const std::string& text() const { return text_; }

 private:
  struct Reader;
  struct Collector;
  Study();
  std::string name_, kind_, design_, fingerprint_, text_, missing_text_ = "missing";
  std::uint64_t seed_ = 1, samples_ = 0, runs_ = 0;
  bool indices_ = false;
  double most_failures_ = 0.05;
  std::vector<Group> groups_;
  std::vector<std::string> numbers_;
  std::vector<double> own_;
  std::vector<Quantity> quantities_;
  std::optional<Design> plan_;
  Eigen::MatrixXd list_;  ///< runs × numbers of design = "list"
  std::shared_ptr<const VariedJob> job_;
  std::shared_ptr<const Collector> collector_;
};

}  // namespace microslip::study
