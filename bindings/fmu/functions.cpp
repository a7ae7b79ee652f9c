/// The functions of FMI 2.0 for co-simulation.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bytes.hpp"
#include "fmi2.h"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"
#include "unit.hpp"

namespace microslip::fmu {

std::unique_ptr<Unit> read_unit(const std::string& resources) {
  const std::filesystem::path structure = resources + "/structure.json";
  if (std::filesystem::exists(structure)) return make_structure(io::read_file(structure));
  return make_joint(resources + "/model.json");
}

namespace {

/// Where an instance stands; masks of these say when a function may be called (section 4.2.4).
enum Phase : unsigned {
  instantiated = 1,
  initializing = 2,
  step_complete = 4,
  step_failed = 8,
  terminated = 16,
  failed = 32,
};
constexpr unsigned anywhere = 63;
constexpr unsigned settable = instantiated | initializing | step_complete;
constexpr unsigned readable = initializing | step_complete | step_failed | terminated | failed;

struct Component {
  std::string name;
  fmi2CallbackFunctions callbacks{};
  bool logging = false;

  Phase phase = instantiated;
  std::unique_ptr<Unit> unit;
  std::vector<double> values;  ///< of the parameters
  bool built = false;          ///< the unit has these values
  std::vector<double> inputs, slopes, outputs;
  bool has_slope = false;
  bool initialized = false;  ///< state and outputs belong to the inputs and the parameters
  double t = 0, stop = std::numeric_limits<double>::infinity();

  void log(fmi2Status status, const std::string& sentence) const {
    if (callbacks.logger)
      callbacks.logger(callbacks.componentEnvironment, name.c_str(), status,
                       status == fmi2Warning   ? "logStatusWarning"
                       : status == fmi2Discard ? "logStatusDiscard"
                                               : "logStatusError",
                       "%s", sentence.c_str());
  }

  const std::vector<Variable>& variables() const { return unit->contents().variables; }

  const Variable& find(fmi2ValueReference reference) const {
    for (const Variable& v : variables())
      if (v.reference == reference) return v;
    throw Error("there is no variable with the value reference " + std::to_string(reference));
  }

  void begin() {
    phase = instantiated;
    for (auto* list : {&values, &inputs, &outputs}) list->clear();
    for (const Variable& v : variables()) {
      std::vector<double>& list = v.role == Role::parameter ? values
                                  : v.role == Role::input   ? inputs
                                                            : outputs;
      list.resize(std::max(list.size(), v.index + 1), 0.0);
      list[v.index] = v.start;
    }
    slopes.assign(inputs.size(), 0.0);
    built = initialized = has_slope = false;
    t = 0;
    stop = std::numeric_limits<double>::infinity();
  }

  void set_parameter(const Variable& variable, double x) {
    if (!std::isfinite(x) && x != variable.start)
      throw Error(variable.name + " must be a finite number");
    if (std::isfinite(x) && !variable.bounds.contains(x))
      throw Error(unit->contents().prefix + variable.name + " = " + number_text(x) +
                  " must lie in " + variable.bounds.text());
    values[variable.index] = x;
    built = initialized = false;
  }

  void build() {
    if (!built) unit->build(values);
    built = true;
  }

  void initialize() {
    if (initialized) return;
    build();
    unit->initialize(t, inputs, outputs);
    initialized = true;
  }

