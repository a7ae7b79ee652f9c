#include "iwan_fit.hpp"

#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "support.hpp"

namespace microslip::reproduce {

std::vector<double> iwan_force(int n, double mu0, const std::vector<double>& u) {
  std::vector<double> k, phi;
  for (int j = 1; j <= n; ++j) {
    k.push_back(1.0 / n);
    phi.push_back(mu0 * j / n);
  }
  return make({"masing", {{"k", k}, {"phi", phi}}, {}}).run({{}, u, {}}).f;
}

IwanFit compare_iwan(int n, double mu0, const std::vector<double>& u, const std::vector<double>& f,
                     bool shift) {
  IwanFit fit{.mu0 = mu0, .force = iwan_force(n, mu0, u)};
  double sum = 0;
  const double rows = static_cast<double>(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) sum += f[i] - fit.force[i];
  if (shift) fit.zeta = sum / rows;
  double squares = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    fit.force[i] += fit.zeta;
    squares += (fit.force[i] - f[i]) * (fit.force[i] - f[i]);
  }
  fit.rms = std::sqrt(squares / rows);
  fit.rms_relative = fit.rms / (largest(f) - smallest(f));
  return fit;
}

IwanFit fit_iwan(int n, const std::vector<double>& u, const std::vector<double>& f, bool shift) {
  const auto error = [&](double mu0) { return compare_iwan(n, mu0, u, f, shift).rms; };
  const double guess = 2.0 / (n + 1);  // gap 2: μ0 (n + 1)/2 = 1
  const auto best = boost::math::tools::brent_find_minima(error, 0.5 * guess, 2 * guess, 30);
  return compare_iwan(n, best.first, u, f, shift);
}

}  // namespace microslip::reproduce
