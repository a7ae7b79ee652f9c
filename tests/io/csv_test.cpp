#include "microslip/io/csv.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "support/message_of.hpp"

namespace fs = std::filesystem;
using namespace microslip::io;
using microslip::Error;

namespace csv_test {

using Values = std::vector<double>;

Table read(std::string_view text, const Wanted& wanted = {}) {
  return read_table(text, "d.csv", wanted);
}

std::string message_of(std::string_view text, const Wanted& wanted = {}) {
  return microslip::testing::message_of([&] { read(text, wanted); });
}

void expect_message(std::string_view text, std::string_view part, const Wanted& wanted = {}) {
  const std::string message = message_of(text, wanted);
  EXPECT_NE(message.find(part), std::string::npos) << message << "\n  lacks: " << part;
  EXPECT_EQ(message.find('\n'), std::string::npos) << "a message is one line: " << message;
}

TEST(CsvRead, header_in_any_order_with_units) {
  const Table table = read("f [kN],note,u [mm],t (s)\n1,ok,2,3\n4,\"a, b\",5,6\n");
  ASSERT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(table.at("u").values, (Values{2, 5}));
  EXPECT_EQ(table.at("f").values, (Values{1, 4}));
  EXPECT_EQ(table.at("t").values, (Values{3, 6}));
  EXPECT_EQ(table.at("u").unit, "mm");
  EXPECT_EQ(table.at("f").unit, "kN");
  EXPECT_EQ(table.at("t").unit, "s");
  EXPECT_EQ(table.at("t").position, 4u);
  EXPECT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.find("note"), nullptr);
  EXPECT_THROW(table.at("note"), Error);
}

TEST(CsvRead, without_header_the_number_of_columns_decides) {
  EXPECT_EQ(read("1\n2\n").at("u").values, (Values{1, 2}));
  const Table two = read("1,2\n3,4\n");
  EXPECT_EQ(two.at("u").values, (Values{1, 3}));
  EXPECT_EQ(two.at("f").values, (Values{2, 4}));
  EXPECT_EQ(two.find("t"), nullptr);
  const Table three = read("1,2,3\n4,5,6");
  EXPECT_EQ(three.at("t").values, (Values{1, 4}));
  EXPECT_EQ(three.at("u").values, (Values{2, 5}));
  EXPECT_EQ(three.at("f").values, (Values{3, 6}));
  EXPECT_EQ(read("1\n2\n", {.required = {"f"}}).at("f").values, (Values{1, 2}));
  expect_message("1,2,3,4\n", "has no column 'u'");
  expect_message("1,2,3,4\n", "4 columns and no header; without a header, one column is u");
}

TEST(CsvRead, a_row_of_units_below_the_heading) {
  for (const std::string text :
       {"Time,Displacement,Force\ns,mm,kN\n0,1,2\n1,2,3\n",
        "Time;Displacement;Force\n[s];[mm];[kN]\n0;1;2\n1;2;3\n",
        "Time\tDisplacement\tForce\r\n(s)\t(mm)\t(kN)\r\n0\t1\t2\r\n1\t2\t3\r\n",
        "# a comment\nTime,Displacement,Force,\n\n\"s\",\"mm\",\"kN\",\n0,1,2,\n1,2,3,\n",
        "t u f\ns mm kN\n0 1 2\n1 2 3\n"}) {
    SCOPED_TRACE(text);
    const Table table = read(text);
    EXPECT_EQ(table.at("t").unit, "s");
    EXPECT_EQ(table.at("u").unit, "mm");
    EXPECT_EQ(table.at("f").unit, "kN");
    EXPECT_EQ(table.at("f").values, (Values{2, 3}));
  }
  // A row with a number in it is a row of numbers; so is the second row of text.
  expect_message("u,f\nmm,1\n0,1\n", "d.csv, line 2, column 1: u = 'mm' is not a number");
  expect_message("u,f\nmm,kN\nmm,kN\n0,1\n", "line 3, column 1: u = 'mm' is not a number");
  expect_message("u,f\nmm,kN\n", "has a header, but no rows");
}

