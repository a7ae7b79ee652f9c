#include "microslip/study/serve.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "study/tables.hpp"

namespace microslip::study {
namespace {

/// An error as UM-Bridge tells it.
struct Refusal : std::runtime_error {
  Refusal(int code, std::string of, const std::string& message)
      : std::runtime_error(message), status(code), type(std::move(of)) {}
  int status;
  std::string type;
};

[[noreturn]] void bad_input(const std::string& message) {
  throw Refusal(400, "InvalidInput", message);
}

std::vector<std::size_t> output_sizes(const Study& study) {
  std::vector<std::size_t> sizes;
  std::size_t numbers = 0;
  for (const Quantity& q : study.quantities())
    if (!q.is_curve()) ++numbers;
  if (numbers > 0) sizes.push_back(numbers);
  for (const Quantity& q : study.quantities())
    if (q.is_curve()) sizes.push_back(q.size());
  return sizes;
}

/// Where each entry of each output stands among the values of a run.
std::vector<std::vector<std::size_t>> output_places(const Study& study) {
  std::vector<std::vector<std::size_t>> places;
  std::vector<std::size_t> numbers;
  std::vector<std::vector<std::size_t>> curves;
  std::size_t first = 0;
  for (const Quantity& q : study.quantities()) {
    if (q.is_curve()) {
      curves.emplace_back();
      for (std::size_t k = 0; k < q.size(); ++k) curves.back().push_back(first + k);
    } else {
      numbers.push_back(first);
    }
    first += q.size();
  }
  if (!numbers.empty()) places.push_back(std::move(numbers));
  places.insert(places.end(), curves.begin(), curves.end());
  return places;
}

std::vector<double> vector_of(const Json& json, std::size_t size, const std::string& name) {
  if (!json.is_array() || json.size() != size)
    bad_input(name + " must be a list of " + std::to_string(size) + " numbers");
  std::vector<double> numbers;
  for (const Json& x : json) {
    if (!x.is_number() || !std::isfinite(x.get<double>()))
      bad_input(name + " must hold finite numbers");
    numbers.push_back(x.get<double>());
  }
  return numbers;
}

/// {"input": [[…]]}: one vector.
std::vector<double> input_of(const Json& request, const Study& study) {
  if (!request.contains("input") || !request["input"].is_array() || request["input"].size() != 1)
    bad_input("input must be a list of one vector");
  return vector_of(request["input"][0], study.numbers().size(), "input[0]");
}

std::size_t place_of(const Json& request, const char* key, std::size_t count) {
  if (!request.contains(key) || !request[key].is_number_integer())
    bad_input(std::string(key) + " must be a whole number");
  const auto place = request[key].get<std::int64_t>();
  if (place < 0 || place >= static_cast<std::int64_t>(count))
    bad_input(std::string(key) + " must be from 0 to " + std::to_string(count - 1));
  return static_cast<std::size_t>(place);
}

Json finite_list(const std::vector<double>& numbers) {
  Json list = Json::array();
  for (const double x : numbers) {
    if (!std::isfinite(x))
      throw Refusal(500, "InvalidOutput", "the result has a number that is not finite");
    list.push_back(x);
  }
  return list;
}

Json evaluated(const Study& study, const Json& request, const std::function<bool()>& stop) {
  const jobs::Control control{[&](double, std::string_view) { return !stop || !stop(); }};
  Outcome outcome;
  try {
    outcome = study.evaluate(input_of(request, study), control);
  } catch (const jobs::Interrupted&) {
    throw Refusal(500, "InvalidOutput",
                  "the run was stopped: it took too long, or the server ends");
  }
  if (!outcome.failure.empty())
    throw Refusal(500, "InvalidOutput", "the run failed: " + outcome.failure);
  Json output = Json::array();
  for (const auto& places : output_places(study)) {
    std::vector<double> numbers;
    for (const std::size_t k : places) numbers.push_back(outcome.values[k]);
    output.push_back(finite_list(numbers));
  }
  Json reply;
  reply["output"] = std::move(output);
  return reply;
}

Json derivative(const Study& study, const Json& request, bool transposed) {
  if (!study.differentiates())
    throw Refusal(400, "UnsupportedFeature",
                  "this model has no exact derivatives; see support in /ModelInfo");
  const auto places = output_places(study);
  const std::vector<std::size_t>& rows = places[place_of(request, "outWrt", places.size())];
  place_of(request, "inWrt", 1);
  const std::vector<double> input = input_of(request, study);
  const char* key = transposed ? "sens" : "vec";
  if (!request.contains(key)) bad_input(std::string(key) + " is missing");
  const std::vector<double> along =
      vector_of(request[key], transposed ? rows.size() : input.size(), key);
  Eigen::MatrixXd jacobian;
  try {
    jacobian = study.jacobian(input);
  } catch (const Error& error) {
    throw Refusal(500, "InvalidOutput", "the run failed: " + std::string(error.what()));
  } catch (const jobs::Failure& failure) {
    throw Refusal(500, "InvalidOutput", "the run failed: " + std::string(failure.what()));
  }
  std::vector<double> result(transposed ? input.size() : rows.size(), 0.0);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t c = 0; c < input.size(); ++c) {
      const double slope =
          jacobian(static_cast<Eigen::Index>(rows[r]), static_cast<Eigen::Index>(c));
      if (transposed)
        result[c] += along[r] * slope;
      else
        result[r] += slope * along[c];
    }
  Json reply;
  reply["output"] = finite_list(result);
  return reply;
}

}  // namespace

