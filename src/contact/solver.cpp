#include "microslip/contact/solver.hpp"

#include <algorithm>
#include <cmath>

#include "active_block.hpp"
#include "conditions.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"

/// Per unit of the path, with c the rate of the load, the displacements v and forces t = c − K v
/// are constant on a piece. At a point of the path a node may go on in one of these ways:
///
///     w_n > 0                   open
///     P > 0, below the limit    stick
///     P > 0, at the limit σμP   stick (σt_t + μt_n ≤ 0) or slip σ (σv_t ≥ 0)
///     w_n = 0, P = 0            open (v_n ≥ 0), stick (−t_n ≥ 0, |t_t| ≤ −μt_n) or
///                               slip σ (−t_n ≥ 0, σv_t ≥ 0)
///
/// and the rates are those for which each node meets the conditions of its way.
namespace microslip::contact {
std::string_view text_of(Contact contact) {
  switch (contact) {
    case Contact::open:
      return "open";
    case Contact::stick:
      return "stick";
    case Contact::forward:
      return "slips forward";
    case Contact::backward:
      return "slips backward";
  }
  return "unknown";
}

State rest(const Problem& problem) {
  State state{
      .w = problem.w0(),
      .nodes = std::vector<Contact>(static_cast<std::size_t>(problem.nodes()), Contact::stick)};
  for (Index i = 0; i < problem.nodes(); ++i)
    if (problem.w0()[2 * i] > 0) state.nodes[std::size_t(i)] = Contact::open;
  return state;
}

class Solver::Body {
 public:
  Body(const Problem& problem, const SolverOptions& options)
      : problem_(problem), options_(options), block_(problem) {
    start(rest(problem));
  }

  void start(const State& state) {
    f_ = state.f;
    preload_ = state.preload;
    w_ = state.w;
    nodes_ = state.nodes;
    direction_ = state.direction;
    T_ = load() - problem_.K() * (w_ - problem_.w0());
    elastic_start_ = elastic_energy();
    xi_ = problem_.b().dot(w_ - problem_.w0());
    dissipated_ = work_ = moved_ = 0;
    events_ = iterations_ = 0;
    force_scale_ = std::max(load().cwiseAbs().maxCoeff(), T_.cwiseAbs().maxCoeff());
    way_scale_ = w_.cwiseAbs().maxCoeff();
    v_ = t_ = Vector::Zero(w_.size());
    room_ = 0;
    on_piece_ = false;
    trouble_.clear();
    changes_.clear();
  }

  Status preload() {
    if (preload_ == 1) return Status::ok;
    loading_g_ = true;
    on_piece_ = false;
    direction_ = 0;
    force_scale_ = std::max(force_scale_, problem_.g().cwiseAbs().maxCoeff());
    const Status status = problem_.g().isZero(0) ? Status::ok : follow(problem_.g(), 1 - preload_);
    loading_g_ = false;
    on_piece_ = false;
    preload_ = 1;
    if (status != Status::ok) return status;
    settle();
    elastic_start_ = elastic_energy();
    xi_ = problem_.b().dot(w_ - problem_.w0());
    dissipated_ = work_ = moved_ = 0;
    return Status::ok;
  }

  Status advance(double f) {
    if (f == f_) return Status::ok;
    const int direction = f > f_ ? 1 : -1;
    if (direction != direction_) {
      direction_ = direction;
      on_piece_ = false;
      reversed_ = true;
    }
    target_ = f;
    const double length = std::abs(f - f_);
    force_scale_ = std::max(force_scale_, std::abs(f) * problem_.b().cwiseAbs().maxCoeff());
    const Status status = follow(problem_.b() * direction, length);
    if (status != Status::ok) return status;
    f_ = f;
    settle();
    if (energy_error() <= options_.energy_tolerance) return Status::ok;
    trouble_ = "at the load " + number_text(f_) + " work and energy differ by " +
               number_text(energy_error()) + " of the energy that was moved";
    return Status::not_converged;
  }

