#include "microslip/catalog/files/parameter_file.hpp"

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
  std::vector<ModelSpec> specs = parse_parameters(io::read_file(path), path.string());
  for (ModelSpec& spec : specs)
    if (spec.model == "sliders") resolve_slider_files(path.parent_path(), spec.parameters);
  return specs;
}

ModelSpec read_model_spec(const std::filesystem::path& path, std::string_view fit) {
  const std::vector<ModelSpec> specs = read_parameters(path);
  if (fit.empty()) return specs.front();
  std::vector<std::string> names;
  for (const ModelSpec& spec : specs) {
    if (spec.model == fit) return spec;
    names.push_back(spec.model);
  }
  throw Error(path.string() + " has no fit '" + std::string(fit) + "'" + suggestion(fit, names));
}

}  // namespace microslip::catalog
