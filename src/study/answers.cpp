#include "microslip/study/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "jobs/text_form.hpp"
#include "microslip/version.hpp"

namespace microslip::jobs {
MICROSLIP_TEXT_FORM(study::StudyResult)
}  // namespace microslip::jobs

namespace microslip::study {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t memory_of_curves = std::size_t{1} << 26;  // bytes

Exceedance exceedance(const std::vector<double>& sorted, double limit) {
  Exceedance e{limit, nan, 0, 1};
  if (sorted.empty()) return e;
  const auto n = static_cast<double>(sorted.size());
  const auto k =
      static_cast<double>(sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), limit));
  e.probability = k / n;
  if (k > 0) e.low = boost::math::quantile(boost::math::beta_distribution<>(k, n - k + 1), 0.025);
  if (k < n) e.high = boost::math::quantile(boost::math::beta_distribution<>(k + 1, n - k), 0.975);
  return e;
}

/// Of the quantile p: the two order statistics that hold it with at least 95 %.
std::pair<double, double> quantile_interval(const std::vector<double>& sorted, double p) {
  const auto n = static_cast<double>(sorted.size());
  const boost::math::binomial_distribution<> below(n, p);
  // P(X < low) ≤ 2.5 % and P(X ≥ high) ≤ 2.5 %, X the number of values below the quantile.
  double low = 0, high = n + 1;
  for (double k = std::floor(n * p); k >= 1; --k)
    if (boost::math::cdf(below, k - 1) <= 0.025) {
      low = k;
      break;
    }
  for (double k = std::ceil(n * p); k <= n; ++k)
    if (boost::math::cdf(boost::math::complement(below, k - 1)) <= 0.025) {
      high = k;
      break;
    }
  const auto at = [&](double k) {
    return k < 1 || k > n ? nan : sorted[static_cast<std::size_t>(k) - 1];
  };
  return {at(low), at(high)};
}

NumberAnswer number_answer(const Study& study, const Quantity& quantity,
                           const std::vector<double>& results, std::uint64_t succeeded) {
  NumberAnswer answer;
  answer.name = quantity.name;
  // Of Saltelli's design, A and B are a sample of their own.
  const std::uint64_t block = study.indices() ? study.groups().size() + 2 : 1;
  std::vector<double> sorted;
  std::uint64_t there = 0;
  for (std::uint64_t i = 0; i < results.size(); ++i) {
    if (std::isnan(results[i])) continue;
    ++there;
    if (i % block < 2 || block == 1) sorted.push_back(results[i]);
  }
  answer.missing = succeeded - there;
  std::sort(sorted.begin(), sorted.end());
  answer.count = sorted.size();
  if (quantity.limit) answer.exceeds = exceedance(sorted, *quantity.limit);
  answer.levels = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
  if (sorted.empty()) {
    answer.mean = answer.standard_error = answer.deviation = answer.min = answer.max = nan;
    answer.quantiles = answer.low = answer.high = std::vector<double>(answer.levels.size(), nan);
  } else {
    const auto n = static_cast<double>(sorted.size());
    double sum = 0, squares = 0;
    for (const double x : sorted) sum += x;
    answer.mean = sum / n;
    for (const double x : sorted) squares += (x - answer.mean) * (x - answer.mean);
    answer.deviation = sorted.size() > 1 ? std::sqrt(squares / (n - 1)) : nan;
    answer.standard_error = answer.deviation / std::sqrt(n);
    answer.min = sorted.front();
    answer.max = sorted.back();
    for (const double p : answer.levels) {
      answer.quantiles.push_back(quantile_of(sorted, p));
      const auto [low, high] = quantile_interval(sorted, p);
      answer.low.push_back(low);
      answer.high.push_back(high);
    }
  }
  if (study.indices()) {
    std::vector<std::string> inputs;
    for (const Group& group : study.groups()) inputs.push_back(group.name);
    std::uint64_t whole = 0;
    answer.indices = sobol_indices(results, inputs, study.seed(), whole);
    answer.whole_blocks = whole;
  }
  return answer;
}

