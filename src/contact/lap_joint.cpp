#include "microslip/contact/lap_joint.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "microslip/contact/rectangle.hpp"
#include "microslip/contact/solver.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::contact {
namespace {

void refuse(const std::string& name, double value, const std::string& allowed) {
  throw Error(name + " = " + number_text(value) + " " + allowed);
}

void check(const LapPlates& p, const Clamping& clamping, double mu) {
  const auto positive = [](const std::string& name, double value) {
    if (!(value > 0) || !std::isfinite(value)) refuse(name, value, "must be positive");
  };
  positive("plates.length", p.length);
  positive("plates.overlap", p.overlap);
  positive("plates.thickness", p.thickness);
  positive("plates.width", p.width);
  positive("plates.E", p.E);
  if (!(p.nu > -1 && p.nu < 0.5)) refuse("plates.nu", p.nu, "must lie in (-1, 0.5)");
  if (p.overlap >= p.length)
    refuse("plates.overlap", p.overlap,
           "must be less than plates.length = " + number_text(p.length));
  if (p.mesh[0] < 4 || p.mesh[0] > 20000)
    refuse("plates.mesh, elements along a plate,", p.mesh[0], "must lie in [4, 20000]");
  if (p.mesh[1] < 1 || p.mesh[1] > 500)
    refuse("plates.mesh, elements through the thickness,", p.mesh[1], "must lie in [1, 500]");
  if (!(mu >= 0) || !std::isfinite(mu)) refuse("contact.mu", mu, "must not be negative");
  if (!clamping.pressure && clamping.bolts.empty())
    throw Error("the joint has neither a pressure nor a bolt; give contact.pressure or [[bolt]]");
  if (clamping.pressure && !clamping.bolts.empty())
    throw Error("give either contact.pressure or [[bolt]], not both");
  for (std::size_t i = 0; i < clamping.bolts.size(); ++i) {
    const Bolt& bolt = clamping.bolts[i];
    const std::string name = "bolt " + std::to_string(i + 1) + ": ";
    positive(name + "force", bolt.force);
    positive(name + "washer", bolt.washer);
    if (!(bolt.at - bolt.washer / 2 >= 0 && bolt.at + bolt.washer / 2 <= p.overlap))
      refuse(name + "at", bolt.at,
             "with washer = " + number_text(bolt.washer) +
                 " must lie inside the overlap, from 0 to " + number_text(p.overlap));
    if (!(bolt.head_mu >= 0) || !std::isfinite(bolt.head_mu))
      refuse(name + "head_mu", bolt.head_mu, "must not be negative");
    if (bolt.head_mu > 0 && !(bolt.shear_stiffness > 0 && std::isfinite(bolt.shear_stiffness)))
      refuse(name + "shear_stiffness", bolt.shear_stiffness, "must be positive where head_mu is");
  }
}

std::vector<std::size_t> with_head_friction(const std::vector<Bolt>& bolts) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < bolts.size(); ++i)
    if (bolts[i].head_mu > 0) found.push_back(i);
  return found;
}

/// Nodes and elements of both plates. A plate is a grid of columns: those of the free part and
/// those of the overlap differ in their width.
class Grid {
 public:
  explicit Grid(const LapPlates& p) : p_(p) {
    const double share = p.overlap / p.length;
    over_ = std::clamp(static_cast<Index>(std::lround(share * p.mesh[0])), Index{1},
                       Index{p.mesh[0]} - 1);
    free_ = p.mesh[0] - over_;
    through_ = p.mesh[1];
  }

  Index over() const { return over_; }
  Index through() const { return through_; }
  Index columns() const { return free_ + over_; }
  Index nodes() const { return 2 * (columns() + 1) * (through_ + 1); }
  /// Plate 0 is the lower one.
  Index node(int plate, Index i, Index j) const {
    return (plate * (columns() + 1) + i) * (through_ + 1) + j;
  }
  /// Column of the interface point k.
  Index column(int plate, Index k) const { return plate == 0 ? free_ + k : k; }
  double x(int plate, Index i) const {
    const double start = p_.length - p_.overlap;
    const double h_free = start / double(free_), h_over = p_.overlap / double(over_);
    if (plate == 0) return i <= free_ ? double(i) * h_free : start + double(i - free_) * h_over;
    return i <= over_ ? start + double(i) * h_over : p_.length + double(i - over_) * h_free;
  }
  double z(int plate, Index j) const {
    return p_.thickness * (double(j) / double(through_) - (plate == 0 ? 1 : 0));
  }
  double overlap_x(Index k) const { return p_.overlap * double(k) / double(over_); }

