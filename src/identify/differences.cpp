#include <algorithm>
#include <cmath>
#include <numbers>

#include "identify/problem.hpp"
#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/dynamics/structure/modes.hpp"

namespace microslip::identify {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Matrix compared(const Datum& datum, const Matrix& rows) {
  if (!datum.band) return rows;
  const std::vector<double>& t = datum.motion->t;
  const auto count = static_cast<double>(rows.rows());
  const double step = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
  // cos(πk(n + ½)/N) has the frequency k/(2NΔt).
  const auto first = static_cast<Index>(std::ceil(2 * count * step * datum.band->first));
  const auto last = std::min<Index>(
      rows.rows() - 1, static_cast<Index>(std::floor(2 * count * step * datum.band->second)));
  const Index bins = std::max<Index>(last - first + 1, 0);
  Matrix out(bins, rows.cols());
  Vector wave(rows.rows());
  for (Index b = 0; b < bins; ++b) {
    const double angle = pi * static_cast<double>(first + b) / count;
    for (Index n = 0; n < rows.rows(); ++n)
      wave[n] = std::cos(angle * (static_cast<double>(n) + 0.5));
    out.row(b).noalias() =
        std::sqrt((first + b == 0 ? 1.0 : 2.0) / count) * (wave.transpose() * rows);
  }
  return out;
}

bool Problem::choose_steps(const Vector& z, double tolerance) {
  try {
    const System system = system_at(build_, unknowns_, values(z), false);
    for (std::size_t d = 0; d < data_.size(); ++d) {
      if (!data_[d].motion || (data_[d].holdout && !holdout_)) continue;
      MotionTask& task = *data_[d].motion;
      // The first rows stand for the rest: so many that the motion has gone to and fro.
      MotionTask part = task;
      part.lead = 0;
      part.t.resize(std::min<std::size_t>(task.t.size(), 1000));
      if (!choose_substeps(system, part, z.segment(start_[d], task.start_unknowns()), tolerance))
        return false;
      task.substeps = part.substeps;
    }
  } catch (const Error&) {
    return false;
  }
  return true;
}

bool Problem::rebase(Vector& z) {
  const bool any = std::any_of(data_.begin(), data_.end(), [](const Datum& d) {
    return d.motion && d.motion->basis.cols() > 0;
  });
  if (!any) return false;
  const dynamics::Modes modes = dynamics::modes_at_rest(build_(values(z)));
  const System system = system_at(build_, unknowns_, values(z), false);
  for (std::size_t d = 0; d < data_.size(); ++d) {
    if (!data_[d].motion || data_[d].motion->basis.cols() == 0) continue;
    Matrix& basis = data_[d].motion->basis;
    const Index count = basis.cols();
    const Matrix next = modes.shapes.leftCols(count);
    const Matrix change = next.transpose() * system.M * basis;
    for (const Index part : {start_[d], start_[d] + count})
      z.segment(part, count) = (change * z.segment(part, count)).eval();
    basis = next;
  }
  return true;
}

void Problem::show(const Block& block, const Differences& at, Channel& channel) const {
  const Datum& datum = data_[block.datum];
  const auto add = [&](double x, double measured, double answer) {
    channel.x.push_back(x);
    channel.measured.push_back(measured);
    channel.answer.push_back(answer);
  };
  if (datum.response) {
    channel.x_label = "omega";
    const Index width = datum.phases ? 2 : 1;
    const auto points = static_cast<Index>(datum.response->omega.size());
    for (std::size_t k = 0; k < block.rows.size(); k += static_cast<std::size_t>(width)) {
      const Index row = block.rows[k], i = (row - row_[block.datum]) / width;
      const std::complex<double> m = datum.phasors[i];
      const std::complex<double> r(at.r[row], width == 2 ? at.r[row + 1] : 0);
      add(datum.response->omega[static_cast<std::size_t>(i % points)], std::abs(m),
          width == 2 ? std::abs(m + r) : std::abs(m) + r.real());
    }
    return;
  }
  const auto rows = static_cast<Index>(block.rows.size());
  const Index column = (block.rows.front() - row_[block.datum]) / rows;
  const Matrix measured = compared(datum, datum.measured.col(column));
  for (Index i = 0; i < rows; ++i) {
    const auto k = static_cast<std::size_t>(i);
    double x = static_cast<double>(i);
    if (datum.curve) x = datum.curve->amplitude[k];
    if (datum.loop) x = datum.loop->u[k];
    if (datum.motion && !datum.band) x = datum.motion->t[datum.motion->lead + k];
    const double spread = datum.spread.size() > 0 ? datum.spread(i, column) : 1;
    add(x, measured(i, 0), measured(i, 0) + spread * at.r[block.rows[k]]);
  }
  channel.x_label = datum.curve  ? "amplitude"
                    : datum.loop ? "u"
                    : datum.band ? "frequency in the band, by number"
                                 : "t";
}

Displacements Problem::displacements(const Vector& z) const {
  System system = system_at(build_, unknowns_, values(z), false);
  const auto joints = static_cast<Index>(system.joints.size());
  Displacements seen{Vector::Zero(joints), Vector::Zero(joints)};
  for (Index j = 0; j < joints; ++j)
    seen.stiffness[j] = system.joints[static_cast<std::size_t>(j)].stiffness;
  const Matrix W = system.W;
  system.K += W * seen.stiffness.asDiagonal() * W.transpose();
  system.joints.clear();
  system.W.resize(system.size, 0);
  for (std::size_t d = 0; d < data_.size(); ++d) {
    const Datum& datum = data_[d];
    if (datum.holdout) continue;
    std::vector<Place> places;
    for (Index j = 0; j < joints; ++j) places.push_back({W.col(j), 0});
    if (datum.motion && motions_) {
      MotionTask task = *datum.motion;
      task.places = places;
      const Motion motion =
          identify::motion(system, task, z.segment(start_[d], task.start_unknowns()), false);
      if (!motion.failure.empty()) continue;
      for (Index j = 0; j < joints; ++j)
        seen.length[j] = std::max(seen.length[j], motion.y.col(j).cwiseAbs().maxCoeff());
    } else if (datum.curve) {
      const dynamics::Modes modes = dynamics::linear_modes(system.M, system.K);
      const Vector shape = modes.shapes.col(datum.curve->mode);
      const Place& place = datum.curve->place;
      const double seen_there =
          std::abs(place.w.dot(shape)) * std::pow(modes.omega[datum.curve->mode], place.order);
      const double largest =
          *std::max_element(datum.curve->amplitude.begin(), datum.curve->amplitude.end());
      for (Index j = 0; j < joints && seen_there > 0; ++j)
        seen.length[j] =
            std::max(seen.length[j], largest / seen_there * std::abs(W.col(j).dot(shape)));
    } else if (datum.loop) {
      double& length = seen.length[static_cast<Index>(datum.loop->joint)];
      for (const double u : datum.loop->u) length = std::max(length, std::abs(u));
    } else if (datum.response) {
      ResponseTask task = *datum.response;
      task.places = places;
      const Response response = identify::response(system, task, false);
      const auto points = static_cast<Index>(task.omega.size());
      for (Index j = 0; j < joints && response.failure.empty(); ++j)
        seen.length[j] =
            std::max(seen.length[j], response.y.segment(points * j, points).cwiseAbs().maxCoeff());
    }
  }
  return seen;
}

double Problem::first_periods() const {
  double share = 1;
  for (const Datum& datum : data_) {
    if (datum.holdout || !datum.motion || !datum.motion->forces.empty() || datum.band) continue;
    const std::vector<double>& t = datum.motion->t;
    const Index rows = datum.measured.rows();
    const double step = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
    // Rms over that of the integral, on which noise has little hold and drifts have much: they make it longer.
    Vector x = datum.measured.col(0), integral(rows);
    x.array() -= x.mean();
    double sum = 0;
    for (Index i = 0; i < rows; ++i) integral[i] = sum += x[i] * step;
    integral.array() -= integral.mean();
    if (!(x.norm() > 0)) continue;
    const double period = 2 * std::numbers::pi * integral.norm() / x.norm();
    share = std::min(share, 1.5 * period / (t.back() - t.front()));
  }
  return share;
}

bool Problem::counts(const Datum& datum) const {
  if (datum.holdout && !holdout_) return false;
  return !datum.motion || (motions_ && !logarithms_ && !std::isfinite(level_));
}

bool Problem::motion_rows(const System& system, std::size_t d, const Vector& z, bool derivatives,
                          Differences& out) const {
  const Datum& datum = data_[d];
  MotionTask part;
  const MotionTask* task = &*datum.motion;
  const Index all = datum.measured.rows();
  Index rows = all;
  if (share_ < 1) {
    const Index least = share_ < 0.03 ? 12 : 64;
    rows = std::max<Index>(std::min<Index>(all, least),
                           static_cast<Index>(share_ * static_cast<double>(all)));
    part = *task;
    part.t.resize(task->lead + static_cast<std::size_t>(rows));
    task = &part;
  }
  const Index np = parameters(), starts = task->start_unknowns();
  const Motion motion = identify::motion(system, *task, z.segment(start_[d], starts), derivatives);
  if (!motion.failure.empty()) return false;
  const Matrix slope = slopes(z);
  const Index each = compared(datum, datum.measured.col(0)).rows();  // rows of a block
  for (Index p = 0; p < datum.measured.cols(); ++p) {
    const Index row = row_[d] + p * each;
    const Matrix r = compared(datum, motion.y.col(p) - datum.measured.col(p).head(rows));
    out.r.segment(row, r.rows()) = r;
    if (!derivatives) continue;
    const Matrix of = compared(datum, motion.derivatives.middleRows(p * rows, rows));
    out.J.block(row, 0, r.rows(), np) = of.leftCols(np) * slope;
    out.J.block(row, start_[d], r.rows(), starts) = of.rightCols(starts);
  }
  return true;
}

bool Problem::response_rows(const System& system, std::size_t d, const Matrix& slope,
                            bool derivatives, Differences& out) const {
  const Datum& datum = data_[d];
  const Index np = parameters();
  // Points of higher levels are left out, and have no differences.
  const ResponseTask* task = &*datum.response;
  ResponseTask part;
  std::vector<Index> place;  // of each point in the part
  const auto points = static_cast<Index>(task->omega.size());
  if (std::isfinite(level_)) {
    part = *task;
    part.omega.clear();
    part.level.clear();
    for (std::size_t i = 0; i < task->omega.size(); ++i) {
      const bool kept = task->level[i] <= level_;
      place.push_back(kept ? static_cast<Index>(part.omega.size()) : -1);
      if (!kept) continue;
      part.omega.push_back(task->omega[i]);
      part.level.push_back(task->level[i]);
    }
    task = &part;
    if (part.omega.empty()) return true;
  }
  const auto taken = static_cast<Index>(task->omega.size());
  const Response response = identify::response(system, *task, derivatives);
  if (!response.failure.empty()) return false;
  const Index width = datum.phases ? 2 : 1;
  for (Index i = 0; i < datum.phasors.size(); ++i) {
    Index from = i;
    if (!place.empty()) {
      if (place[static_cast<std::size_t>(i % points)] < 0) continue;
      from = place[static_cast<std::size_t>(i % points)] + taken * (i / points);
    }
    const Index row = row_[d] + width * i;
    const std::complex<double> y = response.y[from], m = datum.phasors[i];
    Eigen::RowVectorXcd by;
    if (derivatives) by = response.derivatives.row(from);
    std::complex<double> r;
    if (logarithms_) {
      // In units of the noise of its block, so that each point counts alike.
      const double unit = sigma_[static_cast<std::size_t>(row)];
      r = unit * std::log(y / m);
      by *= unit / y;
      if (!std::isfinite(r.real()) || !std::isfinite(r.imag())) continue;
    } else if (datum.phases) {
      r = y - m;
    } else {
      r = std::abs(y) - std::abs(m);
      by *= std::abs(y) > 0 ? std::conj(y) / std::abs(y) : 0;
    }
    out.r[row] = r.real();
    if (width == 2) out.r[row + 1] = r.imag();
    if (!derivatives) continue;
    out.J.row(row).head(np) = by.real() * slope;
    if (width == 2) out.J.row(row + 1).head(np) = by.imag() * slope;
  }
  return true;
}

bool Problem::curve_rows(const System& system, std::size_t d, const Vector& z, bool derivatives,
                         Differences& out) const {
  const Datum& datum = data_[d];
  const auto answer = [&](const System& of, Vector& y) {
    const Curve curve = identify::curve(of, *datum.curve);
    Index row = 0;
    y.resize(datum.measured.size());
    for (Index p = 0; p < datum.measured.cols(); ++p)
      for (Index i = 0; i < datum.measured.rows(); ++i, ++row) {
        const double spread = datum.spread.size() > 0 ? datum.spread(i, p) : 1;
        y[row] =
            ((datum.channels[static_cast<std::size_t>(p)] == "zeta" ? curve.zeta : curve.omega)[i] -
             datum.measured(i, p)) /
            spread;
      }
    return curve.failure.empty();
  };
  Vector y, up, down;
  if (!answer(system, y)) return false;
  out.r.segment(row_[d], y.size()) = y;
  for (Index k = 0; derivatives && k < parameters(); ++k) {
    const double step = 1e-5;
    Vector high = z, low = z;
    high[k] += step;
    low[k] -= step;
    if (!answer(system_at(build_, unknowns_, values(high), false), up) ||
        !answer(system_at(build_, unknowns_, values(low), false), down))
      return false;
    out.J.col(k).segment(row_[d], y.size()) = (up - down) / (2 * step);
  }
  return true;
}

bool Problem::loop_rows(const System& system, std::size_t d, const Matrix& slope, bool derivatives,
                        Differences& out) const {
  const Datum& datum = data_[d];
  const LoopForces loop = identify::loop(system, *datum.loop, derivatives);
  if (!loop.failure.empty()) return false;
  out.r.segment(row_[d], loop.f.size()) = loop.f - datum.measured.col(0);
  if (derivatives) out.J.block(row_[d], 0, loop.f.size(), parameters()) = loop.derivatives * slope;
  return true;
}

Differences Problem::differences(const Vector& z, bool derivatives) const {
  Differences out;
  out.r.setZero(rows_);
  if (derivatives) out.J.setZero(rows_, size_);
  ++(derivatives ? jacobians : evaluations);
  if (logarithms_) {
    sigma_.assign(static_cast<std::size_t>(rows_), 1);
    for (const Block& block : blocks_)
      for (const Index row : block.rows) sigma_[static_cast<std::size_t>(row)] = block.sigma;
  }
  try {
    const System system = system_at(build_, unknowns_, values(z), derivatives);
    const Matrix slope = slopes(z);
    for (std::size_t d = 0; d < data_.size(); ++d) {
      const Datum& datum = data_[d];
      if (!counts(datum)) continue;
      const bool ok = datum.motion     ? motion_rows(system, d, z, derivatives, out)
                      : datum.response ? response_rows(system, d, slope, derivatives, out)
                      : datum.curve    ? curve_rows(system, d, z, derivatives, out)
                                       : loop_rows(system, d, slope, derivatives, out);
      if (!ok) return out;
    }
  } catch (const Error&) {
    return out;  // a law refuses these values
  }
  out.ok = out.r.allFinite() && (!derivatives || out.J.allFinite());
  return out;
}

}  // namespace microslip::identify
