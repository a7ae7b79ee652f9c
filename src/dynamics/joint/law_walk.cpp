#include "dynamics/joint/law_walk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "microslip/core/state_numbers.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::dynamics {
namespace {

template <class Real>
Memory find_in(AnyState& state, std::vector<Real*>& numbers,
               Numbers which = Numbers::without_reversals) {
  numbers.clear();
  auto* numbered = dynamic_cast<StateNumbers<Real>*>(&state.get());
  return numbered ? numbered->find_numbers(which, numbers) : Memory::growing;
}

template <class Real>
std::vector<int*> switches_of(AnyState& state) {
  std::vector<int*> places;
  if (auto* numbered = dynamic_cast<StateNumbers<Real>*>(&state.get()))
    numbered->find_switches(places);
  return places;
}

/// False if there are not as many as the order has.
template <class Real>
bool find_ordered(AnyState& state, const std::vector<std::size_t>& order,
                  std::vector<Real*>& numbers) {
  std::vector<Real*> all;
  find_in(state, all, Numbers::with_reversals);
  if (all.size() != order.size()) return false;
  numbers.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) numbers[i] = all[order[i]];
  return true;
}

}  // namespace

LawWalk::LawWalk(const AnyModel& law, std::vector<double> preload)
    : model(law),
      dual(law.dual({})),
      before(std::move(preload)),
      rest(law.rest()),
      dual_rest(dual.rest()),
      state(rest),
      scratch(rest),
      dual_state(dual_rest),
      dual_scratch(dual_rest),
      dual_closed(dual_rest) {}

Eigen::VectorXd LawWalk::state_numbers() const {
  Eigen::VectorXd values(static_cast<Eigen::Index>(numbers.size()) - 1);
  for (Eigen::Index i = 0; i < values.size(); ++i)
    values[i] = *numbers[static_cast<std::size_t>(i) + 1];
  return values;
}

std::vector<int> LawWalk::switches() {
  std::vector<int> values;
  for (const int* place : switches_of<double>(state)) values.push_back(*place);
  return values;
}

void LawWalk::hand_switches_to_dual() {
  const std::vector<int> values = switches();
  const std::vector<int*> places = switches_of<WideDual>(dual_state);
  for (std::size_t i = 0; i < std::min(places.size(), values.size()); ++i) *places[i] = values[i];
}

bool LawWalk::find_numbers_with_reversals(AnyState& kept) {
  std::vector<double*> now, then;
  find_in(state, now, Numbers::with_reversals);
  find_in(kept, then, Numbers::with_reversals);
  if (now.size() < 2 || now.size() != then.size()) return false;
  order_.clear();
  std::vector<std::size_t> last;
  for (std::size_t i = 0; i < now.size(); ++i)
    (i > 0 && *now[i] == *then[i] ? last : order_).push_back(i);
  // A loop that repeats to the last digit says nothing about what is older.
  older = order_.size() > 1 ? static_cast<Eigen::Index>(last.size()) : 0;
  order_.insert(order_.end(), last.begin(), last.end());
  return find_again() && find_dual_again();
}

bool LawWalk::grows_without_end(AnyState& kept) {
  std::vector<double*> now, then;
  find_in(state, now, Numbers::with_reversals);
  find_in(kept, then, Numbers::with_reversals);
  return now.size() > then.size() + 64;
}

bool LawWalk::find_again() { return order_.empty() || find_ordered(state, order_, numbers); }

bool LawWalk::find_dual_again() {
  return order_.empty() || find_ordered(dual_state, order_, dual_numbers);
}

bool LawWalk::find_numbers(bool odd_loop) {
  older = 0;
  order_.clear();
  dual_state.get().assign(dual_rest.get());
  dual_scratch.get().assign(dual_rest.get());
  memory_grows = find_in(state, numbers) == Memory::growing;
  if (memory_grows && !odd_loop) return false;
  find_in(dual_state, dual_numbers);
  find_in(dual_scratch, dual_scratch_numbers);
  return numbers.size() >= 2 && numbers.size() == dual_numbers.size();
}

const Eigen::MatrixXd& LawWalk::mirror() {
  const auto size = static_cast<Eigen::Index>(numbers.size()) - 1;
  if (mirror_.rows() == size) return mirror_;
  std::vector<Parity> parities;
  if (auto* numbered = dynamic_cast<StateNumbers<double>*>(&state.get()))
    numbered->find_parities(parities);
  mirror_.setZero(size, size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const Parity parity = parities[static_cast<std::size_t>(i) + 1];
    const Eigen::Index from = parity == Parity::odd_of_next   ? i + 1
                              : parity == Parity::odd_of_last ? i - 1
                                                              : i;
    mirror_(i, from) = parity == Parity::even ? 1 : -1;
  }
  return mirror_;
}

}  // namespace microslip::dynamics
