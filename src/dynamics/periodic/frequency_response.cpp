#include "microslip/dynamics/periodic/frequency_response.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>

#include "dynamics/balance/finer_step.hpp"
#include "dynamics/balance/periodic_loads.hpp"
#include "dynamics/fourier/fourier.hpp"
#include "dynamics/periodic/at_one_frequency.hpp"
#include "dynamics/periodic/fineness.hpp"
#include "dynamics/periodic/response_point.hpp"
#include "dynamics/periodic/stability.hpp"
#include "dynamics/periodic/trail.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/time/shooting.hpp"

namespace microslip::dynamics {
namespace {

constexpr Eigen::Index most_with_peaks = 12;  ///< beyond, only the peaks of one are looked for

/// Options of the harmonic balance whose unknowns the points of such a response have.
PeriodicOptions periodic_of(const FrequencyResponseOptions& options) {
  PeriodicOptions periodic = options.periodic;
  periodic.given_amplitude = options.along == Along::amplitude;
  periodic.reference_omega =
      options.along == Along::frequency ? std::sqrt(options.from * options.to) : options.omega;
  return periodic;
}

/// Work of a force over one period of a motion, both as Fourier coefficients of n degrees of
/// freedom: ∮ f dx = π Σ h (f_a·b − f_b·a).
double work(const Eigen::VectorXd& force, const Eigen::VectorXd& y, Eigen::Index n, int harmonics) {
  double sum = 0;
  for (int h = 1; h <= harmonics; ++h)
    sum += h * (force.segment((2 * h - 1) * n, n).dot(y.segment(2 * h * n, n)) -
                force.segment(2 * h * n, n).dot(y.segment((2 * h - 1) * n, n)));
  return pi * sum;
}

double viscous_loss(const HarmonicBalance& balance, const Eigen::VectorXd& y) {
  const SparseMatrix& C = balance.structure().C;
  double sum = 0;
  for (int h = 1; h <= balance.harmonics(); ++h)
    for (const Eigen::Index k : {2 * h - 1, 2 * h}) {
      const Eigen::VectorXd x = y.segment(k * balance.dofs(), C.rows());
      sum += h * h * x.dot(C * x);
    }
  return pi * y[balance.size()] * sum;
}

void check(const FrequencyResponseOptions& options) {
  const std::string names[] = {"omega", "level", "amplitude"};
  if (!(options.from > 0 && options.to > 0 && options.from != options.to))
    throw Error(names[static_cast<int>(options.along)] + " = [" + number_text(options.from) + ", " +
                number_text(options.to) + "] must be two different positive numbers");
  if (options.along != Along::frequency && !(options.omega > 0))
    throw Error("omega = " + number_text(options.omega) + " must be positive");
  if (options.periods < 1)
    throw Error("periods = " + std::to_string(options.periods) + " must be 1 or more");
  if (options.along != Along::frequency && options.periods != 1)
    throw Error("periods belongs to a response along the frequency");
}

/// Harmonic balance keeps energy, whatever the number of harmonics: what is missing is an error of the
/// forces, but for what equations are solved for and for rounding of their terms.
bool fails_to_balance(const HarmonicBalance& balance, const ResponsePoint& point) {
  constexpr double most = 1e-3, least = 1e-6;
  const double motion = balance.scales().largest_vibration(point.y);
  const double rounding = 1e3 * balance.scales().rounding_of_forces() * motion * motion;
  return std::abs(point.balance) > most &&
         std::abs(point.input - point.lost) >
             std::max(least * balance.scales().exchange(point.y, balance.force()), rounding);
}

class Branch {
 public:
  /// `whole` is shared by all branches of one response.
  Branch(const std::shared_ptr<const BalancedStructure>& whole,
         const FrequencyResponseOptions& options, int harmonics, Fineness& fineness)
      : options_(options),
        fineness_(fineness),
        balance_(whole, harmonics, refined(options, fineness.level())) {
    if (options.along != Along::frequency) loaded_.emplace(balance_, options);
    if (balance_.worth_condensing()) balance_.condense(true);
  }

  /// Whether another piece is to go on; an interrupted branch is as good as a whole one.
  bool given_up() const { return verdict_ != Fineness::Verdict::right; }

