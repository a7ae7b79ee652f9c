#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "laws/subject.hpp"

/// Random parameter sets and reversal paths; the search for a case that breaks a check, made small
/// before it is shown.
namespace microslip::laws {

using microslip::testing::base_seed;
using microslip::testing::seed_for;

template <class P>
struct Move {
  P u;
  double dt;
};

template <class P>
struct Case {
  const Subject* subject;
  ParameterValues params;  ///< all of them
  OptionValues options;
  Scales scale;
  std::vector<Move<P>> path;
  std::uint64_t seed;  ///< of what a check draws itself

  Model<P> law() const { return law(params); }
  Model<P> law(const ParameterValues& others) const {
    return Model<P>(subject->law.make(others, options));
  }
  bool timed() const { return subject->timed(); }
  double precision() const { return subject->samples.precision; }
};

template <class P>
Case<P> case_with(const Subject& subject, const ParameterValues& params, std::uint64_t seed);
template <class P>
Case<P> draw_case(const Subject& subject, std::uint64_t seed);

/// Empty when all is well, else what is wrong.
using Fault = std::string;
template <class P>
using Check = std::function<Fault(const Case<P>&)>;

/// Runs `check` on `count` random cases; reports the first fault on a path made small.
template <class P>
Fault on_random_cases(const Subject& subject, std::string_view name, std::size_t count,
                      const Check<P>& check, const ParameterValues* params = nullptr);

/// How many cases to run instead of `count`: MICROSLIP_CASES is a factor, 1 if not given.
std::size_t cases_instead_of(std::size_t count);

}  // namespace microslip::laws
