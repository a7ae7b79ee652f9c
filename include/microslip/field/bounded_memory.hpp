#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "microslip/core/concepts.hpp"
#include "microslip/detail/kernels/bounded_points.hpp"

namespace microslip {

template <class Law>
using BackboneOf = std::remove_cvref_t<decltype(std::declval<const Law&>().backbone())>;

/// A law of Masing's rules (iwan4, ramberg-osgood, slip-front, …) with a state of fixed size: `capacity`
/// reversals. Exact until a history nests more of them; what happens then is defined and counted, see
/// BoundedPoints. Eight reversals are four loops inside each other.
template <class Law, std::size_t capacity = 8>
class BoundedMemory
    : public MasingLaw<
          BackboneOf<Law>,
          MasingState<typename Law::Scalar, BoundedPoints<typename Law::Scalar, capacity>>> {
  using Base = typename BoundedMemory::MasingLaw;

 public:
  using Params = typename Law::Params;
  using Options = NoOptions;
  static constexpr Info info = Law::info;

  explicit constexpr BoundedMemory(const Params& params, const Options& = {})
      : Base(Law(params).backbone()) {}
  constexpr BoundedMemory(const Params& params, const Options&, WereChecked) noexcept
      : Base(Law(params, typename Law::Options{}, were_checked).backbone()) {}
};

}  // namespace microslip
