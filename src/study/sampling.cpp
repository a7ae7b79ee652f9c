#include "microslip/study/sampling.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <atomic>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <mutex>

#include "microslip/detail/numerics/parallel.hpp"
#include "microslip/jobs/control.hpp"
#include "microslip/study/design.hpp"

namespace microslip::study {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Random numbers of one chain: a counter, so that threads do not matter.
class Random {
 public:
  Random(std::uint64_t seed, std::uint32_t stream) : seed_(seed), stream_(stream) {}
  double uniform() { return study::uniform(seed_, stream_, count_++, 0); }
  double normal() {
    static const boost::math::normal standard{};
    return boost::math::quantile(standard, uniform());
  }
  VectorXd normals(Index n) {
    VectorXd z(n);
    for (double& x : z) x = normal();
    return z;
  }

 private:
  std::uint64_t seed_, count_ = 0;
  std::uint32_t stream_;
};

constexpr std::uint32_t nuts_stream = 1000, transitional_stream = 100000;

double log_sum(double a, double b) {
  if (std::isinf(a) && a < 0) return b;
  if (std::isinf(b) && b < 0) return a;
  const double most = std::max(a, b);
  return most + std::log(std::exp(a - most) + std::exp(b - most));
}

/// Momenta p ~ N(0, M), M⁻¹ = L Lᵀ: in q = L y, the momenta of y are standard normal. So all is done in y.
class Chain {
 public:
  Chain(const Target& target, const VectorXd& start, const MatrixXd& root, Random random)
      : target_(target), root_(root), random_(random) {
    center_ = start;
    set_root(root);
    at_ = state_of(VectorXd::Zero(start.size()));
  }

  bool alive() const { return std::isfinite(at_.value); }
  /// A start that is spread about the centre.
  bool spread() {
    for (int tries = 0; tries < 50; ++tries) {
      const State there = state_of(random_.normals(target_.dimension) / (1 + 0.2 * tries));
      if (!std::isfinite(there.value)) continue;
      at_ = there;
      return true;
    }
    return alive();
  }

  VectorXd position() const { return center_ + root_ * at_.y; }
  std::size_t evaluations() const { return evaluations_; }
  std::size_t divergences() const { return divergences_; }
  double mean_acceptance() const { return steps_ > 0 ? accepted_ / steps_ : 0; }
  void forget() { divergences_ = 0, accepted_ = steps_ = 0; }

  void set_root(const MatrixXd& root) {
    const VectorXd z = at_.y.size() > 0 ? position() : center_;
    root_ = root;
    if (at_.y.size() > 0) {
      center_ = z;
      at_ = state_of(VectorXd::Zero(z.size()));
    }
    find_step();
  }

  /// One draw; during warm-up the step is adapted.
  void draw(bool adapt) {
    const VectorXd momentum = random_.normals(target_.dimension);
    const double energy = 0.5 * momentum.squaredNorm() - at_.value;
    Tree tree;
    tree.left = tree.right = {at_, momentum};
    tree.rho = momentum;
    tree.proposal = at_;
    tree.weight = 0;
    double accept = 0;
    int count = 0;
    for (int depth = 0; depth < 10; ++depth) {
      const bool forward = random_.uniform() < 0.5;
      Tree part = build(forward ? tree.right : tree.left, depth, forward, energy);
      accept += part.accept;
      count += part.count;
      if (!part.good) break;
      if (std::log(random_.uniform()) < part.weight - tree.weight) tree.proposal = part.proposal;
      const VectorXd before = tree.rho;
      tree.weight = log_sum(tree.weight, part.weight);
      tree.rho += part.rho;
      // No turn in the whole, nor between the halves.
      const Point& inner = forward ? tree.right : tree.left;
      const Point& outer = forward ? part.left : part.right;
      const bool halves = straight(before + outer.p, forward ? tree.left.p : outer.p,
                                   forward ? outer.p : tree.right.p) &&
                          straight(part.rho + inner.p, forward ? inner.p : part.left.p,
                                   forward ? part.right.p : inner.p);
      (forward ? tree.right : tree.left) = forward ? part.right : part.left;
      if (!halves || !straight(tree.rho, tree.left.p, tree.right.p)) break;
    }
    at_ = tree.proposal;
    const double mean = count > 0 ? accept / count : 0;
    accepted_ += mean;
    steps_ += 1;
    if (adapt) adapt_step(mean);
  }

