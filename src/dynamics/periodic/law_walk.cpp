#include "dynamics/periodic/law_walk.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "microslip/core/state_numbers.hpp"

namespace microslip::dynamics {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Real>
Memory find_in(AnyState& state, std::vector<Real*>& numbers) {
  numbers.clear();
  auto* told = dynamic_cast<StateNumbers<Real>*>(&state.get());
  return told ? told->find_numbers(numbers) : Memory::growing;
}

}  // namespace

LawWalk::LawWalk(const AnyModel& law, std::vector<double> preload)
    : model(law),
      dual(law.dual({})),
      before(std::move(preload)),
      rest(law.rest()),
      state(rest),
      scratch(rest),
      dual_rest(dual.rest()),
      dual_state(dual_rest),
      dual_closed(dual_rest),
      dual_scratch(dual_rest) {}

Eigen::VectorXd LawWalk::state_numbers() const {
  Eigen::VectorXd values(static_cast<Eigen::Index>(numbers.size()) - 1);
  for (Eigen::Index i = 0; i < values.size(); ++i)
    values[i] = *numbers[static_cast<std::size_t>(i) + 1];
  return values;
}

bool LawWalk::find_numbers(bool odd_loop) {
  dual_state.get().assign(dual_rest.get());
  dual_scratch.get().assign(dual_rest.get());
  memory_grows = find_in(state, numbers) == Memory::growing;
  if (memory_grows && !odd_loop) return false;
  find_in(dual_state, dual_numbers);
  find_in(dual_scratch, dual_scratch_numbers);
  return numbers.size() >= 2 && numbers.size() == dual_numbers.size();
}

void LawWalk::find_mirror(double u) {
  const double slowly = infinity;
  std::vector<double*> there;
  const auto at = [&](double place) {
    model.step(rest, place, slowly, scratch);
    find_in(scratch, there);
    Eigen::VectorXd values(static_cast<Eigen::Index>(there.size()) - 1);
    for (Eigen::Index i = 0; i < values.size(); ++i)
      values[i] = *there[static_cast<std::size_t>(i) + 1];
    return values;
  };
  const Eigen::VectorXd forth = at(u), back = at(-u);
  mirror.resize(forth.size());
  for (Eigen::Index i = 0; i < forth.size(); ++i)
    mirror[i] = std::abs(forth[i] - back[i]) < std::abs(forth[i] + back[i]) ? 1 : -1;
}

}  // namespace microslip::dynamics