 private:
  const LapPlates& p_;
  Index over_, free_, through_;
};

using Entries = std::vector<Eigen::Triplet<double>>;

Entries stiffness(const Grid& grid, const LapPlates& p) {
  Entries entries;
  entries.reserve(std::size_t(2 * 64 * grid.columns() * grid.through()));
  const double hz = p.thickness / double(grid.through());
  for (const int plate : {0, 1})
    for (Index i = 0; i < grid.columns(); ++i) {
      const double hx = grid.x(plate, i + 1) - grid.x(plate, i);
      const ElementMatrix k = rectangle_stiffness({.width = hx,
                                                   .height = hz,
                                                   .thickness = p.width,
                                                   .E = p.E,
                                                   .nu = p.nu,
                                                   .plane = p.plane});
      for (Index j = 0; j < grid.through(); ++j) {
        const Index corner[4] = {grid.node(plate, i, j), grid.node(plate, i + 1, j),
                                 grid.node(plate, i + 1, j + 1), grid.node(plate, i, j + 1)};
        for (int r = 0; r < 8; ++r)
          for (int c = 0; c < 8; ++c)
            entries.emplace_back(2 * corner[r / 2] + r % 2, 2 * corner[c / 2] + c % 2, k(r, c));
      }
    }
  return entries;
}

/// Adds ∫ density N_k dx over a part of the overlap element k to its two nodes: three Gauss points.
template <class Density>
void add_integral(const Grid& grid, Index k, double from, double to, const Density& density,
                  Vector& nodal) {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  const double a = grid.overlap_x(k), h = grid.overlap_x(k + 1) - a;
  for (const auto& [place, weight] :
       {std::pair{-std::sqrt(0.6), 5.0 / 9}, {0.0, 8.0 / 9}, {std::sqrt(0.6), 5.0 / 9}}) {
    const double x = middle + half * place, share = (x - a) / h;
    const double part = density(x) * weight * half;
    nodal[k] += (1 - share) * part;
    nodal[k + 1] += share * part;
  }
}

/// Share of each node of the overlap in the pressure under a washer; their sum is 1.
Vector under_washer(const Grid& grid, const Bolt& bolt) {
  Vector share = Vector::Zero(grid.over() + 1);
  for (Index k = 0; k < grid.over(); ++k) {
    const double from = std::max(grid.overlap_x(k), bolt.at - bolt.washer / 2);
    const double to = std::min(grid.overlap_x(k + 1), bolt.at + bolt.washer / 2);
    if (to > from)
      add_integral(
          grid, k, from, to, [&](double) { return 1 / bolt.washer; }, share);
  }
  return share;
}

/// Nodal forces of the clamping along the overlap: ∫ p N_k dx times the width of the plates.
Vector clamping_forces(const Grid& grid, const LapPlates& p, const Clamping& clamping) {
  Vector force = Vector::Zero(grid.over() + 1);
  const auto pressure = [&](double x) {
    const double value = clamping.pressure(x);
    if (!(value >= 0) || !std::isfinite(value))
      throw Error("contact.pressure = " + number_text(value) + " at x = " + number_text(x) +
                  " must not be negative");
    return p.width * value;
  };
  constexpr int cuts = 4;
  for (Index k = 0; clamping.pressure && k < grid.over(); ++k) {
    const double a = grid.overlap_x(k), b = grid.overlap_x(k + 1);
    for (int i = 0; i < cuts; ++i)
      add_integral(grid, k, a + (b - a) * i / cuts, a + (b - a) * (i + 1) / cuts, pressure, force);
  }
  for (const Bolt& bolt : clamping.bolts) force += bolt.force * under_washer(grid, bolt);
  if (!(force.maxCoeff() > 0))
    throw Error(
        "contact.pressure is zero along the whole overlap; there must be a contact pressure");
  return force;
}

