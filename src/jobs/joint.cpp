#include "microslip/jobs/joint.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "jobs/progress.hpp"
#include "microslip/core/error.hpp"
#include "microslip/friction/solver.hpp"
#include "microslip/version.hpp"

namespace microslip::jobs {
namespace {

[[noreturn]] void stop(const catalog::JointFile& asked, std::size_t row, Status status,
                       const std::string& trouble) {
  throw Failure("the computation stopped at " +
                asked.drive.place(std::min(row, asked.drive.values.size() - 1)) + ": " +
                std::string(explain(status)) + (trouble.empty() ? "" : "; " + trouble));
}

/// Called after each row with the displacements of the interface and the contact forces.
using EachRow =
    std::function<void(std::size_t, const contact::Vector& w, const contact::Vector& P)>;

/// What following a joint along its history gives.
struct Loop {
  std::vector<double> f, energy;
  std::vector<contact::Stretch> stretches;
  std::size_t changes = 0;
  double energy_balance = 0;  ///< of unilateral contact
};

/// A joint by geometry or by matrices.
class Joint {
 public:
  Joint(const catalog::JointFile& asked, const contact::LapPlates& plates) : asked_(asked) {
    if (asked.matrices)
      matrix_.emplace(asked.matrices->input);
    else
      lap_ = std::make_shared<contact::LapJoint>(plates, asked.clamping(), asked.mu);
  }

