#include <csignal>
#include <cstdlib>
#include <iostream>
#include <random>

#include "command.hpp"
#include "microslip/catalog/catalog.hpp"

/// Laws with numbers at the ends of what is allowed, in random structures, records and analyses: the
/// command answers or refuses, in bounded time and memory, and a refusal is a sentence.
/// MICROSLIP_FUZZ_SEED chooses the first case, MICROSLIP_FUZZ_CASES their number.
namespace cli {
namespace slow_fuzz_test {

using microslip::Interval;
using microslip::Kind;

class Draw {
 public:
  explicit Draw(unsigned long seed) : bits_(seed) {}

  double uniform(double from, double to) {
    return from + (to - from) * static_cast<double>(bits_() >> 11) * 0x1p-53;
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(bits_() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  /// A few powers of ten, now and then very many.
  double size() { return std::pow(10.0, one_in(5) ? uniform(-15, 15) : uniform(-2, 2)); }

  /// A number that is allowed: an end, beside an end, or in between.
  double inside(const Interval& bounds) {
    const bool low = std::isfinite(bounds.lo), high = std::isfinite(bounds.hi);
    const double width = low && high ? bounds.hi - bounds.lo : 1;
    for (int attempt = 0; attempt < 20; ++attempt) {
      double x = one_in(2) ? size() : -size();
      if (low && (!high || one_in(2)))
        x = bounds.lo + (one_in(3) ? 0 : width * size());
      else if (high)
        x = bounds.hi - (one_in(3) ? 0 : width * size());
      if (bounds.contains(x)) return x;
    }
    return low && high ? 0.5 * (bounds.lo + bounds.hi) : low ? bounds.lo + 1 : bounds.hi - 1;
  }

  std::string text(double x) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", x);
    return digits;
  }

  /// A law with some of its numbers drawn.
  std::string law() {
    const auto laws = microslip::catalog::laws();
    while (true) {
      const auto& law = laws[below(laws.size())];
      if (law.description.family == microslip::Family::planar) continue;
      std::string values;
      for (const auto& parameter : law.description.parameters)
        if (parameter.kind == Kind::scalar && one_in(2))
          values +=
              (values.empty() ? "" : ",") + parameter.name + "=" + text(inside(parameter.bounds));
      return std::string(law.description.name) + (values.empty() ? "" : "(" + values + ")");
    }
  }

  std::string structure() {
    const int n = one_in(2) ? 1 : 2;
    std::string file = n == 1
                           ? "M = [" + text(size()) + "]\nK = [" + text(size()) + "]\n"
                           : "M = [1.0, " + text(size()) + "]\nK = [1.0, " + text(size()) + "]\n";
    if (!one_in(4)) file += n == 1 ? "C = [0.01]\n" : "C = [0.01, 0.02]\n";
    for (std::size_t joints = below(3), j = 0; j <= joints; ++j)
      file += "[[joint]]\nmodel = \"" + law() + "\"\nbetween = [" +
              (n == 2 && one_in(2) ? "1, 2" : "0, 1") + "]\n";
    file +=
        "[[load]]\nkind = \"harmonic\"\ndof = 1\nomega = 0.9\namplitude = " + text(size()) + "\n";
    if (one_in(3))
      file += "[[load]]\nkind = \"static\"\ndof = 1\namplitude = " + text(size()) + "\n";
    file += "[[analysis]]\noutput = \"o.csv\"\n";
    switch (below(5)) {
      case 0:
        return file + "kind = \"frequency-response\"\nharmonics = 3\nomega = [0.5, 1.5]\n";
      case 1:
        return file + "kind = \"nonlinear-mode\"\nharmonics = 3\namplitude = [0.1, 10]\n";
      case 2:
        return file + "kind = \"load-response\"\nharmonics = 3\nomega = 0.9\nlevel = [0.1, 2]\n";
      case 3:
        return file + "kind = \"time\"\nuntil = 5\n";
      default:
        return file + "kind = \"time\"\nuntil = 5\nstep = 0.1\nmethod = \"midpoint\"\n";
    }
  }

  std::string record() {
    std::string rows = "t,u\n";
    double u = 0, step = size();
    for (int i = 0; i < 60; ++i) {
      rows += std::to_string(i) + "," + text(u) + "\n";
      if (one_in(10)) step = size();
      u += step * uniform(-1, 1);
    }
    return rows;
  }

 private:
  std::mt19937_64 bits_;
};

class SlowFuzz : public CommandTest {};

unsigned long number_from(const char* name, unsigned long otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoul(text, nullptr, 10) : otherwise;
}

TEST_F(SlowFuzz, numbers_at_the_ends_of_what_is_allowed) {
  const unsigned long first = number_from("MICROSLIP_FUZZ_SEED", 1);
  const unsigned long cases = number_from("MICROSLIP_FUZZ_CASES", 400);
  for (unsigned long seed = first; seed < first + cases; ++seed) {
    Draw draw(seed);
    Call call{.words = {}, .cpu_seconds = 30, .memory_mb = 3000};
    std::string input;
    switch (draw.below(4)) {
      case 0:
        write("load.csv", draw.record());
        call.words = {"simulate", draw.law(), "--input", "load.csv", "-o", "o.csv"};
        break;
      case 1:
        call.words = {"damping", draw.law(), "--amplitudes",
                      draw.text(draw.size()) + ":" + draw.text(1e3 * draw.size()) + ":4", "--log"};
        break;
      default:
        input = draw.structure();
        write("s.toml", input);
        call.words = {"respond", "s.toml"};
    }
    std::string shown = "seed " + std::to_string(seed) + ":";
    for (const std::string& word : call.words) shown += " " + word;
    SCOPED_TRACE(shown + "\n" + input);
    const Outcome o = run(call);
    EXPECT_NE(o.code, -SIGXCPU) << "longer than " << call.cpu_seconds << " s";
    EXPECT_GE(o.code, 0) << "signal " << -o.code;
    EXPECT_LE(o.code, 2);
    if (o.code != 0) {
      EXPECT_TRUE(contains(o.err, "microslip: ")) << o.err;
    }
    EXPECT_FALSE(contains(o.err, "not enough memory")) << o.err;
  }
}

}  // namespace slow_fuzz_test
}  // namespace cli
