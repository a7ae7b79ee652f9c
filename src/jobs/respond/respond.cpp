#include "microslip/jobs/respond.hpp"

#include <algorithm>

#include "jobs/respond/parts.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/version.hpp"

namespace microslip::jobs {
namespace {

using respond_parts::Task;

AnalysisResult result_of(const Task& task) {
  const std::string& kind = task.analysis.kind;
  if (kind == "frequency-response" || kind == "load-response")
    return response_against_frequency(task);
  if (kind == "time") return motion_in_time(task);
  if (kind == "averaging") return averaging(task);
  if (kind == "slow-flow") return slow_flow(task);
  if (kind == "modes") return linear_modes(task);
  if (kind == "modal-joints") return modal_joints(task);
  if (kind == "nonlinear-mode" || kind == "quasi-static") return nonlinear_mode(task);
  throw Error("unknown kind of analysis '" + kind + "'");
}

AnalysisResult named_result_of(const Task& task) {
  const std::string& where = task.analysis.where;
  AnalysisResult result;
  try {
    result = result_of(task);
  } catch (const io::WriteError&) {  // of a sink
    throw;
  } catch (const Error& error) {
    const std::string sentence = error.what();
    throw Error(sentence.starts_with(where) ? sentence : where + ": " + sentence);
  }
  result.kind = task.analysis.kind;
  result.where = where;
  result.output = task.analysis.output;
  respond_parts::add_end_of_reduction(task.file, task.analysis, result);
  return result;
}

const ResumePoint* resume_of(const RespondRequest& request, std::size_t index) {
  for (const ResumePoint& point : request.resume)
    if (point.analysis == index + 1) return &point;
  return nullptr;
}

void check(const RespondRequest& request) {
  const catalog::StructureFile& file = request.structure;
  if (file.analyses.empty()) throw Error(request.name + " asks for nothing: add an [[analysis]]");
  for (const ResumePoint& point : request.resume) {
    if (point.analysis < 1 || point.analysis > file.analyses.size())
      throw Error("resume.analysis = " + std::to_string(point.analysis) + " must be from 1 to " +
                  std::to_string(file.analyses.size()));
  }
  check_analyses(file);
}

}  // namespace

RespondResult respond(const RespondRequest& request, const Control& control,
                      const RespondSinks& sinks) {
  const catalog::StructureFile& file = request.structure;
  check(request);
  RespondResult result;
  result.version = version;
  result.notes = file.notes;
  const bool asked =
      std::any_of(file.analyses.begin(), file.analyses.end(),
                  [](const catalog::Analysis& analysis) { return analysis.kind == "modes"; });
  if (request.linear_modes && file.has_matrices && !asked) {
    auto [modes, text] = respond_parts::linear_modes_before(file);
    result.modes = std::move(modes);
    result.modes_text = std::move(text);
  }
  if (sinks.begun) sinks.begun(result);
  for (std::size_t i = 0; i < file.analyses.size() && !result.interrupted; ++i) {
    const catalog::Analysis& analysis = file.analyses[i];
    Progress progress(control, respond_parts::steps);
    progress.stage(analysis.kind);
    Task task{file, analysis, resume_of(request, i), progress, {}};
    if (sinks.rows)
      task.rows = [&](const std::vector<std::string>& headings) { return sinks.rows(i, headings); };
    result.analyses.push_back(named_result_of(task));
    AnalysisResult& one = result.analyses.back();
    if (!one.failure.empty()) result.failure = analysis.where + ": " + one.failure;
    result.interrupted = progress.stopped();
    if (sinks.finished) sinks.finished(i, one);
  }
  return result;
}

}  // namespace microslip::jobs