  void end_warmup() { step_ = std::exp(log_step_mean_); }

 private:
  struct State {
    VectorXd y, gradient;
    double value = -std::numeric_limits<double>::infinity();
  };
  struct Point {
    State at;
    VectorXd p;
  };
  struct Tree {
    Point left, right;
    VectorXd rho;
    State proposal;
    double weight = -std::numeric_limits<double>::infinity(), accept = 0;
    int count = 0;
    bool good = true;
  };

  State state_of(const VectorXd& y) {
    State state{y, {}, 0};
    VectorXd gradient(target_.dimension);
    state.value = target_.value(center_ + root_ * y, &gradient).sum();
    ++evaluations_;
    if (!std::isfinite(state.value)) {
      state.value = -std::numeric_limits<double>::infinity();
      state.gradient = VectorXd::Zero(target_.dimension);
    } else {
      state.gradient = root_.transpose() * gradient;
    }
    return state;
  }

  Point leap(const Point& from, double step) {
    Point to;
    to.p = from.p + 0.5 * step * from.at.gradient;
    to.at = state_of(from.at.y + step * to.p);
    to.p += 0.5 * step * to.at.gradient;
    return to;
  }

  static bool straight(const VectorXd& rho, const VectorXd& left, const VectorXd& right) {
    return rho.dot(left) > 0 && rho.dot(right) > 0;
  }

  Tree build(const Point& from, int depth, bool forward, double energy) {
    if (depth == 0) {
      Tree leaf;
      leaf.left = leaf.right = leap(from, forward ? step_ : -step_);
      const double now = 0.5 * leaf.left.p.squaredNorm() - leaf.left.at.value;
      const double rise = std::isfinite(now) ? now - energy : 1e300;
      leaf.weight = -rise;
      leaf.accept = std::min(1.0, std::exp(-rise));
      leaf.count = 1;
      leaf.good = rise < 1000;
      if (!leaf.good) ++divergences_;
      leaf.rho = leaf.left.p;
      leaf.proposal = leaf.left.at;
      return leaf;
    }
    Tree first = build(from, depth - 1, forward, energy);
    if (!first.good) return first;
    Tree second = build(forward ? first.right : first.left, depth - 1, forward, energy);
    Tree both;
    both.accept = first.accept + second.accept;
    both.count = first.count + second.count;
    both.good = second.good;
    if (!both.good) return both;
    both.weight = log_sum(first.weight, second.weight);
    both.proposal = std::log(random_.uniform()) < second.weight - both.weight ? second.proposal
                                                                              : first.proposal;
    both.rho = first.rho + second.rho;
    const Tree& left = forward ? first : second;
    const Tree& right = forward ? second : first;
    both.left = left.left;
    both.right = right.right;
    both.good = straight(both.rho, both.left.p, both.right.p) &&
                straight(left.rho + right.left.p, left.left.p, right.left.p) &&
                straight(right.rho + left.right.p, left.right.p, right.right.p);
    return both;
  }

  void find_step() {
    step_ = 1;
    if (at_.y.size() == 0 || !alive()) return restart_adaptation();
    const Point here{at_, random_.normals(target_.dimension)};
    const double energy = 0.5 * here.p.squaredNorm() - at_.value;
    const auto rise = [&] {
      const Point there = leap(here, step_);
      const double now = 0.5 * there.p.squaredNorm() - there.at.value;
      return std::isfinite(now) ? now - energy : 1e300;
    };
    const bool shrink = rise() > std::log(2.0);
    for (int k = 0; k < 40 && (rise() > std::log(2.0)) == shrink; ++k) {
      step_ *= shrink ? 0.5 : 2;
      if (step_ > 4) break;
    }
    restart_adaptation();
  }

