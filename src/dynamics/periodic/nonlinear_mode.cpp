#include "microslip/dynamics/periodic/nonlinear_mode.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "dynamics/balance/finer_step.hpp"
#include "dynamics/balance/unheld_motions.hpp"
#include "dynamics/fourier/fourier.hpp"
#include "dynamics/periodic/fineness.hpp"
#include "dynamics/periodic/mode_equations.hpp"
#include "dynamics/periodic/response_point.hpp"
#include "dynamics/periodic/trail.hpp"
#include "dynamics/rigid/rigid_friction.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/structure/modes.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

namespace microslip::dynamics {

namespace {

/// All modes at rest are found first, with full matrices: more take minutes.
constexpr Eigen::Index most_dofs = 2000;

Structure without_vibration(Structure structure) {
  std::erase_if(structure.loads,
                [](const Load& load) { return !std::holds_alternative<Constant>(load.signal); });
  return structure;
}

void check_mode(const Structure& structure, const ModeOptions& options) {
  check(structure);
  if (!(options.from > 0 && options.to > 0 && options.from != options.to))
    throw Error("amplitude = [" + number_text(options.from) + ", " + number_text(options.to) +
                "] must be two different positive amplitudes");
  if (options.mode < 1 || options.mode > structure.size())
    throw Error("mode = " + std::to_string(options.mode) + " must be from 1 to " +
                std::to_string(structure.size()));
}

void refuse_large(const Structure& structure) {
  if (structure.size() > most_dofs)
    throw Error("a nonlinear mode of " + std::to_string(structure.size()) +
                " degrees of freedom; " + std::to_string(most_dofs) +
                " are allowed: reduce the structure");
}

void refuse_rigid(const Structure& structure, int mode) {
  const auto free = static_cast<int>(unheld_motions(structure).cols());
  if (mode <= free)
    throw Error("mode = " + std::to_string(mode) +
                " is a rigid-body motion, which has no frequency; the first elastic mode is " +
                std::to_string(free + 1));
}

/// Σ h² X_hᴴ M X_h, by which a damping force 2ζω M x' loses 2πζω² times as much in a period.
double damped_motion(const HarmonicBalance& balance, const Eigen::VectorXd& motion) {
  const SparseMatrix& M = balance.structure().M;
  double sum = 0;
  for (Eigen::Index k = 1; k <= 2 * balance.harmonics(); ++k) {
    const auto x = motion.segment(k * balance.dofs(), M.rows());
    const auto h = static_cast<double>((k + 1) / 2);
    sum += h * h * x.dot(M * x);
  }
  return sum;
}

/// ζ is taken from what is lost, which is known to its own digits; as an unknown it is known to a part of
/// the forces, which may be far larger than what it stands for.
ModePoint point_of(ModeEquations& equations, const Eigen::VectorXd& y) {
  const HarmonicBalance& balance = equations.balance;
  const Eigen::VectorXd motion = equations.motion(y);
  const ResponsePoint response = response_point(equations.balance, motion);
  const double omega = equations.omega(y);
  const double zeta = response.lost / (2 * pi * omega * omega * damped_motion(balance, motion));
  return {std::exp(y[balance.size() + 2]), omega, zeta, response.first, response.energy};
}

/// The amplitude as it was asked for, not as exp(ln a) rounds it.
double asked(const std::vector<double>& amplitudes, double logarithm) {
  for (const double a : amplitudes)
    if (a > 0 && std::log(a) == logarithm) return a;
  return std::exp(logarithm);
}

/// The linear mode that a curve begins with.
struct Beginning {
  double omega;
  Eigen::VectorXd shape;
  Eigen::VectorXd holds{};  ///< forces in joints that stick at amplitude 1, if all do
};

/// Where static loads take a structure whose joints depend on that; empty for others.
Eigen::VectorXd rest_of(const Structure& structure) {
  if (structure.interfaces.empty()) return {};
  const StaticState rest = static_equilibrium(structure);
  if (!rest.converged) throw Error("no equilibrium was found under the static loads");
  return rest.x;
}

/// Rigid friction holds its joints as long as the motion is small; if it holds all of them at that
/// amplitude, they are links.
Beginning beginning_of(const Structure& structure, int mode, double amplitude) {
  const Modes free = modes_at_rest(structure, rest_of(structure));
  const Beginning unstuck{free.omega[mode - 1], free.shapes.col(mode - 1)};
  if (!rigid(structure)) return unstuck;
  // Stiff enough for six digits, and soft enough for the eigenvalues of the rest.
  const double link = 1e6 * Eigen::VectorXd(structure.K.diagonal()).cwiseAbs().maxCoeff();
  Eigen::MatrixXd K = structure.K;
  for (const JointElement& joint : structure.joints)
    K +=
        (joint.model.rigid() ? link : tangent_at_rest(joint.model)) * joint.w * joint.w.transpose();
  for (const InterfaceElement& interface : structure.interfaces)
    add_along(K, interface.w,
              tangent_about(*interface.law, displacements(interface, rest_of(structure))));
  const Modes linked = linear_modes(structure.M, K);
  Beginning stuck{linked.omega[mode - 1], linked.shapes.col(mode - 1),
                  Eigen::VectorXd::Zero(static_cast<Eigen::Index>(structure.joints.size()))};
  for (std::size_t j = 0; j < structure.joints.size(); ++j) {
    const JointElement& joint = structure.joints[j];
    if (!joint.model.rigid()) continue;
    const double hold = link * joint.w.dot(stuck.shape);
    const auto limits = RigidFriction(joint.model).limits(joint.model.rest(), 0);
    if (amplitude * std::abs(hold) >= std::min(limits.on, -limits.back)) return unstuck;
    stuck.holds[static_cast<Eigen::Index>(j)] = hold;
  }
  return stuck;
}

/// The points of a curve, and those that were asked for between them.
void record(ModeEquations& equations, const Curve& curve, const ModeOptions& options,
            ModeCurve& result) {
  if (!curve.points.empty()) {
    result.unknowns = curve.points.back().y;
    result.tangent = curve.points.back().tangent;
  }
  for (const std::size_t i : curve.leaps)
    result.leaps.push_back(std::exp(curve.points[i].y.tail(1)[0]));
  result.residual = curve.largest_residual;
  std::vector<double> wanted;
  for (const double a : options.at)
    if (a > 0) wanted.push_back(std::log(a));
  std::sort(wanted.begin(), wanted.end());
  if (options.to < options.from) std::reverse(wanted.begin(), wanted.end());
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    if (i > 0) {
      const Curve piece{{curve.points[i - 1], curve.points[i]}, {}, curve.end, curve.scales, 0};
      for (const double a : wanted)
        for (const CurvePoint& point : points_at(equations, piece, a)) {
          if (a == piece.points[0].y.tail(1)[0]) continue;
          result.at.push_back(point_of(equations, point.y));
          result.at.back().amplitude = asked(options.at, a);
          if (a != piece.points[1].y.tail(1)[0]) result.points.push_back(result.at.back());
        }
    }
    result.points.push_back(point_of(equations, curve.points[i].y));
  }
}

/// Goes on from the end of the trail, and leaves there what is good enough of the curve. Nothing if another
/// piece with another fineness is to go on.
std::optional<ModeCurve> follow_mode(const Structure& structure, const ModeOptions& options,
                                     Fineness& fineness, Trail& trail) {
  const int harmonics = fineness.harmonics();
  const Structure free = without_vibration(structure);
  const Beginning near = beginning_of(free, options.mode, options.from);
  const double omega = near.omega;
  const Eigen::VectorXd& shape = near.shape;
  PeriodicOptions periodic = options.periodic;
  periodic.level = std::max(periodic.level, fineness.level());
  periodic.given_amplitude = true;
  periodic.reference_omega = omega;
  if (!(omega > 0))
    throw Error("mode " + std::to_string(options.mode) + " moves without stiffness");
  const auto shared = std::make_shared<const BalancedStructure>(free, periodic);
  ModeEquations equations(shared, harmonics, periodic, shape, omega,
                          std::max(options.from, options.to));
  const Eigen::Index size = equations.balance.size();
  const Eigen::Index n = equations.balance.dofs();
  const Eigen::Index master = equations.master();
  const auto guess_at = [&](double a, const Beginning& linear) {
    Eigen::VectorXd y = Eigen::VectorXd::Zero(size + 3);
    equations.set_rest(y);
    y.segment(n, shape.size()) =
        equations.in_unknowns(linear.shape * (linear.shape[master] < 0 ? -1 : 1));
    y[size] = linear.omega / omega;
    y[size + 1] = linear.shape.dot(free.C * linear.shape) / (2 * linear.omega);
    y[size + 2] = std::log(a);
    equations.set_sliding_forces(y, linear.holds);
    equations.balance.elements().refuse_drifting(equations.motion(y));
    return y;
  };

  ContinuationOptions along;
  along.from = std::log(options.from);
  along.to = std::log(options.to);
  along.scale = 1;
  along.largest_step = options.largest_step;
  along.leap = true;
  if (equations.balance.slides()) along.smallest_step = 1e-4;
  Eigen::VectorXd guess;
  if (!trail.empty()) {
    const CurvePoint end = trail.end(n, harmonics);
    guess = end.y;
    along.direction = end.tangent;
  } else {
    // Only rigid friction begins in another way at another amplitude.
    const Beginning far = rigid(free) ? beginning_of(free, options.mode, options.to) : near;
    const Eigen::VectorXd other_end = guess_at(options.to, far);
    guess = guess_at(options.from, near);
    // Where Newton's method does not get to the first point, the curve from its other end may.
    if (Eigen::VectorXd y = guess; !solve_at(equations, y).converged) {
      ContinuationOptions back = along;
      std::swap(back.from, back.to);
      back.leap = false;
      back.on_point = [&](const CurvePoint&, double) {
        return !options.progress || options.progress(0);
      };
      const Curve curve = follow(equations, other_end, back);
      if (curve.end == CurveEnd::reached) guess = curve.points.back().y;
    }
  }
  ModeCurve result;
  std::optional<ModeEquations> finer;  // with twice the harmonics, once it is needed
  // The forces left out alone are a lower bound, which saves the rest where it is too much already.
  const auto truncation = [&](const CurvePoint& point,
                              const Eigen::VectorXd& motion) -> Fineness::Truncation {
    const double least = equations.balance.truncation(motion);
    const bool first = fineness.judges_first_harmonic();
    if (equations.balance.slides() || (!first && least > fineness.most_truncation()))
      return {least};
    const int more = finer_harmonics(harmonics);
    if (!finer)
      finer.emplace(shared, more, periodic, shape, omega, std::max(options.from, options.to));
    const Eigen::VectorXd change =
        change_by_harmonics(*finer, with_harmonics(point.y, n, harmonics, more),
                            with_harmonics(point.tangent, n, harmonics, more));
    if (change.size() == 0) return {least};
    // Damping counts relative to itself where it is not next to nothing. The unit of ω is about ω.
    constexpr double next_to_nothing = 1e-4;
    const Eigen::Index zeta = finer->balance.size() + 1;
    const double damping =
        of_all_harmonics * std::abs(change[zeta]) / (std::abs(point.y[size + 1]) + next_to_nothing);
    if (!first)
      return {std::max(least,
                       of_all_harmonics * change.head(change.size() - 1).lpNorm<Eigen::Infinity>()),
              damping};
    const double moved = part_of_vibration(free.M, n, {finer->displacements(change), 1},
                                           {equations.displacements(point.y), harmonics});
    return {of_all_harmonics * std::max(moved, std::abs(change[zeta - 1])), damping};
  };
  // Neighbours on the curve are alike: every third point speaks for them.
  std::size_t passed = 0, good = 0;
  auto verdict = Fineness::Verdict::right;
  along.on_point = [&](const CurvePoint& point, double part) {
    const Eigen::VectorXd motion = equations.motion(point.y);
    if (passed++ % fineness.every() == 0) {
      verdict = fineness.judge(equations.balance, motion, truncation(point, motion),
                               equations.balance.elements().quadrature(motion));
      if (verdict != Fineness::Verdict::right) return false;
      good = passed;
    } else {
      verdict = fineness.judge_neighbour(equations.balance.elements().work_error(motion));
      if (verdict != Fineness::Verdict::right) return false;
    }
    return !options.progress || options.progress(part);
  };
  Curve curve = follow(equations, guess, along);
  if (curve.points.empty() && !trail.empty()) {
    trail = {};
    return follow_mode(structure, options, fineness, trail);
  }
  result.end = curve.end;
  if (curve.end == CurveEnd::stuck || curve.end == CurveEnd::too_long) {
    const Eigen::VectorXd from = curve.points.empty() ? guess : curve.points.back().y;
    Eigen::VectorXd to = from;
    if (curve.points.empty())
      to[size + 2] += 1e-3;  // ln a
    else
      to += 1e-3 * curve.points.back().tangent;
    result.hardest_joint = equations.balance.elements().hardest(
        equations.motion(from), equations.motion(to), equations.balance.scales().dofs());
  }
  const int most = trail.most_harmonics(harmonics);
  good = std::max(good + trail.put_before(curve, n, harmonics), trail.points.size());
  trail = trail_of(curve, most, good);
  const bool at_end = curve.end == CurveEnd::reached;
  if (verdict == Fineness::Verdict::too_coarse ||
      (verdict == Fineness::Verdict::too_fine && !at_end) ||
      (curve.end == CurveEnd::stuck && fineness.goes_back()))
    return std::nullopt;
  result.harmonics = most;
  result.truncation = fineness.truncation().motion;
  result.truncation_of_damping = fineness.truncation().damping;
  result.quadrature = fineness.quadrature();
  if (most == harmonics) {
    record(equations, curve, options, result);
    return result;
  }
  ModeEquations whole(shared, most, periodic, shape, omega, std::max(options.from, options.to));
  const double largest = curve.scales[0], range = curve.scales.tail(1)[0];
  curve.scales.setConstant(whole.size() + 1, largest);
  curve.scales.tail(1)[0] = range;
  record(whole, curve, options, result);
  return result;
}

ModeCurve adaptive_mode(const Structure& structure, const ModeOptions& options) {
  const UnknownCount count = count_unknowns(structure, options.periodic);
  Trail trail = trail_of({options.start, options.direction, 0}, count.dofs, count.own + 3);
  Fineness fineness({options.harmonics, options.tolerance, options.quadrature}, trail.harmonics);
  while (true) {
    if (options.on_harmonics) options.on_harmonics(fineness.harmonics());
    if (const auto curve = follow_mode(structure, options, fineness, trail)) return *curve;
  }
}

}  // namespace

