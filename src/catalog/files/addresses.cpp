#include "microslip/catalog/files/addresses.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <variant>

#include "catalog/files/structure_parts.hpp"
#include "microslip/catalog/by_displacement.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::catalog {
namespace {

using Index = Eigen::Index;
using What = Address::Kind;

/// "spring[1..24].k" cut into its head, what stands in brackets, and the rest.
struct Cut {
  std::string head, inside, rest;
  bool brackets = false;
};

Cut cut(std::string_view text) {
  Cut parts;
  const auto open = text.find('[');
  const auto dot = text.find('.');
  if (open == std::string_view::npos || (dot != std::string_view::npos && dot < open)) {
    parts.head = text.substr(0, dot);
    if (dot != std::string_view::npos) parts.rest = text.substr(dot + 1);
    return parts;
  }
  const auto close = text.find(']', open);
  if (close == std::string_view::npos)
    throw Error("address '" + std::string(text) + "': the bracket is not closed");
  parts.brackets = true;
  parts.head = text.substr(0, open);
  parts.inside = text.substr(open + 1, close - open - 1);
  std::string_view rest = text.substr(close + 1);
  if (rest.starts_with('.')) rest.remove_prefix(1);
  parts.rest = rest;
  return parts;
}

[[noreturn]] void refuse(std::string_view text, const std::string& sentence) {
  throw Error("address '" + std::string(text) + "': " + sentence);
}

std::optional<std::size_t> whole(std::string_view text) {
  if (text.empty() || text.size() > 9) return std::nullopt;
  std::size_t number = 0;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) return std::nullopt;
    number = 10 * number + static_cast<std::size_t>(c - '0');
  }
  return number;
}

/// From 1 in the text, from 0 in the answer.
std::size_t place(std::string_view text, std::string_view inside, std::size_t count,
                  const std::string& of) {
  const auto number = whole(inside);
  if (!number)
    refuse(text, "'" + std::string(inside) + "' must be the number of " + of +
                     (inside.find_first_of("*.") != std::string_view::npos
                          ? "; a range stands for several addresses and cannot stand here"
                          : ""));
  if (count == 0) refuse(text, "the file has no " + of);
  if (*number < 1 || *number > count)
    refuse(text, of + " " + std::to_string(*number) + " does not exist; they are 1 to " +
                     std::to_string(count));
  return *number - 1;
}

/// The load, its amplitude and what it is called.
double* amplitude_of(dynamics::Signal& signal) {
  if (auto* tones = std::get_if<dynamics::Tones>(&signal))
    return tones->list.size() == 1 ? &tones->list.front().amplitude : nullptr;
  if (auto* constant = std::get_if<dynamics::Constant>(&signal)) return &constant->value;
  if (auto* sweep = std::get_if<dynamics::Sweep>(&signal)) return &sweep->amplitude;
  if (auto* stepped = std::get_if<dynamics::SteppedSine>(&signal)) return &stepped->amplitude;
  if (auto* impulse = std::get_if<dynamics::Impulse>(&signal)) return &impulse->impulse;
  return nullptr;
}

/// The parameter of a law under its whole name, or under an end of it that one alone has.
void find_parameter(const StructureFile& file, std::string_view text, std::string name,
                    Address& address) {
  const ModelSpec& spec = file.laws[address.place];
  std::optional<std::size_t> element;
  if (name.ends_with(']')) {
    const auto open = name.rfind('[');
    const auto number =
        open == std::string::npos
            ? std::nullopt
            : whole(std::string_view(name).substr(open + 1, name.size() - open - 2));
    if (!number || *number < 1) refuse(text, "the number in the last brackets must be 1 or more");
    element = *number - 1;
    name.resize(open);
  }
  std::vector<std::string> found, all;
  for (const auto& [parameter, value] : spec.parameters) {
    if (std::holds_alternative<std::string>(value)) continue;
    all.push_back(parameter);
    if (parameter == name) found = {parameter};
    if (parameter == name) break;
    if (parameter.ends_with("." + name)) found.push_back(parameter);
  }
  if (found.size() > 1)
    refuse(text, "'" + name + "' could be " + found[0] + " or " + found[1] + " of the law");
  if (found.empty())
    refuse(text,
           "the law " + spec.model + " has no parameter '" + name + "'" + suggestion(name, all));
  address.parameter = found.front();
  const Value& value = spec.parameters.at(address.parameter);
  if (std::holds_alternative<double>(value)) {
    if (element) refuse(text, address.parameter + " is one number, without brackets");
    return;
  }
  const auto* list = std::get_if<std::vector<double>>(&value);
  if (!list) refuse(text, address.parameter + " is neither a number nor a list");
  if (!element)
    refuse(text, address.parameter + " is a list of " + std::to_string(list->size()) +
                     "; name an entry, " + address.parameter + "[1]");
  if (*element >= list->size())
    refuse(text, address.parameter + " has " + std::to_string(list->size()) + " entries");
  address.element = *element;
}

