#include "microslip/identify/identify.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <set>

#include "identify/problem.hpp"
#include "microslip/core/error.hpp"

namespace microslip::identify {
namespace {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Clock = std::chrono::steady_clock;

std::string rounded(double x) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3g", x);
  return buffer;
}

class Identification {
 public:
  Identification(const Build& build, const std::vector<Unknown>& unknowns, std::vector<Datum> data,
                 const Settings& settings)
      : unknowns_(unknowns),
        settings_(settings),
        begin_(Clock::now()),
        problem_(build, unknowns, std::move(data)) {
    for (const Datum& datum : problem_.data()) {
      if (datum.holdout) continue;
      steady_ = steady_ || !datum.motion;
      if (datum.response)
        levels_.insert(datum.response->level.begin(), datum.response->level.end());
    }
    for (double share = problem_.first_periods(); share < 0.02; share *= 4)
      shares_.push_back(share);
    for (const double share : {0.03, 0.12, 0.4}) shares_.push_back(share);
  }

  Result run() {
    search();
    Result result;
    result.starts = starts_;
    result.starts_at_best = at_best_;
    if (!std::isfinite(best_.cost)) {
      result.message =
          "no motion or response was found from any start; give 'start' values nearer to the truth";
      if (stopped_) result.outcome = fit::Outcome::budget;
      return result;
    }
    polish();
    finish(result);
    return result;
  }

 private:
  bool stop() {
    if (std::chrono::duration<double>(Clock::now() - begin_).count() > settings_.seconds)
      stopped_ = true;
    if (settings_.progress && !settings_.progress(part_, text_)) stopped_ = true;
    return stopped_;
  }

  /// Rms of the differences over that of the measured, by channels.
  double relative(double cost) const {
    double rows = 0;
    for (const Block& block : problem_.blocks())
      if (!problem_.data()[block.datum].holdout) rows += static_cast<double>(block.rows.size());
    return std::sqrt(2 * cost / rows);
  }

  bool has_motion() const {
    return std::any_of(problem_.data().begin(), problem_.data().end(),
                       [](const Datum& d) { return d.motion && !d.holdout; });
  }

  bool has_response() const {
    return std::any_of(problem_.data().begin(), problem_.data().end(),
                       [](const Datum& d) { return d.response && !d.holdout; });
  }

  /// The lowest level shows the structure with joints that hardly slip; where that is known, the displacements of
  /// the joints are, and with them the sizes of what only large motions show. Then all levels, then longer and
  /// longer pieces of motions, from one and a half periods on: phases of a long one are right only near the truth.
  Search from(Vector z, double size, std::mt19937_64* random) {
    const auto asked = [this] { return stop(); };
    Search found{z};
    if (steady_) {
      problem_.with_motions(false);
      found = steady(z, size, random);
      problem_.with_motions(true);
      if (!std::isfinite(found.cost) || !has_motion()) return found;
      problem_.rebase(found.z);
    } else if (size > 0) {
      if (!problem_.choose_steps(z, 1e-3)) return found;
      problem_.keep(shares_.front() < 0.02 ? shares_.front() : 0.12);
      start_states(found.z);
      resize(found.z, size, random);
    }
    if (has_motion()) {
      if (!problem_.choose_steps(found.z, 1e-3)) return {found.z};
      for (const double share : shares_) {
        problem_.keep(share);
        // The initial state first: it is nearly linear.
        found = least_squares(problem_, found.z, 4, asked, true);
        if (std::isfinite(found.cost)) found = least_squares(problem_, found.z, 20, asked);
        if (!std::isfinite(found.cost)) break;
      }
      problem_.keep(1);
      if (!std::isfinite(found.cost)) return found;
      if (!problem_.choose_steps(found.z, 1e-3)) return {found.z};
    }
    return least_squares(problem_, found.z, 60, asked);
  }

