#include <cmath>
#include <memory>

#include "command.hpp"
#include "cracks/output.hpp"
#include "figures/draw.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr const char* details = R"help(Input
  A TOML file: an elastic plate, straight cracks in contact with Coulomb friction, and a stress
  that varies in proportion to a load f. Units are yours: N, mm and MPa, for example.

    [plate]
    E = 210e3
    nu = 0.3
    plane = "stress"              # or "strain"
    length = 10.0                 # L of the edge stretch
    finite = false                # true: a square plate of this size, free edges
    [[crack]]                     # one table for each crack; or, in [plate],
    at = [0.0, 0.0]               #   cracks = "field.csv" with the columns x, y, a, angle, mu
    half_length = 0.5             #   random = { n = 32, seed = 1 }
    angle = 50.0                  # degrees from x
    mu = 0.3
    [load]
    stress = [30.0, -100.0, 0.0]  # sigma_x, sigma_y, sigma_xy for f = 1
    input = "load.csv"            # column f (and t); or signal, until, step
                                  # missing = "drop": rows without a number; interpolate, refuse
    [options]
    nodes = 12                    # of a crack, at least; 1: one elliptical mode
    most_nodes = 100              # of a crack that lies close to another
    edge_elements = 40            # of each side of a finite plate
    interaction = true            # false: each crack as if it were alone

  random also takes half_length, angle and mu (a number or [from, to]), region (centres lie in
  +-region) and gap (the least distance of two cracks, as a share of the longer half-length).

Result
  t (if there is one), f, xi, energy. xi = c0 f + b'w/L is the stretch of the edges that belongs to
  f; energy is what friction has lost so far, per unit of thickness; a cycle loses L times its area
  in the plane of xi and f. The path is followed from event to event, so the rows do not influence
  it. Work equals elastic energy and friction loss at every row, or the command fails.
  --slip-map draws which part of which crack is open or slips when.
  --ensemble N computes N random fields, seeds from that of the file on, on all cores. -o then holds
  seed, energy, xi_max, a row for each field; printed are mean, standard deviation and standard
  error of the friction loss. A field whose computation stops is named and left out.

Examples
  microslip cracks examples/cracks/random.toml -o loop.csv --plot loop.svg --slip-map map.svg
  microslip loops loop.csv --u xi
  microslip cracks examples/cracks/random.toml --ensemble 20 -o fields.csv
  microslip cracks examples/cracks/random.toml --strip strip.svg --field field.csv -q -o loop.csv
)help";

struct Settings {
  std::string file, output, plot, slip_map, strip, field, ensemble;
  bool json = false, quiet = false;
};

int run_ensemble(const Settings& s, jobs::EnsembleRequest request, const std::string& output,
                 const std::string& command_line) {
  const double count = number("--ensemble", s.ensemble);
  if (!(count >= 2 && count <= 1e6) || count != std::floor(count))
    throw Error("--ensemble = " + s.ensemble + " must be a whole number from 2 to 1000000");
  if (!request.cracks.random)
    throw Error(
        "--ensemble draws fields by seed; the cracks must be given as random = { n, seed }");
  for (const std::string* other : {&s.plot, &s.slip_map, &s.strip, &s.field})
    if (!other->empty()) throw Error("--ensemble has no pictures and no field; they belong to one");
  request.count = static_cast<std::size_t>(count);
  EnsembleResult result = computed(s.quiet, [&](const jobs::Control& control) {
    return jobs::cracks_ensemble(request, control);
  });
  result.command = command_line;
  for (const auto& [seed, trouble] : result.left_out)
    say("warning: seed " + std::to_string(seed) + " is left out: " + trouble + "\n");
  if (!output.empty()) io::write_file(output, ensemble_csv(result));
  if (s.json)
    print(jobs::to_text(result));
  else if (output.empty())
    print(ensemble_csv(result));
  if (s.quiet) return 0;
  if (!output.empty() && !s.json)
    print(ensemble_text(result));
  else
    say(ensemble_text(result));
  return 0;
}

int run(const Settings& s, const std::string& command_line) {
  jobs::CracksRequest request{.name = s.file, .cracks = catalog::read_cracks(s.file)};
  const std::string output = s.output == "-" ? "" : s.output;
  io::check_outputs({{output}, {s.field}, {s.plot, true}, {s.slip_map, true}, {s.strip, true}},
                    request.cracks.files);
  if (!s.ensemble.empty())
    return run_ensemble(s, {.name = s.file, .cracks = std::move(request.cracks)}, output,
                        command_line);
  request.with_columns = output.empty() && s.json;
  request.stretches = !s.slip_map.empty();
  CracksResult result = computed(s.quiet, [&](const jobs::Control& control) {
    return jobs::cracks(std::move(request), control);
  });
  result.command = command_line;

  if (!output.empty()) io::write_file(output, cracks_csv(result));
  if (!s.field.empty()) io::write_file(s.field, crack_field_csv(result));
  if (!s.plot.empty()) draw_or_say(cracks_figure(result), s.plot);
  if (!s.strip.empty()) draw_or_say(cracks_strip(result), s.strip);
  if (!s.slip_map.empty()) draw_or_say(cracks_slip_map(result), s.slip_map);
  if (s.json)
    print(jobs::to_text(result, output.empty() ? -1 : 2));
  else if (output.empty())
    print(cracks_csv(result));
  if (const auto [i, j] = result.solved->unresolved(); i != 0)
    say("warning: cracks " + std::to_string(i) + " and " + std::to_string(j) + " are " +
        number_text(distance(result.solved->cracks()[i - 1], result.solved->cracks()[j - 1])) +
        " apart; their interaction is not resolved to 0.1 % with most_nodes = " +
        std::to_string(result.asked.options.most_nodes) + "\n");
  if (s.quiet) return 0;
  say_notes(result.notes);
  if (!output.empty() && !s.json)
    print(cracks_text(result));
  else
    say(cracks_text(result));
  return 0;
}

Run declare(CLI::App& options, const Context& context) {
  const auto s = std::make_shared<Settings>();
  OptionGroup(options, "Options")
      .word("FILE", s->file, "FILE.toml", "plate, cracks and load", true);
  OptionGroup result(options, "Result");
  result.text("-o,--output", s->output, "FILE.csv", "columns t, f, xi, energy");
  result.text("--plot", s->plot, "FILE.svg|png|pdf",
              "draw the plate at the extreme loads, the loop and the friction loss");
  result.text("--slip-map", s->slip_map, "FILE.svg|png|pdf",
              "draw which part of which crack is open or slips when");
  result.text("--strip", s->strip, "FILE.svg|png|pdf",
              "draw the plate at eight moments of the last cycle");
  result.text("--field", s->field, "FILE.csv", "write the cracks: x, y, a, angle, mu");
  result.text("--ensemble", s->ensemble, "N", "N random fields instead of one: mean and spread");
  result.flag("--json", s->json, "write JSON to standard output");
  result.flag("-q,--quiet", s->quiet, "no table and no progress");
  const std::string command_line = context.command_line;
  return [s, command_line] { return run_file(s->file, [&] { return run(*s, command_line); }); };
}

}  // namespace

Command cracks_command() {
  return {"cracks", "Loops of a plate with frictional cracks, from geometry.", details, declare};
}

}  // namespace microslip::app
