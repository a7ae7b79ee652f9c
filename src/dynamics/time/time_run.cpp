#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/time/motion.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

/// What all methods of time integration share.
namespace microslip::dynamics {
namespace {

bool is_diagonal(const SparseMatrix& M) {
  for (Eigen::Index j = 0; j < M.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(M, j); entry; ++entry)
      if (entry.row() != entry.col() && entry.value() != 0) return false;
  return true;
}

}  // namespace

void check(const Structure& structure, const TimeOptions& options) {
  check_parts(structure);
  if (!(options.until > 0))
    throw Error("until = " + number_text(options.until) + " must be positive");
  for (const Eigen::VectorXd* start : {&options.x0, &options.v0})
    if (start->size() != 0 && start->size() != structure.size())
      throw Error("x0 and v0 must have " + std::to_string(structure.size()) + " numbers");
  for (const double t : options.at)
    if (t < 0 || t > options.until)
      throw Error("at = " + number_text(t) + " must lie in [0, " + number_text(options.until) +
                  "]");
  for (const Load& load : structure.loads)
    if (const auto* tones = std::get_if<Tones>(&load.signal))
      for (const Tone& tone : tones->list)
        if (!(tone.omega > 0) && tone.harmonic != 0)
          throw Error("a harmonic load needs 'omega' in an analysis of kind \"time\"");
  for (const Load& load : structure.loads)
    if (const auto* formula = std::get_if<Formula>(&load.signal))
      for (int i = 0; i <= 1000; ++i) {
        const double t = options.until * i / 1000;
        if (const double force = formula->force(t); !std::isfinite(force))
          throw Error("the load '" + formula->force.text() + "' is " + number_text(force) +
                      " at t = " + number_text(t));
      }
  const bool chooses_steps = options.method == Method::events || options.method == Method::cvode;
  if (!chooses_steps && !(options.step > 0)) throw Error("this method needs 'step'");
  if (options.method != Method::cvode) return;
  refuse_interfaces(structure, "method = \"cvode\"");
  for (const JointElement& joint : structure.joints)
    if (joint.model.rate_dependent() || joint.model.rigid())
      throw Error(
          "method = \"cvode\" takes laws whose force follows from their path without jumps, "
          "not " +
          joint.model.description().name + "; leave the method out");
}

MassSolver::MassSolver(const SparseMatrix& M) {
  auto factors = std::make_shared<Factors>();
  auto& [diagonal, full, thin] = *factors;
  if (is_diagonal(M))
    diagonal = M.diagonal();
  else if (M.rows() <= 200)
    full = dense::Cholesky(Eigen::MatrixXd(M));
  else
    thin = std::make_unique<sparse::Ldlt>(M);
  if (diagonal.size() == 0 && !(thin ? thin->found() : full.positive()))
    throw Error("M is not positive definite");
  factors_ = std::move(factors);
}

Eigen::VectorXd MassSolver::solve(const Eigen::VectorXd& b) const {
  const auto& [diagonal, full, thin] = *factors_;
  if (diagonal.size() > 0) return b.cwiseQuotient(diagonal);
  if (thin) return thin->solve(b);
  return full.solve(b);
}

double highest_frequency(const Structure& s) {
  double frequency = 0;
  for (Eigen::Index i = 0; i < s.size(); ++i)
    frequency = std::max(frequency, std::sqrt(std::abs(s.K.coeff(i, i)) / s.M.coeff(i, i)));
  return frequency;
}

TimeRun::TimeRun(const Structure& s, const TimeOptions& o, double from,
                 std::vector<AnyState> joints)
    : structure(s), options(o), t0(from), state(std::move(joints)), mass(s.M), rows_(o.at) {
  for (const JointElement& joint : s.joints) w_.push_back(joint.w);
  scratch = state;
  for (const InterfaceElement& interface : s.interfaces) {
    interface_state.push_back(interface.law->rest());
    interface_force.emplace_back(Eigen::VectorXd::Zero(interface.law->size()));
  }
  interface_scratch = interface_state;
  extra_force = Eigen::VectorXd::Zero(s.size());
  force.assign(state.size(), 0);
  result.joint_energy.assign(state.size() + s.interfaces.size(), 0);
  std::sort(rows_.begin(), rows_.end());
}

Eigen::VectorXd TimeRun::load(double t) const {
  Eigen::VectorXd sum;
  load(t, sum);
  return sum;
}

void TimeRun::load(double t, Eigen::VectorXd& sum) const {
  sum = extra_force;
  for (const Load& one : structure.loads) sum += value(one.signal, t) * one.direction;
}

Eigen::VectorXd TimeRun::interface_motion(std::size_t i, const Eigen::VectorXd& x) const {
  return displacements(structure.interfaces[i], x);
}

bool TimeRun::apply_impulses(double t, Eigen::VectorXd& v) {
  bool any = false;
  for (const Load& one : structure.loads) {
    const auto* impulse = std::get_if<Impulse>(&one.signal);
    if (!impulse || impulse->duration > 0 || impulse->start != t) continue;
    const double before = 0.5 * v.dot(structure.M * v);
    v += mass.solve(impulse->impulse * one.direction);
    result.audit.input += 0.5 * v.dot(structure.M * v) - before;
    any = true;
  }
  return any;
}

double TimeRun::velocity_by_loads(double frequency) const {
  constexpr int samples = 64;
  double largest = 0;
  for (int i = 0; i <= samples; ++i)
    largest = std::max(
        largest, mass.solve(load(t0 + options.until * i / samples)).lpNorm<Eigen::Infinity>());
  return largest / frequency;
}

double TimeRun::next_break(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Load& one : structure.loads)
    next = std::min(next, dynamics::next_break(one.signal, t));
  return next;
}

