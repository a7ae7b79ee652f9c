#include "own_joints.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"
#include "microslip/contact/solver.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/signal.hpp"
#include "microslip/friction/solver.hpp"

namespace microslip::reproduce {
namespace own_joints_parts {

contact::Matrix dense(const friction::System& system) {
  const contact::Index n = system.size();
  return contact::Matrix::NullaryExpr(
      n, n, [&](contact::Index i, contact::Index j) { return system.entry(i, j); });
}

}  // namespace own_joints_parts

contact::LapPlates steel_plates(double length, double overlap, double thickness) {
  using namespace own_joints_parts;
  return {.length = length,
          .overlap = overlap,
          .thickness = thickness,
          .width = 40,
          .E = 210e3,
          .nu = 0.3,
          .plane = contact::Plane::stress,
          .mesh = {90, 4},
          .support = contact::Support::bending};
}

contact::LapJoint chapter_4_joint(double mu, double preload) {
  using namespace own_joints_parts;
  return {steel_plates(100, 40, 4), {.bolts = {{preload, 20, 24}}}, mu};
}

Saturation saturation(const contact::TiedInterface& joint) {
  using namespace own_joints_parts;
  const auto at = [&](double u) {
    const friction::Result run = friction::run(joint.system, std::vector<double>{u, 2 * u});
    if (run.status != Status::ok) throw Error("the joint could not be followed: " + run.trouble);
    const double f1 = joint.c0 * u - run.xi[0], f2 = joint.c0 * 2 * u - run.xi[1];
    const double slope = (f2 - f1) / u;
    return Saturation{joint.c0, slope, 2 * (f1 - slope * u)};
  };
  double u = 1e-3;
  Saturation before = at(u);
  for (int doubling = 0; doubling < 40; ++doubling) {
    u *= 2;
    const Saturation now = at(u);
    if (now.gap > 0 && std::abs(now.final_slope - before.final_slope) < 1e-10 * joint.c0 &&
        std::abs(now.gap - before.gap) < 1e-6 * now.gap)
      return now;
    before = now;
  }
  throw Error("the joint does not saturate");
}

double elastic_first_slope(const contact::TiedInterface& joint, double slip) {
  using namespace own_joints_parts;
  // w = C T with T = b u − K w:  T = (I + K C)⁻¹ b u,  F = (c0 − bᵀC T/u) u; symmetric by C^½.
  const contact::Vector root = (slip * joint.system.mu().cwiseInverse()).cwiseSqrt();
  const contact::Index n = root.size();
  const contact::Matrix A =
      contact::Matrix::Identity(n, n) + root.asDiagonal() * dense(joint.system) * root.asDiagonal();
  const contact::Vector b = root.cwiseProduct(joint.system.b());
  return joint.c0 - b.dot(A.llt().solve(b));
}

double rms_over_gap(const JointLoop& loop, const std::vector<double>& force, double gap) {
  using namespace own_joints_parts;
  double squares = 0;
  for (std::size_t i = 0; i < loop.f.size(); ++i)
    squares += (force[i] - loop.f[i]) * (force[i] - loop.f[i]);
  return std::sqrt(squares / double(loop.f.size())) / gap;
}

JointLoop follow(const contact::TiedInterface& joint, const std::string& signal, double scale,
                 double until, double step) {
  using namespace own_joints_parts;
  JointLoop loop;
  loop.u = sample_signal(Expression::parse(signal, {"t"}), until, step).u;
  for (double& u : loop.u) u *= scale;
  const friction::Result run = friction::run(joint.system, loop.u);
  if (run.status != Status::ok) throw Error("the joint could not be followed: " + run.trouble);
  for (std::size_t i = 0; i < loop.u.size(); ++i)
    loop.f.push_back(joint.c0 * loop.u[i] - run.xi[i]);
  return loop;
}

JointLoop follow_open(const contact::LapJoint& joint, const std::string& signal, double scale,
                      double until, double step) {
  JointLoop loop;
  loop.u = sample_signal(Expression::parse(signal, {"t"}), until, step).u;
  for (double& u : loop.u) u *= scale;
  const contact::Result run = contact::run(joint.problem(), loop.u, {.stretches = false});
  if (run.status != Status::ok) throw Error("the open joint stopped: " + run.trouble);
  for (std::size_t i = 0; i < loop.u.size(); ++i)
    loop.f.push_back(joint.force(loop.u[i], run.xi[i]));
  return loop;
}

SharedFit fit_shared(const std::vector<JointLoop>& loops) {
  using namespace own_joints_parts;
  std::vector<fit::Data> records;
  for (const JointLoop& loop : loops)
    records.push_back({"loop " + std::to_string(records.size() + 1), {}, loop.u, loop.f});
  const AnyModel law = make({"scaled(two-state-normalized)+linear", {}, {}});
  fit::Settings settings;
  settings.starts = 16;
  settings.setup.beginning = fit::Beginning::virgin;
  settings.setup.fixed = {{"scaled.input_offset", 0.0}, {"scaled.output_offset", 0.0}};
  settings.setup.separate = {"scaled.input_gain", "scaled.output_gain", "linear.k"};
  const fit::Fit found =
      fit::fit(law, records, catalog::with_hints(std::move(settings), law, records));
  const auto value = [&](const std::string& name) {
    return std::get<double>(found.parameters.front().at("scaled.two-state-normalized." + name));
  };
  return {value("alpha"), value("sigma"), found.force};
}

io::Panel normalised_panel(const std::string& title, const loops::Normalization& n,
                           const JointLoop& loop, const std::vector<double>& fit) {
  using namespace own_joints_parts;
  io::Panel panel{
      .title = title, .x = {"a2 u"}, .y = {"a0 f − a1 u"}, .curves = {}, .legend = false};
  const auto add = [&](const std::vector<double>& f, io::Style style, std::size_t colour) {
    io::Curve curve{.name = "", .x = {}, .y = {}, .style = style};
    curve.color = colour;
    for (std::size_t i = 0; i < loop.u.size(); ++i) {
      curve.x.push_back(n.u(loop.u[i]));
      curve.y.push_back(n.f(loop.u[i], f[i]));
    }
    panel.curves.push_back(std::move(curve));
  };
  add(loop.f, io::Style::solid, 0);
  if (!fit.empty()) add(fit, io::Style::dashed, 1);
  return panel;
}

io::Figure in_pairs(const std::vector<io::Panel>& panels, double height) {
  using namespace own_joints_parts;
  io::Figure figure;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    if (i % 2 == 0) figure.rows.push_back({{}, height});
    figure.rows.back().panels.push_back(panels[i]);
  }
  return figure;
}

}  // namespace microslip::reproduce
