#include "microslip/friction/builders.hpp"

#include <Eigen/QR>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "microslip/core/error.hpp"
#include "microslip/core/field.hpp"
#include "microslip/core/text.hpp"

namespace microslip::friction {
namespace {

/// The distributions of the standard library differ between libraries; its generator does not.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : bits_(seed) {}
  /// In (0, 1), both ends excluded.
  double uniform() { return (static_cast<double>(bits_() >> 12) + 0.5) * 0x1p-52; }
  /// Box and Muller, both of the pair.
  double normal() {
    if (has_second_) {
      has_second_ = false;
      return second_;
    }
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    second_ = radius * std::sin(angle);
    has_second_ = true;
    return radius * std::cos(angle);
  }

 private:
  std::mt19937_64 bits_;
  double second_ = 0;
  bool has_second_ = false;
};

void check_count(Index n) {
  if (n < 1) throw Error("sliders.n = " + std::to_string(n) + " must be at least 1");
}

Vector from(std::span<const double> list) {
  return Eigen::Map<const Vector>(list.data(), static_cast<Index>(list.size()));
}

}  // namespace

System random_system(Index n, std::uint64_t seed) {
  check_count(n);
  Draw draw(seed);
  // An orthonormal basis P of a random matrix, by QR instead of the SVD of Matlab's orth: the same
  // distribution, since signs of the columns cancel in PᵀDP. Never more than two such matrices are
  // in memory.
  Eigen::MatrixXd P;
  {
    Eigen::MatrixXd normal =
        Eigen::MatrixXd::NullaryExpr(n, n, [&](Index, Index) { return draw.normal(); });
    const Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> factors(normal);
    P = factors.householderQ() * Eigen::MatrixXd::Identity(n, n);
  }
  Vector eigenvalues(n), b(n), mu(n);
  for (Index i = 0; i < n; ++i) eigenvalues[i] = 3 * draw.uniform();
  for (Index i = 0; i < n; ++i) b[i] = draw.normal();
  for (Index i = 0; i < n; ++i) mu[i] = draw.uniform();
  P.array().colwise() *= eigenvalues.array().sqrt();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  K.selfadjointView<Eigen::Lower>().rankUpdate(P.transpose());
  P.resize(0, 0);
  K.triangularView<Eigen::StrictlyUpper>() = K.transpose();
  return System(std::move(K), std::move(mu), std::move(b));
}

System iwan_system(Index n, double mu0) {
  check_count(n);
  check_value("sliders", "mu0", mu0, positive);
  const double share = 1 / static_cast<double>(n);
  SparseMatrix K(n, n);
  K.setIdentity();
  K *= share;
  Vector mu(n);
  for (Index j = 0; j < n; ++j) mu[j] = static_cast<double>(j + 1) * mu0 * share;
  return System(std::move(K), std::move(mu), Vector::Constant(n, share));
}

System chain_system(Index n, double k, std::span<const double> mu, std::span<const double> b,
                    double k0) {
  if (n < 2) throw Error("sliders.n = " + std::to_string(n) + " must be at least 2 for a chain");
  check_value("sliders", "k", k, positive);
  const auto fits = [n](std::span<const double> list, const char* name) {
    if (static_cast<Index>(list.size()) != n)
      throw Error(std::string("sliders.") + name + " has " + std::to_string(list.size()) +
                  " entries; a chain of " + std::to_string(n) + " sliders needs " +
                  (std::string_view(name) == "mu" ? "1 or " : "") + std::to_string(n));
  };
  if (mu.size() != 1) fits(mu, "mu");
  if (!b.empty()) fits(b, "b");
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i + 1 < n; ++i)
    for (const auto& [r, c, sign] :
         {std::tuple{i, i, 1}, {i + 1, i + 1, 1}, {i, i + 1, -1}, {i + 1, i, -1}})
      entries.emplace_back(r, c, sign * k);
  Vector load = Vector::Zero(n);
  load[0] = load[n - 1] = 1;
  if (!b.empty()) load = from(b);
  if (k0 != 0) {
    check_value("sliders", "k0", k0, positive);
    load *= k0;
    for (Index i = 0; i < n; ++i) {
      if (load[i] < 0)
        throw Error("sliders.b[" + std::to_string(i + 1) + "] = " + number_text(load[i] / k0) +
                    " must not be negative where springs k0 b pull");
      entries.emplace_back(i, i, load[i]);
    }
  }
  SparseMatrix K(n, n);
  K.setFromTriplets(entries.begin(), entries.end());
  return System(std::move(K), mu.size() == 1 ? Vector::Constant(n, mu[0]) : from(mu),
                std::move(load));
}

Distribution distribution_of(std::string_view word) {
  if (word == "uniform") return Distribution::uniform;
  if (word == "linear") return Distribution::linear;
  if (word == "parabolic") return Distribution::parabolic;
  if (word == "power") return Distribution::power;
  throw Error("distribution = '" + std::string(word) +
              "' must be uniform, linear, parabolic or power");
}

std::vector<double> friction_limits(Index n, double sum, Distribution distribution,
                                    double exponent) {
  if (!(exponent >= 0) || !std::isfinite(exponent))
    throw Error("exponent = " + number_text(exponent) + " must be finite and not negative");
  std::vector<double> mu;
  for (Index i = 0; i < n; ++i) {
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    const double depth = std::min(place, 1 - place);
    switch (distribution) {
      case Distribution::uniform:
        mu.push_back(1);
        break;
      case Distribution::linear:
        mu.push_back(depth);
        break;
      case Distribution::parabolic:
        mu.push_back(place * (1 - place));
        break;
      case Distribution::power:
        mu.push_back(std::pow(2 * depth, exponent));
        break;
    }
  }
  const double all = std::accumulate(mu.begin(), mu.end(), 0.0);
  for (double& x : mu) x *= sum / all;
  return mu;
}

}  // namespace microslip::friction
