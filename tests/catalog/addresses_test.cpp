#include "microslip/catalog/files/addresses.hpp"

#include <gtest/gtest.h>

#include "microslip/core/error.hpp"

namespace microslip::catalog {
namespace addresses_test {

constexpr const char* text = R"(
M = [1.0, 2.0]
damping = [0.02]
[[spring]]
between = [0, 1]
k = 3
[[spring]]
between = [1, 2]
k = 4
[[damper]]
between = [1, 2]
c = 0.1
[[joint]]
model = "jenkins+linear"
set = { jenkins.k = 2, phi = 0.5 }
between = [0, 2]
[[load]]
kind = "harmonic"
dof = 1
amplitude = 0.2
[unknown]
"spring[1].k" = {}
[[data]]
kind = "ring-down"
file = "nowhere.csv"
)";

/// The setter and a file with the other number are the same structure; [unknown] and [[data]] are passed over.
TEST(Addresses, a_value_set_is_a_value_written) {
  const StructureFile file = parse_structure(text, "s.toml");
  const std::pair<const char*, const char*> same[] = {{"spring[2].k", "k = 4"},
                                                      {"damper[1].c", "c = 0.1"},
                                                      {"damping[1]", "damping = [0.02]"},
                                                      {"load[1].amplitude", "amplitude = 0.2"}};
  for (const auto& [address, line] : same) {
    std::string other = text;
    const std::string whole = line;
    const bool list = whole.ends_with("]");
    const std::string head = whole.substr(0, whole.find('=') + 1);
    other.replace(other.find(whole), whole.size(), head + (list ? " [0.7]" : " 0.7"));
    const StructureFile written = parse_structure(other, "s.toml");
    const Address at = address_of(file, address);
    EXPECT_EQ(value_at(written, at), 0.7);
    const dynamics::Structure set = with_values(file, {{at, 0.7}});
    EXPECT_EQ(Eigen::MatrixXd(set.K), Eigen::MatrixXd(written.structure.K)) << address;
    EXPECT_EQ(Eigen::MatrixXd(set.C), Eigen::MatrixXd(written.structure.C)) << address;
    EXPECT_EQ(dynamics::value(set.loads[0].signal, 0),
              dynamics::value(written.structure.loads[0].signal, 0));
  }
  const dynamics::Structure heavy = with_values(file, {{address_of(file, "M[2]"), 5}});
  EXPECT_EQ(heavy.M.coeff(1, 1), 5);
  const dynamics::Structure twice = with_values(file, {{address_of(file, "M"), 2}});
  EXPECT_EQ(twice.M.coeff(1, 1), 4);
  const Address phi = address_of(file, "joint[1].phi");
  EXPECT_EQ(phi.parameter, "jenkins.phi");
  EXPECT_EQ(std::get<double>(
                with_values(file, {{phi, 0.9}}).joints[0].model.parameters().at("jenkins.phi")),
            0.9);
}

TEST(Addresses, ranges) {
  const StructureFile file = parse_structure(text, "s.toml");
  EXPECT_EQ(expanded(file, "spring[1..2].k"),
            (std::vector<std::string>{"spring[1].k", "spring[2].k"}));
  EXPECT_EQ(expanded(file, "joint[*].phi"), (std::vector<std::string>{"joint[1].phi"}));
  EXPECT_THROW(expanded(file, "spring[1..3].k"), Error);
}

TEST(Addresses, what_does_not_exist_is_refused_with_what_there_is) {
  const StructureFile file = parse_structure(text, "s.toml");
  const std::pair<const char*, const char*> refused[] = {{"spring[3].k", "they are 1 to 2"},
                                                         {"spring[1].c", "must end on .k"},
                                                         {"joint[1].k", "could be"},
                                                         {"joint[1].fs", "has no parameter 'fs'"},
                                                         {"sprin[1].k", "unknown part 'sprin'"},
                                                         {"M[3]", "they are 1 to 2"},
                                                         {"stuck_damping[1]", "has no"},
                                                         {"spring[1..2].k", "a range"},
                                                         {"joint[2].k", "they are 1 to 1"},
                                                         {"spring[1.k", "not closed"}};
  for (const auto& [address, sentence] : refused) try {
      static_cast<void>(address_of(file, address));
      ADD_FAILURE() << address;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
    }
}

}  // namespace addresses_test
}  // namespace microslip::catalog
