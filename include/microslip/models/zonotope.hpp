#pragma once

/// # zonotope: a reduced many-slider system with its friction exact
///
/// What is left of μ sgn(x') + K x = b u after x = Φ q, N sliders on m modes:
///
///     s = b u − K q,   s ∈ Z = {G t : |t_j| ≤ 1},   dq in the outward normal cone of Z at s.
///
/// The friction that resists slip along η is Σ μ_j |(Φη)_j|: the support function of the zonotope Z
/// whose generators are the columns of G = Φᵀdiag(μ), the shadow of the box of friction forces on
/// the modes. `ellipsoid` replaces it by √(ηᵀAη), which no choice of A makes exact; here nothing is
/// replaced, so the only error left is that of the modes. With Φ = I it is the many-slider system
/// itself. For m = 2, Z is a polygon with up to 2N edges.
///
/// u is the load, and the answer is the displacement ξ = bᵀq that works against it (`output` bq,
/// driven by force). With `output` u-bq, u is a displacement and the answer the force c0 u − bᵀq.
///
/// The path is piecewise linear and followed exactly from event to event (kernels/zonotope_flow.hpp),
/// in coordinates where K = I.
///
///     bq:    Ψ = ½ qᵀK q,                       work ∫ u dξ
///     u-bq:  Ψ = ½ c0 u² − u bᵀq + ½ qᵀK q,    work ∫ f du

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/zonotope_flow.hpp"
#include "microslip/detail/numerics/canonical_form.hpp"

namespace microslip {

template <Number Real>
class Zonotope {
 public:
  using Scalar = Real;

  struct Params {
    Matrix<Real> generators = rows({{0.6, 0.3, 0.2}, {0.1, 0.4, -0.3}});
    Matrix<Real> K = rows({{1.0, 0.3}, {0.3, 2.0}});
    std::vector<Real> b{Real(1), Real(0.5)};
    Real c0{1};

    static constexpr auto fields = std::tuple{
        field(&Params::generators, "generators", "F", any_number,
              "a column for each slider, its friction limit times its row of the modes"),
        field(&Params::K, "K", "F/L", any_number,
              "symmetric and positive definite: stiffness against slip"),
        field(&Params::b, "b", "1", any_number, "coupling of the load to each state; not all 0"),
        field(&Params::c0, "c0", "F/L", any_number, "first slope; used by the output u-bq alone"),
    };
  };

  enum class Output { bq, u_bq };
  struct Options {
    Output output = Output::bq;

    static constexpr auto fields = std::tuple{
        option(&Options::output, "output", {"bq", "u-bq"},
               "what is answered: bᵀq to a load u, or c0 u − bᵀq to a displacement u"),
    };
  };

