#include "microslip/contact/cracks.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <complex>
#include <random>
#include <utility>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::contact {
namespace {

using Point = std::complex<double>;

double radians(double degrees) { return degrees * pi / 180; }
Point centre(const Crack& c) { return {c.x, c.y}; }
Point direction(const Crack& c) { return std::polar(1.0, radians(c.angle)); }

double modulus(const Plate& plate) { return plane_modulus(plate.E, plate.nu, plate.plane); }

/// Derivatives of ln r that the stress of a displacement discontinuity needs, at one point, or
/// integrated over an element.
struct Derivatives {
  double xy, yy, yyy, xyy;
};

Derivatives at_point(double x, double y) {
  const double r2 = x * x + y * y, r4 = r2 * r2, r6 = r4 * r2;
  return {-2 * x * y / r4, (x * x - y * y) / r4, (2 * y * y * y - 6 * x * x * y) / r6,
          (6 * x * y * y - 2 * x * x * x) / r6};
}

/// ∫ f(x − s, y) ds over −h…h, with the antiderivatives in x: L,xx = −L,yy.
Derivatives over_element(double x, double y, double h) {
  const auto end = [y](double x_end) {
    const double r2 = x_end * x_end + y * y, r4 = r2 * r2;
    return Derivatives{y / r2, -x_end / r2, 2 * x_end * y / r4, (x_end * x_end - y * y) / r4};
  };
  const Derivatives one = end(x + h), two = end(x - h);
  return {one.xy - two.xy, one.yy - two.yy, one.yyy - two.yyy, one.xyy - two.xyy};
}

/// Stress at a point on a line of the direction `line`, resolved into normal and tangential parts,
/// by a unit displacement of the source: column 0 normal, column 1 tangential. In units of E'/4π.
Eigen::Matrix2d traction(const Derivatives& d, double y, Point line, Point source) {
  const double xx[2] = {d.yy + y * d.yyy, 2 * d.xy + y * d.xyy};
  const double yy[2] = {d.yy - y * d.yyy, -y * d.xyy};
  const double xy[2] = {-y * d.xyy, d.yy + y * d.yyy};
  const Point t = line * std::conj(source);
  const double c = t.real(), s = t.imag();
  Eigen::Matrix2d G;
  for (int k = 0; k < 2; ++k) {
    G(0, k) = s * s * xx[k] + c * c * yy[k] - 2 * s * c * xy[k];
    G(1, k) = s * c * (yy[k] - xx[k]) + (c * c - s * s) * xy[k];
  }
  return G;
}

double point_to_segment(Point p, const Crack& crack) {
  const Point local = (p - centre(crack)) * std::conj(direction(crack));
  const double beyond = std::max(std::abs(local.real()) - crack.half_length, 0.0);
  return std::hypot(beyond, local.imag());
}

/// How fast the action of a point on a crack converges with its nodes: like ρ to the power −n.
double convergence_rate(const Crack& crack, Point p) {
  const Point z = (p - centre(crack)) * std::conj(direction(crack)) / crack.half_length;
  const Point root = std::sqrt(z - 1.0) * std::sqrt(z + 1.0);
  return std::max(std::abs(z + root), std::abs(z - root));
}

std::string crack_name(std::size_t i) { return "crack " + std::to_string(i + 1); }

void check(const Plate& plate, const std::vector<Crack>& cracks,
           const std::array<double, 3>& stress, const CrackOptions& options) {
  const auto refuse = [](const std::string& name, double value, const std::string& allowed) {
    throw Error(name + " = " + number_text(value) + " " + allowed);
  };
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!(plate.E > 0) || !finite(plate.E)) refuse("plate.E", plate.E, "must be positive");
  if (!(plate.nu > -1 && plate.nu < 0.5)) refuse("plate.nu", plate.nu, "must lie in (-1, 0.5)");
  if (!(plate.length > 0) || !finite(plate.length))
    refuse("plate.length", plate.length, "must be positive");
  if (options.nodes < 1 || options.nodes > 200)
    refuse("options.nodes", options.nodes, "must lie in [1, 200]");
  if (options.most_nodes < options.nodes || options.most_nodes > 400)
    refuse("options.most_nodes", options.most_nodes, "must lie in [nodes, 400]");
  if (options.edge_elements < 4 || options.edge_elements > 1000)
    refuse("options.edge_elements", options.edge_elements, "must lie in [4, 1000]");
  for (const double s : stress)
    if (!finite(s)) refuse("load.stress", s, "must be finite");
  if (stress[0] == 0 && stress[1] == 0 && stress[2] == 0)
    throw Error("load.stress = [0, 0, 0] must have an entry that is not zero");
  if (cracks.empty()) throw Error("the plate has no crack; it must have at least one");
  for (std::size_t i = 0; i < cracks.size(); ++i) {
    const Crack& c = cracks[i];
    const std::string name = crack_name(i);
    if (!finite(c.x) || !finite(c.y)) throw Error(name + ": its place must be finite");
    if (!finite(c.angle)) refuse(name + ": angle", c.angle, "must be finite");
    if (!(c.half_length > 0) || !finite(c.half_length))
      refuse(name + ": half_length", c.half_length, "must be positive");
    if (!(c.mu >= 0) || !finite(c.mu)) refuse(name + ": mu", c.mu, "must not be negative");
    if (!plate.finite) continue;
    const double half = plate.length / 2;
    for (const double end : {-1.0, 1.0}) {
      const Point tip = centre(c) + end * c.half_length * direction(c);
      if (std::max(std::abs(tip.real()), std::abs(tip.imag())) >= half)
        throw Error(name + " reaches the edge of the plate: it ends at (" +
                    number_text(tip.real()) + ", " + number_text(tip.imag()) +
                    "), and the plate ends at ±" + number_text(half));
    }
  }
  for (std::size_t i = 0; i < cracks.size(); ++i)
    for (std::size_t j = i + 1; j < cracks.size(); ++j) {
      const double longer = std::max(cracks[i].half_length, cracks[j].half_length);
      // Nearer than this is contact up to the rounding of coordinates.
      if (distance(cracks[i], cracks[j]) <= 1e-9 * longer)
        throw Error("cracks " + std::to_string(i + 1) + " and " + std::to_string(j + 1) +
                    " cross or touch; cracks must keep a distance");
    }
}

