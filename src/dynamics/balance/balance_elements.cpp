#include "dynamics/balance/balance_elements.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/body/sliding_body.hpp"
#include "dynamics/fourier/fourier.hpp"
#include "dynamics/joint/periodic_interface.hpp"
#include "dynamics/joint/periodic_joint.hpp"
#include "dynamics/joint/periodic_planar.hpp"
#include "dynamics/joint/periodic_steps.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/parallel.hpp"

namespace microslip::dynamics {
BalanceElements::BalanceElements(const BalancedStructure& whole, int harmonics,
                                 const PeriodicOptions& options, bool preloaded)
    : whole_(whole), harmonics_(harmonics), options_(options), size_(whole.size(harmonics)) {
  place_of_.resize(whole.structure().joints.size());
  add_bodies();
  add_paths(preloaded);
  add_interfaces(preloaded);
}

void BalanceElements::add_bodies() {
  const Structure& structure = whole_.structure();
  Eigen::Index row = size_.structure, own = size_.dofs * size_.fourier_size;
  for (std::size_t g = 0; g < whole_.groups().size(); ++g) {
    const TiedJoints& group = whole_.groups()[g];
    const BodyInertia& inertia = whole_.inertias()[g];
    const Eigen::MatrixXd& B = inertia.directions;
    const Eigen::VectorXd springs = inertia.stiffness.diagonal();
    ElementSlot& slot = slots_.emplace_back();
    slot.members = group.members;
    std::vector<SlidingBody::Member> members;
    for (std::size_t i = 0; i < slot.members.size(); ++i) {
      const JointElement& joint = structure.joints[slot.members[i]];
      place_of_[slot.members[i]] = {slots_.size() - 1, i};
      members.push_back({joint.model, inertia.along.col(static_cast<Eigen::Index>(i))});
      slot.along.push_back(joint.w);
    }
    slot.element =
        std::make_unique<SlidingBody>(members, harmonics_, inertia.damping, inertia.stiffness,
                                      B.transpose() * whole_.at_first().x, group.apart);
    slot.body = ElementSlot::Body{row, inertia, springs.cwiseProduct(inertia.units), inertia.units};
    slot.own = own;
    slot.own_units = inertia.units.replicate(2, 1);
    const double square = options_.reference_omega * options_.reference_omega;
    slot.own_rows =
        (inertia.units.cwiseAbs2().array() * (springs.maxCoeff() + square)).replicate(2, 1);
    for (Eigen::Index i = 0; i < B.cols(); ++i, ++row) {
      Eigen::VectorXd in = Eigen::VectorXd::Zero(size_.dofs), out = in;
      in[row] = slot.body->units[i];
      out.head(B.rows()) = B.col(i);
      out[row] = -inertia.units[i];
      slot.in.emplace_back(in.sparseView());
      slot.out.emplace_back(out.sparseView());
    }
    own += slot.own_units.size();
  }
}

/// Joints that do not slide on bodies.
void BalanceElements::add_paths(bool preloaded) {
  for (std::size_t j = 0; j < whole_.structure().joints.size(); ++j) {
    const JointElement& joint = whole_.structure().joints[j];
    if (size_.slides && joint.model.rigid()) continue;
    std::vector<double> before;
    if (preloaded) before.push_back(joint.w.dot(whole_.at_first().x));
    Eigen::VectorXd w = Eigen::VectorXd::Zero(size_.dofs);
    w.head(whole_.structure().size()) = joint.w;
    place_of_[j] = {slots_.size(), 0};
    ElementSlot& slot = slots_.emplace_back();
    slot.element = std::make_unique<PeriodicJoint>(joint.model, harmonics_, options_, before);
    slot.members = {j};
    slot.along = {joint.w};
    slot.in = slot.out = {w.sparseView()};
    slot.tangent = tangent_at_rest(joint.model);
    slot.stiffness = size_.slides ? 0 : std::abs(slot.tangent);
  }
}

void BalanceElements::add_interfaces(bool preloaded) {
  for (const InterfaceElement& interface : whole_.structure().interfaces) {
    std::vector<Eigen::VectorXd> before;
    if (preloaded) before.push_back(displacements(interface, whole_.at_first().x));
    ElementSlot& slot = slots_.emplace_back();
    const AnyModel* law = interface.law->model();
    const bool exact = options_.rule == Rule::event_exact;
    if (!law || (exact && interface.law->walk()))
      slot.element = std::make_unique<PeriodicInterface>(*interface.law, harmonics_, before);
    else if (exact && !interface.law->sliders().empty())
      slot.element =
          std::make_unique<PeriodicPlanar>(*interface.law, harmonics_, options_.level, before);
    else
      slot.element = std::make_unique<PeriodicSteps>(*law, interface.law->size(), harmonics_,
                                                     options_, before);
    slot.members = {place_of_.size()};
    slot.along = interface.w;
    for (const Direction& direction : interface.w) {
      Eigen::VectorXd w = Eigen::VectorXd::Zero(size_.dofs);
      w.head(whole_.structure().size()) = direction;
      slot.in.emplace_back(w.sparseView());
    }
    slot.out = slot.in;
    const Eigen::VectorXd u = preloaded ? displacements(interface, whole_.at_first().x)
                                        : Eigen::VectorXd::Zero(interface.law->size()).eval();
    slot.tangent = tangent_about(*interface.law, u).diagonal().mean();
    slot.stiffness = size_.slides ? 0 : std::abs(slot.tangent);
    place_of_.push_back({slots_.size() - 1, 0});
  }
}

const std::vector<Direction>& BalanceElements::directions(std::size_t member) const {
  return slots_[place_of_[member].slot].along;
}

Eigen::VectorXd BalanceElements::input_of(const ElementSlot& slot, const Eigen::VectorXd& y) const {
  const Eigen::Index r = slot.inputs();
  Eigen::VectorXd input(r * size_.fourier_size);
  for (Eigen::Index k = 0; k < size_.fourier_size; ++k)
    for (Eigen::Index i = 0; i < r; ++i)
      input[k * r + i] =
          slot.in[static_cast<std::size_t>(i)].dot(y.segment(k * size_.dofs, size_.dofs));
  return input;
}

Eigen::VectorXd BalanceElements::own_of(const ElementSlot& slot, const Eigen::VectorXd& y) const {
  return slot.own_units.cwiseProduct(y.segment(slot.own, slot.own_units.size()));
}

Status BalanceElements::evaluate(const Eigen::VectorXd& y, bool with_jacobian) {
  // A thread must have some milliseconds to do before it pays to start it.
  const auto work =
      static_cast<Eigen::Index>(slots_.size()) * size_.fourier_size * (size_.slides ? 20 : 1);
  in_parallel(slots_.size(), work < 500 ? 1 : thread_count(0), [&](std::size_t i) {
    const ElementSlot& slot = slots_[i];
    slot.element->respond(input_of(slot, y), own_of(slot, y), omega(y), with_jacobian);
  });
  for (const ElementSlot& slot : slots_)
    if (slot.element->reply().status != Status::ok) return slot.element->reply().status;
  return Status::ok;
}

Eigen::VectorXd BalanceElements::mean_noise() const {
  Eigen::VectorXd noise = Eigen::VectorXd::Zero(size_.dofs);
  for (const ElementSlot& slot : slots_)
    for (const Eigen::SparseVector<double>& out : slot.out)
      if (slot.element->reply().mean_noise > 0)
        noise += slot.element->reply().mean_noise * Eigen::VectorXd(out).cwiseAbs();
  return noise;
}

void BalanceElements::close_periods(Eigen::VectorXd& y) {
  for (const ElementSlot& slot : slots_) {
    if (slot.own_units.size() == 0) continue;
    Eigen::VectorXd own;
    if (slot.element->close(input_of(slot, y), omega(y), own))
      y.segment(slot.own, own.size()) = own.cwiseQuotient(slot.own_units);
  }
}

const JointLoop& BalanceElements::loop(std::size_t joint) const {
  const auto [slot, member] = place_of_[joint];
  return slots_[slot].element->loop(member);
}

const PeriodicForce& BalanceElements::force(std::size_t joint) const {
  const auto [slot, member] = place_of_[joint];
  return slots_[slot].element->force(member);
}

LinearisedLoop BalanceElements::linearise(const Eigen::VectorXd& y, std::size_t joint, int steps) {
  const auto [slot, member] = place_of_[joint];
  return slots_[slot].element->linearise(member, input_of(slots_[slot], y), steps);
}

bool BalanceElements::linearise_wholly() const {
  return std::all_of(slots_.begin(), slots_.end(),
                     [](const ElementSlot& slot) { return slot.element->linearises(); });
}

/// What a law that depends on the rate loses between nodes is known only as well as its path, and one
/// that slides has more harmonics than the structure: the work of the force is better.
double BalanceElements::energy(const Eigen::VectorXd& y, std::size_t joint) const {
  const PeriodicForce& force = this->force(joint);
  if (!slots_[place_of_[joint].slot].element->depends_on_frequency()) return force.energy;
  const Eigen::VectorXd q = motion(y, joint);
  double sum = 0;
  for (int h = 1; h <= harmonics_; ++h)
    sum += h * (force.coefficients[place_of_cosine(h)] * q[place_of_sine(h)] -
                force.coefficients[place_of_sine(h)] * q[place_of_cosine(h)]);
  return std::numbers::pi * sum;
}

/// Forces of harmonics left out act through the impedance of each degree of freedom alone.
double BalanceElements::truncation(const Eigen::VectorXd& y, const BalanceScales& scales) {
  const Structure& s = whole_.structure();
  const double motion = scales.largest_motion(y), size = scales.largest_vibration(y);
  double largest = 0;
  for (const ElementSlot& slot : slots_) {
    const auto moved = [&](Eigen::Index input, int h, double force) {
      const double rate = h * omega(y);
      double change = 0;
      for (Direction::InnerIterator w(slot.along[static_cast<std::size_t>(input)]); w; ++w) {
        const Eigen::Index i = w.index();
        const double impedance = std::abs(s.K.coeff(i, i) - rate * rate * s.M.coeff(i, i)) +
                                 rate * std::abs(s.C.coeff(i, i));
        change =
            std::max(change, std::abs(w.value()) * force / (impedance * scales.dofs()[i] * size));
      }
      return change;
    };
    largest =
        std::max(largest, slot.element->truncation(input_of(slot, y), omega(y), {motion, moved}));
  }
  return largest;
}

double BalanceElements::quadrature(const Eigen::VectorXd& y) {
  double largest = 0;
  for (const ElementSlot& slot : slots_)
    largest = std::max(largest, slot.element->quadrature(input_of(slot, y), omega(y)));
  return std::max(largest, work_error(y));
}

double BalanceElements::work_error(const Eigen::VectorXd& y) {
  if (evaluate(y, false) != Status::ok) return 0;
  double largest = 0;
  for (const ElementSlot& slot : slots_) largest = std::max(largest, slot.element->work_error());
  return largest;
}

std::size_t BalanceElements::hardest(const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                                     const Eigen::VectorXd& units) {
  std::vector<Eigen::VectorXd> expected;
  const auto failed = [&] {
    for (const ElementSlot& slot : slots_)
      if (slot.element->reply().status != Status::ok) return owner(slot.members.front()) + 1;
    return std::size_t{0};
  };
  evaluate(from, true);
  if (const std::size_t joint = failed(); joint > 0) return joint;
  for (const ElementSlot& slot : slots_) {
    const PeriodicForce& reply = slot.element->reply();
    expected.push_back(reply.coefficients +
                       reply.jacobian * (input_of(slot, to) - input_of(slot, from)));
    if (!slot.follows())
      expected.back() +=
          slot.element->end().force_wrt_start * (own_of(slot, to) - own_of(slot, from));
  }
  evaluate(to, false);
  if (const std::size_t joint = failed(); joint > 0) return joint;
  std::size_t hardest = 0;
  double largest = -1;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::size_t joint = slots_[i].members.front();
    const Eigen::VectorXd& w = slots_[i].along.front();
    const double error = (slots_[i].element->reply().coefficients - expected[i]).norm() *
                         w.cwiseProduct(units.head(w.size())).norm();
    if (error <= largest) continue;
    largest = error;
    hardest = owner(joint) + 1;
  }
  return hardest;
}

