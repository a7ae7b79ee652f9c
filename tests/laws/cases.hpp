#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "laws/subject.hpp"
#include "support/random.hpp"

/// Random parameter sets and reversal paths; the search for a case that breaks a check, made small
/// before it is shown.
namespace microslip::laws {

using microslip::testing::base_seed;
using microslip::testing::Rng;
using microslip::testing::seed_for;

/// Sizes that make numbers comparable: a displacement at which the law has clearly softened, and
/// the force it carries there.
struct Scales {
  double u = 1, f = 1;
  double k() const { return f / u; }
  double energy() const { return f * u; }
};

/// What a law may say about its own tests, in tests/laws/samples/<header>.hpp. All is optional:
///   static Params draw(Rng&)                                  random parameters
///   static std::vector<Params> sets(std::string_view claim, bool holding)
///                                    for a claim that depends: parameters where it (does not) hold
///   static constexpr double precision     of an error-controlled step, relative; 1e-10 if not
///   given
///   static Scales scale(const Params&)    where the force alone does not tell them
///   static constexpr bool kinks_depend_on_velocity = true    so that next_kink cannot tell them
///   static constexpr bool jumps           if the force jumps when the motion reverses
///   static constexpr std::size_t effort   the number of random cases is divided by it: for a law
///                                         whose step is a quadrature
///   static constexpr bool trembling_matters   if the smallest reversal changes what follows
/// Specialised for the law over double.
template <class M>
struct Samples {};
template <class L>
using SamplesOf = Samples<ModelOf<L>>;

template <class L>
constexpr double precision() {
  if constexpr (requires { SamplesOf<L>::precision; })
    return SamplesOf<L>::precision;
  else
    return 1e-10;
}

/// The force jumps when the motion reverses or first starts.
template <class L>
constexpr bool jumps() {
  return requires { SamplesOf<L>::jumps; };
}

template <class L>
constexpr std::size_t effort() {
  if constexpr (requires { SamplesOf<L>::effort; })
    return SamplesOf<L>::effort;
  else
    return 1;
}

/// A reversal leaves its trace however small it is.
template <class L>
constexpr bool trembling_matters() {
  return requires { SamplesOf<L>::trembling_matters; };
}

template <class P>
struct Move {
  P u;
  double dt;
};

template <class L>
struct Case {
  using P = Point<ModelOf<L>>;
  ParamsOf<L> params;
  OptionsOf<L> options;
  Scales scale;
  std::vector<Move<P>> path;
  std::uint64_t seed;  ///< of what a check draws itself

