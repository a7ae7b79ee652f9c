#include <cmath>

#include "command.hpp"

namespace joint_test {

class JointCommand : public cli::CommandTest {
 protected:
  static std::string file(const std::string& contact, const std::string& more = "",
                          const std::string& mesh = "[32, 2]") {
    return "[plates]\nlength = 40.0\noverlap = 20.0\nthickness = 3.0\nwidth = 10.0\nE = 70e3\n"
           "nu = 0.33\nmesh = " +
           mesh + "\n" + more + "[contact]\nmu = 0.3\n" + contact +
           "[load]\nsignal = \"0.025*sin(2*pi*t)\"\nuntil = 2\nstep = 0.02\n";
  }
  /// The number at the end of the file.
  double last(const std::string& csv) { return std::stod(csv.substr(csv.rfind(',') + 1)); }
};

// A tied joint is a system of sliders: its file gives the same rows.
TEST_F(JointCommand, writes_a_loop_and_its_sliders) {
  write("a.toml", file("pressure = \"20\"\n"));
  const auto made = run({"joint", "a.toml", "-o", "a.csv", "--sliders", "s.toml", "--plot", "a.svg",
                         "--slip-map", "map.svg"});
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string csv = read("a.csv");
  EXPECT_TRUE(cli::without_comments(csv).starts_with("t,u,f,energy\n0,0,0,0\n"))
      << csv.substr(0, 800);
  EXPECT_NE(made.out.find("half as many elements change the energy by"), std::string::npos);
  const auto again = run({"simulate", "--params", "s.toml", "--input", "a.csv", "-o", "b.csv"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_GT(last(csv), 0);
  EXPECT_NEAR(last(read("b.csv")), last(csv), 1e-9 * last(csv));
  for (const char* picture : {"a.svg", "map.svg"}) EXPECT_TRUE(exists(picture)) << picture;
}

TEST_F(JointCommand, pressure_is_a_formula_a_table_or_a_bolt) {
  write("p.csv", "x,p\n0,20\n20,20\n");
  const auto energy = [&](const std::string& contact, const std::string& more = "") {
    write("a.toml", file(contact, more));
    const auto made = run({"joint", "a.toml", "-q"});
    EXPECT_EQ(made.code, 0) << made.err;
    return last(made.out);
  };
  const double formula = energy("pressure = \"20+0*x\"\n");
  EXPECT_NEAR(energy("pressure = \"p.csv\"\n"), formula, 1e-9 * formula);
  EXPECT_NEAR(energy("pressure = 20\n"), formula, 1e-9 * formula);
  const double bolt = energy("pressure = { force = 2000, at = 10, washer = 6 }\n");
  EXPECT_NEAR(energy("[[bolt]]\nforce = 2000\nat = 10\nwasher = 6\n"), bolt, 1e-12 * bolt);
}

TEST_F(JointCommand, bolt_heads_may_carry_friction) {
  const auto loss = [&](const std::string& head) {
    write("a.toml", file("[[bolt]]\nforce = 2000\nat = 10\nwasher = 6\n" + head));
    const auto made = run({"joint", "a.toml", "-o", "a.csv", "--plot", "a.svg", "--slip-map",
                           "map.svg", "--sliders", "s.toml", "--json"});
    EXPECT_EQ(made.code, 0) << made.err;
    const auto again = run({"simulate", "--params", "s.toml", "--input", "a.csv", "-o", "b.csv"});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_NEAR(last(read("b.csv")), last(read("a.csv")), 1e-9 * last(read("a.csv")));
    return std::pair{last(read("a.csv")), made.out};
  };
  const auto [plain, of_plain] = loss("");
  const auto [with, of_head] = loss("head_mu = 0.1\nshear_stiffness = 1e5\n");
  EXPECT_GT(std::abs(with - plain), 0.01 * plain);
  EXPECT_NE(of_head.find("\"head_slips\": true"), std::string::npos) << of_head;
  EXPECT_EQ(of_plain.find("head_slips"), std::string::npos);
  EXPECT_NE(of_plain.find("\"washer\": 6.0"), std::string::npos) << of_plain;
  EXPECT_NEAR(loss("head_mu = 0\nshear_stiffness = 1e5\n").first, plain, 1e-12 * plain);
}

TEST_F(JointCommand, plates_may_separate) {
  write("a.toml", file("normal = \"unilateral\"\npressure = \"20\"\n", "support = \"bending\"\n"));
  const auto made = run({"joint", "a.toml", "--json", "--plot", "a.svg", "--slip-map", "map.svg"});
  ASSERT_EQ(made.code, 0) << made.err;
  for (const char* part : {"\"normal\":\"unilateral\"", "\"support\":\"bending\"",
                           "\"energy_balance_error\"", "\"columns\"", "\"mesh_energy_change\""})
    EXPECT_NE(made.out.find(part), std::string::npos) << part;
  const auto refused = run({"joint", "a.toml", "--sliders", "s.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--sliders belongs to normal = \"tied\""), std::string::npos);
}

TEST_F(JointCommand, warns_of_a_coarse_mesh) {
  write("a.toml", file("pressure = \"20\"\n", "", "[8, 1]"));
  const auto made = run({"joint", "a.toml", "-q", "-o", "a.csv"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.err.find("warning: half as many elements change the energy by"), std::string::npos)
      << made.err;
}

TEST_F(JointCommand, says_what_is_wrong) {
  const auto expect = [&](const std::string& text, const std::string& part) {
    write("a.toml", text);
    const auto made = run({"joint", "a.toml"});
    EXPECT_EQ(made.code, 2) << made.err;
    EXPECT_EQ(std::count(made.err.begin(), made.err.end(), '\n'), 1) << made.err;
    EXPECT_NE(made.err.find(part), std::string::npos) << made.err;
  };
  expect(file(""), "neither a pressure nor a bolt");
  expect(file("pressure = \"20-2*x\"\n"), "must not be negative");
  expect(file("pressure = \"20*y\"\n"), "y");
  expect(file("pressure = \"20\"\nnormal = \"tied up\"\n"), "unknown normal 'tied up'");
  expect(file("pressure = \"20\"\n", "support = \"bendnig\"\n"), "did you mean 'bending'");
  expect(file("pressure = \"20\"\n", "", "[32]"), "mesh must be two whole numbers");
  expect(file("pressure = \"20\"\n", "[[bolt]]\nforce = 1\nat = 10\nwasher = 2\n"),
         "give either contact.pressure or [[bolt]], not both");
  expect(file("[[bolt]]\nforce = 1\nat = 10\nwasher = 2\nhead_mu = 0.1\n"),
         "bolt 1: shear_stiffness = 0 must be positive where head_mu is");
  expect("[plates]\n", "[contact] is missing");
}

/// Ground – k1 – node 1 and node 2 – k2 – node 3 in x and z, by a matrix of lower triangles.
class MatrixJointCommand : public cli::CommandTest {
 protected:
  void SetUp() override {
    cli::CommandTest::SetUp();
    write("k.sti", "1 1 3\n2 2 50\n3 3 2\n4 4 50\n5 5 2\n6 6 50\n3 5 -2\n4 6 -50\n");
    write("k.dof", "1.1\n1.3\n2.1\n2.3\n3.1\n3.3\n");
    write("pairs.csv", "from,to,P,x\n1,2,2,0.5\n");
  }
  static std::string file(const std::string& matrices = "", const std::string& contact = "",
                          const std::string& load = "") {
    return "[matrices]\nstiffness = \"k.sti\"\nheld = [\"3.3\"]\n" + matrices +
           "[contact]\npairs = \"pairs.csv\"\ndirection = [0, 0, 1]\nmu = 0.3\n" + contact +
           "[load]\ndriven = \"3.1\"\nsignal = \"sin(2*pi*t)\"\nuntil = 1\nstep = 0.05\n" + load;
  }
};

// A spring 1.2 in series with a slider of limit 0.6 over sin from 0 to 1: slip 0.5 on the virgin
// branch, 1 on the way to −1, none on the way back to 0.
TEST_F(MatrixJointCommand, is_a_jenkins_element) {
  write("a.toml", file());
  const auto made = run({"joint", "a.toml", "-o", "a.csv", "--sliders", "s.toml", "--plot", "a.svg",
                         "--slip-map", "map.svg", "--json"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.out.find("\"stiffness_stuck\": 1.2"), std::string::npos) << made.out;
  const std::string csv = read("a.csv");
  EXPECT_NEAR(std::stod(csv.substr(csv.rfind(',') + 1)), 0.6 * 0.5 + 0.6 * 1.0, 1e-9) << csv;
  const auto again = run({"simulate", "--params", "s.toml", "--input", "a.csv", "-o", "b.csv"});
  ASSERT_EQ(again.code, 0) << again.err;
}

TEST_F(MatrixJointCommand, reads_matrix_market_and_abaqus_alike) {
  const auto loop = [&](const std::string& text) {
    write("a.toml", text);
    const auto made = run({"joint", "a.toml", "-q"});
    EXPECT_EQ(made.code, 0) << made.err;
    return cli::without_comments(made.out);
  };
  const std::string first = loop(file());
  write("k.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n6 6 8\n1 1 3\n2 2 50\n3 3 2\n4 4 50\n"
        "5 5 2\n6 6 50\n5 3 -2\n6 4 -50\n");
  std::string other = file("dofs = \"k.dof\"\n");
  other.replace(other.find("k.sti"), 5, "k.mtx");
  EXPECT_EQ(loop(other), first);
  write("a.mtx",
        "1,1,1,1,3\n1,3,1,3,50\n2,1,2,1,2\n2,3,2,3,50\n3,1,3,1,2\n3,3,3,3,50\n3,1,2,1,-2\n"
        "3,3,2,3,-50\n");
  other = file();
  other.replace(other.find("k.sti"), 5, "a.mtx");
  EXPECT_EQ(loop(other), first);
}

TEST_F(MatrixJointCommand, says_what_is_wrong) {
  const auto expect = [&](const std::string& text, const std::string& part) {
    write("a.toml", text);
    const auto made = run({"joint", "a.toml"});
    EXPECT_EQ(made.code, 2) << made.err;
    EXPECT_EQ(std::count(made.err.begin(), made.err.end(), '\n'), 1) << made.err;
    EXPECT_NE(made.err.find(part), std::string::npos) << made.err;
  };
  expect(file("[[bolt]]\nforce = 1\n"), "give either [plates] (and bolts) or [matrices]");
  expect(file("", "", "forces = \"f.csv\"\n"), "f.csv");
  write("f.csv", "dof,f\n9.1,2\n");
  expect(file("", "", "forces = \"f.csv\"\n"), "9.1 is no degree of freedom");
  write("pairs.csv", "from,to,P,gap\n1,2,2,-0.1\n");
  expect(file(), "pair 1 (nodes 1 and 2): gap = -0.1 must not be negative");
  write("pairs.csv", "from,to\n1,7\n");
  expect(file(), "node 7 has no degree of freedom in the stiffness");
  write("pairs.csv", "from,to,P\n1,2,2\n");
  write("k.mtx",
        "%%MatrixMarket matrix coordinate real general\n6 6 8\n1 1 3\n2 2 50\n3 3 2\n4 4 50\n"
        "5 5 2\n6 6 50\n5 3 -2\n6 4 -50\n");
  std::string other = file("dofs = \"k.dof\"\n");
  other.replace(other.find("k.sti"), 5, "k.mtx");
  expect(other, "the stiffness is not symmetric: between 3.1 and 2.1");
  other = file();
  other.replace(other.find("k.sti"), 5, "k.mtx");
  expect(other, "does not name its rows");
}

}  // namespace joint_test
