#include "microslip/jobs/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "jobs/file_form.hpp"
#include "jobs/progress.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/version.hpp"

namespace microslip::jobs {
namespace {

using Index = Eigen::Index;
using reduce::Evaluation;
using reduce::Shape;

/// What fails once the input is understood is a failure of the computation.
template <class Work>
auto computed(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Failure(error.what());
  }
}

/// Modes for a total number, in the proportion that was asked for.
Eigen::MatrixXd basis_of(const catalog::ReductionFile& asked, const reduce::MotionRecord* record,
                         Index total) {
  if (asked.analytic)
    return reduce::analytic_modes(asked.sliders.system->size(), total, asked.alpha);
  const auto [main, after, window] = asked.modes;
  const auto later = static_cast<Index>(
      std::floor(static_cast<double>(total * after) / static_cast<double>(main + after)));
  return record->modes(total - later, later).basis;
}

void add_betas(ReduceResult& r, const std::vector<double>& errors) {
  for (std::size_t i = 0; i < errors.size(); ++i)
    r.beta_study.push_back({r.asked.betas[i], errors[i]});
}

void solve(ReduceResult& r, const Control& control) {
  const auto& asked = r.asked;
  const auto& system = *asked.sliders.system;
  const reduce::Output output{asked.sliders.minus_bx, asked.sliders.c0};
  const reduce::Build build = [](const ModelSpec& spec) { return catalog::make(spec); };
  Progress progress(control,
                    asked.loads.size() + asked.validation.size() + 1 + 3 * asked.study.size());
  const auto go_on = [](bool wanted) {
    if (!wanted) throw Interrupted();
  };
  const auto run_all = [&](const auto& histories, std::vector<reduce::FullRun>& runs) {
    for (const auto& history : histories) {
      go_on(progress.stage(history.name));
      runs.push_back(
          computed([&] { return reduce::run_full(system, output, history.name, history.rows); }));
      go_on(progress.advance(1));
    }
  };
  run_all(asked.loads, r.loads);
  run_all(asked.validation, r.validation);

  std::unique_ptr<reduce::MotionRecord> record;
  if (!asked.analytic) {
    std::vector<std::vector<double>> rows;
    for (const auto& history : asked.loads) rows.push_back(history.rows);
    record = computed(
        [&] { return std::make_unique<reduce::MotionRecord>(system, rows, asked.modes.window); });
  }
  const Index total = asked.modes.main + asked.modes.after_reversals;
  if (record)
    r.all_singular_values = computed([&] {
      return record->modes(asked.modes.main, asked.modes.after_reversals).singular_values;
    });
  const auto evaluate = [&](Index modes, Shape shape) {
    const reduce::Task task{output, std::max(asked.generators * modes / total, modes), asked.fit,
                            r.loads, r.validation};
    return computed([&] {
      return reduce::evaluate(system, basis_of(asked, record.get(), modes), shape, task, build);
    });
  };
  go_on(progress.stage("reduced model"));
  r.chosen_model = evaluate(total, asked.shape);
  r.modes = computed([&] { return basis_of(asked, record.get(), total); });
  if (!asked.betas.empty())
    add_betas(r, computed([&] {
                const auto projected = reduce::project(system, r.modes);
                return reduce::error_against_beta(projected.generators, asked.betas, asked.fit);
              }));
  go_on(progress.advance(1));
  for (const Index modes : asked.study)
    for (const Shape shape : {Shape::ellipsoid, Shape::few_generators, Shape::zonotope}) {
      r.studied.push_back(evaluate(modes, shape));
      go_on(progress.advance(1));
    }
}

double full_cost(const ReduceResult& r) {
  double seconds = 0, rows = 0;
  for (const auto* list : {&r.loads, &r.validation})
    for (const auto& run : *list) {
      seconds += run.seconds;
      rows += static_cast<double>(run.loads.size());
    }
  return 1e9 * seconds / rows;
}

std::vector<HistoryMisfit> misfits_of(const std::vector<reduce::Misfit>& misfits,
                                      const std::vector<reduce::FullRun>& runs) {
  std::vector<HistoryMisfit> result;
  for (std::size_t i = 0; i < misfits.size(); ++i) {
    HistoryMisfit entry{runs[i].name, misfits[i].rms, misfits[i].energy, misfits[i].cycle_energy};
    if (!misfits[i].cycle_energy.empty()) {
      entry.cycle_energy_largest = reduce::worst_cycle_energy({misfits[i]});
      entry.cycle_energy_rms = reduce::rms_cycle_energy({misfits[i]});
    }
    result.push_back(std::move(entry));
  }
  return result;
}

ReducedLaw law_of(const Evaluation& e, const ReduceResult& r) {
  return {.modes = static_cast<std::size_t>(e.modes),
          .model = e.shape,
          .parameters = e.model.parameters,
          .friction_error = e.model.friction_error,
          .loads = misfits_of(e.loads, r.loads),
          .validation = misfits_of(e.validation, r.validation),
          .ns_per_row = mean_cost(e)};
}

/// The values of the system, with those of files in place of their names.
Json system_json(const catalog::SlidersSetup& sliders) {
  const auto list = [](const Eigen::VectorXd& v) {
    return std::vector<double>(v.data(), v.data() + v.size());
  };
  const friction::System& system = *sliders.system;
  ParameterValues values = sliders.parameters;
  const auto from_file = [&](const char* name) {
    const auto found = values.find(name);
    return found != values.end() && std::holds_alternative<std::string>(found->second);
  };
  if (from_file("mu")) values["mu"] = list(system.mu());
  if (from_file("b")) values["b"] = list(system.b());
  const bool stiffness = from_file("K");
  if (stiffness) values.erase("K");
  Json json = value_json(values);
  if (stiffness)
    json["K"] =
        matrix_json(system.is_dense() ? Eigen::SparseMatrix<double>(system.dense().sparseView())
                                      : Eigen::SparseMatrix<double>(system.sparse()));
  json.update(value_json(sliders.options));
  return json;
}

Json loads_json(const std::vector<catalog::LoadHistory>& histories) {
  Json json = Json::array();
  for (const auto& [name, rows, notes] : histories) {
    json.push_back({{"name", name}, {"u", rows}});
    if (!notes.empty()) json.back()["notes"] = notes;
  }
  return json;
}

}  // namespace

