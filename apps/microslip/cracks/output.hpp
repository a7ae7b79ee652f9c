#pragma once

#include <cstdint>
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

/// One field of --ensemble.
struct EnsembleMember {
  std::uint64_t seed = 0;
  double energy = 0, xi_max = 0;
  std::string trouble;  ///< why it could not be computed
};
struct EnsembleResult {
  std::string file, command_line;
  std::vector<double> seed, energy, xi_max;
  std::size_t left_out = 0;
};
std::string ensemble_csv(const EnsembleResult& result);
std::string ensemble_json(const EnsembleResult& result);
std::string ensemble_text(const EnsembleResult& result);

std::string cracks_csv(const CracksResult& result);
std::string cracks_json(const CracksResult& result, bool with_columns);
std::string cracks_text(const CracksResult& result);
/// The cracks themselves, in the form that `cracks = "field.csv"` reads.
std::string crack_field_csv(const CracksResult& result);

io::Figure cracks_figure(const CracksResult& result);
io::Figure cracks_strip(const CracksResult& result);
io::Figure cracks_slip_map(const CracksResult& result);

}  // namespace microslip::app
