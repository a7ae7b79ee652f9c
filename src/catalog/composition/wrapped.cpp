#include "catalog/composition/wrapped.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "catalog/composition/backlash.hpp"
#include "catalog/composition/inverse_dual.hpp"
#include "catalog/composition/loaded.hpp"
#include "catalog/composition/mapped.hpp"
#include "catalog/composition/scaled.hpp"
#include "catalog/composition/series.hpp"
#include "catalog/composition/series_dual.hpp"
#include "catalog/erasure/differences.hpp"
#include "catalog/erasure/rows.hpp"
#include "microslip/catalog/by_displacement.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/field.hpp"
#include "microslip/core/state_numbers.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/catalog/erasure/erased.hpp"

namespace microslip::catalog {
namespace {

bool rate_dependent(const Description& inside) { return inside.family == Family::rate_dependent; }

template <class Values>
Values prefixed(const std::string& prefix, const Values& values) {
  Values result;
  for (const auto& [name, value] : values) result.emplace(prefix + name, value);
  return result;
}

// ------------------------------------------------------------- on dual numbers

template <class Kernel>
struct Hidden final : AnyState::Interface, StateNumbers<typename Kernel::Scalar> {
  using Real = typename Kernel::Scalar;
  typename Kernel::State state;
  explicit Hidden(typename Kernel::State s) : state(std::move(s)) {}
  Memory find_numbers(Numbers which, std::vector<Real*>& numbers) override {
    return numbers_around(state.law, state.numbers(), which, numbers);
  }
  void find_switches(std::vector<int*>& switches) override {
    switches.clear();
    if (auto* numbered = dynamic_cast<StateNumbers<Real>*>(&state.law.get()))
      numbered->find_switches(switches);
    if constexpr (requires { state.contact; }) switches.push_back(&state.contact);
  }
  void find_parities(std::vector<Parity>& parities) override {
    parities_around<Real>(state.law, state.numbers().size(), parities);
  }
  std::unique_ptr<AnyState::Interface> clone() const override {
    return std::make_unique<Hidden>(state);
  }
  void assign(const AnyState::Interface& other) override {
    state.assign(static_cast<const Hidden&>(other).state);
  }
  static const typename Kernel::State& open(const AnyState& s) {
    return static_cast<const Hidden&>(s.get()).state;
  }
  static typename Kernel::State& open(AnyState& s) { return static_cast<Hidden&>(s.get()).state; }
};

template <class Kernel>
class WrappedDual final : public AnyDualModel::Interface {
 public:
  explicit WrappedDual(Kernel kernel) : kernel_(std::move(kernel)) {}

  AnyState rest() const override {
    return AnyState(std::make_unique<Hidden<Kernel>>(kernel_.rest()));
  }
  Response<WideDual> step(const AnyState& from, const WideDual& u, double dt,
                          AnyState& to) const override {
    return kernel_.step(Hidden<Kernel>::open(from), u, dt, Hidden<Kernel>::open(to));
  }
  ForceInMotion<WideDual> force(const AnyState& at, const WideDual& v) const override {
    return kernel_.force(Hidden<Kernel>::open(at), v);
  }
  WideDual next_kink(const AnyState& state, int direction) const override {
    return kernel_.next_kink(Hidden<Kernel>::open(state), direction);
  }
  Status run(std::span<const double> dt, std::span<const WideDual> u, AnyState& at,
             std::span<WideDual> f, std::span<WideDual> dissipated) const override {
    for (std::size_t row = 0; row < u.size(); ++row) {
      const auto reply = step(at, u[row], dt.empty() ? 0 : dt[row], at);
      if (reply.status != Status::ok) return reply.status;
      f[row] = reply.force;
      if (!dissipated.empty()) dissipated[row] = reply.dissipated;
    }
    return Status::ok;
  }

