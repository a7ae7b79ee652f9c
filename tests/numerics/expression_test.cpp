#include "microslip/detail/numerics/expression.hpp"

#include <ceres/jet.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <locale>
#include <numbers>
#include <string>

#include "microslip/core/error.hpp"

namespace microslip {
namespace expression_test {

using Dual1 = ceres::Jet<double, 1>;
using Dual2 = ceres::Jet<double, 2>;

double value(std::string_view text, double t = 0) { return Expression::parse(text, {"t"})(t); }

Dual1 dual(std::string_view text, double t) { return Expression::parse(text, {"t"})(Dual1(t, 0)); }

std::string message(std::string_view text) {
  try {
    Expression::parse(text, {"t"});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_message(std::string_view text, std::string_view part) {
  EXPECT_NE(message(text).find(part), std::string::npos) << message(text);
}

TEST(Expression, reads_numbers) {
  EXPECT_EQ(value("1"), 1.0);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("5."), 5.0);
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value("2E+3"), 2e3);
  EXPECT_EQ(value("0.1"), 0.1);
  // Half-way cases of decimal conversion: 2^53 + 1 rounds to even, a little more rounds up.
  EXPECT_EQ(value("9007199254740993"), 9007199254740992.0);
  EXPECT_EQ(value("9007199254740993.00000000000000000000000001"), 9007199254740994.0);
  EXPECT_EQ(value("2.2250738585072014e-308"), std::numeric_limits<double>::min());
  EXPECT_EQ(value("4.9e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(value("1e-400"), 0.0);
}

struct CommaAsDecimalPoint : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(Expression, ignores_the_locale_of_the_program) {
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new CommaAsDecimalPoint));
  EXPECT_EQ(value("1.5"), 1.5);
  std::locale::global(before);
}

TEST(Expression, precedence) {
  EXPECT_EQ(value("2+3*4"), 14);
  EXPECT_EQ(value("(2+3)*4"), 20);
  EXPECT_EQ(value("8/4/2"), 1);
  EXPECT_EQ(value("8-4-2"), 2);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("-t^2", 3), -9);
  EXPECT_EQ(value("(-t)^2", 3), 9);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^-t^2", 2), 0.0625);
  EXPECT_EQ(value("--t", 3), 3);
  EXPECT_EQ(value("6/-t", 3), -2);
  EXPECT_EQ(value("+t - +t", 3), 0);
  EXPECT_EQ(value(" 1\t+\n2 \r"), 3);
}

TEST(Expression, constants_and_variables) {
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value("e"), std::numbers::e);
  const Expression duhem = Expression::parse("u - 2*z", {"u", "z"});
  EXPECT_EQ(duhem(5.0, 1.0), 3.0);
  const double values[] = {5.0, 1.0};
  EXPECT_EQ(duhem.evaluate(std::span<const double>(values)), 3.0);
  EXPECT_EQ(Expression::parse("e", {"e"})(7.0), 7.0) << "a variable hides a constant";
  EXPECT_EQ(Expression::parse("u", {"u", "", ""}).variables().size(), 1u);
}

TEST(Expression, functions_agree_with_the_standard_library) {
  const double x = 0.37;
  EXPECT_EQ(value("sin(t)", x), std::sin(x));
  EXPECT_EQ(value("cos(t)", x), std::cos(x));
  EXPECT_EQ(value("tan(t)", x), std::tan(x));
  EXPECT_EQ(value("asin(t)", x), std::asin(x));
  EXPECT_EQ(value("acos(t)", x), std::acos(x));
  EXPECT_EQ(value("atan(t)", x), std::atan(x));
  EXPECT_EQ(value("atan2(t, -2)", x), std::atan2(x, -2));
  EXPECT_EQ(value("sinh(t)", x), std::sinh(x));
  EXPECT_EQ(value("cosh(t)", x), std::cosh(x));
  EXPECT_EQ(value("tanh(t)", x), std::tanh(x));
  EXPECT_EQ(value("exp(t)", x), std::exp(x));
  EXPECT_EQ(value("log(t)", x), std::log(x));
  EXPECT_EQ(value("ln(t)", x), std::log(x));
  EXPECT_EQ(value("log10(t)", x), std::log10(x));
  EXPECT_EQ(value("sqrt(t)", x), std::sqrt(x));
  EXPECT_EQ(value("pow(t, 1.5)", x), std::pow(x, 1.5));
  EXPECT_EQ(value("t^t", x), std::pow(x, x));
  EXPECT_EQ(value("abs(-t)", x), x);
  EXPECT_EQ(value("floor(-t)", x), -1);
  EXPECT_EQ(value("ceil(-t)", x), 0);
}

TEST(Expression, piecewise_functions) {
  EXPECT_EQ(value("sign(t)", -3), -1);
  EXPECT_EQ(value("sgn(t)", 0), 0);
  EXPECT_EQ(value("min(t, 2)", 3), 2);
  EXPECT_EQ(value("max(t, 2, 7, 5)", 3), 7);
  EXPECT_EQ(value("mod(t, 3)", 7), 1);
  EXPECT_EQ(value("mod(t, 3)", -1), 2);
  EXPECT_EQ(value("step(t)", 0), 1);
  EXPECT_EQ(value("heaviside(t)", -1), 0);
}

