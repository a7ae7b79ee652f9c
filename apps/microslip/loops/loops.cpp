#include <algorithm>
#include <cmath>
#include <memory>

#include "command.hpp"
#include "loops/figure.hpp"
#include "loops/output.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/record_file.hpp"
#include "record_options.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr const char* details = R"(Input
  A CSV file with displacement and force, and time if there is any. Headings such as u [mm],
  Lead Actuator Displacement (mm), Force (kN), Time are found in any order; --u, --f and --t name
  other headings, or count columns from 1. Rows with an empty cell, NaN or NA are left out, and
  counted; --missing interpolate fills them by a straight line. A row of units may stand below the
  headings. Without headings two columns are u,f and three are t,u,f. The first line of the answer
  says which column was taken for what. --rows 100:900, --from and --to choose a part of the file.
  Files compressed by gzip (.csv.gz) are unpacked; - is standard input. In a MAT file each vector
  is a column that goes by its name, force or test.force; those of a matrix A are A(:,1), A(:,2).
  A file with the line '# driven: force' is read with u and f exchanged; the exponent of the energy
  is then given for the amplitude of the force, too.

What is done
  A turn of the motion counts as a reversal when it goes back by more than the threshold, which is
  estimated from the noise unless --threshold gives it. Single rows that jump away and back are
  left out. Where energy and stiffness are both negative, one sign was recorded the wrong way
  round; the analysis is then that of -f.
  Loops are paired as hysteresis forgets them: an interruption of a longer motion is a minor loop,
  and the remaining motion is cut into loops one after the other. Where the amplitude falls, a loop
  does not return to its start; its numbers then come from both of its legs and all of its tips.
  The first and the last leg are left out where they are only part of a loop.

For each loop
  amplitude, mean   half range and middle of u
  force             largest minus smallest force
  energy            area, without the loops inside
  secant, tangent   slope between the tips; slope just after the reversals
  zeta              equivalent damping ratio, energy / (4 pi * secant * amplitude^2 / 2)
  asymmetry         one branch against the other turned by 180 degrees, rms / force range
  Masing            branches against the doubled backbone, rms / force range
  closure           force where the loop ends minus where it began, over the force range
  opening           displacement where it ends minus where it began, over its range (in files)
  Asymmetry, Masing and closure are given in percent in the table, as fractions in files.

For the record
  The backbone is the first leg where the record starts at rest, otherwise the branches of the
  largest loop, halved. From it comes the Iwan density, -g'': which share of the stiffness slips at
  which displacement; --law writes it as the law iwan-table. The exponent m of energy ~ amplitude^m
  is given with its 95 % confidence. --preisach fits relays instead, cell by cell, by least squares:
  what first-order reversal curves show, where loops differ from place to place.
  The half gap is half of the distance between the lines in which the branches of the largest loop
  end, amplitude * (secant - final slope). --normalized writes the record with final slope 0, gap 2
  and first slope 1: f -> a0 (f - fc) - a1 (u - uc), u -> a2 (u - uc), with a0 = 1/(half gap).

Files
  --widened writes f - a u - b |u|, with 0.999 times the a and b of least squares: thin loops, such
  as those of cracked plates, become visible.
  -o -, --backbone -, --normalized - and --widened - write to standard output, without the table.

Examples
  microslip loops bolt.csv
  microslip loops bolt.csv --u 'LVDT 2' --f 'Cell (kN)' --plot loops.png -o cycles.csv
  microslip loops bolt.csv --law joint.json
  microslip loops bolt.csv --threshold 0.02 --json | jq '.cycles[].energy'
)";

struct Settings {
  std::string file, threshold, bars, cells;
  RecordOptions record;
  std::string output, backbone, normalized, law, preisach, widened, plot;
  bool json = false, quiet = false;
};

jobs::LoopsRequest request_of(const Settings& s) {
  jobs::LoopsRequest request;
  request.record = record_of(io::read_record(s.file, s.record.wanted()));
  if (!s.threshold.empty()) request.threshold = number("--threshold", s.threshold);
  if (!s.bars.empty()) {
    const double bars = number("--bars", s.bars);
    if (!(bars >= 1 && bars <= 200) || bars != static_cast<double>(static_cast<int>(bars)))
      throw Error("--bars = " + s.bars + " must be a whole number from 1 to 200");
    request.bars = static_cast<std::size_t>(bars);
  }
  if (!s.preisach.empty()) request.cells = 10;
  if (!s.cells.empty()) {
    if (s.preisach.empty()) throw Error("--cells needs --preisach");
    const double cells = number("--cells", s.cells);
    if (!(cells >= 1 && cells <= 30) || cells != static_cast<double>(static_cast<int>(cells)))
      throw Error("--cells = " + s.cells + " must be a whole number from 1 to 30");
    request.cells = static_cast<std::size_t>(cells);
  }
  return request;
}

