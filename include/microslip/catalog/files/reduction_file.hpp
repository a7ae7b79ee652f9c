#pragma once

/// What to reduce and how, as a TOML file:
///
///     [system]                      # a system of sliders; or system = "sliders.toml"
///     kind = "random"
///     n = 100
///     seed = 1
///     [[load]]                      # the modes are taken from these
///     signal = "sin(t)+0.4*sin(4.16753*t)"
///     until = 20
///     step = 0.02                   # or file = "load.csv", column u
///     [[validation]]                # and the model is judged on these
///     signal = "sin(t)+1.5*sin(pi*t)"
///     until = 20
///     step = 0.02
///     [reduce]
///     modes = 3                     # of the whole history
///     after_reversals = 3           # of the motion just after reversals
///     basis = "modes"               # or "analytic", with alpha
///     model = "zonotope"            # or ellipsoid, m-state, few-generators
///     generators = 12               # of few-generators
///     study = [2, 4, 6]             # a table of all models for these numbers of modes
///     beta_study = [0.4, 0.5, 0.6]  # error of the power-law fit of the friction, eq. (2.12)
///     fit = "directions"            # of the ellipsoid; or "moments", in closed form
///     directions = 1000000          # random directions of the fits
///     seed = 1                      # which
///
/// Files named inside are looked for beside the TOML file. A key that is not known is refused. A load may also
/// stand in the text itself, u = [0.0, 1.0, 0.0], and the text may be JSON.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/catalog/files/text_source.hpp"
#include "microslip/catalog/sliders/sliders_setup.hpp"
#include "microslip/reduce/study.hpp"

namespace microslip::catalog {

struct LoadHistory {
  std::string name;
  std::vector<double> rows;
  std::vector<std::string> notes{};  ///< sentences on rows without a number
};

struct ReductionFile {
  SlidersSetup sliders;
  std::vector<LoadHistory> loads, validation;
  bool analytic = false;
  double alpha = 0;
  reduce::ModeOptions modes{};
  reduce::Shape shape = reduce::Shape::zonotope;
  Eigen::Index generators = 0;
  std::vector<Eigen::Index> study;
  std::vector<double> betas;
  reduce::FitOptions fit{};
  std::vector<std::filesystem::path> files{};  ///< that were read
};

ReductionFile parse_reduction(std::string_view text, const TextSource& source);
ReductionFile read_reduction(const std::filesystem::path& path);

}  // namespace microslip::catalog
