#include "jobs/identify_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>

#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/dense.hpp"
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

/// Rms of the integral of a column, about its mean.
double integral_of(const std::vector<double>& t, const std::vector<double>& x) {
  std::vector<double> sum(x.size(), 0.0);
  double mean = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    sum[i] = sum[i - 1] + 0.5 * (x[i] + x[i - 1]) * (t[i] - t[i - 1]);
    mean += sum[i] / static_cast<double>(x.size());
  }
  for (double& value : sum) value -= mean;
  return rms_of(sum);
}

/// What the measurements show: the frequency of the slow motion, and the size of displacements.
struct Sizes {
  double omega = 0, length = 0;
};
Sizes sizes_of(const IdentificationFile& file) {
  Sizes sizes;
  for (const Measurement& m : file.measurements)
    for (std::size_t c = 0; c < std::min(m.channels.size(), m.order.size()); ++c) {
      const std::vector<double>* x = m.column(m.channels[c]);
      if (!x || m.kind == "modal-curve") continue;
      const double size = rms_of(*x);
      double omega = 0;
      const std::vector<double>* t = m.column("t");
      if (t && size > 0)
        omega = m.order[c] > 0 ? size / integral_of(*t, *x) : rate_of(*t, *x) / size;
      else if (const std::vector<double>* w = m.column("omega"))
        omega = rms_of(*w);
      else if (const std::vector<double>* f = m.column("frequency"))
        omega = 2 * std::numbers::pi * rms_of(*f);
      if (!(omega > 0) || !std::isfinite(omega)) continue;
      sizes.omega = sizes.omega > 0 ? std::min(sizes.omega, omega) : omega;
      sizes.length = std::max(sizes.length, size / std::pow(omega, m.order[c]));
    }
  for (const Measurement& m : file.measurements)
    if (m.kind == "modal-curve" && sizes.omega == 0) {
      const std::vector<double>* omega = m.column("omega");
      const std::vector<double>* frequency = m.column("frequency");
      sizes.omega = omega       ? rms_of(*omega)
                    : frequency ? 2 * std::numbers::pi * rms_of(*frequency)
                                : 1;
      sizes.length = rms_of(*m.column("amplitude")) / std::pow(sizes.omega, m.order.front());
    }
  for (const Measurement& m : file.measurements)
    if (sizes.length == 0 && m.kind == "loop") sizes.length = rms_of(*m.column("u"));
  if (sizes.length == 0) sizes.length = 1;
  return sizes;
}

/// Where the search begins for a number that nobody has set.
class Guess {
 public:
  explicit Guess(const IdentificationFile& file) : file_(file.structure) {
    const dynamics::Structure& s = file_.structure;
    const Sizes sizes = sizes_of(file);
    u_ = sizes.length;
    // The dynamic compliance is about that of the static stiffness and as much again.
    const Eigen::MatrixXd K = s.K, M = s.M;
    const double scale = std::max(K.trace() / M.trace(), 1e-300);
    const double square = sizes.omega > 0 ? sizes.omega * sizes.omega : scale;
    compliance_ = dense::inverse(K + square * M);
  }

  double of(const Address& address) const {
    const double own = catalog::value_at(file_, address);
    if (address.kind == Address::Kind::joint) return of_law(address, own);
    if (own != 0) return own;
    switch (address.kind) {
      case Address::Kind::damper: {
        const Eigen::VectorXd w = file_.parts.dampers[address.place].w.dense();
        return 0.02 * std::sqrt(stiffness(w) * w.dot(file_.structure.M * w));
      }
      case Address::Kind::damping:
      case Address::Kind::stuck_damping:
        return 0.01;
      case Address::Kind::spring:
        return stiffness(file_.parts.springs[address.place].w.dense());
      default:
        return 1;
    }
  }

