#include <algorithm>
#include <cmath>

#include "box_problem.hpp"
#include "methods.hpp"
#include "microslip/core/text.hpp"

namespace microslip::friction {
namespace {

/// Increments between full evaluations of r = b f − K x.
constexpr int rows_between_checks = 32;

std::string sentence(const std::vector<Index>& floating, double f) {
  return slider_list(floating) + " slide as a whole before the load " + number_text(f);
}

class ActiveSetSolver final : public Solver {
 public:
  ActiveSetSolver(const System& system, const SolverOptions& options)
      : system_(system), problem_(system), log_(options.log_slips) {
    set_factor(1);
  }

  void start(const State& state) override {
    x_ = state.x;
    f_ = state.f;
    direction_ = state.direction;
    r_ = ground_force(system_, state);
    set_factor(state.factor);
    energy_ = 0;
    events_ = 0;
    rows_ = 0;
    problem_.reset();
  }

  Step advance(double f) override { return advance_with(f, factor_); }

  /// An increment has the friction limits of its end.
  Step advance_with(double f, double factor) override {
    check_factor(factor);
    if (f == f_ && factor == factor_) return {xi(), Status::ok};
    const int d = f > f_ ? 1 : f < f_ ? -1 : direction_;
    set_factor(factor);
    std::vector<std::int8_t> before(static_cast<std::size_t>(system_.size()), 0);
    for (const Index i : problem_.moving())
      before[std::size_t(i)] = static_cast<std::int8_t>(problem_.sign(i));
    problem_.g = r_ + system_.b() * (f - f_);
    if (d != direction_) problem_.reset();  // a reversal begins with sticking
    const Status status = problem_.blocks();
    if (status != Status::ok) {
      if (status == Status::macroslip) trouble_ = sentence(problem_.floating(), f);
      return {xi(), status};
    }
    for (const Index i : problem_.moving()) {
      x_[i] += problem_.delta()[i];
      energy_ += factor_ * system_.mu()[i] * std::abs(problem_.delta()[i]);
      events_ += before[std::size_t(i)] == 0;
    }
    if (log_)
      for (Index i = 0; i < system_.size(); ++i)
        if (problem_.sign(i) != before[std::size_t(i)])
          slips_.push_back({f_, i, problem_.sign(i), factor_});
    f_ = f;
    direction_ = d;
    r_ = ++rows_ % rows_between_checks == 0 ? Vector(system_.b() * f_ - system_.times(x_))
                                            : problem_.r();
    return {xi(), status};
  }

  Vector x() const override { return x_; }
  double xi() const override { return system_.b().dot(x_); }
  double dissipated() const override { return energy_; }
  std::size_t events() const override { return events_; }
  State state() const override {
    return {f_, x_, sides_of(r_, problem_.hi), direction_, {}, factor_};
  }

  /// The increment that follows with the same sliders slipping.
  double tangent() const override {
    Vector share(problem_.factor().size());
    for (Index k = 0; k < share.size(); ++k)
      share[k] = system_.b()[problem_.moving()[std::size_t(k)]];
    Vector rate = share;
    problem_.factor().solve_in_place(rate);
    return share.dot(rate);
  }

 private:
  void set_factor(double factor) {
    factor_ = factor;
    problem_.hi = factor * system_.mu();
    problem_.lo = -problem_.hi;
  }

  const System& system_;
  BoxProblem problem_;
  Vector x_, r_;
  double f_ = 0, factor_ = 1, energy_ = 0;
  int direction_ = 0, rows_ = 0;
  bool log_;
  std::size_t events_ = 0;
};

}  // namespace

std::string floating_part(const System& system, const Vector& x, double f, double factor) {
  BoxProblem problem(system);
  problem.g = system.b() * f - system.times(x);
  problem.hi = factor * system.mu();
  problem.lo = -problem.hi;
  problem.reset();
  return problem.blocks() == Status::macroslip ? sentence(problem.floating(), f) : std::string();
}

std::unique_ptr<Solver> make_active_set_solver(const System& system, const SolverOptions& options) {
  return std::make_unique<ActiveSetSolver>(system, options);
}

}  // namespace microslip::friction