TEST(Expression, waves_have_the_phase_of_the_sine) {
  // In quarters of a period 2π.
  const auto wave = [](const char* name, double quarters) {
    return value(std::string(name) + "(pi/2*t)", quarters);
  };
  EXPECT_EQ(wave("triangle", 0), 0);
  EXPECT_EQ(wave("triangle", 0.5), 0.5);
  EXPECT_EQ(wave("triangle", 1), 1);
  EXPECT_EQ(wave("triangle", 2), 0);
  EXPECT_EQ(wave("triangle", 3), -1);
  EXPECT_EQ(wave("triangle", -1), -1);
  EXPECT_EQ(wave("square", 0), 1);
  EXPECT_EQ(wave("square", 1.9), 1);
  EXPECT_EQ(wave("square", 2), -1);
  EXPECT_EQ(wave("square", -1), -1);
  EXPECT_EQ(wave("sawtooth", 0), 0);
  EXPECT_EQ(wave("sawtooth", 1), 0.5);
  EXPECT_EQ(wave("sawtooth", 2), -1);
  EXPECT_EQ(wave("sawtooth", 3), -0.5);
}

TEST(Expression, outside_the_domain_is_not_a_number) {
  EXPECT_TRUE(std::isnan(value("log(t)", -1)));
  EXPECT_TRUE(std::isnan(value("t^0.5", -1)));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const char* text : {"abs(t)", "sign(t)", "min(t,1)", "min(1,t)", "max(t,1)", "max(1,t)",
                           "step(t)", "square(t)", "triangle(t)", "sawtooth(t)", "mod(t,1)"}) {
    EXPECT_TRUE(std::isnan(value(text, nan))) << text;
  }
}

TEST(Expression, derivatives_agree_with_differences) {
  const double h = 1e-6;  // central difference: error h² + eps/h, about 1e-10
  for (const char* text :
       {"sin(t)",      "cos(t)",    "tan(t)",     "asin(t)",     "acos(t)",    "atan(t)",
        "atan2(t,2)",  "sinh(t)",   "cosh(t)",    "tanh(t)",     "exp(t)",     "log(t)",
        "log10(t)",    "sqrt(t)",   "t^3",        "t^-2",        "t^1.5",      "t^t",
        "2^t",         "abs(t-1)",  "min(t,t^2)", "max(t,t^2)",  "mod(3*t,1)", "triangle(5*t)",
        "sawtooth(t)", "1/t",       "-t+2*t-t/3", "square(t)*t", "sign(t)*t",  "step(t)*t",
        "floor(t)",    "ceil(t)*t", "t^70"}) {
    for (const double t : {0.3, 0.62}) {
      const double difference = (value(text, t + h) - value(text, t - h)) / (2 * h);
      EXPECT_NEAR(dual(text, t).v[0], difference, 1e-8 * (1 + std::abs(difference))) << text;
      EXPECT_NEAR(dual(text, t).a, value(text, t), 1e-15 * (1 + std::abs(value(text, t)))) << text;
    }
  }
}

TEST(Expression, partial_derivatives) {
  const Expression g = Expression::parse("u^2*z + sin(z)", {"u", "z"});
  const Dual2 result = g(Dual2(3.0, 0), Dual2(0.5, 1));
  EXPECT_DOUBLE_EQ(result.v[0], 2 * 3.0 * 0.5);
  EXPECT_DOUBLE_EQ(result.v[1], 9.0 + std::cos(0.5));
}

TEST(Expression, derivatives_at_kinks_and_zeros) {
  EXPECT_EQ(dual("abs(t)", 0).v[0], 0);
  EXPECT_EQ(dual("max(t, -t)", 0).v[0], 0);
  EXPECT_EQ(dual("min(t, 3*t)", 0).v[0], 2);
  EXPECT_EQ(dual("sign(t)", 0).v[0], 0);
  EXPECT_EQ(dual("triangle(t)", std::numbers::pi / 2).v[0], 0);
  EXPECT_EQ(dual("t^0", 0).v[0], 0);
  EXPECT_EQ(dual("t^1", 0).v[0], 1);
  EXPECT_EQ(dual("t^2", 0).v[0], 0);
  EXPECT_EQ(dual("t^1.5", 0).v[0], 0);
  EXPECT_EQ(dual("abs(t)^1.5", 0).v[0], 0);
  EXPECT_EQ(dual("t^(1+1)", -3).v[0], -6);
  EXPECT_EQ(dual("2^t", 0).v[0], std::log(2.0));
}

