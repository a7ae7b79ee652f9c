#include <gtest/gtest.h>

#include <algorithm>

#include "command.hpp"

namespace cli {
namespace sliders_test {

class SlidersCommand : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    fs::create_directory(folder / "joint");
    write("joint/K.mtx",
          "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 -1\n2 2 2\n");
    write("joint/mu.txt", "# limits\n0.3\n0.2\n");
    write("joint/joint.toml",
          "kind = \"matrices\"\nK = \"K.mtx\"\nmu = \"mu.txt\"\nb = [1.0, -0.5]\n");
  }
  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
      if (!line.starts_with("#")) result.push_back(line);
    return result;
  }
};

TEST_F(SlidersCommand, files_count_from_the_folder_of_the_parameter_file) {
  const Outcome o = run(
      {"simulate", "sliders", "--params", "joint/joint.toml", "--input", "-", "--columns", "x"});
  EXPECT_EQ(o.code, 2);  // nothing on standard input
  const Outcome fine = run(Call{
      {"simulate", "sliders", "--params", "joint/joint.toml", "--input", "-", "--columns", "x"},
      "u\n0.2\n0.5\n"});
  ASSERT_EQ(fine.code, 0) << fine.err;
  const auto rows = lines(fine.out);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0], "u,f,energy,x1,x2");
  EXPECT_EQ(rows[1], "0.2,0,0,0,0");
  // Slider 2 carries |−0.5·0.5 + x1| = 0.15 < 0.2 and sticks: 2 x1 = 0.5 − 0.3.
  EXPECT_EQ(rows[2], "0.5,0.1,0.03,0.1,0");
  EXPECT_NE(fine.out.find("# driven: force\n"), std::string::npos);
}

TEST_F(SlidersCommand, columns_of_sliders_are_streamed_to_the_file) {
  const std::vector<std::string> call{"simulate", "sliders",  "--set",  "kind=random", "--set",
                                      "n=12",     "--signal", "sin(t)", "--until",     "30",
                                      "--step",   "0.01",     "-q"};
  auto one = call, two = call;
  one.insert(one.end(), {"-o", "a.csv", "--columns", "x"});
  two.insert(two.end(), {"--columns", "x1,x12"});
  ASSERT_EQ(run(one).code, 0);
  const Outcome some = run(two);
  ASSERT_EQ(some.code, 0);
  const auto all = lines(read("a.csv")), chosen = lines(some.out);
  ASSERT_EQ(all.size(), chosen.size());
  EXPECT_GT(all.size(), 3000u);  // several pieces
  EXPECT_EQ(all[0], "t,u,f,energy,x1,x2,x3,x4,x5,x6,x7,x8,x9,x10,x11,x12");
  EXPECT_EQ(chosen[0], "t,u,f,energy,x1,x12");
  const auto last = [](const std::string& line) { return line.substr(line.rfind(',')); };
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_EQ(last(all[i]), last(chosen[i]));
}

TEST_F(SlidersCommand, only_sliders_that_exist) {
  const std::vector<std::string> call{"simulate", "sliders", "--params", "joint/joint.toml",
                                      "--input",  "-",       "-o",       "a.csv",
                                      "--columns"};
  auto third = call, second = call;
  third.push_back("x3");
  second.push_back("x2");
  const Outcome o = run(Call{third, "u\n0.2\n"});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(contains(o.err, "--columns x3: there is no such state; there are x1 to x2")) << o.err;
  EXPECT_FALSE(exists("a.csv"));
  ASSERT_EQ(run(Call{second, "u\n0.2\n"}).code, 0);
  EXPECT_TRUE(contains(read("a.csv"), "\"n\":2.0")) << read("a.csv");
}

