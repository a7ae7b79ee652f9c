#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples ellipsoid{
    .law = "ellipsoid",
    .draw = [](Rng& rng) -> ParameterValues {
      const std::size_t m = 1 + rng.below(4);
      const auto draw_definite = [&, n = static_cast<Eigen::Index>(m)] {
        const Matrix<double> B = draw_matrix(rng, n, n);
        return Matrix<double>(B * B.transpose() + 0.3 * Matrix<double>::Identity(n, n));
      };
      const Matrix<double> A = draw_definite(), K = draw_definite();
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
