#include <cmath>
#include <limits>

#include "microslip/core/text.hpp"
#include "piecewise.hpp"

/// The path is piecewise linear. On a piece the sliders S slip and the others stick; per unit of
/// |f|, with d the direction of the load,
///
///     K_SS v_S = d b_S,   x' = v,   r' = d b − K v,   so r_S stays at its limits.
///
/// The piece ends at the first stuck slider that reaches ±μ_i. There the direction v is found anew
/// among the sliders at their limits (σ_i v_i ≥ 0, σ_i r_i' ≤ 0, complementary), starting from the
/// present one: some may stick again. A reversal starts from nobody slipping.
///
/// Rows inside a piece are read off its line, so the rows of a history leave no trace in the path.
namespace microslip::friction {
namespace {

class EventSolver final : public PiecewiseSolver<EventSolver> {
 public:
  EventSolver(const System& system, const SolverOptions& options)
      : PiecewiseSolver(
            system, options,
            can_jump(system, options) ? BoxProblem::Use::anything : BoxProblem::Use::directions),
        jumps_(can_jump(system, options)) {}

  void start(const State& state) override {
    start_at(state);
    anchor_ = state.f;
    xi_ = system_.b().dot(x_);
    xi_rate_ = energy_rate_ = 0;
    on_leg_ = false;
  }

  Step advance(double f) override {
    Status status = Status::ok;
    if (f == f_) return {xi(), status};
    const int d = f > f_ ? 1 : -1;
    if (d != direction_ || !on_leg_) status = begin_leg(d);
    const std::size_t most = 200 * static_cast<std::size_t>(system_.size()) + 1000;
    // An event that misses the row by rounding belongs to the next one.
    const double slack = rounding * std::abs(f);
    for (std::size_t count = 0; status == Status::ok && d * (f - anchor_) > room_ + slack;
         ++count) {
      status = count > most ? Status::not_converged : jumps_ ? jump(f) : next_piece();
    }
    f_ = f;
    return {xi(), status};
  }

  Vector x() const override { return x_ + travelled() * problem_.delta(); }
  double xi() const override { return xi_ + travelled() * xi_rate_; }
  double tangent() const override { return direction_ * xi_rate_; }
  double dissipated() const override { return energy_ + travelled() * energy_rate_; }

  State state() const override {
    State result{f_, x(), side_, direction_};
    if (travelled() > 0) release(result.side);
    return result;
  }

  /// For next_event(): the first load at which the direction of the path changes.
  double load_of_next_event(int d) {
    if (begin_leg(d) != Status::ok) return anchor_;
    while (room_ <= 4 * std::numeric_limits<double>::epsilon() * std::abs(anchor_))
      if (next_piece() != Status::ok) return anchor_;
    return anchor_ + d * room_;
  }

 private:
  friend class PiecewiseSolver<EventSolver>;

  /// A jump passes over the events, so it cannot log them.
  static bool can_jump(const System& system, const SolverOptions& options) {
    return system.monotone() && !options.log_slips;
  }

  double limit(Index i) const { return system_.mu()[i]; }
  double travelled() const { return std::max(0.0, direction_ * (f_ - anchor_)); }

  double noise(Index i) const {
    return rounding * (std::abs(system_.b()[i]) + system_.row_scale()[i] * speed_);
  }

  /// Moves the anchor along the piece.
  void move(double length) {
    for (const Index i : problem_.moving()) x_[i] += length * problem_.delta()[i];
    for (Index i = 0; i < r_.size(); ++i)
      if (problem_.sign(i) == 0) r_[i] += length * problem_.r()[i];
    if (length > 0) release(side_);
    energy_ += length * energy_rate_;
  }

  /// Sliders at their limit whose force falls are no longer there.
  void release(std::vector<std::int8_t>& sides) const {
    for (Index i = 0; i < r_.size(); ++i) {
      std::int8_t& s = sides[std::size_t(i)];
      if (s != 0 && problem_.sign(i) == 0 && s * problem_.r()[i] < -noise(i)) s = 0;
    }
  }

  void set_bounds() {
    for (Index i = 0; i < r_.size(); ++i) set_bounds(i);
  }
  void set_bounds(Index i) {
    problem_.hi[i] = side(i) > 0 ? 0 : infinity;
    problem_.lo[i] = side(i) < 0 ? 0 : -infinity;
  }

