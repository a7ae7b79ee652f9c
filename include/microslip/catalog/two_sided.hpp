#pragma once

/// The two-sided interface of Miller and Quinn, Journal of Sound and Vibration 321 (2009) 201–219: two
/// rows of masses, n sliders with Coulomb friction between them.
///
/// Upper masses x_1 … x_{n−1} and lower masses y_1 … y_{n−1}, each of mass m, lie between the sliders:
/// slider i joins massless points u_i (upper) and v_i (lower), and springs k join each point to the masses
/// beside it, eqs (1). The scales are k = (n−1) K_eq and m = M_eq/(2(n−1)), eq. (11). A structure pulls at
/// v_1 and u_n through springs k_end, which are 2 K_eq in the paper, eqs (28)–(29).
///
/// Full form. The massless points are condensed exactly. An interior slider is a Jenkins element of
/// stiffness k along (x_{i−1} + x_i − y_{i−1} − y_i)/2 beside springs k/2 between neighbours; at the first
/// one v_1 hangs on y_1 and on the structure, so that its stiffness is that of k and k + k_end in series,
/// and the spring beside it k k_end/(k + k_end). The same holds at the last one.
///
/// Reduced form. Means w = (x + y)/2 and halves of differences z = (x − y)/2, q = (u − v)/2 decouple, eqs
/// (2)–(8):
///
///     2m w_i″ + k (2 w_i − w_{i−1} − w_{i+1}) = loads      an elastic chain, free at both ends,
///     k (2 q_i − q_{i−1} − q_{i+1}) + 2 μ_i sgn q_i′ = loads     a chain of sliders, its masses left out.
///
/// Of the elastic chain s modes are kept, eqs (16)–(18). The sliders are solved quasi-statically, eqs
/// (19)–(21), held by the springs of the structure in series with half of the end springs,
///
///     g_0 = k_e (a_left − w_1 + q_1),  f_n = k_e (a_right − w_{n−1} − q_n),  k_e = k_end/(1 + k_end/(2k)).
///
/// Static correction. The modes left out follow a load statically. A load F through the chain stretches it
/// by (n−2) F/k, of which the kept modes j have F (φ_j(n−1) − φ_j(1))²/ω_j²; half of what is missing goes to
/// each end, in series with its spring: 1/k_e grows by ½ [(n−2)/k − Σ (φ_j(n−1) − φ_j(1))²/ω_j²]. The paper
/// has no such correction.
///
/// Where the paper's equations differ: the energy lost is Σ∫ 2 μ_i |dq_i|, because the relative slip is 2q,
/// which (9)–(10) count once; (29b) has w_{n−1}, not w_1. The row of sliders alone slides as a whole at
/// |f_n − g_0|/2 = Σ μ_i; held by a structure it goes on.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "microslip/dynamics/structure/structure.hpp"
#include "microslip/friction/held_chain.hpp"

namespace microslip::catalog {

struct TwoSided {
  double K_eq = 1, M_eq = 1;
  /// Friction limit of each slider; their number is n. friction::friction_limits spreads a sum.
  std::vector<double> mu;
  double k_end = 0;  ///< springs to the structure; 0: 2 K_eq
  /// A formula of t that presses the sliders: their limits are mu · N/N_ref; empty: constant. Full form only.
  std::string N{};
  double N_ref = 1;
  bool reduced = true;
  int modes = 4;                   ///< of the elastic chain, of the reduced form
  bool static_correction = false;  ///< for the modes left out
};

/// Adds an interface between two degrees of freedom, counted from 1, 0 being the ground; returns the number
/// of the degrees of freedom added behind those that were there: x_1 …, y_1 … of the full form, the
/// coordinates of the modes of the reduced one. Loads, joints and sensors that exist are extended. Throws
/// Error for bad numbers.
Eigen::Index add_two_sided(dynamics::Structure& structure, const TwoSided& interface,
                           Eigen::Index left, Eigen::Index right);

/// A row of held sliders as an interface of two displacements, those of its ends.
std::shared_ptr<const dynamics::InterfaceLaw> slider_row(friction::HeldChain chain);
/// The sliders of such an interface; null of another one.
const friction::HeldChain* chain_of(const dynamics::InterfaceLaw& interface);

}  // namespace microslip::catalog