  ModelOf<L> law() const { return ModelOf<L>(params, options); }
};

template <class M>
Point<M> along_x(double x) {
  if constexpr (PlanarLaw<M>)
    return Point<M>(x, 0);
  else
    return x;
}

template <class M>
Scales measure(const M& law) {
  const auto force = [&](double x) {
    auto to = law.rest();
    return magnitude(step(law, law.rest(), along_x<M>(x), 1.0, to).force);
  };
  Scales scale;
  const double elastic = force(1e-9) / 1e-9;
  for (double u = 1e-6; u < 1e6; u *= 1.5)
    if (force(u) / u < 0.7 * elastic) {
      scale.u = u;
      break;
    }
  scale.f = 0;
  for (int i = 1; i <= 5; ++i) scale.f = std::max(scale.f, force(i * scale.u));
  if (!(scale.f > 0) || !std::isfinite(scale.f)) scale.f = 1;
  return scale;
}

/// Around the default, inside the bounds; now and then the default or a closed bound itself.
inline double draw_number(Rng& rng, double standard, const Interval& bounds) {
  if (rng.chance(0.1)) return standard;
  if (!bounds.lo_open && std::isfinite(bounds.lo) && rng.chance(0.1)) return bounds.lo;
  if (!bounds.hi_open && std::isfinite(bounds.hi) && rng.chance(0.1)) return bounds.hi;
  if (std::isfinite(bounds.lo) && std::isfinite(bounds.hi)) {
    const double margin = 0.02 * (bounds.hi - bounds.lo);
    return rng.uniform(bounds.lo + margin, bounds.hi - margin);
  }
  for (int attempt = 0; attempt < 100; ++attempt) {
    double x = standard != 0 ? standard * rng.log_uniform(0.2, 5) : rng.uniform(-1, 1);
    if (rng.chance(0.3)) x = -x;
    if (bounds.contains(x)) return x;
  }
  return standard;
}

template <class L>
ParamsOf<L> draw_params(Rng& rng) {
  if constexpr (requires { SamplesOf<L>::draw(rng); }) {
    return SamplesOf<L>::draw(rng);
  } else {
    for (int attempt = 0; attempt < 1000; ++attempt) {
      ParamsOf<L> params{};
      for_each_entry(params, [&](const std::string&, const Interval& bounds, double& x) {
        x = draw_number(rng, x, bounds);
      });
      try {
        ModelOf<L> law(params);
        return params;
      } catch (const Error&) {  // the numbers do not go together
      }
    }
    return {};
  }
}

inline double draw_displacement(Rng& rng, double amplitude, std::size_t i, std::size_t n,
                                std::size_t style, const std::vector<double>& earlier) {
  if (rng.chance(0.04)) return 0;
  if (!earlier.empty() && rng.chance(0.08)) return earlier[rng.below(earlier.size())];
  if (!earlier.empty() && rng.chance(0.04)) return -earlier[rng.below(earlier.size())];
  const double rank = static_cast<double>(i + 1) / static_cast<double>(n);
  const double side = i % 2 == 0 ? 1 : -1;
  if (style == 0) return side * amplitude * (1.02 - rank);  // nested loops
  if (style == 1) return side * amplitude * rank;           // growing loops
  if (style == 2) return amplitude * rng.uniform(-1, 1);
  return (earlier.empty() ? 0 : earlier.back()) + amplitude * rng.uniform(-0.4, 0.4);  // a walk
}

template <class P>
std::vector<Move<P>> draw_path(Rng& rng, const Scales& scale) {
  const std::size_t n = 2 + rng.below(14);
  const std::size_t style = rng.below(4);
  const double amplitude = scale.u * rng.log_uniform(0.1, 10);
  std::vector<double> x, y;
  std::vector<Move<P>> path;
  for (std::size_t i = 0; i < n; ++i) {
    x.push_back(draw_displacement(rng, amplitude, i, n, style, x));
    const double dt = rng.log_uniform(0.02, 5);
    if constexpr (std::is_same_v<P, double>) {
      path.push_back({x.back(), dt});
    } else {
      y.push_back(draw_displacement(rng, amplitude, i, n, 2, y));
      path.push_back({P(x.back(), y.back()), dt});
    }
  }
  return path;
}

template <class L>
Scales scales_of(const ParamsOf<L>& params) {
  if constexpr (requires { SamplesOf<L>::scale(params); })
    return SamplesOf<L>::scale(params);
  else
    return measure(ModelOf<L>(params));
}

template <class L>
Case<L> case_with(const ParamsOf<L>& params, std::uint64_t seed) {
  Rng rng(seed);
  Case<L> c{params, {}, scales_of<L>(params), {}, 0};
  c.path = draw_path<typename Case<L>::P>(rng, c.scale);
  c.seed = rng.bits();
  return c;
}

template <class L>
Case<L> draw_case(std::uint64_t seed) {
  Rng rng(seed);
  const ParamsOf<L> params = draw_params<L>(rng);
  return case_with<L>(params, rng.bits());
}

/// Empty when all is well, else what is wrong.
using Fault = std::string;

template <class L>
std::string show(const Case<L>& c) {
  std::string result = "\n  parameters: " + text_of(c.params) + "\n  path:";
  for (const auto& move : c.path) {
    result += " " + text(move.u);
    if constexpr (RateDependentLaw<ModelOf<L>>) result += " in " + text(move.dt);
  }
  return result;
}

/// Leaves out and simplifies points of the path while the case still fails.
template <class L, class StillFails>
Case<L> shrink(Case<L> worst, StillFails&& still_fails) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(2);  // a slow check is shown as it is
  const auto accept = [&](const Case<L>& candidate) {
    if (Clock::now() > end || !still_fails(candidate)) return false;
    worst = candidate;
    return true;
  };
  for (bool smaller = true; smaller && Clock::now() < end;) {
    smaller = false;
    for (std::size_t block = std::max<std::size_t>(1, worst.path.size() / 2); block > 0; block /= 2)
      for (std::size_t i = 0; i + block <= worst.path.size();) {
        Case<L> candidate = worst;
        const auto first = candidate.path.begin() + static_cast<std::ptrdiff_t>(i);
        candidate.path.erase(first, first + static_cast<std::ptrdiff_t>(block));
        if (!candidate.path.empty() && accept(candidate))
          smaller = true;
        else
          ++i;
      }
    for (std::size_t i = 0; i < worst.path.size(); ++i) {
      Case<L> candidate = worst;
      candidate.path[i].u *= 0.5;
      // Numbers below a thousandth of the scale are not simpler to look at.
      if (magnitude(candidate.path[i].u) > 1e-3 * worst.scale.u && accept(candidate))
        smaller = true;
      if constexpr (std::is_same_v<typename Case<L>::P, double>) {
        char rounded[32];
        std::snprintf(rounded, sizeof rounded, "%.2g", worst.path[i].u);
        candidate = worst;
        candidate.path[i].u = std::strtod(rounded, nullptr);
        if (candidate.path[i].u != worst.path[i].u && accept(candidate)) smaller = true;
      }
    }
  }
  return worst;
}

/// Runs `check` on `count` random cases; reports the first fault on a path made small.
template <class L, class Check>
Fault on_random_cases(std::string_view name, std::size_t count, const Check& check) {
  const std::uint64_t seed = seed_for(base_seed(), ModelOf<L>::info.name, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const Case<L> c = i == 0 ? case_with<L>(ParamsOf<L>{}, seed_for(seed, name, i))
                             : draw_case<L>(seed_for(seed, name, i));
    if (check(c).empty()) continue;
    const Case<L> small =
        shrink(c, [&](const Case<L>& candidate) { return !check(candidate).empty(); });
    return std::string(ModelOf<L>::info.name) + ", " + std::string(name) + ", case " +
           std::to_string(i) + " of MICROSLIP_SEED=" + std::to_string(base_seed()) + ": " +
           check(small) + show(small);
  }
  return {};
}

}  // namespace microslip::laws
