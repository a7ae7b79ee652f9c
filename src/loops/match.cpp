#include "microslip/loops/match.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::loops {
namespace {

using Vector = Eigen::VectorXd;

void check(const Matching& problem) {
  const std::size_t n = problem.start.size();
  if (n == 0) throw Error("nothing is free, so nothing can be matched");
  if (problem.lower.size() != n || problem.upper.size() != n)
    throw Error("a matching needs bounds for each of its " + std::to_string(n) + " parameters");
  if (problem.from.size() != problem.to.size() ||
      (!problem.from.empty() && problem.from.size() != n))
    throw Error("a matching looks for all of its " + std::to_string(n) + " parameters or for none");
  if (problem.target.empty() || problem.weight.size() != problem.target.size())
    throw Error("a matching needs values to match and a weight for each of them");
}

class Solver {
 public:
  explicit Solver(const Matching& problem) : problem_(problem) {
    double sum = 0;
    for (const double w : problem.weight) sum += w;
    if (!(sum > 0)) throw Error("the weights of a matching must have a positive sum");
    for (const double w : problem.weight) roots_.push_back(std::sqrt(std::max(w, 0.0) / sum));
    for (std::size_t k = 0; k < problem.start.size(); ++k) sizes_.push_back(size_of(k));
  }

  /// From the given start, and while that is not an exact match from others around it.
  Matched solve() {
    Matched best = descend(start(0));
    if (best.parameters.empty())
      throw Error("the parameters from which a matching starts are not allowed");
    const std::size_t starts = (problem_.from.empty() ? 1 : 2) * problem_.starts;
    for (std::size_t i = 1; i < starts && best.rms * best.rms > 1e-18 * scale(); ++i) {
      Matched other = descend(start(i));
      if (!other.parameters.empty() && other.rms < best.rms * (1 - 1e-9)) best = std::move(other);
    }
    best.errors = errors(best);
    best.curves = curves_;
    return best;
  }

 private:
  bool on_bound(std::size_t k, double x) const {
    return x <= problem_.lower[k] || x >= problem_.upper[k];
  }

  /// From the derivatives by parameters in their own sizes: directions that hardly change the curve are not
  /// determined, nor is what has a part in them.
  std::vector<double> errors(const Matched& best) {
    constexpr double nothing = 1e-12;    // of the largest change, squared; differences have 1e-20
    constexpr double part_of_it = 1e-3;  // of a parameter in such a direction, squared
    const auto count = static_cast<Eigen::Index>(best.parameters.size());
    std::vector<double> result(best.parameters.size(), 0);
    const Vector x = Eigen::Map<const Vector>(best.parameters.data(), count);
    const Vector r = residuals(x);
    Eigen::MatrixXd J = jacobian(x, r);
    Vector size(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      size[i] = x[i] != 0 ? std::abs(x[i]) : sizes_[k];
      J.col(i) *= on_bound(k, x[i]) ? 0 : size[i];
    }
    const dense::SymmetricModes modes(J.transpose() * J);
    const double most = modes.values.maxCoeff();
    const auto rank = (modes.values.array() > nothing * most).count();
    const auto values = std::count_if(roots_.begin(), roots_.end(), [](double w) { return w > 0; });
    const double noise = values > rank ? r.squaredNorm() / static_cast<double>(values - rank) : 0;
    for (Eigen::Index i = 0; i < count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (on_bound(k, x[i])) continue;
      double square = 0, open = 0;
      for (Eigen::Index d = 0; d < count; ++d) {
        const double part = modes.vectors(i, d) * modes.vectors(i, d);
        if (modes.values[d] > nothing * most)
          square += part * noise / modes.values[d];
        else
          open += part;
      }
      const bool determined = open < part_of_it && square < 1;
      result[k] =
          determined ? size[i] * std::sqrt(square) : std::numeric_limits<double>::quiet_NaN();
    }
    return result;
  }

  /// Start i > 0: a point of Halton's sequence, between finite bounds or within a factor of four.
  /// The second half, in equal ratios where it is known where to look.
  Vector start(std::size_t i) const {
    constexpr std::array<unsigned, 8> primes{2, 3, 5, 7, 11, 13, 17, 19};
    Vector x = Eigen::Map<const Vector>(problem_.start.data(),
                                        static_cast<Eigen::Index>(problem_.start.size()));
    for (Eigen::Index k = 0; i > 0 && k < x.size(); ++k) {
      const auto n = static_cast<std::size_t>(k);
      double part = 0, place = 1;
      for (std::size_t digits =
               (i < problem_.starts ? i : i + 1 - problem_.starts) + n / primes.size();
           digits > 0; digits /= primes[n % primes.size()]) {
        place /= primes[n % primes.size()];
        part += place * static_cast<double>(digits % primes[n % primes.size()]);
      }
      const double low = problem_.lower[n], high = problem_.upper[n];
      if (i >= problem_.starts && problem_.from[n] > 0)
        x[k] = problem_.from[n] * std::pow(problem_.to[n] / problem_.from[n], part);
      else if (std::isfinite(low) && std::isfinite(high))
        x[k] = low + part * (high - low);
      else
        x[k] *= std::pow(4.0, 2 * part - 1);
    }
    project(x);
    return x;
  }

