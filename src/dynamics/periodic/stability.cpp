#include "dynamics/periodic/stability.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "dynamics/fourier/fourier.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::dynamics {
namespace {

// An undamped motion is neutral; rounding and the steps put its multipliers this far off the
// circle.
constexpr double neutral = 1e-6;

Floquet sorted(Eigen::VectorXcd multipliers) {
  std::sort(multipliers.begin(), multipliers.end(),
            [](const auto& a, const auto& b) { return std::abs(a) > std::abs(b); });
  const bool stable = multipliers.size() == 0 || std::abs(multipliers[0]) < 1 + neutral;
  return {multipliers, stable};
}

/// Displacement `input` of those that a loop has, at the latest passage of the reversals, after one more
/// step.
void pass_reversals(const LinearisedLoop& loop, const Eigen::RowVectorXd& before,
                    const Eigen::RowVectorXd& after, int step, int steps, Eigen::Index first_row,
                    Eigen::Index input, Eigen::Index inputs, Eigen::MatrixXd& map) {
  const double h = 2 * pi / steps;
  for (std::size_t r = 0; r < loop.reversals.size(); ++r) {
    const double part = loop.reversals[r] / h - step;
    if (part < 0 || part >= 1) continue;
    map.row(first_row + static_cast<Eigen::Index>(r) * inputs + input) =
        before + part * (after - before);
  }
}

/// Rows of the map that a loop remembers.
Eigen::Index memory_rows(const LinearisedLoop& loop) {
  return loop.tangents.empty() ? loop.memory.cols() : loop.memories.front().cols();
}

/// Joints that stick over a step: their velocity is none.
void hold(const std::vector<const JointElement*>& stuck, const dense::Lu& left,
          Eigen::MatrixXd& velocity) {
  if (stuck.empty()) return;
  Eigen::MatrixXd w(velocity.rows(), static_cast<Eigen::Index>(stuck.size()));
  for (std::size_t i = 0; i < stuck.size(); ++i) w.col(static_cast<Eigen::Index>(i)) = stuck[i]->w;
  const Eigen::MatrixXd moved = left.solve(w);
  velocity -=
      moved * dense::solve_with_full_pivoting(w.transpose() * moved, w.transpose() * velocity);
}

}  // namespace

