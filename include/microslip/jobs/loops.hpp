#pragma once

#include <optional>
#include <string>
#include <vector>

#include "microslip/jobs/control.hpp"
#include "microslip/jobs/record.hpp"
#include "microslip/loops/loops.hpp"

/// The loops of a measured record and what they say, without any law.
namespace microslip::jobs {

template <>
inline constexpr std::array<std::string_view, 3> words_of<loops::Backbone::Source>{
    "none", "first leg", "halved branches of the largest loop"};

struct LoopsRequest {
  Record record;
  std::optional<double> threshold{};   ///< smaller turns of u are noise; estimated if left out
  std::size_t bars = 20;               ///< of the Iwan density
  std::optional<std::size_t> cells{};  ///< find the law preisach-table with so many cells a side

  static constexpr std::string_view schema = "microslip.loops-request/1";
  static constexpr auto members = std::tuple{
      member("record", &LoopsRequest::record), member_if_any("threshold", &LoopsRequest::threshold),
      member("bars", &LoopsRequest::bars), member_if_any("cells", &LoopsRequest::cells)};
};

// ----------------------------------------------------------------------------------------- result

/// A record as it was analysed.
struct MeasuredRecord {
  std::string source;
  std::vector<double> t, u, f;  ///< t is empty when there is none
  std::string t_unit, u_unit, f_unit;
  std::string taken;             ///< which columns were taken for what, in words
  bool driven_by_force = false;  ///< u and f were exchanged

  std::string energy_unit() const;
  std::string stiffness_unit() const;
};

/// A number of the displacement and one of the force.
struct DisplacementAndForce {
  double u = 0, f = 0;
  static constexpr auto members =
      std::tuple{member("u", &DisplacementAndForce::u), member("f", &DisplacementAndForce::f)};
};

/// See loops::Cycle; rows and loops count from 1.
struct MeasuredLoop {
  std::vector<std::size_t> rows;  ///< it begins, turns, ends
  bool minor = false;
  std::optional<std::size_t> inside{};
  double amplitude = 0, mean = 0, force_range = 0, mean_force = 0, energy = 0, secant = 0;
  double tangent = 0, tangent_error = 0, final_slope = 0, damping = 0, asymmetry = 0;
  double masing_defect = 0, closure = 0, opening = 0;
  std::optional<std::optional<double>> frequency{};  ///< of records with time; none inside others

  static constexpr auto members = std::tuple{member("rows", &MeasuredLoop::rows),
                                             member("minor", &MeasuredLoop::minor),
                                             member("inside", &MeasuredLoop::inside),
                                             member("amplitude", &MeasuredLoop::amplitude),
                                             member("mean", &MeasuredLoop::mean),
                                             member("force_range", &MeasuredLoop::force_range),
                                             member("mean_force", &MeasuredLoop::mean_force),
                                             member("energy", &MeasuredLoop::energy),
                                             member("secant", &MeasuredLoop::secant),
                                             member("tangent", &MeasuredLoop::tangent),
                                             member("tangent_error", &MeasuredLoop::tangent_error),
                                             member("final_slope", &MeasuredLoop::final_slope),
                                             member("damping", &MeasuredLoop::damping),
                                             member("asymmetry", &MeasuredLoop::asymmetry),
                                             member("masing_defect", &MeasuredLoop::masing_defect),
                                             member("closure", &MeasuredLoop::closure),
                                             member("opening", &MeasuredLoop::opening),
                                             member_if_any("frequency", &MeasuredLoop::frequency)};
};

/// See loops::PowerLaw.
struct DissipationExponent {
  double exponent = 0, standard_error = 0, low = 0, high = 0, factor = 0;
  std::size_t loops = 0;
  std::optional<double> frequency_exponent{};

