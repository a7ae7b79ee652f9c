#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>

#include "dynamics/time/time_support.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"

/// The equation of motion by the Adams methods of CVODE. Joint forces are trial steps from the last
/// committed states, which is exact as long as every joint moves one way; where one turns or meets
/// a kink of its law CVODE finds a root, the states are committed and the integrator starts anew.
namespace microslip::dynamics {
namespace {

struct Free {
  void operator()(_SUNContext* p) const { SUNContext_Free(&p); }
  void operator()(_generic_N_Vector* p) const { N_VDestroy(p); }
  void operator()(_generic_SUNMatrix* p) const { SUNMatDestroy(p); }
  void operator()(_generic_SUNLinearSolver* p) const { SUNLinSolFree(p); }
  void operator()(void* p) const { CVodeFree(&p); }
};

using View = Eigen::Map<Eigen::VectorXd>;
View view(N_Vector v) { return {N_VGetArrayPointer(v), N_VGetLength(v)}; }

class CvodeStepper {
 public:
  CvodeStepper(TimeRun& run, const Eigen::VectorXd& x, const Eigen::VectorXd& v)
      : run_(run), s_(run.structure), n_(s_.size()), t_(run.t0), rate_(2 * n_ + 2) {
    SUNContext context = nullptr;
    SUNContext_Create(nullptr, &context);
    context_.reset(context);
    y_.reset(N_VNew_Serial(2 * n_ + 2, context));
    y() << x, v, 0, 0;
    direction_.assign(s_.joints.size(), 0);
    kink_.assign(s_.joints.size(), infinity);
    find_references();
    turn_all();
  }

  void go() {
    const double end = run_.t0 + run_.options.until;
    if (!prepare()) fail("CVODE could not start");
    while (t_ < end && run_.result.status == Status::ok) {
      if (!advance(std::min({run_.next_break(t_), run_.next_row(t_), end}))) break;
      if (run_.row_wanted(t_)) run_.record(t_, x(), v(), run_.result.audit.joints, run_.force);
      run_.note_energy(x(), v());
      if (run_.options.progress && !run_.options.progress((t_ - run_.t0) / run_.options.until)) {
        run_.result.message = "interrupted at t = " + number_text(t_);
        break;
      }
    }
    if (run_.last_row() != t_) run_.record(t_, x(), v(), run_.result.audit.joints, run_.force);
    run_.result.audit.input += y()[2 * n_];
    run_.result.audit.viscous += y()[2 * n_ + 1];
    run_.finish(x(), v());
  }

 private:
  View y() const { return view(y_.get()); }
  Eigen::VectorXd x() const { return y().head(n_); }
  Eigen::VectorXd v() const { return y().segment(n_, n_); }

  /// Sizes of displacement and velocity against which errors are judged: of the motion so far, and
  /// to begin with of what the loads would do in a hundredth of a vibration.
  void find_references() {
    frequency_ = std::max(1 / run_.options.until, highest_frequency(s_));
    reference_v_ = 0.01 * run_.velocity_by_loads(frequency_);
    refer_to_motion();
    if (reference_v_ == 0) reference_v_ = 1;
    reference_x_ = std::max(reference_x_, 1e-3 * reference_v_ / frequency_);
  }

  void refer_to_motion() {
    reference_x_ = std::max(reference_x_, x().lpNorm<Eigen::Infinity>());
    reference_v_ =
        std::max({reference_v_, v().lpNorm<Eigen::Infinity>(), frequency_ * reference_x_});
  }

  bool prepare() {
    if (memory_) return CVodeReInit(memory_.get(), t_, y_.get()) == CV_SUCCESS;
    const Eigen::Index size = 2 * n_ + 2;
    memory_.reset(CVodeCreate(CV_ADAMS, context_.get()));
    if (!memory_ || CVodeInit(memory_.get(), right_side, t_, y_.get()) != CV_SUCCESS) return false;
    matrix_.reset(SUNDenseMatrix(size, size, context_.get()));
    linear_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context_.get()));
    CVodeSetUserData(memory_.get(), this);
    CVodeWFtolerances(memory_.get(), weights);
    CVodeSetLinearSolver(memory_.get(), linear_.get(), matrix_.get());
    CVodeRootInit(memory_.get(), static_cast<int>(2 * s_.joints.size()), roots);
    CVodeSetNoInactiveRootWarn(memory_.get());
    CVodeSetErrFile(memory_.get(), nullptr);  // the status says it
    return true;
  }