Floquet floquet(HarmonicBalance& balance, const Eigen::VectorXd& y, int steps) {
  const Structure& s = balance.structure();
  const Eigen::Index n = s.size();
  const Eigen::MatrixXd M = s.M;
  const Eigen::MatrixXd C = s.C;
  const Eigen::MatrixXd K = s.K;
  std::vector<LinearisedLoop> loops;
  if (balance.slides()) balance.elements().evaluate(y, false);
  Eigen::Index size = 2 * n;
  for (std::size_t j = 0; j < balance.elements().members(); ++j) {
    loops.push_back(balance.elements().linearise(y, j, steps));
    size += memory_rows(loops.back());
  }
  // Several inputs: W for each such loop.
  std::vector<Eigen::MatrixXd> wide(loops.size());
  for (std::size_t j = 0; j < loops.size(); ++j) {
    if (loops[j].tangents.empty()) continue;
    const std::vector<Direction>& w = balance.elements().directions(j);
    wide[j].resize(n, static_cast<Eigen::Index>(w.size()));
    for (std::size_t i = 0; i < w.size(); ++i) wide[j].col(static_cast<Eigen::Index>(i)) = w[i];
  }
  const double dt = 2 * pi / (y[balance.size()] * steps);
  const Eigen::MatrixXd momentum = (2 / dt) * M;
  const dense::Lu inertia(M);
  Eigen::MatrixXd map = Eigen::MatrixXd::Identity(size, size);
  Eigen::MatrixXd Kt(n, n), Ct(n, n), left(n, n);
  Eigen::MatrixXd x(n, size), v(n, size), mean(n, size);
  Eigen::RowVectorXd memory(size), before(size), after(size);
  std::vector<const JointElement*> stuck;
  for (int step = 0; step < steps; ++step) {
    Kt = K;
    Ct = C;
    stuck.clear();
    for (std::size_t j = 0; j < s.joints.size(); ++j) {
      const Eigen::VectorXd& w = s.joints[j].w;
      if (!loops[j].sticks.empty() && loops[j].sticks[static_cast<std::size_t>(step)])
        stuck.push_back(&s.joints[j]);
      else if (loops[j].damping.size() > 0)
        Ct.noalias() += (loops[j].damping[step] * w) * w.transpose();
    }
    v = map.middleRows(n, n);
    hold(stuck, inertia, v);
    x = map.topRows(n);
    mean.noalias() = momentum * v;
    Eigen::Index row = 2 * n;
    for (std::size_t j = 0; j < loops.size(); ++j) {
      if (!loops[j].tangents.empty()) {
        const auto place = static_cast<std::size_t>(step);
        Kt.noalias() += wide[j] * loops[j].tangents[place] * wide[j].transpose();
        const Eigen::Index count = memory_rows(loops[j]);
        if (count > 0)
          mean.noalias() -= wide[j] * (loops[j].memories[place] * map.middleRows(row, count));
        row += count;
        continue;
      }
      if (loops[j].tangent.size() == 0) continue;
      const Eigen::VectorXd& w = s.joints[j].w;
      Kt.noalias() += (loops[j].tangent[step] * w) * w.transpose();
      const Eigen::Index count = loops[j].memory.cols();
      if (count > 0) {
        memory.noalias() = loops[j].memory.row(step) * map.middleRows(row, count);
        mean.noalias() -= w * memory;
      }
      row += count;
    }
    mean.noalias() -= Kt * x;
    left = momentum + Ct + (dt / 2) * Kt;
    if (n == 1 && stuck.empty()) {
      mean /= left(0, 0);
    } else {
      const dense::Lu factors(left);
      mean = factors.solve(mean);
      hold(stuck, factors, mean);
    }
    map.topRows(n) += dt * mean;
    map.middleRows(n, n) = 2 * mean - v;
    row = 2 * n;
    for (std::size_t j = 0; j < loops.size(); ++j) {
      for (Eigen::Index i = 0; i < wide[j].cols(); ++i) {
        before.noalias() = wide[j].col(i).transpose() * x;
        after.noalias() = wide[j].col(i).transpose() * map.topRows(n);
        pass_reversals(loops[j], before, after, step, steps, row, i, wide[j].cols(), map);
      }
      if (!loops[j].tangents.empty()) {
        row += memory_rows(loops[j]);
        continue;
      }
      const auto wt = s.joints[j].w.transpose();
      before.noalias() = wt * x;
      after.noalias() = wt * map.topRows(n);
      pass_reversals(loops[j], before, after, step, steps, row, 0, 1, map);
      row += loops[j].memory.cols();
      if (loops[j].stops.empty()) continue;
      // Where rigid friction stops, it sticks or keeps a part of its disturbed velocity.
      const Eigen::VectorXd velocity_change = inertia.solve(s.joints[j].w.dense());
      for (const LinearisedLoop::Stop& stop : loops[j].stops)
        if (std::floor(stop.theta * steps / (2 * pi)) == step)
          map.middleRows(n, n) += (stop.kept - 1) / wt.dot(velocity_change) * velocity_change *
                                  (wt * map.middleRows(n, n));
    }
  }
  return sorted(dense::eigenvalues(map));
}

