#pragma once

/// The loops over joints, compiled for several sets of instructions. None of them may contract a product
/// and a sum into one rounding, or the sets would differ: units that instantiate these are compiled with
/// -ffp-contract=off (the widest set is left out elsewhere).

#include <algorithm>
#include <array>
#include <cstddef>

#include "microslip/core/error.hpp"
#include "microslip/field/one_joint.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define MICROSLIP_INSTRUCTION_SETS 1
#else
#define MICROSLIP_INSTRUCTION_SETS 0
#endif

namespace microslip {

/// Which instructions a field uses; `best` is what the processor has. The numbers are the same.
enum class Instructions { best, baseline, avx2, avx512 };

namespace fields {

/// Joints that are done together.
inline constexpr std::size_t block = 256;

template <class Law>
struct Steps {
  const Law* law;
  const double* own;  ///< parameters of each, or null
  std::size_t own_stride, stride;
  const double* from;
  double* to;
  const double* u;
  double dt;
  double *force, *tangent, *dissipated;
};

template <class Law, bool own>
[[gnu::always_inline]] inline Status step_rows(const Steps<Law>& job, std::size_t count) noexcept {
  using State = typename Law::State;
  const double* __restrict from = job.from;
  const double* __restrict u = job.u;
  const double* __restrict params = job.own;
  double* __restrict force = job.force;
  double* __restrict tangent = job.tangent;
  double* __restrict dissipated = job.dissipated;
  double* to = job.to;
  const std::size_t stride = job.stride;
  const double dt = job.dt;
  int worst = 0;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < count; ++i) {
    State state = gather<State>(from, stride, i);
    Response<double> reply{};
    if constexpr (own) {
      const Law law = gather<Law>(params, job.own_stride, i);
      reply = step(law, state, u[i], dt, state);
    } else {
      reply = step(*job.law, state, u[i], dt, state);
    }
    scatter(state, to, stride, i);
    force[i] = reply.force;
    tangent[i] = reply.tangent;
    dissipated[i] = reply.dissipated;
    worst = std::max(worst, static_cast<int>(reply.status));
  }
  return static_cast<Status>(worst);
}

template <class Law, bool own>
[[gnu::flatten]] Status step_baseline(const Steps<Law>& job, std::size_t count) noexcept {
  return step_rows<Law, own>(job, count);
}
#if MICROSLIP_INSTRUCTION_SETS
template <class Law, bool own>
[[gnu::flatten, gnu::target("avx2")]] Status step_avx2(const Steps<Law>& job,
                                                       std::size_t count) noexcept {
  return step_rows<Law, own>(job, count);
}
#ifdef MICROSLIP_NO_CONTRACTION
template <class Law, bool own>
[[gnu::flatten, gnu::target("avx512f,avx512dq,avx512vl,prefer-vector-width=512")]] Status
step_avx512(const Steps<Law>& job, std::size_t count) noexcept {
  return step_rows<Law, own>(job, count);
}
#endif
#endif

/// What this processor and this build have, at most `wanted`.
inline Instructions available(Instructions wanted) {
#if MICROSLIP_INSTRUCTION_SETS
  const bool any = wanted == Instructions::best;
#ifdef MICROSLIP_NO_CONTRACTION
  if ((any || wanted == Instructions::avx512) && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Instructions::avx512;
#endif
  if ((any || wanted == Instructions::avx512 || wanted == Instructions::avx2) &&
      __builtin_cpu_supports("avx2"))
    return Instructions::avx2;
#endif
  static_cast<void>(wanted);
  return Instructions::baseline;
}

template <class Law, bool own>
Status step_some(const Steps<Law>& job, Instructions set, std::size_t count) noexcept {
  switch (set) {
#if MICROSLIP_INSTRUCTION_SETS
#ifdef MICROSLIP_NO_CONTRACTION
    case Instructions::avx512:
      return step_avx512<Law, own>(job, count);
#endif
    case Instructions::avx2:
      return step_avx2<Law, own>(job, count);
#endif
    default:
      return step_baseline<Law, own>(job, count);
  }
}

/// Joints [begin, end) of a field, at most `block` of them.
template <class Law>
Status step_block(Steps<Law> job, Instructions wanted, std::size_t begin,
                  std::size_t end) noexcept {
  std::array<double, block> unasked[3];
  job.from += begin;
  job.to += begin;
  job.u += begin;
  job.force = job.force ? job.force + begin : unasked[0].data();
  job.tangent = job.tangent ? job.tangent + begin : unasked[1].data();
  job.dissipated = job.dissipated ? job.dissipated + begin : unasked[2].data();
  const Instructions set = available(wanted);
  if (!job.own) return step_some<Law, false>(job, set, end - begin);
  job.own += begin;
  return step_some<Law, true>(job, set, end - begin);
}

template <class Law>
struct Histories {
  const Law* law;
  const double* own;
  std::size_t stride;
  double* states;
  Signal signal;
};

/// Whole signals, joint after joint: a state stays in registers. (Row after row, with vectors of joints, took as
/// long for jenkins and longer for all others: most of them choose a branch in every step.)
template <class Law>
Status run_block(const Histories<Law>& job, std::size_t begin, std::size_t end, double* energy,
                 double* largest_force, double* loops) noexcept {
  using State = typename Law::State;
  int worst = 0;
  const auto run = [&](const Law& law, std::size_t i) {
    State state = gather<State>(job.states, job.stride, i);
    Sums sums;
    for (std::size_t row = 0; row < job.signal.rows; ++row) {
      const double u = job.signal.at(row, i), motion = u - state.u;
      const Response<double> reply = step(law, state, u, job.signal.dt, state);
      sums.add(reply, motion);
      worst = std::max(worst, static_cast<int>(reply.status));
    }
    scatter(state, job.states, job.stride, i);
    if (energy) energy[i] = sums.energy;
    if (largest_force) largest_force[i] = sums.largest_force;
    if (loops) loops[i] = sums.reversals / 2;
  };
  for (std::size_t i = begin; i < end; ++i) {
    if (job.own)
      run(gather<Law>(job.own, job.stride, i), i);
    else
      run(*job.law, i);
  }
  return static_cast<Status>(worst);
}

}  // namespace fields
}  // namespace microslip
