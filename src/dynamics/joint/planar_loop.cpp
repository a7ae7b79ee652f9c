#include "dynamics/joint/planar_loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/fourier/fourier.hpp"
#include "microslip/detail/numerics/bracket.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::dynamics {

using Vector2 = Eigen::Vector2d;

namespace planar {
inline Vector2 outward(double phi) { return {std::cos(phi), std::sin(phi)}; }
inline Vector2 across(double phi) { return {-std::sin(phi), std::cos(phi)}; }
}  // namespace planar

PlanarLoop::PlanarLoop(const PlanarSlider& slider, Index inputs, int harmonics)
    : slider_(slider),
      inputs_(inputs),
      harmonics_(harmonics),
      width_(fourier_size(harmonics)),
      with_normal_(inputs == 3 && slider.kn > 0) {
  if (with_normal_) normal_.emplace_back(harmonics);
}

// ------------------------------------------------------------------------------------ the motion

PlanarPoint PlanarLoop::at(double theta) const {
  const double c1 = std::cos(theta), s1 = std::sin(theta);
  double c = c1, s = s1;
  double value[3]{}, slope[3]{}, curvature[3]{};
  const Index inputs = with_normal_ ? 3 : 2;
  for (Index i = 0; i < inputs; ++i) value[i] = q_(i, 0);
  for (int h = 1; h <= harmonics_; ++h) {
    for (Index i = 0; i < inputs; ++i) {
      const double a = q_(i, 2 * h - 1), b = q_(i, 2 * h), one = a * c + b * s;
      value[i] += one;
      slope[i] += h * (b * c - a * s);
      curvature[i] -= h * h * one;
    }
    const double next = c * c1 - s * s1;
    s = s * c1 + c * s1;
    c = next;
  }
  PlanarPoint point;
  for (Index i = 0; i < 2; ++i) {
    point.p[i] = slider_.kt * value[i];
    point.slope[i] = slider_.kt * slope[i];
    point.curvature[i] = slider_.kt * curvature[i];
  }
  point.L = slider_.mu * std::max(0.0, slider_.N0 + (with_normal_ ? slider_.kn * value[2] : 0));
  if (with_normal_) {
    point.L_slope = slider_.mu * slider_.kn * slope[2];
    point.L_curvature = slider_.mu * slider_.kn * curvature[2];
  }
  return point;
}

Eigen::VectorXd PlanarLoop::functions(double theta, int harmonics) const {
  Eigen::VectorXd row(fourier_size(harmonics));
  fourier_row(theta, harmonics, row);
  return row;
}

void PlanarLoop::add_p(const Eigen::VectorXd& functions, double factor,
                       Eigen::Matrix2Xd& sum) const {
  if (columns_ <= 2) return;
  for (Index b = 0; b < width_; ++b)
    for (Index i = 0; i < 2; ++i) sum(i, 2 + b * inputs_ + i) += factor * slider_.kt * functions[b];
}

void PlanarLoop::add_L(const Eigen::VectorXd& functions, double factor,
                       Eigen::RowVectorXd& sum) const {
  if (columns_ <= 2 || !with_normal_) return;
  for (Index b = 0; b < width_; ++b)
    sum[2 + b * inputs_ + 2] += factor * slider_.mu * slider_.kn * functions[b];
}

Eigen::Matrix2Xd PlanarLoop::derivatives_of_p(double theta) const {
  Eigen::Matrix2Xd sum = Eigen::Matrix2Xd::Zero(2, columns_);
  add_p(functions(theta, harmonics_), 1, sum);
  return sum;
}

Eigen::RowVectorXd PlanarLoop::derivatives_of_L(double theta) const {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(columns_);
  add_L(functions(theta, harmonics_), 1, sum);
  return sum;
}

