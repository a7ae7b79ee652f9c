#include <nlohmann/json.hpp>

#include "command.hpp"

namespace calculix_test {

class Calculix : public cli::CommandTest {};

// The mesh, the stiffness and the contact are CalculiX' own: nothing is shared but the problem. Its
// friction yields elastically, μp over the stick slope; so their losses differ a little.
TEST_F(Calculix, computes_the_same_loop) {
  const auto there = shell("command -v ccx && command -v python3");
  if (there.code != 0)
    GTEST_SKIP() << "CalculiX (Debian package calculix-ccx) or python3 is not installed";
  const std::string script = microslip::source_dir + "/examples/joints/calculix/lap_joint.py";
  const auto made =
      shell("python3 '" + script + "' out --mesh 12 1 --rows 12 --stick-slope 1e6 --microslip '" +
            microslip::command_path + "'");
  ASSERT_EQ(made.code, 0) << made.out << made.err;
  const auto result = nlohmann::json::parse(made.out);
  const double peak = result.at("calculix_peak"), loss = result.at("calculix_loss");
  EXPECT_NEAR(result.at("microslip_peak").get<double>(), peak, 2e-3 * peak) << made.out;
  EXPECT_NEAR(result.at("microslip_loss").get<double>(), loss, 0.03 * loss) << made.out;
}

}  // namespace calculix_test
