#pragma once

/// A plate with frictional cracks and its load, as a TOML file:
///
///     [plate]
///     E = 210e3
///     nu = 0.3
///     plane = "stress"              # or "strain"
///     length = 10.0                 # L of the edge stretch
///     finite = false                # true: a square plate of this size
///     [[crack]]                     # or, inside or above [plate]: cracks = "field.csv" with the
///     at = [0.0, 0.0]               # columns x, y, a, angle, mu; or random = { n = 32, seed = 1 }
///     half_length = 0.5
///     angle = 50.0                  # degrees from x
///     mu = 0.3
///     [load]
///     stress = [30.0, -100.0, 0.0]  # σx, σy, σxy for f = 1
///     input = "load.csv"            # column f (and t); or signal, until, step
///     [options]
///     nodes = 12                    # of a crack, at least
///     most_nodes = 100              # of a crack that lies close to another
///     edge_elements = 40            # of each side of a finite plate
///     interaction = true
///
/// Files named inside are looked for beside the TOML file. A key that is not known is refused. The load may
/// also stand in the text itself, f = [0.0, 1.0, 0.0] and t, and the text may be JSON.

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/catalog/files/drive_history.hpp"
#include "microslip/catalog/files/text_source.hpp"
#include "microslip/contact/cracks.hpp"

namespace microslip::catalog {

struct CracksFile {
  contact::Plate plate;
  std::vector<contact::Crack> cracks;
  std::optional<contact::RandomCracks> random{};  ///< how they were drawn
  std::array<double, 3> stress{};
  contact::CrackOptions options;
  DriveHistory load;
  std::vector<std::filesystem::path> files{};  ///< that were read
};

CracksFile parse_cracks(std::string_view text, const TextSource& source);
CracksFile read_cracks(const std::filesystem::path& path);

}  // namespace microslip::catalog
