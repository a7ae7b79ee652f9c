#include "pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace microslip::reproduce {
namespace pages_parts {

using Against = Comparison::Against;
using Relation = Comparison::Relation;

/// The digits that are the same on every machine: where a tolerance is tight, its last digits are
/// rounding.
std::string stable(double x, double tolerance) {
  return rounded(x, tolerance < 1e-8 ? 10 * tolerance : tolerance / 10);
}

/// An inequality has no tolerance: three digits, and nothing below a millionth of the bound.
std::string stable_obtained(const Comparison& one) {
  if (one.relation == Relation::equal) return stable(one.obtained, one.tolerance);
  if (one.relation == Relation::none)
    return std::abs(one.obtained) < 1e-6 ? "below 1e-6" : fmt::format("{:.3g}", one.obtained);
  if (std::abs(one.obtained) < 1e-6 * std::abs(one.expected)) return "0";
  // Next to nothing: its digits are rounding.
  if (std::abs(one.obtained) < 1e-9) return "below 1e-9";
  return fmt::format("{:.3g}", one.obtained);
}

std::string stable_expected(const Comparison& one) {
  if (one.relation == Relation::equal) return stable(one.expected, one.tolerance);
  if (one.relation == Relation::none) return "";
  return fmt::format("{} {:g}", one.relation == Relation::at_most ? "≤" : "≥", one.expected);
}

/// Inside a table.
std::string cell(std::string_view words) {
  std::string escaped;
  for (const char c : words) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string number_cell(const Outcome& outcome) {
  const Comparison& one = outcome.shown();
  const std::string expected = stable_expected(one);
  return fmt::format("{}: {}{} ({})", cell(one.what), stable_obtained(one),
                     expected.empty() ? "" : ", expected " + expected, text(one.against));
}

std::string head() {
  std::string words =
      "# Reproductions\n\n"
      "Figures and tables of the literature, recomputed and compared. `make docs` writes these "
      "pages;\n`microslip reproduce ID --plot DIR` computes one of them and draws its pictures. "
      "What the sources\nget wrong is collected in [misprints and open points](misprints.md); what "
      "is covered, item by item,\nin the [inventory](inventory.md).\n\n"
      "A comparison says what stands behind the number that it expects:\n\n"
      "| kind | the expected number is |\n|---|---|\n";
  for (std::size_t kind = 0; kind < Comparison::kinds; ++kind)
    words += fmt::format("| {} | {} |\n", text(Against(kind)), explanation(Against(kind)));
  words +=
      "\nThe verdict of an entry says which kind it rests on, the strongest that it has. "
      "*Reproduced*: a\nprinted number or equation is met, and everything else too. *Differs*: "
      "at least one number is\nnot met, and its row says why. *No printed value*: the source "
      "gives nothing to meet.\n\nFor each entry a test makes one input wrong, by 5 % where nothing "
      "else is said, and the page of the entry\nnames the comparison that notices it. What an "
      "entry "
      "shows follows from that:\n\n| shown | the entry has |\n|---|---|\n";
  for (std::size_t i = 0; i < coverages; ++i)
    words += fmt::format("| {} | {} |\n", text(Coverage(i)), explanation(Coverage(i)));
  return words + "\n";
}

/// One row of the index.
std::string index_row(const Result& result, std::string_view id) {
  const auto& [entry, outcome, pictures] = result;
  const std::string picture = picture_path(result);
  return fmt::format("| [{}](reproductions/{}.md) | {} | {} | {} | {} | {} |\n",
                     id.substr(id.find('-') + 1), entry->id, cell(entry->sentence),
                     outcome.verdict_with_kind(), text(coverage(*entry, outcome)),
                     number_cell(outcome),
                     picture.empty() ? "" : fmt::format("<img src=\"{}\" width=\"150\">", picture));
}

std::string index_page(const std::vector<Result>& results) {
  std::string words = head() + summary(results) + ".\n" + coverage_summary(results) + ".\n" +
                      kinds_summary(results) + ".\n";
  // By source, in the order in which the sources first appear; an entry that stands in two
  // publications is listed in both.
  std::vector<std::string_view> sources;
  std::map<std::string_view, std::string> rows;
  for (const Result& result : results)
    for (const std::string_view id : {result.entry->id, result.entry->also}) {
      if (id.empty()) continue;
      const std::string_view source = id.substr(0, id.find('-'));
      if (rows.count(source) == 0) sources.push_back(source);
      rows[source] += index_row(result, id);
    }
  for (const std::string_view source : sources)
    words += fmt::format(
        "\n## {}\n\n{}.\n\n| item | what is computed | verdict | shown | one number | "
        "picture |\n|---|---|---|---|---|---|\n{}",
        source, citation(source), rows[source]);
  return words;
}

std::string misprints_page(const std::vector<Result>& results) {
  std::string words =
      "# Misprints and open points\n\n"
      "The five sources are careful work; what follows are the places where a reader who computes "
      "along\nwith them comes to a halt. Each row says what is printed, what must be meant, and "
      "one number that\ndecides: what it has to be and why, what the print gives, what the repair "
      "gives. The numbers are\ncomputed by `microslip reproduce` (see the entries named below) "
      "and checked by the tests. Where\nnothing stands under *as meant*, no repair is known.\n\n"
      "The texts that we have are conversions of printed pages. Where all hangs on one sign, a "
      "lost "
      "dot, a digit,\na radical, the loss may be the conversion's: such rows are marked ᶜ, and "
      "only "
      "the printed page can tell.\n\n"
      "If you are an author of one of these texts and think that we misread it, please tell us.\n";
  for (const auto& [entry, outcome, pictures] : results) {
    if (outcome.misprints.empty()) continue;
    words += fmt::format(
        "\n## {}\n\n{}. Entry [{}](reproductions/{}.md).\n\n"
        "| place | printed | meant | the number that decides | must be | as printed | as meant |\n"
        "|---|---|---|---|---:|---:|---:|\n",
        entry->source, citation(*entry), entry->id, entry->id);
    for (const Misprint& one : outcome.misprints) {
      const double digits = std::max(one.tolerance / 10, 1e-6 * std::abs(one.expected));
      const auto number = [&](const std::optional<double>& x) -> std::string {
        if (!x) return "";
        return std::abs(*x) > 1e4 ? fmt::format("{:.2g}", *x) : rounded(*x, std::max(digits, 1e-6));
      };
      words += fmt::format("| {}{} | {} | {} | {}; {} | {} | {} | {} |\n", cell(one.place),
                           one.one_sign ? " ᶜ" : "", cell(one.printed), cell(one.meant),
                           cell(one.quantity), cell(one.why), number(one.expected),
                           number(one.as_printed), number(one.as_meant));
    }
  }
  return words;
}

std::string entry_page(const Result& result) {
  const auto& [entry, outcome, pictures] = result;
  std::string words = fmt::format("# {}\n\n{}", entry->id, entry->source);
  if (!entry->also.empty()) words += fmt::format(" (also `{}`)", entry->also);
  words += fmt::format(": {}{}\n\nVerdict: **{}**. Shown: **{}**.\n\n", entry->sentence,
                       entry->sentence.back() == '.' ? "" : ".", outcome.verdict_with_kind(),
                       text(coverage(*entry, outcome)));
  const std::string picture = picture_path(result);
  if (!picture.empty()) words += fmt::format("![]({})\n\n", picture.substr(picture.find('/') + 1));
  words += "| quantity | against | expected | tolerance | obtained | verdict |\n";
  words += "|---|---|---:|---:|---:|---|\n";
  std::string notes;
  for (const Comparison& one : outcome.comparisons) {
    words += fmt::format("| {} | {} | {} | {} | {} | {} |\n", cell(one.what), text(one.against),
                         stable_expected(one), tolerance_text(one), stable_obtained(one),
                         verdict_text(one));
    if (!one.note.empty()) notes += fmt::format("\n{}: {}\n", one.what, one.note);
  }
  words += notes;
  if (!outcome.remark.empty()) words += "\n" + outcome.remark + "\n";
  const Mutation& wrong = entry->mutation;
  words += fmt::format("\nA wrong input, `{}` times {:g}, is noticed by {}.\n", wrong.input,
                       wrong.factor,
                       wrong.noticed_by.empty() ? "no comparison that could have failed"
                                                : fmt::format("*{}*", wrong.noticed_by));
  return words + "\n[All reproductions](../reproductions.md)\n";
}

}  // namespace pages_parts

std::string rounded(double x, double tolerance) {
  using namespace pages_parts;
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(tolerance))), 0, 17);
  std::string text = fmt::format("{:.{}f}", x, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string expected_text(const Comparison& one) {
  using namespace pages_parts;
  return one.relation == Relation::equal ? rounded(one.expected, one.tolerance / 100)
                                         : stable_expected(one);
}

/// Two digits more than the tolerance, and what is smaller than it as it is.
std::string obtained_text(const Comparison& one) {
  using namespace pages_parts;
  if (one.relation != Relation::equal) return fmt::format("{:.3g}", one.obtained);
  if (one.obtained != 0 && std::abs(one.obtained) < one.tolerance)
    return fmt::format("{:.1e}", one.obtained);
  return rounded(one.obtained, one.tolerance / 100);
}

std::string tolerance_text(const Comparison& one) {
  using namespace pages_parts;
  return one.relation == Relation::equal ? fmt::format("{:.1g}", one.tolerance) : "";
}

std::string verdict_text(const Comparison& one) {
  using namespace pages_parts;
  if (one.relation == Relation::none) return "the reader judges";
  std::string text = !one.agrees()                                  ? "differs"
                     : one.against <= Comparison::Against::equation ? "reproduced"
                                                                    : "agrees";
  if (!one.as_recorded()) return text + ", not as recorded";
  return one.known_to_differ ? text + ", as recorded" : text;
}

bool as_recorded(const std::vector<Result>& results) {
  using namespace pages_parts;
  return std::all_of(results.begin(), results.end(),
                     [](const Result& result) { return result.outcome.as_recorded(); });
}

std::string summary(const std::vector<Result>& results) {
  using namespace pages_parts;
  std::map<Verdict, std::size_t> count;
  for (const Result& result : results) ++count[result.outcome.verdict()];
  std::string words =
      fmt::format("{} reproduction{}", results.size(), results.size() == 1 ? "" : "s");
  const char* separator = ": ";
  for (const auto& [verdict, number] : count) {
    words += fmt::format("{}{} {}", separator, number, text(verdict));
    separator = ", ";
  }
  return words + (as_recorded(results) ? "; every verdict is the one on record"
                                       : "; NOT every verdict is the one on record");
}

std::string coverage_summary(const std::vector<Result>& results) {
  using namespace pages_parts;
  std::array<std::size_t, coverages> counts{};
  for (const Result& result : results)
    ++counts[static_cast<std::size_t>(coverage(*result.entry, result.outcome))];
  std::string words = "Shown";
  for (std::size_t i = 0; i < coverages; ++i)
    if (counts[i] > 0)
      words += fmt::format("{} {} {}", words == "Shown" ? ":" : ",", counts[i], text(Coverage(i)));
  return words;
}

std::string kinds_summary(const std::vector<Result>& results) {
  using namespace pages_parts;
  KindCounts counts{};
  for (const Result& result : results) {
    const KindCounts own = result.outcome.counts();
    for (std::size_t kind = 0; kind < counts.size(); ++kind) counts[kind] += own[kind];
  }
  std::size_t total = 0;
  std::string words;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    total += counts[kind];
    if (counts[kind] == 0) continue;
    words += fmt::format("{}{} {}", words.empty() ? ": " : ", ", counts[kind], text(Against(kind)));
  }
  return fmt::format("{} comparison{}{}", total, total == 1 ? "" : "s", words);
}

std::string picture_path(const Result& result) {
  using namespace pages_parts;
  if (result.outcome.figures.empty()) return "";
  return fmt::format("reproductions/{}.png", result.entry->id);
}

std::vector<Page> pages(const std::vector<Result>& results) {
  using namespace pages_parts;
  std::vector<Page> all{{"reproductions.md", index_page(results)}};
  for (const Result& result : results)
    all.push_back({fmt::format("reproductions/{}.md", result.entry->id), entry_page(result)});
  const auto lists = [](const Result& result) { return !result.outcome.misprints.empty(); };
  if (std::any_of(results.begin(), results.end(), lists))
    all.push_back({"misprints.md", misprints_page(results)});
  for (Page& page : all)
    page.text +=
        "\nThis page is generated from the files in `reproduce/` by `microslip reproduce all "
        "--pages docs`.\n";
  return all;
}

}  // namespace microslip::reproduce
