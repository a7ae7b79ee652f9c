#pragma once

#include <string>
#include <vector>

#include "microslip/io/figure.hpp"

namespace microslip::app {

enum class Motion { forward, back, open };

/// Which slider or node slips, or is open, when. Positions are rows with their fractions, counted
/// from 0.
struct MapStretch {
  double place;
  Motion motion;
  double begin, end;
};

struct SlipMap {
  std::vector<MapStretch> stretches;
  io::Axis place;         ///< the vertical axis
  std::vector<double> t;  ///< of the rows; empty: rows are counted
  std::string t_label;
  std::vector<double> drive;  ///< drawn below
  std::string drive_label;
};

io::Figure slip_map_figure(const SlipMap& map);

}  // namespace microslip::app