TEST(Expression, second_derivative_by_nested_duals) {
  using Nested = ceres::Jet<Dual1, 1>;
  const auto second = [](std::string_view text, double t) {
    Nested x(Dual1(t, 0));
    x.v[0] = Dual1(1.0);
    return Expression::parse(text, {"t"})(x).v[0].v[0];
  };
  EXPECT_DOUBLE_EQ(second("sin(2*t)", 0.3), -4 * std::sin(0.6));
  EXPECT_DOUBLE_EQ(second("t^2", 0), 2);
  EXPECT_DOUBLE_EQ(second("t^3.5", 0.5), 3.5 * 2.5 * std::pow(0.5, 1.5));
  EXPECT_DOUBLE_EQ(second("exp(t)/t", 1), std::numbers::e);
}

TEST(Expression, keeps_its_text_and_compares) {
  const Expression a = Expression::parse(" 2 * t", {"t"});
  const Expression copy = a;
  EXPECT_EQ(a.text(), " 2 * t");
  EXPECT_EQ(a, copy);
  EXPECT_EQ(a, Expression::parse(a.text(), {"t"}));
  EXPECT_FALSE(a == Expression::parse("2*t", {"t"}));
  EXPECT_FALSE(a == Expression::parse(" 2 * t", {"t", "u"}));
  EXPECT_EQ(Expression()(1.0), 0.0);
  EXPECT_EQ(Expression().text(), "0");
}

TEST(Expression, knows_whether_it_is_constant) {
  EXPECT_TRUE(Expression::parse("2*sin(pi/3)", {"t"}).is_constant());
  EXPECT_FALSE(Expression::parse("0*t", {"t"}).is_constant());
  EXPECT_TRUE(Expression().is_constant());
}

TEST(Expression, errors_name_column_finding_and_remedy) {
  expect_message("", "column 1: it is empty");
  expect_message("   ", "it is empty");
  expect_message("2*", "column 3: found the end, allowed are a number, a name, '(' or a sign");
  expect_message("2*sin(t", "column 8: found the end, allowed are");
  expect_message("2*sin(t", "and ')'");
  expect_message("t+)", "column 3: found ')'");
  expect_message("t)", "column 2: found ')' (there is no '(' to it)");
  expect_message("2t", "column 2: found 't' after a complete term; write '*'");
  expect_message("2(t)", "write '*'");
  expect_message("t(2)", "write '*'");
  expect_message("2e", "column 2: found 'e' after a complete term");
  expect_message("t**2", "a power is written '^'");
  expect_message("0,5*t", "a decimal point is '.'");
  expect_message("t # 2", "column 3: found '#'");
  expect_message("2·t", "column 2: found '·'");
  expect_message(".", "column 1: found '.' without digits");
  expect_message("1e999", "column 1: found '1e999', numbers must be below");
  expect_message("t+\x01", "column 3: found '?'");
  expect_message("t+\xff", "column 3: found '?'");
}

TEST(Expression, errors_say_which_name_is_near) {
  expect_message("sine(t)", "column 1: unknown function 'sine'; did you mean 'sin'?");
  expect_message("1+T", "column 3: unknown name 'T'; did you mean 't'?");
  expect_message("velocity", "there are: t, pi, e, sin");
  expect_message("sin", "function 'sin' needs '('");
  expect_message("sin()", "function 'sin' takes 1 argument");
  expect_message("sin(1,2)", "takes 1 argument");
  expect_message("1+atan2(1)", "column 3: function 'atan2' takes 2 arguments");
  expect_message("max(1)", "takes at least 2 arguments");
}

TEST(Expression, long_text_is_cut_in_messages) {
  const std::string text = std::string(10000, ' ') + "x";
  EXPECT_LT(message(text).size(), 500u);
  expect_message(text, "column 10001");
}

TEST(Expression, nesting_is_bounded) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '(') + "t" + std::string(levels, ')');
  };
  EXPECT_EQ(value(nested(Expression::max_nesting - 1), 3), 3);
  expect_message(nested(Expression::max_nesting), "nested too deeply, allowed are 64 levels");
  expect_message(nested(1000000), "nested too deeply");
  expect_message(std::string(1000000, '-') + "t", "nested too deeply");
  std::string powers = "t", pending = "t";
  for (int i = 0; i < 100000; ++i) powers += "^t";
  expect_message(powers, "nested too deeply");
  // Few parentheses, but three values wait at each: t+t*t^(…).
  for (int i = 0; i < 25; ++i) pending = "t+t*t^(" + pending + ")";
  expect_message(pending, "nested too deeply");
}

TEST(Expression, long_sums_are_not_deep) {
  std::string text = "t";
  for (int i = 0; i < 100000; ++i) text += "+t";
  EXPECT_EQ(value(text, 1), 100001);
}

TEST(Expression, uses_the_long_stack_when_needed) {
  // 1 + (1 + (1 + …)) in variables keeps one value waiting per level.
  std::string text = "t";
  for (int i = 0; i < 40; ++i) text = "t+(" + text + ")";
  EXPECT_EQ(value(text, 1), 41);
}

}  // namespace expression_test
}  // namespace microslip
