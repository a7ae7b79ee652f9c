#pragma once

#include <string>

#include "microslip/jobs/fit.hpp"

/// The results of `microslip fit` as text and pictures.
namespace microslip::app {

using jobs::FitRecord;
using jobs::FitResult;
using jobs::FittedLaw;

std::string fit_text(const FitResult& answer);
void draw_fits(const FitResult& answer, const std::string& file);

/// "rows weighted by column 'w', 3 of them not compared"; empty without weights.
std::string weights_text(const FitRecord& record);

/// "0.3 %", short enough for a table.
std::string percent(double share);
std::string short_number(double x);
/// "1.234 ± 0.005", "1.2 (not determined)".
std::string with_error(const fit::Estimate& estimate);
std::string beginning_text(fit::Beginning beginning);

}  // namespace microslip::app
