#include "catalog/composition/sum.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "catalog/composition/sum_dual.hpp"
#include "catalog/erasure/rows.hpp"
#include "microslip/core/state_numbers.hpp"
#include "microslip/detail/kernels/sum_walk.hpp"

namespace microslip::catalog {
namespace {

/// In a saved state, after the label of a term.
constexpr const char* dissipated_name = "dissipated";

/// Values by the names of the sum, handed to one of its terms under their own names.
template <class Values>
Values part_of(const Values& values, const std::string& label) {
  Values part;
  const std::string prefix = label + ".";
  for (const auto& [name, value] : values)
    if (name.starts_with(prefix)) part.emplace(name.substr(prefix.size()), value);
  return part;
}

/// The force of a term that is not rigid, at the place and velocity of a sliding sum. A law that
/// depends on the rate goes there at constant velocity, and then moves at that of the sum.
SlipForce<double> smooth_slip(const AnyModel& term, const AnyState& from, const Sliding& at,
                              AnyState& scratch) {
  if (!term.rate_dependent()) {
    const Response<double> reply = term.step(from, at.u, 0, scratch);
    return {reply.force, reply.tangent, 0};
  }
  if (!(at.after > 0)) {
    const ForceInMotion<double> here = term.force(from, at.v);
    return {here.force, 0, here.by_v};
  }
  const auto there = [&](double u) {
    term.step(from, u, at.after, scratch);
    return term.force(scratch, at.v);
  };
  const double du = 1e-6 * at.length;
  const double by_u = du > 0 ? (there(at.u + du).force - there(at.u - du).force) / (2 * du) : 0;
  const ForceInMotion<double> now = there(at.u);
  return {now.force, by_u, now.by_v};
}

class Sum final : public AnyModel::Interface {
 public:
  Sum(std::vector<Term> terms, Description description)
      : terms_(std::move(terms)), description_(std::move(description)) {}

  const Description& description() const override { return description_; }

  AnyModel make(const ParameterValues& parameters, const OptionValues& options) const override {
    std::vector<Term> terms;
    for (const Term& term : terms_)
      terms.push_back({term.label, term.model.remade(part_of(parameters, term.label),
                                                     part_of(options, term.label))});
    return make_sum(std::move(terms));
  }
  AnyDualModel make_dual(const ParameterValues& parameters, const OptionValues& /*options*/,
                         const DualValues& derivatives) const override {
    std::vector<AnyDualModel> terms;
    for (const Term& term : terms_)
      terms.push_back(
          term.model.with(part_of(parameters, term.label)).dual(part_of(derivatives, term.label)));
    return AnyDualModel(std::make_shared<DualSum>(std::move(terms)));
  }

  AnyState rest() const override {
    auto hidden = std::make_unique<Hidden>();
    for (const Term& term : terms_) hidden->states.push_back(term.model.rest());
    hidden->dissipated.assign(terms_.size(), 0.0);
    return AnyState(std::move(hidden));
  }

  StateRecord save(const AnyState& state) const override {
    StateRecord record;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      for (auto& [name, numbers] : terms_[i].model.save(states(state)[i]))
        record[terms_[i].label + "." + name] = numbers;
      record[terms_[i].label + "." + dissipated_name] = {dissipated(state)[i]};
    }
    return record;
  }

  AnyState load(const StateRecord& record) const override {
    auto hidden = std::make_unique<Hidden>();
    for (const Term& term : terms_) {
      StateRecord own;
      const std::string prefix = term.label + ".";
      for (const auto& [name, numbers] : record)
        if (name.starts_with(prefix)) own[name.substr(prefix.size())] = numbers;
      const auto lost = own.find(dissipated_name);
      if (lost == own.end() || lost->second.size() != 1)
        throw Error("state '" + prefix + dissipated_name + "' of " + description_.name +
                    " must be one number");
      hidden->states.push_back(term.model.load(own));
      hidden->dissipated.push_back(lost->second.front());
    }
    return AnyState(std::move(hidden));
  }

  double stored(const AnyState& state) const override {
    double sum = 0;
    for (std::size_t i = 0; i < terms_.size(); ++i) sum += terms_[i].model.stored(states(state)[i]);
    return sum;
  }

  Response<double> step(const AnyState& from, double u, double dt, AnyState& to) const override {
    Response<double> sum{0, 0, 0};
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const auto reply = terms_[i].model.step(states(from)[i], u, dt, states(to)[i]);
      dissipated(to)[i] = dissipated(from)[i] + reply.dissipated;
      add(reply, sum);
    }
    return sum;
  }

  ForceInMotion<double> force(const AnyState& at, double v) const override {
    ForceInMotion<double> sum{0, 0};
    for (std::size_t i = 0; i < terms_.size(); ++i)
      add(terms_[i].model.force(states(at)[i], v), sum);
    return sum;
  }

  std::optional<std::complex<double>> dynamic_stiffness(double omega) const override {
    std::complex<double> sum = 0;
    for (const Term& term : terms_) {
      const auto part = term.model.dynamic_stiffness(omega);
      if (!part) return {};
      sum += *part;
    }
    return sum;
  }