double TimeRun::next_jump(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const Load& one : structure.loads)
    if (const auto* impulse = std::get_if<Impulse>(&one.signal))
      if (!(impulse->duration > 0) && impulse->start > t) next = std::min(next, impulse->start);
  return next;
}

Multiple multiple_of(double step, double since) {
  const double quotient = since / step;
  const double nearest = std::round(quotient);
  // n steps are added, multiplied and divided with a rounding of some 1e-16 n.
  const double rounding = 1e-9 + 1e-14 * std::abs(quotient);
  if (std::abs(quotient - nearest) <= rounding) return {nearest, true, rounding * step};
  return {std::floor(quotient), false, rounding * step};
}

double TimeRun::next_row(double t) const {
  double next = t0 + options.until;
  const auto at = std::upper_bound(rows_.begin(), rows_.end(), t);
  if (at != rows_.end()) next = std::min(next, *at);
  if (options.step > 0) {
    // A multiple beside a time asked for is that time: a step from one to the other would have a
    // velocity of rounding.
    const Multiple passed = multiple_of(options.step, t - t0);
    const double multiple = t0 + (passed.number + 1) * options.step;
    if (multiple < next - passed.rounding) next = multiple;
  }
  return next;
}

bool TimeRun::row_wanted(double t) const {
  if (options.every_step || t == t0 || t >= t0 + options.until) return true;
  if (std::binary_search(rows_.begin(), rows_.end(), t)) return true;
  if (!(options.step > 0)) return false;
  const Multiple now = multiple_of(options.step, t - t0);
  if (!now.there || result.rows == 0) return now.there;
  if (next_row(t) - t <= 2 * now.rounding) return false;  // that one is the row
  // Several steps may end beside a multiple, at a kink or a time of a load: one of them is its row.
  const Multiple last = multiple_of(options.step, last_row_ - t0);
  return !last.there || last.number != now.number;
}

