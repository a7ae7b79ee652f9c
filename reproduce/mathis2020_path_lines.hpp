#pragma once

#include "support.hpp"

/// Figures 9–11 of the review: Bouc–Wen with A = 1, α = 0.75, β = −0.25, whose solution along a
/// path line (fixed signs of u̇ and z) is printed for n = 1 (43) and n = 2 (45).
namespace microslip::reproduce::path_lines {

inline constexpr double A = 1, alpha = 0.75, beta = -0.25;

/// As printed in (34), α is our β and β is our −γ.
ModelSpec law(int n);

/// z along the rows of u from (43) or (45), the constants from continuity wherever the sign of u̇
/// or of z changes.
std::vector<double> printed_solution(int n, const std::vector<double>& u);

/// What the figures have in common, on u = sin t; `drawn` is the history in the figure.
std::vector<Comparison> comparisons(int n, const Run& drawn);

inline constexpr const char* remark =
    "With the β = −0.25 of the caption and the sign of (34) the loading coefficient is α − β = 1, "
    "as in (43) and (45); Table 1 of the same paper needs the opposite sign. The loop does not "
    "close after one period, as the text says.";

}  // namespace microslip::reproduce::path_lines
