#include <algorithm>
#include <cmath>
#include <memory>

#include "command.hpp"
#include "figures/draw.hpp"
#include "joint/output.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/friction/solver.hpp"
#include "microslip/io/file.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

constexpr const char* details = R"help(Input
  A TOML file: two plates that overlap, what presses them together, friction, and the motion of the
  far end. Units are yours: N, mm and MPa, for example.

    [plates]
    length = 40.0               # of each plate
    overlap = 20.0
    thickness = 3.0
    width = 10.0
    E = 70e3
    nu = 0.33
    plane = "stress"            # or "strain"
    mesh = [240, 16]            # elements along a plate, through its thickness
    support = "axial"           # or "bending"
    [contact]
    mu = 0.3
    pressure = "20"             # formula of x in [0, overlap], or a table with columns x, p
    normal = "tied"             # or "unilateral": the plates may separate
    [[bolt]]                    # instead of a pressure, one or more
    force = 2000.0
    at = 10.0                   # from the left end of the overlap
    washer = 8.0
    [load]
    input = "drive.csv"         # column u: displacement of the far end; or signal, until, step

  axial: lower plate held in x at its left end and on rollers along its underside; upper plate
  driven in x at its right end and held there in z. bending: lower plate clamped at its left end;
  u is the transverse displacement of the middle of the right end of the upper plate.

  tied: nothing opens, and contact pressures are constant; the interface is a system of sliders.
  unilateral: pressure or bolts act on the outer faces in a first step, whose energy is not
  counted; then the history begins.

Result
  t (if there is one), u, f, energy: force of the drive, and what friction has lost so far. The path
  is followed from event to event, so the rows do not influence it.
  The computation is repeated with half as many elements each way; the command reports by how much
  the energy changes, and warns above 1 %.
  --sliders writes K, mu, b and c0 of tied joints for 'simulate', 'reduce' and 'respond'.

Examples
  microslip joint examples/joints/axial.toml -o loop.csv --plot loop.svg --slip-map map.svg
  microslip joint examples/joints/axial.toml -o loop.csv --sliders joint.toml
  microslip simulate --params joint.toml --input loop.csv -o same.csv
  microslip fit loop.csv
)help";

struct Settings {
  std::string file, output, plot, slip_map, sliders;
  bool json = false, quiet = false;
};

[[noreturn]] void stop(const catalog::JointFile& asked, std::size_t row, Status status,
                       const std::string& trouble) {
  throw Failure("the computation stopped at " +
                asked.drive.place(std::min(row, asked.drive.values.size() - 1)) + ": " +
                std::string(explain(status)) + (trouble.empty() ? "" : "; " + trouble));
}

/// Called after each row with the displacements of the interface and the contact forces.
using EachRow =
    std::function<void(std::size_t, const contact::Vector& w, const contact::Vector& P)>;

void run_unilateral(const contact::LapJoint& joint, const catalog::JointFile& asked,
                    const EachRow& each_row, JointResult& result) {
  const auto keep = [&](std::size_t row, const contact::Solver& solver) {
    contact::Vector P(joint.nodes());
    for (contact::Index i = 0; i < joint.nodes(); ++i) P[i] = -solver.T()[2 * i];
    if (each_row) each_row(row, solver.w(), P);
  };
  contact::Result run =
      contact::run(joint.problem(), asked.drive.values, {.stretches = true, .each_row = keep});
  if (run.status != Status::ok) stop(asked, run.xi.size(), run.status, run.trouble);
  for (std::size_t i = 0; i < run.xi.size(); ++i)
    result.f.push_back(joint.force(asked.drive.values[i], run.xi[i]));
  result.energy = std::move(run.energy);
  result.stretches = std::move(run.stretches);
  result.changes = run.events;
  result.energy_balance = run.energy_error;
}

void run_tied(const contact::LapJoint& joint, const catalog::JointFile& asked,
              const EachRow& each_row, JointResult& result) {
  const contact::TiedInterface tied = joint.tied();
  const contact::Vector P = joint.contact_forces();
  const auto keep = [&](std::size_t row, const contact::Vector& x) {
    if (each_row) each_row(row, tied.w(x, asked.drive.values[row]), P);
  };
  friction::Result run = friction::run(tied.system, asked.drive.values, {.log_slips = true},
                                       {.slips = true, .each_row = keep});
  if (run.status != Status::ok) stop(asked, run.xi.size(), run.status, run.trouble);
  for (std::size_t i = 0; i < run.xi.size(); ++i)
    result.f.push_back(tied.c0 * asked.drive.values[i] - run.xi[i]);
  result.energy = std::move(run.energy);
  for (const friction::Slip& slip : run.slips)
    result.stretches.push_back(
        {tied.points[static_cast<std::size_t>(slip.slider)],
         slip.direction > 0 ? contact::Contact::forward : contact::Contact::backward, slip.begin,
         slip.end});
  result.changes = run.events;
}

