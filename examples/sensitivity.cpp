// The same lines that give the force give its derivatives: the law over dual numbers.

#include <cstdio>

#include "microslip/models/bouc_wen.hpp"

int main() {
  using Real = microslip::Dual<2>;  // derivatives with respect to beta and n
  microslip::BoucWen<Real>::Params params;
  params.beta = Real(0.8, 0);
  params.n = Real(1.5, 1);
  const microslip::BoucWen<Real> law(params);
  auto state = law.rest();
  for (const double u : {1.0, -0.5, 2.0}) {
    const auto reply = law.step(state, Real(u), state);
    std::printf("u %4.1f   f %8.5f   df/dbeta %8.5f   df/dn %8.5f\n", u, reply.force.a,
                reply.force.v[0], reply.force.v[1]);
  }
}