  fmi2Status step(double from, double size) {
    const double scale = std::max({std::abs(t), std::abs(from), size});
    if (!std::isfinite(size) || !(size > 0))
      throw Error("the communication step size " + number_text(size) + " must be positive");
    if (!(std::abs(from - t) <= 1e-9 * scale))
      throw Error("the step begins at t = " + number_text(from) +
                  ", but the instance is at t = " + number_text(t));
    if (from + size > stop + 1e-9 * scale)
      throw Error("the step ends after the stop time " + number_text(stop));
    std::vector<double> to = inputs;
    for (std::size_t i = 0; i < to.size() && has_slope; ++i) to[i] += size * slopes[i];
    std::vector<double> answers = outputs;
    unit->step(from, size, to, answers);
    outputs = std::move(answers);
    inputs = std::move(to);
    has_slope = false;
    t = from + size;
    return fmi2OK;
  }
};

Component& of(fmi2Component c) { return *static_cast<Component*>(c); }

/// Checks that a call is allowed, and turns what goes wrong into a status and a message.
template <class Work>
fmi2Status call(fmi2Component c, const char* function, unsigned allowed, Work&& work) noexcept {
  if (!c) return fmi2Error;
  Component& self = of(c);
  try {
    if (!(self.phase & allowed)) {
      self.log(fmi2Error, std::string(function) + " is not allowed now");
      return fmi2Error;
    }
    if constexpr (std::is_void_v<decltype(work(self))>) {
      work(self);
      return fmi2OK;
    } else {
      return work(self);
    }
  } catch (const Discarded& stopped) {
    self.log(fmi2Discard, std::string(function) + ": " + stopped.sentence);
    return fmi2Discard;
  } catch (const std::exception& error) {
    self.log(fmi2Error, std::string(function) + ": " + error.what());
    return fmi2Error;
  } catch (...) {
    self.log(fmi2Error, std::string(function) + ": an unknown failure");
    return fmi2Error;
  }
}

template <class T>
void require(const T* list, std::size_t count, const char* name) {
  if (count > 0 && !list) throw Error(std::string(name) + " must not be NULL");
}

/// file:///path or file:/path, with %20 and its like.
std::string path_of(std::string uri) {
  if (!uri.starts_with("file:")) throw Error("the resource location '" + uri + "' is no file: URI");
  uri.erase(0, 5);
  if (uri.starts_with("//")) uri.erase(0, uri.find('/', 2));
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size()) {
      path += static_cast<char>(std::stoi(uri.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path;
}

// ------------------------------------------------------------------------------------------ states

constexpr std::string_view magic = "MSLIPFM2";

/// Everything but the name and the callbacks.
struct State {
  Phase phase;
  bool has_slope, initialized;
  double t, stop;
  std::vector<double> values, inputs, slopes, outputs;
  Memory memory;
};

State state_of(const Component& c) {
  return {
      c.phase,  c.has_slope, c.initialized, c.t,       c.stop,
      c.values, c.inputs,    c.slopes,      c.outputs, c.initialized ? c.unit->memory() : Memory{}};
}

void restore(Component& c, const State& state) {
  if (state.values != c.values) c.built = false;
  c.values = state.values;
  c.build();
  if (state.initialized) c.unit->restore(state.memory);
  c.phase = state.phase;
  c.has_slope = state.has_slope;
  c.initialized = state.initialized;
  c.t = state.t;
  c.stop = state.stop;
  c.inputs = state.inputs;
  c.slopes = state.slopes;
  c.outputs = state.outputs;
}

std::string bytes_of(const Component& c, const State& state) {
  std::string bytes(magic);
  bytes += c.unit->contents().guid;
  for (const double x : {double(state.phase), double(state.has_slope), double(state.initialized),
                         state.t, state.stop})
    put_number(bytes, x);
  for (const auto* list : {&state.values, &state.inputs, &state.slopes, &state.outputs})
    for (const double x : *list) put_number(bytes, x);
  return bytes + c.unit->bytes(state.memory);
}

State state_from(const Component& c, std::string_view bytes) {
  const std::string& guid = c.unit->contents().guid;
  if (!bytes.starts_with(std::string(magic) + guid))
    throw Error("these bytes are no state of this FMU");
  bytes.remove_prefix(magic.size() + guid.size());
  State state{static_cast<Phase>(static_cast<unsigned>(take_number(bytes))),
              false,
              false,
              0,
              0,
              c.values,
              c.inputs,
              c.slopes,
              c.outputs,
              {}};
  state.has_slope = take_number(bytes) != 0;
  state.initialized = take_number(bytes) != 0;
  state.t = take_number(bytes);
  state.stop = take_number(bytes);
  for (auto* list : {&state.values, &state.inputs, &state.slopes, &state.outputs})
    for (double& x : *list) x = take_number(bytes);
  state.memory.bytes = bytes;
  return state;
}

}  // namespace
}  // namespace microslip::fmu

using namespace microslip;
using namespace microslip::fmu;

// ------------------------------------------------------------------------------ life of an instance

const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count,
                               const fmi2String categories[]) {
  return call(c, "fmi2SetDebugLogging", anywhere, [&](Component& self) {
    fmu::require(categories, count, "categories");
    self.logging = on != 0;
  });
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean,
                              fmi2Boolean logging) {
  auto made = std::unique_ptr<Component>(new (std::nothrow) Component);
  if (!made) return nullptr;
  try {
    if (callbacks) made->callbacks = *callbacks;
    made->logging = logging != 0;
    made->name = name ? name : "";
    if (made->name.empty()) throw Error("an instance needs a name");
    if (type != fmi2CoSimulation) throw Error("this FMU is for co-simulation");
    if (!resources) throw Error("the location of the resources is not given");
    made->unit = read_unit(path_of(resources));
    const std::string& own = made->unit->contents().guid;
    if (!guid || own != guid) throw Error("the GUID is " + own + ", not " + (guid ? guid : "NULL"));
    made->begin();
    return made.release();
  } catch (const std::exception& error) {
    made->log(fmi2Error, std::string("fmi2Instantiate: ") + error.what());
  } catch (const Discarded& error) {
    made->log(fmi2Error, "fmi2Instantiate: " + error.sentence);
  } catch (...) {
    made->log(fmi2Error, "fmi2Instantiate: an unknown failure");
  }
  return nullptr;
}

void fmi2FreeInstance(fmi2Component c) { delete static_cast<Component*>(c); }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start,
                               fmi2Boolean stop_defined, fmi2Real stop) {
  return call(c, "fmi2SetupExperiment", instantiated, [&](Component& self) {
    if (!std::isfinite(start)) throw Error("the start time must be a finite number");
    if (stop_defined && !(stop >= start)) throw Error("the stop time lies before the start time");
    self.t = start;
    self.stop = stop_defined ? stop : std::numeric_limits<double>::infinity();
  });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return call(c, "fmi2EnterInitializationMode", instantiated, [](Component& self) {
    self.build();
    self.phase = initializing;
  });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return call(c, "fmi2ExitInitializationMode", initializing, [](Component& self) {
    self.initialize();
    self.phase = step_complete;
  });
}

