#include <fmt/format.h>

#include <complex>

#include "jobs/respond/parts.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/periodic/small_vibrations.hpp"
#include "microslip/jobs/aligned_text.hpp"

namespace microslip::jobs::respond_parts {
namespace {

using dynamics::JointTangents;

/// How many modes there are if nothing is said.
constexpr int usual_modes = 10;

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

std::vector<LinearMode> modes_of(const std::vector<Row>& rows) {
  std::vector<LinearMode> list;
  for (const Row& row : rows)
    list.push_back({row.condition.number, row.mode, row.vibration.omega,
                    row.vibration.omega / (2 * pi), row.vibration.zeta});
  return list;
}

}  // namespace

AnalysisResult linear_modes(const Task& task) {
  const catalog::StructureFile& file = task.file;
  const std::vector<Row> rows = rows_of(file.structure, task.analysis.modes.value_or(usual_modes));
  AnalysisResult result;
  result.modes = modes_of(rows);
  const auto add = [&](const std::string& heading, const auto& number) {
    std::vector<double> column;
    for (const Row& row : rows) column.push_back(number(row));
    add_column(result, heading, std::move(column));
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
  result.summary = table_of(rows);
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
  result.figure = {"", {{{omega, zeta}, 6, false}}, 16};
  return result;
}

ModesBefore linear_modes_before(const catalog::StructureFile& file) {
  const std::vector<Row> rows = rows_of(file.structure, usual_modes);
  return {modes_of(rows), "linear modes\n" + table_of(rows)};
}

}  // namespace microslip::jobs::respond_parts
