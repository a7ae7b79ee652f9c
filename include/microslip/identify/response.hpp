#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/identify/motion.hpp"

/// Steady responses to harmonic loads with their derivatives with respect to all unknowns: harmonic balance for
/// the displacements of the joints alone, since the rest of the structure is linear.
namespace microslip::identify {

struct ResponseTask {
  std::vector<double> omega, level;  ///< of each point; a level is a factor of the periodic loads
  std::vector<Place> places;
  int harmonics = 0;  ///< 0: 15, of which odd ones suffice for odd laws
};

struct Response {
  /// (point + points · place): first harmonic X of x = Re(X e^{iωt}), multiplied by (iω)^order.
  Eigen::VectorXcd y;
  Eigen::MatrixXcd derivatives;
  std::string failure{};
};

/// Throws Error for loads that are not harmonic.
void check(const ResponseTask& task, const dynamics::Structure& structure);

Response response(const System& system, const ResponseTask& task, bool derivatives);

}  // namespace microslip::identify