CurveAnswer curve_answer(const Study& study, const Store& store, const Quantity& curve,
                         std::size_t first, std::uint64_t rows) {
  CurveAnswer answer;
  answer.name = curve.name;
  answer.abscissa = curve.abscissa;
  answer.grid = curve.grid;
  const std::uint64_t block = study.indices() ? study.groups().size() + 2 : 1;
  const std::size_t at_once = std::clamp<std::size_t>(
      memory_of_curves / (8 * std::max<std::size_t>(rows, 1)), 1, curve.size());
  for (std::size_t begin = 0; begin < curve.size(); begin += at_once) {
    const std::size_t end = std::min(curve.size(), begin + at_once);
    std::vector<std::vector<double>> points(end - begin);
    store.each([&](const Store::Row& row) {
      if (row.i >= study.runs() || !row.outcome.failure.empty()) return;
      if (block > 1 && row.i % block >= 2) return;
      for (std::size_t k = begin; k < end; ++k) {
        const double y = row.outcome.values.at(first + k);
        if (!std::isnan(y)) points[k - begin].push_back(y);
      }
    });
    for (std::vector<double>& values : points) {
      std::sort(values.begin(), values.end());
      double sum = 0;
      for (const double y : values) sum += y;
      const bool any = !values.empty();
      answer.count.push_back(static_cast<double>(values.size()));
      answer.mean.push_back(any ? sum / static_cast<double>(values.size()) : nan);
      answer.median.push_back(quantile_of(values, 0.5));
      answer.low.push_back(quantile_of(values, 0.05));
      answer.high.push_back(quantile_of(values, 0.95));
      answer.maximum.push_back(any ? values.back() : nan);
    }
  }
  return answer;
}

}  // namespace

double quantile_of(const std::vector<double>& sorted, double p) {
  if (sorted.empty()) return nan;
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double part = place - static_cast<double>(below);
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

std::vector<SobolIndex> sobol_indices(const std::vector<double>& results,
                                      const std::vector<std::string>& inputs, std::uint64_t seed,
                                      std::uint64_t& whole) {
  const std::size_t d = inputs.size(), block = d + 2;
  std::vector<std::size_t> blocks;
  double sum = 0;
  for (std::size_t b = 0; b + block <= results.size(); b += block) {
    const auto begin = results.begin() + static_cast<std::ptrdiff_t>(b);
    if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(block),
                    [](double x) { return std::isnan(x); }))
      continue;
    blocks.push_back(b);
    sum += results[b] + results[b + 1];
  }
  whole = blocks.size();
  std::vector<SobolIndex> indices;
  for (const std::string& input : inputs) indices.push_back({input, nan, nan, nan, nan});
  if (blocks.size() < 2) return indices;
  const auto n = static_cast<double>(blocks.size());
  const double mean = sum / (2 * n);
  // Each block adds to these sums: of A and B, of B (AB − A), of (A − AB)²; Saltelli et al. (2010), Jansen (1999).
  const auto first_of = [&](std::size_t b, std::size_t k) {
    return (results[b + 1] - mean) * (results[b + 2 + k] - results[b]);
  };
  const auto total_of = [&](std::size_t b, std::size_t k) {
    const double x = results[b] - results[b + 2 + k];
    return 0.5 * x * x;
  };
  const auto estimate = [&](const auto& pick) {
    double s1 = 0, s2 = 0;
    std::vector<double> first(d, 0), total(d, 0);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::size_t b = blocks[pick(i)];
      const double x = results[b] - mean, y = results[b + 1] - mean;
      s1 += x + y;
      s2 += x * x + y * y;
      for (std::size_t k = 0; k < d; ++k) {
        first[k] += first_of(b, k);
        total[k] += total_of(b, k);
      }
    }
    const double shift = s1 / (2 * n), variance = s2 / (2 * n) - shift * shift;
    for (std::size_t k = 0; k < d; ++k) {
      first[k] = variance > 0 ? first[k] / n / variance : nan;
      total[k] = variance > 0 ? total[k] / n / variance : nan;
    }
    return std::pair(std::move(first), std::move(total));
  };
  const auto best = estimate([](std::size_t i) { return i; });
  constexpr std::uint32_t replicas = 200, stream = 7;
  std::vector<double> s1(d, 0), s2(d, 0), t1(d, 0), t2(d, 0);
  for (std::uint32_t r = 0; r < replicas; ++r) {
    const auto replica = estimate([&](std::size_t i) {
      return std::min(blocks.size() - 1, static_cast<std::size_t>(uniform(seed, stream, i, r) * n));
    });
    for (std::size_t k = 0; k < d; ++k) {
      const double a = replica.first[k] - best.first[k], b = replica.second[k] - best.second[k];
      s1[k] += a, s2[k] += a * a, t1[k] += b, t2[k] += b * b;
    }
  }
  const auto deviation = [&](double first, double second) {
    return std::sqrt(std::max(0.0, second / replicas - first / replicas * first / replicas));
  };
  for (std::size_t k = 0; k < d; ++k) {
    indices[k].first = best.first[k];
    indices[k].total = best.second[k];
    indices[k].first_error = deviation(s1[k], s2[k]);
    indices[k].total_error = deviation(t1[k], t2[k]);
  }
  return indices;
}

