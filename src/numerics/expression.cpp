#include "microslip/detail/numerics/expression.hpp"

#include <algorithm>
#include <locale>
#include <sstream>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip {

namespace {

using expression_detail::Instruction;
using expression_detail::Op;

struct Function {
  std::string_view name;
  Op op;
  int arguments;
  bool more = false;  // takes further arguments, joined one by one
};

constexpr Function functions[] = {{"sin", Op::sin, 1},          {"cos", Op::cos, 1},
                                  {"tan", Op::tan, 1},          {"asin", Op::asin, 1},
                                  {"acos", Op::acos, 1},        {"atan", Op::atan, 1},
                                  {"atan2", Op::atan2, 2},      {"sinh", Op::sinh, 1},
                                  {"cosh", Op::cosh, 1},        {"tanh", Op::tanh, 1},
                                  {"exp", Op::exp, 1},          {"log", Op::log, 1},
                                  {"ln", Op::log, 1},           {"log10", Op::log10, 1},
                                  {"sqrt", Op::sqrt, 1},        {"pow", Op::power, 2},
                                  {"abs", Op::abs, 1},          {"sign", Op::sign, 1},
                                  {"sgn", Op::sign, 1},         {"floor", Op::floor, 1},
                                  {"ceil", Op::ceil, 1},        {"min", Op::min, 2, true},
                                  {"max", Op::max, 2, true},    {"mod", Op::mod, 2},
                                  {"step", Op::step, 1},        {"heaviside", Op::step, 1},
                                  {"square", Op::square, 1},    {"triangle", Op::triangle, 1},
                                  {"sawtooth", Op::sawtooth, 1}};

struct Constant {
  std::string_view name;
  double value;
};

constexpr Constant constants[] = {{"pi", 3.141592653589793238463}, {"e", 2.718281828459045235360}};

// <cctype> depends on the locale and is undefined for negative char.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Bytes of the UTF-8 character at the front of `text`; 0 if there is none or it cannot be printed.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.empty() || byte(0) < 0x20 || byte(0) == 0x7f) return 0;
  if (byte(0) < 0x80) return 1;
  const std::size_t length = byte(0) >= 0xc2 && byte(0) < 0xe0   ? 2
                             : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                             : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4
                                                                 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

/// For a message: at most `limit` bytes, whatever cannot be printed becomes '?'.
std::string quoted(std::string_view text, std::size_t limit) {
  std::string result = "'";
  while (!text.empty() && result.size() <= limit) {
    const std::size_t length = character_length(text);
    result += length == 0 ? "?" : std::string(text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result + (text.empty() ? "'" : "...'");
}

constexpr std::string_view operators = "'+', '-', '*', '/' or '^'";

class Parser {
 public:
  Parser(std::string_view source, std::span<const std::string_view> names)
      : text(source), variables(names) {}

  void parse() {
    if (at_end()) fail("it is empty; a number, a name or '(' is needed");
    sum();
    if (!at_end()) unexpected("the end");
  }

  std::vector<Instruction> code;
  std::size_t stack_needed = 0;

 private:
  [[noreturn]] void fail(const std::string& reason) const { fail(reason, position); }
  [[noreturn]] void fail(const std::string& reason, std::size_t where) const {
    throw Error("expression " + quoted(text, 80) + ", column " + std::to_string(where + 1) + ": " +
                reason);
  }

  bool at_end() {
    while (position < text.size() && is_space(text[position])) ++position;
    return position == text.size();
  }

  char peek() { return at_end() ? '\0' : text[position]; }

  bool accept(char c) {
    if (at_end() || text[position] != c) return false;
    ++position;
    return true;
  }

  std::string found() {
    if (at_end()) return "found the end";
    const std::string_view rest = text.substr(position);
    return "found " + quoted(rest.substr(0, std::max<std::size_t>(character_length(rest), 1)), 8);
  }

  /// After a complete operand, where only an operator or `closing` may follow.
  [[noreturn]] void unexpected(const std::string& closing) {
    const char c = peek();
    if (is_digit(c) || is_letter(c) || c == '(' || c == '.') {
      fail(found() + " after a complete term; write '*' to multiply");
    }
    std::string hint;
    if (c == ',') hint = " (a decimal point is '.', arguments belong to a function)";
    if (c == ')') hint = " (there is no '(' to it)";
    fail(found() + hint + ", allowed are " + std::string(operators) + " and " + closing);
  }

  void emit(Op op, std::int32_t index = 0, double value = 0) { code.push_back({op, index, value}); }

  void emit_leaf(Op op, std::int32_t index, double value) {
    emit(op, index, value);
    if (++stack_used > Expression::max_stack) too_deep();
    stack_needed = std::max(stack_needed, stack_used);
  }

  /// In postfix order the last instruction is a whole operand if it is a constant.
  bool constant_at(std::size_t from_end) const {
    return code.size() >= from_end && code[code.size() - from_end].op == Op::constant;
  }

  void emit_unary(Op op) {
    if (constant_at(1)) {
      code.back().value = expression_detail::apply(Instruction{op, 0, 0}, code.back().value);
    } else {
      emit(op);
    }
  }

  void emit_binary(Op op) {
    --stack_used;
    if (constant_at(1) && constant_at(2)) {
      const double right = code.back().value;
      code.pop_back();
      code.back().value = expression_detail::apply(op, code.back().value, right);
    } else if (op == Op::power && constant_at(1)) {
      emit_power(code.back().value);
    } else {
      emit(op);
    }
  }

  /// Replaces the constant exponent on top by a power of one argument.
  void emit_power(double exponent) {
    // Beyond this, multiplication loses more digits than pow.
    constexpr double largest = 64;
    if (std::abs(exponent) <= largest && exponent == std::floor(exponent)) {
      code.back() = {Op::power_integer, static_cast<std::int32_t>(exponent), 0};
    } else {
      code.back() = {Op::power_real, 0, exponent};
    }
  }

  [[noreturn]] void too_deep() const {
    fail("nested too deeply, allowed are " + std::to_string(Expression::max_nesting) + " levels");
  }

  void sum() {
    product();
    while (true) {
      if (accept('+')) {
        product();
        emit_binary(Op::add);
      } else if (accept('-')) {
        product();
        emit_binary(Op::subtract);
      } else {
        return;
      }
    }
  }

  void product() {
    signed_power();
    while (true) {
      if (accept('*')) {
        if (peek() == '*') fail("found '**'; a power is written '^'");
        signed_power();
        emit_binary(Op::multiply);
      } else if (accept('/')) {
        signed_power();
        emit_binary(Op::divide);
      } else {
        return;
      }
    }
  }

  /// All recursion passes here, so this bounds the depth of the call stack.
  void signed_power() {
    if (++nesting > Expression::max_nesting) too_deep();
    if (accept('-')) {
      signed_power();
      emit_unary(Op::negate);
    } else if (accept('+')) {
      signed_power();
    } else {
      primary();
      if (accept('^')) {
        signed_power();
        emit_binary(Op::power);
      }
    }
    --nesting;
  }

  void primary() {
    const char c = peek();
    if (is_digit(c) || c == '.') {
      number();
    } else if (is_letter(c)) {
      name();
    } else if (accept('(')) {
      sum();
      if (!accept(')')) unexpected("')'");
    } else {
      fail(found() + ", allowed are a number, a name, '(' or a sign");
    }
  }

  void digits() {
    while (position < text.size() && is_digit(text[position])) ++position;
  }

  /// Skips an exponent if a whole one is there: `2e` is the number 2 and the name e.
  void exponent() {
    std::size_t ahead = position;
    if (ahead == text.size() || (text[ahead] != 'e' && text[ahead] != 'E')) return;
    ++ahead;
    if (ahead < text.size() && (text[ahead] == '+' || text[ahead] == '-')) ++ahead;
    if (ahead == text.size() || !is_digit(text[ahead])) return;
    position = ahead;
    digits();
  }

  void number() {
    const std::size_t start = position;
    digits();
    if (position < text.size() && text[position] == '.') {
      ++position;
      digits();
    }
    if (position == start + 1 && text[start] == '.') {
      fail("found '.' without digits, allowed are numbers like 1, .5 or 1e-3", start);
    }
    exponent();
    const std::string_view token = text.substr(start, position - start);
    emit_leaf(Op::constant, 0, value_of_number(token, start));
  }

  /// The classic locale whatever the program's locale is; the library rounds correctly.
  double value_of_number(std::string_view token, std::size_t start) const {
    std::istringstream stream{std::string(token)};
    stream.imbue(std::locale::classic());
    double value = 0;
    stream >> value;
    // Some libraries also report underflow as a failure; zero or a denormal is right then.
    if (stream.fail() && !(std::abs(value) < 1)) {
      fail("found " + quoted(token, 40) + ", numbers must be below 1.8e308", start);
    }
    return value;
  }

  void name() {
    const std::size_t start = position;
    while (position < text.size() && (is_letter(text[position]) || is_digit(text[position]))) {
      ++position;
    }
    const std::string_view word = text.substr(start, position - start);
    const bool called = peek() == '(';
    const auto variable = std::find(variables.begin(), variables.end(), word);
    if (variable != variables.end() && !(called && find_function(word))) {
      emit_leaf(Op::variable, static_cast<std::int32_t>(variable - variables.begin()), 0);
    } else if (const Function* function = find_function(word)) {
      if (!called) fail("function '" + std::string(word) + "' needs '(' and its argument");
      call(*function, start);
    } else if (const Constant* known = find_constant(word)) {
      emit_leaf(Op::constant, 0, known->value);
    } else {
      unknown(word, start, called);
    }
  }

  static const Function* find_function(std::string_view word) {
    const auto found = std::find_if(std::begin(functions), std::end(functions),
                                    [&](const Function& f) { return f.name == word; });
    return found == std::end(functions) ? nullptr : found;
  }

  static const Constant* find_constant(std::string_view word) {
    const auto found = std::find_if(std::begin(constants), std::end(constants),
                                    [&](const Constant& c) { return c.name == word; });
    return found == std::end(constants) ? nullptr : found;
  }

  [[noreturn]] void unknown(std::string_view word, std::size_t start, bool called) const {
    std::vector<std::string> known;
    if (!called) {
      known.assign(variables.begin(), variables.end());
      for (const Constant& constant : constants) known.emplace_back(constant.name);
    }
    for (const Function& function : functions) known.emplace_back(function.name);
    fail("unknown " + std::string(called ? "function " : "name ") + quoted(word, 40) +
             suggestion(word.substr(0, 40), known),
         start);
  }

  void call(const Function& function, std::size_t start) {
    accept('(');
    int count = 0;
    if (peek() != ')') {
      do {
        sum();
        ++count;
        if (count > function.arguments && !function.more) wrong_count(function, start);
        if (count >= 2) emit_binary(function.op);
      } while (accept(','));
    }
    if (count < function.arguments) wrong_count(function, start);
    if (!accept(')')) unexpected("')'");
    if (function.arguments == 1) emit_unary(function.op);
  }

  [[noreturn]] void wrong_count(const Function& function, std::size_t start) const {
    fail("function '" + std::string(function.name) + "' takes " +
             (function.more ? "at least " : "") + std::to_string(function.arguments) +
             (function.arguments == 1 ? " argument" : " arguments") + ", separated by ','",
         start);
  }

  std::string_view text;
  std::span<const std::string_view> variables;
  std::size_t position = 0;
  std::size_t nesting = 0;
  std::size_t stack_used = 0;
};

}  // namespace

Expression::Expression() : source("0"), code{Instruction{}} {}

Expression Expression::parse(std::string_view text, std::span<const std::string_view> variables) {
  while (!variables.empty() && variables.back().empty()) {
    variables = variables.first(variables.size() - 1);
  }
  Parser parser(text, variables);
  parser.parse();
  Expression result;
  result.source = std::string(text);
  result.names.assign(variables.begin(), variables.end());
  result.code = std::move(parser.code);
  result.stack_needed = parser.stack_needed;
  return result;
}

Expression Expression::parse(std::string_view text,
                             std::initializer_list<std::string_view> variables) {
  return parse(text, std::span<const std::string_view>(variables.begin(), variables.size()));
}

bool Expression::is_constant() const {
  return std::none_of(code.begin(), code.end(),
                      [](const Instruction& i) { return i.op == Op::variable; });
}

template double Expression::evaluate<double>(std::span<const double> values) const noexcept;

}  // namespace microslip
