#include <algorithm>

#include "jobs/summing.hpp"
#include "jobs/text_form.hpp"
#include "microslip/detail/numerics/constants.hpp"

namespace microslip::jobs {

Summing::Summing(const SimulatedLaw& law, const SimulateRequest& request)
    : all_rows_(request.u.size()), period_(request.period) {
  summary_.u_min = summary_.f_min = infinity;
  summary_.u_max = summary_.f_max = -infinity;
  goes_on_ = law.resumed && law.resumed->t;
  if (goes_on_) before_ = law.resumed->energy;
  if (period_) begin_ = goes_on_ ? *law.resumed->t : request.t.front();
}

void Summing::add(const Path& rows, const History& part) {
  SimulatedSummary& s = summary_;
  for (std::size_t i = 0; i < part.f.size(); ++i) {
    s.u_min = std::min(s.u_min, part.u[i]);
    s.u_max = std::max(s.u_max, part.u[i]);
    s.f_min = std::min(s.f_min, part.f[i]);
    s.f_max = std::max(s.f_max, part.f[i]);
    if (s.rows == 0 && !goes_on_) before_ = part.energy[i];
    ++s.rows;
    if (period_) add_period_ends(rows.t[i], part.energy[i]);
  }
  if (!part.energy.empty()) s.dissipated = part.energy.back();
}

/// Energy between two rows is taken as linear. A last row that misses the end of a period by
/// rounding still ends it.
void Summing::add_period_ends(double t, double energy) {
  const double reach = t + (summary_.rows == all_rows_ ? 1e-9 * *period_ : 0.0);
  std::vector<double>& periods = summary_.energy_per_period;
  while (true) {
    const double end = begin_ + static_cast<double>(periods.size() + 1) * *period_;
    if (!(end <= reach)) break;
    const double part = summary_.rows == 1 || end >= t ? 1.0 : (end - last_t_) / (t - last_t_);
    const double now = part == 1 ? energy : last_energy_ + part * (energy - last_energy_);
    periods.push_back(now - before_);
    before_ = now;
  }
  last_t_ = t;
  last_energy_ = energy;
}

std::string energy_unit(const RecordUnits& units) {
  return units.u.empty() || units.f.empty() ? "" : units.f + " " + units.u;
}

void add_answers(const Simulated& law, const RecordUnits& units, Drive drive,
                 const std::string& suffix, std::vector<io::ColumnView>& columns) {
  const History& h = law.history;
  const auto add = [&](const std::string& name, const std::string& unit,
                       const std::vector<double>& values) {
    if (!values.empty()) columns.push_back({name + suffix, unit, values});
  };
  const bool by_force = drive == Drive::force;
  add("f" + std::string(first_direction(!h.fy.empty(), !h.fn.empty())), units.f, h.f);
  add("fy", units.f, h.fy);
  add("fn", units.f, h.fn);
  add("energy", energy_unit(units), h.energy);
  add(by_force ? "u_sd" : "f_sd", by_force ? units.u : units.f, law.answer_sd);
  add("energy_sd", energy_unit(units), law.energy_sd);
  add("tangent", "", h.tangent);
  add("stored", energy_unit(units), h.stored);
  for (const StateColumn& state : h.states) add(state.name, "", state.values);
}

void add_time(const std::vector<double>& t, const RecordUnits& units,
              std::vector<io::ColumnView>& columns) {
  if (!t.empty()) columns.push_back({"t", units.t, t});
}

void add_motion(const History& h, const RecordUnits& units, const std::string& suffix,
                std::vector<io::ColumnView>& columns) {
  const bool has_y = !h.uy.empty(), has_n = !h.un.empty();
  const std::string first(first_direction(has_y, has_n));
  columns.push_back({"u" + first + suffix, units.u, h.u});
  if (has_y) columns.push_back({"uy" + suffix, units.u, h.uy});
  if (has_n) columns.push_back({"un" + suffix, units.u, h.un});
}

MICROSLIP_TEXT_FORM(SimulateRequest)
MICROSLIP_TEXT_FORM(SimulateResult)

}  // namespace microslip::jobs
