#pragma once

/// JointField on a GPU, for files that nvcc compiles (-std=c++20 --expt-relaxed-constexpr). The laws are the
/// same templates.

#if defined(__CUDACC__)

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/field/one_joint.hpp"

namespace microslip {
namespace gpu {

inline void check(cudaError_t answer, const std::string& what) {
  if (answer != cudaSuccess)
    throw Error("GPU: " + what + " failed: " + std::string(cudaGetErrorString(answer)));
}

/// Numbers in the memory of the card.
template <class T>
class Array {
 public:
  Array() = default;
  explicit Array(std::size_t count) : count_(count) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)),
          "taking " + std::to_string(count * sizeof(T)) + " bytes");
  }
  explicit Array(std::span<const T> from) : Array(from.size()) {
    check(cudaMemcpy(data_, from.data(), from.size_bytes(), cudaMemcpyHostToDevice), "copying");
  }
  Array(Array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Array() { cudaFree(data_); }

  T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return count_; }
  /// Waits for what the card is doing.
  std::vector<T> fetched() const {
    std::vector<T> all(count_);
    check(cudaMemcpy(all.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "copying");
    return all;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// Arrays in the memory of the card, one number a joint; null where none is wanted.
struct Reply {
  double *force = nullptr, *tangent = nullptr, *dissipated = nullptr;
};
struct SumsReply {
  double *energy = nullptr, *largest_force = nullptr, *loops = nullptr;
};

inline constexpr unsigned block = 256;

template <class Law, bool own>
__global__ void __launch_bounds__(block)
    step_kernel(const __grid_constant__ Law shared, const double* params, std::size_t n,
                const double* from, double* to, const double* u, double dt, Reply reply,
                int* worst) {
  using State = typename Law::State;
  const std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.x;
  if (i >= n) return;
  State state = fields::gather<State>(from, n, i);
  Response<double> answer{};
  if constexpr (own) {
    const Law law = fields::gather<Law>(params, n, i);
    answer = fields::step(law, state, u[i], dt, state);
  } else {
    answer = fields::step(shared, state, u[i], dt, state);
  }
  fields::scatter(state, to, n, i);
  if (reply.force) reply.force[i] = answer.force;
  if (reply.tangent) reply.tangent[i] = answer.tangent;
  if (reply.dissipated) reply.dissipated[i] = answer.dissipated;
  if (answer.status != Status::ok) atomicMax(worst, static_cast<int>(answer.status));
}

template <class Law, bool own>
__global__ void __launch_bounds__(block)
    run_kernel(const __grid_constant__ Law shared, const double* params, std::size_t n,
               double* states, fields::Signal signal, SumsReply reply, int* worst) {
  using State = typename Law::State;
  const std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.x;
  if (i >= n) return;
  State state = fields::gather<State>(states, n, i);
  fields::Sums sums;
  int status = 0;
  const auto rows = [&](const Law& law) {
    for (std::size_t row = 0; row < signal.rows; ++row) {
      const double u = signal.at(row, i), motion = u - state.u;
      const Response<double> answer = fields::step(law, state, u, signal.dt, state);
      sums.add(answer, motion);
      status = max(status, static_cast<int>(answer.status));
    }
  };
  if constexpr (own)
    rows(fields::gather<Law>(params, n, i));
  else
    rows(shared);
  fields::scatter(state, states, n, i);
  if (reply.energy) reply.energy[i] = sums.energy;
  if (reply.largest_force) reply.largest_force[i] = sums.largest_force;
  if (reply.loops) reply.loops[i] = sums.reversals / 2;
  if (status != 0) atomicMax(worst, status);
}

template <class State>
__global__ void __launch_bounds__(block)
    rest_kernel(const __grid_constant__ State state, double* states, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.x;
  if (i < n) fields::scatter(state, states, n, i);
}

}  // namespace gpu

/// n joints on the card. States and parameters stay there between steps; u and the answers are arrays in
/// its memory. All work goes to one stream, in order, and returns at once.
template <FieldLaw Law>
class DeviceField {
 public:
  using State = typename Law::State;

  /// All alike.
  DeviceField(const Law& law, std::size_t n, cudaStream_t stream = nullptr)
      : law_(law), n_(n), stream_(stream) {
    set_out();
  }
  /// Each with its own parameters.
  explicit DeviceField(std::span<const Law> laws, cudaStream_t stream = nullptr)
      : law_(laws.front()), n_(laws.size()), stream_(stream) {
    std::vector<double> params(n_ * fields::words<Law>);
    for (std::size_t i = 0; i < n_; ++i) fields::scatter(laws[i], params.data(), n_, i);
    own_ = gpu::Array<double>(std::span<const double>(params));
    set_out();
  }

  std::size_t size() const noexcept { return n_; }

  /// All joints back to rest.
  void rest() {
    gpu::rest_kernel<State><<<grid(), gpu::block, 0, stream_>>>(law_.rest(), committed_.data(), n_);
    launched();
    tried_ = false;
  }
  void trial(const double* u, const gpu::Reply& reply, double dt = 0) {
    if (trial_.size() == 0) trial_ = gpu::Array<double>(committed_.size());
    steps(u, reply, dt, trial_.data());
    tried_ = true;
  }
  /// Accepts the last trial.
  void commit() noexcept {
    if (tried_) std::swap(committed_, trial_);
    tried_ = false;
  }
  /// A trial that is accepted at once.
  void step(const double* u, const gpu::Reply& reply, double dt = 0) {
    tried_ = false;
    steps(u, reply, dt, committed_.data());
  }
  /// Whole signals, of which sums are kept; see fields::Signal.
  void run(const fields::Signal& signal, const gpu::SumsReply& sums) {
    tried_ = false;
    if (own_.size() > 0)
      gpu::run_kernel<Law, true><<<grid(), gpu::block, 0, stream_>>>(
          law_, own_.data(), n_, committed_.data(), signal, sums, worst_.data());
    else
      gpu::run_kernel<Law, false><<<grid(), gpu::block, 0, stream_>>>(
          law_, nullptr, n_, committed_.data(), signal, sums, worst_.data());
    launched();
  }
  /// Waits for the work so far. The status of a joint that is not ok, since rest.
  Status status() const {
    gpu::check(cudaStreamSynchronize(stream_), "a step");
    return static_cast<Status>(worst_.fetched().front());
  }
  /// Waits, and fetches the state of one joint.
  State committed(std::size_t i) const {
    gpu::check(cudaStreamSynchronize(stream_), "a step");
    double numbers[fields::words<State>];
    for (std::size_t k = 0; k < fields::words<State>; ++k)
      gpu::check(cudaMemcpy(numbers + k, committed_.data() + k * n_ + i, sizeof(double),
                            cudaMemcpyDeviceToHost),
                 "copying");
    return fields::gather<State>(numbers, 1, 0);
  }

 private:
  unsigned grid() const noexcept {
    return static_cast<unsigned>((n_ + gpu::block - 1) / gpu::block);
  }
  void launched() const { gpu::check(cudaGetLastError(), "starting a kernel"); }
  void set_out() {
    if (n_ == 0 || n_ > std::size_t{0x7fffffff} * gpu::block)
      throw Error("GPU: a field of " + std::to_string(n_) + " joints is not possible");
    committed_ = gpu::Array<double>(n_ * fields::words<State>);
    worst_ = gpu::Array<int>(1);
    gpu::check(cudaMemsetAsync(worst_.data(), 0, sizeof(int), stream_), "clearing");
    rest();
  }
  void steps(const double* u, const gpu::Reply& reply, double dt, double* to) {
    if (own_.size() > 0)
      gpu::step_kernel<Law, true><<<grid(), gpu::block, 0, stream_>>>(
          law_, own_.data(), n_, committed_.data(), to, u, dt, reply, worst_.data());
    else
      gpu::step_kernel<Law, false><<<grid(), gpu::block, 0, stream_>>>(
          law_, nullptr, n_, committed_.data(), to, u, dt, reply, worst_.data());
    launched();
  }

  Law law_;
  std::size_t n_;
  cudaStream_t stream_;
  gpu::Array<double> own_, committed_, trial_;
  gpu::Array<int> worst_;
  bool tried_ = false;
};

}  // namespace microslip

#endif
