#include "microslip/dynamics/time/time_integration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "dynamics/time/time_support.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/dynamics/rigid/rigid_friction.hpp"

namespace microslip::dynamics {
namespace {

bool is_diagonal(const SparseMatrix& M) {
  for (Eigen::Index j = 0; j < M.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(M, j); entry; ++entry)
      if (entry.row() != entry.col() && entry.value() != 0) return false;
  return true;
}

void check(const Structure& structure, const TimeOptions& options) {
  check(structure);
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
  const bool chooses_steps = options.method == Method::events || options.method == Method::cvode;
  if (!chooses_steps && !(options.step > 0)) throw Error("this method needs 'step'");
  if (options.method != Method::cvode) return;
  for (const JointElement& joint : structure.joints)
    if (sees_time(joint.model) || jumps(joint.model))
      throw Error(
          "method = \"cvode\" takes laws whose force follows from their path without jumps, "
          "not " +
          joint.model.description().name + "; leave the method out");
}

}  // namespace

MassSolver::MassSolver(const SparseMatrix& M) {
  if (is_diagonal(M))
    diagonal_ = M.diagonal();
  else if (M.rows() <= 200)
    dense_.compute(Eigen::MatrixXd(M));
  else
    sparse_ = std::make_unique<Eigen::SimplicialLDLT<SparseMatrix>>(M);
  if (diagonal_.size() == 0 && (sparse_ ? sparse_->info() : dense_.info()) != Eigen::Success)
    throw Error("M is not positive definite");
}

Eigen::VectorXd MassSolver::solve(const Eigen::VectorXd& b) const {
  if (diagonal_.size() > 0) return b.cwiseQuotient(diagonal_);
  if (sparse_) return sparse_->solve(b);
  return dense_.solve(b);
}

TimeRun::TimeRun(const Structure& s, const TimeOptions& o, double from,
                 std::vector<AnyState> joints)
    : structure(s), options(o), t0(from), state(std::move(joints)), mass(s.M), rows_(o.at) {
  for (const JointElement& joint : s.joints) w_.push_back(joint.w.sparseView());
  scratch = state;
  force.assign(state.size(), 0);
  result.joint_energy.assign(state.size(), 0);
  std::sort(rows_.begin(), rows_.end());
}

Eigen::VectorXd TimeRun::load(double t) const {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(structure.size());
  for (const Load& one : structure.loads) sum += value(one.signal, t) * one.direction;
  return sum;
}

void TimeRun::apply_impulses(double t, Eigen::VectorXd& v) {
  for (const Load& one : structure.loads) {
    const auto* impulse = std::get_if<Impulse>(&one.signal);
    if (!impulse || impulse->duration > 0 || impulse->start != t) continue;
    const double before = 0.5 * v.dot(structure.M * v);
    v += mass.solve(impulse->impulse * one.direction);
    result.audit.input += 0.5 * v.dot(structure.M * v) - before;
  }
}

double TimeRun::next_break(double t) const {
  double next = t0 + options.until;
  for (const Load& one : structure.loads)
    next = std::min(next, dynamics::next_break(one.signal, t));
  return next;
}

double TimeRun::next_jump(double t) const {
  double next = t0 + options.until;
  for (const Load& one : structure.loads)
    if (const auto* impulse = std::get_if<Impulse>(&one.signal))
      if (!(impulse->duration > 0) && impulse->start > t) next = std::min(next, impulse->start);
  return next;
}

double TimeRun::next_row(double t) const {
  double next = t0 + options.until;
  const auto at = std::upper_bound(rows_.begin(), rows_.end(), t);
  if (at != rows_.end()) next = std::min(next, *at);
  if (options.step > 0) {
    // The next multiple of the step that is not this time up to rounding.
    const double passed = std::floor((t - t0) / options.step * (1 + 1e-14) + 1e-9);
    next = std::min(next, t0 + (passed + 1) * options.step);
  }
  return next;
}

bool TimeRun::row_wanted(double t) const {
  if (options.every_step || t == t0 || t >= t0 + options.until) return true;
  if (std::binary_search(rows_.begin(), rows_.end(), t)) return true;
  if (!(options.step > 0)) return false;
  const double multiple = (t - t0) / options.step;
  // Steps beside a row, after a kink or at the very start, are no rows of their own.
  const bool apart = result.t.empty() || t - result.t.back() > 1e-8 * options.step;
  return apart && std::abs(multiple - std::round(multiple)) < 1e-9;
}

void TimeRun::record(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& v) {
  result.t.push_back(t);
  result.x.push_back(x);
  result.v.push_back(v);
  result.f.push_back(
      Eigen::Map<const Eigen::VectorXd>(force.data(), static_cast<Eigen::Index>(force.size())));
  result.energy.push_back(result.audit.joints);
}

double TimeRun::stored_in_joints() const {
  double sum = 0;
  for (std::size_t j = 0; j < state.size(); ++j) sum += structure.joints[j].model.stored(state[j]);
  return sum;
}

void TimeRun::begin(const Eigen::VectorXd& x, const Eigen::VectorXd& v) {
  result.audit.kinetic = -0.5 * v.dot(structure.M * v);
  result.audit.elastic = -0.5 * x.dot(structure.K * x);
  result.audit.joints_stored = -stored_in_joints();
}

void TimeRun::note_energy(const Eigen::VectorXd& x, const Eigen::VectorXd& v) {
  result.largest_energy =
      std::max(result.largest_energy, 0.5 * (v.dot(structure.M * v) + x.dot(structure.K * x)));
}

void TimeRun::finish(const Eigen::VectorXd& x, const Eigen::VectorXd& v) {
  result.audit.kinetic += 0.5 * v.dot(structure.M * v);
  result.audit.elastic += 0.5 * x.dot(structure.K * x);
  result.audit.joints_stored += stored_in_joints();
  result.states = state;
}

/// Only the rows at multiples of a step, at times asked for and at the end.
static void keep_rows(double step, const std::vector<double>& at, TimeResult& result) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < result.t.size(); ++i) {
    const double multiple = (result.t[i] - result.t[0]) / step;
    const bool wanted = std::abs(multiple - std::round(multiple)) < 1e-9 ||
                        std::find(at.begin(), at.end(), result.t[i]) != at.end() ||
                        i + 1 == result.t.size();
    if (!wanted) continue;
    result.t[kept] = result.t[i];
    result.x[kept] = result.x[i];
    result.v[kept] = result.v[i];
    result.f[kept] = result.f[i];
    result.energy[kept] = result.energy[i];
    ++kept;
  }
  result.t.resize(kept);
  result.x.resize(kept);
  result.v.resize(kept);
  result.f.resize(kept);
  result.energy.resize(kept);
}

