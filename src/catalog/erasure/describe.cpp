#include "microslip/detail/catalog/erasure/describe.hpp"

namespace microslip::catalog {

std::vector<std::string> given(std::span<const std::string_view> names) {
  std::vector<std::string> result;
  for (const auto& name : names)
    if (!name.empty()) result.emplace_back(name);
  return result;
}

Description make_description(const Info& info, Family family) {
  return {.name = std::string(info.name),
          .sentence = std::string(info.sentence),
          .equation = std::string(info.equation),
          .citation = std::string(info.citation),
          .claims = info.claims,
          .driven = info.driven,
          .family = family,
          .parameters = {},
          .options = {},
          .states = {}};
}

void add_parameter(Description& d, std::string_view name, std::string_view unit, Kind kind,
                   const Interval& bounds, std::span<const std::string_view> variables,
                   Value standard, std::string_view sentence) {
  d.parameters.push_back({std::string(name), std::string(unit), kind, bounds, given(variables),
                          std::move(standard), std::string(sentence)});
}

void add_option(std::vector<OptionInfo>& options, std::string_view name, const Interval& bounds,
                std::span<const std::string_view> choices, double standard,
                std::string_view sentence) {
  OptionInfo row{std::string(name), bounds, given(choices), standard, std::string(sentence)};
  if (!row.choices.empty()) row.default_value = row.choices[static_cast<std::size_t>(standard)];
  options.push_back(std::move(row));
}

void add_state(Description& d, std::string_view name, std::string_view unit,
               std::string_view sentence) {
  d.states.push_back({std::string(name), std::string(unit), std::string(sentence)});
}

}  // namespace microslip::catalog
