#include "microslip/catalog/sliders/sliders_setup.hpp"

#include <algorithm>
#include <utility>

#include "catalog/files/number_list.hpp"
#include "microslip/detail/catalog/erasure/erased.hpp"
#include "microslip/friction/builders.hpp"
#include "microslip/io/matrix_market.hpp"

namespace microslip::catalog {
namespace {

using friction::Method;
using friction::SparseMatrix;
using friction::System;
using friction::Vector;

/// Dense systems above this would need more than the memory of a large machine.
constexpr double most_sliders = 1e6;

enum class Kind { iwan, random, chain, matrices };
constexpr std::string_view kinds[] = {"iwan", "random", "chain", "matrices"};
enum class Output { bx, u_minus_bx };
using friction::Distribution;

/// The options as a struct with a table, so that the checks of every law serve here too.
struct Options {
  friction::Method method = Method::event;
  Kind kind = Kind::iwan;
  double n = 100;
  double seed = 1;
  Output output = Output::bx;
  Distribution distribution = Distribution::uniform;
  double exponent = 1;
  double epsilon = friction::SolverOptions{}.epsilon;
  double tolerance = friction::SolverOptions{}.tolerance;

  static constexpr auto fields = std::tuple{
      option(&Options::method, "method", {"event", "active-set", "lemke", "regularised"},
             "how it is solved; event is exact, the others take one increment a row"),
      option(&Options::kind, "kind", {kinds[0], kinds[1], kinds[2], kinds[3]},
             "where K, mu and b come from"),
      option(&Options::n, "n", closed_interval(1, most_sliders),
             "number of sliders of iwan, random and chain"),
      option(&Options::seed, "seed", closed_interval(0, 0x1p53), "which random system"),
      option(&Options::output, "output", {"bx", "u-bx"},
             "the answer: bᵀx to a load u, or c0·u − bᵀx to a displacement u"),
      option(&Options::distribution, "distribution", {"uniform", "linear", "parabolic", "power"},
             "chain: how friction of mean mu grows from both ends to the middle"),
      option(&Options::exponent, "exponent", closed_interval(0, 100),
             "of distribution = power: friction grows with this power of the distance"),
      option(&Options::epsilon, "epsilon", positive, "sharpness of regularised"),
      option(&Options::tolerance, "tolerance", open_interval(0, 1),
             "relative error of a step of regularised, and of the chords of mu_factor"),
  };
};

struct Meaning {
  std::string_view name, unit;
  microslip::Kind kind;
  Interval bounds;
  Value standard;
  std::string_view sentence;
  std::string_view kinds;  ///< which kinds of system have it; empty: all
};

const std::vector<Meaning>& meanings() {
  static const std::vector<Meaning> all{
      {"mu0", "F", microslip::Kind::scalar, positive, 0.01,
       "iwan: friction of the strongest slider", "iwan"},
      {"k", "F/L", microslip::Kind::scalar, positive, 1.0, "chain: stiffness between neighbours",
       "chain"},
      {"K", "F/L", microslip::Kind::matrix, any_number,
       Matrix<double>((Matrix<double>(2, 2) << 2, -1, -1, 2).finished()),
       "matrices: stiffness, rows or the name of a Matrix Market file", "matrices"},
      {"mu", "F", microslip::Kind::vector, positive, std::vector<double>{1.0},
       "friction limits, a list or the name of a file; one number serves all sliders",
       "chain matrices"},
      {"b", "1", microslip::Kind::vector, any_number, std::vector<double>{1.0},
       "share of the input of each slider, a list or a file; chain: both ends if left out",
       "chain matrices"},
      {"k0", "F/L", microslip::Kind::scalar, positive, 1.0,
       "chain, output u-bx: springs k0·b by which the displacement pulls", "chain"},
      {"c0", "F/L", microslip::Kind::scalar, any_number, 1.0,
       "output u-bx: stiffness of the springs that pull the sliders", ""},
      {"mu_factor", "1", microslip::Kind::expression, any_number, std::string("1"),
       "factor on all friction limits, a formula of t or rows [t, factor]", ""},
  };
  return all;
}

bool belongs(const Meaning& meaning, Kind kind) {
  return meaning.kinds.empty() ||
         meaning.kinds.find(kinds[static_cast<std::size_t>(kind)]) != std::string_view::npos;
}

std::string full(std::string_view name) { return "sliders." + std::string(name); }

double number_of(const ParameterValues& values, std::string_view name) {
  const Value& value = values.find(name)->second;
  if (const auto* x = std::get_if<double>(&value)) return *x;
  refuse("sliders", name, value, "one number");
}

Vector list_of(const ParameterValues& values, std::string_view name) {
  const Value& value = values.find(name)->second;
  std::vector<double> list;
  if (const auto* x = std::get_if<double>(&value)) {
    list.assign(1, *x);
  } else if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
    list = *numbers;
  } else if (const auto* file = std::get_if<std::string>(&value)) {
    list = read_number_list(*file);
  } else {
    refuse("sliders", name, value, "a list of numbers or the name of a file");
  }
  if (list.empty()) throw Error(full(name) + " must not be empty");
  return Eigen::Map<const Vector>(list.data(), static_cast<Eigen::Index>(list.size()));
}

System system_from_matrices(const ParameterValues& values) {
  const auto spread = [](const Vector& list, Eigen::Index n) {
    return list.size() == 1 && n > 1 ? Vector(Vector::Constant(n, list[0])) : list;
  };
  const Vector mu = list_of(values, "mu"), b = list_of(values, "b");
  const Value& K = values.find("K")->second;
  if (const auto* file = std::get_if<std::string>(&K)) {
    SparseMatrix matrix = io::read_matrix_market(*file);
    const Eigen::Index n = matrix.rows();
    return System(std::move(matrix), spread(mu, n), spread(b, n));
  }
  Matrix<double> matrix;
  if (const auto* rows = std::get_if<Matrix<double>>(&K))
    matrix = *rows;
  else if (const auto* x = std::get_if<double>(&K))
    matrix = Matrix<double>::Constant(1, 1, *x);
  else
    refuse("sliders", "K", K, "rows of numbers or the name of a file");
  return System(matrix, spread(mu, matrix.rows()), spread(b, matrix.rows()));
}

System build(const Options& options, const ParameterValues& values) {
  const auto n = static_cast<Eigen::Index>(options.n);
  switch (options.kind) {
    case Kind::iwan:
      return friction::iwan_system(n, number_of(values, "mu0"));
    case Kind::random:
      return friction::random_system(n, static_cast<std::uint64_t>(options.seed));
    case Kind::chain: {
      const Vector mu = list_of(values, "mu");
      const Vector b = values.contains("b") ? list_of(values, "b") : Vector();
      const auto span = [](const Vector& v) {
        return std::span<const double>(v.data(), static_cast<std::size_t>(v.size()));
      };
      const double k0 = values.contains("k0") ? number_of(values, "k0") : 0;
      if (options.distribution == Distribution::uniform)
        return friction::chain_system(n, number_of(values, "k"), span(mu), span(b), k0);
      if (mu.size() != 1)
        throw Error(full("distribution") + " spreads one mu; a list of " +
                    std::to_string(mu.size()) + " says it already");
      const std::vector<double> spread = friction::friction_limits(
          n, static_cast<double>(n) * mu[0], options.distribution, options.exponent);
      return friction::chain_system(n, number_of(values, "k"), spread, span(b), k0);
    }
    case Kind::matrices:
      break;
  }
  return system_from_matrices(values);
}

/// Options by name, out of the parameters of a file without sections; what --set says goes first.
OptionValues sorted_out(ParameterValues& parameters, const OptionValues& given) {
  OptionValues options = given;
  for_each_field(Options::fields, [&](const auto& row) {
    const auto found = parameters.find(row.name);
    if (found == parameters.end()) return;
    if (const auto* x = std::get_if<double>(&found->second))
      options.emplace(row.name, *x);
    else if (const auto* text = std::get_if<std::string>(&found->second))
      options.emplace(row.name, *text);
    else
      throw Error(full(row.name) + " must be a number or the name of a choice");
    parameters.erase(found);
  });
  return options;
}

Options options_of(const OptionValues& values) {
  Options options;
  for_each_field(Options::fields, [&](const auto& row) {
    if (const auto found = values.find(row.name); found != values.end())
      assign_option("sliders", row, found->second, options.*(row.member));
  });
  for (const double whole : {options.n, options.seed})
    if (whole != static_cast<double>(static_cast<std::int64_t>(whole)))
      throw Error(std::string(whole == options.n ? "sliders.n" : "sliders.seed") + " = " +
                  number_text(whole) + " must be a whole number");
  return options;
}

/// The values a kind of system has; anything else would be lost in silence.
ParameterValues parameters_of(Kind kind, Output output, const ParameterValues& given) {
  for (const char* name : {"c0", "k0"})
    if (output == Output::bx && given.contains(name))
      throw Error(full(name) + " has no meaning for output = bx; it belongs to u-bx");
  if (given.contains("c0") && given.contains("k0"))
    throw Error(full("c0") + " follows from " + full("k0") + ": give one of them");
  std::vector<std::string> known;
  ParameterValues result;
  for (const Meaning& meaning : meanings()) {
    const std::string name(meaning.name);
    if (!belongs(meaning, kind)) {
      if (given.contains(name))
        throw Error(full(name) + " has no meaning for kind = " +
                    std::string(kinds[static_cast<std::size_t>(kind)]) + "; it belongs to " +
                    std::string(meaning.kinds));
      continue;
    }
    if (output == Output::bx && (name == "c0" || name == "k0")) continue;
    if (name == "c0" && given.contains("k0")) continue;
    known.push_back(name);
    if (const auto found = given.find(name); found != given.end())
      result[name] = found->second;
    else if (kind == Kind::matrices && meaning.kinds == "matrices" && !given.empty())
      throw Error("kind = matrices needs sliders.K");
    else if (!(kind == Kind::chain && name == "b") && name != "k0" && name != "mu_factor")
      result[name] = meaning.standard;  // b of a chain: both ends; the others only if given
    // One number for all sliders of a chain is one number to a fit as well.
    if (kind == Kind::chain && name == "mu")
      if (const auto* list = std::get_if<std::vector<double>>(&result[name]))
        if (list->size() == 1) result[name] = Value(double(list->front()));
  }
  for (const auto& [name, value] : given)
    if (!result.contains(name))
      throw Error("unknown parameter '" + name + "' for sliders" + suggestion(name, known));
  return result;
}

friction::FactorHistory factor_of(const Options& options, const ParameterValues& values) {
  const auto found = values.find("mu_factor");
  if (found == values.end()) return {};
  try {
    if (const auto* constant = std::get_if<double>(&found->second))
      return {std::vector<double>{0}, std::vector<double>{*constant}};
    if (const auto* formula = std::get_if<std::string>(&found->second))
      return {Expression::parse(*formula, {"t"}), options.tolerance};
    if (const auto* rows = std::get_if<Matrix<double>>(&found->second); rows && rows->cols() == 2) {
      std::vector<double> t, factor;
      for (Eigen::Index i = 0; i < rows->rows(); ++i) {
        t.push_back((*rows)(i, 0));
        factor.push_back((*rows)(i, 1));
      }
      return {std::move(t), std::move(factor)};
    }
  } catch (const Error& error) {
    const std::string sentence = error.what();
    throw Error(sentence.starts_with("mu_factor") ? "sliders." + sentence
                                                  : full("mu_factor") + ": " + sentence);
  }
  refuse("sliders", "mu_factor", found->second, "a formula of t or rows [t, factor]");
}

}  // namespace

