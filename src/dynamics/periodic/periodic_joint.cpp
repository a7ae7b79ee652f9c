#include "microslip/dynamics/periodic/periodic_joint.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dynamics/continuation/root.hpp"
#include "microslip/dynamics/periodic/fourier.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {
namespace {

constexpr double pi = std::numbers::pi;

}  // namespace

PeriodicJoint::PeriodicJoint(const AnyModel& model, int harmonics, const PeriodicOptions& options,
                             std::vector<double> before)
    : model_(model),
      dual_(model.dual({})),
      harmonics_(harmonics),
      options_(options),
      before_(std::move(before)),
      rate_dependent_(model.rate_dependent()),
      rigid_(model.rigid()),
      odd_law_(model.description().claims.odd.verdict == Verdict::holds && before_.empty()),
      rest_(model.rest()),
      state_(rest_),
      scratch_(rest_),
      piece_walk_(rest_),
      begin_state_(rest_),
      piece_states_(1, rest_),
      dual_rest_(dual_.rest()),
      dual_state_(dual_rest_),
      dual_closed_(dual_rest_),
      dual_scratch_(dual_rest_) {
  // Eight points a wave of the highest harmonic; a pair of reversals inside one cell is found from
  // the extremum of the slope. The offset keeps symmetric motions away from grid points.
  const Eigen::Index points = std::max(64, 8 * (harmonics + 1));
  slope_grid_.resize(points, fourier_size(harmonics));
  Eigen::RowVectorXd row(fourier_size(harmonics));
  for (Eigen::Index i = 0; i < points; ++i) {
    fourier_row(2 * pi * (static_cast<double>(i) + 0.38) / static_cast<double>(points), harmonics,
                row);
    fourier_slopes(row, harmonics, slope_grid_.row(i));
  }
}

void PeriodicJoint::respond(const Eigen::VectorXd& q, const Eigen::VectorXd& /*own*/, double omega,
                            bool with_jacobian) {
  evaluate(q, omega, with_jacobian);
}

/// A memory that fades is nearly gone after thousands of rounds; what still changes then goes on,
/// unless the motion is so small that it hardly moves the law: a larger one tells.
bool PeriodicJoint::drifts(const Eigen::VectorXd& q, double omega) {
  const auto changes = [&](const Eigen::VectorXd& motion) {
    const PeriodicForce& reply = evaluate(motion, omega, false);
    return !reply.closed && reply.drift > 1e-8;
  };
  return changes(q) && changes(100 * q);
}

/// The forces of harmonics left out, from an evaluation with twice as many.
double PeriodicJoint::truncation(const Eigen::VectorXd& q, double omega, const Surroundings& s) {
  const int more = 2 * harmonics_ + 1;
  if (!finer_) finer_ = std::make_unique<PeriodicJoint>(model_, more, options_);
  Eigen::VectorXd padded = Eigen::VectorXd::Zero(fourier_size(more));
  padded.head(q.size()) = q;
  const Eigen::VectorXd f = finer_->evaluate(padded, omega, false).coefficients;
  double largest = 0;
  for (int h = harmonics_ + 1; h <= more; ++h)
    largest = std::max(largest, s.moves(h, std::hypot(f[2 * h - 1], f[2 * h])));
  return largest;
}

/// By an evaluation with finer pieces. Rate-dependent laws converge only like the square of the
/// distance of the nodes, which is no use to refine by halves.
double PeriodicJoint::quadrature(const Eigen::VectorXd& q, double omega) {
  if (options_.rule == Rule::sampled || rate_dependent()) return 0;
  const Eigen::VectorXd here = evaluate(q, omega, false).coefficients;
  ++options_.level;
  const Eigen::VectorXd finer = evaluate(q, omega, false).coefficients;
  --options_.level;
  const double force = std::max(here.lpNorm<Eigen::Infinity>(), finer.lpNorm<Eigen::Infinity>());
  return force > 0 ? (finer - here).lpNorm<Eigen::Infinity>() / force : 0;
}

const PeriodicForce& PeriodicJoint::evaluate(const Eigen::VectorXd& q, double omega,
                                             bool with_jacobian) {
  evaluate_loop(q, omega, with_jacobian);
  if (rate_dependent_ && with_jacobian && result_.status == Status::ok &&
      result_.by_omega.size() == 0)
    find_difference_by_omega(q, omega);
  return result_;
}

/// The derivative by ω of a loop that was not solved for.
void PeriodicJoint::find_difference_by_omega(const Eigen::VectorXd& q, double omega) {
  const PeriodicForce here = result_;
  const Loop loop = loop_;
  const double change = 1e-6 * omega;
  evaluate_loop(q, omega + change, false);
  const Eigen::VectorXd slope = (result_.coefficients - here.coefficients) / change;
  result_ = here;
  result_.by_omega = slope;
  loop_ = loop;
}

