#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "microslip/core/concepts.hpp"
#include "microslip/core/force_drive.hpp"
#include "microslip/core/text.hpp"
#include "microslip/core/turning_points.hpp"

/// From a law's compile-time tables and static step to run-time values and AnyModel.
namespace microslip::catalog {

// ---------------------------------------------------------------- description

template <class Member>
Kind kind_of() {
  if constexpr (Number<Member>)
    return Kind::scalar;
  else if constexpr (std::is_same_v<Member, Expression>)
    return Kind::expression;
  else if constexpr (std::is_same_v<Member, Matrix<double>>)
    return Kind::matrix;
  else
    return Kind::vector;
}

inline Value to_value(double x) { return x; }
inline Value to_value(const std::vector<double>& x) { return x; }
inline Value to_value(const Matrix<double>& x) { return x; }
inline Value to_value(const Expression& x) { return x.text(); }

template <class M>
constexpr Family family_of() {
  if constexpr (PlanarLaw<M>)
    return Family::planar;
  else if constexpr (RateDependentLaw<M>)
    return Family::rate_dependent;
  else
    return Family::rate_independent;
}

inline std::vector<std::string> given(const auto& names) {
  std::vector<std::string> result;
  for (const auto& name : names)
    if (!name.empty()) result.emplace_back(name);
  return result;
}

template <class M>
Description describe() {
  Description d{std::string(M::info.name),
                std::string(M::info.sentence),
                std::string(M::info.equation),
                std::string(M::info.citation),
                M::info.claims,
                M::info.driven,
                family_of<M>(),
                {},
                {},
                {}};
  const typename M::Params parameters{};
  for_each_field(M::Params::fields, [&](const auto& row) {
    const auto& member = parameters.*(row.member);
    d.parameters.push_back({std::string(row.name), std::string(row.unit),
                            kind_of<std::remove_cvref_t<decltype(member)>>(), row.bounds,
                            given(row.variables), to_value(member), std::string(row.sentence)});
  });
  const typename M::Options options{};
  for_each_field(M::Options::fields, [&](const auto& row) {
    const auto member = options.*(row.member);
    OptionValue value;
    if constexpr (std::is_enum_v<std::remove_cvref_t<decltype(member)>>)
      value = std::string(row.choices[static_cast<std::size_t>(member)]);
    else
      value = static_cast<double>(member);
    d.options.push_back(
        {std::string(row.name), row.bounds, given(row.choices), value, std::string(row.sentence)});
  });
  for_each_field(M::State::fields, [&](const auto& row) {
    d.states.push_back({std::string(row.name), std::string(row.unit), std::string(row.sentence)});
  });
  return d;
}

template <class M>
const Description& description_of() {
  static const Description once = describe<M>();
  return once;
}

// ------------------------------------------------- values into a law's structs

template <class Infos>
void refuse_unknown(std::string_view law, std::string_view what, const auto& values,
                    const Infos& infos) {
  for (const auto& entry : values) {
    const std::string& name = entry.first;
    if (std::any_of(infos.begin(), infos.end(), [&](const auto& i) { return i.name == name; }))
      continue;
    std::vector<std::string> names;
    for (const auto& info : infos) names.push_back(info.name);
    throw Error("unknown " + std::string(what) + " '" + name + "' for " + std::string(law) +
                suggestion(name, names));
  }
}

inline std::string expected(std::string_view law, std::string_view name, const Value& value,
                            std::string_view what) {
  const auto* text = std::get_if<std::string>(&value);
  return std::string(law) + "." + std::string(name) + (text ? " = " + *text : "") + " must be " +
         std::string(what);
}

template <class Real>
void assign(std::string_view law, const auto& row, const Value& value,
            Real& member) requires Number<Real> {
  if (const auto* number = std::get_if<double>(&value))
    member = Real(*number);
  else
    throw Error(expected(law, row.name, value, "one number"));
}
template <class Real>
void fill(std::vector<Real>& member, const std::vector<double>& list) {
  member.clear();
  for (const double x : list) member.emplace_back(x);  // a dual number is made, not assigned
}
template <class Real>
void assign(std::string_view law, const auto& row, const Value& value, std::vector<Real>& member) {
  if (const auto* number = std::get_if<double>(&value))
    member.assign(1, Real(*number));
  else if (const auto* list = std::get_if<std::vector<double>>(&value))
    fill(member, *list);
  else
    throw Error(expected(law, row.name, value, "a list of numbers"));
}
template <class Real>
void assign(std::string_view law, const auto& row, const Value& value, Matrix<Real>& member) {
  if (const auto* matrix = std::get_if<Matrix<double>>(&value))
    member = matrix->template cast<Real>();
  else if (const auto* number = std::get_if<double>(&value))
    member = Matrix<Real>::Constant(1, 1, Real(*number));
  else
    throw Error(expected(law, row.name, value, "a matrix, row by row"));
}
inline void assign(std::string_view law, const auto& row, const Value& value, Expression& member) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    std::vector<std::string_view> variables;
    for (const auto& variable : row.variables)
      if (!variable.empty()) variables.push_back(variable);
    member = Expression::parse(*text, variables);
  } else if (const auto* number = std::get_if<double>(&value)) {
    member = Expression::parse(number_text(*number), {});
  } else {
    throw Error(expected(law, row.name, value, "an expression"));
  }
}

