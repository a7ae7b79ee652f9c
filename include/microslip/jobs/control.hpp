#pragma once

#include <functional>
#include <stdexcept>
#include <string_view>

namespace microslip::jobs {

/// How a caller follows a job and stops it.
struct Control {
  /// Called now and then with the part that is done, from 0 to 1, and what is under way; from any
  /// thread of the job, one call at a time. False stops the job: what is done so far is kept and
  /// marked as interrupted, or, where a part means nothing, `Interrupted` is thrown.
  std::function<bool(double part, std::string_view text)> progress{};
};

/// The request was fine, but the computation did not come to its end. Bad requests throw Error.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller stopped a job of which a part means nothing.
class Interrupted : public Failure {
 public:
  Interrupted() : Failure("interrupted") {}
};

}  // namespace microslip::jobs
