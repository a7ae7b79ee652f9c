#include <algorithm>
#include <cmath>
#include <limits>

#include "methods.hpp"
#include "microslip/core/field.hpp"

/// Diagonal K: each slider is a play operator, x_i = (b_i/K_i) play_{ρ_i}(f) with ρ_i = μ_i/|b_i|.
/// Together they obey Masing's rules: on the virgin curve ξ = ± s(|f|), after a reversal at f_r
/// ξ = ξ_r ± 2 s(|f − f_r|/2), with s(h) = Σ (b_i²/K_i)(h − ρ_i)₊, and passing an older reversal
/// wipes out the loop in between. The dissipated energy has the same form. A row costs a binary
/// search, whatever the number of sliders.
namespace microslip::friction {
namespace {

/// h ↦ Σ w_i (h − ρ_i)₊ for ρ in ascending order.
class Hinges {
 public:
  void add(double weight, double rho) {
    weight_.push_back(weight_.back() + weight);
    moment_.push_back(moment_.back() + weight * rho);
  }
  double value(std::size_t slipping, double h) const {
    return weight_[slipping] * h - moment_[slipping];
  }
  double slope(std::size_t slipping) const { return weight_[slipping]; }

 private:
  std::vector<double> weight_{0}, moment_{0};
};

class StackSolver final : public Solver {
 public:
  StackSolver(const System& system, const SolverOptions& options)
      : system_(system), general_(make_event_solver(system, options)) {
    std::vector<double> rho;
    std::vector<Index> loaded;
    for (Index i = 0; i < system.size(); ++i)
      if (system.b()[i] != 0) {
        rho.push_back(system.mu()[i] / std::abs(system.b()[i]));
        loaded.push_back(i);
      }
    for (const std::size_t k : ascending(rho)) {
      const double b = std::abs(system.b()[loaded[k]]);
      const double K = system.diagonal()[loaded[k]];
      springless_ = springless_ || K == 0;
      rho_.push_back(rho[k]);
      slip_.add(b * b / K, rho[k]);
      loss_.add(system.mu()[loaded[k]] * b / K, rho[k]);
    }
  }

  void start(const State& state) override {
    turns_.clear();
    f_ = xi_ = energy_ = 0;
    direction_ = 0;
    events_ = 0;
    if (!springless_) {
      for (const double turn : state.turns) follow(turn);
      follow(state.f);
    }
    direction_ = state.direction;
    energy_ = 0;
    events_ = 0;
    // A state that no history of loads from rest leads to.
    foreign_ = springless_ || (x_now() - state.x).lpNorm<Eigen::Infinity>() >
                                  1e-9 * state.x.lpNorm<Eigen::Infinity>();
    if (foreign_) general_->start(state);
  }

  Step advance(double f) override {
    if (foreign_) {
      const Step step = general_->advance(f);
      trouble_ = general_->trouble();
      return step;
    }
    follow(f);
    return {xi_, Status::ok};
  }

  Vector x() const override { return foreign_ ? general_->x() : x_now(); }
  double xi() const override { return foreign_ ? general_->xi() : xi_; }
  double dissipated() const override { return foreign_ ? general_->dissipated() : energy_; }
  std::size_t events() const override { return foreign_ ? general_->events() : events_; }
  double tangent() const override {
    return foreign_ ? general_->tangent() : slip_.slope(slipping(branch_height(f_)));
  }
  State state() const override {
    if (foreign_) return general_->state();
    State result{f_, x_now(), {}, direction_, {}};
    result.side = sides_of(system_.b() * f_ - system_.times(result.x), system_.mu());
    for (const Turn& turn : turns_) result.turns.push_back(turn.f);
    return result;
  }

 private:
  struct Turn {
    double f, xi;
  };

  std::size_t slipping(double h) const {
    return static_cast<std::size_t>(std::lower_bound(rho_.begin(), rho_.end(), h) - rho_.begin());
  }

  /// The argument of s() on the present branch.
  double branch_height(double f) const {
    return turns_.empty() ? std::abs(f) : std::abs(f - turns_.back().f) / 2;
  }

  void follow(double f) {
    if (f == f_) return;
    const int d = f > f_ ? 1 : -1;
    // On the virgin curve, going back towards zero is a reversal, going on is not.
    const int outward = turns_.empty() ? sign_of(f_) : sign_of(f_ - turns_.back().f);
    if (outward != 0 && d != outward) turns_.push_back({f_, xi_});
    while (f_ != f) {
      const double end = branch_end(d);
      const double next = d * (f - end) >= 0 ? end : f;
      along_branch(next, d);
      if (next != end) break;
      const std::size_t inside = slipping(branch_height(f_));
      turns_.resize(turns_.size() >= 2 ? turns_.size() - 2 : 0);
      // Those that slipped on the older branch before the loop slip again from here.
      events_ += slipping(branch_height(f_)) - inside;
    }
    direction_ = d;
  }

  /// Where the present branch meets an older one.
  double branch_end(int d) const {
    if (turns_.empty()) return d * std::numeric_limits<double>::infinity();
    return turns_.size() >= 2 ? turns_[turns_.size() - 2].f : -turns_.front().f;
  }

  void along_branch(double f, int d) {
    const double from = branch_height(f_), to = branch_height(f);
    const std::size_t few = slipping(from), many = slipping(to);
    const double scale = turns_.empty() ? 1 : 2;
    energy_ += scale * (loss_.value(many, to) - loss_.value(few, from));
    const double slip = scale * slip_.value(many, to);
    xi_ = (turns_.empty() ? 0 : turns_.back().xi) + d * slip;
    events_ += many - few;
    f_ = f;
  }

  /// Each slider by itself, from turning point to turning point.
  Vector x_now() const {
    Vector x = Vector::Zero(system_.size());
    for (Index i = 0; i < x.size(); ++i) {
      const double b = system_.b()[i];
      if (b == 0 || system_.diagonal()[i] == 0) continue;
      const double rho = system_.mu()[i] / std::abs(b);
      double play = 0;
      const auto move = [&](double f) { play = std::max(f - rho, std::min(f + rho, play)); };
      for (const Turn& turn : turns_) move(turn.f);
      move(f_);
      x[i] = b / system_.diagonal()[i] * play;
    }
    return x;
  }

  const System& system_;
  std::unique_ptr<Solver> general_;  ///< for states that are no history of loads
  std::vector<double> rho_;
  Hinges slip_, loss_;
  std::vector<Turn> turns_;
  double f_ = 0, xi_ = 0, energy_ = 0;
  int direction_ = 0;
  std::size_t events_ = 0;
  bool springless_ = false, foreign_ = false;
};

}  // namespace

std::unique_ptr<Solver> make_stack_solver(const System& system, const SolverOptions& options) {
  return std::make_unique<StackSolver>(system, options);
}

}  // namespace microslip::friction
