#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

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
    head_mu = 0.15              # friction under head and nut; none if left out
    shear_stiffness = 2e5       # of the bolt between head and nut, where head_mu is given
    [load]
    input = "drive.csv"         # column u: displacement of the far end; or signal, until, step

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

[[noreturn]] void stop(const catalog::JointFile& asked, std::size_t row, Status status,
                       const std::string& trouble) {
  throw Failure("the computation stopped at " +
                asked.drive.place(std::min(row, asked.drive.values.size() - 1)) + ": " +
                std::string(explain(status)) + (trouble.empty() ? "" : "; " + trouble));
}

/// Called after each row with the displacements of the interface and the contact forces.
using EachRow =
    std::function<void(std::size_t, const contact::Vector& w, const contact::Vector& P)>;

/// A joint by geometry or by matrices.
class Joint {
 public:
  Joint(const catalog::JointFile& asked, const contact::LapPlates& plates) : asked_(asked) {
    if (asked.matrices)
      matrix_.emplace(asked.matrices->input);
    else
      lap_.emplace(plates, asked.clamping, asked.mu);
  }

  const contact::LapJoint* lap() const { return lap_ ? &*lap_ : nullptr; }
  bool planar() const { return matrix_ && matrix_->planar(); }
  contact::Index nodes() const { return lap_ ? lap_->nodes() : matrix_->nodes(); }
  double c0() const { return lap_ ? lap_->condensed().c0() : matrix_->condensed().c0(); }
  contact::TiedInterface tied() const { return lap_ ? lap_->tied() : matrix_->tied(); }
  /// Components of a pair side by side, also where there are three of them.
  JointResult solve(const EachRow& each_row, int increments) const {
    JointResult result;
    if (planar())
      run_planar(each_row, increments, result);
    else
      asked_.unilateral ? run_unilateral(each_row, result) : run_tied(each_row, result);
    return result;
  }

 private:
  double force(double u, double bw) const {
    return lap_ ? lap_->force(u, bw) : matrix_->force(u, bw);
  }
  void run_unilateral(const EachRow& each_row, JointResult& result) const {
    const contact::Problem problem = lap_ ? lap_->problem() : matrix_->problem();
    const auto keep = [&](std::size_t row, const contact::Solver& solver) {
      contact::Vector P(nodes());
      for (contact::Index i = 0; i < nodes(); ++i) P[i] = -solver.T()[2 * i];
      if (each_row) each_row(row, solver.w(), P);
    };
    contact::Result run =
        contact::run(problem, asked_.drive.values, {.stretches = true, .each_row = keep});
    if (run.status != Status::ok) stop(asked_, run.xi.size(), run.status, run.trouble);
    for (std::size_t i = 0; i < run.xi.size(); ++i)
      result.f.push_back(force(asked_.drive.values[i], run.xi[i]));
    result.energy = std::move(run.energy);
    result.stretches = std::move(run.stretches);
    result.changes = run.events;
    result.energy_balance = run.energy_error;
  }

  void run_tied(const EachRow& each_row, JointResult& result) const {
    const contact::TiedInterface tied = this->tied();
    const contact::Vector P = lap_ ? lap_->contact_forces() : matrix_->contact_forces();
    const auto keep = [&](std::size_t row, const contact::Vector& x) {
      if (each_row) each_row(row, tied.w(x, asked_.drive.values[row]), P);
    };
    friction::Result run = friction::run(tied.system, asked_.drive.values, {.log_slips = true},
                                         {.slips = true, .each_row = keep});
    if (run.status != Status::ok) stop(asked_, run.xi.size(), run.status, run.trouble);
    for (std::size_t i = 0; i < run.xi.size(); ++i)
      result.f.push_back(tied.c0 * asked_.drive.values[i] - run.xi[i]);
    result.energy = std::move(run.energy);
    for (const friction::Slip& slip : run.slips)
      result.stretches.push_back(
          {tied.points[static_cast<std::size_t>(slip.slider)],
           slip.direction > 0 ? contact::Contact::forward : contact::Contact::backward, slip.begin,
           slip.end});
    result.changes = run.events;
  }

  void run_planar(const EachRow& each_row, int increments, JointResult& result) const {
    const contact::PlanarProblem problem = matrix_->planar_problem(asked_.unilateral);
    const contact::Index first = problem.first_tangent(), all = problem.components();
    const auto keep = [&](std::size_t row, const contact::PlanarRow& now) {
      contact::Vector w(2 * nodes()), P = problem.pressure;
      if (!problem.tied()) P.resize(nodes());
      for (contact::Index i = 0; i < nodes(); ++i) {
        if (!problem.tied()) P[i] = -now.T[all * i];
        w[2 * i] = problem.tied() ? 0 : now.w[all * i];
        w[2 * i + 1] = now.w[all * i + first];
      }
      if (each_row) each_row(row, w, P);
    };
    contact::PlanarResult run = contact::run(problem, asked_.drive.values, increments, keep);
    if (run.status != Status::ok) stop(asked_, run.xi.size(), run.status, run.trouble);
    for (std::size_t i = 0; i < run.xi.size(); ++i) {
      const double u = asked_.drive.values[i];
      result.f.push_back(problem.tied() ? c0() * u - run.xi[i] : force(u, run.xi[i]));
    }
    result.energy = std::move(run.energy);
    result.stretches = std::move(run.stretches);
    result.changes = result.stretches.size();
  }

