#pragma once

#include <string>
#include <vector>

#include "microslip/jobs/export_fmu.hpp"

/// A joint or a structure as the file of an FMU for co-simulation.
namespace microslip::fmu {

/// A file inside the archive.
struct Entry {
  std::string name;
  std::string bytes;
};

/// Of one platform: the binary, and the libraries that it loads from its own folder.
struct Binaries {
  jobs::FmuBinary place;
  std::string library;
  std::vector<Entry> beside{};
};

/// The whole archive.
std::string archive(const jobs::ExportFmuResult& fmu, const std::vector<Binaries>& binaries);

/// A ZIP file of entries, stored as they are. The same entries give the same bytes.
std::string zip(const std::vector<Entry>& entries);

}  // namespace microslip::fmu