template <class M>
typename M::Params params_from(const ParameterValues& values) {
  typename M::Params params{};
  for_each_field(M::Params::fields, [&](const auto& row) {
    if (const auto found = values.find(row.name); found != values.end())
      assign(M::info.name, row, found->second, params.*(row.member));
  });
  return params;
}

/// A value with derivatives; it has as many numbers as the plain value it replaces.
inline void assign_dual(const std::vector<WideDual>& from, WideDual& member) {
  member = from.front();
}
inline void assign_dual(const std::vector<WideDual>& from, std::vector<WideDual>& member) {
  member = from;
}
inline void assign_dual(const std::vector<WideDual>& from, Matrix<WideDual>& member) {
  for (Eigen::Index i = 0; i < member.size(); ++i)
    member(i / member.cols(), i % member.cols()) = from[static_cast<std::size_t>(i)];
}
inline void assign_dual(const std::vector<WideDual>&, Expression&) {}

inline std::size_t count_of(const WideDual&) { return 1; }
inline std::size_t count_of(const std::vector<WideDual>& list) { return list.size(); }
inline std::size_t count_of(const Matrix<WideDual>& matrix) {
  return static_cast<std::size_t>(matrix.size());
}
inline std::size_t count_of(const Expression&) { return 0; }

template <class M>
typename M::Params params_from(const ParameterValues& values, const DualValues& derivatives) {
  typename M::Params params = params_from<M>(values);
  for_each_field(M::Params::fields, [&](const auto& row) {
    const auto found = derivatives.find(row.name);
    if (found == derivatives.end()) return;
    auto& member = params.*(row.member);
    if (found->second.size() != count_of(member))
      throw Error(std::string(M::info.name) + "." + std::string(row.name) + " needs " +
                  std::to_string(count_of(member)) + " numbers with derivatives, not " +
                  std::to_string(found->second.size()));
    assign_dual(found->second, member);
  });
  return params;
}

template <class Member>
void assign_option(std::string_view law, const auto& row, const OptionValue& value,
                   Member& member) {
  const auto* number = std::get_if<double>(&value);
  const auto* word = std::get_if<std::string>(&value);
  const std::string full = std::string(law) + "." + std::string(row.name);
  if constexpr (std::is_enum_v<Member>) {
    const auto choices = given(row.choices);
    const std::string chosen = word ? *word : number_text(*number);
    const auto found = std::find(choices.begin(), choices.end(), chosen);
    if (found == choices.end())
      throw Error("unknown choice '" + chosen + "' for " + full + suggestion(chosen, choices));
    member = static_cast<Member>(found - choices.begin());
  } else {
    if (!number) throw Error(full + " = " + *word + " must be a number");
    check_value(law, row.name, *number, row.bounds);
    member = static_cast<Member>(*number);
    if (static_cast<double>(member) != *number)
      throw Error(full + " = " + number_text(*number) + " must be a whole number");
  }
}

template <class M>
typename M::Options options_from(const OptionValues& values) {
  typename M::Options options{};
  for_each_field(M::Options::fields, [&](const auto& row) {
    if (const auto found = values.find(row.name); found != values.end())
      assign_option(M::info.name, row, found->second, options.*(row.member));
  });
  return options;
}

