#include "laws/check_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "laws/checks_claims.hpp"
#include "laws/checks_contract.hpp"
#include "laws/checks_declared.hpp"
#include "laws/checks_derivatives.hpp"
#include "laws/checks_erased.hpp"
#include "laws/checks_mechanics.hpp"

namespace microslip::laws {
namespace {

class LawTest : public ::testing::Test {
 public:
  explicit LawTest(std::function<Fault()> check) : check_(std::move(check)) {}
  void TestBody() override {
    const Fault fault = check_();
    if (!fault.empty()) ADD_FAILURE() << fault;
  }

 private:
  std::function<Fault()> check_;
};

template <class P>
class Registrar {
 public:
  explicit Registrar(const Subject& subject)
      : subject_(std::make_shared<const Subject>(subject)),
        description_(subject_->law.description) {}

  void contract() const {
    add("tables", [s = subject_] { return tables(*s); });
    random("purity", 200, &purity<P>);
    if (!description_.options.empty()) random("purity_of_options", 10, &purity_of_options<P>);
    random("zero_step", 200, &zero_step<P>);
    random("no_allocation", 10, &no_allocation<P>);
  }

  void mechanics() const {
    random("substeps", 1000, &substeps<P>);
    random("energy_balance", 100, &energy_balance<P>);
    random("huge_steps", 200, &huge_steps<P>);
    random("tiny_steps", 200, &tiny_steps<P>);
    random("exact_returns", 100, &exact_returns<P>);
    random("tangents", 300, &tangents<P>);
    random("sensitivities", 100, &sensitivities<P>);
    if (subject_->tells_kinks()) random("kinks", 60, &kinks<P>);
    random("parities", 60, &parities<P>);
    if constexpr (!planar<P>) {
      random("force_in_motion", 60, &force_in_motion);
      random("dual_runs", 60, &dual_runs);
      random("rigidity", 60, &rigidity);
      if (!subject_->timed()) random("virgin_tangent", 100, &virgin_tangent);
    }
  }

  void claims() const {
    const Claims& claims = description_.claims;
    const double precision = subject_->samples.precision;
    claim("odd", claims.odd, 1e-12, &odd_violation<P>);
    claim("dissipative", claims.dissipative, 1e-12,
          subject_->samples.loses_by_cycle ? &creation_violation<P> : &dissipation_violation<P>,
          &creation_violation<P>);
    claim("bounded", claims.bounded, 0.1, &bound_violation<P>);
    if constexpr (planar<P>) {
      claim("planar_isotropic", claims.planar_isotropic, precision, &isotropy_violation<P>);
    } else {
      if (subject_->timed())
        claim("rate_independent", claims.rate_independent, precision, &rate_violation);
      claim("masing", claims.masing, precision, &masing_violation);
      claim("return_point_memory", claims.return_point_memory, precision, &memory_violation);
      claim("minor_loops_close", claims.minor_loops_close, precision, &closing_violation);
    }
  }

  void histories() const {
    random("any_model", 100, &any_model<P>);
    random("saved_states", 100, &saved_states<P>);
    if constexpr (!planar<P>) {
      random("force_drive", 200, &force_drive);
      if (description_.claims.bounded.verdict == Verdict::holds)
        random("unreachable_force", 20, &unreachable_force);
    }
  }

 private:
  void add(const char* name, const std::function<Fault()>& check) const {
    std::string suite = subject_->name();
    std::replace(suite.begin(), suite.end(), '-', '_');  // '-' excludes tests in a filter
    ::testing::RegisterTest(suite.c_str(), name, nullptr, nullptr, __FILE__, __LINE__,
                            [check]() -> ::testing::Test* { return new LawTest(check); });
  }

  void random(const char* name, std::size_t count, const Check<P>& check) const {
    const std::size_t cases = 1 + (count - 1) / subject_->samples.effort;
    add(name, [s = subject_, name, cases, check] {
      return on_random_cases<P>(*s, name, cases_instead_of(cases), check);
    });
  }

  void claim(const char* name, const Claim& claim, double tolerance, const Violation<P>& violation,
             const Violation<P>& broken) const {
    add(name, [s = subject_, name, claim, tolerance, violation, broken] {
      return check_claim<P>(*s, name, claim, tolerance, violation, broken);
    });
  }
  void claim(const char* name, const Claim& claim, double tolerance,
             const Violation<P>& violation) const {
    this->claim(name, claim, tolerance, violation, violation);
  }

  std::shared_ptr<const Subject> subject_;
  const Description& description_;
};

template <class P>
void register_all(const Subject& subject) {
  const Registrar<P> registrar(subject);
  registrar.contract();
  registrar.mechanics();
  registrar.claims();
  registrar.histories();
}

}  // namespace

void check_law(const Subject& subject) {
  switch (subject.law.description.direction_count()) {
    case 2:
      return register_all<Vec2<double>>(subject);
    case 3:
      return register_all<Vec<double, 3>>(subject);
    default:
      return register_all<double>(subject);
  }
}

}  // namespace microslip::laws
