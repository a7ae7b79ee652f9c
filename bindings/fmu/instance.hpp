#pragma once

#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "microslip/core/error.hpp"
#include "unit.hpp"

/// An instance of an FMU: what the functions of FMI 2.0 and those of FMI 3.0 do alike.
namespace microslip::fmu {

/// Where an instance stands; masks of these say when a function may be called.
enum Phase : unsigned {
  instantiated = 1,
  initializing = 2,
  step_complete = 4,  ///< FMI 3.0: Step Mode
  step_failed = 8,    ///< FMI 2.0 only
  terminated = 16,
  failed = 32,
};
constexpr unsigned anywhere = 63;
constexpr unsigned settable = instantiated | initializing | step_complete;
constexpr unsigned readable = initializing | step_complete | step_failed | terminated | failed;

/// Numbers of the status that both versions of the standard share.
constexpr int status_ok = 0, status_discard = 2, status_error = 3;

class Instance {
 public:
  virtual ~Instance() = default;

  /// To the logger of the master.
  virtual void log(int status, const std::string& sentence) const = 0;

  const Contents& contents() const { return unit->contents(); }
  const Variable& find(unsigned reference) const;

  /// Everything as it was when the instance was made.
  void begin();
  void set_times(double start, bool stop_defined, double stop_time);
  void build();
  void initialize();

  void set(const Variable& variable, double x);
  double get(const Variable& variable);
  /// The variable with this reference; throws Error where it is of the other type.
  const Variable& real(unsigned reference) const;
  const Variable& boolean(unsigned reference) const;
  /// d unknowns/d knowns in the direction of the changes.
  void derivative(const unsigned* unknowns, std::size_t unknown_count, const unsigned* knowns,
                  std::size_t known_count, const double* changes, double* answers);
  /// To from + size, as a whole or not at all.
  void step(double from, double size);

  Phase phase = instantiated;
  std::unique_ptr<Unit> unit;
  std::vector<double> values;  ///< of the parameters
  bool built = false;          ///< the unit has these values
  std::vector<double> inputs, slopes, outputs;
  bool has_slope = false;
  bool initialized = false;  ///< state and outputs belong to the inputs and the parameters
  double t = 0, stop = std::numeric_limits<double>::infinity();
};

/// Everything but the name and the callbacks.
struct State {
  Phase phase;
  bool has_slope, initialized;
  double t, stop;
  std::vector<double> values, inputs, slopes, outputs;
  Memory memory;
};

State state_of(const Instance& instance);
void restore(Instance& instance, const State& state);
std::string bytes_of(const Instance& instance, const State& state);
State state_from(const Instance& instance, std::string_view bytes);

template <class T>
void require(const T* list, std::size_t count, const char* name) {
  if (count > 0 && !list) throw Error(std::string(name) + " must not be NULL");
}

/// Checks that a call is allowed, and turns what goes wrong into a status and a message.
template <class Status, class Work>
Status guarded(Instance* self, const char* function, unsigned allowed, Work&& work) noexcept {
  if (!self) return static_cast<Status>(status_error);
  const auto fail = [&](int status, const std::string& sentence) {
    self->log(status, function + sentence);
    return static_cast<Status>(status);
  };
  try {
    if (!(self->phase & allowed)) return fail(status_error, " is not allowed now");
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      return static_cast<Status>(status_ok);
    } else {
      return work();
    }
  } catch (const Discarded& stopped) {
    return fail(status_discard, ": " + stopped.sentence);
  } catch (const std::exception& error) {
    return fail(status_error, std::string(": ") + error.what());
  } catch (...) {
    return fail(status_error, ": an unknown failure");
  }
}

// ------------------------------------------------- what a master asks of states, in both versions

void get_state(const Instance& instance, void** state);
void set_state(Instance& instance, void* state);
void free_state(void** state);
std::size_t serialized_size(const Instance& instance, void* state);
void serialize(const Instance& instance, void* state, void* bytes, std::size_t size);
void deserialize(const Instance& instance, const void* bytes, std::size_t size, void** state);

}  // namespace microslip::fmu
