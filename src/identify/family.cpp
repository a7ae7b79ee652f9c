#include "microslip/identify/family.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "microslip/core/error.hpp"

namespace microslip::identify {
namespace {

using dynamics::Structure;

Eigen::MatrixXd difference(const dynamics::SparseMatrix& up, const dynamics::SparseMatrix& down,
                           double over) {
  Eigen::MatrixXd result = Eigen::MatrixXd(up - down) / over;
  if (result.cwiseAbs().maxCoeff() == 0) result.resize(0, 0);
  return result;
}

/// The first-order change of a harmonic load, which is linear in its amplitude.
dynamics::Load load_difference(const dynamics::Load& up, const dynamics::Load& down, double over) {
  dynamics::Load change = up;
  const auto* to = std::get_if<dynamics::Tones>(&up.signal);
  const auto* from = std::get_if<dynamics::Tones>(&down.signal);
  change.direction = (up.direction - down.direction) / over;
  if (!to || !from) return change;
  // d(direction · amplitude) = d(direction) · amplitude + direction · d(amplitude): one of them moves.
  if (change.direction.isZero(0)) {
    change.direction = up.direction;
    auto& tones = std::get<dynamics::Tones>(change.signal).list;
    for (std::size_t i = 0; i < tones.size(); ++i)
      tones[i].amplitude = (to->list[i].amplitude - from->list[i].amplitude) / over;
  }
  return change;
}

}  // namespace

void check_structure(const Structure& structure) {
  if (structure.size() > most_freedoms)
    throw Error("identify takes at most " + std::to_string(most_freedoms) +
                " degrees of freedom; this structure has " + std::to_string(structure.size()));
  dynamics::refuse_interfaces(structure, "identify");
  for (const dynamics::JointElement& joint : structure.joints) {
    const Description& law = joint.model.description();
    if (joint.model.rigid())
      throw Error(
          "identify takes no rigid friction, which '" + law.name +
          "' has; give the joint a stiffness before it slides (jenkins for coulomb), or the law an "
          "'epsilon' where it has this option");
    if (joint.model.description().driven == Driven::force)
      throw Error("identify takes laws driven by displacement; '" + law.name +
                  "' is driven by force");
  }
}

void seed(const AnyModel& law, const Unknown& unknown, int direction, DualValues& values) {
  auto& list = values[unknown.parameter];
  const Value& value = law.parameters().at(unknown.parameter);
  if (list.empty()) {
    if (const auto* number = std::get_if<double>(&value)) list = {WideDual(*number)};
    if (const auto* numbers = std::get_if<std::vector<double>>(&value))
      for (const double x : *numbers) list.emplace_back(x);
  }
  list.at(unknown.element).v[direction] = 1;
}

AnyDualModel System::dual(std::size_t joint, Eigen::Index first) const {
  DualValues values;
  for (const int place : joints[joint].unknowns)
    if (place >= first && place < first + dual_width)
      seed(joints[joint].law, (*unknowns)[static_cast<std::size_t>(place)],
           static_cast<int>(place - first), values);
  return joints[joint].law.dual(values);
}

System system_at(const Build& build, const std::vector<Unknown>& unknowns, const Eigen::VectorXd& p,
                 bool derivatives) {
  const Structure at = build(p);
  System system;
  system.size = at.size();
  system.M = at.M;
  system.C = at.C;
  system.K = at.K;
  system.loads = at.loads;
  system.unknowns = &unknowns;
  system.W.setZero(at.size(), static_cast<Eigen::Index>(at.joints.size()));
  for (std::size_t j = 0; j < at.joints.size(); ++j) {
    system.W.col(static_cast<Eigen::Index>(j)) = at.joints[j].w.dense();
    system.joints.push_back(
        {at.joints[j].model, {}, dynamics::tangent_at_rest(at.joints[j].model)});
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      if (unknowns[i].joint == static_cast<int>(j))
        system.joints.back().unknowns.push_back(static_cast<int>(i));
  }
  if (!derivatives) return system;
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    // A parameter of a law reaches the matrices through damping with stuck joints alone.
    const auto place = static_cast<Eigen::Index>(i);
    const double step =
        1e-5 * std::max(std::abs(p[place]), 1e-9 * std::abs(unknowns[i].start) + 1e-300);
    Eigen::VectorXd up = p, down = p;
    up[place] += step;
    down[place] -= step;
    const double over = up[place] - down[place];
    try {
      const Structure high = build(up), low = build(down);
      system.dM.push_back(difference(high.M, low.M, over));
      system.dC.push_back(difference(high.C, low.C, over));
      system.dK.push_back(difference(high.K, low.K, over));
      std::vector<dynamics::Load> loads;
      for (std::size_t l = 0; l < at.loads.size(); ++l)
        loads.push_back(load_difference(high.loads[l], low.loads[l], over));
      const auto changes = [&](const dynamics::Load& load) {
        const auto* tones = std::get_if<dynamics::Tones>(&load.signal);
        return !load.direction.isZero(0) &&
               (!tones || std::any_of(tones->list.begin(), tones->list.end(),
                                      [](const dynamics::Tone& t) { return t.amplitude != 0; }));
      };
      if (std::none_of(loads.begin(), loads.end(), changes)) loads.clear();
      system.d_loads.push_back(std::move(loads));
    } catch (const Error&) {
      // Beside a limit of a law, whose parameters do not reach the matrices there.
      system.dM.emplace_back();
      system.dC.emplace_back();
      system.dK.emplace_back();
      system.d_loads.emplace_back();
    }
  }
  return system;
}

}  // namespace microslip::identify