/// Nodes by the distance to the nearest other crack: the error of the interaction is about ρ⁻ⁿ/8 of
/// it. Cracks above each other are soft against opening together; with ρ⁻ⁿ = 5e-3 their stiffness
/// was seen to lose its definiteness, with 8e-4 not.
constexpr double convergence = 1e-3;

Index nodes_of(std::size_t k, const std::vector<Crack>& cracks, const CrackOptions& options,
               std::array<std::size_t, 2>& unresolved) {
  if (!options.interaction) return options.nodes;
  double needed = options.nodes;
  std::size_t nearest = k;
  for (std::size_t j = 0; j < cracks.size(); ++j) {
    if (j == k) continue;
    const Crack& other = cracks[j];
    // No point of the other crack is nearer than this; large fields are mostly far apart.
    const double least =
        (std::abs(centre(other) - centre(cracks[k])) - other.half_length) / cracks[k].half_length;
    if (least > 1 &&
        std::log(1 / convergence) <= needed * std::log(least + std::sqrt(least * least - 1)))
      continue;
    double rho = 1e300;
    constexpr int samples = 64;
    for (int i = 0; i <= samples; ++i)
      rho = std::min(
          rho, convergence_rate(cracks[k], centre(other) + direction(other) * other.half_length *
                                                               (2.0 * i / samples - 1)));
    const double n = std::log(1 / convergence) / std::log(rho);
    if (n > needed) {
      needed = n;
      nearest = j;
    }
  }
  if (needed > options.most_nodes && options.most_nodes > options.nodes && unresolved[0] == 0)
    unresolved = {k + 1, nearest + 1};
  return static_cast<Index>(std::min<double>(std::ceil(needed), options.most_nodes));
}

