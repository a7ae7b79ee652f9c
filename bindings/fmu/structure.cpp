#include "bytes.hpp"
#include "jobs/fmu/structure_contents.hpp"
#include "microslip/core/error.hpp"
#include "unit.hpp"

namespace microslip::fmu {
namespace {

using dynamics::Stepper;
using Eigen::Index;
using jobs::DrivenStructure;

void silence(std::vector<dynamics::Load>& loads) {
  for (dynamics::Load& load : loads)
    if (has_history(load)) load.signal = dynamics::Tones{};
}

struct Moment {
  std::unique_ptr<const Stepper> stepper;
  double t0;
  std::vector<double> first;  ///< inputs at the beginning
};

class MovingStructure final : public Unit {
 public:
  explicit MovingStructure(std::string_view text)
      : driven_(jobs::from_text<DrivenStructure>(text, "the structure in the resources")) {
    contents_ = contents_of(driven_);
    contents_.guid = guid_of(text);
    structure_ = driven_.structure;
  }

  void build(std::span<const double> parameters) override {
    structure_ = driven_.structure;
    for (const Variable& v : contents_.variables)
      if (v.boolean && parameters[v.index] == 0) silence(structure_.loads);
    set_parameters(structure_, contents_.variables, parameters.data());
  }

  void initialize(double t, std::span<const double> inputs, std::span<double> outputs) override {
    begin(t, {inputs.begin(), inputs.end()});
    report(outputs);
  }

  void step(double t, double size, std::span<const double> inputs,
            std::span<double> outputs) override {
    go(t, size, inputs);
    report(outputs);
  }

  double derivative(const Variable&, const Variable&, std::span<const double>) const override {
    throw Error("the motion of a structure has no derivative with respect to a load at one moment");
  }

  Memory memory() const override {
    return {{},
            std::shared_ptr<const Moment>(
                new Moment{std::make_unique<const Stepper>(*stepper_), t0_, first_})};
  }

  /// Bytes hold where the motion is, whatever led there: the same steps give the same bits.
  void restore(const Memory& memory) override {
    if (memory.live) {
      const auto& moment = *static_cast<const Moment*>(memory.live.get());
      stepper_ = std::make_unique<Stepper>(*moment.stepper);
      t0_ = moment.t0;
      first_ = moment.first;
      return;
    }
    std::string_view bytes = memory.bytes;
    std::vector<double> inputs(structure_.loads.size());
    const double t0 = take_number(bytes);
    for (double& x : inputs) x = take_number(bytes);
    begin(t0, inputs);
    StateRecord numbers;
    while (!bytes.empty()) {
      std::string name(take_text(bytes));
      std::vector<double> list(take_count(bytes));
      for (double& x : list) x = take_number(bytes);
      numbers.emplace(std::move(name), std::move(list));
    }
    stepper_->load(numbers);
  }

  std::string bytes(const Memory& memory) const override {
    if (!memory.live) return memory.bytes;
    const auto& moment = *static_cast<const Moment*>(memory.live.get());
    std::string bytes;
    put_number(bytes, moment.t0);
    for (const double x : moment.first) put_number(bytes, x);
    for (const auto& [name, list] : moment.stepper->save()) {
      put_text(bytes, name);
      put_bits(bytes, list.size());
      for (const double x : list) put_number(bytes, x);
    }
    return bytes;
  }

 private:
  /// Static loads, as they are at the beginning, are loads of the stepper.
  void begin(double t, std::vector<double> inputs) {
    dynamics::StepperOptions options = driven_.options;
    options.t0 = t0_ = t;
    first_ = std::move(inputs);
    for (std::size_t i = 0; i < first_.size(); ++i)
      if (is_static(i)) structure_.loads[i].signal = dynamics::Constant{first_[i]};
    options.from_equilibrium = options.x0.size() == 0 && dynamics::is_preloaded(structure_);
    stepper_ = std::make_unique<Stepper>(structure_, options);
  }

  bool is_static(std::size_t load) const {
    return std::holds_alternative<dynamics::Constant>(structure_.loads[load].signal);
  }

  void go(double t, double size, std::span<const double> inputs) {
    Eigen::VectorXd force = Eigen::VectorXd::Zero(structure_.size());
    for (std::size_t i = 0; i < inputs.size(); ++i)
      force += (inputs[i] - (is_static(i) ? first_[i] : 0)) * structure_.loads[i].direction;
    auto trial = std::make_unique<Stepper>(*stepper_);
    trial->set_force(force);
    if (!trial->advance(t + size)) throw Discarded{trial->message()};
    stepper_ = std::move(trial);
  }

  /// In the order of the contents.
  void report(std::span<double> outputs) const {
    const Eigen::VectorXd x = stepper_->x(), v = stepper_->v(), f = stepper_->joint_forces();
    auto out = outputs.begin();
    for (Index i = 0; i < x.size(); ++i) {
      *out++ = x[i];
      *out++ = v[i];
    }
    for (const dynamics::Sensor& sensor : structure_.sensors) {
      *out++ = sensor.w.dot(x);
      *out++ = sensor.w.dot(v);
    }
    for (Index j = 0; j < f.size(); ++j) *out++ = f[j];
    *out = 0;
    for (std::size_t j = 0; j < structure_.joints.size() + structure_.interfaces.size(); ++j)
      *out += stepper_->joint_energy(j);
  }

  DrivenStructure driven_;
  dynamics::Structure structure_;  ///< with the parameters of this instance
  std::unique_ptr<Stepper> stepper_;
  double t0_ = 0;
  std::vector<double> first_;  ///< inputs at the beginning
};

}  // namespace

std::unique_ptr<Unit> make_structure(std::string_view text) {
  return std::make_unique<MovingStructure>(text);
}

}  // namespace microslip::fmu