JointResult solve(const contact::LapJoint& joint, const catalog::JointFile& asked,
                  const EachRow& each_row) {
  JointResult result;
  asked.unilateral ? run_unilateral(joint, asked, each_row, result)
                   : run_tied(joint, asked, each_row, result);
  return result;
}

double coarse_energy(const catalog::JointFile& asked, const EachRow& each_row) {
  contact::LapPlates coarse = asked.plates;
  coarse.mesh = {std::max(coarse.mesh[0] / 2, 4), std::max(coarse.mesh[1] / 2, 1)};
  return solve(contact::LapJoint(coarse, asked.clamping, asked.mu), asked, each_row).energy.back();
}

int run(const Settings& s, const std::string& command_line) {
  const catalog::JointFile asked = catalog::read_joint(s.file);
  const std::string output = s.output == "-" ? "" : s.output;
  io::check_outputs({{output}, {s.sliders}, {s.plot, true}, {s.slip_map, true}}, asked.files);
  if (!s.sliders.empty() && asked.unilateral)
    throw Error(
        "--sliders belongs to normal = \"tied\": where plates may separate, the interface " +
        std::string("is not a system of sliders"));
  const contact::LapJoint joint(asked.plates, asked.clamping, asked.mu);
  const auto& u = asked.drive.values;
  const std::size_t extremes[] = {
      static_cast<std::size_t>(std::max_element(u.begin(), u.end()) - u.begin()),
      static_cast<std::size_t>(std::min_element(u.begin(), u.end()) - u.begin())};
  std::vector<JointMoment> moments;
  JointResult result;
  {
    Progress progress(s.quiet ? 0 : 2 * u.size());
    result = solve(joint, asked, [&](std::size_t row, const auto& w, const auto& P) {
      for (const std::size_t extreme : extremes)
        if (row == extreme) moments.push_back({row, w, P});
      if (!s.quiet) progress.advance(1);
    });
    result.coarse_energy = coarse_energy(asked, [&](std::size_t, const auto&, const auto&) {
      if (!s.quiet) progress.advance(1);
    });
  }
  result.file = s.file;
  result.command_line = command_line;
  result.asked = &asked;
  result.joint = &joint;
  result.extremes = std::move(moments);

  if (!output.empty()) io::write_file(output, joint_csv(result));
  if (!s.sliders.empty()) io::write_file(s.sliders, joint_sliders(result, s.sliders));
  if (!s.plot.empty()) draw_or_say(joint_figure(result), s.plot);
  if (!s.slip_map.empty()) draw_or_say(joint_slip_map(result), s.slip_map);
  if (s.json)
    print(joint_json(result, output.empty()));
  else if (output.empty())
    print(joint_csv(result));
  if (result.mesh_error() > 0.01)
    say("warning: half as many elements change the energy by " +
        number_text(std::round(1000 * result.mesh_error()) / 10) + " %; a finer mesh than [" +
        std::to_string(asked.plates.mesh[0]) + ", " + std::to_string(asked.plates.mesh[1]) +
        "] is needed for 1 %\n");
  if (s.quiet) return 0;
  if (!output.empty() && !s.json)
    print(joint_text(result));
  else
    say(joint_text(result));
  return 0;
}

Run declare(CLI::App& options, const Context& context) {
  const auto s = std::make_shared<Settings>();
  OptionGroup(options, "Options")
      .word("FILE", s->file, "FILE.toml", "plates, contact and motion", true);
  OptionGroup result(options, "Result");
  result.text("-o,--output", s->output, "FILE.csv", "columns t, u, f, energy");
  result.text("--plot", s->plot, "FILE.svg|png|pdf", "draw the joint, its loop, slip and pressure");
  result.text("--slip-map", s->slip_map, "FILE.svg|png|pdf",
              "draw which part of the overlap slips or is open when");
  result.text("--sliders", s->sliders, "FILE.toml|json",
              "write K, mu, b of a tied joint for 'simulate sliders'");
  result.flag("--json", s->json, "write JSON to standard output");
  result.flag("-q,--quiet", s->quiet, "no table and no progress");
  const std::string command_line = context.command_line;
  return [s, command_line] { return run_file(s->file, [&] { return run(*s, command_line); }); };
}

}  // namespace

Command joint_command() {
  return {"joint", "Loops of a lap joint, from geometry.", details, declare};
}

}  // namespace microslip::app
