#include <Eigen/LU>

#include "microslip/models/bouc.hpp"
#include "microslip/models/bouc_wen.hpp"
#include "microslip/models/bouc_wen_asymmetric.hpp"
#include "microslip/models/bouc_wen_degrading.hpp"
#include "microslip/models/bouc_wen_hardening.hpp"
#include "microslip/models/dahl.hpp"
#include "microslip/models/duhem.hpp"
#include "microslip/models/ellipsoid.hpp"
#include "microslip/models/jenkins.hpp"
#include "microslip/models/linear.hpp"
#include "microslip/models/m_state.hpp"
#include "microslip/models/muravskii.hpp"
#include "microslip/models/pinched.hpp"
#include "microslip/models/prager.hpp"
#include "microslip/models/reid.hpp"
#include "microslip/models/two_state.hpp"
#include "microslip/models/two_state_normalized.hpp"
#include "microslip/models/valanis.hpp"
#include "microslip/models/zonotope.hpp"
#include "ode_solver.hpp"

namespace microslip::bench {
namespace {

using One = std::array<double, 1>;
using None = std::array<double, 0>;

const auto no_rate = [](const None&, double, double) { return None{}; };
const auto the_state = [](const One& y, double, double) { return y[0]; };

void add_plain(Table& table) {
  const Linear<double>::Params l;
  table.add<Linear<double>>(l, None{}, no_rate,
                            [l](const None&, double u, double) { return l.k * u; });
  const Prager<double>::Params p;
  table.add<Prager<double>>(p, None{}, no_rate, [p](const None&, double u, double v) {
    return p.k * u + p.phi * sign(v);
  });
  const Jenkins<double>::Params j;
  table.add<Jenkins<double>>(
      j, One{0}, [j](const One& f, double, double v) { return One{stop(f[0], j.k, j.phi, v)}; },
      the_state);
  const Reid<double>::Params r;
  table.add<Reid<double>>(r, None{}, no_rate, [r](const None&, double u, double v) {
    return r.k * (1 + r.eta * sign(u * v)) * u;
  });
  const Muravskii<double>::Params m;
  table.add<Muravskii<double>>(
      m, One{0},
      [m](const One& f, double u, double v) {
        const bool outwards = u * v > 0;
        const double line = m.k * (outwards ? 1 + m.eta : 1 - m.eta);
        const double size = f[0] * sign(u), limit = line * std::abs(u);
        const bool on_line = outwards ? size >= limit : size <= limit;
        return One{(on_line ? line : m.ku) * v};
      },
      the_state);
  const Pinched<double>::Params q;
  table.add<Pinched<double>>(
      q, One{q.theta_m},
      [q](const One& theta, double u, double v) {
        const double goal = q.theta_m + q.beta * sign(u * v);
        return One{q.K0 / (std::abs(u) + q.eps) * (goal - theta[0]) * std::abs(v)};
      },
      [](const One& theta, double u, double) { return theta[0] * u; });
}

/// dz/du of the Bouc–Wen family.
double bouc_wen_slope(double A, double beta, double gamma, double n, double z, double v) {
  return A - std::pow(std::abs(z), n) * (beta * sign(z * v) + gamma);
}

void add_bouc_wen(Table& table, const BoucWen<double>::Params& p, const std::string& variant) {
  table.add<BoucWen<double>>(
      p, One{0},
      [p](const One& z, double, double v) {
        return One{v * bouc_wen_slope(p.A, p.beta, p.gamma, p.n, z[0], v)};
      },
      [p](const One& z, double u, double) { return p.k * (p.a * u + (1 - p.a) * z[0]); }, {},
      variant);
}

void add_bouc_wen_family(Table& table) {
  const Bouc<double>::Params b;
  table.add<Bouc<double>>(
      b, One{0},
      [b](const One& z, double, double v) { return One{b.A * v - b.alpha * std::abs(v) * z[0]}; },
      [b](const One& z, double u, double) { return b.k * u + z[0]; });
  add_bouc_wen(table, {}, "");
  add_bouc_wen(table, {.n = 1.5}, ", n = 1.5");
  add_bouc_wen(table, {.n = 2}, ", n = 2");
  const BoucWenHardening<double>::Params h;
  table.add<BoucWenHardening<double>>(
      h, One{0},
      [h](const One& z, double, double v) {
        return One{v / h.uy * bouc_wen_slope(1, h.beta, 1 - h.beta, h.n, z[0], v)};
      },
      [h](const One& z, double u, double) {
        return h.fp * ((1 - h.kappa) * z[0] + h.kappa * u / h.uy);
      });
  const BoucWenDegrading<double>::Params g;
  table.add<BoucWenDegrading<double>>(
      g, std::array{0.0, 0.0},
      [g](const std::array<double, 2>& y, double, double v) {
        const double rate = v / g.uy * bouc_wen_slope(1, g.beta, 1 - g.beta, g.n, y[0], v);
        return std::array{rate, std::abs(v / g.uy - rate)};
      },
      [g](const std::array<double, 2>& y, double u, double) {
        return g.fp / (1 + y[1] / g.d0) * ((1 - g.kappa) * y[0] + g.kappa * u / g.uy);
      });
  const BoucWenAsymmetric<double>::Params a;
  table.add<BoucWenAsymmetric<double>>(
      a, One{0},
      [a](const One& z, double, double v) {
        const double gamma = a.gamma + a.delta * (sign(v) + sign(z[0]));
        return One{v * bouc_wen_slope(a.A, a.beta, gamma, a.n, z[0], v)};
      },
      [a](const One& z, double u, double) { return a.k * (a.a * u + (1 - a.a) * z[0]); });
}

void add_friction(Table& table) {
  const Duhem<double>::Params formulas;
  table.add<Duhem<double>>(
      formulas, One{0},
      [formulas](const One& z, double u, double v) {
        return One{v * (v > 0 ? formulas.g1 : formulas.g2)(u, z[0])};
      },
      the_state);
  const Dahl<double>::Params d;
  table.add<Dahl<double>>(
      d, One{0},
      [d](const One& z, double, double v) {
        const double r = 1 - z[0] / d.zc * sign(v);
        return One{d.sigma0 * std::pow(std::abs(r), d.n) * sign(r) * v};
      },
      the_state);
  const Valanis<double>::Params w;
  table.add<Valanis<double>>(
      w, One{0},
      [w](const One& f, double u, double v) {
        const double e = sign(v) * w.lambda / w.E0 * (w.Et * u - f[0]);
        return One{w.E0 * (1 + e) / (1 + w.kappa * e) * v};
      },
      the_state);
}

/// Plasticity in the ellipsoid sᵀA⁻¹s ≤ 1, s = b u − K q: q' of a system with these matrices.
template <int m>
std::array<double, m> slip(const Eigen::Matrix<double, m, m>& A_inverse,
                           const Eigen::Matrix<double, m, m>& K,
                           const Eigen::Matrix<double, m, 1>& b, const std::array<double, m>& q,
                           double u, double v) {
  using Vector = Eigen::Matrix<double, m, 1>;
  const Vector s = b * u - K * Eigen::Map<const Vector>(q.data());
  const Vector normal = A_inverse * s;
  const double push = normal.dot(b) * v;
  std::array<double, m> rate{};
  if (s.dot(normal) >= 1 - 1e-10 && push > 0)
    Eigen::Map<Vector>(rate.data()) = push / normal.dot(K * normal) * normal;
  return rate;
}

template <class Law, int m, class Force>
void add_states(Table& table, const typename Law::Params& params,
                const Eigen::Matrix<double, m, m>& A, const Eigen::Matrix<double, m, m>& K,
                const Eigen::Matrix<double, m, 1>& b, const Force& force) {
  using Q = std::array<double, m>;
  const Eigen::Matrix<double, m, m> A_inverse = A.inverse();
  table.add<Law>(
      params, Q{},
      [=](const Q& q, double u, double v) { return slip<m>(A_inverse, K, b, q, u, v); },
      [=](const Q& q, double u, double) {
        return force(u, b.dot(Eigen::Map<const Eigen::Matrix<double, m, 1>>(q.data())));
      });
}

template <int m>
Eigen::Matrix<double, m, m> diagonal(const Eigen::Matrix<double, m, 1>& a) {
  return a.asDiagonal();
}

void add_ellipsoids(Table& table) {
  using Mat = Eigen::Matrix2d;
  const auto rest = [](double u, double slipped) { return u - slipped; };  // ks = 0
  const TwoState<double>::Params t;
  add_states<TwoState<double>, 2>(table, t, diagonal<2>({t.mu * t.sigma, t.mu}),
                                  t.alpha * Mat::Identity(), Vec(t.b1, t.b2), rest);
  const TwoStateNormalized<double>::Params n;
  const Vec b(std::sqrt(n.alpha * (1 - n.alpha) / (1 - n.sigma)),
              std::sqrt(n.alpha * (n.alpha - n.sigma) / (1 - n.sigma)));
  add_states<TwoStateNormalized<double>, 2>(table, n, diagonal<2>({n.sigma, 1}),
                                            n.alpha * Mat::Identity(), b, rest);
  const MState<double>::Params m;
  add_states<MState<double>, 3>(table, m, diagonal<3>({m.a[0], m.a[1], m.a[2]}),
                                m.alpha * Eigen::Matrix3d::Identity(),
                                Eigen::Vector3d(m.b[0], m.b[1], m.b[2]), rest);
  const Ellipsoid<double>::Params e;
  add_states<Ellipsoid<double>, 2>(table, e, Mat(e.A), Mat(e.K), Vec(e.b[0], e.b[1]),
                                   [](double, double slipped) { return slipped; });
}

/// Plasticity in a polygon |nᵀs| ≤ limit, s = b u − K q: q' is a combination of the outward normals
/// of one edge or of the two that meet, with weights ≥ 0 so that s does not leave.
class Polygon {
 public:
  Polygon(const Eigen::MatrixXd& generators, const Eigen::Matrix2d& K, const Vec& b)
      : K_(K), b_(b) {
    for (Eigen::Index j = 0; j < generators.cols(); ++j) {
      const Vec normal(-generators(1, j), generators(0, j));
      edges_.push_back({normal, (normal.transpose() * generators).cwiseAbs().sum()});
    }
  }

