#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "microslip/jobs/simulate.hpp"
#include "simulate/input.hpp"

/// What `microslip simulate` writes, prints and draws.
namespace microslip::app {

using jobs::Simulated;

/// A table whose numbers belong to somebody else.
struct Sheet {
  io::Comments comments;
  std::vector<io::ColumnView> columns;
};

/// One law alone, or (`t,u,f_NAME,energy_NAME,…`) all of them side by side.
Sheet sheet_of(const Job& job, const Simulated& result, const Input& input,
               const std::string& command_line);
Sheet sheet_of(const std::vector<Job>& jobs, const std::vector<Simulated>& results,
               const Input& input, const std::string& command_line);

std::string summary_text(const std::vector<Simulated>& results);

/// `rows` are those of the results: they may be more than those of the input.
void draw(const std::filesystem::path& path, const std::vector<Job>& jobs,
          const std::vector<Simulated>& results, const Path& rows, const Input& input);

}  // namespace microslip::app
