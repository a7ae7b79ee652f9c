#include "microslip/catalog/catalog.hpp"

#include <string>
#include <vector>

#include "catalog/sliders/sliders_law.hpp"
#include "microslip/core/text.hpp"

namespace microslip::catalog {

std::vector<Law> all_entries();  // generated from laws.txt

std::span<const Law> laws() {
  static const std::vector<Law> all = [] {
    std::vector<Law> list = all_entries();
    list.push_back(sliders_entry());
    return list;
  }();
  return all;
}

const Law& find_law(std::string_view name) {
  std::vector<std::string> names;
  for (const Law& law : laws()) {
    if (law.description.name == name) return law;
    names.push_back(law.description.name);
  }
  for (const Description& wrapper : wrappers()) names.push_back(wrapper.name);
  throw Error("unknown model '" + std::string(name) + "'" + suggestion(name, names));
}

}  // namespace microslip::catalog
