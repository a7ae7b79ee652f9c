#include "dynamics/every_law.hpp"

namespace microslip::dynamics {
namespace slow_every_law_test {

class EveryLaw : public ::testing::TestWithParam<AnyModel> {};

TEST_P(EveryLaw, has_a_mode_at_any_amplitude) { mode_at_any_amplitude(GetParam()); }

TEST_P(EveryLaw, has_the_describing_function_as_its_mode_of_one_harmonic) {
  mode_of_one_harmonic(GetParam());
}

TEST_P(EveryLaw, has_responses_at_any_level) { responses_at_any_level(GetParam()); }

TEST_P(EveryLaw, has_responses_beside_a_static_load) { responses_beside_a_static_load(GetParam()); }

/// Names of tests have no hyphens.
std::string test_name(const ::testing::TestParamInfo<AnyModel>& info) {
  std::string name = info.param.description().name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Law, EveryLaw, ::testing::ValuesIn(laws_with_stiffness()), test_name);

}  // namespace slow_every_law_test
}  // namespace microslip::dynamics
