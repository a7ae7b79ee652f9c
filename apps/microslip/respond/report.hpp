#pragma once

#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "microslip/catalog/files/structure_file.hpp"
#include "microslip/dynamics/periodic/periodic_analysis.hpp"
#include "microslip/dynamics/structure/structure.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/figure.hpp"

/// What an analysis of `microslip respond` hands to the command.
namespace microslip::app {

/// One analysis, ready to be written.
struct Report {
  std::vector<std::string> headings;
  std::vector<std::vector<double>> columns;
  io::Comments notes{};  ///< for the head of the CSV file, besides version and laws
  io::Figure figure{};
  std::string summary{};          ///< a few lines for people
  nlohmann::ordered_json json{};  ///< the same for machines
  std::string failure{};          ///< the computation did not come to its end; what there is stays
  std::string resume{};           ///< text of a file from which an interrupted branch goes on
  bool streamed = false;          ///< the table is in its file already, row by row

  /// One more sentence about what did not come to its end.
  void fail(const std::string& sentence) { failure += (failure.empty() ? "" : "; ") + sentence; }
  void add_column(std::string heading, std::vector<double> values) {
    headings.push_back(std::move(heading));
    columns.push_back(std::move(values));
  }
  /// nullptr if the table has no such column.
  const std::vector<double>* column(const std::string& heading) const;
};

/// The phasor that a sensor sees, of those of the degrees of freedom.
dynamics::Phasor along(const dynamics::Direction& w, const std::vector<dynamics::Phasor>& first);

/// The end of a sentence about a curve that could not be followed; nothing for joint 0.
std::string hardest_joint(const dynamics::Structure& structure, std::size_t joint);

/// Of the column with the energy that a joint, or behind these an interface, loses in a period.
std::string energy_heading(const dynamics::Structure& structure, std::size_t member);

/// Rows of the table that an interrupted run left, before those of this one. The last of them is
/// the first of this one if that `goes_on` from a point.
void put_before(const std::string& output, bool goes_on, Report& report);

/// Forces against displacements of the first joints where a response is largest, for its picture.
struct PeakLoops {
  double level = 1;
  double amplitude = 0;
  std::vector<std::vector<double>> u{}, f{};
};

/// Where an interrupted run stands: which of its curves, and the last point of it, if it was begun.
struct Standing {
  std::size_t curve = 0;
  Eigen::VectorXd unknowns{}, tangent{};
  std::vector<PeakLoops> peaks{};  ///< of the levels so far
};
Standing standing_of(const std::string& resume);
std::string resume_text(const Standing& standing);

/// Set by Ctrl-C while an analysis runs that can stop with what it has.
bool interrupted();

/// Says in the summary, the notes and JSON where a branch leaps.
void add_gaps(const std::vector<double>& leaps, const std::string& along, Report& report);

/// Names the places of `at` that the table should have and does not; `where` ends the sentence.
void add_missing(const std::vector<double>& at, const std::vector<double>& rows,
                 const std::string& along, const std::string& where, Report& report);

/// Says so if harmonics chosen by themselves were not enough.
void add_shortage(const catalog::Analysis& analysis, int harmonics, double truncation,
                  Report& report);

}  // namespace microslip::app
