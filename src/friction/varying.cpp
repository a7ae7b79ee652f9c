#include <algorithm>
#include <cmath>
#include <limits>

#include "box_problem.hpp"
#include "methods.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"

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

/// Between full evaluations of r = b f − K x; each costs as much as a few pieces.
constexpr int pieces_between_checks = 64;

class VaryingSolver final : public Solver {
 public:
  VaryingSolver(const System& system, const SolverOptions& options)
      : system_(system),
        problem_(system),
        x_(Vector::Zero(system.size())),
        r_(Vector::Zero(system.size())),
        side_(static_cast<std::size_t>(system.size()), 0),
        log_(options.log_slips) {}

  void start(const State& state) override {
    x_ = state.x;
    r_ = ground_force(system_, state);
    side_ = state.side;
    f_ = state.f;
    factor_ = state.factor;
    direction_ = state.direction;
    problem_.g.setZero();
    problem_.reset();
    energy_ = 0;
    events_ = 0;
    unchecked_ = 0;
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
  std::size_t events() const override { return events_; }
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
      const int side = side_[std::size_t(i)];
      problem_.hi[i] = side > 0 || factor_ == 0 ? limit_rate(i) : infinity;
      problem_.lo[i] = side < 0 || factor_ == 0 ? -limit_rate(i) : -infinity;
    }
  }

  /// The part of the step until slider i reaches a limit.
  double distance(Index i) const {
    if (problem_.sign(i) != 0) return infinity;
    double nearest = infinity;
    for (const int side : {1, -1}) {
      const double rate = approach(i, side);
      if (!(rate > noise(i)) || side_[std::size_t(i)] == side) continue;
      nearest = std::min(nearest, std::max(0.0, (limit(i) - side * r_[i]) / rate));
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
      std::int8_t& side = side_[std::size_t(i)];
      if (problem_.sign(i) != 0) {
        side = static_cast<std::int8_t>(problem_.sign(i));
        r_[i] = side * limit(i);
        continue;
      }
      r_[i] += length * problem_.r()[i];
      // Those at their limit whose force falls behind it are no longer there.
      if (both) side = static_cast<std::int8_t>(sign_of(r_[i]));
      if (side != 0 && approach(i, side) < -noise(i)) side = 0;
      if (side != 0) r_[i] = side * limit(i);
    }
  }

  /// To the next event. Who arrives is decided before anything moves; ties of the size of rounding arrive
  /// together.
  void arrive(double length) {
    std::vector<Index> arriving;
    for (Index i = 0; i < r_.size(); ++i)
      if (distance(i) <= length * (1 + 1e-14)) arriving.push_back(i);
    std::vector<std::int8_t> to;
    for (const Index i : arriving) {
      // The limit that is nearer on the way.
      const double up = approach(i, 1), down = approach(i, -1);
      const bool upper = up > noise(i) && (!(down > noise(i)) ||
                                           (limit(i) - r_[i]) * down <= (limit(i) + r_[i]) * up);
      to.push_back(static_cast<std::int8_t>(upper ? 1 : -1));
    }
    move(length);
    for (std::size_t k = 0; k < arriving.size(); ++k) {
      side_[std::size_t(arriving[k])] = to[k];
      r_[arriving[k]] = to[k] * limit(arriving[k]);
    }
    check_now_and_then();
  }

  /// r from its definition, and x_S corrected so that the slipping sliders are at their limits again:
  /// nothing adds up over a long history.
  void check_now_and_then() {
    if (++unchecked_ < pieces_between_checks) return;
    unchecked_ = 0;
    r_ = system_.b() * f_ - system_.times(x_);
    const auto& moving = problem_.moving();
    Vector excess(problem_.factor().size());
    for (Index k = 0; k < excess.size(); ++k) {
      const Index i = moving[std::size_t(k)];
      excess[k] = r_[i] - problem_.sign(i) * limit(i);
    }
    problem_.factor().solve_in_place(excess);
    system_.subtract_columns(moving, excess, r_);
    for (Index k = 0; k < excess.size(); ++k) x_[moving[std::size_t(k)]] += excess[k];
    for (Index i = 0; i < r_.size(); ++i) {
      const int side = side_[std::size_t(i)];
      r_[i] = side != 0 ? side * limit(i) : std::clamp(r_[i], -limit(i), limit(i));
    }
    problem_.refresh();
  }

  std::vector<std::int8_t> signs() const {
    std::vector<std::int8_t> result(side_.size());
    for (const Index i : problem_.moving())
      result[std::size_t(i)] = static_cast<std::int8_t>(problem_.sign(i));
    return result;
  }

  /// How far the new piece goes, and who slips now that did not before.
  Status finish(Status status, const std::vector<std::int8_t>& before) {
    if (status == Status::macroslip)
      trouble_ = slider_list(problem_.floating()) + " slide as a whole at the load " +
                 number_text(f_) + " and the factor " + number_text(factor_) + " on friction";
    if (status != Status::ok) return status;
    speed_ = 0;
    for (const Index i : problem_.moving()) {
      events_ += before[std::size_t(i)] == 0;
      speed_ += std::abs(problem_.delta()[i]);
    }
    room_ = infinity;
    for (Index i = 0; i < r_.size(); ++i) room_ = std::min(room_, distance(i));
    if (log_)
      for (Index i = 0; i < r_.size(); ++i)
        if (const int now = problem_.sign(i); now != before[std::size_t(i)])
          slips_.push_back({f_, i, now, factor_});
    return status;
  }

  const System& system_;
  BoxProblem problem_;  ///< its δ is v, its r is r'
  Vector x_, r_;
  std::vector<std::int8_t> side_;
  double f_ = 0, factor_ = 1;
  double f_rate_ = 0, factor_rate_ = 0;
  double energy_ = 0;
  double speed_ = 0;        ///< Σ |v_i|
  double room_ = infinity;  ///< to the next event
  int direction_ = 0;
  bool log_;
  int unchecked_ = 0;
  std::size_t events_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_varying_solver(const System& system, const SolverOptions& options) {
  return std::make_unique<VaryingSolver>(system, options);
}

}  // namespace microslip::friction