void PeriodicJoint::evaluate_loop(const Eigen::VectorXd& q, double omega, bool with_jacobian) {
  result_.status = Status::ok;
  result_.by_omega.resize(0);
  result_.mean_noise = 0;
  result_.closed = true;
  result_.rounds = 0;
  result_.energy = 0;
  find_reversals(q);
  if (reversals_.empty()) return rest_motion(q[0], with_jacobian);
  const bool by_events = options_.rule == Rule::event_exact && !rate_dependent();
  pair_reversals(q);
  start();
  if (by_events) {
    march_to_closed_loop();
    plan_events(q);
    fill_basis(q);
    memory_.resize(0, 0);
    if (with_jacobian && result_.status == Status::ok)
      run_with_memory(q);
    else if (result_.status == Status::ok)
      run_timeless(q);
  } else {
    if (options_.rule == Rule::sampled)
      plan_samples();
    else
      plan_legs();
    fill_basis(q);
    if (options_.rule == Rule::sampled || !solve_period(omega)) run_every_node(omega);
  }
  sum_force();
  if (with_jacobian && result_.status == Status::ok) {
    if (by_events) {
      jacobian_from_reversals();
      add_breaks(q);
    } else if (found_) {
      jacobian_of_period(omega);
    } else {
      jacobian_from_seeds(omega);
    }
    if (rigid_ && options_.rule == Rule::event_exact) add_jumps(q);
  }
  if (odd_) keep_parity();
}

/// Whether q(θ + π) = −q(θ) and the law is odd; the second half of the reversals is then the first
/// one mirrored, to the last digit.
void PeriodicJoint::pair_reversals(const Eigen::VectorXd& q) {
  constexpr double rounding = 1e-14;
  found_ = odd_ = false;
  const std::size_t count = reversals_.size(), half = count / 2;
  if (!odd_law_ || options_.rule != Rule::event_exact || count % 2 != 0) return;
  const double size = q.lpNorm<Eigen::Infinity>();
  double even = std::abs(q[0]);
  for (Eigen::Index k = 3; k + 1 < q.size(); k += 4)
    even = std::max({even, std::abs(q[k]), std::abs(q[k + 1])});
  if (even > rounding * size) return;
  for (std::size_t r = 0; r < half; ++r)
    if (std::abs(reversals_[half + r] - reversals_[r] - pi) > 1e-6 ||
        std::abs(turning_values_[half + r] + turning_values_[r]) > 1e-12 * size)
      return;
  for (std::size_t r = 0; r < half; ++r) {
    reversals_[half + r] = reversals_[r] + pi;
    turning_values_[half + r] = -turning_values_[r];
  }
  most_ = std::max(most_, -least_);
  least_ = -most_;
  odd_ = true;
}

/// The force of an odd loop has no mean and no even harmonics, and changes of the motion that are
/// odd do not make any.
void PeriodicJoint::keep_parity() {
  const auto even = [](Eigen::Index k) { return ((k + 1) / 2) % 2 == 0; };
  for (Eigen::VectorXd* values : {&result_.coefficients, &result_.by_omega})
    for (Eigen::Index k = 0; k < values->size(); ++k)
      if (even(k)) (*values)[k] = 0;
  for (Eigen::Index k = 0; k < result_.jacobian.rows(); ++k)
    for (Eigen::Index l = 0; l < result_.jacobian.cols(); ++l)
      if (even(k) != even(l)) result_.jacobian(k, l) = 0;
}

/// Angles at which q′, whose values on the grid are in slopes_, passes a level.
void PeriodicJoint::add_passages(const Eigen::VectorXd& q, double level,
                                 std::vector<double>& angles) const {
  const Eigen::Index points = slopes_.size();
  const double cell = 2 * pi / static_cast<double>(points);
  const auto above = [&](double theta) {
    const FourierPoint p = fourier_point(q, theta);
    return RootValue{p.slope - level, p.curvature};
  };
  // Between grid points q′ leaves its chord by less than this.
  double bulge = 0;
  for (int h = 1; 2 * h < q.size(); ++h)
    bulge += h * h * h * (std::abs(q[2 * h - 1]) + std::abs(q[2 * h])) * cell * cell / 8;
  for (Eigen::Index i = 0; i < points; ++i) {
    const double a = (static_cast<double>(i) + 0.38) * cell;
    const double here = slopes_[i] - level;
    const double next = slopes_[i + 1 < points ? i + 1 : 0] - level;
    if ((here >= 0) != (next >= 0)) {
      angles.push_back(root_between(a, a + cell, next >= 0, above));
      continue;
    }
    // The slope may touch the level twice inside the cell: only if it bends towards it and back.
    const double before = slopes_[i > 0 ? i - 1 : points - 1] - level;
    const double after = slopes_[(i + 2) % points] - level;
    const double sign = here >= 0 ? 1 : -1;
    const double least = std::min(sign * here, sign * next);
    if (least > bulge || sign * before < least || sign * after < least) continue;
    double from = a, to = a + cell;
    for (int iteration = 0; iteration < 40; ++iteration) {
      const double middle = 0.5 * (from + to);
      (sign * fourier_point(q, middle).curvature < 0 ? from : to) = middle;
    }
    const double lowest = 0.5 * (from + to);
    if (sign * above(lowest).value < 0) {
      angles.push_back(root_between(a, lowest, sign < 0, above));
      angles.push_back(root_between(lowest, a + cell, sign > 0, above));
    }
  }
}