void BalanceElements::refuse_drifting(const Eigen::VectorXd& y) {
  const auto refuse = [&](std::size_t joint) {
    throw Error("joint " + std::to_string(owner(joint) + 1) + " (" +
                whole_.structure().joints[joint].model.description().name +
                ") changes with every cycle and never repeats its loop, so there is no steady "
                "response; use kind = \"time\"");
  };
  for (std::size_t j = 0; j < whole_.structure().joints.size(); ++j)
    if (!whole_.structure().joints[j].model.repeats()) refuse(j);
  for (const InterfaceElement& interface : whole_.structure().interfaces)
    if (const AnyModel* law = interface.law->model(); law && !law->repeats())
      throw Error("the joint " + law->description().name +
                  " changes with every cycle and never repeats its loop, so there is no steady "
                  "response; use kind = \"time\"");
  for (const ElementSlot& slot : slots_)
    if (slot.element->drifts(input_of(slot, y), omega(y))) refuse(slot.members.front());
}

Eigen::VectorXd BalanceElements::motion(const Eigen::VectorXd& y, std::size_t joint) const {
  const Eigen::VectorXd& w = whole_.structure().joints[joint].w;
  Eigen::VectorXd q(size_.fourier_size);
  for (Eigen::Index k = 0; k < size_.fourier_size; ++k)
    q[k] = w.dot(y.segment(k * size_.dofs, w.size()));
  return q;
}

}  // namespace microslip::dynamics
