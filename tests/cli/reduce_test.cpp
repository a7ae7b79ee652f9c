#include "command.hpp"

namespace reduce_test {

class Reduce : public cli::CommandTest {
 protected:
  static std::string file(const std::string& wanted, const std::string& system = "n = 40") {
    return "[system]\nkind = \"random\"\n" + system +
           "\n[[load]]\nsignal = \"sin(t)+0.4*sin(4.16753*t)\"\nuntil = 12\nstep = 0.1\n"
           "[[validation]]\nname = \"fresh\"\nsignal = \"1.5*sin(t)\"\nuntil = 7\nstep = 0.1\n"
           "[reduce]\ndirections = 2000\n" +
           wanted;
  }
};

TEST_F(Reduce, writes_a_model_that_simulate_runs) {
  write("a.toml", file("modes = 3\nmodel = \"zonotope\"\n"));
  const auto made = run({"reduce", "a.toml", "-o", "b.toml", "--table", "c.csv"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.out.find("zonotope"), std::string::npos);
  EXPECT_NE(made.out.find("40 sliders; modes from 1 load, judged by 1 load more"),
            std::string::npos)
      << made.out;
  const std::string text = read("b.toml");
  for (const char* part : {"version = ", "command = \"", "seed = 1", "model = \"zonotope\""})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  const std::string table = read("c.csv");
  EXPECT_NE(table.find("3,zonotope,"), std::string::npos);
  EXPECT_NE(table.find(",validation_cycle_energy_largest,validation_cycle_energy_rms\n"),
            std::string::npos);
  EXPECT_NE(made.out.find("worst cycle %"), std::string::npos);
  const auto used = run({"simulate", "--params", "b.toml", "--signal", "sin(t)", "--until", "6",
                         "--step", "0.1", "-o", "d.csv"});
  ASSERT_EQ(used.code, 0) << used.err;
  EXPECT_NE(read("d.csv").find("# driven: force"), std::string::npos);
}

TEST_F(Reduce, compares_models_in_one_table) {
  write("a.toml", file("modes = 2\nafter_reversals = 1\nmodel = \"few-generators\"\n"
                       "generators = 6\nstudy = [2, 3]\nseed = 5\nfit = \"moments\"\n"
                       "beta_study = [0.4, 0.5]\n"));
  const auto made = run({"reduce", "a.toml", "--json"});
  ASSERT_EQ(made.code, 0) << made.err;
  for (const char* part :
       {"\"study\"", "\"ellipsoid\"", "\"few-generators\"", "\"zonotope\"", "\"energy_error\"",
        "\"cycle_energy_largest\"", "\"cycle_energy_rms\"", "\"cycle_energy_errors\"",
        "\"singular_values\"", "\"seed\": 5", "\"fresh\"", "\"fit\": \"moments\"", "\"beta\": 0.5"})
    EXPECT_NE(made.out.find(part), std::string::npos) << part;
}

TEST_F(Reduce, an_iwan_system_becomes_an_m_state_law) {
  write("a.toml",
        "[system]\nkind = \"iwan\"\nn = 60\nmu0 = 0.02\noutput = \"u-bx\"\n"
        "[[load]]\nsignal = \"0.6*sin(t)\"\nuntil = 7\nstep = 0.1\n"
        "[reduce]\nbasis = \"analytic\"\nalpha = 0.02\nmodes = 2\nmodel = \"m-state\"\n"
        "directions = 1000\n");
  const auto made = run({"reduce", "a.toml", "-o", "b.json", "-q"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.out, "");
  EXPECT_NE(read("b.json").find("\"model\": \"m-state\""), std::string::npos);
}

TEST_F(Reduce, says_what_is_wrong_with_its_file) {
  const auto message = [&](const std::string& text) {
    write("a.toml", text);
    const auto made = run({"reduce", "a.toml"});
    EXPECT_EQ(made.code, 2) << made.err;
    EXPECT_EQ(std::count(made.err.begin(), made.err.end(), '\n'), 1) << made.err;
    return made.err;
  };
  const auto expect = [&](const std::string& text, const std::string& part) {
    const std::string got = message(text);
    EXPECT_NE(got.find(part), std::string::npos) << got;
  };
  expect(file("modes = 50\n"), "50 modes are more than the system has sliders, 40");
  expect(file("model = \"m-state\"\n"), "the law m-state answers a force");
  expect(file("model = \"elipsoid\"\n"), "did you mean 'ellipsoid'");
  expect(file("mode = 2\n"), "unknown key 'mode'");
  expect(file("alpha = 2\n"), "alpha belongs to the analytic basis");
  expect(file("fit = \"moment\"\n"), "did you mean 'moments'");
  expect(file("beta_study = [0]\n"), "exponents above 0 and up to 2");
  expect(file("generators = 2\n"), "generators = 2 must be at least 3");
  expect("[system]\nkind = \"random\"\n", "[[load]] is missing");
  expect("[[load]]\nsignal = \"t\"\nuntil = 1\nstep = 0.1\n", "[system] is missing");
  expect("[system\n", "this is not TOML");
}

TEST_F(Reduce, fails_where_the_loads_move_nothing) {
  write("a.toml",
        "[system]\nkind = \"random\"\nn = 40\n"
        "[[load]]\nsignal = \"1e-7*sin(t)\"\nuntil = 7\nstep = 0.1\n");
  const auto made = run({"reduce", "a.toml", "-o", "b.toml"});
  EXPECT_EQ(made.code, 1);
  EXPECT_NE(made.err.find("move the sliders in only 0 independent ways"), std::string::npos)
      << made.err;
  EXPECT_FALSE(exists("b.toml"));
}

TEST_F(Reduce, does_not_overwrite_its_input) {
  write("a.toml", file("modes = 2\n"));
  const auto made = run({"reduce", "a.toml", "-o", "a.toml"});
  EXPECT_EQ(made.code, 2);
  EXPECT_NE(made.err.find("would be overwritten"), std::string::npos);
}

}  // namespace reduce_test
