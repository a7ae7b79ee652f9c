#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "microslip/core/description.hpp"
#include "microslip/core/history.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "reproduction.hpp"

/// What the entries share: laws on signals, rows of a history, comparisons and curves.
namespace microslip::reproduce {

/// A history with everything recorded. The given column contains its turning points exactly.
struct Run {
  std::vector<double> t;  ///< empty when there is no time
  History history;
  Drive drive;

  const std::vector<double>& driven() const {
    return drive == Drive::force ? history.f : history.u;
  }
  /// Work done from one row to another.
  double work(std::size_t from, std::size_t to) const;
  /// The row nearest to a time.
  std::size_t row_at(double time) const;
  /// Rows at which the given column reverses.
  std::vector<std::size_t> turns() const;
  const std::vector<double>& state(std::string_view name) const;
};

/// A law from rest on a signal in t; throws Error where the law fails.
Run simulate(const ModelSpec& law, const std::string& signal, double until, double step,
             Drive drive = Drive::displacement);
/// The same on given rows.
Run simulate(const ModelSpec& law, std::vector<double> rows, Drive drive = Drive::displacement);
/// A law from rest at `n` equal steps, turning points or not: for methods that depend on the rows.
Run simulate_uniform(const ModelSpec& law, const std::string& signal, double until, std::size_t n);

/// Bouc–Wen with f = z, as the figures plot it.
ModelSpec bouc_wen(double A, double beta, double gamma, double n);

/// Its displacement at given rows of z, for n = 1 and n = 2, leg by leg from the integral of du/dz:
/// what a history driven by force must follow.
std::vector<double> bouc_wen_displacement(double A, double beta, double gamma, int n,
                                          const std::vector<double>& z);
/// The two-state law with mu = 1 and ks = 0.
ModelSpec two_state(double alpha, double sigma, double b1, double b2,
                    const std::string& method = "exact");
/// The b that gives final slope 0, gap 2 and first slope 1 (thesis, eqs 4.18–4.19).
std::array<double, 2> normalized_b(double alpha, double sigma);

/// The rows of a column that an index list names.
std::vector<double> at(const std::vector<double>& column, const std::vector<std::size_t>& rows);

/// n + 1 numbers from `from` to `to`, both included.
std::vector<double> spaced(double from, double to, std::size_t n);

/// Comparisons by what stands behind the expected number; see Comparison::Against.
Comparison printed(std::string what, double expected, double tolerance, double obtained,
                   std::string note = {});
Comparison equation(std::string what, double expected, double tolerance, double obtained,
                    std::string note = {});
Comparison independent(std::string what, double expected, double tolerance, double obtained,
                       std::string note = {});
Comparison circular(std::string what, double expected, double tolerance, double obtained,
                    std::string note = {});
Comparison identity(std::string what, double expected, double tolerance, double obtained,
                    std::string note = {});
Comparison recorded(std::string what, double expected, double tolerance, double obtained,
                    std::string note = {});
/// What the source says without a number ("almost", "excellent"): ours, for the reader to judge.
Comparison judged(std::string what, double obtained, std::string note);
/// A sentence or a curve of the source as an inequality: its bound is printed, is the sense of the
/// sentence (1 for "more than"), or has its reason in the note.
Comparison at_most(std::string what, double bound, double obtained, std::string note = {});
Comparison at_least(std::string what, double bound, double obtained, std::string note = {});
/// The same comparison, known to fail because of the source.
Comparison differs(Comparison one, std::string note);
/// One comparison per number; `what` is followed by the place in the list.
using Kind = Comparison (*)(std::string, double, double, double, std::string);
void append(std::vector<Comparison>& to, Kind kind, const std::string& what,
            const std::vector<double>& expected, double tolerance,
            const std::vector<double>& obtained);

double largest(const std::vector<double>& values);
double smallest(const std::vector<double>& values);
/// max |a − b|; infinite if they differ in length.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

/// Force against displacement.
io::Curve loop(const Run& run, std::string name = {});
/// One curve that shows only the pieces between rows that `belongs` names by their later row.
io::Curve pieces(const Run& run, std::string name,
                 const std::function<bool(std::size_t row)>& belongs);

}  // namespace microslip::reproduce
