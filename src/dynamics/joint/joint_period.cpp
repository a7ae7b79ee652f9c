#include "dynamics/joint/joint_period.hpp"

#include <limits>
#include <utility>

#include "microslip/detail/numerics/constants.hpp"

namespace microslip::dynamics {
JointPeriod::JointPeriod(const AnyModel& model, int order, const PeriodicOptions& how,
                         std::vector<double> before)
    : harmonics(order),
      options(how),
      rate_dependent(model.rate_dependent()),
      motion(order),
      law(model, std::move(before)) {}

bool JointPeriod::advance(double u, double dt) {
  const Response<double> reply = law.model.step(law.state, u, dt, law.state);
  if (reply.status != Status::ok) {
    result.status = reply.status;
    return false;
  }
  result.energy += reply.dissipated;
  forces.push_back(reply.force);
  return true;
}

void JointPeriod::start() {
  law.state.get().assign(law.rest.get());
  forces.clear();
  const double slowly = std::numeric_limits<double>::infinity();
  for (const double u : law.before)
    if (!advance(u, slowly)) return;
  if (options.rule == Rule::event_exact) advance(motion.turning_values().front(), slowly);
}

void JointPeriod::add_reversal(std::size_t number) {
  const std::size_t which = number % motion.reversals().size();
  const double theta = motion.reversals()[which] + (which == number ? 0 : 2 * pi);
  nodes.push_back({theta, 0, motion.turning_values()[which], static_cast<int>(which)});
}

void JointPeriod::fill_basis() {
  const auto count = static_cast<Eigen::Index>(nodes.size());
  if (basis.rows() < count) basis.resize(count, fourier_size(harmonics));
  counted.clear();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].counts()) counted.push_back(i);
    fill_node(i);
  }
  if (rate_dependent) {
    slope_basis.resize(count, fourier_size(harmonics));
    for (Eigen::Index i = 0; i < count; ++i) {
      fourier_slopes(basis.row(i), harmonics, slope_basis.row(i));
      // A reversal stays one when the motion changes: the law is then exactly there.
      if (nodes[static_cast<std::size_t>(i)].reversal >= 0) slope_basis.row(i).setZero();
    }
    slopes.noalias() = slope_basis * motion.q();
  }
  resize_loop();
}

void JointPeriod::fill_node(std::size_t i) {
  const auto row = static_cast<Eigen::Index>(i);
  Node& node = nodes[i];
  fourier_row(node.theta, harmonics, &basis(row, 0));
  if (node.reversal < 0) node.u = motion.within(basis.row(row).dot(motion.q()));
}

void JointPeriod::resize_loop() {
  for (auto* column : {&loop.theta, &loop.u, &loop.f, &loop.tangent, &loop.weight})
    column->resize(counted.size());
}

void JointPeriod::record(std::size_t place, const Node& node, double f, double tangent) {
  loop.theta[place] = node.theta;
  loop.u[place] = node.u;
  loop.f[place] = f;
  loop.tangent[place] = tangent;
  loop.weight[place] = node.weight;
}

void JointPeriod::sum_force() {
  result.coefficients.setZero(fourier_size(harmonics));
  if (result.status != Status::ok) return;
  for (std::size_t k = 0; k < counted.size(); ++k)
    result.coefficients += (loop.weight[k] * loop.f[k] / pi) *
                           basis.row(static_cast<Eigen::Index>(counted[k])).transpose();
  // The other half of an odd loop gives odd harmonics the same; there are no others.
  if (half) result.coefficients *= 2;
  result.coefficients[0] /= 2;
}

void JointPeriod::mirror_first_half() {
  const std::size_t all = nodes.size(), rows = counted.size();
  const std::size_t reversals = motion.reversals().size() / 2;
  for (std::size_t i = 0; i < all; ++i) {
    const Node node = nodes[i];
    if (node.reversal >= 0)
      add_reversal(static_cast<std::size_t>(node.reversal) + reversals);
    else
      nodes.push_back({node.theta + pi, node.weight, -node.u});
  }
  for (std::size_t k = 0; k < rows; ++k) counted.push_back(all + counted[k]);
  resize_loop();
  for (std::size_t k = 0; k < rows; ++k)
    record(rows + k, nodes[counted[rows + k]], -loop.f[k], loop.tangent[k]);
  half = false;
}

}  // namespace microslip::dynamics
