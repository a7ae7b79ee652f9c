#include "catalog/composition/loaded.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "catalog/erasure/differences.hpp"
#include "catalog/erasure/rows.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/catalog/erasure/erased.hpp"
#include "microslip/friction/factor_history.hpp"

namespace microslip::catalog {
namespace {

/// Of N/N_ref; a hundredth of what a person sees.
constexpr double chord_tolerance = 1e-8;

struct LoadedState final : AnyState::Interface {
  AnyState law;
  double u = 0, f = 0, t = 0;

  std::unique_ptr<AnyState::Interface> clone() const override {
    return std::make_unique<LoadedState>(*this);
  }
  void assign(const AnyState::Interface& other) override {
    const auto& from = static_cast<const LoadedState&>(other);
    law.get().assign(from.law.get());
    u = from.u;
    f = from.f;
    t = from.t;
  }
  static const LoadedState& open(const AnyState& s) {
    return static_cast<const LoadedState&>(s.get());
  }
  static LoadedState& open(AnyState& s) { return static_cast<LoadedState&>(s.get()); }
};

/// N over N_ref as straight pieces in time. Sentences name the parameter of this wrapper.
friction::FactorHistory load_of(const Value& N, double reference) {
  try {
    if (const auto* x = std::get_if<double>(&N))
      return {std::vector<double>{0}, std::vector<double>{*x / reference}};
    if (const auto* text = std::get_if<std::string>(&N))
      return {Expression::parse("(" + *text + ")/(" + number_text(reference) + ")", {"t"}),
              chord_tolerance};
    if (const auto* rows = std::get_if<Matrix<double>>(&N); rows && rows->cols() == 2) {
      std::vector<double> t, factor;
      for (Eigen::Index i = 0; i < rows->rows(); ++i) {
        t.push_back((*rows)(i, 0));
        factor.push_back((*rows)(i, 1) / reference);
      }
      return {std::move(t), std::move(factor)};
    }
  } catch (const Error& error) {
    std::string sentence = error.what();
    for (std::size_t at = 0; (at = sentence.find("mu_factor", at)) != std::string::npos; at += 8)
      sentence.replace(at, 9, "loaded.N");
    throw Error(sentence);
  }
  throw Error("loaded.N must be a formula of t or rows [t, N]");
}

class Loaded final : public AnyModel::Interface {
 public:
  Loaded(const Wrapper& wrapper, const Value& N, double reference, Inside inside)
      : wrapper_(&wrapper),
        inside_(std::move(inside)),
        description_(describe_wrapped(wrapper, inside_.prefix, inside_.model.description())),
        load_(load_of(N, reference)),
        varies_(!std::holds_alternative<double>(N)) {}

  const Description& description() const override { return description_; }
  AnyModel make(const ParameterValues& parameters, const OptionValues& options) const override {
    ParameterValues own;
    for (const auto& [name, value] : parameters)
      if (is_own(*wrapper_, name)) own.emplace(name, value);
    return wrapper_->make(
        own,
        {inside_.prefix, inside_.model.remade(inner_part(*wrapper_, inside_.prefix, parameters),
                                              inner_part(*wrapper_, inside_.prefix, options))});
  }
  AnyDualModel make_dual(const ParameterValues& parameters, const OptionValues& options,
                         const DualValues& derivatives) const override {
    return dual_by_differences(make(parameters, options), derivatives);
  }
  AnyState rest() const override {
    auto hidden = std::make_unique<LoadedState>();
    hidden->law = inside_.model.rest();
    return AnyState(std::move(hidden));
  }
  StateRecord save(const AnyState& state) const override {
    const LoadedState& own = LoadedState::open(state);
    StateRecord record;
    for (auto& [name, numbers] : inside_.model.save(own.law))
      record[inside_.prefix + name] = numbers;
    record["u"] = {own.u};
    record["f"] = {own.f};
    record["t"] = {own.t};
    return record;
  }
  AnyState load(const StateRecord& record) const override {
    StateRecord inner;
    for (const auto& [name, numbers] : record)
      if (name.starts_with(inside_.prefix)) inner[name.substr(inside_.prefix.size())] = numbers;
    auto hidden = std::make_unique<LoadedState>();
    hidden->law = inside_.model.load(inner);
    hidden->u = one_number(record, "u");
    hidden->f = one_number(record, "f");
    hidden->t = one_number(record, "t");
    return AnyState(std::move(hidden));
  }
  double stored(const AnyState& state) const override {
    return inside_.model.stored(LoadedState::open(state).law);
  }