void PlanarLoop::find_contacts() {
  contacts_.clear();
  opens_ = false;
  if (!with_normal_) return;
  PeriodicMotion& motion = normal_.front();
  motion.set(q_.row(2));
  const double level = -slider_.N0 / slider_.kn;
  std::vector<double> crossings;
  bool first_closes = false;
  for (std::size_t r = 0; r < motion.reversals().size(); ++r) {
    const PeriodicMotion::Leg leg = motion.leg_after(r);
    const bool below = !(motion.turning_values()[r] > level), rises = leg.target > level;
    if (below != rises) continue;
    if (crossings.empty()) first_closes = rises;
    crossings.push_back(root_between(leg.from, leg.to, rises, [&](double theta) {
      const FourierPoint u = motion.at(theta);
      return RootValue{u.value - level, u.slope};
    }));
  }
  opens_ = crossings.size() > 1;
  if (!opens_) return;
  for (std::size_t i = first_closes ? 0 : 1; i < crossings.size(); i += 2)
    contacts_.push_back(
        {crossings[i], i + 1 < crossings.size() ? crossings[i + 1] : crossings.front() + 2 * pi});
}

void PlanarLoop::find_largest_limit() {
  double un = with_normal_ ? q_(2, 0) : 0;
  if (with_normal_)
    for (const double value : normal_.front().turning_values()) un = std::max(un, value);
  largest_ = slider_.mu * std::max(0.0, slider_.N0 + slider_.kn * un);
}

// ------------------------------------------------------------------------------------------ states

/// Where it has just closed: along the motion if that is faster than the limit grows.
PlanarLoop::State PlanarLoop::touching(double theta) {
  const PlanarPoint point = at(theta);
  State state;
  const Eigen::VectorXd g = functions(theta, harmonics_);
  const Eigen::RowVectorXd L_wrt = derivatives_of_L(theta);
  const double speed = point.slope.norm();
  if (speed > point.L_slope) {
    slipped_ = true;
    state.course = Course::slip;
    state.phi = std::atan2(point.slope[1], point.slope[0]);
    const Vector2 t = planar::across(state.phi);
    const double turning = point.curvature.dot(t) / (point.L_slope + speed);
    Eigen::VectorXd slopes(width_);
    fourier_slopes(g, harmonics_, slopes);
    Eigen::Matrix2Xd slope_wrt = Eigen::Matrix2Xd::Zero(2, columns_);
    add_p(slopes, 1, slope_wrt);
    state.phi_wrt = (t.transpose() * slope_wrt - turning * L_wrt) / speed;
    return state;
  }
  // The place that it sticks from moves with the time of closing.
  state.seed = -point.p;
  state.seed_wrt = -derivatives_of_p(theta);
  if (point.L_slope > 0) state.seed_wrt += point.slope * L_wrt / point.L_slope;
  return state;
}

PlanarLoop::State PlanarLoop::resting(double theta, const Vector2& force) {
  const PlanarPoint point = at(theta);
  State state;
  const double size = force.norm();
  Vector2 f = force;
  if (size >= point.L * (1 - 1e-12)) {
    if (size > 0) f *= point.L / size;
    const Vector2 n = size > 0 ? Vector2(force / size) : Vector2(1, 0);
    if (point.slope.dot(n) > point.L_slope) {
      slipped_ = true;
      state.course = Course::slip;
      state.phi = std::atan2(n[1], n[0]);
      state.phi_wrt = Eigen::RowVectorXd::Zero(columns_);
      if (columns_ > 0) state.phi_wrt.head<2>() = planar::across(state.phi).transpose() / size;
      return state;
    }
  }
  state.seed = f - point.p;
  state.seed_wrt = -derivatives_of_p(theta);
  if (columns_ > 0) state.seed_wrt.leftCols<2>() += Eigen::Matrix2d::Identity();
  return state;
}

Vector2 PlanarLoop::force_of(const State& state, double theta) const {
  const PlanarPoint point = at(theta);
  return state.course == Course::stick ? Vector2(state.seed + point.p)
                                       : Vector2(point.L * planar::outward(state.phi));
}

Eigen::Matrix2Xd PlanarLoop::derivatives_of(const State& state, double theta) const {
  if (state.course == Course::stick) return state.seed_wrt + derivatives_of_p(theta);
  return planar::outward(state.phi) * derivatives_of_L(theta) +
         at(theta).L * planar::across(state.phi) * state.phi_wrt;
}

