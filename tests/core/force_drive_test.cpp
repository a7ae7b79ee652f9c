#include "microslip/core/force_drive.hpp"

#include <gtest/gtest.h>

#include "microslip/models/jenkins.hpp"

namespace microslip {
namespace {

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

TEST_F(ForceDrive, FindsTheElasticDisplacement) {
  EXPECT_EQ(find(0.5).status, Status::ok);
  EXPECT_DOUBLE_EQ(find(0.5).u, 0.125);  // f/k
  EXPECT_DOUBLE_EQ(find(-0.5).u, -0.125);
}

TEST_F(ForceDrive, DoesNotMoveForTheForceItHas) {
  law.step(state, 0.1, state);
  EXPECT_EQ(find(state.f).u, 0.1);
}

TEST_F(ForceDrive, UnloadsAfterSlip) {
  law.step(state, 3, state);
  EXPECT_DOUBLE_EQ(find(0).u, 2.75);  // 3 − phi/k
}

TEST_F(ForceDrive, SaysThatASliderCannotCarryMoreThanItsLimit) {
  EXPECT_EQ(find(1.0001).status, Status::unreachable);
  EXPECT_EQ(find(-1.0001).status, Status::unreachable);
  EXPECT_EQ(find(1).status, Status::ok);
}

TEST_F(ForceDrive, PassesOnTheStatusOfTheLaw) {
  const auto found = displacement_for(1, 0, 0, [](double) {
    return Response<double>{0, 1, 0, Status::not_converged};
  });
  EXPECT_EQ(found.status, Status::not_converged);
}

}  // namespace
}  // namespace microslip
