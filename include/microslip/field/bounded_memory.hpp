#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/bounded_points.hpp"

namespace microslip {

template <class Real, std::size_t capacity>
struct BoundedMasingState {
  Real u{0};
  Real f{0};
  Real lost{0};
  int direction = 0;
  BoundedPoints<Real, capacity> reversals;

  static constexpr auto fields = std::tuple{
      state_field(&BoundedMasingState::u, "u", "L", "displacement"),
      state_field(&BoundedMasingState::f, "f", "F", "force"),
      state_field(&BoundedMasingState::lost, "lost", "F L",
                  "loss of the backbone up to the present depth", Parity::even),
      state_field(&BoundedMasingState::direction, "direction", "1", "sign of the last motion"),
      state_field(&BoundedMasingState::reversals, "reversals", "L,F,F L",
                  "reversals not yet wiped out: displacement, force, stored energy of each"),
  };
};

/// A law of Masing's rules (iwan4, ramberg-osgood, slip-front, …) with a state of fixed size: `capacity`
/// reversals. Exact until a history nests more of them; what happens then is defined and counted, see
/// BoundedPoints. Eight reversals are four loops inside each other.
template <class Law, std::size_t capacity = 8>
class BoundedMemory {
  using Backbone = std::remove_cvref_t<decltype(std::declval<const Law&>().backbone())>;

 public:
  using Scalar = typename Law::Scalar;
  using Params = typename Law::Params;
  using Options = NoOptions;
  using State = BoundedMasingState<Scalar, capacity>;
  static constexpr Info info = Law::info;

  explicit constexpr BoundedMemory(const Params& params, const Options& = {})
      : backbone_(Law(params).backbone()) {}
  constexpr BoundedMemory(const Params& params, const Options&, WereChecked) noexcept
      : backbone_(Law(params, typename Law::Options{}, were_checked).backbone()) {}

  constexpr State rest() const { return {}; }
  constexpr Response<Scalar> step(const State& from, const Scalar& u, State& to) const noexcept {
    return masing::step(backbone_, from, u, to);
  }
  constexpr Scalar stored(const State& state) const noexcept {
    return masing::stored(state, state.f);
  }
  constexpr Scalar next_kink(const State& state, int direction) const noexcept {
    return masing::next_kink(backbone_, state, direction);
  }

 private:
  Backbone backbone_;
};

}  // namespace microslip
