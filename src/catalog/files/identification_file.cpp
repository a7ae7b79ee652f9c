#include "microslip/catalog/files/identification_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "catalog/files/drive_history.hpp"
#include "catalog/files/structure_parts.hpp"
#include "microslip/catalog/files/addresses.hpp"
#include "microslip/catalog/files/error_place.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/dynamics/structure/modes.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/file.hpp"
#include "microslip/io/record_file.hpp"
#include "microslip/io/text_table.hpp"
#include "microslip/loops/jumps.hpp"

namespace microslip::catalog {
namespace {

using Index = Eigen::Index;

void read_unknowns(const TomlTable& root, IdentificationFile& file) {
  const TomlTable table = root.table("unknown");
  for (const std::string& key : table.keys()) {
    std::vector<std::string> addresses;
    try {
      addresses = expanded(file.structure, key);
      for (const std::string& address : addresses)
        static_cast<void>(address_of(file.structure, address));
    } catch (const Error& error) {
      table.refuse(key, error.what());
    }
    if (!table.is_table(key))
      table.refuse(key, "must be a table: { start = 1, bounds = [0, 2] } or {}");
    const TomlTable of = table.table(key);
    of.allow({"start", "bounds"});
    for (const std::string& address : addresses) {
      for (const UnknownEntry& other : file.unknowns)
        if (other.address == address) table.refuse(key, address + " is named twice");
      UnknownEntry entry{address, {}, {}, {}};
      if (of.has("start")) entry.start = of.number("start");
      if (of.has("bounds")) {
        const std::vector<double> bounds = of.numbers("bounds");
        if (bounds.size() != 2 || !(bounds[0] < bounds[1]))
          of.refuse("bounds", "bounds must be two numbers, the lower one first");
        entry.lower = bounds[0];
        entry.upper = bounds[1];
        if (entry.start && !(*entry.start >= bounds[0] && *entry.start <= bounds[1]))
          of.refuse("start", "start = " + number_text(*entry.start) + " must lie in the bounds");
      }
      file.unknowns.push_back(std::move(entry));
    }
  }
}

const std::map<std::string, std::vector<std::string>>& data_keys() {
  static const std::map<std::string, std::vector<std::string>> keys{
      {"ring-down", {"channels", "quantity", "at", "start", "band"}},
      {"frequency-response", {"channels", "quantity", "at", "harmonics"}},
      {"record", {"channels", "quantity", "at", "interpolate", "initial", "band"}},
      {"modal-curve", {"quantity", "at", "mode", "zeta"}},
      {"loop", {"joint", "initial"}}};
  return keys;
}

/// Where a sensor is: { dof = 3 }, { sensor = "tip" } or { mode = 1, shape = 0.8 }.
dynamics::Direction place_of(const TomlTable& at, const Places& places,
                             const dynamics::Structure& structure) {
  at.allow({"dof", "along", "sensor", "mode", "shape"});
  if (at.has("dof") || at.has("along")) return places.dof_or_along(at);
  if (at.has("sensor")) {
    const std::string name = at.text("sensor");
    std::vector<std::string> names;
    for (const dynamics::Sensor& sensor : structure.sensors) {
      if (sensor.name == name) return sensor.w;
      names.push_back(sensor.name);
    }
    at.refuse("sensor", "there is no [[sensor]] '" + name + "'" + suggestion(name, names));
  }
  const int mode = at.whole("mode");
  if (mode < 1 || mode > structure.size())
    at.refuse("mode", "mode = " + std::to_string(mode) + " must be from 1 to " +
                          std::to_string(structure.size()));
  // A modal coordinate of unit modal mass, with the joints at their stiffness at rest.
  const dynamics::Modes modes = dynamics::modes_at_rest(structure);
  Eigen::VectorXd shape = modes.shapes.col(mode - 1);
  Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  if (shape[largest] < 0) shape = -shape;
  return Eigen::VectorXd(at.number_or("shape", 1) * (structure.M * shape));
}

std::vector<std::string> words_of(const TomlTable& table, const std::string& key) {
  const toml::node& node = table.node(key);
  const auto word = [&](const toml::node& entry) -> std::string {
    if (const auto* text = entry.as_string()) return text->get();
    if (const auto* number = entry.as_integer()) return std::to_string(number->get());
    table.refuse(key, key + " must be headings in quotes or numbers of columns");
  };
  const auto* array = node.as_array();
  if (!array) return {word(node)};
  std::vector<std::string> words;
  for (const auto& entry : *array) words.push_back(word(entry));
  if (words.empty()) table.refuse(key, key + " must name at least one column");
  return words;
}

/// Columns of one data set, from a file or from the text itself. They are read one by one, and what becomes of rows
/// without a number is settled for all of them together.
class Columns {
 public:
  Columns(const TomlTable& table, Measurement& data) : table_(table), data_(data) {
    if (table.has("columns") == table.has("file"))
      table.refuse("file", "give either 'file' or 'columns', a table of lists of numbers");
    data.where = table.place();
    if (table.has("columns")) {
      data.name = data.where;
      return;
    }
    path_ = table.file_beside("file");
    data.name = table.text("file");
  }

