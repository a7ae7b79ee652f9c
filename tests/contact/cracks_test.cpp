#include "microslip/contact/cracks.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <cmath>
#include <complex>

#include "microslip/contact/solver.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "support/message_of.hpp"

namespace microslip::contact {
namespace cracks_test {

constexpr double E = 210e3;
const Plate steel{.E = E, .nu = 0.3, .length = 10};

std::vector<double> sine(int rows, double amplitude = 1) {
  std::vector<double> f;
  for (int i = 0; i <= rows; ++i) f.push_back(amplitude * std::sin(2 * pi * i / rows));
  return f;
}

double loss(const CrackedPlate& plate, const std::vector<double>& loads) {
  const Result result = run(plate.problem(), loads);
  EXPECT_EQ(result.status, Status::ok) << result.trouble;
  EXPECT_LT(result.energy_error, 1e-11);
  return result.energy.back();
}

/// Loss of the second cycle: the first begins without a history.
double steady_loss(const CrackedPlate& plate, double amplitude = 1) {
  auto loads = sine(40, amplitude);
  const auto again = loads;
  loads.insert(loads.end(), again.begin() + 1, again.end());
  const Result result = run(plate.problem(), loads);
  EXPECT_EQ(result.status, Status::ok) << result.trouble;
  return result.energy.back() - result.energy[40];
}

// Opening of a crack under tension: w = 4σ√(a² − s²)/E', plane strain with E' = E/(1 − ν²).
TEST(Cracks, one_open_crack_is_an_ellipse) {
  for (const Plane plane : {Plane::stress, Plane::strain}) {
    Plate plate = steel;
    plate.plane = plane;
    const CrackedPlate body(plate, {{1, 2, 0.5, 0, 0.3}}, {0, 100, 0}, {.nodes = 7});
    const Result result = run(body.problem(), std::vector<double>{1});
    const double modulus = plane == Plane::stress ? E : E / (1 - 0.09);
    for (std::size_t i = 0; i < body.nodes().size(); ++i)
      EXPECT_NEAR(result.end.w[2 * Index(i)],
                  4 * 100 * std::sqrt(0.25 - std::pow(body.nodes()[i].s, 2)) / modulus, 1e-17);
    EXPECT_NEAR(body.intensity(0, result.end.w, true)[0], 100 * std::sqrt(pi * 0.5), 1e-11);
    EXPECT_EQ(result.energy.back(), 0);
    // ξ: energy of the crack is ½fLξ − ½c0f²L = πa²σ²/E'.
    EXPECT_NEAR(body.xi(1, result.xi[0]), body.c0() + 2 * pi * 0.25 * 1e4 / modulus / 10, 1e-15);
  }
}

// A closed crack at an angle: nothing moves unless τ > μp; then w = 4(τ − μp)√(a² − s²)/E'. Under
// loads 0 → 1 → 0 back slip starts at f = (τ − μp)/(τ + μp).
TEST(Cracks, one_closed_crack_under_compression_at_an_angle) {
  const double angle = 50, mu = 0.3, a = 0.5;
  const double p = 100 * std::pow(std::cos(angle * pi / 180), 2);
  const double tau = 100 * std::sin(angle * pi / 180) * std::cos(angle * pi / 180);
  const CrackedPlate body(steel, {{0, 0, a, angle, mu}}, {0, -100, 0});
  const Result up = run(body.problem(), std::vector<double>{1});
  for (std::size_t i = 0; i < body.nodes().size(); ++i) {
    EXPECT_NEAR(std::abs(up.end.w[2 * Index(i) + 1]),
                4 * (tau - mu * p) * std::sqrt(a * a - std::pow(body.nodes()[i].s, 2)) / E, 1e-17);
    EXPECT_EQ(up.end.w[2 * Index(i)], 0);
  }
  const double back = (tau - mu * p) / (tau + mu * p);
  const double D = pi * a * a * mu * p / E * ((tau - mu * p) + (tau + mu * p) * back * back);
  EXPECT_NEAR(loss(body, {0.3, 1, back + 0.1, back - 0.1, 0}), D, 1e-15);
  // Below the limit nothing moves.
  const CrackedPlate stuck(steel, {{0, 0, a, angle, 1.3}}, {0, -100, 0});
  EXPECT_EQ(run(stuck.problem(), std::vector<double>{1, -0.5, 1}).end.w[1] == 0, false)
      << "it opens under tension";
  EXPECT_EQ(loss(stuck, {0.5, 1, 0.2, 1}), 0);
}

TEST(Cracks, without_friction_a_closed_crack_slides_freely) {
  const CrackedPlate body(steel, {{0, 0, 0.5, 30, 0}}, {0, -100, 0});
  const Result result = run(body.problem(), std::vector<double>{1, -1, 0.5});
  ASSERT_EQ(result.status, Status::ok);
  const double tau = 0.5 * 100 * std::sin(pi / 6) * std::cos(pi / 6);
  EXPECT_NEAR(std::abs(result.end.w[2 * 5 + 1]),
              4 * tau * std::sqrt(0.25 - std::pow(body.nodes()[5].s, 2)) / E, 1e-17);
  EXPECT_NEAR(result.energy.back(), 0, 1e-13 * pi * 0.25 * tau * tau / E);
}

// The stress that a crack under uniform load causes elsewhere, by Westergaard's functions, seen by
// a short crack at any place and angle: an independent check of the kernels and their rotation.
TEST(Cracks, stress_around_a_crack_is_that_of_westergaard) {
  const double a = 0.7;
  for (const double angle : {0.0, 25.0, 130.0})
    for (const auto& [x, y] : {std::pair{1.3, 0.4}, {-0.2, 0.9}, {0.5, -1.6}}) {
      const double probe = 0.01;
      const CrackedPlate body(steel, {{0, 0, a, 0, 0}, {x, y, probe, angle, 0}}, {0, 1, 1},
                              {.nodes = 24, .most_nodes = 24});
      const Index n = body.first_node()[1];
      Vector w = Vector::Zero(2 * body.problem().nodes());
      const double normal = 3, shear = 5;
      for (Index i = 0; i < n; ++i) {
        const double root = 4 * std::sqrt(a * a - std::pow(body.nodes()[std::size_t(i)].s, 2)) / E;
        w[2 * i] = normal * root;
        w[2 * i + 1] = shear * root;
      }
      const Vector T = -body.problem().K() * w;
      for (Index i = n; i < body.problem().nodes(); ++i) {
        const auto& node = body.nodes()[std::size_t(i)];
        const std::complex<double> z(node.x, node.y);
        const auto root = std::sqrt(z - a) * std::sqrt(z + a);
        const auto Z = z / root - 1.0, dZ = -a * a / (root * root * root);
        const double sxx =
            normal * (Z.real() - node.y * dZ.imag()) + shear * (2 * Z.imag() + node.y * dZ.real());
        const double syy = normal * (Z.real() + node.y * dZ.imag()) - shear * node.y * dZ.real();
        const double sxy = -normal * node.y * dZ.real() + shear * (Z.real() - node.y * dZ.imag());
        const double c = std::cos(angle * pi / 180), s = std::sin(angle * pi / 180);
        const double weight = probe * pi / 25 * std::sqrt(1 - std::pow(node.s / probe, 2));
        EXPECT_NEAR(T[2 * i] / weight, s * s * sxx + c * c * syy - 2 * s * c * sxy, 1e-9);
        EXPECT_NEAR(T[2 * i + 1] / weight, s * c * (syy - sxx) + (c * c - s * s) * sxy, 1e-9);
      }
    }
}

// Two collinear cracks from ±p to ±q: K at the tips by complete elliptic integrals (Tada, Paris and
// Irwin, The Stress Analysis of Cracks Handbook).
TEST(Cracks, two_collinear_cracks) {
  const auto worst = [](double gap) {
    const double p = gap / 2, q = p + 2, k = std::sqrt(1 - p * p / (q * q));
    const double C = q * q * boost::math::ellint_2(k) / boost::math::ellint_1(k);
    const double inner = std::sqrt(pi) * (C - p * p) / std::sqrt(p * (q * q - p * p));
    const double outer = std::sqrt(pi) * (q * q - C) / std::sqrt(q * (q * q - p * p));
    const CrackedPlate body(steel, {{p + 1, 0, 1, 0, 0.3}, {-p - 1, 0, 1, 0, 0.3}}, {0, 1, 0},
                            {.nodes = 16, .most_nodes = 16});
    const Result result = run(body.problem(), std::vector<double>{1});
    return std::max(std::abs(body.intensity(0, result.end.w, false)[0] / inner - 1),
                    std::abs(body.intensity(0, result.end.w, true)[0] / outer - 1));
  };
  EXPECT_LT(worst(1), 2e-10);
  EXPECT_LT(worst(0.5), 6e-8);
  EXPECT_GT(worst(0.02), 1e-5) << "16 nodes do not resolve this gap";
}

// Two equal cracks, one above the other, by the method of M. Kachanov (International Journal of
// Solids and Structures 23 (1987) 23–43): each sees the mean of the other's stress, that of a crack
// under uniform load (Westergaard), so that K_I = √(πa)/(1 − Λ) on average; good for distances of
// the length of a crack and more.
TEST(Cracks, two_cracks_above_each_other_are_those_of_kachanov) {
  for (const auto& [h, tolerance] : {std::pair{4.0, 0.01}, {8.0, 7e-4}}) {
    double mean = 0;
    constexpr int points = 2000;
    for (int i = 0; i < points; ++i) {
      const std::complex<double> z((2 * i + 1.0) / points - 1, h);
      const auto root = std::sqrt(z - 1.0) * std::sqrt(z + 1.0);
      const auto Z = z / root - 1.0, dZ = -1.0 / (root * root * root);
      mean += (Z.real() + h * dZ.imag()) / points;
    }
    const CrackedPlate body(steel, {{0, 0, 1, 0, 0.3}, {0, h, 1, 0, 0.3}}, {0, 1, 0});
    const Result result = run(body.problem(), std::vector<double>{1});
    ASSERT_LT(mean, -0.01) << "cracks above each other shield each other";
    EXPECT_NEAR(body.intensity(0, result.end.w, true)[0] / std::sqrt(pi), 1 / (1 - mean),
                tolerance);
  }
}

// With one node a crack has one elliptical mode, which is exact for a crack by itself.
TEST(Cracks, one_node_is_one_elliptical_mode) {
  const CrackedPlate body(steel, {{0, 0, 0.5, 50, 0.3}}, {0, -100, 0}, {.nodes = 1});
  const CrackedPlate fine(steel, {{0, 0, 0.5, 50, 0.3}}, {0, -100, 0}, {.nodes = 9});
  const std::vector<double> loads{1, 0.4, -1, 0.3, 1};
  EXPECT_NEAR(loss(body, loads) / loss(fine, loads), 1, 1e-12);
}

TEST(Cracks, close_cracks_get_more_nodes) {
  const CrackedPlate body(steel, {{0, 0, 1, 0, 0.3}, {0, 0.2, 1, 0, 0.3}, {9, 9, 1, 0, 0.3}},
                          {0, 1, 0}, {.nodes = 8});
  EXPECT_GT(body.first_node()[1], 20);
  EXPECT_EQ(body.first_node()[3] - body.first_node()[2], 8);
  EXPECT_EQ(body.unresolved()[0], 0u);
  const CrackedPlate close(steel, {{0, 0, 1, 0, 0.3}, {2.001, 0, 1, 0, 0.3}}, {0, 1, 0});
  EXPECT_EQ(close.unresolved()[0], 1u);
  EXPECT_EQ(close.unresolved()[1], 2u);
}

// Cracks above each other are soft against opening together; too few nodes lose that stiffness.
TEST(Cracks, close_cracks_above_each_other_stay_definite) {
  for (const double h : {0.08, 0.11, 0.2, 0.5, 0.9})
    EXPECT_NO_THROW(
        CrackedPlate(steel, {{0, 0, 1, 0, 0.3}, {0.1, h, 1, 0, 0.3}}, {0, 1, 0}, {.nodes = 8}))
        << h;
}

TEST(Cracks, a_rotated_plate_under_a_rotated_stress_is_the_same) {
  const std::vector<Crack> cracks{
      {0, 0, 1, 20, 0.4}, {1, 1.2, 0.8, 75, 0.2}, {-1.2, 0.9, 0.5, 130, 0.7}};
  const double turn = 37 * pi / 180, c = std::cos(turn), s = std::sin(turn);
  const double sx = 30, sy = -100, sxy = 20;
  std::vector<Crack> turned = cracks;
  for (Crack& crack : turned) {
    const double x = crack.x, y = crack.y;
    crack.x = c * x - s * y;
    crack.y = s * x + c * y;
    crack.angle += 37;
  }
  const CrackedPlate one(steel, cracks, {sx, sy, sxy});
  const CrackedPlate other(
      steel, turned,
      {c * c * sx + s * s * sy - 2 * s * c * sxy, s * s * sx + c * c * sy + 2 * s * c * sxy,
       s * c * (sx - sy) + (c * c - s * s) * sxy});
  const double D = loss(one, sine(30));
  EXPECT_GT(D, 0);
  EXPECT_NEAR(loss(other, sine(30)) / D, 1, 1e-10);
  EXPECT_NEAR(other.c0() / one.c0(), 1, 1e-12);
}

// A central crack in a square plate under tension: M. Isida, International Journal of Fracture
// Mechanics 7 (1971) 301–316, F = 1.055, 1.216 for a/b = 0.2, 0.4 (half-lengths of crack and side).
TEST(Cracks, a_central_crack_in_a_square_plate) {
  Plate square = steel;
  square.finite = true;
  square.length = 2;
  for (const auto& [a, F] : {std::pair{0.2, 1.055}, {0.4, 1.216}}) {
    const CrackedPlate body(square, {{0, 0, a, 0, 0.3}}, {0, 1, 0});
    const Result result = run(body.problem(), std::vector<double>{1});
    EXPECT_NEAR(body.intensity(0, result.end.w, true)[0] / std::sqrt(pi * a), F, 0.01) << a;
  }
}

TEST(Cracks, a_far_edge_does_not_matter) {
  Plate square = steel;
  square.finite = true;
  square.length = 400;
  const std::vector<Crack> cracks{{0, 0, 1, 20, 0.4}, {1, 1.2, 0.8, 75, 0.2}};
  const double D = loss(CrackedPlate(steel, cracks, {30, -100, 0}), sine(30));
  EXPECT_NEAR(loss(CrackedPlate(square, cracks, {30, -100, 0}), sine(30)) / D, 1, 1e-3);
}

// Loads in proportion and no other force: twice the load is twice the motion.
TEST(Cracks, loss_is_proportional_to_the_square_of_the_amplitude) {
  const CrackedPlate body(steel, random_cracks({.n = 8, .region = 1.5}), {30, -100, 0},
                          {.nodes = 8});
  const double D = steady_loss(body);
  EXPECT_GT(D, 0);
  for (const double amplitude : {0.2, 3.0})
    EXPECT_NEAR(steady_loss(body, amplitude) / (amplitude * amplitude * D), 1, 1e-9);
}

TEST(Cracks, more_nodes_change_the_loss_little) {
  const auto cracks = random_cracks({.n = 8, .region = 1.5});
  const double coarse = steady_loss(CrackedPlate(steel, cracks, {30, -100, 0}, {.nodes = 10}));
  const double fine = steady_loss(CrackedPlate(steel, cracks, {30, -100, 0}, {.nodes = 28}));
  EXPECT_NEAR(coarse / fine, 1, 0.005);
}

TEST(Cracks, says_which_cracks_are_wrong) {
  const auto message = [](std::vector<Crack> cracks, Plate plate = steel,
                          std::array<double, 3> stress = {0, 1, 0}) {
    return testing::message_of([&] { CrackedPlate(plate, std::move(cracks), stress); });
  };
  const Crack far{5, 5, 0.1, 0, 0.3};
  EXPECT_EQ(message({{0, 0, 1, 0, 0.3}, far, {0.5, 0, 1, 90, 0.3}}),
            "cracks 1 and 3 cross or touch; cracks must keep a distance");
  EXPECT_EQ(message({{0, 0, 1, 0, 0.3}, {2, 0, 1, 0, 0.3}}),
            "cracks 1 and 2 cross or touch; cracks must keep a distance");
  EXPECT_EQ(message({{0, 0, 1, 0, 0.3}, {0.3, 0, 0.2, 0, 0.3}}),
            "cracks 1 and 2 cross or touch; cracks must keep a distance");
  EXPECT_EQ(message({far, {0, 0, -1, 0, 0.3}}), "crack 2: half_length = -1 must be positive");
  EXPECT_EQ(message({{0, 0, 1, 0, -0.1}}), "crack 1: mu = -0.1 must not be negative");
  Plate square = steel;
  square.finite = true;
  EXPECT_EQ(message({{4.5, 0, 1, 0, 0.3}}, square),
            "crack 1 reaches the edge of the plate: it ends at (5.5, 0), and the plate ends at ±5");
  EXPECT_EQ(message({}), "the plate has no crack; it must have at least one");
  EXPECT_EQ(
      message({{0, 0, 1, 0, 0.3}, {0, 0.02, 1, 0, 0.3}}),
      "cracks 1 and 2 are 0.02 apart, which 100 nodes do not resolve; options.most_nodes may be "
      "raised up to 400");
  EXPECT_EQ(testing::message_of([] {
              CrackedPlate(steel, random_cracks({.n = 90, .half_length = {0.05, 0.06}}), {0, 1, 0},
                           {.nodes = 80});
            }),
            "the cracks have 7200 nodes together, more than 6000; give fewer cracks or fewer "
            "options.nodes and most_nodes");
  EXPECT_EQ(message({far}, steel, {0, 0, 0}),
            "load.stress = [0, 0, 0] must have an entry that is not zero");
  EXPECT_EQ(testing::message_of([] {
              random_cracks({.n = 50, .half_length = {0.5, 0.5}, .region = 0.5});
            }).find("no room for"),
            0u);
}

TEST(Cracks, a_seed_is_a_field) {
  const auto one = random_cracks({.seed = 5}), same = random_cracks({.seed = 5});
  const auto other = random_cracks({.seed = 6});
  ASSERT_EQ(one.size(), 32u);
  EXPECT_EQ(one[31].x, same[31].x);
  EXPECT_NE(one[31].x, other[31].x);
  for (std::size_t i = 0; i < one.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GT(distance(one[i], one[j]), 0.1 * std::min(one[i].half_length, one[j].half_length));
}

}  // namespace cracks_test
}  // namespace microslip::contact