ModeCurve nonlinear_mode(const Structure& structure, const ModeOptions& options) {
  check_mode(structure, options);
  refuse_large(structure);
  refuse_rigid(structure, options.mode);
  return adaptive_mode(structure, options);
}

namespace {

/// A structure that is pushed along Mφ so far that φᵀMx = q, linear but for its joints: solved once
/// with their tangents t₀ at rest, where other tangents are a small matter of the joints,
///     [ K + W t Wᵀ   −Mφ ]
///     [ (Mφ)ᵀ          0 ].
class LoadedStructure {
 public:
  LoadedStructure(const Structure& structure, const Eigen::VectorXd& shape, StaticState start)
      : s(structure),
        load_shape(s.M * shape),
        rest(std::move(start)),
        held(Eigen::VectorXd::Zero(s.size())),
        at_rest_(Eigen::MatrixXd::Zero(count(), count())),
        directions_(s.size() + 1, count()) {
    for (const Load& load : s.loads)
      if (const auto* constant = std::get_if<Constant>(&load.signal))
        held += constant->value * load.direction;
    const Eigen::Index n = s.size();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + 1, n + 1);
    A.topLeftCorner(n, n) = s.K;
    directions_.setZero();
    Eigen::Index row = 0;
    for (const JointElement& joint : s.joints) {
      at_rest_(row, row) = tangent_at_rest(joint.model);
      A.topLeftCorner(n, n) += at_rest_(row, row) * joint.w * joint.w.transpose();
      directions_.col(row++).head(n) = joint.w;
    }
    for (const InterfaceElement& interface : s.interfaces) {
      const auto r = static_cast<Eigen::Index>(interface.w.size());
      const Eigen::MatrixXd T = tangent_about(*interface.law, displacements(interface, rest.x));
      at_rest_.block(row, row, r, r) = T;
      Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(n, n);
      add_along(stiffness, interface.w, T);
      A.topLeftCorner(n, n) += stiffness;
      for (const Direction& w : interface.w) directions_.col(row++).head(n) = w;
    }
    A.topRightCorner(n, 1) = -load_shape;
    A.bottomLeftCorner(1, n) = load_shape.transpose();
    solver_.compute(A);
    moved_ = solver_.solve(directions_);
    receptance_ = directions_.transpose() * moved_;
  }

