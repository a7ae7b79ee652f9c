#pragma once

#include "laws/cases.hpp"
#include "microslip/models/zonotope.hpp"

namespace microslip::laws {

template <>
struct Samples<Zonotope<double>> {
  using Law = Zonotope<double>;
  using Params = Law::Params;

  static Matrix<double> draw_matrix(Rng& rng, Eigen::Index rows, Eigen::Index columns) {
    Matrix<double> B(rows, columns);
    for (Eigen::Index i = 0; i < B.size(); ++i) B.data()[i] = rng.uniform(-1, 1);
    return B;
  }

  static Params draw(Rng& rng) {
    Params p;
    const std::size_t m = 1 + rng.below(3);
    const auto rows = static_cast<Eigen::Index>(m);
    p.generators = draw_matrix(rng, rows, rows + static_cast<Eigen::Index>(rng.below(6)));
    if (rng.chance(0.2)) p.generators.col(0) = 0.5 * p.generators.rightCols(1);  // parallel
    if (rng.chance(0.2)) p.generators.rightCols(1).setZero();
    p.generators.leftCols(rows) += Matrix<double>::Identity(rows, rows);
    const Matrix<double> B = draw_matrix(rng, rows, rows);
    p.K = B * B.transpose() + 0.3 * Matrix<double>::Identity(rows, rows);
    p.b.assign(m, 0);
    for (double& b : p.b) b = rng.uniform(-1, 1);
    return p;
  }

  /// A load that has clearly slipped, and the displacement it makes; virgin, nothing moves at all.
  static Scales scale(const Params& p) {
    const Law law(p);
    auto state = law.rest();
    const double load = 2 * law.next_kink(state, 1);
    return {load, law.step(state, 3 * load, state).force};
  }

  static std::vector<Params> sets(std::string_view, bool holding) {
    const Params standard;
    Params one = standard, apart = standard, sticking = standard;
    one.generators = Matrix<double>::Constant(1, 3, 0.5);
    one.K = Matrix<double>::Constant(1, 1, 2);
    one.b = {0.7};
    apart.generators = Matrix<double>::Identity(2, 2);
    apart.K = Eigen::Vector2d(1, 3).asDiagonal();  // two sliders of their own
    sticking.generators.resize(2, 2);
    sticking.generators << 0.9, -0.8, -0.1, 0.8;  // one slider sticks again on the way
    sticking.K << 1, 0.6, 0.6, 0.8;
    sticking.b = {-0.6, -0.2};
    if (holding) return {standard, one, apart};
    return {sticking};
  }
};

}  // namespace microslip::laws
