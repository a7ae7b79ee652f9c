#include "microslip/jobs/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "microslip/catalog/catalog.hpp"
#include "microslip/jobs/run.hpp"

namespace microslip::jobs {
namespace fit_test {

/// Loops of growing amplitude of a law whose parameters are known.
Record record_of(const std::string& law) {
  Record record;
  for (int i = 0; i < 400; ++i)
    record.u.push_back((0.5 + 0.005 * i) * std::sin(0.1 * static_cast<double>(i)));
  record.f = catalog::make({law, {}, {}}).run(Path{{}, record.u, {}}).f;
  return record;
}

FitRequest request_for(std::vector<std::string> models) {
  FitRequest request;
  request.records = {record_of("jenkins(k=2,phi=0.5)")};
  request.models = std::move(models);
  request.time_budget = 1000;
  request.starts = 4;
  return request;
}

TEST(fit, laws_are_ranked_and_the_true_one_is_found) {
  const FitResult result = fit(request_for({"linear", "jenkins"}));
  ASSERT_EQ(result.fits.size(), 2u);
  EXPECT_EQ(result.fits[0].model, "jenkins");
  EXPECT_NEAR(std::get<double>(result.fits[0].parameters->at("phi")), 0.5, 1e-8);
  EXPECT_NEAR(std::get<double>(result.fits[0].parameters->at("k")), 2, 1e-8);
  EXPECT_FALSE(result.interrupted);
}

TEST(fit, the_text_says_what_the_struct_says) {
  FitResult result = fit(request_for({"linear", "jenkins", "iwan4"}));
  const FitResult read = from_text<FitResult>(to_text(result));
  ASSERT_EQ(read.fits.size(), 3u);
  EXPECT_EQ(read.fits[0].rms_relative, result.fits[0].rms_relative);
  EXPECT_EQ(*read.fits[0].parameters, *result.fits[0].parameters);
  EXPECT_EQ(to_text(read), to_text(result));
}

TEST(fit, the_door_for_other_languages_is_the_same_job) {
  const FitRequest request = request_for({"jenkins"});
  const Columns columns{{"x", request.records[0].u}, {"y", request.records[0].f}};
  std::string text = run("fit", R"({"records": [{"u": "x", "f": "y"}], "models": ["jenkins"],
    "time_budget": 1000, "starts": 4})",
                         columns);
  auto through = from_text<FitResult>(text), direct = fit(request);
  through.seconds = direct.seconds = 0;
  EXPECT_EQ(to_text(through), to_text(direct));
}

TEST(fit, progress_goes_from_0_to_1_and_names_the_law) {
  std::vector<double> parts;
  std::string
      texts;  // which laws are named depends on the threads: text that comes too soon is left out
  fit(request_for({"linear", "jenkins"}), {[&](double part, std::string_view text) {
        parts.push_back(part);
        texts += text;
        return true;
      }});
  ASSERT_FALSE(parts.empty());
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_EQ(parts.back(), 1);
  EXPECT_TRUE(texts.find("jenkins") != std::string::npos ||
              texts.find("linear") != std::string::npos)
      << texts;
}

TEST(fit, a_stop_keeps_what_is_done) {
  const FitResult result = fit(request_for({"linear", "jenkins", "iwan4", "bouc-wen"}),
                               {[](double, std::string_view) { return false; }});
  EXPECT_TRUE(result.interrupted);
  EXPECT_LT(result.fits.size(), 4u);
  EXPECT_FALSE(result.left_out.empty());
  EXPECT_TRUE(from_text<FitResult>(to_text(result)).interrupted);
}

TEST(fit, several_jobs_at_the_same_time_do_not_meet) {
  const FitRequest request = request_for({"jenkins"});
  const auto text = [&](const Control& control) {
    FitResult result = fit(request, control);
    result.seconds = 0;
    return to_text(result);
  };
  const std::string alone = text({});
  std::vector<std::string> together(3);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < together.size(); ++i)
    threads.emplace_back([&, i] {
      // One of them is stopped at once, which the others do not notice.
      together[i] = text({[i](double, std::string_view) { return i > 0; }});
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(together[1], alone);
  EXPECT_EQ(together[2], alone);
}

TEST(fit, columns_of_different_length_are_refused) {
  FitRequest request = request_for({"jenkins"});
  request.records[0].name = "bolt.csv";
  request.records[0].f.pop_back();
  try {
    fit(request);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "bolt.csv: columns must have the same length: u has 400 rows, f has 399 rows");
  }
}

}  // namespace fit_test
}  // namespace microslip::jobs
