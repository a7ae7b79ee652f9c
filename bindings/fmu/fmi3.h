/* The functions of FMI 3.0, declared after the text of the standard (Functional Mock-up Interface
 * Specification, version 3.0, sections 2.2, 2.3, 3.2, 4.2 and 5.2). An FMU for co-simulation exports all
 * of them, also those of model exchange and of scheduled execution.
 */
#ifndef MICROSLIP_FMI3_H
#define MICROSLIP_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef const char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
} fmi3DependencyKind;
typedef enum {
  fmi3IntervalNotYetKnown,
  fmi3IntervalUnchanged,
  fmi3IntervalChanged
} fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category,
                                       fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64 time,
                                               fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                               fmi3Boolean step_finished,
                                               fmi3Boolean can_return_early,
                                               fmi3Boolean *early_return_requested,
                                               fmi3Float64 *early_return_time);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

/* Life of an instance */
const char *fmi3GetVersion(void);
fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean on, size_t count, const fmi3String[]);
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment, fmi3LogMessageCallback);
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode_used, fmi3Boolean early_return,
                                         const fmi3ValueReference intermediate[], size_t count,
                                         fmi3InstanceEnvironment, fmi3LogMessageCallback,
                                         fmi3IntermediateUpdateCallback);
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token,
                                               fmi3String resources, fmi3Boolean visible,
                                               fmi3Boolean logging, fmi3InstanceEnvironment,
                                               fmi3LogMessageCallback, fmi3ClockUpdateCallback,
                                               fmi3LockPreemptionCallback,
                                               fmi3UnlockPreemptionCallback);
void fmi3FreeInstance(fmi3Instance);
fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean tolerance_defined,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean stop_defined, fmi3Float64 stop);
fmi3Status fmi3ExitInitializationMode(fmi3Instance);
fmi3Status fmi3EnterEventMode(fmi3Instance);
fmi3Status fmi3Terminate(fmi3Instance);
fmi3Status fmi3Reset(fmi3Instance);

/* Variables */
#define MICROSLIP_FMI3_TYPES(F) \
  F(Float32) F(Float64) F(Int8) F(UInt8) F(Int16) F(UInt16) F(Int32) F(UInt32) F(Int64) F(UInt64) \
  F(Boolean) F(String)
#define MICROSLIP_FMI3_DECLARE(T)                                                      \
  fmi3Status fmi3Get##T(fmi3Instance, const fmi3ValueReference[], size_t, fmi3##T[],   \
                        size_t value_count);                                           \
  fmi3Status fmi3Set##T(fmi3Instance, const fmi3ValueReference[], size_t,              \
                        const fmi3##T[], size_t value_count);
MICROSLIP_FMI3_TYPES(MICROSLIP_FMI3_DECLARE)
fmi3Status fmi3GetBinary(fmi3Instance, const fmi3ValueReference[], size_t, size_t sizes[],
                         fmi3Binary[], size_t value_count);
fmi3Status fmi3SetBinary(fmi3Instance, const fmi3ValueReference[], size_t, const size_t sizes[],
                         const fmi3Binary[], size_t value_count);
fmi3Status fmi3GetClock(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Clock[]);
fmi3Status fmi3SetClock(fmi3Instance, const fmi3ValueReference[], size_t, const fmi3Clock[]);
fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance, fmi3ValueReference, size_t *);
fmi3Status fmi3GetVariableDependencies(fmi3Instance, fmi3ValueReference dependent,
                                       size_t dependent_elements[],
                                       fmi3ValueReference independents[],
                                       size_t independent_elements[], fmi3DependencyKind[],
                                       size_t count);

