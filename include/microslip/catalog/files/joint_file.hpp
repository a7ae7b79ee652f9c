#pragma once

/// A lap joint and its motion, as a TOML file:
///
///     [plates]
///     length = 40.0               # of each plate
///     overlap = 20.0
///     thickness = 3.0
///     width = 10.0
///     E = 70e3
///     nu = 0.33
///     plane = "stress"            # or "strain"
///     mesh = [240, 16]            # elements along a plate, through its thickness
///     support = "axial"           # or "bending"
///     [contact]
///     mu = 0.3
///     pressure = "20"             # formula of x in [0, overlap], or a table with columns x, p
///     normal = "tied"             # or "unilateral"
///     [[bolt]]                    # instead of a pressure; or pressure = { force, at, washer }
///     force = 2000.0
///     at = 10.0                   # from the left end of the overlap
///     washer = 8.0
///     [load]
///     input = "drive.csv"         # column u: displacement of the far end; or signal, until, step
///
/// Files named inside are looked for beside the TOML file. A key that is not known is refused.

#include <filesystem>
#include <string_view>
#include <vector>

#include "microslip/catalog/files/drive_history.hpp"
#include "microslip/contact/lap_joint.hpp"

namespace microslip::catalog {

struct JointFile {
  contact::LapPlates plates;
  contact::Clamping clamping;
  double mu = 0;
  bool unilateral = false;
  DriveHistory drive;
  std::vector<std::filesystem::path> files{};  ///< that were read
};

JointFile parse_joint(std::string_view text, const std::filesystem::path& name);
JointFile read_joint(const std::filesystem::path& path);

}  // namespace microslip::catalog
