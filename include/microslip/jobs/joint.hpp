#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "microslip/catalog/files/joint_file.hpp"
#include "microslip/contact/solver.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/jobs/control.hpp"
#include "microslip/jobs/law.hpp"
#include "microslip/jobs/plane.hpp"

/// Loops of a lap joint from geometry, or of any joint from matrices.
namespace microslip::jobs {

template <>
inline constexpr std::array<std::string_view, 2> words_of<contact::Support>{"axial", "bending"};

template <>
inline constexpr auto members_of<contact::LapPlates> =
    std::tuple{member("length", &contact::LapPlates::length),
               member("overlap", &contact::LapPlates::overlap),
               member("thickness", &contact::LapPlates::thickness),
               member("width", &contact::LapPlates::width),
               member("E", &contact::LapPlates::E),
               member("nu", &contact::LapPlates::nu),
               member("plane", &contact::LapPlates::plane),
               member("mesh", &contact::LapPlates::mesh),
               member("support", &contact::LapPlates::support)};

template <>
inline constexpr auto members_of<contact::Bolt> =
    std::tuple{member("force", &contact::Bolt::force), member("at", &contact::Bolt::at),
               member("washer", &contact::Bolt::washer), member("head_mu", &contact::Bolt::head_mu),
               member("shear_stiffness", &contact::Bolt::shear_stiffness)};

/// Its text is the file that a person writes, with what is named there by files in it: of [matrices]
///
///     stiffness = { name, rows, row, column, value }   entries, counted from 1
///     dofs = ["1.1", …]                                names of the rows
///     held, driven = [1, …]                            rows
///     pairs = [{ from, to, normal, mu, gap, force, name }]   rows of x, y, z, 0 where held
///     forces = […]                                     one of each row
///
/// and two more keys.
struct JointRequest {
  std::string name = "joint";  ///< for messages and results: the name of the file
  catalog::JointFile joint;
  bool sliders = false;      ///< also the system of sliders of a tied joint
  bool with_columns = true;  ///< the text of the result holds the columns

  static constexpr std::string_view schema = "microslip.joint-request/1";
  static constexpr auto members =
      std::tuple{member("name", &JointRequest::name), member_in_place(&JointRequest::joint),
                 member("sliders", &JointRequest::sliders),
                 member("with_columns", &JointRequest::with_columns)};
};

// ----------------------------------------------------------------------------------------- result

/// The interface at a row of the history.
struct JointMoment {
  std::size_t row;
  contact::Vector w;  ///< relative displacements, normal and tangential side by side
  contact::Vector P;  ///< contact forces
};

struct JointBolt {
  double force = 0, at = 0, washer = 0, head_mu = 0, shear_stiffness = 0;
  std::optional<bool> head_slips{};  ///< where there is friction under the head
  static constexpr auto members = std::tuple{member("force", &JointBolt::force),
                                             member("at", &JointBolt::at),
                                             member("washer", &JointBolt::washer),
                                             member("head_mu", &JointBolt::head_mu),
                                             member("shear_stiffness", &JointBolt::shear_stiffness),
                                             member_if_any("head_slips", &JointBolt::head_slips)};
};

struct JointMatrices {
  std::string stiffness;  ///< name of the file
  std::size_t rows = 0;
  std::string slip;  ///< "one direction", "tangent plane"
  static constexpr auto members =
      std::tuple{member("stiffness", &JointMatrices::stiffness),
                 member("rows", &JointMatrices::rows), member("slip", &JointMatrices::slip)};
};

struct JointSummary {
  std::size_t rows = 0, interface_nodes = 0;
  double u_min = 0, u_max = 0, f_min = 0, f_max = 0;
  double stiffness_stuck = 0;  ///< while all pairs stick
  double dissipated = 0;
  std::size_t changes = 0;
  double energy_balance_error = 0;  ///< of unilateral contact
  /// The energy of half the mesh, or of half the increments where friction acts in the tangent plane,
  /// and what that changes, relative to the energy.
  std::optional<double> coarse_mesh_energy{}, mesh_energy_change{};
  std::optional<double> coarse_increments_energy{}, increments_energy_change{};

  static constexpr auto members = std::tuple{
      member("rows", &JointSummary::rows),
      member("interface_nodes", &JointSummary::interface_nodes),
      member("u_min", &JointSummary::u_min),
      member("u_max", &JointSummary::u_max),
      member("f_min", &JointSummary::f_min),
      member("f_max", &JointSummary::f_max),
      member("stiffness_stuck", &JointSummary::stiffness_stuck),
      member("dissipated", &JointSummary::dissipated),
      member("changes", &JointSummary::changes),
      member("energy_balance_error", &JointSummary::energy_balance_error),
      member_if_any("coarse_mesh_energy", &JointSummary::coarse_mesh_energy),
      member_if_any("mesh_energy_change", &JointSummary::mesh_energy_change),
      member_if_any("coarse_increments_energy", &JointSummary::coarse_increments_energy),
      member_if_any("increments_energy_change", &JointSummary::increments_energy_change)};
};

struct JointResult {
  std::string version, command, file;
  std::optional<contact::LapPlates> plates{};
  std::optional<double> mu{};
  std::vector<JointBolt> bolts{};
  std::optional<JointMatrices> matrices{};
  std::string normal{};  ///< "tied", "unilateral"
  JointSummary summary{};
  std::optional<Named<std::vector<double>>> columns{};  ///< t if there is one, u, f, energy
  std::optional<NamedLaw> sliders{};                    ///< the law `sliders`, where it is wanted
  std::vector<std::string> notes{};                     ///< on rows of the history without a number

  catalog::JointFile asked{};
  std::shared_ptr<const contact::LapJoint> lap{};  ///< none for matrices
  std::vector<double> place{};                     ///< of the nodes along the interface
  std::string place_label{};
  std::vector<double> f{}, energy{};  ///< row by row
  std::vector<contact::Stretch> stretches{};
  std::vector<bool> head_slips{};       ///< of the bolts with friction under their heads
  std::vector<JointMoment> extremes{};  ///< at the largest and smallest displacement

  bool planar() const { return matrices && matrices->slip == "tangent plane"; }
  /// The energy of the coarse computation, and what it changes.
  std::optional<double> coarse_energy() const;
  double coarse_change() const;
  std::vector<io::ColumnView> views() const;

  static constexpr std::string_view schema = "microslip.joint/1";
  static constexpr auto members = std::tuple{member("version", &JointResult::version),
                                             member("command", &JointResult::command),
                                             member("file", &JointResult::file),
                                             member_if_any("plates", &JointResult::plates),
                                             member_if_any("mu", &JointResult::mu),
                                             member_if_any("bolts", &JointResult::bolts),
                                             member_if_any("matrices", &JointResult::matrices),
                                             member("normal", &JointResult::normal),
                                             member("summary", &JointResult::summary),
                                             member_if_any("columns", &JointResult::columns),
                                             member_if_any("sliders", &JointResult::sliders),
                                             member_if_any("notes", &JointResult::notes),
                                             not_in_text(&JointResult::asked),
                                             not_in_text(&JointResult::lap),
                                             not_in_text(&JointResult::place),
                                             not_in_text(&JointResult::place_label),
                                             not_in_text(&JointResult::f),
                                             not_in_text(&JointResult::energy),
                                             not_in_text(&JointResult::stretches),
                                             not_in_text(&JointResult::head_slips),
                                             not_in_text(&JointResult::extremes)};
};

/// Throws Failure where the computation stops, Interrupted when it is stopped.
JointResult joint(JointRequest request, const Control& control = {});

}  // namespace microslip::jobs
