#include "microslip/jobs/damping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "jobs/damping_parts.hpp"
#include "jobs/text_form.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/version.hpp"

namespace microslip::jobs {
namespace {

BuiltLaw built(const NamedLaw& law) {
  AnyModel model = catalog::make({law.model, law.parameters, law.options});
  ModelSpec spec{law.model, model.parameters(), model.options()};
  return {law.label.empty() ? model.description().name : law.label, std::move(spec),
          std::move(model)};
}

std::optional<fit::Uncertainty> uncertainty_of(const NamedLaw& law) {
  if (!law.uncertainty) return {};
  return uncertainty_of(law.model, *law.uncertainty);
}

/// What the uncertainty of the parameters makes of each quantity.
std::vector<double> deviations_of(const BuiltLaw& law, const fit::Uncertainty& uncertainty,
                                  double amplitude, double omega) {
  if (!law.model.directions().empty())
    throw Error(law.label + " has several directions: --uncertainty is for laws with one");
  return fit::standard_deviations(
      uncertainty, law.spec.parameters, [&](const ParameterValues& parameters) {
        const auto point = loops::first_harmonic(law.model.with(parameters), amplitude, omega);
        if (point.status != Status::ok) throw Error(std::string(explain(point.status)));
        std::vector<double> values;
        for (const std::string& name : damping_quantities())
          values.push_back(quantity_of(point, name));
        return values;
      });
}

DampingCurve curve_of(const BuiltLaw& law, const std::optional<fit::Uncertainty>& uncertainty,
                      const std::vector<double>& amplitudes, const DampingRequest& request,
                      Progress& progress) {
  DampingCurve curve{law.label, law.spec, {}, {}, law.model.description().driven};
  for (const double amplitude : amplitudes) {
    curve.points.push_back(
        harmonic_of(law.label, law.model, amplitude, request.omega, request.orbit));
    if (uncertainty)
      curve.deviations.push_back(deviations_of(law, *uncertainty, amplitude, request.omega));
    if (!progress.advance(1)) throw Interrupted();
  }
  return curve;
}

/// Amplitudes of a force and of a displacement cannot stand in one table.
Driven common_drive(const std::vector<BuiltLaw>& jobs) {
  const Driven first = jobs.front().model.description().driven;
  for (const BuiltLaw& job : jobs)
    if (job.model.description().driven != first) {
      const bool by_force = first == Driven::force;
      throw Error((by_force ? jobs.front() : job).label + " is driven by force and " +
                  (by_force ? job : jobs.front()).label +
                  " by displacement: they have no common amplitudes; series(LAW) drives a law by "
                  "displacement that is driven by force");
    }
  return first;
}

/// What the text form says of a curve.
DampedLaw law_of(const DampingCurve& curve) {
  DampedLaw law;
  law.label = curve.label;
  law.model = curve.spec.model;
  law.driven = curve.driven;
  law.parameters = curve.spec.parameters;
  law.options = curve.spec.options;
  DampingColumns& c = law.columns;
  std::vector<double>* const columns[] = {&c.zeta_eff, &c.energy, &c.secant,
                                          &c.a1,       &c.b1,     &c.damping};
  std::vector<double>* const deviations[] = {&c.zeta_eff_sd, &c.energy_sd, &c.secant_sd,
                                             &c.a1_sd,       &c.b1_sd,     &c.damping_sd};
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    const loops::FirstHarmonic& point = curve.points[k];
    (curve.driven == Driven::force ? c.force_amplitude : c.amplitude).push_back(point.amplitude);
    for (std::size_t i = 0; i < damping_quantities().size(); ++i) {
      columns[i]->push_back(quantity_of(point, damping_quantities()[i]));
      if (!curve.deviations.empty()) deviations[i]->push_back(curve.deviations[k][i]);
    }
    c.closed.push_back(point.closed);
    c.error.push_back(point.error);
  }
  law.by_formula = !curve.points.empty() && curve.points.front().closed_form;
  return law;
}

}  // namespace

loops::FirstHarmonic harmonic_of(const std::string& label, const AnyModel& model, double amplitude,
                                 double omega, const std::optional<loops::Orbit>& orbit) {
  const bool several = !model.directions().empty();
  if (orbit && !several)
    throw Error(label + " is a scalar law: it moves on a line, without an orbit");
  const loops::FirstHarmonic point =
      several ? loops::first_harmonic(model, orbit.value_or(loops::Orbit{}), amplitude)
              : loops::first_harmonic(model, amplitude, omega);
  if (point.status != Status::ok)
    throw Failure(fmt::format("{} stopped at {} {:.6g}: {}", label,
                              point.driven == Driven::force ? "force amplitude" : "amplitude",
                              amplitude, explain(point.status)));
  // A force that moves nothing has an infinite secant.
  const double secant = point.driven == Driven::force ? 1 / point.secant : point.secant;
  for (const double value : {point.energy, secant, point.a1, point.b1})
    if (!std::isfinite(value))
      throw Failure(fmt::format(
          "{}: energy or answer at amplitude {:.6g} is too large for a number", label, amplitude));
  return point;
}

const std::vector<std::string>& damping_quantities() {
  static const std::vector<std::string> names{"zeta_eff", "energy", "secant",
                                              "a1",       "b1",     "damping"};
  return names;
}

double quantity_of(const loops::FirstHarmonic& point, const std::string& name) {
  if (name == "energy") return point.energy;
  if (name == "secant") return point.secant;
  if (name == "a1") return point.a1;
  if (name == "b1") return point.b1;
  if (name == "damping") return point.damping();
  return point.zeta_eff();
}

DampingResult damping(const DampingRequest& request, const Control& control) {
  if (request.laws.empty()) throw Error("no law is given");
  if (!(request.omega > 0) || !std::isfinite(request.omega))
    throw Error("--omega = " + number_text(request.omega) + " must be positive");
  std::vector<BuiltLaw> laws;
  for (const NamedLaw& law : request.laws) laws.push_back(built(law));
  const Driven driven = common_drive(laws);
  for (const BuiltLaw& law : laws)
    if (request.match && !law.model.directions().empty())
      throw Error(law.label + " has several directions: --match tunes laws with one");
  DampingResult result;
  result.version = version;
  result.omega = request.omega;
  std::vector<double> amplitudes = request.amplitudes;
  if (request.match) {
    result.target = match_target(request, driven);
    if (amplitudes.empty()) amplitudes = result.target.amplitude;
  }
  if (amplitudes.empty()) throw Error("no amplitudes are given");
  for (const double amplitude : amplitudes)
    if (!(amplitude > 0) || !std::isfinite(amplitude))
      throw Error("the amplitude " + number_text(amplitude) + " must be positive");
  Progress progress(control, laws.size() * amplitudes.size());
  std::vector<MatchOutcome> matches;
  if (request.match)
    for (BuiltLaw& law : laws)
      matches.push_back(match(*request.match, result.target, request.omega, law, progress));
  for (std::size_t i = 0; i < laws.size(); ++i) {
    progress.stage(laws[i].label);
    result.curves.push_back(
        curve_of(laws[i], uncertainty_of(request.laws[i]), amplitudes, request, progress));
    result.laws.push_back(law_of(result.curves.back()));
    if (request.match) result.laws.back().match = matches[i];
  }
  return result;
}

MICROSLIP_TEXT_FORM(DampingRequest)
MICROSLIP_TEXT_FORM(DampingResult)

}  // namespace microslip::jobs