  /// Responses, curves and loops, level by level.
  Search steady(const Vector& z, double size, std::mt19937_64* random) {
    const auto asked = [this] { return stop(); };
    Search found{z};
    if (levels_.size() > 1) {
      problem_.up_to(*levels_.begin());
      problem_.by_logarithms(true);
      found = least_squares(problem_, found.z, 40, asked, false, 1e-3);
      problem_.by_logarithms(false);
      if (std::isfinite(found.cost))
        found = least_squares(problem_, found.z, 20, asked, false, 1e-3);
      problem_.up_to(std::numeric_limits<double>::infinity());
      problem_.with_motions(false);
      if (!std::isfinite(found.cost)) return found;
    }
    if (size > 0) resize(found.z, size, random);
    if (has_response()) {
      problem_.by_logarithms(true);
      found = least_squares(problem_, found.z, 40, asked, false, 1e-3);
      problem_.by_logarithms(false);
      if (!std::isfinite(found.cost)) return found;
    }
    return least_squares(problem_, found.z, 40, asked, false, 1e-6);
  }

  /// Initial states of free motions as those of a linear structure.
  void start_states(Vector& z) {
    const Search found = least_squares(
        problem_, z, 4, [this] { return stop(); }, true);
    if (std::isfinite(found.cost)) z = found.z;
  }

  /// Sizes of the laws by the displacements of their joints, `size` times these or about so.
  void resize(Vector& z, double size, std::mt19937_64* random) {
    const Displacements seen = problem_.displacements(z);
    std::normal_distribution<double> normal;
    Vector factor(seen.length.size());
    for (Index j = 0; j < factor.size(); ++j)
      factor[j] = size * (random ? std::exp(1.2 * normal(*random)) : 1);
    for (Index i = 0; i < problem_.parameters(); ++i) {
      const Unknown& u = unknowns_[static_cast<std::size_t>(i)];
      if (u.given || u.joint < 0 || u.by_length == 0 || u.ratio_to >= 0) continue;
      const double k = seen.stiffness[u.joint], length = factor[u.joint] * seen.length[u.joint];
      if (!(k > 0 && length > 0)) continue;
      const double larger =
          u.by_stiffness * std::log(k / u.stiffness) + u.by_length * std::log(length / u.length);
      Vector p = problem_.values(z);
      p[i] = u.start * std::exp(larger);
      z[i] = problem_.at(p)[i];
    }
    z = z.cwiseMax(problem_.lower()).cwiseMin(problem_.upper());
  }

  /// Neighbouring rows of what is left of motions are hardly alike.
  bool leaves_noise(const Vector& z) {
    const Differences at = problem_.differences(z, false);
    for (const Block& block : problem_.blocks()) {
      if (!block.in_time || problem_.data()[block.datum].holdout) continue;
      double sum = 0, neighbours = 0;
      for (std::size_t i = 1; i < block.rows.size(); ++i) {
        sum += at.r[block.rows[i]] * at.r[block.rows[i]];
        neighbours += at.r[block.rows[i]] * at.r[block.rows[i - 1]];
      }
      if (neighbours > 0.8 * sum) return false;
    }
    return true;
  }

