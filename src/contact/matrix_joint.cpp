#include "microslip/contact/matrix_joint.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <map>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::contact {
namespace {

using Eigen::Vector3d;

std::string name_of(const MatrixJointInput& in, Index row) {
  return in.names.empty() ? "row " + std::to_string(row + 1) : in.names[std::size_t(row)];
}

void check_symmetry(const MatrixJointInput& in) {
  if (in.K.rows() != in.K.cols())
    throw Error("the stiffness has " + std::to_string(in.K.rows()) + " rows and " +
                std::to_string(in.K.cols()) + " columns; it must be square");
  const SparseMatrix other = in.K.transpose();
  const Vector diagonal = in.K.diagonal();
  const SparseMatrix difference = in.K - other;
  for (Index j = 0; j < difference.outerSize(); ++j)
    for (SparseMatrix::InnerIterator e(difference, j); e; ++e) {
      if (!std::isfinite(e.value()))
        throw Error("the stiffness between " + name_of(in, e.row()) + " and " +
                    name_of(in, e.col()) + " must be finite");
      // Far above the digits that codes print, far below an entry that is wrong.
      if (std::abs(e.value()) > 1e-6 * std::sqrt(std::abs(diagonal[e.row()] * diagonal[e.col()])))
        throw Error("the stiffness is not symmetric: between " + name_of(in, e.row()) + " and " +
                    name_of(in, e.col()) + " stands " + number_text(in.K.coeff(e.row(), e.col())) +
                    ", and the other way round " + number_text(in.K.coeff(e.col(), e.row())));
    }
}

/// The axes of a pair: the normal, and those tangents along which it can slip.
struct Axes {
  Vector3d normal;
  std::vector<Vector3d> tangents;
};

/// A unit vector whose largest component is positive, so that neighbours slip the same way.
Vector3d oriented(const Vector3d& v) {
  Index k;
  v.cwiseAbs().maxCoeff(&k);
  return (v[k] < 0 ? -v : v).normalized();
}

Axes axes_of(const NodePair& pair, const MatrixJointInput& in) {
  Vector3d n(pair.normal[0], pair.normal[1], pair.normal[2]);
  if (!(n.norm() > 0) || !n.allFinite())
    throw Error(pair.name + ": its normal must be a vector different from zero");
  n.normalize();
  std::vector<Vector3d> missing;
  for (Index k = 0; k < 3; ++k)
    if (pair.from[std::size_t(k)] < 0 && pair.to[std::size_t(k)] < 0) {
      missing.push_back(Vector3d::Unit(k));
      if (std::abs(n[k]) > 1e-9)
        throw Error(pair.name + ": its normal has a component in direction " +
                    std::to_string(k + 1) + ", in which neither node can move");
    }
  Axes axes{n, {}};
  if (in.slip) {
    const Vector3d given((*in.slip)[0], (*in.slip)[1], (*in.slip)[2]);
    const Vector3d t = given - n.dot(given) * n;
    if (!(t.norm() > 1e-6 * given.norm()) || !t.allFinite())
      throw Error(pair.name + ": contact.slip must not be parallel to its normal");
    for (const Vector3d& e : missing)
      if (std::abs(e.dot(t)) > 1e-9 * t.norm())
        throw Error(pair.name + ": neither node can move along contact.slip");
    axes.tangents = {t.normalized()};
  } else if (missing.empty()) {
    const Vector3d x = std::abs(n[0]) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitY();
    const Vector3d t = (x - n.dot(x) * n).normalized();
    axes.tangents = {t, n.cross(t)};
  } else if (missing.size() == 1) {
    axes.tangents = {oriented(n.cross(missing[0]))};
  }
  return axes;
}

Index components_of(const MatrixJointInput& in) {
  if (in.pairs.empty()) throw Error("the joint has no pair of nodes; there must be at least one");
  if (in.slip) return 2;
  for (const NodePair& pair : in.pairs)
    if (axes_of(pair, in).tangents.size() == 2) return 3;
  return 2;
}

/// Marks held rows as such in the pairs.
MatrixJointInput with_held(const MatrixJointInput& input) {
  MatrixJointInput in = input;
  std::vector<char> held(std::size_t(in.K.rows()), 0);
  for (const Index row : in.held) held[std::size_t(row)] = 1;
  for (NodePair& pair : in.pairs)
    for (auto* side : {&pair.from, &pair.to})
      for (Index& row : *side)
        if (row >= 0 && held[std::size_t(row)]) row = -1;
  return in;
}

void check_pairs(const MatrixJointInput& in) {
  std::map<Index, std::size_t> seen;
  for (std::size_t i = 0; i < in.pairs.size(); ++i) {
    const NodePair& pair = in.pairs[i];
    if (!(pair.gap >= 0) || !std::isfinite(pair.gap))
      throw Error(pair.name + ": gap = " + number_text(pair.gap) + " must not be negative");
    if (!(pair.mu >= 0) || !std::isfinite(pair.mu))
      throw Error(pair.name + ": mu = " + number_text(pair.mu) + " must not be negative");
    if (pair.force < 0)
      throw Error(pair.name + ": P = " + number_text(pair.force) + " must not be negative");
    for (const auto* side : {&pair.from, &pair.to})
      for (const Index row : *side) {
        if (row < 0) continue;
        const auto [place, fresh] = seen.emplace(row, i);
        if (!fresh)
          throw Error(pair.name + " and " + in.pairs[place->second].name +
                      " share a node; a node must belong to one pair");
      }
  }
  for (const Index row : in.driven)
    if (const auto found = seen.find(row); found != seen.end())
      throw Error(name_of(in, row) + " is driven and belongs to " + in.pairs[found->second].name +
                  "; the drive must act elsewhere");
}

Condensed condense(const MatrixJointInput& input, Index components) {
  check_symmetry(input);
  const MatrixJointInput in = with_held(input);
  check_pairs(in);
  if (in.driven.empty()) throw Error("no degree of freedom is driven; load.driven must name one");
  const Index rows = in.K.rows();
  enum : Index { free = -1, held = -2, driven = -3, follows = -4 };
  std::vector<Index> role(std::size_t(rows), free);
  for (const Index row : in.held) role[std::size_t(row)] = held;
  Vector d = Vector::Zero(rows);
  for (const Index row : in.driven) {
    if (role[std::size_t(row)] == held) throw Error(name_of(in, row) + " is both held and driven");
    role[std::size_t(row)] = driven;
    d[row] = 1;
  }
  struct Follower {
    Index row, leader;  ///< −1: the ground
  };
  std::vector<Follower> followers;
  std::vector<Eigen::Triplet<double>> B, S;
  for (std::size_t i = 0; i < in.pairs.size(); ++i) {
    const NodePair& pair = in.pairs[i];
    const Axes axes = axes_of(pair, in);
    for (std::size_t k = 0; k < 3; ++k) {
      const bool upper = pair.to[k] >= 0;
      const Index row = upper ? pair.to[k] : pair.from[k];
      if (row < 0) continue;
      const double sign = upper ? 1 : -1;
      role[std::size_t(row)] = follows;
      followers.push_back({row, upper ? pair.from[k] : -1});
      const Index first = components * static_cast<Index>(i);
      const auto add = [&](Index component, double value) {
        if (value != 0)
          S.emplace_back(static_cast<int>(row), static_cast<int>(first + component), sign * value);
      };
      add(0, axes.normal[Index(k)]);
      for (std::size_t t = 0; t < axes.tangents.size(); ++t)
        add(1 + Index(t), axes.tangents[t][Index(k)]);
    }
  }
  Index unknowns = 0;
  for (Index row = 0; row < rows; ++row)
    if (role[std::size_t(row)] == free) {
      role[std::size_t(row)] = unknowns;
      B.emplace_back(static_cast<int>(row), static_cast<int>(unknowns++), 1.0);
    }
  for (const Follower& f : followers)
    if (f.leader >= 0 && role[std::size_t(f.leader)] >= 0)
      B.emplace_back(static_cast<int>(f.row), static_cast<int>(role[std::size_t(f.leader)]), 1.0);
  SparseMatrix by(rows, unknowns), bs(rows, components * static_cast<Index>(in.pairs.size()));
  by.setFromTriplets(B.begin(), B.end());
  bs.setFromTriplets(S.begin(), S.end());
  const Vector forces = in.forces.size() > 0 ? in.forces : Vector(Vector::Zero(rows));
  const SparseMatrix K = 0.5 * (in.K + SparseMatrix(in.K.transpose()));
  return Condensed(K, by, bs, d, forces);
}

}  // namespace

