#include <algorithm>

#include "catalog/files/number_list.hpp"
#include "catalog/files/structure_parts.hpp"
#include "microslip/catalog/two_sided.hpp"
#include "microslip/core/error.hpp"
#include "microslip/friction/builders.hpp"

namespace microslip::catalog {

using Index = Eigen::Index;

void read_interfaces(const TomlTable& root, const Places& places, dynamics::Structure& s) {
  for (const TomlTable& table : root.tables("interface")) {
    table.allow({"kind", "between", "n", "K_eq", "M_eq", "mu", "distribution", "exponent", "modes",
                 "form", "k_end", "static_correction", "N", "N_ref"});
    if (const std::string kind = table.text("kind"); kind != "two-sided")
      table.refuse("kind", "unknown kind of interface '" + kind + "'; there is two-sided");
    const std::vector<Index> ends = places.dofs(table, "between", 0);
    if (ends.size() != 2) table.refuse("between", "between must be two degrees of freedom");
    const std::string form = table.text_or("form", "reduced");
    if (form != "reduced" && form != "full")
      table.refuse("form", "form = '" + form + "' must be reduced or full");
    const int n = table.whole("n");
    if (n < 2 || n > 100000)
      table.refuse("n", "n = " + std::to_string(n) + " must lie in [2, 100000]");
    TwoSided interface;
    interface.reduced = form == "reduced";
    interface.K_eq = table.number("K_eq");
    interface.M_eq = table.number("M_eq");
    interface.k_end = table.number_or("k_end", 0);
    interface.modes = table.has("modes") ? table.whole("modes") : std::min(4, n - 1);
    interface.static_correction = table.truth_or("static_correction", true);
    for (const char* key : {"modes", "static_correction"})
      if (table.has(key) && !interface.reduced)
        table.refuse(key, std::string(key) + " belongs to form = \"reduced\"");
    interface.N = table.text_or("N", "");
    interface.N_ref = table.number_or("N_ref", 1);
    for (const char* key : {"N", "N_ref"})
      if (table.has(key) && interface.reduced)
        table.refuse(key, std::string(key) + " belongs to form = \"full\"");
    if (table.has("N_ref") && !table.has("N")) table.refuse("N_ref", "N_ref needs N");
    // A list, or the name of a file with one.
    const bool from_file = std::holds_alternative<std::string>(table.value("mu"));
    const std::vector<double> mu =
        from_file ? read_number_list(table.file_beside("mu")) : table.numbers("mu");
    if (mu.empty()) table.refuse("mu", "mu must not be empty");
    if (mu.size() > 1 && static_cast<int>(mu.size()) != n)
      table.refuse("mu", "mu has " + std::to_string(mu.size()) + " numbers; there are " +
                             std::to_string(n) + " sliders");
    if (mu.size() > 1 && table.has("distribution"))
      table.refuse("distribution", "distribution spreads one mu; a list says it already");
    const std::string distribution = table.text_or("distribution", "uniform");
    if (table.has("exponent") && distribution != "power")
      table.refuse("exponent", "exponent belongs to distribution = \"power\"");
    try {
      interface.mu = mu.size() > 1 ? mu
                                   : friction::friction_limits(
                                         n, mu.front(), friction::distribution_of(distribution),
                                         table.number_or("exponent", 1));
      add_two_sided(s, interface, ends[0], ends[1]);
    } catch (const Error& error) {
      const std::string sentence = error.what();
      for (const std::string& key : table.keys())
        if (sentence.starts_with(key + " ")) table.refuse(key, sentence);
      table.refuse("kind", sentence);
    }
  }
}
}  // namespace microslip::catalog
