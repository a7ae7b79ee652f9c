#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "microslip/core/error.hpp"
#include "reproduce/computed.hpp"
#include "reproduce/pages.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"

namespace microslip::reproduce {
namespace {

using Against = Comparison::Against;

/// All entries, or in `make test` those that are not slow.
std::vector<const Entry*> chosen() {
  std::vector<const Entry*> pointers;
  for (const Entry& entry : entries())
    if (!entry.slow || testing::full_sweep()) pointers.push_back(&entry);
  return pointers;
}

class EveryEntry : public ::testing::TestWithParam<const Entry*> {
 protected:
  static const Outcome& outcome() { return computed(*GetParam()); }
};

TEST_P(EveryEntry, has_the_verdict_on_record) {
  // `reproduced` where the source prints a number or an equation that is met.
  static const std::map<std::string_view, Verdict> recorded{
      {"biswas2018-fig2.1", Verdict::no_printed_value},
      {"biswas2018-fig2.4-2.6", Verdict::no_printed_value},
      {"biswas2018-eq2.2-2.3", Verdict::no_printed_value},
      {"biswas2018-fig2.7", Verdict::no_printed_value},
      {"biswas2018-eq2.15-2.22", Verdict::reproduced},
      {"biswas2018-fig2.8", Verdict::no_printed_value},
      {"biswas2018-table2.1-2.2", Verdict::no_printed_value},
      {"biswas2018-sec3.3", Verdict::differs},
      {"biswas2018-fig3.6-3.9", Verdict::no_printed_value},
      {"biswas2018-tableG.1-G.2", Verdict::differs},
      {"biswas2018-fig2.9", Verdict::no_printed_value},
      {"biswas2018-fig3.2-3.4", Verdict::no_printed_value},
      {"biswas2018-fig3.5", Verdict::no_printed_value},
      {"biswas2018-appA", Verdict::differs},
      {"biswas2018-figB.1", Verdict::no_printed_value},
      {"biswas2018-figD.2", Verdict::no_printed_value},
      {"biswas2018-appF", Verdict::differs},
      {"biswas2018-sec4.2", Verdict::differs},
      {"biswas2018-appH", Verdict::no_printed_value},
      {"biswas2018-fig6.4", Verdict::reproduced},
      {"biswas2018-figG.2", Verdict::differs},
      {"biswas2018-appJ", Verdict::differs},
      {"biswas2018-fig6.8", Verdict::differs},
      {"biswas2018-appK", Verdict::no_printed_value},
      {"biswas2018-appL", Verdict::no_printed_value},
      {"biswas2018-fig4.5", Verdict::differs},
      {"biswas2018-fig4.7", Verdict::reproduced},
      {"biswas2018-eq4.12-4.17", Verdict::reproduced},
      {"biswas2018-fig5.1", Verdict::no_printed_value},
      {"biswas2018-fig6.1", Verdict::no_printed_value},
      {"biswas2018-fig6.6", Verdict::no_printed_value},
      {"biswas2018-fig6.7", Verdict::no_printed_value},
      {"biswas2018-pinched-energy", Verdict::reproduced},
      {"gavin2018-fig1", Verdict::reproduced},
      {"gavin2018-fig2", Verdict::no_printed_value},
      {"mathis2020-fig1", Verdict::no_printed_value},
      {"mathis2020-fig2", Verdict::reproduced},
      {"mathis2020-fig4", Verdict::no_printed_value},
      {"mathis2020-eq18-20", Verdict::reproduced},
      {"mathis2020-sec4.4", Verdict::differs},
      {"mathis2020-sec4.8", Verdict::reproduced},
      {"mathis2020-sec5.1", Verdict::no_printed_value},
      {"mathis2020-eq72-86", Verdict::reproduced},
      {"mathis2020-eq89", Verdict::reproduced},
      {"mathis2020-eq100", Verdict::reproduced},
      {"mathis2020-fig12", Verdict::reproduced},
      {"mathis2020-fig17", Verdict::reproduced},
      {"biswas2018-tableE.1-E.2", Verdict::no_printed_value},
      {"biswas2018-tableJ.3", Verdict::no_printed_value},
      {"biswas2018-tableM.1", Verdict::no_printed_value},
      {"mathis2020-fig6", Verdict::no_printed_value},
      {"mathis2020-fig21-25", Verdict::no_printed_value},
      {"mathis2020-fig28-30", Verdict::no_printed_value},
      {"mathis2020-fig8", Verdict::reproduced},
      {"mathis2020-fig9", Verdict::reproduced},
      {"mathis2020-fig10", Verdict::reproduced},
      {"mathis2020-fig11", Verdict::reproduced},
      {"mathis2020-fig13", Verdict::differs},
      {"mathis2020-table1", Verdict::differs},
      {"mathis2020-table2", Verdict::differs},
      {"mathis2020-table3", Verdict::differs},
      {"mathis2020-sec7", Verdict::reproduced},
      {"biswas2018-misprints", Verdict::differs},
      {"biswas2015-misprints", Verdict::differs},
      {"miller2009-fig5-8", Verdict::reproduced},
      {"miller2009-fig6", Verdict::reproduced},
      {"miller2009-fig7-17", Verdict::differs},
      {"miller2009-fig9-11", Verdict::differs},
      {"miller2009-fig15-18", Verdict::no_printed_value},
      {"miller2009-fig21", Verdict::no_printed_value},
      {"miller2009-distributions", Verdict::no_printed_value},
      {"miller2009-friction-in-time", Verdict::no_printed_value},
      {"miller2009-fig20", Verdict::differs},
      {"miller2009-misprints", Verdict::differs},
      {"gavin2018-misprints", Verdict::differs},
      {"gavin2018-ext3-7", Verdict::differs},
      {"mathis2020-misprints", Verdict::differs},
  };
  const Entry& entry = *GetParam();
  ASSERT_FALSE(outcome().comparisons.empty());
  for (const Comparison& one : outcome().comparisons) {
    EXPECT_TRUE(one.as_recorded()) << one.what << ": expected " << one.expected << " ± "
                                   << one.tolerance << ", obtained " << one.obtained;
    if (one.against == Against::judged) {
      EXPECT_FALSE(one.note.empty()) << one.what << ": judged by which word of the source?";
    } else if (one.relation == Comparison::Relation::equal) {
      EXPECT_GT(one.tolerance, 0) << one.what;
      // A wide tolerance is not a comparison: an inequality says what is meant.
      EXPECT_LE(one.tolerance, 0.25 * std::max(std::abs(one.expected), 1.0)) << one.what;
    }
    EXPECT_FALSE(one.what.empty());
    if (one.known_to_differ) {
      EXPECT_FALSE(one.note.empty()) << one.what << " differs without a reason";
    }
  }
  ASSERT_EQ(recorded.count(entry.id), 1u) << "record the verdict of a new entry here";
  EXPECT_EQ(text(outcome().verdict()), text(recorded.at(entry.id)));
}

TEST_P(EveryEntry, shows_what_is_on_record) {
  // All others are covered.
  static const std::map<std::string_view, Coverage> recorded{
      {"biswas2018-appH", Coverage::undecidable},      {"biswas2018-fig4.5", Coverage::circular},
      {"biswas2018-tableE.1-E.2", Coverage::circular}, {"biswas2018-tableJ.3", Coverage::circular},
      {"biswas2018-tableM.1", Coverage::circular},
  };
  const Entry& entry = *GetParam();
  const auto found = recorded.find(entry.id);
  EXPECT_EQ(text(coverage(entry, outcome())),
            text(found == recorded.end() ? Coverage::covered : found->second));
  // Whether that comparison notices the wrong input is shown by the mutations below.
  if (!entry.mutation.noticed_by.empty()) {
    EXPECT_EQ(coverage(entry, outcome()), Coverage::covered)
        << "no comparison that could have failed is called '" << entry.mutation.noticed_by << "'";
  }
}

TEST_P(EveryEntry, has_a_figure_with_curves) {
  ASSERT_FALSE(outcome().figures.empty());
  std::set<std::string> suffixes;
  for (const auto& [suffix, figure] : outcome().figures) {
    EXPECT_TRUE(suffixes.insert(suffix).second) << "two figures would have the same file name";
    ASSERT_FALSE(figure.rows.empty());
    for (const io::Row& row : figure.rows)
      for (const io::Panel& panel : row.panels) {
        EXPECT_FALSE(panel.x.label.empty());
        EXPECT_FALSE(panel.y.label.empty());
        ASSERT_FALSE(panel.curves.empty());
        for (const io::Curve& curve : panel.curves) EXPECT_GT(curve.x.size(), 1u);
      }
  }
}

TEST_P(EveryEntry, says_where_it_comes_from) {
  const Entry& entry = *GetParam();
  EXPECT_FALSE(entry.source.empty());
  EXPECT_FALSE(entry.sentence.empty());
  EXPECT_FALSE(citation(entry).empty());
  EXPECT_EQ(&find_entry(entry.id), &entry);
}

TEST_P(EveryEntry, shows_one_number_in_the_index) { EXPECT_FALSE(outcome().shown().what.empty()); }

std::string name_of(const ::testing::TestParamInfo<const Entry*>& info) {
  std::string name(info.param->id);
  for (char& c : name)
    if (c == '-' || c == '.') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Reproductions, EveryEntry, ::testing::ValuesIn(chosen()), name_of);

// ------------------------------------------------------------------------------- mutations

/// These take longer than a quarter of a second; test_reproduce_slow mutates them as well, and those
/// that are slow.
const std::set<std::string_view> heavy{
    "biswas2018-fig2.4-2.6", "biswas2018-table2.1-2.2", "biswas2018-fig3.2-3.4",
    "biswas2018-fig3.6-3.9", "biswas2018-fig4.5",       "biswas2018-fig5.1",
    "biswas2018-appA",       "biswas2018-figB.1",       "biswas2018-tableE.1-E.2",
    "biswas2018-tableM.1",   "mathis2020-fig28-30",     "mathis2020-table1",
    "mathis2020-table2",     "mathis2020-table3",       "biswas2015-misprints",
    "biswas2018-sec4.2",     "biswas2018-appJ",         "biswas2018-fig6.8",
    "mathis2020-sec7",       "biswas2018-fig2.7",       "miller2009-fig7-17"};

class QuickEntry : public ::testing::TestWithParam<const Entry*> {};

TEST_P(QuickEntry, notices_a_wrong_input) { EXPECT_EQ(unnoticed(*GetParam()), ""); }

std::vector<const Entry*> quick() {
  std::vector<const Entry*> pointers;
  for (const Entry& entry : entries())
    if (!entry.slow && heavy.count(entry.id) == 0) pointers.push_back(&entry);
  return pointers;
}

INSTANTIATE_TEST_SUITE_P(Mutations, QuickEntry, ::testing::ValuesIn(quick()), name_of);

TEST(Mutations, an_input_that_nobody_reads_is_reported) {
  Entry entry = find_entry("mathis2020-fig8");
  entry.mutation.input = "bouc-wen.betta";
  EXPECT_EQ(unnoticed(entry), "mathis2020-fig8 has no input 'bouc-wen.betta'");
}

TEST(Mutations, a_change_that_no_comparison_sees_is_reported) {
  Entry entry = find_entry("mathis2020-fig8");
  entry.mutation.factor = 1 + 1e-15;
  EXPECT_EQ(unnoticed(entry),
            "mathis2020-fig8: 'largest deviation from the backbone (29)' does not notice a wrong "
            "'bouc-wen.beta'");
}

TEST(Mutations, an_entry_cannot_call_itself_covered_by_a_row_that_could_not_fail) {
  Entry entry = find_entry("biswas2018-tableM.1");
  const Outcome& outcome = computed(entry);
  EXPECT_EQ(coverage(entry, outcome), Coverage::circular);
  entry.mutation.noticed_by = outcome.comparisons.front().what;  // circular
  EXPECT_EQ(coverage(entry, outcome), Coverage::circular);
  EXPECT_NE(unnoticed(entry).find("could not have failed"), std::string::npos);
  entry.mutation.noticed_by = "a name that nobody has";
  EXPECT_EQ(coverage(entry, outcome), Coverage::circular);
  EXPECT_NE(unnoticed(entry).find("has no comparison"), std::string::npos);
  // And the other way round: a covered entry that hides its row.
  Entry hidden = find_entry("mathis2020-fig8");
  hidden.mutation.noticed_by = "";
  EXPECT_EQ(coverage(hidden, computed(hidden)), Coverage::partly);
  EXPECT_NE(unnoticed(hidden).find("does not say that"), std::string::npos);
}

// ----------------------------------------------------------------------------------- pages

/// The index without its counts and without the rows of these entries.
std::string without(const std::vector<const Entry*>& left_out, const std::string& index) {
  std::string rest;
  std::istringstream lines(index);
  for (std::string line; std::getline(lines, line);) {
    const bool counts = line.find(" reproductions: ") != std::string::npos ||
                        line.find(" comparisons: ") != std::string::npos ||
                        line.rfind("Shown: ", 0) == 0;
    const bool skipped =
        counts || std::any_of(left_out.begin(), left_out.end(), [&](const Entry* entry) {
          return line.find(fmt::format("](reproductions/{}.md)", entry->id)) != std::string::npos;
        });
    if (!skipped) rest += line + '\n';
  }
  return rest;
}

TEST(Pages, of_the_documentation_are_up_to_date) {
  namespace fs = std::filesystem;
  const fs::path docs = fs::path(source_dir) / "docs";
  std::vector<Result> results;
  std::vector<const Entry*> left_out;
  std::set<std::string> wanted;
  for (const Entry* entry : chosen()) results.push_back({entry, computed(*entry)});
  for (const Entry& entry : entries())
    if (entry.slow && !testing::full_sweep()) {
      left_out.push_back(&entry);
      wanted.insert(fmt::format("{}.md", entry.id));
    }
  for (Page& page : pages(results)) {
    wanted.insert(fs::path(page.path).filename().string());
    std::ifstream file(docs / page.path);
    std::string old(std::istreambuf_iterator<char>(file), {});
    if (!left_out.empty() && page.path == "reproductions.md") {
      EXPECT_NE(old.find(fmt::format("\n{} reproductions: ", entries().size())), std::string::npos);
      for (const Entry* entry : left_out)
        EXPECT_NE(
            old.find(fmt::format("](reproductions/{}.md) | {} | ", entry->id, entry->sentence)),
            std::string::npos)
            << entry->id;
      old = without(left_out, old);
      page.text = without(left_out, page.text);
    }
    const auto [fresh, known] =
        std::mismatch(page.text.begin(), page.text.end(), old.begin(), old.end());
    EXPECT_TRUE(fresh == page.text.end() && known == old.end())
        << "docs/" << page.path << " is old; run make docs. It differs at line "
        << 1 + std::count(old.begin(), known, '\n');
  }
  for (const Result& result : results) {
    const std::string picture = picture_path(result);
    EXPECT_TRUE(picture.empty() || fs::exists(docs / picture)) << picture << ": run make docs";
  }
  for (const auto& file : fs::directory_iterator(docs / "reproductions"))
    if (file.path().extension() == ".md") {
      EXPECT_EQ(wanted.count(file.path().filename().string()), 1u)
          << file.path() << " belongs to no reproduction";
    }
}

TEST(Registry, has_each_identifier_once) {
  std::set<std::string_view> ids;
  for (const Entry& entry : entries()) {
    EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
    if (!entry.also.empty()) {
      EXPECT_TRUE(ids.insert(entry.also).second) << entry.also;
    }
  }
  EXPECT_GE(ids.size(), 10u);
}

TEST(Registry, knows_figures_of_two_publications_by_both_names) {
  EXPECT_EQ(&find_entry("biswas2015-fig5"), &find_entry("biswas2018-fig3.5"));
  EXPECT_EQ(&find_entry("biswas2015-fig10"), &find_entry("biswas2018-figB.1"));
  EXPECT_THROW(find_entry(""), Error);
}

TEST(Registry, suggests_what_is_near) {
  try {
    find_entry("biswas2018-fig4.77");
    FAIL() << "an unknown identifier was found";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "unknown reproduction 'biswas2018-fig4.77'; did you mean 'biswas2018-fig4.7'?");
  }
}

TEST(Registry, refuses_an_entry_without_publication) {
  EXPECT_THROW(citation("nobody1900-fig1"), Error);
}

Comparison comparison(Against against, double obtained, bool known_to_differ = false) {
  return {"x", against, 1, 1e-3, obtained, known_to_differ};
}

TEST(Verdicts, a_wrong_value_differs) {
  const Comparison wrong = comparison(Against::printed, 1.002);
  EXPECT_EQ(wrong.verdict(), Verdict::differs);
  EXPECT_FALSE(wrong.as_recorded());
  EXPECT_EQ(comparison(Against::independent, 1.002).verdict(), Verdict::differs);

  // In a real entry: one number changed spoils it.
  Outcome outcome = find_entry("mathis2020-fig8").compute();
  outcome.comparisons.back().expected *= 1.01;
  EXPECT_EQ(outcome.verdict(), Verdict::differs);
  EXPECT_FALSE(outcome.as_recorded());
}

TEST(Verdicts, not_a_number_differs) {
  EXPECT_EQ(comparison(Against::printed, std::nan("")).verdict(), Verdict::differs);
}

TEST(Verdicts, an_expected_difference_is_as_recorded) {
  EXPECT_TRUE(comparison(Against::printed, 1.002, true).as_recorded());
  EXPECT_FALSE(comparison(Against::printed, 1.0005, true).as_recorded())
      << "a source that turns out to be right must be noticed too";
}

TEST(Verdicts, an_inequality_has_a_direction) {
  Comparison one = comparison(Against::statement, 1.1);
  one.relation = Comparison::Relation::at_most;
  EXPECT_FALSE(one.agrees());
  one.relation = Comparison::Relation::at_least;
  EXPECT_TRUE(one.agrees());
  one.obtained = std::nan("");
  EXPECT_FALSE(one.agrees());
}

TEST(Verdicts, say_what_they_rest_on) {
  const Comparison printed = comparison(Against::printed, 1),
                   own = comparison(Against::recorded, 1),
                   round_trip = comparison(Against::circular, 1);
  EXPECT_EQ((Outcome{{own, printed}}.verdict_with_kind()), "reproduced (printed numbers)");
  EXPECT_EQ((Outcome{{own}}.verdict_with_kind()), "no printed value (own record only)");
  EXPECT_EQ((Outcome{{own, round_trip}}.verdict_with_kind()), "no printed value (circular)");
  EXPECT_EQ((Outcome{{round_trip, printed}}.verdict_with_kind()),
            "reproduced (printed numbers, partly circular)");
  EXPECT_EQ((Outcome{{own, comparison(Against::printed, 2)}}.verdict_with_kind()),
            "differs (printed numbers, 1 of 2 not met)");
}

TEST(Verdicts, only_printed_numbers_and_equations_make_reproduced) {
  const Comparison printed = comparison(Against::printed, 1.0005);
  const Comparison independent = comparison(Against::independent, 1.0005);
  EXPECT_FALSE(comparison(Against::judged, 7).could_fail());
  EXPECT_EQ(printed.verdict(), Verdict::reproduced);
  EXPECT_EQ(comparison(Against::equation, 1).verdict(), Verdict::reproduced);
  for (const Against weaker :
       {Against::statement, Against::circular, Against::identity, Against::recorded})
    EXPECT_EQ(comparison(weaker, 1).verdict(), Verdict::no_printed_value);
  EXPECT_EQ(independent.verdict(), Verdict::no_printed_value);
  EXPECT_EQ((Outcome{{independent, printed}}.verdict()), Verdict::reproduced);
  EXPECT_EQ((Outcome{{independent, independent}}.verdict()), Verdict::no_printed_value);
  EXPECT_EQ((Outcome{{printed, comparison(Against::independent, 2)}}.verdict()), Verdict::differs);
}

}  // namespace
}  // namespace microslip::reproduce
