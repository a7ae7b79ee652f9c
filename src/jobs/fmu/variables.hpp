#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/core/any_model.hpp"

/// The variables of an FMU. The exporter writes them into modelDescription.xml, and the binary finds
/// them again from the resources alone, so the two cannot disagree.
namespace microslip::fmu {

enum class Role { input, output, parameter };

struct Variable {
  std::string name;
  unsigned reference;
  Role role;
  std::string unit;
  std::string sentence;
  std::size_t index = 0;  ///< among the values of its role
  Interval bounds{};
  double start = 0;         ///< of inputs and parameters
  std::string parameter{};  ///< of the law
  std::size_t element = 0;  ///< of a list
  bool one_of_a_list = false;
  std::size_t joint = 0;  ///< whose law it is, in a structure
  bool boolean = false;   ///< 0 or 1; all others are real numbers
};

/// What an FMU is made from.
struct Contents {
  std::string sentence;
  std::string prefix{};  ///< of a parameter in messages: "jenkins."
  std::string guid;      ///< tells exports of different laws, structures or versions apart
  std::vector<Variable> variables;
  bool interpolates = false;     ///< a step goes to its inputs on a line; otherwise it holds them
  bool reads_through = false;    ///< outputs answer inputs of the same moment
  bool structured = false;       ///< names follow the structured naming convention
  std::string resource;          ///< name of the file in the resources
  std::string text;              ///< what it contains
  double stop = 1, step = 0.01;  ///< of the experiment that tools propose
};

/// Value references of a joint: inputs are 0, 1; outputs 10 and up, in this order, where `force` is the
/// displacement of laws that are driven by force; parameters 100 and up, in the order of the law's table.
enum Output : unsigned { force = 10, force_y, tangent, energy, stored, force_n, end_of_outputs };
inline constexpr unsigned first_parameter = 100;
/// Of time, which FMI 3.0 wants among the variables; above all others.
inline constexpr unsigned time_reference = 1000000000;

/// Inputs, outputs, then parameters. Formulas, matrices and options are fixed when it is exported.
Contents contents_of(const AnyModel& law);

/// The numbers of a law and of its lists, with references and indices from the given ones on.
void add_parameters(const AnyModel& law, unsigned reference, std::size_t index,
                    std::vector<Variable>& all);
/// The law with the values of such variables; those of other joints are passed over.
AnyModel with_parameters(const AnyModel& law, const std::vector<Variable>& variables,
                         std::size_t joint, const double* values);

std::string guid_of(std::string_view text);

}  // namespace microslip::fmu
