#pragma once

#include <optional>
#include <string>
#include <vector>

#include "microslip/core/description.hpp"
#include "microslip/jobs/control.hpp"
#include "microslip/jobs/fit.hpp"
#include "microslip/jobs/law.hpp"
#include "microslip/loops/harmonic.hpp"
#include "microslip/loops/orbit.hpp"

/// Damping and stiffness of laws against amplitude, and laws tuned to a damping curve.
namespace microslip::jobs {

/// A damping curve that was measured, or computed elsewhere.
struct DampingTarget {
  std::string name = "target";
  std::vector<double> amplitude;  ///< of force for laws driven by force
  /// Of zeta_eff, energy, secant, a1, b1, damping those that are known; secant tells the size of forces.
  Named<std::vector<double>> quantities;

  static constexpr auto members = std::tuple{member("name", &DampingTarget::name),
                                             member("amplitude", &DampingTarget::amplitude),
                                             member("quantities", &DampingTarget::quantities)};
};

/// Parameters are tuned so that quantities come near to those of a law or of a curve.
struct MatchRequest {
  std::string law{};                     ///< the target, with its parameters
  std::optional<DampingTarget> curve{};  ///< or the target as a curve
  std::vector<std::string> quantity{};   ///< zeta_eff, or the first of the curve, if empty
  std::optional<double> at{};            ///< at this amplitude only
  std::string weight = "1";              ///< a formula in A
  std::vector<std::string> free{};       ///< parameters; all single numbers if empty
  Named<Limits> bounds{};
  bool relative = false;  ///< differences relative to the target

  static constexpr auto members = std::tuple{member_if_any("law", &MatchRequest::law),
                                             member_if_any("curve", &MatchRequest::curve),
                                             member_if_any("quantity", &MatchRequest::quantity),
                                             member_if_any("at", &MatchRequest::at),
                                             member("weight", &MatchRequest::weight),
                                             member_if_any("free", &MatchRequest::free),
                                             member_if_any("bounds", &MatchRequest::bounds),
                                             member("relative", &MatchRequest::relative)};
};

template <>
inline constexpr auto members_of<loops::Orbit> = std::tuple{
    member("ratio", &loops::Orbit::ratio), member("angle", &loops::Orbit::angle),
    member("normal", &loops::Orbit::normal), member("normal_phase", &loops::Orbit::normal_phase),
    member("normal_mean", &loops::Orbit::normal_mean)};

struct DampingRequest {
  std::vector<NamedLaw> laws;      ///< all driven by displacement, or all by force
  std::vector<double> amplitudes;  ///< those of the target if empty
  double omega = 1;                ///< matters to rate-dependent laws only
  std::optional<MatchRequest> match{};
  std::optional<loops::Orbit>
      orbit{};  ///< the motion of laws with several directions; a line if left out

  static constexpr std::string_view schema = "microslip.damping-request/1";
  static constexpr auto members = std::tuple{
      member("laws", &DampingRequest::laws),
      member_if_any("amplitudes", &DampingRequest::amplitudes),
      member("omega", &DampingRequest::omega), member_if_any("match", &DampingRequest::match),
      member_if_any("orbit", &DampingRequest::orbit)};
};

// ----------------------------------------------------------------------------------------- result

/// The quantities that can be computed, written, drawn and matched.
const std::vector<std::string>& damping_quantities();
double quantity_of(const loops::FirstHarmonic& point, const std::string& name);

/// One law over all amplitudes.
struct DampingCurve {
  std::string label;
  ModelSpec spec;
  std::vector<loops::FirstHarmonic> points;
  /// Standard deviations of the quantities of each point, in the order of damping_quantities();
  /// empty unless they are wanted.
  std::vector<std::vector<double>> deviations{};
  Driven driven = Driven::displacement;

  /// The heading of its amplitudes.
  std::string amplitude() const {
    return driven == Driven::force ? "force_amplitude" : "amplitude";
  }
};

/// What a law is tuned to.
struct MatchTarget {
  std::string name, quantity;
  std::vector<double> amplitude, value, weight;  ///< weight: ρ ΔA
  std::vector<double> scale;  ///< what differences are divided by: 1, or the target if relative
  std::optional<double> stiffness{};     ///< of the loops, where it is known
  Driven driven = Driven::displacement;  ///< by what the laws to be tuned are driven
  std::vector<MatchTarget> also{};       ///< further quantities, matched together with this one