/// Both rates across the force are the same before and after, so that the time of the event does not count.
void PlanarLoop::begin_slip(double theta, State& state) {
  const Vector2 f = force_of(state, theta);
  const Eigen::Matrix2Xd by = derivatives_of(state, theta);
  slipped_ = true;
  state.course = Course::slip;
  state.phi = std::atan2(f[1], f[0]);
  state.phi_wrt = planar::across(state.phi).transpose() * by / f.norm();
}

void PlanarLoop::begin_stick(double theta, State& state) const {
  const Vector2 f = force_of(state, theta);
  const Eigen::Matrix2Xd by = derivatives_of(state, theta);
  state.course = Course::stick;
  state.seed = f - at(theta).p;
  state.seed_wrt = by - derivatives_of_p(theta);
}

// --------------------------------------------------------------------------------- along the period

bool PlanarLoop::go(double from, double to, State& state) {
  constexpr int most_events = 2000;
  double theta = from;
  step_ = 0.1;
  for (int events = 0; theta < to; ++events) {
    if (events > most_events) return false;
    if (state.course == Course::slip) {
      if (!slide(theta, to, state)) return false;
      continue;
    }
    const double next = std::min(to, end_of_stick(theta, to, state));
    if (next > theta) collect_stick(theta, next, state);
    theta = next;
    if (theta < to) begin_slip(theta, state);
  }
  return true;
}

/// The first root of |f|² − L², in cells of an eighth of its highest wave; infinite if there is none.
double PlanarLoop::end_of_stick(double from, double to, const State& state) const {
  const auto beyond = [&](double theta) {
    const PlanarPoint point = at(theta);
    const Vector2 f = state.seed + point.p;
    return RootValue{f.squaredNorm() - point.L * point.L,
                     2 * (f.dot(point.slope) - point.L * point.L_slope)};
  };
  // What has just come to rest goes inwards, at first by less than rounding.
  const double start = from + std::min(1e-6, 0.5 * (to - from));
  double a = start;
  RootValue at_a = beyond(a);
  if (at_a.value > 1e-14 * largest_ * largest_) return from;
  const int cells = 1 + static_cast<int>((to - start) * 8 * (harmonics_ + 1) / pi);
  for (int cell = 1; cell <= cells; ++cell) {
    const double b = cell == cells ? to : start + (to - start) * cell / cells;
    const RootValue at_b = beyond(b);
    if (at_b.value > 0) return at_a.value >= 0 ? a : root_between(a, b, true, beyond);
    if (at_a.slope > 0 && at_b.slope < 0) {
      double low = a, high = b;
      for (int iteration = 0; iteration < 50; ++iteration) {
        const double middle = 0.5 * (low + high);
        (beyond(middle).slope > 0 ? low : high) = middle;
      }
      if (beyond(low).value > 0) return root_between(a, low, true, beyond);
    }
    a = b;
    at_a = at_b;
  }
  return std::numeric_limits<double>::infinity();
}

void PlanarLoop::place(double length, SlipCell& cell) const {
  const GaussStages& gauss = gauss_stages();
  cell.length = length;
  for (int i = 0; i < GaussStages::count; ++i) {
    const PlanarPoint point = at(cell.from + length * gauss.c[i]);
    cell.slopes.col(i) = point.slope;
    cell.L[i] = std::max(point.L, std::numeric_limits<double>::min());
    cell.L_slopes[i] = point.L_slope;
  }
}

/// As long a cell as the tolerance of the forces allows.
bool PlanarLoop::find_cell(double from, double to, double start, SlipCell& cell) {
  const double tolerance = 1e-8 * std::pow(0.1, wanted_.level);
  const double most = std::min(0.9, 7.0 / (2 * std::max(harmonics_, wanted_.harmonics) + 1));
  double length = std::min(std::min(step_, most), to - from);
  if (to - from < 1.3 * length) length = to - from;
  cell.from = from;
  for (; length > 1e-13;) {
    place(length, cell);
    if (!cell.solve(start)) {
      length *= 0.3;
      continue;
    }
    const double error = cell.error() * cell.L.maxCoeff() / largest_;
    const double factor = 0.9 * std::pow(tolerance / std::max(error, 1e-30), 0.125);
    if (error > 10 * tolerance && length > 1e-9) {
      length *= std::max(0.2, factor);
      continue;
    }
    step_ = length * std::clamp(factor, 0.3, 3.0);
    return true;
  }
  return false;
}

