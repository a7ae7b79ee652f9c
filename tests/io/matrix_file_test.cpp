#include "microslip/io/matrix_file.hpp"

#include <gtest/gtest.h>
#include <matio.h>

#include <filesystem>

#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/mat_file.hpp"

namespace microslip::io {
namespace matrix_file_test {

namespace fs = std::filesystem;

/// A folder of its own, removed at the end.
class MatrixFiles : public ::testing::Test {
 protected:
  MatrixFiles()
      : folder_(fs::temp_directory_path() /
                (std::string("microslip_matrix_file_") +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(folder_);
  }
  ~MatrixFiles() override { fs::remove_all(folder_); }

  fs::path file(const std::string& name, const std::string& text) {
    write_file(folder_ / name, text);
    return folder_ / name;
  }
  fs::path folder_;
};

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Eigen::MatrixXd dense(const fs::path& path, const std::string& variable = "K") {
  return read_matrix_file(path, variable).matrix;
}

// As CalculiX 2.20 writes them, for *FREQUENCY, SOLVER=MATRIXSTORAGE: the upper triangle.
TEST_F(MatrixFiles, calculix) {
  file("job.dof", "5.1\n5.2\n6.1\n");
  const fs::path K = file("job.sti",
                          "1 1  9.8717948717949e+04\n1 2  3.3653846153846e+04\n"
                          "2 2  9.8717948717949e+04\n1 3  0.0000000000000e+00\n"
                          "2 3 -3.0000000000000e+00\n3 3  2.0000000000000e+00\n");
  const MatrixFile read = read_matrix_file(K, "K");
  Eigen::Matrix3d expected;
  expected << 98717.948717949, 33653.846153846, 0, 33653.846153846, 98717.948717949, -3, 0, -3, 2;
  EXPECT_EQ(Eigen::MatrixXd(read.matrix), expected);
  ASSERT_EQ(read.labels.size(), 3u);
  EXPECT_EQ(read.labels[2].text(), "6.1");
  // Rows without an entry at the end are there all the same.
  const MatrixFile M = read_matrix_file(file("job.mas", "1 1 2.0\n2 2 3.0\n"), "M");
  EXPECT_EQ(M.matrix.rows(), 3);
}

TEST_F(MatrixFiles, abaqus_by_labels) {
  const fs::path K = file("job_STIF1.mtx",
                          "** Assembled\n*MATRIX INPUT\n11,1, 11,1, 2.5\n11,2,11,1,-1.0\n"
                          "11,2, 11,2,  4.0D+00\n2,1, 11,2, 7\n2,1,2,1,1\n");
  const MatrixFile read = read_matrix_file(K, "K");
  ASSERT_EQ(read.labels.size(), 3u);  // sorted by node and direction
  EXPECT_EQ(read.labels[0].text(), "2.1");
  EXPECT_EQ(read.labels[1].text(), "11.1");
  Eigen::Matrix3d expected;
  expected << 1, 0, 7, 0, 2.5, -1, 7, -1, 4;
  EXPECT_EQ(Eigen::MatrixXd(read.matrix), expected);
}

TEST_F(MatrixFiles, abaqus_by_coordinates_may_be_whole) {
  const fs::path K = file("k.mtx", "1 1 2.\n1 2 -1.\n2 1 -1.\n2 2 3.\n");
  EXPECT_EQ(dense(K), (Eigen::Matrix2d() << 2, -1, -1, 3).finished());
  EXPECT_FALSE(read_matrix_file(K, "K").sized);
}

TEST_F(MatrixFiles, matrix_market) {
  const fs::path K = file("k.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 5\n");
  EXPECT_EQ(dense(K), (Eigen::Matrix2d() << 0, 5, 0, 0).finished());
}

TEST_F(MatrixFiles, text_says_where_it_is_wrong) {
  const fs::path K = file("k.sti", "1 1 2.0\n1 2\n");
  EXPECT_EQ(refusal([&] { dense(K); }),
            K.string() + ", line 2, column 1: this line has 2 numbers; those before it have 3");
  const fs::path L = file("l.sti", "1 1 2.0\n1 x 3\n");
  EXPECT_EQ(refusal([&] { dense(L); }), L.string() + ", line 2, column 1: 'x 3' must be a number");
  const fs::path N = file("n.sti", "0 1 2.0\n");
  EXPECT_NE(refusal([&] { dense(N); }).find("line 1, column 1: the row must be"),
            std::string::npos);
  EXPECT_EQ(refusal([] { parse_dof_list("1.1\n12\n", "a.dof"); }),
            "a.dof, line 2, column 1: '12' must be written node.direction, as 12.3");
}

matvar_t* matrix(const char* name, const Eigen::MatrixXd& values) {
  std::size_t size[2] = {static_cast<std::size_t>(values.rows()),
                         static_cast<std::size_t>(values.cols())};
  Eigen::MatrixXd copy = values;
  return Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, size, copy.data(), 0);
}

void write_mat(const fs::path& path, const std::vector<matvar_t*>& variables,
               mat_ft version = MAT_FT_MAT5) {
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, version);
  ASSERT_NE(file, nullptr);
  for (matvar_t* v : variables) {
    Mat_VarWrite(file, v, MAT_COMPRESSION_NONE);
    Mat_VarFree(v);
  }
  Mat_Close(file);
}

TEST_F(MatrixFiles, mat_full_integer_and_struct) {
  const Eigen::Matrix2d K = (Eigen::Matrix2d() << 2, -1, -1, 3).finished();
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    const fs::path path = folder_ / (version == MAT_FT_MAT5 ? "five.mat" : "seven.mat");
    std::size_t size[2] = {1, 3};
    std::int32_t whole[3] = {1, -2, 3};
    const char* fields[] = {"K"};
    std::size_t one[2] = {1, 1};
    matvar_t* model = Mat_VarCreateStruct("model", 2, one, fields, 1);
    Mat_VarSetStructFieldByName(model, "K", 0, matrix("K", 2 * K));
    write_mat(
        path,
        {matrix("K", K), Mat_VarCreate("n", MAT_C_INT32, MAT_T_INT32, 2, size, whole, 0), model},
        version);
    EXPECT_EQ(dense(path, "K"), K);  // the key is the name of the variable
    EXPECT_EQ(dense(path.string() + ":K", "M"), K);
    EXPECT_EQ(dense(path.string() + ":model.K"), 2 * K);
    EXPECT_EQ(read_mat_matrix(path, "n"), Eigen::RowVector3d(1, -2, 3));
    const auto list = mat_variables(path);
    ASSERT_EQ(list.size(), 3u);
    EXPECT_TRUE(list[0].numeric);
    const std::string wrong = refusal([&] { dense(path.string() + ":KK"); });
    EXPECT_NE(wrong.find("has no variable 'KK'"), std::string::npos) << wrong;
  }
}

