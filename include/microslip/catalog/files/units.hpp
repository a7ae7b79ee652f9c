#pragma once

/// Units of a structure file and of fit results.
///
/// Known are kN, N, mN, MN, lbf, kip; m, cm, mm, um, nm, km, in, ft; s, ms, us, min.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "microslip/core/description.hpp"

namespace microslip::catalog {

/// What a number of 1 stands for in N, m and s. Time of a record without its unit counts as seconds.
struct Units {
  double force = 1, length = 1, time = 1;
  std::string text;  ///< as it was given: "kN, mm"
};

/// "N, mm, s": one of each, in any order. Throws Error.
Units parse_units(std::string_view text);

/// By which a number of this dimension is multiplied: "F/L", "F T/L", "L^-2". Nothing if the dimension is
/// none of that kind.
std::optional<double> unit_factor(std::string_view dimension, const Units& from, const Units& to);

/// "kN" as a force, "mm/s^2" or "g" as an acceleration: how many units of the structure it is. Throws Error
/// for a unit that is not known.
double force_in(const std::string& unit, const Units& to);
double acceleration_in(const std::string& unit, const Units& to);
double time_in(const std::string& unit, const Units& to);
/// A displacement, a velocity or an acceleration by its order, 0 to 2; angles in rad or deg.
double motion_in(const std::string& unit, int order, const Units& to);
/// "Hz", "rad/s", "1/ms"
double rate_in(const std::string& unit, const Units& to);
/// "rad" or "deg" in radians.
double angle_in(const std::string& unit);

/// Those of the record that a fit result was made from; nothing where the headings had none, or for a file that
/// is no fit result.
std::optional<Units> units_of_fit(const std::filesystem::path& fit_result);

/// The parameters in other units. Throws Error with the parameter that cannot be converted.
ModelSpec in_units(ModelSpec spec, const Units& from, const Units& to);

}  // namespace microslip::catalog
