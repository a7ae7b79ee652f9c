/// A joint behind FMI 2.0 for co-simulation. Everything about the law goes through the C interface.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../c/handles.hpp"
#include "fmi2.h"
#include "microslip/core/text.hpp"
#include "variables.hpp"

namespace microslip::fmu {
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

struct Destroy {
  void operator()(microslip_model* model) const { microslip_destroy(model); }
  void operator()(microslip_state* state) const { microslip_state_destroy(state); }
};
template <class Handle>
using Owned = std::unique_ptr<Handle, Destroy>;

/// A refusal of the C interface as an Error; a law that stops as a step that is discarded.
struct Discarded {
  std::string sentence;
};
void check(int code, const microslip_error& error) {
  if (code == MICROSLIP_OK) return;
  if (code == MICROSLIP_STOPPED) throw Discarded{error.sentence};
  throw Error(error.sentence);
}

struct Component {
  std::string name, guid;
  fmi2CallbackFunctions callbacks{};
  bool logging = false;

  Phase phase = instantiated;
  std::vector<Variable> variables;
  Owned<microslip_model> exported;  ///< as it lies in the resources
  Owned<microslip_model> model;     ///< with the parameters of this instance
  Owned<microslip_state> state;
  std::vector<double> values;  ///< of the parameters
  bool values_changed = false;
  bool planar = false, timed = false;

  double u[2] = {0, 0}, slope[2] = {0, 0};
  bool has_slope = false;
  double out[5] = {};
  bool initialized = false;  ///< state and outputs belong to u and the parameters
  double t = 0, stop = std::numeric_limits<double>::infinity();

  void log(fmi2Status status, const std::string& sentence) const {
    if (callbacks.logger)
      callbacks.logger(callbacks.componentEnvironment, name.c_str(), status,
                       status == fmi2Warning   ? "logStatusWarning"
                       : status == fmi2Discard ? "logStatusDiscard"
                                               : "logStatusError",
                       "%s", sentence.c_str());
  }

  const Variable& find(fmi2ValueReference reference) const {
    for (const Variable& v : variables)
      if (v.reference == reference) return v;
    throw Error("there is no variable with the value reference " + std::to_string(reference));
  }

  void begin() {
    phase = instantiated;
    values.clear();
    for (const Variable& v : variables)
      if (v.role == Role::parameter) values.push_back(v.start);
    values_changed = true;
    initialized = false;
    u[0] = u[1] = slope[0] = slope[1] = t = 0;
    has_slope = false;
    stop = std::numeric_limits<double>::infinity();
    std::fill(std::begin(out), std::end(out), 0.0);
  }

  void set_parameter(const Variable& variable, double x) {
    if (!std::isfinite(x) && x != variable.start)
      throw Error(variable.name + " must be a finite number");
    if (std::isfinite(x) && !variable.bounds.contains(x))
      throw Error(exported->name() + "." + variable.name + " = " + number_text(x) +
                  " must lie in " + variable.bounds.text());
    values[variable.reference - first_parameter] = x;
    values_changed = true;
    initialized = false;
  }

  /// The law with the values of this instance.
  void build() {
    if (!values_changed && model) return;
    ParameterValues all = exported->law.parameters();
    for (const Variable& v : variables) {
      if (v.role != Role::parameter) continue;
      const double x = values[v.reference - first_parameter];
      if (v.one_of_a_list)
        std::get<std::vector<double>>(all[v.parameter])[v.element] = x;
      else
        all[v.parameter] = x;
    }
    model.reset(new microslip_model{exported->law.with(all),
                                    std::make_shared<const std::string>(exported->name())});
    values_changed = false;
  }

