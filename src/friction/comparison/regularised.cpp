#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "friction/methods.hpp"

/// Thesis eq. (3.5) with the path length s of the load as its time, which is its right side times
/// |ḟ|; as printed it depends on the speed of the load. With r = b f − K x,
///
///     dx_i/ds = sgn(r_i) exp((|r_i|/μ_i − 1)/ε),
///
/// so a slider creeps at rate one where |r_i| = μ_i, hardly below and fast above. The energy lost
/// to creep, dE/ds = Σ r_i dx_i/ds, is one more unknown.
namespace microslip::friction {
namespace {

/// Creep this fast (e^this) is far outside the solution; a trial step that asks for it is too long.
constexpr double largest_exponent = 50;

struct Free {
  void operator()(_SUNContext* p) const { SUNContext_Free(&p); }
  void operator()(_generic_N_Vector* p) const { N_VDestroy(p); }
  void operator()(_generic_SUNMatrix* p) const { SUNMatDestroy(p); }
  void operator()(_generic_SUNLinearSolver* p) const { SUNLinSolFree(p); }
  void operator()(void* p) const { CVodeFree(&p); }
};

class RegularisedSolver final : public Solver {
 public:
  RegularisedSolver(const System& system, const SolverOptions& options)
      : system_(system),
        K_(system.is_dense() ? system.dense() : Eigen::MatrixXd(system.sparse())),
        epsilon_(options.epsilon),
        tolerance_(options.tolerance),
        log_(options.log_slips) {
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    context_.reset(context);
    const Index n = system.size() + 1;
    y_.reset(N_VNew_Serial(n, context));
    weights_.reset(N_VNew_Serial(n, context));
    matrix_.reset(SUNDenseMatrix(n, n, context));
    linear_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context));
  }

  void start(const State& state) override {
    f_ = state.f;
    direction_ = state.direction;
    view(y_) << state.x, 0.0;
    signs_.assign(state.side.size(), 0);
    events_ = 0;
    prepared_ = false;
  }

  Step advance(double f) override {
    if (f == f_) return {xi(), Status::ok};
    const int d = f > f_ ? 1 : -1;
    if (d != direction_ || !prepared_) {
      direction_ = d;
      if (!prepare()) return {xi(), Status::not_converged};
    }
    const double target = s_ + d * (f - f_);
    CVodeSetStopTime(memory_.get(), target);
    double reached = s_;
    while (reached < target) {
      const int flag = CVode(memory_.get(), target, y_.get(), &reached, CV_NORMAL);
      if (flag < 0) return {xi(), failure(f)};
    }
    s_ = target;
    count_slips(std::exchange(f_, f));
    return {xi(), Status::ok};
  }

  Vector x() const override { return view(y_).head(system_.size()); }
  double xi() const override { return system_.b().dot(view(y_).head(system_.size())); }
  double dissipated() const override { return view(y_)[system_.size()]; }
  std::size_t events() const override { return events_; }
  double tangent() const override {
    double slope = 0;
    const Vector r = system_.b() * f_ - K_ * x();
    for (Index i = 0; i < r.size(); ++i) slope += system_.b()[i] * creep(i, r[i]);
    return direction_ * slope;
  }
  State state() const override {
    const Vector position = x();
    return {f_, position, sides_of(system_.b() * f_ - K_ * position, system_.mu()), direction_, {}};
  }

 private:
  using View = Eigen::Map<Vector>;
  static View view(N_Vector v) { return {N_VGetArrayPointer(v), N_VGetLength(v)}; }
  template <class Owner>
  static View view(const Owner& v) {
    return view(v.get());
  }

  /// Without a spring that holds it, a part runs away as soon as the load exceeds its friction.
  Status failure(double f) {
    trouble_ = system_.definite() ? std::string() : floating_part(system_, x(), f);
    return trouble_.empty() ? Status::not_converged : Status::macroslip;
  }

  double exponent(Index i, double r) const {
    return (std::abs(r) / system_.mu()[i] - 1) / epsilon_;
  }
  double creep(Index i, double r) const {
    return sign_of(r) * std::exp(std::min(largest_exponent, exponent(i, r)));
  }
  double load_at(double s) const { return f_ + direction_ * (s - s_); }

