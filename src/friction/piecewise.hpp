#pragma once

#include <algorithm>
#include <vector>

#include "box_problem.hpp"
#include "methods.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::friction {

/// The head of solvers whose path is made of linear pieces: on a piece the sliders S slip with the
/// velocities v = δ of the problem, the forces of the others change at its rates r', and the piece ends
/// where one of them reaches a limit. Own tells `limit(i)`, the friction limit of a slider now, and
/// `distance(i)`, how far the piece goes until the slider reaches one.
template <class Own>
class PiecewiseSolver : public Solver {
 public:
  std::size_t events() const override { return events_; }

 protected:
  PiecewiseSolver(const System& system, const SolverOptions& options,
                  BoxProblem::Use use = BoxProblem::Use::anything)
      : system_(system),
        problem_(system, use),
        x_(Vector::Zero(system.size())),
        r_(Vector::Zero(system.size())),
        side_(static_cast<std::size_t>(system.size()), 0),
        log_(options.log_slips) {}

  void start_at(const State& state) {
    x_ = state.x;
    r_ = ground_force(system_, state);
    side_ = state.side;
    f_ = state.f;
    direction_ = state.direction;
    problem_.g.setZero();
    problem_.reset();
    energy_ = 0;
    events_ = 0;
    unchecked_ = 0;
    room_ = infinity;
  }

  std::int8_t& side(Index i) { return side_[std::size_t(i)]; }
  std::int8_t side(Index i) const { return side_[std::size_t(i)]; }

  /// To which side each slider slips on the present piece.
  std::vector<std::int8_t> signs() const {
    std::vector<std::int8_t> result(side_.size());
    for (const Index i : problem_.moving())
      result[std::size_t(i)] = static_cast<std::int8_t>(problem_.sign(i));
    return result;
  }

  /// Who reaches a limit at the end of the piece; ties of the size of rounding arrive together.
  std::vector<Index> arriving(double length) const {
    std::vector<Index> result;
    for (Index i = 0; i < r_.size(); ++i)
      if (own().distance(i) <= length * (1 + 1e-14)) result.push_back(i);
    return result;
  }

  /// Whether r is to be found anew: a full evaluation costs as much as a few pieces.
  bool time_to_check() {
    constexpr int pieces_between_checks = 64;
    if (++unchecked_ < pieces_between_checks) return false;
    unchecked_ = 0;
    return true;
  }

  /// r under the load f from its definition, and x_S corrected so that the slipping sliders are at their
  /// limits again: nothing adds up over a long history.
  void synchronise(double f) {
    r_ = system_.b() * f - system_.times(x_);
    const auto& moving = problem_.moving();
    Vector excess(problem_.factor().size());
    for (Index k = 0; k < excess.size(); ++k) {
      const Index i = moving[std::size_t(k)];
      excess[k] = r_[i] - problem_.sign(i) * own().limit(i);
    }
    problem_.factor().solve_in_place(excess);
    system_.subtract_columns(moving, excess, r_);
    for (Index k = 0; k < excess.size(); ++k) x_[moving[std::size_t(k)]] += excess[k];
    for (Index i = 0; i < r_.size(); ++i) {
      const double most = own().limit(i);
      r_[i] = side(i) != 0 ? side(i) * most : std::clamp(r_[i], -most, most);
    }
  }

  /// How far the new piece goes from this load and factor on friction, and who slips now that did not before.
  void begin_piece(const std::vector<std::int8_t>& before, double f, double factor) {
    speed_ = 0;
    for (const Index i : problem_.moving()) {
      events_ += before[std::size_t(i)] == 0;
      speed_ += std::abs(problem_.delta()[i]);
    }
    room_ = infinity;
    for (Index i = 0; i < r_.size(); ++i) room_ = std::min(room_, own().distance(i));
    if (!log_) return;
    for (Index i = 0; i < r_.size(); ++i)
      if (const int now = problem_.sign(i); now != before[std::size_t(i)])
        slips_.push_back({f, i, now, factor});
  }

  const System& system_;
  BoxProblem problem_;  ///< its δ is v, its r is r'
  Vector x_, r_;
  std::vector<std::int8_t> side_;
  double f_ = 0, energy_ = 0;
  double speed_ = 0;        ///< Σ |v_i|
  double room_ = infinity;  ///< to the next event
  int direction_ = 0;
  std::size_t events_ = 0;

 private:
  const Own& own() const { return static_cast<const Own&>(*this); }
  bool log_;
  int unchecked_ = 0;
};

}  // namespace microslip::friction
