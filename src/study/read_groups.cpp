#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/fit/uncertainty.hpp"
#include "microslip/io/document.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/fit_result.hpp"
#include "study/formula.hpp"
#include "study/reader.hpp"

namespace microslip::study {
namespace {

std::vector<double> two_numbers(const Json& json, const std::string& where) {
  if (!json.is_array() || json.size() != 2) throw Error(where + " must be two numbers in brackets");
  return {plain_number(json[0], where), plain_number(json[1], where)};
}

/// Numbers of a posterior: its text names them, and holds rows of samples.
bool read_samples(const Json& fit, const std::string& prefix, Group& group) {
  const auto samples = fit.find("samples");
  if (samples == fit.end() || !samples->is_object()) return false;
  const auto names = samples->find("names");
  const auto rows = samples->find("rows");
  if (names == samples->end() || rows == samples->end() || rows->empty()) return false;
  group.kind = Group::Kind::samples;
  std::vector<std::size_t> taken;
  for (std::size_t i = 0; i < names->size(); ++i) {
    const auto name = (*names)[i].get<std::string>();
    if (name == "sigma" || fit::is_measurement(name) || name.starts_with("before[")) continue;
    taken.push_back(i);
    group.numbers.push_back(prefix + name);
  }
  group.rows.resize(static_cast<Eigen::Index>(rows->size()),
                    static_cast<Eigen::Index>(taken.size()));
  for (Eigen::Index r = 0; r < group.rows.rows(); ++r)
    for (std::size_t k = 0; k < taken.size(); ++k)
      group.rows(r, static_cast<Eigen::Index>(k)) =
          (*rows)[static_cast<std::size_t>(r)].at(taken[k]).get<double>();
  return true;
}

/// Whether a parameter of the law is never negative: its errors are those of its logarithm.
bool is_positive(const std::string& model, const std::string& name) {
  if (model.empty()) return false;
  const std::string plain = name.substr(0, name.find('['));
  for (const ParameterInfo& info : catalog::describe_model(model).parameters)
    if (info.name == plain) return info.bounds.lo >= 0;
  return false;
}

void read_errors(const std::filesystem::path& path, const Json& fit, const std::string& law,
                 const std::string& prefix, const std::string& where, Group& group,
                 std::vector<Group>& fixed) {
  const auto model = fit.value("model", "");
  const Json& parameters = fit.at("parameters");
  const io::FitErrors errors = io::fit_errors(path, model);
  if (!errors.given)
    throw Error(where + ": " + path.filename().string() + " has no standard errors");
  if (!errors.unknown.empty())
    throw Error(where + ": the fit does not determine " + errors.unknown.front() +
                ", so nothing can be drawn from its errors; a posterior says what is known");
  const auto count = static_cast<Eigen::Index>(errors.names.size());
  group.kind = Group::Kind::fit;
  Eigen::VectorXd deviation(count);
  Eigen::MatrixXd correlation(count, count);
  group.center.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::string& name = errors.names[static_cast<std::size_t>(i)];
    const auto open = name.rfind('[');
    const bool of_law = !law.empty();
    double value = 0;
    if (parameters.contains(name) && parameters[name].is_number()) {
      value = parameters[name].get<double>();
    } else if (open != std::string::npos && parameters.contains(name.substr(0, open))) {
      const std::size_t place = std::stoul(name.substr(open + 1));
      value = parameters[name.substr(0, open)].at(place - 1).get<double>();
    } else {
      throw Error(where + ": the fit has no parameter " + name);
    }
    const bool log = value > 0 && (!of_law || is_positive(law, name));
    group.numbers.push_back(prefix + name);
    group.logarithmic.push_back(log);
    const double error = errors.errors[static_cast<std::size_t>(i)];
    group.center[i] = log ? std::log(value) : value;
    deviation[i] = log ? error / value : error;
    for (Eigen::Index j = 0; j < count; ++j) {
      const double r = errors.correlation[static_cast<std::size_t>(i * count + j)];
      correlation(i, j) = i == j ? 1 : std::isfinite(r) ? r : 0;
    }
  }
  const fit::Uncertainty uncertainty = fit::Uncertainty::from(errors.names, deviation, correlation);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(uncertainty.covariance);
  group.root = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  // What the fit held has no error, but belongs to the law.
  for (const auto& [name, value] : parameters.items()) {
    if (!value.is_number()) continue;
    if (std::find(errors.names.begin(), errors.names.end(), name) != errors.names.end()) continue;
    Group held;
    held.name = prefix + name;
    held.numbers = {held.name};
    held.distribution = {Distribution::Kind::values, 0, 1, -1e308, 1e308, {value.get<double>()}};
    fixed.push_back(std::move(held));
  }
}

std::vector<Group> read_fit(const VariedJob& job, const std::string& address, const Json& entry,
                            const std::filesystem::path& folder, const std::string& where) {
  for (const auto& [key, value] : entry.items())
    if (key != "fit" && key != "model")
      throw Error(where + ": unknown key '" + key + "' beside fit; there is: model");
  const std::filesystem::path path = folder / whole_text(entry.at("fit"), where + ": fit");
  const Json result = Json::parse(io::json_document(io::read_file(path), path.string()));
  const std::string wanted = entry.contains("model") ? whole_text(entry["model"], where) : "";
  const Json* fit =
      result.contains("fits") && !result["fits"].empty() ? &result["fits"][0] : nullptr;
  if (fit && !wanted.empty()) {
    fit = nullptr;
    for (const Json& candidate : result["fits"])
      if (candidate.value("model", "") == wanted) fit = &candidate;
    if (!fit) throw Error(where + ": the file has no fit of '" + wanted + "'");
  }
  // A posterior names its law and holds samples.
  if (!fit && result.contains("samples")) fit = &result;
  if (!fit)
    throw Error(where + ": " + path.filename().string() +
                " is neither a result of 'microslip fit' or 'identify' nor a posterior");
  const std::string law = job.law_at(address);
  // A result of identify names addresses of its own.
  const bool whole = address == "*";
  if (!whole && law.empty())
    throw Error(where +
                ": fit needs the address of a law, \"joint[1]\", or \"*\" for a result of "
                "'microslip identify'");
  if (!whole && fit->value("model", "") != law)
    throw Error(where + ": the fit is of '" + fit->value("model", "") +
                "', and the law there is '" + law + "'");
  const std::string prefix = whole ? "" : address + ".";
  Group group;
  group.name = whole ? path.filename().string() : address;
  std::vector<Group> groups;
  if (!read_samples(*fit, prefix, group))
    read_errors(path, *fit, law, prefix, where, group, groups);
  groups.insert(groups.begin(), std::move(group));
  return groups;
}

}  // namespace