void find_matrix(const StructureFile& file, std::string_view text, const Cut& parts,
                 Address& address) {
  address.matrix = parts.head.front();
  if (!parts.rest.empty()) refuse(text, "nothing may follow a matrix or its entry");
  if (!parts.brackets) {
    address.kind = What::matrix_factor;
    return;
  }
  address.kind = What::matrix_entry;
  const auto comma = parts.inside.find(',');
  const auto size = static_cast<std::size_t>(file.parts.M.rows());
  std::string_view second = parts.inside;
  if (comma != std::string::npos) {
    second.remove_prefix(comma + 1);
    while (second.starts_with(' ')) second.remove_prefix(1);
  }
  const std::string of = "degree of freedom";
  address.row =
      static_cast<Index>(place(text, std::string_view(parts.inside).substr(0, comma), size, of));
  address.column = static_cast<Index>(place(text, second, size, of));
}

dynamics::SparseMatrix& matrix_of(StructureParts& parts, char name) {
  return name == 'M' ? parts.M : name == 'C' ? parts.C : parts.K;
}

void change(StructureFile& file, const Address& address, double value) {
  StructureParts& parts = file.parts;
  switch (address.kind) {
    case What::matrix_entry: {
      dynamics::SparseMatrix& matrix = matrix_of(parts, address.matrix);
      matrix.coeffRef(address.row, address.column) = value;
      matrix.coeffRef(address.column, address.row) = value;
      return;
    }
    case What::matrix_factor:
      matrix_of(parts, address.matrix) *= value;
      return;
    case What::spring:
      parts.springs[address.place].value = value;
      return;
    case What::damper:
      parts.dampers[address.place].value = value;
      return;
    case What::damping:
      parts.damping[address.place] = value;
      return;
    case What::stuck_damping:
      parts.stuck_damping[address.place] = value;
      return;
    case What::load:
      *amplitude_of(file.structure.loads[address.place].signal) = value;
      return;
    case What::joint:
      break;
  }
  Value& of = file.laws[address.place].parameters.at(address.parameter);
  if (auto* number = std::get_if<double>(&of))
    *number = value;
  else
    std::get<std::vector<double>>(of).at(address.element) = value;
}

/// Forces of a moving ground are −M r a.
void move_bases(const StructureFile& before, StructureFile& file) {
  for (std::size_t l = 0; l < file.load_units.size(); ++l) {
    if (file.load_units[l] == "F") continue;
    const Eigen::MatrixXd old(before.structure.M);
    Eigen::VectorXd& direction = file.structure.loads[l].direction;
    direction = file.structure.M * dense::solve(old, direction);
  }
}

}  // namespace

Address address_of(const StructureFile& file, std::string_view text) {
  if (!file.parts.fixed.empty())
    refuse(text, "single numbers of this structure cannot be changed, because " + file.parts.fixed);
  if (file.parts.M.rows() == 0) refuse(text, "the parts of this structure are not known");
  const Cut parts = cut(text);
  Address address;
  address.text = text;
  const auto only = [&](const std::string& name) {
    if (parts.rest != name)
      refuse(text, "it must end on ." + name + ", as in " + parts.head + "[1]." + name);
  };
  if (parts.head == "M" || parts.head == "K" || parts.head == "C") {
    find_matrix(file, text, parts, address);
    return address;
  }
  const std::vector<std::string> heads{
      "M", "K", "C", "spring", "damper", "damping", "stuck_damping", "load", "joint"};
  if (std::find(heads.begin(), heads.end(), parts.head) == heads.end())
    refuse(text, "unknown part '" + parts.head + "'" + suggestion(parts.head, heads));
  if (!parts.brackets) refuse(text, "a number must follow, as in " + parts.head + "[1]");
  const auto find = [&](What kind, std::size_t count, const std::string& of) {
    address.kind = kind;
    address.place = place(text, parts.inside, count, of);
  };
  if (parts.head == "spring") {
    find(What::spring, file.parts.springs.size(), "spring");
    only("k");
  } else if (parts.head == "damper") {
    find(What::damper, file.parts.dampers.size(), "damper");
    only("c");
  } else if (parts.head == "damping" || parts.head == "stuck_damping") {
    const bool stuck = parts.head == "stuck_damping";
    find(stuck ? What::stuck_damping : What::damping,
         stuck ? file.parts.stuck_damping.size() : file.parts.damping.size(),
         "ratio of " + parts.head);
    if (!parts.rest.empty()) refuse(text, "nothing may follow a damping ratio");
  } else if (parts.head == "load") {
    find(What::load, file.structure.loads.size(), "load");
    only("amplitude");
    dynamics::Signal signal = file.structure.loads[address.place].signal;
    if (!amplitude_of(signal)) refuse(text, "this load has not one amplitude");
  } else {
    find(What::joint, file.laws.size(), "joint");
    find_parameter(file, text, parts.rest, address);
  }
  return address;
}

