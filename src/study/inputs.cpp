#include "microslip/study/inputs.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numbers>

#include "microslip/core/error.hpp"

namespace microslip::study {
namespace {

const boost::math::normal standard{};

double normal_quantile(double u) { return boost::math::quantile(standard, u); }

}  // namespace

double Distribution::quantile(double u) const {
  if (kind == Kind::values)
    return list[std::min(list.size() - 1,
                         static_cast<std::size_t>(u * static_cast<double>(list.size())))];
  if (kind == Kind::uniform) {
    const double low = std::max(a, lower), high = std::min(b, upper);
    return low + u * (high - low);
  }
  const bool log = kind == Kind::lognormal;
  const auto standardised = [&](double x) {
    return log ? (x > 0 ? std::log(x / a) / b : -std::numeric_limits<double>::infinity())
               : (x - a) / b;
  };
  double z = 0;
  if (std::isinf(lower) && std::isinf(upper)) {
    z = normal_quantile(u);
  } else {
    // In the tail that is nearer, where probabilities are small and exact.
    const double z0 = standardised(lower), z1 = standardised(upper);
    const bool right = z0 > 0;
    const auto below = [&](double x) {
      if (std::isinf(x)) return (x > 0) == !right ? 1.0 : 0.0;
      return boost::math::cdf(standard, right ? -x : x);
    };
    const double p0 = below(z0), p1 = below(z1), p = p0 + u * (p1 - p0);
    if (!(p > 0 && p < 1) || p0 == p1)
      throw Error("truncated leaves no probability between its limits");
    z = normal_quantile(p) * (right ? -1 : 1);
  }
  const double x = log ? a * std::exp(b * z) : a + b * z;
  return std::clamp(x, lower, upper);
}

double Distribution::log_density(double x) const {
  constexpr double never = -std::numeric_limits<double>::infinity();
  if (!(x >= lower && x <= upper)) return never;
  if (kind == Kind::values) return std::count(list.begin(), list.end(), x) > 0 ? 0 : never;
  if (kind == Kind::uniform) {
    const double low = std::max(a, lower), high = std::min(b, upper);
    return x >= low && x <= high ? -std::log(high - low) : never;
  }
  const bool log = kind == Kind::lognormal;
  if (log && x <= 0) return never;
  const double z = log ? std::log(x / a) / b : (x - a) / b;
  const auto part = [&](double at, double otherwise) {
    if (std::isinf(at)) return otherwise;
    if (log && at <= 0) return 0.0;
    return boost::math::cdf(standard, log ? std::log(at / a) / b : (at - a) / b);
  };
  const double mass = part(upper, 1) - part(lower, 0);
  return -0.5 * z * z - 0.5 * std::log(2 * std::numbers::pi) - std::log(b) -
         (log ? std::log(x) : 0) - std::log(mass);
}

std::size_t Group::dimension() const {
  return kind == Kind::fit ? static_cast<std::size_t>(center.size()) : 1;
}

void Group::draw(std::span<const double> u, std::span<double> values) const {
  switch (kind) {
    case Kind::one: {
      const double x = distribution.quantile(u[0]);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = factor ? own[i] * x : x;
      return;
    }
    case Kind::samples: {
      const auto count = static_cast<double>(rows.rows());
      const auto row = std::min(rows.rows() - 1, static_cast<Eigen::Index>(u[0] * count));
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = rows(row, static_cast<Eigen::Index>(i));
      return;
    }
    case Kind::fit: {
      Eigen::VectorXd z(center.size());
      for (Eigen::Index i = 0; i < z.size(); ++i)
        z[i] = normal_quantile(u[static_cast<std::size_t>(i)]);
      const Eigen::VectorXd x = center + root * z;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = x[static_cast<Eigen::Index>(i)];
        values[i] = logarithmic[i] ? std::exp(value) : value;
      }
      return;
    }
  }
}

}  // namespace microslip::study
