#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/jobs/control.hpp"
#include "microslip/jobs/members.hpp"
#include "microslip/jobs/text.hpp"
#include "reproduce/pages.hpp"

/// The literature, recomputed, as a job: above the others, because it uses all of the library.
namespace microslip::reproduce {

struct ReproduceRequest {
  std::vector<std::string> ids;  ///< identifiers, or "all"
  bool compute = true;           ///< otherwise the entries are only listed

  static constexpr std::string_view schema = "microslip.reproduce-request/1";
  static constexpr auto members = std::tuple{jobs::member("ids", &ReproduceRequest::ids),
                                             jobs::member("compute", &ReproduceRequest::compute)};
};

struct ComparisonText {
  std::string quantity, against, relation;
  double expected = 0, tolerance = 0, obtained = 0;
  std::string verdict;
  bool agrees = false, as_recorded = false;
  std::string note;
  static constexpr auto members =
      std::tuple{jobs::member("quantity", &ComparisonText::quantity),
                 jobs::member("against", &ComparisonText::against),
                 jobs::member("relation", &ComparisonText::relation),
                 jobs::member("expected", &ComparisonText::expected),
                 jobs::member("tolerance", &ComparisonText::tolerance),
                 jobs::member("obtained", &ComparisonText::obtained),
                 jobs::member("verdict", &ComparisonText::verdict),
                 jobs::member("agrees", &ComparisonText::agrees),
                 jobs::member("as_recorded", &ComparisonText::as_recorded),
                 jobs::member("note", &ComparisonText::note)};
};

/// An entry, and what was computed.
struct Reproduction {
  std::string id, source, citation, sentence, also{};
  std::string verdict{}, rests_on{}, coverage{};
  std::string wrong_input{}, noticed_by{};  ///< of its mutation
  jobs::Named<std::size_t> kinds{};         ///< how many comparisons of each kind
  std::optional<bool> as_recorded{};
  std::optional<std::vector<ComparisonText>> comparisons{};
  std::optional<std::string> remark{};
  std::optional<std::vector<std::string>>
      pictures{};  ///< names of the files, which the caller draws
  static constexpr auto members =
      std::tuple{jobs::member("id", &Reproduction::id),
                 jobs::member("source", &Reproduction::source),
                 jobs::member("citation", &Reproduction::citation),
                 jobs::member("sentence", &Reproduction::sentence),
                 jobs::member_if_any("also", &Reproduction::also),
                 jobs::member_if_any("verdict", &Reproduction::verdict),
                 jobs::member_if_any("rests_on", &Reproduction::rests_on),
                 jobs::member_if_any("coverage", &Reproduction::coverage),
                 jobs::member_if_any("wrong_input", &Reproduction::wrong_input),
                 jobs::member_if_any("noticed_by", &Reproduction::noticed_by),
                 jobs::member_if_any("kinds", &Reproduction::kinds),
                 jobs::member_if_any("as_recorded", &Reproduction::as_recorded),
                 jobs::member_if_any("comparisons", &Reproduction::comparisons),
                 jobs::member_if_any("remark", &Reproduction::remark),
                 jobs::member_if_any("pictures", &Reproduction::pictures)};
};

struct ReproduceResult {
  std::string version, command;  ///< command: the line of the command, if there is one
  bool as_recorded = true;
  std::vector<Reproduction> reproductions;
  std::vector<Result> results;  ///< with figures

  static constexpr std::string_view schema = "microslip.reproduce/1";
  static constexpr auto members =
      std::tuple{jobs::member("version", &ReproduceResult::version),
                 jobs::member_if_any("command", &ReproduceResult::command),
                 jobs::member("as_recorded", &ReproduceResult::as_recorded),
                 jobs::member("reproductions", &ReproduceResult::reproductions),
                 jobs::not_in_text(&ReproduceResult::results)};
};

/// Throws Error for an unknown identifier, Failure for an entry that cannot be computed, and Interrupted.
ReproduceResult reproduce(const ReproduceRequest& request, const jobs::Control& control = {});

}  // namespace microslip::reproduce
