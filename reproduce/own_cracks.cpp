#include "own_cracks.hpp"

#include <cmath>

#include "microslip/contact/solver.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/signal.hpp"

namespace microslip::reproduce {

namespace own_cracks_parts {

contact::RandomCracks field_of(std::uint64_t seed) {
  contact::RandomCracks field{.n = 32, .seed = seed};
  field.gap = 0.5;  // near neighbours would need many nodes
  return field;
}

constexpr double youngs_modulus = 210e3;

}  // namespace own_cracks_parts

double loss_alone(const CrackCase& one, std::uint64_t seed, double factor) {
  using namespace own_cracks_parts;
  double sum = 0;
  for (const contact::Crack& crack : contact::random_cracks(field_of(seed))) {
    const double angle = crack.angle * pi / 180, c = std::cos(angle), s = std::sin(angle);
    // Normal (−s, c). In one half of the period the crack is pressed, whatever the sign; in the other it is open.
    const double p = std::abs(one.sigma_x * s * s + one.sigma_y * c * c);
    const double tau = std::abs((one.sigma_y - one.sigma_x) * s * c);
    const double friction = factor * crack.mu * p;
    if (tau > friction)
      sum += 2 * pi * crack.half_length * crack.half_length * friction * (tau - friction) * tau /
             (tau + friction) / youngs_modulus;
  }
  return sum;
}

CrackLoop crack_loop(const CrackCase& one, const CrackSettings& settings) {
  using namespace own_cracks_parts;
  contact::RandomCracks field = field_of(settings.seed);
  if (settings.mu >= 0) field.mu = {settings.mu, settings.mu};
  const contact::CrackedPlate plate({.E = youngs_modulus,
                                     .nu = 0.3,
                                     .plane = contact::Plane::stress,
                                     .length = 10,
                                     .finite = settings.finite},
                                    contact::random_cracks(field), {one.sigma_x, one.sigma_y, 0},
                                    {.nodes = settings.nodes,
                                     .most_nodes = 2 * settings.nodes,
                                     .interaction = settings.interaction});
  CrackLoop loop;
  const SampledSignal rows =
      sample_signal(Expression::parse(one.signal, {"t"}), 1.5, settings.step);
  for (std::size_t i = 0; i < rows.u.size(); ++i) {
    loop.f.push_back(settings.amplitude * rows.u[i]);
    if (rows.t[i] < 0.5 - 1e-9) loop.last = i + 1;
  }
  const contact::Result run = contact::run(plate.problem(), loop.f);
  if (run.status != Status::ok) throw Error("the plate could not be followed: " + run.trouble);
  for (std::size_t i = 0; i < loop.f.size(); ++i) loop.xi.push_back(plate.xi(loop.f[i], run.xi[i]));
  loop.energy = run.energy;
  loop.energy_error = run.energy_error;
  return loop;
}

}  // namespace microslip::reproduce
