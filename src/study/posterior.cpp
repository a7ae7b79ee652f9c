#include "microslip/study/posterior.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "jobs/fit_parts.hpp"
#include "jobs/text_form.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/document.hpp"
#include "microslip/study/answers.hpp"
#include "microslip/study/design.hpp"
#include "microslip/study/sampling.hpp"
#include "microslip/version.hpp"
#include "study/reader.hpp"

namespace microslip::jobs {
MICROSLIP_TEXT_FORM(study::PosteriorResult)
}  // namespace microslip::jobs

namespace microslip::study {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double never = -std::numeric_limits<double>::infinity();
const double log_sigma_low = std::log(1e-7),
             log_sigma_high = 0;  // relative to the range of the answer

/// The posterior of one law: unknowns of a fit that are free, each in a box, and the noise last.
class LawTarget {
 public:
  LawTarget(fit::Problem problem, const fit::Fit& best, const PosteriorSettings& settings)
      : problem_(std::move(problem)), x_(best.x) {
    const auto& unknowns = problem_.unknowns();
    if (x_.size() != unknowns.size()) throw Error("the fit belongs to other records");
    rows_ = static_cast<double>(problem_.compared());
    power_ = best.effective_rows > 0 ? std::min(1.0, best.effective_rows / rows_) : 1;
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      if (unknowns[i].pinned || (i < best.estimates.size() && best.estimates[i].pinned)) continue;
      Box box;
      box.unknown = i;
      const fit::Unknown& u = unknowns[i];
      const double width = std::max(u.to - u.from, 1e-6);
      box.low = std::max(u.lower, std::min(u.from - width, x_[i] - width));
      box.high = std::min(u.upper, std::max(u.to + width, x_[i] + width));
      box.name = u.name + (u.record > 0 ? "@" + std::to_string(u.record + 1) : "");
      boxes_.push_back(box);
    }
    for (const auto& [name, distribution] : settings.priors) give_prior(name, distribution);
    VectorXd residuals;
    if (!problem_.evaluate(x_, residuals)) throw Error("the fit has no answer");
    sigma_ = std::clamp(std::sqrt(residuals.squaredNorm() / rows_), 1e-6, 0.9);
  }

  Index dimension() const { return static_cast<Index>(boxes_.size()) + 1; }
  double effective_rows() const { return power_ * rows_; }
  const fit::Problem& problem() const { return problem_; }

  std::string name(Index i) const {
    return i + 1 == dimension() ? "sigma" : boxes_[static_cast<std::size_t>(i)].name;
  }
  std::string prior_text(Index i) const {
    if (i + 1 == dimension()) return "log-uniform";
    const Box& box = boxes_[static_cast<std::size_t>(i)];
    if (box.prior) return "given";
    const fit::Unknown& u = problem_.unknowns()[box.unknown];
    return u.log ? "log-uniform" : "uniform";
  }
  std::size_t unknown(Index i) const { return boxes_[static_cast<std::size_t>(i)].unknown; }

  /// x of all unknowns, and ln σ.
  std::vector<double> x_of(const VectorXd& z, double& log_sigma) const {
    std::vector<double> x = x_;
    for (std::size_t b = 0; b < boxes_.size(); ++b)
      x[boxes_[b].unknown] =
          boxes_[b].low + (boxes_[b].high - boxes_[b].low) * share(z[static_cast<Index>(b)]);
    log_sigma = log_sigma_low + (log_sigma_high - log_sigma_low) * share(z[dimension() - 1]);
    return x;
  }
  /// Numbers as a person reads them, sigma in the unit of the answer.
  std::vector<double> values_of(const VectorXd& z) const {
    double log_sigma = 0;
    const std::vector<double> x = x_of(z, log_sigma);
    const std::vector<double> all = problem_.values(x);
    std::vector<double> values;
    for (const Box& box : boxes_) values.push_back(all[box.unknown]);
    values.push_back(std::exp(log_sigma) * problem_.force_range(0));
    return values;
  }

