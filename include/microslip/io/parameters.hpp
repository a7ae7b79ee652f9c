#pragma once

/// Parameter files: which law, with which numbers. JSON or TOML, with the same content:
///
///     {"model": "iwan4", "parameters": {"KT": 2, "chi": -0.5}, "options": {}}
///
///     model = "iwan4"
///     [parameters]
///     KT = 2
///
/// A value is a number, a list, a list of equally long lists (a matrix) or a text (an expression,
/// or the name of a choice). Besides these three keys, `version`, `command`, `seed` and `comment`
/// are allowed; any other key is refused, so that a misspelt one is not lost in silence.
///
/// A file with the key `kind` holds all values side by side, without sections, and may leave out
/// the model. What such a file means, catalog/files/parameter_file.hpp decides, which reads files.
///
/// The result of a fit is read too: {"fits": [{"model": …, "parameters": {…}, …}, …]}, best first.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/core/description.hpp"

namespace microslip::io {

enum class ParameterFormat { json, toml };

/// By the ending of the name; otherwise by the first character, since JSON begins with a brace.
ParameterFormat parameter_format(const std::filesystem::path& path, std::string_view text);

/// Every model of a file: one, or the fits in their order. A file may leave the model unnamed.
/// Throws Error with the place for a file that cannot be read. `name` is used in messages.
std::vector<ModelSpec> parse_parameters(std::string_view text, ParameterFormat format,
                                        std::string_view name);

/// It is the result of `microslip fit`, which says more than parameters.
bool is_fit_result(const std::filesystem::path& path);

/// The text of a parameter file. Numbers read back as the same bits.
std::string parameters_text(const ModelSpec& spec, ParameterFormat format = ParameterFormat::json);

}  // namespace microslip::io
