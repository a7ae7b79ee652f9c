#include "microslip/study/serve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "microslip/core/error.hpp"

namespace microslip::study {
namespace serve_test {

using Json = nlohmann::json;

/// Bouc–Wen with three parameters that vary, its last force, largest force, energy and a curve.
constexpr const char* smooth =
    "samples = 1\n[job]\nkind = 'simulate'\nsignal = '2*sin(t)'\nuntil = 9\nstep = 0.1\n"
    "[[job.laws]]\nmodel = 'bouc-wen'\nparameters = { beta = 0.6, gamma = 0.3 }\n[vary]\n"
    "'law[1].beta' = { uniform = [0.5, 1] }\n'law[1].gamma' = { uniform = [0, 0.4] }\n"
    "'law[1].k' = { uniform = [1, 2] }\n[[collect]]\nname = 'last'\nvalue = 'last(f)'\n"
    "[[collect]]\nname = 'mix'\nvalue = 'max(f)^2 - 3*at(f, t=4.25) + last(energy)'\n"
    "[[collect]]\nname = 'curve'\nvalue = 'f*f'\non = { t = [0, 8, 9] }\n";

UmBridge bridge() {
  std::map<std::string, Study> models;
  models.emplace("smooth", Study::parse(smooth, "smooth.toml"));
  models.emplace("path",
                 Study::parse("samples = 1\n[job]\nkind = 'simulate'\nsignal = 'sin(t)'\nuntil = "
                              "3\nstep = 0.1\n[[job.laws]]\nmodel = 'jenkins'\n[vary]\n"
                              "'law[1].phi' = { uniform = [0, 1] }\n[[collect]]\nname = 'top'\n"
                              "value = 'results[1].summary.f_max'",
                              "path.toml"));
  return UmBridge(std::move(models));
}

Json post(const UmBridge& bridge, const char* target, const Json& body, int status = 200) {
  const Reply reply = bridge.answer("POST", target, body.dump());
  EXPECT_EQ(reply.status, status) << reply.body;
  return Json::parse(reply.body);
}

TEST(serve, models_describe_themselves) {
  const UmBridge b = bridge();
  EXPECT_EQ(Json::parse(b.answer("GET", "/Info", "").body),
            Json::parse(R"({"protocolVersion": 1.0, "models": ["path", "smooth"]})"));
  EXPECT_EQ(post(b, "/InputSizes", {{"name", "smooth"}, {"config", Json::object()}})["inputSizes"],
            Json::array({3}));
  EXPECT_EQ(post(b, "/OutputSizes", {{"name", "smooth"}})["outputSizes"], Json::array({2, 9}));
  const Json support = post(b, "/ModelInfo", {{"name", "smooth"}})["support"];
  EXPECT_EQ(support, (Json{{"Evaluate", true},
                           {"Gradient", true},
                           {"ApplyJacobian", true},
                           {"ApplyHessian", false}}));
  EXPECT_EQ(post(b, "/ModelInfo", {{"name", "path"}})["support"]["Gradient"], false);
}

/// Derivatives against central differences of Evaluate; Gradient and ApplyJacobian are adjoint.
TEST(serve, derivatives_are_those_of_the_outputs) {
  const UmBridge b = bridge();
  const std::vector<double> x{0.6, 0.3, 1.5};
  const auto evaluate = [&](const std::vector<double>& at) {
    const Json output =
        post(b, "/Evaluate", {{"name", "smooth"}, {"input", Json::array({at})}})["output"];
    return output.get<std::vector<std::vector<double>>>();
  };
  const auto middle = evaluate(x);
  ASSERT_EQ(middle.size(), 2u);
  ASSERT_EQ(middle[1].size(), 9u);
  for (std::size_t out = 0; out < 2; ++out)
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<double> vec(3, 0.0), up = x, down = x;
      vec[k] = 1;
      const double h = 1e-5;
      up[k] += h;
      down[k] -= h;
      const auto high = evaluate(up), low = evaluate(down);
      const auto column = post(b, "/ApplyJacobian",
                               {{"name", "smooth"},
                                {"outWrt", out},
                                {"inWrt", 0},
                                {"input", Json::array({x})},
                                {"vec", vec}})["output"]
                              .get<std::vector<double>>();
      ASSERT_EQ(column.size(), middle[out].size());
      for (std::size_t r = 0; r < column.size(); ++r) {
        EXPECT_NEAR(column[r], (high[out][r] - low[out][r]) / (2 * h), 2e-5) << out << r << k;
        std::vector<double> sens(column.size(), 0.0);
        sens[r] = 1;
        const auto row = post(b, "/Gradient",
                              {{"name", "smooth"},
                               {"outWrt", out},
                               {"inWrt", 0},
                               {"input", Json::array({x})},
                               {"sens", sens}})["output"]
                             .get<std::vector<double>>();
        EXPECT_DOUBLE_EQ(row[k], column[r]);
      }
    }
}

TEST(serve, errors_are_those_of_the_protocol) {
  const UmBridge b = bridge();
  const auto type = [&](const char* target, const Json& body, int status) {
    return post(b, target, body, status)["error"]["type"].get<std::string>();
  };
  const Json good = Json::parse(R"({"name": "smooth", "input": [[0.6, 0.3, 1.5]]})");
  const auto with = [&](const char* key, const Json& value) {
    Json changed = good;
    changed[key] = value;
    return changed;
  };
  EXPECT_EQ(type("/Evaluate", with("name", "other"), 400), "ModelNotFound");
  EXPECT_EQ(type("/Evaluate", with("name", 3), 400), "InvalidInput");
  EXPECT_EQ(type("/Evaluate", with("input", Json::parse("[[1, 2]]")), 400), "InvalidInput");
  EXPECT_EQ(type("/Evaluate", with("input", Json::parse("[[1, 2, \"x\"]]")), 400), "InvalidInput");
  EXPECT_EQ(type("/Evaluate", with("input", Json::parse("[[1, 2, 3], [4]]")), 400), "InvalidInput");
  EXPECT_EQ(type("/Evaluate", with("input", 5), 400), "InvalidInput");
  EXPECT_EQ(type("/Evaluate", with("input", Json::parse("[[-5, 0.3, 1.5]]")), 500),
            "InvalidOutput");
  EXPECT_EQ(type("/ApplyHessian", good, 400), "UnsupportedFeature");
  EXPECT_EQ(type("/Gradient", Json::parse(R"({"name": "path", "input": [[0.5]]})"), 400),
            "UnsupportedFeature");
  EXPECT_EQ(type("/Gradient", with("outWrt", 7), 400), "InvalidInput");
  EXPECT_EQ(b.answer("POST", "/Evaluate", "{").status, 400);
  EXPECT_EQ(b.answer("POST", "/etc/passwd", "").status, 404);
  EXPECT_EQ(b.answer("GET", "/Evaluate", "").status, 405);
}

TEST(dakota, both_formats_give_values_and_gradients) {
  const Study study = Study::parse(smooth, "smooth.toml");
  const std::string standard =
      "                     2 variables\n 6.5e-01 law_1_beta\n 1.5e+00 law[1].k\n"
      "                     2 functions\n 3 ASV_1:mix\n 1 ASV_2:last\n"
      "                     2 derivative_variables\n 1 DVV_1:law_1_beta\n 2 DVV_2:law[1].k\n"
      "                     0 analysis_components\n 1 eval_id\n";
  const std::string aprepro =
      "{ DAKOTA_VARS = 2 }\n{ law_1_beta = 6.5e-01 }\n{ law[1].k = 1.5e+00 }\n"
      "{ DAKOTA_FNS = 2 }\n{ ASV_1:mix = 3 }\n{ ASV_2:last = 1 }\n"
      "{ DAKOTA_DER_VARS = 2 }\n{ DVV_1:law_1_beta = 1 }\n{ DVV_2:law[1].k = 2 }\n"
      "{ DAKOTA_AN_COMPS = 0 }\n{ DAKOTA_EVAL_ID = 1 }\n";
  const std::string result = dakota_results(study, standard);
  EXPECT_EQ(dakota_results(study, aprepro), result);
  // What Dakota does not give is that of the file.
  const std::vector<double> at{0.65, 0.3, 1.5};
  const Outcome outcome = study.evaluate(at);
  const Eigen::MatrixXd jacobian = study.jacobian(at);
  std::istringstream lines(result);
  double mix = 0, last = 0, first = 0, second = 0;
  std::string label, open, close;
  lines >> mix >> label;
  EXPECT_EQ(label, "mix");
  lines >> last >> label >> open >> first >> second >> close;
  EXPECT_EQ(mix, outcome.values[1]);
  EXPECT_EQ(last, outcome.values[0]);
  EXPECT_EQ(first, jacobian(1, 0));
  EXPECT_EQ(second, jacobian(1, 2));
  EXPECT_EQ(close, "]");
  // A run that the law refuses.
  std::string outside = aprepro;
  outside.replace(outside.find("6.5e-01"), 7, "-6.5e+0");
  outside.replace(outside.find("ASV_1:mix = 3"), 13, "ASV_1:mix = 1");
  EXPECT_EQ(dakota_results(study, outside).substr(0, 5), "fail\n");
  for (const char* bad : {"", "2 variables\n1 x\n", "{ DAKOTA_VARS = 1 }\n{ y = 1 }\n",
                          "1 variables\n1 law_1_beta\n1 functions\n1 ASV_1:other\n0 "
                          "derivative_variables\n",
                          "1 variables\n1 law_1_beta\n1 functions\n4 ASV_1:mix\n0 "
                          "derivative_variables\n"})
    EXPECT_THROW(dakota_results(study, bad), Error) << bad;
}

}  // namespace serve_test
}  // namespace microslip::study
