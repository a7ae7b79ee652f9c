#pragma once

#include <span>
#include <string>
#include <vector>

#include "microslip/loops/loops.hpp"

/// What a careful person would notice about a record.
namespace microslip::loops {

/// The rows that are analysed, and which rows of the record they are.
struct Record {
  std::vector<double> t, u, f;
  std::vector<std::size_t> rows;
  std::vector<std::size_t> jumps{};  ///< rows that were left out because they jump away and back
  double usual_time_step = 0,
         largest_time_step = 0;  ///< between the rows before repeats were left out
  std::size_t repeated = 0;      ///< rows that were left out because they repeat the one before
  std::vector<std::size_t>
      gaps{};  ///< rows behind which time goes on by so much that the motion may have turned
};

/// Leaves out single rows that jump away and come back.
Record without_spikes(std::span<const double> t, std::span<const double> u,
                      std::span<const double> f);

/// Leaves out rows that repeat the one before in both columns, as where the file has more rows than
/// were measured: their steps would be taken for noise.
void drop_repeats(Record& record);

/// Rows behind which time goes on by a quarter of what usually lies between two turns, or more: rows that are
/// missing there may have been another turn.
std::vector<std::size_t> gaps_of(const Record& record, const std::vector<std::size_t>& turning);

/// A sentence on them.
std::string gap_text(const Record& record);

/// Whether the loops enclose more energy than noise makes.
bool encloses_energy(const Loops& loops);

std::vector<std::string> warnings_of(const Loops& loops, const Record& record);

}  // namespace microslip::loops
