#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "microslip/version.hpp"

namespace cli {
namespace simulate_test {

using Json = nlohmann::json;

/// A load with nested reversals, in two files and in one.
const std::string head = "t [s],u [mm]\n";
const std::string first_half = "0,0.1\n1,0.9\n2,-0.3\n3,0.55\n4,0.1\n5,0.4\n";
const std::string second_half = "6,0.2\n7,1.7\n8,-2.1\n9,0.3\n";

class Simulate : public CommandTest {
 protected:
  std::vector<std::string> jenkins(std::vector<std::string> more) const {
    more.insert(more.begin(), {"simulate", "jenkins", "--set", "k=2", "--set", "phi=0.5"});
    return more;
  }
};

TEST_F(Simulate, jenkins_by_hand) {
  // k = 2, φ = 0.5: slip begins at u = 0.25, and from there to u = 1 costs 0.5 · 0.75; the way
  // back sticks for 2φ/k = 0.5.
  const Outcome o = run({jenkins({"--input", "-"}), "u\n0\n1\n0.75\n0\n"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(without_comments(o.out),
            "u,f,energy\n0,0,0\n1,0.5,0.375\n0.75,0,0.375\n0,-0.5,0.625\n");
  EXPECT_TRUE(contains(o.err, "dissipated"));
}

TEST_F(Simulate, the_head_tells_how_the_file_was_made) {
  write("load.csv", head + first_half);
  const Outcome o = run(jenkins({"--input", "load.csv", "-o", "answer.csv"}));
  EXPECT_EQ(o.code, 0) << o.err;
  const std::string csv = read("answer.csv");
  EXPECT_TRUE(csv.starts_with(
      "t [s],u [mm],f,energy\n# microslip: " + std::string(microslip::version) + "\n"));
  EXPECT_TRUE(contains(csv,
                       "# command: microslip simulate jenkins --set k=2 --set phi=0.5 "
                       "--input load.csv -o answer.csv\n"));
  EXPECT_TRUE(contains(csv, "# model: jenkins\n# parameters: {\"k\":2.0,\"phi\":0.5}\n"));
  EXPECT_TRUE(contains(o.out, "dissipated"));
  EXPECT_EQ(o.err, "");
}

TEST_F(Simulate, output_is_input_again_bit_for_bit) {
  write("load.csv", "u\n0.1\n0.30000000000000004\n1e-300\n-7.123456789012345e+22\n");
  EXPECT_EQ(run({"simulate", "iwan4", "--input", "load.csv", "-o", "a.csv"}).code, 0);
  EXPECT_EQ(run({"simulate", "iwan4", "--input", "a.csv", "-o", "b.csv"}).code, 0);
  EXPECT_EQ(without_comments(read("a.csv")), without_comments(read("b.csv")));
  EXPECT_EQ(column(read("a.csv"), "u"),
            (std::vector<double>{0.1, 0.30000000000000004, 1e-300, -7.123456789012345e+22}));
}

TEST_F(Simulate, settings_may_follow_one_another) {
  const Outcome o =
      run({{"simulate", "jenkins", "--set", "k=2", "phi=0.5", "--input", "-"}, "1\n"});
  EXPECT_TRUE(contains(o.out, "{\"k\":2.0,\"phi\":0.5}")) << o.err;
}

TEST_F(Simulate, a_signal_has_its_turning_points) {
  const Outcome o =
      run({"simulate", "jenkins", "--signal", "sin(t)", "--until", "3", "--step", "1"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(column(o.out, "u")[2], 1.0);  // the peak at π/2, between the rows 1 and 2
}

TEST_F(Simulate, start_at_the_first_row) {
  const std::string load = "u\n5\n5.1\n";
  const Outcome virgin = run({jenkins({"--input", "-"}), load});
  const Outcome there = run({jenkins({"--input", "-", "--start", "first-row"}), load});
  EXPECT_EQ(column(virgin.out, "f"), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(column(virgin.out, "energy").front(), 0.5 * (5 - 0.25));
  EXPECT_EQ(column(there.out, "f").front(), 0);
  EXPECT_NEAR(column(there.out, "f").back(), 0.2, 1e-15);  // k · 0.1; the origin costs a rounding
  EXPECT_EQ(column(there.out, "u"), (std::vector<double>{5, 5.1}));
}

TEST_F(Simulate, driven_by_force_is_the_inverse) {
  write("load.csv", head + first_half);
  run({"simulate", "iwan4", "--input", "load.csv", "-o", "f.csv"});
  const Outcome o =
      run({"simulate", "iwan4", "--drive", "force", "--input", "f.csv", "-o", "u.csv"});
  EXPECT_EQ(o.code, 0) << o.err;
  const auto asked = column(read("f.csv"), "u [mm]"), got = column(read("u.csv"), "u [mm]");
  ASSERT_EQ(got.size(), asked.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], asked[i], 1e-9);
}

TEST_F(Simulate, a_force_that_the_law_cannot_carry_fails_with_its_place) {
  write("load.csv", "# made by hand\nf\n0.2\n0.7\n");
  const Outcome o = run(jenkins({"--drive", "force", "--input", "load.csv", "-o", "a.csv"}));
  EXPECT_EQ(o.code, 1);
  EXPECT_EQ(o.err,
            "microslip: jenkins stopped at row 2, load.csv line 4: the law cannot carry this "
            "force\n");
  EXPECT_EQ(files(), std::vector<std::string>{"load.csv"});
}

TEST_F(Simulate, further_columns) {
  const Outcome o = run({jenkins({"--input", "-", "--columns", "tangent,stored"}), "u\n0.1\n1\n"});
  EXPECT_EQ(without_comments(o.out),
            "u,f,energy,tangent,stored\n0.1,0.2,0,2,0.010000000000000002\n1,0.5,0.375,0,0.0625\n");
  const Outcome states = run({{"simulate", "iwan4", "--input", "-", "--columns", "states"}, "1\n"});
  EXPECT_TRUE(contains(states.out, "u,f,energy,lost,direction,reversals\n")) << states.out;
}

TEST_F(Simulate, several_laws_side_by_side) {
  write("load.csv", head + first_half);
  const Outcome o = run({"simulate", "jenkins", "iwan4", "jenkins(k=3)", "--set", "iwan4.KT=2",
                         "--set", "phi=0.5", "--input", "load.csv", "-o", "all.csv"});
  EXPECT_EQ(o.code, 0) << o.err;
  const std::string csv = read("all.csv");
  EXPECT_TRUE(contains(csv,
                       "t [s],u [mm],f_jenkins,energy_jenkins,f_iwan4,energy_iwan4,"
                       "f_jenkins-2,energy_jenkins-2\n"))
      << csv;
  EXPECT_TRUE(contains(csv, "# parameters 3: {\"k\":3.0,\"phi\":0.5}\n"));
  EXPECT_TRUE(contains(csv, "\"KT\":2.0"));
}

TEST_F(Simulate, one_file_per_law) {
  write("load.csv", head + first_half);
  EXPECT_EQ(
      run({"simulate", "jenkins", "iwan4", "--input", "load.csv", "-o", "x-{model}.csv"}).code, 0);
  EXPECT_EQ(files(), (std::vector<std::string>{"load.csv", "x-iwan4.csv", "x-jenkins.csv"}));
  run({"simulate", "iwan4", "--input", "load.csv", "-o", "alone.csv"});
  EXPECT_EQ(without_comments(read("alone.csv")), without_comments(read("x-iwan4.csv")));
}

TEST_F(Simulate, energy_of_periods_that_end_between_rows) {
  const Outcome o = run(jenkins({"--signal", "sin(2*pi*t)", "--until", "3", "--step", "0.07",
                                 "--period", "0.4", "--json", "-o", "a.csv"}));
  ASSERT_EQ(o.code, 0) << o.err;
  const auto energies = Json::parse(o.out)["results"][0]["summary"]["energy_per_period"];
  const std::vector<double> t = column(read("a.csv"), "t"), e = column(read("a.csv"), "energy");
  ASSERT_EQ(energies.size(), 7u);
  double before = e.front();
  for (std::size_t n = 0, row = 0; n < energies.size(); ++n) {
    const double end = 0.4 * static_cast<double>(n + 1);
    while (t[row + 1] < end) ++row;
    const double part = (end - t[row]) / (t[row + 1] - t[row]);
    const double now = e[row] + part * (e[row + 1] - e[row]);
    EXPECT_NEAR(energies[n].get<double>(), now - before, 1e-12) << n;
    before = now;
  }
}

TEST_F(Simulate, energy_per_period) {
  // A steady cycle of jenkins with amplitude a loses 4 φ (a − φ/k); the first period begins with
  // the virgin curve and so misses one elastic stretch, φ · φ/k.
  const Outcome o = run(jenkins(
      {"--signal", "sin(2*pi*t)", "--until", "3", "--step", "0.25", "--period", "1", "--json"}));
  EXPECT_EQ(o.code, 0) << o.err;
  const auto energies = Json::parse(o.out)["results"][0]["summary"]["energy_per_period"];
  ASSERT_EQ(energies.size(), 3u);
  EXPECT_NEAR(energies[0].get<double>(), 1.5 - 0.125, 1e-12);
  EXPECT_NEAR(energies[1].get<double>(), 1.5, 1e-12);
  EXPECT_NEAR(energies[2].get<double>(), 1.5, 1e-12);
}

TEST_F(Simulate, json) {
  const Outcome o = run({jenkins({"--input", "-", "--json", "-q"}), "t,u\n0,0\n1,1\n"});
  EXPECT_EQ(o.err, "");
  const Json json = Json::parse(o.out);
  const Json& result = json["results"][0];
  EXPECT_EQ(result["model"], "jenkins");
  EXPECT_EQ(result["parameters"]["phi"], 0.5);
  EXPECT_EQ(result["columns"]["f"], Json({0.0, 0.5}));
  EXPECT_EQ(result["summary"]["dissipated"], 0.375);
}

// ------------------------------------------------------------------- parameter files

TEST_F(Simulate, parameters_from_json_toml_and_the_call_agree) {
  write("p.json", R"({"model": "iwan4", "parameters": {"KT": 2.5, "chi": -0.25}})");
  write("p.toml", "model = \"iwan4\"\n[parameters]\nKT = 2.5\nchi = -0.25\n");
  write("only.json", R"({"parameters": {"KT": 2.5, "chi": -0.25}})");
  const auto answer = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "simulate");
    words.insert(words.end(), {"--input", "-"});
    const Outcome o = run({words, "u\n0.3\n-0.2\n"});
    EXPECT_EQ(o.code, 0) << o.err;
    return without_comments(o.out);
  };
  const std::string expected = answer({"iwan4", "--set", "KT=2.5", "--set", "chi=-0.25"});
  EXPECT_EQ(answer({"--model", "iwan4", "--set", "KT=2.5", "--set", "chi=-0.25"}), expected);
  EXPECT_EQ(answer({"--model", "iwan4(KT=2.5,chi=-0.25)"}), expected);
  EXPECT_EQ(answer({"--model", "jenkins,iwan4(KT=2.5,chi=-0.25)"}),
            answer({"jenkins", "iwan4(KT=2.5,chi=-0.25)"}));
  EXPECT_EQ(answer({"--params", "p.json"}), expected);
  EXPECT_EQ(answer({"--params", "p.toml"}), expected);
  EXPECT_EQ(answer({"iwan4", "--params", "only.json"}), expected);
  EXPECT_NE(answer({"--params", "p.json", "--set", "KT=3"}), expected);
}

TEST_F(Simulate, fits_are_chosen_by_name) {
  write("fit.json", R"({"fits": [
    {"model": "iwan4", "parameters": {"KT": 2}, "standard_errors": {"KT": null}, "rms": 0.1},
    {"model": "jenkins", "parameters": {"k": 7}, "status": "converged"},
    {"model": "bouc-wen", "parameters": null, "status": "failed"}], "seed": 1})");
  const auto models = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "simulate");
    words.insert(words.end(), {"--params", "fit.json", "--input", "-", "--json"});
    return run({words, "1\n"});
  };
  EXPECT_TRUE(contains(models({}).out, "\"KT\":2.0"));
  EXPECT_TRUE(contains(models({"--fit", "jenkins"}).out, "\"k\":7.0"));
  const std::string both = models({"jenkins", "iwan4"}).out;
  EXPECT_TRUE(contains(both, "\"k\":7.0") && contains(both, "\"KT\":2.0"));
  EXPECT_EQ(models({"--fit", "jenkin"}).err,
            "microslip: fit.json has no fit of 'jenkin'; did you mean 'jenkins'?\n");
  EXPECT_EQ(models({"two-state"}).code, 2);
}

