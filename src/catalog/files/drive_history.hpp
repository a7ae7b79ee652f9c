#pragma once

#include "catalog/files/toml_table.hpp"
#include "microslip/catalog/files/drive_history.hpp"
#include "microslip/io/csv.hpp"

namespace microslip::catalog {

/// The keys input, or signal, until, step of a table, or the columns as lists; `quantity` is the column
/// of the input.
DriveHistory history_of(const TomlTable& table, const std::string& quantity);

/// The keys that history_of reads, and others.
std::vector<std::string> history_keys(const std::string& quantity,
                                      const std::vector<std::string>& others = {});

/// What becomes of rows of a table without a number: the key `missing`, "drop" where there is none.
io::Missing missing_of(const TomlTable& table);

/// Sentences that stand in the text itself, `notes`.
std::vector<std::string> notes_of(const TomlTable& table);

/// The notes of a table under the name of its file.
void add_notes(const io::Table& table, const std::string& name, std::vector<std::string>& notes);

/// The index of the word under a key among the choices; the first if the key is missing.
std::size_t choice_of(const TomlTable& table, std::string_view key,
                      const std::vector<std::string>& choices);

}  // namespace microslip::catalog
