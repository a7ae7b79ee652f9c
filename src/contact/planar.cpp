#include "microslip/contact/planar.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::contact {
namespace {

using Eigen::Vector2d;

/// Residuals relative to the largest force: rounding of sums of a thousand terms is below.
constexpr double tolerance = 1e-10;
constexpr int newton_iterations = 40, rounds = 6, sweeps = 40, halvings = 12;

enum class Way : std::uint8_t { open, stick, slip };

class PlanarSolver {
 public:
  explicit PlanarSolver(const PlanarProblem& p) : p_(p), way_(std::size_t(p.nodes()), Way::stick) {
    const Index n = p.nodes(), c = p.components();
    if (n == 0) throw Error("contact.mu is empty; there must be at least one pair of points");
    if (p.K.rows() != c * n || p.K.cols() != c * n || p.g.size() != c * n || p.b.size() != c * n)
      throw Error("contact.K, g and b must have " + std::to_string(c * n) + " rows for " +
                  std::to_string(n) + " pairs");
    w_ = w0_ = Vector::Zero(c * n);
    rho_.resize(n);
    for (Index i = 0; i < n; ++i) {
      if (!p.tied() && p.gap.size() > 0) w_[c * i] = w0_[c * i] = p.gap[i];
      rho_[i] = p.K(tangent(i), tangent(i)) + p.K(tangent(i) + 1, tangent(i) + 1);
    }
    load_ = T_ = Vector::Zero(c * n);
  }

  const Vector& w() const { return w_; }
  const Vector& T() const { return T_; }
  double xi() const { return p_.b.dot(w_ - w0_); }
  double loss = 0;
  std::size_t iterations = 0;

  std::vector<Contact> states(const Vector& before) const {
    std::vector<Contact> nodes;
    for (Index i = 0; i < p_.nodes(); ++i) {
      const Vector2d d = w_.segment<2>(tangent(i)) - before.segment<2>(tangent(i));
      const Vector2d shear = T_.segment<2>(tangent(i));
      const double along = d[0] != 0 ? d[0] : shear[0];
      const Way way = way_[std::size_t(i)];
      nodes.push_back(way == Way::open    ? Contact::open
                      : way == Way::stick ? Contact::stick
                      : along >= 0        ? Contact::forward
                                          : Contact::backward);
    }
    return nodes;
  }

  bool to(const Vector& q) {
    scale_ = std::max({scale_, q.cwiseAbs().maxCoeff(), largest_limit()});
    return advance(q, halvings);
  }

 private:
  Index tangent(Index i) const { return p_.components() * i + p_.first_tangent(); }
  double largest_limit() const {
    return p_.tied() ? p_.mu.cwiseProduct(p_.pressure).maxCoeff() : 0;
  }
  void update_forces(const Vector& q) { T_ = q - p_.K * (w_ - w0_); }

  bool advance(const Vector& q, int left) {
    const Vector before = w_, load_before = load_;
    if (solve(q, before)) {
      for (Index i = 0; i < p_.nodes(); ++i)
        loss += T_.segment<2>(tangent(i))
                    .dot(w_.segment<2>(tangent(i)) - before.segment<2>(tangent(i)));
      load_ = q;
      return true;
    }
    w_ = before;
    if (left == 0) return false;
    return advance(0.5 * (load_before + q), left - 1) && advance(q, left - 1);
  }

  bool solve(const Vector& q, const Vector& before) {
    for (int round = 0; round < rounds; ++round) {
      if (newton(q, before)) return true;
      if (round == 0) w_ = before;
      for (int sweep = 0; sweep < sweeps; ++sweep) gauss_seidel(q, before);
    }
    return false;
  }

  double limit(Index i) const {
    return p_.mu[i] * (p_.tied() ? p_.pressure[i] : std::max(-T_[p_.components() * i], 0.0));
  }
  bool touches(Index i) const {
    if (p_.tied()) return true;
    const Index n = 3 * i;
    return -T_[n] - p_.K(n, n) * w_[n] > 0;
  }

