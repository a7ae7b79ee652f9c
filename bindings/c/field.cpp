/// Many joints of one law at once (microslip/field/joint_field.hpp) behind microslip.h.

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "handles.hpp"
#include "microslip/detail/catalog/erasure/law_values.hpp"
#include "microslip/field/bounded_memory.hpp"
#include "microslip/field/joint_field.hpp"
#include "microslip/models/bouc_wen.hpp"
#include "microslip/models/coulomb.hpp"
#include "microslip/models/dahl.hpp"
#include "microslip/models/iwan4.hpp"
#include "microslip/models/jenkins.hpp"
#include "microslip/models/lugre.hpp"
#include "microslip/models/ramberg_osgood.hpp"
#include "microslip/models/two_state.hpp"

namespace {

using namespace microslip;

struct Outputs {
  double *force, *tangent, *dissipated;
};

struct AnyField {
  virtual ~AnyField() = default;
  virtual std::size_t size() const = 0;
  virtual bool timed() const = 0;
  virtual Status trial(const double* u, double dt, const Outputs& out) = 0;
  virtual void commit() = 0;
  virtual Status run(std::span<const double> u, std::size_t rows, std::span<const double> scale,
                     double dt, const Outputs& sums) = 0;
  virtual std::size_t forgotten() const = 0;
};

/// Parameters by name with a value for each joint.
struct Lists {
  std::span<const char* const> names;
  std::span<const double* const> values;
};

std::span<double> given(double* x, std::size_t n) {
  return x ? std::span<double>(x, n) : std::span<double>();
}

/// `Whole` is the law of the catalogue, `Law` what runs.
template <class Whole, class Law>
class FieldOf final : public AnyField {
 public:
  FieldOf(const AnyModel& model, std::size_t n, const Lists& lists)
      : field_(lists.names.empty() ? JointField<Law>(built(model, lists, 0), n)
                                   : JointField<Law>(every(model, lists, n))) {}

  std::size_t size() const override { return field_.size(); }
  bool timed() const override { return RateDependentLaw<Whole>; }
  Status trial(const double* u, double dt, const Outputs& out) override {
    const std::size_t n = size();
    return field_.trial({u, n},
                        {given(out.force, n), given(out.tangent, n), given(out.dissipated, n)}, dt);
  }
  void commit() override { field_.commit(); }
  Status run(std::span<const double> u, std::size_t rows, std::span<const double> scale, double dt,
             const Outputs& sums) override {
    const std::size_t n = size();
    return field_.run(u, rows,
                      {given(sums.force, n), given(sums.tangent, n), given(sums.dissipated, n)},
                      scale, dt);
  }
  std::size_t forgotten() const override {
    std::size_t sum = 0;
    if constexpr (requires { field_.committed(0).reversals.forgotten(); })
      for (std::size_t i = 0; i < size(); ++i)
        sum += static_cast<std::size_t>(field_.committed(i).reversals.forgotten());
    return sum;
  }

 private:
  static Law built(const AnyModel& model, const Lists& lists, std::size_t i) {
    auto params = catalog::params_from<Whole>(model.parameters());
    for (std::size_t k = 0; k < lists.names.size(); ++k) {
      bool known = false;
      for_each_field(Whole::Params::fields, [&](const auto& row) {
        if (row.name != lists.names[k]) return;
        params.*(row.member) = lists.values[k][i];
        known = true;
      });
      if (!known)
        throw Error(std::string(Whole::info.name) + " has no parameter " + lists.names[k]);
    }
    const auto options = catalog::options_from<Whole>(model.options());
    if constexpr (std::is_constructible_v<Law, const Whole&>)
      return Law(Whole(params, options));
    else
      return Law(params);
  }
  static std::vector<Law> every(const AnyModel& model, const Lists& lists, std::size_t n) {
    std::vector<Law> laws;
    laws.reserve(n);
    for (std::size_t i = 0; i < n; ++i) laws.push_back(built(model, lists, i));
    return laws;
  }

