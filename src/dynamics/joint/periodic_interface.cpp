#include "dynamics/joint/periodic_interface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dynamics/fourier/fourier.hpp"
#include "microslip/detail/numerics/bracket.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::dynamics {
namespace {

using Index = Eigen::Index;

Index harmonic_of(Index function) { return (function + 1) / 2; }
bool is_cosine(Index function) { return function == 0 || function % 2 == 1; }
bool is_even(Index function) { return harmonic_of(function) % 2 == 0; }

/// ∫ from a to b of the Fourier functions of order h.
double cosine_integral(double a, double b, int h) {
  return h == 0 ? b - a : (std::sin(h * b) - std::sin(h * a)) / h;
}
double sine_integral(double a, double b, int h) {
  return h == 0 ? 0 : (std::cos(h * a) - std::cos(h * b)) / h;
}

}  // namespace

PeriodicInterface::PeriodicInterface(const InterfaceLaw& law, int harmonics,
                                     std::vector<Eigen::VectorXd> before)
    : law_(law),
      size_(law.size()),
      harmonics_(harmonics),
      walk_(law.walk()),
      before_(std::move(before)),
      motion_(static_cast<std::size_t>(law.size()), PeriodicMotion(harmonics)),
      stiffness_(tangent_at_rest(law).diagonal()) {}

PeriodicInterface::Place PeriodicInterface::at(double theta) const {
  Place place{Eigen::VectorXd(size_), Eigen::VectorXd(size_)};
  for (Index i = 0; i < size_; ++i) {
    const FourierPoint point = motion_[static_cast<std::size_t>(i)].at(theta);
    place.u[i] = point.value;
    place.slope[i] = point.slope;
  }
  return place;
}

std::vector<double> PeriodicInterface::turns() const {
  std::vector<double> all;
  double start = 0, largest = -1;
  for (Index i = 0; i < size_; ++i) {
    const PeriodicMotion& motion = motion_[static_cast<std::size_t>(i)];
    if (motion.reversals().empty()) continue;
    const double out = stiffness_[i] * std::abs(motion.turning_values().front());
    // Inputs that turn equally far out up to rounding begin with the first.
    if (out > largest * (1 + 1e-9)) {
      largest = out;
      start = motion.reversals().front();
    }
    all.insert(all.end(), motion.reversals().begin(), motion.reversals().end());
  }
  if (all.empty()) return all;
  for (double& angle : all) {
    angle -= start;
    angle -= 2 * pi * std::floor(angle / (2 * pi));
    angle += start;
  }
  std::sort(all.begin(), all.end());
  all.push_back(start + 2 * pi);
  return all;
}

int PeriodicInterface::next_event(double from, double to, double& theta) const {
  int found = -1;
  theta = to;
  const Eigen::VectorXd way = at(to).u - at(from).u;
  const auto& events = walk_->events();
  for (std::size_t e = 0; e < events.size(); ++e) {
    const Eigen::VectorXd ways = events[e].c.cwiseProduct(way);
    const bool monotonic = !events[e].of_rate && (ways.minCoeff() >= 0 || ways.maxCoeff() <= 0);
    const double place =
        monotonic ? crossing(events[e], from, theta) : first_crossing(events[e], from, theta);
    if (!(place < theta) && !(place == theta && found < 0)) continue;
    theta = place;
    found = static_cast<int>(e);
  }
  return found;
}

/// Positive beyond the event.
RootValue PeriodicInterface::beyond(const InterfaceWalk::Event& event, double theta) const {
  RootValue sum{event.of_rate ? 0 : -event.value, 0};
  for (Index i = 0; i < size_; ++i) {
    if (event.c[i] == 0) continue;
    const FourierPoint point = motion_[static_cast<std::size_t>(i)].at(theta);
    sum.value += event.c[i] * (event.of_rate ? -point.slope : point.value);
    sum.slope += event.c[i] * (event.of_rate ? -point.curvature : point.slope);
  }
  return sum;
}

/// Where cᵀu passes the event; infinite if it does not. It does so once at most.
double PeriodicInterface::crossing(const InterfaceWalk::Event& event, double from,
                                   double to) const {
  if (!(beyond(event, to).value >= 0)) return std::numeric_limits<double>::infinity();
  if (beyond(event, from).value >= 0) return from;
  return root_between(from, to, true, [&](double x) { return beyond(event, x); });
}

