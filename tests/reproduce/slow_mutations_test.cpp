#include <gtest/gtest.h>

#include "reproduce/computed.hpp"

namespace microslip::reproduce {
namespace {

// Every entry; test_reproduce does the same for the quick ones.
TEST(EveryMutation, is_noticed) {
  for (const Entry& entry : entries()) EXPECT_EQ(unnoticed(entry), "");
}

}  // namespace
}  // namespace microslip::reproduce
