#include <cmath>

#include "command.hpp"

namespace cracks_test {

class Cracks : public cli::CommandTest {
 protected:
  static constexpr const char* plate = "[plate]\nE = 210e3\nnu = 0.3\nlength = 10.0\n";
  static std::string load(const std::string& signal = "sin(2*pi*t)") {
    return "[load]\nstress = [30.0, -100.0, 0.0]\nsignal = \"" + signal +
           "\"\nuntil = 1\nstep = 0.05\n";
  }
  static std::string crack(const std::string& at, double angle = 50, double mu = 0.3) {
    return "[[crack]]\nat = " + at + "\nhalf_length = 0.5\nangle = " + std::to_string(angle) +
           "\nmu = " + std::to_string(mu) + "\n";
  }
};

// One closed crack under compression, loaded to f = 1 and back: the loss in closed form.
TEST_F(Cracks, writes_loops_from_geometry) {
  write("a.toml", plate + crack("[0, 0]") +
                      "[load]\nstress = [0, -100, 0]\nsignal = \"t\"\nuntil = 1\nstep = 0.25\n");
  const auto made = run({"cracks", "a.toml", "-o", "a.csv", "--plot", "a.svg", "--slip-map",
                         "map.svg", "--strip", "strip.svg", "--field", "field.csv"});
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string csv = read("a.csv");
  EXPECT_TRUE(cli::without_comments(csv).starts_with("t,f,xi,energy\n0,0,0,0\n")) << csv;
  const double pi = std::acos(-1), angle = 50 * pi / 180, mu = 0.3, a = 0.5;
  const double p = 100 * std::pow(std::cos(angle), 2),
               tau = 100 * std::sin(angle) * std::cos(angle);
  const double lost = pi * a * a * mu * p * (tau - mu * p) / 210e3;
  EXPECT_NEAR(std::stod(csv.substr(csv.rfind(',') + 1)), lost, 1e-12 * lost);
  for (const char* file : {"a.svg", "map.svg", "strip.svg", "field.csv"})
    EXPECT_TRUE(exists(file)) << file;
  EXPECT_EQ(cli::without_comments(read("field.csv")), "x,y,a,angle,mu\n0,0,0.5,50,0.3\n");
  EXPECT_NE(made.out.find("energy balance"), std::string::npos) << made.out;
}

// L times the area of a cycle is what friction loses in it.
TEST_F(Cracks, loops_measures_the_result) {
  write("a.toml", plate + crack("[0, 0]") +
                      "[load]\nstress = [0, -100, 0]\nsignal = \"1-cos(2*pi*t)\"\n"
                      "until = 3\nstep = 0.01\n");
  const auto made = run({"cracks", "a.toml", "-o", "a.csv"});
  ASSERT_EQ(made.code, 0) << made.err;
  const auto loops = run({"loops", "a.csv", "--u", "xi", "--json"});
  EXPECT_EQ(loops.code, 0) << loops.err;
}

TEST_F(Cracks, the_same_cracks_come_from_tables_seeds_and_files) {
  write("seed.toml", plate + std::string("random = { n = 4, seed = 7, mu = 0.4 }\n") + load());
  const auto one = run({"cracks", "seed.toml", "--field", "field.csv", "-q"});
  ASSERT_EQ(one.code, 0) << one.err;
  write("file.toml", "cracks = \"field.csv\"\n" + std::string(plate) + load());
  const auto two = run({"cracks", "file.toml", "-q"});
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_EQ(cli::without_comments(one.out), cli::without_comments(two.out));
  EXPECT_EQ(one.err, "");
}

TEST_F(Cracks, a_table_without_time_gives_one_without_time) {
  write("load.csv", "f\n0\n1\n-1\n");
  write("a.toml",
        plate + crack("[0, 0]") + "[load]\nstress = [0, -100, 0]\ninput = \"load.csv\"\n");
  const auto made = run({"cracks", "a.toml", "--json"});
  ASSERT_EQ(made.code, 0) << made.err;
  for (const char* part : {"\"columns\":{\"f\":[0.0,1.0,-1.0],\"xi\":", "\"energy_balance_error\"",
                           "\"half_length\":0.5", "\"c0\""})
    EXPECT_NE(made.out.find(part), std::string::npos) << part << made.out;
}

TEST_F(Cracks, says_what_is_wrong) {
  const auto expect = [&](const std::string& text, const std::string& part) {
    write("a.toml", text);
    const auto made = run({"cracks", "a.toml"});
    EXPECT_EQ(made.code, 2) << made.err;
    EXPECT_EQ(std::count(made.err.begin(), made.err.end(), '\n'), 1) << made.err;
    EXPECT_NE(made.err.find(part), std::string::npos) << made.err;
  };
  expect(plate + crack("[0, 0]") + crack("[0.1, 0]", 120) + load(),
         "cracks 1 and 2 cross or touch");
  expect(plate + load(), "give the cracks in one way");
  expect(plate + crack("[0, 0]"), "[load] is missing");
  expect(plate + crack("[0]") + load(), "at must be a list of 2 numbers");
  expect(plate + crack("[0, 0]", 50, -0.3) + load(), "crack 1: mu = -0.3 must not be negative");
  expect(plate + std::string("plane = \"strian\"\n") + crack("[0, 0]") + load(),
         "did you mean 'strain'");
  expect(plate + crack("[0, 0]") + "[load]\nstress = [1, 2]\nsignal = \"t\"\nuntil = 1\nstep = 1\n",
         "stress must be a list of 3 numbers");
  expect(plate + std::string("finite = true\n") + crack("[4.9, 0]", 0) + load(),
         "crack 1 reaches the edge of the plate");
  expect(plate + std::string("random = { n = 50, half_length = 3 }\n") + load(),
         "no room for crack");
}

// Each field of an ensemble is the one that its seed gives alone.
TEST_F(Cracks, an_ensemble_is_many_fields) {
  const auto file = [&](int seed) {
    return std::string(plate) + "random = { n = 6, seed = " + std::to_string(seed) + " }\n" +
           load() + "[options]\nnodes = 4\n";
  };
  write("a.toml", file(3));
  const auto made = run({"cracks", "a.toml", "--ensemble", "3", "-o", "e.csv"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.out.find("standard error"), std::string::npos) << made.out;
  write("b.toml", file(5));
  ASSERT_EQ(run({"cracks", "b.toml", "-o", "b.csv"}).code, 0);
  const std::string one = read("b.csv"), all = read("e.csv");
  const double energy = std::stod(one.substr(one.rfind(',') + 1));
  const std::string row = all.substr(all.rfind("\n5,") + 3);
  EXPECT_EQ(std::stod(row), energy) << all;
  const auto refused = run({"cracks", "a.toml", "--ensemble", "1"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("must be a whole number from 2"), std::string::npos) << refused.err;
  write("c.toml", plate + crack("[0, 0]") + load());
  EXPECT_NE(run({"cracks", "c.toml", "--ensemble", "3"}).err.find("must be given as random"),
            std::string::npos);
}

}  // namespace cracks_test
