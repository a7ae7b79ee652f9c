#pragma once

#include <string>

#include "microslip/io/file.hpp"

namespace microslip::io {

/// Lets gnuplot run a script and write the picture. Throws Error, or PictureUnavailable when there
/// is no gnuplot; `name` is the picture in messages.
void run_gnuplot(const std::string& script, const AtomicFile& picture, const std::string& name);

}  // namespace microslip::io
