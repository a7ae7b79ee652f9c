#include <filesystem>
#include <memory>

#include "command.hpp"
#include "fit/input.hpp"
#include "fit/posterior.hpp"
#include "fit/report.hpp"
#include "microslip/io/file.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr const char* details = R"(Input
  Files with displacement and force, and time if there is any, read as 'microslip loops' reads them.
  Several files are fitted together: all parameters are shared, but those of --separate, or all but
  those of --share. Errors are relative to the range of the force of each file. Laws driven by
  force (slip-front, sliders, ellipsoid, zonotope) answer a displacement to the measured force, and
  errors are those of the displacement; they are fitted when --model names them, not together with
  other laws. It does not matter which column the file says was driven.
  --weight NAME is a column, in each file, of numbers that say how much a row counts: 1/variance of
  its noise, in any unit, the same in all files. A row of weight 0 moves the law, but is compared
  with nothing.

Laws
  --model NAME, repeated or separated by commas; sums such as jenkins+iwan4 work too. 'all', which
  is the default, takes every law that makes sense for the record: those that depend on the rate
  need t. Lists (the elements of masing, for example) get 4 elements, or --elements N.

Another preload
  --covariate preload: files say '# preload: 30' above their table (or --covariate preload=20,30,
  one value for each file, those of --predict behind them). Coulomb friction makes displacement and
  force scale together with preload and friction coefficient, f(u) = s g(u/s), so that one law is
  fitted to all files, each divided by its s; several covariates multiply. The law is that of the
  first file; 'simulate' and 'damping --params FILE.json --covariate preload=40' give another.
  --predict FILE.csv is not fitted: reported are, for each law, its error, what the parameters leave
  uncertain in force and energy, those that are not determined included ("± of the fit"), and what
  the law itself misses on records that it has not seen ("± of the law"): of several files each is
  predicted from the others; of one file, the rows that were held out and the energies of its loops.

Search
  Least squares from many starts, spread over the region that the record suggests: stiffness,
  force, amplitude, speed. It ends early when the best minimum is found again and again.
  --fix phi=2 holds a parameter, --bounds chi=-0.9:-0.1 limits it (either side may be empty); a
  name goes to every law that has it, iwan4.chi to one law.
  --free offset,gain,offset_u,spring,backlash: f = offset + gain law(u - offset_u), with a spring
  beside the law or a gap in front of it. --free delay: the channel of f is later than that of u
  (earlier, if negative) by this time, or by rows where there is no t; up to a tenth of a cycle
  unless --bounds delay=-0.01:0.02 says more. --free drift,drift_u: zeros that move in time. --fix
  holds any of them.
  --start says what was before the first row: virgin (at rest at u = 0), first-row (at rest there),
  cycled (once through the first large cycle), unknown (two reversals, which are fitted), or auto:
  virgin or first-row if the record looks like it, else unknown.
  All laws together have 60 seconds, or --time-budget; what quick laws leave is for slow ones.
  --robust makes outliers count less. Ctrl-C ends the search: the best so far is written all the
  same, marked as interrupted.

Posterior
  --posterior FILE.json draws samples of the parameters and of the noise for each law that was
  fitted: by NUTS with exact derivatives about the best fit, or by transitional sampling from the
  prior, which finds several minima and gives the evidence, by which laws are then ranked.
  --prior 'phi={ lognormal = [1, 0.2] }' (normal, uniform, with truncated = [a, b]); without one a
  parameter is uniform, or its logarithm, in a wide box. 'microslip study' draws from the file by
  "joint[1]" = { fit = "FILE.json" }, and 'simulate --params FILE.json' runs its best draw.

Result
  A ranking by AICc, in which equals stand in the order of their numbers, the determined first:
  error (rms / force range), error of the energy of the cycles, error on rows that were held out
  from a second fit, number of fitted numbers. Parameters with standard errors;
  what the data do not determine is said, and has none. A number that only acts together with
  others (mu of two-state) is held and said.
  --holdout auto|minor|last|none|0.3|2,4-6: minor loops, the last third of the cycles, the last 30 %
  of the rows, these cycles. auto takes minor loops that have 1 % of the rows, else the last cycles.
  --profile NAME: how the error rises when NAME is held elsewhere; 95 % interval.
  -o FILE.json keeps all fits, and 'microslip simulate --params FILE.json' runs the best one.
  --report FILE.html is a page with pictures that needs nothing else.
  Exit code: 0 fine, 1 no law could be fitted or Ctrl-C, 2 bad input.

Examples
  microslip fit bolt.csv
  microslip fit bolt.csv --model iwan4,two-state --free offset -o bolt.json --report bolt.html
  microslip fit bolt.csv --model bouc-wen --fix n=1 --profile beta --start unknown
  microslip fit low.csv high.csv --model iwan4 --separate Fs
  microslip fit low.csv --covariate preload=20,40 --predict high.csv --model iwan4 -o bolt.json
  microslip simulate --params bolt.json --signal 'sin(t)' --until 10 --step 0.01
)";

/// True if standard output is free for the table.
bool check_files(const FitCommand& command, const FitRequest& request) {
  std::vector<std::filesystem::path> read;
  for (const jobs::Record& record : request.records) read.emplace_back(record.name);
  return check_outputs({{command.output},
                        {command.report},
                        {command.plot, true},
                        {command.posterior},
                        {command.corner, true}},
                       read, command.json);
}

