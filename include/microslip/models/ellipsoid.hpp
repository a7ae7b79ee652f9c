#pragma once

/// # ellipsoid: a reduced many-slider system with full matrices
///
/// What is left of μ sgn(x') + K x = b u after x = Φ q: m slip states with
///
///     s = b u − K q,   sᵀA⁻¹s ≤ 1,   dq = λ A⁻¹s,   λ ≥ 0,
///
/// where √(ηᵀAη) stands for the friction that resists slip along η. u is the load, and the answer
/// is the displacement ξ = bᵀq that works against it (`output` bq, driven by force). With `output`
/// u-bq, u is a displacement and the answer the force c0 u − bᵀq, as in `m-state`.
///
/// In the canonical form q = V p, VᵀK V = I, VᵀA V = diag(λ) (numerics/canonical_form.hpp) it is the
/// flow of kernels/ellipsoid_flow.hpp, followed to rounding for any size of step. The thesis follows
/// q' = gain·η|y|^p|u'| instead, a penalty form that tends to this law as the gain grows: the method
/// penalty (kernels/comparison/printed_ellipsoid.hpp), for comparison. η is a unit vector in the coordinates of
/// the given matrices, so that, unlike the law, the penalty form depends on the choice of modes.
///
///     bq:    ξ = bᵀK⁻¹b u − bᵀK⁻¹s,           Ψ = ½ qᵀK q,           work ∫ u dξ
///     u-bq:  f = (c0 − bᵀK⁻¹b) u + bᵀK⁻¹s,   Ψ = ½ c0 u² − u bᵀq + ½ qᵀK q,   work ∫ f du
///
/// The six-state model of the thesis, (2.23)–(2.25), is data/models/six-state.toml.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/comparison/printed_ellipsoid.hpp"
#include "microslip/detail/kernels/ellipsoid_flow.hpp"
#include "microslip/detail/numerics/canonical_form.hpp"

namespace microslip {

template <Number Real>
class Ellipsoid {
 public:
  using Scalar = Real;

  struct Params {
    Matrix<Real> A = rows(1.0, 0.2, 0.2, 0.25);
    Matrix<Real> K = rows(1.0, 0.3, 0.3, 2.0);
    std::vector<Real> b{Real(1), Real(0.5)};
    Real c0{1};

    static constexpr auto fields = std::tuple{
        field(&Params::A, "A", "F^2", any_number,
              "symmetric and positive definite: half axes of the elastic domain"),
        field(&Params::K, "K", "F/L", any_number,
              "symmetric and positive definite: stiffness against slip"),
        field(&Params::b, "b", "1", any_number, "coupling of the load to each state; not all 0"),
        field(&Params::c0, "c0", "F/L", any_number, "first slope; used by the output u-bq alone"),
    };
  };

  enum class Output { bq, u_bq };
  enum class Method { exact, penalty };
  struct Options {
    Output output = Output::bq;
    Method method = Method::exact;
    double gain = 1000;       // the thesis: 1000 to 10000
    double power = 1;         // the thesis: 1 or 1.2
    double tolerance = 1e-8;  // far below what the figures show

    static constexpr auto fields = std::tuple{
        option(&Options::output, "output", {"bq", "u-bq"},
               "what is answered: bᵀq to a load u, or c0 u − bᵀq to a displacement u"),
        option(&Options::method, "method", {"exact", "penalty"},
               "exact flow, or the equation of the thesis, q' = gain·η|y|^power|u'|"),
        option(&Options::gain, "gain", positive, "of the method penalty"),
        option(&Options::power, "power", positive, "of the method penalty"),
        option(&Options::tolerance, "tolerance", closed_interval(1e-13, 1e-1),
               "local error of the method penalty relative to the size of the elastic domain"),
    };
  };

