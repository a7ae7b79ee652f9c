#pragma once

/// The numbers of a structure file by their addresses, for identification and studies:
///
///     M[2], K[2], C[2]       an entry of the diagonal
///     M[2,3]                 an entry beside it, and its mirror image
///     M, K, C                a factor of what the file gives as this matrix, which is 1
///     spring[1].k            of the springs in their order, those of a table after [[spring]]
///     damper[1].c            likewise
///     damping[1]             a damping ratio; stuck_damping[1]
///     load[1].amplitude      of a harmonic, static, swept or stepped load, or of an impulse
///     joint[1].Fs            a parameter of a law, named as in composing.md; joints of a table count after
///                            [[joint]]; joint[1].mu[2] is an entry of a list
///
/// A range stands for several: spring[1..24].k, joint[*].phi.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/catalog/files/structure_file.hpp"

namespace microslip::catalog {

/// What an address names in one structure.
struct Address {
  enum class Kind {
    matrix_entry,
    matrix_factor,
    spring,
    damper,
    damping,
    stuck_damping,
    load,
    joint
  };
  std::string text;
  Kind kind = Kind::spring;
  char matrix = 'M';
  Eigen::Index row = 0, column = 0;  ///< from 0
  std::size_t place = 0;             ///< of a list or of the file's elements, from 0
  std::string parameter{};           ///< of a law, by its whole name
  std::size_t element = 0;           ///< of a list
};

using AddressedValues = std::vector<std::pair<Address, double>>;

/// Throws Error with what there is when the structure has no such number, and for a range.
Address address_of(const StructureFile& file, std::string_view text);
/// The addresses that a range stands for; an address without one stands for itself.
std::vector<std::string> expanded(const StructureFile& file, std::string_view text);

double value_at(const StructureFile& file, const Address& address);
/// The structure with these values in place of its own. Throws Error where a law refuses them.
dynamics::Structure with_values(const StructureFile& file, const AddressedValues& values);
/// The same, values and their assembly, in the file itself.
void set_values(StructureFile& file, const AddressedValues& values);

/// The structure put together from its parts.
dynamics::Structure assembled(const StructureFile& file);

}  // namespace microslip::catalog
