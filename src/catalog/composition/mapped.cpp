#include "catalog/composition/mapped.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "catalog/erasure/rows.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/catalog/erasure/erased.hpp"

namespace microslip::catalog {
namespace {

/// A and c of the mapping.
template <class Real>
struct Map {
  Mapping mapping;
  std::vector<Real> own;

  /// Of the direction that `axis` picks, from 0.
  Eigen::Index picked() const { return static_cast<Eigen::Index>(value_of(own[0])) - 1; }
  Real gain() const { return own[0]; }
  Real factor() const { return mapping == Mapping::scaled ? Real(own[2] / own[0]) : Real(1); }

  /// The displacement of the law inside; of a scalar law one number.
  AnyVec<Real> inwards(const AnyVec<Real>& u) const {
    using std::cos, std::sin;
    if (mapping == Mapping::axis) return AnyVec<Real>::Constant(1, u[picked()]);
    AnyVec<Real> v = u;
    if (mapping == Mapping::scaled) {
      for (Eigen::Index i = 0; i < u.size(); ++i) v[i] = gain() * u[i];
    } else {
      const Real c = cos(own[0]), s = sin(own[0]);
      v[0] = c * u[0] + s * u[1];
      v[1] = c * u[1] - s * u[0];
    }
    return v;
  }
  /// A for `size` directions outside.
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, 0, most_directions, most_directions> matrix(
      Eigen::Index size) const {
    AnyMat<Real> A;
    for (Eigen::Index j = 0; j < size; ++j) {
      AnyVec<Real> unit = AnyVec<Real>::Constant(size, Real(0));
      unit[j] = Real(1);
      const AnyVec<Real> column = inwards(unit);
      if (j == 0) A.resize(column.size(), size);
      A.col(j) = column;
    }
    return A;
  }
  AnyResponse<Real> outwards(const AnyResponse<Real>& inside, Eigen::Index size) const {
    const auto A = matrix(size);
    const Real c = factor();
    AnyResponse<Real> reply{AnyVec<Real>::Constant(size, Real(0)),
                            AnyMat<Real>::Constant(size, size, Real(0)), c * inside.dissipated,
                            inside.status};
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index k = 0; k < A.rows(); ++k) {
        reply.force[i] += c * A(k, i) * inside.force[k];
        for (Eigen::Index j = 0; j < size; ++j)
          for (Eigen::Index l = 0; l < A.rows(); ++l)
            reply.tangent(i, j) += c * A(k, i) * inside.tangent(k, l) * A(l, j);
      }
    return reply;
  }
};

/// A step of the law inside, whose displacement may be one number.
template <class Model, class Real>
AnyResponse<Real> step_inside(const Model& law, bool scalar, const AnyState& from,
                              const AnyVec<Real>& v, AnyState& to) {
  if (!scalar) return law.step(from, v, to);
  const Response<Real> one = law.step(from, v[0], 0, to);
  return {AnyVec<Real>::Constant(1, one.force), AnyMat<Real>::Constant(1, 1, one.tangent),
          one.dissipated, one.status};
}

template <class Real>
struct MappedState final : AnyState::Interface, StateNumbers<Real> {
  AnyState law;
  AnyVec<Real> u, f;

  Memory find_numbers(Numbers which, std::vector<Real*>& numbers) override {
    std::vector<Real*> own;
    for (Eigen::Index i = 0; i < u.size(); ++i) own.push_back(&u[i]);
    for (Eigen::Index i = 0; i < f.size(); ++i) own.push_back(&f[i]);
    return numbers_around(law, own, which, numbers);
  }
  void find_switches(std::vector<int*>& switches) override {
    switches.clear();
    if (auto* numbered = dynamic_cast<StateNumbers<Real>*>(&law.get()))
      numbered->find_switches(switches);
  }
  void find_parities(std::vector<Parity>& parities) override {
    parities_around<Real>(law, static_cast<std::size_t>(u.size() + f.size()), parities);
  }
  std::unique_ptr<AnyState::Interface> clone() const override {
    return std::make_unique<MappedState>(*this);
  }
  void assign(const AnyState::Interface& other) override {
    const auto& from = static_cast<const MappedState&>(other);
    law.get().assign(from.law.get());
    u = from.u;
    f = from.f;
  }
  static const MappedState& open(const AnyState& s) {
    return static_cast<const MappedState&>(s.get());
  }
  static MappedState& open(AnyState& s) { return static_cast<MappedState&>(s.get()); }
};

template <class Real, class Model>
AnyState mapped_rest(const Model& law, std::size_t directions) {
  auto hidden = std::make_unique<MappedState<Real>>();
  hidden->law = law.rest();
  hidden->u = hidden->f = AnyVec<Real>::Constant(static_cast<Eigen::Index>(directions), Real(0));
  return AnyState(std::move(hidden));
}

template <class Real, class Model>
AnyResponse<Real> step_mapped(const Model& law, const Map<Real>& map, bool scalar,
                              const AnyState& from, const AnyVec<Real>& u, AnyState& to) {
  const auto& start = MappedState<Real>::open(from);
  auto& end = MappedState<Real>::open(to);
  const AnyVec<Real> target = u;
  const AnyResponse<Real> inside =
      step_inside(law, scalar, start.law, map.inwards(target), end.law);
  AnyResponse<Real> reply = map.outwards(inside, target.size());
  end.u = target;
  end.f = reply.force;
  return reply;
}

class MappedDual final : public AnyDualModel::Interface {
 public:
  MappedDual(AnyDualModel law, Map<WideDual> map, bool scalar, std::size_t directions)
      : law_(std::move(law)), map_(std::move(map)), scalar_(scalar), directions_(directions) {}