void PeriodicJoint::find_reversals(const Eigen::VectorXd& q) {
  reversals_.clear();
  turning_values_.clear();
  slopes_.noalias() = slope_grid_ * q;
  // Rounding noise of a constant is no motion.
  if (!(slopes_.cwiseAbs().maxCoeff() > 1e-15 * std::abs(q[0]))) return;
  add_passages(q, 0, reversals_);
  // The period starts at the reversal furthest out: there laws with return-point memory have
  // forgotten everything before.
  std::size_t furthest = 0;
  for (std::size_t r = 0; r < reversals_.size(); ++r) {
    turning_values_.push_back(fourier_point(q, reversals_[r]).value);
    if (std::abs(turning_values_[r]) > std::abs(turning_values_[furthest])) furthest = r;
  }
  const auto [least, most] = std::minmax_element(turning_values_.begin(), turning_values_.end());
  least_ = *least;
  most_ = *most;
  for (std::size_t r = 0; r < furthest; ++r) reversals_[r] += 2 * pi;
  const auto shift = static_cast<std::ptrdiff_t>(furthest);
  std::rotate(reversals_.begin(), reversals_.begin() + shift, reversals_.end());
  std::rotate(turning_values_.begin(), turning_values_.begin() + shift, turning_values_.end());
}

bool PeriodicJoint::advance(double u, double dt) {
  const Response<double> reply = model_.step(state_, u, dt, state_);
  if (reply.status != Status::ok) {
    result_.status = reply.status;
    return false;
  }
  result_.energy += reply.dissipated;
  forces_.push_back(reply.force);
  return true;
}

void PeriodicJoint::start() {
  state_.get().assign(rest_.get());
  forces_.clear();
  const double slowly = std::numeric_limits<double>::infinity();
  for (const double u : before_)
    if (!advance(u, slowly)) return;
  if (options_.rule == Rule::event_exact) advance(turning_values_.front(), slowly);
}

void PeriodicJoint::plan_samples() {
  nodes_.clear();
  const double step = 2 * pi / options_.samples;
  for (int i = 1; i <= options_.samples; ++i) nodes_.push_back({i * step, step, 0});
}

void PeriodicJoint::fill_basis(const Eigen::VectorXd& q) {
  const auto count = static_cast<Eigen::Index>(nodes_.size());
  if (basis_.rows() < count) basis_.resize(count, fourier_size(harmonics_));
  counted_.clear();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].reversal < 0) counted_.push_back(i);
    fill_node(q, i);
  }
  if (rate_dependent()) {
    slope_basis_.resize(count, fourier_size(harmonics_));
    for (Eigen::Index i = 0; i < count; ++i)
      fourier_slopes(basis_.row(i), harmonics_, slope_basis_.row(i));
    slopes_.noalias() = slope_basis_ * q;
  }
  resize_loop();
}

void PeriodicJoint::fill_node(const Eigen::VectorXd& q, std::size_t i) {
  const auto row = static_cast<Eigen::Index>(i);
  Node& node = nodes_[i];
  fourier_row(node.theta, harmonics_, &basis_(row, 0));
  // Rounding must not carry a node past the reversal beside it.
  if (node.reversal < 0) node.u = std::clamp(basis_.row(row).dot(q), least_, most_);
}

void PeriodicJoint::resize_loop() {
  for (auto* column : {&loop_.theta, &loop_.u, &loop_.f, &loop_.tangent, &loop_.weight})
    column->resize(counted_.size());
}

void PeriodicJoint::record(std::size_t place, const Node& node, double f, double tangent) {
  loop_.theta[place] = node.theta;
  loop_.u[place] = node.u;
  loop_.f[place] = f;
  loop_.tangent[place] = tangent;
  loop_.weight[place] = node.weight;
}

void PeriodicJoint::run_timeless(const Eigen::VectorXd& q) {
  scratch_.get().assign(state_.get());
  std::size_t place = 0;
  for (const Node& node : nodes_) {
    const Response<double> reply = model_.step(scratch_, node.u, 0, scratch_);
    if (reply.status != Status::ok) {
      result_.status = reply.status;
      return;
    }
    if (node.reversal < 0) record(place++, node, reply.force, reply.tangent);
  }
  refine(q, false);
}

void PeriodicJoint::sum_force() {
  result_.coefficients.setZero(fourier_size(harmonics_));
  if (result_.status != Status::ok) return;
  for (std::size_t k = 0; k < counted_.size(); ++k)
    result_.coefficients += (loop_.weight[k] * loop_.f[k] / pi) *
                            basis_.row(static_cast<Eigen::Index>(counted_[k])).transpose();
  result_.coefficients[0] /= 2;
}

}  // namespace microslip::dynamics