TEST(CsvRead, headings_of_several_words) {
  const Table table = read(
      "Running Time (sec),Lead Actuator Displacement (mm),Lead Actuator Force (kN),Temp\n"
      "0,1,2,20\n1,3,4,20\n");
  EXPECT_EQ(table.at("u").values, (Values{1, 3}));
  EXPECT_EQ(table.at("u").heading, "Lead Actuator Displacement (mm)");
  EXPECT_EQ(table.at("u").unit, "mm");
  EXPECT_EQ(table.at("f").values, (Values{2, 4}));
  EXPECT_EQ(table.at("t").unit, "sec");
  // Two that could be it: the person decides. An exact name goes before a word.
  const std::string two = "Actuator Displacement,Table Displacement,Force\n1,2,3\n";
  expect_message(two, "'Table Displacement' could be u as well as 'Actuator Displacement'");
  expect_message(two, "--u NAME says which one it is", {.option_prefix = "--"});
  EXPECT_EQ(read(two, {.named = {{"u", "Table Displacement"}}}).at("u").values, (Values{2}));
  EXPECT_EQ(read("Actuator Displacement,Displacement,f\n1,2,3\n").at("u").values, (Values{2}));
  expect_message("Reinforcement,Loading,u\n1,2,3\n", "has no column 'f'", {.required = {"u", "f"}});
}

TEST(CsvRead, rows_by_number_and_by_time) {
  const std::string text = "t,u\n0,0\n1,1\n\n2,4\n3,9\n4,16\nend of test,\n";
  const Table some = read(text, {.rows = {.first = 2, .last = 4}});
  EXPECT_EQ(some.at("u").values, (Values{1, 4, 9}));
  EXPECT_EQ(some.line(0), 3u);
  EXPECT_EQ(some.line(1), 5u);
  const Table times = read(text, {.rows = {.last = 5, .from = 1.5, .to = 3}});
  EXPECT_EQ(times.at("u").values, (Values{4, 9}));
  EXPECT_EQ(times.line(0), 5u);
  expect_message(text, "line 8");
  expect_message(text, "d.csv has 6 rows; there is none from row 7 on", {.rows = {.first = 7}});
  expect_message("t,u\n0,0\n1,1\n",
                 "has no rows between t = 5 and t = its last; its last row has t = 1",
                 {.rows = {.from = 5}});
  expect_message("u,f\n0,0\n1,1\n", "has no column t", {.rows = {.from = 5}});
  // Time runs on where rows were left out.
  expect_message("t,u\n0,0\n2,1\n1,5\n", "t = 1 must be larger than 2", {.rows = {.to = 1}});
}

TEST(CsvRead, separators) {
  const Values expected{0.5, 1.5};
  for (const std::string text :
       {"u,f\n0.5,1\n1.5,2\n", "u;f\n0.5;1\n1.5;2\n", "u\tf\n0.5\t1\n1.5\t2\n",
        "u f\n0.5 1\n1.5 2\n", "  u   f  \n  0.5 \t 1\n 1.5  2   \n", "u , f\n0.5 , 1\n1.5 ,2\n",
        "u;f\n0,5;1\n1,5;2\n", "u\tf\n0,5\t1\n1,5\t2\n", "0,5;1\n1,5;2\n",
        "u [mm] f [kN]\n0.5 1\n1.5 2\n", "u [m m] f (k N)\n0.5 1\n1.5 2\n",
        "f,note,u\n1,a;b,0.5\n2,c,1.5\n"}) {
    SCOPED_TRACE(text);
    const Table table = read(text);
    EXPECT_EQ(table.at("u").values, expected);
    EXPECT_EQ(table.at("f").values, (Values{1, 2}));
  }
  EXPECT_EQ(read("u [mm] f [kN]\n1 2\n").at("f").unit, "kN");
}

TEST(CsvRead, empty_cells_between_tabs_keep_their_place) {
  EXPECT_EQ(read("a\tu\tb\n\t1\t\n\t2\t\n").at("u").values, (Values{1, 2}));
}

