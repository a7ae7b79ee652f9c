#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "jobs/progress.hpp"
#include "microslip/dynamics/periodic/periodic_analysis.hpp"
#include "microslip/jobs/respond.hpp"

/// A function for each kind of analysis, and what they share.
namespace microslip::jobs::respond_parts {

/// What an analysis has at hand.
struct Task {
  const catalog::StructureFile& file;
  const catalog::Analysis& analysis;
  const ResumePoint* resume;  ///< null: from the beginning
  Progress& progress;         ///< of `steps` steps
  /// RespondSinks::rows of this analysis; may be empty.
  std::function<RespondSinks::TakeRow(const std::vector<std::string>&)> rows;
};
inline constexpr std::size_t steps = 1000;

AnalysisResult response_against_frequency(const Task& task);
AnalysisResult linear_modes(const Task& task);
AnalysisResult modal_joints(const Task& task);
AnalysisResult nonlinear_mode(const Task& task);
AnalysisResult averaging(const Task& task);
AnalysisResult slow_flow(const Task& task);
AnalysisResult motion_in_time(const Task& task);

/// The linear modes of a structure, of which no analysis needs to ask, and the same as text.
struct ModesBefore {
  std::vector<LinearMode> modes;
  std::string text;
};
ModesBefore linear_modes_before(const catalog::StructureFile& file);

/// Throws Error for what a motion in time cannot be asked for.
void check_time(const catalog::StructureFile& file, const catalog::Analysis& analysis);

/// Says so where the highest frequency comes near the end of the reduction, which knows nothing of the modes
/// that it left out.
void add_end_of_reduction(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                          AnalysisResult& result);

/// For the option `progress` of an analysis: counts parts of the whole from `done` on, each of `share`.
class PartOf {
 public:
  explicit PartOf(Progress& progress, double done = 0, double share = 1)
      : progress_(&progress), done_(done), share_(share), shown_(in_steps(0)) {}
  bool operator()(double part) {
    const std::size_t now = in_steps(part);
    const bool on = progress_->advance(now > shown_ ? now - shown_ : 0);
    shown_ = std::max(shown_, now);
    return on;
  }

 private:
  std::size_t in_steps(double part) const {
    return static_cast<std::size_t>(static_cast<double>(steps) * (done_ + share_ * part));
  }
  Progress* progress_;
  double done_, share_;
  std::size_t shown_;
};

inline void add_column(AnalysisResult& result, std::string heading, std::vector<double> values) {
  result.columns.emplace_back(std::move(heading), std::move(values));
}
/// One more sentence about what did not come to its end.
inline void fail(AnalysisResult& result, const std::string& sentence) {
  result.failure += (result.failure.empty() ? "" : "; ") + sentence;
}

/// The phasor that a sensor sees, of those of the degrees of freedom.
dynamics::Phasor along(const dynamics::Direction& w, const std::vector<dynamics::Phasor>& first);

/// Amplitudes and phases of all degrees of freedom and sensors of a list of points; `collect` makes a column
/// from a function of a point.
template <class Point, class Collect>
void add_motion(const catalog::StructureFile& file, const Collect& collect,
                AnalysisResult& result) {
  for (std::size_t i = 0; i < file.labels.size(); ++i) {
    add_column(result, "x" + file.labels[i],
               collect([i](const Point& p) { return p.first[i].amplitude; }));
    add_column(result, "phase" + file.labels[i],
               collect([i](const Point& p) { return p.first[i].phase; }));
  }
  for (const dynamics::Sensor& sensor : file.structure.sensors) {
    add_column(result, "x_" + sensor.name,
               collect([&](const Point& p) { return along(sensor.w, p.first).amplitude; }));
    add_column(result, "phase_" + sensor.name,
               collect([&](const Point& p) { return along(sensor.w, p.first).phase; }));
  }
}

/// The end of a sentence about a curve that could not be followed; nothing for joint 0.
std::string hardest_joint(const dynamics::Structure& structure, std::size_t joint);

/// Of the column with the energy that a joint, or behind these an interface, loses in a period.
std::string energy_heading(const dynamics::Structure& structure, std::size_t member);

/// Rows of the table that a stopped run left, before those of this one. The last of them is the first of
/// this one if that `goes_on` from a point.
void put_before(const ResumePoint& before, bool goes_on, AnalysisResult& result);

/// Forces against displacements of the first joints where a response is largest, for its picture.
struct PeakLoops {
  double level = 1;
  double amplitude = 0;
  std::vector<std::vector<double>> u{}, f{};
};

/// Where a stopped run stands: which of its curves, and the last point of it, if it was begun.
struct Standing {
  std::size_t curve = 0;
  Eigen::VectorXd unknowns{}, tangent{};
  std::vector<PeakLoops> peaks{};  ///< of the levels so far
};
Standing standing_of(const ResumePoint* resume);
std::string resume_text(const Standing& standing);

/// Says in the summary, the notes and the gaps where a branch leaps.
void add_gaps(const std::vector<double>& leaps, const std::string& along, AnalysisResult& result);

/// Names the places of `at` that the table should have and does not; `where` ends the sentence.
void add_missing(const std::vector<double>& at, const std::vector<double>& rows,
                 const std::string& along, const std::string& where, AnalysisResult& result);

/// Says so if harmonics chosen by themselves were not enough; `damping` is what they leave open of that of a mode.
void add_shortage(const catalog::Analysis& analysis, int harmonics, double truncation,
                  AnalysisResult& result, double damping = 0);

/// Says so if the Fourier integrals of the forces are less exact than was aimed at.
void add_quadrature(const catalog::Analysis& analysis, double quadrature, AnalysisResult& result);

}  // namespace microslip::jobs::respond_parts