  struct Powers {
    double stiffness = 0, length = 0;
  };
  /// How a parameter goes with the stiffness and the displacement of its joint, by its unit.
  Powers powers(std::size_t joint, const ParameterInfo& info) const {
    if (info.unit == "F/L") return {1, 0};
    if (info.unit == "F") return {1, 1};
    if (info.unit == "L") return {0, 1};
    if (info.unit == "1/L") return {0, -1};
    if (info.unit == "F^2") return {2, 2};
    if (info.unit.starts_with("L^-")) {
      const auto& values = file_.laws[joint].parameters;
      const auto n = values.find(info.unit.substr(3));
      const auto* exponent = n == values.end() ? nullptr : std::get_if<double>(&n->second);
      return {0, -(exponent ? *exponent : 1)};
    }
    return {};
  }

  /// The start of a law's parameter as sizes of its joint, if it is such a size.
  void size(const Address& address, identify::Unknown& u) const {
    const auto& law = file_.structure.joints[address.place].model;
    for (const ParameterInfo& info : law.description().parameters) {
      const auto* standard = std::get_if<double>(&info.default_value);
      if (info.name != address.parameter || !standard ||
          *standard != catalog::value_at(file_, address))
        continue;
      const Powers of = powers(address.place, info);
      u.by_stiffness = of.stiffness;
      u.by_length = of.length;
      u.stiffness = at_joint(address);
      u.length = u_;
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
      const Powers of = powers(address.place, info);
      // Laws begin to slip at half of the displacement; what has another unit keeps its number.
      const bool size = info.unit == "F" || info.unit == "F^2";
      const double share = size ? std::pow(0.5, of.stiffness) : 1;
      const double number = info.unit.starts_with("L^-") ? own : 1;
      if (of.stiffness == 0 && of.length == 0) return own;
      return number * share * std::pow(at_joint(address), of.stiffness) * std::pow(u_, of.length);
    }
    return own;
  }

  double stiffness(const Eigen::VectorXd& w) const { return 1 / w.dot(compliance_ * w); }
  double at_joint(const Address& address) const {
    return stiffness(file_.structure.joints[address.place].w.dense());
  }