  /// What is left of the conditions of a pair, as a force; the way is the one its projections take.
  double classify(Index i, const Vector& before) {
    const Index n = p_.components() * i, t = tangent(i);
    Way& way = way_[std::size_t(i)];
    if (!touches(i)) {
      way = Way::open;
      return T_.segment<3>(n).norm();
    }
    double left = p_.tied() ? 0 : std::abs(p_.K(n, n) * w_[n]);
    const Vector2d d = w_.segment<2>(t) - before.segment<2>(t);
    const Vector2d z = T_.segment<2>(t) + rho_[i] * d;
    const double r = limit(i), size = z.norm();
    way = size <= r ? Way::stick : Way::slip;
    return std::max(
        left, way == Way::stick ? rho_[i] * d.norm() : (T_.segment<2>(t) - r / size * z).norm());
  }

  bool newton(const Vector& q, const Vector& before) {
    std::vector<Index> unknown;
    for (int iteration = 0; iteration < newton_iterations; ++iteration) {
      ++iterations;
      update_forces(q);
      double worst = 0;
      for (Index i = 0; i < p_.nodes(); ++i) worst = std::max(worst, classify(i, before));
      if (!std::isfinite(worst)) return false;
      if (worst <= tolerance * scale_) return true;
      // What sticks or touches stands where it must; the rest is solved for.
      unknown.clear();
      for (Index i = 0; i < p_.nodes(); ++i) {
        const Index n = p_.components() * i, t = tangent(i);
        const Way way = way_[std::size_t(i)];
        if (way == Way::open) unknown.insert(unknown.end(), {n, n + 1, n + 2});
        if (way == Way::slip) unknown.insert(unknown.end(), {t, t + 1});
        if (way == Way::stick) w_.segment<2>(t) = before.segment<2>(t);
        if (way != Way::open && !p_.tied()) w_[n] = 0;
      }
      if (unknown.empty()) continue;
      update_forces(q);
      if (!step(before, unknown)) return false;
    }
    return false;
  }

  /// F = T − r z/|z| at a pair that slips, F = T at an open one; w moves by −F'⁻¹F.
  bool step(const Vector& before, const std::vector<Index>& unknown) {
    const auto m = static_cast<Index>(unknown.size());
    Matrix J(m, m);
    Vector F(m);
    Index row = 0;
    for (Index i = 0; i < p_.nodes(); ++i) {
      const Index n = p_.components() * i, t = tangent(i);
      const Way way = way_[std::size_t(i)];
      if (way == Way::open)
        for (Index k = 0; k < 3; ++k, ++row) {
          F[row] = T_[n + k];
          for (Index c = 0; c < m; ++c) J(row, c) = p_.K(n + k, unknown[std::size_t(c)]);
        }
      if (way != Way::slip) continue;
      const Vector2d z = T_.segment<2>(t) + rho_[i] * (w_.segment<2>(t) - before.segment<2>(t));
      const double r = limit(i), size = std::max(z.norm(), 1e-300);
      const Vector2d e = z / size;
      const Eigen::Matrix2d A =
          std::min(r / size, 1.0) * (Eigen::Matrix2d::Identity() - e * e.transpose());
      const Eigen::Matrix2d left = Eigen::Matrix2d::Identity() - A;
      const Vector2d f = T_.segment<2>(t) - r * e;
      const bool pressed = !p_.tied() && T_[n] < 0;
      for (Index k = 0; k < 2; ++k, ++row) {
        F[row] = f[k];
        for (Index c = 0; c < m; ++c) {
          const Index column = unknown[std::size_t(c)];
          double entry = left(k, 0) * p_.K(t, column) + left(k, 1) * p_.K(t + 1, column);
          if (pressed) entry += e[k] * p_.mu[i] * p_.K(n, column);
          if (column == t) entry += rho_[i] * A(k, 0);
          if (column == t + 1) entry += rho_[i] * A(k, 1);
          J(row, c) = entry;
        }
      }
    }
    const Vector dw = dense::solve(J, F);
    if (!dw.allFinite()) return false;
    for (Index c = 0; c < m; ++c) w_[unknown[std::size_t(c)]] += dw[c];
    return true;
  }

