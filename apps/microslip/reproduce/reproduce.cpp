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
#include "reproduce/job.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using reproduce::Comparison;
using reproduce::Entry;
using reproduce::ReproduceResult;
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
  identity      true of every law of the kind; tests our arithmetic
  judged        no number: a word of the source such as "excellent"; the reader judges
  recorded      our own earlier value; guards against change, proves nothing

The verdict on an entry names the strongest of these that it rests on:

  reproduced         a printed number or equation is met, and all others too
  differs            at least one number is not met
  no printed value   the source prints nothing to meet; all others are met

What an entry shows; a wrong input must be noticed, and the entry names the row that does it:

  covered                      by a row that could have failed
  partly                       rows could have failed, but none of them notices the wrong input
  circular                     all rows are circular, identities or our own values
  not decidable from the text  the text gives nothing to compare with

Where a source is known to be wrong, 'differs' is the verdict on record. The exit code is 0 when
every verdict is the one on record, else 1.
)";

struct Settings {
  std::vector<std::string> ids;
  std::string folder, format = "svg", pages;
  bool list = false, json = false, markdown = false;
};

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
  std::string text =
      fmt::format("{}: {}; {}\n  {}\n  {}\n\n", entry->id, outcome.verdict_with_kind(),
                  reproduce::text(coverage(*entry, outcome)), wrapped(entry->sentence, 2),
                  wrapped(entry->source, 2));
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
  if (!entry->mutation.noticed_by.empty())
    text +=
        fmt::format("\n  A wrong input, {} times {:g}, is noticed by: {}\n", entry->mutation.input,
                    entry->mutation.factor, wrapped(std::string(entry->mutation.noticed_by), 2));
  if (!outcome.remark.empty()) text += "\n  " + wrapped(outcome.remark, 2) + "\n";
  for (const std::string& picture : pictures) text += "\n  picture: " + picture + "\n";
  return text + "\n";
}

// ---------------------------------------------------------------------------- for machines

std::string list_json() {
  const ReproduceResult list = reproduce::reproduce({.ids = {"all"}, .compute = false});
  return Json::parse(jobs::to_text(list, -1)).at("reproductions").dump(2) + "\n";
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
  ReproduceResult made = with_progress([&](const jobs::Control& control) {
    return reproduce::reproduce({.ids = settings.ids}, control);
  });
  std::vector<Result>& results = made.results;
  bool drawing = !settings.folder.empty();
  for (std::size_t i = 0; i < results.size() && drawing; ++i) {
    drawing = draw_figures(results[i], settings.folder, settings.format);
    made.reproductions[i].pictures = results[i].pictures;
  }
  made.command = command_line;
  if (settings.json) print(jobs::to_text(made));
  if (settings.markdown) print(results_markdown(results));
  if (!settings.pages.empty()) write_pages(results, settings.pages);
  if (streaming) {
    for (const Result& result : results) print(result_text(result));
    print(summary(results) + "\n" + coverage_summary(results) + "\n" + kinds_summary(results) +
          "\n" + differing(results));
  }
  return made.as_recorded ? 0 : 1;
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
