#include "microslip/jobs/write_law.hpp"

#include <fmt/format.h>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::jobs {
namespace {

/// A law's numbers by name.
class Numbers {
 public:
  explicit Numbers(const ModelSpec& law) : values_(catalog::make(law).parameters()) {}
  double operator[](const std::string& name) const { return std::get<double>(values_.at(name)); }
  const std::vector<double>& list(const std::string& name) const {
    return std::get<std::vector<double>>(values_.at(name));
  }

 private:
  ParameterValues values_;
};

using Writer = std::string (*)(const Numbers& p, int number);

struct Entry {
  std::string_view law;
  Writer write;
};

/// MuJoCo's joints have springs, dampers and dry friction that holds without a stiffness of its own.
constexpr Entry mujoco[] = {
    {"linear",
     [](const Numbers& p, int) { return fmt::format("<joint stiffness=\"{:.10g}\"/>", p["k"]); }},
    {"viscous",
     [](const Numbers& p, int) { return fmt::format("<joint damping=\"{:.10g}\"/>", p["c"]); }},
    {"coulomb", [](const Numbers& p,
                   int) { return fmt::format("<joint frictionloss=\"{:.10g}\"/>", p["fc"]); }},
    {"coulomb-viscous",
     [](const Numbers& p, int) {
       return fmt::format("<joint frictionloss=\"{:.10g}\" damping=\"{:.10g}\"/>", p["fc"], p["c"]);
     }},
    {"kelvin-voigt", [](const Numbers& p, int) {
       return fmt::format("<joint stiffness=\"{:.10g}\" damping=\"{:.10g}\"/>", p["k"], p["c"]);
     }}};

/// The Modelica Standard Library, Modelica.Mechanics.Translational.Components.
constexpr Entry modelica[] = {
    {"linear",
     [](const Numbers& p, int n) {
       return fmt::format("Modelica.Mechanics.Translational.Components.Spring joint{}(c={:.10g});",
                          n, p["k"]);
     }},
    {"viscous",
     [](const Numbers& p, int n) {
       return fmt::format("Modelica.Mechanics.Translational.Components.Damper joint{}(d={:.10g});",
                          n, p["c"]);
     }},
    {"kelvin-voigt",
     [](const Numbers& p, int n) {
       return fmt::format(
           "Modelica.Mechanics.Translational.Components.SpringDamper joint{}(c={:.10g}, "
           "d={:.10g});",
           n, p["k"], p["c"]);
     }},
    {"jenkins",
     [](const Numbers& p, int n) {
       return fmt::format(
           "// in series: the spring, then friction against the support\n"
           "Modelica.Mechanics.Translational.Components.Spring spring{0}(c={1:.10g});\n"
           "Modelica.Mechanics.Translational.Components.SupportFriction slider{0}(\n"
           "  f_pos=[0, {2:.10g}], peak=1);",
           n, p["k"], p["phi"]);
     }},
    {"coulomb",
     [](const Numbers& p, int n) {
       return fmt::format(
           "Modelica.Mechanics.Translational.Components.SupportFriction joint{}(f_pos=[0, "
           "{:.10g}], peak=1);",
           n, p["fc"]);
     }},
    {"coulomb-viscous", [](const Numbers& p, int n) {
       return fmt::format(
           "Modelica.Mechanics.Translational.Components.SupportFriction joint{}(\n"
           "  f_pos=[0, {:.10g}; 1, {:.10g}], peak=1);",
           n, p["fc"], p["fc"] + p["c"]);
     }}};

/// OpenSees: uniaxial materials.
std::string parallel(const Numbers& p, int n) {
  const std::vector<double>&k = p.list("k"), &phi = p.list("phi");
  std::string text, tags;
  for (std::size_t i = 0; i < k.size(); ++i) {
    const int tag = 100 * n + static_cast<int>(i) + 1;
    text +=
        fmt::format("uniaxialMaterial ElasticPP {} {:.10g} {:.10g}\n", tag, k[i], phi[i] / k[i]);
    tags += fmt::format(" {}", tag);
  }
  return text + fmt::format("uniaxialMaterial Parallel {}{}", n, tags);
}
constexpr Entry opensees[] = {
    {"linear", [](const Numbers& p,
                  int n) { return fmt::format("uniaxialMaterial Elastic {} {:.10g}", n, p["k"]); }},
    {"viscous",
     [](const Numbers& p, int n) {
       return fmt::format("uniaxialMaterial Viscous {} {:.10g} 1.0", n, p["c"]);
     }},
    {"jenkins",
     [](const Numbers& p, int n) {
       return fmt::format("uniaxialMaterial ElasticPP {} {:.10g} {:.10g}", n, p["k"],
                          p["phi"] / p["k"]);
     }},
    {"masing", parallel},
    {"bouc-wen",
     [](const Numbers& p, int n) {
       return fmt::format(
           "# tag alpha ko n gamma beta Ao deltaA deltaNu deltaEta\n"
           "uniaxialMaterial BoucWen {} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g} 0 0 0",
           n, p["a"], p["k"], p["n"], p["gamma"], p["beta"], p["A"]);
     }},
    {"menegotto-pinto", [](const Numbers& p, int n) {
       return fmt::format(
           "uniaxialMaterial Steel02 {} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g}", n,
           p["fy"], p["k"], p["b"], p["R0"], p["cR1"], p["cR2"]);
     }}};

/// Abaqus: the behaviour of a connector along its first direction.
constexpr Entry abaqus[] = {
    {"linear",
     [](const Numbers& p, int n) {
       return fmt::format(
           "*Connector Behavior, name=joint{}\n*Connector Elasticity, component=1\n{:.10g},", n,
           p["k"]);
     }},
    {"viscous",
     [](const Numbers& p, int n) {
       return fmt::format(
           "*Connector Behavior, name=joint{}\n*Connector Damping, component=1\n{:.10g},", n,
           p["c"]);
     }},
    {"jenkins", [](const Numbers& p, int n) {
       return fmt::format(
           "*Connector Behavior, name=joint{}\n*Connector Elasticity, component=1\n{:.10g},\n"
           "*Connector Plasticity, component=1\n*Connector Hardening, definition=TABULAR\n"
           "{:.10g}, 0.",
           n, p["k"], p["phi"]);
     }}};

struct Program {
  std::string_view name, comment, end;
  const Entry* entries;
  std::size_t count;
};
template <std::size_t N>
constexpr Program program(std::string_view name, std::string_view comment, std::string_view end,
                          const Entry (&entries)[N]) {
  return {name, comment, end, entries, N};
}
constexpr Program programs[] = {
    program("mujoco", "<!-- ", " -->", mujoco), program("modelica", "// ", "", modelica),
    program("opensees", "# ", "", opensees), program("abaqus", "** ", "", abaqus)};

}  // namespace

std::vector<std::string> programs_with_laws() {
  std::vector<std::string> names;
  for (const Program& p : programs) names.emplace_back(p.name);
  return names;
}

std::string written_law(const ModelSpec& law, std::string_view program, int number) {
  for (const Program& p : programs) {
    if (p.name != program) continue;
    for (std::size_t i = 0; i < p.count; ++i)
      if (p.entries[i].law == law.model) return p.entries[i].write(Numbers(law), number) + "\n";
    return fmt::format("{}joint[{}]: {} has no law '{}'; an FMU has it: microslip export-fmu{}\n",
                       p.comment, number, p.name, law.model, p.end);
  }
  throw Error("unknown program '" + std::string(program) + "'" +
              suggestion(std::string(program), programs_with_laws()));
}

}  // namespace microslip::jobs
