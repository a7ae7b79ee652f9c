#include "microslip/fit/holdout.hpp"

#include <algorithm>
#include <cstdio>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/loops/loops.hpp"

namespace microslip::fit {
namespace {

class Rows {
 public:
  Rows(const Data& data, const loops::Loops& found)
      : data_(data), found_(found), held_(data.rows(), false) {}

  void leave_out(std::size_t first, std::size_t last) {
    std::fill(held_.begin() + static_cast<std::ptrdiff_t>(first),
              held_.begin() + static_cast<std::ptrdiff_t>(std::min(last, data_.rows())), true);
  }
  void leave_out_cycle(std::size_t i) {
    leave_out(found_.cycles[i].first_row, found_.cycles[i].last_row + 1);
  }
  bool minor() {
    for (std::size_t i = 0; i < found_.cycles.size(); ++i)
      if (found_.cycles[i].minor) leave_out_cycle(i);
    return enough();
  }
  bool last_third() {
    const std::size_t n = found_.cycles.size();
    if (n < 2) return false;
    const std::size_t from = n - std::max<std::size_t>(n / 3, 1);
    for (std::size_t i = from; i < n; ++i) leave_out_cycle(i);
    return enough();
  }
  double held_share() const {
    return static_cast<double>(std::count(held_.begin(), held_.end(), true)) /
           static_cast<double>(held_.size());
  }
  void reset() { std::fill(held_.begin(), held_.end(), false); }
  std::vector<bool> take() { return std::move(held_); }

 private:
  /// Something to predict, and at least a third to learn from.
  bool enough() const {
    const auto seen = std::count(held_.begin(), held_.end(), false);
    const auto rows = static_cast<std::ptrdiff_t>(held_.size());
    return seen < rows && 3 * seen > rows;
  }
  const Data& data_;
  const loops::Loops& found_;
  std::vector<bool> held_;
};

Error not_understood(const std::string& how) {
  return Error("--holdout '" + how +
               "' must be auto, minor, last, none, a fraction such as 0.3 or cycles such as 2,4-6");
}

void leave_out_listed(const std::string& how, std::size_t cycles, Rows& rows) {
  for (const std::string& part : cut_at(',', how)) {
    unsigned from = 0, to = 0;
    char rest = 0;
    if (std::sscanf(part.c_str(), "%u-%u%c", &from, &to, &rest) != 2) {
      if (std::sscanf(part.c_str(), "%u%c", &from, &rest) != 1) throw not_understood(how);
      to = from;
    }
    if (from < 1 || to < from || to > cycles)
      throw Error("--holdout " + how + ": there are cycles 1 to " + std::to_string(cycles));
    for (std::size_t i = from; i <= to; ++i) rows.leave_out_cycle(i - 1);
  }
}

}  // namespace

std::vector<bool> held_out_rows(const Data& data, const std::string& how) {
  if (how == "none") return {};
  const auto loops = loops_of(data);
  const loops::Loops& found = *loops;
  Rows rows(data, found);
  if (how == "auto") {
    if (rows.minor() && rows.held_share() > 0.01) return rows.take();
    rows.reset();
    return rows.last_third() ? rows.take() : std::vector<bool>{};
  }
  if (how == "minor") {
    if (!rows.minor()) throw Error(data.name + " has no minor loops to hold out");
  } else if (how == "last") {
    if (!rows.last_third()) throw Error(data.name + " has too few cycles to hold some out");
  } else if (double share = 0; how.find('.') != std::string::npos) {
    char rest = 0;
    if (std::sscanf(how.c_str(), "%lf%c", &share, &rest) != 1 || !(share > 0 && share < 0.7))
      throw Error("--holdout " + how + " must be a fraction between 0 and 0.7");
    const auto n = static_cast<double>(data.rows());
    rows.leave_out(static_cast<std::size_t>(n * (1 - share)), data.rows());
  } else {
    leave_out_listed(how, found.cycles.size(), rows);
  }
  return rows.take();
}

}  // namespace microslip::fit
