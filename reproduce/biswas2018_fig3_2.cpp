#include <algorithm>
#include <cmath>

#include "slider_histories.hpp"
#include "support.hpp"

// 500 sliders in parallel (also figs 2 to 4 of Biswas and Chatterjee 2015): loop, singular values,
// singular vectors of two cases that coincide after scaling.

namespace microslip::reproduce {
namespace biswas2018_fig3_2_parts {

constexpr const char* first_motion = "0.6748*sin(t) + 0.2887*sin(6.5581*t)";
constexpr const char* second_motion = "0.4049*sin(t) + 0.1732*sin(4.5581*t)";

/// A singular vector as a function of the place, which may lie between sliders.
double at_place(const Eigen::VectorXd& vector, double place) {
  const double last = static_cast<double>(vector.size() - 1);
  if (place >= last) return 0;
  const auto i = static_cast<Eigen::Index>(place);
  const double part = place - static_cast<double>(i);
  return (1 - part) * vector[i] + part * vector[i + 1];
}

/// |cosine| between one vector and another stretched by a factor.
double likeness(const Eigen::VectorXd& one, const Eigen::VectorXd& other, double stretch) {
  Eigen::VectorXd scaled(one.size());
  for (Eigen::Index i = 0; i < one.size(); ++i)
    scaled[i] = at_place(other, static_cast<double>(i) / stretch);
  return std::abs(one.dot(scaled)) / (one.norm() * scaled.norm());
}

/// The best over factors near that of the numbers of sliders that slip.
double best_likeness(const Eigen::VectorXd& one, const Eigen::VectorXd& other, double stretch) {
  double best = 0;
  for (double factor = 0.8; factor <= 1.25; factor += 0.005)
    best = std::max(best, likeness(one, other, stretch * factor));
  return best;
}

std::vector<double> forces(const SliderHistory& history) {
  std::vector<double> f;
  for (std::size_t i = 0; i < history.f.size(); ++i) f.push_back(history.f[i] - history.xi[i]);
  return f;
}

io::Panel vectors(const OrthogonalModes& one, const OrthogonalModes& other, double stretch) {
  io::Panel panel{"", {"x to the power 3/2, the second case stretched"}, {"singular vector"}, {}};
  for (int k = 0; k < 3; ++k) {
    io::Curve a{k == 0 ? "first case" : "", {}, {}, io::Style::solid, 0};
    io::Curve b{k == 0 ? "second case" : "", {}, {}, io::Style::dashed, 1};
    Eigen::VectorXd scaled(500);
    for (Eigen::Index i = 0; i < 500; ++i)
      scaled[i] = at_place(other.vectors.col(k), static_cast<double>(i) / stretch);
    scaled *= one.vectors.col(k).dot(scaled) / scaled.squaredNorm();
    for (Eigen::Index i = 0; i < 500; ++i) {
      const double place = std::pow(static_cast<double>(i + 1), 1.5);
      a.x.push_back(place);
      a.y.push_back(one.vectors(i, k));
      b.x.push_back(place);
      b.y.push_back(scaled[i]);
    }
    panel.curves.push_back(std::move(a));
    panel.curves.push_back(std::move(b));
  }
  return panel;
}

Outcome compute() {
  const SliderHistory one =
      follow(friction::iwan_system(500, input("mu0", 0.002)), first_motion, 12, 12000, 12);
  const SliderHistory other =
      follow(friction::iwan_system(500, 0.004), second_motion, 12, 12000, 12);
  const std::vector<double> f = forces(one);
  Outcome out;
  auto& to = out.comparisons;

  std::vector<double> k(500, 1.0 / 500), phi;
  for (int j = 1; j <= 500; ++j) phi.push_back(j * 0.002 / 500);
  const Run masing = simulate({"masing", {{"k", k}, {"phi", phi}}, {}}, one.f);
  to.push_back(independent("largest difference to the law masing, 500 Jenkins elements", 0, 1e-12,
                           largest_difference(f, masing.history.f)));
  to.push_back(independent("dissipated until t = 12, by both", masing.history.energy.back(), 1e-12,
                           one.energy.back()));
  // The increments of the thesis are exact here: K is diagonal.
  const friction::Result steps =
      friction::run(friction::iwan_system(500, 0.002), one.f, {friction::Method::active_set});
  to.push_back(independent("largest difference of one implicit increment a row", 0, 1e-12,
                           largest_difference(one.xi, steps.xi)));

  const OrthogonalModes a = modes_of(one.x, 3), b = modes_of(other.x, 3);
  to.push_back(
      recorded("second over first singular value", 0.2888, 1e-4, a.values[1] / a.values[0]));
  to.push_back(
      recorded("third over first singular value", 0.0841, 1e-4, a.values[2] / a.values[0]));
  // Sliders up to max|u|/μ0 slip: 481 and 144 of them.
  const double stretch = (largest(one.f) / 0.002) / (largest(other.f) / 0.004);
  for (int mode = 0; mode < 3; ++mode)
    to.push_back(judged("likeness (cosine) of singular vector " + std::to_string(mode + 1) +
                            " of both cases, best stretch",
                        best_likeness(a.vectors.col(mode), b.vectors.col(mode), stretch),
                        "the text: they coincide"));

  io::Curve values{"", {}, {}, io::Style::points, {}};
  for (int i = 0; i < 10; ++i) {
    values.x.push_back(i + 1);
    values.y.push_back(a.values[std::size_t(i)]);
  }
  io::Panel loop{"", {"u"}, {"f"}, {{"", one.f, f, io::Style::solid, {}}}};
  io::Panel decay{"", {"number"}, {"singular value"}, {values}, false};
  out.figures = {{"", {"", {{{loop}, 8}}, 12}},
                 {"singular-values", {"", {{{decay}, 6}}, 12}},
                 {"singular-vectors", {"", {{{vectors(a, b, stretch)}, 8}}, 14}}};
  out.remark =
      "n = 500, μ0 = 0.002, u(t) of eq. (3.6), 12000 steps of 0.001; the second case with μ0 = "
      "0.004. Everything is printed but the numbers of the answer. Singular values from every "
      "twelfth row. Figs 2 to 4 of Biswas and Chatterjee, Royal Society Open Science 2 (2015) "
      "150188, are the same.";
  return out;
}

}  // namespace biswas2018_fig3_2_parts

Entry biswas2018_fig3_2() {
  using namespace biswas2018_fig3_2_parts;
  return {
      "biswas2018-fig3.2-3.4",
      "Biswas (2018), figs 3.2, 3.3, 3.4, section 3.2; Biswas and Chatterjee (2015), figs 2, 3, 4",
      "500 sliders in parallel: loop, singular values and vectors.",
      compute,
      {"mu0", 1.05, "largest difference to the law masing, 500 Jenkins elements"},
      "biswas2015-fig2-4"};
}

}  // namespace microslip::reproduce
