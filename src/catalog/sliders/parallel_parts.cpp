#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/catalog/by_displacement.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/sliders/sliders_setup.hpp"
#include "microslip/friction/system.hpp"

namespace microslip::catalog {
namespace {

/// The virgin curve of a law driven by force: corners, from the force at which it begins to move to the one
/// at which it slides as a whole.
struct Backbone {
  std::vector<double> f, u;
};

/// Empty if the curve does not begin rigid, bend one way only and end in macroslip.
Backbone backbone_of(const AnyModel& model, const AnyModel& inverse) {
  constexpr int most_corners = 20000;
  Backbone curve;
  AnyState state = model.rest();
  const double largest = [&] {
    // Far beyond macroslip the force is all that the law carries.
    AnyState trial = inverse.rest();
    double far = 1;
    for (int i = 0; i < 200; ++i, far *= 4) {
      const Response<double> reply = inverse.step(inverse.rest(), far, 0, trial);
      if (reply.status != Status::ok) return 0.0;
      if (reply.tangent == 0) return reply.force;
    }
    return 0.0;
  }();
  if (!(largest > 0)) return {};
  double last_u = 0;
  for (int i = 0; i < most_corners; ++i) {
    const double kink = model.next_kink(state, 1);
    if (!(kink < largest * (1 - 1e-9))) break;
    const Response<double> reply = model.step(state, kink, 0, state);
    if (reply.status != Status::ok) return {};
    // Sliders that let go together are one corner.
    if (!curve.f.empty() && kink <= curve.f.back() * (1 + 1e-12)) continue;
    if (curve.f.empty() && reply.force != 0) return {};
    curve.f.push_back(kink);
    curve.u.push_back(reply.force);
    last_u = reply.force;
  }
  // Rounding along this path may let it slide a little earlier.
  AnyState trial = state;
  Response<double> end{};
  for (double less = 0; less < 1e-7; less = std::max(1e-12, 10 * less)) {
    end = model.step(state, largest * (1 - less), 0, trial);
    if (end.status != Status::macroslip) break;
  }
  if (curve.f.empty() || end.status != Status::ok || !(end.force > last_u)) return {};
  curve.f.push_back(largest);
  curve.u.push_back(end.force);
  return curve;
}

/// Whether all that the law remembers of a load is the force at which each slider stuck: while the load
/// goes on in one direction no slider sticks again (`System::monotone`), so that after a reversal the
/// sliders slip in the order of the virgin curve, at twice its forces: Masing's rules, and a sum of
/// plays of the force. Springs side by side are plays one by one.
bool is_sum_of_plays(const AnyModel& model) {
  const SlidersSetup setup = make_sliders_setup(model.parameters(), model.options());
  const bool ordered =
      setup.system->monotone() || setup.system->sparsity() == friction::Sparsity::diagonal;
  return ordered && !setup.minus_bx && !setup.solver.varying;
}

}  // namespace

std::vector<AnyModel> parallel_parts(const AnyModel& model) {
  const Description& law = model.description();
  if (law.name != "sliders" || law.driven != Driven::force || model.rate_dependent()) return {};
  if (!is_sum_of_plays(model)) return {};
  const AnyModel inverse = by_displacement(model);
  const Backbone curve = backbone_of(model, inverse);
  if (curve.f.size() < 2) return {};
  std::vector<double> r, w;
  double slope = 0, at_rest = 0;
  for (std::size_t i = 0; i + 1 < curve.f.size(); ++i) {
    const double next = (curve.f[i + 1] - curve.f[i]) / (curve.u[i + 1] - curve.u[i]);
    if (i == 0) {
      at_rest = next;
    } else if (next < slope * (1 - 1e-12)) {
      r.push_back(curve.u[i]);
      w.push_back(next - slope);
    } else if (next > slope * (1 + 1e-9)) {
      return {};
    } else {
      continue;
    }
    slope = next;
  }
  r.push_back(curve.u.back());
  w.push_back(-slope);
  return {make({"coulomb", {{"fc", curve.f.front()}}, {}}),
          make({"prandtl-ishlinskii", {{"r", r}, {"w", w}, {"w0", at_rest}}, {}})};
}

}  // namespace microslip::catalog
