#include "microslip/study/serve.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/parallel.hpp"
#include "serve/http.hpp"
#include "study/commands.hpp"

namespace microslip::app {
namespace {

constexpr const char* serve_details = R"(Models
  Each FILE is a study as of 'microslip study', and a model by the name of the file without its
  ending. What varies there is the input, one vector in the units of the file: its distributions do
  not count. What is collected is the output: all numbers as one vector, then each curve as one.

Protocol
  UM-Bridge 1.0 over HTTP: GET /Info; POST /ModelInfo, /InputSizes, /OutputSizes, /Evaluate,
  /Gradient, /ApplyJacobian. Derivatives are exact, and offered by /ModelInfo where they exist: jobs
  of kind simulate that vary parameters of laws with dual numbers. A run that fails is the error
  InvalidOutput.

Limits
  The server listens on this machine alone unless --host says otherwise; there is no encryption and
  no password. Requests reach no file. It ends on SIGTERM or Ctrl-C.

Examples
  microslip serve ring-study.toml --port 4242
)";

struct ServeSettings {
  std::vector<std::string> files;
  std::string host, port, threads, seconds;
  bool quiet = false;
};

volatile std::sig_atomic_t serve_stopped = 0;
extern "C" void stop_serving(int) { serve_stopped = 1; }

double whole_number(const std::string& option, const std::string& text, double least, double most) {
  const double x = number(option, text);
  if (!(x >= least && x <= most) || x != std::floor(x))
    throw Error(
        fmt::format("{} = {} must be a whole number from {} to {}", option, text, least, most));
  return x;
}

/// Lets so many runs at a time pass.
class Turnstile {
 public:
  explicit Turnstile(std::size_t places) : free_(places) {}
  template <class Work>
  auto pass(Work&& work) {
    {
      std::unique_lock lock(mutex_);
      next_.wait(lock, [&] { return free_ > 0; });
      --free_;
    }
    struct Leave {
      Turnstile& of;
      ~Leave() {
        const std::lock_guard lock(of.mutex_);
        ++of.free_;
        of.next_.notify_one();
      }
    } leave{*this};
    return work();
  }

 private:
  std::mutex mutex_;
  std::condition_variable next_;
  std::size_t free_;
};

int run_serve(const ServeSettings& s) {
  std::map<std::string, study::Study> models;
  for (const std::string& file : s.files) {
    std::string name = std::filesystem::path(file).stem().string();
    if (models.count(name) > 0)
      throw Error("two models have the name '" + name + "': names are those of files");
    models.emplace(std::move(name), study::Study::read(file));
  }
  const char* wanted = std::getenv("PORT");
  const std::string port = !s.port.empty() ? s.port : wanted ? wanted : "4242";
  const auto number_of_port =
      static_cast<int>(whole_number(s.port.empty() && wanted ? "$PORT" : "--port", port, 0, 65535));
  const double most_seconds = s.seconds.empty() ? 3600 : number("--time-limit", s.seconds);
  if (!(most_seconds > 0)) throw Error("--time-limit = " + s.seconds + " must be positive");
  Turnstile turnstile(
      s.threads.empty() ? thread_count(0)
                        : static_cast<std::size_t>(whole_number("--threads", s.threads, 1, 1024)));
  const study::UmBridge bridge(std::move(models));
  HttpServer server(s.host.empty() ? "127.0.0.1" : s.host, number_of_port, {});
  struct sigaction action {};
  action.sa_handler = stop_serving;
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGINT, &action, nullptr);
  if (!s.quiet)
    say(fmt::format("microslip: serving on http://{}:{}\n", s.host.empty() ? "127.0.0.1" : s.host,
                    server.port()));
  server.run(
      [&](std::string_view method, std::string_view target, const std::string& body) {
        const auto answer = [&] {
          const auto begin = std::chrono::steady_clock::now();
          return bridge.answer(method, target, body, [&] {
            return serve_stopped != 0 ||
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() >
                       most_seconds;
          });
        };
        // Only what computes waits for its turn.
        const bool computes =
            target == "/Evaluate" || target == "/Gradient" || target == "/ApplyJacobian";
        return computes ? turnstile.pass(answer) : answer();
      },
      [] { return serve_stopped != 0; });
  return 0;
}

Run declare_serve(CLI::App& options, const Context&) {
  const auto s = std::make_shared<ServeSettings>();
  OptionGroup(options, "Options")
      .words("FILE", s->files, "FILE.toml", "studies, each a model by the name of its file", true);
  OptionGroup server(options, "Server");
  server.text("--port", s->port, "N", "4242, or $PORT, if left out; 0: one that is free");
  server.text("--host", s->host, "NAME", "where it listens; 127.0.0.1, this machine, if left out");
  server.text("--threads", s->threads, "N", "runs at a time; all processors if left out");
  server.text("--time-limit", s->seconds, "SECONDS", "of one run; 3600 if left out");
  server.flag("-q,--quiet", s->quiet, "do not say where it listens");
  return [s] { return run_serve(*s); };
}

}  // namespace

Command serve_command() {
  return {"serve", "Jobs as models for samplers and optimisers, over HTTP (UM-Bridge).",
          serve_details, declare_serve};
}

}  // namespace microslip::app
