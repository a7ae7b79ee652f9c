#pragma once

#include <map>
#include <string>
#include <vector>

/// Another preload, another friction coefficient.
///
/// Where contact forces are constant along a motion and friction is rigid, the force of a joint with
/// the friction limits λ times those of another is f(u) = λ f₁(u/λ): displacement and force scale
/// together, and stiffness does not change. So one law describes all preloads (or friction
/// coefficients: λ is the product of their ratios), and a fit with covariates is a fit of records
/// that are divided by their λ.
namespace microslip::catalog {

using Covariates = std::map<std::string, double>;

/// λ of `wanted` against `reference`. A name that `wanted` leaves out stays; throws Error for one that is
/// unknown or a value that is not positive.
double covariate_scale(const Covariates& reference, const Covariates& wanted);

/// "preload=40", repeated, as a person writes them.
Covariates parse_covariates(const std::vector<std::string>& texts);

}  // namespace microslip::catalog
