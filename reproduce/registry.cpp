#include <algorithm>
#include <cmath>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "reproduction.hpp"

// Each line names a function `Entry name()` in a file of its own.
// clang-format off
#define MICROSLIP_REPRODUCTIONS(entry) \
  entry(biswas2018_fig2_1)             \
  entry(biswas2018_eq2_2)              \
  entry(biswas2018_fig2_4)             \
  entry(biswas2018_fig2_7)             \
  entry(biswas2018_eq2_15)             \
  entry(biswas2018_fig2_8)             \
  entry(biswas2018_fig2_9)             \
  entry(biswas2018_tables2)            \
  entry(biswas2018_fig3_2)             \
  entry(biswas2018_fig3_5)             \
  entry(biswas2018_sec3_3)             \
  entry(biswas2018_fig3_7)             \
  entry(biswas2018_sec4_2)             \
  entry(biswas2018_fig4_5)             \
  entry(biswas2018_fig4_7)             \
  entry(biswas2018_eq4_12)             \
  entry(biswas2018_fig5_1)             \
  entry(biswas2018_fig6_1)             \
  entry(biswas2018_fig6_4)             \
  entry(biswas2018_fig6_6)             \
  entry(biswas2018_fig6_7)             \
  entry(biswas2018_fig6_8)             \
  entry(biswas2018_pinched_energy)     \
  entry(biswas2018_app_a)              \
  entry(biswas2018_fig_b1)             \
  entry(biswas2018_fig_d2)             \
  entry(biswas2018_table_e)            \
  entry(biswas2018_app_f)              \
  entry(biswas2018_table_g)            \
  entry(biswas2018_fig_g2)             \
  entry(biswas2018_app_h)              \
  entry(biswas2018_app_j)              \
  entry(biswas2018_table_j3)           \
  entry(biswas2018_app_k)              \
  entry(biswas2018_app_l)              \
  entry(biswas2018_table_m1)           \
  entry(mathis2020_fig1)               \
  entry(mathis2020_fig2)               \
  entry(mathis2020_fig4)               \
  entry(mathis2020_fig6)               \
  entry(mathis2020_eq18)               \
  entry(mathis2020_fig8)               \
  entry(mathis2020_fig9)               \
  entry(mathis2020_fig10)              \
  entry(mathis2020_fig11)              \
  entry(mathis2020_planar)             \
  entry(mathis2020_fig12)              \
  entry(mathis2020_fig13)              \
  entry(mathis2020_sec4_8)             \
  entry(mathis2020_stiction)           \
  entry(mathis2020_bristles)           \
  entry(mathis2020_eq89)               \
  entry(mathis2020_slow_flow)          \
  entry(mathis2020_fig21)              \
  entry(mathis2020_fig17)              \
  entry(mathis2020_fig28)              \
  entry(mathis2020_table1)             \
  entry(mathis2020_table2)             \
  entry(mathis2020_table3)             \
  entry(mathis2020_sec7)               \
  entry(gavin2018_fig1)                \
  entry(gavin2018_fig2)                \
  entry(gavin2018_extensions)          \
  entry(miller2009_fig5)               \
  entry(miller2009_fig6)               \
  entry(miller2009_fig7)               \
  entry(miller2009_fig9)               \
  entry(miller2009_fig15)              \
  entry(miller2009_fig20)              \
  entry(miller2009_fig21)              \
  entry(miller2009_distributions)      \
  entry(miller2009_in_time)            \
  entry(biswas2018_misprints)          \
  entry(biswas2015_misprints)          \
  entry(miller2009_misprints)          \
  entry(gavin2018_misprints)           \
  entry(mathis2020_misprints)
// clang-format on

namespace microslip::reproduce {

using Against = Comparison::Against;

#define MICROSLIP_DECLARE(name) Entry name();
MICROSLIP_REPRODUCTIONS(MICROSLIP_DECLARE)
#undef MICROSLIP_DECLARE

std::span<const Entry> entries() {
#define MICROSLIP_CALL(name) name(),
  static const std::vector<Entry> all{MICROSLIP_REPRODUCTIONS(MICROSLIP_CALL)};
#undef MICROSLIP_CALL
  return all;
}

const Entry& find_entry(std::string_view id) {
  std::vector<std::string> ids;
  for (const Entry& entry : entries()) {
    if (entry.id == id || (!id.empty() && entry.also == id)) return entry;
    ids.emplace_back(entry.id);
    if (!entry.also.empty()) ids.emplace_back(entry.also);
  }
  throw Error("unknown reproduction '" + std::string(id) + "'" + suggestion(id, ids));
}

std::string_view citation(const Entry& entry) { return citation(entry.id); }

std::string_view citation(std::string_view id) {
  static constexpr std::pair<std::string_view, std::string_view> publications[] = {
      {"gavin2018",
       "H. P. Gavin, Dynamic Models for Yielding and Friction Hysteresis, lecture notes CEE 541 "
       "Structural Dynamics, Duke University, 2018"},
      {"biswas2018",
       "S. Biswas, Low-dimensional descriptions of high-dimensional frictional hysteresis, PhD "
       "thesis, Indian Institute of Technology Kanpur, 2018"},
      {"biswas2015",
       "S. Biswas, A. Chatterjee, A two-state hysteresis model from high-dimensional friction, "
       "Royal "
       "Society Open Science 2 (2015) 150188, doi:10.1098/rsos.150188"},
      {"miller2009",
       "J. D. Miller, D. D. Quinn, A two-sided interface model for dissipation in structural "
       "systems with frictional joints, Journal of Sound and Vibration 321 (2009) 201–219"},
      {"mathis2020",
       "A. T. Mathis, N. N. Balaji, R. J. Kuether, A. R. Brink, M. R. W. Brake, D. D. Quinn, A "
       "review of damping models for structures with mechanical joints, Applied Mechanics Reviews "
       "72(4) (2020) 040802, doi:10.1115/1.4047707"},
  };
  const std::string_view key = id.substr(0, id.find('-'));
  for (const auto& [name, citation] : publications)
    if (name == key) return citation;
  throw Error("no publication is known for the reproduction '" + std::string(id) + "'");
}

std::string_view text(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::differs:
      return "differs";
    case Verdict::no_printed_value:
      return "no printed value";
  }
  return "";
}

