#pragma once

#include "laws/cases.hpp"
#include "support/allocations.hpp"

/// The contract of step and of the tables, whatever the physics.
namespace microslip::laws {

/// Every combination is too many; each choice of each enumerated option once.
template <class L>
std::vector<OptionsOf<L>> option_choices() {
  std::vector<OptionsOf<L>> result{OptionsOf<L>{}};
  for_each_field(OptionsOf<L>::fields, [&](const auto& row) {
    using Member = std::remove_cvref_t<decltype(result[0].*(row.member))>;
    if constexpr (std::is_enum_v<Member>)
      for (std::size_t i = 0; i < row.choices.size() && !row.choices[i].empty(); ++i) {
        OptionsOf<L> options{};
        options.*(row.member) = static_cast<Member>(i);
        result.push_back(options);
      }
  });
  return result;
}

/// Not every option goes with every parameter.
template <class L>
bool accepts(const Case<L>& c) {
  try {
    c.law();
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// The same input gives the same bits; `from` is only read; what was in `to` does not matter, not
/// even when it is `from`.
template <class L>
Fault purity(const Case<L>& c) {
  const auto law = c.law();
  auto from = law.rest();
  for (const auto& move : c.path) {
    const auto before = numbers(from);
    auto first = law.rest();
    const auto reply = step(law, from, move.u, move.dt, first);
    if (!same_bits(numbers(from), before)) return "step changed `from`";

    auto second = law.rest();
    if (!same_bits(numbers(step(law, from, move.u, move.dt, second)), numbers(reply)) ||
        !same_bits(numbers(second), numbers(first)))
      return "the same step twice gave different bits";

    auto dirty = from;
    poison(dirty);
    if (!same_bits(numbers(step(law, from, move.u, move.dt, dirty)), numbers(reply)) ||
        !same_bits(numbers(dirty), numbers(first)))
      return "the old content of `to` matters";

    auto same = from;
    if (!same_bits(numbers(step(law, same, move.u, move.dt, same)), numbers(reply)) ||
        !same_bits(numbers(same), numbers(first)))
      return "step(s, u, s) differs from step(from, u, to)";

    if (reply.status != Status::ok) break;
    from = first;
  }
  return {};
}

/// The path on the scale of the law: methods of the papers are slow on long steps.
template <class L>
Case<L> gentle(const Case<L>& c, const OptionsOf<L>& options) {
  Case<L> result = c;
  result.options = options;
  double largest = 0;
  for (const auto& move : c.path) largest = std::max(largest, magnitude(move.u));
  for (auto& move : result.path)
    if (largest > c.scale.u) move.u *= c.scale.u / largest;
  return result;
}

template <class L>
Fault purity_of_options(const Case<L>& c) {
  for (const auto& options : option_choices<L>()) {
    const Case<L> variant = gentle(c, options);
    if (!accepts(variant)) continue;
    if (Fault fault = purity(variant); !fault.empty()) return fault;
  }
  return {};
}

/// u == from.u: the committed force to the bit, nothing lost, nothing moved.
template <class L>
Fault zero_step(const Case<L>& c) {
  const auto law = c.law();
  auto state = law.rest();
  for (const auto& move : c.path) {
    const auto moved = step(law, state, move.u, move.dt, state);
    auto to = law.rest();
    const auto reply = step(law, state, state.u, 0.0, to);
    const auto as_numbers = [](const auto& x) {
      std::vector<double> result;
      catalog::to_numbers(x, result);
      return result;
    };
    if (!same_bits(as_numbers(reply.force), as_numbers(moved.force)))
      return "a zero step answers the force " + text(reply.force) + ", not " + text(moved.force);
    if (reply.dissipated != 0) return "a zero step dissipates " + text(reply.dissipated);
    if (reply.status != Status::ok) return "status: " + std::string(explain(reply.status));
    if (!same_bits(numbers(to), numbers(state))) return "a zero step changes the state";
  }
  return {};
}

/// Once `to` has seen as long a history, nothing allocates: also with more nested reversals than a
/// state holds inline.
template <class L>
Fault no_allocation_once_warm(const Case<L>& c) {
  const auto law = c.law();
  auto state = law.rest();
  auto trial = state;
  const auto rest = state;
  double sink = 0;
  const auto run = [&] {
    state = rest;
    for (const auto& move : c.path) {
      step(law, state, move.u, move.dt, trial);
      sink += law.stored(trial);
      if constexpr (!PlanarLaw<ModelOf<L>>) sink += law.next_kink(trial, 1);
      step(law, state, move.u, move.dt, state);
    }
  };
  run();
  run();  // assigning `rest` may have shortened what the first run had grown
  const std::size_t before = testing::allocations();
  run();
  const std::size_t count = testing::allocations() - before;
  if (count == 0) return {};
  return "a warm run of " + std::to_string(c.path.size()) + " steps allocates " +
         std::to_string(count) + " times; sum " + text(sink);
}

template <class L>
Fault no_allocation(const Case<L>& c) {
  Case<L> nested = c;
  for (int i = 0; i < 100; ++i) {
    const double side = i % 2 == 0 ? 1 : -1;
    nested.path.push_back({along_x<ModelOf<L>>(side * (3 - 0.03 * i) * c.scale.u), 1.0});
  }
  if (Fault fault = no_allocation_once_warm(nested); !fault.empty()) return fault;
  for (const auto& options : option_choices<L>()) {
    const Case<L> variant = gentle(c, options);
    if (!accepts(variant)) continue;
    if (Fault fault = no_allocation_once_warm(variant); !fault.empty()) return fault;
  }
  return {};
}

// ------------------------------------------------------------------------- tables

/// By size: a member that the table leaves out makes the struct larger than its rows, beyond the
/// padding of one member.
template <class Table>
constexpr bool describes_all_members() {
  std::size_t described = 0;
  for_each_field(Table::fields, [&]<class Row>(const Row& row) {
    described += sizeof(std::declval<Table>().*(row.member));
  });
  return described == 0 ? std::is_empty_v<Table> : sizeof(Table) - described < alignof(Table);
}

template <class L>
Fault message_of(const ParamsOf<L>& params) {
  try {
    const ModelOf<L> law(params);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

/// Defaults are admissible; a number outside its interval is refused in one sentence that names
/// it, its value and the interval.
template <class L>
Fault tables() {
  using M = ModelOf<L>;
  if (!describes_all_members<ParamsOf<L>>()) return "Params::fields leaves out a member";
  if (!describes_all_members<OptionsOf<L>>()) return "Options::fields leaves out a member";
  if (!describes_all_members<typename M::State>()) return "State::fields leaves out a member";
  if (const Fault message = message_of<L>({}); !message.empty())
    return "the default parameters are refused: " + message;

  constexpr double inf = std::numeric_limits<double>::infinity();
  Fault fault;
  const auto expect_refusal = [&](const ParamsOf<L>& params, const std::string& name, double x,
                                  const Interval& bounds) {
    const Fault message = message_of<L>(params);
    const std::string wanted = std::string(M::info.name) + "." + name + " = " + number_text(x) +
                               " must lie in " + bounds.text();
    if (message.find(wanted) == std::string::npos)
      fault = "expected '" + wanted + "', got '" + message + "'";
  };
  ParamsOf<L> params{};
  for_each_entry(params, [&](const std::string& name, const Interval& bounds, double& x) {
    const double standard = x;
    const double below = bounds.lo_open ? bounds.lo : std::nextafter(bounds.lo, -inf);
    const double above = bounds.hi_open ? bounds.hi : std::nextafter(bounds.hi, inf);
    for (const double wrong : {below, above, -inf, inf, std::nan("")}) {
      x = wrong;
      expect_refusal(params, name, x, bounds);
    }
    x = standard;
  });
  return fault;
}

}  // namespace microslip::laws