  void restart_adaptation() {
    mu_ = std::log(10 * step_);
    log_step_mean_ = std::log(step_);
    error_ = 0;
    adapted_ = 0;
  }

  /// Dual averaging towards an acceptance of 0.8.
  void adapt_step(double accept) {
    adapted_ += 1;
    constexpr double target = 0.8, gamma = 0.05, t0 = 10, kappa = 0.75;
    const double weight = 1 / (adapted_ + t0);
    error_ = (1 - weight) * error_ + weight * (target - accept);
    const double log_step = mu_ - std::sqrt(adapted_) / gamma * error_;
    const double share = std::pow(adapted_, -kappa);
    log_step_mean_ = share * log_step + (1 - share) * log_step_mean_;
    step_ = std::exp(log_step);
  }

  const Target& target_;
  MatrixXd root_;
  Random random_;
  VectorXd center_;
  State at_{};
  double step_ = 1, mu_ = 0, log_step_mean_ = 0, error_ = 0, adapted_ = 0;
  double accepted_ = 0, steps_ = 0;
  std::size_t evaluations_ = 0, divergences_ = 0;
};

MatrixXd root_of(MatrixXd covariance) {
  const double size = std::max(covariance.diagonal().maxCoeff(), 1e-300);
  for (double jitter = 1e-12;; jitter *= 100) {
    const Eigen::LLT<MatrixXd> factor(covariance);
    if (factor.info() == Eigen::Success) return factor.matrixL();
    covariance.diagonal().array() += jitter * size;
  }
}

class Watch {
 public:
  Watch(const SamplerOptions& options, std::size_t total) : options_(options), total_(total) {}
  void advance() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (done_ % 16 != 0 || !options_.progress) return;
    if (!options_.progress(static_cast<double>(done_) / static_cast<double>(total_)))
      throw jobs::Interrupted();
  }

 private:
  const SamplerOptions& options_;
  std::mutex mutex_;
  std::size_t total_, done_ = 0;
};

}  // namespace

Samples nuts(const Target& target, const VectorXd& start, const MatrixXd& covariance,
             const SamplerOptions& options) {
  Samples samples;
  samples.chains.resize(options.chains);
  const MatrixXd root = root_of(covariance);
  Watch watch(options, options.chains * (options.warmup + options.draws));
  std::mutex mutex;
  in_parallel(
      options.chains, std::min(thread_count(options.threads), options.chains), [&](std::size_t c) {
        Chain chain(target, start, root,
                    Random(options.seed, nuts_stream + static_cast<std::uint32_t>(c)));
        if (!chain.spread()) throw jobs::Failure("the start has no posterior");
        // The covariance is learnt in windows that double.
        MatrixXd seen(static_cast<Index>(options.warmup), target.dimension);
        std::size_t window = 100, begin = 50;
        for (std::size_t k = 0; k < options.warmup; ++k) {
          chain.draw(true);
          watch.advance();
          seen.row(static_cast<Index>(k)) = chain.position().transpose();
          if (k + 1 < begin + window || begin + 3 * window > options.warmup + 100) continue;
          const MatrixXd part =
              seen.middleRows(static_cast<Index>(begin), static_cast<Index>(window));
          const MatrixXd centred = part.rowwise() - part.colwise().mean();
          const auto n = static_cast<double>(window);
          MatrixXd learnt = centred.transpose() * centred / (n - 1);
          learnt =
              (n * learnt + 5.0 * 1e-3 * MatrixXd(learnt.diagonal().asDiagonal())) / (n + 5e-3);
          if (learnt.allFinite() && learnt.diagonal().minCoeff() > 0)
            chain.set_root(root_of(learnt));
          begin += window;
          window *= 2;
        }
        if (options.warmup > 0) chain.end_warmup();
        chain.forget();
        MatrixXd draws(static_cast<Index>(options.draws), target.dimension);
        for (std::size_t k = 0; k < options.draws; ++k) {
          chain.draw(false);
          watch.advance();
          draws.row(static_cast<Index>(k)) = chain.position().transpose();
        }
        const std::lock_guard lock(mutex);
        samples.chains[c] = std::move(draws);
        samples.evaluations += chain.evaluations();
        samples.divergences += chain.divergences();
        samples.acceptance += chain.mean_acceptance() / static_cast<double>(options.chains);
      });
  return samples;
}

