#pragma once

#include <string>
#include <vector>

#include "catalog/files/places.hpp"

namespace microslip::catalog {

/// Where a joint with several directions acts, `names` being those of its law in their order:
///     between = [[a, b], …]          one pair for each direction: u = x_b − x_a
///     along = [[…], …]               weights; or a matrix file, `row` being the first of its rows
///     nodes = [a, b]                 of matrices that name their degrees of freedom, with
///       components = [1, 2, 3]       directions of the nodes; the law's own, unless a frame follows:
///       axes = [[…], …]              a row for each direction of the law
///       normal = […]                 from the first node to the second: un = −n·(x_b − x_a)
std::vector<dynamics::Direction> joint_directions(const TomlTable& table, const Places& places,
                                                  const std::vector<std::string>& names);

/// The same between two nodes (0 being the ground), each direction of the law along one component.
/// Throws an Error without a place.
std::vector<dynamics::Direction> between_nodes(const Places& places, long from, long to,
                                               const std::vector<int>& components);

/// "x, y and n".
std::string name_list(const std::vector<std::string>& names);

}  // namespace microslip::catalog
