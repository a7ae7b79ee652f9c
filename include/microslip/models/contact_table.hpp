#pragma once

/// # contact-table: rough surfaces, whose normal force is a curve of their approach
///
///     N  = Σ_i k_i max(0, un − u_i),    the straight lines through the given points
///     ft = Σ_i ft_i,   ft_i ← clamp(ft_i + r k_i Δut, −μN_i, μN_i),   ft_i = 0 while N_i = 0
///     fn = N − N(0)
///
/// A rough surface has summits of many heights. The curve N(un), which must get steeper from line to line,
/// is the sum of summits that touch at u_i, each a unilateral spring k_i with a tangential spring r k_i and
/// a slider: `contact` in parallel. The tangential stiffness of what sticks is r times the normal
/// stiffness at every load (Mindlin's ratio, 2(1 − ν)/(2 − ν) for like elastic bodies), all together slip at μN, and
/// summits that have just touched slip first: for constant N
///
///     ft = μ [N(un) − N(un − r ut/μ)]
///
/// on the virgin curve, the theorem of Ciavarella and Jäger. Summits keep a force that they have carried
/// from a small to a large load, which a single spring of changing stiffness does not: it would give energy
/// away in a cycle of load and shear.
///
/// The points may come from the columns of a file: `un=@surface.csv:un`. The step is exact, as that of
/// `contact` is.

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/contact_walk.hpp"
#include "microslip/detail/kernels/friction_spring.hpp"
#include "microslip/detail/kernels/sum_walk.hpp"

namespace microslip {

template <Number Real>
class ContactTable {
 public:
  using Scalar = Real;
  static constexpr auto directions = microslip::directions::contact;

  struct Params {
    std::vector<Real> un{Real(-1), Real(0), Real(1)};
    std::vector<Real> N{Real(0), Real(1), Real(3)};
    Real ratio{0.8};
    Real mu{0.5};
    static constexpr auto fields = std::tuple{
        field(&Params::un, "un", "L", any_number,
              "approaches of the points, ascending; at the first one the surfaces touch"),
        field(&Params::N, "N", "F", non_negative,
              "normal forces there, the first one 0; the curve gets steeper from line to line"),
        field(&Params::ratio, "ratio", "1", positive,
              "tangential stiffness of what sticks over the normal stiffness"),
        field(&Params::mu, "mu", "1", non_negative, "coefficient of friction"),
    };
  };
  using Options = NoOptions;

  struct State {
    Vec2<Real> u = Vec2<Real>(Real(0), Real(0));
    Vec2<Real> f = Vec2<Real>(Real(0), Real(0));
    std::vector<Real> ft;
    static constexpr auto fields = std::tuple{
        state_field(&State::u, "u", "L", "displacement"),
        state_field(&State::f, "f", "F", "force"),
        state_field(&State::ft, "ft", "F", "tangential force of the summits of each height"),
    };
  };

  static constexpr Info info{
      .name = "contact-table",
      .sentence =
          "Friction of rough surfaces, whose normal force is a given curve of their approach.",
      .equation =
          "N = Σ N_i,  N_i = k_i max(0, un − u_i),  ft_i ← clamp(ft_i + r k_i Δut, −μN_i, μN_i)",
      .citation =
          "J. A. Greenwood, J. B. P. Williamson, Contact of nominally flat surfaces, Proceedings "
          "of "
          "the Royal Society A 295 (1966) 300–319; M. Ciavarella, The generalized Cattaneo partial "
          "slip plane contact problem, International Journal of Solids and Structures 35 (1998) "
          "2349–2362",
      .claims = {.odd = fails,
                 .rate_independent = holds,
                 .masing = not_applicable,
                 .return_point_memory = not_applicable,
                 .minor_loops_close = not_applicable,
                 .dissipative = holds,
                 .bounded = fails,
                 .planar_isotropic = not_applicable},
  };

