#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The grammar of a model on the command line: law, law(name=value, …), or
/// wrapper(model, name=value, …), joined by +.
namespace microslip::catalog {

struct TermText {
  std::string law;     ///< or the wrapper
  std::string inside;  ///< the model in a wrapper, as written; empty for a law
  std::vector<std::pair<std::string, std::string>> settings;  ///< name, value as written
};

/// Throws Error with the column when the text is not a model.
std::vector<TermText> parse_model_text(std::string_view text);

}  // namespace microslip::catalog
