#include "redundancy.hpp"

#include <algorithm>
#include <cmath>

#include "assess.hpp"

namespace microslip::fit {
namespace {

/// Relative to the largest singular value. A true redundancy leaves rounding, 1e-14 or so times the
/// length of the history; badly determined directions of Table E.1 lie at 1e-8.
constexpr double rounding = 1e-11;

/// So many points all over the region of starts must agree that a number does nothing: an element
/// that slips at none of them may still slip at the minimum.
constexpr std::size_t least_points = 8;

struct NullSpace {
  std::size_t dimension = 0;
  double margin = 0;          ///< the least singular value above rounding, relative to the largest
  Eigen::VectorXd direction;  ///< the flattest one
};

/// False where the law has no answer, or some of its numbers do nothing.
bool null_space(const Problem& problem, const std::vector<double>& x, NullSpace& found) {
  Eigen::VectorXd r;
  Eigen::MatrixXd jacobian;
  if (!problem.evaluate(x, r, &jacobian)) return false;
  std::vector<Eigen::Index> free;
  for (std::size_t i = 0; i < x.size(); ++i)
    // What was before the first row is wiped out by the record sooner or later.
    if (!problem.unknowns()[i].pinned && problem.unknowns()[i].role != Unknown::Role::before)
      free.push_back(static_cast<Eigen::Index>(i));
  if (free.empty()) return false;
  Eigen::MatrixXd columns(jacobian.rows(), static_cast<Eigen::Index>(free.size()));
  for (std::size_t i = 0; i < free.size(); ++i)
    columns.col(static_cast<Eigen::Index>(i)) = jacobian.col(free[i]);
  // Where an element never slips its numbers change nothing, and two such elements are one spring:
  // a matter of the point, which says nothing about the law.
  const Eigen::VectorXd sizes = columns.colwise().norm();
  if (!(sizes.minCoeff() > rounding * sizes.maxCoeff())) return false;
  const auto [s, v] = decompose(columns);
  found = {};
  for (const double value : s) {
    if (value <= rounding * s[0])
      ++found.dimension;
    else
      found.margin = value / s[0];
  }
  found.direction = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < free.size(); ++i)
    found.direction[free[i]] = v(static_cast<Eigen::Index>(i), s.size() - 1);
  return true;
}

/// w_i of p_i → p_i r^{w_i}: in x it is a shift for logarithms and a factor otherwise.
double exponent(const Unknown& unknown, double direction, double x) {
  return unknown.log ? direction : (x == 0 ? 0 : direction / x);
}

void move(const Problem& problem, const std::vector<double>& w, double s, std::vector<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = problem.unknowns()[i].log ? x[i] + w[i] * s : x[i] * std::exp(w[i] * s);
}

}  // namespace

std::vector<std::string> pin_inert(Problem& problem,
                                   const std::vector<std::vector<double>>& everywhere,
                                   const std::function<bool()>& stop) {
  const auto n = static_cast<Eigen::Index>(problem.unknowns().size());
  Eigen::VectorXd most = Eigen::VectorXd::Zero(n), r;
  Eigen::MatrixXd jacobian;
  std::size_t seen = 0;
  for (const auto& x : everywhere) {
    if (seen >= least_points && most.minCoeff() > 0) return {};
    if (stop()) return {};
    if (!problem.evaluate(x, r, &jacobian)) continue;
    most = most.cwiseMax(jacobian.colwise().norm().transpose());
    ++seen;
  }
  std::vector<std::string> result;
  if (!(most.maxCoeff() > 0)) return result;  // something must be left to look for
  for (std::size_t i = 0; i < problem.unknowns().size() && seen >= least_points; ++i) {
    const Unknown& unknown = problem.unknowns()[i];
    // What was before the first row may be wiped out by the first row.
    if (unknown.pinned || unknown.role == Unknown::Role::before ||
        most[static_cast<Eigen::Index>(i)] > 0)
      continue;
    problem.pin(i, unknown.start);
    result.push_back(unknown.name);
  }
  return result;
}

std::vector<Redundancy> pin_redundant(Problem& problem, std::vector<std::vector<double>> everywhere,
                                      std::vector<std::vector<double>>& points,
                                      const std::function<bool()>& stop) {
  std::vector<Redundancy> result;
  while (result.size() + 1 < problem.unknowns().size()) {
    std::size_t seen = 0, least = problem.unknowns().size();
    NullSpace flattest;
    std::vector<double> where;
    for (std::size_t i = 0; i < everywhere.size() && least > 0; ++i) {
      NullSpace here;
      if (stop()) return result;
      if (!null_space(problem, everywhere[i], here)) continue;
      ++seen;
      // At a point where the others are flat, too, the direction is a matter of rounding.
      if (here.dimension > least || (here.dimension == least && here.margin <= flattest.margin))
        continue;
      least = here.dimension;
      flattest = here;
      where = everywhere[i];
    }
    if (seen < 3 || least == 0) return result;

    std::vector<double> w(where.size());
    for (std::size_t i = 0; i < w.size(); ++i)
      w[i] = exponent(problem.unknowns()[i], flattest.direction[static_cast<Eigen::Index>(i)],
                      where[i]);
    // Large in its own measure, or as a power: a number of 1e6 moves far where others move little.
    const double largest = flattest.direction.cwiseAbs().maxCoeff();
    double largest_power = 0;
    for (const double power : w) largest_power = std::max(largest_power, std::abs(power));
    const auto takes_part = [&](std::size_t i) {
      const double own = std::abs(flattest.direction[static_cast<Eigen::Index>(i)]);
      return own > 1e-3 * largest ||
             (own > 1e-8 * largest && std::abs(w[i]) > 1e-3 * largest_power);
    };
    // One that is the measure of another one's limits (|gamma| ≤ beta) is not held: the other one
    // could not follow.
    const auto limits_another = [&](std::size_t i) {
      for (std::size_t j = 0; j < w.size(); ++j)
        if (takes_part(j) && problem.unknowns()[j].ratio_to == static_cast<int>(i)) return true;
      return false;
    };
    Redundancy redundancy;
    std::vector<std::size_t> parts;
    for (std::size_t i = 0; i < w.size(); ++i)
      if (takes_part(i)) parts.push_back(i);
    if (parts.size() < 2) return result;  // it acts together with nothing
    const auto free_to_hold = std::find_if_not(parts.begin(), parts.end(), limits_another);
    const std::size_t pinned = free_to_hold == parts.end() ? parts.front() : *free_to_hold;
    for (const std::size_t i : parts)
      (i == pinned ? redundancy.pinned : redundancy.others.emplace_back()) =
          problem.unknowns()[i].name;
    const Unknown& unknown = problem.unknowns()[pinned];
    const double target = unknown.start;
    const auto to_target = [&](std::vector<double>& x) {
      const double s = unknown.log ? (target - x[pinned]) / w[pinned]
                                   : std::log(std::abs(target / x[pinned])) / w[pinned];
      Eigen::VectorXd after;
      std::vector<double> moved = x;
      move(problem, w, s, moved);
      moved[pinned] = target;
      // Where the direction turns along the way (Bouc–Wen), the point is another law.
      x[pinned] = target;
      if (problem.evaluate(moved, after)) x = moved;
    };
    for (auto& x : points) to_target(x);
    for (auto& x : everywhere) to_target(x);
    for (const auto& x : points) problem.make_room(x);
    problem.pin(pinned, target);
    result.push_back(std::move(redundancy));
  }
  return result;
}

}  // namespace microslip::fit
