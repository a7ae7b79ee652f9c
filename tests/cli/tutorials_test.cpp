#include "documentation.hpp"

/// The tutorials run as they are typed and print what they quote.
namespace cli {
namespace tutorials_test {

using namespace documentation;

class Tutorials : public Pages {
 protected:
  static std::string page(const std::string& name) { return "docs/tutorials/" + name + ".md"; }
  bool has(const std::string& program) const { return shell("command -v " + program).code == 0; }

  /// Structure files that a page shows are those of the example.
  static void expect_shown_as_in(const std::string& name, const std::string& file) {
    const fs::path source = microslip::source_dir;
    const std::string text = content_of(source / page(name)), whole = content_of(source / file);
    EXPECT_NE(text.find("```toml\n" + whole + "```"), std::string::npos)
        << page(name) << ": " << file;
  }
};

TEST_F(Tutorials, from_a_hammer_blow_to_a_law_and_back) {
  if (!has("python3")) GTEST_SKIP() << "python3 is not installed";
  run_page(page("hammer"));
  expect_shown_as_in("hammer", "examples/structures/hammer-response.toml");
  expect_shown_as_in("hammer", "examples/structures/hammer-identify.toml");
}

TEST_F(Tutorials, from_a_calculix_deck_to_a_frequency_response) {
  if (!has("python3") || !has("ccx"))
    GTEST_SKIP() << "CalculiX (Debian package calculix-ccx) or python3 is not installed";
  run_page(page("calculix"));
  expect_shown_as_in("calculix", "examples/structures/lap-beam/modes.toml");
  expect_shown_as_in("calculix", "examples/structures/lap-beam/response.toml");
}

TEST_F(Tutorials, which_law_for_which_device) {
  if (!has("python3")) GTEST_SKIP() << "python3 is not installed";
  run_page(page("devices"));
}

TEST_F(Tutorials, no_page_is_left_out) {
  std::size_t pages = 0;
  for (const auto& entry :
       fs::directory_iterator(fs::path(microslip::source_dir) / "docs/tutorials"))
    pages += entry.path().extension() == ".md" ? 1 : 0;
  EXPECT_EQ(pages, 3u);
}

}  // namespace tutorials_test
}  // namespace cli
