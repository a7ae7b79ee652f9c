#include "microslip/catalog/files/reduction_file.hpp"

#include <cmath>

#include "catalog/files/drive_history.hpp"
#include "catalog/files/listed_matrix.hpp"
#include "catalog/files/toml_table.hpp"
#include "microslip/catalog/files/error_place.hpp"
#include "microslip/catalog/files/parameter_file.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/signal.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/file.hpp"

namespace microslip::catalog {
namespace {

using Index = Eigen::Index;

/// Modes and the shape of the slip surface are those of one friction.
SlidersSetup constant_friction(SlidersSetup setup) {
  if (!setup.factor.constant())
    throw Error("sliders.mu_factor does not go with 'reduce': its friction is constant in time");
  return setup;
}

SlidersSetup sliders_of(const TomlTable& file) {
  if (!file.has("system"))
    file.refuse("system", "[system] is missing: the sliders to reduce, or the name of their file");
  if (file.node("system").is_string()) {
    const std::filesystem::path path = file.file_beside("system");
    const ModelSpec spec = read_model_spec(path, "");
    if (spec.model != "sliders")
      file.refuse("system", "the file '" + file.text("system") + "' describes the law '" +
                                spec.model + "'; it must describe sliders");
    try {
      return constant_friction(make_sliders_setup(spec.parameters, spec.options));
    } catch (const Error& error) {
      throw at_value(path, spec, error);
    }
  }
  const TomlTable table = file.table("system");
  ParameterValues values;
  for (const std::string& key : table.keys()) {
    if (key == "K" && table.is_table(key))
      values.emplace(key, Matrix<double>(listed_matrix(table.table(key))));
    else
      values.emplace(key, table.value(key));
    const bool file_name = key == "K" || key == "mu" || key == "b";
    if (file_name && table.node(key).is_string()) table.refuse_file(key);
  }
  resolve_slider_files(file.file().parent_path(), values);
  try {
    return constant_friction(make_sliders_setup(values, {}));
  } catch (const Error& error) {
    for (const std::string& key : table.keys())
      if (names_value(error.what(), key)) table.refuse(key, error.what());
    file.refuse("system", error.what());
  }
}

LoadHistory load_of(const TomlTable& table) {
  table.allow({"signal", "until", "step", "file", "missing", "name", "u", "notes"});
  if (table.has("u")) {
    for (const char* key : {"signal", "until", "step", "file", "missing"})
      if (table.has(key))
        table.refuse(key, std::string(key) + " does not go with u, a list of numbers");
    LoadHistory history{table.text_or("name", "u"), table.numbers("u"), notes_of(table)};
    for (const double u : history.rows)
      if (!std::isfinite(u)) table.refuse("u", "u must be a list of finite numbers");
    return history;
  }
  if (table.has("file") == table.has("signal"))
    table.refuse("signal", "give either a signal with until and step, or a file");
  if (table.has("file")) {
    const auto path = table.file_beside("file");
    io::Wanted wanted{.required = {"u"}, .optional = {}};
    wanted.missing = missing_of(table);
    const io::Table csv = io::read_csv(path, wanted);
    LoadHistory history{table.text_or("name", table.text("file")), csv.at("u").values, {}};
    add_notes(csv, table.text("file"), history.notes);
    return history;
  }
  if (table.has("missing")) table.refuse("missing", "missing belongs to file");
  const std::string signal = table.text("signal");
  return {
      table.text_or("name", signal),
      sample_signal(Expression::parse(signal, {"t"}), table.number("until"), table.number("step"))
          .u,
      {}};
}

std::vector<LoadHistory> loads_of(const TomlTable& file, const char* key) {
  std::vector<LoadHistory> loads;
  if (!file.has(key)) return loads;
  for (const TomlTable& table : file.tables(key)) {
    loads.push_back(load_of(table));
    if (loads.back().rows.size() < 3)
      table.refuse("file", "the history must have at least three rows");
  }
  return loads;
}

Index count_of(const TomlTable& table, const char* key, Index otherwise, Index least) {
  if (!table.has(key)) return otherwise;
  const int n = table.whole(key);
  if (n < least)
    table.refuse(key, std::string(key) + " = " + std::to_string(n) + " must be at least " +
                          std::to_string(least));
  return n;
}

void read_choices(const TomlTable& table, ReductionFile& out) {
  table.allow({"basis", "alpha", "modes", "after_reversals", "window", "model", "generators",
               "study", "beta_study", "fit", "directions", "seed"});
  const std::string basis = table.text_or("basis", "modes");
  if (basis != "modes" && basis != "analytic") {
    const std::vector<std::string> choices{"modes", "analytic"};
    table.refuse("basis", "unknown basis '" + basis + "'" + suggestion(basis, choices));
  }
  out.analytic = basis == "analytic";
  if (out.analytic != table.has("alpha"))
    table.refuse("alpha", out.analytic ? "the analytic basis needs alpha"
                                       : "alpha belongs to the analytic basis");
  if (out.analytic) out.alpha = table.number("alpha");
  out.modes.main = count_of(table, "modes", out.modes.main, 1);
  out.modes.after_reversals = count_of(table, "after_reversals", 0, 0);
  if (out.analytic && out.modes.after_reversals > 0)
    table.refuse("after_reversals", "the analytic basis has no modes after reversals");
  out.modes.window = table.number_or("window", out.modes.window);
  out.shape = reduce::shape_of(table.text_or("model", "zonotope"));
  const Index total = out.modes.main + out.modes.after_reversals;
  out.generators = count_of(table, "generators", 2 * total, total);
  if (table.has("study"))
    for (const double m : table.numbers("study")) {
      if (m != std::floor(m) || m < 1 || m > 64)
        table.refuse("study", "study must list whole numbers of modes from 1 to 64");
      out.study.push_back(static_cast<Index>(m));
    }
  if (table.has("beta_study")) {
    out.betas = table.numbers("beta_study");
    for (const double beta : out.betas)
      if (!(beta > 0 && beta <= 2))
        table.refuse("beta_study", "beta_study must list exponents above 0 and up to 2");
  }
  const std::string fit = table.text_or("fit", "directions");
  if (fit != "directions" && fit != "moments") {
    const std::vector<std::string> choices{"directions", "moments"};
    table.refuse("fit", "unknown fit '" + fit + "'" + suggestion(fit, choices));
  }
  if (fit == "moments") out.fit.ellipsoid = reduce::EllipsoidBy::moments;
  // As many as in the thesis.
  out.fit.directions = static_cast<std::size_t>(count_of(table, "directions", 1000000, 100));
  out.fit.seed = static_cast<std::uint64_t>(count_of(table, "seed", 1, 0));
}

void check_together(const TomlTable& file, const ReductionFile& out) {
  const Index sliders = out.sliders.system->size();
  const auto check_modes = [&](Index modes) {
    if (modes > sliders)
      file.refuse("reduce", std::to_string(modes) +
                                " modes are more than the system has sliders, " +
                                std::to_string(sliders));
  };
  check_modes(out.modes.main + out.modes.after_reversals);
  for (const Index modes : out.study) check_modes(modes);
  if (out.shape == reduce::Shape::m_state && !out.sliders.minus_bx)
    file.refuse("reduce",
                "the law m-state answers a force: it needs output = \"u-bx\" in [system]; choose "
                "ellipsoid for a system that answers a displacement");
}

}  // namespace

ReductionFile parse_reduction(std::string_view text, const TextSource& source) {
  const toml::table root = parse_document(text, source);
  const TomlTable file(root, source, "");
  file.allow({"system", "load", "validation", "reduce"});
  ReductionFile out;
  out.sliders = sliders_of(file);
  out.loads = loads_of(file, "load");
  out.validation = loads_of(file, "validation");
  if (file.has("reduce"))
    read_choices(file.table("reduce"), out);
  else
    out.generators = 2 * out.modes.main;
  check_together(file, out);
  if (out.loads.empty())
    file.refuse("load", "[[load]] is missing: the loads from which the modes are taken");
  out.files = file.files_read();
  for (const auto& [key, value] : out.sliders.parameters)
    if (const auto* path = std::get_if<std::string>(&value)) out.files.emplace_back(*path);
  return out;
}

ReductionFile read_reduction(const std::filesystem::path& path) {
  try {
    return parse_reduction(io::read_file(path), path);
  } catch (const Error& error) {
    throw at_key(path, error);
  }
}

}  // namespace microslip::catalog
