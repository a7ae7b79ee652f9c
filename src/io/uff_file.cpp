#include "microslip/io/uff_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

#include "io/table/limits.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/read_number.hpp"
#include "microslip/io/file.hpp"

namespace microslip::io {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool is_delimiter(std::string_view line) { return trimmed(line) == "-1"; }

/// Texts that laboratories' programs write where there is none.
std::string said(std::string_view text) {
  const std::string_view words = trimmed(text);
  return words == "NONE" || words == "None" || words == "none" ? std::string() : std::string(words);
}

/// The next number of a text, which blanks, commas, or the sign of the next one end.
std::optional<double> take_number(std::string_view& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n,");
  if (first == std::string_view::npos) {
    text = {};
    return std::nullopt;
  }
  text.remove_prefix(first);
  const auto digit = [&](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  std::size_t end = 0;
  if (text[end] == '+' || text[end] == '-') ++end;
  const std::size_t digits = end;
  while (digit(end)) ++end;
  if (end < text.size() && text[end] == '.') ++end;
  while (digit(end)) ++end;
  if (end == digits) return std::nullopt;
  std::string number(text.substr(0, end));
  std::size_t exponent = end;
  if (exponent < text.size() && std::strchr("eEdD", text[exponent])) ++exponent;
  if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
  if (exponent > end && digit(exponent)) {
    // 1.5D+03, and 1.5+103, as Fortran writes a large exponent.
    const bool letter = std::strchr("eEdD", text[end]) != nullptr;
    if (letter || exponent == end + 1) {
      std::size_t last = exponent;
      while (digit(last)) ++last;
      if (letter || last - exponent == 3) {
        number += 'e';
        number += text.substr(letter ? end + 1 : end, last - (letter ? end + 1 : end));
        end = last;
      }
    }
  }
  text.remove_prefix(end);
  if (number.front() == '+') number.erase(0, 1);
  double value = 0;
  if (read_number(number, value).error == std::errc::invalid_argument) return std::nullopt;
  return value;
}

/// The lines of a file, some of which are bytes.
class Lines {
 public:
  Lines(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  bool finished() const { return at_ >= bytes_.size(); }
  std::size_t number() const { return number_; }  ///< of the line that was read last

  std::string_view next() {
    ++number_;
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    const std::string_view line = bytes_.substr(at_, end - at_);
    at_ = std::min(end + 1, bytes_.size());
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
  }
  std::string_view peek() {
    const std::size_t at = at_, number = number_;
    const std::string_view line = next();
    at_ = at;
    number_ = number;
    return line;
  }
  /// A line of the data set that is being read.
  std::string_view of(const char* what) {
    if (finished() || is_delimiter(peek())) fail(fmt::format("{} is missing", what), 1);
    return next();
  }
  std::string_view take_bytes(std::size_t count) {
    if (count > bytes_.size() - at_)
      fail(fmt::format("{} bytes of numbers are announced; the file has {} more", count,
                       bytes_.size() - at_),
           1);
    const std::string_view taken = bytes_.substr(at_, count);
    at_ += count;
    return taken;
  }
  void skip_set() {
    while (!finished())
      if (is_delimiter(next())) return;
  }
  /// To the end of a data set that had to have one.
  void end_set() {
    while (!finished()) {
      const std::string_view line = next();
      if (is_delimiter(line)) return;
      if (!trimmed(line).empty()) fail("there are more numbers than the header says");
    }
  }
  [[noreturn]] void fail(const std::string& sentence, std::size_t later = 0) const {
    throw Error(fmt::format("{}:{}: {}", name_, number_ + later, printable(sentence)));
  }

 private:
  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 0, number_ = 0;
};

/// A line with fields of fixed width; where it is too short, or a field is no number, what stands between
/// blanks counts.
class Fields {
 public:
  Fields(std::string_view line, Lines& lines, const char* what)
      : line_(line), lines_(lines), what_(what) {}

  /// The first whole numbers of the line.
  std::vector<long> whole(const std::vector<std::size_t>& widths, std::size_t required) const {
    std::vector<long> numbers;
    std::size_t at = 0;
    for (const std::size_t width : widths) {
      if (at >= line_.size()) break;
      std::string_view field = trimmed(line_.substr(at, width));
      at += width;
      const std::optional<double> number = take_number(field);
      if (!number || !field.empty() || *number != std::floor(*number)) return by_blanks(required);
      numbers.push_back(static_cast<long>(*number));
    }
    if (numbers.size() < required) return by_blanks(required);
    return numbers;
  }

 private:
  std::vector<long> by_blanks(std::size_t required) const {
    std::vector<long> numbers;
    std::string_view rest = line_;
    while (const std::optional<double> number = take_number(rest)) {
      if (*number != std::floor(*number) || std::abs(*number) > 1e15) break;
      numbers.push_back(static_cast<long>(*number));
    }
    if (numbers.size() < required)
      lines_.fail(fmt::format("{} needs {} whole numbers", what_, required));
    return numbers;
  }

  std::string_view line_;
  Lines& lines_;
  const char* what_;
};

std::string_view field(std::string_view line, std::size_t from, std::size_t width) {
  return from < line.size() ? line.substr(from, width) : std::string_view();
}

/// The first line of a binary data set: 58b, byte order, kind of numbers, lines and bytes that follow.
struct Binary {
  bool little = true;
  std::size_t lines = 11, bytes = 0;
};

template <class Word, class Number>
Number number_from(const char* bytes, bool little) {
  Word word = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[little ? sizeof(Word) - 1 - i : i]);
    word = static_cast<Word>((word << 8) | byte);
  }
  Number number;
  static_assert(sizeof number == sizeof word);
  std::memcpy(&number, &word, sizeof number);
  return number;
}

/// Ordinates of a function as its header describes them.
struct Layout {
  bool wide = false, complex = false, even = true;
  std::size_t count = 0;
  double start = 0, step = 0;