// ------------------------------------------------------------ states as numbers

inline void to_numbers(double x, std::vector<double>& out) { out.push_back(x); }
inline void to_numbers(int x, std::vector<double>& out) { out.push_back(x); }
template <class Range>
requires requires(const Range& range) { range.begin(); }
void to_numbers(const Range& range, std::vector<double>& out) {
  for (const auto& x : range) to_numbers(x, out);
}
inline void to_numbers(const Vec2<double>& x, std::vector<double>& out) {
  out.insert(out.end(), {x[0], x[1]});
}
inline void to_numbers(const TurningPoints<double>& points, std::vector<double>& out) {
  for (std::size_t i = 0; i < points.size(); ++i)
    out.insert(out.end(), {points[i].u, points[i].f, points[i].stored});
}

/// False when the numbers do not fit the member.
inline bool from_numbers(const std::vector<double>& in, double& x) {
  if (in.size() != 1) return false;
  x = in[0];
  return true;
}
inline bool from_numbers(const std::vector<double>& in, int& x) {
  if (in.size() != 1 || !(std::abs(in[0]) < 1e9)) return false;
  x = static_cast<int>(in[0]);
  return x == in[0];
}
template <std::size_t N>
bool from_numbers(const std::vector<double>& in, std::array<double, N>& x) {
  if (in.size() != N) return false;
  std::copy(in.begin(), in.end(), x.begin());
  return true;
}
/// A vector of a state has the length that the law's rest state gives it.
inline bool from_numbers(const std::vector<double>& in, std::vector<double>& x) {
  if (in.size() != x.size()) return false;
  x = in;
  return true;
}
inline bool from_numbers(const std::vector<double>& in, Vec2<double>& x) {
  if (in.size() != 2) return false;
  x = {in[0], in[1]};
  return true;
}
inline bool from_numbers(const std::vector<double>& in, TurningPoints<double>& points) {
  if (in.size() % 3 != 0) return false;
  points.clear();
  for (std::size_t i = 0; i < in.size(); i += 3)
    if (!points.push({in[i], in[i + 1], in[i + 2]})) return false;
  return true;
}

// ------------------------------------------------------------- behind the types

template <class State>
struct HiddenState final : AnyState::Interface {
  State state;
  explicit HiddenState(State s) : state(std::move(s)) {}
  std::unique_ptr<AnyState::Interface> clone() const override {
    return std::make_unique<HiddenState>(state);
  }
  void assign(const AnyState::Interface& other) override {
    state = static_cast<const HiddenState&>(other).state;
  }
  static const State& open(const AnyState& s) {
    return static_cast<const HiddenState&>(s.get()).state;
  }
  static State& open(AnyState& s) { return static_cast<HiddenState&>(s.get()).state; }
};

/// A law over another number.
template <class M, class Real>
struct Rebind;
template <template <class> class L, class From, class Real>
struct Rebind<L<From>, Real> {
  using type = L<Real>;
};

template <class M>
class ErasedDual final : public AnyDualModel::Interface {
 public:
  using Hidden = HiddenState<typename M::State>;

  explicit ErasedDual(M law) : law_(std::move(law)) {}

  AnyState rest() const override { return AnyState(std::make_unique<Hidden>(law_.rest())); }
  WideDual stored(const AnyState& s) const override { return law_.stored(Hidden::open(s)); }
  Response<WideDual> step(const AnyState& from, const WideDual& u, double dt,
                          AnyState& to) const override {
    return step_law(Hidden::open(from), u, dt, Hidden::open(to));
  }
  PlanarResponse<WideDual> step(const AnyState& from, const Vec2<WideDual>& u,
                                AnyState& to) const override {
    if constexpr (PlanarLaw<M>)
      return law_.step(Hidden::open(from), u, Hidden::open(to));
    else
      throw Error(std::string(M::info.name) + " is a scalar law: it needs u");
  }
  WideDual next_kink(const AnyState& s, int direction) const override {
    if constexpr (PlanarLaw<M>)
      return WideDual(std::numeric_limits<double>::infinity());
    else
      return law_.next_kink(Hidden::open(s), direction);
  }
  Status run(std::span<const double> dt, std::span<const WideDual> u, AnyState& at,
             std::span<WideDual> f, std::span<WideDual> dissipated) const override {
    auto& state = Hidden::open(at);
    for (std::size_t i = 0; i < u.size(); ++i) {
      const auto reply = step_law(state, u[i], dt.empty() ? 0.0 : dt[i], state);
      if (reply.status != Status::ok) return reply.status;
      f[i] = reply.force;
      if (!dissipated.empty()) dissipated[i] = reply.dissipated;
    }
    return Status::ok;
  }

