#pragma once

#include "command.hpp"

/// The commands of studies, which the page for browsers has not.
namespace microslip::app {

Command study_command();
Command serve_command();
Command dakota_command();

}  // namespace microslip::app
