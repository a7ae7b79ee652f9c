#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/figure.hpp"
#include "microslip/version.hpp"
#include "reproduce/reproduction.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using reproduce::Comparison;
using reproduce::Entry;
using reproduce::Outcome;
using reproduce::Verdict;
using Json = nlohmann::ordered_json;

constexpr const char* details = R"(Examples
  microslip reproduce --list
  microslip reproduce biswas2018-fig4.7 --plot out
  microslip reproduce all --json | jq '.reproductions[] | {id, verdict}'

Every number is compared with one that the source prints, or else with one that must follow: a
closed form, an identity, an independent method. The verdict on an entry is

  reproduced         the printed numbers are met, and all others too
  differs            at least one number is not met
  no printed value   the source prints no number for it; all others are met

Where a source is known to be wrong, 'differs' is the verdict on record. The exit code is 0 when
every verdict is the one on record, else 1.
)";

struct Settings {
  std::vector<std::string> ids;
  std::string folder, format = "svg";
  bool list = false, json = false, markdown = false;
};

/// A reproduction that was run.
struct Result {
  const Entry* entry;
  Outcome outcome;
  std::vector<std::string> pictures{};
};

std::vector<const Entry*> chosen_entries(const std::vector<std::string>& ids) {
  std::vector<const Entry*> chosen;
  const auto add = [&](const Entry& entry) {
    if (std::find(chosen.begin(), chosen.end(), &entry) == chosen.end()) chosen.push_back(&entry);
  };
  for (const std::string& id : ids) {
    if (id == "all")
      for (const Entry& entry : reproduce::entries()) add(entry);
    else
      add(reproduce::find_entry(id));
  }
  return chosen;
}

Outcome computed(const Entry& entry) {
  try {
    return entry.compute();
  } catch (const Error& error) {  // nothing the user typed is wrong
    throw Failure(std::string(entry.id) + ": " + error.what());
  }
}

/// False when there is no gnuplot, which is said once.
bool draw_figures(Result& result, const std::filesystem::path& folder, const std::string& format) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error("cannot make the folder " + folder.string() + ": " + error.message());
  for (const auto& [suffix, figure] : result.outcome.figures) {
    const bool joined = suffix.empty() || suffix.front() == '-';
    const std::string name = std::string(result.entry->id) + (joined ? "" : "-") + suffix;
    const auto path = folder / (name + "." + format);
    try {
      io::draw(figure, path);
    } catch (const io::PictureUnavailable& unavailable) {
      say("microslip: " + one_line(unavailable.what()) + "\n");
      return false;
    }
    result.pictures.push_back(path.string());
  }
  return true;
}

// ------------------------------------------------------------------------ numbers as text