  /// u is linear in time, and so is N on each of its pieces. An infinite dt happens at one time.
  Response<double> step(const AnyState& from, double u, double dt, AnyState& to) const override {
    const LoadedState& start = LoadedState::open(from);
    LoadedState& end = LoadedState::open(to);
    const double t0 = start.t, t1 = std::isfinite(dt) ? t0 + dt : t0, u0 = start.u;
    double factor = load_.at(t0);
    Response<double> sum{0, 0, 0};
    const auto go = [&](const AnyState& law, double part, double next) {
      const AnyVec<double> target =
          AnyVec<double>::Constant(1, part == 1 ? u : u0 + part * (u - u0));
      const AnyResponse<double> reply =
          inside_.model.step_loaded(law, target, {factor, next}, end.law);
      sum.force = reply.force[0];
      sum.tangent = reply.tangent(0, 0);
      sum.dissipated += reply.dissipated;
      if (reply.status != Status::ok) sum.status = reply.status;
      factor = next;
    };
    if (!(t1 > t0)) {
      go(start.law, 1, factor);
    } else {
      bool first = true;
      for (const auto& piece : load_.pieces(t0, t1)) {
        if (!(piece.factor >= 0)) return {start.f, 0, 0, Status::undefined};
        go(first ? start.law : end.law, piece.part, piece.factor);
        first = false;
      }
    }
    end.u = u;
    end.f = sum.force;
    end.t = t1;
    return sum;
  }
  ForceInMotion<double> force(const AnyState& at, double /*v*/) const override {
    return {LoadedState::open(at).f, 0};
  }
  /// It depends on when the motion gets there.
  double next_kink(const AnyState&, int direction) const override {
    return direction * std::numeric_limits<double>::infinity();
  }
  bool odd() const override { return inside_.model.odd(); }
  /// Its loops differ while the load does.
  bool repeats() const override { return !varies_ && inside_.model.repeats(); }

  void run(const Path& path, Drive drive, const Record& record, Checkpoint& at,
           History& out) const override {
    if (drive == Drive::force) throw Error(description_.name + " cannot be driven by force");
    SavedColumns columns(*this, [](std::string_view name) {
      return SavedColumns::displacement_or_force(name) || name == "t";
    });
    LoadedState::open(at.state).t = at.t;
    run_rows({*this, columns}, path, drive, record, at, out);
    if (out.status == Status::undefined)
      out.reason = "N is negative or not a number before t = " + number_text(path.t[out.f.size()]);
  }

 private:
  const Wrapper* wrapper_;
  Inside inside_;
  Description description_;
  friction::FactorHistory load_;
  bool varies_;
};

AnyModel make_loaded(const ParameterValues& own, Inside inside) {
  static const Wrapper wrapper = loaded_wrapper();
  ParameterValues all;
  for (const auto& [name, value] : inside.model.parameters()) all[inside.prefix + name] = value;
  ParameterValues numbers = own;
  const auto given = own.find("N");
  const Value N = given == own.end() ? Value(1.0) : given->second;
  numbers.erase("N");
  double reference = 1;
  for (const auto& [name, value] : numbers) {
    if (name != "N_ref")
      throw Error("unknown parameter '" + name + "' for loaded" + suggestion(name, {"N", "N_ref"}));
    const auto* x = std::get_if<double>(&value);
    if (!x) throw Error("loaded.N_ref must be one number");
    reference = *x;
  }
  check_value("loaded", "N_ref", reference, positive);
  if (const auto* x = std::get_if<double>(&N)) check_value("loaded", "N", *x, non_negative);
  all["N"] = N;
  all["N_ref"] = reference;
  OptionValues options;
  for (const auto& [name, value] : inside.model.options()) options[inside.prefix + name] = value;
  return AnyModel(std::make_shared<Loaded>(wrapper, N, reference, std::move(inside)),
                  std::move(all), std::move(options));
}

}  // namespace

Wrapper loaded_wrapper() {
  constexpr Claim constant = depends("N is constant and it holds for the law inside");
  constexpr Claim as_inside = depends("it holds for the law inside");
  Description d{
      .name = "loaded",
      .sentence = "A law whose friction limits follow a load.",
      .equation = "law with limits · N(t)/N_ref; above a falling limit it slips down to it",
      .citation =
          "friction in proportion to a normal force; the source is that of the "
          "law inside",
      .claims = {as_inside, constant, constant, constant, constant, as_inside, constant,
                 not_applicable},
      .driven = Driven::displacement,
      .family = Family::rate_dependent,
      .parameters = {},
      .options = {},
      .states = {}};
  d.parameters = {{"N",
                   "F",
                   Kind::expression,
                   any_number,
                   {"t"},
                   1.0,
                   "load as a formula of the time t, or rows [t, N]; not negative"},
                  {"N_ref",
                   "F",
                   Kind::scalar,
                   positive,
                   {},
                   1.0,
                   "load at which the limits are those of the law inside"}};
  d.states = {{"u", "L", "displacement"}, {"f", "F", "force"}, {"t", "T", "time"}};
  return {std::move(d), &make_loaded};
}

}  // namespace microslip::catalog