/// The same where inputs move against each other: in cells of an eighth of a wave of the highest harmonic,
/// where it may pass at an end or, between them, around a maximum.
double PeriodicInterface::first_crossing(const InterfaceWalk::Event& event, double from,
                                         double to) const {
  // What was left at its limit just now goes inwards, at first by less than rounding.
  const double start = from + std::min(1e-7, 0.5 * (to - from));
  double size = std::abs(event.value);
  for (Index i = 0; i < size_; ++i)
    size += std::abs(event.c[i]) * motion_[static_cast<std::size_t>(i)].q().lpNorm<1>() *
            (event.of_rate ? harmonics_ : 1);
  if (beyond(event, start).value > 1e-13 * size) return from;
  const int cells = 1 + static_cast<int>((to - start) * 4 * (harmonics_ + 1) / pi);
  const auto value = [&](double x) { return beyond(event, x); };
  double a = start;
  RootValue at_a = value(a);
  for (int cell = 1; cell <= cells; ++cell) {
    const double b = cell == cells ? to : start + (to - start) * cell / cells;
    const RootValue at_b = value(b);
    if (at_b.value >= 0) return root_between(a, b, true, value);
    if (at_a.slope > 0 && at_b.slope < 0) {
      double low = a, high = b;
      for (int iteration = 0; iteration < 50; ++iteration) {
        const double middle = 0.5 * (low + high);
        (value(middle).slope > 0 ? low : high) = middle;
      }
      if (value(low).value >= 0) return root_between(a, low, true, value);
    }
    a = b;
    at_a = at_b;
  }
  return std::numeric_limits<double>::infinity();
}

bool PeriodicInterface::walk_leg(double from, double to) {
  // Events of the sliders of a row are a few for each of them; that many mean that it is in a circle.
  const Index most = 1000 + 100 * walk_->numbers().size();
  Index events = 0;
  const Eigen::VectorXd way = at(to).u - at(from).u;
  for (double theta = from; theta < to;) {
    const Place here = at(theta);
    Eigen::VectorXd velocity(size_);
    // An input that turns here has velocity zero; on the leg it goes the way that the leg does.
    for (Index i = 0; i < size_; ++i)
      velocity[i] =
          way[i] == 0
              ? 0
              : std::copysign(std::max(std::abs(here.slope[i]), std::numeric_limits<double>::min()),
                              way[i]);
    walk_->set_out(velocity);
    while (static_cast<Index>(seeds_.size()) < walk_->seeds()) seeds_.push_back(theta);
    double next = to;
    const int event = next_event(theta, to, next);
    if (next > theta)
      pieces_.push_back({theta, next, here.u, walk_->force(), walk_->tangent(), walk_->memory()});
    walk_->go(at(next).u, event);
    theta = next;
    if (event < 0) break;
    // Slip that stops where the inputs turn: what is left of the leg is rounding, in which it would go on and
    // stop without end.
    if (to - theta < 1e-12) {
      walk_->go(at(to).u, -1);
      break;
    }
    if (++events > most) return false;
  }
  return true;
}

/// What no piece remembers was passed in earlier rounds.
void PeriodicInterface::drop_old_seeds() {
  std::vector<Index> kept;
  for (Index s = 0; s < static_cast<Index>(seeds_.size()); ++s)
    if (std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
          return (s + 1) * size_ <= piece.memory.cols() &&
                 !piece.memory.middleCols(s * size_, size_).isZero(0);
        }))
      kept.push_back(s);
  if (kept.size() == seeds_.size()) return;
  std::vector<double> angles;
  for (const Index s : kept) angles.push_back(seeds_[static_cast<std::size_t>(s)]);
  seeds_ = std::move(angles);
  for (Piece& piece : pieces_) {
    Eigen::MatrixXd memory = Eigen::MatrixXd::Zero(size_, size_ * static_cast<Index>(kept.size()));
    for (std::size_t k = 0; k < kept.size(); ++k)
      if ((kept[k] + 1) * size_ <= piece.memory.cols())
        memory.middleCols(static_cast<Index>(k) * size_, size_) =
            piece.memory.middleCols(kept[k] * size_, size_);
    piece.memory.swap(memory);
  }
}

