#pragma once

#include <string>
#include <vector>

#include "microslip/loops/loops.hpp"

/// What `microslip loops` shows of an analysis.
namespace microslip::app {

/// A record as it was read.
struct MeasuredRecord {
  std::string source;
  std::vector<double> t, u, f;  ///< t is empty when there is none
  std::string t_unit, u_unit, f_unit;
  std::string taken;             ///< which columns were taken for what, in words
  bool driven_by_force = false;  ///< u and f were exchanged

  std::string energy_unit() const;
  std::string stiffness_unit() const;
};

std::string loops_text(const MeasuredRecord& record, const loops::Loops& found);
std::string cycles_csv(const MeasuredRecord& record, const loops::Loops& found,
                       const std::string& command_line);
std::string backbone_csv(const MeasuredRecord& record, const loops::Loops& found,
                         const std::string& command_line);
/// f − a u − b|u|, which makes thin loops visible.
std::string widened_csv(const MeasuredRecord& record, const loops::Loops& found,
                        const std::string& command_line);
std::string normalized_csv(const MeasuredRecord& record, const loops::Loops& found,
                           const std::string& command_line);
/// The Iwan density as a parameter file of the law iwan-table. Throws Error where nothing slips.
std::string law_text(const loops::Loops& found, const std::string& file);
std::string loops_json(const MeasuredRecord& record, const loops::Loops& found,
                       const std::string& command_line);

}  // namespace microslip::app