std::vector<std::string> expanded(const StructureFile& file, std::string_view text) {
  const Cut parts = cut(text);
  const auto dots = parts.inside.find("..");
  const bool all = parts.inside == "*";
  if (!all && dots == std::string::npos) return {std::string(text)};
  const std::size_t count = parts.head == "spring"          ? file.parts.springs.size()
                            : parts.head == "damper"        ? file.parts.dampers.size()
                            : parts.head == "damping"       ? file.parts.damping.size()
                            : parts.head == "stuck_damping" ? file.parts.stuck_damping.size()
                            : parts.head == "load"          ? file.structure.loads.size()
                            : parts.head == "joint"         ? file.laws.size()
                                                    : static_cast<std::size_t>(file.parts.M.rows());
  std::size_t from = 1, to = count;
  if (!all) {
    const auto first = whole(std::string_view(parts.inside).substr(0, dots));
    const auto last = whole(std::string_view(parts.inside).substr(dots + 2));
    if (!first || !last || *first < 1 || *last < *first || *last > count)
      refuse(text, "the range must be two numbers from 1 to " + std::to_string(count));
    from = *first;
    to = *last;
  }
  std::vector<std::string> result;
  for (std::size_t i = from; i <= to; ++i)
    result.push_back(parts.head + "[" + std::to_string(i) + "]" +
                     (parts.rest.empty() ? "" : "." + parts.rest));
  return result;
}

double value_at(const StructureFile& file, const Address& address) {
  const StructureParts& parts = file.parts;
  switch (address.kind) {
    case What::matrix_entry:
      return (address.matrix == 'M'   ? parts.M
              : address.matrix == 'C' ? parts.C
                                      : parts.K)
          .coeff(address.row, address.column);
    case What::matrix_factor:
      return 1;
    case What::spring:
      return parts.springs[address.place].value;
    case What::damper:
      return parts.dampers[address.place].value;
    case What::damping:
      return parts.damping[address.place];
    case What::stuck_damping:
      return parts.stuck_damping[address.place];
    case What::load: {
      dynamics::Signal signal = file.structure.loads[address.place].signal;
      return *amplitude_of(signal);
    }
    case What::joint:
      break;
  }
  const Value& value = file.laws[address.place].parameters.at(address.parameter);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::get<std::vector<double>>(value).at(address.element);
}

dynamics::Structure assembled(const StructureFile& file) {
  dynamics::Structure s = file.structure;
  s.M = file.parts.M;
  s.C = file.parts.C;
  s.K = file.parts.K;
  for (const LinearElement& spring : file.parts.springs)
    dynamics::add_along(s.K, spring.w, spring.value);
  for (const LinearElement& damper : file.parts.dampers)
    dynamics::add_along(s.C, damper.w, damper.value);
  add_modal_damping(file.parts, s);
  return s;
}

void set_values(StructureFile& file, const AddressedValues& values) {
  const StructureFile before = file;
  std::vector<bool> touched(file.laws.size(), false);
  for (const auto& [address, value] : values) {
    change(file, address, value);
    if (address.kind == What::joint) touched[address.place] = true;
  }
  for (std::size_t j = 0; j < touched.size(); ++j) {
    if (!touched[j]) continue;
    const AnyModel law = make(file.laws[j]);
    file.structure.joints[j].model = by_displacement(law);
    file.structure.joints[j].parts.clear();
    if (file.structure.joints[j].model.rigid() && law.description().driven == Driven::force)
      file.structure.joints[j].parts = parallel_parts(law);
  }
  file.structure = assembled(file);
  move_bases(before, file);
}

dynamics::Structure with_values(const StructureFile& file, const AddressedValues& values) {
  StructureFile changed = file;
  set_values(changed, values);
  return std::move(changed.structure);
}

}  // namespace microslip::catalog