  struct State : ZonotopePoint<Real> {
    Real u{0};
    Real f{0};
    int direction = 0;

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "F", "load, or displacement with the output u-bq"),
        state_field(&State::f, "f", "L", "displacement, or force with the output u-bq"),
        state_field(&State::t, "t", "1", "share of each generator in s, from −1 to 1"),
        state_field(&State::q, "q", "L", "slip states, in coordinates where K is the identity"),
        state_field(&State::direction, "direction", "1", "sign of the last motion, 0 if none"),
    };
  };

  static constexpr std::string_view one_way =
      "no t_j turns back while u goes on, as in one dimension or with generators orthogonal in K⁻¹";

  static constexpr Info info{
      .name = "zonotope",
      .sentence =
          "A many-slider system reduced to a few modes with its friction exact: elastic inside a "
          "zonotope.",
      .equation = "ξ = bᵀq,  s = b u − K q ∈ {G t : |t_j| ≤ 1},  dq normal to it at s",
      .citation =
          "reduction: S. Biswas, Low-dimensional descriptions of high-dimensional frictional "
          "hysteresis, PhD thesis, Indian Institute of Technology Kanpur (2018), section 2.3; "
          "zonotopes: G. M. Ziegler, Lectures on Polytopes, Springer (1995)",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = depends(one_way),
                 .return_point_memory = depends(one_way),
                 .minor_loops_close = depends(one_way),
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
      .driven = Driven::force,
  };

  explicit Zonotope(const Params& params, const Options& options = {})
      : flow_(built(params)), output_(options.output), c0_(params.c0) {}

  Driven driven() const noexcept {
    return output_ == Output::bq ? Driven::force : Driven::displacement;
  }

  State rest() const {
    State state;
    static_cast<ZonotopePoint<Real>&>(state) = flow_.rest();
    return state;
  }

  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from), Real(0)};
      to = from;
      return unchanged;
    }
    const int direction = u > from.u ? 1 : -1;
    const Real f_before = from.f;
    const auto move = flow_.move(from, from.u, u, to);
    to.u = u;
    to.direction = direction;
    if (output_ == Output::u_bq)
      to.f = c0_ * u - xi(to);
    else  // without slip ξ does not move, not even by rounding
      to.f = move.slipped ? xi(to) : f_before;
    return {to.f, tangent(to), move.lost > 0.0 ? move.lost : Real(0), move.status};
  }

  Real stored(const State& state) const noexcept {
    Real twice(0);
    for (const Real& q : state.q) twice += q * q;
    if (output_ == Output::u_bq) twice += state.u * (c0_ * state.u - 2.0 * xi(state));
    return 0.5 * twice;
  }

  /// The start of slip, or the next event while it lasts.
  Real next_kink(const State& state, int direction) const noexcept {
    return state.u +
           static_cast<double>(direction) * flow_.distance_to_kink(state, state.u, direction);
  }

 private:
  static Matrix<Real> rows(std::initializer_list<std::initializer_list<double>> lines) {
    Matrix<Real> matrix(static_cast<Eigen::Index>(lines.size()),
                        static_cast<Eigen::Index>(lines.begin()->size()));
    Eigen::Index i = 0;
    for (const auto& line : lines) {
      Eigen::Index j = 0;
      for (const double x : line) matrix(i, j++) = Real(x);
      ++i;
    }
    return matrix;
  }

  /// Coordinates where K = I: with K = L Lᵀ, s → L⁻¹s.
  static ZonotopeFlow<Real> built(const Params& params) {
    using std::sqrt;
    check_fields(info.name, params);
    const auto m = static_cast<Eigen::Index>(params.b.size());
    Matrix<double> K(params.K.rows(), params.K.cols());
    for (Eigen::Index i = 0; i < K.size(); ++i) K.data()[i] = value_of(params.K.data()[i]);
    check_positive_definite(info.name, "K", K, m);
    check_generators(params, m);
    Matrix<Real> L = Matrix<Real>::Constant(m, m, Real(0));
    for (Eigen::Index j = 0; j < m; ++j)
      for (Eigen::Index i = j; i < m; ++i) {
        Real sum = 0.5 * (params.K(i, j) + params.K(j, i));
        for (Eigen::Index k = 0; k < j; ++k) sum -= L(i, k) * L(j, k);
        L(i, j) = i == j ? sqrt(sum) : sum / L(j, j);
      }
    const auto solve = [&](Real* x) {
      for (Eigen::Index i = 0; i < m; ++i) {
        for (Eigen::Index k = 0; k < i; ++k) x[i] -= L(i, k) * x[k];
        x[i] /= L(i, i);
      }
    };
    // Matrices are stored by columns, and a column is a generator.
    const Real* first = params.generators.data();
    std::vector<Real> g(first, first + params.generators.size());
    for (Eigen::Index j = 0; j < params.generators.cols(); ++j) solve(g.data() + j * m);
    std::vector<Real> b = params.b;
    solve(b.data());
    return {std::move(g), std::move(b)};
  }

  static void check_generators(const Params& params, Eigen::Index m) {
    const Matrix<Real>& G = params.generators;
    bool zero = true;
    for (const Real& b : params.b) zero = zero && value_of(b) == 0;
    if (zero) throw Error("zonotope.b = 0 must have an element different from 0");
    if (G.rows() != m)
      throw Error("zonotope.generators has " + std::to_string(G.rows()) + " rows; with " +
                  std::to_string(m) + " states it must have " + std::to_string(m));
    Matrix<double> values(m, G.cols());
    for (Eigen::Index i = 0; i < G.size(); ++i) values.data()[i] = value_of(G.data()[i]);
    const double size = values.cwiseAbs().maxCoeff();
    // Flat or nearly so: some slip would meet no friction.
    if (!spans(values, 1e-12 * size))
      throw Error("zonotope.generators must span all " + std::to_string(m) +
                  " dimensions, or some slip would meet no friction");
  }

  /// Gaussian elimination finds m pivots.
  static bool spans(Matrix<double> G, double least) {
    for (Eigen::Index row = 0; row < G.rows(); ++row) {
      Eigen::Index i = 0, j = 0;
      const double pivot = G.bottomRows(G.rows() - row).cwiseAbs().maxCoeff(&i, &j);
      if (!(pivot > least)) return false;
      G.row(row).swap(G.row(row + i));
      for (Eigen::Index k = row + 1; k < G.rows(); ++k)
        G.row(k) -= G(k, j) / G(row, j) * G.row(row);
    }
    return true;
  }

  Real xi(const State& state) const noexcept {
    Real sum(0);
    for (std::size_t i = 0; i < state.q.size(); ++i) sum += flow_.b()[i] * state.q[i];
    return sum;
  }

  Real tangent(const State& state) const noexcept {
    const Real slope = state.direction == 0 ? Real(0) : flow_.slip_slope(state, state.direction);
    return output_ == Output::u_bq ? c0_ - slope : slope;
  }

  ZonotopeFlow<Real> flow_;
  Output output_;
  Real c0_;
};

}  // namespace microslip
