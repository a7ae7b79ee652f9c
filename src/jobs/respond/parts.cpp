#include "jobs/respond/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>

#include "jobs/text_form.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"

namespace microslip::jobs {

namespace {

const std::vector<double>* find_column(const Named<std::vector<double>>& columns,
                                       std::string_view heading) {
  for (const auto& [name, values] : columns)
    if (name == heading) return &values;
  return nullptr;
}

}  // namespace

const std::vector<double>* AnalysisResult::column(std::string_view heading) const {
  return find_column(columns, heading);
}

namespace respond_parts {

std::string hardest_joint(const dynamics::Structure& structure, std::size_t joint) {
  if (joint == 0) return "";
  if (joint > structure.joints.size() &&
      structure.interfaces[joint - structure.joints.size() - 1].law->model())
    return fmt::format("; the forces of joint {} ({}) differ most from their linearisation there",
                       joint,
                       structure.interfaces[joint - structure.joints.size() - 1].law->name());
  if (joint > structure.joints.size())
    return fmt::format("; the forces of interface {} differ most from their linearisation there",
                       joint - structure.joints.size());
  return fmt::format("; the force of joint {} ({}) differs most from its linearisation there",
                     joint, structure.joints[joint - 1].model.description().name);
}

std::string energy_heading(const dynamics::Structure& structure, std::size_t member) {
  const std::size_t joints = structure.joints.size();
  if (member < joints || structure.interfaces[member - joints].law->model())
    return "energy" + std::to_string(member + 1);
  // Joints with several directions come first.
  std::size_t number = member - joints + 1;
  for (const dynamics::InterfaceElement& interface : structure.interfaces)
    number -= interface.law->model() ? 1 : 0;
  return "energy_interface" + std::to_string(number);
}

dynamics::Phasor along(const dynamics::Direction& w, const std::vector<dynamics::Phasor>& first) {
  std::complex<double> sum = 0;
  for (dynamics::Direction::InnerIterator i(w); i; ++i) {
    const dynamics::Phasor& one = first[static_cast<std::size_t>(i.index())];
    sum += i.value() * std::polar(one.amplitude, one.phase);
  }
  return {std::abs(sum), std::arg(sum)};
}

void put_before(const ResumePoint& before, bool goes_on, AnalysisResult& result) {
  std::size_t rows = 0;
  for (auto& [heading, values] : result.columns) {
    const std::vector<double>* so_far = find_column(before.columns, heading);
    if (!so_far)
      throw Error(before.name + ": the column '" + heading + "' of the table so far is missing");
    std::vector<double> whole = *so_far;
    rows = whole.size();
    const bool again = goes_on && !whole.empty() && !values.empty();
    whole.insert(whole.end(), values.begin() + (again ? 1 : 0), values.end());
    values = std::move(whole);
  }
  result.summary += fmt::format(
      "went on with {}: its {} points are in the table and the picture, not in the numbers above\n",
      before.name, rows);
  result.points_before = rows;
}

Standing standing_of(const ResumePoint* resume) {
  Standing standing;
  if (!resume) return standing;
  const auto vector = [](const Json& list) {
    const auto numbers = list.get<std::vector<double>>();
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(
        numbers.data(), static_cast<Eigen::Index>(numbers.size())));
  };
  try {
    const Json saved = Json::parse(resume->state);
    standing.curve = saved.at("curve").get<std::size_t>();
    for (const Json& peak : saved.value("peaks", Json::array()))
      standing.peaks.push_back(
          {peak.at("level"), peak.at("amplitude"), peak.at("u"), peak.at("f")});
    if (!saved.contains("unknowns")) return standing;
    standing.unknowns = vector(saved.at("unknowns"));
    standing.tangent = vector(saved.at("tangent"));
  } catch (const Json::exception&) {
    throw Error("the file to resume from is not one that an interrupted branch left behind");
  }
  return standing;
}

std::string resume_text(const Standing& standing) {
  Json saved{{"curve", standing.curve}};
  for (const PeakLoops& peak : standing.peaks)
    saved["peaks"].push_back(
        {{"level", peak.level}, {"amplitude", peak.amplitude}, {"u", peak.u}, {"f", peak.f}});
  if (standing.unknowns.size() > 0) {
    const auto list = [](const Eigen::VectorXd& v) {
      return std::vector<double>(v.begin(), v.end());
    };
    saved["unknowns"] = list(standing.unknowns);
    saved["tangent"] = list(standing.tangent);
  }
  return saved.dump() + "\n";
}

void add_shortage(const catalog::Analysis& analysis, int harmonics, double truncation,
                  AnalysisResult& result, double damping) {
  const double tolerance = analysis.tolerance.value_or(dynamics::usual_truncation);
  if (analysis.harmonics || std::max(truncation, damping) <= tolerance) return;
  const bool most =
      harmonics >= (analysis.tolerance ? dynamics::most_harmonics : dynamics::most_usual_harmonics);
  result.summary += fmt::format(
      "{} harmonics{}: those left out change the {} by about {:.1e} of the motion{}, more than "
      "{:g}; "
      "'harmonics' asks for more\n",
      harmonics, most ? ", the most that are tried" : "",
      analysis.tolerance ? "motion" : "first harmonic", truncation,
      damping > 0 ? fmt::format(" and the damping by {:.1e} of itself", damping) : "", tolerance);
}

void add_quadrature(const catalog::Analysis& analysis, double quadrature, AnalysisResult& result) {
  if (quadrature <= analysis.tolerance.value_or(dynamics::usual_truncation)) return;
  result.notes.emplace_back("quadrature", fmt::format("{:.2e}", quadrature));
  result.summary += fmt::format(
      "forces of the joints are known to {:.1e} of the largest, which more harmonics do not "
      "change; kind = "
      "\"time\" does not have this error\n",
      quadrature);
}

void add_missing(const std::vector<double>& at, const std::vector<double>& rows,
                 const std::string& along, const std::string& where, AnalysisResult& result) {
  constexpr double rounding = 1e-9;
  std::string missing;
  for (const double place : at)
    if (std::none_of(rows.begin(), rows.end(), [&](double row) {
          return std::abs(row - place) <= rounding * std::abs(place);
        }))
      missing += fmt::format("{}{:g}", missing.empty() ? "" : ", ", place);
  if (!missing.empty())
    fail(result, "'at' asks for " + along + " = " + missing + ", where no point was found" + where);
}

void add_gaps(const std::vector<double>& leaps, const std::string& along, AnalysisResult& result) {
  for (const double place : leaps) {
    result.summary +=
        fmt::format("a joint loses force at once: the branch goes on beyond a gap at {} = {:.6g}\n",
                    along, place);
    result.notes.emplace_back("gap", fmt::format("{} = {}", along, place));
    result.gaps.push_back(place);
  }
}

}  // namespace respond_parts
}  // namespace microslip::jobs
