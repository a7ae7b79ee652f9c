#pragma once

#include "laws/cases.hpp"
#include "microslip/models/ellipsoid.hpp"

namespace microslip::laws {

template <>
struct Samples<Ellipsoid<double>> {
  using Law = Ellipsoid<double>;
  using Params = Law::Params;

  /// B Bᵀ + a little: symmetric, positive definite.
  static Matrix<double> draw_matrix(Rng& rng, Eigen::Index m) {
    Matrix<double> B(m, m);
    for (Eigen::Index i = 0; i < B.size(); ++i) B.data()[i] = rng.uniform(-1, 1);
    return B * B.transpose() + 0.3 * Matrix<double>::Identity(m, m);
  }

  static Params draw(Rng& rng) {
    Params p;
    const std::size_t m = 1 + rng.below(4);
    p.A = draw_matrix(rng, static_cast<Eigen::Index>(m));
    p.K = draw_matrix(rng, static_cast<Eigen::Index>(m));
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
    Params one = standard, proportional = standard;
    one.A = Matrix<double>::Constant(1, 1, 0.5);
    one.K = Matrix<double>::Constant(1, 1, 2);
    one.b = {0.7};
    proportional.A = 0.4 * standard.K;
    if (holding) return {one, proportional};
    return {standard};
  }
};

}  // namespace microslip::laws