  std::vector<AnyModel> terms() const override {
    std::vector<AnyModel> all;
    for (const Term& term : terms_) {
      const std::vector<AnyModel> inside = term.model.terms();
      if (inside.empty())
        all.push_back(term.model);
      else
        all.insert(all.end(), inside.begin(), inside.end());
    }
    return all;
  }

  /// If all of them have one.
  std::unique_ptr<Walk> walk() const override {
    std::vector<std::unique_ptr<Walk>> parts;
    for (const Term& term : terms_) {
      parts.push_back(term.model.walk());
      if (!parts.back()) return nullptr;
    }
    return std::make_unique<SumWalk>(std::move(parts));
  }

  bool odd() const override {
    return std::all_of(terms_.begin(), terms_.end(),
                       [](const Term& term) { return term.model.odd(); });
  }

  bool repeats() const override {
    return std::all_of(terms_.begin(), terms_.end(),
                       [](const Term& term) { return term.model.repeats(); });
  }

  Rigidity rigidity() const override {
    Rigidity sum;
    for (const Term& term : terms_) {
      const Rigidity one = term.model.rigidity();
      const bool in_time = !one.rigid && term.model.rate_dependent();
      sum.rigid = sum.rigid || one.rigid;
      sum.infinite_stiffness = sum.infinite_stiffness || one.infinite_stiffness;
      sum.rate_dependent = sum.rate_dependent || one.rate_dependent || in_time;
    }
    return sum.rigid ? sum : Rigidity{.infinite_stiffness = sum.infinite_stiffness};
  }

