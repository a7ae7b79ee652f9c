#include "cli/command.hpp"

#include <nlohmann/json.hpp>

#include "reproduce/reproduction.hpp"
#include "support/paths.hpp"

namespace microslip::reproduce {
namespace {

using cli::contains;

class ReproduceCommand : public cli::CommandTest {};

TEST_F(ReproduceCommand, lists_every_entry) {
  const auto outcome = run({"reproduce", "--list"});
  EXPECT_EQ(outcome.code, 0);
  for (const Entry& entry : entries()) EXPECT_TRUE(contains(outcome.out, std::string(entry.id)));
  const auto json = nlohmann::json::parse(run({"reproduce", "--list", "--json"}).out);
  EXPECT_EQ(json.size(), entries().size());
  EXPECT_EQ(json[0]["id"], entries()[0].id);
}

TEST_F(ReproduceCommand, shows_the_table_and_the_verdict) {
  const auto outcome = run({"reproduce", "biswas2018-fig4.7"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.out, "biswas2018-fig4.7: reproduced (printed numbers)"));
  EXPECT_TRUE(contains(outcome.out, "h: gap between the saturated branches"));
  EXPECT_TRUE(
      contains(outcome.out, "1 reproduction: 1 reproduced; every verdict is the one on record"));
  EXPECT_TRUE(contains(outcome.out, "reproduced (printed numbers); covered"));
  EXPECT_TRUE(contains(outcome.out, "\nShown: 1 covered\n"));
  EXPECT_TRUE(contains(outcome.out, "is noticed by: h: gap between the saturated branches"));
  EXPECT_EQ(outcome.err, "");
}

TEST_F(ReproduceCommand, names_what_differs_at_the_end) {
  const auto outcome = run({"reproduce", "mathis2020-table1", "biswas2018-fig4.7"});
  EXPECT_EQ(outcome.code, 0);
  const std::size_t end = outcome.out.find("2 reproductions: 1 reproduced, 1 differs");
  ASSERT_NE(end, std::string::npos) << outcome.out;
  const std::string last = outcome.out.substr(end);
  EXPECT_TRUE(contains(last, "\n  mathis2020-table1: differs in viscous: ")) << last;
  EXPECT_FALSE(contains(last, "fig4.7")) << last;
}

TEST_F(ReproduceCommand, writes_json) {
  const auto outcome = run({"reproduce", "mathis2020-fig8", "mathis2020-fig8", "--json"});
  EXPECT_EQ(outcome.code, 0);
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["as_recorded"], true);
  ASSERT_EQ(json["reproductions"].size(), 1u) << "an identifier given twice is run once";
  const auto& entry = json["reproductions"][0];
  EXPECT_EQ(entry["verdict"], "reproduced");
  EXPECT_EQ(entry["coverage"], "covered");
  EXPECT_EQ(entry["wrong_input"], "bouc-wen.beta");
  for (const char* key : {"quantity", "against", "expected", "tolerance", "obtained", "verdict",
                          "agrees", "as_recorded", "note"})
    EXPECT_TRUE(entry["comparisons"][0].contains(key)) << key;
}

TEST_F(ReproduceCommand, refuses_an_unknown_identifier_before_it_computes) {
  const auto outcome = run({"reproduce", "mathis2020-fig8", "mathis2020-fig88"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "did you mean 'mathis2020-fig8'?")) << outcome.err;
}

TEST_F(ReproduceCommand, needs_an_identifier) {
  const auto outcome = run({"reproduce"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "--list"));
}

TEST_F(ReproduceCommand, refuses_an_unknown_format) {
  EXPECT_EQ(run({"reproduce", "mathis2020-fig13", "--plot", "out", "--format", "bmp"}).code, 2);
  EXPECT_TRUE(files().empty());
}

TEST_F(ReproduceCommand, draws_into_a_folder_that_it_makes) {
  const auto outcome = run({"reproduce", "mathis2020-fig13", "--plot", "out/pictures", "--json"});
  EXPECT_EQ(outcome.code, 0);
  const auto pictures = nlohmann::json::parse(outcome.out)["reproductions"][0]["pictures"]
                            .get<std::vector<std::string>>();
  ASSERT_EQ(pictures, std::vector<std::string>{"out/pictures/mathis2020-fig13.svg"});
  EXPECT_TRUE(contains(read(pictures[0]), "<svg"));
}

TEST_F(ReproduceCommand, goes_on_without_gnuplot) {
  const auto outcome =
      run(cli::Call{.words = {"reproduce", "mathis2020-fig13", "mathis2020-fig8", "--plot", "out"},
                    .environment = {"PATH=/nonexistent"}});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.err, "gnuplot"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "mathis2020-fig8: reproduced"));
}

TEST_F(ReproduceCommand, refuses_a_folder_that_is_a_file) {
  write("out", "");
  EXPECT_EQ(run({"reproduce", "mathis2020-fig13", "--plot", "out/pictures"}).code, 2);
}

TEST_F(ReproduceCommand, writes_pages_with_pictures) {
  const auto outcome = run({"reproduce", "mathis2020-fig13", "--pages", "docs"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(read("docs/reproductions/mathis2020-fig13.md"), "Verdict: **differs"));
  EXPECT_TRUE(contains(read("docs/reproductions/mathis2020-fig13.png"), "PNG"));
}

TEST_F(ReproduceCommand, some_pages_leave_the_index_of_all_entries_alone) {
  std::filesystem::create_directories(folder / "docs");
  write("docs/reproductions.md", "the table of all entries");
  EXPECT_EQ(run({"reproduce", "mathis2020-fig13", "--pages", "docs"}).code, 0);
  EXPECT_EQ(read("docs/reproductions.md"), "the table of all entries");
}

TEST_F(ReproduceCommand, counts_the_kinds_of_comparison) {
  const auto outcome = run({"reproduce", "biswas2018-fig4.7"});
  EXPECT_TRUE(contains(outcome.out, "comparisons: 3 printed, ")) << outcome.out;
  const auto json = nlohmann::json::parse(run({"reproduce", "biswas2018-fig4.7", "--json"}).out);
  EXPECT_EQ(json["reproductions"][0]["rests_on"], "printed");
  EXPECT_EQ(json["reproductions"][0]["kinds"]["printed"], 3);
}

}  // namespace
}  // namespace microslip::reproduce