// ------------------------------------------------------------------------ going on

class Resume : public CommandTest {
 protected:
  /// `start` holds options that only the beginning of a history takes.
  void expect_same(const std::vector<std::string>& model,
                   const std::vector<std::string>& start = {}) {
    write("all.csv", head + first_half + second_half);
    write("first.csv", head + first_half);
    write("second.csv", head + second_half);
    const auto call = [&](std::vector<std::string> more, bool begins = true) {
      std::vector<std::string> words{"simulate"};
      if (begins) words.insert(words.end(), start.begin(), start.end());
      words.insert(words.end(), model.begin(), model.end());
      words.insert(words.end(), more.begin(), more.end());
      const Outcome o = run(words);
      EXPECT_EQ(o.code, 0) << o.err;
    };
    call({"--input", "all.csv", "-o", "whole.csv", "--save-state", "whole.state"});
    call({"--input", "first.csv", "-o", "a.csv", "--save-state", "x.state"});
    call({"--input", "second.csv", "-o", "b.csv", "--resume", "x.state", "--save-state", "x.state"},
         false);
    const std::string a = without_comments(read("a.csv")), b = without_comments(read("b.csv"));
    EXPECT_EQ(a + b.substr(b.find('\n') + 1), without_comments(read("whole.csv")));
    EXPECT_EQ(Json::parse(read("x.state"))["histories"],
              Json::parse(read("whole.state"))["histories"]);
  }
};

