#include <algorithm>

#include "jobs/respond/parts.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::jobs {
namespace {

dynamics::Method method_of(const catalog::Analysis& analysis) {
  if (analysis.method.empty()) return dynamics::Method::events;
  const auto& words = words_of<dynamics::Method>;
  const auto found = std::find(words.begin(), words.end(), analysis.method);
  if (found == words.end())
    throw Error(analysis.where + ": unknown method '" + analysis.method + "'" +
                suggestion(analysis.method, {words.begin(), words.end()}));
  return static_cast<dynamics::Method>(found - words.begin());
}

Eigen::VectorXd vector_of(const std::vector<double>& list) {
  return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

}  // namespace

dynamics::TimeOptions time_options(const catalog::Analysis& analysis) {
  dynamics::TimeOptions options;
  options.method = method_of(analysis);
  options.until = *analysis.until;
  options.step = analysis.step.value_or(0);
  if (analysis.tolerance) options.tolerance = *analysis.tolerance;
  options.at = analysis.at;
  options.x0 = vector_of(analysis.x0);
  options.v0 = vector_of(analysis.v0);
  // With a step, rows stand at its multiples; without, at every step that was needed.
  options.every_step = !analysis.step;
  return options;
}

namespace respond_parts {

void check_time(const catalog::StructureFile& file, const catalog::Analysis& analysis) {
  const auto refuse = [&](const std::string& sentence) {
    throw Error(analysis.where + ": " + sentence);
  };
  const dynamics::Method method = method_of(analysis);
  for (const double t : analysis.at)
    if (t < 0 || t > *analysis.until)
      refuse("at = " + number_text(t) + " must lie in [0, " + number_text(*analysis.until) + "]");
  for (const dynamics::Load& load : file.structure.loads)
    if (const auto* tones = std::get_if<dynamics::Tones>(&load.signal))
      for (const dynamics::Tone& tone : tones->list)
        if (!(tone.omega > 0) && tone.harmonic != 0)
          refuse("a harmonic load needs 'omega' in an analysis of kind \"time\"");
  if (method == dynamics::Method::events || method == dynamics::Method::cvode || analysis.step)
    return;
  refuse("method = '" + analysis.method + "' needs 'step'");
}

}  // namespace respond_parts
}  // namespace microslip::jobs