  /// "zeta_eff" or "zeta_eff and b1"
  std::string quantities() const;
};

struct MatchOutcome {
  std::string target, quantity;
  std::vector<std::string> free;
  std::vector<double> before, after;
  std::vector<double> errors;  ///< standard errors; NaN: not determined
  double rms = 0;              ///< of the differences; relative to the target if that is wanted
  double rms_relative = 0;     ///< the same over the largest target, or relative as it is
  bool converged = false;

  static constexpr auto members = std::tuple{member("target", &MatchOutcome::target),
                                             member("quantity", &MatchOutcome::quantity),
                                             member("free", &MatchOutcome::free),
                                             member("before", &MatchOutcome::before),
                                             member("after", &MatchOutcome::after),
                                             member("errors", &MatchOutcome::errors),
                                             member("rms", &MatchOutcome::rms),
                                             member("rms_relative", &MatchOutcome::rms_relative),
                                             member("converged", &MatchOutcome::converged)};
};

/// A row for each amplitude; NaN where a quantity does not exist. _sd: standard deviations.
struct DampingColumns {
  std::vector<double> amplitude, force_amplitude;  ///< one of them
  std::vector<double> zeta_eff, zeta_eff_sd, energy, energy_sd, secant, secant_sd;
  std::vector<double> a1, a1_sd, b1, b1_sd, damping, damping_sd;
  std::vector<bool> closed;  ///< false: numbers are those of the last cycle computed
  std::vector<double> error;

  static constexpr auto members =
      std::tuple{member_if_any("amplitude", &DampingColumns::amplitude),
                 member_if_any("force_amplitude", &DampingColumns::force_amplitude),
                 member("zeta_eff", &DampingColumns::zeta_eff),
                 member_if_any("zeta_eff_sd", &DampingColumns::zeta_eff_sd),
                 member("energy", &DampingColumns::energy),
                 member_if_any("energy_sd", &DampingColumns::energy_sd),
                 member("secant", &DampingColumns::secant),
                 member_if_any("secant_sd", &DampingColumns::secant_sd),
                 member("a1", &DampingColumns::a1),
                 member_if_any("a1_sd", &DampingColumns::a1_sd),
                 member("b1", &DampingColumns::b1),
                 member_if_any("b1_sd", &DampingColumns::b1_sd),
                 member("damping", &DampingColumns::damping),
                 member_if_any("damping_sd", &DampingColumns::damping_sd),
                 member("closed", &DampingColumns::closed),
                 member("error", &DampingColumns::error)};
};

struct DampedLaw {
  std::string label, model;
  Driven driven = Driven::displacement;
  ParameterValues parameters;  ///< tuned
  OptionValues options;
  DampingColumns columns;
  bool by_formula = false;
  std::optional<MatchOutcome> match{};

  static constexpr auto members = std::tuple{
      member("label", &DampedLaw::label),           member("model", &DampedLaw::model),
      member("driven", &DampedLaw::driven),         member("parameters", &DampedLaw::parameters),
      member("options", &DampedLaw::options),       member("columns", &DampedLaw::columns),
      member("by_formula", &DampedLaw::by_formula), member_if_any("match", &DampedLaw::match)};
};

struct DampingResult {
  std::string version, command;
  double omega = 1;
  std::vector<DampedLaw> laws;
  std::vector<DampingCurve> curves;
  MatchTarget target;

  static constexpr std::string_view schema = "microslip.damping/1";
  static constexpr auto members = std::tuple{
      member("version", &DampingResult::version), member("command", &DampingResult::command),
      member("omega", &DampingResult::omega),     member("laws", &DampingResult::laws),
      not_in_text(&DampingResult::curves),        not_in_text(&DampingResult::target)};
};

/// Throws Failure where a law fails, Interrupted when it is stopped.
DampingResult damping(const DampingRequest& request, const Control& control = {});

}  // namespace microslip::jobs
