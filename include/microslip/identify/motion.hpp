#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "microslip/detail/numerics/spline.hpp"
#include "microslip/identify/family.hpp"

/// Motions in time with their derivatives with respect to all unknowns and the initial state.
namespace microslip::identify {

/// A place where motion is measured: the derivative of order 0, 1 or 2 of wᵀx.
struct Place {
  Eigen::VectorXd w;
  int order = 0;
};

/// A force known at rows: a piece of a cubic between two of them, or a straight line.
class ForceHistory {
 public:
  /// `spline`: twice differentiable, with the third derivative continuous next to the ends.
  ForceHistory(const std::vector<double>& t, std::vector<double> values, bool spline);
  /// Between the rows `interval` and `interval` + 1, `part` of the way.
  double at(std::size_t interval, double part) const {
    const double left = 1 - part;
    const double line = left * values_[interval] + part * values_[interval + 1];
    if (curvature_.empty()) return line;
    return line + spline_bow(step_[interval], part, curvature_[interval], curvature_[interval + 1]);
  }

 private:
  std::vector<double> values_, curvature_, step_;
};

struct MotionTask {
  std::vector<double> t;             ///< of the rows, which increase
  std::vector<ForceHistory> forces;  ///< of the loads, in their order; none: free
  std::vector<Place> places;
  /// x = basis · ξ and v = basis · η at the first row, ξ and η unknown; empty: at rest. Joints come there
  /// from rest on a straight way.
  Eigen::MatrixXd basis;
  int substeps = 1;      ///< between rows
  std::size_t lead = 0;  ///< rows before the first one that counts

  Eigen::Index start_unknowns() const { return 2 * basis.cols(); }
};

struct Motion {
  Eigen::MatrixXd y;  ///< rows × places
  /// (row + rows · place) × (unknowns, then ξ and η).
  Eigen::MatrixXd derivatives;
  std::string failure{};  ///< why there is no motion
};

/// Steps in the modes of the structure with stuck joints that are exact for their linear part and of fourth order for
/// the rest of the joints' forces (second order where these depend on the rate). They end where a joint turns and at
/// kinks of the laws, between which forces are smooth functions of the displacements. The derivatives obey the
/// linearised equations, by the same steps.
Motion motion(const System& system, const MotionTask& task, const Eigen::VectorXd& start,
              bool derivatives);

/// The least number of substeps whose motion differs from that with twice as many by less than `tolerance`
/// times the rms of each place. Sets task.substeps. False
/// where `most` is not enough.
bool choose_substeps(const System& system, MotionTask& task, const Eigen::VectorXd& start,
                     double tolerance, int most = 256);

}  // namespace microslip::identify
