// Writes one page per law, from the law's own tables and from the comment at the top of its header.
//
//   generate_laws HEADERS_DIR OUT_DIR [--pictures]

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/catalog/catalog.hpp"
#include "microslip/io/figure.hpp"
#include "microslip/io/file.hpp"

namespace {

using namespace microslip;
namespace fs = std::filesystem;

/// One header per law, in the folder of the laws or in that of the many sliders.
fs::path header_of(const Description& law, const fs::path& headers) {
  std::string name = law.name + ".hpp";
  std::replace(name.begin(), name.end(), '-', '_');
  const fs::path usual = headers / name;
  return fs::exists(usual) ? usual : headers.parent_path() / "friction" / name;
}

/// The derivation: the lines that start with `///` before the first include.
std::string leading_comment(const std::string& header) {
  std::istringstream lines(header);
  std::string text;
  for (std::string line; std::getline(lines, line) && !line.starts_with("#include");)
    if (line.starts_with("///")) text += (line.size() > 4 ? line.substr(4) : "") + "\n";
  return text;
}

std::string shown(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return number_text(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return "`" + *text + "`";
  std::string list;
  const auto join = [&](const double* x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) list += (i == 0 ? "" : ", ") + number_text(x[i]);
  };
  if (const auto* numbers = std::get_if<std::vector<double>>(&value))
    join(numbers->data(), numbers->size());
  if (const auto* matrix = std::get_if<Matrix<double>>(&value)) {
    for (Eigen::Index i = 0; i < matrix->rows(); ++i) {
      const Eigen::RowVectorXd row = matrix->row(i);
      list += i == 0 ? "" : "; ";
      join(row.data(), static_cast<std::size_t>(row.size()));
    }
  }
  return list;
}

std::string claim_text(const Claim& claim) {
  switch (claim.verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::fails:
      return "fails";
    case Verdict::depends:
      return "holds if " + std::string(claim.condition);
    case Verdict::not_applicable:
      return "does not apply";
  }
  return "";
}

std::string page(const Description& law, const std::string& derivation, const std::string& header) {
  std::string text = derivation;
  text += fmt::format("\n![loops of {0}]({0}.svg)\n", law.name);
  text +=
      "\n## Parameters\n\n| name | unit | allowed | default | meaning |\n|---|---|---|---|---|\n";
  for (const ParameterInfo& p : law.parameters)
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", p.name, p.unit,
                        p.kind == Kind::expression ? "a formula" : p.bounds.text(),
                        shown(p.default_value), p.sentence);
  if (!law.options.empty()) {
    text += "\n## Options\n\n| name | allowed | default | meaning |\n|---|---|---|---|\n";
    for (const OptionInfo& o : law.options) {
      std::string allowed;
      for (const auto& choice : o.choices) allowed += (allowed.empty() ? "" : ", ") + choice;
      const auto* number = std::get_if<double>(&o.default_value);
      text += fmt::format(
          "| `{}` | {} | {} | {} |\n", o.name, allowed.empty() ? o.bounds.text() : allowed,
          number ? number_text(*number) : std::get<std::string>(o.default_value), o.sentence);
    }
  }
  text += "\n## State\n\n| name | unit | meaning |\n|---|---|---|\n";
  for (const StateInfo& s : law.states)
    text += fmt::format("| `{}` | {} | {} |\n", s.name, s.unit, s.sentence);
  text += law.state == StateSize::fixed
              ? "\nThe state has a fixed size: [a million joints at once](../field.md).\n"
              : "\nThe state grows with the parameters or with the reversals that it remembers.\n";
  text += "\n## Tested claims\n\n| claim | verdict |\n|---|---|\n";
  for (std::size_t i = 0; i < std::size(Claims::members); ++i)
    text += fmt::format("| {} | {} |\n", Claims::names[i],
                        claim_text(law.claims.*(Claims::members[i])));
  text += "\n## Source\n\n" + law.citation + "\n";
  text +=
      fmt::format("\nThis page is generated from `include/microslip/{}` by `make docs`.\n", header);
  return text;
}

/// Two periods of a load with minor loops; the displacement reaches well into slip.
Path demonstration_path() {
  Path path;
  for (int i = 0; i <= 4000; ++i) {
    const double t = i / 2000.0;
    path.t.push_back(t);
    path.u.push_back(1.1255 *
                     (2 * std::sin(2 * std::numbers::pi * t) + std::sin(8 * std::numbers::pi * t)));
  }
  return path;
}

void draw_loops(const Description& law, const fs::path& picture) {
  Path path = demonstration_path();
  for (const std::string& direction : law.directions)
    if (path.along(direction).empty())
      path.along(direction) = std::vector<double>(path.u.rbegin(), path.u.rend());
  const microslip::History history = catalog::make({law.name, {}, {}}).run(path);
  io::Panel panel;
  const bool by_force = law.driven == Driven::force;
  panel.x.label = by_force ? "force u" : "displacement u";
  panel.y.label = by_force ? "displacement f" : "force f";
  panel.curves.push_back({"", history.u, history.f, io::Style::solid, {}});
  io::Figure figure;
  figure.width = 10;
  figure.rows.push_back({{panel}, 6});
  io::draw(figure, picture);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2) {
    std::fputs("usage: generate_laws HEADERS_DIR OUT_DIR [--pictures]\n", stderr);
    return 2;
  }
  try {
    const fs::path out(arguments[1]);
    fs::create_directories(out);
    std::string index = "# The laws\n\n| law | what it is |\n|---|---|\n";
    for (const catalog::Law& entry : catalog::laws()) {
      const Description& law = entry.description;
      const fs::path header = header_of(law, arguments[0]);
      const fs::path place = header.parent_path().filename() / header.filename();
      io::write_file(out / (law.name + ".md"),
                     page(law, leading_comment(io::read_file(header)), place.string()));
      index += fmt::format("| [{0}]({0}.md) | {1} |\n", law.name, law.sentence);
      if (arguments.size() > 2) draw_loops(law, out / (law.name + ".svg"));
    }
    index += "\nThis page and those of the laws are generated by `make docs`.\n";
    io::write_file(out / "README.md", index);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "generate_laws: %s\n", error.what());
    return 1;
  }
}
