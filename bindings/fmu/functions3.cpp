/// The functions of FMI 3.0. The FMU is for co-simulation without events, clocks, arrays or
/// structural parameters; what belongs to those is there and refuses with a sentence.

#include <memory>
#include <string>

#include "fmi3.h"
#include "instance.hpp"

namespace microslip::fmu {
namespace {

struct Component final : Instance {
  fmi3InstanceEnvironment environment = nullptr;
  fmi3LogMessageCallback logger = nullptr;
  bool logging = false;

  void log(int status, const std::string& sentence) const override {
    if (logger)
      logger(environment, static_cast<fmi3Status>(status),
             status == fmi3Discard ? "logStatusDiscard" : "logStatusError", sentence.c_str());
  }
};

Component& of(fmi3Instance c) { return *static_cast<Component*>(c); }

template <class Work>
fmi3Status call(fmi3Instance c, const char* function, unsigned allowed, Work&& work) noexcept {
  return guarded<fmi3Status>(static_cast<Component*>(c), function, allowed,
                             [&] { return work(of(c)); });
}

/// A function of something that this FMU does not have.
fmi3Status refuse(fmi3Instance c, const char* function, const char* sentence) noexcept {
  return call(c, function, anywhere, [&](Component&) { throw Error(sentence); });
}

constexpr const char* no_exchange = "this FMU is for co-simulation, not for model exchange";
constexpr const char* no_schedule = "this FMU is for co-simulation, not for scheduled execution";
constexpr const char* no_event = "this FMU has no Event Mode (hasEventMode = false)";
constexpr const char* no_configuration = "this FMU has no structural parameters";

/// Lists of none are in order where there are no variables of a kind.
fmi3Status none(fmi3Instance c, const char* function, unsigned allowed, size_t count,
                const char* sentence) noexcept {
  return call(c, function, allowed, [&](Component&) {
    if (count > 0) throw Error(sentence);
  });
}

constexpr const char* no_type = "this FMU has variables of type Float64 and Boolean only";
constexpr const char* no_clock = "this FMU has no clocks";

void check_values(size_t references, size_t values) {
  if (references != values)
    throw Error("all variables are scalar: for " + std::to_string(references) +
                " value references there must be as many values, not " + std::to_string(values));
}

/// A master that cannot be served gets no instance, and its logger the reason.
fmi3Instance instantiate(fmi3String name, fmi3String token, fmi3String resources, bool logging,
                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger,
                         const char* function, const char* refusal) noexcept {
  auto made = std::unique_ptr<Component>(new (std::nothrow) Component);
  if (!made) return nullptr;
  made->environment = environment;
  made->logger = logger;
  made->logging = logging;
  const auto work = [&] {
    if (refusal) throw Error(refusal);
    if (!name || !*name) throw Error("an instance needs a name");
    if (!resources) throw Error("the path of the resources is not given");
    std::string folder = resources;
    while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
    made->unit = read_unit(folder);
    const std::string& own = made->contents().guid;
    if (!token || own != token)
      throw Error("the instantiation token is " + own + ", not " + (token ? token : "NULL"));
    made->begin();
  };
  const int status = guarded<fmi3Status>(made.get(), function, anywhere, work);
  return status == fmi3OK ? made.release() : nullptr;
}

}  // namespace
}  // namespace microslip::fmu

using namespace microslip;
using namespace microslip::fmu;

// ------------------------------------------------------------------------------ life of an instance

const char* fmi3GetVersion(void) { return "3.0"; }

fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t count,
                               const fmi3String categories[]) {
  return call(c, "fmi3SetDebugLogging", anywhere, [&](Component& self) {
    fmu::require(categories, count, "categories");
    self.logging = on;
  });
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean, fmi3Boolean logging,
                                         fmi3Boolean event_mode_used, fmi3Boolean,
                                         const fmi3ValueReference[], size_t intermediate,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback logger,
                                         fmi3IntermediateUpdateCallback) {
  return instantiate(name, token, resources, logging, environment, logger,
                     "fmi3InstantiateCoSimulation",
                     event_mode_used    ? no_event
                     : intermediate > 0 ? "there is no access to variables inside a step "
                                          "(providesIntermediateUpdate = false)"
                                        : nullptr);
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback logger) {
  return instantiate(name, token, resources, logging, environment, logger,
                     "fmi3InstantiateModelExchange", no_exchange);
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger, fmi3ClockUpdateCallback,
    fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback) {
  return instantiate(name, token, resources, logging, environment, logger,
                     "fmi3InstantiateScheduledExecution", no_schedule);
}