bool PeriodicInterface::walk_period(bool with_derivatives) {
  const std::vector<double> legs = turns();
  seeds_.clear();
  walk_->rest(with_derivatives);
  result_.status = Status::ok;
  for (const Eigen::VectorXd& u : before_)
    if (const Status status = walk_->step(u); status != Status::ok) result_.status = status;
  if (const Status status = walk_->step(at(legs.front()).u); status != Status::ok)
    result_.status = status;
  if (result_.status != Status::ok) return false;
  // Memory is wiped out at the outermost reversals; where both ends of a row take turns it fades fast.
  constexpr int most_rounds = 100;
  result_.closed = false;
  for (result_.rounds = 0; result_.rounds < most_rounds && !result_.closed; ++result_.rounds) {
    const Eigen::VectorXd start = walk_->numbers(), force = walk_->force();
    const double lost = walk_->dissipated();
    pieces_.clear();
    for (std::size_t leg = 0; leg + 1 < legs.size(); ++leg)
      if (!walk_leg(legs[leg], legs[leg + 1])) {
        result_.status = Status::not_converged;
        return false;
      }
    result_.energy = walk_->dissipated() - lost;
    double size = 0;
    for (const PeriodicMotion& motion : motion_)
      size = std::max(size, motion.q().lpNorm<Eigen::Infinity>());
    const double change = (walk_->numbers() - start).lpNorm<Eigen::Infinity>();
    result_.closed = change <= 1e-13 * size;
    result_.drift = (walk_->force() - force).norm() / std::max(force.norm(), 1e-300);
  }
  drop_old_seeds();
  return true;
}

void PeriodicInterface::answer(const Eigen::VectorXd& input, const Eigen::VectorXd& /*own*/,
                               double /*omega*/, bool with_jacobian) {
  const Index width = fourier_size(harmonics_);
  bool moves = false, odd = walk_->odd() && before_.empty();
  for (Index i = 0; i < size_; ++i) {
    PeriodicMotion& motion = motion_[static_cast<std::size_t>(i)];
    motion.set(input(Eigen::seqN(i, width, size_)));
    if (motion.reversals().empty()) {
      odd = odd && motion.q().isZero(0);
      continue;
    }
    moves = true;
    odd = motion.pair_reversals() && odd;
  }
  result_.coefficients.setZero(size_ * width);
  result_.energy = 0;
  result_.rounds = 0;
  result_.closed = true;
  if (!moves) return rest_motion(with_jacobian);
  if (!walk_period(with_jacobian)) return;
  find_moments(2 * harmonics_);
  result_.coefficients = coefficients(harmonics_);
  result_.coefficients.head(size_) = mean();
  if (law_.model() && result_.energy != 0) result_.energy = work(result_.coefficients, input);
  if (with_jacobian) find_jacobian();
  if (odd) keep_parity();
}

/// Limits that change make the loss of a curved way another than the walk says; over the period it is the work.
double PeriodicInterface::work(const Eigen::VectorXd& f, const Eigen::VectorXd& u) const {
  double sum = 0;
  for (int h = 1; h <= harmonics_; ++h) {
    const Index c = (2 * h - 1) * size_, s = 2 * h * size_;
    sum += h * (f.segment(c, size_).dot(u.segment(s, size_)) -
                f.segment(s, size_).dot(u.segment(c, size_)));
  }
  return pi * sum;
}

void PeriodicInterface::rest_motion(bool with_jacobian) {
  const Index width = fourier_size(harmonics_);
  pieces_.clear();
  seeds_.clear();
  walk_->rest(false);
  const Eigen::VectorXd u = at(0).u;
  result_.status = Status::ok;
  for (const Eigen::VectorXd& place : before_) walk_->step(place);
  result_.status = walk_->step(u);
  result_.coefficients.head(size_) = walk_->force();
  if (!with_jacobian) return;
  const Eigen::MatrixXd T = law_.model() ? tangent_about(law_, u) : walk_->tangent();
  result_.jacobian.setZero(size_ * width, size_ * width);
  for (Index k = 0; k < width; ++k) result_.jacobian.block(k * size_, k * size_, size_, size_) = T;
}

