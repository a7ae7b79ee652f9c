#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "command.hpp"
#include "microslip/version.hpp"

namespace cli {
namespace damping_test {

using Json = nlohmann::json;
using std::numbers::pi;

class Damping : public CommandTest {};

TEST_F(Damping, jenkins_by_hand) {
  // k = 4, φ = 2: D = 4φ(A − ½), a1 = D/(πA), secant φ/A.
  const Outcome o = run({"damping", "jenkins", "--set", "k=4", "--set", "phi=2", "--amplitudes",
                         "0.25:1:4", "-o", "d.csv"});
  EXPECT_EQ(o.code, 0) << o.err;
  const std::string csv = read("d.csv");
  EXPECT_TRUE(contains(csv, "\n# microslip: " + std::string(microslip::version)));
  EXPECT_TRUE(contains(csv, "# parameters: {\"k\":4.0,\"phi\":2.0}\n"));
  const auto A = column(csv, "amplitude"), energy = column(csv, "energy");
  const auto zeta = column(csv, "zeta_eff"), secant = column(csv, "secant");
  EXPECT_EQ(A, (std::vector<double>{0.25, 0.5, 0.75, 1}));
  for (std::size_t i = 0; i < 4; ++i) {
    const double D = std::max(0.0, 8 * (A[i] - 0.5));
    EXPECT_NEAR(energy[i], D, 1e-13);
    EXPECT_NEAR(zeta[i], D / (2 * pi * A[i] * A[i]), 1e-13);
    EXPECT_NEAR(secant[i], std::min(4.0, 2 / A[i]), 1e-13);
  }
  EXPECT_TRUE(contains(o.out, "zeta_eff"));
}

TEST_F(Damping, a_law_driven_by_force_against_the_amplitude_of_the_force) {
  // u = F²/(2 EA t), D = 4 F u/3.
  const std::vector<std::string> front{"damping", "slip-front", "--set", "EA=3",
                                       "--set",   "t=0.5",      "--set", "ell=4"};
  std::vector<std::string> call = front;
  call.insert(call.end(), {"--amplitudes", "0.5:1.5:3", "-o", "d.csv", "--plot", "d.svg"});
  const Outcome o = run(call);
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(contains(o.out, "force_amplitude"));
  const std::string csv = read("d.csv");
  EXPECT_TRUE(contains(csv, "# driven: force\n"));
  const auto F = column(csv, "force_amplitude"), energy = column(csv, "energy");
  const auto secant = column(csv, "secant"), damping = column(csv, "damping");
  ASSERT_EQ(F, (std::vector<double>{0.5, 1, 1.5}));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(energy[i], 4 * std::pow(F[i], 3) / 9, 1e-13);
    EXPECT_NEAR(secant[i], 3 / F[i], 1e-12);
    EXPECT_NEAR(damping[i], 2 / (3 * pi), 1e-13);
  }
  EXPECT_TRUE(exists("d.svg"));

