#include "microslip/catalog/files/error_place.hpp"

#include <toml++/toml.h>

#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>

#include "microslip/io/file.hpp"

namespace microslip::catalog {
namespace {

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

/// Calls use(what follows) for each place where the name stands alone; true ends the search.
template <class Use>
bool find_name(std::string_view message, std::string_view name, const Use& use) {
  for (std::size_t at = message.find(name); at != std::string_view::npos;
       at = message.find(name, at + 1)) {
    const bool begins = at == 0 || !is_part_of_name(message[at - 1]);
    if (begins && use(message.substr(at + name.size()))) return true;
  }
  return false;
}

bool follows_a_name(std::string_view after) {
  constexpr std::array<std::string_view, 8> ends{" = ",   "'",      "(",    "[",
                                                 " has ", " must ", " is ", ";"};
  for (const std::string_view end : ends)
    if (after.starts_with(end)) return true;
  return false;
}

/// How surely a message speaks of a key: by its value, by its section, by a text in quotes.
class Finder {
 public:
  explicit Finder(std::string_view message) : message_(message) {}

  void look_into(const toml::table& table, const std::string& section) {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      look_at(name, section, node);
      if (const auto* inner = node.as_table()) look_into(*inner, name);
      if (const auto* list = node.as_array())
        for (const auto& entry : *list)
          if (const auto* inner = entry.as_table()) look_into(*inner, name);
    }
  }

  std::size_t line() const { return line_; }

 private:
  void look_at(const std::string& name, const std::string& section, const toml::node& node) {
    int score = 0;
    if (!section.empty() && find_name(message_, section + "." + name, follows_a_name)) score = 2;
    if (message_.starts_with(name) && follows_a_name(message_.substr(name.size()))) score = 2;
    if (const auto* text = node.as_string();
        text && !text->get().empty() &&
        message_.find("'" + text->get() + "'") != std::string_view::npos)
      score = 2;
    if (has_value(name, node)) score = 3;
    // "random.half_length" of random = { … } without that key.
    const auto dot = [](std::string_view after) { return after.starts_with("."); };
    if (score == 0 && node.is_table() && find_name(message_, name, dot)) score = 1;
    if (score <= best_) return;
    best_ = score;
    line_ = node.source().begin.line;
  }

  /// "until = -1" where the file says so.
  bool has_value(const std::string& name, const toml::node& node) const {
    double value = 0;
    if (const auto* whole = node.as_integer())
      value = static_cast<double>(whole->get());
    else if (const auto* number = node.as_floating_point())
      value = number->get();
    else
      return false;
    return find_name(message_, name, [&](std::string_view after) {
      if (!after.starts_with(" = ")) return false;
      const double said = std::strtod(std::string(after.substr(3, 40)).c_str(), nullptr);
      return std::abs(said - value) <= 1e-4 * std::abs(value);
    });
  }

  std::string_view message_;
  int best_ = 0;
  std::size_t line_ = 0;
};

}  // namespace

bool names_value(std::string_view message, std::string_view name) {
  const auto alone = [&](std::size_t at) {
    const char before = at == 0 ? ' ' : message[at - 1];
    return before == '.' || !is_part_of_name(before);
  };
  for (std::size_t at = message.find(name); at != std::string_view::npos;
       at = message.find(name, at + 1))
    if (alone(at) && follows_a_name(message.substr(at + name.size()))) return true;
  return false;
}

Error at_key(const std::filesystem::path& file, const Error& error) {
  const std::string message = error.what(), source = io::source_name(file);
  if (message.find(source + ",") != std::string::npos ||
      message.find(source + ":") != std::string::npos || message.starts_with(source + " "))
    return error;
  Finder finder(message);
  try {
    finder.look_into(toml::parse(io::read_file(file)), "");
  } catch (const std::exception&) {
    return error;  // it was read once, and cannot be read again
  }
  if (finder.line() == 0) return error;
  return Error(source + ", line " + std::to_string(finder.line()) + ": " + message);
}

}  // namespace microslip::catalog
