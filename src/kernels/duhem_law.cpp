#include "microslip/detail/kernels/duhem_law.hpp"

#include <limits>
#include <vector>

#include "microslip/detail/numerics/normal_form.hpp"

namespace microslip {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// u, z and, of laws that depend on the rate, a velocity.
NormalForm slope_of(const Expression& formula, Range velocities, const char* velocity,
                    bool mirrored) {
  std::vector<NormalForm> variables{{"u", {-inf, inf}}, {"z", {-inf, inf}}, {velocity, velocities}};
  variables.resize(formula.variables().size(), variables.front());
  if (mirrored)
    for (NormalForm& variable : variables) variable = -variable;
  return {formula, variables};
}

}  // namespace

bool slopes_are_mirrored(const Expression& g1, const Expression& g2) {
  const Range any{-inf, inf};
  return same(slope_of(g2, any, "v", false), slope_of(g1, any, "v", true));
}

bool one_slope_is_larger(const Expression& g1, const Expression& g2) {
  const NormalForm on = slope_of(g1, {0, inf}, "v on", false);
  const NormalForm back = slope_of(g2, {-inf, 0}, "v back", false);
  return (on - back).keeps_its_sign();
}

}  // namespace microslip
