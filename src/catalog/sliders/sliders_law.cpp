#include "catalog/sliders/sliders_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "catalog/erasure/differences.hpp"
#include "microslip/catalog/sliders/sliders_setup.hpp"
#include "microslip/core/force_drive.hpp"
#include "microslip/core/text.hpp"

namespace microslip::catalog {
namespace {

using friction::Solver;
using friction::State;
using friction::Step;
using friction::Vector;

AnyModel make_sliders(const ParameterValues& parameters, const OptionValues& options);

/// The system as a law. A history runs inside one solver, which keeps its factor from row to row;
/// a single step has to find it anew.
class Sliders final : public AnyModel::Interface {
 public:
  explicit Sliders(SlidersSetup setup)
      : setup_(std::move(setup)), description_(sliders_description()) {
    if (setup_.minus_bx) description_.driven = Driven::displacement;
    if (varying()) {
      description_.family = Family::rate_dependent;
      description_.claims.rate_independent = fails;
    }
    // Only what this kind of system has, and no files: a fit goes by this list.
    std::erase_if(description_.parameters, [&](ParameterInfo& info) {
      const auto found = setup_.parameters.find(info.name);
      if (found == setup_.parameters.end()) return true;
      if (std::holds_alternative<double>(found->second)) info.kind = Kind::scalar;
      return info.name == "mu_factor" || std::holds_alternative<std::string>(found->second);
    });
  }

  AnyModel make(const ParameterValues& parameters, const OptionValues& options) const override {
    return make_sliders(parameters, options);
  }
  AnyDualModel make_dual(const ParameterValues& parameters, const OptionValues& options,
                         const DualValues& derivatives) const override {
    return dual_by_differences(make_sliders(parameters, options), derivatives);
  }
  const Description& description() const override { return description_; }

  AnyState rest() const override {
    State state = friction::rest(system());
    state.factor = setup_.factor.at(0);
    return hide(std::move(state));
  }

  StateRecord save(const AnyState& state) const override {
    const State& s = open(state);
    StateRecord record = saved(s);
    if (varying()) {
      record["factor"] = {s.factor};
      record["t"] = {time(state)};
    }
    return record;
  }

  StateRecord saved(const State& s) const {
    return {{"u", {s.f}},
            {"f", {answer(s.f, system().b().dot(s.x))}},
            {"x", {s.x.begin(), s.x.end()}},
            {"side", {s.side.begin(), s.side.end()}},
            {"direction", {static_cast<double>(s.direction)}},
            {"turns", s.turns}};
  }

  AnyState load(const StateRecord& record) const override {
    State s = friction::rest(system());
    const auto field = [&](const char* name, std::size_t count) -> const std::vector<double>& {
      const auto found = record.find(name);
      const std::string full = std::string("state '") + name + "' of sliders";
      if (found == record.end()) throw Error(full + " is missing");
      if (count > 0 && found->second.size() != count)
        throw Error(full + " has " + std::to_string(found->second.size()) +
                    " numbers; this system needs " + std::to_string(count));
      return found->second;
    };
    const auto n = static_cast<std::size_t>(system().size());
    s.f = field("u", 1).front();
    const auto& x = field("x", n);
    s.x = Eigen::Map<const Vector>(x.data(), system().size());
    const auto& side = field("side", n);
    for (std::size_t i = 0; i < n; ++i) s.side[i] = static_cast<std::int8_t>(side[i]);
    s.direction = static_cast<int>(field("direction", 1).front());
    s.turns = field("turns", 0);
    // A history whose friction was constant may go on with one that changes.
    if (record.contains("factor")) s.factor = field("factor", 1).front();
    if (!varying() && s.factor != 1)
      throw Error("friction of this history has changed to " + number_text(s.factor) +
                  " times mu, so it goes on only with mu_factor or a column mu");
    AnyState state = hide(std::move(s));
    if (record.contains("t")) time(state) = field("t", 1).front();
    return state;
  }

