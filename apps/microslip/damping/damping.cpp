#include "damping/damping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "command.hpp"
#include "damping/output.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/parameters.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr const char* details = R"(What is computed
  A law follows u = A sin(omega t) until its loop is closed. Then
    energy     lost in a cycle
    secant     slope between the tips of the loop
    a1, b1     first harmonic of the force, f = b1 sin + a1 cos; energy = pi A a1
    zeta_eff   a1/(2A): damping ratio that the law gives to an oscillator of unit mass and stiffness
    damping    energy / (4 pi * secant * A^2 / 2): equivalent viscous damping ratio of the loop
               (empty where the secant is zero, as for viscous)
  A law driven by force (slip-front, sliders, ellipsoid, zonotope) follows f = F sin(omega t), and
  the amplitudes are those of the force, column force_amplitude. energy, secant (force over
  displacement) and damping mean the same; with the displacement u at the tips damping is
  energy / (2 pi F u). Here a1 and b1 are those of the displacement, u = b1 sin - a1 cos, with
  energy = pi F a1, and zeta_eff is F a1/(2 (a1^2 + b1^2)). Where nothing slips yet and nothing
  moves, secant, zeta_eff and damping are empty. Laws of both kinds cannot be compared in one call.
  linear, viscous, kelvin-voigt, coulomb, coulomb-viscous, prager, jenkins and iwan4 are computed by
  formula, all others along the exact loop, cut at its kinks. --omega matters only to rate-dependent
  laws.
  --uncertainty gives the law of a fit result the standard deviations energy_sd, secant_sd, a1_sd,
  b1_sd, zeta_eff_sd and damping_sd, which follow from those of its parameters and their
  correlations.
  --covariate preload=40 gives the law of a fit with covariates at another preload.
  --amplitudes 0.1:2:20 are 20 amplitudes from 0.1 to 2, with --log in equal ratios.

Several directions
  Laws in the plane and contact follow an orbit, ux = A sin, uy = ratio A cos (--ratio 1 is a
  circle, --angle turns it by degrees), and contact a normal motion beside it,
  un = normal_mean + normal A sin(omega t + phase): --normal 0.5 --normal-phase 90. Then a1, b1 and
  zeta_eff are those of an oscillator that moves so, a1 = energy / (pi A (1 + ratio^2)), and secant
  that of the force along the larger axis. The orbit is followed in straight steps until 1e-6 of a1
  and b1 do not change.

Tuning
  --match TARGET changes parameters of each MODEL so that one quantity (--quantity, zeta_eff if left
  out) comes near to that of another law, or of a file with the columns amplitude and that quantity
  (the files that 'loops -o' and 'damping -o' write). A law driven by force is tuned to another one
  or to the columns force_amplitude (or force_range, twice that) and the quantity. --at A tunes at
  one amplitude; otherwise over --amplitudes or the rows of the file, with the weight of --weight,
  a formula in A.
  --free sigma0,n names what may change (all single numbers if left out), --bounds n=1:3 limits it.
  It starts from the values given and from others of the size of the target, in whatever units.
  --quantity zeta_eff,b1 matches damping and frequency together (b1/(2A) is the shift of the
  frequency of an oscillator of unit mass and stiffness), each relative to its largest target.
  --relative compares relative to the target. --save-params writes the tuned law.

Examples
  microslip damping iwan4 --set Fs=2 --amplitudes 0.01:10:60 --log --plot damping.png
  microslip damping jenkins iwan4 bouc-wen --amplitudes 0.1:3:30 -o damping.csv
  microslip damping slip-front --set EA=3 --set ell=4 --amplitudes 0.1:4:20 --plot front.svg
  microslip damping dahl --set zc=2 --set n=1.5 --match 'jenkins(k=4,phi=2)' --at 1 --free sigma0
  microslip damping contact --set N0=2 --normal 0.3 --normal-phase 90 --amplitudes 0.1:5:30
  microslip damping jenkins-planar bouc-wen-planar --ratio 1 --amplitudes 0.1:3:30
  microslip damping --params bolt.json --covariate preload=40 --uncertainty --amplitudes 0.1:1:10
  microslip damping iwan4 --match cycles.csv --quantity energy --relative --save-params iwan4.json
)";

