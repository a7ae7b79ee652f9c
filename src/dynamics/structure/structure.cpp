#include "microslip/dynamics/structure/structure.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/numerics/constants.hpp"
#include "microslip/numerics/dense.hpp"

namespace microslip::dynamics {
namespace {

double at(const Tones& tones, double t) {
  double sum = 0;
  for (const Tone& tone : tones.list) sum += tone.amplitude * std::cos(tone.omega * t + tone.phase);
  return sum;
}
double at(const Constant& constant, double) { return constant.value; }

double at(const Sweep& sweep, double t) {
  if (t < 0 || t > sweep.duration) return 0;
  const double ratio = sweep.omega_to / sweep.omega_from;
  const double rate = std::log(ratio) / sweep.duration;
  const double phase =
      sweep.logarithmic && ratio != 1
          ? sweep.omega_from * std::expm1(rate * t) / rate
          : t * (sweep.omega_from + 0.5 * (sweep.omega_to - sweep.omega_from) * t / sweep.duration);
  return sweep.amplitude * std::sin(phase);
}

double at(const SteppedSine& sine, double t) {
  const auto after = std::upper_bound(sine.start.begin(), sine.start.end(), t);
  if (after == sine.start.begin() || after == sine.start.end()) return 0;
  const auto level = static_cast<std::size_t>(after - sine.start.begin()) - 1;
  return sine.amplitude * std::sin(sine.omega[level] * (t - sine.start[level]));
}

double at(const Impulse& impulse, double t) {
  const double part = (t - impulse.start) / impulse.duration;
  if (!(impulse.duration > 0) || part < 0 || part > 1) return 0;
  return impulse.impulse * pi / (2 * impulse.duration) * std::sin(pi * part);
}

double at(const SampledLoad& samples, double t) {
  const auto after = std::upper_bound(samples.t.begin(), samples.t.end(), t);
  if (after == samples.t.begin()) return 0;
  if (after == samples.t.end()) return t == samples.t.back() ? samples.values.back() : 0;
  const auto i = static_cast<std::size_t>(after - samples.t.begin());
  const double part = (t - samples.t[i - 1]) / (samples.t[i] - samples.t[i - 1]);
  return samples.values[i - 1] + part * (samples.values[i] - samples.values[i - 1]);
}

double at(const Formula& formula, double t) { return formula.force(t); }

double first_after(double t, std::initializer_list<double> times) {
  double first = infinity;
  for (const double x : times)
    if (x > t) first = std::min(first, x);
  return first;
}
double break_after(const Tones&, double) { return infinity; }
double break_after(const Constant&, double) { return infinity; }
double break_after(const Formula&, double) { return infinity; }
double break_after(const Sweep& sweep, double t) { return first_after(t, {sweep.duration}); }
double break_after(const SteppedSine& sine, double t) {
  const auto after = std::upper_bound(sine.start.begin(), sine.start.end(), t);
  return after == sine.start.end() ? infinity : *after;
}
double break_after(const Impulse& impulse, double t) {
  return first_after(t, {impulse.start, impulse.start + impulse.duration});
}
double break_after(const SampledLoad& samples, double t) {
  const auto after = std::upper_bound(samples.t.begin(), samples.t.end(), t);
  return after == samples.t.end() ? infinity : *after;
}

void check_square(const SparseMatrix& matrix, Eigen::Index size, const char* name) {
  if (matrix.rows() != size || matrix.cols() != size)
    throw Error(std::string(name) + " has " + std::to_string(matrix.rows()) + " rows and " +
                std::to_string(matrix.cols()) + " columns; M has " + std::to_string(size));
}

void check_symmetric(const SparseMatrix& matrix, const char* name) {
  const SparseMatrix transposed = matrix.transpose();
  // Finite-element codes write single precision now and then.
  if ((matrix - transposed).norm() > 1e-6 * matrix.norm())
    throw Error(std::string(name) + " is not symmetric");
}

}  // namespace

SteppedSine stepped_sine(double amplitude, std::vector<double> omega,
                         const std::vector<int>& cycles) {
  if (omega.empty() || cycles.size() != omega.size())
    throw Error("a stepped sine needs a number of cycles for each of its frequencies");
  SteppedSine sine{amplitude, std::move(omega), {0}};
  for (std::size_t i = 0; i < cycles.size(); ++i) {
    if (!(sine.omega[i] > 0))
      throw Error("omegas: " + number_text(sine.omega[i]) + " must be positive");
    if (cycles[i] < 1) throw Error("cycles = " + std::to_string(cycles[i]) + " must be positive");
    sine.start.push_back(sine.start.back() + cycles[i] * 2 * pi / sine.omega[i]);
  }
  return sine;
}

double value(const Signal& signal, double t) {
  return std::visit([t](const auto& s) { return at(s, t); }, signal);
}
double next_break(const Signal& signal, double t) {
  return std::visit([t](const auto& s) { return break_after(s, t); }, signal);
}

void check(const Structure& structure) {
  check_parts(structure);
  refuse_interfaces(structure, "this analysis", true);
}

void check_parts(const Structure& structure) {
  const Eigen::Index n = structure.size();
  if (n == 0) throw Error("the structure has no degree of freedom");
  check_square(structure.M, n, "M");
  check_square(structure.C, n, "C");
  check_square(structure.K, n, "K");
  check_symmetric(structure.M, "M");
  check_symmetric(structure.K, "K");
  for (Eigen::Index i = 0; i < n; ++i)
    if (!(structure.M.coeff(i, i) > 0))
      throw Error("the mass of degree of freedom " + std::to_string(i + 1) + " = " +
                  number_text(structure.M.coeff(i, i)) + " must be positive");
  for (std::size_t j = 0; j < structure.joints.size(); ++j) {
    const JointElement& joint = structure.joints[j];
    const Description& law = joint.model.description();
    const std::string name = "joint " + std::to_string(j + 1) + " (" + law.name + ")";
    if (law.family == Family::planar)
      throw Error(name + " is a planar law; a joint acts along one direction");
    if (law.driven == Driven::force)
      throw Error(
          name +
          " is driven by force; as a joint it must be driven by displacement, as in series(" +
          law.name + ")");
    if (joint.w.size() != n || joint.w.is_zero())
      throw Error(name + " must connect two different places");
  }
  for (const InterfaceElement& interface : structure.interfaces) {
    if (static_cast<Eigen::Index>(interface.w.size()) != interface.law->size())
      throw Error(interface.law->name() + " needs " + std::to_string(interface.law->size()) +
                  " directions");
    for (const Direction& w : interface.w)
      if (w.size() != n)
        throw Error(interface.law->name() + " must act on all " + std::to_string(n) +
                    " degrees of freedom");
  }
}

void refuse_interfaces(const Structure& structure, const std::string& analysis, bool takes_walks) {
  for (const InterfaceElement& interface : structure.interfaces)
    if (!takes_walks || !interface.law->walk())
      throw Error(analysis + " does not take " + interface.law->name());
}

Direction between(Eigen::Index size, Eigen::Index from, Eigen::Index to) {
  Eigen::SparseVector<double> w(size);
  if (from != to && from > 0) w.coeffRef(from - 1) = -1;
  if (from != to && to > 0) w.coeffRef(to - 1) = 1;
  return w;
}

void add_along(SparseMatrix& matrix, const Direction& w, double k) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Direction::InnerIterator i(w); i; ++i)
    for (Direction::InnerIterator j(w); j; ++j)
      entries.emplace_back(i.index(), j.index(), k * i.value() * j.value());
  SparseMatrix added(matrix.rows(), matrix.cols());
  added.setFromTriplets(entries.begin(), entries.end());
  matrix += added;
}