TEST_F(SlidersCommand, every_method_runs) {
  for (const std::string method : {"event", "active-set", "lemke", "regularised"}) {
    const Outcome o =
        run({"simulate", "sliders", "--params", "joint/joint.toml", "--method", method, "--signal",
             "sin(t)", "--until", "4", "--step", "0.1", "-o", method + ".csv"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(read(method + ".csv").find("\"method\":\"" + method + "\""), std::string::npos);
  }
}

TEST_F(SlidersCommand, a_history_goes_on) {
  const std::vector<std::string> signal{"--signal", "sin(t)", "--step", "0.1"};
  auto whole = signal, head = signal, tail = signal;
  whole.insert(whole.begin(), {"simulate", "sliders", "--params", "joint/joint.toml"});
  head.insert(head.begin(), {"simulate", "sliders", "--params", "joint/joint.toml"});
  tail.insert(tail.begin(), {"simulate", "--resume", "s"});
  whole.insert(whole.end(), {"--until", "6", "-o", "whole.csv"});
  head.insert(head.end(), {"--until", "2", "-o", "head.csv", "--save-state", "s"});
  tail.insert(tail.end(), {"--until", "6", "-o", "tail.csv"});
  for (const auto& call : {whole, head, tail}) ASSERT_EQ(run(call).code, 0);
  const std::string one = lines(read("whole.csv")).back(), other = lines(read("tail.csv")).back();
  // Only the sum of energies is rounded elsewhere.
  const auto comma = one.rfind(',');
  EXPECT_EQ(one.substr(0, comma), other.substr(0, comma));
  EXPECT_NEAR(std::stod(one.substr(comma + 1)), std::stod(other.substr(comma + 1)), 1e-15);
}

TEST_F(SlidersCommand, the_slip_map_is_a_picture) {
  const Outcome o =
      run({"simulate", "sliders", "--params", "joint/joint.toml", "--signal", "sin(t)", "--until",
           "9", "--step", "0.1", "-o", "a.csv", "--slip-map", "map.svg"});
  ASSERT_EQ(o.code, 0) << o.err;
  if (o.err.find("gnuplot") == std::string::npos) {
    EXPECT_TRUE(exists("map.svg"));
  }
  const Outcome wrong = run({"simulate", "jenkins", "--signal", "t", "--until", "1", "--step", "1",
                             "--slip-map", "map.svg"});
  EXPECT_EQ(wrong.code, 2);
}

TEST_F(SlidersCommand, macroslip_names_the_sliders_that_float) {
  const Outcome o = run({"simulate", "sliders", "--set", "kind=chain", "--set", "n=4", "--set",
                         "mu=0.1", "--signal", "t", "--until", "1", "--step", "0.1"});
  EXPECT_EQ(o.code, 1);
  EXPECT_NE(o.err.find("macroslip"), std::string::npos) << o.err;
  EXPECT_NE(o.err.find("sliders 1–4"), std::string::npos) << o.err;
}

TEST_F(SlidersCommand, the_examples_run) {
  for (const std::string name : {"lap_joint", "random", "vibrating_preload"}) {
    const Outcome o = run({"simulate", "sliders", "--params",
                           microslip::source_dir + "/examples/sliders/" + name + ".toml",
                           "--signal", "0.5*sin(t)", "--until", "3", "--step", "0.1"});
    EXPECT_EQ(o.code, 0) << o.err;
  }
}

TEST_F(SlidersCommand, bad_files_are_explained) {
  write("joint/bad.toml", "kind = \"matrices\"\nK = [[1, 2], [0, 1]]\nmu = 1\nb = [1, 1]\n");
  const auto error = [&](const std::string& file) {
    const Outcome o = run(
        {"simulate", "sliders", "--params", file, "--signal", "t", "--until", "1", "--step", "1"});
    EXPECT_EQ(o.code, 2);
    return o.err;
  };
  EXPECT_EQ(error("joint/bad.toml"),
            "microslip: joint/bad.toml, line 2: K(1,2) = 2 and K(2,1) = 0 must be equal: K must be "
            "symmetric\n");
  write("joint/odd.toml", "kind = \"chain\"\nstifness = 3\n");
  EXPECT_NE(error("joint/odd.toml").find("unknown parameter 'stifness'"), std::string::npos);
}

TEST_F(SlidersCommand, a_column_mu_is_a_factor_on_friction) {
  write("one.toml", "kind = \"matrices\"\nK = 2.0\nmu = 0.5\nb = [1.0]\n");
  const std::vector<std::string> call{"simulate", "sliders", "--params", "one.toml",
                                      "--input",  "-",       "-q"};
  // K x = u − γμ: slip from γ = 1 on; ∫ γμ dx = (μ²/K)(1 − 0.5²)/2.
  const Outcome o = run(Call{call, "t,u,mu\n0,0.5,1.5\n1,0.5,0.5\n2,0.5,2\n"});
  ASSERT_EQ(o.code, 0) << o.err;
  const auto rows = lines(o.out);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0], "t,u,f,energy");
  EXPECT_EQ(rows[1], "0,0.5,0,0");
  EXPECT_EQ(rows[2], "1,0.5,0.125,0.046875");
  EXPECT_EQ(rows[3], "2,0.5,0.125,0.046875");
  // Without t rows are counted; the path is the same.
  const Outcome counted = run(Call{call, "u,mu\n0.5,1.5\n0.5,0.5\n0.5,2\n"});
  ASSERT_EQ(counted.code, 0) << counted.err;
  EXPECT_EQ(lines(counted.out), rows);
  // The same by formula.
  auto formula = call;
  formula.insert(formula.end(), {"--set", "mu_factor=1.5-t"});
  const Outcome by_formula = run(Call{formula, "t,u\n0,0.5\n1,0.5\n"});
  ASSERT_EQ(by_formula.code, 0) << by_formula.err;
  EXPECT_EQ(lines(by_formula.out)[2], rows[2]);
  const Outcome both = run(Call{formula, "t,u,mu\n0,0.5,1\n1,0.5,1\n"});
  EXPECT_EQ(both.code, 2);
  EXPECT_NE(both.err.find("give one of them"), std::string::npos) << both.err;
  const Outcome negative = run(Call{call, "t,u,mu\n0,0.5,1\n1,0.5,-1\n"});
  EXPECT_EQ(negative.code, 2);
  EXPECT_NE(negative.err.find("line 3: mu = -1 must not be negative"), std::string::npos)
      << negative.err;
  const Outcome later = run(Call{formula, "t,u\n0,0.5\n4,0.5\n"});
  EXPECT_EQ(later.code, 1);
  EXPECT_NE(later.err.find("mu_factor is"), std::string::npos) << later.err;
}