  std::size_t numbers_each() const { return (complex ? 2U : 1U) + (even ? 0U : 1U); }
};

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name)
      : size_(bytes.size()), lines_(bytes, name) {}

  UffFile read() {
    bool any = false;
    while (!lines_.finished()) {
      const std::string_view line = lines_.next();
      if (!is_delimiter(line)) {
        if (trimmed(line).empty()) continue;
        lines_.fail("a data set begins with a line that holds -1 alone");
      }
      if (lines_.finished()) break;
      const std::size_t begin = lines_.number();
      const std::string_view kind = lines_.next();
      if (is_delimiter(kind)) continue;  // an end that was written twice
      any = true;
      one_set(trimmed(kind), kind, begin);
    }
    if (!any) lines_.fail("there is no data set");
    for (UffFunction& f : file_.functions) name_units(f);
    return std::move(file_);
  }

 private:
  void one_set(std::string_view word, std::string_view line, std::size_t begin) {
    const std::string_view name = word.substr(0, word.find_first_of(" \t"));
    if (name == "58" || name == "58b" || name == "58B") {
      function(name.size() == 3 ? std::optional(binary_header(line)) : std::nullopt, begin);
    } else if (name == "151") {
      file_.model = said(lines_.of("the name of the model"));
      lines_.skip_set();
    } else if (name == "164") {
      units();
    } else if (name == "15" || name == "2411") {
      nodes(name == "2411");
    } else if (name == "55") {
      shape();
    } else {
      lines_.skip_set();
    }
  }

  Binary binary_header(std::string_view line) {
    std::string_view rest = line.substr(line.find_first_of("bB") + 1);
    const auto numbers = Fields(rest, lines_, "a binary data set").whole({6, 6, 12, 12}, 4);
    Binary binary;
    if (numbers[0] != 1 && numbers[0] != 2)
      lines_.fail(fmt::format("the order of bytes is {}; 1 and 2 are allowed", numbers[0]));
    binary.little = numbers[0] == 1;
    if (numbers[1] != 2)
      lines_.fail(fmt::format("the numbers are of kind {}; only 2 (IEEE 754) is read", numbers[1]));
    if (numbers[2] < 11 || numbers[2] > 1000 || numbers[3] < 0)
      lines_.fail("a binary data set needs 11 lines before its bytes");
    binary.lines = static_cast<std::size_t>(numbers[2]);
    binary.bytes = static_cast<std::size_t>(numbers[3]);
    return binary;
  }

  void function(const std::optional<Binary>& binary, std::size_t begin) {
    UffFunction f;
    f.line = begin;
    for (int i = 0; i < 5; ++i)
      if (std::string text = said(lines_.of("a line of text")); !text.empty())
        f.titles.push_back(text);
    places(f);
    const Layout layout = layout_of();
    f.complex = layout.complex;
    f.abscissa = axis("the abscissa");
    f.ordinate = axis("the ordinate");
    axis("the denominator");
    axis("the third axis");
    if (binary)
      for (std::size_t i = 11; i < binary->lines; ++i) lines_.of("a line before the bytes");
    const std::vector<double> numbers =
        binary ? from_bytes(*binary, layout) : from_text(layout.count * layout.numbers_each());
    f.x.reserve(layout.count);
    f.values.reserve(layout.count);
    std::size_t at = 0;
    for (std::size_t i = 0; i < layout.count; ++i) {
      f.x.push_back(layout.even ? layout.start + static_cast<double>(i) * layout.step
                                : numbers[at++]);
      const double real = numbers[at++];
      f.values.emplace_back(real, layout.complex ? numbers[at++] : 0.0);
    }
    lines_.end_set();
    file_.functions.push_back(std::move(f));
  }

  void places(UffFunction& f) {
    const std::string_view line = lines_.of("the kind of the function");
    const auto numbers = Fields(line, lines_, "the kind of a function").whole({5, 10, 5, 10}, 1);
    f.type = static_cast<int>(numbers.front());
    const auto place = [&](std::size_t from) {
      UffPlace p;
      p.entity = said(field(line, from, 11));
      std::string_view node = field(line, from + 11, 10), direction = field(line, from + 21, 4);
      p.node = static_cast<int>(take_number(node).value_or(0));
      p.direction = static_cast<int>(take_number(direction).value_or(0));
      return p;
    };
    f.response = place(30);
    f.reference = place(55);
  }

  Layout layout_of() {
    const std::string_view line = lines_.of("the form of the data");
    std::string_view rest = line;
    std::array<double, 5> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::optional<double> number = take_number(rest);
      if (!number && i < 3) lines_.fail("the form of the data needs three whole numbers");
      numbers[i] = number.value_or(0);
    }
    const double type = numbers[0];
    if (type != 2 && type != 4 && type != 5 && type != 6)
      lines_.fail(fmt::format(
          "the data are of kind {}; 2 and 4 (real), 5 and 6 (complex) are allowed", type));
    if (!(numbers[1] >= 0) || numbers[1] != std::floor(numbers[1]) ||
        numbers[1] > static_cast<double>(size_))
      lines_.fail(fmt::format("{} numbers are announced, which the file cannot hold", numbers[1]));
    Layout layout;
    layout.wide = type == 4 || type == 6;
    layout.complex = type >= 5;
    layout.even = numbers[2] == 1;
    layout.count = static_cast<std::size_t>(numbers[1]);
    layout.start = numbers[3];
    layout.step = numbers[4];
    if (layout.even && layout.count > 1 && (layout.step == 0 || !std::isfinite(layout.step)))
      lines_.fail("the spacing of the abscissa is 0");
    return layout;
  }

  UffAxis axis(const char* what) {
    const std::string_view line = lines_.of(what);
    std::string_view rest = line;
    UffAxis a;
    const double quantity = take_number(rest).value_or(0);
    a.quantity = std::abs(quantity) < 1e9 ? static_cast<int>(quantity) : 0;
    a.label = said(field(line, 25, 21));
    a.unit = said(field(line, 46, 21));
    return a;
  }

  std::vector<double> from_text(std::size_t count) {
    std::vector<double> numbers;
    numbers.reserve(std::min(count, size_ / 2));
    while (numbers.size() < count) {
      if (lines_.finished() || is_delimiter(lines_.peek()))
        lines_.fail(fmt::format("{} numbers are announced, {} are there", count, numbers.size()),
                    1);
      std::string_view line = lines_.next();
      while (!trimmed(line).empty()) {
        const std::optional<double> number = take_number(line);
        if (!number)
          lines_.fail(fmt::format("'{}' is no number", trimmed(line.substr(0, line.find(' ')))));
        if (numbers.size() == count) lines_.fail("there are more numbers than the header says");
        numbers.push_back(*number);
      }
    }
    return numbers;
  }

  std::vector<double> from_bytes(const Binary& binary, const Layout& layout) {
    const std::size_t each = layout.wide ? 8 : 4;
    const std::size_t needed = layout.count * layout.numbers_each() * each;
    // Some programs write the abscissa of doubles as floats.
    const bool narrow_x = layout.wide && !layout.even && binary.bytes == needed - 4 * layout.count;
    if (binary.bytes < needed && !narrow_x)
      lines_.fail(fmt::format("{} values need {} bytes, {} are announced", layout.count, needed,
                              binary.bytes));
    const std::string_view bytes = lines_.take_bytes(binary.bytes);
    std::vector<double> numbers;
    numbers.reserve(layout.count * layout.numbers_each());
    const char* at = bytes.data();
    for (std::size_t i = 0; i < layout.count; ++i)
      for (std::size_t j = 0; j < layout.numbers_each(); ++j) {
        const bool wide = layout.wide && !(narrow_x && j == 0);
        numbers.push_back(
            wide ? number_from<std::uint64_t, double>(at, binary.little)
                 : static_cast<double>(number_from<std::uint32_t, float>(at, binary.little)));
        at += wide ? 8 : 4;
      }
    return numbers;
  }

  void nodes(bool two_lines) {
    while (!lines_.finished()) {
      std::string_view line = lines_.next();
      if (is_delimiter(line)) return;
      UffNode node;
      const auto take = [&] {
        const std::optional<double> number = take_number(line);
        if (!number) lines_.fail("a node needs its number and three coordinates");
        return *number;
      };
      node.number = static_cast<int>(take());
      for (int i = 0; i < 3; ++i) take();  // coordinate systems and colour
      if (two_lines) line = lines_.of("the place of a node");
      node.x = take();
      node.y = take();
      node.z = take();
      file_.nodes.push_back(node);
    }
  }

  void shape() {
    UffShape s;
    for (int i = 0; i < 5; ++i)
      if (std::string text = said(lines_.of("a line of text")); !text.empty())
        s.titles.push_back(text);
    const auto kind = Fields(lines_.of("the kind of the data"), lines_, "the kind of the data")
                          .whole({10, 10, 10, 10, 10, 10}, 6);
    s.kind = static_cast<int>(kind[1]);
    const bool complex = kind[4] == 5 || kind[4] == 6;
    if (kind[4] != 2 && kind[4] != 4 && !complex)
      lines_.fail(fmt::format(
          "the data are of kind {}; 2 and 4 (real), 5 and 6 (complex) are allowed", kind[4]));
    if (kind[5] < 1 || kind[5] > 100) lines_.fail("each node needs 1 to 100 numbers");
    const auto each = static_cast<std::size_t>(kind[5]);
    std::string_view whole = lines_.of("the number of the mode"), real = lines_.of("the frequency");
    std::vector<double> w, r;
    while (const auto x = take_number(whole)) w.push_back(*x);
    while (const auto x = take_number(real)) r.push_back(*x);
    if (w.size() > 3) s.mode = static_cast<int>(w[3]);
    if (s.kind == 3) {
      if (r.size() > 1) s.pole = {r[0], r[1]};
      s.frequency = std::abs(s.pole) / (2 * 3.14159265358979323846);
      s.damping = std::abs(s.pole) > 0 ? -s.pole.real() / std::abs(s.pole) : 0;
    } else {
      if (!r.empty()) s.frequency = r[0];
      if (r.size() > 2) s.damping = r[2];
    }
    while (!lines_.finished()) {
      std::string_view line = lines_.next();
      if (is_delimiter(line)) break;
      const std::optional<double> node = take_number(line);
      if (!node) lines_.fail("the number of a node is missing");
      const std::vector<double> numbers = from_text(each * (complex ? 2 : 1));
      auto& values = s.values[static_cast<int>(*node)];
      values.clear();
      for (std::size_t i = 0; i < each; ++i)
        values.emplace_back(complex ? numbers[2 * i] : numbers[i],
                            complex ? numbers[2 * i + 1] : 0.0);
    }
    file_.shapes.push_back(std::move(s));
  }

  void units() {
    const std::string_view line = lines_.of("the code of the units");
    std::string_view rest = line;
    switch (static_cast<int>(take_number(rest).value_or(0))) {
      case 1:
        length_ = "m", force_ = "N";
        break;
      case 2:
        length_ = "ft", force_ = "lbf";
        break;
      case 3:
        length_ = "m", force_ = "kgf";
        break;
      case 5:
        length_ = "mm", force_ = "mN";
        break;
      case 6:
        length_ = "cm", force_ = "cN";
        break;
      case 7:
        length_ = "in", force_ = "lbf";
        break;
      case 8:
        length_ = "mm", force_ = "kgf";
        break;
      default:
        break;  // units of the user's own
    }
    lines_.skip_set();
  }

  void name_units(UffFunction& f) const {
    const auto fill = [&](UffAxis& a) {
      if (!a.unit.empty() || length_.empty()) return;
      switch (a.quantity) {
        case 8:
          a.unit = length_;
          break;
        case 11:
          a.unit = length_ + "/s";
          break;
        case 12:
          a.unit = length_ + "/s^2";
          break;
        case 9:
        case 13:
          a.unit = force_;
          break;
        default:
          break;
      }
    };
    if (f.type == 0 || f.type == 1) fill(f.ordinate);
    if (!f.abscissa.unit.empty()) return;
    if (f.abscissa.quantity == 17) f.abscissa.unit = "s";
    if (f.abscissa.quantity == 18) f.abscissa.unit = "Hz";
  }

  std::size_t size_;
  Lines lines_;
  UffFile file_;
  std::string length_, force_;
};

}  // namespace

