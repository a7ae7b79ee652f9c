#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/catalog/erasure/describe.hpp"
#include "microslip/catalog/erasure/law_values.hpp"
#include "microslip/core/any_model.hpp"
#include "microslip/core/concepts.hpp"
#include "microslip/core/force_drive.hpp"
#include "microslip/core/state_numbers.hpp"
#include "microslip/kernels/turning_points.hpp"

/// From a law's static step to AnyModel and AnyDualModel.
namespace microslip::catalog {

template <class T>
struct RealOfMember;
template <class Real>
requires Number<Real>
struct RealOfMember<Real> {
  using type = Real;
};
template <class Real>
struct RealOfMember<Vec2<Real>> {
  using type = Real;
};
/// The numbers that a state is made of.
template <class State>
using RealOf = typename RealOfMember<decltype(State::f)>::type;

template <class State>
struct HiddenState final : AnyState::Interface, StateNumbers<RealOf<State>> {
  State state;
  explicit HiddenState(State s) : state(std::move(s)) {}
  std::unique_ptr<AnyState::Interface> clone() const override {
    return std::make_unique<HiddenState>(state);
  }
  void assign(const AnyState::Interface& other) override {
    state = static_cast<const HiddenState&>(other).state;
  }
  Memory find_numbers(Numbers which, std::vector<RealOf<State>*>& numbers) override {
    return find_state_numbers(state, which, numbers);
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
    // Some laws take many steps at once faster.
    if constexpr (requires { law_.run(u, state, f); })
      if (dissipated.empty() && law_.run(u, state, f)) return Status::ok;
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
      throw Error(std::string(M::info.name) + " is a planar law: it needs ux and uy");
    else if constexpr (RateDependentLaw<M>)
      return law_.step(from, u, dt, to);
    else
      return law_.step(from, u, to);
  }
  M law_;
};

/// Throws unless the law can follow the path.
void check_path(std::string_view law, Family family, const Path& path, Drive drive);

/// The numbers of the state besides u and f, one column each, by row.
class StateTable {
 public:
  /// `names` and `counts` of the fields; no names where nothing is wanted.
  StateTable(const std::vector<std::string_view>& names, const std::vector<std::size_t>& counts,
             std::size_t rows);
  bool wanted() const { return !columns_.empty(); }
  void put(std::size_t row, const std::vector<double>& numbers);
  std::vector<StateColumn> columns(std::size_t rows) const;

 private:
  std::vector<StateColumn> columns_;
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
      if (!from_numbers(catalog::numbers_of(record, M::info.name, row.name), state.*(row.member)))
        refuse_numbers(M::info.name, row.name);
    });
    return AnyState(std::make_unique<Hidden>(std::move(state)));
  }

  Response<double> step(const AnyState& from, double u, double dt, AnyState& to) const override {
    if constexpr (PlanarLaw<M>)
      throw Error(std::string(M::info.name) + " is a planar law: it needs ux and uy");
    else
      return step_scalar(open(from), u, dt, open(to));
  }
  double next_kink(const AnyState& s, int direction) const override {
    if constexpr (PlanarLaw<M>)
      return std::numeric_limits<double>::infinity();
    else
      return law_.next_kink(open(s), direction);
  }
  std::optional<HarmonicForce> first_harmonic(double amplitude, double omega) const override {
    if constexpr (ClosedFirstHarmonic<M>)
      return law_.first_harmonic(amplitude, omega);
    else
      return AnyModel::Interface::first_harmonic(amplitude, omega);
  }
  std::optional<std::complex<double>> dynamic_stiffness(double omega) const override {
    if constexpr (requires { law_.dynamic_stiffness(omega); })
      return law_.dynamic_stiffness(omega);
    else
      return AnyModel::Interface::dynamic_stiffness(omega);
  }
  bool odd() const override {
    if constexpr (requires { law_.odd(); })
      return law_.odd();
    else
      return AnyModel::Interface::odd();
  }
  Rigidity rigidity() const override {
    if constexpr (RigidLaw<M>)
      return law_.rigidity();
    else
      return {};
  }
  SlipForce<double> slip(const AnyState& from, const Sliding& at,
                         AnyState& scratch) const override {
    if constexpr (RigidLaw<M>)
      return law_.slip(open(from), at.side, at.u, at.v);
    else
      return AnyModel::Interface::slip(from, at, scratch);
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
    check_path(M::info.name, family_of<M>(), path, drive);
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
    StateTable states = state_table(record, rows);

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
      if (states.wanted()) states.put(row, numbers_of(state));
    }
    if (drive == Drive::displacement) std::copy_n(path.u.begin(), row, out.u.begin());
    finish(path, row, energy, std::move(state), states, out, at);
  }

  /// The common case, without anything that would force the state out of registers; flattened,
  /// because otherwise the compiler shares one out-of-line step with the rarer loops. Long functions of
  /// the kernels that few steps reach are kept out of it (`noinline`), which halves the time to compile.
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
    StateTable states = state_table(record, rows);

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
      if (states.wanted()) states.put(row, numbers_of(state));
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
                     const StateTable& states, History& out, Checkpoint& at) {
    out.f.resize(rows);
    out.energy.resize(rows);
    for (auto* column : {&out.u, &out.tangent, &out.stored})
      if (column->size() > rows) column->resize(rows);
    out.states = states.columns(rows);
    at.energy = energy;
    if (rows > 0 && !path.t.empty()) at.t = path.t[rows - 1];
    open(at.state) = std::move(state);
  }

  /// Each recorded field of a state: its name and its numbers. Memories of changing length (turning
  /// points) are recorded by their length.
  template <class Put>
  static void visit(const State& state, Put&& put) {
    for_each_field(State::fields, [&](const auto& row) {
      if (row.name == "u" || row.name == "f") return;
      const auto& member = state.*(row.member);
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, TurningPoints<double>>)
        put(row.name, static_cast<double>(member.size()));
      else
        put(row.name, member);
    });
  }
  static std::vector<double> numbers_of(const State& state) {
    std::vector<double> numbers;
    visit(state, [&](std::string_view, const auto& field) { to_numbers(field, numbers); });
    return numbers;
  }
  StateTable state_table(const Record& record, std::size_t rows) const {
    std::vector<std::string_view> names;
    std::vector<std::size_t> counts;
    if (record.states)
      visit(law_.rest(), [&](std::string_view name, const auto& field) {
        std::vector<double> numbers;
        to_numbers(field, numbers);
        names.push_back(name);
        counts.push_back(numbers.size());
      });
    return {names, counts, rows};
  }

  M law_;
};

template <class M>
AnyModel make_any(const ParameterValues& parameters, const OptionValues& options) {
  ParameterValues all = completed(description_of<M>(), parameters);
  OptionValues all_options = completed(description_of<M>(), options);
  return AnyModel(
      std::make_shared<Erased<M>>(M(params_from<M>(parameters), options_from<M>(options))),
      std::move(all), std::move(all_options));
}

}  // namespace microslip::catalog