void PeriodicInterface::find_moments(int most) {
  cosines_.setZero(most + 1, size_ * size_);
  sines_ = cosines_;
  // Where T changes, by how much: each change counts with one value of the antiderivative.
  Eigen::VectorXd row(fourier_size(most));
  const Eigen::MatrixXd* before = &pieces_.back().T;
  for (const Piece& piece : pieces_) {
    cosines_.row(0) += (piece.to - piece.from) * piece.T.reshaped().transpose();
    const Eigen::VectorXd change = (*before - piece.T).reshaped();
    before = &piece.T;
    if (change.isZero(0)) continue;
    fourier_row(piece.from, most, row);
    for (Index e = 0; e < change.size(); ++e) {
      if (change[e] == 0) continue;
      for (int k = 1; k <= most; ++k) {
        cosines_(k, e) += row[2 * k] * change[e];
        sines_(k, e) -= row[2 * k - 1] * change[e];
      }
    }
  }
  for (int k = 2; k <= most; ++k) {
    cosines_.row(k) /= k;
    sines_.row(k) /= k;
  }
}

double PeriodicInterface::product(Index i, Index j, Index a, Index b) const {
  const Index h = harmonic_of(a), m = harmonic_of(b), entry = j * size_ + i;
  const double difference = is_cosine(a) == is_cosine(b) ? cosines_(std::abs(h - m), entry)
                            : h < m                      ? -sines_(m - h, entry)
                                                         : sines_(h - m, entry);
  if (is_cosine(a) && is_cosine(b)) return 0.5 * (difference + cosines_(h + m, entry));
  if (is_cosine(a)) return 0.5 * (sines_(h + m, entry) - difference);
  if (is_cosine(b)) return 0.5 * (sines_(h + m, entry) + difference);
  return 0.5 * (difference - cosines_(h + m, entry));
}

Eigen::VectorXd PeriodicInterface::coefficients(int most) const {
  // u′ = Σ h (b_h cos hθ − a_h sin hθ); f_h follows from f′_h in the same way.
  const Index width = fourier_size(harmonics_);
  Eigen::MatrixXd slopes(size_, width);
  const auto turned = [](Index function) {
    return is_cosine(function) ? function + 1 : function - 1;
  };
  const auto rate_of = [](Index function) {
    return static_cast<double>(harmonic_of(function)) * (is_cosine(function) ? 1 : -1);
  };
  for (Index i = 0; i < size_; ++i)
    for (Index b = 1; b < width; ++b)
      slopes(i, b) = rate_of(b) * motion_[static_cast<std::size_t>(i)].q()[turned(b)] / pi;
  Eigen::VectorXd result = Eigen::VectorXd::Zero(size_ * fourier_size(most));
  for (Index a = 1; a < fourier_size(most); ++a)
    for (Index i = 0; i < size_; ++i) {
      double rate = 0;
      for (Index j = 0; j < size_; ++j)
        for (Index b = 1; b < width; ++b) rate += product(i, j, a, b) * slopes(j, b);
      result[turned(a) * size_ + i] = rate / rate_of(a);
    }
  return result;
}

Eigen::VectorXd PeriodicInterface::mean() const {
  const auto integral = [&](double theta) {
    Eigen::VectorXd sum(size_);
    for (Index i = 0; i < size_; ++i) {
      const Eigen::VectorXd& q = motion_[static_cast<std::size_t>(i)].q();
      sum[i] = q[0] * theta;
      for (int h = 1; h <= harmonics_; ++h)
        sum[i] += (q[2 * h - 1] * std::sin(h * theta) - q[2 * h] * std::cos(h * theta)) / h;
    }
    return sum;
  };
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(size_);
  for (const Piece& piece : pieces_) {
    const double length = piece.to - piece.from;
    sum +=
        length * piece.f + piece.T * (integral(piece.to) - integral(piece.from) - length * piece.u);
  }
  return sum / (2 * pi);
}

void PeriodicInterface::find_jacobian() {
  const Index width = fourier_size(harmonics_);
  result_.jacobian.resize(size_ * width, size_ * width);
  for (Index b = 0; b < width; ++b)
    for (Index j = 0; j < size_; ++j)
      for (Index a = 0; a < width; ++a)
        for (Index i = 0; i < size_; ++i)
          result_.jacobian(a * size_ + i, b * size_ + j) = product(i, j, a, b) / pi;
  result_.jacobian.topRows(size_) /= 2;
  const auto seeds = static_cast<Index>(seeds_.size());
  if (seeds == 0) return;
  // Coefficients of M, then what the seeds are moved by.
  Eigen::MatrixXd of_memory = Eigen::MatrixXd::Zero(size_ * width, size_ * seeds);
  for (const Piece& piece : pieces_) {
    const Index known = piece.memory.cols();
    if (known == 0 || piece.memory.isZero(0)) continue;
    for (Index a = 0; a < width; ++a) {
      const auto h = static_cast<int>(harmonic_of(a));
      const double weight = (is_cosine(a) ? cosine_integral(piece.from, piece.to, h)
                                          : sine_integral(piece.from, piece.to, h)) /
                            (a == 0 ? 2 * pi : pi);
      of_memory.block(a * size_, 0, size_, known) += weight * piece.memory;
    }
  }
  Eigen::RowVectorXd row(width);
  for (Index s = 0; s < seeds; ++s) {
    const Eigen::MatrixXd columns = of_memory.middleCols(s * size_, size_);
    if (columns.isZero(0)) continue;
    fourier_row(seeds_[static_cast<std::size_t>(s)], harmonics_, row);
    for (Index b = 0; b < width; ++b)
      result_.jacobian.middleCols(b * size_, size_) += row[b] * columns;
  }
}