fmi2Status fmi2Terminate(fmi2Component c) {
  return call(c, "fmi2Terminate", step_complete | step_failed,
              [](Component& self) { self.phase = terminated; });
}

fmi2Status fmi2Reset(fmi2Component c) {
  return call(c, "fmi2Reset", anywhere, [](Component& self) { self.begin(); });
}

// --------------------------------------------------------------------------------------- variables

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], size_t count,
                       fmi2Real values[]) {
  return call(c, "fmi2GetReal", readable, [&](Component& self) {
    fmu::require(references, count, "vr");
    fmu::require(values, count, "value");
    for (size_t i = 0; i < count; ++i) {
      const Variable& v = self.find(references[i]);
      if (v.role == Role::output && self.phase == initializing) self.initialize();
      const auto& list = v.role == Role::input       ? self.inputs
                         : v.role == Role::parameter ? self.values
                                                     : self.outputs;
      values[i] = list[v.index];
    }
  });
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], size_t count,
                       const fmi2Real values[]) {
  return call(c, "fmi2SetReal", settable, [&](Component& self) {
    fmu::require(references, count, "vr");
    fmu::require(values, count, "value");
    for (size_t i = 0; i < count; ++i) {
      const Variable& v = self.find(references[i]);
      if (v.role == Role::output) throw Error(v.name + " is an output and cannot be set");
      if (v.role == Role::parameter) {
        if (self.phase == step_complete)
          throw Error(v.name + " is a fixed parameter: it is set before the end of initialization");
        self.set_parameter(v, values[i]);
      } else {
        if (!std::isfinite(values[i])) throw Error(v.name + " must be a finite number");
        self.inputs[v.index] = values[i];
        if (self.phase != step_complete) self.initialized = false;
      }
    }
  });
}

namespace {
/// There are no variables of other types, so only lists of none are in order.
fmi2Status none(fmi2Component c, const char* function, unsigned allowed, size_t count) {
  return call(c, function, allowed, [&](Component&) {
    if (count > 0) throw Error("this FMU has real variables only");
  });
}
}  // namespace

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference[], size_t count,
                          fmi2Integer[]) {
  return none(c, "fmi2GetInteger", readable, count);
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference[], size_t count,
                          fmi2Boolean[]) {
  return none(c, "fmi2GetBoolean", readable, count);
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], size_t count, fmi2String[]) {
  return none(c, "fmi2GetString", readable, count);
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference[], size_t count,
                          const fmi2Integer[]) {
  return none(c, "fmi2SetInteger", settable, count);
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference[], size_t count,
                          const fmi2Boolean[]) {
  return none(c, "fmi2SetBoolean", settable, count);
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], size_t count,
                         const fmi2String[]) {
  return none(c, "fmi2SetString", settable, count);
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[],
                                        size_t unknown_count, const fmi2ValueReference knowns[],
                                        size_t known_count, const fmi2Real known_changes[],
                                        fmi2Real unknown_changes[]) {
  return call(c, "fmi2GetDirectionalDerivative", readable, [&](Component& self) {
    fmu::require(unknowns, unknown_count, "vUnknown_ref");
    fmu::require(knowns, known_count, "vKnown_ref");
    fmu::require(known_changes, known_count, "dvKnown");
    fmu::require(unknown_changes, unknown_count, "dvUnknown");
    if (self.phase == initializing) self.initialize();
    for (size_t i = 0; i < unknown_count; ++i) {
      unknown_changes[i] = 0;
      for (size_t k = 0; k < known_count; ++k)
        unknown_changes[i] +=
            self.unit->derivative(self.find(unknowns[i]), self.find(knowns[k]), self.outputs) *
            known_changes[k];
    }
  });
}

