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
};

/// Leaves out single rows that jump away and come back.
Record without_spikes(std::span<const double> t, std::span<const double> u,
                      std::span<const double> f);

/// Whether the loops enclose more energy than noise makes.
bool encloses_energy(const Loops& loops);

std::vector<std::string> warnings_of(const Loops& loops, const Record& record,
                                     std::size_t rows_before);

}  // namespace microslip::loops
