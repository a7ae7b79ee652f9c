#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "microslip/core/concepts.hpp"
#include "microslip/core/force_drive.hpp"
#include "microslip/core/state_numbers.hpp"
#include "microslip/detail/catalog/erasure/describe.hpp"
#include "microslip/detail/catalog/erasure/law_values.hpp"
#include "microslip/detail/kernels/turning_points.hpp"

/// From a law's static step to AnyModel and AnyDualModel.
namespace microslip::catalog {

template <class T>
struct RealOfMember;
template <class Real>
requires Number<Real>
struct RealOfMember<Real> {
  using type = Real;
};
template <class Real, int N>
struct RealOfMember<Eigen::Matrix<Real, N, 1>> {
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
  void find_switches(std::vector<int*>& switches) override {
    switches.clear();
    for_each_field(State::fields, [&](const auto& row) {
      if constexpr (std::is_same_v<decltype(state.*(row.member)), int&>)
        switches.push_back(&(state.*(row.member)));
    });
  }
  void find_parities(std::vector<Parity>& parities) override {
    find_state_parities(state, parities);
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

std::string needs_vector(std::string_view law, std::span<const std::string_view> directions);
template <class M>
std::string needs_vector() {
  return needs_vector(M::info.name, M::directions);
}
/// Of a scalar law, at a velocity: it counts for laws that depend on the rate.
template <class M, class Real>
ForceInMotion<Real> force_in_motion(const M& law, const typename M::State& at,
                                    [[maybe_unused]] const Real& v) {
  if constexpr (RateDependentLaw<M>)
    return law.force(at, v);
  else
    return {at.f, Real(0)};
}
/// A displacement of the size that the law has. Throws Error for another one.
template <class M, class Real>
Vec<Real, direction_count<M>> sized(const AnyVec<Real>& u) {
  if (u.size() != direction_count<M>) throw Error(needs_vector<M>());
  return u;
}

template <class M, class Real>
AnyResponse<Real> step_under_load(const M& law, const typename M::State& from,
                                  const AnyVec<Real>& u, const LimitFactors<Real>& factors,
                                  typename M::State& to) {
  if constexpr (VectorLaw<M>) {
    return law.step_loaded(from, sized<M>(u), factors, to).of_any_size();
  } else {
    const Response<Real> one = law.step_loaded(from, u[0], factors, to);
    return {AnyVec<Real>::Constant(1, one.force), AnyMat<Real>::Constant(1, 1, one.tangent),
            one.dissipated, one.status};
  }
}

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
  ForceInMotion<WideDual> force(const AnyState& at, const WideDual& v) const override {
    if constexpr (VectorLaw<M>)
      return AnyDualModel::Interface::force(at, v);
    else
      return force_in_motion(law_, Hidden::open(at), v);
  }
  AnyResponse<WideDual> step_vector(const AnyState& from, const AnyVec<WideDual>& u,
                                    AnyState& to) const override {
    if constexpr (VectorLaw<M>)
      return law_.step(Hidden::open(from), sized<M>(u), Hidden::open(to)).of_any_size();
    else
      return AnyDualModel::Interface::step_vector(from, u, to);
  }
  AnyResponse<WideDual> step_loaded(const AnyState& from, const AnyVec<WideDual>& u,
                                    const LimitFactors<WideDual>& factors,
                                    AnyState& to) const override {
    if constexpr (LoadedLaw<M>)
      return step_under_load(law_, Hidden::open(from), u, factors, Hidden::open(to));
    else
      return AnyDualModel::Interface::step_loaded(from, u, factors, to);
  }
  WideDual next_kink(const AnyState& s, int direction) const override {
    if constexpr (VectorLaw<M>)
      throw Error(needs_vector<M>());
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
    if constexpr (VectorLaw<M>)
      throw Error(needs_vector<M>());
    else if constexpr (RateDependentLaw<M>)
      return law_.step(from, u, dt, to);
    else
      return law_.step(from, u, to);
  }
  M law_;
};

/// The fields of a state, in their order, and their numbers one after the other.
struct StateFields {
  std::vector<std::string_view> names;
  std::vector<std::size_t> counts;
  std::vector<double> numbers;

  void clear();
  /// The next field, whose numbers are those since the last one.
  void close(std::string_view name);
};
/// Of memories of changing length: all they hold, or their length.
enum class Reversals { written_out, counted };

/// Throws unless the path has the columns that the law needs, and no others.
void check_columns(const Description& law, const Path& path);

/// Time since the row before; a first row away from rest is reached infinitely slowly.
double time_step(const Path& path, std::size_t row, double t_before);

/// What laws of any type have in common: their histories row by row, and their states as numbers.
/// It is compiled once, not once a law.
class ErasedLaw : public AnyModel::Interface {
 public:
  StateRecord save(const AnyState& s) const final;
  void run(const Path& path, Drive drive, const Record& record, Checkpoint& at,
           History& out) const final;

 private:
  /// The common case: the motion is given, and force and energy are wanted. Goes on over the rows
  /// until one fails, and answers how many were good.
  virtual std::size_t march(const Path& path, Checkpoint& at, History& out) const = 0;
  virtual void read_fields(const AnyState& s, Reversals reversals, StateFields& fields) const = 0;
  class Columns;
};

template <class M>
AnyModel make_any(const ParameterValues& parameters, const OptionValues& options);

template <AnyLaw M>
class Erased final : public ErasedLaw {
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

