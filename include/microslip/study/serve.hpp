#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/study/study.hpp"

/// Jobs for programs that ask for one set of numbers after another: samplers and optimisers.
namespace microslip::study {

/// A reply to a request over HTTP.
struct Reply {
  int status = 200;
  std::string body;  ///< JSON
};

/// UM-Bridge 1.0: studies as models, called by name. What varies is one vector, in physical units; what is
/// collected are the numbers as one vector, then each curve. Calls may be parallel.
class UmBridge {
 public:
  /// Derivatives exist where the job has exact ones: `simulate` with a law that has dual numbers and
  /// numbers made of first, last, at, max and min of f.
  explicit UmBridge(std::map<std::string, Study> models);

  /// `target` is "/Info", "/Evaluate", …; `stop` ends a run when it returns true.
  Reply answer(std::string_view method, std::string_view target, const std::string& body,
               const std::function<bool()>& stop = {}) const;

 private:
  std::map<std::string, Study> models_;
};

/// What `microslip dakota` does: a parameters file of Dakota (either format) in, the text of the results
/// file out. Throws Error for a file that is none. A run that fails gives "fail".
std::string dakota_results(const Study& study, std::string_view parameters);

}  // namespace microslip::study
