#include <cmath>
#include <memory>

#include "command.hpp"
#include "figures/draw.hpp"
#include "joint/output.hpp"
#include "microslip/core/text.hpp"
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
    head_mu = 0.15              # friction under head and nut; none if left out
    shear_stiffness = 2e5       # of the bolt between head and nut, where head_mu is given
    [load]
    input = "drive.csv"         # column u: displacement of the far end; or signal, until, step
                                # missing = "drop": rows without a number; "interpolate", "refuse"

  axial: lower plate held in x at its left end and on rollers along its underside; upper plate
  driven in x at its right end and held there in z. bending: lower plate clamped at its left end;
  u is the transverse displacement of the middle of the right end of the upper plate.

  tied: nothing opens, and contact pressures are constant; the interface is a system of sliders.
  unilateral: pressure or bolts act on the outer faces in a first step, whose energy is not
  counted; then the history begins.

  Instead of [plates] and bolts: matrices of any finite-element code, and pairs of nodes.

    [matrices]
    stiffness = "joint.sti"     # Matrix Market, CalculiX .sti, Abaqus .mtx, MAT; parts unconnected
    dofs = "joint.dof"          # lines node.direction, one for each row, where they are not known
    held = ["1.1", "1.2"]       # degrees of freedom without motion; or a table, column dof
    [contact]
    pairs = "pairs.csv"         # columns from, to: nodes, 0 for the ground; if wanted, P, area,
                                # mu, gap, nx, ny, nz, and x, y, z for pictures
    direction = [0, 0, 1]       # the normal of all pairs
    slip = [1, 0, 0]            # the only direction of slip; without it the tangent plane
    mu = 0.3
    pressure = 20               # times area; or the column P; or what load.forces cause
    normal = "tied"
    increments = 4              # of a row, where friction acts in the plane
    [load]
    driven = ["21.1", "22.1"]   # degrees of freedom that move by u; or a table, column dof
    forces = "forces.csv"       # constant forces, columns dof, f
    input = "drive.csv"

Result
  t (if there is one), u, f, energy: force of the drive, and what friction has lost so far. The path
  is followed from event to event, so the rows do not influence it.
  The computation is repeated with half as many elements each way; the command reports by how much
  the energy changes, and warns above 1 %. With matrices the mesh is yours; where friction acts in
  the tangent plane, half as many increments of a row are tried instead.
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

int run(const Settings& s, const std::string& command_line) {
  jobs::JointRequest request;
  request.name = s.file;
  request.joint = catalog::read_joint(s.file);
  const std::string output = s.output == "-" ? "" : s.output;
  io::check_outputs({{output}, {s.sliders}, {s.plot, true}, {s.slip_map, true}},
                    request.joint.files);
  request.sliders = !s.sliders.empty();
  request.with_columns = output.empty() && s.json;
  JointResult result = computed(s.quiet, [&](const jobs::Control& control) {
    return jobs::joint(std::move(request), control);
  });
  result.command = command_line;

  if (!output.empty()) io::write_file(output, joint_csv(result));
  if (!s.sliders.empty()) io::write_file(s.sliders, joint_sliders(result, s.sliders));
  if (!s.plot.empty()) draw_or_say(joint_figure(result), s.plot);
  if (!s.slip_map.empty()) draw_or_say(joint_slip_map(result), s.slip_map);
  if (s.json) {
    result.sliders.reset();  // they have a file
    print(jobs::to_text(result, output.empty() ? -1 : 2));
  } else if (output.empty()) {
    print(joint_csv(result));
  }
  if (result.coarse_change() > 0.01) {
    const std::string change = number_text(std::round(1000 * result.coarse_change()) / 10) + " %; ";
    if (result.matrices)
      say("warning: half as many increments change the energy by " + change +
          "more than contact.increments = " + std::to_string(result.asked.matrices->increments) +
          " are needed for 1 %\n");
    else
      say("warning: half as many elements change the energy by " + change + "a finer mesh than [" +
          std::to_string(result.plates->mesh[0]) + ", " + std::to_string(result.plates->mesh[1]) +
          "] is needed for 1 %\n");
  }
  if (s.quiet) return 0;
  say_notes(result.notes);
  if (!output.empty() && !s.json)
    print(joint_text(result));
  else
    say(joint_text(result));
  return 0;
}

Run declare(CLI::App& options, const Context& context) {
  const auto s = std::make_shared<Settings>();
  OptionGroup(options, "Options")
      .word("FILE", s->file, "FILE.toml", "plates or matrices, contact and motion", true);
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
  return {"joint", "Loops of a lap joint from geometry, or of any joint from matrices.", details,
          declare};
}

}  // namespace microslip::app