double positive_number(const std::string& option, const std::string& text) {
  const double value = number(option, text);
  if (!(value > 0) || !std::isfinite(value))
    throw Error(option + " = " + text + " must be positive");
  return value;
}

/// Amplitudes to compute: those asked for, or those of the target.
std::vector<double> amplitudes_of(const DampingSettings& s) {
  if (!s.amplitudes.empty()) return amplitude_list(s.amplitudes, s.log);
  if (s.match.empty()) throw Error("--amplitudes is required, for example --amplitudes 0.1:2:20");
  return {};
}

std::string match_text(const jobs::DampingResult& result, bool relative) {
  std::string text;
  const MatchTarget& target = result.target;
  for (const jobs::DampedLaw& law : result.laws) {
    if (!law.match) continue;
    const jobs::MatchOutcome& m = *law.match;
    const bool together = !target.also.empty();
    text += law.label + " tuned to " + target.name + " in " + target.quantities() +
            (relative   ? fmt::format(": rms {:.3g} % of the target", 100 * m.rms_relative)
             : together ? fmt::format(": rms {:.3g} % of the largest of each", 100 * m.rms_relative)
                        : fmt::format(": rms {:.3g} ({:.3g} % of the largest)", m.rms,
                                      100 * m.rms_relative)) +
            (m.converged ? "\n" : ", not converged\n");
    for (std::size_t k = 0; k < m.free.size(); ++k)
      text += fmt::format("  {} = {:.10g}{}  (from {:.6g})\n", m.free[k], m.after[k],
                          std::isnan(m.errors[k]) ? ", not determined"
                          : m.errors[k] > 0       ? fmt::format(" ± {:.2g}", m.errors[k])
                                                  : "",
                          m.before[k]);
  }
  return text.empty() ? text : text + "\n";
}

/// Loops that were measured at a few amplitudes: the laws between them are smooth.
std::vector<double> between(const std::vector<double>& amplitudes) {
  std::vector<double> all = amplitudes;
  const double low = amplitudes.front(), high = amplitudes.back();
  for (int i = 1; i < 100 && high > low; ++i) all.push_back(low * std::pow(high / low, i / 100.0));
  std::sort(all.begin(), all.end());
  return all;
}

jobs::DampingRequest request_of(const DampingSettings& s, const std::vector<Job>& jobs) {
  jobs::DampingRequest request;
  for (const Job& job : jobs)
    request.laws.push_back(
        {job.label, job.spec.model, job.spec.parameters, job.spec.options, uncertainty_of(job)});
  if (!s.ratio.empty() || !s.angle.empty() || !s.normal.empty() || !s.normal_phase.empty() ||
      !s.normal_mean.empty()) {
    const auto value = [](const char* option, const std::string& text) {
      return text.empty() ? 0.0 : number(option, text);
    };
    request.orbit = loops::Orbit{
        value("--ratio", s.ratio), value("--angle", s.angle), value("--normal", s.normal),
        value("--normal-phase", s.normal_phase), value("--normal-mean", s.normal_mean)};
  }
  request.omega = s.omega.empty() ? 1 : positive_number("--omega", s.omega);
  request.amplitudes = amplitudes_of(s);
  if (s.match.empty() && (!s.at.empty() || !s.weight.empty() || !s.free.empty() ||
                          !s.bounds.empty() || !s.quantity.empty() || s.relative))
    throw Error("--at, --weight, --free, --bounds, --quantity and --relative belong to --match");
  if (!s.match.empty() && s.laws.uncertainty)
    throw Error("--uncertainty is that of a fit; it has no meaning with --match, which changes " +
                std::string("parameters"));
  if (!s.save_params.empty() && jobs.size() > 1)
    throw Error("--save-params writes one law, but " + std::to_string(jobs.size()) + " are given");
  return request;
}

