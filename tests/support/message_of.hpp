#pragma once

#include <string>

#include "microslip/core/error.hpp"

namespace microslip::testing {

/// What the Error says that `action` throws; "no error" where it throws none.
std::string message_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace microslip::testing
