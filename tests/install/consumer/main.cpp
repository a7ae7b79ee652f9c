#include <microslip/models/jenkins.hpp>

// A slider of strength 1, pulled beyond its slip displacement, holds exactly its strength.
int main() {
  const microslip::Jenkins<double> law({.k = 2.0, .phi = 1.0});
  auto state = law.rest();
  return law.step(state, 5.0, state).force == 1.0 ? 0 : 1;
}