  /// Goes on from the end of the trail, or begins anew if it is empty.
  FrequencyResponse compute(const Trail& trail) {
    FrequencyResponse result;
    ContinuationOptions follow_options = along();
    // Neighbours on the branch are alike: every third point speaks for them.
    std::size_t passed = 0;
    follow_options.on_point = [&](const CurvePoint& point, double part) {
      seen_.push_back(described(point));
      if (passed++ % fineness_.every() == 0) {
        if (!good_enough(point)) return false;
        good_ = passed;
      } else {
        verdict_ = fineness_.judge_neighbour(balance_.elements().work_error(plain(point.y)));
        if (given_up()) return false;
      }
      if (!loaded_ && grows_without_bound(point)) {
        unbounded_ = true;
        return false;
      }
      return !options_.progress || options_.progress(part);
    };
    Eigen::VectorXd start;
    if (trail.empty()) {
      start = beginning();
    } else {
      const CurvePoint end = trail.end(balance_.dofs(), balance_.harmonics());
      start = end.y;
      follow_options.direction = end.tangent;
      balance_.elements().refuse_drifting(plain(start));
    }
    curve_ = follow(equations(), start, follow_options);
    if (curve_.points.empty() && !trail.empty()) return compute({});
    result.end = unbounded_ ? CurveEnd::unbounded : curve_.end;
    if (curve_.end == CurveEnd::stuck || curve_.end == CurveEnd::too_long)
      result.hardest_joint = hardest_joint(start);
    // What was good before stays good with more.
    harmonics_ = trail.most_harmonics(balance_.harmonics());
    const std::size_t before = trail.put_before(curve_, balance_.dofs(), balance_.harmonics());
    good_ = std::max(good_ + before, trail.points.size());
    for (const std::size_t i : curve_.leaps) result.leaps.push_back(curve_.points[i].y.tail(1)[0]);
    result.residual = curve_.largest_residual;
    if (curve_.end == CurveEnd::reached && verdict_ == Fineness::Verdict::too_fine)
      verdict_ = Fineness::Verdict::right;
    return result;
  }

  /// What another branch with other harmonics or finer integrals can begin with.
  Trail trail() const { return trail_of(curve_, harmonics_, good_); }

  /// The harmonics of the points: the most of all pieces.
  int harmonics() const { return harmonics_; }
  bool has_all_harmonics() const { return harmonics_ == balance_.harmonics(); }
  /// Takes over the points of all pieces.
  void take(const Branch& other) {
    curve_ = other.curve_;
    Eigen::VectorXd units = equations().units();
    double size = 0;
    for (const CurvePoint& point : curve_.points)
      size = std::max(size, point.y.head(units.size()).cwiseQuotient(units).norm());
    const double range = curve_.scales.tail(1)[0];
    curve_.scales.resize(units.size() + 1);
    curve_.scales << (size > 0 ? size : 1) * units, range;
  }

  void finish(FrequencyResponse& result) {
    result.harmonics = balance_.harmonics();
    result.dofs = balance_.dofs();
    result.truncation = fineness_.truncation().motion;
    result.quadrature = fineness_.quadrature();
    for (std::size_t i = 0; i < curve_.points.size(); ++i) {
      if (i > 0) add_wanted(i, result);
      result.branch.push_back(record(curve_.points[i], result));
      const auto wanted = std::find(options_.at.begin(), options_.at.end(),
                                    result.branch.back().unknowns.tail(1)[0]);
      if (wanted != options_.at.end()) result.at.push_back(result.branch.back());
    }
    const Eigen::Index n = balance_.structure().size();
    for (Eigen::Index i = 0; options_.peaks && !loaded_ && i < n; ++i) {
      const auto slope = [&](const Eigen::VectorXd& y, const Eigen::VectorXd& tangent) {
        const Eigen::Index a = (2 * options_.periods - 1) * balance_.dofs() + i;
        const Eigen::Index b = 2 * options_.periods * balance_.dofs() + i;
        return y[a] * tangent[a] + y[b] * tangent[b];
      };
      auto& peaks = result.peaks.emplace_back();
      if (n > most_with_peaks && i != options_.dof) continue;
      for (const CurvePoint& point : maxima(balance_, curve_, slope))
        if (balance_.moves(point.y, i)) peaks.push_back(record(point, result));
    }
  }

