#include "dynamics/every_law.hpp"

namespace microslip::dynamics {
namespace {

TEST(EveryLaw, has_modes_and_responses_at_any_amplitude) {
  for (const AnyModel& model : laws_with_stiffness()) {
    SCOPED_TRACE(model.description().name);
    mode_at_any_amplitude(model);
    mode_of_one_harmonic(model);
    responses_at_any_level(model);
  }
}

}  // namespace
}  // namespace microslip::dynamics
