#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/progress.hpp"
#include "microslip/core/any_model.hpp"
#include "microslip/jobs/damping.hpp"

/// The parts of the job `damping`.
namespace microslip::jobs {

/// A law of the request, built.
struct BuiltLaw {
  std::string label;
  ModelSpec spec;  ///< with all values
  AnyModel model;
};

/// Throws Failure where the law fails.
loops::FirstHarmonic harmonic_of(const std::string& label, const AnyModel& model, double amplitude,
                                 double omega, const std::optional<loops::Orbit>& orbit = {});

MatchTarget match_target(const DampingRequest& request, Driven driven);
/// Tunes the free parameters of the law, which is changed.
MatchOutcome match(const MatchRequest& request, const MatchTarget& target, double omega,
                   BuiltLaw& law, Progress& progress);

}  // namespace microslip::jobs
