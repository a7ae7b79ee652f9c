#pragma once

/// # The flow in a zonotope
///
/// A point s is dragged by u and held inside a zonotope, the sum of N segments:
///
///     ds = b du − dq,   s ∈ Z = {Σ g_j t_j : |t_j| ≤ 1},   dq in the outward normal cone of Z at
///     s.
///
/// (K = I; a coordinate change brings any K to it.) So ds is the projection of b du onto the
/// tangent cone of Z at s: with d = ±1 the direction of the motion, the rates τ = dt/d|u| minimise
///
///     |d b − Σ g_j τ_j|²,   τ_j ≤ 0 where t_j = 1,  τ_j ≥ 0 where t_j = −1,
///
/// and the remainder v is the slip rate dq/d|u|. That is least squares with signs in m dimensions,
/// solved by active sets (Lawson and Hanson, Solving Least Squares Problems, 1974): at most m of
/// the t_j move at a time. While v = 0 the motion is elastic. Rates stay the same until a t_j
/// reaches its bound, so the path is followed exactly from event to event; there is no increment.
///
/// The t of a point inside Z are not unique; they only bear witness that it is inside. Loss:
/// ∫ sᵀdq, exact because s and q are linear between events.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "microslip/core/dual.hpp"
#include "microslip/core/response.hpp"
#include "microslip/detail/numerics/scratch.hpp"

namespace microslip {

template <Number Real>
struct ZonotopePoint {
  std::vector<Real> t;  ///< s = Σ g_j t_j
  std::vector<Real> q;  ///< s = b u − q
};

template <Number Real>
class ZonotopeFlow {
 public:
  using Point = ZonotopePoint<Real>;

  struct Move {
    Real lost;  ///< ∫ sᵀdq
    bool slipped;
    Status status = Status::ok;
  };

  /// The generators one after the other, m numbers each; together they span the space.
  ZonotopeFlow(std::vector<Real> generators, std::vector<Real> b)
      : m_(b.size()),
        n_(generators.size() / b.size()),
        g_(std::move(generators)),
        b_(std::move(b)) {
    for (const Real& x : g_) plain_g_.push_back(value_of(x));
    double sum = 0;
    for (const Real& x : b_) sum += value_of(x) * value_of(x);
    size_b_ = std::sqrt(sum);
    for (std::size_t j = 0; j < n_; ++j) {
      sum = 0;
      for (std::size_t i = 0; i < m_; ++i) sum += plain_g_[j * m_ + i] * plain_g_[j * m_ + i];
      size_g_.push_back(std::sqrt(sum));
    }
    // Sliders that the modes do not move leave generators of rounding size; as they are nothing
    // beside the others they stay out of the search.
    const double least = 1e-13 * *std::max_element(size_g_.begin(), size_g_.end());
    for (double& size : size_g_)
      if (size <= least) size = 0;
  }

  std::size_t dimension() const noexcept { return m_; }
  std::size_t generators() const noexcept { return n_; }
  const std::vector<Real>& b() const noexcept { return b_; }
  Point rest() const { return {std::vector<Real>(n_, Real(0)), std::vector<Real>(m_, Real(0))}; }

  /// A monotone motion of any size but zero. `from` and `to` may be the same object.
  [[gnu::noinline]] Move move(const Point& from, const Real& u_from, const Real& u_to,
                              Point& to) const noexcept {
    using std::abs;
    const double d = u_to > u_from ? 1 : -1;
    Real left = abs(u_to - u_from);
    if (&to != &from) {
      to.t = from.t;
      to.q = from.q;
    }
    Room room(m_);
    if (!room.ok()) return {Real(0), false, Status::out_of_memory};
    Work w(*this, room);
    place(to.t.data(), w.s);
    aim(to, u_from, d, value_of(left), w);
    begin(to.t.data(), w);
    Move move{Real(0), false};
    const std::size_t most = 400 * (n_ + m_) + 1000;
    for (std::size_t event = 0; event < most; ++event) {
      rates(to.t.data(), w);
      const Next next = next_event(to.t.data(), w);
      const bool last = !(next.after < value_of(left));
      const Real h = last ? left : exactly(to.t.data(), w, next);
      if (w.slips) {
        for (std::size_t i = 0; i < m_; ++i) {
          move.lost += w.v[i] * (w.s[i] + 0.5 * h * w.ds[i]) * h;
          to.q[i] += h * w.v[i];
        }
        move.slipped = true;
      }
      go(to.t.data(), w, h);
      if (last) return move;
      to.t[w.moving[next.place]] = Real(next.bound);
      left -= h;
    }
    move.status = Status::not_converged;
    return move;
  }

