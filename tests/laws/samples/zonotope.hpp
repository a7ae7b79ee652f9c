#pragma once

#include "laws/samples.hpp"

namespace microslip::laws::samples {

inline constexpr LawSamples zonotope{
    .law = "zonotope",
    .draw = [](Rng& rng) -> ParameterValues {
      const std::size_t m = 1 + rng.below(3);
      const auto rows = static_cast<Eigen::Index>(m);
      Matrix<double> generators =
          draw_matrix(rng, rows, rows + static_cast<Eigen::Index>(rng.below(6)));
      if (rng.chance(0.2)) generators.col(0) = 0.5 * generators.rightCols(1);  // parallel
      if (rng.chance(0.2)) generators.rightCols(1).setZero();
      generators.leftCols(rows) += Matrix<double>::Identity(rows, rows);
      const Matrix<double> B = draw_matrix(rng, rows, rows);
      const Matrix<double> K = B * B.transpose() + 0.3 * Matrix<double>::Identity(rows, rows);
      std::vector<double> b(m);
      for (double& x : b) x = rng.uniform(-1, 1);
      return {{"generators", generators}, {"K", K}, {"b", b}};
    },
    .sets = [](std::string_view, bool holding) -> Sets {
      const auto constant = [](Eigen::Index columns, double x) {
        return Matrix<double>(Matrix<double>::Constant(1, columns, x));
      };
      const ParameterValues standard{};
      const ParameterValues one{
          {"generators", constant(3, 0.5)}, {"K", constant(1, 2)}, {"b", std::vector{0.7}}};
      // Two sliders of their own.
      const ParameterValues apart{{"generators", Matrix<double>(Matrix<double>::Identity(2, 2))},
                                  {"K", Matrix<double>(Eigen::Vector2d(1, 3).asDiagonal())}};
      // One slider sticks again on the way.
      Matrix<double> generators(2, 2), K(2, 2);
      generators << 0.9, -0.8, -0.1, 0.8;
      K << 1, 0.6, 0.6, 0.8;
      const ParameterValues sticking{
          {"generators", generators}, {"K", K}, {"b", std::vector{-0.6, -0.2}}};
      if (holding) return {standard, one, apart};
      return {sticking};
    },
    // A load that has clearly slipped, and the displacement it makes; virgin, nothing moves at all.
    .scale = [](const AnyModel& model) -> Scales {
      AnyState state = model.rest();
      const double load = 2 * model.next_kink(state, 1);
      return {load, model.step(state, 3 * load, 0, state).force};
    },
};

}  // namespace microslip::laws::samples
