#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "jobs/beam.hpp"
#include "microslip/jobs/identify.hpp"

/// Two joints of different kinds, a spring and the dampings of a beam, from two accelerometers after a blow and under
/// stepped sines at three levels, without a start of any number.
namespace microslip::jobs {
namespace slow_identify_beam_test {

TEST(IdentifyBeam, two_joints_a_spring_and_dampings_without_starts) {
  const beam_truth::Beam beam;
  IdentifyRequest request;
  request.file =
      catalog::parse_identification(beam_truth::file(beam, 0.01, 1), {"beam.toml", false});
  request.time_budget = 600;
  const FitResult result = identify(request);
  ASSERT_FALSE(result.fits.empty());
  const FittedLaw& fit = result.fits.front();
  ASSERT_TRUE(fit.parameters.has_value()) << fit.message;
  const std::map<std::string, double> truth{
      {"spring[1].k", beam.spring},  {"damper[1].c", beam.damper},   {"C", beam.damping / 1e-4},
      {"joint[1].k", beam.k1},       {"joint[1].phi", beam.phi1},    {"joint[2].k", beam.k2},
      {"joint[2].beta", beam.beta2}, {"joint[2].gamma", beam.gamma2}};
  for (const auto& [name, error] : *fit.standard_errors) {
    const double deviation = std::get<double>(error);
    // Eight normal numbers stay within 4 in 9995 of 10 000 draws.
    EXPECT_LT(std::abs(std::get<double>(fit.parameters->at(name)) - truth.at(name)), 4 * deviation)
        << name;
    EXPECT_LT(deviation, 0.5 * truth.at(name)) << name;
  }
  // The held-out level has noise of 1 % itself.
  ASSERT_TRUE(fit.holdout_rms_relative.has_value());
  EXPECT_LT(*fit.holdout_rms_relative, 0.02);
}

}  // namespace slow_identify_beam_test
}  // namespace microslip::jobs
