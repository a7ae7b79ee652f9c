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
  EXPECT_TRUE(contains(o.err, "jenkins-planar is a planar law, whose tangent is a matrix"))
      << o.err;
  EXPECT_TRUE(o.out.empty());
}

TEST_F(Planar, help_tells_of_two_formulas) {
  const Outcome o = run({"simulate", "--help"});
  EXPECT_TRUE(contains(o.out + o.err, "'cos(t);sin(t)'")) << o.out;
}

}  // namespace planar_test
}  // namespace cli
