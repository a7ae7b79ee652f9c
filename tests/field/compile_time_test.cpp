#include <gtest/gtest.h>

#include "microslip/models/bouc_wen.hpp"
#include "microslip/models/bouc_wen_degrading.hpp"
#include "microslip/models/contact_planar.hpp"
#include "microslip/models/coulomb.hpp"
#include "microslip/models/dahl.hpp"
#include "microslip/models/flag.hpp"
#include "microslip/models/gap.hpp"
#include "microslip/models/iwan4.hpp"
#include "microslip/models/jenkins.hpp"
#include "microslip/models/kelvin_voigt.hpp"
#include "microslip/models/linear.hpp"
#include "microslip/models/lugre.hpp"
#include "microslip/models/maxwell.hpp"
#include "microslip/models/menegotto_pinto.hpp"
#include "microslip/models/muravskii.hpp"
#include "microslip/models/pinched.hpp"
#include "microslip/models/power.hpp"
#include "microslip/models/prager.hpp"
#include "microslip/models/reid.hpp"
#include "microslip/models/rocking.hpp"
#include "microslip/models/stribeck.hpp"
#include "microslip/models/two_state.hpp"
#include "microslip/models/two_state_normalized.hpp"
#include "microslip/models/unilateral.hpp"
#include "microslip/models/valanis.hpp"
#include "microslip/models/viscous.hpp"
#include "microslip/models/zener.hpp"

/// Laws with a state of fixed size run in the compiler: the loops below are computed there.
namespace microslip {
namespace {

struct Loop {
  double force = 0, lost = 0, gained = 0, work = 0;
};

/// Up to `amplitude`, down and up again, in steps of an eighth; with the energy balance.
template <class Law>
constexpr Loop loop(const Law& law, double amplitude) {
  typename Law::State state = law.rest();
  Loop sum;
  const double start = law.stored(state);
  for (int i = 1; i <= 40; ++i) {
    const int leg = i <= 8 ? i : i <= 24 ? 16 - i : i - 32;
    const double u = amplitude * leg / 8, du = u - state.u, before = state.f;
    Response<double> reply{};
    if constexpr (RateDependentLaw<Law>)
      reply = law.step(state, u, 0.1, state);
    else
      reply = law.step(state, u, state);
    sum.lost += reply.dissipated;
    sum.force = reply.force;
    sum.work += 0.5 * (before + reply.force) * du;
  }
  sum.gained = law.stored(state) - start;
  return sum;
}
template <template <class> class M>
constexpr Loop standard_loop(double amplitude) {
  using Law = M<double>;
  return loop(Law(typename Law::Params{}, typename Law::Options{}, were_checked), amplitude);
}

// The area of the loop of jenkins is 4φ(A − φ/k), plus A − φ/k over the virgin slip.
constexpr Loop elastoplastic = standard_loop<Jenkins>(2);
static_assert(elastoplastic.force == 1 && elastoplastic.lost == 5);
static_assert(Jenkins<double>({.k = 2, .phi = 3}).next_kink({}, 1) == 1.5);
static_assert(Jenkins<double>({.k = 2, .phi = 3}).stored({.u = 1, .f = 2}) == 1);
static_assert(standard_loop<Linear>(2).force == 2 && standard_loop<Linear>(2).lost == 0);
// Coulomb friction of 1 over a way of 5 times 2.
static_assert(standard_loop<Coulomb>(2).lost == 10);
static_assert(standard_loop<Prager>(2).lost > 0 && standard_loop<Gap>(2).lost == 0);
static_assert(standard_loop<Muravskii>(1).lost > 0 && standard_loop<Unilateral>(1).lost == 0);
static_assert(standard_loop<Viscous>(1).lost > 0 && standard_loop<KelvinVoigt>(1).lost > 0);
static_assert(standard_loop<Flag>(3).lost > 0 && standard_loop<Reid>(1).lost > 0);

// The compiler checks parameters, too: this would not compile.
//   constexpr Jenkins<double> bad({.k = -1});

template <class Law>
concept CheckedBefore = std::is_nothrow_constructible_v<Law, const typename Law::Params&,
                                                        const typename Law::Options&, WereChecked>;
static_assert(CheckedBefore<Jenkins<double>> && CheckedBefore<BoucWen<double>> &&
              CheckedBefore<TwoState<double>> && CheckedBefore<Iwan4<double>> &&
              CheckedBefore<ContactPlanar<double>> && CheckedBefore<Stribeck<double>>);

static_assert(state_size<Jenkins<double>> == StateSize::fixed);
static_assert(state_size<ContactPlanar<double>> == StateSize::fixed);
static_assert(state_size<Iwan4<double>> == StateSize::growing);
static_assert(state_size<Zener<double>> == StateSize::growing);

#if defined(__GNUC__) && !defined(__clang__)
// exp, pow and sqrt at compile time are an extension of GCC.
static_assert(standard_loop<BoucWen>(2).lost > 2);
static_assert(standard_loop<BoucWenDegrading>(2).lost > 0);
static_assert(standard_loop<LuGre>(2).lost > 0);
static_assert(standard_loop<Dahl>(2).lost > 2);
static_assert(standard_loop<TwoState>(2).lost > 0);
static_assert(standard_loop<TwoStateNormalized>(2).lost > 0);
static_assert(standard_loop<MenegottoPinto>(2).lost > 0);
static_assert(standard_loop<Maxwell>(2).lost > 0);
static_assert(standard_loop<Valanis>(0.1).lost > 0);
static_assert(standard_loop<Stribeck>(2).lost > 0);
static_assert(standard_loop<Power>(2).lost == 0);
static_assert(standard_loop<Pinched>(2).lost > 0);
static_assert(standard_loop<Rocking>(2).lost > 0);

TEST(CompileTime, TheCompilerAndTheProgramComputeTheSameLoop) {
  constexpr Loop compiled = standard_loop<TwoState>(2);
  const volatile double amplitude = 2;
  const Loop run = standard_loop<TwoState>(amplitude);
  EXPECT_NEAR(compiled.lost, run.lost, 1e-13);
  EXPECT_NEAR(compiled.force, run.force, 1e-13);
}
#endif

TEST(CompileTime, AStepOfConstantsIsTheStepOfTheProgram) {
  const volatile double amplitude = 2;
  const Loop run = standard_loop<Jenkins>(amplitude);
  EXPECT_EQ(run.force, elastoplastic.force);
  EXPECT_EQ(run.lost, elastoplastic.lost);
  EXPECT_EQ(run.gained, 0.5);
}

}  // namespace
}  // namespace microslip
