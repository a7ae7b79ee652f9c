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

/// The force of a law where its state is, in motion at a velocity, and its derivative by that.
template <class Real>
struct ForceInMotion {
  Real force, by_v;
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
  /// Not rigid, but infinitely stiff at rest and right after each reversal: what disturbs a motion
  /// there is not small to it, and stability by linearisation says nothing.
  bool infinite_stiffness = false;
};

/// A law has at most so many directions.
inline constexpr int most_directions = 3;

/// Displacements and forces of a law with N directions: the tangential ones first, the normal one
/// last. With Eigen::Dynamic (behind a hidden type) the memory is inside, too: nothing allocates.
template <class Real, int N>
using Vec = Eigen::Matrix<Real, N, 1, 0, N == Eigen::Dynamic ? most_directions : N, 1>;
template <class Real, int N>
using Mat = Eigen::Matrix<Real, N, N, 0, N == Eigen::Dynamic ? most_directions : N,
                          N == Eigen::Dynamic ? most_directions : N>;
template <class Real>
using Vec2 = Vec<Real, 2>;
template <class Real>
using Mat2 = Mat<Real, 2>;
template <class Real>
using AnyVec = Vec<Real, Eigen::Dynamic>;
template <class Real>
using AnyMat = Mat<Real, Eigen::Dynamic>;

/// The same for a law with several directions. The tangent of friction is not symmetric where the
/// normal force changes.
template <class Real, int N>
struct VectorResponse {
  Vec<Real, N> force;
  Mat<Real, N> tangent;  ///< ∂f_i/∂u_j, one-sided in the direction of the step
  Real dissipated;
  Status status = Status::ok;

  VectorResponse<Real, Eigen::Dynamic> of_any_size() const {
    return {force, tangent, dissipated, status};
  }
};
template <class Real>
using PlanarResponse = VectorResponse<Real, 2>;
/// Behind a hidden type.
template <class Real>
using AnyResponse = VectorResponse<Real, Eigen::Dynamic>;

/// Factors of the friction limits of a law at both ends of a step, linear between them; see
/// LoadedLaw.
template <class Real>
struct LimitFactors {
  Real from, to;
};

}  // namespace microslip
