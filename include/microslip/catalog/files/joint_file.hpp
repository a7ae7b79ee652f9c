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
/// or, instead of [plates] and bolts, matrices of a finite-element code and pairs of nodes:
///
///     [matrices]
///     stiffness = "joint.sti"     # Matrix Market, CalculiX, Abaqus or MAT; see io/matrix_file.hpp
///     dofs = "joint.dof"          # names of the rows, node.direction, where the matrix has none
///     held = ["1.1", "1.2"]       # without motion; or a table with the column dof
///     [contact]
///     pairs = "pairs.csv"         # from, to; optional P, area, mu, gap, nx, ny, nz, x, y, z
///     direction = [0, 0, 1]       # the normal of all pairs, from `from` to `to`
///     slip = [1, 0, 0]            # the only direction of slip; without: the tangent plane
///     mu = 0.3
///     pressure = 20               # with the column area; or the column P; or load.forces
///     normal = "tied"
///     increments = 4              # of a row, where friction acts in the plane
///     [load]
///     driven = ["21.1"]           # moved by u; or a table with the column dof
///     forces = "forces.csv"       # constant: columns dof, f
///     input = "drive.csv"
///
/// Files named inside are looked for beside the TOML file. A key that is not known is refused.
/// What a file would hold may stand in the text itself, which may be JSON:
///
///     [contact]
///     pressure = { x = [0, 20], p = [20, 25] }
///     [load]
///     u = [0.0, 0.1, 0.0]         # and t
///
/// and of [matrices] as jobs/joint.hpp writes them.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/catalog/files/drive_history.hpp"
#include "microslip/catalog/files/text_source.hpp"
#include "microslip/contact/lap_joint.hpp"
#include "microslip/contact/matrix_joint.hpp"

namespace microslip::catalog {

/// A joint by matrices of a finite-element code.
struct MatrixJointFile {
  contact::MatrixJointInput input;
  std::string stiffness;        ///< name of the file
  std::vector<double> place{};  ///< of the pairs, along the axis of pictures
  std::string place_label{};    ///< "x", or "pair"
  int increments = 4;           ///< of a row, where friction acts in the plane
};

/// A pressure along the overlap: a formula of x, straight lines between places x, or one number p.
struct PressureProfile {
  std::string formula{};
  std::vector<double> x{}, p{};

  std::function<double(double)> function() const;
};

struct JointFile {
  contact::LapPlates plates;
  std::optional<PressureProfile> pressure{};
  std::vector<contact::Bolt> bolts{};
  std::optional<MatrixJointFile> matrices{};  ///< instead of plates, pressure and bolts
  double mu = 0;
  bool unilateral = false;
  DriveHistory drive;
  std::vector<std::filesystem::path> files{};  ///< that were read

  contact::Clamping clamping() const;
};

JointFile parse_joint(std::string_view text, const TextSource& source);
JointFile read_joint(const std::filesystem::path& path);

}  // namespace microslip::catalog