/* States and derivatives */
fmi3Status fmi3GetFMUState(fmi3Instance, fmi3FMUState *);
fmi3Status fmi3SetFMUState(fmi3Instance, fmi3FMUState);
fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState *);
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance, fmi3FMUState, size_t *);
fmi3Status fmi3SerializeFMUState(fmi3Instance, fmi3FMUState, fmi3Byte[], size_t);
fmi3Status fmi3DeserializeFMUState(fmi3Instance, const fmi3Byte[], size_t, fmi3FMUState *);
fmi3Status fmi3GetDirectionalDerivative(fmi3Instance, const fmi3ValueReference unknowns[], size_t,
                                        const fmi3ValueReference knowns[], size_t,
                                        const fmi3Float64 seed[], size_t, fmi3Float64 sensitivity[],
                                        size_t);
fmi3Status fmi3GetAdjointDerivative(fmi3Instance, const fmi3ValueReference unknowns[], size_t,
                                    const fmi3ValueReference knowns[], size_t,
                                    const fmi3Float64 seed[], size_t, fmi3Float64 sensitivity[],
                                    size_t);

/* Configuration, clocks, events */
fmi3Status fmi3EnterConfigurationMode(fmi3Instance);
fmi3Status fmi3ExitConfigurationMode(fmi3Instance);
fmi3Status fmi3GetIntervalDecimal(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Float64[],
                                  fmi3IntervalQualifier[]);
fmi3Status fmi3GetIntervalFraction(fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt64[],
                                   fmi3UInt64 resolutions[], fmi3IntervalQualifier[]);
fmi3Status fmi3GetShiftDecimal(fmi3Instance, const fmi3ValueReference[], size_t, fmi3Float64[]);
fmi3Status fmi3GetShiftFraction(fmi3Instance, const fmi3ValueReference[], size_t, fmi3UInt64[],
                                fmi3UInt64 resolutions[]);
fmi3Status fmi3SetIntervalDecimal(fmi3Instance, const fmi3ValueReference[], size_t,
                                  const fmi3Float64[]);
fmi3Status fmi3SetIntervalFraction(fmi3Instance, const fmi3ValueReference[], size_t,
                                   const fmi3UInt64[], const fmi3UInt64 resolutions[]);
fmi3Status fmi3SetShiftDecimal(fmi3Instance, const fmi3ValueReference[], size_t,
                               const fmi3Float64[]);
fmi3Status fmi3SetShiftFraction(fmi3Instance, const fmi3ValueReference[], size_t,
                                const fmi3UInt64[], const fmi3UInt64 resolutions[]);
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance);
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance, fmi3Boolean *need_update, fmi3Boolean *terminate,
                                    fmi3Boolean *nominals_changed, fmi3Boolean *values_changed,
                                    fmi3Boolean *next_event_defined, fmi3Float64 *next_event);

/* Model exchange */
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance);
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance, fmi3Boolean no_set_state_before,
                                       fmi3Boolean *enter_event_mode, fmi3Boolean *terminate);
fmi3Status fmi3SetTime(fmi3Instance, fmi3Float64);
fmi3Status fmi3SetContinuousStates(fmi3Instance, const fmi3Float64[], size_t);
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance, fmi3Float64[], size_t);
fmi3Status fmi3GetEventIndicators(fmi3Instance, fmi3Float64[], size_t);
fmi3Status fmi3GetContinuousStates(fmi3Instance, fmi3Float64[], size_t);
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance, fmi3Float64[], size_t);
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance, size_t *);
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance, size_t *);

/* Co-simulation, scheduled execution */
fmi3Status fmi3EnterStepMode(fmi3Instance);
fmi3Status fmi3GetOutputDerivatives(fmi3Instance, const fmi3ValueReference[], size_t,
                                    const fmi3Int32 orders[], fmi3Float64[], size_t);
fmi3Status fmi3DoStep(fmi3Instance, fmi3Float64 t, fmi3Float64 step, fmi3Boolean no_return,
                      fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early_return,
                      fmi3Float64 *last_successful_time);
fmi3Status fmi3ActivateModelPartition(fmi3Instance, fmi3ValueReference clock, fmi3Float64 time);

#ifdef __cplusplus
}
#endif

#endif