  /// Displacements of all joints.
  Eigen::Index count() const {
    std::size_t sum = s.joints.size();
    for (const InterfaceElement& interface : s.interfaces) sum += interface.w.size();
    return static_cast<Eigen::Index>(sum);
  }

  /// With other tangents, a block for each joint.
  Eigen::VectorXd solve(const Eigen::MatrixXd& tangents, const Eigen::VectorXd& rhs) const {
    const Eigen::VectorXd linear = solver_.solve(rhs);
    if (count() == 0) return linear;
    const auto joints = static_cast<Eigen::Index>(s.joints.size());
    const Eigen::MatrixXd change = tangents - at_rest_;
    Eigen::MatrixXd small(count(), count());
    small.topRows(joints) =
        change.diagonal().head(joints).asDiagonal() * receptance_.topRows(joints);
    Eigen::Index row = joints;
    for (const InterfaceElement& interface : s.interfaces) {
      const auto r = static_cast<Eigen::Index>(interface.w.size());
      small.middleRows(row, r) = change.block(row, row, r, r) * receptance_.middleRows(row, r);
      row += r;
    }
    small.diagonal().array() += 1;
    const Eigen::VectorXd q = directions_.transpose() * linear;
    return linear - moved_ * dense::solve(small, Eigen::VectorXd(change * q));
  }

