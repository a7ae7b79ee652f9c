#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>

#include "microslip/core/field.hpp"
#include "microslip/core/info.hpp"
#include "microslip/core/response.hpp"
#include "microslip/core/walk.hpp"

/// The contract between a law and everything that uses laws.
///
/// A law is a class template over `Real` (double or Dual<N>) with four nested roles:
///   Params    the numbers a person sets, with a constexpr table `fields`
///   Options   numerical knobs that are never fitted (NoOptions if there are none)
///   State     history only, a value with members `u` and `f` and a table `fields`
///   the law   immutable; built from Params and Options, which it checks
/// plus `info`, `rest()`, `step`, `stored` and `next_kink`, and `rigidity` and `slip` if its force
/// jumps where the motion turns (RigidLaw).
///
/// `step(from, u, to)` reads `from`, writes `to` (they may be the same object), remembers nothing,
/// does not throw, and does not allocate once `to` has seen as long a history. It is exact or
/// error-controlled for any size of step. u == from.u returns the committed force.
///
/// On dual numbers a law may also bring `run(u, state, f)`, which takes many steps at once without
/// their losses, faster but the same to rounding, and answers whether it did.
///
/// A law that changes for good with every cycle of a periodic motion (damage, wear) says so by a function
/// `repeats` that answers false: analyses of periodic motion refuse it.
///
/// A state may keep what follows from its fields, to save time: a member that `kept` points to, and
/// a function `forget`, which is called after the fields were written from outside.
///
/// A law with several directions (VectorLaw) names them in `directions`; everything else is the same.
///
/// A law may also bring `fit_hints` (core/fit_hints.hpp), and a formula for its first harmonic or,
/// if it is linear, its dynamic stiffness (core/first_harmonic.hpp).
///
/// Along a monotone motion the force is smooth up to `next_kink`, which lies strictly ahead of the
/// state, or is infinite in the direction of the motion.
namespace microslip {

template <class M>
concept Described = complete(M::info) && requires {
  typename M::Scalar;
  typename M::Params;
  typename M::Options;
  typename M::State;
  {std::tuple_size_v<std::remove_cvref_t<decltype(M::Params::fields)>>};
  {std::tuple_size_v<std::remove_cvref_t<decltype(M::Options::fields)>>};
  {std::tuple_size_v<std::remove_cvref_t<decltype(M::State::fields)>>};
  requires std::constructible_from<M, const typename M::Params&, const typename M::Options&>;
  requires std::copyable<typename M::State>;
} && requires(const M& law, const typename M::State& state) {
  { law.rest() } -> std::same_as<typename M::State>;
  { law.stored(state) }
  noexcept->std::same_as<typename M::Scalar>;
};

/// Force depends on the path of displacement, not on its speed.
template <class M>
concept RateIndependentLaw = Described<M> &&
    requires(const M& law, const typename M::State& from, typename M::State& to,
             const typename M::Scalar& u, int direction) {
  { law.step(from, u, to) }
  noexcept->std::same_as<Response<typename M::Scalar>>;
  { law.next_kink(from, direction) }
  noexcept->std::same_as<typename M::Scalar>;
};

/// Force also depends on time. Over a step the velocity is constant; dt = 0 is allowed only for
/// u == from.u, and dt = ∞ means an infinitely slow motion (used to reach a first row). `force` is
/// that where the state is, in motion at a velocity: after a step it is, at the velocity of the step,
/// the force of the step.
template <class M>
concept RateDependentLaw = Described<M> &&
    requires(const M& law, const typename M::State& from, typename M::State& to,
             const typename M::Scalar& u, double dt, int direction) {
  { law.step(from, u, dt, to) }
  noexcept->std::same_as<Response<typename M::Scalar>>;
  { law.force(from, u) }
  noexcept->std::same_as<ForceInMotion<typename M::Scalar>>;
  { law.next_kink(from, direction) }
  noexcept->std::same_as<typename M::Scalar>;
};

/// Names of the directions of laws: in the plane; along a surface and against it; all three. A
/// normal direction stands last, and its displacement is positive where the surfaces approach.
namespace directions {
inline constexpr std::array<std::string_view, 2> plane{"x", "y"};
inline constexpr std::array<std::string_view, 2> contact{"t", "n"};
inline constexpr std::array<std::string_view, 3> space{"x", "y", "n"};
}  // namespace directions

/// How many directions a law has.
template <class M>
inline constexpr int direction_count = 1;
template <class M>
requires requires { M::directions.size(); }
inline constexpr int direction_count<M> = static_cast<int>(M::directions.size());

/// Displacement and force are vectors with one component for each of `directions`. `next_kink`
/// answers which part λ of the straight motion u + λ `along` is smooth: λ > 0, infinite if all is.
template <class M>
concept VectorLaw = Described<M> &&(direction_count<M> > 1) &&
                    (direction_count<M> <= most_directions) &&
                    requires(const M& law, const typename M::State& from, typename M::State& to,
                             const Vec<typename M::Scalar, direction_count<M>>& u) {
  { law.step(from, u, to) }
  noexcept->std::same_as<VectorResponse<typename M::Scalar, direction_count<M>>>;
  { law.next_kink(from, u) }
  noexcept->std::same_as<typename M::Scalar>;
};

/// Whether a member of a state always has the same size.
template <class Member>
inline constexpr bool of_fixed_size = Number<Member> || std::is_arithmetic_v<Member>;
template <class Member, std::size_t n>
inline constexpr bool of_fixed_size<std::array<Member, n>> = of_fixed_size<Member>;
template <class Member, int rows, int columns>
inline constexpr bool of_fixed_size<Eigen::Matrix<Member, rows, columns>> = rows > 0 && columns > 0;

/// Follows from the table of its states.
template <class M>
inline constexpr StateSize state_size = std::apply(
    [](const auto&... row) {
      return (of_fixed_size<
                  std::remove_cvref_t<decltype(std::declval<typename M::State>().*(row.member))>> &&
              ...)
                 ? StateSize::fixed
                 : StateSize::growing;
    },
    M::State::fields);

/// Declares which of its parameters are friction limits (`friction_limits`, their names), and can
/// step while a load changes them: all are multiplied by a factor that is linear along the step.
/// What is above a falling limit slips down to it, and that is dissipated.
template <class M>
concept LoadedLaw = Described<M> && requires {
  M::friction_limits.size();
};

/// Several directions, and a force that is linear in the displacements from event to event: `walk`
/// goes along a path by these events.
template <class M>
concept WalkedLaw = VectorLaw<M> && requires(const M& law) {
  { law.walk() } -> std::same_as<std::unique_ptr<Walk>>;
};

/// Rigid (set-valued) friction. At rest the law carries any force between two limits, which `step`
/// cannot say; in motion its force follows from the side towards which it slides (±1), its place and
/// its velocity. `slip` gives that force with derivatives, at a place u where the state is or ahead
/// of it on that side. The limits are slip at the place of the state with v = 0; a velocity against
/// the side counts as 0 for the friction.
///
/// `rigidity` says whether these parameters and options make the law rigid. A law that is rigid for
/// some of them satisfies this concept.
template <class M>
concept RigidLaw = (RateIndependentLaw<M> ||
                    RateDependentLaw<M>)&&requires(const M& law, const typename M::State& state,
                                                   int side, const typename M::Scalar& u,
                                                   const typename M::Scalar& v) {
  { law.rigidity() }
  noexcept->std::same_as<Rigidity>;
  { law.slip(state, side, u, v) }
  noexcept->std::same_as<SlipForce<typename M::Scalar>>;
};

template <class M>
concept AnyLaw = RateIndependentLaw<M> || RateDependentLaw<M> || VectorLaw<M>;

/// Lets code that knows only rate-dependent laws use a rate-independent one.
template <RateIndependentLaw M>
struct Timeless : M {
  using M::M;
  Response<typename M::Scalar> step(const typename M::State& from, const typename M::Scalar& u,
                                    double /*dt*/, typename M::State& to) const noexcept {
    return M::step(from, u, to);
  }
  ForceInMotion<typename M::Scalar> force(const typename M::State& at,
                                          const typename M::Scalar& /*v*/) const noexcept {
    return {at.f, typename M::Scalar(0)};
  }
};

}  // namespace microslip
