#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <sstream>

#include "reproduce/computed.hpp"
#include "support/paths.hpp"

namespace microslip::reproduce {
namespace {

constexpr const char* python = "/usr/bin/python3";

std::string output_of(const std::string& program) {
  const std::string command = std::string("PYTHONDONTWRITEBYTECODE=1 ") + python + " '" +
                              std::string(source_dir) + "/tests/reference/" + program + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string all;
  std::array<char, 4096> part;
  while (pipe && std::fgets(part.data(), part.size(), pipe.get()) != nullptr) all += part.data();
  return all;
}

class Reference : public ::testing::TestWithParam<const char*> {};

// The numbers that an entry calls independent are those of a program that shares nothing with the
// engine.
TEST_P(Reference, gives_the_numbers_that_the_reproductions_expect) {
  ASSERT_EQ(std::system((std::string(python) + " -c pass").c_str()), 0) << "python3 is missing";
  std::istringstream lines(output_of(GetParam()));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    std::istringstream columns(line);
    std::string id, quantity, value;
    std::getline(columns, id, '\t');
    std::getline(columns, quantity, '\t');
    std::getline(columns, value);
    const Comparison* found = nullptr;
    for (const Comparison& one : computed(find_entry(id)).comparisons)
      if (one.what == quantity) found = &one;
    ASSERT_NE(found, nullptr) << id << " compares no '" << quantity << "'";
    EXPECT_EQ(found->against, Comparison::Against::independent) << quantity;
    EXPECT_NEAR(std::stod(value), found->expected, found->tolerance) << id << ": " << quantity;
  }
  EXPECT_GT(count, 10u) << GetParam() << " printed nothing";
}

INSTANTIATE_TEST_SUITE_P(Programs, Reference,
                         ::testing::Values("bouc_wen.py", "two_state.py", "six_state.py",
                                           "pinched.py"),
                         [](const auto& program) {
                           const std::string name(program.param);
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace microslip::reproduce