  Target::Value value(const VectorXd& z, VectorXd* gradient) const {
    double log_sigma = 0;
    const std::vector<double> x = x_of(z, log_sigma);
    VectorXd residuals;
    MatrixXd jacobian;
    if (!problem_.evaluate(x, residuals, gradient ? &jacobian : nullptr)) return {never, never};
    const double sigma = std::exp(log_sigma), squares = residuals.squaredNorm();
    Target::Value result;
    result.likelihood = power_ * (-rows_ * (log_sigma + 0.5 * std::log(2 * std::numbers::pi)) -
                                  0.5 * squares / (sigma * sigma));
    // In z, a uniform prior is s (1 − s).
    VectorXd slope_x = VectorXd::Zero(static_cast<Index>(x.size()));
    if (gradient) slope_x = -power_ / (sigma * sigma) * (jacobian.transpose() * residuals);
    const bool given = std::any_of(boxes_.begin(), boxes_.end(),
                                   [](const Box& box) { return box.prior.has_value(); });
    const std::vector<double> p = given ? problem_.values(x) : std::vector<double>{};
    const MatrixXd dp = given && gradient ? problem_.value_derivatives(x) : MatrixXd{};
    for (std::size_t b = 0; b < boxes_.size(); ++b) {
      const Box& box = boxes_[b];
      const double s = share(z[static_cast<Index>(b)]);
      result.prior += std::log(s) + std::log1p(-s);
      if (!box.prior) continue;
      const auto i = static_cast<Index>(box.unknown);
      const double at = p[box.unknown];
      const bool log = problem_.unknowns()[box.unknown].log;
      result.prior += box.prior->log_density(at) + std::log(box.high - box.low) +
                      (log ? std::log(std::abs(at)) : std::log(box.reference));
      if (gradient)
        slope_x += (slope_of(*box.prior, at) + (log ? 1 / at : 0)) * dp.row(i).transpose();
    }
    const double s = share(z[dimension() - 1]);
    result.prior += std::log(s) + std::log1p(-s);
    if (gradient) {
      for (std::size_t b = 0; b < boxes_.size(); ++b) {
        const double t = share(z[static_cast<Index>(b)]);
        (*gradient)[static_cast<Index>(b)] = slope_x[static_cast<Index>(boxes_[b].unknown)] *
                                                 (boxes_[b].high - boxes_[b].low) * t * (1 - t) +
                                             1 - 2 * t;
      }
      (*gradient)[dimension() - 1] = power_ * (-rows_ + squares / (sigma * sigma)) *
                                         (log_sigma_high - log_sigma_low) * s * (1 - s) +
                                     1 - 2 * s;
    }
    if (!std::isfinite(result.likelihood) || !std::isfinite(result.prior)) return {never, never};
    return result;
  }

  /// A draw of the prior.
  VectorXd prior(const VectorXd& u) const {
    VectorXd z(dimension());
    std::vector<double> x = x_;
    for (std::size_t b = 0; b < boxes_.size(); ++b)
      x[boxes_[b].unknown] =
          boxes_[b].low + u[static_cast<Index>(b)] * (boxes_[b].high - boxes_[b].low);
    for (std::size_t b = 0; b < boxes_.size(); ++b) {
      if (!boxes_[b].prior) continue;
      const double p = boxes_[b].prior->quantile(u[static_cast<Index>(b)]);
      x[boxes_[b].unknown] = coordinate(boxes_[b], p);
    }
    for (std::size_t b = 0; b < boxes_.size(); ++b)
      z[static_cast<Index>(b)] = inverse(boxes_[b], x[boxes_[b].unknown]);
    z[dimension() - 1] = logit(u[dimension() - 1]);
    return z;
  }

  VectorXd start() const {
    VectorXd z(dimension());
    for (std::size_t b = 0; b < boxes_.size(); ++b)
      z[static_cast<Index>(b)] = inverse(boxes_[b], x_[boxes_[b].unknown]);
    z[dimension() - 1] =
        logit((std::log(sigma_) - log_sigma_low) / (log_sigma_high - log_sigma_low));
    return z;
  }

  /// Of the parabola at the start.
  MatrixXd covariance() const {
    const VectorXd z = start();
    double log_sigma = 0;
    const std::vector<double> x = x_of(z, log_sigma);
    VectorXd residuals;
    MatrixXd jacobian;
    const Index n = dimension();
    MatrixXd curvature = MatrixXd::Zero(n, n);
    const bool smooth = problem_.evaluate(x, residuals, &jacobian);
    MatrixXd slopes = MatrixXd::Zero(residuals.size(), n - 1);
    for (Index b = 0; b + 1 < n; ++b) {
      const Box& box = boxes_[static_cast<std::size_t>(b)];
      const double s = share(z[b]);
      if (smooth)
        slopes.col(b) =
            jacobian.col(static_cast<Index>(box.unknown)) * (box.high - box.low) * s * (1 - s);
      curvature(b, b) = 2 * s * (1 - s) + 1e-6;
    }
    curvature.topLeftCorner(n - 1, n - 1) +=
        power_ / (sigma_ * sigma_) * (slopes.transpose() * slopes);
    const double s = share(z[n - 1]);
    const double width = (log_sigma_high - log_sigma_low) * s * (1 - s);
    curvature(n - 1, n - 1) = 2 * power_ * rows_ * width * width + 2 * s * (1 - s);
    return curvature.ldlt().solve(MatrixXd::Identity(n, n));
  }