/// How the shear δ of a bolt follows from displacements: degree of freedom and factor.
std::vector<std::pair<Index, double>> shear_of(const Grid& grid, const LapPlates& p,
                                               const Bolt& bolt) {
  const Vector share = under_washer(grid, bolt);
  double square = 0;
  for (Index k = 0; k <= grid.over(); ++k)
    square += share[k] * std::pow(grid.overlap_x(k) - bolt.at, 2);
  std::vector<std::pair<Index, double>> parts;
  for (Index k = 0; k <= grid.over(); ++k) {
    if (share[k] == 0) continue;
    const Index above = 2 * grid.node(1, grid.column(1, k), grid.through());
    const Index below = 2 * grid.node(0, grid.column(0, k), 0);
    // h/2 times the slope of a face, h = 2 × thickness.
    const double turn = p.thickness * share[k] * (grid.overlap_x(k) - bolt.at) / square;
    parts.insert(parts.end(),
                 {{above, share[k]}, {below, -share[k]}, {above + 1, turn}, {below + 1, turn}});
  }
  return parts;
}

/// How each degree of freedom follows from y, w and u.
struct Parametrisation {
  SparseMatrix B, S;
  Vector d;
};

/// `all` degrees of freedom: behind those of the plates two for each bolt head, which are its w.
Parametrisation parametrise(const Grid& grid, const LapPlates& p, Index all) {
  constexpr Index fixed = -1, driven = -2, upper = -3, mirrored = -4;
  std::vector<Index> meaning(std::size_t(2 * grid.nodes()), 0);
  const auto at = [&](int plate, Index i, Index j, int part) -> Index& {
    return meaning[std::size_t(2 * grid.node(plate, i, j) + part)];
  };
  const Index last = grid.columns(), top = grid.through();
  Index mirror_of = 0, mirror = -1;
  for (Index j = 0; j <= top; ++j) {
    at(0, 0, j, 0) = fixed;
    if (p.support == Support::bending) at(0, 0, j, 1) = fixed;
    if (p.support == Support::axial) {
      at(1, last, j, 0) = driven;
      at(1, last, j, 1) = fixed;
    }
  }
  if (p.support == Support::axial)
    for (Index i = 0; i <= last; ++i) at(0, i, 0, 1) = fixed;
  if (p.support == Support::bending) {
    if (top % 2 == 0) {
      at(1, last, top / 2, 1) = driven;
    } else {  // the mean of the two nodes beside the middle
      mirror_of = 2 * grid.node(1, last, top / 2) + 1;
      mirror = 2 * grid.node(1, last, top / 2 + 1) + 1;
      meaning[std::size_t(mirror)] = mirrored;
    }
  }
  for (Index k = 0; k <= grid.over(); ++k)
    for (const int part : {0, 1}) at(1, grid.column(1, k), 0, part) = upper;
  Index free = 0;
  for (Index& m : meaning)
    if (m == 0) m = ++free;  // counted from 1 here
  std::vector<Eigen::Triplet<double>> B, S;
  Parametrisation result;
  result.d = Vector::Zero(all);
  for (Index q = 0; q < 2 * grid.nodes(); ++q) {
    const Index m = meaning[std::size_t(q)];
    if (m > 0) B.emplace_back(q, m - 1, 1.0);
    if (m == driven) result.d[q] = 1;
  }
  if (mirror >= 0) {
    B.emplace_back(mirror, meaning[std::size_t(mirror_of)] - 1, -1.0);
    result.d[mirror] = 2;
  }
  for (Index k = 0; k <= grid.over(); ++k)
    for (const int part : {0, 1}) {
      const Index above = 2 * grid.node(1, grid.column(1, k), 0) + part;
      const Index below = 2 * grid.node(0, grid.column(0, k), top) + part;
      B.emplace_back(above, meaning[std::size_t(below)] - 1, 1.0);
      // w holds the normal part first; here x stands first.
      S.emplace_back(above, 2 * k + (part == 1 ? 0 : 1), 1.0);
    }
  const Index of_nodes = 2 * (grid.over() + 1), extra = all - 2 * grid.nodes();
  for (Index i = 0; i < extra; ++i) S.emplace_back(2 * grid.nodes() + i, of_nodes + i, 1.0);
  result.B.resize(all, free);
  result.B.setFromTriplets(B.begin(), B.end());
  result.S.resize(all, of_nodes + extra);
  result.S.setFromTriplets(S.begin(), S.end());
  return result;
}

