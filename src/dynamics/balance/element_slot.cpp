#include "dynamics/balance/element_slot.hpp"

#include <complex>

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

void ElementSlot::read_inputs(const FixedRows& all, Rows q) const {
  if (body) q = body->units.asDiagonal() * all.middleRows(body->row, q.rows());
}

void ElementSlot::write_inputs(const FixedRows& q, Rows all) const {
  if (body) all.middleRows(body->row, q.rows()) = body->units.cwiseInverse().asDiagonal() * q;
}

void ElementSlot::apply_impedance(Rows q, double omega) const {
  if (body) q = body->inertia.through(q, omega);
}

void ElementSlot::apply_impedance(Eigen::Ref<Eigen::MatrixXcd> rows, Eigen::Index first,
                                  double rate) const {
  if (!body) return;
  Eigen::MatrixXcd Z =
      body->inertia.stiffness + std::complex<double>(0, rate) * body->inertia.damping;
  Z.diagonal().array() -= rate * rate;
  rows = (Z * rows).eval();
  rows.middleCols(first, rows.rows()).diagonal().array() -= 1;
}

void ElementSlot::subtract_given(const FixedRows& given, Rows q) const {
  if (body) q -= given;
}

void ElementSlot::write_forces(const FixedRows& forces, Rows all) const {
  if (body) all.middleRows(body->row, forces.rows()) = -(body->rows.asDiagonal() * forces);
}

void ElementSlot::add_excitation(const FixedRows& all, Rows q) const {
  if (body) q += body->rows.cwiseInverse().asDiagonal() * all.middleRows(body->row, q.rows());
}

void ElementSlot::subtract_border(const FixedRows& border, Rows q) const {
  if (body) q -= body->units.cwiseInverse().asDiagonal() * border.middleRows(body->row, q.rows());
}

}  // namespace microslip::dynamics