  const catalog::StructureFile& file_;
  double u_ = 1;
  Eigen::MatrixXd compliance_;
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
    guess.size(address, u);
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

/// Of a record that repeats, periods from rest before the one that is compared.
constexpr std::size_t periods_before = 5;

/// The force between rows: as the data say, else as the load of the file does, else a spline.
bool is_spline(const Measurement& m, const dynamics::Load& load) {
  if (!m.interpolate.empty()) return m.interpolate == "spline";
  const auto* samples = std::get_if<dynamics::SampledLoad>(&load.signal);
  return !samples || !samples->curvature.empty();
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
  const std::size_t before = m.initial == "periodic" ? periods_before : 0;
  const double step = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
  if (before > 0 || !m.band.empty())
    for (std::size_t i = 1; i < t.size(); ++i)
      if (std::abs(t[i] - t[i - 1] - step) > 1e-3 * step)
        refuse(m, "rows must be at equal steps where they are periodic or a band is compared");
  task.lead = before * t.size();
  if (before > 0) {
    const std::vector<double> period = task.t;
    task.t.clear();
    for (std::size_t k = 0; k <= before; ++k)
      for (std::size_t i = 0; i < period.size(); ++i)
        task.t.push_back(step * static_cast<double>(k * period.size() + i));
  }
  if (m.kind == "record")
    for (std::size_t l = 0; l < structure.loads.size(); ++l) {
      const std::vector<double>* f = m.column("load" + std::to_string(l + 1));
      if (!f && l == 0) f = m.column("f");
      std::vector<double> force;
      for (std::size_t k = 0; k <= before; ++k)
        for (std::size_t i = 0; i < t.size(); ++i) force.push_back(f ? (*f)[i] : 0);
      task.forces.emplace_back(task.t, std::move(force), is_spline(m, structure.loads[l]));
    }
  if (m.kind == "ring-down" || m.initial == "unknown") task.basis = basis_of(structure, task.t);
  datum.measured.resize(static_cast<Index>(task.t.size()), static_cast<Index>(m.channels.size()));
  for (std::size_t c = 0; c < m.channels.size(); ++c) {
    const std::vector<double>& x = *m.column(m.channels[c]);
    for (std::size_t i = first; i < x.size(); ++i)
      datum.measured(static_cast<Index>(i - first), static_cast<Index>(c)) = x[i];
  }
  if (!m.band.empty()) {
    datum.band = {m.band[0], m.band[1]};
    const auto rows = static_cast<double>(task.t.size() - task.lead);
    if (std::floor(2 * rows * step * m.band[1]) - std::ceil(2 * rows * step * m.band[0]) < 8)
      refuse(m, "the band holds fewer than 8 frequencies of the rows; widen it");
    if (m.band[1] > 0.5 / step) refuse(m, "the band reaches beyond half the rate of the rows");
  }
  datum.motion = std::move(task);
  return datum;
}

identify::Datum curve_of(const Measurement& m) {
  identify::Datum datum;
  const std::vector<double>& amplitude = *m.column("amplitude");
  datum.curve = identify::CurveTask{
      amplitude, {m.at.front().dense(), m.order.front()}, *m.mode - 1, m.zeta == "energy"};
  const auto rows = static_cast<Index>(amplitude.size());
  datum.measured.resize(rows, static_cast<Index>(m.channels.size()));
  datum.spread = Eigen::MatrixXd::Ones(rows, datum.measured.cols());
  for (std::size_t c = 0; c < m.channels.size(); ++c) {
    const double unit = m.channels[c] == "frequency" ? 2 * std::numbers::pi : 1;
    const std::vector<double>& values = *m.column(m.channels[c]);
    const std::vector<double>* error = m.column(m.channels[c] + "_error");
    double mean = 0;
    for (Index i = 0; error && i < rows; ++i) mean += (*error)[static_cast<std::size_t>(i)];
    mean /= static_cast<double>(rows);
    for (Index i = 0; i < rows; ++i) {
      const auto row = static_cast<std::size_t>(i);
      datum.measured(i, static_cast<Index>(c)) = unit * values[row];
      if (error && (*error)[row] > 0) datum.spread(i, static_cast<Index>(c)) = (*error)[row] / mean;
    }
  }
  return datum;
}

identify::Datum loop_of(const Measurement& m) {
  identify::Datum datum;
  identify::LoopTask task;
  task.joint = static_cast<std::size_t>(*m.joint - 1);
  task.u = *m.column("u");
  task.periodic = m.initial == "periodic";
  if (const std::vector<double>* t = m.column("t")) {
    task.dt.push_back(0);
    for (std::size_t i = 1; i < t->size(); ++i) {
      if (!((*t)[i] > (*t)[i - 1])) refuse(m, "t must increase");
      task.dt.push_back((*t)[i] - (*t)[i - 1]);
    }
    if (task.dt.size() > 1) task.dt.front() = task.dt[1];
  }
  const std::vector<double>& f = *m.column("f");
  datum.measured = Eigen::Map<const Eigen::VectorXd>(f.data(), static_cast<Index>(f.size()));
  datum.loop = std::move(task);
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

namespace {

/// Parameters whose ratio a law bounds: the search moves the ratio.
void relate(const IdentificationFile& file, const std::vector<Address>& addresses,
            std::vector<identify::Unknown>& unknowns) {
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    if (addresses[i].kind != Address::Kind::joint) continue;
    const std::size_t place = addresses[i].place;
    const auto& options = file.structure.laws[place].options;
    // Bouc–Wen's law without its bound.
    const auto free = options.find("admissible");
    const auto* word = free == options.end() ? nullptr : std::get_if<std::string>(&free->second);
    if (word && *word == "any") continue;
    for (const FitHints::Ratio& ratio :
         file.structure.structure.joints[place].model.description().fit_hints.ratios) {
      identify::Unknown& u = unknowns[i];
      if (ratio.parameter != u.parameter) continue;
      int to = -1;
      double other = 0;
      for (std::size_t k = 0; k < unknowns.size(); ++k)
        if (unknowns[k].joint == u.joint && unknowns[k].parameter == ratio.to)
          to = static_cast<int>(k);
      if (to >= 0) {
        other = unknowns[static_cast<std::size_t>(to)].start;
      } else if (const auto* fixed =
                     std::get_if<double>(&file.structure.laws[place].parameters.at(ratio.to))) {
        other = *fixed;
      }
      if (!(other > 0)) continue;
      // A start nobody has set lies within the bounds, not on one of them.
      if (!u.given && u.by_length != 0) u.start = 0.5 * (ratio.bounds.lo + ratio.bounds.hi) * other;
      u.logarithmic = false;
      u.lower = std::max(ratio.bounds.lo * (to < 0 ? other : 1), to < 0 ? u.lower : -1e300);
      u.upper = std::min(ratio.bounds.hi * (to < 0 ? other : 1), to < 0 ? u.upper : 1e300);
      u.ratio_to = to;
    }
  }
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
  relate(file, *addresses, task.unknowns);
  auto structure = std::make_shared<catalog::StructureFile>(file.structure);
  structure->analyses.clear();
  task.build = [structure, addresses](const Eigen::VectorXd& p) {
    catalog::AddressedValues values;
    for (std::size_t i = 0; i < addresses->size(); ++i)
      values.emplace_back((*addresses)[i], p[static_cast<Index>(i)]);
    return catalog::with_values(*structure, values);
  };
  for (const Measurement& m : file.measurements) {
    identify::Datum datum = m.kind == "frequency-response" ? response_of(m)
                            : m.kind == "modal-curve"      ? curve_of(m)
                            : m.kind == "loop"             ? loop_of(m)
                                                           : motion_of(m, file.structure.structure);
    datum.name = m.name;
    datum.holdout = m.holdout;
    datum.channels = m.channels;
    task.data.push_back(std::move(datum));
  }
  return task;
}

namespace {

/// A column against amplitude, in quarters of the rows from small to large: their means, and errors of these.
std::vector<std::pair<double, double>> quarters(const Measurement& m, const std::string& name) {
  const std::vector<double>&a = *m.column("amplitude"), &x = *m.column(name);
  std::vector<std::size_t> order(a.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t one, std::size_t other) { return a[one] < a[other]; });
  std::vector<std::pair<double, double>> means;
  for (std::size_t q = 0; q < 4; ++q) {
    const std::size_t from = q * a.size() / 4, to = (q + 1) * a.size() / 4;
    double mean = 0, spread = 0;
    const auto count = static_cast<double>(to - from);
    for (std::size_t i = from; i < to; ++i) mean += x[order[i]] / count;
    for (std::size_t i = from; i < to; ++i) spread += (x[order[i]] - mean) * (x[order[i]] - mean);
    // Rows of a decay overlap: as if four of them were one.
    means.emplace_back(mean, std::sqrt(4 * spread / count / count));
  }
  return means;
}

/// What joints that slip do not do: a frequency that rises with the amplitude, damping that falls from the smallest on.
void curve_doubts(const Measurement& m, std::vector<std::string>& sentences) {
  if (m.column("amplitude")->size() < 16) return;
  for (const std::string& name : m.channels) {
    const auto mean = quarters(m, name);
    const bool frequency = name != "zeta";
    const double change = mean[frequency ? 3 : 1].first - mean[0].first;
    const double error = std::hypot(mean[frequency ? 3 : 1].second, mean[0].second);
    if (frequency && change > 4 * error && change > 1e-4 * mean[0].first)
      sentences.push_back(fmt::format(
          "{}, {}: rises with the amplitude, from {:.5g} to {:.5g}; joints that slip only lower "
          "it, so a stiffening spring or a gap that closes is missing",
          m.name, name, mean[0].first, mean[3].first));
    if (!frequency && change < -4 * error && change < -0.05 * mean[0].first)
      sentences.push_back(fmt::format(
          "{}, zeta: falls from {:.3g} at the smallest amplitudes to {:.3g}; a joint that begins "
          "to slip damps more with amplitude: all of it slips already, or rigid friction or the "
          "noise of the smallest amplitudes is seen",
          m.name, mean[0].first, mean[1].first));
  }
}

}  // namespace

std::vector<std::string> doubts(const IdentificationFile& file, const identify::Result& result) {
  std::vector<std::string> sentences;
  for (const Measurement& m : file.measurements)
    if (m.kind == "modal-curve") curve_doubts(m, sentences);
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
