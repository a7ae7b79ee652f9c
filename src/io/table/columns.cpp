#include "io/table/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace microslip::io {

using namespace csv;

std::vector<std::string> ColumnChoice::names() const {
  std::vector<std::string> names(headings_.size());
  const auto claim = [&names](std::size_t position, const std::string& name) {
    if (position != none) names[position] = name;
    return position != none;
  };
  for (const auto& [name, given] : wanted_.named) {
    const std::size_t position = locate_given(given, name);
    if (!names[position].empty()) throw both(given, names[position], name);
    claim(position, name);
  }
  for (const std::string& name : wanted_.required) {
    if (wanted_.named.count(name) != 0) continue;
    if (claim(locate(name, names), name)) continue;
    // Claimed for something else, or not there at all.
    const std::size_t taken = locate(name, std::vector<std::string>(names.size()));
    if (taken == none) throw missing(name);
    const std::string& heading = headings_[taken].text;
    throw both(heading.empty() ? std::to_string(taken + 1) : heading, names[taken], name);
  }
  for (const std::string& name : wanted_.optional) {
    if (wanted_.named.count(name) == 0) claim(locate(name, names), name);
  }
  return names;
}

void ColumnChoice::name_by_position(std::vector<Heading>& headings, const Wanted& wanted) {
  static const std::array<std::vector<std::string>, 2> usual{{{"u", "f"}, {"t", "u", "f"}}};
  if (headings.size() == 1) {
    headings[0].name = wanted.required.size() == 1 ? wanted.required[0] : "u";
  } else if (headings.size() <= 3) {
    for (std::size_t i = 0; i < headings.size(); ++i)
      headings[i].name = usual[headings.size() - 2][i];
  }
}

template <class Matches>
std::size_t ColumnChoice::only(Matches&& matches, std::string_view name) const {
  std::size_t found = none;
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    if (!matches(i)) continue;
    if (found != none) {
      const std::string place = line_ > 0 ? fmt::format(" in column {}", found + 1) : "";
      const std::string advice =
          wanted_.option_prefix.empty()
              ? std::string("only one may")
              : fmt::format("{}{} NAME says which one it is", wanted_.option_prefix, name);
      const std::string sentence =
          fmt::format("{} could be {} as well as {}{}; {}", shown(headings_[i].text), name,
                      shown(headings_[found].text), place, advice);
      if (line_ == 0) throw Error(fmt::format("{}: {}", source_, sentence));
      throw Error::at(source_, line_, i + 1, sentence);
    }
    found = i;
  }
  return found;
}

std::size_t ColumnChoice::locate(const std::string& name,
                                 const std::vector<std::string>& taken) const {
  const auto free = [&](std::size_t i) { return taken[i].empty(); };
  std::size_t found =
      only([&](std::size_t i) { return free(i) && headings_[i].name == name; }, name);
  if (found != none) return found;
  const std::string folded = lower(name);
  found = only([&](std::size_t i) { return free(i) && lower(headings_[i].name) == folded; }, name);
  if (found != none) return found;
  const auto& others = other_names(name);
  found = only(
      [&](std::size_t i) {
        return free(i) &&
               std::find(others.begin(), others.end(), lower(headings_[i].name)) != others.end();
      },
      name);
  if (found != none) return found;
  const auto& words = words_of_other_devices(name);
  for (const std::vector<std::string>* list : {&others, &words}) {
    found = only([&](std::size_t i) { return free(i) && contains_word(headings_[i].name, *list); },
                 name);
    if (found != none) return found;
  }
  found = only(
      [&](std::size_t i) { return free(i) && contains_misspelt(headings_[i].name, others); }, name);
  return found != none ? found : only_by_unit(name, taken);
}

std::size_t ColumnChoice::only_by_unit(const std::string& name,
                                       const std::vector<std::string>& taken) const {
  std::size_t found = none;
  for (std::size_t i = 0; i < headings_.size(); ++i) {
    if (!taken[i].empty() || !has_unit_of(name, headings_[i].unit)) continue;
    if (found != none) return none;
    found = i;
  }
  return found;
}

std::size_t ColumnChoice::locate_given(const std::string& given, const std::string& name) const {
  std::size_t found =
      only([&](std::size_t i) { return headings_[i].name == given || headings_[i].text == given; },
           name);
  const std::string folded = lower(given);
  if (found == none)
    found = only(
        [&](std::size_t i) { return !folded.empty() && lower(headings_[i].name) == folded; }, name);
  if (found != none) return found;
  std::size_t number = 0;
  const char* const end = given.data() + given.size();
  const auto [stop, error] = std::from_chars(given.data(), end, number);
  if (stop == end && error == std::errc{} && number >= 1 && number <= headings_.size())
    return number - 1;
  throw Error(fmt::format("{} has no {} {}, which was to be {}; {}", source_, kind_, shown(given),
                          name, what_there_is()));
}

bool ColumnChoice::has_names() const {
  return std::any_of(headings_.begin(), headings_.end(),
                     [](const Heading& heading) { return !heading.text.empty(); });
}

std::string ColumnChoice::what_there_is() const {
  constexpr std::size_t most = 20;
  std::vector<std::string> texts;
  for (const Heading& heading : headings_) {
    if (!heading.text.empty() && texts.size() < most) texts.push_back(heading.text);
  }
  const std::string count =
      fmt::format("it has {} {}{}", headings_.size(), kind_, headings_.size() == 1 ? "" : "s");
  if (texts.empty()) return count + " and no header";
  return count + ": " + quoted_list(texts) + (texts.size() < headings_.size() ? ", ..." : "");
}

Error ColumnChoice::both(const std::string& column, const std::string& one,
                         const std::string& other) const {
  return Error(fmt::format("{} {} of {} cannot be both {} and {}", kind_, shown(column), source_,
                           one, other));
}

Error ColumnChoice::missing(const std::string& name) const {
  std::string also;
  for (const std::string& other : other_names(name)) also += (also.empty() ? "" : ", ") + other;
  if (!also.empty()) also = " (also read: " + also + ")";
  const std::string_view rule =
      has_names() ? "" : "; without a header, one column is u, two are u,f and three are t,u,f";
  const std::string option =
      wanted_.option_prefix.empty()
          ? ""
          : fmt::format("; {}{} NAME says which one it is", wanted_.option_prefix, name);
  const auto has = [this](std::string_view heading) {
    return std::any_of(headings_.begin(), headings_.end(),
                       [&](const Heading& h) { return lower(h.name) == heading; });
  };
  const std::string directions =
      (name == "u" || name == "f") && has(name + "x") && has(name + "y")
          ? fmt::format("; {0}x and {0}y are two directions, and one record is one of them", name)
          : "";
  return Error(fmt::format("{} has no {} '{}'{}; {}{}{}{}", source_, kind_, name, also,
                           what_there_is(), directions, rule, option));
}

}  // namespace microslip::io