std::string_view text(Against kind) {
  constexpr std::string_view names[] = {"printed",  "equation", "statement", "independent",
                                        "circular", "identity", "judged",    "recorded"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view explanation(Against kind) {
  constexpr std::string_view sentences[] = {
      "a numeral of the source",
      "a printed equation, evaluated apart from the law at stated numbers",
      "a sentence or a drawn curve of the source, as an inequality",
      "a second method: a closed form, another algorithm, a program in `tests/reference`",
      "made with the printed result and found again: this tests our tools, not the source",
      "true of every law of the kind: this tests our arithmetic",
      "none: the source has a word without a number (almost, about, excellent), and the reader "
      "judges",
      "our own earlier value: this guards against change and proves nothing"};
  return sentences[static_cast<std::size_t>(kind)];
}

std::string_view text(Coverage coverage) {
  constexpr std::string_view names[] = {"covered", "partly", "circular",
                                        "not decidable from the text"};
  return names[static_cast<std::size_t>(coverage)];
}

std::string_view explanation(Coverage coverage) {
  constexpr std::string_view sentences[] = {
      "a comparison that could have failed notices a wrong input",
      "comparisons that could have failed, none of which notices the wrong input",
      "nothing but what was made with the printed result, and identities",
      "the text gives nothing to compare with: own values, and words without a number"};
  return sentences[static_cast<std::size_t>(coverage)];
}

Coverage coverage(const Entry& entry, const Outcome& outcome) {
  bool some = false;
  for (const Comparison& one : outcome.comparisons) {
    if (!one.could_fail()) continue;
    if (one.what == entry.mutation.noticed_by) return Coverage::covered;
    some = true;
  }
  if (some) return Coverage::partly;
  const KindCounts counts = outcome.counts();
  const auto of = [&](Against kind) { return counts[static_cast<std::size_t>(kind)]; };
  return of(Against::circular) + of(Against::identity) > 0 ? Coverage::circular
                                                           : Coverage::undecidable;
}

bool Comparison::agrees() const {
  switch (relation) {
    case Relation::equal:
      return std::abs(obtained - expected) <= tolerance;
    case Relation::at_most:
      return obtained <= expected;
    case Relation::at_least:
      return obtained >= expected;
    case Relation::none:
      return std::isfinite(obtained);
  }
  return false;
}

Verdict Comparison::verdict() const {
  if (!agrees()) return Verdict::differs;
  return against <= Against::equation ? Verdict::reproduced : Verdict::no_printed_value;
}

Verdict Outcome::verdict() const {
  Verdict all = Verdict::no_printed_value;
  for (const Comparison& comparison : comparisons) {
    const Verdict one = comparison.verdict();
    if (one == Verdict::differs) return one;
    if (one == Verdict::reproduced) all = one;
  }
  return all;
}

Against Outcome::rests_on() const {
  // A second method is stronger than a sentence whose bound is ours.
  for (const Against kind :
       {Against::printed, Against::equation, Against::independent, Against::statement,
        Against::circular, Against::identity, Against::judged})
    if (counts()[static_cast<std::size_t>(kind)] > 0) return kind;
  return Against::recorded;
}

KindCounts Outcome::counts() const {
  KindCounts counts{};
  for (const Comparison& one : comparisons) ++counts[static_cast<std::size_t>(one.against)];
  return counts;
}

std::string Outcome::verdict_with_kind() const {
  constexpr std::string_view bases[] = {"printed numbers",    "printed equations", "statements",
                                        "independent method", "circular",          "identities",
                                        "for the reader",     "own record only"};
  std::string words(text(verdict()));
  words += " (";
  words += bases[static_cast<std::size_t>(rests_on())];
  if (verdict() == Verdict::differs) {
    std::size_t off = 0;
    for (const Comparison& one : comparisons) off += one.agrees() ? 0 : 1;
    words += ", " + std::to_string(off) + " of " + std::to_string(comparisons.size()) + " not met";
  }
  const bool circular = counts()[static_cast<std::size_t>(Against::circular)] > 0;
  if (circular && rests_on() != Against::circular) words += ", partly circular";
  return words + ")";
}

bool Outcome::as_recorded() const {
  return std::all_of(comparisons.begin(), comparisons.end(),
                     [](const Comparison& comparison) { return comparison.as_recorded(); });
}

const Comparison& Outcome::shown() const {
  const Comparison* first = nullptr;
  for (const Comparison& one : comparisons) {
    if (!headline.empty() && one.what == headline) return one;
    if (first == nullptr && one.against == rests_on()) first = &one;
  }
  if (!headline.empty()) throw Error("no comparison is called '" + headline + "'");
  for (const Comparison& one : comparisons)
    if (!one.agrees()) return one;
  return *first;
}

}  // namespace microslip::reproduce
