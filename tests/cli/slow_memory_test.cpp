#include <algorithm>
#include <cmath>
#include <random>

#include "command.hpp"

/// Where memory ends, the command ends with a sentence, whatever it is doing: matrices that were freed before
/// their new memory failed were freed again ("double free", in one of 120 places of a frequency response).
namespace cli {
namespace slow_memory_test {

class MemoryThatEnds : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::string structure = "M = [1.0, 1.0, 1.0, 1.0, 1.0]\nC = [0.1, 0, 0, 0, 0]\n";
    for (int i = 1; i <= 5; ++i)
      structure += "[[spring]]\nbetween = [" + std::to_string(i - 1) + ", " + std::to_string(i) +
                   "]\nk = 1.0\n[[joint]]\nmodel = \"jenkins(k=0.5,phi=0.3)\"\nbetween = [0, " +
                   std::to_string(i) + "]\n";
    write("five.toml",
          structure + "[[load]]\nkind = \"harmonic\"\ndof = 5\namplitude = 0.5\nomega = 0.6\n");
  }
  std::string with(const std::string& analysis) const {
    return read("five.toml") + "[[analysis]]\noutput = \"o.csv\"\n" + analysis;
  }
};

TEST_F(MemoryThatEnds, is_a_sentence_in_every_analysis_and_command) {
  write("frequency.toml",
        with("kind = \"frequency-response\"\nomega = [0.5, 0.55]\nharmonics = 5\n"));
  write("level.toml",
        with("kind = \"load-response\"\nomega = 0.5\nlevel = [0.5, 0.6]\nharmonics = 5\n"));
  write("mode.toml", with("kind = \"nonlinear-mode\"\namplitude = [0.1, 0.5]\nharmonics = 3\n"));
  write("quasi.toml", with("kind = \"quasi-static\"\namplitude = [0.1, 0.5]\n"));
  write("time.toml", with("kind = \"time\"\nuntil = 5\nstep = 0.1\n"));
  write("midpoint.toml", with("kind = \"time\"\nmethod = \"midpoint\"\nuntil = 5\nstep = 0.1\n"));
  std::string loop = "u,f\n", decay = "t,x\n";
  for (int i = 0; i < 60; ++i) {
    const double u = std::sin(0.3 * i);
    loop += std::to_string(u) + "," + std::to_string(std::clamp(2 * u, -0.7, 0.7)) + "\n";
  }
  for (int i = 0; i < 2000; ++i)
    decay += std::to_string(0.05 * i) + "," +
             std::to_string(std::exp(-0.002 * i) * std::cos(0.3 * i)) + "\n";
  write("loop.csv", loop);
  write("decay.csv", decay);
  write("plates.toml",
        "[plates]\nlength = 40\noverlap = 20\nthickness = 3\nwidth = 10\nE = 70e3\nnu = 0.33\n"
        "mesh = [16, 2]\n[contact]\nmu = 0.3\npressure = \"20\"\n[load]\n"
        "signal = \"0.025*sin(2*pi*t)\"\nuntil = 1\nstep = 0.1\n");
  write("cracks.toml",
        "random = { n = 4, seed = 7, mu = 0.4 }\n[plate]\nE = 210e3\nnu = 0.3\nlength = 10\n"
        "[load]\nstress = [30, -100, 0]\nsignal = \"sin(2*pi*t)\"\nuntil = 1\nstep = 0.1\n");
  const std::vector<std::vector<std::string>> calls{
      {"respond", "frequency.toml", "-q"},
      {"respond", "level.toml", "-q"},
      {"respond", "mode.toml", "-q"},
      {"respond", "quasi.toml", "-q"},
      {"respond", "time.toml", "-q"},
      {"respond", "midpoint.toml", "-q"},
      {"simulate", "bouc-wen", "--signal", "sin(t)", "--until", "20", "--step", "0.1", "-o",
       "s.csv"},
      {"fit", "loop.csv", "--model", "jenkins,bouc-wen", "--starts", "4", "-o", "fit.json", "-q"},
      {"loops", "loop.csv", "-o", "cycles.csv"},
      {"ringdown", "decay.csv", "-o", "modes.csv"},
      {"damping", "iwan4", "bouc-wen", "--amplitudes", "0.01:1:5", "--log", "-o", "d.csv"},
      {"joint", "plates.toml", "-o", "j.csv", "--sliders", "sliders.toml"},
      {"cracks", "cracks.toml", "-o", "c.csv", "--plot", "c.svg"},
  };
  std::mt19937 random(44);
  for (const auto& words : calls) {
    SCOPED_TRACE(words[0] + " " + words[1]);
    const auto ends_at = [&](long place) {
      Call call{words};
      call.environment = {"LD_PRELOAD=" MICROSLIP_MEMORY_THAT_ENDS,
                          "MEMORY_ENDS_AT=" + std::to_string(place)};
      return run(call);
    };
    // Beyond the last allocation nothing ends.
    long most = 256;
    while (most < 1 << 22 && ends_at(most).code != 0) most *= 2;
    for (int i = 0; i < 30; ++i) {
      const long place = std::uniform_int_distribution<long>(most / 64, most)(random);
      const Outcome outcome = ends_at(place);
      if (outcome.code == 0) continue;
      EXPECT_EQ(outcome.code, 1) << place << ": " << outcome.err;
      // Warnings may stand before it.
      EXPECT_TRUE(outcome.err.ends_with("microslip: there is not enough memory\n"))
          << place << ": " << outcome.err;
      for (const std::string& file : files())
        EXPECT_EQ(file.find(".part"), std::string::npos) << place << ": " << file;
    }
  }
}

}  // namespace slow_memory_test
}  // namespace cli
