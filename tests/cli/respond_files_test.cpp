#include <cmath>

#include "command.hpp"
#include "microslip/io/csv.hpp"

namespace cli {
namespace respond_files_test {

class RespondFiles : public CommandTest {};

constexpr const char* two_masses = R"(M = [1.0, 1.0]
K = [[2, -1], [-1, 1]]
C = [0.02, 0.02]
joints = "j.csv"
[[sensor]]
name = "stretch"
between = [1, 2]
)";

TEST_F(RespondFiles, sensors_stand_in_every_table) {
  write("j.csv", "model,from,to,k,phi\njenkins,0,1,0.5,0.3\n");
  write("s.toml", std::string(two_masses) +
                      "[[load]]\nkind = \"harmonic\"\ndof = 2\namplitude = 0.1\nomega = 0.5\n"
                      "[[analysis]]\nkind = \"time\"\nuntil = 5\nstep = 0.5\noutput = \"t.csv\"\n"
                      "[[analysis]]\nkind = \"frequency-response\"\nomega = [0.3, 0.4]\n"
                      "harmonics = 1\noutput = \"f.csv\"\n");
  const Outcome outcome = run({"respond", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<std::string> columns{"x1", "x2", "x_stretch", "v1", "v2", "v_stretch"};
  const auto time = microslip::io::read_table(read("t.csv"), "t.csv", {columns, {}, {}});
  ASSERT_EQ(time.rows(), 11u);
  for (std::size_t i = 0; i < time.rows(); ++i)
    for (const std::string quantity : {"x", "v"})
      EXPECT_DOUBLE_EQ(time.at(quantity + "_stretch").values[i],
                       time.at(quantity + "2").values[i] - time.at(quantity + "1").values[i]);
  const auto response = microslip::io::read_table(
      read("f.csv"), "f.csv",
      {{"x1", "phase1", "x2", "phase2", "x_stretch", "phase_stretch"}, {}, {}});
  for (std::size_t i = 0; i < response.rows(); ++i) {
    const auto real = [&](const std::string& x, const std::string& phase) {
      return response.at(x).values[i] * std::cos(response.at(phase).values[i]);
    };
    EXPECT_NEAR(real("x_stretch", "phase_stretch"), real("x2", "phase2") - real("x1", "phase1"),
                1e-12);
  }
}

TEST_F(RespondFiles, rows_that_go_to_their_file_at_once_are_the_same) {
  write("j.csv", "model,from,to,k,phi\njenkins,0,1,0.5,0.3\n");
  const std::string analysis = "[[analysis]]\nkind = \"time\"\nuntil = 20\nv0 = [1, 0]\n";
  write("s.toml", two_masses + analysis + "output = \"streamed.csv\"\n" + analysis +
                      "output = \"kept.csv\"\nplot = \"kept.svg\"\n");
  const Outcome outcome = run({"respond", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(read("streamed.csv").empty());
  EXPECT_EQ(read("streamed.csv"), read("kept.csv"));
  EXPECT_NE(outcome.out.find("ring-down of x1"), std::string::npos);
}

TEST_F(RespondFiles, columns_may_be_those_of_the_sensors) {
  write("j.csv", "model,from,to,k,phi\njenkins,0,1,0.5,0.3\n");
  write("s.toml", std::string(two_masses) +
                      "[[load]]\nkind = \"formula\"\ndof = 2\nforce = \"0.1*sin(t)\"\n"
                      "[[analysis]]\nkind = \"time\"\nuntil = 5\nstep = 0.5\n"
                      "columns = \"sensors\"\noutput = \"t.csv\"\nplot = \"t.svg\"\n");
  const Outcome outcome = run({"respond", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(without_comments(read("t.csv")).starts_with("t,x_stretch,v_stretch,f1,energy\n"));
  EXPECT_TRUE(exists("t.svg"));
}

TEST_F(RespondFiles, the_example_from_a_finite_element_code_runs) {
  const fs::path example =
      fs::path(microslip::source_dir) / "examples/structures/finite-elements.toml";
  const Outcome outcome = run({"respond", example.string()});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(without_comments(read("finite-elements.csv"))
                  .starts_with("t,x_bending,v_bending,f1,f2,f3,f4,energy\n"));
}

}  // namespace respond_files_test
}  // namespace cli
