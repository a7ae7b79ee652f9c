#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The text form of requests and results: JSON, or TOML to write by hand. It is made from the list
/// of members of each struct (members.hpp), begins with its `schema`, and is read in one place, where
/// an unknown key is refused.
///
/// Numbers that are not finite are null. Where a list of numbers is expected, a request may hold a
/// text instead: the name of a column that is given beside it.
namespace microslip::jobs {

/// Columns of numbers that a caller gives beside the text of a request.
using Columns = std::map<std::string, std::vector<double>, std::less<>>;

/// Values by name, in their order; an object in JSON.
template <class T>
using Named = std::vector<std::pair<std::string, T>>;

/// The words for the values of an enumeration, in their order.
template <class Enum>
inline constexpr std::array<std::string_view, 0> words_of{};

/// `indent` as nlohmann::json takes it; −1 is one line. Instantiated for every request and result.
template <class T>
std::string to_text(const T& value, int indent = 2);

/// The same with the columns of the result beside it: where a table `columns` has a list of numbers, the
/// text names it by its place, "/analyses/0/columns/x1".
template <class T>
std::string to_text(const T& value, int indent, Columns& beside);

/// `name` is for messages: "request", or the name of a file. JSON begins with a brace; anything else is
/// TOML.
template <class T>
T from_text(std::string_view text, std::string_view name = "request", const Columns& beside = {});

}  // namespace microslip::jobs
