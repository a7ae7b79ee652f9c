% A mass on an Iwan joint after an impulse: Newmark's trapezoidal rule with Newton's method, the joint in
% every iteration. Then the same motion once more in one call: the forces are the same numbers.
model = "iwan4(Fs=1,KT=1,chi=-0.5,beta=0.1)";
joint = microslip ("joint", model);
mass = 1;  dt = 0.01;  steps = 2000;
x = 0;  v = 1;  force = 0;  lost = 0;
motion = forces = zeros (steps, 1);
for i = 1:steps
  a = -force / mass;
  next = x + dt * v;
  for iteration = 1:20
    [f, k] = microslip ("trial", joint, next, dt);    % always from the last commit
    residual = mass * (4 / dt^2 * (next - x - dt * v) - a) + f;
    change = -residual / (4 * mass / dt^2 + k);
    next += change;
    if (abs (change) < 1e-13) break; endif
  endfor
  [force, k, d] = microslip ("trial", joint, next, dt);
  microslip ("commit", joint);
  v = 2 / dt * (next - x) - v;
  x = next;
  lost += d;
  motion(i) = x;
  forces(i) = force;
endfor
microslip ("close", joint);

[f, energy] = microslip ("run", model, motion);
printf ("joint after %g: x = %.6f, force = %.6f, dissipated = %.6f\n", steps * dt, x, force, lost);
assert (isequal (f, forces));
assert (energy(end), lost, 1e-12);
