#pragma once

#include <memory>
#include <string>
#include <vector>

#include "microslip/core/history.hpp"
#include "microslip/core/info.hpp"
#include "microslip/loops/loops.hpp"

namespace microslip::fit {

/// A measured history, in the order of time.
struct Data {
  std::string name;          ///< for messages
  std::vector<double> t;     ///< empty when there is no time
  std::vector<double> u, f;  ///< what the law is driven by, and what it should answer
  /// How much a row counts, 1/variance of its noise up to a factor common to all records; empty: 1.
  /// A row of weight 0 is passed but not compared.
  std::vector<double> weight{};
  /// Rows that are passed but left for the law to predict; empty: none.
  std::vector<bool> held_out{};
  /// The loops of t, u, f, for those who have analysed them already.
  std::shared_ptr<const loops::Loops> loops{};
  /// What u is: a displacement, or the force for laws that are driven by force; f is then a
  /// displacement.
  Driven driven = Driven::displacement;
  /// For laws with several directions: the displacements along all of them. u and f are those along
  /// `direction`, and the forces along the others are records of their own with the same path.
  std::shared_ptr<const Path> path{};
  std::string direction{};
  /// Standard deviation of noise that was smoothed out of u.
  double input_noise = 0;

  std::size_t rows() const noexcept { return u.size(); }
  bool counts(std::size_t row) const { return weight.empty() || weight[row] > 0; }
};

/// The loops of a record, analysed unless the record brings them.
std::shared_ptr<const loops::Loops> loops_of(const Data& data);
/// The loops of its input with these answers. Where the input is a force, energies are those that the
/// loops take, ∮ f du = −∮ u df, and slopes are compliances.
loops::Loops loops_with(const Data& data, const std::vector<double>& answers,
                        loops::Options options = {});

/// What happened before the first row.
enum class Beginning {
  automatic,  ///< virgin or at rest if the first row looks like it, else `unknown`
  virgin,     ///< at rest at u = 0, driven to the first row
  first_row,  ///< at rest at the first row
  cycled,     ///< once through the first large cycle of the record
  unknown,    ///< from rest over two reversals, whose displacements are fitted
};

/// Sizes that a record suggests for the parameters of a law; all positive.
struct Scales {
  double force = 1;      ///< largest distance from the middle
  double length = 1;     ///< the same of the displacement
  double stiffness = 1;  ///< after reversals
  double time = 1;       ///< length / typical speed; 1 without time
  double force_center = 0;
  double length_center = 0;
  Driven driven = Driven::displacement;  ///< which of them is the input of the law

  bool by_force() const { return driven == Driven::force; }
  double input() const { return by_force() ? force : length; }
  double input_center() const { return by_force() ? force_center : length_center; }
  double answer() const { return by_force() ? length : force; }
  double answer_center() const { return by_force() ? length_center : force_center; }
  /// d answer / d input after reversals.
  double slope() const { return by_force() ? 1 / stiffness : stiffness; }
};

}  // namespace microslip::fit
