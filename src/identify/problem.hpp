#pragma once

#include <vector>

#include "microslip/identify/identify.hpp"

/// From values of all unknowns to differences between what the structure answers and what was measured.
namespace microslip::identify {

/// Rows of the differences that share their noise: a channel of a motion, or one level of a response at one
/// place, real and imaginary parts.
struct Block {
  std::size_t datum = 0;
  std::string channel{};
  std::vector<Eigen::Index> rows{};  ///< of the differences of the whole problem
  bool in_time = false;              ///< neighbouring rows follow each other in time
  double size = 1;                   ///< rms of what was measured
  double sigma = 1;                  ///< of the noise
  double correlation = 0;
};

struct Differences {
  bool ok = false;
  Eigen::VectorXd r;  ///< answer − measured
  Eigen::MatrixXd J;  ///< by z, empty unless wanted
};

/// Of each joint: its stiffness at rest, and the largest displacement that the measured loads cause with joints that
/// are stuck.
struct Displacements {
  Eigen::VectorXd stiffness, length;
};

/// Unknown are z: logarithms of sizes, or values over their scale, and then the initial states of the motions.
class Problem {
 public:
  Problem(const Build& build, const std::vector<Unknown>& unknowns, std::vector<Datum> data);

  Eigen::Index parameters() const { return static_cast<Eigen::Index>(unknowns_.size()); }
  Eigen::Index size() const { return size_; }
  const std::vector<Datum>& data() const { return data_; }
  std::vector<Block>& blocks() { return blocks_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  Eigen::Index rows() const { return rows_; }

  Eigen::VectorXd values(const Eigen::VectorXd& z) const;
  /// dp/dz.
  Eigen::MatrixXd slopes(const Eigen::VectorXd& z) const;
  Eigen::VectorXd at(const Eigen::VectorXd& p) const;
  Eigen::VectorXd lower() const, upper() const;

  /// Only the first `share` of the rows of each motion counts; the rest has no differences and no derivatives.
  void keep(double share) { share_ = share; }
  /// The share that is one and a half periods of what a free motion mostly is; 1 if nothing moves freely.
  double first_periods() const;
  /// Responses by the logarithms of their ratios to what was measured, motions not at all: a resonance at another
  /// frequency is then near in a way that least squares can follow.
  void by_logarithms(bool on) { logarithms_ = on; }
  /// Only responses up to this level count, and no motions; infinity: all that was measured.
  void up_to(double level) { level_ = level; }
  /// Whether motions count.
  void with_motions(bool on) { motions_ = on; }
  /// Held-out data have no differences unless wanted.
  void with_holdout(bool on) { holdout_ = on; }
  bool choose_steps(const Eigen::VectorXd& z, double tolerance);
  /// Initial states in the modes of the structure at z; true where some datum has such.
  bool rebase(Eigen::VectorXd& z);
  /// Puts what was measured and the answer to it into a channel.
  void show(const Block& block, const Differences& at, Channel& channel) const;
  Displacements displacements(const Eigen::VectorXd& z) const;
  Differences differences(const Eigen::VectorXd& z, bool derivatives) const;

  mutable std::size_t evaluations = 0, jacobians = 0;

 private:
  void response_blocks(std::size_t d);
  void column_blocks(std::size_t d);
  bool counts(const Datum& datum) const;
  bool motion_rows(const System& system, std::size_t d, const Eigen::VectorXd& z, bool derivatives,
                   Differences& out) const;
  bool response_rows(const System& system, std::size_t d, const Eigen::MatrixXd& slope,
                     bool derivatives, Differences& out) const;
  bool curve_rows(const System& system, std::size_t d, const Eigen::VectorXd& z, bool derivatives,
                  Differences& out) const;
  bool loop_rows(const System& system, std::size_t d, const Eigen::MatrixXd& slope,
                 bool derivatives, Differences& out) const;

  const Build& build_;
  const std::vector<Unknown>& unknowns_;
  std::vector<Datum> data_;
  std::vector<Eigen::Index> row_,
      start_;  ///< of each datum: its first difference, its first initial unknown
  std::vector<Block> blocks_;
  Eigen::VectorXd scale_;
  mutable std::vector<double> sigma_;  ///< of each difference, for logarithms
  Eigen::Index size_ = 0, rows_ = 0;
  double share_ = 1, level_ = std::numeric_limits<double>::infinity();
  bool logarithms_ = false, motions_ = true, holdout_ = false;
};

/// What of the rows of a datum is compared: themselves, or what moves in its band, by the cosines of these
/// frequencies that are orthogonal over the rows: white noise stays white.
Eigen::MatrixXd compared(const Datum& datum, const Eigen::MatrixXd& rows);

struct Search {
  Eigen::VectorXd z;
  double cost = std::numeric_limits<double>::infinity();
  bool converged = false;
};

/// Least squares of the weighted differences between limits, by Levenberg and Marquardt's method. `only_starts`: the
/// parameters stay. `hold` keeps what the data leave open near its start: it is the weight of the squared way.
Search least_squares(const Problem& problem, Eigen::VectorXd z, int iterations,
                     const std::function<bool()>& stop, bool only_starts = false, double hold = 0);

/// ½ Σ (r/σ)², in which held-out rows do not count.
double cost_of(const Problem& problem, const Differences& of);

/// Standard errors, correlations and undetermined combinations at a minimum.
void assess(const Problem& problem, const std::vector<Unknown>& unknowns, const Eigen::VectorXd& z,
            Result& result);

/// Noise of each block from its differences, with its correlation.
void estimate_noise(Problem& problem, const Differences& at, double floor);

}  // namespace microslip::identify
