#pragma once

/// A row of held sliders (held_chain.hpp) along any path of its two ends, from event to event.
///
/// Only stretches of slipping sliders next to an end move; what lies between stuck ones does not. On
/// such a stretch friction is constant and all springs but the outermost are equal, so that velocities
/// are linear along it: with x_i = 1/k_end + (i−1)/k, the compliance between slider i and the end,
///
///     q̇_i = (1 − x_i/x_F) ḋ_1     for the sliders before the first stuck one, F (the front),
///     ḟ_1 = ḋ_1/x_F,
///
/// the same at the other end, and q̇_i = (1 − x_i/X) ḋ_1 + (x_i/X) ḋ_2 with X = 2/k_end + (n−1)/k where
/// all slip. Forces are linear in d until
///   - a front comes to its limit, where its force, which grows by ḋ_1/x_F (and ḋ_2/y_F if it is the
///     front of both ends), gets there, and joins the sliders that slip;
///   - an end turns: all sliders of its stretch stop;
///   - all slip and the ends move against each other: the slider at which the velocity is zero stops.
/// Which sliders move follows from the limits that they are at: on from each end those at the limit on
/// the side of its velocity. A slider that slipped stays at its limit until it is a front again, which
/// is how the row remembers where it turned.
///
/// Derivatives. A slider that stops keeps the place it has then, where its velocity is zero: its
/// derivatives are those by the displacements d at that place of the path, a seed, and by the places of
/// the sliders that were stuck already. They are carried from seed to seed. One kind of stop is sudden:
/// where the front of both ends lets go to one side and the next slider, which came from the other, would
/// be drawn back, that one stops with the velocity it has, and the time of the event counts.

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "microslip/friction/held_chain.hpp"

namespace microslip::friction {

class ChainWalk {
 public:
  /// What ends the linear course: cᵀd comes to `value` from below, or cᵀḋ falls to zero.
  struct Event {
    Eigen::Vector2d c;
    double value = 0;
    bool of_rate = false;
    Eigen::Index slider = 0;
    int side = 0;
  };

  explicit ChainWalk(HeldChain chain);

  /// Back to rest; without derivatives seeds cost nothing.
  void rest(bool with_derivatives);
  /// Straight to a place of the path, as HeldChain::step does; where the row was before is no part of
  /// the path.
  Status step(const Eigen::Vector2d& d);
  /// Chooses the sliders that move while the ends have velocities of these signs; the velocities
  /// themselves count where all may slip. True if sliders stop here: this place is the next seed.
  bool set_out(const Eigen::Vector2d& velocity);
  const std::vector<Event>& events() const { return events_; }
  /// Goes on to d, to which the forces are linear; `event` is what happens there, if anything.
  void go(const Eigen::Vector2d& d, const Event* event);

  Eigen::Vector2d force() const;
  Eigen::Matrix2d tangent() const;
  /// ∂f/∂d(seed) while the sliders move as chosen, two columns for each seed.
  Eigen::MatrixXd memory() const;
  Eigen::Index seeds() const { return seeds_; }
  double dissipated() const { return dissipated_; }
  const Eigen::VectorXd& q() const { return q_; }

 private:
  using Index = Eigen::Index;
  Index size() const { return q_.size(); }
  /// Compliances between slider i (from 0) and the left and the right end.
  double x(Index i) const { return soft_end_ + static_cast<double>(i) * soft_; }
  double y(Index i) const { return x(size() - 1 - i); }
  double whole() const { return x(size() - 1) + soft_end_; }
  Index left_front() const { return left_; }
  Index right_front() const { return size() - 1 - right_; }
  bool all() const { return left_ + right_ == size(); }
  double held(Index i) const;
  void remember(Index left, Index right, const Eigen::Vector2d& velocity);
  void find_events(int first, int last);

  HeldChain chain_;
  double soft_, soft_end_;  ///< compliances of the springs
  Eigen::Vector2d d_ = Eigen::Vector2d::Zero();
  Eigen::VectorXd q_;
  std::vector<std::int8_t> limit_;  ///< ±1: the slider is at its limit
  Index left_ = 0, right_ = 0;      ///< sliders that move with each end
  std::vector<Event> events_;
  bool let_go_ = false;  ///< the front of both ends just came to its limit
  double dissipated_ = 0;
  bool with_derivatives_ = false;
  Eigen::MatrixXd rows_;  ///< derivatives of the places of stuck sliders, two columns for each seed
  Index seeds_ = 0;
};

}  // namespace microslip::friction
