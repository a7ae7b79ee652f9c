// Mutated seeds of every reader. `make fuzz` goes on from the same seeds, led by what has been covered.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/mutation.hpp"
#include "fuzz/readers.hpp"
#include "microslip/io/file.hpp"
#include "support/paths.hpp"

namespace microslip::fuzz {
namespace fuzz_readers_test {

std::vector<std::string> seeds_of(const Reader& reader) {
  std::vector<std::filesystem::path> paths;
  for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(source_dir) /
                                                              "tests/fuzz/seeds" / reader.name))
    paths.push_back(file.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) texts.push_back(io::read_file(path));
  return texts;
}

const std::vector<std::string> tokens{"-1",
                                      "\n",
                                      " ",
                                      ",",
                                      "1e999",
                                      "nan",
                                      "-inf",
                                      "0",
                                      "4294967297",
                                      "99999999999999999999",
                                      "1.5D+3",
                                      "2.-3",
                                      "\xff",
                                      "\t",
                                      "*",
                                      "$",
                                      "%",
                                      "%%",
                                      "[",
                                      "]",
                                      "\"",
                                      "=",
                                      "(8I10)",
                                      "    -1\n",
                                      "    58b\n",
                                      "DMIG",
                                      "RSA",
                                      "65536",
                                      "\r",
                                      std::string(1, '\0'),
                                      std::string(200, '9')};

class FuzzReaders : public ::testing::TestWithParam<Reader> {};

TEST_P(FuzzReaders, seeds_are_good) {
  const auto seeds = seeds_of(GetParam());
  ASSERT_FALSE(seeds.empty());
  for (const std::string& seed : seeds) EXPECT_TRUE(accepted(GetParam(), seed)) << seed;
}

TEST_P(FuzzReaders, a_file_or_an_error) {
  // libmatio is not ours, and ends the program for some bytes: there the seeds must do.
  if (GetParam().name == "mat") GTEST_SKIP() << "the library of MAT files is not ours";
  const auto seeds = seeds_of(GetParam());
  Mutation mutation(seeds, tokens);
  constexpr int inputs = 4000;
  int good = 0;
  for (int i = 0; i < inputs; ++i) {
    const std::string text = mutation.draw(4);
    SCOPED_TRACE(::testing::Message() << "input " << i << ": " << ::testing::PrintToString(text));
    try {
      good += accepted(GetParam(), text);
    } catch (const std::exception& other) {
      FAIL() << other.what();
    }
  }
  // Both outcomes must be common, or the inputs test nothing.
  EXPECT_GT(good, inputs / 20);
  EXPECT_LT(good, inputs * 19 / 20);
}

INSTANTIATE_TEST_SUITE_P(Each, FuzzReaders, ::testing::ValuesIn(readers),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace fuzz_readers_test
}  // namespace microslip::fuzz
