#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "microslip/io/csv.hpp"

namespace cli {
namespace {

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
  EXPECT_NE(csv.find("\nomega,x1,phase1,energy1,stable\n"), std::string::npos);
  EXPECT_NE(csv.find("\n0.8,"), std::string::npos);
  EXPECT_NE(csv.find("\n0.9,"), std::string::npos);
  const auto table = microslip::io::read_table(csv, "frf.csv", {{"omega", "x1"}, {}, {}});
  double peak = 0;
  for (const double x : table.at("x1").values) peak = std::max(peak, x);
  EXPECT_NEAR(peak, 2.5911, 1e-3);  // the branch has points near the peak, not on it
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

TEST_F(Respond, bad_input_is_refused_in_one_sentence) {
  write("s.toml", std::string(one_joint) + "[[analysis]]\nkind = \"frequency-response\"\n");
  const Outcome outcome = run({"respond", "s.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("the key 'omega' is missing"), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"respond", "missing.toml"}).code, 2);
}

}  // namespace
}  // namespace cli