  /// dq/d|u| along b for a motion on in this direction: d(bᵀq)/du. Zero while elastic.
  Real slip_slope(const Point& p, int direction) const noexcept {
    Room room(m_);
    if (!room.ok()) return Real(0);
    Work w(*this, room);
    for (std::size_t i = 0; i < m_; ++i) w.aim[i] = static_cast<double>(direction) * b_[i];
    begin(p.t.data(), w);
    rates(p.t.data(), w);
    Real sum(0);
    if (w.slips)
      for (std::size_t i = 0; i < m_; ++i) sum += w.aim[i] * w.v[i];
    return sum;
  }

  /// Where the slope changes next: the start of slip, or an event while slipping.
  Real distance_to_kink(const Point& p, const Real& u, int direction) const noexcept {
    const double d = direction;
    Room room(m_);
    Scratch<Real, inline_generators> copy(n_);
    Real* t = copy.data();
    if (!room.ok() || !t) return Real(std::numeric_limits<double>::infinity());
    std::copy(p.t.begin(), p.t.end(), t);
    Work w(*this, room);
    for (std::size_t i = 0; i < m_; ++i) w.aim[i] = d * b_[i];
    Real distance(0);
    begin(t, w);
    rates(t, w);
    const std::size_t most = 400 * (n_ + m_) + 1000;
    for (std::size_t event = 0; event < most; ++event) {
      const Next next = next_event(t, w);
      if (!std::isfinite(next.after)) break;
      const Real h = exactly(t, w, next);
      const bool slipped = w.slips;
      go(t, w, h);
      t[w.moving[next.place]] = Real(next.bound);
      distance += h;
      rates(t, w);
      if ((slipped || w.slips) && value_of(u) + d * value_of(distance) != value_of(u))
        return distance;
    }
    return Real(std::numeric_limits<double>::infinity());
  }

 private:
  static constexpr std::size_t small = 12;               ///< up to this m a step allocates nothing
  static constexpr std::size_t inline_generators = 256;  ///< up to this N no search for a kink does

  /// The memory of one call.
  struct Room {
    explicit Room(std::size_t m)
        : real(m * (m + 6) + m * m), plain(m * (m + 5) + m * m), index(m + 1) {}
    bool ok() { return real.data() && plain.data() && index.data(); }
    Scratch<Real, small*(2 * small + 6)> real;
    Scratch<double, small*(2 * small + 5)> plain;
    Scratch<std::size_t, small + 1> index;
  };

  /// Columns that move, their rates, the slip rate; and room for the least squares.
  struct Work {
    Work(const ZonotopeFlow& flow, Room& room) {
      const std::size_t m = flow.m_;
      Real* r = room.real.data();
      for (Real** part : {&s, &ds, &v, &aim, &rate, &spare}) {
        *part = r;
        r += m;
      }
      Q = r;
      R = r + m * m;
      double* p = room.plain.data();
      for (double** part : {&plain_aim, &plain_v, &plain_rate, &trial, &plain_spare}) {
        *part = p;
        p += m;
      }
      plain_Q = p;
      plain_R = p + m * m;
      moving = room.index.data();
    }
    Real *s, *ds, *v, *aim, *rate, *spare, *Q, *R;
    double *plain_aim, *plain_v, *plain_rate, *trial, *plain_spare, *plain_Q, *plain_R;
    std::size_t* moving;
    std::size_t count = 0;
    bool slips = false;
  };

  /// Σ g_j t_j
  void place(const Real* t, Real* s) const noexcept {
    for (std::size_t i = 0; i < m_; ++i) s[i] = Real(0);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < m_; ++i) s[i] += g_[j * m_ + i] * t[j];
  }

  /// d b, turned by what rounding has put between s and b u − q, so that it does not pile up.
  void aim(const Point& p, const Real& u, double d, double length, Work& w) const noexcept {
    double off = 0;
    for (std::size_t i = 0; i < m_; ++i) {
      w.spare[i] = b_[i] * u - p.q[i] - w.s[i];
      off = std::max(off, std::abs(value_of(w.spare[i])));
      w.aim[i] = d * b_[i];
    }
    if (off < 1e-6 * size_b_ * length)
      for (std::size_t i = 0; i < m_; ++i) w.aim[i] += w.spare[i] / length;
  }