 private:
  struct Box {
    std::size_t unknown = 0;
    std::string name{};
    double low = 0, high = 1;
    std::optional<Distribution> prior{};
    double reference = 1;  ///< dp/dx of one that is not a logarithm
  };

  static double share(double z) {
    return z >= 0 ? 1 / (1 + std::exp(-z)) : std::exp(z) / (1 + std::exp(z));
  }
  static double logit(double s) {
    s = std::clamp(s, 1e-9, 1 - 1e-9);
    return std::log(s) - std::log1p(-s);
  }
  static double inverse(const Box& box, double x) {
    // Off the border, where nothing moves.
    return logit(std::clamp((x - box.low) / (box.high - box.low), 1e-4, 1 - 1e-4));
  }
  static double slope_of(const Distribution& d, double x) {
    if (d.kind == Distribution::Kind::normal) return -(x - d.a) / (d.b * d.b);
    if (d.kind == Distribution::Kind::lognormal) return -(1 + std::log(x / d.a) / (d.b * d.b)) / x;
    return 0;
  }
  double coordinate(const Box& box, double p) const {
    const fit::Unknown& u = problem_.unknowns()[box.unknown];
    const double one = problem_.values(x_)[box.unknown];
    return u.log ? x_[box.unknown] + std::log(p / one) : p / box.reference;
  }

  void give_prior(const std::string& name, const Distribution& distribution) {
    std::vector<std::string> known;
    for (Box& box : boxes_) {
      known.push_back(box.name);
      if (box.name != name && !box.name.ends_with("." + name)) continue;
      const fit::Unknown& u = problem_.unknowns()[box.unknown];
      if (distribution.kind == Distribution::Kind::values)
        throw Error("--prior " + name + ": a list of values is no density");
      if (u.ratio_to >= 0 || u.exponent_of >= 0)
        throw Error("--prior " + name +
                    ": this parameter is measured by another one, and takes the "
                    "uniform prior of their ratio");
      box.prior = distribution;
      if (!u.log)
        box.reference = problem_.value_derivatives(x_)(static_cast<Index>(box.unknown),
                                                       static_cast<Index>(box.unknown));
      double low = distribution.quantile(1e-10), high = distribution.quantile(1 - 1e-10);
      if (u.log && !(high > 0))
        throw Error("--prior " + name + ": the law takes positive values only");
      if (u.log) low = std::max(low, 1e-12 * high);
      low = coordinate(box, low);
      high = coordinate(box, high);
      box.low = std::max(u.lower, std::min(low, high));
      box.high = std::min(u.upper, std::max(low, high));
      if (!(box.low < box.high))
        throw Error("--prior " + name + " lies outside what the law takes");
      x_[box.unknown] = std::clamp(x_[box.unknown], box.low, box.high);
      return;
    }
    throw Error("--prior: the law " + problem_.model().description().name + " has no unknown '" +
                name + "'" + suggestion(name, known));
  }

  fit::Problem problem_;
  std::vector<double> x_;
  std::vector<Box> boxes_;
  double rows_ = 0, power_ = 1, sigma_ = 1;
};

