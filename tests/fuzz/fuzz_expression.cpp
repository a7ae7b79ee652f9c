#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/expression.hpp"

namespace microslip {
namespace {

// Whatever the text, parse answers with an Expression or an Error, and an Expression evaluates.
// Runs the same inputs each time; MICROSLIP_FUZZ_SEED and MICROSLIP_FUZZ_RUNS ask for others.

unsigned long setting(const char* name, unsigned long otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoul(text, nullptr, 10) : otherwise;
}

const std::vector<std::string> seeds = {
    "2*sin(2*pi*t)+sin(8*pi*t)",
    "1 - abs(z)^1.5*(0.5*sign(u*z) + 0.5)",
    "min(max(u, -1e-3), .5E+2, pow(z, 2))",
    "-t^-2^+u/atan2(1, z)",
    "triangle(t)*square(3*t) - sawtooth(mod(t, 2)) + step(t-1)",
    "((((((((((t))))))))))",
};

const std::vector<std::string> pieces = {"(",     ")",     "((((((((", "))))))))",     "-",    "+",
                                         "*",     "/",     "^",        "**",           ",",    ".",
                                         "1e",    "1e999", "e",        "pi",           "t",    "u",
                                         "z",     "sin(",  "ln(",      "max(",         "pow(", "0",
                                         "1e-5",  "\xff",  "\xc2",     "\xe2\x88\x92", "\n",   " ",
                                         "1.",    "..",    "0x1p3",    "nan",          "inf",  "t^",
                                         "atan2", "_",     "-----"};

class Mutator {
 public:
  explicit Mutator(unsigned long seed) : random(seed) {}

  std::string text() {
    std::string result = seeds[below(seeds.size())];
    for (std::size_t count = 1 + below(8); count > 0; --count) mutate(result);
    return result;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random() % n); }

  void mutate(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    switch (below(6)) {
      case 0:
        text.insert(at, pieces[below(pieces.size())]);
        break;
      case 1:
        text.erase(at, 1 + below(4));
        break;
      case 2:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size() + 1), below(20)));
        break;
      case 4:
        text = text.substr(0, at);
        break;
      default:
        repeat_piece(text, at);
        break;
    }
  }

  void repeat_piece(std::string& text, std::size_t at) {
    const std::string& piece = pieces[below(pieces.size())];
    std::string run;
    for (std::size_t count = below(200); count > 0; --count) run += piece;
    text.insert(at, run);
  }

  std::mt19937_64 random;
};

/// 1 if it is an expression, 0 if it is refused with a message that can be printed.
int accepted(const std::string& text) {
  try {
    const Expression expression = Expression::parse(text, {"t", "u", "z"});
    EXPECT_EQ(expression.text(), text);
    const double first = expression(0.3, -0.7, 1.1), again = expression(0.3, -0.7, 1.1);
    EXPECT_TRUE(first == again || (std::isnan(first) && std::isnan(again))) << text;
    return 1;
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("column"), std::string::npos) << message;
    EXPECT_LT(message.size(), 600u) << message;
    for (const char c : message) EXPECT_FALSE(c >= 0 && c < ' ') << message;
    return 0;
  }
}

TEST(FuzzExpression, gives_an_expression_or_an_error) {
  const unsigned long seed = setting("MICROSLIP_FUZZ_SEED", 20240607);
  const unsigned long runs = setting("MICROSLIP_FUZZ_RUNS", 50000);
  SCOPED_TRACE("seed " + std::to_string(seed));
  Mutator mutator(seed);
  unsigned long good = 0;
  for (unsigned long run = 0; run < runs && !HasFailure(); ++run) {
    good += static_cast<unsigned long>(accepted(mutator.text()));
  }
  // Both outcomes must be common, else the inputs are too wild or too tame to tell anything.
  if (runs >= 1000) {
    EXPECT_GT(good, runs / 100);
    EXPECT_LT(good, runs - runs / 10);
  }
}

TEST(FuzzExpression, depth_does_not_reach_the_call_stack) {
  for (const std::string& piece : pieces) {
    std::string text;
    for (int i = 0; i < 200000; ++i) text += piece;
    accepted(text);
    accepted(text + "t");
  }
}

}  // namespace
}  // namespace microslip
