#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "dynamics/joint/closed_loop.hpp"
#include "dynamics/joint/event_nodes.hpp"

namespace microslip::dynamics {

/// The forces of a rate-independent law over its closed loop, node by node, and the Jacobian of their
/// Fourier coefficients.
class EventLoop {
 public:
  EventLoop(JointPeriod& period, ClosedLoop& closed, EventNodes& nodes)
      : period_(period), law_(period.law), motion_(period.motion), closed_(closed), nodes_(nodes) {}

  void run();
  /// With derivatives by the reversals.
  bool run_with_memory();
  void jacobian_from_reversals();
  /// Where the force jumps at a kink, which moves with the motion.
  void add_breaks();
  /// A row per node with a weight: force by reversals.
  const RowMatrix& memory() const { return memory_; }

 private:
  bool run_chunk(Eigen::Index chunk);
  void keep(std::size_t place, const JointPeriod::Node& node, const WideDual& f,
            Eigen::Index chunk);
  bool refine(bool with_jacobian);
  void move_results(const std::vector<EventNodes::Piece>& before, bool with_jacobian);
  bool run_piece(const EventNodes::Piece& piece, std::size_t place, bool with_jacobian);

  JointPeriod& period_;
  LawWalk& law_;
  const PeriodicMotion& motion_;
  ClosedLoop& closed_;
  EventNodes& nodes_;
  RowMatrix memory_, old_basis_, old_memory_;
  std::vector<WideDual> dual_u_, dual_f_;
};

}  // namespace microslip::dynamics
