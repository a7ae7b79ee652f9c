// Mutated tables: whatever the bytes are, the reader gives a table or one Error of one line.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/mutation.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/csv.hpp"

namespace {

using microslip::Error;
using namespace microslip::io;

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> texts{
      "# driven: force\n# model: jenkins\nt [s],u [mm],f [kN]\n0,0.5,1e-3\n1,-0.25,2.5\n2,1.,.5\n",
      "u;f\r\n1,5;2,5\r\n-3,25;4e2\r\n",
      "t\tu\tf\n0\t1\t2\n1\t2\t3 # end\n",
      "  0.0   1.0   2.0\n  0.1   1.5   2.5\n",
      "\xef\xbb\xbfTime (s),\"Displacement, raw\",disp,note\n0,1,2,\"a \"\"b\"\" # c\"\n1,2,3,x\n",
      "1\r2\r3\r",
      "1,2\n3,4\n\n# end\n5,6",
      ""};
  return texts;
}

const std::vector<std::string>& tokens() {
  static const std::vector<std::string> texts{"nan",
                                              "-inf",
                                              "1e400",
                                              "1e-400",
                                              "1.5D3",
                                              "#",
                                              "\"",
                                              "\"\"",
                                              ",",
                                              ";",
                                              "\t",
                                              " ",
                                              "\r",
                                              "\n",
                                              "\r\n",
                                              "[",
                                              "]",
                                              "(",
                                              ")",
                                              "u",
                                              "t",
                                              "f",
                                              "+",
                                              "-",
                                              ".",
                                              "e",
                                              "1,5",
                                              "# a: b",
                                              "\xff\xfe",
                                              "\xef\xbb\xbf",
                                              "\xc2",
                                              "\xb5",
                                              "0x1p3",
                                              "99999999999999999999999",
                                              "u [",
                                              "infinity",
                                              std::string(1, '\0'),
                                              std::string(500, '9')};
  return texts;
}

void check_table(const Table& table) {
  ASSERT_GT(table.rows(), 0u);
  for (const Column& column : table.columns) {
    ASSERT_EQ(column.values.size(), table.rows());
    for (const double value : column.values) ASSERT_TRUE(std::isfinite(value));
  }
  std::size_t line = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    ASSERT_GT(table.line(row), line);
    line = table.line(row);
  }
  if (const Column* time = table.find("t")) {
    ASSERT_EQ(std::adjacent_find(time->values.begin(), time->values.end(),
                                 [](double a, double b) { return a >= b; }),
              time->values.end());
  }
}

TEST(FuzzCsv, a_table_or_an_error) {
  const std::vector<Wanted> requests{
      {}, {.required = {"f"}, .optional = {}}, {.required = {"ux", "uy"}}, {.named = {{"u", "2"}}}};
  microslip::fuzz::Mutation mutation(seeds(), tokens());
  constexpr int inputs = 20'000;
  int tables = 0;
  for (int i = 0; i < inputs; ++i) {
    const std::string text = mutation.draw(9);
    SCOPED_TRACE(testing::Message() << "input " << i << ": " << testing::PrintToString(text));
    try {
      const Table table = read_table(text, "fuzz", requests[mutation.below(requests.size())]);
      check_table(table);
      ++tables;
    } catch (const Error& error) {
      const std::string_view message = error.what();
      ASSERT_LT(message.size(), 2000u);
      ASSERT_TRUE(std::none_of(message.begin(), message.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20;
      })) << message;
    } catch (const std::exception& other) {
      FAIL() << other.what();
    }
    if (HasFatalFailure()) return;
  }
  // Both outcomes must be common, or the inputs test nothing.
  EXPECT_GT(tables, inputs / 20);
  EXPECT_LT(tables, inputs * 19 / 20);
}

}  // namespace
