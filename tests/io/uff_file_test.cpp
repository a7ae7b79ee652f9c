#include "microslip/io/uff_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "microslip/core/error.hpp"
#include "microslip/io/record_file.hpp"

namespace microslip::io {
namespace uff_file_test {

/// A data set written as the format's definition says, by columns.
struct Set {
  std::string name = "    58";
  std::string kind =
      "    1         1    0         0       NONE        12   3       NONE         0   0";
  std::string form = "         2         4         1  0.00000E+00  2.50000E-01  0.00000E+00";
  std::string data = "  1.00000E+00 -2.00000E+00  3.00000E+00 -4.00000E+00\n";
  int quantity = 12;
  std::string unit = "m/s^2";

  std::string head() const {
    char ordinate[100];
    std::snprintf(ordinate, sizeof ordinate, "%10d    0    0    0 %-20s %-20s", quantity,
                  "sensor 1", unit.c_str());
    return "    -1\n" + name + "\nHammer\nNONE\n18-Nov-26\nNONE\nNONE\n" + kind + "\n" + form +
           "\n" + "        17    0    0    0 Time                 s                   \n" +
           ordinate +
           "\n         0    0    0    0 NONE                 NONE                \n"
           "         0    0    0    0 NONE                 NONE                \n";
  }
  std::string text() const { return head() + data + "    -1\n"; }
};

std::string message_of(const std::string& text) {
  try {
    read_uff_text(text, "x.uff");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Uff, a_record_in_time) {
  const UffFile file = read_uff_text(Set{}.text(), "x.uff");
  ASSERT_EQ(file.functions.size(), 1U);
  const UffFunction& f = file.functions[0];
  EXPECT_EQ(f.type, 1);
  EXPECT_EQ(f.titles, (std::vector<std::string>{"Hammer", "18-Nov-26"}));
  EXPECT_EQ(f.heading(), "acceleration 12+Z [m/s^2]");
  EXPECT_EQ(f.abscissa.unit, "s");
  EXPECT_EQ(f.x, (std::vector<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(f.values[3], std::complex<double>(-4));
}

TEST(Uff, numbers_that_touch_fortran_exponents_uneven_spacing_and_doubles) {
  Set set;
  set.form = "         2         3         0  0.00000E+00  0.00000E+00  0.00000E+00";
  set.data = " 0.00000E+00-1.00000E+00 1.00000D+00-2.00000E+00-3.0+100-4.0-100\n";
  const UffFunction f = read_uff_text(set.text(), "x.uff").functions.at(0);
  EXPECT_EQ(f.x, (std::vector<double>{0, 1, -3e100}));
  EXPECT_EQ(f.values[1], std::complex<double>(-2));
  EXPECT_EQ(f.values[2], std::complex<double>(-4e-100));
  set.form = "         6         2         1  1.00000E+01  5.00000E-01  0.00000E+00";
  set.kind = "    4         1    0         0       NONE        12   3       NONE         1   1";
  set.data = "  1.000000000001E+00  2.000000000000E+00  3.000000000000E+00  4.000000000000E+00\r\n";
  const UffFunction g = read_uff_text(set.text(), "x.uff").functions.at(0);
  EXPECT_TRUE(g.complex);
  EXPECT_EQ(g.reference.text(), "1+X");
  EXPECT_EQ(g.x[1], 10.5);
  EXPECT_EQ(g.values[0], std::complex<double>(1.000000000001, 2));
}

TEST(Uff, binary_of_either_byte_order) {
  for (const bool little : {true, false})
    for (const bool wide : {true, false}) {
      Set set;
      const double values[] = {1.5, -2.25, 3e5};
      std::string bytes;
      for (const double value : values) {
        char raw[8];
        const float narrow = static_cast<float>(value);
        const std::size_t size = wide ? 8 : 4;
        if (wide)
          std::memcpy(raw, &value, 8);
        else
          std::memcpy(raw, &narrow, 4);
        if (!little) std::reverse(raw, raw + size);
        bytes.append(raw, size);
      }
      char name[81];
      std::snprintf(name, sizeof name, "    58b%6d%6d%12d%12d%6d%6d%12d%12d", little ? 1 : 2, 2, 11,
                    static_cast<int>(bytes.size()), 0, 0, 0, 0);
      set.name = name;
      set.form = std::string(wide ? "         4" : "         2") +
                 "         3         1  0.00000E+00  2.50000E-01  0.00000E+00";
      set.data = bytes + "\n";
      // A second set after the bytes is found.
      const UffFile file = read_uff_text(set.text() + Set{}.text(), "x.uff");
      ASSERT_EQ(file.functions.size(), 2U);
      EXPECT_EQ(file.functions[0].values[1], std::complex<double>(-2.25));
      EXPECT_EQ(file.functions[0].values[2], std::complex<double>(3e5));
    }
}

TEST(Uff, nodes_shapes_and_units) {
  const std::string text =
      "    -1\n   151\nBeam\nanything\n    -1\n"
      "    -1\n   164\n         5  mm_milli\n  1.0\n    -1\n"
      "    -1\n    15\n         1         0         0        11  0.00000E+00  1.00000E+00  "
      "2.00000E+00\n    -1\n"
      "    -1\n    55\nNONE\nNONE\nNONE\nNONE\nNONE\n"
      "         1         2         2         8         2         3\n"
      "         2         4         0         3\n"
      "  1.25000E+01  1.00000E+00  2.00000E-02  0.00000E+00\n"
      "         1\n  1.00000E-01  2.00000E-01  3.00000E-01\n    -1\n"
      "    -1\n  9999\nunknown\n    -1\n";
  Set plain;
  plain.unit = "NONE";
  const UffFile file = read_uff_text(text + plain.text(), "x.uff");
  EXPECT_EQ(file.model, "Beam");
  ASSERT_EQ(file.nodes.size(), 1U);
  EXPECT_EQ(file.nodes[0].z, 2);
  ASSERT_EQ(file.shapes.size(), 1U);
  EXPECT_EQ(file.shapes[0].mode, 3);
  EXPECT_EQ(file.shapes[0].frequency, 12.5);
  EXPECT_EQ(file.shapes[0].damping, 0.02);
  EXPECT_EQ(file.shapes[0].values.at(1)[2], std::complex<double>(0.3));
  EXPECT_EQ(file.functions.at(0).ordinate.unit, "mm/s^2");  // by the units of the file
}

TEST(Uff, broken_files_are_named_by_line) {
  Set set;
  set.data = "  1.00000E+00\n";
  EXPECT_EQ(message_of(set.text()), "x.uff:15: 4 numbers are announced, 1 are there");
  set.data = "  1.00000E+00  two\n";
  EXPECT_EQ(message_of(set.text()), "x.uff:14: 'two' is no number");
  set.data = "  1 2 3 4 5\n";
  EXPECT_EQ(message_of(set.text()), "x.uff:14: there are more numbers than the header says");
  set = {};
  set.form = "         2 400000000         1  0.00000E+00  2.50000E-01";
  EXPECT_NE(message_of(set.text()).find("cannot hold"), std::string::npos);
  set = {};
  set.form = "         3         4         1  0.00000E+00  2.50000E-01";
  EXPECT_NE(message_of(set.text()).find("of kind 3"), std::string::npos);
  set = {};
  set.name = "    58b     1     1          11          12";
  EXPECT_NE(message_of(set.text()).find("only 2 (IEEE 754)"), std::string::npos);
  EXPECT_NE(message_of("t,u\n1,2\n").find("-1 alone"), std::string::npos);
  EXPECT_NE(message_of("    -1\n").find("no data set"), std::string::npos);
  // Cut anywhere, a file is read or refused, never worse.
  const std::string whole = Set{}.text();
  for (std::size_t end = 0; end < whole.size(); ++end) message_of(whole.substr(0, end));
}

TEST(Uff, records_are_read_like_any_table) {
  Set force;
  force.quantity = 13;
  force.unit = "N";
  Set motion;
  motion.quantity = 8;
  motion.unit = "mm";
  Set frequency = motion;
  frequency.kind =
      "    4         1    0         0       NONE        12   3       NONE         1   1";
  const auto path =
      std::filesystem::temp_directory_path() / ("microslip-" + std::to_string(::getpid()) + ".uff");
  std::ofstream(path) << frequency.text() << motion.text() << force.text();
  const Table table = read_record(path);
  EXPECT_EQ(table.at("t").values, (std::vector<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(table.at("u").unit, "mm");
  EXPECT_EQ(table.at("f").heading, "force 12+Z [N]");
  std::ofstream(path) << frequency.text();
  EXPECT_THROW(read_record(path), Error);
  std::filesystem::remove(path);
}

}  // namespace uff_file_test
}  // namespace microslip::io
