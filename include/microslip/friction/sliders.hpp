#pragma once

/// # sliders: a system of many sliders as one law
///
///     μ sgn(ẋ) + K x = b u,    f = bᵀx   or   f = c0 u − bᵀx
///
/// N massless blocks on dry ground, joined by springs (K), each with its own friction limit μ_i and
/// its share b_i of one input u. With `output = "bx"` the input is a load and the answer the
/// displacement ξ = bᵀx that belongs to it, so the law is driven by force; with `output = "u-bx"`
/// the input is a displacement that pulls the blocks through springs of total stiffness c0, and the
/// answer is the force in them, as in the model of Iwan.
///
/// Where the system comes from (`kind`):
///
/// - `matrices`: K, mu and b from a finite-element code, as Matrix Market files or lists;
/// - `random` (n, seed): random stiffness of the thesis, section 2.2.1;
/// - `iwan` (n, mu0): springs 1/n in parallel, slider j slips at j mu0/n, thesis section 3.2;
/// - `chain` (n, k, mu): sliders in a row with free ends, pulled at both ends.
///
/// How it is solved (`method`): `event` follows the path exactly from one stick or slip event to
/// the next and needs no step; `active-set` and `lemke` take one implicit increment a row;
/// `regularised` replaces the sign by an exponential of sharpness epsilon. Where K is an M-matrix
/// and all b have one sign, `event` takes one solve per row that passes an event; where K is
/// diagonal it keeps turning points only. A part of the system without a spring to the ground may
/// come loose: status `macroslip`, which names its sliders.
///
/// Energy: with output bᵀx the springs hold ½xᵀKx and the work is ∫u df; with c0 u − bᵀx they hold
/// ½c0u² − u bᵀx + ½xᵀKx and the work is ∫f du. The dissipated energy is Σ∫μ_i|dx_i| in both.

#include "microslip/friction/builders.hpp"
#include "microslip/friction/solver.hpp"
#include "microslip/friction/system.hpp"