MatrixJoint::MatrixJoint(const MatrixJointInput& input)
    : components_(components_of(with_held(input))),
      mu_(static_cast<Index>(input.pairs.size())),
      gap_(mu_.size()),
      given_(mu_.size()),
      condensed_(condense(input, components_)),
      K_(condensed_.K()) {
  for (Index i = 0; i < nodes(); ++i) {
    const NodePair& pair = input.pairs[std::size_t(i)];
    mu_[i] = pair.mu;
    gap_[i] = pair.gap;
    given_[i] = pair.force;
  }
  // A tangent that dropped out carries no force; a spring holds it in place.
  const double spring = K_.diagonal().maxCoeff();
  for (Index i = 0; i < K_.rows(); ++i)
    if (K_(i, i) <= 1e-14 * spring) K_(i, i) = spring;
}

Problem MatrixJoint::problem() const {
  if (planar()) throw Error("friction acts in the plane; the problem has no exact path");
  return {K_, condensed_.g(), condensed_.b(), mu_, gap_};
}

Vector MatrixJoint::contact_forces() const {
  if (given_.array().isNaN().any()) {
    const auto normals = Eigen::seqN(0, nodes(), components_);
    return normal_forces(K_(normals, normals), condensed_.g()(normals), gap_);
  }
  return given_;
}

TiedInterface MatrixJoint::tied() const {
  if (planar()) throw Error("friction acts in the plane; the interface is not a system of sliders");
  return tied_interface(K_, condensed_.b(), condensed_.c0(), mu_.cwiseProduct(contact_forces()));
}

PlanarProblem MatrixJoint::planar_problem(bool unilateral) const {
  PlanarProblem problem;
  problem.mu = mu_;
  if (unilateral) {
    problem.K = K_;
    problem.g = condensed_.g();
    problem.b = condensed_.b();
    problem.gap = gap_;
    return problem;
  }
  std::vector<Index> tangents;
  for (Index i = 0; i < nodes(); ++i)
    for (const Index k : {1, 2}) tangents.push_back(3 * i + k);
  problem.K = K_(tangents, tangents);
  problem.b = condensed_.b()(tangents);
  problem.g = Vector::Zero(problem.b.size());
  problem.pressure = contact_forces();
  return problem;
}

}  // namespace microslip::contact
