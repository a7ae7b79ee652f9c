#include "core/copies.hpp"

#include <gtest/gtest.h>

namespace microslip {
namespace {

// Part of each test program. A template that a test instantiates without optimisation would be up to 40 times as
// slow inside the engine, and the test would not run the code that is shipped.
TEST(Copies, of_templates_are_those_of_the_engine) {
  EXPECT_EQ(engine_calls_optimised_copy(), engine_is_optimised());
  EXPECT_EQ(optimised_copy<double>(), engine_is_optimised());
}

}  // namespace
}  // namespace microslip
