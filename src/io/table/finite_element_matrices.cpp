#include "io/table/finite_element_matrices.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "io/table/limits.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/read_number.hpp"
#include "microslip/core/text.hpp"

namespace microslip::io {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

constexpr long largest_size = 1L << 30;  // of a matrix, a node, a row

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

/// CodeLines with their numbers, from 1, for messages.
class CodeLines {
 public:
  CodeLines(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  bool next(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line = text_.substr(at_, end - at_);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    at_ = end + 1;
    ++number_;
    return true;
  }
  std::string_view expect(const std::string& what) {
    std::string_view line;
    if (!next(line)) fail("the file ends where " + what + " should be");
    return line;
  }
  [[noreturn]] void fail(const std::string& why) const {
    fail_at(name_, reported ? reported : number_, why);
  }
  std::size_t reported = 0;  ///< the line of messages, if it is another than the last
  std::size_t number() const { return number_; }

  /// 1.5, 1.5E+3, 1.5D+3, and 1.5+3 of Nastran.
  double number(std::string_view word) const {
    std::string text(without_blanks(word));
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == 'D' || text[i] == 'd') text[i] = 'E';
      const bool sign = text[i] == '+' || text[i] == '-';
      if (sign && i > 0 && text[i - 1] != 'E' && text[i - 1] != 'e') text.insert(i++, 1, 'E');
    }
    if (!text.empty() && text.front() == '+') text.erase(0, 1);
    const std::size_t plus = text.find("E+");
    if (plus != std::string::npos) text.erase(plus + 1, 1);
    double value = 0;
    const NumberEnd end = read_number(text, value);
    if (end.error != std::errc{} || end.length != text.size() || !std::isfinite(value))
      fail("'" + std::string(without_blanks(word)).substr(0, 20) + "' must be a number");
    return value;
  }
  long whole(std::string_view word, long least, const std::string& what) const {
    const double value = number(word);
    if (value != std::floor(value) || value < static_cast<double>(least) ||
        value > static_cast<double>(largest_size))
      fail("the " + what + " must be a whole number from " + std::to_string(least) + ", not '" +
           std::string(without_blanks(word)) + "'");
    return static_cast<long>(value);
  }

 private:
  std::string_view text_, name_;
  std::size_t at_ = 0, number_ = 0;
};

std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (at < line.size()) {
    while (at < line.size() && std::isspace(static_cast<unsigned char>(line[at]))) ++at;
    const std::size_t begin = at;
    while (at < line.size() && !std::isspace(static_cast<unsigned char>(line[at]))) ++at;
    if (at > begin) words.push_back(line.substr(begin, at - begin));
  }
  return words;
}

/// Fields of fixed width; blanks at the end of the line give none.
std::vector<std::string_view> columns_of(std::string_view line, std::size_t width) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at < line.size(); at += width) {
    const std::string_view field = without_blanks(line.substr(at, width));
    if (field.empty() && without_blanks(line.substr(at)).empty()) break;
    fields.push_back(field);
  }
  return fields;
}

template <class Matrix>
const Matrix& wanted_matrix(const std::map<std::string, Matrix>& all, std::string_view file,
                            const std::string& wanted) {
  if (const auto found = all.find(wanted); found != all.end()) return found->second;
  const Matrix* one = nullptr;
  std::string names;
  int begins = 0;
  for (const auto& [name, matrix] : all) {
    names += (names.empty() ? "" : ", ") + name;
    if (all.size() == 1 || name.starts_with(wanted)) {
      one = &matrix;
      ++begins;
    }
  }
  if (all.empty()) throw Error(std::string(file) + " holds no matrix");
  if (begins != 1)
    throw Error(printable(std::string(file) + " has no matrix '" + wanted + "'; it has: " + names +
                          " (the name stands behind a colon, FILE:NAME)"));
  return *one;
}

// -------------------------------------------------------------------------------------------- DMIG

/// The fields of a card, without its first one, from all its lines.
struct Card {
  std::string head;
  std::vector<std::string> fields;
  std::size_t line = 0;  ///< where it begins
};

