// Laws chosen at run time, on a whole history; the sum of two laws is a law too.

#include <cstdio>

#include "microslip/microslip.hpp"

int main() {
  using namespace microslip;
  const auto signal = Expression::parse("2*sin(2*pi*t)+sin(8*pi*t)", {"t"});
  const auto samples = sample_signal(signal, 3, 0.001);
  for (const char* model : {"two-state", "iwan4(KT=2)+linear(k=0.1)"}) {
    const AnyModel law = catalog::make({model, {}, {}});
    const History history = law.run({samples.t, samples.u, {}});
    std::printf("%-28s dissipates %.6f in three periods\n", model, history.energy.back());
  }
}
