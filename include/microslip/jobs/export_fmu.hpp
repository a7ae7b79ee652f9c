#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/jobs/control.hpp"
#include "microslip/jobs/law.hpp"
#include "microslip/jobs/structure.hpp"

/// A law or a structure as an FMU for co-simulation.
namespace microslip::jobs {

/// Of the standard: FMI 2.0 or 3.0.
enum class FmiVersion { v2, v3 };
template <>
inline constexpr std::array<std::string_view, 2> words_of<FmiVersion>{"2", "3"};

/// Either a law or a structure. Stop time and step that tools propose are those of the first analysis of kind
/// "time" of the structure.
struct ExportFmuRequest {
  std::string name{};  ///< as tools show it; that of the law if empty
  FmiVersion fmi = FmiVersion::v2;
  std::optional<NamedLaw> law{};
  std::optional<catalog::StructureFile> structure{};

  static constexpr std::string_view schema = "microslip.export-fmu-request/1";
  static constexpr auto members =
      std::tuple{member("name", &ExportFmuRequest::name), member("fmi", &ExportFmuRequest::fmi),
                 member_if_any("law", &ExportFmuRequest::law),
                 member_if_any("structure", &ExportFmuRequest::structure)};
};

/// A text in an FMU, by its path there.
struct FmuText {
  std::string path, text;
  static constexpr auto members =
      std::tuple{member("path", &FmuText::path), member("text", &FmuText::text)};
};

/// Where the binary of one platform goes. What lies in fmu/PLATFORM of a build or installation is `file`, which
/// becomes `path` in the archive, and the libraries that `file` loads, which go to the folder of `path`.
struct FmuBinary {
  std::string platform;  ///< "linux64"
  std::string file;      ///< "microslip_fmu2.so"
  std::string path;      ///< "binaries/linux64/jenkins.so"
  static constexpr auto members =
      std::tuple{member("platform", &FmuBinary::platform), member("file", &FmuBinary::file),
                 member("path", &FmuBinary::path)};
};

/// An FMU is a ZIP archive of these texts and of the binaries of those platforms for which there are some.
struct ExportFmuResult {
  std::string name;
  FmiVersion fmi = FmiVersion::v2;
  std::vector<FmuBinary> binaries;
  std::vector<FmuText> texts;
  std::vector<std::string> notes{};  ///< whole sentences, for the person who exports it

  static constexpr std::string_view schema = "microslip.export-fmu/1";
  static constexpr auto members = std::tuple{
      member("name", &ExportFmuResult::name), member("fmi", &ExportFmuResult::fmi),
      member("binaries", &ExportFmuResult::binaries), member("texts", &ExportFmuResult::texts),
      member("notes", &ExportFmuResult::notes)};
};

/// Throws Error for what an FMU cannot hold: what a master cannot move step by step.
ExportFmuResult export_fmu(const ExportFmuRequest& request, const Control& control = {});

}  // namespace microslip::jobs
