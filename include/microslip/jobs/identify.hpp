#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "microslip/catalog/files/identification_file.hpp"
#include "microslip/jobs/control.hpp"
#include "microslip/jobs/fit.hpp"
#include "microslip/jobs/structure.hpp"

/// Numbers of a structure and laws of its joints from measured vibration.
namespace microslip::jobs {

template <>
inline constexpr auto members_of<catalog::UnknownEntry> = std::tuple{
    member("address", &catalog::UnknownEntry::address),
    member("start", &catalog::UnknownEntry::start), member("lower", &catalog::UnknownEntry::lower),
    member("upper", &catalog::UnknownEntry::upper)};
template <>
inline constexpr auto members_of<catalog::Measurement> =
    std::tuple{member("kind", &catalog::Measurement::kind),
               member("name", &catalog::Measurement::name),
               member("headings", &catalog::Measurement::headings),
               member("columns", &catalog::Measurement::columns),
               member("channels", &catalog::Measurement::channels),
               member("at", &catalog::Measurement::at),
               member("order", &catalog::Measurement::order),
               member_if_any("start", &catalog::Measurement::start),
               member_if_any("band", &catalog::Measurement::band),
               member_if_any("harmonics", &catalog::Measurement::harmonics),
               member_if_any("mode", &catalog::Measurement::mode),
               member_if_any("joint", &catalog::Measurement::joint),
               member_if_any("zeta", &catalog::Measurement::zeta),
               member_if_any("interpolate", &catalog::Measurement::interpolate),
               member_if_any("initial", &catalog::Measurement::initial),
               member("holdout", &catalog::Measurement::holdout),
               member_if_any("where", &catalog::Measurement::where)};

/// Its text is this, or, without a `schema`, the file as a person writes it, with what is named there by files in
/// it.
template <>
inline constexpr std::string_view schema_of<catalog::IdentificationFile> =
    "microslip.identification/1";
template <>
inline constexpr auto members_of<catalog::IdentificationFile> =
    std::tuple{member("structure", &catalog::IdentificationFile::structure),
               member("unknowns", &catalog::IdentificationFile::unknowns),
               member("measurements", &catalog::IdentificationFile::measurements)};

struct IdentifyRequest {
  std::string name = "structure";  ///< for messages: the name of the file
  catalog::IdentificationFile file;
  /// Laws for joint[1], which are ranked; all their parameters are unknown. Empty: the law of the file; "all": every
  /// law that can be identified here.
  std::vector<std::string> models{};
  double time_budget = 60;  ///< seconds, for all laws together
  std::size_t starts = 16;  ///< at most, for each law
  std::uint64_t seed = 1;

  static constexpr std::string_view schema = "microslip.identify-request/1";
  static constexpr auto members = std::tuple{member("name", &IdentifyRequest::name),
                                             member("file", &IdentifyRequest::file),
                                             member_if_any("models", &IdentifyRequest::models),
                                             member("time_budget", &IdentifyRequest::time_budget),
                                             member("starts", &IdentifyRequest::starts),
                                             member("seed", &IdentifyRequest::seed)};
};

/// A measured column beside the answer of an identified structure, for pictures.
struct ShownChannel {
  std::string datum, channel, x_label;
  bool holdout = false;
  std::vector<double> x, measured, answer;
};

/// The result is that of a fit; the parameters go by their addresses, "joint[1].Fs", and a file that was not fitted
/// is among the predictions. Throws Error for bad input.
FitResult identify(const IdentifyRequest& request, const Control& control = {});
/// The same with the columns of the best law.
FitResult identify_and_show(const IdentifyRequest& request, const Control& control,
                            std::vector<ShownChannel>& shown);

/// Puts the parameters of such a result, its best law or the one named, into a structure.
void apply(const std::string& result_text, const std::string& law, catalog::StructureFile& file);

}  // namespace microslip::jobs