 private:
  Kernel kernel_;
};

// ------------------------------------------------------------------ on doubles

template <template <class, class> class Kernel>
AnyModel make_wrapped(const Wrapper& wrapper, const ParameterValues& own, Inside inside);

template <template <class, class> class Kernel>
class Wrapped final : public AnyModel::Interface {
  using Plain = Kernel<double, AnyModel>;
  using Dual = Kernel<WideDual, AnyDualModel>;
  using Memory = Hidden<Plain>;

 public:
  Wrapped(const Wrapper& wrapper, const std::vector<double>& own, Inside inside)
      : wrapper_(&wrapper),
        inside_(std::move(inside)),
        description_(describe_wrapped(wrapper, inside_.prefix, inside_.model.description())),
        kernel_(inside_.model, own, rate_dependent(inside_.model.description())) {
    for (std::size_t i = 0; i < own.size(); ++i)
      own_.emplace(wrapper.description.parameters[i].name, own[i]);
    if constexpr (requires { Plain::keeps_claims(own); })
      if (Plain::keeps_claims(own)) {
        keeps_claims_ = true;
        description_.claims = inside_.model.description().claims;
      }
  }

  const Description& description() const override { return description_; }

  AnyModel make(const ParameterValues& parameters, const OptionValues& options) const override {
    ParameterValues own;
    for (const auto& [name, value] : parameters)
      if (is_own(*wrapper_, name)) own.emplace(name, value);
    return make_wrapped<Kernel>(
        *wrapper_, own,
        {inside_.prefix, inside_.model.remade(inner_part(*wrapper_, inside_.prefix, parameters),
                                              inner_part(*wrapper_, inside_.prefix, options))});
  }

  AnyDualModel make_dual(const ParameterValues& parameters, const OptionValues& options,
                         const DualValues& derivatives) const override {
    if constexpr (requires { Plain::by_differences; }) {
      // With respect to the motion alone the inverse of a smooth law is exact.
      if (derivatives.empty() && kernel_.inverts())
        return AnyDualModel(std::make_shared<InverseDual>(
            inside_.model.with(inner_part(*wrapper_, inside_.prefix, parameters)),
            std::get<double>(parameters.at("compliance"))));
      if (!kernel_.follows()) return dual_by_differences(make(parameters, options), derivatives);
      const AnyModel inner = inside_.model.with(inner_part(*wrapper_, inside_.prefix, parameters));
      return AnyDualModel(std::make_shared<SeriesDual>(
          inner.dual(inner_part(*wrapper_, inside_.prefix, derivatives)),
          own_duals(*wrapper_, parameters, derivatives).front()));
    } else
      return dual_kernel(parameters, derivatives);
  }
  AnyDualModel dual_kernel(const ParameterValues& parameters, const DualValues& derivatives) const {
    const AnyModel inner = inside_.model.with(inner_part(*wrapper_, inside_.prefix, parameters));
    return AnyDualModel(std::make_shared<WrappedDual<Dual>>(
        Dual(inner.dual(inner_part(*wrapper_, inside_.prefix, derivatives)),
             own_duals(*wrapper_, parameters, derivatives), rate_dependent(inner.description()))));
  }

  AnyState rest() const override { return AnyState(std::make_unique<Memory>(kernel_.rest())); }

  StateRecord save(const AnyState& state) const override {
    const auto& own = Memory::open(state);
    StateRecord record = prefixed(inside_.prefix, inside_.model.save(own.law));
    record["u"] = {own.u};
    record["f"] = {own.f};
    Plain::save(own, record);
    return record;
  }
  AnyState load(const StateRecord& record) const override {
    typename Plain::State state = kernel_.rest();
    StateRecord inner;
    for (const auto& [name, numbers] : record)
      if (name.starts_with(inside_.prefix)) inner[name.substr(inside_.prefix.size())] = numbers;
    state.law = inside_.model.load(inner);
    state.u = one_number(record, "u");
    state.f = one_number(record, "f");
    Plain::load(record, state);
    return AnyState(std::make_unique<Memory>(std::move(state)));
  }

