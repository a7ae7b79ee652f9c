#pragma once

#include "dynamics/support.hpp"

namespace microslip::dynamics {

/// Two steel beams on top of each other, as a finite-element code delivers them: lengths in metres,
/// displacements along and across and rotations of every node, so that entries of M and K lie
/// fifteen orders apart. Along the interface stiff springs hold the normal distance and `jenkins`
/// joints, evenly spaced, the tangential one. C = α M + β K.
struct JointedBeam {
  int elements = 75;  ///< of each beam: 450 degrees of freedom if clamped, 456 if free
  int joints = 200;
  bool clamped = true;
  double length = 0.7, width = 0.02, height = 0.01;  ///< of one beam
  double E = 2.1e11, rho = 7800;
  double tangential = 2e9;  ///< stiffness of all joints together
  double normal = 2e10;     ///< of all normal springs
  double slip = 4000;       ///< limit of all joints together
  double alpha = 1, beta = 1e-7;

  Eigen::Index dof(int beam, int node, int kind) const {
    const int first = clamped ? 1 : 0;
    if (node < first) return -1;
    const int nodes = elements + 1 - first;
    return (beam * nodes + node - first) * 3 + kind;
  }
  Eigen::Index size() const { return dof(1, elements, 2) + 1; }

  Structure structure() const {
    const Eigen::Index n = size();
    Structure s{SparseMatrix(n, n), SparseMatrix(n, n), SparseMatrix(n, n), {}, {}};
    const double l = length / elements, A = width * height;
    const double EA = E * A, EI = E * A * height * height / 12, m = rho * A * l;
    Eigen::Matrix<double, 6, 6> K, M;
    const double a = EA / l, b = 12 * EI / (l * l * l), c = 6 * EI / (l * l), d = 2 * EI / l;
    K << a, 0, 0, -a, 0, 0,     //
        0, b, c, 0, -b, c,      //
        0, c, 2 * d, 0, -c, d,  //
        -a, 0, 0, a, 0, 0,      //
        0, -b, -c, 0, b, -c,    //
        0, c, d, 0, -c, 2 * d;
    M << 140, 0, 0, 70, 0, 0,                         //
        0, 156, 22 * l, 0, 54, -13 * l,               //
        0, 22 * l, 4 * l * l, 0, 13 * l, -3 * l * l,  //
        70, 0, 0, 140, 0, 0,                          //
        0, 54, 13 * l, 0, 156, -22 * l,               //
        0, -13 * l, -3 * l * l, 0, -22 * l, 4 * l * l;
    M *= m / 420;
    std::vector<Eigen::Triplet<double>> mass, stiffness;
    for (int beam = 0; beam < 2; ++beam)
      for (int e = 0; e < elements; ++e)
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) {
            const Eigen::Index row = dof(beam, e + i / 3, i % 3), col = dof(beam, e + j / 3, j % 3);
            if (row < 0 || col < 0) continue;
            mass.emplace_back(row, col, M(i, j));
            stiffness.emplace_back(row, col, K(i, j));
          }
    s.M.setFromTriplets(mass.begin(), mass.end());
    s.K.setFromTriplets(stiffness.begin(), stiffness.end());
    for (int j = 0; j < joints; ++j) {
      const double place = (j + 0.5) / joints * elements;
      add_along(s.K, gap(place, l), normal / joints);
      s.joints.push_back({jenkins(tangential / joints, slip / joints), slide(place)});
    }
    s.C = alpha * s.M + beta * s.K;
    return s;
  }

  /// Opening at a place that counts in elements, by the cubics of the bending element.
  Eigen::VectorXd gap(double place, double l) const {
    Eigen::VectorXd w = Eigen::VectorXd::Zero(size());
    const int e = std::min(static_cast<int>(place), elements - 1);
    const double x = place - e;
    const double shape[4] = {1 - 3 * x * x + 2 * x * x * x, l * (x - 2 * x * x + x * x * x),
                             3 * x * x - 2 * x * x * x, l * (x * x * x - x * x)};
    for (int beam = 0; beam < 2; ++beam)
      for (int i = 0; i < 4; ++i)
        put(w, dof(beam, e + i / 2, 1 + i % 2), (beam ? -1 : 1) * shape[i]);
    return w;
  }

  /// Relative displacement along the interface: u ∓ (h/2) θ of the two beams, linear in between.
  Eigen::VectorXd slide(double place) const {
    Eigen::VectorXd w = Eigen::VectorXd::Zero(size());
    const int e = std::min(static_cast<int>(place), elements - 1);
    const double x = place - e;
    for (int beam = 0; beam < 2; ++beam)
      for (int i = 0; i < 2; ++i) {
        const double share = i == 0 ? 1 - x : x;
        put(w, dof(beam, e + i, 0), (beam ? -1 : 1) * share);
        put(w, dof(beam, e + i, 2), share * height / 2);
      }
    return w;
  }

 private:
  static void put(Eigen::VectorXd& w, Eigen::Index place, double value) {
    if (place >= 0) w[place] += value;
  }
};

}  // namespace microslip::dynamics
