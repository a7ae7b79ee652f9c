#include "refit.hpp"

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/fitting/fit_hints.hpp"

namespace microslip::reproduce {

double Refit::truth(const std::string& name) const { return std::get<double>(printed.at(name)); }

double Refit::found(const std::string& name) const {
  return std::get<double>(fit.parameters.front().at(name));
}

io::Panel Refit::panel(const std::string& title) const {
  io::Panel panel;
  panel.title = title;
  panel.x.label = "u";
  panel.y.label = "f";
  panel.legend = false;
  panel.curves = {{"printed parameters", data.u, data.f, io::Style::points, 0},
                  {"refit", data.u, fit.force.front(), io::Style::solid, 1}};
  return panel;
}

Refit refit_own_loops(const ModelSpec& law, const std::string& fitted, std::vector<double> u,
                      const std::map<std::string, double>& fixed) {
  const AnyModel printed = catalog::make(law);
  Refit result;
  result.printed = catalog::canonical(printed, printed.parameters());
  result.data = {"loops", {}, std::move(u), {}};
  result.data.f = make(law).run({{}, result.data.u, {}}).f;
  const AnyModel blind = make({fitted, {}, {}});
  fit::Settings settings;
  settings.setup.fixed = fixed;
  settings.setup.beginning = fit::Beginning::virgin;
  result.fit = fit::fit(blind, {result.data},
                        catalog::with_hints(std::move(settings), blind, {result.data}));
  return result;
}

}  // namespace microslip::reproduce