ReduceResult reduce(ReduceRequest request, const Control& control) {
  ReduceResult r;
  r.version = version;
  r.file = request.name;
  r.asked = std::move(request.reduction);
  if (!r.asked.sliders.system) throw Error("[system] is missing");
  for (const auto* histories : {&r.asked.loads, &r.asked.validation})
    for (const catalog::LoadHistory& history : *histories)
      r.notes.insert(r.notes.end(), history.notes.begin(), history.notes.end());
  solve(r, control);
  r.sliders = static_cast<std::size_t>(r.asked.sliders.system->size());
  r.seed = r.asked.fit.seed;
  r.directions = r.asked.fit.directions;
  r.fit = r.asked.fit.ellipsoid;
  r.basis = r.asked.analytic ? "analytic" : "modes";
  const Index shown = std::min<Index>(20, r.all_singular_values.size());
  r.singular_values.assign(r.all_singular_values.data(), r.all_singular_values.data() + shown);
  r.full_ns_per_row = full_cost(r);
  r.chosen = law_of(r.chosen_model, r);
  const ModelSpec& spec = r.chosen_model.model.spec;
  r.chosen.law = spec.model;
  for (const Evaluation& e : r.studied) r.study.push_back(law_of(e, r));
  if (request.with_law)
    r.reduced =
        NamedLaw{.model = spec.model, .parameters = spec.parameters, .options = spec.options};
  return r;
}

// A member that is added to the file and not written here does not compile.
Json FileForm<catalog::ReductionFile>::write(const catalog::ReductionFile& file) {
  const auto& [sliders, loads, validation, analytic, alpha, modes, shape, generators, study, betas,
               fit, files] = file;
  const auto& [main, after_reversals, window] = modes;
  const auto& [directions, seed, ellipsoid] = fit;
  Json json = Json::object();
  if (sliders.system) json["system"] = system_json(sliders);
  json["load"] = loads_json(loads);
  if (!validation.empty()) json["validation"] = loads_json(validation);
  Json& choices = json["reduce"];
  choices["basis"] = analytic ? "analytic" : "modes";
  if (analytic) choices["alpha"] = alpha;
  choices["modes"] = main;
  choices["after_reversals"] = after_reversals;
  choices["window"] = window;
  choices["model"] = to_json(shape);
  choices["generators"] = generators;
  if (!study.empty()) choices["study"] = study;
  if (!betas.empty()) choices["beta_study"] = betas;
  choices["fit"] = to_json(ellipsoid);
  choices["directions"] = directions;
  choices["seed"] = seed;
  return json;
}

void FileForm<catalog::ReductionFile>::read(const Json& json, catalog::ReductionFile& to,
                                            const std::string& where, const Columns& beside) {
  Json document = json;
  for (const char* key : {"load", "validation"})
    if (document.contains(key) && document[key].is_array())
      for (Json& load : document[key]) take_columns(load, {"u"}, where + "." + key, beside);
  to = catalog::parse_reduction(document.dump(), {where, false});
}

MICROSLIP_TEXT_FORM(ReduceRequest)
MICROSLIP_TEXT_FORM(ReduceResult)

}  // namespace microslip::jobs
