// A system of many sliders: the loop, the energy, and who slips when.

#include "microslip/friction/sliders.hpp"

#include <cstdio>

int main() {
  using namespace microslip::friction;
  // A chain of 40 sliders with free ends, pulled at both: K is tridiagonal and semidefinite.
  const System chain = chain_system(40, 1.0, std::vector{0.1});
  const Result cycle = run(chain, std::vector{1.5, -1.5, 1.5, -1.5});
  std::printf("%zu events, %.4f dissipated in a cycle\n", cycle.events,
              cycle.energy[3] - cycle.energy[1]);

  // Total friction is 4, so at a load of 2 a side the chain slides as a whole.
  const Result too_much = run(chain, std::vector{1.5, 2.5});
  std::printf("%s: %s\n", std::string(microslip::explain(too_much.status)).c_str(),
              too_much.trouble.c_str());

  // Which slider slips when: positions are rows with their fractions.
  const Result mapped = run(chain, std::vector{1.5, -1.5}, {.log_slips = true}, {.slips = true});
  const Slip& first = mapped.slips.front();
  std::printf("slider %td slips first, %.0f %% of the way to the first row\n", first.slider + 1,
              100 * (first.begin + 1));
  return cycle.status == microslip::Status::ok && too_much.status == microslip::Status::macroslip
             ? 0
             : 1;
}
