#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "fit_command.hpp"

namespace cli {
namespace fit_test {

/// A Jenkins element, k = 2 and phi = 0.7, over two loops, with or without time.
class FitTest : public FitCommandTest {
 protected:
  void write_record(const std::string& name, bool time, double offset = 0, double sign = 1) const {
    std::string text = time ? "t [s],u [mm],f [kN]\n" : "u [mm],f [kN]\n";
    double f = 0, before = 0;
    for (int i = 0; i < 200; ++i) {
      const double t = 0.05 * i;
      const double u = std::sin(t) + 0.4 * std::sin(5 * t);
      f = std::clamp(f + 2 * (u - before), -0.7, 0.7);
      before = u;
      if (time) text += std::to_string(t) + ",";
      char row[80];
      std::snprintf(row, sizeof row, "%.17g,%.17g\n", u, sign * f + offset);
      text += row;
    }
    write(name, text);
  }

  void refused(const std::vector<std::string>& words, const std::string& part) const {
    std::vector<std::string> call{"fit"};
    call.insert(call.end(), words.begin(), words.end());
    const Outcome outcome = run(call);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
};

/// iwan5 starts from iwan4, whichever of the threads fits it.
TEST_F(FitTest, laws_fitted_at_the_same_time_have_the_same_results) {
  write_record("r.csv", true);
  const auto with = [&](const char* threads) {
    Json result = fit({"r.csv", "--model", "iwan5,bouc-wen,iwan4,dahl,jenkins", "--starts", "4",
                       "--threads", threads});
    std::map<std::string, Json> numbers;
    for (const Json& one : result["fits"])
      numbers[one["model"].get<std::string>()] = {one["parameters"], one["rms_relative"],
                                                  one["status"], one["holdout_rms_relative"]};
    return numbers;
  };
  const auto alone = with("1");
  EXPECT_EQ(alone.size(), 5u);
  EXPECT_EQ(with("3"), alone);
}

/// u = F²/(2 EA t) and its branches, with u and f as they were measured or as simulate writes them.
TEST_F(FitTest, a_law_driven_by_force_answers_a_displacement) {
  ASSERT_EQ(run({"simulate", "slip-front", "--set", "EA=3", "--set", "p=0.5", "--signal",
                 "(0.1+0.02*t)*sin(2*pi*t)", "--until", "12", "--step", "0.02", "-o", "front.csv"})
                .code,
            0);
  const Json result =
      fit({"front.csv", "--model", "slip-front", "--seed", "4", "-o", "front.json"});
  const Json& best = result["fits"][0];
  EXPECT_LT(best["rms_relative"].get<double>(), 1e-8);
  EXPECT_LT(best["energy_error"].get<double>(), 1e-8);
  EXPECT_NEAR(best["parameters"]["p"].get<double>(), 0.5, 1e-6);
  // Before macroslip EA t^{1/(p+1)} ell^{−p/(p+1)} shows.
  const auto shown = [](const Json& p) {
    const double m = 1 / (p["p"].get<double>() + 1);
    return p["EA"].get<double>() * std::pow(p["t"].get<double>(), m) *
           std::pow(p["ell"].get<double>(), m - 1);
  };
  EXPECT_NEAR(shown(best["parameters"]), 3, 1e-5);
  EXPECT_EQ(result["data"]["driven"], "force");

  // The same rows as a measured record: u is the displacement and f the force.
  const std::string csv = read("front.csv");
  const auto F = column(csv, "u"), u = column(csv, "f");
  std::string swapped = "u,f\n";
  for (std::size_t i = 0; i < F.size(); ++i) {
    char row[80];
    std::snprintf(row, sizeof row, "%.17g,%.17g\n", u[i], F[i]);
    swapped += row;
  }
  write("measured.csv", swapped);
  const Json other = fit({"measured.csv", "--model", "slip-front", "--seed", "4"});
  EXPECT_NEAR(shown(other["fits"][0]["parameters"]), 3, 1e-5);

  // The result runs again on what drove it.
  ASSERT_EQ(
      run({"simulate", "--params", "front.json", "--input", "front.csv", "-o", "again.csv"}).code,
      0);
  const auto again = column(read("again.csv"), "f");
  ASSERT_EQ(again.size(), u.size());
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(again[i], u[i], 1e-8);

  refused({"front.csv", "--model", "slip-front,jenkins"}, "cannot be compared");
  refused({"front.csv", "--model", "slip-front", "--free", "spring"}, "driven by force");
}

TEST_F(FitTest, finds_the_parameters_and_writes_what_the_contract_says) {
  write_record("a.csv", false);
  const Json result = fit({"a.csv", "--model", "jenkins", "--seed", "4"});
  const Json& best = result["fits"][0];
  EXPECT_EQ(best["model"], "jenkins");
  EXPECT_NEAR(best["parameters"]["k"].get<double>(), 2, 1e-6);
  EXPECT_NEAR(best["parameters"]["phi"].get<double>(), 0.7, 1e-6);
  EXPECT_EQ(best["status"], "converged");
  for (const char* key : {"standard_errors", "rms", "rms_relative", "energy_error", "aicc", "bic",
                          "holdout_rms_relative", "message"})
    EXPECT_TRUE(best.contains(key)) << key;
  EXPECT_LT(best["rms_relative"].get<double>(), 1e-9);
  EXPECT_EQ(result["seed"], 4);
  EXPECT_EQ(result["data"]["rows"], 200);
  EXPECT_EQ(result["command"], "microslip fit a.csv --model jenkins --seed 4 --json");
  EXPECT_TRUE(result.contains("version"));
}

TEST_F(FitTest, ranks_laws_best_first) {
  write_record("a.csv", false);
  const Json result = fit({"a.csv", "--model", "linear,jenkins", "--model", "bouc"});
  ASSERT_EQ(result["fits"].size(), 3u);
  EXPECT_EQ(result["fits"][0]["model"], "jenkins");
  for (int i = 1; i < 3; ++i)
    EXPECT_LE(result["fits"][i - 1]["aicc"].get<double>(), result["fits"][i]["aicc"].get<double>());
}

TEST_F(FitTest, the_result_runs_in_simulate) {
  write_record("a.csv", false);
  ASSERT_EQ(run({"fit", "a.csv", "--model", "jenkins", "--model", "bouc", "-o", "r.json"}).code, 0);
  const Outcome best = run({"simulate", "--params", "r.json", "--input", "a.csv", "-o", "s.csv"});
  EXPECT_EQ(best.code, 0) << best.err;
  const Outcome other =
      run({"simulate", "--params", "r.json", "--fit", "bouc", "--input", "a.csv", "-o", "b.csv"});
  EXPECT_EQ(other.code, 0) << other.err;
}

TEST_F(FitTest, report_is_one_page) {
  write_record("a.csv", true);
  ASSERT_EQ(
      run({"fit", "a.csv", "--model", "jenkins", "--profile", "phi", "--report", "r.html"}).code,
      0);
  const std::string page = read("r.html");
  EXPECT_EQ(page.rfind("<!DOCTYPE html>", 0), 0u);
  for (const char* part : {"<svg", "Ranking", "microslip fit a.csv", "profile of phi", "</html>"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_EQ(page.find("src="), std::string::npos);  // nothing from elsewhere
  EXPECT_EQ(page.find("href="), std::string::npos);
}

TEST_F(FitTest, offset_spring_and_fixed_parameters) {
  write_record("a.csv", false, 3);
  const Json result = fit({"a.csv", "--model", "jenkins", "--free", "offset,spring", "--fix",
                           "spring=0", "--start", "virgin"});
  const Json& best = result["fits"][0];
  EXPECT_EQ(best["model"], "jenkins+linear");
  EXPECT_EQ(best["parameters"]["linear.k"], 0);
  EXPECT_NEAR(best["parameters"]["jenkins.k"].get<double>(), 2, 1e-6);
  EXPECT_NEAR(best["measurement"]["offset"]["value"].get<double>(), 3, 1e-6);
}

TEST_F(FitTest, a_flipped_sign_is_found_and_said) {
  write_record("a.csv", false, 0, -1);
  const Outcome outcome = run({"fit", "a.csv", "--model", "jenkins"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("wrong sign"), std::string::npos) << outcome.err;
}

TEST_F(FitTest, the_sign_can_be_kept_and_a_bad_fit_says_so_first) {
  write_record("a.csv", false, 0, -1);
  const Outcome kept = run({"fit", "a.csv", "--model", "jenkins,linear", "--sign", "keep"});
  EXPECT_EQ(kept.code, 0) << kept.err;
  EXPECT_EQ(kept.err.find("wrong sign"), std::string::npos) << kept.err;
  EXPECT_EQ(kept.out.find("NO LAW DESCRIBES THIS RECORD"), 0u) << kept.out;
  EXPECT_NE(kept.err.find("none of the laws describes the record"), std::string::npos) << kept.err;
  refused({"a.csv", "--model", "jenkins", "--sign", "turn"}, "--sign");
  refused({"a.csv", "--model", "jenkins", "--threshold", "-1"}, "--threshold");
}

TEST_F(FitTest, several_files_share_parameters) {
  write_record("a.csv", false);
  write_record("b.csv", false, 1);
  const Json result = fit({"a.csv", "b.csv", "--model", "jenkins", "--free", "offset", "--separate",
                           "offset", "--start", "virgin"});
  const Json& best = result["fits"][0];
  EXPECT_NEAR(best["files"][0]["measurement"]["offset"]["value"].get<double>(), 0, 1e-6);
  EXPECT_NEAR(best["files"][1]["measurement"]["offset"]["value"].get<double>(), 1, 1e-6);
}

TEST_F(FitTest, weights_say_how_much_a_row_counts) {
  // A Jenkins element, k = 2 and phi = 0.7, and a gauge that was touched from row 60 to row 79.
  std::string text = "u [mm],f [kN],trust\n";
  double f = 0, before = 0;
  for (int i = 0; i < 200; ++i) {
    const double u = std::sin(0.05 * i) + 0.4 * std::sin(0.25 * i);
    f = std::clamp(f + 2 * (u - before), -0.7, 0.7);
    before = u;
    const bool touched = i >= 60 && i < 80;
    char row[80];
    std::snprintf(row, sizeof row, "%.17g,%.17g,%s\n", u, touched ? 9 : f, touched ? "0" : "3e5");
    text += row;
  }
  write("a.csv", text);
  const Json result = fit({"a.csv", "--model", "jenkins", "--weight", "trust"});
  const Json& best = result["fits"][0];
  EXPECT_NEAR(best["parameters"]["k"].get<double>(), 2, 1e-6);
  EXPECT_NEAR(best["parameters"]["phi"].get<double>(), 0.7, 1e-6);
  EXPECT_LT(best["rms_relative"].get<double>(), 1e-9);
  EXPECT_LT(best["energy_error"].get<double>(), 1e-9);
  EXPECT_EQ(result["data"]["weight"], "trust");
  EXPECT_EQ(result["data"]["rows_of_weight_0"], 20);
  EXPECT_NEAR(result["data"]["force_range"].get<double>(), 1.4, 1e-12);
  // The column by its number; the page and the table say what was done.
  const Outcome outcome =
      run({"fit", "a.csv", "--model", "jenkins", "--weight", "3", "--report", "r.html"});
  EXPECT_NE(outcome.out.find("rows weighted by column '3', 20 of them not compared"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(read("r.html").find("20 of them not compared"), std::string::npos);
  EXPECT_FALSE(fit({"a.csv", "--model", "jenkins"})["data"].contains("weight"));

  write_record("plain.csv", false);
  refused({"a.csv", "--model", "jenkins", "--weight", "w"},
          "no column 'w', which was to be weight");
  refused({"a.csv", "plain.csv", "--model", "jenkins", "--weight", "trust"},
          "plain.csv has no column 'trust'");
  refused({"a.csv", "--model", "jenkins", "--weight", "u"}, "cannot be both");
  write("negative.csv", "u,f,w\n0,0,1\n1,1,-2\n");
  refused({"negative.csv", "--model", "jenkins", "--weight", "w"},
          "line 3, column 3: the weight -2 must not be negative");
  write("zero.csv", "u,f,w\n0,0,0\n1,1,0\n");
  refused({"zero.csv", "--model", "jenkins", "--weight", "w"}, "all weights in column 'w' are 0");
}

TEST_F(FitTest, a_law_does_not_depend_on_those_beside_it) {
  write_record("a.csv", false);
  // Time that runs out would make a difference, on a busy machine.
  const Json alone = fit({"a.csv", "--model", "masing", "--time-budget", "6000"})["fits"][0];
  const Json many =
      fit({"a.csv", "--model", "linear,bouc,dahl,jenkins,masing,prager", "--time-budget", "6000"});
  const Json& fits = many["fits"];
  const auto masing = std::find_if(fits.begin(), fits.end(),
                                   [](const Json& one) { return one["model"] == "masing"; });
  ASSERT_NE(masing, fits.end());
  EXPECT_EQ(*masing, alone);
}

TEST_F(FitTest, a_record_without_hysteresis_is_said) {
  std::string text = "u,f\n";
  for (int i = 0; i < 200; ++i)
    text += std::to_string(std::sin(0.1 * i)) + "," + std::to_string(3 * std::sin(0.1 * i)) + "\n";
  write("a.csv", text);
  write_record("b.csv", false);
  const Outcome line = run({"fit", "a.csv", "--model", "linear"});
  EXPECT_TRUE(contains(line.err, "the loops enclose no more energy than noise makes")) << line.err;
  EXPECT_EQ(run({"fit", "b.csv", "--model", "jenkins"}).err, "");
}

TEST_F(FitTest, sharing_with_one_file_is_said) {
  write_record("a.csv", false);
  const Outcome outcome = run({"fit", "a.csv", "--model", "jenkins", "--separate", "k"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.err, "mean nothing with one file")) << outcome.err;
}

TEST_F(FitTest, ctrl_c_keeps_the_best_so_far_and_says_so) {
  write_record("a.csv", true);
  // Seconds of work, however fast the machine; how much of it is done by then is not asked.
  const std::string laws = "jenkins,leuven,lampaert,elasto-plastic,bouc-wen-degrading";
  const Outcome outcome =
      run({.words = {"fit", "a.csv", "--model", laws, "--starts", "100000", "-o", "r.json"},
           .signal = SIGINT,
           .delay_ms = 500});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "interrupted")) << outcome.err;
  const Json result = Json::parse(read("r.json"));
  EXPECT_TRUE(result.value("interrupted", false));
  EXPECT_FALSE(result["fits"].empty());
  EXPECT_FALSE(result["left_out"].empty());
  write_record("b.csv", false);
  EXPECT_EQ(fit({"b.csv", "--model", "jenkins"})["interrupted"], false);
}

TEST_F(FitTest, laws_with_kinks_limits_and_jumps_end_in_a_minimum) {
  // 1000 rows whose noise turns the motion round again and again: sliders have hundreds of kinks,
  // eta of muravskii and zs of lugre end at a limit, elasto-plastic jumps.
  std::istringstream lines(content_of(microslip::source_dir + "/data/bolted-joint.csv"));
  std::string text, line;
  for (int i = 0; i < 1002 && std::getline(lines, line); ++i) text += line + '\n';
  write("a.csv", text);
  const std::string laws =
      "masing,dahl,prandtl-ishlinskii,iwan-series-parallel,muravskii,lugre,elasto-plastic";
  const Json result = fit({"a.csv", "--model", laws, "--starts", "8", "--time-budget", "600"});
  for (const Json& one : result["fits"])
    EXPECT_TRUE(one["status"] == "converged" || one["status"] == "undetermined")
        << one["model"] << one["status"] << one["message"];
}

TEST_F(FitTest, sliders_get_back_their_friction_and_say_what_they_need) {
  const std::string law =
      "sliders(kind=matrices,output=u-bx,K=[[2,-1,0],[-1,2,-1],[0,-1,2]],b=[1,0.5,0.2],mu=[";
  ASSERT_EQ(run({"simulate", law + "0.3,0.5,0.7],c0=2)", "--signal", "sin(t)+0.4*sin(4*t)",
                 "--until", "14", "--step", "0.05", "-o", "r.csv"})
                .code,
            0);
  const Json best = fit({"r.csv", "--model", law + "1,1,1])", "--fix", "b[1]=1", "--fix",
                         "b[2]=0.5", "--fix", "b[3]=0.2"})["fits"][0];
  const auto mu = best["parameters"]["mu"].get<std::vector<double>>();
  ASSERT_EQ(mu.size(), 3u);
  EXPECT_NEAR(mu[0], 0.3, 1e-9);
  EXPECT_NEAR(mu[1], 0.5, 1e-9);
  EXPECT_NEAR(mu[2], 0.7, 1e-9);
  EXPECT_NEAR(best["parameters"]["c0"].get<double>(), 2, 1e-9);
  const auto refused = run({"fit", "r.csv", "--model", "sliders,jenkins"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("'sliders' answers a displacement to a force and 'jenkins' a force"),
            std::string::npos)
      << refused.err;
}

/// Column f of what simulate writes.
std::vector<double> forces(const std::string& table) {
  std::vector<double> f;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && line[0] != '#' && line[0] != 'u')
      f.push_back(std::stod(line.substr(line.find(',') + 1)));
  return f;
}

TEST_F(FitTest, the_result_runs_the_record_again) {
  // Upside down, with an offset, and from the middle of a loop: at rest u = -1 would give -0.7.
  std::string text = "u,f\n";
  std::vector<double> measured;
  double f = 0.3, before = -1;
  for (int i = 0; i < 150; ++i) {
    const double u = -std::cos(0.1 * i) - 0.3 * std::sin(0.5 * i);
    f = std::clamp(f + 2 * (u - before), -0.7, 0.7);
    before = u;
    measured.push_back(f + 3);
    char row[80];
    std::snprintf(row, sizeof row, "%.17g,%.17g\n", u, -measured.back());
    text += row;
  }
  write("a.csv", text);
  ASSERT_EQ(run({"fit", "a.csv", "--model", "jenkins", "--free", "offset", "--start", "unknown",
                 "-o", "a.json", "-q"})
                .code,
            0);
  const Outcome again = run({"simulate", "--params", "a.json", "--input", "a.csv"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.err.find("wrong sign"), std::string::npos) << again.err;
  const std::vector<double> came = forces(again.out);
  ASSERT_EQ(came.size(), measured.size());
  for (std::size_t i = 0; i < came.size(); ++i) EXPECT_NEAR(came[i], measured[i], 1e-6) << i;
  // Asked to start at rest it does not.
  const Outcome rest =
      run({"simulate", "--params", "a.json", "--input", "a.csv", "--start", "virgin"});
  EXPECT_GT(std::abs(forces(rest.out)[0] - measured[0]), 0.1);
}

TEST_F(FitTest, each_file_runs_with_its_own_numbers) {
  write_record("a.csv", false);
  write_record("b.csv", false, 1);
  ASSERT_EQ(run({"fit", "a.csv", "b.csv", "--model", "jenkins", "--free", "offset", "--separate",
                 "offset", "--start", "virgin", "-o", "r.json", "-q"})
                .code,
            0);
  write("c.csv", read("b.csv").substr(0, read("b.csv").rfind('\n', read("b.csv").size() - 2) + 1));
  const auto first = [&](const std::string& file) {
    return forces(run({"simulate", "--params", "r.json", "--input", file}).out).at(0);
  };
  EXPECT_NEAR(first("a.csv"), 0, 1e-6);
  EXPECT_NEAR(first("b.csv"), 1, 1e-6);
  // One row less is neither: then it is the first.
  EXPECT_NEAR(first("c.csv"), 0, 1e-6);
}

TEST_F(FitTest, a_profile_of_an_element_leaves_laws_without_it_alone) {
  write_record("a.csv", false);
  const Json result =
      fit({"a.csv", "--model", "masing,jenkins", "--elements", "2", "--profile", "phi[1]"});
  for (const Json& one : result["fits"])
    EXPECT_EQ(one.contains("profiles"), one["model"] == "masing") << one["model"];
}

TEST_F(FitTest, bad_input_is_one_sentence) {
  write_record("a.csv", false);
  write("short.csv", "u,f\n1,2\n2,3\n3,4\n");
  write("still.csv", "u,f\n1,1\n1,2\n1,3\n1,1\n1,2\n1,3\n1,1\n1,2\n1,3\n");
  write("uonly.csv", "u\n1\n2\n3\n");
  refused({"none.csv", "--model", "jenkins"}, "none.csv");
  refused({"short.csv", "--model", "jenkins"}, "at least 8");
  refused({"still.csv", "--model", "jenkins"}, "does not change");
  refused({"uonly.csv", "--model", "jenkins"}, "'f'");
  refused({"a.csv", "--model", "jenkinz"}, "did you mean 'jenkins'");
  refused({"a.csv", "--model", "viscous"}, "needs the column t");
  refused({"a.csv", "--model", "jenkins", "--fix", "K"}, "NAME=VALUE");
  refused({"a.csv", "--model", "jenkins", "--fix", "psi=1"}, "no parameter 'psi'");
  refused({"a.csv", "--model", "jenkins", "--fix", "k=-1"}, "must lie in (0, inf)");
  refused({"a.csv", "--model", "jenkins", "--fix", "k=1", "--fix", "phi=1"}, "nothing is left");
  refused({"a.csv", "--model", "jenkins", "--bounds", "k=3"}, "LOW:HIGH");
  refused({"a.csv", "--model", "jenkins", "--bounds", "k=3:1"}, "smaller");
  refused({"a.csv", "--model", "jenkins", "--bounds", "k=:0"}, "lie outside (0, inf)");
  refused({"a.csv", "--model", "jenkins", "--free", "ofset"}, "offset");
  refused({"a.csv", "--model", "jenkins", "--start", "never"}, "--start");
  refused({"a.csv", "--model", "jenkins", "--holdout", "some"}, "--holdout");
  refused({"a.csv", "--model", "jenkins", "--holdout", "99"}, "cycles 1 to");
  refused({"a.csv", "--model", "jenkins", "--starts", "0"}, "--starts");
  refused({"a.csv", "--model", "jenkins", "--time-budget", "-1"}, "must be positive");
  refused({"a.csv", "--model", "jenkins", "-o", "a.csv"}, "would be overwritten");
  EXPECT_EQ(files(), (std::vector<std::string>{"a.csv", "short.csv", "still.csv", "uonly.csv"}));
}

// Jenkins elements of one stiffness whose limits follow the preload: phi = 0.5, 1, 1.5 at 10, 20,
// 30. The law of the first file is found, the third is predicted, and a fourth preload is run.
TEST_F(FitTest, one_law_for_all_preloads) {
  const auto record = [&](const std::string& name, double preload) {
    const std::string phi = std::to_string(preload / 20);
    const auto made = run({"simulate", "jenkins", "--set", "k=2", "--set", "phi=" + phi, "--signal",
                           "2*sin(t)+sin(3*t)", "--until", "13", "--step", "0.1", "-o", name});
    ASSERT_EQ(made.code, 0) << made.err;
    write(name, "# preload: " + std::to_string(preload) + " kN\n" + read(name));
  };
  record("a.csv", 10);
  record("b.csv", 20);
  record("c.csv", 30);
  record("d.csv", 40);
  const auto made = run({"fit", "a.csv", "b.csv", "--covariate", "preload", "--predict", "c.csv",
                         "--model", "jenkins", "-o", "r.json"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.out.find("predicted by"), std::string::npos) << made.out;
  EXPECT_NE(made.out.find("± of the law"), std::string::npos) << made.out;
  const auto json = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(json.at("covariates").at("preload"), 10);
  const auto& fit = json.at("fits").at(0);
  EXPECT_NEAR(fit.at("parameters").at("phi").get<double>(), 0.5, 1e-6);
  const auto& prediction = fit.at("predictions").at(0);
  EXPECT_EQ(prediction.at("covariates").at("preload"), 30);
  EXPECT_LT(prediction.at("rms_relative").get<double>(), 1e-6);
  const double energy = prediction.at("measured_energy");
  EXPECT_NEAR(prediction.at("energy").get<double>(), energy, 1e-5 * energy);
  const auto other = run({"simulate", "--params", "r.json", "--covariate", "preload=40", "--input",
                          "d.csv", "-o", "e.csv"});
  ASSERT_EQ(other.code, 0) << other.err;
  const auto last = [&](const std::string& name) {
    const std::string csv = read(name);
    return std::stod(csv.substr(csv.rfind(',') + 1));
  };
  EXPECT_NEAR(last("e.csv"), last("d.csv"), 1e-5 * last("d.csv"));
  const auto damping =
      run({"damping", "--params", "r.json", "--covariate", "preload=40", "--amplitudes", "1:2:3"});
  EXPECT_EQ(damping.code, 0) << damping.err;

  const auto refused = [&](const std::vector<std::string>& words, const std::string& part) {
    const auto answer = run(words);
    EXPECT_EQ(answer.code, 2) << answer.out;
    EXPECT_NE(answer.err.find(part), std::string::npos) << answer.err;
  };
  refused({"fit", "a.csv", "--covariate", "mu", "--model", "jenkins"}, "does not say its mu");
  refused({"fit", "a.csv", "b.csv", "--covariate", "preload=10", "--model", "jenkins"},
          "there must be one for each file");
  refused({"simulate", "--params", "r.json", "--covariate", "prelaod=40", "--input", "d.csv"},
          "unknown covariate 'prelaod'");
  refused({"simulate", "--params", "r.json", "--covariate", "preload=-1", "--input", "d.csv"},
          "must be positive");
  refused({"simulate", "jenkins", "--covariate", "preload=4", "--input", "d.csv"},
          "needs the result of a fit with covariates");
  const auto without = run({"fit", "a.csv", "--model", "jenkins", "-o", "plain.json"});
  ASSERT_EQ(without.code, 0) << without.err;
  refused({"simulate", "--params", "plain.json", "--covariate", "preload=4", "--input", "d.csv"},
          "plain.json comes from a fit without covariates");
  // Inside the fitted records nothing is said, outside it is.
  EXPECT_TRUE(contains(other.err, "preload = 40 lies outside the fitted records, 10 to 20"))
      << other.err;
  const auto inside = run({"simulate", "--params", "r.json", "--covariate", "preload=15", "--input",
                           "a.csv", "-o", "e.csv"});
  EXPECT_FALSE(contains(inside.err, "outside")) << inside.err;
  EXPECT_FALSE(contains(inside.err, "amplitude")) << inside.err;
  // u/λ of the records reaches 2.6 at most: at preload 5 that is u = 1.3.
  EXPECT_TRUE(contains(
      run({"damping", "--params", "r.json", "--covariate", "preload=5", "--amplitudes", "1:2:2"})
          .err,
      "the amplitude 2 is larger than that of the fitted records"));
}

// A noisy Jenkins element (k = 2, φ = 0.5 at preload 10), and the same at λ = 3: in slip f = λφ, so
// its standard deviation is λσ(φ); a cycle of amplitude A loses D = 4λφ(A − λφ/k), whose derivatives
// by k and φ give the other one.
TEST_F(FitTest, standard_deviations_at_another_preload_follow_from_the_fit) {
  const auto made = run({"simulate", "jenkins", "--set", "k=2", "--set", "phi=0.5", "--signal",
                         "2*sin(t)+sin(3*t)", "--until", "13", "--step", "0.1", "-o", "clean.csv"});
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string clean = read("clean.csv");
  const auto u = column(clean, "u"), f = column(clean, "f");
  std::string noisy = "# preload: 10\nu,f\n";
  for (std::size_t i = 0; i < u.size(); ++i)  // irregular enough to be taken for noise
    noisy += std::to_string(u[i]) + "," +
             std::to_string(f[i] + 0.02 * std::sin(77.7 * double(i * i))) + "\n";
  write("a.csv", noisy);
  ASSERT_EQ(run({"fit", "a.csv", "--covariate", "preload", "--model", "jenkins", "--start",
                 "virgin", "-o", "r.json"})
                .code,
            0);
  const auto fit = nlohmann::json::parse(read("r.json")).at("fits").at(0);
  const double k = fit.at("parameters").at("k"), phi = fit.at("parameters").at("phi");
  const double sk = fit.at("standard_errors").at("k"), sphi = fit.at("standard_errors").at("phi");
  const double r = fit.at("correlation").at("matrix").at(0).at(1);
  ASSERT_GT(sk, 1e-4);
  ASSERT_GT(sphi, 1e-4);

  const auto wanted = run({"simulate", "--params", "r.json", "--covariate", "preload=30",
                           "--uncertainty", "--signal", "3*sin(t)", "--until", "2", "--step", "0.1",
                           "-o", "s.csv", "--plot", "s.svg"});
  ASSERT_EQ(wanted.code, 0) << wanted.err;
  EXPECT_TRUE(contains(wanted.out, "± of the fit")) << wanted.out;
  const std::string csv = read("s.csv");
  const auto force = column(csv, "f"), sd = column(csv, "f_sd"), moved = column(csv, "u");
  EXPECT_EQ(column(csv, "energy_sd").size(), sd.size());
  EXPECT_NEAR(sd[1], std::abs(moved[1]) * sk, 1e-6 * sd[1]);  // still stuck
  const std::size_t slips = 15;                               // u = 3 sin 1.5
  EXPECT_NEAR(force[slips], 3 * phi, 1e-9);
  EXPECT_NEAR(sd[slips], 3 * sphi, 1e-6 * sd[slips]);

  const auto damping = run({"damping", "--params", "r.json", "--covariate", "preload=30",
                            "--uncertainty", "--amplitudes", "2:4:2", "--json"});
  ASSERT_EQ(damping.code, 0) << damping.err;
  const auto columns = nlohmann::json::parse(damping.out).at("laws").at(0).at("columns");
  for (std::size_t i = 0; i < 2; ++i) {
    const double A = columns.at("amplitude")[i];
    const double by_phi = 12 * (A - 6 * phi / k), by_k = 36 * phi * phi / (k * k);
    const double var =
        by_phi * by_phi * sphi * sphi + by_k * by_k * sk * sk + 2 * r * by_phi * by_k * sphi * sk;
    // Differences over one standard deviation, not derivatives: second order is left.
    EXPECT_NEAR(columns.at("energy_sd")[i].get<double>(), std::sqrt(var), 1e-3 * std::sqrt(var));
    EXPECT_NEAR(columns.at("zeta_eff_sd")[i].get<double>(),
                columns.at("energy_sd")[i].get<double>() / (2 * std::numbers::pi * A * A), 1e-12);
  }
  EXPECT_TRUE(contains(
      run({"damping", "--params", "r.json", "--uncertainty", "--amplitudes", "2:4:2", "-o", "-"})
          .out,
      "energy,energy_sd,secant"));
  EXPECT_EQ(run({"damping", "--params", "r.json", "--uncertainty", "--amplitudes", "2:4:2",
                 "--plot", "d.svg"})
                .code,
            0);

  const auto refused = [&](const std::vector<std::string>& words, const std::string& part) {
    const auto answer = run(words);
    EXPECT_EQ(answer.code, 2) << answer.out;
    EXPECT_TRUE(contains(answer.err, part)) << answer.err;
  };
  refused({"simulate", "jenkins", "--uncertainty", "--input", "a.csv"},
          "--uncertainty needs the result of a fit");
  refused({"simulate", "--params", "r.json", "--set", "k=3", "--uncertainty", "--input", "a.csv"},
          "no meaning with values of --set");
  refused({"damping", "--params", "r.json", "--uncertainty", "--match", "dahl", "--at", "1"},
          "no meaning with --match");
  write("hand.json", R"({"fits": [{"model": "jenkins", "parameters": {"k": 2, "phi": 1}}]})");
  refused({"simulate", "--params", "hand.json", "--uncertainty", "--input", "a.csv"},
          "hand.json has no standard errors of jenkins");
}

}  // namespace fit_test
}  // namespace cli
