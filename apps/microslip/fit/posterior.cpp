#include "fit/posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "microslip/core/error.hpp"
#include "microslip/io/figure.hpp"
#include "microslip/io/file.hpp"
#include "microslip/study/posterior.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

std::size_t whole(const std::string& option, const std::string& text, std::size_t otherwise,
                  double least) {
  if (text.empty()) return otherwise;
  const double x = number(option, text);
  if (!(x >= least && x <= 1e6) || x != std::floor(x))
    throw Error(
        fmt::format("{} = {} must be a whole number from {} to 1000000", option, text, least));
  return static_cast<std::size_t>(x);
}

std::string posterior_text(const study::PosteriorResult& result) {
  std::string text;
  for (const study::LawPosterior& law : result.fits) {
    text += fmt::format("\n{}: {} draws by {}", law.model, law.chains * law.draws, law.sampler);
    if (law.log_evidence)
      text +=
          fmt::format(", ln evidence {:.2f} ± {:.2f}", *law.log_evidence, *law.log_evidence_error);
    text += fmt::format("; {:.0f} % of the rows lie in the predicted 90 %\n", 100 * law.coverage);
    std::vector<std::vector<std::string>> rows{
        {"", "median", "5 %", "95 %", "deviation", "± of the fit", "R-hat", "effective", "prior"}};
    for (const study::PosteriorNumber& n : law.numbers)
      rows.push_back({n.name, fmt::format("{:.6g}", n.median), fmt::format("{:.6g}", n.low),
                      fmt::format("{:.6g}", n.high), fmt::format("{:.3g}", n.deviation),
                      n.gaussian ? fmt::format("{:.3g}", *n.gaussian) : "-",
                      law.sampler == "nuts" ? fmt::format("{:.3f}", n.r_hat) : "-",
                      fmt::format("{:.0f}", n.effective), n.prior});
    text += table_text(rows, 1);
    for (const std::string& warning : law.warnings) text += "  " + wrapped(warning, 2) + "\n";
  }
  return text;
}

/// Samples of the best law, each number against each other one.
io::Figure corner_figure(const study::LawPosterior& law) {
  constexpr std::size_t most_numbers = 6, most_points = 1000;
  const auto& samples = law.samples;
  const std::size_t n = std::min(samples.names.size(), most_numbers);
  const std::size_t every = std::max<std::size_t>(1, samples.rows.size() / most_points);
  const auto column = [&](std::size_t k) {
    std::vector<double> values;
    for (std::size_t r = 0; r < samples.rows.size(); r += every)
      values.push_back(samples.rows[r][k]);
    return values;
  };
  io::Figure figure;
  figure.width = 20;
  for (std::size_t i = 0; i < n; ++i) {
    io::Row row;
    row.height = 3;
    for (std::size_t j = 0; j <= i; ++j) {
      io::Panel panel{"",  {samples.names[j]}, {i == j ? "density" : samples.names[i]}, {}, false,
                      true};
      const std::vector<double> x = column(j);
      if (i != j) {
        panel.curves.push_back({"", x, column(i), io::Style::points, 0});
      } else {
        const auto [low, high] = std::minmax_element(x.begin(), x.end());
        constexpr std::size_t bins = 24;
        const double width = std::max(*high - *low, 1e-300) / bins;
        std::vector<double> count(bins, 0.0), edge, height;
        for (const double value : x)
          count[std::min(bins - 1, static_cast<std::size_t>((value - *low) / width))] +=
              1 / (width * static_cast<double>(x.size()));
        for (std::size_t b = 0; b < bins; ++b)
          for (const std::size_t end : {b, b + 1}) {
            edge.push_back(*low + width * static_cast<double>(end));
            height.push_back(count[b]);
          }
        panel.curves.push_back({"", std::move(edge), std::move(height), io::Style::solid, 0});
      }
      row.panels.push_back(std::move(panel));
    }
    figure.rows.push_back(std::move(row));
  }
  return figure;
}

study::PosteriorSettings settings_of(const FitCommand& command, const FitRequest& request) {
  study::PosteriorSettings settings;
  const bool wanted = !command.posterior.empty();
  if (!wanted && (!command.sampler.empty() || !command.draws.empty() || !command.chains.empty() ||
                  !command.corner.empty() || !command.priors.empty()))
    throw Error("--sampler, --prior, --draws, --chains and --corner need --posterior FILE.json");
  if (!command.sampler.empty())
    settings.sampler =
        static_cast<study::Sampler>(choice("--sampler", command.sampler, {"nuts", "transitional"}));
  settings.draws = whole("--draws", command.draws, 1000, 10);
  settings.chains = whole("--chains", command.chains, 4, 1);
  settings.seed = request.seed;
  settings.threads = request.threads;
  for (const std::string& prior : command.priors) {
    const auto equal = prior.find('=');
    if (equal == std::string::npos || equal == 0)
      throw Error("--prior " + prior + " must be NAME={ normal = [mean, deviation] }");
    settings.priors.emplace_back(
        prior.substr(0, equal),
        study::distribution_of(prior.substr(equal + 1), "--prior " + prior.substr(0, equal)));
  }
  return settings;
}

}  // namespace

void check_posterior(const FitCommand& command, const FitRequest& request) {
  settings_of(command, request);
}

bool write_posterior(const FitCommand& command, const FitRequest& request,
                     const jobs::FitResult& result, const std::string& command_line) {
  study::PosteriorResult samples = [&] {
    const StopOnRequest on_request;
    return with_progress([&](const jobs::Control& control) {
      return study::posterior(request, result, settings_of(command, request), control);
    });
  }();
  samples.command = command_line;
  io::write_file(command.posterior, jobs::to_text(samples));
  if (!command.quiet && !command.json) print(posterior_text(samples));
  if (command.corner.empty()) return true;
  return drawn([&] { io::draw(corner_figure(samples.fits.front()), command.corner); });
}

}  // namespace microslip::app
