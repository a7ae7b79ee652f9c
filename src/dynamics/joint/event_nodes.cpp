#include "dynamics/joint/event_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dynamics/fourier/gauss.hpp"
#include "microslip/detail/numerics/bracket.hpp"

namespace microslip::dynamics {
namespace {

/// From t in [0, 1] to a share of a piece; t² at an end crowds nodes there, so that a power xᵖ of
/// the distance becomes t²ᵖ.
struct Share {
  double value, slope;
};
Share share_of(double t, bool crowd_start, bool crowd_end) {
  const double rest = 1 - t;
  if (crowd_start && crowd_end) return {t * t * (3 - 2 * t), 6 * t * rest};
  if (crowd_start) return {t * t, 2 * t};
  if (crowd_end) return {1 - rest * rest, 2 * rest};
  return {t, 1};
}

}  // namespace

EventNodes::EventNodes(JointPeriod& period)
    : period_(period),
      law_(period.law),
      motion_(period.motion),
      piece_walk_(period.law.rest),
      piece_states_(1, period.law.rest) {}

void EventNodes::plan(bool symmetric) {
  period_.half = symmetric;
  period_.nodes.clear();
  pieces_.clear();
  kinks_.clear();
  largest_force_ = 0;
  for (const double f : period_.forces) largest_force_ = std::max(largest_force_, std::abs(f));
  law_.scratch.get().assign(law_.state.get());
  // The law stands at the beginning of the piece in piece_states_.front().
  const auto add = [&](const Piece& piece) {
    if (!(piece.to - piece.from > 1e-13)) return;
    if (period_.options.level > 0) return add_piece(piece.from, piece.to, 0, 0);
    add_gauss(piece, pieces_);
  };
  for (std::size_t r = 0; r < legs() && period_.result.status == Status::ok; ++r) {
    Leg leg = motion_.leg_after(r);
    bool weak = false;
    for (KinkAhead ahead; find_kink(leg, ahead); weak = ahead.weak) {
      const double from = leg.from;
      if (period_.options.level > 0) piece_states_.front().get().assign(law_.scratch.get());
      pass(leg, ahead);
      add({0, 0, from, leg.from, weak, ahead.weak, r});
      kinks_.push_back({period_.nodes.size(), ahead.theta, ahead.u, r});
    }
    if (period_.options.level > 0) piece_states_.front().get().assign(law_.scratch.get());
    add({0, 0, leg.from, leg.to, weak, false, r});
    period_.add_reversal(r + 1);
    if (r + 1 < legs()) law_.model.step(law_.scratch, leg.target, 0, law_.scratch);
  }
}

/// The next kink on the leg; false if there is none before its end.
bool EventNodes::find_kink(const Leg& leg, KinkAhead& ahead) const {
  // Nodes have a row of Fourier functions each: 200 MB at most.
  const std::size_t most_nodes =
      25'000'000 / static_cast<std::size_t>(fourier_size(period_.harmonics));
  ahead.u = law_.model.next_kink(law_.scratch, leg.direction);
  if (period_.nodes.size() > most_nodes || !(leg.direction * (leg.target - ahead.u) > 0))
    return false;
  ahead.theta = root_between(leg.from, leg.to, leg.direction > 0, [&](double x) {
    const FourierPoint p = motion_.at(x);
    return RootValue{p.value - ahead.u, p.slope};
  });
  return true;
}

/// Goes to the kink and looks whether the tangent jumps there.
void EventNodes::pass(Leg& leg, KinkAhead& ahead) {
  // Laws of many sliders have many kinks, all of the same kind and close to each other.
  const bool look = period_.options.level == 0 && (leg.kinks == 0 || ahead.theta - leg.from > 0.2);
  const double near = 1e-7 * (leg.target - ahead.u);
  const auto go = [&](double u, AnyState& to) {
    return law_.model.step(law_.scratch, u, 0, to).tangent;
  };
  const double before = look ? go(ahead.u - near, piece_walk_) : 0;
  go(ahead.u, law_.scratch);
  const double after = look ? go(ahead.u + near, piece_walk_) : 0;
  ahead.weak =
      look && std::abs(after - before) <= 1e-3 * std::max(std::abs(after), std::abs(before));
  leg.from = std::max(leg.from, ahead.theta);
  ++leg.kinks;
}

/// A function of order 2H over the piece, and some nodes for the bend of the law itself.
std::size_t EventNodes::wanted_nodes(const Piece& piece) const {
  const double length = piece.to - piece.from;
  const double wanted = piece.weak_start || piece.weak_end
                            ? 9 + 0.8 * period_.harmonics * length
                            : (length > 0.2 ? 8 : 5) + 0.52 * period_.harmonics * length;
  return static_cast<std::size_t>(std::ceil(wanted));
}

void EventNodes::add_nodes(const Piece& piece) {
  const GaussRule& rule = gauss(static_cast<int>(piece.count));
  const double length = piece.to - piece.from;
  for (std::size_t i = 0; i < piece.count; ++i) {
    const Share share = share_of(0.5 * (1 + rule.x[i]), piece.weak_start, piece.weak_end);
    period_.nodes.push_back(
        {piece.from + length * share.value, 0.5 * length * share.slope * rule.w[i], 0});
  }
}

/// The nodes of a piece, in parts if it is long.
void EventNodes::add_gauss(const Piece& piece, std::vector<Piece>& parts) {
  const std::size_t wanted = wanted_nodes(piece);
  const std::size_t count = (wanted + most_gauss_nodes - 1) / most_gauss_nodes;
  const double length = (piece.to - piece.from) / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double from = piece.from + static_cast<double>(i) * length;
    parts.push_back({period_.nodes.size(), (wanted + count - 1) / count, from, from + length,
                     piece.weak_start && i == 0, piece.weak_end && i + 1 == count, piece.reversal});
    add_nodes(parts.back());
  }
}

