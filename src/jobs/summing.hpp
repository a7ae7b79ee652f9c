#pragma once

#include "microslip/jobs/simulate.hpp"

namespace microslip::jobs {

/// Makes the summary of a law from its rows as they come.
class Summing {
 public:
  Summing(const SimulatedLaw& law, const SimulateRequest& request);
  void add(const Path& rows, const History& part);
  const SimulatedSummary& summary() const { return summary_; }

 private:
  void add_period_ends(double t, double energy);

  std::size_t all_rows_;
  std::optional<double> period_;
  bool goes_on_ = false;
  double begin_ = 0;                     ///< of the first period
  double before_ = 0;                    ///< energy at the beginning of the present period
  double last_t_ = 0, last_energy_ = 0;  ///< of the row before
  SimulatedSummary summary_;
};

}  // namespace microslip::jobs
