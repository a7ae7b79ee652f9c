#include "dynamics/rigid/nearest_forces.hpp"

#include <Eigen/QR>
#include <cmath>
#include <vector>

namespace microslip::dynamics {
namespace {

/// Those that are not at a limit, by steps of least length to the nearest sum; whoever comes to a
/// limit on the way stays there.
class Nearest {
 public:
  Nearest(const Eigen::MatrixXd& along, const Eigen::VectorXd& force, const Eigen::VectorXd& low,
          const Eigen::VectorXd& high)
      : along_(along), force_(force), low_(low), high_(high) {
    // In proportion to the limits, if that does.
    f_ = 0.5 * (low + high);
    f_ += proportional_shares(along, low, high) * (force - along * f_);
    f_ = f_.cwiseMax(low).cwiseMin(high);
    at_limit_ = f_.array() <= low.array() || f_.array() >= high.array();
    noise_ = 1e-14 * (force.norm() + along.norm() * (low.norm() + high.norm()));
  }

  Eigen::VectorXd find() {
    for (Eigen::Index i = 0; i < 20 * f_.size() + 20; ++i) {
      while (step()) {
      }
      if (!let_one_go()) break;
    }
    return f_;
  }

 private:
  Eigen::VectorXd left() const { return force_ - along_ * f_; }

  /// True if a limit cut the step short.
  bool step() {
    std::vector<Eigen::Index> moving;
    for (Eigen::Index j = 0; j < f_.size(); ++j)
      if (!at_limit_[j]) moving.push_back(j);
    if (moving.empty()) return false;
    const Eigen::VectorXd way =
        along_(Eigen::all, moving).completeOrthogonalDecomposition().solve(left());
    double part = 1;
    Eigen::Index first = -1;
    for (Eigen::Index i = 0; i < way.size(); ++i) {
      const Eigen::Index j = moving[static_cast<std::size_t>(i)];
      const double room = (way[i] > 0 ? high_[j] : low_[j]) - f_[j];
      if (!(std::abs(room) < part * std::abs(way[i]))) continue;
      part = room / way[i];
      first = j;
    }
    for (Eigen::Index i = 0; i < way.size(); ++i)
      f_[moving[static_cast<std::size_t>(i)]] += part * way[i];
    if (first < 0) return false;
    f_[first] = f_[first] > 0.5 * (low_[first] + high_[first]) ? high_[first] : low_[first];
    at_limit_[first] = true;
    return true;
  }

  /// One at a limit that would bring the sum nearer inside.
  bool let_one_go() {
    const Eigen::VectorXd towards = along_.transpose() * left();
    Eigen::Index best = -1;
    double most = 0;
    for (Eigen::Index j = 0; j < f_.size(); ++j) {
      if (!at_limit_[j] || low_[j] == high_[j]) continue;
      const double inside = f_[j] >= high_[j] ? -towards[j] : towards[j];
      if (inside <= noise_ * along_.col(j).norm() || inside <= most) continue;
      most = inside;
      best = j;
    }
    if (best < 0) return false;
    at_limit_[best] = false;
    return true;
  }

  const Eigen::MatrixXd& along_;
  const Eigen::VectorXd &force_, &low_, &high_;
  Eigen::VectorXd f_;
  Eigen::Array<bool, Eigen::Dynamic, 1> at_limit_;
  double noise_;
};

}  // namespace

/// Σ |c_j| f_j² / limit_j is least: side by side, all are then as near to their limits.
Eigen::MatrixXd proportional_shares(const Eigen::MatrixXd& along, const Eigen::VectorXd& low,
                                    const Eigen::VectorXd& high) {
  const Eigen::VectorXd roots =
      (0.5 * (high - low)).cwiseQuotient(along.colwise().norm().transpose()).cwiseSqrt();
  const Eigen::MatrixXd scaled = along * roots.asDiagonal();
  return roots.asDiagonal() * scaled.completeOrthogonalDecomposition().pseudoInverse();
}

Eigen::VectorXd nearest_forces(const Eigen::MatrixXd& along, const Eigen::VectorXd& force,
                               const Eigen::VectorXd& low, const Eigen::VectorXd& high) {
  return Nearest(along, force, low, high).find();
}

}  // namespace microslip::dynamics