TEST(CsvRead, decimal_signs_must_not_be_mixed) {
  EXPECT_EQ(read("u;f\n1;-2,5e1\n3;+0,5\n").at("f").values, (Values{-25, 0.5}));
  expect_message("u;f\n1,5;2\n1.5;2\n", "d.csv, line 3, column 1: u = '1.5' has another decimal");
  expect_message("u;f\n1.5;2\n1,5;2\n", "d.csv, line 3, column 1: u = '1,5' has another decimal");
  expect_message("u;f\n1.234,5;2\n", "u = '1.234,5' is not a number");
  expect_message("u;f\n1,234,567;2\n", "u = '1,234,567' is not a number");
  // In a column that nobody reads, anything goes.
  EXPECT_EQ(read("u;note\n1,5;1.5\n").at("u").values, (Values{1.5}));
}

TEST(CsvRead, line_ends_marks_and_blank_lines) {
  for (const std::string text :
       {"u,f\r\n1,2\r\n3,4\r\n", "u,f\r1,2\r3,4\r", "\xef\xbb\xbfu,f\n1,2\n3,4\n",
        "\n\nu,f\n\n1,2\n  \t \n3,4\n\n\n", "u,f\n1,2\n3,4", "u,f\r\r\n1,2\r\r\n3,4",
        "u,f,\n1,2,\n3,4,\n", "u,f\n1,2,\n3,4\n", "1,2,\n3,4,\n"}) {
    SCOPED_TRACE(text);
    const Table table = read(text);
    EXPECT_EQ(table.at("u").values, (Values{1, 3}));
    EXPECT_EQ(table.at("f").values, (Values{2, 4}));
  }
}

TEST(CsvRead, comments_and_metadata) {
  const Table table = read(
      "# driven: force\n"
      "#Model : jenkins(k=1): a\n"
      "# measured at 10:30\n"
      "# driven: displacement\n"
      "# empty:\n"
      "u,f # header\n"
      "# below: kept as well\n"
      "1,2# trailing\n"
      "# later: not kept\n"
      "3,4\n");
  EXPECT_EQ(table.metadata, (std::map<std::string, std::string>{{"driven", "force"},
                                                                {"model", "jenkins(k=1): a"},
                                                                {"empty", ""},
                                                                {"below", "kept as well"}}));
  EXPECT_EQ(table.at("f").values, (Values{2, 4}));
  EXPECT_EQ(read("note,u\n\"#1\",2 # \"x\"\n").at("u").values, (Values{2}));
}

TEST(CsvRead, notes_stand_above_or_below_the_headings_and_units) {
  // Written by earlier versions, by this one, and by hand with a row of units; the notes hold more
  // separators than the table.
  const std::string notes = "# driven: force\n# parameters: a;b;c, d; e\n";
  for (const std::string& text :
       {notes + "u [mm],f [kN]\n1,2\n3,4\n", "u [mm],f [kN]\n" + notes + "1,2\n3,4\n",
        "u,f\nmm,kN\n" + notes + "1,2\n3,4\n", "u,f\n" + notes + "mm,kN\n1,2\n3,4\n"}) {
    SCOPED_TRACE(text);
    const Table table = read(text);
    EXPECT_EQ(table.metadata, (std::map<std::string, std::string>{{"driven", "force"},
                                                                  {"parameters", "a;b;c, d; e"}}));
    EXPECT_EQ(table.at("u").unit, "mm");
    EXPECT_EQ(table.at("f").values, (Values{2, 4}));
    EXPECT_EQ(table.line(1), table.line(0) + 1);
  }
  // Without headings the first row is the first line of the table.
  EXPECT_EQ(read("# a: 1\n1,2\n# b: 2\n3,4\n").metadata,
            (std::map<std::string, std::string>{{"a", "1"}}));
}

TEST(CsvRead, line_of_row) {
  const Table table = read("# c\nu\n1\n2\n\n# c\n3\n4\n");
  const std::vector<std::size_t> expected{3, 4, 7, 8};
  for (std::size_t row = 0; row < 4; ++row) EXPECT_EQ(table.line(row), expected[row]);
  EXPECT_EQ(table.jumps.size(), 2u);
  EXPECT_EQ(read("5\n6\n").line(1), 2u);
}

