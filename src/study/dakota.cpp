#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "microslip/core/error.hpp"
#include "microslip/core/read_number.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/study/serve.hpp"

namespace microslip::study {
namespace {

/// A line of a parameters file: "{ name = value }" or "value name".
struct Entry {
  std::string name, value;
};

std::vector<Entry> entries_of(std::string_view text) {
  std::vector<Entry> entries;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    if (!(words >> first)) continue;
    Entry entry;
    if (first == "{") {
      std::string equal, close;
      if (!(words >> entry.name >> equal >> entry.value >> close) || equal != "=" || close != "}")
        throw Error("the line '" + line + "' is none of Dakota's APREPRO format");
    } else {
      entry.value = first;
      words >> entry.name;
      // Names of strings and components may follow.
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

double number_of(const Entry& entry) {
  double x = 0;
  std::string_view text = entry.value;
  if (text.starts_with('+')) text.remove_prefix(1);
  const NumberEnd end = read_number(text, x);
  if (end.error != std::errc() || end.length != text.size())
    throw Error(entry.name + " = '" + entry.value + "' is no number");
  return x;
}

/// Descriptors of Dakota have no brackets: joint_1_phi is joint[1].phi.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (word)
      plain += c;
    else if (!plain.empty() && plain.back() != '_')
      plain += '_';
  }
  while (plain.ends_with('_')) plain.pop_back();
  return plain;
}

struct Parameters {
  std::vector<Entry> variables;
  std::vector<int> active;
  std::vector<std::string> labels;
  std::vector<std::size_t> derivatives;  ///< places in `variables`
};

std::size_t count_of(const Entry& entry, const char* standard, const char* aprepro) {
  if (entry.name != standard && entry.name != aprepro)
    throw Error("it should say how many " + std::string(standard) + " there are, and says '" +
                entry.name + "'");
  const double x = number_of(entry);
  if (!(x >= 0 && x <= 1e6) || x != std::floor(x)) throw Error(entry.name + " is no count");
  return static_cast<std::size_t>(x);
}

Parameters parameters_of(std::string_view text) {
  const std::vector<Entry> entries = entries_of(text);
  std::size_t at = 0;
  const auto next = [&]() -> const Entry& {
    if (at >= entries.size()) throw Error("the file ends too early");
    return entries[at++];
  };
  Parameters p;
  const std::size_t variables = count_of(next(), "variables", "DAKOTA_VARS");
  for (std::size_t i = 0; i < variables; ++i) p.variables.push_back(next());
  const std::size_t functions = count_of(next(), "functions", "DAKOTA_FNS");
  for (std::size_t i = 0; i < functions; ++i) {
    const Entry& entry = next();
    p.active.push_back(static_cast<int>(number_of(entry)));
    const auto colon = entry.name.find(':');
    p.labels.push_back(colon == std::string::npos ? "" : entry.name.substr(colon + 1));
  }
  const std::size_t derivatives = count_of(next(), "derivative_variables", "DAKOTA_DER_VARS");
  for (std::size_t i = 0; i < derivatives; ++i) {
    const double place = number_of(next());
    if (!(place >= 1 && place <= static_cast<double>(variables)))
      throw Error("a derivative variable is none of the variables");
    p.derivatives.push_back(static_cast<std::size_t>(place) - 1);
  }
  return p;
}

/// The place of a name among others; names are compared without brackets and dots.
std::size_t find_name(const std::string& name, const std::vector<std::string>& all) {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == name) return i;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (plain_name(all[i]) == plain_name(name)) return i;
  return all.size();
}

}  // namespace

std::string dakota_results(const Study& study, std::string_view text) {
  const Parameters p = parameters_of(text);
  std::vector<double> numbers = study.own();
  std::vector<std::size_t> place;
  for (const Entry& variable : p.variables) {
    const std::size_t k = find_name(variable.name, study.numbers());
    if (k == study.numbers().size())
      throw Error("the variable '" + variable.name + "' is none of what the study varies" +
                  suggestion(variable.name, study.numbers()));
    place.push_back(k);
    numbers[k] = number_of(variable);
  }
  // Each number is a function; of a curve each point is one, x5_1, x5_2, …
  std::vector<std::string> names;
  for (const Quantity& q : study.quantities()) {
    if (!q.is_curve()) names.push_back(q.name);
    for (std::size_t k = 0; q.is_curve() && k < q.size(); ++k)
      names.push_back(q.name + "_" + std::to_string(k + 1));
  }
  std::vector<std::size_t> wanted;
  for (std::size_t f = 0; f < p.active.size(); ++f) {
    std::size_t k = find_name(p.labels[f], names);
    // Labels that Dakota made itself go by their places.
    if (k == names.size() && (p.labels[f].empty() || p.labels[f].starts_with("response_fn_")) &&
        p.active.size() == names.size())
      k = f;
    if (k == names.size())
      throw Error("the function '" + p.labels[f] + "' is none of what the study collects" +
                  suggestion(p.labels[f], names));
    wanted.push_back(k);
    if (p.active[f] < 0 || p.active[f] > 7) throw Error("an active set value must be from 0 to 7");
    if ((p.active[f] & 4) != 0) throw Error("there are no second derivatives: use numerical ones");
    if ((p.active[f] & 2) != 0 && !study.differentiates())
      throw Error("a job of kind '" + study.kind() +
                  "' has no exact derivatives here: use numerical_gradients");
  }
  const auto asked = [&](int bit) {
    return std::any_of(p.active.begin(), p.active.end(), [&](int a) { return (a & bit) != 0; });
  };
  std::string result;
  try {
    if (asked(1)) {
      const Outcome outcome = study.evaluate(numbers);
      if (!outcome.failure.empty()) return "fail\n" + outcome.failure + "\n";
      for (std::size_t f = 0; f < wanted.size(); ++f) {
        if ((p.active[f] & 1) == 0) continue;
        const double x = outcome.values[wanted[f]];
        if (!std::isfinite(x)) return "fail\n" + names[wanted[f]] + " has no value\n";
        result +=
            io::exact_text(x) + " " + (p.labels[f].empty() ? names[wanted[f]] : p.labels[f]) + "\n";
      }
    }
    if (asked(2)) {
      const Eigen::MatrixXd jacobian = study.jacobian(numbers);
      for (std::size_t f = 0; f < wanted.size(); ++f) {
        if ((p.active[f] & 2) == 0) continue;
        result += "[";
        for (const std::size_t variable : p.derivatives)
          result += " " + io::exact_text(jacobian(static_cast<Eigen::Index>(wanted[f]),
                                                  static_cast<Eigen::Index>(place[variable])));
        result += " ]\n";
      }
    }
  } catch (const jobs::Failure& failure) {
    return "fail\n" + std::string(failure.what()) + "\n";
  }
  return result;
}

}  // namespace microslip::study
