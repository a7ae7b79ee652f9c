#include <algorithm>
#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"
#include "microslip/core/error.hpp"
#include "microslip/loops/match.hpp"
#include "refit.hpp"

// Figs 3.7 to 3.9: shapes prescribed by hand, and the two-state law fitted to them (fig. 3.6 is the
// sketch of that fit). The shapes are drawn and not printed. They are rebuilt as polylines through
// a few points of two decimals, on the loops that the printed parameters give: the text says that
// these follow the shapes.

namespace microslip::reproduce {
namespace biswas2018_fig3_7_parts {

struct Row {
  double mu, sigma, alpha, b1, b2, ks;
};

constexpr Row table_e1[] = {{0.0176, 0.1425, 0.2222, 0.2047, 0.2458, -0.2481},
                            {0.1164, 0.0047, 0.1879, 0.0175, 0.3734, 0.1515},
                            {0.1506, 0.9925, 1.4728, -1.7047, -1.4578, 2.5444}};
constexpr Row table_e2[] = {{0.2039, 0.0707, 2.4733, 0.6868, -1.0032, -0.0319},
                            {0.0503, 0.0152, 0.3736, 1.2695, -0.2733, 3.8860}};

AnyModel law_of(const Row& r) {
  return make({"two-state",
               {{"mu", r.mu},
                {"sigma", r.sigma},
                {"alpha", r.alpha},
                {"b1", r.b1},
                {"b2", r.b2},
                {"ks", r.ks}},
               {}});
}

double yield_displacement(const Row& r) {
  return 1 / std::sqrt((r.b1 * r.b1 / r.sigma + r.b2 * r.b2) / r.mu);
}
double final_slope(const Row& r) { return 1 + r.ks - (r.b1 * r.b1 + r.b2 * r.b2) / r.alpha; }
double half_gap(const Row& r) {
  return std::sqrt(r.mu * (r.sigma * r.b1 * r.b1 + r.b2 * r.b2)) / r.alpha;
}

/// A path through turning points with `pieces` knots to a leg, each piece of `rows` rows.
struct Shape {
  std::vector<double> turns;
  std::size_t compared_from;  ///< the leg at which the prescribed shape begins
  std::size_t pieces = 10;
  std::size_t rows = 8;