  const Structure& s;
  const Eigen::VectorXd load_shape;
  const StaticState rest;  ///< under the static loads
  Eigen::VectorXd held;    ///< static loads

 private:
  Eigen::MatrixXd at_rest_;
  Eigen::MatrixXd directions_, moved_, receptance_;
  dense::Lu solver_;
};

/// One quasi-static loop 0 → a → −a → a of the modal amplitude.
class LoadedMode {
 public:
  explicit LoadedMode(const LoadedStructure& loaded)
      : loaded_(loaded), s_(loaded.s), x_(loaded.rest.x), state_(loaded.rest.joints) {
    for (const InterfaceElement& interface : s_.interfaces) {
      AnyState& state = interfaces_.emplace_back(interface.law->rest());
      interface.law->step(state, displacements(interface, x_), state);
    }
    trial_ = state_;
    interface_trial_ = interfaces_;
    lost.assign(state_.size() + interfaces_.size(), 0);
  }

  /// Moves φᵀMx to q in some increments; false if Newton's method fails.
  bool move_to(double q, int increments) {
    const double from = loaded_.load_shape.dot(x_ - loaded_.rest.x);
    for (int i = 1; i <= increments; ++i)
      if (!solve(from + (q - from) * i / increments)) return false;
    return true;
  }