  double stored(const AnyState& state) const override {
    return kernel_.stored(Memory::open(state));
  }
  Response<double> step(const AnyState& from, double u, double dt, AnyState& to) const override {
    return kernel_.step(Memory::open(from), u, dt, Memory::open(to));
  }
  ForceInMotion<double> force(const AnyState& at, double v) const override {
    return kernel_.force(Memory::open(at), v);
  }
  double next_kink(const AnyState& state, int direction) const override {
    return kernel_.next_kink(Memory::open(state), direction);
  }
  std::vector<AnyModel> terms() const override {
    std::vector<AnyModel> all;
    if constexpr (requires { kernel_.adds_terms(); })
      if (kernel_.adds_terms())
        for (AnyModel& term : inside_.model.terms())
          all.push_back(make_wrapped<Kernel>(*wrapper_, own_, {"", std::move(term)}));
    return all;
  }
  std::optional<HarmonicForce> first_harmonic(double amplitude, double omega) const override {
    if constexpr (requires { kernel_.first_harmonic(amplitude, omega); })
      return kernel_.first_harmonic(amplitude, omega);
    else
      return {};
  }
  std::optional<std::complex<double>> dynamic_stiffness(double omega) const override {
    if constexpr (requires { kernel_.dynamic_stiffness(omega); })
      return kernel_.dynamic_stiffness(omega);
    else
      return {};
  }
  bool odd() const override {
    if constexpr (requires { Plain::keeps_claims({}); })
      if (keeps_claims_) return inside_.model.odd();
    return AnyModel::Interface::odd();
  }
  bool repeats() const override { return inside_.model.repeats(); }
  Rigidity rigidity() const override {
    if constexpr (requires { kernel_.rigidity(); })
      return kernel_.rigidity();
    else
      return inside_.model.rigidity();
  }
  SlipForce<double> slip(const AnyState& from, const Sliding& at,
                         AnyState& scratch) const override {
    return kernel_.slip(Memory::open(from), at, Memory::open(scratch));
  }
  void run(const Path& path, Drive drive, const Record& record, Checkpoint& at,
           History& out) const override {
    SavedColumns columns(*this);
    run_rows({*this, columns}, path, drive, record, at, out);
  }

