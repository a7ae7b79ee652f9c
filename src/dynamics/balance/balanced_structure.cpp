#include "dynamics/balance/balanced_structure.hpp"

#include <algorithm>

#include "dynamics/balance/unheld_motions.hpp"
#include "dynamics/fourier/fourier.hpp"

namespace microslip::dynamics {
namespace {

/// Whether laws side by side are taken by themselves. Rigid friction slides on a body, whose equations
/// know no reversals that other laws remember; a law that depends on the rate is taken in time, which
/// hides the kinks of the others and what is linear among them.
bool apart(const AnyModel& whole, const std::vector<AnyModel>& parts) {
  if (parts.size() < 2) return false;
  const auto rigid =
      std::count_if(parts.begin(), parts.end(), [](const AnyModel& law) { return law.rigid(); });
  if (rigid == 0) return whole.rate_dependent() && !whole.dynamic_stiffness(1);
  return rigid == 1 && std::all_of(parts.begin(), parts.end(), [](const AnyModel& law) {
           return law.rigid() || !law.rate_dependent() || law.dynamic_stiffness(1);
         });
}

/// Joints of laws side by side that are taken apart become one joint for each; `owner` tells whose
/// those behind the given ones are.
Structure taken_apart(Structure s, std::vector<std::size_t>& owner) {
  const std::size_t given = s.joints.size();
  for (std::size_t j = 0; j < given; ++j) {
    std::vector<AnyModel> parts = s.joints[j].parts;
    if (parts.empty()) parts = s.joints[j].model.terms();
    if (!apart(s.joints[j].model, parts)) continue;
    // The rigid one is that of the given joint.
    std::stable_partition(parts.begin(), parts.end(),
                          [](const AnyModel& law) { return law.rigid(); });
    s.joints[j].parts.clear();
    s.joints[j].model = parts.front();
    for (std::size_t part = 1; part < parts.size(); ++part) {
      s.joints.push_back({parts[part], s.joints[j].w, s.joints[j].name});
      owner.push_back(j);
    }
  }
  return s;
}

/// What is checked before anything is made of it.
const Structure& checked_structure(const Structure& structure) {
  check(structure);
  return structure;
}

}  // namespace

BalancedStructure::BalancedStructure(const Structure& whole, const PeriodicOptions& options)
    : given_joints_(checked_structure(whole).joints.size()),
      structure_(options.rule == Rule::event_exact ? taken_apart(whole, owner_) : whole),
      sliding_(sliding_joints(structure_, options)),
      M_(whole.M),
      C_(whole.C),
      K_(whole.K),
      at_first_(static_equilibrium(structure_)),
      unheld_(unheld_motions(structure_)) {
  if (sliding_.empty()) return;
  groups_ = joints_together(structure_, sliding_, options);
  inertias_ = body_inertias(structure_, groups_, options);
  add_rows_of_bodies();
}

/// p − (K − h²ω² + ihωC) Bᵀx in units of the body; see ElementSlot::Body.
void BalancedStructure::add_rows_of_bodies() {
  for (const BodyInertia& inertia : inertias_) ways_ += inertia.directions.cols();
  Eigen::Index row = structure_.size();
  for (SparseMatrix* matrix : {&M_, &C_, &K_}) matrix->conservativeResize(row + ways_, row + ways_);
  for (const BodyInertia& inertia : inertias_) {
    const Eigen::MatrixXd& B = inertia.directions;
    const Eigen::VectorXd springs = inertia.stiffness.diagonal();
    const Eigen::MatrixXd C = inertia.damping * B.transpose();
    const Eigen::MatrixXd K = inertia.stiffness * B.transpose();
    for (Eigen::Index i = 0; i < B.cols(); ++i, ++row) {
      const double unit = inertia.units[i];
      for (Eigen::Index k = 0; k < B.rows(); ++k) {
        if (B(k, i) != 0) M_.coeffRef(row, k) = -unit * B(k, i);
        if (C(i, k) != 0) C_.coeffRef(row, k) = -unit * C(i, k);
        if (K(i, k) != 0) K_.coeffRef(row, k) = -unit * K(i, k);
      }
      K_.coeffRef(row, row) = unit * springs[i] * unit;
    }
  }
}

std::size_t BalancedStructure::owner(std::size_t member) const {
  if (member < given_joints_) return member;
  const std::size_t added = member - given_joints_;
  return added < owner_.size() ? owner_[added] : member - owner_.size();
}

BalanceSize BalancedStructure::size(int harmonics) const {
  return {structure_.size(), structure_.size() + ways_, 2 * ways_, fourier_size(harmonics),
          !sliding_.empty()};
}

UnknownCount count_unknowns(const Structure& structure, const PeriodicOptions& options) {
  Eigen::Index ways = 0;
  for (const TiedJoints& tied : tied_joints(structure, sliding_joints(structure, options)))
    ways += static_cast<Eigen::Index>(tied.leaders.size());
  return {structure.size() + ways, 2 * ways};
}

}  // namespace microslip::dynamics
