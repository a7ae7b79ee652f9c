#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/detail/numerics/expression.hpp"
#include "study/tables.hpp"

namespace microslip::study {

/// A formula of columns, evaluated row by row: "abs(x5-x6)".
class RowFormula {
 public:
  explicit RowFormula(std::string_view text);
  const std::vector<std::string>& columns() const { return names_; }
  /// False if the table lacks a column.
  bool evaluate(const ResultTable& table, std::vector<double>& values) const;
  /// The derivative of the value of a row with respect to the numbers.
  Eigen::VectorXd slope(const ResultTable& table, const TableSlopes& slopes, std::size_t row,
                        Eigen::Index numbers) const;

 private:
  std::vector<std::string> names_;
  Expression expression_;
};

/// Rows and how much each counts in a number that is linear in them.
using RowWeights = std::vector<std::pair<std::size_t, double>>;

/// A number of a result: a formula of reductions of columns,
///
///   max(x5)   min   mean   first   last   at(x5, omega=0.9)   max(x5, level=2)   max(x*): of x1, x2, …
///
/// where the argument is a formula of columns and `level` (any column) keeps the rows with this value.
class Reduction {
 public:
  /// Throws Error for a text that is none.
  explicit Reduction(std::string_view text);
  /// NaN where no row is left; throws Error where no table has the columns. `table` counts from 1; 0: the
  /// first that has them.
  double evaluate(const std::vector<ResultTable>& tables, std::size_t table) const;
  /// The derivative; of max and min that of the row where they are.
  Eigen::VectorXd slope(const std::vector<ResultTable>& tables,
                        const std::vector<TableSlopes>& slopes, std::size_t table,
                        Eigen::Index numbers) const;

 private:
  enum class Kind { max, min, mean, first, last, at };
  struct Call {
    Kind kind;
    RowFormula of;
    std::string prefix{};  ///< of x*: every column x1, x2, …; only of max and min
    std::vector<std::pair<std::string, double>> keep;
    std::string abscissa;
    double at = 0;
  };
  double call_value(const Call& call, const ResultTable& table, bool& found,
                    RowWeights* weights = nullptr) const;
  std::string without_calls(std::string_view text);

  std::string text_;
  std::vector<Call> calls_;
  Expression outer_;
};

/// Rows with these values of columns; all if there are none. False if the table lacks one.
bool rows_kept(const ResultTable& table, const std::vector<std::pair<std::string, double>>& keep,
               std::vector<std::size_t>& rows);

/// The largest value at x of the lines through (xs, ys) in the order of `rows`; NaN outside.
double interpolated(const std::vector<double>& xs, const std::vector<double>& ys,
                    const std::vector<std::size_t>& rows, double x, RowWeights* weights = nullptr);

const std::vector<double>* column_of(const ResultTable& table, std::string_view heading);

/// "there are: omega, x1, phase1"
std::string headings_of(const std::vector<ResultTable>& tables);

}  // namespace microslip::study