std::string UffPlace::text() const {
  static constexpr std::array<const char*, 7> axes{"", "X", "Y", "Z", "RX", "RY", "RZ"};
  std::string text = fmt::format("{}", node);
  const int axis = std::abs(direction);
  if (axis >= 1 && axis <= 6)
    text += fmt::format("{}{}", direction < 0 ? '-' : '+', axes[static_cast<std::size_t>(axis)]);
  return text;
}

std::string UffFunction::heading() const {
  std::string name;
  switch (ordinate.quantity) {
    case 8:
      name = "displacement";
      break;
    case 9:
      name = "reaction";
      break;
    case 11:
      name = "velocity";
      break;
    case 12:
      name = "acceleration";
      break;
    case 13:
      name = "force";
      break;
    case 2:
      name = "stress";
      break;
    case 3:
      name = "strain";
      break;
    default:
      name = ordinate.label.empty() ? "function" : ordinate.label;
      break;
  }
  name += " " + response.text();
  return ordinate.unit.empty() ? name : fmt::format("{} [{}]", name, ordinate.unit);
}

UffFile read_uff_text(std::string_view bytes, const std::string& name) {
  return Reader(bytes, name).read();
}

UffFile read_uff(const std::filesystem::path& path) {
  return read_uff_text(read_file(path), path.string());
}

bool looks_like_uff(std::string_view head) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    if (!trimmed(line).empty()) return is_delimiter(line);
    if (line.size() == head.size()) return false;
    head.remove_prefix(line.size() + 1);
  }
  return false;
}

}  // namespace microslip::io