void fmi3FreeInstance(fmi3Instance c) { delete static_cast<Component*>(c); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean, fmi3Float64, fmi3Float64 start,
                                       fmi3Boolean stop_defined, fmi3Float64 stop) {
  return call(c, "fmi3EnterInitializationMode", instantiated, [&](Component& self) {
    self.set_times(start, stop_defined, stop);
    self.build();
    self.phase = initializing;
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
  return call(c, "fmi3ExitInitializationMode", initializing, [](Component& self) {
    self.initialize();
    self.phase = step_complete;
  });
}

fmi3Status fmi3Terminate(fmi3Instance c) {
  return call(c, "fmi3Terminate", step_complete, [](Component& self) { self.phase = terminated; });
}

fmi3Status fmi3Reset(fmi3Instance c) {
  return call(c, "fmi3Reset", anywhere, [](Component& self) { self.begin(); });
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) {
  return refuse(c, "fmi3EnterConfigurationMode", no_configuration);
}
fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) {
  return refuse(c, "fmi3ExitConfigurationMode", no_configuration);
}

// --------------------------------------------------------------------------------------- variables

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                          fmi3Float64 values[], size_t value_count) {
  return call(c, "fmi3GetFloat64", readable, [&](Component& self) {
    fmu::require(references, count, "valueReferences");
    fmu::require(values, count, "values");
    check_values(count, value_count);
    for (size_t i = 0; i < count; ++i)
      values[i] = references[i] == time_reference ? self.t : self.get(self.real(references[i]));
  });
}

fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                          const fmi3Float64 values[], size_t value_count) {
  return call(c, "fmi3SetFloat64", settable, [&](Component& self) {
    fmu::require(references, count, "valueReferences");
    fmu::require(values, count, "values");
    check_values(count, value_count);
    for (size_t i = 0; i < count; ++i) {
      if (references[i] == time_reference)
        throw Error("time is the independent variable: it goes on with fmi3DoStep");
      self.set(self.real(references[i]), values[i]);
    }
  });
}