int run(const FitCommand& command, const std::string& command_line) {
  ProgressBar::silence(command.quiet);
  const FitRequest request = fit_request(command);
  const bool table = check_files(command, request);
  check_posterior(command, request);
  // Opened before the work, so that a folder that cannot be written to is known at once.
  std::unique_ptr<io::AtomicFile> output, report;
  if (!command.output.empty()) output = std::make_unique<io::AtomicFile>(command.output);
  if (!command.report.empty()) report = std::make_unique<io::AtomicFile>(command.report);
  FitResult result = [&] {
    const StopOnRequest interruptible;
    return with_progress([&](const jobs::Control& control) { return jobs::fit(request, control); });
  }();
  result.command = command_line;
  const bool any = result.fits.front().status != fit::Outcome::failed;
  if (output) {
    output->write(jobs::to_text(result));
    output->commit();
  }
  if (report && any) {
    report->write(fit_report(result));
    report->commit();
  }
  bool complete = true;
  if (!command.plot.empty() && any) complete = drawn([&] { draw_fits(result, command.plot); });
  if (command.json)
    print(jobs::to_text(result));
  else if (!command.quiet && table)
    print(fit_text(result));
  if (!command.quiet) say_notes(result.notes);
  if (!any && !result.interrupted)
    throw Failure(result.fits.size() == 1
                      ? result.fits.front().model + ": " + result.fits.front().message
                      : "no law could be fitted");
  if (!command.posterior.empty() && any && !result.interrupted)
    complete = write_posterior(command, request, result, command_line) && complete;
  if (result.interrupted)
    throw Failure(any ? "interrupted; the result is the best so far"
                      : "interrupted before any law was fitted");
  return complete ? 0 : 1;
}

Run declare(CLI::App& options, const Context& context) {
  const auto c = std::make_shared<FitCommand>();
  OptionGroup(options, "Options")
      .words("FILE", c->words, "FILE.csv...", "records of displacement and force", true);

  OptionGroup input(options, "Input");
  c->record.declare(input);
  input.text("--weight", c->weight, "NAME",
             "heading or number of a column that says how much a row counts");
  input.text("--start", c->start, "WHEN",
             "before the first row: auto, virgin, first-row, cycled, unknown");
  input.text("--sign", c->sign, "auto|keep",
             "keep fits the force as it is, even where energy seems to be negative");
  input.text("--threshold", c->threshold, "X", "smaller turns of u are noise");

  input.list("--covariate", c->covariates, "NAME[=VALUES]",
             "preload or friction of each file, by which force and displacement scale");

  OptionGroup laws(options, "Laws");
  laws.list("--model", c->models, "MODEL,...", "laws, sums of laws, or all");
  laws.text("--elements", c->elements, "N", "of lists such as those of masing; 4 if left out");
  laws.list("--fix", c->fixes, "NAME=VALUE", "hold a parameter");
  laws.list("--bounds", c->bounds, "NAME=LOW:HIGH", "limits of a parameter");
  laws.list("--free", c->free, "offset|gain|offset_u|delay|drift|drift_u|spring|backlash,...",
            "also fit these numbers of the measurement and of the rig");
  laws.list("--separate", c->separate, "NAMES", "one value for each file");
  laws.list("--share", c->share, "NAMES", "one value for all files, the others separate");

  OptionGroup search(options, "Search");
  search.text("--starts", c->starts, "N", "at most; 32 if left out");
  search.text("--seed", c->seed, "N", "of the spread of starts; 1 if left out");
  search.text("--time-budget", c->budget, "SECONDS", "for all laws together; 60 if left out");
  search.text("--threads", c->threads, "N", "as many as the machine has if left out");
  search.flag("--robust", c->robust, "outliers count less");

  OptionGroup judgement(options, "Judgement");
  judgement.text("--holdout", c->holdout, "ROWS", "auto, minor, last, none, 0.3 or 2,4-6");
  judgement.list("--predict", c->predicted, "FILE.csv",
                 "a record that is not fitted, but predicted; repeat it");
  judgement.list("--profile", c->profiles, "NAME", "profile likelihood of a parameter");

  OptionGroup posterior(options, "Posterior");
  posterior.text("--posterior", c->posterior, "FILE.json", "samples of parameters and noise");
  posterior.text("--sampler", c->sampler, "nuts|transitional", "nuts if left out");
  posterior.list("--prior", c->priors, "NAME={DISTRIBUTION}", "of a parameter; repeat it");
  posterior.text("--draws", c->draws, "N", "of each chain; 1000 if left out");
  posterior.text("--chains", c->chains, "N", "4 if left out");
  posterior.text("--corner", c->corner, "FILE", "samples against each other: svg, png or pdf");

  OptionGroup result(options, "Result");
  result.text("-o,--output", c->output, "FILE.json", "all fits, best first");
  result.text("--report", c->report, "FILE.html", "one page with pictures");
  result.text("--plot", c->plot, "FILE.svg|png|pdf", "the record and the best fits");
  result.flag("--json", c->json, "write JSON to standard output");
  result.flag("-q,--quiet", c->quiet, "no table and no notes");
  const std::string command_line = context.command_line;
  return [c, command_line] { return run(*c, command_line); };
}

}  // namespace

Command fit_command() {
  return {"fit", "Explain a measured record: which law, which parameters, how sure.", details,
          declare};
}

}  // namespace microslip::app
