/* A mass on a joint, stepped by the trapezoidal rule of Newmark with Newton's method: what a program
 * that iterates does with microslip. Prints t, x and the force of the joint as CSV. */
#include <math.h>
#include <microslip.h>
#include <stdio.h>
#include <stdlib.h>

static microslip_error error;

static void check(int code) {
  if (code == MICROSLIP_OK) return;
  fprintf(stderr, "%s\n", error.sentence);
  exit(1);
}

int main(void) {
  const char *settings[] = {"Fs=1", "KT=1", "chi=-0.5", "beta=0.1"};
  microslip_model *law;
  microslip_joint *joint;
  microslip_response response;
  check(microslip_create("iwan4", settings, 4, &law, &error));
  check(microslip_joint_create(law, &joint, &error));

  const double mass = 1, dt = 0.01;
  double x = 0, v = 1, force = 0; /* an impulse on a joint at rest */
  puts("t,x,f");
  for (int step = 0; step < 2000; ++step) {
    const double a = -force / mass;
    double next = x + dt * v;
    for (int iteration = 0; iteration < 20; ++iteration) {
      check(microslip_joint_trial(joint, next, dt, &response, &error)); /* from the last commit */
      const double a_next = 4 / (dt * dt) * (next - x - dt * v) - a;
      const double residual = mass * a_next + response.force;
      const double change = -residual / (4 * mass / (dt * dt) + response.tangent);
      next += change;
      if (fabs(change) < 1e-13) break;
    }
    check(microslip_joint_trial(joint, next, dt, &response, &error));
    check(microslip_joint_commit(joint, &error));
    v = 2 / dt * (next - x) - v;
    x = next;
    force = response.force;
    if (step % 100 == 99) printf("%g,%.10g,%.10g\n", dt * (step + 1), x, force);
  }

  microslip_state *state;
  check(microslip_joint_state(joint, &state, &error));
  double stored;
  check(microslip_stored(law, state, &stored, &error));
  /* The energy of the impulse is still moving, stored or dissipated. */
  fprintf(stderr, "kinetic %g + stored %g + dissipated %g = %g of 0.5\n", 0.5 * mass * v * v, stored,
          microslip_state_energy(state),
          0.5 * mass * v * v + stored + microslip_state_energy(state));
  microslip_state_destroy(state);
  microslip_joint_destroy(joint);
  microslip_destroy(law);
  return 0;
}
