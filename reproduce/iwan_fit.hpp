#pragma once

#include <vector>

/// The Iwan model of App. G: n sliders of the stiffness 1/n, which slip at j μ0/n.
namespace microslip::reproduce {

/// Its force by Masing's rules, which give the same as eq. (G.2) without complementarity.
std::vector<double> iwan_force(int n, double mu0, const std::vector<double>& u);

struct IwanFit {
  double mu0 = 0, zeta = 0;
  double rms = 0, rms_relative = 0;  ///< the latter over the range of the force
  std::vector<double> force;         ///< with ζ
};

/// A given μ0; ζ by least squares, or zero.
IwanFit compare_iwan(int n, double mu0, const std::vector<double>& u, const std::vector<double>& f,
                     bool shift = true);
/// μ0 by least squares too; loops are normalised, so it is near 2/(n + 1).
IwanFit fit_iwan(int n, const std::vector<double>& u, const std::vector<double>& f,
                 bool shift = true);

}  // namespace microslip::reproduce
