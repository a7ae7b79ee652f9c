#include "study/formula.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "microslip/core/any_dual_model.hpp"
#include "microslip/core/error.hpp"

namespace microslip::study {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_in_name(char c) {
  return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Names that are not followed by a bracket, each once.
std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < text.size();) {
    if (std::isdigit(static_cast<unsigned char>(text[i])) != 0 || text[i] == '.') {
      // A number; the e of 1e-3 is no name.
      while (i < text.size() &&
             (is_in_name(text[i]) || text[i] == '.' ||
              ((text[i] == '+' || text[i] == '-') && (text[i - 1] == 'e' || text[i - 1] == 'E'))))
        ++i;
      continue;
    }
    if (!begins_name(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && is_in_name(text[i])) ++i;
    std::size_t next = i;
    while (next < text.size() && text[next] == ' ') ++next;
    if (next < text.size() && text[next] == '(') continue;
    std::string name(text.substr(begin, i - begin));
    if (name != "pi" && name != "e" && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

Expression parsed(std::string_view text, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return Expression::parse(text, views);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// Cut at commas outside of brackets.
std::vector<std::string_view> arguments_of(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '(') ++depth;
    if (i < text.size() && text[i] == ')') --depth;
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  return parts;
}

}  // namespace

const std::vector<double>* column_of(const ResultTable& table, std::string_view heading) {
  for (const auto& [name, column] : table)
    if (name == heading) return column;
  return nullptr;
}

std::string headings_of(const std::vector<ResultTable>& tables) {
  if (tables.empty()) return "the result has no table";
  std::vector<std::string> names;
  for (const ResultTable& table : tables)
    for (const auto& [name, column] : table)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  std::string text = "there are: ";
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 40); ++i)
    text += (i > 0 ? ", " : "") + names[i];
  return text + (names.size() > 40 ? ", …" : "");
}

RowFormula::RowFormula(std::string_view text)
    : names_(names_in(text)), expression_(parsed(text, names_)) {
  if (names_.empty()) throw Error("'" + std::string(text) + "' names no column");
}

bool RowFormula::evaluate(const ResultTable& table, std::vector<double>& values) const {
  std::vector<const std::vector<double>*> columns;
  for (const std::string& name : names_) columns.push_back(column_of(table, name));
  if (std::find(columns.begin(), columns.end(), nullptr) != columns.end()) return false;
  values.resize(columns.front()->size());
  std::vector<double> row(columns.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      row[c] = i < columns[c]->size() ? (*columns[c])[i] : nan;
    values[i] = expression_.evaluate(std::span<const double>(row));
  }
  return true;
}

namespace {

/// The partial derivatives of a formula at one point, eight at a time.
std::vector<double> partial_derivatives(const Expression& expression,
                                        const std::vector<double>& at) {
  std::vector<double> partial(at.size());
  for (std::size_t first = 0; first < at.size(); first += dual_width) {
    std::vector<WideDual> duals(at.begin(), at.end());
    const std::size_t width = std::min<std::size_t>(dual_width, at.size() - first);
    for (std::size_t k = 0; k < width; ++k) duals[first + k].v[static_cast<int>(k)] = 1;
    const WideDual value = expression.evaluate(std::span<const WideDual>(duals));
    for (std::size_t k = 0; k < width; ++k) partial[first + k] = value.v[static_cast<int>(k)];
  }
  return partial;
}

}  // namespace

Eigen::VectorXd RowFormula::slope(const ResultTable& table, const TableSlopes& slopes,
                                  std::size_t row, Eigen::Index numbers) const {
  std::vector<double> at;
  for (const std::string& name : names_) at.push_back((*column_of(table, name))[row]);
  const std::vector<double> partial = partial_derivatives(expression_, at);
  Eigen::VectorXd slope = Eigen::VectorXd::Zero(numbers);
  for (std::size_t c = 0; c < names_.size(); ++c)
    if (const auto found = slopes.find(names_[c]); found != slopes.end())
      slope += partial[c] * found->second.row(static_cast<Eigen::Index>(row)).transpose();
  return slope;
}

Eigen::VectorXd Reduction::slope(const std::vector<ResultTable>& tables,
                                 const std::vector<TableSlopes>& slopes, std::size_t table,
                                 Eigen::Index numbers) const {
  std::vector<double> values;
  std::vector<Eigen::VectorXd> inner;
  for (const Call& call : calls_) {
    bool found = false;
    double value = nan;
    Eigen::VectorXd slope = Eigen::VectorXd::Zero(numbers);
    for (std::size_t t = 0; t < tables.size() && !found; ++t) {
      if (table != 0 && t + 1 != table) continue;
      RowWeights weights;
      value = call_value(call, tables[t], found, &weights);
      for (const auto& [row, weight] : weights)
        slope += weight * call.of.slope(tables[t], slopes[t], row, numbers);
    }
    values.push_back(value);
    inner.push_back(std::move(slope));
  }
  const std::vector<double> partial = partial_derivatives(outer_, values);
  Eigen::VectorXd slope = Eigen::VectorXd::Zero(numbers);
  for (std::size_t k = 0; k < inner.size(); ++k) slope += partial[k] * inner[k];
  return slope;
}

bool rows_kept(const ResultTable& table, const std::vector<std::pair<std::string, double>>& keep,
               std::vector<std::size_t>& rows) {
  rows.clear();
  std::vector<std::pair<const std::vector<double>*, double>> tests;
  for (const auto& [name, value] : keep) {
    const std::vector<double>* column = column_of(table, name);
    if (!column) return false;
    tests.emplace_back(column, value);
  }
  const std::size_t count = table.empty() ? 0 : table.front().second->size();
  for (std::size_t i = 0; i < count; ++i)
    if (std::all_of(tests.begin(), tests.end(), [&](const auto& test) {
          const double x = (*test.first)[i];
          return std::abs(x - test.second) <= 1e-9 * std::max(std::abs(x), std::abs(test.second));
        }))
      rows.push_back(i);
  return true;
}

double interpolated(const std::vector<double>& xs, const std::vector<double>& ys,
                    const std::vector<std::size_t>& rows, double x, RowWeights* weights) {
  double best = nan;
  const auto take = [&](double y, RowWeights of) {
    if (std::isnan(y) || y <= best) return;
    best = y;
    if (weights) *weights = std::move(of);
  };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double x1 = xs[rows[k]], y1 = ys[rows[k]];
    if (x1 == x) take(y1, {{rows[k], 1}});
    if (k == 0) continue;
    const double x0 = xs[rows[k - 1]], y0 = ys[rows[k - 1]];
    if (x0 != x1 && std::min(x0, x1) < x && x < std::max(x0, x1)) {
      const double part = (x - x0) / (x1 - x0);
      take(y0 + part * (y1 - y0), {{rows[k - 1], 1 - part}, {rows[k], part}});
    }
  }
  return best;
}

