#include "microslip/loops/orbit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::loops {
namespace orbit_test {

AnyModel law(const std::string& text) { return catalog::make({text, {}, {}}); }

TEST(Orbit, a_line_is_the_first_harmonic_of_the_law_on_a_line) {
  const FirstHarmonic line = first_harmonic(law("jenkins(k=2,phi=0.7)"), 1.1);
  for (const double angle : {0.0, 33.0}) {
    const FirstHarmonic plane =
        first_harmonic(law("jenkins-planar(k=2,phi=0.7)"), Orbit{.angle = angle}, 1.1);
    EXPECT_TRUE(plane.closed);
    EXPECT_NEAR(plane.energy, line.energy, 1e-5 * line.energy);
    EXPECT_NEAR(plane.a1, line.a1, 1e-5 * line.a1);
    EXPECT_NEAR(plane.b1, line.b1, 1e-5 * line.b1);
    EXPECT_NEAR(plane.secant, line.secant, 1e-12);
  }
}

// The force lags behind the velocity by ψ, sin ψ = φ/(kR): D = 2πRφ cos ψ, and b1 = φ sin ψ.
TEST(Orbit, a_circle_has_a_closed_form) {
  const double k = 2, phi = 0.7, R = 0.9, sine = phi / (k * R);
  const FirstHarmonic h = first_harmonic(law("jenkins-planar(k=2,phi=0.7)"), Orbit{.ratio = 1}, R);
  EXPECT_NEAR(h.energy, 2 * pi * R * phi * std::sqrt(1 - sine * sine), 1e-5);
  EXPECT_NEAR(h.a1, phi * std::sqrt(1 - sine * sine), 1e-5);
  EXPECT_NEAR(h.b1, phi * sine, 1e-5);
}

// A stiff contact slides all the time: D = ∮ μN |dut|, in which a normal motion in phase counts nothing and
// one of twice the way does not either; the work of the forces says the same.
TEST(Orbit, energy_is_the_work_of_the_forces) {
  const AnyModel contact = law("contact(kt=3,kn=2,mu=0.5,N0=1)");
  for (const double phase : {0.0, 40.0, 90.0}) {
    const Orbit orbit{.normal = 0.7, .normal_phase = phase, .normal_mean = 0.2};
    const FirstHarmonic h = first_harmonic(contact, orbit, 1.2);
    constexpr int rows = 40000;
    AnyState state = contact.rest();
    double work = 0;
    Vec2<double> before(0, 0), f(0, 0);
    for (int cycle = 0; cycle < 4; ++cycle) {
      work = 0;
      for (int i = 0; i <= rows; ++i) {
        const double theta = 2 * pi * i / rows;
        const Vec2<double> u(1.2 * std::sin(theta),
                             0.2 + 0.84 * std::sin(theta + phase * pi / 180));
        const Vec2<double> force = contact.step(state, u, state).force;
        if (i > 0) work += 0.5 * (force + f).dot(u - before);
        before = u;
        f = force;
      }
    }
    EXPECT_TRUE(h.closed);
    EXPECT_NEAR(h.energy, work, 1e-5 * work) << phase;
  }
}

TEST(Orbit, what_a_law_has_no_direction_for_is_refused) {
  EXPECT_THROW(first_harmonic(law("jenkins"), Orbit{}, 1), Error);
  EXPECT_THROW(first_harmonic(law("contact"), Orbit{.ratio = 1}, 1), Error);
  EXPECT_THROW(first_harmonic(law("jenkins-planar"), Orbit{.normal = 1}, 1), Error);
  EXPECT_THROW(first_harmonic(law("jenkins-planar"), Orbit{.ratio = 2}, 1), Error);
}

}  // namespace orbit_test
}  // namespace microslip::loops
