#include "box_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace microslip::friction {
namespace {

/// Relative to the same terms; ten thousand times what a fresh factor leaves.
constexpr double lost_digits = 1e-11;
/// How often the number of wrong sliders may fail to shrink before single pivots take over
/// (Júdice and Pires use 3 to 10).
constexpr int patience = 5;

double sum_of_sizes(const Vector& v) { return v.lpNorm<1>(); }

}  // namespace

BoxProblem::BoxProblem(const System& system, Use use)
    : g(Vector::Zero(system.size())),
      lo(Vector::Zero(system.size())),
      hi(Vector::Zero(system.size())),
      system_(system),
      delta_(Vector::Zero(system.size())),
      r_(Vector::Zero(system.size())),
      sign_(static_cast<std::size_t>(system.size()), 0),
      refused_(static_cast<std::size_t>(system.size()), false) {
  if (use == Use::directions && system.is_dense()) {
    auto tableau = std::make_unique<Tableau>(system, r_);
    tableau_ = tableau.get();
    factor_ = std::move(tableau);
  } else {
    factor_ = make_factor(system);
  }
}

void BoxProblem::reset() {
  for (const Index i : moving()) {
    delta_[i] = 0;
    sign_[std::size_t(i)] = 0;
  }
  factor_->clear();
  size_ = 0;
  r_ = g;
}

void BoxProblem::solve_moving(Vector& target) const {
  if (tableau_ != nullptr) {
    target = tableau_->minimum();
    return;
  }
  target.resize(factor_->size());
  for (Index k = 0; k < target.size(); ++k) {
    const Index i = moving()[std::size_t(k)];
    target[k] = g[i] - (sign(i) > 0 ? hi[i] : lo[i]);
  }
  factor_->solve_in_place(target);
}

void BoxProblem::set_moving(const Vector& target) {
  for (Index k = 0; k < target.size(); ++k) delta_[moving()[std::size_t(k)]] = target[k];
}

void BoxProblem::update_r() {
  Vector moved(factor_->size());
  for (Index k = 0; k < moved.size(); ++k) moved[k] = delta_[moving()[std::size_t(k)]];
  size_ = sum_of_sizes(moved);
  if (tableau_ != nullptr) return;
  r_ = g;
  system_.subtract_columns(moving(), moved, r_);
}

bool BoxProblem::keep() {
  Vector target;
  solve_moving(target);
  for (Index k = 0; k < target.size(); ++k)
    if (sign(moving()[std::size_t(k)]) * target[k] < 0) {
      reset();
      return false;
    }
  set_moving(target);
  update_r();
  return true;
}

void BoxProblem::refresh() {
  Vector moved(factor_->size());
  for (Index k = 0; k < moved.size(); ++k) moved[k] = delta_[moving()[std::size_t(k)]];
  Vector exact = g;
  system_.subtract_columns(moving(), moved, exact);
  double drift = 0;
  for (Index i = 0; i < r_.size(); ++i) {
    const double kept = sign(i) == 0 ? r_[i] : sign(i) > 0 ? hi[i] : lo[i];
    const double terms = std::abs(g[i]) + system_.row_scale()[i] * size_;
    if (terms > 0) drift = std::max(drift, std::abs(exact[i] - kept) / terms);
  }
  if (drift <= lost_digits) return;
  const std::vector<Index> members = moving();
  r_ = g;
  // A block that was regular stays so, but for rounding: then nobody moves, and pivots begin anew.
  if (!factor_->assign(members)) {
    delta_.setZero();
    std::fill(sign_.begin(), sign_.end(), std::int8_t{0});
    return reset();
  }
  Vector target;
  solve_moving(target);
  set_moving(target);
  update_r();
}

