/// What the explorer calls: while a slider moves, a law that is made once and run over arrays that stay in
/// the engine's memory; for a record and a structure, jobs. What writes files goes through the command.
#include <emscripten/emscripten.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "microslip.h"
#include "microslip/core/error.hpp"
#include "microslip/io/csv.hpp"
#include "terminal.hpp"

// How far a command has come, for the page.
EM_JS(void, explorer_progress, (double part, const char* stage), {
  if (Module["progress"]) Module["progress"](part, UTF8ToString(stage));
});

namespace microslip::app {

bool ProgressBar::exists() { return true; }
void ProgressBar::show(double part, std::string_view stage) {
  explorer_progress(part, std::string(stage).c_str());
}
void ProgressBar::silence(bool) {}
void ProgressBar::clear() {}

}  // namespace microslip::app

namespace {

std::map<int, microslip_model*> laws;
int last = 0;
microslip_error error;

constexpr const char* record_names[] = {"t", "u", "f"};
std::vector<double> record[3];
std::string units[3];
bool driven_by_force = false;

int show_progress(void*, double part, const char* stage) {
  explorer_progress(part, stage);
  return 0;
}

char* text_of(int code, char* text) { return code == MICROSLIP_OK ? text : nullptr; }

}  // namespace

extern "C" {

/// The sentence of the last failure.
EMSCRIPTEN_KEEPALIVE const char* explorer_error() { return error.sentence; }

/// All laws as JSON; free() it.
EMSCRIPTEN_KEEPALIVE char* explorer_laws() {
  char* text = nullptr;
  return text_of(microslip_laws(&text, &error), text);
}

/// A law from its expression and "NAME=VALUE" settings, one a line; 0 after a failure.
EMSCRIPTEN_KEEPALIVE int explorer_create(const char* model, const char* settings) {
  std::vector<std::string> lines;
  for (std::string_view left = settings; !left.empty();) {
    const std::size_t length = std::min(left.find('\n'), left.size());
    if (length > 0) lines.emplace_back(left.substr(0, length));
    left.remove_prefix(std::min(length + 1, left.size()));
  }
  std::vector<const char*> words;
  for (const std::string& line : lines) words.push_back(line.c_str());
  microslip_model* law = nullptr;
  if (microslip_create(model, words.data(), words.size(), &law, &error) != MICROSLIP_OK) return 0;
  laws[++last] = law;
  return last;
}

EMSCRIPTEN_KEEPALIVE void explorer_destroy(int law) {
  const auto found = laws.find(law);
  if (found == laws.end()) return;
  microslip_destroy(found->second);
  laws.erase(found);
}

/// Runs a law from rest over columns of `rows` numbers; columns that are not wanted are null.
/// Returns the number of rows that are complete; fewer than `rows`: explorer_error() says why.
EMSCRIPTEN_KEEPALIVE int explorer_run(int law, int rows, int by_force, const double* t,
                                      const double* u, const double* uy, double* displacement,
                                      double* f, double* fy, double* energy, double* stored) {
  const microslip_model* model = laws.at(law);
  microslip_state* state = nullptr;
  if (microslip_rest(model, &state, &error) != MICROSLIP_OK) return 0;
  microslip_path path{};
  path.rows = static_cast<size_t>(rows);
  path.t.data = t;
  path.u.data = u;
  path.uy.data = uy;
  path.drive = by_force ? MICROSLIP_DRIVE_FORCE : MICROSLIP_DRIVE_DISPLACEMENT;
  microslip_history history{};
  history.u.data = displacement;
  history.f.data = f;
  history.fy.data = fy;
  history.energy.data = energy;
  history.stored.data = stored;
  std::memset(&error, 0, sizeof error);
  microslip_run(model, &path, state, &history, nullptr, nullptr, &error);
  microslip_state_destroy(state);
  return static_cast<int>(history.rows);
}

/// Reads the columns t (if there is one), u and f of a file as `microslip loops` does; headings may
/// be empty. Returns the number of rows, 0 after a failure.
EMSCRIPTEN_KEEPALIVE int explorer_record(const char* file, const char* u, const char* f) {
  try {
    microslip::io::Wanted wanted{
        .required = {"u", "f"}, .optional = {"t"}, .named = {}, .option_prefix = "--"};
    if (*u) wanted.named["u"] = u;
    if (*f) wanted.named["f"] = f;
    const microslip::io::Table table = microslip::io::read_csv(file, wanted);
    const microslip::io::Column* t = table.find("t");
    const microslip::io::Column* columns[] = {t, &table.at("u"), &table.at("f")};
    for (int i = 0; i < 3; ++i) {
      record[i] = columns[i] ? columns[i]->values : std::vector<double>{};
      units[i] = columns[i] ? columns[i]->unit : "";
    }
    const auto driven = table.metadata.find("driven");
    driven_by_force = driven != table.metadata.end() && driven->second == "force";
    return static_cast<int>(table.rows());
  } catch (const microslip::Error& failure) {
    std::strncpy(error.sentence, failure.what(), sizeof error.sentence - 1);
    return 0;
  }
}

/// Column 0 (t, null if there is none), 1 (u) or 2 (f) of the record that was read last.
EMSCRIPTEN_KEEPALIVE const double* explorer_column(int which) {
  return record[which].empty() ? nullptr : record[which].data();
}

/// Whether that record says that u is a force and f the displacement.
EMSCRIPTEN_KEEPALIVE int explorer_driven_by_force() { return driven_by_force ? 1 : 0; }

EMSCRIPTEN_KEEPALIVE const char* explorer_unit(int which) { return units[which].c_str(); }

/// A job of the library (docs/jobs.md): the text of its result, free() it; null after a failure. The request
/// is JSON, which may name the columns t, u and f of the record that was read last, or, with a name, a file
/// that a person writes, as TOML.
EMSCRIPTEN_KEEPALIVE char* explorer_job(const char* kind, const char* request, const char* name) {
  std::vector<microslip_column> columns;
  for (int i = 0; i < 3; ++i)
    if (!record[i].empty())
      columns.push_back({record_names[i], record[i].size(), {record[i].data(), 1}});
  char *written = nullptr, *result = nullptr;
  if (*name && microslip_job_request(kind, request, name, &written, &error) != MICROSLIP_OK)
    return nullptr;
  const int code = microslip_job_run(kind, written ? written : request, columns.data(),
                                     columns.size(), show_progress, nullptr, &result, &error);
  microslip_free(written);
  return text_of(code, result);
}

}  // extern "C"
