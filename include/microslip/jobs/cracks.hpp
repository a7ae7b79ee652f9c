#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "microslip/catalog/files/cracks_file.hpp"
#include "microslip/contact/solver.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/jobs/control.hpp"
#include "microslip/jobs/plane.hpp"

/// Loops of a plate with frictional cracks, from geometry.
namespace microslip::jobs {

template <>
inline constexpr auto members_of<contact::Plate> =
    std::tuple{member("E", &contact::Plate::E), member("nu", &contact::Plate::nu),
               member("plane", &contact::Plate::plane), member("length", &contact::Plate::length),
               member("finite", &contact::Plate::finite)};

template <>
inline constexpr auto members_of<contact::RandomCracks> =
    std::tuple{member("n", &contact::RandomCracks::n),
               member("seed", &contact::RandomCracks::seed),
               member("half_length", &contact::RandomCracks::half_length),
               member("angle", &contact::RandomCracks::angle),
               member("mu", &contact::RandomCracks::mu),
               member("region", &contact::RandomCracks::region),
               member("gap", &contact::RandomCracks::gap)};

template <>
inline constexpr auto members_of<contact::CrackOptions> =
    std::tuple{member("nodes", &contact::CrackOptions::nodes),
               member("most_nodes", &contact::CrackOptions::most_nodes),
               member("edge_elements", &contact::CrackOptions::edge_elements),
               member("interaction", &contact::CrackOptions::interaction)};

/// Its text is the file that a person writes, with the rows of its tables in it, and another key.
struct CracksRequest {
  std::string name = "cracks";  ///< for messages and results: the name of the file
  catalog::CracksFile cracks;
  bool with_columns = true;  ///< the text of the result holds the columns
  bool stretches = false;    ///< which part of which crack is open or slips when

  static constexpr std::string_view schema = "microslip.cracks-request/1";
  static constexpr auto members = std::tuple{
      member("name", &CracksRequest::name), member_in_place(&CracksRequest::cracks),
      member("with_columns", &CracksRequest::with_columns), not_in_text(&CracksRequest::stretches)};
};

// ----------------------------------------------------------------------------------------- result

/// States of all nodes at a row of the history.
struct CracksMoment {
  std::size_t row;
  std::vector<contact::Contact> nodes;
};

struct CracksSummary {
  std::size_t rows = 0, nodes = 0;
  double f_min = 0, f_max = 0, xi_min = 0, xi_max = 0;
  double c0 = 0;  ///< edge stretch of the plate without cracks, for f = 1
  double dissipated = 0;
  std::size_t changes = 0, linear_solves = 0;
  double energy_balance_error = 0;

  static constexpr auto members =
      std::tuple{member("rows", &CracksSummary::rows),
                 member("nodes", &CracksSummary::nodes),
                 member("f_min", &CracksSummary::f_min),
                 member("f_max", &CracksSummary::f_max),
                 member("xi_min", &CracksSummary::xi_min),
                 member("xi_max", &CracksSummary::xi_max),
                 member("c0", &CracksSummary::c0),
                 member("dissipated", &CracksSummary::dissipated),
                 member("changes", &CracksSummary::changes),
                 member("linear_solves", &CracksSummary::linear_solves),
                 member("energy_balance_error", &CracksSummary::energy_balance_error)};
};

struct SolvedCrack {
  double x = 0, y = 0, half_length = 0, angle = 0, mu = 0;
  std::size_t nodes = 0;
  static constexpr auto members = std::tuple{member("x", &SolvedCrack::x),
                                             member("y", &SolvedCrack::y),
                                             member("half_length", &SolvedCrack::half_length),
                                             member("angle", &SolvedCrack::angle),
                                             member("mu", &SolvedCrack::mu),
                                             member("nodes", &SolvedCrack::nodes)};
};

struct CracksResult {
  std::string version, command, file;
  contact::Plate plate{};
  std::array<double, 3> stress{};
  CracksSummary summary{};
  std::vector<SolvedCrack> cracks{};
  std::optional<Named<std::vector<double>>> columns{};  ///< t if there is one, f, xi, energy
  std::vector<std::string> notes{};                     ///< on rows of the load without a number