/// By how much r_i is beyond its bounds, as far as rounding can tell; negative if it is inside.
double BoxProblem::violation(Index i) const {
  const double beyond = std::max(r_[i] - hi[i], lo[i] - r_[i]);
  if (!(beyond > 0)) return -1;
  const double bound = r_[i] > hi[i] ? hi[i] : lo[i];
  const double noise =
      rounding * (std::abs(g[i]) + std::abs(bound) + system_.row_scale()[i] * size_);
  return beyond > noise ? beyond : -1;
}

Index BoxProblem::worst() const {
  Index found = -1;
  double most = 0;
  for (Index i = 0; i < r_.size(); ++i) {
    if (sign(i) != 0 || refused_[std::size_t(i)]) continue;
    const double wrong = violation(i);
    if (wrong > most) {
      most = wrong;
      found = i;
    }
  }
  return found;
}

void BoxProblem::drop(Index place) {
  const Index i = moving()[std::size_t(place)];
  delta_[i] = 0;
  sign_[std::size_t(i)] = 0;
  factor_->remove(place);
}

/// Without a spring against it, the block with j slides until one of its sliders is back where it
/// was; that one leaves. False when none ever is.
bool BoxProblem::slide(Index j, int direction) {
  Vector along = factor_->column(j);
  along *= -direction;
  factor_->solve_in_place(along);
  double length = std::numeric_limits<double>::infinity();
  Index blocking = -1;
  for (Index k = 0; k < along.size(); ++k) {
    const Index i = moving()[std::size_t(k)];
    if (sign(i) * along[k] >= 0) continue;
    const double reach = -delta_[i] / along[k];
    if (reach < length) {
      length = reach;
      blocking = k;
    }
  }
  if (blocking < 0) {
    floating_.assign(1, j);
    const double noise = 1e-9 * along.lpNorm<Eigen::Infinity>();
    for (Index k = 0; k < along.size(); ++k)
      if (std::abs(along[k]) > noise) floating_.push_back(moving()[std::size_t(k)]);
    return false;
  }
  for (Index k = 0; k < along.size(); ++k) delta_[moving()[std::size_t(k)]] += length * along[k];
  delta_[j] += length * direction;
  drop(blocking);
  return true;
}

bool BoxProblem::enter(Index j, int direction) {
  while (!factor_->append(j))
    if (!slide(j, direction)) return false;
  sign_[std::size_t(j)] = static_cast<std::int8_t>(direction);
  settle(j);
  update_r();
  return true;
}

/// Moves δ to the minimum over the moving set; a slider that would change its direction on the way
/// stops there and leaves.
void BoxProblem::settle(Index entered) {
  Vector target;
  // The part of the way after which a slider stops; one that is there already, be it by rounding
  // on the wrong side, stops at once.
  const auto reach = [&](Index place) {
    const Index i = moving()[std::size_t(place)];
    if (sign(i) * target[place] > 0) return std::numeric_limits<double>::infinity();
    const double way = delta_[i] - target[place];
    return sign(i) * delta_[i] > 0 ? delta_[i] / way : 0.0;
  };
  while (factor_->size() > 0) {
    solve_moving(target);
    double part = 1;
    for (Index k = 0; k < target.size(); ++k) part = std::min(part, reach(k));
    if (part >= 1) return set_moving(target);
    for (Index k = target.size() - 1; k >= 0; --k) {
      const Index i = moving()[std::size_t(k)];
      const bool stops = reach(k) <= part * (1 + 1e-14);
      const bool at_rest = delta_[i] == 0;
      delta_[i] += part * (target[k] - delta_[i]);
      if (!stops) continue;
      // It should move, and the factor says the other way: both are rounding.
      if (i == entered && at_rest) refused_[std::size_t(i)] = true;
      drop(k);
    }
  }
}

