#include "dynamics/joint/periodic_joint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {
PeriodicJoint::PeriodicJoint(const AnyModel& model, int harmonics, const PeriodicOptions& options,
                             std::vector<double> before)
    : period_(model, harmonics, options, std::move(before)),
      closed_(period_),
      event_nodes_(period_),
      events_(period_, closed_, event_nodes_),
      loops_in_time_{{{period_, 1}, {period_, 2}, {period_, 3}}},
      rigid_(model.rigid()),
      linear_(options.rule == Rule::event_exact && model.rate_dependent() &&
              model.dynamic_stiffness(1).has_value()),
      odd_law_(model.odd() && period_.law.before.empty()) {}

void PeriodicJoint::answer(const Eigen::VectorXd& q, const Eigen::VectorXd& /*own*/, double omega,
                           bool with_jacobian) {
  evaluate(q, omega, with_jacobian);
}

/// Laws say whether they repeat their loops, and formulas do as far as their form tells. What is left are
/// formulas that drift under some motions: a memory that fades is nearly gone after thousands of rounds;
/// what still changes then goes on, unless the motion is so small that it hardly moves the law, where a
/// motion a hundred times as large decides.
bool PeriodicJoint::drifts(const Eigen::VectorXd& q, double omega) {
  const std::vector<ParameterInfo>& parameters = model().description().parameters;
  const bool by_formula = std::any_of(parameters.begin(), parameters.end(), [](const auto& info) {
    return info.kind == Kind::expression;
  });
  if (!by_formula) return false;
  const auto changes = [&](const Eigen::VectorXd& motion) {
    const PeriodicForce& reply = evaluate(motion, omega, false);
    return !reply.closed && reply.drift > 1e-8;
  };
  return changes(q) && changes(100 * q);
}

/// The forces of harmonics left out, from an evaluation with twice as many.
double PeriodicJoint::truncation(const Eigen::VectorXd& q, double omega, const Surroundings& s) {
  const int more = 2 * period_.harmonics + 1;
  if (!finer_)
    finer_ = std::make_unique<PeriodicJoint>(period_.law.model, more, period_.options,
                                             period_.law.before);
  Eigen::VectorXd padded = Eigen::VectorXd::Zero(fourier_size(more));
  padded.head(q.size()) = q;
  const Eigen::VectorXd f = finer_->evaluate(padded, omega, false).coefficients;
  double largest = 0;
  for (int h = period_.harmonics + 1; h <= more; ++h)
    largest = std::max(largest, s.moves(h, std::hypot(f[2 * h - 1], f[2 * h])));
  return largest;
}

/// By an evaluation with finer pieces: twice the change, which covers errors that fall at least by half with
/// each refinement.
double PeriodicJoint::quadrature(const Eigen::VectorXd& q, double omega) {
  if (period_.options.rule == Rule::sampled || linear_) return 0;
  if (!finer_integrals_) {
    finer_integrals_ = std::make_unique<PeriodicJoint>(period_.law.model, period_.harmonics,
                                                       period_.options, period_.law.before);
    ++finer_integrals_->period_.options.level;
  }
  respond(q, {}, omega, false);
  const Eigen::VectorXd& here = period_.result.coefficients;
  const Eigen::VectorXd& finer = finer_integrals_->evaluate(q, omega, false).coefficients;
  const double force = std::max(here.lpNorm<Eigen::Infinity>(), finer.lpNorm<Eigen::Infinity>());
  return force > 0 ? 2 * (finer - here).lpNorm<Eigen::Infinity>() / force : 0;
}

/// The law says along its path what it loses, whatever the nodes.
double PeriodicJoint::work_error() const {
  const PeriodicForce& reply = period_.result;
  if (period_.options.rule == Rule::sampled || period_.rate_dependent || linear_ ||
      reply.status != Status::ok || !reply.closed)
    return 0;
  const Eigen::VectorXd &q = period_.motion.q(), &f = reply.coefficients;
  double work = 0, exchange = 0;
  for (int h = 1; h <= period_.harmonics; ++h) {
    const double qc = q[place_of_cosine(h)], qs = q[place_of_sine(h)];
    work += pi * h * (f[place_of_cosine(h)] * qs - f[place_of_sine(h)] * qc);
    exchange += pi * h * std::hypot(qc, qs);
  }
  exchange *= f.lpNorm<Eigen::Infinity>();
  return exchange > 0 ? std::abs(work - reply.energy) / exchange : 0;
}

const PeriodicForce& PeriodicJoint::evaluate(const Eigen::VectorXd& q, double omega,
                                             bool with_jacobian) {
  forget();
  evaluate_loop(q, omega, with_jacobian);
  if (period_.rate_dependent && with_jacobian && period_.result.status == Status::ok &&
      period_.result.wrt_omega.size() == 0)
    find_difference_by_omega(q, omega);
  return period_.result;
}

