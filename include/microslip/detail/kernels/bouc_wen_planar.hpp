#pragma once

/// The Bouc–Wen equations in the plane over a straight motion d, s = 0 … 1:
///
///     dz/ds = A d − z R(z),
///     isotropic:   R = |z|^(n−2) (β |z·d| + γ z·d)
///     sum:         R = |z|^(n−2) Σ_i (β |z_i d_i| + γ z_i d_i)
///     components:  R = Σ_i |z_i|^(n−1) (β |d_i| + γ d_i sgn z_i)
///
/// Between the places where z·d, or a component z_i, changes its sign the absolute values are
/// linear and the equations smooth. A z_i against the motion rises at least with A d_i while R ≥ 0
/// pulls it back to zero, so each sign changes at most once in a step.
///
/// - n = 2: dz/ds = A d − (b·z) z, a linear-fractional map (numerics/projective.hpp), its crossings the
///   roots of quadratics; the energy is closed too.
/// - Any n, isotropic or sum, z along the motion (all motions on a line): the scalar equation,
///   solved by kernels/bouc_wen.hpp up to half of the limit, and the first integral
///   q^n ∝ A − g p^n for the part q across the motion.
/// - Else extrapolation to order twelve with error control, crossings by Newton's method.
///
/// The energy ∫ z·du − Δ|z|²/(2A) = ∫ |z|² R ds/A is lost; it is never negative for β ≥ |γ|.

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>
#include <type_traits>

#include "microslip/detail/kernels/bouc_wen.hpp"
#include "microslip/detail/numerics/extrapolation.hpp"
#include "microslip/detail/numerics/planar.hpp"
#include "microslip/detail/numerics/projective.hpp"
#include "microslip/detail/numerics/quotients.hpp"

namespace microslip {
namespace bouc_wen {

enum class Coupling { isotropic, sum, components };

/// |x|^p; 0 with all derivatives at x = 0 unless p = 0.
template <Number Real>
constexpr Real magnitude_power(const Real& x, const Real& p) noexcept {
  using std::pow;
  if (value_of(x) == 0) return Real(value_of(p) == 0 ? 1 : 0);
  return pow(value_of(x) < 0 ? Real(-x) : x, p);
}

template <Number Real>
class PlanarFlow {
 public:
  using V = Vec2<Real>;
  struct Leg {
    V z;
    Real lost;
    Status status = Status::ok;
  };

  constexpr PlanarFlow(const Real& A, const Real& beta, const Real& gamma, const Real& n,
                       Coupling coupling)
      : A_(A),
        loading_(beta + gamma),
        unloading_(beta - gamma),
        n_(n),
        n_minus_1_(n - 1.0),
        half_n_minus_1_(0.5 * n - 1.0),
        coupling_(coupling),
        flow_(n) {
    const double steepest = std::max(value_of(loading_), value_of(unloading_));
    size_ = steepest > 0 ? std::pow(value_of(A_) / steepest, 1 / value_of(n_)) : 0;
    quadratic_ = value_of(n_) == 2;
    unlimited_ = value_of(loading_) == 0;
    if constexpr (!std::is_same_v<Real, double>) {
      plain_n_ = n_.v.isZero(0);
      quadratic_ = quadratic_ && plain_n_;
      unlimited_ = unlimited_ && loading_.v.isZero(0);
    }
  }

  constexpr Leg advance(const V& z0, const V& d) const noexcept {
    if (size_ == 0) return {moved(z0, Real(1), d), Real(0)};  // β = γ = 0: a spring
    Leg leg{z0, Real(0)};
    Piece piece{d, signs(z0, d)};
    // Euler's step is then exact to rounding, and the square of d may underflow.
    if (value_of(A_) * value_of(d).template lpNorm<Eigen::Infinity>() <= 1e-13 * size_)
      return shortest(piece, z0);
    if (!quadratic_ && coupling_ != Coupling::components) start_on_a_line(piece, leg);
    for (int i = 0; i < 4 && value_of(piece.left) > 0; ++i) {
      const bool rising = piece.signs[0] > 0 && piece.signs[1] > 0;
      if (rising && unlimited_) return {moved(leg.z, piece.left, d), leg.lost};
      if (quadratic_)
        follow_quadratic(piece, leg);
      else
        follow(piece, leg);
      if (leg.status != Status::ok) break;
    }
    return leg;
  }