  AnyState rest() const override { return mapped_rest<WideDual>(law_, directions_); }
  WideDual stored(const AnyState& s) const override {
    return map_.factor() * law_.stored(MappedState<WideDual>::open(s).law);
  }
  AnyResponse<WideDual> step_vector(const AnyState& from, const AnyVec<WideDual>& u,
                                    AnyState& to) const override {
    return step_mapped(law_, map_, scalar_, from, u, to);
  }
  Response<WideDual> step(const AnyState&, const WideDual&, double, AnyState&) const override {
    throw Error("this law has several directions");
  }
  WideDual next_kink(const AnyState&, int) const override {
    throw Error("this law has several directions");
  }
  Status run(std::span<const double>, std::span<const WideDual>, AnyState&, std::span<WideDual>,
             std::span<WideDual>) const override {
    throw Error("this law has several directions");
  }

 private:
  AnyDualModel law_;
  Map<WideDual> map_;
  bool scalar_;
  std::size_t directions_;
};

class Mapped final : public AnyModel::Interface {
 public:
  Mapped(const Wrapper& wrapper, Mapping mapping, const std::vector<double>& own, Inside inside)
      : wrapper_(&wrapper),
        inside_(std::move(inside)),
        description_(describe_wrapped(wrapper, inside_.prefix, inside_.model.description())),
        map_{mapping, own},
        scalar_(inside_.model.directions().empty()) {
    if (mapping == Mapping::axis)
      set_direction(static_cast<int>(own[0]), static_cast<int>(own[1]), description_);
    if (mapping == Mapping::scaled) description_.claims = inside_.model.description().claims;
  }

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
  AnyDualModel make_dual(const ParameterValues& parameters, const OptionValues&,
                         const DualValues& derivatives) const override {
    const AnyModel inner = inside_.model.with(inner_part(*wrapper_, inside_.prefix, parameters));
    return AnyDualModel(std::make_shared<MappedDual>(
        inner.dual(inner_part(*wrapper_, inside_.prefix, derivatives)),
        Map<WideDual>{map_.mapping, own_duals(*wrapper_, parameters, derivatives)}, scalar_,
        description_.directions.size()));
  }

  AnyState rest() const override {
    return mapped_rest<double>(inside_.model, description_.directions.size());
  }
  StateRecord save(const AnyState& state) const override {
    const auto& own = MappedState<double>::open(state);
    StateRecord record;
    for (auto& [name, numbers] : inside_.model.save(own.law))
      record[inside_.prefix + name] = numbers;
    record["u"].assign(own.u.begin(), own.u.end());
    record["f"].assign(own.f.begin(), own.f.end());
    return record;
  }
  AnyState load(const StateRecord& record) const override {
    StateRecord inner;
    for (const auto& [name, numbers] : record)
      if (name.starts_with(inside_.prefix)) inner[name.substr(inside_.prefix.size())] = numbers;
    AnyState state = rest();
    auto& own = MappedState<double>::open(state);
    own.law = inside_.model.load(inner);
    for (const auto& [name, into] : {std::pair{"u", &own.u}, std::pair{"f", &own.f}}) {
      const auto found = record.find(name);
      if (found == record.end() || found->second.size() != description_.directions.size())
        refuse_numbers(description_.name, name);
      std::copy(found->second.begin(), found->second.end(), into->begin());
    }
    return state;
  }
  double stored(const AnyState& state) const override {
    return map_.factor() * inside_.model.stored(MappedState<double>::open(state).law);
  }
  Response<double> step(const AnyState&, double, double, AnyState&) const override {
    throw Error(description_.name + " has several directions: it needs several displacements");
  }
  double next_kink(const AnyState&, int) const override {
    throw Error(description_.name + " has several directions: its kinks lie along a motion");
  }
  AnyResponse<double> step_vector(const AnyState& from, const AnyVec<double>& u,
                                  AnyState& to) const override {
    return step_mapped(inside_.model, map_, scalar_, from, u, to);
  }
  double smooth_part(const AnyState& from, const AnyVec<double>& along) const override {
    const auto& own = MappedState<double>::open(from);
    if (!scalar_) return inside_.model.next_kink(own.law, map_.inwards(along));
    const double way = along[map_.picked()], here = own.u[map_.picked()];
    if (way == 0) return std::numeric_limits<double>::infinity();
    return (inside_.model.next_kink(own.law, way > 0 ? 1 : -1) - here) / way;
  }
  bool odd() const override { return inside_.model.odd(); }
  bool repeats() const override { return inside_.model.repeats(); }
  Rigidity rigidity() const override { return inside_.model.rigidity(); }

  void run(const Path& path, Drive drive, const Record& record, Checkpoint& at,
           History& out) const override {
    SavedColumns columns(*this);
    run_rows({*this, columns}, path, drive, record, at, out);
  }

 private:
  const Wrapper* wrapper_;
  Inside inside_;
  Description description_;
  Map<double> map_;
  bool scalar_;
};

}  // namespace

AnyModel make_mapped(const Wrapper& wrapper, Mapping mapping, const std::vector<double>& own,
                     Inside inside) {
  ParameterValues all;
  for (const auto& [name, value] : inside.model.parameters()) all[inside.prefix + name] = value;
  for (std::size_t i = 0; i < own.size(); ++i) all[wrapper.description.parameters[i].name] = own[i];
  OptionValues options;
  for (const auto& [name, value] : inside.model.options()) options[inside.prefix + name] = value;
  return AnyModel(std::make_shared<Mapped>(wrapper, mapping, own, std::move(inside)),
                  std::move(all), std::move(options));
}

}  // namespace microslip::catalog
