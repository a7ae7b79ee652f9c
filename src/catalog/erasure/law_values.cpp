#include "microslip/detail/catalog/erasure/law_values.hpp"

#include <algorithm>
#include <cmath>

#include "microslip/core/text.hpp"

namespace microslip::catalog {
namespace {

template <class Values>
Values completed(std::string_view law, std::string_view what, Values values, const auto& infos) {
  for (const auto& entry : values) {
    const std::string& name = entry.first;
    if (std::any_of(infos.begin(), infos.end(), [&](const auto& i) { return i.name == name; }))
      continue;
    std::vector<std::string> names;
    for (const auto& info : infos) names.push_back(info.name);
    throw Error("unknown " + std::string(what) + " '" + name + "' for " + std::string(law) +
                suggestion(name, names));
  }
  for (const auto& info : infos) values.emplace(info.name, info.default_value);
  return values;
}

auto* found_in(const auto& values, std::string_view name) {
  const auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

/// The numbers of a name, as many as `count`; nullptr where the name has none.
const std::vector<WideDual>* derivatives_of(const DualValues& values, std::string_view law,
                                            std::string_view name, std::size_t count) {
  const auto* numbers = found_in(values, name);
  if (numbers && numbers->size() != count) refuse_count(law, name, count, numbers->size());
  return numbers;
}

std::string state_name(std::string_view law, std::string_view name) {
  return "state '" + std::string(name) + "' of " + std::string(law);
}

std::string full_name(std::string_view law, std::string_view name) {
  return std::string(law) + "." + std::string(name);
}

}  // namespace

ParameterValues completed(const Description& law, const ParameterValues& given) {
  for (const OptionInfo& option : law.options)
    if (given.count(option.name) > 0)
      throw Error("'" + option.name + "' is an option of " + law.name +
                  ", not a parameter; in a file it stands under 'options'");
  return completed(law.name, "parameter", given, law.parameters);
}

OptionValues completed(const Description& law, const OptionValues& given) {
  return completed(law.name, "option", given, law.options);
}

const Value* find(const ParameterValues& values, std::string_view name) {
  return found_in(values, name);
}

const OptionValue* find(const OptionValues& values, std::string_view name) {
  return found_in(values, name);
}

const std::vector<double>& numbers_of(const StateRecord& record, std::string_view law,
                                      std::string_view name) {
  const auto* numbers = found_in(record, name);
  if (!numbers) throw Error(state_name(law, name) + " is missing");
  return *numbers;
}

void refuse_numbers(std::string_view law, std::string_view name) {
  throw Error(state_name(law, name) + " does not have the right numbers");
}

void refuse(std::string_view law, std::string_view name, const Value& value,
            std::string_view wanted) {
  const auto* text = std::get_if<std::string>(&value);
  throw Error(full_name(law, name) + (text ? " = " + *text : "") + " must be " +
              std::string(wanted));
}

void refuse_count(std::string_view law, std::string_view name, std::size_t wanted,
                  std::size_t given) {
  throw Error(full_name(law, name) + " needs " + std::to_string(wanted) +
              " numbers with derivatives, not " + std::to_string(given));
}

void take(const ParameterValues& values, std::string_view law, std::string_view name,
          const Variables& variables, Expression& member) {
  const Value* const value = find(values, name);
  if (!value) return;
  if (const auto* text = std::get_if<std::string>(value)) {
    std::vector<std::string_view> known;
    for (const auto& variable : variables)
      if (!variable.empty()) known.push_back(variable);
    member = Expression::parse(*text, known);
  } else if (const auto* number = std::get_if<double>(value)) {
    member = Expression::parse(number_text(*number), {});
  } else {
    refuse(law, name, *value, "an expression");
  }
}

void take(const DualValues& values, std::string_view law, std::string_view name, WideDual& member) {
  if (const auto* numbers = derivatives_of(values, law, name, 1)) member = numbers->front();
}

void take(const DualValues& values, std::string_view law, std::string_view name,
          std::vector<WideDual>& member) {
  if (const auto* numbers = derivatives_of(values, law, name, member.size())) member = *numbers;
}

void take(const DualValues& values, std::string_view law, std::string_view name,
          Matrix<WideDual>& member) {
  const auto count = static_cast<std::size_t>(member.size());
  const auto* numbers = derivatives_of(values, law, name, count);
  for (std::size_t i = 0; numbers && i < count; ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    member(at / member.cols(), at % member.cols()) = (*numbers)[i];
  }
}

void take(const DualValues& values, std::string_view law, std::string_view name,
          Expression& /*member*/) {
  derivatives_of(values, law, name, 0);
}

double option_number(std::string_view law, std::string_view name, const OptionValue& value,
                     const Interval& bounds, bool whole) {
  if (const auto* word = std::get_if<std::string>(&value))
    throw Error(full_name(law, name) + " = " + *word + " must be a number");
  const double number = std::get<double>(value);
  check_value(law, name, number, bounds);
  if (whole && std::trunc(number) != number)
    throw Error(full_name(law, name) + " = " + number_text(number) + " must be a whole number");
  return number;
}

std::size_t option_choice(std::string_view law, std::string_view name, const OptionValue& value,
                          const std::array<std::string_view, 8>& all) {
  const std::vector<std::string> choices = given(all);
  const auto* word = std::get_if<std::string>(&value);
  const std::string chosen = word ? *word : number_text(std::get<double>(value));
  const auto found = std::find(choices.begin(), choices.end(), chosen);
  if (found == choices.end())
    throw Error("unknown choice '" + chosen + "' for " + full_name(law, name) +
                suggestion(chosen, choices));
  return static_cast<std::size_t>(found - choices.begin());
}

void to_numbers(double x, std::vector<double>& out) { out.push_back(x); }

void to_numbers(const TurningPoints<double>& points, std::vector<double>& out) {
  for (std::size_t i = 0; i < points.size(); ++i)
    out.insert(out.end(), {points[i].u, points[i].f, points[i].stored});
}

bool from_numbers(const std::vector<double>& in, double& x) {
  if (in.size() != 1) return false;
  x = in[0];
  return true;
}

bool from_numbers(const std::vector<double>& in, int& x) {
  if (in.size() != 1 || !(std::abs(in[0]) < 1e9)) return false;
  x = static_cast<int>(in[0]);
  return x == in[0];
}

bool from_numbers(const std::vector<double>& in, std::vector<double>& x) {
  if (in.size() != x.size()) return false;
  x = in;
  return true;
}

bool from_numbers(const std::vector<double>& in, TurningPoints<double>& points) {
  if (in.size() % 3 != 0) return false;
  points.clear();
  for (std::size_t i = 0; i < in.size(); i += 3)
    if (!points.push({in[i], in[i + 1], in[i + 2]})) return false;
  return true;
}

}  // namespace microslip::catalog
