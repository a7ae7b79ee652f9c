#include "microslip/study/study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "microslip/core/error.hpp"
#include "microslip/study/answers.hpp"
#include "microslip/study/run.hpp"

namespace microslip::study {
namespace study_test {

namespace fs = std::filesystem;

/// f = k u with u up to 2: all answers follow from the distribution of k.
std::string linear_study(const std::string& head, const std::string& vary,
                         const std::string& collect = "") {
  return head + "\n[job]\nkind = 'simulate'\nsignal = '2*sin(t)'\nuntil = 6.5\nstep = 0.1\n" +
         "[[job.laws]]\nmodel = 'linear'\nparameters = { k = 3 }\n[vary]\n" + vary +
         "\n[[collect]]\nname = 'top'\nvalue = 'max(f)'\n" + collect;
}

class StudyTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "microslip-study-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string table(const Study& study, const Store& store) const {
    std::string text;
    write_table(study, store, [&](std::string_view part) { text += part; });
    return text;
  }
  fs::path folder;
};

std::string refusal(const std::string& text) {
  try {
    Study::parse(text, "s.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(StudyTest, answers_follow_from_the_distribution) {
  const Study study = Study::parse(
      linear_study(
          "seed = 3\nsamples = 512", "'law[1].k' = { uniform = [1, 2] }",
          "limit = 3.5\n[[collect]]\nname = 'curve'\nvalue = 'abs(f)'\non = { t = [0, 3, 7] }"
          "\n[[collect]]\nname = 'range'\nvalue = 'max(f) - min(f) + 0*last(f)'\n"
          "[[collect]]\nname = 'half'\nvalue = 'at(f, t=0.5)'\n"
          "[[collect]]\nname = 'path'\nvalue = 'results[1].summary.f_max'"),
      "s.toml");
  Store store(folder / "s.study", study);
  run_missing(study, store, {}, 2);
  const StudyResult result = answers(study, store);
  EXPECT_EQ(result.done, 512u);
  EXPECT_EQ(result.failed, 0u);
  const NumberAnswer& top = result.numbers[0];
  // Of 512 points of a net one lies in each 512th.
  EXPECT_NEAR(top.mean, 3, 2.0 / 512);
  EXPECT_NEAR(top.quantiles[1], 2.1, 2.0 / 256);
  EXPECT_NEAR(top.quantiles[5], 3.9, 2.0 / 256);
  EXPECT_NEAR(top.deviation, 2 / std::sqrt(12.0), 0.01);
  EXPECT_NEAR(top.exceeds->probability, 0.25, 1.0 / 256);
  EXPECT_LT(top.exceeds->low, 0.25);
  EXPECT_GT(top.exceeds->high, 0.25);
  const CurveAnswer& curve = result.curves[0];
  ASSERT_EQ(curve.grid.size(), 7u);
  for (std::size_t i = 0; i < 7; ++i) {
    const double u = std::abs(2 * std::sin(curve.grid[i]));
    EXPECT_NEAR(curve.median[i], 1.5 * u, 0.01);
    EXPECT_NEAR(curve.high[i], 1.95 * u, 0.02);
  }
  EXPECT_NEAR(result.numbers[1].mean, 6, 0.02);
  EXPECT_NEAR(result.numbers[2].mean, 3 * std::sin(0.5), 0.01);
  EXPECT_NEAR(result.numbers[3].mean, top.mean, 1e-12);
  // The text form keeps all of it.
  const StudyResult read = jobs::from_text<StudyResult>(jobs::to_text(result));
  EXPECT_EQ(read.numbers[0].quantiles, top.quantiles);
  EXPECT_EQ(read.curves[0].median, curve.median);
}

TEST_F(StudyTest, shards_in_any_order_give_the_same_bytes) {
  const Study study = Study::parse(
      linear_study("samples = 200\ndesign = 'random'", "'law[1].k' = { lognormal = [1, 0.3] }"),
      "s.toml");
  Store whole(folder / "whole.study", study);
  run_missing(study, whole, {}, 1);
  for (const std::uint64_t place : {2, 0, 1}) {
    Store shard(folder / ("p" + std::to_string(place)), study);
    run_missing(study, shard, {place, 3}, 3);
    EXPECT_EQ(run_missing(study, shard, {place, 3}, 3).done, 0u);  // nothing is missing
  }
  Store merged(folder / "merged.study", study);
  for (const char* place : {"p1", "p2", "p0"}) merged.merge(folder / place);
  EXPECT_EQ(merged.merge(folder / "p2"), 0u);
  EXPECT_EQ(table(study, merged), table(study, whole));
  EXPECT_GT(table(study, whole).size(), 5000u);
}

TEST_F(StudyTest, a_draw_that_a_law_refuses_is_a_failed_run) {
  const Study study = Study::parse(
      "samples = 100\n[job]\nkind = 'simulate'\nsignal = 'sin(t)'\nuntil = 6\nstep = 0.5\n"
      "[[job.laws]]\nmodel = 'jenkins'\n[vary]\n'law[1].phi' = { uniform = [-1, 3] }\n"
      "[[collect]]\nname = 'top'\nvalue = 'max(f)'\n[fail]\nvalue = 'none'",
      "s.toml");
  Store store(folder / "s.study", study);
  run_missing(study, store, {}, 1);
  const StudyResult result = answers(study, store);
  EXPECT_NEAR(static_cast<double>(result.failed), 25, 2);
  EXPECT_EQ(result.numbers[0].count, 100 - result.failed);
  ASSERT_FALSE(result.failures.empty());
  EXPECT_NE(result.failures[0].message.find("phi"), std::string::npos);
  EXPECT_NE(table(study, store).find(",none,"), std::string::npos);
}

TEST_F(StudyTest, more_samples_are_added_and_another_study_is_refused) {
  const std::string vary = "'law[1].k' = { uniform = [1, 2] }";
  const Study small = Study::parse(linear_study("samples = 16", vary), "s.toml");
  const Study large = Study::parse(linear_study("samples = 64", vary), "s.toml");
  {
    Store store(folder / "s.study", small);
    run_missing(small, store, {}, 1);
  }
  {
    Store store(folder / "s.study", large);
    const Progress progress = run_missing(large, store, {}, 1);
    EXPECT_EQ(progress.before, 16u);
    EXPECT_EQ(progress.done, 48u);
  }
  const Study other = Study::parse(linear_study("samples = 16\nseed = 2", vary), "s.toml");
  try {
    Store store(folder / "s.study", other);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("another study"), std::string::npos);
  }
  std::ofstream(folder / "broken.study") << "SQLite format 3, but not really so";
  EXPECT_THROW(Store(folder / "broken.study", small), Error);
  Store mine(folder / "mine.study", small);
  EXPECT_THROW(mine.merge(folder / "broken.study"), Error);
  EXPECT_THROW(mine.merge(folder / "missing.study"), Error);
  EXPECT_FALSE(fs::exists(folder / "missing.study"));
}

/// Additive: the shares of the variance are 1² and 3² of 10.
TEST_F(StudyTest, indices_of_a_sum) {
  const Study study = Study::parse(
      "samples = 256\nindices = true\n[job]\nkind = 'simulate'\nsignal = 'sin(t)'\nuntil = 6\nstep "
      "= "
      "0.1\n[[job.laws]]\nmodel = 'linear+linear'\n[vary]\n"
      "'law[1].linear.k' = { uniform = [1, 2] }\n'law[1].linear2.k' = { uniform = [1, 4] }\n"
      "[[collect]]\nname = 'top'\nvalue = 'max(f)'",
      "s.toml");
  EXPECT_EQ(study.runs(), 256u * 4);
  Store store(folder / "s.study", study);
  run_missing(study, store, {}, 2);
  const auto indices = answers(study, store).numbers[0].indices;
  ASSERT_EQ(indices.size(), 2u);
  EXPECT_EQ(indices[1].input, "law[1].linear2.k");
  EXPECT_NEAR(indices[0].first, 0.1, 0.03);
  EXPECT_NEAR(indices[1].total, 0.9, 0.05);
}

constexpr const char* two_joints =
    "M = [1.0]\nK = [0.75]\nC = [0.05]\n[[spring]]\nbetween = [0, 1]\nk = 0.5\n"
    "[[joint]]\nmodel = 'jenkins'\nset = { k = 0.2, phi = 0.1 }\nbetween = [0, 1]\n"
    "[[joint]]\nmodel = 'jenkins'\nset = { k = 0.3, phi = 0.2 }\nbetween = [0, 1]\n"
    "[[load]]\nkind = 'harmonic'\ndof = 1\namplitude = 0.2\n[[analysis]]\n"
    "kind = 'frequency-response'\nomega = [0.9, 1.6]\nharmonics = 3\nlevels = [0.5, 1.0]\n"
    "output = 'frf.csv'\n";

TEST_F(StudyTest, addresses_of_a_structure) {
  std::ofstream(folder / "two.toml") << two_joints;
  std::ofstream(folder / "fit.json")
      << R"({"fits": [{"model": "jenkins", "parameters": {"k": 0.25, "phi": 0.2},
        "standard_errors": {"k": 0.01, "phi": 0.02},
        "correlation": {"names": ["k", "phi"], "matrix": [[1, 0.8], [0.8, 1]]}}]})";
  const auto text = [](const std::string& vary) {
    return "samples = 64\n[job]\nkind = 'respond'\nfile = 'two.toml'\n[vary]\n" + vary +
           "\n[[collect]]\nname = 'peak'\nvalue = 'max(x1, level=1)'\n"
           "[[collect]]\nname = 'x1'\non = { omega = [0.9, 1.6, 5] }\nlevel = 0.5\n";
  };
  const Study study =
      Study::parse(text("'joint[*].phi' = { factor = { normal = [1, 0.1] }, each = false }\n"
                        "'spring[1].k' = { values = [0.5, 0.6] }"),
                   folder / "s.toml");
  ASSERT_EQ(study.groups().size(), 2u);
  for (std::uint64_t i = 0; i < 8; ++i) {
    const std::vector<double> x = study.draw(i);
    ASSERT_EQ(x.size(), 3u);
    EXPECT_NEAR(x[1], 2 * x[0], 1e-15);  // one factor for both
    EXPECT_TRUE(x[2] == 0.5 || x[2] == 0.6);
  }
  const Outcome outcome = study.run(3);
  EXPECT_EQ(outcome.failure, "");
  ASSERT_EQ(outcome.values.size(), 6u);
  for (const double x : outcome.values) EXPECT_GT(x, 0);
  EXPECT_FALSE(fs::exists(folder / "frf.csv"));  // a run writes no file

  // Draws of a fit have its errors and its correlation.
  const Study fitted = Study::parse(text("'joint[1]' = { fit = 'fit.json' }"), folder / "s.toml");
  ASSERT_EQ(fitted.numbers(), (std::vector<std::string>{"joint[1].k", "joint[1].phi"}));
  double k = 0, kk = 0, p = 0, pp = 0, kp = 0;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const std::vector<double> x = fitted.draw(i);
    const double a = std::log(x[0] / 0.25) / 0.04, b = std::log(x[1] / 0.2) / 0.1;
    k += a / 64, kk += a * a / 64, p += b / 64, pp += b * b / 64, kp += a * b / 64;
  }
  EXPECT_NEAR(k, 0, 0.1);
  EXPECT_NEAR(p, 0, 0.1);
  EXPECT_NEAR(kk, 1, 0.15);
  EXPECT_NEAR(pp, 1, 0.15);
  EXPECT_NEAR(kp, 0.8, 0.15);
}