/// The picture of laws that were tuned to rows shows them between the rows, too.
std::vector<DampingCurve> drawn_curves(const DampingSettings& s, jobs::DampingRequest request,
                                       const jobs::DampingResult& result) {
  const std::vector<double>& rows = result.target.amplitude;
  if (s.match.empty() || !s.amplitudes.empty() || rows.size() < 2) return result.curves;
  request.match.reset();
  request.amplitudes = between(rows);
  for (std::size_t i = 0; i < request.laws.size(); ++i)
    request.laws[i].parameters = result.laws[i].parameters;
  return jobs::damping(request).curves;
}

/// False when a picture that was asked for could not be drawn.
bool write_files(const DampingSettings& s, const jobs::DampingRequest& request,
                 const jobs::DampingResult& result, const std::string& command_line) {
  if (!s.save_params.empty()) {
    const auto format = io::parameter_format(s.save_params, "{");
    io::write_file(s.save_params, io::parameters_text(result.curves.front().spec, format));
  }
  if (!s.output.empty())
    io::write_file(s.output, damping_csv(result.curves, result.omega, command_line));
  return s.plot.empty() || drawn([&] {
           io::draw(damping_figure(drawn_curves(s, request, result), result.target, s.log), s.plot);
         });
}

void say_notes(const std::vector<DampingCurve>& curves, const DampingSettings& s) {
  for (const DampingCurve& curve : curves) {
    const bool seen = std::any_of(curve.points.begin(), curve.points.end(),
                                  [](const auto& point) { return !point.closed; });
    if (seen)
      say("note: some loops of " + curve.label +
          " do not close; their numbers are those of the last cycle computed\n");
  }
  if (!s.omega.empty()) return;
  for (const DampingCurve& curve : curves)
    if (catalog::describe_model(curve.spec.model).family == Family::rate_dependent)
      say("note: " + curve.label + " is rate-dependent; --omega was not given, so omega = 1\n");
}

int run(const DampingSettings& s, const std::string& command_line) {
  const std::vector<Job> jobs = make_jobs(s.laws);
  ProgressBar::silence(s.quiet);
  jobs::DampingRequest request = request_of(s, jobs);
  std::vector<std::filesystem::path> read(s.laws.parameter_files.begin(),
                                          s.laws.parameter_files.end());
  read.emplace_back(s.match);
  for (const Job& job : jobs)
    for (const auto& file : files_of(job.spec)) read.push_back(file);
  const bool talk = check_outputs({{s.output}, {s.save_params}, {s.plot, true}}, read, s.json);
  if (!s.match.empty()) request.match = match_request(s, jobs.front().model.description().driven);

  jobs::DampingResult result =
      with_progress([&](const jobs::Control& control) { return jobs::damping(request, control); });
  result.command = command_line;
  const bool complete = write_files(s, request, result, command_line);
  if (s.json)
    print(jobs::to_text(result));
  else if (!s.quiet && talk)
    print(match_text(result, s.relative) + damping_text(result.curves));
  if (s.quiet) return complete ? 0 : 1;
  say_notes(result.curves, s);
  double largest = 0;
  for (const loops::FirstHarmonic& point : result.curves.front().points)
    largest = std::max(largest, point.amplitude);
  for (const Job& job : jobs) {
    std::vector<std::string> notes = job.notes;
    notes.push_back(beyond_the_records(job, largest));
    for (const std::string& note : notes)
      if (!note.empty()) say("note: " + wrapped(note, 6) + "\n");
  }
  return complete ? 0 : 1;
}

