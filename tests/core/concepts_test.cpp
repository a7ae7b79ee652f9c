// What does not describe itself, or does not keep the form of the contract, is not a law.
#include "microslip/core/concepts.hpp"

#include <gtest/gtest.h>

#include "microslip/models/iwan4.hpp"
#include "microslip/models/jenkins.hpp"

namespace microslip {
namespace concepts_test {

using Sound = Jenkins<double>;
static_assert(AnyLaw<Sound> && AnyLaw<Iwan4<double>> && AnyLaw<Jenkins<Dual<3>>>);
static_assert(!RateDependentLaw<Sound> && !VectorLaw<Sound>);
static_assert(RateDependentLaw<Timeless<Sound>>);

constexpr Info without(std::string_view Info::*member) {
  Info info = Sound::info;
  info.*member = "";
  return info;
}
struct WithoutSentence : Sound {
  using Sound::Sound;
  static constexpr Info info = without(&Info::sentence);
};
struct WithoutCitation : Sound {
  using Sound::Sound;
  static constexpr Info info = without(&Info::citation);
};
struct WithoutEquation : Sound {
  using Sound::Sound;
  static constexpr Info info = without(&Info::equation);
};
static_assert(!AnyLaw<WithoutSentence> && !AnyLaw<WithoutCitation> && !AnyLaw<WithoutEquation>);

struct StepMayThrow : Sound {
  using Sound::Sound;
  Response<double> step(const State& from, const double& u, State& to) const {
    return Sound::step(from, u, to);
  }
};
static_assert(!AnyLaw<StepMayThrow>);

struct StepChangesTheLaw : Sound {
  using Sound::Sound;
  Response<double> step(const State& from, const double& u, State& to) noexcept {
    return Sound::step(from, u, to);
  }
};
static_assert(!AnyLaw<StepChangesTheLaw>);

struct WithoutKinks : Sound {
  using Sound::Sound;
  double next_kink(const State&, int) const noexcept = delete;
};
static_assert(!AnyLaw<WithoutKinks>);

struct WithoutEnergy : Sound {
  using Sound::Sound;
  double stored(const State&) const noexcept = delete;
};
static_assert(!AnyLaw<WithoutEnergy>);

struct WithoutTable : Sound {
  using Sound::Sound;
  struct Params {
    double k = 1;
  };
  explicit WithoutTable(const Params&, const Options& = {}) : Sound(Sound::Params{}) {}
};
static_assert(!AnyLaw<WithoutTable>);

/// Claims have no default: leaving one out does not compile.
static_assert(!std::is_default_constructible_v<Claim> && !std::is_default_constructible_v<Claims>);

TEST(Timeless, adds_nothing_but_an_ignored_time_step) {
  const Sound plain({.k = 2, .phi = 1});
  const Timeless<Sound> lifted({.k = 2, .phi = 1});
  auto one = plain.rest(), other = lifted.rest();
  for (const double u : {0.3, 2.0, -1.0})
    EXPECT_EQ(plain.step(one, u, one).force, lifted.step(other, u, 0.1, other).force);
}

}  // namespace concepts_test
}  // namespace microslip