 private:
  ContinuationOptions along() const {
    ContinuationOptions along;
    along.from = options_.from;
    along.to = options_.to;
    along.largest_step = options_.largest_step;
    along.leap = true;
    // Friction that falls with velocity lets go at once; that is seen soon enough.
    if (balance_.slides()) along.smallest_step = 1e-4;
    return along;
  }

  Eigen::VectorXd guess(double place) {
    return loaded_ ? loaded_->guess(place) : balance_.starts().linear_response(place);
  }

  /// The first point; where Newton's method does not get to it from the linear response, from the
  /// points with fewer harmonics, in turn, from a motion that has settled in time, or from the
  /// other end of the branch.
  Eigen::VectorXd beginning() {
    Eigen::VectorXd y = guess(options_.from);
    balance_.elements().refuse_drifting(plain(y));
    // The motion of one period is one of several periods, too: it would be found first.
    if (options_.periods > 1 && settles(y)) return y;
    if (begins(y)) return y;
    y = from_fewer_harmonics();
    if (begins(y)) return y;
    if (!loaded_ && settles(y)) return y;
    ContinuationOptions back = along();
    std::swap(back.from, back.to);
    back.leap = false;
    back.on_point = [&](const CurvePoint&, double) {
      return !options_.progress || options_.progress(0);
    };
    const Curve curve = follow(equations(), guess(back.from), back);
    return curve.end == CurveEnd::reached ? curve.points.back().y : y;
  }

  /// Takes y from a motion that has settled in time.
  bool settles(Eigen::VectorXd& y) {
    // Nearly rigid joints vibrate so fast that the motion would not settle in any reasonable time.
    constexpr int periods = 50, most_steps = 100000;
    int steps = 0;
    const SettledMotion motion = settle(
        balance_.structure(), options_.from, balance_.harmonics(), periods,
        [&] { return ++steps < most_steps && (!options_.progress || options_.progress(0)); });
    if (motion.x.size() > 0) y = balance_.starts().unknowns_of(motion.x, motion.f, options_.from);
    return begins(y);
  }

  bool begins(Eigen::VectorXd& y) {
    if (!solve_at(equations(), y).converged) return false;
    if (loaded_) loaded_->turn_forward(y);
    return true;
  }

  Eigen::VectorXd from_fewer_harmonics() {
    // Joints let go one after the other.
    NewtonOptions patient;
    patient.most_iterations += 4 * static_cast<int>(balance_.structure().joints.size());
    Eigen::VectorXd y = guess(options_.from);
    int before = 0;
    const int least = std::max(1, highest_harmonic(balance_.structure()));
    for (int h = least; h < balance_.harmonics(); before = h, h += 2) {
      Fineness coarse({h});
      Branch fewer(balance_.shared(), options_, h, coarse);
      y = before == 0 ? fewer.guess(options_.from) : with_harmonics(y, balance_.dofs(), before, h);
      solve_at(fewer.equations(), y, patient);
    }
    return before == 0 ? y : with_harmonics(y, balance_.dofs(), before, balance_.harmonics());
  }

  bool good_enough(const CurvePoint& point) {
    const Eigen::VectorXd y = plain(point.y);
    verdict_ =
        fineness_.judge(balance_, y, {truncation(point, y)}, balance_.elements().quadrature(y));
    return !given_up();
  }

  /// The forces left out alone are a lower bound, which saves the rest where it is too much already.
  double truncation(const CurvePoint& point, const Eigen::VectorXd& y) {
    const double least = balance_.truncation(y);
    const bool first = fineness_.judges_first_harmonic();
    if (balance_.slides() || balance_.at_rest(y) || (!first && least > fineness_.most_truncation()))
      return least;
    const int harmonics = balance_.harmonics(), more = finer_harmonics(harmonics);
    if (!finer_) {
      finer_.emplace(balance_.shared(), more, balance_.options());
      if (loaded_) finer_loaded_.emplace(*finer_, options_);
      if (finer_->worth_condensing()) finer_->condense(true);
    }
    const Eigen::Index n = balance_.dofs();
    Eigen::VectorXd change =
        change_by_harmonics(loaded_ ? static_cast<Equations&>(*finer_loaded_) : *finer_,
                            with_harmonics(point.y, n, harmonics, more),
                            with_harmonics(point.tangent, n, harmonics, more));
    if (change.size() == 0) return least;
    double part =
        first ? part_of_vibration(balance_.structure().M, n, {change, options_.periods},
                                  {y, harmonics})
              : finer_->scales().largest_in_units(change) / balance_.scales().largest_vibration(y);
    if (options_.along == Along::amplitude) {
      const Eigen::Index level = balance_.size();
      part = std::max(part, std::abs(change[finer_->size()] / point.y[level]));
    }
    return std::max(first ? 0 : least, of_all_harmonics * part);
  }

