#pragma once

#include <string>

#include "microslip/io/figure.hpp"
#include "terminal.hpp"

namespace microslip::app {

/// Without gnuplot there is no picture, and the command says so and goes on.
inline void draw_or_say(const io::Figure& figure, const std::string& path) {
  try {
    io::draw(figure, path);
  } catch (const io::PictureUnavailable& reason) {
    say("microslip: " + one_line(reason.what()) + "\n");
  }
}

}  // namespace microslip::app
