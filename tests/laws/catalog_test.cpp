// Every law of src/catalog/laws.txt gets all checks; a law adds nothing but its line there, and
// tests/laws/samples/<header>.hpp where a claim depends on the parameters.
#include <gtest/gtest.h>

#include <set>

#include "laws/check_law.hpp"

namespace microslip::catalog {
std::vector<Law> all_entries();  // generated from laws.txt
}

namespace microslip::laws {
namespace catalog_test {

LawSamples samples_of(const std::string& law) {
  for (const LawSamples& samples : all_samples())
    if (samples.law == law) return samples;
  return {};
}

[[maybe_unused]] const bool registered = [] {
  for (const catalog::Law& law : catalog::all_entries())
    check_law({law, samples_of(law.description.name)});
  return true;
}();

TEST(LawSamples, belong_to_one_law_each) {
  std::set<std::string_view> seen;
  for (const LawSamples& samples : all_samples()) {
    EXPECT_NO_THROW(catalog::find_law(samples.law));
    EXPECT_TRUE(seen.insert(samples.law).second) << samples.law;
  }
}

}  // namespace catalog_test
}  // namespace microslip::laws