StudyResult answers(const Study& study, const Store& store) {
  StudyResult result;
  result.version = version;
  result.study = study.name();
  result.kind = study.kind();
  result.design = study.design();
  result.seed = study.seed();
  result.runs = study.runs();
  result.inputs = study.numbers();
  std::map<std::string, FailureCount> failures;
  double seconds = 0;
  store.each([&](const Store::Row& row) {
    if (row.i >= study.runs()) return;
    ++result.done;
    seconds += row.outcome.seconds;
    if (row.outcome.failure.empty()) return;
    ++result.failed;
    FailureCount& count =
        failures.try_emplace(row.outcome.failure, FailureCount{row.outcome.failure, 0, row.i})
            .first->second;
    ++count.count;
    // Sentences that name their numbers are all different.
    if (failures.size() > 1000) failures.erase(std::prev(failures.end()));
  });
  if (result.done > 0) result.seconds_per_run = seconds / static_cast<double>(result.done);
  for (const auto& [message, count] : failures) result.failures.push_back(count);
  std::stable_sort(result.failures.begin(), result.failures.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  if (result.failures.size() > 10) result.failures.resize(10);
  std::size_t first = 0;
  for (const Quantity& quantity : study.quantities()) {
    if (quantity.is_curve()) {
      result.curves.push_back(curve_answer(study, store, quantity, first, result.done));
    } else {
      std::vector<double> values(study.runs(), nan);
      store.each([&](const Store::Row& row) {
        if (row.i < study.runs()) values[row.i] = row.outcome.values.at(first);
      });
      result.numbers.push_back(number_answer(study, quantity, values, result.done - result.failed));
    }
    first += quantity.size();
  }
  if (result.done < result.runs)
    result.notes.push_back(
        fmt::format("{} of {} runs are missing: these are the answers of those "
                    "that are there",
                    result.runs - result.done, result.runs));
  if (result.failed > 0)
    result.notes.push_back(fmt::format(
        "{} of {} runs failed, {:.3g} %; means, quantiles and probabilities are those of "
        "the others",
        result.failed, result.done,
        100 * static_cast<double>(result.failed) / static_cast<double>(result.done)));
  if (study.design() == "sobol" || study.design() == "latin-hypercube")
    result.notes.push_back("standard errors and intervals are those of a random design; with '" +
                           study.design() + "' the errors are mostly smaller");
  for (const NumberAnswer& number : result.numbers)
    if (number.missing > 0)
      result.notes.push_back(
          fmt::format("{}: {} runs that succeeded have no value", number.name, number.missing));
  return result;
}

}  // namespace microslip::study
