#pragma once

/// Tables of numbers as text.
///
/// What is read
///   separators   comma, semicolon, tab or blanks, whichever most of the first lines contain
///   line ends    LF, CRLF or CR; blank lines are skipped; a UTF-8 byte-order mark is allowed
///   comments     from `#` to the end of the line; `# key: value` lines above the table are kept as
///                metadata (keys in lower case; the first of two equal keys counts)
///   header       `u`, `u [mm]`, `Force (kN)`; any order; columns that nobody asked for are
///                ignored, whatever is in them. Names are compared exactly first, then without
///                regard to case, then by these other names:
///                  t: time      f: force, load
///                  u: displacement, disp, deflection, deformation, stroke
///                  ux, uy, fx, fy: u_x, u_y, f_x, f_y
///                then as one of the words of a heading (`Lead Actuator Displacement (mm)`), then by
///                the words of other devices (u: strain, rotation, angle; f: stress, torque, moment,
///                shear), and at last as a misspelt word (`Displacment`).
///                (`x` is none of them: it is a displacement in one file and a position in the
///                next)
///   units        in brackets in the heading, or in a row of their own below it
///   no header    one column is the one required quantity (u), two are u,f and three are t,u,f
///   numbers      1, -1.5e-3, +2, .5, 1.5D+3. Where the separator is not a comma, one comma in a
///                number is a decimal comma (1,5;2,5); a file that has both decimal commas and
///                decimal points in the columns read is refused
///   missing      empty cells, NaN, infinity, NA, N/A, null, none, - and the errors of spreadsheets
///                (#N/A, #DIV/0!, ...) are refused, or their rows are left out or filled (Wanted::missing)
///   quotes       "1.5", "a, b"; a quoted cell ends on its line
///   t            increases strictly
/// Anything else throws Error with the file, the line and the column (the cell counted from 1).

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/io/missing.hpp"

namespace microslip::io {

struct Column {
  std::string name;  ///< the one it was asked for by: `u` for a heading `Displacement [mm]`
  std::string unit;  ///< empty if the heading has none
  std::vector<double> values;
  std::size_t position = 0;  ///< in the file, from 1
  std::string heading{};     ///< as it stands in the file; empty without a header
};

struct Table {
  std::string source;           ///< the file name, for messages
  std::vector<Column> columns;  ///< those asked for and found, in the order of the file
  std::map<std::string, std::string> metadata;
  std::vector<std::string> notes{};  ///< sentences on rows that were left out or filled

  std::size_t rows() const noexcept { return columns.empty() ? 0 : columns.front().values.size(); }
  const Column* find(std::string_view name) const noexcept;
  /// Throws Error when there is no such column.
  const Column& at(std::string_view name) const;
  /// The line of the file, from 1, that a row (from 0) was read from.
  std::size_t line(std::size_t row) const noexcept;

  /// Rows mostly stand on consecutive lines, so only the exceptions are stored.
  struct Jump {
    std::size_t row, line;
  };
  std::vector<Jump> jumps;
};

/// Which rows to read. Rows count from 1 below the header; rows outside are not looked at.
struct RowRange {
  std::size_t first = 1;
  std::size_t last = std::numeric_limits<std::size_t>::max();
  std::optional<double> from{}, to{};  ///< of the column t, ends included

  bool everything() const {
    return first <= 1 && last == std::numeric_limits<std::size_t>::max() && !from && !to;
  }
};

/// Which columns and rows to read.
struct Wanted {
  std::vector<std::string> required{"u"};
  std::vector<std::string> optional{"t", "f"};
  /// Where the caller knows better: name → heading in the file, or the number of the column from 1.
  /// A column named here is required.
  std::map<std::string, std::string> named{};
  /// "--" where a person names columns by options such as --u: messages then say so.
  std::string option_prefix{};
  RowRange rows{};
  Missing missing = Missing::refuse;
};

Table read_table(std::string_view text, std::string_view name, const Wanted& wanted = {});
/// "-" is standard input; a file compressed by gzip is unpacked.
Table read_csv(const std::filesystem::path& path, const Wanted& wanted = {});

/// Written as `# key: value` lines above a table, in this order.
using Comments = std::vector<std::pair<std::string, std::string>>;

/// Writes a table row by row. A number is written with the fewest digits (at most 17) that give
/// back the same bits when read, so a round trip is exact and the file no longer than needed. A
/// number that does not exist (NaN, infinity) is an empty cell.
class CsvWriter {
 public:
  using Sink = std::function<void(std::string_view)>;
  CsvWriter(Sink to, const Comments& comments, std::span<const std::string> headings);
  void row(std::span<const double> cells);
  /// Hands over what is still buffered; to be called after the last row.
  void finish();

 private:
  Sink sink;
  std::size_t width;
  std::string buffer;
};

/// A column to be written; the numbers stay where they are.
struct ColumnView {
  std::string name;
  std::string unit;
  std::span<const double> values;
};

void write_csv(const std::filesystem::path& path, const Comments& comments,
               std::span<const ColumnView> columns);
std::string csv_text(const Comments& comments, std::span<const ColumnView> columns);

/// The shortest text that reads back as the same number.
std::string exact_text(double value);

}  // namespace microslip::io