  /// One pair after the other meets its own conditions.
  void gauss_seidel(const Vector& q, const Vector& before) {
    update_forces(q);
    const auto move = [&](Index entry, double dw) {
      if (dw == 0) return;
      w_[entry] += dw;
      T_ -= dw * p_.K.col(entry);
    };
    for (Index i = 0; i < p_.nodes(); ++i) {
      const Index n = p_.components() * i, t = tangent(i);
      if (!p_.tied()) move(n, std::max(w_[n] + T_[n] / p_.K(n, n), 0.0) - w_[n]);
      const double r = limit(i);
      for (int inner = 0; inner < 3; ++inner) {
        const Vector2d z = T_.segment<2>(t) + rho_[i] * (w_.segment<2>(t) - before.segment<2>(t));
        const double size = z.norm(), share = size > r ? (1 - r / size) / rho_[i] : 0;
        const Vector2d target = before.segment<2>(t) + share * z;
        const Vector2d dw = target - w_.segment<2>(t);
        move(t, dw[0]);
        move(t + 1, dw[1]);
      }
    }
  }

  const PlanarProblem& p_;
  std::vector<Way> way_;
  Vector w0_, w_, T_, rho_, load_;
  double scale_ = 0;
};

}  // namespace

PlanarResult run(const PlanarProblem& problem, std::span<const double> loads, int increments,
                 const std::function<void(std::size_t, const PlanarRow&)>& each_row) {
  PlanarResult result;
  PlanarSolver solver(problem);
  const Vector preload = problem.tied() ? Vector(Vector::Zero(problem.g.size())) : problem.g;
  const auto failed = [&](const std::string& where) {
    result.status = Status::not_converged;
    result.trouble = "no motion that meets contact and friction was found " + where;
    result.iterations = solver.iterations;
    return result;
  };
  if (!solver.to(preload)) return failed("under the preload");
  solver.loss = 0;
  double f = 0;
  std::vector<Contact> now(std::size_t(problem.nodes()), Contact::stick);
  std::vector<double> since(now.size(), 0.0);
  const auto close = [&](std::size_t i, double position) {
    if (now[i] != Contact::stick && position > since[i])
      result.stretches.push_back({Index(i), now[i], since[i], position});
  };
  for (std::size_t row = 0; row < loads.size(); ++row) {
    Vector before = solver.w();
    for (int k = 1; k <= increments; ++k) {
      before = solver.w();
      const double load = f + (loads[row] - f) * k / increments;
      if (!solver.to(preload + problem.b * load)) return failed("at the load " + number_text(load));
    }
    f = loads[row];
    result.xi.push_back(solver.xi());
    result.energy.push_back(solver.loss);
    const std::vector<Contact> next = solver.states(before);
    const double position = row == 0 ? 0 : double(row) - 1;
    for (std::size_t i = 0; i < now.size(); ++i)
      if (next[i] != now[i]) {
        close(i, position);
        now[i] = next[i];
        since[i] = position;
      }
    if (each_row) each_row(row, {solver.w(), solver.T(), now});
  }
  for (std::size_t i = 0; i < now.size(); ++i) close(i, double(loads.size()) - 1);
  std::sort(result.stretches.begin(), result.stretches.end(),
            [](const Stretch& a, const Stretch& b) {
              return a.begin != b.begin ? a.begin < b.begin : a.node < b.node;
            });
  result.iterations = solver.iterations;
  return result;
}

}  // namespace microslip::contact