TEST_F(StudyTest, what_is_wrong_is_said_in_a_sentence) {
  const std::string good = "'law[1].k' = { uniform = [1, 2] }";
  const std::pair<std::string, std::string> cases[] = {
      {linear_study("samples = 8", "'law[1].k' = { gauss = [1, 2] }"),
       "unknown distribution 'gauss'"},
      {linear_study("samples = 8", "'law[1].kk' = { uniform = [1, 2] }"), "'kk'"},
      {linear_study("samples = 8", "'law[2].k' = { uniform = [1, 2] }"), "law[2].k"},
      {linear_study("samples = 8", "'law[1..9].k' = { uniform = [1, 2] }"), "from 1 to 1"},
      {linear_study("samples = 8", "'law[1].k' = { uniform = [2, 1] }"), "smaller"},
      {linear_study("samples = 8", "'law[1].k' = { normal = [1, 0] }"), "positive"},
      {linear_study("samples = 8\ndesign = 'sobl'", good), "did you mean 'sobol'"},
      {linear_study("sample = 8", good), "did you mean 'samples'"},
      {linear_study("samples = 8", good, "[[collect]]\nname = 'top'\nvalue = 'max(u)'"), "taken"},
      {linear_study("samples = 8", good, "[[collect]]\nname = 'x'\nvalue = 'f'"), "neither"},
      {linear_study("samples = 8", good, "[[collect]]\nname = 'x'\nvalue = 'at(f)'"), "place"},
      {linear_study("samples = 8", good, "[fail]\nmost = 2"), "share"},
      {"samples = 8\n[job]\nkind = 'simulat'", "did you mean 'simulate'"},
  };
  for (const auto& [text, part] : cases) {
    const std::string sentence = refusal(text);
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence << "\n" << text;
    EXPECT_EQ(sentence.find('\n'), std::string::npos);
  }
  // A column that no result has is a mistake in the study, not a failed run.
  const Study study = Study::parse(
      linear_study("samples = 8", good, "[[collect]]\nname = 'x'\nvalue = 'max(x9)'"), "s.toml");
  EXPECT_THROW(study.run(0), Error);
  for (const char* shard : {"", "3", "0/4", "5/4", "a/b", "1/0", "1/2/3", "-1/4"})
    EXPECT_THROW(shard_of(shard), Error) << shard;
  EXPECT_EQ(shard_of("3/64").place, 2u);
}

TEST_F(StudyTest, a_list_is_run_as_it_stands) {
  std::ofstream(folder / "draws.csv") << "run,law[1].k\n0,1.5\n1,2\n2,-0.5\n";
  std::string text = linear_study("design = 'list'\nlist = 'draws.csv'", "");
  text.replace(text.find("[vary]\n"), 7, "");
  const Study study = Study::parse(text, folder / "s.toml");
  EXPECT_EQ(study.runs(), 3u);
  EXPECT_EQ(study.draw(2), std::vector<double>{-0.5});
  EXPECT_NEAR(study.run(1).values[0], 4, 1e-12);
}

}  // namespace study_test
}  // namespace microslip::study
