#include <algorithm>
#include <filesystem>
#include <memory>

#include "archive.hpp"
#include "command.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "simulate/jobs.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* details = R"(What is written
  A file for co-simulation masters (FMI 2.0) with one joint in it. Inputs: u, the displacement at
  the end of the step (ux, uy of planar laws). Outputs: f, tangent, energy (dissipated so far),
  stored (recoverable energy). Numbers of the law and elements of its lists are parameters with
  unit, bounds and start value; formulas, matrices and options are fixed when it is written.
  The joint starts at rest at u = 0 and is driven to the first value of u during initialization.
  In a step it moves linearly in time to u, or, if the master sets the derivative of u, by step
  size times derivative. The binary inside is for 64-bit Linux.

Examples
  microslip export-fmu iwan4 --set KT=2 --set chi=-0.5 -o joint.fmu
  microslip export-fmu 'jenkins(k=1,phi=0.5)+viscous(c=0.1)' -o joint.fmu
  microslip export-fmu --params result.json -o joint.fmu
)";

struct Settings {
  SimulateSettings laws;
  std::string output, name;
  bool quiet = false;
};

/// Beside the command where it was built, or where it was installed.
fs::path binaries() {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder : {here / "fmu/linux64", here / "../lib/microslip/fmu/linux64"})
    if (fs::exists(folder / "microslip_fmu.so")) return folder;
  throw Failure("the binary of FMUs, fmu/linux64/microslip_fmu.so, was not found beside " +
                here.string() + " nor in ../lib/microslip");
}

int run(const Settings& s) {
  if (s.output.empty()) throw Error("-o FILE.fmu is required: where the FMU is written");
  const std::vector<Job> jobs = make_jobs(s.laws);
  if (jobs.size() > 1)
    throw Error("an FMU holds one joint, but " + std::to_string(jobs.size()) +
                " models are given; a sum is written with +");
  io::check_outputs({{s.output}}, {s.laws.parameter_files.begin(), s.laws.parameter_files.end()});
  const Job& job = jobs.front();
  std::string library;
  std::vector<fmu::Entry> beside;
  for (const fs::directory_entry& file : fs::directory_iterator(binaries())) {
    const std::string name = file.path().filename().string();
    if (name == "microslip_fmu.so")
      library = io::read_file(file.path());
    else
      beside.push_back({name, io::read_file(file.path())});
  }
  std::sort(beside.begin(), beside.end(),
            [](const fmu::Entry& a, const fmu::Entry& b) { return a.name < b.name; });
  const std::string name = s.name.empty() ? job.label : s.name;
  io::write_file(s.output, fmu::archive(job.model, name, library, beside));
  if (!s.quiet) print(s.output + ": " + job.label + " for FMI 2.0 co-simulation\n");
  return 0;
}

Run declare(CLI::App& options, const Context&) {
  const auto s = std::make_shared<Settings>();
  OptionGroup(options, "Options")
      .words("MODEL", s->laws.models, "[MODEL]", "a law or a sum of laws", false);
  OptionGroup laws(options, "Law");
  laws.list("--set", s->laws.sets, "NAME=VALUE", "a parameter or option of the law; repeat it");
  laws.list("--params", s->laws.parameter_files, "FILE", "values from JSON, TOML or a fit result");
  laws.list("--fit", s->laws.fits, "MODEL", "which fit of a fit result; the best if left out");
  laws.text("--method", s->laws.method, "NAME", "how the law is integrated; exact if left out");
  OptionGroup result(options, "Result");
  result.text("--name", s->name, "NAME", "of the model, as tools show it; the law if left out");
  result.text("-o,--output", s->output, "FILE.fmu", "the FMU; required");
  result.flag("-q,--quiet", s->quiet, "say nothing");
  return [s] { return run(*s); };
}

}  // namespace

Command export_fmu_command() {
  return {"export-fmu", "Write a law as an FMU, for co-simulation with other tools.", details,
          declare};
}

}  // namespace microslip::app