  /// Takes a column under its own name where there is one.
  bool take(const std::string& name) { return take(name, name, false); }
  void need(const std::string& name) {
    if (!take(name, name, true))
      table_.refuse(table_.has("file") ? "file" : "columns",
                    data_.name + " has no column '" + name + "'");
  }
  /// Into the units of the structure, where both are known.
  void convert(const std::optional<Units>& units) {
    for (std::size_t i = 0; units && i < data_.columns.size(); ++i) {
      if (units_[i].empty()) continue;
      try {
        const double factor = factor_of(data_.headings[i], units_[i], *units);
        for (double& value : data_.columns[i]) value *= factor;
      } catch (const Error& error) {
        table_.refuse("file", "column " + data_.headings[i] + ": " + error.what());
      }
    }
  }
  /// Single wild values of a free motion are taken for missing. Under a load a peak may be its impulse.
  std::string open_jumps() {
    if (data_.kind != "ring-down" || missing_of(table_) == io::Missing::refuse) return "";
    std::string note;
    for (std::size_t i = 0; i < data_.columns.size(); ++i) {
      const auto& channels = data_.channels;
      if (std::find(channels.begin(), channels.end(), data_.headings[i]) == channels.end())
        continue;
      const std::vector<std::size_t> rows = loops::rows_that_jump(data_.columns[i]);
      for (const std::size_t row : rows)
        data_.columns[i][row] = std::numeric_limits<double>::quiet_NaN();
      if (!rows.empty())
        note += (note.empty() ? data_.name + ": " : ", ") + data_.headings[i] + ": " +
                loops::jumping_rows_text(rows) + " away and back";
    }
    return note;
  }
  /// Once all columns are there: rows without a number are left out, filled or refused. A sentence on them.
  std::string settle() {
    const io::Missing how = missing_of(table_);
    io::NamedColumns columns;
    for (std::size_t i = 0; i < data_.columns.size(); ++i)
      columns.emplace_back(data_.headings[i], &data_.columns[i]);
    const std::size_t rows = data_.columns.front().size();
    const io::MissingRows missing = io::settle_missing(columns, how);
    if (missing.rows == 0) return "";
    const std::string row = "row " + std::to_string(missing.first + 1);
    const std::string key = path_.empty() ? "columns" : "file";
    if (how == io::Missing::refuse)
      table_.refuse(key, data_.name + ": " + row + " has no number in " + missing.columns.front());
    if (missing.kept.empty())
      table_.refuse(key, data_.name + ": no row has a number in each of its columns");
    return data_.name + ": " + io::missing_text(missing, how, rows, row);
  }
  /// A column by its heading or its number.
  void channel(const std::string& heading) {
    if (!take(heading, heading, true))
      table_.refuse("channels", data_.name + " has no column '" + heading + "'");
  }

