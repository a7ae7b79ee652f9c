#include "microslip/loops/widening.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"

namespace microslip::loops {
namespace widening_test {

// f = 3u + 0.5|u| has slopes 3.5 and 2.5.
TEST(Widening, a_bilinear_curve_leaves_a_thousandth) {
  const std::vector<double> u{-2, -1, 0, 1, 3};
  std::vector<double> f;
  for (const double x : u) f.push_back(3 * x + 0.5 * std::abs(x));
  const Widening all = widening(u, f, 1), thesis = widening(u, f);
  EXPECT_NEAR(all.a, 3, 1e-15);
  EXPECT_NEAR(all.b, 0.5, 1e-15);
  for (std::size_t i = 0; i < u.size(); ++i) {
    EXPECT_NEAR(all.f(u[i], f[i]), 0, 1e-14);
    EXPECT_NEAR(thesis.f(u[i], f[i]), 0.001 * f[i], 1e-14);
  }
}

TEST(Widening, one_side_alone_has_one_slope) {
  const Widening w = widening(std::vector<double>{0, 1, 2}, std::vector<double>{0, 2, 4}, 1);
  EXPECT_NEAR(w.a, 2, 1e-15);
  EXPECT_EQ(w.b, 0);
}

TEST(Widening, refuses_what_does_not_move) {
  const std::vector<double> still{0, 0}, f{1, 2};
  EXPECT_EQ(testing::message_of([&] { widening(still, f); }),
            "the displacement is zero everywhere");
}

}  // namespace widening_test
}  // namespace microslip::loops