 private:
  Response<WideDual> step_law([[maybe_unused]] const typename M::State& from,
                              [[maybe_unused]] const WideDual& u, [[maybe_unused]] double dt,
                              [[maybe_unused]] typename M::State& to) const {
    if constexpr (PlanarLaw<M>)
      throw Error(std::string(M::info.name) + " is a law in the plane: it needs ux and uy");
    else if constexpr (RateDependentLaw<M>)
      return law_.step(from, u, dt, to);
    else
      return law_.step(from, u, to);
  }
  M law_;
};

template <class M>
AnyModel make_any(const ParameterValues& parameters, const OptionValues& options);

template <AnyLaw M>
class Erased final : public AnyModel::Interface {
 public:
  using State = typename M::State;
  using Hidden = HiddenState<State>;

  explicit Erased(M law) : law_(std::move(law)) {}

  AnyModel make(const ParameterValues& parameters, const OptionValues& options) const override {
    return make_any<M>(parameters, options);
  }
  AnyDualModel make_dual(const ParameterValues& parameters, const OptionValues& options,
                         const DualValues& derivatives) const override {
    using Law = typename Rebind<M, WideDual>::type;
    return AnyDualModel(std::make_shared<ErasedDual<Law>>(
        Law(params_from<Law>(parameters, derivatives), options_from<Law>(options))));
  }

  const Description& description() const override {
    // A law whose options choose what drives it says so by a function `driven`.
    if constexpr (requires { law_.driven(); }) {
      static const Description other = [] {
        Description d = describe<M>();
        d.driven = d.driven == Driven::force ? Driven::displacement : Driven::force;
        return d;
      }();
      if (law_.driven() != description_of<M>().driven) return other;
    }
    return description_of<M>();
  }
  AnyState rest() const override { return AnyState(std::make_unique<Hidden>(law_.rest())); }
  double stored(const AnyState& s) const override { return law_.stored(open(s)); }

  StateRecord save(const AnyState& s) const override {
    StateRecord record;
    for_each_field(State::fields, [&](const auto& row) {
      to_numbers(open(s).*(row.member), record[std::string(row.name)]);
    });
    return record;
  }

  AnyState load(const StateRecord& record) const override {
    State state = law_.rest();
    for_each_field(State::fields, [&](const auto& row) {
      const auto found = record.find(row.name);
      const std::string full =
          "state '" + std::string(row.name) + "' of " + std::string(M::info.name);
      if (found == record.end()) throw Error(full + " is missing");
      if (!from_numbers(found->second, state.*(row.member)))
        throw Error(full + " does not have the right numbers");
    });
    return AnyState(std::make_unique<Hidden>(std::move(state)));
  }

  Response<double> step(const AnyState& from, double u, double dt, AnyState& to) const override {
    if constexpr (PlanarLaw<M>)
      throw Error(std::string(M::info.name) + " is a law in the plane: it needs ux and uy");
    else
      return step_scalar(open(from), u, dt, open(to));
  }
  double next_kink(const AnyState& s, int direction) const override {
    if constexpr (PlanarLaw<M>)
      return std::numeric_limits<double>::infinity();
    else
      return law_.next_kink(open(s), direction);
  }
  PlanarResponse<double> step(const AnyState& from, const Vec2<double>& u,
                              AnyState& to) const override {
    if constexpr (PlanarLaw<M>)
      return law_.step(open(from), u, open(to));
    else
      throw Error(std::string(M::info.name) + " is a scalar law: it needs u");
  }

  void run(const Path& path, Drive drive, const Record& record, Checkpoint& at,
           History& out) const override {
    check_path(path, drive);
    out.status = Status::ok;
    if constexpr (PlanarLaw<M>)
      run_planar(path, record, at, out);
    else if (drive == Drive::force)
      run_scalar<Drive::force>(path, record, at, out);
    else
      run_scalar<Drive::displacement>(path, record, at, out);
  }

