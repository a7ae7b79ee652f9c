#include "catalog/files/massless.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "microslip/catalog/by_displacement.hpp"
#include "microslip/catalog/coupled_joints.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/io/file.hpp"

namespace microslip::catalog {
namespace {

using dynamics::Direction;
using dynamics::SparseMatrix;
using Index = Eigen::Index;

/// Rows and columns of a matrix.
Eigen::MatrixXd part_of(const SparseMatrix& matrix, const std::vector<Index>& rows,
                        const std::vector<Index>& columns) {
  std::vector<Index> place(static_cast<std::size_t>(matrix.rows()), -1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    place[static_cast<std::size_t>(rows[i])] = static_cast<Index>(i);
  Eigen::MatrixXd result =
      Eigen::MatrixXd::Zero(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (SparseMatrix::InnerIterator entry(matrix, columns[j]); entry; ++entry)
      if (const Index i = place[static_cast<std::size_t>(entry.row())]; i >= 0)
        result(i, static_cast<Index>(j)) = entry.value();
  return result;
}

Eigen::VectorXd part_of(const Eigen::VectorXd& vector, const std::vector<Index>& rows) {
  return vector(rows);
}

std::vector<Index> massless_of(const SparseMatrix& M) {
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(M.rows());
  for (Index j = 0; j < M.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(M, j); entry; ++entry)
      sizes[entry.row()] += std::abs(entry.value());
  std::vector<Index> result;
  for (Index i = 0; i < sizes.size(); ++i)
    if (sizes[i] == 0) result.push_back(i);
  return result;
}

}  // namespace

void condense_massless(const TomlTable& root, const Places& places, StructureFile& file,
                       std::vector<Index>& kept) {
  dynamics::Structure& s = file.structure;
  const std::vector<Index> m = massless_of(s.M);
  kept.clear();
  for (Index i = 0; i < s.size(); ++i)
    if (!std::binary_search(m.begin(), m.end(), i)) kept.push_back(i);
  if (m.empty()) return;
  const auto name = [&](Index dof) {
    return "degree of freedom " +
           (dof < places.size() ? places.name(dof) : std::to_string(dof + 1)) + " has no mass";
  };
  if (kept.empty()) root.refuse("M", "no degree of freedom has a mass");
  if (root.has("reduction"))
    root.refuse("reduction", name(m.front()) + "; a [reduction] needs masses everywhere");
  for (Index j = 0; j < s.C.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(s.C, j); entry; ++entry)
      for (const Index at : {entry.row(), j})
        if (entry.value() != 0 && std::binary_search(m.begin(), m.end(), at))
          throw Error(io::source_name(root.file()) + ": " + name(at) +
                      "; a damper there would make an equation of first order, which is refused");
  const Eigen::MatrixXd Kmm = part_of(s.K, m, m);
  const dense::Ldlt factor(Kmm);
  const Eigen::VectorXd pivots = factor.pivots();
  for (Index i = 0; i < pivots.size(); ++i)
    if (!(Kmm.diagonal()[i] > 0))
      throw Error(io::source_name(root.file()) + ": " + name(m[static_cast<std::size_t>(i)]) +
                  " and no spring");
  if (!(pivots.minCoeff() > 1e-13 * Kmm.diagonal().maxCoeff()))
    throw Error(io::source_name(root.file()) + ": " + name(m.front()) +
                ", and the springs at massless degrees of freedom do not hold them");
  const Eigen::MatrixXd Kmb = part_of(s.K, m, kept);
  const Eigen::MatrixXd X = factor.solve(Kmb);

  // Directions of the rest, and what moves massless points.
  const auto to_rest = [&](const Eigen::VectorXd& whole) -> Eigen::VectorXd {
    return part_of(whole, kept) - X.transpose() * part_of(whole, m);
  };
  std::vector<std::size_t> touching;
  std::vector<Eigen::VectorXd> moved;
  for (std::size_t j = 0; j < s.joints.size(); ++j) {
    const Eigen::VectorXd whole = s.joints[j].w.dense(), at = part_of(whole, m);
    s.joints[j].w = to_rest(whole);
    if (at.isZero(0)) continue;
    touching.push_back(j);
    moved.push_back(at);
  }
  const auto meets = [&](const Eigen::VectorXd& at) {
    const Eigen::VectorXd far = factor.solve(at);
    return std::any_of(moved.begin(), moved.end(), [&](const Eigen::VectorXd& joint) {
      return std::abs(joint.dot(far)) > 1e-13 * joint.norm() * far.norm();
    });
  };
  for (dynamics::Load& load : s.loads) {
    if (const Eigen::VectorXd at = part_of(load.direction, m); !at.isZero(0) && meets(at))
      throw Error(io::source_name(root.file()) +
                  ": a load acts on a massless degree of freedom that a joint moves, which is not "
                  "taken; give it a mass");
    load.direction = to_rest(load.direction);
  }
  for (dynamics::Sensor& sensor : s.sensors) {
    const Eigen::VectorXd whole = sensor.w.dense();
    if (const Eigen::VectorXd at = part_of(whole, m); !at.isZero(0) && meets(at))
      throw Error(io::source_name(root.file()) + ": the sensor '" + sensor.name +
                  "' reads a massless degree of freedom that a joint moves, which is refused; "
                  "give it a mass");
    sensor.w = to_rest(whole);
  }
  for (dynamics::InterfaceElement& interface : s.interfaces)
    for (Direction& w : interface.w) {
      const Eigen::VectorXd whole = w.dense();
      if (!part_of(whole, m).isZero(0))
        throw Error(io::source_name(root.file()) + ": " +
                    (interface.law->model()
                         ? interface.law->name() + ", a joint with several directions,"
                         : "an [[interface]]") +
                    " must lie between degrees of freedom with mass");
      w = to_rest(whole);
    }
  const Eigen::MatrixXd Kbb = part_of(s.K, kept, kept);
  s.K = (Kbb - Kmb.transpose() * X).sparseView(1, 1e-15);
  s.M = part_of(s.M, kept, kept).sparseView(0, 0);
  s.C = part_of(s.C, kept, kept).sparseView(0, 0);

  // Joints that touch massless points.
  const auto count = static_cast<Index>(touching.size());
  Eigen::MatrixXd G(count, count);
  for (Index j = 0; j < count; ++j)
    for (Index l = 0; l < count; ++l)
      G(j, l) = moved[static_cast<std::size_t>(j)].dot(
          Eigen::VectorXd(factor.solve(moved[static_cast<std::size_t>(l)])));
  const auto coupled = [&](Index j) {
    for (Index l = 0; l < count; ++l)
      if (l != j && std::abs(G(j, l)) > 1e-13 * std::sqrt(G(j, j) * G(l, l))) return true;
    return false;
  };
  std::vector<AnyModel> group;
  std::vector<Index> members;
  dynamics::InterfaceElement element;
  std::vector<bool> gone(s.joints.size(), false);
  for (Index j = 0; j < count; ++j) {
    const std::size_t at = touching[static_cast<std::size_t>(j)];
    dynamics::JointElement& joint = s.joints[at];
    if (!coupled(j)) {
      joint.model = in_series(joint.model, G(j, j));
      joint.parts.clear();  // side by side, but not behind a spring
      continue;
    }
    if (joint.model.rate_dependent() || joint.model.rigid())
      throw Error(
          io::source_name(root.file()) + ": joint " + std::to_string(at + 1) + " (" +
          joint.model.description().name +
          ") shares a massless degree of freedom with another joint; there it must be a law "
          "with a stiffness at rest that does not depend on time");
    group.push_back(joint.model);
    members.push_back(j);
    element.w.push_back(joint.w);
    gone[at] = true;
  }
  if (!group.empty()) {
    const Eigen::MatrixXd shared = G(members, members);
    element.law = coupled_joints({std::move(group), shared});
    element.name = "joints at massless points";
    s.interfaces.push_back(std::move(element));
    for (std::size_t j = gone.size(); j-- > 0;)
      if (gone[j]) {
        s.joints.erase(s.joints.begin() + static_cast<std::ptrdiff_t>(j));
        file.laws.erase(file.laws.begin() + static_cast<std::ptrdiff_t>(j));
      }
  }
}

}  // namespace microslip::catalog
