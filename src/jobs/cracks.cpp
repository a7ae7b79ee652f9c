#include "microslip/jobs/cracks.hpp"

#include <algorithm>
#include <cmath>

#include "jobs/file_form.hpp"
#include "jobs/progress.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/parallel.hpp"
#include "microslip/version.hpp"

namespace microslip::jobs {
namespace {

/// Rows whose states a picture shows.
std::vector<std::size_t> extremes_of(const std::vector<double>& f) {
  const auto row = [&](auto place) { return static_cast<std::size_t>(place - f.begin()); };
  return {row(std::max_element(f.begin(), f.end())), row(std::min_element(f.begin(), f.end()))};
}
/// Between the last two times that the load reached its maximum; the whole history if it did so
/// only once.
std::vector<std::size_t> strip_of(const std::vector<double>& f) {
  constexpr std::size_t pictures = 8;
  const auto [least, most] = std::minmax_element(f.begin(), f.end());
  std::vector<std::size_t> maxima;
  for (std::size_t i = 0; i < f.size(); ++i)
    if (f[i] >= *most - 1e-9 * (*most - *least) && (maxima.empty() || i > maxima.back() + 1))
      maxima.push_back(i);
  const bool again = maxima.size() > 1 && maxima.back() - maxima[maxima.size() - 2] >= pictures;
  const std::size_t begin = again ? maxima[maxima.size() - 2] : 0;
  const std::size_t end = again ? maxima.back() : f.size() - 1;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 1; i <= pictures; ++i) {
    const std::size_t row = begin + i * (end - begin) / pictures;
    if (chosen.empty() || row != chosen.back()) chosen.push_back(row);
  }
  return chosen;
}

void sum_up(const CracksResult& r, CracksSummary& summary) {
  const auto [f_min, f_max] =
      std::minmax_element(r.asked.load.values.begin(), r.asked.load.values.end());
  const auto [xi_min, xi_max] = std::minmax_element(r.xi.begin(), r.xi.end());
  summary = {.rows = r.xi.size(),
             .nodes = r.solved->nodes().size(),
             .f_min = *f_min,
             .f_max = *f_max,
             .xi_min = *xi_min,
             .xi_max = *xi_max,
             .c0 = r.solved->c0(),
             .dissipated = r.run.energy.back(),
             .changes = r.run.events,
             .linear_solves = r.run.iterations,
             .energy_balance_error = r.run.energy_error};
}

/// One field of an ensemble.
struct Field {
  std::uint64_t seed = 0;
  double energy = 0, xi_max = 0;
  std::string trouble;  ///< why it could not be computed
};

Field solve_field(const catalog::CracksFile& asked, std::size_t number) {
  contact::RandomCracks field = *asked.random;
  field.seed += number;
  Field result;
  result.seed = field.seed;
  try {
    const contact::CrackedPlate plate(asked.plate, contact::random_cracks(field), asked.stress,
                                      asked.options);
    const contact::Result run = contact::run(plate.problem(), asked.load.values);
    if (run.status != Status::ok) {
      result.trouble = run.trouble;
      return result;
    }
    result.energy = run.energy.back();
    for (std::size_t row = 0; row < run.xi.size(); ++row)
      result.xi_max =
          std::max(result.xi_max, std::abs(plate.xi(asked.load.values[row], run.xi[row])));
  } catch (const Error& error) {
    result.trouble = error.what();
  }
  return result;
}

void sum_up(const std::vector<double>& values, EnsembleSummary& summary) {
  const auto n = static_cast<double>(values.size());
  for (const double v : values) summary.mean_energy += v / n;
  for (const double v : values)
    summary.standard_deviation += (v - summary.mean_energy) * (v - summary.mean_energy) / (n - 1);
  summary.standard_deviation = std::sqrt(summary.standard_deviation);
  summary.standard_error = summary.standard_deviation / std::sqrt(n);
}

}  // namespace

std::vector<io::ColumnView> CracksResult::views() const {
  std::vector<io::ColumnView> views;
  if (!asked.load.t.empty()) views.push_back({"t", asked.load.t_unit, asked.load.t});
  views.push_back({"f", asked.load.unit, asked.load.values});
  views.push_back({"xi", "", xi});
  views.push_back({"energy", "", run.energy});
  return views;
}

