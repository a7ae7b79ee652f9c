#include "microslip/catalog/files/parameter_file.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <variant>

#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "support/message_of.hpp"

namespace parameter_file_test {

using namespace microslip;
using catalog::read_model_spec;
using microslip::testing::message_of;
namespace fs = std::filesystem;

struct ParameterFile : ::testing::Test {
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "microslip-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }
  fs::path write(const char* name, const char* text) const {
    io::write_file(folder / name, text);
    return folder / name;
  }
  fs::path folder;
};

TEST_F(ParameterFile, one_fit_of_a_result) {
  const fs::path file = write("fit.json", R"({"fits": [{"model": "a", "parameters": {"k": 1}},
                                                       {"model": "b", "parameters": {"k": 2}}]})");
  EXPECT_EQ(read_model_spec(file).model, "a");
  EXPECT_EQ(std::get<double>(read_model_spec(file, "b").parameters.at("k")), 2);
  EXPECT_THROW(read_model_spec(file, "c"), Error);
}

TEST_F(ParameterFile, a_kind_means_sliders_and_their_files_lie_beside_it) {
  const ModelSpec spec =
      read_model_spec(write("s.toml", "kind = 'matrices'\nK = 'K.mtx'\nmu = [0.3]\n"));
  EXPECT_EQ(spec.model, "sliders");
  EXPECT_EQ(std::get<std::string>(spec.parameters.at("K")), (folder / "K.mtx").string());
  EXPECT_EQ(std::get<std::string>(spec.parameters.at("kind")), "matrices");
}

TEST_F(ParameterFile, a_file_in_sections_resolves_the_files_of_sliders_too) {
  const ModelSpec spec = read_model_spec(
      write("s.toml", "model = 'sliders'\n[parameters]\nK = 'K.mtx'\nmu = '/m.mtx'\n"));
  EXPECT_EQ(std::get<std::string>(spec.parameters.at("K")), (folder / "K.mtx").string());
  EXPECT_EQ(std::get<std::string>(spec.parameters.at("mu")), "/m.mtx");
}

TEST_F(ParameterFile, a_kind_of_another_law_is_refused) {
  const fs::path file = write("s.toml", "model = 'jenkins'\nkind = 'chain'\n");
  EXPECT_EQ(message_of([&] { read_model_spec(file); }),
            file.string() + " has the key 'kind', which only the model 'sliders' has");
}

}  // namespace parameter_file_test
