#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "command.hpp"
#include "cracks/output.hpp"
#include "figures/draw.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"
#include "microslip/numerics/parallel.hpp"
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

/// Rows whose states a picture shows.
std::vector<std::size_t> extremes_of(const std::vector<double>& f) {
  const auto row = [&](auto place) { return static_cast<std::size_t>(place - f.begin()); };
  return {row(std::max_element(f.begin(), f.end())), row(std::min_element(f.begin(), f.end()))};
}
/// Between the last two times that the load reached its maximum; the whole history if it did so
/// only once.
std::vector<std::size_t> strip_of(const std::vector<double>& f) {
  constexpr std::size_t pictures = 8;
  const auto [least, most] = std::minmax_element(f.begin(), f.end());
  std::vector<std::size_t> maxima;
  for (std::size_t i = 0; i < f.size(); ++i)
    if (f[i] >= *most - 1e-9 * (*most - *least) && (maxima.empty() || i > maxima.back() + 1))
      maxima.push_back(i);
  const bool again = maxima.size() > 1 && maxima.back() - maxima[maxima.size() - 2] >= pictures;
  const std::size_t begin = again ? maxima[maxima.size() - 2] : 0;
  const std::size_t end = again ? maxima.back() : f.size() - 1;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 1; i <= pictures; ++i) {
    const std::size_t row = begin + i * (end - begin) / pictures;
    if (chosen.empty() || row != chosen.back()) chosen.push_back(row);
  }
  return chosen;
}

/// The same plate with fields of other seeds, on all cores.
int run_ensemble(const Settings& s, const catalog::CracksFile& asked, const std::string& output,
                 const std::string& command_line) {
  const double count = number("--ensemble", s.ensemble);
  if (!(count >= 2 && count <= 1e6) || count != std::floor(count))
    throw Error("--ensemble = " + s.ensemble + " must be a whole number from 2 to 1000000");
  if (!asked.random)
    throw Error(
        "--ensemble draws fields by seed; the cracks must be given as random = { n, seed }");
  for (const std::string* other : {&s.plot, &s.slip_map, &s.strip, &s.field})
    if (!other->empty()) throw Error("--ensemble has no pictures and no field; they belong to one");
  EnsembleResult result{s.file, command_line, {}, {}, {}, 0};
  const auto n = static_cast<std::size_t>(count);
  std::vector<EnsembleMember> members(n);
  {
    Progress progress(s.quiet ? 0 : n);
    std::mutex mutex;
    in_parallel(n, thread_count(0), [&](std::size_t i) {
      contact::RandomCracks field = *asked.random;
      field.seed += i;
      EnsembleMember& member = members[i];
      member.seed = field.seed;
      try {
        const contact::CrackedPlate plate(asked.plate, contact::random_cracks(field), asked.stress,
                                          asked.options);
        const contact::Result run = contact::run(plate.problem(), asked.load.values);
        if (run.status != Status::ok) {
          member.trouble = run.trouble;
        } else {
          member.energy = run.energy.back();
          for (std::size_t row = 0; row < run.xi.size(); ++row)
            member.xi_max =
                std::max(member.xi_max, std::abs(plate.xi(asked.load.values[row], run.xi[row])));
        }
      } catch (const Error& error) {
        member.trouble = error.what();
      }
      const std::lock_guard lock(mutex);
      if (!s.quiet) progress.advance(1);
    });
  }
  for (const EnsembleMember& member : members) {
    if (!member.trouble.empty()) {
      say("warning: seed " + std::to_string(member.seed) + " is left out: " + member.trouble +
          "\n");
      ++result.left_out;
      continue;
    }
    result.seed.push_back(static_cast<double>(member.seed));
    result.energy.push_back(member.energy);
    result.xi_max.push_back(member.xi_max);
  }
  if (result.energy.size() < 2) throw Failure("fewer than two fields could be computed");
  if (!output.empty()) io::write_file(output, ensemble_csv(result));
  if (s.json)
    print(ensemble_json(result));
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
  const catalog::CracksFile asked = catalog::read_cracks(s.file);
  const std::string output = s.output == "-" ? "" : s.output;
  io::check_outputs({{output}, {s.field}, {s.plot, true}, {s.slip_map, true}, {s.strip, true}},
                    asked.files);
  if (!s.ensemble.empty()) return run_ensemble(s, asked, output, command_line);
  const contact::CrackedPlate plate(asked.plate, asked.cracks, asked.stress, asked.options);
  CracksResult result{s.file, command_line, &asked, &plate, {}, {}, {}, {}};
  const auto extremes = extremes_of(asked.load.values);
  const auto strip = strip_of(asked.load.values);
  {
    Progress progress(s.quiet ? 0 : asked.load.values.size());
    const auto keep = [&](std::size_t row, const contact::Solver& solver) {
      if (std::find(strip.begin(), strip.end(), row) != strip.end())
        result.strip.push_back({row, solver.nodes()});
      for (const std::size_t extreme : extremes)
        if (extreme == row) result.extremes.push_back({row, solver.nodes()});
      if (!s.quiet) progress.advance(1);
    };
    result.run = contact::run(plate.problem(), asked.load.values,
                              {.stretches = !s.slip_map.empty(), .each_row = keep});
  }
  if (result.run.status != Status::ok)
    throw Failure("the computation stopped at " + asked.load.place(result.run.xi.size()) + ": " +
                  std::string(explain(result.run.status)) + "; " + result.run.trouble);
  for (std::size_t i = 0; i < asked.load.values.size(); ++i)
    result.xi.push_back(plate.xi(asked.load.values[i], result.run.xi[i]));

  if (!output.empty()) io::write_file(output, cracks_csv(result));
  if (!s.field.empty()) io::write_file(s.field, crack_field_csv(result));
  if (!s.plot.empty()) draw_or_say(cracks_figure(result), s.plot);
  if (!s.strip.empty()) draw_or_say(cracks_strip(result), s.strip);
  if (!s.slip_map.empty()) draw_or_say(cracks_slip_map(result), s.slip_map);
  if (s.json)
    print(cracks_json(result, output.empty()));
  else if (output.empty())
    print(cracks_csv(result));
  if (const auto [i, j] = plate.unresolved(); i != 0)
    say("warning: cracks " + std::to_string(i) + " and " + std::to_string(j) + " are " +
        number_text(distance(plate.cracks()[i - 1], plate.cracks()[j - 1])) +
        " apart; their interaction is not resolved to 0.1 % with most_nodes = " +
        std::to_string(asked.options.most_nodes) + "\n");
  if (s.quiet) return 0;
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