TEST_F(SlidersCommand, friction_that_changes_goes_on_and_is_drawn) {
  write("one.toml", "kind = \"chain\"\nn = 8\nmu = 0.5\n");
  write("a.csv", "t,u,mu\n0,0.8,1\n1,0.8,0.5\n");
  write("b.csv", "t,u,mu\n2,-0.9,1\n3,0.2,0.6\n");
  write("c.csv", "t,u,mu\n0,0.8,1\n1,0.8,0.5\n2,-0.9,1\n3,0.2,0.6\n");
  ASSERT_EQ(run({"simulate", "sliders", "--params", "one.toml", "--input", "a.csv", "-o", "x.csv",
                 "--save-state", "s.json", "-q"})
                .code,
            0);
  const Outcome rest = run({"simulate", "--resume", "s.json", "--input", "b.csv", "-q"});
  ASSERT_EQ(rest.code, 0) << rest.err;
  const Outcome whole = run({"simulate", "sliders", "--params", "one.toml", "--input", "c.csv",
                             "-q", "--slip-map", "slips.svg"});
  ASSERT_EQ(whole.code, 0) << whole.err;
  EXPECT_EQ(lines(rest.out).back(), lines(whole.out).back());
  EXPECT_TRUE(exists("slips.svg"));
  const Outcome constant =
      run(Call{{"simulate", "--resume", "s.json", "--input", "-", "-q"}, "t,u\n2,-0.9\n"});
  EXPECT_EQ(constant.code, 2);
  EXPECT_NE(constant.err.find("only with mu_factor or a column mu"), std::string::npos)
      << constant.err;
}

}  // namespace sliders_test
}  // namespace cli
