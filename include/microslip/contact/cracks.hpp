#pragma once

/// # Plates with frictional cracks
///
/// Straight cracks in an elastic plate under a uniform stress that varies in proportion to a load
/// f. The unknowns are the displacements w of one face of each crack against the other. With the
/// nodes of the Chebyshev polynomials of the second kind,
///
///     s_i = a cos φ_i,  φ_i = iπ/(n+1),  W_i = aπ sin φ_i/(n+1),
///
/// the square root at the tips is built in, and a crack by itself is exact for polynomials times
/// that root:
///
///     K = (E'/4) (π/(n+1)) (2/(n+1)) S diag(1…n) S,  S_ij = sin(ijπ/(n+1)).
///
/// Cracks act on each other through the stress of a displacement discontinuity (K_ij = −W_i W_j G).
/// The edges of a finite plate are constant elements of the same kind, condensed out. Forces and
/// energies are per unit of thickness.
///
/// The edge displacement follows from Betti's theorem: ξ = c0 f + bᵀw/L, where L ∮ f dξ is the loss
/// of a cycle (thesis eq. 6.2).

#include <array>
#include <cstdint>
#include <vector>

#include "microslip/contact/plane.hpp"
#include "microslip/contact/problem.hpp"

namespace microslip::contact {

struct Plate {
  double E = 1, nu = 0.3;
  Plane plane = Plane::stress;
  double length = 1;    ///< L of ξ; the side of a finite plate
  bool finite = false;  ///< a square plate with its middle at the origin
};

struct Crack {
  double x = 0, y = 0;
  double half_length = 1;
  double angle = 0;  ///< degrees from x
  double mu = 0.3;
};

struct CrackOptions {
  int nodes = 12;           ///< of a crack, at least; 1 is one elliptical mode
  int most_nodes = 100;     ///< of a crack that lies close to another
  int edge_elements = 40;   ///< of each side of a finite plate
  bool interaction = true;  ///< false: each crack as if it were alone
};

struct CrackNode {
  std::size_t crack;
  double x, y;  ///< in the plate
  double s;     ///< along the crack, −a to a
};

class CrackedPlate {
 public:
  /// Stress (σx, σy, σxy) for f = 1. Throws Error that names the crack and what is allowed, or the
  /// two cracks that cross or touch.
  CrackedPlate(const Plate& plate, std::vector<Crack> cracks, const std::array<double, 3>& stress,
               const CrackOptions& options = {});

  const Plate& plate() const noexcept { return plate_; }
  const std::vector<Crack>& cracks() const noexcept { return cracks_; }
  const Problem& problem() const noexcept { return problem_; }
  const std::vector<CrackNode>& nodes() const noexcept { return nodes_; }
  /// The first node of a crack; one more entry for the end.
  const std::vector<Index>& first_node() const noexcept { return first_; }

  double c0() const noexcept { return c0_; }
  /// ξ for a load and bᵀw.
  double xi(double f, double bw) const noexcept { return c0_ * f + bw / plate_.length; }

  /// (K_I, K_II) at the tip s = a (`at_end`) or s = −a of a crack.
  std::array<double, 2> intensity(std::size_t crack, const Vector& w, bool at_end) const;

  /// The two cracks whose distance is so small that `most_nodes` do not resolve their interaction,
  /// counted from 1; {0, 0} if there are none.
  std::array<std::size_t, 2> unresolved() const noexcept { return unresolved_; }

 private:
  Plate plate_;
  std::vector<Crack> cracks_;
  std::vector<Index> first_;
  std::array<std::size_t, 2> unresolved_{0, 0};
  std::vector<CrackNode> nodes_;  // filled together with the two above
  double c0_;
  Problem problem_;
};

/// Random fields in the manner of the thesis, section 6.2: uniform in each number.
struct RandomCracks {
  int n = 32;
  std::uint64_t seed = 1;
  std::array<double, 2> half_length{0.05, 0.5};
  std::array<double, 2> angle{0, 180};
  std::array<double, 2> mu{0, 1};
  double region = 4;  ///< centres lie in ±region
  /// The least distance of two cracks, as a share of the longer half-length: nearer ones are drawn
  /// anew.
  double gap = 0.1;
};
/// The same seed gives the same field on every machine. Throws Error when there is no room.
std::vector<Crack> random_cracks(const RandomCracks& settings);

/// The distance of two cracks; 0 if they cross.
double distance(const Crack& one, const Crack& other);

}  // namespace microslip::contact
