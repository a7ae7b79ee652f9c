#pragma once

#include <optional>
#include <string>
#include <vector>

#include "microslip/catalog/files/structure_file.hpp"
#include "microslip/dynamics/time/stepper.hpp"
#include "microslip/jobs/members.hpp"
#include "microslip/jobs/text.hpp"

/// The text form of a structure with joints. What a file says of it is put together: matrices with springs,
/// laws with values, loads with their records, in one system of units.
///
///     M, C, K              { rows, row, column, value }: entries, counted from 1
///     w, direction         { size, dof, weight }: weights of degrees of freedom, counted from 1
///     model                { model, parameters, options }: a law
///     law of an interface  { kind: "slider-row", k, k_end, phi } or
///                          { kind: "coupled-joints", laws, compliance }
///     signal               { kind: "tones", … }, see `signal_kinds`
namespace microslip::jobs {

template <>
inline constexpr std::array<std::string_view, 6> words_of<dynamics::Method>{
    "events", "midpoint", "newmark", "hht", "generalized-alpha", "cvode"};

template <>
inline constexpr auto members_of<dynamics::Tone> = std::tuple{
    member("amplitude", &dynamics::Tone::amplitude), member("phase", &dynamics::Tone::phase),
    member("harmonic", &dynamics::Tone::harmonic), member("omega", &dynamics::Tone::omega)};
template <>
inline constexpr auto members_of<dynamics::Tones> =
    std::tuple{member("list", &dynamics::Tones::list)};
template <>
inline constexpr auto members_of<dynamics::Constant> =
    std::tuple{member("value", &dynamics::Constant::value)};
template <>
inline constexpr auto members_of<dynamics::Sweep> = std::tuple{
    member("amplitude", &dynamics::Sweep::amplitude),
    member("omega_from", &dynamics::Sweep::omega_from),
    member("omega_to", &dynamics::Sweep::omega_to), member("duration", &dynamics::Sweep::duration),
    member("logarithmic", &dynamics::Sweep::logarithmic)};
template <>
inline constexpr auto members_of<dynamics::SteppedSine> = std::tuple{
    member("amplitude", &dynamics::SteppedSine::amplitude),
    member("omega", &dynamics::SteppedSine::omega), member("start", &dynamics::SteppedSine::start)};
template <>
inline constexpr auto members_of<dynamics::Impulse> = std::tuple{
    member("impulse", &dynamics::Impulse::impulse), member("start", &dynamics::Impulse::start),
    member("duration", &dynamics::Impulse::duration)};
template <>
inline constexpr auto members_of<dynamics::SampledLoad> = std::tuple{
    member("t", &dynamics::SampledLoad::t), member("values", &dynamics::SampledLoad::values),
    member_if_any("curvature", &dynamics::SampledLoad::curvature)};
template <>
inline constexpr auto members_of<dynamics::Formula> =
    std::tuple{member("force", &dynamics::Formula::force)};
/// In the order of dynamics::Signal.
inline constexpr std::array<std::string_view, 7> signal_kinds{
    "tones", "static", "sweep", "stepped", "impulse", "record", "formula"};

template <>
inline constexpr auto members_of<dynamics::Load> = std::tuple{
    member("direction", &dynamics::Load::direction), member("signal", &dynamics::Load::signal)};
template <>
inline constexpr auto members_of<dynamics::Sensor> =
    std::tuple{member("name", &dynamics::Sensor::name), member("w", &dynamics::Sensor::w)};
template <>
inline constexpr auto members_of<dynamics::JointElement> = std::tuple{
    member("model", &dynamics::JointElement::model), member("w", &dynamics::JointElement::w),
    member("name", &dynamics::JointElement::name),
    member_if_any("parts", &dynamics::JointElement::parts)};
template <>
inline constexpr auto members_of<dynamics::InterfaceElement> = std::tuple{
    member("law", &dynamics::InterfaceElement::law), member("w", &dynamics::InterfaceElement::w),
    member("name", &dynamics::InterfaceElement::name)};
template <>
inline constexpr auto members_of<dynamics::Structure> =
    std::tuple{member("M", &dynamics::Structure::M),
               member("C", &dynamics::Structure::C),
               member("K", &dynamics::Structure::K),
               member("joints", &dynamics::Structure::joints),
               member("loads", &dynamics::Structure::loads),
               member_if_any("sensors", &dynamics::Structure::sensors),
               member_if_any("interfaces", &dynamics::Structure::interfaces)};

template <>
inline constexpr auto members_of<ModelSpec> =
    std::tuple{member("model", &ModelSpec::model), member("parameters", &ModelSpec::parameters),
               member_if_any("options", &ModelSpec::options)};
template <>
inline constexpr auto members_of<catalog::Units> =
    std::tuple{member("force", &catalog::Units::force), member("length", &catalog::Units::length),
               member("time", &catalog::Units::time), member("text", &catalog::Units::text)};
template <>
inline constexpr auto members_of<catalog::Analysis> =
    std::tuple{member("kind", &catalog::Analysis::kind),
               member_if_any("output", &catalog::Analysis::output),
               member_if_any("plot", &catalog::Analysis::plot),
               member("logarithmic", &catalog::Analysis::logarithmic),
               member("receptance", &catalog::Analysis::receptance),
               member_if_any("omega", &catalog::Analysis::omega),
               member_if_any("level", &catalog::Analysis::level),
               member_if_any("amplitude", &catalog::Analysis::amplitude),
               member_if_any("at", &catalog::Analysis::at),
               member_if_any("levels", &catalog::Analysis::levels),
               member_if_any("harmonics", &catalog::Analysis::harmonics),
               member_if_any("samples", &catalog::Analysis::samples),
               member_if_any("mode", &catalog::Analysis::mode),
               member_if_any("modes", &catalog::Analysis::modes),
               member_if_any("dof", &catalog::Analysis::dof),
               member_if_any("until", &catalog::Analysis::until),
               member_if_any("step", &catalog::Analysis::step),
               member_if_any("tolerance", &catalog::Analysis::tolerance),
               member_if_any("x0", &catalog::Analysis::x0),
               member_if_any("v0", &catalog::Analysis::v0),
               member_if_any("method", &catalog::Analysis::method),
               member_if_any("columns", &catalog::Analysis::columns),
               member_if_any("stability", &catalog::Analysis::stability),
               member_if_any("where", &catalog::Analysis::where)};

template <>
inline constexpr auto members_of<catalog::LinearElement> = std::tuple{
    member("w", &catalog::LinearElement::w), member("value", &catalog::LinearElement::value)};
template <>
inline constexpr auto members_of<catalog::StructureParts> =
    std::tuple{member("M", &catalog::StructureParts::M),
               member("C", &catalog::StructureParts::C),
               member("K", &catalog::StructureParts::K),
               member_if_any("springs", &catalog::StructureParts::springs),
               member_if_any("dampers", &catalog::StructureParts::dampers),
               member_if_any("damping", &catalog::StructureParts::damping),
               member_if_any("stuck_damping", &catalog::StructureParts::stuck_damping),
               member_if_any("fixed", &catalog::StructureParts::fixed)};

/// Its text is this, or, without a `schema`, a structure file as a person writes it, with what is named
/// there by files in it.
template <>
inline constexpr std::string_view schema_of<catalog::StructureFile> = "microslip.structure/1";
template <>
inline constexpr auto members_of<catalog::StructureFile> =
    std::tuple{member("structure", &catalog::StructureFile::structure),
               member("laws", &catalog::StructureFile::laws),
               member_if_any("units", &catalog::StructureFile::units),
               member_if_any("notes", &catalog::StructureFile::notes),
               member("load_units", &catalog::StructureFile::load_units),
               member("labels", &catalog::StructureFile::labels),
               member("has_matrices", &catalog::StructureFile::has_matrices),
               member("own_size", &catalog::StructureFile::own_size),
               member("whole_size", &catalog::StructureFile::whole_size),
               member("physical", &catalog::StructureFile::physical),
               member_if_any("left_out", &catalog::StructureFile::left_out),
               member("analyses", &catalog::StructureFile::analyses),
               member("parts", &catalog::StructureFile::parts),
               not_in_text(&catalog::StructureFile::files)};

template <>
inline constexpr auto members_of<dynamics::StepperOptions> =
    std::tuple{member("method", &dynamics::StepperOptions::method),
               member("step", &dynamics::StepperOptions::step),
               member("tolerance", &dynamics::StepperOptions::tolerance),
               member("span", &dynamics::StepperOptions::span),
               member("t0", &dynamics::StepperOptions::t0),
               member("x0", &dynamics::StepperOptions::x0),
               member("v0", &dynamics::StepperOptions::v0),
               member("from_equilibrium", &dynamics::StepperOptions::from_equilibrium),
               member("spectral_radius", &dynamics::StepperOptions::spectral_radius)};

/// A structure whose loads another program gives, step by step, along the directions of its loads; it starts
/// from the values of constant ones. Their own histories may act beside what the program gives.
struct DrivenStructure {
  dynamics::Structure structure;
  std::vector<std::string> labels;      ///< of the degrees of freedom
  std::vector<std::string> load_units;  ///< of the inputs
  dynamics::StepperOptions options;

  static constexpr std::string_view schema = "microslip.driven-structure/1";
  static constexpr auto members = std::tuple{member("structure", &DrivenStructure::structure),
                                             member("labels", &DrivenStructure::labels),
                                             member("load_units", &DrivenStructure::load_units),
                                             member("options", &DrivenStructure::options)};
};

}  // namespace microslip::jobs
