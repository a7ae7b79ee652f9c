#pragma once

/// Following a system of sliders along a history of loads. Four ways, one interface:
///
///   event        exact, no increment: between stick and slip events x and r are linear in f, so
///   the
///                path is followed from event to event. The default.
///   active-set   the implicit increment min ½xᵀKx − f bᵀx + Σ μ_i|x_i − x_i⁰|, exact per
///   increment,
///                by a block primal–dual active set that starts from the last increment.
///   lemke        the same increment as the linear complementarity problem of 2N unknowns of the
///                thesis, App. A, by Lemke's algorithm: the paper's way, for comparison.
///   regularised  thesis eq. (3.5): sgn replaced by an exponential of sharpness ε, times |ḟ| so
///                that speed does not matter; an ordinary differential equation for CVODE.
///
/// An increment lets every slider slip one way only, so where sliders stick again on the way the
/// increments are first order; `event` has no such error.
///
/// Friction may change in time: all limits are `factor` times μ, and a step takes load and factor to new
/// values, both at a constant rate. Then sliders may start to slip although the load is at rest, and
/// `event` finds where they do. `regularised` has constant friction only.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "microslip/core/response.hpp"
#include "microslip/friction/system.hpp"

namespace microslip::friction {

enum class Method : std::uint8_t { event, active_set, lemke, regularised };
std::string_view text_of(Method method);

struct SolverOptions {
  Method method = Method::event;
  double epsilon = 1e-3;    ///< sharpness of `regularised`
  double tolerance = 1e-8;  ///< of `regularised`, relative; the others are exact to rounding
  bool log_slips = false;   ///< record which slider slips when
  bool varying = false;     ///< friction changes in time: advance_with() will be called
};

/// Everything a system remembers; a value.
struct State {
  double f = 0;                   ///< the load
  Vector x{};                     ///< where the sliders are
  std::vector<std::int8_t> side;  ///< ±1 for a slider at its limit ±μ, 0 inside
  int direction = 0;              ///< of the last change of the load
  /// Loads at which the history turned and that are not yet wiped out; only for diagonal K, where
  /// they say everything.
  std::vector<double> turns{};
  double factor = 1;  ///< on all friction limits
};

/// All sliders where the springs are relaxed, no load.
State rest(const System& system);

/// What a change of the load answers.
struct Step {
  double xi = 0;  ///< bᵀx
  Status status = Status::ok;
};

/// A slider began to slip (direction ±1) or stuck (0) at the load f and the factor on friction.
struct SlipChange {
  double f;
  Index slider;
  int direction;
  double factor = 1;
};

/// Not thread-safe; the system must outlive it.
class Solver {
 public:
  virtual ~Solver() = default;

  /// Goes on from a state; what was dissipated and counted begins at zero again.
  virtual void start(const State& state) = 0;
  /// To the load f. Unless the status is ok, the solver must be started anew.
  virtual Step advance(double f) = 0;
  /// The same while the factor on all friction limits changes to `factor`, both at a constant rate. Throws
  /// Error unless SolverOptions::varying was set and the factor is finite and not negative.
  virtual Step advance_with(double f, double factor);
  virtual State state() const = 0;
  virtual Vector x() const = 0;
  virtual double xi() const = 0;
  /// dξ/df, one-sided in the direction of the load.
  virtual double tangent() const = 0;
  /// Σ ∫ factor μ_i |dx_i| since the start.
  virtual double dissipated() const = 0;
  /// How often a slider began to slip since the start.
  virtual std::size_t events() const = 0;

  /// Why advance() failed: which sliders float, for status `macroslip`.
  const std::string& trouble() const noexcept { return trouble_; }
  /// Filled by advance() if SolverOptions::log_slips is set; the caller empties it.
  std::vector<SlipChange>& slips() noexcept { return slips_; }

 protected:
  std::string trouble_;
  std::vector<SlipChange> slips_;
};

std::unique_ptr<Solver> make_solver(const System& system, const SolverOptions& options = {});

/// The load of the next event if the load goes on in `direction` (±1): where ξ(f) has its next
/// kink; infinite if nothing more happens.
double next_event(const System& system, const State& state, int direction);

/// One stretch of slip. Positions are rows of the history with their fractions: 2.25 is a quarter
/// of the way from row 2 to row 3, rows counted from 0.
struct Slip {
  Index slider;
  int direction;
  double begin, end;
};

/// What to keep of a history besides ξ and energy.
struct Wanted {
  bool slips = false;  ///< the map of who slips when; needs SolverOptions::log_slips
  /// Called after each row with the positions of the sliders, for those who store them elsewhere:
  /// the library itself keeps no history of x.
  std::function<void(std::size_t row, const Vector& x)> each_row{};
};

/// One answer for all methods.
struct Result {
  std::vector<double> xi;      ///< bᵀx of each row
  std::vector<double> energy;  ///< dissipated up to each row
  std::vector<Slip> slips;     ///< sorted by their begin
  std::size_t events = 0;
  Method method = Method::event;
  double epsilon = 0;  ///< of `regularised`, else 0
  State end;
  Status status = Status::ok;  ///< if not ok, the rows end before the one that failed
  std::string trouble{};       ///< the reason in words, for a person
};

/// Follows the loads from a state, by default from rest.
Result run(const System& system, std::span<const double> loads, const SolverOptions& options = {},
           const Wanted& wanted = {});
Result run(const System& system, const State& from, std::span<const double> loads,
           const SolverOptions& options = {}, const Wanted& wanted = {});
/// The same with a factor on all friction limits for each row, linear between rows; from rest it begins
/// with that of the first row. Throws Error for a negative factor.
Result run(const System& system, std::span<const double> loads, std::span<const double> factors,
           const SolverOptions& options = {}, const Wanted& wanted = {});

}  // namespace microslip::friction