/// Reads cards; lines that continue one begin with a blank, + or *.
class Cards {
 public:
  Cards(std::string_view text, std::string_view name) : lines(text, name) { advance(); }

  bool next(Card& card) {
    if (!ready_) return false;
    card = {};
    card.head = fields_.front();
    card.line = lines.number();
    take(card);
    while (advance() && continues_) take(card);
    return true;
  }

  CodeLines lines;
  /// Bad numbers of a card are reported with the line where it begins.
  template <class Work>
  void about(const Card& card, const Work& work) {
    const std::size_t ahead = std::exchange(lines.reported, card.line);
    work();
    lines.reported = ahead;
  }

 private:
  void take(Card& card) const {
    card.fields.insert(card.fields.end(), fields_.begin() + 1, fields_.end());
  }

  bool advance() {
    std::string_view line;
    while (lines.next(line)) {
      line = line.substr(0, line.find('$'));
      if (without_blanks(line).empty()) continue;
      split(line);
      return ready_ = true;
    }
    return ready_ = false;
  }

  /// The first field, then four of 16 places, or eight of 8, or what commas separate.
  void split(std::string_view line) {
    fields_.clear();
    if (line.find(',') != std::string_view::npos) {
      for (std::size_t at = 0; at <= line.size();) {
        const std::size_t end = std::min(line.find(',', at), line.size());
        fields_.emplace_back(without_blanks(line.substr(at, end - at)));
        at = end + 1;
      }
      fields_.resize(9);
    } else {
      std::string_view head = without_blanks(line.substr(0, 8));
      const bool large = head.find('*') != std::string_view::npos;
      const std::size_t width = large ? 16 : 8, count = large ? 4 : 8;
      fields_.emplace_back(head);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = 8 + i * width;
        fields_.emplace_back(at < line.size() ? without_blanks(line.substr(at, width))
                                              : std::string_view{});
      }
    }
    std::string& head = fields_.front();
    head.erase(std::remove(head.begin(), head.end(), '*'), head.end());
    continues_ = head.empty() || head.front() == '+';
    std::transform(head.begin(), head.end(), head.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  }

  std::vector<std::string> fields_;
  bool ready_ = false, continues_ = false;
};

struct Entries {
  std::vector<std::pair<NodeDof, NodeDof>> places;
  std::vector<double> values;
  bool symmetric = false, headed = false;
};

void take_dmig(Card& card, const CodeLines& lines, std::map<std::string, Entries>& all) {
  card.fields.resize(std::max<std::size_t>(card.fields.size(), 8));
  const std::vector<std::string>& f = card.fields;
  Entries& one = all[f[0]];
  if (!one.headed) {  // NAME 0 form type …
    if (f[1] != "0")
      lines.fail("the first card of the DMIG " + f[0] + " must be its heading, with a 0");
    const long form = lines.whole(f[2], 1, "form of a DMIG");
    const long type = lines.whole(f[3], 1, "type of a DMIG");
    if (form != 1 && form != 6)
      lines.fail("the DMIG " + f[0] + " must be square (form 1) or symmetric (6), not " + f[2]);
    if (type > 2) lines.fail("the DMIG " + f[0] + " is complex; real ones are read");
    one.symmetric = form == 6;
    one.headed = true;
    return;
  }
  const auto label = [&](std::size_t i) -> NodeDof {
    return {lines.whole(f[i], 1, "grid point"),
            f[i + 1].empty() ? 0 : lines.whole(f[i + 1], 0, "component")};
  };
  const NodeDof column = label(1);
  for (std::size_t i = 4; i + 2 < f.size(); i += 4) {  // GJ CJ – G C A B, G C A B, …
    if (f[i].empty()) continue;
    one.places.emplace_back(label(i), column);
    one.values.push_back(lines.number(f[i + 2]));
  }
}

