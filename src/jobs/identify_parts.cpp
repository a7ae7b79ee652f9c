#include "jobs/identify_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/dynamics/structure/modes.hpp"

namespace microslip::jobs::identify_parts {
namespace {

using catalog::Address;
using catalog::IdentificationFile;
using catalog::Measurement;
using Index = Eigen::Index;

/// Rms of the derivative of a column.
double rate_of(const std::vector<double>& t, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double rate = (x[i] - x[i - 1]) / (t[i] - t[i - 1]);
    sum += rate * rate;
  }
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(x.size() - 1, 1)));
}
double rms_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(x.size(), 1)));
}

/// The size of the displacement that the measurements show.
double displacement_of(const IdentificationFile& file) {
  double largest = 0;
  for (const Measurement& m : file.measurements)
    for (std::size_t c = 0; c < m.channels.size(); ++c) {
      const std::vector<double>* x = m.column(m.channels[c]);
      if (!x) continue;
      const double size = rms_of(*x);
      double omega = 1;
      if (const std::vector<double>* t = m.column("t"))
        omega = size > 0 ? rate_of(*t, *x) / size : 1;
      else if (const std::vector<double>* w = m.column("omega"))
        omega = rms_of(*w);
      else if (const std::vector<double>* f = m.column("frequency"))
        omega = 2 * std::numbers::pi * rms_of(*f);
      if (omega > 0) largest = std::max(largest, size / std::pow(omega, m.order[c]));
    }
  return largest > 0 ? largest : 1;
}

/// Where the search begins for a number that nobody has set.
class Guess {
 public:
  explicit Guess(const IdentificationFile& file)
      : file_(file.structure), u_(displacement_of(file)) {
    const dynamics::Structure& s = file_.structure;
    k_ = 0;
    m_ = 0;
    for (Index i = 0; i < s.size(); ++i) {
      k_ += s.K.coeff(i, i) / static_cast<double>(s.size());
      m_ += s.M.coeff(i, i) / static_cast<double>(s.size());
    }
    if (!(k_ > 0)) k_ = 1;
  }

  double of(const Address& address) const {
    const double own = catalog::value_at(file_, address);
    if (address.kind == Address::Kind::joint) return of_law(address, own);
    if (own != 0) return own;
    switch (address.kind) {
      case Address::Kind::damper:
        return 0.02 * std::sqrt(k_ * m_);
      case Address::Kind::damping:
      case Address::Kind::stuck_damping:
        return 0.01;
      case Address::Kind::spring:
        return k_;
      default:
        return 1;
    }
  }

 private:
  /// A value that differs from the default of its law was set; others are sizes of the problem.
  double of_law(const Address& address, double own) const {
    const auto& parameters = file_.structure.joints[address.place].model.description().parameters;
    for (const ParameterInfo& info : parameters) {
      if (info.name != address.parameter) continue;
      const auto* standard = std::get_if<double>(&info.default_value);
      if (!standard || *standard != own) return own;
      if (info.unit == "F/L") return k_;
      if (info.unit == "F") return 0.5 * k_ * u_;
      if (info.unit == "L") return u_;
      if (info.unit == "1/L") return 1 / u_;
      if (info.unit == "F^2") return 0.25 * k_ * u_ * k_ * u_;
      if (info.unit.starts_with("L^-")) {
        const auto& values = file_.laws[address.place].parameters;
        const auto n = values.find(info.unit.substr(3));
        const auto* exponent = n == values.end() ? nullptr : std::get_if<double>(&n->second);
        return own * std::pow(u_, -(exponent ? *exponent : 1));
      }
    }
    return own;
  }

  const catalog::StructureFile& file_;
  double u_, k_ = 1, m_ = 1;
};

