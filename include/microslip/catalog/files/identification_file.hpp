#pragma once

/// A structure file with what is unknown in it and what was measured, for identification:
///
///     [unknown]
///     "joint[1].Fs" = { start = 100, bounds = [1, 1e5] }   # an address (addresses.hpp), both optional
///     [[data]]
///     kind = "ring-down"              # free vibration of one or several sensors
///     file = "hammer.uff"             # or columns = { t = [0, 0.1], x1 = [0, 0.2] }
///     channels = ["acc1"]             # headings or numbers of columns; left out: x1, v1, a1, …
///     quantity = "acceleration"       # of the channels; left out: by the letter of the heading
///     at = { dof = 3 }                # or { sensor = "tip" }, { mode = 1, shape = 0.8 }; a list for several
///     start = 0.02                    # rows before are left out
///     holdout = true                  # is predicted instead of fitted
///     [[data]]
///     kind = "frequency-response"     # omega or frequency, level, x1 and phase1, or re1 and im1; v1, a1
///     file = "levels.csv"
///     [[data]]
///     kind = "record"                 # t, f or load1, load2, …, x1, v1, a1, …
///     file = "multisine.csv"
///     interpolate = "spline"          # the force between rows; or "linear"
///     initial = "rest"                # or "unknown", "periodic": the record is one period of many
///     [[data]]
///     kind = "modal-curve"            # amplitude, omega or frequency, zeta, omega_error, zeta_error
///     file = "curve.csv"
///     mode = 1
///     at = { dof = 3 }                # where the amplitude was measured, and its quantity
///     zeta = "decrement"              # or "energy"
///     [[data]]
///     kind = "loop"                   # u, f of one joint; t if it matters
///     file = "loop.csv"
///     joint = 1

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/catalog/files/structure_file.hpp"

namespace microslip::catalog {

/// A number of the structure that is looked for.
struct UnknownEntry {
  std::string address;
  std::optional<double> start{}, lower{}, upper{};
};

/// What was measured: [[data]]. Which keys a kind takes is checked when the file is read.
struct Measurement {
  std::string kind;  ///< ring-down, frequency-response, record, modal-curve, loop
  std::string name;  ///< of its file, for messages
  std::vector<std::string> headings{};         ///< of the columns
  std::vector<std::vector<double>> columns{};  ///< t, omega, f, level, …, then the channels
  std::vector<std::string> channels{};
  std::vector<dynamics::Direction> at{};  ///< where each channel is measured
  std::vector<int> order{};               ///< 0 displacement, 1 velocity, 2 acceleration
  std::optional<double> start{};
  std::vector<double> band{};  ///< periods per unit of time, from and to
  std::optional<int> harmonics{}, mode{}, joint{};
  std::string interpolate{}, initial{}, zeta{};
  bool holdout = false;
  std::string where{};  ///< for messages

  /// nullptr if there is no such column.
  const std::vector<double>* column(std::string_view heading) const;
};

struct IdentificationFile {
  StructureFile structure;
  std::vector<UnknownEntry> unknowns;
  std::vector<Measurement> measurements;
};

IdentificationFile parse_identification(std::string_view text, const TextSource& source);
IdentificationFile read_identification(const std::filesystem::path& path);

}  // namespace microslip::catalog
