#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::catalog {

/// Laws that share massless points: v_j + Σ_l G_jl f_l[v_l] = u_j, by Newton's method.
struct CoupledLaws {
  std::vector<AnyModel> laws;
  Eigen::MatrixXd compliance;  ///< G
};
std::shared_ptr<const dynamics::InterfaceLaw> coupled_joints(CoupledLaws parts);
/// What such an interface is made of; nothing of another one.
std::optional<CoupledLaws> coupled_laws_of(const dynamics::InterfaceLaw& interface);

}  // namespace microslip::catalog
