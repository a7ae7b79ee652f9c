#include "io/table/finite_element_matrices.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"

namespace microslip::io {
namespace finite_element_matrices_test {

// One matrix in every format: the stiffness of three translations.
Eigen::Matrix3d expected() {
  Eigen::Matrix3d K;
  K << 2.5, -1, 0, -1, 4, -1.5, 0, -1.5, 3e3;
  return K;
}

MatrixFile read(const std::string& text, const std::string& wanted = "K") {
  const auto path = std::filesystem::temp_directory_path() / "microslip_finite_element.pch";
  write_file(path, text);
  MatrixFile file = read_matrix_file(path, wanted);
  std::filesystem::remove(path);
  return file;
}

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Fields of 16 places as in punch files, numbers with D and without a letter.
const std::string large =
    "$ a punch file\n"
    "DMIG    KAAX           0       6       2       0\n"
    "DMIG*   KAAX                           5               1\n"
    "*                      5               1 2.500000000D+00\n"
    "DMIG*   KAAX                           5               2\n"
    "*                      5               1-1.000000000D+00\n"
    "*                      5               2 4.000000000D+00\n"
    "DMIG*   KAAX                          12               3\n"
    "*                      5               2-1.500000000D+00\n"
    "*                     12               3 3.000000000+003\n"
    "DMIG    MAAX           0       6       2       0\n"
    "DMIG*   MAAX                           5               1\n"
    "*                      5               1 7.000000000D+00\n";

TEST(FiniteElementMatrices, dmig_in_large_fields) {
  const MatrixFile K = read(large);
  EXPECT_EQ(Eigen::MatrixXd(K.matrix), expected());
  ASSERT_EQ(K.labels.size(), 3u);
  EXPECT_EQ(K.labels[2].text(), "12.3");
  EXPECT_EQ(Eigen::MatrixXd(read(large, "M").matrix)(0, 0), 7);
  EXPECT_NE(refusal([] { read(large, "C"); }).find("has no matrix 'C'; it has: KAAX, MAAX"),
            std::string::npos);
}

TEST(FiniteElementMatrices, dmig_in_small_and_free_fields) {
  const std::string small =
      "DMIG    KAAX    0       1       1       0\n"
      "DMIG    KAAX    5       1               5       1       2.5\n"
      "        5       2       -1.0\n"
      "DMIG    KAAX    5       2               5       1       -1.0\n"
      "        5       2       4.0             12      3       -1.5\n"
      "DMIG    KAAX    12      3               5       2       -1.5\n"
      "        12      3       3.0+3\n";
  EXPECT_EQ(Eigen::MatrixXd(read(small).matrix), expected());
  const std::string free =
      "DMIG,KAAX,0,6,1,0\n"
      "DMIG,KAAX,5,1,,5,1,2.5\n"
      "DMIG,KAAX,5,2,,5,1,-1.\n,5,2,4.\n"
      "DMIG,KAAX,12,3,,5,2,-1.5\n,12,3,3.E3\n";
  EXPECT_EQ(Eigen::MatrixXd(read(free).matrix), expected());
}

TEST(FiniteElementMatrices, dmig_that_is_not_taken_says_why) {
  const std::string complex = "DMIG    KAAX           0       6       3       0\n";
  EXPECT_NE(refusal([&] { read(complex); }).find("is complex"), std::string::npos);
  const std::string rectangular = "DMIG    KAAX           0       9       1       0\n";
  EXPECT_NE(refusal([&] { read(rectangular); }).find("square"), std::string::npos);
  const std::string headless = "DMIG    KAAX    5       1               5       1       2.5\n";
  EXPECT_NE(refusal([&] { read(headless); }).find("heading"), std::string::npos);
  std::string wrong = large;
  wrong.replace(wrong.find("2.500"), 5, "2.x00");
  EXPECT_NE(
      refusal([&] { read(wrong); }).find("line 3, column 1: '2.x00000000D+00' must be a number"),
      std::string::npos)
      << refusal([&] { read(wrong); });
}

// The three ways of columns: dense, strings whose heading is one number, strings of large matrices.
TEST(FiniteElementMatrices, op4_as_text) {
  const std::string dense =
      "       3       3       6       2KAA     1P,3E23.16\n"
      "       1       1       4\n"
      " 2.5000000000000000E+00-1.0000000000000000E+00\n"
      "       2       1       6\n"
      "-1.0000000000000000E+00 4.0000000000000000E+00-1.5000000000000000E+00\n"
      "       3       2       4\n"
      "-1.5000000000000000E+00 3.0000000000000000E+03\n"
      "       4       1       1\n"
      " 1.0000000000000000E+00\n";
  EXPECT_EQ(Eigen::MatrixXd(read(dense).matrix), expected());
  // A string of L words from row r: its heading is r + 65536 (L + 1).
  const auto heading = [](int row, int words) { return std::to_string(row + 65536 * (words + 1)); };
  const std::string strings =
      "       3       3       6       2KAA     1P,3E23.16\n"
      "       1       0       5\n  " +
      heading(1, 4) +
      "\n"
      " 2.5000000000000000E+00-1.0000000000000000E+00\n"
      "       2       0       7\n  " +
      heading(1, 6) +
      "\n"
      "-1.0000000000000000E+00 4.0000000000000000E+00-1.5000000000000000E+00\n"
      "       3       0       5\n  " +
      heading(2, 4) +
      "\n"
      "-1.5000000000000000E+00 3.0000000000000000E+03\n"
      "       4       1       1\n"
      " 1.0000000000000000E+00\n";
  EXPECT_EQ(Eigen::MatrixXd(read(strings).matrix), expected());
  const std::string large_matrix =
      "       3      -3       6       2KAA     1P,3E23.16\n"
      "       1       0       6\n       5       1\n"
      " 2.5000000000000000E+00-1.0000000000000000E+00\n"
      "       2       0      10\n       3       2\n 4.0000000000000000E+00\n"
      "       3       0      10\n       3       2\n-1.5000000000000000E+00\n"
      "       3       3\n 3.0000000000000000E+03\n"
      "       4       1       1\n"
      " 1.0000000000000000E+00\n";
  EXPECT_EQ(Eigen::MatrixXd(read(large_matrix).matrix), expected());
  EXPECT_NE(refusal([&] { read(dense.substr(0, 200)); }).find("the file ends"), std::string::npos);
}

// As scipy 1.10 writes it (scipy.io.hb_write), with a title of its own.
TEST(FiniteElementMatrices, harwell_boeing) {
  const std::string whole =
      "Default title                                                           0       \n"
      "             5             1             1             3\n"
      "RUA                        3             3             7             0\n"
      "(40I2)          (40I2)          (3E25.16)           \n"
      " 1 3 6 8\n"
      " 1 2 1 2 3 2 3\n"
      "  2.5000000000000000E+00 -1.0000000000000000E+00 -1.0000000000000000E+00\n"
      "  4.0000000000000000E+00 -1.5000000000000000E+00 -1.5000000000000000E+00\n"
      "  3.0000000000000000E+03\n";
  EXPECT_EQ(Eigen::MatrixXd(read(whole).matrix), expected());
  // The lower triangle, formats with a scale, a line about right-hand sides.
  const std::string lower =
      "K                                                                       K       \n"
      "             5             1             1             2             1\n"
      "RSA                        3             3             5             0\n"
      "(8I10)          (8I10)          (1P,4D20.12)        (1P,4D20.12)        \n"
      "F                          1             0\n"
      "         1         3         5         6\n"
      "         1         2         2         3         3\n"
      "  2.500000000000D+00 -1.000000000000D+00  4.000000000000D+00 -1.500000000000D+00\n"
      "  3.000000000000D+03\n";
  EXPECT_EQ(Eigen::MatrixXd(read(lower).matrix), expected());
  std::string wrong = lower;
  wrong.replace(wrong.find("         3         3\n  2.5"), 20, "         3        33");
  EXPECT_NE(refusal([&] { read(wrong); }).find("a row must lie in the matrix"), std::string::npos);
  wrong = lower;
  wrong.replace(wrong.find("RSA"), 3, "CSA");
  EXPECT_NE(refusal([&] { read(wrong); }).find("RSA and RUA"), std::string::npos);
}

TEST(FiniteElementMatrices, names_of_rows_from_ansys) {
  const auto list = parse_ansys_mapping(
      "      Matrix Eqn        Node       DOF\n           1          12        UX\n"
      "           2          12      ROTZ\n",
      "job.mapping");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].text(), "12.1");
  EXPECT_EQ(list[1].text(), "12.6");
  EXPECT_NE(refusal([] { parse_ansys_mapping("1 12 TEMP\n", "job.mapping"); }).find("UX, UY"),
            std::string::npos);
}

}  // namespace finite_element_matrices_test
}  // namespace microslip::io
