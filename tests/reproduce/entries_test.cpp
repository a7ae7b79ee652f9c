#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "microslip/core/error.hpp"
#include "reproduce/reproduction.hpp"

namespace microslip::reproduce {
namespace {

using Against = Comparison::Against;

class EveryEntry : public testing::TestWithParam<const Entry*> {
 protected:
  /// Some take seconds, so that each is computed once for all tests.
  static const Outcome& outcome() {
    static std::map<const Entry*, Outcome> known;
    if (known.count(GetParam()) == 0) known.emplace(GetParam(), GetParam()->compute());
    return known.at(GetParam());
  }
};

TEST_P(EveryEntry, HasTheVerdictOnRecord) {
  // `reproduced` where the source prints a number or an equation that is met.
  static const std::map<std::string_view, Verdict> recorded{
      {"biswas2018-fig2.1", Verdict::no_printed_value},
      {"biswas2018-fig2.4-2.6", Verdict::no_printed_value},
      {"biswas2018-fig2.7", Verdict::no_printed_value},
      {"biswas2018-fig2.8", Verdict::no_printed_value},
      {"biswas2018-table2.1-2.2", Verdict::no_printed_value},
      {"biswas2018-sec3.3", Verdict::differs},
      {"biswas2018-fig3.6-3.9", Verdict::no_printed_value},
      {"biswas2018-tableG.1-G.2", Verdict::differs},
      {"biswas2018-fig2.9", Verdict::no_printed_value},
      {"biswas2018-fig3.2-3.4", Verdict::no_printed_value},
      {"biswas2018-fig3.5", Verdict::no_printed_value},
      {"biswas2018-appA", Verdict::no_printed_value},
      {"biswas2018-figB.1", Verdict::no_printed_value},
      {"biswas2018-figD.2", Verdict::no_printed_value},
      {"biswas2018-appF", Verdict::differs},
      {"biswas2018-fig4.5", Verdict::no_printed_value},
      {"biswas2018-fig4.7", Verdict::reproduced},
      {"biswas2018-eq4.12-4.17", Verdict::reproduced},
      {"biswas2018-fig5.1", Verdict::no_printed_value},
      {"biswas2018-fig6.1", Verdict::no_printed_value},
      {"biswas2018-fig6.6", Verdict::no_printed_value},
      {"biswas2018-fig6.7", Verdict::no_printed_value},
      {"biswas2018-pinched-energy", Verdict::reproduced},
      {"gavin2018-fig1", Verdict::no_printed_value},
      {"gavin2018-fig2", Verdict::no_printed_value},
      {"mathis2020-fig2", Verdict::reproduced},
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
      {"mathis2020-fig13", Verdict::no_printed_value},
      {"mathis2020-table1", Verdict::differs},
      {"mathis2020-table2", Verdict::differs},
      {"mathis2020-table3", Verdict::differs},
  };
  const Entry& entry = *GetParam();
  ASSERT_FALSE(outcome().comparisons.empty());
  for (const Comparison& one : outcome().comparisons) {
    EXPECT_TRUE(one.as_recorded()) << one.what << ": expected " << one.expected << " ± "
                                   << one.tolerance << ", obtained " << one.obtained;
    EXPECT_GT(one.tolerance, 0) << one.what;
    EXPECT_FALSE(one.what.empty());
    if (one.known_to_differ) {
      EXPECT_FALSE(one.note.empty()) << one.what << " differs without a reason";
    }
  }
  ASSERT_EQ(recorded.count(entry.id), 1u) << "record the verdict of a new entry here";
  EXPECT_EQ(text(outcome().verdict()), text(recorded.at(entry.id)));
}

TEST_P(EveryEntry, HasAFigureWithCurves) {
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

TEST_P(EveryEntry, SaysWhereItComesFrom) {
  const Entry& entry = *GetParam();
  EXPECT_FALSE(entry.source.empty());
  EXPECT_FALSE(entry.sentence.empty());
  EXPECT_FALSE(citation(entry).empty());
  EXPECT_EQ(&find_entry(entry.id), &entry);
}

std::vector<const Entry*> all() {
  std::vector<const Entry*> pointers;
  for (const Entry& entry : entries()) pointers.push_back(&entry);
  return pointers;
}

std::string name_of(const testing::TestParamInfo<const Entry*>& info) {
  std::string name(info.param->id);
  for (char& c : name)
    if (c == '-' || c == '.') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Reproductions, EveryEntry, testing::ValuesIn(all()), name_of);

TEST(Registry, HasEachIdentifierOnce) {
  std::set<std::string_view> ids;
  for (const Entry& entry : entries()) {
    EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
    if (!entry.also.empty()) {
      EXPECT_TRUE(ids.insert(entry.also).second) << entry.also;
    }
  }
  EXPECT_GE(ids.size(), 10u);
}

TEST(Registry, KnowsFiguresOfTwoPublicationsByBothNames) {
  EXPECT_EQ(&find_entry("biswas2015-fig5"), &find_entry("biswas2018-fig3.5"));
  EXPECT_EQ(&find_entry("biswas2015-fig10"), &find_entry("biswas2018-figB.1"));
  EXPECT_THROW(find_entry(""), Error);
}

TEST(Registry, SuggestsWhatIsNear) {
  try {
    find_entry("biswas2018-fig4.77");
    FAIL() << "an unknown identifier was found";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "unknown reproduction 'biswas2018-fig4.77'; did you mean 'biswas2018-fig4.7'?");
  }
}

TEST(Registry, RefusesAnEntryWithoutPublication) {
  EXPECT_THROW(citation({"nobody1900-fig1", "", "", nullptr}), Error);
}

Comparison comparison(Against against, double obtained, bool known_to_differ = false) {
  return {"x", against, 1, 1e-3, obtained, known_to_differ};
}

TEST(Verdicts, AWrongValueDiffers) {
  const Comparison wrong = comparison(Against::printed, 1.002);
  EXPECT_EQ(wrong.verdict(), Verdict::differs);
  EXPECT_FALSE(wrong.as_recorded());
  EXPECT_EQ(comparison(Against::derived, 1.002).verdict(), Verdict::differs);

  // In a real entry: one number changed spoils it.
  Outcome outcome = find_entry("mathis2020-fig8").compute();
  outcome.comparisons.back().expected *= 1.01;
  EXPECT_EQ(outcome.verdict(), Verdict::differs);
  EXPECT_FALSE(outcome.as_recorded());
}

TEST(Verdicts, NotANumberDiffers) {
  EXPECT_EQ(comparison(Against::printed, std::nan("")).verdict(), Verdict::differs);
}

TEST(Verdicts, AnExpectedDifferenceIsAsRecorded) {
  EXPECT_TRUE(comparison(Against::printed, 1.002, true).as_recorded());
  EXPECT_FALSE(comparison(Against::printed, 1.0005, true).as_recorded())
      << "a source that turns out to be right must be noticed too";
}

TEST(Verdicts, OnlyPrintedNumbersMakeReproduced) {
  const Comparison printed = comparison(Against::printed, 1.0005);
  const Comparison derived = comparison(Against::derived, 1.0005);
  EXPECT_EQ(printed.verdict(), Verdict::reproduced);
  EXPECT_EQ(derived.verdict(), Verdict::no_printed_value);
  EXPECT_EQ((Outcome{{derived, printed}}.verdict()), Verdict::reproduced);
  EXPECT_EQ((Outcome{{derived, derived}}.verdict()), Verdict::no_printed_value);
  EXPECT_EQ((Outcome{{printed, comparison(Against::derived, 2)}}.verdict()), Verdict::differs);
}

}  // namespace
}  // namespace microslip::reproduce
