#include "microslip/dynamics/structure/interface.hpp"

namespace microslip::dynamics {

Eigen::VectorXd displacements(const InterfaceElement& interface, const Eigen::VectorXd& x) {
  Eigen::VectorXd u(static_cast<Eigen::Index>(interface.w.size()));
  for (std::size_t k = 0; k < interface.w.size(); ++k)
    u[static_cast<Eigen::Index>(k)] = interface.w[k].dot(x);
  return u;
}

Eigen::MatrixXd tangent_at_rest(const InterfaceLaw& law) {
  AnyState state = law.rest();
  return law.step(state, Eigen::VectorXd::Zero(law.size()), state).tangent;
}

Eigen::MatrixXd tangent_about(const InterfaceLaw& law, const Eigen::VectorXd& u) {
  constexpr double small = 1e-9;
  const double step = small * u.norm();
  if (!(step > 0)) return tangent_at_rest(law);
  AnyState there = law.rest();
  law.step(there, u, there);
  Eigen::MatrixXd tangent(law.size(), law.size());
  for (Eigen::Index j = 0; j < law.size(); ++j) {
    // Forth, and back by half of it.
    AnyState state = there;
    const Eigen::VectorXd way = step * Eigen::VectorXd::Unit(law.size(), j);
    law.step(state, u + way, state);
    tangent.col(j) = law.step(state, u + 0.5 * way, state).tangent.col(j);
  }
  return tangent;
}

void add_along(Eigen::MatrixXd& matrix, const std::vector<Direction>& w, const Eigen::MatrixXd& T) {
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t j = 0; j < w.size(); ++j)
      for (Direction::InnerIterator a(w[i]); a; ++a)
        for (Direction::InnerIterator b(w[j]); b; ++b)
          matrix(a.index(), b.index()) +=
              T(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * a.value() * b.value();
}

}  // namespace microslip::dynamics