TEST_F(Resume, equals_one_run_bit_for_bit) {
  for (const char* law : {"jenkins", "iwan4", "bouc-wen", "two-state"}) {
    SCOPED_TRACE(law);
    expect_same({law, "--columns", "tangent,stored,states"});
  }
}

TEST_F(Resume, sums_too) { expect_same({"jenkins(k=0.3,phi=0.07)+iwan4(KT=0.7)"}); }

TEST_F(Resume, several_laws_in_one_state) { expect_same({"jenkins", "iwan4", "--set", "phi=0.3"}); }

TEST_F(Resume, the_moved_origin_is_kept) {
  expect_same({"iwan4", "--set", "KT=3"}, {"--start", "first-row"});
}

TEST_F(Resume, signals_go_on_where_they_stopped) {
  const std::string signal = "sin(t)+0.3*sin(7*t)";
  const auto call = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"simulate", "--signal", signal, "--step", "0.1"});
    const Outcome o = run(more);
    EXPECT_EQ(o.code, 0) << o.err;
    return without_comments(o.out);
  };
  const std::string whole = call({"iwan4", "--until", "10"});
  const std::string a = call({"iwan4", "--until", "5", "--save-state", "x"});
  const std::string b = call({"--until", "10", "--resume", "x"});
  EXPECT_EQ(a + b.substr(b.find('\n') + 1), whole);
}

