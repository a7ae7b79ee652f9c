#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "laws/samples.hpp"
#include "microslip/catalog/catalog.hpp"

/// What the checks need to treat all laws alike. They work on the face that every law shows at run
/// time, so they are compiled once: for P = double, and for P = Vec<double, 2> and Vec<double, 3>, laws
/// with several directions.
namespace microslip::laws {

/// A law under test, with what it says about its tests.
struct Subject {
  catalog::Law law;
  LawSamples samples;

  const std::string& name() const { return law.description.name; }
  /// The force depends on time.
  bool timed() const { return law.description.family == Family::rate_dependent; }
  /// A law cannot where they depend on the velocity.
  bool tells_kinks() const { return !samples.kinks_depend_on_velocity; }
  /// All parameters: those given, the others at their defaults.
  ParameterValues complete(const ParameterValues& given) const;
};

template <class P>
inline constexpr bool planar = !std::is_same_v<P, double>;
template <class P>
inline constexpr int size_of = 1;
template <int N>
inline constexpr int size_of<Eigen::Matrix<double, N, 1>> = N;

/// df/du
template <class P>
using Tangent = std::conditional_t<planar<P>, Mat<double, size_of<P>>, double>;
template <class P>
using Reply = std::conditional_t<planar<P>, VectorResponse<double, size_of<P>>, Response<double>>;

// ---------------------------------------------------------------- numbers and vectors alike

inline double magnitude(double x) { return std::abs(x); }
template <class Derived>
double magnitude(const Eigen::MatrixBase<Derived>& x) {
  return x.norm();
}
inline double dot(double x, double y) { return x * y; }
template <int N>
double dot(const Eigen::Matrix<double, N, 1>& x, const Eigen::Matrix<double, N, 1>& y) {
  return x.dot(y);
}
inline bool finite(double x) { return std::isfinite(x); }
template <class Derived>
bool finite(const Eigen::MatrixBase<Derived>& x) {
  return x.allFinite();
}
template <class R>
bool finite_reply(const R& reply) {
  return finite(reply.force) && finite(reply.tangent) && finite(reply.dissipated);
}

template <class P>
P along_x(double x) {
  if constexpr (planar<P>)
    return x * P::Unit(0);
  else
    return x;
}
/// The same in every direction.
template <class P>
P everywhere(double x) {
  if constexpr (planar<P>)
    return P::Constant(x);
  else
    return x;
}

std::string text(double x);
/// "(1, 2)"; a matrix row by row.
template <class Derived>
std::string text(const Eigen::MatrixBase<Derived>& x) {
  std::string result;
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    for (Eigen::Index j = 0; j < x.cols(); ++j)
      result += (i + j == 0 ? "" : j == 0 && x.cols() > 1 ? "; " : ", ") + text(x(i, j));
  return "(" + result + ")";
}

/// The numbers of an answer, for comparison bit by bit.
inline std::vector<double> numbers(double x) { return {x}; }
template <int N>
std::vector<double> numbers(const Eigen::Matrix<double, N, 1>& x) {
  return {x.data(), x.data() + N};
}
std::vector<double> numbers(const Response<double>& reply);
template <int N>
std::vector<double> numbers(const VectorResponse<double, N>& reply) {
  std::vector<double> result = numbers(reply.force);
  result.insert(result.end(), reply.tangent.data(), reply.tangent.data() + N * N);
  result.insert(result.end(), {reply.dissipated, static_cast<double>(reply.status)});
  return result;
}
std::vector<double> numbers(const StateRecord& record);
bool same_bits(const std::vector<double>& a, const std::vector<double>& b);

// -------------------------------------------------------------------------- law and state

/// A state with the displacement and force it was left at, so that reading them costs nothing.
template <class P>
struct State {
  AnyState hidden;
  P u, f;

  explicit State(AnyState state) : hidden(std::move(state)), u(along_x<P>(0)), f(along_x<P>(0)) {}
  State(const State&) = default;
  State(State&&) noexcept = default;
  ~State() = default;
  /// Uses the memory of the state again, as a law's own state does.
  State& operator=(const State& other) {
    if (this != &other) hidden.get().assign(other.hidden.get());
    u = other.u;
    f = other.f;
    return *this;
  }
};

/// Thrown where a law answers that it has no answer.
struct Undefined {};
inline bool has_no_answer(Status status) {
  return status == Status::undefined || status == Status::macroslip;
}

template <class P>
class Model {
 public:
  explicit Model(AnyModel model);

  const AnyModel& any() const { return model_; }
  /// The law answers a displacement to a load: then the work is that of the load on the answer.
  bool driven_by_force() const { return model_.description().driven == Driven::force; }
  const State<P>& rest() const { return rest_; }

  Reply<P> step(const State<P>& from, const P& u, [[maybe_unused]] double dt, State<P>& to) const {
    const P target = u;  // may be a part of `to`
    Reply<P> reply;
    if constexpr (planar<P>) {
      const AnyResponse<double> any = model_.step(from.hidden, target, to.hidden);
      reply = {any.force, any.tangent, any.dissipated, any.status};
    } else {
      reply = model_.step(from.hidden, target, dt, to.hidden);
    }
    if (has_no_answer(reply.status)) throw Undefined{};
    to.u = target;
    to.f = reply.force;
    return reply;
  }
  double stored(const State<P>& state) const { return model_.stored(state.hidden); }
  /// Where a scalar law stops being smooth.
  double next_kink(const State<P>& state, int direction) const {
    return model_.next_kink(state.hidden, direction);
  }
  /// The part of a motion to u that is smooth, 1 at most.
  double smooth_part(const State<P>& state, const P& u) const {
    if constexpr (planar<P>) {
      return std::min(1.0, model_.next_kink(state.hidden, P(u - state.u)));
    } else {
      const double kink = next_kink(state, u > state.u ? 1 : -1);
      return std::min(1.0, (kink - state.u) / (u - state.u));
    }
  }
  StateRecord save(const State<P>& state) const { return model_.save(state.hidden); }

  /// A state full of what must not matter; `record` says of which size.
  State<P> poisoned(StateRecord record) const;

 private:
  AnyModel model_;
  State<P> rest_;
};

// ------------------------------------------------- scalar entries of a parameter set

/// A number that can be varied by itself: a scalar parameter or an element of a list.
struct Entry {
  std::string name;  ///< "k", "w[2]"
  std::string parameter;
  std::size_t index;
  Interval bounds;
};
std::vector<Entry> entries(const Subject& subject, const ParameterValues& values);
double& entry(ParameterValues& values, const Entry& which);
double entry(const ParameterValues& values, const Entry& which);

std::string text_of(const Subject& subject, const ParameterValues& values);

}  // namespace microslip::laws
