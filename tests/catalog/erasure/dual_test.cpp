#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "microslip/catalog/catalog.hpp"

namespace microslip::catalog {
namespace dual_test {

/// A motion with minor loops; irrational, so that no row falls on a kink.
Path motion() {
  Path path;
  for (int i = 1; i <= 200; ++i) {
    const double t = 0.0371 * i;
    path.t.push_back(t);
    path.u.push_back(1.3 * std::sin(2 * t) + 0.7 * std::sin(7.3 * t));
  }
  return path;
}

/// A first row is reached infinitely slowly.
std::vector<double> steps_of(const Path& path) {
  std::vector<double> dt{std::numeric_limits<double>::infinity()};
  for (std::size_t i = 1; i < path.t.size(); ++i) dt.push_back(path.t[i] - path.t[i - 1]);
  return dt;
}

double force_at_end(const AnyModel& model, const Path& path) { return model.run(path).f.back(); }

/// Central difference of the last force with respect to a scalar parameter.
double slope(const AnyModel& model, const Path& path, const std::string& name, double x) {
  const double h = 1e-6 * std::max(1.0, std::abs(x));
  return (force_at_end(model.with({{name, x + h}}), path) -
          force_at_end(model.with({{name, x - h}}), path)) /
         (2 * h);
}

TEST(Dual, derivatives_of_every_scalar_law_agree_with_differences) {
  const Path path = motion();
  const std::vector<double> dt = steps_of(path);
  const std::vector<WideDual> u(path.u.begin(), path.u.end());
  for (const Law& law : laws()) {
    const Description& d = law.description;
    if (d.family == Family::planar || d.driven == Driven::force) continue;
    const AnyModel model = law.make({}, {});
    DualValues seeds;
    std::vector<std::string> names;
    for (const ParameterInfo& p : d.parameters)
      if (p.kind == Kind::scalar && names.size() < std::size_t(dual_width)) {
        const double x = std::get<double>(model.parameters().at(p.name));
        if (x == p.bounds.lo || x == p.bounds.hi) continue;  // no central difference
        seeds[p.name] = {WideDual(x, static_cast<int>(names.size()))};
        names.push_back(p.name);
      }
    std::vector<WideDual> f(u.size());
    const AnyDualModel dual = model.dual(seeds);
    AnyState state = dual.rest();
    ASSERT_EQ(dual.run(dt, u, state, f), Status::ok) << d.name;
    EXPECT_NEAR(f.back().a, force_at_end(model, path), 1e-12 * (1 + std::abs(f.back().a)))
        << d.name;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const double x = std::get<double>(model.parameters().at(names[i]));
      double expected = 0;
      try {
        expected = slope(model, path, names[i], x);
      } catch (const Error&) {  // gamma = beta: parameters bound each other, no two sides
        continue;
      }
      // Differences of step 1e-6 are good to about 1e-8 of the curvature.
      EXPECT_NEAR(f.back().v[static_cast<int>(i)], expected, 2e-6 * (1 + std::abs(expected)))
          << d.name << "." << names[i];
    }
  }
}

TEST(Dual, lists_carry_derivatives) {
  const AnyModel model =
      make({"masing", {{"k", std::vector{1.0, 2.0}}, {"phi", std::vector{0.3, 5.0}}}, {}});
  const AnyDualModel dual = model.dual(
      {{"k", {WideDual(1, 0), WideDual(2, 1)}}, {"phi", {WideDual(0.3, 2), WideDual(5)}}});
  AnyState state = dual.rest();
  std::vector<WideDual> f(1);
  const std::vector<WideDual> u{WideDual(1, 3)};
  ASSERT_EQ(dual.run({}, u, state, f), Status::ok);
  // The first element slips with 0.3, the second is a spring: f = phi1 + k2 u.
  EXPECT_DOUBLE_EQ(f[0].a, 2.3);
  EXPECT_NEAR(f[0].v[0], 0, 1e-15);
  EXPECT_DOUBLE_EQ(f[0].v[1], 1);
  EXPECT_DOUBLE_EQ(f[0].v[2], 1);
  EXPECT_DOUBLE_EQ(f[0].v[3], 2);
}

TEST(Dual, sums_pass_derivatives_to_their_terms) {
  const AnyModel model = make({"jenkins(k=2,phi=0.5)+linear(k=0.1)", {}, {}});
  const AnyDualModel dual =
      model.dual({{"jenkins.phi", {WideDual(0.5, 0)}}, {"linear.k", {WideDual(0.1, 1)}}});
  AnyState state = dual.rest();
  std::vector<WideDual> f(1), lost(1);
  const std::vector<WideDual> u{WideDual(3, 2)};
  ASSERT_EQ(dual.run({}, u, state, f, lost), Status::ok);
  EXPECT_DOUBLE_EQ(f[0].a, 0.8);
  EXPECT_DOUBLE_EQ(f[0].v[0], 1);
  EXPECT_DOUBLE_EQ(f[0].v[1], 3);
  EXPECT_DOUBLE_EQ(f[0].v[2], 0.1);
  EXPECT_DOUBLE_EQ(lost[0].a, 0.5 * (3 - 0.25));  // slip times slip force
}

TEST(Dual, sums_in_the_plane_pass_derivatives_to_their_terms) {
  const AnyModel model =
      make({"jenkins-planar(k=2,phi=0.5)+jenkins-planar(k=0.1,phi=100)", {}, {}});
  const AnyDualModel dual = model.dual(
      {{"jenkins-planar.phi", {WideDual(0.5, 0)}}, {"jenkins-planar2.k", {WideDual(0.1, 1)}}});
  AnyState state = dual.rest();
  const Vec2<WideDual> u(WideDual(3, 2), WideDual(0, 3));
  const auto reply = dual.step(state, u, state);
  ASSERT_EQ(reply.status, Status::ok);
  // A straight motion from rest: the first slips with phi u/|u|, the second is a spring.
  EXPECT_DOUBLE_EQ(reply.force[0].a, 0.8);
  EXPECT_DOUBLE_EQ(reply.force[1].a, 0);
  EXPECT_DOUBLE_EQ(reply.force[0].v[0], 1);
  EXPECT_DOUBLE_EQ(reply.force[0].v[1], 3);
  EXPECT_DOUBLE_EQ(reply.force[0].v[2], 0.1);
  EXPECT_DOUBLE_EQ(reply.force[1].v[3], 0.5 / 3 + 0.1);
  EXPECT_DOUBLE_EQ(reply.tangent(1, 1).a, 0.5 / 3 + 0.1);
  EXPECT_DOUBLE_EQ(reply.dissipated.a, 0.5 * (3 - 0.25));
  // f²/(2k) each; of the spring k u²/2, so the derivative with respect to k is u²/2.
  EXPECT_DOUBLE_EQ(dual.stored(state).a, 0.25 / 4 + 0.09 / 0.2);
  EXPECT_DOUBLE_EQ(dual.stored(state).v[1], 4.5);
}

TEST(Dual, a_step_of_the_wrong_dimension_is_refused) {
  const AnyDualModel line = make({"jenkins", {}, {}}).dual({});
  const AnyDualModel plane = make({"jenkins-planar", {}, {}}).dual({});
  AnyState on_line = line.rest(), in_plane = plane.rest();
  EXPECT_THROW(line.step(on_line, Vec2<WideDual>(WideDual(1), WideDual(0)), on_line), Error);
  EXPECT_THROW(plane.step(in_plane, WideDual(1), 1, in_plane), Error);
}

TEST(Dual, wrong_counts_are_refused) {
  const AnyModel model = make({"masing", {}, {}});
  EXPECT_THROW(model.dual({{"k", {}}}), Error);
}

}  // namespace dual_test
}  // namespace microslip::catalog
