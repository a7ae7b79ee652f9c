#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "piecewise.hpp"

/// Friction limits γ μ whose factor γ changes with the load f, both at constant rates f' and γ' along a
/// step of length 1. On a piece the sliders S slip and the others stick:
///
///     K_SS v_S = f' b_S − γ' σ_S μ_S,   x' = v,   r' = f' b − K v,   so r_S follows its limits σ γ μ.
///
/// The piece ends where a stuck slider reaches ±γμ_i, both of which move. There, and where a step begins,
/// the direction v is found anew among the sliders at their limits: σ_i v_i ≥ 0, σ_i r_i' ≤ γ' μ_i,
/// complementary. Where γ is zero every slider is at both of its limits.
///
/// Velocities are constant on a piece and γ is linear, so that the energy Σ ∫ γ μ_i |v_i| is exact.
namespace microslip::friction {
namespace {

class VaryingSolver final : public PiecewiseSolver<VaryingSolver> {
 public:
  VaryingSolver(const System& system, const SolverOptions& options)
      : PiecewiseSolver(system, options) {}

  void start(const State& state) override {
    start_at(state);
    factor_ = state.factor;
  }

  Step advance(double f) override { return advance_with(f, factor_); }

  Step advance_with(double f, double factor) override {
    check_factor(factor);
    f_rate_ = f - f_;
    factor_rate_ = factor - factor_;
    if (f_rate_ == 0 && factor_rate_ == 0) return {xi(), Status::ok};
    if (f_rate_ != 0) direction_ = sign_of(f_rate_);
    problem_.g = f_rate_ * system_.b();
    set_bounds();
    std::vector<std::int8_t> before = signs();
    Status status = finish(problem_.blocks(), before);
    const std::size_t most = 200 * static_cast<std::size_t>(system_.size()) + 1000;
    double left = 1;
    // An event that misses the end by rounding belongs to the next step.
    for (std::size_t count = 0; status == Status::ok && room_ < left * (1 - rounding); ++count) {
      if (count > most) return {xi(), Status::not_converged};
      left = std::max(0.0, left - room_);
      before = signs();
      arrive(room_);
      set_bounds();
      status = finish(problem_.pivot(), before);
    }
    if (status != Status::ok) return {xi(), status};
    move(left);
    f_ = f;
    factor_ = factor;
    if (factor_ == 0) r_.setZero();
    check_now_and_then();
    return {xi(), status};
  }

  Vector x() const override { return x_; }
  double xi() const override { return system_.b().dot(x_); }
  double dissipated() const override { return energy_; }
  State state() const override { return {f_, x_, side_, direction_, {}, factor_}; }

  /// By the load alone, with the sliders that slip now.
  double tangent() const override {
    Vector share(problem_.factor().size());
    for (Index k = 0; k < share.size(); ++k)
      share[k] = system_.b()[problem_.moving()[std::size_t(k)]];
    Vector rate = share;
    problem_.factor().solve_in_place(rate);
    return share.dot(rate);
  }

 private:
  friend class PiecewiseSolver<VaryingSolver>;

  double limit(Index i) const { return factor_ * system_.mu()[i]; }
  double limit_rate(Index i) const { return factor_rate_ * system_.mu()[i]; }
  double noise(Index i) const {
    return rounding * (std::abs(f_rate_ * system_.b()[i]) + std::abs(limit_rate(i)) +
                       system_.row_scale()[i] * speed_);
  }
  /// How fast slider i comes nearer to its limit on a side (±1).
  double approach(Index i, int side) const { return side * problem_.r()[i] - limit_rate(i); }

  void set_bounds() {
    for (Index i = 0; i < r_.size(); ++i) {
      problem_.hi[i] = side(i) > 0 || factor_ == 0 ? limit_rate(i) : infinity;
      problem_.lo[i] = side(i) < 0 || factor_ == 0 ? -limit_rate(i) : -infinity;
    }
  }

  /// The part of the step until slider i reaches a limit.
  double distance(Index i) const {
    if (problem_.sign(i) != 0) return infinity;
    double nearest = infinity;
    for (const int to : {1, -1}) {
      const double rate = approach(i, to);
      if (!(rate > noise(i)) || side(i) == to) continue;
      nearest = std::min(nearest, std::max(0.0, (limit(i) - to * r_[i]) / rate));
    }
    return nearest;
  }

  void move(double length) {
    if (!(length > 0)) return;
    for (const Index i : problem_.moving()) {
      const double way = length * problem_.delta()[i];
      x_[i] += way;
      energy_ += system_.mu()[i] * (factor_ + 0.5 * length * factor_rate_) * std::abs(way);
    }
    const bool both = factor_ == 0;
    f_ += length * f_rate_;
    factor_ = std::max(0.0, factor_ + length * factor_rate_);
    for (Index i = 0; i < r_.size(); ++i) {
      std::int8_t& now = side(i);
      if (problem_.sign(i) != 0) {
        now = static_cast<std::int8_t>(problem_.sign(i));
        r_[i] = now * limit(i);
        continue;
      }
      r_[i] += length * problem_.r()[i];
      // Those at their limit whose force falls behind it are no longer there.
      if (both) now = static_cast<std::int8_t>(sign_of(r_[i]));
      if (now != 0 && approach(i, now) < -noise(i)) now = 0;
      if (now != 0) r_[i] = now * limit(i);
    }
  }

  /// To the next event. Who arrives is decided before anything moves.
  void arrive(double length) {
    const std::vector<Index> at_limits = arriving(length);
    std::vector<std::int8_t> to;
    for (const Index i : at_limits) {
      // The limit that is nearer on the way.
      const double up = approach(i, 1), down = approach(i, -1);
      const bool upper = up > noise(i) && (!(down > noise(i)) ||
                                           (limit(i) - r_[i]) * down <= (limit(i) + r_[i]) * up);
      to.push_back(static_cast<std::int8_t>(upper ? 1 : -1));
    }
    move(length);
    for (std::size_t k = 0; k < at_limits.size(); ++k) {
      side(at_limits[k]) = to[k];
      r_[at_limits[k]] = to[k] * limit(at_limits[k]);
    }
    check_now_and_then();
  }

  void check_now_and_then() {
    if (!time_to_check()) return;
    synchronise(f_);
    problem_.refresh();
  }

  /// How far the new piece goes, and who slips now that did not before.
  Status finish(Status status, const std::vector<std::int8_t>& before) {
    if (status == Status::macroslip)
      trouble_ = slider_list(problem_.floating()) + " slide as a whole at the load " +
                 number_text(f_) + " and the factor " + number_text(factor_) + " on friction";
    if (status != Status::ok) return status;
    begin_piece(before, f_, factor_);
    return status;
  }

  double factor_ = 1;
  double f_rate_ = 0, factor_rate_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_varying_solver(const System& system, const SolverOptions& options) {
  return std::make_unique<VaryingSolver>(system, options);
}

}  // namespace microslip::friction
