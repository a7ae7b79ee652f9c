// The lines of C++ that pages of the documentation show, from here and from the other examples: a test compares
// them, so that what a page shows compiles and runs.

#include <cmath>
#include <cstdio>
#include <microslip/catalog/catalog.hpp>
#include <microslip/catalog/fitting/fit_hints.hpp>
#include <microslip/core/joint.hpp>
#include <microslip/dynamics/time/ringdown_modes.hpp>
#include <microslip/field/joint_field.hpp>
#include <microslip/fit/fit.hpp>
#include <microslip/friction/builders.hpp>
#include <microslip/io/record_file.hpp>
#include <microslip/jobs/fit.hpp>
#include <microslip/loops/harmonic.hpp>
#include <microslip/loops/loops.hpp>
#include <microslip/models/iwan4.hpp>
#include <microslip/models/jenkins.hpp>
#include <microslip/reduce/study.hpp>
#include <string_view>
#include <vector>

namespace pages {
namespace {

using namespace microslip;
using Numbers = std::vector<double>;
constexpr double pi = 3.14159265358979;

struct Record {
  Numbers t, u, f;
};

/// Loops of a bolted joint at three amplitudes.
Record record_of_a_joint() {
  Record record;
  for (int i = 0; i < 600; ++i) {
    record.t.push_back(0.01 * i);
    record.u.push_back((i < 200 ? 0.05 : i < 400 ? 0.1 : 0.2) * std::sin(0.02 * pi * i));
  }
  const AnyModel law = catalog::make({"iwan4(Fs=1,KT=4,chi=-0.5,beta=0.5)", {}, {}});
  record.f = law.run({record.t, record.u, {}}).f;
  return record;
}

// README.md
double a_joint_in_a_program(double u) {
  const microslip::Iwan4<double> law({.Fs = 1, .KT = 1, .chi = -0.5, .beta = 0.1});
  microslip::Joint joint(law);
  auto reply = joint.trial(u);  // force, tangent, energy lost; always from the committed state
  joint.commit();
  return reply.force;
}

// docs/damping.md
double damping() {
  const auto joint = microslip::catalog::make({"bouc-wen(n=1,a=0)", {}, {}});
  const auto h = microslip::loops::first_harmonic(joint, 0.5);  // h.a1, h.b1, h.energy
  return h.zeta_eff();
}

// docs/field.md
double joints_on_every_core(const Numbers& limits, const Numbers& signal) {
  const std::size_t n = limits.size(), rows = signal.size();
  Numbers u(n, 0.1), scale(n, 1);
  Numbers force(n), tangent(n), dissipated(n), energy(n), largest_force(n), loops(n);

  std::vector<microslip::Jenkins<double>> laws;  // parameters of each, in N and m; or one law
  for (double phi : limits) laws.emplace_back(microslip::Jenkins<double>({.k = 1e6, .phi = phi}));
  microslip::JointField<microslip::Jenkins<double>> field(laws);

  field.trial(u, {force, tangent, dissipated});                    // as often as the host iterates
  field.commit();                                                  // once it has converged
  field.run(signal, rows, {energy, largest_force, loops}, scale);  // whole signals: sums are kept
  return energy.front();
}

// docs/fit.md
double fit_of_a_law(const Numbers& t, const Numbers& u, const Numbers& f) {
  const AnyModel law = catalog::make({"iwan4", {}, {}});
  const fit::Data data{"bolt", t, u, f};
  const fit::Settings settings = catalog::with_hints({.starts = 4, .seed = 7}, law, {data});
  const fit::Fit found = fit::fit(law, {data}, settings);
  return found.rms_relative;
}

// docs/jobs.md
double fit_as_a_job() {
  jobs::FitRequest request;
  request.records = {jobs::record_of(io::read_record("data/bolted-joint.csv"))};
  request.models = {"jenkins", "iwan4"};
  const auto goes_on = [](double part, std::string_view) { return part <= 1; };  // false: stop
  const jobs::FitResult result = jobs::fit(request, {.progress = goes_on});
  return result.fits.front().rms_relative;
}

// docs/loops.md
double loops_of_a_record(const Numbers& t, const Numbers& u, const Numbers& f) {
  const auto found = microslip::loops::analyse(t, u, f);  // t may be empty
  for (const auto& cycle : found.cycles) std::printf("%g %g\n", cycle.amplitude, cycle.energy);
  return found.dissipation.exponent;
}

// docs/reduce.md
double few_states(const friction::System& system, const std::vector<Numbers>& loads) {
  const auto modes = reduce::MotionRecord(system, loads).modes(4);
  const auto projected = reduce::project(system, modes.basis);
  const auto model = reduce::reduced_model(projected, reduce::Shape::few_generators, {}, 12);
  const AnyModel law = catalog::make(model.spec);
  return law.run({{}, loads.front(), {}}).energy.back();
}

// docs/ringdown.md
double damping_of_a_decay(double step, const std::vector<Numbers>& motions) {
  const auto modes = microslip::dynamics::ringdown_modes(step, motions);
  return modes[0].points[0].zeta;
}

int run() {
  const Record record = record_of_a_joint();
  Numbers signal, decay;
  for (int i = 0; i < 4000; ++i) {
    signal.push_back(2 * std::sin(0.01 * i));
    decay.push_back(std::exp(-0.0005 * i) * std::sin(0.05 * i));
  }
  std::printf("force %g, zeta %g, energy %g\n", a_joint_in_a_program(0.5), damping(),
              joints_on_every_core({0.5, 1}, signal));
  std::printf("misfits %g and %g, exponent %g\n", fit_of_a_law(record.t, record.u, record.f),
              fit_as_a_job(), loops_of_a_record(record.t, record.u, record.f));
  std::printf("energy %g, zeta %g\n", few_states(friction::random_system(40, 1), {signal}),
              damping_of_a_decay(0.01, {decay}));
  return 0;
}

}  // namespace
}  // namespace pages

int main() { return pages::run(); }