Description sliders_description() {
  Description d{
      .name = "sliders",
      .sentence = "Many massless blocks on dry ground, joined by springs, under one load.",
      .equation = "μ sgn(ẋ) + K x = b u,  f = bᵀx  or  f = c0 u − bᵀx",
      .citation =
          "S. Biswas, Low-dimensional descriptions of high-dimensional frictional hysteresis, PhD "
          "thesis, Indian Institute of Technology Kanpur (2018), eqs (2.4), (3.2), App. A",
      .claims = {.odd = holds,
                 .rate_independent = depends("mu_factor is left out"),
                 .masing = depends("K is diagonal"),
                 .return_point_memory = depends("K is an M-matrix and all b have one sign"),
                 .minor_loops_close = depends("K is an M-matrix and all b have one sign"),
                 .dissipative = holds,
                 .bounded = depends("output = u-bx and c0 = bᵀK⁻¹b"),
                 .planar_isotropic = not_applicable},
      .driven = Driven::force,
      .parameters = {},
      .options = {},
      .states = {{"u", "F", "the load, or the displacement for output u-bx"},
                 {"f", "L", "the answer bᵀx, or the force c0·u − bᵀx"},
                 {"x", "L", "where the sliders are"},
                 {"side", "1", "±1 for a slider at its limit ±mu, 0 inside"},
                 {"direction", "1", "of the last motion"},
                 {"turns", "F", "loads at which the history turned; diagonal K only"},
                 {"factor", "1", "factor on friction; with mu_factor only"},
                 {"t", "T", "time; with mu_factor only"}}};
  for (const Meaning& m : meanings())
    d.parameters.push_back({std::string(m.name), std::string(m.unit), m.kind, m.bounds,
                            m.kind == microslip::Kind::expression ? std::vector<std::string>{"t"}
                                                                  : std::vector<std::string>{},
                            m.standard, std::string(m.sentence)});
  d.options = describe_options<Options>();
  return d;
}