  /// The part of a motion along d at which the first sign changes; infinite if none does. z·d, or a
  /// component against the motion, rises at least with A d, which bounds the way. `place` is the size of the
  /// displacement, whose rounding leaves a z that was to be zero beside it.
  constexpr Real next_crossing(const V& z, const V& d, double place) const noexcept {
    Signs before = signs(z, d);
    double reach = std::numeric_limits<double>::infinity();
    const double A = value_of(A_);
    const double rounding = 1e-13 * (size_ + value_of(z).norm()) + 1e-15 * A * place;
    for (std::size_t i = 0; i < 2; ++i) {
      if (before[i] > 0) continue;
      const V c = watched({d, before, Real(1)}, i);
      const double missing = -value_of(dot(c, z));
      // What is zero but for rounding counts as passed: a motion that turns it slowly would meet it for ever.
      if (missing > rounding * value_of(c).norm())
        reach = std::min(reach, missing / (A * value_of(dot(c, d))));
      else
        before[i] = 1;
    }
    if (coupling_ == Coupling::isotropic) before[0] = before[1];
    if (!std::isfinite(reach) || size_ == 0) return Real(std::numeric_limits<double>::infinity());
    reach *= 1 + 1e-9;
    Piece piece{V{reach * d[0], reach * d[1]}, before, Real(1)};
    Leg leg{z, Real(0)};
    if (quadratic_)
      follow_quadratic(piece, leg);
    else
      follow(piece, leg);
    return reach * (1.0 - piece.left);
  }

  /// dz/du for a motion that goes on along z.
  constexpr Mat2<Real> tangent(const V& z) const noexcept {
    const Real r2 = dot(z, z);
    V pull{Real(0), Real(0)};
    if (coupling_ == Coupling::components) {
      for (int i = 0; i < 2; ++i)
        pull[i] = loading_ * power(z[i], n_minus_1_) * (value_of(z[i]) < 0 ? -1.0 : 1);
    } else if (value_of(r2) > 0) {
      const Real factor = loading_ * power(r2, half_n_minus_1_);
      pull = V{factor * z[0], factor * z[1]};
    }
    Mat2<Real> result;
    result << A_ - z[0] * pull[0], -z[0] * pull[1], -z[1] * pull[0], A_ - z[1] * pull[1];
    return result;
  }

 private:
  using Signs = std::array<double, 2>;  ///< −1 while z_i d_i < 0 (isotropic: both that of z·d)

  /// A stretch of the motion with fixed signs.
  struct Piece {
    V d;          ///< the whole motion
    Signs signs;  ///< in the stretch
    Real left{1};
  };

  constexpr Leg shortest(const Piece& piece, const V& z) const noexcept {
    const Real R = resistance(z, pull(piece));
    return {V{z[0] + (A_ * piece.d[0] - z[0] * R), z[1] + (A_ * piece.d[1] - z[1] * R)},
            dot(z, z) * R / A_};
  }

  constexpr V moved(const V& z, const Real& s, const V& d) const noexcept {
    return {z[0] + s * A_ * d[0], z[1] + s * A_ * d[1]};
  }

  Signs signs(const V& z, const V& d) const noexcept {
    const auto sign = [](double x) { return x < 0 ? -1.0 : 1.0; };
    const Vec2<double> a = value_of(z), b = value_of(d);
    if (coupling_ == Coupling::isotropic) return {sign(a.dot(b)), sign(a.dot(b))};
    return {sign(a[0] * b[0]), sign(a[1] * b[1])};
  }