  const catalog::JointFile& asked_;
  std::optional<contact::LapJoint> lap_;
  std::optional<contact::MatrixJoint> matrix_;
};

/// Pairs behind the interface nodes are bolt heads: they have no place in the overlap.
void split_heads(JointResult& result) {
  if (!result.joint) return;
  result.head_slips.assign(result.joint->heads().size(), false);
  std::erase_if(result.stretches, [&](const contact::Stretch& stretch) {
    if (stretch.node < result.nodes) return false;
    result.head_slips[static_cast<std::size_t>(stretch.node - result.nodes)] = true;
    return true;
  });
}

/// The energy of a computation that is half as fine: half the mesh, or half the increments of a row
/// where friction acts in the plane. Without either there is nothing to compare with.
std::optional<double> coarse_energy(const catalog::JointFile& asked, const Joint& joint,
                                    const EachRow& each_row) {
  if (!asked.matrices) {
    contact::LapPlates coarse = asked.plates;
    coarse.mesh = {std::max(coarse.mesh[0] / 2, 4), std::max(coarse.mesh[1] / 2, 1)};
    return Joint(asked, coarse).solve(each_row, 0).energy.back();
  }
  if (!joint.planar() || asked.matrices->increments == 1) return std::nullopt;
  return joint.solve(each_row, asked.matrices->increments / 2).energy.back();
}

int run(const Settings& s, const std::string& command_line) {
  const catalog::JointFile asked = catalog::read_joint(s.file);
  const std::string output = s.output == "-" ? "" : s.output;
  io::check_outputs({{output}, {s.sliders}, {s.plot, true}, {s.slip_map, true}}, asked.files);
  if (!s.sliders.empty() && asked.unilateral)
    throw Error(
        "--sliders belongs to normal = \"tied\": where plates may separate, the interface " +
        std::string("is not a system of sliders"));
  const Joint joint(asked, asked.plates);
  if (!s.sliders.empty() && joint.planar())
    throw Error(
        "--sliders needs one direction of slip; contact.slip = [1, 0, 0], for example, gives it");
  const auto& u = asked.drive.values;
  const std::size_t extremes[] = {
      static_cast<std::size_t>(std::max_element(u.begin(), u.end()) - u.begin()),
      static_cast<std::size_t>(std::min_element(u.begin(), u.end()) - u.begin())};
  std::vector<JointMoment> moments;
  JointResult result;
  {
    Progress progress(s.quiet ? 0 : 2 * u.size());
    const auto keep = [&](std::size_t row, const auto& w, const auto& P) {
      for (const std::size_t extreme : extremes)
        if (row == extreme) moments.push_back({row, w, P});
      if (!s.quiet) progress.advance(1);
    };
    result = joint.solve(keep, asked.matrices ? asked.matrices->increments : 0);
    result.coarse_energy = coarse_energy(asked, joint, [&](std::size_t, const auto&, const auto&) {
      if (!s.quiet) progress.advance(1);
    });
  }
  result.file = s.file;
  result.command_line = command_line;
  result.asked = &asked;
  result.joint = joint.lap();
  result.nodes = joint.nodes();
  result.c0 = joint.c0();
  result.planar = joint.planar();
  split_heads(result);
  result.place = asked.matrices ? asked.matrices->place : joint.lap()->x();
  result.place_label = asked.matrices ? asked.matrices->place_label : "x in the overlap";
  result.extremes = std::move(moments);

  if (!output.empty()) io::write_file(output, joint_csv(result));
  if (!s.sliders.empty()) io::write_file(s.sliders, joint_sliders(result, joint.tied(), s.sliders));
  if (!s.plot.empty()) draw_or_say(joint_figure(result), s.plot);
  if (!s.slip_map.empty()) draw_or_say(joint_slip_map(result), s.slip_map);
  if (s.json)
    print(joint_json(result, output.empty()));
  else if (output.empty())
    print(joint_csv(result));
  if (result.coarse_change() > 0.01) {
    const std::string change = number_text(std::round(1000 * result.coarse_change()) / 10) + " %; ";
    if (asked.matrices)
      say("warning: half as many increments change the energy by " + change +
          "more than contact.increments = " + std::to_string(asked.matrices->increments) +
          " are needed for 1 %\n");
    else
      say("warning: half as many elements change the energy by " + change + "a finer mesh than [" +
          std::to_string(asked.plates.mesh[0]) + ", " + std::to_string(asked.plates.mesh[1]) +
          "] is needed for 1 %\n");
  }
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
