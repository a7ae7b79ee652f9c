#include "jobs/ringdown_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "microslip/core/error.hpp"
#include "microslip/loops/jumps.hpp"

namespace microslip::jobs {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
/// Largest error of a filled row, as a part of the motion nearby: what a window of many rows makes of a few
/// such errors is far below the 5 % to which the damping is known.
constexpr double most_error = 0.05;

/// Rows [begin, end) without a number.
struct Gap {
  std::size_t begin, end;
};

std::vector<Gap> gaps_of(const std::vector<double>& values) {
  std::vector<Gap> gaps;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    if (gaps.empty() || gaps.back().end < i) gaps.push_back({i, i});
    gaps.back().end = i + 1;
  }
  return gaps;
}

/// The cubic through two rows on either side of a gap, at a row inside.
double cubic_over(const std::vector<double>& values, const Gap& gap, std::size_t row) {
  const std::array<std::size_t, 4> at{gap.begin - 2, gap.begin - 1, gap.end, gap.end + 1};
  const auto x = [](std::size_t i) { return static_cast<double>(i); };
  double sum = 0;
  for (const std::size_t i : at) {
    double term = values[i];
    for (const std::size_t j : at)
      if (j != i) term *= (x(row) - x(j)) / (x(i) - x(j));
    sum += term;
  }
  return sum;
}

bool finite_around(const std::vector<double>& values, const Gap& gap) {
  return gap.begin >= 2 && gap.end + 1 < values.size() && std::isfinite(values[gap.begin - 2]) &&
         std::isfinite(values[gap.begin - 1]) && std::isfinite(values[gap.end]) &&
         std::isfinite(values[gap.end + 1]);
}

/// What cubics over gaps of this length miss where the rows are there, over the motion (rms of both).
double error_of_filling(const std::vector<double>& values, std::size_t length) {
  double error = 0, motion = 0;
  const std::size_t stride = std::max<std::size_t>(values.size() / 2000, 1);
  for (std::size_t i = 2; i + length + 2 < values.size(); i += stride) {
    const Gap gap{i, i + length};
    if (!finite_around(values, gap)) continue;
    for (std::size_t row = gap.begin; row < gap.end; ++row) {
      if (!std::isfinite(values[row])) continue;
      error += std::pow(cubic_over(values, gap, row) - values[row], 2);
      motion += values[row] * values[row];
    }
  }
  return motion > 0 ? std::sqrt(error / motion) : 1;
}

/// Puts rows of NaN where the time goes on by several steps. Other uneven times are left as they are.
void open_absent_rows(RingdownRequest& request) {
  const std::vector<double>& t = request.t;
  if (t.size() < 5) return;
  std::vector<double> steps;
  for (std::size_t i = 1; i < t.size(); ++i) steps.push_back(t[i] - t[i - 1]);
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  const double usual = *middle;
  std::vector<std::size_t> place{0};
  for (std::size_t i = 1; i < t.size(); ++i) {
    const double count = std::round((t[i] - t[i - 1]) / usual);
    if (!(count >= 1 && count < 1e6) || std::abs(t[i] - t[i - 1] - count * usual) > 0.1 * usual)
      return;
    place.push_back(place.back() + static_cast<std::size_t>(count));
  }
  const std::size_t rows = place.back() + 1;
  if (rows == t.size() || rows > 2 * t.size()) return;
  const double step = (t.back() - t.front()) / static_cast<double>(rows - 1);
  for (Motion& motion : request.motions) {
    std::vector<double> values(rows, not_a_number);
    for (std::size_t i = 0; i < t.size(); ++i) values[place[i]] = motion.values[i];
    motion.values = std::move(values);
  }
  std::vector<double> times(rows);
  for (std::size_t i = 0; i < rows; ++i)
    times[i] = request.t.front() + static_cast<double>(i) * step;
  request.t = std::move(times);
}

void cut(std::size_t first, std::size_t last, std::vector<double>& values) {
  values = std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(first),
                               values.begin() + static_cast<std::ptrdiff_t>(last));
}

