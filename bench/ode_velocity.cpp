#include "microslip/models/convolution.hpp"
#include "microslip/models/coulomb.hpp"
#include "microslip/models/coulomb_viscous.hpp"
#include "microslip/models/elasto_plastic.hpp"
#include "microslip/models/generalized_kelvin_voigt.hpp"
#include "microslip/models/generalized_maxwell.hpp"
#include "microslip/models/kelvin_voigt.hpp"
#include "microslip/models/lampaert.hpp"
#include "microslip/models/leuven.hpp"
#include "microslip/models/lugre.hpp"
#include "microslip/models/lugre_duhem.hpp"
#include "microslip/models/maxwell.hpp"
#include "microslip/models/stribeck.hpp"
#include "microslip/models/viscous.hpp"
#include "microslip/models/zener.hpp"
#include "ode_masing.hpp"

namespace microslip::bench {
namespace {

using One = std::array<double, 1>;
using Two = std::array<double, 2>;
using Three = std::array<double, 3>;
using None = std::array<double, 0>;

const auto no_rate = [](const None&, double, double) { return None{}; };

double stribeck(double fast, double still, double width, double shape, double v) {
  return fast + (still - fast) * std::exp(-std::pow(std::abs(v) / width, shape));
}

/// A spring k0 beside one Maxwell branch, whose spring k is stretched by e.
template <class Law>
void add_branch(Table& table, double k0, double k, double tau) {
  table.add<Law>(
      {}, One{0}, [tau](const One& e, double, double v) { return One{v - e[0] / tau}; },
      [k0, k](const One& e, double u, double) { return k0 * u + k * e[0]; });
}

void add_linear(Table& table) {
  const Viscous<double>::Params d;
  table.add<Viscous<double>>(d, None{}, no_rate,
                             [d](const None&, double, double v) { return d.c * v; });
  const KelvinVoigt<double>::Params w;
  table.add<KelvinVoigt<double>>(
      w, None{}, no_rate, [w](const None&, double u, double v) { return w.k * u + w.c * v; });
  const Maxwell<double>::Params m;
  add_branch<Maxwell<double>>(table, 0, m.k, m.c / m.k);
  const Zener<double>::Params z;
  add_branch<Zener<double>>(table, z.e1, z.e2, z.tau);
  const Convolution<double>::Params c;
  add_branch<Convolution<double>>(table, 0, c.k[0], c.tau[0]);
  const GeneralizedMaxwell<double>::Params g;
  table.add<GeneralizedMaxwell<double>>(
      g, Two{},
      [k = g.k, tau = g.tau](const Two& e, double, double v) {
        return Two{v - e[0] / tau[0], v - e[1] / tau[1]};
      },
      [g](const Two& e, double u, double) { return g.k0 * u + g.k[0] * e[0] + g.k[1] * e[1]; });
  const GeneralizedKelvinVoigt<double>::Params s;
  const auto force = [s](const Two& e, double, double v) {
    return (v + s.k[0] * e[0] / s.c[0] + s.k[1] * e[1] / s.c[1]) / (1 / s.c[0] + 1 / s.c[1]);
  };
  table.add<GeneralizedKelvinVoigt<double>>(
      s, Two{},
      [s, force](const Two& e, double u, double v) {
        const double f = force(e, u, v);
        return Two{(f - s.k[0] * e[0]) / s.c[0], (f - s.k[1] * e[1]) / s.c[1]};
      },
      force);
}

void add_sliding(Table& table) {
  const Coulomb<double>::Params c;
  table.add<Coulomb<double>>(c, None{}, no_rate,
                             [c](const None&, double, double v) { return c.fc * sign(v); });
  const CoulombViscous<double>::Params w;
  table.add<CoulombViscous<double>>(
      w, None{}, no_rate, [w](const None&, double, double v) { return w.fc * sign(v) + w.c * v; });
  const Stribeck<double>::Params s;
  table.add<Stribeck<double>>(s, None{}, no_rate, [s](const None&, double, double v) {
    return sign(v) * stribeck(s.fc, s.fs, s.vs, s.delta, v) + s.c * v;
  });
}

/// rate(z, v) is z'.
template <class Law, class Rate>
void add_bristles(Table& table, const typename Law::Params& p, const Rate& rate) {
  table.add<Law>(
      p, One{0}, [rate](const One& z, double, double v) { return One{rate(z[0], v)}; },
      [p, rate](const One& z, double, double v) {
        return p.sigma0 * z[0] + p.sigma1 * rate(z[0], v) + p.sigma2 * v;
      });
}

void add_presliding(Table& table) {
  const LuGre<double>::Params l;
  add_bristles<LuGre<double>>(table, l, [l](double z, double v) {
    return v - std::abs(v) * z * l.sigma0 / stribeck(l.zc, l.zs, l.vs, 2, v);
  });
  const ElastoPlastic<double>::Params e;
  add_bristles<ElastoPlastic<double>>(table, e, [e](double z, double v) {
    const double limit = stribeck(e.zc, e.zs, e.vs, e.n, v) / e.sigma0, y = z * sign(v);
    const double largest = std::max(e.zc, e.zs) / e.sigma0;
    const double share = y <= e.zba ? 0
                         : y >= limit
                             ? 1
                             : 0.5 + 0.5 * std::sin(std::numbers::pi * (y - (largest + e.zba) / 2) /
                                                    (largest - e.zba));
    return v * (1 - share * y / limit);
  });
  const LuGreDuhem<double>::Params d;
  const auto rate = [d](double z, double v) {
    const double fast = v / (d.uy * d.vs);
    const double q = d.g0 / (1 + std::exp(-fast * fast));
    return v / d.uy * (1 - std::pow(std::abs(z), d.n) * (d.beta * sign(v * z) + d.gamma) * q);
  };
  table.add<LuGreDuhem<double>>(
      d, One{0}, [rate](const One& z, double, double v) { return One{rate(z[0], v)}; },
      [d, rate](const One& z, double, double v) {
        return d.fc * std::pow(d.g0, 1 / d.n) * (z[0] + d.Ts * rate(z[0], v));
      });
}

template <class Params>
double presliding_rate(const Params& p, double y, double limit) {
  return 1 - sign(y) * std::pow(std::abs(y) / limit, p.n);
}

void add_masing_friction(Table& table) {
  const Lampaert<double>::Params p;
  const auto bristles = [p](const Three& f, double v) {  // z'
    const double y = (f[0] + f[1] + f[2]) * sign(v);
    return v * presliding_rate(p, y, stribeck(p.fc, p.fs, p.vs, p.delta, v));
  };
  table.add<Lampaert<double>>(
      p, Three{},
      [p, bristles](const Three& f, double, double v) {
        const double z = bristles(f, v);
        return Three{stop(f[0], p.k[0], p.phi[0], z), stop(f[1], p.k[1], p.phi[1], z),
                     stop(f[2], p.k[2], p.phi[2], z)};
      },
      [p, bristles](const Three& f, double, double v) {
        return f[0] + f[1] + f[2] + p.sigma1 * bristles(f, v) + p.sigma2 * v;
      });

  // Unknown is z; its reversals and the backbone give the force.
  const Leuven<double>::Params q;
  const auto force_at = [q](double z, double d, const Reversals& reversals) {
    const auto at = reversals.at(z, d);
    double g = 0;
    for (std::size_t i = 0; i < q.k.size(); ++i) g += std::min(q.k[i] * at.depth, q.phi[i]);
    return std::pair{at.force, at.doubling * g};  // of the branch's beginning, and from there
  };
  const auto rate = [q, force_at](double z, double v, const Reversals& reversals) {
    const auto [base, y] = force_at(z, sign(v), reversals);
    const double S = stribeck(q.fc, q.fs, q.vs, q.delta, v);
    return v * presliding_rate(q, y, S - base * sign(v));
  };
  struct LeuvenMemory {
    decltype(force_at) force;
    Reversals reversals;
    double last = 1;
    void operator()(const One& z, double, double v) {
      const auto [base, y] = force(z[0], last, reversals);
      reversals.turn(z[0], base + last * y, v);
      last = sign(v);
    }
  };
  table.add<Leuven<double>>(
      q, One{0},
      [rate](const One& z, double, double v, const LeuvenMemory& m) {
        return One{rate(z[0], v, m.reversals)};
      },
      [q, rate, force_at](const One& z, double, double v, const LeuvenMemory& m) {
        const auto [base, y] = force_at(z[0], sign(v), m.reversals);
        return base + sign(v) * y + q.sigma1 * rate(z[0], v, m.reversals) + q.sigma2 * v;
      },
      LeuvenMemory{force_at, {}});
}

}  // namespace

void add_velocity_laws(Table& table) {
  add_linear(table);
  add_sliding(table);
  add_presliding(table);
  add_masing_friction(table);
}

}  // namespace microslip::bench