  State state() const { return {f_, preload_, w_, nodes_, direction_}; }
  double elastic_energy() const { return 0.5 * (w_ - problem_.w0()).dot(load() - T_); }
  double energy_error() const {
    if (moved_ == 0) return 0;
    return std::abs(work_ - (elastic_energy() - elastic_start_) - dissipated_) / moved_;
  }

  const Problem& problem_;
  SolverOptions options_;
  ActiveBlock block_;
  double f_ = 0, preload_ = 0, target_ = 0;
  Vector w_, T_;
  std::vector<Contact> nodes_;
  int direction_ = 0;
  double xi_ = 0, dissipated_ = 0, work_ = 0, elastic_start_ = 0;
  double moved_ = 0;  ///< ∫|f dξ| and what friction lost: the scale of the balance
  std::size_t events_ = 0, iterations_ = 0;
  Vector v_, t_;  ///< rates on the present piece
  std::string trouble_;
  std::vector<Change> changes_;

 private:
  Vector load() const { return problem_.b() * f_ + problem_.g() * preload_; }

  Status follow(const Vector& c, double length) {
    double left = length;
    std::size_t stalled = 0;
    const double whole = std::max(length, std::abs(f_));
    while (left > 0) {
      if (!on_piece_) {
        if (!find_rates(c, left)) {
          trouble_ = "no motion meets contact and friction at the load " + number_text(f_);
          return Status::not_converged;
        }
        on_piece_ = true;
        room_ = distance_to_event();
      }
      const double step = std::min(room_, left);
      move(step);
      room_ -= step;
      left -= step;
      if (left <= 0) {
        if (room_ <= 0) on_piece_ = false;
        break;
      }
      on_piece_ = false;
      // Events in one point are finite in number; the tail of a cycle among them is not progress.
      stalled = step > rounding * whole ? 0 : stalled + 1;
      if (stalled > 100 + 4 * nodes_.size()) {
        trouble_ = "the states of nodes cycle at the load " + number_text(f_);
        return Status::not_converged;
      }
    }
    return Status::ok;
  }

  void move(double step) {
    if (step <= 0) return;
    const double advance_xi = problem_.b().dot(v_) * step;
    double loss = 0;
    for (Index i = 0; i < problem_.nodes(); ++i)
      if (side_of(nodes_[std::size_t(i)]) != 0)
        loss += (T_[2 * i + 1] + 0.5 * step * t_[2 * i + 1]) * v_[2 * i + 1] * step;
    double work = 0;
    if (loading_g_) {
      preload_ += step;  // its energies are not counted
    } else {
      work = preload_ * problem_.g().dot(v_) * step + (f_ + 0.5 * direction_ * step) * advance_xi;
      f_ += direction_ * step;
    }
    w_ += step * v_;
    T_ += step * t_;
    work_ += work;
    dissipated_ += loss;
    moved_ += std::abs(work) + std::abs(loss);
    xi_ += advance_xi;
    way_scale_ = std::max(way_scale_, w_.cwiseAbs().maxCoeff());
    force_scale_ = std::max(force_scale_, T_.cwiseAbs().maxCoeff());
  }

  /// Rounding that has gathered in T and w since the last call is taken out.
  void settle() {
    T_ = load() - problem_.K() * (w_ - problem_.w0());
    if (block_.nodes() == nodes_) {
      Vector dw;
      block_.solve(T_, dw, force_scale_);
      w_ += dw;
    }
    xi_ = problem_.b().dot(w_ - problem_.w0());
  }

  Ways ways_of(Index i) const {
    const double P = -T_[2 * i], shear = T_[2 * i + 1], mu = problem_.mu()[i];
    const double tol = rounding * force_scale_;
    if (nodes_[std::size_t(i)] == Contact::open) {
      if (w_[2 * i] > rounding * way_scale_) return {.open = true};
      return {true, true, true, true};
    }
    if (P <= tol) return {true, true, true, true};
    Ways ways{.stick = true};
    const int side = side_of(nodes_[std::size_t(i)]);
    ways.forward = side > 0 || shear - mu * P >= -tol;
    ways.backward = side < 0 || -shear - mu * P >= -tol;
    return ways;
  }

