#include <microslip/catalog/catalog.hpp>
#include <microslip/models/jenkins.hpp>

// A slider of strength 1, pulled beyond its slip displacement, holds exactly its strength; and the
// compiled part of the library is linked.
int main() {
  const microslip::Jenkins<double> law({.k = 2.0, .phi = 1.0});
  auto state = law.rest();
  const bool holds = law.step(state, 5.0, state).force == 1.0;
  return holds && !microslip::catalog::laws().empty() ? 0 : 1;
}
