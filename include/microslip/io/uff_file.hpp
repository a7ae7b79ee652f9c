#pragma once

/// Universal files (UFF, UNV), which laboratories exchange measurements in.
///
/// What is read
///   58, 58b   functions: records in time, spectra, frequency responses; ASCII and binary (IEEE numbers of
///             either byte order), real and complex, single and double, even and uneven spacing
///   151, 164  name of the model; units, when a function names none
///   15, 2411  nodes
///   55        mode shapes and other data at nodes, with frequency and damping
/// Other data sets are passed over. Lines may end early, numbers may touch, a header may have blanks where the
/// format wants columns: what can be read without doubt is read. Anything else throws Error with the file, the
/// line and the data set.

#include <complex>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace microslip::io {

/// One axis of a function.
struct UffAxis {
  int quantity =
      0;  ///< 8 displacement, 11 velocity, 12 acceleration, 13 force, 17 time, 18 frequency, …
  std::string label, unit;
};

/// A node and a direction there: 1, 2, 3 along x, y, z, 4, 5, 6 about them, negative against them; 0 none.
struct UffPlace {
  std::string entity;
  int node = 0;
  int direction = 0;

  std::string text() const;  ///< "12+Z"
};

struct UffFunction {
  int type =
      0;  ///< 0 general, 1 time record, 2 auto spectrum, 4 frequency response, 6 coherence, …
  std::vector<std::string> titles;  ///< the five lines of text, without what says nothing
  UffPlace response, reference;
  UffAxis abscissa, ordinate;
  std::vector<double> x;
  std::vector<std::complex<double>> values;
  bool complex = false;
  std::size_t line = 0;  ///< where the data set begins, from 1

  /// Such as "acceleration 12+Z [m/s^2]".
  std::string heading() const;
};

struct UffNode {
  int number = 0;
  double x = 0, y = 0, z = 0;
};

/// A mode shape, or other data at nodes (data set 55).
struct UffShape {
  std::vector<std::string> titles;
  int kind = 0;  ///< 2 normal mode, 3 complex mode
  int mode = 0;
  double frequency = 0, damping = 0;  ///< periods a unit of time; damping ratio
  std::complex<double> pole{};        ///< of a complex mode
  std::map<int, std::vector<std::complex<double>>> values;  ///< by node; three or six directions
};

struct UffFile {
  std::vector<UffFunction> functions;
  std::vector<UffNode> nodes;
  std::vector<UffShape> shapes;
  std::string model;
};

UffFile read_uff(const std::filesystem::path& path);
UffFile read_uff_text(std::string_view bytes, const std::string& name);

/// Whether bytes begin as such a file does: a line with -1 alone.
bool looks_like_uff(std::string_view head);

}  // namespace microslip::io