identify::Unknown unknown_of(const IdentificationFile& file, const catalog::UnknownEntry& entry,
                             const Address& address, const Guess& guess) {
  identify::Unknown u;
  u.name = entry.address;
  u.given = entry.start.has_value();
  u.lower = -std::numeric_limits<double>::infinity();
  u.upper = std::numeric_limits<double>::infinity();
  u.start = entry.start ? *entry.start : guess.of(address);
  bool positive = address.kind != Address::Kind::matrix_entry || address.matrix == 'M';
  if (address.kind == Address::Kind::joint) {
    u.joint = static_cast<int>(address.place);
    u.parameter = address.parameter;
    u.element = address.element;
    positive = false;
    for (const ParameterInfo& info :
         file.structure.structure.joints[address.place].model.description().parameters)
      if (info.name == address.parameter) {
        positive = info.bounds.lo >= 0 && std::isinf(info.bounds.hi);
        // A limit that the law itself does not reach is kept off by a hair.
        const double width =
            std::isfinite(info.bounds.hi - info.bounds.lo) ? info.bounds.hi - info.bounds.lo : 1;
        if (std::isfinite(info.bounds.lo))
          u.lower = info.bounds.lo + (info.bounds.lo_open ? 1e-6 * width : 0);
        if (std::isfinite(info.bounds.hi))
          u.upper = info.bounds.hi - (info.bounds.hi_open ? 1e-6 * width : 0);
      }
  }
  if (entry.lower) u.lower = positive ? *entry.lower : std::max(u.lower, *entry.lower);
  if (entry.upper) u.upper = std::min(u.upper, *entry.upper);
  u.logarithmic = positive && u.start > 0 && !(entry.lower && *entry.lower < 0);
  if (u.logarithmic && !(u.lower > 0)) u.lower = 0;
  if (!entry.start) u.start = std::clamp(u.start, u.lower, u.upper);
  if (u.logarithmic && !(u.start > 0)) u.logarithmic = false;
  return u;
}

[[noreturn]] void refuse(const Measurement& m, const std::string& sentence) {
  throw Error(m.where + ": " + sentence);
}

std::vector<identify::Place> places_of(const Measurement& m) {
  std::vector<identify::Place> places;
  for (std::size_t c = 0; c < m.channels.size(); ++c)
    places.push_back({m.at[c].dense(), m.order[c]});
  return places;
}

/// Modes that the rows can show; an initial state is one of them.
Eigen::MatrixXd basis_of(const dynamics::Structure& structure, const std::vector<double>& t) {
  const dynamics::Modes modes = dynamics::modes_at_rest(structure);
  const double step = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
  Index count = 0;
  while (count < modes.omega.size() && modes.omega[count] * step < 0.9 * std::numbers::pi) ++count;
  if (count == 0) throw Error("the rows are too far apart: no mode of the structure shows in them");
  return modes.shapes.leftCols(count);
}

identify::Datum motion_of(const Measurement& m, const dynamics::Structure& structure) {
  identify::Datum datum;
  identify::MotionTask task;
  const std::vector<double>& t = *m.column("t");
  std::size_t first = 0;
  while (m.start && first < t.size() && t[first] < *m.start) ++first;
  if (t.size() - first < 8) refuse(m, "fewer than 8 rows are left");
  task.t.assign(t.begin() + static_cast<std::ptrdiff_t>(first), t.end());
  task.places = places_of(m);
  if (m.kind == "record")
    for (std::size_t l = 0; l < structure.loads.size(); ++l) {
      const std::vector<double>* f = m.column("load" + std::to_string(l + 1));
      if (!f && l == 0) f = m.column("f");
      task.forces.emplace_back(t, f ? *f : std::vector<double>(t.size(), 0.0),
                               m.interpolate != "linear");
    }
  if (m.kind == "ring-down" || m.initial == "unknown") task.basis = basis_of(structure, task.t);
  datum.measured.resize(static_cast<Index>(task.t.size()), static_cast<Index>(m.channels.size()));
  for (std::size_t c = 0; c < m.channels.size(); ++c) {
    const std::vector<double>& x = *m.column(m.channels[c]);
    for (std::size_t i = first; i < x.size(); ++i)
      datum.measured(static_cast<Index>(i - first), static_cast<Index>(c)) = x[i];
  }
  datum.motion = std::move(task);
  return datum;
}