  std::shared_ptr<const contact::LapJoint> lap() const { return lap_; }
  bool planar() const { return matrix_ && matrix_->planar(); }
  contact::Index nodes() const { return lap_ ? lap_->nodes() : matrix_->nodes(); }
  double c0() const { return lap_ ? lap_->condensed().c0() : matrix_->condensed().c0(); }
  contact::TiedInterface tied() const { return lap_ ? lap_->tied() : matrix_->tied(); }
  /// Components of a pair side by side, also where there are three of them.
  Loop solve(const EachRow& each_row, int increments) const {
    Loop result;
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
  void run_unilateral(const EachRow& each_row, Loop& result) const {
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

  void run_tied(const EachRow& each_row, Loop& result) const {
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

  void run_planar(const EachRow& each_row, int increments, Loop& result) const {
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
  std::shared_ptr<const contact::LapJoint> lap_;
  std::optional<contact::MatrixJoint> matrix_;
};

/// Pairs behind the interface nodes are bolt heads: they have no place in the overlap.
void split_heads(JointResult& result, contact::Index nodes) {
  if (!result.lap) return;
  result.head_slips.assign(result.lap->heads().size(), false);
  std::erase_if(result.stretches, [&](const contact::Stretch& stretch) {
    if (stretch.node < nodes) return false;
    result.head_slips[static_cast<std::size_t>(stretch.node - nodes)] = true;
    return true;
  });
  for (std::size_t i = 0; i < result.head_slips.size(); ++i)
    result.bolts[result.lap->heads()[i]].head_slips = result.head_slips[i];
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

NamedLaw sliders_of(const contact::TiedInterface& tied) {
  const auto list = [](const contact::Vector& v) {
    return std::vector<double>(v.data(), v.data() + v.size());
  };
  const contact::Index n = tied.system.size();
  Matrix<double> K(n, n);
  for (contact::Index i = 0; i < n; ++i)
    for (contact::Index j = 0; j < n; ++j) K(i, j) = tied.system.entry(i, j);
  NamedLaw law{.model = "sliders"};
  law.parameters = {{"K", std::move(K)},
                    {"mu", list(tied.system.mu())},
                    {"b", list(tied.system.b())},
                    {"c0", tied.c0}};
  law.options = {{"kind", "matrices"}, {"output", "u-bx"}};
  return law;
}

void describe(const catalog::JointFile& asked, const Joint& joint, JointResult& result) {
  result.normal = asked.unilateral ? "unilateral" : "tied";
  if (asked.matrices) {
    result.matrices = {asked.matrices->stiffness,
                       static_cast<std::size_t>(asked.matrices->input.K.rows()),
                       joint.planar() ? "tangent plane" : "one direction"};
    result.place = asked.matrices->place;
    result.place_label = asked.matrices->place_label;
    return;
  }
  result.plates = joint.lap()->plates();
  result.mu = asked.mu;
  for (const contact::Bolt& bolt : asked.bolts)
    result.bolts.push_back({bolt.force, bolt.at, bolt.washer, bolt.head_mu, bolt.shear_stiffness});
  result.place = joint.lap()->x();
  result.place_label = "x in the overlap";
}

void sum_up(const Loop& loop, const Joint& joint, const std::vector<double>& u,
            JointSummary& summary) {
  const auto [u_min, u_max] = std::minmax_element(u.begin(), u.end());
  const auto [f_min, f_max] = std::minmax_element(loop.f.begin(), loop.f.end());
  summary.rows = loop.f.size();
  summary.interface_nodes = static_cast<std::size_t>(joint.nodes());
  summary.u_min = *u_min;
  summary.u_max = *u_max;
  summary.f_min = *f_min;
  summary.f_max = *f_max;
  summary.stiffness_stuck = joint.c0();
  summary.dissipated = loop.energy.back();
  summary.changes = loop.changes;
  summary.energy_balance_error = loop.energy_balance;
}

void compare(std::optional<double> coarse, bool by_mesh, JointSummary& summary) {
  if (!coarse) return;
  const double energy = summary.dissipated;
  const double change = energy > 0 ? std::abs(energy - *coarse) / energy : 0;
  (by_mesh ? summary.coarse_mesh_energy : summary.coarse_increments_energy) = coarse;
  (by_mesh ? summary.mesh_energy_change : summary.increments_energy_change) = change;
}

/// The sentence of the first thing that does not go with a system of sliders.
void check_sliders(const catalog::JointFile& asked, const Joint& joint) {
  if (asked.unilateral)
    throw Error(
        "--sliders belongs to normal = \"tied\": where plates may separate, the interface " +
        std::string("is not a system of sliders"));
  if (joint.planar())
    throw Error(
        "--sliders needs one direction of slip; contact.slip = [1, 0, 0], for example, gives it");
}

}  // namespace

std::optional<double> JointResult::coarse_energy() const {
  return lap ? summary.coarse_mesh_energy : summary.coarse_increments_energy;
}
double JointResult::coarse_change() const {
  return (lap ? summary.mesh_energy_change : summary.increments_energy_change).value_or(0);
}

std::vector<io::ColumnView> JointResult::views() const {
  std::vector<io::ColumnView> views;
  if (!asked.drive.t.empty()) views.push_back({"t", asked.drive.t_unit, asked.drive.t});
  views.push_back({"u", asked.drive.unit, asked.drive.values});
  views.push_back({"f", "", f});
  views.push_back({"energy", "", energy});
  return views;
}

JointResult joint(JointRequest request, const Control& control) {
  JointResult result;
  result.version = version;
  result.file = request.name;
  result.asked = std::move(request.joint);
  const catalog::JointFile& asked = result.asked;
  result.notes = asked.drive.notes;
  const std::vector<double>& u = asked.drive.values;
  if (u.empty()) throw Error("load.u is empty");
  const Joint joint(asked, asked.plates);
  if (request.sliders) check_sliders(asked, joint);
  const std::size_t extremes[] = {
      static_cast<std::size_t>(std::max_element(u.begin(), u.end()) - u.begin()),
      static_cast<std::size_t>(std::min_element(u.begin(), u.end()) - u.begin())};
  Progress progress(control, 2 * u.size());
  const auto advance = [&] {
    if (!progress.advance(1)) throw Interrupted();
  };
  Loop loop = joint.solve(
      [&](std::size_t row, const auto& w, const auto& P) {
        for (const std::size_t extreme : extremes)
          if (row == extreme) result.extremes.push_back({row, w, P});
        advance();
      },
      asked.matrices ? asked.matrices->increments : 0);
  const std::optional<double> coarse =
      coarse_energy(asked, joint, [&](std::size_t, const auto&, const auto&) { advance(); });
  result.lap = joint.lap();
  describe(asked, joint, result);
  sum_up(loop, joint, u, result.summary);
  compare(coarse, !asked.matrices, result.summary);
  result.f = std::move(loop.f);
  result.energy = std::move(loop.energy);
  result.stretches = std::move(loop.stretches);
  split_heads(result, joint.nodes());
  if (request.sliders) result.sliders = sliders_of(joint.tied());
  if (request.with_columns) result.columns.emplace();
  if (request.with_columns)
    for (const io::ColumnView& column : result.views())
      result.columns->emplace_back(column.name,
                                   std::vector(column.values.begin(), column.values.end()));
  return result;
}

}  // namespace microslip::jobs