  void set_tolerances(const Vector& c) {
    t_tol_ = rounding * std::max(c.cwiseAbs().maxCoeff(), t_.cwiseAbs().maxCoeff());
    v_tol_ = rounding * v_.cwiseAbs().maxCoeff();
  }

  bool solve(const Vector& c, const std::vector<Contact>& trial) {
    ++iterations_;
    t_ = c;
    if (!block_.assign(trial) || !block_.solve(t_, v_, c.cwiseAbs().maxCoeff())) return false;
    set_tolerances(c);
    return true;
  }

  Contact asked(Index i, const Ways& ways, Contact now) const {
    if (ways.only_one()) return now;
    const Matrix& K = problem_.K();
    const NodeMotion motion{problem_.mu()[i], v_[2 * i],       v_[2 * i + 1],          t_[2 * i],
                            t_[2 * i + 1],    K(2 * i, 2 * i), K(2 * i + 1, 2 * i + 1)};
    return asked_for(now, ways, motion, v_tol_, t_tol_);
  }

  /// The first guess after an event or a reversal.
  std::vector<Contact> first_trial(const std::vector<Ways>& ways) const {
    std::vector<Contact> trial = nodes_;
    for (std::size_t i = 0; i < trial.size(); ++i) {
      if (ways[i].only_one()) {
        trial[i] = ways[i].open ? Contact::open : Contact::stick;
        continue;
      }
      const auto k = static_cast<Index>(i);
      if (reversed_) {
        if (side_of(trial[i]) != 0 && !ways[i].open) trial[i] = Contact::stick;
      } else if (trial[i] == Contact::stick) {
        // It has just come to its limit, or lies there and may go on sticking.
        trial[i] = asked(k, ways[i], trial[i]);
      } else if (ways[i].open) {
        trial[i] = asked(k, ways[i], trial[i]);
      }
    }
    return trial;
  }

  /// Primal–dual active set: all nodes that ask for another state change together. Sets that
  /// return are left by changing the first such node only (least index, which ends where the
  /// matrix of the rates is a P-matrix).
  bool iterate(const Vector& c, const std::vector<Ways>& ways, std::vector<Contact> trial) {
    const int most = block_iterations + 20 * static_cast<int>(trial.size());
    for (int iteration = 0; iteration < most; ++iteration) {
      if (!solve(c, trial)) return false;
      bool changed = false;
      for (std::size_t i = 0; i < trial.size(); ++i) {
        const Contact next = asked(static_cast<Index>(i), ways[i], trial[i]);
        if (next == trial[i]) continue;
        trial[i] = next;
        changed = true;
        if (iteration >= block_iterations) break;
      }
      if (!changed) {
        accept(trial);
        return true;
      }
    }
    return false;
  }

  void accept(const std::vector<Contact>& trial) {
    for (std::size_t i = 0; i < trial.size(); ++i) {
      if (trial[i] == nodes_[i]) continue;
      ++events_;
      if (options_.log_changes) changes_.push_back({f_, static_cast<Index>(i), trial[i]});
      if (nodes_[i] == Contact::open) w_[2 * static_cast<Index>(i)] = 0;
    }
    nodes_ = trial;
    reversed_ = false;
  }

  bool find_rates(const Vector& c, double left) {
    std::vector<Ways> ways(nodes_.size());
    for (std::size_t i = 0; i < ways.size(); ++i) ways[i] = ways_of(static_cast<Index>(i));
    if (iterate(c, ways, first_trial(ways))) return true;
    // A finite step may lead where the rates can be checked.
    double step = left;
    const Vector from = load() + problem_.K() * problem_.w0();
    for (int halving = 0; halving < 40; ++halving, step *= 0.25) {
      const Increment end = increment(problem_, from + step * c, w_, nodes_);
      if (end.status != Status::ok) continue;
      bool possible = true;
      for (std::size_t i = 0; i < ways.size() && possible; ++i)
        possible = ways[i].allows(end.nodes[i]);
      if (possible && iterate(c, ways, end.nodes)) return true;
    }
    const auto accepts = [&](const std::vector<Contact>& trial) {
      for (std::size_t i = 0; i < ways.size(); ++i)
        if (!ways[i].allows(trial[i])) return false;
      return iterate(c, ways, trial);
    };
    const std::vector<Contact> grown = friction_grows(from + left * c);
    if (!grown.empty() && accepts(grown)) return true;
    const std::vector<Contact> pivoted = by_lemke(from + left * c);
    return !pivoted.empty() && accepts(pivoted);
  }