  /// A reversal is a kink of the right side: the integrator starts anew.
  bool prepare() {
    s_ = 0;
    // Positions are known to the tolerance times the slip that the springs would allow.
    const Vector scale = system_.mu().cwiseQuotient(system_.diagonal().cwiseMax(1e-300));
    view(weights_) << tolerance_ * scale, tolerance_ * system_.mu().dot(scale);
    if (!memory_) {
      memory_.reset(CVodeCreate(CV_BDF, context_.get()));
      if (!memory_ || CVodeInit(memory_.get(), right_side, s_, y_.get()) != CV_SUCCESS)
        return false;
      CVodeSetUserData(memory_.get(), this);
      CVodeSVtolerances(memory_.get(), tolerance_, weights_.get());
      CVodeSetLinearSolver(memory_.get(), linear_.get(), matrix_.get());
      CVodeSetJacFn(memory_.get(), jacobian);
      CVodeSetMaxNumSteps(memory_.get(), 1000000);
      CVodeSetErrFile(memory_.get(), nullptr);  // the status says it
    } else if (CVodeReInit(memory_.get(), s_, y_.get()) != CV_SUCCESS) {
      return false;
    }
    prepared_ = true;
    return true;
  }

  static int right_side(double s, N_Vector y, N_Vector rate, void* self) {
    const auto& solver = *static_cast<const RegularisedSolver*>(self);
    const Index n = solver.system_.size();
    const Vector r = solver.system_.b() * solver.load_at(s) - solver.K_ * view(y).head(n);
    View out = view(rate);
    double loss = 0;
    for (Index i = 0; i < n; ++i) {
      if (!(solver.exponent(i, r[i]) < largest_exponent)) return 1;  // shorten the step
      out[i] = solver.creep(i, r[i]);
      loss += r[i] * out[i];
    }
    out[n] = loss;
    return 0;
  }

  static int jacobian(double s, N_Vector y, N_Vector, SUNMatrix out, void* self, N_Vector, N_Vector,
                      N_Vector) {
    const auto& solver = *static_cast<const RegularisedSolver*>(self);
    const Index n = solver.system_.size();
    const Vector r = solver.system_.b() * solver.load_at(s) - solver.K_ * view(y).head(n);
    Eigen::Map<Eigen::MatrixXd> J(SUNDenseMatrix_Data(out), n + 1, n + 1);
    J.setZero();
    Vector slope(n), loss(n);
    for (Index i = 0; i < n; ++i) {
      const double rate = std::abs(solver.creep(i, r[i]));
      slope[i] = rate / (solver.epsilon_ * solver.system_.mu()[i]);
      loss[i] = sign_of(r[i]) * rate + r[i] * slope[i];
    }
    J.topLeftCorner(n, n).noalias() = -(slope.asDiagonal() * solver.K_);
    J.row(n).head(n).noalias() = -(loss.transpose() * solver.K_);
    return 0;
  }

  /// There is no sticking; a slider that creeps at more than a hundredth of the rate at its limit
  /// counts as slipping.
  void count_slips(double f_before) {
    const Vector r = system_.b() * f_ - K_ * x();
    for (Index i = 0; i < r.size(); ++i) {
      const auto now =
          static_cast<std::int8_t>(std::abs(creep(i, r[i])) > 0.01 ? sign_of(r[i]) : 0);
      std::int8_t& last = signs_[std::size_t(i)];
      events_ += now != 0 && last == 0;
      if (log_ && now != last) slips_.push_back({f_before, i, now});
      last = now;
    }
  }

  const System& system_;
  Eigen::MatrixXd K_;
  double epsilon_, tolerance_;
  bool log_;
  std::unique_ptr<_SUNContext, Free> context_;
  std::unique_ptr<_generic_N_Vector, Free> y_, weights_;
  std::unique_ptr<_generic_SUNMatrix, Free> matrix_;
  std::unique_ptr<_generic_SUNLinearSolver, Free> linear_;
  std::unique_ptr<void, Free> memory_;
  double f_ = 0, s_ = 0;  ///< the load at path length s
  int direction_ = 0;
  bool prepared_ = false;
  std::vector<std::int8_t> signs_;
  std::size_t events_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_regularised_solver(const System& system,
                                                const SolverOptions& options) {
  return std::make_unique<RegularisedSolver>(system, options);
}

}  // namespace microslip::friction
