#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <optional>
#include <vector>

#include "dynamics/body/sliding_inertia.hpp"
#include "dynamics/joint/periodic_element.hpp"
#include "microslip/dynamics/structure/structure.hpp"

namespace microslip::dynamics {

/// An element of harmonic balance and its place among the unknowns.
struct ElementSlot {
  std::unique_ptr<PeriodicElement> element;
  std::vector<std::size_t> members;  ///< joints, then interfaces, counted through
  /// Along which its forces act on the structure: of each joint, or of each displacement.
  std::vector<Direction> along;
  /// Over the degrees of freedom: inputs of the element, and what its forces act on.
  std::vector<Eigen::SparseVector<double>> in, out;
  double stiffness = 0;  ///< at rest, of each input; 0 beside joints that slide
  double tangent = 0;    ///< the same with its sign, in any case

  /// If the inputs are unknown forces p on a body, in equations of their own,
  ///     p − (K − h²ω² + ihωC) Bᵀx − f[p] = 0.
  /// Unknowns are p / units, equations are multiplied by `rows`: then both are those of the motion of
  /// joints.
  struct Body {
    Eigen::Index row;  ///< among the degrees of freedom, of the first
    BodyInertia inertia;
    Eigen::VectorXd units, rows;
  };
  std::optional<Body> body;

  Eigen::Index own = 0;       ///< place of the first of its own unknowns
  Eigen::VectorXd own_units;  ///< values of unknowns of size 1
  Eigen::VectorXd own_rows;   ///< by which its equations are multiplied

  /// Whether its joints slide on a body, on which forces are unknown. What follows is of these forces, and
  /// nothing for other elements. Matrices are rows of coefficients: `all` of all degrees of freedom, `q` of
  /// the inputs of the element.
  bool slides() const { return body.has_value(); }
  /// Own unknowns of a motion of the structure that begins with u and v/ω.
  void put_beginning(const Eigen::VectorXd& u, const Eigen::VectorXd& v, Eigen::VectorXd& y) const;
  /// Forces that belong to a motion x with these forces of the joints, all as rows of coefficients.
  void put_forces(const Eigen::MatrixXd& x, const Eigen::MatrixXd& f, double omega,
                  Eigen::MatrixXd& all) const;
  /// Forces of joints that stick and hold this much, each; coefficients of one Fourier function.
  void put_held(const Eigen::VectorXd& holds, Eigen::Ref<Eigen::VectorXd> coefficients) const;

  using Rows = Eigen::Ref<Eigen::MatrixXd>;
  using FixedRows = Eigen::Ref<const Eigen::MatrixXd>;
  /// Copies the forces on the body out of the unknowns into the inputs, and back; in units.
  void read_inputs(const FixedRows& all, Rows q) const;
  void write_inputs(const FixedRows& q, Rows all) const;
  /// Multiplies by the dynamic stiffness of the body: motions of its joints become forces Z_b q.
  void apply_impedance(Rows q, double omega) const;
  /// The same for one harmonic in complex form, at h ω = rate, less the unit matrix in the columns from
  /// `first`: an input that is a force equals the force that is given.
  void apply_impedance(Eigen::Ref<Eigen::MatrixXcd> rows, Eigen::Index first, double rate) const;
  /// That last part alone, for forces given.
  void subtract_given(const FixedRows& given, Rows q) const;
  /// Writes the element's forces into the equations of the body, and adds excitation of these equations to
  /// the inputs.
  void write_forces(const FixedRows& forces, Rows all) const;
  void add_excitation(const FixedRows& all, Rows q) const;
  /// Subtracts a row of the border, written for unknowns, from the same row written for inputs.
  void subtract_border(const FixedRows& border, Rows q) const;

  Eigen::Index inputs() const { return element->inputs(); }
  /// Own unknowns that follow from the inputs alone hardly count in the size of the residual.
  bool follows() const { return element->end().wrt_start.size() == 0; }
  double own_weight() const { return follows() ? 1e-9 : 1; }
};

}  // namespace microslip::dynamics
