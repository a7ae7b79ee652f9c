#pragma once

#include <Eigen/Core>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "microslip/fit/data.hpp"

/// From a law and its records to residuals and their derivatives.
namespace microslip::fit {

/// A parameter whose natural measure is another one: gamma = x · beta with x in [-1, 1]. A law that
/// refuses |gamma| > beta then never meets that border in the dark.
struct Ratio {
  std::string to;
  Interval bounds;
};

/// Which numbers are looked for.
///
/// Parameters are named as in the law; an element of a list is "k[2]". Besides them there are the
/// numbers of the measurement,
///
///   f(t) = offset + drift · s + gain · law(u − offset_u − drift_u · s) at t − delay,   s = t − t₀,
///
/// which are fitted when `free` names them, held when `fixed` does, and 0 (gain: 1) otherwise. t₀ is the
/// first time; without times rows are counted. Rows that are
/// nearer to an end of the record than the bounds of the delay are passed but not compared.
struct Setup {
  std::map<std::string, double> fixed{};
  std::map<std::string, Interval> bounds{};
  std::map<std::string, Ratio> ratios{};
  std::map<std::string, Interval>
      look{};  ///< where starts look, if not by unit and size of the data
  std::vector<std::string> free{};
  std::vector<std::string> separate{};  ///< one value for each record instead of one for all
  Beginning beginning = Beginning::automatic;
};

/// One number that is looked for, as x: p = reference · e^x or p = reference · x, where the
/// reference comes from the unit of p and the sizes in the data, so that x is of the order of 1.
struct Unknown {
  enum class Role { parameter, offset, gain, offset_u, delay, drift, drift_u, before };
  Role role = Role::parameter;
  std::string name{};       ///< "k", "k[2]", "offset", "before[1]"
  std::string parameter{};  ///< of the law
  std::size_t element = 0;  ///< of a list
  int record = -1;          ///< whose number it is; -1: of all
  std::string unit{};
  bool log = false;
  bool pinned = false;  ///< held at `start`: it would change nothing that another does not
  double reference = 1;
  int ratio_to = -1;            ///< the unknown that multiplies the reference
  int exponent_of = -1;         ///< the unknown n of a unit L^-n: the reference is length^-n
  double length = 1;            ///< for that
  double lower = 0, upper = 0;  ///< of x
  double from = 0, to = 0;      ///< where starts look for x
  double start = 0;             ///< the x of the law's own values
  bool soft_lower = true, soft_upper = true;  ///< a limit that only keeps numbers finite
  std::string limits{};  ///< those of the law or of the caller, in words: "chi in (-1, 0]"
};

/// The numbers of the measurement, in the order of their roles.
inline constexpr std::string_view measurement_names[] = {"offset", "gain",  "offset_u",
                                                         "delay",  "drift", "drift_u"};
bool is_measurement(std::string_view name);
/// A zero that moves in time, anew in each record.
inline bool is_drift(std::string_view name) { return name == "drift" || name == "drift_u"; }

/// Immutable: evaluations may run in parallel.
class Problem {
 public:
  /// Throws for records that do not fit the law (no time for one that depends on the rate), names
  /// that do not exist and values outside their bounds.
  Problem(AnyModel model, std::vector<Data> records, Setup setup = {});

  const AnyModel& model() const { return model_; }
  const std::vector<Data>& records() const { return records_; }
  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  const std::vector<Scales>& scales() const { return scales_; }
  const Setup& setup() const { return setup_; }
  Beginning beginning(std::size_t record) const { return beginnings_[record]; }
  /// Largest minus smallest answer (force, or displacement of a law driven by force) of the rows that
  /// count: what residuals are relative to.
  double force_range(std::size_t record) const { return ranges_[record]; }
  /// 1 on average over the rows that count, so that results do not depend on the unit of weights.
  double weight(std::size_t record, std::size_t row) const {
    const std::vector<double>& given = records_[record].weight;
    return (given.empty() ? 1 : given[row]) / weight_unit_ * weight_scale_;
  }
  /// Whether a row is among those that the fit has to follow.
  bool compares(std::size_t record, std::size_t row) const {
    const Data& data = records_[record];
    return data.counts(row) && (data.held_out.empty() || !data.held_out[row]) &&
           row >= compared_rows_[record].first && row < compared_rows_[record].second;
  }
  std::size_t rows() const { return rows_; }          ///< residuals
  std::size_t compared() const { return compared_; }  ///< rows that the fit has to follow