  /// Least squares by Gram–Schmidt, each column made orthogonal twice: rates of the columns listed
  /// in w.moving and the remainder of the aim. Nothing remains of as many columns as dimensions.
  template <class T>
  void least_squares(const T* g, const std::size_t* columns, std::size_t count, const T* wanted,
                     T* Q, T* R, T* rate, T* rest) const noexcept {
    using std::sqrt;
    for (std::size_t i = 0; i < m_; ++i) rest[i] = wanted[i];
    for (std::size_t k = 0; k < count; ++k) {
      T* q = Q + k * m_;
      for (std::size_t i = 0; i < m_; ++i) q[i] = g[columns[k] * m_ + i];
      for (std::size_t j = 0; j < k; ++j) R[j * m_ + k] = T(0);
      for (int pass = 0; pass < 2; ++pass)
        for (std::size_t j = 0; j < k; ++j) {
          const T along = inner(Q + j * m_, q);
          R[j * m_ + k] += along;
          for (std::size_t i = 0; i < m_; ++i) q[i] -= along * Q[j * m_ + i];
        }
      const T length = sqrt(inner(q, q));
      R[k * m_ + k] = length;
      for (std::size_t i = 0; i < m_; ++i) q[i] /= length;
      rate[k] = inner(q, rest);
      for (std::size_t i = 0; i < m_; ++i) rest[i] -= rate[k] * q[i];
    }
    for (std::size_t k = count; k-- > 0;) {
      for (std::size_t j = k + 1; j < count; ++j) rate[k] -= R[k * m_ + j] * rate[j];
      rate[k] /= R[k * m_ + k];
    }
    if (count == m_)
      for (std::size_t i = 0; i < m_; ++i) rest[i] = T(0);
  }
  template <class T>
  T inner(const T* x, const T* y) const noexcept {
    T sum(0);
    for (std::size_t i = 0; i < m_; ++i) sum += x[i] * y[i];
    return sum;
  }

  static int bound_of(const Real& t) noexcept {
    return value_of(t) >= 1 ? 1 : value_of(t) <= -1 ? -1 : 0;
  }

  /// Which t move, and how fast: found in plain numbers, solved once more in Real.
  void rates(const Real* t, Work& w) const noexcept {
    choose(t, w);
    w.slips = w.count < m_;
    if constexpr (std::is_same_v<Real, double>) {
      std::copy(w.plain_rate, w.plain_rate + w.count, w.rate);
      std::copy(w.plain_v, w.plain_v + m_, w.v);
    } else {
      least_squares<Real>(g_.data(), w.moving, w.count, w.aim, w.Q, w.R, w.rate, w.v);
    }
    for (std::size_t i = 0; i < m_; ++i) w.ds[i] = w.aim[i] - w.v[i];
  }

  void solve(Work& w, double* rate) const noexcept {
    least_squares<double>(plain_g_.data(), w.moving, w.count, w.plain_aim, w.plain_Q, w.plain_R,
                          rate, w.plain_v);
  }