  std::vector<double> knots() const {
    std::vector<double> u{turns.front()};
    for (std::size_t leg = 1; leg < turns.size(); ++leg)
      for (std::size_t i = 1; i <= pieces; ++i) {
        // Closer after the reversal, where the curve bends.
        const double part = std::pow(static_cast<double>(i) / static_cast<double>(pieces), 1.4);
        u.push_back(turns[leg - 1] + part * (turns[leg] - turns[leg - 1]));
      }
    return u;
  }
};

double rounded(double f) { return std::round(100 * f) / 100; }

/// Forces at the knots, to two decimals as a hand would give them.
std::vector<double> knots_of(const AnyModel& law, const Shape& shape) {
  std::vector<double> f = law.run({{}, shape.knots(), {}}).f;
  for (double& x : f) x = rounded(x);
  return f;
}

/// Straight lines between the knots; what leads to the shape has no weight.
fit::Data polyline(const Shape& shape, const std::vector<double>& force) {
  const std::vector<double> u = shape.knots();
  fit::Data data{"shape", {}, {u.front()}, {force.front()}, {0.0}};
  for (std::size_t k = 1; k < u.size(); ++k)
    for (std::size_t i = 1; i <= shape.rows; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(shape.rows);
      data.u.push_back(u[k - 1] + part * (u[k] - u[k - 1]));
      data.f.push_back(force[k - 1] + part * (force[k] - force[k - 1]));
      data.weight.push_back(k > shape.compared_from * shape.pieces ? 1.0 : 0.0);
    }
  return data;
}

fit::Fit fitted(const std::string& law, const fit::Data& data) {
  const AnyModel blind = make({law, {}, {}});
  fit::Settings settings;
  settings.setup.beginning = fit::Beginning::virgin;
  return fit::fit(blind, {data}, catalog::with_hints(std::move(settings), blind, {data}));
}

AnyModel law_of(const fit::Fit& fit) {
  return make({fit.model, fit.parameters.front(), fit.options});
}

/// Energy of the steady loop between ±U.
double cycle_energy(const AnyModel& law, double amplitude) {
  const double U = amplitude;
  const History h = law.run({{}, {U, -U, U, -U, U}, {}});
  return h.energy[4] - h.energy[2];
}

io::Panel panel_of(const std::string& title, const fit::Data& data, const fit::Fit& fit) {
  io::Panel panel{.title = title, .x = {"u"}, .y = {"f"}, .curves = {}, .legend = false};
  io::Curve shape{"shape", {}, {}, io::Style::points, 0}, loop{"fit", {}, {}, io::Style::solid, 1};
  for (std::size_t i = 0; i < data.rows(); ++i) {
    if (data.weight[i] == 0) continue;
    if (i % 4 == 0) shape.x.push_back(data.u[i]), shape.y.push_back(data.f[i]);
    loop.x.push_back(data.u[i]);
    loop.y.push_back(fit.force.front()[i]);
  }
  panel.curves = {std::move(shape), std::move(loop)};
  return panel;
}

io::Panel smaller_loops(const AnyModel& law, double amplitude) {
  io::Panel panel{
      .title = "100, 85 and 70 %", .x = {"u"}, .y = {"f"}, .curves = {}, .legend = false};
  for (const double part : {1.0, 0.85, 0.7}) {
    std::vector<double> u = spaced(part * amplitude, -part * amplitude, 100);
    const std::vector<double> back = spaced(-part * amplitude, part * amplitude, 100);
    u.insert(u.end(), back.begin(), back.end());
    u.insert(u.begin(), {part * amplitude, -part * amplitude});
    const History h = law.run({{}, u, {}});
    panel.curves.push_back({"", {h.u.begin() + 2, h.u.end()}, {h.f.begin() + 2, h.f.end()}});
  }
  return panel;
}

/// Thickness of a minor loop: largest difference of its two branches. `leg` is the one that opens
/// it.
double thickness(const AnyModel& law, const Shape& shape, std::size_t leg) {
  std::vector<double> u(shape.turns.begin(), shape.turns.begin() + static_cast<long>(leg));
  const double from = shape.turns[leg - 1], to = shape.turns[leg];
  const std::size_t first = u.size() - 1, n = 50;
  const std::vector<double> away = spaced(from, to, n), back = spaced(to, from, n);
  u.insert(u.end(), away.begin() + 1, away.end());
  u.insert(u.end(), back.begin() + 1, back.end());
  const std::vector<double> f = law.run({{}, u, {}}).f;
  double most = 0;
  for (std::size_t i = 0; i <= n; ++i)
    most = std::max(most, std::abs(f[first + i] - f[first + 2 * n - i]));
  return most;
}

io::Row figure_3_7(std::vector<Comparison>& to, std::size_t i, double& worst) {
  const Row& row = table_e1[i];
  const std::string name = "fig. 3.7, case " + std::to_string(i + 1) + ": ";
  const double U = 4 * yield_displacement(row);
  const Shape half{{0, U, -U, U}, 2};
  const AnyModel printed_law = law_of(row);
  const fit::Data data = polyline(half, knots_of(printed_law, half));
  const fit::Fit fit = fitted("two-state", data);
  worst = std::max(worst, fit.rms_relative);
  to.push_back(circular(name + "rms of the fit to the shape / force range", 0, 0.01,
                        fit.rms_relative, "the text: the model fits well"));
  for (const double part : {1.0, 0.85, 0.7})
    to.push_back(circular(
        name + "energy at " + std::to_string(std::lround(100 * part)) +
            " % of the amplitude over that of the printed parameters",
        1, 0.03, cycle_energy(law_of(fit), part * U) / cycle_energy(printed_law, part * U)));
  return {
      {panel_of("3.7, case " + std::to_string(i + 1), data, fit), smaller_loops(law_of(fit), U)},
      4};
}

/// rms of the m-state law nearest to the loop between ±1.2, over the range of its force: least squares
/// from a graded start.
double misfit_of_states(std::size_t m, const AnyModel& shape) {
  std::vector<double> u{1.2, -1.2};
  for (const double end : {1.2, -1.2}) {
    const std::vector<double> leg = spaced(u.back(), end, 40);
    u.insert(u.end(), leg.begin() + 1, leg.end());
  }
  const std::vector<double> force = shape.run({{}, u, {}}).f;
  loops::Matching problem;
  problem.target.assign(force.begin() + 2, force.end());
  problem.weight.assign(problem.target.size(), 1);
  for (std::size_t i = 0; i < m; ++i) problem.start.push_back(0.02 * std::pow(3.0, double(i)));
  for (std::size_t i = 0; i < m; ++i) problem.start.push_back(0.5);
  problem.start.push_back(0.1);
  problem.lower.assign(2 * m + 1, -20);
  problem.upper.assign(2 * m + 1, 20);
  std::fill_n(problem.lower.begin(), m, 5e-3);  // very unequal half axes cost many steps
  std::fill_n(problem.upper.begin(), m, 1.0);
  problem.starts = 3;
  problem.curve = [&](std::span<const double> p) -> std::vector<double> {
    try {
      const History h = make({"m-state",
                              {{"a", std::vector<double>(p.begin(), p.begin() + long(m))},
                               {"b", std::vector<double>(p.begin() + long(m), p.end() - 1)},
                               {"alpha", 1.0},
                               {"ks", p.back()}},
                              {}})
                            .run({{}, u, {}});
      return {h.f.begin() + 2, h.f.end()};
    } catch (const Error&) {
      return {};
    }
  };
  return loops::match(problem).rms / (largest(force) - smallest(force));
}

io::Panel figure_3_8(std::vector<Comparison>& to, double worst_of_3_7) {
  // Slopes 1, 0.4, 0.1 after a reversal, that is, two Jenkins elements and a spring.
  const AnyModel lines = make({"masing(k=[0.6,0.3],phi=[0.12,0.18])+linear(k=0.1)", {}, {}});
  const Shape half{{0, 1.2, -1.2, 1.2}, 2};
  const std::vector<double> u = half.knots();
  fit::Data data = polyline(half, std::vector<double>(u.size(), 0.0));
  data.f = lines.run({{}, data.u, {}}).f;
  const double last = input("force of the last third of three straight lines", 1);
  for (std::size_t i = 8 * data.f.size() / 9; i < data.f.size(); ++i) data.f[i] *= last;
  const fit::Fit two = fitted("two-state", data);
  const fit::Fit exact = fitted("masing(k=[0.5,0.4],phi=[0.1,0.2])+linear", data);
  to.push_back(at_least("fig. 3.8: rms of two-state over the worst of fig. 3.7", 1,
                        two.rms_relative / worst_of_3_7,
                        "the text: the model fits those well, and three straight lines are not "
                        "captured very accurately"));
  to.push_back(independent("fig. 3.8: rms of two sliders and a spring / force range", 0, 1e-9,
                           exact.rms_relative, "two sharp changes of slope are two sliders"));
  const double with_two = misfit_of_states(2, lines), with_three = misfit_of_states(3, lines),
               with_four = misfit_of_states(4, lines);
  const char* note =
      "the thesis, without details: nor \"by models with 3 or 4 states\"; ours by least squares "
      "from three starts, so that a better minimum may have been missed. Their domain is smooth "
      "whatever the number of states";
  to.push_back(
      judged("fig. 3.8: rms of three states over that of two", with_three / with_two, note));
  to.push_back(judged("fig. 3.8: rms of four states over that of two", with_four / with_two, note));
  return panel_of("3.8, three straight lines", data, two);
}

void figure_3_9(std::vector<Comparison>& to, std::vector<io::Panel>& panels) {
  const char* same = "both cases have the same major loop; from the printed numbers alone";
  to.push_back(judged("fig. 3.9, Table E.2: final slope of case 2 over case 1",
                      final_slope(table_e2[1]) / final_slope(table_e2[0]), same));
  to.push_back(judged("fig. 3.9, Table E.2: gap of case 2 over case 1",
                      half_gap(table_e2[1]) / half_gap(table_e2[0]), same));
  // A cycle with a minor loop in the third quadrant (legs 3 and 4) and one in the first (6 and 7).
  const Shape cycle{{0, 1, -0.5, -0.1, -1, 0.5, 0.1, 1, -0.5, -0.1, -1, 0.5, 0.1, 1}, 7, 6};
  const std::size_t third = 9, first = 12;
  const std::vector<double> thin = knots_of(law_of(table_e2[0]), cycle);
  const std::vector<double> thick = knots_of(law_of(table_e2[1]), cycle);
  std::vector<double> one_thick = thin;
  // From where the minor loop leaves the major branch to the end of the way back.
  const std::size_t begin = (third - 1) * cycle.pieces, end = begin + 2 * cycle.pieces;
  for (std::size_t k = begin; k <= end; ++k) one_thick[k] = thick[k];
  const fit::Data data1 = polyline(cycle, thin), data2 = polyline(cycle, one_thick);
  const fit::Fit fit1 = fitted("two-state", data1), fit2 = fitted("two-state", data2);
  to.push_back(
      circular("fig. 3.9, case 1: rms of the fit / force range", 0, 0.01, fit1.rms_relative));
  const AnyModel law1 = law_of(fit1), law2 = law_of(fit2);
  to.push_back(at_least("fig. 3.9, case 2: thickness of the third-quadrant loop over case 1", 1,
                        thickness(law2, cycle, third) / thickness(law1, cycle, third)));
  // Prescribed thick in the third quadrant alone; the fit cannot follow, since the law is odd.
  to.push_back(
      at_least("fig. 3.9, case 2: fitted over prescribed thickness in the first quadrant", 1,
               thickness(law2, cycle, first) / thickness(law_of(table_e2[0]), cycle, first),
               "the text: similar changes occur in the first quadrant"));
  panels = {panel_of("3.9, case 1", data1, fit1), panel_of("3.9, case 2", data2, fit2)};
}

Outcome compute() {
  Outcome outcome;
  io::Figure figure;
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i)
    figure.rows.push_back(figure_3_7(outcome.comparisons, i, worst));
  std::vector<io::Panel> minor;
  const io::Panel lines = figure_3_8(outcome.comparisons, worst);
  figure_3_9(outcome.comparisons, minor);
  figure.rows.push_back({{lines, minor[0], minor[1]}, 4});
  outcome.figures = {{"", figure}};
  outcome.remark =
      "Points: prescribed shapes, rebuilt as polylines since they are not printed; lines: fits of "
      "the two-state law. Amplitudes are not printed either: four times the first slip for fig. "
      "3.7, "
      "1 for fig. 3.9. As in the thesis, three straight lines are missed; two sliders and a spring "
      "are made for them.";
  return outcome;
}

}  // namespace biswas2018_fig3_7_parts

Entry biswas2018_fig3_7() {
  using namespace biswas2018_fig3_7_parts;
  return {"biswas2018-fig3.6-3.9",
          "Biswas (2018), figs 3.6 to 3.9; Biswas and Chatterjee (2015), figs 6 to 9",
          "Shapes of loops rebuilt from the printed fits, and the two-state law fitted to them.",
          compute,
          {"force of the last third of three straight lines", 1.05,
           "fig. 3.8: rms of two sliders and a spring / force range"},
          "biswas2015-fig6-9"};
}

}  // namespace microslip::reproduce