std::vector<CrackNode> place_nodes(const std::vector<Crack>& cracks, const CrackOptions& options,
                                   std::vector<Index>& first,
                                   std::array<std::size_t, 2>& unresolved) {
  std::vector<CrackNode> nodes;
  for (std::size_t k = 0; k < cracks.size(); ++k) {
    first.push_back(static_cast<Index>(nodes.size()));
    const Index n = nodes_of(k, cracks, options, unresolved);
    for (Index i = 1; i <= n; ++i) {
      const double s = cracks[k].half_length *
                       std::cos(static_cast<double>(i) * pi / static_cast<double>(n + 1));
      const Point p = centre(cracks[k]) + s * direction(cracks[k]);
      nodes.push_back({k, p.real(), p.imag(), s});
    }
  }
  first.push_back(static_cast<Index>(nodes.size()));
  // The matrix is dense: 12 000 unknowns take a gigabyte, and as much again when they all move.
  constexpr std::size_t most = 6000;
  if (nodes.size() > most)
    throw Error("the cracks have " + std::to_string(nodes.size()) + " nodes together, more than " +
                std::to_string(most) + "; give fewer cracks or fewer options.nodes and most_nodes");
  return nodes;
}

struct Element {
  Point middle, direction;
};

std::vector<Element> edge_of(const Plate& plate, int per_side) {
  std::vector<Element> edge;
  const double half = plate.length / 2, h = half / per_side;
  for (const Point side : {Point(1, 0), Point(0, 1), Point(-1, 0), Point(0, -1)})
    for (int i = 0; i < per_side; ++i)
      edge.push_back({side * Point(-half + (2 * i + 1) * h, -half), side});
  return edge;
}

