#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/any_dual_model.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/signal.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/document.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/parameters.hpp"
#include "microslip/io/record_file.hpp"
#include "microslip/jobs/fit.hpp"
#include "microslip/jobs/run.hpp"
#include "study/formula.hpp"
#include "study/varied_job.hpp"

namespace microslip::study {
namespace {

/// A job by its request as a tree. Addresses are paths in it; law[1].k is a parameter of the first law.
class RequestJob : public VariedJob {
 public:
  RequestJob(std::string kind, Json request, Columns columns)
      : kind_(std::move(kind)), request_(std::move(request)), columns_(std::move(columns)) {}

  std::vector<std::string> expanded(const std::string& address) const override {
    const auto open = address.find('[');
    for (std::size_t at = open; at != std::string::npos; at = address.find('[', at + 1)) {
      const auto close = address.find(']', at);
      if (close == std::string::npos)
        throw Error("address '" + address + "': the bracket is not closed");
      const std::string inside = address.substr(at + 1, close - at - 1);
      const auto dots = inside.find("..");
      if (inside != "*" && dots == std::string::npos) continue;
      const Json* list = at_path(request_, steps_of(address.substr(0, at)));
      if (!list || !list->is_array())
        throw Error("address '" + address + "': there is no list '" + address.substr(0, at) + "'");
      std::size_t from = 1, to = list->size();
      if (inside != "*") {
        const auto number = [&](const std::string& text) -> std::size_t {
          if (text.empty() || text.size() > 9 ||
              text.find_first_not_of("0123456789") != std::string::npos)
            return 0;
          return std::stoul(text);
        };
        from = number(inside.substr(0, dots));
        const std::size_t last = number(inside.substr(dots + 2));
        if (from < 1 || last < from || last > to)
          throw Error("address '" + address + "': the range must be two numbers from 1 to " +
                      std::to_string(to));
        to = last;
      }
      std::vector<std::string> all;
      for (std::size_t i = from; i <= to; ++i) {
        std::string one = address;
        one.replace(at + 1, close - at - 1, std::to_string(i));
        for (std::string& further : expanded(one)) all.push_back(std::move(further));
      }
      return all;
    }
    return {address};
  }

  double own(const std::string& address) const override {
    const std::vector<std::string> steps = steps_of(address);
    if (const Json* there = at_path(request_, steps)) {
      if (there->is_number()) return there->get<double>();
      throw Error("address '" + address + "': there stands " + kind_text(*there) +
                  ", not a number");
    }
    // A parameter that the request leaves at the value of the law.
    if (const auto law = law_parameter(steps)) return *law;
    const Json* parent =
        at_path(request_, std::vector<std::string>(steps.begin(), steps.end() - 1));
    std::vector<std::string> known;
    if (parent && parent->is_object())
      for (const auto& [key, value] : parent->items()) known.push_back(key);
    throw Error("address '" + address + "': the request of " + kind_ + " has no such number" +
                (known.empty() ? "" : suggestion(steps.back(), known)));
  }

  std::string law_at(const std::string& address) const override {
    const std::vector<std::string> steps = steps_of(address);
    const Json* law = at_path(request_, steps);
    return law && law->is_object() ? law->value("model", "") : "";
  }

  void bind(const std::vector<std::string>& addresses) override {
    std::vector<double> values;
    for (const std::string& address : addresses) {
      own(address);
      places_.push_back(steps_of(address));
      if (std::count(places_.begin(), places_.end(), places_.back()) > 1)
        throw Error("'" + address + "' is varied twice");
      values.push_back(own(address));
    }
    // Tried at the values of the request: a law may have no dual numbers.
    try {
      std::vector<TableSlopes> slopes;
      run_with_slopes(values, slopes);
      differentiates_ = true;
    } catch (const std::runtime_error&) {
      differentiates_ = false;
    }
  }