/// From the level of refinement 1 on, pieces are halved until the Fourier integrals of the halves
/// agree with those of the whole: laws can be singular where a piece begins (powers after a
/// reversal) or turn sharply inside it (two-state). Beyond 14 halvings, and beyond so many nodes of a
/// period, pieces stay as they are: forces that rounding has roughened never agree.
void EventNodes::add_piece(double from, double to, std::size_t depth, int halvings) {
  constexpr std::size_t most_nodes = 8192;
  constexpr int most_halvings = 14;
  const std::size_t first = period_.nodes.size();
  std::vector<Piece> parts;
  const auto add = [&](double begin, double end) {
    add_gauss({0, 0, begin, end, false, false, 0}, parts);
  };
  add(from, to);
  while (piece_states_.size() < depth + 2) piece_states_.push_back(law_.rest);
  const double middle = 0.5 * (from + to);
  const Eigen::VectorXd whole = piece_sum(first, depth);
  const std::size_t second = period_.nodes.size();
  add(from, middle);
  add(middle, to);
  const Eigen::VectorXd halves = piece_sum(second, depth);
  const auto cut = [&](std::size_t begin, std::size_t end) {
    period_.nodes.erase(period_.nodes.begin() + static_cast<std::ptrdiff_t>(begin),
                        period_.nodes.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const double tolerance = std::pow(0.01, period_.options.level) * 1e-8 * largest_force_;
  if ((whole - halves).cwiseAbs().maxCoeff() <= tolerance || halvings >= most_halvings ||
      first >= most_nodes) {
    cut(first, second);
    return;
  }
  cut(first, period_.nodes.size());
  add_piece(from, middle, depth, halvings + 1);
  law_.model.step(piece_states_[depth], motion_.at(middle).value, 0, piece_states_[depth + 1]);
  add_piece(middle, to, depth + 1, halvings + 1);
}

/// Fourier sums of the nodes from `first` on, for a law that starts from the state of that depth.
Eigen::VectorXd EventNodes::piece_sum(std::size_t first, std::size_t depth) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(fourier_size(period_.harmonics));
  Eigen::VectorXd row(fourier_size(period_.harmonics));
  piece_walk_.get().assign(piece_states_[depth].get());
  for (std::size_t i = first; i < period_.nodes.size(); ++i) {
    fourier_row(period_.nodes[i].theta, period_.harmonics, row);
    const double f = law_.model.step(piece_walk_, row.dot(motion_.q()), 0, piece_walk_).force;
    largest_force_ = std::max(largest_force_, std::abs(f));
    sum += period_.nodes[i].weight * f * row;
  }
  return sum;
}

/// How many nodes a piece needs for 3e-10 of the largest force. The force over the piece is a sum
/// of Legendre's polynomials; those below the number of nodes N are known, and their decay tells
/// the order K at which they no longer count. The rule is exact to the order 2N − 1, of which the
/// Fourier functions and the crowding of the nodes take their part.
std::size_t EventNodes::missing_nodes(const Piece& piece, std::size_t place) const {
  constexpr double tolerance = 3e-10;
  if (piece.count < 8 || piece.count >= most_gauss_nodes) return piece.count;
  const GaussRule& rule = gauss(static_cast<int>(piece.count));
  const auto n = static_cast<Eigen::Index>(piece.count);
  const Eigen::VectorXd::ConstMapType f(period_.loop.f.data() + place, n),
      u(period_.loop.u.data() + place, n);
  const double middle = (rule.middle * f).cwiseAbs().maxCoeff();
  // A force along the displacement is a Fourier sum, for which there are nodes enough.
  const double along = (f[n - 1] - f[0]) / (u[n - 1] - u[0]);
  const double tail = std::min((rule.tail * f).cwiseAbs().maxCoeff(),
                               (rule.tail * (f - along * u)).cwiseAbs().maxCoeff());
  const double ratio = tail / (tolerance * largest_force_);
  if (!(ratio > 1)) return piece.count;
  const double nodes = static_cast<double>(n);
  const double decay =
      std::log(std::max(middle / tail, 1.01)) / (nodes - 2 - std::floor(nodes / 2));
  const double order = nodes - 2 + std::log(ratio) / decay;
  const double functions = period_.harmonics * (piece.to - piece.from);
  const double wanted = piece.weak_start || piece.weak_end ? 0.5 * (order + 2 + 0.57 * functions)
                                                           : 0.5 * (order + 3 + 0.5 * functions);
  if (wanted <= 1.1 * nodes) return piece.count;
  return static_cast<std::size_t>(std::min<double>(most_gauss_nodes, std::ceil(wanted)));
}

void EventNodes::move_nodes(const std::vector<std::size_t>& counts) {
  const std::vector<JointPeriod::Node> old = std::move(period_.nodes);
  period_.nodes.clear();
  period_.counted.clear();
  std::size_t leg = 0, kink = 0;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    Piece& piece = pieces_[p];
    for (; leg < piece.reversal; ++leg) period_.add_reversal(leg + 1);
    for (; kink < kinks_.size() && kinks_[kink].node <= piece.first; ++kink)
      kinks_[kink].node = period_.nodes.size();
    const auto same = old.begin() + static_cast<std::ptrdiff_t>(piece.first);
    piece.first = period_.nodes.size();
    if (piece.count == counts[p]) {
      period_.nodes.insert(period_.nodes.end(), same,
                           same + static_cast<std::ptrdiff_t>(piece.count));
    } else {
      piece.count = counts[p];
      add_nodes(piece);
    }
    for (std::size_t i = 0; i < piece.count; ++i) period_.counted.push_back(piece.first + i);
  }
  for (; leg < legs(); ++leg) period_.add_reversal(leg + 1);
}

std::vector<std::size_t> EventNodes::wanted() {
  std::vector<std::size_t> counts;
  std::size_t place = 0;
  bool enough = true;
  for (const double f : period_.loop.f) largest_force_ = std::max(largest_force_, std::abs(f));
  for (const Piece& piece : pieces_) {
    counts.push_back(missing_nodes(piece, place));
    place += piece.count;
    enough = enough && counts.back() == piece.count;
  }
  if (enough) counts.clear();
  return counts;
}

}  // namespace microslip::dynamics
