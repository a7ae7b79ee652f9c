#pragma once

/// microslip: frictional hysteresis. This header reads as a table of contents.
///
/// A law by its type is one include, `microslip/models/jenkins.hpp`, and nothing else is needed.
/// Laws chosen at run time come from the catalogue.

#include "microslip/version.hpp"

// The contract: what a law is and what it answers.
#include "microslip/core/concepts.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/field.hpp"
#include "microslip/core/info.hpp"
#include "microslip/core/response.hpp"

// Numbers with derivatives; formulas; signals with their turning points.
#include "microslip/core/dual.hpp"
#include "microslip/detail/numerics/expression.hpp"
#include "microslip/detail/numerics/signal.hpp"

// A law inside a host code that iterates; a law driven by force; a law whose type is hidden.
#include "microslip/core/any_model.hpp"
#include "microslip/core/force_drive.hpp"
#include "microslip/core/joint.hpp"

// Many joints of one law at once.
#include "microslip/field/bounded_memory.hpp"
#include "microslip/field/joint_field.hpp"
#include "microslip/field/oscillators.hpp"

// What a measured record tells without any law.
#include "microslip/loops/harmonic.hpp"
#include "microslip/loops/loops.hpp"

// Which law describes a record, with which parameters, how sure.
#include "microslip/fit/fit.hpp"
#include "microslip/fit/holdout.hpp"

// What many laws share: Masing's rules.
#include "microslip/detail/kernels/masing.hpp"

// Many sliders: systems, exact path following, increments, Lemke's algorithm.
#include "microslip/friction/lcp.hpp"
#include "microslip/friction/sliders.hpp"

// Few states instead of many sliders: modes, friction, validation.
#include "microslip/reduce/study.hpp"

// Unilateral contact with friction along a load path: cracked plates, lap joints.
#include "microslip/contact/cracks.hpp"
#include "microslip/contact/lap_joint.hpp"
#include "microslip/contact/solver.hpp"

// Structures with joints: response, motion in time, modes, averaging, reduction.
#include "microslip/dynamics/periodic/averaging.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"
#include "microslip/dynamics/periodic/slow_flow.hpp"
#include "microslip/dynamics/structure/reduction.hpp"
#include "microslip/dynamics/time/ringdown.hpp"
#include "microslip/dynamics/time/ringdown_modes.hpp"
#include "microslip/dynamics/time/shooting.hpp"
#include "microslip/dynamics/time/stepper.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

// Numbers of a structure and of its joints from measured vibration.
#include "microslip/identify/identify.hpp"

// Every law by name, sums of laws, wrappers around them; which law is a special case of which.
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/addresses.hpp"
#include "microslip/catalog/files/cracks_file.hpp"
#include "microslip/catalog/files/identification_file.hpp"
#include "microslip/catalog/files/joint_file.hpp"
#include "microslip/catalog/files/reduction_file.hpp"
#include "microslip/catalog/files/structure_file.hpp"
#include "microslip/catalog/registry/relations.hpp"
#include "microslip/catalog/sliders/sliders_setup.hpp"

// What a person asks for: a request in, a result out, both also as text.
#include "microslip/jobs/cracks.hpp"
#include "microslip/jobs/damping.hpp"
#include "microslip/jobs/export_fmu.hpp"
#include "microslip/jobs/fit.hpp"
#include "microslip/jobs/identify.hpp"
#include "microslip/jobs/joint.hpp"
#include "microslip/jobs/loops.hpp"
#include "microslip/jobs/reduce.hpp"
#include "microslip/jobs/respond.hpp"
#include "microslip/jobs/ringdown.hpp"
#include "microslip/jobs/run.hpp"
#include "microslip/jobs/simulate.hpp"

// Tables, files that appear whole or not at all, pictures, parameter files.
#include "microslip/io/csv.hpp"
#include "microslip/io/figure.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/json.hpp"
#include "microslip/io/mat_file.hpp"
#include "microslip/io/matrix_file.hpp"
#include "microslip/io/matrix_market.hpp"
#include "microslip/io/parameters.hpp"
#include "microslip/io/text_table.hpp"