  static constexpr auto members =
      std::tuple{member("exponent", &DissipationExponent::exponent),
                 member("standard_error", &DissipationExponent::standard_error),
                 member("low", &DissipationExponent::low),
                 member("high", &DissipationExponent::high),
                 member("factor", &DissipationExponent::factor),
                 member("loops", &DissipationExponent::loops),
                 member("frequency_exponent", &DissipationExponent::frequency_exponent)};
};

struct MeasuredBackbone {
  loops::Backbone::Source source = loops::Backbone::Source::none;
  std::vector<double> u, f;
  static constexpr auto members =
      std::tuple{member("source", &MeasuredBackbone::source), member("u", &MeasuredBackbone::u),
                 member("f", &MeasuredBackbone::f)};
};

struct MeasuredDensity {
  std::vector<double> edges, density;
  double elastic = 0, rms = 0;
  static constexpr auto members = std::tuple{
      member("edges", &MeasuredDensity::edges), member("density", &MeasuredDensity::density),
      member("elastic", &MeasuredDensity::elastic), member("rms", &MeasuredDensity::rms)};
};

/// The law preisach-table that fits the record best; only where cells were asked for.
struct MeasuredRelays {
  double k = 0;
  std::vector<double> at, density;
  std::size_t told_apart = 0;  ///< combinations of cells that the record determines
  double rms = 0;
  static constexpr auto members = std::tuple{
      member("k", &MeasuredRelays::k), member("at", &MeasuredRelays::at),
      member("density", &MeasuredRelays::density),
      member("told_apart", &MeasuredRelays::told_apart), member("rms", &MeasuredRelays::rms)};
};

struct MeasuredNormalization {
  double a0 = 1, a1 = 0, a2 = 1, u_center = 0, f_center = 0;
  static constexpr auto members =
      std::tuple{member("a0", &MeasuredNormalization::a0), member("a1", &MeasuredNormalization::a1),
                 member("a2", &MeasuredNormalization::a2),
                 member("u_center", &MeasuredNormalization::u_center),
                 member("f_center", &MeasuredNormalization::f_center)};
};

struct LoopsResult {
  std::string version, command;
  std::string source;
  std::size_t rows = 0;
  RecordUnits units;
  Driven driven = Driven::displacement;  ///< force: u and f of the record were exchanged
  bool sign_flipped = false;
  DisplacementAndForce noise;
  double threshold = 0;
  bool threshold_given = false;
  std::vector<std::size_t> reversals;  ///< rows, from 1
  std::vector<MeasuredLoop> cycles;
  double total_work = 0;
  DisplacementAndForce center;
  double amplitude = 0, initial_stiffness = 0, initial_stiffness_error = 0, final_slope = 0;
  std::optional<double> half_gap{};
  double largest_force = 0;
  bool starts_at_rest = false;
  std::optional<DissipationExponent> dissipation{}, dissipation_by_force{};
  MeasuredBackbone backbone;
  MeasuredDensity iwan_density;
  std::optional<MeasuredRelays> preisach{};
  std::optional<MeasuredNormalization> normalization{};
  std::vector<std::string> warnings;
  MeasuredRecord record;
  loops::Loops found;  ///< in all detail, with the branches of each loop

  static constexpr std::string_view schema = "microslip.loops/1";
  static constexpr auto members =
      std::tuple{member("version", &LoopsResult::version),
                 member("command", &LoopsResult::command),
                 member("source", &LoopsResult::source),
                 member("rows", &LoopsResult::rows),
                 member("units", &LoopsResult::units),
                 member("driven", &LoopsResult::driven),
                 member("sign_flipped", &LoopsResult::sign_flipped),
                 member("noise", &LoopsResult::noise),
                 member("threshold", &LoopsResult::threshold),
                 member("threshold_given", &LoopsResult::threshold_given),
                 member("reversals", &LoopsResult::reversals),
                 member("cycles", &LoopsResult::cycles),
                 member("total_work", &LoopsResult::total_work),
                 member("center", &LoopsResult::center),
                 member("amplitude", &LoopsResult::amplitude),
                 member("initial_stiffness", &LoopsResult::initial_stiffness),
                 member("initial_stiffness_error", &LoopsResult::initial_stiffness_error),
                 member("final_slope", &LoopsResult::final_slope),
                 member("half_gap", &LoopsResult::half_gap),
                 member("largest_force", &LoopsResult::largest_force),
                 member("starts_at_rest", &LoopsResult::starts_at_rest),
                 member("dissipation", &LoopsResult::dissipation),
                 member("dissipation_by_force", &LoopsResult::dissipation_by_force),
                 member("backbone", &LoopsResult::backbone),
                 member("iwan_density", &LoopsResult::iwan_density),
                 member_if_any("preisach", &LoopsResult::preisach),
                 member("normalization", &LoopsResult::normalization),
                 member("warnings", &LoopsResult::warnings),
                 not_in_text(&LoopsResult::record),
                 not_in_text(&LoopsResult::found)};
};

/// Throws Error for a record that has no three rows, or whose columns do not fit together.
LoopsResult loops(LoopsRequest request, const Control& control = {});

}  // namespace microslip::jobs