  /// One step of CVODE, to an event or to `stop` at most.
  bool advance(double stop) {
    CVodeSetStopTime(memory_.get(), stop);
    double reached = t_;
    const int flag = CVode(memory_.get(), stop, y_.get(), &reached, CV_ONE_STEP);
    if (flag < 0) return fail("CVODE stopped (" + std::to_string(flag) + ")");
    if (!moves_on(reached)) return fail("events without end");
    // An event within rounding of the end of the stretch is there; a step between would be too
    // small.
    t_ = flag == CV_TSTOP_RETURN || stop - reached <= 1e-13 * std::abs(stop) ? stop : reached;
    ++run_.result.steps;
    refer_to_motion();
    for (std::size_t j = 0; j < s_.joints.size(); ++j) commit(j);
    const bool at_break = t_ == stop && stop == run_.next_break(std::nextafter(stop, -infinity));
    if (flag == CV_ROOT_RETURN && !pass_events()) return false;
    if (at_break) return pass_break();
    if (flag == CV_ROOT_RETURN) return true;
    for (std::size_t j = 0; j < s_.joints.size(); ++j)
      direction_[j] == 0 ? turn(j, 0) : look_ahead(j);
    return true;
  }

  bool moves_on(double reached) {
    if (reached > mark_ + 1e-12 * (run_.options.until + std::abs(reached))) {
      mark_ = reached;
      since_mark_ = 0;
    }
    return ++since_mark_ < 1000 + 20 * static_cast<long>(s_.joints.size());
  }

  bool pass_events() {
    std::vector<int> found(2 * s_.joints.size());
    CVodeGetRootInfo(memory_.get(), found.data());
    for (std::size_t j = 0; j < s_.joints.size(); ++j) {
      if (found[2 * j] != 0 || found[2 * j + 1] != 0) ++run_.result.events;
      turn(j, found[2 * j] != 0 ? -direction_[j] : direction_[j]);
    }
    return prepare() || fail("CVODE could not go on");
  }

  /// A load jumps or an impulse acts: velocities may change sign without passing zero.
  bool pass_break() {
    Eigen::VectorXd velocity = v();
    run_.apply_impulses(t_, velocity);
    y().segment(n_, n_) = velocity;
    turn_all();
    return prepare() || fail("CVODE could not go on");
  }

  void turn_all() {
    evaluate(t_, y(), rate_);
    for (std::size_t j = 0; j < s_.joints.size(); ++j) turn(j, 0);
  }

  /// The direction of a joint from now on; 0: from its velocity, or its acceleration at rest.
  void turn(std::size_t j, int direction) {
    if (direction == 0) {
      evaluate(t_, y(), rate_);
      const double velocity = run_.joint_motion(j, rate_.head(n_));
      const double moving = velocity != 0 ? velocity : run_.joint_motion(j, rate_.segment(n_, n_));
      direction = moving > 0 ? 1 : moving < 0 ? -1 : 0;
    }
    direction_[j] = direction;
    look_ahead(j);
  }

  /// A kink within rounding of where the joint is counts as passed.
  void look_ahead(std::size_t j) {
    kink_[j] = infinity;
    if (direction_[j] == 0) return;
    const double u = run_.joint_motion(j, x());
    const double kink = s_.joints[j].model.next_kink(run_.state[j], direction_[j]);
    if (direction_[j] * (kink - u) > 1e-13 * (std::abs(u) + reference_x_)) kink_[j] = kink;
  }

