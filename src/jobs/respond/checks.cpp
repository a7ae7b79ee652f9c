#include <fmt/format.h>

#include <algorithm>

#include "jobs/respond/parts.hpp"
#include "microslip/core/error.hpp"

namespace microslip::jobs {
namespace {

using respond_parts::check_time;

/// What an analysis needs of the structure. It is said of all of them before the first begins, so
/// that no result is there when the file is refused.
void check_analysis(const catalog::StructureFile& file, const catalog::Analysis& a) {
  const dynamics::Structure& s = file.structure;
  const auto refuse = [&](const std::string& sentence) { throw Error(a.where + ": " + sentence); };
  const auto tones_of = [](const dynamics::Load& load) {
    return std::get_if<dynamics::Tones>(&load.signal);
  };
  const bool shaken = std::any_of(s.loads.begin(), s.loads.end(), tones_of);
  if (a.kind == "frequency-response" || a.kind == "load-response" || a.kind == "modal-joints") {
    for (const dynamics::Load& load : s.loads) {
      if (!tones_of(load) && !std::holds_alternative<dynamics::Constant>(load.signal))
        refuse("a " + a.kind +
               " takes loads of kind harmonic, multisine, base and static; sweeps, stepped sines, "
               "impulses, records and formulas belong to kind = \"time\"");
      if (const dynamics::Tones* tones = tones_of(load))
        for (const dynamics::Tone& tone : tones->list)
          if (a.harmonics && tone.harmonic > *a.harmonics)
            refuse("a load has harmonic " + std::to_string(tone.harmonic) +
                   ", but harmonics = " + std::to_string(*a.harmonics));
    }
    if (!shaken)
      refuse(
          "nothing shakes the structure: a steady response needs a [[load]] of kind harmonic, "
          "multisine or base");
  }
  if (a.kind == "time") check_time(file, a);
  if (a.mode && *a.mode > s.size())
    refuse("mode = " + std::to_string(*a.mode) + " must be from 1 to " + std::to_string(s.size()));
  if (a.kind == "quasi-static")
    for (const dynamics::JointElement& joint : s.joints)
      if (joint.model.rate_dependent())
        refuse("a quasi-static analysis has no time, but the law " +
               joint.model.description().name + " depends on the rate");
  if (a.kind == "averaging" || a.kind == "slow-flow") {
    const std::string name = a.kind == "averaging" ? "averaging" : "a slow flow";
    if (s.size() != 1)
      refuse(name + " is for one degree of freedom; this structure has " +
             std::to_string(s.size()));
    if (!(s.K.coeff(0, 0) > 0)) refuse(name + " needs a spring besides the joints");
    if (!a.omega.empty() && !shaken) refuse("averaging over omega needs a harmonic load");
  }
}

/// The highest frequency that an analysis asks about, of those that are known before it.
double highest_frequency(const catalog::StructureFile& file, const catalog::Analysis& a) {
  double highest = 0;
  const bool steady = !a.omega.empty();
  if (steady) highest = *std::max_element(a.omega.begin(), a.omega.end());
  double harmonic = 1;
  for (const dynamics::Load& load : file.structure.loads) {
    if (const auto* tones = std::get_if<dynamics::Tones>(&load.signal))
      for (const dynamics::Tone& tone : tones->list) {
        if (tone.amplitude == 0) continue;
        harmonic = std::max<double>(harmonic, tone.harmonic);
        if (a.kind == "time") highest = std::max(highest, tone.omega);
      }
    if (a.kind != "time") continue;
    if (const auto* sweep = std::get_if<dynamics::Sweep>(&load.signal))
      highest = std::max({highest, sweep->omega_from, sweep->omega_to});
    if (const auto* sines = std::get_if<dynamics::SteppedSine>(&load.signal))
      for (const double omega : sines->omega) highest = std::max(highest, omega);
  }
  return steady ? harmonic * highest : highest;
}

/// A reduction knows nothing of the modes that it left out.
void check_reduction(const catalog::StructureFile& file, const catalog::Analysis& a) {
  const double highest = highest_frequency(file, a);
  if (!file.left_out || highest < *file.left_out) return;
  throw Error(a.where + fmt::format(": the frequency {:.6g} is asked for, but the [reduction] ends "
                                    "below omega = {:.6g}, the first mode that it leaves out; give "
                                    "it more 'modes', up to three times the frequency",
                                    highest, *file.left_out));
}

}  // namespace

void check_analyses(const catalog::StructureFile& file) {
  for (const catalog::Analysis& analysis : file.analyses) {
    check_analysis(file, analysis);
    check_reduction(file, analysis);
  }
}

namespace respond_parts {

void add_end_of_reduction(const catalog::StructureFile& file, const catalog::Analysis& a,
                          AnalysisResult& result) {
  double highest = highest_frequency(file, a);
  if (a.kind == "nonlinear-mode" || a.kind == "quasi-static")
    if (const auto* omega = result.column("omega"); omega && !omega->empty())
      highest = *std::max_element(omega->begin(), omega->end());
  // The stiffness of what is left out is wrong by the fourth power of the ratio of both frequencies. Amplitudes of
  // random chains were more than 10 % off in 10 of 25 with a ratio of 1.5 to 2.35, in 2 of 19 up to 3, then in none of 29.
  constexpr double far_enough = 3;
  if (!file.left_out || !(far_enough * highest > *file.left_out)) return;
  const std::string sentence = fmt::format(
      "the [reduction] ends near here: omega goes up to {:.6g}, and the first mode that "
      "is left out lies at {:.6g}; compare with more 'modes'",
      highest, *file.left_out);
  result.summary += sentence + "\n";
  result.notes.emplace_back("reduction", sentence);
  result.reduction = {highest, *file.left_out};
  if (highest >= *file.left_out && result.failure.empty()) result.failure = sentence;
}

}  // namespace respond_parts
}  // namespace microslip::jobs