  /// R = |z|^(n−2) b·z, or Σ |z_i|^(n−1) |b_i|.
  constexpr V pull(const Piece& piece) const noexcept {
    V b;
    for (int i = 0; i < 2; ++i)
      b[i] = (piece.signs[static_cast<std::size_t>(i)] > 0 ? loading_ : Real(-unloading_)) *
             piece.d[i];
    return b;
  }

  constexpr Real resistance(const V& z, const V& b) const noexcept {
    if (coupling_ == Coupling::components) {
      Real sum(0);
      for (int i = 0; i < 2; ++i)
        sum += power(z[i], n_minus_1_) * (value_of(b[i]) < 0 ? Real(-b[i]) : b[i]);
      return sum;
    }
    return power(dot(z, z), half_n_minus_1_) * dot(b, z);
  }

  /// |x|^p for p = n − 1 and n/2 − 1; cheaper where n carries no derivatives.
  constexpr Real power(const Real& x, const Real& p) const noexcept {
    if constexpr (std::is_same_v<Real, double>) {
      return magnitude_power(x, p);
    } else {
      if (!plain_n_ || value_of(x) == 0) return magnitude_power(x, p);
      const double size = std::abs(x.a), value = std::pow(size, p.a);
      Real result(value);
      result.v = (p.a * value / x.a) * x.v;
      return result;
    }
  }

  /// What reaches zero when the sign of component i changes.
  constexpr V watched(const Piece& piece, std::size_t i) const noexcept {
    if (coupling_ == Coupling::isotropic) return piece.d;
    V c = zero_vector<Real>();
    const auto j = static_cast<Eigen::Index>(i);
    c[j] = Real(value_of(piece.d[j]) < 0 ? -1 : 1);
    return c;
  }

  constexpr void cross(Piece& piece, std::size_t i, V& z) const noexcept {
    if (coupling_ == Coupling::isotropic) {
      piece.signs = {1, 1};
    } else {
      piece.signs[i] = 1;
      z[static_cast<Eigen::Index>(i)] = Real(0);
    }
  }

  /// Where z ends up along d, if it does.
  constexpr Real limit(const V& d) const noexcept {
    using std::pow, std::sqrt;
    Real share(1);
    if (coupling_ == Coupling::components) {
      const Real length = sqrt(dot(d, d));
      share = magnitude_power(Real(d[0] / length), n_) + magnitude_power(Real(d[1] / length), n_);
    }
    return pow(A_ / (loading_ * share), 1.0 / n_);
  }

  // --------------------------------------------------------------------------- n = 2

  constexpr void follow_quadratic(Piece& piece, Leg& leg) const noexcept {
    const V b = pull(piece);
    const V a{A_ * piece.d[0], A_ * piece.d[1]};
    Real length = piece.left;
    int crossing = -1;
    for (std::size_t i = 0; i < 2; ++i) {
      if (piece.signs[i] > 0) continue;
      const Real s = projective::crossing(a, b, leg.z, watched(piece, i));
      if (value_of(s) < value_of(length)) {
        length = s;
        crossing = static_cast<int>(i);
      }
    }
    const V pushed{length * a[0], length * a[1]}, pulled{length * b[0], length * b[1]};
    const auto arc = projective::advance(pushed, pulled, leg.z);
    leg.lost += coupling_ == Coupling::isotropic ? lost_closed(piece, length, leg.z, arc)
                                                 : lost_across(piece, length, leg.z, arc);
    leg.z = arc.z;
    piece.left = crossing < 0 ? Real(0) : Real(piece.left - length);
    if (crossing >= 0) cross(piece, static_cast<std::size_t>(crossing), leg.z);
  }

