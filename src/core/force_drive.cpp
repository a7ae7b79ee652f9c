#include "microslip/core/force_drive.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

namespace microslip {

DisplacementFor displacement_for(double wanted, double u0, double f0,
                                 const std::function<Response<double>(double)>& try_step) {
  if (wanted == f0) return {u0, Status::ok};
  const double d = wanted > f0 ? 1 : -1;
  const auto lacking = [&](double u) { return d * (wanted - try_step(u).force); };

  // First stride: what the elastic tangent asks for. Strides double until the force is passed;
  // 2^200 strides cover any plateau that double precision can tell from a limit.
  const double tangent =
      try_step(std::nextafter(u0, d * std::numeric_limits<double>::infinity())).tangent;
  double stride = tangent > 0 ? std::abs(wanted - f0) / tangent : std::abs(wanted - f0);
  if (!std::isfinite(stride)) stride = std::abs(wanted - f0);
  stride = std::max(stride, 4 * std::numeric_limits<double>::epsilon() * std::abs(u0));
  double near = u0;
  double far = u0;
  double lack_near = std::abs(wanted - f0);
  double lack_far = lack_near;
  for (int doubling = 0; doubling < 200 && lack_far > 0; ++doubling, stride *= 2) {
    near = far;
    lack_near = lack_far;
    far = u0 + d * stride;
    const auto reply = try_step(far);
    if (reply.status != Status::ok) return {u0, reply.status};
    lack_far = d * (wanted - reply.force);
    if (!std::isfinite(lack_far)) break;
  }
  if (lack_far == 0) return {far, Status::ok};
  if (!(lack_far < 0)) return {u0, Status::unreachable};

  std::uintmax_t iterations = 200;
  const bool forward = near < far;
  const auto bracket = boost::math::tools::toms748_solve(
      lacking, forward ? near : far, forward ? far : near, forward ? lack_near : lack_far,
      forward ? lack_far : lack_near, boost::math::tools::eps_tolerance<double>(53), iterations);
  const bool first = std::abs(lacking(bracket.first)) <= std::abs(lacking(bracket.second));
  return {first ? bracket.first : bracket.second, Status::ok};
}

}  // namespace microslip
