#include "microslip/fit/uncertainty.hpp"

#include <cmath>
#include <optional>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::fit {
namespace {

/// Parameters moved along a direction in the space of `names`.
ParameterValues moved(ParameterValues values, const std::vector<std::string>& names,
                      const Eigen::VectorXd& by) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto bracket = names[i].find('[');
    Value& value = values.at(names[i].substr(0, bracket));
    const double step = by[static_cast<Eigen::Index>(i)];
    if (auto* number = std::get_if<double>(&value))
      *number += step;
    else if (auto* list = std::get_if<std::vector<double>>(&value))
      list->at(std::stoul(names[i].substr(bracket + 1)) - 1) += step;
  }
  return values;
}

/// The answer changes by this much over one standard deviation along `axis`.
std::vector<double> change_along(const Eigen::VectorXd& axis, const std::vector<std::string>& names,
                                 const ParameterValues& at, const Answer& answer) {
  const auto side = [&](double share) -> std::optional<std::vector<double>> {
    try {
      return answer(moved(at, names, share * axis));
    } catch (const Error&) {
      return std::nullopt;  // beyond what the law allows
    }
  };
  const auto quotient = [](std::vector<double> to, const std::vector<double>& from, double over) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = (to[i] - from[i]) / over;
    return to;
  };
  std::optional<std::vector<double>> up, down;
  double share = 1;
  for (; share > 1e-4; share /= 4) {
    up = side(share);
    down = side(-share);
    if (up && down) return quotient(std::move(*up), *down, 2 * share);
    if (share < 0.01 && (up || down)) break;
  }
  if (up) return quotient(std::move(*up), answer(at), share);
  if (down) return quotient(std::move(*down), answer(at), -share);
  throw Error("the law has no answer near its fitted parameters, so there is no uncertainty");
}

}  // namespace

Uncertainty Uncertainty::from(std::vector<std::string> names, const Eigen::VectorXd& errors,
                              const Eigen::MatrixXd& correlation) {
  const Eigen::Index n = errors.size();
  Uncertainty result{std::move(names), Eigen::MatrixXd(n, n)};
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const double r = i == j ? 1 : correlation(i, j);
      result.covariance(i, j) = std::isfinite(r) ? r * errors[i] * errors[j] : 0;
    }
  return result;
}

Uncertainty uncertainty_of(const Fit& fit) {
  std::vector<std::string> names;
  std::vector<Eigen::Index> place;
  std::vector<double> errors;
  for (std::size_t i = 0; i < fit.estimates.size(); ++i) {
    const Estimate& e = fit.estimates[i];
    const bool of_law = fit.parameters.front().contains(e.name.substr(0, e.name.find('[')));
    if (!of_law || e.pinned || !e.error || e.record > 0) continue;
    names.push_back(e.name);
    place.push_back(static_cast<Eigen::Index>(i));
    errors.push_back(*e.error);
  }
  return Uncertainty::from(
      std::move(names),
      Eigen::Map<const Eigen::VectorXd>(errors.data(), static_cast<Eigen::Index>(errors.size())),
      fit.correlation(place, place));
}

std::vector<double> standard_deviations(const Uncertainty& uncertainty, const ParameterValues& at,
                                        const Answer& answer) {
  const Eigen::Index n = uncertainty.covariance.rows();
  std::vector<double> variance(answer(at).size(), 0.0);
  if (n > 0) {
    // In units of the standard deviations, so that lengths and forces have one size. A parameter
    // without deviation has a unit of 1: its row of the covariance is zero.
    const Eigen::VectorXd unit = uncertainty.covariance.diagonal().cwiseSqrt().unaryExpr(
        [](double s) { return s > 0 ? s : 1.0; });
    const dense::SymmetricModes modes(unit.cwiseInverse().asDiagonal() * uncertainty.covariance *
                                      unit.cwiseInverse().asDiagonal());
    for (Eigen::Index k = 0; k < n; ++k) {
      // Correlations are rounded; a combination that has no variance may come out slightly negative.
      if (!(modes.values[k] > 1e-14)) continue;
      const Eigen::VectorXd axis =
          std::sqrt(modes.values[k]) * unit.cwiseProduct(modes.vectors.col(k));
      const std::vector<double> change = change_along(axis, uncertainty.names, at, answer);
      for (std::size_t i = 0; i < variance.size(); ++i) variance[i] += change[i] * change[i];
    }
  }
  for (double& v : variance) v = std::sqrt(v);
  return variance;
}

}  // namespace microslip::fit