  void move(double dt, const double to[2], microslip_state& end, double answers[5]) {
    microslip_error error;
    if (planar) {
      microslip_planar_response r;
      check(microslip_step_planar(model.get(), state.get(), to[0], to[1], &end, &r, &error), error);
      answers[0] = r.force[0];
      answers[1] = r.force[1];
      answers[2] = 0;
    } else {
      microslip_response r;
      check(microslip_step(model.get(), state.get(), to[0], dt, &end, &r, &error), error);
      answers[0] = r.force;
      answers[1] = 0;
      answers[2] = r.tangent;
    }
    answers[3] = microslip_state_energy(&end);
    check(microslip_stored(model.get(), &end, &answers[4], &error), error);
  }

  Owned<microslip_state> rest() const {
    microslip_error error;
    microslip_state* made = nullptr;
    check(microslip_rest(model.get(), &made, &error), error);
    return Owned<microslip_state>(made);
  }

  /// From rest, infinitely slowly, to the displacement of the first communication point.
  void initialize() {
    if (initialized) return;
    build();
    state = rest();
    Owned<microslip_state> end = rest();
    move(std::numeric_limits<double>::infinity(), u, *end, out);
    state = std::move(end);
    initialized = true;
  }

  fmi2Status step(double from, double size) {
    const double scale = std::max({std::abs(t), std::abs(from), size});
    if (!std::isfinite(size) || !(size > 0))
      throw Error("the communication step size " + number_text(size) + " must be positive");
    if (!(std::abs(from - t) <= 1e-9 * scale))
      throw Error("the step begins at t = " + number_text(from) +
                  ", but the joint is at t = " + number_text(t));
    if (from + size > stop + 1e-9 * scale)
      throw Error("the step ends after the stop time " + number_text(stop));
    double to[2];
    for (int i = 0; i < 2; ++i) to[i] = has_slope ? u[i] + size * slope[i] : u[i];
    Owned<microslip_state> end = rest();
    double answers[5];
    move(timed ? size : std::numeric_limits<double>::infinity(), to, *end, answers);
    state = std::move(end);
    std::copy(std::begin(answers), std::end(answers), std::begin(out));
    if (has_slope) std::copy(std::begin(to), std::end(to), std::begin(u));
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

// ------------------------------------------------------------------------- states as bytes

constexpr std::string_view magic = "MSLIPFM1";

void put(std::string& bytes, double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(bits >> (8 * i)));
}

double get(std::string_view& bytes) {
  if (bytes.size() < 8) throw Error("these bytes are no state of this FMU");
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i)
    bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  bytes.remove_prefix(8);
  return std::bit_cast<double>(bits);
}

/// Everything but the name and the callbacks.
std::string snapshot(Component& c) {
  std::string bytes(magic);
  bytes += c.guid;
  for (const double x : {double(c.phase), double(c.has_slope), double(c.initialized), c.t, c.stop,
                         c.u[0], c.u[1], c.slope[0], c.slope[1]})
    put(bytes, x);
  for (const double x : c.out) put(bytes, x);
  for (const double x : c.values) put(bytes, x);
  if (c.initialized) {
    microslip_error error;
    std::size_t size = 0;
    check(microslip_state_save(c.model.get(), c.state.get(), nullptr, 0, &size, &error), error);
    const std::size_t begin = bytes.size();
    bytes.resize(begin + size);
    check(microslip_state_save(c.model.get(), c.state.get(), bytes.data() + begin, size, &size,
                               &error),
          error);
  }
  return bytes;
}

void check_snapshot(const Component& c, std::string_view bytes) {
  if (!bytes.starts_with(std::string(magic) + c.guid))
    throw Error("these bytes are no state of this FMU");
}

void restore(Component& c, std::string_view bytes) {
  check_snapshot(c, bytes);
  bytes.remove_prefix(magic.size() + c.guid.size());
  const auto phase = static_cast<Phase>(static_cast<unsigned>(get(bytes)));
  const bool has_slope = get(bytes) != 0, initialized = get(bytes) != 0;
  double numbers[6 + 5];
  for (double& x : numbers) x = get(bytes);
  std::vector<double> values(c.values.size());
  for (double& x : values) x = get(bytes);
  if (values != c.values) {
    c.values = values;
    c.values_changed = true;
  }
  c.build();
  if (initialized) {
    microslip_error error;
    microslip_state* made = nullptr;
    check(microslip_state_load(c.model.get(), bytes.data(), bytes.size(), &made, &error), error);
    c.state.reset(made);
  }
  c.phase = phase;
  c.has_slope = has_slope;
  c.initialized = initialized;
  c.t = numbers[0];
  c.stop = numbers[1];
  std::copy_n(numbers + 2, 2, c.u);
  std::copy_n(numbers + 4, 2, c.slope);
  std::copy_n(numbers + 6, 5, c.out);
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
    microslip_error error;
    microslip_model* model = nullptr;
    check(microslip_create_from_file((path_of(resources) + "/model.json").c_str(), nullptr, &model,
                                     &error),
          error);
    made->exported.reset(model);
    made->guid = guid_of(model->law);
    if (!guid || made->guid != guid)
      throw Error("the GUID is " + made->guid + ", not " + (guid ? guid : "NULL"));
    made->variables = variables_of(model->law);
    made->planar = microslip_family(model) == MICROSLIP_PLANAR;
    made->timed = microslip_family(model) == MICROSLIP_RATE_DEPENDENT;
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
      if (v.role == Role::input) values[i] = self.u[v.reference];
      if (v.role == Role::parameter) values[i] = self.values[v.reference - first_parameter];
      if (v.role != Role::output) continue;
      if (self.phase == initializing) self.initialize();
      values[i] = self.out[v.reference - fmu::force];
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
        self.u[v.reference] = values[i];
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
      if (self.planar || self.find(unknowns[i]).reference != fmu::force)
        throw Error("the derivative of f with respect to u is the only one there is");
      unknown_changes[i] = 0;
      for (size_t k = 0; k < known_count; ++k) {
        if (self.find(knowns[k]).role != Role::input)
          throw Error("the derivative of f with respect to u is the only one there is");
        unknown_changes[i] += self.out[fmu::tangent - fmu::force] * known_changes[k];
      }
    }
  });
}

