#include <fmt/format.h>

#include <algorithm>

#include "jobs/respond/frequency.hpp"
#include "microslip/jobs/aligned_text.hpp"

namespace microslip::jobs::respond_parts {
namespace {

using dynamics::FrequencyResponse;
using dynamics::ResponsePoint;

/// The peaks of all degrees of freedom at one resonance, as its largest.
struct Resonance {
  double omega = 0, amplitude = 0;
  std::size_t dof = 0;
};

/// Peaks of different degrees of freedom within 3 % of each other are one resonance. Two peaks of
/// the same degree of freedom are two resonances, however near. Coordinates of modes have none of their own.
std::vector<Resonance> resonances_of(const FrequencyResponse& r, std::size_t physical) {
  std::vector<Resonance> peaks;
  for (std::size_t i = 0; i < std::min(r.peaks.size(), physical); ++i)
    for (const ResponsePoint& p : r.peaks[i]) peaks.push_back({p.omega, p.first[i].amplitude, i});
  std::sort(peaks.begin(), peaks.end(),
            [](const Resonance& a, const Resonance& b) { return a.omega < b.omega; });
  std::vector<Resonance> result;
  std::vector<std::size_t> members;
  double last = 0;
  for (const Resonance& peak : peaks) {
    const bool again = std::find(members.begin(), members.end(), peak.dof) != members.end();
    if (result.empty() || again || peak.omega > 1.03 * last) {
      result.push_back(peak);
      members.clear();
    } else if (peak.amplitude > result.back().amplitude) {
      result.back() = peak;
    }
    members.push_back(peak.dof);
    last = peak.omega;
  }
  return result;
}

std::vector<ResponsePeak> peaks_of(const catalog::StructureFile& file, const FrequencyResponse& r) {
  std::vector<ResponsePeak> peaks;
  for (std::size_t i = 0; i < r.peaks.size(); ++i)
    for (const ResponsePoint& p : r.peaks[i])
      peaks.push_back({file.labels[i], p.omega, p.first[i].amplitude});
  return peaks;
}

void add_notes(const FrequencyResponse& r, AnalysisResult& result) {
  result.notes.emplace_back("harmonics", std::to_string(r.harmonics));
  result.notes.emplace_back("truncation", fmt::format("{:.2e}", r.truncation));
}

}  // namespace

/// The rows of the table that belong to a level, or all of them.
std::vector<std::size_t> rows_of(const AnalysisResult& result, bool family, double factor) {
  std::vector<std::size_t> rows;
  const std::vector<double>* level = family ? result.column("level") : nullptr;
  for (std::size_t row = 0; row < result.columns.front().second.size(); ++row)
    if (!level || (*level)[row] == factor) rows.push_back(row);
  return rows;
}

/// Along amplitudes these stand in the column of their degree of freedom.
void name_missing(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                  const std::vector<double>& factors, AnalysisResult& result) {
  const bool amplitudes = analysis.kind == "load-response" && analysis.level.empty();
  const std::string along = amplitudes                         ? "amplitude"
                            : analysis.kind == "load-response" ? "level"
                                                               : "omega";
  const std::vector<double>& column = amplitudes
                                          ? *result.column("x" + file.labels[chosen_dof(analysis)])
                                          : result.columns.front().second;
  const bool family = !analysis.levels.empty();
  for (const double factor : factors) {
    std::vector<double> there;
    for (const std::size_t row : rows_of(result, family, factor)) there.push_back(column[row]);
    add_missing(analysis.at, there, along, family ? fmt::format(" at level = {:g}", factor) : "",
                result);
  }
}

void add_curves(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                const std::vector<Level>& levels, AnalysisResult& result) {
  std::vector<std::vector<std::string>> rows{
      {"load", "points", "harmonics", "resonance", "largest", "amplitude", "energy balance"}};
  for (const Level& level : levels) {
    const FrequencyResponse& r = level.response;
    const std::vector<Resonance> resonances =
        resonances_of(r, static_cast<std::size_t>(file.physical));
    for (const Resonance& resonance : resonances)
      rows.push_back({fmt::format("{:g}", level.factor), std::to_string(r.branch.size()),
                      std::to_string(r.harmonics), fmt::format("{:.8g}", resonance.omega),
                      "x" + file.labels[resonance.dof], fmt::format("{:.9g}", resonance.amplitude),
                      fmt::format("{:.1e}", r.energy_balance)});
    if (resonances.empty())
      rows.push_back({fmt::format("{:g}", level.factor), std::to_string(r.branch.size()),
                      std::to_string(r.harmonics), r.peaks.empty() ? "" : "none", "-", "-",
                      fmt::format("{:.1e}", r.energy_balance)});
    result.curves.push_back({level.factor, r.branch.size(), r.harmonics, word_of(r.end),
                             peaks_of(file, r), r.residual, r.truncation, r.quadrature,
                             r.energy_balance, r.loops_closed});
    add_notes(r, result);
  }
  result.summary += table_text(rows, 1);
  for (const Level& level : levels) {
    add_shortage(analysis, level.response.harmonics, level.response.truncation, result);
    add_quadrature(analysis, level.response.quadrature, result);
    add_gaps(level.response.leaps, "omega", result);
  }
}

void add_branch(const catalog::StructureFile& file, const catalog::Analysis& analysis,
                const FrequencyResponse& r, AnalysisResult& result) {
  const std::size_t chosen = chosen_dof(analysis);
  std::vector<std::vector<std::string>> rows{
      {"level", "x" + file.labels[chosen], "points", "harmonics", "energy balance"}};
  for (const ResponsePoint* p : {&r.branch.front(), &r.branch.back()})
    rows.push_back({fmt::format("{:.6g}", p->level),
                    fmt::format("{:.8g}", p->first[chosen].amplitude),
                    std::to_string(r.branch.size()), std::to_string(r.harmonics),
                    fmt::format("{:.1e}", r.energy_balance)});
  result.summary += table_text(rows, 0);
  result.points = r.branch.size();
  result.harmonics = r.harmonics;
  result.end = word_of(r.end);
  result.residual = r.residual;
  result.truncation = r.truncation;
  result.quadrature = r.quadrature;
  result.energy_balance = r.energy_balance;
  result.loops_closed = r.loops_closed;
  add_shortage(analysis, r.harmonics, r.truncation, result);
  add_quadrature(analysis, r.quadrature, result);
  add_gaps(r.leaps, analysis.level.empty() ? "amplitude" : "level", result);
  add_notes(r, result);
}

}  // namespace microslip::jobs::respond_parts