std::string whole_text(const Json& json, const std::string& where) {
  if (!json.is_string()) throw Error(where + " must be a text, not " + kind_text(json));
  return json.get<std::string>();
}

double plain_number(const Json& json, const std::string& where) {
  if (!json.is_number()) throw Error(where + " must be a number, not " + kind_text(json));
  const double x = json.get<double>();
  if (!std::isfinite(x)) throw Error(where + " must be finite");
  return x;
}

Distribution read_distribution(const Json& json, const std::string& where) {
  static const std::vector<std::string> kinds{"normal", "lognormal", "uniform", "values"};
  if (!json.is_object())
    throw Error(where + " must be a table with a distribution, as { normal = [1.0, 0.1] }");
  Distribution d;
  int found = 0;
  for (const auto& [key, value] : json.items()) {
    const auto kind = std::find(kinds.begin(), kinds.end(), key);
    const std::string here = where + ": " + key;
    if (key == "truncated") {
      const auto limits = two_numbers(value, here);
      d.lower = limits[0];
      d.upper = limits[1];
      if (!(d.lower < d.upper)) throw Error(here + ": the first must be smaller than the second");
    } else if (kind == kinds.end()) {
      std::vector<std::string> known = kinds;
      known.insert(known.end(), {"truncated", "factor", "each", "fit"});
      throw Error(where + ": unknown distribution '" + key + "'" + suggestion(key, known));
    } else if (key == "values") {
      d.kind = Distribution::Kind::values;
      ++found;
      if (!value.is_array() || value.empty()) throw Error(here + " must be a list of numbers");
      for (const Json& x : value) d.list.push_back(plain_number(x, here));
    } else {
      d.kind = static_cast<Distribution::Kind>(kind - kinds.begin());
      ++found;
      const auto two = two_numbers(value, here);
      d.a = two[0];
      d.b = two[1];
      if (d.kind == Distribution::Kind::uniform ? !(d.a < d.b) : !(d.b > 0))
        throw Error(here + (d.kind == Distribution::Kind::uniform
                                ? ": the first must be smaller than the second"
                                : ": the deviation must be positive"));
      if (d.kind == Distribution::Kind::lognormal && !(d.a > 0))
        throw Error(here + ": the median must be positive");
    }
  }
  if (found != 1)
    throw Error(where + " must have one distribution: normal, lognormal, uniform or values");
  if (d.kind == Distribution::Kind::values && std::isfinite(d.lower))
    throw Error(where + ": values cannot be truncated");
  d.quantile(0.5);
  if (d.kind == Distribution::Kind::uniform && !(std::max(d.a, d.lower) < std::min(d.b, d.upper)))
    throw Error(where + ": truncated leaves no probability between its limits");
  return d;
}

