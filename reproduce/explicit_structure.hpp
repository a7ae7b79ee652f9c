#pragma once

#include <Eigen/Core>
#include <vector>

#include "microslip/dynamics/structure/structure.hpp"
#include "reproduce/dormand_prince.hpp"

/// A structure with Jenkins joints and one load as a differential equation in displacements, velocities and
/// joint forces, for an explicit solver: the sign of friction as it stands, f′ = k wᵀv, and 0 where the force is
/// at its limit and is driven outwards. M is diagonal, and there is no damping.
namespace microslip::reproduce {

class ExplicitStructure {
 public:
  explicit ExplicitStructure(const dynamics::Structure& s)
      : s_(s), inverse_mass_(Eigen::VectorXd(s.M.diagonal()).cwiseInverse()) {
    for (const auto& joint : s.joints) {
      k_.push_back(std::get<double>(joint.model.parameters().at("k")));
      phi_.push_back(std::get<double>(joint.model.parameters().at("phi")));
    }
  }

  Eigen::Index size() const { return s_.size(); }
  Eigen::VectorXd rest() const {
    return Eigen::VectorXd::Zero(2 * size() + static_cast<Eigen::Index>(k_.size()));
  }
  /// Displacements and velocities of about `length` and `velocity`, and forces of their limits.
  Eigen::VectorXd scale(double length, double velocity) const {
    Eigen::VectorXd result(rest().size());
    result.head(size()).setConstant(length);
    result.segment(size(), size()).setConstant(velocity);
    for (std::size_t j = 0; j < phi_.size(); ++j)
      result[2 * size() + static_cast<Eigen::Index>(j)] = phi_[j];
    return result;
  }

  void operator()(double t, const Eigen::VectorXd& y, Eigen::VectorXd& rate) const {
    const Eigen::Index n = size();
    const auto x = y.head(n), v = y.segment(n, n);
    rate.head(n) = v;
    force_.noalias() = s_.K * x;
    force_ = dynamics::value(s_.loads[0].signal, t) * s_.loads[0].direction - force_;
    for (std::size_t j = 0; j < k_.size(); ++j) {
      const double f = y[2 * n + static_cast<Eigen::Index>(j)];
      double slip = 0;
      for (dynamics::Direction::InnerIterator w(s_.joints[j].w); w; ++w) {
        slip += w.value() * v[w.index()];
        force_[w.index()] -= w.value() * f;
      }
      const bool slides = std::abs(f) >= phi_[j] * (1 - 1e-10) && f * slip > 0;
      rate[2 * n + static_cast<Eigen::Index>(j)] = slides ? 0 : k_[j] * slip;
    }
    rate.segment(n, n) = inverse_mass_.cwiseProduct(force_);
  }

 private:
  const dynamics::Structure& s_;
  Eigen::VectorXd inverse_mass_;
  std::vector<double> k_, phi_;
  mutable Eigen::VectorXd force_;
};

}  // namespace microslip::reproduce
