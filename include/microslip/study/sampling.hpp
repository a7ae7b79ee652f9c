#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Samples of a distribution that is known up to a factor.
namespace microslip::study {

/// A posterior: prior times likelihood, in coordinates z without bounds.
struct Target {
  Eigen::Index dimension = 0;
  /// ln likelihood and ln prior density of z; −∞ where there is none. With `gradient` that of their
  /// sum. Called by several threads.
  struct Value {
    double likelihood = 0, prior = 0;
    double sum() const { return likelihood + prior; }
  };
  std::function<Value(const Eigen::VectorXd& z, Eigen::VectorXd* gradient)> value;
  /// A draw of the prior from uniform numbers, one for each coordinate.
  std::function<Eigen::VectorXd(const Eigen::VectorXd& u)> prior{};
};

struct SamplerOptions {
  std::size_t draws = 1000;  ///< of each chain; of transitional sampling in all
  std::size_t chains = 4;
  std::size_t warmup = 500;
  std::uint64_t seed = 1;
  std::size_t threads = 0;  ///< the samples do not depend on it
  /// Part done; false stops, and throws jobs::Interrupted.
  std::function<bool(double)> progress{};
};

struct Samples {
  std::vector<Eigen::MatrixXd> chains;              ///< draws × dimension, one for each chain
  double log_evidence = 0, log_evidence_error = 0;  ///< of transitional sampling
  std::size_t evaluations = 0, stages = 0;
  std::size_t divergences = 0;  ///< paths of NUTS that left the level of their energy
  double acceptance = 0;
};

/// The No-U-Turn sampler (Hoffman and Gelman, 2014; multinomial as Betancourt, 2017), from points near `start`
/// with momenta whose covariance is the inverse of `covariance`; the step is adapted during warm-up, and so is
/// the covariance.
Samples nuts(const Target& target, const Eigen::VectorXd& start, const Eigen::MatrixXd& covariance,
             const SamplerOptions& options);

/// Transitional Markov chain Monte Carlo (Ching and Chen, 2007): from draws of the prior over powers of the
/// likelihood to the posterior. Finds several maxima, needs no derivatives, gives the evidence.
Samples transitional(const Target& target, const SamplerOptions& options);

/// Split R̂ of one coordinate: 1 where chains agree.
double split_r_hat(const std::vector<Eigen::VectorXd>& chains);
/// How many independent draws say as much about the mean (Geyer's initial monotone sequence).
double effective_samples(const std::vector<Eigen::VectorXd>& chains);

}  // namespace microslip::study