std::vector<Group> read_group(const VariedJob& job, const std::string& address, const Json& entry,
                              const std::filesystem::path& folder) {
  const std::string where = "vary \"" + address + "\"";
  if (!entry.is_object())
    throw Error(where + " must be a table with a distribution, as { normal = [1.0, 0.1] }");
  if (entry.contains("fit")) return read_fit(job, address, entry, folder, where);
  Json rest = entry;
  bool each = true;
  if (rest.contains("each")) {
    if (!rest["each"].is_boolean()) throw Error(where + ": each must be true or false");
    each = rest["each"].get<bool>();
    rest.erase("each");
  }
  Group group;
  group.factor = rest.contains("factor");
  if (group.factor && rest.size() > 1)
    throw Error(where + ": factor stands alone, with the distribution inside");
  group.distribution = read_distribution(group.factor ? rest["factor"] : rest, where);
  std::vector<Group> groups;
  for (const std::string& member : job.expanded(address)) {
    const double own = job.own(member);
    if (each || groups.empty()) groups.push_back(group);
    groups.back().numbers.push_back(member);
    groups.back().own.push_back(own);
    groups.back().name = each ? member : address;
  }
  return groups;
}

Quantity read_quantity(const Json& entry, const std::string& where) {
  if (!entry.is_object() || !entry.contains("name")) throw Error(where + ": 'name' is missing");
  Quantity q;
  q.name = whole_text(entry["name"], where + ": name");
  const std::string here = "collect '" + q.name + "'";
  q.value = q.name;
  bool given = false;
  for (const auto& [key, value] : entry.items()) {
    if (key == "name") continue;
    if (key == "value") {
      q.value = whole_text(value, here + ": value");
      given = true;
    } else if (key == "on") {
      if (!value.is_object() || value.size() != 1)
        throw Error(here + ": on must name one column, as { omega = [0.8, 1.2, 200] }");
      q.abscissa = value.begin().key();
      const Json& range = value.begin().value();
      if (!range.is_array() || range.size() != 3)
        throw Error(here + ": on must be [from, to, points]");
      const double from = plain_number(range[0], here), to = plain_number(range[1], here);
      const double points = plain_number(range[2], here);
      if (!(from < to) || !(points >= 2 && points <= 100000) || points != std::floor(points))
        throw Error(here + ": on must be [from, to, points], from < to and 2 to 100000 points");
      for (int k = 0; k < static_cast<int>(points); ++k)
        q.grid.push_back(from + (to - from) * k / (points - 1));
    } else if (key == "level") {
      q.keep.emplace_back("level", plain_number(value, here + ": level"));
    } else if (key == "limit") {
      q.limit = plain_number(value, here + ": limit");
    } else if (key == "table") {
      const double n = plain_number(value, here + ": table");
      if (!(n >= 1 && n <= 1000) || n != std::floor(n))
        throw Error(here + ": table must be the number of a table, from 1");
      q.table = static_cast<std::size_t>(n);
    } else {
      throw Error(here + ": unknown key '" + key + "'" +
                  suggestion(key, {"name", "value", "on", "level", "limit", "table"}));
    }
  }
  if (q.is_curve() && q.limit) throw Error(here + ": limit belongs to a number, not to a curve");
  if (!q.is_curve() && !given)
    throw Error(here + ": 'value' is missing, as in value = \"max(x1)\", or 'on' for a curve");
  if (!q.is_curve() && !q.keep.empty())
    throw Error(here + ": level stands in the formula, as max(x1, level=2)");
  return q;
}

}  // namespace microslip::study