/// Decimals that matter at this tolerance; zeros at the end are left out.
std::string rounded(double x, double tolerance) {
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(tolerance))), 0, 17);
  std::string text = fmt::format("{:.{}f}", x, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

/// Two digits more than the tolerance, and what is smaller than it as it is.
std::string obtained_text(const Comparison& one) {
  if (one.obtained != 0 && std::abs(one.obtained) < one.tolerance)
    return fmt::format("{:.1e}", one.obtained);
  return rounded(one.obtained, one.tolerance / 100);
}

std::string tolerance_text(const Comparison& one) { return fmt::format("{:.1g}", one.tolerance); }

std::string against_text(const Comparison& one) {
  return one.against == Comparison::Against::printed ? "printed" : "derived";
}

std::string verdict_text(const Comparison& one) {
  std::string text = !one.agrees()                                 ? "differs"
                     : one.against == Comparison::Against::printed ? "reproduced"
                                                                   : "agrees";
  if (!one.as_recorded()) return text + ", not as recorded";
  return one.known_to_differ ? text + ", as recorded" : text;
}

std::map<Verdict, std::size_t> counts(const std::vector<Result>& results) {
  std::map<Verdict, std::size_t> count;
  for (const Result& result : results) ++count[result.outcome.verdict()];
  return count;
}

bool as_recorded(const std::vector<Result>& results) {
  return std::all_of(results.begin(), results.end(),
                     [](const Result& result) { return result.outcome.as_recorded(); });
}

std::string summary(const std::vector<Result>& results) {
  std::string text =
      fmt::format("{} reproduction{}", results.size(), results.size() == 1 ? "" : "s");
  const char* separator = ": ";
  for (const auto& [verdict, count] : counts(results)) {
    text += fmt::format("{}{} {}", separator, count, reproduce::text(verdict));
    separator = ", ";
  }
  return text + (as_recorded(results) ? "; every verdict is the one on record"
                                      : "; NOT every verdict is the one on record");
}

/// What differs, a line for each entry.
std::string differing(const std::vector<Result>& results) {
  std::string text;
  for (const auto& [entry, outcome, pictures] : results) {
    std::string quantities;
    for (const Comparison& one : outcome.comparisons)
      if (!one.agrees()) quantities += (quantities.empty() ? "" : "; ") + one.what;
    if (!quantities.empty())
      text += fmt::format("  {}: {}\n", entry->id, wrapped("differs in " + quantities, 4));
  }
  return text;
}

// ------------------------------------------------------------------------------ for people

/// Two lines an entry, as `microslip models` lists laws.
std::string list_text() {
  std::string text;
  for (const Entry& entry : reproduce::entries())
    text += fmt::format("{}{}{}    {}\n    {}\n", entry.id, entry.also.empty() ? "" : ", ",
                        entry.also, entry.source, wrapped(entry.sentence, 4));
  return text;
}

std::string result_text(const Result& result) {
  const auto& [entry, outcome, pictures] = result;
  std::string text =
      fmt::format("{}: {}\n  {}\n  {}\n\n", entry->id, reproduce::text(outcome.verdict()),
                  wrapped(entry->sentence, 2), wrapped(entry->source, 2));
  std::vector<std::vector<std::string>> rows{
      {"  quantity", "against", "expected", "tolerance", "obtained", "verdict"}};
  std::string notes;
  std::size_t verdict_width = 0;  // words stand on the left, table_text() puts them on the right
  for (const Comparison& one : outcome.comparisons)
    verdict_width = std::max(verdict_width, verdict_text(one).size());
  rows[0].back() = padded(rows[0].back(), verdict_width);
  for (const Comparison& one : outcome.comparisons) {
    rows.push_back({"  " + one.what, against_text(one), rounded(one.expected, one.tolerance / 100),
                    tolerance_text(one), obtained_text(one),
                    padded(verdict_text(one), verdict_width)});
    if (!one.note.empty()) notes += "  " + wrapped(one.what + ": " + one.note, 2) + "\n";
  }
  text += table_text(rows, 2);
  if (!notes.empty()) text += "\n" + notes;
  if (!outcome.remark.empty()) text += "\n  " + wrapped(outcome.remark, 2) + "\n";
  for (const std::string& picture : pictures) text += "\n  picture: " + picture + "\n";
  return text + "\n";
}

// ---------------------------------------------------------------------------- for machines

Json entry_json(const Entry& entry) {
  Json json{{"id", entry.id},
            {"source", entry.source},
            {"citation", reproduce::citation(entry)},
            {"sentence", entry.sentence}};
  if (!entry.also.empty()) json["also"] = entry.also;
  return json;
}

Json result_json(const Result& result) {
  Json json = entry_json(*result.entry);
  json["verdict"] = reproduce::text(result.outcome.verdict());
  json["as_recorded"] = result.outcome.as_recorded();
  json["comparisons"] = Json::array();
  for (const Comparison& one : result.outcome.comparisons)
    json["comparisons"].push_back({{"quantity", one.what},
                                   {"against", against_text(one)},
                                   {"expected", one.expected},
                                   {"tolerance", one.tolerance},
                                   {"obtained", one.obtained},
                                   {"verdict", reproduce::text(one.verdict())},
                                   {"agrees", one.agrees()},
                                   {"as_recorded", one.as_recorded()},
                                   {"note", one.note}});
  json["remark"] = result.outcome.remark;
  json["pictures"] = result.pictures;
  return json;
}

std::string list_json() {
  Json json = Json::array();
  for (const Entry& entry : reproduce::entries()) json.push_back(entry_json(entry));
  return json.dump(2) + "\n";
}

std::string results_json(const std::vector<Result>& results, const std::string& command_line) {
  Json json{{"version", version},
            {"command", command_line},
            {"as_recorded", as_recorded(results)},
            {"reproductions", Json::array()}};
  for (const Result& result : results) json["reproductions"].push_back(result_json(result));
  return json.dump(2) + "\n";
}

// ---------------------------------------------------------------------------- for the docs

/// The digits that are the same on every machine: where a tolerance is tight, its last digits are
/// rounding.
std::string stable(double x, double tolerance) {
  return rounded(x, tolerance < 1e-8 ? 10 * tolerance : tolerance / 10);
}

std::string result_markdown(const Result& result) {
  const auto& [entry, outcome, pictures] = result;
  std::string text = fmt::format("\n## {}\n\n{}: {} Verdict: **{}**.\n\n", entry->id, entry->source,
                                 entry->sentence, reproduce::text(outcome.verdict()));
  text += "| quantity | against | expected | tolerance | obtained | verdict |\n";
  text += "|---|---|---:|---:|---:|---|\n";
  std::string notes;
  for (const Comparison& one : outcome.comparisons) {
    std::string what;
    for (const char c : one.what) what += c == '|' ? std::string("\\|") : std::string(1, c);
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", what, against_text(one),
                        stable(one.expected, one.tolerance), tolerance_text(one),
                        stable(one.obtained, one.tolerance), verdict_text(one));
    if (!one.note.empty()) notes += fmt::format("\n{}: {}\n", one.what, one.note);
  }
  text += notes;
  if (!outcome.remark.empty()) text += "\n" + outcome.remark + "\n";
  return text;
}