 private:
  double factor_of(const std::string& heading, const std::string& unit, const Units& units) const {
    const bool is_curve = data_.kind == "modal-curve";  // of numbers, not of motions
    const std::size_t motions = is_curve ? 0 : std::min(data_.channels.size(), data_.order.size());
    for (std::size_t c = 0; c < motions; ++c) {
      const std::string& channel = data_.channels[c];
      if (heading == channel || (channel.starts_with("re") && heading == "im" + channel.substr(2)))
        return motion_in(unit, data_.order[c], units);
    }
    if (heading == "t") return time_in(unit, units);
    if (heading == "f" || heading.starts_with("load")) return force_in(unit, units);
    if (heading == "u") return motion_in(unit, 0, units);
    if (heading == "amplitude") return motion_in(unit, data_.order.front(), units);
    if (heading.starts_with("omega") || heading.starts_with("frequency"))
      return rate_in(unit, units);
    if (heading.starts_with("phase")) return angle_in(unit);
    return 1;
  }

  bool take(const std::string& name, const std::string& heading, bool required) {
    std::vector<double> values;
    std::string unit;
    if (path_.empty()) {
      const TomlTable columns = table_.table("columns");
      if (!columns.has(heading)) return false;
      values = columns.numbers(heading);
    } else {
      io::Wanted wanted{{}, {}, {}};
      wanted.missing = io::Missing::keep;
      if (required && heading.find_first_not_of("0123456789") == std::string::npos)
        wanted.named["channel"] = heading;
      else if (required)
        wanted.required = {heading};
      else
        wanted.optional = {heading};
      // A number stands for a column as it is counted in the file.
      try {
        const io::Table table = io::read_record(path_, wanted);
        const io::Column* column =
            table.find(wanted.named.empty() ? heading : std::string("channel"));
        if (!column) return false;
        values = column->values;
        unit = column->unit;
      } catch (const Error& error) {
        if (!required) return false;
        table_.refuse("file", error.what());
      }
    }
    if (!data_.columns.empty() && data_.columns.front().size() != values.size())
      table_.refuse(table_.has("file") ? "file" : "columns",
                    name + " has " + std::to_string(values.size()) + " rows, " +
                        data_.headings.front() + " has " +
                        std::to_string(data_.columns.front().size()));
    data_.headings.push_back(name);
    data_.columns.push_back(std::move(values));
    units_.push_back(std::move(unit));
    return true;
  }