Samples transitional(const Target& target, const SamplerOptions& options) {
  const std::size_t count = options.draws;
  const Index d = target.dimension;
  const std::size_t threads = thread_count(options.threads);
  struct Particle {
    VectorXd z;
    Target::Value value;
  };
  std::vector<Particle> particles(count);
  Samples samples;
  std::atomic<std::size_t> evaluations{0};
  const Design design(DesignKind::sobol, options.seed, count, static_cast<std::size_t>(d));
  in_parallel(count, threads, [&](std::size_t i) {
    VectorXd u(d);
    design.point(i, std::span<double>(u.data(), static_cast<std::size_t>(d)));
    particles[i].z = target.prior(u);
    particles[i].value = target.value(particles[i].z, nullptr);
    ++evaluations;
  });
  double power = 0, scale = 0.5, variance = 0;
  std::uint32_t stage = 0;
  while (power < 1) {
    ++stage;
    if (options.progress && !options.progress(std::min(0.95, 0.05 * stage)))
      throw jobs::Interrupted();
    // The next power: weights that differ by as much as their mean.
    const auto weights_of = [&](double next, VectorXd& weights) {
      double most = -std::numeric_limits<double>::infinity();
      for (const Particle& p : particles) most = std::max(most, p.value.likelihood);
      if (!std::isfinite(most)) throw jobs::Failure("no draw of the prior has a likelihood");
      weights.resize(static_cast<Index>(count));
      for (std::size_t i = 0; i < count; ++i)
        weights[static_cast<Index>(i)] =
            std::exp((next - power) * (particles[i].value.likelihood - most));
      return most;
    };
    const auto variation = [&](double next) {
      VectorXd weights;
      weights_of(next, weights);
      const double mean = weights.mean();
      return std::sqrt((weights.array() - mean).square().mean()) / mean;
    };
    double next = 1;
    if (variation(1) > 1) {
      double low = power, high = 1;
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (variation(middle) > 1 ? high : low) = middle;
      }
      next = std::max(low, power + 1e-12);
    }
    VectorXd weights;
    const double most = weights_of(next, weights);
    const double mean = weights.mean();
    samples.log_evidence += std::log(mean) + (next - power) * most;
    variance +=
        (weights.array() - mean).square().mean() / (mean * mean) / static_cast<double>(count);
    power = next;
    // Covariance of the weighted draws.
    VectorXd centre = VectorXd::Zero(d);
    for (std::size_t i = 0; i < count; ++i)
      centre += weights[static_cast<Index>(i)] * particles[i].z;
    centre /= weights.sum();
    MatrixXd covariance = MatrixXd::Zero(d, d);
    for (std::size_t i = 0; i < count; ++i) {
      const VectorXd z = particles[i].z - centre;
      covariance += weights[static_cast<Index>(i)] * z * z.transpose();
    }
    covariance /= weights.sum();
    const MatrixXd root = root_of(covariance);
    // Systematic resampling.
    std::vector<Particle> next_particles(count);
    const double offset = uniform(options.seed, transitional_stream + stage, count, 0);
    double reached = 0;
    std::size_t from = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double wanted =
          (static_cast<double>(i) + offset) / static_cast<double>(count) * weights.sum();
      while (from + 1 < count && reached + weights[static_cast<Index>(from)] < wanted)
        reached += weights[static_cast<Index>(from++)];
      next_particles[i] = particles[from];
    }
    particles = std::move(next_particles);
    // Metropolis steps until the particles have moved; their length is learnt.
    constexpr std::uint32_t moves = 12;
    double accepted_in_all = 0;
    for (std::uint32_t move = 0; move < moves; ++move) {
      std::atomic<std::size_t> accepted{0};
      in_parallel(count, threads, [&](std::size_t i) {
        Particle& p = particles[i];
        VectorXd step(d);
        const std::uint32_t stream = transitional_stream + stage * 64 + move + 1000;
        static const boost::math::normal standard{};
        for (Index k = 0; k < d; ++k)
          step[k] = boost::math::quantile(
              standard, uniform(options.seed, stream, i, static_cast<std::uint32_t>(k)));
        Particle there{p.z + scale * (root * step), {}};
        there.value = target.value(there.z, nullptr);
        ++evaluations;
        const double rise = power * (there.value.likelihood - p.value.likelihood) +
                            there.value.prior - p.value.prior;
        if (std::isfinite(there.value.likelihood) && std::isfinite(there.value.prior) &&
            std::log(uniform(options.seed, stream, i, 9999)) < rise) {
          p = std::move(there);
          ++accepted;
        }
      });
      const double share = static_cast<double>(accepted) / static_cast<double>(count);
      accepted_in_all += share / moves;
      scale = std::clamp(scale * std::exp(1.5 * (share - 0.25)), 1e-3, 3.0);
    }
    samples.acceptance = accepted_in_all;
  }
  samples.stages = stage;
  samples.evaluations = evaluations;
  samples.log_evidence_error = std::sqrt(variance);
  MatrixXd draws(static_cast<Index>(count), d);
  for (std::size_t i = 0; i < count; ++i)
    draws.row(static_cast<Index>(i)) = particles[i].z.transpose();
  samples.chains = {std::move(draws)};
  return samples;
}

