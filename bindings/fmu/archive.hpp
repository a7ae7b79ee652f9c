#pragma once

#include <string>
#include <vector>

#include "variables.hpp"

/// A joint or a structure as the file of an FMU for co-simulation.
namespace microslip::fmu {

/// A file inside the archive.
struct Entry {
  std::string name;
  std::string bytes;
};

/// The C identifier by which binaries of the FMU are named.
std::string identifier_of(const std::string& name);

enum class Fmi { v2, v3 };  ///< which version of the standard: 2.0 or 3.0

/// `name` is what tools show.
std::string model_description(const Contents& contents, const std::string& name, Fmi fmi);
/// A page for people, in HTML.
std::string documentation(const Contents& contents, const std::string& name);

/// The whole archive. `library` is the binary for 64-bit Linux, `beside` are the libraries that it
/// loads from its own folder.
std::string archive(const Contents& contents, const std::string& name, Fmi fmi,
                    const std::string& library, const std::vector<Entry>& beside);

/// A ZIP file of entries, stored as they are. The same entries give the same bytes.
std::string zip(const std::vector<Entry>& entries);

}  // namespace microslip::fmu