  /// x: s in the coordinates of the canonical form, relative to the half axes.
  struct State : EllipsoidPoint<Real> {
    Real u{0};
    Real f{0};

    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "F", "load, or displacement with the output u-bq"),
        state_field(&State::f, "f", "L", "displacement, or force with the output u-bq"),
        state_field(&State::x, "x", "1",
                    "components of s in canonical form, relative to their half axes"),
        state_field(&State::slipping, "slipping", "1", "sign of the motion that slips, 0 if none"),
    };
  };

  static constexpr Info info{
      .name = "ellipsoid",
      .sentence =
          "Slip states with full matrices inside an ellipsoidal elastic domain: a many-slider "
          "system reduced to a few modes.",
      .equation = "ξ = bᵀq,  s = b u − K q,  sᵀA⁻¹s ≤ 1,  dq = λ A⁻¹s,  λ ≥ 0",
      .citation =
          "S. Biswas, Low-dimensional descriptions of high-dimensional frictional hysteresis, PhD "
          "thesis, Indian Institute of Technology Kanpur (2018), eqs 2.22–2.25",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = depends("K⁻¹b is an eigenvector of K⁻¹A"),
                 .return_point_memory = depends("K⁻¹b is an eigenvector of K⁻¹A"),
                 .minor_loops_close = depends("K⁻¹b is an eigenvector of K⁻¹A"),
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
      .driven = Driven::force,
  };

  explicit Ellipsoid(const Params& params, const Options& options = {})
      : flow_(built(params)), output_(options.output), c0_(params.c0) {
    if (options.method == Method::exact) return;
    if constexpr (std::is_same_v<Real, double>)
      printed_.emplace(params, options);
    else
      throw Error("ellipsoid.method = penalty has no derivatives; only the method exact has them");
  }

  Driven driven() const noexcept {
    return output_ == Output::bq ? Driven::force : Driven::displacement;
  }

  State rest() const {
    State state;
    static_cast<EllipsoidPoint<Real>&>(state) = flow_.rest();
    return state;
  }

  Response<Real> step(const State& from, const Real& u, State& to) const noexcept {
    if (u == from.u) {
      const Response<Real> unchanged{from.f, tangent(from), Real(0)};
      to = from;
      return unchanged;
    }
    if constexpr (std::is_same_v<Real, double>)
      if (printed_) return printed_step(from, u, to);
    const Real f_before = from.f;
    const EllipsoidMove<Real> move = flow_.move(from, from.u, u, to);
    to.u = u;
    if (output_ == Output::u_bq)
      to.f = (c0_ - flow_.square_b()) * u + move.pull;
    else  // without slip ξ does not move, not even by rounding
      to.f = to.slipping ? flow_.square_b() * u - move.pull : f_before;
    return {to.f, tangent(to), move.lost, move.status};
  }

  Real stored(const State& state) const noexcept {
    if (output_ == Output::bq) return 0.5 * flow_.square_distance(state, state.u);
    return 0.5 * ((c0_ - flow_.square_b()) * square(state.u) + flow_.square_norm(state));
  }

  /// Where slip starts.
  Real next_kink(const State& state, int direction) const noexcept {
    const Real kink =
        state.u + static_cast<double>(direction) * flow_.distance_to_slip(state, direction);
    return kink == state.u ? Real(direction * std::numeric_limits<double>::infinity()) : kink;
  }

 private:
  static Matrix<Real> rows(double a11, double a12, double a21, double a22) {
    Matrix<Real> matrix(2, 2);
    matrix << Real(a11), Real(a12), Real(a21), Real(a22);
    return matrix;
  }
  static Matrix<double> values(const Matrix<Real>& matrix) {
    Matrix<double> result(matrix.rows(), matrix.cols());
    for (Eigen::Index i = 0; i < matrix.size(); ++i) result.data()[i] = value_of(matrix.data()[i]);
    return result;
  }

  static EllipsoidFlow<Real> built(const Params& params) {
    check_fields(info.name, params);
    const auto m = static_cast<Eigen::Index>(params.b.size());
    Eigen::VectorXd b(m);
    for (Eigen::Index i = 0; i < m; ++i) b[i] = value_of(params.b[static_cast<std::size_t>(i)]);
    if (b.isZero(0)) throw Error("ellipsoid.b = 0 must have an element different from 0");
    const CanonicalForm form = canonical_form(info.name, values(params.A), values(params.K), b);
    if constexpr (std::is_same_v<Real, double>)
      return {{form.lambda.begin(), form.lambda.end()}, {form.b.begin(), form.b.end()}};
    else
      return with_derivatives(params, form);
  }

  /// With V held fixed, VᵀK V = I + dK and VᵀA V = Λ + dA, where dK and dA have the value 0. To the
  /// first order, which is all that derivatives need, s → (I − ½dK) s brings K back to I and
  /// A to Λ + dA − ½(dKΛ + ΛdK) = Λ^{½}(I + F)Λ^{½}; x = (I − ½F)Λ^{−½}s brings the ellipsoid to
  /// the unit sphere, where D⁻¹ = Λ + ½(FΛ + ΛF). Repeated λ do no harm: nothing is divided by
  /// their differences.
  static EllipsoidFlow<Real> with_derivatives(const Params& params, const CanonicalForm& form) {
    const auto m = static_cast<std::size_t>(form.lambda.size());
    const auto at = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
    const auto turned = [&](const Matrix<Real>& matrix, std::size_t i, std::size_t j) {
      Real sum(0);
      for (std::size_t k = 0; k < m; ++k)
        for (std::size_t l = 0; l < m; ++l)
          sum += form.V(at(k), at(i)) * form.V(at(l), at(j)) * 0.5 *
                 (matrix(at(k), at(l)) + matrix(at(l), at(k)));
      return sum - value_of(sum);
    };
    Matrix<Real> dK(at(m), at(m)), F(at(m), at(m)), coupling(at(m), at(m));
    std::vector<Real> a(m), b(m), beta(m);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j) {
        const double li = form.lambda[at(i)], lj = form.lambda[at(j)];
        dK(at(i), at(j)) = turned(params.K, i, j);
        const Real dA = turned(params.A, i, j) - 0.5 * (li + lj) * dK(at(i), at(j));
        F(at(i), at(j)) = dA / std::sqrt(li * lj);
        coupling(at(i), at(j)) = i == j ? Real(0) : 0.5 * (li + lj) * F(at(i), at(j));
      }
    for (std::size_t i = 0; i < m; ++i) {
      Real sum(0);
      for (std::size_t k = 0; k < m; ++k) sum += form.V(at(k), at(i)) * params.b[k];
      b[i] = sum - value_of(sum) + form.b[at(i)];
      a[i] = form.lambda[at(i)] * (1.0 + F(at(i), at(i)));
    }
    for (std::size_t i = 0; i < m; ++i) {
      beta[i] = b[i] / std::sqrt(form.lambda[at(i)]);
      for (std::size_t j = 0; j < m; ++j)
        beta[i] -= 0.5 * (dK(at(i), at(j)) * form.b[at(j)] / std::sqrt(form.lambda[at(i)]) +
                          F(at(i), at(j)) * form.b[at(j)] / std::sqrt(form.lambda[at(j)]));
    }
    return {std::move(a), std::move(coupling), std::move(beta)};
  }

  Real tangent(const State& state) const noexcept {
    const Real& bb = flow_.square_b();
    if (output_ == Output::u_bq) return state.slipping ? c0_ - bb + flow_.slope(state) : c0_;
    return state.slipping ? bb - flow_.slope(state) : Real(0);
  }

  /// The penalty form, and the way between its s and the x of the state: x = Λ^{−½}Vᵀs, and
  /// Vᵀ K V = I gives s = K V Λ^{½} x.
  struct Printed {
    PrintedEllipsoid law;
    Matrix<double> to_s, to_x;

    Printed(const Params& params, const Options& options)
        : law(values(params.A), values(params.K), column(params.b),
              {options.gain, options.power, options.tolerance}) {
      const CanonicalForm form =
          canonical_form(info.name, values(params.A), values(params.K), column(params.b));
      const Eigen::VectorXd root = form.lambda.cwiseSqrt();
      to_s = values(params.K) * form.V * root.asDiagonal();
      to_x = root.cwiseInverse().asDiagonal() * form.V.transpose();
    }
  };
  static Eigen::VectorXd column(const std::vector<Real>& list) {
    Eigen::VectorXd result(static_cast<Eigen::Index>(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i)
      result[static_cast<Eigen::Index>(i)] = value_of(list[i]);
    return result;
  }

  template <std::same_as<double> Plain>
  Response<Plain> printed_step(const State& from, const Plain& u, State& to) const noexcept {
    const double d = u > from.u ? 1 : -1;
    const Eigen::Map<const Eigen::VectorXd> x(from.x.data(),
                                              static_cast<Eigen::Index>(from.x.size()));
    const PrintedEllipsoid::Move move = printed_->law.penalty(printed_->to_s * x, u - from.u);
    if (&to != &from) to = from;
    if (move.status != Status::ok) return {from.f, 0, 0, move.status};
    const Eigen::VectorXd next = printed_->to_x * move.s;
    std::copy(next.begin(), next.end(), to.x.begin());
    to.slipping = move.rate == 0 ? 0 : static_cast<int>(d);
    to.u = u;
    const double pull = flow_.pull(to), slope = d * move.rate;
    to.f =
        output_ == Output::u_bq ? (c0_ - flow_.square_b()) * u + pull : flow_.square_b() * u - pull;
    return {to.f, output_ == Output::u_bq ? c0_ - slope : slope, move.lost};
  }

  EllipsoidFlow<Real> flow_;
  Output output_;
  Real c0_;
  std::optional<Printed> printed_;
};

}  // namespace microslip