double split_r_hat(const std::vector<VectorXd>& chains) {
  std::vector<VectorXd> halves;
  for (const VectorXd& chain : chains) {
    const Index half = chain.size() / 2;
    halves.emplace_back(chain.head(half));
    halves.emplace_back(chain.tail(half));
  }
  const auto m = static_cast<double>(halves.size()), n = static_cast<double>(halves[0].size());
  double mean = 0, within = 0, between = 0;
  for (const VectorXd& half : halves) mean += half.mean() / m;
  for (const VectorXd& half : halves) {
    within += (half.array() - half.mean()).square().sum() / (n - 1) / m;
    between += n / (m - 1) * (half.mean() - mean) * (half.mean() - mean);
  }
  return within > 0 ? std::sqrt(((n - 1) / n * within + between / n) / within) : 1;
}

double effective_samples(const std::vector<VectorXd>& chains) {
  const Index n = chains[0].size();
  const auto m = static_cast<double>(chains.size());
  double mean = 0, within = 0, between = 0;
  for (const VectorXd& chain : chains) mean += chain.mean() / m;
  for (const VectorXd& chain : chains) {
    within += (chain.array() - chain.mean()).square().sum() / static_cast<double>(n - 1) / m;
    between += (chain.mean() - mean) * (chain.mean() - mean);
  }
  if (!(within > 0)) return m * static_cast<double>(n);
  const auto nn = static_cast<double>(n);
  const double total = (nn - 1) / nn * within + (m > 1 ? between / (m - 1) : 0);
  const auto correlation = [&](Index lag) {
    double sum = 0;
    for (const VectorXd& chain : chains) {
      const double c = chain.mean();
      sum += (chain.head(n - lag).array() - c)
                 .matrix()
                 .dot((chain.tail(n - lag).array() - c).matrix()) /
             nn;
    }
    return 1 - (within - sum / m) / total;
  };
  // Sums of neighbouring pairs fall and stay positive.
  double sum = 0, last = std::numeric_limits<double>::infinity();
  for (Index lag = 0; lag + 1 < n; lag += 2) {
    const double pair = (lag == 0 ? 1 : correlation(lag)) + correlation(lag + 1);
    if (!(pair > 0)) break;
    last = std::min(last, pair);
    sum += last;
  }
  const double time = std::max(-1 + 2 * sum, 1 / std::log10(m * nn));
  return m * nn / time;
}

}  // namespace microslip::study
