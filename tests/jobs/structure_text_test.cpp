#include <gtest/gtest.h>

#include "jobs/round_trip.hpp"
#include "jobs/structure_form.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/two_sided.hpp"
#include "microslip/dynamics/time/time_integration.hpp"
#include "microslip/jobs/export_fmu.hpp"
#include "microslip/jobs/identify.hpp"
#include "microslip/jobs/respond.hpp"

/// The text form of structures.
namespace microslip::jobs {
namespace round_trip {

template <>
struct Example<dynamics::SparseMatrix> {
  static dynamics::SparseMatrix make(int& next) {
    dynamics::SparseMatrix matrix(3, 3);
    matrix.insert(0, 2) = ++next;
    matrix.insert(1, 1) = 1.0 / ++next;
    return matrix;
  }
};
template <>
struct Example<dynamics::Direction> {
  static dynamics::Direction make(int& next) {
    return dynamics::Direction(Eigen::Vector3d(0, ++next, -0.1));
  }
};
template <>
struct Example<Eigen::VectorXd> {
  static Eigen::VectorXd make(int& next) { return Eigen::Vector3d(0.1, ++next, 0); }
};
template <>
struct Example<AnyModel> {
  static AnyModel make(int& next) {
    const double k = ++next;
    return catalog::make({"jenkins", {{"k", k}, {"phi", 1 / k}}, {}});
  }
};
template <>
struct Example<Expression> {
  static Expression make(int& next) {
    return Expression::parse(std::to_string(++next) + "*t", {"t"});
  }
};
template <>
struct Example<dynamics::Signal> {
  static dynamics::Signal make(int& next) {
    return dynamics::SampledLoad{{0, 0.1}, {double(++next), 1.0 / 3}};
  }
};
template <>
struct Example<std::shared_ptr<const dynamics::InterfaceLaw>> {
  static std::shared_ptr<const dynamics::InterfaceLaw> make(int& next) {
    const double k = ++next, k_end = 1.0 / k;
    return catalog::slider_row(friction::HeldChain(k, k_end, Eigen::Vector3d(1, 2, k)));
  }
};

}  // namespace round_trip

namespace structure_text_test {

using round_trip::expect_every_member_to_survive;

TEST(structure_text, every_member_survives) {
  expect_every_member_to_survive<DrivenStructure>("driven structure");
  expect_every_member_to_survive<catalog::StructureFile>("structure");
  expect_every_member_to_survive<ExportFmuRequest>("export-fmu request");
  expect_every_member_to_survive<IdentifyRequest>("request");
  expect_every_member_to_survive<RespondRequest>("respond request");
  expect_every_member_to_survive<RespondResult>("respond");
}

TEST(structure_text, every_member_of_every_load_survives) {
  expect_every_member_to_survive<dynamics::Tone>("tone");
  expect_every_member_to_survive<dynamics::Tones>("tones");
  expect_every_member_to_survive<dynamics::Constant>("static");
  expect_every_member_to_survive<dynamics::Sweep>("sweep");
  expect_every_member_to_survive<dynamics::SteppedSine>("stepped");
  expect_every_member_to_survive<dynamics::Impulse>("impulse");
  expect_every_member_to_survive<dynamics::SampledLoad>("record");
  expect_every_member_to_survive<dynamics::Formula>("formula");
}

/// Loads of every kind, laws of every make, a reduced interface and shared massless points.
constexpr const char* everything = R"toml(
M = [[2.0, 0.1, 0, 0], [0.1, 1.0, 0, 0], [0, 0, 1.5, 0], [0, 0, 0, 0]]
K = [3.0, 1.0, 2.0, 4.0]
stuck_damping = [0.01, 0.02]
units = "kN, mm, s"
[[spring]]
between = [1, 3]
k = 0.75
[[damper]]
between = [0, 2]
c = 0.1
[[joint]]
model = "jenkins + iwan4(KT=2)"
set = { "jenkins.k" = 0.3, phi = 0.1 }
between = [1, 2]
name = "sum"
[[joint]]
model = "ramberg-osgood"
between = [0, 3]
[[joint]]
model = "backlash(jenkins(k=1,phi=0.5), gap=0.1)"
along = [1, -1, 0.5, 0]
[[joint]]
model = "jenkins"
between = [3, 4]
[[joint]]
model = "iwan4"
between = [4, 1]
[[sensor]]
name = "tip"
between = [1, 3]
[[interface]]
kind = "two-sided"
between = [1, 2]
n = 5
K_eq = 10.0
M_eq = 0.1
mu = 1.0
[[load]]
kind = "multisine"
dof = 1
amplitudes = [0.1, 0.2]
omegas = [1.0, 2.5]
phases = [0, 0.3]
[[load]]
kind = "sweep"
dof = 2
amplitude = 0.1
omega = [1, 3]
duration = 4
scale = "logarithmic"
[[load]]
kind = "stepped"
dof = 1
amplitude = 0.1
omegas = [1, 2]
cycles = 2
[[load]]
kind = "impulse"
dof = 3
amplitude = 0.2
start = 0.5
duration = 0.1
[[load]]
kind = "record"
dof = 2
t = [0, 1, 1.5]
f = [0, 0.1, 0.3]
scale = 0.5
[[load]]
kind = "formula"
dof = 1
force = "0.1*sin(3*t)"
[[load]]
kind = "static"
dof = 3
amplitude = 0.05
[[analysis]]
kind = "time"
until = 2
step = 0.05
method = "midpoint"
x0 = [0.1, 0, 0]
at = [1.01]
dof = 2
output = "a.csv"
)toml";

TEST(structure_text, a_structure_with_everything_comes_back_as_it_is) {
  const catalog::StructureFile file = catalog::parse_structure(everything, "all.toml");
  ASSERT_EQ(file.structure.interfaces.size(), 2u);  // sliders, joints that share a massless point
  const std::string text = to_text(file);
  const auto again = from_text<catalog::StructureFile>(text);
  EXPECT_EQ(to_text(again), text);
  const auto motion = [](const catalog::StructureFile& of) {
    return dynamics::integrate(of.structure, time_options(of.analyses.at(0)));
  };
  const dynamics::TimeResult before = motion(file), after = motion(again);
  ASSERT_EQ(before.t, after.t);
  ASSERT_GT(before.t.size(), 40u);
  EXPECT_EQ(before.x.back(), after.x.back());  // the same bits
  EXPECT_EQ(before.energy, after.energy);
}

TEST(structure_text, a_reduction_comes_back_as_it_is) {
  std::string text = "M = [1, 1, 1, 1, 1, 1]\n";
  for (int i = 0; i < 6; ++i)
    text +=
        "[[spring]]\nbetween = [" + std::to_string(i) + ", " + std::to_string(i + 1) + "]\nk = 1\n";
  text +=
      "[[joint]]\nmodel = \"jenkins\"\nbetween = [0, 6]\n[reduction]\nmodes = 2\nkeep = [3]\n"
      "[[analysis]]\nkind = \"modes\"\n";
  const catalog::StructureFile file = catalog::parse_structure(text, "chain.toml");
  const auto again = from_text<catalog::StructureFile>(to_text(file));
  EXPECT_EQ(again.labels, file.labels);
  EXPECT_EQ(again.left_out, file.left_out);
  EXPECT_EQ(to_text(again), to_text(file));
}

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(structure_text, bad_input_is_one_sentence_with_its_place) {
  const auto refused = [](const std::string& text) {
    return message_of([&] { from_text<dynamics::Structure>(text, "structure"); });
  };
  EXPECT_EQ(refused(R"({"M": {"rows": 1, "row": [2], "column": [1], "value": [1]}})"),
            "structure.M.row = 2 must be a whole number from 1 to 1");
  EXPECT_EQ(refused(R"({"M": {"rows": 1, "row": [], "column": [1], "value": [1]}})"),
            "structure.M: its lists must have the same length");
  EXPECT_EQ(refused(R"({"loads": [{"signal": {"kind": "sweap"}}]})"),
            "unknown choice 'sweap' for structure.loads[1].signal.kind; did you mean 'sweep'?");
  EXPECT_EQ(refused(R"({"joints": [{"model": {"model": "jenkins", "parameters": {"k": -1}}}]})"),
            "structure.joints[1].model: jenkins.k = -1 must lie in (0, inf)");
  EXPECT_EQ(
      message_of([] {
        from_text<RespondRequest>(R"({"structure": {"M": [1], "joint": [{"params": "a.json"}]}})");
      }),
      "request.structure: [[joint]] 1: params names the file 'a.json'; a request holds what "
      "it needs, and reads no files");
}

}  // namespace structure_text_test
}  // namespace microslip::jobs
