#include "study/commands.hpp"

#include <glog/logging.h>

#include <algorithm>

#include "command.hpp"

/// What the command on a computer has and the one in a browser has not.
namespace microslip::app {

const std::vector<Command>& commands() {
#define MICROSLIP_LIST(name) name##_command(),
  static const std::vector<Command> all = [] {
    std::vector<Command> list{MICROSLIP_COMMANDS(MICROSLIP_LIST)};
    const auto place = std::find_if(list.begin(), list.end(),
                                    [](const Command& c) { return c.name == "reproduce"; });
    list.insert(place, {study_command(), serve_command(), dakota_command()});
    return list;
  }();
#undef MICROSLIP_LIST
  return all;
}

void silence_libraries() {
  // Ceres writes about steps that it then does not take; the result says what matters.
  FLAGS_minloglevel = google::GLOG_FATAL;
}

}  // namespace microslip::app
