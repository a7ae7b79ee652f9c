#include <algorithm>

#include "microslip/contact/solver.hpp"

namespace microslip::contact {
namespace {

/// Turns changes at loads into stretches of rows.
class Stretches {
 public:
  Stretches(std::vector<Stretch>& out, const std::vector<Contact>& nodes)
      : out_(out), now_(nodes), since_(nodes.size(), 0.0) {}

  void change(Index node, Contact to, double position) {
    const auto i = static_cast<std::size_t>(node);
    close(i, position);
    now_[i] = to;
    since_[i] = position;
  }
  void end(double position) {
    for (std::size_t i = 0; i < now_.size(); ++i) close(i, position);
    std::sort(out_.begin(), out_.end(), [](const Stretch& a, const Stretch& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.node < b.node;
    });
  }

 private:
  void close(std::size_t i, double position) {
    if (now_[i] != Contact::stick && position > since_[i])
      out_.push_back({static_cast<Index>(i), now_[i], since_[i], position});
  }

  std::vector<Stretch>& out_;
  std::vector<Contact> now_;
  std::vector<double> since_;
};

}  // namespace

Result run(const Problem& problem, std::span<const double> loads, const Wanted& wanted,
           const SolverOptions& options) {
  SolverOptions with_log = options;
  with_log.log_changes |= wanted.stretches;
  Solver solver(problem, with_log);
  Result result;
  const auto ended = [&](Status status) {
    result.status = status;
    result.trouble = solver.trouble();
    result.events = solver.events();
    result.iterations = solver.iterations();
    result.end = solver.state();
    return result;
  };
  if (const Status status = solver.preload(); status != Status::ok) return ended(status);
  solver.changes().clear();
  Stretches stretches(result.stretches, solver.nodes());
  double before = 0;
  for (std::size_t row = 0; row < loads.size(); ++row) {
    const Status status = solver.advance(loads[row]);
    if (status != Status::ok) return ended(status);
    // The way to the first row lies before the history.
    for (const Change& change : solver.changes()) {
      const double way = loads[row] - before;
      const double share = way == 0 ? 1 : std::clamp((change.f - before) / way, 0.0, 1.0);
      const double position = row == 0 ? 0 : static_cast<double>(row) - 1 + share;
      stretches.change(change.node, change.to, position);
    }
    solver.changes().clear();
    before = loads[row];
    result.xi.push_back(solver.xi());
    result.energy.push_back(solver.dissipated());
    result.energy_error = std::max(result.energy_error, solver.energy_error());
    if (wanted.each_row) wanted.each_row(row, solver);
  }
  if (!loads.empty()) stretches.end(static_cast<double>(loads.size()) - 1);
  if (!wanted.stretches) result.stretches.clear();
  return ended(Status::ok);
}

}  // namespace microslip::contact