bool PlanarLoop::slide(double& theta, double to, State& state) {
  while (theta < to) {
    const PlanarPoint here = at(theta);
    // Next to nothing is left where it opens.
    if (here.L_slope < 0 && here.L < 1e-8 * largest_ && opens_) {
      theta = to;
      return true;
    }
    SlipCell cell;
    if (!find_cell(theta, to, state.phi, cell)) return false;
    const bool stops = stop(state.phi, cell);
    const Eigen::MatrixXd phi_wrt = follow_derivatives(cell, state);
    collect_slip(cell, phi_wrt);
    state.phi = cell.end;
    theta = cell.length == to - theta ? to : theta + cell.length;
    if (!stops) continue;
    begin_stick(theta, state);
    return true;
  }
  return true;
}

bool PlanarLoop::stop(double start, SlipCell& cell) const {
  const GaussStages& gauss = gauss_stages();
  // σ at the end, and how it changes there.
  const auto at_end = [&] {
    const PlanarPoint point = at(cell.from + cell.length);
    const Vector2 n = planar::outward(cell.end), t = planar::across(cell.end);
    const double turning = point.L > 0 ? point.slope.dot(t) / point.L : 0;
    return RootValue{point.slope.dot(n) - point.L_slope,
                     point.curvature.dot(n) + point.slope.dot(t) * turning - point.L_curvature};
  };
  Bracket bracket{-1, 0};  // of the length; σ changes from positive to negative
  double& high = bracket.below;
  for (int i = 0; i < GaussStages::count && high < 0; ++i) {
    if (cell.velocity(i) < 0)
      high = gauss.c[i] * cell.length;
    else
      bracket.above = gauss.c[i] * cell.length;
  }
  RootValue sigma = at_end();
  if (high < 0 && sigma.value >= 0) return false;
  if (high < 0) high = cell.length;
  double length = cell.length <= high ? cell.length : high;
  for (int iteration = 0; iteration < 60; ++iteration) {
    if (length != cell.length) {
      place(length, cell);
      if (!cell.solve(start)) break;
      sigma = at_end();
    }
    double next = bracket.next(length, sigma.value, sigma.value / sigma.slope);
    // It moves on by something, so that stops and starts cannot go in a circle.
    next = std::max(next, 1e-10);
    if (std::abs(next - length) < 1e-13) break;
    length = next;
  }
  return true;
}

// ---------------------------------------------------------------------------------------- integrals

Eigen::MatrixXd PlanarLoop::follow_derivatives(const SlipCell& cell, State& state) const {
  if (columns_ == 0) return {};
  const GaussStages& gauss = gauss_stages();
  constexpr int n = GaussStages::count;
  Eigen::MatrixXd driven = Eigen::MatrixXd::Zero(n, columns_);
  Eigen::VectorXd slopes(width_);
  for (int j = 0; columns_ > 2 && j < n; ++j) {
    const Eigen::VectorXd g = functions(cell.from + cell.length * gauss.c[j], harmonics_);
    fourier_slopes(g, harmonics_, slopes);
    const Vector2 t = planar::across(cell.phi[j]) * (slider_.kt / cell.L[j]);
    const double wrt_limit = -cell.rate[j] * slider_.mu * slider_.kn / cell.L[j];
    for (Index b = 0; b < width_; ++b) {
      driven(j, 2 + b * inputs_) = t[0] * slopes[b];
      driven(j, 3 + b * inputs_) = t[1] * slopes[b];
      if (with_normal_) driven(j, 4 + b * inputs_) = wrt_limit * g[b];
    }
  }
  Eigen::MatrixXd stages = cell.length * (gauss.A * driven);
  stages.rowwise() += state.phi_wrt;
  stages = cell.factor.solve(stages).eval();
  state.phi_wrt +=
      cell.length * gauss.b.transpose() * (cell.stiffness.asDiagonal() * stages + driven);
  return stages;
}