 private:
  const Wrapper* wrapper_;
  Inside inside_;
  Description description_;
  ParameterValues own_;  ///< of the wrapper
  Plain kernel_;
  bool keeps_claims_ = false;  ///< all claims are those of the law inside
};

/// Checks the wrapper's own numbers and fills in those that are not given.
template <template <class, class> class Kernel>
AnyModel make_wrapped(const Wrapper& wrapper, const ParameterValues& own, Inside inside) {
  ParameterValues all = prefixed(inside.prefix, inside.model.parameters());
  const std::vector<double> numbers = own_numbers(wrapper, own);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    all[wrapper.description.parameters[i].name] = numbers[i];
  OptionValues options = prefixed(inside.prefix, inside.model.options());
  return AnyModel(std::make_shared<Wrapped<Kernel>>(wrapper, numbers, std::move(inside)),
                  std::move(all), std::move(options));
}

// -------------------------------------------------------------- what there is

ParameterInfo parameter(std::string name, std::string unit, Interval bounds, double standard,
                        std::string sentence) {
  return {std::move(name), std::move(unit),    Kind::scalar, bounds, {},
          standard,        std::move(sentence)};
}

constexpr Claim as_inside = depends("it holds for the law inside");

AnyModel make_backlash(const ParameterValues& own, Inside inside) {
  return make_wrapped<Backlash>(all_wrappers()[0], own, std::move(inside));
}
AnyModel make_scaled(const ParameterValues& own, Inside inside) {
  const Wrapper& wrapper = all_wrappers()[1];
  if (inside.model.directions().empty())
    return make_wrapped<Scaled>(wrapper, own, std::move(inside));
  const std::vector<double> numbers = own_numbers(wrapper, own);
  if (numbers[1] != 0 || numbers[3] != 0)
    throw Error("scaled: offsets are for laws with one direction; " +
                inside.model.description().name + " has several");
  return make_mapped(wrapper, Mapping::scaled, numbers, std::move(inside));
}
AnyModel make_rotated(const ParameterValues& own, Inside inside) {
  const Wrapper& wrapper = all_wrappers()[3];
  return make_mapped(wrapper, Mapping::rotated, own_numbers(wrapper, own), std::move(inside));
}
AnyModel make_axis(const ParameterValues& own, Inside inside) {
  const Wrapper& wrapper = all_wrappers()[4];
  const std::vector<double> numbers = own_numbers(wrapper, own);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::trunc(numbers[i]) != numbers[i])
      throw Error("axis." + wrapper.description.parameters[i].name + " = " +
                  number_text(numbers[i]) + " must be a whole number");
  return make_mapped(wrapper, Mapping::axis, numbers, std::move(inside));
}

AnyModel make_series(const ParameterValues& own, Inside inside) {
  return make_wrapped<Series>(all_wrappers()[2], own, std::move(inside));
}

Wrapper backlash_wrapper() {
  constexpr Claim without_gap = depends("gap = 0 and it holds for the law inside");
  Description d{.name = "backlash",
                .sentence = "A gap in front of a law: nothing is carried while it is crossed.",
                .equation =
                    "f = law[v] while u − v = ±gap/2 and ±f ≥ 0;  else f = 0, v at rest, "
                    "|u − v| ≤ gap/2",
                .citation = "dead zone in series; the source is that of the law inside",
                .claims = {as_inside, as_inside, without_gap, without_gap, without_gap, as_inside,
                           as_inside, not_applicable},
                .driven = Driven::displacement,
                .family = Family::rate_independent,
                .parameters = {},
                .options = {},
                .states = {}};
  d.parameters = {parameter("gap", "L", non_negative, 0.1,
                            "whole free play, crossed from side to side; centred at rest")};
  d.states = {{"u", "L", "displacement"},
              {"f", "F", "force"},
              {"v", "L", "displacement of the law inside"},
              {"carried", "F", "force of the law inside"},
              {"contact", "1", "side of the gap that touches, 0 while it is open"}};
  return {std::move(d), &make_backlash};
}

Wrapper scaled_wrapper() {
  constexpr Claim without_offset = depends("both offsets are 0 and it holds for the law inside");
  Description d{.name = "scaled",
                .sentence = "A law with gain and offset on its input and on its output.",
                .equation = "f = output_gain · law[input_gain · u + input_offset] + output_offset",
                .citation = "change of scale; the source is that of the law inside",
                .claims = {without_offset, as_inside, without_offset, as_inside, as_inside,
                           as_inside, as_inside, not_applicable},
                .driven = Driven::displacement,
                .family = Family::rate_independent,
                .parameters = {},
                .options = {},
                .states = {}};
  d.parameters = {parameter("input_gain", "1", positive, 1, "factor of the displacement"),
                  parameter("input_offset", "L", any_number, 0,
                            "displacement of the law while u = 0, reached slowly before"),
                  parameter("output_gain", "1", positive, 1, "factor of the force"),
                  parameter("output_offset", "F", any_number, 0, "force added")};
  d.states = {{"u", "L", "displacement"}, {"f", "F", "force"}};
  return {std::move(d), &make_scaled};
}

Wrapper series_wrapper() {
  Description d{
      .name = "series",
      .sentence =
          "A law in series with a spring; drives a law by displacement that is driven by "
          "force.",
      .equation =
          "u = v + compliance · f,  f = law[v];  or u = law[f] + compliance · f for a law "
          "driven by force",
      .citation = "series connection; the source is that of the law inside",
      .claims = {as_inside, as_inside, as_inside, as_inside, as_inside, as_inside, as_inside,
                 not_applicable},
      .driven = Driven::displacement,
      .family = Family::rate_independent,
      .parameters = {},
      .options = {},
      .states = {}};
  d.parameters = {parameter("compliance", "L/F", non_negative, 0,
                            "displacement of the spring per force; 0 is no spring")};
  d.states = {{"u", "L", "displacement"},
              {"f", "F", "force"},
              {"v", "L", "displacement of the law inside"},
              {"slid", "L", "distance that a law driven by force has slid as a whole"}};
  return {std::move(d), &make_series, true};
}

Wrapper rotated_wrapper() {
  Description d{.name = "rotated",
                .sentence = "A law in the plane whose axes are turned.",
                .equation = "f = R law[Rᵀ u],  R a rotation by angle from x towards y",
                .citation = "change of axes; the source is that of the law inside",
                .claims = {as_inside, as_inside, as_inside, as_inside, as_inside, as_inside,
                           as_inside, as_inside},
                .driven = Driven::displacement,
                .family = Family::planar,
                .parameters = {},
                .options = {},
                .states = {}};
  d.parameters = {parameter("angle", "1", any_number, 0,
                            "angle from the axis x to that of the law inside, in radians")};
  d.states = {{"u", "L", "displacement"}, {"f", "F", "force"}};
  d.directions = {"x", "y"};
  return {std::move(d), &make_rotated};
}

Wrapper axis_wrapper() {
  Description d{.name = "axis",
                .sentence = "A law on one of several directions; the others carry nothing.",
                .equation = "f_i = law[u_i] for i = direction,  0 for the others",
                .citation = "one component; the source is that of the law inside",
                .claims = {as_inside, as_inside, not_applicable, not_applicable, not_applicable,
                           as_inside, as_inside, fails},
                .driven = Driven::displacement,
                .family = Family::planar,
                .parameters = {},
                .options = {},
                .states = {}};
  d.parameters = {
      parameter("direction", "1", closed_interval(1, 3), 1,
                "number of the direction: 1, 2 or 3; in a sum, of those of the other laws"),
      parameter("of", "1", closed_interval(0, 3), 0,
                "number of directions, 2 or 3; 0: those of the sum, or as few as there may be")};
  d.states = {{"u", "L", "displacement"}, {"f", "F", "force"}};
  d.directions = {"x", "y"};
  d.on_direction = 1;
  return {std::move(d), &make_axis};
}

}  // namespace

