#pragma once

#include <string>
#include <vector>

#include "damping/match.hpp"
#include "microslip/io/figure.hpp"

/// What `microslip damping` writes, prints and draws.
namespace microslip::app {

/// The columns that can be written, drawn and matched.
const std::vector<std::string>& damping_quantities();
double quantity_of(const loops::FirstHarmonic& point, const std::string& name);

std::string damping_text(const std::vector<DampingCurve>& curves);
std::string damping_csv(const std::vector<DampingCurve>& curves, double omega,
                        const std::string& command_line);
std::string damping_json(const std::vector<DampingCurve>& curves,
                         const std::vector<MatchOutcome>& matches, const MatchTarget& target,
                         double omega, const std::string& command_line);
io::Figure damping_figure(const std::vector<DampingCurve>& curves, const MatchTarget& target,
                          bool log);

}  // namespace microslip::app
