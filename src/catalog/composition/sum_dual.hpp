#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "microslip/core/any_dual_model.hpp"
#include "microslip/core/state_numbers.hpp"

/// Sums on dual numbers, and what both kinds of sums share.
namespace microslip::catalog {

/// The state of a sum is that of its terms. Numbers are those of all terms, each with its own u; none if a term has
/// none.
template <class Real>
struct StatesOfTerms : AnyState::Interface, StateNumbers<Real> {
  std::vector<AnyState> states;

  Memory find_numbers(Numbers which, std::vector<Real*>& numbers) override {
    numbers.clear();
    Memory memory = Memory::fixed;
    std::vector<Real*> term;
    for (AnyState& state : states) {
      term.clear();
      auto* numbered = dynamic_cast<StateNumbers<Real>*>(&state.get());
      if (numbered && numbered->find_numbers(which, term) == Memory::growing)
        memory = Memory::growing;
      if (term.empty()) {
        numbers.clear();
        break;
      }
      numbers.insert(numbers.end(), term.begin(), term.end());
    }
    return memory;
  }
  void find_switches(std::vector<int*>& switches) override {
    collect(&StateNumbers<Real>::find_switches, switches);
  }
  void find_parities(std::vector<Parity>& parities) override {
    collect(&StateNumbers<Real>::find_parities, parities);
  }
  void assign(const AnyState::Interface& other) override {
    const auto& from = static_cast<const StatesOfTerms&>(other);
    for (std::size_t i = 0; i < states.size(); ++i) states[i].get().assign(from.states[i].get());
  }

 private:
  template <class T>
  void collect(void (StateNumbers<Real>::*find)(std::vector<T>&), std::vector<T>& all) {
    all.clear();
    std::vector<T> term;
    for (AnyState& state : states)
      if (auto* numbered = dynamic_cast<StateNumbers<Real>*>(&state.get())) {
        (numbered->*find)(term);
        all.insert(all.end(), term.begin(), term.end());
      }
  }
};

/// The answers of the terms together.
template <class Reply>
void add(const Reply& part, Reply& sum) {
  sum.force += part.force;
  sum.tangent += part.tangent;
  sum.dissipated += part.dissipated;
  if (part.status != Status::ok) sum.status = part.status;
}

template <class Real>
void add(const ForceInMotion<Real>& part, ForceInMotion<Real>& sum) {
  sum.force += part.force;
  sum.by_v += part.by_v;
  if (part.status != Status::ok) sum.status = part.status;
}

class DualSum final : public AnyDualModel::Interface {
 public:
  explicit DualSum(std::vector<AnyDualModel> terms) : terms_(std::move(terms)) {}

  AnyState rest() const override {
    auto hidden = std::make_unique<Hidden>();
    for (const AnyDualModel& term : terms_) hidden->states.push_back(term.rest());
    return AnyState(std::move(hidden));
  }

  WideDual stored(const AnyState& state) const override {
    WideDual sum(0);
    for (std::size_t i = 0; i < terms_.size(); ++i) sum += terms_[i].stored(Hidden::open(state)[i]);
    return sum;
  }

  Response<WideDual> step(const AnyState& from, const WideDual& u, double dt,
                          AnyState& to) const override {
    Response<WideDual> sum{WideDual(0), WideDual(0), WideDual(0)};
    for (std::size_t i = 0; i < terms_.size(); ++i)
      add(terms_[i].step(Hidden::open(from)[i], u, dt, Hidden::open(to)[i]), sum);
    return sum;
  }

  AnyResponse<WideDual> step_vector(const AnyState& from, const AnyVec<WideDual>& u,
                                    AnyState& to) const override {
    const auto n = u.size();
    AnyResponse<WideDual> sum{AnyVec<WideDual>::Zero(n), AnyMat<WideDual>::Zero(n, n), WideDual(0)};
    for (std::size_t i = 0; i < terms_.size(); ++i)
      add(terms_[i].step(Hidden::open(from)[i], u, Hidden::open(to)[i]), sum);
    return sum;
  }

  ForceInMotion<WideDual> force(const AnyState& at, const WideDual& v) const override {
    ForceInMotion<WideDual> sum{WideDual(0), WideDual(0)};
    for (std::size_t i = 0; i < terms_.size(); ++i)
      add(terms_[i].force(Hidden::open(at)[i], v), sum);
    return sum;
  }

  WideDual next_kink(const AnyState& state, int direction) const override {
    WideDual next(direction * std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const WideDual kink = terms_[i].next_kink(Hidden::open(state)[i], direction);
      if (direction * kink.a < direction * next.a) next = kink;
    }
    return next;
  }

  Status run(std::span<const double> dt, std::span<const WideDual> u, AnyState& at,
             std::span<WideDual> f, std::span<WideDual> dissipated) const override {
    std::vector<WideDual> part(f.size()), lost(dissipated.size());
    std::fill(f.begin(), f.end(), WideDual(0));
    std::fill(dissipated.begin(), dissipated.end(), WideDual(0));
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const Status status = terms_[i].run(dt, u, Hidden::open(at)[i], part, lost);
      if (status != Status::ok) return status;
      for (std::size_t row = 0; row < f.size(); ++row) f[row] += part[row];
      for (std::size_t row = 0; row < lost.size(); ++row) dissipated[row] += lost[row];
    }
    return Status::ok;
  }

 private:
  struct Hidden final : StatesOfTerms<WideDual> {
    std::unique_ptr<AnyState::Interface> clone() const override {
      return std::make_unique<Hidden>(*this);
    }
    static const std::vector<AnyState>& open(const AnyState& s) {
      return static_cast<const Hidden&>(s.get()).states;
    }
    static std::vector<AnyState>& open(AnyState& s) { return static_cast<Hidden&>(s.get()).states; }
  };
  std::vector<AnyDualModel> terms_;
};

}  // namespace microslip::catalog
