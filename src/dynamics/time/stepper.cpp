#include "microslip/dynamics/time/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dynamics/time/motion.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::dynamics {

struct Stepper::Fixed {
  Structure structure;
  TimeOptions options;
};

namespace {

TimeOptions options_of(const Structure& structure, const StepperOptions& given) {
  if (given.method == Method::cvode)
    throw Error("a stepper cannot use method cvode, whose memory cannot be copied");
  for (const JointElement& joint : structure.joints)
    if (given.method == Method::events && joint.model.rate_dependent() && !joint.model.rigid())
      throw Error("a stepper with method events cannot take " + joint.model.description().name +
                  ", which is rate-dependent; use midpoint");
  for (const InterfaceElement& interface : structure.interfaces)
    if (given.method == Method::events)
      throw Error(
          "a stepper cannot copy a way between events: method events (use midpoint) cannot be "
          "combined with " +
          interface.law->name());
  TimeOptions options;
  options.method = given.method;
  options.step = given.method == Method::events ? 0 : given.step;
  options.tolerance = given.tolerance;
  options.x0 = given.x0;
  options.v0 = given.v0;
  options.spectral_radius = given.spectral_radius;
  const double frequency = highest_frequency(structure);
  options.until = given.span > 0   ? given.span
                  : given.step > 0 ? 1000 * given.step
                  : frequency > 0  ? 1000 * 2 * std::numbers::pi / frequency
                                   : 0;
  if (!(options.until > 0))
    throw Error("a stepper for a structure without springs needs 'span' or 'step'");
  check(structure, options);
  return options;
}

}  // namespace

bool is_preloaded(const Structure& structure) {
  const auto constant = [](const Load& load) {
    return std::holds_alternative<Constant>(load.signal);
  };
  const auto preloaded = [](const JointElement& joint) {
    AnyState state = joint.model.rest();
    return joint.model.step(state, 0, 0, state).force != 0;
  };
  return std::any_of(structure.loads.begin(), structure.loads.end(), constant) ||
         std::any_of(structure.joints.begin(), structure.joints.end(), preloaded);
}

Stepper::Stepper(const Structure& structure, const StepperOptions& options)
    : fixed_(std::make_shared<Fixed>(Fixed{structure, options_of(structure, options)})) {
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(structure.size());
  StaticState begin{options.x0.size() > 0 ? options.x0 : none, {}, true};
  if (options.from_equilibrium)
    begin = static_equilibrium(structure);
  else
    for (const JointElement& joint : structure.joints) begin.joints.push_back(joint.model.rest());
  if (!begin.converged) throw Error("no equilibrium was found under the static loads");
  motion_ =
      begin_motion(TimeRun(fixed_->structure, fixed_->options, options.t0, std::move(begin.joints)),
                   begin.x, options.v0.size() > 0 ? options.v0 : none);
}

Stepper::Stepper(const Stepper& other) : fixed_(other.fixed_), motion_(other.motion_->clone()) {}
Stepper::Stepper(Stepper&& other) noexcept = default;
Stepper& Stepper::operator=(Stepper&& other) noexcept = default;
Stepper::~Stepper() = default;

Stepper& Stepper::operator=(const Stepper& other) {
  if (this != &other) *this = Stepper(other);
  return *this;
}

bool Stepper::advance(double t) {
  const double step = fixed_->options.step;
  while (motion_->t() < t) {
    const double from = motion_->t();
    double stop = std::min(t, motion_->next_stop());
    // Equal steps, none longer than asked for; a part of 1e-9 more is rounding.
    if (step > 0) stop = from + (stop - from) / std::ceil((stop - from) / step - 1e-9);
    if (t - stop <= 1e-14 * std::abs(t)) stop = t;
    if (!motion_->step(stop)) return false;
    motion_->pass_break();
  }
  return true;
}

void Stepper::set_force(const Eigen::VectorXd& force) {
  if (force.size() != fixed_->structure.size())
    throw Error("a force on this structure must have " + std::to_string(fixed_->structure.size()) +
                " numbers, not " + std::to_string(force.size()));
  motion_->run().extra_force = force;
  motion_->load_changed();
}

StateRecord Stepper::save() const {
  MotionRecord record;
  motion_->clone()->visit(record);
  return record.numbers();
}

void Stepper::load(const StateRecord& numbers) {
  MotionRecord record(numbers);
  std::unique_ptr<Motion> motion = motion_->clone();
  motion->visit(record);
  motion_ = std::move(motion);
}

double Stepper::t() const { return motion_->t(); }
Eigen::VectorXd Stepper::x() const { return motion_->x(); }
Eigen::VectorXd Stepper::v() const { return motion_->v(); }
Eigen::VectorXd Stepper::joint_forces() const {
  std::vector<double> force = motion_->forces();
  const TimeRun& run = motion_->run();
  for (std::size_t i = 0; i < run.interface_force.size(); ++i)
    if (fixed_->structure.interfaces[i].law->model())
      force.insert(force.end(), run.interface_force[i].begin(), run.interface_force[i].end());
  return Eigen::Map<const Eigen::VectorXd>(force.data(), static_cast<Eigen::Index>(force.size()));
}
const std::vector<AnyState>& Stepper::joint_states() const { return motion_->run().state; }
double Stepper::joint_energy(std::size_t joint) const { return motion_->joint_energy(joint); }
EnergyAudit Stepper::audit() const { return motion_->audit(); }
const std::string& Stepper::message() const { return motion_->run().result.message; }

}  // namespace microslip::dynamics