/// The derivative by ω of a loop that was not solved for.
void PeriodicJoint::find_difference_by_omega(const Eigen::VectorXd& q, double omega) {
  const PeriodicForce here = period_.result;
  const JointLoop loop = period_.loop;
  const double change = 1e-6 * omega;
  evaluate_loop(q, omega + change, false);
  const Eigen::VectorXd slope = (period_.result.coefficients - here.coefficients) / change;
  period_.result = here;
  period_.result.wrt_omega = slope;
  period_.loop = loop;
}

void PeriodicJoint::set_motion(const Eigen::VectorXd& q) {
  period_.motion.set(q);
  period_.found = false;
  period_.half = false;
  period_.odd =
      odd_law_ && period_.options.rule == Rule::event_exact && period_.motion.pair_reversals();
}

void PeriodicJoint::evaluate_loop(const Eigen::VectorXd& q, double omega, bool with_jacobian) {
  PeriodicForce& result = period_.result;
  result.status = Status::ok;
  result.wrt_omega.resize(0);
  result.mean_noise = 0;
  result.closed = true;
  result.rounds = 0;
  result.energy = 0;
  if (linear_) return linear_motion(q, omega, with_jacobian);
  set_motion(q);
  if (period_.motion.reversals().empty()) return rest_motion(q[0], with_jacobian);
  const bool by_events = period_.options.rule == Rule::event_exact && !period_.rate_dependent;
  if (!by_events) {
    evaluate_in_time(omega, with_jacobian);
  } else {
    period_.start();
    closed_.close(with_jacobian);
    event_nodes_.plan(closed_.symmetric());
    period_.fill_basis();
    if (with_jacobian && result.status == Status::ok)
      events_.run_with_memory();
    else if (result.status == Status::ok)
      events_.run();
    period_.sum_force();
    if (with_jacobian && result.status == Status::ok) {
      events_.jacobian_from_reversals();
      events_.add_breaks();
    }
  }
  if (period_.half) period_.mirror_first_half();
  if (with_jacobian && result.status == Status::ok && rigid_ &&
      period_.options.rule == Rule::event_exact)
    add_jumps();
  if (period_.odd) keep_parity();
}

/// Between nodes a law knows the motion as chords, whose errors go with even powers of their length:
/// the forces under one, two and three chords between nodes are extrapolated to none.
void PeriodicJoint::evaluate_in_time(double omega, bool with_jacobian) {
  PeriodicForce& result = period_.result;
  go_in_time(loops_in_time_[0], omega, with_jacobian);
  if (period_.options.rule == Rule::sampled || !period_.rate_dependent) return;
  constexpr std::array<double, 3> weights{1.0 / 24, -16.0 / 15, 81.0 / 40};
  PeriodicForce sum;
  std::vector<double> f;
  for (std::size_t i = 0; i < weights.size() && result.status == Status::ok; ++i) {
    if (i > 0) go_in_time(loops_in_time_[i], omega, with_jacobian);
    if (i == 0) {
      sum = result;
      f.assign(period_.loop.f.size(), 0);
      for (auto* values : {&sum.coefficients, &sum.wrt_omega}) *values *= weights[i];
      sum.jacobian *= weights[i];
      sum.energy *= weights[i];
    } else {
      sum.coefficients += weights[i] * result.coefficients;
      if (result.wrt_omega.size() == sum.wrt_omega.size())
        sum.wrt_omega += weights[i] * result.wrt_omega;
      else
        sum.wrt_omega.resize(0);
      if (with_jacobian) sum.jacobian += weights[i] * result.jacobian;
      sum.energy += weights[i] * result.energy;
      sum.mean_noise = std::max(sum.mean_noise, result.mean_noise);
      sum.closed = sum.closed && result.closed;
      sum.rounds = std::max(sum.rounds, result.rounds);
    }
    for (std::size_t k = 0; k < f.size() && k < period_.loop.f.size(); ++k)
      f[k] += weights[i] * period_.loop.f[k];
  }
  if (result.status != Status::ok) return;
  result = sum;
  period_.loop.f = f;
}

/// The force under chords of one number, and where its loop closes.
void PeriodicJoint::go_in_time(RateDependentLoop& loop, double omega, bool with_jacobian) {
  PeriodicForce& result = period_.result;
  result.wrt_omega.resize(0);
  result.mean_noise = 0;
  result.closed = true;
  period_.found = false;
  period_.start();
  const bool sampled = period_.options.rule == Rule::sampled;
  if (sampled)
    loop.plan_samples();
  else
    loop.plan_legs();
  period_.fill_basis();
  const bool solved = !sampled && loop.solve_period(omega);
  if (!solved) loop.run_every_node(omega);
  period_.sum_force();
  if (!with_jacobian || result.status != Status::ok) return;
  if (period_.found)
    loop.jacobian_of_period(omega);
  else
    loop.jacobian_from_seeds(omega);
}

