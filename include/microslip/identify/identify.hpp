#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "microslip/fit/fit.hpp"
#include "microslip/identify/curve.hpp"
#include "microslip/identify/motion.hpp"
#include "microslip/identify/response.hpp"

/// Numbers of a structure from measured vibration: least squares with exact derivatives, and how sure they are.
namespace microslip::identify {

/// A set of measured motions in time, of steady responses, of a modal curve or of a loop.
struct Datum {
  std::string name;      ///< for messages
  bool holdout = false;  ///< is predicted, not fitted
  std::optional<MotionTask> motion{};
  std::optional<ResponseTask> response{};
  std::optional<CurveTask> curve{};
  std::optional<LoopTask> loop{};
  std::vector<std::string> channels{};  ///< headings of the places
  /// Of a motion: rows × places; of a curve: frequency (radians) and damping; of a loop: the force.
  Eigen::MatrixXd measured{};
  Eigen::MatrixXd spread{};  ///< of a curve, errors over their mean; empty: all alike
  /// Of a motion, periods per unit of time: only what moves in this band is compared.
  std::optional<std::pair<double, double>> band{};
  Eigen::VectorXcd phasors{};  ///< of a response: point + points · place, as in Response
  bool phases = true;          ///< false: only their sizes were measured
};

struct Settings {
  double seconds = std::numeric_limits<double>::infinity();
  std::size_t starts = 16;  ///< at most, besides the given one
  std::uint64_t seed = 1;
  /// Part done and what is under way; false ends the search with the best so far.
  std::function<bool(double, const std::string&)> progress{};
};

/// What was measured against what the structure answers.
struct Channel {
  std::string datum, channel;
  bool holdout = false;
  double rms = 0;          ///< of the difference
  double size = 0;         ///< rms of what was measured
  double correlation = 0;  ///< of the difference in a row with that in the next
  std::size_t rows = 0;
  double deviation = 0;  ///< what the errors of the unknowns leave open, rms
  /// Over time, frequency (radians), amplitude or displacement; of phasors their sizes.
  std::vector<double> x{}, measured{}, answer{};
  std::string x_label{};
};

struct Result {
  fit::Outcome outcome = fit::Outcome::failed;
  std::string message;
  Eigen::VectorXd p;                          ///< in the order of the unknowns
  std::vector<std::optional<double>> errors;  ///< standard errors; none: not determined
  Eigen::MatrixXd correlation;
  std::vector<fit::Combination> combinations;
  std::vector<Channel> channels;
  std::vector<double> deviations;  ///< of the channels
  double rms_relative = 0, holdout_relative = 0;
  double aicc = 0, bic = 0;
  std::size_t starts = 0, starts_at_best = 0, evaluations = 0, jacobians = 0, fitted = 0;
  std::vector<std::string> notes;
};

/// Throws Error for input that cannot be identified from.
Result identify(const Build& build, const std::vector<Unknown>& unknowns, std::vector<Datum> data,
                const Settings& settings = {});

}  // namespace microslip::identify
