#include <gtest/gtest.h>

#include "jobs/file_form.hpp"
#include "jobs/round_trip.hpp"
#include "microslip/io/document.hpp"
#include "microslip/jobs/cracks.hpp"
#include "microslip/jobs/joint.hpp"
#include "microslip/jobs/reduce.hpp"
#include "microslip/jobs/run.hpp"

/// Requests whose text is a file that a person writes.
namespace microslip::jobs {
namespace file_request_test {

constexpr const char* plates = R"(
[plates]
length = 41.5
overlap = 21.5
thickness = 3.5
width = 11.5
E = 71e3
nu = 0.34
plane = "strain"
mesh = [24, 2]
support = "bending"
[contact]
mu = 0.35
pressure = { x = [0, 10, 22], p = [20, 25, 21] }
normal = "unilateral"
[[bolt]]
force = 2001
at = 9
washer = 7
head_mu = 0.15
shear_stiffness = 2e5
[load]
t = [0.5, 1.5, 2.5]
u = [0, 0.01, -0.01]
t_unit = "s"
unit = "mm"
source = "drive.csv"
lines = [2, 3, 5]
)";

// Two bodies of two nodes each, moved along x; the second body stands on the first.
constexpr const char* matrices = R"(
name = "springs"
sliders = true
with_columns = false
[matrices]
stiffness = { name = "k.mtx", rows = 4, row = [1, 2, 1, 2, 3, 4, 3, 4], column = [1, 1, 2, 2, 3, 3, 4, 4], value = [3, -1, -1, 1.5, 1, -1, -1, 1.25] }
dofs = ["1.1", "2.1", "3.1", "4.1"]
held = [1]
[contact]
mu = 0.25
increments = 5
slip = [1, 0, 0]
normal = "unilateral"
place = [0.5]
place_label = "x"
pairs = [{ from = [2, 0, 0], to = [3, 0, 0], normal = [0, 0, 2], mu = 0.3, gap = 0.125, force = 7, name = "pair 1" }]
[load]
driven = [4]
forces = [0, 0.5, 0.25, 0.125]
u = [0, 0.1]
)";

constexpr const char* cracks_text = R"(
name = "plate"
with_columns = false
[plate]
E = 210e3
nu = 0.25
plane = "strain"
length = 11
finite = true
[[crack]]
at = [0.25, -0.5]
half_length = 0.75
angle = 40
mu = 0.45
[load]
stress = [30, -100, 5]
f = [0, 1, 0.5]
t = [0, 2, 3]
t_unit = "s"
unit = "kN"
source = "load.csv"
lines = [2, 3, 4]
[options]
nodes = 8
most_nodes = 50
edge_elements = 20
interaction = false
)";

constexpr const char* random_text = R"(
count = 3
plate = { E = 210e3, nu = 0.25, length = 11 }
random = { n = 3, seed = 7, half_length = [0.1, 0.2], angle = [10, 20], mu = [0.25, 0.5], region = 3.5, gap = 0.2 }
load = { stress = [30, -100, 5], f = [0, 1, -1] }
options = { nodes = 4 }
)";

constexpr const char* reduction_text = R"(
name = "chain"
with_law = false
[system]
kind = "matrices"
K = [[2, -1], [-1, 2.5]]
mu = [0.5, 0.75]
b = [1, 0.25]
output = "u-bx"
c0 = 3
[[load]]
name = "first"
u = [0, 1, -1, 1, 0.5]
[[validation]]
name = "second"
u = [0, 2, -2, 2]
[reduce]
modes = 1
after_reversals = 1
window = 0.3
model = "few-generators"
generators = 3
study = [1, 2]
beta_study = [0.25, 0.75]
fit = "moments"
directions = 500
seed = 9
)";

template <class Request>
Json written(const Request& request) {
  return Json::parse(to_text(request));
}

/// Every key comes back, and none of them holds what an empty request says: a reader that forgets a key
/// is found out.
template <class Request>
void expect_to_survive(const std::string& text, Request less) {
  const auto request = from_text<Request>(text);
  const Json json = written(request);
  EXPECT_EQ(written(from_text<Request>(json.dump())), json);
  const Json wanted = Json::parse(io::json_document(text, "request"));
  EXPECT_EQ(wanted.flatten().size() + 1, json.flatten().size()) << json.dump(1);  // and the schema
  const Json flat = wanted.flatten();
  for (const auto& [place, value] : flat.items()) {
    const Json::json_pointer pointer(place);
    ASSERT_TRUE(json.contains(pointer)) << place;
    EXPECT_EQ(json[pointer], value) << place;
    const Json other = written(less);
    if (other.contains(pointer)) {
      EXPECT_NE(other[pointer], value) << place;
    }
  }
}

