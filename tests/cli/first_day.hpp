#pragma once

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "command.hpp"

/// What went wrong on the first day with real data. Each test is named after it: loops and files in
/// first_day_test.cpp, fits and structures in files of their own.
namespace cli {

using Json = nlohmann::json;

class FirstDay : public CommandTest {
 protected:
  /// Loops of a slider, k = 10, φ = 1, at amplitude 2.
  void write_record(const std::string& name, const std::string& head = "t,u,f\n",
                    double shift = 0) const {
    std::string csv = head;
    double u = 0, f = 0;
    for (int i = 0; i <= 600; ++i) {
      const double t = 0.01 * i, next = 2 * std::sin(2 * std::numbers::pi * t);
      f = std::clamp(f + 10 * (next - u), -1.0, 1.0);
      u = next;
      csv += std::to_string(t) + "," + std::to_string(u + shift) + "," + std::to_string(f) + "\n";
    }
    write(name, csv);
  }
};

/// Notes are wrapped.
inline std::string on_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace cli