std::string Reduction::without_calls(std::string_view text) {
  static const std::vector<std::string> words{"max", "min", "mean", "first", "last", "at"};
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (!begins_name(text[i]) || (i > 0 && (is_in_name(text[i - 1]) || text[i - 1] == '.'))) {
      result += text[i++];
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && is_in_name(text[i])) ++i;
    const std::string name(text.substr(begin, i - begin));
    const auto word = std::find(words.begin(), words.end(), name);
    std::size_t open = i;
    while (open < text.size() && text[open] == ' ') ++open;
    if (word == words.end() || open == text.size() || text[open] != '(') {
      result += name;
      continue;
    }
    int depth = 0;
    std::size_t close = open;
    for (; close < text.size(); ++close) {
      if (text[close] == '(') ++depth;
      if (text[close] == ')' && --depth == 0) break;
    }
    if (close == text.size())
      throw Error("'" + text_ + "': the bracket of " + name + " is not closed");
    const auto arguments = arguments_of(text.substr(open + 1, close - open - 1));
    std::size_t plain = 0;
    for (const auto& argument : arguments)
      if (argument.find('=') == std::string_view::npos) ++plain;
    if (plain != 1 && (name == "max" || name == "min")) {
      result += name;  // of several numbers
      continue;
    }
    if (plain != 1) throw Error("'" + text_ + "': " + name + " takes one formula of columns");
    std::string prefix(arguments.front());
    const bool many = prefix.size() > 1 && prefix.ends_with('*') &&
                      std::all_of(prefix.begin(), prefix.end() - 1, is_in_name);
    if (many && name != "max" && name != "min")
      throw Error("'" + text_ + "': " + prefix + " is for max and min");
    if (many) prefix.pop_back();
    Call call{static_cast<Kind>(word - words.begin()),
              RowFormula(many ? prefix + "1" : prefix),
              many ? prefix : "",
              {},
              {},
              0};
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      const auto equal = arguments[a].find('=');
      if (equal == std::string_view::npos) {
        if (a > 0) throw Error("'" + text_ + "': the formula of " + name + " comes first");
        continue;
      }
      const std::string key(trimmed(arguments[a].substr(0, equal)));
      const std::string number(trimmed(arguments[a].substr(equal + 1)));
      double value = 0;
      try {
        value = parsed(number, {}).evaluate(std::span<const double>());
      } catch (const Error&) {
        throw Error("'" + text_ + "': " + key + " = " + number + " must be a number");
      }
      if (call.kind == Kind::at && key != "level" && call.abscissa.empty()) {
        call.abscissa = key;
        call.at = value;
      } else {
        call.keep.emplace_back(key, value);
      }
    }
    if (call.kind == Kind::at && call.abscissa.empty())
      throw Error("'" + text_ + "': at needs the place, at(x5, omega=0.9)");
    result += "r" + std::to_string(calls_.size()) + "_";
    calls_.push_back(std::move(call));
    i = close + 1;
  }
  return result;
}

