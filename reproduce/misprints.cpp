#include "misprints.hpp"

namespace microslip::reproduce {

Outcome decided(std::vector<Misprint> misprints) {
  Outcome out;
  for (const Misprint& one : misprints) {
    const auto add = [&](const char* how, double obtained) -> Comparison& {
      out.comparisons.push_back({one.place + ", " + how + ": " + one.quantity,
                                 one.kind,
                                 one.expected,
                                 one.tolerance,
                                 obtained,
                                 false,
                                 {}});
      return out.comparisons.back();
    };
    if (one.as_printed) {
      Comparison& wrong = add("as printed", *one.as_printed);
      wrong.known_to_differ = true;
      wrong.note = one.why;
    }
    if (one.as_meant) add(one.as_printed ? "as meant" : "computed", *one.as_meant);
  }
  out.misprints = std::move(misprints);
  return out;
}

}  // namespace microslip::reproduce