namespace {

/// The Jacobian of the structure alone: further unknowns follow it.
Eigen::MatrixXd of_structure(const Eigen::MatrixXd& jacobian, const HarmonicBalance& balance) {
  const Eigen::Index n = balance.structure().size(), dofs = balance.dofs();
  if (n == dofs) return jacobian;
  const Eigen::Index coefficients = dofs * fourier_size(balance.harmonics());
  std::vector<Eigen::Index> moving, pushed;
  for (Eigen::Index i = 0; i < balance.size(); ++i)
    (i % dofs < n && i < coefficients ? moving : pushed).push_back(i);
  const auto part = [&](const auto& rows, const auto& columns) {
    Eigen::MatrixXd result(static_cast<Eigen::Index>(rows.size()),
                           static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j)
        result(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            jacobian(rows[i], columns[j]);
    return result;
  };
  return part(moving, moving) -
         part(moving, pushed) *
             dense::solve_with_full_pivoting(part(pushed, pushed), part(pushed, moving));
}

}  // namespace

Floquet hill(HarmonicBalance& balance, const Eigen::VectorXd& y) {
  const Eigen::Index n = balance.structure().size();
  const double omega = y[balance.size()];
  // Disturbances have fewer harmonics than the corners of a motion need.
  const Eigen::Index size = n * fourier_size(std::min(balance.harmonics(), 15));
  WideJacobian jacobian;
  Eigen::VectorXd residual;
  const bool condensed = balance.condense(false);
  const bool evaluated = balance.evaluate(y, residual, &jacobian);
  balance.condense(condensed);
  if (!evaluated) return {{}, false};
  const Eigen::MatrixXd J = of_structure(jacobian.dense(), balance).topLeftCorner(size, size);
  const Eigen::MatrixXd M = balance.structure().M;
  const Eigen::MatrixXd C = balance.structure().C;
  // x = e^{λt} p(t): (J + λ (C + 2 M d/dt) + λ² M) p = 0.
  const Eigen::MatrixXd inverse = dense::inverse(M);
  Eigen::MatrixXd first_order = Eigen::MatrixXd::Zero(2 * size, 2 * size);
  first_order.topRightCorner(size, size).setIdentity();
  for (Eigen::Index k = 0; k * n < size; ++k) {
    first_order.block(size + k * n, 0, n, size) = -inverse * J.middleRows(k * n, n);
    first_order.block(size + k * n, size + k * n, n, n) = -inverse * C;
    if (k == 0) continue;
    const double rate = static_cast<double>((k + 1) / 2) * omega;
    const bool is_cosine = k % 2 == 1;
    first_order.block(size + k * n, size + (is_cosine ? k + 1 : k - 1) * n, n, n)
        .diagonal()
        .array() += is_cosine ? -2 * rate : 2 * rate;
  }
  const Eigen::VectorXcd all = dense::eigenvalues(first_order);
  // Every exponent appears once for each harmonic; those nearest the real axis are well resolved.
  std::vector<std::complex<double>> exponents(all.begin(), all.end());
  std::sort(exponents.begin(), exponents.end(),
            [](const auto& a, const auto& b) { return std::abs(a.imag()) < std::abs(b.imag()); });
  Eigen::VectorXcd multipliers(2 * n);
  for (Eigen::Index i = 0; i < 2 * n; ++i)
    multipliers[i] = std::exp(exponents[static_cast<std::size_t>(i)] * (2 * pi / omega));
  return sorted(multipliers);
}

namespace {

/// Enough for the fastest mode, whose disturbances unresolved steps may excite: the reversals of joints fall
/// between them. √2 of a degree of freedom's own frequency bounds that of a chain.
int enough_steps(const HarmonicBalance& balance, double omega) {
  constexpr int least = 128, most = 1024, each_wave = 20;
  const Eigen::VectorXd masses = balance.structure().M.diagonal();
  const double fastest =
      (masses.array() * balance.scales().dofs().head(masses.size()).array().square())
          .inverse()
          .maxCoeff();
  const double waves = std::sqrt(2 * fastest) / omega;
  return static_cast<int>(std::clamp(each_wave * waves, double{least}, double{most}));
}

}  // namespace

Stability stability(HarmonicBalance& balance, const Eigen::VectorXd& y) {
  const std::vector<JointElement>& joints = balance.structure().joints;
  if (std::any_of(joints.begin(), joints.end(), [](const JointElement& joint) {
        return joint.model.rigidity().infinite_stiffness;
      }))
    return Stability::unknown;
  const auto found = [&] {
    if (!balance.elements().linearise_wholly()) return hill(balance, y);
    // The multipliers have an error of the order of the square of a step: some hundredths at first. Where
    // that may decide, steps are a quarter.
    constexpr int most_steps = 4096;
    int steps = enough_steps(balance, y[balance.size()]);
    Floquet map = floquet(balance, y, steps);
    for (double close = balance.structure().size() <= 10 ? 0.1 : 0.02;
         map.multipliers.size() > 0 && std::abs(std::abs(map.multipliers[0]) - 1) < close &&
         4 * steps <= most_steps;
         close /= 16)
      map = floquet(balance, y, steps *= 4);
    return map;
  }();
  return found.stable ? Stability::stable : Stability::unstable;
}

}  // namespace microslip::dynamics
