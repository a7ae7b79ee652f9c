#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/structure_file.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"

/// Structures as finite-element codes deliver them.
namespace microslip::catalog {
namespace delivered_files_test {

namespace fs = std::filesystem;

class DeliveredFiles : public ::testing::Test {
 protected:
  DeliveredFiles()
      : folder_(fs::temp_directory_path() /
                (std::string("microslip_delivered_") +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(folder_);
  }
  ~DeliveredFiles() override { fs::remove_all(folder_); }

  void file(const std::string& name, const std::string& text) {
    io::write_file(folder_ / name, text);
  }
  StructureFile parse(const std::string& text) {
    return parse_structure(text + "[[analysis]]\nkind = \"time\"\nuntil = 1\n", folder_ / "s.toml");
  }
  std::string refusal(const std::string& text) {
    try {
      parse(text);
    } catch (const Error& error) {
      const std::string what = error.what(), folder = folder_.string() + "/";
      std::string shown = what;
      for (std::size_t at; (at = shown.find(folder)) != std::string::npos;)
        shown.erase(at, folder.size());
      return shown;
    }
    return "";
  }
  fs::path folder_;
};

// Three degrees of freedom as CalculiX writes them.
void write_calculix(const fs::path& folder) {
  io::write_file(folder / "job.dof", "5.1\n5.3\n12.1\n");
  io::write_file(folder / "job.mas", "1 1 1.0\n1 2 0.0\n2 2 2.0\n3 3 3.0\n");
  io::write_file(folder / "job.sti", "1 1 4.0\n1 2 -1.0\n2 2 5.0\n2 3 -2.0\n3 3 6.0\n");
}

TEST_F(DeliveredFiles, places_go_by_node_and_direction) {
  write_calculix(folder_);
  const StructureFile file = parse(R"(
M = "job.mas"
K = "job.sti"
[[joint]]
model = "jenkins"
between = ["5.3", "12.1"]
[[load]]
kind = "static"
dof = "12.1"
amplitude = 2
[[sensor]]
name = "tip"
dof = 5.3
)");
  const dynamics::Structure& s = file.structure;
  EXPECT_EQ(Eigen::MatrixXd(s.K), (Eigen::Matrix3d() << 4, -1, 0, -1, 5, -2, 0, -2, 6).finished());
  EXPECT_EQ(s.joints[0].w.dense(), Eigen::Vector3d(0, -1, 1));
  EXPECT_EQ(s.loads[0].direction, Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(s.sensors[0].w.dense(), Eigen::Vector3d(0, 1, 0));
  EXPECT_EQ(file.labels, (std::vector<std::string>{"5.1", "5.3", "12.1"}));
  EXPECT_EQ(refusal("M = \"job.mas\"\nK = \"job.sti\"\n[[joint]]\nmodel = \"jenkins\"\n"
                    "between = [0, \"7.1\"]\n"),
            "s.toml, line 5, column 11: [[joint]] 1: between = 7.1 is no degree of freedom of the "
            "matrices (node.direction); those that are held are not among them");
}

TEST_F(DeliveredFiles, matrices_with_other_orders_are_put_into_one) {
  file("k.mtx", "12,1,12,1,6\n5,3,5,3,5\n5,3,12,1,-2\n");
  file("m.mtx", "5,3,5,3,1\n12,1,12,1,2\n");
  const dynamics::Structure s = parse("M = \"m.mtx\"\nK = \"k.mtx\"\n").structure;
  EXPECT_EQ(Eigen::MatrixXd(s.K), (Eigen::Matrix2d() << 5, -2, -2, 6).finished());
  EXPECT_EQ(Eigen::MatrixXd(s.M), (Eigen::Matrix2d() << 1, 0, 0, 2).finished());
  file("m.mtx", "5,3,5,3,1\n12,1,12,1,-2\n");
  EXPECT_NE(refusal("M = \"m.mtx\"\nK = \"k.mtx\"\n"), "");
  EXPECT_NE(refusal("M = [1.0, 2.0]\nK = \"k.mtx\"\n").find("does not name"), std::string::npos);
}

TEST_F(DeliveredFiles, joints_come_from_a_table) {
  write_calculix(folder_);
  file("interface.csv",
       "# the interface\n"
       "model, name, from, to, k [N/m], phi, gap\n"
       "jenkins, left, 5.1, 12.1, 2.5, 0.3,\n"
       "gap, , 0, 5.3, 4, , 0.1\n"
       "\"linear(k=1)+jenkins(k=3,phi=1)\",, 0, 1,,0.7,\n");
  const StructureFile file =
      parse("M = \"job.mas\"\nK = \"job.sti\"\njoints = \"interface.csv\"\n");
  const auto& joints = file.structure.joints;
  ASSERT_EQ(joints.size(), 3u);
  EXPECT_EQ(joints[0].w.dense(), Eigen::Vector3d(-1, 0, 1));
  EXPECT_EQ(joints[0].name, "left");
  EXPECT_EQ(std::get<double>(joints[0].model.parameters().at("k")), 2.5);
  EXPECT_EQ(joints[1].model.description().name, "gap");
  EXPECT_EQ(std::get<double>(joints[1].model.parameters().at("gap")), 0.1);
  EXPECT_EQ(std::get<double>(joints[2].model.parameters().at("jenkins.phi")), 0.7);
  EXPECT_EQ(file.laws.size(), 3u);
}

TEST_F(DeliveredFiles, joints_act_along_rows_of_a_matrix) {
  file("B.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 -1\n1 3 1\n2 2 0.5\n");
  const std::string structure = "M = [1.0, 1.0, 1.0]\n";
  const auto by_rows = parse(structure +
                             "[joints]\nmodel = \"jenkins\"\nset = { phi = 0.4 }\n"
                             "directions = \"B.mtx\"\n")
                           .structure.joints;
  ASSERT_EQ(by_rows.size(), 2u);
  EXPECT_EQ(by_rows[0].w.dense(), Eigen::Vector3d(-1, 0, 1));
  EXPECT_EQ(by_rows[1].w.dense(), Eigen::Vector3d(0, 0.5, 0));
  EXPECT_EQ(std::get<double>(by_rows[1].model.parameters().at("phi")), 0.4);
  file("j.csv", "row;k\n2;7\n1;8\n");
  const auto chosen = parse(structure +
                            "[joints]\nfile = \"j.csv\"\nmodel = \"jenkins\"\n"
                            "directions = \"B.mtx\"\n")
                          .structure.joints;
  EXPECT_EQ(chosen[0].w.dense(), Eigen::Vector3d(0, 0.5, 0));
  EXPECT_EQ(std::get<double>(chosen[0].model.parameters().at("k")), 7);
  // The same rows serve loads and sensors.
  const auto s = parse(structure +
                       "[[sensor]]\nname = \"a\"\nalong = \"B.mtx\"\nrow = 1\n"
                       "[[load]]\nkind = \"static\"\nalong = \"B.mtx\"\nrow = 2\namplitude = 1\n")
                     .structure;
  EXPECT_EQ(s.sensors[0].w.dense(), Eigen::Vector3d(-1, 0, 1));
  EXPECT_EQ(s.loads[0].direction, Eigen::Vector3d(0, 0.5, 0));
}

TEST_F(DeliveredFiles, a_wrong_cell_is_named_by_file_line_and_column) {
  const std::string structure = "M = [1.0, 1.0]\njoints = \"j.csv\"\n";
  file("j.csv", "model,from,to,k\njenkins,0,1,1\njenkins,0,3,1\n");
  EXPECT_EQ(refusal(structure),
            "j.csv, line 3, column 3: to = 3 must be a whole number from 0 to 2 (0 is the ground)");
  file("j.csv", "model,from,to,k\njenkins,0,1,-1\n");
  EXPECT_EQ(refusal(structure), "j.csv, line 2, column 4: jenkins.k = -1 must lie in (0, inf)");
  file("j.csv", "model,from,to,kk\njenkins,0,1,1\n");
  EXPECT_NE(refusal(structure).find("j.csv, line 2, column 4: "), std::string::npos);
  file("j.csv", "model,from,to\njenkins,0,1,5\n");
  EXPECT_EQ(refusal(structure),
            "j.csv, line 2, column 4: this row has 4 cells; there are 3 headings");
  file("j.csv", "model,k\njenkins,5\n");
  EXPECT_NE(refusal(structure).find("must have the headings 'from' and 'to'"), std::string::npos);
}

TEST_F(DeliveredFiles, damping_ratios_of_the_stuck_modes) {
  // One mass: k = 3 and a joint of 1 stuck: ω = 2, so that c = 2 ζ ω m.
  const auto s = parse(R"(
M = [1.0]
K = [3.0]
stuck_damping = [0.05]
[[joint]]
model = "jenkins"
set = { k = 1, phi = 0.2 }
between = [0, 1]
)")
                     .structure;
  EXPECT_NEAR(s.C.coeff(0, 0), 2 * 0.05 * 2, 1e-14);
  EXPECT_NE(refusal("M = [1.0]\nK = [3.0]\nstuck_damping = [0.05]\n[[joint]]\nmodel = "
                    "\"coulomb\"\nbetween = [0, 1]\n")
                .find("it is rigid"),
            std::string::npos);
}

TEST_F(DeliveredFiles, sensors_survive_a_reduction) {
  const std::string structure = R"(
M = [1.0, 1.0, 1.0]
K = [[2, -1, 0], [-1, 2, -1], [0, -1, 1]]
[[joint]]
model = "jenkins"
between = [0, 3]
[[sensor]]
name = "middle"
dof = 2
[reduction]
modes = 2
)";
  const auto s = parse(structure).structure;
  ASSERT_EQ(s.size(), 3);
  // With the last mass moved by 1 and no mode, the middle one moves by 2/3.
  EXPECT_NEAR(s.sensors[0].w[0], 2.0 / 3, 1e-14);
}

TEST_F(DeliveredFiles, loads_are_formulas) {
  const auto s = parse(
                     "M = [1.0]\nK = [3.0]\n[[load]]\nkind = \"formula\"\ndof = 1\n"
                     "force = \"0.3*(1-cos(t))*sin(2*t)\"\n")
                     .structure;
  EXPECT_DOUBLE_EQ(value(s.loads[0].signal, 1.3), 0.3 * (1 - std::cos(1.3)) * std::sin(2.6));
  const std::string wrong =
      refusal("M = [1.0]\nK = [3.0]\n[[load]]\nkind = \"formula\"\ndof = 1\nforce = \"sin(x)\"\n");
  EXPECT_NE(wrong.find("s.toml, line 6, column 9: [[load]] 1: force = 'sin(x)': "),
            std::string::npos)
      << wrong;
}

TEST_F(DeliveredFiles, lists_of_a_law_come_from_columns_of_a_file) {
  file("curve.csv", "u,f,force\n-1,-2,-4\n0,0,0\n2,1,2\n");
  const std::string path = (folder_ / "curve.csv").string();
  const AnyModel direct = make({"table(u=@" + path + ",f=@" + path + ":force)", {}, {}});
  EXPECT_EQ(std::get<std::vector<double>>(direct.parameters().at("f")),
            (std::vector<double>{-4, 0, 2}));
  const auto s = parse(
                     "M = [1.0]\nK = [3.0]\n[[joint]]\nmodel = \"table\"\n"
                     "set = { u = \"@curve.csv\", f = \"@curve.csv\" }\nbetween = [0, 1]\n")
                     .structure;
  EXPECT_EQ(std::get<std::vector<double>>(s.joints[0].model.parameters().at("u")),
            (std::vector<double>{-1, 0, 2}));
}

}  // namespace delivered_files_test
}  // namespace microslip::catalog