  // Tuned to what it wrote: only EA t shows.
  const Outcome tuned = run({"damping", "slip-front", "--set", "EA=1", "--set", "t=5", "--match",
                             "d.csv", "--quantity", "energy", "--free", "EA", "--json"});
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  const Json json = Json::parse(tuned.out);
  EXPECT_EQ(json["laws"][0]["driven"], "force");
  EXPECT_NEAR(json["laws"][0]["parameters"]["EA"].get<double>(), 0.3, 1e-6);
  EXPECT_EQ(json["laws"][0]["columns"]["force_amplitude"].size(), 3u);
}

TEST_F(Damping, amplitudes_of_force_and_of_displacement_are_not_mixed) {
  const auto refused = [&](std::vector<std::string> words, int code, const std::string& part) {
    words.insert(words.begin(), "damping");
    const Outcome o = run(words);
    EXPECT_EQ(o.code, code) << o.out;
    EXPECT_TRUE(contains(o.err, part)) << o.err;
  };
  refused({"slip-front", "jenkins", "--amplitudes", "0.1:0.5:2"}, 2,
          "slip-front is driven by force and jenkins by displacement");
  refused({"slip-front", "--match", "jenkins", "--at", "0.1"}, 2, "no common amplitudes");
  write("u.csv", "amplitude,energy\n0.1,0.2\n");
  refused({"slip-front", "--match", "u.csv"}, 2, "force_amplitude");
  refused({"slip-front", "--amplitudes", "0.5:1.5:2"}, 1, "force amplitude 1.5: macroslip");
}

TEST_F(Damping, several_laws_and_a_picture) {
  const Outcome o = run({"damping", "iwan4", "bouc-wen", "--amplitudes", "0.01:1:5", "--log", "-o",
                         "d.csv", "--plot", "d.svg", "--json"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(column(read("d.csv"), "energy_iwan4").size(), 5u);
  EXPECT_EQ(column(read("d.csv"), "b1_bouc-wen").size(), 5u);
  EXPECT_NEAR(column(read("d.csv"), "amplitude")[2], 0.1, 1e-15);
  EXPECT_TRUE(exists("d.svg"));
  const Json json = Json::parse(o.out);
  EXPECT_EQ(json["laws"][0]["by_formula"], true);
  EXPECT_EQ(json["laws"][1]["by_formula"], false);
  EXPECT_EQ(json["laws"][1]["columns"]["closed"][0], true);
}

TEST_F(Damping, frequency_matters_to_laws_that_see_velocity) {
  const auto zeta = [&](const std::string& omega) {
    const Outcome o = run({"damping", "viscous", "--set", "c=0.5", "--omega", omega, "--amplitudes",
                           "1:1:1", "-o", "-"});
    EXPECT_EQ(o.code, 0) << o.err;
    return column(o.out, "zeta_eff").at(0);
  };
  EXPECT_NEAR(zeta("1"), 0.25, 1e-14);  // cω/2
  EXPECT_NEAR(zeta("3"), 0.75, 1e-14);
  const Outcome o = run({"damping", "viscous", "--amplitudes", "1:1:1"});
  EXPECT_TRUE(contains(o.err, "omega = 1"));
}

TEST_F(Damping, tuned_at_a_point_as_in_the_review) {
  // Mathis et al. 2020, Table 1: Dahl with zc = 2, n = 1.5 has σ0 = 4 for the ζ_eff of Jenkins
  // at 1.
  const Outcome o =
      run({"damping", "dahl", "--set", "zc=2", "--set", "n=1.5", "--match", "jenkins(k=4,phi=2)",
           "--at", "1", "--free", "sigma0", "--save-params", "dahl.json", "--json"});
  EXPECT_EQ(o.code, 0) << o.err;
  const Json match = Json::parse(o.out)["laws"][0]["match"];
  EXPECT_NEAR(match["after"][0], 4, 1e-7);
  EXPECT_NEAR(Json::parse(read("dahl.json"))["parameters"]["sigma0"], 4, 1e-7);
  EXPECT_EQ(run({"simulate", "--params", "dahl.json", "--signal", "sin(t)", "--until", "1",
                 "--step", "0.1", "-q"})
                .code,
            0);
}

TEST_F(Damping, tuned_to_itself_over_an_interval) {
  const Outcome o =
      run({"damping", "iwan4", "--set", "KT=2", "--match", "iwan4(Fs=1.5,KT=4,chi=-0.3,beta=0.4)",
           "--quantity", "energy", "--amplitudes", "0.02:2:60", "--weight", "1/A", "--free",
           "Fs,KT", "--free", "chi,beta", "--json"});
  EXPECT_EQ(o.code, 0) << o.err;
  const Json match = Json::parse(o.out)["laws"][0]["match"];
  const std::map<std::string, double> truth{{"Fs", 1.5}, {"KT", 4}, {"chi", -0.3}, {"beta", 0.4}};
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(match["after"][i], truth.at(match["free"][i]), 1e-5) << match["free"][i];
}

TEST_F(Damping, damping_and_frequency_are_tuned_together) {
  // ζ_eff at one amplitude leaves one number of a slider free; b1 beside it fixes both.
  const Outcome o = run({"damping", "jenkins", "--set", "k=1", "--set", "phi=1", "--match",
                         "jenkins(k=4,phi=2)", "--at", "1", "--quantity", "zeta_eff,b1", "--json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const Json match = Json::parse(o.out)["laws"][0]["match"];
  EXPECT_EQ(match["quantity"], "zeta_eff and b1");
  EXPECT_NEAR(match["after"][0], 4, 1e-6);
  EXPECT_NEAR(match["after"][1], 2, 1e-6);
  EXPECT_LT(match["rms_relative"], 1e-8);
  const Outcome text = run({"damping", "dahl", "--match", "jenkins(k=4,phi=2)", "--amplitudes",
                            "0.2:2:10", "--quantity", "zeta_eff,b1"});
  EXPECT_TRUE(contains(text.out, "in zeta_eff and b1: rms")) << text.out;
  EXPECT_TRUE(contains(run({"damping", "dahl", "--match", "jenkins(k=4,phi=2)", "--at", "1",
                            "--quantity", "zeta_eff,b2"})
                           .err,
                       "did you mean"));
}

TEST_F(Damping, tuned_to_measured_loops) {
  std::string record = "u,f\n0,0\n";
  double u = 0, f = 0;
  for (const double turn : {0.4, -0.4, 0.6, -0.6, 0.9, -0.9, 1.4, -1.4, 1.4, -1.4}) {
    const double start = u;
    for (int k = 1; k <= 100; ++k) {
      const double next = start + (turn - start) * k / 100;
      f = std::clamp(f + 5 * (next - u), -1.5, 1.5);
      u = next;
      record += std::to_string(u) + "," + std::to_string(f) + "\n";
    }
  }
  write("record.csv", record);
  ASSERT_EQ(run({"loops", "record.csv", "-o", "cycles.csv"}).code, 0);
  const Outcome o = run({"damping", "jenkins", "--set", "k=3", "--match", "cycles.csv", "--json"});
  EXPECT_EQ(o.code, 0) << o.err;
  const Json match = Json::parse(o.out)["laws"][0]["match"];
  EXPECT_EQ(match["quantity"], "energy");
  EXPECT_NEAR(match["after"][0], 5, 0.05);    // k
  EXPECT_NEAR(match["after"][1], 1.5, 0.01);  // φ
}

TEST_F(Damping, relative_error_is_that_of_the_ratios) {
  // Around one value v of jenkins' energy 4φ(A − φ/k): Σ(v/t − 1)² is least at v = Σ(1/t)/Σ(1/t²).
  // Targets 1 and 3 at one amplitude give v = 1.2 and the rms √((0.2² + 0.6²)/2).
  write("t.csv", "amplitude,energy\n1,1\n1,3\n");
  const Outcome o = run({"damping", "jenkins", "--set", "k=1000", "--match", "t.csv", "--free",
                         "phi", "--relative", "--json"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NEAR(Json::parse(o.out)["laws"][0]["match"]["rms_relative"], std::sqrt(0.2), 1e-6);
}

TEST_F(Damping, starts_have_the_size_of_the_target) {
  // Forces of 1e6 at displacements of 1e-4, far from the defaults of the law.
  for (const std::string quantity : {"energy", "zeta_eff", "secant"}) {
    const Outcome o =
        run({"damping", "iwan4", "--match", "iwan4(Fs=1e6,KT=4e10,chi=-0.3,beta=0.4)", "--quantity",
             quantity, "--amplitudes", "2e-6:2e-4:30", "--relative", "--json"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_LT(Json::parse(o.out)["laws"][0]["match"]["rms_relative"], 1e-3) << quantity;
  }
}

TEST_F(Damping, units_of_force_and_length_only_scale) {
  // Forces in F, lengths in L: energies go with F L, stiffnesses with F/L, the loop stays the same.
  const auto table = [&](double F, double L) {
    const auto text = [](double x) { return Json(x).dump(); };
    const Outcome o = run({"damping", "iwan4", "masing", "--set", "iwan4.Fs=" + text(F), "--set",
                           "iwan4.KT=" + text(F / L), "--set",
                           "masing.k=" + text(0.5 * F / L) + "," + text(0.3 * F / L), "--set",
                           "masing.phi=" + text(0.2 * F) + "," + text(0.4 * F), "--amplitudes",
                           text(0.5 * L) + ":" + text(2 * L) + ":2", "--json"});
    EXPECT_EQ(o.code, 0) << o.err;
    return o.code == 0 ? Json::parse(o.out)["laws"] : Json{};
  };
  const Json one = table(1, 1);
  for (const auto& [F, L] : {std::pair{1e12, 1.0}, {1e-12, 1.0}, {1e12, 1e-12}, {1e-12, 1e12}}) {
    const Json other = table(F, L);
    for (std::size_t law = 0; law < 2; ++law)
      for (std::size_t i = 0; i < 2; ++i) {
        const auto at = [&](const Json& laws, const char* name) {
          return laws[law]["columns"][name][i].get<double>();
        };
        EXPECT_NEAR(at(other, "energy") / (F * L), at(one, "energy"), 1e-9) << F << " " << L;
        EXPECT_NEAR(at(other, "secant") * L / F, at(one, "secant"), 1e-9) << F << " " << L;
        EXPECT_NEAR(at(other, "damping"), at(one, "damping"), 1e-9) << F << " " << L;
      }
  }
}

TEST_F(Damping, between_measured_loops_the_curve_is_that_of_the_law) {
  write("two.csv", "amplitude,energy\n1,2\n3,9\n");
  const auto pieces = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"damping", "jenkins", "--match", "two.csv",
                                   "-q",      "--plot",  "p.svg"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run(words).code, 0);
    const std::string svg = read("p.svg");
    return std::count(svg.begin(), svg.end(), 'L');  // of the paths: a line to
  };
  EXPECT_GT(pieces({}), pieces({"--amplitudes", "1:3:2"}) + 30);
}

TEST_F(Damping, numbers_that_do_not_exist_are_a_failure) {
  const Outcome o = run({"damping", "jenkins", "--amplitudes", "1e300:1e308:3", "-o", "d.csv"});
  EXPECT_EQ(o.code, 1);
  EXPECT_TRUE(contains(o.err, "too large for a number")) << o.err;
  EXPECT_FALSE(exists("d.csv"));
}

TEST_F(Damping, bad_input_is_one_sentence) {
  write("empty.csv", "amplitude,other\n1,2\n");
  write("record.csv", "u,f\n1,2\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> calls{
      {{"damping"}, "no model"},
      {{"damping", "jenkins"}, "--amplitudes is required"},
      {{"damping", "jenkins", "--amplitudes", "1:2"}, "A:B:N"},
      {{"damping", "jenkins", "--amplitudes", "0:2:3"}, "0 < A"},
      {{"damping", "jenkins", "--amplitudes", "1:2:2.5"}, "whole number"},
      {{"damping", "jenkins", "--amplitudes", "1:2:3", "--omega", "0"}, "--omega = 0"},
      {{"damping", "jenkins", "--amplitudes", "1:2:3", "--free", "k"}, "belong to --match"},
      {{"damping", "jenkins", "--match", "iwan4"}, "--at A or --amplitudes"},
      {{"damping", "jenkins", "--match", "iwn4", "--at", "1"}, "did you mean 'iwan4'"},
      {{"damping", "jenkins", "--match", "iwan4", "--at", "1", "--free", "K"}, "did you mean 'k'"},
      {{"damping", "jenkins", "--match", "iwan4", "--at", "1", "--bounds", "k=2"}, "NAME=LO:HI"},
      {{"damping", "jenkins", "--match", "iwan4", "--at", "1", "--bounds", "k=2:1"}, "smaller"},
      {{"damping", "jenkins", "--match", "iwan4", "--at", "1", "--quantity", "zeta"}, "zeta_eff"},
      {{"damping", "jenkins", "--match", "iwan4", "--at", "1", "--weight", "B"}, "B"},
      {{"damping", "jenkins", "--match", "empty.csv"}, "none of the columns"},
      {{"damping", "jenkins", "--match", "record.csv"}, "'microslip loops FILE.csv -o loops.csv'"},
      {{"damping", "jenkins", "iwan4", "--amplitudes", "1:2:3", "--save-params", "p.json"},
       "one law"}};
  for (const auto& [words, part] : calls) {
    const Outcome o = run(words);
    EXPECT_EQ(o.code, 2) << o.err;
    EXPECT_TRUE(contains(o.err, part)) << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
  }
}

}  // namespace damping_test
}  // namespace cli