  /// The same unknowns on fewer rows: each turn of the motion, and others evenly spread, at least
  /// ten a leg. Laws that are exact for any step answer there as they do on all rows.
  Problem thinned(std::size_t least_rows) const;

  /// Holds the unknowns that another problem of the same unknowns holds, within its limits.
  void hold_as(const Problem& other) { unknowns_ = other.unknowns_; }
  /// Holds an unknown at x from now on.
  void pin(std::size_t unknown, double x);
  /// Moves limits that only keep numbers finite away from a point near or beyond them.
  void make_room(std::span<const double> x);

  /// Residuals √w (f_law − f)/range and, if wanted, their derivatives with respect to x. False
  /// where the law does not exist or has no answer.
  bool evaluate(std::span<const double> x, Eigen::VectorXd& residuals,
                Eigen::MatrixXd* jacobian = nullptr) const;
  /// Force that would be measured; false as above.
  bool predict(std::span<const double> x, std::size_t record, std::vector<double>& f) const;

  /// The numbers themselves from x, and their derivatives ∂p_i/∂x_j.
  std::vector<double> values(std::span<const double> x) const;
  Eigen::MatrixXd value_derivatives(std::span<const double> x) const;
  /// x of given values; those of parameters that are not unknown are ignored.
  std::vector<double> coordinates(const ParameterValues& parameters,
                                  std::span<const double> x_of_the_rest) const;
  /// All parameters of the law at x.
  ParameterValues parameters(std::span<const double> x, std::size_t record = 0) const;

 private:
  bool applies(const Unknown& unknown, std::size_t record) const {
    return unknown.record < 0 || unknown.record == static_cast<int>(record);
  }
  void leave_room_for_delay();
  /// Whether the answers of a record come later, or may.
  bool delays(std::size_t record) const;
  /// Whether the law also stops between rows, where it gives its delayed answers.
  bool stops(std::size_t record) const;
  void weigh_rows();
  bool differentiate(std::size_t record, std::span<const double> x, Eigen::Index first_row,
                     Eigen::VectorXd& residuals, Eigen::MatrixXd& jacobian) const;

  AnyModel model_;
  std::vector<Data> records_;
  Setup setup_;
  std::vector<Scales> scales_;
  Scales common_;
  std::vector<Beginning> beginnings_;
  std::vector<std::vector<double>> lead_;  ///< displacements before the first row, for `cycled`
  std::vector<double> ranges_;
  std::vector<std::vector<double>> clocks_;  ///< time since the first row, or rows
  /// The first row and the one behind the last that the delay leaves room for.
  std::vector<std::pair<std::size_t, std::size_t>> compared_rows_;
  double weight_unit_ = 1, weight_scale_ = 1;
  std::vector<std::vector<double>> factors_;  ///< √w/range of each row, 0 where it is not compared
  std::vector<Unknown> unknowns_;
  ParameterValues fixed_;
  std::size_t rows_ = 0, compared_ = 0;
};

/// Where the starts of a fit look for a number of this unit ("F/L"). Nothing for numbers whose size
/// the data do not suggest.
std::optional<Interval> start_range(std::string_view unit, const Scales& scales);

/// What a record suggests. Throws for records that are too short, do not move or have no force.
Scales scales_of(const Data& data);

}  // namespace microslip::fit