Status BoxProblem::pivot() {
  std::fill(refused_.begin(), refused_.end(), false);
  // Each pivot lowers the function that is minimised, so no set comes twice; the bound is for
  // rounding only.
  const Index most = 50 * system_.size() + 100;
  for (Index count = 0; count < most; ++count) {
    const Index j = worst();
    if (j < 0) return Status::ok;
    if (!enter(j, r_[j] > hi[j] ? 1 : -1)) return Status::macroslip;
    // Where something has moved, what was rounding before may be none now.
    if (!refused_[std::size_t(j)]) std::fill(refused_.begin(), refused_.end(), false);
  }
  return Status::not_converged;
}

/// False when the new block is singular.
bool BoxProblem::exchange(const std::vector<Index>& leaving, const std::vector<Index>& entering) {
  // Many changes: a new factor is cheaper than one update each; of a chain at once.
  const bool chain = system_.sparsity() == Sparsity::tridiagonal;
  if (Index(leaving.size() + entering.size()) > 4 + (chain ? 0 : factor_->size() / 6)) {
    std::vector<Index> members;
    for (const Index i : moving())
      if (sign(i) != 0) members.push_back(i);
    members.insert(members.end(), entering.begin(), entering.end());
    return factor_->assign(members);
  }
  for (Index k = factor_->size() - 1; k >= 0; --k)
    if (sign(moving()[std::size_t(k)]) == 0) factor_->remove(k);
  return std::all_of(entering.begin(), entering.end(), [&](Index j) { return factor_->append(j); });
}

/// In a chain slip spreads from neighbour to neighbour. What the first slider beyond a front cannot hold
/// goes to the next ones, each of which takes what is left to its limit; those that cannot will slip too.
/// Exact for a chain without springs to the ground, a guess otherwise; without it each round moves a front
/// by one slider.
void BoxProblem::advance_fronts(const std::vector<Index>& leaving, std::vector<Index>& entering) {
  constexpr std::size_t few = 8;  // fronts; many wrong sliders are no fronts
  if (entering.size() > few) return;
  const std::vector<Index> first = entering;
  std::vector<bool> leaves(sign_.size(), false);
  for (const Index i : leaving) leaves[std::size_t(i)] = true;
  for (const Index i : first)
    for (const Index step : {Index(-1), Index(1)}) {
      const int side = sign(i);
      double rest = side > 0 ? r_[i] - hi[i] : lo[i] - r_[i];
      for (Index j = i + step; j >= 0 && j < r_.size(); j += step) {
        if (sign(j) != 0 || leaves[std::size_t(j)]) continue;
        const double room = side > 0 ? hi[j] - r_[j] : r_[j] - lo[j];
        if (rest <= room) break;
        rest -= std::max(room, 0.0);
        sign_[std::size_t(j)] = static_cast<std::int8_t>(side);
        entering.push_back(j);
      }
    }
}

Status BoxProblem::blocks() {
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  int left = patience;
  Vector target;
  for (;;) {
    solve_moving(target);
    set_moving(target);
    update_r();
    std::vector<Index> leaving, entering;
    for (const Index i : moving())
      if (sign(i) * delta_[i] <= 0) leaving.push_back(i);
    for (Index i = 0; i < r_.size(); ++i)
      if (sign(i) == 0 && violation(i) > 0) entering.push_back(i);
    const std::size_t wrong = leaving.size() + entering.size();
    if (wrong == 0) return Status::ok;
    if (wrong < fewest) {
      fewest = wrong;
      left = patience;
    } else if (left-- == 0) {
      break;
    }
    for (const Index i : leaving) {
      delta_[i] = 0;
      sign_[std::size_t(i)] = 0;
    }
    for (const Index i : entering) sign_[std::size_t(i)] = r_[i] > hi[i] ? 1 : -1;
    if (system_.sparsity() == Sparsity::tridiagonal) advance_fronts(leaving, entering);
    if (!exchange(leaving, entering)) break;
  }
  delta_.setZero();
  std::fill(sign_.begin(), sign_.end(), std::int8_t{0});
  reset();
  return pivot();
}

}  // namespace microslip::friction
