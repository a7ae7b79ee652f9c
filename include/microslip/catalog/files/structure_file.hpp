#pragma once

/// Structures with joints as TOML files. Degrees of freedom count from 1, ground is 0.
///
///     M = [1.0, 1.0]                 # diagonal, rows, or a file; K and C likewise, optional:
///                                    # "M.mtx", "job.mas", "model.mat:M" (io/matrix_file.hpp)
///     units = "N, m, s"              # optional: fits and records in other units are converted
///     damping = [0.01, 0.01]         # ratios of the first modes of (M, K), optional
///     stuck_damping = [0.01, 0.01]   # the same with the joints stuck
///     joints = "interface.csv"       # a row for each joint; columns model, from, to, parameters
///     [[spring]]
///     between = [0, 1]               # or along = [w1, w2] or "B.mtx" and row: acts on wᵀx
///     k = 0.75
///     springs = "springs.csv"        # a row for each; columns from, to, k, c (or [springs])
///     [[damper]]
///     between = [1, 2]
///     c = 0.01
///     [[joint]]
///     model = "jenkins"              # a law, or a sum of laws
///     set = { k = 0.25, phi = 0.2 }  # or params = "result.json"
///     between = [0, 1]               # or along, or mode = 1: acts on a mode of (M, K)
///     [[interface]]                  # optional: a row of sliders, catalog/two_sided.hpp
///     kind = "two-sided"
///     between = [5, 6]
///     n = 40                         # sliders
///     K_eq = 10.0                    # stiffness and mass of the whole
///     M_eq = 0.1
///     mu = 1.0                       # sum of the friction limits, or one for each slider
///     distribution = "uniform"       # linear, parabolic
///     form = "reduced"               # or "full"
///     modes = 4                      # of the reduced form
///     [[load]]
///     kind = "harmonic"              # multisine, sweep, stepped, impulse, base, record, static,
///                                    # formula
///     dof = 1                        # or along = [w1, w2]
///     amplitude = 0.2
///     [[sensor]]                     # optional: a displacement that is written too, x_tip
///     name = "tip"
///     between = [1, 2]               # or dof, or along
///     [reduction]                    # optional: Craig–Bampton
///     modes = 10                     # fixed-interface modes, labelled m1, m2, …
///     keep = [7]                     # kept besides what joints and single loads touch
///     [unknown]                      # for identification: numbers that are looked for
///     "spring[1].k" = { start = 0.7, bounds = [0.1, 10] }
///     [[data]]                       # for identification: what was measured
///     kind = "record"                # ring-down, frequency-response, record, modal-curve, loop
///     file = "multisine.csv"
///     [[analysis]]
///     kind = "frequency-response"    # load-response, modes, time, nonlinear-mode, quasi-static,
///                                    # averaging, slow-flow, modal-joints
///     omega = [0.7, 1.2]
///
/// Where the matrix files name their rows, a degree of freedom may be written "12.3", node and
/// direction, wherever a number may stand.
/// Files named inside are looked for beside the TOML file. A key that is not known is refused.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/catalog/files/text_source.hpp"
#include "microslip/catalog/files/units.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::catalog {

/// What an analysis was asked for. Which keys a kind takes is checked when the file is read.
struct Analysis {
  std::string kind;
  std::string output{}, plot{};
  bool logarithmic = false;     ///< amplitudes of the picture: scale = "logarithmic"
  bool receptance = false;      ///< picture of amplitudes over the load: quantity = "receptance"
  std::vector<double> omega{};  ///< range; one number of a load-response
  std::vector<double> level{};  ///< range of factors of the load
  std::vector<double> amplitude{};  ///< range
  std::vector<double> at{};
  std::vector<double> levels{};  ///< factors of the load, a curve each
  std::optional<int> harmonics{}, samples{}, periods{}, mode{}, modes{}, dof{};
  std::optional<double> until{}, step{}, tolerance{};
  std::vector<double> x0{}, v0{};
  std::string method{};
  std::string columns{};            ///< "all" or "sensors"
  std::optional<bool> stability{};  ///< left out: of small structures
  std::string where{};              ///< "file.toml, line 12", for messages
};

/// A spring or a damper: it acts on wᵀx.
struct LinearElement {
  dynamics::Direction w;
  double value = 0;
};

/// What the linear part is put together from, as far as single numbers of it can be changed
/// (addresses.hpp).
struct StructureParts {
  dynamics::SparseMatrix M, C, K;  ///< as the file gives them
  std::vector<LinearElement> springs, dampers;
  std::vector<double> damping, stuck_damping;
  std::string fixed{};  ///< why none can be changed; empty: they can
};

struct StructureFile {
  dynamics::Structure structure;
  std::vector<ModelSpec> laws;          ///< of the joints, for the heads of result files
  std::optional<Units> units;           ///< if the file says its own
  std::vector<std::string> notes;       ///< sentences for a person, about units of fits
  std::vector<std::string> load_units;  ///< F, or L/T^2 of a moving base
  std::vector<std::string> labels;      ///< of the degrees of freedom, for headings: "1", "2", …
  bool has_matrices = false;            ///< from files
  Eigen::Index own_size = 0;            ///< of M in the file, without interfaces
  Eigen::Index whole_size = 0;          ///< before the reduction
  Eigen::Index physical = 0;            ///< displacements; coordinates of modes follow them
  std::optional<double> left_out;       ///< lowest frequency of the modes that a reduction left out
  std::vector<Analysis> analyses;
  StructureParts parts{};
  std::vector<std::filesystem::path> files;  ///< that were read
};

/// TOML, or JSON with the same keys. Without files, a matrix is { rows, row, column, value }, its entries
/// counted from 1, and a record has its columns t and f (a of a base) in its table.
StructureFile parse_structure(std::string_view text, const TextSource& source);
StructureFile read_structure(const std::filesystem::path& path);

}  // namespace microslip::catalog