TEST_F(Resume, refuses_what_would_not_be_the_same_history) {
  write("first.csv", head + first_half);
  write("second.csv", head + second_half);
  run({"simulate", "jenkins", "--set", "k=2", "--input", "first.csv", "--save-state", "x"});
  const auto error = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"simulate", "--resume", "x"});
    const Outcome o = run(more);
    EXPECT_EQ(o.code, 2);
    return o.err;
  };
  EXPECT_TRUE(
      contains(error({"--input", "second.csv", "--set", "k=3"}), "was made with jenkins.k"));
  EXPECT_TRUE(contains(error({"iwan4", "--input", "second.csv"}), "has no history of 'iwan4'"));
  EXPECT_TRUE(contains(error({"--input", "first.csv"}), "has already reached t = 5"));
  EXPECT_TRUE(contains(error({"--input", "second.csv", "--start", "virgin"}), "--start"));
  EXPECT_EQ(
      run({"simulate", "jenkins", "--set", "k=2", "--resume", "x", "--input", "second.csv"}).code,
      0);
}

TEST_F(Resume, broken_states_are_refused) {
  write("load.csv", "1\n2\n");
  run({"simulate", "iwan4", "--input", "load.csv", "--save-state", "x"});
  const std::string good = read("x");
  const auto error = [&](const std::string& from, const std::string& to) {
    std::string bad = good;
    EXPECT_TRUE(contains(bad, from));
    bad.replace(bad.find(from), from.size(), to);
    write("x", bad);
    const Outcome o = run({"simulate", "--resume", "x", "--input", "load.csv"});
    EXPECT_EQ(o.code, 2);
    EXPECT_EQ(o.out, "");
    return o.err;
  };
  EXPECT_TRUE(contains(error("\"lost\"", "\"lust\""), "state 'lost' of iwan4 is missing"));
  EXPECT_TRUE(contains(error("\"energy\"", "\"energie\""), "lacks 'energy'"));
  EXPECT_TRUE(contains(error("\"histories\"", "\"stories\""), "is not a saved state"));
  EXPECT_TRUE(contains(error("{", "("), "line 1, column 1"));
}

}  // namespace simulate_test
}  // namespace cli
