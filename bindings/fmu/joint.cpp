/// A joint in an FMU. Everything about its law goes through the C interface.

#include <algorithm>
#include <limits>

#include "../c/handles.hpp"
#include "unit.hpp"

namespace microslip::fmu {
namespace {

struct Destroy {
  void operator()(microslip_model* model) const { microslip_destroy(model); }
  void operator()(microslip_state* state) const { microslip_state_destroy(state); }
};
template <class Handle>
using Owned = std::unique_ptr<Handle, Destroy>;

/// A refusal of the C interface as an Error; a law that stops as a step that is discarded.
void check(int code, const microslip_error& error) {
  if (code == MICROSLIP_OK) return;
  if (code == MICROSLIP_STOPPED) throw Discarded{error.sentence};
  throw Error(error.sentence);
}

class Joint final : public Unit {
 public:
  explicit Joint(const std::string& file) {
    microslip_error error;
    microslip_model* made = nullptr;
    check(microslip_create_from_file(file.c_str(), nullptr, &made, &error), error);
    exported_.reset(made);
    contents_ = contents_of(made->law);
    planar_ = microslip_family(made) == MICROSLIP_PLANAR;
    rate_dependent_ = microslip_family(made) == MICROSLIP_RATE_DEPENDENT;
  }

  void build(std::span<const double> parameters) override {
    const auto label = std::make_shared<const std::string>(exported_->name());
    model_.reset(new microslip_model{
        with_parameters(exported_->law, contents_.variables, 0, parameters.data()), label});
  }

  /// From rest, infinitely slowly, to the displacement of the first communication point.
  void initialize(double, std::span<const double> inputs, std::span<double> outputs) override {
    state_ = rest();
    move(std::numeric_limits<double>::infinity(), inputs, outputs);
  }

  void step(double, double size, std::span<const double> inputs,
            std::span<double> outputs) override {
    move(rate_dependent_ ? size : std::numeric_limits<double>::infinity(), inputs, outputs);
  }

  double derivative(const Variable& output, const Variable& input,
                    std::span<const double> outputs) const override {
    if (planar_ || output.reference != force || input.role != Role::input)
      throw Error("the tangent of a scalar law is the only derivative there is");
    return outputs[tangent - force];
  }

  Memory memory() const override {
    microslip_error error;
    std::size_t size = 0;
    check(microslip_state_save(model_.get(), state_.get(), nullptr, 0, &size, &error), error);
    Memory memory{std::string(size, '\0')};
    check(
        microslip_state_save(model_.get(), state_.get(), memory.bytes.data(), size, &size, &error),
        error);
    return memory;
  }

  void restore(const Memory& memory) override {
    microslip_error error;
    microslip_state* made = nullptr;
    check(
        microslip_state_load(model_.get(), memory.bytes.data(), memory.bytes.size(), &made, &error),
        error);
    state_.reset(made);
  }

 private:
  Owned<microslip_state> rest() const {
    microslip_error error;
    microslip_state* made = nullptr;
    check(microslip_rest(model_.get(), &made, &error), error);
    return Owned<microslip_state>(made);
  }

  void move(double dt, std::span<const double> to, std::span<double> outputs) {
    microslip_error error;
    Owned<microslip_state> end = rest();
    double answers[6] = {};
    if (planar_) {
      microslip_vector_response r;
      check(microslip_step_vector(model_.get(), state_.get(), to.data(), end.get(), &r, &error),
            error);
      answers[0] = r.force[0];
      answers[1] = r.force[1];
      answers[force_n - force] = r.force[2];
    } else {
      microslip_response r;
      check(microslip_step(model_.get(), state_.get(), to[0], dt, end.get(), &r, &error), error);
      answers[0] = r.force;
      answers[2] = r.tangent;
    }
    answers[3] = microslip_state_energy(end.get());
    check(microslip_stored(model_.get(), end.get(), &answers[4], &error), error);
    state_ = std::move(end);
    // Only contact laws have the last one.
    std::copy_n(std::begin(answers), outputs.size(), outputs.begin());
  }

  Owned<microslip_model> exported_;  ///< as it lies in the resources
  Owned<microslip_model> model_;     ///< with the parameters of this instance
  Owned<microslip_state> state_;
  bool planar_ = false, rate_dependent_ = false;
};

}  // namespace

std::unique_ptr<Unit> make_joint(const std::string& model_file) {
  return std::make_unique<Joint>(model_file);
}

}  // namespace microslip::fmu