  std::array<double, 2> slip(const std::array<double, 2>& q, double u, double v) const {
    const Vec s = b_ * u - K_ * Vec(q[0], q[1]);
    std::vector<Vec> normals;  // of the edges that s has reached
    for (const Edge& e : edges_)
      if (const double at = e.normal.dot(s); std::abs(at) >= e.limit * (1 - 1e-10))
        normals.push_back(sign(at) * e.normal);
    const auto holds = [&](const Vec& rate) {
      return std::all_of(normals.begin(), normals.end(), [&](const Vec& n) {
        return n.dot(b_ * v - K_ * rate) <= 1e-12 * std::abs(v);
      });
    };
    if (holds(Vec::Zero())) return {0, 0};
    for (const Vec& n : normals)
      if (const Vec rate = n.dot(b_) * v / n.dot(K_ * n) * n; n.dot(b_) * v > 0 && holds(rate))
        return {rate[0], rate[1]};
    const Vec rate = K_.inverse() * b_ * v;  // held in a corner
    return {rate[0], rate[1]};
  }

 private:
  struct Edge {
    Vec normal;
    double limit;
  };
  std::vector<Edge> edges_;
  Eigen::Matrix2d K_;
  Vec b_;
};

void add_zonotope(Table& table) {
  using Two = std::array<double, 2>;
  const Zonotope<double>::Params z;
  const Vec b(z.b[0], z.b[1]);
  const Polygon polygon(z.generators, z.K, b);
  table.add<Zonotope<double>>(
      z, Two{}, [polygon](const Two& q, double u, double v) { return polygon.slip(q, u, v); },
      [b](const Two& q, double, double) { return b[0] * q[0] + b[1] * q[1]; });
}

}  // namespace

void add_displacement_laws(Table& table) {
  add_plain(table);
  add_bouc_wen_family(table);
  add_friction(table);
  add_ellipsoids(table);
  add_zonotope(table);
}

}  // namespace microslip::bench
