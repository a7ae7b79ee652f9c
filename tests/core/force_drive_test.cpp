#include "microslip/core/force_drive.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/models/jenkins.hpp"

namespace microslip {
namespace force_drive_test {

class ForceDrive : public ::testing::Test {
 protected:
  DisplacementFor find(double wanted) {
    return displacement_for(wanted, state.u, state.f,
                            [&](double u) { return law.step(state, u, trial); });
  }
  const Jenkins<double> law{{.k = 4, .phi = 1}};
  Jenkins<double>::State state = law.rest();
  Jenkins<double>::State trial = law.rest();
};

TEST_F(ForceDrive, finds_the_elastic_displacement) {
  EXPECT_EQ(find(0.5).status, Status::ok);
  EXPECT_DOUBLE_EQ(find(0.5).u, 0.125);  // f/k
  EXPECT_DOUBLE_EQ(find(-0.5).u, -0.125);
}

TEST_F(ForceDrive, does_not_move_for_the_force_it_has) {
  law.step(state, 0.1, state);
  EXPECT_EQ(find(state.f).u, 0.1);
}

/// A motion of a rounding would be a reversal, after which friction may stick again.
TEST_F(ForceDrive, does_not_move_for_the_force_it_has_to_rounding) {
  const double u = 0.7;
  const auto steep = [](double at) { return Response<double>{at, 1, 0}; };
  EXPECT_EQ(displacement_for(std::nextafter(u, 0), u, u, steep).u, u);
  EXPECT_EQ(displacement_for(std::nextafter(u, 1), u, u, steep).u, u);
  const auto shifted = [](double at) { return Response<double>{at + 0.3, 1, 0}; };
  EXPECT_EQ(displacement_for(std::nextafter(0.3, 0), 0, 0.3, shifted).u, 0);
}

TEST_F(ForceDrive, unloads_after_slip) {
  law.step(state, 3, state);
  EXPECT_DOUBLE_EQ(find(0).u, 2.75);  // 3 − phi/k
}

TEST_F(ForceDrive, says_that_a_slider_cannot_carry_more_than_its_limit) {
  EXPECT_EQ(find(1.0001).status, Status::unreachable);
  EXPECT_EQ(find(-1.0001).status, Status::unreachable);
  EXPECT_EQ(find(1).status, Status::ok);
}

/// A law driven by force has no answer beyond macroslip; the first stride, by the tangent at rest,
/// goes there although the place that is wanted lies before it.
TEST_F(ForceDrive, a_stride_beyond_the_limit_of_the_law_is_shortened) {
  const auto front = [](double F) {  // q = F²/2 up to F = 1
    return std::abs(F) <= 1 ? Response<double>{0.5 * F * std::abs(F), std::abs(F), 0}
                            : Response<double>{0, 0, 0, Status::macroslip};
  };
  for (const double wanted : {0.125, 0.4999, 0.5, -0.3}) {
    const auto found = displacement_for(wanted, 0, 0, front);
    EXPECT_EQ(found.status, Status::ok) << wanted;
    EXPECT_NEAR(found.u, std::copysign(std::sqrt(2 * std::abs(wanted)), wanted), 1e-15) << wanted;
  }
  EXPECT_EQ(displacement_for(0.5001, 0, 0, front).status, Status::macroslip);
}

TEST_F(ForceDrive, passes_on_the_status_of_the_law) {
  const auto found = displacement_for(1, 0, 0, [](double) {
    return Response<double>{0, 1, 0, Status::not_converged};
  });
  EXPECT_EQ(found.status, Status::not_converged);
}

/// f = u e^(−u): a peak of 1/e at u = 1, then softening.
Response<double> softening(double u) {
  return {u * std::exp(-u), (1 - u) * std::exp(-u), 0, Status::ok};
}

TEST(ForceDriveOfSoftening, stays_before_the_peak) {
  for (const double u : {0.1, 0.5, 0.9, 0.99, 0.999}) {
    const auto found = displacement_for(softening(u).force, 0, 0, softening);
    EXPECT_EQ(found.status, Status::ok);
    EXPECT_NEAR(found.u, u, 1e-9);  // the force determines u to √ε next to the peak
  }
}

TEST(ForceDriveOfSoftening, cannot_carry_more_than_the_peak) {
  EXPECT_EQ(displacement_for(0.3679, 0, 0, softening).status, Status::unreachable);  // 1/e = .36788
}

/// f = u − 0.4u² up to 0.6 at u = 1, from there on less, and constant.
auto dropping_to(double rest) {
  return [rest](double u) {
    return u < 1 ? Response<double>{u - 0.4 * u * u, 1 - 0.8 * u, 0} : Response<double>{rest, 0, 0};
  };
}
double before_the_drop(double f) { return (1 - std::sqrt(1 - 1.6 * f)) / 0.8; }

TEST(ForceDriveOfSoftening, stops_before_a_sudden_drop) {
  const auto found = displacement_for(0.59, 0, 0, dropping_to(0.3));
  EXPECT_EQ(found.status, Status::ok);
  EXPECT_NEAR(found.u, before_the_drop(0.59), 1e-12);
  EXPECT_EQ(displacement_for(0.61, 0, 0, dropping_to(0.3)).status, Status::unreachable);
}

TEST(ForceDriveOfSoftening, finds_a_peak_although_the_plateau_beyond_it_gained) {
  // 0.55 is more than the force at the end of the first stride.
  const auto found = displacement_for(0.58, 0, 0, dropping_to(0.55));
  EXPECT_EQ(found.status, Status::ok);
  EXPECT_NEAR(found.u, before_the_drop(0.58), 1e-12);
}

TEST(ForceDriveOfSoftening, snaps_through_to_the_next_displacement_that_carries_it) {
  // Falls to 0.1 between 1 and 2, then a second spring.
  const auto snapping = [](double u) {
    if (u < 1) return Response<double>{0.5 * u, 0.5, 0};
    return u < 2 ? Response<double>{0.9 - 0.4 * u, -0.4, 0} : Response<double>{u - 1.9, 1, 0};
  };
  EXPECT_NEAR(displacement_for(0.45, 0, 0, snapping).u, 0.9, 1e-12);
  EXPECT_NEAR(displacement_for(1.5, 0, 0, snapping).u, 3.4, 1e-12);
}

TEST(ForceDriveOfSoftening, takes_the_first_displacement_that_carries_the_force) {
  // A peak of 1 at u = 1, a drop to 0.5 at 1.2, and up again with the slope 2.2. The tangent at
  // rest asks for strides to 0.7 and 1.4: there the force has gained, and only the tangents give a
  // sign.
  const auto wavy = [](double u) {
    if (u < 1e-9) return Response<double>{1.98 * u, 0.99 / 0.7, 0};
    if (u < 1.1) return Response<double>{2 * u - u * u, 2 - 2 * u, 0};
    return u < 1.2 ? Response<double>{0.5 - 4.9 * (u - 1.2), -4.9, 0}
                   : Response<double>{0.5 + 2.2 * (u - 1.2), 2.2, 0};
  };
  const auto found = displacement_for(0.99, 0, 0, wavy);
  EXPECT_EQ(found.status, Status::ok);
  EXPECT_NEAR(found.u, 0.9, 1e-12);  // 2u − u² = 0.99
}

/// The tangent next to rest is so small that the first stride is 1e100 motions long; 200 halvings do not
/// bring it back, and a displacement of 1e-8 was returned for 0.33.
TEST_F(ForceDrive, a_law_that_hardens_from_no_stiffness_is_found) {
  for (const double n : {1.01, 1.3, 1.5, 2.0, 3.0, 7.0})
    for (const double k : {1e-6, 0.9, 1e6})
      for (const double u : {-3e4, 0.33, 2e-5}) {
        const auto hardening = [&](double x) {
          const double size = std::pow(std::abs(x), n);
          return Response<double>{std::copysign(k * size, x),
                                  x == 0 ? 0 : n * k * size / std::abs(x), 0};
        };
        const DisplacementFor found = displacement_for(hardening(u).force, 0, 0, hardening);
        EXPECT_EQ(found.status, Status::ok) << n << ' ' << k << ' ' << u;
        EXPECT_NEAR(found.u / u, 1, 1e-13) << n << ' ' << k << ' ' << u;
      }
}

}  // namespace force_drive_test
}  // namespace microslip