/// Laws that see time have no events that could be located from the path alone: the midpoint rule
/// with halved steps, until the motion changes by less than the tolerance.
static TimeResult refined_midpoint(const Structure& structure, TimeOptions options, double t0,
                                   const std::vector<AnyState>& joints) {
  options.method = Method::midpoint;
  if (!(options.step > 0)) {
    double frequency = 1 / options.until;
    for (Eigen::Index i = 0; i < structure.size(); ++i)
      frequency = std::max(frequency,
                           std::sqrt(std::abs(structure.K.coeff(i, i)) / structure.M.coeff(i, i)));
    options.step = std::min(0.1 / frequency, options.until / 10);
  }
  const double rows = options.step;
  TimeResult coarse = integrate(structure, options, t0, joints);
  for (int halving = 0; halving < 10; ++halving) {
    options.step /= 2;
    TimeResult fine = integrate(structure, options, t0, joints);
    double change = 0;
    double size = 0;
    std::size_t k = 0;
    for (std::size_t i = 0; i < coarse.t.size(); ++i) {
      while (k < fine.t.size() && fine.t[k] < coarse.t[i] - 1e-9 * rows) ++k;
      if (k == fine.t.size()) break;
      change = std::max(change, (fine.x[k] - coarse.x[i]).lpNorm<Eigen::Infinity>());
      size = std::max(size, fine.x[k].lpNorm<Eigen::Infinity>());
    }
    coarse = std::move(fine);
    // Order two: the finer one is three times better than their difference.
    if (change <= 3 * std::max(options.tolerance, 1e-7) * size || !coarse.message.empty()) break;
  }
  if (!options.every_step) keep_rows(rows, options.at, coarse);
  return coarse;
}

