#pragma once

#include <string>

#include "microslip/jobs/loops.hpp"

/// What `microslip loops` shows of an analysis.
namespace microslip::app {

using jobs::MeasuredRecord;

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
/// The relays as a parameter file of the law preisach-table.
std::string preisach_text(const jobs::MeasuredRelays& found, const std::string& file);

}  // namespace microslip::app