  double stored(const AnyState& state) const override { return stored(open(state)); }

  /// Friction that changes does so from the time of the state on; in a step of no finite length it stays.
  Response<double> step(const AnyState& from, double u, double dt, AnyState& to) const override {
    const auto solver = friction::make_solver(system(), setup_.solver);
    solver->start(open(from));
    const double begin = time(from), end = begin + (std::isfinite(dt) ? dt : 0);
    std::string trouble;
    const Step step = advance(*solver, open(from).f, begin, u, end, trouble);
    Response<double> reply{answer(u, step.xi), tangent(*solver), solver->dissipated(), step.status};
    if (step.status == Status::ok) {
      open(to) = solver->state();
      time(to) = end;
    }
    return reply;
  }

  ForceInMotion<double> force(const AnyState& at, double /*v*/) const override {
    const State& state = open(at);
    return {answer(state.f, system().b().dot(state.x)), 0};
  }

  double next_kink(const AnyState& state, int direction) const override {
    if (varying()) return direction * std::numeric_limits<double>::infinity();
    return friction::next_event(system(), open(state), direction);
  }

  void run(const Path& path, Drive drive, const Record& record, Checkpoint& at,
           History& out) const override {
    check_columns(description_, path);
    if (!path.t.empty() && path.t.size() != path.u.size())
      throw Error("t and u must have the same number of rows");
    if (varying() && path.t.empty())
      throw Error("sliders.mu_factor changes in time: the history needs the column t");
    out = {};
    std::vector<double> inputs(path.u);
    for (double& u : inputs) u -= at.origin;
    begin_factor(at);
    if (drive == Drive::force) out.status = find_inputs(open(at.state), path, at.t, inputs);
    const std::size_t good = follow(inputs, path.t, record, at, out);
    // What failed left the solver somewhere inside a row: do the good ones again.
    if (good < inputs.size()) follow({inputs.data(), good}, path.t, record, at, out);
    for (double& u : inputs) u += at.origin;
    out.u.assign(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(good));
    if (good > 0 && !path.t.empty()) at.t = time(at.state) = path.t[good - 1];
    if (good > 0) at.energy = out.energy.back();
  }

 private:
  struct Hidden final : AnyState::Interface {
    State state;
    double t = 0;
    explicit Hidden(State s) : state(std::move(s)) {}
    std::unique_ptr<AnyState::Interface> clone() const override {
      return std::make_unique<Hidden>(*this);
    }
    void assign(const AnyState::Interface& other) override {
      *this = static_cast<const Hidden&>(other);
    }
  };
  static AnyState hide(State state) { return AnyState(std::make_unique<Hidden>(std::move(state))); }
  static const State& open(const AnyState& s) { return static_cast<const Hidden&>(s.get()).state; }
  static State& open(AnyState& s) { return static_cast<Hidden&>(s.get()).state; }

  static double time(const AnyState& s) { return static_cast<const Hidden&>(s.get()).t; }
  static double& time(AnyState& s) { return static_cast<Hidden&>(s.get()).t; }

  const friction::System& system() const { return *setup_.system; }
  /// Friction changes in time.
  bool varying() const { return setup_.solver.varying; }

  Step advance(Solver& solver, double from, double begin, double to, double end,
               std::string& trouble) const {
    if (varying())
      return friction::advance_in_time(solver, setup_.factor, from, begin, to, end, trouble);
    const Step step = solver.advance(to);
    trouble = solver.trouble();
    return step;
  }

  /// Without forces the factor leaves no trace, so a history from rest begins with that of its first row;
  /// any other goes on from the factor of its state.
  void begin_factor(Checkpoint& at) const {
    State& state = open(at.state);
    if (varying() && state.f == 0 && state.x.isZero(0)) state.factor = setup_.factor.at(at.t);
  }