  /// b = κ d: ∫ z·d = ln(w)/κ, with w = 1 + κ W.
  constexpr Real lost_closed(const Piece& piece, const Real& length, const V& z0,
                             const projective::Arc<Real>& arc) const noexcept {
    const Real kappa = piece.signs[0] > 0 ? loading_ : Real(-unloading_);
    const V d{length * piece.d[0], length * piece.d[1]};
    const Real m = A_ * kappa * dot(d, d);
    Real work;
    if (std::abs(value_of(m)) <= 1) {
      const auto g = projective::growth(m);
      const Real W = A_ * dot(d, d) * g.D + dot(d, z0) * g.S;
      work = W * log1prel(Real(kappa * W));
    } else {
      work = arc.log_w / kappa;
    }
    return work - 0.5 * (dot(arc.z, arc.z) - dot(z0, z0)) / A_;
  }

  /// ∫ z·d along the map for b not along d, from d = α b + β b⊥: ∫ b·z = ln w, and with
  /// W = ∫ w = (w' − b·z₀)/m the rest needs J = ∫ ds/w alone. Close to b ⊥ d, where m → 0, a Gauss
  /// rule takes over.
  constexpr Real lost_across(const Piece& piece, const Real& length, const V& z0,
                             const projective::Arc<Real>& arc) const noexcept {
    const V b = pull(piece);
    // Both components may cross zero together: nothing is left between them, and the rest divides
    // by the length.
    if (value_of(A_) * value_of(length) * value_of(piece.d).norm() <= 1e-13 * size_)
      return length * dot(z0, z0) * dot(b, z0) / A_;
    const V along{length * piece.d[0], length * piece.d[1]}, b1{length * b[0], length * b[1]};
    const Real bb = dot(b, b), bd = dot(b, along);
    if (!(value_of(bb) > 0)) return Real(0);
    const double cosine = value_of(bd) / (value_of(b).norm() * value_of(along).norm());
    if (std::abs(cosine) < 0.05) return lost_by_quadrature(piece, length, z0);
    const V across{-b[1], b[0]};
    const Real m = A_ * dot(b1, along), start = dot(b1, z0);
    const auto g = projective::growth(m);
    const Real T = g.S / (g.one + g.C);
    const Real inverse = 1.0 / (1.0 + start * T);
    const Real J =
        2.0 * T * inverse *
        projective::artanh_quotient(Real((square(start) - m) * square(Real(T * inverse))));
    const Real W = (arc.log_w - start * J) / m;  // ∫ (∫ w)/w
    const Real work = (bd * arc.log_w / length +
                       dot(across, along) * (dot(across, z0) * J + A_ * dot(across, along) * W)) /
                      bb;
    return work - 0.5 * (dot(arc.z, arc.z) - dot(z0, z0)) / A_;
  }

  /// The path is known, so the energy is an integral of it. The poles of the path are at least
  /// 1/(√m + b·z) away, which the cells respect.
  constexpr Real lost_by_quadrature(const Piece& piece, const Real& length,
                                    const V& z0) const noexcept {
    using Rule = boost::math::quadrature::gauss<double, 10>;
    const V b = pull(piece), a{A_ * piece.d[0], A_ * piece.d[1]};
    const double steep = std::sqrt(std::abs(value_of(dot(a, b)))) + std::abs(value_of(dot(b, z0)));
    const int cells = 1 + static_cast<int>(std::min(1e4, value_of(length) * steep / 0.7));
    const auto rate = [&](const Real& s) {
      const V z = projective::advance(V{s * a[0], s * a[1]}, V{s * b[0], s * b[1]}, z0).z;
      return dot(z, z) * dot(b, z) / A_;
    };
    const Real half = 0.5 * length / static_cast<double>(cells);
    Real sum(0);
    for (int cell = 0; cell < cells; ++cell) {
      const Real middle = (2.0 * cell + 1) * half;
      for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
        const double x = Rule::abscissa()[i];
        sum += Rule::weights()[i] * (rate(Real(middle + x * half)) + rate(Real(middle - x * half)));
      }
    }
    return sum * half;
  }

  // --------------------------------------------------------------------------- any n