/// The force of an odd loop has no mean and no even harmonics, and changes of the motion that are
/// odd do not make any.
void PeriodicJoint::keep_parity() {
  PeriodicForce& result = period_.result;
  const auto even = [](Eigen::Index k) { return ((k + 1) / 2) % 2 == 0; };
  for (Eigen::VectorXd* values : {&result.coefficients, &result.wrt_omega})
    for (Eigen::Index k = 0; k < values->size(); ++k)
      if (even(k)) (*values)[k] = 0;
  for (Eigen::Index k = 0; k < result.jacobian.rows(); ++k)
    for (Eigen::Index l = 0; l < result.jacobian.cols(); ++l)
      if (even(k) != even(l)) result.jacobian(k, l) = 0;
}

/// No motion: the law goes to its place and answers small motions with its tangent.
void PeriodicJoint::rest_motion(double u, bool with_jacobian) {
  PeriodicForce& result = period_.result;
  LawWalk& law = period_.law;
  result.coefficients.setZero(fourier_size(period_.harmonics));
  period_.loop = {};
  law.state.get().assign(law.rest.get());
  period_.forces.clear();
  for (const double x : law.before)
    if (!period_.advance(x, infinity)) return;
  const Response<double> reply = law.model.step(law.state, u, infinity, law.state);
  result.status = reply.status;
  result.coefficients[0] = reply.force;
  result.energy = 0;
  if (!with_jacobian) return;
  const Eigen::Index size = fourier_size(period_.harmonics);
  result.jacobian = reply.tangent * Eigen::MatrixXd::Identity(size, size);
}

/// (a − ib) e^{ihθ} moves the law, K(hω) (a − ib) e^{ihθ} is its force.
void PeriodicJoint::linear_motion(const Eigen::VectorXd& q, double omega, bool with_jacobian) {
  PeriodicForce& result = period_.result;
  const Eigen::Index size = fourier_size(period_.harmonics);
  const auto stiffness = [&](double rate) { return *period_.law.model.dynamic_stiffness(rate); };
  result.rounds = 1;
  result.coefficients.setZero(size);
  result.coefficients[0] = stiffness(0).real() * q[0];
  if (with_jacobian) {
    result.jacobian.setZero(size, size);
    result.jacobian(0, 0) = stiffness(0).real();
    result.wrt_omega.setZero(size);
  }
  const auto apply = [&](const std::complex<double>& K, Eigen::Index k) {
    return Eigen::Vector2d(K.real() * q[k] + K.imag() * q[k + 1],
                           K.real() * q[k + 1] - K.imag() * q[k]);
  };
  for (int h = 1; h <= period_.harmonics; ++h) {
    const Eigen::Index k = 2 * h - 1;
    const std::complex<double> K = stiffness(h * omega);
    result.coefficients.segment<2>(k) = apply(K, k);
    result.energy += pi * h * K.imag() * q.segment<2>(k).squaredNorm();
    if (!with_jacobian) continue;
    result.jacobian.block<2, 2>(k, k) << K.real(), K.imag(), -K.imag(), K.real();
    const double change = 1e-5 * omega;
    const std::complex<double> slope =
        (stiffness(h * (omega + change)) - stiffness(h * (omega - change))) / (2 * change);
    result.wrt_omega.segment<2>(k) = apply(slope, k);
  }
  fill_linear_loop(q);
}

/// For pictures: the ellipse, or the sum of them, at equal angles.
void PeriodicJoint::fill_linear_loop(const Eigen::VectorXd& q) {
  constexpr int nodes = 256;
  period_.loop = {};
  for (int i = 1; i <= nodes; ++i) {
    const double theta = 2 * pi * i / nodes;
    period_.loop.theta.push_back(theta);
    period_.loop.u.push_back(fourier_point(q, theta).value);
    period_.loop.f.push_back(fourier_point(period_.result.coefficients, theta).value);
    period_.loop.tangent.push_back(0);
    period_.loop.weight.push_back(2 * pi / nodes);
  }
}

/// Of the force, at a reversal: from the nodes on both sides, which lie close to it.
double PeriodicJoint::jump_at(std::size_t reversal) const {
  const JointLoop& loop = period_.loop;
  const double turned = period_.motion.turning_values()[reversal];
  std::size_t place = 0;
  for (const JointPeriod::Node& node : period_.nodes) {
    if (node.reversal == static_cast<int>(reversal)) {
      const std::size_t after = place < loop.f.size() ? place : 0;
      const std::size_t before = place > 0 ? place - 1 : loop.f.size() - 1;
      // Along the tangents from the nodes to the reversal.
      return loop.f[after] - loop.f[before] + loop.tangent[after] * (turned - loop.u[after]) -
             loop.tangent[before] * (turned - loop.u[before]);
    }
    if (node.counts()) ++place;
  }
  return 0;
}

