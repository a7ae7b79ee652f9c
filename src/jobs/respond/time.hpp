#pragma once

#include "jobs/respond/parts.hpp"
#include "microslip/dynamics/time/ringdown.hpp"

/// What is drawn of a motion in time.
namespace microslip::jobs::respond_parts {

/// Motion of one degree of freedom, for its ring-down, and of the joints that are drawn.
struct Traces {
  std::vector<double> t, x, v;
  std::vector<std::vector<double>> joints;
  /// Displacements of the joints with several directions that are drawn, a list for each direction.
  std::vector<std::vector<std::vector<double>>> orbits;
};

struct Ringdown {
  std::vector<dynamics::RingdownPoint> peaks, hilbert;
};

/// Whether several modes beat, so that peaks have no frequency and damping of their own.
bool holds_several_modes(const std::vector<dynamics::RingdownPoint>& peaks);

io::Figure motion_figure(const catalog::StructureFile& file, const AnalysisResult& result,
                         const Traces& traces, const Ringdown& ringdown);

}  // namespace microslip::jobs::respond_parts