  Answer run(std::span<const double> values, const jobs::Control& control) const override {
    Json request = request_;
    for (std::size_t i = 0; i < values.size(); ++i) {
      Json* at = &request;
      for (const std::string& step : places_[i])
        at = at->is_array() ? &(*at)[std::stoul(step) - 1] : &(*at)[step];
      *at = values[i];
    }
    Answer answer;
    answer.json = Json::parse(jobs::run(kind_, request.dump(), columns_, control, &answer.columns));
    if (answer.json.value("interrupted", false)) throw jobs::Interrupted();
    return answer;
  }

  bool differentiates() const override { return differentiates_; }
  Answer run_with_slopes(std::span<const double> values,
                         std::vector<TableSlopes>& slopes) const override;

  std::string identity() const override {
    std::string text = kind_ + " " + request_.dump();
    for (const auto& [name, column] : columns_) {
      text += "\n" + name + ":";
      for (const double x : column) text += " " + io::exact_text(x);
    }
    return text;
  }
  std::string kind() const override { return kind_; }

 private:
  /// law[1].k is short for laws[1].parameters.k.
  std::vector<std::string> steps_of(const std::string& address) const {
    std::vector<std::string> steps = path_steps(address);
    if (steps.front() != "law" || request_.contains("law") || !request_.contains("laws"))
      return steps;
    steps.front() = "laws";
    if (steps.size() > 2 && steps[2] != "parameters") {
      // The name of a parameter of a sum has dots.
      std::string name = steps[2];
      std::size_t i = 3;
      for (; i < steps.size() && std::isdigit(static_cast<unsigned char>(steps[i][0])) == 0; ++i)
        name += "." + steps[i];
      std::vector<std::string> whole{steps[0], steps[1], "parameters", name};
      whole.insert(whole.end(), steps.begin() + static_cast<std::ptrdiff_t>(i), steps.end());
      steps = std::move(whole);
    }
    return steps;
  }

  std::optional<double> law_parameter(const std::vector<std::string>& steps) const {
    if (steps.size() != 4 || steps[2] != "parameters") return std::nullopt;
    const Json* law = at_path(request_, {steps[0], steps[1]});
    if (!law || !law->is_object() || !law->contains("model")) return std::nullopt;
    Json values = *law;
    for (const char* other : {"label", "uncertainty", "resumed", "origin", "lead"})
      values.erase(other);
    const ModelSpec spec =
        io::parse_parameters(values.dump(), io::ParameterFormat::json, steps[0]).front();
    const AnyModel model = catalog::make(spec);
    std::vector<std::string> known;
    for (const auto& [name, value] : model.parameters()) {
      known.push_back(name);
      if (name == steps[3])
        if (const auto* number = std::get_if<double>(&value)) return *number;
    }
    throw Error("the law " + spec.model + " has no single number '" + steps[3] + "'" +
                suggestion(steps[3], known));
  }

