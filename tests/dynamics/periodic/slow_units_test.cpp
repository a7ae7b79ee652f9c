#include <gtest/gtest.h>

#include "dynamics/units.hpp"

namespace microslip::dynamics::units {
namespace slow_units_test {

class UnitsOfLaw : public ::testing::TestWithParam<std::string> {};

TEST_P(UnitsOfLaw, do_not_matter) {
  const std::vector<Units> many{
      {1e-6, 1, 1},     {1e6, 1, 1},        {1, 1e-6, 1},      {1, 1e6, 1},     {1, 1, 1e-6},
      {1, 1, 1e6},      {1e-3, 1, 1e3},     {1e-4, 1, 1},      {1e3, 1e-3, 1},  {1e-6, 1e6, 1e-6},
      {1e6, 1e-6, 1e6}, {0.3048, 4.448, 1}, {1e-3, 1e3, 1e-2}, {1e5, 1e4, 1e-6}};
  const catalog::Law& entry = catalog::find_law(GetParam());
  for (const Analysis& analysis : analyses())
    for (const ParameterValues& set : sets_of(entry)) {
      const Result expected = result_of(analysis, law(GetParam(), set), {});
      for (const Units& u : many) {
        const Result found = result_of(analysis, law_in(entry.description, set, u), u);
        EXPECT_LE(distance(expected, found), analysis.tolerance)
            << analysis.name << " (" << text_of(set) << "), " << u.text();
      }
    }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const catalog::Law& entry : catalog::laws())
    if (is_joint(entry.description)) all.push_back(entry.description.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, UnitsOfLaw, ::testing::ValuesIn(names()), [](const auto& which) {
  std::string name = which.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace slow_units_test
}  // namespace microslip::dynamics::units