  /// A vibration far beyond what the loads move at rest, of which nothing takes a noticeable part. A joint that is
  /// nearly rigid at rest lets the loads move that much more when it slides, and takes its part.
  bool grows_without_bound(const CurvePoint& point) {
    if (!balance_.scales().without_bound(point.y, balance_.force())) return false;
    constexpr double noticeable = 1e-7;  // of the kinetic energy, in a period
    const ResponsePoint here = response_point(balance_, plain(point.y));
    Eigen::VectorXd velocity(balance_.structure().size());
    for (Eigen::Index i = 0; i < velocity.size(); ++i)
      velocity[i] = here.omega * here.first[std::size_t(i)].amplitude;
    const double kinetic = 0.5 * velocity.dot(balance_.structure().M * velocity);
    return here.lost <= noticeable * kinetic;
  }

  /// On the way on from the last point, or from where Newton's method began.
  std::size_t hardest_joint(const Eigen::VectorXd& start) {
    const auto hardest = [&](const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
      return balance_.elements().hardest(from, to, balance_.scales().dofs());
    };
    if (curve_.points.empty()) return hardest(plain(1.001 * start), plain(start));
    const CurvePoint& end = curve_.points.back();
    return hardest(plain(end.y), plain(end.y + 1e-3 * end.tangent));
  }

  Equations& equations() { return loaded_ ? static_cast<Equations&>(*loaded_) : balance_; }
  Eigen::VectorXd plain(const Eigen::VectorXd& y) { return loaded_ ? loaded_->plain(y) : y; }
  static PeriodicOptions refined(const FrequencyResponseOptions& options, int level) {
    PeriodicOptions periodic = periodic_of(options);
    periodic.level = std::max(periodic.level, level);
    return periodic;
  }

  /// Places asked for between a point and the one before.
  void add_wanted(std::size_t i, FrequencyResponse& result) {
    Curve piece{{curve_.points[i - 1], curve_.points[i]}, {}, CurveEnd::reached, curve_.scales, 0};
    std::vector<double> wanted = options_.at;
    const bool rising = piece.points[1].y.tail(1)[0] > piece.points[0].y.tail(1)[0];
    std::sort(wanted.begin(), wanted.end(),
              [&](double a, double b) { return rising ? a < b : a > b; });
    for (const double place : wanted) {
      if (place == piece.points[0].y.tail(1)[0] || place == piece.points[1].y.tail(1)[0]) continue;
      for (const CurvePoint& point : points_at(equations(), piece, place)) {
        result.branch.push_back(record(point, result));
        result.at.push_back(result.branch.back());
      }
    }
  }

  /// A point, while the elements know their replies.
  struct Described {
    ResponsePoint point;
    bool balances;
  };
  Described described(const CurvePoint& from) {
    Described result{response_point(balance_, plain(from.y)), true};
    if (loaded_) result.point.level = loaded_->level(from.y);
    result.point.unknowns = from.y;
    result.point.tangent = from.tangent;
    // Equal samples have an error of their own.
    if (options_.periodic.rule == Rule::event_exact)
      result.balances = !fails_to_balance(balance_, result.point);
    return result;
  }
  /// The same, if it was passed on the way.
  Described seen(const CurvePoint& from) {
    const auto place = std::find_if(seen_.begin() + next_seen_, seen_.end(), [&](const auto& one) {
      return one.point.unknowns.size() == from.y.size() && one.point.unknowns == from.y;
    });
    if (place == seen_.end()) return described(from);
    next_seen_ = place - seen_.begin() + 1;
    return *place;
  }

