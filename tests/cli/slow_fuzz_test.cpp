#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
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

  /// Laws whose cost in structures is among the known limits (docs/README.md): a branch or a motion takes minutes.
  static bool slow_in_structures(const std::string& law) {
    return law == "ellipsoid" || law == "convolution" || law == "maxwell-slip";
  }

  /// A law with some of its numbers drawn.
  std::string law(bool in_structure = false) {
    const auto laws = microslip::catalog::laws();
    while (true) {
      const auto& law = laws[below(laws.size())];
      if (law.description.family == microslip::Family::planar) continue;
      if (in_structure && slow_in_structures(law.description.name)) continue;
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
      file += "[[joint]]\nmodel = \"" + law(true) + "\"\nbetween = [" +
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
    return record("t,u\n", [](double) { return std::string(); });
  }

  /// Displacements and the forces of a slider of any size, with noise of any size.
  std::string measured() {
    const double k = size(), limit = size(), noise = one_in(2) ? 0 : size();
    return record("t,u,f\n", [&](double u) {
      return "," + text(std::clamp(k * u, -limit, limit) + noise * uniform(-1, 1));
    });
  }

  /// A decay of any frequency, damping and size.
  std::string decay() {
    const double step = size(), a = size(), omega = 6 * size(), zeta = 0.1 * size();
    std::string rows = "t,x\n";
    for (int i = 0; i < 400; ++i) {
      const double t = i * step;
      rows += text(t) + "," + text(a * std::exp(-zeta * omega * t) * std::cos(omega * t)) + "\n";
    }
    return rows;
  }

  std::string cracks() {
    std::string file = "[plate]\nE = " + text(size()) + "\nnu = " + text(inside({-1, 0.5})) +
                       "\nlength = " + text(size()) + "\n";
    if (one_in(3)) {
      file += "[[crack]]\nat = [0, 0]\nhalf_length = " + text(size()) +
              "\nangle = " + text(uniform(-180, 180)) + "\nmu = " + text(inside({0, infinite})) +
              "\n";
    } else {
      file = "random = { n = " + std::to_string(1 + below(12)) +
             ", seed = " + std::to_string(1 + below(100)) +
             ", mu = " + text(inside({0, infinite})) + " }\n" + file;
    }
    return file + "[load]\nstress = [" + text(size()) + ", " + text(-size()) + ", " + text(size()) +
           "]\nsignal = \"" + text(size()) + "*sin(t)\"\nuntil = 7\nstep = 0.5\n";
  }

  std::string plates() {
    const double overlap = size();
    return "[plates]\nlength = " + text(overlap * (1 + size())) + "\noverlap = " + text(overlap) +
           "\nthickness = " + text(size()) + "\nwidth = " + text(size()) + "\nE = " + text(size()) +
           "\nnu = " + text(inside({-1, 0.5})) + "\nmesh = [16, 2]\nsupport = \"" +
           (one_in(2) ? "axial" : "bending") +
           "\"\n[contact]\nmu = " + text(inside({0, infinite})) + "\npressure = \"" + text(size()) +
           "\"\nnormal = \"" + (one_in(2) ? "tied" : "unilateral") + "\"\n[load]\nsignal = \"" +
           text(size()) + "*sin(t)\"\nuntil = 7\nstep = 0.5\n";
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  template <class Further>
  std::string record(std::string rows, const Further& further) {
    double u = 0, step = size();
    for (int i = 0; i < 60; ++i) {
      rows += std::to_string(i) + "," + text(u) + further(u) + "\n";
      if (one_in(10)) step = size();
      u += step * uniform(-1, 1);
    }
    return rows;
  }

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
    Call call{.words = {}, .memory_mb = 3000};
    std::string input;
    switch (draw.below(12)) {
      case 0:
      case 1:
        write("load.csv", draw.record());
        call.words = {"simulate", draw.law(), "--input", "load.csv", "-o", "o.csv"};
        break;
      case 2:
      case 3:
        call.words = {"damping", draw.law(), "--amplitudes",
                      draw.text(draw.size()) + ":" + draw.text(1e3 * draw.size()) + ":4", "--log"};
        break;
      case 4:
        write("record.csv", input = draw.measured());
        call.words = {"fit", "record.csv",    "--model", draw.law(), "--starts",
                      "1",   "--time-budget", "3",       "-q"};
        break;
      case 5:
        write("record.csv", input = draw.measured());
        call.words = {"loops", "record.csv", "-o", "o.csv"};
        break;
      case 6:
        write("record.csv", draw.decay());
        call.words = {"ringdown", "record.csv", "-o", "o.csv"};
        break;
      case 7:
        write("s.toml", input = draw.cracks());
        call.words = {"cracks", "s.toml", "-o", "o.csv"};
        break;
      case 8:
        write("s.toml", input = draw.plates());
        call.words = {"joint", "s.toml", "-o", "o.csv"};
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
