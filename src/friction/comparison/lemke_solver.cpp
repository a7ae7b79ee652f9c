#include <algorithm>
#include <cmath>

#include "friction/methods.hpp"
#include "microslip/friction/lcp.hpp"

/// Thesis App. A. With everything divided by μ and Δx = V − U, the unknowns w = (S, R) and
/// z = (V, U) obey w − M z = q for
///
///     M = [  K̃  −K̃ ]      q = [ 1 − g̃ ]      K̃ = μ⁻¹K,  g̃ = μ⁻¹(b f − K x).
///         [ −K̃   K̃ ],         [ 1 + g̃ ],
///
/// which is (A.8) with its matrix in front of (S, R) inverted and Δt = 1: the length of the time
/// step only scales V and U.
namespace microslip::friction {
namespace {

class LemkeSolver final : public Solver {
 public:
  LemkeSolver(const System& system, const SolverOptions& options)
      : system_(system), M_(2 * system.size(), 2 * system.size()), log_(options.log_slips) {
    const Index n = system.size();
    const Eigen::MatrixXd K = system.is_dense() ? system.dense() : Eigen::MatrixXd(system.sparse());
    const Eigen::MatrixXd scaled = system.mu().cwiseInverse().asDiagonal() * K;
    M_.topLeftCorner(n, n) = M_.bottomRightCorner(n, n) = scaled;
    M_.topRightCorner(n, n) = M_.bottomLeftCorner(n, n) = -scaled;
  }

  void start(const State& state) override {
    state_ = state;
    state_.turns.clear();
    signs_.assign(state.side.size(), 0);
    tangent_ = energy_ = 0;
    events_ = 0;
  }

  Step advance(double f) override { return advance_with(f, state_.factor); }

  /// Everything is divided by μ alone, so that the factor stands where 1 does and may be 0.
  Step advance_with(double f, double factor) override {
    check_factor(factor);
    if (f == state_.f && factor == state_.factor) return {xi(), Status::ok};
    const Index n = system_.size();
    const Vector g = (system_.b() * f - system_.times(state_.x)).cwiseQuotient(system_.mu());
    Vector q(2 * n);
    q << Vector::Constant(n, factor) - g, Vector::Constant(n, factor) + g;
    const LcpSolution solution = lemke(M_, q);
    if (solution.status != Status::ok) return {xi(), failure(solution.status, f, factor)};
    const Vector move = solution.z.head(n) - solution.z.tail(n);
    const double before = xi();
    state_.x += move;
    energy_ += factor * system_.mu().dot(move.cwiseAbs());
    for (Index i = 0; i < n; ++i) {
      const auto now = static_cast<std::int8_t>(sign_of(move[i]));
      std::int8_t& last = signs_[std::size_t(i)];
      events_ += now != 0 && last == 0;
      if (log_ && now != last) slips_.push_back({state_.f, i, now, state_.factor});
      last = now;
    }
    if (f != state_.f) {
      tangent_ = (xi() - before) / (f - state_.f);
      state_.direction = f > state_.f ? 1 : -1;
    }
    state_.f = f;
    state_.factor = factor;
    const Vector r = system_.b() * f - system_.times(state_.x);
    state_.side = sides_of(r, factor * system_.mu());
    return {xi(), Status::ok};
  }

  Vector x() const override { return state_.x; }
  double xi() const override { return system_.b().dot(state_.x); }
  /// The mean slope of the last increment.
  double tangent() const override { return tangent_; }
  double dissipated() const override { return energy_; }
  std::size_t events() const override { return events_; }
  State state() const override { return state_; }

 private:
  /// M is positive semidefinite up to a scaling of its rows, so a ray means that no state of the
  /// sliders balances the load.
  Status failure(Status status, double f, double factor) {
    if (status != Status::undefined) return status;
    trouble_ = floating_part(system_, state_.x, f, factor);
    return trouble_.empty() ? Status::not_converged : Status::macroslip;
  }

  const System& system_;
  Eigen::MatrixXd M_;
  State state_;
  std::vector<std::int8_t> signs_;
  double tangent_ = 0, energy_ = 0;
  std::size_t events_ = 0;
  bool log_;
};

}  // namespace

std::unique_ptr<Solver> make_lemke_solver(const System& system, const SolverOptions& options) {
  return std::make_unique<LemkeSolver>(system, options);
}

}  // namespace microslip::friction
