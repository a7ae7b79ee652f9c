#include <memory>

#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/study/serve.hpp"
#include "study/commands.hpp"

namespace microslip::app {
namespace {

constexpr const char* dakota_details = R"(Dakota
  An analysis driver for Dakota's fork interface:

    interface
      fork
        analysis_drivers = 'microslip dakota --study ring-study.toml'

  The study names the job, what varies and what is collected, as of 'microslip study'; its
  distributions and its design do not count. Variables go by their descriptors, which may have _ for
  brackets and dots: joint_1_phi is joint[1].phi. What the study varies and Dakota does not keeps
  the value of the file. Functions go by their labels, or by their places when Dakota made the
  labels; a curve x5 of 200 points is x5_1 to x5_200. Both formats of the parameters file are read.
  Gradients are exact where they exist (see 'microslip serve'); a run that fails writes "fail".

Examples
  microslip dakota --study ring-study.toml params.in results.out
)";

struct DakotaSettings {
  std::vector<std::string> words;
  std::string study;
};

int run_dakota(const DakotaSettings& s) {
  if (s.words.size() != 2)
    throw Error("two files are needed: the parameters and the results, as Dakota names them");
  const study::Study study = study::Study::read(s.study.empty() ? "study.toml" : s.study);
  io::check_outputs({{s.words[1]}}, {s.words[0]});
  std::string text;
  try {
    text = study::dakota_results(study, io::read_file(s.words[0]));
  } catch (const Error& error) {
    throw Error(s.words[0] + ": " + error.what());
  }
  io::write_file(s.words[1], text);
  return 0;
}

Run declare_dakota(CLI::App& options, const Context&) {
  const auto s = std::make_shared<DakotaSettings>();
  OptionGroup group(options, "Options");
  group.words("PARAMS", s->words, "PARAMS RESULTS", "the two files of Dakota's fork interface",
              true);
  group.text("--study", s->study, "FILE.toml", "the job; study.toml if left out");
  return [s] { return run_dakota(*s); };
}

}  // namespace

Command dakota_command() {
  return {"dakota", "One run of a job as an analysis driver of Dakota.", dakota_details,
          declare_dakota};
}

}  // namespace microslip::app
