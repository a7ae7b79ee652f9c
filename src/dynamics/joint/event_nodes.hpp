#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "dynamics/joint/joint_period.hpp"

namespace microslip::dynamics {

/// Where the nodes of a period of a rate-independent law lie: between reversals and kinks, as many as
/// the law needs there.
class EventNodes {
 public:
  /// The nodes between two events.
  struct Piece {
    std::size_t first, count;
    double from, to;
    bool weak_start, weak_end;  ///< kinks that leave the tangent continuous
    std::size_t reversal;       ///< the last one
  };
  /// Where a law changes its course between two reversals, before a node.
  struct Kink {
    std::size_t node;
    double theta, u;
    std::size_t reversal;  ///< the last one
  };

  explicit EventNodes(JointPeriod& period);

  /// For a law that stands at the start of the closed loop. Of a symmetric loop the first half.
  void plan(bool symmetric);
  /// Without pieces, for nodes that are given.
  void forget() {
    pieces_.clear();
    period_.half = false;
  }
  /// How many nodes the forces of the loop ask for, piece by piece; empty if there are enough.
  std::vector<std::size_t> wanted();
  void move_nodes(const std::vector<std::size_t>& counts);

  const std::vector<Piece>& pieces() const { return pieces_; }
  const std::vector<Kink>& kinks() const { return kinks_; }
  double largest_force() const { return largest_force_; }

 private:
  using Leg = PeriodicMotion::Leg;
  struct KinkAhead {
    double theta, u;
    bool weak = false;  ///< the tangent is continuous there
  };

  std::size_t legs() const {
    return period_.half ? motion_.reversals().size() / 2 : motion_.reversals().size();
  }
  bool find_kink(const Leg& leg, KinkAhead& ahead) const;
  void pass(Leg& leg, KinkAhead& ahead);
  std::size_t wanted_nodes(const Piece& piece) const;
  void add_nodes(const Piece& piece);
  void add_gauss(const Piece& piece, std::vector<Piece>& parts);
  void add_piece(double from, double to, std::size_t depth, int halvings);
  Eigen::VectorXd piece_sum(std::size_t first, std::size_t depth);
  std::size_t missing_nodes(const Piece& piece, std::size_t place) const;

  JointPeriod& period_;
  LawWalk& law_;
  const PeriodicMotion& motion_;
  std::vector<Piece> pieces_;
  std::vector<Kink> kinks_;
  AnyState piece_walk_;
  std::vector<AnyState> piece_states_;
  double largest_force_ = 0;
};

}  // namespace microslip::dynamics