// ------------------------------------------------------------------------------------------ states

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return call(c, "fmi2GetFMUstate", anywhere, [&](Component& self) {
    fmu::require(state, 1, "FMUstate");
    std::string bytes = snapshot(self);
    if (*state)
      *static_cast<std::string*>(*state) = std::move(bytes);
    else
      *state = new std::string(std::move(bytes));
  });
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return call(c, "fmi2SetFMUstate", anywhere, [&](Component& self) {
    fmu::require(static_cast<std::string*>(state), 1, "FMUstate");
    restore(self, *static_cast<std::string*>(state));
  });
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return call(c, "fmi2FreeFMUstate", anywhere, [&](Component&) {
    if (!state) return;
    delete static_cast<std::string*>(*state);
    *state = nullptr;
  });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
  return call(c, "fmi2SerializedFMUstateSize", anywhere, [&](Component&) {
    fmu::require(static_cast<std::string*>(state), 1, "FMUstate");
    fmu::require(size, 1, "size");
    *size = static_cast<std::string*>(state)->size();
  });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                 size_t size) {
  return call(c, "fmi2SerializeFMUstate", anywhere, [&](Component&) {
    fmu::require(static_cast<std::string*>(state), 1, "FMUstate");
    const std::string& all = *static_cast<std::string*>(state);
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
    check_snapshot(self, {bytes, size});
    if (*state)
      static_cast<std::string*>(*state)->assign(bytes, size);
    else
      *state = new std::string(bytes, size);
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
    for (size_t i = 0; i < count; ++i) {
      const Variable& v = self.find(references[i]);
      if (v.role != Role::input) throw Error(v.name + " is no input");
      if (order[i] != 1) throw Error("inputs have a first derivative, not a higher one");
      if (!std::isfinite(values[i])) throw Error("a derivative must be a finite number");
    }
    for (size_t i = 0; i < count; ++i) self.slope[references[i]] = values[i];
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
  // The joint stays where it was; an earlier state or a reset leads on.
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