  double load = 0;  ///< factor of Mφ
  std::vector<double> lost;
  const Eigen::VectorXd& x() const { return x_; }

 private:
  bool solve(double q) {
    const Eigen::Index n = s_.size();
    const Eigen::VectorXd& load_shape = loaded_.load_shape;
    const double inf = std::numeric_limits<double>::infinity();
    Eigen::MatrixXd tangents = Eigen::MatrixXd::Zero(loaded_.count(), loaded_.count());
    for (int iteration = 0; iteration < 60; ++iteration) {
      Eigen::VectorXd r(n + 1);
      r.head(n) = s_.K * x_ - loaded_.held - load * load_shape;
      // Forces before they cancel, the largest of the loop: what rounding is measured against.
      double size = std::abs(load) * load_shape.lpNorm<Eigen::Infinity>() +
                    (s_.K.cwiseAbs() * x_.cwiseAbs()).lpNorm<Eigen::Infinity>();
      for (std::size_t j = 0; j < s_.joints.size(); ++j) {
        const JointElement& joint = s_.joints[j];
        const Response<double> reply = joint.model.step(state_[j], joint.w.dot(x_), inf, trial_[j]);
        if (reply.status != Status::ok) return false;
        tangents(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(j)) = reply.tangent;
        r.head(n) += reply.force * joint.w;
        size += std::abs(reply.force);
      }
      auto row = static_cast<Eigen::Index>(s_.joints.size());
      for (std::size_t i = 0; i < s_.interfaces.size(); ++i) {
        const InterfaceElement& interface = s_.interfaces[i];
        const InterfaceReply reply =
            interface.law->step(interfaces_[i], displacements(interface, x_), interface_trial_[i]);
        if (reply.status != Status::ok) return false;
        const auto width = static_cast<Eigen::Index>(interface.w.size());
        tangents.block(row, row, width, width) = reply.tangent;
        row += width;
        for (Eigen::Index k = 0; k < width; ++k)
          r.head(n) += reply.force[k] * interface.w[static_cast<std::size_t>(k)];
        size += reply.force.lpNorm<1>();
      }
      r[n] = load_shape.dot(x_ - loaded_.rest.x) - q;
      largest_force_ = std::max(largest_force_, size);
      largest_motion_ = std::max(largest_motion_, std::abs(q) + load_shape.norm() * x_.norm());
      if (r.head(n).lpNorm<Eigen::Infinity>() <= 1e-12 * largest_force_ &&
          std::abs(r[n]) <= 1e-13 * largest_motion_) {
        commit();
        return true;
      }
      const Eigen::VectorXd step = loaded_.solve(tangents, r);
      if (!step.allFinite()) return false;
      x_ -= step.head(n);
      load -= step[n];
    }
    return false;
  }

