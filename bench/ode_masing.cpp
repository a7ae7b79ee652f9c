#include "ode_masing.hpp"

#include "microslip/detail/kernels/iwan4_backbone.hpp"
#include "microslip/models/iwan4.hpp"
#include "microslip/models/iwan5.hpp"
#include "microslip/models/iwan_pinning.hpp"
#include "microslip/models/iwan_series_parallel.hpp"
#include "microslip/models/iwan_uniform.hpp"
#include "microslip/models/masing.hpp"
#include "microslip/models/masing_backbone.hpp"
#include "microslip/models/masing_smooth.hpp"
#include "microslip/models/prandtl_ishlinskii.hpp"

namespace microslip::bench {
namespace {

using One = std::array<double, 1>;

/// A continuum of sliders has no finite list of unknowns. Between reversals its force obeys
/// df/du = g'(depth), where the reversals not yet wiped out tell the depth; the solver gets them.
/// `slope(depth, u)` is g', with what depends on u alone.
template <class Law, class Slope>
void add_backbone(Table& table, const typename Law::Params& params, const Slope& slope,
                  const std::string& variant = "") {
  table.add<Law>(
      params, One{0},
      [slope](const One&, double u, double v, const Reversals& reversals) {
        return One{slope(reversals.at(u, sign(v)).depth, u) * v};
      },
      [](const One& f, double, double) { return f[0]; }, Reversals{}, variant);
}

/// play_r ← pushed by u.
double play(double p, double r, double u, double v) {
  return std::abs(u - p) >= r * (1 - 1e-10) && (u - p) * v > 0 ? v : 0;
}

void add_elements(Table& table) {
  using Two = std::array<double, 2>;
  using Three = std::array<double, 3>;
  const Masing<double>::Params m;
  table.add<Masing<double>>(
      m, Three{},
      [m](const Three& f, double, double v) {
        Three rate;
        for (std::size_t i = 0; i < 3; ++i) rate[i] = stop(f[i], m.k[i], m.phi[i], v);
        return rate;
      },
      [](const Three& f, double, double) { return f[0] + f[1] + f[2]; });
  const MasingSmooth<double>::Params s;
  table.add<MasingSmooth<double>>(
      s, Three{},
      [s](const Three& z, double, double v) {
        Three rate;
        for (std::size_t i = 0; i < 3; ++i) {
          const double part = std::pow(std::abs(z[i]) / s.phi[i], s.m);
          rate[i] = s.k[i] * v * (z[i] * v > 0 ? 1 - part : 1);
        }
        return rate;
      },
      [](const Three& z, double, double) { return z[0] + z[1] + z[2]; });
  const PrandtlIshlinskii<double>::Params p;
  table.add<PrandtlIshlinskii<double>>(
      p, Two{},
      [p](const Two& y, double u, double v) {
        return Two{play(y[0], p.r[0], u, v), play(y[1], p.r[1], u, v)};
      },
      [p](const Two& y, double u, double) { return p.w0 * u + p.w[0] * y[0] + p.w[1] * y[1]; });
  const IwanSeriesParallel<double>::Params q;
  table.add<IwanSeriesParallel<double>>(  // F, then the plays that it pushes
      q, Three{},
      [q](const Three& y, double, double v) {
        const double first = play(y[1], q.phi[0], y[0], v), second = play(y[2], q.phi[1], y[0], v);
        const double compliance =
            1 / q.k0 + (first != 0 ? 1 / q.k[0] : 0) + (second != 0 ? 1 / q.k[1] : 0);
        return Three{v / compliance, first / compliance, second / compliance};
      },
      [](const Three& y, double, double) { return y[0]; });
}

double iwan4_slope(const Iwan4<double>::Params& p, double depth) {
  const double q = p.beta + (p.chi + 1) / (p.chi + 2);
  const double largest = p.Fs * (1 + p.beta) / (p.KT * q);
  if (depth >= largest) return 0;
  const double R = p.Fs * (p.chi + 1) / (std::pow(largest, p.chi + 2) * q);
  return p.KT - R * std::pow(depth, p.chi + 1) / (p.chi + 1);
}

}  // namespace

void add_masing_laws(Table& table) {
  add_elements(table);
  const IwanUniform<double>::Params u;
  add_backbone<IwanUniform<double>>(
      table, u, [u](double depth, double) { return u.k * std::max(0.0, 1 - depth / u.u_max); });
  const Iwan4<double>::Params four;
  add_backbone<Iwan4<double>>(table, four,
                              [four](double depth, double) { return iwan4_slope(four, depth); });
  // Below theta = 1 the force jumps, and no differential equation tells where.
  const Iwan5<double>::Params five{.theta = 1};
  add_backbone<Iwan5<double>>(
      table, five,
      [five](double depth, double) {
        return iwan4_slope({five.Fs, five.KT, five.chi, five.beta}, depth);
      },
      ", theta = 1");
  const IwanPinning<double>::Params pin;
  add_backbone<IwanPinning<double>>(table, pin, [pin](double depth, double at) {
    return iwan4_slope({pin.Fs, pin.KT, pin.chi, pin.beta}, depth) +
           (std::abs(at) > pin.delta_p ? pin.KP : 0);
  });
  const MasingBackbone<double>::Params g;
  add_backbone<MasingBackbone<double>>(
      table, g, [g](double depth, double) { return g.g(Dual<1>(depth, 0)).v[0]; });
}

}  // namespace microslip::bench
