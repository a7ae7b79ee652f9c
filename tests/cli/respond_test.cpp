#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

#include "command.hpp"
#include "microslip/io/csv.hpp"

namespace cli {
namespace respond_test {

/// The common problem of the literature; a peak of 2.5911.
constexpr const char* one_joint = R"(M = [1.0]
[[spring]]
between = [0, 1]
k = 0.75
[[damper]]
between = [0, 1]
c = 0.01
[[joint]]
model = "jenkins"
set = { k = 0.25, phi = 0.2 }
between = [0, 1]
[[load]]
kind = "harmonic"
dof = 1
amplitude = 0.2
)";

class Respond : public CommandTest {};

TEST_F(Respond, frequency_response_writes_the_columns_of_the_contract) {
  write("s.toml", std::string(one_joint) +
                      "[[analysis]]\nkind = \"frequency-response\"\nomega = [0.7, 1.2]\n"
                      "harmonics = 7\nat = [0.8, 0.9]\noutput = \"frf.csv\"\nplot = \"frf.svg\"\n");
  const Outcome outcome = run({"respond", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("2.5911"), std::string::npos);
  EXPECT_TRUE(exists("frf.svg"));
  const std::string csv = read("frf.csv");
  EXPECT_TRUE(without_comments(csv).starts_with("omega,x1,phase1,energy1,stable\n"));
  EXPECT_NE(csv.find("\n0.8,"), std::string::npos);
  EXPECT_NE(csv.find("\n0.9,"), std::string::npos);
  const auto table = microslip::io::read_table(csv, "frf.csv", {{"omega", "x1"}, {}, {}});
  double peak = 0;
  for (const double x : table.at("x1").values) peak = std::max(peak, x);
  EXPECT_NEAR(peak, 2.5911, 1e-3);  // the branch has points near the peak, not on it
}

TEST_F(Respond, rows_that_were_asked_for_and_are_not_there_are_named) {
  write("s.toml", std::string(one_joint) +
                      "[[analysis]]\nkind = \"frequency-response\"\nomega = [0.7, 1.2]\n"
                      "harmonics = 3\nat = [0.8, 1.5]\noutput = \"frf.csv\"\n");
  const Outcome response = run({"respond", "s.toml"});
  EXPECT_EQ(response.code, 1);
  EXPECT_NE(response.err.find("'at' asks for omega = 1.5, where no point was found"),
            std::string::npos)
      << response.err;
  EXPECT_NE(read("frf.csv").find("\n0.8,"), std::string::npos);
  write("m.toml", std::string(one_joint) +
                      "[[analysis]]\nkind = \"nonlinear-mode\"\namplitude = [0.1, 1]\n"
                      "harmonics = 3\nat = [0.5, 2, 3]\noutput = \"mode.csv\"\n");
  const Outcome mode = run({"respond", "m.toml"});
  EXPECT_EQ(mode.code, 1);
  EXPECT_NE(mode.err.find("'at' asks for amplitude = 2, 3, where no point was found"),
            std::string::npos)
      << mode.err;
}

/// Bristles that slide at a limit which moves: the motion was 3e-4 off, and only --json knew.
TEST_F(Respond, forces_that_are_known_to_few_digits_are_said) {
  write(
      "s.toml",
      "M = [1.0]\nK = [1.0]\nC = [0.3]\n[[joint]]\nmodel = \"elasto-plastic\"\nbetween = [0, 1]\n"
      "[[load]]\nkind = \"harmonic\"\ndof = 1\namplitude = 2.8\n[[analysis]]\noutput = \"o.csv\"\n"
      "kind = \"frequency-response\"\nomega = [1.59, 1.6]\nstability = false\nharmonics = 3\n");
  const Outcome o = run({"respond", "s.toml"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "forces of the joints are known to ")) << o.out;
  EXPECT_TRUE(contains(read("o.csv"), "# quadrature: ")) << read("o.csv").substr(0, 400);
}

TEST_F(Respond, stability_that_was_not_asked_for_is_not_claimed) {
  write("s.toml", std::string(one_joint) +
                      "[[analysis]]\nkind = \"frequency-response\"\nomega = [0.7, 0.8]\n"
                      "harmonics = 1\nstability = false\n");
  const Outcome outcome = run({"respond", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(without_comments(outcome.out).starts_with("omega,x1,phase1,energy1\n"))
      << outcome.out;
}

TEST_F(Respond, stability_of_a_joint_that_is_infinitely_stiff_after_reversals_is_not_claimed) {
  const std::string file =
      "M = [1.0]\nK = [0.6]\nC = [0.02]\n[[joint]]\nmodel = \"slip-front\"\n"
      "between = [0, 1]\n[[load]]\nkind = \"harmonic\"\ndof = 1\n"
      "amplitude = 0.1\n[[analysis]]\nkind = \"frequency-response\"\n"
      "omega = [0.6, 0.7]\nharmonics = 5\noutput = \"r.csv\"\n";
  write("s.toml", file);
  EXPECT_EQ(run({"respond", "s.toml"}).code, 0);
  EXPECT_TRUE(contains(read("r.csv"), "omega,x1,phase1,energy1\n")) << read("r.csv");
  write("s.toml", file + "stability = true\n");
  const auto refused = run({"respond", "s.toml"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "whose stiffness after a reversal is infinite")) << refused.err;
}

TEST_F(Respond, a_mode_that_returns_to_its_beginning_is_reported) {
  write("back.toml",
        "M = [1.0, 1.0]\n[[spring]]\nbetween = [0, 1]\nk = 1.0\n[[spring]]\nbetween = [1, 2]\nk = "
        "1.0\n"
        "[[damper]]\nbetween = [0, 1]\nc = 0.01\n[[damper]]\nbetween = [1, 2]\nc = 0.01\n"
        "[[joint]]\nmodel = \"coulomb\"\nset = { fc = 0.1 }\nbetween = [0, 1]\n"
        "[[analysis]]\nkind = \"nonlinear-mode\"\namplitude = [0.2, 0.02]\nharmonics = 9\n"
        "output = \"mode.csv\"\n");
  const Outcome back = run({"respond", "back.toml"});
  EXPECT_EQ(back.code, 1);
  EXPECT_NE(back.err.find("came back to amplitude 0.2"), std::string::npos) << back.err;
  EXPECT_TRUE(exists("mode.csv"));
}

TEST_F(Respond, json_tells_the_peak) {
  write("s.toml", std::string(one_joint) +
                      "[[analysis]]\nkind = \"frequency-response\"\nomega = [0.7, 1.2]\n"
                      "harmonics = 7\n");
  const Outcome outcome = run({"respond", "s.toml", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  const auto& analysis = json["analyses"][0];
  EXPECT_NEAR(analysis["curves"][0]["peaks"][0]["amplitude"].get<double>(), 2.5911, 1e-4);
  EXPECT_FALSE(analysis["columns"]["omega"].empty());
}

TEST_F(Respond, every_kind_writes_its_columns) {
  write("s.toml",
        std::string(one_joint) +
            "[[analysis]]\nkind = \"nonlinear-mode\"\namplitude = [0.1, 5]\nat = [2.5]\n"
            "harmonics = 3\noutput = \"mode.csv\"\nplot = \"mode.svg\"\n"
            "[[analysis]]\nkind = \"quasi-static\"\namplitude = [0.1, 5]\noutput = \"fast.csv\"\n"
            "[[analysis]]\nkind = \"averaging\"\namplitude = [0.1, 5]\noutput = \"a.csv\"\n"
            "[[analysis]]\nkind = \"averaging\"\nomega = [0.8, 1.1]\noutput = \"o.csv\"\n");
  const Outcome outcome = run({"respond", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(
      without_comments(read("mode.csv")).starts_with("amplitude,omega,zeta,x1,phase1,energy1\n"));
  EXPECT_NE(read("mode.csv").find("\n2.5"), std::string::npos);
  EXPECT_TRUE(
      without_comments(read("fast.csv")).starts_with("amplitude,omega,zeta,x1,phase1,energy1\n"));
  EXPECT_TRUE(without_comments(read("a.csv")).starts_with("amplitude,omega,zeta,a1,b1,force\n"));
  EXPECT_TRUE(without_comments(read("o.csv")).starts_with("omega,x1,phase1\n"));
  EXPECT_TRUE(exists("mode.svg"));
}

TEST_F(Respond, slow_flow_stands_beside_the_motion) {
  write("s.toml",
        "M = [1.0]\n[[spring]]\nbetween = [0, 1]\nk = 1.0\n[[joint]]\nmodel = \"jenkins\"\n"
        "set = { k = 0.04, phi = 0.01 }\nbetween = [0, 1]\n"
        "[[analysis]]\nkind = \"slow-flow\"\nuntil = 60\nx0 = [1.0]\noutput = \"f.csv\"\n"
        "plot = \"f.svg\"\n");
  const Outcome outcome = run({"respond", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto table = microslip::io::read_table(
      read("f.csv"), "f", {{"t", "amplitude", "phase", "x", "x_full", "amplitude_full"}, {}, {}});
  // Slipping all along, a1 = 4φ(1 − φ/(kA))/π: about 0.01 · 2/π lost a time.
  const double last = table.at("amplitude").values.back();
  EXPECT_LT(last, 0.8);
  EXPECT_NEAR(last, table.at("amplitude_full").values.back(), 0.02);
  EXPECT_NE(outcome.out.find("largest difference from the amplitude of the full motion"),
            std::string::npos)
      << outcome.out;
  EXPECT_TRUE(exists("f.svg"));
}

TEST_F(Respond, level_of_the_load_and_amplitude_run_at_one_frequency) {
  write("s.toml",
        std::string(one_joint) +
            "[[analysis]]\nkind = \"load-response\"\nomega = 0.9\nlevel = [0.1, 3]\nat = [1]\n"
            "harmonics = 7\noutput = \"l.csv\"\n"
            "[[analysis]]\nkind = \"load-response\"\nomega = 0.9\namplitude = [0.1, 5]\nat = [2]\n"
            "harmonics = 7\noutput = \"a.csv\"\n"
            "[[analysis]]\nkind = \"modal-joints\"\nomega = [0.7, 1.2]\nmodes = 1\n"
            "harmonics = 3\noutput = \"m.csv\"\n");
  const Outcome outcome = run({"respond", "s.toml", "--report", "page.html"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(without_comments(read("l.csv")).starts_with("level,x1,phase1,energy1,stable\n"));
  const auto reached = microslip::io::read_table(read("a.csv"), "a", {{"level", "x1"}, {}, {}});
  EXPECT_NEAR(reached.at("x1").values.front(), 0.1, 1e-12);
  EXPECT_NEAR(reached.at("x1").values.back(), 5, 1e-9);
  // One degree of freedom is its own mode: nothing is lost by the modal forms.
  const auto modal =
      microslip::io::read_table(read("m.csv"), "m", {{"x1", "x1_coupled", "x1_decoupled"}, {}, {}});
  for (std::size_t i = 0; i < modal.rows(); ++i) {
    EXPECT_NEAR(modal.at("x1_coupled").values[i], modal.at("x1").values[i], 1e-8);
    EXPECT_NEAR(modal.at("x1_decoupled").values[i], modal.at("x1").values[i], 1e-8);
  }
  const std::string page = read("page.html");
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_NE(page.find("modal-joints"), std::string::npos);
  EXPECT_EQ(page.find("http"), page.find("http://www.w3.org"));  // needs nothing from elsewhere
}

TEST_F(Respond, time_keeps_its_rows_and_its_energy) {
  std::string free = one_joint;
  free.resize(free.find("[[load]]"));
  write("s.toml", free +
                      "[[analysis]]\nkind = \"time\"\nuntil = 40\nstep = 0.5\nx0 = [2]\n"
                      "at = [0.25]\noutput = \"t.csv\"\nplot = \"t.svg\"\n");
  const Outcome outcome = run({"respond", "s.toml", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto table = microslip::io::read_table(read("t.csv"), "t.csv",
                                               {{"t", "x1", "v1", "f1", "energy"}, {}, {}});
  EXPECT_EQ(table.rows(), 82u);  // 0, 0.5, …, 40 and 0.25
  EXPECT_EQ(table.at("t").values[1], 0.25);
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_LT(std::abs(json["analyses"][0]["energy"]["relative_error"].get<double>()), 1e-6);
  EXPECT_FALSE(json["analyses"][0]["ringdown"]["peaks"]["zeta"].empty());
}

TEST_F(Respond, matrices_come_from_matrix_market_files) {
  write("K.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 -1\n2 2 1\n");
  write("s.toml",
        "M = [1.0, 1.0]\nK = \"K.mtx\"\nC = [0.01, 0.01]\n[[load]]\nkind = \"harmonic\"\ndof = 2\n"
        "amplitude = 1\n[[analysis]]\nkind = \"frequency-response\"\nomega = [0.3, 0.5]\n"
        "harmonics = 1\nat = [0.4]\n");
  const Outcome outcome = run({"respond", "s.toml"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto table = microslip::io::read_table(outcome.out, "out", {{"omega", "x2"}, {}, {}});
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (table.at("omega").values[i] != 0.4) continue;
    // x2 = (2 − ω²)/((2 − ω²)(1 − ω²) − 1) without damping, which changes it by a part in a
    // thousand.
    const double d = 2 - 0.16;
    EXPECT_NEAR(table.at("x2").values[i], d / (d * (1 - 0.16) - 1), 1e-2);
  }
}

TEST_F(Respond, rigid_friction_that_holds_a_static_load_stays_where_it_is) {
  std::string rigid = one_joint;
  rigid.replace(rigid.find("\"jenkins\"\nset = { k = 0.25, phi = 0.2 }"), 39,
                "\"coulomb\"\nset = { fc = 0.1 }");
  std::string held = rigid +
                     "[[load]]\nkind = \"static\"\ndof = 1\namplitude = 0.05\n"
                     "[[analysis]]\nkind = \"frequency-response\"\nomega = [0.2, 0.3]\n"
                     "harmonics = 5\n";
  held.replace(held.find("amplitude = 0.2"), 15, "amplitude = 0.03");
  write("h.toml", held);
  const Outcome stuck = run({"respond", "h.toml"});
  ASSERT_EQ(stuck.code, 0) << stuck.err;
  const auto table = microslip::io::read_table(stuck.out, "h", {{"x1"}, {}, {}});
  for (const double x : table.at("x1").values) EXPECT_LT(x, 1e-12);
}

TEST_F(Respond, a_result_does_not_take_the_name_of_what_an_interrupted_one_leaves) {
  const std::string analysis =
      "[[analysis]]\nkind = \"frequency-response\"\nomega = [0.7, 1.2]\nharmonics = 1\noutput = ";
  write("s.toml", one_joint + analysis + "\"a.csv\"\n" + analysis + "\"a.csv.resume\"\n");
  const Outcome outcome = run({"respond", "s.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("two results would go to the file 'a.csv.resume'"), std::string::npos)
      << outcome.err;
}

TEST_F(Respond, the_picture_of_a_response_that_goes_on_is_that_of_the_whole) {
  const std::string linear(one_joint, std::string(one_joint).find("[[joint]]"));
  const auto levels = [&](const std::string& list) {
    return linear + "[[load]]\nkind = \"harmonic\"\ndof = 1\namplitude = 0.2\n" +
           "[[analysis]]\nkind = \"frequency-response\"\nomega = [0.7, 1.2]\nharmonics = 1\n" +
           "output = \"a.csv\"\nplot = \"a.svg\"\nlevels = " + list + "\n";
  };
  write("first.toml", levels("[1]"));
  write("both.toml", levels("[1, 2]"));
  ASSERT_EQ(run({"respond", "both.toml"}).code, 0);
  const std::string whole = read("a.svg");
  // What Ctrl-C between the two curves leaves.
  ASSERT_EQ(run({"respond", "first.toml"}).code, 0);
  EXPECT_NE(read("a.svg"), whole);
  write("a.csv.resume", "{\"curve\": 1}");
  const Outcome rest = run({"respond", "both.toml", "--resume"});
  ASSERT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(read("a.svg"), whole);
  EXPECT_NE(rest.out.find("points are in the table and the picture"), std::string::npos);
  EXPECT_FALSE(exists("a.csv.resume"));
  write("a.csv.resume", "{\"curve\": 1, \"peaks\": [{\"level\": 1}]}");
  EXPECT_EQ(run({"respond", "both.toml", "--resume"}).code, 2);
}

TEST_F(Respond, the_picture_of_a_mode_that_goes_on_shows_all_amplitudes) {
  const auto mode = [](const std::string& range) {
    return std::string(one_joint) + "[[analysis]]\nkind = \"nonlinear-mode\"\nharmonics = 1\n" +
           "output = \"m.csv\"\nplot = \"m.svg\"\namplitude = " + range + "\n";
  };
  const std::string tick = ">−2</tspan>";  // of 10⁻²
  write("small.toml", mode("[0.01, 2.0]"));
  write("large.toml", mode("[2.0, 5.0]"));
  ASSERT_EQ(run({"respond", "large.toml"}).code, 0);
  EXPECT_EQ(read("m.svg").find(tick), std::string::npos);
  ASSERT_EQ(run({"respond", "small.toml"}).code, 0);
  write("m.csv.resume", "{\"curve\": 0}");
  ASSERT_EQ(run({"respond", "large.toml", "--resume"}).code, 0);
  EXPECT_NE(read("m.svg").find(tick), std::string::npos);
}

TEST_F(Respond, the_page_shows_unstable_parts) {
  // A backbone that hardens gives back more than it takes, so that small motions grow.
  std::string text = one_joint;
  text.replace(text.find("\"jenkins\""), 39, "\"masing-backbone\"\nset = { g = \"u+0.3*u^3\" }");
  write("s.toml", text +
                      "[[analysis]]\nkind = \"frequency-response\"\nomega = [0.8, 3]\n"
                      "harmonics = 1\noutput = \"a.csv\"\n");
  ASSERT_EQ(run({"respond", "s.toml", "--report", "page.html"}).code, 0);
  const std::string page = read("page.html");
  EXPECT_TRUE(contains(page, "stroke-dasharray"));
  EXPECT_TRUE(contains(page, ">unstable<"));
  EXPECT_FALSE(std::regex_search(page, std::regex("\\bnan\\b")))
      << "a gap ends a line, it is no point of it";
}

TEST_F(Respond, no_levels_are_no_family) {
  write("s.toml", std::string(one_joint) +
                      "[[analysis]]\nkind = \"frequency-response\"\nomega = [0.7, 1.2]\n"
                      "levels = []\n");
  const Outcome outcome = run({"respond", "s.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("levels = [] asks for no curve"), std::string::npos) << outcome.err;
}

TEST_F(Respond, bad_input_is_refused_in_one_sentence) {
  write("s.toml", std::string(one_joint) + "[[analysis]]\nkind = \"frequency-response\"\n");
  const Outcome outcome = run({"respond", "s.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("the key 'omega' is missing"), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"respond", "missing.toml"}).code, 2);
  write("nothing.toml", one_joint);
  EXPECT_NE(run({"respond", "nothing.toml"}).err.find("asks for nothing: add an [[analysis]]"),
            std::string::npos);
}

/// A rod of ten masses on springs, reduced to its end and some modes, with a sensor in the middle.
std::string reduced_rod(int modes, const std::string& analysis, const std::string& k = "0.2") {
  std::string file = "M = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 0; i < 10; ++i)
    file += "[[spring]]\nbetween = [" + std::to_string(i) + ", " + std::to_string(i + 1) +
            "]\nk = 1.0\n";
  return file +
         "[[damper]]\nbetween = [0, 10]\nc = 0.02\n[[joint]]\nmodel = \"jenkins\"\n"
         "set = { k = " +
         k +
         ", phi = 0.1 }\nbetween = [0, 10]\n[[sensor]]\nname = \"middle\"\ndof = 5\n"
         "[[load]]\nkind = \"harmonic\"\ndof = 10\namplitude = 0.05\n[reduction]\nmodes = " +
         std::to_string(modes) + "\n[[analysis]]\n" + analysis + "output = \"r.csv\"\n";
}

/// Sensors were 20 to 120 % off without a word. With the end held, mode k of the nine others has
/// ω = 2 sin(kπ/20): 0.3129, 0.6180, 0.9080, 1.1756, 1.4142, 1.6180.
TEST_F(Respond, frequencies_beyond_the_end_of_a_reduction_are_refused_or_named) {
  const auto answer = [&](int modes, const std::string& analysis) {
    write("s.toml", reduced_rod(modes, analysis));
    return run({"respond", "s.toml"});
  };
  const std::string response = "kind = \"frequency-response\"\nharmonics = 1\nomega = [0.1, ";
  const Outcome beyond = answer(1, response + "0.62]\n");
  EXPECT_EQ(beyond.code, 2);
  EXPECT_TRUE(contains(beyond.err, "below omega = 0.618034, the first mode that it leaves out"))
      << beyond.err;
  EXPECT_FALSE(exists("r.csv"));
  const Outcome near = answer(1, response + "0.5]\n");
  EXPECT_EQ(near.code, 0) << near.err;
  EXPECT_TRUE(contains(near.out, "the [reduction] ends near here")) << near.out;
  EXPECT_TRUE(contains(read("r.csv"), "# reduction: the [reduction] ends near here"));
  // It was not said from two thirds of the frequency down: up to a third, amplitudes may be some per cent off.
  EXPECT_TRUE(contains(answer(2, response + "0.5]\n").out, "the [reduction] ends near here"));
  const Outcome enough = answer(5, response + "0.5]\n");
  EXPECT_EQ(enough.code, 0) << enough.err;
  EXPECT_FALSE(contains(enough.out, "[reduction]")) << enough.out;
  // Of displacements, not of the coordinates of the modes.
  EXPECT_FALSE(contains(enough.out, "xm")) << enough.out;
  EXPECT_TRUE(contains(enough.out, "x10")) << enough.out;
  // One degree of freedom of mass 4 at most on a spring of 2, beyond the first frequency that is left out.
  write("s.toml", reduced_rod(0, "kind = \"quasi-static\"\namplitude = [0.01, 0.02]\n", "2.0"));
  const Outcome mode = run({"respond", "s.toml"});
  EXPECT_EQ(mode.code, 1);
  EXPECT_TRUE(contains(mode.err, "the [reduction] ends near here")) << mode.err;
  const Outcome whole = answer(9, response + "1.9]\n");
  EXPECT_EQ(whole.code, 0) << whole.err;
}

/// A second mass that nothing moves had differences of -nan %.
TEST_F(Respond, modal_joints_of_a_motion_that_is_zero_have_no_differences) {
  write("s.toml",
        "M = [1.0, 2.0]\nK = [1.0, 5.0]\nC = [0.05, 0.05]\n[[joint]]\nmodel = \"jenkins\"\n"
        "between = [0, 1]\n[[load]]\nkind = \"harmonic\"\ndof = 1\namplitude = 0.2\n"
        "[[analysis]]\nkind = \"modal-joints\"\nmodes = 2\nharmonics = 1\nomega = [0.8, 1.2]\n"
        "output = \"m.csv\"\n");
  for (const bool json : {false, true}) {
    const Outcome o = run(json ? std::vector<std::string>{"respond", "s.toml", "--json"}
                               : std::vector<std::string>{"respond", "s.toml"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_FALSE(contains(o.out + o.err, "nan")) << o.out;
    if (json) {
      EXPECT_TRUE(
          nlohmann::json::parse(o.out)["analyses"][0]["differences"][4]["largest_difference"]
              .is_null());
    }
  }
}

}  // namespace respond_test
}  // namespace cli