  const TomlTable& table_;
  Measurement& data_;
  std::filesystem::path path_{};
  std::vector<std::string> units_{};  ///< of the columns, by their headings
};

int order_of(const TomlTable& table, const std::string& quantity) {
  static const std::vector<std::string> words{"displacement", "velocity", "acceleration"};
  const auto found = std::find(words.begin(), words.end(), quantity);
  if (found == words.end())
    table.refuse("quantity",
                 "quantity = '" + quantity + "' must be displacement, velocity or acceleration");
  return static_cast<int>(found - words.begin());
}

/// The channels of a data set: those that are named with their places, or x1, v2, a3 of the structure's own
/// degrees of freedom and sensors.
void read_channels(const TomlTable& table, const Places& places, const StructureFile& file,
                   Columns& columns, Measurement& data, bool phasors) {
  const auto second = [&](const std::string& name) {
    if (!phasors) return;
    // x1 with phase1; the letter of the amplitude says what it is.
    columns.take("phase" + name.substr(1));
  };
  if (table.has("channels")) {
    data.channels = words_of(table, "channels");
    if (!table.has("at")) table.refuse("channels", "channels need 'at', where they were measured");
    if (table.is_table("at"))
      data.at.push_back(place_of(table.table("at"), places, file.structure));
    else
      for (const auto& entry : *table.node("at").as_array()) {
        if (!entry.is_table()) table.refuse("at", "at must be a table or a list of tables");
        data.at.push_back(
            place_of(TomlTable(*entry.as_table(), table.file(), "at"), places, file.structure));
      }
    if (data.at.size() != data.channels.size())
      table.refuse("at", "at has " + std::to_string(data.at.size()) + " places for " +
                             std::to_string(data.channels.size()) + " channels");
    for (const std::string& channel : data.channels) {
      columns.channel(channel);
      second(channel);
    }
    data.order.assign(data.channels.size(),
                      order_of(table, table.text_or("quantity", "displacement")));
    return;
  }
  const auto add = [&](const std::string& name, int order, const dynamics::Direction& w) {
    data.channels.push_back(name);
    data.at.push_back(w);
    data.order.push_back(order);
    second(name);
  };
  const std::string letters = "xva";
  const auto try_all = [&](const std::string& suffix, const dynamics::Direction& w) {
    for (std::size_t order = 0; order < 3; ++order)
      if (columns.take(letters[order] + suffix))
        add(letters[order] + suffix, static_cast<int>(order), w);
    if (phasors && columns.take("re" + suffix)) {
      data.channels.push_back("re" + suffix);
      data.at.push_back(w);
      data.order.push_back(order_of(table, table.text_or("quantity", "displacement")));
      columns.need("im" + suffix);
    }
  };
  for (Index i = 0; i < file.structure.size(); ++i) {
    Eigen::VectorXd w = Eigen::VectorXd::Zero(file.structure.size());
    w[i] = 1;
    try_all(file.labels[static_cast<std::size_t>(i)], dynamics::Direction(w));
  }
  for (const dynamics::Sensor& sensor : file.structure.sensors)
    try_all("_" + sensor.name, sensor.w);
  if (data.channels.empty())
    table.refuse("kind", data.name +
                             " has none of the columns x1, v1, a1, … of the degrees of "
                             "freedom; name 'channels' and 'at'");
}

/// Frequency and damping of a mode, as `ringdown` writes them.
void read_curve(const TomlTable& table, const Places& places, const StructureFile& file,
                Columns& columns, Measurement& data) {
  data.mode = table.has("mode") ? table.whole("mode") : 1;
  if (*data.mode < 1 || *data.mode > file.structure.size())
    table.refuse("mode", "mode = " + std::to_string(*data.mode) + " must be from 1 to " +
                             std::to_string(file.structure.size()));
  if (!table.has("at")) table.refuse("kind", "a modal-curve needs 'at', where its amplitude is");
  data.at = {place_of(table.table("at"), places, file.structure)};
  data.order = {order_of(table, table.text_or("quantity", "displacement"))};
  columns.need("amplitude");
  if (columns.take("omega"))
    data.channels = {"omega"};
  else if (columns.take("frequency"))
    data.channels = {"frequency"};
  if (columns.take("zeta")) data.channels.push_back("zeta");
  if (data.channels.empty())
    table.refuse("kind", data.name + " has neither omega, frequency nor zeta");
  for (const char* error : {"omega_error", "frequency_error", "zeta_error"}) columns.take(error);
  columns.take("mode");
}

/// Of a table with several modes, the rows of one.
void choose_mode(const TomlTable& table, Measurement& data) {
  if (data.column("mode")) {
    const std::vector<double> modes = *data.column("mode");
    for (std::vector<double>& column : data.columns) {
      std::vector<double> kept;
      for (std::size_t row = 0; row < modes.size(); ++row)
        if (modes[row] == *data.mode) kept.push_back(column[row]);
      column = std::move(kept);
    }
    if (data.columns.front().empty())
      table.refuse("mode", data.name + " has no rows of mode " + std::to_string(*data.mode));
  }
  for (const double amplitude : *data.column("amplitude"))
    if (!(amplitude > 0))
      table.refuse(table.has("file") ? "file" : "columns", "amplitude must be positive");
}

void read_loop(const TomlTable& table, const StructureFile& file, Columns& columns,
               Measurement& data) {
  const auto joints = static_cast<int>(file.laws.size());
  if (joints == 0) table.refuse("kind", "a loop needs a [[joint]]");
  if (joints > 1 && !table.has("joint"))
    table.refuse("kind", "a loop needs 'joint', its number: there are several");
  data.joint = table.has("joint") ? table.whole("joint") : 1;
  if (*data.joint < 1 || *data.joint > joints)
    table.refuse("joint", "joint = " + std::to_string(*data.joint) + " must be from 1 to " +
                              std::to_string(joints));
  columns.need("u");
  columns.need("f");
  columns.take("t");
  data.channels = {"f"};
}

Measurement measurement_of(const TomlTable& table, const Places& places, StructureFile& file) {
  Measurement data;
  data.kind = table.text("kind");
  const auto found = data_keys().find(data.kind);
  if (found == data_keys().end()) {
    std::vector<std::string> names;
    for (const auto& [name, keys] : data_keys()) names.push_back(name);
    table.refuse("kind", "unknown kind of data '" + data.kind + "'" + suggestion(data.kind, names));
  }
  std::vector<std::string> allowed = found->second;
  allowed.insert(allowed.end(), {"kind", "file", "columns", "missing", "holdout"});
  table.allow(allowed);
  const auto word = [&](const std::string& key, const std::vector<std::string>& choices) {
    const std::string value = table.text_or(key, "");
    if (!value.empty() && std::find(choices.begin(), choices.end(), value) == choices.end())
      table.refuse(key, "unknown choice '" + value + "' for " + key + suggestion(value, choices));
    return value;
  };
  data.interpolate = word("interpolate", {"spline", "linear"});
  data.initial = data.kind == "loop" ? word("initial", {"rest", "periodic"})
                                     : word("initial", {"rest", "unknown", "periodic"});
  data.zeta = word("zeta", {"decrement", "energy"});
  data.holdout = table.truth_or("holdout", false);
  if (table.has("start")) data.start = table.number("start");
  if (table.has("harmonics")) {
    data.harmonics = table.whole("harmonics");
    if (*data.harmonics < 1) table.refuse("harmonics", "harmonics must be 1 or more");
  }
  if (table.has("band")) {
    data.band = table.numbers("band");
    if (data.band.size() != 2 || !(data.band[0] >= 0 && data.band[0] < data.band[1]))
      table.refuse("band", "band must be two frequencies, the lower one first");
  }
  Columns columns(table, data);
  if (data.kind == "ring-down" || data.kind == "record") {
    columns.need("t");
    if (data.kind == "record") {
      bool any = columns.take("f");
      for (std::size_t l = 1; l <= file.structure.loads.size(); ++l)
        any = columns.take("load" + std::to_string(l)) || any;
      if (!any) table.refuse("kind", data.name + " has no column f or load1, the force");
      if (file.structure.loads.empty())
        table.refuse("kind", "a record needs a [[load]], which says where its force acts");
    }
    read_channels(table, places, file, columns, data, false);
  } else if (data.kind == "frequency-response") {
    if (!columns.take("omega")) columns.need("frequency");
    columns.take("level");
    read_channels(table, places, file, columns, data, true);
  } else if (data.kind == "modal-curve") {
    read_curve(table, places, file, columns, data);
  } else {
    read_loop(table, file, columns, data);
  }
  columns.convert(file.units);
  if (const std::string note = columns.open_jumps(); !note.empty()) file.notes.push_back(note);
  if (const std::string note = columns.settle(); !note.empty()) file.notes.push_back(note);
  const std::vector<double>* t = data.column("t");
  for (std::size_t row = 1; t && row < t->size(); ++row)
    if (!((*t)[row] > (*t)[row - 1]))
      table.refuse(table.has("file") ? "file" : "columns",
                   data.name + ": t must increase; row " + std::to_string(row + 1) + " does not");
  if (data.kind == "modal-curve") choose_mode(table, data);
  return data;
}

}  // namespace

const std::vector<double>* Measurement::column(std::string_view heading) const {
  for (std::size_t i = 0; i < headings.size(); ++i)
    if (headings[i] == heading) return &columns[i];
  return nullptr;
}

IdentificationFile parse_identification(std::string_view text, const TextSource& source) {
  const toml::table parsed = parse_document(text, source);
  const TomlTable root(parsed, source, "");
  Places places;
  IdentificationFile file;
  file.structure = structure_of(root, places);
  if (root.has("unknown")) read_unknowns(root, file);
  for (const TomlTable& table : root.tables("data"))
    file.measurements.push_back(measurement_of(table, places, file.structure));
  if (file.measurements.empty())
    throw Error(io::source_name(source.name) + ": there is no [[data]] to identify from");
  return file;
}

IdentificationFile read_identification(const std::filesystem::path& path) {
  try {
    return parse_identification(io::read_file(path), path);
  } catch (const Error& error) {
    throw at_key(path, error);
  }
}

}  // namespace microslip::catalog
