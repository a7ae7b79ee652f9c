#pragma once

#include <string>
#include <vector>

#include "variables.hpp"

/// A joint or a structure as the file of an FMU (FMI 2.0, co-simulation).
namespace microslip::fmu {

/// A file inside the archive.
struct Entry {
  std::string name;
  std::string bytes;
};

/// The C identifier by which binaries of the FMU are named.
std::string identifier_of(const std::string& name);

/// `name` is what tools show.
std::string model_description(const Contents& contents, const std::string& name);

/// The whole archive. `library` is the binary for linux64, `beside` are the libraries that it
/// loads from its own folder.
std::string archive(const Contents& contents, const std::string& name, const std::string& library,
                    const std::vector<Entry>& beside);

/// A ZIP file of entries, stored as they are. The same entries give the same bytes.
std::string zip(const std::vector<Entry>& entries);

}  // namespace microslip::fmu
