#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "microslip/jobs/control.hpp"
#include "microslip/study/store.hpp"

/// Runs of a study that a store does not have yet.
namespace microslip::study {

/// Runs i with i mod count = place; all of them by default.
struct Shard {
  std::uint64_t place = 0, count = 1;  ///< from 0
};
/// "3/64", counted from 1. Throws Error for others.
Shard shard_of(std::string_view text);

struct Progress {
  std::uint64_t wanted = 0;  ///< runs of the shard
  std::uint64_t before = 0;  ///< that were there
  std::uint64_t done = 0;    ///< new ones
  std::uint64_t failed = 0;  ///< of these
};

/// Does what is missing, several at a time (0: as many as the machine has), and stores it four times a second. Stopped
/// by `control`, it stores what is done. Memory does not grow with the number of runs but for a bit of each.
Progress run_missing(const Study& study, Store& store, Shard shard, std::size_t threads,
                     const jobs::Control& control = {});

/// The table: run, the numbers, the numbers that were collected, failure. The same bytes for the same runs.
/// Curves have a table of their own: the columns are the points of the grid.
void write_table(const Study& study, const Store& store,
                 const std::function<void(std::string_view)>& to);
void write_curve(const Study& study, const Store& store, const Quantity& curve,
                 const std::function<void(std::string_view)>& to);

}  // namespace microslip::study