  explicit ContactTable(const Params& params, const Options& = {}) {
    check(params);
    Real before(0);
    for (std::size_t i = 0; i + 1 < params.un.size(); ++i) {
      const Real slope = (params.N[i + 1] - params.N[i]) / (params.un[i + 1] - params.un[i]);
      const Real kn = slope - before;
      summits_.push_back({params.ratio * kn, params.mu, {kn, -kn * params.un[i]}});
      before = slope;
    }
  }

  State rest() const {
    State state;
    state.ft.assign(summits_.size(), Real(0));
    return state;
  }

  VectorResponse<Real, 2> step(const State& from, const Vec2<Real>& u, State& to) const noexcept {
    VectorResponse<Real, 2> sum{from.f, Mat2<Real>::Zero(), Real(0)};
    if (&to != &from) {
      try {
        to.ft = from.ft;
      } catch (const std::bad_alloc&) {
        sum.status = Status::out_of_memory;
        return sum;
      }
    }
    const Vec2<Real> start = from.u, target = u;  // `to` may hold them
    if (target[0] == start[0] && target[1] == start[1]) {
      for (std::size_t i = 0; i < summits_.size(); ++i)
        sum.tangent += summits_[i].tangent_at_rest(start[1], to.ft[i]);
      to.u = start;
      to.f = sum.force;
      return sum;
    }
    sum.force = Vec2<Real>(Real(0), Real(0));
    for (std::size_t i = 0; i < summits_.size(); ++i) {
      const VectorResponse<Real, 2> one = summits_[i].step(start, to.ft[i], target);
      to.ft[i] = one.force[0];
      sum.force += one.force;
      sum.tangent += one.tangent;
      sum.dissipated += one.dissipated;
    }
    to.u = target;
    to.f = sum.force;
    return sum;
  }

  Real stored(const State& state) const noexcept {
    Real sum(0);
    for (std::size_t i = 0; i < summits_.size(); ++i)
      sum += summits_[i].stored(state.u[1], state.ft[i]);
    return sum;
  }

  /// Summits that open, close or begin to slip.
  Real next_kink(const State& state, const Vec2<Real>& along) const noexcept {
    Real next(std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < summits_.size(); ++i) {
      const Real one = summits_[i].next_kink(state.u, state.ft[i], along);
      if (value_of(one) < value_of(next)) next = one;
    }
    return next;
  }

  std::unique_ptr<Walk> walk() const {
    std::vector<std::unique_ptr<Walk>> parts;
    for (const FrictionSpring<Real>& one : summits_)
      parts.push_back(std::make_unique<ContactWalk>(
          value_of(one.kt), value_of(one.mu),
          UnilateralSpring<double>{value_of(one.normal.kn), value_of(one.normal.N0)}));
    return std::make_unique<SumWalk>(std::move(parts));
  }

 private:
  static void check(const Params& p) {
    check_fields(info.name, p);
    check_same_length(info.name, "un", p.un.size(), "N", p.N.size());
    if (p.un.size() < 2) throw Error("contact-table.un must have at least two points");
    if (value_of(p.N[0]) != 0)
      throw Error("contact-table.N must begin with 0, where the surfaces touch");
    double before = 0;
    for (std::size_t i = 1; i < p.un.size(); ++i) {
      const double way = value_of(p.un[i]) - value_of(p.un[i - 1]);
      if (!(way > 0))
        throw Error("contact-table.un must ascend, but un[" + std::to_string(i + 1) +
                    "] = " + number_text(value_of(p.un[i])) + " follows " +
                    number_text(value_of(p.un[i - 1])));
      const double slope = (value_of(p.N[i]) - value_of(p.N[i - 1])) / way;
      if (!(slope > before))
        throw Error(
            "contact-table.N must get steeper from line to line, as the force on summits of "
            "many heights does, but the slope before N[" +
            std::to_string(i + 1) + "] is " + number_text(slope) + " and that before it " +
            number_text(before));
      before = slope;
    }
  }

  std::vector<FrictionSpring<Real>> summits_;
};

}  // namespace microslip