  /// z nearly along the motion: its part across is too small to act back.
  void start_on_a_line(Piece& piece, Leg& leg) const noexcept {
    using std::exp, std::log1p, std::sqrt;
    const Vec2<double> dv = value_of(piece.d), zv = value_of(leg.z);
    const double scale = dv.template lpNorm<Eigen::Infinity>();
    // A motion that is short against z meets nothing singular.
    if (value_of(A_) * scale < 0.01 * zv.norm()) return;
    const double across = std::abs(zv[0] * dv[1] - zv[1] * dv[0]) / dv.norm();
    if (across > 1e-9 * size_) return;
    const V w{piece.d[0] / scale, piece.d[1] / scale};
    const Real length = sqrt(dot(w, w));
    const V e{w[0] / length, w[1] / length};
    const Real p = dot(leg.z, e), q = leg.z[1] * e[0] - leg.z[0] * e[1];
    const Real x = length * scale;
    const double half_way = value_of(loading_) > 0
                                ? std::pow(0.5 * value_of(A_ / loading_), 1 / value_of(n_))
                                : std::numeric_limits<double>::infinity();
    double reach = (half_way - std::max(value_of(p), 0.0)) / value_of(A_);
    if (value_of(p) < 0) reach += value_of(flow_.crossing(A_, unloading_, p));
    if (!(value_of(A_) * reach > std::min(0.1 * half_way, size_))) return;
    const bool all = reach >= value_of(x);
    const Real covered = all ? x : Real(reach);
    const auto arc = flow_.advance(A_, loading_, unloading_, p, covered);
    // ln of (A − g p^n)^(1/n), and with h on the other side of zero.
    const auto level = [&](const Real& y) -> Real {
      if (value_of(y) == 0) return Real(0);
      const Real power = magnitude_power(y, n_) / A_;
      return log1p(value_of(y) < 0 ? Real(unloading_ * power) : Real(-loading_ * power)) / n_;
    };
    using std::expm1;
    const Real along = arc.y - p, sideways = q * expm1(Real(level(arc.y) - level(p)));
    leg.z = V{leg.z[0] + along * e[0] - sideways * e[1], leg.z[1] + along * e[1] + sideways * e[0]};
    leg.lost += arc.lost;
    piece.left = all ? Real(0) : Real(1.0 - covered / x);
    piece.signs = all ? piece.signs : Signs{1, 1};
  }

  using Y = std::array<Real, 3>;  ///< z and the energy lost

  constexpr void follow(Piece& piece, Leg& leg) const noexcept {
    const V b = pull(piece);
    const auto rate = [&](const Y& y) {
      const V z{y[0], y[1]};
      const Real R = resistance(z, b);
      return Y{A_ * piece.d[0] - y[0] * R, A_ * piece.d[1] - y[1] * R, dot(z, z) * R / A_};
    };
    const bool rising = piece.signs[0] > 0 && piece.signs[1] > 0;
    const bool saturates = rising && value_of(loading_) > 0;
    const Real top = saturates ? limit(piece.d) : Real(0);
    V goal = zero_vector<Real>();
    if (saturates) {
      using std::sqrt;
      const Real length = sqrt(dot(piece.d, piece.d));
      goal = V{top * piece.d[0] / length, top * piece.d[1] / length};
    }
    Y y{leg.z[0], leg.z[1], leg.lost};
    // Of z against the motion and against R, which balance at saturation.
    const double pace = value_of(A_) * value_of(piece.d).norm() +
                        value_of(leg.z).norm() * value_of(resistance(leg.z, b));
    double h = std::min(value_of(piece.left), 0.3 * scale_at(y)[0] / pace);
    for (int i = 0; i < most_steps; ++i) {
      const auto scale = scale_at(y);
      if (saturates && (value_of(V{y[0], y[1]}) - value_of(goal)).norm() <= 1e-14 * value_of(top)) {
        using std::sqrt;
        y = {goal[0], goal[1], y[2] + top * sqrt(dot(piece.d, piece.d)) * piece.left};
        piece.left = Real(0);
        break;
      }
      if (!plain_n_) h = std::min(h, graded(piece, y));
      const bool last = h >= value_of(piece.left);
      Real length = last ? piece.left : Real(h);
      auto trial = extrapolation::step(y, length, rate, scale);
      const double taken = value_of(length);
      const double next = extrapolation::next_length(taken, trial.error, tolerance);
      // At a singular start the estimate is a fiftieth of the error.
      if (!(trial.error <= 5 * tolerance)) {
        h = std::min(next, taken / 2);
        continue;
      }
      if (const int which = crossed(piece, trial.y); which >= 0) {
        const auto j = static_cast<std::size_t>(which);
        land(watched(piece, j), y, rate, scale, length, trial.y);
        leg = {V{trial.y[0], trial.y[1]}, trial.y[2]};
        piece.left -= length;
        cross(piece, j, leg.z);
        return;
      }
      y = trial.y;
      piece.left = last ? Real(0) : Real(piece.left - length);
      h = next;
      if (last) break;
    }
    const bool done = !(value_of(piece.left) > 0);
    leg = {V{y[0], y[1]}, y[2], done ? Status::ok : Status::not_converged};
  }