/// What the free edges add: K_cc − K_cb (K_bb + E R Rᵀ)⁻¹ K_cbᵀ. R are the motions of the plate as
/// a whole against the outside, which cost nothing.
void condense_edges(const Plate& plate, const std::vector<CrackNode>& nodes,
                    const std::vector<Crack>& cracks, const Vector& weight, int per_side,
                    double unit, Matrix& K) {
  const std::vector<Element> edge = edge_of(plate, per_side);
  const auto m = static_cast<Index>(edge.size());
  const double h = plate.length / 2 / per_side;
  const auto block = [&](Point at, Point line, const Element& source) {
    const Point local = (at - source.middle) * std::conj(source.direction);
    return traction(over_element(local.real(), local.imag(), h), local.imag(), line,
                    source.direction);
  };
  Matrix Kbb(2 * m, 2 * m), Kcb(K.rows(), 2 * m), R(2 * m, 3);
  for (Index j = 0; j < m; ++j) {
    const Element& source = edge[std::size_t(j)];
    for (Index i = 0; i < m; ++i) {
      const Element& at = edge[std::size_t(i)];
      Kbb.block<2, 2>(2 * i, 2 * j) = -2 * h * unit * block(at.middle, at.direction, source);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
      Kcb.block<2, 2>(2 * static_cast<Index>(i), 2 * j) =
          -weight[static_cast<Index>(i)] * unit *
          block({nodes[i].x, nodes[i].y}, direction(cracks[nodes[i].crack]), source);
    // Times the length of the element: the columns of K belong to the jump at a point.
    const Point spin = Point(0, 1) * source.middle;
    const Point motions[3] = {{1, 0}, {0, 1}, spin};
    for (int k = 0; k < 3; ++k) {
      const Point local = motions[k] * std::conj(source.direction);
      R(2 * j, k) = local.imag();
      R(2 * j + 1, k) = local.real();
    }
  }
  for (int k = 0; k < 3; ++k) R.col(k).normalize();
  Kbb = (0.5 * (Kbb + Kbb.transpose())).eval();
  Kbb += plate.E * R * R.transpose();
  K -= Kcb * dense::Ldlt(Kbb).solve(Kcb.transpose());
  K = (0.5 * (K + K.transpose())).eval();
}

Problem assemble(const Plate& plate, const std::vector<Crack>& cracks,
                 const std::vector<CrackNode>& nodes, const std::vector<Index>& first,
                 const std::array<double, 3>& stress, const CrackOptions& options,
                 const std::array<std::size_t, 2>& unresolved) {
  const auto N = static_cast<Index>(nodes.size());
  const double E = modulus(plate), unit = E / (4 * pi);
  Matrix K = Matrix::Zero(2 * N, 2 * N);
  Vector weight(N), b(2 * N), mu(N);
  for (std::size_t k = 0; k < cracks.size(); ++k) {
    const Crack& crack = cracks[k];
    const Index begin = first[k], n = first[k + 1] - begin;
    const double step = pi / static_cast<double>(n + 1);
    Matrix S(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        S(i, j) = std::sin(static_cast<double>((i + 1) * (j + 1)) * step);
    const Matrix self = E / 4 * step * 2 / static_cast<double>(n + 1) * S *
                        Vector::LinSpaced(n, 1, static_cast<double>(n)).asDiagonal() * S;
    const double c = direction(crack).real(), s = direction(crack).imag();
    const double normal = s * s * stress[0] + c * c * stress[1] - 2 * s * c * stress[2];
    const double shear = s * c * (stress[1] - stress[0]) + (c * c - s * s) * stress[2];
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j)
        for (const Index part : {0, 1})
          K(2 * (begin + i) + part, 2 * (begin + j) + part) = self(i, j);
      weight[begin + i] = crack.half_length * step * std::sin(static_cast<double>(i + 1) * step);
      b[2 * (begin + i)] = weight[begin + i] * normal;
      b[2 * (begin + i) + 1] = weight[begin + i] * shear;
      mu[begin + i] = crack.mu;
    }
  }
  if (options.interaction) {
    for (Index j = 0; j < N; ++j) {
      const CrackNode& source = nodes[std::size_t(j)];
      const Point from = direction(cracks[source.crack]);
      for (Index i = 0; i < N; ++i) {
        const CrackNode& at = nodes[std::size_t(i)];
        if (at.crack == source.crack) continue;
        const Point local = Point(at.x - source.x, at.y - source.y) * std::conj(from);
        K.block<2, 2>(2 * i, 2 * j) = -weight[i] * weight[j] * unit *
                                      traction(at_point(local.real(), local.imag()), local.imag(),
                                               direction(cracks[at.crack]), from);
      }
    }
  }
  if (plate.finite) condense_edges(plate, nodes, cracks, weight, options.edge_elements, unit, K);
  if (!dense::Cholesky(K).positive()) {
    if (unresolved[0] == 0)
      throw Error(
          "the stiffness of the cracks is not positive definite: a crack lies too close to another "
          "or to an edge for its nodes; more nodes or edge_elements in [options] may help");
    const auto [i, j] = unresolved;
    throw Error("cracks " + std::to_string(i) + " and " + std::to_string(j) + " are " +
                number_text(distance(cracks[i - 1], cracks[j - 1])) + " apart, which " +
                std::to_string(options.most_nodes) +
                " nodes do not resolve; options.most_nodes may be raised up to 400");
  }
  return Problem(std::move(K), {}, std::move(b), std::move(mu));
}

double compliance(const Plate& plate, const std::array<double, 3>& s) {
  const double E = modulus(plate);
  const double nu = plane_ratio(plate.nu, plate.plane);
  return plate.length / E *
         (s[0] * s[0] + s[1] * s[1] - 2 * nu * s[0] * s[1] + 2 * (1 + nu) * s[2] * s[2]);
}

}  // namespace

double distance(const Crack& one, const Crack& other) {
  const auto tips = [](const Crack& c) {
    return std::array{centre(c) - c.half_length * direction(c),
                      centre(c) + c.half_length * direction(c)};
  };
  const auto sides = [&](const Crack& line, const Crack& points) {
    const auto [p, q] = tips(points);
    const double a = ((p - centre(line)) * std::conj(direction(line))).imag();
    const double b = ((q - centre(line)) * std::conj(direction(line))).imag();
    return (a > 0 && b < 0) || (a < 0 && b > 0);
  };
  if (sides(one, other) && sides(other, one)) return 0;
  double least = 1e300;
  for (const Point p : tips(one)) least = std::min(least, point_to_segment(p, other));
  for (const Point p : tips(other)) least = std::min(least, point_to_segment(p, one));
  return least;
}

