#include <csignal>

#include "command.hpp"

namespace cli {
namespace slow_simulate_test {

class Large : public CommandTest {};

TEST_F(Large, a_million_rows) {
  std::string load = "t,u\n";
  for (int i = 0; i < 1'000'000; ++i)
    load += std::to_string(i) + "," + std::to_string((i % 2003) * 7919 % 2003 - 1001) + "e-3\n";
  write("load.csv", load);
  const Outcome o = run({"simulate", "iwan4", "--input", "load.csv", "-o", "a.csv"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(column(read("a.csv"), "energy").size(), 1'000'000u);

  // The same in two halves, which are cut at another place than the pieces of one run.
  const auto middle = load.find("\n400001,") + 1;
  write("first.csv", load.substr(0, middle));
  write("second.csv", "t,u\n" + load.substr(middle));
  run({"simulate", "iwan4", "--input", "first.csv", "-o", "b.csv", "--save-state", "x"});
  run({"simulate", "--resume", "x", "--input", "second.csv", "-o", "c.csv"});
  const std::string b = without_comments(read("b.csv")), c = without_comments(read("c.csv"));
  EXPECT_TRUE(b + c.substr(c.find('\n') + 1) == without_comments(read("a.csv")));
}

// Wherever the signal arrives, the folder holds the old file or the new one and nothing else.
TEST_F(Large, an_interrupt_leaves_nothing_half_written) {
  int interrupted = 0;
  for (const int signal : {SIGINT, SIGTERM}) {
    for (const int ms : {0, 100, 400, 1000}) {
      write("a.csv", "old");
      const Outcome o =
          run(Call{.words = {"simulate", "iwan4", "bouc-wen", "-q", "--signal", "sin(t)+sin(1.7*t)",
                             "--until", "20000", "--step", "0.01", "-o", "a.csv"},
                   .signal = signal,
                   .delay_ms = ms});
      EXPECT_EQ(files(), std::vector<std::string>{"a.csv"});
      if (o.code == 0) continue;
      EXPECT_EQ(o.code, 128 + signal);
      EXPECT_EQ(read("a.csv"), "old");
      ++interrupted;
    }
  }
  EXPECT_GE(interrupted, 2);  // those without delay, at least
}

}  // namespace slow_simulate_test
}  // namespace cli
