#include "microslip/jobs/respond.hpp"

#include <gtest/gtest.h>

#include <future>

#include "microslip/core/error.hpp"
#include "microslip/jobs/run.hpp"

namespace microslip::jobs {
namespace respond_test {

const std::string oscillator = R"(
M = [1.0]
[[spring]]
between = [0, 1]
k = 0.75
[[damper]]
between = [0, 1]
c = 0.01
[[joint]]
model = "jenkins"
set = { k = 0.25, phi = 0.2 }
between = [0, 1]
[[load]]
kind = "harmonic"
dof = 1
amplitude = 0.2
omega = 0.9
)";
const std::string response =
    "[[analysis]]\nkind = \"frequency-response\"\nomega = [0.7, 1.2]\nharmonics = 5\n";
const std::string motion = "[[analysis]]\nkind = \"time\"\nuntil = 200\nstep = 0.5\n";

RespondRequest request_of(const std::string& text) {
  RespondRequest request;
  request.name = "one.toml";
  request.structure = catalog::parse_structure(text, "one.toml");
  return request;
}

TEST(respond, the_text_of_a_request_gives_the_result_of_the_file) {
  const std::string text = oscillator + response + motion;
  const RespondResult direct = respond(request_of(text));
  const std::string through = run("respond", request_text("respond", text, "one.toml"));
  EXPECT_EQ(through, to_text(direct));
  ASSERT_EQ(direct.analyses.size(), 2u);
  // 2.5911: what codes for harmonic balance agree on.
  const std::vector<double>& x = *direct.analyses[0].column("x1");
  EXPECT_NEAR(*std::max_element(x.begin(), x.end()), 2.5911, 5e-3);
  EXPECT_EQ(direct.analyses[1].column("t")->back(), 200);
  EXPECT_EQ(to_text(from_text<RespondResult>(through)), through);
}

TEST(respond, columns_go_in_and_out_beside_the_text) {
  const Columns matrix{
      {"i", {1, 2}}, {"j", {1, 2}}, {"m", {1, 2}}, {"k", {3, 4}}, {"start", {0.5, 0}}};
  const std::string request = R"({"structure": {
    "M": {"rows": 2, "row": "i", "column": "j", "value": "m"},
    "K": {"rows": 2, "row": "i", "column": "j", "value": "k"},
    "joint": [{"model": "jenkins", "between": [1, 2]}],
    "analysis": [{"kind": "time", "until": 2, "step": 0.5, "x0": "start"}]}})";
  Columns results;
  const std::string text = run("respond", request, matrix, {}, &results);
  ASSERT_TRUE(results.contains("/analyses/0/columns/x1"));
  EXPECT_EQ(results["/analyses/0/columns/t"], (std::vector<double>{0, 0.5, 1, 1.5, 2}));
  EXPECT_EQ(results["/analyses/0/columns/x1"].front(), 0.5);
  const auto result = from_text<RespondResult>(text, "result", results);
  EXPECT_EQ(to_text(result), run("respond", request, matrix));
}

/// Stops after some calls.
Control stop_at(double part) {
  return {[part](double now, std::string_view) { return now < part; }};
}

TEST(respond, a_motion_that_is_stopped_keeps_its_rows) {
  const std::string text =
      oscillator + "[[analysis]]\nkind = \"time\"\nuntil = 1e7\nstep = 0.5\n" + response;
  const RespondResult result = respond(request_of(text), stop_at(1e-4));
  EXPECT_TRUE(result.interrupted);
  ASSERT_EQ(result.analyses.size(), 1u);
  const std::vector<double>& t = *result.analyses[0].column("t");
  EXPECT_GT(t.back(), 1.0);
  EXPECT_LT(t.back(), 1e7);
  EXPECT_EQ(result.analyses[0].rows, static_cast<long>(t.size()));
}