  std::string kind_;
  bool differentiates_ = false;
  Json request_;
  Columns columns_;
  std::vector<std::vector<std::string>> places_;
};

/// Force and energy of `simulate` with respect to parameters of its laws, by dual numbers over the same
/// path. The forces have to be those of the job.
Answer RequestJob::run_with_slopes(std::span<const double> values,
                                   std::vector<TableSlopes>& slopes) const {
  if (kind_ != "simulate" || request_.value("drive", "") == "force" ||
      request_.value("start", "") == "first-row" || request_.contains("columns"))
    throw Error("no derivatives of this job");
  for (const auto& place : places_)
    if (place.size() != 4 || place[0] != "laws" || place[2] != "parameters")
      throw Error("no derivatives with respect to other numbers than parameters of laws");
  const jobs::Control control;
  Answer answer = run(values, control);
  const std::vector<ResultTable> tables = answer.tables();
  const auto count = static_cast<Eigen::Index>(values.size());
  const Json& results = answer.json.at("results");
  for (std::size_t law = 0; law < tables.size(); ++law) {
    const std::vector<double>* u = column_of(tables[law], "u");
    const std::vector<double>* f = column_of(tables[law], "f");
    const std::vector<double>* t = column_of(tables[law], "t");
    if (!u || !f || !column_of(tables[law], "energy")) throw Error("no derivatives of vectors");
    const Json part{{"model", results[law]["model"]},
                    {"parameters", results[law]["parameters"]},
                    {"options", results[law].value("options", Json::object())}};
    const AnyModel model =
        catalog::make(io::parse_parameters(part.dump(), io::ParameterFormat::json, "laws").front());
    std::vector<double> dt;
    if (t && model.description().family == Family::rate_dependent) {
      dt.push_back(std::numeric_limits<double>::infinity());
      for (std::size_t i = 1; i < t->size(); ++i) dt.push_back((*t)[i] - (*t)[i - 1]);
    }
    const auto rows = static_cast<Eigen::Index>(u->size());
    Eigen::MatrixXd force = Eigen::MatrixXd::Zero(rows, count), energy = force;
    for (Eigen::Index first = 0; first < count; first += dual_width) {
      DualValues seeds;
      for (Eigen::Index k = first; k < std::min<Eigen::Index>(count, first + dual_width); ++k) {
        const auto& place = places_[static_cast<std::size_t>(k)];
        if (place[1] != std::to_string(law + 1)) continue;
        WideDual seed(values[static_cast<std::size_t>(k)]);
        seed.v[static_cast<int>(k - first)] = 1;
        seeds[place[3]] = {seed};
      }
      if (seeds.empty()) continue;
      const std::vector<WideDual> path(u->begin(), u->end());
      std::vector<WideDual> answers(path.size()), losses(path.size());
      const AnyDualModel dual = model.dual(seeds);
      AnyState state = dual.rest();
      if (dual.run(dt, path, state, answers, losses) != Status::ok)
        throw Error("the law has no derivatives on this path");
      const double size = std::max(std::abs(*std::max_element(f->begin(), f->end())),
                                   std::abs(*std::min_element(f->begin(), f->end())));
      Eigen::RowVectorXd lost = Eigen::RowVectorXd::Zero(count);
      for (Eigen::Index i = 0; i < rows; ++i) {
        const auto row = static_cast<std::size_t>(i);
        if (!(std::abs(answers[row].a - (*f)[row]) <= 1e-8 * size))
          throw Error("the path of the job is another one");
        for (Eigen::Index k = first; k < std::min<Eigen::Index>(count, first + dual_width); ++k) {
          force(i, k) = answers[row].v[static_cast<int>(k - first)];
          lost[k] += losses[row].v[static_cast<int>(k - first)];
        }
        energy.row(i).segment(first, std::min<Eigen::Index>(dual_width, count - first)) =
            lost.segment(first, std::min<Eigen::Index>(dual_width, count - first));
      }
    }
    if (!force.allFinite() || !energy.allFinite())
      throw Error("a derivative is not finite on this path");
    slopes.push_back({{"f", std::move(force)}, {"energy", std::move(energy)}});
  }
  return answer;
}

/// Lists of numbers go beside the request, which is written for every run.
void take_lists(Json& table, const std::string& place, Columns& columns) {
  for (const char* key : {"t", "u", "uy", "un", "mu", "f", "weight", "amplitudes"}) {
    const auto list = table.find(key);
    if (list == table.end() || !list->is_array() || list->empty()) continue;
    std::vector<double> numbers;
    for (const Json& entry : *list) {
      if (!entry.is_number()) throw Error("job: " + place + key + " must be a list of numbers");
      numbers.push_back(entry.get<double>());
    }
    columns[place + key] = std::move(numbers);
    *list = place + key;
  }
}

std::string take_text(Json& table, const char* key) {
  const auto found = table.find(key);
  if (found == table.end()) return "";
  if (!found->is_string()) throw Error(std::string("job: ") + key + " must be a text");
  std::string text = *found;
  table.erase(key);
  return text;
}

double take_number(Json& table, const char* key) {
  const auto found = table.find(key);
  if (found == table.end() || !found->is_number())
    throw Error(std::string("job: signal needs the number '") + key + "'");
  const double x = *found;
  table.erase(key);
  return x;
}

/// `input = "FILE.csv"` or `signal`, `until`, `step` instead of the lists t and u of `simulate`.
void read_history(Json& table, const std::filesystem::path& folder, Columns& columns) {
  if (const std::string input = take_text(table, "input"); !input.empty()) {
    const bool force = table.value("drive", "") == "force";
    io::Wanted wanted{{force ? "f" : "u"}, {"t", "mu"}, {}};
    const io::Table rows = io::read_record(folder / input, wanted);
    for (const io::Column& column : rows.columns) {
      const std::string name = column.name == "f" ? "u" : column.name;
      columns[name] = column.values;
      table[name] = name;
    }
  }
  if (const std::string signal = take_text(table, "signal"); !signal.empty()) {
    const std::string_view variables[] = {"t"};
    const double until = take_number(table, "until"), step = take_number(table, "step");
    const SampledSignal sampled = sample_signal(Expression::parse(signal, variables), until, step);
    columns["t"] = sampled.t;
    columns["u"] = sampled.u;
    table["t"] = "t";
    table["u"] = "u";
  }
}

/// `records = ["loop.csv"]` of `fit`: the columns of the files.
void read_records(Json& table, const std::filesystem::path& folder) {
  for (const char* key : {"records", "predict"}) {
    const auto list = table.find(key);
    if (list == table.end() || !list->is_array()) continue;
    for (Json& entry : *list) {
      if (!entry.is_string()) continue;
      jobs::FitRequest plain;
      plain.records = {jobs::record_of(
          io::read_record(folder / entry.get<std::string>(), {{"u", "f"}, {"t"}, {}}))};
      entry = Json::parse(jobs::to_text(plain, -1))["records"][0];
    }
  }
}

}  // namespace

std::unique_ptr<VariedJob> read_job(const Json& given, const std::filesystem::path& beside) {
  if (!given.is_object()) throw Error("job must be a table with kind and file");
  Json table = given;
  const std::string kind = take_text(table, "kind");
  if (kind.empty()) throw Error("job: 'kind' is missing, as in kind = \"respond\"");
  const std::vector<std::string> kinds = jobs::kinds();
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end() || kind == "export-fmu")
    throw Error("job: unknown kind '" + kind + "'" + suggestion(kind, kinds));
  const std::filesystem::path folder = beside.parent_path();
  const std::string file = take_text(table, "file");
  if (kind == "respond" || kind == "identify") {
    if (file.empty()) throw Error("job: a structure is needed, file = \"structure.toml\"");
    return structure_job(kind, folder / file, table);
  }
  Json request = Json::object();
  if (!file.empty()) {
    const bool of_person =
        kind == "joint" || kind == "cracks" || kind == "cracks-ensemble" || kind == "reduce";
    request = Json::parse(of_person ? jobs::read_request(kind, folder / file)
                                    : io::json_document(io::read_file(folder / file), file));
  }
  request.update(table);
  Columns columns;
  if (kind == "simulate") read_history(request, folder, columns);
  if (kind == "fit" && !request.contains("threads")) request["threads"] = 1;
  read_records(request, folder);
  take_lists(request, "", columns);
  for (const char* key : {"records", "predict"})
    if (request.contains(key) && request[key].is_array())
      for (std::size_t i = 0; i < request[key].size(); ++i)
        take_lists(request[key][i], std::string(key) + std::to_string(i + 1) + ".", columns);
  return std::make_unique<RequestJob>(kind, std::move(request), std::move(columns));
}

}  // namespace microslip::study