  void search() {
    std::mt19937_64 random(settings_.seed);
    std::normal_distribution<double> normal;
    Vector start(problem_.parameters());
    for (Index i = 0; i < start.size(); ++i)
      start[i] = unknowns_[static_cast<std::size_t>(i)].start;
    const Vector given = problem_.at(start);
    const Vector low = problem_.lower(), high = problem_.upper();
    const bool scatter =
        std::any_of(unknowns_.begin(), unknowns_.end(), [](const Unknown& u) { return !u.given; });
    const bool sized = std::any_of(unknowns_.begin(), unknowns_.end(), [](const Unknown& u) {
      return !u.given && u.joint >= 0 && u.by_length != 0;
    });
    for (std::size_t k = 0; k <= settings_.starts; ++k) {
      part_ = 0.8 * static_cast<double>(k) / static_cast<double>(settings_.starts + 1);
      text_ = "start " + std::to_string(k + 1);
      if (k > 0 && stop()) break;
      // Joints that begin to slip at half of their largest displacement, at a tenth, at twice it.
      constexpr double sizes[] = {1, 0.2, 4};
      const bool derived = sized && k < 3;
      Vector z = given;
      for (Index i = 0; k > 0 && !derived && i < start.size(); ++i) {
        const Unknown& u = unknowns_[static_cast<std::size_t>(i)];
        if (u.given && scatter) continue;
        z[i] += normal(random) * (u.given ? 0.3 : u.logarithmic ? 1.5 : 1.0);
      }
      z = z.cwiseMax(low).cwiseMin(high);
      // After these, around the displacements of the joints and around the given numbers in turn.
      const double size = derived ? sizes[k] : sized && k % 2 == 1 ? 1 : 0;
      const Search found = from(z, size, derived ? nullptr : &random);
      ++starts_;
      if (!std::isfinite(found.cost)) continue;
      if (found.cost < best_.cost * (1 - 1e-3)) {
        best_ = found;
        at_best_ = 1;
      } else if (found.cost <= best_.cost * (1 + 1e-3)) {
        ++at_best_;
        if (found.cost < best_.cost) best_ = found;
      }
      // What explains the measurement to some per cent and leaves noise is no chance; otherwise it has to be found
      // twice. What explains next to nothing is found again and again, and is no reason to end.
      const double error = relative(best_.cost);
      if ((error < 0.02 && leaves_noise(best_.z)) || (error < 0.2 && at_best_ >= 2) ||
          (error < 0.5 && at_best_ >= 3))
        break;
      if (stopped_) break;
    }
  }

  /// With weights by the noise that is there, and steps that are fine beside it.
  void polish() {
    const auto asked = [this] { return stop(); };
    for (int round = 0; round < 4 && !stopped_; ++round) {
      part_ = 0.8 + 0.05 * round;
      text_ = "weights by the noise";
      if (round < 2) problem_.rebase(best_.z);
      estimate_noise(problem_, problem_.differences(best_.z, false), 1e-9);
      double finest = 1e-3;
      for (const Block& block : problem_.blocks())
        if (block.in_time) finest = std::min(finest, 0.03 * block.sigma / block.size);
      if (!problem_.choose_steps(best_.z, std::max(finest, 1e-8))) break;
      const Search found = least_squares(problem_, best_.z, 40, asked);
      if (!std::isfinite(found.cost)) break;
      const double way = (found.z - best_.z).head(problem_.parameters()).cwiseAbs().maxCoeff();
      best_ = found;
      if (way < 1e-7) break;
    }
    problem_.with_holdout(true);
    problem_.choose_steps(best_.z, 1e-4);
    estimate_noise(problem_, problem_.differences(best_.z, false), 1e-12);
  }

