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
#include "microslip/io/file.hpp"
#include "microslip/version.hpp"
#include "reproduce/pages.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using reproduce::Comparison;
using reproduce::Entry;
using reproduce::Outcome;
using reproduce::Result;
using Json = nlohmann::ordered_json;

constexpr const char* details = R"(Examples
  microslip reproduce --list
  microslip reproduce biswas2018-fig4.7 --plot out
  microslip reproduce all --json | jq '.reproductions[] | {id, verdict}'

Each comparison says what stands behind the number that it expects:

  printed       a numeral of the source
  equation      a printed equation, evaluated apart from the law at stated numbers
  statement     a sentence or a drawn curve of the source, as an inequality
  independent   a second method: a closed form, another algorithm, a program in tests/reference
  circular      made with the printed result and found again; says nothing about the source
  recorded      our own earlier value; guards against change, proves nothing

The verdict on an entry names the strongest of these that it rests on:

  reproduced         a printed number or equation is met, and all others too
  differs            at least one number is not met
  no printed value   the source prints nothing to meet; all others are met

Where a source is known to be wrong, 'differs' is the verdict on record. The exit code is 0 when
every verdict is the one on record, else 1.
)";

struct Settings {
  std::vector<std::string> ids;
  std::string folder, format = "svg", pages;
  bool list = false, json = false, markdown = false;
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

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error("cannot make the folder " + folder.string() + ": " + error.message());
}

/// False when there is no gnuplot, which is said once.
bool draw_figures(Result& result, const std::filesystem::path& folder, const std::string& format) {
  make_folder(folder);
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
  std::string text = fmt::format("{}: {}\n  {}\n  {}\n\n", entry->id, outcome.verdict_with_kind(),
                                 wrapped(entry->sentence, 2), wrapped(entry->source, 2));
  std::vector<std::vector<std::string>> rows{
      {"  quantity", "against", "expected", "tolerance", "obtained", "verdict"}};
  std::string notes;
  std::size_t verdict_width = 0;  // words stand on the left, table_text() puts them on the right
  for (const Comparison& one : outcome.comparisons)
    verdict_width = std::max(verdict_width, verdict_text(one).size());
  rows[0].back() = padded(rows[0].back(), verdict_width);
  for (const Comparison& one : outcome.comparisons) {
    rows.push_back({"  " + one.what, std::string(reproduce::text(one.against)), expected_text(one),
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

const char* relation_text(Comparison::Relation relation) {
  switch (relation) {
    case Comparison::Relation::at_most:
      return "at most";
    case Comparison::Relation::at_least:
      return "at least";
    case Comparison::Relation::equal:
      break;
  }
  return "equal";
}

Json result_json(const Result& result) {
  Json json = entry_json(*result.entry);
  json["verdict"] = reproduce::text(result.outcome.verdict());
  json["rests_on"] = reproduce::text(result.outcome.rests_on());
  const reproduce::KindCounts counts = result.outcome.counts();
  for (std::size_t kind = 0; kind < counts.size(); ++kind)
    json["kinds"][std::string(reproduce::text(Comparison::Against(kind)))] = counts[kind];
  json["as_recorded"] = result.outcome.as_recorded();
  json["comparisons"] = Json::array();
  for (const Comparison& one : result.outcome.comparisons)
    json["comparisons"].push_back({{"quantity", one.what},
                                   {"against", reproduce::text(one.against)},
                                   {"relation", relation_text(one.relation)},
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

/// One page after another.
std::string results_markdown(const std::vector<Result>& results) {
  std::string text;
  for (const reproduce::Page& page : reproduce::pages(results))
    text += (text.empty() ? "" : "\n") + page.text;
  return text;
}

/// The pages and one picture for each entry, small enough to be kept with the sources.
void write_pages(const std::vector<Result>& results, const std::filesystem::path& folder) {
  constexpr int dots_per_inch = 64;
  make_folder(folder / "reproductions");
  // The index and the list of misprints are those of all entries.
  const bool all = results.size() == reproduce::entries().size();
  for (const reproduce::Page& page : reproduce::pages(results))
    if (all || page.path.starts_with("reproductions/"))
      io::write_file(folder / page.path, page.text);
  for (const Result& result : results) {
    const std::string picture = reproduce::picture_path(result);
    if (picture.empty()) continue;
    try {
      io::draw(result.outcome.figures.front().second, folder / picture, dots_per_inch);
    } catch (const io::PictureUnavailable& unavailable) {
      say("microslip: " + one_line(unavailable.what()) + "\n");
      return;
    }
  }
}

// -------------------------------------------------------------------------------- the call

int run_entries(const Settings& settings, const std::string& command_line) {
  const bool streaming = !settings.json && !settings.markdown && settings.pages.empty();
  const std::vector<const Entry*> chosen = chosen_entries(settings.ids);
  bool drawing = !settings.folder.empty();
  std::vector<Result> results;
  {
    Progress progress(chosen.size());
    for (const Entry* entry : chosen) {
      progress.stage(std::string(entry->id));
      Result result{entry, computed(*entry)};
      if (drawing) drawing = draw_figures(result, settings.folder, settings.format);
      results.push_back(std::move(result));
      progress.advance(1);
    }
  }
  if (settings.json) print(results_json(results, command_line));
  if (settings.markdown) print(results_markdown(results));
  if (!settings.pages.empty()) write_pages(results, settings.pages);
  if (streaming) {
    for (const Result& result : results) print(result_text(result));
    print(summary(results) + "\n" + kinds_summary(results) + "\n" + differing(results));
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
  group.flag("--markdown", settings->markdown, "write the pages of the documentation");
  group.text("--pages", settings->pages, "DIR",
             "write the pages of the documentation, and a small picture for each entry, into this "
             "folder");
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
