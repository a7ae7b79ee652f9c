#include "microslip/io/matrix_market.hpp"

#include <gtest/gtest.h>

#include "microslip/core/error.hpp"

namespace microslip::io {
namespace matrix_market_test {

Eigen::MatrixXd dense(std::string_view text) { return parse_matrix_market(text, "m.mtx"); }

std::string refusal(std::string_view text) {
  try {
    parse_matrix_market(text, "m.mtx");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(MatrixMarket, coordinate_symmetric) {
  const Eigen::MatrixXd m = dense(
      "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n\n2 2 2\n1 1 2.5\n2 1 -1D0\n");
  EXPECT_EQ(m, (Eigen::Matrix2d() << 2.5, -1, -1, 0).finished());
}

TEST(MatrixMarket, array_is_column_by_column) {
  const Eigen::MatrixXd m =
      dense("%%MatrixMarket matrix array real general\r\n2 2\r\n1\r\n2\r\n3\r\n4\r\n");
  EXPECT_EQ(m, (Eigen::Matrix2d() << 1, 3, 2, 4).finished());
  EXPECT_EQ(dense("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n"),
            (Eigen::Matrix2d() << 1, 2, 2, 3).finished());
}

TEST(MatrixMarket, round_trip_is_exact) {
  const Eigen::MatrixXd m = dense("%%MatrixMarket matrix array real general\n2 1\n0.1\n-3e-300\n");
  EXPECT_EQ(m, dense(matrix_market_text(m.sparseView(0, 0))));
}

TEST(MatrixMarket, refusals_name_the_line) {
  EXPECT_NE(refusal("1 2 3\n").find("line 1"), std::string::npos);
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_NE(refusal(head + "2 2 1\n3 1 1\n").find("the row '3' must be a whole number from 1 to 2"),
            std::string::npos);
  EXPECT_NE(refusal(head + "2 2 2\n1 1 1\n").find("ends before entry 2 of 2"), std::string::npos);
  EXPECT_NE(refusal(head + "2 2 1\n1 1 x\n").find("'x' must be a number"), std::string::npos);
  EXPECT_NE(refusal("%%MatrixMarket matrix coordinate complex general\n").find("complex"),
            std::string::npos);
}

}  // namespace matrix_market_test
}  // namespace microslip::io
