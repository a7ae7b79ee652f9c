#pragma once

/// Columns of measured numbers from a file of any kind that is read here: text as csv.hpp says,
/// the same compressed by gzip, a MAT file, a universal file (UFF, UNV), or JSON.
///
/// In a MAT file each vector of real numbers is a column and goes by its name; a field of a struct
/// goes by `test.force` or by `force` alone. The columns of a matrix A are `A(:,1)`, `A(:,2)`, …;
/// with more columns than rows its rows `A(1,:)`, `A(2,:)`, … are what is taken for columns. If the matrix is all there is, two columns are u,f and three are t,u,f. What was asked for must have
/// the same number of rows.
///
/// In a universal file each record in time (data set 58) is a column, called by what was measured and where:
/// `acceleration 12+Z`; their common abscissa is t. Columns count from the time, which is 1.
///
/// In JSON the lists of numbers of an object are columns, `{"t": […], "u [mm]": […]}`, or those of its
/// member `columns`, as `--json` writes them.

#include <filesystem>

#include "microslip/io/csv.hpp"

namespace microslip::io {

/// Throws Error with the file and the place in it. "-" is standard input, which must be text.
Table read_record(const std::filesystem::path& path, const Wanted& wanted = {});

}  // namespace microslip::io
