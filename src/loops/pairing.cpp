#include "pairing.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace microslip::loops {
namespace {

/// Legs that differ by less count as equally long.
constexpr double alike = 1.25;
/// So much may a record miss the symmetric swing after a leg from rest.
constexpr double off_center = 1.05;
/// The first or last leg of a record is a whole leg if it is as long as its neighbour.
constexpr double whole = 0.9;

/// Where u passes the level, going from the side of the piece's start.
bool crossing(std::span<const double> u, const Piece& piece, double level, double& row) {
  double at = piece.from, here = value_at(u, at);
  const double side = value_at(u, piece.to) >= here ? 1 : -1;
  if (side * (here - level) >= 0) {
    row = at;
    return true;
  }
  while (at < piece.to) {
    const double next = std::min(std::floor(at) + 1, piece.to);
    const double there = value_at(u, next);
    if (side * (there - level) >= 0) {
      row = at + (next - at) * (level - here) / (there - here);
      return true;
    }
    at = next;
    here = there;
  }
  return false;
}

/// A leg up to a level and from there on; the second part is empty if it does not get there.
std::pair<Leg, Leg> split(std::span<const double> u, const Leg& leg, double level) {
  const double side = value_at(u, leg.back().to) >= value_at(u, leg.front().from) ? 1 : -1;
  for (std::size_t i = 0; i < leg.size(); ++i) {
    if (side * (value_at(u, leg[i].to) - level) < 0) continue;
    double row = leg[i].to;
    crossing(u, leg[i], level, row);
    Leg before(leg.begin(), leg.begin() + static_cast<std::ptrdiff_t>(i));
    before.push_back({leg[i].from, row});
    Leg after{{row, leg[i].to}};
    after.insert(after.end(), leg.begin() + static_cast<std::ptrdiff_t>(i) + 1, leg.end());
    return {std::move(before), std::move(after)};
  }
  return {leg, {}};
}

enum class Rule {
  interruptions,  ///< closes a loop only inside a leg that is clearly longer; equals stay
  memory,         ///< closes a loop as hysteresis forgets it, back to the leg from rest
};

/// The turning points not yet forgotten, and the legs between them.
class Stack {
 public:
  Stack(std::span<const double> u, Rule rule) : u_(u), rule_(rule) {
    const auto [low, high] = std::minmax_element(u.begin(), u.end());
    rounding_ = 1e-12 * (*high - *low);
  }

  void push(std::size_t row) {
    if (!points_.empty()) legs_.push_back({{points_.back(), static_cast<double>(row)}});
    points_.push_back(static_cast<double>(row));
    while (close()) {
    }
  }

  /// Pairs the legs that are left, one after the other.
  void pair_rest() {
    std::size_t begin = 0, end = legs_.size();
    if (end >= 2 && length(0) < whole * length(1)) ++begin;
    if (end >= 2 && length(end - 1) < whole * length(end - 2)) --end;
    for (std::size_t i = begin; i + 1 < end; i += 2) {
      // A single leg from large to small swings belongs to neither.
      if (i + 2 < end && length(i) > alike * length(i + 1) && are_alike(i + 1, i + 2)) ++i;
      keep(loop_of(legs_[i], legs_[i + 1]));
    }
  }

  const std::vector<Leg>& legs() const { return legs_; }
  std::vector<PairedLoop>& loops() { return loops_; }

 private:
  double length(std::size_t leg) const {
    return std::abs(value_at(u_, points_[leg + 1]) - value_at(u_, points_[leg]));
  }

  /// The loop of two legs. It ends where it returns to the displacement of its start; if it does
  /// not return, both legs are kept whole: a cut shortly after the first reversal would lie on the
  /// unloading branch, where the force is not that of a tip.
  PairedLoop loop_of(const Leg& out, const Leg& back) const {
    return {out, split(u_, back, value_at(u_, out.front().from)).first};
  }

  bool are_alike(std::size_t i, std::size_t j) const {
    return length(i) <= alike * length(j) && length(j) <= alike * length(i);
  }

  /// Plateaus of coarse records may leave a leg without length.
  void keep(PairedLoop loop) {
    if (std::abs(value_at(u_, loop.first()) - value_at(u_, loop.middle())) > rounding_)
      loops_.push_back(std::move(loop));
  }

  bool is_closed() const {
    const std::size_t n = legs_.size();
    const double before = length(n - 3), inner = length(n - 2), after = length(n - 1);
    if (rule_ == Rule::interruptions) {
      if (inner > before || inner > after) return false;
      // Equal loops one after the other interrupt nothing.
      for (std::size_t i = 0; i + 2 < n; ++i)
        if (length(i) > alike * inner) return true;
      return false;
    }
    // A leg from rest is half of the loop that it leads to.
    return inner <= (n == 3 ? 2 * off_center * before : before) && inner <= after;
  }

  bool close() {
    if (points_.size() < 4 || !is_closed()) return false;
    const std::size_t n = legs_.size();
    if (rule_ == Rule::interruptions) {
      PairedLoop loop = loop_of(legs_[n - 2], legs_[n - 1]);
      loop.interrupts = true;
      keep(std::move(loop));
    }

    Leg joined = legs_[n - 3];
    const Leg rest = split(u_, legs_[n - 1], value_at(u_, points_[n - 2])).second;
    joined.insert(joined.end(), rest.begin(), rest.end());
    legs_.resize(n - 3);
    legs_.push_back(std::move(joined));
    points_.erase(points_.end() - 3, points_.end() - 1);
    return true;
  }

  std::span<const double> u_;
  Rule rule_;
  double rounding_ = 0;
  std::vector<double> points_;  // rows
  std::vector<Leg> legs_;
  std::vector<PairedLoop> loops_;
};

}  // namespace

double value_at(std::span<const double> column, double row) {
  const auto i = static_cast<std::size_t>(row);
  const double part = row - std::floor(row);
  return part == 0 ? column[i] : column[i] + part * (column[i + 1] - column[i]);
}

Pairing pair_loops(std::span<const double> u, const std::vector<std::size_t>& turning) {
  Stack interruptions(u, Rule::interruptions), memory(u, Rule::memory);
  for (const std::size_t row : turning) {
    interruptions.push(row);
    memory.push(row);
  }
  interruptions.pair_rest();
  Pairing result{std::move(interruptions.loops()), {}};
  if (!memory.legs().empty()) result.first = memory.legs().front();
  std::sort(result.loops.begin(), result.loops.end(),
            [](const PairedLoop& a, const PairedLoop& b) { return a.middle() < b.middle(); });
  return result;
}

Branch branch_of(std::span<const double> u, std::span<const double> f, const Leg& leg) {
  Branch branch;
  const auto add = [&](double row) {
    branch.u.push_back(value_at(u, row));
    branch.f.push_back(value_at(f, row));
  };
  for (const Piece& piece : leg) {
    add(piece.from);
    for (double row = std::floor(piece.from) + 1; row < piece.to; ++row) add(row);
    if (piece.to > piece.from) add(piece.to);
  }
  return branch;
}

}  // namespace microslip::loops