void PeriodicJoint::add_jumps() {
  const std::vector<double>& reversals = period_.motion.reversals();
  const Eigen::Index size = fourier_size(period_.harmonics);
  Eigen::VectorXd row(size), slopes(size);
  for (std::size_t r = 0; r < reversals.size(); ++r) {
    fourier_row(reversals[r], period_.harmonics, row);
    fourier_slopes(row, period_.harmonics, slopes);
    const double curvature = period_.motion.at(reversals[r]).curvature;
    if (curvature == 0) continue;
    row[0] /= 2;
    period_.result.jacobian.noalias() += (jump_at(r) / (pi * curvature)) * row * slopes.transpose();
  }
}

/// Where the tangent may jump, in order, from the first reversal through a period. So many kinks that they
/// are dense among the steps are a smooth law.
std::vector<double> PeriodicJoint::places_of_jumps(int steps) {
  const int level = std::exchange(period_.options.level, 0);
  event_nodes_.plan(false);
  period_.options.level = level;
  std::vector<double> places;
  if (event_nodes_.kinks().size() <= 4 * static_cast<std::size_t>(steps))
    for (const EventNodes::Kink& kink : event_nodes_.kinks()) places.push_back(kink.theta);
  event_nodes_.forget();
  return places;
}

/// Means over the steps: between reversals, kinks and the ends of steps, by the middle. Where a reversal
/// has passed in a step, its displacement is that of the step itself, up to the order of the method.
LinearisedLoop PeriodicJoint::linearise(const Eigen::VectorXd& q, int steps) {
  forget();
  LinearisedLoop result;
  set_motion(q);
  const std::vector<double>& reversals = period_.motion.reversals();
  const auto count = static_cast<Eigen::Index>(reversals.size());
  result.tangent.setZero(steps);
  result.memory.setZero(steps, count);
  if (count == 0) {
    rest_motion(q[0], true);
    result.tangent.setConstant(period_.result.jacobian(0, 0));
    return result;
  }
  for (const double angle : reversals)
    result.reversals.push_back(angle - 2 * pi * std::floor(angle / (2 * pi)));
  period_.result.status = Status::ok;
  period_.start();
  closed_.close(true);
  if (period_.result.status != Status::ok) return result;
  // In the order of the period, which starts at the first reversal.
  const double h = 2 * pi / steps, origin = reversals.front();
  std::vector<double> ends = places_of_jumps(steps);
  for (int s = 1; s <= steps; ++s) ends.push_back(h * (std::floor(origin / h) + s));
  for (std::size_t r = 1; r < reversals.size(); ++r) ends.push_back(reversals[r]);
  ends.push_back(origin + 2 * pi);
  std::sort(ends.begin(), ends.end());
  period_.nodes.clear();
  struct Part {
    Eigen::Index step;
    double share;
    std::size_t passed;  ///< reversals before it
  };
  std::vector<Part> parts;
  double from = origin;
  std::size_t leg = 1;
  for (const double to : ends) {
    if (!(to > from) || to > origin + 2 * pi) continue;
    const double theta = 0.5 * (from + to);
    for (; leg < reversals.size() && reversals[leg] < theta; ++leg) period_.add_reversal(leg);
    const auto step = static_cast<Eigen::Index>(std::floor(theta / h));
    period_.nodes.push_back({theta, 1, 0});
    parts.push_back({step % steps, (to - from) / h, leg});
    from = to;
  }
  period_.add_reversal(reversals.size());
  period_.fill_basis();
  if (!events_.run_with_memory()) return result;
  const auto step_of = [&](std::size_t r) {
    return static_cast<Eigen::Index>(std::floor(result.reversals[r] / h)) % steps;
  };
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Part& part = parts[k];
    result.tangent[part.step] += part.share * period_.loop.tangent[k];
    for (Eigen::Index r = 0; r < count; ++r) {
      const auto place = static_cast<std::size_t>(r);
      const double memory = part.share * events_.memory()(static_cast<Eigen::Index>(k), r);
      // The step of the first reversal begins before it, at the end of the period.
      const bool at_end = place == 0 && 2 * k > parts.size();
      if (place < part.passed && !at_end && step_of(place) == part.step)
        result.tangent[part.step] += memory;
      else
        result.memory(part.step, r) += memory;
    }
  }
  return result;
}

}  // namespace microslip::dynamics
