#pragma once

/// Following a contact problem along a history of loads, exactly.
///
/// As long as no node changes between open, stick and slip, everything is linear in f. So the path
/// is followed from event to event: a node reaches its friction limit, loses its contact force or
/// touches. At an event the rates of all nodes that may change are found by a primal–dual active
/// set method (a semismooth Newton method), which starts from the present state. The inverse of the
/// active block is kept and updated. Rows of a history inside a piece are read off its line, so
/// they leave no trace in the path.
///
/// With friction the rates need not exist: the interface may jump. The status is then
/// `not_converged` and trouble() says where; a state that has not been checked is never returned.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/contact/problem.hpp"
#include "microslip/core/response.hpp"

namespace microslip::contact {

enum class Contact : std::int8_t { open, stick, forward, backward };
std::string_view text_of(Contact contact);

/// Everything an interface remembers; a value.
struct State {
  double f = 0;
  double preload = 0;  ///< the share of g that acts, 0 to 1
  Vector w{};
  std::vector<Contact> nodes{};
  int direction = 0;  ///< of the last change of the load
};

/// No load, no displacement, all nodes in contact.
State rest(const Problem& problem);

/// A node changed at the load f.
struct Change {
  double f;
  Index node;
  Contact to;
};

struct SolverOptions {
  bool log_changes = false;  ///< record which node changes when
  /// Of the balance of energy after a row, relative to the energy that was moved so far.
  double energy_tolerance = 1e-8;
};

/// Not thread-safe; the problem must outlive it.
class Solver {
 public:
  explicit Solver(const Problem& problem, const SolverOptions& options = {});
  ~Solver();
  Solver(Solver&&) noexcept;

  /// Goes on from a state; energies and counts begin at zero again.
  void start(const State& state);
  /// Brings the constant load g on, at the present f. Its energies are not counted.
  Status preload();
  /// To the load f. Unless the status is ok, the solver must be started anew.
  Status advance(double f);

  State state() const;
  const Vector& w() const;
  const Vector& T() const;
  const std::vector<Contact>& nodes() const;
  double xi() const;  ///< bᵀw
  /// dξ/df, one-sided in the direction of the load.
  double tangent() const;
  /// Σ ∫ T_t dw_t since the start.
  double dissipated() const;
  double elastic_energy() const;  ///< ½ wᵀK w
  /// |work − elastic − dissipated| since the start, relative to the energy that was moved.
  double energy_error() const;
  std::size_t events() const;      ///< changes of nodes since the start
  std::size_t iterations() const;  ///< linear solves since the start
  const std::string& trouble() const;
  std::vector<Change>& changes();

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

/// The increment from given tangential displacements w_t⁰ to the load q = g + b f: contact and
/// friction hold at its end, and each node slips one way. First order in the size of the step where
/// nodes change on the way.
struct Increment {
  Vector w, T;
  std::vector<Contact> nodes;
  int iterations = 0;
  Status status = Status::ok;
};
/// By the primal–dual active set method, from the states `start`.
Increment increment(const Problem& problem, const Vector& q, const Vector& w_before,
                    const std::vector<Contact>& start);
/// By Lemke's algorithm in compliance form, with the unknowns z = (P, R⁻, Δ⁺), R⁻ = μP + T_t and
/// Δ⁺ the forward slip; for comparison. K must be definite.
Increment lemke_increment(const Problem& problem, const Vector& q, const Vector& w_before);

/// A stretch of a history in which a node is open or slips. Positions are rows with their
/// fractions: 2.25 is a quarter of the way from row 2 to row 3, rows counted from 0.
struct Stretch {
  Index node;
  Contact contact;
  double begin, end;
};

struct Wanted {
  bool stretches = false;
  std::function<void(std::size_t row, const Solver& solver)> each_row{};
};

struct Result {
  std::vector<double> xi;      ///< bᵀw of each row
  std::vector<double> energy;  ///< friction loss up to each row
  std::vector<Stretch> stretches;
  std::size_t events = 0, iterations = 0;
  double energy_error = 0;  ///< the largest of all rows
  State end;
  Status status = Status::ok;  ///< if not ok, the rows end before the one that failed
  std::string trouble{};
};

/// Preload from rest, then the loads.
Result run(const Problem& problem, std::span<const double> loads, const Wanted& wanted = {},
           const SolverOptions& options = {});

}  // namespace microslip::contact