TimeResult integrate(const Structure& structure, const TimeOptions& options) {
  std::vector<AnyState> rest;
  for (const JointElement& joint : structure.joints) rest.push_back(joint.model.rest());
  return integrate(structure, options, 0, std::move(rest));
}

TimeResult integrate(const Structure& structure, const TimeOptions& options, double t0,
                     std::vector<AnyState> joints) {
  const bool without_events = std::any_of(
      structure.joints.begin(), structure.joints.end(),
      [](const JointElement& joint) { return sees_time(joint.model) && !jumps(joint.model); });
  if (options.method == Method::events && without_events)
    return refined_midpoint(structure, options, t0, joints);
  check(structure, options);
  TimeRun run(structure, options, t0, std::move(joints));
  const Eigen::Index n = structure.size();
  const Eigen::VectorXd x = options.x0.size() > 0 ? options.x0 : Eigen::VectorXd::Zero(n);
  Eigen::VectorXd v = options.v0.size() > 0 ? options.v0 : Eigen::VectorXd::Zero(n);
  // The joints start where the structure is: driven there from where they are, energy counted.
  run.begin(x, v);
  for (std::size_t j = 0; j < structure.joints.size(); ++j) {
    const Response<double> reply =
        structure.joints[j].model.step(run.state[j], run.joint_motion(j, x),
                                       std::numeric_limits<double>::infinity(), run.state[j]);
    run.force[j] = reply.force;
    run.result.joint_energy[j] += reply.dissipated;
    run.result.audit.joints += reply.dissipated;
    // Whoever brought the joint there did this work.
    run.result.audit.input += reply.dissipated;
  }
  double stored = 0;
  for (std::size_t j = 0; j < structure.joints.size(); ++j)
    stored += structure.joints[j].model.stored(run.state[j]);
  run.result.audit.joints_stored = -stored;
  run.apply_impulses(t0, v);
  run.note_energy(x, v);
  run.record(t0, x, v);
  if (options.method == Method::events)
    integrate_events(run, x, v);
  else if (options.method == Method::cvode)
    integrate_cvode(run, x, v);
  else
    integrate_implicit(run, x, v);
  return std::move(run.result);
}

namespace {

/// A structure that is loaded slowly. Joints with rigid friction stick, which makes the forces in
/// them further unknowns, or slip to one side.
class SlowLoading {
 public:
  SlowLoading(const Structure& structure, StaticState& at)
      : s_(structure), at_(at), trial_(at.joints), side_(s_.joints.size(), 0) {
    for (const JointElement& joint : s_.joints) {
      laws_.emplace_back();
      place_.push_back(0);
      if (jumps(joint.model)) laws_.back().emplace(joint.model);
    }
    hold_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(s_.joints.size()));
  }

  bool go_to(const Eigen::VectorXd& force) {
    for (std::size_t round = 0; round <= 4 * s_.joints.size(); ++round) {
      if (!balance(force)) return false;
      if (sides_hold()) {
        commit();
        return true;
      }
    }
    return false;
  }

 private:
  bool sticks(std::size_t j) const { return laws_[j] && side_[j] == 0; }