#define MICROSLIP_NONE(T)                                                                          \
  fmi3Status fmi3Get##T(fmi3Instance c, const fmi3ValueReference[], size_t count, fmi3##T[],       \
                        size_t) {                                                                  \
    return none(c, "fmi3Get" #T, readable, count, no_type);                                        \
  }                                                                                                \
  fmi3Status fmi3Set##T(fmi3Instance c, const fmi3ValueReference[], size_t count, const fmi3##T[], \
                        size_t) {                                                                  \
    return none(c, "fmi3Set" #T, settable, count, no_type);                                        \
  }
MICROSLIP_NONE(Float32)
MICROSLIP_NONE(Int8)
MICROSLIP_NONE(UInt8)
MICROSLIP_NONE(Int16)
MICROSLIP_NONE(UInt16)
MICROSLIP_NONE(Int32)
MICROSLIP_NONE(UInt32)
MICROSLIP_NONE(Int64)
MICROSLIP_NONE(UInt64)
MICROSLIP_NONE(String)
#undef MICROSLIP_NONE

fmi3Status fmi3GetBoolean(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                          fmi3Boolean values[], size_t value_count) {
  return call(c, "fmi3GetBoolean", readable, [&](Component& self) {
    fmu::require(references, count, "valueReferences");
    fmu::require(values, count, "values");
    check_values(count, value_count);
    for (size_t i = 0; i < count; ++i) values[i] = self.get(self.boolean(references[i])) != 0;
  });
}
fmi3Status fmi3SetBoolean(fmi3Instance c, const fmi3ValueReference references[], size_t count,
                          const fmi3Boolean values[], size_t value_count) {
  return call(c, "fmi3SetBoolean", settable, [&](Component& self) {
    fmu::require(references, count, "valueReferences");
    fmu::require(values, count, "values");
    check_values(count, value_count);
    for (size_t i = 0; i < count; ++i) self.set(self.boolean(references[i]), values[i]);
  });
}

fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference[], size_t count, size_t[],
                         fmi3Binary[], size_t) {
  return none(c, "fmi3GetBinary", readable, count, no_type);
}
fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference[], size_t count, const size_t[],
                         const fmi3Binary[], size_t) {
  return none(c, "fmi3SetBinary", settable, count, no_type);
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference, size_t*) {
  return refuse(c, "fmi3GetNumberOfVariableDependencies",
                "dependencies are those of the model description "
                "(providesPerElementDependencies = false)");
}
fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference, size_t[],
                                       fmi3ValueReference[], size_t[], fmi3DependencyKind[],
                                       size_t) {
  return refuse(c, "fmi3GetVariableDependencies",
                "dependencies are those of the model description "
                "(providesPerElementDependencies = false)");
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknowns[],
                                        size_t unknown_count, const fmi3ValueReference knowns[],
                                        size_t known_count, const fmi3Float64 seed[],
                                        size_t seed_count, fmi3Float64 sensitivity[],
                                        size_t sensitivity_count) {
  return call(c, "fmi3GetDirectionalDerivative", readable, [&](Component& self) {
    fmu::require(unknowns, unknown_count, "unknowns");
    fmu::require(knowns, known_count, "knowns");
    fmu::require(seed, known_count, "seed");
    fmu::require(sensitivity, unknown_count, "sensitivity");
    check_values(known_count, seed_count);
    check_values(unknown_count, sensitivity_count);
    self.derivative(unknowns, unknown_count, knowns, known_count, seed, sensitivity);
  });
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference[], size_t,
                                    const fmi3ValueReference[], size_t, const fmi3Float64[], size_t,
                                    fmi3Float64[], size_t) {
  return refuse(c, "fmi3GetAdjointDerivative",
                "there are no adjoint derivatives (providesAdjointDerivatives = false)");
}

// ------------------------------------------------------------------------------------------ states

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState* state) {
  return call(c, "fmi3GetFMUState", anywhere, [&](Component& self) { get_state(self, state); });
}
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
  return call(c, "fmi3SetFMUState", anywhere, [&](Component& self) { set_state(self, state); });
}
fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState* state) {
  return call(c, "fmi3FreeFMUState", anywhere, [&](Component&) { free_state(state); });
}
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t* size) {
  return call(c, "fmi3SerializedFMUStateSize", anywhere, [&](Component& self) {
    fmu::require(size, 1, "size");
    *size = serialized_size(self, state);
  });
}
fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[],
                                 size_t size) {
  return call(c, "fmi3SerializeFMUState", anywhere,
              [&](Component& self) { serialize(self, state, bytes, size); });
}
fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState* state) {
  return call(c, "fmi3DeserializeFMUState", anywhere,
              [&](Component& self) { deserialize(self, bytes, size, state); });
}

// ------------------------------------------------------------------------------------------- steps

/// A step without an answer leaves the instance where it was: the master may try another size or
/// other inputs, or go back to an earlier state.
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 size, fmi3Boolean,
                      fmi3Boolean* event_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                      fmi3Float64* last_successful_time) {
  const fmi3Status status = call(c, "fmi3DoStep", step_complete, [&](Component& self) {
    fmu::require(event_needed, 1, "eventHandlingNeeded");
    fmu::require(terminate, 1, "terminateSimulation");
    fmu::require(early_return, 1, "earlyReturn");
    fmu::require(last_successful_time, 1, "lastSuccessfulTime");
    self.step(t, size);
  });
  for (fmi3Boolean* flag : {event_needed, terminate, early_return})
    if (flag) *flag = false;
  if (c && last_successful_time) *last_successful_time = of(c).t;
  return status;
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference[], size_t count,
                                    const fmi3Int32[], fmi3Float64[], size_t) {
  return none(c, "fmi3GetOutputDerivatives", step_complete | terminated | failed, count,
              "outputs have no derivatives (maxOutputDerivativeOrder = 0)");
}