MatrixFile matrix_of(const Entries& entries) {
  MatrixFile file;
  for (const auto& [row, column] : entries.places) {
    file.labels.push_back(row);
    file.labels.push_back(column);
  }
  std::sort(file.labels.begin(), file.labels.end());
  file.labels.erase(std::unique(file.labels.begin(), file.labels.end()), file.labels.end());
  const auto place = [&](const NodeDof& dof) {
    return static_cast<int>(std::lower_bound(file.labels.begin(), file.labels.end(), dof) -
                            file.labels.begin());
  };
  Triplets triplets;
  for (std::size_t i = 0; i < entries.values.size(); ++i)
    triplets.emplace_back(place(entries.places[i].first), place(entries.places[i].second),
                          entries.values[i]);
  const auto size = static_cast<Eigen::Index>(file.labels.size());
  file.matrix.resize(size, size);
  file.matrix.setFromTriplets(triplets.begin(), triplets.end());
  if (entries.symmetric) mirror(file.matrix);
  file.sized = false;
  return file;
}

}  // namespace

bool is_dmig(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, 5);
    if (line.starts_with("DMIG") && line.size() == 5 &&
        (line[4] == ' ' || line[4] == '*' || line[4] == ','))
      return true;
    at = std::min(text.find('\n', at), text.size()) + 1;
  }
  return false;
}

MatrixFile parse_dmig(std::string_view text, std::string_view name, const std::string& wanted) {
  Cards cards(text, name);
  std::map<std::string, Entries> all;
  for (Card card; cards.next(card);)
    if (card.head == "DMIG") cards.about(card, [&] { take_dmig(card, cards.lines, all); });
  return matrix_of(wanted_matrix(all, name, wanted));
}

// --------------------------------------------------------------------------------------------- OP4

namespace {

struct Op4Heading {
  long columns, rows, form, type;
  std::string name;
  std::size_t width;  ///< of a number
};

std::optional<Op4Heading> op4_heading(std::string_view line) {
  if (line.size() < 33) return {};
  std::array<long, 4> numbers{};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string word(without_blanks(line.substr(8 * i, 8)));
    if (word.empty() || word.find_first_not_of("-0123456789") != std::string::npos ||
        word.size() > 8)
      return {};
    numbers[i] = std::strtol(word.c_str(), nullptr, 10);
  }
  const std::string name(without_blanks(line.substr(32, 8)));
  if (name.empty() || !std::isalpha(static_cast<unsigned char>(name.front()))) return {};
  std::size_t width = 16;
  const std::size_t e = line.find('E', 40);
  if (e != std::string_view::npos && e + 1 < line.size())
    width =
        static_cast<std::size_t>(std::strtol(std::string(line.substr(e + 1)).c_str(), nullptr, 10));
  if (width < 8 || width > 40) return {};
  return Op4Heading{numbers[0], numbers[1], numbers[2], numbers[3], name, width};
}

/// Numbers have a decimal point; headings of columns and strings have none.
bool of_numbers(std::string_view line) { return line.find('.') != std::string_view::npos; }

}  // namespace

bool is_op4(std::string_view text) {
  return op4_heading(text.substr(0, text.find('\n'))).has_value();
}