void describe_numbers(const LawTarget& target, const Samples& samples, const fit::Fit& best,
                      LawPosterior& result) {
  const Index n = target.dimension();
  std::vector<std::vector<VectorXd>> chains(static_cast<std::size_t>(n));
  for (const MatrixXd& chain : samples.chains) {
    MatrixXd values(chain.rows(), n);
    for (Index r = 0; r < chain.rows(); ++r) {
      const std::vector<double> row = target.values_of(chain.row(r).transpose());
      result.samples.rows.push_back(row);
      for (Index k = 0; k < n; ++k) values(r, k) = row[static_cast<std::size_t>(k)];
    }
    for (Index k = 0; k < n; ++k) chains[static_cast<std::size_t>(k)].emplace_back(values.col(k));
  }
  const bool independent = result.sampler != "nuts";
  double least = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < n; ++k) {
    const auto& columns = chains[static_cast<std::size_t>(k)];
    PosteriorNumber number;
    number.name = target.name(k);
    number.prior = target.prior_text(k);
    result.samples.names.push_back(number.name);
    std::vector<double> sorted;
    for (const VectorXd& column : columns)
      sorted.insert(sorted.end(), column.begin(), column.end());
    std::sort(sorted.begin(), sorted.end());
    const auto count = static_cast<double>(sorted.size());
    for (const double x : sorted) number.mean += x / count;
    double squares = 0;
    for (const double x : sorted) squares += (x - number.mean) * (x - number.mean);
    number.deviation = std::sqrt(squares / (count - 1));
    number.low = quantile_of(sorted, 0.05);
    number.median = quantile_of(sorted, 0.5);
    number.high = quantile_of(sorted, 0.95);
    if (independent) {
      // Particles of one stage are no chain: those that differ are counted.
      number.effective =
          static_cast<double>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
    } else {
      number.r_hat = split_r_hat(columns);
      number.effective = effective_samples(columns);
    }
    if (k + 1 < n && target.unknown(k) < best.estimates.size())
      number.gaussian = best.estimates[target.unknown(k)].error;
    least = std::min(least, number.effective);
    if (number.r_hat > 1.01)
      result.warnings.push_back(
          fmt::format("{}: R-hat is {:.3f}: the chains do not agree, more draws are needed",
                      number.name, number.r_hat));
    if (number.effective < 400)
      result.warnings.push_back(
          fmt::format("{}: {:.0f} effective samples are few", number.name, number.effective));
    result.numbers.push_back(std::move(number));
  }
  result.effective_per_second = least / std::max(result.seconds, 1e-9);
}

/// What would be measured, from some of the draws.
void predict_rows(const LawTarget& target, const Samples& samples, std::uint64_t seed,
                  LawPosterior& result) {
  const fit::Problem& problem = target.problem();
  const fit::Data& data = problem.records().front();
  Index total = 0;
  for (const MatrixXd& chain : samples.chains) total += chain.rows();
  constexpr Index most = 200;
  const Index every = std::max<Index>(1, total / most);
  std::vector<std::vector<double>> rows(data.rows());
  const boost::math::normal standard{};
  Index number = 0;
  for (const MatrixXd& chain : samples.chains)
    for (Index r = 0; r < chain.rows(); ++r) {
      if (number++ % every != 0) continue;
      double log_sigma = 0;
      const std::vector<double> x = target.x_of(chain.row(r).transpose(), log_sigma);
      std::vector<double> f;
      if (!problem.predict(x, 0, f)) continue;
      const double sigma = std::exp(log_sigma) * problem.force_range(0);
      for (std::size_t i = 0; i < f.size(); ++i)
        rows[i].push_back(
            f[i] + sigma * boost::math::quantile(
                               standard, uniform(seed, 77, i, static_cast<std::uint32_t>(number))));
    }
  std::vector<double> low, median, high;
  double inside = 0, counted = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::sort(rows[i].begin(), rows[i].end());
    low.push_back(quantile_of(rows[i], 0.05));
    median.push_back(quantile_of(rows[i], 0.5));
    high.push_back(quantile_of(rows[i], 0.95));
    if (!data.counts(i)) continue;
    counted += 1;
    if (data.f[i] >= low.back() && data.f[i] <= high.back()) inside += 1;
  }
  result.coverage = counted > 0 ? inside / counted : 0;
  if (!data.t.empty()) result.columns.emplace_back("t", data.t);
  result.columns.emplace_back("u", data.u);
  result.columns.emplace_back("f", data.f);
  result.columns.emplace_back("low", std::move(low));
  result.columns.emplace_back("median", std::move(median));
  result.columns.emplace_back("high", std::move(high));
}

