#pragma once

#include <memory>
#include <string>
#include <vector>

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

  std::size_t rows() const noexcept { return u.size(); }
  bool counts(std::size_t row) const { return weight.empty() || weight[row] > 0; }
};

/// The loops of a record, analysed unless the record brings them.
std::shared_ptr<const loops::Loops> loops_of(const Data& data);

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
};

}  // namespace microslip::fit
