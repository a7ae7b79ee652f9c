#include "dynamics/balance_against_time.hpp"

namespace microslip::dynamics {
namespace slow_balance_against_time_test {

/// Every law, alone and in sums and wrappers, in random structures. MICROSLIP_LAW is one of them, or the first of
/// those that are left, "lampaert+".
TEST(BalanceAgainstTime, agrees_for_every_law) {
  testing::Rng rng(4402);
  int compared = 0, tried = 0;
  const char* given = std::getenv("MICROSLIP_LAW");
  const std::string only = given ? given : "";
  bool begun = only.empty();
  for (const AnyModel& model : laws_that_repeat()) {
    const std::string& name = model.description().name;
    if (!model.repeats()) continue;
    begun = begun || only == name + "+";
    for (const std::string& whole :
         {name, name, "jenkins(k=0.5,phi=0.3)+" + name, "maxwell+" + name,
          "scaled(" + name + ",input_gain=1.5,output_gain=0.4)"}) {
      SCOPED_TRACE(whole);
      const AnyModel joint = catalog::make({whole, {}, {}});
      const double omega = rng.uniform(0.6, 1.8);
      const Structure structure = random_structure(joint, omega, rng);
      if (!begun && only != name) continue;
      ++tried;
      compared += agrees_with_time(structure, omega);
    }
  }
  // Slow memories and motions that are not smooth enough for 63 harmonics are left out.
  EXPECT_GE(compared, 2 * tried / 3) << tried;
}

}  // namespace slow_balance_against_time_test
}  // namespace microslip::dynamics
