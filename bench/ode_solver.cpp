#include "ode_solver.hpp"

#include "microslip/catalog/catalog.hpp"
#include "microslip/models/bouc_wen_park.hpp"
#include "microslip/models/bouc_wen_planar.hpp"
#include "microslip/models/bouc_wen_wang_wen.hpp"
#include "microslip/models/jenkins_planar.hpp"

namespace microslip::bench {
namespace {

using Two = std::array<double, 2>;

Two two(const Vec& z) { return {z[0], z[1]}; }

/// rate(z, v) for laws of the Bouc–Wen family.
template <class Law, class Rate>
void add_bouc_wen(Table& table, const Rate& rate) {
  const typename Law::Params p;
  table.add<Law>(
      p, Two{0, 0},
      [p, rate](const Two& z, const Vec&, const Vec& v) {
        return two(p.A * v - rate(p, Vec(z[0], z[1]), v));
      },
      [p](const Two& z, const Vec& u, const Vec&) {
        return Vec(p.k * (p.a * u + (1 - p.a) * Vec(z[0], z[1])));
      });
}

}  // namespace

void add_planar_laws(Table& table) {
  const JenkinsPlanar<double>::Params j;
  table.add<JenkinsPlanar<double>>(
      j, Two{0, 0},
      [j](const Two& at, const Vec&, const Vec& v) {
        const Vec f(at[0], at[1]);
        const bool slips = f.norm() >= j.phi * (1 - 1e-10) && f.dot(v) > 0;
        return two(j.k * (slips ? Vec(v - v.dot(f) / f.squaredNorm() * f) : v));
      },
      [](const Two& f, const Vec&, const Vec&) { return Vec(f[0], f[1]); });
  add_bouc_wen<BoucWenPlanar<double>>(table, [](const auto& p, const Vec& z, const Vec& v) {
    return Vec(z * (p.beta * std::abs(z.dot(v)) + p.gamma * z.dot(v)));  // n = 2
  });
  add_bouc_wen<BoucWenPark<double>>(table, [](const auto& p, const Vec& z, const Vec& v) {
    const Vec each = z.cwiseProduct(v);
    return Vec(z * (p.beta * each.cwiseAbs().sum() + p.gamma * each.sum()));
  });
  add_bouc_wen<BoucWenWangWen<double>>(table, [](const auto& p, const Vec& z, const Vec& v) {
    double sum = 0;
    for (int i = 0; i < 2; ++i)
      sum += std::pow(std::abs(z[i]), p.n - 1) *
             (p.beta * std::abs(v[i]) + p.gamma * v[i] * sign(z[i]));
    return Vec(z * sum);
  });
}

nlohmann::json laws_against_ode_solver() {
  fmt::print("\nagainst a general ODE solver, ns a row at 1e-8\n");
  fmt::print("                                    law    solver    ratio\n");
  Table table;
  add_displacement_laws(table);
  add_masing_laws(table);
  add_velocity_laws(table);
  add_planar_laws(table);
  table.leave_out("iwan5", "below theta = 1 its force jumps: no differential equation");
  table.leave_out("sliders", "who slips is a complementarity problem; its solvers are above");
  for (const char* elastic : {"power", "table", "gap", "unilateral"})
    table.leave_out(elastic, "a function of the displacement: there is nothing to integrate");
  for (const catalog::Law& law : catalog::laws())
    if (!table.has(law.description.name))
      table.leave_out(law.description.name, "not compared: this table has no equation of it");
  return table.finish();
}

}  // namespace microslip::bench