fmi3Status fmi3EnterStepMode(fmi3Instance c) { return refuse(c, "fmi3EnterStepMode", no_event); }
fmi3Status fmi3EnterEventMode(fmi3Instance c) { return refuse(c, "fmi3EnterEventMode", no_event); }
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) {
  return refuse(c, "fmi3EvaluateDiscreteStates", no_event);
}
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
                                    fmi3Boolean*, fmi3Boolean*, fmi3Float64*) {
  return refuse(c, "fmi3UpdateDiscreteStates", no_event);
}

// ------------------------------------------------------------------------------------------ clocks

fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference[], size_t count, fmi3Clock[]) {
  return none(c, "fmi3GetClock", readable, count, no_clock);
}
fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference[], size_t count,
                        const fmi3Clock[]) {
  return none(c, "fmi3SetClock", settable, count, no_clock);
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance c, const fmi3ValueReference[], size_t count,
                                  fmi3Float64[], fmi3IntervalQualifier[]) {
  return none(c, "fmi3GetIntervalDecimal", readable, count, no_clock);
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3ValueReference[], size_t count,
                                   fmi3UInt64[], fmi3UInt64[], fmi3IntervalQualifier[]) {
  return none(c, "fmi3GetIntervalFraction", readable, count, no_clock);
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance c, const fmi3ValueReference[], size_t count,
                               fmi3Float64[]) {
  return none(c, "fmi3GetShiftDecimal", readable, count, no_clock);
}
fmi3Status fmi3GetShiftFraction(fmi3Instance c, const fmi3ValueReference[], size_t count,
                                fmi3UInt64[], fmi3UInt64[]) {
  return none(c, "fmi3GetShiftFraction", readable, count, no_clock);
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance c, const fmi3ValueReference[], size_t count,
                                  const fmi3Float64[]) {
  return none(c, "fmi3SetIntervalDecimal", settable, count, no_clock);
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance c, const fmi3ValueReference[], size_t count,
                                   const fmi3UInt64[], const fmi3UInt64[]) {
  return none(c, "fmi3SetIntervalFraction", settable, count, no_clock);
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance c, const fmi3ValueReference[], size_t count,
                               const fmi3Float64[]) {
  return none(c, "fmi3SetShiftDecimal", settable, count, no_clock);
}
fmi3Status fmi3SetShiftFraction(fmi3Instance c, const fmi3ValueReference[], size_t count,
                                const fmi3UInt64[], const fmi3UInt64[]) {
  return none(c, "fmi3SetShiftFraction", settable, count, no_clock);
}

// -------------------------------------------------------- model exchange and scheduled execution

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) {
  return refuse(c, "fmi3EnterContinuousTimeMode", no_exchange);
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean, fmi3Boolean*, fmi3Boolean*) {
  return refuse(c, "fmi3CompletedIntegratorStep", no_exchange);
}
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64) {
  return refuse(c, "fmi3SetTime", no_exchange);
}
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64[], size_t) {
  return refuse(c, "fmi3SetContinuousStates", no_exchange);
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64[], size_t) {
  return refuse(c, "fmi3GetContinuousStateDerivatives", no_exchange);
}
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64[], size_t) {
  return refuse(c, "fmi3GetEventIndicators", no_exchange);
}
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64[], size_t) {
  return refuse(c, "fmi3GetContinuousStates", no_exchange);
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64[], size_t) {
  return refuse(c, "fmi3GetNominalsOfContinuousStates", no_exchange);
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t*) {
  return refuse(c, "fmi3GetNumberOfEventIndicators", no_exchange);
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t*) {
  return refuse(c, "fmi3GetNumberOfContinuousStates", no_exchange);
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference, fmi3Float64) {
  return refuse(c, "fmi3ActivateModelPartition", no_schedule);
}
