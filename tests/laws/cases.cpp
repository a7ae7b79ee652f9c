#include "laws/cases.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace microslip::laws {
namespace {

template <class P>
Scales measure(const Model<P>& law) {
  State<P> to = law.rest();
  const auto force = [&](double x) {
    return magnitude(law.step(law.rest(), along_x<P>(x), 1.0, to).force);
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
double draw_number(Rng& rng, double standard, const Interval& bounds) {
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

ParameterValues draw_params(const Subject& subject, Rng& rng) {
  if (subject.samples.draw) return subject.complete(subject.samples.draw(rng));
  const ParameterValues standard = subject.complete({});
  const std::vector<Entry> all = entries(subject, standard);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    ParameterValues params = standard;
    for (const Entry& e : all) {
      double& x = entry(params, e);
      x = draw_number(rng, x, e.bounds);
    }
    try {
      subject.law.make(params, {});
      return params;
    } catch (const Error&) {  // the numbers do not go together
    }
  }
  return standard;
}

double draw_displacement(Rng& rng, double amplitude, std::size_t i, std::size_t n,
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
  std::array<std::vector<double>, most_directions> x;
  std::vector<Move<P>> path;
  for (std::size_t i = 0; i < n; ++i) {
    x[0].push_back(draw_displacement(rng, amplitude, i, n, style, x[0]));
    const double dt = rng.log_uniform(0.02, 5);
    auto u = along_x<P>(x[0].back());
    if constexpr (planar<P>)
      for (std::size_t j = 1; j < size_of<P>; ++j) {
        x[j].push_back(draw_displacement(rng, amplitude, i, n, 2, x[j]));
        u[static_cast<Eigen::Index>(j)] = x[j].back();
      }
    path.push_back({u, dt});
  }
  return path;
}

template <class P>
void leave_out_undefined_moves(Case<P>& c, const Model<P>& law) {
  State<P> state = law.rest();
  std::vector<Move<P>> path;
  for (const auto& move : c.path) try {
      law.step(state, move.u, move.dt, state);
      path.push_back(move);
    } catch (const Undefined&) {
    }
  c.path = path;
}

template <class P>
std::string show(const Case<P>& c) {
  std::string result = "\n  parameters: " + text_of(*c.subject, c.params) + "\n  path:";
  for (const auto& move : c.path) {
    result += " " + text(move.u);
    if (c.timed()) result += " in " + text(move.dt);
  }
  return result;
}

/// Leaves out and simplifies points of the path while the case still fails.
template <class P>
class Shrinker {
 public:
  Shrinker(Case<P> worst, const Check<P>& check) : worst_(std::move(worst)), check_(check) {}

  Case<P> result() {
    while (in_time()) {
      const bool shorter = leave_out_points();
      const bool simpler = simplify_points();
      if (!shorter && !simpler) break;
    }
    return worst_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool in_time() const { return Clock::now() < end_; }

  bool accept(const Case<P>& candidate) {
    if (!in_time() || check_(candidate).empty()) return false;
    worst_ = candidate;
    return true;
  }

  bool leave_out_points() {
    bool smaller = false;
    for (std::size_t block = std::max<std::size_t>(1, worst_.path.size() / 2); block > 0;
         block /= 2)
      for (std::size_t i = 0; i + block <= worst_.path.size();) {
        Case<P> candidate = worst_;
        const auto first = candidate.path.begin() + static_cast<std::ptrdiff_t>(i);
        candidate.path.erase(first, first + static_cast<std::ptrdiff_t>(block));
        if (!candidate.path.empty() && accept(candidate))
          smaller = true;
        else
          ++i;
      }
    return smaller;
  }

  bool simplify_points() {
    bool smaller = false;
    for (std::size_t i = 0; i < worst_.path.size(); ++i) {
      Case<P> candidate = worst_;
      candidate.path[i].u *= 0.5;
      // Numbers below a thousandth of the scale are not simpler to look at.
      if (magnitude(candidate.path[i].u) > 1e-3 * worst_.scale.u && accept(candidate))
        smaller = true;
      if constexpr (!planar<P>) {
        char rounded[32];
        std::snprintf(rounded, sizeof rounded, "%.2g", worst_.path[i].u);
        candidate = worst_;
        candidate.path[i].u = std::strtod(rounded, nullptr);
        if (candidate.path[i].u != worst_.path[i].u && accept(candidate)) smaller = true;
      }
    }
    return smaller;
  }

  Case<P> worst_;
  const Check<P>& check_;
  Clock::time_point end_ = Clock::now() + std::chrono::seconds(2);  // a slow check stays as it is
};

}  // namespace

template <class P>
Case<P> case_with(const Subject& subject, const ParameterValues& params, std::uint64_t seed) {
  Rng rng(seed);
  Case<P> c{&subject, subject.complete(params), {}, {}, {}, 0};
  const Model<P> law = c.law();
  c.scale = subject.samples.scale ? subject.samples.scale(law.any()) : measure(law);
  c.path = draw_path<P>(rng, c.scale);
  if (subject.samples.some_motions_undefined) leave_out_undefined_moves(c, law);
  c.seed = rng.bits();
  return c;
}

template <class P>
Case<P> draw_case(const Subject& subject, std::uint64_t seed) {
  Rng rng(seed);
  const ParameterValues params = draw_params(subject, rng);
  return case_with<P>(subject, params, rng.bits());
}

template <class P>
Fault on_random_cases(const Subject& subject, std::string_view name, std::size_t count,
                      const Check<P>& check, const ParameterValues* params) {
  const std::uint64_t seed = seed_for(base_seed(), subject.name(), 0);
  std::size_t cut_short = 0;
  const Check<P> defined = [&](const Case<P>& c) -> Fault {
    try {
      return check(c);
    } catch (const Undefined&) {
      ++cut_short;
      return subject.samples.some_motions_undefined ? "" : std::string(explain(Status::undefined));
    }
  };
  for (std::size_t i = 0; i < count; ++i) {
    Case<P> c = i == 0 ? case_with<P>(subject, {}, seed_for(seed, name, i))
                       : draw_case<P>(subject, seed_for(seed, name, i));
    if (params) c = case_with<P>(subject, *params, c.seed);
    if (defined(c).empty()) continue;
    const Case<P> small = Shrinker<P>(c, defined).result();
    return subject.name() + ", " + std::string(name) + ", case " + std::to_string(i) +
           " of MICROSLIP_SEED=" + std::to_string(base_seed()) + ": " + defined(small) +
           show(small);
  }
  if (cut_short > count / 2)
    return subject.name() + ", " + std::string(name) + ": " + std::to_string(cut_short) + " of " +
           std::to_string(count) + " cases meet a motion for which the law is undefined";
  return {};
}

std::size_t cases_instead_of(std::size_t count) {
  const char* given = std::getenv("MICROSLIP_CASES");
  if (!given) return count;
  const double wanted = std::strtod(given, nullptr) * static_cast<double>(count);
  return wanted > 1 ? static_cast<std::size_t>(wanted) : 1;
}

template Case<double> case_with(const Subject&, const ParameterValues&, std::uint64_t);
template Case<Vec2<double>> case_with(const Subject&, const ParameterValues&, std::uint64_t);
template Case<Vec<double, 3>> case_with(const Subject&, const ParameterValues&, std::uint64_t);
template Case<double> draw_case(const Subject&, std::uint64_t);
template Case<Vec2<double>> draw_case(const Subject&, std::uint64_t);
template Case<Vec<double, 3>> draw_case(const Subject&, std::uint64_t);
template Fault on_random_cases(const Subject&, std::string_view, std::size_t, const Check<double>&,
                               const ParameterValues*);
template Fault on_random_cases(const Subject&, std::string_view, std::size_t,
                               const Check<Vec2<double>>&, const ParameterValues*);
template Fault on_random_cases(const Subject&, std::string_view, std::size_t,
                               const Check<Vec<double, 3>>&, const ParameterValues*);

}  // namespace microslip::laws
