// The law checker itself finds the defect that each of its checks is made for.
#include <gtest/gtest.h>

#include <algorithm>

#include "laws/checks_claims.hpp"
#include "laws/checks_contract.hpp"
#include "laws/checks_derivatives.hpp"
#include "laws/checks_erased.hpp"
#include "laws/checks_mechanics.hpp"
#include "laws/quadrature.hpp"
#include "laws/toy_laws.hpp"

namespace microslip::laws {
namespace checker_test {

using catalog::describes_all_members;

template <Break defect, class M>
AnyModel make_broken(const ParameterValues& parameters, const OptionValues&) {
  return catalog::make_any<M>(parameters, {{"defect", static_cast<double>(defect)}});
}

template <Break defect>
Subject broken() {
  catalog::Law law = catalog::make_entry<Breakable<true>::Model>();
  law.make = &make_broken<defect, Breakable<true>::Model<double>>;
  Claims& claims = law.description.claims;
  if (defect == Break::claims_open_loops)
    claims.masing = claims.minor_loops_close = claims.return_point_memory = fails;
  return {law, {.law = "jenkins"}};
}

/// make_entry refuses a law whose table leaves out a member, so this one goes round it.
template <>
Subject broken<Break::unlisted_state>() {
  using M = Breakable<false>::Model<double>;
  return {{catalog::describe<M>(), &make_broken<Break::unlisted_state, M>}, {.law = "jenkins"}};
}

/// The sound twin passes, the broken one does not: so the check sees the defect and nothing else.
template <Break defect, class Run>
void expect_found(const Run& run) {
  EXPECT_EQ(run(broken<Break::nothing>()), "");
  EXPECT_NE(run(broken<defect>()), "");
}

#define MICROSLIP_FINDS(defect, check)                                                \
  TEST(Checker, check##_finds_##defect) {                                             \
    expect_found<Break::defect>([](const Subject& subject) {                          \
      return on_random_cases<double>(subject, #check, 60,                             \
                                     [](const Case<double>& c) { return check(c); }); \
    });                                                                               \
  }

MICROSLIP_FINDS(remembers, purity)
MICROSLIP_FINDS(changes_from, purity)
MICROSLIP_FINDS(reads_to, purity)
MICROSLIP_FINDS(misstates, purity)
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
MICROSLIP_FINDS(hasty_run, dual_runs)
MICROSLIP_FINDS(overflows, huge_steps)
MICROSLIP_FINDS(divides_by_step, tiny_steps)
MICROSLIP_FINDS(unlisted_state, saved_states)
#undef MICROSLIP_FINDS

// Where a law cannot tell its kinks they are guessed, which must not excuse a wrong tangent.
TEST(Checker, tangents_finds_wrong_tangent_among_guessed_kinks) {
  expect_found<Break::wrong_tangent>([](Subject subject) {
    subject.samples.kinks_depend_on_velocity = true;
    return on_random_cases<double>(subject, "tangents", 60, &tangents<double>);
  });
}

// Nor a force that depends on the cuts.
TEST(Checker, substeps_finds_cut_dependent_among_guessed_jumps) {
  expect_found<Break::cut_dependent>([](Subject subject) {
    subject.samples.kinks_depend_on_velocity = true;
    return on_random_cases<double>(subject, "substeps", 60, &substeps<double>);
  });
}

// Two rules that agree by accident on a cell with a kink used to end the search: wrong by 5e-8.
TEST(Checker, integrals_over_unknown_kinks_do_not_agree_by_accident) {
  constexpr int places = 1500;
  double worst = 0;
  for (int i = 0; i < places; ++i) {
    const double c = (i + 0.5) / places;
    const double sum =
        adaptive_integral([&](double x) { return std::abs(x - c); }, 0.0, 1.0, 1e-10);
    worst = std::max(worst, std::abs(sum - (c * c + (1 - c) * (1 - c)) / 2));
  }
  EXPECT_LT(worst, 1e-9);
}

TEST(Checker, a_motion_without_an_answer_is_a_fault_unless_the_law_says_so) {
  Subject subject = broken<Break::nothing>();
  const auto undefined_beyond = [](const Case<double>& c) -> Fault {
    for (const auto& move : c.path)
      if (move.u > 5 * c.scale.u) throw Undefined{};
    return {};
  };
  EXPECT_NE(on_random_cases<double>(subject, "some", 60, undefined_beyond), "");
  subject.samples.some_motions_undefined = true;
  EXPECT_EQ(on_random_cases<double>(subject, "some", 60, undefined_beyond), "");
  // Nearly all: then nothing would be checked.
  EXPECT_NE(on_random_cases<double>(subject, "some", 60,
                                    [](const Case<double>&) -> Fault { throw Undefined{}; }),
            "");
}

TEST(Checker, tables_finds_unchecked_parameters) {
  expect_found<Break::unchecked_parameters>(&tables);
}

static_assert(describes_all_members<Breakable<true>::Model<double>::State>());
static_assert(!describes_all_members<Breakable<false>::Model<double>::State>());

Fault claim_of(const Subject& subject, std::string_view name) {
  const auto check = [&](const Claim& claim, double tolerance, auto violation) {
    return check_claim<double>(subject, name, claim, tolerance, violation);
  };
  const Claims& claims = subject.law.description.claims;
  if (name == "odd") return check(claims.odd, 1e-12, &odd_violation<double>);
  if (name == "dissipative")
    return check(claims.dissipative, 1e-12, &dissipation_violation<double>);
  if (name == "masing") return check(claims.masing, 1e-10, &masing_violation);
  if (name == "closing") return check(claims.minor_loops_close, 1e-10, &closing_violation);
  return check(claims.return_point_memory, 1e-10, &memory_violation);
}
#define MICROSLIP_FINDS(defect, name)                                                 \
  TEST(Checker, claim_##name##_finds_##defect) {                                      \
    expect_found<Break::defect>([](const Subject& s) { return claim_of(s, #name); }); \
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
  EXPECT_NE(check_claim<double>(broken<Break::nothing>(), "odd", depends("never"), 1e-12,
                                &odd_violation<double>),
            "");
}

TEST(Checker, a_claim_broken_by_a_sample_set_shows_the_case_of_that_set) {
  Subject subject = broken<Break::softer_branch>();
  subject.samples.sets = [](std::string_view, bool) -> Sets { return {{{"k", 7.25}}}; };
  const std::string report =
      check_claim<double>(subject, "masing", depends("never"), 1e-10, &masing_violation);
  EXPECT_NE(report.find("parameters: k = 7.25"), std::string::npos) << report;
}

// A stored energy below that of rest took the room that rounding has in a sum as large as it.
TEST(Checker, huge_steps_allows_for_rounding_of_negative_energies) {
  const Subject subject{catalog::find_law("preisach-table"), {.law = "preisach-table"}};
  const std::vector<double> at{-1.3283291086782067, -0.507589669001991, 0.12609950577187057,
                               0.990094368493254, 1.4003554771657203};
  const std::vector<double> density{0.4709147164598445,  0.44609775666299595, 0.30817437829020544,
                                    0.14646334432539154, 0.3353456041991111,  0.41931367280723053,
                                    0.23080599705569227, 0.4846839705130199,  0.16465601331468094,
                                    0.1499814143926932};
  Case<double> c = case_with<double>(
      subject, {{"k", 0.0008172340379888343}, {"at", at}, {"density", density}}, 1);
  c.path = {{0, 1}};
  EXPECT_EQ(huge_steps(c), "");
}

TEST(Checker, shrinks_a_failing_path_to_what_matters) {
  const auto beyond = [](const Case<double>& c) -> Fault {
    for (const auto& move : c.path)
      if (move.u > 0.5 * c.scale.u) return "beyond";
    return {};
  };
  const std::string report =
      on_random_cases<double>(broken<Break::nothing>(), "shrinking", 100, beyond);
  const std::string path = report.substr(report.find("path:") + 5);
  // One point is left, so one blank before it.
  EXPECT_EQ(std::count(path.begin(), path.end(), ' '), 1) << report;
  EXPECT_NE(report.find("MICROSLIP_SEED="), std::string::npos);
}

}  // namespace checker_test
}  // namespace microslip::laws
