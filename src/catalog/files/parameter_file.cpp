#include "microslip/catalog/files/parameter_file.hpp"

#include <string>

#include "microslip/catalog/sliders/sliders_setup.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/parameters.hpp"

namespace microslip::catalog {

std::vector<ModelSpec> read_parameters(const std::filesystem::path& path) {
  const std::string text = io::read_file(path);
  std::vector<ModelSpec> specs =
      io::parse_parameters(text, io::parameter_format(path, text), path.string());
  for (ModelSpec& spec : specs) {
    if (spec.parameters.contains("kind")) {
      if (!spec.model.empty() && spec.model != "sliders")
        throw Error(path.string() + " has the key 'kind', which only the model 'sliders' has");
      spec.model = "sliders";
    }
    if (spec.model == "sliders") resolve_slider_files(path.parent_path(), spec.parameters);
  }
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
