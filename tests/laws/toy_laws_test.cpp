// The law checker on sound laws of the two concepts that see time and the plane.
#include "laws/toy_laws.hpp"

#include "laws/check_law.hpp"

namespace microslip::laws {

template <>
struct Samples<ToyPlanarSpring<double>> {
  using Params = ToyPlanarSpring<double>::Params;
  static std::vector<Params> sets(std::string_view, bool holding) {
    Params p;
    p.ratio = holding ? 1 : 2;
    return {p};
  }
};

namespace {

struct KelvinVoigt {
  template <class Real>
  using Model = ToyKelvinVoigt<Real>;
};
struct PlanarSpring {
  template <class Real>
  using Model = ToyPlanarSpring<Real>;
};

[[maybe_unused]] const bool with_time = check_law<KelvinVoigt>();
[[maybe_unused]] const bool in_the_plane = check_law<PlanarSpring>();

static_assert(RateDependentLaw<ToyKelvinVoigt<double>>);
static_assert(!RateIndependentLaw<ToyKelvinVoigt<double>>);
static_assert(PlanarLaw<ToyPlanarSpring<double>>);
static_assert(RateIndependentLaw<Jenkins<double>> && !RateDependentLaw<Jenkins<double>>);
static_assert(RateDependentLaw<Timeless<Jenkins<double>>>);

}  // namespace
}  // namespace microslip::laws
