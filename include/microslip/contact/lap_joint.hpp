#pragma once

/// # Lap joints
///
/// Two equal plates that overlap, in two dimensions:
///
///                      x = 0       overlap
///                      ┌──────────────┬──────────────┐  upper plate  → u (axial) ↑ u (bending)
///     ┌────────────────┼──────────────┼──────────────┘
///     └────────────────┴──────────────┘  lower plate
///     held
///
/// The mesh is one of rectangles with incompatible modes (R. L. Taylor, P. J. Beresford and
/// E. L. Wilson, International Journal for Numerical Methods in Engineering 10 (1976) 1211–1219):
/// exact in bending by a constant moment. The nodes of both plates coincide on the interface. All
/// degrees of freedom but the interface are condensed out by a sparse Cholesky factorisation.
///
///   axial     lower plate held in x at its left end and on rollers along its underside; upper
///             plate driven in x at its right end and held there in z
///   bending   lower plate clamped at its left end; the transverse displacement u is given at the
///             middle of the right end of the upper plate, which is free otherwise
///
/// Pressures and bolts press on the outer faces. With tied normals a pressure is the contact
/// pressure itself, and bolts give that of plates that may separate and do not slip.
///
/// ## Friction under bolt heads
///
/// A bolt with clearance in its hole also carries shear, by friction of its head and nut on the
/// outer faces. Head and nut follow the faces under the washer, so the bolt is a beam of the length
/// h = 2 × thickness between them, sheared by
///
///     δ = (u_x above − u_x below) + h (φ above + φ below)/2,
///
/// u_x and the slope φ of a face weighted by the pressure of the washer (φ = ⟨(x − at) u_z⟩/⟨(x −
/// at)²⟩). A rotation of the joint as a whole gives δ = 0. The shear force k(δ − s) is limited by
/// head_mu × force, and s slips there: one more pair of the contact problem, which is coupled to
/// nothing in its normal direction and pressed by the bolt force.

#include <array>
#include <functional>
#include <vector>

#include "microslip/contact/condensed.hpp"
#include "microslip/contact/plane.hpp"

namespace microslip::contact {

enum class Support : std::uint8_t { axial, bending };

struct LapPlates {
  double length = 40;   ///< of each plate
  double overlap = 20;  ///< less than the length
  double thickness = 3;
  double width = 10;
  double E = 70e3, nu = 0.33;
  Plane plane = Plane::stress;
  std::array<int, 2> mesh{240, 16};  ///< elements along a plate, through its thickness
  Support support = Support::axial;
};

struct Bolt {
  double force;
  double at;                   ///< from the left end of the overlap
  double washer;               ///< width of the strip under the washer
  double head_mu = 0;          ///< friction of head and nut on the plates
  double shear_stiffness = 0;  ///< of the bolt between head and nut; positive where head_mu is
};

/// What presses the plates together: a pressure p(x) on the overlap, or bolts.
struct Clamping {
  std::function<double(double)> pressure{};
  std::vector<Bolt> bolts{};
};

class LapJoint {
 public:
  /// Throws Error that names the quantity and what is allowed.
  LapJoint(const LapPlates& plates, const Clamping& clamping, double mu);

  const LapPlates& plates() const noexcept { return plates_; }
  Index nodes() const noexcept { return static_cast<Index>(x_.size()); }
  /// Bolts with friction under their heads, by their place in the clamping. Their pairs stand behind
  /// those of the interface nodes in the problem.
  const std::vector<std::size_t>& heads() const noexcept { return heads_; }
  /// Of the interface nodes, from the left end of the overlap.
  const std::vector<double>& x() const noexcept { return x_; }
  const Condensed& condensed() const noexcept { return condensed_; }

  /// Unilateral contact; the load of the problem is the displacement u.
  const Problem& problem() const noexcept { return problem_; }
  /// Force of the drive for u and bᵀw.
  double force(double u, double bw) const noexcept {
    return condensed_.c0() * u - bw + condensed_.constant_force();
  }

  /// Contact forces P of the nodes for tied normals, and behind them those of the heads.
  Vector contact_forces() const;
  TiedInterface tied() const;

  /// Outlines of the lower and the upper plate, displaced `scale` times; x counts from the left end
  /// of the lower plate.
  struct Outline {
    std::vector<double> x, z;
  };
  std::array<Outline, 2> outlines(const Vector& w, double u, double scale) const;

 private:
  LapPlates plates_;
  std::vector<double> x_;
  std::vector<std::size_t> heads_;
  Vector clamping_;  ///< nodal forces of the clamping along the overlap
  bool by_pressure_;
  Condensed condensed_;
  Problem problem_;
};

}  // namespace microslip::contact