TEST_F(MatrixFiles, mat_sparse) {
  const fs::path path = folder_ / "sparse.mat";
  std::vector<mat_uint32_t> ir{0, 1, 1}, jc{0, 2, 3};
  std::vector<double> data{2, -1, 3};
  mat_sparse_t sparse{};
  sparse.nzmax = sparse.nir = sparse.ndata = 3;
  sparse.ir = ir.data();
  sparse.njc = 3;
  sparse.jc = jc.data();
  sparse.data = data.data();
  std::size_t size[2] = {2, 2};
  write_mat(path, {Mat_VarCreate("K", MAT_C_SPARSE, MAT_T_DOUBLE, 2, size, &sparse,
                                 MAT_F_DONT_COPY_DATA)});
  EXPECT_EQ(dense(path), (Eigen::Matrix2d() << 2, 0, -1, 3).finished());
  EXPECT_TRUE(mat_variables(path)[0].sparse);
}

TEST_F(MatrixFiles, mat_refusals) {
  const fs::path path = file("text.mat", "this is no such file");
  EXPECT_NE(refusal([&] { dense(path); }), "");
  EXPECT_NE(refusal([&] { dense(folder_ / "none.mat"); }).find("there is no such file"),
            std::string::npos);
  write_mat(folder_ / "word.mat",
            {Mat_VarCreate("K", MAT_C_CHAR, MAT_T_UINT8, 2, std::vector<std::size_t>{1, 2}.data(),
                           const_cast<char*>("ab"), 0)});
  EXPECT_NE(refusal([&] { dense(folder_ / "word.mat"); }).find("must be a matrix of real numbers"),
            std::string::npos);
}

/// Bytes of a MAT file of version 5 with a matrix of doubles, whatever its head claims.
std::string mat_bytes(std::uint32_t rows, std::uint32_t data) {
  std::string bytes = "MATLAB 5.0 MAT-file";
  bytes.resize(124, ' ');
  bytes += std::string("\x00\x01IM", 4);
  const auto words = [&](std::initializer_list<std::uint32_t> list) {
    for (const std::uint32_t word : list)
      for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(word >> (8 * i)));
  };
  words({14, 8 + 8 + 8 + 8 + 8 + 8 + 8 + 64});
  words({6, 8, 6, 0, 5, 8, rows, 1, 1, 1, 'K', 0, 9, data});
  return bytes + std::string(64, '\0');
}

/// 256 bytes that claim four gigabytes cost as much memory.
TEST_F(MatrixFiles, mat_that_claims_more_than_its_file_holds_is_refused) {
  const fs::path path = file("claim.mat", mat_bytes(500'000'000, 4'000'000'000u));
  EXPECT_NE(
      refusal([&] {
        dense(path);
      }).find("larger than a file of " + std::to_string(fs::file_size(path)) + " bytes can hold"),
      std::string::npos)
      << refusal([&] { dense(path); });
  EXPECT_EQ(dense(file("honest.mat", mat_bytes(8, 64))).rows(), 8);
}

/// It said "has no variable 'K'; did you mean 'K'?".
TEST_F(MatrixFiles, mat_variable_whose_data_are_cut_off_is_not_called_missing) {
  std::string bytes = mat_bytes(8, 64);
  bytes.resize(bytes.size() - 60);
  const std::string sentence = refusal([&] { dense(file("cut.mat", bytes)); });
  EXPECT_EQ(sentence.find("did you mean"), std::string::npos) << sentence;
}

}  // namespace matrix_file_test
}  // namespace microslip::io
