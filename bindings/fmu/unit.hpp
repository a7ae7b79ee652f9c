#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/fmu/variables.hpp"

/// What an FMU holds, a joint or a structure, as its functions see it.
namespace microslip::fmu {

/// A step without an answer: the unit stays where it was.
struct Discarded {
  std::string sentence;
};

/// What a unit remembers at a moment: as bytes, or as something that is quicker to copy.
struct Memory {
  std::string bytes{};
  std::shared_ptr<const void> live{};
};

class Unit {
 public:
  virtual ~Unit() = default;

  const Contents& contents() const { return contents_; }

  /// With the parameters of the instance, in the order of the variables.
  virtual void build(std::span<const double> parameters) = 0;
  /// The state and the outputs at the beginning.
  virtual void initialize(double t, std::span<const double> inputs, std::span<double> outputs) = 0;
  /// To t + size, as a whole or not at all. `inputs` are those at the end of the step where the
  /// contents interpolate, otherwise those that hold during the step.
  virtual void step(double t, double size, std::span<const double> inputs,
                    std::span<double> outputs) = 0;
  /// d output/d input; throws Error where there is none.
  virtual double derivative(const Variable& output, const Variable& input,
                            std::span<const double> outputs) const = 0;

  virtual Memory memory() const = 0;
  virtual void restore(const Memory& memory) = 0;
  virtual std::string bytes(const Memory& memory) const { return memory.bytes; }

 protected:
  Contents contents_;
};

/// What the resources of an FMU describe.
std::unique_ptr<Unit> read_unit(const std::string& resources);
std::unique_ptr<Unit> make_joint(const std::string& model_file);
std::unique_ptr<Unit> make_structure(std::string_view text);

}  // namespace microslip::fmu