/// False when a picture that was asked for could not be drawn.
bool write_files(const Settings& s, const jobs::LoopsResult& result) {
  const MeasuredRecord& record = result.record;
  const loops::Loops& found = result.found;
  const std::string& command_line = result.command;
  if (!s.normalized.empty() && !found.normalization)
    throw Failure("the record has no loop that can be normalised");
  if (!s.backbone.empty() && found.backbone.x.empty())
    throw Failure("the record has no loop, so there is no backbone");
  if (!s.output.empty()) io::write_file(s.output, cycles_csv(record, found, command_line));
  if (!s.backbone.empty()) io::write_file(s.backbone, backbone_csv(record, found, command_line));
  if (!s.normalized.empty())
    io::write_file(s.normalized, normalized_csv(record, found, command_line));
  if (!s.law.empty()) io::write_file(s.law, law_text(found, s.law));
  if (result.preisach) io::write_file(s.preisach, preisach_text(*result.preisach, s.preisach));
  if (!s.widened.empty()) io::write_file(s.widened, widened_csv(record, found, command_line));
  return s.plot.empty() || drawn([&] { io::draw(loops_figure(record, found), s.plot); });
}

int run(const Settings& s, const std::string& command_line) {
  const std::vector<io::Output> files{{s.output},   {s.backbone}, {s.normalized}, {s.law},
                                      {s.preisach}, {s.widened},  {s.plot, true}};
  const bool table = check_outputs(files, {s.file}, s.json);
  jobs::LoopsResult result = jobs::loops(request_of(s));
  result.command = command_line;
  const MeasuredRecord& record = result.record;
  const loops::Loops& found = result.found;
  const bool complete = write_files(s, result);
  if (s.json)
    print(jobs::to_text(result));
  else if (!s.quiet && table)
    print(loops_text(record, found));
  if (!s.quiet)
    for (const std::string& warning : result.warnings) say("note: " + wrapped(warning, 6) + "\n");
  if (!s.quiet && found.pinched)
    say("note: The loops are pinched, as by clearance or by what brings a device back to zero:\n"
        "      for a fit try --free backlash, or --model pinched,flag,rocking.\n");
  return complete ? 0 : 1;
}

Run declare(CLI::App& options, const Context& context) {
  const auto s = std::make_shared<Settings>();
  OptionGroup(options, "Options")
      .word("FILE", s->file, "FILE.csv", "a record of displacement and force", true);

  OptionGroup input(options, "Input");
  s->record.declare(input);

  OptionGroup analysis(options, "Analysis");
  analysis.text("--threshold", s->threshold, "X", "smaller turns of u are noise");
  analysis.text("--bars", s->bars, "N", "of the Iwan density; 20 if left out");
  analysis.text("--cells", s->cells, "N", "cells on a side for --preisach; 10 if left out");

  OptionGroup result(options, "Result");
  result.text("-o,--output", s->output, "FILE.csv", "the loops, a row each");
  result.text("--backbone", s->backbone, "FILE.csv", "the backbone");
  result.text("--normalized", s->normalized, "FILE.csv",
              "the record with final slope 0, gap 2, first slope 1");
  result.text("--law", s->law, "FILE.json|toml",
              "the Iwan density as a law that simulate, damping and respond run");
  result.text("--preisach", s->preisach, "FILE.json|toml",
              "relays by least squares, as the law preisach-table; for reversal curves");
  result.text("--widened", s->widened, "FILE.csv",
              "the record less a bilinear trend, f - a u - b |u|");
  result.text("--plot", s->plot, "FILE.svg|png|pdf",
              "draw loops, backbone, energy and damping against amplitude, Iwan density");
  result.flag("--json", s->json, "write JSON to standard output");
  result.flag("-q,--quiet", s->quiet, "no table and no notes");
  const std::string command_line = context.command_line;
  return [s, command_line] { return run(*s, command_line); };
}

}  // namespace

Command loops_command() {
  return {"loops", "Find the loops of a measured record and what they say.", details, declare};
}

}  // namespace microslip::app