 private:
  static const State& open(const AnyState& s) { return Hidden::open(s); }
  static State& open(AnyState& s) { return Hidden::open(s); }

  void check_path(const Path& path, Drive drive) const {
    const std::string law(M::info.name);
    if (PlanarLaw<M> != !path.uy.empty() && !path.u.empty())
      throw Error(PlanarLaw<M> ? law + " is a law in the plane: it needs the columns ux and uy"
                               : law + " is a scalar law: it needs the column u");
    if (PlanarLaw<M> && drive == Drive::force)
      throw Error(law + " is a law in the plane: it cannot be driven by force");
    if (RateDependentLaw<M> && path.t.empty())
      throw Error(law + " depends on the rate: it needs the column t");
    if (!path.t.empty() && path.t.size() != path.u.size())
      throw Error("t and u must have the same number of rows");
  }

  Response<double> step_scalar(const State& from, double u, [[maybe_unused]] double dt,
                               State& to) const noexcept requires(!PlanarLaw<M>) {
    if constexpr (RateDependentLaw<M>)
      return law_.step(from, u, dt, to);
    else
      return law_.step(from, u, to);
  }

  template <Drive drive>
  void run_scalar(const Path& path, const Record& record, Checkpoint& at, History& out) const {
    const std::size_t rows = path.u.size();
    out.u.resize(rows);
    out.f.resize(rows);
    out.energy.resize(rows);
    out.tangent.resize(record.tangent ? rows : 0);
    out.stored.resize(record.stored ? rows : 0);
    StateTable states(record.states, rows, law_.rest());

    State state = open(at.state);
    double energy = at.energy;
    const double origin = at.origin;
    std::size_t row = 0;
    if (drive == Drive::displacement && !(record.tangent || record.stored || record.states))
      row = march(path, at, state, energy, out);
    for (; row < rows && out.status == Status::ok; ++row) {
      const double dt = RateDependentLaw<M> ? time_step(path, row, at.t) : 0;
      double u = path.u[row] - origin;
      if constexpr (drive == Drive::force) {
        State trial = state;
        // With time, holding still changes the force: compare with what that would give.
        const double held =
            RateDependentLaw<M> ? step_scalar(state, state.u, dt, trial).force : double(state.f);
        const auto found = displacement_for(
            path.u[row], state.u, held, [&](double x) { return step_scalar(state, x, dt, trial); });
        out.status = found.status;
        if (out.status != Status::ok) break;
        u = found.u;
        out.u[row] = u + origin;
      }
      const Response<double> reply = step_scalar(state, u, dt, state);
      if (reply.status != Status::ok) {
        out.status = reply.status;
        break;
      }
      energy += reply.dissipated;
      out.f[row] = reply.force;
      out.energy[row] = energy;
      if (record.tangent) out.tangent[row] = reply.tangent;
      if (record.stored) out.stored[row] = law_.stored(state);
      states.put(row, state);
    }
    if (drive == Drive::displacement) std::copy_n(path.u.begin(), row, out.u.begin());
    finish(path, row, energy, std::move(state), states, out, at);
  }

  /// The common case, without anything that would force the state out of registers; flattened,
  /// because otherwise the compiler shares one out-of-line step with the rarer loops.
  [[gnu::flatten]] std::size_t march(const Path& path, const Checkpoint& at, State& state,
                                     double& energy, History& out) const requires(!PlanarLaw<M>) {
    State here = state;
    double lost = energy;
    const double origin = at.origin;
    const std::size_t rows = path.u.size();
    std::size_t row = 0;
    for (; row < rows; ++row) {
      const double dt = RateDependentLaw<M> ? time_step(path, row, at.t) : 0;
      const Response<double> reply = step_scalar(here, path.u[row] - origin, dt, here);
      if (reply.status != Status::ok) {
        out.status = reply.status;
        break;
      }
      lost += reply.dissipated;
      out.f[row] = reply.force;
      out.energy[row] = lost;
    }
    state = here;
    energy = lost;
    return row;
  }