/// Rows before all motions have begun, and behind the end of one, are left out.
void cut_ends(RingdownRequest& request) {
  std::size_t first = 0, last = request.t.size();
  for (const Motion& motion : request.motions)
    for (const Gap& gap : gaps_of(motion.values)) {
      if (gap.begin == 0) first = std::max(first, gap.end);
      if (gap.end == motion.values.size()) last = std::min(last, gap.begin);
    }
  if (first >= last) throw Error(request.name + ": no row has a number in each of its columns");
  cut(first, last, request.t);
  for (Motion& motion : request.motions) cut(first, last, motion.values);
}

std::string fill(const std::string& source, const std::vector<double>& t, Motion& motion) {
  std::size_t rows = 0, longest = 0;
  const std::vector<Gap> gaps = gaps_of(motion.values);
  if (gaps.empty()) return "";
  double worst = 0;
  for (const Gap& gap : gaps) {
    const std::size_t length = gap.end - gap.begin;
    const std::string where = fmt::format("{}: {} has no number in {} rows from t = {:.6g} on",
                                          source, motion.name, length, t[gap.begin]);
    constexpr const char* advice =
        "; choose a part of the record without them (--from, --to), or leave that column out";
    if (!finite_around(motion.values, gap))
      throw Error(where + ", and too few beside them to fill them" + advice);
    if (length > longest) worst = error_of_filling(motion.values, length);
    longest = std::max(longest, length);
    if (worst > most_error)
      throw Error(where +
                  fmt::format(", too many to be filled: where rows are there, a cubic over "
                              "as many misses {:.0f} % of the motion",
                              100 * worst) +
                  advice);
    rows += length;
  }
  const std::vector<double> before = motion.values;
  for (const Gap& gap : gaps)
    for (std::size_t row = gap.begin; row < gap.end; ++row)
      motion.values[row] = cubic_over(before, gap, row);
  return fmt::format(
      "{} has no number in {} of {} rows (at most {} one after the other, the first at t = "
      "{:.6g}); they "
      "are filled by cubics, which miss {:.2g} % of the motion where rows are there",
      motion.name, rows, motion.values.size(), longest, t[gaps.front().begin], 100 * worst);
}

/// Single wild values are no motion: they are filled as if they were missing.
std::string open_jumps(Motion& motion) {
  const std::vector<std::size_t> rows = loops::rows_that_jump(motion.values);
  if (rows.empty()) return "";
  for (const std::size_t row : rows) motion.values[row] = not_a_number;
  return fmt::format("{}: {} away and back; such rows are taken for missing", motion.name,
                     loops::jumping_rows_text(rows));
}

}  // namespace

std::vector<std::string> fill_missing_rows(RingdownRequest& request) {
  for (const Motion& motion : request.motions)
    if (motion.values.size() != request.t.size()) return {};  // refused later, with a sentence
  io::NamedColumns columns{{"t", &request.t}};
  for (Motion& motion : request.motions) columns.emplace_back(motion.name, &motion.values);
  if (request.missing == io::Missing::refuse || request.missing == io::Missing::drop) {
    const io::MissingRows missing = io::settle_missing(columns, io::Missing::refuse);
    if (missing.rows > 0)
      throw Error(fmt::format(
          "{}: row {} has no number in {}{}", request.name, missing.first + 1,
          missing.columns.front(),
          request.missing == io::Missing::drop
              ? "; a ring-down needs rows at equal steps of time, so that none can be left out: "
                "--missing interpolate fills them"
              : ""));
    return {};
  }
  // Rows without their time are absent, as others that nobody wrote.
  std::vector<std::size_t> with_time;
  for (std::size_t i = 0; i < request.t.size(); ++i)
    if (std::isfinite(request.t[i])) with_time.push_back(i);
  if (with_time.size() < request.t.size())
    for (const auto& [name, values] : columns) {
      std::vector<double> kept;
      for (const std::size_t i : with_time) kept.push_back((*values)[i]);
      *values = std::move(kept);
    }
  open_absent_rows(request);
  if (request.t.empty()) throw Error(request.name + ": no row has a time");
  cut_ends(request);
  std::vector<std::string> notes;
  for (Motion& motion : request.motions)
    if (std::string note = open_jumps(motion); !note.empty()) notes.push_back(std::move(note));
  for (Motion& motion : request.motions)
    if (std::string note = fill(request.name, request.t, motion); !note.empty())
      notes.push_back(std::move(note));
  return notes;
}

}  // namespace microslip::jobs