  /// Goes on from the columns that moved before: so an elastic motion is a walk of the simplex
  /// method, which comes to its end, where new rates at each event might zigzag for ever.
  void choose(const Real* t, Work& w) const noexcept {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < w.count; ++k)
      if (bound_of(t[w.moving[k]]) == 0) w.moving[kept++] = w.moving[k];
    w.count = kept;
    solve(w, w.plain_rate);
    std::size_t blocked = n_;
    for (std::size_t round = 0; round < 4 * (n_ + m_) && w.count < m_; ++round) {
      const std::size_t entering = most_promising(t, w, blocked);
      if (entering == n_) return;
      w.moving[w.count] = entering;
      w.plain_rate[w.count++] = 0;
      blocked = settle(t, w) ? n_ : entering;
    }
  }

  /// Where a motion begins, those between their bounds go on, as far as they are independent; when
  /// there are more than dimensions, as at rest, all choices are open.
  void begin(const Real* t, Work& w) const noexcept {
    for (std::size_t i = 0; i < m_; ++i) w.plain_aim[i] = value_of(w.aim[i]);
    w.count = 0;
    std::size_t inside = 0;
    for (std::size_t j = 0; j < n_; ++j) inside += size_g_[j] > 0 && bound_of(t[j]) == 0;
    if (inside > m_) return;
    for (std::size_t j = 0; j < n_; ++j) {
      if (size_g_[j] == 0 || bound_of(t[j]) != 0) continue;
      w.moving[w.count++] = j;
      solve(w, w.plain_rate);
      const double across = w.plain_R[(w.count - 1) * m_ + w.count - 1];
      if (!(across > 1e-8 * size_g_[j])) --w.count;
    }
  }

  /// The generator that would lessen the remainder most, n_ if none may.
  std::size_t most_promising(const Real* t, const Work& w, std::size_t blocked) const noexcept {
    const double size_v = std::sqrt(inner(w.plain_v, w.plain_v));
    if (!(size_v > 1e-13 * size_b_)) return n_;
    std::size_t best = n_;
    double most = 1e-11 * size_v;  // below, it is parallel to those that move already
    for (std::size_t j = 0; j < n_; ++j) {
      if (size_g_[j] == 0) continue;
      const double along = inner(plain_g_.data() + j * m_, w.plain_v);
      if (bound_of(t[j]) * along > 0) continue;
      const double gain = std::abs(along);
      if (!(gain > most * size_g_[j]) || j == blocked) continue;
      if (std::find(w.moving, w.moving + w.count, j) != w.moving + w.count) continue;
      most = gain / size_g_[j];
      best = j;
    }
    return best;
  }

  /// Rates of the chosen columns; those that would leave the box by their bound drop out again.
  /// False when the last to enter did so at once: rounding, it must not be tried again.
  bool settle(const Real* t, Work& w) const noexcept {
    const std::size_t newest = w.moving[w.count - 1];
    for (;;) {
      solve(w, w.trial);
      double part = 1;
      for (std::size_t k = 0; k < w.count; ++k)
        if (leaves(t, w, k))
          part = std::min(
              part, std::abs(w.plain_rate[k]) / (std::abs(w.plain_rate[k]) + std::abs(w.trial[k])));
      if (part == 1) break;
      std::size_t kept = 0;
      bool newest_kept = false;
      for (std::size_t k = 0; k < w.count; ++k) {
        const bool drops =
            leaves(t, w, k) &&
            std::abs(w.plain_rate[k]) <=
                part * (std::abs(w.plain_rate[k]) + std::abs(w.trial[k])) * (1 + 1e-12);
        const double rate = w.plain_rate[k] + part * (w.trial[k] - w.plain_rate[k]);
        if (drops) continue;
        newest_kept = newest_kept || w.moving[k] == newest;
        w.moving[kept] = w.moving[k];
        w.plain_rate[kept++] = rate;
      }
      w.count = kept;
      if (!newest_kept) {
        solve(w, w.plain_rate);
        return false;
      }
    }
    std::copy(w.trial, w.trial + w.count, w.plain_rate);
    return true;
  }
  bool leaves(const Real* t, const Work& w, std::size_t k) const noexcept {
    const int bound = bound_of(t[w.moving[k]]);
    return bound != 0 && bound * w.trial[k] >= 0;
  }

  struct Next {
    double after = std::numeric_limits<double>::infinity();
    std::size_t place = 0;
    double bound = 0;
  };
  Next next_event(const Real* t, const Work& w) const noexcept {
    Next next;
    for (std::size_t k = 0; k < w.count; ++k) {
      const double rate = value_of(w.rate[k]);
      const double bound = rate > 0 ? 1 : -1;
      const double after = rate == 0 ? std::numeric_limits<double>::infinity()
                                     : (bound - value_of(t[w.moving[k]])) / rate;
      if (after < next.after) next = {std::max(after, 0.0), k, bound};
    }
    return next;
  }
  Real exactly(const Real* t, const Work& w, const Next& next) const noexcept {
    return (next.bound - t[w.moving[next.place]]) / w.rate[next.place];
  }

  void go(Real* t, Work& w, const Real& h) const noexcept {
    for (std::size_t k = 0; k < w.count; ++k) {
      Real& moved = t[w.moving[k]];
      moved += h * w.rate[k];
      const double excess = std::abs(value_of(moved)) - 1;
      if (excess > 0) moved -= moved > 0.0 ? excess : -excess;
    }
    for (std::size_t i = 0; i < m_; ++i) w.s[i] += h * w.ds[i];
  }

  std::size_t m_, n_;
  std::vector<Real> g_, b_;
  std::vector<double> plain_g_, size_g_;
  double size_b_ = 0;
};

}  // namespace microslip
