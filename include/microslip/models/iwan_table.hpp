#pragma once

/// # iwan-table: sliders whose density is a bar chart
///
///     f = k u + ∫ρ(φ) stop_φ[u] dφ,   ρ = ρ_i for φ_i < φ < φ_{i+1}
///
/// The density of a measured joint as `microslip loops` finds it: `phi` are the edges of the bars,
/// one more than there are bars, `rho` their heights, and k the stiffness that never slips. The
/// backbone is made of parabolas, g'' = −ρ; with h = x − φ_i inside a bar
///
///     g = g_i + s_i h − ½ρ_i h²,   D = D_i + (g_i − φ_i s_i) h + ρ_i (½φ_i h² + h³/6),
///
/// and any history follows by Masing's rules (kernels/masing.hpp), exactly.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "microslip/core/concepts.hpp"
#include "microslip/core/fit_hints.hpp"
#include "microslip/detail/kernels/masing.hpp"

namespace microslip {

/// Edges that ascend from 0 or later, and one density less.
template <Number Real>
class BarBackbone {
 public:
  using Scalar = Real;

  BarBackbone(const std::vector<Real>& phi, const std::vector<Real>& rho, const Real& k) {
    // Stiffness left at each edge, summed from the last, so that nothing is left but k.
    std::vector<Real> slope(phi.size(), k);
    for (std::size_t i = rho.size(); i-- > 0;)
      slope[i] = slope[i + 1] + rho[i] * (phi[i + 1] - phi[i]);
    bars_.push_back({Real(0), Real(0), slope[0], Real(0), Real(0), Real(0)});
    for (std::size_t i = 0; i < phi.size(); ++i) {
      const Bar& before = bars_.back();
      const Real h = phi[i] - before.x;
      bars_.push_back({phi[i], before.force_at(h), slope[i], before.slipped_at(h),
                       before.dissipated_at(h), i < rho.size() ? rho[i] : Real(0)});
    }
  }

  BackbonePoint<Real> at(const Real& x) const noexcept {
    const Bar& bar = bars_[place(x)];
    const Real h = x - bar.x;
    return {bar.force_at(h), bar.slope - bar.rho * h, bar.dissipated_at(h)};
  }
  Real next_kink(const Real& x) const noexcept {
    const std::size_t next = place(x) + 1;
    return next < bars_.size() ? bars_[next].x : Real(std::numeric_limits<double>::infinity());
  }

 private:
  struct Bar {
    Real x, force, slope;
    Real slipped;     ///< g − x g', the force of all that slip at its beginning
    Real dissipated;  ///< there
    Real rho;

    Real force_at(const Real& h) const { return force + h * (slope - 0.5 * rho * h); }
    Real slipped_at(const Real& h) const { return slipped + rho * h * (x + 0.5 * h); }
    Real dissipated_at(const Real& h) const {
      return dissipated + h * (slipped + rho * h * (0.5 * x + h / 6.0));
    }
  };

  std::size_t place(const Real& x) const noexcept {
    const auto after = std::upper_bound(bars_.begin() + 1, bars_.end(), x,
                                        [](const Real& y, const Bar& bar) { return y < bar.x; });
    return static_cast<std::size_t>(after - bars_.begin()) - 1;
  }

  std::vector<Bar> bars_;
};

template <Number Real>
class IwanTable : public MasingLaw<BarBackbone<Real>> {
 public:
  struct Params {
    std::vector<Real> phi{Real(0), Real(0.5), Real(1), Real(2)};
    std::vector<Real> rho{Real(0.8), Real(0.6), Real(0.2)};
    Real k{0};

    static constexpr auto fields = std::tuple{
        field(&Params::phi, "phi", "L", non_negative,
              "edges of the bars, ascending, one more than there are bars"),
        field(&Params::rho, "rho", "F/L^2", non_negative, "density of sliders in each bar"),
        field(&Params::k, "k", "F/L", non_negative, "stiffness that never slips"),
    };
  };
  using Options = NoOptions;

  static constexpr Info info{
      .name = "iwan-table",
      .sentence = "Sliders whose density is a bar chart, as loops finds it in a record.",
      .equation = "f = k u + ∫ρ(φ) stop_φ[u] dφ,  ρ = ρ_i on (φ_i, φ_{i+1})",
      .citation =
          "H. Ahmadian, M. Rajaei, Identification of Iwan distribution density function in "
          "frictional contacts, Journal of Sound and Vibration 333 (2014) 3382–3393",
      .claims = {.odd = holds,
                 .rate_independent = holds,
                 .masing = holds,
                 .return_point_memory = holds,
                 .minor_loops_close = holds,
                 .dissipative = holds,
                 .bounded = depends("k = 0"),
                 .planar_isotropic = not_applicable},
  };

  static FitHints fit_hints() { return {.springs = {"k"}, .left_out = "loops finds its bars"}; }

  explicit IwanTable(const Params& params, const Options& = {})
      : MasingLaw<BarBackbone<Real>>(built(params)) {}

 private:
  static BarBackbone<Real> built(const Params& p) {
    check_fields(info.name, p);
    if (p.phi.size() != p.rho.size() + 1)
      throw Error("iwan-table.phi has " + std::to_string(p.phi.size()) + " elements and rho has " +
                  std::to_string(p.rho.size()) +
                  "; there must be one edge more than there are bars");
    for (std::size_t i = 1; i < p.phi.size(); ++i)
      if (!(p.phi[i] > p.phi[i - 1]))
        throw Error("iwan-table.phi must ascend, but phi[" + std::to_string(i + 1) +
                    "] = " + number_text(value_of(p.phi[i])) + " follows " +
                    number_text(value_of(p.phi[i - 1])));
    Real all = p.k;
    for (const Real& rho : p.rho) all += rho;
    if (!(all > 0.0)) throw Error("iwan-table.rho must have an element above 0");
    return {p.phi, p.rho, p.k};
  }
};

}  // namespace microslip
