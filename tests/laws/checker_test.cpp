// The law checker itself finds the defect that each of its checks is made for.
#include <gtest/gtest.h>

#include "laws/check_law.hpp"
#include "laws/toy_laws.hpp"

namespace microslip::laws {

namespace {

/// The sound twin passes, the broken one does not: so the check sees the defect and nothing else.
template <Break defect, class Run>
void expect_found(const Run& run) {
  EXPECT_EQ(run.template operator()<Broken<Break::nothing>>(), "");
  EXPECT_NE((run.template operator()<Broken<defect>>()), "");
}

#define MICROSLIP_FINDS(defect, check)                                                 \
  TEST(Checker, check##_finds_##defect) {                                              \
    expect_found<Break::defect>(                                                       \
        []<class L>() -> Fault { return on_random_cases<L>(#check, 60, &check<L>); }); \
  }

MICROSLIP_FINDS(remembers, purity)
MICROSLIP_FINDS(changes_from, purity)
MICROSLIP_FINDS(reads_to, purity)
MICROSLIP_FINDS(zero_step_moves, zero_step)
MICROSLIP_FINDS(allocates, no_allocation)
MICROSLIP_FINDS(cut_dependent, substeps)
MICROSLIP_FINDS(loses_too_much, energy_balance)
MICROSLIP_FINDS(no_kink, energy_balance)
MICROSLIP_FINDS(no_kink, kinks)
MICROSLIP_FINDS(kink_behind, kinks)
MICROSLIP_FINDS(wrong_tangent, tangents)
MICROSLIP_FINDS(no_dual_displacement, tangents)
MICROSLIP_FINDS(no_dual_parameter, sensitivities)
MICROSLIP_FINDS(overflows, huge_steps)
MICROSLIP_FINDS(divides_by_step, tiny_steps)
MICROSLIP_FINDS(unlisted_state, saved_states)
#undef MICROSLIP_FINDS

TEST(Checker, tables_finds_unchecked_parameters) {
  expect_found<Break::unchecked_parameters>([]<class L>() { return tables<L>(); });
}
TEST(Checker, tables_finds_unlisted_state) {
  expect_found<Break::unlisted_state>([]<class L>() { return tables<L>(); });
}

template <class L>
Fault claim_of(std::string_view name) {
  constexpr Claims claims = ModelOf<L>::info.claims;
  if (name == "odd") return check_claim<L>(name, claims.odd, 1e-12, &odd_violation<L>);
  if (name == "dissipative")
    return check_claim<L>(name, claims.dissipative, 1e-12, &dissipation_violation<L>);
  if (name == "masing") return check_claim<L>(name, claims.masing, 1e-10, &masing_violation<L>);
  if (name == "closing")
    return check_claim<L>(name, claims.minor_loops_close, 1e-10, &closing_violation<L>);
  return check_claim<L>(name, claims.return_point_memory, 1e-10, &memory_violation<L>);
}
#define MICROSLIP_FINDS(defect, name)                                                   \
  TEST(Checker, claim_##name##_finds_##defect) {                                        \
    expect_found<Break::defect>([]<class L>() -> Fault { return claim_of<L>(#name); }); \
  }
MICROSLIP_FINDS(one_sided, odd)
MICROSLIP_FINDS(gains, dissipative)
MICROSLIP_FINDS(softer_branch, masing)
MICROSLIP_FINDS(softer_branch, closing)
MICROSLIP_FINDS(softer_branch, memory)
MICROSLIP_FINDS(claims_open_loops, masing)
MICROSLIP_FINDS(claims_open_loops, closing)
MICROSLIP_FINDS(claims_open_loops, memory)
#undef MICROSLIP_FINDS

TEST(Checker, a_claim_that_depends_needs_sample_sets) {
  using L = Broken<Break::nothing>;
  EXPECT_NE(check_claim<L>("odd", depends("never"), 1e-12, &odd_violation<L>), "");
}

TEST(Checker, shrinks_a_failing_path_to_what_matters) {
  using L = Broken<Break::nothing>;
  const auto beyond = [](const Case<L>& c) -> Fault {
    for (const auto& move : c.path)
      if (move.u > 0.5 * c.scale.u) return "beyond";
    return {};
  };
  const std::string report = on_random_cases<L>("shrinking", 100, beyond);
  const std::string path = report.substr(report.find("path:") + 5);
  // One point is left, so one blank before it.
  EXPECT_EQ(std::count(path.begin(), path.end(), ' '), 1) << report;
  EXPECT_NE(report.find("MICROSLIP_SEED="), std::string::npos);
}

}  // namespace
}  // namespace microslip::laws