Reduction::Reduction(std::string_view text) : text_(text) {
  const std::string outer = without_calls(text);
  if (calls_.empty())
    throw Error("value = '" + text_ +
                "' is neither a formula of max, min, mean, first, last or at(…) of columns, as "
                "max(x5), nor a path into the result, as fits[1].rms");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < calls_.size(); ++i) names.push_back("r" + std::to_string(i) + "_");
  try {
    outer_ = parsed(outer, names);
  } catch (const Error& error) {
    throw Error("value = '" + text_ + "': " + error.what());
  }
}

double Reduction::call_value(const Call& call, const ResultTable& table, bool& found,
                             RowWeights* weights) const {
  if (!call.prefix.empty()) {
    if (weights) throw Error("a largest of several columns has no derivative here");
    double most = nan;
    found = false;
    for (const auto& [heading, column] : table) {
      if (!heading.starts_with(call.prefix) || heading.size() == call.prefix.size() ||
          heading.find_first_not_of("0123456789", call.prefix.size()) != std::string::npos)
        continue;
      Call one{call.kind, RowFormula(heading), {}, call.keep, {}, 0};
      const double value = call_value(one, table, found);
      if (std::isnan(most) || (call.kind == Kind::max ? value > most : value < most)) most = value;
    }
    return most;
  }
  std::vector<double> values;
  std::vector<std::size_t> rows;
  found = call.of.evaluate(table, values) && rows_kept(table, call.keep, rows);
  const std::vector<double>* xs = call.kind == Kind::at ? column_of(table, call.abscissa) : nullptr;
  found = found && (call.kind != Kind::at || xs);
  if (!found) return nan;
  if (xs) return interpolated(*xs, values, rows, call.at, weights);
  std::erase_if(rows, [&](std::size_t i) { return std::isnan(values[i]); });
  if (rows.empty()) return nan;
  if (call.kind == Kind::mean) {
    double sum = 0;
    for (const std::size_t i : rows) {
      sum += values[i];
      if (weights) weights->emplace_back(i, 1 / static_cast<double>(rows.size()));
    }
    return sum / static_cast<double>(rows.size());
  }
  std::size_t row = call.kind == Kind::last ? rows.back() : rows.front();
  for (const std::size_t i : rows) {
    if (call.kind == Kind::max && values[i] > values[row]) row = i;
    if (call.kind == Kind::min && values[i] < values[row]) row = i;
  }
  if (weights) *weights = {{row, 1}};
  return values[row];
}

double Reduction::evaluate(const std::vector<ResultTable>& tables, std::size_t table) const {
  std::vector<double> numbers;
  for (const Call& call : calls_) {
    bool found = false;
    double value = nan;
    for (std::size_t t = 0; t < tables.size() && !found; ++t)
      if (table == 0 || t + 1 == table) value = call_value(call, tables[t], found);
    if (!found)
      throw Error("value = '" + text_ + "': the result has no such columns; " +
                  headings_of(tables));
    numbers.push_back(value);
  }
  return outer_.evaluate(std::span<const double>(numbers));
}

}  // namespace microslip::study
