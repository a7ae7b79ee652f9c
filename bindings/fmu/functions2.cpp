/// The functions of FMI 2.0 for co-simulation.

#include <cmath>
#include <memory>
#include <string>

#include "fmi2.h"
#include "instance.hpp"

namespace microslip::fmu {
namespace {

struct Component final : Instance {
  std::string name;
  fmi2CallbackFunctions callbacks{};
  bool logging = false;

  void log(int status, const std::string& sentence) const override {
    if (callbacks.logger)
      callbacks.logger(
          callbacks.componentEnvironment, name.c_str(), static_cast<fmi2Status>(status),
          status == fmi2Discard ? "logStatusDiscard" : "logStatusError", "%s", sentence.c_str());
  }
};

Component& of(fmi2Component c) { return *static_cast<Component*>(c); }

template <class Work>
fmi2Status call(fmi2Component c, const char* function, unsigned allowed, Work&& work) noexcept {
  return guarded<fmi2Status>(static_cast<Component*>(c), function, allowed,
                             [&] { return work(of(c)); });
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
  return call(c, "fmi2SetupExperiment", instantiated,
              [&](Component& self) { self.set_times(start, stop_defined != 0, stop); });
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
    for (size_t i = 0; i < count; ++i) values[i] = self.get(self.real(references[i]));
  });
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], size_t count,
                       const fmi2Real values[]) {
  return call(c, "fmi2SetReal", settable, [&](Component& self) {
    fmu::require(references, count, "vr");
    fmu::require(values, count, "value");
    for (size_t i = 0; i < count; ++i) self.set(self.real(references[i]), values[i]);
  });
}

namespace {
/// There are no variables of other types, so only lists of none are in order.
fmi2Status none(fmi2Component c, const char* function, unsigned allowed, size_t count) {
  return call(c, function, allowed, [&](Component&) {
    if (count > 0) throw Error("this FMU has real and Boolean variables only");
  });
}
}  // namespace

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference[], size_t count,
                          fmi2Integer[]) {
  return none(c, "fmi2GetInteger", readable, count);
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference references[], size_t count,
                          fmi2Boolean values[]) {
  return call(c, "fmi2GetBoolean", readable, [&](Component& self) {
    fmu::require(references, count, "vr");
    fmu::require(values, count, "value");
    for (size_t i = 0; i < count; ++i) values[i] = self.get(self.boolean(references[i])) != 0;
  });
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], size_t count, fmi2String[]) {
  return none(c, "fmi2GetString", readable, count);
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference[], size_t count,
                          const fmi2Integer[]) {
  return none(c, "fmi2SetInteger", settable, count);
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference references[], size_t count,
                          const fmi2Boolean values[]) {
  return call(c, "fmi2SetBoolean", settable, [&](Component& self) {
    fmu::require(references, count, "vr");
    fmu::require(values, count, "value");
    for (size_t i = 0; i < count; ++i) self.set(self.boolean(references[i]), values[i] != 0);
  });
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
    self.derivative(unknowns, unknown_count, knowns, known_count, known_changes, unknown_changes);
  });
}

// ------------------------------------------------------------------------------------------ states

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return call(c, "fmi2GetFMUstate", anywhere, [&](Component& self) { get_state(self, state); });
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return call(c, "fmi2SetFMUstate", anywhere, [&](Component& self) { set_state(self, state); });
}
fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return call(c, "fmi2FreeFMUstate", anywhere, [&](Component&) { free_state(state); });
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
  return call(c, "fmi2SerializedFMUstateSize", anywhere, [&](Component& self) {
    fmu::require(size, 1, "size");
    *size = serialized_size(self, state);
  });
}
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                 size_t size) {
  return call(c, "fmi2SerializeFMUstate", anywhere,
              [&](Component& self) { serialize(self, state, bytes, size); });
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate* state) {
  return call(c, "fmi2DeSerializeFMUstate", anywhere,
              [&](Component& self) { deserialize(self, bytes, size, state); });
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
      call(c, "fmi2DoStep", step_complete, [&](Component& self) { self.step(t, size); });
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