TEST(CsvRead, other_names_and_case) {
  const Table table = read("TIME,Displacement (mm),Load [N]\n0,1,2\n");
  EXPECT_EQ(table.at("t").values, (Values{0}));
  EXPECT_EQ(table.at("u").values, (Values{1}));
  EXPECT_EQ(table.at("u").unit, "mm");
  EXPECT_EQ(table.at("f").values, (Values{2}));
  // The exact name goes before the same letter in another case, and both before other names.
  EXPECT_EQ(read("T,t,u\n300,1,2\n").at("t").position, 2u);
  EXPECT_EQ(read("disp,U\n1,2\n").at("u").position, 2u);
  EXPECT_EQ(read("ux,uy\n1,2\n", {.required = {"ux", "uy"}}).at("uy").values, (Values{2}));
  EXPECT_EQ(read("omega,x1\n1,2\n", {.required = {"omega"}}).at("omega").values, (Values{1}));
}

TEST(CsvRead, names_given_by_the_caller) {
  const std::string text = "Force A [N],Force B [N],slip,f\n1,2,3,4\n";
  const Table table = read(text, {.named = {{"u", "slip"}, {"f", "Force B"}}});
  EXPECT_EQ(table.at("u").values, (Values{3}));
  EXPECT_EQ(table.at("f").values, (Values{2}));
  EXPECT_EQ(table.at("f").unit, "N");
  EXPECT_EQ(read(text, {.named = {{"u", "Force A [N]"}}}).at("u").values, (Values{1}));
  EXPECT_EQ(read(text, {.named = {{"u", "SLIP"}}}).at("u").values, (Values{3}));
  EXPECT_EQ(read("1,2,3,4\n", {.named = {{"u", "4"}}}).at("u").values, (Values{4}));
  expect_message(text, "d.csv has no column 'gap', which was to be u; it has 4 columns: 'Force A",
                 {.named = {{"u", "gap"}}});
  expect_message(text, "has no column '5'", {.named = {{"u", "5"}}});
  expect_message(text, "cannot be both f and u", {.named = {{"u", "slip"}, {"f", "3"}}});
  expect_message("u,f\n1,2\n", "column 'u' of d.csv cannot be both weight and u",
                 {.named = {{"weight", "u"}}});
  expect_message("1,2\n", "column '2' of d.csv cannot be both u and f",
                 {.required = {"u", "f"}, .named = {{"u", "2"}}});
  expect_message("u,t\n1,x\n", "t = 'x' is not", {.optional = {}, .named = {{"t", "t"}}});
}

TEST(CsvRead, numbers_that_are_allowed) {
  const Table table = read(
      "u\n+1\n-.5\n1.\n1E3\n1.5D+3\n\"7\"\n\" 8 \"\n4.9406564584124654e-324\n1e-400\n-1e-400\n");
  EXPECT_EQ(table.at("u").values, (Values{1, -0.5, 1, 1000, 1500, 7, 8,
                                          std::numeric_limits<double>::denorm_min(), 0, -0.0}));
  EXPECT_TRUE(std::signbit(table.at("u").values.back()));
  EXPECT_EQ(read("u\n0." + std::string(400, '0') + "1\n").at("u").values, (Values{0}));
}

TEST(CsvRead, bad_cells) {
  expect_message("t,u,f\n0,1,2\n1,x,3\n", "d.csv, line 3, column 2: u = 'x' is not a number");
  for (const std::string cell : {"1.2.3", "1e", "--1", "+-1", "0x10", "1 2", "e5", "-", ".", "1,2",
                                 "1f", "\"1", "1\"", "one"}) {
    expect_message("t;u\n0;" + cell + "x\n", "line 2, column 2: u = ");
  }
  for (const std::string cell : {"nan", "NaN", "-nan", "inf", "-INF", "infinity", "nan(1)"}) {
    expect_message("t,u\n0," + cell + "\n", "line 2, column 2: u = '" + cell + "' is not finite");
  }
  expect_message("nan,1\n", "d.csv, line 1, column 1: u = 'nan' is not finite");
  expect_message("u\n1e400\n", "u = '1e400' is beyond the range");
  expect_message("u\n-1" + std::string(400, '0') + "\n", "is beyond the range");
  expect_message("u\n1e99999999999999999999\n", "is beyond the range");
  expect_message("u,f\n1,\n", "d.csv, line 2, column 2: f = '' is empty");
  expect_message("u,f\n,1\n", "d.csv, line 2, column 1: u = '' is empty");
  expect_message("u,f\n1,\"\"\n", "is empty");
  expect_message("u,f\n1,\"2\n3,4\n", "line 2, column 2: f = '\"2' has a quote that is not closed");
  expect_message("0.1,o.2,0.3\n", "d.csv, line 1, column 2: u = 'o.2' is not a number");
}