void resolve_slider_files(const std::filesystem::path& folder, ParameterValues& values) {
  for (const char* name : {"K", "mu", "b"})
    if (const auto found = values.find(name); found != values.end())
      if (auto* file = std::get_if<std::string>(&found->second))
        if (std::filesystem::path(*file).is_relative()) *file = (folder / *file).string();
}

SlidersSetup make_sliders_setup(const ParameterValues& parameters, const OptionValues& options) {
  ParameterValues own = parameters;
  OptionValues chosen = completed(sliders_description(), sorted_out(own, options));
  const Options parsed = options_of(chosen);
  own = parameters_of(parsed.kind, parsed.output, own);

  SlidersSetup setup;
  setup.system = std::make_shared<const System>(build(parsed, own));
  if (parsed.kind == Kind::matrices) chosen["n"] = static_cast<double>(setup.system->size());
  setup.factor = factor_of(parsed, own);
  setup.solver = {parsed.method, parsed.epsilon, parsed.tolerance, false, !setup.factor.constant()};
  if (setup.solver.varying && parsed.method == Method::regularised)
    throw Error(full("mu_factor") +
                " does not go with method = regularised; use event, active-set or lemke");
  if (parsed.distribution != Distribution::uniform && parsed.kind != Kind::chain)
    throw Error(full("distribution") + " has no meaning for kind = " +
                std::string(kinds[static_cast<std::size_t>(parsed.kind)]) +
                "; it belongs to chain");
  if (parsed.exponent != 1 && parsed.distribution != Distribution::power)
    throw Error(full("exponent") + " belongs to distribution = power");
  setup.minus_bx = parsed.output == Output::u_minus_bx;
  // Springs k0 b_i that pull the sliders have the stiffness Σ k0 b_i together, which is b of the system.
  if (setup.minus_bx)
    setup.c0 = own.contains("k0") ? setup.system->b().sum() : number_of(own, "c0");
  check_value("sliders", "c0", setup.c0, any_number);
  setup.parameters = std::move(own);
  setup.options = std::move(chosen);
  return setup;
}

}  // namespace microslip::catalog
