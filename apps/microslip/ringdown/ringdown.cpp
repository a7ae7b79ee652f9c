#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "command.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/record_file.hpp"
#include "record_options.hpp"
#include "ringdown/output.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr const char* details = R"(Input
  A file with time and the free vibration after a blow or a release at one place or several:
  --columns acc1,acc2,acc3 names them, or counts columns from 1; column 2 if left out. Rows stand
  at equal steps of time. Rows with an empty cell or NaN, and rows that are absent, are filled by
  cubics if these follow the motion to 5 % where rows are there, and refused if not. CSV and MAT
  files are read as by 'microslip loops'. The decay begins at the first row whose motion is half of
  the largest, unless --rows or --from says where.

What is done
  The modes are the highest peaks of the spectrum, or lie at the frequencies of --at. Around each,
  the record is filtered to a band, frequency - b to frequency + b; the analytic signal (Hilbert
  transform) of what passes has an amplitude, a frequency and a damping ratio at each time. They are
  exact for a linear mode. Where a mode changes with amplitude they are means over a window of
  length 4/b, half of which is cut off at either end of the record: a point never sees an end.
  b is the widest, from half of the frequency downwards, in which the damping is known to 5 %, or
  else the one in which it is known best. Its centre follows the frequency of the mode; the picture
  shows it. --band sets b: a wider one follows faster changes, a narrower one lets less noise pass.
  Several columns are combined by the shape of the mode, one real shape for all amplitudes. 'not in
  shape' is the largest part of the motion in the band, squared, that does not follow it. Modes that
  lie in one band are separated by their shapes.
  A mode is followed until it is less than twenty times louder than the bands beside it, which are
  taken as noise. Errors are one standard deviation by noise, with what the window smooths. Where
  frequency or damping move to and fro by more, another mode is in the band: the errors are widened,
  and a mode that cannot be told from it is not reported. Clipped rows are left out.
  Amplitudes are those of the columns, unless --quantity says that they hold velocity or
  acceleration: amplitudes and damping are then those of displacement.

For each point, in CSV and JSON
  t                 middle of its window
  amplitude         of the column in which the mode is largest
  omega, frequency  of the motion, in radians and in periods, in a unit of time
  zeta              damping ratio: rate of the decay over the size of the complex frequency
  omega_error, zeta_error

Examples
  microslip ringdown decay.csv
  microslip ringdown decay.csv --columns 2,3 --modes 2 --plot decay.svg -o modes.csv
  microslip ringdown decay.csv --at 0.25 --band 0.05 --quantity acceleration --json
)";

struct Settings {
  std::string file, modes, band, quantity;
  std::vector<std::string> columns, at;
  RowOptions rows;
  std::string output, plot;
  bool json = false, quiet = false;
};

void read_columns(const Settings& s, jobs::RingdownRequest& request) {
  std::vector<std::string> columns = cut_lists(s.columns);
  if (columns.empty()) columns = {"2"};
  io::Wanted wanted{.required = {"t"}, .optional = {}, .named = {}, .option_prefix = "--"};
  s.rows.choose(wanted);
  if (!s.rows.missing.empty()) request.missing = wanted.missing;
  wanted.missing = io::Missing::keep;
  const auto name = [](std::size_t i) { return "motion " + std::to_string(i + 1); };
  for (std::size_t i = 0; i < columns.size(); ++i) wanted.named[name(i)] = columns[i];
  const io::Table table = io::read_record(s.file, wanted);
  const io::Column& t = table.at("t");
  request.name = table.source;
  request.t = t.values;
  request.t_unit = t.unit;
  request.taken = taken_for("t", t);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const io::Column& column = table.at(name(i));
    request.taken += ", " + taken_for(name(i), column);
    std::string heading = column.heading.substr(0, column.heading.find_first_of("[("));
    heading.erase(heading.find_last_not_of(' ') + 1);
    request.motions.push_back(
        {heading.empty() ? "column " + columns[i] : heading, column.unit, column.values});
  }
  request.find_start = s.rows.rows.empty() && s.rows.from.empty();
}

jobs::RingdownRequest request_of(const Settings& s) {
  jobs::RingdownRequest request;
  const auto& words = jobs::words_of<dynamics::Quantity>;
  if (!s.quantity.empty())
    request.quantity = static_cast<dynamics::Quantity>(
        choice("--quantity", s.quantity, {words.begin(), words.end()}));
  if (!s.modes.empty()) {
    const double modes = number("--modes", s.modes);
    if (!(modes >= 1 && modes <= 100) || modes != std::floor(modes))
      throw Error("--modes = " + s.modes + " must be a whole number from 1 to 100");
    request.modes = static_cast<std::size_t>(modes);
  }
  for (const std::string& word : cut_lists(s.at)) request.at.push_back(number("--at", word));
  if (!s.band.empty()) request.band = number("--band", s.band);
  read_columns(s, request);
  return request;
}

int run(const Settings& s, const std::string& command_line) {
  const bool table = check_outputs({{s.output}, {s.plot, true}}, {s.file}, s.json);
  jobs::RingdownResult result = jobs::ringdown(request_of(s));
  result.command = command_line;
  const DecayRecord& record = result.record;
  const std::vector<RingdownMode>& modes = result.found;
  if (!s.output.empty()) io::write_file(s.output, ringdown_csv(record, modes, command_line));
  const bool complete =
      s.plot.empty() || drawn([&] { io::draw(ringdown_figure(record, modes), s.plot); });
  if (s.json)
    print(jobs::to_text(result));
  else if (!s.quiet && table)
    print(ringdown_text(record, modes));
  if (!s.quiet) say_notes(result.notes);
  return complete ? 0 : 1;
}

Run declare(CLI::App& options, const Context& context) {
  const auto s = std::make_shared<Settings>();
  OptionGroup(options, "Options")
      .word("FILE", s->file, "FILE.csv", "a record of free vibration", true);

  OptionGroup input(options, "Input");
  input.list("--columns", s->columns, "NAME,...",
             "headings or numbers of the columns of motion; 2 if left out");
  s->rows.declare(input);
  input.text("--quantity", s->quantity, "displacement|velocity|acceleration",
             "what the columns hold; amplitudes and damping are those of displacement");

  OptionGroup analysis(options, "Analysis");
  analysis.text("--modes", s->modes, "N", "how many, the strongest first; 3 if left out");
  analysis.list("--at", s->at, "F,...", "frequencies of the modes, periods in a unit of time");
  analysis.text("--band", s->band, "B", "half width of the bands, periods in a unit of time");

  OptionGroup result(options, "Result");
  result.text("-o,--output", s->output, "FILE.csv",
              "amplitude, frequency and damping of the modes against time");
  result.text("--plot", s->plot, "FILE.svg|png|pdf",
              "draw decay, frequency and damping against amplitude");
  result.flag("--json", s->json, "write JSON to standard output");
  result.flag("-q,--quiet", s->quiet, "no table and no notes");
  const std::string command_line = context.command_line;
  return [s, command_line] { return run(*s, command_line); };
}

}  // namespace

Command ringdown_command() {
  return {"ringdown", "Frequency and damping against amplitude from measured free vibration.",
          details, declare};
}

}  // namespace microslip::app
