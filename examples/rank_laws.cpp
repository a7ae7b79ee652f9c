// Which law describes a measured record, with which parameters, how sure? The first example of the
// README: laws are fitted, ranked, and asked to predict rows that they have not seen.

#include <cstdio>

#include "microslip/io/record_file.hpp"
#include "microslip/jobs/fit.hpp"

int main(int argc, char** argv) {
  namespace jobs = microslip::jobs;
  jobs::FitRequest request;
  request.records = {
      jobs::record_of(microslip::io::read_record(argc > 1 ? argv[1] : "data/bolted-joint.csv"))};
  request.models = {"jenkins", "iwan4", "bouc-wen"};  // leave it out for every law that suits
  request.holdout = "minor";                          // loops that a second fit does not see
  request.starts = 8;

  const jobs::FitResult result = jobs::fit(request);
  for (const jobs::FittedLaw& law : result.fits) {
    if (!law.parameters) continue;  // it has no answer on this record; law.message says why
    std::printf("%-10s error %6.3f %%  held-out rows %6.3f %%  %s\n", law.model.c_str(),
                100 * law.rms_relative, 100 * law.holdout_rms_relative.value_or(0),
                law.message.c_str());
    for (const auto& [name, value] : *law.parameters)
      std::printf("  %-6s %.6g\n", name.c_str(), std::get<double>(value));
  }
  return result.fits.front().model == "iwan4" ? 0 : 1;
}