  void commit() {
    const double inf = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < s_.joints.size(); ++j)
      lost[j] +=
          s_.joints[j].model.step(state_[j], s_.joints[j].w.dot(x_), inf, state_[j]).dissipated;
    for (std::size_t i = 0; i < s_.interfaces.size(); ++i)
      lost[s_.joints.size() + i] +=
          s_.interfaces[i]
              .law->step(interfaces_[i], displacements(s_.interfaces[i], x_), interfaces_[i])
              .dissipated;
  }

  const LoadedStructure& loaded_;
  const Structure& s_;
  Eigen::VectorXd x_;
  double largest_force_ = 0, largest_motion_ = 0;
  std::vector<AnyState> state_, trial_, interfaces_, interface_trial_;
};

ModePoint loaded_loop(const LoadedStructure& loaded, const Eigen::VectorXd& shape, double a) {
  const Structure& structure = loaded.s;
  LoadedMode loop(loaded);
  // One joint follows the push exactly; several share it in proportions that change on the way.
  const bool several = structure.joints.size() > 1 || !structure.interfaces.empty();
  const int increments = several ? 40 : 1;
  ModePoint point;
  point.amplitude = a;
  if (!loop.move_to(a, increments)) return point;
  if (!loop.move_to(-a, increments)) return point;
  const double low = loop.load;
  const Eigen::VectorXd there = loop.x();
  std::vector<double> before = loop.lost;
  if (!loop.move_to(a, increments)) return point;
  const double half_turn = loop.load;
  const Eigen::VectorXd back = loop.x();
  std::vector<double> middle = loop.lost;
  if (!loop.move_to(-a, increments)) return point;
  double energy = 0;
  for (std::size_t j = 0; j < middle.size(); ++j) {
    point.energy.push_back(loop.lost[j] - before[j]);
    energy += point.energy.back();
  }
  point.omega = std::sqrt(std::max(0.0, (half_turn - low) / (2 * a)));
  point.zeta = energy / (2 * pi * point.omega * point.omega * a * a) +
               shape.dot(structure.C * shape) / (2 * point.omega);
  for (Eigen::Index i = 0; i < structure.size(); ++i) {
    const double x = 0.5 * (back[i] - there[i]);
    point.first.push_back({std::abs(x), x < 0 ? pi : 0});
  }
  return point;
}

}  // namespace

ModeCurve quasi_static_mode(const Structure& structure, const ModeOptions& options) {
  check_mode(structure, options);
  refuse_other_interfaces(structure, "a quasi-static mode");
  for (const JointElement& joint : structure.joints)
    if (joint.model.rate_dependent())
      throw Error("quasi-static analysis has no time, but " + joint.model.description().name +
                  " is rate-dependent");
  const Structure free = without_vibration(structure);
  const Modes modes = modes_at_rest(free, rest_of(free));
  const Eigen::VectorXd shape = modes.shapes.col(options.mode - 1);
  HarmonicBalance one_harmonic(free, 1);
  one_harmonic.elements().refuse_drifting(
      one_harmonic.starts().cosine_motion(std::max(options.from, options.to) * shape, 1));
  std::vector<double> amplitudes = options.at;
  constexpr int count = 60;
  for (int i = 0; i <= count; ++i)
    amplitudes.push_back(options.from *
                         std::pow(options.to / options.from, static_cast<double>(i) / count));
  amplitudes.erase(
      std::remove_if(amplitudes.begin(), amplitudes.end(), [](double a) { return !(a > 0); }),
      amplitudes.end());
  std::sort(amplitudes.begin(), amplitudes.end());
  amplitudes.erase(std::unique(amplitudes.begin(), amplitudes.end()), amplitudes.end());
  StaticState rest = static_equilibrium(free);
  if (!rest.converged) throw Error("no equilibrium was found under the static loads");
  const LoadedStructure loaded(free, shape, std::move(rest));
  ModeCurve result;
  for (const double a : amplitudes) {
    const ModePoint point = loaded_loop(loaded, shape, a);
    if (point.first.empty()) {
      result.end = CurveEnd::stuck;
      return result;
    }
    result.points.push_back(point);
    if (std::find(options.at.begin(), options.at.end(), a) != options.at.end())
      result.at.push_back(point);
  }
  return result;
}

}  // namespace microslip::dynamics