  JointField<Law> field_;
};

using Make = std::unique_ptr<AnyField> (*)(const AnyModel&, std::size_t, const Lists&);
template <class Whole, class Law = Whole>
std::unique_ptr<AnyField> make(const AnyModel& model, std::size_t n, const Lists& lists) {
  return std::make_unique<FieldOf<Whole, Law>>(model, n, lists);
}

struct Row {
  std::string_view name;
  Make make;
  bool bounded = false;  ///< eight reversals
};
constexpr std::array rows{
    Row{"jenkins", make<Jenkins<double>>},
    Row{"coulomb", make<Coulomb<double>>},
    Row{"bouc-wen", make<BoucWen<double>>},
    Row{"dahl", make<Dahl<double>>},
    Row{"lugre", make<LuGre<double>>},
    Row{"two-state", make<TwoState<double>, TwoState<double>::Exact>},
    Row{"iwan4", make<Iwan4<double>, BoundedMemory<Iwan4<double>>>, true},
    Row{"ramberg-osgood", make<RambergOsgood<double>, BoundedMemory<RambergOsgood<double>>>, true},
};

const Row& row_of(const std::string& name) {
  std::string known;
  for (const Row& row : rows) {
    if (row.name == name) return row;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  throw Error("there is no field of " + name + "; the laws with fields are " + known);
}

/// The methods of papers beside the exact one have none.
void check_method(const AnyModel& model) {
  const auto found = model.options().find("method");
  if (found == model.options().end()) return;
  const auto* name = std::get_if<std::string>(&found->second);
  if (name && *name != "exact") throw Error("a field knows the method exact only, not " + *name);
}

void stop_unless_ok(Status status) {
  if (status != Status::ok)
    throw microslip::c::Stopped{static_cast<int>(status), 0, std::string(explain(status))};
}

}  // namespace

struct microslip_field {
  std::unique_ptr<AnyField> field;
};

extern "C" {

int microslip_field_create(const microslip_model* model, size_t joints, const char* const* names,
                           const double* const* values, size_t count, microslip_field** out,
                           microslip_error* error) {
  return microslip::c::guarded(error, [&] {
    if (joints == 0) throw Error("a field needs a joint");
    const Row& row = row_of(model->name());
    check_method(model->law);
    auto made = std::make_unique<microslip_field>();
    made->field = row.make(model->law, joints, {{names, count}, {values, count}});
    *out = made.release();
  });
}

void microslip_field_destroy(microslip_field* field) { delete field; }

int microslip_field_trial(microslip_field* field, const double* u, double dt, double* force,
                          double* tangent, double* dissipated, microslip_error* error) {
  return microslip::c::guarded(error, [&] {
    if (field->field->timed() && !(dt > 0)) throw Error("this law needs dt above 0");
    stop_unless_ok(field->field->trial(u, dt, {force, tangent, dissipated}));
  });
}

int microslip_field_commit(microslip_field* field, microslip_error* error) {
  return microslip::c::guarded(error, [&] { field->field->commit(); });
}

int microslip_field_run(microslip_field* field, const double* u, size_t rows, int each,
                        const double* scale, double dt, double* energy, double* largest_force,
                        double* loops, microslip_error* error) {
  return microslip::c::guarded(error, [&] {
    if (field->field->timed() && !(dt > 0)) throw Error("this law needs dt above 0");
    const std::size_t n = field->field->size();
    stop_unless_ok(
        field->field->run({u, each ? rows * n : rows}, rows,
                          scale ? std::span<const double>(scale, n) : std::span<const double>(), dt,
                          {energy, largest_force, loops}));
  });
}

int microslip_field_forgotten(const microslip_field* field, size_t* count, microslip_error* error) {
  return microslip::c::guarded(error, [&] { *count = field->field->forgotten(); });
}

}  // extern "C"
