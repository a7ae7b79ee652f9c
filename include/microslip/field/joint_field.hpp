#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/detail/field/kernels.hpp"
#include "microslip/detail/numerics/parallel.hpp"
#include "microslip/field/one_joint.hpp"

namespace microslip {

/// What a step of all joints answers; an empty span is not filled.
struct FieldReply {
  std::span<double> force, tangent{}, dissipated{};
};

/// What remains of the histories of all joints; an empty span is not filled.
struct FieldSums {
  std::span<double> energy, largest_force{}, loops{};
};

struct FieldOptions {
  std::size_t threads = 0;  ///< 0: all processors
  Instructions instructions = Instructions::best;
};

/// n joints of one law, with the same parameters or each with its own: Joint, n times at once, and the
/// same numbers. The states are a structure of arrays, so that a step is as fast as the memory or uses the
/// vector instructions of the processor, chosen when the program runs.
///
/// Every trial starts from the committed states, so there is no revert to forget.
template <FieldLaw Law>
class JointField {
 public:
  using State = typename Law::State;

  /// All alike.
  JointField(const Law& law, std::size_t n, const FieldOptions& options = {})
      : laws_{law}, n_(n), options_(options) {
    set_out();
  }
  /// Each with its own parameters.
  explicit JointField(std::span<const Law> laws, const FieldOptions& options = {})
      : laws_(laws.begin(), laws.end()), n_(laws.size()), options_(options) {
    own_.resize(n_ * fields::words<Law>);
    for (std::size_t i = 0; i < n_; ++i) fields::scatter(laws_[i], own_.data(), n_, i);
    if (n_ > 1) laws_.erase(laws_.begin() + 1, laws_.end());
    set_out();
  }

  std::size_t size() const noexcept { return n_; }

  /// All joints back to rest.
  void rest() {
    for (std::size_t i = 0; i < n_; ++i) fields::scatter(law(i).rest(), committed_.data(), n_, i);
    tried_ = false;
  }

  /// The response to displacements, from the committed states. dt is for laws with time.
  Status trial(std::span<const double> u, const FieldReply& reply, double dt = 0) {
    check(u.size(), "u");
    const Status status = steps(u, reply, dt, trial_.data());
    tried_ = true;
    return status;
  }
  /// Accepts the last trial.
  void commit() noexcept {
    if (tried_) std::swap(committed_, trial_);
    tried_ = false;
  }
  /// A trial that is accepted at once.
  Status step(std::span<const double> u, const FieldReply& reply, double dt = 0) {
    check(u.size(), "u");
    tried_ = false;
    return steps(u, reply, dt, committed_.data());
  }

  /// Whole signals, of which sums are kept: one for all joints (`rows` numbers), or one each, row after
  /// row (rows · n); times `scale` of each joint, if it is not empty.
  Status run(std::span<const double> u, std::size_t rows, const FieldSums& sums,
             std::span<const double> scale = {}, double dt = 0) {
    const bool each = rows != u.size();
    if (each) check(rows == 0 ? u.size() : u.size() / rows, "u");
    if (each && u.size() != rows * n_) check(u.size(), "u");
    if (!scale.empty()) check(scale.size(), "scale");
    tried_ = false;
    const fields::Signal signal{u.data(), rows, each ? n_ : 0,
                                scale.empty() ? nullptr : scale.data(), dt};
    check_reply(sums.energy, sums.largest_force, sums.loops);
    return in_blocks([&](std::size_t begin, std::size_t end) {
      return fields::run_block<Law>({law_data(), own_data(), n_, committed_.data(), signal}, begin,
                                    end, address(sums.energy), address(sums.largest_force),
                                    address(sums.loops));
    });
  }

  State committed(std::size_t i) const noexcept {
    return fields::gather<State>(committed_.data(), n_, i);
  }
  void set_committed(std::size_t i, const State& state) noexcept {
    fields::scatter(state, committed_.data(), n_, i);
    tried_ = false;
  }
  double stored(std::size_t i) const noexcept { return law(i).stored(committed(i)); }
  Law law(std::size_t i) const noexcept {
    return own_.empty() ? laws_[0] : fields::gather<Law>(own_.data(), n_, i);
  }
  /// Bytes that a step of one joint reads and writes, with force and tangent.
  static constexpr std::size_t bytes_a_step(bool own_parameters) noexcept {
    return 2 * sizeof(State) + 3 * sizeof(double) + (own_parameters ? sizeof(Law) : 0);
  }

 private:
  void set_out() {
    committed_.resize(n_ * fields::words<State>);
    trial_.resize(committed_.size());
    if (n_ > 0) rest();
  }
  void check(std::size_t length, const char* name) const {
    if (length != n_)
      throw Error(std::string("field: ") + name + " has " + std::to_string(length) +
                  " numbers for " + std::to_string(n_) + " joints");
  }
  template <class... Spans>
  void check_reply(const Spans&... spans) const {
    ((spans.empty() ? void() : check(spans.size(), "an output")), ...);
  }
  static double* address(std::span<double> x) noexcept { return x.empty() ? nullptr : x.data(); }
  const Law* law_data() const noexcept { return laws_.data(); }
  const double* own_data() const noexcept { return own_.empty() ? nullptr : own_.data(); }

  Status steps(std::span<const double> u, const FieldReply& reply, double dt, double* to) {
    check_reply(reply.force, reply.tangent, reply.dissipated);
    return in_blocks([&](std::size_t begin, std::size_t end) {
      return fields::step_block<Law>(
          {law_data(), own_data(), n_, n_, committed_.data(), to, u.data(), dt,
           address(reply.force), address(reply.tangent), address(reply.dissipated)},
          options_.instructions, begin, end);
    });
  }

  /// The first status in the order of joints that is not ok.
  template <class Work>
  Status in_blocks(const Work& work) const {
    const std::size_t blocks = (n_ + fields::block - 1) / fields::block;
    const std::size_t threads =
        std::min(thread_count(options_.threads), std::max<std::size_t>(1, n_ / 4096));
    const std::size_t share = std::max<std::size_t>(1, (blocks + 4 * threads - 1) / (4 * threads));
    const std::size_t parts = (blocks + share - 1) / share;
    std::vector<Status> of_part(parts, Status::ok);
    in_parallel(parts, threads, [&](std::size_t part) {
      const std::size_t last = std::min(blocks, (part + 1) * share);
      for (std::size_t b = part * share; b < last; ++b) {
        const Status status = work(b * fields::block, std::min(n_, (b + 1) * fields::block));
        if (of_part[part] == Status::ok) of_part[part] = status;
      }
    });
    for (const Status status : of_part)
      if (status != Status::ok) return status;
    return Status::ok;
  }

  std::vector<Law> laws_;
  std::vector<double> own_;
  std::size_t n_;
  FieldOptions options_;
  std::vector<double> committed_, trial_;
  bool tried_ = false;
};

}  // namespace microslip