  void find_forces() {
    synchronise(anchor_);
    xi_ = system_.b().dot(x_);
  }

  Status begin_leg(int d) {
    move(travelled());
    anchor_ = f_;
    find_forces();
    const std::vector<std::int8_t> before = signs();
    direction_ = d;
    on_leg_ = true;
    problem_.g = d * system_.b();
    set_bounds();
    problem_.reset();
    return finish(problem_.pivot(), before);
  }

  /// To the next event and over it.
  Status next_piece() {
    const double length = room_;
    // Who arrives is decided before anything moves.
    const std::vector<Index> at_limits = arriving(length);
    move(length);
    anchor_ += direction_ * length;
    for (const Index i : at_limits) {
      side(i) = static_cast<std::int8_t>(sign_of(problem_.r()[i]));
      r_[i] = side(i) * limit(i);
    }
    if (time_to_check()) {
      find_forces();
      problem_.refresh();
    }
    xi_ = system_.b().dot(x_);
    set_bounds();
    const std::vector<std::int8_t> before = signs();
    return finish(problem_.pivot(), before);
  }

  /// Where no slider sticks again, one increment of any size is exact.
  Status jump(double f) {
    const std::vector<std::int8_t> before = signs();
    problem_.g = r_ + system_.b() * (f - anchor_);
    problem_.hi = system_.mu();
    problem_.lo = -system_.mu();
    const Status status = problem_.blocks();
    if (status != Status::ok) return failed(status, "before", f);
    r_ = problem_.r();
    for (const Index i : problem_.moving()) {
      x_[i] += problem_.delta()[i];
      r_[i] = problem_.sign(i) * system_.mu()[i];
      energy_ += system_.mu()[i] * std::abs(problem_.delta()[i]);
    }
    side_ = sides_of(r_, system_.mu());
    anchor_ = f_ = f;
    xi_ = system_.b().dot(x_);
    problem_.g = direction_ * system_.b();
    set_bounds();
    problem_.keep();
    const Status onward = problem_.pivot();
    if (onward == Status::ok) return finish(onward, before);
    // This row is fine; a load beyond it is not, which the next leg will find.
    problem_.g.setZero();
    problem_.reset();
    xi_rate_ = energy_rate_ = 0;
    room_ = infinity;
    on_leg_ = false;
    return Status::ok;
  }

  Status failed(Status status, const char* where, double f) {
    if (status == Status::macroslip)
      trouble_ = slider_list(problem_.floating()) + " slide as a whole " + where + " the load " +
                 number_text(f);
    return status;
  }

  /// The rates of the new piece, how far it goes, and who slips now that did not before.
  Status finish(Status status, const std::vector<std::int8_t>& before) {
    if (status != Status::ok) return failed(status, "at", anchor_);
    xi_rate_ = energy_rate_ = 0;
    for (const Index i : problem_.moving()) {
      xi_rate_ += system_.b()[i] * problem_.delta()[i];
      energy_rate_ += limit(i) * std::abs(problem_.delta()[i]);
    }
    begin_piece(before, anchor_, 1);
    return status;
  }

  /// How far the load may go until slider i reaches a limit.
  double distance(Index i) const {
    if (problem_.sign(i) != 0) return infinity;
    const double rate = problem_.r()[i];
    if (!(std::abs(rate) > noise(i)) || side(i) * rate > 0) return infinity;
    return std::max(0.0, (limit(i) - sign_of(rate) * r_[i]) / std::abs(rate));
  }

  const bool jumps_;   ///< one implicit step replaces all events of a row
  double anchor_ = 0;  ///< where the present piece began; x and r are those there
  double xi_ = 0, xi_rate_ = 0, energy_rate_ = 0;
  bool on_leg_ = false;
};

}  // namespace

std::unique_ptr<Solver> make_event_solver(const System& system, const SolverOptions& options) {
  return std::make_unique<EventSolver>(system, options);
}

double next_event(const System& system, const State& state, int direction) {
  EventSolver solver(system, {});
  solver.start(state);
  return solver.load_of_next_event(direction);
}

}  // namespace microslip::friction