MatrixFile parse_op4(std::string_view text, std::string_view name, const std::string& wanted) {
  CodeLines lines(text, name);
  std::map<std::string, Eigen::SparseMatrix<double>> all;
  std::string_view line;
  while (lines.next(line)) {
    if (without_blanks(line).empty()) continue;
    const auto head = op4_heading(line);
    if (!head)
      lines.fail("the heading of a matrix must stand here: columns, rows, form, type, name");
    const long rows = std::abs(head->rows);  // negative: strings of large matrices
    if (rows != head->columns || rows < 1 || rows > most_rows(text))
      lines.fail("the matrix " + head->name + " must be square, not " + std::to_string(rows) +
                 " × " + std::to_string(head->columns));
    if (head->type > 2) lines.fail("the matrix " + head->name + " is complex; real ones are read");
    Triplets triplets;
    long column = 0, row = 0;
    while (true) {
      line = lines.expect("a column of the matrix " + head->name);
      if (of_numbers(line)) {
        if (row == 0 || column == 0)
          lines.fail("numbers must follow the heading of a column or of a string");
        for (const std::string_view field : columns_of(line, head->width)) {
          if (row > rows) {
            if (column > head->columns) break;  // the number after the last column has no meaning
            lines.fail("there are more numbers than rows");
          }
          const double value = lines.number(field);
          if (column <= head->columns && value != 0)
            triplets.emplace_back(static_cast<int>(row - 1), static_cast<int>(column - 1), value);
          ++row;
        }
        if (column > head->columns) break;
        continue;
      }
      auto fields = split_words(line);
      if (fields.size() > 3 || (fields.size() < 3 && line.size() >= 24))
        fields = columns_of(line, 8);
      if (fields.size() == 3) {  // a column; row 0: strings follow
        column = lines.whole(fields[0], 1, "column");
        row = lines.whole(fields[1], 0, "row");
        if (column > head->columns + 1) lines.fail("the matrix has fewer columns");
      } else if (fields.size() == 2) {  // length and row of a string
        row = lines.whole(fields[1], 1, "row");
      } else if (fields.size() == 1) {  // both in one number
        const double number = lines.number(fields[0]);
        if (!(number >= 0 && number < 1e15))
          lines.fail("the heading of a string must hold its row");
        const long both = static_cast<long>(number);
        row = both - 65536 * (both / 65536);
        if (row < 1) lines.fail("the heading of a string must hold its row");
      } else {
        lines.fail("a column or a string must begin here");
      }
    }
    Eigen::SparseMatrix<double> matrix(rows, rows);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    if (head->form == 6) mirror(matrix);
    all.emplace(head->name, std::move(matrix));
  }
  return {wanted_matrix(all, name, wanted)};
}

// ---------------------------------------------------------------------------------- Harwell–Boeing

namespace {

std::array<std::string_view, 3> first_lines(std::string_view text) {
  std::array<std::string_view, 3> lines;
  for (std::string_view& line : lines) {
    const std::size_t end = text.find('\n');
    line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return lines;
}

/// By the format where a line is as long as it says; some programs write other widths than they announce.
std::vector<std::string_view> fields_of(std::string_view line, std::size_t width) {
  while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
  return line.size() % width == 0 ? columns_of(line, width) : split_words(line);
}

/// How wide a number is in a format of Fortran such as (3E25.16), (1P,4D20.12) or (10I8).
std::size_t width_in(const CodeLines& lines, std::string_view format) {
  for (std::size_t i = 0; i + 1 < format.size(); ++i) {
    const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(format[i])));
    if (letter != 'I' && letter != 'E' && letter != 'D' && letter != 'F' && letter != 'G') continue;
    const long width = std::strtol(std::string(format.substr(i + 1)).c_str(), nullptr, 10);
    if (width > 0 && width < 100) return static_cast<std::size_t>(width);
  }
  lines.fail("'" + std::string(without_blanks(format)) + "' must be a format of Fortran");
}

}  // namespace

bool is_harwell_boeing(std::string_view text) {
  const std::string_view type = first_lines(text)[2];
  if (type.size() < 28) return false;
  const auto one_of = [](char c, std::string_view letters) {
    return letters.find(static_cast<char>(std::toupper(static_cast<unsigned char>(c)))) !=
           std::string_view::npos;
  };
  return one_of(type[0], "RCP") && one_of(type[1], "SUHZR") && one_of(type[2], "AE") &&
         std::isspace(static_cast<unsigned char>(type[3])) &&
         split_words(type.substr(3)).size() >= 3;
}

