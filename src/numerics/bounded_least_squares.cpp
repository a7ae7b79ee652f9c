#include "microslip/detail/numerics/bounded_least_squares.hpp"

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <vector>

#include "microslip/detail/numerics/dense.hpp"

namespace microslip {
namespace {

/// The unknowns at a bound are the active set. The others go to the minimum over them; those that
/// reach a bound on the way stay there. Then the one whose release lowers the residual most is
/// released, until there is none.
class ActiveSet {
 public:
  ActiveSet(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& low,
            const Eigen::VectorXd& high, const Eigen::VectorXd& start)
      : A_(A),
        b_(b),
        low_(low),
        high_(high),
        x_(start),
        size_A_(A.norm()),
        columns_(A.colwise().norm()) {
    bound_ = (x_.array() >= high.array()).select(Eigen::ArrayXi::Ones(x_.size()), 0);
    bound_ = (x_.array() <= low.array()).select(-Eigen::ArrayXi::Ones(x_.size()), bound_);
  }

  Eigen::VectorXd find() {
    // Each release lowers the residual, so no set comes twice; the limit is for rounding only.
    for (Eigen::Index i = 0; i < 20 * x_.size() + 20; ++i) {
      while (step()) {
      }
      if (!release_one()) break;
    }
    return x_;
  }

 private:
  Eigen::VectorXd residual() const { return b_ - A_ * x_; }

  /// True if a bound cut the step short.
  bool step() {
    std::vector<Eigen::Index> free;
    for (Eigen::Index j = 0; j < x_.size(); ++j)
      if (bound_[j] == 0) free.push_back(j);
    if (free.empty()) return false;
    const Eigen::VectorXd way = dense::shortest_least_squares(A_(Eigen::all, free), residual());
    double part = 1;
    Eigen::Index first = -1;
    int bound = 0;
    for (Eigen::Index i = 0; i < way.size(); ++i) {
      const Eigen::Index j = free[static_cast<std::size_t>(i)];
      const double room = (way[i] > 0 ? high_[j] : low_[j]) - x_[j];
      if (!(std::abs(room) < part * std::abs(way[i]))) continue;
      part = room / way[i];
      first = j;
      bound = way[i] > 0 ? 1 : -1;
    }
    for (Eigen::Index i = 0; i < way.size(); ++i)
      x_[free[static_cast<std::size_t>(i)]] += part * way[i];
    if (first < 0) return false;
    x_[first] = bound > 0 ? high_[first] : low_[first];
    bound_[first] = bound;
    return true;
  }

  bool release_one() {
    const Eigen::VectorXd left = residual();
    const double noise = 1e-14 * (b_.norm() + size_A_ * x_.norm());
    Eigen::Index best = -1;
    double most = 0;
    for (Eigen::Index j = 0; j < x_.size(); ++j) {
      if (bound_[j] == 0 || low_[j] == high_[j]) continue;
      const double inside = -bound_[j] * A_.col(j).dot(left);
      if (inside <= noise * columns_[j] || inside <= most) continue;
      most = inside;
      best = j;
    }
    if (best < 0) return false;
    bound_[best] = 0;
    return true;
  }

  const Eigen::MatrixXd& A_;
  const Eigen::VectorXd &b_, &low_, &high_;
  Eigen::VectorXd x_;
  double size_A_;
  Eigen::VectorXd columns_;  ///< their lengths
  Eigen::ArrayXi bound_;     ///< −1 and 1 in the active set, 0 for what is free
};

}  // namespace

Eigen::VectorXd bounded_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                      const Eigen::VectorXd& low, const Eigen::VectorXd& high,
                                      const Eigen::VectorXd& start) {
  return ActiveSet(A, b, low, high, start).find();
}

Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(A.cols());
  const Eigen::VectorXd none =
      Eigen::VectorXd::Constant(A.cols(), std::numeric_limits<double>::infinity());
  return bounded_least_squares(A, b, zero, none, zero);
}

}  // namespace microslip
