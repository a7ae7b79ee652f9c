#include "dynamics/balance/element_slot.hpp"

namespace microslip::dynamics {

void ElementSlot::put_beginning(const Eigen::VectorXd& u, const Eigen::VectorXd& v,
                                Eigen::VectorXd& y) const {
  if (!body) return;
  const Eigen::MatrixXd across = body->inertia.directions.transpose();
  Eigen::VectorXd start(own_units.size());
  start << across * u, across * v;
  y.segment(own, start.size()) = start.cwiseQuotient(own_units);
}

void ElementSlot::put_forces(const Eigen::MatrixXd& x, const Eigen::MatrixXd& f, double omega,
                             Eigen::MatrixXd& all) const {
  if (!body) return;
  const auto& [row, inertia, units, rows] = *body;
  Eigen::MatrixXd force = inertia.through(inertia.directions.transpose() * x, omega);
  for (std::size_t i = 0; i < members.size(); ++i)
    force += inertia.along.col(static_cast<Eigen::Index>(i)) *
             f.row(static_cast<Eigen::Index>(members[i]));
  all.middleRows(row, force.rows()) = units.cwiseInverse().asDiagonal() * force;
}

void ElementSlot::put_held(const Eigen::VectorXd& holds,
                           Eigen::Ref<Eigen::VectorXd> coefficients) const {
  if (!body) return;
  Eigen::VectorXd force = Eigen::VectorXd::Zero(body->units.size());
  for (std::size_t i = 0; i < members.size(); ++i)
    force += holds[static_cast<Eigen::Index>(members[i])] *
             body->inertia.along.col(static_cast<Eigen::Index>(i));
  coefficients.segment(body->row, force.size()) = force.cwiseQuotient(body->units);
}

}  // namespace microslip::dynamics
