#include <cmath>
#include <memory>

#include "command.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "reduce/output.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using Index = Eigen::Index;
using reduce::Shape;

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

/// What fails once the input is understood is a failure of the computation.
template <class Work>
auto computed(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Failure(error.what());
  }
}

/// Modes for a total number, in the proportion that was asked for.
Eigen::MatrixXd basis_of(const catalog::ReductionFile& asked, const reduce::MotionRecord* record,
                         Index total) {
  if (asked.analytic)
    return reduce::analytic_modes(asked.sliders.system->size(), total, asked.alpha);
  const auto [main, after, window] = asked.modes;
  const auto later = static_cast<Index>(
      std::floor(static_cast<double>(total * after) / static_cast<double>(main + after)));
  return record->modes(total - later, later).basis;
}

void solve(ReductionResult& r, bool quiet) {
  const auto& asked = r.asked;
  const auto& system = *asked.sliders.system;
  const reduce::Output output{asked.sliders.minus_bx, asked.sliders.c0};
  const reduce::Build build = [](const ModelSpec& spec) { return catalog::make(spec); };
  Progress progress(asked.loads.size() + asked.validation.size() + 1 + 3 * asked.study.size());
  const auto run_all = [&](const auto& histories, std::vector<reduce::FullRun>& runs) {
    for (const auto& history : histories) {
      if (!quiet) progress.stage(history.name);
      runs.push_back(
          computed([&] { return reduce::run_full(system, output, history.name, history.rows); }));
      if (!quiet) progress.advance(1);
    }
  };
  run_all(asked.loads, r.loads);
  run_all(asked.validation, r.validation);

  std::unique_ptr<reduce::MotionRecord> record;
  if (!asked.analytic) {
    std::vector<std::vector<double>> rows;
    for (const auto& history : asked.loads) rows.push_back(history.rows);
    record = computed(
        [&] { return std::make_unique<reduce::MotionRecord>(system, rows, asked.modes.window); });
  }
  const Index total = asked.modes.main + asked.modes.after_reversals;
  if (record)
    r.singular_values = computed([&] {
      return record->modes(asked.modes.main, asked.modes.after_reversals).singular_values;
    });
  const auto evaluate = [&](Index modes, Shape shape) {
    const reduce::Task task{output, std::max(asked.generators * modes / total, modes), asked.fit,
                            r.loads, r.validation};
    return computed([&] {
      return reduce::evaluate(system, basis_of(asked, record.get(), modes), shape, task, build);
    });
  };
  if (!quiet) progress.stage("reduced model");
  r.chosen = evaluate(total, asked.shape);
  r.basis = computed([&] { return basis_of(asked, record.get(), total); });
  if (!asked.betas.empty())
    r.beta_errors = computed([&] {
      const auto projected = reduce::project(system, r.basis);
      return reduce::error_against_beta(projected.generators, asked.betas, asked.fit);
    });
  if (!quiet) progress.advance(1);
  for (const Index modes : asked.study)
    for (const Shape shape : {Shape::ellipsoid, Shape::few_generators, Shape::zonotope}) {
      r.study.push_back(evaluate(modes, shape));
      if (!quiet) progress.advance(1);
    }
}

int run(const Settings& s, const std::string& command_line) {
  ReductionResult result;
  result.file = s.file;
  result.command_line = command_line;
  result.asked = catalog::read_reduction(s.file);
  const bool talk =
      check_outputs({{s.output}, {s.table}, {s.plot, true}}, result.asked.files, s.json);
  solve(result, s.quiet);
  if (!s.output.empty()) io::write_file(s.output, reduction_parameters(result, s.output));
  if (!s.table.empty()) io::write_file(s.table, reduction_csv(result));
  const bool complete =
      s.plot.empty() || drawn([&] { io::draw(reduction_figure(result), s.plot); });
  if (s.json)
    print(reduction_json(result));
  else if (!s.quiet && talk)
    print(reduction_text(result));
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
