#include "reproduce/job.hpp"

#include <algorithm>

#include "jobs/text_form.hpp"
#include "microslip/core/error.hpp"
#include "microslip/version.hpp"

namespace microslip::reproduce {
namespace job {

std::vector<const Entry*> chosen_entries(const std::vector<std::string>& ids) {
  std::vector<const Entry*> chosen;
  const auto add = [&](const Entry& entry) {
    if (std::find(chosen.begin(), chosen.end(), &entry) == chosen.end()) chosen.push_back(&entry);
  };
  for (const std::string& id : ids) {
    if (id == "all")
      for (const Entry& entry : entries()) add(entry);
    else
      add(find_entry(id));
  }
  return chosen;
}

Outcome computed(const Entry& entry) {
  try {
    return entry.compute();
  } catch (const Error& error) {  // nothing the user typed is wrong
    throw jobs::Failure(std::string(entry.id) + ": " + error.what());
  }
}

std::string relation_text(Comparison::Relation relation) {
  switch (relation) {
    case Comparison::Relation::at_most:
      return "at most";
    case Comparison::Relation::at_least:
      return "at least";
    case Comparison::Relation::none:
      return "none";
    case Comparison::Relation::equal:
      break;
  }
  return "equal";
}

Reproduction listed(const Entry& entry) {
  return {std::string(entry.id), std::string(entry.source), std::string(citation(entry)),
          std::string(entry.sentence), std::string(entry.also)};
}

Reproduction described(const Entry& entry, const Outcome& outcome) {
  Reproduction said = listed(entry);
  said.verdict = text(outcome.verdict());
  said.rests_on = text(outcome.rests_on());
  said.coverage = text(coverage(entry, outcome));
  said.wrong_input = entry.mutation.input;
  said.noticed_by = entry.mutation.noticed_by;
  const KindCounts counts = outcome.counts();
  for (std::size_t kind = 0; kind < counts.size(); ++kind)
    said.kinds.emplace_back(text(Comparison::Against(kind)), counts[kind]);
  said.as_recorded = outcome.as_recorded();
  said.comparisons.emplace();
  for (const Comparison& one : outcome.comparisons)
    said.comparisons->push_back({one.what, std::string(text(one.against)),
                                 relation_text(one.relation), one.expected, one.tolerance,
                                 one.obtained, std::string(text(one.verdict())), one.agrees(),
                                 one.as_recorded(), one.note});
  said.remark = outcome.remark;
  said.pictures.emplace();
  return said;
}

}  // namespace job

ReproduceResult reproduce(const ReproduceRequest& request, const jobs::Control& control) {
  const std::vector<const Entry*> chosen = job::chosen_entries(request.ids);
  ReproduceResult result{std::string(version), {}, true, {}, {}};
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Entry& entry = *chosen[i];
    if (!request.compute) {
      result.reproductions.push_back(job::listed(entry));
      continue;
    }
    const auto report = [&](std::size_t done) {
      const double part = static_cast<double>(done) / static_cast<double>(chosen.size());
      if (control.progress && !control.progress(part, entry.id)) throw jobs::Interrupted();
    };
    report(i);
    result.results.push_back({&entry, job::computed(entry)});
    result.reproductions.push_back(job::described(entry, result.results.back().outcome));
    report(i + 1);
  }
  result.as_recorded = as_recorded(result.results);
  return result;
}

}  // namespace microslip::reproduce

namespace microslip::jobs {
MICROSLIP_TEXT_FORM(reproduce::ReproduceRequest)
MICROSLIP_TEXT_FORM(reproduce::ReproduceResult)
}  // namespace microslip::jobs