LawPosterior law_posterior(const jobs::FitRequest& request, const jobs::FitResult& fitted,
                           const jobs::FittedLaw& law, const PosteriorSettings& settings,
                           const jobs::Control& control) {
  jobs::FitRequest one = request;
  one.records.clear();
  one.models = {law.model};
  // The name of a fitted law already holds the spring and the gap beside it.
  std::erase_if(one.free, [](const std::string& f) { return f == "spring" || f == "backlash"; });
  std::vector<std::string> left_out;
  const auto fit_jobs = jobs::make_fit_jobs(one, fitted.records, left_out);
  const fit::Settings how = jobs::settings_for(one, fit_jobs.front(), fitted.records);
  std::vector<fit::Data> data;
  for (const jobs::FitRecord& record : fitted.records) data.push_back(record.data);
  const LawTarget target(fit::Problem(fit_jobs.front().model, std::move(data), how.setup), law.fit,
                         settings);
  LawPosterior result;
  result.model = law.model;
  result.options = law.options;
  for (const fit::Combination& combination : law.fit.combinations) {
    if (combination.determined) continue;
    std::string names;
    for (const auto& [name, part] : combination.parts)
      names += fmt::format("{}{}^{:.2g}", names.empty() ? "" : " ", name, part);
    result.warnings.push_back("the record does not determine " + names +
                              ": its samples are those of the prior");
  }
  Target sampled;
  sampled.dimension = target.dimension();
  sampled.value = [&](const VectorXd& z, VectorXd* gradient) { return target.value(z, gradient); };
  sampled.prior = [&](const VectorXd& u) { return target.prior(u); };
  SamplerOptions options;
  options.draws = settings.draws;
  options.chains = settings.chains;
  options.seed = settings.seed;
  options.threads = settings.threads;
  options.progress = [&](double part) {
    return !control.progress || control.progress(part, "samples of " + law.model);
  };
  const auto begin = std::chrono::steady_clock::now();
  const bool gradients = settings.sampler == Sampler::nuts;
  if (!gradients) options.draws *= options.chains;
  const Samples samples = gradients ? nuts(sampled, target.start(), target.covariance(), options)
                                    : transitional(sampled, options);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.sampler = gradients ? "nuts" : "transitional";
  result.chains = samples.chains.size();
  result.draws = static_cast<std::size_t>(samples.chains.front().rows());
  result.rows = target.effective_rows();
  result.evaluations = samples.evaluations;
  result.divergences = samples.divergences;
  result.acceptance = samples.acceptance;
  if (!gradients) {
    // In the unit of the answer, so that records of different range can be told apart.
    result.log_evidence =
        samples.log_evidence - target.effective_rows() * std::log(target.problem().force_range(0));
    result.log_evidence_error = samples.log_evidence_error;
  }
  if (samples.divergences > 0)
    result.warnings.push_back(
        fmt::format("{} paths diverged: the posterior has corners that NUTS "
                    "does not see; compare with transitional sampling",
                    samples.divergences));
  describe_numbers(target, samples, law.fit, result);
  predict_rows(target, samples, settings.seed, result);
  // The draw of the highest density.
  double best = never;
  for (const MatrixXd& chain : samples.chains)
    for (Index r = 0; r < chain.rows(); r += std::max<Index>(1, chain.rows() / 100)) {
      const VectorXd z = chain.row(r).transpose();
      const double height = target.value(z, nullptr).sum();
      if (!(height > best)) continue;
      best = height;
      double log_sigma = 0;
      result.parameters = target.problem().parameters(target.x_of(z, log_sigma));
    }
  return result;
}

}  // namespace

Distribution distribution_of(const std::string& text, const std::string& where) {
  const Json json = Json::parse(io::json_document("x = " + text, where));
  return read_distribution(json.at("x"), where);
}

PosteriorResult posterior(const jobs::FitRequest& request, const jobs::FitResult& fitted,
                          const PosteriorSettings& settings, const jobs::Control& control) {
  if (settings.draws < 10 || settings.draws > 1000000)
    throw Error("draws must be from 10 to 1000000");
  if (settings.chains < 1 || settings.chains > 1000) throw Error("chains must be from 1 to 1000");
  PosteriorResult result;
  result.version = version;
  result.seed = settings.seed;
  for (const jobs::FittedLaw& law : fitted.fits)
    if (law.fit.outcome != fit::Outcome::failed)
      result.fits.push_back(law_posterior(request, fitted, law, settings, control));
  if (result.fits.empty()) throw jobs::Failure("no law was fitted, so there is no posterior");
  if (settings.sampler == Sampler::transitional)
    std::stable_sort(result.fits.begin(), result.fits.end(),
                     [](const LawPosterior& a, const LawPosterior& b) {
                       return *a.log_evidence > *b.log_evidence;
                     });
  return result;
}

}  // namespace microslip::study
