#include "microslip/jobs/export_fmu.hpp"

#include <gtest/gtest.h>

#include "microslip/core/error.hpp"
#include "microslip/jobs/run.hpp"
#include "support/message_of.hpp"

namespace microslip::jobs {
namespace export_fmu_test {

using testing::message_of;

std::string text_of(const ExportFmuResult& fmu, const std::string& path) {
  for (const FmuText& text : fmu.texts)
    if (text.path == path) return text.text;
  return "";
}

TEST(export_fmu, a_law_is_described_for_both_versions) {
  const std::string request =
      R"({"law": {"model": "jenkins", "parameters": {"k": 2, "phi": 0.5}}})";
  const auto fmu = from_text<ExportFmuResult>(run("export-fmu", request));
  EXPECT_EQ(fmu.name, "jenkins");
  ASSERT_EQ(fmu.binaries.size(), 2u);
  EXPECT_EQ(fmu.binaries[0].platform, "linux64");
  EXPECT_EQ(fmu.binaries[0].file, "microslip_fmu2.so");
  EXPECT_EQ(fmu.binaries[0].path, "binaries/linux64/jenkins.so");
  EXPECT_EQ(fmu.binaries[1].path, "binaries/win64/jenkins.dll");
  EXPECT_TRUE(fmu.notes.empty());
  const std::string description = text_of(fmu, "modelDescription.xml");
  EXPECT_NE(description.find("fmiVersion=\"2.0\""), std::string::npos);
  EXPECT_NE(description.find("name=\"phi\""), std::string::npos);
  EXPECT_NE(text_of(fmu, "resources/model.json").find("0.5"), std::string::npos);
  EXPECT_NE(text_of(fmu, "documentation/index.html").find("<h1>jenkins</h1>"), std::string::npos);
  const std::string licenses = text_of(fmu, "documentation/licenses/license.txt");
  for (const char* name : {"microslip", "fmt", "toml++", "zlib", "SUNDIALS", "Eigen"})
    EXPECT_NE(licenses.find("\n" + std::string(name) + " "), std::string::npos) << name;

  auto three = from_text<ExportFmuRequest>(request);
  three.fmi = FmiVersion::v3;
  three.name = "a joint";
  const ExportFmuResult other = export_fmu(three);
  ASSERT_EQ(other.binaries.size(), 2u);
  EXPECT_EQ(other.binaries[0].file, "microslip_fmu3.so");
  EXPECT_EQ(other.binaries[0].path, "binaries/x86_64-linux/a_joint.so");
  EXPECT_EQ(other.binaries[1].file, "microslip_fmu3.dll");
  EXPECT_EQ(other.binaries[1].path, "binaries/x86_64-windows/a_joint.dll");
  EXPECT_NE(text_of(other, "modelDescription.xml").find("fmiVersion=\"3.0\""), std::string::npos);
}

constexpr const char* oscillator = R"toml(
M = [1.0, 1.0]
K = [1.0, 1.0]
[[joint]]
model = "jenkins(k=0.5,phi=0.1)"
between = [0, 1]
[[load]]
kind = "static"
dof = 1
amplitude = 0.1
)toml";

TEST(export_fmu, a_structure_is_called_as_its_file) {
  const auto fmu = from_text<ExportFmuResult>(
      run("export-fmu", request_text("export-fmu", oscillator, "beam.toml")));
  EXPECT_EQ(fmu.name, "beam");
  EXPECT_NE(text_of(fmu, "modelDescription.xml").find("name=\"joint1.phi\""), std::string::npos);
  EXPECT_FALSE(text_of(fmu, "resources/structure.json").empty());
}

TEST(export_fmu, own_loads_and_times_are_those_of_the_file) {
  const auto exported = [](const std::string& more) {
    return from_text<ExportFmuResult>(
        run("export-fmu", request_text("export-fmu", oscillator + more, "beam.toml")));
  };
  const ExportFmuResult held = exported("");
  EXPECT_EQ(text_of(held, "modelDescription.xml").find("own_loads"), std::string::npos);
  EXPECT_NE(text_of(held, "modelDescription.xml").find("stopTime=\"1\" stepSize=\"0.01\""),
            std::string::npos);
  EXPECT_TRUE(held.notes.empty());

  const std::string load =
      "[[load]]\nkind = \"impulse\"\ndof = 2\namplitude = 1.0\nduration = 0.5\n";
  const ExportFmuResult own =
      exported(load + "[[analysis]]\nkind = \"time\"\nuntil = 40\nstep = 0.25\n");
  const std::string description = text_of(own, "modelDescription.xml");
  EXPECT_NE(description.find("name=\"own_loads\""), std::string::npos);
  EXPECT_NE(description.find("stopTime=\"40\" stepSize=\"0.25\""), std::string::npos);
  EXPECT_NE(text_of(own, "resources/structure.json").find("impulse"), std::string::npos);
  ASSERT_EQ(own.notes.size(), 1u);
  EXPECT_NE(own.notes[0].find("own_loads = false"), std::string::npos);

  const ExportFmuResult no_step = exported("[[analysis]]\nkind = \"time\"\nuntil = 40\n");
  EXPECT_NE(text_of(no_step, "modelDescription.xml").find("stopTime=\"40\" stepSize=\"0.4\""),
            std::string::npos);
}

TEST(export_fmu, laws_driven_by_force_take_the_force) {
  const auto fmu = from_text<ExportFmuResult>(
      run("export-fmu", R"({"law": {"model": "ellipsoid", "parameters": {}}})"));
  const std::string description = text_of(fmu, "modelDescription.xml");
  const auto line_of = [&](const std::string& name) {
    const std::size_t at = description.find("<ScalarVariable name=\"" + name + "\"");
    return at == std::string::npos ? "" : description.substr(at, description.find('>', at) - at);
  };
  EXPECT_NE(line_of("f").find("causality=\"input\""), std::string::npos) << description;
  EXPECT_NE(line_of("u").find("causality=\"output\""), std::string::npos) << description;
}

/// With an implicit method it was left out without a word.
TEST(export_fmu, what_cannot_be_moved_step_by_step_is_refused) {
  for (const std::string method : {"events", "midpoint", "newmark", "hht", "generalized-alpha"}) {
    const std::string file = std::string(oscillator) +
                             "[[interface]]\nkind = \"two-sided\"\nbetween = [1, 2]\nn = 4\n"
                             "K_eq = 1.0\nM_eq = 0.1\nmu = 0.1\n[[analysis]]\nkind = \"time\"\n"
                             "until = 1\nstep = 0.1\nmethod = \"" +
                             method + "\"\n";
    const std::string said =
        message_of([&] { run("export-fmu", request_text("export-fmu", file, "beam.toml")); });
    EXPECT_NE(said.find("cannot be combined with"), std::string::npos) << method << ": " << said;
  }
  EXPECT_EQ(message_of([] { run("export-fmu", "{}"); }),
            "an FMU holds one law or one structure: give 'law' or 'structure'");
  EXPECT_EQ(message_of([] { run("export-fmu", R"({"fmi": "1", "law": {"model": "jenkins"}})"); }),
            "unknown choice '1' for request.fmi; there are: 2, 3");
}

}  // namespace export_fmu_test
}  // namespace microslip::jobs