void TimeRun::record(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                     double joints_lost, const std::vector<double>& f) {
  ++result.rows;
  last_row_ = t;
  row_force_ = f;
  for (std::size_t i = 0; i < structure.interfaces.size(); ++i)
    if (structure.interfaces[i].law->model())
      row_force_.insert(row_force_.end(), interface_force[i].begin(), interface_force[i].end());
  if (options.row) {
    options.row({t, x, v, row_force_, joints_lost});
    return;
  }
  result.t.push_back(t);
  result.x.push_back(x);
  result.v.push_back(v);
  result.f.push_back(Eigen::Map<const Eigen::VectorXd>(
      row_force_.data(), static_cast<Eigen::Index>(row_force_.size())));
  result.energy.push_back(joints_lost);
}

double TimeRun::stored_in_joints() const {
  double sum = 0;
  for (std::size_t j = 0; j < state.size(); ++j) sum += structure.joints[j].model.stored(state[j]);
  for (std::size_t i = 0; i < interface_state.size(); ++i)
    sum += structure.interfaces[i].law->stored(interface_state[i]);
  return sum;
}

void TimeRun::begin(const Eigen::VectorXd& x, Eigen::VectorXd& v) {
  result.audit.kinetic = -0.5 * v.dot(structure.M * v);
  result.audit.elastic = -0.5 * x.dot(structure.K * x);
  for (std::size_t j = 0; j < structure.joints.size(); ++j) {
    const Response<double> reply = structure.joints[j].model.step(
        state[j], joint_motion(j, x), std::numeric_limits<double>::infinity(), state[j]);
    force[j] = reply.force;
    result.joint_energy[j] += reply.dissipated;
    result.audit.joints += reply.dissipated;
    // What brought the joint there did this work.
    result.audit.input += reply.dissipated;
  }
  for (std::size_t i = 0; i < structure.interfaces.size(); ++i) {
    const InterfaceReply reply = structure.interfaces[i].law->step(
        interface_state[i], interface_motion(i, x), interface_state[i]);
    interface_force[i] = reply.force;
    result.joint_energy[state.size() + i] += reply.dissipated;
    result.audit.joints += reply.dissipated;
    result.audit.input += reply.dissipated;
  }
  result.audit.joints_stored = -stored_in_joints();
  apply_impulses(t0, v);
  note_energy(x, v);
}

void TimeRun::note_energy(const Eigen::VectorXd& x, const Eigen::VectorXd& v) {
  note_energy(0.5 * (v.dot(structure.M * v) + x.dot(structure.K * x)));
}

void TimeRun::note_energy(double energy) {
  result.largest_energy = std::max(result.largest_energy, energy);
}

void TimeRun::finish(const Eigen::VectorXd& x, const Eigen::VectorXd& v) {
  result.audit.kinetic += 0.5 * v.dot(structure.M * v);
  result.audit.elastic += 0.5 * x.dot(structure.K * x);
  result.audit.joints_stored += stored_in_joints();
  result.states = state;
}

void TimeRun::visit(MotionRecord& record) {
  refuse_other_interfaces(structure, "the record of a motion");
  for (std::size_t j = 0; j < state.size(); ++j)
    record("joint " + std::to_string(j + 1), structure.joints[j].model, state[j]);
  for (std::size_t i = 0; i < interface_state.size(); ++i) {
    const std::string name = "interface " + std::to_string(i + 1);
    record(name, *structure.interfaces[i].law->model(), interface_state[i]);
    record("forces of " + name, interface_force[i]);
  }
  record("joint forces", force);
  record("joint energies", result.joint_energy);
  record("force", extra_force);
  EnergyAudit& audit = result.audit;
  record("input", audit.input);
  record("kinetic", audit.kinetic);
  record("elastic", audit.elastic);
  record("stored in joints", audit.joints_stored);
  record("viscous", audit.viscous);
  record("lost in joints", audit.joints);
  record("largest energy", result.largest_energy);
  record("steps", result.steps);
  record("events", result.events);
}

bool Motion::fail(const std::string& what) {
  run_.result.message = what + " at t = " + number_text(t());
  if (run_.result.status == Status::ok) run_.result.status = Status::not_converged;
  return false;
}

}  // namespace microslip::dynamics
