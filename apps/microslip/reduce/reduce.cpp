#include <memory>

#include "command.hpp"
#include "microslip/io/file.hpp"
#include "reduce/output.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr const char* details = R"help(Input
  A TOML file: a system of sliders, the loads that show how it moves, other loads to judge the
  result, and what is wanted.

    [system]                      # as for `simulate sliders`; or system = "sliders.toml"
    kind = "random"               # iwan, chain, or matrices with K, mu, b
    n = 100
    [[load]]                      # the modes are taken from these
    signal = "sin(t)+0.4*sin(4.16753*t)"
    until = 20
    step = 0.02                   # or file = "load.csv", column u
    [[validation]]                # not used for the modes
    signal = "sin(t)+1.5*sin(pi*t)"
    until = 20
    step = 0.02
    [reduce]
    modes = 4                     # leading singular vectors of the positions
    after_reversals = 0           # and of the motion just after reversals
    model = "zonotope"            # few-generators, ellipsoid, m-state
    study = [2, 4, 6, 8]          # compare all models for these numbers of modes
    beta_study = [0.3, 0.5, 0.7]  # the friction as a power law (eta' A eta)^beta
    fit = "directions"            # of the ellipsoid; "moments": in closed form, without a seed
    directions = 1000000          # random directions of the fits, and their seed = 1

Models
  zonotope         the friction of all sliders kept exact: improves with every mode
  few-generators   a zonotope of few generators (generators = 12): nearly as good, fast
  ellipsoid        friction along a slip as sqrt(eta' A eta), the way of the thesis: 2m numbers
  m-state          the same in canonical form, for systems whose output is u-bx

Table
  numbers      essential parameters of the model
  friction %   rms error of the friction over random directions
  loads %      rms error of the answer over its range, on the loads of the modes; energy: of the
               energy dissipated
  others %     the same on the validation loads: mean error, worst energy
  worst cycle %  error of the energy of a single cycle, the largest of all cycles of the validation
               loads (of the loads, if there are none); a cycle lasts from one rise of the load
               through the middle of its range to the next, after it has been high and low
  cycles %     the same, rms over these cycles

Examples
  microslip reduce interface.toml -o reduced.toml --plot reduced.svg
  microslip simulate --params reduced.toml --signal 'sin(t)' --until 10 --step 0.01
  microslip reduce interface.toml --table study.csv --json
)help";

struct Settings {
  std::string file, output, plot, table;
  bool json = false, quiet = false;
};

int run(const Settings& s, const std::string& command_line) {
  jobs::ReduceRequest request{.name = s.file, .reduction = catalog::read_reduction(s.file)};
  request.with_law = false;  // it has a file
  const bool talk =
      check_outputs({{s.output}, {s.table}, {s.plot, true}}, request.reduction.files, s.json);
  ReduceResult result = computed(s.quiet, [&](const jobs::Control& control) {
    return jobs::reduce(std::move(request), control);
  });
  result.command = command_line;
  if (!s.output.empty()) io::write_file(s.output, reduction_parameters(result, s.output));
  if (!s.table.empty()) io::write_file(s.table, reduction_csv(result));
  const bool complete =
      s.plot.empty() || drawn([&] { io::draw(reduction_figure(result), s.plot); });
  if (s.json)
    print(jobs::to_text(result));
  else if (!s.quiet && talk)
    print(reduction_text(result));
  if (!s.quiet) say_notes(result.notes);
  return complete ? 0 : 1;
}

Run declare(CLI::App& options, const Context& context) {
  const auto s = std::make_shared<Settings>();
  OptionGroup(options, "Options")
      .word("FILE", s->file, "FILE.toml", "what to reduce and how", true);

  OptionGroup result(options, "Result");
  result.text("-o,--output", s->output, "FILE.toml|json", "parameter file of the reduced model");
  result.text("--table", s->table, "FILE.csv", "errors, a row for each model");
  result.text("--plot", s->plot, "FILE.svg|png|pdf", "draw loops, singular values, errors");
  result.flag("--json", s->json, "write JSON to standard output");
  result.flag("-q,--quiet", s->quiet, "no table and no progress");
  const std::string command_line = context.command_line;
  return [s, command_line] { return run_file(s->file, [&] { return run(*s, command_line); }); };
}

}  // namespace

Command reduce_command() {
  return {"reduce", "Replace many sliders by a few states.", details, declare};
}

}  // namespace microslip::app