/// As PeriodicJoint's.
void PeriodicInterface::keep_parity() {
  for (Index k = 0; k < result_.coefficients.size(); ++k)
    if (is_even(k / size_)) result_.coefficients[k] = 0;
  for (Index k = 0; k < result_.jacobian.rows(); ++k)
    for (Index l = 0; l < result_.jacobian.cols(); ++l)
      if (is_even(k / size_) != is_even(l / size_)) result_.jacobian(k, l) = 0;
}

LinearisedLoop PeriodicInterface::linearise(std::size_t /*member*/, const Eigen::VectorXd& input,
                                            int steps) {
  respond(input, {}, 1, true);
  LinearisedLoop result;
  result.tangents.assign(static_cast<std::size_t>(steps), Eigen::MatrixXd());
  result.memories = result.tangents;
  const auto seeds = static_cast<Index>(seeds_.size());
  for (const double angle : seeds_)
    result.reversals.push_back(angle - 2 * pi * std::floor(angle / (2 * pi)));
  for (std::size_t place = 0; place < result.tangents.size(); ++place) {
    result.tangents[place] =
        pieces_.empty() ? walk_->tangent() : Eigen::MatrixXd::Zero(size_, size_).eval();
    result.memories[place] = Eigen::MatrixXd::Zero(size_, size_ * seeds);
  }
  // Means over the steps, as PeriodicJoint's: a tangent that jumps within a step counts with both its values.
  const double h = 2 * pi / steps;
  const auto step_at = [&](double theta) {
    const auto step = static_cast<Index>(std::floor(theta / h)) % steps;
    return step < 0 ? step + steps : step;
  };
  for (const Piece& piece : pieces_) {
    for (double from = piece.from, to = from; from < piece.to; from = to) {
      to = h * (std::floor(from / h) + 1);
      if (to - from < 1e-9 * h) to += h;  // `from` is the end of a step, up to rounding
      to = std::min(to, piece.to);
      const double theta = 0.5 * (from + to), share = (to - from) / h;
      const Index step = step_at(theta);
      const auto place = static_cast<std::size_t>(step);
      result.tangents[place] += share * piece.T;
      for (Index r = 0; r < piece.memory.cols() / size_; ++r) {
        const auto memory = share * piece.memory.middleCols(r * size_, size_);
        const double seed = result.reversals[static_cast<std::size_t>(r)];
        // Before the seed in its step, what counts is its passage a period ago.
        const double since = theta - seeds_[static_cast<std::size_t>(r)];
        const bool passed = since >= 0 && since < h;
        if (passed && step_at(seed) == step)
          result.tangents[place] += memory;
        else
          result.memories[place].middleCols(r * size_, size_) += memory;
      }
    }
  }
  return result;
}

/// The forces of harmonics left out are known as well as the others.
double PeriodicInterface::truncation(const Eigen::VectorXd& input, double omega,
                                     const Surroundings& s) {
  respond(input, {}, omega, false);
  if (pieces_.empty() || result_.status != Status::ok) return 0;
  const int more = 2 * harmonics_ + 1;
  find_moments(more + harmonics_);
  const Eigen::VectorXd f = coefficients(more);
  double largest = 0;
  for (int h = harmonics_ + 1; h <= more; ++h)
    for (Index i = 0; i < size_; ++i)
      largest = std::max(
          largest, s.moves(h, std::hypot(f[(2 * h - 1) * size_ + i], f[2 * h * size_ + i]), i));
  return largest;
}

}  // namespace microslip::dynamics
