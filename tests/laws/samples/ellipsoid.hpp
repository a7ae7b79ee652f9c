#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

/// B Bᵀ + a little: symmetric, positive definite.
inline Matrix<double> draw_matrix(Rng& rng, Eigen::Index m) {
  Matrix<double> B(m, m);
  for (Eigen::Index i = 0; i < B.size(); ++i) B.data()[i] = rng.uniform(-1, 1);
  return B * B.transpose() + 0.3 * Matrix<double>::Identity(m, m);
}

inline constexpr Samples ellipsoid{
    .law = "ellipsoid",
    .draw = [](Rng& rng) -> ParameterValues {
      const std::size_t m = 1 + rng.below(4);
      const Matrix<double> A = draw_matrix(rng, static_cast<Eigen::Index>(m));
      const Matrix<double> K = draw_matrix(rng, static_cast<Eigen::Index>(m));
      std::vector<double> b(m);
      for (double& x : b) x = rng.uniform(-1, 1);
      return {{"A", A}, {"K", K}, {"b", b}};
    },
    .sets = [](std::string_view, bool holding) -> Sets {
      const auto single = [](double x) { return Matrix<double>::Constant(1, 1, x).eval(); };
      const ParameterValues standard{};
      const ParameterValues one{{"A", single(0.5)}, {"K", single(2)}, {"b", std::vector{0.7}}};
      Matrix<double> K(2, 2);
      K << 1.0, 0.3, 0.3, 2.0;
      const ParameterValues proportional{{"A", Matrix<double>(0.4 * K)}, {"K", K}};
      if (holding) return {one, proportional};
      return {standard};
    },
    // A load that has clearly slipped, and the displacement it makes; virgin, nothing moves at all.
    .scale = [](const AnyModel& model) -> Scales {
      AnyState state = model.rest();
      const double load = 2 * model.next_kink(state, 1);
      return {load, model.step(state, 3 * load, 0, state).force};
    },
};

}  // namespace microslip::laws::samples
