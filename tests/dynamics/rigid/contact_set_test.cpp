#include "dynamics/rigid/contact_set.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/support.hpp"

namespace microslip::dynamics {
namespace contact_set_test {

AnyModel coulomb(double fc) { return law("coulomb", {{"fc", fc}}); }

ContactSet stuck(const std::vector<AnyModel>& laws, const Eigen::MatrixXd& along) {
  ContactSet set(laws, along);
  set.rest();
  set.measure(1);
  set.stick();
  return set;
}

/// Two contacts side by side share what they hold in proportion to their limits, 1 and 3, and together
/// hold 4.
TEST(ContactSet, contacts_side_by_side_share_a_force) {
  const ContactSet set = stuck({coulomb(1), coulomb(3)}, Eigen::RowVector2d(1, 1));
  const auto force = [](double p) { return Eigen::VectorXd::Constant(1, p); };
  const ContactSet::Decision held = set.decide(force(2));
  EXPECT_LT((held.holds - Eigen::Vector2d(0.5, 1.5)).norm(), 1e-14);
  EXPECT_EQ(held.acceleration.size(), 0);
  EXPECT_TRUE(set.can_hold(force(-4 * (1 - 1e-12))));
  EXPECT_FALSE(set.can_hold(force(4 * (1 + 1e-12))));

  const ContactSet::Decision slips = set.decide(force(-6));
  ASSERT_EQ(slips.acceleration.size(), 1);
  EXPECT_NEAR(slips.acceleration[0], -2, 1e-14);
  EXPECT_EQ(slips.sides, (std::vector<int>{-1, -1}));
  const ContactSet::Plane plane = set.plane(slips);
  EXPECT_NEAR(plane.beyond(force(-4)), 0, 1e-14);
  EXPECT_GT(plane.beyond(force(-4.1)), 0);
  EXPECT_LT(plane.beyond(force(-3.9)), 0);
}

/// Contacts along x, along y and along the diagonal, whose limits as forces in the plane are (1, 0), (0, 1)
/// and (1, 1). What they can hold is the sum of these three segments; a force (3, 0) is nearest to it at
/// (2, 0), where the one along y hinders the diagonal one from moving the body sideways.
TEST(ContactSet, three_contacts_in_the_plane_leave_the_least_acceleration) {
  Eigen::MatrixXd along(2, 3);
  along << 1, 0, std::sqrt(0.5), 0, 1, std::sqrt(0.5);
  ContactSet set = stuck({coulomb(1), coulomb(1), coulomb(std::sqrt(2))}, along);
  const ContactSet::Decision slips = set.decide(Eigen::Vector2d(3, 0));
  ASSERT_EQ(slips.acceleration.size(), 2);
  EXPECT_LT((slips.acceleration - Eigen::Vector2d(1, 0)).norm(), 1e-12);
  EXPECT_LT((slips.holds - Eigen::Vector3d(1, -1, std::sqrt(2))).norm(), 1e-12);
  EXPECT_EQ(slips.sides, (std::vector<int>{1, 0, 1}));

  // The one along y sticks on: the body can only move along x.
  set.let_go(slips);
  set.stick();
  EXPECT_EQ(set.stuck(), (std::vector<std::size_t>{1}));
  EXPECT_EQ(set.slipping(), (std::vector<std::size_t>{0, 2}));
  ASSERT_EQ(set.free().cols(), 1);
  EXPECT_LT((set.free_part(Eigen::Vector2d(0.3, 5)) - Eigen::Vector2d(0.3, 0)).norm(), 1e-14);

  // (1.5, 0.5) lies within: nothing moves.
  EXPECT_EQ(stuck({coulomb(1), coulomb(1), coulomb(std::sqrt(2))}, along)
                .decide(Eigen::Vector2d(1.5, 0.5))
                .acceleration.size(),
            0);
}

}  // namespace contact_set_test
}  // namespace microslip::dynamics
