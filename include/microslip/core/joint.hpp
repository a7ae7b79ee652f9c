#pragma once

#include "microslip/core/concepts.hpp"

namespace microslip {

/// A law inside a host code that iterates: the committed state of the last converged step, and a
/// trial. Every trial starts from the committed state, so there is no revert to forget.
/// The law is shared, not owned; it must outlive the joint.
template <AnyLaw M>
class Joint {
 public:
  explicit Joint(const M& law) : law_(&law), committed_(law.rest()), trial_(committed_) {}

  /// Arguments of the law's step between the two states: (u), or (u, dt).
  template <class... Motion>
  auto trial(const Motion&... motion) noexcept {
    return law_->step(committed_, motion..., trial_);
  }

  /// Accepts the last trial.
  void commit() { committed_ = trial_; }

  const typename M::State& committed() const noexcept { return committed_; }
  typename M::Scalar stored() const noexcept { return law_->stored(committed_); }

 private:
  const M* law_;
  typename M::State committed_;
  typename M::State trial_;
};

}  // namespace microslip