  AnyState load(const StateRecord& record) const override {
    State state = law_.rest();
    for_each_field(State::fields, [&](const auto& row) {
      if (!from_numbers(catalog::numbers_of(record, M::info.name, row.name), state.*(row.member)))
        refuse_numbers(M::info.name, row.name);
    });
    if constexpr (requires { state.forget(); }) state.forget();
    return AnyState(std::make_unique<Hidden>(std::move(state)));
  }

  Response<double> step(const AnyState& from, double u, double dt, AnyState& to) const override {
    if constexpr (VectorLaw<M>)
      throw Error(needs_vector<M>());
    else
      return step_scalar(open(from), u, dt, open(to));
  }
  double next_kink(const AnyState& s, int direction) const override {
    if constexpr (VectorLaw<M>)
      throw Error(needs_vector<M>());
    else
      return law_.next_kink(open(s), direction);
  }
  ForceInMotion<double> force(const AnyState& at, double v) const override {
    if constexpr (VectorLaw<M>)
      return AnyModel::Interface::force(at, v);
    else
      return force_in_motion(law_, open(at), v);
  }
  std::optional<HarmonicForce> first_harmonic(double amplitude, double omega) const override {
    if constexpr (ClosedFirstHarmonic<M>)
      return law_.first_harmonic(amplitude, omega);
    else if constexpr (LinearLaw<M>)
      return harmonic_force(law_.dynamic_stiffness(omega), amplitude);
    else
      return AnyModel::Interface::first_harmonic(amplitude, omega);
  }
  std::optional<std::complex<double>> dynamic_stiffness(double omega) const override {
    if constexpr (LinearLaw<M>)
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
  bool repeats() const override {
    if constexpr (requires { law_.repeats(); })
      return law_.repeats();
    else
      return true;
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
  AnyResponse<double> step_vector(const AnyState& from, const AnyVec<double>& u,
                                  AnyState& to) const override {
    if constexpr (VectorLaw<M>)
      return law_.step(open(from), sized<M>(u), open(to)).of_any_size();
    else
      return AnyModel::Interface::step_vector(from, u, to);
  }
  double smooth_part(const AnyState& from, const AnyVec<double>& along) const override {
    if constexpr (VectorLaw<M>)
      return law_.next_kink(open(from), sized<M>(along));
    else
      return AnyModel::Interface::smooth_part(from, along);
  }
  std::unique_ptr<Walk> walk() const override {
    if constexpr (WalkedLaw<M>)
      return law_.walk();
    else
      return nullptr;
  }
  AnyResponse<double> step_loaded(const AnyState& from, const AnyVec<double>& u,
                                  const LimitFactors<double>& factors,
                                  AnyState& to) const override {
    if constexpr (LoadedLaw<M>)
      return step_under_load(law_, open(from), u, factors, open(to));
    else
      return AnyModel::Interface::step_loaded(from, u, factors, to);
  }

 private:
  static const State& open(const AnyState& s) { return Hidden::open(s); }
  static State& open(AnyState& s) { return Hidden::open(s); }

  Response<double> step_scalar(const State& from, double u, [[maybe_unused]] double dt,
                               State& to) const noexcept requires(!VectorLaw<M>) {
    if constexpr (RateDependentLaw<M>)
      return law_.step(from, u, dt, to);
    else
      return law_.step(from, u, to);
  }

  std::size_t march(const Path& path, Checkpoint& at, History& out) const override {
    if constexpr (VectorLaw<M>)
      return march_vector(path, at, out);
    else
      return march_scalar(path, at, out);
  }

  /// The state is kept in registers. Flattened, because otherwise the compiler shares one out-of-line
  /// step with `step`. Long functions of the kernels that few steps reach are kept out of it
  /// (`noinline`), which halves the time to compile.
  [[gnu::flatten]] std::size_t march_scalar(const Path& path, Checkpoint& at, History& out) const
      requires(!VectorLaw<M>) {
    State here = open(at.state);
    double lost = at.energy;
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
    open(at.state) = here;
    at.energy = lost;
    return row;
  }

  std::size_t march_vector(const Path& path, Checkpoint& at,
                           History& out) const requires VectorLaw<M> {
    constexpr int n = direction_count<M>;
    State& here = open(at.state);
    std::array<const double*, n> given;
    std::array<double*, n> answer;
    Vec<double, n> origin, u;
    for (int i = 0; i < n; ++i) {
      const auto at_i = static_cast<std::size_t>(i);
      const std::string_view direction = M::directions[at_i];
      given[at_i] = path.along(direction).data();
      answer[at_i] = out.f_along(direction).data();
      origin[i] = at.origin_along(direction);
    }
    for (std::size_t row = 0; row < path.u.size(); ++row) {
      for (int i = 0; i < n; ++i) u[i] = given[static_cast<std::size_t>(i)][row] - origin[i];
      const auto reply = law_.step(here, u, here);
      if (reply.status != Status::ok) {
        out.status = reply.status;
        return row;
      }
      at.energy += reply.dissipated;
      for (int i = 0; i < n; ++i) answer[static_cast<std::size_t>(i)][row] = reply.force[i];
      out.energy[row] = at.energy;
    }
    return path.u.size();
  }

  void read_fields(const AnyState& s, Reversals reversals, StateFields& fields) const override {
    fields.clear();
    for_each_field(State::fields, [&](const auto& row) {
      const auto& member = open(s).*(row.member);
      bool counted = false;
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, TurningPoints<double>>) {
        counted = reversals == Reversals::counted;
        if (counted) to_numbers(static_cast<double>(member.size()), fields.numbers);
      }
      if (!counted) to_numbers(member, fields.numbers);
      fields.close(row.name);
    });
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
