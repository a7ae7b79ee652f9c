/// What a browser does not have: each function here stands for one file of the library that needs
/// Ceres, SUNDIALS, gnuplot, zlib or the whole list of commands.
#include "command.hpp"
#include "dynamics/time/time_support.hpp"
#include "fit/least_squares.hpp"
#include "fit/posterior.hpp"
#include "friction/methods.hpp"
#include "io/gnuplot.hpp"
#include "io/gzip.hpp"
#include "jobs/kinds.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/figure.hpp"

namespace microslip {

fit::Solution fit::solve(const Problem& problem, std::vector<double> x,
                         const SolveOptions& options) {
  return levenberg_marquardt(problem, std::move(x), options);
}

std::unique_ptr<friction::Solver> friction::make_regularised_solver(const System&,
                                                                    const SolverOptions&) {
  throw Error("the method 'regularised' is not available in a browser; the others are");
}

void dynamics::integrate_cvode(TimeRun&, const Eigen::VectorXd&, const Eigen::VectorXd&) {
  throw Error("the method 'cvode' is not available in a browser; the others are");
}

void io::run_gnuplot(const std::string&, const AtomicFile&, const std::string& name) {
  throw PictureUnavailable("'" + name + "' was not drawn: a browser has no gnuplot");
}

bool io::is_gzip(std::string_view content) { return content.substr(0, 3) == "\x1f\x8b\x08"; }

std::string io::unzipped(std::string_view, std::string_view name) {
  throw Error("cannot read '" + std::string(name) + "': it is compressed; unpack it first");
}

std::span<const jobs::Kind> jobs::kinds_not_in_browsers() { return {}; }

const std::vector<app::Command>& app::commands() {
  static const std::vector<Command> all{models_command(),  simulate_command(), loops_command(),
                                        fit_command(),     damping_command(),  reduce_command(),
                                        respond_command(), help_command()};
  return all;
}

void app::check_posterior(const FitCommand& command, const FitRequest&) {
  if (!command.posterior.empty())
    throw Error("--posterior is not available in a browser; the command on a computer has it");
}

bool app::write_posterior(const FitCommand&, const FitRequest&, const jobs::FitResult&,
                          const std::string&) {
  return true;
}

void app::silence_libraries() {}

}  // namespace microslip
