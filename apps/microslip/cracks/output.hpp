#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "microslip/catalog/files/cracks_file.hpp"
#include "microslip/contact/solver.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/figure.hpp"

/// What `microslip cracks` prints, writes and draws.
namespace microslip::app {

/// States of all nodes at a row of the history.
struct Moment {
  std::size_t row;
  std::vector<contact::Contact> nodes;
};

struct CracksResult {
  std::string file, command_line;
  const catalog::CracksFile* asked = nullptr;
  const contact::CrackedPlate* plate = nullptr;
  contact::Result run;
  std::vector<double> xi;        ///< edge stretch
  std::vector<Moment> extremes;  ///< at the largest and smallest load
  std::vector<Moment> strip;     ///< at equal distances
};

std::string cracks_csv(const CracksResult& result);
std::string cracks_json(const CracksResult& result, bool with_columns);
std::string cracks_text(const CracksResult& result);
/// The cracks themselves, in the form that `cracks = "field.csv"` reads.
std::string crack_field_csv(const CracksResult& result);

io::Figure cracks_figure(const CracksResult& result);
io::Figure cracks_strip(const CracksResult& result);
io::Figure cracks_slip_map(const CracksResult& result);

}  // namespace microslip::app
