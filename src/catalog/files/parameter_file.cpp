#include "microslip/catalog/files/parameter_file.hpp"

#include <cctype>
#include <string>

#include "microslip/catalog/sliders/sliders_setup.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/parameters.hpp"

namespace microslip::catalog {

std::vector<ModelSpec> parse_parameters(std::string_view text, std::string_view name) {
  std::vector<ModelSpec> specs = io::parse_parameters(text, io::parameter_format(name, text), name);
  for (ModelSpec& spec : specs) {
    if (!spec.parameters.contains("kind")) continue;
    if (!spec.model.empty() && spec.model != "sliders")
      throw Error(std::string(name) + " has the key 'kind', which only the model 'sliders' has");
    spec.model = "sliders";
  }
  return specs;
}

std::vector<ModelSpec> read_parameters(const std::filesystem::path& path) {
  std::vector<ModelSpec> specs = parse_parameters(io::read_file(path), io::source_name(path));
  for (ModelSpec& spec : specs)
    if (spec.model == "sliders") resolve_slider_files(path.parent_path(), spec.parameters);
  return specs;
}

bool names_value(std::string_view message, std::string_view name) {
  const auto is_part_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = message.find(name); at != std::string_view::npos;
       at = message.find(name, at + 1)) {
    if (at > 0 && is_part_of_name(message[at - 1])) continue;
    const std::string_view after = message.substr(at + name.size());
    if (after.starts_with(" = ") || after.starts_with("'") || after.starts_with("(") ||
        after.starts_with("[") || after.starts_with(" has "))
      return true;
  }
  return false;
}

namespace {

/// The line, from 1, of the only key of this name in a TOML or JSON text; 0 if there is none.
std::size_t line_of_key(std::string_view text, std::string_view name) {
  std::size_t line = 1, found = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') ++line;
    if (text.substr(at, name.size()) != name) continue;
    const bool starts =
        at == 0 || std::string_view(" \t\n\"'{,.").find(text[at - 1]) != std::string_view::npos;
    std::string_view after = text.substr(at + name.size());
    if (!after.empty() && (after[0] == '"' || after[0] == '\'')) after.remove_prefix(1);
    const std::size_t sign = after.find_first_not_of(" \t");
    const bool is_key =
        sign != std::string_view::npos && (after[sign] == '=' || after[sign] == ':');
    if (!starts || !is_key) continue;
    if (found > 0) return 0;
    found = line;
  }
  return found;
}

}  // namespace

Error at_value(const std::filesystem::path& path, const ModelSpec& spec, const Error& refusal) {
  const std::string message = refusal.what(), source = io::source_name(path);
  const std::string text = io::read_file(path);
  std::size_t line = 0;
  const auto look_for = [&](const std::string& full) {
    const std::string name = full.substr(full.rfind('.') + 1);
    if (line == 0 && names_value(message, name)) line = line_of_key(text, name);
  };
  for (const auto& [name, value] : spec.parameters) {
    look_for(name);
    // A file that a value names.
    const auto* file = std::get_if<std::string>(&value);
    if (line == 0 && file && !file->empty() && message.find(*file) != std::string::npos)
      line = line_of_key(text, name.substr(name.rfind('.') + 1));
  }
  for (const auto& [name, value] : spec.options) look_for(name);
  if (line == 0 && message.find(spec.model) != std::string::npos) line = line_of_key(text, "model");
  return Error(source + (line > 0 ? ", line " + std::to_string(line) : "") + ": " + message);
}

ModelSpec read_model_spec(const std::filesystem::path& path, std::string_view fit) {
  const std::vector<ModelSpec> specs = read_parameters(path);
  if (fit.empty()) return specs.front();
  std::vector<std::string> names;
  for (const ModelSpec& spec : specs) {
    if (spec.model == fit) return spec;
    names.push_back(spec.model);
  }
  throw Error(io::source_name(path) + " has no fit '" + std::string(fit) + "'" +
              suggestion(fit, names));
}

}  // namespace microslip::catalog