  /// Derivatives with respect to n have terms |z|^n ln |z|, whose errors nobody watches: steps in
  /// proportion to |z| resolve them.
  double graded(const Piece& piece, const Y& y) const noexcept {
    const Vec2<double> z(value_of(y[0]), value_of(y[1])), d = value_of(piece.d);
    double h = std::numeric_limits<double>::infinity();
    const auto limit_to = [&](double size, double speed) {
      if (speed > 0) h = std::min(h, std::max(0.3 * size, 1e-5 * size_) / (value_of(A_) * speed));
    };
    if (coupling_ == Coupling::components)
      for (int i = 0; i < 2; ++i) limit_to(std::abs(z[i]), std::abs(d[i]));
    else
      limit_to(z.norm(), d.norm());
    return h;
  }

  /// Errors are relative to z, which may be larger than size_ where the loading side is weak.
  constexpr std::array<double, 3> scale_at(const Y& y) const noexcept {
    const double z = std::max(size_, std::hypot(value_of(y[0]), value_of(y[1])));
    return {z, z, std::max(z * z, value_of(y[2]))};
  }

  /// The component that has gone furthest beyond zero; −1 if none.
  constexpr int crossed(const Piece& piece, const Y& y) const noexcept {
    int which = -1;
    double furthest = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      if (piece.signs[i] > 0) continue;
      const V c = watched(piece, i);
      const double beyond = value_of(dot(c, V{y[0], y[1]})) / value_of(dot(c, piece.d));
      if (beyond > furthest) {
        furthest = beyond;
        which = static_cast<int>(i);
      }
    }
    return which;
  }

  /// Newton for the length at which c·z = 0; the last iterations carry the derivatives.
  template <class Rate>
  constexpr void land(const V& c, const Y& y, const Rate& rate, const std::array<double, 3>& scale,
                      Real& length, Y& end) const noexcept {
    bool close = false;
    for (int i = 0; i < 10; ++i) {
      const Y slope = rate(end);
      const Real change = (c[0] * end[0] + c[1] * end[1]) / (c[0] * slope[0] + c[1] * slope[1]);
      length -= change;
      end = extrapolation::step(y, length, rate, scale).y;
      if (close) break;  // the error is now the square of a small one
      close = std::abs(value_of(change)) <= 1e-8 * value_of(length);
    }
  }

  static constexpr double tolerance = 1e-14;
  static constexpr int most_steps = 10000;

  Real A_, loading_, unloading_, n_;
  Real n_minus_1_, half_n_minus_1_;
  Coupling coupling_;
  Flow<Real> flow_;
  double size_ = 0;         ///< of z, at least
  bool quadratic_ = false;  ///< n = 2, and nobody asks for derivatives with respect to n
  bool plain_n_ = true;     ///< n carries no derivatives
  bool unlimited_ = false;  ///< β + γ = 0: loading is a spring
};

}  // namespace bouc_wen
}  // namespace microslip