  SlipForce<double> slip(const AnyState& from, const Sliding& at,
                         AnyState& scratch) const override {
    SlipForce<double> sum{0, 0, 0};
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const AnyModel& term = terms_[i].model;
      const SlipForce<double> one =
          term.rigid() ? term.slip(states(from)[i], at, states(scratch)[i])
                       : smooth_slip(term, states(from)[i], at, states(scratch)[i]);
      sum.force += one.force;
      sum.by_u += one.by_u;
      sum.by_v += one.by_v;
    }
    return sum;
  }

  AnyResponse<double> step_loaded(const AnyState& from, const AnyVec<double>& u,
                                  const LimitFactors<double>& factors,
                                  AnyState& to) const override {
    const auto n = u.size();
    AnyResponse<double> sum{AnyVec<double>::Zero(n), AnyMat<double>::Zero(n, n), 0};
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const auto reply = terms_[i].model.step_loaded(states(from)[i], u, factors, states(to)[i]);
      dissipated(to)[i] = dissipated(from)[i] + reply.dissipated;
      add(reply, sum);
    }
    return sum;
  }

  AnyResponse<double> step_vector(const AnyState& from, const AnyVec<double>& u,
                                  AnyState& to) const override {
    const auto n = u.size();
    AnyResponse<double> sum{AnyVec<double>::Zero(n), AnyMat<double>::Zero(n, n), 0};
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const auto reply = terms_[i].model.step(states(from)[i], u, states(to)[i]);
      dissipated(to)[i] = dissipated(from)[i] + reply.dissipated;
      add(reply, sum);
    }
    return sum;
  }

  double next_kink(const AnyState& state, int direction) const override {
    double next = direction * std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const double kink = terms_[i].model.next_kink(states(state)[i], direction);
      if (direction * kink < direction * next) next = kink;
    }
    return next;
  }

  double smooth_part(const AnyState& state, const AnyVec<double>& along) const override {
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < terms_.size(); ++i)
      next = std::min(next, terms_[i].model.next_kink(states(state)[i], along));
    return next;
  }

  std::optional<HarmonicForce> first_harmonic(double amplitude, double omega) const override {
    HarmonicForce sum{0, 0, 0};
    for (const Term& term : terms_) {
      const auto part = term.model.first_harmonic(amplitude, omega);
      if (!part) return {};
      sum.b1 += part->b1;
      sum.a1 += part->a1;
      sum.tip += part->tip;
    }
    return sum;
  }

  void run(const Path& path, Drive drive, const Record& record, Checkpoint& at,
           History& out) const override {
    if (!description_.directions.empty()) return run_several(path, drive, record, at, out);
    out = drive == Drive::force ? run_by_force(path, record, at)
                                : run_by_displacement(path, record, at);
  }

 private:
  struct Hidden final : StatesOfTerms<double> {
    /// What each term has lost so far. The sum of these numbers has the same rounding wherever a
    /// history is cut into pieces; one running total would not.
    std::vector<double> dissipated;
    std::unique_ptr<AnyState::Interface> clone() const override {
      return std::make_unique<Hidden>(*this);
    }
    void assign(const AnyState::Interface& other) override {
      StatesOfTerms::assign(other);
      dissipated = static_cast<const Hidden&>(other).dissipated;
    }
  };
  static const std::vector<AnyState>& states(const AnyState& s) {
    return static_cast<const Hidden&>(s.get()).states;
  }
  static const std::vector<double>& dissipated(const AnyState& s) {
    return static_cast<const Hidden&>(s.get()).dissipated;
  }
  static std::vector<double>& dissipated(AnyState& s) {
    return static_cast<Hidden&>(s.get()).dissipated;
  }
  static std::vector<AnyState>& states(AnyState& s) { return static_cast<Hidden&>(s.get()).states; }

  static void add_column(const std::vector<double>& part, std::vector<double>& sum) {
    if (sum.empty()) sum.assign(part.size(), 0.0);
    for (std::size_t i = 0; i < part.size(); ++i) sum[i] += part[i];
  }

  /// Several directions: row by row.
  void run_several(const Path& path, Drive drive, const Record& record, Checkpoint& at,
                   History& out) const {
    const auto sum_of = [](const AnyState& state) {
      double sum = 0;
      for (const double lost : dissipated(state)) sum += lost;
      return sum;
    };
    // Zero, unless the caller counts energy from elsewhere.
    const double elsewhere = at.energy - sum_of(at.state);
    SavedColumns columns(*this, [](std::string_view name) {
      const auto own = name.substr(name.rfind('.') + 1);
      return SavedColumns::displacement_or_force(own) || own == dissipated_name;
    });
    const auto energy = [&](const Checkpoint& now, double) {
      return elsewhere + sum_of(now.state);
    };
    run_rows({*this, columns, energy}, path, drive, record, at, out);
  }

  /// Each term runs over the whole path by itself.
  History run_by_displacement(const Path& path, const Record& record, Checkpoint& at) const {
    const Checkpoint start = at;
    History sum;
    std::size_t good = path.u.size();
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      Checkpoint own{
          states(start.state)[i], dissipated(start.state)[i], start.origin, start.origin_y, start.t,
          start.origin_n};
      const History part = terms_[i].model.run(path, Drive::displacement, record, own);
      if (part.f.size() < good) {
        good = part.f.size();
        sum.status = part.status;
      }
      if (good < path.u.size()) continue;
      accumulate(part, terms_[i].label, sum);
      states(at.state)[i] = std::move(own.state);
      dissipated(at.state)[i] = own.energy;
      at.t = own.t;
    }
    if (good < path.u.size()) {  // all terms stop before the row that one of them cannot do
      const Status status = sum.status;
      at = start;
      sum = run_by_displacement(shortened(path, good), record, at);
      sum.status = status;
      return sum;
    }
    // Zero, unless the caller counts energy from elsewhere.
    double before = 0;
    for (const double lost : dissipated(start.state)) before += lost;
    for (double& energy : sum.energy) energy += start.energy - before;
    if (!sum.energy.empty()) at.energy = sum.energy.back();
    return sum;
  }

  static void accumulate(const History& part, const std::string& label, History& sum) {
    sum.u = part.u;
    sum.uy = part.uy;
    sum.un = part.un;
    add_column(part.f, sum.f);
    add_column(part.fy, sum.fy);
    add_column(part.fn, sum.fn);
    add_column(part.energy, sum.energy);
    add_column(part.tangent, sum.tangent);
    add_column(part.stored, sum.stored);
    for (const auto& column : part.states)
      sum.states.push_back({label + "." + column.name, column.values});
  }

  static Path shortened(const Path& path, std::size_t rows) {
    Path result = path;
    for (auto* column : {&result.t, &result.u, &result.uy, &result.un})
      column->resize(std::min(rows, column->size()));
    return result;
  }

  /// First the displacements at which the terms together carry the force, row by row.
  History run_by_force(const Path& path, const Record& record, Checkpoint& at) const {
    Checkpoint ahead = at;
    History found;
    SavedColumns none(*this);
    begin_rows(description_, path, {}, found);
    const std::size_t good = follow_rows({*this, none}, path, Drive::force, {}, ahead, found);
    Path moved = shortened(path, good);
    std::copy_n(found.u.begin(), good, moved.u.begin());
    History result = run_by_displacement(moved, record, at);
    if (found.status != Status::ok) result.status = found.status;
    return result;
  }

  std::vector<Term> terms_;
  Description description_;
};

}  // namespace

AnyModel make_sum(std::vector<Term> terms) {
  std::vector<std::string> labels;
  std::vector<Description> descriptions;
  for (const Term& term : terms) {
    labels.push_back(term.label);
    descriptions.push_back(term.model.description());
  }
  const auto count = static_cast<double>(describe_sum(labels, descriptions).directions.size());
  for (Term& term : terms)
    if (term.model.description().on_direction > 0) term.model = term.model.with({{"of", count}});
  labels.clear();
  descriptions.clear();
  ParameterValues parameters;
  OptionValues options;
  for (const Term& term : terms) {
    labels.push_back(term.label);
    descriptions.push_back(term.model.description());
    for (const auto& [name, value] : term.model.parameters())
      parameters[term.label + "." + name] = value;
    for (const auto& [name, value] : term.model.options()) options[term.label + "." + name] = value;
  }
  return AnyModel(std::make_shared<Sum>(std::move(terms), describe_sum(labels, descriptions)),
                  std::move(parameters), std::move(options));
}

}  // namespace microslip::catalog
