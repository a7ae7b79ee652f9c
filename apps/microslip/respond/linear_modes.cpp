#include <fmt/format.h>

#include <complex>

#include "microslip/core/error.hpp"
#include "microslip/dynamics/periodic/small_vibrations.hpp"
#include "microslip/numerics/constants.hpp"
#include "respond/analyses.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

using dynamics::JointTangents;
using Json = nlohmann::ordered_json;

/// Modes of a structure whose joints are in one condition, which the column `joints` says by a number.
struct Condition {
  JointTangents joints;
  double number;
  std::string name;
};

std::vector<Condition> conditions_of(const dynamics::Structure& s) {
  std::vector<Condition> result{{JointTangents::free, 0, "free"}};
  if (s.joints.empty() && s.interfaces.empty()) return result;
  result.push_back({JointTangents::stuck, 1, "stuck"});
  for (const dynamics::Load& load : s.loads)
    if (std::holds_alternative<dynamics::Constant>(load.signal)) {
      result.push_back({JointTangents::preloaded, 2, "under static loads"});
      break;
    }
  return result;
}

struct Row {
  Condition condition;
  int mode;
  dynamics::SmallVibration vibration;
};

std::vector<Row> rows_of(const dynamics::Structure& structure, int count) {
  std::vector<Row> rows;
  for (const Condition& condition : conditions_of(structure)) {
    int mode = 0;
    for (dynamics::SmallVibration& vibration :
         dynamics::small_vibrations(structure, condition.joints, count))
      rows.push_back({condition, ++mode, std::move(vibration)});
  }
  return rows;
}

std::string table_of(const std::vector<Row>& rows) {
  std::vector<std::vector<std::string>> table{{"joints", "mode", "omega", "frequency", "zeta"}};
  for (const Row& row : rows)
    table.push_back({row.mode == 1 ? row.condition.name : "", std::to_string(row.mode),
                     fmt::format("{:.7g}", row.vibration.omega),
                     fmt::format("{:.7g}", row.vibration.omega / (2 * pi)),
                     fmt::format("{:.4g}", row.vibration.zeta)});
  return table_text(table);
}

Json json_of(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows)
    list.push_back({{"joints", row.condition.number},
                    {"mode", row.mode},
                    {"omega", row.vibration.omega},
                    {"frequency", row.vibration.omega / (2 * pi)},
                    {"zeta", row.vibration.zeta}});
  return list;
}

}  // namespace

Report linear_modes_report(const catalog::StructureFile& file, const catalog::Analysis& analysis) {
  const std::vector<Row> rows =
      rows_of(file.structure, analysis.modes.value_or(linear_modes_shown));
  Report report;
  report.json["kind"] = analysis.kind;
  report.json["modes"] = json_of(rows);
  const auto add = [&](const std::string& heading, const auto& number) {
    std::vector<double> column;
    for (const Row& row : rows) column.push_back(number(row));
    report.add_column(heading, std::move(column));
  };
  const auto add_motion = [&](const std::string& name, const auto& motion) {
    add("x" + name, [&](const Row& row) { return std::abs(motion(row.vibration.shape)); });
    add("phase" + name, [&](const Row& row) { return std::arg(motion(row.vibration.shape)); });
  };
  add("joints", [](const Row& row) { return row.condition.number; });
  add("mode", [](const Row& row) { return static_cast<double>(row.mode); });
  add("omega", [](const Row& row) { return row.vibration.omega; });
  add("frequency", [](const Row& row) { return row.vibration.omega / (2 * pi); });
  add("zeta", [](const Row& row) { return row.vibration.zeta; });
  for (std::size_t i = 0; i < file.labels.size(); ++i)
    add_motion(file.labels[i],
               [i](const Eigen::VectorXcd& shape) { return shape[static_cast<Eigen::Index>(i)]; });
  for (const dynamics::Sensor& sensor : file.structure.sensors)
    add_motion("_" + sensor.name, [&](const Eigen::VectorXcd& shape) {
      std::complex<double> sum = 0;
      for (dynamics::Direction::InnerIterator w(sensor.w); w; ++w)
        sum += w.value() * shape[w.index()];
      return sum;
    });
  report.summary = table_of(rows);
  io::Panel omega{"", {"mode"}, {"frequency"}, {}, true, false};
  io::Panel zeta{"", {"mode"}, {"ζ"}, {}, false, false};
  for (const Condition& condition : conditions_of(file.structure)) {
    std::vector<double> mode, frequency, ratio;
    for (const Row& row : rows)
      if (row.condition.number == condition.number) {
        mode.push_back(row.mode);
        frequency.push_back(row.vibration.omega / (2 * pi));
        ratio.push_back(row.vibration.zeta);
      }
    omega.curves.push_back({"joints " + condition.name, mode, frequency, io::Style::points, {}});
    zeta.curves.push_back({"", mode, ratio, io::Style::points, {}});
  }
  report.figure = {"", {{{omega, zeta}, 6, false}}, 16};
  return report;
}

LinearModes linear_modes_before(const catalog::StructureFile& file) {
  const std::vector<Row> rows = rows_of(file.structure, linear_modes_shown);
  return {"linear modes\n" + table_of(rows), json_of(rows)};
}

}  // namespace microslip::app