  /// Friction grows from nothing to what it is; each solution is the start of the next. Contact
  /// without friction is a convex problem. Needed where all nodes may change together, as under the
  /// first preload. Empty if it leads nowhere.
  std::vector<Contact> friction_grows(const Vector& load) const {
    std::vector<Contact> start = nodes_;
    constexpr int stages = 10;
    for (int stage = 0; stage <= stages; ++stage) {
      const Problem partly(problem_.K(), problem_.g(), problem_.b(),
                           problem_.mu() * (static_cast<double>(stage) / stages));
      const Increment end = increment(partly, load, w_, start);
      if (end.status != Status::ok) return {};
      start = end.nodes;
    }
    return start;
  }

  /// The same by pivots, where K is definite.
  std::vector<Contact> by_lemke(const Vector& load) const {
    constexpr Index most = 200;  // its tableau has three rows a node
    if (problem_.nodes() > most) return {};
    try {
      const Increment end = lemke_increment(problem_, load, w_);
      return end.status == Status::ok ? end.nodes : std::vector<Contact>{};
    } catch (const Error&) {
      return {};
    }
  }

  double distance_to_event() const {
    double nearest = infinity;
    const auto reaches = [&](double room, double rate, double tol) {
      if (rate > tol) nearest = std::min(nearest, std::max(room, 0.0) / rate);
    };
    for (Index i = 0; i < problem_.nodes(); ++i) {
      const double mu = problem_.mu()[i], P = -T_[2 * i], shear = T_[2 * i + 1];
      switch (nodes_[std::size_t(i)]) {
        case Contact::open:
          reaches(w_[2 * i], -v_[2 * i], v_tol_);
          break;
        case Contact::stick:
          for (const int side : {1, -1})
            reaches(mu * P - side * shear, side * t_[2 * i + 1] + mu * t_[2 * i], t_tol_);
          break;
        case Contact::forward:
        case Contact::backward:
          reaches(P, t_[2 * i], t_tol_);
      }
    }
    return nearest;
  }

  double room_ = 0;
  bool on_piece_ = false, reversed_ = false, loading_g_ = false;
  double force_scale_ = 0, way_scale_ = 0, t_tol_ = 0, v_tol_ = 0;
};

Solver::Solver(const Problem& problem, const SolverOptions& options)
    : body_(std::make_unique<Body>(problem, options)) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;

void Solver::start(const State& state) { body_->start(state); }
Status Solver::preload() { return body_->preload(); }
Status Solver::advance(double f) { return body_->advance(f); }
State Solver::state() const { return body_->state(); }
const Vector& Solver::w() const { return body_->w_; }
const Vector& Solver::T() const { return body_->T_; }
const std::vector<Contact>& Solver::nodes() const { return body_->nodes_; }
double Solver::xi() const { return body_->xi_; }
double Solver::tangent() const { return body_->direction_ * body_->problem_.b().dot(body_->v_); }
double Solver::dissipated() const { return body_->dissipated_; }
double Solver::elastic_energy() const { return body_->elastic_energy(); }
double Solver::energy_error() const { return body_->energy_error(); }
std::size_t Solver::events() const { return body_->events_; }
std::size_t Solver::iterations() const { return body_->iterations_; }
const std::string& Solver::trouble() const { return body_->trouble_; }
std::vector<Change>& Solver::changes() { return body_->changes_; }

}  // namespace microslip::contact