  void run_planar(const Path& path, const Record& record, Checkpoint& at,
                  History& out) const requires PlanarLaw<M> {
    const std::size_t rows = path.u.size();
    out.f.resize(rows);
    out.fy.resize(rows);
    out.energy.resize(rows);
    out.stored.resize(record.stored ? rows : 0);
    StateTable states(record.states, rows, law_.rest());

    State state = open(at.state);
    double energy = at.energy;
    std::size_t row = 0;
    for (; row < rows; ++row) {
      const Vec2<double> u(path.u[row] - at.origin, path.uy[row] - at.origin_y);
      const PlanarResponse<double> reply = law_.step(state, u, state);
      if (reply.status != Status::ok) {
        out.status = reply.status;
        break;
      }
      energy += reply.dissipated;
      out.f[row] = reply.force[0];
      out.fy[row] = reply.force[1];
      out.energy[row] = energy;
      if (record.stored) out.stored[row] = law_.stored(state);
      states.put(row, state);
    }
    out.u.assign(path.u.begin(), path.u.begin() + offset(row));
    out.uy.assign(path.uy.begin(), path.uy.begin() + offset(row));
    out.fy.resize(row);
    finish(path, row, energy, std::move(state), states, out, at);
  }

  static std::ptrdiff_t offset(std::size_t row) { return static_cast<std::ptrdiff_t>(row); }

  /// A first row away from rest is reached infinitely slowly.
  static double time_step(const Path& path, std::size_t row, double t_before) {
    if (path.t.empty()) return 0;
    const double dt = path.t[row] - (row == 0 ? t_before : path.t[row - 1]);
    return dt > 0 ? dt : std::numeric_limits<double>::infinity();
  }

  static void finish(const Path& path, std::size_t rows, double energy, State&& state,
                     const auto& states, History& out, Checkpoint& at) {
    out.f.resize(rows);
    out.energy.resize(rows);
    for (auto* column : {&out.u, &out.tangent, &out.stored})
      if (column->size() > rows) column->resize(rows);
    out.states = states.columns(rows);
    at.energy = energy;
    if (rows > 0 && !path.t.empty()) at.t = path.t[rows - 1];
    open(at.state) = std::move(state);
  }

  /// The numbers of the state besides u and f, one column each. Memories of changing length
  /// (turning points) are recorded by their length.
  class StateTable {
   public:
    StateTable(bool wanted, std::size_t rows, const State& rest) {
      if (!wanted) return;
      visit(rest, [&](std::string name, double) {
        columns_.push_back({std::move(name), std::vector<double>(rows)});
      });
    }
    void put(std::size_t row, const State& state) {
      if (columns_.empty()) return;
      auto column = columns_.begin();
      visit(state, [&](const std::string&, double x) { (column++)->values[row] = x; });
    }
    std::vector<StateColumn> columns(std::size_t rows) const {
      auto result = columns_;
      for (auto& column : result) column.values.resize(rows);
      return result;
    }

   private:
    template <class Put>
    static void visit(const State& state, Put&& put) {
      for_each_field(State::fields, [&](const auto& row) {
        if (row.name == "u" || row.name == "f") return;
        const auto& member = state.*(row.member);
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (std::is_same_v<Member, TurningPoints<double>>) {
          put(std::string(row.name), static_cast<double>(member.size()));
        } else {
          std::vector<double> numbers;
          to_numbers(member, numbers);
          for (std::size_t i = 0; i < numbers.size(); ++i)
            put(numbers.size() == 1 ? std::string(row.name)
                                    : std::string(row.name) + std::to_string(i + 1),
                numbers[i]);
        }
      });
    }
    std::vector<StateColumn> columns_;
  };

  M law_;
};

template <class M>
AnyModel make_any(const ParameterValues& parameters, const OptionValues& options) {
  const Description& d = description_of<M>();
  refuse_unknown(M::info.name, "parameter", parameters, d.parameters);
  refuse_unknown(M::info.name, "option", options, d.options);
  ParameterValues all = parameters;
  for (const auto& p : d.parameters) all.emplace(p.name, p.default_value);
  OptionValues all_options = options;
  for (const auto& o : d.options) all_options.emplace(o.name, o.default_value);
  return AnyModel(
      std::make_shared<Erased<M>>(M(params_from<M>(parameters), options_from<M>(options))),
      std::move(all), std::move(all_options));
}

}  // namespace microslip::catalog
