#include "microslip/catalog/fitting/special_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/registry/relations.hpp"

namespace microslip::catalog {
namespace special_cases_test {

Path load() {
  Path path;
  for (int i = 0; i <= 400; ++i) {
    path.t.push_back(0.05 * i);
    path.u.push_back(2 * std::sin(0.1 * i) + 0.7 * std::sin(0.37 * i));
  }
  return path;
}

/// The general law with the lifted parameters does what the special one does.
void expect_contains(const std::string& general, const std::string& special,
                     double tolerance = 1e-6) {
  for (const SpecialCase& found : special_cases(general)) {
    if (found.law != special) continue;
    const AnyModel law = make({special, {}, {}});
    ParameterValues own = law.parameters();
    double size = 0.3;
    for (auto& [name, value] : own)  // other values than the defaults, within the bounds
      if (auto* x = std::get_if<double>(&value);
          x && name.find("chi") == std::string::npos && name.find("beta") == std::string::npos)
        *x *= (size += 0.17);
    for (const auto& [name, value] : found.fixed) own[name] = value;
    const History a = law.with(own).run(load());
    const History b = make({general, found.lifted(own), {}}).run(load());
    double most = 0, largest = 0;
    for (std::size_t i = 0; i < a.f.size(); ++i) {
      most = std::max(most, std::abs(a.f[i] - b.f[i]));
      largest = std::max(largest, std::abs(a.f[i]));
    }
    EXPECT_LT(most, tolerance * largest) << general << " of " << special;
    return;
  }
  ADD_FAILURE() << special << " is not among the special cases of " << general;
}

TEST(SpecialCases, of_laws_wrappers_and_sums) {
  expect_contains("iwan5", "iwan4");
  expect_contains("bouc-wen-asymmetric", "bouc-wen");
  expect_contains("lugre", "dahl");
  expect_contains("backlash(lugre)+linear", "backlash(dahl)+linear");
  expect_contains("backlash(iwan5)", "backlash(iwan4)");
  expect_contains("backlash(iwan4)", "iwan4");
  expect_contains("backlash(iwan4+linear)", "iwan4+linear");
  expect_contains("backlash(iwan5+linear)", "backlash(iwan4+linear)");
  expect_contains("iwan5+linear", "iwan4+linear");
  expect_contains("iwan5+linear", "iwan5");
  expect_contains("iwan4+jenkins+linear", "iwan4+jenkins");
  expect_contains("backlash(iwan5)+linear", "backlash(iwan4)+linear");
  expect_contains("backlash(iwan4)+linear", "iwan4+linear");
}

/// How parameters go over is declared with each relation.
TEST(SpecialCases, every_declared_one_is_contained) {
  int declared = 0;
  for (const Relation& relation : relations()) {
    if (relation.lift.empty()) continue;
    ++declared;
    expect_contains(relation.general, relation.special, std::max(1e-6, relation.tolerance));
  }
  EXPECT_EQ(declared, 12);
}

TEST(SpecialCases, parts_that_are_given_are_not_lost) {
  EXPECT_TRUE(special_cases("iwan5(theta=0.5)").empty());
  EXPECT_TRUE(special_cases("jenkins+jenkins").empty());
}

}  // namespace special_cases_test
}  // namespace microslip::catalog