  double answer(double u, double xi) const { return setup_.minus_bx ? setup_.c0 * u - xi : xi; }
  double tangent(const Solver& solver) const {
    return setup_.minus_bx ? setup_.c0 - solver.tangent() : solver.tangent();
  }
  double stored(const State& s) const {
    const double elastic = system().elastic_energy(s.x);
    if (!setup_.minus_bx) return elastic;
    return 0.5 * setup_.c0 * s.f * s.f - s.f * system().b().dot(s.x) + elastic;
  }

  /// Runs over the inputs and tells how many rows went well; the state is left at the last row if
  /// all did.
  std::size_t follow(std::span<const double> inputs, std::span<const double> times,
                     const Record& record, Checkpoint& at, History& out) const {
    const auto solver = friction::make_solver(system(), setup_.solver);
    solver->start(open(at.state));
    out.f.clear();
    out.energy.clear();
    out.tangent.clear();
    out.stored.clear();
    out.states.clear();
    if (record.states)
      for (Eigen::Index i = 0; i < system().size(); ++i) {
        out.states.push_back({"x" + std::to_string(i + 1), {}});
        out.states.back().values.reserve(inputs.size());
      }
    double u = open(at.state).f, t = at.t;
    for (std::size_t row = 0; row < inputs.size(); ++row) {
      const double now = times.empty() ? t : times[row];
      std::string trouble;
      const Step step = advance(*solver, u, t, inputs[row], now, trouble);
      if (step.status != Status::ok) {
        out.status = step.status;
        out.reason = trouble;
        if (step.status == Status::macroslip && !setup_.minus_bx)
          out.reason +=
              "; driven by displacement it goes on: series(sliders(...)), or k0 of a chain";
        return row;
      }
      u = inputs[row];
      t = now;
      out.f.push_back(answer(inputs[row], step.xi));
      out.energy.push_back(at.energy + solver->dissipated());
      if (record.tangent) out.tangent.push_back(tangent(*solver));
      if (record.stored) out.stored.push_back(stored(solver->state()));
      if (record.states) {
        const Vector x = solver->x();
        for (Eigen::Index i = 0; i < x.size(); ++i)
          out.states[static_cast<std::size_t>(i)].values.push_back(x[i]);
      }
    }
    if (!inputs.empty()) open(at.state) = solver->state();
    return inputs.size();
  }

  /// The inputs at which the answer has the wanted values; as many as there are.
  Status find_inputs(const State& from, const Path& path, double t,
                     std::vector<double>& inputs) const {
    const auto solver = friction::make_solver(system(), setup_.solver);
    State state = from;
    inputs.clear();
    for (std::size_t row = 0; row < path.u.size(); ++row) {
      const double now = path.t.empty() ? t : path.t[row];
      std::string trouble;
      const auto go = [&](double u) {
        solver->start(state);
        return advance(*solver, state.f, t, u, now, trouble);
      };
      const auto reply = [&](double u) {
        const Step step = go(u);
        return Response<double>{answer(u, step.xi), tangent(*solver), 0, step.status};
      };
      // Friction that changes moves the force at rest.
      const double force =
          varying() ? reply(state.f).force : answer(state.f, system().b().dot(state.x));
      const auto found = displacement_for(path.u[row], state.f, force, reply);
      if (found.status != Status::ok) return found.status;
      const Step step = go(found.u);
      if (step.status != Status::ok) return step.status;
      state = solver->state();
      t = now;
      inputs.push_back(found.u);
    }
    return Status::ok;
  }

  SlidersSetup setup_;
  Description description_;
};

AnyModel make_sliders(const ParameterValues& parameters, const OptionValues& options) {
  SlidersSetup setup = make_sliders_setup(parameters, options);
  ParameterValues all = setup.parameters;
  OptionValues all_options = setup.options;
  return AnyModel(std::make_shared<Sliders>(std::move(setup)), std::move(all),
                  std::move(all_options));
}

}  // namespace

Law sliders_entry() { return {sliders_description(), &make_sliders}; }

}  // namespace microslip::catalog
