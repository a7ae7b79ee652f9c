#include "microslip/detail/kernels/duhem_law.hpp"

#include <limits>
#include <vector>

#include "microslip/detail/numerics/normal_form.hpp"

namespace microslip {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// u, z and, of laws that depend on the rate, a velocity.
NormalForm slope_of(const Expression& formula, Range velocities, const char* velocity,
                    bool mirrored, const char* force = "z") {
  std::vector<NormalForm> variables{
      {"u", {-inf, inf}}, {force, {-inf, inf}}, {velocity, velocities}};
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

bool loops_repeat(const Expression& g1, const Expression& g2, double z0) {
  const auto on = [&](const char* velocity, const char* force) {
    return slope_of(g1, {0, inf}, velocity, false, force);
  };
  const auto back = [&](const char* velocity, const char* force) {
    return slope_of(g2, {-inf, 0}, velocity, false, force);
  };
  if ((on("v on", "z") - back("v back", "z")).keeps_its_sign()) return false;
  const bool forgets = !same(on("v on", "z"), on("v on", "another z")) ||
                       !same(back("v back", "z"), back("v back", "another z"));
  const bool elastic = same(on("v on", "z"), back("v back", "z"));
  return forgets || elastic || (z0 == 0 && slopes_are_mirrored(g1, g2));
}

}  // namespace microslip
