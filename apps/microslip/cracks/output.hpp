#pragma once

#include <string>

#include "microslip/io/figure.hpp"
#include "microslip/jobs/cracks.hpp"

/// What `microslip cracks` prints, writes and draws.
namespace microslip::app {

using jobs::CracksResult;
using jobs::EnsembleResult;

std::string ensemble_csv(const EnsembleResult& result);
std::string ensemble_text(const EnsembleResult& result);

std::string cracks_csv(const CracksResult& result);
std::string cracks_text(const CracksResult& result);
/// The cracks themselves, in the form that `cracks = "field.csv"` reads.
std::string crack_field_csv(const CracksResult& result);

io::Figure cracks_figure(const CracksResult& result);
io::Figure cracks_strip(const CracksResult& result);
io::Figure cracks_slip_map(const CracksResult& result);

}  // namespace microslip::app