CracksResult cracks(CracksRequest request, const Control& control) {
  CracksResult result;
  result.version = version;
  result.file = request.name;
  result.asked = std::move(request.cracks);
  const catalog::CracksFile& asked = result.asked;
  result.notes = asked.load.notes;
  const std::vector<double>& f = asked.load.values;
  if (f.empty()) throw Error("load.f is empty");
  result.solved = std::make_shared<contact::CrackedPlate>(asked.plate, asked.cracks, asked.stress,
                                                          asked.options);
  const contact::CrackedPlate& plate = *result.solved;
  const auto extremes = extremes_of(f), strip = strip_of(f);
  Progress progress(control, f.size());
  const auto keep = [&](std::size_t row, const contact::Solver& solver) {
    if (std::find(strip.begin(), strip.end(), row) != strip.end())
      result.strip.push_back({row, solver.nodes()});
    for (const std::size_t extreme : extremes)
      if (extreme == row) result.extremes.push_back({row, solver.nodes()});
    if (!progress.advance(1)) throw Interrupted();
  };
  result.run = contact::run(plate.problem(), f, {.stretches = request.stretches, .each_row = keep});
  if (result.run.status != Status::ok)
    throw Failure("the computation stopped at " + asked.load.place(result.run.xi.size()) + ": " +
                  std::string(explain(result.run.status)) + "; " + result.run.trouble);
  for (std::size_t i = 0; i < f.size(); ++i) result.xi.push_back(plate.xi(f[i], result.run.xi[i]));
  result.plate = plate.plate();
  result.stress = asked.stress;
  sum_up(result, result.summary);
  for (std::size_t k = 0; k < plate.cracks().size(); ++k) {
    const contact::Crack& c = plate.cracks()[k];
    result.cracks.push_back(
        {c.x, c.y, c.half_length, c.angle, c.mu,
         static_cast<std::size_t>(plate.first_node()[k + 1] - plate.first_node()[k])});
  }
  if (request.with_columns) {
    result.columns.emplace();
    for (const io::ColumnView& column : result.views())
      result.columns->emplace_back(column.name,
                                   std::vector(column.values.begin(), column.values.end()));
  }
  return result;
}

EnsembleResult cracks_ensemble(const EnsembleRequest& request, const Control& control) {
  if (request.count < 2 || request.count > 1000000)
    throw Error("count = " + std::to_string(request.count) +
                " must be a whole number from 2 to 1000000");
  if (!request.cracks.random)
    throw Error(
        "an ensemble draws fields by seed; the cracks must be given as random = { n, seed }");
  EnsembleResult result;
  result.version = version;
  result.file = request.name;
  std::vector<Field> members(request.count);
  Progress progress(control, request.count);
  in_parallel(request.count, thread_count(0), [&](std::size_t i) {
    if (progress.stopped()) return;
    members[i] = solve_field(request.cracks, i);
    progress.advance(1);
  });
  if (progress.stopped()) throw Interrupted();
  for (Field& member : members) {
    if (!member.trouble.empty()) {
      result.left_out.emplace_back(member.seed, std::move(member.trouble));
      continue;
    }
    result.columns.seed.push_back(static_cast<double>(member.seed));
    result.columns.energy.push_back(member.energy);
    result.columns.xi_max.push_back(member.xi_max);
  }
  result.summary.fields = result.columns.energy.size();
  result.summary.left_out = result.left_out.size();
  if (result.summary.fields < 2) throw Failure("fewer than two fields could be computed");
  sum_up(result.columns.energy, result.summary);
  return result;
}

// A member that is added to the file and not written here does not compile.
Json FileForm<catalog::CracksFile>::write(const catalog::CracksFile& file) {
  const auto& [plate, cracks, random, stress, options, load, files] = file;
  Json json{{"plate", to_json(plate)}};
  if (random) {
    json["random"] = to_json(*random);
  } else {
    json["crack"] = Json::array();
    for (const auto& [x, y, half_length, angle, mu] : cracks)
      json["crack"].push_back(
          {{"at", {x, y}}, {"half_length", half_length}, {"angle", angle}, {"mu", mu}});
  }
  json["load"]["stress"] = stress;
  add_history(load, "f", json["load"]);
  json["options"] = to_json(options);
  return json;
}

void FileForm<catalog::CracksFile>::read(const Json& json, catalog::CracksFile& to,
                                         const std::string& where, const Columns& beside) {
  Json document = json;
  if (document.contains("load"))
    take_columns(document["load"], {"t", "f"}, where + ".load", beside);
  to = catalog::parse_cracks(document.dump(), {where, false});
}

MICROSLIP_TEXT_FORM(CracksRequest)
MICROSLIP_TEXT_FORM(CracksResult)
MICROSLIP_TEXT_FORM(EnsembleRequest)
MICROSLIP_TEXT_FORM(EnsembleResult)

}  // namespace microslip::jobs