UmBridge::UmBridge(std::map<std::string, Study> models) : models_(std::move(models)) {
  if (models_.empty()) throw Error("there is no model to serve");
}

Reply UmBridge::answer(std::string_view method, std::string_view target, const std::string& body,
                       const std::function<bool()>& stop) const {
  try {
    target = target.substr(0, target.find('?'));
    static const std::vector<std::string> doors{"/Info",          "/ModelInfo",   "/InputSizes",
                                                "/OutputSizes",   "/Evaluate",    "/Gradient",
                                                "/ApplyJacobian", "/ApplyHessian"};
    if (std::find(doors.begin(), doors.end(), target) == doors.end())
      throw Refusal(404, "InvalidInput", "there is no " + std::string(target));
    if (method != (target == "/Info" ? "GET" : "POST"))
      throw Refusal(405, "InvalidInput",
                    std::string(target) + " takes " + (target == "/Info" ? "GET" : "POST"));
    if (target == "/Info") {
      Json names = Json::array();
      for (const auto& [name, study] : models_) names.push_back(name);
      return {200, Json{{"protocolVersion", 1.0}, {"models", names}}.dump()};
    }
    const Json request = Json::parse(body, nullptr, false);
    if (!request.is_object()) bad_input("the body must be a JSON object");
    if (!request.contains("name") || !request["name"].is_string())
      bad_input("name must be the name of a model");
    const auto found = models_.find(request["name"].get<std::string>());
    if (found == models_.end())
      throw Refusal(400, "ModelNotFound",
                    "there is no model '" + request["name"].get<std::string>() + "'");
    const Study& study = found->second;
    Json reply;
    if (target == "/ModelInfo")
      reply = {{"support",
                {{"Evaluate", true},
                 {"Gradient", study.differentiates()},
                 {"ApplyJacobian", study.differentiates()},
                 {"ApplyHessian", false}}}};
    else if (target == "/InputSizes")
      reply["inputSizes"] = std::vector<std::size_t>{study.numbers().size()};
    else if (target == "/OutputSizes")
      reply["outputSizes"] = output_sizes(study);
    else if (target == "/Evaluate")
      reply = evaluated(study, request, stop);
    else if (target == "/ApplyHessian")
      throw Refusal(400, "UnsupportedFeature", "there are no second derivatives");
    else
      reply = derivative(study, request, target == "/Gradient");
    return {200, reply.dump()};
  } catch (const Refusal& refusal) {
    return {refusal.status,
            Json{{"error", {{"type", refusal.type}, {"message", refusal.what()}}}}.dump(
                -1, ' ', false, Json::error_handler_t::replace)};
  } catch (const std::exception& error) {
    return {500, Json{{"error", {{"type", "InvalidOutput"}, {"message", error.what()}}}}.dump(
                     -1, ' ', false, Json::error_handler_t::replace)};
  }
}

}  // namespace microslip::study
