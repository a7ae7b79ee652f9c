#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace microslip {

/// Working numbers of one call: on the stack up to `Inline` of them, so that a step allocates
/// nothing; beyond, on the heap. Null when the memory is not to be had.
template <class T, std::size_t Inline>
class Scratch {
 public:
  explicit Scratch(std::size_t n) noexcept : size_(n) {
    void* room = n <= Inline
                     ? static_cast<void*>(inside_)
                     : ::operator new(n * sizeof(T), std::align_val_t(alignof(T)), std::nothrow);
    data_ = static_cast<T*>(room);
    if (data_) std::uninitialized_default_construct_n(data_, n);
  }
  ~Scratch() {
    if (data_) std::destroy_n(data_, size_);
    if (data_ && size_ > Inline) ::operator delete(data_, std::align_val_t(alignof(T)));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  T* data() noexcept { return data_; }

 private:
  std::size_t size_;
  T* data_;
  alignas(T) std::byte inside_[Inline * sizeof(T)];
};

}  // namespace microslip
