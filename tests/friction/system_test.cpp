#include "microslip/friction/system.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "microslip/core/error.hpp"
#include "microslip/friction/builders.hpp"
#include "support/message_of.hpp"

namespace microslip::friction {
namespace system_test {

using microslip::testing::message_of;

Eigen::MatrixXd two_by_two(double a, double b, double c, double d) {
  return (Eigen::MatrixXd(2, 2) << a, b, c, d).finished();
}
const Vector ones = Vector::Ones(2);

TEST(System, bad_input_names_the_entry) {
  EXPECT_EQ(message_of([] { System(two_by_two(2, -1, -0.5, 2), ones, ones); }),
            "K(1,2) = -1 and K(2,1) = -0.5 must be equal: K must be symmetric");
  EXPECT_EQ(message_of([] { System(two_by_two(2, -1, -1, -2), ones, ones); }),
            "K(2,2) = -2 must not be negative: K must be positive semidefinite");
  EXPECT_EQ(message_of([] { System(two_by_two(2, -1, -1, 0), ones, ones); }),
            "K(2,2) = 0, but row 2 has other entries: K must be positive semidefinite");
  EXPECT_EQ(message_of([] { System(two_by_two(1, -2, -2, 1), ones, ones); }),
            "K has a direction of negative stiffness: its first 2 rows and columns are not "
            "positive semidefinite, but those before row 2 are");
  EXPECT_EQ(message_of([] { System(two_by_two(2, -1, -1, 2), Vector::Zero(2), ones); }),
            "mu(1) = 0 must be positive");
  EXPECT_EQ(message_of([] { System(two_by_two(2, -1, -1, 2), Vector::Ones(3), ones); }),
            "mu has 3 entries and K 2 × 2; they must have the same number of sliders");
  EXPECT_EQ(message_of([] { System(Eigen::MatrixXd::Ones(2, 3), ones, ones); }),
            "K has 2 × 3 entries; it must be square");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message_of([=] { System(two_by_two(2, nan, nan, 2), ones, ones); }),
            "K(1,2) = nan must be finite");
  EXPECT_EQ(message_of([=] { System(two_by_two(2, -1, -1, 2), ones, ones * nan); }),
            "b(1) = nan must be finite");
}

TEST(System, sparse_and_dense_input_are_held_to_the_same_rules) {
  Eigen::MatrixXd K = two_by_two(1, -2, -2, 1);
  EXPECT_NE(message_of([&] { System(SparseMatrix(K.sparseView()), ones, ones); }), "no error");
  K = two_by_two(1, -0.5, -0.4, 1);
  EXPECT_EQ(message_of([&] { System(SparseMatrix(K.sparseView()), ones, ones); }),
            message_of([&] { System(K, ones, ones); }));
}

TEST(System, knows_what_its_stiffness_looks_like) {
  EXPECT_EQ(iwan_system(5, 0.1).sparsity(), Sparsity::diagonal);
  const System chain = chain_system(5, 2, std::vector{0.1});
  EXPECT_EQ(chain.sparsity(), Sparsity::tridiagonal);
  EXPECT_FALSE(chain.definite());  // both ends are free
  EXPECT_TRUE(chain.monotone());
  const System random = random_system(6, 1);
  EXPECT_EQ(random.sparsity(), Sparsity::dense);
  EXPECT_TRUE(random.definite());
  EXPECT_FALSE(random.monotone());
  // A dense matrix with a tridiagonal pattern is stored as one.
  Eigen::MatrixXd K = 2 * Eigen::MatrixXd::Identity(9, 9);
  K(0, 1) = K(1, 0) = -1;
  EXPECT_EQ(System(K, Vector::Ones(9), Vector::Ones(9)).sparsity(), Sparsity::tridiagonal);
  EXPECT_TRUE(System(K, Vector::Ones(9), -Vector::Ones(9)).monotone());
  K(0, 1) = K(1, 0) = 1;  // no M-matrix
  EXPECT_FALSE(System(K, Vector::Ones(9), Vector::Ones(9)).monotone());
}

TEST(System, a_free_chain_is_semidefinite_in_every_storage) {
  const System chain = chain_system(12, 3, std::vector{1.0});
  const Eigen::MatrixXd K(chain.sparse());
  // Turned into other coordinates the same stiffness fills the matrix.
  const Eigen::MatrixXd full = K * K;
  EXPECT_FALSE(System(full, chain.mu(), chain.b()).definite());
}

TEST(System, lists_of_sliders_are_short) {
  const std::vector<Index> some{6, 0, 1, 2};
  EXPECT_EQ(slider_list(some), "sliders 1–3, 7");
  const std::vector<Index> one{4};
  EXPECT_EQ(slider_list(one), "slider 5");
}

}  // namespace system_test
}  // namespace microslip::friction
