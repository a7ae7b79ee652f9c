#include "laws/checks_contract.hpp"

#include <algorithm>

#include "support/allocations.hpp"

namespace microslip::laws {
namespace {

/// Every combination is too many; each choice of each enumerated option once.
std::vector<OptionValues> option_choices(const Subject& subject) {
  std::vector<OptionValues> result{OptionValues{}};
  for (const OptionInfo& option : subject.law.description.options)
    for (const std::string& choice : option.choices)
      result.push_back(OptionValues{{option.name, choice}});
  return result;
}

/// Not every option goes with every parameter.
template <class P>
bool accepts(const Case<P>& c) {
  try {
    c.law();
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// The path on the scale of the law: methods of the papers are slow on long steps.
template <class P>
Case<P> gentle(const Case<P>& c, const OptionValues& options) {
  Case<P> result = c;
  result.options = options;
  double largest = 0;
  for (const auto& move : c.path) largest = std::max(largest, magnitude(move.u));
  for (auto& move : result.path)
    if (largest > c.scale.u) move.u *= c.scale.u / largest;
  return result;
}

template <class P>
Fault no_allocation_once_warm(const Case<P>& c) {
  const Model<P> law = c.law();
  State<P> state = law.rest();
  State<P> trial = state;
  double sink = 0;
  const auto run = [&] {
    state = law.rest();
    for (const auto& move : c.path) {
      law.step(state, move.u, move.dt, trial);
      sink += law.stored(trial);
      if constexpr (!planar<P>) sink += law.next_kink(trial, 1);
      law.step(state, move.u, move.dt, state);
    }
  };
  run();
  run();  // assigning the rest state may have shortened what the first run had grown
  const std::size_t before = testing::allocations();
  run();
  const std::size_t count = testing::allocations() - before;
  if (count == 0) return {};
  return "a warm run of " + std::to_string(c.path.size()) + " steps allocates " +
         std::to_string(count) + " times; sum " + text(sink);
}

Fault message_of(const Subject& subject, const ParameterValues& params) {
  try {
    subject.law.make(params, {});
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

template <class P>
Fault purity(const Case<P>& c) {
  const Model<P> law = c.law();
  State<P> from = law.rest();
  for (const auto& move : c.path) {
    const StateRecord before = law.save(from);
    State<P> first = law.rest();
    const auto reply = law.step(from, move.u, move.dt, first);
    if (!same_bits(numbers(law.save(from)), numbers(before))) return "step changed `from`";
    const std::vector<double> answer = numbers(reply);
    const StateRecord saved = law.save(first);
    const std::vector<double> result = numbers(saved);

    State<P> second = law.rest();
    if (!same_bits(numbers(law.step(from, move.u, move.dt, second)), answer) ||
        !same_bits(numbers(law.save(second)), result))
      return "the same step twice gave different bits";

    State<P> dirty = law.poisoned(before);
    if (!same_bits(numbers(law.step(from, move.u, move.dt, dirty)), answer) ||
        !same_bits(numbers(law.save(dirty)), result))
      return "the old content of `to` matters";

    State<P> same = from;
    if (!same_bits(numbers(law.step(same, move.u, move.dt, same)), answer) ||
        !same_bits(numbers(law.save(same)), result))
      return "step(s, u, s) differs from step(from, u, to)";

    if (reply.status != Status::ok) break;
    if (saved.at("u") != numbers(move.u) || saved.at("f") != numbers(reply.force))
      return "the state at " + text(move.u) + " does not hold the displacement and the force";
    from = first;
  }
  return {};
}

template <class P>
Fault purity_of_options(const Case<P>& c) {
  for (const OptionValues& options : option_choices(*c.subject)) {
    const Case<P> variant = gentle(c, options);
    if (!accepts(variant)) continue;
    if (Fault fault = purity(variant); !fault.empty()) return fault;
  }
  return {};
}

template <class P>
Fault zero_step(const Case<P>& c) {
  const Model<P> law = c.law();
  State<P> state = law.rest();
  for (const auto& move : c.path) {
    const auto moved = law.step(state, move.u, move.dt, state);
    State<P> to = law.rest();
    const auto reply = law.step(state, state.u, 0.0, to);
    if (!same_bits(numbers(reply.force), numbers(moved.force)))
      return "a zero step answers the force " + text(reply.force) + ", not " + text(moved.force);
    if (reply.dissipated != 0) return "a zero step dissipates " + text(reply.dissipated);
    if (reply.status != Status::ok) return "status: " + std::string(explain(reply.status));
    if (!same_bits(numbers(law.save(to)), numbers(law.save(state))))
      return "a zero step changes the state";
  }
  return {};
}

template <class P>
Fault no_allocation(const Case<P>& c) {
  Case<P> nested = c;
  for (int i = 0; i < 100; ++i) {
    const double side = i % 2 == 0 ? 1 : -1;
    nested.path.push_back({along_x<P>(side * (3 - 0.03 * i) * c.scale.u), 1.0});
  }
  if (Fault fault = no_allocation_once_warm(nested); !fault.empty()) return fault;
  for (const OptionValues& options : option_choices(*c.subject)) {
    const Case<P> variant = gentle(c, options);
    if (!accepts(variant)) continue;
    if (Fault fault = no_allocation_once_warm(variant); !fault.empty()) return fault;
  }
  return {};
}

Fault tables(const Subject& subject) {
  const ParameterValues standard = subject.complete({});
  if (const Fault message = message_of(subject, standard); !message.empty())
    return "the default parameters are refused: " + message;

  constexpr double inf = std::numeric_limits<double>::infinity();
  for (const Entry& e : entries(subject, standard)) {
    const Interval& bounds = e.bounds;
    const double below = bounds.lo_open ? bounds.lo : std::nextafter(bounds.lo, -inf);
    const double above = bounds.hi_open ? bounds.hi : std::nextafter(bounds.hi, inf);
    for (const double wrong : {below, above, -inf, inf, std::nan("")}) {
      ParameterValues params = standard;
      entry(params, e) = wrong;
      const Fault message = message_of(subject, params);
      const std::string wanted =
          subject.name() + "." + e.name + " = " + text(wrong) + " must lie in " + bounds.text();
      if (message.find(wanted) == std::string::npos)
        return "expected '" + wanted + "', got '" + message + "'";
    }
  }
  return {};
}

template Fault purity(const Case<double>&);
template Fault purity(const Case<Vec2<double>>&);
template Fault purity(const Case<Vec<double, 3>>&);
template Fault purity_of_options(const Case<double>&);
template Fault purity_of_options(const Case<Vec2<double>>&);
template Fault purity_of_options(const Case<Vec<double, 3>>&);
template Fault zero_step(const Case<double>&);
template Fault zero_step(const Case<Vec2<double>>&);
template Fault zero_step(const Case<Vec<double, 3>>&);
template Fault no_allocation(const Case<double>&);
template Fault no_allocation(const Case<Vec2<double>>&);
template Fault no_allocation(const Case<Vec<double, 3>>&);

}  // namespace microslip::laws