CrackedPlate::CrackedPlate(const Plate& plate, std::vector<Crack> cracks,
                           const std::array<double, 3>& stress, const CrackOptions& options)
    : plate_(plate),
      cracks_((check(plate, cracks, stress, options), std::move(cracks))),
      nodes_(place_nodes(cracks_, options, first_, unresolved_)),
      c0_(compliance(plate, stress)),
      problem_(assemble(plate, cracks_, nodes_, first_, stress, options, unresolved_)) {}

std::array<double, 2> CrackedPlate::intensity(std::size_t crack, const Vector& w,
                                              bool at_end) const {
  const Index begin = first_[crack], n = first_[crack + 1] - begin;
  std::array<double, 2> result{0, 0};
  // w = Σ c_k sin kφ, and near the tip w = (8 K_I/E') √(r/2π).
  for (Index part = 0; part < 2; ++part)
    for (Index k = 1; k <= n; ++k) {
      double c = 0;
      for (Index i = 1; i <= n; ++i)
        c += w[2 * (begin + i - 1) + part] *
             std::sin(static_cast<double>(i * k) * pi / static_cast<double>(n + 1));
      c *= 2 / static_cast<double>(n + 1);
      const double sign = at_end || k % 2 == 1 ? 1 : -1;
      result[std::size_t(part)] += sign * static_cast<double>(k) * c;
    }
  const double factor = modulus(plate_) / 4 * std::sqrt(pi / cracks_[crack].half_length);
  return {factor * result[0], factor * result[1]};
}

std::vector<Crack> random_cracks(const RandomCracks& settings) {
  const auto check_range = [](const char* name, const std::array<double, 2>& range, double least) {
    if (!(range[0] >= least && range[1] >= range[0] && std::isfinite(range[1])))
      throw Error(std::string("random.") + name + " = [" + number_text(range[0]) + ", " +
                  number_text(range[1]) + "] must ascend from at least " + number_text(least));
  };
  if (settings.n < 1 || settings.n > 100000)
    throw Error("random.n = " + std::to_string(settings.n) + " must lie in [1, 100000]");
  check_range("half_length", settings.half_length, 0);
  if (settings.half_length[0] == 0) throw Error("random.half_length must begin above 0");
  check_range("angle", settings.angle, -360);
  check_range("mu", settings.mu, 0);
  if (!(settings.region > 0)) throw Error("random.region must be positive");
  if (!(settings.gap >= 0)) throw Error("random.gap must not be negative");
  std::mt19937_64 bits(settings.seed);
  // 53 bits, the same on every machine; std::uniform_real_distribution is not.
  const auto uniform = [&](double from, double to) {
    return from + (to - from) * static_cast<double>(bits() >> 11) * 0x1p-53;
  };
  std::vector<Crack> cracks;
  for (int draws = 0; static_cast<int>(cracks.size()) < settings.n; ++draws) {
    if (draws > 1000 * settings.n)
      throw Error("no room for crack " + std::to_string(cracks.size() + 1) + " of " +
                  std::to_string(settings.n) +
                  ": give a larger region, shorter cracks or a smaller gap");
    Crack crack;
    crack.half_length = uniform(settings.half_length[0], settings.half_length[1]);
    crack.angle = uniform(settings.angle[0], settings.angle[1]);
    crack.x = uniform(-settings.region, settings.region);
    crack.y = uniform(-settings.region, settings.region);
    crack.mu = uniform(settings.mu[0], settings.mu[1]);
    const bool room = std::all_of(cracks.begin(), cracks.end(), [&](const Crack& other) {
      const double longer = std::max(crack.half_length, other.half_length);
      const double apart = std::abs(centre(crack) - centre(other));
      if (apart > crack.half_length + other.half_length + settings.gap * longer) return true;
      return distance(crack, other) > std::max(settings.gap, 1e-6) * longer;
    });
    if (room) cracks.push_back(crack);
  }
  return cracks;
}

}  // namespace microslip::contact