MatrixFile parse_harwell_boeing(std::string_view text, std::string_view name) {
  CodeLines lines(text, name);
  lines.expect("a title");
  const auto counts = split_words(lines.expect("the numbers of lines"));
  const std::string_view described = lines.expect("the type");
  if (!is_harwell_boeing(text)) lines.fail("a type such as RSA and four numbers must stand here");
  const auto sizes = split_words(described.substr(3));
  std::string type(described.substr(0, 3));
  for (char& c : type) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (type[0] != 'R' || (type[1] != 'S' && type[1] != 'U') || type[2] != 'A')
    lines.fail("matrices of the types RSA and RUA are read (real, assembled), not " + type);
  const long rows = lines.whole(sizes[0], 1, "number of rows");
  const long columns = lines.whole(sizes[1], 1, "number of columns");
  const long entries = lines.whole(sizes[2], 0, "number of entries");
  if (rows != columns) lines.fail("the matrix must be square");
  if (static_cast<std::size_t>(entries) > text.size() ||
      static_cast<std::size_t>(columns) > text.size())
    lines.fail("the file is shorter than the matrix that it announces");
  const std::string_view formats = lines.expect("the formats");
  const std::size_t pointer_width = width_in(lines, formats.substr(0, 16));
  const std::size_t row_width =
      width_in(lines, formats.size() > 16 ? formats.substr(16, 16) : std::string_view{});
  const std::size_t value_width =
      width_in(lines, formats.size() > 32 ? formats.substr(32, 20) : std::string_view{});
  if (counts.size() > 4 && without_blanks(counts[4]) != "0")
    lines.expect("the type of the right-hand sides");
  const auto read = [&](long count, std::size_t width, const std::string& what) {
    std::vector<double> numbers;
    while (static_cast<long>(numbers.size()) < count)
      for (const std::string_view field : fields_of(lines.expect(what), width))
        numbers.push_back(lines.number(field));
    if (static_cast<long>(numbers.size()) != count)
      lines.fail("there are too many numbers for " + what);
    return numbers;
  };
  const auto whole = [&](const std::vector<double>& numbers, const std::string& what) {
    for (const double number : numbers)
      if (number != std::floor(number)) lines.fail(what + " must be a whole number");
    return numbers;
  };
  const auto begins =
      whole(read(columns + 1, pointer_width, "the begin of a column"), "the begin of a column");
  const auto places = whole(read(entries, row_width, "a row"), "a row");
  const auto values = read(entries, value_width, "a value");
  Triplets triplets;
  for (long j = 0; j < columns; ++j) {
    const auto begin = static_cast<long>(begins[static_cast<std::size_t>(j)]);
    const auto end = static_cast<long>(begins[static_cast<std::size_t>(j) + 1]);
    if (begin < 1 || end < begin || end > entries + 1)
      lines.fail("the begins of the columns must ascend");
    for (long k = begin - 1; k < end - 1; ++k) {
      const double row = places[static_cast<std::size_t>(k)];
      if (!(row >= 1 && row <= static_cast<double>(rows)))
        lines.fail("a row must lie in the matrix");
      triplets.emplace_back(static_cast<int>(row) - 1, static_cast<int>(j),
                            values[static_cast<std::size_t>(k)]);
    }
  }
  MatrixFile file;
  file.matrix.resize(rows, rows);
  file.matrix.setFromTriplets(triplets.begin(), triplets.end());
  if (type[1] == 'S') mirror(file.matrix);
  return file;
}

std::vector<NodeDof> parse_ansys_mapping(std::string_view text, std::string_view name) {
  constexpr std::array<std::string_view, 6> directions{"UX", "UY", "UZ", "ROTX", "ROTY", "ROTZ"};
  CodeLines lines(text, name);
  std::vector<NodeDof> list;
  for (std::string_view line; lines.next(line);) {
    const auto words = split_words(line);
    const bool entry = words.size() == 3 && std::isdigit(static_cast<unsigned char>(words[0][0]));
    if (!entry) continue;  // headings
    const auto found = std::find(directions.begin(), directions.end(), words[2]);
    if (found == directions.end())
      lines.fail("'" + std::string(words[2]) + "' must be UX, UY, UZ, ROTX, ROTY or ROTZ");
    if (lines.whole(words[0], 1, "equation") != static_cast<long>(list.size()) + 1)
      lines.fail("the equations must follow one another");
    list.push_back({lines.whole(words[1], 1, "node"), found - directions.begin() + 1});
  }
  return list;
}

}  // namespace microslip::io
