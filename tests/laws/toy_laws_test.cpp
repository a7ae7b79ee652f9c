// The law checker on sound laws of the rate-dependent and the planar concept.
#include "laws/toy_laws.hpp"

#include <gtest/gtest.h>

#include "laws/cases.hpp"
#include "laws/check_law.hpp"

namespace microslip::laws {
namespace toy_laws_test {

Subject with_time() {
  return {catalog::make_entry<ToyKelvinVoigt>(), {.law = ToyKelvinVoigt<double>::info.name}};
}

Subject in_the_plane() {
  return {catalog::make_entry<ToyPlanarSpring>(),
          {.law = ToyPlanarSpring<double>::info.name,
           .sets = [](std::string_view, bool holding) -> Sets {
             return {{{"ratio", holding ? 1.0 : 2.0}}};
           }}};
}

[[maybe_unused]] const bool registered = [] {
  check_law(with_time());
  check_law(in_the_plane());
  return true;
}();

static_assert(RateDependentLaw<ToyKelvinVoigt<double>>);
static_assert(!RateIndependentLaw<ToyKelvinVoigt<double>>);
static_assert(VectorLaw<ToyPlanarSpring<double>>);
static_assert(RateIndependentLaw<Jenkins<double>> && !RateDependentLaw<Jenkins<double>>);
static_assert(RateDependentLaw<Timeless<Jenkins<double>>>);

// Behind AnyModel is the law itself, bit by bit.

TEST(Erased, with_time_is_the_law_itself) {
  const ToyKelvinVoigt<double> law({});
  ToyKelvinVoigt<double>::State own;
  const Subject subject = with_time();
  const auto c = case_with<double>(subject, {}, base_seed());
  const Model<double> model = c.law();
  State<double> state = model.rest();
  for (const auto& move : c.path) {
    const auto expected = law.step(own, move.u, move.dt, own);
    EXPECT_TRUE(same_bits(numbers(model.step(state, move.u, move.dt, state)), numbers(expected)));
    EXPECT_EQ(model.stored(state), law.stored(own));
    EXPECT_EQ(model.next_kink(state, -1), law.next_kink(own, -1));
  }
}

TEST(Erased, in_the_plane_is_the_law_itself) {
  const ToyPlanarSpring<double> law({});
  ToyPlanarSpring<double>::State own;
  const Subject subject = in_the_plane();
  const auto c = case_with<Vec2<double>>(subject, {}, base_seed());
  const Model<Vec2<double>> model = c.law();
  State<Vec2<double>> state = model.rest();
  for (const auto& move : c.path) {
    const auto expected = law.step(own, move.u, own);
    EXPECT_TRUE(same_bits(numbers(model.step(state, move.u, 0, state)), numbers(expected)));
    EXPECT_EQ(model.stored(state), law.stored(own));
  }
}

}  // namespace toy_laws_test
}  // namespace microslip::laws