Modes linear_modes(const Eigen::MatrixXd& M, const Eigen::MatrixXd& K) {
  dense::SymmetricModes modes(K, M);
  if (!modes.found) throw Error("M is not positive definite");
  return {modes.values.cwiseMax(0).cwiseSqrt(), std::move(modes.vectors)};
}

Modes modes_at_rest(const Structure& structure) {
  Eigen::MatrixXd K = structure.K;
  for (const JointElement& joint : structure.joints)
    K += tangent_at_rest(joint.model) * joint.w * joint.w.transpose();
  for (const InterfaceElement& interface : structure.interfaces)
    add_along(K, interface.w, tangent_at_rest(*interface.law));
  return linear_modes(structure.M, K);
}

SparseMatrix modal_damping(const SparseMatrix& M, const SparseMatrix& K,
                           const std::vector<double>& ratios) {
  const Modes modes = linear_modes(M, K);
  const auto given = static_cast<Eigen::Index>(ratios.size());
  if (given > M.rows())
    throw Error("damping has " + std::to_string(given) + " ratios; there are " +
                std::to_string(M.rows()) + " modes");
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(M.rows(), M.rows());
  for (Eigen::Index i = 0; i < given; ++i) {
    const Eigen::VectorXd momentum = M * modes.shapes.col(i);
    C += 2 * ratios[static_cast<std::size_t>(i)] * modes.omega[i] * momentum * momentum.transpose();
  }
  return C.sparseView();
}

bool rigid(const Structure& structure) {
  return std::any_of(structure.joints.begin(), structure.joints.end(),
                     [](const JointElement& joint) { return joint.model.rigid(); });
}

double tangent_at_rest(const AnyModel& model) {
  AnyState state = model.rest();
  // Rate-dependent laws: infinitely slowly, without the force of their dashpots.
  if (model.rate_dependent() && model.rigid()) return 0;
  const double dt = model.rate_dependent() ? std::numeric_limits<double>::infinity() : 1;
  const double tangent = model.step(state, 0, dt, state).tangent;
  return std::isfinite(tangent) ? tangent : 0;
}

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

void add_along(Eigen::MatrixXd& matrix, const std::vector<Direction>& w, const Eigen::MatrixXd& T) {
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t j = 0; j < w.size(); ++j)
      for (Direction::InnerIterator a(w[i]); a; ++a)
        for (Direction::InnerIterator b(w[j]); b; ++b)
          matrix(a.index(), b.index()) +=
              T(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * a.value() * b.value();
}

}  // namespace microslip::dynamics
