#include <gtest/gtest.h>

#include "command.hpp"

namespace cli {
namespace compose_test {

class Compose : public CommandTest {
 protected:
  /// The rows of a result, without the lines that say where it came from.
  static std::string rows(const std::string& text) {
    std::string result;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
      if (!line.starts_with("#")) result += line + "\n";
    return result;
  }
};

TEST_F(Compose, backlash_from_the_line_and_from_a_file) {
  // Touches at 0.0625; at 0.25 the spring of k = 1 carries the rest.
  const std::string motion = "u\n0.0625\n0.25\n";
  const Outcome line =
      run(Call{{"simulate", "backlash(jenkins(k=1,phi=0.5), gap=0.125)", "--input", "-"}, motion});
  ASSERT_EQ(line.code, 0) << line.err;
  EXPECT_EQ(rows(line.out), "u,f,energy\n0.0625,0,0\n0.25,0.1875,0\n");
  const Outcome set = run(Call{{"simulate", "backlash(jenkins)", "--set", "backlash.gap=0.125",
                                "--set", "jenkins.k=1", "--set", "phi=0.5", "--input", "-"},
                               motion});
  EXPECT_EQ(rows(set.out), rows(line.out)) << set.err;
  write("damper.toml",
        "model = \"backlash(jenkins, gap=0.125)\"\n[parameters]\n\"jenkins.k\" = 1.0\nphi = 0.5\n");
  const Outcome file = run(Call{{"simulate", "--params", "damper.toml", "--input", "-"}, motion});
  EXPECT_EQ(rows(file.out), rows(line.out)) << file.err;
}

TEST_F(Compose, models_tells_of_wrappers_and_relations) {
  const Outcome list = run({"models"});
  EXPECT_NE(list.out.find("\nbacklash "), std::string::npos);
  EXPECT_NE(list.out.find("\nscaled "), std::string::npos);
  EXPECT_NE(run({"models", "backlash"}).out.find("whole free play"), std::string::npos);
  EXPECT_NE(run({"models", "backlash(iwan4)"}).out.find("iwan4.chi"), std::string::npos);
  const Outcome map = run({"models", "--relations"});
  EXPECT_EQ(map.code, 0);
  EXPECT_NE(map.out.find("n = 1, gamma = 0"), std::string::npos);
  EXPECT_EQ(run({"models", "--relations", "--json"}).out.front(), '[');
  EXPECT_EQ(run({"models", "iwan4", "--relations"}).code, 2);
}

}  // namespace compose_test
}  // namespace cli
