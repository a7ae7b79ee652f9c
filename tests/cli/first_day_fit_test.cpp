#include <array>
#include <set>

#include "first_day.hpp"

namespace cli {
namespace first_day_fit_test {

TEST_F(FirstDay, the_time_budget_was_doubled) {
  write_record("r.csv");
  const auto begin = std::chrono::steady_clock::now();
  const Outcome o = run({"fit", "r.csv", "--time-budget", "2", "-o", "fit.json", "-q"});
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(o.code, 0) << o.err;
  const double seconds = Json::parse(read("fit.json"))["seconds"];
  EXPECT_LT(seconds, 4) << passed.count();  // was twice the budget and more
}

/// Status, standard errors and message of a fit must say the same.
void expect_no_contradiction(const Json& fit) {
  const std::string message = fit["message"], status = fit["status"];
  if (status == "failed") return;
  // What the message calls not determined: names, or powers of them as n^-0.5.
  std::set<std::string> undetermined;
  const std::string phrase = "do not determine ";
  if (const auto at = message.find(phrase); at != std::string::npos) {
    std::istringstream words(
        message.substr(at + phrase.size(), message.find(';', at) - at - phrase.size()));
    for (std::string word; words >> word;)
      undetermined.insert(word.substr(0, word.find_first_of("^,")));
    undetermined.erase("and");
  }
  bool any_missing = false;
  for (const auto& [name, error] : fit["standard_errors"].items()) {
    const bool at_limit = contains(message, name + " = ");
    const bool missing = error.is_null();
    any_missing = any_missing || (missing && !at_limit);
    EXPECT_EQ(missing && !at_limit && !contains(message, name + " run"),
              undetermined.contains(name))
        << name << ": " << message;
  }
  if (status == "converged") {
    EXPECT_FALSE(any_missing) << fit.dump(1);
    EXPECT_FALSE(contains(message, "do not determine")) << message;
  }
}

TEST_F(FirstDay, fits_contradicted_themselves) {
  // Microslip alone determines Fs and beta of iwan4 only together.
  ASSERT_EQ(run({"simulate", "iwan4", "--signal", "0.1*sin(t)*(1+t/60)", "--until", "60", "--step",
                 "0.1", "-o", "r.csv", "-q"})
                .code,
            0);
  std::vector<std::string> files{"r.csv"};
  const fs::path measured = fs::path(microslip::source_dir) / ".." / "shared" / "data" /
                            "friction_damper_1Hz_36lb_0.5in.csv";
  if (fs::exists(measured)) files.push_back(fs::canonical(measured).string());
  for (const std::string& file : files) {
    const Outcome o =
        run({"fit", file, "--model", "iwan4,bouc-wen,jenkins,two-state,bouc-wen-degrading",
             "--free", "backlash,offset", "--time-budget", "3", "-o", "fit.json", "-q"});
    EXPECT_EQ(o.code, 0) << o.err;
    for (const Json& fit : Json::parse(read("fit.json"))["fits"]) expect_no_contradiction(fit);
  }
}

TEST_F(FirstDay, general_laws_ended_worse_than_their_special_cases) {
  // Loops that do not degrade: the degrading law can do what the hardening one does.
  ASSERT_EQ(run({"simulate", "bouc-wen-hardening", "--set", "fp=3", "--set", "uy=0.2", "--signal",
                 "sin(t)*(1+t/40)", "--until", "40", "--step", "0.1", "-o", "r.csv", "-q"})
                .code,
            0);
  const Outcome o = run(
      {"fit", "r.csv", "--model", "bouc-wen-degrading", "--starts", "1", "-o", "fit.json", "-q"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_LT(Json::parse(read("fit.json"))["fits"][0]["rms_relative"], 0.005);
}

TEST_F(FirstDay, special_cases_inside_a_wrapper_or_a_sum) {
  ASSERT_EQ(run({"simulate", "backlash(iwan4(KT=10,chi=-0.3),gap=0.3)+linear(k=0.7)", "--signal",
                 "sin(t)*(1+t/40)", "--until", "40", "--step", "0.1", "-o", "r.csv", "-q"})
                .code,
            0);
  const Outcome o = run({"fit", "r.csv", "--model", "backlash(iwan5)+linear", "--starts", "1",
                         "--time-budget", "20", "-o", "fit.json", "-q"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_LT(Json::parse(read("fit.json"))["fits"][0]["rms_relative"], 0.005);
}

TEST_F(FirstDay, bars_of_the_report_in_linear_scale) {
  const std::string record =
      (fs::path(microslip::source_dir) / "data" / "bolted-joint.csv").string();
  ASSERT_EQ(run({"fit", record, "--model", "iwan4,jenkins", "--time-budget", "5", "--holdout",
                 "none", "-o", "fit.json", "--report", "r.html", "-q"})
                .code,
            0);
  std::vector<double> bars;
  const std::string page = read("r.html"), mark = "class='bar' style='width:";
  for (auto at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1))
    bars.push_back(std::strtod(page.c_str() + at + mark.size(), nullptr));
  const Json fits = Json::parse(read("fit.json"))["fits"];
  ASSERT_EQ(bars.size(), 2u);
  const double ratio =
      fits[0]["rms_relative"].get<double>() / fits[1]["rms_relative"].get<double>();
  EXPECT_NEAR(bars[0] / bars[1], ratio, 0.02);
}

TEST_F(FirstDay, progress_begins_at_zero_and_never_falls) {
  ASSERT_EQ(shell("command -v script").code, 0) << "script(1), of every Debian, is the terminal";
  const std::string record =
      (fs::path(microslip::source_dir) / "data" / "bolted-joint.csv").string();
  const Outcome o = shell("script -qec '" + microslip::command_path + " fit " + record +
                          " --time-budget 4' /dev/null");
  std::vector<double> shown;
  const std::string bar =
      o.out.substr(0, o.out.find('\n'));  // intervals of the table have brackets, too
  for (auto at = bar.find("] "); at != std::string::npos; at = bar.find("] ", at + 1))
    shown.push_back(std::strtod(bar.c_str() + at + 2, nullptr));
  ASSERT_GE(shown.size(), 3u) << o.out;  // a beginning, something between, an end
  EXPECT_EQ(shown.front(), 0);
  EXPECT_LE(shown.back(), 100);
  EXPECT_TRUE(std::is_sorted(shown.begin(), shown.end()));
}

}  // namespace first_day_fit_test
}  // namespace cli