  ResponsePoint record(const CurvePoint& from, FrequencyResponse& result) {
    auto [point, balances] = seen(from);
    if (options_.stability) point.stability = stability(balance_, plain(from.y));
    result.energy_balance = std::max(result.energy_balance, std::abs(point.balance));
    if (!balances &&
        (!result.unbalanced || std::abs(result.unbalanced->balance) < std::abs(point.balance)))
      result.unbalanced = point;
    result.loops_closed = result.loops_closed && point.closed;
    return point;
  }

  const FrequencyResponseOptions& options_;
  Fineness& fineness_;
  Fineness::Verdict verdict_ = Fineness::Verdict::right;
  HarmonicBalance balance_;
  std::optional<AtOneFrequency> loaded_;
  std::optional<HarmonicBalance> finer_;  ///< with twice the harmonics, once it was needed
  std::optional<AtOneFrequency> finer_loaded_;
  Curve curve_;
  std::vector<Described> seen_{};         ///< points of the curve, in order
  std::ptrdiff_t next_seen_ = 0;          ///< of those, the first that was not asked for
  int harmonics_ = balance_.harmonics();  ///< of the points
  std::size_t good_ = 0;                  ///< points known to be good enough
  bool unbounded_ = false;
};

}  // namespace

namespace {

/// Adds the force of a loop of the same motion, linear between its nodes.
void add_force(const JointLoop& part, JointLoop& loop) {
  const std::size_t count = part.theta.size();
  if (count == 0) return;
  std::vector<std::pair<double, double>> nodes;
  for (std::size_t i = 0; i < count; ++i)
    nodes.emplace_back(part.theta[i] - 2 * pi * std::floor(part.theta[i] / (2 * pi)), part.f[i]);
  std::sort(nodes.begin(), nodes.end());
  nodes.emplace_back(nodes.front().first + 2 * pi, nodes.front().second);
  nodes.insert(nodes.begin(), {nodes[count - 1].first - 2 * pi, nodes[count - 1].second});
  for (std::size_t i = 0; i < loop.theta.size(); ++i) {
    const double theta = loop.theta[i] - 2 * pi * std::floor(loop.theta[i] / (2 * pi));
    const auto after = std::upper_bound(nodes.begin() + 1, nodes.end() - 1, std::pair{theta, 0.0});
    const auto before = std::prev(after);
    const double length = after->first - before->first;
    const double share = length > 0 ? (theta - before->first) / length : 0;
    loop.f[i] += before->second + share * (after->second - before->second);
  }
}

}  // namespace

std::vector<JointLoop> joint_loops(const Structure& structure,
                                   const FrequencyResponseOptions& options, int harmonics,
                                   const ResponsePoint& point) {
  HarmonicBalance balance(structure, harmonics, periodic_of(options));
  balance.elements().evaluate(point.y, false);
  std::vector<JointLoop> loops;
  for (std::size_t j = 0; j < structure.joints.size(); ++j)
    loops.push_back(balance.elements().loop(j));
  // Of a joint that was taken apart, the force of the other parts at the places of the first.
  for (std::size_t j = structure.joints.size(); j < balance.structure().joints.size(); ++j)
    add_force(balance.elements().loop(j), loops[balance.elements().owner(j)]);
  return loops;
}

ResponsePoint response_point(HarmonicBalance& balance, const Eigen::VectorXd& y) {
  const Eigen::Index n = balance.dofs();
  ResponsePoint point;
  point.omega = y[balance.size()];
  point.y = y;
  for (Eigen::Index i = 0; i < balance.structure().size(); ++i)
    point.first.push_back(first_harmonic(y, n, i));
  const double input = work(balance.force(), y, n, balance.harmonics());
  double lost = viscous_loss(balance, y);
  balance.elements().evaluate(y, false);
  point.energy.assign(balance.elements().owners(), 0);
  for (std::size_t j = 0; j < balance.elements().members(); ++j) {
    const double energy = balance.elements().energy(y, j);
    point.energy[balance.elements().owner(j)] += energy;
    point.closed = point.closed && balance.elements().force(j).closed;
    lost += energy;
  }
  point.lost = lost;
  point.input = input;
  const double nothing = BalanceScales::solved_for * balance.scales().exchange(y, balance.force());
  if (!balance.at_rest(y) && std::abs(input - lost) > nothing)
    point.balance = (input - lost) / std::max(std::abs(input), lost);
  return point;
}

namespace {

/// Harmonics and integrals as fine as they are needed from place to place.
FrequencyResponse adaptive_response(const Structure& structure,
                                    const FrequencyResponseOptions& options) {
  const UnknownCount count = count_unknowns(structure, options.periodic);
  Trail trail = trail_of({options.start, options.direction, 0}, count.dofs,
                         count.own + (options.along == Along::amplitude ? 2 : 1));
  const int least = highest_harmonic(structure);
  const auto whole_structure =
      std::make_shared<const BalancedStructure>(structure, periodic_of(options));
  Fineness fineness({options.harmonics, options.tolerance, options.quadrature, least},
                    trail.harmonics);
  while (true) {
    if (options.on_harmonics) options.on_harmonics(fineness.harmonics());
    Branch branch(whole_structure, options, fineness.harmonics(), fineness);
    FrequencyResponse result = branch.compute(trail);
    if (branch.given_up() || (result.end == CurveEnd::stuck && fineness.goes_back())) {
      trail = branch.trail();
      continue;
    }
    if (branch.has_all_harmonics()) {
      branch.finish(result);
      return result;
    }
    Branch whole(whole_structure, options, branch.harmonics(), fineness);
    whole.take(branch);
    whole.finish(result);
    return result;
  }
}

}  // namespace

namespace {

/// Over several periods of the load its harmonics are as many times those of the motion.
Structure over_periods(Structure structure, int periods) {
  for (Load& load : structure.loads)
    if (auto* tones = std::get_if<Tones>(&load.signal))
      for (Tone& tone : tones->list) tone.harmonic *= periods;
  return structure;
}
FrequencyResponseOptions over_periods(FrequencyResponseOptions options) {
  const int periods = options.periods;
  options.from /= periods;
  options.to /= periods;
  options.harmonics *= periods;
  for (double& place : options.at) place /= periods;
  return options;
}

/// A point in terms of the load: its frequency, and what a period of it takes.
void of_load(const FrequencyResponseOptions& options, Eigen::Index dofs, ResponsePoint& point) {
  const int periods = options.periods;
  point.omega *= periods;
  for (const double wanted : options.at)
    if (std::abs(point.omega - wanted) <= 1e-15 * wanted) point.omega = wanted;
  for (double& energy : point.energy) energy /= periods;
  point.input /= periods;
  point.lost /= periods;
  const Eigen::VectorXd& y = point.y;
  const auto harmonics = static_cast<int>((y.size() - 1) / dofs / 2);
  for (std::size_t i = 0; i < point.first.size(); ++i) {
    const auto phasor = [&](int h) {
      const auto dof = static_cast<Eigen::Index>(i);
      const double a = y[(2 * h - 1) * dofs + dof], b = y[2 * h * dofs + dof];
      return Phasor{std::hypot(a, b), std::atan2(-b, a)};
    };
    point.first[i] = phasor(periods);
    double squares = 0;
    for (int h = 1; h <= harmonics; ++h)
      if (h % periods != 0) squares += std::pow(phasor(h).amplitude, 2);
    point.subharmonic = std::max(point.subharmonic, std::sqrt(squares));
  }
}

void of_load(const FrequencyResponseOptions& options, FrequencyResponse& result) {
  const auto turn = [&](std::vector<ResponsePoint>& points) {
    for (ResponsePoint& point : points) of_load(options, result.dofs, point);
  };
  turn(result.branch);
  turn(result.at);
  for (auto& peaks : result.peaks) turn(peaks);
  if (result.unbalanced) of_load(options, result.dofs, *result.unbalanced);
  for (double& place : result.leaps) place *= options.periods;
}

}  // namespace

FrequencyResponse frequency_response(const Structure& structure,
                                     const FrequencyResponseOptions& options) {
  check(options);
  if (std::none_of(structure.loads.begin(), structure.loads.end(), [](const Load& load) {
        return std::holds_alternative<Tones>(load.signal) || load.signal.index() > 1;
      }))
    throw Error(
        "nothing shakes the structure: a steady response needs a [[load]] of kind harmonic, "
        "multisine or base");
  if (options.periods == 1) return adaptive_response(structure, options);
  FrequencyResponse result =
      adaptive_response(over_periods(structure, options.periods), over_periods(options));
  of_load(options, result);
  return result;
}

}  // namespace microslip::dynamics
