#pragma once

#include <string>
#include <vector>

#include "microslip/dynamics/time/ringdown_modes.hpp"
#include "microslip/io/figure.hpp"

/// What `microslip ringdown` shows of a decay.
namespace microslip::app {

/// A record as it was read, from the row on where the decay begins.
struct DecayRecord {
  std::string source;
  double start = 0, step = 1;           ///< time of the first row, and between rows
  std::size_t rows = 0, first_row = 1;  ///< read; of these, where the decay begins
  std::vector<std::vector<double>> motions;
  std::vector<std::string> names;  ///< of the motions
  std::string t_unit, amplitude_unit, quantity;
  std::string taken;  ///< which columns were taken for what, in words
};

using dynamics::RingdownMode;

/// What a person should know before trusting the numbers.
std::vector<std::string> ringdown_notes(const DecayRecord& record,
                                        const std::vector<RingdownMode>& modes);
std::string ringdown_text(const DecayRecord& record, const std::vector<RingdownMode>& modes);
std::string ringdown_csv(const DecayRecord& record, const std::vector<RingdownMode>& modes,
                         const std::string& command_line);
std::string ringdown_json(const DecayRecord& record, const std::vector<RingdownMode>& modes,
                          const std::string& command_line);
io::Figure ringdown_figure(const DecayRecord& record, const std::vector<RingdownMode>& modes);

}  // namespace microslip::app
