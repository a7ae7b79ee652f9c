#pragma once

#include <span>
#include <vector>

#include "microslip/loops/loops.hpp"

/// Which legs of a record make up closed loops.
namespace microslip::loops {

/// Rows, where 3.25 lies a quarter of the way from row 3 to row 4.
struct Piece {
  double from, to;
};

/// A motion in one direction, in pieces: what is left out between them were closed loops.
using Leg = std::vector<Piece>;

struct PairedLoop {
  Leg out, back;
  bool interrupts = false;  ///< a longer leg
  double first() const { return out.front().from; }
  double middle() const { return out.back().to; }
  double last() const { return back.back().to; }
};

struct Pairing {
  std::vector<PairedLoop> loops;  ///< in order of their middle
  Leg first;                      ///< from the first row on, as if no loop had interrupted it
};

/// `turning` begins with the first row and ends with the last one.
Pairing pair_loops(std::span<const double> u, const std::vector<std::size_t>& turning);

double value_at(std::span<const double> column, double row);

/// The points of a leg, with its ends between rows.
Branch branch_of(std::span<const double> u, std::span<const double> f, const Leg& leg);

}  // namespace microslip::loops