TEST(respond, a_branch_that_is_stopped_goes_on_where_it_was) {
  const std::string text = oscillator +
                           "[[analysis]]\nkind = \"frequency-response\"\n"
                           "omega = [0.7, 1.2]\nharmonics = 9\n"
                           "levels = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2]\n";
  RespondRequest request = request_of(text);
  const RespondResult part = respond(request, stop_at(0.2));
  ASSERT_TRUE(part.interrupted);
  const AnalysisResult& stopped = part.analyses.at(0);
  ASSERT_FALSE(stopped.resume.empty());
  EXPECT_LT(stopped.column("level")->back(), 1.2);
  request.resume = {{1, "one.csv", stopped.resume, stopped.columns}};
  const RespondResult rest = respond(from_text<RespondRequest>(to_text(request)));
  EXPECT_FALSE(rest.interrupted);
  const AnalysisResult& whole = rest.analyses.at(0);
  EXPECT_EQ(whole.points_before, stopped.column("omega")->size());
  const std::vector<double>&level = *whole.column("level"), &omega = *whole.column("omega");
  ASSERT_TRUE(std::is_sorted(level.begin(), level.end()));
  for (const double factor : request.structure.analyses[0].levels) {
    const auto [first, last] = std::equal_range(level.begin(), level.end(), factor);
    ASSERT_NE(first, last) << factor;
    EXPECT_EQ(omega[static_cast<std::size_t>(first - level.begin())], 0.7) << factor;
    EXPECT_EQ(omega[static_cast<std::size_t>(last - level.begin() - 1)], 1.2) << factor;
  }
}

TEST(respond, rows_that_are_streamed_are_those_of_the_table) {
  const RespondRequest request = request_of(oscillator + motion);
  const RespondResult kept = respond(request);
  std::vector<std::vector<double>> rows;
  std::vector<std::string> headings;
  std::size_t finished = 0;
  RespondSinks sinks;
  sinks.rows = [&](std::size_t index, const std::vector<std::string>& names) {
    EXPECT_EQ(index, 0u);
    headings = names;
    return [&](const std::vector<double>& row) { rows.push_back(row); };
  };
  sinks.finished = [&](std::size_t, AnalysisResult& result) {
    EXPECT_TRUE(result.streamed);
    ++finished;
  };
  const RespondResult streamed = respond(request, {}, sinks);
  EXPECT_EQ(finished, 1u);
  EXPECT_TRUE(streamed.analyses[0].columns.empty());
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const auto& [name, values] = kept.analyses[0].columns.at(i);
    EXPECT_EQ(headings[i], name);
    ASSERT_EQ(rows.size(), values.size());
    for (std::size_t row = 0; row < rows.size(); ++row) ASSERT_EQ(rows[row][i], values[row]);
  }
}

TEST(respond, jobs_of_several_threads_do_not_know_each_other) {
  const std::string request = request_text("respond", oscillator + response, "one.toml");
  const std::string other = request_text("respond", oscillator + motion, "one.toml");
  const std::string alone = run("respond", request), other_alone = run("respond", other);
  const auto work = [](const std::string& text) {
    return std::async(std::launch::async, [&text] { return run("respond", text); });
  };
  auto a = work(request), b = work(other), c = work(request);
  EXPECT_EQ(a.get(), alone);
  EXPECT_EQ(b.get(), other_alone);
  EXPECT_EQ(c.get(), alone);
}

TEST(respond, what_cannot_be_asked_is_refused_before_anything_begins) {
  bool begun = false;
  RespondSinks sinks;
  sinks.begun = [&](const RespondResult&) { begun = true; };
  try {
    respond(request_of(oscillator + response +
                       "[[analysis]]\nkind = \"nonlinear-mode\"\n"
                       "amplitude = [0.1, 1]\nmode = 2\n"),
            {}, sinks);
    FAIL() << "mode 2 of one degree of freedom";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "one.toml, line 22: mode = 2 must be from 1 to 1");
  }
  EXPECT_FALSE(begun);
}

}  // namespace respond_test
}  // namespace microslip::jobs
