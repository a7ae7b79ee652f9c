#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string_view>

namespace microslip {

/// What can go wrong inside a step, where nothing throws.
enum class Status : std::uint8_t {
  ok,
  out_of_memory,  ///< a history of turning points could not grow
  not_converged,  ///< an error-controlled step did not reach its tolerance
  undefined,      ///< the law has no answer for this motion
  unreachable,    ///< driven by force: the law cannot carry that force
  macroslip,      ///< some sliders slide as a whole: nothing balances the load
};

constexpr std::string_view explain(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::out_of_memory:
      return "out of memory while recording a turning point";
    case Status::not_converged:
      return "the step did not reach its tolerance";
    case Status::undefined:
      return "the law is undefined for this motion";
    case Status::unreachable:
      return "the law cannot carry this force";
    case Status::macroslip:
      return "macroslip: some sliders slide as a whole, and nothing balances the load";
  }
  return "unknown status";
}

/// What a step answers.
template <class Real>
struct Response {
  Real force;
  Real tangent;     ///< df/du, one-sided in the direction of the step
  Real dissipated;  ///< energy lost in this step; work = Δstored + dissipated
  Status status = Status::ok;
};

/// The force of rigid friction while it slides, and its derivatives.
template <class Real>
struct SlipForce {
  Real force, by_u, by_v;
};

/// What a law with given parameters says about rigid friction; see RigidLaw.
struct Rigidity {
  bool rigid = false;           ///< at rest it carries any force between two limits
  bool rate_dependent = false;  ///< while it slides, the force depends on velocity
  bool by_steps = false;        ///< a part of it knows velocities only through short steps
  /// Not rigid, but infinitely stiff at rest and right after each reversal: what disturbs a motion
  /// there is not small to it, and stability by linearisation says nothing.
  bool infinite_stiffness = false;
};

template <class Real>
using Vec2 = Eigen::Matrix<Real, 2, 1>;
template <class Real>
using Mat2 = Eigen::Matrix<Real, 2, 2>;

/// The same for a planar law.
template <class Real>
struct PlanarResponse {
  Vec2<Real> force;
  Mat2<Real> tangent;
  Real dissipated;
  Status status = Status::ok;
};

}  // namespace microslip
