#pragma once

#include "catalog/files/toml_table.hpp"
#include "microslip/catalog/files/drive_history.hpp"

namespace microslip::catalog {

/// The keys input, or signal, until, step of a table; `quantity` is the column of the input.
DriveHistory history_of(const TomlTable& table, const std::string& quantity);

/// The root of a TOML file; a message names line and column.
toml::table parse_toml(std::string_view text, const std::filesystem::path& name);

/// The index of the word under a key among the choices; the first if the key is missing.
std::size_t choice_of(const TomlTable& table, std::string_view key,
                      const std::vector<std::string>& choices);

}  // namespace microslip::catalog
