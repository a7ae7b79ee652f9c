#pragma once

#include <Eigen/Core>
#include <vector>

#include "microslip/core/response.hpp"

namespace microslip {

/// A law with several displacements on its way along a path of them, if its forces are linear in them from
/// event to event. It remembers displacements at some places of the path, the seeds.
class Walk {
 public:
  /// The linear course ends where cᵀu comes to `value` from below, or where cᵀu′ falls to zero.
  struct Event {
    Eigen::VectorXd c;
    double value = 0;
    bool of_rate = false;
  };

  virtual ~Walk() = default;
  /// Back to rest; derivatives cost something.
  virtual void rest(bool with_derivatives) = 0;
  /// Straight to a place of the path, as a step of the law does.
  virtual Status step(const Eigen::VectorXd& u) = 0;
  /// Begins a stretch on which no displacement changes the sign of its velocity, or goes on after an
  /// event. What comes to rest here remembers this place: the number of seeds grows.
  virtual void set_out(const Eigen::VectorXd& velocity) = 0;
  virtual const std::vector<Event>& events() const = 0;
  /// Goes on to u; `event` is the number of what happens there, −1 if nothing does.
  virtual void go(const Eigen::VectorXd& u, int event) = 0;

  virtual Eigen::VectorXd force() const = 0;
  /// Derivatives of the forces by u, and by the displacements at the seeds, until the next event.
  virtual Eigen::MatrixXd tangent() const = 0;
  virtual Eigen::MatrixXd memory() const = 0;
  virtual Eigen::Index seeds() const = 0;
  /// Since rest. Where friction limits change this holds for motions that are straight between two
  /// calls of `go`; over a period of another motion the work of the forces is the exact loss.
  virtual double dissipated() const = 0;
  /// All that it remembers, in units of displacement: the same numbers are the same state.
  virtual const Eigen::VectorXd& numbers() const = 0;
  /// Whether mirrored paths have mirrored forces.
  virtual bool odd() const = 0;
};

}  // namespace microslip
