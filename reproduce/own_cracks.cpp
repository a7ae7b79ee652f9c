#include "own_cracks.hpp"

#include "microslip/contact/solver.hpp"
#include "microslip/core/error.hpp"
#include "microslip/numerics/signal.hpp"

namespace microslip::reproduce {

CrackLoop crack_loop(const CrackCase& one, const CrackSettings& settings) {
  contact::RandomCracks field{.n = 32, .seed = settings.seed};
  field.gap = 0.5;  // near neighbours would need many nodes
  if (settings.mu >= 0) field.mu = {settings.mu, settings.mu};
  const contact::CrackedPlate plate(
      {.E = 210e3, .nu = 0.3, .plane = contact::Plane::stress, .length = 10},
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
