#pragma once

#include <string>

#include "microslip/io/figure.hpp"
#include "microslip/jobs/reduce.hpp"

/// What `microslip reduce` shows and writes.
namespace microslip::app {

using jobs::ReduceResult;

std::string reduction_text(const ReduceResult& result);
/// A row for each model.
std::string reduction_csv(const ReduceResult& result);
/// The parameter file of the chosen model: TOML, or JSON by the ending of the name.
std::string reduction_parameters(const ReduceResult& result, const std::string& name);
/// Loops of full and reduced system, singular values, modes, errors against their number.
io::Figure reduction_figure(const ReduceResult& result);

}  // namespace microslip::app