  void commit(std::size_t j) {
    const Response<double> reply =
        s_.joints[j].model.step(run_.state[j], run_.joint_motion(j, x()), 0, run_.state[j]);
    if (reply.status != Status::ok) run_.result.status = reply.status;
    run_.force[j] = reply.force;
    run_.result.joint_energy[j] += reply.dissipated;
    run_.result.audit.joints += reply.dissipated;
  }

  bool fail(const std::string& what) {
    run_.result.message = what + " at t = " + number_text(t_);
    if (run_.result.status == Status::ok) run_.result.status = Status::not_converged;
    return false;
  }

  /// Derivatives of motion, of the work of the loads and of what dampers lose.
  template <class In, class Out>
  bool evaluate(double t, const In& y, Out& out) {
    const Eigen::VectorXd position = y.head(n_);
    const Eigen::VectorXd velocity = y.segment(n_, n_);
    const Eigen::VectorXd load = run_.load(t);
    const Eigen::VectorXd damping = s_.C * velocity;
    Eigen::VectorXd force = load - damping - s_.K * position;
    for (std::size_t j = 0; j < s_.joints.size(); ++j) {
      const Response<double> reply = s_.joints[j].model.step(
          run_.state[j], run_.joint_motion(j, position), 0, run_.scratch[j]);
      if (reply.status != Status::ok) return false;
      force -= reply.force * s_.joints[j].w;
    }
    out.head(n_) = velocity;
    out.segment(n_, n_) = run_.mass.solve(force);
    out[2 * n_] = load.dot(velocity);
    out[2 * n_ + 1] = velocity.dot(damping);
    return true;
  }

  static int right_side(double t, N_Vector y, N_Vector rate, void* self) {
    View out = view(rate);
    // A trial step that a law cannot follow is too long.
    return static_cast<CvodeStepper*>(self)->evaluate(t, view(y), out) ? 0 : 1;
  }

  static int weights(N_Vector, N_Vector out, void* self) {
    const auto& me = *static_cast<const CvodeStepper*>(self);
    const double tolerance = me.run_.options.tolerance;
    View w = view(out);
    w.head(me.n_).setConstant(1 / (tolerance * me.reference_x_));
    w.segment(me.n_, me.n_).setConstant(1 / (tolerance * me.reference_v_));
    const double energy = me.s_.M.diagonal().maxCoeff() * me.reference_v_ * me.reference_v_;
    w.tail(2).setConstant(1 / (tolerance * energy));
    return 0;
  }

  /// Turns count once the joint moves the other way by more than rounding, so that after one its
  /// function is not zero.
  static int roots(double, N_Vector y, double* out, void* self) {
    const auto& me = *static_cast<const CvodeStepper*>(self);
    const Eigen::VectorXd position = view(y).head(me.n_);
    const Eigen::VectorXd velocity = view(y).segment(me.n_, me.n_);
    for (std::size_t j = 0; j < me.s_.joints.size(); ++j) {
      const int d = me.direction_[j];
      out[2 * j] = d == 0 ? 1 : d * me.run_.joint_motion(j, velocity) + 1e-13 * me.reference_v_;
      out[2 * j + 1] =
          std::isinf(me.kink_[j]) ? 1 : d * (me.kink_[j] - me.run_.joint_motion(j, position));
    }
    return 0;
  }

  TimeRun& run_;
  const Structure& s_;
  Eigen::Index n_;
  double t_;
  Eigen::VectorXd rate_;
  std::vector<int> direction_;
  std::vector<double> kink_;
  double frequency_ = 0, reference_x_ = 0, reference_v_ = 0;
  double mark_ = -infinity;
  long since_mark_ = 0;
  std::unique_ptr<_SUNContext, Free> context_;
  std::unique_ptr<_generic_N_Vector, Free> y_;
  std::unique_ptr<_generic_SUNMatrix, Free> matrix_;
  std::unique_ptr<_generic_SUNLinearSolver, Free> linear_;
  std::unique_ptr<void, Free> memory_;
};

}  // namespace

void integrate_cvode(TimeRun& run, const Eigen::VectorXd& x, const Eigen::VectorXd& v) {
  CvodeStepper(run, x, v).go();
}

}  // namespace microslip::dynamics