TEST(CsvRead, cells_in_messages_are_short_and_harmless) {
  expect_message("u\n1\n\x1b[31m\x07\n", "u = '\\x1b[31m\\x07' is");
  expect_message("u\n1\n\xb5m\n", "u = '\\xb5m' is");
  expect_message("u\n1\n\xc2\xb5m\n", "u = '\xc2\xb5m' is");
  expect_message("u\n1\n\xc2\x9b\n", "u = '\\xc2\\x9b' is");
  EXPECT_LT(message_of("u\n1\n" + std::string(100'000, 'x') + "\n").size(), 200u);
}

TEST(CsvRead, rows_of_the_wrong_length) {
  expect_message("t,u,f\n0,1,2\n1,2\n2,3,4\n",
                 "d.csv, line 3, column 3: the row has 2 cells, but the first line has 3");
  expect_message("u,f\n1,2,3\n", "d.csv, line 2, column 3: the row has 3 cells");
  expect_message("u,f\n1,2,,\n", "the row has 4 cells");
  expect_message("1 2\n3\n", "line 2, column 2: the row has 1 cell, but");
}

TEST(CsvRead, truncated_last_line) {
  expect_message("u,f\n1,2\n3", "line 3, column 2: the row has 1 cell");
  expect_message("u,f\n1,2\n3", "may be cut off");
  expect_message("u,f\n1,2\n3,4e", "line 3, column 2: f = '4e' is not a number");
  expect_message("u,f\n1,2\n3,4e", "may be cut off");
  EXPECT_EQ(message_of("u,f\n1,2\n3\n").find("cut off"), std::string::npos);
}

TEST(CsvRead, time_must_increase) {
  expect_message("t,u\n0,1\n0.5,1\n0.5,2\n",
                 "d.csv, line 4, column 1: t = 0.5 must be larger than 0.5 in the row before");
  expect_message("u,t\n0,1\n\n1,0.5\n", "d.csv, line 4, column 2: t = 0.5");
  EXPECT_EQ(read("t,u\n1,1\n0,1\n", {.optional = {}}).rows(), 2u);
}

TEST(CsvRead, misspelt_headings_and_words_of_other_devices) {
  const Table table = read("Time,Piston Displacment (mm),Forse\n0,1,2\n");
  EXPECT_EQ(table.at("u").values, Values{1});
  EXPECT_EQ(table.at("u").unit, "mm");
  EXPECT_EQ(table.at("f").values, Values{2});
  EXPECT_EQ(read("Stress [MPa],Strain [-]\n1,2\n").at("u").values, Values{2});
  EXPECT_EQ(read("Joint angle [rad],Motor torque [Nm]\n1,2\n").at("f").values, Values{2});
  // A better heading goes before: strain is another quantity beside a displacement.
  EXPECT_EQ(read("strain,displacement,force\n1,2,3\n").at("u").values, Values{2});
  EXPECT_EQ(read("strain,displacment,force\n1,2,3\n").at("u").values, Values{1});
  expect_message("disp,loan\n0,1\n", "has no column 'f'", {.required = {"u", "f"}});
  expect_message("displacment,displacemen\n0,1\n",
                 "'displacemen' could be u as well as 'displacment'");
}

TEST(CsvRead, a_column_goes_by_its_unit_if_there_is_only_one_of_the_kind) {
  const Table table = read("Run [s],Crosshead [mm],Cell A [kN]\n0,1,2\n", {.required = {"u", "f"}});
  EXPECT_EQ(table.at("t").values, Values{0});
  EXPECT_EQ(table.at("u").values, Values{1});
  EXPECT_EQ(table.at("f").values, Values{2});
  expect_message("LVDT 1 [mm],LVDT 2 [mm],load [kN]\n0,1,2\n", "has no column 'u'");
  EXPECT_EQ(read("u,Cell A [kN],Cell B [kN]\n0,1,2\n").find("f"), nullptr);
}

constexpr std::string_view with_gaps =
    "t,u,f\n0,0,0\n1,,10\n2,2,NaN\n3,3,#N/A\n,4,40\n5,5,50 # a note\n6,NA,60\n";

TEST(CsvRead, rows_with_missing_numbers_are_left_out) {
  const Table table = read(with_gaps, {.missing = Missing::drop});
  EXPECT_EQ(table.at("t").values, (Values{0, 5}));
  EXPECT_EQ(table.at("u").values, (Values{0, 5}));
  EXPECT_EQ(table.at("f").values, (Values{0, 50}));
  EXPECT_EQ(table.line(0), 2u);
  EXPECT_EQ(table.line(1), 7u);
  ASSERT_EQ(table.notes.size(), 1u);
  EXPECT_EQ(table.notes[0],
            "5 of 7 rows have no number in t, u or f (the first is line 3; up to 4 one after the "
            "other) and are left out");
}

TEST(CsvRead, rows_with_missing_numbers_are_filled) {
  const Table table = read(with_gaps, {.missing = Missing::interpolate});
  // The row without its time and the one at the end, behind the last u, are left out.
  EXPECT_EQ(table.at("t").values, (Values{0, 1, 2, 3, 5}));
  EXPECT_EQ(table.at("u").values, (Values{0, 1, 2, 3, 5}));
  EXPECT_EQ(table.at("f").values, (Values{0, 10, 20, 30, 50}));
  EXPECT_EQ(table.line(4), 7u);
  EXPECT_NE(table.notes.at(0).find("but 2 at an end or without a time, which are left out"),
            std::string::npos)
      << table.notes[0];
  // Without times the line is one in rows.
  EXPECT_EQ(read("u,f\n0,0\n1,\n10,4\n", {.missing = Missing::interpolate}).at("f").values,
            (Values{0, 2, 4}));
}

TEST(CsvRead, missing_numbers_that_are_not_allowed_or_leave_nothing) {
  expect_message(with_gaps, "line 3, column 2: u = '' is empty");
  expect_message("u,f\n1,NA\n", "f = 'NA' is not a number");
  expect_message("u,f\n1,\n,2\n", "no row has a number in each of its columns",
                 {.missing = Missing::drop});
  expect_message("u,f\n1,2\n1,x\n", "f = 'x' is not a number", {.missing = Missing::drop});
  expect_message("t,u\n0,1\n1,\n0.5,2\n", "line 4, column 1: t = 0.5 must be larger than 1",
                 {.missing = Missing::drop});
  // Rows that nobody asked for may hold anything, and a row of units is one of words.
  const Table part =
      read("t,u\ns,mm\n0,\n1,1\n2,2\n", {.rows = {.first = 2}, .missing = Missing::drop});
  EXPECT_EQ(part.at("u").values, (Values{1, 2}));
  EXPECT_EQ(part.at("u").unit, "mm");
  EXPECT_TRUE(part.notes.empty());
}

TEST(CsvRead, files_that_are_no_tables) {
  expect_message("", "d.csv has no data: it is empty");
  expect_message("\xef\xbb\xbf", "it is empty");
  expect_message("\n# only\n \n", "only comments or blank lines");
  expect_message("t,u,f\n", "has a header, but no rows");
  expect_message("t,u,f", "has a header, but no rows");
  expect_message("\xff\xfeu\x01", "UTF-16");
  expect_message("\xfe\xff\x01u", "UTF-16");
  expect_message(std::string_view("u\0,\0f\0\n\0"
                                  "1\0,\0"
                                  "2\0",
                                  14),
                 "UTF-16");
  expect_message(std::string_view("u\n1\n\0\n", 7), "not a text file: line 3 contains a zero byte");
  expect_message("\x7f\x45LF\x02\x01\xff\xfe\x90", "has no column 'u'");
}

TEST(CsvRead, lines_above_the_headings_are_left_out_with_a_note) {
  const std::string recorder =
      "LabVIEW Measurement\nWriter_Version\t2\nDate\t2024/03/01\n***End_of_Header***\n\n"
      "Channels\t2\nSamples\t2000\t2000\n***End_of_Header***\n"
      "X_Value\tDisplacement (mm)\tForce (kN)\tComment\n";
  const Table table = read(recorder + "0\t1\t2\n0.1\t3\t4\n");
  EXPECT_EQ(table.at("u").values, (Values{1, 3}));
  EXPECT_EQ(table.at("f").values, (Values{2, 4}));
  EXPECT_EQ(table.at("u").unit, "mm");
  ASSERT_EQ(table.notes.size(), 1u);
  EXPECT_EQ(table.notes[0], "the first 8 lines stand above the table and are not read");
  EXPECT_EQ(table.line(1), 11u);
  expect_message(recorder + "0\t1\t2\n0.1\t3\t4\n0.2\tx\t4\n", "d.csv, line 12, column 2: u = 'x'");

  // A title, headings, units; many lines with another separator; a heading alone of another width.
  EXPECT_EQ(read("Test 12, second specimen\nt;u;f\ns;mm;kN\n0;0,5;2\n1;1,5;2\n").at("u").values,
            (Values{0.5, 1.5}));
  std::string long_one;
  for (int i = 0; i < 40; ++i) long_one += "Operator, " + std::to_string(i) + "\n";
  EXPECT_EQ(read(long_one + "t\tu\tf\n0\t1\t2\n1\t2\t3\n").at("f").values, (Values{2, 3}));

  // Lines that other programs mark.
  EXPECT_EQ(read("% MATLAB\n% f t u\n1 2 3\n4 5 6\n").at("u").values, (Values{3, 6}));
  EXPECT_EQ(read("// f,u\n1,2\n4,5\n").at("u").values, (Values{2, 5}));

  // Ordinary tables, and broken ones, stay what they are.
  EXPECT_TRUE(read("t,u,f\ns,mm,kN\n0,1,2\n1,2,3\n").notes.empty());
  expect_message("u,f\n1,2,3\n1,2,3\n", "d.csv, line 2, column 3: the row has 3 cells");
  expect_message("u,f\n1,x\n1,2\n2,3\n", "d.csv, line 2, column 2: f = 'x'");
  expect_message("Test 12\n1,2\n2,3\n", "has no column 'u'");
}

TEST(CsvRead, times_of_day_are_seconds) {
  EXPECT_EQ(read("Time;u;f\n00:00:01,5;0;1\n1:02:03;2;3\n").at("t").values, (Values{1.5, 3723}));
  EXPECT_EQ(read("Time,u,f\n00:59:59.5,0,1\n01:00:00.0,2,3\n").at("t").values,
            (Values{3599.5, 3600}));
  for (const std::string cell : {"1:2", "1:60:00", "1:00:60", ":1:2", "1:2:", "1:2:3:4", "-1:2:3"})
    expect_message("t,u,f\n" + cell + ",0,1\n", "t = '" + cell + "' is not a number");
}

TEST(CsvRead, missing_and_double_columns) {
  expect_message("t,g [N]\n0,1\n",
                 "d.csv has no column 'u' (also read: displacement, disp, "
                 "deflection, deformation, stroke); it has 2 columns: 't', "
                 "'g [N]'");
  expect_message("t,ux,uy\n0,1,2\n",
                 "; ux and uy are two directions, and one record is one of them");
  expect_message("u,f\n0,1\n", "has no column 'ux'", {.required = {"ux", "uy"}});
  expect_message("u,f,u\n0,1,2\n", "d.csv, line 1, column 3: 'u' could be u as well as 'u'");
  expect_message("disp,displacement\n0,1\n", "column 2: 'displacement' could be u as well as");
  expect_message("u,force,load\n0,1,2\n", "'load' could be f as well as 'force' in column 2");
  EXPECT_EQ(read("a,u,a,\n1,2,3,4\n").at("u").values, (Values{2}));
}

TEST(CsvRead, latin_one_units_become_utf8) {
  EXPECT_EQ(read("u [\xb5m]\n1\n").at("u").unit, "\xc2\xb5m");
  EXPECT_EQ(read("u [\xc2\xb5m]\n1\n").at("u").unit, "\xc2\xb5m");
}

TEST(CsvRead, reads_files_and_names_them) {
  std::string folder = (fs::temp_directory_path() / "microslip-csv-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const fs::path path = fs::path(folder) / "a.csv";
  write_file(path, "u\n1\nx\n");
  try {
    read_csv(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find(path.string() + ", line 3, column 1: u = 'x'"), 0u);
  }
  EXPECT_THROW(read_csv(fs::path(folder) / "none.csv"), Error);
  EXPECT_THROW(read_csv(folder), Error);
  fs::remove_all(folder);
}

std::uint64_t bits(double value) {
  std::uint64_t result = 0;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

TEST(CsvWrite, round_trip_keeps_every_bit) {
  std::mt19937_64 random(20240501);
  Values values{0.0,
                -0.0,
                0.1,
                1e22,
                1e23,
                std::numeric_limits<double>::min(),
                std::numeric_limits<double>::max(),
                std::numeric_limits<double>::denorm_min()};
  while (values.size() < 100'000) {
    const std::uint64_t pattern = random();
    double value = 0;
    std::memcpy(&value, &pattern, sizeof value);
    if (std::isfinite(value)) values.push_back(value);
  }
  const std::vector<ColumnView> columns{{"u", "mm", values}, {"f", "", values}};
  const Table table = read(csv_text({}, columns));
  EXPECT_EQ(table.at("u").unit, "mm");
  for (const std::string name : {"u", "f"}) {
    const Values& back = table.at(name).values;
    ASSERT_EQ(back.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(bits(back[i]), bits(values[i])) << i;
  }
}

TEST(CsvWrite, text_is_as_documented) {
  const Values t{0, 0.5};
  const Values u{0.1, -1e-300};
  const std::vector<ColumnView> columns{{"t", "s", t}, {"u", "", u}};
  EXPECT_EQ(csv_text({{"version", "0.1.0"}, {"command", "a\nb\r# c: d"}}, columns),
            "t [s],u\n# version: 0.1.0\n# command: a b # c: d\n0,0.1\n0.5,-1e-300\n");
  EXPECT_EQ(exact_text(1.0 / 3), "0.3333333333333333");
}

TEST(CsvWrite, metadata_and_odd_headings_come_back) {
  const Values one{1};
  const std::vector<ColumnView> columns{{"a,b;\"c\" #", "", one}, {"u", "", one}};
  const std::string text =
      csv_text({{"driven", "force"}, {"parameters", "k=1, phi=[1, 2]"}}, columns);
  const Table table = read(text, {.optional = {"a,b;\"c\" #"}});
  EXPECT_EQ(table.metadata.at("driven"), "force");
  EXPECT_EQ(table.metadata.at("parameters"), "k=1, phi=[1, 2]");
  EXPECT_EQ(table.columns.size(), 2u);
}

TEST(CsvWrite, rows_must_fit) {
  const std::vector<std::string> headings{"u", "f"};
  CsvWriter writer([](std::string_view) {}, {}, headings);
  const Values three{1, 2, 3};
  EXPECT_THROW(writer.row(three), Error);
  const Values one{1};
  const std::vector<ColumnView> uneven{{"u", "", one}, {"f", "", three}};
  EXPECT_THROW(csv_text({}, uneven), Error);
}

TEST(Csv, a_million_rows) {
  constexpr std::size_t rows = 1'000'000;
  Values t(rows), u(rows), f(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    t[i] = 1e-3 * static_cast<double>(i);
    u[i] = std::sin(t[i]);
    f[i] = std::cos(3 * t[i]) * 1e5;
  }
  const std::vector<ColumnView> columns{{"t", "s", t}, {"u", "mm", u}, {"f", "N", f}};
  const Table table = read(csv_text({}, columns));
  EXPECT_EQ(table.at("t").values, t);
  EXPECT_EQ(table.at("u").values, u);
  EXPECT_EQ(table.at("f").values, f);
  EXPECT_EQ(table.line(rows - 1), rows + 1);
}

}  // namespace csv_test
