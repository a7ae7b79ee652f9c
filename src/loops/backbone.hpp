#pragma once

#include <vector>

#include "microslip/loops/loops.hpp"

/// What all loops of a record say together.
namespace microslip::loops {

/// The first leg from rest where there is one, otherwise the halved branches of the largest loop.
Backbone backbone_of(const Branch& first, const Cycle* largest, bool starts_at_rest);

/// rms of (branch − doubled backbone, best shifted) / force range; as far as the backbone goes.
double masing_defect(const Cycle& cycle, const Backbone& backbone);

Tips tips_of(const std::vector<Cycle>& cycles);

/// By the amplitude of the displacement, or of the force.
PowerLaw dissipation_of(const std::vector<Cycle>& cycles, bool by_force);

}  // namespace microslip::loops
