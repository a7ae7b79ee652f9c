#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "laws/checks_claims.hpp"
#include "laws/checks_contract.hpp"
#include "laws/checks_derivatives.hpp"
#include "laws/checks_erased.hpp"
#include "laws/checks_mechanics.hpp"

/// Every law of src/catalog/laws.txt gets these tests, named <law>.<check>; a law adds nothing but
/// its line there, and tests/laws/samples/<header>.hpp where a claim depends on the parameters.
namespace microslip::laws {

class LawTest : public ::testing::Test {};

/// Adds one test. `check` answers a Fault.
template <class L, class Check>
void add_test(const char* name, Check check) {
  class OneCheck : public LawTest {
   public:
    explicit OneCheck(Check c) : check_(std::move(c)) {}
    void TestBody() override {
      const Fault fault = check_();
      if (!fault.empty()) ADD_FAILURE() << fault;
    }

   private:
    Check check_;
  };
  std::string suite(ModelOf<L>::info.name);
  std::replace(suite.begin(), suite.end(), '-', '_');  // '-' excludes tests in a filter
  ::testing::RegisterTest(suite.c_str(), name, nullptr, nullptr, __FILE__, __LINE__,
                          [check]() -> LawTest* { return new OneCheck(check); });
}

template <class L, class Check>
void add_random(const char* name, std::size_t count, Check check) {
  const std::size_t cases = 1 + (count - 1) / effort<L>();
  add_test<L>(name, [=] { return on_random_cases<L>(name, cases, check); });
}

template <class L, class Violation, class Broken>
void add_claim(const char* name, const Claim& claim, double tolerance, Violation violation,
               Broken broken) {
  add_test<L>(name, [=] { return check_claim<L>(name, claim, tolerance, violation, broken); });
}
template <class L, class Violation>
void add_claim(const char* name, const Claim& claim, double tolerance, Violation violation) {
  add_claim<L>(name, claim, tolerance, violation, violation);
}

template <class L>
void add_contract() {
  add_test<L>("tables", &tables<L>);
  add_random<L>("purity", 200, &purity<L>);
  if (std::tuple_size_v < decltype(OptionsOf<L>::fields) >> 0)
    add_random<L>("purity_of_options", 10, &purity_of_options<L>);
  add_random<L>("zero_step", 200, &zero_step<L>);
  add_random<L>("no_allocation", 10, &no_allocation<L>);
}

template <class L>
void add_mechanics() {
  add_random<L>("substeps", 1000, &substeps<L>);
  add_random<L>("energy_balance", 100, &energy_balance<L>);
  add_random<L>("huge_steps", 200, &huge_steps<L>);
  add_random<L>("tiny_steps", 200, &tiny_steps<L>);
  add_random<L>("exact_returns", 100, &exact_returns<L>);
  add_random<L>("tangents", 300, &tangents<L>);
  add_random<L>("sensitivities", 100, &sensitivities<L>);
  if constexpr (kinks_are_told<L>()) add_random<L>("kinks", 60, &kinks<L>);
  if constexpr (RateIndependentLaw<ModelOf<L>>)
    add_random<L>("virgin_tangent", 100, &virgin_tangent<L>);
}

template <class L>
void add_claims() {
  constexpr Claims claims = ModelOf<L>::info.claims;
  add_claim<L>("odd", claims.odd, 1e-12, &odd_violation<L>);
  add_claim<L>("dissipative", claims.dissipative, 1e-12, &dissipation_violation<L>,
               &creation_violation<L>);
  add_claim<L>("bounded", claims.bounded, 0.1, &bound_violation<L>);
  if constexpr (RateDependentLaw<ModelOf<L>>)
    add_claim<L>("rate_independent", claims.rate_independent, precision<L>(), &rate_violation<L>);
  else
    static_assert(claims.rate_independent.verdict == Verdict::holds,
                  "a law whose step does not see time is rate-independent");
  if constexpr (PlanarLaw<ModelOf<L>>) {
    add_claim<L>("planar_isotropic", claims.planar_isotropic, precision<L>(),
                 &isotropy_violation<L>);
  } else {
    static_assert(claims.planar_isotropic.verdict == Verdict::not_applicable,
                  "only a law in the plane can be isotropic");
    add_claim<L>("masing", claims.masing, precision<L>(), &masing_violation<L>);
    add_claim<L>("return_point_memory", claims.return_point_memory, precision<L>(),
                 &memory_violation<L>);
    add_claim<L>("minor_loops_close", claims.minor_loops_close, precision<L>(),
                 &closing_violation<L>);
  }
}

template <class L>
void add_erased() {
  add_random<L>("any_model", 100, &any_model<L>);
  add_random<L>("saved_states", 100, &saved_states<L>);
  if constexpr (!PlanarLaw<ModelOf<L>>) {
    add_random<L>("force_drive", 200, &force_drive<L>);
    if (ModelOf<L>::info.claims.bounded.verdict == Verdict::holds)
      add_random<L>("unreachable_force", 20, &unreachable_force<L>);
  }
}

/// Registers all tests of a law; call it while static objects are made.
template <class L>
bool check_law() {
  static_assert(AnyLaw<ModelOf<L>> && AnyLaw<ModelOf<L, Dual<3>>>);
  add_contract<L>();
  add_mechanics<L>();
  add_claims<L>();
  add_erased<L>();
  return true;
}

}  // namespace microslip::laws
