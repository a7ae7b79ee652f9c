#include "command.hpp"

namespace cli {
namespace planar_test {

class Planar : public CommandTest {};

// k = φ = 1: to (1, 0) elastic, then turned by tan(ψ/2) ← tan(ψ/2)/e from ψ = 90°, so
// f = (sech 1, tanh 1), and ln cosh 1 is lost.
TEST_F(Planar, jenkins_by_hand) {
  const Outcome o = run({{"simulate", "jenkins-planar", "--input", "-"}, "ux,uy\n0,0\n1,0\n1,1\n"});
  EXPECT_EQ(o.code, 0) << o.err;
  const std::string csv = without_comments(o.out);
  EXPECT_TRUE(csv.starts_with("ux,uy,fx,fy,energy\n0,0,0,0,0\n1,0,1,0,0\n1,1,0.64805427366388"))
      << csv;
  EXPECT_TRUE(contains(csv, ",0.76159415595576")) << csv;
  EXPECT_TRUE(contains(csv, ",0.43378083048302")) << csv;
}

// Rows at the turning points of both components: sin 2t turns at π/4, cos t at no row of its own.
TEST_F(Planar, a_signal_has_two_components) {
  const Outcome o = run({"simulate", "bouc-wen-planar", "--signal", "cos(t);sin(2*t)", "--until",
                         "1", "--step", "1", "--columns", "stored,states"});
  EXPECT_EQ(o.code, 0) << o.err;
  const std::string csv = without_comments(o.out);
  EXPECT_TRUE(csv.starts_with("t,ux,uy,fx,fy,energy,stored,z1,z2\n0,1,0,")) << csv;
  EXPECT_TRUE(contains(csv, "\n0.785398163397")) << csv;
}

TEST_F(Planar, a_wrong_number_of_components_is_refused) {
  const Outcome one =
      run({"simulate", "jenkins-planar", "--signal", "cos(t)", "--until", "1", "--step", "1"});
  EXPECT_EQ(one.code, 2);
  EXPECT_TRUE(contains(one.err, "give --signal as 'EXPR;EXPR' for ux and uy")) << one.err;
  const Outcome two =
      run({"simulate", "jenkins", "--signal", "cos(t);1", "--until", "1", "--step", "1"});
  EXPECT_EQ(two.code, 2);
  EXPECT_TRUE(contains(two.err, "2 components")) << two.err;
}

TEST_F(Planar, a_resumed_history_goes_on) {
  write("a.csv", "ux,uy\n1,0\n1,1\n");
  write("b.csv", "ux,uy\n-1,2\n0,0\n");
  write("all.csv", "ux,uy\n1,0\n1,1\n-1,2\n0,0\n");
  ASSERT_EQ(run({"simulate", "bouc-wen-park", "--input", "a.csv", "-o", "x.csv", "--save-state",
                 "s.json"})
                .code,
            0);
  const Outcome rest = run({"simulate", "--resume", "s.json", "--input", "b.csv"});
  const Outcome all = run({"simulate", "bouc-wen-park", "--input", "all.csv"});
  EXPECT_EQ(rest.code, 0) << rest.err;
  const std::string tail = without_comments(rest.out).substr(19);  // after its heading
  EXPECT_TRUE(without_comments(all.out).ends_with(tail)) << all.out << rest.out;
}

TEST_F(Planar, a_tangent_is_refused_and_not_silently_left_out) {
  const Outcome o = run({{"simulate", "jenkins-planar", "--columns", "tangent", "--input", "-"},
                         "ux,uy\n0,0\n1,0\n"});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(contains(o.err, "jenkins-planar has several directions, and its tangent is a matrix"))
      << o.err;
  EXPECT_TRUE(o.out.empty());
}

// Stuck at 0.2 under μN = 0.5; N falls to 0.3 and opens: ft follows the limit 0.15, then nothing is left.
TEST_F(Planar, contact_by_hand) {
  const Outcome o = run(
      {{"simulate", "contact", "--input", "-"}, "ut [mm],un [mm]\n0,0\n0.2,0\n0.2,-0.7\n0.2,-2\n"});
  EXPECT_EQ(o.code, 0) << o.err;
  const std::string csv = without_comments(o.out);
  EXPECT_TRUE(csv.starts_with("ut [mm],un [mm],ft,fn,energy\n0,0,0,0,0\n0.2")) << csv;
  EXPECT_DOUBLE_EQ(column(csv, "ft").at(2), 0.15);
  EXPECT_DOUBLE_EQ(column(csv, "fn").at(2), -0.7);
  EXPECT_TRUE(contains(csv, "\n0.2,-2,0,-1,")) << csv;
}

TEST_F(Planar, contact_in_three_directions_takes_three_formulas) {
  const Outcome o = run({"simulate", "contact-planar", "--signal", "cos(t);sin(t);0.1*t", "--until",
                         "1", "--step", "0.5", "--plot", "orbit.svg"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(without_comments(o.out).starts_with("t,ux,uy,un,fx,fy,fn,energy\n0,1,0,0,")) << o.out;
  const Outcome two =
      run({"simulate", "contact-planar", "--signal", "t;t", "--until", "1", "--step", "1"});
  EXPECT_EQ(two.code, 2);
  EXPECT_TRUE(contains(two.err, "give --signal as 'EXPR;EXPR;EXPR' for ux, uy and un")) << two.err;
  const Outcome wrong = run({{"simulate", "contact", "--input", "-"}, "ux,uy\n0,0\n"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "ut")) << wrong.err;
}

// The orbit of the joint, and its force against its displacement in both directions; a report has them, too.
TEST_F(Planar, a_motion_in_time_is_drawn_with_its_orbit) {
  write("s.toml",
        "M = [1.0, 1.0]\nK = [2.0, 3.0]\n[[joint]]\nmodel = \"bouc-wen-park\"\n"
        "set = { k = 2.0 }\nbetween = [[0, 1], [0, 2]]\n[[load]]\nkind = \"formula\"\ndof = 1\n"
        "force = \"sin(2*t)\"\n[[load]]\nkind = \"formula\"\ndof = 2\nforce = \"cos(t)\"\n"
        "[[analysis]]\nkind = \"time\"\nuntil = 10\nstep = 0.1\noutput = \"s.csv\"\n"
        "plot = \"s.svg\"\n");
  const Outcome o = run({"respond", "s.toml", "-q"});
  EXPECT_EQ(o.code, 0) << o.err;
  const std::string csv = without_comments(read("s.csv")), svg = read("s.svg");
  EXPECT_TRUE(contains(csv, "f1_x,f1_y")) << csv.substr(0, 200);
  for (const char* label : {">ux<", ">uy<", ">fx<", ">fy<", ">joint 1<"})
    EXPECT_TRUE(contains(svg, label)) << label;
  // Three panels are the joint's.
  std::size_t titles = 0;
  for (std::size_t at = 0; (at = svg.find(">joint 1<", at)) != std::string::npos; ++at) ++titles;
  EXPECT_EQ(titles, 3U);
}

// A resumed history counts its normal displacement from where it began.
TEST_F(Planar, a_contact_that_starts_elsewhere_goes_on_from_there) {
  write("a.csv", "ut,un\n3,0.5\n3.1,0.5\n");
  write("b.csv", "ut,un\n3.1,0.7\n");
  write("all.csv", "ut,un\n3,0.5\n3.1,0.5\n3.1,0.7\n");
  ASSERT_EQ(run({"simulate", "contact", "--input", "a.csv", "--start", "first-row", "-o", "x.csv",
                 "--save-state", "s.json"})
                .code,
            0);
  const Outcome rest = run({"simulate", "--resume", "s.json", "--input", "b.csv"});
  const Outcome all = run({"simulate", "contact", "--input", "all.csv", "--start", "first-row"});
  EXPECT_EQ(rest.code, 0) << rest.err;
  const std::string tail = without_comments(rest.out).substr(19);  // after its heading
  EXPECT_TRUE(without_comments(all.out).ends_with(tail)) << all.out << rest.out;
}

TEST_F(Planar, damping_along_a_circle) {
  const Outcome o = run({"damping", "jenkins-planar", "--ratio", "1", "--amplitudes", "2:2:1"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "10.88")) << o.out;  // 2π R φ √(1 − 1/4)
  const Outcome scalar = run({"damping", "jenkins", "--ratio", "1", "--amplitudes", "2:2:1"});
  EXPECT_EQ(scalar.code, 2);
  EXPECT_TRUE(contains(scalar.err, "jenkins is a scalar law")) << scalar.err;
  const Outcome normal = run(
      {"damping", "contact", "--normal", "0.3", "--normal-phase", "90", "--amplitudes", "2:2:1"});
  EXPECT_EQ(normal.code, 0) << normal.err;
}

TEST_F(Planar, help_tells_of_two_formulas) {
  const Outcome o = run({"simulate", "--help"});
  EXPECT_TRUE(contains(o.out + o.err, "'cos(t);sin(t)'")) << o.out;
}

}  // namespace planar_test
}  // namespace cli
