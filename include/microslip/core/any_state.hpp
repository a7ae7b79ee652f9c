#pragma once

#include <memory>
#include <utility>

namespace microslip {

/// The state of some law, as a value whose type is hidden.
class AnyState {
 public:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::unique_ptr<Interface> clone() const = 0;
    /// Copies a state of the same law, reusing memory.
    virtual void assign(const Interface& other) = 0;
  };

  AnyState() = default;
  explicit AnyState(std::unique_ptr<Interface> state) : state_(std::move(state)) {}
  AnyState(const AnyState& other) : state_(other.state_ ? other.state_->clone() : nullptr) {}
  AnyState& operator=(const AnyState& other) {
    if (this != &other) state_ = other.state_ ? other.state_->clone() : nullptr;
    return *this;
  }
  AnyState(AnyState&&) noexcept = default;
  AnyState& operator=(AnyState&&) noexcept = default;

  Interface& get() { return *state_; }
  const Interface& get() const { return *state_; }
  explicit operator bool() const { return state_ != nullptr; }

 private:
  std::unique_ptr<Interface> state_;
};

}  // namespace microslip