TEST(file_request, joint_of_plates_survives) {
  expect_to_survive<JointRequest>(
      std::string("name = \"a\"\nsliders = true\nwith_columns = false\n") + plates, {});
}

TEST(file_request, joint_of_matrices_survives) { expect_to_survive<JointRequest>(matrices, {}); }

TEST(file_request, cracks_survive) { expect_to_survive<CracksRequest>(cracks_text, {}); }

TEST(file_request, random_cracks_survive) {
  const auto request = from_text<EnsembleRequest>(random_text);
  const Json json = written(request);
  EXPECT_EQ(written(from_text<EnsembleRequest>(json.dump())), json);
  EXPECT_EQ(json["count"], 3);
  EXPECT_EQ(json["random"], to_json(*request.cracks.random));
  EXPECT_EQ(json["random"]["region"], 3.5);
  EXPECT_EQ(json["random"]["seed"], 7);
}

TEST(file_request, reduction_survives) {
  const auto request = from_text<ReduceRequest>(reduction_text);
  const Json json = written(request);
  EXPECT_EQ(written(from_text<ReduceRequest>(json.dump())), json);
  const Json wanted = Json::parse(io::json_document(reduction_text, "request"));
  const Json flat = wanted.flatten();
  for (const auto& [place, value] : flat.items())
    EXPECT_EQ(json.value(Json::json_pointer(place), Json()), value) << place;
  const Json analytic = written(from_text<ReduceRequest>(R"(
system = { kind = "random", n = 5 }
load = [{ u = [0, 1, 0] }]
reduce = { basis = "analytic", alpha = 0.25, modes = 2 })"));
  EXPECT_EQ(analytic["reduce"]["basis"], "analytic");
  EXPECT_EQ(analytic["reduce"]["alpha"], 0.25);
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

TEST(file_request, names_no_files) {
  const std::string contact = "[contact]\nmu = 0.3\npressure = \"p.csv\"\n";
  std::string text = plates;
  text.replace(text.find("[contact]"), text.find("[[bolt]]") - text.find("[contact]"), contact);
  EXPECT_EQ(message_of([&] { from_text<JointRequest>(text); }),
            "request: contact: pressure names the file 'p.csv'; a request holds what it needs, and "
            "reads no files");
  EXPECT_EQ(
      message_of([] {
        from_text<ReduceRequest>(
            R"({"system": {"kind": "matrices", "K": "K.mtx", "mu": 1, "b": 1}})");
      }),
      "request: system: K names the file 'K.mtx'; a request holds what it needs, and reads no "
      "files");
}

TEST(file_request, columns_stand_beside) {
  const auto request = from_text<CracksRequest>(R"({"plate": {"E": 1, "nu": 0.3, "length": 10},
        "crack": [{"at": [0, 0], "half_length": 1, "angle": 45, "mu": 0.3}],
        "load": {"stress": [0, -1, 0], "f": "force"}})",
                                                "request", {{"force", {0, 1, 0.5}}});
  EXPECT_EQ(request.cracks.load.values, (std::vector<double>{0, 1, 0.5}));
}

/// The loop of the text of a request is that of the file, number by number.
TEST(file_request, results_are_those_of_the_file) {
  const std::string joint_file =
      "[plates]\nlength = 40\noverlap = 20\nthickness = 3\nwidth = 10\nE = 70e3\nnu = 0.33\n"
      "mesh = [24, 2]\n[contact]\nmu = 0.3\npressure = \"20+0.1*x\"\n[load]\nsignal = "
      "\"0.025*sin(2*pi*t)\"\nuntil = 2\nstep = 0.1\n";
  JointRequest direct;
  direct.name = "a.toml";
  direct.joint = catalog::parse_joint(joint_file, "a.toml");
  const std::string through = run("joint", request_text("joint", joint_file, "a.toml"));
  EXPECT_EQ(through, to_text(joint(direct)));
  EXPECT_EQ(from_text<JointResult>(through).file, "a.toml");
}

TEST(file_request, a_stopped_joint_is_interrupted) {
  std::string text = plates;  // a bolt alone
  text.erase(text.find("pressure"), text.find("normal") - text.find("pressure"));
  auto request = from_text<JointRequest>(text);
  EXPECT_THROW(joint(std::move(request), {[](double, std::string_view) { return false; }}),
               Interrupted);
}

TEST(file_request, every_member_of_every_result_survives) {
  using round_trip::expect_every_member_to_survive;
  expect_every_member_to_survive<JointResult>("joint");
  expect_every_member_to_survive<CracksResult>("cracks");
  expect_every_member_to_survive<EnsembleResult>("ensemble");
  expect_every_member_to_survive<ReduceResult>("reduction");
}

}  // namespace file_request_test
}  // namespace microslip::jobs
