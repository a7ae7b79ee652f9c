#pragma once

#include <string>
#include <vector>

#include "microslip/catalog/files/covariates.hpp"
#include "microslip/core/info.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/jobs/members.hpp"
#include "microslip/jobs/text.hpp"

namespace microslip::jobs {

template <>
inline constexpr std::array<std::string_view, 2> words_of<Driven>{"displacement", "force"};
template <>
inline constexpr std::array<std::string_view, 4> words_of<io::Missing>{"refuse", "drop",
                                                                       "interpolate", "keep"};

struct RecordUnits {
  std::string t, u, f;
  static constexpr auto members = std::tuple{
      member("t", &RecordUnits::t), member("u", &RecordUnits::u), member("f", &RecordUnits::f)};
};

/// A measured history of displacement and force, along one direction or several.
struct Record {
  bool several() const { return !fy.empty() || !fn.empty(); }
  std::string name = "record";   ///< for messages: the name of its file
  std::vector<double> t{};       ///< empty when there is no time
  std::vector<double> u{}, f{};  ///< of several directions the first: x, or t beside n
  std::vector<double> uy{}, un{}, fy{}, fn{};
  /// How much a row counts, 1/variance of its noise in any unit; empty: all alike.
  std::vector<double> weight{};
  std::string t_unit{}, u_unit{}, f_unit{};
  std::string weight_name = "weight";    ///< of the column of weights
  Driven driven = Driven::displacement;  ///< force: u holds the force and f the displacement
  catalog::Covariates covariates{};      ///< preload and the like
  std::string taken{};                   ///< which columns of a file were taken for what, in words
  /// What becomes of rows with a number that is not finite.
  io::Missing missing = io::Missing::drop;
  std::vector<std::string> notes{};  ///< sentences on its rows

  static constexpr auto members = std::tuple{member("name", &Record::name),
                                             member_if_any("t", &Record::t),
                                             member("u", &Record::u),
                                             member("f", &Record::f),
                                             member_if_any("uy", &Record::uy),
                                             member_if_any("un", &Record::un),
                                             member_if_any("fy", &Record::fy),
                                             member_if_any("fn", &Record::fn),
                                             member_if_any("weight", &Record::weight),
                                             member_if_any("t_unit", &Record::t_unit),
                                             member_if_any("u_unit", &Record::u_unit),
                                             member_if_any("f_unit", &Record::f_unit),
                                             member_if_any("weight_name", &Record::weight_name),
                                             member("driven", &Record::driven),
                                             member_if_any("covariates", &Record::covariates),
                                             member_if_any("taken", &Record::taken),
                                             member("missing", &Record::missing),
                                             member_if_any("notes", &Record::notes)};
};

/// "u is column 3 (Lead Actuator Displacement)"
std::string taken_for(const std::string& name, const io::Column& column);

/// The columns u, f and, if there is one, t of a table.
Record record_of(const io::Table& table);

/// Leaves out or fills rows with missing numbers as the record says, and notes it. Throws Error unless columns
/// are equally long and finite, and time increases.
void settle_columns(Record& record);

/// Throws Failure where energies would overflow, or vanish although the columns do not.
void refuse_extreme_numbers(const std::string& source, const std::vector<double>& u,
                            const std::vector<double>& f);

}  // namespace microslip::jobs
