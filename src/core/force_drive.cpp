#include "microslip/core/force_drive.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace microslip {
namespace {

/// One end of the interval that is searched.
struct Place {
  double u;
  double lack;     ///< force that is still missing; negative when the wanted one is passed
  double tangent;  ///< df/du, so the force grows on the way there if it is positive
};

/// The force grows at `low` and has fallen at `high`: climbs to the peak between them, or to the
/// edge of a sudden drop. True, with the interval closed around it, if the force is met on the way.
template <class Look>
bool met_before_peak(Place& low, Place& high, const Look& look) {
  for (int halving = 0; halving < 100; ++halving) {
    const double middle = 0.5 * (low.u + high.u);
    if (middle == low.u || middle == high.u) return false;
    const Place at = look(middle);
    if (at.lack <= 0) {
      high = at;
      return true;
    }
    (at.tangent > 0 && at.lack <= low.lack ? low : high) = at;
  }
  return false;
}

/// A softening law may carry the force before its peak and no longer at the end of the stride.
/// True, with the interval closed around it, if it does.
template <class Look>
bool met_on_the_way(Place& near, Place& far, const Look& look) {
  const bool fell = far.tangent <= 0 || far.lack > near.lack;
  if (!(far.lack > 0 && fell && near.tangent > 0)) return false;
  Place low = near, high = far;
  if (!met_before_peak(low, high, look)) return false;
  near = low;
  far = high;
  return true;
}

/// One that softens and stiffens again may carry the force more than once in a long stride, and the
/// first place counts: where the stride met it, or gained less than the tangents at both of its
/// ends promise, it is looked at in parts.
template <class Look>
void first_meeting(Place& near, Place& far, const Look& look) {
  constexpr int parts = 8;
  const Place begin = near, end = far;
  const double promised = std::min(begin.tangent, end.tangent) * std::abs(end.u - begin.u);
  if (end.lack > 0 && begin.lack - end.lack >= promised) {
    met_on_the_way(near, far, look);
    return;
  }
  for (int part = 1; part <= parts; ++part) {
    far = part < parts ? look(begin.u + part * (end.u - begin.u) / parts) : end;
    if (far.lack <= 0 || met_on_the_way(near, far, look)) return;
    if (part < parts) near = far;
  }
}

/// The law has an answer at `near` and none at `far`, as one driven by force beyond macroslip: goes to the limit between them. True, with the
/// interval closed around it, if the force is met on the way. Any failure of a step is left behind.
template <class Look>
bool met_before_limit(Place& near, Place& far, const Look& look, Status& status) {
  double limit = far.u;
  for (int halving = 0; halving < 1100; ++halving) {
    const double middle = 0.5 * (near.u + limit);
    if (middle == near.u || middle == limit) return false;
    const Place at = look(middle);
    if (std::exchange(status, Status::ok) != Status::ok) {
      limit = middle;
    } else if (at.lack <= 0) {
      far = at;
      return true;
    } else {
      near = at;
    }
  }
  return false;
}

/// Where the tangent at the start says nothing (a law that hardens from no stiffness), the first stride may be
/// longer than the motion by a hundred orders of magnitude: halves the interval in the logarithm of the way.
template <class Look>
void halve_logarithm(Place& near, Place& far, double u0, double force, const Look& look) {
  const double least = std::max(std::numeric_limits<double>::epsilon() * std::abs(u0),
                                std::numeric_limits<double>::min());
  while (far.lack < -8 * force) {
    const double before = std::max(std::abs(near.u - u0), least), after = std::abs(far.u - u0);
    if (!(after > 4 * before)) return;
    const double way = std::exp(0.5 * (std::log(before) + std::log(after)));
    const Place middle = look(far.u > u0 ? u0 + way : u0 - way);
    (middle.lack <= 0 ? far : near) = middle;
  }
}

}  // namespace

DisplacementFor displacement_for(double wanted, double u0, double f0,
                                 const std::function<Response<double>(double)>& try_step) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  if (std::abs(wanted - f0) <= 4 * rounding * std::abs(wanted)) return {u0, Status::ok};
  const double d = wanted > f0 ? 1 : -1;
  const auto lacking = [&](double u) { return d * (wanted - try_step(u).force); };

  // First stride: what the elastic tangent asks for. Strides double until the force is passed;
  // 2^200 strides cover any plateau that double precision can tell from a limit.
  const Response<double> first_step =
      try_step(std::nextafter(u0, d * std::numeric_limits<double>::infinity()));
  const double tangent = first_step.tangent;
  double stride = tangent > 0 ? std::abs(wanted - f0) / tangent : std::abs(wanted - f0);
  if (!std::isfinite(stride)) stride = std::abs(wanted - f0);
  stride = std::max(stride, 4 * rounding * std::abs(u0));
  Status status = Status::ok;
  const auto look = [&](double u) -> Place {
    const auto reply = try_step(u);
    if (reply.status != Status::ok) status = reply.status;
    return {u, d * (wanted - reply.force), reply.tangent};
  };
  // A law whose force jumps over the wanted one stays where it is. One that hardens from no
  // stiffness at all has a first stride that says nothing about its motion.
  const bool jumps = d * (wanted - first_step.force) <= 0;
  const double unseen = 4 * rounding * std::max(jumps ? stride : 0.0, std::abs(u0));
  const auto seen = [&](double u) { return std::abs(u - u0) <= unseen ? u0 : u; };
  Place near{u0, std::abs(wanted - f0), tangent};
  Place far = near;
  for (int doubling = 0; doubling < 200 && far.lack > 0; ++doubling, stride *= 2) {
    near = far;
    far = look(u0 + d * stride);
    if (status != Status::ok) {
      // The stride leaves what the law can do: the limit may lie beyond the place that is wanted.
      const Status why = std::exchange(status, Status::ok);
      if (!met_before_limit(near, far, look, status)) return {u0, why};
      break;
    }
    if (!std::isfinite(far.lack)) break;
    first_meeting(near, far, look);
    if (status != Status::ok) return {u0, status};
  }
  if (!(far.lack <= 0)) return {u0, Status::unreachable};
  halve_logarithm(near, far, u0, std::abs(wanted - f0), look);
  if (status != Status::ok) return {u0, status};
  if (far.lack == 0) return {seen(far.u), Status::ok};

  std::uintmax_t iterations = 200;
  const Place& left = near.u < far.u ? near : far;
  const Place& right = near.u < far.u ? far : near;
  const auto bracket =
      boost::math::tools::toms748_solve(lacking, left.u, right.u, left.lack, right.lack,
                                        boost::math::tools::eps_tolerance<double>(53), iterations);
  const double width = std::abs(bracket.second - bracket.first);
  if (width > 1e-9 * std::max(std::abs(bracket.first), std::abs(bracket.second)) && width > unseen)
    return {u0, Status::not_converged};
  const bool first = std::abs(lacking(bracket.first)) <= std::abs(lacking(bracket.second));
  return {seen(first ? bracket.first : bracket.second), Status::ok};
}

}  // namespace microslip
