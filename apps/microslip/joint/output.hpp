#pragma once

#include <optional>
#include <string>
#include <vector>

#include "microslip/catalog/files/joint_file.hpp"
#include "microslip/contact/solver.hpp"
#include "microslip/io/figure.hpp"

/// What `microslip joint` prints, writes and draws.
namespace microslip::app {

/// The interface at a row of the history.
struct JointMoment {
  std::size_t row;
  contact::Vector w;  ///< relative displacements, normal and tangential side by side
  contact::Vector P;  ///< contact forces
};

struct JointResult {
  std::string file, command_line;
  const catalog::JointFile* asked = nullptr;
  const contact::LapJoint* joint = nullptr;  ///< none for matrices
  contact::Index nodes = 0;
  double c0 = 0;              ///< stiffness while all pairs stick
  bool planar = false;        ///< friction acts in the tangent plane
  std::vector<double> place;  ///< of the nodes along the interface
  std::string place_label;
  std::vector<double> f, energy;
  std::vector<contact::Stretch> stretches;
  std::vector<bool> head_slips{};     ///< of the bolts with friction under their heads
  std::vector<JointMoment> extremes;  ///< at the largest and smallest displacement
  std::size_t changes = 0;
  double energy_balance = 0;            ///< of unilateral contact
  std::optional<double> coarse_energy;  ///< of half the mesh or half the increments

  /// What half the mesh or half the increments change in the energy, relative to it.
  double coarse_change() const;
};

std::string joint_csv(const JointResult& result);
std::string joint_json(const JointResult& result, bool with_columns);
std::string joint_text(const JointResult& result);
/// Parameters of the law `sliders`, for `simulate --params`, `reduce` and `respond`.
std::string joint_sliders(const JointResult& result, const contact::TiedInterface& tied,
                          const std::string& path);

io::Figure joint_figure(const JointResult& result);
io::Figure joint_slip_map(const JointResult& result);

}  // namespace microslip::app
