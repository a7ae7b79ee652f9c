// A law inside a host code: one mass on a spring and a bolted joint, pulled by a force. Newton's
// method asks the joint for trials; only the converged one is committed.

#include "microslip/core/joint.hpp"

#include <cmath>
#include <cstdio>

#include "microslip/models/iwan4.hpp"

int main() {
  const microslip::Iwan4<double> law({.Fs = 1, .KT = 1, .chi = -0.5, .beta = 0.1});
  microslip::Joint joint(law);
  const double spring = 0.2;
  double u = 0;
  double lost = 0;
  for (const double load : {0.4, 0.8, 1.1, 0.5, 0.9, 0.0}) {
    microslip::Response<double> reply{};
    double residual = 1;
    for (int i = 0; i < 20 && std::abs(residual) > 1e-12; ++i) {
      reply = joint.trial(u);
      residual = load - spring * u - reply.force;
      u += residual / (spring + reply.tangent);
    }
    if (std::abs(residual) > 1e-12) return 1;
    joint.commit();
    lost += reply.dissipated;
    std::printf("load %.1f   u %8.5f   joint force %8.5f   dissipated %.5f\n", load, u, reply.force,
                lost);
  }
}