  catalog::CracksFile asked{};
  std::shared_ptr<const contact::CrackedPlate> solved{};
  contact::Result run{};
  std::vector<double> xi{};              ///< edge stretch
  std::vector<CracksMoment> extremes{};  ///< at the largest and smallest load
  std::vector<CracksMoment> strip{};     ///< at equal distances of the last cycle

  std::vector<io::ColumnView> views() const;

  static constexpr std::string_view schema = "microslip.cracks/1";
  static constexpr auto members = std::tuple{member("version", &CracksResult::version),
                                             member("command", &CracksResult::command),
                                             member("file", &CracksResult::file),
                                             member("plate", &CracksResult::plate),
                                             member("stress", &CracksResult::stress),
                                             member("summary", &CracksResult::summary),
                                             member("cracks", &CracksResult::cracks),
                                             member_if_any("columns", &CracksResult::columns),
                                             member_if_any("notes", &CracksResult::notes),
                                             not_in_text(&CracksResult::asked),
                                             not_in_text(&CracksResult::solved),
                                             not_in_text(&CracksResult::run),
                                             not_in_text(&CracksResult::xi),
                                             not_in_text(&CracksResult::extremes),
                                             not_in_text(&CracksResult::strip)};
};

/// Throws Failure where the computation stops, Interrupted when it is stopped.
CracksResult cracks(CracksRequest request, const Control& control = {});

// --------------------------------------------------------------------------------------- ensemble

/// The same plate with fields of other seeds, from that of the request on, on all cores.
struct EnsembleRequest {
  std::string name = "cracks";
  catalog::CracksFile cracks;  ///< drawn at random
  std::size_t count = 20;

  static constexpr std::string_view schema = "microslip.cracks-ensemble-request/1";
  static constexpr auto members =
      std::tuple{member("name", &EnsembleRequest::name), member_in_place(&EnsembleRequest::cracks),
                 member("count", &EnsembleRequest::count)};
};

struct EnsembleSummary {
  std::size_t fields = 0, left_out = 0;
  double mean_energy = 0, standard_deviation = 0, standard_error = 0;
  static constexpr auto members = std::tuple{
      member("fields", &EnsembleSummary::fields), member("left_out", &EnsembleSummary::left_out),
      member("mean_energy", &EnsembleSummary::mean_energy),
      member("standard_deviation", &EnsembleSummary::standard_deviation),
      member("standard_error", &EnsembleSummary::standard_error)};
};

/// A row for each field.
struct EnsembleColumns {
  std::vector<double> seed, energy, xi_max;
  static constexpr auto members =
      std::tuple{member("seed", &EnsembleColumns::seed), member("energy", &EnsembleColumns::energy),
                 member("xi_max", &EnsembleColumns::xi_max)};
};

struct EnsembleResult {
  std::string version, command, file;
  EnsembleSummary summary{};
  EnsembleColumns columns{};
  /// Seeds that could not be computed, and why.
  std::vector<std::pair<std::uint64_t, std::string>> left_out{};

  static constexpr std::string_view schema = "microslip.cracks-ensemble/1";
  static constexpr auto members = std::tuple{
      member("version", &EnsembleResult::version), member("command", &EnsembleResult::command),
      member("file", &EnsembleResult::file),       member("summary", &EnsembleResult::summary),
      member("columns", &EnsembleResult::columns), not_in_text(&EnsembleResult::left_out)};
};

/// Throws Failure if fewer than two fields could be computed, Interrupted when it is stopped.
EnsembleResult cracks_ensemble(const EnsembleRequest& request, const Control& control = {});

}  // namespace microslip::jobs
