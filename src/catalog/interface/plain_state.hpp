#pragma once

#include <memory>
#include <utility>

#include "microslip/core/any_model.hpp"

namespace microslip::catalog {

/// A value as the hidden state of a model.
template <class State>
struct PlainState final : AnyState::Interface {
  State state;
  explicit PlainState(State s) : state(std::move(s)) {}
  std::unique_ptr<AnyState::Interface> clone() const override {
    return std::make_unique<PlainState>(state);
  }
  void assign(const AnyState::Interface& other) override {
    state = static_cast<const PlainState&>(other).state;
  }
  static const State& open(const AnyState& s) {
    return static_cast<const PlainState&>(s.get()).state;
  }
  static State& open(AnyState& s) { return static_cast<PlainState&>(s.get()).state; }
};

}  // namespace microslip::catalog
