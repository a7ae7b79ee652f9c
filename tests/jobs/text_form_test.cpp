#include <gtest/gtest.h>

#include "jobs/round_trip.hpp"
#include "microslip/jobs/damping.hpp"
#include "microslip/jobs/export_fmu.hpp"
#include "microslip/jobs/fit.hpp"
#include "microslip/jobs/loops.hpp"
#include "microslip/jobs/ringdown.hpp"
#include "microslip/jobs/run.hpp"
#include "microslip/jobs/simulate.hpp"

namespace microslip::jobs {
namespace text_form_test {

/// What a person writes who adds a member and forgets the list.
struct Forgetful {
  double listed = 0, forgotten = 0;
  static constexpr auto members = std::tuple{member("listed", &Forgetful::listed)};
};
struct ForgetfulInTheMiddle {
  double first = 0;
  std::string forgotten;
  double last = 0;
  static constexpr auto members = std::tuple{member("first", &ForgetfulInTheMiddle::first),
                                             member("last", &ForgetfulInTheMiddle::last)};
};
struct Whole {
  double first = 0;
  std::optional<std::string> second{};
  static constexpr auto members =
      std::tuple{member("first", &Whole::first), member_if_any("second", &Whole::second)};
};
static_assert(!lists_all_members<Forgetful>());
static_assert(!lists_all_members<ForgetfulInTheMiddle>());
static_assert(lists_all_members<Whole>());

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(text_form, every_member_of_every_request_and_result_survives) {
  using round_trip::expect_every_member_to_survive;
  expect_every_member_to_survive<DampingRequest>("damping request");
  expect_every_member_to_survive<DampingResult>("damping");
  expect_every_member_to_survive<ExportFmuResult>("export-fmu");
  expect_every_member_to_survive<FitRequest>("fit request");
  expect_every_member_to_survive<FitResult>("fit");
  expect_every_member_to_survive<LoopsRequest>("loops request");
  expect_every_member_to_survive<LoopsResult>("loops");
  expect_every_member_to_survive<RingdownRequest>("ringdown request");
  expect_every_member_to_survive<RingdownResult>("ringdown");
  expect_every_member_to_survive<SimulateRequest>("simulate request");
  expect_every_member_to_survive<SimulateResult>("simulate");
}

TEST(text_form, numbers_come_back_as_the_same_bits) {
  FitRequest request;
  request.fix = {{"a", 0.1}, {"b", 1e-300}, {"c", -1.0 / 3}};
  EXPECT_EQ(from_text<FitRequest>(to_text(request)).fix, request.fix);
}

TEST(text_form, toml_is_read_as_the_same_request) {
  const auto request = from_text<FitRequest>(R"(
models = ["jenkins", "iwan4"]
starts = 5
start = "first-row"
[fix]
chi = -0.5
[bounds.phi]
high = 2
[[records]]
u = [0, 1, 0]
f = "force"
)",
                                             "request.toml", {{"force", {0, 2, 1}}});
  EXPECT_EQ(request.models, (std::vector<std::string>{"jenkins", "iwan4"}));
  EXPECT_EQ(request.starts, 5u);
  EXPECT_EQ(request.start, fit::Beginning::first_row);
  EXPECT_EQ(request.fix, (Named<double>{{"chi", -0.5}}));
  EXPECT_EQ(request.bounds.at(0).second.high, 2.0);
  EXPECT_FALSE(request.bounds.at(0).second.low);
  EXPECT_EQ(request.records.at(0).f, (std::vector<double>{0, 2, 1}));
}

TEST(text_form, bad_input_is_one_sentence_with_its_place) {
  const auto refused = [](const std::string& text) {
    return message_of([&] { from_text<FitRequest>(text, "request", {{"load", {1, 2}}}); });
  };
  EXPECT_EQ(refused(R"({"modls": []})"),
            "request has the unknown key 'modls'; did you mean 'models'?");
  EXPECT_EQ(
      refused(R"({"records": [{"u": "lod"}]})"),
      "request.records[1].u: there is no column 'lod' beside the request; did you mean 'load'?");
  EXPECT_EQ(refused(R"({"records": [{"u": [1, "x"]}]})"),
            "request.records[1].u[2] must be a number, not the text 'x'");
  EXPECT_EQ(refused(R"({"starts": 2.5})"),
            "request.starts = 2.5 must be a whole number from 0 to 9007199254740992");
  EXPECT_EQ(refused(R"({"start": "virgn"})"),
            "unknown choice 'virgn' for request.start; did you mean 'virgin'?");
  EXPECT_EQ(refused(R"({"robust": 1})"), "request.robust must be true or false, not 1");
  EXPECT_EQ(refused(R"({"schema": "microslip.fit-request/2"})"),
            "request has the schema the text 'microslip.fit-request/2'; this version reads "
            "'microslip.fit-request/1'");
  EXPECT_EQ(refused(R"({"seed": 1, "seed": 2})"), "request has the key 'seed' twice");
  EXPECT_EQ(message_of([] { run("fitt", "{}"); }),
            "unknown kind of job 'fitt'; did you mean 'fit'?");
}

}  // namespace text_form_test
}  // namespace microslip::jobs
