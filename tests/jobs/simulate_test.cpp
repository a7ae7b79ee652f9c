#include "microslip/jobs/simulate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/jobs/damping.hpp"

namespace microslip::jobs {
namespace simulate_test {

SimulateRequest request_for(std::vector<std::string> models) {
  SimulateRequest request;
  for (std::string& model : models) request.laws.push_back({.model = std::move(model)});
  for (int i = 0; i <= 100; ++i) {
    request.t.push_back(0.1 * i);
    request.u.push_back(2 * std::sin(0.1 * i));
  }
  return request;
}

TEST(simulate, laws_answer_side_by_side) {
  const SimulateResult result = simulate(request_for({"linear(k=3)", "jenkins(k=1,phi=0.5)"}));
  ASSERT_EQ(result.results.size(), 2u);
  EXPECT_EQ(result.results[0].history.f[7], 3 * result.results[0].history.u[7]);
  EXPECT_EQ(result.results[1].summary.f_max, 0.5);  // phi
  const SimulateResult read = from_text<SimulateResult>(to_text(result));
  ASSERT_EQ(read.results[1].columns->at(2).first, "f");
  EXPECT_EQ(read.results[1].columns->at(2).second, result.results[1].history.f);
}

TEST(simulate, a_history_goes_on_from_a_point_that_was_written_down) {
  const SimulateRequest whole = request_for({"iwan4"});
  SimulateRequest first = whole, second = whole;
  first.t.resize(40);
  first.u.resize(40);
  second.t.erase(second.t.begin(), second.t.begin() + 40);
  second.u.erase(second.u.begin(), second.u.begin() + 40);
  const SimulateResult before = simulate(first);
  const Checkpoint& end = *before.results[0].end;
  const AnyModel law = catalog::make({"iwan4", {}, {}});
  second.laws[0].resumed = SavedPoint{law.save(end.state), end.energy, 0, 0, end.t};
  const SimulateResult after = simulate(from_text<SimulateRequest>(to_text(second)));
  const SimulateResult in_one = simulate(whole);
  const std::vector<double>& f = in_one.results[0].history.f;
  EXPECT_EQ(after.results[0].history.f, std::vector<double>(f.begin() + 40, f.end()));
}

TEST(simulate, a_stop_throws_because_a_part_of_a_history_is_no_answer) {
  EXPECT_THROW(simulate(request_for({"jenkins"}), {[](double, std::string_view) { return false; }}),
               Interrupted);
}

TEST(simulate, a_law_that_stops_is_a_failure_with_its_row) {
  SimulateRequest request = request_for({"jenkins(k=1,phi=0.5)"});
  request.drive = Drive::force;
  try {
    simulate(request);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(std::string(failure.what()),
              "jenkins stopped at row 4, t = 0.30000000000000004: the law cannot carry this force");
  }
}

TEST(damping, of_jenkins_in_closed_form) {
  DampingRequest request;
  request.laws = {{.model = "jenkins(k=1,phi=0.5)"}};
  request.amplitudes = {0.25, 2};
  const DampingResult result = damping(request);
  EXPECT_EQ(result.laws[0].columns.energy[0], 0);                             // it sticks
  EXPECT_NEAR(result.laws[0].columns.energy[1], 4 * 0.5 * (2 - 0.5), 1e-12);  // 4 phi (A - phi/k)
}

TEST(damping, a_law_is_tuned_to_the_curve_of_another_one) {
  DampingRequest request;
  request.laws = {{.model = "jenkins"}};
  request.match = MatchRequest{.law = "jenkins(k=4,phi=2)", .quantity = {"zeta_eff", "b1"}};
  request.amplitudes = {0.4, 1, 2};
  const DampingResult result = damping(request);
  EXPECT_NEAR(std::get<double>(result.laws[0].parameters.at("k")), 4, 1e-6);
  EXPECT_NEAR(std::get<double>(result.laws[0].parameters.at("phi")), 2, 1e-6);
  EXPECT_EQ(result.laws[0].match->quantity, "zeta_eff and b1");
}

}  // namespace simulate_test
}  // namespace microslip::jobs
