#pragma once

#include "jobs/respond/parts.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"

/// Responses against frequency or level: what is computed, what is said about it, and its picture.
namespace microslip::jobs::respond_parts {

/// The response under the load times `factor`.
struct Level {
  double factor;
  dynamics::FrequencyResponse response;
};

dynamics::FrequencyResponseOptions response_options_of(const catalog::Analysis& analysis);

/// "whole", or why a branch is not.
std::string word_of(dynamics::CurveEnd end);

/// From 0.
inline std::size_t chosen_dof(const catalog::Analysis& analysis) {
  return static_cast<std::size_t>(analysis.dof.value_or(1) - 1);
}

/// The rows of the table that belong to a level, or all of them.
std::vector<std::size_t> rows_of(const AnalysisResult& result, bool family, double factor);

void add_curves(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                const std::vector<Level>& levels, AnalysisResult& result);
void add_branch(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                const dynamics::FrequencyResponse& response, AnalysisResult& result);
/// Says which places of `at` the table does not have.
void name_missing(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                  const std::vector<double>& factors, AnalysisResult& result);

/// Adds the loops of this run to those of a stopped one before.
void add_loops(const catalog::StructureFile& file, const catalog::Analysis& analysis,
               const Level& level, std::vector<PeakLoops>& peaks);
io::Figure response_figure(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                           const std::vector<double>& factors, const AnalysisResult& result,
                           const std::vector<PeakLoops>& peaks);

}  // namespace microslip::jobs::respond_parts