  bool balance(const Eigen::VectorXd& force) {
    const Eigen::Index n = s_.size();
    Eigen::Index stuck = 0;
    for (std::size_t j = 0; j < laws_.size(); ++j) stuck += sticks(j);
    for (int iteration = 0; iteration < 50; ++iteration) {
      Eigen::MatrixXd tangent = Eigen::MatrixXd::Zero(n + stuck, n + stuck);
      Eigen::VectorXd residual = Eigen::VectorXd::Zero(n + stuck);
      tangent.topLeftCorner(n, n) = s_.K;
      residual.head(n) = s_.K * at_.x - force;
      Eigen::Index row = n;
      for (std::size_t j = 0; j < laws_.size(); ++j) {
        const Eigen::VectorXd& w = s_.joints[j].w;
        if (sticks(j)) {
          residual.head(n) += hold_[static_cast<Eigen::Index>(j)] * w;
          residual[row] = w.dot(at_.x) - place_[j];
          tangent.block(0, row, n, 1) = w;
          tangent.block(row, 0, 1, n) = w.transpose();
          ++row;
          continue;
        }
        const auto [f, slope] = answer(j);
        residual.head(n) += f * w;
        tangent.topLeftCorner(n, n) += slope * w * w.transpose();
      }
      const double error = residual.head(n).lpNorm<Eigen::Infinity>();
      const double moved =
          residual.tail(stuck).size() > 0 ? residual.tail(stuck).lpNorm<Eigen::Infinity>() : 0;
      if (error <= 1e-12 * force.lpNorm<Eigen::Infinity>() &&
          moved <= 1e-13 * at_.x.lpNorm<Eigen::Infinity>())
        return at_.x.allFinite();
      const Eigen::VectorXd step = tangent.fullPivLu().solve(residual);
      at_.x -= step.head(n);
      row = n;
      for (std::size_t j = 0; j < laws_.size(); ++j)
        if (sticks(j)) hold_[static_cast<Eigen::Index>(j)] -= step[row++];
    }
    return false;
  }

  std::pair<double, double> answer(std::size_t j) {
    const double u = s_.joints[j].w.dot(at_.x);
    if (laws_[j]) {
      const auto slopes = laws_[j]->slopes({at_.joints[j], place_[j], side_[j]}, u, 0, infinity);
      return {slopes.force, slopes.by_u};
    }
    const Response<double> reply = s_.joints[j].model.step(at_.joints[j], u, infinity, trial_[j]);
    return {reply.force, reply.tangent};
  }

  bool sides_hold() {
    for (std::size_t j = 0; j < laws_.size(); ++j) {
      if (!laws_[j]) continue;
      const double hold = hold_[static_cast<Eigen::Index>(j)];
      laws_[j]->measure(at_.x.lpNorm<Eigen::Infinity>(), 1);
      const auto limits = laws_[j]->limits(at_.joints[j], place_[j]);
      const double u = s_.joints[j].w.dot(at_.x);
      int side = side_[j];
      if (side == 0)
        side = hold > limits.on ? 1 : hold < limits.back ? -1 : 0;
      else if (side * (u - place_[j]) < 0)
        side = 0;
      if (side == side_[j]) continue;
      side_[j] = side;
      return false;
    }
    return true;
  }

  void commit() {
    for (std::size_t j = 0; j < laws_.size(); ++j) {
      if (sticks(j)) continue;
      const double u = s_.joints[j].w.dot(at_.x);
      const Response<double> reply =
          s_.joints[j].model.step(at_.joints[j], u, infinity, at_.joints[j]);
      hold_[static_cast<Eigen::Index>(j)] = reply.force;
      place_[j] = u;
    }
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  const Structure& s_;
  StaticState& at_;
  std::vector<AnyState> trial_;
  std::vector<int> side_;
  std::vector<std::optional<RigidFriction>> laws_;
  std::vector<double> place_;
  Eigen::VectorXd hold_;
};

}  // namespace

StaticState static_equilibrium(const Structure& structure, int increments) {
  StaticState result{Eigen::VectorXd::Zero(structure.size()), {}, true};
  Eigen::VectorXd target = Eigen::VectorXd::Zero(structure.size());
  for (const Load& load : structure.loads)
    if (const auto* constant = std::get_if<Constant>(&load.signal))
      target += constant->value * load.direction;
  for (const JointElement& joint : structure.joints) result.joints.push_back(joint.model.rest());
  if (target.isZero(0)) return result;
  SlowLoading loading(structure, result);
  for (int i = 1; i <= increments; ++i)
    result.converged = loading.go_to(target * i / increments) && result.converged;
  return result;
}

}  // namespace microslip::dynamics
