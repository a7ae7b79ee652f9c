#include "microslip/catalog/files/parameter_file.hpp"

#include <string>

#include "microslip/catalog/files/error_place.hpp"
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

std::vector<ModelSpec> read_parameters(const std::filesystem::path& path) {
  const std::string text = io::read_file(path), source = io::source_name(path);
  std::vector<ModelSpec> specs;
  try {
    specs = parse_parameters(text, source);
  } catch (const Error& error) {
    // "joint.toml: parameter 'k' must be …" gets its line.
    const std::string message = error.what();
    if (!message.starts_with(source + ": ")) throw;
    const std::size_t open = message.find('\''), close = message.find('\'', open + 1);
    if (close == std::string::npos) throw;
    const std::size_t line = line_of_key(text, message.substr(open + 1, close - open - 1));
    if (line == 0) throw;
    throw Error(source + ", line " + std::to_string(line) + message.substr(source.size()));
  }
  for (ModelSpec& spec : specs)
    if (spec.model == "sliders") resolve_slider_files(path.parent_path(), spec.parameters);
  return specs;
}

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
