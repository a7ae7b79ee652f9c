#include "respond/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>

#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "terminal.hpp"

namespace microslip::app {

using Json = nlohmann::ordered_json;

const std::vector<double>* Report::column(const std::string& heading) const {
  const auto place = std::find(headings.begin(), headings.end(), heading);
  return place == headings.end() ? nullptr : &columns[std::size_t(place - headings.begin())];
}

std::string hardest_joint(const dynamics::Structure& structure, std::size_t joint) {
  if (joint == 0) return "";
  if (joint > structure.joints.size())
    return fmt::format("; the forces of interface {} differ most from their linearisation there",
                       joint - structure.joints.size());
  return fmt::format("; the force of joint {} ({}) differs most from its linearisation there",
                     joint, structure.joints[joint - 1].model.description().name);
}

std::string energy_heading(const dynamics::Structure& structure, std::size_t member) {
  const std::size_t joints = structure.joints.size();
  return member < joints ? "energy" + std::to_string(member + 1)
                         : "energy_interface" + std::to_string(member - joints + 1);
}

dynamics::Phasor along(const dynamics::Direction& w, const std::vector<dynamics::Phasor>& first) {
  std::complex<double> sum = 0;
  for (dynamics::Direction::InnerIterator i(w); i; ++i) {
    const dynamics::Phasor& one = first[static_cast<std::size_t>(i.index())];
    sum += i.value() * std::polar(one.amplitude, one.phase);
  }
  return {std::abs(sum), std::arg(sum)};
}

void put_before(const std::string& output, bool goes_on, Report& report) {
  const io::Table before = io::read_csv(output, {report.headings, {}, {}});
  for (std::size_t i = 0; i < report.columns.size(); ++i) {
    std::vector<double> column = before.at(report.headings[i]).values;
    const bool again = goes_on && !column.empty() && !report.columns[i].empty();
    column.insert(column.end(), report.columns[i].begin() + (again ? 1 : 0),
                  report.columns[i].end());
    report.columns[i] = std::move(column);
  }
  report.summary += fmt::format(
      "went on with {}: its {} points are in the table and the picture, not in the numbers above\n",
      output, before.rows());
  report.json["points_before"] = before.rows();
}

Standing standing_of(const std::string& resume) {
  Standing standing;
  if (resume.empty()) return standing;
  const auto vector = [](const Json& list) {
    const auto numbers = list.get<std::vector<double>>();
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(
        numbers.data(), static_cast<Eigen::Index>(numbers.size())));
  };
  try {
    const Json saved = Json::parse(resume);
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

bool interrupted() { return StopOnRequest::asked(); }

void add_shortage(const catalog::Analysis& analysis, int harmonics, double truncation,
                  Report& report) {
  const double tolerance = analysis.tolerance.value_or(dynamics::usual_truncation);
  if (analysis.harmonics || truncation <= tolerance) return;
  const bool most =
      harmonics >= (analysis.tolerance ? dynamics::most_harmonics : dynamics::most_usual_harmonics);
  report.summary += fmt::format(
      "{} harmonics{}: those left out change the {} by about {:.1e} of the motion, more than {:g}; "
      "'harmonics' asks for more\n",
      harmonics, most ? ", the most that are tried" : "",
      analysis.tolerance ? "motion" : "first harmonic", truncation, tolerance);
}

void add_missing(const std::vector<double>& at, const std::vector<double>& rows,
                 const std::string& along, const std::string& where, Report& report) {
  constexpr double rounding = 1e-9;
  std::string missing;
  for (const double place : at)
    if (std::none_of(rows.begin(), rows.end(), [&](double row) {
          return std::abs(row - place) <= rounding * std::abs(place);
        }))
      missing += fmt::format("{}{:g}", missing.empty() ? "" : ", ", place);
  if (!missing.empty())
    report.fail("'at' asks for " + along + " = " + missing + ", where no point was found" + where);
}

void add_gaps(const std::vector<double>& leaps, const std::string& along, Report& report) {
  for (const double place : leaps) {
    report.summary +=
        fmt::format("a joint loses force at once: the branch goes on beyond a gap at {} = {:.6g}\n",
                    along, place);
    report.notes.emplace_back("gap", fmt::format("{} = {}", along, place));
    report.json["gaps"].push_back(place);
  }
}

}  // namespace microslip::app
