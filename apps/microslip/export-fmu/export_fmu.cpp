#include "microslip/jobs/export_fmu.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "archive.hpp"
#include "command.hpp"
#include "microslip/catalog/files/structure_file.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "simulate/jobs.hpp"
#include "terminal.hpp"

namespace microslip::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* details = R"(What is written
  A file for co-simulation masters (FMI 2.0, or FMI 3.0 with --fmi 3) with one joint or one
  structure in it. The binary inside is for 64-bit Linux.

A joint
  Inputs: u, the displacement at the end of the step (ux, uy or ut, un or ux, uy, un of
  laws with several directions). Outputs: f, tangent,
  energy (dissipated so far), stored (recoverable energy). Laws that are driven by force have f as
  input and u as output. Numbers of the law and elements of its
  lists are parameters with unit, bounds and start value; formulas, matrices and options are fixed
  when it is written. The joint starts at rest at u = 0 and is driven to the first value of u during
  initialization. In a step it moves linearly in time to u, or, if the master sets the derivative of
  u (FMI 2.0 only), by step size times derivative.

A structure
  FILE.toml as 'microslip respond' reads it. Each [[load]] becomes an input, load1, load2, …: the
  force along its direction, or the acceleration of a base, held during a step; a static load is the
  start value. The time histories in the file act beside the inputs, unless the parameter own_loads
  is set to false. Stop time and step size that tools propose are those of the analysis. Outputs:
  x1, v1, …, those of sensors, f_joint1, …, and energy (dissipated in the joints so far). Numbers of
  the laws are parameters, joint1.k. Method, step, tolerance and initial values are those of the
  first [[analysis]] of kind "time", or 'events' and rest. What the file names is inside the FMU.

Examples
  microslip export-fmu iwan4 --set KT=2 --set chi=-0.5 -o joint.fmu
  microslip export-fmu 'jenkins(k=1,phi=0.5)+viscous(c=0.1)' -o joint.fmu
  microslip export-fmu --params result.json -o joint.fmu
  microslip export-fmu iwan4 --fmi 3 -o joint3.fmu
  microslip export-fmu examples/structures/ring-down.toml -o structure.fmu
)";

struct Settings {
  SimulateSettings laws;
  std::string output, name, fmi = "2";
  bool quiet = false;
};

/// Beside the command where it was built, or where it was installed.
fs::path binary_folder() {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder : {here / "fmu", here / "../lib/microslip/fmu"})
    if (fs::exists(folder / "linux64/microslip_fmu2.so")) return folder;
  throw Failure("the binary of FMUs, fmu/linux64/microslip_fmu2.so, was not found beside " +
                here.string() + " nor in ../lib/microslip");
}

/// Of all platforms that there are.
std::vector<fmu::Binaries> binaries(const jobs::ExportFmuResult& made) {
  std::vector<fmu::Binaries> all;
  const fs::path folder = binary_folder();
  for (const jobs::FmuBinary& place : made.binaries) {
    const fs::path from = folder / place.platform;
    if (!fs::exists(from / place.file)) continue;
    fmu::Binaries one{place, io::read_file(from / place.file)};
    for (const fs::directory_entry& file : fs::directory_iterator(from)) {
      const std::string name = file.path().filename().string();
      if (!name.starts_with("microslip_fmu"))
        one.beside.push_back({name, io::read_file(file.path())});
    }
    std::sort(one.beside.begin(), one.beside.end(),
              [](const fmu::Entry& a, const fmu::Entry& b) { return a.name < b.name; });
    all.push_back(std::move(one));
  }
  return all;
}

/// What goes into the FMU, and the files that were read for it.
struct Export {
  jobs::ExportFmuRequest request;
  std::string label;
  std::vector<fs::path> files;
};

Export law_of(const Settings& s) {
  const std::vector<Job> made = make_jobs(s.laws);
  if (made.size() > 1)
    throw Error("an FMU holds one joint, but " + std::to_string(made.size()) +
                " models are given; a sum is written with +");
  const Job& law = made.front();
  Export found{{}, law.label, {s.laws.parameter_files.begin(), s.laws.parameter_files.end()}};
  found.request.law = jobs::NamedLaw{.label = law.label,
                                     .model = law.spec.model,
                                     .parameters = law.spec.parameters,
                                     .options = law.spec.options};
  return found;
}

Export structure_of(const Settings& s) {
  const SimulateSettings& laws = s.laws;
  if (laws.models.size() > 1 || !laws.sets.empty() || !laws.parameter_files.empty() ||
      !laws.fits.empty() || !laws.method.empty())
    throw Error(
        "a structure file is exported alone: --set, --params, --fit and --method belong to laws");
  const fs::path path = laws.models.front();
  Export found{{}, path.stem().string(), {}};
  found.request.name = found.label;
  found.request.structure = catalog::read_structure(path);
  found.files = found.request.structure->files;
  return found;
}

int run(const Settings& s) {
  if (s.output.empty()) throw Error("-o FILE.fmu is required: where the FMU is written");
  const auto fmi = jobs::FmiVersion(choice("--fmi", s.fmi, {"2", "3"}));
  const bool structure = !s.laws.models.empty() && s.laws.models.front().ends_with(".toml");
  Export made = structure ? structure_of(s) : law_of(s);
  made.request.fmi = fmi;
  if (!s.name.empty()) made.request.name = s.name;
  const jobs::ExportFmuResult fmu = jobs::export_fmu(made.request);
  io::check_outputs({{s.output}}, made.files);
  io::write_file(s.output, fmu::archive(fmu, binaries(fmu)));
  if (!s.quiet) {
    print(s.output + ": " + made.label + " for FMI " + s.fmi + ".0 co-simulation\n");
    for (const std::string& note : fmu.notes) print(note + "\n");
  }
  return 0;
}

Run declare(CLI::App& options, const Context&) {
  const auto s = std::make_shared<Settings>();
  OptionGroup(options, "Options")
      .words("MODEL", s->laws.models, "[MODEL|FILE.toml]", "a law, a sum of laws or a structure",
             false);
  OptionGroup laws(options, "Law");
  laws.list("--set", s->laws.sets, "NAME=VALUE", "a parameter or option of the law; repeat it");
  laws.list("--params", s->laws.parameter_files, "FILE", "values from JSON, TOML or a fit result");
  laws.list("--fit", s->laws.fits, "MODEL", "which fit of a fit result; the best if left out");
  laws.text("--method", s->laws.method, "NAME", "how the law is integrated; exact if left out");
  OptionGroup result(options, "Result");
  result.text("--fmi", s->fmi, "2|3", "version of the standard: 2.0 unless 3 is given");
  result.text("--name", s->name, "NAME", "of the model, as tools show it; the law if left out");
  result.text("-o,--output", s->output, "FILE.fmu", "the FMU; required");
  result.flag("-q,--quiet", s->quiet, "say nothing");
  return [s] {
    const bool file = !s->laws.models.empty() && s->laws.models.front().ends_with(".toml");
    return file ? run_file(s->laws.models.front(), [&] { return run(*s); }) : run(*s);
  };
}

}  // namespace

Command export_fmu_command() {
  return {"export-fmu", "Write a law or a structure as an FMU, for co-simulation.", details,
          declare};
}

}  // namespace microslip::app