std::string results_markdown(const std::vector<Result>& results) {
  std::string text =
      "# Reproductions\n\n"
      "Figures and tables of the literature, recomputed and compared. This page is written by\n"
      "`microslip reproduce all --markdown > docs/reproductions.md`; `microslip reproduce ID "
      "--plot "
      "DIR`\ndraws the pictures.\n\n"
      "`printed` numbers stand in the source; `derived` ones follow from a closed form, an "
      "identity "
      "or\nan independent method.\n\n"
      "| id | what is computed | verdict |\n|---|---|---|\n";
  for (const auto& [entry, outcome, pictures] : results)
    text += fmt::format("| {} | {} | {} |\n", entry->id, entry->sentence,
                        reproduce::text(outcome.verdict()));
  text += "\nSources:\n";
  std::string_view last;
  for (const Result& result : results) {
    const std::string_view citation = reproduce::citation(*result.entry);
    if (citation != last) text += fmt::format("\n- {}", citation);
    last = citation;
  }
  text += "\n";
  for (const Result& result : results) text += result_markdown(result);
  return text;
}

// -------------------------------------------------------------------------------- the call

int run_entries(const Settings& settings, const std::string& command_line) {
  const bool streaming = !settings.json && !settings.markdown;
  const std::vector<const Entry*> chosen = chosen_entries(settings.ids);
  bool drawing = !settings.folder.empty();
  std::vector<Result> results;
  {
    Progress progress(chosen.size());
    for (const Entry* entry : chosen) {
      Result result{entry, computed(*entry)};
      if (drawing) drawing = draw_figures(result, settings.folder, settings.format);
      results.push_back(std::move(result));
      progress.advance(1);
    }
  }
  if (settings.json) print(results_json(results, command_line));
  if (settings.markdown) print(results_markdown(results));
  if (streaming) {
    for (const Result& result : results) print(result_text(result));
    print(summary(results) + "\n" + differing(results));
  }
  return as_recorded(results) ? 0 : 1;
}

Run declare(CLI::App& options, const Context& context) {
  const auto settings = std::make_shared<Settings>();
  OptionGroup group(options, "Options");
  group.words("ID", settings->ids, "[ID...]", "identifiers from --list, or 'all'", false);
  group.flag("--list", settings->list, "list what there is");
  group.text("--plot", settings->folder, "DIR", "draw the pictures into this folder");
  group.text("--format", settings->format, "FORMAT",
             "of the pictures: svg, png or pdf; svg if left out");
  group.flag("--json", settings->json, "write JSON");
  group.flag("--markdown", settings->markdown, "write a page for the documentation");
  return [settings, &context] {
    if (settings->json && settings->markdown) throw Error("--markdown excludes --json");
    if (settings->list) {
      print(settings->json ? list_json() : list_text());
      return 0;
    }
    if (settings->ids.empty())
      throw Error(
          "reproduce needs an identifier or 'all'; 'microslip reproduce --list' shows them");
    choice("--format", settings->format, {"svg", "png", "pdf"});
    return run_entries(*settings, context.command_line);
  };
}

}  // namespace

Command reproduce_command() {
  return {"reproduce", "Recompute figures and tables of the literature and compare.", details,
          declare};
}

}  // namespace microslip::app