Run declare(CLI::App& options, const Context& context) {
  const auto s = std::make_shared<DampingSettings>();
  OptionGroup(options, "Options")
      .words("MODEL", s->laws.models, "[MODEL...]", "a law or a sum of laws; several are compared",
             false);

  OptionGroup laws(options, "Laws");
  laws.list("--set", s->laws.sets, "NAME=VALUE", "a parameter or option of the law; repeat it");
  laws.list("--params", s->laws.parameter_files, "FILE", "values from JSON, TOML or a fit result");
  laws.list("--fit", s->laws.fits, "MODEL", "which fit of a fit result; the best if left out");
  laws.list("--covariate", s->laws.covariates, "NAME=VALUE",
            "preload, friction or the like at which the law of a fit is wanted");
  laws.text("--method", s->laws.method, "NAME", "how the law is integrated; exact if left out");

  OptionGroup motion(options, "Motion");
  motion.text("--amplitudes", s->amplitudes, "A:B:N",
              "N amplitudes from A to B, of force for laws driven by force");
  motion.flag("--log", s->log, "amplitudes in equal ratios");
  motion.text("--omega", s->omega, "W", "angular frequency; 1 if left out");

  OptionGroup orbit(options, "Several directions");
  orbit.text("--ratio", s->ratio, "R", "smaller over larger axis of the orbit: 0 line, 1 circle");
  orbit.text("--angle", s->angle, "DEGREES", "of the larger axis, from x towards y");
  orbit.text("--normal", s->normal, "R", "amplitude of un over that of the tangential motion");
  orbit.text("--normal-phase", s->normal_phase, "DEGREES", "of un before the tangential motion");
  orbit.text("--normal-mean", s->normal_mean, "U", "mean of un; a positive one presses");

  OptionGroup tuning(options, "Tuning");
  tuning.text("--match", s->match, "MODEL|FILE.csv", "tune to another law or to data");
  tuning.text("--quantity", s->quantity, "NAMES",
              "what is matched: zeta_eff, energy, secant, a1, b1 or damping; several by commas");
  tuning.text("--at", s->at, "A", "at this amplitude only");
  tuning.text("--weight", s->weight, "EXPR", "a formula in A; 1 if left out");
  tuning.list("--free", s->free, "NAMES", "which parameters may change, separated by commas");
  tuning.list("--bounds", s->bounds, "NAME=LO:HI", "limits of a free parameter; repeat it");
  tuning.flag("--relative", s->relative, "differences relative to the target");
  tuning.text("--save-params", s->save_params, "FILE", "the tuned law, as JSON or TOML");

  OptionGroup result(options, "Result");
  result.text("-o,--output", s->output, "FILE.csv", "write the table here; - is standard output");
  result.flag("--uncertainty", s->laws.uncertainty,
              "standard deviations of all columns: what the fit leaves uncertain");
  result.text("--plot", s->plot, "FILE.svg|png|pdf",
              "draw damping ratio, zeta_eff, energy and stiffness");
  result.flag("--json", s->json, "write JSON to standard output");
  result.flag("-q,--quiet", s->quiet, "no table and no notes");
  const std::string command_line = context.command_line;
  return [s, command_line] { return run(*s, command_line); };
}

}  // namespace

std::vector<double> amplitude_list(const std::string& text, bool log) {
  const auto fail = [&](const std::string& why) -> Error {
    return Error("--amplitudes " + text + " must be written A:B:N, for example 0.1:2:20; " + why);
  };
  const auto first = text.find(':'), second = text.rfind(':');
  if (first == std::string::npos || first == second) throw fail("two colons are needed");
  const double a = number("--amplitudes", text.substr(0, first));
  const double b = number("--amplitudes", text.substr(first + 1, second - first - 1));
  const double n = number("--amplitudes", text.substr(second + 1));
  if (!(a > 0) || !(b >= a) || !std::isfinite(b)) throw fail("0 < A <= B is needed");
  if (!(n >= 1 && n <= 1e6) || n != std::floor(n)) throw fail("N must be a whole number up to 1e6");
  if (n > 1 && !(b > a)) throw fail("several amplitudes need A < B");
  std::vector<double> list;
  for (int i = 0; i < static_cast<int>(n); ++i) {
    const double part = n > 1 ? i / (n - 1) : 0;
    list.push_back(log ? a * std::pow(b / a, part) : a + (b - a) * part);
  }
  if (n > 1) list.back() = b;
  return list;
}

Command damping_command() {
  return {"damping", "Energy, stiffness and damping ratio of laws against amplitude.", details,
          declare};
}

}  // namespace microslip::app