  void finish(Result& result) {
    result.p = problem_.values(best_.z);
    assess(problem_, unknowns_, best_.z, result);
    result.evaluations = problem_.evaluations;
    result.jacobians = problem_.jacobians;
    result.fitted = static_cast<std::size_t>(problem_.size());
    const Differences at = problem_.differences(best_.z, false);
    double fitted = 0, held = 0;
    std::size_t fitted_channels = 0, held_channels = 0;
    double effective = 0, deviance = 0;
    for (const Block& block : problem_.blocks()) {
      const Datum& datum = problem_.data()[block.datum];
      double own = 0;
      for (const Index row : block.rows) own += at.r[row] * at.r[row];
      const auto rows = static_cast<double>(block.rows.size());
      const double rms = std::sqrt(own / rows);
      Channel channel{datum.name,
                      block.channel,
                      datum.holdout,
                      rms,
                      block.size,
                      block.correlation,
                      block.rows.size(),
                      result.channels.size() < result.deviations.size()
                          ? result.deviations[result.channels.size()]
                          : 0};
      problem_.show(block, at, channel);
      result.channels.push_back(std::move(channel));
      const double error = rms / block.size;
      (datum.holdout ? held : fitted) += error * error;
      ++(datum.holdout ? held_channels : fitted_channels);
      if (!datum.holdout) {
        const double worth = rows * (1 - block.correlation) / (1 + block.correlation);
        effective += worth;
        deviance += 2 * worth * std::log(std::max(rms, 1e-300));
      }
      if (block.correlation > 0.5 && error > 0.01 && !datum.holdout)
        result.notes.push_back(datum.name + ", " + block.channel +
                               ": differences of neighbouring rows are alike (correlation " +
                               rounded(block.correlation) + "); the structure misses " +
                               rounded(100 * error) +
                               " % of the motion, and errors are widened by it");
    }
    result.rms_relative =
        fitted_channels ? std::sqrt(fitted / static_cast<double>(fitted_channels)) : 0;
    result.holdout_relative =
        held_channels ? std::sqrt(held / static_cast<double>(held_channels)) : 0;
    const auto k = static_cast<double>(problem_.size()) + static_cast<double>(fitted_channels);
    result.bic = deviance + k * std::log(std::max(effective, 2.0));
    result.aicc = deviance + 2 * k * effective / std::max(effective - k - 1, 1.0);
    const bool open = std::any_of(result.errors.begin(), result.errors.end(),
                                  [](const auto& e) { return !e.has_value(); });
    result.outcome = stopped_           ? fit::Outcome::budget
                     : !best_.converged ? fit::Outcome::stalled
                     : open             ? fit::Outcome::undetermined
                                        : fit::Outcome::converged;
    message(result);
  }

  void message(Result& result) const {
    std::string text;
    for (const fit::Combination& c : result.combinations) {
      if (c.determined) continue;
      std::string names;
      for (const auto& [name, power] : c.parts) {
        char buffer[24];
        std::snprintf(buffer, sizeof buffer, "^%.2f", power);
        names += (names.empty() ? "" : " ") + name + (c.parts.size() > 1 ? buffer : "");
      }
      text += (text.empty() ? "not determined: " : "; ") + names;
    }
    if (result.rms_relative > 0.3)
      text = "the structure does not describe the measurement: it misses " +
             rounded(100 * result.rms_relative) + " % of it" + (text.empty() ? "" : "; ") + text;
    if (result.outcome == fit::Outcome::stalled)
      text +=
          std::string(text.empty() ? "" : "; ") + "no minimum yet: the last steps still led down";
    if (result.outcome == fit::Outcome::budget)
      text += std::string(text.empty() ? "" : "; ") + "stopped before its end";
    result.message = text;
  }

  const std::vector<Unknown>& unknowns_;
  const Settings& settings_;
  Clock::time_point begin_;
  Problem problem_;
  std::set<double> levels_;     ///< of responses
  std::vector<double> shares_;  ///< of motions, pieces that are compared one after the other
  bool steady_ = false;         ///< something else than motions was measured
  Search best_{};
  std::size_t starts_ = 0, at_best_ = 0;
  bool stopped_ = false;
  double part_ = 0;
  std::string text_{};
};

}  // namespace

Result identify(const Build& build, const std::vector<Unknown>& unknowns, std::vector<Datum> data,
                const Settings& settings) {
  if (unknowns.empty()) throw Error("nothing is unknown: [unknown] names no number");
  if (std::all_of(data.begin(), data.end(), [](const Datum& d) { return d.holdout; }))
    throw Error("every [[data]] is held out; at least one is needed to identify from");
  Vector start(static_cast<Index>(unknowns.size()));
  for (Index i = 0; i < start.size(); ++i) start[i] = unknowns[static_cast<std::size_t>(i)].start;
  const dynamics::Structure structure = build(start);
  check_structure(structure);
  for (const Datum& datum : data)
    if (datum.response) check(*datum.response, structure);
  return Identification(build, unknowns, std::move(data), settings).run();
}

}  // namespace microslip::identify