  /// Without parameters where the law refuses the start.
  Matched descend(Vector x) {
    Vector r = residuals(x);
    if (r.size() == 0) return {};
    double cost = r.squaredNorm(), lambda = 1e-3;
    Matched result;
    for (int round = 0; round < 200 && !result.converged; ++round) {
      const Eigen::MatrixXd J = jacobian(x, r);
      const Vector gradient = J.transpose() * r;
      bool stepped = false;
      for (int attempt = 0; attempt < 12 && !stepped; ++attempt) {
        Vector trial = x + step(J, gradient, x, lambda);
        project(trial);
        const Vector next = residuals(trial);
        const double change =
            ((trial - x).array() / (x.array().abs() + 1e-12 * sizes())).abs().maxCoeff();
        if (next.size() > 0 && next.squaredNorm() < cost) {
          result.converged = cost - next.squaredNorm() <= 1e-11 * cost || cost < 1e-28 * scale();
          x = trial;
          r = next;
          cost = next.squaredNorm();
          lambda = std::max(lambda / 5, 1e-12);
          stepped = true;
        } else {
          lambda *= 4;
        }
        if (change < 1e-13) break;
      }
      if (!stepped) result.converged = true;  // no step goes down: a minimum to rounding
    }
    result.parameters.assign(x.data(), x.data() + x.size());
    result.rms = std::sqrt(cost);
    return result;
  }

  /// Of a parameter, in its unit: that of its start, or of what is known about where it lies.
  double size_of(std::size_t k) const {
    if (problem_.start[k] != 0) return std::abs(problem_.start[k]);
    if (!problem_.to.empty() && problem_.to[k] > 0) return problem_.to[k];
    const double low = std::abs(problem_.lower[k]), high = std::abs(problem_.upper[k]);
    if (std::isfinite(low) && std::isfinite(high) && low + high > 0) return std::max(low, high);
    return 1;  // nothing tells its unit
  }

  Eigen::Map<const Eigen::ArrayXd> sizes() const {
    return Eigen::Map<const Eigen::ArrayXd>(sizes_.data(),
                                            static_cast<Eigen::Index>(sizes_.size()));
  }

  double scale() const {
    double sum = 0;
    for (std::size_t i = 0; i < roots_.size(); ++i)
      sum += std::pow(roots_[i] * problem_.target[i], 2);
    return std::max(sum, std::numeric_limits<double>::min());
  }

  void project(Vector& x) const {
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      x[i] = std::clamp(x[i], problem_.lower[k], problem_.upper[k]);
    }
  }

  Vector residuals(const Vector& x) {
    ++curves_;
    const std::vector<double> curve =
        problem_.curve({x.data(), static_cast<std::size_t>(x.size())});
    if (curve.size() != problem_.target.size()) return {};
    Vector r(static_cast<Eigen::Index>(curve.size()));
    for (std::size_t i = 0; i < curve.size(); ++i) {
      if (!std::isfinite(curve[i])) return {};
      r[static_cast<Eigen::Index>(i)] = roots_[i] * (curve[i] - problem_.target[i]);
    }
    return r;
  }

  Eigen::MatrixXd jacobian(const Vector& x, const Vector& r) {
    Eigen::MatrixXd J(r.size(), x.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      double h = 1e-6 * std::max(std::abs(x[i]), 1e-3 * sizes_[k]);
      // Central, or one-sided at a bound and where the law refuses.
      const auto moved = [&](double by) {
        Vector to = x;
        to[i] += by;
        if (to[i] < problem_.lower[k] || to[i] > problem_.upper[k]) return Vector{};
        return residuals(to);
      };
      const Vector up = moved(h), down = moved(-h);
      if (up.size() > 0 && down.size() > 0)
        J.col(i) = (up - down) / (2 * h);
      else if (up.size() > 0)
        J.col(i) = (up - r) / h;
      else if (down.size() > 0)
        J.col(i) = (r - down) / h;
      else
        J.col(i).setZero();
    }
    return J;
  }

  /// Parameters that lie on a bound and want to leave it outwards are held.
  Vector step(const Eigen::MatrixXd& J, const Vector& gradient, const Vector& x,
              double lambda) const {
    Eigen::MatrixXd A = J.transpose() * J;
    Vector b = -gradient;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const bool held = (x[i] <= problem_.lower[k] && gradient[i] > 0) ||
                        (x[i] >= problem_.upper[k] && gradient[i] < 0);
      A(i, i) += lambda * (A(i, i) > 0 ? A(i, i) : 1);  // what nothing depends on stays
      if (!held) continue;
      A.row(i).setZero();
      A.col(i).setZero();
      A(i, i) = 1;
      b[i] = 0;
    }
    return dense::Ldlt(A).solve(b);
  }

  const Matching& problem_;
  std::vector<double> sizes_;  ///< of the parameters
  std::vector<double> roots_;
  std::size_t curves_ = 0;
};

}  // namespace

Matched match(const Matching& problem) {
  check(problem);
  return Solver(problem).solve();
}

}  // namespace microslip::loops
