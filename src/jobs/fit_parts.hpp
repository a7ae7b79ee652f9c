#pragma once

#include <string>
#include <vector>

#include "microslip/jobs/fit.hpp"

/// The parts of the job `fit`.
namespace microslip::jobs {

/// A law as it is asked for.
struct FitJob {
  std::string text;  ///< "jenkins", "backlash(jenkins+linear)"
  AnyModel model;
};

/// What drives the laws that are asked for. Throws Error where some are driven by force and others by
/// displacement: their errors cannot be compared.
Driven common_drive(const FitRequest& request);
bool frees(const FitRequest& request, const std::string& name);

/// Records to be fitted and to be predicted. With covariates they are divided by their scale against the
/// first one.
void prepare_records(FitRequest& request, FitResult& result);
/// Laws by name, composed with spring and backlash where they are freed.
std::vector<FitJob> make_fit_jobs(const FitRequest& request, const std::vector<FitRecord>& records,
                                  std::vector<std::string>& left_out);
/// What applies to this law out of fix, bounds, free, separate and share.
fit::Settings settings_for(const FitRequest& request, const FitJob& job,
                           const std::vector<FitRecord>& records);
/// Throws unless every name of fix, bounds, separate, share and profile belongs to some law.
void check_names(const FitRequest& request, const std::vector<FitJob>& jobs);
/// The parameter of a law that a person means by a short name; "" if it has none.
std::string full_name(const FitJob& job, const std::string& name);

/// What the text form says of a record, and of a law, from what was computed.
FitData data_of(const FitRecord& record);
void complete(FittedLaw& law, const FitResult& result);

}  // namespace microslip::jobs