Condensed condense(const LapPlates& p, const std::vector<Bolt>& bolts,
                   const std::vector<std::size_t>& heads, const Vector& clamping) {
  const Grid grid(p);
  const Index plates = 2 * grid.nodes(), all = plates + 2 * static_cast<Index>(heads.size());
  const Parametrisation q = parametrise(grid, p, all);
  Vector f = Vector::Zero(all);
  for (Index k = 0; k <= grid.over(); ++k) {
    f[2 * grid.node(1, grid.column(1, k), grid.through()) + 1] = -clamping[k];
    f[2 * grid.node(0, grid.column(0, k), 0) + 1] = clamping[k];
  }
  Entries entries = stiffness(grid, p);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const Bolt& bolt = bolts[heads[i]];
    const Index normal = plates + 2 * static_cast<Index>(i);
    auto shear = shear_of(grid, p, bolt);
    shear.emplace_back(normal + 1, -1.0);  // less the slip
    for (const auto& [row, a] : shear)
      for (const auto& [column, b] : shear)
        entries.emplace_back(row, column, bolt.shear_stiffness * a * b);
    entries.emplace_back(normal, normal, bolt.shear_stiffness);
    f[normal] = -bolt.force;
  }
  SparseMatrix K(all, all);
  K.setFromTriplets(entries.begin(), entries.end());
  return Condensed(K, q.B, q.S, q.d, f);
}

/// Of the interface nodes, then of the heads.
Vector friction_coefficients(Index nodes, double mu, const std::vector<Bolt>& bolts,
                             const std::vector<std::size_t>& heads) {
  Vector all = Vector::Constant(nodes + static_cast<Index>(heads.size()), mu);
  for (std::size_t i = 0; i < heads.size(); ++i)
    all[nodes + static_cast<Index>(i)] = bolts[heads[i]].head_mu;
  return all;
}

}  // namespace

LapJoint::LapJoint(const LapPlates& plates, const Clamping& clamping, double mu)
    : plates_((check(plates, clamping, mu), plates)),
      heads_(with_head_friction(clamping.bolts)),
      clamping_(clamping_forces(Grid(plates_), plates_, clamping)),
      by_pressure_(static_cast<bool>(clamping.pressure)),
      condensed_(condense(plates_, clamping.bolts, heads_, clamping_)),
      problem_(condensed_.K(), condensed_.g(), condensed_.b(),
               friction_coefficients(clamping_.size(), mu, clamping.bolts, heads_)) {
  const Grid grid(plates_);
  for (Index k = 0; k <= grid.over(); ++k) x_.push_back(grid.overlap_x(k));
}

Vector LapJoint::contact_forces() const {
  if (by_pressure_) return clamping_;
  const auto normals = Eigen::seqN(0, problem_.nodes(), 2);
  return normal_forces(problem_.K()(normals, normals), problem_.g()(normals), Vector());
}

TiedInterface LapJoint::tied() const {
  if (!(problem_.mu().maxCoeff() > 0))
    refuse("contact.mu", problem_.mu().maxCoeff(), "must be positive with normal = \"tied\"");
  return tied_interface(problem_.K(), problem_.b(), condensed_.c0(),
                        problem_.mu().cwiseProduct(contact_forces()));
}

std::array<LapJoint::Outline, 2> LapJoint::outlines(const Vector& w, double u, double scale) const {
  const Grid grid(plates_);
  const Vector q = condensed_.displacements(w, u);
  std::array<Outline, 2> result;
  for (const int plate : {0, 1}) {
    Outline& out = result[std::size_t(plate)];
    const auto add = [&](Index i, Index j) {
      const Index node = grid.node(plate, i, j);
      out.x.push_back(grid.x(plate, i) + scale * q[2 * node]);
      out.z.push_back(grid.z(plate, j) + scale * q[2 * node + 1]);
    };
    const Index n = grid.columns(), m = grid.through();
    for (Index i = 0; i <= n; ++i) add(i, 0);
    for (Index j = 1; j <= m; ++j) add(n, j);
    for (Index i = n - 1; i >= 0; --i) add(i, m);
    for (Index j = m - 1; j >= 0; --j) add(0, j);
  }
  return result;
}

}  // namespace microslip::contact