identify::Datum response_of(const Measurement& m) {
  identify::Datum datum;
  identify::ResponseTask task;
  if (const std::vector<double>* w = m.column("omega"))
    task.omega = *w;
  else
    for (const double f : *m.column("frequency")) task.omega.push_back(2 * std::numbers::pi * f);
  const std::vector<double>* level = m.column("level");
  task.level = level ? *level : std::vector<double>(task.omega.size(), 1.0);
  for (const double l : task.level)
    if (!(l > 0)) refuse(m, "level must be positive");
  task.places = places_of(m);
  task.harmonics = m.harmonics.value_or(0);
  const auto points = static_cast<Index>(task.omega.size());
  datum.phasors.resize(points * static_cast<Index>(m.channels.size()));
  for (std::size_t c = 0; c < m.channels.size(); ++c) {
    const std::string& name = m.channels[c];
    const std::vector<double>& x = *m.column(name);
    const std::vector<double>* imaginary =
        name.starts_with("re") ? m.column("im" + name.substr(2)) : nullptr;
    const std::vector<double>* phase = m.column("phase" + name.substr(1));
    if (!imaginary && !phase) datum.phases = false;
    for (Index i = 0; i < points; ++i) {
      const auto row = static_cast<std::size_t>(i);
      datum.phasors[i + points * static_cast<Index>(c)] =
          imaginary ? std::complex<double>(x[row], (*imaginary)[row])
                    : std::polar(1.0, phase ? (*phase)[row] : 0.0) * x[row];
    }
  }
  datum.response = std::move(task);
  return datum;
}

}  // namespace

Task task_of(const IdentificationFile& file) {
  if (file.unknowns.empty()) throw Error("nothing is unknown: name numbers in [unknown]");
  Task task;
  const Guess guess(file);
  auto addresses = std::make_shared<std::vector<Address>>();
  for (const catalog::UnknownEntry& entry : file.unknowns) {
    addresses->push_back(catalog::address_of(file.structure, entry.address));
    task.unknowns.push_back(unknown_of(file, entry, addresses->back(), guess));
  }
  auto structure = std::make_shared<catalog::StructureFile>(file.structure);
  structure->analyses.clear();
  task.build = [structure, addresses](const Eigen::VectorXd& p) {
    catalog::AddressedValues values;
    for (std::size_t i = 0; i < addresses->size(); ++i)
      values.emplace_back((*addresses)[i], p[static_cast<Index>(i)]);
    return catalog::with_values(*structure, values);
  };
  for (const Measurement& m : file.measurements) {
    identify::Datum datum =
        m.kind == "frequency-response" ? response_of(m) : motion_of(m, file.structure.structure);
    datum.name = m.name;
    datum.holdout = m.holdout;
    datum.channels = m.channels;
    task.data.push_back(std::move(datum));
  }
  return task;
}

std::vector<std::string> doubts(const IdentificationFile& file, const identify::Result& result) {
  std::vector<std::string> sentences;
  if (result.rms_relative < 0.02) return sentences;
  for (const Measurement& m : file.measurements) {
    if (m.kind != "frequency-response" || !m.column("level")) continue;
    const std::vector<double>& level = *m.column("level");
    const std::vector<double>& omega =
        m.column("omega") ? *m.column("omega") : *m.column("frequency");
    for (const std::string& channel : m.channels) {
      if (channel.starts_with("re")) continue;
      const std::vector<double>& x = *m.column(channel);
      std::map<double, std::pair<double, double>>
          peaks;  // of each level: its largest motion, and where
      for (std::size_t i = 0; i < x.size(); ++i) {
        auto& peak = peaks[level[i]];
        if (x[i] > peak.first) peak = {x[i], omega[i]};
      }
      if (peaks.size() < 2) continue;
      const auto& [low, first] = *peaks.begin();
      const auto& [high, last] = *peaks.rbegin();
      if (last.second > first.second * 1.002)
        sentences.push_back(fmt::format(
            "{}, {}: the resonance rises from {:.5g} at level {:.4g} to {:.5g} at level {:.4g}; "
            "joints that "
            "slip only lower it, so a stiffening spring or a gap that closes is missing",
            m.name, channel, first.second, low, last.second, high));
    }
  }
  return sentences;
}

}  // namespace microslip::jobs::identify_parts