// ------------------------------------------------------------------------------------------ states

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return call(c, "fmi2GetFMUstate", anywhere, [&](Component& self) {
    fmu::require(state, 1, "FMUstate");
    State now = state_of(self);
    if (*state)
      *static_cast<State*>(*state) = std::move(now);
    else
      *state = new State(std::move(now));
  });
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return call(c, "fmi2SetFMUstate", anywhere, [&](Component& self) {
    fmu::require(static_cast<State*>(state), 1, "FMUstate");
    restore(self, *static_cast<State*>(state));
  });
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return call(c, "fmi2FreeFMUstate", anywhere, [&](Component&) {
    if (!state) return;
    delete static_cast<State*>(*state);
    *state = nullptr;
  });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
  return call(c, "fmi2SerializedFMUstateSize", anywhere, [&](Component& self) {
    fmu::require(static_cast<State*>(state), 1, "FMUstate");
    fmu::require(size, 1, "size");
    *size = bytes_of(self, *static_cast<State*>(state)).size();
  });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                 size_t size) {
  return call(c, "fmi2SerializeFMUstate", anywhere, [&](Component& self) {
    fmu::require(static_cast<State*>(state), 1, "FMUstate");
    const std::string all = bytes_of(self, *static_cast<State*>(state));
    fmu::require(bytes, all.size(), "serializedState");
    if (size < all.size())
      throw Error("the state takes " + std::to_string(all.size()) + " bytes; there is room for " +
                  std::to_string(size));
    std::memcpy(bytes, all.data(), all.size());
  });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate* state) {
  return call(c, "fmi2DeSerializeFMUstate", anywhere, [&](Component& self) {
    fmu::require(bytes, size, "serializedState");
    fmu::require(state, 1, "FMUstate");
    State read = state_from(self, {bytes, size});
    if (*state)
      *static_cast<State*>(*state) = std::move(read);
    else
      *state = new State(std::move(read));
  });
}

// ------------------------------------------------------------------------------------------- steps

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference references[],
                                       size_t count, const fmi2Integer order[],
                                       const fmi2Real values[]) {
  return call(c, "fmi2SetRealInputDerivatives", settable, [&](Component& self) {
    fmu::require(references, count, "vr");
    fmu::require(order, count, "order");
    fmu::require(values, count, "value");
    if (count > 0 && !self.unit->contents().interpolates)
      throw Error("inputs are held during a step (canInterpolateInputs = false)");
    for (size_t i = 0; i < count; ++i) {
      const Variable& v = self.find(references[i]);
      if (v.role != Role::input) throw Error(v.name + " is no input");
      if (order[i] != 1) throw Error("inputs have a first derivative, not a higher one");
      if (!std::isfinite(values[i])) throw Error("a derivative must be a finite number");
    }
    for (size_t i = 0; i < count; ++i) self.slopes[self.find(references[i]).index] = values[i];
    self.has_slope = count > 0;
  });
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t count,
                                        const fmi2Integer[], fmi2Real[]) {
  return call(c, "fmi2GetRealOutputDerivatives", step_complete | step_failed | terminated | failed,
              [&](Component&) {
                if (count > 0)
                  throw Error("outputs have no derivatives (maxOutputDerivativeOrder = 0)");
              });
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real size, fmi2Boolean) {
  const fmi2Status status =
      call(c, "fmi2DoStep", step_complete, [&](Component& self) { return self.step(t, size); });
  // The instance stays where it was; an earlier state or a reset leads on.
  if (status == fmi2Discard) of(c).phase = step_failed;
  return status;
}

fmi2Status fmi2CancelStep(fmi2Component c) {
  return call(c, "fmi2CancelStep", 0, [](Component&) {});  // no step is ever in progress
}

namespace {
constexpr unsigned has_status = step_complete | step_failed | terminated;
fmi2Status no_status(fmi2Component c, const char* function) {
  return call(c, function, has_status, [](Component&) { return fmi2Discard; });
}
}  // namespace

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind, fmi2Status*) {
  return no_status(c, "fmi2GetStatus");  // of steps that run in the background
}
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value) {
  return call(c, "fmi2GetRealStatus", has_status, [&](Component& self) {
    fmu::require(value, 1, "value");
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = self.t;
    return fmi2OK;
  });
}
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind, fmi2Integer*) {
  return no_status(c, "fmi2GetIntegerStatus");
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean* value) {
  return call(c, "fmi2GetBooleanStatus", has_status, [&](Component&) {
    fmu::require(value, 1, "value");
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = 0;
    return fmi2OK;
  });
}
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind, fmi2String*) {
  return no_status(c, "fmi2GetStringStatus");
}
