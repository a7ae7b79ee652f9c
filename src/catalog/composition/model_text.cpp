#include "catalog/composition/model_text.hpp"

#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/read_number.hpp"

namespace microslip::catalog {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Cuts at a separator that stands outside all brackets. Throws on unbalanced brackets.
std::vector<std::string_view> cut(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::string open;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') {
      open += c;
    } else if (c == ')' || c == ']') {
      if (open.empty() || open.back() != (c == ')' ? '(' : '['))
        throw Error("'" + std::string(text) + "': unexpected '" + c + "' at column " +
                    std::to_string(i + 1));
      open.pop_back();
    } else if (c == separator && open.empty()) {
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (!open.empty())
    throw Error("'" + std::string(text) + "': a bracket '" + open.back() + "' is not closed");
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

bool parse_number(std::string_view text, double& x) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [length, error] = read_number(text, x);
  return error == std::errc() && length == text.size() && std::isfinite(x);
}

TermText parse_term(std::string_view text) {
  const auto open = text.find('(');
  TermText term{std::string(trimmed(text.substr(0, open))), "", {}};
  if (term.law.empty()) throw Error("a law is missing in the model; write law or law(name=value)");
  if (open == std::string_view::npos) return term;
  if (text.back() != ')')
    throw Error("'" + std::string(text) + "': nothing may follow the closing bracket but '+'");
  const std::string_view inside = trimmed(text.substr(open + 1, text.size() - open - 2));
  if (inside.empty()) return term;
  for (const std::string_view setting : cut(inside, ',')) {
    const auto equals = setting.find('=');
    const bool assigns = equals < setting.find_first_of("([");
    if (!assigns && !setting.empty() && term.inside.empty() && term.settings.empty()) {
      term.inside = setting;
      continue;
    }
    // A list as --set takes it, k=1,2,3: its first number stands after the name.
    if (double x = 0; !term.settings.empty() && parse_number(setting, x)) {
      term.settings.back().second.append(",").append(setting);
      continue;
    }
    if (!assigns || equals == 0) {
      const bool late = term.inside.empty() && !term.settings.empty();
      throw Error("'" + std::string(setting) + "' inside " + term.law +
                  "(…) must be written name=value" +
                  (late ? "; a law inside another comes first" : ""));
    }
    term.settings.emplace_back(trimmed(setting.substr(0, equals)),
                               trimmed(setting.substr(equals + 1)));
  }
  return term;
}

bool parse_list(std::string_view text, std::vector<double>& list) {
  list.clear();
  for (const std::string_view part : cut(text, ',')) {
    double x = 0;
    if (!parse_number(part, x)) return false;
    list.push_back(x);
  }
  return true;
}

bool bracketed(std::string_view text) { return text.starts_with('[') && text.ends_with(']'); }
std::string_view inside(std::string_view text) { return trimmed(text.substr(1, text.size() - 2)); }

bool parse_matrix(std::string_view text, Matrix<double>& matrix) {
  std::vector<std::vector<double>> rows;
  for (const std::string_view row : cut(text, ',')) {
    if (!bracketed(row) || !parse_list(inside(row), rows.emplace_back())) return false;
    if (rows.back().size() != rows.front().size())
      throw Error("the rows of the matrix '[" + std::string(text) + "]' have different lengths");
  }
  matrix.resize(static_cast<Eigen::Index>(rows.size()),
                static_cast<Eigen::Index>(rows.front().size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j];
  return true;
}

}  // namespace

std::vector<TermText> parse_model_text(std::string_view text) {
  std::vector<TermText> terms;
  for (const std::string_view term : cut(text, '+')) terms.push_back(parse_term(term));
  return terms;
}

Value parse_value(std::string_view text) {
  text = trimmed(text);
  double number = 0;
  std::vector<double> list;
  Matrix<double> matrix;
  if (parse_number(text, number)) return number;
  if (bracketed(text)) {
    if (parse_list(inside(text), list)) return list;
    if (parse_matrix(inside(text), matrix)) return matrix;
  } else if (text.find(',') != std::string_view::npos && parse_list(text, list)) {
    return list;
  }
  return std::string(text);
}

}  // namespace microslip::catalog