bool is_own(const Wrapper& wrapper, std::string_view name) {
  const auto& own = wrapper.description.parameters;
  return std::any_of(own.begin(), own.end(), [&](const auto& info) { return info.name == name; });
}

std::vector<double> own_numbers(const Wrapper& wrapper, const ParameterValues& own) {
  const std::string& name = wrapper.description.name;
  for (const auto& [given, value] : own)
    if (!is_own(wrapper, given)) {
      std::vector<std::string> known;
      for (const auto& info : wrapper.description.parameters) known.push_back(info.name);
      throw Error("unknown parameter '" + given + "' for " + name + suggestion(given, known));
    }
  std::vector<double> numbers;
  for (const ParameterInfo& info : wrapper.description.parameters) {
    const auto found = own.find(info.name);
    const Value value = found != own.end() ? found->second : info.default_value;
    const auto* number = std::get_if<double>(&value);
    if (!number) throw Error(name + "." + info.name + " must be one number");
    check_value(name, info.name, *number, info.bounds);
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<WideDual> own_duals(const Wrapper& wrapper, const ParameterValues& parameters,
                                const DualValues& derivatives) {
  std::vector<WideDual> own;
  for (const ParameterInfo& info : wrapper.description.parameters) {
    const auto varied = derivatives.find(info.name);
    const auto given = parameters.find(info.name);
    own.push_back(varied != derivatives.end() && !varied->second.empty() ? varied->second.front()
                  : given != parameters.end() ? WideDual(std::get<double>(given->second))
                                              : WideDual(std::get<double>(info.default_value)));
  }
  return own;
}

void set_direction(int direction, int of, Description& axis) {
  if (of != 0 && of < std::max(2, direction))
    throw Error("axis.of = " + std::to_string(of) +
                " must be 2 or 3, and at least axis.direction = " + std::to_string(direction));
  axis.directions = {"x", "y"};
  if (std::max(direction, of) > 2) axis.directions.emplace_back("n");
  axis.on_direction = direction;
}

std::span<const Wrapper> all_wrappers() {
  static const std::array<Wrapper, 6> all{backlash_wrapper(), scaled_wrapper(), series_wrapper(),
                                          rotated_wrapper(),  axis_wrapper(),   loaded_wrapper()};
  return all;
}

AnyModel by_displacement(const AnyModel& model) {
  return model.description().driven == Driven::displacement ? model : in_series(model, 0);
}

AnyModel in_series(const AnyModel& model, double compliance) {
  const std::string& name = model.description().name;
  const bool sum = name.find('+') != std::string::npos;
  return make_series({{"compliance", compliance}},
                     {sum ? "" : name.substr(0, name.find('(')) + ".", model});
}

double one_number(const StateRecord& record, const std::string& name) {
  const auto found = record.find(name);
  if (found == record.end()) throw Error("state '" + name + "' is missing");
  if (found->second.size() != 1) throw Error("state '" + name + "' must be one number");
  return found->second.front();
}

Description describe_wrapped(const Wrapper& wrapper, const std::string& prefix,
                             const Description& inside) {
  const std::string& name = wrapper.description.name;
  const bool several = !inside.directions.empty();
  if (several && name != "scaled" && name != "rotated")
    throw Error(name + " needs a scalar law; " + inside.name + " has several directions");
  if (name == "rotated" && (!several || inside.directions[0] != "x" || inside.on_direction > 0))
    throw Error("rotated needs a law with directions x and y; " + inside.name +
                (several ? " has others" : " is a scalar law"));
  if (name == "axis" && (inside.family == Family::rate_dependent || inside.rigid))
    throw Error("axis needs a law whose force depends on the path alone and does not jump; " +
                inside.name + (inside.rigid ? " is rigid friction" : " depends on the rate"));
  if (inside.driven == Driven::force && !wrapper.around_force)
    throw Error(name + " needs a law driven by displacement; " + inside.name +
                " is driven by force");
  if (name == "loaded" && inside.friction_limits.empty())
    throw Error("loaded: " + inside.name +
                " declares no friction limits that a load could change; jenkins and sums of it do");
  Description all = wrapper.description;
  all.name = name + "(" + inside.name + ")";
  all.equation += "\n" + inside.equation;
  all.citation = inside.citation;
  if (several) {
    all.directions = inside.directions;
    all.on_direction = 0;
  }
  all.family = all.directions.empty() ? inside.family : Family::planar;
  if (wrapper.description.family == Family::rate_dependent) all.family = Family::rate_dependent;
  all.rigid = inside.rigid || inside.driven == Driven::force;
  all.state = inside.state;
  for (const auto member : Claims::members) {
    Claim& claim = all.claims.*member;
    if (claim.condition == as_inside.condition) claim = inside.claims.*member;
  }
  const auto add = [&](auto rows, auto& into) {
    for (auto& row : rows) {
      row.name = prefix + row.name;
      into.push_back(std::move(row));
    }
  };
  add(inside.parameters, all.parameters);
  add(inside.options, all.options);
  add(inside.states, all.states);
  all.fit_hints.add(prefix, inside.fit_hints);
  return all;
}

}  // namespace microslip::catalog
