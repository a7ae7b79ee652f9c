#include "microslip/study/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/parallel.hpp"
#include "microslip/io/csv.hpp"

namespace microslip::study {
namespace {

using Clock = std::chrono::steady_clock;

/// Names of addresses may have commas.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r#") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c == '\n' || c == '\r' ? ' ' : c;
  }
  return quoted + "\"";
}

}  // namespace

Shard shard_of(std::string_view text) {
  const auto slash = text.find('/');
  const auto whole = [&](std::string_view digits) -> std::uint64_t {
    if (digits.empty() || digits.size() > 9 ||
        digits.find_first_not_of("0123456789") != std::string_view::npos)
      return 0;
    return std::stoull(std::string(digits));
  };
  const std::uint64_t place = slash == std::string_view::npos ? 0 : whole(text.substr(0, slash));
  const std::uint64_t count = slash == std::string_view::npos ? 0 : whole(text.substr(slash + 1));
  if (count < 1 || place < 1)
    throw Error("--shard " + std::string(text) + " must be two whole numbers, as 3/64");
  if (place > count)
    throw Error("--shard " + std::string(text) + ": of " + std::to_string(count) +
                " shards there is no number " + std::to_string(place));
  return {place - 1, count};
}

Progress run_missing(const Study& study, Store& store, Shard shard, std::size_t threads,
                     const jobs::Control& control) {
  const std::vector<bool> there = store.done(study.runs());
  Progress progress;
  for (std::uint64_t i = shard.place; i < study.runs(); i += shard.count) {
    ++progress.wanted;
    if (there[i]) ++progress.before;
  }
  const std::uint64_t missing = progress.wanted - progress.before;
  std::mutex mutex;
  std::vector<Store::Row> waiting;
  std::size_t bytes = 0;
  auto stored = Clock::now(), shown = stored - std::chrono::seconds(1);
  std::atomic<bool> stop{false};
  std::uint64_t next = shard.place;
  const auto show = [&] {
    const auto now = Clock::now();
    if (!control.progress || now - shown < std::chrono::milliseconds(50)) return;
    shown = now;
    const double part =
        missing == 0 ? 1 : static_cast<double>(progress.done) / static_cast<double>(missing);
    if (!control.progress(
            part, fmt::format("{} of {} runs{}", progress.before + progress.done, progress.wanted,
                              progress.failed > 0 ? fmt::format(", {} failed", progress.failed)
                                                  : std::string())))
      stop = true;
  };
  // A run that takes long asks too.
  const jobs::Control inside{[&](double, std::string_view) {
    const std::lock_guard lock(mutex);
    show();
    return !stop;
  }};
  const auto flush = [&] {
    if (!waiting.empty()) store.put(waiting);
    waiting.clear();
    bytes = 0;
    stored = Clock::now();
  };
  const auto work = [&] {
    for (;;) {
      std::uint64_t i = 0;
      {
        const std::lock_guard lock(mutex);
        while (next < study.runs() && there[next]) next += shard.count;
        if (stop || next >= study.runs()) return;
        i = next;
        next += shard.count;
      }
      Store::Row row{i, {}};
      try {
        row.outcome = study.run(i, inside);
      } catch (const jobs::Interrupted&) {
        stop = true;
        return;
      } catch (...) {
        stop = true;
        throw;
      }
      const std::lock_guard lock(mutex);
      ++progress.done;
      if (!row.outcome.failure.empty()) ++progress.failed;
      bytes += 8 * (row.outcome.numbers.size() + row.outcome.values.size()) + 100;
      waiting.push_back(std::move(row));
      show();
      if (Clock::now() - stored > std::chrono::milliseconds(250) ||
          bytes > (std::size_t{1} << 23)) {
        try {
          flush();
        } catch (...) {
          stop = true;
          throw;
        }
      }
    }
  };
  threads = std::min<std::uint64_t>(thread_count(threads), std::max<std::uint64_t>(missing, 1));
  try {
    in_parallel(threads, threads, [&](std::size_t) { work(); });
  } catch (...) {
    // What was computed stays, if the store can still be written.
    try {
      flush();
    } catch (...) {
    }
    throw;
  }
  flush();
  if (stop) throw jobs::Interrupted();
  return progress;
}

void write_table(const Study& study, const Store& store,
                 const std::function<void(std::string_view)>& to) {
  std::string line = "run";
  for (const std::string& number : study.numbers()) line += "," + cell(number);
  for (const Quantity& q : study.quantities())
    if (!q.is_curve()) line += "," + cell(q.name);
  to(line + ",failure\n");
  store.each([&](const Store::Row& row) {
    if (row.i >= study.runs()) return;
    line = std::to_string(row.i);
    for (const double x : row.outcome.numbers) line += "," + io::exact_text(x);
    const bool failed = !row.outcome.failure.empty();
    std::size_t k = 0;
    for (const Quantity& q : study.quantities()) {
      if (!q.is_curve()) {
        const double x = row.outcome.values.at(k);
        line += "," + (failed ? study.missing_text() : std::isnan(x) ? "" : io::exact_text(x));
      }
      k += q.size();
    }
    to(line + "," + cell(row.outcome.failure) + "\n");
  });
}

void write_curve(const Study& study, const Store& store, const Quantity& curve,
                 const std::function<void(std::string_view)>& to) {
  std::size_t first = 0;
  for (const Quantity& q : study.quantities()) {
    if (q.name == curve.name) break;
    first += q.size();
  }
  std::string line = "run";
  for (const double x : curve.grid) line += "," + io::exact_text(x);
  to(line + "\n");
  store.each([&](const Store::Row& row) {
    if (row.i >= study.runs()) return;
    line = std::to_string(row.i);
    for (std::size_t k = 0; k < curve.size(); ++k) {
      const double x = row.outcome.values.at(first + k);
      line += "," + (!row.outcome.failure.empty() ? study.missing_text()
                     : std::isnan(x)              ? ""
                                                  : io::exact_text(x));
    }
    to(line + "\n");
  });
}

}  // namespace microslip::study