void PlanarLoop::collect_slip(const SlipCell& cell, const Eigen::MatrixXd& phi_wrt) {
  const GaussStages& gauss = gauss_stages();
  for (int j = 0; j < GaussStages::count; ++j) {
    const double weight = cell.length * gauss.b[j];
    const Vector2 n = planar::outward(cell.phi[j]);
    const Eigen::VectorXd g = functions(cell.from + cell.length * gauss.c[j], wanted_.harmonics);
    sums_ += (weight * cell.L[j]) * n * g.transpose();
    energy_ += weight * cell.L[j] * cell.velocity(j) / slider_.kt;
    if (columns_ <= 2) continue;
    Eigen::RowVectorXd L_wrt = Eigen::RowVectorXd::Zero(columns_);
    add_L(g, weight, L_wrt);
    const Eigen::Matrix2Xd by =
        n * L_wrt + (weight * cell.L[j]) * planar::across(cell.phi[j]) * phi_wrt.row(j);
    for (Index a = 0; a < width_; ++a) slopes_.middleRows<2>(2 * a) += g[a] * by;
  }
}

void PlanarLoop::collect_stick(double from, double to, const State& state) {
  stuck_.add(from, to);
  Moments own;
  own.clear(wanted_.harmonics);
  own.add(from, to);
  for (Index a = 0; a < sums_.cols(); ++a) {
    const double integral = own.product(a, 0);
    sums_.col(a) += integral * state.seed;
    if (columns_ > 2 && a < width_) slopes_.middleRows<2>(2 * a) += integral * state.seed_wrt;
  }
}

void PlanarLoop::Moments::clear(int most) {
  c.setZero(most + 1);
  s.setZero(most + 1);
}

void PlanarLoop::Moments::add(double from, double to) {
  const auto most = static_cast<int>(c.size()) - 1;
  Eigen::VectorXd a(fourier_size(most)), b(fourier_size(most));
  fourier_row(from, most, a);
  fourier_row(to, most, b);
  c[0] += to - from;
  for (int k = 1; k <= most; ++k) {
    c[k] += (b[2 * k] - a[2 * k]) / k;
    s[k] += (a[2 * k - 1] - b[2 * k - 1]) / k;
  }
}

double PlanarLoop::Moments::product(Index a, Index b) const {
  const Index h = (a + 1) / 2, m = (b + 1) / 2;
  const bool cosine_a = a == 0 || a % 2 == 1, cosine_b = b == 0 || b % 2 == 1;
  const Index apart = std::abs(h - m);
  if (cosine_a == cosine_b) return 0.5 * (c[apart] + (cosine_a ? 1 : -1) * c[h + m]);
  // sin x cos y = ½ (sin(x + y) + sin(x − y))
  const double difference = (cosine_b ? h >= m : m >= h) ? s[apart] : -s[apart];
  return 0.5 * (s[h + m] + difference);
}

// --------------------------------------------------------------------------------------- the period

void PlanarLoop::begin_round() {
  columns_ = wanted_.with_jacobian ? 2 + inputs_ * width_ : 0;
  slipped_ = false;
  stuck_.clear(wanted_.harmonics + harmonics_);
  sums_.setZero(2, fourier_size(wanted_.harmonics));
  slopes_.setZero(2 * width_, columns_);
  energy_ = 0;
}

