#pragma once

#include <string>

#include "fit/input.hpp"

/// `microslip fit --posterior`.
namespace microslip::app {

/// Throws Error for values that make no sense, before the work.
void check_posterior(const FitCommand& command, const FitRequest& request);

/// Samples, writes and says what came out. False if a picture could not be drawn.
bool write_posterior(const FitCommand& command, const FitRequest& request,
                     const jobs::FitResult& result, const std::string& command_line);

}  // namespace microslip::app
