#include "catalog/fitting/law_guesses.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/core/error.hpp"
#include "microslip/loops/loops.hpp"

namespace microslip::catalog {
namespace {

/// What the records say of the sizes in a law of Bouc and Wen that changes with the energy it absorbs.
struct Sizes {
  double stiffness = 1;
  double limit = 1;   ///< of the hysteretic displacement: largest force over stiffness
  double energy = 1;  ///< absorbed in all, over stiffness
  double spring = 0;  ///< slope in the end, over stiffness
};

Sizes sizes_of(const fit::Data& data) {
  const fit::Scales s = fit::scales_of(data);
  const auto found = fit::loops_of(data);
  Sizes sizes;
  sizes.stiffness = s.stiffness;
  sizes.limit = s.force / s.stiffness;
  double energy = 0;
  for (const loops::Cycle& cycle : found->cycles) energy += std::abs(cycle.energy);
  sizes.energy = std::max(energy / s.stiffness, sizes.limit * sizes.limit);
  sizes.spring = std::clamp(found->final_slope / s.stiffness, 0.02, 0.5);
  return sizes;
}

/// Pinching that sets in within a part of the record, strength and stiffness that fall by a part of
/// themselves or several times over it.
std::vector<ParameterValues> of_baber_noori(const Sizes& s) {
  std::vector<ParameterValues> guesses;
  for (const double n : {1.0, 2.0})
    for (const double ratio : {-0.4, 0.4})       // gamma over beta
      for (const double stiffer : {1.0, 1.5})    // the record may not show the first slope
        for (const double weaker : {0.05, 0.5})  // strength and stiffness lost
          for (const double pinched : {0.6, 0.9})
            for (const double sets_in : {3.0, 30.0})
              for (const double width : {0.15, 0.5}) {
                const double limit = s.limit / stiffer, energy = s.energy / stiffer;
                const double beta = std::pow(limit, -n) / (1 + ratio), lambda = 0.3;
                const double psi = width * limit / (lambda + pinched);
                guesses.push_back({{"k", stiffer * s.stiffness},
                                   {"a", s.spring / stiffer},
                                   {"beta", beta},
                                   {"gamma", ratio * beta},
                                   {"n", n},
                                   {"delta_nu", weaker / energy},
                                   {"delta_eta", 2 * weaker / energy},
                                   {"zeta_s", pinched},
                                   {"q", 0.1},
                                   {"p", sets_in / energy},
                                   {"psi", psi},
                                   {"delta_psi", 0.3 * psi / energy},
                                   {"lambda", lambda}});
              }
  return guesses;
}

}  // namespace

std::vector<ParameterValues> law_guesses(const AnyModel& model,
                                         const std::vector<fit::Data>& records,
                                         const fit::Setup& setup) {
  if (model.description().name != "baber-noori" || records.empty()) return {};
  constexpr std::size_t few = 6, rows = 400;
  std::vector<std::pair<double, ParameterValues>> tried;
  try {
    const fit::Problem problem = fit::Problem(model, records, setup).thinned(rows);
    std::vector<double> middle;
    for (const fit::Unknown& u : problem.unknowns()) middle.push_back(0.5 * (u.from + u.to));
    for (ParameterValues& guess : of_baber_noori(sizes_of(records.front()))) {
      Eigen::VectorXd r;
      if (problem.evaluate(problem.coordinates(guess, middle), r))
        tried.emplace_back(r.squaredNorm(), std::move(guess));
    }
  } catch (const Error&) {
    return {};  // the fit says why
  }
  std::stable_sort(tried.begin(), tried.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ParameterValues> guesses;
  for (std::size_t i = 0; i < std::min(few, tried.size()); ++i)
    guesses.push_back(std::move(tried[i].second));
  return guesses;
}

}  // namespace microslip::catalog