/// Round after round, with the derivatives of all of them: what shakes down sticks then where the rounds have left
/// it. An offset across the motion may fade over thousands of periods; it is then left where it has got to, and
/// said so, since the motion that it tends to is another one than that a little below slip.
bool PlanarLoop::repeat(double start, Vector2 force, const Eigen::Matrix2Xd& force_wrt) {
  constexpr int most_rounds = 200;
  const double end = start + 2 * pi;
  const double small = 1e-12 * largest_ + 1e-15 * at(start).p.norm();
  closed_ = false;
  start_wrt_ = force_wrt;
  for (rounds_ = 1;; ++rounds_) {
    begin_round();
    State state = resting(start, force);
    if (!go(start, end, state)) return false;
    const Vector2 reached = force_of(state, end);
    const double apart = (reached - force).norm();
    drift_ = largest_ > 0 ? apart / largest_ : 0;
    closed_ = !slipped_ || apart <= small;
    if (closed_ || rounds_ == most_rounds) return true;
    if (columns_ > 0) {
      const Eigen::Matrix2Xd by = derivatives_of(state, end);
      start_wrt_ = by.leftCols<2>() * start_wrt_ + by.rightCols(inputs_ * width_);
    }
    force = reached;
  }
}

bool PlanarLoop::follow(const Eigen::MatrixXd& q, double start, const Vector2& force,
                        const Eigen::MatrixXd& tangent, const Wanted& wanted) {
  q_ = q;
  wanted_ = wanted;
  find_contacts();
  find_largest_limit();
  touched_.clear(wanted.harmonics + harmonics_);
  begin_round();
  start_wrt_.setZero(2, std::max<Index>(columns_ - 2, 0));
  drift_ = 0;
  closed_ = true;
  rounds_ = 1;
  bool done = true;
  if (opens_) {
    for (const Contact& contact : contacts_) {
      touched_.add(contact.from, contact.to);
      if (!(slider_.mu > 0)) continue;
      State state = touching(contact.from);
      done = go(contact.from, contact.to, state) && done;
    }
  } else if (largest_ > 0) {
    Eigen::Matrix2Xd force_wrt = Eigen::Matrix2Xd::Zero(2, start_wrt_.cols());
    const Eigen::VectorXd g = functions(start, harmonics_);
    for (Index b = 0; b < width_ && force_wrt.cols() > 0; ++b)
      force_wrt.middleCols(b * inputs_, inputs_) = g[b] * tangent;
    done = repeat(start, force, force_wrt);
  }
  finish();
  return done;
}

void PlanarLoop::finish() {
  const Index rows = fourier_size(wanted_.harmonics);
  force_.setZero(inputs_, rows);
  const bool jacobian = wanted_.with_jacobian;
  jacobian_.setZero(jacobian ? inputs_ * width_ : 0, jacobian ? inputs_ * width_ : 0);
  const bool shut = with_normal_ && !opens_ && slider_.N0 + slider_.kn * q_(2, 0) > 0;
  for (Index a = 0; a < rows; ++a) {
    const double share = a == 0 ? 0.5 / pi : 1 / pi;
    force_.topRows<2>().col(a) = share * sums_.col(a);
    for (Index b = 0; b < width_; ++b) {
      const double stuck = share * slider_.kt * stuck_.product(a, b);
      force_.topRows<2>().col(a) += stuck * q_.topRows<2>().col(b);
      const double touched = opens_           ? share * slider_.kn * touched_.product(a, b)
                             : shut && a == b ? slider_.kn
                                              : 0;
      if (with_normal_) force_(2, a) += touched * q_(2, b);
      if (!jacobian) continue;
      for (Index i = 0; i < 2; ++i) jacobian_(a * inputs_ + i, b * inputs_ + i) = stuck;
      if (with_normal_) jacobian_(a * inputs_ + 2, b * inputs_ + 2) = touched;
    }
    if (with_normal_ && opens_) force_(2, a) += share * slider_.N0 * touched_.product(a, 0);
    if (!jacobian) continue;
    const auto of = slopes_.middleRows<2>(2 * a);
    jacobian_.middleRows(a * inputs_, 2) +=
        share * (of.rightCols(inputs_ * width_) + of.leftCols<2>() * start_wrt_);
  }
  if (!with_normal_) return;
  force_(2, 0) -= shut ? std::max(slider_.N0, 0.0) - slider_.N0 : std::max(slider_.N0, 0.0);
}

}  // namespace microslip::dynamics
